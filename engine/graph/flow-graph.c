/* flow-graph.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-private.h"

#include "flow-collection.h"
#include "flow-infer.h"
#include "flow-util.h"

#include <string.h>

/**
 * FlowGraph:
 *
 * A TensorFlow graph: nodes and edges in growing arrays, named by index; the scope tree of their
 * names; collections, versions and the function library.
 *
 * Structure only grows. Reading is safe from any thread while nobody appends; whoever grows a graph
 * that others read does so on the thread that owns it, and the others look again on `nodes-added`.
 */
typedef struct {
  char *key;
  GPtrArray *items;            /* of FlowCollectionItem */
} FlowCollection;

enum {
  NODES_ADDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowGraph, flow_graph, G_TYPE_OBJECT)

/* Takes the items. */
static FlowCollection *
collection_new (const char *key,
                GPtrArray  *items)
{
  FlowCollection *self = g_new0 (FlowCollection, 1);

  self->key = g_strdup (key);
  self->items = items;
  return self;
}

static void
collection_free (gpointer data)
{
  FlowCollection *self = data;

  g_free (self->key);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self);
}

static void
handle_data_free (gpointer data)
{
  FlowHandleData *self = data;

  g_clear_pointer (&self->shape, flow_shape_unref);
  g_free (self);
}

static void
flow_graph_finalize (GObject *object)
{
  FlowGraph *self = FLOW_GRAPH (object);

  for (guint i = 0; i < self->nodes->len; i++)
    g_clear_pointer (&_flow_graph_node (self, i)->attrs, flow_attr_list_unref);
  g_array_unref (self->nodes);
  g_array_unref (self->inputs);
  g_array_unref (self->input_dtypes);
  g_array_unref (self->output_dtypes);
  g_ptr_array_unref (self->output_shapes);
  g_hash_table_unref (self->handles);
  g_array_unref (self->out_first);
  g_array_unref (self->out_edges);
  g_array_unref (self->order);
  g_array_unref (self->frames);
  g_array_unref (self->node_frames);
  g_hash_table_unref (self->node_errors);
  g_ptr_array_unref (self->signatures);
  g_hash_table_unref (self->file_signatures);
  g_hash_table_unref (self->functions_by_name);
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->collections);
  g_array_unref (self->bad_consumers);
  g_clear_pointer (&self->bodies, g_ptr_array_unref);
  g_mutex_clear (&self->bodies_lock);
  _flow_scope_tree_free (self->scopes);
  g_string_chunk_free (self->arena);
  g_clear_pointer (&self->names, g_bytes_unref);
  if (self->read_attrs_destroy != NULL)
    self->read_attrs_destroy (self->read_attrs_data);

  G_OBJECT_CLASS (flow_graph_parent_class)->finalize (object);
}

static void
flow_graph_class_init (FlowGraphClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_graph_finalize;

  /**
   * FlowGraph::nodes-added:
   * @self: the graph
   * @first: index of the first new node
   * @count: how many were added
   *
   * Nodes @first to @first + @count were appended; their edges and scopes are there.
   */
  signals[NODES_ADDED] = g_signal_new ("nodes-added", FLOW_TYPE_GRAPH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
flow_graph_init (FlowGraph *self)
{
  FlowFrameRecord outside = { .name = "", .parent = 0, .enter = FLOW_NODE_NONE };
  guint32 zero = 0;

  g_mutex_init (&self->bodies_lock);
  self->arena = g_string_chunk_new (65536);
  self->scopes = _flow_scope_tree_new ();
  self->nodes = g_array_new (FALSE, FALSE, sizeof (FlowNodeRecord));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  self->input_dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  self->output_dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  self->output_shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) (void (*) (void)) flow_shape_unref);
  self->handles = g_hash_table_new_full (NULL, NULL, NULL, handle_data_free);
  self->out_first = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->out_first, zero);
  self->out_edges = g_array_new (FALSE, FALSE, sizeof (FlowOutEdge));
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->frames = g_array_new (FALSE, FALSE, sizeof (FlowFrameRecord));
  g_array_append_val (self->frames, outside);
  self->node_frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->node_errors = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_error_free);
  self->signatures = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_op_signature_free);
  self->file_signatures = g_hash_table_new (g_str_hash, g_str_equal);
  self->functions = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_function_free);
  self->functions_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->collections = g_ptr_array_new_with_free_func (collection_free);
  self->bad_consumers = g_array_new (FALSE, FALSE, sizeof (int));
}

/**
 * flow_graph_new:
 *
 * Returns: (transfer full): an empty graph
 */
FlowGraph *
flow_graph_new (void)
{
  return g_object_new (FLOW_TYPE_GRAPH, NULL);
}

/**
 * flow_graph_import: (skip)
 * @self: a graph
 * @nodes: (array length=n_nodes): nodes; inputs may name one another in any order, or nodes that are there
 * @n_nodes: how many
 * @problems: (element-type FlowProblem) (nullable): where to list what is illegal; %NULL makes the
 *   first illegal node an error
 * @error: where to put an error
 *
 * Appends nodes as TensorFlow's importer does: names, inputs, attrs and dtypes are checked against
 * the op definitions, defaults filled in, shapes inferred. Emits #FlowGraph::nodes-added.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words, the graph as it was
 */
gboolean
flow_graph_import (FlowGraph          *self,
                   const FlowNodeDef  *nodes,
                   gsize               n_nodes,
                   GPtrArray          *problems,
                   GError            **error)
{
  guint first;

  g_return_val_if_fail (FLOW_IS_GRAPH (self), FALSE);

  first = self->nodes->len;
  if (!_flow_graph_import_nodes (self, nodes, n_nodes, problems, error))
    return FALSE;
  if (self->nodes->len > first)
    g_signal_emit (self, signals[NODES_ADDED], 0, first, self->nodes->len - first);
  return TRUE;
}

/**
 * flow_graph_begin_reading:
 * @self: a graph
 *
 * Another thread is about to go through the graph: until flow_graph_end_reading() it is not to grow.
 */
void
flow_graph_begin_reading (FlowGraph *self)
{
  g_return_if_fail (FLOW_IS_GRAPH (self));

  g_atomic_int_inc (&self->n_readers);
}

/**
 * flow_graph_end_reading:
 * @self: a graph
 *
 * What flow_graph_begin_reading() announced is done. May be called on any thread.
 */
void
flow_graph_end_reading (FlowGraph *self)
{
  g_return_if_fail (FLOW_IS_GRAPH (self));

  g_atomic_int_add (&self->n_readers, -1);
}

/**
 * flow_graph_is_being_read:
 * @self: a graph
 *
 * Returns: whether another thread goes through the graph
 */
gboolean
flow_graph_is_being_read (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), FALSE);

  return g_atomic_int_get (&self->n_readers) > 0;
}

void
_flow_graph_set_node_error (FlowGraph *self,
                            guint32    node,
                            GError    *error)
{
  if (g_hash_table_contains (self->node_errors, GUINT_TO_POINTER (node)))
    g_error_free (error);
  else
    g_hash_table_insert (self->node_errors, GUINT_TO_POINTER (node), error);
}

/**
 * flow_graph_get_node_error: (skip)
 * @self: a graph
 * @node: index of a node
 *
 * Returns: (transfer none) (nullable): why the node cannot run
 */
const GError *
flow_graph_get_node_error (FlowGraph *self,
                           guint32    node)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), NULL);

  return g_hash_table_lookup (self->node_errors, GUINT_TO_POINTER (node));
}

/**
 * flow_graph_take_signature: (skip)
 * @self: a graph
 * @signature: (transfer full): a definition from the graph's file, for a type that is not registered, or
 *   whose arguments ours has otherwise: it then serves nodes that say what ours cannot mean
 */
void
flow_graph_take_signature (FlowGraph       *self,
                           FlowOpSignature *signature)
{
  g_return_if_fail (FLOW_IS_GRAPH (self) && signature != NULL);

  g_ptr_array_add (self->signatures, signature);
  g_hash_table_insert (self->file_signatures, signature->name, signature);
}

/**
 * flow_graph_take_function: (skip)
 * @self: a graph
 * @function: (transfer full): a function; one of that name is replaced by it in look-ups
 */
void
flow_graph_take_function (FlowGraph    *self,
                          FlowFunction *function)
{
  g_return_if_fail (FLOW_IS_GRAPH (self) && function != NULL);

  /* A node of its type calls it. */
  function->signature->flags |= FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT;
  g_ptr_array_add (self->functions, function);
  g_hash_table_replace (self->functions_by_name, function->name, function);
}

/**
 * flow_graph_find_function: (skip)
 * @self: a graph
 * @name: a function's name
 *
 * Returns: (transfer none) (nullable): the function
 */
FlowFunction *
flow_graph_find_function (FlowGraph  *self,
                          const char *name)
{
  FlowFunction *found;

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && name != NULL, NULL);

  found = g_hash_table_lookup (self->functions_by_name, name);
  return found == NULL && self->library != NULL ? flow_graph_find_function (self->library, name) : found;
}

/**
 * flow_graph_get_function: (skip)
 * @self: a graph
 * @i: index
 *
 * Returns: (transfer none): that function of the library
 */
FlowFunction *
flow_graph_get_function (FlowGraph *self,
                         guint      i)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self) && i < self->functions->len, NULL);

  return self->functions->pdata[i];
}

/**
 * flow_graph_get_n_functions:
 * @self: a graph
 *
 * Returns: how many functions its library has
 */
guint
flow_graph_get_n_functions (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return self->functions->len;
}

/**
 * flow_graph_get_function_name:
 * @self: a graph
 * @i: index
 *
 * Returns: (transfer none): that function's name
 */
const char *
flow_graph_get_function_name (FlowGraph *self,
                              guint      i)
{
  FlowFunction *function = flow_graph_get_function (self, i);

  return function != NULL ? function->name : NULL;
}

/**
 * flow_function_new: (skip)
 * @name: its name
 *
 * Returns: (transfer full): a function without signature and body
 */
FlowFunction *
flow_function_new (const char *name)
{
  FlowFunction *self = g_new0 (FlowFunction, 1);

  self->name = g_strdup (name);
  self->nodes = g_ptr_array_new ();
  self->ret = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->control_ret = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/**
 * flow_function_node_new: (skip)
 * @name: the node's name
 * @op: its op type
 * @device: (nullable): its device
 * @inputs: (transfer full): its inputs as written
 * @attrs: (transfer full): its attrs
 *
 * Returns: (transfer full): a node of a function's body, to be added to #FlowFunction.nodes
 */
FlowFunctionNode *
flow_function_node_new (const char    *name,
                        const char    *op,
                        const char    *device,
                        char         **inputs,
                        FlowAttrList  *attrs)
{
  FlowFunctionNode *self = g_new0 (FlowFunctionNode, 1);

  self->name = g_strdup (name);
  self->op = g_strdup (op);
  self->device = g_strdup (device != NULL ? device : "");
  self->inputs = inputs;
  self->attrs = attrs;
  return self;
}

/**
 * flow_function_free: (skip)
 * @self: (transfer full): a function
 */
void
flow_function_free (FlowFunction *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      FlowFunctionNode *node = self->nodes->pdata[i];

      g_free (node->name);
      g_free (node->op);
      g_free (node->device);
      g_strfreev (node->inputs);
      g_clear_pointer (&node->attrs, flow_attr_list_unref);
      g_free (node);
    }
  g_ptr_array_unref (self->nodes);
  g_hash_table_unref (self->ret);
  g_hash_table_unref (self->control_ret);
  g_clear_pointer (&self->signature, flow_op_signature_free);
  g_clear_pointer (&self->attrs, flow_attr_list_unref);
  g_free (self->gradient);
  g_free (self->name);
  g_free (self);
}

/**
 * flow_graph_set_versions: (skip)
 * @self: a graph
 * @producer: GraphDef version of who wrote it
 * @min_consumer: the oldest reader it is meant for
 * @bad_consumers: (array length=n_bad) (nullable): readers that must refuse it
 * @n_bad: how many
 */
void
flow_graph_set_versions (FlowGraph *self,
                         int        producer,
                         int        min_consumer,
                         const int *bad_consumers,
                         guint      n_bad)
{
  g_return_if_fail (FLOW_IS_GRAPH (self));

  self->producer = producer;
  self->min_consumer = min_consumer;
  g_array_set_size (self->bad_consumers, 0);
  if (n_bad > 0)
    g_array_append_vals (self->bad_consumers, bad_consumers, n_bad);
}

/**
 * flow_graph_get_producer:
 * @self: a graph
 *
 * Returns: the GraphDef version of who wrote it, 0 if the file does not say
 */
int
flow_graph_get_producer (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return self->producer;
}

/**
 * flow_graph_get_min_consumer:
 * @self: a graph
 *
 * Returns: the oldest GraphDef version it is meant for
 */
int
flow_graph_get_min_consumer (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return self->min_consumer;
}

/**
 * flow_graph_set_collection:
 * @self: a graph
 * @key: the collection's name
 * @items: (element-type FlowCollectionItem) (transfer full): its items; replaces what was there
 */
void
flow_graph_set_collection (FlowGraph  *self,
                           const char *key,
                           GPtrArray  *items)
{
  g_return_if_fail (FLOW_IS_GRAPH (self) && key != NULL && items != NULL);

  for (guint i = 0; i < self->collections->len; i++)
    {
      FlowCollection *collection = self->collections->pdata[i];
      if (strcmp (collection->key, key) == 0)
        {
          g_ptr_array_unref (collection->items);
          collection->items = items;
          return;
        }
    }
  g_ptr_array_add (self->collections, collection_new (key, items));
}

/**
 * flow_graph_clear_collections:
 * @self: a graph
 *
 * Afterwards it has no collection.
 */
void
flow_graph_clear_collections (FlowGraph *self)
{
  g_return_if_fail (FLOW_IS_GRAPH (self));

  g_ptr_array_set_size (self->collections, 0);
}

/**
 * flow_graph_lend_collections:
 * @self: a graph
 * @to: another graph of the same nodes
 *
 * Afterwards @to has the collections of @self as they are now, and no others. What is lent is shared, not copied.
 */
void
flow_graph_lend_collections (FlowGraph *self,
                             FlowGraph *to)
{
  g_return_if_fail (FLOW_IS_GRAPH (self) && FLOW_IS_GRAPH (to) && self != to);

  flow_graph_clear_collections (to);
  for (guint i = 0; i < self->collections->len; i++)
    {
      FlowCollection *collection = self->collections->pdata[i];

      g_ptr_array_add (to->collections, collection_new (collection->key, g_ptr_array_ref (collection->items)));
    }
}

/**
 * flow_graph_get_n_collections:
 * @self: a graph
 *
 * Returns: how many collections it has
 */
guint
flow_graph_get_n_collections (FlowGraph *self)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self), 0);

  return self->collections->len;
}

/**
 * flow_graph_get_collection_key:
 * @self: a graph
 * @i: index
 *
 * Returns: (transfer none): the name of that collection
 */
const char *
flow_graph_get_collection_key (FlowGraph *self,
                               guint      i)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self) && i < self->collections->len, NULL);

  return ((FlowCollection *) self->collections->pdata[i])->key;
}

/**
 * flow_graph_get_collection:
 * @self: a graph
 * @key: a collection's name
 *
 * Returns: (transfer none) (element-type FlowCollectionItem) (nullable): its items
 */
GPtrArray *
flow_graph_get_collection (FlowGraph  *self,
                           const char *key)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (self) && key != NULL, NULL);

  for (guint i = 0; i < self->collections->len; i++)
    {
      FlowCollection *collection = self->collections->pdata[i];

      if (strcmp (collection->key, key) == 0)
        return collection->items;
    }
  return NULL;
}

/**
 * flow_problem_new: (skip)
 * @code: a #FlowError
 * @severity: 0 a note, 1 a warning, 2 damage
 * @node: (nullable): the node it is about
 * @field: (nullable): the field
 * @offset: byte offset in the file, -1 if unknown
 * @format: what is wrong
 * @...: for @format
 *
 * Returns: (transfer full): a problem
 */
FlowProblem *
flow_problem_new (int         code,
                  int         severity,
                  const char *node,
                  const char *field,
                  gint64      offset,
                  const char *format,
                  ...)
{
  FlowProblem *self = g_new0 (FlowProblem, 1);
  va_list args;

  self->code = code;
  self->severity = severity;
  self->node = g_strdup (node);
  self->field = g_strdup (field);
  self->offset = offset;
  va_start (args, format);
  self->text = g_strdup_vprintf (format, args);
  va_end (args);
  return self;
}

/**
 * flow_problem_free: (skip)
 * @self: (transfer full): a problem
 */
void
flow_problem_free (FlowProblem *self)
{
  g_free (self->node);
  g_free (self->field);
  g_free (self->text);
  g_free (self);
}
