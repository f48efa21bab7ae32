/* flow-session-run.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session.h"

#include "flow-kernel-thread.h"
#include "flow-run.h"

/* Session.run() as a script calls it: from any thread, it returns when the values are there. A run that
 * waits (for a queue, say) gives the kernel thread back, so that another thread's run can fill the queue. */

/* So many ops are done before another thread's run gets its turn. */
#define STEPS_PER_TURN 4096
/* Runs that fill and empty each other's queues for ever leave the thread to others after so many rounds. */
#define ROUNDS_PER_TURN 256

typedef struct {
  FlowSession *session;
  const char *const *feeds;
  GPtrArray *values;
  const char *const *fetches;
  const char *const *targets;
  FlowPlan *plan;
  FlowRun *run;
  gint cancel;                 /* atomic: set by who asked for the run */
  FlowStepResult result;       /* of the kernel thread, also in other calls' turns */
  FlowStepResult told;         /* what it was at the end of a turn of its own, for who asked */
  GPtrArray *fetched;
  GError *error;
} Call;

/* Counts the turns in which something happened; who waits looks again when it grows. */
static GMutex progress_mutex;  /* guards n_turns */
static GCond progress_cond;
static guint64 n_turns;

/* Calls whose runs wait, the first first. Of the kernel thread. */
static GPtrArray *waiting;
/* Turns that are being taken: a function of the script (PyFunc) may ask for a run within one. Of the kernel thread. */
static guint depth;

static void
unref_tensor (gpointer data)
{
  if (data != NULL)
    flow_tensor_unref (data);
}

static FlowTensor *
find_feed (Call         *self,
           FlowEndpoint  wanted)
{
  FlowGraph *graph = flow_session_get_graph (self->session);

  for (guint i = 0; self->feeds != NULL && self->feeds[i] != NULL; i++)
    {
      FlowEndpoint at;

      if (flow_graph_parse_endpoint (graph, self->feeds[i], &at, NULL) && at.node == wanted.node && at.slot == wanted.slot)
        return g_ptr_array_index (self->values, i);
    }
  return NULL;
}

static void
end_run (Call *self)
{
  flow_run_end (self->run);
  g_clear_pointer (&self->run, flow_run_unref);
  g_ptr_array_remove (waiting, self);
}

static gboolean
begin (Call *self)
{
  const FlowPruneEnds *ends;
  g_autoptr (GPtrArray) feeds = g_ptr_array_new ();

  self->plan = flow_session_get_plan (self->session, self->feeds, self->fetches, self->targets, NULL, &self->error);
  if (self->plan == NULL)
    return FALSE;
  ends = flow_prune_get_ends (flow_plan_get_prune (self->plan));
  for (guint i = 0; i < ends->n_feeds; i++)
    g_ptr_array_add (feeds, find_feed (self, ends->feeds[i]));
  self->run = flow_run_new (self->session, self->plan, (FlowTensor *const *) feeds->pdata, &self->error);
  if (self->run == NULL || flow_run_prepare_kernels (self->run, &self->error))
    return self->run != NULL;
  end_run (self);
  return FALSE;
}

static void
take_fetches (Call *self)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (flow_plan_get_prune (self->plan));
  g_autofree FlowTensor **values = g_new0 (FlowTensor *, ends->n_fetches + 1);
  FlowGraph *graph = flow_session_get_graph (self->session);

  if (!flow_run_get_fetches (self->run, values, &self->error))
    {
      self->result = FLOW_STEP_FAILED;
      return;
    }
  self->fetched = g_ptr_array_new_with_free_func (unref_tensor);
  for (guint i = 0; self->fetches != NULL && self->fetches[i] != NULL; i++)
    {
      FlowEndpoint at;

      flow_graph_parse_endpoint (graph, self->fetches[i], &at, NULL);
      for (guint k = 0; k < ends->n_fetches; k++)
        if (ends->fetches[k].node == at.node && ends->fetches[k].slot == at.slot)
          {
            g_ptr_array_add (self->fetched, flow_tensor_ref (values[k]));
            break;
          }
    }
  for (guint k = 0; k < ends->n_fetches; k++)
    unref_tensor (values[k]);
}

static void
announce (void)
{
  g_mutex_lock (&progress_mutex);
  n_turns++;
  g_cond_broadcast (&progress_cond);
  g_mutex_unlock (&progress_mutex);
}

/* What an op that failed leaves is done before the run is over, but waits for nobody. */
static FlowStepResult
step (Call *self)
{
  const gboolean is_failing = self->error != NULL;
  FlowStepResult result = flow_run_step (self->run, is_failing ? NULL : &self->error);

  if (result == FLOW_STEP_FAILED && flow_run_drop_failed (self->run))
    return FLOW_STEP_DONE;
  return is_failing && result != FLOW_STEP_DONE ? FLOW_STEP_FAILED : result;
}

/* Returns whether something happened. */
static gboolean
step_on (Call *self)
{
  guint n = 0;

  if (g_atomic_int_get (&self->cancel))
    {
      flow_run_cancel (self->run, self->error == NULL ? &self->error : NULL);
      self->result = FLOW_STEP_FAILED;
    }
  else
    {
      do
        self->result = step (self);
      while (self->result == FLOW_STEP_DONE && ++n < STEPS_PER_TURN);
    }
  if (self->result == FLOW_STEP_FINISHED)
    take_fetches (self);
  if (self->result == FLOW_STEP_FINISHED || self->result == FLOW_STEP_FAILED)
    end_run (self);
  else if (self->result == FLOW_STEP_WAITING && !g_ptr_array_find (waiting, self, NULL))
    g_ptr_array_add (waiting, self);
  return n > 0;
}

/* TF: what a queue has or takes is given to those who wait for it, in the order they came, before anybody else's op. */
static void
serve_waiting (void)
{
  gboolean moved = TRUE;

  for (guint round = 0; moved && round < ROUNDS_PER_TURN; round++)
    {
      g_autoptr (GPtrArray) calls = g_ptr_array_copy (waiting, NULL, NULL);

      moved = FALSE;
      for (guint i = 0; i < calls->len; i++)
        if (((Call *) calls->pdata[i])->result == FLOW_STEP_WAITING)
          moved = step_on (calls->pdata[i]) || moved;
    }
}

static void
go_on (Call *self)
{
  gboolean moved;

  if (waiting == NULL)
    waiting = g_ptr_array_new ();
  /* Its run came to its end in somebody else's turn. */
  if (self->result == FLOW_STEP_FINISHED || self->result == FLOW_STEP_FAILED)
    return;
  if (self->run == NULL && !begin (self))
    {
      self->result = FLOW_STEP_FAILED;
      return;
    }
  depth++;
  moved = step_on (self);
  if (moved && depth == 1)
    serve_waiting ();
  depth--;
  if (moved)
    announce ();
}

/* On the kernel thread. */
static void
take_turn (gpointer data)
{
  Call *self = data;

  go_on (self);
  self->told = self->result;
}

/* FALSE when the time is over. */
static gboolean
wait_for_progress (guint64 seen,
                   gint64  deadline)
{
  gboolean in_time = TRUE;
  gint64 next = g_get_monotonic_time () + 100 * G_TIME_SPAN_MILLISECOND;

  g_mutex_lock (&progress_mutex);
  if (n_turns == seen)
    g_cond_wait_until (&progress_cond, &progress_mutex, deadline > 0 ? MIN (next, deadline) : next);
  if (deadline > 0 && g_get_monotonic_time () >= deadline)
    in_time = FALSE;
  g_mutex_unlock (&progress_mutex);
  return in_time;
}

static guint64
count_turns (void)
{
  guint64 n;

  g_mutex_lock (&progress_mutex);
  n = n_turns;
  g_mutex_unlock (&progress_mutex);
  return n;
}

/* Unless it came to its end in the meantime. */
static void
time_out (gpointer data)
{
  Call *self = data;

  if (self->result == FLOW_STEP_WAITING || self->result == FLOW_STEP_DONE)
    {
      end_run (self);
      if (self->error == NULL)
        g_set_error (&self->error, FLOW_ERROR, FLOW_ERROR_DEADLINE_EXCEEDED, "Timed out waiting for notification");
      self->result = FLOW_STEP_FAILED;
    }
  self->told = self->result;
}

/**
 * flow_session_run:
 * @self: a session
 * @feeds: (array zero-terminated=1) (nullable): tensors that are fed, `node:slot`
 * @values: (element-type FlowTensor) (nullable): their values, in the same order
 * @fetches: (array zero-terminated=1) (nullable): tensors wanted
 * @targets: (array zero-terminated=1) (nullable): nodes to run
 * @timeout_ms: how long it may take, 0 for any time
 * @cancellable: (nullable): ends it
 * @error: where to put an error
 *
 * Runs what is wanted and returns when it is there. May be called from several threads at once; the
 * runs of a process take turns.
 *
 * Returns: (transfer container) (element-type FlowTensor) (nullable): the fetched values in the order of
 *   @fetches; %NULL with TensorFlow's code and words
 */
GPtrArray *
flow_session_run (FlowSession       *self,
                  const char *const *feeds,
                  GPtrArray         *values,
                  const char *const *fetches,
                  const char *const *targets,
                  gint64             timeout_ms,
                  GCancellable      *cancellable,
                  GError           **error)
{
  Call call = { .session = self, .feeds = feeds, .values = values, .fetches = fetches, .targets = targets };
  gint64 deadline = timeout_ms > 0 ? g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND : 0;
  guint64 seen;

  g_return_val_if_fail (FLOW_IS_SESSION (self), NULL);

  do
    {
      seen = count_turns ();
      flow_kernel_thread_call (take_turn, &call);
      if (call.told == FLOW_STEP_WAITING ? !wait_for_progress (seen, deadline)
          : call.told == FLOW_STEP_DONE && deadline > 0 && g_get_monotonic_time () >= deadline)
        flow_kernel_thread_call (time_out, &call);
      g_atomic_int_set (&call.cancel, cancellable != NULL && g_cancellable_is_cancelled (cancellable));
    }
  while (call.told == FLOW_STEP_WAITING || call.told == FLOW_STEP_DONE);
  g_clear_pointer (&call.plan, flow_plan_unref);
  if (call.error != NULL)
    g_propagate_error (error, call.error);
  return call.fetched;
}
