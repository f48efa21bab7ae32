/* flow-kernels-array_gather.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Slices picked by index.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-index-private.h"
#include "flow-state-private.h"

#include <string.h>

#include "flow-parallel.h"
#include "flow-value-list-private.h"

#define PARALLEL_BYTES (64 * 1024)

/* --- Gather, GatherV2, ResourceGather ---------------------------------------------------------------- */

/* params[batch, outer, axis, inner] by indices[batch, n]. */
typedef struct {
  gint64 n_batch;
  gint64 n_outer;
  gint64 n_axis;
  gint64 n_inner;
  gint64 n_indices;
  const FlowTensor *params;
  const FlowTensor *indices;
  FlowTensor *out;
} Gather;

static gint64
count_dims (const gint64 *dims,
            int           begin,
            int           end)
{
  gint64 n = 1;

  for (int i = begin; i < end; i++)
    n *= dims[i];
  return n;
}

/* Each unit of work is one slice of the output. */
static void
gather_range (gint64   begin,
              gint64   end,
              gpointer data)
{
  const Gather *g = data;
  gsize size = (gsize) g->n_inner * _flow_cell_size (g->params->dtype);
  const char *src = g->params->data;
  char *dst = g->out->data;

  for (gint64 i = begin; i < end; i++)
    {
      gint64 index = i % g->n_indices;
      gint64 row = i / g->n_indices;
      gint64 batch = row / g->n_outer;
      gint64 at = flow_index_at (g->indices, batch * g->n_indices + index);

      memcpy (dst + (gsize) i * size, src + (gsize) (row * g->n_axis + at) * size, size);
    }
}

static gboolean
gather (FlowKernelContext *c,
        const FlowTensor  *params,
        const FlowTensor  *indices,
        int                axis,
        int                batch_dims,
        GError           **error)
{
  const gint64 *dims = FLOW_DIMS (params);
  int n_tail = FLOW_RANK (indices) - batch_dims;
  int rank = FLOW_RANK (params) - 1 + n_tail;
  gint64 out_dims[2 * FLOW_SHAPE_MAX_RANK];
  Gather g;

  /* TF: looks at an index when it copies for it, which it does for nothing where nothing is outside. */
  if (count_dims (dims, 0, axis) > 0 && !_flow_check_indices (indices, dims[axis], "indices", error))
    return FALSE;
  if (rank > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (out_dims, dims, sizeof (gint64) * (gsize) axis);
  memcpy (out_dims + axis, FLOW_DIMS (indices) + batch_dims, sizeof (gint64) * (gsize) n_tail);
  memcpy (out_dims + axis + n_tail, dims + axis + 1, sizeof (gint64) * (gsize) (FLOW_RANK (params) - axis - 1));
  g.out = flow_kernel_allocate_dims (c, 0, rank, out_dims, error);
  if (g.out == NULL)
    return FALSE;
  if (g.out->n_elements == 0)
    return TRUE;
  g.n_batch = count_dims (dims, 0, batch_dims);
  g.n_outer = count_dims (dims, batch_dims, axis);
  g.n_axis = dims[axis];
  g.n_inner = count_dims (dims, axis + 1, FLOW_RANK (params));
  g.n_indices = count_dims (FLOW_DIMS (indices), batch_dims, FLOW_RANK (indices));
  g.params = params;
  g.indices = indices;
  flow_parallel_for (g.n_batch * g.n_outer * g.n_indices,
                     MAX (1, PARALLEL_BYTES / (g.n_inner * (gint64) _flow_cell_size (params->dtype))),
                     gather_range, &g);
  _flow_adopt_cells (g.out->dtype, g.out->data, g.out->n_elements);
  return TRUE;
}

/* TF: batch_dims counts from the rank of the indices. As many as they have is what 1.15.5 refuses and later
 * releases write into graphs (tf.gather of one index a row): those run. */
static gboolean
check_batch_dims (const FlowTensor *params,
                  const FlowTensor *indices,
                  gint64            batch_dims,
                  gboolean          has_axis,
                  gint64           *axis,
                  int              *out,
                  GError          **error)
{
  gint64 n = FLOW_RANK (indices);
  gboolean is_later = batch_dims == n && n < FLOW_RANK (params) && (!has_axis || *axis >= n);

  *out = 0;
  if (batch_dims == 0)
    return TRUE;
  if (batch_dims < -n || (batch_dims >= n && !is_later))
    return _flow_refuse (error, "Expected batch_dims in the range [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                         /* TF has counted it from the front by then. */
                         "), but got %" G_GINT64_FORMAT, -n, n, batch_dims < 0 ? batch_dims + n : batch_dims);
  if (batch_dims < 0)
    batch_dims += n;
  if (!has_axis)
    *axis = batch_dims;
  if (batch_dims >= FLOW_RANK (params))
    return _flow_refuse (error, "batch_dims (%" G_GINT64_FORMAT ") must be less than rank(params) (%d).",
                         batch_dims, FLOW_RANK (params));
  if (*axis < batch_dims)
    return _flow_refuse (error, "batch_dims (%" G_GINT64_FORMAT ") must be less than or equal to axis (%"
                         G_GINT64_FORMAT ").", batch_dims, *axis);
  for (int i = 0; i < batch_dims; i++)
    if (FLOW_DIMS (params)[i] != FLOW_DIMS (indices)[i])
      return _flow_refuse (error, "params.shape[%d]: %" G_GINT64_FORMAT " should be equal to indices.shape[%d]: %"
                           G_GINT64_FORMAT, i, FLOW_DIMS (params)[i], i, FLOW_DIMS (indices)[i]);
  *out = (int) batch_dims;
  return TRUE;
}

static gboolean
gather_from (FlowKernelContext *c,
             const FlowTensor  *params,
             const FlowTensor  *axis_tensor,
             gint64             batch_dims,
             GError           **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 1);
  gint64 axis = 0;
  int batch = 0;

  if (FLOW_RANK (params) < 1)
    return _flow_refuse (error, "params must be at least 1 dimensional");
  if (axis_tensor != NULL)
    {
      int canonical = 0;

      if (!flow_is_scalar (axis_tensor))
        return _flow_refuse (error, "axis must be scalar");
      axis = flow_index_at (axis_tensor, 0);
      if (!flow_canonical_axis (axis, FLOW_RANK (params), &canonical))
        return _flow_refuse (error, "Expected axis in the range [%d, %d), but got %" G_GINT64_FORMAT,
                             -FLOW_RANK (params), FLOW_RANK (params), axis);
      axis = canonical;
    }
  if (!check_batch_dims (params, indices, batch_dims, axis_tensor != NULL, &axis, &batch, error))
    return FALSE;
  return gather (c, params, indices, (int) axis, batch, error);
}

static gboolean
gather_infer (FlowInferContext *c,
              GError          **error)
{
  g_autoptr (FlowShape) params = NULL;
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 1, &params, error) ||
      !flow_infer_subshape (c, params, 1, params->rank, &rest, error) ||
      !flow_infer_concatenate (c, flow_infer_input (c, 1), rest, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
gather_compute (FlowKernelContext *c,
                GError           **error)
{
  return gather_from (c, flow_kernel_input (c, 0), NULL, 0, error);
}

static gboolean
gather_v2_unknown_axis (FlowInferContext *c,
                        const FlowShape  *params,
                        const FlowShape  *indices,
                        gint64            batch_dims,
                        GError          **error)
{
  gint64 rank;

  if (params->rank == FLOW_RANK_UNKNOWN || indices->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (batch_dims < 0)
    batch_dims += indices->rank;
  rank = params->rank + indices->rank - batch_dims - 1;
  if (rank < 0 || rank > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "batch_dims %" G_GINT64_FORMAT " is out of range", batch_dims);
  flow_infer_take_output (c, 0, flow_shape_new_of_rank ((int) rank));
  return TRUE;
}

static gboolean
gather_v2_infer (FlowInferContext *c,
                 GError          **error)
{
  FlowTensor *axis_value = flow_infer_input_value (c, 2);
  FlowShape *indices = flow_infer_input (c, 1);
  gint64 batch_dims = flow_infer_attr_int (c, "batch_dims");
  g_autoptr (FlowShape) params = NULL;
  g_autoptr (FlowShape) scalar = NULL;
  gint64 dims[2 * FLOW_SHAPE_MAX_RANK];
  int n = 0;
  int axis = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 1, &params, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 2), 0, &scalar, error))
    return FALSE;
  if (params->rank == FLOW_RANK_UNKNOWN || indices->rank == FLOW_RANK_UNKNOWN || axis_value == NULL)
    return gather_v2_unknown_axis (c, params, indices, batch_dims, error);
  if (!flow_canonical_axis (flow_index_at (axis_value, 0), params->rank, &axis))
    return _flow_refuse (error, "Shape must be at least rank %" G_GINT64_FORMAT " but is rank %d",
                         flow_index_at (axis_value, 0) < 0 ? -flow_index_at (axis_value, 0)
                                                           : flow_index_at (axis_value, 0) + 1, params->rank);
  if (batch_dims < 0)
    batch_dims += indices->rank;
  if (batch_dims < 0 || batch_dims > indices->rank || batch_dims > axis)
    return _flow_refuse (error, "batch_dims (%" G_GINT64_FORMAT ") must be less than or equal to axis (%d).",
                         batch_dims, axis);
  for (int i = 0; i < axis; i++)
    dims[n++] = params->dims[i];
  for (int i = (int) batch_dims; i < indices->rank; i++)
    dims[n++] = indices->dims[i];
  for (int i = axis + 1; i < params->rank; i++)
    dims[n++] = params->dims[i];
  if (n > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  flow_infer_take_output (c, 0, flow_shape_new (n, dims));
  return TRUE;
}

static gboolean
gather_v2_compute (FlowKernelContext *c,
                   GError           **error)
{
  return gather_from (c, flow_kernel_input (c, 0), flow_kernel_input (c, 2),
                      flow_kernel_attr_int (c, "batch_dims"), error);
}

static gboolean
resource_gather_infer (FlowInferContext *c,
                       GError          **error)
{
  FlowShape *indices = flow_infer_input (c, 1);
  gint64 batch_dims = flow_infer_attr_int (c, "batch_dims");
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) params = NULL;
  g_autoptr (FlowShape) tail = NULL;
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowShape) out = NULL;
  g_autoptr (FlowShape) batch = NULL;
  g_autoptr (FlowShape) all = NULL;

  FLOW_REQUIRE (batch_dims >= 0, error, INVALID_ARGUMENT, "batch_dims is negative (%" G_GINT64_FORMAT ")", batch_dims);
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_infer_handle (c, flow_infer_attr_dtype (c, "dtype"), &shape, error) ||
      !flow_infer_with_rank_at_least (c, shape, 1, &params, error))
    return FALSE;
  if (params->rank == FLOW_RANK_UNKNOWN || indices->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (batch_dims < 0)
    batch_dims += indices->rank;
  if (batch_dims < 0 || batch_dims > indices->rank || batch_dims >= params->rank)
    return _flow_refuse (error, "batch_dims (%" G_GINT64_FORMAT ") must be less than rank(params) (%d).",
                         batch_dims, params->rank);
  if (!flow_infer_subshape (c, params, 0, (int) batch_dims, &batch, error) ||
      !flow_infer_subshape (c, indices, (int) batch_dims, indices->rank, &tail, error) ||
      !flow_infer_subshape (c, params, (int) batch_dims + 1, params->rank, &rest, error) ||
      !flow_infer_concatenate (c, batch, tail, &out, error) || !flow_infer_concatenate (c, out, rest, &all, error))
    return FALSE;
  flow_infer_set_output (c, 0, all);
  return TRUE;
}

/* The variable's value, of the dtype that the node promises. */
static FlowTensor *
read_variable (FlowKernelContext *c,
               GError           **error)
{
  FlowVariable *variable = _flow_lookup_variable (c, 0, error);
  FlowTensor *value;

  if (variable == NULL)
    return NULL;
  value = flow_tensor_ref (variable->value);
  flow_resource_unref (variable);
  if (value->dtype == flow_dtype_base (c->output_dtypes[0]))
    return value;
  _flow_refuse (error, "Trying to read variable with wrong dtype. Expected %s got %s",
                flow_dtype_string (c->output_dtypes[0]), flow_dtype_string (value->dtype));
  flow_tensor_unref (value);
  return NULL;
}

static gboolean
resource_gather_compute (FlowKernelContext *c,
                         GError           **error)
{
  g_autoptr (FlowTensor) params = read_variable (c, error);

  return params != NULL && gather_from (c, params, NULL, flow_kernel_attr_int (c, "batch_dims"), error);
}

/* --- GatherNd ---------------------------------------------------------------------------------------- */

static gboolean
infer_gather_nd (FlowInferContext *c,
                 const FlowShape  *params,
                 GError          **error)
{
  g_autoptr (FlowShape) indices = NULL;
  g_autoptr (FlowShape) front = NULL;
  g_autoptr (FlowShape) slice = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 depth;

  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 1), 1, &indices, error))
    return FALSE;
  depth = indices->rank > 0 ? indices->dims[indices->rank - 1] : FLOW_DIM_UNKNOWN;
  if (params->rank == FLOW_RANK_UNKNOWN || depth == FLOW_DIM_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (depth > params->rank)
    {
      g_autofree char *shown = flow_shape_to_string (indices);
      g_autofree char *into = flow_shape_to_string (params);

      return _flow_refuse (error, "indices.shape[-1] must be <= params.rank, but saw indices shape: %s and params shape: %s",
                           shown, into);
    }
  if (!flow_infer_subshape (c, indices, 0, indices->rank - 1, &front, error) ||
      !flow_infer_subshape (c, params, (int) depth, params->rank, &slice, error) ||
      !flow_infer_concatenate (c, front, slice, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
gather_nd_infer (FlowInferContext *c,
                 GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return infer_gather_nd (c, flow_infer_input (c, 0), error);
}

static gboolean
resource_gather_nd_infer (FlowInferContext *c,
                          GError          **error)
{
  g_autoptr (FlowShape) params = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_infer_handle (c, flow_infer_attr_dtype (c, "dtype"), &params, error) &&
         infer_gather_nd (c, params, error);
}

static gboolean
gather_nd (FlowKernelContext *c,
           const FlowTensor  *params,
           GError           **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 1);
  gint64 dims[2 * FLOW_SHAPE_MAX_RANK];
  gint64 n_rows;
  gint64 width;
  gsize size;
  int depth;
  int n_front;
  FlowTensor *out;

  if (FLOW_RANK (params) < 1)
    return _flow_refuse (error, "params must be at least a vector");
  if (FLOW_RANK (indices) < 1)
    return _flow_refuse (error, "indices must be at least a vector");
  n_front = FLOW_RANK (indices) - 1;
  if (FLOW_DIMS (indices)[n_front] > FLOW_RANK (params))
    return _flow_refuse (error, "index innermost dimension length must be <= params rank; saw: %" G_GINT64_FORMAT
                         " vs. %d", FLOW_DIMS (indices)[n_front], FLOW_RANK (params));
  depth = (int) FLOW_DIMS (indices)[n_front];
  n_rows = count_dims (FLOW_DIMS (indices), 0, n_front);
  if (n_rows > 0 && params->n_elements == 0)
    return _flow_refuse_shapes (error, params, NULL, "Requested more than 0 entries, but params is empty.  Params "
                                "shape: %s");
  if (!_flow_check_nd_indices (indices, depth, FLOW_DIMS (params), "param shape", params->shape, FLOW_BAD_ROW_LAST, error))
    return FALSE;
  if (n_front + FLOW_RANK (params) - depth > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims, FLOW_DIMS (indices), sizeof (gint64) * (gsize) n_front);
  memcpy (dims + n_front, FLOW_DIMS (params) + depth, sizeof (gint64) * (gsize) (FLOW_RANK (params) - depth));
  out = flow_kernel_allocate_dims (c, 0, n_front + FLOW_RANK (params) - depth, dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  width = count_dims (FLOW_DIMS (params), depth, FLOW_RANK (params));
  size = (gsize) width * _flow_cell_size (params->dtype);
  for (gint64 i = 0; i < n_rows; i++)
    memcpy ((char *) out->data + (gsize) i * size,
            (const char *) params->data + (gsize) _flow_nd_row (indices, i, depth, FLOW_DIMS (params)) * size, size);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
gather_nd_compute (FlowKernelContext *c,
                   GError           **error)
{
  return gather_nd (c, flow_kernel_input (c, 0), error);
}

static gboolean
resource_gather_nd_compute (FlowKernelContext *c,
                            GError           **error)
{
  g_autoptr (FlowTensor) params = read_variable (c, error);

  return params != NULL && gather_nd (c, params, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "Gather",
    .inputs = "params: Tparams; indices: Tindices",
    .outputs = "output: Tparams",
    .attrs = "validate_indices: bool = true; Tparams: type; Tindices: {int32, int64}",
    .summary = "Slices of a tensor, by index",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = gather_infer,
    .kernels = (const FlowKernelDef[]) {
      { "Tindices: int32 int64; Tparams: half bfloat16 float double int8 int16 int32 "
        "int64 uint8 uint16 uint32 uint64 complex64 complex128 bool string qint8 quint8 "
        "qint16 quint16 qint32 resource variant",
        gather_compute },
      { NULL },
    },
    .value_list = flow_value_list_gather,
  },
  {
    .name = "GatherNd",
    .inputs = "params: Tparams; indices: Tindices",
    .outputs = "output: Tparams",
    .attrs = "Tparams: type; Tindices: {int32, int64}",
    .summary = "Elements or slices, by index vectors",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = gather_nd_infer,
    .kernels = (const FlowKernelDef[]) {
      { "Tindices: int32 int64; Tparams: half bfloat16 float double int8 int16 int32 "
        "int64 uint8 uint16 complex64 complex128 bool string qint8 quint8 qint32 "
        "resource variant",
        gather_nd_compute },
      { NULL },
    },
  },
  {
    .name = "GatherV2",
    .inputs = "params: Tparams; indices: Tindices; axis: Taxis",
    .outputs = "output: Tparams",
    .attrs = "batch_dims: int = 0; Tparams: type; Tindices: {int32, int64}; Taxis: {int32, int64}",
    .summary = "Slices along a dimension, by index",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = gather_v2_infer,
    .kernels = (const FlowKernelDef[]) {
      { "Tindices: int32 int64; Tparams: half bfloat16 float double int8 int16 int32 "
        "int64 uint8 uint16 uint32 uint64 complex64 complex128 bool string qint8 quint8 "
        "qint16 quint16 qint32 resource variant",
        gather_v2_compute },
      { NULL },
    },
    .value_list = flow_value_list_gather,
  },
  {
    .name = "ResourceGather",
    .inputs = "resource: resource; indices: Tindices",
    .outputs = "output: dtype",
    .attrs = "batch_dims: int = 0; validate_indices: bool = true; dtype: type; Tindices: {int32, "
             "int64}",
    .summary = "Slices of a resource variable, by index",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = resource_gather_infer,
    .kernels = (const FlowKernelDef[]) {
      { "Tindices: int32 int64; dtype: half bfloat16 float double int8 int16 int32 int64 "
        "uint8 uint16 complex64 complex128 bool string qint8 quint8 qint32 resource "
        "variant",
        resource_gather_compute },
      { NULL },
    },
  },
  {
    .name = "ResourceGatherNd",
    .inputs = "resource: resource; indices: Tindices",
    .outputs = "output: dtype",
    .attrs = "dtype: type; Tindices: {int32, int64}",
    .summary = "Elements or slices of a resource variable, by index vectors",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = resource_gather_nd_infer,
    .kernels = (const FlowKernelDef[]) {
      { "Tindices: int32 int64; dtype: half bfloat16 float double int8 int16 int32 int64 "
        "uint8 uint16 complex64 complex128 bool string resource variant",
        resource_gather_nd_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_gather, ops)
