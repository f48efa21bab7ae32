/* flow-tab-stop.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tab-stop.h"

/**
 * FlowTabStop:
 *
 * Makes one stop of the list in it: Tab comes in and the next Tab leaves; the arrow keys move within. The lists
 * of GTK 4.8 stop Tab at every row instead, which in a graph of thousands of nodes is no way out.
 */
struct _FlowTabStop
{
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (FlowTabStop, flow_tab_stop, ADW_TYPE_BIN)

static gboolean
flow_tab_stop_focus (GtkWidget        *widget,
                     GtkDirectionType  direction)
{
  GtkWidget *child = adw_bin_get_child (ADW_BIN (widget));
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (child == NULL || (is_tab && gtk_widget_get_focus_child (widget) != NULL))
    return FALSE;
  return gtk_widget_child_focus (child, direction);
}

static void
flow_tab_stop_class_init (FlowTabStopClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = flow_tab_stop_focus;
}

static void
flow_tab_stop_init (FlowTabStop *self)
{
}
