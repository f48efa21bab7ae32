/* test-ui-views.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include "flow-canvas.h"
#include "flow-curve.h"
#include "flow-test-folder.h"
#include "flow-widget-finder.h"

/* The views of the window over the real engine process: what they show, and what clicking in them does. */

#define FLOAT_ATTR "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } }"

/* A step that trains w, leaves the moving average out, and beside it an op that nobody knows. */
static const char sick_graph[] =
  "graph_def {"
  " node { name: 'w' op: 'VariableV2' " FLOAT_ATTR " }"
  " node { name: 'mean' op: 'VariableV2' " FLOAT_ATTR " }"
  " node { name: 'lone' op: 'VariableV2' " FLOAT_ATTR " }"
  " node { name: 'one' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }"
  "   attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"
  " node { name: 'w/Assign' op: 'Assign' input: 'w' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'train' op: 'ApplyGradientDescent' input: 'w' input: 'one' input: 'one'"
  "   attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'update' op: 'AssignAdd' input: 'mean' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'strange' op: 'NobodysOp' input: 'one' }"
  " versions { producer: 134 } }"
  "collection_def { key: 'update_ops' value { node_list { value: 'update:0' } } }"
  "collection_def { key: 'train_op' value { node_list { value: 'train' } } }"
  "collection_def { key: 'variables' value { bytes_list { value: '\\n\\003w:0\\022\\010w/Assign' value: '\\n\\006mean:0' } } }";

static void
test_findings (TestFolder    *f,
               gconstpointer  data)
{
  GtkWidget *view = NULL;
  GtkWidget *link = NULL;
  gboolean handled = FALSE;

  test_folder_open (f, "sick.pbtxt", sick_graph);
  drive_activate (f->window, "show-panel", "diagnostics");
  view = find_widget (GTK_WIDGET (f->window), "FlowDiagnosticsView", NULL);
  g_assert_nonnull (view);
  g_assert_nonnull (find_label (view, "1 op of UPDATE_OPS is not run"));
  g_assert_nonnull (find_label (view, "1 node has an unknown op type"));
  g_assert_nonnull (find_label (view, "1 variable is in no collection"));
  /* The tab says how many there are. */
  g_assert_cmpuint (count_widgets (view, "GtkListBoxRow"), >, 3);
  {
    g_autofree char *badge = g_strdup_printf ("Diagnostics  %u", count_widgets (view, "GtkListBoxRow"));

    g_assert_nonnull (find_label (GTK_WIDGET (f->window), badge));
  }

  link = find_label (view, "update");
  g_assert_nonnull (link);
  g_signal_emit_by_name (link, "activate-link", "update", &handled);
  g_assert_true (handled);
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "update");
}

/* By keys from point to point of what a variable was, and to the moment when it was that. */
static void
test_history_by_keys (TestFolder    *f,
                      gconstpointer  data)
{
  g_autofree char *graph = test_folder_write (f, "sick.pbtxt", sick_graph);
  GtkWidget *line = NULL;
  gint64 position = 0;

  test_folder_open (f, "train.run.json",
                    "{\"graph\": \"sick.pbtxt\", \"runs\": [{\"name\": \"init\", \"targets\": [\"w/Assign\"]}, "
                    "{\"name\": \"train\", \"targets\": [\"train\"], \"repeat\": 5}]}");
  drive_activate (f->window, "show-panel", "variables");
  drive_activate (f->window, "choose-run", "init");
  for (guint i = 0; i < 4; i++)
    drive_activate (f->window, "run", NULL);
  position = drive_state_number (f->window, "position");
  line = find_widget (find_widget (GTK_WIDGET (f->window), "FlowVariablesView", NULL), "FlowSparkline", NULL);
  g_assert_nonnull (line);
  g_assert_true (gtk_widget_grab_focus (line));
  g_signal_emit_by_name (line, "move-point", -1);
  g_signal_emit_by_name (line, "choose");
  drive_settle (f->window);
  g_assert_cmpint (drive_state_number (f->window, "position"), <, position);
  position = drive_state_number (f->window, "position");
  g_signal_emit_by_name (line, "move-point", -G_MAXINT);
  g_signal_emit_by_name (line, "choose");
  drive_settle (f->window);
  g_assert_cmpint (drive_state_number (f->window, "position"), <, position);
}

/* As the other button does, in the middle of @child. */
static void
press_secondary (GtkWidget *widget,
                 GtkWidget *child)
{
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (widget);
  double x = 0;
  double y = 0;

  g_assert_true (gtk_widget_translate_coordinates (child, widget, gtk_widget_get_width (child) / 2.0,
                                                   gtk_widget_get_height (child) / 2.0, &x, &y));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr(GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_SECONDARY)
        g_signal_emit_by_name (controller, "pressed", 1, x, y);
    }
}

/* A variable's row has the menu of its node; the heads have none. */
static void
test_variable_menu (TestFolder    *f,
                    gconstpointer  data)
{
  GtkWidget *view = NULL;

  test_folder_open (f, "sick.pbtxt", sick_graph);
  drive_activate (f->window, "show-panel", "variables");
  view = find_widget (GTK_WIDGET (f->window), "FlowVariablesView", NULL);
  press_secondary (view, find_label (view, "mean"));
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "mean");
  g_assert_nonnull (find_label (GTK_WIDGET (f->window), "Run to Its Next Write"));
  drive_activate (f->window, "select", "w");
  press_secondary (view, find_label (view, "Shape"));
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "w");
  press_secondary (view, find_label (view, "lone"));
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "lone");
}

static void
save_checkpoint (TestFolder *f,
                 const char *name)
{
  g_autofree char *prefix = test_folder_path (f, name);

  flow_ui_session_command (flow_window_get_session (f->window), "save", "SaveCheckpoint", g_variant_new ("(s)", prefix), NULL,
                           NULL, NULL, NULL);
  drive_settle (f->window);
}

/* The checkpoints of a training: how far each variable went; a row opens first and last side by side. */
static void
test_checkpoint_series (TestFolder    *f,
                        gconstpointer  data)
{
  g_autofree char *graph = test_folder_write (f, "sick.pbtxt", sick_graph);
  GtkWidget *pane = NULL;
  GtkWidget *table = NULL;
  GtkWidget *line = NULL;
  guint before = 0;

  test_folder_open (f, "train.run.json",
                    "{\"graph\": \"sick.pbtxt\", \"runs\": [{\"name\": \"init\", \"targets\": [\"w/Assign\"]}, "
                    "{\"name\": \"train\", \"targets\": [\"train\"], \"repeat\": 5}]}");
  drive_activate (f->window, "choose-run", "init");
  drive_activate (f->window, "run", NULL);
  save_checkpoint (f, "model.ckpt-0");
  drive_activate (f->window, "run", NULL);
  save_checkpoint (f, "model.ckpt-1");
  drive_activate (f->window, "run", NULL);
  save_checkpoint (f, "model.ckpt-2");
  drive_activate (f->window, "checkpoint-series", f->folder);
  pane = find_widget (GTK_WIDGET (f->window), "FlowSeriesPane", NULL);
  g_assert_nonnull (find_label_with (pane, "3 checkpoints · 1 of 1 variable moved"));
  g_assert_nonnull (find_label (pane, "w"));
  g_assert_nonnull (find_label (pane, "2"));

  table = find_widget (pane, "GtkColumnView", NULL);
  before = g_list_model_get_n_items (gtk_window_get_toplevels ());
  g_signal_emit_by_name (table, "activate", 0);
  drive_settle (f->window);
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_column_view_get_model (GTK_COLUMN_VIEW (table))), 0);
  g_signal_emit_by_name (table, "activate", 0);
  drive_settle (f->window);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, before + 1);
  /* A step of the line: the two checkpoints it lies between. */
  line = find_widget (pane, "FlowSparkline", NULL);
  g_signal_emit_by_name (line, "point-chosen", 1);
  drive_settle (f->window);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), >, before);

  drive_activate (f->window, "checkpoint-series", graph);
  g_assert_nonnull (find_widget (pane, "GtkLabel", "error"));
}

/* A loop with a condition in it, and a run of it. */
static void
open_loop (TestFolder *f)
{
  test_folder_copy (f, "models/while_with_cond.pbtxt.gz", "loop.pbtxt.gz");
  test_folder_open (f, "loop.run.json",
                    "{\"graph\": \"loop.pbtxt.gz\", \"runs\": [{\"name\": \"go\", \"fetches\": [\"while/Exit_1:0\"], "
                    "\"feeds\": {\"x:0\": {\"value\": 3}}}]}");
}

/* Iterations by actions, and by the spin button over the canvas, ahead and back. */
static void
test_iterations (TestFolder    *f,
                 gconstpointer  data)
{
  GtkWidget *bar = NULL;
  GtkWidget *spin = NULL;
  gint64 second = 0;

  open_loop (f);
  bar = find_widget (GTK_WIDGET (f->window), "FlowLoopBar", NULL);
  g_assert_nonnull (bar);
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (find_widget (bar, "GtkRevealer", NULL))));
  drive_activate (f->window, "expand", "while");
  drive_activate (f->window, "run-to", "while/LoopCond");
  g_assert_true (gtk_revealer_get_reveal_child (GTK_REVEALER (find_widget (bar, "GtkRevealer", NULL))));
  drive_assert_state (f->window, "frame", ";0;while/while_context");
  g_assert_cmpint (drive_state_number (f->window, "iteration"), ==, 0);
  drive_activate (f->window, "next-iteration", NULL);
  drive_activate (f->window, "next-iteration", NULL);
  g_assert_cmpint (drive_state_number (f->window, "iteration"), ==, 2);
  second = drive_state_number (f->window, "position");
  g_assert_nonnull (find_label (bar, "2 known"));

  spin = find_widget (bar, "GtkSpinButton", NULL);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, "Iteration");
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, 2);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 0);
  drive_settle (f->window);
  g_assert_cmpint (drive_state_number (f->window, "iteration"), ==, 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 4);
  drive_settle (f->window);
  g_assert_cmpint (drive_state_number (f->window, "iteration"), ==, 4);
  drive_activate (f->window, "previous-iteration", NULL);
  g_assert_cmpint (drive_state_number (f->window, "iteration"), ==, 3);
  drive_activate (f->window, "go-to-iteration", "2 while/while_context");
  g_assert_cmpint (drive_state_number (f->window, "position"), ==, second);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, 2);
}

/* The history's memory: seen, limited, and what it keeps of a scope said and taken back. */
static void
test_history_limit (TestFolder    *f,
                    gconstpointer  data)
{
  GtkWidget *button = NULL;
  GtkWidget *spin = NULL;
  GtkWidget *undo = NULL;

  open_loop (f);
  drive_activate (f->window, "show-panel", "timeline");
  drive_activate (f->window, "run-to", "while/LoopCond");
  button = find_widget (GTK_WIDGET (f->window), "FlowHistoryButton", NULL);
  g_assert_nonnull (button);
  g_assert_nonnull (find_label_with (button, "history "));
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_widget (button, "GtkMenuButton", NULL)));
  drive_settle (f->window);
  spin = find_widget (button, "GtkSpinButton", NULL);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 32);
  drive_settle (f->window);
  g_assert_cmpint (drive_state_number (f->window, "history_limit"), ==, 32 * 1024 * 1024);
  g_assert_nonnull (find_label_with (button, "of 32.0"));
  drive_activate (f->window, "set-policy", "while=keep-stats");
  g_assert_nonnull (find_label (button, "statistics only"));
  undo = find_action_button (button, "win.set-policy");
  g_assert_nonnull (undo);
  g_signal_emit_by_name (undo, "clicked");
  drive_settle (f->window);
  g_assert_null (find_label (button, "statistics only"));
  drive_activate (f->window, "set-history-limit", "1G");
  g_assert_cmpint (drive_state_number (f->window, "history_limit"), ==, 1024 * 1024 * 1024);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (find_widget (button, "GtkMenuButton", NULL)));
}

static gboolean
is_open (TestFolder *f,
         const char *scope)
{
  g_autoptr(JsonObject) state = drive_dup_state (f->window);
  JsonArray *open = json_object_get_array_member (state, "open_scopes");

  for (guint i = 0; i < json_array_get_length (open); i++)
    if (g_strcmp0 (json_array_get_string_element (open, i), scope) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
stands_in (TestFolder *f,
           const char *prefix)
{
  g_autoptr(JsonObject) state = drive_dup_state (f->window);
  const char *next = drive_state_text (state, "next");

  return next != NULL && g_str_has_prefix (next, prefix);
}

/* The body of a function opens in its place on the canvas: when the run steps into it, and when asked for. */
static void
test_bodies (TestFolder    *f,
             gconstpointer  data)
{
  GtkWidget *canvas = NULL;
  GtkWidget *button = NULL;
  guint n_own = 0;

  test_folder_copy (f, "functions/while.pb", "while.pb");
  test_folder_open (f, "while.run.json", "{\"graph\": \"while.pb\", \"runs\": [{\"name\": \"go\", \"fetches\": [\"a:0\"], "
                                         "\"feeds\": {\"x:0\": {\"value\": 1.5}}}]}");
  canvas = find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL);
  n_own = flow_graph_get_n_nodes (flow_ui_session_get_graph (flow_window_get_session (f->window)));
  drive_activate (f->window, "run-to", "loop");
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_canvas_get_graph (FLOW_CANVAS (canvas))), ==, n_own);
  drive_activate (f->window, "step-into", NULL);
  g_assert_true (stands_in (f, "loop/cond/"));
  g_assert_true (is_open (f, "loop"));
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_canvas_get_graph (FLOW_CANVAS (canvas))), >, n_own);
  drive_assert_state (f->window, "selection", "loop");
  drive_activate (f->window, "step-back", NULL);
  drive_activate (f->window, "step-over", NULL);
  g_assert_false (stands_in (f, "loop"));

  /* Once more, by the button of the inspector. */
  g_clear_pointer (&f->window, drive_close);
  {
    g_autofree char *path = g_build_filename (f->folder, "while.run.json", NULL);

    f->window = drive_open (path);
  }
  drive_activate (f->window, "select", "loop");
  button = find_action_button (find_widget (GTK_WIDGET (f->window), "FlowInspector", NULL), "win.open-body");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
  drive_settle (f->window);
  g_assert_true (is_open (f, "loop"));
  canvas = find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL);
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_canvas_get_graph (FLOW_CANVAS (canvas))), >, n_own);
  drive_activate (f->window, "select", "x");
  g_assert_false (gtk_widget_get_visible (button));
}

/* Curves of an event file: several in one field, smoothed, and more points when the file grows. */
static void
test_curves (TestFolder    *f,
             gconstpointer  data)
{
  g_autofree char *path = g_build_filename (f->folder, "events.out.tfevents.1700000000.recorded", NULL);
  g_autofree char *bytes = NULL;
  g_autofree char *twice = NULL;
  g_autoptr(GError) error = NULL;
  gsize length = 0;
  FlowCurve *curve = NULL;
  GtkSelectionModel *rows = NULL;
  GtkWidget *view = NULL;
  guint n_points = 0;
  gint64 end = 0;

  test_folder_copy (f, "events/events.out.tfevents.1700000000.recorded", "events.out.tfevents.1700000000.recorded");
  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  f->window = drive_open (path);
  view = find_widget (GTK_WIDGET (f->window), "FlowCurvesView", NULL);
  curve = FLOW_CURVE (find_widget (view, "FlowCurve", NULL));
  g_assert_cmpuint (flow_curve_get_n_series (curve), ==, 1);
  n_points = flow_curve_get_n_points (curve, 0);
  g_assert_cmpuint (n_points, >, 0);

  rows = gtk_column_view_get_model (GTK_COLUMN_VIEW (find_widget (view, "GtkColumnView", NULL)));
  gtk_selection_model_select_item (rows, 1, FALSE);
  drive_settle (f->window);
  g_assert_cmpuint (flow_curve_get_n_series (curve), ==, 2);
  gtk_range_set_value (GTK_RANGE (find_widget (view, "GtkScale", NULL)), 0.6);
  gtk_selection_model_select_item (rows, 0, TRUE);
  drive_settle (f->window);
  g_assert_cmpuint (flow_curve_get_n_series (curve), ==, 1);

  /* The same events once more behind themselves: a trainer that began again. */
  twice = g_malloc (2 * length);
  memcpy (twice, bytes, length);
  memcpy (twice + length, bytes, length);
  g_file_set_contents_full (path, twice, (gssize) (2 * length), G_FILE_SET_CONTENTS_NONE, 0666, &error);
  g_assert_no_error (error);
  end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
  while (flow_curve_get_n_series (curve) < 1 ||
         (flow_curve_get_n_points (curve, 0) <= n_points && g_get_monotonic_time () < end))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (flow_curve_get_n_points (curve, 0), >, n_points);
}

/* A file that is opened again is looked at as before. */
static void
test_reload (TestFolder    *f,
             gconstpointer  data)
{
  FlowCanvas *canvas = NULL;
  double x = 0;
  double y = 0;
  double zoom = 0;
  double x_after = 0;
  double y_after = 0;
  double zoom_after = 0;
  gint64 end = 0;

  open_loop (f);
  canvas = FLOW_CANVAS (find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL));
  drive_activate (f->window, "expand", "while");
  drive_activate (f->window, "toggle-breakpoint", "while/LoopCond");
  drive_activate (f->window, "select", "while/Less");
  drive_activate (f->window, "zoom-in", NULL);
  flow_canvas_get_view (canvas, &x, &y, &zoom);
  /* Whoever wrote the graph writes it again: that is said, and nothing is done unasked. */
  g_assert_null (find_label (GTK_WIDGET (f->window), "The file has changed"));
  test_folder_copy (f, "models/while_with_cond.pbtxt.gz", "loop.pbtxt.gz");
  end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  while (find_label (GTK_WIDGET (f->window), "The file has changed") == NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (find_label (GTK_WIDGET (f->window), "The file has changed"));
  drive_assert_state (f->window, "selection", "while/Less");
  drive_activate (f->window, "reload", NULL);
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "while/Less");
  g_assert_true (is_open (f, "while"));
  g_assert_cmpuint (g_list_model_get_n_items (flow_ui_session_get_breakpoints (flow_window_get_session (f->window))), ==, 1);
  flow_canvas_get_view (canvas, &x_after, &y_after, &zoom_after);
  g_assert_cmpfloat (zoom_after, ==, zoom);
  g_assert_cmpfloat_with_epsilon (x_after, x, 1.0);
  g_assert_cmpfloat_with_epsilon (y_after, y, 1.0);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add ("/ui/views/iterations", TestFolder, NULL, test_folder_set_up, test_iterations, test_folder_tear_down);
  g_test_add ("/ui/views/history-limit", TestFolder, NULL, test_folder_set_up, test_history_limit, test_folder_tear_down);
  g_test_add ("/ui/views/bodies", TestFolder, NULL, test_folder_set_up, test_bodies, test_folder_tear_down);
  g_test_add ("/ui/views/curves", TestFolder, NULL, test_folder_set_up, test_curves, test_folder_tear_down);
  g_test_add ("/ui/views/reload", TestFolder, NULL, test_folder_set_up, test_reload, test_folder_tear_down);
  g_test_add ("/ui/views/findings", TestFolder, NULL, test_folder_set_up, test_findings, test_folder_tear_down);
  g_test_add ("/ui/views/history-by-keys", TestFolder, NULL, test_folder_set_up, test_history_by_keys, test_folder_tear_down);
  g_test_add ("/ui/views/variable-menu", TestFolder, NULL, test_folder_set_up, test_variable_menu, test_folder_tear_down);
  g_test_add ("/ui/views/checkpoint-series", TestFolder, NULL, test_folder_set_up, test_checkpoint_series, test_folder_tear_down);

  return g_test_run ();
}
