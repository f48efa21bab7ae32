/* flow-endpoint-row.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-endpoint-row.h"

#include "flow-format.h"
#include "flow-state-dot.h"
#include "flow-tooltip.h"

/**
 * FlowEndpointRow:
 *
 * An input or output in the inspector: state, index, tensor, dtype and shape.
 */
struct _FlowEndpointRow
{
  GtkListBoxRow parent_instance;

  /* borrowed */
  GtkWidget *dot;
  GtkWidget *detail;

  /* owned */
  char *tensor;
};

G_DEFINE_FINAL_TYPE (FlowEndpointRow, flow_endpoint_row, GTK_TYPE_LIST_BOX_ROW)

static void
flow_endpoint_row_finalize (GObject *object)
{
  g_free (FLOW_ENDPOINT_ROW (object)->tensor);

  G_OBJECT_CLASS (flow_endpoint_row_parent_class)->finalize (object);
}

static void
flow_endpoint_row_class_init (FlowEndpointRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_endpoint_row_finalize;
}

static void
flow_endpoint_row_init (FlowEndpointRow *self)
{
}

/* @index: (nullable): what stands before the name */
GtkWidget *
flow_endpoint_row_new (const char *index,
                       const char *tensor)
{
  FlowEndpointRow *self = g_object_new (FLOW_TYPE_ENDPOINT_ROW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = gtk_label_new (tensor);

  self->tensor = g_strdup (tensor);
  self->dot = flow_state_dot_new ();
  self->detail = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (box), self->dot);
  if (index != NULL)
    {
      GtkWidget *number = gtk_label_new (index);

      gtk_widget_add_css_class (number, "flow-mono");
      gtk_widget_add_css_class (number, "dim-label");
      gtk_box_append (GTK_BOX (box), number);
    }
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_START);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (name, "flow-mono");
  gtk_label_set_xalign (GTK_LABEL (self->detail), 1);
  gtk_widget_add_css_class (self->detail, "dim-label");
  gtk_widget_add_css_class (self->detail, "flow-mono");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), self->detail);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  flow_tooltip_set (GTK_WIDGET (self), tensor);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, tensor,
                                  -1);
  return GTK_WIDGET (self);
}

const char *
flow_endpoint_row_get_tensor (FlowEndpointRow *self)
{
  g_return_val_if_fail (FLOW_IS_ENDPOINT_ROW (self), NULL);

  return self->tensor;
}

void
flow_endpoint_row_set_state (FlowEndpointRow *self,
                             guint8           state)
{
  g_return_if_fail (FLOW_IS_ENDPOINT_ROW (self));

  flow_state_dot_set_state (FLOW_STATE_DOT (self->dot), state);
}

void
flow_endpoint_row_set_detail (FlowEndpointRow *self,
                              const char      *text)
{
  g_autofree char *tooltip = NULL;

  g_return_if_fail (FLOW_IS_ENDPOINT_ROW (self));

  gtk_label_set_text (GTK_LABEL (self->detail), text);
  tooltip = g_strdup_printf ("%s\n%s", self->tensor, text);
  flow_tooltip_set (GTK_WIDGET (self), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

/* Marks an input whose shape clashes with another one's. */
void
flow_endpoint_row_set_clash (FlowEndpointRow *self,
                             gboolean         clash)
{
  g_return_if_fail (FLOW_IS_ENDPOINT_ROW (self));

  if (clash)
    gtk_widget_add_css_class (self->detail, "flow-clash");
  else
    gtk_widget_remove_css_class (self->detail, "flow-clash");
}
