/* flow-outline-row.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-outline-row.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-state-dot.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowOutlineRow:
 *
 * A node or a scope in the outline: state, name, and what it is. A list makes 200 rows whether they
 * can be seen or not, so a row has no labels: it draws its words when it is in sight.
 */
struct _FlowOutlineRow
{
  GtkWidget parent_instance;

  /* owned */
  FlowUiSession *session;
  FlowOutlineItem *item;
  GtkWidget *dot;
  char *name;
  char *detail;

  gboolean dim;            /* not in the run */
  gboolean marked;         /* has a breakpoint */
};

#define ROW_HEIGHT 21
#define GAP 8
#define MARK_SIZE 9
/* What stands at the right takes no more than this part of the row. */
#define DETAIL_PART 0.45

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
  flow_set_str (&self->name, flow_outline_item_is_hit (self->item) ? full : name);
  flow_set_str (&self->detail, detail);
  flow_state_dot_set_state (FLOW_STATE_DOT (self->dot), state);
  self->marked = has_breakpoint (self, node);
  self->dim = state == FLOW_NODE_NOT_IN_RUN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  description = g_strdup_printf ("%s, %s, %s", full, detail, flow_node_state_title (state));
  flow_tooltip_set (GTK_WIDGET (self), full);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  description, -1);
}

/* --- Drawing --- */

/* Returns: how wide the text is as drawn */
static int
draw_text (FlowOutlineRow     *self,
           GtkSnapshot        *snapshot,
           const char         *text,
           double              x,
           double              width,
           gboolean            at_end,
           PangoEllipsizeMode  mode,
           const GdkRGBA      *color)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int text_width = 0;
  int text_height = 0;

  pango_layout_set_ellipsize (layout, mode);
  pango_layout_set_width (layout, (int) MAX (0, width) * PANGO_SCALE);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float) (at_end ? x + width - text_width : x),
                                                (gtk_widget_get_height (GTK_WIDGET (self)) -
                                                 text_height) / 2));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
  return text_width;
}

static void
draw_mark (FlowOutlineRow *self,
           GtkSnapshot    *snapshot,
           double          x)
{
  GskRoundedRect disc;
  GdkRGBA color;
  graphene_rect_t bounds =
    GRAPHENE_RECT_INIT ((float) x, (gtk_widget_get_height (GTK_WIDGET (self)) - MARK_SIZE) / 2,
                        MARK_SIZE, MARK_SIZE);

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)),
                                       "flow_break", &color))
    gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  gsk_rounded_rect_init_from_rect (&disc, &bounds, MARK_SIZE / 2.0f);
  gtk_snapshot_push_rounded_clip (snapshot, &disc);
  gtk_snapshot_append_color (snapshot, &color, &bounds);
  gtk_snapshot_pop (snapshot);
}

static void
flow_outline_row_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  FlowOutlineRow *self = FLOW_OUTLINE_ROW (widget);
  double width = gtk_widget_get_width (widget);
  double left = gtk_widget_get_allocated_width (self->dot) + GAP;
  double right = width;
  GdkRGBA color;
  GdkRGBA dim;

  gtk_widget_snapshot_child (widget, self->dot, snapshot);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  dim = color;
  dim.alpha *= 0.55f;
  if (self->detail != NULL && self->detail[0] != '\0')
    {
      double part = floor (width * DETAIL_PART);

      right -= draw_text (self, snapshot, self->detail, width - part, part, TRUE,
                          PANGO_ELLIPSIZE_END, &dim) + GAP;
    }
  if (self->marked)
    {
      right -= MARK_SIZE;
      draw_mark (self, snapshot, right);
      right -= GAP;
    }
  if (self->name != NULL)
    draw_text (self, snapshot, self->name, left, right - left, FALSE, PANGO_ELLIPSIZE_MIDDLE,
               self->dim ? &dim : &color);
}

static void
flow_outline_row_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_VERTICAL ? ROW_HEIGHT : 80;
  *natural = orientation == GTK_ORIENTATION_VERTICAL ? ROW_HEIGHT : 200;
}

static void
flow_outline_row_size_allocate (GtkWidget *widget,
                                int        width,
                                int        height,
                                int        baseline)
{
  FlowOutlineRow *self = FLOW_OUTLINE_ROW (widget);
  int size = 0;

  gtk_widget_measure (self->dot, GTK_ORIENTATION_HORIZONTAL, -1, &size, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->dot, &(GtkAllocation) { 0, 0, size, height }, -1);
}

static void
flow_outline_row_dispose (GObject *object)
{
  FlowOutlineRow *self = FLOW_OUTLINE_ROW (object);

  g_clear_pointer (&self->dot, gtk_widget_unparent);
  g_clear_object (&self->item);
  g_clear_object (&self->session);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->detail, g_free);

  G_OBJECT_CLASS (flow_outline_row_parent_class)->dispose (object);
}

static void
flow_outline_row_class_init (FlowOutlineRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_outline_row_dispose;
  widget_class->snapshot = flow_outline_row_snapshot;
  widget_class->measure = flow_outline_row_measure;
  widget_class->size_allocate = flow_outline_row_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "outlinerow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
flow_outline_row_init (FlowOutlineRow *self)
{
  self->dot = flow_state_dot_new ();
  gtk_widget_set_parent (self->dot, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
flow_outline_row_new (FlowUiSession *session)
{
  FlowOutlineRow *self = g_object_new (FLOW_TYPE_OUTLINE_ROW, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "node-states-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "plan-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
flow_outline_row_bind (FlowOutlineRow  *self,
                       FlowOutlineItem *item)
{
  g_return_if_fail (FLOW_IS_OUTLINE_ROW (self));

  g_set_object (&self->item, item);
  update (self);
}

/* Returns: (transfer none) (nullable): what it shows */
FlowOutlineItem *
flow_outline_row_get_item (FlowOutlineRow *self)
{
  g_return_val_if_fail (FLOW_IS_OUTLINE_ROW (self), NULL);

  return self->item;
}

void
flow_outline_row_unbind (FlowOutlineRow *self)
{
  g_return_if_fail (FLOW_IS_OUTLINE_ROW (self));

  g_clear_object (&self->item);
}
