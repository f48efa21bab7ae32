/* flow-stepper-again.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stepper-private.h"

#include "flow-function.h"

/* Going over the same ground again: ops that depend on nothing that changed keep what they made. Everything
 * is held until the order of ops is another one than it was: then the rest is computed. */

#define CONTROL_FLOW \
  (FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION | FLOW_OP_LOOP_COND \
   | FLOW_OP_FUNCTION)

typedef struct {
  guint32 node;
  guint32 iteration;
  const char *frame;
  gboolean dead;
  guint n_outputs;
  FlowTensor **outputs;        /* NULL: computed again */
} Held;

struct _FlowHeldEvents
{
  guint64 first;
  GArray *events;              /* of Held */
  guint n_recalled;
};

static void
held_clear (gpointer data)
{
  Held *held = data;

  for (guint i = 0; held->outputs != NULL && i < held->n_outputs; i++)
    g_clear_pointer (&held->outputs[i], flow_tensor_unref);
  g_free (held->outputs);
}

/* What it gives depends on its inputs alone, and all of it was kept. */
static gboolean
can_be_kept (FlowStepper     *self,
             const FlowEvent *event)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  FlowOpFlags flags = flow_graph_get_node_flags (graph, event->node);

  if (event->dead || event->phase != FLOW_CALL_NONE || event->outputs == NULL || event->n_outputs == 0
      || flow_node_is_in_body (event->node)
      || (flags & (FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT | FLOW_OP_RANDOM | CONTROL_FLOW)) != 0)
    return FALSE;
  for (guint i = 0; i < event->n_outputs; i++)
    if (event->outputs[i] == NULL || flow_dtype_is_ref (flow_graph_get_output_dtype (graph, event->node, i)))
      return FALSE;
  for (guint i = 0; i < flow_graph_get_n_inputs (graph, event->node); i++)
    {
      FlowEndpoint source = { 0 };
      int dtype = 0;

      flow_graph_get_input (graph, event->node, i, &source);
      dtype = flow_graph_get_output_dtype (graph, source.node, (guint) source.slot);
      if (flow_dtype_is_ref (dtype) || dtype == FLOW_DTYPE_RESOURCE)
        return FALSE;
    }
  return TRUE;
}

/* Remembers the events from @first up to @last; nodes in @affected are computed again. */
void
_flow_stepper_hold (FlowStepper *self,
                    guint64      first,
                    guint64      last,
                    GHashTable  *affected)
{
  FlowHeldEvents *held = g_new0 (FlowHeldEvents, 1);

  _flow_stepper_let_go (self);
  held->first = first;
  held->events = g_array_new (FALSE, FALSE, sizeof (Held));
  g_array_set_clear_func (held->events, held_clear);
  for (guint64 k = first; k < last; k++)
    {
      const FlowEvent *event = flow_stepper_get_event (self, k);
      Held one = { event->node, event->iteration, event->frame, event->dead != 0, event->n_outputs, NULL };

      if (!g_hash_table_contains (affected, GUINT_TO_POINTER (event->node)) && can_be_kept (self, event))
        {
          one.outputs = g_new0 (FlowTensor *, event->n_outputs + 1);
          for (guint i = 0; i < event->n_outputs; i++)
            one.outputs[i] = flow_tensor_ref (event->outputs[i]);
        }
      g_array_append_val (held->events, one);
    }
  self->held = held;
}

/* How many ops kept what they had made. */
guint
_flow_stepper_let_go (FlowStepper *self)
{
  FlowHeldEvents *held = g_steal_pointer (&self->held);
  guint n = held != NULL ? held->n_recalled : 0;

  if (held == NULL)
    return 0;
  g_array_unref (held->events);
  g_free (held);
  return n;
}

static const Held *
held_at (FlowStepper *self,
         guint64      position)
{
  FlowHeldEvents *held = self->held;

  if (held == NULL || position < held->first || position - held->first >= held->events->len)
    return NULL;
  return &g_array_index (held->events, Held, (guint) (position - held->first));
}

/* What the op at hand had made, if it keeps it. */
gboolean
_flow_stepper_recall_held (FlowStepper *self,
                           guint32      node,
                           guint        n_outputs,
                           FlowValue   *outputs)
{
  const Held *one = held_at (self, self->position);

  if (one == NULL || one->outputs == NULL || one->node != node || one->n_outputs != n_outputs)
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    outputs[i].tensor = flow_tensor_ref (one->outputs[i]);
  self->held->n_recalled++;
  return TRUE;
}

/* An op has executed: is it the one that had executed there? */
void
_flow_stepper_check_held (FlowStepper     *self,
                          const FlowEvent *event)
{
  const Held *one = held_at (self, self->position);

  if (one == NULL
      || (one->node == event->node && one->iteration == event->iteration && one->frame == event->frame
          && one->dead == (event->dead != 0)))
    return;
  g_array_set_size (self->held->events, 0);
}
