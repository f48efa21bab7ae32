/* flow-kernels-array_concat.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors put together along a dimension.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-value-list-private.h"

#include <string.h>

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
  FlowAroundAxis around;
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
  around = _flow_around_axis (rank, dims, axis);
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

/* --- Pack, ParallelConcat -------------------------------------------------------------------------- */

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
  FlowAroundAxis around;
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
  around = _flow_around_axis (rank + 1, dims, axis);
  for (guint i = 0; i < c->n_inputs; i++)
    copy_columns_in (out, dims[axis] * around.inner, (gint64) i * around.inner, flow_kernel_input (c, i),
                     around.inner, around.outer);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
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
};

FLOW_DEFINE_OP_FAMILY (array_concat, ops)
