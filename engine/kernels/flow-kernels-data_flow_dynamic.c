/* flow-kernels-data_flow_dynamic.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows dealt out, and put together again.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-index-private.h"

#include <string.h>

static gboolean
starts_with (const FlowShape *shape,
             const FlowShape *prefix)
{
  return shape->rank >= prefix->rank &&
         memcmp (shape->dims, prefix->dims, sizeof (gint64) * (gsize) prefix->rank) == 0;
}

/* TF: MergePrefix, which names the two sizes that differ and not the two shapes. */
static gboolean
merge_prefix (FlowInferContext *c,
              const FlowShape  *shape,
              const FlowShape  *prefix,
              GError          **error)
{
  gint64 merged;

  if (shape->rank < prefix->rank)
    return _flow_refuse (error, "Shape must be at least rank %d but is rank %d", prefix->rank, shape->rank);
  for (int i = 0; i < prefix->rank; i++)
    if (!flow_infer_merge_dim (c, shape->dims[i], prefix->dims[i], &merged, error))
      return FALSE;
  return TRUE;
}

static gint64
count_dims (const FlowShape *shape,
            int              begin)
{
  gint64 n = 1;

  for (int i = begin; i < shape->rank; i++)
    n *= shape->dims[i];
  return n;
}

/* --- DynamicPartition --------------------------------------------------------------------------------- */

static gboolean
dynamic_partition_infer (FlowInferContext *c,
                         GError          **error)
{
  FlowShape *data = flow_infer_input (c, 0);
  FlowShape *partitions = flow_infer_input (c, 1);
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowShape) unknown = flow_shape_new_vector (FLOW_DIM_UNKNOWN);
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (partitions->rank == FLOW_RANK_UNKNOWN || data->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (!merge_prefix (c, data, partitions, error) ||
      !flow_infer_subshape (c, data, partitions->rank, data->rank, &rest, error) ||
      !flow_infer_concatenate (c, unknown, rest, &out, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, out);
  return TRUE;
}

static gboolean
check_partitions (FlowKernelContext *c,
                  gint64            *counts,
                  GError           **error)
{
  FlowTensor *data = flow_kernel_input (c, 0);
  FlowTensor *partitions = flow_kernel_input (c, 1);

  if (!starts_with (data->shape, partitions->shape))
    return _flow_refuse_shapes (error, data, partitions, "data.shape must start with partitions.shape, got "
                                "data.shape = %s, partitions.shape = %s");
  if (!_flow_check_indices (partitions, c->n_outputs, "partitions", error))
    return FALSE;
  for (gint64 i = 0; i < partitions->n_elements; i++)
    counts[FLOW_DATA (gint32, partitions)[i]]++;
  return TRUE;
}

static gboolean
dynamic_partition_compute (FlowKernelContext *c,
                           GError           **error)
{
  FlowTensor *data = flow_kernel_input (c, 0);
  FlowTensor *partitions = flow_kernel_input (c, 1);
  gsize cell = _flow_cell_size (data->dtype);
  g_autofree gint64 *counts = g_new0 (gint64, c->n_outputs + 1);
  g_autofree gint64 *next = g_new0 (gint64, c->n_outputs + 1);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  int n_rest;
  gsize size;

  if (!check_partitions (c, counts, error))
    return FALSE;
  n_rest = FLOW_RANK (data) - FLOW_RANK (partitions);
  if (n_rest + 1 > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims + 1, FLOW_DIMS (data) + FLOW_RANK (partitions), sizeof (gint64) * (gsize) n_rest);
  for (guint i = 0; i < c->n_outputs; i++)
    {
      dims[0] = counts[i];
      if (flow_kernel_allocate_dims (c, i, n_rest + 1, dims, error) == NULL)
        return FALSE;
    }
  size = (gsize) count_dims (data->shape, FLOW_RANK (partitions)) * cell;
  for (gint64 i = 0; i < partitions->n_elements && size > 0; i++)
    {
      gint32 p = FLOW_DATA (gint32, partitions)[i];

      memcpy ((char *) c->outputs[p].tensor->data + (gsize) next[p]++ * size,
              (const char *) data->data + (gsize) i * size, size);
    }
  for (guint i = 0; i < c->n_outputs; i++)
    _flow_adopt_cells (data->dtype, c->outputs[i].tensor->data, c->outputs[i].tensor->n_elements);
  return TRUE;
}

/* --- DynamicStitch, ParallelDynamicStitch -------------------------------------------------------------- */

static gboolean
dynamic_stitch_infer (FlowInferContext *c,
                      GError          **error)
{
  guint n = c->n_inputs / 2;
  g_autoptr (FlowShape) extra = flow_shape_new_unknown ();
  g_autoptr (FlowShape) out = NULL;
  g_autoptr (FlowShape) rows = NULL;
  gint64 max_index = -1;
  gboolean all_known = TRUE;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *value = flow_infer_input_value (c, i);
      FlowShape *indices = flow_infer_input (c, i);
      FlowShape *data = flow_infer_input (c, n + i);
      g_autoptr (FlowShape) rest = NULL;
      FlowShape *merged = NULL;

      for (gint64 k = 0; value != NULL && k < value->n_elements; k++)
        max_index = MAX (max_index, flow_index_at (value, k));
      all_known = all_known && value != NULL;
      if (indices->rank == FLOW_RANK_UNKNOWN || data->rank == FLOW_RANK_UNKNOWN)
        continue;
      if (!merge_prefix (c, data, indices, error) ||
          !flow_infer_subshape (c, data, indices->rank, data->rank, &rest, error) ||
          !flow_infer_merge (c, extra, rest, &merged, error))
        return FALSE;
      flow_shape_unref (extra);
      extra = merged;
    }
  rows = flow_shape_new_vector (all_known ? max_index + 1 : FLOW_DIM_UNKNOWN);
  if (!flow_infer_concatenate (c, rows, extra, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
refuse_stitch_data (FlowTensor *first_indices,
                    FlowTensor *first_data,
                    FlowTensor *indices,
                    FlowTensor *data,
                    guint       i,
                    GError    **error)
{
  g_autofree char *a = flow_tensor_shape_text (first_data);
  g_autofree char *b = flow_tensor_shape_text (data);
  g_autofree char *ia = flow_tensor_shape_text (first_indices);
  g_autofree char *ib = flow_tensor_shape_text (indices);

  return _flow_refuse (error, "Need data[0].shape[%d:] = data[%u].shape[%d:], got data[0].shape = %s, data[%u].shape "
                       "= %s, indices[0].shape = %s, indices[%u].shape = %s", FLOW_RANK (first_indices), i,
                       FLOW_RANK (indices), a, i, b, ia, i, ib);
}

static gboolean
check_stitch (FlowKernelContext *c,
              guint              n,
              gint64            *n_rows,
              GError           **error)
{
  FlowTensor *first_indices = flow_kernel_input (c, 0);
  FlowTensor *first_data = flow_kernel_input (c, n);
  gint64 max_index = -1;

  for (guint i = 0; i < n; i++)
    {
      FlowTensor *indices = flow_kernel_input (c, i);

      for (gint64 k = 0; k < indices->n_elements; k++)
        max_index = MAX (max_index, FLOW_DATA (gint32, indices)[k]);
    }
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *indices = flow_kernel_input (c, i);
      FlowTensor *data = flow_kernel_input (c, n + i);
      int n_rest = FLOW_RANK (data) - FLOW_RANK (indices);

      if (!starts_with (data->shape, indices->shape))
        {
          g_autofree char *a = flow_tensor_shape_text (data);
          g_autofree char *b = flow_tensor_shape_text (indices);

          return _flow_refuse (error, "data[%u].shape = %s does not start with indices[%u].shape = %s", i, a, i, b);
        }
      if (i > 0 && (n_rest != FLOW_RANK (first_data) - FLOW_RANK (first_indices) ||
                    memcmp (FLOW_DIMS (data) + FLOW_RANK (indices), FLOW_DIMS (first_data) + FLOW_RANK (first_indices),
                            sizeof (gint64) * (gsize) n_rest) != 0))
        return refuse_stitch_data (first_indices, first_data, indices, data, i, error);
    }
  /* TF: looks at no index where there are no rows, and names the place in its own vector. */
  for (guint i = 0; max_index >= 0 && i < n; i++)
    {
      FlowTensor *indices = flow_kernel_input (c, i);

      for (gint64 k = 0; k < indices->n_elements; k++)
        if (FLOW_DATA (gint32, indices)[k] < 0)
          return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] is out of range", k);
    }
  *n_rows = max_index + 1;
  return TRUE;
}

static gboolean
dynamic_stitch_compute (FlowKernelContext *c,
                        GError           **error)
{
  guint n = c->n_inputs / 2;
  FlowTensor *first_indices = flow_kernel_input (c, 0);
  FlowTensor *first_data = flow_kernel_input (c, n);
  gsize cell = _flow_cell_size (first_data->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  int n_rest;
  gsize size;
  FlowTensor *out;

  if (!check_stitch (c, n, &dims[0], error))
    return FALSE;
  n_rest = FLOW_RANK (first_data) - FLOW_RANK (first_indices);
  if (n_rest + 1 > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims + 1, FLOW_DIMS (first_data) + FLOW_RANK (first_indices), sizeof (gint64) * (gsize) n_rest);
  out = flow_kernel_allocate_dims (c, 0, n_rest + 1, dims, error);
  if (out == NULL)
    return FALSE;
  /* TF leaves rows that no index names as the memory was; here they are zeros. */
  if (!flow_dtype_has_references (out->dtype))
    memset (out->data, 0, out->n_bytes);
  size = (gsize) count_dims (first_data->shape, FLOW_RANK (first_indices)) * cell;
  if (out->n_elements == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *indices = flow_kernel_input (c, i);
      FlowTensor *data = flow_kernel_input (c, n + i);

      for (gint64 k = 0; k < indices->n_elements; k++)
        memcpy ((char *) out->data + (gsize) FLOW_DATA (gint32, indices)[k] * size,
                (const char *) data->data + (gsize) k * size, size);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "DynamicPartition",
    .inputs = "data: T; partitions: int32",
    .outputs = "outputs: num_partitions * T",
    .attrs = "num_partitions: int >= 1; T: type",
    .summary = "Rows dealt out to several tensors, by number",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = dynamic_partition_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        dynamic_partition_compute },
      { NULL },
    },
  },
  {
    .name = "DynamicStitch",
    .inputs = "indices: N * int32; data: N * T",
    .outputs = "merged: T",
    .attrs = "N: int >= 1; T: type",
    .summary = "Rows of several tensors put in the places that indices name",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = dynamic_stitch_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 variant",
        dynamic_stitch_compute },
      { NULL },
    },
  },
  {
    .name = "ParallelDynamicStitch",
    .inputs = "indices: N * int32; data: N * T",
    .outputs = "merged: T",
    .attrs = "N: int >= 1; T: type",
    .summary = "Rows of several tensors put in the places that indices name",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = dynamic_stitch_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 variant",
        dynamic_stitch_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (data_flow_dynamic, ops)
