/* flow-checkpoint-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-view.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "flow-format.h"
#include "flow-moments-pane.h"
#include "flow-series-pane.h"
#include "flow-restored-table.h"
#include "flow-table.h"
#include "flow-table-fit.h"
#include "flow-variant-rows.h"

/**
 * FlowCheckpointView:
 *
 * Restoring with comparison: which variables are restored and under which names, what each was before and
 * after, sorted by change; what is only in the graph, only in the file, what clashes, what stays without a
 * value; what each Saver leaves out; and all variables at any two moments.
 */
enum {
  PAGE_RESTORED,
  PAGE_MATCHED,
  PAGE_ONLY_GRAPH,
  PAGE_ONLY_FILE,
  PAGE_CLASHES,
  PAGE_UNINITIALIZED,
  PAGE_SAVERS,
  N_PAGES
};

struct _FlowCheckpointView
{
  FlowView parent_instance;

  /* template */
  GtkEntry *entry;
  GtkDropDown *kind;
  GtkWidget *result_bar;
  GtkLabel *summary;
  GtkLabel *problem;
  GtkStack *stack;

  /* owned */
  GListStore *stores[N_PAGES];
  GHashTable *left_out;      /* names that a person does not want restored */
  GHashTable *map;           /* name in the graph -> name in the file */
  char *restoring;

  /* borrowed */
  GtkColumnView *tables[N_PAGES];
  FlowMomentsPane *moments;
  FlowSeriesPane *series;
};

static const char *const page_names[N_PAGES] = {
  "restored", "matched", "only-graph", "only-file", "clashes", "uninitialized", "savers",
};

G_DEFINE_FINAL_TYPE (FlowCheckpointView, flow_checkpoint_view, FLOW_TYPE_VIEW)

/* Before anything was restored or matched: what to do here. */
static void
show_hint (FlowCheckpointView *self)
{
  gtk_label_set_text (self->summary, _("Match compares a checkpoint's names with the graph's; Restore shows what it changes"));
  gtk_widget_set_visible (GTK_WIDGET (self->summary), TRUE);
}

/* --- Cells --- */

static char *
key_text (GVariant *row,
          gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

static char *
count_text (GVariant *row,
            gpointer  data)
{
  g_auto(GStrv) names = flow_lookup_strv (row, data);

  return flow_format_count (g_strv_length (names));
}

static char *
list_text (GVariant *row,
           gpointer  data)
{
  g_auto(GStrv) names = flow_lookup_strv (row, data);

  return names[0] != NULL ? g_strjoinv (", ", names) : g_strdup (_("none"));
}

/* --- What is restored --- */

static const char *
item_name (GtkListItem *list_item)
{
  FlowVariantItem *item = gtk_list_item_get_item (list_item);

  return item != NULL ? flow_variant_item_get_string (item, "name") : NULL;
}

static FlowCheckpointView *
view_of (GtkListItem *list_item)
{
  return g_object_get_data (G_OBJECT (list_item), "flow-view");
}

static void
check_toggled_cb (GtkCheckButton *check,
                  GtkListItem    *list_item)
{
  FlowCheckpointView *self = view_of (list_item);
  const char *name = item_name (list_item);

  if (name == NULL || g_object_get_data (G_OBJECT (list_item), "flow-binding") != NULL)
    return;
  if (gtk_check_button_get_active (check))
    g_hash_table_remove (self->left_out, name);
  else
    g_hash_table_add (self->left_out, g_strdup (name));
}

static void
setup_check_cb (GtkSignalListItemFactory *factory,
                GtkListItem              *list_item,
                FlowCheckpointView       *self)
{
  GtkWidget *check = gtk_check_button_new ();

  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Restore this variable"),
                                  -1);
  g_object_set_data (G_OBJECT (list_item), "flow-view", self);
  g_signal_connect_object (check, "toggled", G_CALLBACK (check_toggled_cb), list_item, 0);
  gtk_list_item_set_child (list_item, check);
}

static void
bind_check_cb (GtkSignalListItemFactory *factory,
               GtkListItem              *list_item,
               FlowCheckpointView       *self)
{
  const char *name = item_name (list_item);

  g_object_set_data (G_OBJECT (list_item), "flow-binding", list_item);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (gtk_list_item_get_child (list_item)),
                               name != NULL && !g_hash_table_contains (self->left_out, name));
  g_object_set_data (G_OBJECT (list_item), "flow-binding", NULL);
}

static void
map_changed_cb (GtkEditable *editable,
                GtkListItem *list_item)
{
  FlowCheckpointView *self = view_of (list_item);
  const char *name = item_name (list_item);
  const char *text = gtk_editable_get_text (editable);

  if (name == NULL || g_object_get_data (G_OBJECT (list_item), "flow-binding") != NULL)
    return;
  if (text[0] != '\0')
    g_hash_table_insert (self->map, g_strdup (name), g_strdup (text));
  else
    g_hash_table_remove (self->map, name);
}

/* The nearest name is proposed by a click, never taken by itself. */
static void
propose_cb (GtkButton   *button,
            GtkListItem *list_item)
{
  FlowVariantItem *item = gtk_list_item_get_item (list_item);
  const char *nearest = item != NULL ? flow_variant_item_get_string (item, "nearest") : NULL;
  GtkWidget *entry = gtk_widget_get_prev_sibling (GTK_WIDGET (button));

  if (nearest != NULL)
    gtk_editable_set_text (GTK_EDITABLE (entry), nearest);
}

static void
setup_map_cb (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              FlowCheckpointView       *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *button = gtk_button_new_with_label (_("Take the Nearest"));

  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_add_css_class (entry, "flow-mono");
  gtk_widget_add_css_class (button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name in the file"), -1);
  g_object_set_data (G_OBJECT (list_item), "flow-view", self);
  g_signal_connect_object (entry, "changed", G_CALLBACK (map_changed_cb), list_item, 0);
  g_signal_connect_object (button, "clicked", G_CALLBACK (propose_cb), list_item, 0);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), button);
  gtk_list_item_set_child (list_item, box);
}

static void
bind_map_cb (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             FlowCheckpointView       *self)
{
  FlowVariantItem *item = gtk_list_item_get_item (list_item);
  const char *nearest = item != NULL ? flow_variant_item_get_string (item, "nearest") : NULL;
  GtkWidget *entry = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  GtkWidget *button = gtk_widget_get_next_sibling (entry);
  const char *mapped = item_name (list_item) != NULL ? g_hash_table_lookup (self->map, item_name (list_item)) : NULL;

  g_object_set_data (G_OBJECT (list_item), "flow-binding", list_item);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), nearest != NULL ? nearest : _("no name like it"));
  gtk_editable_set_text (GTK_EDITABLE (entry), mapped != NULL ? mapped : "");
  gtk_widget_set_visible (button, nearest != NULL);
  g_object_set_data (G_OBJECT (list_item), "flow-binding", NULL);
}

static void
add_column (FlowCheckpointView *self,
            guint               page,
            const char         *title,
            int                 width,
            GCallback           setup,
            GCallback           bind)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr(GtkColumnViewColumn) column = NULL;

  g_signal_connect_object (factory, "setup", setup, self, 0);
  g_signal_connect_object (factory, "bind", bind, self, 0);
  column = gtk_column_view_column_new (title, factory);
  if (width > 0)
    gtk_column_view_column_set_fixed_width (column, width);
  gtk_column_view_append_column (self->tables[page], column);
  flow_table_fit_around (self->tables[page], column);
}

/* --- Which checkpoint --- */

/* What a person types is beside the graph, as where a checkpoint is chosen. Returns: (transfer full) */
static char *
dup_absolute (FlowCheckpointView *self,
              const char         *text)
{
  const char *path = flow_ui_session_get_path (flow_view_get_session (FLOW_VIEW (self)));
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  return text[0] != '\0' && folder != NULL ? g_canonicalize_filename (text, folder) : g_strdup (text);
}

/* Returns: (transfer full) (nullable): the checkpoint that is meant */
static char *
dup_prefix (FlowCheckpointView *self)
{
  g_autofree char *file = dup_absolute (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  if (file[0] == '\0')
    return NULL;
  if (gtk_widget_get_visible (GTK_WIDGET (self->kind)) && gtk_drop_down_get_selected (self->kind) == 1)
    return g_strconcat (file, ":v1", NULL);
  return g_steal_pointer (&file);
}

/* --- Pages --- */

/* The value of a row: what a restore did to it, element for element, else what it is now. */
static void
activate_cb (GtkColumnView      *table,
             guint               position,
             FlowCheckpointView *self)
{
  const char *name = flow_lookup_string (flow_table_get_selected (table), "name");
  g_autofree char *text = NULL;

  if (name == NULL)
    return;
  if (table == self->tables[PAGE_RESTORED])
    {
      text = g_strdup_printf ("var:%s before-restore", name);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.compare-value", "s", text);
    }
  else if (table == self->tables[PAGE_ONLY_FILE])
    {
      g_autofree char *prefix = dup_prefix (self);

      text = g_strdup_printf ("file:%s#%s", prefix, name);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-value", "s", text);
    }
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", name);
}

static void
add_page (FlowCheckpointView    *self,
          guint                  page,
          const char            *title,
          const FlowTableColumn *columns,
          const gpointer        *data,
          guint                  n_columns)
{
  self->stores[page] = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->tables[page] = page == PAGE_RESTORED ? flow_restored_table_new (self->stores[page])
                                             : flow_table_new (self->stores[page], columns, data, n_columns);
  g_signal_connect_object (self->tables[page], "activate", G_CALLBACK (activate_cb), self, 0);
  gtk_stack_add_titled (self->stack, flow_table_scrolled (self->tables[page], title), page_names[page], title);
}

static void
add_pages (FlowCheckpointView *self)
{
  const FlowTableColumn names[] = {
    { _("Variable"), key_text, NULL, "name", -1, 0, TRUE },
  };
  const FlowTableColumn clashes[] = {
    { _("Variable"), key_text, NULL, "name", -1, 0, TRUE },
    { _("In the graph"), key_text, NULL, "graph", 240, 0, TRUE },
    { _("In the file"), key_text, NULL, "file", 240, 0, TRUE },
  };
  const FlowTableColumn savers[] = {
    { _("Saver"), key_text, NULL, "name", 200, 0, TRUE },
    { _("Saves"), count_text, NULL, NULL, 70, 0, TRUE },
    { _("Leaves out"), count_text, NULL, NULL, 90, 0, TRUE },
    { _("Variables it leaves out"), list_text, NULL, NULL, -1, 0, TRUE },
  };
  const gpointer name[] = { (gpointer) "name" };
  const gpointer clash_keys[] = { (gpointer) "name", (gpointer) "graph", (gpointer) "file" };
  const gpointer saver_keys[] = { (gpointer) "name", (gpointer) "saved", (gpointer) "left_out", (gpointer) "left_out" };

  add_page (self, PAGE_RESTORED, _("Restored"), NULL, NULL, 0);
  add_page (self, PAGE_MATCHED, _("In both"), names, name, G_N_ELEMENTS (names));
  add_page (self, PAGE_ONLY_GRAPH, _("Only in graph"), names, name, G_N_ELEMENTS (names));
  add_page (self, PAGE_ONLY_FILE, _("Only in file"), names, name, G_N_ELEMENTS (names));
  add_page (self, PAGE_CLASHES, _("Clashes"), clashes, clash_keys, G_N_ELEMENTS (clashes));
  add_page (self, PAGE_UNINITIALIZED, _("No value"), names, name, G_N_ELEMENTS (names));
  add_page (self, PAGE_SAVERS, _("Savers"), savers, saver_keys, G_N_ELEMENTS (savers));
  add_column (self, PAGE_MATCHED, _("Restore"), 80, G_CALLBACK (setup_check_cb), G_CALLBACK (bind_check_cb));
  add_column (self, PAGE_ONLY_GRAPH, _("Name in the file"), 0, G_CALLBACK (setup_map_cb), G_CALLBACK (bind_map_cb));
  self->moments = g_object_new (FLOW_TYPE_MOMENTS_PANE, NULL);
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->moments), "moments", _("Two moments"));
  self->series = g_object_new (FLOW_TYPE_SERIES_PANE, NULL);
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->series), "series", _("Series"));
}

static void
set_page (FlowCheckpointView *self,
          guint               page,
          const char         *title,
          GVariant           *rows)
{
  g_autoptr(GVariant) sunk = g_variant_ref_sink (rows);
  guint n = (guint) g_variant_n_children (sunk);
  g_autofree char *text = n > 0 ? g_strdup_printf ("%s  %u", title, n) : g_strdup (title);
  GtkStackPage *stack_page =
    gtk_stack_get_page (self->stack, gtk_stack_get_child_by_name (self->stack, page_names[page]));

  /* Rows that change in place are not sorted anew. */
  if (page == PAGE_RESTORED)
    g_list_store_remove_all (self->stores[page]);
  flow_variant_store_update (self->stores[page], sunk, "name");
  gtk_stack_page_set_title (stack_page, text);
  gtk_stack_page_set_needs_attention (stack_page, page == PAGE_CLASHES && n > 0);
}

/* @nearest: (nullable): a{ss} */
static GVariant *
name_rows (char    **names,
           GVariant *nearest)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *near_name = NULL;

      g_variant_builder_open (&builder, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&builder, "{sv}", "name", g_variant_new_string (names[i]));
      if (nearest != NULL && g_variant_lookup (nearest, names[i], "&s", &near_name))
        g_variant_builder_add (&builder, "{sv}", "nearest", g_variant_new_string (near_name));
      g_variant_builder_close (&builder);
    }
  return g_variant_builder_end (&builder);
}

static void
show_problem (FlowCheckpointView *self,
              const char         *text)
{
  gtk_label_set_text (self->problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), text != NULL);
}

/* --- Asking --- */

static void
match_answer_cb (GObject           *owner,
                 FlowDebuggerReply *reply,
                 const GError      *error,
                 gpointer           data)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (owner);
  g_autoptr(GVariant) dict = NULL;
  g_autoptr(GVariant) clashes = NULL;
  g_autoptr(GVariant) nearest = NULL;
  g_auto(GStrv) matched = NULL;
  g_auto(GStrv) only_graph = NULL;
  g_auto(GStrv) only_file = NULL;

  if (error != NULL)
    {
      show_problem (self, error->message);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  dict = g_variant_get_child_value (reply->value, 0);
  matched = flow_lookup_strv (dict, "matched");
  only_graph = flow_lookup_strv (dict, "only_graph");
  only_file = flow_lookup_strv (dict, "only_file");
  nearest = g_variant_lookup_value (dict, "nearest", G_VARIANT_TYPE ("a{ss}"));
  clashes = g_variant_lookup_value (dict, "clashes", G_VARIANT_TYPE ("aa{sv}"));
  set_page (self, PAGE_MATCHED, _("In both"), name_rows (matched, NULL));
  set_page (self, PAGE_ONLY_GRAPH, _("Only in graph"), name_rows (only_graph, nearest));
  set_page (self, PAGE_ONLY_FILE, _("Only in file"), name_rows (only_file, NULL));
  set_page (self, PAGE_CLASHES, _("Clashes"),
            clashes != NULL ? clashes : g_variant_new ("aa{sv}", NULL));
  if (g_list_model_get_n_items (G_LIST_MODEL (self->stores[PAGE_RESTORED])) == 0)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->summary), FALSE);
      gtk_stack_set_visible_child_name (self->stack, page_names[PAGE_MATCHED]);
    }
}

/* Whether there are two checkpoints of one name: then a person says which. */
static void
update_kind (FlowCheckpointView *self)
{
  g_autofree char *file = dup_absolute (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  g_autofree char *index = g_strconcat (file, ".index", NULL);

  gtk_widget_set_visible (GTK_WIDGET (self->kind),
                          file[0] != '\0' && g_file_test (file, G_FILE_TEST_IS_REGULAR) &&
                            g_file_test (index, G_FILE_TEST_IS_REGULAR));
}

static void
entry_changed_cb (FlowCheckpointView *self)
{
  update_kind (self);
}

static void
ask_match (FlowCheckpointView *self,
           const char         *prefix)
{
  show_problem (self, NULL);
  flow_ui_session_query (flow_view_get_session (FLOW_VIEW (self)), self, "match",
                         "MatchCheckpoint", g_variant_new ("(s)", prefix), match_answer_cb, NULL);
}

static void
match_cb (FlowCheckpointView *self)
{
  g_autofree char *prefix = dup_prefix (self);

  if (prefix != NULL)
    ask_match (self, prefix);
}

/* Returns: (transfer full) (nullable): those of the variables that have no value, aa{sv} */
static gpointer
pick_uninitialized (GVariant *answer)
{
  g_autoptr(GVariant) rows = NULL;
  GVariantBuilder builder;
  GVariantIter iter;
  GVariant *row = NULL;

  if (!g_variant_is_of_type (answer, G_VARIANT_TYPE ("(aa{sv})")))
    return NULL;
  rows = g_variant_get_child_value (answer, 0);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_iter_init (&iter, rows);
  while (g_variant_iter_loop (&iter, "@a{sv}", &row))
    if (!flow_lookup_bool (row, "initialized"))
      g_variant_builder_add_value (&builder, row);
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static void
uninitialized_cb (GObject           *owner,
                  FlowDebuggerReply *reply,
                  const GError      *error,
                  gpointer           data)
{
  if (data != NULL)
    set_page (FLOW_CHECKPOINT_VIEW (owner), PAGE_UNINITIALIZED, _("No value"), data);
}

static void
savers_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  g_autoptr(GVariant) rows = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  set_page (FLOW_CHECKPOINT_VIEW (owner), PAGE_SAVERS, _("Savers"), rows);
}

static void
flow_checkpoint_view_refresh (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  if (flow_ui_session_get_graph (session) == NULL)
    return;
  flow_ui_session_query_digested (session, view, "variables", "Variables", NULL, pick_uninitialized,
                                  (GDestroyNotify) g_variant_unref, uninitialized_cb);
  flow_ui_session_query (session, view, "savers", "Savers", NULL, savers_cb, NULL);
}

static void
restored_cb (GObject           *owner,
             FlowDebuggerReply *reply,
             const GError      *error,
             gpointer           data)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (owner);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  g_autoptr(GVariant) rows = NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  guint n_changed = 0;
  guint n = 0;

  if (error != NULL)
    {
      show_problem (self, error->message);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  n = (guint) g_variant_n_children (rows);
  n_changed = flow_restored_count_changed (rows);
  set_page (self, PAGE_RESTORED, _("Restored"), rows);
  name = g_path_get_basename (self->restoring);
  text = g_strdup_printf (ngettext ("%u of %u variable changed by %s", "%u of %u variables changed by %s", n), n_changed, n, name);
  gtk_label_set_text (self->summary, text);
  gtk_widget_set_visible (GTK_WIDGET (self->summary), TRUE);
  gtk_stack_set_visible_child_name (self->stack, page_names[PAGE_RESTORED]);
  flow_ui_session_values_written (session);
  ask_match (self, self->restoring);
}

static GVariant *
map_variant (FlowCheckpointView *self)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_hash_table_iter_init (&iter, self->map);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_variant_builder_add (&builder, "{ss}", (const char *) key, (const char *) value);
  return g_variant_builder_end (&builder);
}

/* Returns: (transfer full): what is restored, where not everything is: NULL-terminated, empty for all */
static char **
dup_only (FlowCheckpointView *self)
{
  GListModel *matched = G_LIST_MODEL (self->stores[PAGE_MATCHED]);
  GStrvBuilder *builder = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer key = NULL;
  char **only = NULL;

  for (guint i = 0; g_hash_table_size (self->left_out) > 0 && i < g_list_model_get_n_items (matched); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (matched, i);
      const char *name = flow_variant_item_get_string (item, "name");

      if (name != NULL && !g_hash_table_contains (self->left_out, name))
        g_strv_builder_add (builder, name);
    }
  g_hash_table_iter_init (&iter, self->map);
  while (g_hash_table_size (self->left_out) > 0 && g_hash_table_iter_next (&iter, &key, NULL))
    g_strv_builder_add (builder, key);
  only = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return only;
}

/* Restores @prefix in the session and shows what it changed. */
void
flow_checkpoint_view_restore (FlowCheckpointView *self,
                              const char         *prefix)
{
  g_auto(GStrv) only = NULL;
  g_autofree char *absolute = NULL;
  g_autofree char *file = NULL;
  gboolean is_v1 = FALSE;

  g_return_if_fail (FLOW_IS_CHECKPOINT_VIEW (self));

  only = dup_only (self);
  absolute = dup_absolute (self, prefix);
  is_v1 = g_str_has_suffix (absolute, ":v1");
  file = g_strndup (absolute, strlen (absolute) - (is_v1 ? strlen (":v1") : 0));
  g_free (self->restoring);
  self->restoring = g_strdup (absolute);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), file);
  update_kind (self);
  gtk_drop_down_set_selected (self->kind, is_v1 ? 1 : 0);
  show_problem (self, NULL);
  flow_ui_session_command (flow_view_get_session (FLOW_VIEW (self)), NULL, "RestoreCheckpoint",
                           g_variant_new ("(s@a{ss}@as)", absolute, map_variant (self),
                                          g_variant_new_strv ((const char *const *) only, -1)),
                           NULL, self, restored_cb, NULL);
}

static void
restore_cb (FlowCheckpointView *self)
{
  g_autofree char *prefix = dup_prefix (self);

  if (prefix != NULL)
    flow_checkpoint_view_restore (self, prefix);
}

/* --- As a run --- */

static void
add_map_json (FlowCheckpointView *self,
              JsonBuilder        *builder)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  json_builder_set_member_name (builder, "map");
  json_builder_begin_object (builder);
  g_hash_table_iter_init (&iter, self->map);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      json_builder_set_member_name (builder, key);
      json_builder_add_string_value (builder, value);
    }
  json_builder_end_object (builder);
}

/* The restore as an entry of the run list, name map and choice with it: it is saved with the run file. */
static void
keep_cb (FlowCheckpointView *self)
{
  g_autofree char *prefix = dup_prefix (self);
  g_autoptr(JsonBuilder) builder = NULL;
  g_autoptr(JsonNode) root = NULL;
  g_autofree char *base = NULL;
  g_autofree char *name = NULL;
  g_autofree char *json = NULL;
  g_auto(GStrv) only = NULL;

  if (prefix == NULL)
    return;
  builder = json_builder_new ();
  base = g_path_get_basename (prefix);
  name = g_strdup_printf ("restore %s", base);
  only = dup_only (self);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, name);
  json_builder_set_member_name (builder, "restore");
  json_builder_add_string_value (builder, prefix);
  if (g_hash_table_size (self->map) > 0)
    add_map_json (self, builder);
  if (only[0] != NULL)
    {
      json_builder_set_member_name (builder, "only");
      json_builder_begin_array (builder);
      for (guint i = 0; only[i] != NULL; i++)
        json_builder_add_string_value (builder, only[i]);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = flow_json_mend_numbers (json_to_string (root, FALSE));
  flow_ui_session_command (flow_view_get_session (FLOW_VIEW (self)), _("The restore could not be kept as a run"),
                           "SetRun", g_variant_new ("(s)", json), NULL, NULL, NULL, NULL);
}

/* Shows all variables at two moments; ids of the debugger's method Moments. */
void
flow_checkpoint_view_compare (FlowCheckpointView *self,
                              const char         *a,
                              const char         *b)
{
  g_return_if_fail (FLOW_IS_CHECKPOINT_VIEW (self));

  gtk_stack_set_visible_child_name (self->stack, "moments");
  flow_moments_pane_compare (self->moments, a, b);
}

/* @paths: folders with checkpoints, or checkpoints in their order: how far variables went from each to the next. */
void
flow_checkpoint_view_series (FlowCheckpointView *self,
                             const char *const  *paths)
{
  g_return_if_fail (FLOW_IS_CHECKPOINT_VIEW (self));

  gtk_stack_set_visible_child_name (self->stack, "series");
  flow_series_pane_show (self->series, paths);
}

static void
flow_checkpoint_view_setup (FlowView *view)
{
  flow_view_set_session (FLOW_VIEW (FLOW_CHECKPOINT_VIEW (view)->moments), flow_view_get_session (view));
  flow_view_set_session (FLOW_VIEW (FLOW_CHECKPOINT_VIEW (view)->series), flow_view_get_session (view));
}

static void
flow_checkpoint_view_graph_changed (FlowView *view)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (view);

  for (guint i = 0; i < N_PAGES; i++)
    g_list_store_remove_all (self->stores[i]);
  g_hash_table_remove_all (self->left_out);
  g_hash_table_remove_all (self->map);
  show_hint (self);
  show_problem (self, NULL);
}

static void
flow_checkpoint_view_dispose (GObject *object)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (object);

  for (guint i = 0; i < N_PAGES; i++)
    {
      if (self->tables[i] != NULL)
        gtk_column_view_set_model (self->tables[i], NULL);
      self->tables[i] = NULL;
      g_clear_object (&self->stores[i]);
    }
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_CHECKPOINT_VIEW);

  G_OBJECT_CLASS (flow_checkpoint_view_parent_class)->dispose (object);
}

static void
flow_checkpoint_view_finalize (GObject *object)
{
  FlowCheckpointView *self = FLOW_CHECKPOINT_VIEW (object);

  g_free (self->restoring);
  g_hash_table_unref (self->left_out);
  g_hash_table_unref (self->map);

  G_OBJECT_CLASS (flow_checkpoint_view_parent_class)->finalize (object);
}

static void
flow_checkpoint_view_class_init (FlowCheckpointViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_checkpoint_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_checkpoint_view_finalize;
  FLOW_VIEW_CLASS (klass)->setup = flow_checkpoint_view_setup;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_checkpoint_view_graph_changed;
  FLOW_VIEW_CLASS (klass)->refresh = flow_checkpoint_view_refresh;

  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/checkpoint/flow-checkpoint-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, entry);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, kind);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, result_bar);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, summary);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, problem);
  gtk_widget_class_bind_template_child (widget_class, FlowCheckpointView, stack);
  gtk_widget_class_bind_template_callback (widget_class, match_cb);
  gtk_widget_class_bind_template_callback (widget_class, restore_cb);
  gtk_widget_class_bind_template_callback (widget_class, keep_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_changed_cb);
}

static void
flow_checkpoint_view_init (FlowCheckpointView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->left_out = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->map = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  add_pages (self);
  show_hint (self);
}
