/* flow-plan-frames.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plan-private.h"

#include <string.h>

/* More iterations at once only cost memory here, where ops run one after the other. */
#define MAX_PARALLEL_ITERATIONS 1024

typedef struct {
  FlowPlan *plan;
  GArray *frames;              /* of FlowPlanFrame */
  guint32 *reached_from;       /* item -> the item whose frame it took */
  GQueue queue;
} Finder;

static const char *
node_name (Finder *self,
           guint32 item)
{
  return flow_graph_get_node_name (self->plan->graph, self->plan->items[item].node);
}

static FlowPlanFrame *
frame_at (Finder *self,
          guint32 frame)
{
  return &g_array_index (self->frames, FlowPlanFrame, frame);
}

static gboolean
refuse (GError    **error,
        Finder     *self,
        guint32     item,
        const char *what)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "{{node %s}} %s", node_name (self, item), what);
  flow_error_set_node (error != NULL ? *error : NULL, node_name (self, item),
                       flow_graph_get_node_type (self->plan->graph, self->plan->items[item].node));
  return FALSE;
}

/* The frame that an Enter opens: one per parent and name. */
static gboolean
child_frame (Finder  *self,
             guint32  item,
             guint32 *frame,
             GError **error)
{
  FlowPlanItem *it = &self->plan->items[item];
  FlowAttr *name = flow_graph_get_attr (self->plan->graph, it->node, "frame_name");
  FlowAttr *parallel = flow_graph_get_attr (self->plan->graph, it->node, "parallel_iterations");
  FlowAttr *is_constant = flow_graph_get_attr (self->plan->graph, it->node, "is_constant");
  gint64 n_parallel = parallel != NULL ? flow_attr_get_int (parallel) : 10;
  FlowPlanFrame made = { .parent = it->frame };
  const char *text = NULL;

  if (name != NULL)
    text = flow_attr_get_string (name, NULL);
  if (text == NULL || *text == '\0')
    return refuse (error, self, item, "must have a frame name");
  if (n_parallel < 1)
    return refuse (error, self, item, "must have parallel_iterations >= 1");
  it->is_constant = is_constant != NULL && flow_attr_get_bool (is_constant);
  for (guint i = 1; i < self->frames->len; i++)
    if (frame_at (self, i)->parent == it->frame && strcmp (frame_at (self, i)->name, text) == 0)
      {
        frame_at (self, i)->n_enters++;
        *frame = i;
        return TRUE;
      }
  made.name = g_strdup (text);
  made.child_index = frame_at (self, it->frame)->n_children++;
  made.n_enters = 1;
  made.parallel_iterations = (guint32) MIN (n_parallel, MAX_PARALLEL_ITERATIONS);
  g_array_append_val (self->frames, made);
  *frame = self->frames->len - 1;
  return TRUE;
}

/* The frame in which the outputs of an item land. */
static gboolean
output_frame (Finder  *self,
              guint32  item,
              guint32 *frame,
              GError **error)
{
  FlowPlanItem *it = &self->plan->items[item];

  *frame = it->frame;
  if ((it->flags & FLOW_OP_ENTER) != 0)
    {
      if (!child_frame (self, item, frame, error))
        return FALSE;
      it->child_frame = *frame;
    }
  else if ((it->flags & FLOW_OP_EXIT) != 0)
    {
      if (it->frame == 0)
        return refuse (error, self, item, "is an Exit outside of any frame");
      *frame = frame_at (self, it->frame)->parent;
    }
  else if ((it->flags & FLOW_OP_NEXT_ITERATION) != 0 && it->frame == 0)
    return refuse (error, self, item, "is a NextIteration outside of any frame");
  return TRUE;
}

static gboolean
reach (Finder  *self,
       guint32  from,
       guint32  frame,
       guint32  item,
       GError **error)
{
  FlowPlanItem *it = &self->plan->items[item];

  if (self->reached_from[item] == FLOW_PLAN_ITEM_NONE)
    {
      self->reached_from[item] = from;
      it->frame = frame;
      g_queue_push_tail (&self->queue, GUINT_TO_POINTER (item));
      return TRUE;
    }
  if (it->frame == frame)
    return TRUE;
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "{{node %s}} has inputs from different frames. The input {{node %s}} is in frame '%s'. "
               "The input {{node %s}} is in frame '%s'.",
               node_name (self, item), node_name (self, from), frame_at (self, frame)->name,
               self->reached_from[item] == item ? "_SOURCE" : node_name (self, self->reached_from[item]),
               frame_at (self, it->frame)->name);
  return FALSE;
}

/* TF: breadth first from the nodes without inputs; the first to reach a node decides its frame. A
 * node with a fed input is reached from the feed, which stands in the outermost frame. */
static gboolean
walk (Finder  *self,
      GError **error)
{
  FlowPlan *plan = self->plan;

  for (guint32 i = 0; i < plan->n_items; i++)
    {
      gboolean is_root = plan->items[i].n_inputs == 0 && plan->items[i].n_control == 0;

      for (guint j = 0; j < plan->items[i].n_inputs; j++)
        if (plan->inputs[plan->items[i].first_input + j].feed >= 0
            && plan->inputs[plan->items[i].first_input + j].feed != FLOW_PRUNE_UNREAD)
          is_root = TRUE;
      if (is_root && !reach (self, i, 0, i, error))
        return FALSE;
    }
  while (!g_queue_is_empty (&self->queue))
    {
      guint32 item = GPOINTER_TO_UINT (g_queue_pop_head (&self->queue));
      guint32 frame = 0;

      if (!output_frame (self, item, &frame, error))
        return FALSE;
      for (guint j = 0; j < plan->items[item].n_outs; j++)
        if (!reach (self, item, frame, plan->outs[plan->items[item].first_out + j].item, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
check_loop_conds (Finder  *self,
                  GError **error)
{
  g_autofree gboolean *seen = g_new0 (gboolean, self->frames->len);

  for (guint32 i = 0; i < self->plan->n_items; i++)
    if ((self->plan->items[i].flags & FLOW_OP_LOOP_COND) != 0 && self->plan->items[i].frame != 0)
      {
        if (seen[self->plan->items[i].frame])
          return refuse (error, self, i, "is in a frame with more than one LoopCond node");
        seen[self->plan->items[i].frame] = TRUE;
      }
  return TRUE;
}

/* Numbers items and inputs within their frames and notes what each waits for at the start. */
static void
number_items (FlowPlan *plan)
{
  for (guint i = 0; i < plan->n_items; i++)
    {
      FlowPlanItem *it = &plan->items[i];
      FlowPlanFrame *frame = &plan->frames[it->frame];

      it->local = frame->n_items++;
      it->entry = frame->n_entries;
      frame->n_entries += it->n_inputs;
      if ((it->flags & FLOW_OP_FUNCTION) != 0)
        it->call = frame->n_calls++;
    }
  for (guint i = 0; i < plan->n_frames; i++)
    {
      plan->frames[i].items = g_new0 (guint32, MAX (plan->frames[i].n_items, 1));
      plan->frames[i].pending = g_new0 (guint32, MAX (plan->frames[i].n_items, 1));
    }
  for (guint i = 0; i < plan->n_items; i++)
    {
      FlowPlanItem *it = &plan->items[i];
      guint32 n = it->n_control;

      for (guint j = 0; j < it->n_inputs; j++)
        if (plan->inputs[it->first_input + j].feed < 0)
          n++;
      /* TF: bit 0 of a Merge says that it still waits for a live input. */
      if ((it->flags & FLOW_OP_MERGE) != 0)
        n = 1 + 2 * it->n_control;
      plan->frames[it->frame].items[it->local] = i;
      plan->frames[it->frame].pending[it->local] = n;
    }
}

gboolean
_flow_plan_find_frames (FlowPlan *self,
                        GError  **error)
{
  FlowPlanFrame root = { .name = g_strdup (""), .n_enters = 0, .parallel_iterations = 1 };
  Finder finder = { .plan = self, .queue = G_QUEUE_INIT };
  gboolean ok = FALSE;

  finder.frames = g_array_new (FALSE, TRUE, sizeof (FlowPlanFrame));
  g_array_append_val (finder.frames, root);
  finder.reached_from = g_new (guint32, MAX (self->n_items, 1));
  memset (finder.reached_from, 0xff, MAX (self->n_items, 1) * sizeof (guint32));
  ok = walk (&finder, error) && check_loop_conds (&finder, error);
  g_queue_clear (&finder.queue);
  g_free (finder.reached_from);
  self->n_frames = finder.frames->len;
  self->frames = (FlowPlanFrame *) (gpointer) g_array_free (finder.frames, FALSE);
  if (ok)
    number_items (self);
  return ok;
}
