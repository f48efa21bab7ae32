/* flow-kernels-array_split.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors taken apart along a dimension.
 */

#include "config.h"

#include "flow-array-private.h"

/* Copies columns [@at, @at + @width) of rows of @total cells each to @dst. */
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

/* --- Unpack ---------------------------------------------------------------------------------------- */

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
  FlowAroundAxis around = _flow_around_axis (FLOW_RANK (x), FLOW_DIMS (x), axis);
  FlowTensor *out;

  if (axis == 0)
    {
      g_autoptr (FlowTensor) rows = flow_tensor_slice_rows (x, at, at + size);

      return _flow_take_reshaped (c, i, rows, shape, error);
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
  if (axis_value == NULL || axis_value->n_elements < 1 || in->rank == FLOW_RANK_UNKNOWN)
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
  /* TF 1.15 ends its process here; the words are of those that came after. */
  for (gint64 i = 0; i < tensor->n_elements; i++)
    if (sizes[i] < 0)
      return _flow_refuse (error, "Split size at index %" G_GINT64_FORMAT " must be >= 0. Got: %" G_GINT64_FORMAT, i, sizes[i]);
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

FLOW_DEFINE_OP_FAMILY (array_split, ops)
