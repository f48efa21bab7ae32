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

/* --- runs ------------------------------------------------------------------------------------------- */

FlowScriptRun *
_flow_script_run_ref (FlowScriptRun *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
_flow_script_run_unref (FlowScriptRun *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  /* Steppers are dropped on the kernel thread when a run is answered or leaves the view. */
  g_clear_pointer (&self->run_file, flow_run_file_free);
  g_clear_object (&self->session);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  g_clear_pointer (&self->fetched, g_ptr_array_unref);
  g_clear_error (&self->error);
  g_strfreev (self->feeds);
  g_strfreev (self->fetches);
  g_strfreev (self->targets);
  g_free (self->session_name);
  g_free (self->label);
  g_free (self->file);
  g_free (self);
}

static char **
copy_list (const char *const *list)
{
  return list != NULL ? g_strdupv ((char **) list) : g_new0 (char *, 1);
}

/* What a person would call it: what it trains, else what it fetches. */
static char *
name_run (FlowScriptRun *run)
{
  const char *name = run->targets[0] != NULL ? run->targets[0] : run->fetches[0] != NULL ? run->fetches[0] : "run";
  const char *colon = strrchr (name, ':');

  return colon != NULL && strcmp (colon, ":0") == 0 ? g_strndup (name, (gsize) (colon - name)) : g_strdup (name);
}

static void
begin_job (FlowScriptDebugger *self,
           gpointer            data)
{
  _flow_script_begin (self, data);
}

/**
 * flow_script_debugger_begin_run:
 * @self: a debugger
 * @session: the script's session; its graph has all the nodes that are named
 * @session_name: what a person calls the session
 * @graph: the id under which its graph was shown
 * @flags: what kind of run
 * @feeds: (array zero-terminated=1) (nullable): tensors that are fed, `node:slot`
 * @values: (element-type FlowTensor) (nullable): their values, in the same order
 * @fetches: (array zero-terminated=1) (nullable): tensors wanted
 * @targets: (array zero-terminated=1) (nullable): nodes to run
 * @timeout_ms: how long it may take where nobody holds it, 0 for any time
 * @cancellable: (nullable): ends it
 * @file: the script's file that asks for it
 * @line: the line there
 *
 * Begins a run as flow_session_run() would do it. Returns at once; flow_script_debugger_wait() tells when it has its answer.
 *
 * Returns: the run's number, for flow_script_debugger_take_values()
 */
guint64
flow_script_debugger_begin_run (FlowScriptDebugger *self,
                                FlowSession        *session,
                                const char         *session_name,
                                guint               graph,
                                FlowScriptRunFlags  flags,
                                const char *const  *feeds,
                                GPtrArray          *values,
                                const char *const  *fetches,
                                const char *const  *targets,
                                gint64              timeout_ms,
                                GCancellable       *cancellable,
                                const char         *file,
                                guint               line)
{
  FlowScriptRun *run = NULL;
  guint64 number = 0;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), 0);
  g_return_val_if_fail (FLOW_IS_SESSION (session), 0);

  run = g_new0 (FlowScriptRun, 1);
  g_atomic_ref_count_init (&run->refs);
  run->graph = graph;
  run->flags = flags;
  run->session = g_object_ref (session);
  run->session_name = g_strdup (session_name);
  run->feeds = copy_list (feeds);
  run->fetches = copy_list (fetches);
  run->targets = copy_list (targets);
  run->values = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  for (guint i = 0; values != NULL && i < values->len; i++)
    g_ptr_array_add (run->values, flow_tensor_ref (values->pdata[i]));
  run->timeout_ms = timeout_ms;
  run->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  run->file = g_strdup (file != NULL ? file : "");
  run->line = line;
  run->label = name_run (run);
  g_mutex_lock (&self->mutex);
  number = run->number = ++self->n_runs;
  g_hash_table_insert (self->by_number, &run->number, _flow_script_run_ref (run));
  g_mutex_unlock (&self->mutex);
  _flow_script_push (self, begin_job, run);
  return number;
}

/**
 * flow_script_debugger_wait:
 * @self: a debugger
 * @run: number of a run that was begun, 0 when only news is waited for
 * @ms: how long
 *
 * Waits for the answer of a run, or for something to be evaluated. A thread whose run is asked to stop at hears of the
 * console as well: what a person types is evaluated where the script stands.
 *
 * Returns: what happened
 */
FlowScriptNews
flow_script_debugger_wait (FlowScriptDebugger *self,
                           guint64             run,
                           guint               ms)
{
  gint64 until = g_get_monotonic_time () + (gint64) ms * G_TIME_SPAN_MILLISECOND;
  FlowScriptNews news = FLOW_SCRIPT_NOTHING;
  FlowScriptRun *found = NULL;
  gboolean in_time = TRUE;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), FLOW_SCRIPT_CLOSED);

  g_mutex_lock (&self->mutex);
  found = g_hash_table_lookup (self->by_number, &run);
  for (;;)
    {
      if (found != NULL && found->done)
        news = FLOW_SCRIPT_DONE;
      else if (self->console.length > 0 && self->evaluating == NULL && (run == 0 || run == self->held_number))
        news = FLOW_SCRIPT_CONSOLE;
      else if (found == NULL && self->closed)
        news = FLOW_SCRIPT_CLOSED;
      if (news != FLOW_SCRIPT_NOTHING || !in_time)
        break;
      in_time = g_cond_wait_until (&self->cond, &self->mutex, until);
    }
  g_mutex_unlock (&self->mutex);
  return news;
}

/**
 * flow_script_debugger_take_values:
 * @self: a debugger
 * @run: number of a run that is done
 * @error: where to put an error
 *
 * The run is forgotten with this.
 *
 * Returns: (transfer container) (element-type FlowTensor) (nullable): as flow_session_run()
 */
GPtrArray *
flow_script_debugger_take_values (FlowScriptDebugger  *self,
                                  guint64              run,
                                  GError             **error)
{
  FlowScriptRun *found = NULL;
  GPtrArray *fetched = NULL;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), NULL);

  g_mutex_lock (&self->mutex);
  found = g_hash_table_lookup (self->by_number, &run);
  if (found != NULL)
    g_hash_table_remove (self->by_number, &run);
  g_mutex_unlock (&self->mutex);
  if (found == NULL || !found->done)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "run %" G_GUINT64_FORMAT " is not done", run);
  else if (found->error != NULL)
    g_propagate_error (error, g_steal_pointer (&found->error));
  else
    fetched = g_steal_pointer (&found->fetched);
  if (found != NULL)
    _flow_script_run_unref (found);
  return fetched;
}

/* --- graphs ----------------------------------------------------------------------------------------- */

static void
graph_free (gpointer data)
{
  FlowScriptGraph *graph = data;

  g_clear_pointer (&graph->idle_stepper, flow_stepper_free);
  g_clear_object (&graph->idle);
  g_clear_object (&graph->graph);
  g_clear_pointer (&graph->sources, g_variant_unref);
  g_ptr_array_unref (graph->sessions);
  g_free (graph->label);
  g_free (graph);
}

typedef struct {
  guint id;
  char *label;
  FlowScriptGraphFlags flags;
  FlowGraph *graph;
  GVariant *sources;
} Shown;

static void
show_graph_job (FlowScriptDebugger *self,
                gpointer            data)
{
  Shown *shown = data;
  FlowScriptGraph *graph = _flow_script_find_graph (self, shown->id);

  if (graph == NULL)
    {
      graph = g_new0 (FlowScriptGraph, 1);
      graph->id = shown->id;
      graph->sessions = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (self->graphs, graph);
    }
  flow_set_str (&graph->label, shown->label);
  graph->flags = shown->flags;
  if (shown->graph != NULL)
    g_set_object (&graph->graph, shown->graph);
  if (shown->sources != NULL)
    {
      g_clear_pointer (&graph->sources, g_variant_unref);
      graph->sources = g_variant_ref (shown->sources);
    }
  if (graph->graph != NULL && (self->shown == graph->id || (self->held == NULL && (graph->flags & FLOW_SCRIPT_GRAPH_DEFAULT) != 0)))
    {
      gboolean grew = self->shown == graph->id && shown->graph != NULL;

      if (self->view == NULL || self->view->graph != graph->id)
        _flow_script_show_graph (self, graph);
      if (grew)
        _flow_debug_core_news (self->core, FLOW_CORE_GRAPH);
    }
  _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
  g_free (shown->label);
  g_clear_object (&shown->graph);
  g_clear_pointer (&shown->sources, g_variant_unref);
  g_free (shown);
}

typedef struct {
  FlowGraph *graph;
  GBytes *meta_graph;
} Collected;

static void
set_collections_job (FlowScriptDebugger *self,
                     gpointer            data)
{
  Collected *collected = data;
  g_autoptr (GError) error = NULL;

  if (!flow_graph_load_collections (collected->graph, collected->meta_graph, &error))
    g_warning ("The script's collections cannot be shown: %s", error->message);
  g_object_unref (collected->graph);
  g_bytes_unref (collected->meta_graph);
  g_free (collected);
}

/**
 * flow_script_debugger_set_collections:
 * @self: a debugger
 * @graph: a graph that is or will be shown; changed only on the kernel thread
 * @meta_graph: a serialized MetaGraphDef, of which only the collections are read
 *
 * What stands in the graph's collections. To be followed by flow_script_debugger_show_graph().
 */
void
flow_script_debugger_set_collections (FlowScriptDebugger *self,
                                      FlowGraph          *graph,
                                      GBytes             *meta_graph)
{
  Collected *collected = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));
  g_return_if_fail (FLOW_IS_GRAPH (graph));
  g_return_if_fail (meta_graph != NULL);

  collected = g_new0 (Collected, 1);
  collected->graph = g_object_ref (graph);
  collected->meta_graph = g_bytes_ref (meta_graph);
  _flow_script_push (self, set_collections_job, collected);
}

/**
 * flow_script_debugger_show_graph:
 * @self: a debugger
 * @id: a number for the graph, from 1
 * @label: what a person calls it
 * @flags: how it stands
 * @graph: (nullable): its nodes; grows only on the kernel thread; %NULL: as before
 * @sources: (nullable): where its nodes were made, see the method ScriptSources; sunk; %NULL: as before
 *
 * A graph of the script is new, has grown, or stands differently.
 */
void
flow_script_debugger_show_graph (FlowScriptDebugger   *self,
                                 guint                 id,
                                 const char           *label,
                                 FlowScriptGraphFlags  flags,
                                 FlowGraph            *graph,
                                 GVariant             *sources)
{
  Shown *shown = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  shown = g_new0 (Shown, 1);
  shown->id = id;
  shown->label = g_strdup (label);
  shown->flags = flags;
  shown->graph = graph != NULL ? g_object_ref (graph) : NULL;
  shown->sources = sources != NULL ? g_variant_ref_sink (sources) : NULL;
  _flow_script_push (self, show_graph_job, shown);
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

/* --- console ---------------------------------------------------------------------------------------- */

/**
 * flow_script_debugger_take_console:
 * @self: a debugger
 *
 * Returns: (transfer full) (nullable): what a person wants evaluated; %NULL: another thread has taken it
 */
char *
flow_script_debugger_take_console (FlowScriptDebugger *self)
{
  char *text = NULL;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), NULL);

  g_mutex_lock (&self->mutex);
  if (self->evaluating == NULL && self->console.length > 0)
    {
      self->evaluating = g_queue_pop_head (&self->console);
      text = g_strdup (g_task_get_task_data (self->evaluating));
    }
  g_mutex_unlock (&self->mutex);
  return text;
}

typedef struct {
  GTask *task;
  char *output;
} Answer;

static void
answer_job (FlowScriptDebugger *self,
            gpointer            data)
{
  Answer *answer = data;

  g_task_return_pointer (answer->task, _flow_reply (g_variant_new ("(s)", answer->output)),
                         (GDestroyNotify) flow_debugger_reply_free);
  g_object_unref (answer->task);
  g_free (answer->output);
  g_free (answer);
}

/**
 * flow_script_debugger_answer_console:
 * @self: a debugger
 * @output: what it printed, and the value's text
 *
 * Ends what flow_script_debugger_take_console() began.
 */
void
flow_script_debugger_answer_console (FlowScriptDebugger *self,
                                     const char         *output)
{
  GTask *task = NULL;
  Answer *answer = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  g_mutex_lock (&self->mutex);
  task = g_steal_pointer (&self->evaluating);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  if (task == NULL)
    return;
  /* After what it did to graphs, which is on its way to the kernel thread. */
  answer = g_new0 (Answer, 1);
  answer->task = task;
  answer->output = g_utf8_make_valid (output, -1);
  _flow_script_push (self, answer_job, answer);
}

/* --- methods ---------------------------------------------------------------------------------------- */

static void
reply (GTask    *task,
       GVariant *value)
{
  g_task_return_pointer (task, _flow_reply (value), (GDestroyNotify) flow_debugger_reply_free);
  g_object_unref (task);
}

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
  empty->sessions = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->graphs, empty);
  _flow_script_show_graph (self, empty);
  _flow_debug_core_set_stop (self->core, FLOW_DEBUG_RUNNING, FLOW_STOP_NONE, NULL);
  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
  g_variant_dict_init (&info, NULL);
  g_variant_dict_insert (&info, "kind", "s", "script");
  g_variant_dict_insert (&info, "path", "s", path);
  g_variant_dict_insert (&info, "run_file", "s", "");
  g_variant_dict_insert_value (&info, "problems", g_variant_new_array (G_VARIANT_TYPE ("a{sv}"), NULL, 0));
  reply (task, g_variant_new ("(@a{sv})", g_variant_dict_end (&info)));
}

static void
move_job (FlowScriptDebugger *self,
          gpointer            data)
{
  GTask *task = data;
  guint movement = 0;
  const char *argument = NULL;

  g_variant_get (g_task_get_task_data (task), "(u&s)", &movement, &argument);
  if (movement > FLOW_MOVE_LAST_WRITE)
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
  reply (data, NULL);
}

/* A pause while no run is under way is meant for the next one. */
static void
pause_job (FlowScriptDebugger *self,
           gpointer            data)
{
  if (self->held == NULL && !self->has_ended)
    self->stop_next = TRUE;
  reply (data, NULL);
}

static void
policy_job (FlowScriptDebugger *self,
            gpointer            data)
{
  const char *words = NULL;
  GError *error = NULL;

  g_variant_get (g_task_get_task_data (data), "(&s)", &words);
  if (_flow_script_set_policy (self, words, &error))
    {
      reply (data, NULL);
      return;
    }
  g_task_return_error (data, error);
  g_object_unref (data);
}

static void
runs_job (FlowScriptDebugger *self,
          gpointer            data)
{
  guint64 from = 0;

  g_variant_get (g_task_get_task_data (data), "(t)", &from);
  reply (data, g_variant_new ("(@aa{sv})", _flow_script_list_runs (self, from)));
}

static void
graphs_job (FlowScriptDebugger *self,
            gpointer            data)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->graphs->len; i++)
    {
      FlowScriptGraph *graph = self->graphs->pdata[i];
      GVariantDict row;

      if (graph->id == 0 || (graph->flags & FLOW_SCRIPT_GRAPH_GONE) != 0)
        continue;
      g_variant_dict_init (&row, NULL);
      g_variant_dict_insert (&row, "id", "u", graph->id);
      g_variant_dict_insert (&row, "label", "s", graph->label);
      g_variant_dict_insert (&row, "nodes", "u", graph->graph != NULL ? flow_graph_get_n_nodes (graph->graph) : 0);
      g_variant_dict_insert (&row, "shown", "b", graph->id == self->shown);
      g_variant_dict_insert (&row, "default", "b", (graph->flags & FLOW_SCRIPT_GRAPH_DEFAULT) != 0);
      g_variant_dict_insert (&row, "cleared", "b", (graph->flags & FLOW_SCRIPT_GRAPH_CLEARED) != 0);
      g_variant_dict_insert_value (&row, "sessions",
                                   g_variant_new_strv ((const char *const *) graph->sessions->pdata, graph->sessions->len));
      g_variant_builder_add_value (&rows, g_variant_dict_end (&row));
    }
  reply (data, g_variant_new ("(@aa{sv})", g_variant_builder_end (&rows)));
}

static void
show_job (FlowScriptDebugger *self,
          gpointer            data)
{
  guint id = 0;
  FlowScriptGraph *graph = NULL;

  g_variant_get (g_task_get_task_data (data), "(u)", &id);
  graph = _flow_script_find_graph (self, id);
  if (graph == NULL || graph->graph == NULL)
    {
      g_task_return_new_error (data, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "the script has no graph %u", id);
      g_object_unref (data);
      return;
    }
  if (self->held != NULL && self->held->graph == id)
    _flow_script_show_run (self, self->held);
  else
    _flow_script_show_graph (self, graph);
  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
  reply (data, NULL);
}

static void
sources_job (FlowScriptDebugger *self,
             gpointer            data)
{
  FlowScriptGraph *graph = _flow_script_find_graph (self, self->shown);
  GVariant *sources = graph != NULL && graph->sources != NULL ? graph->sources : g_variant_new ("()");

  reply (data, g_variant_new ("(v)", sources));
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
  { "ScriptPolicy", "(s)", policy_job },
  { "ScriptRuns", "(t)", runs_job },
  { "ScriptGraphs", "()", graphs_job },
  { "ScriptShow", "(u)", show_job },
  { "ScriptSources", "()", sources_job },
};

/* What would take the session from the script. */
static const char *const refused[] = { "LoadRunFile", "SaveRunFile", NULL };

static void
ask_console (FlowScriptDebugger *self,
             GTask              *task,
             GVariant           *arguments)
{
  const char *text = NULL;

  g_variant_get (arguments, "(&s)", &text);
  g_task_set_task_data (task, g_strdup (text), g_free);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->console, task);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

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
      ask_console (self, task, arguments);
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

static FlowDebuggerReply *
flow_script_debugger_call_finish (FlowDebugger  *debugger,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, debugger), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
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
  iface->call_finish = flow_script_debugger_call_finish;
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
  FlowScriptRun *view;
} Remains;

static void
free_remains_cb (gpointer data)
{
  Remains *remains = data;

  remains->core->stepper = NULL;
  if (remains->view != NULL)
    {
      g_clear_pointer (&remains->view->stepper, flow_stepper_free);
      _flow_script_run_unref (remains->view);
    }
  g_ptr_array_unref (remains->graphs);
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
  g_hash_table_unref (self->by_number);
  g_clear_object (&self->graph);
  g_clear_object (&self->view_graph);
  g_free (self->policy.fetch);
  g_free (self->argument);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  remains->local = self->local;
  remains->core = self->core;
  remains->graphs = self->graphs;
  remains->view = self->view;
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
  self->context = g_main_context_ref_thread_default ();
  self->by_number = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  self->graphs = g_ptr_array_new_with_free_func (graph_free);
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
