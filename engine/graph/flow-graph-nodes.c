/* flow-graph-nodes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function.h"
#include "flow-graph-private.h"

#include <string.h>

/* Reading nodes, edges and scopes of a FlowGraph by index. */

/**
 * flow_graph_get_n_nodes:
 * @self: a graph
 *
 * Returns: how many nodes it has
 */
guint
flow_graph_get_n_nodes (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return self->nodes->len;
}

/**
 * flow_graph_get_n_edges:
 * @self: a graph
 *
 * Returns: how many data and control edges it has
 */
guint
flow_graph_get_n_edges (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return self->inputs->len;
}

static guint32
find_name (FlowGraph  *self,
           const char *name,
           gsize       length)
{
  guint32 node = _flow_scope_tree_find_node (self->scopes, FLOW_NODE_NONE, name, length);

  return node == FLOW_NODE_NONE ? _flow_graph_find_in_bodies (self, name, length) : node;
}

/**
 * flow_graph_find_node:
 * @self: a graph
 * @name: a node's whole name
 *
 * Returns: its index, %FLOW_NODE_NONE if there is none
 */
guint32
flow_graph_find_node (FlowGraph  *self,
                      const char *name)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self) && name != NULL, FLOW_NODE_NONE);

  return find_name (self, name, strlen (name));
}

/**
 * flow_graph_parse_endpoint:
 * @self: a graph
 * @text: `node`, `node:slot` or `^node`
 * @endpoint: (out): what it names; `node` is slot 0
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_NOT_FOUND when there is no such node,
 *   %FLOW_ERROR_INVALID_ARGUMENT when the slot is no number or the node has no such output
 */
gboolean
flow_graph_parse_endpoint (FlowGraph     *self,
                           const char    *text,
                           FlowEndpoint  *endpoint,
                           GError       **error)
{
  const char *name = text;
  const char *colon;
  gsize length;
  guint64 slot = 0;

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && text != NULL && endpoint != NULL, FALSE);

  if (*name == '^')
    name++;
  colon = strrchr (name, ':');
  length = colon != NULL ? (gsize) (colon - name) : strlen (name);
  endpoint->node = find_name (self, name, length);
  endpoint->slot = FLOW_SLOT_CONTROL;
  FLOW_REQUIRE (endpoint->node != FLOW_NODE_NONE, error, NOT_FOUND, "%s: not found", text);
  if (*text == '^')
    {
      FLOW_REQUIRE (colon == NULL, error, INVALID_ARGUMENT, "%s: a control input has no output index", text);
      return TRUE;
    }
  if (colon != NULL)
    FLOW_REQUIRE (g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT32, &slot, NULL), error,
                  INVALID_ARGUMENT, "%s: output index is not a number", text);
  FLOW_REQUIRE (slot < flow_graph_get_n_outputs (self, endpoint->node), error, INVALID_ARGUMENT,
                "%s: output index too large, must be < %u", text, flow_graph_get_n_outputs (self, endpoint->node));
  endpoint->slot = (gint32) slot;
  return TRUE;
}

/**
 * flow_graph_find_op:
 * @self: a graph
 * @text: what collections and people write: `node`, `^node` or `node:slot`
 *
 * Finds the op that is meant, also one without outputs, such as the `NoOp` of a train_op: as an element of the
 * graph it needs none.
 *
 * Returns: its index, %FLOW_NODE_NONE if there is none or it has no such output
 */
guint32
flow_graph_find_op (FlowGraph  *self,
                    const char *text)
{
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };
  guint32 node;

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && text != NULL, FLOW_NODE_NONE);

  node = flow_graph_find_node (self, text);
  if (node == FLOW_NODE_NONE && flow_graph_parse_endpoint (self, text, &endpoint, NULL))
    node = endpoint.node;
  return node;
}

/**
 * flow_graph_endpoint_to_string:
 * @self: a graph
 * @node: index of a node
 * @slot: index of an output, or %FLOW_SLOT_CONTROL
 *
 * Returns: (transfer full): `node:slot` or `^node`
 */
char *
flow_graph_endpoint_to_string (FlowGraph *self,
                               guint32    node,
                               int        slot)
{
  const char *name = flow_graph_get_node_name (self, node);

  return slot == FLOW_SLOT_CONTROL ? g_strdup_printf ("^%s", name) : g_strdup_printf ("%s:%d", name, slot);
}

/* Nodes of function bodies are answered by the graphs they stand in. */
#define LOCATE_NODE()                                                         \
  G_STMT_START {                                                              \
    if (G_UNLIKELY ((node & FLOW_NODE_BODY) != 0))                            \
      self = _flow_graph_locate (self, &node, &base);                         \
  } G_STMT_END

#define REQUIRE_NODE(fallback)                                                \
  G_STMT_START {                                                              \
    guint32 base = 0;                                                         \
    g_return_val_if_fail (FLOW_IS_GRAPH (self), fallback);                    \
    LOCATE_NODE ();                                                           \
    (void) base;                                                              \
    g_return_val_if_fail (node < self->nodes->len, fallback);                 \
  } G_STMT_END

/**
 * flow_graph_get_node_name:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): its whole name
 */
const char *
flow_graph_get_node_name (FlowGraph *self,
                          guint32    node)
{
  REQUIRE_NODE (NULL);
  return _flow_graph_node (self, node)->name;
}

/**
 * flow_graph_get_node_leaf:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): its name within its scope
 */
const char *
flow_graph_get_node_leaf (FlowGraph *self,
                          guint32    node)
{
  REQUIRE_NODE (NULL);
  return _flow_graph_node (self, node)->name + _flow_graph_node (self, node)->leaf;
}

/**
 * flow_graph_get_node_type:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): its op type
 */
const char *
flow_graph_get_node_type (FlowGraph *self,
                          guint32    node)
{
  REQUIRE_NODE (NULL);
  return _flow_graph_node (self, node)->type;
}

/**
 * flow_graph_get_node_device:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): the device it asks for, often empty
 */
const char *
flow_graph_get_node_device (FlowGraph *self,
                            guint32    node)
{
  REQUIRE_NODE (NULL);
  return _flow_graph_node (self, node)->device;
}

/**
 * flow_graph_get_signature: (skip)
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): its op's definition: ours, the file's, or guessed from the node
 */
const FlowOpSignature *
flow_graph_get_signature (FlowGraph *self,
                          guint32    node)
{
  REQUIRE_NODE (NULL);
  return _flow_graph_node (self, node)->signature;
}

/**
 * flow_graph_get_node_flags:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: the #FlowOpFlags of its op
 */
guint
flow_graph_get_node_flags (FlowGraph *self,
                           guint32    node)
{
  REQUIRE_NODE (0);
  return _flow_graph_node (self, node)->signature->flags;
}

/**
 * flow_graph_get_node_family:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: the family of its op; anything within a scope `gradients` is of the gradient family
 */
FlowOpFamily
flow_graph_get_node_family (FlowGraph *self,
                            guint32    node)
{
  const FlowNodeRecord *record;

  REQUIRE_NODE (FLOW_OP_FAMILY_OTHER);
  record = _flow_graph_node (self, node);
  if (record->signature->family != FLOW_OP_FAMILY_OTHER && record->signature->family != FLOW_OP_FAMILY_CONTROL
      && (g_str_has_prefix (record->name, "gradients/") || strstr (record->name, "/gradients/") != NULL))
    return FLOW_OP_FAMILY_GRADIENT;
  return record->signature->family;
}

/**
 * flow_graph_get_node_scope:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: the scope it lies in, %FLOW_SCOPE_ROOT for a name without '/'; of a node in a function's body the scope of
 *   the node that called
 */
guint32
flow_graph_get_node_scope (FlowGraph *self,
                           guint32    node)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), FLOW_SCOPE_NONE);
  if (G_UNLIKELY ((node & FLOW_NODE_BODY) != 0))
    node = flow_graph_get_outer_node (self, node);
  REQUIRE_NODE (FLOW_SCOPE_NONE);
  return _flow_graph_node (self, node)->scope;
}

/**
 * flow_graph_get_node_attrs:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): its attrs as they stood, defaults not filled in
 */
FlowAttrList *
flow_graph_get_node_attrs (FlowGraph *self,
                           guint32    node)
{
  REQUIRE_NODE (NULL);
  return _flow_graph_attrs (self, node);
}

/**
 * flow_graph_get_attr:
 * @self: a graph
 * @node: index of a node
 * @name: an attr's name
 *
 * Returns: (transfer none) (nullable): its value, or the definition's default
 */
FlowAttr *
flow_graph_get_attr (FlowGraph  *self,
                     guint32     node,
                     const char *name)
{
  const FlowNodeRecord *record;
  FlowAttr *value;

  REQUIRE_NODE (NULL);
  record = _flow_graph_node (self, node);
  value = flow_attr_list_get (_flow_graph_attrs (self, node), name);
  if (value == NULL)
    {
      FlowAttrDef *def = flow_op_signature_find_attr (record->signature, name);

      value = def != NULL ? def->default_value : NULL;
    }
  return value;
}

/**
 * flow_graph_get_n_inputs:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: how many data inputs it has
 */
guint
flow_graph_get_n_inputs (FlowGraph *self,
                         guint32    node)
{
  REQUIRE_NODE (0);
  return _flow_graph_node (self, node)->n_data;
}

/**
 * flow_graph_get_n_control_inputs:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: how many control inputs it has
 */
guint
flow_graph_get_n_control_inputs (FlowGraph *self,
                                 guint32    node)
{
  REQUIRE_NODE (0);
  return _flow_graph_node (self, node)->n_control;
}

/**
 * flow_graph_get_input:
 * @self: a graph
 * @node: index of a node
 * @i: which data input
 * @source: (out): the output it reads; its node is %FLOW_NODE_NONE where the file names one that is
 *   not there
 */
void
flow_graph_get_input (FlowGraph    *self,
                      guint32       node,
                      guint         i,
                      FlowEndpoint *source)
{
  guint32 base = 0;

  g_return_if_fail (FLOW_IS_GRAPH (self) && source != NULL);
  LOCATE_NODE ();
  g_return_if_fail (node < self->nodes->len && i < _flow_graph_node (self, node)->n_data);

  *source = _flow_graph_inputs (self, node)[i];
  if (source->node != FLOW_NODE_NONE)
    source->node += base;
}

/**
 * flow_graph_get_control_input:
 * @self: a graph
 * @node: index of a node
 * @i: which control input
 *
 * Returns: the node that must have run before
 */
guint32
flow_graph_get_control_input (FlowGraph *self,
                              guint32    node,
                              guint      i)
{
  guint32 base = 0;

  g_return_val_if_fail (FLOW_IS_GRAPH (self), FLOW_NODE_NONE);
  LOCATE_NODE ();
  g_return_val_if_fail (node < self->nodes->len && i < _flow_graph_node (self, node)->n_control, FLOW_NODE_NONE);

  return _flow_graph_inputs (self, node)[_flow_graph_node (self, node)->n_data + i].node + base;
}

/**
 * flow_graph_peek_inputs: (skip)
 * @self: a graph
 * @node: index of a node
 * @n_data: (out) (optional): how many data inputs there are
 * @n_control: (out) (optional): how many control inputs follow them
 *
 * Returns: (transfer none): its inputs; valid until the graph grows; of a node in a function's body as indices in the
 *   body's own graph
 */
const FlowEndpoint *
flow_graph_peek_inputs (FlowGraph *self,
                        guint32    node,
                        guint     *n_data,
                        guint     *n_control)
{
  const FlowNodeRecord *record;

  REQUIRE_NODE (NULL);
  record = _flow_graph_node (self, node);
  if (n_data != NULL)
    *n_data = record->n_data;
  if (n_control != NULL)
    *n_control = record->n_control;
  return _flow_graph_inputs (self, node);
}

/**
 * flow_graph_get_input_dtype:
 * @self: a graph
 * @node: index of a node
 * @i: which data input
 *
 * Returns: the dtype the op asks for there, a reference for ref arguments
 */
int
flow_graph_get_input_dtype (FlowGraph *self,
                            guint32    node,
                            guint      i)
{
  REQUIRE_NODE (FLOW_DTYPE_INVALID);
  g_return_val_if_fail (i < _flow_graph_node (self, node)->n_data, FLOW_DTYPE_INVALID);

  return g_array_index (self->input_dtypes, int, _flow_graph_node (self, node)->first_input + i);
}

/**
 * flow_graph_get_n_outputs:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: how many outputs it has
 */
guint
flow_graph_get_n_outputs (FlowGraph *self,
                          guint32    node)
{
  REQUIRE_NODE (0);
  return _flow_graph_node (self, node)->n_outputs;
}

/**
 * flow_graph_get_output_dtype:
 * @self: a graph
 * @node: index of a node
 * @i: which output
 *
 * Returns: its dtype, a reference for ref arguments
 */
int
flow_graph_get_output_dtype (FlowGraph *self,
                             guint32    node,
                             guint      i)
{
  REQUIRE_NODE (FLOW_DTYPE_INVALID);
  g_return_val_if_fail (i < _flow_graph_node (self, node)->n_outputs, FLOW_DTYPE_INVALID);

  return g_array_index (self->output_dtypes, int, _flow_graph_node (self, node)->first_output + i);
}

/**
 * flow_graph_get_output_shape:
 * @self: a graph
 * @node: index of a node
 * @i: which output
 *
 * Returns: (transfer none): what inference knows of its shape, never %NULL
 */
FlowShape *
flow_graph_get_output_shape (FlowGraph *self,
                             guint32    node,
                             guint      i)
{
  REQUIRE_NODE (NULL);
  g_return_val_if_fail (i < _flow_graph_node (self, node)->n_outputs, NULL);

  return self->output_shapes->pdata[_flow_graph_node (self, node)->first_output + i];
}

/**
 * flow_graph_get_n_out_edges:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: how many data and control edges leave it
 */
guint
flow_graph_get_n_out_edges (FlowGraph *self,
                            guint32    node)
{
  REQUIRE_NODE (0);
  return g_array_index (self->out_first, guint32, node + 1) - g_array_index (self->out_first, guint32, node);
}

/**
 * flow_graph_get_out_edge:
 * @self: a graph
 * @node: index of a node
 * @i: which of its out-edges, by consumer and input
 * @source_slot: (out) (optional): the output it leaves, or %FLOW_SLOT_CONTROL
 * @consumer: (out) (optional): the node it goes to
 * @input_index: (out) (optional): which data input of it, or %FLOW_SLOT_CONTROL
 */
void
flow_graph_get_out_edge (FlowGraph *self,
                         guint32    node,
                         guint      i,
                         gint32    *source_slot,
                         guint32   *consumer,
                         gint32    *input_index)
{
  const FlowOutEdge *edge;
  guint32 base = 0;

  g_return_if_fail (FLOW_IS_GRAPH (self));
  LOCATE_NODE ();
  g_return_if_fail (node < self->nodes->len && i < flow_graph_get_n_out_edges (self, node));

  edge = &g_array_index (self->out_edges, FlowOutEdge, g_array_index (self->out_first, guint32, node) + i);
  if (source_slot != NULL)
    *source_slot = edge->slot;
  if (consumer != NULL)
    *consumer = edge->consumer + base;
  if (input_index != NULL)
    *input_index = edge->input;
}

/**
 * flow_graph_peek_order: (skip)
 * @self: a graph
 *
 * Returns: (transfer none): all nodes, each after what it reads, ties by index; valid until the
 *   graph grows
 */
const guint32 *
flow_graph_peek_order (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), NULL);

  return (const guint32 *) (gpointer) self->order->data;
}

/**
 * flow_graph_get_frame_name:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none): the frame_name of the loop it runs in, empty outside loops
 */
const char *
flow_graph_get_frame_name (FlowGraph *self,
                           guint32    node)
{
  REQUIRE_NODE ("");
  return g_array_index (self->frames, FlowFrameRecord, g_array_index (self->node_frames, guint32, node)).name;
}

/**
 * flow_graph_get_frame_parent_enter:
 * @self: a graph
 * @node: index of a node
 *
 * Returns: an Enter of the loop that @node runs in, %FLOW_NODE_NONE outside loops: that Enter's own
 *   inputs lie in the surrounding frame
 */
guint32
flow_graph_get_frame_parent_enter (FlowGraph *self,
                                   guint32    node)
{
  REQUIRE_NODE (FLOW_NODE_NONE);
  return g_array_index (self->frames, FlowFrameRecord, g_array_index (self->node_frames, guint32, node)).enter;
}

#define REQUIRE_SCOPE(fallback) \
  g_return_val_if_fail (FLOW_IS_GRAPH (self) && scope < _flow_scope_tree_get_n_scopes (self->scopes), fallback)

/**
 * flow_graph_get_n_scopes:
 * @self: a graph
 *
 * Returns: how many name scopes it has, the root included
 */
guint
flow_graph_get_n_scopes (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return _flow_scope_tree_get_n_scopes (self->scopes);
}

/**
 * flow_graph_find_scope:
 * @self: a graph
 * @path: a scope's path, with or without '/' at the end; empty is the root
 *
 * Returns: its index, %FLOW_SCOPE_NONE if there is none
 */
guint32
flow_graph_find_scope (FlowGraph  *self,
                       const char *path)
{
  gsize length;

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && path != NULL, FLOW_SCOPE_NONE);

  length = strlen (path);
  if (length > 0 && path[length - 1] == '/')
    length--;
  return _flow_scope_tree_find_scope (self->scopes, path, length);
}

/**
 * flow_graph_get_scope_path:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: (transfer none): its path without '/' at the end
 */
const char *
flow_graph_get_scope_path (FlowGraph *self,
                           guint32    scope)
{
  REQUIRE_SCOPE (NULL);
  return _flow_scope_tree_get_path (self->scopes, scope);
}

/**
 * flow_graph_get_scope_leaf:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: (transfer none): the last part of its path
 */
const char *
flow_graph_get_scope_leaf (FlowGraph *self,
                           guint32    scope)
{
  REQUIRE_SCOPE (NULL);
  return _flow_scope_tree_get_leaf (self->scopes, scope);
}

/**
 * flow_graph_get_scope_parent:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: the scope around it, %FLOW_SCOPE_NONE for the root
 */
guint32
flow_graph_get_scope_parent (FlowGraph *self,
                             guint32    scope)
{
  REQUIRE_SCOPE (FLOW_SCOPE_NONE);
  return _flow_scope_tree_get_parent (self->scopes, scope);
}

/**
 * flow_graph_get_scope_depth:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: how many scopes lie around it: 0 for the root
 */
guint
flow_graph_get_scope_depth (FlowGraph *self,
                            guint32    scope)
{
  REQUIRE_SCOPE (0);
  return _flow_scope_tree_get_depth (self->scopes, scope);
}

/**
 * flow_graph_get_n_child_scopes:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: how many scopes lie directly in it
 */
guint
flow_graph_get_n_child_scopes (FlowGraph *self,
                               guint32    scope)
{
  REQUIRE_SCOPE (0);
  return _flow_scope_tree_get_children (self->scopes, scope)->len;
}

/**
 * flow_graph_get_child_scope:
 * @self: a graph
 * @scope: index of a scope
 * @i: which child, in the order they came
 *
 * Returns: the child's index
 */
guint32
flow_graph_get_child_scope (FlowGraph *self,
                            guint32    scope,
                            guint      i)
{
  const GArray *children;

  REQUIRE_SCOPE (FLOW_SCOPE_NONE);
  children = _flow_scope_tree_get_children (self->scopes, scope);
  g_return_val_if_fail (i < children->len, FLOW_SCOPE_NONE);
  return g_array_index (children, guint32, i);
}

/**
 * flow_graph_get_n_scope_nodes:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: how many nodes lie directly in it
 */
guint
flow_graph_get_n_scope_nodes (FlowGraph *self,
                              guint32    scope)
{
  REQUIRE_SCOPE (0);
  return _flow_scope_tree_get_nodes (self->scopes, scope)->len;
}

/**
 * flow_graph_get_scope_node:
 * @self: a graph
 * @scope: index of a scope
 * @i: which of its nodes, in the order they came
 *
 * Returns: the node's index
 */
guint32
flow_graph_get_scope_node (FlowGraph *self,
                           guint32    scope,
                           guint      i)
{
  const GArray *nodes;

  REQUIRE_SCOPE (FLOW_NODE_NONE);
  nodes = _flow_scope_tree_get_nodes (self->scopes, scope);
  g_return_val_if_fail (i < nodes->len, FLOW_NODE_NONE);
  return g_array_index (nodes, guint32, i);
}

/**
 * flow_graph_get_scope_own_node:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: the node whose name is the scope's path (a variable `v` with `v/read`),
 *   %FLOW_NODE_NONE if there is none
 */
guint32
flow_graph_get_scope_own_node (FlowGraph *self,
                               guint32    scope)
{
  REQUIRE_SCOPE (FLOW_NODE_NONE);
  return _flow_scope_tree_get_own_node (self->scopes, scope);
}

/**
 * flow_graph_get_scope_total:
 * @self: a graph
 * @scope: index of a scope
 *
 * Returns: how many nodes lie in it and below it
 */
guint
flow_graph_get_scope_total (FlowGraph *self,
                            guint32    scope)
{
  REQUIRE_SCOPE (0);
  return _flow_scope_tree_get_total (self->scopes, scope);
}
