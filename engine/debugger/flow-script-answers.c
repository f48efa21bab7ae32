/* flow-script-answers.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include <string.h>

/* How long a run within another one waits at the most. */
#define WITHIN_MS 10000

/* A run as the script's thread has it: asked for, waited for, and answered. What happens to it in between is
 * flow-script-runs.c's. */

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
  g_free (self->thread);
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

/* @about is read, and not kept. */
static FlowScriptRun *
make_run (FlowScriptDebugger *self,
          FlowSession        *session,
          GVariant           *about,
          const char *const  *feeds,
          GPtrArray          *values,
          const char *const  *fetches,
          const char *const  *targets,
          gint64              timeout_ms,
          GCancellable       *cancellable)
{
  g_autoptr (GVariant) said = g_variant_ref_sink (about);
  FlowScriptRun *run = g_new0 (FlowScriptRun, 1);

  g_atomic_ref_count_init (&run->refs);
  run->session = g_object_ref (session);
  run->feeds = copy_list (feeds);
  run->fetches = copy_list (fetches);
  run->targets = copy_list (targets);
  run->values = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  for (guint i = 0; values != NULL && i < values->len; i++)
    g_ptr_array_add (run->values, flow_tensor_ref (values->pdata[i]));
  run->timeout_ms = timeout_ms;
  run->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  g_variant_lookup (said, "graph", "u", &run->graph);
  g_variant_lookup (said, "session", "s", &run->session_name);
  g_variant_lookup (said, "thread", "s", &run->thread);
  g_variant_lookup (said, "file", "s", &run->file);
  g_variant_lookup (said, "line", "u", &run->line);
  g_variant_lookup (said, "console", "b", &run->is_console);
  if (run->session_name == NULL)
    run->session_name = g_strdup ("");
  if (run->thread == NULL)
    run->thread = g_strdup ("");
  if (run->file == NULL)
    run->file = g_strdup ("");
  run->label = name_run (run);
  g_mutex_lock (&self->mutex);
  run->number = ++self->n_runs;
  g_mutex_unlock (&self->mutex);
  return run;
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
 * @about: a{sv}, sunk: graph u (the id under which it was shown), session s and thread s (their names), file s and line u
 *   that ask for it, console b (a person asked for it while the script is held: it happens at once and stops nowhere)
 * @feeds: (array zero-terminated=1) (nullable): tensors that are fed, `node:slot`
 * @values: (element-type FlowTensor) (nullable): their values, in the same order
 * @fetches: (array zero-terminated=1) (nullable): tensors wanted
 * @targets: (array zero-terminated=1) (nullable): nodes to run
 * @timeout_ms: how long it may take where nobody holds it, 0 for any time
 * @cancellable: (nullable): ends it
 *
 * Begins a run as flow_session_run() would do it. Returns at once; flow_script_debugger_wait() tells when it has its answer.
 *
 * Returns: the run's number, for flow_script_debugger_take_values()
 */
guint64
flow_script_debugger_begin_run (FlowScriptDebugger *self,
                                FlowSession        *session,
                                GVariant           *about,
                                const char *const  *feeds,
                                GPtrArray          *values,
                                const char *const  *fetches,
                                const char *const  *targets,
                                gint64              timeout_ms,
                                GCancellable       *cancellable)
{
  FlowScriptRun *run = NULL;
  guint64 number = 0;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), 0);
  g_return_val_if_fail (FLOW_IS_SESSION (session), 0);

  run = make_run (self, session, about, feeds, values, fetches, targets, timeout_ms, cancellable);
  /* Once it is under way, it may be answered and gone. */
  number = run->number;
  g_mutex_lock (&self->mutex);
  g_hash_table_insert (self->by_number, &run->number, _flow_script_run_ref (run));
  g_mutex_unlock (&self->mutex);
  _flow_script_push (self, begin_job, run);
  return number;
}

/**
 * flow_script_debugger_run_within:
 * @self: a debugger
 * @session: the script's session; its graph has all the nodes that are named
 * @about: as for flow_script_debugger_begin_run()
 * @feeds: (array zero-terminated=1) (nullable): tensors that are fed, `node:slot`
 * @values: (element-type FlowTensor) (nullable): their values, in the same order
 * @fetches: (array zero-terminated=1) (nullable): tensors wanted
 * @targets: (array zero-terminated=1) (nullable): nodes to run
 * @timeout_ms: how long it may take; 0 means ten seconds of waiting
 * @cancellable: (nullable): ends it
 * @error: where to put an error
 *
 * A run that a function of the script asks for while an op calls that function: the kernel thread is its own, and waits for
 * it. It is listed, but stops nowhere, and what it writes stays when the op that called is stepped back, as all does that
 * a function of the script does.
 *
 * Returns: (transfer container) (element-type FlowTensor) (nullable): as flow_session_run()
 */
GPtrArray *
flow_script_debugger_run_within (FlowScriptDebugger  *self,
                                 FlowSession         *session,
                                 GVariant            *about,
                                 const char *const   *feeds,
                                 GPtrArray           *values,
                                 const char *const   *fetches,
                                 const char *const   *targets,
                                 gint64               timeout_ms,
                                 GCancellable        *cancellable,
                                 GError             **error)
{
  FlowScriptRun *run = NULL;
  FlowUndo *undo = NULL;
  GPtrArray *fetched = NULL;
  GError *failure = NULL;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), NULL);
  g_return_val_if_fail (FLOW_IS_SESSION (session), NULL);

  run = make_run (self, session, about, feeds, values, fetches, targets, timeout_ms, cancellable);
  run->began_us = g_get_monotonic_time ();
  undo = flow_session_get_undo (session);
  flow_session_set_undo (session, NULL);
  /* While it is under way nothing else moves: what it waits for cannot come. */
  fetched = flow_session_run (session, feeds, values, fetches, targets, timeout_ms > 0 ? timeout_ms : WITHIN_MS, cancellable,
                              &failure);
  flow_session_set_undo (session, undo);
  run->fetched = fetched != NULL ? g_ptr_array_ref (fetched) : NULL;
  _flow_script_log_run (self, g_variant_ref_sink (_flow_script_describe_run (run, g_get_monotonic_time () - run->began_us,
                                                                             failure != NULL ? failure->message : NULL)));
  _flow_script_run_unref (run);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return fetched;
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
