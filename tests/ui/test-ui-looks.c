/* test-ui-looks.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include "flow-canvas-private.h"
#include "flow-table-fit.h"
#include "flow-test-folder.h"
#include "flow-widget-finder.h"

/* What a person sees of a graph at first, and how what is shown is arranged; over the real engine process. */

#define FLOAT_ATTR "attr { key: 'dtype' value { type: DT_FLOAT } } "
#define LONG_NAME "tower/batch_normalization_1/moving_variance_of_the_last_layer"

static const char small_graph[] =
  "graph_def {"
  " node { name: 'x' op: 'Placeholder' " FLOAT_ATTR "attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } } }"
  " node { name: '" LONG_NAME "' op: 'VariableV2' " FLOAT_ATTR
  "   attr { key: 'shape' value { shape { dim { size: 3 } dim { size: 4 } } } } }"
  " node { name: 'init' op: 'NoOp' }"
  " versions { producer: 134 } }"
  "collection_def { key: 'trainable_variables' value { bytes_list { value: '\\n\\002w:0' } } }";

static void
open_with_run (TestFolder *f)
{
  g_autofree char *graph = test_folder_write (f, "small.pbtxt", small_graph);

  test_folder_open (f, "small.run.json",
                    "{\"graph\": \"small.pbtxt\", \"runs\": [{\"name\": \"first\", \"targets\": [\"init\"]}, "
                    "{\"name\": \"second\", \"fetches\": [\"x:0\"], \"feeds\": {\"x:0\": {\"value\": [[1, 2, 3]]}}}]}");
}

/* Nothing is selected: what there is, and each line a place to go on from. */
static void
test_overview (TestFolder    *f,
               gconstpointer  data)
{
  GtkWidget *view = NULL;
  GtkWidget *row = NULL;

  open_with_run (f);
  view = find_widget (GTK_WIDGET (f->window), "FlowOverview", NULL);
  g_assert_nonnull (view);
  g_assert_true (gtk_widget_get_mapped (view));
  g_assert_nonnull (find_label (view, "small.pbtxt"));
  g_assert_nonnull (find_label_with (view, "3 ops · 2 name scopes"));
  g_assert_nonnull (find_label_with (view, "1 variable · 1 trainable · 12 elements"));
  g_assert_nonnull (find_label (view, "x:0"));
  g_assert_nonnull (find_label (view, "float32 [?,3]"));
  g_assert_nonnull (find_label (view, "first"));
  row = gtk_widget_get_ancestor (find_label (view, "second"), GTK_TYPE_LIST_BOX_ROW);
  g_assert_nonnull (row);
  g_assert_true (gtk_widget_activate (row));
  drive_settle (f->window);
  drive_assert_state (f->window, "chosen_run", "second");

  row = find_widget (view, "FlowEndpointRow", NULL);
  g_assert_nonnull (row);
  g_assert_true (gtk_widget_activate (row));
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "x");
  g_assert_false (gtk_widget_get_mapped (view));
  drive_activate (f->window, "select", "");
  g_assert_true (gtk_widget_get_mapped (view));
}

static void
find_columns (GtkWidget   *table,
              const char  *title,
              int         *width,
              int         *total)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (table));

  *total = 0;
  *width = -1;
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (!gtk_column_view_column_get_visible (column))
        continue;
      *total += gtk_column_view_column_get_fixed_width (column);
      if (g_strcmp0 (gtk_column_view_column_get_title (column), title) == 0)
        *width = gtk_column_view_column_get_fixed_width (column);
    }
}

/* What comes out, what it is made of, how runs went, which variables moved, and where one has been. */
static void
test_overview_after_runs (TestFolder    *f,
                          gconstpointer  data)
{
  g_autofree char *graph = test_folder_write (f, "train.pbtxt",
    "node { name: 'w' op: 'VariableV2' " FLOAT_ATTR "attr { key: 'shape' value { shape { } } } }"
    "node { name: 'one' op: 'Const' " FLOAT_ATTR "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"
    "node { name: 'w/Assign' op: 'Assign' input: 'w' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
    "node { name: 'train' op: 'AssignAdd' input: 'w' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
    "node { name: 'loss' op: 'Neg' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
    "versions { producer: 134 }");
  GtkWidget *view = NULL;

  test_folder_open (f, "train.run.json",
                    "{\"graph\": \"train.pbtxt\", \"runs\": [{\"name\": \"init\", \"targets\": [\"w/Assign\"]}, "
                    "{\"name\": \"train\", \"targets\": [\"train\"], \"repeat\": 3}]}");
  view = find_widget (GTK_WIDGET (f->window), "FlowOverview", NULL);
  g_assert_nonnull (find_label (view, "loss:0"));
  g_assert_null (find_label (view, "train:0"));
  g_assert_nonnull (find_label_with (view, "Assign\u00a0×1"));
  g_assert_null (find_label (view, "done"));
  drive_activate (f->window, "choose-run", "train");
  drive_activate (f->window, "run", NULL);
  drive_activate (f->window, "run", NULL);
  drive_activate (f->window, "run", NULL);
  drive_activate (f->window, "select", "one");
  drive_activate (f->window, "select", "");
  drive_settle (f->window);
  g_assert_true (gtk_widget_get_mapped (view));
  g_assert_nonnull (find_label (view, "done"));
  g_assert_nonnull (find_label_with (view, "done ×3"));
  g_assert_nonnull (find_label (view, "|Δ| 1"));
  /* A narrow table does without what is said elsewhere. */
  {
    GtkWidget *table = find_widget (find_widget (GTK_WIDGET (f->window), "FlowVariablesView", NULL), "GtkColumnView", NULL);
    int width = 0;
    int total = 0;

    drive_activate (f->window, "show-panel", "variables");
    /* A panel has its width a frame after it is shown. */
    for (guint i = 0; i < 100 && width <= 0; i++)
      {
        drive_settle (f->window);
        g_usleep (10000);
        find_columns (table, "At run start", &width, &total);
      }
    g_assert_cmpint (width, >, 0);
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 800);
    for (guint i = 0; i < 100 && width > 0; i++)
      {
        drive_settle (f->window);
        g_usleep (10000);
        find_columns (table, "At run start", &width, &total);
      }
    g_assert_cmpint (width, ==, -1);
    find_columns (table, "Variable", &width, &total);
    g_assert_cmpint (width, >, 0);
  }
  /* A row of its own, of its type. */
  g_assert_nonnull (find_label (view, "one"));
}

static const char scoped_graph[] =
  "node { name: 'x' op: 'Placeholder' " FLOAT_ATTR "attr { key: 'shape' value { shape { dim { size: 3 } } } } }"
  " node { name: 'net/w' op: 'VariableV2' " FLOAT_ATTR "attr { key: 'shape' value { shape { dim { size: 3 } } } } }"
  " node { name: 'net/w/read' op: 'Identity' input: 'net/w' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'net/sum' op: 'Add' input: 'x' input: 'net/w/read' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'net/inner/neg' op: 'Neg' input: 'net/sum' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'net/alone' op: 'Neg' input: 'net/sum' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'gradients/grad' op: 'Neg' input: 'net/w/read' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'out' op: 'Relu' input: 'net/inner/neg' attr { key: 'T' value { type: DT_FLOAT } } }"
  " versions { producer: 134 }";

/* Of a scope: what it reads and what is read of it, its variables and what it is made of. */
static void
test_scope (TestFolder    *f,
            gconstpointer  data)
{
  const char *made_of = "Neg\u00a0×2 · Add\u00a0×1 · Identity\u00a0×1 · VariableV2\u00a0×1";
  GtkWidget *view = NULL;
  GtkWidget *label = NULL;
  GtkWidget *row = NULL;

  test_folder_open (f, "scoped.pbtxt", scoped_graph);
  drive_activate (f->window, "select", "net");
  view = find_widget (GTK_WIDGET (f->window), "FlowInspector", NULL);
  g_assert_nonnull (find_label (view, "net"));
  g_assert_nonnull (find_label (view, "x:0"));
  g_assert_nonnull (find_label (view, "net/inner/neg:0"));
  g_assert_nonnull (find_label (view, "net/alone:0"));
  g_assert_nonnull (find_label (view, "net/w:0"));
  g_assert_null (find_label (view, "net/sum:0"));
  /* What gradients read comes last. */
  label = find_label (view, "net/w/read:0");
  g_assert_nonnull (label);
  row = gtk_widget_get_ancestor (label, GTK_TYPE_LIST_BOX_ROW);
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)), ==, 2);
  g_assert_nonnull (find_label (view, made_of));
  drive_activate (f->window, "select", "net/sum");
  g_assert_false (gtk_widget_get_mapped (find_label (view, made_of)));
}

/* Who opens a graph sees it, not what the run that initialises it leaves out. */
static void
test_not_pale (TestFolder    *f,
               gconstpointer  data)
{
  FlowCanvas *canvas = NULL;

  open_with_run (f);
  canvas = FLOW_CANVAS (find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL));
  g_assert_null (canvas->states);
  drive_activate (f->window, "choose-run", "first");
  g_assert_nonnull (canvas->states);
}

/* A variable in a collection is called by its name, not by all that its message says. */
static void
test_collection (TestFolder    *f,
                 gconstpointer  data)
{
  GtkWidget *view = NULL;
  GtkWidget *label = NULL;

  test_folder_open (f, "kept.pbtxt",
                    "graph_def { node { name: 'w' op: 'VariableV2' " FLOAT_ATTR "attr { key: 'shape' value { shape { } } } }"
                    " versions { producer: 134 } } collection_def { key: 'trainable_variables' "
                    "value { bytes_list { value: '\\n\\003w:0\\022\\010w/Assign' } } }");
  drive_activate (f->window, "show-collection", "trainable_variables");
  view = find_widget (GTK_WIDGET (f->window), "FlowCollectionsView", NULL);
  label = find_label (view, "w:0");
  g_assert_nonnull (label);
  g_assert_true (gtk_widget_get_mapped (label));
  g_assert_null (find_label_with (view, "variable_name"));
}

/* Views whose tabs find no room in the row are in a menu at its end. */
static void
test_all_views (TestFolder    *f,
                gconstpointer  data)
{
  GtkWidget *button = NULL;

  open_with_run (f);
  button = find_widget (GTK_WIDGET (f->window), "GtkMenuButton", "flow-all-views");
  g_assert_nonnull (button);
  for (guint wide = 0; wide < 2; wide++)
    {
      gtk_window_set_default_size (GTK_WINDOW (f->window), wide ? 1590 : 1280, 800);
      for (guint i = 0; i < 300 && gtk_widget_get_visible (button) == (wide == 1); i++)
        {
          drive_settle (f->window);
          g_usleep (10000);
        }
      g_assert_cmpint (gtk_widget_get_visible (button), ==, !wide);
      if (wide)
        break;
      gtk_menu_button_popup (GTK_MENU_BUTTON (button));
      drive_settle (f->window);
      g_assert_nonnull (find_label (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))), "Plans"));
      gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
    }
}

/* What the diagnostics found is said there too, the same said of many nodes once. */
static void
test_overview_findings (TestFolder    *f,
                        gconstpointer  data)
{
  GtkWidget *view = NULL;

  test_folder_open (f, "odd.pbtxt",
                    "node { name: 'a' op: 'NobodysOp' } node { name: 'b' op: 'NobodysOp' } versions { producer: 134 }");
  view = find_widget (GTK_WIDGET (f->window), "FlowOverview", NULL);
  g_assert_nonnull (find_label (view, "2 nodes have unknown op types"));
}

/* A long name has the room that columns without anything in them would take. */
static void
test_columns_fit (TestFolder    *f,
                  gconstpointer  data)
{
  GtkWidget *table = NULL;
  GtkWidget *label = NULL;
  int natural = 0;
  int width = 0;
  int total = 0;

  open_with_run (f);
  drive_activate (f->window, "show-panel", "variables");
  table = find_widget (find_widget (GTK_WIDGET (f->window), "FlowVariablesView", NULL), "GtkColumnView", NULL);
  label = find_label (table, LONG_NAME);
  g_assert_nonnull (label);
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  find_columns (table, "Variable", &width, &total);
  g_assert_cmpint (width, >=, natural);
  g_assert_cmpint (total, ==, gtk_adjustment_get_page_size (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table))));
  find_columns (table, "History", &width, &total);
  g_assert_cmpint (width, ==, -1);
  /* The whole of it is in its tooltip, whatever the width. */
  g_assert_true (gtk_widget_get_has_tooltip (label));

  /* What a person drags stays; the last column gives way. */
  {
    g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (table)), 0);

    gtk_column_view_column_set_fixed_width (column, 150);
    drive_settle (f->window);
    find_columns (table, "Variable", &width, &total);
    g_assert_cmpint (width, ==, 150);
    g_assert_cmpint (total, ==, gtk_adjustment_get_page_size (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table))));
  }
}

static int
width_of (GtkColumnView *table,
          const char    *text)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (table), text);
  int width = 0;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void
add_fit_column (GtkColumnView     *table,
                const char        *title,
                FlowTableFitFlags  flags,
                const char        *text,
                const char        *one_text)
{
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, gtk_signal_list_item_factory_new ());

  gtk_column_view_append_column (table, column);
  flow_table_fit_column (table, column, flags);
  for (guint i = 0; i < 19; i++)
    flow_table_fit_text (table, column, text);
  flow_table_fit_text (table, column, one_text);
  g_object_unref (column);
}

/* Where there is too little room, that column gives way whose cells lose the least by it. */
static void
test_slack (TestFolder    *f,
            gconstpointer  data)
{
  static const char name[] = "stage0/shortcut/bn_projection";
  static const char keys[] = "GLOBAL TRAINABLE";
  static const char shape[] = "3×3×512×512×16×16";
  GtkWidget *window = gtk_window_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkColumnView *table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  int wanted = 0;
  int width = 0;
  int total = 0;

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (table));
  gtk_window_set_child (GTK_WINDOW (window), scroller);
  wanted = width_of (table, name) + width_of (table, keys) + 60 + width_of (table, "Shape") + 60;
  gtk_window_set_default_size (GTK_WINDOW (window), wanted, 300);
  add_fit_column (table, "Variable", FLOW_TABLE_FIT_WIDE, name, name);
  add_fit_column (table, "Shape", 0, "8", shape);
  add_fit_column (table, "Collections", 0, keys, keys);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 200 && total < wanted / 2; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
      find_columns (GTK_WIDGET (table), "Variable", &width, &total);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
  find_columns (GTK_WIDGET (table), "Variable", &width, &total);
  g_assert_cmpint (total, <=, gtk_adjustment_get_page_size (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table))));
  g_assert_cmpint (width, >, width_of (table, name) * 0.92);
  find_columns (GTK_WIDGET (table), "Collections", &width, &total);
  g_assert_cmpint (width, >, width_of (table, keys) * 0.92);
  find_columns (GTK_WIDGET (table), "Shape", &width, &total);
  g_assert_cmpint (width, <, width_of (table, shape) * 0.9);

  /* What the table can do without goes first; all else is whole then. */
  {
    g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (table), 2);

    flow_table_fit_optional (table, column);
    while (g_main_context_iteration (NULL, FALSE))
      ;
    g_assert_false (gtk_column_view_column_get_visible (column));
    find_columns (GTK_WIDGET (table), "Shape", &width, &total);
    g_assert_cmpint (width, >, width_of (table, shape) * 0.9);
  }
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
assert_least_width (GtkWidget *widget,
                    int        most,
                    guint      depth)
{
  int least = 0;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (least <= most)
    return;
  /* Down to what needs so much. */
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int of_child = 0;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &of_child, NULL, NULL, NULL);
      if (of_child > most)
        assert_least_width (child, most, depth + 1);
      g_printerr ("%*s%s %s: %d\n", (int) depth, "", G_OBJECT_TYPE_NAME (child), gtk_widget_get_name (child), of_child);
    }
  if (depth == 0)
    g_error ("the window needs %d pixels", least);
}

/* The window has room on a screen of 1280 by 800, whatever its panel shows. */
static void
test_fits_small_screens (TestFolder    *f,
                         gconstpointer  data)
{
  int height = 0;

  open_with_run (f);
  assert_least_width (GTK_WIDGET (f->window), 1280, 0);
  gtk_widget_measure (GTK_WIDGET (f->window), GTK_ORIENTATION_VERTICAL, 1280, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, <=, 760);
}

/* Every key that the application has stands in the window of keys. */
static void
test_shortcuts_are_listed (TestFolder    *f,
                           gconstpointer  data)
{
  g_autoptr(GBytes) bytes = g_resources_lookup_data ("/org/flowstep/Flowstep/app/shortcuts.ui", 0, NULL);
  g_auto(GStrv) actions = gtk_application_list_action_descriptions (GTK_APPLICATION (drive_get_app ()));
  g_autoptr(GString) listed = NULL;
  guint n_depths = 0;

  g_assert_nonnull (bytes);
  listed = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_string_replace (listed, "&lt;", "<", 0);
  g_string_replace (listed, "&gt;", ">", 0);
  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto(GStrv) accels = gtk_application_get_accels_for_action (GTK_APPLICATION (drive_get_app ()), actions[i]);
      gboolean found = accels[0] == NULL;

      n_depths += g_str_has_prefix (actions[i], "win.expand-depth") && accels[0] != NULL;
      /* Rows of digits are one line. */
      found = found || g_str_has_prefix (actions[i], "win.go-to-bookmark") || g_str_has_prefix (actions[i], "win.expand-depth");
      for (guint k = 0; accels[k] != NULL && !found; k++)
        {
          guint key = 0;
          GdkModifierType modifiers = 0;
          const char *at = listed->str;

          gtk_accelerator_parse (accels[k], &key, &modifiers);
          while (!found && (at = strstr (at, "\"accelerator\">")) != NULL)
            {
              const char *end = strchr (at += strlen ("\"accelerator\">"), '/');
              g_autofree char *text = g_strndup (at, (gsize) (end - at) - 1);
              g_auto(GStrv) words = g_strsplit (text, " ", -1);

              for (guint w = 0; words[w] != NULL; w++)
                {
                  guint other_key = 0;
                  GdkModifierType other_modifiers = 0;

                  found = found || (gtk_accelerator_parse (words[w], &other_key, &other_modifiers) &&
                                    gdk_keyval_to_lower (key) == gdk_keyval_to_lower (other_key) && modifiers == other_modifiers);
                }
            }
        }
      if (!found)
        g_error ("the keys of %s are not listed", actions[i]);
    }
  g_assert_cmpuint (n_depths, ==, 5);
  g_assert_nonnull (strstr (listed->str, "<Control><Alt>0...4"));
}

static GtkWidget *
find_editor (void)
{
  g_autoptr(GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (g_strcmp0 (G_OBJECT_TYPE_NAME (l->data), "FlowRunEditor") == 0)
      return l->data;
  return NULL;
}

static gboolean
has_text (GtkWidget  *widget,
          const char *text)
{
  if (GTK_IS_ENTRY (widget) && strcmp (gtk_editable_get_text (GTK_EDITABLE (widget)), text) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (has_text (child, text))
      return TRUE;
  return FALSE;
}

/* What is fed is made by a button, of the placeholder's shape, and is a run's when it is applied. */
static void
test_feeds_are_made (TestFolder    *f,
                     gconstpointer  data)
{
  GtkWidget *editor = NULL;
  GtkWidget *button = NULL;

  open_with_run (f);
  drive_activate (f->window, "choose-run", "second");
  drive_activate (f->window, "edit-feeds", NULL);
  editor = find_editor ();
  g_assert_nonnull (editor);
  button = gtk_widget_get_ancestor (find_label (editor, "Random, in a Range"), GTK_TYPE_BUTTON);
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (has_text (editor, "{\"uniform\": [0, 1], \"shape\": [1, 3], \"seed\": 1}"));
  button = gtk_widget_get_ancestor (find_label (editor, "Ones"), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (has_text (editor, "{\"ones\": [1, 3]}"));
  button = gtk_widget_get_ancestor (find_label (editor, "Apply"), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  drive_settle (f->window);
  g_assert_null (find_editor ());
  /* What is applied is what the run holds from now on. */
  drive_activate (f->window, "edit-feeds", NULL);
  editor = find_editor ();
  g_assert_nonnull (editor);
  g_assert_true (has_text (editor, "{\"ones\":[1,3]}"));
  gtk_window_destroy (GTK_WINDOW (editor));
}

/* One of a thing is not several. */
static void
test_plurals (TestFolder    *f,
              gconstpointer  data)
{
  test_folder_open (f, "one.pbtxt", "node { name: 'only' op: 'NoOp' } versions { producer: 134 }");
  g_assert_nonnull (find_label_with (GTK_WIDGET (f->window), "1 op · embedded"));
  g_assert_null (find_label_with (GTK_WIDGET (f->window), "1 ops"));
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add ("/ui/looks/overview", TestFolder, NULL, test_folder_set_up, test_overview, test_folder_tear_down);
  g_test_add ("/ui/looks/overview-after-runs", TestFolder, NULL, test_folder_set_up, test_overview_after_runs, test_folder_tear_down);
  g_test_add ("/ui/looks/overview-findings", TestFolder, NULL, test_folder_set_up, test_overview_findings, test_folder_tear_down);
  g_test_add ("/ui/looks/scope", TestFolder, NULL, test_folder_set_up, test_scope, test_folder_tear_down);
  g_test_add ("/ui/looks/not-pale", TestFolder, NULL, test_folder_set_up, test_not_pale, test_folder_tear_down);
  g_test_add ("/ui/looks/all-views", TestFolder, NULL, test_folder_set_up, test_all_views, test_folder_tear_down);
  g_test_add ("/ui/looks/collection", TestFolder, NULL, test_folder_set_up, test_collection, test_folder_tear_down);
  g_test_add ("/ui/looks/columns-fit", TestFolder, NULL, test_folder_set_up, test_columns_fit, test_folder_tear_down);
  g_test_add ("/ui/looks/slack", TestFolder, NULL, test_folder_set_up, test_slack, test_folder_tear_down);
  g_test_add ("/ui/looks/fits-small-screens", TestFolder, NULL, test_folder_set_up, test_fits_small_screens, test_folder_tear_down);
  g_test_add ("/ui/looks/shortcuts-are-listed", TestFolder, NULL, test_folder_set_up, test_shortcuts_are_listed, test_folder_tear_down);
  g_test_add ("/ui/looks/feeds-are-made", TestFolder, NULL, test_folder_set_up, test_feeds_are_made, test_folder_tear_down);
  g_test_add ("/ui/looks/plurals", TestFolder, NULL, test_folder_set_up, test_plurals, test_folder_tear_down);

  return g_test_run ();
}
