/* flow-link-engine.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-debugger-private.h"

#include "flow-link-process.h"

#include <signal.h>

/* The engine process of a debugger, from its start to its end, and what it tells by itself. */

/* How long a script has to end after it was interrupted. */
#define KILL_AFTER_MS 3000

static char *
describe_end (FlowLinkDebugger *self)
{
  g_autoptr (GString) text = g_string_new (self->script != NULL ? "the script's process ended" : "the engine ended");
  const FlowDebugState *state = self->state;

  if (self->process != NULL && g_subprocess_get_if_signaled (self->process))
    g_string_append_printf (text, " by signal %d (%s)", g_subprocess_get_term_sig (self->process),
                            g_strsignal (g_subprocess_get_term_sig (self->process)));
  else if (self->process != NULL && g_subprocess_get_if_exited (self->process))
    g_string_append_printf (text, " with status %d", g_subprocess_get_exit_status (self->process));
  if (state->next_node != FLOW_NODE_NONE && self->graph != NULL
      && state->next_node < flow_graph_get_n_nodes (self->graph))
    g_string_append_printf (text, " at op %s", flow_graph_get_node_name (self->graph, state->next_node));
  /* One that did not even begin says why. */
  if (self->output != NULL && (self->proxy == NULL || self->is_opening))
    {
      g_autofree char *tail = _flow_link_output_dup_tail (self->output);

      if (tail[0] != '\0')
        g_string_append_printf (text, ":\n%s", tail);
    }
  if (state->run != NULL)
    g_string_append_printf (text, " of run %s, position %" G_GUINT64_FORMAT, state->run, state->position);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Everything that was asked of an engine that is gone gets this answer. */
void
_flow_link_debugger_fail_all (FlowLinkDebugger *self,
                              const char       *message)
{
  g_autoptr (GList) calls = g_hash_table_get_keys (self->calls);

  g_hash_table_remove_all (self->calls);
  for (GList *l = calls; l != NULL; l = l->next)
    {
      FlowLinkCall *call = l->data;

      g_task_return_new_error (call->task, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE, "%s", message);
      if (call->is_orphan)
        _flow_link_call_free (call);
    }
  while (!g_queue_is_empty (&self->waiting))
    _flow_link_call_fail (g_queue_pop_head (&self->waiting),
                          g_error_new (FLOW_ERROR, FLOW_ERROR_UNAVAILABLE, "%s", message));
}

static void
engine_ended (FlowLinkDebugger *self)
{
  g_autofree char *message = NULL;

  if (self->has_ended)
    return;
  message = describe_end (self);
  self->has_ended = TRUE;
  self->is_opening = FALSE;
  self->is_fetching = FALSE;
  _flow_link_debugger_return_late (self);
  g_clear_pointer (&self->late_state, g_variant_unref);
  g_clear_handle_id (&self->kill_source, g_source_remove);
  self->state->status = FLOW_DEBUG_ENDED;
  self->state->reason = FLOW_STOP_ENGINE_ENDED;
  self->state->error_code = FLOW_ERROR_UNAVAILABLE;
  g_free (self->state->message);
  self->state->message = g_strdup (message);
  _flow_link_debugger_fail_all (self, message);
  flow_debugger_emit_changed (FLOW_DEBUGGER (self));
  flow_debugger_emit_ended (FLOW_DEBUGGER (self), message);
}

static void
process_ended_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  GWeakRef *ref = data;
  g_autoptr (FlowLinkDebugger) self = g_weak_ref_get (ref);

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  if (self != NULL && self->process == G_SUBPROCESS (source))
    engine_ended (self);
  g_weak_ref_clear (ref);
  g_free (ref);
}

static void
state_changed_cb (FlowLinkBusEngine *proxy,
                  GVariant          *state,
                  FlowLinkDebugger  *self)
{
  _flow_link_debugger_set_state (self, state);
}

static void
stopped_cb (FlowLinkBusEngine *proxy,
            GVariant          *state,
            FlowLinkDebugger  *self)
{
  g_autoptr (FlowDebugState) copy = NULL;

  _flow_link_debugger_set_state (self, state);
  if (self->late_state != NULL)
    {
      self->late_stop = TRUE;
      return;
    }
  copy = flow_debug_state_copy (self->state);
  flow_debugger_emit_stopped (FLOW_DEBUGGER (self), copy);
}

static void
graph_changed_cb (FlowLinkBusEngine *proxy,
                  FlowLinkDebugger  *self)
{
  if (self->has_ended)
    return;
  if (self->is_fetching || self->is_opening)
    self->fetch_again = self->script != NULL;
  else
    _flow_link_debugger_fetch_graph (self, NULL, NULL, NULL);
}

static void
runs_changed_cb (FlowLinkBusEngine *proxy,
                 FlowLinkDebugger  *self)
{
  flow_debugger_emit_runs_changed (FLOW_DEBUGGER (self));
}

static void
breakpoints_changed_cb (FlowLinkBusEngine *proxy,
                        FlowLinkDebugger  *self)
{
  flow_debugger_emit_breakpoints_changed (FLOW_DEBUGGER (self));
}

static void
progress_cb (FlowLinkBusEngine *proxy,
             double             fraction,
             const char        *message,
             FlowLinkDebugger  *self)
{
  flow_debugger_emit_progress (FLOW_DEBUGGER (self), fraction, message);
}

static void
logged_cb (FlowLinkBusEngine *proxy,
           guint64            position,
           const char        *text,
           FlowLinkDebugger  *self)
{
  flow_debugger_emit_logged (FLOW_DEBUGGER (self), position, text);
}

static gboolean
kill_cb (gpointer data)
{
  FlowLinkDebugger *self = data;

  self->kill_source = 0;
  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  return G_SOURCE_REMOVE;
}

/* A process that is about to end, or was asked to, has a moment. */
static void
kill_soon (FlowLinkDebugger *self)
{
  if (self->kill_source == 0)
    self->kill_source = g_timeout_add (KILL_AFTER_MS, kill_cb, self);
}

static void
connected_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (FlowLinkDebugger) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_dbus_connection_new_finish (result, &error);

  /* The one that was being started is not wanted any more; another may be on its way. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->starting);
  if (self->has_ended)
    return;
  if (connection != NULL)
    self->proxy = flow_link_bus_engine_proxy_new_sync (connection,
                                                       G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES,
                                                       NULL, "/org/flowstep/Engine", NULL, &error);
  /* The other end is closed because the process ends: how it ended is known a moment later. */
  if (self->proxy == NULL)
    {
      kill_soon (self);
      return;
    }
  /* A movement ends when it ends. */
  g_dbus_proxy_set_default_timeout (G_DBUS_PROXY (self->proxy), G_MAXINT);
  self->connection = g_steal_pointer (&connection);
  g_signal_connect_object (self->proxy, "state-changed", G_CALLBACK (state_changed_cb), self, 0);
  g_signal_connect_object (self->proxy, "stopped", G_CALLBACK (stopped_cb), self, 0);
  g_signal_connect_object (self->proxy, "graph-changed", G_CALLBACK (graph_changed_cb), self, 0);
  g_signal_connect_object (self->proxy, "runs-changed", G_CALLBACK (runs_changed_cb), self, 0);
  g_signal_connect_object (self->proxy, "breakpoints-changed", G_CALLBACK (breakpoints_changed_cb), self, 0);
  g_signal_connect_object (self->proxy, "progress", G_CALLBACK (progress_cb), self, 0);
  g_signal_connect_object (self->proxy, "logged", G_CALLBACK (logged_cb), self, 0);
  while (!g_queue_is_empty (&self->waiting))
    _flow_link_call_send (self, g_queue_pop_head (&self->waiting));
}

gboolean
_flow_link_debugger_start (FlowLinkDebugger  *self,
                           GError           **error)
{
  g_autofree char *path = self->engine_path != NULL ? g_strdup (self->engine_path) : _flow_link_find_engine ();
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketConnection) stream = NULL;
  GWeakRef *ref;
  int fd;

  if (self->script != NULL)
    self->process = _flow_link_start_script (path, self->script, self->script_options, &fd, error);
  else
    self->process = _flow_link_start_engine (path, &fd, error);
  if (self->process == NULL)
    return FALSE;
  if (self->script != NULL)
    self->output = _flow_link_output_new (FLOW_DEBUGGER (self), g_subprocess_get_stdout_pipe (self->process));
  ref = g_new0 (GWeakRef, 1);
  g_weak_ref_init (ref, self);
  g_subprocess_wait_async (self->process, NULL, process_ended_cb, ref);
  socket = g_socket_new_from_fd (fd, error);
  if (socket == NULL)
    return FALSE;
  stream = g_socket_connection_factory_create_connection (socket);
  self->starting = g_cancellable_new ();
  g_dbus_connection_new (G_IO_STREAM (stream), NULL, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                         self->starting, connected_cb, g_object_ref (self));
  return TRUE;
}

void
_flow_link_debugger_drop (FlowLinkDebugger *self)
{
  g_clear_handle_id (&self->kill_source, g_source_remove);
  g_clear_pointer (&self->output, _flow_link_output_free);
  g_clear_pointer (&self->late_state, g_variant_unref);
  _flow_link_debugger_return_late (self);
  self->late_stop = FALSE;
  self->fetch_again = FALSE;
  self->is_fetching = FALSE;
  self->graph_serial = 0;
  if (self->starting != NULL)
    g_cancellable_cancel (self->starting);
  g_clear_object (&self->starting);
  if (self->proxy != NULL)
    g_signal_handlers_disconnect_by_data (self->proxy, self);
  g_clear_object (&self->proxy);
  if (self->connection != NULL)
    g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  g_clear_object (&self->connection);
  /* It ends by itself when the connection does; one that hangs in a kernel does not. */
  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  g_clear_object (&self->process);
}

/* As Ctrl+C does it; a script that catches that, or spins where Python does not look, has a moment. */
void
_flow_link_debugger_interrupt (FlowLinkDebugger *self)
{
  if (self->process == NULL || self->has_ended || self->state->status == FLOW_DEBUG_FINISHED)
    return;
  g_subprocess_send_signal (self->process, SIGINT);
  kill_soon (self);
}
