/* flow-state-dot.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-state-dot.h"

#include "flow-format.h"

/**
 * FlowStateDot:
 *
 * The state of a node as a small sign. Each state has a shape of its own beside its colour.
 */
struct _FlowStateDot
{
  GtkWidget parent_instance;

  int state;
};

/* Small enough to sit in a line of text, large enough for the sign in it to be read. */
#define DOT_SIZE 11

G_DEFINE_FINAL_TYPE (FlowStateDot, flow_state_dot, GTK_TYPE_WIDGET)

static const char *
state_icon (guint8 state)
{
  switch ((FlowNodeState) state)
    {
    case FLOW_NODE_FED: return "flow-state-fed-symbolic";
    case FLOW_NODE_READY: return "flow-state-ready-symbolic";
    case FLOW_NODE_NEXT: return "flow-state-next-symbolic";
    case FLOW_NODE_WAITING: return "flow-state-waiting-symbolic";
    case FLOW_NODE_DONE: return "flow-state-done-symbolic";
    case FLOW_NODE_DEAD: return "flow-state-dead-symbolic";
    case FLOW_NODE_FAILED: return "flow-state-failed-symbolic";
    case FLOW_NODE_STALE: return "flow-state-stale-symbolic";
    case FLOW_NODE_NOT_IN_RUN: return "flow-state-out-symbolic";
    case FLOW_NODE_PENDING:
    default: return "flow-state-pending-symbolic";
    }
}

static void
flow_state_dot_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  FlowStateDot *self = FLOW_STATE_DOT (widget);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  g_autoptr(GtkIconPaintable) icon =
    gtk_icon_theme_lookup_icon (theme, state_icon ((guint8) self->state), NULL, DOT_SIZE,
                                gtk_widget_get_scale_factor (widget),
                                gtk_widget_get_direction (widget), GTK_ICON_LOOKUP_FORCE_SYMBOLIC);
  GdkRGBA colors[4];

  /* Foreground, error, warning, success: our signs have but the first. */
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colors[0]);
  colors[1] = colors[2] = colors[3] = colors[0];
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((gtk_widget_get_width (widget) - DOT_SIZE) / 2,
                                                (gtk_widget_get_height (widget) - DOT_SIZE) / 2));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), snapshot, DOT_SIZE,
                                            DOT_SIZE, colors, G_N_ELEMENTS (colors));
  gtk_snapshot_restore (snapshot);
}

static void
flow_state_dot_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = *natural = DOT_SIZE;
}

static void
flow_state_dot_class_init (FlowStateDotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = flow_state_dot_snapshot;
  widget_class->measure = flow_state_dot_measure;
  gtk_widget_class_set_css_name (widget_class, "statedot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_state_dot_init (FlowStateDot *self)
{
  self->state = -1;
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  flow_state_dot_set_state (self, FLOW_NODE_PENDING);
}

GtkWidget *
flow_state_dot_new (void)
{
  return g_object_new (FLOW_TYPE_STATE_DOT, NULL);
}

void
flow_state_dot_set_state (FlowStateDot *self,
                          guint8        state)
{
  g_return_if_fail (FLOW_IS_STATE_DOT (self));

  if (self->state == state)
    return;
  if (self->state >= 0)
    gtk_widget_remove_css_class (GTK_WIDGET (self), flow_node_state_css (self->state));
  self->state = state;
  gtk_widget_add_css_class (GTK_WIDGET (self), flow_node_state_css (state));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  flow_node_state_title (state), -1);
}
