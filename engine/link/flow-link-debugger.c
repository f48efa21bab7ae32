/* flow-link-debugger.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link.h"

#include "flow-engine-bus.h"
#include "flow-link-answer.h"
#include "flow-link-journal.h"
#include "flow-link-output.h"
#include "flow-link-parcel.h"
#include "flow-link-process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* How long a script has to end after it was interrupted. */
#define KILL_AFTER_MS 3000

struct _FlowLinkDebugger
{
  GObject parent_instance;

  /* owned */
  char *engine_path;
  GSubprocess *process;
  GDBusConnection *connection;
  FlowLinkBusEngine *proxy;    /* NULL until the engine answers */
  GCancellable *starting;      /* while it is being started */
  GQueue waiting;              /* of Call, until the proxy is there */
  GHashTable *calls;           /* Call: asked and not answered */
  FlowGraph *graph;
  FlowDebugState *state;
  FlowLinkJournal *journal;
  guint64 serial;

  guint64 graph_serial;        /* of the graph at hand, by the engine's count */
  FlowLinkOutput *output;      /* what the script prints; NULL without one */
  char *script;                /* NULL: the engine is flowstep-engine */
  GVariant *script_options;
  GVariant *late_state;        /* speaks of nodes that are on their way */
  GQueue late_replies;         /* of LateReply: they speak of these too */
  guint kill_source;           /* a script that was interrupted has until then */

  guint has_ended : 1;
  guint is_opening : 1;        /* Open fetches the graph itself */
  guint is_fetching : 1;
  guint fetch_again : 1;       /* the graph has grown since it was asked for */
  guint late_stop : 1;
};

static void debugger_iface_init (FlowDebuggerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowLinkDebugger, flow_link_debugger, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FLOW_TYPE_DEBUGGER, debugger_iface_init))

/* A call on its way. The task holds the debugger. */
typedef struct {
  GTask *task;
  char *method;
  GVariant *arguments;
  GPtrArray *tensors;
  guint64 serial;
  guint64 position;            /* of the debugger when it was asked */
  GCancellable *cancellable;
  gulong cancelled_id;
  gboolean is_orphan;          /* the connection broke; the engine's end will say why */
} Call;

static void
call_free (Call *call)
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

static void
set_state_from (FlowLinkDebugger *self,
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

static void
return_error (Call   *call,
              GError *error)
{
  g_task_return_error (call->task, error);
  call_free (call);
}

static void
return_reply (FlowLinkDebugger *self,
              Call             *call,
              GVariant         *value,
              GPtrArray        *tensors)
{
  FlowDebuggerReply *reply = g_new0 (FlowDebuggerReply, 1);

  _flow_link_journal_note (self->journal, call->method, call->arguments, call->tensors, call->position);
  reply->value = g_variant_ref (value);
  reply->tensors = tensors != NULL && tensors->len > 0 ? g_ptr_array_ref (tensors) : NULL;
  g_task_return_pointer (call->task, reply, (GDestroyNotify) flow_debugger_reply_free);
  call_free (call);
}

/* Reads what came back; NULL with the engine's or the link's error. */
static GVariant *
read_answer (FlowLinkDebugger *self,
             GObject          *source,
             GAsyncResult     *result,
             GPtrArray       **tensors,
             GError          **error)
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
    set_state_from (self, state);
  return value;
}

typedef struct {
  Call *call;
  GVariant *value;
  GPtrArray *tensors;
} LateReply;

typedef struct {
  FlowLinkDebugger *self;
  GSubprocess *process;        /* the one that was asked */
  Call *open;                  /* nullable: the Open that waits for the graph */
  GVariant *open_value;
  GPtrArray *open_tensors;
  GVariant *value;
  GPtrArray *tensors;
} GraphFetch;

static void
graph_fetch_free (GraphFetch *fetch)
{
  g_clear_object (&fetch->self);
  g_clear_object (&fetch->process);
  g_clear_pointer (&fetch->open_value, g_variant_unref);
  g_clear_pointer (&fetch->open_tensors, g_ptr_array_unref);
  g_clear_pointer (&fetch->value, g_variant_unref);
  g_clear_pointer (&fetch->tensors, g_ptr_array_unref);
  g_free (fetch);
}

static void fetch_graph (FlowLinkDebugger *self, Call *open, GVariant *value, GPtrArray *tensors);

static void
return_late (FlowLinkDebugger *self)
{
  LateReply *late = NULL;

  while ((late = g_queue_pop_head (&self->late_replies)) != NULL)
    {
      return_reply (self, late->call, late->value, late->tensors);
      g_variant_unref (late->value);
      g_clear_pointer (&late->tensors, g_ptr_array_unref);
      g_free (late);
    }
}

/* What came while the graph was on its way. */
static void
catch_up (FlowLinkDebugger *self)
{
  g_autoptr (GVariant) late = g_steal_pointer (&self->late_state);
  g_autoptr (FlowDebugState) copy = NULL;
  gboolean stop = self->late_stop;

  self->late_stop = FALSE;
  if (self->fetch_again && !self->has_ended && self->proxy != NULL)
    {
      self->fetch_again = FALSE;
      self->late_state = g_steal_pointer (&late);
      self->late_stop = stop;
      fetch_graph (self, NULL, NULL, NULL);
      return;
    }
  if (late != NULL)
    {
      set_state_from (self, late);
      copy = flow_debug_state_copy (self->state);
      if (stop)
        flow_debugger_emit_stopped (FLOW_DEBUGGER (self), copy);
    }
  return_late (self);
}

/* Takes @graph and @error. */
static void
graph_fetch_end (GraphFetch *fetch,
                 FlowGraph  *graph,
                 GError     *error)
{
  g_autoptr (FlowLinkDebugger) self = g_object_ref (fetch->self);

  /* What an engine that is gone gave is of no interest. */
  if (fetch->process != self->process)
    g_clear_object (&graph);
  else
    self->is_fetching = FALSE;
  if (graph != NULL)
    {
      g_set_object (&self->graph, graph);
      g_object_unref (graph);
      flow_debugger_emit_graph_changed (FLOW_DEBUGGER (self));
    }
  if (fetch->open != NULL)
    {
      self->is_opening = FALSE;
      if (error != NULL)
        return_error (fetch->open, g_steal_pointer (&error));
      else
        return_reply (self, fetch->open, fetch->open_value, fetch->open_tensors);
    }
  g_clear_error (&error);
  graph_fetch_free (fetch);
  catch_up (self);
}

static void
parse_graph_worker (GTask        *task,
                    gpointer      source,
                    gpointer      data,
                    GCancellable *cancellable)
{
  GraphFetch *fetch = data;
  GError *error = NULL;
  FlowGraph *graph = _flow_link_graph_unpack (fetch->value, fetch->tensors, &error);

  if (graph != NULL)
    g_task_return_pointer (task, graph, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
graph_parsed_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  GError *error = NULL;
  FlowGraph *graph = g_task_propagate_pointer (G_TASK (result), &error);

  graph_fetch_end (data, graph, error);
}

static void
graph_answered_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      data)
{
  GraphFetch *fetch = data;
  GError *error = NULL;
  g_autoptr (GTask) task = NULL;

  FlowLinkDebugger *self = fetch->self;
  g_autoptr (GVariant) value = read_answer (self, source, result, &fetch->tensors, &error);
  guint64 serial = 0;
  guint first = 0;

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE ("(tuv)")))
    g_variant_get (value, "(tuv)", &serial, &first, &fetch->value);
  else if (value != NULL)
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine's graph cannot be read");
  if (error != NULL)
    {
      graph_fetch_end (fetch, NULL, error);
      return;
    }
  /* A range is small, and views follow the graph that they have. */
  if (first > 0 && serial == self->graph_serial && self->graph != NULL && first == flow_graph_get_n_nodes (self->graph))
    {
      if (!_flow_link_graph_extend (self->graph, fetch->value, fetch->tensors, &error))
        graph_fetch_end (fetch, NULL, error);
      else
        graph_fetch_end (fetch, g_object_ref (self->graph), NULL);
      return;
    }
  self->graph_serial = serial;
  task = g_task_new (fetch->self, NULL, graph_parsed_cb, fetch);
  g_task_set_source_tag (task, graph_answered_cb);
  g_task_set_task_data (task, fetch, NULL);
  g_task_run_in_thread (task, parse_graph_worker);
}

static gboolean
send_call (FlowLinkDebugger    *self,
           guint64              serial,
           const char          *method,
           GVariant            *arguments,
           GPtrArray           *tensors,
           GAsyncReadyCallback  callback,
           gpointer             data,
           GError             **error)
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
fetch_graph (FlowLinkDebugger *self,
             Call             *open,
             GVariant         *value,
             GPtrArray        *tensors)
{
  GraphFetch *fetch = g_new0 (GraphFetch, 1);
  guint have = self->graph != NULL ? flow_graph_get_n_nodes (self->graph) : 0;
  g_autoptr (GVariant) arguments = g_variant_ref_sink (g_variant_new ("(tu)", self->graph_serial, have));
  GError *error = NULL;

  self->is_fetching = TRUE;
  fetch->self = g_object_ref (self);
  fetch->process = g_object_ref (self->process);
  fetch->open = open;
  fetch->open_value = value != NULL ? g_variant_ref (value) : NULL;
  fetch->open_tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  if (!send_call (self, ++self->serial, FLOW_LINK_METHOD_GRAPH, arguments, NULL, graph_answered_cb, fetch, &error))
    graph_fetch_end (fetch, NULL, error);
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  Call *call = data;
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
      call_free (call);
      return;
    }
  value = read_answer (self, source, result, &tensors, &error);
  if (value == NULL)
    {
      if (g_str_equal (call->method, "Open"))
        self->is_opening = FALSE;
      return_error (call, error);
    }
  else if (g_str_equal (call->method, "Open"))
    fetch_graph (self, call, value, tensors);
  else if (self->is_fetching && self->script != NULL)
    {
      LateReply *late = g_new0 (LateReply, 1);

      late->call = call;
      late->value = g_variant_ref (value);
      late->tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
      g_queue_push_tail (&self->late_replies, late);
    }
  else
    return_reply (self, call, value, tensors);
}

/* }}} */
/* {{{ The engine process */

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
  if (state->run != NULL)
    g_string_append_printf (text, " of run %s, position %" G_GUINT64_FORMAT, state->run, state->position);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Everything that was asked of an engine that is gone gets this answer. */
static void
fail_all (FlowLinkDebugger *self,
          const char       *message)
{
  g_autoptr (GList) calls = g_hash_table_get_keys (self->calls);

  g_hash_table_remove_all (self->calls);
  for (GList *l = calls; l != NULL; l = l->next)
    {
      Call *call = l->data;

      g_task_return_new_error (call->task, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE, "%s", message);
      if (call->is_orphan)
        call_free (call);
    }
  while (!g_queue_is_empty (&self->waiting))
    return_error (g_queue_pop_head (&self->waiting),
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
  return_late (self);
  g_clear_pointer (&self->late_state, g_variant_unref);
  g_clear_handle_id (&self->kill_source, g_source_remove);
  self->state->status = FLOW_DEBUG_ENDED;
  self->state->reason = FLOW_STOP_ENGINE_ENDED;
  self->state->error_code = FLOW_ERROR_UNAVAILABLE;
  g_free (self->state->message);
  self->state->message = g_strdup (message);
  fail_all (self, message);
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
  set_state_from (self, state);
}

static void
stopped_cb (FlowLinkBusEngine *proxy,
            GVariant          *state,
            FlowLinkDebugger  *self)
{
  g_autoptr (FlowDebugState) copy = NULL;

  set_state_from (self, state);
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
    fetch_graph (self, NULL, NULL, NULL);
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

static void call_send (FlowLinkDebugger *self, Call *call);

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
  if (self->proxy == NULL)
    {
      engine_ended (self);
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
    call_send (self, g_queue_pop_head (&self->waiting));
}

static gboolean
start_engine (FlowLinkDebugger  *self,
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

/* }}} */
/* {{{ FlowDebugger */

static void
cancelled_cb (GCancellable *cancellable,
              Call         *call)
{
  FlowLinkDebugger *self = g_task_get_source_object (call->task);

  if (self->proxy != NULL)
    flow_link_bus_engine_call_cancel (self->proxy, call->serial, NULL, NULL, NULL);
}

static void
call_send (FlowLinkDebugger *self,
           Call             *call)
{
  GError *error = NULL;

  /* Cancelled while the engine was being started: it never hears of it. */
  if (g_cancellable_set_error_if_cancelled (call->cancellable, &error))
    {
      if (g_str_equal (call->method, "Open"))
        self->is_opening = FALSE;
      return_error (call, error);
      return;
    }
  call->serial = ++self->serial;
  g_hash_table_add (self->calls, call);
  if (!send_call (self, call->serial, call->method, call->arguments, call->tensors, answered_cb, call, &error))
    {
      g_hash_table_remove (self->calls, call);
      return_error (call, error);
    }
}

static void drop_engine (FlowLinkDebugger *self);
static void forget_state (FlowLinkDebugger *self);

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
      fail_all (self, "another file is opened");
      drop_engine (self);
      forget_state (self);
    }
  g_clear_pointer (&self->script, g_free);
  g_clear_pointer (&self->script_options, g_variant_unref);
  if (is_script)
    {
      self->script = g_strdup (path);
      self->script_options = g_steal_pointer (&options);
    }
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

/* As Ctrl+C does it; a script that catches that, or spins where Python does not look, has a moment. */
static void
interrupt_script (FlowLinkDebugger *self)
{
  if (self->process == NULL || self->has_ended || self->state->status == FLOW_DEBUG_FINISHED)
    return;
  g_subprocess_send_signal (self->process, SIGINT);
  if (self->kill_source == 0)
    self->kill_source = g_timeout_add (KILL_AFTER_MS, kill_cb, self);
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
  Call *call = g_new0 (Call, 1);
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
      return_error (call, g_error_new (FLOW_ERROR, FLOW_ERROR_UNAVAILABLE, "%s", self->state->message));
      return;
    }
  if (self->process == NULL && !start_engine (self, &error))
    {
      return_error (call, error);
      return;
    }
  if (g_str_equal (method, "Open"))
    self->is_opening = TRUE;
  if (self->proxy == NULL)
    g_queue_push_tail (&self->waiting, call);
  else
    call_send (self, call);
  if (self->script != NULL && g_str_equal (method, "Stop"))
    interrupt_script (self);
}

static FlowDebuggerReply *
flow_link_debugger_call_finish (FlowDebugger  *debugger,
                                GAsyncResult  *result,
                                GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, debugger), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
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
  iface->call_finish = flow_link_debugger_call_finish;
  iface->get_graph = flow_link_debugger_get_graph;
  iface->dup_state = flow_link_debugger_dup_state;
}

/* }}} */

static void
drop_engine (FlowLinkDebugger *self)
{
  g_clear_handle_id (&self->kill_source, g_source_remove);
  g_clear_pointer (&self->output, _flow_link_output_free);
  g_clear_pointer (&self->late_state, g_variant_unref);
  return_late (self);
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

static FlowDebugState *
empty_state (void)
{
  FlowDebugState *state = g_new0 (FlowDebugState, 1);

  state->next_node = FLOW_NODE_NONE;
  state->stop_node = FLOW_NODE_NONE;
  return state;
}

/* The next engine knows nothing. Nobody is told: who asked now would start it before it is opened. */
static void
forget_state (FlowLinkDebugger *self)
{
  self->has_ended = FALSE;
  flow_debug_state_free (self->state);
  self->state = empty_state ();
}

static void
flow_link_debugger_dispose (GObject *object)
{
  FlowLinkDebugger *self = FLOW_LINK_DEBUGGER (object);

  drop_engine (self);
  fail_all (self, "the debugger is gone");
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

/* {{{ Restart */

typedef struct {
  FlowLinkJournal *journal;    /* what to do again */
  guint next;
  guint64 position;            /* where to go at the end */
} Restart;

static void
restart_free (gpointer data)
{
  Restart *self = data;

  _flow_link_journal_free (self->journal);
  g_free (self);
}

static void restart_continue (GTask *task);

static void
restarted_call_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      data)
{
  GTask *task = data;
  GError *error = NULL;
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, &error);

  if (reply == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  restart_continue (task);
}

static void
restart_go_to (GTask   *task,
               guint64  position)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, position);

  flow_debugger_call_async (g_task_get_source_object (task), "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_GOTO, text),
                            NULL, g_task_get_cancellable (task), restarted_call_cb, task);
}

/* Each entry at the position at which it was first done; last, to where the old engine stood. */
static void
restart_continue (GTask *task)
{
  FlowLinkDebugger *self = g_task_get_source_object (task);
  Restart *restart = g_task_get_task_data (task);
  const FlowLinkEntry *entry;

  if (restart->next < _flow_link_journal_length (restart->journal))
    {
      entry = _flow_link_journal_get (restart->journal, restart->next);
      if (entry->position != self->state->position && restart->next > 0)
        {
          restart_go_to (task, entry->position);
          return;
        }
      restart->next++;
      flow_debugger_call_async (FLOW_DEBUGGER (self), entry->method, entry->arguments, entry->tensors,
                                g_task_get_cancellable (task), restarted_call_cb, task);
      return;
    }
  if (self->state->position != restart->position)
    {
      restart_go_to (task, restart->position);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/**
 * flow_link_debugger_restart_async:
 * @self: a debugger whose engine has ended, or that shall have a new one
 * @cancellable: (nullable): to give up on it
 * @callback: called when the new engine stands where the old one stood
 * @data: for @callback
 *
 * Starts another engine, opens the same file, sets the same breakpoints, and runs to the same position.
 */
void
flow_link_debugger_restart_async (FlowLinkDebugger    *self,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             data)
{
  GTask *task;
  Restart *restart;

  g_return_if_fail (FLOW_IS_LINK_DEBUGGER (self));

  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, flow_link_debugger_restart_async);
  restart = g_new0 (Restart, 1);
  restart->journal = self->journal;
  /* A script begins from its beginning. */
  restart->position = self->script == NULL ? self->state->position : 0;
  g_task_set_task_data (task, restart, restart_free);

  self->journal = _flow_link_journal_new ();
  fail_all (self, "the engine is started again");
  drop_engine (self);
  forget_state (self);
  restart_continue (task);
}

/**
 * flow_link_debugger_restart_finish:
 * @self: a debugger
 * @result: what the callback was given
 * @error: where to put an error
 *
 * Returns: whether the new engine stands where the old one stood
 */
gboolean
flow_link_debugger_restart_finish (FlowLinkDebugger  *self,
                                   GAsyncResult      *result,
                                   GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* }}} */
