/* flow-window-tabs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-window-private.h"

/* The tabs of the panel: a row that may be wider than the panel. The one that is shown is in sight. */

/* Of the row that is seen beside it. */
#define BESIDE 24.0

static GtkWidget *
find_shown_tab (GtkWidget *tabs)
{
  for (GtkWidget *tab = gtk_widget_get_first_child (tabs); tab != NULL; tab = gtk_widget_get_next_sibling (tab))
    if (gtk_widget_get_visible (tab) && (gtk_widget_get_state_flags (tab) & GTK_STATE_FLAG_CHECKED) != 0)
      return tab;
  return NULL;
}

static void
show_tab (FlowWindow *self)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (self->panel_tabs, GTK_TYPE_VIEWPORT);
  GtkAdjustment *adjustment = viewport != NULL ? gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (viewport)) : NULL;
  GtkWidget *tab = find_shown_tab (self->panel_tabs);
  graphene_rect_t bounds;

  if (adjustment != NULL && tab != NULL && gtk_widget_compute_bounds (tab, self->panel_tabs, &bounds))
    gtk_adjustment_clamp_page (adjustment, (double) bounds.origin.x - BESIDE,
                               (double) (bounds.origin.x + bounds.size.width) + BESIDE);
}

/* The row is laid out with what is checked in it; then it can be said where that stands. */
static gboolean
show_tab_cb (gpointer data)
{
  show_tab (data);
  return G_SOURCE_REMOVE;
}

static void
queue_show_tab (FlowWindow *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_tab_cb, g_object_ref (self), g_object_unref);
}

void
_flow_window_init_tabs (FlowWindow *self)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (self->panel_tabs, GTK_TYPE_VIEWPORT);

  g_signal_connect_object (self->panel_stack, "notify::visible-child", G_CALLBACK (queue_show_tab), self,
                           G_CONNECT_SWAPPED);
  if (viewport != NULL)
    g_signal_connect_object (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (viewport)), "notify::page-size",
                             G_CALLBACK (queue_show_tab), self, G_CONNECT_SWAPPED);
}
