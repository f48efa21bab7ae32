/* flow-builder-out.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include "flow-kernel-thread.h"
#include "flow-model.h"

#include <string.h>

/* Reading a graph in the making, and turning it into a graph or a GraphDef. */

#define REQUIRE_NODE(fallback)                                                \
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len, fallback)

/**
 * flow_builder_get_n_nodes:
 * @self: a builder
 *
 * Returns: how many nodes there are
 */
guint
flow_builder_get_n_nodes (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), 0);

  return self->nodes->len;
}

/**
 * flow_builder_get_n_outputs:
 * @self: a builder
 *
 * Returns: how many outputs its nodes have together
 */
guint64
flow_builder_get_n_outputs (FlowBuilder *self)
{
  guint64 n = 0;

  g_return_val_if_fail (FLOW_IS_BUILDER (self), 0);

  for (guint i = 0; i < self->nodes->len; i++)
    n += _flow_builder_node (self, i)->n_outputs;
  return n;
}

/**
 * flow_builder_find_node:
 * @self: a builder
 * @name: a node's whole name
 *
 * Returns: its index, %FLOW_NODE_NONE if there is none
 */
guint32
flow_builder_find_node (FlowBuilder *self,
                        const char  *name)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && name != NULL, FLOW_NODE_NONE);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name)) - 1;
}

/**
 * flow_builder_get_node_name:
 * @self: a builder
 * @node: a node
 *
 * Returns: (transfer none): its whole name
 */
const char *
flow_builder_get_node_name (FlowBuilder *self,
                            guint32      node)
{
  REQUIRE_NODE (NULL);
  return _flow_builder_node (self, node)->name;
}

/**
 * flow_builder_get_node_type:
 * @self: a builder
 * @node: a node
 *
 * Returns: (transfer none): its op type
 */
const char *
flow_builder_get_node_type (FlowBuilder *self,
                            guint32      node)
{
  REQUIRE_NODE (NULL);
  return _flow_builder_node (self, node)->signature->name;
}

/**
 * flow_builder_get_node_device:
 * @self: a builder
 * @node: a node
 *
 * Returns: (transfer none): the device it asks for, often empty
 */
const char *
flow_builder_get_node_device (FlowBuilder *self,
                              guint32      node)
{
  REQUIRE_NODE (NULL);
  return _flow_builder_node (self, node)->device;
}

/**
 * flow_builder_get_node_flags:
 * @self: a builder
 * @node: a node
 *
 * Returns: the #FlowOpFlags of its op
 */
guint
flow_builder_get_node_flags (FlowBuilder *self,
                             guint32      node)
{
  REQUIRE_NODE (0);
  return _flow_builder_node (self, node)->signature->flags;
}

/**
 * flow_builder_get_node_attrs:
 * @self: a builder
 * @node: a node
 *
 * Returns: (transfer none): its attrs
 */
FlowAttrList *
flow_builder_get_node_attrs (FlowBuilder *self,
                             guint32      node)
{
  REQUIRE_NODE (NULL);
  return _flow_builder_node (self, node)->attrs;
}

/**
 * flow_builder_list_inputs:
 * @self: a builder
 * @node: a node
 * @n_inputs: (out): how many
 *
 * Returns: (array length=n_inputs) (transfer full): the outputs it reads, `node << 32 | slot`
 */
guint64 *
flow_builder_list_inputs (FlowBuilder *self,
                          guint32      node,
                          gsize       *n_inputs)
{
  const GArray *inputs;
  guint64 *outputs;

  *n_inputs = 0;
  REQUIRE_NODE (NULL);
  inputs = _flow_builder_node (self, node)->inputs;
  outputs = g_new (guint64, MAX (inputs->len, 1));
  for (guint i = 0; i < inputs->len; i++)
    outputs[i] = FLOW_OUTPUT (g_array_index (inputs, FlowEndpoint, i).node, g_array_index (inputs, FlowEndpoint, i).slot);
  *n_inputs = inputs->len;
  return outputs;
}

/**
 * flow_builder_list_control_inputs:
 * @self: a builder
 * @node: a node
 * @n_nodes: (out): how many
 *
 * Returns: (array length=n_nodes) (transfer full): the nodes that run before it
 */
guint32 *
flow_builder_list_control_inputs (FlowBuilder *self,
                                  guint32      node,
                                  gsize       *n_nodes)
{
  *n_nodes = 0;
  REQUIRE_NODE (NULL);
  *n_nodes = _flow_builder_node (self, node)->controls->len;
  return g_memdup2 (_flow_builder_node (self, node)->controls->data, sizeof (guint32) * *n_nodes);
}

/**
 * flow_builder_list_consumers:
 * @self: a builder
 * @output: an output
 * @n_nodes: (out): how many
 *
 * Returns: (array length=n_nodes) (transfer full): the nodes that read it, one entry an input
 */
guint32 *
flow_builder_list_consumers (FlowBuilder *self,
                             guint64      output,
                             gsize       *n_nodes)
{
  guint32 node = FLOW_OUTPUT_NODE (output);
  GArray *consumers;
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));

  *n_nodes = 0;
  REQUIRE_NODE (NULL);
  consumers = _flow_builder_node (self, node)->consumers;
  for (guint i = 0; consumers != NULL && i < consumers->len; i++)
    {
      guint32 consumer = g_array_index (consumers, guint32, i);
      const GArray *inputs = _flow_builder_node (self, consumer)->inputs;
      gboolean seen = FALSE;

      for (guint k = 0; k < found->len && !seen; k++)
        seen = g_array_index (found, guint32, k) == consumer;
      for (guint k = 0; k < inputs->len && !seen; k++)
        if (g_array_index (inputs, FlowEndpoint, k).node == node
            && g_array_index (inputs, FlowEndpoint, k).slot == FLOW_OUTPUT_SLOT (output))
          g_array_append_val (found, consumer);
    }
  *n_nodes = found->len;
  return (guint32 *) (gpointer) g_array_free (found, FALSE);
}

/**
 * flow_builder_list_output_dtypes:
 * @self: a builder
 * @node: a node
 * @n_outputs: (out): how many outputs it has
 *
 * Returns: (array length=n_outputs) (transfer full): their dtypes
 */
int *
flow_builder_list_output_dtypes (FlowBuilder *self,
                                 guint32      node,
                                 gsize       *n_outputs)
{
  *n_outputs = 0;
  REQUIRE_NODE (NULL);
  *n_outputs = _flow_builder_node (self, node)->n_outputs;
  return g_memdup2 (_flow_builder_node (self, node)->dtypes, sizeof (int) * *n_outputs);
}

/**
 * flow_builder_get_dims:
 * @self: a builder
 * @output: an output
 * @rank: (out): its rank, -1 if unknown
 * @n_dims: (out): how many dimensions are given
 *
 * Returns: (array length=n_dims) (transfer full): what is known of its shape, -1 for a dimension that is not
 */
gint64 *
flow_builder_get_dims (FlowBuilder *self,
                       guint64      output,
                       int         *rank,
                       gsize       *n_dims)
{
  guint32 node = FLOW_OUTPUT_NODE (output);
  const FlowShape *shape;

  *rank = FLOW_RANK_UNKNOWN;
  *n_dims = 0;
  REQUIRE_NODE (NULL);
  g_return_val_if_fail ((guint) FLOW_OUTPUT_SLOT (output) < _flow_builder_node (self, node)->n_outputs, NULL);
  shape = _flow_builder_node (self, node)->shapes[FLOW_OUTPUT_SLOT (output)];
  *rank = shape->rank;
  *n_dims = (gsize) MAX (shape->rank, 0);
  return g_memdup2 (shape->dims, sizeof (gint64) * *n_dims);
}

/* --- Out of it --- */

typedef struct {
  GArray *defs;                /* of FlowNodeDef */
  GPtrArray *inputs;           /* of char ** */
} Written;

static void
written_init (Written *self)
{
  self->defs = g_array_new (FALSE, FALSE, sizeof (FlowNodeDef));
  self->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
}

static void
written_clear (Written *self)
{
  for (guint i = 0; i < self->defs->len; i++)
    flow_attr_list_unref (g_array_index (self->defs, FlowNodeDef, i).attrs);
  g_array_unref (self->defs);
  g_ptr_array_unref (self->inputs);
}

FlowAttrList *
_flow_builder_dup_attrs (const FlowBuildNode *node,
                         gboolean             with_shapes)
{
  FlowAttrList *attrs;
  g_autofree FlowAttr **shapes = NULL;
  FlowAttr *list;

  if (!with_shapes || node->n_outputs == 0)
    return flow_attr_list_ref (node->attrs);
  attrs = flow_attr_list_new ();
  for (guint i = 0; i < flow_attr_list_get_length (node->attrs); i++)
    flow_attr_list_set (attrs, flow_attr_list_get_name (node->attrs, i), flow_attr_list_get_value (node->attrs, i));
  shapes = g_new0 (FlowAttr *, node->n_outputs);
  for (guint i = 0; i < node->n_outputs; i++)
    shapes[i] = flow_attr_new_shape (node->shapes[i]);
  list = flow_attr_new_list (FLOW_ATTR_SHAPE, shapes, node->n_outputs);
  flow_attr_list_set (attrs, "_output_shapes", list);
  flow_attr_unref (list);
  return attrs;
}

/* Data inputs in order, output 0 without a number, then control inputs by name. */
static void
write_def (FlowBuilder *self,
           Written     *out,
           guint32      index,
           gboolean     with_shapes)
{
  const FlowBuildNode *node = _flow_builder_node (self, index);
  guint n = node->inputs->len;
  char **inputs = g_new0 (char *, n + node->controls->len + 1);
  FlowNodeDef def = { .name = node->name, .name_length = strlen (node->name), .op = node->signature->name,
                      .device = node->device, .offset = -1 };

  for (guint i = 0; i < n; i++)
    {
      FlowEndpoint at = g_array_index (node->inputs, FlowEndpoint, i);
      const char *name = _flow_builder_node (self, at.node)->name;

      inputs[i] = at.slot == 0 ? g_strdup (name) : g_strdup_printf ("%s:%d", name, at.slot);
    }
  for (guint i = 0; i < node->controls->len; i++)
    inputs[n + i] = g_strconcat ("^", _flow_builder_node (self, g_array_index (node->controls, guint32, i))->name, NULL);
  qsort (inputs + n, node->controls->len, sizeof (char *), flow_compare_texts);
  def.inputs = (const char *const *) inputs;
  def.n_inputs = n + node->controls->len;
  def.attrs = _flow_builder_dup_attrs (node, with_shapes);
  g_array_append_val (out->defs, def);
  g_ptr_array_add (out->inputs, inputs);
}

/* With @problems a loop's back edge whose ends disagree, which only a session refuses, is written all the same. */
static gboolean
import_range (FlowBuilder  *self,
              FlowGraph    *graph,
              guint32       first,
              gboolean      with_shapes,
              GPtrArray    *problems,
              GError      **error)
{
  Written out;
  gboolean ok;

  written_init (&out);
  for (guint32 i = first; i < self->nodes->len; i++)
    write_def (self, &out, i, with_shapes);
  ok = flow_graph_import (graph, (const FlowNodeDef *) (gpointer) out.defs->data, out.defs->len, problems, error);
  written_clear (&out);
  return ok;
}

typedef struct {
  FlowBuilder *builder;
  FlowGraph *graph;
  GPtrArray *problems;
  gboolean ok;
  GError *error;
} Extension;

/* A run of another thread may be reading the graph: where runs take their turns this does too. */
static void
extend (gpointer data)
{
  Extension *self = data;

  self->ok = _flow_builder_write_library (self->builder, self->graph, &self->error)
    && import_range (self->builder, self->graph, flow_graph_get_n_nodes (self->graph), FALSE, self->problems,
                     &self->error);
}

static FlowGraph *
new_graph (FlowBuilder *self)
{
  FlowGraph *graph = flow_graph_new ();

  flow_graph_set_versions (graph, self->producer, self->min_consumer, NULL, 0);
  return graph;
}

/**
 * flow_builder_take_versions:
 * @self: a builder
 * @producer: GraphDef version of who wrote what is to be imported, 0 where it says nothing
 * @min_consumer: the oldest version that may read it
 *
 * From now on ops are as old as the oldest that was imported: so are their shapes, and what is handed out (TF:
 * GraphConstructor and ShapeRefiner take the lesser producer and the greater min_consumer).
 */
void
flow_builder_take_versions (FlowBuilder *self,
                            int          producer,
                            int          min_consumer)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  self->producer = MIN (self->producer, producer);
  self->min_consumer = MAX (self->min_consumer, min_consumer);
  if (self->graph != NULL)
    flow_graph_set_versions (self->graph, self->producer, self->min_consumer, NULL, 0);
}

/**
 * flow_builder_get_graph:
 * @self: a builder
 * @error: where to put an error
 *
 * The graph as it stands, for sessions. The same object is given again with what was added since
 * appended, unless a node that it has was changed meanwhile: then a new one, and sessions on the old
 * one go on with the nodes as they were sent.
 *
 * Returns: (transfer none): a graph; %NULL with %FLOW_ERROR_INVALID_ARGUMENT when what was added cannot be
 */
FlowGraph *
flow_builder_get_graph (FlowBuilder  *self,
                        GError      **error)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);

  if (self->graph != NULL && self->graph_is_old)
    g_clear_object (&self->graph);
  if (self->graph == NULL)
    self->graph = new_graph (self);
  self->graph_is_old = FALSE;
  if (!flow_builder_extend_graph (self, self->graph, error))
    return NULL;
  return self->graph;
}

/**
 * flow_builder_get_n_changes:
 * @self: a builder
 *
 * For who keeps a graph of their own up by flow_builder_extend_graph(): when this has grown, nodes that were there
 * already may be others now.
 *
 * Returns: how often nodes were changed after they were added
 */
guint64
flow_builder_get_n_changes (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), 0);

  return self->n_changes;
}

static gboolean
bring_up_to_date (FlowBuilder  *self,
                  FlowGraph    *graph,
                  GPtrArray    *problems,
                  GError      **error)
{
  Extension call = { self, graph, problems, FALSE, NULL };

  if (flow_graph_get_n_nodes (graph) >= self->nodes->len)
    return TRUE;
  flow_kernel_thread_call (extend, &call);
  if (call.error != NULL)
    g_propagate_error (error, call.error);
  return call.ok;
}

/**
 * flow_builder_extend_graph:
 * @self: a builder
 * @graph: a graph that this builder gave
 * @error: where to put an error
 *
 * Appends to @graph what was added since, as a session is extended before a run.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when what was added cannot be
 */
gboolean
flow_builder_extend_graph (FlowBuilder  *self,
                           FlowGraph    *graph,
                           GError      **error)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && FLOW_IS_GRAPH (graph), FALSE);

  return bring_up_to_date (self, graph, NULL, error);
}

/**
 * flow_builder_extend_picture:
 * @self: a builder
 * @graph: a graph that is looked at and never run
 * @error: where to put an error
 *
 * Appends to @graph what was added since, also a loop that comes back as another type: no session takes it, and
 * who looks for the mistake has to see it.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when what was added is not whole yet
 */
gboolean
flow_builder_extend_picture (FlowBuilder  *self,
                             FlowGraph    *graph,
                             GError      **error)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && FLOW_IS_GRAPH (graph), FALSE);

  return bring_up_to_date (self, graph, problems, error);
}

/**
 * flow_builder_to_bytes:
 * @self: a builder
 * @first: the first node to write
 * @with_shapes: whether to write what is known of shapes as attr `_output_shapes`
 * @error: where to put an error
 *
 * Returns: (transfer full): a GraphDef; %NULL with an error
 */
GBytes *
flow_builder_to_bytes (FlowBuilder  *self,
                       guint32       first,
                       gboolean      with_shapes,
                       GError      **error)
{
  g_autoptr (FlowGraph) graph = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);

  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);

  graph = new_graph (self);
  if (!_flow_builder_write_library (self, graph, error)
      || !import_range (self, graph, 0, with_shapes, problems, error))
    return NULL;
  return flow_graph_to_bytes_from (graph, first, error);
}

/**
 * flow_builder_list_op_types:
 * @self: a builder
 *
 * Returns: (array zero-terminated=1) (transfer full): the op types used, each once, in alphabetical order
 */
char **
flow_builder_list_op_types (FlowBuilder *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *types = g_ptr_array_new ();

  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);

  for (guint i = 0; i < self->nodes->len; i++)
    if (g_hash_table_add (seen, (gpointer) _flow_builder_node (self, i)->signature->name))
      g_ptr_array_add (types, g_strdup (_flow_builder_node (self, i)->signature->name));
  g_ptr_array_sort (types, flow_compare_texts);
  g_ptr_array_add (types, NULL);
  return (char **) g_ptr_array_free (types, FALSE);
}
