/* flow-local-debugger.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-local-debugger.h"

#include "flow-local-debugger-private.h"
#include "flow-kernel.h"
#include "flow-kernel-thread.h"

#include <string.h>

/* How often the state is told anew while a movement is under way. */
#define TELL_EVERY_US 50000

/* The debugger in this process: calls wait in a queue for the kernel thread, which owns the core;
 * signals go back to the main context of the thread that made it. Between two ops a movement answers
 * the calls that only look, so that a window sees through a long run. */
struct _FlowLocalDebugger
{
  GObject parent_instance;

  GMainContext *context;
  FlowDebugCore *core;         /* of the kernel thread */
  gint64 told_us;              /* of the kernel thread */
  FlowGraph *graph;            /* of the context's thread: what get_graph() gives */

  GMutex mutex;                /* guards all below */
  GQueue calls;                /* of Call */
  FlowDebugState *state;
  FlowGraph *new_graph;
  guint news;                  /* bits of FlowCoreNews to tell */
  GQueue stopped;              /* of FlowDebugState */
  GQueue logged;               /* of Logged */
  double fraction;
  char *progress;              /* NULL: nothing to tell */
  GSource *source;             /* telling is under way */
  GCancellable *cancellable;   /* of the kernel that runs */

  int attention;               /* atomic: a call waits, or a pause is asked for */
  int pause;                   /* atomic */
};

typedef struct {
  GTask *task;
  char *method;
  GVariant *arguments;
  GPtrArray *tensors;
} Call;

typedef struct {
  guint64 position;
  char *text;
} Logged;

static void flow_local_debugger_iface_init (FlowDebuggerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowLocalDebugger, flow_local_debugger, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FLOW_TYPE_DEBUGGER, flow_local_debugger_iface_init))

static void
call_free (Call *call)
{
  g_object_unref (call->task);
  g_free (call->method);
  g_variant_unref (call->arguments);
  g_clear_pointer (&call->tensors, g_ptr_array_unref);
  g_free (call);
}

static void
logged_free (gpointer data)
{
  Logged *logged = data;

  g_free (logged->text);
  g_free (logged);
}

/* --- telling, on the context of who made it ------------------------------------------------------- */

typedef struct {
  guint news;
  GQueue stopped;
  GQueue logged;
  double fraction;
  char *progress;
  FlowGraph *graph;
} Tidings;

static void
take_tidings (FlowLocalDebugger *self,
              Tidings           *tidings)
{
  g_mutex_lock (&self->mutex);
  tidings->news = self->news;
  self->news = 0;
  tidings->stopped = self->stopped;
  g_queue_init (&self->stopped);
  tidings->logged = self->logged;
  g_queue_init (&self->logged);
  tidings->fraction = self->fraction;
  tidings->progress = g_steal_pointer (&self->progress);
  tidings->graph = g_steal_pointer (&self->new_graph);
  g_clear_pointer (&self->source, g_source_unref);
  g_mutex_unlock (&self->mutex);
}

static gboolean
tell_cb (gpointer data)
{
  FlowLocalDebugger *self = data;
  FlowDebugger *debugger = FLOW_DEBUGGER (self);
  Tidings t = { 0 };
  FlowDebugState *state = NULL;
  Logged *logged = NULL;

  take_tidings (self, &t);
  if (t.graph != NULL)
    {
      g_clear_object (&self->graph);
      self->graph = t.graph;
    }
  if (t.news & (1u << FLOW_CORE_GRAPH))
    flow_debugger_emit_graph_changed (debugger);
  if (t.news & (1u << FLOW_CORE_RUNS))
    flow_debugger_emit_runs_changed (debugger);
  if (t.news & (1u << FLOW_CORE_BREAKPOINTS))
    flow_debugger_emit_breakpoints_changed (debugger);
  if (t.progress != NULL)
    flow_debugger_emit_progress (debugger, t.fraction, t.progress);
  while ((logged = g_queue_pop_head (&t.logged)) != NULL)
    {
      flow_debugger_emit_logged (debugger, logged->position, logged->text);
      logged_free (logged);
    }
  if (t.news & ((1u << FLOW_CORE_CHANGED) | (1u << FLOW_CORE_STOPPED)))
    flow_debugger_emit_changed (debugger);
  while ((state = g_queue_pop_head (&t.stopped)) != NULL)
    {
      flow_debugger_emit_stopped (debugger, state);
      flow_debug_state_free (state);
    }
  g_free (t.progress);
  return G_SOURCE_REMOVE;
}

/* Called with the mutex held. */
static void
tell_soon (FlowLocalDebugger *self)
{
  if (self->source != NULL)
    return;
  self->source = g_idle_source_new ();
  /* Before the answers to calls, which come at the default priority in the order of their sending. */
  g_source_set_priority (self->source, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->source, tell_cb, g_object_ref (self), g_object_unref);
  g_source_attach (self->source, self->context);
}

/* --- the core's owner, on the kernel thread --------------------------------------------------------- */

static void
owner_news (gpointer     owner,
            FlowCoreNews news)
{
  FlowLocalDebugger *self = owner;
  FlowDebugState *state = _flow_debug_core_state (self->core);

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->state, flow_debug_state_free);
  self->state = state;
  self->news |= 1u << news;
  if (news == FLOW_CORE_STOPPED)
    g_queue_push_tail (&self->stopped, flow_debug_state_copy (state));
  if (news == FLOW_CORE_GRAPH)
    g_set_object (&self->new_graph, self->core->graph);
  tell_soon (self);
  g_mutex_unlock (&self->mutex);
}

static void
owner_progress (gpointer    owner,
                double      fraction,
                const char *message)
{
  FlowLocalDebugger *self = owner;

  g_mutex_lock (&self->mutex);
  self->fraction = fraction;
  g_free (self->progress);
  self->progress = g_strdup (message);
  tell_soon (self);
  g_mutex_unlock (&self->mutex);
}

static void
owner_logged (gpointer    owner,
              guint64     position,
              const char *text)
{
  FlowLocalDebugger *self = owner;
  Logged *logged = g_new0 (Logged, 1);

  logged->position = position;
  logged->text = g_strdup (text);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->logged, logged);
  tell_soon (self);
  g_mutex_unlock (&self->mutex);
}

static void
answer (FlowLocalDebugger *self,
        Call              *call)
{
  const char *expected = NULL;
  gboolean looks = FALSE;
  FlowCoreMethod func = _flow_debug_core_find (call->method, &expected, &looks);
  FlowDebuggerReply *reply = NULL;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (call->task))
    {
      call_free (call);
      return;
    }
  if (func == NULL)
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "a debugger has no method %s", call->method);
  else if (!g_variant_is_of_type (call->arguments, G_VARIANT_TYPE (expected)))
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s takes %s, not %s", call->method, expected,
                 g_variant_get_type_string (call->arguments));
  else
    reply = func (self->core, call->arguments, call->tensors, &error);
  if (reply != NULL)
    g_task_return_pointer (call->task, reply, (GDestroyNotify) flow_debugger_reply_free);
  else
    g_task_return_error (call->task, error);
  call_free (call);
}

static Call *
pop_call (FlowLocalDebugger *self,
          gboolean           only_looking)
{
  Call *found = NULL;

  g_mutex_lock (&self->mutex);
  for (GList *l = self->calls.head; l != NULL; l = l->next)
    {
      Call *call = l->data;
      const char *expected = NULL;
      gboolean looks = FALSE;

      if (only_looking && (_flow_debug_core_find (call->method, &expected, &looks) == NULL || !looks))
        continue;
      found = call;
      g_queue_delete_link (&self->calls, l);
      break;
    }
  g_mutex_unlock (&self->mutex);
  return found;
}

static gboolean
owner_poll (gpointer owner)
{
  FlowLocalDebugger *self = owner;
  gint64 now = 0;

  if (G_LIKELY (g_atomic_int_get (&self->attention) == 0))
    {
      now = g_get_monotonic_time ();
      if (now - self->told_us > TELL_EVERY_US)
        {
          self->told_us = now;
          owner_news (self, FLOW_CORE_CHANGED);
        }
      return FALSE;
    }
  g_atomic_int_set (&self->attention, 0);
  for (Call *call = pop_call (self, TRUE); call != NULL; call = pop_call (self, TRUE))
    answer (self, call);
  return g_atomic_int_compare_and_exchange (&self->pause, 1, 0);
}

static const FlowCoreOwner owner_funcs = {
  .news = owner_news,
  .progress = owner_progress,
  .logged = owner_logged,
  .poll = owner_poll,
};

/* --- calls ------------------------------------------------------------------------------------------ */

/* Whether a pause or a stop was asked for behind the call that begins now: it is meant for it. */
static gboolean
is_to_stop (FlowLocalDebugger *self)
{
  gboolean found = FALSE;

  g_mutex_lock (&self->mutex);
  for (GList *l = self->calls.head; l != NULL; l = l->next)
    found = found || strcmp (((Call *) l->data)->method, "Pause") == 0 || strcmp (((Call *) l->data)->method, "Stop") == 0;
  g_mutex_unlock (&self->mutex);
  return found;
}

static void
work_cb (gpointer data)
{
  FlowLocalDebugger *self = data;
  Call *call = pop_call (self, FALSE);

  if (call != NULL)
    {
      /* A pause was meant for what was under way when it was asked for. */
      if (!is_to_stop (self))
        {
          g_atomic_int_set (&self->pause, 0);
          g_cancellable_reset (self->core->cancellable);
        }
      answer (self, call);
    }
  g_object_unref (self);
}

static void
flow_local_debugger_call_async (FlowDebugger        *debugger,
                                const char          *method,
                                GVariant            *arguments,
                                GPtrArray           *tensors,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             data)
{
  FlowLocalDebugger *self = FLOW_LOCAL_DEBUGGER (debugger);
  Call *call = g_new0 (Call, 1);

  call->task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (call->task, flow_local_debugger_call_async);
  call->method = g_strdup (method);
  call->arguments = g_variant_ref (arguments);
  call->tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  if (strcmp (method, "Pause") == 0 || strcmp (method, "Stop") == 0)
    g_atomic_int_set (&self->pause, 1);
  if (strcmp (method, "Stop") == 0)
    g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->calls, call);
  g_mutex_unlock (&self->mutex);
  g_atomic_int_set (&self->attention, 1);
  flow_kernel_thread_push (work_cb, g_object_ref (self));
}

static FlowGraph *
flow_local_debugger_get_graph (FlowDebugger *debugger)
{
  return FLOW_LOCAL_DEBUGGER (debugger)->graph;
}

static FlowDebugState *
flow_local_debugger_dup_state (FlowDebugger *debugger)
{
  FlowLocalDebugger *self = FLOW_LOCAL_DEBUGGER (debugger);
  FlowDebugState *state = NULL;

  g_mutex_lock (&self->mutex);
  state = flow_debug_state_copy (self->state);
  g_mutex_unlock (&self->mutex);
  return state;
}

static void
flow_local_debugger_iface_init (FlowDebuggerInterface *iface)
{
  iface->call_async = flow_local_debugger_call_async;
  iface->get_graph = flow_local_debugger_get_graph;
  iface->dup_state = flow_local_debugger_dup_state;
}

static void
free_core_cb (gpointer data)
{
  _flow_debug_core_free (data);
}

static void
flow_local_debugger_finalize (GObject *object)
{
  FlowLocalDebugger *self = FLOW_LOCAL_DEBUGGER (object);

  /* Every call and every telling holds a reference: none is left. */
  flow_kernel_thread_push (free_core_cb, self->core);
  g_clear_pointer (&self->state, flow_debug_state_free);
  g_clear_object (&self->graph);
  g_clear_object (&self->new_graph);
  g_clear_object (&self->cancellable);
  g_queue_clear_full (&self->stopped, (GDestroyNotify) flow_debug_state_free);
  g_queue_clear_full (&self->logged, logged_free);
  g_free (self->progress);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (flow_local_debugger_parent_class)->finalize (object);
}

static void
flow_local_debugger_class_init (FlowLocalDebuggerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_local_debugger_finalize;
}

static void
flow_local_debugger_init (FlowLocalDebugger *self)
{
  g_mutex_init (&self->mutex);
  g_queue_init (&self->calls);
  g_queue_init (&self->stopped);
  g_queue_init (&self->logged);
  self->context = g_main_context_ref_thread_default ();
  self->core = _flow_debug_core_new (&owner_funcs, self);
  self->cancellable = g_object_ref (self->core->cancellable);
  self->state = _flow_debug_core_state (self->core);
}

/**
 * flow_local_debugger_new:
 *
 * A debugger whose session runs in this process, on its kernel thread. Signals arrive on the main
 * context that is the thread's default now.
 *
 * Returns: (transfer full): a debugger without a graph
 */
FlowDebugger *
flow_local_debugger_new (void)
{
  /* A graph is read by the op table: it must be there before the first file is opened. */
  flow_kernels_register ();
  return g_object_new (FLOW_TYPE_LOCAL_DEBUGGER, NULL);
}

/**
 * flow_local_debugger_set_diagnosis: (skip)
 * @diagnosis: what answers `Diagnose`
 *
 * To be called before anything is asked of the debugger: without it `Diagnose` is UNIMPLEMENTED.
 */
void
flow_local_debugger_set_diagnosis (FlowLocalDebugger *self,
                                   FlowDiagnosis      diagnosis)
{
  g_return_if_fail (FLOW_IS_LOCAL_DEBUGGER (self));

  self->core->diagnosis = diagnosis;
}

/* For who has the core do things that nobody asked for by a call; all on the kernel thread. */

FlowDebugCore *
_flow_local_debugger_get_core (FlowLocalDebugger *self)
{
  return self->core;
}

/* Answers what only looks; TRUE when a pause was asked for since the last time. */
gboolean
_flow_local_debugger_poll (FlowLocalDebugger *self)
{
  return owner_poll (self);
}

/* A pause was meant for what was under way when it was asked for. */
void
_flow_local_debugger_forget_pause (FlowLocalDebugger *self)
{
  g_atomic_int_set (&self->pause, 0);
  g_cancellable_reset (self->core->cancellable);
}
