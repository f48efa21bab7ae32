/* flow-kernels-bincount_v2.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * TensorFlow 2: how often each number occurs, in all or in each row, of dense, sparse and ragged tensors.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

typedef struct {
  const FlowTensor *values;
  const FlowTensor *weights;   /* as many as values, or none: 1 each */
  gint64 size;
  gboolean binary;             /* only whether they occur */
} Count;

/* --- shapes ---------------------------------------------------------------------------------------------------------- */

static gboolean
infer_bins (FlowInferContext  *c,
            guint              size_input,
            gboolean           many_rows,
            gint64             n_rows,
            GError           **error)
{
  gint64 size = FLOW_DIM_UNKNOWN;
  FlowShape *out;

  if (flow_infer_scalar_value (c, size_input, &size) && size < 0)
    return _flow_refuse (error, "size (%" G_GINT64_FORMAT ") must be non-negative", size);
  out = flow_shape_new_of_rank (many_rows ? 2 : 1);
  if (many_rows)
    out->dims[0] = n_rows;
  out->dims[out->rank - 1] = size;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static gboolean
dense_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) scalar = NULL;
  const FlowShape *input = flow_infer_input (c, 0);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &scalar, error))
    return FALSE;
  if (input->rank > 2)
    return _flow_refuse (error, "Shape must be at most rank 2 but is rank %d", input->rank);
  if (input->rank < 0)
    return flow_infer_unknown_shape (c, error);
  return infer_bins (c, 1, input->rank == 2, input->rank == 2 ? input->dims[0] : 0, error);
}

static gboolean
sparse_infer (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *dense = flow_infer_input (c, 2);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (dense->rank != 1 || dense->dims[0] < 1 || dense->dims[0] > 2)
    return flow_infer_unknown_shape (c, error);
  return infer_bins (c, 3, dense->dims[0] == 2, FLOW_DIM_UNKNOWN, error);
}

static gboolean
ragged_infer (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *splits = flow_infer_input (c, 0);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return infer_bins (c, 2, TRUE, splits->rank == 1 && splits->dims[0] > 0 ? splits->dims[0] - 1 : FLOW_DIM_UNKNOWN, error);
}

/* --- counting -------------------------------------------------------------------------------------------------------- */

static gboolean
read_count (FlowKernelContext  *c,
            guint               values,
            guint               size,
            Count              *self,
            GError            **error)
{
  const FlowTensor *size_tensor = flow_kernel_input (c, size);

  self->values = flow_kernel_input (c, values);
  self->weights = flow_kernel_input (c, size + 1);
  self->binary = flow_kernel_attr_bool (c, "binary_output");
  if (size_tensor->n_elements != 1 || FLOW_RANK (size_tensor) > 0)
    return _flow_refuse (error, "Shape must be rank 0 but is rank %d", FLOW_RANK (size_tensor));
  self->size = flow_index_at (size_tensor, 0);
  if (self->size < 0)
    return _flow_refuse (error, "size (%" G_GINT64_FORMAT ") must be non-negative", self->size);
  if (self->weights->n_elements > 0 && self->weights->n_elements != self->values->n_elements)
    return _flow_refuse_shapes (error, self->weights, self->values, "`weights` must be the same shape as `arr` or a length-0 "
                                "`Tensor`, in which case it acts as all weights equal to 1. Received %s instead of %s");
  for (gint64 i = 0; i < self->values->n_elements; i++)
    if (flow_index_at (self->values, i) < 0)
      return _flow_refuse (error, size == 1 ? "Input arr must be non-negative!" : "Input must be non-negative");
  return TRUE;
}

#define ADD_ONE(type, sum_type)                                                                           \
  {                                                                                                       \
    type *cell = (type *) bins->data + row * self->size + value;                                          \
    if (self->binary)                                                                                     \
      *cell = 1;                                                                                          \
    else                                                                                                  \
      *cell = (type) ((sum_type) *cell + (sum_type) (weighted ? FLOW_DATA (type, self->weights)[i] : 1)); \
  }

/* Counts value @i of row @row; what is no less than the size is left out. */
static void
count_one (const Count *self,
           FlowTensor  *bins,
           gint64       row,
           gint64       i)
{
  gint64 value = flow_index_at (self->values, i);
  gboolean weighted = self->weights->n_elements > 0;

  if (value >= self->size)
    return;
  switch ((int) bins->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      ADD_ONE (float, float)
      break;
    case FLOW_DTYPE_DOUBLE:
      ADD_ONE (double, double)
      break;
    case FLOW_DTYPE_INT32:
      ADD_ONE (gint32, guint32)
      break;
    default:
      ADD_ONE (gint64, guint64)
      break;
    }
}

static FlowTensor *
allocate_bins (FlowKernelContext  *c,
               const Count        *count,
               gboolean            many_rows,
               gint64              n_rows,
               GError            **error)
{
  FlowTensor *bins = flow_kernel_allocate_dims (c, 0, many_rows ? 2 : 1,
                                                many_rows ? (gint64[]) { n_rows, count->size } : &count->size, error);

  if (bins != NULL && bins->n_bytes > 0)
    memset (bins->data, 0, bins->n_bytes);
  return bins;
}

static gboolean
dense_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  gboolean many = FLOW_RANK (input) == 2;
  FlowTensor *bins;
  gint64 width;
  Count count;

  if (FLOW_RANK (input) > 2)
    return _flow_refuse (error, "Shape must be at most rank 2 but is rank %d", FLOW_RANK (input));
  if (!read_count (c, 0, 1, &count, error)
      || (bins = allocate_bins (c, &count, many, many ? FLOW_DIMS (input)[0] : 1, error)) == NULL)
    return FALSE;
  width = many ? FLOW_DIMS (input)[1] : input->n_elements;
  for (gint64 i = 0; i < input->n_elements; i++)
    count_one (&count, bins, many ? i / width : 0, i);
  return TRUE;
}

static gboolean
sparse_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  const FlowTensor *dense = flow_kernel_input (c, 2);
  gboolean many = dense->n_elements == 2;
  gint64 n_rows;
  FlowTensor *bins;
  Count count;

  if (!flow_is_vector (dense) || dense->n_elements < 1 || dense->n_elements > 2)
    return _flow_refuse_shapes (error, dense, NULL, "`dense_shape` must be a vector of one or two numbers, got shape %s");
  if (!flow_is_vector (values) || FLOW_RANK (indices) != 2 || FLOW_DIMS (indices)[0] != values->n_elements
      || FLOW_DIMS (indices)[1] != dense->n_elements)
    return _flow_refuse_shapes (error, indices, values, "Number of values must match first dimension of indices. Got shapes "
                                "%s and %s");
  n_rows = many ? FLOW_DATA (gint64, dense)[0] : 1;
  if (n_rows < 0)
    return _flow_refuse (error, "`dense_shape` must not be negative");
  if (!read_count (c, 1, 3, &count, error) || (bins = allocate_bins (c, &count, many, n_rows, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      gint64 row = many ? FLOW_DATA (gint64, indices)[2 * i] : 0;

      if (row < 0 || row >= n_rows)
        return _flow_refuse (error, "Index out of bound. `batch` (%" G_GINT64_FORMAT ") must be less than the dimension size (%"
                             G_GINT64_FORMAT ").", row, n_rows);
      count_one (&count, bins, row, i);
    }
  return TRUE;
}

static gboolean
ragged_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *splits = flow_kernel_input (c, 0);
  const gint64 *s = FLOW_DATA (gint64, splits);
  gint64 n_rows = splits->n_elements - 1;
  gint64 row = 0;
  FlowTensor *bins;
  Count count;

  if (!read_count (c, 1, 2, &count, error))
    return FALSE;
  if (!flow_is_vector (splits) || n_rows < 0)
    return _flow_refuse (error, "Splits must be non-empty");
  if (s[0] != 0)
    return _flow_refuse (error, "Splits must start with 0, not with %" G_GINT64_FORMAT, s[0]);
  if (s[n_rows] != count.values->n_elements)
    return _flow_refuse (error, "Splits must end with the number of values, got %" G_GINT64_FORMAT " instead of %"
                         G_GINT64_FORMAT, s[n_rows], count.values->n_elements);
  if ((bins = allocate_bins (c, &count, TRUE, n_rows, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < count.values->n_elements; i++)
    {
      while (row < n_rows && s[row + 1] <= i)
        row++;
      /* Splits in the middle may be anything. */
      if (row >= n_rows)
        return _flow_refuse (error, "Splits must not decrease");
      count_one (&count, bins, row, i);
    }
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------------------- */

#define ATTRS "Tidx: {int32, int64}; T: {int32, int64, float, double}; binary_output: bool = false"
#define COUNT_OP(op, in, infer_func, compute, text)                                                                 \
  { .name = op, .inputs = in "; size: Tidx; weights: T", .outputs = "output: T", .attrs = ATTRS, .summary = text,    \
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_func,                                                              \
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64 float double; Tidx: int32 int64", compute }, { NULL } } }

static const FlowOpDef ops[] = {
  COUNT_OP ("DenseBincount", "input: Tidx", dense_infer, dense_compute, "How often each number occurs in each row"),
  COUNT_OP ("RaggedBincount", "splits: int64; values: Tidx", ragged_infer, ragged_compute,
            "How often each number occurs in each row of a ragged tensor"),
  COUNT_OP ("SparseBincount", "indices: int64; values: Tidx; dense_shape: int64", sparse_infer, sparse_compute,
            "How often each number occurs in each row of a sparse tensor"),
};

FLOW_DEFINE_OP_FAMILY (bincount_v2, ops)
