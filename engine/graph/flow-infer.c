/* flow-infer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-infer.h"

#include "flow-util.h"

#include <string.h>

/**
 * flow_infer_input: (skip)
 * @c: a context
 * @i: which input
 *
 * Returns: (transfer none): its shape, never %NULL
 */
FlowShape *
flow_infer_input (FlowInferContext *c,
                  guint             i)
{
  g_return_val_if_fail (i < c->n_inputs, NULL);

  return c->input_shapes[i];
}

/**
 * flow_infer_input_value: (skip)
 * @c: a context
 * @i: which input
 *
 * Returns: (transfer none) (nullable): its value if it is constant or, when running, always
 */
FlowTensor *
flow_infer_input_value (FlowInferContext *c,
                        guint             i)
{
  FlowTensor *value = NULL;

  g_return_val_if_fail (i < c->n_inputs, NULL);

  /* Whoever caches what was inferred must know that it hangs on values. */
  c->needs_values = TRUE;
  if (c->input_values != NULL)
    value = c->input_values[i];
  if (value == NULL && c->find_value != NULL)
    value = c->find_value (c->finder, i);
  return value;
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

/**
 * flow_infer_value_list: (skip)
 * @c: a context
 * @i: which input
 *
 * Returns: (transfer none) (nullable): what is known of an integer input's value: one entry for a
 *   scalar, -1 where unknown
 */
FlowShape *
flow_infer_value_list (FlowInferContext *c,
                       guint             i)
{
  g_return_val_if_fail (i < c->n_inputs, NULL);

  c->needs_values = TRUE;
  if (c->input_as_shape != NULL && c->input_as_shape[i] != NULL)
    return c->input_as_shape[i];
  return c->find_value_list != NULL ? c->find_value_list (c->finder, i) : NULL;
}

/**
 * flow_infer_shape_from_value: (skip)
 * @c: a context
 * @i: an input whose value is a shape (1-D int32 or int64; a scalar -1 is an unknown shape)
 * @out: (out) (transfer full): that shape; of unknown rank where nothing is known
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words when the value is no shape
 */
gboolean
flow_infer_shape_from_value (FlowInferContext  *c,
                             guint              i,
                             FlowShape        **out,
                             GError           **error)
{
  FlowShape *shape = flow_infer_input (c, i);
  FlowTensor *value;
  FlowShape *list;

  /* TF: a rank that cannot be is told before the value is asked for. */
  FLOW_REQUIRE (shape->rank == 1 || shape->rank == FLOW_RANK_UNKNOWN, error, INVALID_ARGUMENT, "Shape must be rank 1 but is rank %d", shape->rank);
  value = flow_infer_input_value (c, i);
  if (value != NULL)
    {
      FLOW_REQUIRE (FLOW_RANK (value) == 1, error, INVALID_ARGUMENT,
                    "Shape must be rank 1 but is rank %d", FLOW_RANK (value));
      FLOW_REQUIRE (value->n_elements <= FLOW_SHAPE_MAX_RANK, error, INVALID_ARGUMENT,
                    "Shape has too many dimensions: %" G_GINT64_FORMAT, value->n_elements);
      *out = flow_shape_new_of_rank ((int) value->n_elements);
      for (gint64 k = 0; k < value->n_elements; k++)
        {
          gint64 dim = flow_tensor_get_int (value, k);

          if (dim < -1)
            {
              g_clear_pointer (out, flow_shape_unref);
              g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "Dimension size, given by scalar input %u, must be non-negative but is %" G_GINT64_FORMAT,
                           i, dim);
              return FALSE;
            }
          (*out)->dims[k] = dim;
        }
      return TRUE;
    }
  list = flow_infer_value_list (c, i);
  if (list != NULL)
    *out = flow_shape_ref (list);
  else if (shape->rank == 1 && shape->dims[0] >= 0 && shape->dims[0] <= FLOW_SHAPE_MAX_RANK)
    *out = flow_shape_new_of_rank ((int) shape->dims[0]);
  else
    *out = flow_shape_new_unknown ();
  return TRUE;
}

/**
 * flow_infer_scalar_value: (skip)
 * @c: a context
 * @i: an integer input
 * @value: (out): its value
 *
 * Returns: whether it is a scalar (or one element) whose value is known
 */
gboolean
flow_infer_scalar_value (FlowInferContext *c,
                         guint             i,
                         gint64           *value)
{
  FlowTensor *tensor = flow_infer_input_value (c, i);
  FlowShape *list;

  if (tensor != NULL)
    {
      g_autoptr (FlowShape) own = list_from_tensor (tensor);

      if (own == NULL || own->rank != 1)
        return FALSE;
      *value = own->dims[0];
      return TRUE;
    }
  list = flow_infer_value_list (c, i);
  if (list == NULL || list->rank != 1 || list->dims[0] < 0)
    return FALSE;
  *value = list->dims[0];
  return TRUE;
}

/**
 * flow_infer_take_output: (skip)
 * @c: a context
 * @i: which output
 * @shape: (transfer full): its shape
 */
void
flow_infer_take_output (FlowInferContext *c,
                        guint             i,
                        FlowShape        *shape)
{
  g_return_if_fail (i < c->n_outputs && shape != NULL);

  if (c->output_shapes[i] != NULL)
    flow_shape_unref (c->output_shapes[i]);
  c->output_shapes[i] = shape;
}

/**
 * flow_infer_set_output: (skip)
 * @c: a context
 * @i: which output
 * @shape: its shape
 */
void
flow_infer_set_output (FlowInferContext *c,
                       guint             i,
                       const FlowShape  *shape)
{
  flow_infer_take_output (c, i, flow_shape_ref (shape));
}

/**
 * flow_infer_set_handle: (skip)
 * @c: a context
 * @i: which output, of dtype resource
 * @dtype: dtype of what the resource holds
 * @shape: (nullable): its shape
 */
void
flow_infer_set_handle (FlowInferContext *c,
                       guint             i,
                       int               dtype,
                       const FlowShape  *shape)
{
  g_return_if_fail (i < c->n_outputs);

  if (c->output_handles == NULL)
    return;
  g_clear_pointer (&c->output_handles[i].shape, flow_shape_unref);
  c->output_handles[i].dtype = dtype;
  c->output_handles[i].shape = shape != NULL ? flow_shape_ref (shape) : NULL;
}

/**
 * flow_infer_attr: (skip)
 * @c: a context
 * @name: an attr's name
 *
 * Returns: (transfer none) (nullable): its value, or the definition's default
 */
FlowAttr *
flow_infer_attr (FlowInferContext *c,
                 const char       *name)
{
  FlowAttr *value = flow_attr_list_get (c->attrs, name);

  if (value == NULL)
    {
      FlowAttrDef *def = flow_op_signature_find_attr (c->signature, name);

      value = def != NULL ? def->default_value : NULL;
    }
  return value;
}

/**
 * flow_infer_attr_int: (skip)
 * @c: a context
 * @name: an int attr
 *
 * Returns: its value, 0 where there is none
 */
gint64
flow_infer_attr_int (FlowInferContext *c,
                     const char       *name)
{
  FlowAttr *value = flow_infer_attr (c, name);

  return value != NULL ? flow_attr_get_int (value) : 0;
}

/**
 * flow_infer_attr_float: (skip)
 * @c: a context
 * @name: a float attr
 *
 * Returns: its value, 0 where there is none
 */
float
flow_infer_attr_float (FlowInferContext *c,
                       const char       *name)
{
  FlowAttr *value = flow_infer_attr (c, name);

  return value != NULL ? flow_attr_get_float (value) : 0.0f;
}

/**
 * flow_infer_attr_bool: (skip)
 * @c: a context
 * @name: a bool attr
 *
 * Returns: its value, %FALSE where there is none
 */
gboolean
flow_infer_attr_bool (FlowInferContext *c,
                      const char       *name)
{
  FlowAttr *value = flow_infer_attr (c, name);

  return value != NULL && flow_attr_get_bool (value);
}

/**
 * flow_infer_attr_dtype: (skip)
 * @c: a context
 * @name: a type attr
 *
 * Returns: its value, %FLOW_DTYPE_INVALID where there is none
 */
int
flow_infer_attr_dtype (FlowInferContext *c,
                       const char       *name)
{
  FlowAttr *value = flow_infer_attr (c, name);

  return value != NULL ? flow_attr_get_dtype (value) : FLOW_DTYPE_INVALID;
}

/**
 * flow_infer_attr_string: (skip)
 * @c: a context
 * @name: a string attr
 *
 * Returns: (transfer none): its value, empty where there is none
 */
const char *
flow_infer_attr_string (FlowInferContext *c,
                        const char       *name)
{
  FlowAttr *value = flow_infer_attr (c, name);

  return value != NULL ? flow_attr_get_string (value, NULL) : "";
}

/**
 * flow_infer_attr_shape: (skip)
 * @c: a context
 * @name: a shape attr
 *
 * Returns: (transfer none) (nullable): its value
 */
FlowShape *
flow_infer_attr_shape (FlowInferContext *c,
                       const char       *name)
{
  FlowAttr *value = flow_infer_attr (c, name);

  return value != NULL ? flow_attr_get_shape (value) : NULL;
}

/**
 * flow_infer_with_rank: (skip)
 * @c: a context
 * @shape: a shape
 * @rank: the rank it must have
 * @out: (out) (transfer full): @shape, or where its rank is unknown one of that rank
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when the rank is another
 */
gboolean
flow_infer_with_rank (FlowInferContext  *c,
                      const FlowShape   *shape,
                      int                rank,
                      FlowShape        **out,
                      GError           **error)
{
  FLOW_REQUIRE (shape->rank == FLOW_RANK_UNKNOWN || shape->rank == rank, error, INVALID_ARGUMENT,
                "Shape must be rank %d but is rank %d", rank, shape->rank);
  *out = shape->rank == rank ? flow_shape_ref (shape) : flow_shape_new_of_rank (rank);
  return TRUE;
}

/**
 * flow_infer_with_rank_at_least: (skip)
 * @c: a context
 * @shape: a shape
 * @rank: the least rank it may have
 * @out: (out) (transfer full): @shape
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when the rank is less
 */
gboolean
flow_infer_with_rank_at_least (FlowInferContext  *c,
                               const FlowShape   *shape,
                               int                rank,
                               FlowShape        **out,
                               GError           **error)
{
  FLOW_REQUIRE (shape->rank == FLOW_RANK_UNKNOWN || shape->rank >= rank, error, INVALID_ARGUMENT,
                "Shape must be at least rank %d but is rank %d", rank, shape->rank);
  *out = flow_shape_ref (shape);
  return TRUE;
}

/**
 * flow_infer_with_rank_at_most: (skip)
 * @c: a context
 * @shape: a shape
 * @rank: the greatest rank it may have
 * @out: (out) (transfer full): @shape
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when the rank is more
 */
gboolean
flow_infer_with_rank_at_most (FlowInferContext  *c,
                              const FlowShape   *shape,
                              int                rank,
                              FlowShape        **out,
                              GError           **error)
{
  FLOW_REQUIRE (shape->rank <= rank, error, INVALID_ARGUMENT,
                "Shape must be at most rank %d but is rank %d", rank, shape->rank);
  *out = flow_shape_ref (shape);
  return TRUE;
}

/**
 * flow_infer_merge_dim: (skip)
 * @c: a context
 * @a: a dimension, -1 unknown
 * @b: another
 * @out: (out): the one that is known
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when both are known and differ
 */
gboolean
flow_infer_merge_dim (FlowInferContext  *c,
                      gint64             a,
                      gint64             b,
                      gint64            *out,
                      GError           **error)
{
  FLOW_REQUIRE (a < 0 || b < 0 || a == b, error, INVALID_ARGUMENT,
                "Dimensions must be equal, but are %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT, a, b);
  *out = a >= 0 ? a : b;
  return TRUE;
}

/**
 * flow_infer_merge: (skip)
 * @c: a context
 * @a: a shape
 * @b: another
 * @out: (out) (transfer full): what both know together
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when ranks or dimensions differ
 */
gboolean
flow_infer_merge (FlowInferContext  *c,
                  const FlowShape   *a,
                  const FlowShape   *b,
                  FlowShape        **out,
                  GError           **error)
{
  g_autoptr (FlowShape) merged = NULL;

  if (a->rank == FLOW_RANK_UNKNOWN || a == b)
    {
      *out = flow_shape_ref (b);
      return TRUE;
    }
  if (b->rank == FLOW_RANK_UNKNOWN)
    {
      *out = flow_shape_ref (a);
      return TRUE;
    }
  FLOW_REQUIRE (a->rank == b->rank, error, INVALID_ARGUMENT,
                "Shapes must be equal rank, but are %d and %d", a->rank, b->rank);
  merged = flow_shape_new_of_rank (a->rank);
  for (int i = 0; i < a->rank; i++)
    {
      if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i])
        {
          g_autofree char *x = flow_shape_to_string (a);
          g_autofree char *y = flow_shape_to_string (b);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "Dimension %d in both shapes must be equal, but are %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                       ". Shapes are %s and %s.", i, a->dims[i], b->dims[i], x, y);
          return FALSE;
        }
      merged->dims[i] = a->dims[i] >= 0 ? a->dims[i] : b->dims[i];
    }
  *out = g_steal_pointer (&merged);
  return TRUE;
}

/**
 * flow_infer_concatenate: (skip)
 * @c: a context
 * @a: a shape
 * @b: another
 * @out: (out) (transfer full): the dimensions of @a, then those of @b
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when there would be too many dimensions
 */
gboolean
flow_infer_concatenate (FlowInferContext  *c,
                        const FlowShape   *a,
                        const FlowShape   *b,
                        FlowShape        **out,
                        GError           **error)
{
  if (a->rank == FLOW_RANK_UNKNOWN || b->rank == FLOW_RANK_UNKNOWN)
    {
      *out = flow_shape_new_unknown ();
      return TRUE;
    }
  FLOW_REQUIRE (a->rank + b->rank <= FLOW_SHAPE_MAX_RANK, error, INVALID_ARGUMENT,
                "Shape has too many dimensions: %d", a->rank + b->rank);
  *out = flow_shape_new_of_rank (a->rank + b->rank);
  if (a->rank > 0)
    memcpy ((*out)->dims, a->dims, sizeof (gint64) * (gsize) a->rank);
  if (b->rank > 0)
    memcpy ((*out)->dims + a->rank, b->dims, sizeof (gint64) * (gsize) b->rank);
  return TRUE;
}

/**
 * flow_infer_subshape: (skip)
 * @c: a context
 * @shape: a shape
 * @begin: first dimension; negative counts from the end
 * @end: one past the last; negative counts from the end, %G_MAXINT takes the rest
 * @out: (out) (transfer full): those dimensions
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when the range is no range of @shape
 */
gboolean
flow_infer_subshape (FlowInferContext  *c,
                     const FlowShape   *shape,
                     int                begin,
                     int                end,
                     FlowShape        **out,
                     GError           **error)
{
  int rank = shape->rank;
  int first;
  int last;

  if (rank == FLOW_RANK_UNKNOWN)
    {
      *out = flow_shape_new_unknown ();
      return TRUE;
    }
  first = begin < 0 ? rank + begin : MIN (begin, rank);
  last = end == G_MAXINT ? rank : end < 0 ? rank + end : MIN (end, rank);
  FLOW_REQUIRE (first >= 0, error, INVALID_ARGUMENT,
                "Subshape start out of bounds: %d, for shape with rank %d", begin, rank);
  FLOW_REQUIRE (last >= 0, error, INVALID_ARGUMENT,
                "Subshape end out of bounds: %d, for shape with rank %d", end, rank);
  FLOW_REQUIRE (first <= last, error, INVALID_ARGUMENT,
                "Subshape must have computed start <= end, but is %d and %d (computed from start %d and end %d "
                "over shape with rank %d)", first, last, begin, end, rank);
  *out = flow_shape_new (last - first, shape->dims + first);
  return TRUE;
}

/**
 * flow_infer_broadcast: (skip)
 * @c: a context
 * @a: a shape
 * @b: another
 * @out: (out) (transfer full): what both broadcast to, by numpy's rule
 * @error: where to put an error
 *
 * An unknown dimension against 1 stays unknown; against more than 1 it is that (the other must be
 * equal to it, or 1).
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words
 */
gboolean
flow_infer_broadcast (FlowInferContext  *c,
                      const FlowShape   *a,
                      const FlowShape   *b,
                      FlowShape        **out,
                      GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  int rank;

  if (a->rank == FLOW_RANK_UNKNOWN || b->rank == FLOW_RANK_UNKNOWN)
    {
      *out = flow_shape_new_unknown ();
      return TRUE;
    }
  rank = MAX (a->rank, b->rank);
  shape = flow_shape_new_of_rank (rank);
  for (int i = 0; i < rank; i++)
    {
      gint64 x = i < rank - a->rank ? 1 : a->dims[i - (rank - a->rank)];
      gint64 y = i < rank - b->rank ? 1 : b->dims[i - (rank - b->rank)];

      if (x < 0 || y < 0)
        shape->dims[i] = x > 1 ? x : y > 1 ? y : FLOW_DIM_UNKNOWN;
      else if (x == y || y == 1)
        shape->dims[i] = x;
      else if (x == 1)
        shape->dims[i] = y;
      else
        {
          if (c->running)
            {
              g_autofree char *p = flow_shape_to_string (a);
              g_autofree char *q = flow_shape_to_string (b);

              g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s", p, q);
            }
          else
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                         "Dimensions must be equal, but are %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT, x, y);
          return FALSE;
        }
    }
  *out = g_steal_pointer (&shape);
  return TRUE;
}

/**
 * flow_infer_unchanged_shape: (skip)
 * @c: a context
 * @error: unused
 *
 * Every output has the shape of input 0; a resource's handle data passes through.
 *
 * Returns: %TRUE
 */
gboolean
flow_infer_unchanged_shape (FlowInferContext  *c,
                            GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    {
      flow_infer_set_output (c, i, flow_infer_input (c, 0));
      if (c->input_handles != NULL && c->input_handles[0].dtype != FLOW_DTYPE_INVALID)
        flow_infer_set_handle (c, i, c->input_handles[0].dtype, c->input_handles[0].shape);
    }
  return TRUE;
}

/**
 * flow_infer_scalar_shape: (skip)
 * @c: a context
 * @error: unused
 *
 * Every output is a scalar.
 *
 * Returns: %TRUE
 */
gboolean
flow_infer_scalar_shape (FlowInferContext  *c,
                         GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_scalar ());
  return TRUE;
}

/**
 * flow_infer_unknown_shape: (skip)
 * @c: a context
 * @error: unused
 *
 * Nothing is known of any output.
 *
 * Returns: %TRUE
 */
gboolean
flow_infer_unknown_shape (FlowInferContext  *c,
                          GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_unknown ());
  return TRUE;
}

/**
 * flow_infer_no_outputs: (skip)
 * @c: a context
 * @error: unused
 *
 * Returns: %TRUE
 */
gboolean
flow_infer_no_outputs (FlowInferContext  *c,
                       GError           **error)
{
  return TRUE;
}

/**
 * flow_infer_broadcast_binary: (skip)
 * @c: a context
 * @error: where to put an error
 *
 * Output 0 is what inputs 0 and 1 broadcast to.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words
 */
gboolean
flow_infer_broadcast_binary (FlowInferContext  *c,
                             GError           **error)
{
  FlowShape *shape;

  if (!flow_infer_broadcast (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

/**
 * flow_infer_explicit_shape: (skip)
 * @c: a context
 * @error: unused
 *
 * Output 0 has the shape of the attr `shape`.
 *
 * Returns: %TRUE
 */
gboolean
flow_infer_explicit_shape (FlowInferContext  *c,
                           GError           **error)
{
  FlowShape *shape = flow_infer_attr_shape (c, "shape");

  flow_infer_take_output (c, 0, shape != NULL ? flow_shape_ref (shape) : flow_shape_new_unknown ());
  return TRUE;
}
