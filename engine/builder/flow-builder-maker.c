/* flow-builder-maker.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* The builder as gradient rules see it. */

/* TF: what an op reads of other graphs is led in within the op's own scope. */
static gboolean
add_capturing (FlowBuilder   *self,
               const char    *type,
               const char    *name,
               guint64       *outputs,
               guint          n_inputs,
               FlowAttrList  *attrs,
               guint32       *node,
               GError       **error)
{
  g_autofree char *scope = flow_builder_enter_name_scope (self, name, error);
  gboolean are_there = scope != NULL;

  for (guint i = 0; i < n_inputs && are_there; i++)
    {
      FlowEndpoint inside;

      are_there = _flow_builder_capture (self, FLOW_ENDPOINT (outputs[i]), &inside, error);
      outputs[i] = FLOW_OUTPUT (inside.node, inside.slot);
    }
  if (are_there)
    are_there = flow_builder_add_node (self, type, scope, outputs, n_inputs, attrs, node, error);
  if (scope != NULL)
    flow_builder_leave (self);
  return are_there;
}

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
  gboolean any_foreign = FALSE;

  for (guint i = 0; i < n_inputs; i++)
    {
      outputs[i] = FLOW_OUTPUT (inputs[i].node, inputs[i].slot);
      any_foreign = any_foreign || _flow_node_is_foreign (inputs[i].node);
    }
  return any_foreign ? add_capturing (self, type, name, outputs, n_inputs, attrs, node, error)
                     : flow_builder_add_node (self, type, name, outputs, n_inputs, attrs, node, error);
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
  g_autofree guint32 *here = g_new (guint32, MAX (n_nodes, 1));
  guint n = 0;

  /* TF: a body waits for nothing outside of it. */
  for (guint i = 0; i < n_nodes; i++)
    if (!_flow_node_is_foreign (nodes[i]))
      here[n++] = nodes[i];
  flow_builder_enter_control_dependencies (self, here, n);
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
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return flow_builder_get_node_name (owner, node);
}

static const char *
maker_get_type (gpointer self,
                guint32  node)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return flow_builder_get_node_type (owner, node);
}

static const char *
maker_get_device (gpointer self,
                  guint32  node)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return flow_builder_get_node_device (owner, node);
}

static FlowAttr *
maker_get_attr (gpointer    self,
                guint32     node,
                const char *name)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return flow_attr_list_get (flow_builder_get_node_attrs (owner, node), name);
}

static guint
maker_get_n_inputs (gpointer self,
                    guint32  node)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return _flow_builder_node (owner, node)->inputs->len;
}

static FlowEndpoint
maker_get_input (gpointer self,
                 guint32  node,
                 guint    i)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);
  FlowEndpoint input = g_array_index (_flow_builder_node (owner, node)->inputs, FlowEndpoint, i);

  if (owner != self)
    input.node |= FLOW_FOREIGN;
  return input;
}

static guint
maker_get_n_outputs (gpointer self,
                     guint32  node)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return _flow_builder_node (owner, node)->n_outputs;
}

static int
maker_get_dtype (gpointer     self,
                 FlowEndpoint output)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &output.node);

  return _flow_builder_node (owner, output.node)->dtypes[output.slot];
}

static FlowShape *
maker_get_shape (gpointer     self,
                 FlowEndpoint output)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &output.node);

  return _flow_builder_node (owner, output.node)->shapes[output.slot];
}

/* TF: constant_value () looks through these, and through nothing else that could be computed. */
static gboolean
is_looked_through (FlowBuilder *self,
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
  FlowBuilder *owner = _flow_builder_owner_of (self, &output.node);

  return is_looked_through (owner, output, 16) ? _flow_builder_peek_constant (owner, output) : NULL;
}

static gboolean
maker_is_beside (gpointer self,
                 guint32  node,
                 guint32  other)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);
  FlowBuilder *other_owner = _flow_builder_owner_of (self, &other);

  return _flow_builder_output_context (owner, node) == _flow_builder_output_context (other_owner, other);
}

static guint32
maker_get_n_nodes (gpointer self)
{
  return (guint32) flow_builder_get_n_nodes (self);
}

static gboolean
maker_find_rule (gpointer           self,
                 guint32            node,
                 FlowGradientFunc  *rule,
                 GError           **error)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);

  return _flow_builder_find_rule (self, owner, node, rule, error);
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
    .get_n_nodes = maker_get_n_nodes,
    .find_rule = maker_find_rule,
    .memo = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
}
