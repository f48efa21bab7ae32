/* flow-link-service.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link.h"

#include "flow-engine-bus.h"
#include "flow-link-answer.h"
#include "flow-link-parcel.h"

#include "flow-kernel-thread.h"

#include <unistd.h>

struct _FlowLinkService
{
  GObject parent_instance;

  /* owned */
  FlowDebugger *debugger;
  GDBusConnection *connection;
  FlowLinkBusEngine *skeleton;
  GHashTable *calls;           /* serial -> GCancellable, of calls that are not answered */
  FlowGraph *graph;            /* the one that was sent last; nullable */
  guint64 graph_serial;        /* another graph has another */
};

enum {
  CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowLinkService, flow_link_service, G_TYPE_OBJECT)

typedef struct {
  FlowLinkService *service;
  GDBusMethodInvocation *invocation;
  guint64 serial;
} Call;

static void
call_answer (Call      *call,
             GVariant  *answer,
             GPtrArray *tensors)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (answer);
  g_autoptr (GError) error = NULL;
  FlowLinkParcel parcel;

  g_hash_table_remove (call->service->calls, &call->serial);
  if (_flow_link_parcel_pack (owned, tensors, &parcel, &error))
    {
      flow_link_bus_engine_complete_invoke (call->service->skeleton, call->invocation, parcel.fds, parcel.head, parcel.inline_bytes);
      _flow_link_parcel_clear (&parcel);
    }
  else
    g_dbus_method_invocation_return_gerror (call->invocation, error);
  g_object_unref (call->service);
  g_free (call);
}

static void
call_fail (Call         *call,
           const GError *error)
{
  call_answer (call, _flow_link_answer_error (call->service->debugger, error), NULL);
}

static void
called_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  Call *call = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, &error);

  if (reply == NULL)
    call_fail (call, error);
  else
    call_answer (call, _flow_link_answer_value (call->service->debugger,
                                                reply->value != NULL ? reply->value : g_variant_new ("()")),
                 reply->tensors);
}

typedef struct {
  Call *call;
  FlowGraph *graph;
  guint first;
  GVariant *value;
  GPtrArray *tensors;
  GError *error;
  GMainContext *context;
} Packing;

static gboolean
packed_cb (gpointer data)
{
  Packing *packing = data;

  if (packing->value == NULL)
    call_fail (packing->call, packing->error);
  else
    call_answer (packing->call,
                 _flow_link_answer_value (packing->call->service->debugger,
                                          g_variant_new ("(tuv)", packing->call->service->graph_serial, packing->first,
                                                         packing->value)),
                 packing->tensors);
  g_clear_pointer (&packing->tensors, g_ptr_array_unref);
  g_clear_error (&packing->error);
  g_object_unref (packing->graph);
  g_main_context_unref (packing->context);
  g_free (packing);
  return G_SOURCE_REMOVE;
}

static void
pack_cb (gpointer data)
{
  Packing *packing = data;
  g_autoptr (GSource) source = g_idle_source_new ();

  packing->first = MIN (packing->first, flow_graph_get_n_nodes (packing->graph));
  packing->value = _flow_link_graph_pack (packing->graph, packing->first, &packing->tensors, &packing->error);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, packed_cb, packing, NULL);
  g_source_attach (source, packing->context);
}

/* A script's graph grows on the kernel thread: there it stands still while it is read. */
static void
answer_graph (Call     *call,
              GVariant *arguments)
{
  FlowLinkService *self = call->service;
  FlowGraph *graph = flow_debugger_get_graph (self->debugger);
  g_autoptr (GError) error = NULL;
  Packing *packing = NULL;
  guint64 serial = 0;
  guint have = 0;

  if (graph == NULL || !g_variant_is_of_type (arguments, G_VARIANT_TYPE ("(tu)")))
    {
      g_set_error (&error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "no graph is open");
      call_fail (call, error);
      return;
    }
  g_variant_get (arguments, "(tu)", &serial, &have);
  if (g_set_object (&self->graph, graph))
    self->graph_serial++;
  packing = g_new0 (Packing, 1);
  packing->call = call;
  packing->graph = g_object_ref (graph);
  packing->first = serial == self->graph_serial ? have : 0;
  packing->context = g_main_context_ref_thread_default ();
  flow_kernel_thread_push (pack_cb, packing);
}

static gboolean
handle_invoke (FlowLinkBusEngine     *skeleton,
               GDBusMethodInvocation *invocation,
               GUnixFDList           *fds,
               guint64                serial,
               const char            *method,
               GVariant              *parcel,
               GVariant              *inline_bytes,
               FlowLinkService       *self)
{
  g_autoptr (GVariant) arguments = NULL;
  g_autoptr (GPtrArray) tensors = NULL;
  g_autoptr (GError) error = NULL;
  GCancellable *cancellable = g_cancellable_new ();
  Call *call = g_new0 (Call, 1);

  call->service = g_object_ref (self);
  call->invocation = invocation;
  call->serial = serial;
  g_hash_table_replace (self->calls, g_memdup2 (&serial, sizeof serial), cancellable);
  if (!_flow_link_parcel_unpack (parcel, inline_bytes, fds, &arguments, &tensors, &error))
    call_fail (call, error);
  else if (g_str_equal (method, FLOW_LINK_METHOD_GRAPH))
    answer_graph (call, arguments);
  else
    flow_debugger_call_async (self->debugger, method, arguments, tensors->len > 0 ? tensors : NULL,
                              cancellable, called_cb, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_cancel (FlowLinkBusEngine     *skeleton,
               GDBusMethodInvocation *invocation,
               guint64                serial,
               FlowLinkService       *self)
{
  GCancellable *cancellable = g_hash_table_lookup (self->calls, &serial);

  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  flow_link_bus_engine_complete_cancel (skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
changed_cb (FlowDebugger    *debugger,
            FlowLinkService *self)
{
  g_autoptr (FlowDebugState) state = flow_debugger_dup_state (debugger);

  flow_link_bus_engine_emit_state_changed (self->skeleton, flow_debug_state_to_variant (state));
}

static void
stopped_cb (FlowDebugger    *debugger,
            FlowDebugState  *state,
            FlowLinkService *self)
{
  flow_link_bus_engine_emit_stopped (self->skeleton, flow_debug_state_to_variant (state));
}

static void
graph_changed_cb (FlowDebugger    *debugger,
                  FlowLinkService *self)
{
  flow_link_bus_engine_emit_graph_changed (self->skeleton);
}

static void
runs_changed_cb (FlowDebugger    *debugger,
                 FlowLinkService *self)
{
  flow_link_bus_engine_emit_runs_changed (self->skeleton);
}

static void
breakpoints_changed_cb (FlowDebugger    *debugger,
                        FlowLinkService *self)
{
  flow_link_bus_engine_emit_breakpoints_changed (self->skeleton);
}

static void
progress_cb (FlowDebugger    *debugger,
             double           fraction,
             const char      *message,
             FlowLinkService *self)
{
  flow_link_bus_engine_emit_progress (self->skeleton, fraction, message != NULL ? message : "");
}

static void
logged_cb (FlowDebugger    *debugger,
           guint64          position,
           const char      *text,
           FlowLinkService *self)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  flow_link_bus_engine_emit_logged (self->skeleton, position, valid);
}

static void
closed_cb (GDBusConnection *connection,
           gboolean         vanished,
           GError          *error,
           FlowLinkService *self)
{
  g_signal_emit (self, signals[CLOSED], 0);
}

static void
flow_link_service_dispose (GObject *object)
{
  FlowLinkService *self = FLOW_LINK_SERVICE (object);

  if (self->skeleton != NULL)
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
  g_clear_object (&self->skeleton);
  g_clear_object (&self->connection);
  g_clear_object (&self->debugger);
  g_clear_object (&self->graph);
  g_clear_pointer (&self->calls, g_hash_table_unref);

  G_OBJECT_CLASS (flow_link_service_parent_class)->dispose (object);
}

static void
flow_link_service_class_init (FlowLinkServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_link_service_dispose;

  /**
   * FlowLinkService::closed:
   * @self: the service
   *
   * The process at the other end is gone.
   */
  signals[CLOSED] = g_signal_new ("closed", FLOW_TYPE_LINK_SERVICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
flow_link_service_init (FlowLinkService *self)
{
  self->calls = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
}

static void
watch_debugger (FlowLinkService *self)
{
  g_signal_connect_object (self->debugger, "changed", G_CALLBACK (changed_cb), self, 0);
  g_signal_connect_object (self->debugger, "stopped", G_CALLBACK (stopped_cb), self, 0);
  g_signal_connect_object (self->debugger, "graph-changed", G_CALLBACK (graph_changed_cb), self, 0);
  g_signal_connect_object (self->debugger, "runs-changed", G_CALLBACK (runs_changed_cb), self, 0);
  g_signal_connect_object (self->debugger, "breakpoints-changed", G_CALLBACK (breakpoints_changed_cb), self, 0);
  g_signal_connect_object (self->debugger, "progress", G_CALLBACK (progress_cb), self, 0);
  g_signal_connect_object (self->debugger, "logged", G_CALLBACK (logged_cb), self, 0);
}

/**
 * flow_link_service_new:
 * @fd: a connected unix socket, which the service takes over
 * @debugger: what to serve
 * @error: where to put an error
 *
 * Returns: (transfer full): the service, already answering on the thread's main context; %NULL when
 *   the other end does not speak
 */
FlowLinkService *
flow_link_service_new (int            fd,
                       FlowDebugger  *debugger,
                       GError       **error)
{
  g_autoptr (FlowLinkService) self = NULL;
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketConnection) stream = NULL;
  g_autofree char *guid = g_dbus_generate_guid ();

  g_return_val_if_fail (FLOW_IS_DEBUGGER (debugger), NULL);

  socket = g_socket_new_from_fd (fd, error);
  if (socket == NULL)
    {
      close (fd);
      return NULL;
    }
  stream = g_socket_connection_factory_create_connection (socket);
  self = g_object_new (FLOW_TYPE_LINK_SERVICE, NULL);
  self->debugger = g_object_ref (debugger);
  self->connection = g_dbus_connection_new_sync (G_IO_STREAM (stream), guid,
                                                 G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER
                                                 | G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING,
                                                 NULL, NULL, error);
  if (self->connection == NULL)
    return NULL;
  self->skeleton = flow_link_bus_engine_skeleton_new ();
  g_signal_connect_object (self->skeleton, "handle-invoke", G_CALLBACK (handle_invoke), self, 0);
  g_signal_connect_object (self->skeleton, "handle-cancel", G_CALLBACK (handle_cancel), self, 0);
  if (!g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), self->connection,
                                         "/org/flowstep/Engine", error))
    return NULL;
  g_signal_connect_object (self->connection, "closed", G_CALLBACK (closed_cb), self, 0);
  watch_debugger (self);
  g_dbus_connection_start_message_processing (self->connection);
  return g_steal_pointer (&self);
}
