/* flow-fake-engine.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link.h"

#include <signal.h>
#include <stdlib.h>

/* An engine process with a debugger that computes nothing: what the link carries can be told from
 * what an engine does. Methods: Echo gives back what it got; Move goes to its argument; Where says
 * the position; Fail fails; Die kills the process; Hang answers when it is cancelled. */

#define FAKE_TYPE_DEBUGGER (fake_debugger_get_type ())
G_DECLARE_FINAL_TYPE (FakeDebugger, fake_debugger, FAKE, DEBUGGER, GObject)

struct _FakeDebugger
{
  GObject parent_instance;

  FlowGraph *graph;
  guint64 position;
};

static void iface_init (FlowDebuggerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeDebugger, fake_debugger, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FLOW_TYPE_DEBUGGER, iface_init))

static void
reply (GTask     *task,
       GVariant  *value,
       GPtrArray *tensors)
{
  FlowDebuggerReply *answer = g_new0 (FlowDebuggerReply, 1);

  answer->value = g_variant_ref_sink (value);
  answer->tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  g_task_return_pointer (task, answer, (GDestroyNotify) flow_debugger_reply_free);
}

static void
open_graph (FakeDebugger *self)
{
  FlowNodeDef node = { .name = "scope/mystery", .name_length = 13, .op = "Mystery", .offset = -1 };

  g_set_object (&self->graph, NULL);
  self->graph = flow_graph_new ();
  flow_graph_import (self->graph, &node, 1, NULL, NULL);
  flow_debugger_emit_graph_changed (FLOW_DEBUGGER (self));
}

static void
hang_cancelled_cb (GCancellable *cancellable,
                   GTask        *task)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "given up");
  g_object_unref (task);
}

static void
call_async (FlowDebugger        *debugger,
            const char          *method,
            GVariant            *arguments,
            GPtrArray           *tensors,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             data)
{
  FakeDebugger *self = FAKE_DEBUGGER (debugger);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);

  g_task_set_check_cancellable (task, FALSE);
  if (g_str_equal (method, "Echo") || g_str_equal (method, "AddBreakpoint"))
    reply (task, arguments, tensors);
  else if (g_str_equal (method, "Open"))
    {
      open_graph (self);
      reply (task, g_variant_new ("(@a{sv})", g_variant_new ("a{sv}", NULL)), NULL);
    }
  else if (g_str_equal (method, "Move"))
    {
      const char *text;
      g_autoptr (FlowDebugState) state = NULL;

      g_variant_get (arguments, "(u&s)", NULL, &text);
      self->position = g_ascii_strtoull (text, NULL, 10);
      state = flow_debugger_dup_state (debugger);
      flow_debugger_emit_changed (debugger);
      flow_debugger_emit_stopped (debugger, state);
      reply (task, g_variant_new ("(@a{sv})", flow_debug_state_to_variant (state)), NULL);
    }
  else if (g_str_equal (method, "Fail"))
    {
      GError *error = g_error_new (FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE, "queue \xe2\x82\xac is closed");

      flow_error_set_node (error, "q/dequeue", "QueueDequeueV2");
      g_task_return_error (task, error);
    }
  else if (g_str_equal (method, "Die"))
    raise (SIGKILL);
  else if (g_str_equal (method, "Hang"))
    g_signal_connect (cancellable, "cancelled", G_CALLBACK (hang_cancelled_cb), g_object_ref (task));
  else
    g_task_return_new_error (task, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "no method %s", method);
}

static FlowGraph *
get_graph (FlowDebugger *debugger)
{
  return FAKE_DEBUGGER (debugger)->graph;
}

static FlowDebugState *
dup_state (FlowDebugger *debugger)
{
  FlowDebugState *state = g_new0 (FlowDebugState, 1);

  state->status = FLOW_DEBUG_PAUSED;
  state->position = FAKE_DEBUGGER (debugger)->position;
  state->next_node = FAKE_DEBUGGER (debugger)->graph != NULL ? 0 : FLOW_NODE_NONE;
  state->run = g_strdup ("train");
  state->frame = g_strdup ("");
  return state;
}

static void
iface_init (FlowDebuggerInterface *iface)
{
  iface->call_async = call_async;
  iface->get_graph = get_graph;
  iface->dup_state = dup_state;
}

static void
fake_debugger_finalize (GObject *object)
{
  g_clear_object (&FAKE_DEBUGGER (object)->graph);
  G_OBJECT_CLASS (fake_debugger_parent_class)->finalize (object);
}

static void
fake_debugger_class_init (FakeDebuggerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_debugger_finalize;
}

static void
fake_debugger_init (FakeDebugger *self)
{
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (FlowDebugger) debugger = g_object_new (FAKE_TYPE_DEBUGGER, NULL);
  g_autoptr (FlowLinkService) service = flow_link_service_new (3, debugger, NULL);

  if (service == NULL)
    return 1;
  g_signal_connect_swapped (service, "closed", G_CALLBACK (g_main_loop_quit), loop);
  g_main_loop_run (loop);
  return 0;
}
