/* flow-script-debugger.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-kernel.h"
#include "flow-kernel-thread.h"
#include "flow-util.h"

#include <string.h>

/* Three kinds of threads meet here: the script's, which wait for their runs; the one whose main context serves
 * whoever looks; and the kernel thread, to which all that moves belongs (flow-script-runs.c). */

static void debugger_iface_init (FlowDebuggerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowScriptDebugger, flow_script_debugger, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FLOW_TYPE_DEBUGGER, debugger_iface_init))

/* --- jobs of the kernel thread ---------------------------------------------------------------------- */

typedef void (*JobFunc) (FlowScriptDebugger *self, gpointer data);

typedef struct {
  FlowScriptDebugger *self;
  JobFunc func;
  gpointer data;
} Job;

static void
job_cb (gpointer data)
{
  Job *job = data;

  job->func (job->self, job->data);
  g_object_unref (job->self);
  g_free (job);
}

void
_flow_script_push (FlowScriptDebugger *self,
                   JobFunc             func,
                   gpointer            data)
{
  Job *job = g_new (Job, 1);

  job->self = g_object_ref (self);
  job->func = func;
  job->data = data;
  flow_kernel_thread_push (job_cb, job);
}

/* Ends @task, which is dropped. */
void
_flow_script_reply (GTask    *task,
                    GVariant *value)
{
  g_task_return_pointer (task, _flow_reply (value), (GDestroyNotify) flow_debugger_reply_free);
  g_object_unref (task);
}

/* --- from the beginning to the end -------------------------------------------------------------------- */

/**
 * flow_script_debugger_wait_begin:
 * @self: a debugger
 * @ms: how long
 *
 * Who looks says Open, then sets breakpoints and the like; the first Move begins the script.
 *
 * Returns: %FLOW_SCRIPT_DONE when it may begin
 */
FlowScriptNews
flow_script_debugger_wait_begin (FlowScriptDebugger *self,
                                guint               ms)
{
  gint64 until = g_get_monotonic_time () + (gint64) ms * G_TIME_SPAN_MILLISECOND;
  FlowScriptNews news = FLOW_SCRIPT_NOTHING;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), FLOW_SCRIPT_CLOSED);

  g_mutex_lock (&self->mutex);
  while (!self->begun && !self->closed && g_cond_wait_until (&self->cond, &self->mutex, until))
    ;
  if (self->begun)
    news = FLOW_SCRIPT_DONE;
  else if (self->closed)
    news = FLOW_SCRIPT_CLOSED;
  g_mutex_unlock (&self->mutex);
  return news;
}

static void
end_job (FlowScriptDebugger *self,
         gpointer            data)
{
  _flow_script_ended (self, data);
  g_free (data);
}

/**
 * flow_script_debugger_end:
 * @self: a debugger
 * @error: (nullable): the exception that ended the script, %NULL where it came to its end
 * @file: (nullable): where that was raised
 * @line: the line there
 *
 * The script has ended; its sessions and graphs can still be looked at.
 */
void
flow_script_debugger_end (FlowScriptDebugger *self,
                          const char         *error,
                          const char         *file,
                          guint               line)
{
  char *message = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  if (error != NULL)
    message = file != NULL ? g_strdup_printf ("%s\n%s:%u", error, file, line) : g_strdup (error);
  _flow_script_push (self, end_job, message);
}

static void
detach_job (FlowScriptDebugger *self,
            gpointer            data)
{
  _flow_script_let_all_go (self);
}

/**
 * flow_script_debugger_detach:
 * @self: a debugger
 *
 * Nobody looks any more: runs that are held go on, and none stops from now on.
 */
void
flow_script_debugger_detach (FlowScriptDebugger *self)
{
  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  g_mutex_lock (&self->mutex);
  self->closed = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  _flow_script_push (self, detach_job, NULL);
}

/* --- methods ---------------------------------------------------------------------------------------- */

static void
open_job (FlowScriptDebugger *self,
          gpointer            data)
{
  GTask *task = data;
  GVariant *arguments = g_task_get_task_data (task);
  const char *path = NULL;
  FlowScriptGraph *empty = g_new0 (FlowScriptGraph, 1);
  GVariantDict info;

  g_variant_get (arguments, "(&s@a{sv})", &path, NULL);
  flow_set_str (&self->core->graph_path, path);
  /* There is something to look at before the script has made anything. */
  empty->graph = flow_graph_new ();
  empty->label = g_strdup ("");
  empty->flags = FLOW_SCRIPT_GRAPH_GONE;
  g_ptr_array_add (self->graphs, empty);
  _flow_script_show_graph (self, empty);
  _flow_debug_core_set_stop (self->core, FLOW_DEBUG_RUNNING, FLOW_STOP_NONE, NULL);
  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
  g_variant_dict_init (&info, NULL);
  g_variant_dict_insert (&info, "kind", "s", "script");
  g_variant_dict_insert (&info, "path", "s", path);
  g_variant_dict_insert (&info, "run_file", "s", "");
  g_variant_dict_insert_value (&info, "problems", g_variant_new_array (G_VARIANT_TYPE ("a{sv}"), NULL, 0));
  _flow_script_reply (task, g_variant_new ("(@a{sv})", g_variant_dict_end (&info)));
}

static void
move_job (FlowScriptDebugger *self,
          gpointer            data)
{
  GTask *task = data;
  guint movement = 0;
  const char *argument = NULL;

  g_variant_get (g_task_get_task_data (task), "(u&s)", &movement, &argument);
  if (movement > FLOW_MOVE_NEXT_OF_TYPE)
    {
      g_task_return_new_error (task, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "there is no movement %u", movement);
      g_object_unref (task);
      return;
    }
  /* The first one is what begins the script: breakpoints and the policy are in place by then. */
  g_mutex_lock (&self->mutex);
  self->begun = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  _flow_script_move (self, task, (FlowMovement) movement, argument);
}

static void
stop_job (FlowScriptDebugger *self,
          gpointer            data)
{
  _flow_script_stop (self);
  _flow_local_debugger_forget_pause (FLOW_LOCAL_DEBUGGER (self->local));
  _flow_script_reply (data, NULL);
}

/* A pause while no run is under way is meant for the next one. */
static void
pause_job (FlowScriptDebugger *self,
           gpointer            data)
{
  if (self->held == NULL && !self->has_ended)
    self->stop_next = TRUE;
  _flow_script_reply (data, NULL);
}

static const struct {
  const char *name;
  const char *arguments;
  JobFunc func;
} methods[] = {
  { "Open", "(sa{sv})", open_job },
  { "Move", "(us)", move_job },
  { "Stop", "()", stop_job },
  { "Pause", "()", pause_job },
  { "ScriptPolicy", "(s)", _flow_script_policy_job },
  { "ScriptRuns", "(t)", _flow_script_runs_job },
  { "ScriptGraphs", "()", _flow_script_graphs_job },
  { "ScriptShow", "(u)", _flow_script_show_job },
  { "ScriptShowSession", "(u)", _flow_script_show_session_job },
  { "ScriptInput", "(sb)", _flow_script_input_job },
  { "ScriptSources", "()", _flow_script_sources_job },
  { "ScriptTrail", "(s)", _flow_script_trail_job },
};

/* What would take the session from the script. */
static const char *const refused[] = { "LoadRunFile", "SaveRunFile", NULL };

static void
local_called_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  FlowDebuggerReply *answer = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) flow_debugger_reply_free);
  else
    g_task_return_error (task, error);
}

static void
ignore_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (FlowDebuggerReply) answer = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, NULL);
}

static void
flow_script_debugger_call_async (FlowDebugger        *debugger,
                                 const char          *method,
                                 GVariant            *arguments,
                                 GPtrArray           *tensors,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             data)
{
  FlowScriptDebugger *self = FLOW_SCRIPT_DEBUGGER (debugger);
  GTask *task = g_task_new (self, cancellable, callback, data);

  g_task_set_source_tag (task, flow_script_debugger_call_async);
  g_task_set_check_cancellable (task, FALSE);
  if (g_strv_contains (refused, method))
    {
      g_task_return_new_error (task, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "the runs are the script's");
      g_object_unref (task);
      return;
    }
  if (strcmp (method, "ScriptConsole") == 0 && g_variant_is_of_type (arguments, G_VARIANT_TYPE ("(s)")))
    {
      _flow_script_ask_console (self, task, arguments);
      return;
    }
  /* What is under way on the kernel thread hears of it between two ops. */
  if (strcmp (method, "Stop") == 0)
    g_cancellable_cancel (self->core->cancellable);
  if (strcmp (method, "Stop") == 0 || strcmp (method, "Pause") == 0)
    flow_debugger_call_async (self->local, "Pause", g_variant_new ("()"), NULL, NULL, ignore_cb, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strcmp (method, methods[i].name) == 0)
      {
        if (!g_variant_is_of_type (arguments, G_VARIANT_TYPE (methods[i].arguments)))
          {
            g_task_return_new_error (task, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s takes %s, not %s", method,
                                     methods[i].arguments, g_variant_get_type_string (arguments));
            g_object_unref (task);
            return;
          }
        g_task_set_task_data (task, g_variant_ref (arguments), (GDestroyNotify) g_variant_unref);
        _flow_script_push (self, methods[i].func, task);
        return;
      }
  flow_debugger_call_async (self->local, method, arguments, tensors, cancellable, local_called_cb, task);
}

static FlowGraph *
flow_script_debugger_get_graph (FlowDebugger *debugger)
{
  return FLOW_SCRIPT_DEBUGGER (debugger)->graph;
}

static FlowDebugState *
flow_script_debugger_dup_state (FlowDebugger *debugger)
{
  return flow_debugger_dup_state (FLOW_SCRIPT_DEBUGGER (debugger)->local);
}

static void
debugger_iface_init (FlowDebuggerInterface *iface)
{
  iface->call_async = flow_script_debugger_call_async;
  iface->get_graph = flow_script_debugger_get_graph;
  iface->dup_state = flow_script_debugger_dup_state;
}

/* --- signals of the local debugger, handed on --------------------------------------------------------- */

static void
graph_changed_cb (FlowDebugger       *local,
                  FlowScriptDebugger *self)
{
  g_mutex_lock (&self->mutex);
  g_set_object (&self->graph, self->view_graph);
  g_mutex_unlock (&self->mutex);
  flow_debugger_emit_graph_changed (FLOW_DEBUGGER (self));
}

static void
stopped_cb (FlowDebugger       *local,
            FlowDebugState     *state,
            FlowScriptDebugger *self)
{
  flow_debugger_emit_stopped (FLOW_DEBUGGER (self), state);
}

static void
progress_cb (FlowDebugger       *local,
             double              fraction,
             const char         *message,
             FlowScriptDebugger *self)
{
  flow_debugger_emit_progress (FLOW_DEBUGGER (self), fraction, message);
}

static void
logged_cb (FlowDebugger       *local,
           guint64             position,
           const char         *text,
           FlowScriptDebugger *self)
{
  flow_debugger_emit_logged (FLOW_DEBUGGER (self), position, text);
}

static void
watch_local (FlowScriptDebugger *self)
{
  g_signal_connect_object (self->local, "changed", G_CALLBACK (flow_debugger_emit_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->local, "runs-changed", G_CALLBACK (flow_debugger_emit_runs_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->local, "breakpoints-changed", G_CALLBACK (flow_debugger_emit_breakpoints_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->local, "graph-changed", G_CALLBACK (graph_changed_cb), self, 0);
  g_signal_connect_object (self->local, "stopped", G_CALLBACK (stopped_cb), self, 0);
  g_signal_connect_object (self->local, "progress", G_CALLBACK (progress_cb), self, 0);
  g_signal_connect_object (self->local, "logged", G_CALLBACK (logged_cb), self, 0);
}

/* --- object ----------------------------------------------------------------------------------------- */

/* What belongs to the kernel thread goes there. */
typedef struct {
  FlowDebugger *local;
  FlowDebugCore *core;
  GPtrArray *graphs;
  GPtrArray *sessions;
  FlowScriptRun *view;
  FlowScriptRun *failed;
  FlowStepper *look;
} Remains;

/* Takes it. */
static void
drop_run (FlowScriptRun *run)
{
  if (run == NULL)
    return;
  g_clear_pointer (&run->stepper, flow_stepper_free);
  _flow_script_run_unref (run);
}

static void
free_remains_cb (gpointer data)
{
  Remains *remains = data;

  remains->core->stepper = NULL;
  drop_run (remains->view);
  drop_run (remains->failed);
  g_clear_pointer (&remains->look, flow_stepper_free);
  g_ptr_array_unref (remains->graphs);
  g_ptr_array_unref (remains->sessions);
  g_object_unref (remains->local);
  g_free (remains);
}

static void
flow_script_debugger_finalize (GObject *object)
{
  FlowScriptDebugger *self = FLOW_SCRIPT_DEBUGGER (object);
  Remains *remains = g_new0 (Remains, 1);
  GTask *task = NULL;

  while ((task = g_queue_pop_head (&self->console)) != NULL)
    g_object_unref (task);
  g_queue_clear_full (&self->runs, (GDestroyNotify) _flow_script_run_unref);
  g_queue_clear_full (&self->log, (GDestroyNotify) g_variant_unref);
  g_ptr_array_unref (self->trails);
  g_hash_table_unref (self->by_number);
  g_clear_object (&self->graph);
  g_clear_object (&self->view_graph);
  _flow_script_policy_clear (&self->policy);
  g_string_free (self->input, TRUE);
  g_free (self->argument);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  remains->local = self->local;
  remains->core = self->core;
  remains->graphs = self->graphs;
  remains->sessions = self->sessions;
  remains->look = self->look;
  remains->view = self->view;
  remains->failed = self->failed;
  g_clear_error (&self->failure);
  flow_kernel_thread_push (free_remains_cb, remains);

  G_OBJECT_CLASS (flow_script_debugger_parent_class)->finalize (object);
}

static void
flow_script_debugger_class_init (FlowScriptDebuggerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_script_debugger_finalize;
}

static void
flow_script_debugger_init (FlowScriptDebugger *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  g_queue_init (&self->runs);
  g_queue_init (&self->log);
  g_queue_init (&self->console);
  self->trails = g_ptr_array_new_with_free_func (_flow_script_trail_free);
  self->context = g_main_context_ref_thread_default ();
  self->by_number = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  self->graphs = g_ptr_array_new_with_free_func (_flow_script_graph_free);
  self->sessions = g_ptr_array_new_with_free_func (_flow_script_session_free);
  self->input = g_string_new (NULL);
  self->policy.at_start = TRUE;
  self->policy.every = 1;
  self->local = flow_local_debugger_new ();
  self->core = _flow_local_debugger_get_core (FLOW_LOCAL_DEBUGGER (self->local));
  watch_local (self);
}

/**
 * flow_script_debugger_new:
 *
 * Signals arrive, and calls are answered, on the main context that is the thread's default now.
 *
 * Returns: (transfer full): a debugger for the script of this process
 */
FlowScriptDebugger *
flow_script_debugger_new (void)
{
  return g_object_new (FLOW_TYPE_SCRIPT_DEBUGGER, NULL);
}

/**
 * flow_script_debugger_get_local:
 * @self: a debugger
 *
 * For flow_diagnose_serve() and the like: what answers all that is not about the script.
 *
 * Returns: (transfer none): the debugger behind it
 */
FlowLocalDebugger *
flow_script_debugger_get_local (FlowScriptDebugger *self)
{
  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), NULL);

  return FLOW_LOCAL_DEBUGGER (self->local);
}
