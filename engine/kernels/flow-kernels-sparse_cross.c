/* flow-kernels-sparse_cross.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossed features: every way to take one feature of each column, as text or as a hash.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-cross-private.h"

#include <string.h>

static gboolean
cross_infer (FlowInferContext  *c,
             GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 2));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (2));
  return TRUE;
}

/* TensorFlow looks at the indices of all columns, then at the values of all, then at the shapes. */
static gboolean
check_indices (FlowKernelContext  *c,
               guint               n_sparse,
               GError            **error)
{
  for (guint k = 0; k < n_sparse; k++)
    {
      const FlowTensor *indices = flow_kernel_input (c, k);
      g_autofree char *shape = flow_tensor_shape_text (indices);

      if (FLOW_RANK (indices) != 2)
        return _flow_refuse (error, "Input indices should be a matrix but received shape %s at position %u", shape, k);
      if (FLOW_DIMS (indices)[1] != 2)
        return _flow_refuse (error, "Expected D2 of index to be 2 got %" G_GINT64_FORMAT " at position %u",
                             FLOW_DIMS (indices)[1], k);
    }
  return TRUE;
}

static gboolean
check_values (FlowKernelContext  *c,
              guint               n_sparse,
              GError            **error)
{
  guint n_values = (guint) flow_attr_get_length (flow_kernel_attr (c, "sparse_types"));

  if (n_values != n_sparse)
    return _flow_refuse (error, "Expected %u input values, got %u", n_sparse, n_values);
  for (guint k = 0; k < n_sparse; k++)
    {
      const FlowTensor *indices = flow_kernel_input (c, k);
      const FlowTensor *values = flow_kernel_input (c, n_sparse + k);
      g_autofree char *shape = flow_tensor_shape_text (values);

      if (!flow_is_vector (values))
        return _flow_refuse (error, "Input values should be a std::vector but received shape %s at position %u", shape, k);
      if (values->n_elements != FLOW_DIMS (indices)[0])
        return _flow_refuse (error, "Expected size of values to be %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT
                             " at position %u", FLOW_DIMS (indices)[0], values->n_elements, k);
    }
  return TRUE;
}

static gboolean
check_shapes (FlowKernelContext  *c,
              guint               n_sparse,
              gint64              batch,
              GError            **error)
{
  for (guint k = 0; k < n_sparse; k++)
    {
      const FlowTensor *dense_shape = flow_kernel_input (c, 2 * n_sparse + k);
      g_autofree char *shape = flow_tensor_shape_text (dense_shape);

      if (!flow_is_vector (dense_shape))
        return _flow_refuse (error, "Input shapes should be a std::vector but received shape %s at position %u", shape, k);
      if (dense_shape->n_elements != 2)
        return _flow_refuse (error, "shape should imply a 2D tensor, but got %s at position %u", shape, k);
      if (FLOW_DATA (gint64, dense_shape)[0] != batch)
        return _flow_refuse (error, "Expected batch size %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT " at position %u",
                             batch, FLOW_DATA (gint64, dense_shape)[0], k);
    }
  return TRUE;
}

/* TF 2: column after column. */
static gboolean
check_column_v2 (const FlowTensor  *indices,
                 const FlowTensor  *values,
                 const FlowTensor  *shape,
                 guint              k,
                 GError           **error)
{
  if (FLOW_RANK (indices) != 2)
    return _flow_refuse_shapes (error, indices, NULL, "Input indices should be a matrix but received shape %s");
  if (FLOW_DIMS (indices)[1] != 2)
    return _flow_refuse (error, "Expected D2 of index to be 2 got %" G_GINT64_FORMAT " at position %u", FLOW_DIMS (indices)[1], k);
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "Input values should be a vector but received shape %s");
  if (values->n_elements != FLOW_DIMS (indices)[0])
    return _flow_refuse (error, "Expected size of values to be %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT " at position %u",
                         FLOW_DIMS (indices)[0], values->n_elements, k);
  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Input shapes should be a vector but received shape %s");
  if (shape->n_elements != 2)
    return _flow_refuse (error, "Expected shape to imply a single column? got %" G_GINT64_FORMAT " at position %u",
                         shape->n_elements, k);
  return TRUE;
}

static gboolean
check_columns_v2 (FlowKernelContext  *c,
                  guint               n_sparse,
                  GError            **error)
{
  if (flow_attr_get_length (flow_kernel_attr (c, "sparse_types")) != n_sparse)
    return _flow_refuse (error, "Expected as many values as indices");
  for (guint k = 0; k < n_sparse; k++)
    if (!check_column_v2 (flow_kernel_input (c, k), flow_kernel_input (c, n_sparse + k),
                          flow_kernel_input (c, 2 * n_sparse + k), k, error))
      return FALSE;
  return TRUE;
}

/* How many examples there are, as the first column says it; -1 where it says nothing, which the checks refuse. */
static gint64
batch_size (FlowKernelContext *c,
            guint              n_sparse,
            guint              n_dense)
{
  const FlowTensor *first = n_sparse > 0 ? flow_kernel_input (c, 2 * n_sparse) : n_dense > 0 ? flow_kernel_input (c, 0) : NULL;

  if (first == NULL)
    return 0;
  if (n_sparse > 0)
    return first->n_elements > 0 ? FLOW_DATA (gint64, first)[0] : -1;
  return FLOW_RANK (first) > 0 ? FLOW_DIMS (first)[0] : -1;
}

/* TF: goes through the features once, example after example: from one that does not follow on, or that is of no
 * example, the rest of its column is left out. */
static gboolean
read_sparse_column (FlowKernelContext  *c,
                    FlowCross          *cross,
                    guint               k,
                    const FlowTensor   *indices,
                    GError            **error)
{
  gint64 *starts;
  gint64 at = 0;

  if (!_flow_cross_index (c, cross, &cross->columns[k].starts, error))
    return FALSE;
  starts = FLOW_WRITABLE (gint64, cross->columns[k].starts);
  for (gint64 b = 0; b < cross->batch; b++)
    {
      while (at < FLOW_DIMS (indices)[0] && FLOW_DATA (gint64, indices)[2 * at] == b)
        at++;
      starts[b + 1] = at;
    }
  return TRUE;
}

static gboolean
read_columns (FlowKernelContext  *c,
              FlowCross          *cross,
              GError            **error)
{
  guint n_sparse = (guint) flow_kernel_attr_int (c, "N");
  guint n_dense = (guint) flow_attr_get_length (flow_kernel_attr (c, "dense_types"));

  if (cross->is_v2 ? !check_columns_v2 (c, n_sparse, error)
                   : !check_indices (c, n_sparse, error) || !check_values (c, n_sparse, error))
    return FALSE;
  cross->n = n_sparse + n_dense;
  cross->columns = g_new0 (FlowCrossColumn, cross->n + 1);
  cross->at = g_new0 (gint64, cross->n + 1);
  cross->batch = batch_size (c, n_sparse, n_dense);
  if (!check_shapes (c, n_sparse, cross->batch, error))
    return FALSE;
  for (guint k = 0; k < n_dense; k++)
    {
      FlowTensor *values = flow_kernel_input (c, 3 * n_sparse + k);

      if (FLOW_RANK (values) != 2)
        {
          g_autofree char *shape = flow_tensor_shape_text (values);

          return _flow_refuse (error, "Dense inputs should be a matrix but received shape %s at position %u", shape, k);
        }
      if (FLOW_DIMS (values)[0] != cross->batch)
        return _flow_refuse (error, "Expected batch size %" G_GINT64_FORMAT " got %" G_GINT64_FORMAT " at dense tensor %u",
                             cross->batch, FLOW_DIMS (values)[0], k);
      cross->columns[n_sparse + k] = (FlowCrossColumn) { values, FLOW_DIMS (values)[1], NULL };
    }
  if (cross->batch < 0)
    return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= 0", cross->batch);
  for (guint k = 0; k < n_sparse; k++)
    {
      cross->columns[k] = (FlowCrossColumn) { flow_kernel_input (c, n_sparse + k), -1, NULL };
      if (!read_sparse_column (c, cross, k, flow_kernel_input (c, k), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
put_crosses (FlowKernelContext  *c,
             FlowCross          *cross,
             gint64              n_buckets,
             GError            **error)
{
  const gint64 *ends;
  gint64 total;
  gint64 widest = 0;
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;

  if (!_flow_cross_count (c, cross, error))
    return FALSE;
  ends = FLOW_DATA (gint64, cross->ends);
  total = ends[cross->batch];
  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { total, 2 }, error);
  values = indices != NULL ? flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { total }, error) : NULL;
  shape = values != NULL ? flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { 2 }, error) : NULL;
  if (shape == NULL || !_flow_cross_put (c, cross, n_buckets, values, error))
    return FALSE;
  for (gint64 b = 0; b < cross->batch; b++)
    {
      const gint64 first = ends[b];
      const gint64 count = ends[b + 1] - first;

      widest = MAX (widest, count);
      for (gint64 k = 0; k < count; k++)
        {
          FLOW_WRITABLE (gint64, indices)[2 * (first + k)] = b;
          FLOW_WRITABLE (gint64, indices)[2 * (first + k) + 1] = k;
        }
    }
  FLOW_WRITABLE (gint64, shape)[0] = cross->batch;
  FLOW_WRITABLE (gint64, shape)[1] = widest;
  return TRUE;
}

static gboolean
cross_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_auto (FlowCross) cross = { 0 };

  cross.separator = (Text) { FLOW_CROSS_SEPARATOR, strlen (FLOW_CROSS_SEPARATOR) };
  return read_columns (c, &cross, error) && put_crosses (c, &cross, flow_kernel_attr_int (c, "num_buckets"), error);
}

static gboolean
feature_cross_compute (FlowKernelContext  *c,
                       GError            **error)
{
  g_auto (FlowCross) cross = { 0 };

  cross.separator = (Text) { FLOW_CROSS_SEPARATOR, strlen (FLOW_CROSS_SEPARATOR) };
  cross.has_old_hash = strcmp (c->signature->name, "SparseFeatureCross") == 0;
  return read_columns (c, &cross, error) && put_crosses (c, &cross, flow_kernel_attr_int (c, "num_buckets"), error);
}

/* TF 2: texts alone, and what stands between them is told. */
static gboolean
cross_v2_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *separator = flow_kernel_input (c, c->n_inputs - 1);
  g_auto (FlowCross) cross = { 0 };

  if (!flow_is_scalar (separator))
    return _flow_refuse_shapes (error, separator, NULL, "Input separator should be a scalar. Received: %s");
  cross.separator = text_at (separator, 0);
  cross.is_v2 = TRUE;
  return read_columns (c, &cross, error) && put_crosses (c, &cross, 0, error);
}

/* TF 2: hashes alone, weak ones or such as go by a key. */
static gboolean
hashed_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *n_buckets = flow_kernel_input (c, c->n_inputs - 3);
  const FlowTensor *strong = flow_kernel_input (c, c->n_inputs - 2);
  const FlowTensor *salt = flow_kernel_input (c, c->n_inputs - 1);
  g_auto (FlowCross) cross = { .is_v2 = TRUE, .is_hashed = TRUE };

  if (!flow_is_scalar (n_buckets) || !flow_is_scalar (strong))
    return _flow_refuse (error, "num_buckets and strong_hash must be scalars");
  if (salt->n_elements != 2)
    return _flow_refuse (error, "Input \"salt\" must have length 2 but has length %" G_GINT64_FORMAT, salt->n_elements);
  cross.is_strong = *FLOW_DATA (guint8, strong) != 0;
  for (guint i = 0; i < 2; i++)
    cross.salt[i] = (guint64) FLOW_DATA (gint64, salt)[i];
  return read_columns (c, &cross, error) && put_crosses (c, &cross, *FLOW_DATA (gint64, n_buckets), error);
}

/* tf.contrib's, before there was SparseCross. */
#define FEATURE_CROSS(op, more)                                                                            \
  { .name = op, .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense: dense_types", \
    .outputs = "output_indices: int64; output_values: out_type; output_shape: int64",                      \
    .attrs = "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; " more                               \
             "sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0; "          \
             "out_type: {int64, string}; internal_type: {int64, string}",                                   \
    .summary = "Crosses features of several columns", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,  \
    .kernels = (const FlowKernelDef[]) {                                                                    \
      { "out_type: int64 string; internal_type: int64 string", feature_cross_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  { .name = "SparseCrossHashed",
    .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types; num_buckets: int64; "
              "strong_hash: bool; salt: int64",
    .outputs = "output_indices: int64; output_values: int64; output_shape: int64",
    .attrs = "N: int >= 0; sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0",
    .summary = "Crosses features of several columns as hashes", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, hashed_compute }, { NULL } } },
  { .name = "SparseCrossV2",
    .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types; sep: string",
    .outputs = "output_indices: int64; output_values: string; output_shape: int64",
    .attrs = "N: int >= 0; sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0",
    .summary = "Crosses features of several columns as text", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, cross_v2_compute }, { NULL } } },
  { .name = "SparseCross",
    .inputs = "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types",
    .outputs = "output_indices: int64; output_values: out_type; output_shape: int64",
    .attrs = "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; hash_key: int; "
             "sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0; "
             "out_type: {int64, string}; internal_type: {int64, string}",
    .summary = "Crosses features of several columns", .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: int64 string; internal_type: int64 string", cross_compute }, { NULL } } },
  FEATURE_CROSS ("SparseFeatureCross", ""),
  FEATURE_CROSS ("SparseFeatureCrossV2", "hash_key: int; "),
};

FLOW_DEFINE_OP_FAMILY (sparse_cross, ops)
