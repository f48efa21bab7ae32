/* flow-link-debugger.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-debugger-private.h"

#include "flow-link-answer.h"
#include "flow-link-parcel.h"

#include <stdlib.h>

static void debugger_iface_init (FlowDebuggerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowLinkDebugger, flow_link_debugger, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FLOW_TYPE_DEBUGGER, debugger_iface_init))

void
_flow_link_call_free (FlowLinkCall *call)
{
  if (call->cancelled_id != 0)
    g_cancellable_disconnect (call->cancellable, call->cancelled_id);
  g_clear_object (&call->cancellable);
  g_clear_object (&call->task);
  g_clear_pointer (&call->arguments, g_variant_unref);
  g_clear_pointer (&call->tensors, g_ptr_array_unref);
  g_free (call->method);
  g_free (call);
}

/* {{{ State */

static void
take_state (FlowLinkDebugger *self,
            FlowDebugState   *state)
{
  if (self->has_ended)
    {
      flow_debug_state_free (state);
      return;
    }
  g_clear_pointer (&self->state, flow_debug_state_free);
  self->state = state;
  if (state->status == FLOW_DEBUG_FINISHED || state->status == FLOW_DEBUG_FAILED)
    g_clear_handle_id (&self->kill_source, g_source_remove);
  flow_debugger_emit_changed (FLOW_DEBUGGER (self));
}

void
_flow_link_debugger_set_state (FlowLinkDebugger *self,
                               GVariant         *variant)
{
  /* Where a script stands is shown in the graph in which it stands. */
  if (self->is_fetching && self->script != NULL)
    {
      g_clear_pointer (&self->late_state, g_variant_unref);
      self->late_state = g_variant_ref (variant);
      return;
    }
  take_state (self, flow_debug_state_from_variant (variant));
}

/* }}} */
/* {{{ Answers */

void
_flow_link_call_fail (FlowLinkCall *call,
                      GError       *error)
{
  g_task_return_error (call->task, error);
  _flow_link_call_free (call);
}

void
_flow_link_call_reply (FlowLinkDebugger *self,
                       FlowLinkCall     *call,
                       GVariant         *value,
                       GPtrArray        *tensors)
{
  FlowDebuggerReply *reply = g_new0 (FlowDebuggerReply, 1);

  _flow_link_journal_note (self->journal, call->method, call->arguments, call->tensors, call->position);
  reply->value = g_variant_ref (value);
  reply->tensors = tensors != NULL && tensors->len > 0 ? g_ptr_array_ref (tensors) : NULL;
  g_task_return_pointer (call->task, reply, (GDestroyNotify) flow_debugger_reply_free);
  _flow_link_call_free (call);
}

/* Reads what came back; NULL with the engine's or the link's error. */
GVariant *
_flow_link_debugger_read (FlowLinkDebugger  *self,
                          GObject           *source,
                          GAsyncResult      *result,
                          GPtrArray        **tensors,
                          GError           **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) head = NULL;
  g_autoptr (GVariant) inline_bytes = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) state = NULL;
  GVariant *value;

  if (!flow_link_bus_engine_call_invoke_finish (FLOW_LINK_BUS_ENGINE (source), &head, &inline_bytes, &fds, result, error))
    return NULL;
  if (!_flow_link_parcel_unpack (head, inline_bytes, fds, &answer, tensors, error))
    return NULL;
  value = _flow_link_answer_open (answer, &state, error);
  if (state != NULL)
    _flow_link_debugger_set_state (self, state);
  return value;
}

gboolean
_flow_link_debugger_send (FlowLinkDebugger     *self,
                          guint64               serial,
                          const char           *method,
                          GVariant             *arguments,
                          GPtrArray            *tensors,
                          GAsyncReadyCallback   callback,
                          gpointer              data,
                          GError              **error)
{
  FlowLinkParcel parcel;

  if (!_flow_link_parcel_pack (arguments, tensors, &parcel, error))
    return FALSE;
  flow_link_bus_engine_call_invoke (self->proxy, serial, method, parcel.head, parcel.inline_bytes,
                                    parcel.fds, NULL, callback, data);
  _flow_link_parcel_clear (&parcel);
  return TRUE;
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  FlowLinkCall *call = data;
  g_autoptr (FlowLinkDebugger) self = g_object_ref (g_task_get_source_object (call->task));
  g_autoptr (GPtrArray) tensors = NULL;
  g_autoptr (GVariant) value = NULL;
  GError *error = NULL;

  /* A connection breaks because the engine ends: how it ended is known a moment later. */
  if (g_hash_table_contains (self->calls, call) && g_dbus_connection_is_closed (g_dbus_proxy_get_connection (G_DBUS_PROXY (source)))
      && !self->has_ended)
    {
      flow_link_bus_engine_call_invoke_finish (FLOW_LINK_BUS_ENGINE (source), NULL, NULL, NULL, result, NULL);
      call->is_orphan = TRUE;
      /* One that only hung up must not keep us waiting. */
      g_subprocess_force_exit (self->process);
      return;
    }
  /* The engine's end is reported once, for all calls, when it is noticed. */
  if (!g_hash_table_remove (self->calls, call))
    {
      flow_link_bus_engine_call_invoke_finish (FLOW_LINK_BUS_ENGINE (source), NULL, NULL, NULL, result, NULL);
      _flow_link_call_free (call);
      return;
    }
  value = _flow_link_debugger_read (self, source, result, &tensors, &error);
  if (value == NULL)
    {
      if (g_str_equal (call->method, "Open"))
        self->is_opening = FALSE;
      _flow_link_call_fail (call, error);
    }
  else if (g_str_equal (call->method, "Open"))
    _flow_link_debugger_fetch_graph (self, call, value, tensors);
  else if (self->is_fetching && self->script != NULL)
    _flow_link_debugger_keep_late (self, call, value, tensors);
  else
    _flow_link_call_reply (self, call, value, tensors);
}

/* }}} */
/* {{{ FlowDebugger */

static void
cancelled_cb (GCancellable *cancellable,
              FlowLinkCall *call)
{
  FlowLinkDebugger *self = g_task_get_source_object (call->task);

  if (self->proxy != NULL)
    flow_link_bus_engine_call_cancel (self->proxy, call->serial, NULL, NULL, NULL);
}

void
_flow_link_call_send (FlowLinkDebugger *self,
                      FlowLinkCall     *call)
{
  GError *error = NULL;

  /* Cancelled while the engine was being started: it never hears of it. */
  if (g_cancellable_set_error_if_cancelled (call->cancellable, &error))
    {
      if (g_str_equal (call->method, "Open"))
        self->is_opening = FALSE;
      _flow_link_call_fail (call, error);
      return;
    }
  call->serial = ++self->serial;
  g_hash_table_add (self->calls, call);
  if (!_flow_link_debugger_send (self, call->serial, call->method, call->arguments, call->tensors, answered_cb, call, &error))
    {
      g_hash_table_remove (self->calls, call);
      _flow_link_call_fail (call, error);
    }
}

/* A script's process is its engine, and that of nothing else. */
static void
choose_engine (FlowLinkDebugger *self,
               GVariant         *arguments)
{
  const char *path = NULL;
  g_autoptr (GVariant) options = NULL;
  gboolean is_script = FALSE;

  if (!g_variant_is_of_type (arguments, G_VARIANT_TYPE ("(sa{sv})")))
    return;
  g_variant_get (arguments, "(&s@a{sv})", &path, &options);
  is_script = g_str_has_suffix (path, ".py");
  if (is_script || self->script != NULL)
    {
      _flow_link_debugger_fail_all (self, "another file is opened");
      _flow_link_debugger_drop (self);
      _flow_link_debugger_forget_state (self);
    }
  g_clear_pointer (&self->script, g_free);
  g_clear_pointer (&self->script_options, g_variant_unref);
  if (is_script)
    {
      self->script = g_strdup (path);
      self->script_options = g_steal_pointer (&options);
    }
}

static void
flow_link_debugger_call_async (FlowDebugger        *debugger,
                               const char          *method,
                               GVariant            *arguments,
                               GPtrArray           *tensors,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             data)
{
  FlowLinkDebugger *self = FLOW_LINK_DEBUGGER (debugger);
  FlowLinkCall *call = g_new0 (FlowLinkCall, 1);
  GError *error = NULL;

  call->task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (call->task, flow_link_debugger_call_async);
  /* The engine says itself that a call was cancelled; it may have been done all the same. */
  g_task_set_check_cancellable (call->task, FALSE);
  call->method = g_strdup (method);
  call->arguments = g_variant_ref (arguments);
  call->tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  call->position = self->state->position;
  if (cancellable != NULL)
    {
      call->cancellable = g_object_ref (cancellable);
      call->cancelled_id = g_signal_connect (cancellable, "cancelled", G_CALLBACK (cancelled_cb), call);
    }
  if (g_str_equal (method, "Open"))
    choose_engine (self, arguments);
  if (self->has_ended)
    {
      _flow_link_call_fail (call, g_error_new (FLOW_ERROR, FLOW_ERROR_UNAVAILABLE, "%s", self->state->message));
      return;
    }
  if (self->process == NULL && !_flow_link_debugger_start (self, &error))
    {
      _flow_link_call_fail (call, error);
      return;
    }
  if (g_str_equal (method, "Open"))
    self->is_opening = TRUE;
  if (self->proxy == NULL)
    g_queue_push_tail (&self->waiting, call);
  else
    _flow_link_call_send (self, call);
  if (self->script != NULL && g_str_equal (method, "Stop"))
    _flow_link_debugger_interrupt (self);
}

static FlowGraph *
flow_link_debugger_get_graph (FlowDebugger *debugger)
{
  return FLOW_LINK_DEBUGGER (debugger)->graph;
}

static FlowDebugState *
flow_link_debugger_dup_state (FlowDebugger *debugger)
{
  return flow_debug_state_copy (FLOW_LINK_DEBUGGER (debugger)->state);
}

static void
debugger_iface_init (FlowDebuggerInterface *iface)
{
  iface->call_async = flow_link_debugger_call_async;
  iface->get_graph = flow_link_debugger_get_graph;
  iface->dup_state = flow_link_debugger_dup_state;
}

/* }}} */

static FlowDebugState *
empty_state (void)
{
  FlowDebugState *state = g_new0 (FlowDebugState, 1);

  state->next_node = FLOW_NODE_NONE;
  state->stop_node = FLOW_NODE_NONE;
  return state;
}

/* The next engine knows nothing. Nobody is told: who asked now would start it before it is opened. */
void
_flow_link_debugger_forget_state (FlowLinkDebugger *self)
{
  self->has_ended = FALSE;
  flow_debug_state_free (self->state);
  self->state = empty_state ();
}

static void
flow_link_debugger_dispose (GObject *object)
{
  FlowLinkDebugger *self = FLOW_LINK_DEBUGGER (object);

  _flow_link_debugger_drop (self);
  _flow_link_debugger_fail_all (self, "the debugger is gone");
  g_clear_object (&self->graph);

  G_OBJECT_CLASS (flow_link_debugger_parent_class)->dispose (object);
}

static void
flow_link_debugger_finalize (GObject *object)
{
  FlowLinkDebugger *self = FLOW_LINK_DEBUGGER (object);

  g_free (self->engine_path);
  g_free (self->script);
  g_clear_pointer (&self->script_options, g_variant_unref);
  g_hash_table_unref (self->calls);
  flow_debug_state_free (self->state);
  _flow_link_journal_free (self->journal);

  G_OBJECT_CLASS (flow_link_debugger_parent_class)->finalize (object);
}

static void
flow_link_debugger_class_init (FlowLinkDebuggerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = flow_link_debugger_dispose;
  object_class->finalize = flow_link_debugger_finalize;
}

static void
flow_link_debugger_init (FlowLinkDebugger *self)
{
  g_queue_init (&self->waiting);
  g_queue_init (&self->late_replies);
  self->calls = g_hash_table_new (NULL, NULL);
  self->state = empty_state ();
  self->journal = _flow_link_journal_new ();
}

/**
 * flow_link_debugger_new:
 * @engine_path: (nullable): the engine program; %NULL takes `flowstep-engine` beside this program, or
 *   the installed one
 *
 * Returns: (transfer full): a debugger whose engine is started with the first call
 */
FlowDebugger *
flow_link_debugger_new (const char *engine_path)
{
  FlowLinkDebugger *self = g_object_new (FLOW_TYPE_LINK_DEBUGGER, NULL);

  self->engine_path = g_strdup (engine_path);
  return FLOW_DEBUGGER (self);
}

/**
 * flow_link_debugger_get_pid:
 * @self: a debugger
 *
 * Returns: the engine's process id, 0 while there is none
 */
int
flow_link_debugger_get_pid (FlowLinkDebugger *self)
{
  const char *text;

  g_return_val_if_fail (FLOW_IS_LINK_DEBUGGER (self), 0);

  text = self->process != NULL ? g_subprocess_get_identifier (self->process) : NULL;
  return text != NULL ? atoi (text) : 0;
}
