/* flow-script-runs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-util.h"

#include <string.h>

/*
 * The runs of a script, on the kernel thread. Each has a stepper of its own: its history begins where it
 * begins, and ends when the script has its values, because what a script was given cannot be taken back.
 * While a person holds one, all others stand still, unless it waits for one of them.
 */

/* So many ops are done before another run gets its turn, and before questions are answered. */
#define STEPS_PER_TURN 4096
/* A run that waits while no other moves is given this long before a person is told: the script's other threads may be
 * on their way. */
#define STUCK_AFTER_US (500 * 1000)
#define RETRY_MS 5

/* --- beginning and answering ------------------------------------------------------------------------ */

static FlowListedRun *
listed (FlowScriptRun *run)
{
  return flow_run_list_get_run (flow_stepper_get_list (run->stepper), 0);
}

static FlowRunFile *
make_file (FlowScriptRun *run)
{
  FlowRunFile *file = flow_run_file_new (flow_session_get_folder (run->session));
  FlowRunEntry *entry = flow_run_entry_new (run->label);

  for (guint i = 0; run->fetches[i] != NULL; i++)
    flow_run_entry_add_fetch (entry, run->fetches[i]);
  for (guint i = 0; run->targets[i] != NULL; i++)
    flow_run_entry_add_target (entry, run->targets[i]);
  for (guint i = 0; run->feeds[i] != NULL; i++)
    flow_run_entry_set_feed (entry, run->feeds[i], FLOW_FEED_GIVEN);
  entry->timeout_ms = run->timeout_ms;
  g_ptr_array_add (file->entries, entry);
  return file;
}

/* Whether the ops of @run are to be looked at one by one. */
static gboolean
is_watched (FlowScriptDebugger *self,
            FlowScriptRun      *run)
{
  if (self->is_detached || run->is_console)
    return FALSE;
  if (run->is_wanted)
    return TRUE;
  for (guint i = 0; i < self->core->breakpoints->len; i++)
    if (((FlowBreakpoint *) self->core->breakpoints->pdata[i])->enabled)
      return TRUE;
  return FALSE;
}

/* The history of a run that is looked at ends where another changed the session under it. */
static void
cut_history (FlowScriptDebugger *self,
             FlowScriptRun      *by)
{
  FlowScriptRun *other = self->held != NULL ? self->held : self->view;

  if (other == NULL || other == by || other->session != by->session || other->stepper == NULL
      || other->state == FLOW_SCRIPT_RUN_ANSWERED)
    return;
  /* What a person did in the console stays as it is when the run steps back. */
  if (!by->is_console)
    flow_stepper_set_recording (other->stepper, FALSE);
  flow_stepper_set_recording (other->stepper, TRUE);
}

static void
set_held (FlowScriptDebugger *self,
          FlowScriptRun      *run)
{
  gint64 now = g_get_monotonic_time ();

  if (self->held != NULL && self->held->held_since_us > 0)
    {
      self->held->held_us += now - self->held->held_since_us;
      self->held->held_since_us = 0;
    }
  if (run != NULL)
    run->held_since_us = now;
  self->held = run;
  g_mutex_lock (&self->mutex);
  self->held_number = run != NULL ? run->number : 0;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* Takes @error. */
static void
answer (FlowScriptDebugger *self,
        FlowScriptRun      *run,
        GError             *error)
{
  FlowListedRun *done = run->stepper != NULL ? listed (run) : NULL;
  gint64 us = g_get_monotonic_time () - run->began_us;
  GPtrArray *fetched = NULL;
  GVariant *row = NULL;

  if (error == NULL && done != NULL && done->error != NULL)
    error = g_error_copy (done->error);
  if (error == NULL)
    {
      fetched = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
      for (guint i = 0; done != NULL && done->fetched != NULL && i < done->n_fetched; i++)
        g_ptr_array_add (fetched, done->fetched[i] != NULL ? flow_tensor_ref (done->fetched[i]) : NULL);
    }
  flow_session_set_undo (run->session, NULL);
  /* What did not come of the op that failed is done before the script goes on. */
  while (error != NULL && done != NULL && done->run != NULL && !done->ended && flow_run_drop_failed (done->run))
    while (flow_run_step (done->run, NULL) == FLOW_STEP_DONE)
      ;
  if (self->held == run)
    set_held (self, NULL);
  run->state = FLOW_SCRIPT_RUN_ANSWERED;
  if (fetched != NULL && !run->is_console)
    _flow_script_trail_run (self, run, fetched);
  g_queue_remove (&self->runs, run);
  if (error != NULL && error->code != FLOW_ERROR_CANCELLED && !run->is_console && !self->is_detached)
    _flow_script_keep_failed (self, run, error);
  else if (self->view != run)
    g_clear_pointer (&run->stepper, flow_stepper_free);
  cut_history (self, run);

  g_mutex_lock (&self->mutex);
  run->fetched = fetched;
  row = !run->is_console
        ? g_variant_ref_sink (_flow_script_describe_run (run, us, error != NULL ? error->message : NULL)) : NULL;
  run->error = error;
  run->done = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  _flow_script_log_run (self, row);
  _flow_script_run_unref (run);
}

/* --- stopping ------------------------------------------------------------------------------------- */

static void
end_move (FlowScriptDebugger *self)
{
  g_autoptr (FlowDebugState) state = NULL;
  GTask *task = g_steal_pointer (&self->move);

  if (task == NULL)
    return;
  state = _flow_debug_core_state (self->core);
  g_task_return_pointer (task, _flow_reply (g_variant_new ("(@a{sv})", flow_debug_state_to_variant (state))),
                         (GDestroyNotify) flow_debugger_reply_free);
  g_object_unref (task);
}

/* The run in view stands as core says. */
static void
hold (FlowScriptDebugger *self,
      FlowScriptRun      *run)
{
  set_held (self, run);
  self->stop_next = FALSE;
  run->state = FLOW_SCRIPT_RUN_HELD;
  _flow_script_tell_runs (self, TRUE);
  _flow_debug_core_news (self->core, FLOW_CORE_STOPPED);
  if (self->core->breakpoints->len > 0)
    _flow_debug_core_news (self->core, FLOW_CORE_BREAKPOINTS);
  end_move (self);
}

void
_flow_script_set_running (FlowScriptDebugger *self)
{
  gboolean wants_input = FALSE;

  g_mutex_lock (&self->mutex);
  wants_input = self->wants_input;
  g_mutex_unlock (&self->mutex);
  _flow_debug_core_set_stop (self->core, FLOW_DEBUG_RUNNING, wants_input ? FLOW_STOP_INPUT : FLOW_STOP_NONE, NULL);
  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
}

static void
hold_at (FlowScriptDebugger *self,
         FlowScriptRun      *run,
         FlowStopReason      reason)
{
  _flow_script_show_run (self, run);
  _flow_debug_core_set_stop (self->core, FLOW_DEBUG_PAUSED, reason, NULL);
  hold (self, run);
}

/* Goes on to the end without looking, and gives the script its answer. */
static void
let_go (FlowScriptDebugger *self,
        FlowScriptRun      *run)
{
  if (self->held == run)
    set_held (self, NULL);
  run->state = FLOW_SCRIPT_RUN_GOING;
  run->is_wanted = FALSE;
  run->by_person = FALSE;
  if (flow_run_list_is_done (flow_stepper_get_list (run->stepper)))
    answer (self, run, NULL);
}

/* --- turns ---------------------------------------------------------------------------------------- */

static gboolean
begin (FlowScriptDebugger *self,
       FlowScriptRun      *run)
{
  FlowRunList *list = NULL;
  GError *error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;
  GHashTableIter policies;
  gpointer scope = NULL;
  gpointer keep = NULL;

  if (!run->is_console)
    _flow_script_forget_failed (self);
  run->is_wanted = _flow_script_is_wanted (self, run);
  run->run_file = make_file (run);
  run->stepper = flow_stepper_new (run->session, run->run_file);
  if (!is_watched (self, run))
    flow_stepper_set_recording (run->stepper, FALSE);
  if (self->core->history_limit > 0)
    flow_stepper_set_limit (run->stepper, self->core->history_limit);
  g_hash_table_iter_init (&policies, self->core->policies);
  while (g_hash_table_iter_next (&policies, &scope, &keep))
    flow_stepper_set_policy (run->stepper, scope, (FlowKeepPolicy) GPOINTER_TO_UINT (keep));
  list = flow_stepper_get_list (run->stepper);
  flow_run_list_set_cancellable (list, self->core->cancellable);
  flow_run_list_set_deadlines (list, !run->is_wanted);
  for (guint i = 0; run->feeds[i] != NULL; i++)
    flow_run_list_give_feed (list, run->feeds[i], run->values->pdata[i]);
  run->state = FLOW_SCRIPT_RUN_GOING;
  result = flow_stepper_start (run->stepper, &error);
  if (result != FLOW_STEP_DONE)
    {
      answer (self, run, error);
      return FALSE;
    }
  if (run->is_wanted && (self->policy.at_start || self->stop_next))
    {
      hold_at (self, run, FLOW_STOP_RUN_START);
      return FALSE;
    }
  return TRUE;
}

static GError *
cancelled_error (FlowScriptRun *run)
{
  FlowListedRun *here = run->stepper != NULL ? listed (run) : NULL;
  GError *error = NULL;

  if (here != NULL && here->run != NULL && !here->ended)
    flow_run_cancel (here->run, &error);
  return error != NULL ? error : g_error_new_literal (FLOW_ERROR, FLOW_ERROR_CANCELLED, "Run call was cancelled");
}

/* The error of the op that failed, which tries once more and fails alike. */
static GError *
failure_of (FlowScriptRun *run)
{
  GError *error = NULL;

  if (listed (run) != NULL && listed (run)->error != NULL)
    return g_error_copy (listed (run)->error);
  if (flow_stepper_step (run->stepper, &error) == FLOW_STEP_FAILED && error != NULL)
    return error;
  g_clear_error (&error);
  return g_error_new_literal (FLOW_ERROR, FLOW_ERROR_INTERNAL, "the op failed");
}

/* Looked at by core: what it came to stands in core. */
static void
after_move (FlowScriptDebugger *self,
            FlowScriptRun      *run,
            gboolean            by_person)
{
  FlowDebugCore *core = self->core;
  gboolean is_done = flow_run_list_is_done (flow_stepper_get_list (run->stepper));
  gboolean speaks = core->reason == FLOW_STOP_BREAKPOINT || core->reason == FLOW_STOP_WATCHPOINT
                    || core->reason == FLOW_STOP_BAD_VALUE;

  run->is_waiting = FALSE;
  if (core->status == FLOW_DEBUG_WAITING)
    {
      run->state = FLOW_SCRIPT_RUN_GOING;
      run->is_waiting = TRUE;
      run->by_person = by_person;
      if (self->held == run)
        set_held (self, NULL);
      core->status = FLOW_DEBUG_RUNNING;
      return;
    }
  if (core->status == FLOW_DEBUG_FAILED)
    {
      if (by_person || run->is_wanted)
        hold (self, run);
      else
        {
          _flow_script_set_running (self);
          answer (self, run, failure_of (run));
        }
      return;
    }
  if (is_done && !speaks && (self->move == NULL || self->movement == FLOW_MOVE_RUN) && !(run->is_wanted && self->policy.at_end))
    {
      _flow_script_set_running (self);
      answer (self, run, NULL);
      return;
    }
  /* The run is over and the script has not heard of it: there is something ahead. */
  if (is_done)
    core->status = FLOW_DEBUG_PAUSED;
  hold (self, run);
}

/* Goes on as the last movement said, or to the end. */
static void
watched_turn (FlowScriptDebugger *self,
              FlowScriptRun      *run)
{
  gboolean by_person = run->is_waiting && run->by_person && self->move != NULL;
  FlowMovement movement = by_person ? self->movement : FLOW_MOVE_RUN;
  g_autoptr (GError) error = NULL;

  _flow_script_show_run (self, run);
  self->core->status = FLOW_DEBUG_RUNNING;
  if (!_flow_debug_core_move (self->core, movement, by_person && self->argument != NULL ? self->argument : "", &error))
    {
      answer (self, run, g_steal_pointer (&error));
      return;
    }
  after_move (self, run, by_person);
}

static gboolean
free_turn (FlowScriptDebugger *self,
           FlowScriptRun      *run)
{
  GError *error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;
  guint n = 0;

  do
    {
      result = flow_stepper_step (run->stepper, &error);
      if (_flow_local_debugger_poll (FLOW_LOCAL_DEBUGGER (self->local)) && result == FLOW_STEP_DONE
          && !run->is_console)
        {
          flow_stepper_set_recording (run->stepper, TRUE);
          hold_at (self, run, FLOW_STOP_PAUSE);
          return TRUE;
        }
    }
  while (result == FLOW_STEP_DONE && !flow_run_list_is_done (flow_stepper_get_list (run->stepper)) && ++n < STEPS_PER_TURN);
  run->is_waiting = result == FLOW_STEP_WAITING;
  if (result == FLOW_STEP_FAILED)
    answer (self, run, error);
  else if (flow_run_list_is_done (flow_stepper_get_list (run->stepper)))
    answer (self, run, NULL);
  return n > 0 || !run->is_waiting;
}

/* TRUE when something moved. */
static gboolean
turn (FlowScriptDebugger *self,
      FlowScriptRun      *run)
{
  gboolean waited = run->is_waiting;
  gboolean moved = FALSE;

  if (run->cancellable != NULL && g_cancellable_is_cancelled (run->cancellable))
    {
      answer (self, run, cancelled_error (run));
      return TRUE;
    }
  if (run->state == FLOW_SCRIPT_RUN_NEW && !begin (self, run))
    return TRUE;
  if (!is_watched (self, run) || flow_run_list_is_done (flow_stepper_get_list (run->stepper)))
    {
      flow_session_set_undo (run->session, NULL);
      moved = free_turn (self, run);
    }
  else
    {
      flow_stepper_set_recording (run->stepper, TRUE);
      watched_turn (self, run);
      moved = !(waited && run->state == FLOW_SCRIPT_RUN_GOING && run->is_waiting);
    }
  cut_history (self, run);
  return moved;
}

static void
work_job (FlowScriptDebugger *self,
          gpointer            data)
{
  _flow_script_work (self);
}

static gboolean
retry_cb (gpointer data)
{
  _flow_script_push (data, work_job, NULL);
  return G_SOURCE_REMOVE;
}

static void
retry_soon (FlowScriptDebugger *self)
{
  g_autoptr (GSource) source = g_timeout_source_new (RETRY_MS);

  g_source_set_callback (source, retry_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, self->context);
}

/* Everything waits, and has for a while: a person who waits for a movement is told. */
static void
check_stuck (FlowScriptDebugger *self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->stuck_since_us == 0)
    self->stuck_since_us = now;
  if (self->move == NULL || self->view == NULL || now - self->stuck_since_us < STUCK_AFTER_US
      || self->view->state != FLOW_SCRIPT_RUN_GOING || !self->view->is_waiting || !is_watched (self, self->view))
    return;
  _flow_core_stop_waiting (self->core);
  hold (self, self->view);
}

/* Each run has its turn. */
void
_flow_script_work (FlowScriptDebugger *self)
{
  g_autoptr (GPtrArray) now = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_script_run_unref);
  gboolean moved = FALSE;
  gboolean is_left = FALSE;

  for (GList *l = self->runs.head; l != NULL; l = l->next)
    g_ptr_array_add (now, _flow_script_run_ref (l->data));
  for (guint i = 0; i < now->len; i++)
    {
      FlowScriptRun *run = now->pdata[i];

      if (run->state == FLOW_SCRIPT_RUN_HELD || run->state == FLOW_SCRIPT_RUN_ANSWERED)
        continue;
      if (self->held != NULL && !run->is_console)
        continue;
      moved = turn (self, run) || moved;
    }
  if (moved)
    self->stuck_since_us = 0;
  for (GList *l = self->runs.head; l != NULL; l = l->next)
    {
      FlowScriptRun *run = l->data;

      is_left = is_left || (run->state != FLOW_SCRIPT_RUN_HELD
                            && (self->held == NULL || run->is_console));
    }
  if (!is_left)
    return;
  if (moved)
    {
      _flow_script_push (self, work_job, NULL);
      return;
    }
  check_stuck (self);
  retry_soon (self);
}

/* Takes @run. */
void
_flow_script_begin (FlowScriptDebugger *self,
                    FlowScriptRun      *run)
{
  run->began_us = g_get_monotonic_time ();
  g_queue_push_tail (&self->runs, run);
  _flow_script_work (self);
}

/* --- what a person asks for ------------------------------------------------------------------------- */

static void
refuse_move (FlowScriptDebugger *self,
             GError             *error)
{
  GTask *task = g_steal_pointer (&self->move);

  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
  g_task_return_error (task, error);
  g_object_unref (task);
}

/* The script goes on; the movement is done when it stops again. */
static void
go_on (FlowScriptDebugger *self)
{
  if (self->has_ended)
    {
      end_move (self);
      return;
    }
  if (self->movement == FLOW_MOVE_SKIP_RUNS)
    {
      self->n_skips = MAX (g_ascii_strtoull (self->argument, NULL, 10), 1) - 1;
      self->stop_next = self->n_skips == 0;
    }
  else if (self->movement != FLOW_MOVE_RUN)
    self->stop_next = TRUE;
  _flow_script_set_running (self);
  if (self->held != NULL)
    let_go (self, self->held);
  _flow_script_work (self);
}

static gboolean
is_backwards (FlowScriptDebugger *self)
{
  return _flow_movement_is_backwards (self->movement) || self->movement == FLOW_MOVE_LAST_WRITE
         || self->movement == FLOW_MOVE_GOTO || self->movement == FLOW_MOVE_RESTART
         || self->movement == FLOW_MOVE_RECOMPUTE;
}

/* What is about a run that can still be moved in. */
static gboolean
stays_in_run (FlowScriptDebugger *self)
{
  return is_backwards (self) || self->movement == FLOW_MOVE_TO_ITERATION;
}

void
_flow_script_move (FlowScriptDebugger *self,
                   GTask              *task,
                   FlowMovement        movement,
                   const char         *argument)
{
  FlowDebugCore *core = self->core;
  FlowScriptRun *run = self->held;
  FlowDebugStatus before = core->status;
  GError *error = NULL;
  gboolean is_done = FALSE;

  if (self->move != NULL)
    {
      g_task_return_new_error (task, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "a movement is under way");
      g_object_unref (task);
      return;
    }
  self->move = task;
  self->movement = movement;
  flow_set_str (&self->argument, argument);
  self->stuck_since_us = 0;
  if (run == NULL && stays_in_run (self))
    {
      refuse_move (self, g_error_new_literal (FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                                              "the script has the values of this run: it cannot be undone any more"));
      return;
    }
  if (run == NULL)
    {
      go_on (self);
      return;
    }
  _flow_script_show_run (self, run);
  is_done = flow_run_list_is_done (flow_stepper_get_list (run->stepper));
  if (!stays_in_run (self) && (is_done || movement == FLOW_MOVE_SKIP_RUNS
                             || (core->status == FLOW_DEBUG_FAILED && movement != FLOW_MOVE_RETRY)))
    {
      go_on (self);
      return;
    }
  _flow_local_debugger_forget_pause (FLOW_LOCAL_DEBUGGER (self->local));
  core->status = FLOW_DEBUG_RUNNING;
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  if (!_flow_debug_core_move (core, movement, argument, &error))
    {
      core->status = before;
      refuse_move (self, error);
      return;
    }
  if (is_backwards (self))
    {
      if (core->status == FLOW_DEBUG_FINISHED)
        core->status = FLOW_DEBUG_PAUSED;
      hold (self, run);
    }
  else
    after_move (self, run, TRUE);
  _flow_script_work (self);
}

/* Every run that is under way ends; the script hears that it was cancelled. */
void
_flow_script_stop (FlowScriptDebugger *self)
{
  g_autoptr (GPtrArray) now = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_script_run_unref);

  for (GList *l = self->runs.head; l != NULL; l = l->next)
    g_ptr_array_add (now, _flow_script_run_ref (l->data));
  for (guint i = 0; i < now->len; i++)
    if (((FlowScriptRun *) now->pdata[i])->state != FLOW_SCRIPT_RUN_ANSWERED)
      answer (self, now->pdata[i], cancelled_error (now->pdata[i]));
  if (now->len > 0 && !self->has_ended)
    _flow_script_set_running (self);
}

void
_flow_script_ended (FlowScriptDebugger *self,
                    const char         *message)
{
  gboolean failed = message != NULL;
  guint32 node = _flow_script_show_failed (self, message);

  self->has_ended = TRUE;
  _flow_debug_core_set_stop (self->core, failed ? FLOW_DEBUG_FAILED : FLOW_DEBUG_FINISHED,
                             failed ? FLOW_STOP_ERROR : FLOW_STOP_END, message);
  if (failed)
    self->core->error_code = FLOW_ERROR_UNKNOWN;
  self->core->failed_node = self->core->stop_node = node;
  _flow_script_tell_runs (self, TRUE);
  _flow_debug_core_news (self->core, FLOW_CORE_STOPPED);
  end_move (self);
}

/* Nobody looks any more: the script runs to its end by itself. */
void
_flow_script_let_all_go (FlowScriptDebugger *self)
{
  self->is_detached = TRUE;
  if (self->held != NULL)
    let_go (self, self->held);
  _flow_script_work (self);
}
