/* flow-value-window.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-value-window.h"

#include <glib/gi18n.h>

#include "flow-tooltip.h"
#include "flow-value-view.h"

/**
 * FlowValueWindow:
 *
 * A tensor in a window of its own: as large as one likes, followed from step to step, saved as .npy.
 */
struct _FlowValueWindow
{
  AdwWindow parent_instance;

  /* owned */
  FlowUiSession *session;
  GtkFileChooserNative *chooser;
  char *tensor;

  /* borrowed */
  FlowValueView *view;
  AdwToastOverlay *toasts;
};

G_DEFINE_FINAL_TYPE (FlowValueWindow, flow_value_window, ADW_TYPE_WINDOW)

typedef struct {
  FlowTensor *tensor;
  char *path;
} SaveJob;

static void
save_job_free (gpointer data)
{
  SaveJob *job = data;

  flow_tensor_unref (job->tensor);
  g_free (job->path);
  g_free (job);
}

static void
save_worker (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  SaveJob *job = task_data;
  GError *error = NULL;

  if (flow_npy_save (job->tensor, job->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      data)
{
  FlowValueWindow *self = FLOW_VALUE_WINDOW (object);
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    text = g_strdup (_("Saved"));
  else
    text = g_markup_escape_text (error->message, -1);
  if (self->toasts != NULL)
    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (text));
}

static void
response_cb (GtkFileChooserNative *chooser,
             int                   response,
             FlowValueWindow      *self)
{
  FlowTensor *value = flow_value_view_get_value (self->view);
  g_autoptr(GFile) file = NULL;
  g_autoptr(GTask) task = NULL;
  SaveJob *job = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (chooser));
  if (file == NULL || value == NULL || g_file_peek_path (file) == NULL)
    return;
  job = g_new0 (SaveJob, 1);
  job->tensor = flow_tensor_ref (value);
  job->path = g_file_get_path (file);
  task = g_task_new (self, NULL, saved_cb, NULL);
  g_task_set_source_tag (task, response_cb);
  g_task_set_task_data (task, job, save_job_free);
  g_task_run_in_thread (task, save_worker);
}

static void
save_cb (GtkButton       *button,
         FlowValueWindow *self)
{
  g_autofree char *name = g_strconcat (self->tensor, ".npy", NULL);

  g_strdelimit (name, "/:", '_');
  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (_("Save the Value"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"),
                                               _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
state_changed_cb (FlowValueWindow *self)
{
  flow_value_view_show (self->view, self->session, self->tensor);
}

static void
flow_value_window_dispose (GObject *object)
{
  FlowValueWindow *self = FLOW_VALUE_WINDOW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->tensor, g_free);
  self->toasts = NULL;

  G_OBJECT_CLASS (flow_value_window_parent_class)->dispose (object);
}

static void
flow_value_window_class_init (FlowValueWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_value_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0,
                                       "window.close", NULL);
}

static void
flow_value_window_init (FlowValueWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *save = gtk_button_new_from_icon_name ("document-save-symbolic");

  self->view = FLOW_VALUE_VIEW (flow_value_view_new ());
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  flow_value_view_set_large (self->view);
  flow_tooltip_set (save, _("Save the whole value as .npy"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (save), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Save the whole value as .npy"), -1);
  g_signal_connect_object (save, "clicked", G_CALLBACK (save_cb), self, 0);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), save);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "flow-value-large");
  gtk_widget_set_vexpand (GTK_WIDGET (self->view), TRUE);
  adw_toast_overlay_set_child (self->toasts, GTK_WIDGET (self->view));
  gtk_widget_set_vexpand (GTK_WIDGET (self->toasts), TRUE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_default_size (GTK_WINDOW (self), 820, 620);
}

GtkWidget *
flow_value_window_new (FlowUiSession *session,
                       const char    *tensor)
{
  FlowValueWindow *self = g_object_new (FLOW_TYPE_VALUE_WINDOW, "title", tensor, NULL);

  self->session = g_object_ref (session);
  self->tensor = g_strdup (tensor);
  g_signal_connect_object (session, "state-changed", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  state_changed_cb (self);
  return GTK_WIDGET (self);
}
