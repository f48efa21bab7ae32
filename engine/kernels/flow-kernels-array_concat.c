/* flow-kernels-array_concat.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors put together and taken apart along a dimension.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-value-list-private.h"

#include <string.h>

/* A tensor seen as [outer, dim, inner] around one of its dims. */
typedef struct {
  gint64 outer;
  gint64 inner;
} AroundAxis;

static AroundAxis
around_axis (const gint64 *dims,
             int           rank,
             int           axis)
{
  AroundAxis around = { 1, 1 };

  for (int i = 0; i < axis; i++)
    around.outer *= dims[i];
  for (int i = axis + 1; i < rank; i++)
    around.inner *= dims[i];
  return around;
}

/* Copies @src into columns [@at, @at + @width) of rows of @total cells each. */
static void
copy_columns_in (FlowTensor       *dst,
                 gint64            total,
                 gint64            at,
                 const FlowTensor *src,
                 gint64            width,
                 gint64            n_rows)
{
  gsize cell = _flow_cell_size (dst->dtype);

  _flow_copy_strided (cell, 2, (gint64[]) { n_rows, width }, (char *) dst->data + (gsize) at * cell,
                      (gint64[]) { total, 1 }, src->data, (gint64[]) { width, 1 });
}

static void
copy_columns_out (FlowTensor       *dst,
                  gint64            total,
                  gint64            at,
                  const FlowTensor *src,
                  gint64            width,
                  gint64            n_rows)
{
  gsize cell = _flow_cell_size (dst->dtype);

  _flow_copy_strided (cell, 2, (gint64[]) { n_rows, width }, dst->data, (gint64[]) { width, 1 },
                      (const char *) src->data + (gsize) at * cell, (gint64[]) { total, 1 });
  _flow_adopt_cells (dst->dtype, dst->data, dst->n_elements);
}

/* --- Concat, ConcatV2 ----------------------------------------------------------------------------- */

/* The dims before @axis and those after it; a negative axis counts from the end. */
static gboolean
cut_around (FlowInferContext  *c,
            const FlowShape   *shape,
            int                axis,
            FlowShape        **before,
            FlowShape        **after,
            GError           **error)
{
  if (!flow_infer_subshape (c, shape, 0, axis, before, error))
    return FALSE;
  if (axis != -1)
    return flow_infer_subshape (c, shape, axis + 1, G_MAXINT, after, error);
  *after = flow_shape_new_scalar ();
  return TRUE;
}

/* Merges @shape into *@into. */
static gboolean
merge_into (FlowInferContext  *c,
            const FlowShape   *shape,
            FlowShape        **into,
            GError           **error)
{
  FlowShape *merged = NULL;

  if (!flow_infer_merge (c, shape, *into, &merged, error))
    return FALSE;
  flow_shape_unref (*into);
  *into = merged;
  return TRUE;
}

/* TF goes from the last input to the first. */
static gboolean
infer_concat_at (FlowInferContext *c,
                 guint             first,
                 guint             n,
                 gint64            axis,
                 GError          **error)
{
  gint64 min_rank = axis < 0 ? -axis : axis + 1;
  g_autoptr (FlowShape) before = flow_shape_new_unknown ();
  g_autoptr (FlowShape) after = flow_shape_new_unknown ();
  g_autoptr (FlowShape) middle = NULL;
  g_autoptr (FlowShape) left = NULL;
  gint64 sum = 0;
  FlowShape *out;

  for (guint i = n; i > 0; i--)
    {
      FlowShape *in = flow_infer_input (c, first + i - 1);
      gint64 dim = FLOW_DIM_UNKNOWN;
      g_autoptr (FlowShape) lead = NULL;
      g_autoptr (FlowShape) tail = NULL;

      if (in->rank != FLOW_RANK_UNKNOWN && in->rank < min_rank)
        return _flow_refuse (error, "Shape must be at least rank %" G_GINT64_FORMAT " but is rank %d", min_rank, in->rank);
      if (in->rank != FLOW_RANK_UNKNOWN)
        dim = in->dims[axis < 0 ? in->rank + axis : axis];
      if (!cut_around (c, in, (int) axis, &lead, &tail, error) || !merge_into (c, lead, &before, error))
        return FALSE;
      if (dim == FLOW_DIM_UNKNOWN || sum == FLOW_DIM_UNKNOWN)
        sum = FLOW_DIM_UNKNOWN;
      else if (!flow_add_int64 (sum, dim, &sum))
        return _flow_refuse (error, "Dimension size overflow from adding up dimension %" G_GINT64_FORMAT, axis);
      if (!merge_into (c, tail, &after, error))
        return FALSE;
    }
  middle = flow_shape_new_vector (sum);
  if (!flow_infer_concatenate (c, before, middle, &left, error) || !flow_infer_concatenate (c, left, after, &out, error))
    return FALSE;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

/* Shape of what @n inputs from @first on give when put together along @axis of input @axis_input. */
static gboolean
infer_concat (FlowInferContext *c,
              guint             first,
              guint             n,
              guint             axis_input,
              GError          **error)
{
  FlowTensor *axis_value = flow_infer_input_value (c, axis_input);
  g_autoptr (FlowShape) scalar = NULL;
  int rank = FLOW_RANK_UNKNOWN;

  if (!flow_infer_with_rank (c, flow_infer_input (c, axis_input), 0, &scalar, error))
    return FALSE;
  if (axis_value == NULL)
    {
      for (guint i = 0; i < n && rank == FLOW_RANK_UNKNOWN; i++)
        rank = flow_infer_input (c, first + i)->rank;
      if (rank == FLOW_RANK_UNKNOWN)
        return flow_infer_unknown_shape (c, error);
      if (rank == 0)
        return _flow_refuse (error, "Can't concatenate scalars (use tf.stack instead)");
      for (guint i = 0; i < n; i++)
        {
          g_autoptr (FlowShape) ranked = NULL;

          if (!flow_infer_with_rank (c, flow_infer_input (c, first + i), rank, &ranked, error))
            return FALSE;
        }
      flow_infer_take_output (c, 0, flow_shape_new_of_rank (rank));
      return TRUE;
    }
  return infer_concat_at (c, first, n, flow_index_at (axis_value, 0), error);
}

static gboolean
concat_infer (FlowInferContext *c,
              GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return infer_concat (c, 1, c->n_inputs - 1, 0, error);
}

static gboolean
concat_v2_infer (FlowInferContext *c,
                 GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return infer_concat (c, 0, c->n_inputs - 1, c->n_inputs - 1, error);
}

/* TF: ConcatOp : a rank or a dimension that differs is told with both shapes. */
static gboolean
measure_concat (FlowKernelContext *c,
                guint              first,
                guint              n,
                int                axis,
                gint64            *dims,
                GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, first);
  int rank = FLOW_RANK (x);

  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) rank);
  dims[axis] = 0;
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *y = flow_kernel_input (c, first + i);
      gboolean same = FLOW_RANK (y) == rank;
      g_autofree char *a = NULL;
      g_autofree char *b = NULL;

      for (int d = 0; d < rank && same; d++)
        same = d == axis || FLOW_DIMS (y)[d] == dims[d];
      if (same)
        {
          if (!flow_add_int64 (dims[axis], FLOW_DIMS (y)[axis], &dims[axis]))
            return _flow_refuse (error, "ConcatOp : the sum of the sizes of dimension %d is too large", axis);
          continue;
        }
      a = flow_tensor_shape_text (x);
      b = flow_tensor_shape_text (y);
      return _flow_refuse (error, "ConcatOp : %s should match: shape[0] = %s vs. shape[%u] = %s",
                           FLOW_RANK (y) != rank ? "Ranks of all input tensors" : "Dimensions of inputs", a, i, b);
    }
  return TRUE;
}

static gboolean
concat (FlowKernelContext *c,
        guint              first,
        guint              n,
        guint              axis_input,
        const char        *axis_name,
        GError           **error)
{
  FlowTensor *axis_tensor = flow_kernel_input (c, axis_input);
  FlowTensor *x = flow_kernel_input (c, first);
  int rank = FLOW_RANK (x);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  AroundAxis around;
  gint64 at = 0;
  gint64 value;
  int axis = 0;
  FlowTensor *out;

  if (!flow_is_scalar (axis_tensor))
    {
      g_autofree char *text = flow_tensor_shape_text (axis_tensor);

      return _flow_refuse (error, "%s tensor should be a scalar integer, but got shape %s", axis_name, text);
    }
  value = flow_index_at (axis_tensor, 0);
  if (!flow_canonical_axis (value, rank, &axis))
    return _flow_refuse (error, "ConcatOp : Expected concatenating dimensions in the range [%d, %d), but got %"
                         G_GINT64_FORMAT, -rank, rank, value);
  if (!measure_concat (c, first, n, axis, dims, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, rank, dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  around = around_axis (dims, rank, axis);
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *y = flow_kernel_input (c, first + i);
      gint64 width = FLOW_DIMS (y)[axis] * around.inner;

      copy_columns_in (out, dims[axis] * around.inner, at, y, width, around.outer);
      at += width;
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
concat_compute (FlowKernelContext *c,
                GError           **error)
{
  return concat (c, 1, c->n_inputs - 1, 0, "concat_dim", error);
}

static gboolean
concat_v2_compute (FlowKernelContext *c,
                   GError           **error)
{
  return concat (c, 0, c->n_inputs - 1, c->n_inputs - 1, "axis", error);
}

/* --- ConcatOffset ---------------------------------------------------------------------------------- */

static gboolean
concat_offset_infer (FlowInferContext *c,
                     GError          **error)
{
  for (guint i = 0; i < c->n_outputs && i + 1 < c->n_inputs; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i + 1));
  return TRUE;
}

static char *
values_text (const gint32 *values,
             gint64        n)
{
  GString *text = g_string_new ("[");

  for (gint64 i = 0; i < n; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " " : "", values[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static gboolean
check_concat_shapes (FlowKernelContext *c,
                     int               *axis,
                     GError           **error)
{
  FlowTensor *axis_tensor = flow_kernel_input (c, 0);
  FlowTensor *first = flow_kernel_input (c, 1);
  gint64 n = first->n_elements;
  gint32 value;

  if (!flow_is_scalar (axis_tensor))
    return _flow_refuse_shapes (error, axis_tensor, NULL,
                                "Concat dim tensor should be a scalar integer, but got shape %s");
  for (guint i = 1; i < c->n_inputs; i++)
    {
      FlowTensor *shape = flow_kernel_input (c, i);

      if (!flow_is_vector (shape))
        {
          g_autofree char *text = flow_tensor_shape_text (shape);

          return _flow_refuse (error, "input %u should be a vector, but got shape %s", i, text);
        }
    }
  value = FLOW_DATA (gint32, axis_tensor)[0];
  if (n > G_MAXINT32 || !flow_canonical_axis (value, (int) n, axis))
    return _flow_refuse (error, "Concat dim is out of range: %d vs. %" G_GINT64_FORMAT, value, n);
  for (guint i = 1; i < c->n_inputs; i++)
    {
      FlowTensor *shape = flow_kernel_input (c, i);

      if (shape->n_elements != n)
        return _flow_refuse (error, "input %u should contain %" G_GINT64_FORMAT " elements, but got %"
                             G_GINT64_FORMAT, i - 1, n, shape->n_elements);
      for (gint64 d = 0; d < n; d++)
        if (d != *axis && FLOW_DATA (gint32, shape)[d] != FLOW_DATA (gint32, first)[d])
          {
            g_autofree char *a = values_text (shape->data, n);
            g_autofree char *b = values_text (first->data, n);

            return _flow_refuse (error, "All dimensions except %d must match. Input %u has shape %s and doesn't "
                                 "match input 0 with shape %s.", *axis, i - 1, a, b);
          }
    }
  return TRUE;
}

static gboolean
concat_offset_compute (FlowKernelContext *c,
                       GError           **error)
{
  int axis = 0;
  gint64 at = 0;

  if (!check_concat_shapes (c, &axis, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    {
      FlowTensor *shape = flow_kernel_input (c, i + 1);
      FlowTensor *out = flow_kernel_allocate (c, i, shape->shape, error);

      if (out == NULL)
        return FALSE;
      memset (out->data, 0, out->n_bytes);
      FLOW_WRITABLE (gint32, out)[axis] = (gint32) at;
      /* As TensorFlow's int32 sum, but without its undefined overflow. */
      at = (gint32) (guint32) (at + FLOW_DATA (gint32, shape)[axis]);
    }
  return TRUE;
}

/* --- Pack, Unpack, ParallelConcat ------------------------------------------------------------------ */

static gboolean
pack_infer (FlowInferContext *c,
            GError          **error)
{
  g_autoptr (FlowShape) each = flow_shape_ref (flow_infer_input (c, c->n_inputs - 1));
  gint64 value = flow_infer_attr_int (c, "axis");
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int axis = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = c->n_inputs - 1; i > 0; i--)
    if (!merge_into (c, flow_infer_input (c, i - 1), &each, error))
      return _flow_add_context (error, "From merging shape %u with other shapes.", i - 1);
  if (each->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (each->rank == FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (!flow_canonical_axis (value, each->rank + 1, &axis))
    return _flow_refuse (error, "Invalid axis: %" G_GINT64_FORMAT "; must be in [%d,%d)", value,
                         -(each->rank + 1), each->rank + 1);
  for (int i = 0, j = 0; i <= each->rank; i++)
    dims[i] = i == axis ? (gint64) c->n_inputs : each->dims[j++];
  flow_infer_take_output (c, 0, flow_shape_new (each->rank + 1, dims));
  return TRUE;
}

static gboolean
pack_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 value = flow_kernel_attr_int (c, "axis");
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  AroundAxis around;
  int axis = 0;
  FlowTensor *out;

  if (rank == FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (!flow_canonical_axis (value, rank + 1, &axis))
    return _flow_refuse (error, "axis = %" G_GINT64_FORMAT " not in [%d, %d)", value, -(rank + 1), rank + 1);
  for (guint i = 1; i < c->n_inputs; i++)
    {
      FlowTensor *y = flow_kernel_input (c, i);

      if (!flow_shape_equal (x->shape, y->shape))
        {
          g_autofree char *a = flow_tensor_shape_text (x);
          g_autofree char *b = flow_tensor_shape_text (y);

          return _flow_refuse (error, "Shapes of all inputs must match: values[0].shape = %s != values[%u].shape "
                               "= %s", a, i, b);
        }
    }
  for (int i = 0, j = 0; i <= rank; i++)
    dims[i] = i == axis ? (gint64) c->n_inputs : FLOW_DIMS (x)[j++];
  out = flow_kernel_allocate_dims (c, 0, rank + 1, dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  around = around_axis (dims, rank + 1, axis);
  for (guint i = 0; i < c->n_inputs; i++)
    copy_columns_in (out, dims[axis] * around.inner, (gint64) i * around.inner, flow_kernel_input (c, i),
                     around.inner, around.outer);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
unpack_infer (FlowInferContext *c,
              GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  gint64 value = flow_infer_attr_int (c, "axis");
  gint64 num = flow_infer_attr_int (c, "num");
  g_autoptr (FlowShape) out = NULL;
  int axis = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (!flow_canonical_axis (value, in->rank, &axis))
    return _flow_refuse (error, "Invalid axis: %" G_GINT64_FORMAT "; must be in [%d,%d)", value, -in->rank, in->rank);
  if (!_flow_infer_with_value (in->dims[axis], num, error))
    return FALSE;
  out = flow_shape_new_of_rank (in->rank - 1);
  for (int i = 0, j = 0; i < in->rank; i++)
    if (i != axis)
      out->dims[j++] = in->dims[i];
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, out);
  return TRUE;
}

/* Output @i is columns of @x, from @at on: a view where they lie in one piece, else a copy. */
static gboolean
put_part (FlowKernelContext *c,
          guint              i,
          FlowTensor        *x,
          int                axis,
          gint64             at,
          gint64             size,
          const FlowShape   *shape,
          GError           **error)
{
  AroundAxis around = around_axis (FLOW_DIMS (x), FLOW_RANK (x), axis);
  FlowTensor *out;

  if (axis == 0)
    {
      g_autoptr (FlowTensor) rows = flow_tensor_slice_rows (x, at, at + size);

      out = flow_tensor_reshape (rows, shape, error);
      if (out == NULL)
        return FALSE;
      flow_kernel_take_output (c, i, out);
      return TRUE;
    }
  out = flow_kernel_allocate (c, i, shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements > 0)
    copy_columns_out (out, FLOW_DIMS (x)[axis] * around.inner, at * around.inner, x, size * around.inner,
                      around.outer);
  return TRUE;
}

static gboolean
unpack_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 value = flow_kernel_attr_int (c, "axis");
  gint64 num = flow_kernel_attr_int (c, "num");
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) shape = NULL;
  int axis = 0;

  if (!flow_canonical_axis (value, rank, &axis))
    return _flow_refuse (error, "axis = %" G_GINT64_FORMAT " not in [%d, %d)", value, -rank, rank);
  if (FLOW_DIMS (x)[axis] != num)
    {
      g_autofree char *text = flow_tensor_shape_text (x);

      return _flow_refuse (error, "Input shape axis %d must equal %" G_GINT64_FORMAT ", got shape %s", axis, num, text);
    }
  for (int i = 0, j = 0; i < rank; i++)
    if (i != axis)
      dims[j++] = FLOW_DIMS (x)[i];
  shape = flow_shape_new (rank - 1, dims);
  for (guint i = 0; i < c->n_outputs; i++)
    if (!put_part (c, i, x, axis, (gint64) i, 1, shape, error))
      return FALSE;
  return TRUE;
}

static gboolean
parallel_concat_infer (FlowInferContext *c,
                       GError          **error)
{
  FlowShape *shape = flow_infer_attr_shape (c, "shape");

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_shape_is_known (shape))
    return _flow_refuse (error, "shape attr must be fully defined.");
  for (guint i = 0; i < c->n_inputs; i++)
    if (!flow_shape_is_known (flow_infer_input (c, i)))
      return _flow_refuse (error, "All input shapes must be fully defined.");
  if (shape->rank < 1 || shape->dims[0] != (gint64) c->n_inputs)
    return _flow_refuse (error, "Input shape[0] must be the number of inputs");
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

static gboolean
parallel_concat_compute (FlowKernelContext *c,
                         GError           **error)
{
  FlowShape *shape = flow_attr_get_shape (flow_kernel_attr (c, "shape"));
  gint64 width;
  FlowTensor *out;

  if (!flow_shape_is_known (shape) || shape->rank < 1 || shape->dims[0] != (gint64) c->n_inputs)
    return _flow_refuse (error, "shape attr must be fully defined, with as many rows as there are inputs");
  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowTensor *x = flow_kernel_input (c, i);

      if (FLOW_RANK (x) != shape->rank || FLOW_DIMS (x)[0] != 1 ||
          memcmp (FLOW_DIMS (x) + 1, shape->dims + 1, sizeof (gint64) * (gsize) (shape->rank - 1)) != 0)
        {
          g_autofree char *a = flow_tensor_shape_text (x);
          g_autofree char *b = flow_shape_to_string (shape);

          return _flow_refuse (error, "All inputs must have the same shape, of one row: input %u is %s for %s", i, a, b);
        }
    }
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  width = out->n_elements / shape->dims[0];
  for (guint i = 0; i < c->n_inputs; i++)
    copy_columns_in (out, width, (gint64) i * width, flow_kernel_input (c, i), width, 1);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* --- Split, SplitV --------------------------------------------------------------------------------- */

static gboolean
infer_same_rank (FlowInferContext *c,
                 const FlowShape  *in,
                 GError          **error)
{
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_of_rank (in->rank));
  return TRUE;
}

/* TF: the axis of a split whose input has no known rank is not looked at. */
static gboolean
infer_split_axis (const FlowShape  *in,
                  const FlowTensor *axis_value,
                  int              *axis,
                  GError          **error)
{
  gint64 value = flow_index_at (axis_value, 0);

  if (!flow_canonical_axis (value, in->rank, axis))
    return _flow_refuse (error, "Dimension size, given by scalar input %" G_GINT64_FORMAT
                         " must be in range [-%d, %d)", value, in->rank, in->rank);
  return TRUE;
}

static gboolean
split_infer (FlowInferContext *c,
             GError          **error)
{
  FlowShape *in = flow_infer_input (c, 1);
  FlowTensor *axis_value = flow_infer_input_value (c, 0);
  gint64 n = flow_infer_attr_int (c, "num_split");
  g_autoptr (FlowShape) out = NULL;
  int axis = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (axis_value == NULL || in->rank == FLOW_RANK_UNKNOWN)
    return infer_same_rank (c, in, error);
  if (!infer_split_axis (in, axis_value, &axis, error))
    return FALSE;
  out = flow_shape_new (in->rank, in->dims);
  if (out->dims[axis] != FLOW_DIM_UNKNOWN)
    {
      if (n < 1 || out->dims[axis] % n != 0)
        return _flow_refuse (error, "Dimension size must be evenly divisible by %" G_GINT64_FORMAT " but is %"
                             G_GINT64_FORMAT "\n\tNumber of ways to split should evenly divide the split dimension",
                             n, out->dims[axis]);
      out->dims[axis] /= n;
    }
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, out);
  return TRUE;
}

static gboolean
check_split_axis (const FlowTensor *x,
                  gint64            value,
                  int              *axis,
                  GError          **error)
{
  int rank = FLOW_RANK (x);

  if (!flow_canonical_axis (value, rank, axis))
    return _flow_refuse (error, "-input rank(-%d) <= split_dim < input rank (%d), but got %" G_GINT64_FORMAT,
                         rank, rank, value);
  return TRUE;
}

static gboolean
split_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *axis_tensor = flow_kernel_input (c, 0);
  FlowTensor *x = flow_kernel_input (c, 1);
  gint64 n = flow_kernel_attr_int (c, "num_split");
  g_autoptr (FlowShape) shape = NULL;
  gint64 size;
  int axis = 0;

  if (!flow_is_scalar (axis_tensor))
    return _flow_refuse (error, "split_dim must be a scalar but has rank %d", FLOW_RANK (axis_tensor));
  if (!check_split_axis (x, FLOW_DATA (gint32, axis_tensor)[0], &axis, error))
    return FALSE;
  if (n <= 0)
    return _flow_refuse (error, "Number of ways to split should be > 0, but got %" G_GINT64_FORMAT, n);
  size = FLOW_DIMS (x)[axis];
  if (size % n != 0)
    return _flow_refuse (error, "Number of ways to split should evenly divide the split dimension, but got "
                         "split_dim %d (size = %" G_GINT64_FORMAT ") and num_split %" G_GINT64_FORMAT, axis, size, n);
  if (n == 1)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  shape = flow_shape_new (FLOW_RANK (x), FLOW_DIMS (x));
  shape->dims[axis] = size / n;
  for (guint i = 0; i < c->n_outputs; i++)
    if (!put_part (c, i, x, axis, (gint64) i * (size / n), size / n, shape, error))
      return FALSE;
  return TRUE;
}

/* The sizes of a SplitV's parts; what is left for the one that is -1. */
static gboolean
infer_split_sizes (const FlowTensor *tensor,
                   guint             n,
                   gint64            total,
                   gint64           *sizes,
                   GError          **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 sum = 0;
  int open = -1;

  if (tensor->n_elements != (gint64) n)
    return _flow_refuse (error, "Length of size_splits should be equal to num_outputs");
  for (guint i = 0; i < n; i++)
    {
      sizes[i] = flow_index_at (tensor, i);
      if (sizes[i] == -1 && open >= 0)
        return _flow_refuse (error, "size_splits can only have one -1");
      if (sizes[i] == -1)
        open = (int) i;
      else if (sizes[i] < 0 || !flow_add_int64 (sum, sizes[i], &sum))
        return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= 0", sizes[i]);
    }
  if (total == FLOW_DIM_UNKNOWN)
    return TRUE;
  if (open >= 0 && sum <= total)
    {
      sizes[open] = total - sum;
      sum = total;
    }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", sizes[i]);
  if (sum != total)
    return _flow_refuse (error, "can't split axis of size %" G_GINT64_FORMAT " into pieces of size [%s]", total, text->str);
  return TRUE;
}

static gboolean
split_v_infer (FlowInferContext *c,
               GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowTensor *sizes = flow_infer_input_value (c, 1);
  FlowTensor *axis_value = flow_infer_input_value (c, 2);
  g_autofree gint64 *parts = NULL;
  int axis = in->rank - 1;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (axis_value != NULL && axis_value->n_elements < 1)
    axis_value = NULL;
  if (in->rank == FLOW_RANK_UNKNOWN || (axis_value == NULL && sizes == NULL))
    return infer_same_rank (c, in, error);
  if (axis_value != NULL && !infer_split_axis (in, axis_value, &axis, error))
    return FALSE;
  if (in->rank == 0)
    return _flow_refuse (error, "Can't split scalars");
  /* TF: where only the sizes are known, the axis counts as the last. */
  parts = g_new0 (gint64, MAX (c->n_outputs, 1));
  for (guint i = 0; sizes == NULL && i < c->n_outputs; i++)
    parts[i] = FLOW_DIM_UNKNOWN;
  if (sizes != NULL && !infer_split_sizes (sizes, c->n_outputs, in->dims[axis], parts, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    {
      FlowShape *out = flow_shape_new (in->rank, in->dims);

      out->dims[axis] = parts[i];
      flow_infer_take_output (c, i, out);
    }
  return TRUE;
}

/* Fills in the one size that is -1; the sum must come out at @total. */
static gboolean
read_split_sizes (const FlowTensor *tensor,
                  gint64            total,
                  gint64           *sizes,
                  GError          **error)
{
  gint64 determined = 0;
  gint64 open = -1;

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      sizes[i] = flow_index_at (tensor, i);
      if (sizes[i] == -1)
        {
          if (open != -1)
            return _flow_refuse (error, "There can only be one -1 in the input.");
          open = i;
        }
      else if (!flow_add_int64 (determined, sizes[i], &determined))
        {
          return _flow_refuse (error, "Determined shape must either match input shape along split_dim exactly if "
                               "fully specified: the sum of the sizes is too large");
        }
    }
  if (open == -1 ? determined != total : determined > total)
    return _flow_refuse (error, "Determined shape must either match input shape along split_dim exactly if fully "
                         "specified, or be less than the size of the input along split_dim if not fully "
                         "specified.  Got: %" G_GINT64_FORMAT, determined);
  if (open != -1)
    sizes[open] = total - determined;
  return TRUE;
}

static gboolean
split_v_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *sizes_tensor = flow_kernel_input (c, 1);
  FlowTensor *axis_tensor = flow_kernel_input (c, 2);
  g_autofree gint64 *sizes = NULL;
  gint64 at = 0;
  int axis = 0;

  if (axis_tensor->n_elements != 1)
    return _flow_refuse (error, "split_dim_tensor must have exactly one element.");
  if (!flow_is_vector (sizes_tensor) || sizes_tensor->n_elements != (gint64) c->n_outputs)
    return _flow_refuse (error, "size of the split_tensor must be 1-D and have the same elements as outputs got %d "
                         "-D and %" G_GINT64_FORMAT " elements", FLOW_RANK (sizes_tensor), sizes_tensor->n_elements);
  if (!check_split_axis (x, flow_index_at (axis_tensor, 0), &axis, error))
    return FALSE;
  sizes = g_new (gint64, MAX (c->n_outputs, 1));
  if (c->n_outputs == 1)
    {
      gint64 only = flow_index_at (sizes_tensor, 0);

      if (only != FLOW_DIMS (x)[axis])
        return _flow_refuse (error, "If there is only one output, it must have the same size as the input. Input "
                             "size: %" G_GINT64_FORMAT " output size: %" G_GINT64_FORMAT, FLOW_DIMS (x)[axis], only);
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  if (!read_split_sizes (sizes_tensor, FLOW_DIMS (x)[axis], sizes, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    {
      g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (x), FLOW_DIMS (x));

      shape->dims[axis] = sizes[i];
      if (!put_part (c, i, x, axis, at, sizes[i], shape, error))
        return FALSE;
      at += sizes[i];
    }
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "Concat",
    .inputs = "concat_dim: int32; values: N * T",
    .outputs = "output: T",
    .attrs = "N: int >= 2; T: type",
    .summary = "Tensors joined along a dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = concat_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string qint8 quint8 qint16 quint16 qint32",
        concat_compute },
      { NULL },
    },
    .value_list = flow_value_list_concat,
  },
  {
    .name = "ConcatOffset",
    .inputs = "concat_dim: int32; shape: N * int32",
    .outputs = "offset: N * int32",
    .attrs = "N: int >= 2",
    .summary = "Where each input of a Concat begins in its output",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = concat_offset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, concat_offset_compute }, { NULL } },
  },
  {
    .name = "ConcatV2",
    .inputs = "values: N * T; axis: Tidx",
    .outputs = "output: T",
    .attrs = "N: int >= 2; T: type; Tidx: {int32, int64} = DT_INT32",
    .summary = "Tensors joined along a dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = concat_v2_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string qint8 quint8 qint16 quint16 qint32",
        concat_v2_compute },
      { NULL },
    },
    .value_list = flow_value_list_concat_v2,
  },
  {
    .name = "Pack",
    .inputs = "values: N * T",
    .outputs = "output: T",
    .attrs = "N: int >= 1; T: type; axis: int = 0",
    .summary = "Tensors of one shape stacked along a new dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = pack_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 resource variant",
        pack_compute },
      { NULL },
    },
    .value_list = flow_value_list_pack,
  },
  {
    .name = "ParallelConcat",
    .inputs = "values: N * T",
    .outputs = "output: T",
    .attrs = "N: int >= 1; T: type; shape: shape",
    .summary = "Rows joined to one tensor",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = parallel_concat_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string",
        parallel_concat_compute },
      { NULL },
    },
  },
  {
    .name = "Split",
    .inputs = "split_dim: int32; value: T",
    .outputs = "output: num_split * T",
    .attrs = "num_split: int >= 1; T: type",
    .summary = "A tensor cut into equal parts along a dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = split_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string quint8 resource variant",
        split_compute },
      { NULL },
    },
  },
  {
    .name = "SplitV",
    .inputs = "value: T; size_splits: Tlen; split_dim: int32",
    .outputs = "output: num_split * T",
    .attrs = "num_split: int >= 1; T: type; Tlen: {int32, int64} = DT_INT64",
    .summary = "A tensor cut into parts of the given sizes",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = split_v_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant; Tlen: int32 int64",
        split_v_compute },
      { NULL },
    },
  },
  {
    .name = "Unpack",
    .inputs = "value: T",
    .outputs = "output: num * T",
    .attrs = "num: int >= 0; T: type; axis: int = 0",
    .summary = "A tensor taken apart along a dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = unpack_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        unpack_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_concat, ops)
