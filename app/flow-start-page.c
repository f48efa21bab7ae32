/* flow-start-page.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-start-page.h"

#include <glib/gi18n.h>

/**
 * FlowStartPage:
 *
 * What a window without a graph shows: open, attach, and the files opened last.
 */
struct _FlowStartPage
{
  AdwBin parent_instance;

  /* template */
  GtkWidget *recent_box;
  GtkListBox *recent;
};

#define MAX_RECENT 6

G_DEFINE_FINAL_TYPE (FlowStartPage, flow_start_page, ADW_TYPE_BIN)

static int
compare_recent (gconstpointer a,
                gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified (*(GtkRecentInfo *const *) b),
                              gtk_recent_info_get_modified (*(GtkRecentInfo *const *) a));
}

static void
append_recent (FlowStartPage *self,
               GtkRecentInfo *info)
{
  g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *escaped_name = NULL;
  g_autofree char *escaped_folder = NULL;
  GtkWidget *row = NULL;

  if (path == NULL)
    return;
  name = g_filename_display_basename (path);
  folder = g_path_get_dirname (path);
  escaped_name = g_markup_escape_text (name, -1);
  escaped_folder = g_markup_escape_text (folder, -1);
  row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), escaped_name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped_folder);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "app.open-recent");
  gtk_list_box_append (self->recent, row);
}

static void
fill (FlowStartPage *self)
{
  GList *all = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  g_autoptr(GPtrArray) ours = g_ptr_array_new ();
  GtkListBoxRow *row = NULL;

  while ((row = gtk_list_box_get_row_at_index (self->recent, 0)) != NULL)
    gtk_list_box_remove (self->recent, GTK_WIDGET (row));
  for (GList *l = all; l != NULL; l = l->next)
    if (gtk_recent_info_has_application (l->data, "flowstep") && gtk_recent_info_exists (l->data))
      g_ptr_array_add (ours, l->data);
  g_ptr_array_sort (ours, compare_recent);
  for (guint i = 0; i < MIN (ours->len, MAX_RECENT); i++)
    append_recent (self, g_ptr_array_index (ours, i));
  gtk_widget_set_visible (self->recent_box, ours->len > 0);
  g_list_free_full (all, (GDestroyNotify) gtk_recent_info_unref);
}

static void
flow_start_page_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FLOW_TYPE_START_PAGE);

  G_OBJECT_CLASS (flow_start_page_parent_class)->dispose (object);
}

static void
flow_start_page_class_init (FlowStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_start_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/flowstep/Flowstep/app/flow-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowStartPage, recent_box);
  gtk_widget_class_bind_template_child (widget_class, FlowStartPage, recent);
}

static void
flow_start_page_init (FlowStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill), self,
                           G_CONNECT_SWAPPED);
  fill (self);
}
