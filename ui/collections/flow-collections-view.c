/* flow-collections-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-collections-view.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-state-dot.h"
#include "flow-tab-stop.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowCollectionsView:
 *
 * All collections of the graph, their items decoded. UPDATE_OPS say whether the chosen run executes
 * them.
 */
struct _FlowCollectionsView
{
  FlowView parent_instance;

  /* template */
  GtkWidget *banner;
  GtkLabel *banner_label;
  GtkListView *list;

  /* owned */
  GtkTreeListModel *tree;
  GtkSingleSelection *selection;
  GHashTable *executed;          /* names of UPDATE_OPS that the chosen run executes */
  GHashTable *skipped;
  char *search;

  guint search_source;
};

/* Typing pauses this long before the tree is made again. */
#define SEARCH_DELAY_MS 120

G_DEFINE_FINAL_TYPE (FlowCollectionsView, flow_collections_view, FLOW_TYPE_VIEW)

/* --- Models --- */

static FlowVariantItem *
new_row (const char *key,
         const char *text,
         const char *full,
         const char *node,
         const char *problem,
         guint       count)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  if (key != NULL)
    g_variant_dict_insert (&dict, "key", "s", key);
  g_variant_dict_insert (&dict, "text", "s", text);
  g_variant_dict_insert (&dict, "full", "s", full);
  if (node != NULL)
    g_variant_dict_insert (&dict, "node", "s", node);
  if (problem != NULL)
    g_variant_dict_insert (&dict, "problem", "s", problem);
  g_variant_dict_insert (&dict, "count", "u", count);
  return flow_variant_item_new (g_variant_dict_end (&dict));
}

static gboolean
matches (FlowCollectionsView *self,
         const char          *text)
{
  g_autofree char *folded = NULL;

  if (self->search == NULL)
    return TRUE;
  folded = g_utf8_casefold (text, -1);
  return strstr (folded, self->search) != NULL;
}

/* What a message is called by that says many things; the rest is in its tooltip. Returns: (nullable) */
static const char *
find_title (const FlowCollectionItem *item)
{
  static const char *const fields[] = { "variable_name", "queue_name", "context_name", "filename_tensor_name" };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *title = flow_collection_item_get_text (item, fields[i]);

      if (title != NULL && title[0] != '\0')
        return title;
    }
  return NULL;
}

/* Returns: (transfer full): a field of a message a line; what is no message as it is */
static char *
describe (const FlowCollectionItem *item)
{
  g_autofree char *text = NULL;
  GString *lines = g_string_new (NULL);
  GVariantIter iter;
  const char *field = NULL;
  GVariant *value = NULL;

  if (item->fields == NULL || !g_variant_is_of_type (item->fields, G_VARIANT_TYPE_VARDICT))
    {
      text = flow_collection_item_to_string (item);
      g_string_free (lines, TRUE);
      return g_utf8_make_valid (text, -1);
    }
  g_variant_iter_init (&iter, item->fields);
  while (g_variant_iter_loop (&iter, "{&sv}", &field, &value))
    {
      g_autofree char *said = g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string (value, NULL)
                                                                                   : g_variant_print (value, FALSE);

      g_string_append_printf (lines, "%s%s: %s", lines->len > 0 ? "\n" : "", field, said);
    }
  text = g_string_free (lines, FALSE);
  return g_utf8_make_valid (text, -1);
}

static GListModel *
create_items_cb (gpointer object,
                 gpointer data)
{
  FlowCollectionsView *self = data;
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  const char *key = flow_variant_item_get_string (object, "key");
  GListStore *store = NULL;
  GPtrArray *items = NULL;

  if (key == NULL || graph == NULL)
    return NULL;
  store = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  items = flow_graph_get_collection (graph, key);
  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      const FlowCollectionItem *item = g_ptr_array_index (items, i);
      g_autofree char *text = find_title (item) != NULL ? g_strdup (find_title (item)) : flow_collection_item_to_string (item);
      g_autofree char *valid = g_utf8_make_valid (text, -1);
      g_autofree char *full = describe (item);
      g_autoptr(FlowVariantItem) row = NULL;

      if (!matches (self, full) && !matches (self, key))
        continue;
      row = new_row (NULL, valid, full, item->name, item->problem, 0);
      g_list_store_append (store, row);
    }
  return G_LIST_MODEL (store);
}

static gboolean
any_item_matches (FlowCollectionsView *self,
                  GPtrArray           *items)
{
  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      const FlowCollectionItem *item = g_ptr_array_index (items, i);

      if (item->name != NULL && matches (self, item->name))
        return TRUE;
    }
  return FALSE;
}

static void
selected_cb (GtkSingleSelection  *selection,
             GParamSpec          *pspec,
             FlowCollectionsView *self)
{
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (selection);
  g_autoptr(FlowVariantItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
  const char *node = item != NULL ? flow_variant_item_get_string (item, "node") : NULL;

  if (node != NULL)
    flow_ui_session_select_name (flow_view_get_session (FLOW_VIEW (self)), node);
}

static void
fill (FlowCollectionsView *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  GListStore *keys = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  guint n = graph != NULL ? flow_graph_get_n_collections (graph) : 0;

  for (guint i = 0; i < n; i++)
    {
      const char *key = flow_graph_get_collection_key (graph, i);
      GPtrArray *items = flow_graph_get_collection (graph, key);
      g_autoptr(FlowVariantItem) row = NULL;

      if (!matches (self, key) && !any_item_matches (self, items))
        continue;
      row = new_row (key, key, key, NULL, NULL, items != NULL ? items->len : 0);
      g_list_store_append (keys, row);
    }
  gtk_list_view_set_model (self->list, NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->tree);
  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (keys), FALSE, self->search != NULL,
                                        create_items_cb, self, NULL);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->tree)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (selected_cb), self, 0);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
}

/* --- Rows --- */

static void
setup_row_cb (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              FlowCollectionsView      *self)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *text = gtk_label_new (NULL);
  GtkWidget *detail = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_widget_add_css_class (detail, "dim-label");
  gtk_box_append (GTK_BOX (box), flow_state_dot_new ());
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), detail);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (list_item, expander);
}

static const char *
update_op_text (FlowCollectionsView *self,
                const char          *node)
{
  if (node == NULL)
    return NULL;
  if (self->executed != NULL && g_hash_table_contains (self->executed, node))
    return _("executed");
  if (self->skipped != NULL && g_hash_table_contains (self->skipped, node))
    return _("skipped");
  return NULL;
}

static gboolean
is_update_op_row (GtkTreeListRow *row)
{
  g_autoptr(GtkTreeListRow) parent = gtk_tree_list_row_get_parent (row);
  g_autoptr(FlowVariantItem) item = NULL;

  if (parent == NULL)
    return FALSE;
  item = gtk_tree_list_row_get_item (parent);
  return g_strcmp0 (flow_variant_item_get_string (item, "key"), "update_ops") == 0;
}

static void
bind_row_cb (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             FlowCollectionsView      *self)
{
  GtkTreeListRow *row = gtk_list_item_get_item (list_item);
  g_autoptr(FlowVariantItem) item = gtk_tree_list_row_get_item (row);
  GtkWidget *expander = gtk_list_item_get_child (list_item);
  GtkWidget *box = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander));
  GtkWidget *dot = gtk_widget_get_first_child (box);
  GtkWidget *text = gtk_widget_get_next_sibling (dot);
  GtkWidget *detail = gtk_widget_get_last_child (box);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  GVariant *value = flow_variant_item_get_value (item);
  const char *node = flow_lookup_string (value, "node");
  const char *problem = flow_lookup_string (value, "problem");
  guint32 op = node != NULL && graph != NULL ? flow_graph_find_op (graph, node) : FLOW_NODE_NONE;
  g_autofree char *count = flow_format_count ((guint64) flow_lookup_int (value, "count", 0));
  g_autofree char *spoken = NULL;

  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), row);
  gtk_label_set_text (GTK_LABEL (text), flow_lookup_string (value, "text"));
  flow_tooltip_set (expander, problem != NULL ? problem : flow_lookup_string (value, "full"));
  gtk_widget_set_visible (dot, node != NULL);
  if (op != FLOW_NODE_NONE)
    flow_state_dot_set_state (FLOW_STATE_DOT (dot), flow_ui_session_get_node_state (session, op));
  if (flow_lookup_has (value, "key"))
    gtk_label_set_text (GTK_LABEL (detail), count);
  else
    gtk_label_set_text (GTK_LABEL (detail),
                        is_update_op_row (row) ? update_op_text (self, node)
                                               : problem != NULL ? _("missing") : "");
  spoken = g_strdup_printf ("%s, %s", gtk_label_get_text (GTK_LABEL (text)), gtk_label_get_text (GTK_LABEL (detail)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
unbind_row_cb (GtkSignalListItemFactory *factory,
               GtkListItem              *list_item,
               FlowCollectionsView      *self)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)), NULL);
}

static void
activate_cb (FlowCollectionsView *self,
             guint                position,
             GtkListView         *list)
{
  g_autoptr(GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr(FlowVariantItem) item = gtk_tree_list_row_get_item (row);
  const char *node = flow_variant_item_get_string (item, "node");

  if (node != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", node);
  else
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
}

/* --- View --- */

static GHashTable *
name_set (GVariant   *plan,
          const char *key)
{
  g_auto(GStrv) names = flow_lookup_strv (plan, key);
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_add (set, g_strdup (names[i]));
  return set;
}

/* The open collections stay open: rows in view are drawn anew. */
static void
flow_collections_view_plan_changed (FlowView *view)
{
  FlowCollectionsView *self = FLOW_COLLECTIONS_VIEW (view);
  FlowUiSession *session = flow_view_get_session (view);
  GVariant *plan = flow_ui_session_get_plan (session);
  const char *run = flow_ui_session_get_chosen_run (session);
  guint n_executed = 0;
  guint n_skipped = 0;
  g_autofree char *text = NULL;

  g_clear_pointer (&self->executed, g_hash_table_unref);
  g_clear_pointer (&self->skipped, g_hash_table_unref);
  self->executed = name_set (plan, "update_ops_executed");
  self->skipped = name_set (plan, "update_ops_skipped");
  n_executed = g_hash_table_size (self->executed);
  n_skipped = g_hash_table_size (self->skipped);
  gtk_widget_set_visible (self->banner, n_skipped > 0);
  text = g_strdup_printf (_("%u of %u UPDATE_OPS run in “%s”"), n_executed, n_executed + n_skipped,
                          run != NULL ? run : "");
  gtk_label_set_text (self->banner_label, text);
  if (self->list != NULL && self->selection != NULL)
    {
      gtk_list_view_set_model (self->list, NULL);
      gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
    }
}

static void
flow_collections_view_graph_changed (FlowView *view)
{
  fill (FLOW_COLLECTIONS_VIEW (view));
}

static gboolean
search_cb (gpointer data)
{
  FlowCollectionsView *self = data;

  self->search_source = 0;
  fill (self);
  return G_SOURCE_REMOVE;
}

void
flow_collections_view_set_search (FlowCollectionsView *self,
                                  const char          *text)
{
  g_return_if_fail (FLOW_IS_COLLECTIONS_VIEW (self));

  g_clear_pointer (&self->search, g_free);
  if (text != NULL && text[0] != '\0')
    self->search = g_utf8_casefold (text, -1);
  g_clear_handle_id (&self->search_source, g_source_remove);
  self->search_source = g_timeout_add (SEARCH_DELAY_MS, search_cb, self);
}

/* Opens the collection @key and scrolls to it. */
void
flow_collections_view_show (FlowCollectionsView *self,
                            const char          *key)
{
  guint n = 0;

  g_return_if_fail (FLOW_IS_COLLECTIONS_VIEW (self));

  n = self->selection != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->selection)) : 0;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), i);
      g_autoptr(FlowVariantItem) item = gtk_tree_list_row_get_item (row);

      if (g_strcmp0 (flow_variant_item_get_string (item, "key"), key) != 0)
        continue;
      gtk_tree_list_row_set_expanded (row, TRUE);
      gtk_single_selection_set_selected (self->selection, i);
      gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", i);
      return;
    }
}

static void
flow_collections_view_dispose (GObject *object)
{
  FlowCollectionsView *self = FLOW_COLLECTIONS_VIEW (object);

  g_clear_handle_id (&self->search_source, g_source_remove);
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->tree);
  g_clear_pointer (&self->executed, g_hash_table_unref);
  g_clear_pointer (&self->skipped, g_hash_table_unref);
  g_clear_pointer (&self->search, g_free);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_COLLECTIONS_VIEW);

  G_OBJECT_CLASS (flow_collections_view_parent_class)->dispose (object);
}

static void
flow_collections_view_class_init (FlowCollectionsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_collections_view_dispose;
  FLOW_VIEW_CLASS (klass)->graph_changed = flow_collections_view_graph_changed;
  FLOW_VIEW_CLASS (klass)->plan_changed = flow_collections_view_plan_changed;

  g_type_ensure (FLOW_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/collections/flow-collections-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowCollectionsView, banner);
  gtk_widget_class_bind_template_child (widget_class, FlowCollectionsView, banner_label);
  gtk_widget_class_bind_template_child (widget_class, FlowCollectionsView, list);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
flow_collections_view_init (FlowCollectionsView *self)
{
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_row_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_row_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_row_cb), self, 0);
  gtk_list_view_set_factory (self->list, factory);
}
