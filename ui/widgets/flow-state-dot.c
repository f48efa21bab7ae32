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

  /* owned */
  GtkWidget *image;

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
flow_state_dot_dispose (GObject *object)
{
  g_clear_pointer (&FLOW_STATE_DOT (object)->image, gtk_widget_unparent);

  G_OBJECT_CLASS (flow_state_dot_parent_class)->dispose (object);
}

static void
flow_state_dot_class_init (FlowStateDotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_state_dot_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "statedot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_state_dot_init (FlowStateDot *self)
{
  self->state = -1;
  self->image = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (self->image), DOT_SIZE);
  gtk_widget_set_parent (self->image, GTK_WIDGET (self));
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
  gtk_image_set_from_icon_name (GTK_IMAGE (self->image), state_icon (state));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  flow_node_state_title (state), -1);
}
