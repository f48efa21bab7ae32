/* flow-run-frames.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include <string.h>

/* Frames, iterations, counting and deadness: TensorFlow's rules to the letter, so that what executes,
 * what stays dead and how often a loop turns are the same. An item is ready when what it waits for
 * has arrived, dead or alive; a Merge at its first live input. */

static inline FlowUndo *
undo_of (FlowRun *run)
{
  return _flow_run_get_undo (run);
}

/* An iteration and how much it holds: enough to free it from the undo log, when its frame is gone. */
typedef struct {
  FlowIteration iteration;
  guint n_entries;
  guint n_children;
  guint n_calls;
} OwnedIteration;

static void
owned_iteration_free (gpointer data)
{
  OwnedIteration *owned = data;
  FlowIteration *self = &owned->iteration;

  for (guint i = 0; i < owned->n_entries; i++)
    flow_value_clear (&self->entries[i]);
  for (guint i = 0; i < owned->n_children; i++)
    g_clear_pointer (&self->children[i], _flow_frame_free);
  for (guint i = 0; i < owned->n_calls; i++)
    g_clear_pointer (&self->calls[i], _flow_call_free);
  g_free (self->calls);
  g_free (self->ready);
  g_free (self->ready_dead);
  g_free (self->pending);
  g_free (self->dead);
  g_free (self->entries);
  g_free (self->children);
  g_free (owned);
}

gsize
_flow_iteration_bytes (const FlowPlanFrame *frame)
{
  return sizeof (OwnedIteration) + frame->n_items * (2 * sizeof (guint32) + 2) + frame->n_entries * sizeof (FlowValue)
         + (frame->n_children + frame->n_calls) * sizeof (gpointer);
}

gsize
_flow_frame_bytes (const FlowPlanFrame *frame)
{
  return sizeof (FlowFrame) + frame->n_items * (2 * sizeof (guint32) + sizeof (FlowValue))
         + (frame->parallel_iterations + 1) * sizeof (gpointer);
}

static FlowIteration *
iteration_new (FlowRun   *run,
               FlowFrame *frame,
               guint64    index)
{
  const FlowPlanFrame *plan = &run->plan->frames[frame->index];
  OwnedIteration *owned = g_new0 (OwnedIteration, 1);
  FlowIteration *self = &owned->iteration;

  self->frame = frame;
  self->index = index;
  self->n_words = (plan->n_items + 63) / 64;
  self->ready = g_new0 (guint64, MAX (self->n_words, 1));
  self->ready_dead = g_new0 (guint64, MAX (self->n_words, 1));
  self->pending = g_memdup2 (plan->pending, MAX (plan->n_items, 1) * sizeof (guint32));
  self->dead = g_new0 (guint32, MAX (plan->n_items, 1));
  self->entries = g_new0 (FlowValue, MAX (plan->n_entries, 1));
  self->children = g_new0 (FlowFrame *, MAX (plan->n_children, 1));
  owned->n_entries = plan->n_entries;
  owned->n_children = plan->n_children;
  self->calls = plan->n_calls > 0 ? g_new0 (FlowCall *, plan->n_calls) : NULL;
  owned->n_calls = plan->n_calls;
  return self;
}

static FlowIteration **
slot_of (FlowFrame *frame,
         guint64    index)
{
  return &frame->iterations[index % frame->n_slots];
}

static FlowIteration *
get_iteration (FlowFrame *frame,
               guint64    index)
{
  FlowIteration *iteration = *slot_of (frame, index);

  return iteration != NULL && iteration->index == index ? iteration : NULL;
}

static void
put_iteration (FlowRun       *run,
               FlowFrame     *frame,
               guint64        index,
               FlowIteration *iteration)
{
  FlowUndo *undo = undo_of (run);
  FlowIteration **slot = slot_of (frame, index);

  if (undo != NULL)
    flow_undo_pointer (undo, (gpointer *) slot, owned_iteration_free,
                       _flow_iteration_bytes (&run->plan->frames[frame->index]));
  else if (*slot != NULL)
    owned_iteration_free (*slot);
  *slot = iteration;
}

/* TF: a frame's name is its parent's, the iteration it opens in, and its own. */
char *
_flow_run_compose_frame (FlowRun       *run,
                         FlowIteration *iteration,
                         const char    *name)
{
  guint64 index = iteration->frame->parent == NULL ? (guint64) run->call_iteration : iteration->index;

  return g_strdup_printf ("%s;%" G_GUINT64_FORMAT ";%s", iteration->frame->name, index, name);
}

FlowFrame *
_flow_frame_new (FlowRun       *run,
                 FlowFrame     *parent,
                 FlowIteration *parent_iteration,
                 guint32        index)
{
  const FlowPlanFrame *plan = &run->plan->frames[index];
  FlowFrame *self = g_new0 (FlowFrame, 1);

  self->parent = parent;
  self->parent_iteration = parent_iteration;
  self->index = index;
  self->name = parent == NULL
               ? g_strdup (run->frame)
               : _flow_run_compose_frame (run, parent_iteration, plan->name);
  self->n_slots = plan->parallel_iterations + 1;
  self->iterations = g_new0 (FlowIteration *, self->n_slots);
  self->n_pending_enters = plan->n_enters;
  self->invariant_items = g_new0 (guint32, MAX (plan->n_enters, 1));
  self->invariants = g_new0 (FlowValue, MAX (plan->n_enters, 1));
  self->deferred_items = g_new0 (guint32, MAX (plan->n_items, 1));
  self->deferred = g_new0 (FlowValue, MAX (plan->n_items, 1));
  self->dead_exits = g_new0 (guint32, MAX (plan->n_items, 1));
  self->n_outstanding = 1;
  self->iterations[0] = iteration_new (run, self, 0);
  return self;
}

void
_flow_frame_free (FlowFrame *self)
{
  for (guint i = 0; i < self->n_slots; i++)
    if (self->iterations[i] != NULL)
      owned_iteration_free (self->iterations[i]);
  for (guint i = 0; i < self->n_invariants; i++)
    flow_value_clear (&self->invariants[i]);
  for (guint i = 0; i < self->n_deferred; i++)
    flow_value_clear (&self->deferred[i]);
  g_free (self->iterations);
  g_free (self->invariant_items);
  g_free (self->invariants);
  g_free (self->deferred_items);
  g_free (self->deferred);
  g_free (self->dead_exits);
  g_free (self->name);
  g_free (self);
}

static void
mark_ready (FlowRun       *run,
            FlowIteration *iteration,
            guint32        local,
            gboolean       dead)
{
  FlowUndo *undo = undo_of (run);
  guint word = local / 64;
  guint64 bit = G_GUINT64_CONSTANT (1) << (local % 64);

  _flow_set64 (undo, &iteration->ready[word], iteration->ready[word] | bit);
  if (dead)
    _flow_set64 (undo, &iteration->ready_dead[word], iteration->ready_dead[word] | bit);
  _flow_set32 (undo, &iteration->n_ready, iteration->n_ready + 1);
  _flow_set32 (undo, &iteration->outstanding_ops, iteration->outstanding_ops + 1);
  _flow_set32 (undo, &run->n_ready, run->n_ready + 1);
}

void
_flow_run_unmark_ready (FlowRun       *run,
                        FlowIteration *iteration,
                        guint32        local)
{
  FlowUndo *undo = undo_of (run);
  guint word = local / 64;
  guint64 bit = G_GUINT64_CONSTANT (1) << (local % 64);

  _flow_set64 (undo, &iteration->ready[word], iteration->ready[word] & ~bit);
  if ((iteration->ready_dead[word] & bit) != 0)
    _flow_set64 (undo, &iteration->ready_dead[word], iteration->ready_dead[word] & ~bit);
  _flow_set32 (undo, &iteration->n_ready, iteration->n_ready - 1);
  _flow_set32 (undo, &run->n_ready, run->n_ready - 1);
}

/* What arrives over one edge. */
typedef struct {
  const FlowPlanOut *out;
  const FlowValue *value;      /* NULL or empty: dead, or a control edge */
  gboolean dead;               /* the source is dead */
  gboolean from_enter;
} Arrival;

static gboolean
arrival_has_value (const Arrival *a)
{
  return a->value != NULL && (a->value->tensor != NULL || a->value->ref != NULL);
}

static void
arrive_at_merge (FlowRun            *run,
                 FlowIteration      *iteration,
                 const FlowPlanItem *item,
                 const Arrival      *a,
                 gboolean           *ready,
                 gboolean           *is_dead,
                 gboolean           *take)
{
  FlowUndo *undo = undo_of (run);
  guint32 *pending = &iteration->pending[item->local];
  guint32 *dead = &iteration->dead[item->local];

  if (a->out->input == FLOW_SLOT_CONTROL)
    {
      _flow_set32 (undo, pending, *pending - 2);
      *is_dead = *dead == item->n_inputs;
      *ready = *pending == 0 || (*pending == 1 && *is_dead);
      *take = FALSE;
    }
  else if (arrival_has_value (a))
    {
      guint32 before = *pending;

      /* Only the first live input is taken and can make it ready. */
      if ((before & 1) != 0)
        _flow_set32 (undo, pending, before & ~1u);
      *ready = before == 1;
      *take = (before & 1) != 0;
      *is_dead = FALSE;
    }
  else
    {
      _flow_set32 (undo, dead, *dead + 1);
      /* TF: a dead Enter means that the loop is never entered; the back edge will not come. */
      *is_dead = *dead == item->n_inputs || a->from_enter;
      *ready = *pending == 1 && *is_dead;
      *take = FALSE;
    }
}

static gboolean
is_empty (const FlowValue *value)
{
  return value->tensor == NULL && value->ref == NULL;
}

/* Of an item that everything has arrived for.
 * TF: of an op that was lowered to Switch, Merge and the ops of its functions only what reads a dead input is dead, or
 * all of it where that is no data, or the first input, for which the constants of the functions wait. */
static gboolean
holds_dead (FlowRun            *run,
            FlowIteration      *iteration,
            const FlowPlanItem *item)
{
  const FlowValue *entries = &iteration->entries[item->entry];
  guint32 n_dead = iteration->dead[item->local];
  guint32 n_passed = 0;

  if (n_dead == 0 || !_flow_run_passes_dead (run, item))
    return n_dead > 0;
  for (guint i = 0; i < item->n_inputs; i++)
    if (is_empty (&entries[i]) && run->plan->inputs[item->first_input + i].feed != FLOW_PRUNE_UNREAD)
      {
        if (i == 0)
          return TRUE;
        n_passed++;
      }
  return n_dead > n_passed;
}

static void
arrive (FlowRun       *run,
        FlowIteration *iteration,
        const Arrival *a)
{
  FlowUndo *undo = undo_of (run);
  const FlowPlanItem *item = &run->plan->items[a->out->item];
  gboolean is_control = a->out->input == FLOW_SLOT_CONTROL;
  gboolean take = !is_control;
  gboolean is_dead = FALSE;
  gboolean ready = FALSE;

  if ((item->flags & FLOW_OP_MERGE) != 0)
    arrive_at_merge (run, iteration, item, a, &ready, &is_dead, &take);
  else
    {
      if (a->dead || (!is_control && !arrival_has_value (a)))
        _flow_set32 (undo, &iteration->dead[item->local], iteration->dead[item->local] + 1);
      _flow_set32 (undo, &iteration->pending[item->local], iteration->pending[item->local] - 1);
      ready = iteration->pending[item->local] == 0;
    }
  if (take && arrival_has_value (a))
    _flow_set_value (undo, &iteration->entries[item->entry + (guint) a->out->input], flow_value_copy (a->value));
  if (ready && (item->flags & FLOW_OP_MERGE) == 0)
    is_dead = holds_dead (run, iteration, item);
  if (ready)
    mark_ready (run, iteration, item->local, is_dead && (item->flags & FLOW_OP_CONTROL_TRIGGER) == 0);
}

/* Delivers an item's outputs to its consumers in one iteration. */
static void
activate (FlowRun            *run,
          FlowIteration      *iteration,
          const FlowPlanItem *item,
          gboolean            dead,
          const FlowValue    *outputs)
{
  for (guint i = 0; i < item->n_outs; i++)
    {
      const FlowPlanOut *out = &run->plan->outs[item->first_out + i];
      Arrival a = { out, NULL, dead, (item->flags & FLOW_OP_ENTER) != 0 };

      if (out->slot != FLOW_SLOT_CONTROL && !dead && outputs != NULL)
        a.value = &outputs[out->slot];
      arrive (run, iteration, &a);
    }
}

static void
increment_iteration (FlowRun   *run,
                     FlowFrame *frame)
{
  FlowUndo *undo = undo_of (run);
  FlowIteration *iteration = NULL;

  _flow_set64 (undo, &frame->iteration_count, frame->iteration_count + 1);
  _flow_set32 (undo, &frame->n_outstanding, frame->n_outstanding + 1);
  _flow_set32 (undo, &frame->n_dead_exits, 0);
  iteration = iteration_new (run, frame, frame->iteration_count);
  put_iteration (run, frame, frame->iteration_count, iteration);
  for (guint i = 0; i < frame->n_deferred; i++)
    activate (run, iteration, &run->plan->items[frame->deferred_items[i]], FALSE, &frame->deferred[i]);
  for (guint i = 0; i < frame->n_deferred; i++)
    _flow_set_value (undo, &frame->deferred[i], (FlowValue) { NULL, NULL, 0 });
  _flow_set32 (undo, &frame->n_deferred, 0);
  for (guint i = 0; i < frame->n_invariants; i++)
    activate (run, iteration, &run->plan->items[frame->invariant_items[i]],
              frame->invariants[i].tensor == NULL && frame->invariants[i].ref == NULL, &frame->invariants[i]);
}

static FlowFrame *
open_child (FlowRun            *run,
            FlowIteration      *iteration,
            const FlowPlanItem *enter)
{
  FlowUndo *undo = undo_of (run);
  FlowFrame **slot = &iteration->children[run->plan->frames[enter->child_frame].child_index];

  if (*slot != NULL)
    return *slot;
  if (undo != NULL)
    flow_undo_pointer (undo, (gpointer *) slot, (GDestroyNotify) _flow_frame_free, 0);
  *slot = _flow_frame_new (run, iteration->frame, iteration, enter->child_frame);
  _flow_set32 (undo, &iteration->outstanding_frames, iteration->outstanding_frames + 1);
  return *slot;
}

static void
leave_enter (FlowRun            *run,
             FlowIteration      *iteration,
             const FlowPlanItem *item,
             gboolean            dead,
             const FlowValue    *outputs)
{
  FlowUndo *undo = undo_of (run);
  FlowFrame *child = open_child (run, iteration, item);

  if (item->is_constant)
    {
      guint32 n = child->n_invariants;

      _flow_set32 (undo, &child->invariant_items[n], (guint32) (item - run->plan->items));
      if (!dead)
        _flow_set_value (undo, &child->invariants[n], flow_value_copy (&outputs[0]));
      _flow_set32 (undo, &child->n_invariants, n + 1);
      for (guint64 i = 0; i <= child->iteration_count; i++)
        {
          FlowIteration *to = get_iteration (child, i);

          if (to != NULL)
            activate (run, to, item, dead, outputs);
        }
    }
  else
    activate (run, get_iteration (child, 0), item, dead, outputs);
  _flow_set32 (undo, &child->n_pending_enters, child->n_pending_enters - 1);
}

static void
leave_exit (FlowRun            *run,
            FlowIteration      *iteration,
            const FlowPlanItem *item,
            gboolean            dead,
            const FlowValue    *outputs)
{
  FlowUndo *undo = undo_of (run);
  FlowFrame *frame = iteration->frame;

  if (!dead)
    activate (run, frame->parent_iteration, item, FALSE, outputs);
  else if (iteration->index == frame->iteration_count)
    {
      _flow_set32 (undo, &frame->dead_exits[frame->n_dead_exits], (guint32) (item - run->plan->items));
      _flow_set32 (undo, &frame->n_dead_exits, frame->n_dead_exits + 1);
    }
}

static void
leave_next_iteration (FlowRun            *run,
                      FlowIteration      *iteration,
                      const FlowPlanItem *item,
                      gboolean            dead,
                      const FlowValue    *outputs)
{
  FlowUndo *undo = undo_of (run);
  FlowFrame *frame = iteration->frame;
  guint32 most = run->plan->frames[frame->index].parallel_iterations;

  if (dead)
    return;
  if (iteration->index == frame->iteration_count && frame->n_outstanding == most)
    {
      guint32 n = frame->n_deferred;

      _flow_set32 (undo, &frame->deferred_items[n], (guint32) (item - run->plan->items));
      _flow_set_value (undo, &frame->deferred[n], flow_value_copy (&outputs[0]));
      _flow_set32 (undo, &frame->n_deferred, n + 1);
      return;
    }
  if (iteration->index == frame->iteration_count)
    increment_iteration (run, frame);
  activate (run, get_iteration (frame, iteration->index + 1), item, FALSE, outputs);
}

/* TF: the first iteration waits for what has yet to enter, the others for the one before. */
static gboolean
iteration_is_done (FlowFrame *frame,
                   guint64    index)
{
  FlowIteration *iteration = get_iteration (frame, index);

  return iteration != NULL && iteration->outstanding_ops == 0 && iteration->outstanding_frames == 0
         && (index == 0 ? frame->n_pending_enters == 0 : get_iteration (frame, index - 1) == NULL);
}

static gboolean
clean_iterations (FlowRun   *run,
                  FlowFrame *frame,
                  guint64    index)
{
  FlowUndo *undo = undo_of (run);

  for (; index <= frame->iteration_count && iteration_is_done (frame, index); index++)
    {
      put_iteration (run, frame, index, NULL);
      _flow_set32 (undo, &frame->n_outstanding, frame->n_outstanding - 1);
      if (frame->n_deferred > 0)
        increment_iteration (run, frame);
    }
  return frame->n_pending_enters == 0 && frame->n_outstanding == 0;
}

/* A frame that is done hands its dead exits on and goes; its parent may be done by that. */
static void
clean_frame (FlowRun   *run,
             FlowFrame *frame)
{
  FlowUndo *undo = undo_of (run);

  while (frame->parent != NULL)
    {
      FlowFrame *parent = frame->parent;
      FlowIteration *iteration = frame->parent_iteration;
      FlowFrame **slot = &iteration->children[run->plan->frames[frame->index].child_index];

      for (guint i = 0; i < frame->n_dead_exits; i++)
        activate (run, iteration, &run->plan->items[frame->dead_exits[i]], TRUE, NULL);
      if ((FlowFrame *) (gpointer) (gsize) run->last_frame == frame)
        _flow_set64 (undo, &run->last_frame, (guint64) (gsize) parent);
      if (undo != NULL)
        flow_undo_pointer (undo, (gpointer *) slot, (GDestroyNotify) _flow_frame_free,
                           _flow_frame_bytes (&run->plan->frames[frame->index]));
      else
        _flow_frame_free (frame);
      *slot = NULL;
      _flow_set32 (undo, &iteration->outstanding_frames, iteration->outstanding_frames - 1);
      frame = parent;
      if (frame->parent == NULL || !iteration_is_done (frame, iteration->index)
          || !clean_iterations (run, frame, iteration->index))
        return;
    }
}

void
_flow_run_propagate (FlowRun            *run,
                     FlowIteration      *iteration,
                     const FlowPlanItem *item,
                     gboolean            dead,
                     FlowValue          *outputs)
{
  FlowUndo *undo = undo_of (run);
  FlowFrame *frame = iteration->frame;
  guint64 index = iteration->index;

  _flow_set64 (undo, &run->last_frame, (guint64) (gsize) frame);
  if ((item->flags & FLOW_OP_ENTER) != 0)
    leave_enter (run, iteration, item, dead, outputs);
  else if ((item->flags & FLOW_OP_EXIT) != 0)
    leave_exit (run, iteration, item, dead, outputs);
  else if ((item->flags & FLOW_OP_NEXT_ITERATION) != 0)
    leave_next_iteration (run, iteration, item, dead, outputs);
  else
    activate (run, iteration, item, dead, outputs);
  _flow_set32 (undo, &iteration->outstanding_ops, iteration->outstanding_ops - 1);
  if (frame->parent != NULL && iteration_is_done (frame, index) && clean_iterations (run, frame, index))
    clean_frame (run, frame);
}

/* What of an item's inputs is fed. Only a body that is a part of its caller's graph may be given what is dead. */
static void
place_feeds (FlowRun            *run,
             FlowIteration      *iteration,
             const FlowPlanItem *item)
{
  gboolean is_merge = (item->flags & FLOW_OP_MERGE) != 0;

  for (guint i = 0; i < item->n_inputs; i++)
    {
      int feed = run->plan->inputs[item->first_input + i].feed;

      if (feed < 0 || feed == FLOW_PRUNE_UNREAD)
        continue;
      if (run->feeds[feed] == NULL)
        {
          iteration->dead[item->local]++;
          continue;
        }
      if (is_merge && (iteration->pending[item->local] & 1) == 0)
        continue;
      iteration->entries[item->entry + i].tensor = flow_tensor_ref (run->feeds[feed]);
      if (is_merge)
        iteration->pending[item->local] &= ~1u;
    }
}

/* Places what is fed, wakes what waits for nothing. The undo log has yet to hear of the run. */
void
_flow_run_start (FlowRun *run)
{
  FlowPlan *plan = run->plan;
  FlowIteration *iteration = NULL;

  run->root = _flow_frame_new (run, NULL, NULL, 0);
  run->last_frame = (guint64) (gsize) run->root;
  iteration = run->root->iterations[0];
  for (guint i = 0; i < plan->n_items; i++)
    {
      const FlowPlanItem *item = &plan->items[i];
      guint64 bit = G_GUINT64_CONSTANT (1) << (item->local % 64);
      gboolean is_dead = FALSE;

      if (item->frame != 0)
        continue;
      place_feeds (run, iteration, item);
      if ((item->flags & FLOW_OP_MERGE) != 0)
        is_dead = iteration->pending[item->local] == 1 && iteration->dead[item->local] == item->n_inputs;
      else
        is_dead = iteration->pending[item->local] == 0 && holds_dead (run, iteration, item);
      if (iteration->pending[item->local] == 0 || is_dead)
        {
          iteration->ready[item->local / 64] |= bit;
          if (is_dead && (item->flags & FLOW_OP_CONTROL_TRIGGER) == 0)
            iteration->ready_dead[item->local / 64] |= bit;
          iteration->n_ready++;
          iteration->outstanding_ops++;
          run->n_ready++;
        }
    }
}

static gboolean
is_parked (FlowRun       *run,
           FlowIteration *iteration,
           guint32        local)
{
  for (guint i = 0; i < run->parked->len; i++)
    {
      const FlowParked *parked = &g_array_index (run->parked, FlowParked, i);

      if (parked->iteration == iteration && parked->local == local)
        return parked->resource->version == parked->version;
    }
  return FALSE;
}

static gboolean
pick_in_iteration (FlowRun       *run,
                   FlowIteration *iteration,
                   const guint64 *among,
                   guint32       *local)
{
  if (iteration->n_ready == 0)
    return FALSE;
  for (guint w = 0; w < iteration->n_words; w++)
    for (guint64 word = iteration->ready[w] & (among != NULL ? among[w] : G_MAXUINT64); word != 0; word &= word - 1)
      {
        *local = w * 64 + (guint) __builtin_ctzll (word);
        if (run->parked->len == 0 || !is_parked (run, iteration, *local))
          return TRUE;
      }
  return FALSE;
}

/* The newest iteration's, unless one of them can count on. */
static gboolean
pick_ahead (FlowRun        *run,
            FlowFrame      *frame,
            guint64         first,
            FlowIteration **iteration,
            guint32        *local)
{
  const guint64 *ahead = run->plan->frames[frame->index].ahead;

  for (guint64 i = first; i <= frame->iteration_count; i++)
    {
      *iteration = get_iteration (frame, i);
      if (*iteration != NULL && pick_in_iteration (run, *iteration, ahead, local))
        return TRUE;
    }
  for (guint64 i = frame->iteration_count + 1; i > first; i--)
    {
      *iteration = get_iteration (frame, i - 1);
      if (*iteration != NULL && pick_in_iteration (run, *iteration, NULL, local))
        return TRUE;
    }
  return FALSE;
}

/* A frame's oldest iteration first, then the loops inside it. */
static gboolean
pick_in_frame (FlowRun        *run,
               FlowFrame      *frame,
               FlowIteration **iteration,
               guint32        *local)
{
  guint32 n_children = run->plan->frames[frame->index].n_children;
  guint64 first = frame->iteration_count + 1 >= frame->n_slots ? frame->iteration_count + 1 - frame->n_slots : 0;

  if (run->plan->frames[frame->index].ahead != NULL && pick_ahead (run, frame, first, iteration, local))
    return TRUE;
  for (guint64 i = first; i <= frame->iteration_count; i++)
    {
      *iteration = get_iteration (frame, i);
      if (*iteration != NULL && pick_in_iteration (run, *iteration, NULL, local))
        return TRUE;
    }
  for (guint64 i = first; n_children > 0 && i <= frame->iteration_count; i++)
    {
      FlowIteration *outer = get_iteration (frame, i);

      for (guint32 j = 0; outer != NULL && outer->outstanding_frames > 0 && j < n_children; j++)
        if (outer->children[j] != NULL && pick_in_frame (run, outer->children[j], iteration, local))
          return TRUE;
    }
  return FALSE;
}

/* The default order: stay in the frame where the last op ran, then what it opened, then outwards. */
gboolean
_flow_run_pick (FlowRun        *run,
                FlowIteration **iteration,
                guint32        *local)
{
  FlowFrame *frame = (FlowFrame *) (gpointer) (gsize) run->last_frame;

  if (run->n_ready == 0)
    return FALSE;
  for (; frame != NULL; frame = frame->parent)
    if (pick_in_frame (run, frame, iteration, local))
      return TRUE;
  return FALSE;
}

void
_flow_run_foreach_iteration (FlowFrame *frame,
                             void     (*func) (FlowIteration *iteration, gpointer data),
                             gpointer   data)
{
  for (guint i = 0; i < frame->n_slots; i++)
    {
      OwnedIteration *owned = (OwnedIteration *) (gpointer) frame->iterations[i];

      if (owned == NULL)
        continue;
      func (&owned->iteration, data);
      for (guint j = 0; j < owned->n_children; j++)
        if (owned->iteration.children[j] != NULL)
          _flow_run_foreach_iteration (owned->iteration.children[j], func, data);
    }
}
