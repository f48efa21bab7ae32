/* flow-builder-maker.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* The builder as gradient rules see it. */

static gboolean
maker_add (gpointer            self,
           const char         *type,
           const char         *name,
           const FlowEndpoint *inputs,
           guint               n_inputs,
           FlowAttrList       *attrs,
           guint32            *node,
           GError            **error)
{
  g_autofree guint64 *outputs = g_new (guint64, MAX (n_inputs, 1));

  for (guint i = 0; i < n_inputs; i++)
    outputs[i] = FLOW_OUTPUT (inputs[i].node, inputs[i].slot);
  return flow_builder_add_node (self, type, name, outputs, n_inputs, attrs, node, error);
}

static gboolean
maker_add_constant (gpointer           self,
                    const FlowTensor  *value,
                    const FlowShape   *shape,
                    const char        *name,
                    guint32           *node,
                    GError           **error)
{
  return flow_builder_add_constant (self, value, shape, name, node, error);
}

static gboolean
maker_enter_scope (gpointer     self,
                   const char  *name,
                   GError     **error)
{
  g_autofree char *scope = flow_builder_enter_name_scope (self, name, error);

  return scope != NULL;
}

static const char *
maker_get_scope (gpointer self)
{
  return flow_builder_get_name_scope (self);
}

static void
maker_enter_control (gpointer       self,
                     const guint32 *nodes,
                     guint          n_nodes)
{
  flow_builder_enter_control_dependencies (self, nodes, n_nodes);
}

static void
maker_enter_colocation (gpointer self,
                        guint32  node,
                        gboolean ignore_existing)
{
  flow_builder_enter_colocation (self, node, ignore_existing);
}

static gboolean
maker_enter_device (gpointer     self,
                    const char  *device,
                    GError     **error)
{
  return flow_builder_enter_device (self, device, error);
}

static void
maker_leave (gpointer self)
{
  if (flow_builder_get_depth (self) > 0)
    flow_builder_leave (self);
}

static const char *
maker_get_name (gpointer self,
                guint32  node)
{
  return flow_builder_get_node_name (self, node);
}

static const char *
maker_get_type (gpointer self,
                guint32  node)
{
  return flow_builder_get_node_type (self, node);
}

static const char *
maker_get_device (gpointer self,
                  guint32  node)
{
  return flow_builder_get_node_device (self, node);
}

static FlowAttr *
maker_get_attr (gpointer    self,
                guint32     node,
                const char *name)
{
  return flow_attr_list_get (flow_builder_get_node_attrs (self, node), name);
}

static guint
maker_get_n_inputs (gpointer self,
                    guint32  node)
{
  return _flow_builder_node (self, node)->inputs->len;
}

static FlowEndpoint
maker_get_input (gpointer self,
                 guint32  node,
                 guint    i)
{
  return g_array_index (_flow_builder_node (self, node)->inputs, FlowEndpoint, i);
}

static guint
maker_get_n_outputs (gpointer self,
                     guint32  node)
{
  return _flow_builder_node (self, node)->n_outputs;
}

static int
maker_get_dtype (gpointer     self,
                 FlowEndpoint output)
{
  return _flow_builder_node (self, output.node)->dtypes[output.slot];
}

static FlowShape *
maker_get_shape (gpointer     self,
                 FlowEndpoint output)
{
  return _flow_builder_node (self, output.node)->shapes[output.slot];
}

/* TF: constant_value () looks through these, and through nothing else that could be computed. */
static gboolean
is_looked_through (gpointer     self,
                   FlowEndpoint output,
                   guint        depth)
{
  static const char *const by_shape[] = { "Shape", "Size", "Rank", NULL };
  static const char *const by_inputs[] = { "Cast", "Concat", "ConcatV2", "ConcatOffset", "Equal", "Fill", "NotEqual", "Pack",
                                           "Range", NULL };
  const FlowBuildNode *node = _flow_builder_node (self, output.node);
  const char *type = node->signature->name;

  if (strcmp (type, "Const") == 0 || g_strv_contains (by_shape, type))
    return TRUE;
  if (depth == 0 || !g_strv_contains (by_inputs, type))
    return FALSE;
  for (guint i = 0; i < node->inputs->len; i++)
    if (!is_looked_through (self, g_array_index (node->inputs, FlowEndpoint, i), depth - 1))
      return FALSE;
  return TRUE;
}

static FlowTensor *
maker_get_value (gpointer     self,
                 FlowEndpoint output)
{
  return is_looked_through (self, output, 16) ? _flow_builder_peek_constant (self, output) : NULL;
}

static gboolean
maker_is_beside (gpointer self,
                 guint32  node,
                 guint32  other)
{
  return _flow_builder_output_context (self, node) == _flow_builder_output_context (self, other);
}

void
_flow_builder_init_maker (FlowBuilder *self)
{
  self->maker = (FlowNodeMaker) {
    .self = self,
    .add = maker_add,
    .add_constant = maker_add_constant,
    .enter_scope = maker_enter_scope,
    .get_scope = maker_get_scope,
    .enter_control = maker_enter_control,
    .enter_colocation = maker_enter_colocation,
    .enter_device = maker_enter_device,
    .leave = maker_leave,
    .get_name = maker_get_name,
    .get_type = maker_get_type,
    .get_device = maker_get_device,
    .get_attr = maker_get_attr,
    .get_n_inputs = maker_get_n_inputs,
    .get_input = maker_get_input,
    .get_n_outputs = maker_get_n_outputs,
    .get_dtype = maker_get_dtype,
    .get_shape = maker_get_shape,
    .get_value = maker_get_value,
    .is_beside = maker_is_beside,
    .memo = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
}
