/* flow-builder-cond.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* The branches of tf.cond, and what is asked of contexts from outside. The caller makes the Switch of the
 * predicate, a branch for each side, enters it to make its ops, and joins what the branches give by Merge. */

static FlowContext *
context_at (FlowBuilder *self,
            guint        context)
{
  return context > 0 && context <= self->contexts->len ? g_ptr_array_index (self->contexts, context - 1) : NULL;
}

/**
 * flow_builder_enter_context:
 * @self: a builder
 * @context: a branch or a loop
 *
 * Ops made until flow_builder_exit_context() are made in it.
 */
void
flow_builder_enter_context (FlowBuilder *self,
                            guint        context)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL);

  _flow_context_enter (self, context_at (self, context));
}

/**
 * flow_builder_exit_context:
 * @self: a builder
 * @context: the branch or loop that was entered
 */
void
flow_builder_exit_context (FlowBuilder *self,
                           guint        context)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL);

  _flow_context_exit (self, context_at (self, context));
}

/**
 * flow_builder_get_context:
 * @self: a builder
 *
 * Returns: the branch or loop that ops are made in now, 0 for none
 */
guint
flow_builder_get_context (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), 0);

  return self->now.context != NULL ? self->now.context->id : 0;
}

/**
 * flow_builder_set_context:
 * @self: a builder
 * @context: the branch or loop that ops are made in from now on, 0 for none
 */
void
flow_builder_set_context (FlowBuilder *self,
                          guint        context)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  self->now.context = context_at (self, context);
}

/**
 * flow_builder_get_node_context:
 * @self: a builder
 * @node: a node
 *
 * Returns: the branch or loop it belongs to, 0 for none
 */
guint
flow_builder_get_node_context (FlowBuilder *self,
                               guint32      node)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len, 0);

  return _flow_builder_node (self, node)->context != NULL ? _flow_builder_node (self, node)->context->id : 0;
}

/**
 * flow_builder_set_node_context:
 * @self: a builder
 * @node: a node
 * @context: the branch or loop it belongs to from now on, 0 for none
 */
void
flow_builder_set_node_context (FlowBuilder *self,
                               guint32      node,
                               guint        context)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len);

  _flow_builder_node (self, node)->context = context_at (self, context);
}

/**
 * flow_builder_get_context_name:
 * @self: a builder
 * @context: a branch or a loop
 *
 * Returns: (transfer none) (nullable): its name, of a loop that of its frame
 */
const char *
flow_builder_get_context_name (FlowBuilder *self,
                               guint        context)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL, NULL);

  return context_at (self, context)->name;
}

/**
 * flow_builder_get_outer_context:
 * @self: a builder
 * @context: a branch or a loop
 *
 * Returns: the branch or loop it was made in, 0 for none
 */
guint
flow_builder_get_outer_context (FlowBuilder *self,
                                guint        context)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL, 0);

  return context_at (self, context)->outer != NULL ? context_at (self, context)->outer->id : 0;
}

/**
 * flow_builder_is_loop:
 * @self: a builder
 * @context: a branch or a loop
 *
 * Returns: whether it is a loop
 */
gboolean
flow_builder_is_loop (FlowBuilder *self,
                      guint        context)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL, FALSE);

  return context_at (self, context)->is_while;
}

/**
 * flow_builder_get_branch:
 * @self: a builder
 * @context: a branch
 * @branch: (out) (optional): 0 or 1
 * @pivot: (out) (optional): the predicate as it comes out of the Switch on its side
 *
 * Returns: the predicate
 */
guint64
flow_builder_get_branch (FlowBuilder *self,
                         guint        context,
                         guint       *branch,
                         guint64     *pivot)
{
  FlowContext *at;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL, FLOW_OUTPUT_NONE);

  at = context_at (self, context);
  if (branch != NULL)
    *branch = at->branch;
  if (pivot != NULL)
    *pivot = FLOW_OUTPUT (at->pivot.node, at->pivot.slot);
  return FLOW_OUTPUT (at->pred.node, at->pred.slot);
}

/**
 * flow_builder_add_context_value:
 * @self: a builder
 * @context: a branch or a loop
 * @output: an output
 * @inside: (out): what an op in @context reads for it
 * @error: where to put an error
 *
 * Leads @output into @context, where it is not known there.
 *
 * Returns: %FALSE when that cannot be
 */
gboolean
flow_builder_add_context_value (FlowBuilder  *self,
                                guint         context,
                                guint64       output,
                                guint64      *inside,
                                GError      **error)
{
  FlowGradient g = { .maker = &self->maker };
  FlowEndpoint made;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL, FALSE);

  made = _flow_context_add_value (context_at (self, context), &g, FLOW_ENDPOINT (output));
  *inside = FLOW_OUTPUT (made.node, made.slot);
  if (g.error != NULL)
    g_propagate_error (error, g.error);
  return g.error == NULL;
}

/**
 * flow_builder_is_fetchable:
 * @self: a builder
 * @node: a node
 *
 * Returns: whether its outputs may be fetched: not what one branch or an iteration alone has
 */
gboolean
flow_builder_is_fetchable (FlowBuilder *self,
                           guint32      node)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len, FALSE);

  return !_flow_builder_node (self, node)->is_unfetchable;
}

/**
 * flow_builder_is_feedable:
 * @self: a builder
 * @node: a node
 *
 * Returns: whether its outputs may be fed
 */
gboolean
flow_builder_is_feedable (FlowBuilder *self,
                          guint32      node)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len, FALSE);

  return !_flow_builder_node (self, node)->is_unfeedable;
}

/* --- Cond --- */

/**
 * flow_builder_add_branch:
 * @self: a builder
 * @pred: the predicate
 * @pivot: what its ops wait for
 * @branch: 0 for false, 1 for true
 * @name: (nullable): its name, made unique in the current scope
 *
 * A branch of a cond, in the context that is current now; enter it to make its ops.
 *
 * Returns: the branch
 */
guint
flow_builder_add_branch (FlowBuilder *self,
                         guint64      pred,
                         guint64      pivot,
                         guint        branch,
                         const char  *name)
{
  g_autofree char *full = NULL;
  FlowContext *context;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && FLOW_OUTPUT_NODE (pred) < self->nodes->len, 0);
  g_return_val_if_fail (FLOW_OUTPUT_NODE (pivot) < self->nodes->len && branch < 2, 0);

  full = flow_builder_unique_name (self, name != NULL ? name : "cond_text", TRUE);
  context = _flow_context_new (self, full, FALSE);
  context->pred = FLOW_ENDPOINT (pred);
  context->pivot = FLOW_ENDPOINT (pivot);
  context->branch = branch;
  _flow_context_note (context, context->pred);
  _flow_context_set_external (context, context->pred, context->pred);
  _flow_context_note (context, context->pivot);
  _flow_builder_node (self, context->pivot.node)->context = context;
  return context->id;
}

/**
 * flow_builder_add_branch_output:
 * @self: a builder
 * @context: a branch, which is current
 * @output: what the branch gives
 * @inside: (out): that inside the branch
 * @error: where to put an error
 *
 * Also a branch that only gives what is outside has to run for it.
 *
 * Returns: %FALSE when that cannot be
 */
gboolean
flow_builder_add_branch_output (FlowBuilder  *self,
                                guint         context,
                                guint64       output,
                                guint64      *inside,
                                GError      **error)
{
  FlowGradient g = { .maker = &self->maker };
  FlowContext *at = context_at (self, context);
  FlowEndpoint value = FLOW_ENDPOINT (output);
  FlowEndpoint result = value;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && at != NULL && value.node < self->nodes->len, FALSE);

  if (_flow_context_knows (at, value))
    result = _flow_context_get_external (at, value);
  else
    {
      _flow_context_note (at, value);
      if (at->outer != NULL)
        {
          result = _flow_context_add_value (at->outer, &g, value);
          if (g.error == NULL)
            {
              _flow_context_note (at, result);
              _flow_context_set_external (at, result, result);
            }
        }
      result = _flow_builder_add_switch (&g, result, at->pred, NULL, TRUE);
      result.slot = (gint32) at->branch;
      if (g.error == NULL)
        _flow_context_set_external (at, value, result);
    }
  *inside = FLOW_OUTPUT (result.node, result.slot);
  if (g.error != NULL)
    g_propagate_error (error, g.error);
  return g.error == NULL;
}

/**
 * flow_builder_leave_context_value:
 * @self: a builder
 * @context: a branch or a loop
 * @output: what it gives
 *
 * Makes @output known in the context around @context.
 */
void
flow_builder_leave_context_value (FlowBuilder *self,
                                  guint        context,
                                  guint64      output)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && context_at (self, context) != NULL);

  if (context_at (self, context)->outer != NULL)
    _flow_context_note (context_at (self, context)->outer, FLOW_ENDPOINT (output));
}
