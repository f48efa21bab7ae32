/* flow-builder-gradients.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* tf.gradients: from ys back to xs over the ops between them, each once all its readers among these were
 * done, with TensorFlow's names and order. */

typedef struct {
  FlowBuilder *builder;        /* where gradients are made */
  FlowBuilder *source;         /* whose graph they are of: mostly the same */
  guint32 foreign;             /* what @step calls a node of the source by: this bit, or 0 where it is the same */
  FlowGradient step;           /* what everything is made with; its error ends the whole */
  guint n_nodes;               /* as it began: the arrays below are that long */
  guint8 *reached;             /* per node: 1 reached from xs, 2 also between xs and ys */
  gint32 *pending;             /* per node: how many reads by ops between are not done */
  GPtrArray *loops;            /* of FlowGradLoop, of this call; NULL without loops */
  GHashTable *settled;         /* outputs whose gradients were summed */
  guint8 *stop;
  const char *target;          /* the op of the first of xs */
  const char *scope;           /* of this call */
  GHashTable *grads;           /* output -> GArray of FlowGrad */
  GQueue *queue;
  guint flags;
} Driver;

static gboolean
carries_gradient (int      dtype,
                  gboolean also_half)
{
  switch ((int) flow_dtype_base (dtype))
    {
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX64:
    case FLOW_DTYPE_COMPLEX128:
    case FLOW_DTYPE_RESOURCE:
    case FLOW_DTYPE_VARIANT:
      return TRUE;
    case FLOW_DTYPE_BFLOAT16:
      return also_half;
    default:
      return FALSE;
    }
}

static GArray *
grads_at (Driver       *self,
          FlowEndpoint  at,
          gboolean      make)
{
  gint64 key = (gint64) FLOW_OUTPUT (at.node, at.slot);
  GArray *grads = g_hash_table_lookup (self->grads, &key);

  if (grads == NULL && make)
    {
      grads = g_array_new (FALSE, FALSE, sizeof (FlowGrad));
      g_hash_table_insert (self->grads, g_memdup2 (&key, sizeof key), grads);
    }
  return grads;
}

static void
give (Driver       *self,
      FlowEndpoint  at,
      FlowGrad      grad)
{
  gint64 key = (gint64) FLOW_OUTPUT (at.node, at.slot);
  GArray *grads = grads_at (self, at, TRUE);

  /* Only a loop's Switch is met again after that. */
  if (g_hash_table_contains (self->settled, &key))
    g_array_set_size (grads, 0);
  g_array_append_val (grads, grad);
}

/* --- Loops --- */

static FlowContext *
loop_of (Driver  *self,
         guint32  node)
{
  return _flow_context_get_while (_flow_builder_node (self->source, node)->context);
}

static FlowGradLoop *
find_loop (Driver      *self,
           FlowContext *forward)
{
  for (guint i = 0; forward != NULL && self->loops != NULL && i < self->loops->len; i++)
    if (((FlowGradLoop *) g_ptr_array_index (self->loops, i))->forward == forward)
      return g_ptr_array_index (self->loops, i);
  return NULL;
}

/* The gradient loop that goes with an op; before an Exit it is that of the loop around. */
static FlowGradLoop *
grad_loop_of (Driver   *self,
              guint32   node,
              gboolean  before)
{
  FlowContext *forward = loop_of (self, node);

  if (before && forward != NULL && _flow_builder_is_type (self->source, node, FLOW_OP_EXIT))
    forward = _flow_context_get_while (_flow_builder_node (self->source, node)->context->outer);
  return find_loop (self, forward);
}

static void
enter_loop (Driver   *self,
            guint32   node,
            gboolean  before)
{
  FlowGradLoop *loop = grad_loop_of (self, node, before);

  if (loop != NULL)
    _flow_context_enter (self->builder, loop->grad);
}

static void
exit_loop (Driver   *self,
           guint32   node,
           gboolean  before)
{
  FlowGradLoop *loop = grad_loop_of (self, node, before);

  if (loop != NULL)
    _flow_context_exit (self->builder, loop->grad);
}

/* TensorFlow's words for a loop of an imported GraphDef, which tells of no loops. */
static void
refuse_bare_loop (Driver *self)
{
  if (self->foreign == 0)
    g_set_error (&self->step.error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "'NoneType' object has no attribute 'outer_context'");
}

/* The loops that are left by the ops between: each gets its gradient's, and all its Exits are of interest. */
static void
add_loops (Driver *self,
           GArray *between)
{
  for (guint i = 0; i < between->len && self->step.error == NULL; i++)
    {
      guint32 node = g_array_index (between, guint32, i);
      FlowContext *forward = loop_of (self, node);
      FlowGradLoop *loop;

      if (!_flow_builder_is_type (self->source, node, FLOW_OP_EXIT) || find_loop (self, forward) != NULL)
        continue;
      if (forward == NULL)
        {
          refuse_bare_loop (self);
          continue;
        }
      if (self->loops == NULL)
        self->loops = g_ptr_array_new ();
      if ((self->flags & FLOW_GRADIENT_COLOCATE) != 0)
        flow_builder_enter_colocation (self->builder, node | self->foreign, FALSE);
      loop = _flow_grad_loop_new (&self->step, forward, find_loop (self, _flow_context_get_while (forward->outer)));
      if ((self->flags & FLOW_GRADIENT_COLOCATE) != 0)
        flow_builder_leave (self->builder);
      g_ptr_array_add (self->loops, loop);
      for (guint k = 0; k < loop->exits->len; k++)
        {
          guint32 left = g_array_index (loop->exits, FlowEndpoint, k).node;

          if (left >= self->n_nodes || self->reached[left] == 2)
            continue;
          self->reached[left] = 2;
          g_array_append_val (between, left);
        }
    }
}

/* Zeros for a loop variable whose end nothing reads, but which others came from. */
static FlowGrad
zeros_for_exit (Driver       *self,
                FlowEndpoint  left)
{
  FlowGradient *g = &self->step;
  FlowBuilder *builder = self->builder;
  FlowContext *forward = _flow_builder_node (builder, left.node)->context;
  FlowGradLoop *outer = find_loop (self, _flow_context_get_while (forward->outer));
  int dtype = flow_gradient_dtype (g, left);
  FlowGrad grad = FLOW_NO_GRAD;
  FlowEndpoint shape;
  FlowEndpoint history;

  if (flow_gradient_is_known (g, left))
    {
      if (outer != NULL)
        _flow_context_enter (builder, outer->grad);
      grad.values = _flow_builder_add_zeros (g, flow_gradient_get_shape (g, left), dtype);
      if (outer != NULL)
        _flow_context_exit (builder, outer->grad);
    }
  else if (outer == NULL)
    grad.values = flow_gradient_zeros_like (g, left, FALSE);
  else
    {
      _flow_context_enter (builder, forward->outer);
      shape = flow_gradient_shape (g, left, NULL, FLOW_DTYPE_INT32, FALSE);
      _flow_context_exit (builder, forward->outer);
      history = _flow_grad_loop_push (outer, g, shape, FALSE);
      _flow_context_enter (builder, outer->grad);
      shape = _flow_grad_loop_pop (outer, g, history, shape, FALSE);
      grad.values = flow_gradient_zeros (g, shape, dtype);
      _flow_context_exit (builder, outer->grad);
    }
  return grad;
}

static void
queue_exit (Driver       *self,
            FlowEndpoint  left)
{
  if (carries_gradient (_flow_builder_node (self->source, left.node)->dtypes[left.slot], FALSE))
    give (self, left, zeros_for_exit (self, left));
  g_queue_push_tail (self->queue, GUINT_TO_POINTER (left.node));
}

/* Exits that the ys do not come from: their loops may be ready to go back through all the same. */
static void
process_unused_exits (Driver     *self,
                      GHashTable *ys)
{
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));

  for (guint i = 0; self->loops != NULL && i < self->loops->len; i++)
    {
      FlowGradLoop *loop = g_ptr_array_index (self->loops, i);

      for (guint k = 0; k < loop->exits->len; k++)
        {
          FlowEndpoint left = g_array_index (loop->exits, FlowEndpoint, k);

          if (left.node >= self->n_nodes || self->pending[left.node] != 0)
            continue;
          loop->n_pending--;
          if (!g_hash_table_contains (ys, GUINT_TO_POINTER (left.node)))
            g_array_append_val (loop->unused, left);
          if (loop->n_pending == 0)
            g_array_append_vals (ready, loop->unused->data, loop->unused->len);
        }
      for (guint k = 0; k < loop->forward->enters->len; k++)
        {
          guint32 enter = g_array_index (loop->forward->enters, FlowEndpoint, k).node;

          if (enter < self->n_nodes && self->pending[enter] == 0)
            self->pending[enter] = 1;
        }
    }
  for (guint i = 0; i < ready->len && self->step.error == NULL; i++)
    {
      FlowEndpoint left = g_array_index (ready, FlowEndpoint, i);

      if (carries_gradient (_flow_builder_node (self->source, left.node)->dtypes[left.slot], FALSE))
        queue_exit (self, left);
    }
}

static gboolean
has_gradient (Driver  *self,
              guint32  node)
{
  for (guint i = 0; i < _flow_builder_node (self->source, node)->n_outputs; i++)
    {
      GArray *grads = grads_at (self, (FlowEndpoint) { node, (gint32) i }, FALSE);

      if (grads != NULL && grads->len > 0)
        return TRUE;
    }
  return FALSE;
}

/* All Exits of a loop go back together, once the last of them is ready. */
static void
defer_exit (Driver       *self,
            FlowEndpoint  left)
{
  FlowGradLoop *loop = grad_loop_of (self, left.node, FALSE);
  gboolean any = FALSE;

  if (loop == NULL)
    {
      g_queue_push_tail (self->queue, GUINT_TO_POINTER (left.node));
      return;
    }
  g_array_append_val (loop->deferred, left);
  if (--loop->n_pending != 0)
    return;
  for (guint i = 0; i < loop->deferred->len; i++)
    {
      FlowEndpoint at = g_array_index (loop->deferred, FlowEndpoint, i);

      if (has_gradient (self, at.node))
        {
          any = TRUE;
          g_queue_push_tail (self->queue, GUINT_TO_POINTER (at.node));
        }
      else
        g_array_append_val (loop->unused, at);
    }
  for (guint i = 0; i < loop->unused->len && self->step.error == NULL; i++)
    {
      FlowEndpoint at = g_array_index (loop->unused, FlowEndpoint, i);

      if (any)
        queue_exit (self, at);
      else
        g_queue_push_tail (self->queue, GUINT_TO_POINTER (at.node));
    }
}

/* --- Which ops, and how often each is read --- */

static void
mark_reached (Driver        *self,
              const guint64 *xs,
              gsize          n_xs)
{
  g_autoptr (GQueue) queue = g_queue_new ();

  for (gsize i = 0; i < n_xs; i++)
    g_queue_push_tail (queue, GUINT_TO_POINTER (FLOW_OUTPUT_NODE (xs[i])));
  while (!g_queue_is_empty (queue))
    {
      guint32 index = GPOINTER_TO_UINT (g_queue_pop_head (queue));
      FlowBuildNode *node = _flow_builder_node (self->source, index);

      if (self->reached[index] != 0)
        continue;
      self->reached[index] = 1;
      for (guint i = 0; node->consumers != NULL && i < node->consumers->len; i++)
        {
          guint32 consumer = g_array_index (node->consumers, guint32, i);
          const GArray *inputs = _flow_builder_node (self->source, consumer)->inputs;

          /* Shapes of ys that were just asked for. */
          if (consumer >= self->n_nodes)
            continue;
          for (guint k = 0; k < inputs->len; k++)
            if (g_array_index (inputs, FlowEndpoint, k).node == index
                && carries_gradient (node->dtypes[g_array_index (inputs, FlowEndpoint, k).slot], TRUE))
              {
                g_queue_push_tail (queue, GUINT_TO_POINTER (consumer));
                break;
              }
        }
    }
}

static void
count_pending (Driver        *self,
               const guint64 *ys,
               gsize          n_ys)
{
  g_autoptr (GQueue) queue = g_queue_new ();
  g_autoptr (GArray) between = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (gsize i = 0; i < n_ys; i++)
    g_queue_push_tail (queue, GUINT_TO_POINTER (FLOW_OUTPUT_NODE (ys[i])));
  while (!g_queue_is_empty (queue))
    {
      guint32 index = GPOINTER_TO_UINT (g_queue_pop_head (queue));
      const GArray *inputs = _flow_builder_node (self->source, index)->inputs;

      if (self->reached[index] != 1)
        continue;
      self->reached[index] = 2;
      g_array_append_val (between, index);
      for (guint i = 0; i < inputs->len; i++)
        g_queue_push_tail (queue, GUINT_TO_POINTER (g_array_index (inputs, FlowEndpoint, i).node));
    }
  add_loops (self, between);
  for (guint i = 0; i < between->len; i++)
    {
      const GArray *inputs = _flow_builder_node (self->source, g_array_index (between, guint32, i))->inputs;

      for (guint k = 0; k < inputs->len; k++)
        if (g_array_index (inputs, FlowEndpoint, k).node < self->n_nodes
            && self->reached[g_array_index (inputs, FlowEndpoint, k).node] == 2)
          self->pending[g_array_index (inputs, FlowEndpoint, k).node]++;
    }
}

static void
mark_stops (Driver        *self,
            const guint64 *xs,
            gsize          n_xs,
            const guint32 *stops,
            gsize          n_stops)
{
  for (gsize i = 0; i < n_xs; i++)
    {
      guint32 index = FLOW_OUTPUT_NODE (xs[i]);
      const GArray *inputs = _flow_builder_node (self->source, index)->inputs;
      gboolean is_stop = TRUE;

      for (guint k = 0; k < inputs->len && is_stop; k++)
        is_stop = g_array_index (inputs, FlowEndpoint, k).node >= self->n_nodes
                  || self->pending[g_array_index (inputs, FlowEndpoint, k).node] <= 0;
      if (is_stop)
        self->stop[index] = 1;
    }
  for (gsize i = 0; i < n_stops; i++)
    self->stop[stops[i]] = 1;
}

/* --- One op --- */

/* Zeros for the side of a cond that was not asked for: only where that side was taken. */
static FlowEndpoint
zeros_of_switch (Driver       *self,
                 FlowEndpoint  at,
                 FlowContext  *branch)
{
  FlowGradient *g = &self->step;
  FlowBuildNode *node = _flow_builder_node (self->source, at.node);
  FlowEndpoint value = _flow_builder_add_switch (g, g_array_index (node->inputs, FlowEndpoint, 0), branch->pred, NULL, FALSE);
  gboolean is_resource = flow_dtype_base (node->dtypes[at.slot]) == FLOW_DTYPE_RESOURCE;
  FlowEndpoint pivot;
  FlowEndpoint shape = FLOW_NO_ENDPOINT;

  value.slot = (gint32) (1 - branch->branch);
  pivot = FLOW_GRADIENT_OP (g, "Identity", NULL, value);
  if (!is_resource)
    shape = flow_gradient_shape (g, value, NULL, FLOW_DTYPE_INT32, FALSE);
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  flow_gradient_after (g, pivot);
  if (is_resource)
    shape = FLOW_GRADIENT_OP (g, "VariableShape", NULL, value);
  shape = flow_gradient_zeros (g, shape, is_resource ? _flow_builder_handle_dtype (node, at.slot) : node->dtypes[at.slot]);
  flow_gradient_leave (g);
  return shape;
}

static FlowEndpoint
zeros_outside_loop (Driver       *self,
                    FlowEndpoint  at)
{
  FlowBuildNode *node = _flow_builder_node (self->source, at.node);
  FlowEndpoint seen = { at.node | self->foreign, at.slot };
  FlowEndpoint shape;

  if (_flow_builder_is_type (self->source, at.node, FLOW_OP_SWITCH) && node->context != NULL && !node->context->is_while)
    return zeros_of_switch (self, at, node->context);
  if (flow_dtype_base (node->dtypes[at.slot]) != FLOW_DTYPE_RESOURCE)
    return flow_gradient_zeros_like (&self->step, seen, FALSE);
  shape = FLOW_GRADIENT_OP (&self->step, "VariableShape", NULL, seen);
  return flow_gradient_zeros (&self->step, shape, _flow_builder_handle_dtype (node, at.slot));
}

/* In a loop a shape that is not known is kept for every iteration. */
static FlowEndpoint
zeros_in_loop (Driver       *self,
               FlowGradLoop *loop,
               FlowEndpoint  at)
{
  FlowGradient *g = &self->step;
  FlowBuilder *builder = self->builder;
  FlowBuildNode *node = _flow_builder_node (builder, at.node);
  FlowContext *context = node->context;
  gboolean is_dead = _flow_builder_is_type (builder, at.node, FLOW_OP_SWITCH) && !context->is_while;
  int dtype = (int) flow_dtype_base (node->dtypes[at.slot]);
  FlowEndpoint made = at;
  FlowEndpoint history;

  if (flow_shape_is_known (node->shapes[at.slot]))
    {
      /* TF: constant (0, dtype=resource) */
      if (dtype == FLOW_DTYPE_RESOURCE)
        g_set_error_literal (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                             "Incompatible types: <dtype: 'resource'> vs. int64. Value is 0");
      made = _flow_builder_add_filled (g, node->shapes[at.slot], dtype, "Const");
      if (is_dead)
        {
          FlowEndpoint pred = context->pred;

          _flow_grad_loop_recall (loop, context->pred, &pred);
          made = _flow_builder_add_switch (g, made, pred, NULL, TRUE);
          made.slot = (gint32) (1 - context->branch);
        }
      return made;
    }
  _flow_context_enter (builder, is_dead ? context->outer : context);
  if (is_dead)
    {
      made = _flow_builder_add_switch (g, g_array_index (node->inputs, FlowEndpoint, 0), context->pred, NULL, TRUE);
      made.slot = (gint32) (1 - context->branch);
    }
  history = flow_gradient_shape (g, made, NULL, FLOW_DTYPE_INT32, FALSE);
  _flow_context_exit (builder, is_dead ? context->outer : context);
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  if (is_dead)
    _flow_builder_node (builder, made.node)->context = _flow_builder_node (builder, history.node)->context = context;
  made = history;
  _flow_context_exit (builder, loop->grad);
  history = _flow_grad_loop_push (loop, g, made, is_dead);
  _flow_context_enter (builder, loop->grad);
  made = _flow_grad_loop_pop (loop, g, history, made, is_dead);
  return flow_gradient_zeros (g, made, dtype);
}

static void
fill_zeros (Driver        *self,
            FlowBuildNode *node,
            guint32        index,
            gboolean       all,
            FlowGrad      *out_grads)
{
  FlowGradLoop *loop = find_loop (self, loop_of (self, index));

  for (guint i = 0; i < node->n_outputs; i++)
    {
      FlowEndpoint at = { index, (gint32) i };

      if (out_grads[i].values.node != FLOW_NODE_NONE || (!all && !carries_gradient (node->dtypes[i], FALSE))
          || (self->loops != NULL && _flow_builder_is_loop_switch (self->source, index)))
        continue;
      out_grads[i].values = loop != NULL ? zeros_in_loop (self, loop, at) : zeros_outside_loop (self, at);
    }
}

static gboolean
take_shape (Driver        *self,
            FlowBuildNode *node,
            guint          i,
            FlowGrad       grad,
            GError       **error)
{
  FlowEndpoint input = g_array_index (node->inputs, FlowEndpoint, i);
  FlowBuildNode *source = _flow_builder_node (self->source, input.node);
  FlowEndpoint at = grad.values;
  FlowBuilder *owner;
  FlowShape *made;

  if (grad.indices.node != FLOW_NODE_NONE || flow_dtype_base (source->dtypes[input.slot]) == FLOW_DTYPE_RESOURCE)
    return TRUE;
  made = flow_gradient_get_shape (&self->step, grad.values);
  owner = _flow_builder_owner_of (self->builder, &at.node);
  if (!flow_builder_set_shape (owner, FLOW_OUTPUT (at.node, at.slot), source->shapes[input.slot], NULL))
    {
      g_autofree char *forward = _flow_builder_shape_text (source->shapes[input.slot]);
      g_autofree char *backward = _flow_builder_shape_text (made);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Incompatible shapes between op input and calculated input gradient.  Forward operation: %s.  Input index: "
                   "%u. Original input shape: %s.  Calculated input gradient shape: %s", node->name, i, forward, backward);
      return FALSE;
    }
  return TRUE;
}

static gboolean
apply_rule (Driver           *self,
            guint32           index,
            FlowGradientFunc  rule,
            const FlowGrad   *out_grads,
            FlowGrad         *in_grads)
{
  FlowBuildNode *node = _flow_builder_node (self->source, index);
  g_autofree char *scope = g_strconcat (node->name, "_grad", NULL);
  FlowGradient g = self->step;
  guint n_marks;

  if (self->step.error != NULL)
    return FALSE;
  g.node = index | self->foreign;
  g.n_inputs = node->inputs->len;
  g.n_outputs = node->n_outputs;
  g.out_grads = out_grads;
  g.in_grads = in_grads;
  flow_gradient_open (&g, scope);
  n_marks = _flow_builder_enter_compiled (self->builder, node, self->scope);
  rule (&g);
  for (; n_marks > 0; n_marks--)
    flow_builder_leave (self->builder);
  if ((self->flags & FLOW_GRADIENT_GATE) != 0)
    _flow_builder_gate_gradients (&g, in_grads, g.n_inputs);
  flow_gradient_leave (&g);
  self->step.error = g.error;
  for (guint i = 0; i < g.n_inputs && self->step.error == NULL; i++)
    if (in_grads[i].values.node != FLOW_NODE_NONE)
      take_shape (self, node, i, in_grads[i], &self->step.error);
  return self->step.error == NULL;
}

static void
settle (Driver       *self,
        FlowEndpoint  at)
{
  gint64 key = (gint64) FLOW_OUTPUT (at.node, at.slot);

  g_hash_table_add (self->settled, g_memdup2 (&key, sizeof key));
}

/* Inside a loop nothing goes back through what its variables begin with. */
static gboolean
check_start (Driver   *self,
             guint32   index,
             GError  **error)
{
  FlowBuildNode *node = _flow_builder_node (self->source, index);

  FLOW_REQUIRE (!_flow_builder_is_type (self->source, index, FLOW_OP_SWITCH) || node->context == NULL
                || !node->context->is_while || node->context != self->builder->now.context, error, INVALID_ARGUMENT,
                "Cannot compute gradient inside while loop with respect to op '%s'. We do not support taking the gradient "
                "wrt or through the initial value of a loop variable. Gradients can be computed through loop invariants or "
                "wrt the input parameters to the loop body.", self->target);
  return TRUE;
}

static void
process (Driver  *self,
         guint32  index)
{
  FlowBuildNode *node = _flow_builder_node (self->source, index);
  g_autofree FlowGrad *out_grads = g_new (FlowGrad, MAX (node->n_outputs, 1));
  /* Its own rule may give a loop more inputs. */
  guint n_inputs = node->inputs->len;
  g_autofree FlowGrad *in_grads = g_new (FlowGrad, MAX (n_inputs, 1));
  FlowGradientFunc rule = NULL;
  gboolean any = FALSE;

  for (guint i = 0; i < n_inputs; i++)
    in_grads[i] = FLOW_NO_GRAD;
  enter_loop (self, index, TRUE);
  for (guint i = 0; i < node->n_outputs; i++)
    {
      GArray *grads = grads_at (self, (FlowEndpoint) { index, (gint32) i }, FALSE);

      out_grads[i] = _flow_builder_sum_gradients (&self->step, grads, index | self->foreign, self->flags);
      if (grads != NULL)
        {
          g_array_set_size (grads, 0);
          if (out_grads[i].values.node != FLOW_NODE_NONE)
            g_array_append_val (grads, out_grads[i]);
        }
      any = any || out_grads[i].values.node != FLOW_NODE_NONE;
      settle (self, (FlowEndpoint) { index, (gint32) i });
    }
  exit_loop (self, index, TRUE);
  if (any && self->stop[index] == 0 && self->step.error == NULL
      && !_flow_builder_find_rule (self->builder, self->source, index, &rule, &self->step.error))
    return;
  enter_loop (self, index, FALSE);
  if (rule != NULL && self->step.error == NULL && check_start (self, index, &self->step.error))
    {
      fill_zeros (self, node, index, _flow_builder_is_call_rule (rule), out_grads);
      apply_rule (self, index, rule, out_grads, in_grads);
    }
  for (guint i = 0; i < n_inputs && self->step.error == NULL; i++)
    if (in_grads[i].values.node != FLOW_NODE_NONE)
      give (self, g_array_index (node->inputs, FlowEndpoint, i), in_grads[i]);
  exit_loop (self, index, FALSE);
}

static void
count_down (Driver  *self,
            guint32  index)
{
  FlowBuildNode *node = _flow_builder_node (self->source, index);

  for (guint i = 0; i < node->inputs->len && self->step.error == NULL; i++)
    {
      FlowEndpoint source = g_array_index (node->inputs, FlowEndpoint, i);

      /* Counted down also where nothing was counted, as TensorFlow does: it never comes to 0 then. */
      if (source.node >= self->n_nodes)
        continue;
      self->pending[source.node]--;
      if (self->pending[source.node] != 0
          && (self->loops == NULL || self->pending[source.node] < 0
              || !_flow_builder_is_loop_switch (self->source, source.node)))
        continue;
      if (_flow_builder_is_type (self->source, source.node, FLOW_OP_EXIT))
        defer_exit (self, source);
      else
        g_queue_push_tail (self->queue, GUINT_TO_POINTER (source.node));
    }
}

/* An Identity of a gradient that was given, in the scope of this call. */
static FlowGrad
copy_of_given (FlowGradient  *g,
               const guint64 *given,
               const char    *name)
{
  g_autofree char *indices = g_strconcat (name, "_indices", NULL);
  g_autofree char *values = g_strconcat (name, "_values", NULL);
  g_autofree char *shape = g_strconcat (name, "_shape", NULL);
  FlowGrad grad = FLOW_NO_GRAD;

  if (given[1] == FLOW_OUTPUT_NONE)
    {
      grad.values = FLOW_GRADIENT_OP (g, "Identity", name, FLOW_ENDPOINT (given[0]));
      return grad;
    }
  grad.indices = FLOW_GRADIENT_OP (g, "Identity", indices, FLOW_ENDPOINT (given[1]));
  grad.values = FLOW_GRADIENT_OP (g, "Identity", values, FLOW_ENDPOINT (given[0]));
  if (given[2] != FLOW_OUTPUT_NONE)
    grad.dense_shape = FLOW_GRADIENT_OP (g, "Identity", shape, FLOW_ENDPOINT (given[2]));
  return grad;
}

static void
start (Driver        *self,
       const guint64 *ys,
       gsize          n_ys,
       const guint64 *grad_ys)
{
  for (gsize i = 0; i < n_ys; i++)
    {
      FlowEndpoint y = FLOW_ENDPOINT (ys[i]);
      FlowEndpoint seen = { y.node | self->foreign, y.slot };
      g_autofree char *name = g_strdup_printf ("grad_ys_%" G_GSIZE_FORMAT, i);
      FlowGrad grad = FLOW_NO_GRAD;

      if ((self->flags & FLOW_GRADIENT_COLOCATE) != 0)
        flow_gradient_with (&self->step, seen);
      if (grad_ys != NULL && grad_ys[3 * i] != FLOW_OUTPUT_NONE)
        grad = copy_of_given (&self->step, grad_ys + 3 * i, name);
      else
        {
          FlowEndpoint shape = flow_gradient_shape (&self->step, seen, NULL, FLOW_DTYPE_INT32, TRUE);
          FlowEndpoint one = flow_gradient_number (&self->step, name, flow_gradient_dtype (&self->step, seen), 1);

          grad.values = FLOW_GRADIENT_OP (&self->step, "Fill", NULL, shape, one);
        }
      if ((self->flags & FLOW_GRADIENT_COLOCATE) != 0)
        flow_gradient_leave (&self->step);
      if (self->step.error == NULL)
        give (self, y, grad);
    }
}

static void
run (Driver        *self,
     const guint64 *ys,
     gsize          n_ys)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < n_ys; i++)
    {
      guint32 node = FLOW_OUTPUT_NODE (ys[i]);

      if (self->pending[node] == 0 && self->reached[node] != 0 && g_hash_table_add (seen, GUINT_TO_POINTER (node)))
        g_queue_push_tail (self->queue, GUINT_TO_POINTER (node));
    }
  process_unused_exits (self, seen);
  while (!g_queue_is_empty (self->queue) && self->step.error == NULL)
    {
      guint32 node = GPOINTER_TO_UINT (g_queue_pop_head (self->queue));
      gboolean colocate = (self->flags & FLOW_GRADIENT_COLOCATE) != 0;

      if (colocate)
        flow_builder_enter_colocation (self->builder, node | self->foreign, FALSE);
      process (self, node);
      if (colocate)
        flow_builder_leave (self->builder);
      if (self->step.error == NULL)
        count_down (self, node);
    }
}

static guint64
packed (FlowEndpoint at)
{
  return at.node == FLOW_NODE_NONE ? FLOW_OUTPUT_NONE : FLOW_OUTPUT (at.node, at.slot);
}

static guint64 *
collect (Driver        *self,
         const guint64 *xs,
         gsize          n_xs)
{
  guint64 *results = g_new (guint64, MAX (n_xs * 3, 1));

  for (gsize i = 0; i < n_xs; i++)
    {
      FlowEndpoint x = { FLOW_OUTPUT_NODE (xs[i]), FLOW_OUTPUT_SLOT (xs[i]) };
      GArray *grads = grads_at (self, x, FALSE);
      FlowGrad grad = grads != NULL && grads->len > 0 ? g_array_index (grads, FlowGrad, 0) : FLOW_NO_GRAD;

      results[i * 3] = packed (grad.values);
      results[i * 3 + 1] = packed (grad.indices);
      results[i * 3 + 2] = packed (grad.dense_shape);
    }
  return results;
}

static void
array_unref (gpointer array)
{
  g_array_unref (array);
}

/**
 * flow_builder_add_gradients:
 * @self: a builder
 * @ys: (array length=n_ys): outputs to differentiate
 * @n_ys: how many
 * @grad_ys: (array length=n_grad_ys) (nullable): the gradients they begin with, three outputs each as they are returned,
 *   #FLOW_OUTPUT_NONE for ones
 * @n_grad_ys: three times as many as @ys, or 0
 * @xs: (array length=n_xs): outputs to differentiate by
 * @n_xs: how many
 * @stops: (array length=n_stops) (nullable): ops that nothing passes
 * @n_stops: how many
 * @name: (nullable): the scope of what is made, %NULL for `gradients`
 * @flags: how it is made
 * @n_results: (out): three times @n_xs
 * @error: where to put an error
 *
 * Adds the gradients of the sum of @ys by each of @xs. A gradient is three outputs: its values, and, where
 * it is only some rows of a tensor, their indices and the tensor's shape.
 *
 * Returns: (array length=n_results) (transfer full): the gradients, #FLOW_OUTPUT_NONE where there is none;
 *   %NULL with %FLOW_ERROR_UNIMPLEMENTED for an op without a rule
 */
guint64 *
flow_builder_add_gradients (FlowBuilder        *self,
                            const guint64      *ys,
                            gsize               n_ys,
                            const guint64      *grad_ys,
                            gsize               n_grad_ys,
                            const guint64      *xs,
                            gsize               n_xs,
                            const guint32      *stops,
                            gsize               n_stops,
                            const char         *name,
                            FlowGradientFlags   flags,
                            gsize              *n_results,
                            GError            **error)
{
  Driver driver = { .builder = self, .flags = flags };
  g_autofree char *scope = NULL;
  guint64 *results = NULL;
  guint n = (self->source != NULL ? self->source : self)->nodes->len;
  guint depth = flow_builder_get_depth (self);
  FlowContext *context = self->now.context;

  *n_results = 0;
  if (n_grad_ys != 0 && n_grad_ys != 3 * n_ys)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Passed %" G_GSIZE_FORMAT " grad_ys for %" G_GSIZE_FORMAT " ys", n_grad_ys / 3, n_ys);
      return NULL;
    }
  scope = flow_builder_enter_name_scope (self, name != NULL ? name : "gradients", error);
  if (scope == NULL)
    return NULL;
  g_free (flow_builder_unique_name (self, "uid", TRUE));
  driver.scope = scope;
  driver.n_nodes = n;
  driver.source = self->source != NULL ? self->source : self;
  driver.foreign = self->source != NULL ? FLOW_FOREIGN : 0;
  driver.step.maker = &self->maker;
  driver.grads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, array_unref);
  driver.queue = g_queue_new ();
  driver.reached = g_malloc0 (n + 1);
  driver.pending = g_new0 (gint32, n + 1);
  driver.stop = g_malloc0 (n + 1);
  driver.settled = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  driver.target = n_xs > 0 ? flow_builder_get_node_name (driver.source, FLOW_OUTPUT_NODE (xs[0])) : "";
  start (&driver, ys, n_ys, n_grad_ys > 0 ? grad_ys : NULL);
  mark_reached (&driver, xs, n_xs);
  count_pending (&driver, ys, n_ys);
  mark_stops (&driver, xs, n_xs, stops, n_stops);
  run (&driver, ys, n_ys);
  while (flow_builder_get_depth (self) > depth)
    flow_builder_leave (self);
  self->now.context = context;
  for (guint i = 0; driver.loops != NULL && i < driver.loops->len && driver.step.error == NULL; i++)
    _flow_grad_loop_finish (g_ptr_array_index (driver.loops, i), &driver.step);
  if (driver.step.error == NULL)
    {
      results = collect (&driver, xs, n_xs);
      *n_results = n_xs * 3;
    }
  else
    g_propagate_error (error, driver.step.error);
  g_hash_table_unref (driver.grads);
  g_hash_table_unref (driver.settled);
  g_clear_pointer (&driver.loops, g_ptr_array_unref);
  g_queue_free (driver.queue);
  g_free (driver.reached);
  g_free (driver.pending);
  g_free (driver.stop);
  return results;
}
