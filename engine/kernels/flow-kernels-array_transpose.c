/* flow-kernels-array_transpose.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dimensions in another order.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* --- Transpose, InvertPermutation ----------------------------------------------------------------- */

static gboolean
transpose_infer (FlowInferContext *c,
                 GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowShape *perm_shape = flow_infer_input (c, 1);
  FlowTensor *perm = flow_infer_input_value (c, 1);
  gint64 n_perm = perm_shape->rank == 1 ? perm_shape->dims[0] : -1;
  int rank = in->rank;
  g_autoptr (FlowShape) out = NULL;
  g_autoptr (FlowShape) vector = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (rank == FLOW_RANK_UNKNOWN)
    rank = n_perm <= FLOW_SHAPE_MAX_RANK ? (int) n_perm : -1;
  /* TF: a permutation of one element says nothing, it is what numpy's scalar perm became. */
  if (rank < 0 || (in->rank == FLOW_RANK_UNKNOWN && rank < 2))
    return flow_infer_unknown_shape (c, error);
  if (!flow_infer_with_rank (c, perm_shape, 1, &vector, error))
    return FALSE;
  if (n_perm >= 0 && n_perm != rank)
    return _flow_refuse (error, "Dimension must be %d but is %" G_GINT64_FORMAT, rank, n_perm);
  out = flow_shape_new_of_rank (rank);
  for (int i = 0; i < rank && perm != NULL; i++)
    {
      gint64 from = flow_index_at (perm, i);

      if (from >= rank || from < 0)
        return _flow_refuse (error, "perm dim %" G_GINT64_FORMAT " is out of range of input rank %d", from, rank);
      out->dims[i] = in->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : in->dims[from];
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
read_permutation (const FlowTensor *x,
                  const FlowTensor *perm,
                  int              *out,
                  GError          **error)
{
  int rank = FLOW_RANK (x);
  gboolean seen[FLOW_SHAPE_MAX_RANK] = { FALSE };

  if (!flow_is_vector (perm))
    return _flow_refuse_shapes (error, perm, NULL, "perm must be a vector, not %s");
  if (perm->n_elements != rank)
    return _flow_refuse (error, "transpose expects a vector of size %d. But input(1) is a vector of size %"
                         G_GINT64_FORMAT, rank, perm->n_elements);
  for (int i = 0; i < rank; i++)
    {
      gint64 from = flow_index_at (perm, i);

      if (from < 0 || from >= rank)
        return _flow_refuse (error, "%" G_GINT64_FORMAT " is out of range [0 .. %d)", from, rank);
      seen[from] = TRUE;
      out[i] = (int) from;
    }
  for (int i = 0; i < rank; i++)
    if (!seen[i])
      {
        g_autoptr (GString) text = g_string_new (NULL);

        for (int k = 0; k < rank; k++)
          g_string_append_printf (text, "%s%d", k > 0 ? "," : "", out[k]);
        return _flow_refuse (error, "%d is missing from {%s}.", i, text->str);
      }
  return TRUE;
}

/* The complex conjugate, in place. */
static void
conjugate (FlowTensor *t)
{
  if (t->dtype == FLOW_DTYPE_COMPLEX64)
    for (gint64 i = 0; i < t->n_elements; i++)
      FLOW_WRITABLE (float, t)[2 * i + 1] = -FLOW_WRITABLE (float, t)[2 * i + 1];
  else if (t->dtype == FLOW_DTYPE_COMPLEX128)
    for (gint64 i = 0; i < t->n_elements; i++)
      FLOW_WRITABLE (double, t)[2 * i + 1] = -FLOW_WRITABLE (double, t)[2 * i + 1];
}

static gboolean
transpose (FlowKernelContext *c,
           gboolean           conjugated,
           GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  int perm[FLOW_SHAPE_MAX_RANK];
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 x_strides[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) shape = NULL;
  gboolean same_order = TRUE;
  int last = -1;
  FlowTensor *out;

  if (!read_permutation (x, flow_kernel_input (c, 1), perm, error))
    return FALSE;
  _flow_row_major_strides (rank, FLOW_DIMS (x), x_strides);
  for (int i = 0; i < rank; i++)
    {
      dims[i] = FLOW_DIMS (x)[perm[i]];
      src_strides[i] = x_strides[perm[i]];
      /* Dims of one cell may go anywhere: the cells stay where they are. */
      if (dims[i] != 1)
        {
          same_order = same_order && perm[i] > last;
          last = perm[i];
        }
    }
  shape = flow_shape_new (rank, dims);
  if (same_order && !(conjugated && flow_dtype_is_complex (x->dtype)))
    return _flow_take_reshaped (c, 0, x, shape, error);
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  _flow_row_major_strides (rank, dims, dst_strides);
  _flow_copy_strided (_flow_cell_size (out->dtype), rank, dims, out->data, dst_strides, x->data, src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  if (conjugated)
    conjugate (out);
  return TRUE;
}

static gboolean
transpose_compute (FlowKernelContext *c,
                   GError           **error)
{
  return transpose (c, FALSE, error);
}

static gboolean
conjugate_transpose_compute (FlowKernelContext *c,
                             GError           **error)
{
  return transpose (c, TRUE, error);
}

static gboolean
invert_permutation_infer (FlowInferContext *c,
                          GError          **error)
{
  g_autoptr (FlowShape) vector = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &vector, error))
    return FALSE;
  flow_infer_set_output (c, 0, vector);
  return TRUE;
}

static gboolean
invert_permutation_compute (FlowKernelContext *c,
                            GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gint64 n = x->n_elements;
  FlowTensor *out;

  if (!flow_is_vector (x))
    return _flow_refuse (error, "invert_permutation expects a 1D vector.");
  if (n > G_MAXINT32)
    return _flow_refuse (error, "permutation of nonnegative int32s must have <= int32 max elements");
  out = flow_kernel_allocate (c, 0, x->shape, error);
  if (out == NULL)
    return FALSE;
  memset (out->data, 0xff, out->n_bytes);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 d = flow_index_at (x, i);

      if (d < 0 || d >= n)
        return _flow_refuse (error, "%" G_GINT64_FORMAT " is not between 0 and %" G_GINT64_FORMAT, d, n);
      if (flow_index_at (out, d) != -1)
        return _flow_refuse (error, "%" G_GINT64_FORMAT " is duplicated in the input.", d);
      if (out->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, out)[d] = (gint32) i;
      else
        FLOW_WRITABLE (gint64, out)[d] = i;
    }
  return TRUE;
}
static const FlowOpDef ops[] = {
  {
    .name = "ConjugateTranspose",
    .inputs = "x: T; perm: Tperm",
    .outputs = "y: T",
    .attrs = "T: type; Tperm: {int32, int64} = DT_INT32",
    .summary = "The dimensions in another order, complex numbers conjugated",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = transpose_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        conjugate_transpose_compute },
      { NULL },
    },
  },
  {
    .name = "InvertPermutation",
    .inputs = "x: T",
    .outputs = "y: T",
    .attrs = "T: {int32, int64} = DT_INT32",
    .summary = "The inverse of a permutation",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = invert_permutation_infer,
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64", invert_permutation_compute }, { NULL } },
  },
  {
    .name = "Transpose",
    .inputs = "x: T; perm: Tperm",
    .outputs = "y: T",
    .attrs = "T: type; Tperm: {int32, int64} = DT_INT32",
    .summary = "The dimensions in another order",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = transpose_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        transpose_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_transpose, ops)
