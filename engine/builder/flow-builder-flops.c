/* flow-builder-flops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/**
 * flow_builder_count_flops:
 * @self: a builder
 * @node: a node
 *
 * Counts float operations by the rule that the op's row has, on the shapes as far as they are known.
 *
 * Returns: how many, 0 for an op without a rule, -1 where a shape is not known
 */
gint64
flow_builder_count_flops (FlowBuilder *self,
                          guint32      node)
{
  const FlowBuildNode *made;
  g_autofree FlowShape **inputs = NULL;
  FlowInferContext context = { 0 };

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len, 0);

  made = _flow_builder_node (self, node);
  if (made->signature->op == NULL || made->signature->op->flops == NULL)
    return 0;
  inputs = g_new0 (FlowShape *, MAX (made->inputs->len, 1));
  for (guint i = 0; i < made->inputs->len; i++)
    {
      FlowEndpoint at = g_array_index (made->inputs, FlowEndpoint, i);

      inputs[i] = _flow_builder_node (self, at.node)->shapes[at.slot];
      if (inputs[i] == NULL || !flow_shape_is_known (inputs[i]))
        return -1;
    }
  for (guint i = 0; i < made->n_outputs; i++)
    if (made->shapes[i] == NULL || !flow_shape_is_known (made->shapes[i]))
      return -1;
  context.node_name = made->name;
  context.signature = made->signature;
  context.attrs = made->attrs;
  context.n_inputs = made->inputs->len;
  context.input_shapes = inputs;
  context.n_outputs = made->n_outputs;
  context.output_shapes = made->shapes;
  context.producer = MAX (self->producer, 1);
  return made->signature->op->flops (&context);
}
