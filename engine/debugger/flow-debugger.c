/* flow-debugger.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debugger.h"

/* The interface that the window, the command line and the tests drive; see flow-debugger.h for its
 * methods. What is here serves every implementation: signals, the typed calls over the one door, and
 * the form of what goes through it. */

enum {
  CHANGED,
  STOPPED,
  GRAPH_CHANGED,
  RUNS_CHANGED,
  BREAKPOINTS_CHANGED,
  PROGRESS,
  LOGGED,
  ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_INTERFACE (FlowDebugger, flow_debugger, G_TYPE_OBJECT)

static guint
plain_signal (const char *name,
              guint       n_params,
              GType       first,
              GType       second)
{
  return g_signal_new (name, FLOW_TYPE_DEBUGGER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, n_params, first, second);
}

/* What a task of call_async() was given: all implementations answer by one. */
static FlowDebuggerReply *
default_call_finish (FlowDebugger  *self,
                     GAsyncResult  *result,
                     GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
flow_debugger_default_init (FlowDebuggerInterface *iface)
{
  iface->call_finish = default_call_finish;
  /**
   * FlowDebugger::changed:
   * @self: the debugger
   *
   * flow_debugger_dup_state() has something new to say.
   */
  signals[CHANGED] = plain_signal ("changed", 0, 0, 0);
  /**
   * FlowDebugger::stopped:
   * @self: the debugger
   * @state: where it stands
   *
   * A movement has ended.
   */
  signals[STOPPED] = plain_signal ("stopped", 1, FLOW_TYPE_DEBUG_STATE | G_SIGNAL_TYPE_STATIC_SCOPE, 0);
  /**
   * FlowDebugger::graph-changed:
   * @self: the debugger
   *
   * Another graph was opened.
   */
  signals[GRAPH_CHANGED] = plain_signal ("graph-changed", 0, 0, 0);
  /**
   * FlowDebugger::runs-changed:
   * @self: the debugger
   *
   * The list of runs is another.
   */
  signals[RUNS_CHANGED] = plain_signal ("runs-changed", 0, 0, 0);
  /**
   * FlowDebugger::breakpoints-changed:
   * @self: the debugger
   *
   * A breakpoint was added, removed, switched or hit.
   */
  signals[BREAKPOINTS_CHANGED] = plain_signal ("breakpoints-changed", 0, 0, 0);
  /**
   * FlowDebugger::progress:
   * @self: the debugger
   * @fraction: 0 to 1, -1 where it cannot be known
   * @message: what is being done; empty at its end
   */
  signals[PROGRESS] = plain_signal ("progress", 2, G_TYPE_DOUBLE, G_TYPE_STRING);
  /**
   * FlowDebugger::logged:
   * @self: the debugger
   * @position: ops executed so far
   * @text: what a log point or an op printed
   */
  signals[LOGGED] = plain_signal ("logged", 2, G_TYPE_UINT64, G_TYPE_STRING);
  /**
   * FlowDebugger::ended:
   * @self: the debugger
   * @text: what ended, and at which op
   *
   * The engine process is gone; nothing can be asked until it is started again.
   */
  signals[ENDED] = plain_signal ("ended", 1, G_TYPE_STRING, 0);
}

/**
 * flow_debugger_reply_free: (skip)
 * @self: (transfer full): a reply
 */
void
flow_debugger_reply_free (FlowDebuggerReply *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->value, g_variant_unref);
  g_clear_pointer (&self->tensors, g_ptr_array_unref);
  g_free (self);
}

/**
 * flow_debugger_get_graph:
 * @self: a debugger
 *
 * Returns: (transfer none) (nullable): the graph that is open
 */
FlowGraph *
flow_debugger_get_graph (FlowDebugger *self)
{
  g_return_val_if_fail (FLOW_IS_DEBUGGER (self), NULL);

  return FLOW_DEBUGGER_GET_IFACE (self)->get_graph (self);
}

/**
 * flow_debugger_dup_state:
 * @self: a debugger
 *
 * Returns: (transfer full): where it stands; never waits
 */
FlowDebugState *
flow_debugger_dup_state (FlowDebugger *self)
{
  g_return_val_if_fail (FLOW_IS_DEBUGGER (self), NULL);

  return FLOW_DEBUGGER_GET_IFACE (self)->dup_state (self);
}

/**
 * flow_debugger_call_async: (skip)
 * @self: a debugger
 * @method: a method of the table in flow-debugger.h
 * @arguments: (nullable): its arguments, a tuple; a floating one is consumed
 * @tensors: (nullable) (element-type FlowTensor): tensors that go with them
 * @cancellable: (nullable): to give up on it
 * @callback: called when it is answered
 * @data: for @callback
 */
void
flow_debugger_call_async (FlowDebugger        *self,
                          const char          *method,
                          GVariant            *arguments,
                          GPtrArray           *tensors,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  g_autoptr (GVariant) owned = NULL;

  g_return_if_fail (FLOW_IS_DEBUGGER (self) && method != NULL);

  owned = g_variant_ref_sink (arguments != NULL ? arguments : g_variant_new ("()"));
  FLOW_DEBUGGER_GET_IFACE (self)->call_async (self, method, owned, tensors, cancellable, callback, data);
}

/**
 * flow_debugger_call_finish: (skip)
 * @self: a debugger
 * @result: what the callback was given
 * @error: where to put an error
 *
 * Returns: (transfer full): the answer; %NULL with the engine's error
 */
FlowDebuggerReply *
flow_debugger_call_finish (FlowDebugger  *self,
                           GAsyncResult  *result,
                           GError       **error)
{
  g_return_val_if_fail (FLOW_IS_DEBUGGER (self), NULL);

  return FLOW_DEBUGGER_GET_IFACE (self)->call_finish (self, result, error);
}

static void
store_result_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  GAsyncResult **where = data;

  *where = g_object_ref (result);
}

/**
 * flow_debugger_call_sync: (skip)
 * @self: a debugger
 * @method: a method of the table in flow-debugger.h
 * @arguments: (nullable): its arguments, a tuple; a floating one is consumed
 * @tensors: (nullable) (element-type FlowTensor): tensors that go with them
 * @cancellable: (nullable): to give up on it
 * @error: where to put an error
 *
 * For the command line and tests: turns the thread's main context until the answer is there.
 *
 * Returns: (transfer full): the answer; %NULL with the engine's error
 */
FlowDebuggerReply *
flow_debugger_call_sync (FlowDebugger  *self,
                         const char    *method,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GCancellable  *cancellable,
                         GError       **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  GMainContext *context = g_main_context_get_thread_default ();

  flow_debugger_call_async (self, method, arguments, tensors, cancellable, store_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (context, TRUE);
  return flow_debugger_call_finish (self, result, error);
}

/**
 * flow_debugger_open_async:
 * @self: a debugger
 * @path: a graph, a SavedModel folder or a run file
 * @options: (nullable): `a{sv}`: tags as, checkpoint s, allow as
 * @cancellable: (nullable): to give up on it
 * @callback: called when it is open
 * @data: for @callback
 */
void
flow_debugger_open_async (FlowDebugger        *self,
                          const char          *path,
                          GVariant            *options,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  g_return_if_fail (path != NULL);

  if (options == NULL)
    options = g_variant_new ("a{sv}", NULL);
  flow_debugger_call_async (self, "Open", g_variant_new ("(s@a{sv})", path, options), NULL, cancellable, callback, data);
}

/**
 * flow_debugger_open_finish:
 * @self: a debugger
 * @result: what the callback was given
 * @error: where to put an error
 *
 * Returns: (transfer full): `a{sv}`: kind s, problems aa{sv}; %NULL with the error
 */
GVariant *
flow_debugger_open_finish (FlowDebugger  *self,
                           GAsyncResult  *result,
                           GError       **error)
{
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (self, result, error);

  return reply != NULL ? g_variant_get_child_value (reply->value, 0) : NULL;
}

/**
 * flow_debugger_move_async:
 * @self: a debugger
 * @movement: what to do
 * @argument: (nullable): what it needs: a scope, a node, a number
 * @cancellable: (nullable): to give up waiting; flow_debugger_pause() ends the movement itself
 * @callback: called when it has stopped
 * @data: for @callback
 */
void
flow_debugger_move_async (FlowDebugger        *self,
                          FlowMovement         movement,
                          const char          *argument,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  flow_debugger_call_async (self, "Move", g_variant_new ("(us)", (guint) movement, argument != NULL ? argument : ""),
                            NULL, cancellable, callback, data);
}

/**
 * flow_debugger_move_finish:
 * @self: a debugger
 * @result: what the callback was given
 * @error: where to put an error
 *
 * Returns: (transfer full): where it stopped and why; %NULL with an error if it could not begin. An
 *   op that fails is no error here but a reason to stop.
 */
FlowDebugState *
flow_debugger_move_finish (FlowDebugger  *self,
                           GAsyncResult  *result,
                           GError       **error)
{
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (self, result, error);
  g_autoptr (GVariant) state = NULL;

  if (reply == NULL)
    return NULL;
  state = g_variant_get_child_value (reply->value, 0);
  return flow_debug_state_from_variant (state);
}

/**
 * flow_debugger_pause:
 * @self: a debugger
 *
 * Asks a movement to stop before its next op. Returns at once.
 */
void
flow_debugger_pause (FlowDebugger *self)
{
  flow_debugger_call_async (self, "Pause", NULL, NULL, NULL, NULL, NULL);
}

/**
 * flow_debugger_get_value_async:
 * @self: a debugger
 * @tensor: `node:slot`
 * @position: at which position, %G_MAXUINT64 for now
 * @cancellable: (nullable): to give up on it
 * @callback: called when it is there
 * @data: for @callback
 */
void
flow_debugger_get_value_async (FlowDebugger        *self,
                               const char          *tensor,
                               guint64              position,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             data)
{
  g_return_if_fail (tensor != NULL);

  flow_debugger_call_async (self, "GetValue", g_variant_new ("(st)", tensor, position), NULL, cancellable, callback, data);
}

/**
 * flow_debugger_get_value_finish:
 * @self: a debugger
 * @result: what the callback was given
 * @info: (out) (transfer full) (optional) (nullable): `a{sv}` as one entry of Inspect
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): the tensor; %NULL without an error where there is none: @info
 *   says whether it is dead, not computed, dropped or uninitialised
 */
FlowTensor *
flow_debugger_get_value_finish (FlowDebugger  *self,
                                GAsyncResult  *result,
                                GVariant     **info,
                                GError       **error)
{
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (self, result, error);

  if (info != NULL)
    *info = NULL;
  if (reply == NULL)
    return NULL;
  if (info != NULL)
    *info = g_variant_get_child_value (reply->value, 0);
  if (reply->tensors == NULL || reply->tensors->len == 0)
    return NULL;
  return flow_tensor_ref (reply->tensors->pdata[0]);
}

/**
 * flow_debugger_emit_changed: (skip)
 * @self: an implementation
 */
void
flow_debugger_emit_changed (FlowDebugger *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * flow_debugger_emit_stopped: (skip)
 * @self: an implementation
 * @state: where it stands
 */
void
flow_debugger_emit_stopped (FlowDebugger         *self,
                            const FlowDebugState *state)
{
  g_signal_emit (self, signals[STOPPED], 0, state);
}

/**
 * flow_debugger_emit_graph_changed: (skip)
 * @self: an implementation
 */
void
flow_debugger_emit_graph_changed (FlowDebugger *self)
{
  g_signal_emit (self, signals[GRAPH_CHANGED], 0);
}

/**
 * flow_debugger_emit_runs_changed: (skip)
 * @self: an implementation
 */
void
flow_debugger_emit_runs_changed (FlowDebugger *self)
{
  g_signal_emit (self, signals[RUNS_CHANGED], 0);
}

/**
 * flow_debugger_emit_breakpoints_changed: (skip)
 * @self: an implementation
 */
void
flow_debugger_emit_breakpoints_changed (FlowDebugger *self)
{
  g_signal_emit (self, signals[BREAKPOINTS_CHANGED], 0);
}

/**
 * flow_debugger_emit_progress: (skip)
 * @self: an implementation
 * @fraction: 0 to 1, -1 unknown
 * @message: what is being done, empty at its end
 */
void
flow_debugger_emit_progress (FlowDebugger *self,
                             double        fraction,
                             const char   *message)
{
  g_signal_emit (self, signals[PROGRESS], 0, fraction, message);
}

/**
 * flow_debugger_emit_logged: (skip)
 * @self: an implementation
 * @position: ops executed so far
 * @text: what was printed
 */
void
flow_debugger_emit_logged (FlowDebugger *self,
                           guint64       position,
                           const char   *text)
{
  g_signal_emit (self, signals[LOGGED], 0, position, text);
}

/**
 * flow_debugger_emit_ended: (skip)
 * @self: an implementation
 * @text: what ended where
 */
void
flow_debugger_emit_ended (FlowDebugger *self,
                          const char   *text)
{
  g_signal_emit (self, signals[ENDED], 0, text);
}
