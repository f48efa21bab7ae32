/* flow-window-open.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Opening a file in a window, how far that is, and what ended.
 */

#include "config.h"

#include "flow-window.h"

#include <glib/gi18n.h>

#include "flow-window-private.h"
#include "flow-window-view.h"

/* Work that is done within this time shows no progress. */
#define PROGRESS_AFTER_MS 200
#define PULSE_MS 100

void
flow_open_plan_free (FlowOpenPlan *plan)
{
  if (plan == NULL)
    return;
  g_free (plan->run);
  g_free (plan->select);
  g_strfreev (plan->expand);
  g_strfreev (plan->breakpoints);
  g_strfreev (plan->argv);
  g_free (plan->cwd);
  g_free (plan);
}

static gboolean
pulse_cb (gpointer data)
{
  FlowWindow *self = FLOW_WINDOW (data);

  gtk_progress_bar_pulse (self->progress_bar);
  return G_SOURCE_CONTINUE;
}

static gboolean
show_progress_cb (gpointer data)
{
  FlowWindow *self = FLOW_WINDOW (data);

  self->progress_source = 0;
  gtk_revealer_set_reveal_child (self->progress_revealer, TRUE);
  return G_SOURCE_REMOVE;
}

/* The place where a graph will stand is there while it is being opened: it is made in a frame of its own, not in
 * the one that draws the graph first. */
static void
update_page (FlowWindow *self)
{
  gboolean has_graph = flow_ui_session_get_graph (self->session) != NULL || flow_ui_session_is_opening (self->session);

  gtk_stack_set_visible_child_name (self->pages, has_graph ? "graph" : "start");
}

static void
progress_cb (FlowUiSession *session,
             double         fraction,
             const char    *message,
             FlowWindow    *self)
{
  update_page (self);
  if (message == NULL || message[0] == '\0')
    {
      g_clear_handle_id (&self->progress_source, g_source_remove);
      g_clear_handle_id (&self->pulse_source, g_source_remove);
      gtk_revealer_set_reveal_child (self->progress_revealer, FALSE);
      _flow_window_update_actions (self);
      return;
    }
  gtk_label_set_text (self->progress_label, message);
  if (fraction >= 0)
    {
      g_clear_handle_id (&self->pulse_source, g_source_remove);
      gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (fraction, 0, 1));
    }
  else if (self->pulse_source == 0)
    {
      self->pulse_source = g_timeout_add (PULSE_MS, pulse_cb, self);
    }
  if (self->progress_source == 0 && !gtk_revealer_get_reveal_child (self->progress_revealer))
    self->progress_source = g_timeout_add (PROGRESS_AFTER_MS, show_progress_cb, self);
  _flow_window_update_actions (self);
}

static void
add_breakpoints (FlowWindow   *self,
                 FlowOpenPlan *plan)
{
  for (guint i = 0; plan->breakpoints != NULL && plan->breakpoints[i] != NULL; i++)
    flow_ui_session_command (self->session, _("The breakpoint could not be set"), "AddBreakpoint",
                             g_variant_new ("(s)", plan->breakpoints[i]), NULL, NULL, NULL, NULL);
}

static void
opened_cb (FlowUiSession *session,
           FlowWindow    *self)
{
  const char *path = flow_ui_session_get_path (session);
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, NULL);
  GtkRecentData data = {
    .mime_type = (char *) "application/octet-stream",
    .app_name = (char *) "flowstep",
    .app_exec = (char *) "flowstep %f",
  };
  FlowOpenPlan *plan = self->open_plan;

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
  self->engine_ended = FALSE;
  _flow_window_update_title (self);
  _flow_window_apply_history_limit (self);
  _flow_window_watch_file (self);
  _flow_window_read_view (self);
  _flow_window_update_card (self);
  flow_canvas_zoom_fit (self->canvas);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  if (plan == NULL)
    {
      _flow_window_script_opened (self);
      return;
    }
  flow_canvas_expand_listed (self->canvas, (const char *const *) plan->expand);
  if (plan->keeps_view)
    _flow_window_keep_breakpoints (self, plan);
  self->run_was_chosen = plan->run != NULL;
  if (plan->run != NULL)
    flow_ui_session_choose_run (session, plan->run);
  add_breakpoints (self, plan);
  _flow_window_script_opened (self);
  if (plan->start && !flow_ui_session_is_script (session))
    flow_ui_session_move (session, FLOW_MOVE_RESTART, NULL);
  if (plan->select != NULL && !flow_ui_session_select_name (session, plan->select))
    {
      g_autofree char *text = g_strdup_printf (_("There is no node “%s”"), plan->select);

      _flow_window_toast (self, text);
    }
  if (plan->keeps_view)
    flow_canvas_set_view (self->canvas, plan->x, plan->y, plan->zoom);
  g_clear_pointer (&self->open_plan, flow_open_plan_free);
}

static void
failed_cb (FlowUiSession *session,
           const char    *title,
           const GError  *error,
           FlowWindow    *self)
{
  if (!self->closed)
    _flow_window_show_error (self, title, error);
}

static void
ended_cb (FlowUiSession *session,
          const char    *text,
          FlowWindow    *self)
{
  self->engine_ended = TRUE;
  _flow_window_update_title (self);
  _flow_window_show_ended (self, text);
  _flow_window_update_actions (self);
}

static void
prepared_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr(FlowUiSession) session = data;

  flow_ui_session_show_graph (session, flow_canvas_prepare_finish (FLOW_CANVAS (object), result));
}

static void
prepare (FlowUiSession *session,
         FlowGraph     *graph,
         gpointer       data)
{
  FlowWindow *self = data;

  flow_canvas_prepare_async (self->canvas, graph, prepared_cb, g_object_ref (session));
}

void
_flow_window_init_open (FlowWindow *self)
{
  flow_ui_session_set_prepare (self->session, prepare, self);
  g_signal_connect_object (self->session, "opened", G_CALLBACK (opened_cb), self, 0);
  g_signal_connect_object (self->session, "progress", G_CALLBACK (progress_cb), self, 0);
  g_signal_connect_object (self->session, "failed", G_CALLBACK (failed_cb), self, 0);
  g_signal_connect_object (self->session, "ended", G_CALLBACK (ended_cb), self, 0);
}

/* @plan: (nullable) (transfer full): what to do when the file is open */
void
flow_window_open (FlowWindow   *self,
                  const char   *path,
                  FlowOpenPlan *plan)
{
  g_return_if_fail (FLOW_IS_WINDOW (self));

  g_clear_pointer (&self->open_plan, flow_open_plan_free);
  self->open_plan = plan;
  flow_ui_session_open (self->session, path, _flow_window_script_options (plan));
}

/* Whether a file can be opened here without taking another one's place. */
gboolean
flow_window_is_empty (FlowWindow *self)
{
  g_return_val_if_fail (FLOW_IS_WINDOW (self), FALSE);

  return flow_ui_session_get_graph (self->session) == NULL &&
         !flow_ui_session_is_opening (self->session);
}
