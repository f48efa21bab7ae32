/* flow-window-tabs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-window-private.h"

/* The tabs of the panel: a row that may be wider than the panel. The one that is shown is in sight; those that are not
 * are in a menu at the end of the row. */

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

static void
fill_menu (GtkMenuButton *button,
           gpointer       data)
{
  FlowWindow *self = data;
  g_autoptr(GMenu) menu = g_menu_new ();
  g_autoptr(GtkSelectionModel) pages = gtk_stack_get_pages (self->panel_stack);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr(GObject) object = g_list_model_get_item (G_LIST_MODEL (pages), i);
      GtkStackPage *page = GTK_STACK_PAGE (object);
      g_autoptr(GMenuItem) item = NULL;

      if (!gtk_stack_page_get_visible (page))
        continue;
      item = g_menu_item_new (gtk_stack_page_get_title (page), NULL);
      g_menu_item_set_action_and_target (item, "win.show-panel", "s", gtk_stack_page_get_name (page));
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
show_menu_button (FlowWindow *self)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (self->panel_tabs, GTK_TYPE_VIEWPORT);
  GtkAdjustment *row = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (viewport));
  /* With the button there the row has less room than without. */
  double button = gtk_widget_get_visible (GTK_WIDGET (self->more_tabs)) ? gtk_widget_get_width (GTK_WIDGET (self->more_tabs)) : 0.0;

  gtk_widget_set_visible (GTK_WIDGET (self->more_tabs),
                          gtk_adjustment_get_upper (row) > gtk_adjustment_get_page_size (row) + button + 0.5);
}

/* Widgets come and go between two frames, not while they are given their sizes. */
static gboolean
show_menu_button_cb (gpointer data)
{
  show_menu_button (data);
  return G_SOURCE_REMOVE;
}

static void
queue_menu_button (FlowWindow *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_menu_button_cb, g_object_ref (self), g_object_unref);
}

void
_flow_window_init_tabs (FlowWindow *self)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (self->panel_tabs, GTK_TYPE_VIEWPORT);

  g_signal_connect_object (self->panel_stack, "notify::visible-child", G_CALLBACK (queue_show_tab), self,
                           G_CONNECT_SWAPPED);
  gtk_menu_button_set_create_popup_func (self->more_tabs, fill_menu, self, NULL);
  if (viewport != NULL)
    {
      GtkAdjustment *row = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (viewport));

      g_signal_connect_object (row, "notify::page-size", G_CALLBACK (queue_show_tab), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "changed", G_CALLBACK (queue_menu_button), self, G_CONNECT_SWAPPED);
    }
}
