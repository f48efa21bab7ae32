/* flow-graph-shapes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-private.h"

#include "flow-infer.h"

#include <string.h>

/* Shape inference over a graph: each op's own shape function in an order in which inputs come first,
 * with constants folded where a shape function asks for a value. Loops are gone through again until
 * the shapes that come back along NextIteration no longer change what Merge says. */

/* Folding serves shapes, axes and sizes; nothing of that kind is long, or computed in many steps. */
#define MAX_FOLDED_ELEMENTS 4096
#define MAX_FOLD_DEPTH 48
/* Each turn makes at least one dimension of one Merge unknown; real loops settle in two or three. */
#define MAX_LOOP_TURNS 12

typedef struct {
  FlowGraph *graph;
  GHashTable *values;          /* output index -> FlowTensor, or NULL for "not constant" */
  GHashTable *lists;           /* output index -> FlowShape, or NULL */
  GHashTable *back_shapes;     /* input index of a back edge -> FlowShape of the last turn */
  FlowShape *unknown;
  guint depth;
} Refiner;

/* One node under inference: what find_value() is asked for. */
typedef struct {
  Refiner *refiner;
  guint32 node;
} Asker;

static FlowTensor *constant_of  (Refiner *self, const FlowEndpoint *at);
static FlowShape  *list_of      (Refiner *self, const FlowEndpoint *at);

static FlowTensor *
find_value (gpointer finder,
            guint    input)
{
  Asker *asker = finder;

  return constant_of (asker->refiner, &_flow_graph_inputs (asker->refiner->graph, asker->node)[input]);
}

static FlowShape *
find_value_list (gpointer finder,
                 guint    input)
{
  Asker *asker = finder;

  return list_of (asker->refiner, &_flow_graph_inputs (asker->refiner->graph, asker->node)[input]);
}

static FlowShape **
output_shape_at (FlowGraph *graph,
                 guint32    node,
                 guint      slot)
{
  return (FlowShape **) &graph->output_shapes->pdata[_flow_graph_node (graph, node)->first_output + slot];
}

static guint
output_index (FlowGraph          *graph,
              const FlowEndpoint *at)
{
  return _flow_graph_node (graph, at->node)->first_output + (guint) at->slot;
}

static gboolean
is_back_edge (FlowGraph *graph,
              guint32    source,
              guint32    consumer)
{
  return (_flow_graph_node (graph, consumer)->signature->flags & FLOW_OP_MERGE) != 0
         && (_flow_graph_node (graph, source)->signature->flags & FLOW_OP_NEXT_ITERATION) != 0;
}

/* What inference sees of input @i: of a back edge what the last turn found, in the first turn what
 * comes in from outside the loop. */
static FlowShape *
input_shape (Refiner *self,
             guint32  node,
             guint    i)
{
  const FlowEndpoint *inputs = _flow_graph_inputs (self->graph, node);
  FlowShape *shape;

  if (!is_back_edge (self->graph, inputs[i].node, node))
    return *output_shape_at (self->graph, inputs[i].node, (guint) inputs[i].slot);
  shape = g_hash_table_lookup (self->back_shapes, GUINT_TO_POINTER (_flow_graph_node (self->graph, node)->first_input + i));
  if (shape != NULL)
    return shape;
  for (guint k = 0; k < _flow_graph_node (self->graph, node)->n_data; k++)
    if (!is_back_edge (self->graph, inputs[k].node, node))
      return *output_shape_at (self->graph, inputs[k].node, (guint) inputs[k].slot);
  return self->unknown;
}

typedef struct {
  FlowInferContext context;
  Asker asker;
} NodeContext;

static void
context_init (NodeContext *self,
              Refiner     *refiner,
              guint32      node)
{
  FlowGraph *graph = refiner->graph;
  const FlowNodeRecord *record = _flow_graph_node (graph, node);
  FlowInferContext *c = &self->context;

  memset (self, 0, sizeof *self);
  self->asker.refiner = refiner;
  self->asker.node = node;
  c->node_name = record->name;
  c->signature = record->signature;
  c->attrs = _flow_graph_attrs (graph, node);
  c->producer = graph->producer;
  c->n_inputs = record->n_data;
  c->input_shapes = g_new (FlowShape *, MAX (record->n_data, 1));
  c->input_handles = g_new0 (FlowHandleData, MAX (record->n_data, 1));
  for (guint i = 0; i < record->n_data; i++)
    {
      const FlowHandleData *handle =
        g_hash_table_lookup (graph->handles, GUINT_TO_POINTER (output_index (graph, &_flow_graph_inputs (graph, node)[i])));

      c->input_shapes[i] = input_shape (refiner, node, i);
      if (handle != NULL)
        c->input_handles[i] = *handle;
    }
  c->n_outputs = record->n_outputs;
  c->output_shapes = g_new0 (FlowShape *, MAX (record->n_outputs, 1));
  c->output_handles = g_new0 (FlowHandleData, MAX (record->n_outputs, 1));
  c->find_value = find_value;
  c->find_value_list = find_value_list;
  c->finder = &self->asker;
}

static void
context_clear (NodeContext *self)
{
  FlowInferContext *c = &self->context;

  for (guint i = 0; i < c->n_outputs; i++)
    {
      g_clear_pointer (&c->output_shapes[i], flow_shape_unref);
      g_clear_pointer (&c->output_handles[i].shape, flow_shape_unref);
    }
  g_free (c->input_shapes);
  g_free (c->input_handles);
  g_free (c->output_shapes);
  g_free (c->output_handles);
}

static gboolean
is_foldable (FlowGraph *graph,
             guint32    node)
{
  const FlowNodeRecord *record = _flow_graph_node (graph, node);
  const guint never = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT | FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER
                      | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION | FLOW_OP_LOOP_COND | FLOW_OP_FUNCTION | FLOW_OP_RANDOM
                      | FLOW_OP_PLACEHOLDER | FLOW_OP_NOT_CONSTANT;

  if (record->signature->op == NULL || (record->signature->flags & never) != 0
      || record->n_outputs == 0 || flow_graph_get_node_error (graph, node) != NULL)
    return FALSE;
  /* A constant itself may be large, it is only pointed to; what is computed may not. What has no known
   * size (BroadcastGradientArgs, Unique, ...) is held by the evaluator's own budget. */
  for (guint i = 0; record->n_data > 0 && i < record->n_outputs; i++)
    {
      gint64 n;

      if (flow_shape_n_elements (*output_shape_at (graph, node, i), &n) && n > MAX_FOLDED_ELEMENTS)
        return FALSE;
    }
  return TRUE;
}

static gboolean
fold (Refiner     *self,
      guint32      node,
      FlowTensor **outputs)
{
  FlowGraph *graph = self->graph;
  const FlowNodeRecord *record = _flow_graph_node (graph, node);
  FlowConstEvaluator evaluate = flow_op_registry_get_evaluator ();
  g_autofree FlowTensor **inputs = g_new0 (FlowTensor *, MAX (record->n_data, 1));

  if (evaluate == NULL || !is_foldable (graph, node))
    return FALSE;
  for (guint i = 0; i < record->n_data; i++)
    {
      inputs[i] = constant_of (self, &_flow_graph_inputs (graph, node)[i]);
      if (inputs[i] == NULL || inputs[i]->n_elements > MAX_FOLDED_ELEMENTS)
        return FALSE;
    }
  return evaluate (record->signature, _flow_graph_attrs (graph, node), record->name, inputs, record->n_data,
                   &g_array_index (graph->output_dtypes, int, record->first_output), outputs, record->n_outputs);
}

/* The value of an output that depends on constants only; borrowed. */
static FlowTensor *
constant_of (Refiner            *self,
             const FlowEndpoint *at)
{
  gpointer key = GUINT_TO_POINTER (output_index (self->graph, at));
  const FlowNodeRecord *record = _flow_graph_node (self->graph, at->node);
  g_autofree FlowTensor **outputs = NULL;
  gpointer known;

  if (g_hash_table_lookup_extended (self->values, key, NULL, &known))
    return known;
  if (self->depth >= MAX_FOLD_DEPTH)
    return NULL;
  outputs = g_new0 (FlowTensor *, MAX (record->n_outputs, 1));
  self->depth++;
  if (!fold (self, at->node, outputs))
    memset (outputs, 0, sizeof (FlowTensor *) * record->n_outputs);
  self->depth--;
  for (guint i = 0; i < record->n_outputs; i++)
    g_hash_table_insert (self->values, GUINT_TO_POINTER (record->first_output + i), outputs[i]);
  return outputs[at->slot];
}

static FlowShape *
list_from_tensor (const FlowTensor *tensor)
{
  FlowShape *list;

  if (FLOW_RANK (tensor) > 1 || tensor->n_elements > FLOW_SHAPE_MAX_RANK
      || (tensor->dtype != FLOW_DTYPE_INT32 && tensor->dtype != FLOW_DTYPE_INT64))
    return NULL;
  list = flow_shape_new_of_rank ((int) tensor->n_elements);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    list->dims[i] = flow_tensor_get_int (tensor, i);
  return list;
}

/* The numbers in an integer output as far as they are known; borrowed. */
static FlowShape *
list_of (Refiner            *self,
         const FlowEndpoint *at)
{
  gpointer key = GUINT_TO_POINTER (output_index (self->graph, at));
  const FlowNodeRecord *record = _flow_graph_node (self->graph, at->node);
  FlowTensor *constant;
  FlowShape *list = NULL;
  gpointer known;

  if (g_hash_table_lookup_extended (self->lists, key, NULL, &known))
    return known;
  if (self->depth >= MAX_FOLD_DEPTH)
    return NULL;
  constant = constant_of (self, at);
  if (constant != NULL)
    list = list_from_tensor (constant);
  else if (record->signature->op != NULL && record->signature->op->value_list != NULL
           && flow_graph_get_node_error (self->graph, at->node) == NULL)
    {
      NodeContext context;

      self->depth++;
      context_init (&context, self, at->node);
      list = record->signature->op->value_list (&context.context, (guint) at->slot);
      context_clear (&context);
      self->depth--;
    }
  g_hash_table_insert (self->lists, key, list);
  return list;
}

static void
report_mismatch (Refiner    *self,
                 guint32     node,
                 GError     *error,
                 GPtrArray  *problems)
{
  const FlowNodeRecord *record = _flow_graph_node (self->graph, node);
  g_autoptr (GString) shapes = g_string_new (NULL);

  for (guint i = 0; i < MIN (record->n_data, 16); i++)
    {
      g_autofree char *text = flow_shape_to_string (input_shape (self, node, i));

      g_string_append_printf (shapes, "%s%s", i > 0 ? ", " : "", text);
    }
  g_ptr_array_add (problems,
                   flow_problem_new (error->code, 1, record->name, "shape", -1,
                                     "%s for '%s' (op: '%s') with input shapes: %s.",
                                     error->message, record->name, record->type, shapes->str));
}

/* What the file says may be more than we can know (set_shape() in the script). */
static FlowShape *
with_stored_shape (FlowGraph *graph,
                   guint32    node,
                   guint      slot,
                   FlowShape *inferred)
{
  FlowAttr *stored = flow_attr_list_get (_flow_graph_attrs (graph, node), "_output_shapes");
  FlowShape *shape;
  FlowShape *merged;

  if (stored == NULL || !flow_attr_is_list (stored) || flow_attr_get_kind (stored) != FLOW_ATTR_SHAPE
      || flow_attr_get_length (stored) != _flow_graph_node (graph, node)->n_outputs)
    return inferred;
  shape = flow_attr_get_shape (flow_attr_get_item (stored, slot));
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < FLOW_DIM_UNKNOWN)
      return inferred;
  if (!flow_infer_merge (NULL, inferred, shape, &merged, NULL))
    return inferred;
  flow_shape_unref (inferred);
  return merged;
}

static void
check_stored_shapes (FlowGraph *graph,
                     guint32    node,
                     GPtrArray *problems)
{
  const FlowNodeRecord *record = _flow_graph_node (graph, node);
  FlowAttr *stored = flow_attr_list_get (_flow_graph_attrs (graph, node), "_output_shapes");

  if (stored != NULL && flow_attr_is_list (stored) && flow_attr_get_length (stored) != record->n_outputs
      && record->signature->op != NULL)
    g_ptr_array_add (problems,
                     flow_problem_new (FLOW_ERROR_INVALID_ARGUMENT, 1, record->name, "attr[_output_shapes]", -1,
                                       "Node '%s' has %u outputs but the _output_shapes attribute specifies shapes for %"
                                       G_GSIZE_FORMAT " outputs", record->name, record->n_outputs,
                                       flow_attr_get_length (stored)));
}

static void
store_handle (FlowGraph      *graph,
              guint           index,
              FlowHandleData *handle)
{
  FlowHandleData *copy;

  if (handle->dtype == FLOW_DTYPE_INVALID)
    return;
  copy = g_new (FlowHandleData, 1);
  copy->dtype = handle->dtype;
  copy->shape = g_steal_pointer (&handle->shape);
  g_hash_table_insert (graph->handles, GUINT_TO_POINTER (index), copy);
}

static void
infer_node (Refiner   *self,
            guint32    node,
            GPtrArray *problems)
{
  FlowGraph *graph = self->graph;
  const FlowNodeRecord *record = _flow_graph_node (graph, node);
  g_autoptr (GError) error = NULL;
  NodeContext context;
  gboolean known = FALSE;

  context_init (&context, self, node);
  if (record->signature->op != NULL && record->signature->op->infer != NULL
      && flow_graph_get_node_error (graph, node) == NULL)
    {
      known = record->signature->op->infer (&context.context, &error);
      if (!known && problems != NULL)
        report_mismatch (self, node, error, problems);
    }
  for (guint i = 0; i < record->n_outputs; i++)
    {
      FlowShape *shape = known ? g_steal_pointer (&context.context.output_shapes[i]) : NULL;
      FlowShape **at = output_shape_at (graph, node, i);

      if (shape == NULL)
        shape = flow_shape_ref (self->unknown);
      flow_shape_unref (*at);
      *at = with_stored_shape (graph, node, i, shape);
      if (known)
        store_handle (graph, record->first_output + i, &context.context.output_handles[i]);
    }
  context_clear (&context);
  if (problems != NULL)
    check_stored_shapes (graph, node, problems);
}

/* Takes down what came back along the loops; whether anything is other than the turn before. */
static gboolean
note_back_shapes (Refiner *self,
                  guint    first,
                  gboolean give_up)
{
  FlowGraph *graph = self->graph;
  gboolean changed = FALSE;

  for (guint32 node = first; node < graph->nodes->len; node++)
    {
      const FlowNodeRecord *record = _flow_graph_node (graph, node);

      if ((record->signature->flags & FLOW_OP_MERGE) == 0)
        continue;
      for (guint i = 0; i < record->n_data; i++)
        {
          const FlowEndpoint *source = &_flow_graph_inputs (graph, node)[i];
          FlowShape *shape;

          if (!is_back_edge (graph, source->node, node))
            continue;
          shape = give_up ? self->unknown : *output_shape_at (graph, source->node, (guint) source->slot);
          changed = changed || !flow_shape_equal (shape, input_shape (self, node, i));
          g_hash_table_insert (self->back_shapes, GUINT_TO_POINTER (record->first_input + i), flow_shape_ref (shape));
        }
    }
  return changed;
}

static void
unref_tensor (gpointer tensor)
{
  if (tensor != NULL)
    flow_tensor_unref (tensor);
}

static void
unref_shape (gpointer shape)
{
  if (shape != NULL)
    flow_shape_unref (shape);
}

void
_flow_graph_infer_shapes (FlowGraph *self,
                          guint32    first,
                          GPtrArray *problems)
{
  g_autoptr (FlowShape) unknown = flow_shape_new_unknown ();
  Refiner refiner = { .graph = self, .unknown = unknown };
  guint n_problems = problems != NULL ? problems->len : 0;

  refiner.values = g_hash_table_new_full (NULL, NULL, NULL, unref_tensor);
  refiner.lists = g_hash_table_new_full (NULL, NULL, NULL, unref_shape);
  refiner.back_shapes = g_hash_table_new_full (NULL, NULL, NULL, unref_shape);
  for (guint turn = 0; turn <= MAX_LOOP_TURNS; turn++)
    {
      if (problems != NULL)
        g_ptr_array_set_size (problems, (int) n_problems);
      for (guint i = first; i < self->order->len; i++)
        infer_node (&refiner, g_array_index (self->order, guint32, i), problems);
      if (!note_back_shapes (&refiner, first, turn + 2 > MAX_LOOP_TURNS))
        break;
      /* Lists of shapes inside loops may hold what is no longer so. */
      g_hash_table_remove_all (refiner.lists);
      g_hash_table_remove_all (refiner.values);
    }
  g_hash_table_unref (refiner.values);
  g_hash_table_unref (refiner.lists);
  g_hash_table_unref (refiner.back_shapes);
}
