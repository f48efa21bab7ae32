/* flow-kernels-array_basic.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that pass through, and values all alike.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-variant.h"
#include "flow-value-list-private.h"

#include <string.h>

static gboolean
no_op_compute (FlowKernelContext *c,
               GError           **error)
{
  return TRUE;
}

static gboolean
identity_compute (FlowKernelContext *c,
                  GError           **error)
{
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

static gboolean
ref_identity_compute (FlowKernelContext *c,
                      GError           **error)
{
  flow_kernel_set_output_ref (c, 0, flow_kernel_input_ref (c, 0));
  return TRUE;
}

static gboolean
identity_n_infer (FlowInferContext *c,
                  GError          **error)
{
  for (guint i = 0; i < c->n_inputs && i < c->n_outputs; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i));
  return TRUE;
}

static gboolean
identity_n_compute (FlowKernelContext *c,
                    GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_kernel_set_output (c, i, flow_kernel_input (c, i));
  return TRUE;
}

static gboolean
ensure_shape_infer (FlowInferContext *c,
                    GError          **error)
{
  g_autoptr (FlowShape) ranked = NULL;
  g_autoptr (FlowShape) merged = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), flow_infer_attr_shape (c, "shape")->rank, &ranked, error)
      || !flow_infer_merge (c, flow_infer_attr_shape (c, "shape"), flow_infer_input (c, 0), &merged, error))
    return FALSE;
  flow_infer_set_output (c, 0, merged);
  return TRUE;
}

static gboolean
ensure_shape_compute (FlowKernelContext *c,
                      GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowShape *expected = flow_attr_get_shape (flow_kernel_attr (c, "shape"));

  if (!flow_shape_is_compatible (x->shape, expected))
    {
      g_autofree char *found_text = flow_shape_to_string (x->shape);
      g_autofree char *expected_text = flow_shape_to_string (expected);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Shape of tensor %s %s is not compatible with expected shape %s.",
                   flow_kernel_get_name (c), found_text, expected_text);
      return FALSE;
    }
  flow_kernel_set_output (c, 0, x);
  return TRUE;
}

/* --- ZerosLike, OnesLike, Fill ----------------------------------------------------------------- */

static gboolean
variants_like (FlowKernelContext  *c,
               FlowTensor         *x,
               GError            **error)
{
  FlowTensor *out;

  if (!flow_is_scalar (x))
    return _flow_refuse (error, "ZerosLike non-scalar Tensor with dtype=DT_VARIANT is not supported.");
  FLOW_REQUIRE (flow_tensor_get_variant (x, 0) != NULL, error, INTERNAL,
                "No unary variant unary_op function found for unary variant op enum: 1");
  out = flow_kernel_allocate (c, 0, x->shape, error);
  if (out == NULL)
    return FALSE;
  FLOW_WRITABLE (FlowVariant *, out)[0] = flow_variant_zeros_like (flow_tensor_get_variant (x, 0), c->budget, error);
  return FLOW_WRITABLE (FlowVariant *, out)[0] != NULL;
}

static gboolean
like_compute (FlowKernelContext *c,
              int                value,
              GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  guint8 cell[16] = { 0 };
  FlowTensor *out;

  if (x->dtype == FLOW_DTYPE_VARIANT && value == 0)
    return variants_like (c, x, error);
  /* The cell of nothing is the empty string. */
  if (x->dtype != FLOW_DTYPE_STRING && !_flow_cell_from_int (x->dtype, value, cell))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                   "%s has no zero or one", flow_dtype_string (x->dtype));
      return FALSE;
    }
  out = flow_kernel_forward_or_allocate (c, 0, 0, x->shape, error);
  if (out == NULL)
    return FALSE;
  if (x->dtype == FLOW_DTYPE_STRING)
    _flow_release_cells (x->dtype, out->data, out->n_elements);
  else
    _flow_fill_cells (_flow_cell_size (out->dtype), out->data, out->n_elements, cell);
  return TRUE;
}

static gboolean
zeros_like_compute (FlowKernelContext *c,
                    GError           **error)
{
  return like_compute (c, 0, error);
}

static gboolean
ones_like_compute (FlowKernelContext *c,
                   GError           **error)
{
  return like_compute (c, 1, error);
}

static gboolean
fill_infer (FlowInferContext *c,
            GError          **error)
{
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) scalar = NULL;
  FlowShape *shape = NULL;
  FlowTensor *dims;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &vector, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &scalar, error) ||
      !flow_infer_shape_from_value (c, 0, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  dims = flow_infer_input_value (c, 0);
  for (gint64 i = 0; dims != NULL && i < dims->n_elements; i++)
    {
      if (flow_tensor_get_int (dims, i) < 0)
        return _flow_refuse (error, "Fill dimensions must be >= 0");
    }
  return TRUE;
}

static gboolean
fill_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *dims = flow_kernel_input (c, 0);
  FlowTensor *value = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (!flow_is_vector (dims))
    return _flow_refuse_shapes (error, dims, NULL, "dims must be a vector, got shape %s");
  if (!flow_is_scalar (value))
    return _flow_refuse_shapes (error, value, NULL, "value must be a scalar, got shape %s");
  shape = flow_kernel_shape_from_tensor (dims, error);
  if (shape == NULL)
    return FALSE;
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  _flow_fill_cells (_flow_cell_size (out->dtype), out->data, out->n_elements, value->data);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* --- Bitcast ----------------------------------------------------------------------------------- */

static gboolean
bitcast_infer (FlowInferContext *c,
               GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  gsize from = flow_dtype_size (flow_infer_attr_dtype (c, "T"));
  gsize to = flow_dtype_size (flow_infer_attr_dtype (c, "type"));
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (in->rank == FLOW_RANK_UNKNOWN || from == to)
    {
      flow_infer_set_output (c, 0, in);
      return TRUE;
    }
  if (from > to)
    {
      g_autoptr (FlowShape) vector = flow_shape_new_vector ((gint64) (from / to));

      if (!flow_infer_concatenate (c, in, vector, &out, error))
        return FALSE;
    }
  else
    {
      gint64 last = in->rank > 0 ? in->dims[in->rank - 1] : -1;

      if (in->rank == 0)
        return _flow_refuse (error, "Shape must be at least rank 1 but is rank 0");
      if (last != FLOW_DIM_UNKNOWN && (gsize) last != to / from)
        return _flow_refuse (error, "Cannot bitcast due to shape. %" G_GINT64_FORMAT " does not match %" G_GSIZE_FORMAT,
                             last, to / from);
      if (!flow_infer_subshape (c, in, 0, in->rank - 1, &out, error))
        return FALSE;
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
bitcast_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowDType dtype = flow_dtype_base (c->output_dtypes[0]);
  gsize from = flow_dtype_size (x->dtype);
  gsize to = flow_dtype_size (dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  int rank = FLOW_RANK (x);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (from < to && (rank == 0 || (gsize) FLOW_DIMS (x)[rank - 1] != to / from))
    return _flow_refuse (error, "Cannot bitcast from %d to %d", (int) x->dtype, (int) dtype);
  if (from > to && rank == FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Cannot bitcast: too many dimensions");
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) rank);
  if (from > to)
    dims[rank++] = (gint64) (from / to);
  else if (from < to)
    rank--;
  shape = flow_shape_new (rank, dims);
  out = flow_tensor_bitcast (x, dtype, shape, NULL);
  if (out == NULL)
    {
      /* Somebody else's memory may not be aligned for the wider cells. */
      out = flow_kernel_allocate (c, 0, shape, error);
      if (out == NULL)
        return FALSE;
      memcpy (out->data, x->data, out->n_bytes);
      return TRUE;
    }
  flow_kernel_take_output (c, 0, out);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "Bitcast",
    .inputs = "input: T",
    .outputs = "output: type",
    .attrs = "T: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, "
             "int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}; type: "
             "{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, "
             "int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
    .summary = "The same bytes as another dtype",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = bitcast_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, bitcast_compute }, { NULL } },
  },
  {
    .name = "DebugGradientIdentity",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "The same tensor, marked for the gradient debugger",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, identity_compute }, { NULL } },
  },
  {
    .name = "DebugGradientRefIdentity",
    .inputs = "input: Ref(T)",
    .outputs = "output: Ref(T)",
    .attrs = "T: type",
    .summary = "The same reference, marked for the gradient debugger",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, ref_identity_compute }, { NULL } },
  },
  {
    .name = "EnsureShape",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "shape: shape; T: type",
    .summary = "The same tensor, if its shape fits",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = ensure_shape_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, ensure_shape_compute }, { NULL } },
  },
  {
    .name = "Fill",
    .inputs = "dims: index_type; value: T",
    .outputs = "output: T",
    .attrs = "T: type; index_type: {int32, int64} = DT_INT32",
    .summary = "A tensor of one value throughout",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = fill_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 "
        "complex64 complex128 bool string quint8 quint16 resource variant; index_type: "
        "int32 int64",
        fill_compute },
      { NULL },
    },
    .value_list = flow_value_list_fill,
  },
  {
    .name = "GuaranteeConst",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "The same tensor, promised to be constant",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, identity_compute }, { NULL } },
  },
  {
    .name = "Identity",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "The same tensor",
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, identity_compute }, { NULL } },
    .value_list = flow_value_list_same,
  },
  {
    .name = "IdentityN",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: list(type) >= 1",
    .summary = "The same tensors",
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = identity_n_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, identity_n_compute }, { NULL } },
  },
  {
    .name = "NoOp",
    .summary = "Does nothing: a place where control edges meet",
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, no_op_compute }, { NULL } },
  },
  {
    .name = "OnesLike",
    .inputs = "x: T",
    .outputs = "y: T",
    .attrs = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, int64, "
             "complex64, complex128, bool}",
    .summary = "Ones in the shape of the input",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        ones_like_compute },
      { NULL },
    },
  },
  {
    .name = "PreventGradient",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type; message: string = \"\"",
    .summary = "The same tensor, whose gradient may not be asked for",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, identity_compute }, { NULL } },
  },
  {
    .name = "Snapshot",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "The same tensor",
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        identity_compute },
      { NULL },
    },
  },
  {
    .name = "StopGradient",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "The same tensor, through which no gradient flows",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, identity_compute }, { NULL } },
    .value_list = flow_value_list_same,
  },
  {
    .name = "ZerosLike",
    .inputs = "x: T",
    .outputs = "y: T",
    .attrs = "T: type",
    .summary = "Zeros in the shape of the input",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string variant",
        zeros_like_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_basic, ops)
