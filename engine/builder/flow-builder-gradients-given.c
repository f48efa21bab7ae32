/* flow-builder-gradients-given.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* Rules that the caller gives: tf.RegisterGradient, gradient_override_map, custom_gradient. */

/**
 * flow_builder_set_gradient_func:
 * @self: a builder
 * @func: (nullable) (scope notified): what is called for ops of the types of flow_builder_add_gradient_type()
 * @user_data: given to @func
 * @notify: (nullable): called with @user_data when it is needed no more
 */
void
flow_builder_set_gradient_func (FlowBuilder             *self,
                                FlowBuilderGradientFunc  func,
                                gpointer                 user_data,
                                GDestroyNotify           notify)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  if (self->gradient_notify != NULL)
    self->gradient_notify (self->gradient_data);
  self->gradient_func = func;
  self->gradient_data = user_data;
  self->gradient_notify = notify;
}

/**
 * flow_builder_add_gradient_type:
 * @self: a builder
 * @type: an op type, or what attr `_gradient_op_type` names
 *
 * Ops of that type are differentiated by the caller.
 */
void
flow_builder_add_gradient_type (FlowBuilder *self,
                                const char  *type)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && type != NULL);

  g_hash_table_add (self->gradient_types, g_strdup (type));
}

/**
 * flow_builder_knows_gradient_type:
 * @type: an op type
 *
 * Returns: whether there is a rule for ops of that type without any that a caller gives, or it is known that they have
 *   no gradient
 */
gboolean
flow_builder_knows_gradient_type (const char *type)
{
  FlowGradientFunc rule;

  g_return_val_if_fail (type != NULL, FALSE);

  return _flow_builder_find_flow_rule (type, &rule) || flow_gradient_registry_lookup (type, &rule);
}

static guint64
packed (FlowEndpoint at)
{
  return at.node == FLOW_NODE_NONE ? FLOW_OUTPUT_NONE : FLOW_OUTPUT (at.node, at.slot);
}

/**
 * flow_builder_list_out_gradients:
 * @self: a builder, which asks for a rule
 * @n_outputs: (out): three times the op's outputs
 *
 * Returns: (array length=n_outputs) (transfer full): values, indices and dense shape of each gradient,
 *   #FLOW_OUTPUT_NONE where there is none
 */
guint64 *
flow_builder_list_out_gradients (FlowBuilder *self,
                                 gsize       *n_outputs)
{
  FlowGradient *g;
  guint64 *outputs;

  *n_outputs = 0;
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && self->differentiated != NULL, NULL);

  g = self->differentiated;
  outputs = g_new (guint64, MAX (g->n_outputs * 3, 1));
  for (guint i = 0; i < g->n_outputs; i++)
    {
      outputs[i * 3] = packed (g->out_grads[i].values);
      outputs[i * 3 + 1] = packed (g->out_grads[i].indices);
      outputs[i * 3 + 2] = packed (g->out_grads[i].dense_shape);
    }
  *n_outputs = g->n_outputs * 3;
  return outputs;
}

static gboolean
unpack (FlowBuilder  *self,
        guint64       output,
        FlowEndpoint *at)
{
  guint32 node = FLOW_OUTPUT_NODE (output);
  FlowBuilder *owner;

  *at = output == FLOW_OUTPUT_NONE ? FLOW_NO_ENDPOINT : FLOW_ENDPOINT (output);
  if (output == FLOW_OUTPUT_NONE)
    return TRUE;
  owner = _flow_builder_owner_of (self, &node);
  return node < owner->nodes->len && at->slot >= 0 && (guint) at->slot < _flow_builder_node (owner, node)->n_outputs;
}

/**
 * flow_builder_set_in_gradient:
 * @self: a builder, which asks for a rule
 * @i: which input of the op
 * @values: its gradient
 * @indices: #FLOW_OUTPUT_NONE, or which rows @values are
 * @dense_shape: #FLOW_OUTPUT_NONE, or the shape of the tensor that they are rows of
 *
 * Returns: %FALSE when there is no such input or output
 */
gboolean
flow_builder_set_in_gradient (FlowBuilder *self,
                              guint        i,
                              guint64      values,
                              guint64      indices,
                              guint64      dense_shape)
{
  FlowGrad grad;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && self->differentiated != NULL, FALSE);

  if (i >= self->differentiated->n_inputs || !unpack (self, values, &grad.values)
      || !unpack (self, indices, &grad.indices) || !unpack (self, dense_shape, &grad.dense_shape))
    return FALSE;
  self->differentiated->in_grads[i] = grad;
  return TRUE;
}

static void
ask (FlowGradient *g)
{
  FlowBuilder *self = g->maker->self;
  FlowGradient *outer = self->differentiated;
  guint depth = flow_builder_get_depth (self);

  self->differentiated = g;
  if (!self->gradient_func (self, g->node, self->gradient_data) && g->error == NULL)
    g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_ABORTED, "The gradient of %s was not made",
                 g->maker->get_name (self, g->node));
  while (flow_builder_get_depth (self) > depth)
    flow_builder_leave (self);
  self->differentiated = outer;
}

gboolean
_flow_builder_find_given_rule (FlowBuilder      *self,
                               const char       *type,
                               FlowGradientFunc *rule)
{
  if (self->gradient_func == NULL || !g_hash_table_contains (self->gradient_types, type))
    return FALSE;
  *rule = ask;
  return TRUE;
}

gboolean
_flow_builder_find_rule (FlowBuilder       *self,
                         FlowBuilder       *source,
                         guint32            index,
                         FlowGradientFunc  *rule,
                         GError           **error)
{
  FlowBuildNode *node = _flow_builder_node (source, index);
  const guint v1 = FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION | FLOW_OP_LOOP_COND;
  const FlowAttr *other = flow_attr_list_get (node->attrs, "_gradient_op_type");
  const char *type = other != NULL ? flow_attr_get_string (other, NULL) : node->signature->name;

  FLOW_REQUIRE (self == source || (node->signature->flags & v1) == 0, error, UNIMPLEMENTED,
                "Control flow of version 1 in the body of a function has no gradient: operation '%s' (op type: %s)",
                node->name, node->signature->name);
  if (_flow_builder_find_given_rule (self, type, rule) || _flow_builder_find_flow_rule (type, rule)
      || _flow_builder_find_call_rule (source, index, rule))
    return TRUE;
  FLOW_REQUIRE (flow_gradient_registry_lookup (type, rule), error, UNIMPLEMENTED,
                "No gradient defined for operation '%s' (op type: %s)", node->name, node->signature->name);
  return TRUE;
}

static FlowEndpoint *
unpack_all (const guint64 *outputs,
            gsize          n_outputs)
{
  FlowEndpoint *all = g_new (FlowEndpoint, n_outputs + 1);

  for (gsize i = 0; i < n_outputs; i++)
    all[i] = outputs[i] == FLOW_OUTPUT_NONE ? FLOW_NO_ENDPOINT : FLOW_ENDPOINT (outputs[i]);
  return all;
}

/**
 * flow_builder_add_tape_gradients:
 * @self: a builder
 * @first: the first node that was made while the tape was open
 * @targets: (array length=n_targets): outputs to differentiate
 * @n_targets: how many
 * @out_grads: (array length=n_out_grads): what comes back to each of them
 * @n_out_grads: as many
 * @sources: (array length=n_sources): outputs to differentiate by, which the tape watched
 * @n_sources: how many
 * @n_results: (out): as many as @sources
 * @error: where to put an error
 *
 * Adds gradients as a GradientTape does: in the current scope, without scopes of their own, op by op.
 *
 * Returns: (array length=n_results) (transfer full): the gradients, #FLOW_OUTPUT_NONE where there is none;
 *   %NULL with %FLOW_ERROR_UNIMPLEMENTED for an op without a rule
 */
guint64 *
flow_builder_add_tape_gradients (FlowBuilder    *self,
                                 guint32         first,
                                 const guint64  *targets,
                                 gsize           n_targets,
                                 const guint64  *out_grads,
                                 gsize           n_out_grads,
                                 const guint64  *sources,
                                 gsize           n_sources,
                                 gsize          *n_results,
                                 GError        **error)
{
  FlowGradient g = { .maker = &self->maker };
  g_autofree FlowEndpoint *all_targets = NULL;
  g_autofree FlowEndpoint *all_grads = NULL;
  g_autofree FlowEndpoint *all_sources = NULL;
  g_autofree FlowEndpoint *made = NULL;
  guint64 *results;

  *n_results = 0;
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && n_out_grads == n_targets, NULL);

  all_targets = unpack_all (targets, n_targets);
  all_grads = unpack_all (out_grads, n_targets);
  all_sources = unpack_all (sources, n_sources);
  made = g_new (FlowEndpoint, n_sources + 1);
  flow_gradient_follow_tape (&g, first, all_sources, (guint) n_sources, all_targets, all_grads, (guint) n_targets, NULL,
                             all_sources, (guint) n_sources, made);
  if (g.error != NULL)
    {
      g_propagate_error (error, g.error);
      return NULL;
    }
  results = g_new (guint64, n_sources + 1);
  for (gsize i = 0; i < n_sources; i++)
    results[i] = packed (made[i]);
  *n_results = n_sources;
  return results;
}
