/* flow-builder-while.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* tf.while_loop with Enter, Merge, Switch, NextIteration and Exit. A loop is made inside its context:
 * flow_builder_begin_loop(), the caller's condition, flow_builder_add_loop_condition(), the caller's
 * body, flow_builder_end_loop(). */

static FlowContext *
loop_at (FlowBuilder *self,
         guint        context)
{
  FlowContext *loop = context > 0 && context <= self->contexts->len ? g_ptr_array_index (self->contexts, context - 1) : NULL;

  return loop != NULL && loop->is_while ? loop : NULL;
}

/* Whether all that has @shape also has @wider. */
static gboolean
is_within (const FlowShape *shape,
           const FlowShape *wider)
{
  if (wider->rank < 0)
    return TRUE;
  if (shape->rank != wider->rank)
    return FALSE;
  for (int i = 0; i < shape->rank; i++)
    if (wider->dims[i] >= 0 && shape->dims[i] != wider->dims[i])
      return FALSE;
  return TRUE;
}

static FlowShape *
shape_at (FlowBuilder  *self,
          FlowEndpoint  at)
{
  return _flow_builder_node (self, at.node)->shapes[at.slot];
}

static guint64 *
collect (GArray *outputs,
         gsize  *n)
{
  guint64 *results = g_new (guint64, MAX (outputs->len, 1));

  for (guint i = 0; i < outputs->len; i++)
    {
      FlowEndpoint at = g_array_index (outputs, FlowEndpoint, i);

      results[i] = FLOW_OUTPUT (at.node, at.slot);
    }
  *n = outputs->len;
  return results;
}

/**
 * flow_builder_add_loop:
 * @self: a builder
 * @maximum_iterations: a scalar, or #FLOW_OUTPUT_NONE
 * @parallel_iterations: how many iterations may run at once, at least 1
 * @back_prop: whether it can be differentiated
 * @swap_memory: noted in what is kept for gradients
 * @name: (nullable): its name, made unique in the current scope; also that of its frame
 *
 * A loop in the context that is current now; enter it to make its ops.
 *
 * Returns: the loop
 */
guint
flow_builder_add_loop (FlowBuilder *self,
                       guint64      maximum_iterations,
                       gint64       parallel_iterations,
                       gboolean     back_prop,
                       gboolean     swap_memory,
                       const char  *name)
{
  g_autofree char *full = NULL;
  FlowContext *loop;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && parallel_iterations > 0, 0);

  full = flow_builder_unique_name (self, name != NULL ? name : "while_context", TRUE);
  loop = _flow_context_new (self, full, TRUE);
  if (maximum_iterations != FLOW_OUTPUT_NONE && FLOW_OUTPUT_NODE (maximum_iterations) < self->nodes->len)
    loop->maximum_iterations = FLOW_ENDPOINT (maximum_iterations);
  loop->parallel_iterations = parallel_iterations;
  loop->back_prop = back_prop;
  loop->swap_memory = swap_memory;
  return loop->id;
}

/**
 * flow_builder_add_loop_invariant:
 * @self: a builder
 * @context: a loop
 * @shape: what the next of its variables keeps to
 *
 * To be called for each variable before flow_builder_begin_loop().
 */
void
flow_builder_add_loop_invariant (FlowBuilder     *self,
                                 guint            context,
                                 const FlowShape *shape)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && loop_at (self, context) != NULL);

  g_ptr_array_add (loop_at (self, context)->invariants, flow_shape_ref ((FlowShape *) shape));
}

static gboolean
enter_variables (FlowContext   *loop,
                 FlowGradient  *g,
                 const guint64 *variables,
                 gsize          n)
{
  FlowBuilder *self = g->maker->self;
  g_autofree FlowEndpoint *real = g_new (FlowEndpoint, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    if (!_flow_builder_has_output (self, FLOW_ENDPOINT (variables[i])))
      {
        g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                     "Variable %" G_GSIZE_FORMAT " of loop %s is no output of this graph", i, loop->name);
        return FALSE;
      }
  g_hash_table_remove_all (loop->values);
  for (gsize i = 0; i < n; i++)
    _flow_context_note (loop, FLOW_ENDPOINT (variables[i]));
  for (gsize i = 0; i < n; i++)
    real[i] = loop->outer != NULL ? _flow_context_add_value (loop->outer, g, FLOW_ENDPOINT (variables[i]))
                                  : FLOW_ENDPOINT (variables[i]);
  flow_builder_clear_control_dependencies (self);
  for (gsize i = 0; i < n && g->error == NULL; i++)
    {
      FlowEndpoint enter = _flow_builder_add_enter (g, loop, real[i], FALSE, FALSE, NULL);

      g_array_append_val (loop->enters, enter);
      if (g->error == NULL)
        _flow_builder_node (self, enter.node)->is_unfeedable = TRUE;
    }
  flow_builder_leave (self);
  return g->error == NULL;
}

/* A variable that begins with what is the same in every outer iteration still enters in each of them. */
static void
pace_enters (FlowContext *loop,
             FlowBuilder *self)
{
  FlowEndpoint pivot = FLOW_NO_ENDPOINT;

  for (FlowContext *outer = loop->outer; outer != NULL && pivot.node == FLOW_NODE_NONE; outer = outer->outer)
    pivot = _flow_context_get_control_pivot (outer);
  if (pivot.node == FLOW_NODE_NONE)
    return;
  for (guint i = 0; i < loop->enters->len; i++)
    {
      guint32 enter = g_array_index (loop->enters, FlowEndpoint, i).node;
      guint32 source = g_array_index (_flow_builder_node (self, enter)->inputs, FlowEndpoint, 0).node;

      if (_flow_builder_is_constant_enter (self, source))
        flow_builder_add_control_input (self, enter, pivot.node);
    }
}

static gboolean
set_invariants (FlowContext  *loop,
                FlowBuilder  *self,
                GError      **error)
{
  for (guint i = 0; i < loop->enters->len; i++)
    {
      FlowEndpoint enter = g_array_index (loop->enters, FlowEndpoint, i);
      FlowEndpoint source = g_array_index (_flow_builder_node (self, enter.node)->inputs, FlowEndpoint, 0);
      FlowShape *shape = shape_at (self, source);
      FlowShape *wanted = i < loop->invariants->len ? g_ptr_array_index (loop->invariants, i) : shape;

      if (!is_within (shape, wanted))
        {
          g_autofree char *first = _flow_builder_shape_text (shape);
          g_autofree char *second = _flow_builder_shape_text (wanted);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "The shape invariant specified for %s:%d is not "
                       "compatible with the initial shape of the loop variable. It enters the loop with shape %s, but the "
                       "specified shape invariant is %s.", _flow_builder_node (self, source.node)->name, source.slot,
                       first, second);
          return FALSE;
        }
      if (!flow_builder_set_shape (self, FLOW_OUTPUT (enter.node, enter.slot), wanted, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * flow_builder_begin_loop:
 * @self: a builder
 * @context: a loop, which is current
 * @variables: (array length=n_variables): what its variables begin with
 * @n_variables: how many
 * @n_results: (out): as many
 * @error: where to put an error
 *
 * Returns: (array length=n_results) (transfer full): the variables, as the condition reads them; %NULL
 *   with %FLOW_ERROR_INVALID_ARGUMENT where one does not keep to its shape
 */
guint64 *
flow_builder_begin_loop (FlowBuilder    *self,
                         guint           context,
                         const guint64  *variables,
                         gsize           n_variables,
                         gsize          *n_results,
                         GError        **error)
{
  FlowContext *loop;
  FlowGradient g = { .maker = &self->maker };

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && n_variables > 0, NULL);
  loop = loop_at (self, context);
  g_return_val_if_fail (loop != NULL && loop->enters->len == 0, NULL);
  *n_results = 0;
  if (enter_variables (loop, &g, variables, n_variables))
    {
      pace_enters (loop, self);
      set_invariants (loop, self, &g.error);
    }
  if (g.error == NULL)
    {
      for (guint i = 0; i < loop->enters->len; i++)
        _flow_context_fix_enter (loop, self, g_array_index (loop->enters, FlowEndpoint, i).node);
      g_hash_table_remove_all (loop->values);
      for (guint i = 0; i < loop->enters->len; i++)
        _flow_context_note (loop, g_array_index (loop->enters, FlowEndpoint, i));
    }
  for (guint i = 0; i < loop->enters->len && g.error == NULL; i++)
    {
      FlowEndpoint enter = g_array_index (loop->enters, FlowEndpoint, i);
      FlowEndpoint merge = _flow_builder_add_merge (&g, enter, enter, NULL);

      g_array_append_val (loop->merges, merge);
    }
  if (g.error != NULL)
    {
      g_propagate_error (error, g.error);
      return NULL;
    }
  loop->pivot_for_pred = g_array_index (loop->merges, FlowEndpoint, 0);
  return collect (loop->merges, n_results);
}

/**
 * flow_builder_add_loop_condition:
 * @self: a builder
 * @context: a loop, which is current
 * @pred: a scalar bool: whether the loop goes on
 * @n_results: (out): as many as there are variables
 * @error: where to put an error
 *
 * Returns: (array length=n_results) (transfer full): the variables, as the body reads them; %NULL with an
 *   error
 */
guint64 *
flow_builder_add_loop_condition (FlowBuilder  *self,
                                 guint         context,
                                 guint64       pred,
                                 gsize        *n_results,
                                 GError      **error)
{
  FlowContext *loop;
  FlowGradient g = { .maker = &self->maker };
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));

  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);
  loop = loop_at (self, context);
  g_return_val_if_fail (loop != NULL && loop->merges->len > 0 && FLOW_OUTPUT_NODE (pred) < self->nodes->len, NULL);
  *n_results = 0;
  loop->pivot = FLOW_GRADIENT_OP (&g, "LoopCond", NULL, FLOW_ENDPOINT (pred));
  for (guint i = 0; i < loop->merges->len && g.error == NULL; i++)
    {
      FlowEndpoint made = _flow_builder_add_switch (&g, g_array_index (loop->merges, FlowEndpoint, i), loop->pivot, NULL,
                                                    TRUE);

      g_array_append_val (loop->switches, made);
    }
  for (guint i = 0; i < loop->switches->len && g.error == NULL; i++)
    {
      FlowEndpoint taken = { g_array_index (loop->switches, FlowEndpoint, i).node, 1 };
      gboolean is_ref = flow_dtype_is_ref (_flow_builder_node (self, taken.node)->dtypes[1]);
      FlowEndpoint made = FLOW_GRADIENT_OP (&g, is_ref ? "RefIdentity" : "Identity", NULL, taken);

      g_array_append_val (variables, made);
    }
  if (g.error != NULL)
    {
      g_propagate_error (error, g.error);
      return NULL;
    }
  loop->pivot_for_body = g_array_index (variables, FlowEndpoint, 0);
  return collect (variables, n_results);
}

static gboolean
check_next (FlowBuilder   *self,
            FlowEndpoint   merge,
            FlowEndpoint   next,
            GError       **error)
{
  FlowBuildNode *node = _flow_builder_node (self, merge.node);
  FlowEndpoint enter = g_array_index (node->inputs, FlowEndpoint, 0);
  FlowEndpoint source = g_array_index (_flow_builder_node (self, enter.node)->inputs, FlowEndpoint, 0);

  if (!is_within (shape_at (self, next), shape_at (self, merge)))
    {
      g_autofree char *first = _flow_builder_shape_text (shape_at (self, source));
      g_autofree char *second = _flow_builder_shape_text (shape_at (self, next));

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Input tensor '%s:%d' enters the loop with shape %s, but "
                   "has shape %s after one iteration. To allow the shape to vary across iterations, use the "
                   "`shape_invariants` argument of tf.while_loop to specify a less-specific shape.",
                   _flow_builder_node (self, source.node)->name, source.slot, first, second);
      return FALSE;
    }
  return TRUE;
}

/**
 * flow_builder_end_loop:
 * @self: a builder
 * @context: a loop, which is current
 * @variables: (array length=n_variables): what its variables are in the next iteration
 * @n_variables: how many
 * @n_results: (out): as many
 * @error: where to put an error
 *
 * Returns: (array length=n_results) (transfer full): what the variables are when the loop has ended; %NULL
 *   with %FLOW_ERROR_INVALID_ARGUMENT where one does not keep to its type or shape
 */
guint64 *
flow_builder_end_loop (FlowBuilder    *self,
                       guint           context,
                       const guint64  *variables,
                       gsize           n_variables,
                       gsize          *n_results,
                       GError        **error)
{
  FlowContext *loop;
  FlowGradient g = { .maker = &self->maker };

  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);
  loop = loop_at (self, context);
  g_return_val_if_fail (loop != NULL && loop->switches->len > 0, NULL);
  *n_results = 0;
  if (n_variables != loop->merges->len)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Number of inputs and outputs of body must match "
                   "loop_vars: %u, %" G_GSIZE_FORMAT, loop->merges->len, n_variables);
      return NULL;
    }
  for (guint i = 0; i < n_variables && g.error == NULL; i++)
    {
      FlowEndpoint merge = g_array_index (loop->merges, FlowEndpoint, i);
      FlowEndpoint next = _flow_builder_add_next (&g, FLOW_ENDPOINT (variables[i]));

      if (g.error == NULL && check_next (self, merge, next, &g.error))
        flow_builder_set_input (self, merge.node, 1, FLOW_OUTPUT (next.node, next.slot), &g.error);
    }
  for (guint i = 0; i < n_variables && g.error == NULL; i++)
    {
      FlowEndpoint left = _flow_builder_add_exit (&g, g_array_index (loop->switches, FlowEndpoint, i), NULL);

      g_array_append_val (loop->exits, left);
      if (g.error == NULL && loop->outer != NULL)
        _flow_context_note (loop->outer, left);
    }
  if (g.error != NULL)
    {
      g_propagate_error (error, g.error);
      return NULL;
    }
  return collect (loop->exits, n_results);
}
