/* flow-kernels-sparse_serialize.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sparse tensors as three strings or variants each, and back: how they pass through queues.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-sparse-rows-private.h"
#include "flow-tensor-proto.h"
#include "flow-tensor-variant-private.h"

/* --- SerializeSparse, SerializeManySparse ---------------------------------------------------------------------------- */

static gboolean
serialize_infer (FlowInferContext  *c,
                 GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (3));
  return TRUE;
}

static gboolean
serialize_many_infer (FlowInferContext  *c,
                      GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 3));
  return TRUE;
}

static gboolean
put_one (FlowTensor        *out,
         gint64             i,
         const FlowTensor  *part,
         GError           **error)
{
  GBytes *bytes;

  if (out->dtype == FLOW_DTYPE_VARIANT)
    {
      FLOW_WRITABLE (FlowVariant *, out)[i] = _flow_tensor_variant_new (part, error);
      return FLOW_WRITABLE (FlowVariant *, out)[i] != NULL;
    }
  bytes = flow_tensor_to_content_proto (part, error);
  if (bytes == NULL)
    return FALSE;
  flow_tensor_take_string (out, i, bytes);
  return TRUE;
}

static gboolean
put_three (FlowTensor           *out,
           gint64                i,
           const FlowSparseRow  *row,
           GError              **error)
{
  return put_one (out, 3 * i, row->indices, error) && put_one (out, 3 * i + 1, row->values, error)
         && put_one (out, 3 * i + 2, row->shape, error);
}

static gboolean
serialize_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowSparseRow row = { NULL };
  FlowTensor *out;
  gboolean ok;

  if (!_flow_sparse_row_read (c, 0, &row, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 1, (gint64[]) { 3 }, error);
  ok = out != NULL && put_three (out, 0, &row, error);
  _flow_sparse_row_clear (&row);
  return ok;
}

static gboolean
serialize_many_compute (FlowKernelContext  *c,
                        GError            **error)
{
  g_autoptr (GArray) rows = _flow_sparse_rows_split (c, 0, error);
  FlowTensor *out = rows != NULL ? flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { rows->len, 3 }, error) : NULL;

  if (out == NULL)
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    if (!put_three (out, i, &g_array_index (rows, FlowSparseRow, i), error))
      return FALSE;
  return TRUE;
}

/* --- DeserializeSparse, DeserializeManySparse -------------------------------------------------------------------------- */

static gboolean
deserialize_infer (FlowInferContext  *c,
                   GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static FlowTensor *
get_one (FlowKernelContext  *c,
         const FlowTensor   *in,
         gint64              i,
         GError            **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GBytes) bytes = NULL;
  FlowTensor *tensor;
  const char *text;
  gsize length;

  if (in->dtype == FLOW_DTYPE_VARIANT)
    {
      tensor = _flow_tensor_variant_at (in, i);
      if (tensor != NULL)
        return flow_tensor_ref (tensor);
      _flow_refuse (error, "Could not get a tensor from serialized_sparse[%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "]", i / 3, i % 3);
      return NULL;
    }
  text = flow_tensor_get_string (in, i, &length);
  bytes = g_bytes_new (text, length);
  tensor = flow_tensor_from_proto (bytes, c->budget, &failure);
  if (tensor != NULL)
    return tensor;
  if (g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED))
    g_propagate_error (error, g_steal_pointer (&failure));
  else if (g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_DATA_LOSS))
    _flow_refuse (error, "Could not parse serialized proto");
  else
    _flow_refuse (error, "Could not construct tensor from proto");
  return NULL;
}

static void
clear_row (gpointer data)
{
  _flow_sparse_row_clear (data);
}

static gboolean
check_serialized (const FlowTensor  *in,
                  GError           **error)
{
  int rank = FLOW_RANK (in);

  if (rank < 1)
    return _flow_refuse_shapes (error, in, NULL, "Serialized sparse should have non-zero rank %s");
  if (FLOW_DIMS (in)[rank - 1] != 3)
    return _flow_refuse_shapes (error, in, NULL, "Serialized sparse should have 3 as the last dimension %s");
  if (in->n_elements == 0)
    return _flow_refuse_shapes (error, in, NULL,
                                "Serialized sparse should have at least 1 serialized tensor, but has a zero dimension %s");
  return TRUE;
}

static gboolean
deserialize_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *in = flow_kernel_input (c, 0);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (FlowSparseRow));

  g_array_set_clear_func (rows, clear_row);
  if (!check_serialized (in, error))
    return FALSE;
  for (gint64 i = 0; i < in->n_elements / 3; i++)
    {
      FlowSparseRow row = { NULL };
      gboolean ok = (row.indices = get_one (c, in, 3 * i, error)) != NULL && (row.values = get_one (c, in, 3 * i + 1, error)) != NULL
                    && (row.shape = get_one (c, in, 3 * i + 2, error)) != NULL
                    && _flow_sparse_row_check (&row, i, flow_dtype_base (c->output_dtypes[1]), "serialized_sparse",
                                               in->dtype == FLOW_DTYPE_VARIANT, error);

      g_array_append_val (rows, row);
      if (!ok)
        return FALSE;
    }
  if (FLOW_RANK (in) == 1)
    {
      const FlowSparseRow *only = &g_array_index (rows, FlowSparseRow, 0);

      flow_kernel_set_output (c, 0, only->indices);
      flow_kernel_set_output (c, 1, only->values);
      flow_kernel_set_output (c, 2, only->shape);
      return TRUE;
    }
  return _flow_sparse_rows_check_ranks (rows, "shape", 0, error) &&
         _flow_sparse_rows_join (c, rows, FLOW_RANK (in) - 1, FLOW_DIMS (in), error);
}

#define CELLS "T: bfloat16 double float half int16 int32 int64 int8 uint16 uint8 bool complex128 complex64 string resource variant"
#define SPARSE "sparse_indices: int64; sparse_values: T; sparse_shape: int64"

static const FlowOpDef ops[] = {
  { .name = "DeserializeManySparse", .inputs = "serialized_sparse: string",
    .outputs = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64", .attrs = "dtype: type",
    .summary = "Sparse tensors back from strings, as one with a dimension more", .family = FLOW_OP_FAMILY_IO,
    .infer = deserialize_infer, .kernels = (const FlowKernelDef[]) { { NULL, deserialize_compute }, { NULL } } },
  { .name = "DeserializeSparse", .inputs = "serialized_sparse: Tserialized",
    .outputs = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64",
    .attrs = "dtype: type; Tserialized: {string, variant} = DT_STRING",
    .summary = "Sparse tensors back from strings or variants", .family = FLOW_OP_FAMILY_IO, .infer = deserialize_infer,
    .kernels = (const FlowKernelDef[]) { { "Tserialized: string variant", deserialize_compute }, { NULL } } },
  { .name = "SerializeManySparse", .inputs = SPARSE, .outputs = "serialized_sparse: out_type",
    .attrs = "T: type; out_type: {string, variant} = DT_STRING",
    .summary = "Each row of a sparse tensor as three strings or variants", .family = FLOW_OP_FAMILY_IO,
    .infer = serialize_many_infer,
    .kernels = (const FlowKernelDef[]) { { CELLS "; out_type: string variant", serialize_many_compute }, { NULL } } },
  { .name = "SerializeSparse", .inputs = SPARSE, .outputs = "serialized_sparse: out_type",
    .attrs = "T: type; out_type: {string, variant} = DT_STRING",
    .summary = "A sparse tensor as three strings or variants", .family = FLOW_OP_FAMILY_IO, .infer = serialize_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: string variant", serialize_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (sparse_serialize, ops)
