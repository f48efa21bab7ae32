/* flow-builder-gradients-loop.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* The gradient of a loop is a loop that runs as often, backwards. The forward loop counts its iterations
 * and pushes what the way back needs onto stacks; the other counts down and pops. ControlTriggers keep
 * pushes and pops in step with the counters. */

/* --- Small steps --- */

static void
wait_for (FlowGradient *g,
          guint32       node,
          guint32       source)
{
  if (g->error == NULL)
    flow_builder_add_control_input (g->maker->self, node, source);
}

static void
close_back_edge (FlowGradient *g,
                 FlowEndpoint  merge,
                 FlowEndpoint  next)
{
  if (g->error == NULL)
    flow_builder_set_input (g->maker->self, merge.node, 1, FLOW_OUTPUT (next.node, next.slot), &g->error);
}

static FlowEndpoint
other_side (FlowEndpoint output)
{
  if (output.node != FLOW_NODE_NONE)
    output.slot = 1;
  return output;
}

static FlowAttrList *
attr_list (const char *name,
           FlowAttr   *value)
{
  FlowAttrList *attrs = flow_attr_list_new ();

  flow_attr_list_set (attrs, name, value);
  flow_attr_unref (value);
  return attrs;
}

static FlowEndpoint
input_of (FlowBuilder  *builder,
          FlowEndpoint  at,
          guint         i)
{
  return g_array_index (_flow_builder_node (builder, at.node)->inputs, FlowEndpoint, i);
}

FlowEndpoint
_flow_builder_add_filled (FlowGradient    *g,
                          const FlowShape *shape,
                          int              dtype,
                          const char      *name)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_autoptr (FlowTensor) zero = NULL;
  guint32 node = FLOW_NODE_NONE;

  if (g->error == NULL)
    zero = flow_tensor_new_zeros ((FlowDType) dtype, scalar, NULL, &g->error);
  if (zero == NULL || !flow_builder_add_constant (g->maker->self, zero, shape, name, &node, &g->error))
    return FLOW_NO_ENDPOINT;
  return (FlowEndpoint) { node, 0 };
}

FlowEndpoint
_flow_builder_add_zeros (FlowGradient    *g,
                         const FlowShape *shape,
                         int              dtype)
{
  FlowEndpoint dims;
  FlowEndpoint zero;
  gint64 n = 0;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  if (flow_shape_n_elements (shape, &n) && n < 1000)
    return _flow_builder_add_filled (g, shape, dtype, "zeros");
  flow_gradient_open (g, "zeros");
  dims = flow_gradient_ints (g, "shape_as_tensor", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank);
  zero = flow_gradient_number (g, "Const", dtype, 0);
  return FLOW_GRADIENT_CLOSE (g, "Fill", dims, zero);
}

/* --- Counters --- */

static FlowEndpoint
count_forward (FlowGradLoop *self,
               FlowGradient *g)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *loop = self->forward;
  FlowEndpoint n = flow_gradient_number (g, "f_count", FLOW_DTYPE_INT32, 0);
  FlowEndpoint enter;
  FlowEndpoint merge;
  FlowEndpoint fork;
  FlowEndpoint index;
  FlowEndpoint total;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  /* Pushes of one run of an inner loop come before those of the next. */
  if (self->outer != NULL)
    wait_for (g, n.node, input_of (builder, self->outer->forward_index, 0).node);
  _flow_context_enter (builder, loop);
  _flow_context_note (loop, n);
  enter = _flow_builder_add_enter (g, loop, n, FALSE, TRUE, "f_count");
  g_array_append_val (loop->enters, enter);
  merge = _flow_builder_add_merge (g, enter, enter, NULL);
  fork = _flow_builder_add_switch (g, merge, loop->pivot, NULL, FALSE);
  flow_gradient_open (g, "Add");
  index = flow_gradient_number (g, "y", FLOW_DTYPE_INT32, 1);
  index = FLOW_GRADIENT_CLOSE (g, "Add", other_side (fork), index);
  self->forward_index = _flow_builder_add_next (g, index);
  close_back_edge (g, merge, self->forward_index);
  total = _flow_builder_add_exit (g, fork, "f_count");
  g_array_append_val (loop->exits, total);
  if (g->error == NULL && loop->outer != NULL)
    _flow_context_note (loop->outer, total);
  _flow_context_exit (builder, loop);
  return total;
}

static guint32
get_forward_sync (FlowGradLoop *self,
                  FlowGradient *g)
{
  FlowBuilder *builder = g->maker->self;

  if (self->forward_sync == FLOW_NODE_NONE)
    {
      flow_builder_clear_control_dependencies (builder);
      self->forward_sync = flow_gradient_add (g, "ControlTrigger", "f_sync", NULL, 0, NULL).node;
      flow_builder_leave (builder);
      if (g->error == NULL)
        {
          _flow_builder_node (builder, self->forward_sync)->context = self->forward;
          wait_for (g, self->forward_index.node, self->forward_sync);
        }
    }
  return self->forward_sync;
}

static guint32
get_grad_sync (FlowGradLoop *self,
               FlowGradient *g)
{
  FlowBuilder *builder = g->maker->self;

  if (self->grad_sync == FLOW_NODE_NONE)
    {
      flow_builder_clear_control_dependencies (builder);
      self->grad_sync = flow_gradient_add (g, "ControlTrigger", "b_sync", NULL, 0, NULL).node;
      flow_builder_leave (builder);
      if (g->error == NULL)
        {
          _flow_builder_node (builder, self->grad_sync)->context = self->grad;
          wait_for (g, self->grad_index.node, self->grad_sync);
        }
    }
  return self->grad_sync;
}

static void
count_backward (FlowGradLoop *self,
                FlowGradient *g,
                FlowEndpoint  count)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *loop = self->grad;
  FlowEndpoint one = flow_gradient_number (g, "b_count", FLOW_DTYPE_INT32, 1);
  FlowEndpoint merge;
  FlowEndpoint fork;
  FlowEndpoint zero;

  if (g->error != NULL)
    return;
  _flow_context_enter (builder, loop);
  _flow_context_note (loop, count);
  merge = _flow_builder_add_enter (g, loop, count, FALSE, TRUE, "b_count");
  g_array_append_val (loop->enters, merge);
  merge = _flow_builder_add_merge (g, merge, merge, NULL);
  loop->pivot_for_pred = merge;
  loop->pivot = FLOW_GRADIENT_OP (g, "GreaterEqual", NULL, merge, one);
  loop->pivot = FLOW_GRADIENT_OP (g, "LoopCond", "b_count", loop->pivot);
  fork = _flow_builder_add_switch (g, merge, loop->pivot, NULL, FALSE);
  loop->pivot_for_body = FLOW_GRADIENT_OP (g, "Sub", NULL, other_side (fork), one);
  self->grad_index = _flow_builder_add_next (g, loop->pivot_for_body);
  close_back_edge (g, merge, self->grad_index);
  zero = _flow_builder_add_exit (g, fork, "b_count");
  g_array_append_val (loop->exits, zero);
  if (self->outer != NULL)
    wait_for (g, get_grad_sync (self->outer, g), zero.node);
  if (g->error == NULL && loop->outer != NULL)
    _flow_context_note (loop->outer, zero);
  _flow_context_exit (builder, loop);
}

static FlowContext *
new_grad_context (FlowGradLoop *self,
                  FlowBuilder  *builder)
{
  g_autofree char *name = flow_builder_unique_name (builder, self->forward->name, TRUE);
  FlowContext *grad = _flow_context_new (builder, name, TRUE);

  grad->maximum_iterations = self->forward->maximum_iterations;
  grad->parallel_iterations = self->forward->parallel_iterations;
  grad->back_prop = self->forward->back_prop;
  grad->swap_memory = self->forward->swap_memory;
  grad->grad = self;
  return grad;
}

/* Called where gradients are asked for; the loop is owned by its gradient's context. */
FlowGradLoop *
_flow_grad_loop_new (FlowGradient *g,
                     FlowContext  *forward,
                     FlowGradLoop *outer)
{
  FlowBuilder *builder = g->maker->self;
  FlowGradLoop *self = g_new0 (FlowGradLoop, 1);
  FlowContext *around = outer != NULL ? outer->forward : forward->outer;
  FlowEndpoint count;

  self->outer = outer;
  self->forward = forward;
  self->forward_sync = self->grad_sync = FLOW_NODE_NONE;
  self->forward_index = self->grad_index = FLOW_NO_ENDPOINT;
  self->history = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->switches = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->merges = g_array_new (FALSE, FALSE, sizeof (FlowGrad));
  self->exits = g_array_copy (forward->exits);
  self->unused = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  self->deferred = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  self->n_pending = (int) forward->exits->len;
  if (around != NULL)
    _flow_context_enter (builder, around);
  count = count_forward (self, g);
  if (around != NULL)
    _flow_context_exit (builder, around);
  if (outer != NULL && g->error == NULL)
    {
      FlowEndpoint history;

      _flow_context_note (around, count);
      history = _flow_grad_loop_push (outer, g, count, FALSE);
      around = outer->grad;
      _flow_context_enter (builder, around);
      self->grad = new_grad_context (self, builder);
      count = _flow_grad_loop_pop (outer, g, history, count, FALSE);
    }
  else
    {
      if (around != NULL)
        _flow_context_enter (builder, around);
      self->grad = new_grad_context (self, builder);
    }
  count_backward (self, g, count);
  if (around != NULL)
    _flow_context_exit (builder, around);
  return self;
}

void
_flow_grad_loop_free (FlowGradLoop *self)
{
  g_hash_table_unref (self->history);
  g_array_unref (self->switches);
  g_array_unref (self->merges);
  g_array_unref (self->exits);
  g_array_unref (self->unused);
  g_array_unref (self->deferred);
  g_free (self);
}

/* --- Values of the way there --- */

gboolean
_flow_grad_loop_recall (FlowGradLoop *self,
                        FlowEndpoint  value,
                        FlowEndpoint *real)
{
  gint64 key = (gint64) FLOW_OUTPUT (value.node, value.slot);
  const FlowEndpoint *found = g_hash_table_lookup (self->history, &key);

  if (found != NULL)
    *real = *found;
  return found != NULL;
}

void
_flow_grad_loop_remember (FlowGradLoop *self,
                          FlowEndpoint  value,
                          FlowEndpoint  real)
{
  gint64 key = (gint64) FLOW_OUTPUT (value.node, value.slot);

  g_hash_table_insert (self->history, g_memdup2 (&key, sizeof key), g_memdup2 (&real, sizeof real));
}

static FlowEndpoint
add_stack (FlowGradient *g,
           FlowEndpoint  value)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *here = builder->now.context;
  FlowAttr *type = flow_attr_new_type (flow_gradient_dtype (g, value));
  FlowEndpoint size;
  FlowEndpoint stack;

  flow_builder_clear_control_dependencies (builder);
  if (here != NULL)
    _flow_context_enter (builder, here);
  flow_builder_enter_colocation (builder, value.node, FALSE);
  size = flow_gradient_number (g, NULL, FLOW_DTYPE_INT32, -1);
  stack = FLOW_GRADIENT_OP_ATTRS (g, "StackV2", "f_acc", attr_list ("elem_type", type), size);
  flow_builder_leave (builder);
  if (here != NULL)
    _flow_context_exit (builder, here);
  flow_builder_leave (builder);
  return stack;
}

/* Keeps @value of every iteration of the forward loop on a stack, which is returned. */
FlowEndpoint
_flow_grad_loop_push (FlowGradLoop *self,
                      FlowGradient *g,
                      FlowEndpoint  value,
                      gboolean      is_dead_branch)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *there;
  FlowContext *made_in;
  FlowEndpoint stack;
  FlowEndpoint inside;
  FlowEndpoint push;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  stack = add_stack (g, value);
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  there = _flow_builder_output_context (builder, value.node);
  made_in = is_dead_branch && there != NULL ? there->outer : there;
  if (there == NULL || (there != self->forward && there->is_while) || made_in == NULL)
    {
      g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "value_ctxt is not a CondContext: %s",
                   there != NULL ? there->name : "None");
      return FLOW_NO_ENDPOINT;
    }
  flow_builder_clear_control_dependencies (builder);
  inside = _flow_context_add_value (self->forward, g, stack);
  _flow_context_enter (builder, made_in);
  push = FLOW_GRADIENT_OP_ATTRS (g, "StackPushV2", NULL,
                                 attr_list ("swap_memory", flow_attr_new_bool (self->forward->swap_memory)), inside, value);
  _flow_context_exit (builder, made_in);
  if (g->error == NULL)
    {
      if (is_dead_branch)
        _flow_builder_node (builder, push.node)->context = there;
      if (there == self->forward)
        wait_for (g, self->forward_index.node, push.node);
      else
        wait_for (g, get_forward_sync (self, g), push.node);
      wait_for (g, push.node, input_of (builder, self->forward_index, 0).node);
    }
  flow_builder_leave (builder);
  return stack;
}

/* The branch of the forward loop that a value was made in, seen from its stack. */
static FlowContext *
branch_of (FlowBuilder  *builder,
           FlowEndpoint  history,
           FlowEndpoint  value)
{
  FlowContext *outside = _flow_builder_node (builder, history.node)->context;
  FlowContext *at = _flow_builder_node (builder, value.node)->context;

  while (at != NULL && at != outside && at->is_while)
    at = at->outer;
  return at != outside ? at : NULL;
}

/* Where nothing was pushed because a branch was not taken, nothing is popped. */
static FlowEndpoint
guard_stack (FlowGradLoop *self,
             FlowGradient *g,
             FlowEndpoint  history,
             FlowContext  *branch,
             gboolean      is_dead_branch)
{
  FlowEndpoint pred = branch->pred;
  FlowEndpoint guarded;

  for (FlowGradLoop *loop = self; loop != NULL; loop = loop->outer)
    if (_flow_grad_loop_recall (loop, branch->pred, &pred))
      break;
  guarded = _flow_builder_add_switch (g, history, pred, NULL, TRUE);
  guarded.slot = (gint32) (is_dead_branch ? 1 - branch->branch : branch->branch);
  return guarded;
}

FlowEndpoint
_flow_grad_loop_pop (FlowGradLoop *self,
                     FlowGradient *g,
                     FlowEndpoint  history,
                     FlowEndpoint  value,
                     gboolean      is_dead_branch)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *branch;
  FlowEndpoint pop;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  branch = branch_of (builder, history, value);
  flow_builder_clear_control_dependencies (builder);
  _flow_context_enter (builder, self->grad);
  if (branch != NULL)
    history = guard_stack (self, g, history, branch, is_dead_branch);
  pop = FLOW_GRADIENT_OP_ATTRS (g, "StackPopV2", NULL,
                                attr_list ("elem_type", flow_attr_new_type (flow_gradient_dtype (g, value))), history);
  _flow_context_exit (builder, self->grad);
  flow_builder_leave (builder);
  if (g->error == NULL)
    flow_builder_set_shape (builder, FLOW_OUTPUT (pop.node, pop.slot), flow_gradient_get_shape (g, value), &g->error);
  if (self->grad->parallel_iterations > 1)
    wait_for (g, get_grad_sync (self, g), pop.node);
  return pop;
}

/* The Enter of a loop invariant that @value is, FLOW_NODE_NONE if it is none. */
static guint32
constant_enter_of (FlowBuilder  *builder,
                   FlowEndpoint  value)
{
  static const char *const same[] = { "Switch", "RefSwitch", "Identity", "RefIdentity", NULL };

  while (g_strv_contains (same, _flow_builder_node (builder, value.node)->signature->name))
    value = input_of (builder, value, 0);
  return _flow_builder_is_constant_enter (builder, value.node) ? value.node : FLOW_NODE_NONE;
}

static FlowEndpoint
copy_constant (FlowGradient *g,
               FlowEndpoint  value)
{
  FlowTensor *known = _flow_builder_peek_constant (g->maker->self, value);
  guint32 node = FLOW_NODE_NONE;

  if (known == NULL)
    {
      g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "The value of constant %s cannot be had",
                   g->maker->get_name (g->maker->self, value.node));
      return FLOW_NO_ENDPOINT;
    }
  return flow_builder_add_constant (g->maker->self, known, NULL, "Const", &node, &g->error)
         ? (FlowEndpoint) { node, 0 } : FLOW_NO_ENDPOINT;
}

/* What stands for @value of the forward loop in its gradient. */
FlowEndpoint
_flow_grad_loop_get_real (FlowGradLoop *self,
                          FlowGradient *g,
                          FlowEndpoint  value)
{
  FlowBuilder *builder = g->maker->self;
  FlowGradLoop *loop = self;
  FlowEndpoint at = value;
  FlowEndpoint real = FLOW_NO_ENDPOINT;
  FlowEndpoint history;
  guint32 enter;

  if (_flow_grad_loop_recall (self, value, &real))
    return real;
  while (loop != NULL && (enter = constant_enter_of (builder, at)) != FLOW_NODE_NONE)
    {
      at = input_of (builder, (FlowEndpoint) { enter, 0 }, 0);
      loop = loop->outer;
    }
  if (loop == NULL)
    real = _flow_context_add_value (self->grad, g, at);
  else if (g_str_equal (_flow_builder_node (builder, at.node)->signature->name, "Const"))
    real = copy_constant (g, at);
  else
    {
      _flow_context_exit (builder, self->grad);
      history = _flow_grad_loop_push (loop, g, at, FALSE);
      _flow_context_enter (builder, self->grad);
      real = _flow_grad_loop_pop (loop, g, history, at, FALSE);
      if (loop != self)
        real = _flow_context_add_value (self->grad, g, real);
    }
  if (g->error == NULL)
    _flow_grad_loop_remember (self, value, real);
  return real;
}

/* --- At the end --- */

static void
finish_merge (FlowGradLoop *self,
              FlowGradient *g,
              FlowEndpoint  merge)
{
  FlowBuilder *builder = g->maker->self;
  FlowEndpoint first = input_of (builder, merge, 0);
  FlowEndpoint second = input_of (builder, merge, 1);
  FlowContext *around = self->grad->outer;
  FlowEndpoint zeros;

  if (first.node != second.node || first.slot != second.slot)
    return;
  if (flow_gradient_is_known (g, first))
    {
      _flow_context_enter (builder, self->grad);
      zeros = _flow_builder_add_filled (g, flow_gradient_get_shape (g, first), flow_gradient_dtype (g, first), "Const");
    }
  else
    {
      if (around != NULL)
        _flow_context_enter (builder, around);
      zeros = flow_gradient_shape (g, input_of (builder, first, 0), NULL, FLOW_DTYPE_INT32, FALSE);
      zeros = flow_gradient_zeros (g, zeros, FLOW_DTYPE_FLOAT);
      if (around != NULL)
        _flow_context_exit (builder, around);
      _flow_context_enter (builder, self->grad);
    }
  zeros = _flow_builder_add_next (g, zeros);
  _flow_context_exit (builder, self->grad);
  close_back_edge (g, merge, zeros);
}

void
_flow_grad_loop_finish (FlowGradLoop *self,
                        FlowGradient *g)
{
  for (guint i = 0; i < self->merges->len && g->error == NULL; i++)
    finish_merge (self, g, g_array_index (self->merges, FlowGrad, i).values);
}
