/* flow-builder-infer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"
#include "flow-summarize.h"

#include <string.h>

/* A shape in the words of Python: "(?, 3)". */
char *
_flow_builder_shape_text (const FlowShape *shape)
{
  g_autoptr (GString) text = g_string_new ("(");

  if (shape->rank < 0)
    return g_strdup ("<unknown>");
  for (int i = 0; i < shape->rank; i++)
    {
      if (shape->dims[i] < 0)
        g_string_append (text, "?");
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, shape->dims[i]);
      if (i + 1 < shape->rank)
        g_string_append (text, ", ");
      else if (shape->rank == 1)
        g_string_append (text, ",");
    }
  g_string_append (text, ")");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Shapes while a graph is made: the op's own shape function, constants folded where it asks for a
 * value, and TensorFlow's words where a shape cannot be. */

/* Folding serves shapes, axes and sizes; nothing of that kind is long, or computed in many steps. */
#define MAX_FOLDED_ELEMENTS 4096
#define MAX_FOLD_DEPTH 48
/* As many of an input's elements stand in an error's text. */
#define MAX_SHOWN 256

enum {
  ASKED_VALUE = 1 << 0,
  ASKED_LIST = 1 << 1,
};

typedef struct {
  FlowInferContext context;
  FlowBuilder *builder;
  FlowBuildNode *node;
  guint depth;
  gboolean constants_only;     /* lists that are known in part are not lent */
  guint8 *asked;               /* nullable; per input ASKED_ flags: what was asked for so far */
  guint8 *given;               /* with asked; per input: what of it may be given */
  GPtrArray *lists;            /* of FlowShape: what was lent to the shape function */
} Inference;

static FlowTensor *constant_of (FlowBuilder *self, FlowEndpoint at, guint depth);
static FlowTensor *value_seen  (FlowBuilder *self, FlowEndpoint at, guint depth);
static FlowShape  *list_of     (FlowBuilder *self, FlowEndpoint at, guint depth, gboolean constants_only);

/* Notes that an input was asked for. */
static gboolean
may_give (Inference *self,
          guint      input,
          guint8     what)
{
  if (self->asked == NULL)
    return TRUE;
  self->asked[input] |= what;
  return (self->given[input] & what) != 0;
}

static FlowTensor *
find_value (gpointer finder,
            guint    input)
{
  Inference *self = finder;

  if (!may_give (self, input, ASKED_VALUE))
    return NULL;
  return value_seen (self->builder, g_array_index (self->node->inputs, FlowEndpoint, input), self->depth);
}

static void
unref_shape (gpointer shape)
{
  flow_shape_unref (shape);
}

static FlowShape *
find_value_list (gpointer finder,
                 guint    input)
{
  Inference *self = finder;
  FlowEndpoint at = g_array_index (self->node->inputs, FlowEndpoint, input);
  FlowShape *list;

  if (!may_give (self, input, ASKED_LIST))
    return NULL;
  list = list_of (self->builder, at, self->depth, self->constants_only);
  if (list == NULL)
    return NULL;
  g_ptr_array_add (self->lists, list);
  return list;
}

static void
inference_init (Inference     *self,
                FlowBuilder   *builder,
                FlowBuildNode *node,
                guint          depth)
{
  FlowInferContext *c = &self->context;
  guint n = node->inputs->len;

  memset (self, 0, sizeof *self);
  self->builder = builder;
  self->node = node;
  self->depth = depth;
  c->node_name = node->name;
  c->signature = node->signature;
  c->attrs = node->attrs;
  /* To inference 0 means that nobody knows; a graph that says nothing is older than all rules that changed. */
  c->producer = MAX (builder->producer, 1);
  c->n_inputs = n;
  c->input_shapes = g_new0 (FlowShape *, MAX (n, 1));
  c->input_handles = g_new0 (FlowHandleData, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      FlowEndpoint at = g_array_index (node->inputs, FlowEndpoint, i);
      FlowBuildNode *source = _flow_builder_node (builder, at.node);

      c->input_shapes[i] = source->shapes[at.slot];
      c->input_handles[i] = source->handles[at.slot];
    }
  c->n_outputs = node->n_outputs;
  c->output_shapes = g_new0 (FlowShape *, MAX (node->n_outputs, 1));
  c->output_handles = g_new0 (FlowHandleData, MAX (node->n_outputs, 1));
  c->find_value = find_value;
  c->find_value_list = find_value_list;
  c->finder = self;
  self->lists = g_ptr_array_new_with_free_func (unref_shape);
}

static void
forget_outputs (FlowInferContext *c)
{
  for (guint i = 0; i < c->n_outputs; i++)
    {
      g_clear_pointer (&c->output_shapes[i], flow_shape_unref);
      g_clear_pointer (&c->output_handles[i].shape, flow_shape_unref);
    }
}

static void
inference_clear (Inference *self)
{
  FlowInferContext *c = &self->context;

  forget_outputs (c);
  g_free (c->input_shapes);
  g_free (c->input_handles);
  g_free (c->output_shapes);
  g_free (c->output_handles);
  g_free (self->asked);
  g_free (self->given);
  g_ptr_array_unref (self->lists);
}

/* --- Values --- */

static gboolean
is_foldable (const FlowBuildNode *node)
{
  const guint never = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT | FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER
                      | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION | FLOW_OP_LOOP_COND | FLOW_OP_FUNCTION | FLOW_OP_RANDOM
                      | FLOW_OP_PLACEHOLDER | FLOW_OP_NOT_CONSTANT;

  if ((node->signature->flags & never) != 0 || node->n_outputs == 0
      || strcmp (node->signature->name, "PlaceholderWithDefault") == 0)
    return FALSE;
  for (guint i = 0; node->inputs->len > 0 && i < node->n_outputs; i++)
    {
      gint64 n;

      if (flow_shape_n_elements (node->shapes[i], &n) && n > MAX_FOLDED_ELEMENTS)
        return FALSE;
    }
  return TRUE;
}

/* What Shape, Size and Rank say of a shape that is known, whatever the value is. */
static FlowTensor *
value_of_shape (FlowBuilder         *self,
                const FlowBuildNode *node)
{
  const char *type = node->signature->name;
  FlowEndpoint at;
  const FlowShape *shape;
  g_autoptr (FlowShape) vector = NULL;
  FlowTensor *value;
  gint64 n;

  if (node->inputs->len != 1 || node->n_outputs != 1)
    return NULL;
  at = g_array_index (node->inputs, FlowEndpoint, 0);
  shape = _flow_builder_node (self, at.node)->shapes[at.slot];
  if (strcmp (type, "Rank") == 0 && shape->rank >= 0)
    return flow_tensor_new_int32 (shape->rank);
  if (strcmp (type, "Size") == 0 && flow_shape_is_known (shape) && flow_shape_n_elements (shape, &n))
    return node->dtypes[0] == FLOW_DTYPE_INT64 ? flow_tensor_new_int64 (n) : flow_tensor_new_int32 ((gint32) n);
  if (strcmp (type, "Shape") != 0 || !flow_shape_is_known (shape))
    return NULL;
  vector = flow_shape_new_vector (shape->rank);
  value = flow_tensor_new ((FlowDType) node->dtypes[0], vector, NULL, NULL);
  for (int i = 0; value != NULL && i < shape->rank; i++)
    if (node->dtypes[0] == FLOW_DTYPE_INT64)
      ((gint64 *) flow_tensor_get_writable (value))[i] = shape->dims[i];
    else
      ((gint32 *) flow_tensor_get_writable (value))[i] = (gint32) shape->dims[i];
  return value;
}

static gboolean
fold (FlowBuilder          *self,
      FlowBuildNode        *node,
      guint                 depth,
      FlowTensor          **outputs)
{
  FlowConstEvaluator evaluate = flow_op_registry_get_evaluator ();
  g_autofree FlowTensor **inputs = NULL;

  if (evaluate == NULL || depth >= MAX_FOLD_DEPTH || !is_foldable (node))
    return FALSE;
  if (node->n_outputs == 1 && (outputs[0] = value_of_shape (self, node)) != NULL)
    return TRUE;
  inputs = g_new0 (FlowTensor *, MAX (node->inputs->len, 1));
  for (guint i = 0; i < node->inputs->len; i++)
    {
      inputs[i] = constant_of (self, g_array_index (node->inputs, FlowEndpoint, i), depth + 1);
      if (inputs[i] == NULL || flow_tensor_get_n_elements (inputs[i]) > MAX_FOLDED_ELEMENTS)
        return FALSE;
    }
  return evaluate (node->signature, node->attrs, node->name, inputs, node->inputs->len, node->dtypes, outputs,
                   node->n_outputs);
}

/* The value of an output that depends on constants only; borrowed. */
static FlowTensor *
constant_of (FlowBuilder  *self,
             FlowEndpoint  at,
             guint         depth)
{
  gint64 key = (gint64) FLOW_OUTPUT (at.node, at.slot);
  FlowBuildNode *node = _flow_builder_node (self, at.node);
  g_autofree FlowTensor **outputs = NULL;
  gpointer known;

  if (g_hash_table_lookup_extended (self->constants, &key, NULL, &known))
    return known;
  outputs = g_new0 (FlowTensor *, MAX (node->n_outputs, 1));
  if (!fold (self, node, depth, outputs))
    memset (outputs, 0, sizeof (FlowTensor *) * node->n_outputs);
  /* What is not constant may become so when a shape is set; what failed for its depth may not. */
  if (outputs[at.slot] == NULL)
    return NULL;
  for (guint i = 0; i < node->n_outputs; i++)
    {
      key = (gint64) FLOW_OUTPUT (at.node, i);
      g_hash_table_insert (self->constants, g_memdup2 (&key, sizeof key), outputs[i]);
    }
  return outputs[at.slot];
}

/* The value that an op in the making sees in an input. TF: it looks through one Enter at what is constant outside of a
 * loop, but folds nothing that has an Enter further up. */
static FlowTensor *
value_seen (FlowBuilder  *self,
            FlowEndpoint  at,
            guint         depth)
{
  FlowBuildNode *node = _flow_builder_node (self, at.node);
  FlowTensor *constant = constant_of (self, at, depth);

  if (constant != NULL || (node->signature->flags & FLOW_OP_ENTER) == 0)
    return constant;
  return constant_of (self, g_array_index (node->inputs, FlowEndpoint, 0), depth + 1);
}

static FlowShape *
list_from_tensor (const FlowTensor *tensor)
{
  FlowShape *list;

  if (flow_tensor_get_rank (tensor) > 1 || flow_tensor_get_n_elements (tensor) > FLOW_SHAPE_MAX_RANK
      || (flow_tensor_get_dtype (tensor) != FLOW_DTYPE_INT32 && flow_tensor_get_dtype (tensor) != FLOW_DTYPE_INT64))
    return NULL;
  list = flow_shape_new_of_rank ((int) flow_tensor_get_n_elements (tensor));
  for (gint64 i = 0; i < flow_tensor_get_n_elements (tensor); i++)
    list->dims[i] = flow_tensor_get_int (tensor, i);
  return list;
}

/* TF: the ops through which a graph in the making sees numbers that are known in part. Slice and Gather are not
 * among them: what they cut out of a shape is known where the whole shape is. */
static gboolean
is_seen_through (const FlowBuildNode *node)
{
  static const char *const through[] = { "Cast", "Concat", "ConcatV2", "Pack", "Shape", "ShapeN", "StridedSlice", NULL };

  return g_strv_contains (through, node->signature->name);
}

/* The numbers in an integer output as far as they are known; a new reference. */
static FlowShape *
list_of (FlowBuilder  *self,
         FlowEndpoint  at,
         guint         depth,
         gboolean      constants_only)
{
  FlowBuildNode *node = _flow_builder_node (self, at.node);
  FlowTensor *constant = value_seen (self, at, depth);
  FlowShape *list = NULL;
  Inference inference;

  if (constant != NULL)
    return list_from_tensor (constant);
  if (constants_only || depth >= MAX_FOLD_DEPTH || node->signature->op == NULL || node->signature->op->value_list == NULL
      || !is_seen_through (node))
    return NULL;
  inference_init (&inference, self, node, depth + 1);
  /* TF: what is packed counts only where it is a constant. */
  inference.constants_only = strcmp (node->signature->name, "Pack") == 0;
  list = node->signature->op->value_list (&inference.context, (guint) at.slot);
  inference_clear (&inference);
  return list;
}

/* --- Shapes --- */

static gboolean
infer (Inference  *self,
       GError    **error)
{
  return _flow_builder_check_ranks (self->node, &self->context, error)
         && self->node->signature->op->infer (&self->context, error);
}

/* TF: a number below -1 in a vector that it reads as a shape ends the building by itself, with no word of the op. A
 * scalar is a dimension, and is refused by the op that has it. */
static gboolean
find_invalid_size (Inference  *self,
                   GError    **error)
{
  for (guint i = 0; i < self->context.n_inputs; i++)
    {
      FlowTensor *value = NULL;

      if ((self->asked[i] & ~self->given[i] & ASKED_LIST) != 0)
        value = constant_of (self->builder, g_array_index (self->node->inputs, FlowEndpoint, i), 0);
      if (value == NULL || FLOW_RANK (value) != 1)
        continue;
      for (gint64 k = 0; k < flow_tensor_get_n_elements (value); k++)
        if (flow_tensor_get_int (value, k) < FLOW_DIM_UNKNOWN)
          {
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                         "Invalid value in tensor used for shape: %" G_GINT64_FORMAT, flow_tensor_get_int (value, k));
            return TRUE;
          }
    }
  return FALSE;
}

/* TF runs a shape function first with no values at all, then with those that it asked for, until it asks for
 * no more. What it says is what it says in the first of these runs that fails, with the values it had there.
 * Returns whether it was the shape function that failed. */
static gboolean
fail_as_tensorflow (Inference  *self,
                    GError    **what)
{
  guint n = self->context.n_inputs;

  self->asked = g_malloc0 (MAX (n, 1));
  self->given = g_malloc0 (MAX (n, 1));
  while (TRUE)
    {
      g_autoptr (GError) error = NULL;

      forget_outputs (&self->context);
      if (!infer (self, &error))
        {
          g_clear_error (what);
          *what = g_steal_pointer (&error);
          return TRUE;
        }
      if (memcmp (self->asked, self->given, n) == 0)
        return TRUE;
      if (find_invalid_size (self, &error))
        {
          g_clear_error (what);
          *what = g_steal_pointer (&error);
          return FALSE;
        }
      memcpy (self->given, self->asked, n);
    }
}

/* "[4,2]" of an input that was read as a shape, "<4 2>" of another value; empty where it was not given. */
static char *
given_text (Inference *self,
            guint      input,
            guint8     kind)
{
  FlowEndpoint at = g_array_index (self->node->inputs, FlowEndpoint, input);
  FlowShape *shape = self->context.input_shapes[input];
  g_autoptr (FlowShape) list = NULL;
  g_autofree char *shown = NULL;
  FlowTensor *value;

  if ((self->given[input] & ASKED_LIST) != 0 && shape->rank == 1)
    list = list_of (self->builder, at, 0, FALSE);
  if (list != NULL)
    return kind == ASKED_LIST ? flow_shape_to_string (list) : NULL;
  value = (self->given[input] & kind & ASKED_VALUE) != 0 ? constant_of (self->builder, at, 0) : NULL;
  if (value == NULL)
    return NULL;
  shown = flow_tensor_summarize (value, MAX_SHOWN);
  return g_strdup_printf ("<%s>", shown);
}

static void
append_given (Inference  *self,
              GString    *text,
              guint8      kind,
              const char *title)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->context.n_inputs; i++)
    {
      g_autofree char *shown = given_text (self, i, kind);

      if (shown == NULL)
        continue;
      g_string_append_printf (text, "%sinput[%u] = %s", any ? kind == ASKED_LIST ? "," : ", " : title, i, shown);
      any = TRUE;
    }
}

/* The error of a shape function, with where it came up and what it saw. */
static void
explain (Inference  *self,
         GError    **what)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char *message;

  if (!fail_as_tensorflow (self, what))
    return;
  for (guint i = 0; i < self->context.n_inputs; i++)
    {
      g_autofree char *shape = flow_shape_to_string (self->context.input_shapes[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              self->context.input_shapes[i]->rank == FLOW_RANK_UNKNOWN ? "?" : shape);
    }
  append_given (self, text, ASKED_VALUE, " and with computed input tensors: ");
  append_given (self, text, ASKED_LIST, " and with input tensors computed as partial shapes: ");
  message = g_strdup_printf ("%s for '%s' (op: '%s') with input shapes: %s.", (*what)->message, self->node->name,
                             self->node->signature->name, text->str);
  g_free ((*what)->message);
  (*what)->message = message;
}

gboolean
_flow_builder_infer (FlowBuilder    *self,
                     FlowBuildNode  *node,
                     GError        **error)
{
  Inference inference;
  GError *what = NULL;
  gboolean known;

  if (node->signature->op == NULL || node->signature->op->infer == NULL)
    return TRUE;
  inference_init (&inference, self, node, 0);
  known = infer (&inference, &what);
  if (!known)
    {
      explain (&inference, &what);
      g_propagate_error (error, what);
    }
  for (guint i = 0; known && i < node->n_outputs; i++)
    {
      if (inference.context.output_shapes[i] != NULL)
        {
          flow_shape_unref (node->shapes[i]);
          node->shapes[i] = g_steal_pointer (&inference.context.output_shapes[i]);
        }
      if (inference.context.output_handles[i].dtype != FLOW_DTYPE_INVALID)
        {
          node->handles[i] = inference.context.output_handles[i];
          inference.context.output_handles[i].shape = NULL;
        }
    }
  inference_clear (&inference);
  /* What changes in a loop may change its shape, until a while_loop says that it does not. */
  if (known && strcmp (node->signature->name, "Enter") == 0
      && !flow_attr_get_bool (flow_attr_list_get (node->attrs, "is_constant")))
    {
      flow_shape_unref (node->shapes[0]);
      node->shapes[0] = flow_shape_new_unknown ();
    }
  return known;
}

/**
 * flow_builder_set_shape:
 * @self: a builder
 * @output: an output
 * @shape: what is known of its shape beyond what was inferred
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT where the two contradict each other
 */
gboolean
flow_builder_set_shape (FlowBuilder      *self,
                        guint64           output,
                        const FlowShape  *shape,
                        GError          **error)
{
  FlowBuildNode *node;
  FlowShape **at;
  FlowShape *merged;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && FLOW_OUTPUT_NODE (output) < self->nodes->len, FALSE);

  node = _flow_builder_node (self, FLOW_OUTPUT_NODE (output));
  g_return_val_if_fail ((guint) FLOW_OUTPUT_SLOT (output) < node->n_outputs, FALSE);
  at = &node->shapes[FLOW_OUTPUT_SLOT (output)];
  if (!flow_infer_merge (NULL, *at, shape, &merged, error))
    return FALSE;
  flow_shape_unref (*at);
  *at = merged;
  return TRUE;
}

/**
 * flow_builder_dup_constant:
 * @self: a builder
 * @output: an output
 *
 * Returns: (transfer full) (nullable): its value if that follows from constants alone, %NULL if not or
 *   if it is too large to be asked for
 */
FlowTensor *
flow_builder_dup_constant (FlowBuilder *self,
                           guint64      output)
{
  FlowEndpoint at = { FLOW_OUTPUT_NODE (output), FLOW_OUTPUT_SLOT (output) };
  FlowTensor *value;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && at.node < self->nodes->len, NULL);
  g_return_val_if_fail ((guint) at.slot < _flow_builder_node (self, at.node)->n_outputs, NULL);

  value = constant_of (self, at, 0);
  return value != NULL ? flow_tensor_ref (value) : NULL;
}

FlowTensor *
_flow_builder_peek_constant (FlowBuilder  *self,
                             FlowEndpoint  at)
{
  return constant_of (self, at, 0);
}

/**
 * flow_builder_dup_value_list:
 * @self: a builder
 * @output: an integer vector or scalar
 *
 * Returns: (transfer full) (nullable): its numbers as far as they are known, -1 for those that are not;
 *   %NULL when not even their count is
 */
FlowShape *
flow_builder_dup_value_list (FlowBuilder *self,
                             guint64      output)
{
  FlowEndpoint at = { FLOW_OUTPUT_NODE (output), FLOW_OUTPUT_SLOT (output) };

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && at.node < self->nodes->len, NULL);
  g_return_val_if_fail ((guint) at.slot < _flow_builder_node (self, at.node)->n_outputs, NULL);

  return list_of (self, at, 0, FALSE);
}
