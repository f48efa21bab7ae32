/* flow-ui-session-open.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Opening a file in the engine, and the engine started again.
 */

#include "config.h"

#include "flow-ui-session.h"

#include <glib/gi18n.h>

#include "flow-ui-session-private.h"

/* Takes the graph that arrived, in one go: from here on it is the one that is shown. */
static void
show_arrived (FlowUiSession *self)
{
  g_autoptr(FlowGraph) graph = g_steal_pointer (&self->arriving);
  const char *opened = NULL;

  g_free (self->path);
  self->path = g_steal_pointer (&self->arriving_path);
  g_clear_pointer (&self->info, g_variant_unref);
  self->info = g_steal_pointer (&self->arriving_info);
  /* Of a checkpoint, the graph that stands beside it. */
  if (self->info != NULL && g_variant_lookup (self->info, "opened", "&s", &opened) && opened[0] == '/')
    {
      g_free (self->path);
      self->path = g_strdup (opened);
    }
  g_clear_pointer (&self->planned_run, g_free);
  if (self->resume_run == NULL)
    g_clear_pointer (&self->chosen_run, g_free);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS], 0, 1.0, "");
  _flow_ui_session_set_graph (self, graph);
  _flow_ui_session_ask_runs (self);
  _flow_ui_session_ask_breakpoints (self);
  _flow_ui_session_state_changed (self);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_OPENED], 0);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PENDING_CHANGED], 0);
  flow_ui_session_release_pending (self);
}

/**
 * flow_ui_session_show_graph:
 * @graph: what was to be prepared for
 *
 * Says that the preparation asked for by flow_ui_session_set_prepare() is done. Nothing happens when the
 * graph is no longer waited for, or another file is being opened: then it is shown only if that one fails.
 */
void
flow_ui_session_show_graph (FlowUiSession *self,
                            FlowGraph     *graph)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (self->arriving != NULL && self->arriving == graph && self->opening_path == NULL)
    show_arrived (self);
}

/**
 * flow_ui_session_set_prepare:
 * @prepare: (nullable) (scope forever): called with each graph that was opened, before anybody is told of it;
 *   it calls flow_ui_session_show_graph() in the end, from the main thread
 * @data: for @prepare
 *
 * What is made of a graph as a whole takes time that the main thread does not have.
 */
void
flow_ui_session_set_prepare (FlowUiSession *self,
                             FlowUiPrepare  prepare,
                             gpointer       data)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  self->prepare = prepare;
  self->prepare_data = data;
}

static void
report_not_opened (FlowUiSession *self,
                   const char    *path,
                   const GError  *error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf (_("“%s” cannot be opened"), name);

  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS], 0, 1.0, "");
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    flow_ui_session_report (self, title, error);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PENDING_CHANGED], 0);
}

/* A file that is being opened; another one may have been asked for since. */
typedef struct {
  FlowUiSession *session;
  GCancellable *cancellable;
  char *path;
} Opening;

static void
opening_free (Opening *self)
{
  g_object_unref (self->session);
  g_object_unref (self->cancellable);
  g_free (self->path);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

/* Its graph waits for the views, and for what was asked for later: it is shown if that fails. */
static void
keep_arrived (FlowUiSession *self,
              FlowGraph     *graph,
              GVariant      *info,
              const char    *path)
{
  _flow_ui_session_forget_arrived (self);
  self->arriving = g_object_ref (graph);
  self->arriving_info = g_variant_ref (info);
  self->arriving_path = g_strdup (path);
  if (self->prepare != NULL)
    self->prepare (self, graph, self->prepare_data);
  else if (self->opening_path == NULL)
    show_arrived (self);
}

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr(Opening) opening = data;
  FlowUiSession *self = opening->session;
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) info = flow_debugger_open_finish (FLOW_DEBUGGER (object), result, &error);
  gboolean is_last = self->open_cancellable == opening->cancellable;
  FlowGraph *graph = NULL;

  if (self->debugger != FLOW_DEBUGGER (object))
    {
      flow_ui_session_release_pending (self);
      return;
    }
  if (is_last)
    {
      g_clear_pointer (&self->opening_path, g_free);
      g_clear_object (&self->open_cancellable);
    }
  graph = error == NULL ? flow_debugger_get_graph (self->debugger) : NULL;
  if (graph != NULL)
    {
      keep_arrived (self, graph, info, opening->path);
      return;
    }
  if (is_last)
    report_not_opened (self, opening->path, error);
  flow_ui_session_release_pending (self);
  if (is_last && self->arriving != NULL)
    show_arrived (self);
}

/**
 * flow_ui_session_open:
 * @options: (nullable): as of the debugger's method Open; sunk
 *
 * Opens a file in the engine process. The graph that is shown stays until the new one is there.
 * Emits `opened`, or `failed`.
 */
void
flow_ui_session_open (FlowUiSession *self,
                      const char    *path,
                      GVariant      *options)
{
  g_autoptr(GVariant) sunk = NULL;
  Opening *opening = NULL;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (path != NULL);

  sunk = g_variant_ref_sink (options != NULL ? options : g_variant_new ("a{sv}", NULL));
  flow_ui_session_cancel_open (self);
  if (self->debugger == NULL && !_flow_ui_session_make_debugger (self))
    return;
  g_clear_pointer (&self->open_options, g_variant_unref);
  self->open_options = g_variant_ref (sunk);
  g_free (self->opening_path);
  self->opening_path = g_strdup (path);
  g_clear_object (&self->open_cancellable);
  self->open_cancellable = g_cancellable_new ();
  opening = g_new (Opening, 1);
  *opening = (Opening) { g_object_ref (self), g_object_ref (self->open_cancellable), g_strdup (path) };
  flow_ui_session_hold_pending (self);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS], 0, -1.0, _("Opening…"));
  flow_debugger_open_async (self->debugger, path, sunk, self->open_cancellable, opened_cb, opening);
}

void
flow_ui_session_cancel_open (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (self->open_cancellable != NULL)
    g_cancellable_cancel (self->open_cancellable);
}

gboolean
flow_ui_session_is_opening (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->opening_path != NULL || self->arriving != NULL;
}

static void
restarted_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr(FlowUiSession) self = data;
  g_autoptr(GError) error = NULL;
  FlowGraph *graph = NULL;

  if (self->debugger == FLOW_DEBUGGER (object))
    {
      g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS], 0, 1.0, "");
      if (!flow_link_debugger_restart_finish (FLOW_LINK_DEBUGGER (object), result, &error))
        {
          if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            flow_ui_session_report (self, _("The engine did not start again"), error);
        }
      graph = flow_debugger_get_graph (self->debugger);
      if (graph != NULL && graph != self->graph)
        _flow_ui_session_set_graph (self, graph);
      _flow_ui_session_ask_runs (self);
      _flow_ui_session_ask_breakpoints (self);
      _flow_ui_session_state_changed (self);
      if (flow_ui_session_is_script (self))
        flow_ui_session_move (self, FLOW_MOVE_RUN, NULL);
      else
        g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_STOPPED], 0);
    }
  flow_ui_session_release_pending (self);
}

/*
 * After the engine ended. One behind a link starts again and goes back to where it was; any other is
 * made anew and opens the same file.
 */
void
flow_ui_session_restart_engine (FlowUiSession *self)
{
  g_autofree char *path = NULL;
  g_autoptr(GVariant) options = NULL;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (FLOW_IS_LINK_DEBUGGER (self->debugger) && self->path != NULL)
    {
      flow_ui_session_hold_pending (self);
      g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS], 0, -1.0,
                     _("Starting the engine again…"));
      flow_link_debugger_restart_async (FLOW_LINK_DEBUGGER (self->debugger), self->cancellable,
                                        restarted_cb, g_object_ref (self));
      return;
    }
  path = g_strdup (self->path != NULL ? self->path : self->opening_path);
  options = self->open_options != NULL ? g_variant_ref (self->open_options) : NULL;
  _flow_ui_session_drop_debugger (self);
  g_clear_pointer (&self->opening_path, g_free);
  g_clear_object (&self->open_cancellable);
  if (!_flow_ui_session_make_debugger (self) || path == NULL)
    return;
  g_free (self->resume_run);
  self->resume_run = g_strdup (self->chosen_run);
  flow_ui_session_open (self, path, options);
}

/**
 * flow_ui_session_close:
 *
 * Lets go of the engine. What is under way is cancelled; no signal comes after this.
 */
void
flow_ui_session_close (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  flow_ui_session_cancel_open (self);
  g_clear_handle_id (&self->state_source, g_source_remove);
  _flow_ui_session_drop_debugger (self);
}
