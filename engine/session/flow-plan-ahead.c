/* flow-plan-ahead.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plan-private.h"

/* TF: a loop that may have several iterations under way counts on as soon as it can, whatever else is ready. What
 * waits for nothing but the count is then taken from the newest iteration to the oldest, since the pool's last is
 * taken first: a mask drawn for what an RNN reads is the last step's first. Where ops of a loop draw like that, the
 * order shows in values, and the loop executes as there; all other loops go through their iterations in order. So do
 * those that count by many ops, as decoders do by who has finished: another thread has drawn before they are through. */

/* Between an RNN's, of three, and a decoder's, of six: TF 1.15.5 keeps to either order, run after run. */
#define LONGEST_COUNT 4

typedef struct {
  FlowPlan *plan;
  guint32 frame;
  guint32 *when;               /* item -> its place among the ops as they are begun */
  guint8 *counts;              /* item -> whether the loop's condition comes of it */
  guint8 *is_late;             /* item -> whether it comes of what goes round the loop, but the count */
  GArray *queue;
} Ahead;

static void
mark (Ahead  *self,
      guint8 *marks,
      guint32 item)
{
  if (marks[item])
    return;
  marks[item] = TRUE;
  g_array_append_val (self->queue, item);
}

static void
mark_what_counts (Ahead *self)
{
  FlowPlan *plan = self->plan;

  g_array_set_size (self->queue, 0);
  for (guint32 i = 0; i < plan->frames[self->frame].n_items; i++)
    if ((plan->items[plan->frames[self->frame].items[i]].flags & FLOW_OP_LOOP_COND) != 0)
      mark (self, self->counts, plan->frames[self->frame].items[i]);
  for (guint at = 0; at < self->queue->len; at++)
    {
      const FlowPlanItem *item = &plan->items[g_array_index (self->queue, guint32, at)];
      guint n_data = 0;
      guint n_control = 0;
      const FlowEndpoint *sources = flow_graph_peek_inputs (plan->graph, item->node, &n_data, &n_control);

      for (guint j = 0; j < n_data + n_control; j++)
        {
          guint32 source = plan->item_of_node[sources[j].node];

          if (source != FLOW_PLAN_ITEM_NONE && plan->items[source].frame == self->frame)
            mark (self, self->counts, source);
        }
    }
}

static void
mark_late (Ahead *self)
{
  FlowPlan *plan = self->plan;

  g_array_set_size (self->queue, 0);
  for (guint32 i = 0; i < plan->frames[self->frame].n_items; i++)
    {
      guint32 item = plan->frames[self->frame].items[i];

      if ((plan->items[item].flags & FLOW_OP_NEXT_ITERATION) != 0 && !self->counts[item])
        mark (self, self->is_late, item);
    }
  for (guint at = 0; at < self->queue->len; at++)
    {
      const FlowPlanItem *item = &plan->items[g_array_index (self->queue, guint32, at)];

      if ((item->flags & FLOW_OP_EXIT) != 0 && item->frame == self->frame)
        continue;
      for (guint j = 0; j < item->n_outs; j++)
        mark (self, self->is_late, plan->outs[item->first_out + j].item);
    }
}

static int
compare_when (const void *a,
              const void *b,
              void       *data)
{
  const Ahead *self = data;
  guint32 first = self->when[*(const guint32 *) a];
  guint32 second = self->when[*(const guint32 *) b];

  return (first > second) - (first < second);
}

/* How many heavy ops, one after the other, it takes to count. */
static guint
measure_count (const Ahead *self)
{
  FlowPlan *plan = self->plan;
  const FlowPlanFrame *frame = &plan->frames[self->frame];
  g_autofree guint *lengths = g_new0 (guint, plan->n_items);
  g_autofree guint32 *items = g_memdup2 (frame->items, frame->n_items * sizeof (guint32));
  guint longest = 0;

  g_qsort_with_data (items, (int) frame->n_items, sizeof (guint32), compare_when, (gpointer) self);
  for (guint32 i = 0; i < frame->n_items; i++)
    {
      const FlowPlanItem *item = &plan->items[items[i]];

      if (!self->counts[items[i]])
        continue;
      lengths[items[i]] += !_flow_plan_is_light (plan, items[i]);
      longest = MAX (longest, lengths[items[i]]);
      for (guint j = 0; j < item->n_outs && (item->flags & FLOW_OP_NEXT_ITERATION) == 0; j++)
        {
          guint *length = &lengths[plan->outs[item->first_out + j].item];

          *length = MAX (*length, lengths[items[i]]);
        }
    }
  return longest;
}

/* The ops that TensorFlow begins before the loop has counted on; %NULL where nothing draws behind them that could. */
static guint64 *
list_ahead (const Ahead *self)
{
  FlowPlan *plan = self->plan;
  const FlowPlanFrame *frame = &plan->frames[self->frame];
  g_autofree guint64 *ahead = g_new0 (guint64, frame->n_items / 64 + 1);
  guint32 last = 0;
  gboolean draws = FALSE;

  for (guint32 i = 0; i < frame->n_items; i++)
    if ((plan->items[frame->items[i]].flags & FLOW_OP_NEXT_ITERATION) != 0 && self->counts[frame->items[i]])
      last = MAX (last, self->when[frame->items[i]]);
  for (guint32 i = 0; i < frame->n_items; i++)
    {
      guint32 item = frame->items[i];

      if (self->counts[item] || self->when[item] < last)
        ahead[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
      else if ((plan->items[item].flags & FLOW_OP_RANDOM) != 0 && !self->is_late[item])
        draws = TRUE;
    }
  return draws && measure_count (self) <= LONGEST_COUNT ? g_steal_pointer (&ahead) : NULL;
}

static gboolean
has_draws (FlowPlan *plan)
{
  for (guint32 i = 0; i < plan->n_items; i++)
    if ((plan->items[i].flags & FLOW_OP_RANDOM) != 0 && plan->items[i].frame != 0)
      return TRUE;
  return FALSE;
}

/**
 * _flow_plan_find_ahead: (skip)
 * @self: a plan whose frames are known
 *
 * Which loops count ahead of what draws random numbers in them, and with what.
 */
void
_flow_plan_find_ahead (FlowPlan *self)
{
  Ahead ahead = { .plan = self };
  g_autoptr(GArray) begun = NULL;

  if (!has_draws (self))
    return;
  begun = _flow_plan_list_as_begun (self);
  if (begun->len != self->n_items)
    return;
  ahead.when = g_new (guint32, self->n_items);
  for (guint32 i = 0; i < begun->len; i++)
    ahead.when[g_array_index (begun, guint32, i)] = i;
  ahead.queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (ahead.frame = 1; ahead.frame < self->n_frames; ahead.frame++)
    {
      ahead.counts = g_new0 (guint8, self->n_items);
      ahead.is_late = g_new0 (guint8, self->n_items);
      mark_what_counts (&ahead);
      mark_late (&ahead);
      self->frames[ahead.frame].ahead = list_ahead (&ahead);
      g_free (ahead.counts);
      g_free (ahead.is_late);
    }
  g_array_unref (ahead.queue);
  g_free (ahead.when);
}
