/* flow-window-reload.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include <string.h>

#include "flow-format.h"
#include "flow-variant-item.h"
#include "flow-window-private.h"

/* A file that changed while it is open: said, and opened again on request with what a person had made of the view. */

/* Whoever writes a file may do so in many pieces. */
#define SETTLE_MS 700

static gboolean
offer_cb (gpointer data)
{
  FlowWindow *self = FLOW_WINDOW (data);
  AdwToast *toast = NULL;

  self->reload_source = 0;
  if (self->closed || self->reload_offered || flow_ui_session_get_graph (self->session) == NULL)
    return G_SOURCE_REMOVE;
  toast = adw_toast_new (_("The file has changed"));
  adw_toast_set_button_label (toast, _("Reload"));
  adw_toast_set_action_name (toast, "win.reload");
  adw_toast_set_timeout (toast, 0);
  self->reload_offered = TRUE;
  adw_toast_overlay_add_toast (self->toasts, toast);
  return G_SOURCE_REMOVE;
}

static void
file_changed_cb (FlowWindow        *self,
                 GFile             *file,
                 GFile             *other,
                 GFileMonitorEvent  event)
{
  if (event == G_FILE_MONITOR_EVENT_DELETED || event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;
  g_clear_handle_id (&self->reload_source, g_source_remove);
  self->reload_source = g_timeout_add (SETTLE_MS, offer_cb, self);
}

/* To watch a folder in which a great many files come and go takes the kernel up to 200 ms. */
static void
begin_watch (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  GFileMonitor *monitor = g_file_monitor (G_FILE (data), G_FILE_MONITOR_WATCH_MOVES, cancellable, &error);

  /* A worker has no context of its own, so changes are told in the main one. */
  if (monitor != NULL)
    g_task_return_pointer (task, monitor, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
watched_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  FlowWindow *self = FLOW_WINDOW (source);
  g_autoptr(GFileMonitor) monitor = g_task_propagate_pointer (G_TASK (result), NULL);

  /* A file that cannot be watched is one that is not told of; another may be open by now. */
  if (monitor == NULL || self->closed)
    return;
  g_set_object (&self->monitor, monitor);
  g_signal_connect_object (monitor, "changed", G_CALLBACK (file_changed_cb), self, G_CONNECT_SWAPPED);
}

/* A file is open. Of an event file growing is the use: its curves follow by themselves. */
void
_flow_window_watch_file (FlowWindow *self)
{
  GVariant *info = flow_ui_session_get_info (self->session);
  const char *path = flow_lookup_string (info, "path");
  const char *kind = flow_lookup_string (info, "kind");
  g_autoptr(GTask) task = NULL;

  _flow_window_unwatch_file (self);
  self->reload_offered = FALSE;
  if (path == NULL || path[0] == '\0' || (kind != NULL && strstr (kind, "event") != NULL))
    return;
  self->watching = g_cancellable_new ();
  task = g_task_new (self, self->watching, watched_cb, NULL);
  g_task_set_task_data (task, g_file_new_for_path (path), g_object_unref);
  g_task_run_in_thread (task, begin_watch);
}

void
_flow_window_unwatch_file (FlowWindow *self)
{
  g_clear_handle_id (&self->reload_source, g_source_remove);
  if (self->watching != NULL)
    g_cancellable_cancel (self->watching);
  g_clear_object (&self->watching);
  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
}

static char **
dup_breakpoints (FlowWindow *self)
{
  GListModel *model = flow_ui_session_get_breakpoints (self->session);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);
      const char *text = flow_lookup_string (flow_variant_item_get_value (item), "text");

      if (text != NULL)
        g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

void
_flow_window_reload (FlowWindow *self,
                     GVariant   *parameter)
{
  g_autofree char *path = g_strdup (flow_ui_session_get_path (self->session));
  FlowOpenPlan *plan = NULL;

  if (path == NULL)
    return;
  if (flow_ui_session_has_unsaved_runs (self->session))
    {
      _flow_window_toast (self, _("There are runs that stand in no file: save them first"));
      return;
    }
  plan = g_new0 (FlowOpenPlan, 1);
  plan->run = g_strdup (flow_ui_session_get_chosen_run (self->session));
  plan->select = flow_ui_session_dup_selected_name (self->session);
  plan->expand = flow_canvas_dup_open_scopes (self->canvas);
  plan->breakpoints = dup_breakpoints (self);
  plan->keeps_view = TRUE;
  flow_canvas_get_view (self->canvas, &plan->x, &plan->y, &plan->zoom);
  flow_window_open (self, path, plan);
}

static gboolean
has_breakpoint (FlowWindow *self,
                const char *text)
{
  g_auto(GStrv) known = dup_breakpoints (self);

  return g_strv_contains ((const char *const *) known, text);
}

typedef struct {
  FlowWindow *window;
  char **breakpoints;
} Kept;

static gboolean
add_kept_cb (gpointer data)
{
  Kept *kept = data;

  for (guint i = 0; !kept->window->closed && kept->breakpoints[i] != NULL; i++)
    if (!has_breakpoint (kept->window, kept->breakpoints[i]))
      flow_ui_session_command (kept->window->session, _("The breakpoint could not be set"), "AddBreakpoint",
                               g_variant_new ("(s)", kept->breakpoints[i]), NULL, NULL, NULL, NULL);
  return G_SOURCE_REMOVE;
}

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  flow_ui_session_release_pending (kept->window->session);
  g_object_unref (kept->window);
  g_strfreev (kept->breakpoints);
  g_free (kept);
}

/* Those of the file's own runs are there already: first the engine says which it has. */
void
_flow_window_keep_breakpoints (FlowWindow   *self,
                               FlowOpenPlan *plan)
{
  Kept *kept = g_new0 (Kept, 1);

  kept->window = g_object_ref (self);
  kept->breakpoints = g_steal_pointer (&plan->breakpoints);
  flow_ui_session_hold_pending (self->session);
  g_timeout_add_full (G_PRIORITY_DEFAULT, 150, add_kept_cb, kept, kept_free);
}
