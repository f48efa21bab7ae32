/* flow-run.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include <string.h>

static void
parked_clear (gpointer data)
{
  FlowParked *parked = data;

  g_clear_pointer (&parked->resource, flow_resource_unref);
  g_clear_pointer (&parked->text, g_free);
}

/* TF: each feed must have the dtype of the tensor it stands for. */
static gboolean
take_feeds (FlowRun            *self,
            FlowTensor *const  *feeds,
            GError            **error)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (self->plan->prune);

  self->feeds = g_new0 (FlowTensor *, ends->n_feeds + 1);
  self->n_feeds = ends->n_feeds;
  for (guint i = 0; i < ends->n_feeds; i++)
    {
      int dtype = flow_dtype_base (flow_graph_get_output_dtype (self->graph, ends->feeds[i].node,
                                                                (guint) ends->feeds[i].slot));

      if ((int) feeds[i]->dtype != dtype)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "Expects arg[%u] to be %s but %s is provided", i, flow_dtype_string (dtype),
                       flow_dtype_string (feeds[i]->dtype));
          return FALSE;
        }
      self->feeds[i] = flow_tensor_ref (feeds[i]);
    }
  return TRUE;
}

static void
make_room (FlowRun *self)
{
  FlowPlan *plan = self->plan;
  const FlowPruneEnds *ends = flow_prune_get_ends (plan->prune);
  guint most_inputs = 1;
  guint most_outputs = 1;

  for (guint i = 0; i < plan->n_items; i++)
    {
      most_inputs = MAX (most_inputs, plan->items[i].n_inputs);
      most_outputs = MAX (most_outputs, plan->items[i].n_outputs);
    }
  self->inputs = g_new0 (FlowValue, most_inputs);
  self->forwardable = g_new0 (guint8, most_inputs);
  self->outputs = g_new0 (FlowValue, most_outputs);
  self->is_fetched = g_new0 (guint8, MAX (plan->n_items, 1));
  self->n_fetches = ends->n_fetches;
  self->fetched = g_new0 (FlowValue, MAX (ends->n_fetches, 1));
  self->times_fetched = g_new0 (guint64, MAX (ends->n_fetches, 1));
  for (guint i = 0; i < ends->n_fetches; i++)
    {
      guint32 item = flow_plan_find_item (plan, ends->fetches[i].node);

      if (item != FLOW_PLAN_ITEM_NONE)
        self->is_fetched[item] = 1;
    }
}

FlowRun *
_flow_run_alloc (FlowSession *session,
                 FlowPlan    *plan,
                 FlowGraph   *graph,
                 GPtrArray   *kernels)
{
  FlowRun *self = g_new0 (FlowRun, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->session = g_object_ref (session);
  self->plan = plan != NULL ? flow_plan_ref (plan) : NULL;
  self->graph = graph;
  self->kernels = kernels;
  self->chosen_node = FLOW_NODE_NONE;
  self->parked = g_array_new (FALSE, FALSE, sizeof (FlowParked));
  self->failed = g_array_new (FALSE, FALSE, sizeof (FlowFailed));
  g_array_set_clear_func (self->parked, parked_clear);
  self->top = self;
  self->frame = "";
  self->last.node = FLOW_NODE_NONE;
  self->last.frame = "";
  if (plan != NULL)
    make_room (self);
  return self;
}

/**
 * flow_run_new: (skip)
 * @session: a session
 * @plan: a plan of its graph
 * @feeds: (array): the values fed, in the plan's order of feeds
 * @error: return location
 *
 * Begins a run; nothing executes yet. Sets `FLOW_ERROR_INVALID_ARGUMENT` in TensorFlow's words when a
 * feed has the wrong dtype.
 *
 * Returns: (transfer full): a run, %NULL on error
 */
FlowRun *
flow_run_new (FlowSession        *session,
              FlowPlan           *plan,
              FlowTensor *const  *feeds,
              GError            **error)
{
  g_autoptr(FlowRun) self = _flow_run_alloc (session, plan, plan->graph, _flow_session_get_kernels (session));

  if (!take_feeds (self, feeds, error))
    return NULL;
  self->step_container = g_strdup_printf ("__per_step_%" G_GUINT64_FORMAT, _flow_session_next_step (session));
  _flow_run_start (self);
  return g_steal_pointer (&self);
}

/**
 * flow_run_ref: (skip)
 * @self: a run
 *
 * Returns: (transfer full): @self
 */
FlowRun *
flow_run_ref (FlowRun *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_run_clear_last (FlowRun *self)
{
  for (guint i = 0; i < self->n_outputs; i++)
    flow_value_clear (&self->outputs[i]);
  self->n_outputs = 0;
  self->last.n_outputs = 0;
  g_clear_pointer (&self->retired, flow_run_unref);
}

/**
 * flow_run_unref: (skip)
 * @self: (transfer full): a run
 */
void
flow_run_unref (FlowRun *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  _flow_run_clear_last (self);
  g_clear_pointer (&self->root, _flow_frame_free);
  g_array_unref (self->parked);
  g_array_unref (self->failed);
  for (guint i = 0; self->feeds != NULL && i < self->n_feeds; i++)
    g_clear_pointer (&self->feeds[i], flow_tensor_unref);
  for (guint i = 0; self->args != NULL && i < self->n_feeds; i++)
    g_clear_pointer (&self->args[i], flow_tensor_unref);
  for (guint i = 0; self->fetched != NULL && i < self->n_fetches; i++)
    flow_value_clear (&self->fetched[i]);
  g_clear_pointer (&self->overrides, g_hash_table_unref);
  g_clear_object (&self->cancellable);
  g_free (self->feeds);
  g_free (self->args);
  g_free (self->fetched);
  g_free (self->times_fetched);
  g_free (self->inputs);
  g_free (self->outputs);
  g_free (self->forwardable);
  g_free (self->is_fetched);
  g_free (self->step_container);
  g_free (self->state_handle);
  g_clear_pointer (&self->plan, flow_plan_unref);
  g_object_unref (self->session);
  g_free (self);
}

/**
 * flow_run_prepare_kernels: (skip)
 * @self: a run
 * @error: return location
 *
 * Makes every kernel of the plan, as TensorFlow does before a run begins: a type or dtype that is
 * not there fails before anything executed. Without this a kernel is made when its op comes up.
 *
 * Returns: whether all are there
 */
gboolean
flow_run_prepare_kernels (FlowRun *self,
                          GError **error)
{
  for (guint i = 0; i < self->plan->n_items; i++)
    if (_flow_node_kernels_get (self->kernels, self->graph, self->plan->items[i].node, error) == NULL)
      {
        if (!_flow_run_is_overridden (self, &self->plan->items[i]))
          return FALSE;
        g_clear_error (error);
      }
  return TRUE;
}

/**
 * flow_run_get_plan: (skip)
 * @self: a run
 *
 * Returns: (transfer none): the plan it executes
 */
FlowPlan *
flow_run_get_plan (FlowRun *self)
{
  return self->plan;
}

/**
 * flow_run_get_session: (skip)
 * @self: a run
 *
 * Returns: (transfer none): its session
 */
FlowSession *
flow_run_get_session (FlowRun *self)
{
  return self->session;
}

/**
 * flow_run_set_cancellable: (skip)
 * @self: a run
 * @cancellable: (nullable): ends it with CANCELLED; long kernels poll it too
 */
void
flow_run_set_cancellable (FlowRun      *self,
                          GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

/**
 * flow_run_set_timing: (skip)
 * @self: a run
 * @timing: whether each op's time is taken
 */
void
flow_run_set_timing (FlowRun *self,
                     gboolean timing)
{
  self->timing = timing;
}

/**
 * flow_run_set_recall: (skip)
 * @self: a run
 * @func: (nullable): asked before an op with an effect outside is computed
 * @data: given to @func
 */
void
flow_run_set_recall (FlowRun       *self,
                     FlowRunRecall  func,
                     gpointer       data)
{
  self->recall = func;
  self->recall_data = data;
}

/**
 * flow_run_set_recall_all: (skip)
 * @self: a run
 * @all: whether the function of flow_run_set_recall() is asked for every op
 *
 * For going over the same ground again, when only some of it is to be computed.
 */
void
flow_run_set_recall_all (FlowRun  *self,
                         gboolean  all)
{
  self->recalls_all = all;
}

/* Finds the op that a person chose among the ready ones. */
typedef struct {
  FlowRun *run;
  guint32 item;
  FlowIteration *iteration;
} Choice;

static void
choose_cb (FlowIteration *iteration,
           gpointer       data)
{
  Choice *choice = data;
  const FlowPlanItem *item = &choice->run->plan->items[choice->item];

  if (item->frame == iteration->frame->index && _flow_iteration_is_ready (iteration, item->local)
      && (choice->iteration == NULL || iteration->index < choice->iteration->index))
    choice->iteration = iteration;
}

gboolean
_flow_run_pick_next (FlowRun        *self,
           FlowIteration **iteration,
           guint32        *local)
{
  if (self->chosen_node != FLOW_NODE_NONE)
    {
      Choice choice = { self, flow_plan_find_item (self->plan, self->chosen_node), NULL };

      if (choice.item != FLOW_PLAN_ITEM_NONE)
        _flow_run_foreach_iteration (self->root, choose_cb, &choice);
      if (choice.iteration != NULL)
        {
          *iteration = choice.iteration;
          *local = self->plan->items[choice.item].local;
          return TRUE;
        }
    }
  return _flow_run_pick (self, iteration, local);
}

void
_flow_run_note_last (FlowRun            *self,
                     FlowIteration      *iteration,
                     const FlowPlanItem *item,
                     gboolean            dead,
                     gint64              ns,
                     FlowCallPhase       phase)
{
  FlowRunNext described = { 0 };

  _flow_run_describe (self, iteration, item, dead, phase, &described);
  self->last.node = described.node;
  self->last.phase = phase;
  self->last.dead = dead;
  self->last.frame = _flow_session_intern_frame (self->session, described.frame);
  self->last.iteration = described.iteration;
  self->last.ns = ns;
  self->last.n_outputs = 0;
}

static void
keep_fetches (FlowRun            *self,
              const FlowPlanItem *item)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (self->plan->prune);

  for (guint i = 0; i < self->n_fetches; i++)
    {
      const FlowValue *value = &self->outputs[ends->fetches[i].slot];

      if (ends->fetches[i].node != item->node || (value->tensor == NULL && value->ref == NULL))
        continue;
      _flow_set_value (_flow_run_get_undo (self), &self->fetched[i], flow_value_copy (value));
      _flow_set64 (_flow_run_get_undo (self), &self->times_fetched[i], self->times_fetched[i] + 1);
    }
}

void
_flow_run_describe (FlowRun            *self,
                    FlowIteration      *iteration,
                    const FlowPlanItem *item,
                    gboolean            dead,
                    FlowCallPhase       phase,
                    FlowRunNext        *next)
{
  gboolean in_loop = iteration->frame->parent != NULL;

  next->node = self->base + item->node;
  next->phase = phase;
  next->dead = dead;
  next->frame = in_loop ? iteration->frame->name : self->frame;
  next->iteration = in_loop ? (gint64) iteration->index : self->call_iteration;
}

static void
drop_park (FlowRun       *self,
           FlowIteration *iteration,
           guint32        local)
{
  for (guint i = self->parked->len; i > 0; i--)
    {
      const FlowParked *parked = &g_array_index (self->parked, FlowParked, i - 1);

      if (parked->iteration == iteration && parked->local == local)
        g_array_remove_index (self->parked, i - 1);
    }
}

/* After an op: its inputs go, its outputs travel. */
void
_flow_run_complete (FlowRun            *self,
                    FlowIteration      *iteration,
                    const FlowPlanItem *item,
                    gboolean            dead)
{
  FlowUndo *undo = _flow_run_get_undo (self);

  if (self->parked->len > 0)
    drop_park (self, iteration, item->local);
  self->chosen_node = FLOW_NODE_NONE;
  self->n_outputs = dead ? 0 : item->n_outputs;
  /* One that called functions was not ready any more. */
  if (_flow_iteration_is_ready (iteration, item->local))
    _flow_run_unmark_ready (self, iteration, item->local);
  for (guint i = 0; i < item->n_inputs; i++)
    {
      FlowValue *value = &iteration->entries[item->entry + i];

      if (value->tensor != NULL || value->ref != NULL)
        _flow_set_value (undo, value, (FlowValue) { NULL, NULL, 0 });
    }
  if (!dead && self->is_fetched[item - self->plan->items])
    keep_fetches (self, item);
  _flow_run_propagate (self, iteration, item, dead, self->outputs);
  self->last.n_outputs = self->n_outputs;
  self->last.outputs = self->outputs;
}

/* Not @done: the op has called a function, whose ops come next. */
static gboolean
execute (FlowRun             *self,
         FlowIteration       *iteration,
         const FlowPlanItem  *item,
         gboolean            *waits,
         gboolean            *done,
         GError             **error)
{
  if ((item->flags & FLOW_OP_FUNCTION) == 0)
    return _flow_run_execute (self, iteration, item, NULL, waits, error);
  self->chosen_node = FLOW_NODE_NONE;
  return _flow_run_begin_call (self, iteration, item, done, error);
}

static FlowStepResult
fail_cancelled (GError **error)
{
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_CANCELLED, "Run call was cancelled");
  return FLOW_STEP_FAILED;
}

static void
note_failed (FlowRun       *self,
             FlowIteration *iteration,
             guint32        local,
             gboolean       is_call)
{
  FlowFailed failed = { iteration, local, is_call };

  g_array_append_val (self->failed, failed);
}

/* What failed is not tried again, and what would come of it never comes; of a body the rest goes on. */
static void
drop_failed (FlowRun *self)
{
  for (guint i = 0; i < self->failed->len; i++)
    {
      const FlowFailed *failed = &g_array_index (self->failed, FlowFailed, i);
      FlowRun *body = failed->is_call ? _flow_run_get_called (self, failed->iteration, failed->local) : NULL;

      if (body != NULL && body->failed->len > 0)
        drop_failed (body);
      else if (failed->is_call)
        _flow_run_abandon_call (self, failed->iteration, failed->local);
      else
        _flow_run_unmark_ready (self, failed->iteration, failed->local);
    }
  g_array_set_size (self->failed, 0);
  self->has_failed = TRUE;
}

/**
 * flow_run_drop_failed: (skip)
 * @self: a run of which an op has just failed
 *
 * TF: an op that fails ends a run, but all that does not come of it executes before the run is over. After this steps go
 * on without that op.
 *
 * Returns: whether it was an op that failed, and not the run as a whole that was cancelled
 */
gboolean
flow_run_drop_failed (FlowRun *self)
{
  self->is_failing = TRUE;
  if (self->failed->len == 0)
    return FALSE;
  drop_failed (self);
  return TRUE;
}

/* TensorFlow's executor begins ops in an order of its own, and the first that fails is the one it names. Nothing
 * is named before those that come before @failed there have been tried. Only where nobody steps: who sees each
 * op sees the first one that fails. */
void
_flow_run_find_failure (FlowRun             *self,
                        const FlowPlanItem  *failed,
                        GError             **error)
{
  g_autoptr(GArray) begun = _flow_plan_list_as_begun (self->plan);
  FlowIteration *iteration = self->root->iterations[0];

  self->is_failing = TRUE;
  for (guint i = 0; i < begun->len && self->is_failing && iteration != NULL; i++)
    {
      const FlowPlanItem *item = &self->plan->items[g_array_index (begun, guint32, i)];
      FlowStepResult result = FLOW_STEP_DONE;
      guint32 n_calls = self->n_calls;
      GError *earlier = NULL;

      if (item == failed)
        break;
      if (item->frame != failed->frame || !_flow_iteration_is_ready (iteration, item->local))
        continue;
      self->chosen_node = item->node;
      do
        result = flow_run_step (self, &earlier);
      while (result == FLOW_STEP_DONE && self->n_calls > n_calls);
      self->chosen_node = FLOW_NODE_NONE;
      if (earlier == NULL || g_cancellable_is_cancelled (self->top->cancellable))
        {
          g_clear_error (&earlier);
          continue;
        }
      g_clear_error (error);
      g_propagate_error (error, earlier);
      self->is_failing = FALSE;
    }
  self->is_failing = FALSE;
}

/**
 * flow_run_step: (skip)
 * @self: a run
 * @error: return location, set with %FLOW_STEP_FAILED
 *
 * Executes the next op, or the chosen one. Ops that must wait are passed over. A failed op has
 * changed nothing where an undo log is there, and comes up again at the next call.
 *
 * Returns: what happened
 */
FlowStepResult
flow_run_step (FlowRun *self,
               GError **error)
{
  FlowUndo *undo = _flow_run_get_undo (self);

  FlowStepResult result = FLOW_STEP_DONE;

  _flow_run_clear_last (self);
  if (!self->is_failing)
    g_array_set_size (self->failed, 0);
  if (self->finished)
    return FLOW_STEP_FINISHED;
  if (g_cancellable_is_cancelled (self->top->cancellable))
    return fail_cancelled (error);
  if (self->chosen_node == FLOW_NODE_NONE && _flow_run_step_calls (self, &result, error))
    {
      if (result == FLOW_STEP_FAILED)
        note_failed (self, (FlowIteration *) (gpointer) (gsize) self->last_iteration, self->last_local, TRUE);
      return result;
    }
  for (;;)
    {
      FlowIteration *iteration = NULL;
      const FlowPlanItem *item = NULL;
      guint64 mark = undo != NULL ? flow_undo_mark (undo) : 0;
      guint32 local = 0;
      gint64 began = 0;
      gboolean dead = FALSE;
      gboolean waits = FALSE;
      gboolean done = TRUE;

      if (!_flow_run_pick_next (self, &iteration, &local))
        return self->n_ready > 0 || self->n_calls > 0 ? FLOW_STEP_WAITING : FLOW_STEP_FINISHED;
      item = &self->plan->items[self->plan->frames[iteration->frame->index].items[local]];
      dead = (iteration->ready_dead[local / 64] >> (local % 64) & 1) != 0;
      if (!self->is_transient)
        _flow_session_begin_step (self->session);
      if (self->timing)
        began = g_get_monotonic_time ();
      if (!dead && !execute (self, iteration, item, &waits, &done, error))
        {
          if (undo != NULL)
            flow_undo_rollback (undo, mark);
          _flow_run_note_last (self, iteration, item, FALSE, 0, FLOW_CALL_NONE);
          note_failed (self, iteration, local, FALSE);
          if (undo == NULL && !self->is_failing && self->caller == NULL && iteration->frame == self->root)
            _flow_run_find_failure (self, item, error);
          return FLOW_STEP_FAILED;
        }
      if (!done)
        return FLOW_STEP_DONE;
      if (waits)
        {
          if (undo != NULL)
            flow_undo_rollback (undo, mark);
          self->chosen_node = FLOW_NODE_NONE;
          continue;
        }
      _flow_run_note_last (self, iteration, item, dead, self->timing ? (g_get_monotonic_time () - began) * 1000 : 0,
                           FLOW_CALL_NONE);
      _flow_run_complete (self, iteration, item, dead);
      return FLOW_STEP_DONE;
    }
}

/**
 * flow_run_get_last: (skip)
 * @self: a run
 *
 * Returns: (transfer none): the last op, valid until the next step
 */
const FlowRunStep *
flow_run_get_last (FlowRun *self)
{
  return &self->last;
}

/**
 * flow_run_is_finished: (skip)
 * @self: a run
 *
 * Returns: whether nothing is left to execute
 */
gboolean
flow_run_is_finished (FlowRun *self)
{
  return self->finished || (self->n_ready == 0 && self->n_calls == 0);
}

/**
 * flow_run_end: (skip)
 * @self: a run
 *
 * Ends the run, done or not: what lived only as long as it (tensor arrays, stacks) goes.
 */
void
flow_run_end (FlowRun *self)
{
  if (self->finished)
    return;
  _flow_set32 (_flow_run_get_undo (self), &self->finished, 1);
  _flow_session_clear_container (self->session, self->step_container);
}

/**
 * flow_run_cancel: (skip)
 * @self: a run that waits
 * @error: return location
 *
 * Asks an op that waits for its words on being cancelled ("Dequeue operation was cancelled").
 *
 * Returns: %FALSE, always with an error
 */
gboolean
flow_run_cancel (FlowRun *self,
                 GError **error)
{
  g_autoptr(GCancellable) cancelled = g_cancellable_new ();
  g_autoptr(GCancellable) before = self->cancellable != NULL ? g_object_ref (self->cancellable) : NULL;

  g_cancellable_cancel (cancelled);
  flow_run_set_cancellable (self, cancelled);
  while (self->parked->len > 0)
    {
      FlowParked parked = g_array_index (self->parked, FlowParked, self->parked->len - 1);
      const FlowPlanItem *item = NULL;
      g_autoptr(GError) words = NULL;
      gboolean waits = FALSE;

      if (!_flow_iteration_is_ready (parked.iteration, parked.local))
        {
          g_array_set_size (self->parked, self->parked->len - 1);
          continue;
        }
      item = &self->plan->items[self->plan->frames[parked.iteration->frame->index].items[parked.local]];
      drop_park (self, parked.iteration, parked.local);
      _flow_session_begin_step (self->session);
      if (!_flow_run_execute (self, parked.iteration, item, NULL, &waits, &words))
        {
          flow_run_set_cancellable (self, before);
          g_propagate_error (error, g_steal_pointer (&words));
          return FALSE;
        }
      drop_park (self, parked.iteration, parked.local);
    }
  flow_run_set_cancellable (self, before);
  fail_cancelled (error);
  return FALSE;
}
