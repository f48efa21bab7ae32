/* flow-builder-gradients-flow.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* Rules of the ops that lead into branches and loops and out of them: on the way back a Merge is a
 * Switch and a Switch a Merge, an Exit an Enter and an Enter an Exit. */

typedef FlowEndpoint (*FlowMakeOne) (FlowGradient *g, FlowEndpoint part, gpointer data);

static FlowBuildNode *
node_of (FlowGradient *g)
{
  return _flow_builder_node (g->maker->self, g->node);
}

static FlowContext *
here (FlowGradient *g)
{
  return ((FlowBuilder *) g->maker->self)->now.context;
}

static gboolean
is_rows (FlowGrad grad)
{
  return grad.indices.node != FLOW_NODE_NONE;
}

static gboolean
is_there (FlowGrad grad)
{
  return grad.values.node != FLOW_NODE_NONE;
}

/* --- Gradients that may be rows --- */

static FlowGrad
each_part (FlowGradient *g,
           FlowGrad      grad,
           FlowMakeOne   make,
           gpointer      data)
{
  grad.values = make (g, grad.values, data);
  if (grad.indices.node != FLOW_NODE_NONE)
    grad.indices = make (g, grad.indices, data);
  if (grad.dense_shape.node != FLOW_NODE_NONE)
    grad.dense_shape = make (g, grad.dense_shape, data);
  return grad;
}

static FlowGrad
as_rows (FlowGradient *g,
         FlowGrad      grad)
{
  static const gint64 bounds[] = { 0, 1, 1 };
  FlowAttrList *attrs;
  FlowAttr *mask;
  FlowEndpoint inputs[4];
  FlowEndpoint ends[3];

  if (is_rows (grad) || g->error != NULL)
    return grad;
  grad.dense_shape = flow_gradient_shape (g, grad.values, NULL, FLOW_DTYPE_INT32, FALSE);
  attrs = flow_attr_list_new ();
  mask = flow_attr_new_int (1);
  flow_attr_list_set (attrs, "shrink_axis_mask", mask);
  flow_attr_unref (mask);
  flow_gradient_open (g, "strided_slice");
  inputs[0] = grad.dense_shape;
  for (guint i = 0; i < 3; i++)
    inputs[i + 1] = flow_gradient_ints (g, "stack", FLOW_DTYPE_INT32, &bounds[i], 1);
  ends[1] = flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
  flow_gradient_open (g, "range");
  ends[0] = flow_gradient_number (g, "start", FLOW_DTYPE_INT32, 0);
  ends[2] = flow_gradient_number (g, "delta", FLOW_DTYPE_INT32, 1);
  grad.indices = flow_gradient_close (g, "Range", NULL, 3, ends);
  return grad;
}

static FlowEndpoint
merge_part (FlowGradient *g,
            FlowEndpoint  first,
            FlowEndpoint  second)
{
  return first.node == FLOW_NODE_NONE || second.node == FLOW_NODE_NONE ? FLOW_NO_ENDPOINT
         : _flow_builder_add_merge (g, first, second, NULL);
}

static FlowGrad
merge_grads (FlowGradient *g,
             FlowGrad      first,
             FlowGrad      second,
             const char   *name)
{
  FlowGrad made = FLOW_NO_GRAD;
  FlowGrad *sides[2] = { &first, &second };

  if (!is_rows (first) && !is_rows (second))
    {
      made.values = _flow_builder_add_merge (g, first.values, second.values, name);
      return made;
    }
  flow_gradient_open (g, name != NULL ? name : "Merge");
  first = as_rows (g, first);
  second = as_rows (g, second);
  if (g->error == NULL && flow_gradient_dtype (g, first.indices) != flow_gradient_dtype (g, second.indices))
    for (guint i = 0; i < 2; i++)
      sides[i]->indices = flow_gradient_cast (g, sides[i]->indices, FLOW_DTYPE_INT64);
  made.values = merge_part (g, first.values, second.values);
  made.indices = merge_part (g, first.indices, second.indices);
  made.dense_shape = merge_part (g, first.dense_shape, second.dense_shape);
  flow_gradient_leave (g);
  return made;
}

static FlowEndpoint
switch_part (FlowGradient *g,
             FlowEndpoint  part,
             gpointer      pred)
{
  return FLOW_GRADIENT_OP (g, "Switch", NULL, part, *(FlowEndpoint *) pred);
}

/* The gradient behind a Switch that stands where it is; what comes out are slots 0 and 1. */
static FlowGrad
switch_grad (FlowGradient *g,
             FlowGrad      grad,
             FlowEndpoint  pred,
             const char   *name)
{
  FlowBuilder *builder = g->maker->self;

  if (!is_rows (grad))
    {
      grad.values = _flow_builder_add_switch (g, grad.values, pred, name, TRUE);
      return grad;
    }
  flow_builder_enter_colocation (builder, grad.values.node, TRUE);
  flow_gradient_open (g, name != NULL ? name : "Switch");
  grad = each_part (g, grad, switch_part, &pred);
  flow_gradient_leave (g);
  flow_builder_leave (builder);
  return grad;
}

static FlowGrad
side_of (FlowGrad grad,
         gint32   side)
{
  grad.values.slot = side;
  if (grad.indices.node != FLOW_NODE_NONE)
    grad.indices.slot = side;
  if (grad.dense_shape.node != FLOW_NODE_NONE)
    grad.dense_shape.slot = side;
  return grad;
}

/* --- Switch --- */

static void
back_edge (FlowGradient *g,
           FlowEndpoint  merge,
           FlowEndpoint  value)
{
  FlowEndpoint next;

  if (merge.node == FLOW_NODE_NONE || value.node == FLOW_NODE_NONE)
    return;
  next = _flow_builder_add_next (g, value);
  if (g->error == NULL)
    flow_builder_set_input (g->maker->self, merge.node, 1, FLOW_OUTPUT (next.node, next.slot), &g->error);
}

/* A loop's Switch is met twice: from the Exit, which makes the Merge of the way back, and from the body,
 * which closes its back edge. */
static void
switch_of_loop (FlowGradient *g,
                FlowGradLoop *loop)
{
  FlowGrad merge;

  for (guint i = 0; loop != NULL && i < loop->switches->len; i++)
    if (g_array_index (loop->switches, guint32, i) == g->node)
      {
        merge = g_array_index (loop->merges, FlowGrad, i);
        if (is_there (g->out_grads[1]))
          {
            FlowGrad value = is_rows (merge) ? as_rows (g, g->out_grads[1]) : g->out_grads[1];

            back_edge (g, merge.values, value.values);
            back_edge (g, merge.indices, value.indices);
            back_edge (g, merge.dense_shape, value.dense_shape);
          }
        return;
      }
  if (loop == NULL || !is_there (g->out_grads[0]))
    return;
  merge = merge_grads (g, g->out_grads[0], g->out_grads[0], "b_switch");
  g_array_append_val (loop->switches, g->node);
  g_array_append_val (loop->merges, merge);
  g->in_grads[0] = merge;
}

static void
switch_of_branch (FlowGradient *g,
                  FlowContext  *branch)
{
  FlowGrad taken = g->out_grads[branch->branch];

  if (is_there (g->out_grads[1 - branch->branch]))
    g->in_grads[0] = merge_grads (g, g->out_grads[0], g->out_grads[1], "cond_grad");
  else if (flow_gradient_dtype (g, flow_gradient_x (g, 0)) == FLOW_DTYPE_RESOURCE && is_there (taken))
    g->in_grads[0] = merge_grads (g, taken, taken, "cond_resource_grad");
}

static void
rule_switch (FlowGradient *g)
{
  FlowContext *context = node_of (g)->context;
  FlowContext *grad = _flow_context_get_while (here (g));
  FlowEndpoint pred = flow_gradient_x (g, 1);
  FlowGrad sides[2];

  if (context != NULL && context->is_while)
    switch_of_loop (g, grad != NULL ? grad->grad : NULL);
  else if (context != NULL)
    switch_of_branch (g, context);
  else if (is_there (g->out_grads[0]) && is_there (g->out_grads[1]))
    {
      for (guint i = 0; i < 2; i++)
        {
          sides[i] = g->out_grads[i];
          sides[i].values = _flow_builder_add_switch (g, sides[i].values, pred, NULL, FALSE);
          sides[i] = side_of (sides[i], (gint32) i);
        }
      g->in_grads[0] = merge_grads (g, sides[0], sides[1], NULL);
    }
}

/* --- Merge --- */

/* The predicate of a cond in a loop is that of the iteration on the way back. */
static FlowEndpoint
real_pred (FlowGradient *g,
           FlowContext  *branch)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *grad = _flow_context_get_while (here (g));
  FlowEndpoint pred = branch->pred;
  FlowEndpoint history;

  if (grad == NULL || grad->grad == NULL || _flow_grad_loop_recall (grad->grad, branch->pred, &pred))
    return pred;
  _flow_context_exit (builder, grad);
  history = _flow_grad_loop_push (grad->grad, g, branch->pred, FALSE);
  _flow_context_enter (builder, grad);
  pred = _flow_grad_loop_pop (grad->grad, g, history, branch->pred, FALSE);
  if (g->error == NULL)
    _flow_grad_loop_remember (grad->grad, branch->pred, pred);
  return pred;
}

static void
merge_of_neither (FlowGradient *g)
{
  g_autofree FlowEndpoint *conditions = g_new (FlowEndpoint, g->n_inputs);

  for (guint i = 0; i < g->n_inputs; i++)
    {
      flow_gradient_open (g, "Equal");
      conditions[i] = flow_gradient_number (g, "y", FLOW_DTYPE_INT32, i);
      conditions[i] = FLOW_GRADIENT_CLOSE (g, "Equal", flow_gradient_y (g, 1), conditions[i]);
    }
  for (guint i = 0; i < g->n_inputs; i++)
    g->in_grads[i] = side_of (switch_grad (g, g->out_grads[0], conditions[i], NULL), 1);
}

static void
rule_merge (FlowGradient *g)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *context = _flow_builder_output_context (builder, flow_gradient_x (g, 0).node);
  FlowGrad made;

  if (context == NULL)
    {
      merge_of_neither (g);
      return;
    }
  if (context->is_while)
    made = switch_grad (g, g->out_grads[0], here (g) != NULL ? here (g)->pivot : FLOW_NO_ENDPOINT, NULL);
  else
    {
      FlowEndpoint pred = real_pred (g, context);

      made = switch_grad (g, g->out_grads[0], pred, "cond_grad");
    }
  for (guint i = 0; i < MIN (g->n_inputs, 2) && g->error == NULL; i++)
    g->in_grads[i] = side_of (made, (gint32) i);
}

/* --- Exit, NextIteration, Enter, LoopCond --- */

static FlowEndpoint
enter_part (FlowGradient *g,
            FlowEndpoint  part,
            gpointer      data)
{
  FlowContext *grad = data;
  FlowEndpoint enter = _flow_builder_add_enter (g, grad, part, FALSE, TRUE, NULL);

  g_array_append_val (grad->enters, enter);
  return enter;
}

static FlowEndpoint
note_part (FlowGradient *g,
           FlowEndpoint  part,
           gpointer      data)
{
  _flow_context_note (data, part);
  return part;
}

static void
rule_exit (FlowGradient *g)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *grad = here (g);
  FlowContext *context = node_of (g)->context;
  FlowEndpoint enter;

  if (grad == NULL || !_flow_context_get_while (grad)->back_prop)
    return;
  if (context != NULL && context->grad != NULL)
    {
      g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Second-order gradient for while loops not supported.");
      return;
    }
  each_part (g, g->out_grads[0], note_part, grad);
  _flow_context_enter (builder, grad);
  if (is_rows (g->out_grads[0]))
    g->in_grads[0] = each_part (g, g->out_grads[0], enter_part, grad);
  else
    {
      enter = _flow_builder_add_enter (g, grad, g->out_grads[0].values, FALSE, TRUE, "b_exit");
      g_array_append_val (grad->enters, enter);
      flow_gradient_set (g, 0, enter);
    }
  _flow_context_exit (builder, grad);
}

static void
rule_next (FlowGradient *g)
{
  g->in_grads[0] = g->out_grads[0];
}

static FlowEndpoint
accumulator_shape (FlowGradient *g,
                   FlowContext  *grad,
                   FlowEndpoint  value)
{
  FlowBuilder *builder = g->maker->self;
  FlowContext *around = grad->outer;
  FlowContext *forward = grad->grad->forward;
  FlowEndpoint shape;
  FlowEndpoint history;

  if (around == NULL || !around->is_while || around->grad == NULL)
    {
      if (around != NULL)
        _flow_context_enter (builder, around);
      return flow_gradient_shape (g, value, NULL, FLOW_DTYPE_INT32, FALSE);
    }
  _flow_context_enter (builder, forward->outer);
  shape = flow_gradient_shape (g, value, NULL, FLOW_DTYPE_INT32, FALSE);
  _flow_context_exit (builder, forward->outer);
  history = _flow_grad_loop_push (grad->grad->outer, g, shape, FALSE);
  _flow_context_enter (builder, around);
  return _flow_grad_loop_pop (grad->grad->outer, g, history, shape, FALSE);
}

/* The sum over all iterations, of a value that is the same in each: begun with zeros outside. */
static FlowEndpoint
accumulate (FlowGradient *g,
            FlowContext  *grad,
            FlowEndpoint  value)
{
  FlowBuilder *builder = g->maker->self;
  FlowEndpoint sum;
  FlowEndpoint merge;
  FlowEndpoint fork;

  _flow_context_exit (builder, grad);
  if (flow_gradient_is_known (g, value))
    {
      if (grad->outer != NULL)
        _flow_context_enter (builder, grad->outer);
      sum = _flow_builder_add_filled (g, flow_gradient_get_shape (g, value), flow_gradient_dtype (g, value), "b_acc");
    }
  else
    sum = flow_gradient_zeros (g, accumulator_shape (g, grad, flow_gradient_x (g, 0)), flow_gradient_dtype (g, value));
  if (grad->outer != NULL)
    _flow_context_exit (builder, grad->outer);
  _flow_context_enter (builder, grad);
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  _flow_context_note (grad, sum);
  sum = _flow_builder_add_enter (g, grad, sum, FALSE, TRUE, "b_acc");
  g_array_append_val (grad->enters, sum);
  merge = _flow_builder_add_merge (g, sum, sum, "b_acc");
  fork = _flow_builder_add_switch (g, merge, grad->pivot, NULL, FALSE);
  sum = FLOW_GRADIENT_OP (g, "Add", NULL, ((FlowEndpoint) { fork.node, 1 }), value);
  sum = _flow_builder_add_next (g, sum);
  if (g->error == NULL)
    flow_builder_set_input (builder, merge.node, 1, FLOW_OUTPUT (sum.node, sum.slot), &g->error);
  sum = _flow_builder_add_exit (g, fork, "b_acc");
  g_array_append_val (grad->exits, sum);
  if (g->error == NULL && grad->outer != NULL)
    _flow_context_note (grad->outer, sum);
  return sum;
}

static FlowEndpoint
shape_after_first (FlowGradient *g,
                   FlowEndpoint  value)
{
  static const gint64 bounds[] = { 1, 0, 1 };
  FlowAttrList *attrs;
  FlowAttr *mask;
  FlowEndpoint inputs[4];

  inputs[0] = flow_gradient_shape (g, value, NULL, FLOW_DTYPE_INT32, FALSE);
  attrs = flow_attr_list_new ();
  mask = flow_attr_new_int (1);
  flow_attr_list_set (attrs, "end_mask", mask);
  flow_attr_unref (mask);
  flow_gradient_open (g, "strided_slice");
  for (guint i = 0; i < 3; i++)
    inputs[i + 1] = flow_gradient_ints (g, "stack", FLOW_DTYPE_INT32, &bounds[i], 1);
  return flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
}

/* The shape of the variable that a handle leads to, as it says itself; NULL where it says nothing. */
static const FlowShape *
shape_behind (FlowGradient *g,
              FlowEndpoint  handle)
{
  FlowBuilder *builder = g->maker->self;
  const FlowBuildNode *node = _flow_builder_node (builder, handle.node);
  const FlowAttr *attr;

  while (node->inputs->len > 0)
    node = _flow_builder_node (builder, g_array_index (node->inputs, FlowEndpoint, 0).node);
  attr = flow_attr_list_get (node->attrs, "shape");
  return attr != NULL ? flow_attr_get_shape (attr) : NULL;
}

static FlowEndpoint
rows_begin (FlowGradient *g,
            FlowEndpoint  values)
{
  static const gint64 one = 1;
  FlowShape *shape = flow_gradient_get_shape (g, values);
  const FlowShape *behind = NULL;
  FlowEndpoint parts[3] = { FLOW_NO_ENDPOINT, FLOW_NO_ENDPOINT, FLOW_NO_ENDPOINT };

  if (flow_shape_is_known (shape) && shape->rank > 0)
    {
      g_autoptr (FlowShape) first = flow_shape_new_of_rank (shape->rank);

      memcpy (first->dims, shape->dims, sizeof (gint64) * (gsize) shape->rank);
      first->dims[0] = 1;
      return _flow_builder_add_filled (g, first, flow_gradient_dtype (g, values), "b_acc");
    }
  if (flow_gradient_dtype (g, flow_gradient_x (g, 0)) == FLOW_DTYPE_RESOURCE)
    behind = shape_behind (g, flow_gradient_x (g, 0));
  else
    parts[1] = shape_after_first (g, flow_gradient_x (g, 0));
  flow_gradient_open (g, "concat");
  parts[0] = flow_gradient_ints (g, "values_0", FLOW_DTYPE_INT32, &one, 1);
  if (behind != NULL && behind->rank > 0)
    parts[1] = flow_gradient_ints (g, "values_1", FLOW_DTYPE_INT32, behind->dims + 1, (guint) behind->rank - 1);
  parts[2] = flow_gradient_number (g, "axis", FLOW_DTYPE_INT32, 0);
  parts[0] = flow_gradient_close (g, "ConcatV2", NULL, 3, parts);
  return flow_gradient_zeros (g, parts[0], flow_gradient_dtype (g, values));
}

static FlowEndpoint
shape_begin (FlowGradient *g,
             FlowEndpoint  dense_shape)
{
  FlowEndpoint shape;

  if (flow_gradient_is_known (g, dense_shape))
    return _flow_builder_add_filled (g, flow_gradient_get_shape (g, dense_shape), flow_gradient_dtype (g, dense_shape),
                                     "Const");
  shape = flow_gradient_shape (g, flow_gradient_x (g, 0), NULL, flow_gradient_dtype (g, dense_shape), FALSE);
  return flow_gradient_zeros_like (g, shape, FALSE);
}

static void
loosen_rows (FlowGradient *g,
             FlowEndpoint  enter,
             FlowEndpoint  begin,
             gboolean      is_vector)
{
  FlowShape *known = flow_gradient_get_shape (g, begin);
  g_autoptr (FlowShape) shape = NULL;

  if (is_vector)
    shape = flow_shape_new_vector (-1);
  else if (known->rank > 0)
    {
      shape = flow_shape_new_of_rank (known->rank);
      memcpy (shape->dims, known->dims, sizeof (gint64) * (gsize) known->rank);
      shape->dims[0] = -1;
    }
  if (shape != NULL)
    flow_builder_set_shape (g->maker->self, FLOW_OUTPUT (enter.node, enter.slot), shape, &g->error);
}

/* As accumulate(), of rows: those of each iteration are joined to those so far. */
static FlowGrad
accumulate_rows (FlowGradient *g,
                 FlowContext  *grad,
                 FlowGrad      rows)
{
  FlowBuilder *builder = g->maker->self;
  FlowEndpoint given[3] = { rows.indices, rows.values, rows.dense_shape };
  FlowEndpoint begin[3];
  FlowEndpoint at[3];
  FlowEndpoint merges[3];
  FlowEndpoint forks[3];
  guint n = rows.dense_shape.node != FLOW_NODE_NONE ? 3 : 2;

  _flow_context_exit (builder, grad);
  if (grad->outer != NULL)
    _flow_context_enter (builder, grad->outer);
  begin[1] = rows_begin (g, rows.values);
  begin[0] = flow_gradient_ints (g, NULL, flow_gradient_dtype (g, rows.indices), (const gint64[]) { 0 }, 1);
  if (n == 3)
    begin[2] = shape_begin (g, rows.dense_shape);
  if (grad->outer != NULL)
    _flow_context_exit (builder, grad->outer);
  _flow_context_enter (builder, grad);
  if (g->error != NULL)
    return FLOW_NO_GRAD;
  _flow_context_note (grad, begin[1]);
  _flow_context_note (grad, begin[0]);
  if (n == 3)
    _flow_context_note (grad, begin[2]);
  for (guint i = 0; i < n; i++)
    at[i] = _flow_builder_add_enter (g, grad, begin[i], FALSE, FALSE, "b_acc");
  if (g->error != NULL)
    return FLOW_NO_GRAD;
  loosen_rows (g, at[0], begin[0], TRUE);
  loosen_rows (g, at[1], begin[1], FALSE);
  g_array_append_vals (grad->enters, at, n);
  for (guint i = 0; i < n; i++)
    merges[i] = _flow_builder_add_merge (g, at[i], at[i], "b_acc");
  for (guint i = 0; i < n; i++)
    forks[i] = _flow_builder_add_switch (g, merges[i], grad->pivot, NULL, FALSE);
  for (guint i = 0; i < n; i++)
    {
      FlowEndpoint so_far = { forks[i].node, 1 };

      if (i == 2)
        {
          at[i] = FLOW_GRADIENT_OP (g, "Maximum", NULL, given[i], so_far);
          continue;
        }
      flow_gradient_open (g, "concat");
      at[i] = flow_gradient_number (g, "axis", FLOW_DTYPE_INT32, 0);
      at[i] = FLOW_GRADIENT_CLOSE (g, "ConcatV2", so_far, given[i], at[i]);
    }
  for (guint i = 0; i < n; i++)
    at[i] = _flow_builder_add_next (g, at[i]);
  for (guint i = 0; i < n && g->error == NULL; i++)
    flow_builder_set_input (builder, merges[i].node, 1, FLOW_OUTPUT (at[i].node, at[i].slot), &g->error);
  for (guint i = 0; i < n; i++)
    at[i] = _flow_builder_add_exit (g, forks[i], "b_acc");
  g_array_append_vals (grad->exits, at, n);
  for (guint i = 0; i < n && g->error == NULL && grad->outer != NULL; i++)
    _flow_context_note (grad->outer, at[i]);
  return (FlowGrad) { at[1], at[0], n == 3 ? at[2] : FLOW_NO_ENDPOINT };
}

static FlowEndpoint
exit_part (FlowGradient *g,
           FlowEndpoint  part,
           gpointer      data)
{
  FlowContext *grad = data;
  FlowEndpoint left = _flow_builder_add_exit (g, part, NULL);

  g_array_append_val (grad->exits, left);
  if (g->error == NULL && grad->outer != NULL)
    _flow_context_note (grad->outer, left);
  return left;
}

static void
rule_enter (FlowGradient *g)
{
  FlowContext *grad = here (g);
  FlowGrad given = g->out_grads[0];

  if (grad == NULL || !grad->is_while || !grad->back_prop || grad->grad == NULL)
    g->in_grads[0] = given;
  else if (!_flow_builder_is_constant_enter (g->maker->self, g->node))
    g->in_grads[0] = each_part (g, given, exit_part, grad);
  else if (is_rows (given))
    g->in_grads[0] = accumulate_rows (g, grad, given);
  else
    flow_gradient_set (g, 0, accumulate (g, grad, given.values));
}

/* --- The table --- */

gboolean
_flow_builder_find_flow_rule (const char       *type,
                              FlowGradientFunc *rule)
{
  static const struct {
    const char *type;
    FlowGradientFunc rule;
  } rules[] = {
    { "Switch", rule_switch },
    { "Merge", rule_merge },
    { "Exit", rule_exit },
    { "NextIteration", rule_next },
    { "Enter", rule_enter },
    { "LoopCond", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strcmp (type, rules[i].type) == 0
        || (g_str_has_prefix (type, "Ref") && strcmp (type + 3, rules[i].type) == 0))
      {
        *rule = rules[i].rule;
        return TRUE;
      }
  return FALSE;
}
