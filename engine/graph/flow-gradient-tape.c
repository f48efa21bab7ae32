/* flow-gradient-tape.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradient.h"

/* Gradients as TensorFlow's GradientTape makes them: op by op back from the targets, without scopes, in the order in
 * which the tape goes. Rules that differentiate what they made themselves, and recomputed values, are done so. */

typedef struct {
  FlowGradient *g;
  GHashTable *made_by;         /* output -> node that made it while the tape was open, FLOW_NODE_NONE for what is watched */
  GHashTable *between;         /* nodes that lead to the targets and were not gone back through */
  GHashTable *uses;            /* output -> how often these read it and have not been gone back through */
  GHashTable *missing;         /* node -> how many of its outputs are waited for */
  GHashTable *grads;           /* output -> GArray of FlowEndpoint */
  GHashTable *sources;
  GQueue *ready;
} Tape;

static gpointer
key_of (FlowEndpoint at)
{
  gint64 key = (gint64) (((guint64) at.node << 32) | (guint32) at.slot);

  return g_memdup2 (&key, sizeof key);
}

static gboolean
find (GHashTable   *table,
      FlowEndpoint  at,
      gpointer     *value)
{
  g_autofree gpointer key = key_of (at);

  return g_hash_table_lookup_extended (table, key, NULL, value);
}

static gboolean
is_trainable (int dtype)
{
  switch (dtype)
    {
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX64:
    case FLOW_DTYPE_COMPLEX128:
    case FLOW_DTYPE_RESOURCE:
    case FLOW_DTYPE_VARIANT:
      return TRUE;
    default:
      return FALSE;
    }
}

static guint
n_inputs_of (Tape    *self,
             guint32  node)
{
  return self->g->maker->get_n_inputs (self->g->maker->self, node);
}

static FlowEndpoint
input_of (Tape    *self,
          guint32  node,
          guint    i)
{
  return self->g->maker->get_input (self->g->maker->self, node, i);
}

/* The ops that were made since @first from what is watched. */
static void
record (Tape               *self,
        guint32             first,
        const FlowEndpoint *watched,
        guint               n_watched)
{
  guint32 end = self->g->maker->get_n_nodes (self->g->maker->self);

  for (guint i = 0; i < n_watched; i++)
    g_hash_table_insert (self->made_by, key_of (watched[i]), GUINT_TO_POINTER (FLOW_NODE_NONE));
  for (guint32 node = first; node < end; node++)
    {
      gboolean is_recorded = FALSE;

      for (guint i = 0; i < n_inputs_of (self, node) && !is_recorded; i++)
        {
          FlowEndpoint input = input_of (self, node, i);

          is_recorded = find (self->made_by, input, NULL) && is_trainable (flow_gradient_dtype (self->g, input));
        }
      for (guint i = 0; is_recorded && i < self->g->maker->get_n_outputs (self->g->maker->self, node); i++)
        g_hash_table_insert (self->made_by, key_of ((FlowEndpoint) { node, (gint32) i }), GUINT_TO_POINTER (node));
    }
}

/* The op that made it on the tape; FLOW_NODE_NONE for what is watched or was made elsewhere. */
static guint32
maker_of (Tape         *self,
          FlowEndpoint  at)
{
  gpointer node = GUINT_TO_POINTER (FLOW_NODE_NONE);

  return find (self->made_by, at, &node) ? GPOINTER_TO_UINT (node) : FLOW_NODE_NONE;
}

static void
count (Tape               *self,
       const FlowEndpoint *targets,
       guint               n_targets)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));

  g_array_append_vals (stack, targets, n_targets);
  while (stack->len > 0)
    {
      guint32 node = maker_of (self, g_array_index (stack, FlowEndpoint, stack->len - 1));

      g_array_set_size (stack, stack->len - 1);
      if (node == FLOW_NODE_NONE || !g_hash_table_add (self->between, GUINT_TO_POINTER (node)))
        continue;
      for (guint i = 0; i < n_inputs_of (self, node); i++)
        {
          FlowEndpoint input = input_of (self, node, i);
          guint32 before = maker_of (self, input);
          gpointer n = NULL;

          find (self->uses, input, &n);
          g_hash_table_insert (self->uses, key_of (input), GUINT_TO_POINTER (GPOINTER_TO_UINT (n) + 1));
          if (n != NULL || before == FLOW_NODE_NONE)
            continue;
          g_array_append_val (stack, input);
          n = g_hash_table_lookup (self->missing, GUINT_TO_POINTER (before));
          g_hash_table_insert (self->missing, GUINT_TO_POINTER (before), GUINT_TO_POINTER (GPOINTER_TO_UINT (n) + 1));
        }
    }
}

static void
give (Tape         *self,
      FlowEndpoint  at,
      FlowEndpoint  grad)
{
  gpointer grads = NULL;

  if (grad.node == FLOW_NODE_NONE)
    return;
  if (!find (self->grads, at, &grads))
    {
      grads = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
      g_hash_table_insert (self->grads, key_of (at), grads);
    }
  g_array_append_val ((GArray *) grads, grad);
}

static FlowEndpoint
sum_of (Tape         *self,
        FlowEndpoint  at)
{
  gpointer found = NULL;
  GArray *grads;

  if (!find (self->grads, at, &found))
    return FLOW_NO_ENDPOINT;
  grads = found;
  return grads->len == 1 ? g_array_index (grads, FlowEndpoint, 0)
                         : flow_gradient_add (self->g, "AddN", NULL, NULL, grads->len, (FlowEndpoint *) (gpointer) grads->data);
}

/* The gradients of an op's outputs, zeros where nothing came back to one of several; whether anything did. */
static gboolean
gather (Tape     *self,
        guint32   node,
        guint     n_outputs,
        FlowGrad *grads)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n_outputs; i++)
    {
      FlowEndpoint at = { node, (gint32) i };
      g_autofree gpointer key = key_of (at);

      grads[i] = FLOW_NO_GRAD;
      grads[i].values = sum_of (self, at);
      if (grads[i].values.node == FLOW_NODE_NONE)
        continue;
      any = TRUE;
      g_hash_table_remove (self->grads, key);
      if (g_hash_table_contains (self->sources, key))
        give (self, at, grads[i].values);
    }
  for (guint i = 0; any && i < n_outputs; i++)
    {
      FlowEndpoint at = { node, (gint32) i };

      int dtype = flow_gradient_dtype (self->g, at);

      /* TF: for lists there are no zeros here; their rules know what to do without. */
      if (grads[i].values.node == FLOW_NODE_NONE && is_trainable (dtype) && dtype != FLOW_DTYPE_VARIANT)
        grads[i].values = flow_gradient_zeros_like (self->g, at, TRUE);
    }
  return any && self->g->error == NULL;
}

/* Back through one op: the gradients of its inputs. */
static void
go_back (Tape     *self,
         guint32   node,
         FlowGrad *in_grads,
         guint     n_inputs)
{
  FlowNodeMaker *maker = self->g->maker;
  guint n_outputs = maker->get_n_outputs (maker->self, node);
  g_autofree FlowGrad *out_grads = g_new (FlowGrad, MAX (n_outputs, 1));
  FlowGradient step = { .maker = maker, .node = node, .n_inputs = n_inputs, .n_outputs = n_outputs };
  FlowGradientFunc rule = NULL;

  for (guint i = 0; i < n_inputs; i++)
    in_grads[i] = FLOW_NO_GRAD;
  if (!gather (self, node, n_outputs, out_grads) || !maker->find_rule (maker->self, node, &rule, &self->g->error)
      || rule == NULL)
    return;
  step.out_grads = out_grads;
  step.in_grads = in_grads;
  for (guint i = 0; i < n_inputs && i < 32; i++)
    if (!find (self->made_by, input_of (self, node, i), NULL))
      step.skipped |= 1u << i;
  rule (&step);
  self->g->error = step.error;
}

/* What was waiting for this read of @input and waits no more. */
static void
count_down (Tape         *self,
            FlowEndpoint  input)
{
  guint32 before = maker_of (self, input);
  gpointer n = NULL;
  guint left;

  if (!find (self->uses, input, &n))
    return;
  left = GPOINTER_TO_UINT (n) - 1;
  g_hash_table_insert (self->uses, key_of (input), GUINT_TO_POINTER (left));
  n = g_hash_table_lookup (self->missing, GUINT_TO_POINTER (before));
  if (left > 0 || before == FLOW_NODE_NONE || n == NULL)
    return;
  g_hash_table_insert (self->missing, GUINT_TO_POINTER (before), GUINT_TO_POINTER (GPOINTER_TO_UINT (n) - 1));
  if (GPOINTER_TO_UINT (n) == 1)
    g_queue_push_tail (self->ready, GUINT_TO_POINTER (before));
}

static void
run (Tape               *self,
     const FlowEndpoint *targets,
     guint               n_targets,
     const guint        *order)
{
  for (guint i = 0; i < n_targets; i++)
    {
      guint32 node = maker_of (self, targets[order != NULL ? order[i] : i]);

      if (node != FLOW_NODE_NONE && !g_hash_table_contains (self->missing, GUINT_TO_POINTER (node))
          && g_queue_find (self->ready, GUINT_TO_POINTER (node)) == NULL)
        g_queue_push_tail (self->ready, GUINT_TO_POINTER (node));
    }
  while (!g_queue_is_empty (self->ready) && self->g->error == NULL)
    {
      guint32 node = GPOINTER_TO_UINT (g_queue_pop_head (self->ready));
      guint n_inputs = n_inputs_of (self, node);
      g_autofree FlowGrad *in_grads = NULL;

      if (!g_hash_table_remove (self->between, GUINT_TO_POINTER (node)))
        continue;
      in_grads = g_new (FlowGrad, MAX (n_inputs, 1));
      go_back (self, node, in_grads, n_inputs);
      for (guint i = 0; i < n_inputs && self->g->error == NULL; i++)
        {
          FlowEndpoint input = input_of (self, node, i);

          give (self, input, in_grads[i].values);
          count_down (self, input);
        }
    }
}

static void
array_unref (gpointer array)
{
  g_array_unref (array);
}

/**
 * flow_gradient_follow_tape: (skip)
 * @g: a call of a rule, or what an error is put into
 * @first: the first node that was made while the tape was open
 * @watched: outputs from before that it watched
 * @n_watched: how many
 * @targets: outputs to differentiate
 * @out_grads: what comes back to each of them
 * @n_targets: how many
 * @order: (nullable): the order in which the targets' ops are begun with, which in TensorFlow is one of a hash table
 * @sources: outputs to differentiate by
 * @n_sources: how many
 * @results: room for @n_sources gradients, %FLOW_NODE_NONE where there is none
 *
 * Goes back from @targets through the ops that were made since @first.
 */
void
flow_gradient_follow_tape (FlowGradient       *g,
                           guint32             first,
                           const FlowEndpoint *watched,
                           guint               n_watched,
                           const FlowEndpoint *targets,
                           const FlowEndpoint *out_grads,
                           guint               n_targets,
                           const guint        *order,
                           const FlowEndpoint *sources,
                           guint               n_sources,
                           FlowEndpoint       *results)
{
  Tape self = { .g = g };

  self.made_by = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self.between = g_hash_table_new (NULL, NULL);
  self.uses = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self.missing = g_hash_table_new (NULL, NULL);
  self.grads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, array_unref);
  self.sources = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self.ready = g_queue_new ();
  for (guint i = 0; i < n_sources; i++)
    g_hash_table_add (self.sources, key_of (sources[i]));
  if (g->error == NULL)
    {
      record (&self, first, watched, n_watched);
      count (&self, targets, n_targets);
      for (guint i = 0; i < n_targets; i++)
        give (&self, targets[i], out_grads[i]);
      run (&self, targets, n_targets, order);
    }
  for (guint i = 0; i < n_sources; i++)
    results[i] = g->error == NULL ? sum_of (&self, sources[i]) : FLOW_NO_ENDPOINT;
  g_hash_table_unref (self.made_by);
  g_hash_table_unref (self.between);
  g_hash_table_unref (self.uses);
  g_hash_table_unref (self.missing);
  g_hash_table_unref (self.grads);
  g_hash_table_unref (self.sources);
  g_queue_free (self.ready);
}
