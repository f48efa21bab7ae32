/* flow-kernels-ragged_cross.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * TensorFlow 2: crossed features of ragged columns, with sparse and dense ones among them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-cross-private.h"

#include <string.h>

#define ONLY_MATRICES "tf.ragged.cross only supports inputs with rank=2."

/* Where the inputs of each kind begin. */
typedef struct {
  guint n_ragged;
  guint n_sparse;
  guint n_dense;
  guint splits;
  guint indices;
  guint sparse_values;
  guint shapes;
  guint dense;
} RaggedInputs;

static gboolean
find_inputs (FlowKernelContext  *c,
             RaggedInputs       *in,
             GError            **error)
{
  gsize n_order;

  in->n_ragged = (guint) flow_attr_get_length (flow_kernel_attr (c, "ragged_values_types"));
  in->n_sparse = (guint) flow_kernel_attr_int (c, "Nsparse");
  in->n_dense = (guint) flow_attr_get_length (flow_kernel_attr (c, "dense_types"));
  in->splits = in->n_ragged;
  in->indices = 2 * in->n_ragged;
  in->sparse_values = in->indices + in->n_sparse;
  in->shapes = in->sparse_values + in->n_sparse;
  in->dense = in->shapes + in->n_sparse;
  if (flow_attr_get_length (flow_kernel_attr (c, "ragged_splits_types")) != in->n_ragged)
    return _flow_refuse (error, "ragged values and splits must have the same length");
  if (flow_attr_get_length (flow_kernel_attr (c, "sparse_values_types")) != in->n_sparse)
    return _flow_refuse (error, "sparse indices and values must have the same length");
  flow_attr_get_string (flow_kernel_attr (c, "input_order"), &n_order);
  if (n_order != in->n_ragged + in->n_sparse + in->n_dense)
    return _flow_refuse (error, "Invalid length for input_order");
  return TRUE;
}

static gboolean
check_ragged (FlowKernelContext   *c,
              const RaggedInputs  *in,
              guint                i,
              GError             **error)
{
  const FlowTensor *values = flow_kernel_input (c, i);
  const FlowTensor *splits = flow_kernel_input (c, in->splits + i);

  if (!flow_is_vector (values) || !flow_is_vector (splits))
    return _flow_refuse (error, ONLY_MATRICES);
  FLOW_REQUIRE ((int) splits->dtype == c->output_dtypes[1], error, INVALID_ARGUMENT, "Unexpected row_splits.dtype for input %u", i + 1);
  if (splits->n_elements == 0)
    return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must have at least one element.");
  if (flow_index_at (splits, 0) != 0)
    return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must start from 0.");
  for (gint64 k = 1; k < splits->n_elements; k++)
    if (flow_index_at (splits, k) < flow_index_at (splits, k - 1))
      return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must be sorted in ascending order.");
  if (flow_index_at (splits, splits->n_elements - 1) != values->n_elements)
    return _flow_refuse (error, "Invalid RaggedTensor: Ragged splits must end with the number of values.");
  return TRUE;
}

static gboolean
check_ragged_inputs (FlowKernelContext   *c,
                     const RaggedInputs  *in,
                     gint64              *batch,
                     GError             **error)
{
  for (guint i = 0; i < in->n_ragged; i++)
    if (!check_ragged (c, in, i, error))
      return FALSE;
  for (guint i = 0; i < in->n_sparse; i++)
    {
      const FlowTensor *indices = flow_kernel_input (c, in->indices + i);
      const FlowTensor *values = flow_kernel_input (c, in->sparse_values + i);
      const FlowTensor *shape = flow_kernel_input (c, in->shapes + i);

      if (FLOW_RANK (indices) != 2 || !flow_is_vector (values) || !flow_is_vector (shape))
        return _flow_refuse (error, "Invalid SparseTensor %u", i);
      if (shape->n_elements != 2)
        return _flow_refuse (error, ONLY_MATRICES);
      /* TF: reads rows that are not there. */
      if (FLOW_DIMS (indices)[0] != values->n_elements || FLOW_DIMS (indices)[1] != 2)
        return _flow_refuse (error, "Invalid SparseTensor %u", i);
    }
  for (guint i = 0; i < in->n_dense; i++)
    if (FLOW_RANK (flow_kernel_input (c, in->dense + i)) != 2)
      return _flow_refuse (error, ONLY_MATRICES);
  *batch = in->n_ragged > 0 ? flow_kernel_input (c, in->splits)->n_elements - 1
           : in->n_dense > 0 ? FLOW_DIMS (flow_kernel_input (c, in->dense))[0]
           : in->n_sparse > 0 ? FLOW_DATA (gint64, flow_kernel_input (c, in->shapes))[0] : 0;
  for (guint i = 0; i < in->n_ragged + in->n_sparse + in->n_dense; i++)
    {
      const guint k = i - in->n_ragged;
      const gint64 rows = i < in->n_ragged ? flow_kernel_input (c, in->splits + i)->n_elements - 1
                          : k < in->n_sparse ? FLOW_DATA (gint64, flow_kernel_input (c, in->shapes + k))[0]
                          : FLOW_DIMS (flow_kernel_input (c, in->dense + k - in->n_sparse))[0];

      if (rows != *batch || rows < 0)
        return _flow_refuse (error, "inputs must all have the same batch dimension size.");
    }
  return TRUE;
}

/* TF: a value of an earlier row is one of the row at which it is met. */
static gboolean
read_later_column (FlowKernelContext  *c,
                   FlowCross          *cross,
                   FlowCrossColumn    *column,
                   const FlowTensor   *indices,
                   GError            **error)
{
  gint64 *starts;
  gint64 at = 0;

  if (!_flow_cross_index (c, cross, &column->starts, error))
    return FALSE;
  starts = FLOW_WRITABLE (gint64, column->starts);
  for (gint64 b = 0; b < cross->batch; b++)
    {
      while (at < FLOW_DIMS (indices)[0] && FLOW_DATA (gint64, indices)[2 * at] <= b)
        at++;
      starts[b + 1] = at;
    }
  return TRUE;
}

/* The column that comes next in the order that is asked for: one that is ragged, sparse or dense, each by its turn. */
static gboolean
read_ordered_column (FlowKernelContext   *c,
                     const RaggedInputs  *in,
                     FlowCross           *cross,
                     char                 kind,
                     guint                next[3],
                     GError             **error)
{
  static const char kinds[] = "RSD";
  static const char *const names[] = { "ragged tensor value", "sparse tensor value", "dense tensor" };
  static const char *const lists[] = { "values", "values", "tensors" };
  const guint counts[] = { in->n_ragged, in->n_sparse, in->n_dense };
  const char *place = kind != '\0' ? strchr (kinds, kind) : NULL;
  FlowCrossColumn *column = &cross->columns[cross->n];
  guint which;
  guint i;

  if (place == NULL)
    return _flow_refuse (error, "Unexpected input_order value.");
  which = (guint) (place - kinds);
  i = next[which]++;
  if (i >= counts[which])
    return _flow_refuse (error, "input_order \"%s\" specifies reading a %s at index %u from a list of %u %s.",
                         flow_kernel_attr_string (c, "input_order"), names[which], i, counts[which], lists[which]);
  cross->n++;
  *column = (FlowCrossColumn) { flow_kernel_input (c, which == 0 ? i : which == 1 ? in->sparse_values + i : in->dense + i), -1, NULL };
  if (which == 1)
    return read_later_column (c, cross, column, flow_kernel_input (c, in->indices + i), error);
  if (which == 2)
    {
      column->width = FLOW_DIMS (column->values)[1];
      return TRUE;
    }
  if (!_flow_cross_index (c, cross, &column->starts, error))
    return FALSE;
  for (gint64 b = 0; b <= cross->batch; b++)
    FLOW_WRITABLE (gint64, column->starts)[b] = flow_index_at (flow_kernel_input (c, in->splits + i), b);
  return TRUE;
}

static gboolean
put_ragged (FlowKernelContext  *c,
            FlowCross          *cross,
            GError            **error)
{
  FlowTensor *splits;
  FlowTensor *values;
  const gint64 *ends;

  if (!_flow_cross_count (c, cross, error))
    return FALSE;
  ends = FLOW_DATA (gint64, cross->ends);
  values = flow_kernel_allocate_dims (c, 0, 1, &ends[cross->batch], error);
  splits = values != NULL ? flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { cross->batch + 1 }, error) : NULL;
  if (splits == NULL)
    return FALSE;
  FLOW_REQUIRE (splits->dtype == FLOW_DTYPE_INT64 || ends[cross->batch] <= G_MAXINT32, error, INVALID_ARGUMENT,
                "Too many crosses");
  for (gint64 b = 0; b <= cross->batch; b++)
    if (splits->dtype == FLOW_DTYPE_INT64)
      FLOW_WRITABLE (gint64, splits)[b] = ends[b];
    else
      FLOW_WRITABLE (gint32, splits)[b] = (gint32) ends[b];
  return _flow_cross_put (c, cross, flow_kernel_attr_int (c, "num_buckets"), values, error);
}

static gboolean
ragged_compute (FlowKernelContext  *c,
                GError            **error)
{
  const char *order = flow_kernel_attr_string (c, "input_order");
  g_auto (FlowCross) cross = { .separator = { FLOW_CROSS_SEPARATOR, strlen (FLOW_CROSS_SEPARATOR) } };
  RaggedInputs in;
  guint next[3] = { 0, 0, 0 };
  guint n;

  if (!find_inputs (c, &in, error) || !check_ragged_inputs (c, &in, &cross.batch, error))
    return FALSE;
  n = in.n_ragged + in.n_sparse + in.n_dense;
  cross.columns = g_new0 (FlowCrossColumn, n + 1);
  cross.at = g_new0 (gint64, n + 1);
  for (guint i = 0; i < n; i++)
    if (!read_ordered_column (c, &in, &cross, order[i], next, error))
      return FALSE;
  return put_ragged (c, &cross, error);
}

static gboolean
ragged_infer (FlowInferContext  *c,
              GError           **error)
{
  const guint n_ragged = (guint) flow_attr_get_length (flow_infer_attr (c, "ragged_values_types"));
  gint64 splits = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (n_ragged > 0 && n_ragged < c->n_inputs)
    splits = flow_shape_get_dim (flow_infer_input (c, n_ragged), 0);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (splits));
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "RaggedCross",
    .inputs = "ragged_values: ragged_values_types; ragged_row_splits: ragged_splits_types; sparse_indices: Nsparse * int64; "
              "sparse_values: sparse_values_types; sparse_shape: Nsparse * int64; dense_inputs: dense_types",
    .outputs = "output_values: out_values_type; output_row_splits: out_row_splits_type",
    .attrs = "Nsparse: int >= 0; input_order: string; hashed_output: bool; num_buckets: int >= 0; hash_key: int; "
             "ragged_values_types: list({int64, string}) >= 0; ragged_splits_types: list({int32, int64}) >= 0; "
             "sparse_values_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0; "
             "out_values_type: {int64, string}; out_row_splits_type: {int32, int64}",
    .summary = "Crosses features of ragged, sparse and dense columns", .family = FLOW_OP_FAMILY_MATH, .infer = ragged_infer,
    .kernels = (const FlowKernelDef[]) { { "out_row_splits_type: int32 int64", ragged_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (ragged_cross, ops)
