/* flow-builder-body.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* Bodies of functions: their gradients are made in graphs of their own, and what those need of a body becomes more
 * outputs of the op that calls it. */

/**
 * flow_builder_set_source:
 * @self: a builder
 * @source: (nullable): the builder whose graph flow_builder_add_gradients() differentiates from now on, %NULL for @self
 * @func: (nullable) (scope notified): what leads an output of @source into @self
 * @user_data: given to @func
 * @notify: (nullable): called with @user_data when it is needed no more
 *
 * With a source, @ys and @xs of flow_builder_add_gradients() are outputs of @source while what it makes is in @self.
 * Wherever @self tells of an output of @source, to @func and in results, its node has the bit #FLOW_BUILDER_FOREIGN.
 */
void
flow_builder_set_source (FlowBuilder            *self,
                         FlowBuilder            *source,
                         FlowBuilderCaptureFunc  func,
                         gpointer                user_data,
                         GDestroyNotify          notify)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && source != self);

  g_set_object (&self->source, source);
  if (self->capture_notify != NULL)
    self->capture_notify (self->capture_data);
  self->capture_func = func;
  self->capture_data = user_data;
  self->capture_notify = notify;
}

FlowBuilder *
_flow_builder_owner_of (FlowBuilder *self,
                        guint32     *node)
{
  if (!_flow_node_is_foreign (*node) || self->source == NULL)
    return self;
  *node &= ~FLOW_FOREIGN;
  return self->source;
}

gboolean
_flow_builder_capture (FlowBuilder   *self,
                       FlowEndpoint   at,
                       FlowEndpoint  *inside,
                       GError       **error)
{
  guint64 found;

  *inside = at;
  if (!_flow_node_is_foreign (at.node))
    return TRUE;
  found = self->capture_func != NULL
          ? self->capture_func (self, FLOW_OUTPUT (at.node, at.slot), self->capture_data)
          : FLOW_OUTPUT_NONE;
  *inside = FLOW_ENDPOINT (found);
  FLOW_REQUIRE (inside->node < self->nodes->len && inside->slot >= 0
                && (guint) inside->slot < _flow_builder_node (self, inside->node)->n_outputs, error, ABORTED,
                "An output of the body was not led into its gradient");
  return TRUE;
}

/**
 * flow_builder_append_output:
 * @self: a builder
 * @node: an op that calls a function
 * @dtype: the dtype of the output that it gets
 * @shape: its shape
 *
 * Gives the op one output more. Its attrs are the caller's to change.
 */
void
flow_builder_append_output (FlowBuilder     *self,
                            guint32          node,
                            int              dtype,
                            const FlowShape *shape)
{
  FlowBuildNode *made;
  guint n;

  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len && shape != NULL);

  made = _flow_builder_node (self, node);
  n = made->n_outputs;
  made->dtypes = g_renew (int, made->dtypes, n + 2);
  made->shapes = g_renew (FlowShape *, made->shapes, n + 2);
  made->handles = g_renew (FlowHandleData, made->handles, n + 2);
  made->dtypes[n] = dtype;
  made->shapes[n] = flow_shape_ref ((FlowShape *) shape);
  made->handles[n] = (FlowHandleData) { 0 };
  made->n_outputs++;
  _flow_builder_touch (self, node);
}

/**
 * flow_builder_append_input:
 * @self: a builder
 * @node: an op that calls a function
 * @source: the output that it reads from now on, after all others
 */
void
flow_builder_append_input (FlowBuilder *self,
                           guint32      node,
                           guint64      source)
{
  FlowEndpoint at = FLOW_ENDPOINT (source);

  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len && at.node < self->nodes->len);

  g_array_append_val (_flow_builder_node (self, node)->inputs, at);
  _flow_builder_note_consumer (self, at.node, node);
  _flow_builder_touch (self, node);
}

/**
 * flow_builder_copy_handle:
 * @self: a builder
 * @output: a resource
 * @from: the builder of @like
 * @like: an output of @from that stands for the same resource
 *
 * What is known of the variable behind @like is known behind @output from now on.
 */
void
flow_builder_copy_handle (FlowBuilder *self,
                          guint64      output,
                          FlowBuilder *from,
                          guint64      like)
{
  FlowEndpoint to = FLOW_ENDPOINT (output);
  FlowEndpoint at = FLOW_ENDPOINT (like);
  FlowHandleData *handle;

  g_return_if_fail (FLOW_IS_BUILDER (self) && FLOW_IS_BUILDER (from));
  g_return_if_fail (to.node < self->nodes->len && at.node < from->nodes->len);
  g_return_if_fail ((guint) to.slot < _flow_builder_node (self, to.node)->n_outputs);
  g_return_if_fail ((guint) at.slot < _flow_builder_node (from, at.node)->n_outputs);

  handle = &_flow_builder_node (self, to.node)->handles[to.slot];
  g_clear_pointer (&handle->shape, flow_shape_unref);
  *handle = _flow_builder_node (from, at.node)->handles[at.slot];
  if (handle->shape != NULL)
    flow_shape_ref (handle->shape);
}

/**
 * flow_builder_get_handle_dtype:
 * @self: a builder
 * @output: a resource
 *
 * Returns: the dtype of the variable behind it, 0 where nothing is known of it
 */
int
flow_builder_get_handle_dtype (FlowBuilder *self,
                               guint64      output)
{
  FlowEndpoint at = FLOW_ENDPOINT (output);

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && at.node < self->nodes->len, 0);
  g_return_val_if_fail ((guint) at.slot < _flow_builder_node (self, at.node)->n_outputs, 0);

  return _flow_builder_node (self, at.node)->handles[at.slot].dtype;
}

/**
 * flow_builder_declare_variable:
 * @self: a builder
 * @node: the handle of a variable that the program declares
 *
 * Lets gradients rely on its shape. Variables that come from a file are not declared.
 */
void
flow_builder_declare_variable (FlowBuilder     *self,
                               guint32          node)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len);
  g_return_if_fail (_flow_builder_node (self, node)->n_outputs > 0);

  g_hash_table_replace (self->maker.memo, g_strdup_printf (FLOW_GRADIENT_VARIABLE_KEY, node),
                        _flow_builder_node (self, node)->handles[0].shape);
}
