/* flow-outline-row.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-outline-row.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-state-dot.h"
#include "flow-variant-item.h"

/**
 * FlowOutlineRow:
 *
 * A node or a scope in the outline: state, name, and what it is.
 */
struct _FlowOutlineRow
{
  GtkWidget parent_instance;

  /* owned */
  FlowUiSession *session;
  FlowOutlineItem *item;
  GtkWidget *expander;

  /* borrowed from the expander */
  GtkWidget *dot;
  GtkWidget *name;
  GtkWidget *mark;
  GtkWidget *detail;
};

G_DEFINE_FINAL_TYPE (FlowOutlineRow, flow_outline_row, GTK_TYPE_WIDGET)

static gboolean
has_breakpoint (FlowOutlineRow *self,
                guint32         node)
{
  GListModel *model = flow_ui_session_get_breakpoints (self->session);

  for (guint i = 0; node != FLOW_NODE_NONE && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);

      if (flow_lookup_int (flow_variant_item_get_value (item), "node", -1) == (gint64) node)
        return TRUE;
    }
  return FALSE;
}

/* What stands at the right: a scope's number of nodes, a node's type, or what the run does to it. */
static char *
make_detail (FlowOutlineRow *self,
             guint8          state)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  guint32 node = flow_outline_item_get_node (self->item);
  guint32 scope = flow_outline_item_get_scope (self->item);
  gboolean has_plan = flow_ui_session_get_plan (self->session) != NULL;

  if (node == FLOW_NODE_NONE)
    return has_plan && state == FLOW_NODE_NOT_IN_RUN
             ? g_strdup (_("pruned"))
             : flow_format_count (flow_graph_get_scope_total (graph, scope));
  if (state == FLOW_NODE_FED)
    return g_strdup (_("fed"));
  return g_strdup (flow_graph_get_node_type (graph, node));
}

static void
update (FlowOutlineRow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  guint32 node = 0;
  guint32 scope = 0;
  guint8 state = 0;
  const char *name = NULL;
  const char *full = NULL;
  g_autofree char *detail = NULL;
  g_autofree char *description = NULL;
  g_autofree char *markup = NULL;

  if (self->item == NULL || graph == NULL)
    return;
  node = flow_outline_item_get_node (self->item);
  scope = flow_outline_item_get_scope (self->item);
  if (node != FLOW_NODE_NONE)
    {
      if (node >= flow_graph_get_n_nodes (graph))
        return;
      state = flow_ui_session_get_node_state (self->session, node);
      name = flow_graph_get_node_leaf (graph, node);
      full = flow_graph_get_node_name (graph, node);
    }
  else
    {
      state = flow_ui_session_get_node_states (self->session) == NULL
                ? FLOW_NODE_PENDING
                : flow_scope_states_get_state (flow_ui_session_get_scope_states (self->session),
                                               scope);
      name = flow_graph_get_scope_leaf (graph, scope);
      full = flow_graph_get_scope_path (graph, scope);
    }
  detail = make_detail (self, state);
  gtk_label_set_text (GTK_LABEL (self->name), flow_outline_item_is_hit (self->item) ? full : name);
  gtk_label_set_text (GTK_LABEL (self->detail), detail);
  flow_state_dot_set_state (FLOW_STATE_DOT (self->dot), state);
  gtk_widget_set_visible (self->mark, has_breakpoint (self, node));
  if (state == FLOW_NODE_NOT_IN_RUN)
    gtk_widget_add_css_class (self->name, "dim-label");
  else
    gtk_widget_remove_css_class (self->name, "dim-label");
  description = g_strdup_printf ("%s, %s, %s", full, detail, flow_node_state_title (state));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), full);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  description, -1);
}

static void
flow_outline_row_dispose (GObject *object)
{
  FlowOutlineRow *self = FLOW_OUTLINE_ROW (object);

  g_clear_pointer (&self->expander, gtk_widget_unparent);
  g_clear_object (&self->item);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (flow_outline_row_parent_class)->dispose (object);
}

static void
flow_outline_row_class_init (FlowOutlineRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_outline_row_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "outlinerow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
flow_outline_row_init (FlowOutlineRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->expander = gtk_tree_expander_new ();
  self->dot = flow_state_dot_new ();
  self->name = gtk_label_new (NULL);
  self->mark = gtk_image_new_from_icon_name ("flow-breakpoint-symbolic");
  self->detail = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->name, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (self->detail), 16);
  gtk_label_set_xalign (GTK_LABEL (self->detail), 1);
  gtk_widget_add_css_class (self->detail, "dim-label");
  gtk_widget_add_css_class (self->detail, "numeric");
  gtk_widget_add_css_class (self->mark, "flow-break-mark");
  gtk_image_set_pixel_size (GTK_IMAGE (self->mark), 10);
  gtk_widget_set_tooltip_text (self->mark, _("Breakpoint"));
  gtk_widget_set_visible (self->mark, FALSE);
  gtk_box_append (GTK_BOX (box), self->dot);
  gtk_box_append (GTK_BOX (box), self->name);
  gtk_box_append (GTK_BOX (box), self->mark);
  gtk_box_append (GTK_BOX (box), self->detail);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (self->expander), box);
  gtk_widget_set_parent (self->expander, GTK_WIDGET (self));
}

GtkWidget *
flow_outline_row_new (FlowUiSession *session)
{
  FlowOutlineRow *self = g_object_new (FLOW_TYPE_OUTLINE_ROW, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

/* @tree_row: (nullable): none in a list of hits */
void
flow_outline_row_bind (FlowOutlineRow  *self,
                       FlowOutlineItem *item,
                       GtkTreeListRow  *tree_row)
{
  g_return_if_fail (FLOW_IS_OUTLINE_ROW (self));

  g_set_object (&self->item, item);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (self->expander), tree_row);
  g_signal_connect_object (self->session, "node-states-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "plan-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
}

void
flow_outline_row_unbind (FlowOutlineRow *self)
{
  g_return_if_fail (FLOW_IS_OUTLINE_ROW (self));

  g_signal_handlers_disconnect_by_func (self->session, update, self);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (self->expander), NULL);
  g_clear_object (&self->item);
}
