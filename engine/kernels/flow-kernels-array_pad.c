/* flow-kernels-array_pad.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors with something around them, and tensors repeated.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* TF: no kernel of 1.15 pads a tensor of a higher rank. */
#define MAX_PADDED_RANK 6

/* --- Pad, PadV2 ------------------------------------------------------------------------------------- */

/* Shape after padding; @shrink: what the gradient takes away again. */
static gboolean
pad_shape (FlowInferContext *c,
           gboolean          shrink,
           GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowTensor *paddings = flow_infer_input_value (c, 1);
  g_autoptr (FlowShape) matrix = NULL;
  g_autoptr (FlowShape) ranked = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 n;

  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &matrix, error) ||
      !_flow_infer_with_value (matrix->dims[1], 2, error))
    return FALSE;
  n = matrix->dims[0];
  if (n > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (n >= 0 && !flow_infer_with_rank (c, in, (int) n, &ranked, error))
    return FALSE;
  if (ranked == NULL)
    ranked = flow_shape_ref (in);
  if (ranked->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  out = flow_shape_new_of_rank (ranked->rank);
  for (int i = 0; i < ranked->rank && paddings != NULL && (i + 1) * 2 <= paddings->n_elements; i++)
    {
      gint64 before = flow_index_at (paddings, 2 * i);
      gint64 after = flow_index_at (paddings, 2 * i + 1);
      gint64 sum;

      if (before < 0 || after < 0)
        return _flow_refuse (error, "Paddings must be non-negative");
      if (ranked->dims[i] == FLOW_DIM_UNKNOWN)
        continue;
      if (!flow_add_int64 (before, after, &sum) ||
          (shrink ? sum > ranked->dims[i] : !flow_add_int64 (ranked->dims[i], sum, &sum)))
        return _flow_refuse (error, "Paddings do not fit dimension %d", i);
      out->dims[i] = shrink ? ranked->dims[i] - sum : sum;
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
pad_infer (FlowInferContext *c,
           GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return pad_shape (c, FALSE, error);
}

static gboolean
check_paddings (const FlowTensor *x,
                const FlowTensor *paddings,
                const char       *rank_words,
                GError          **error)
{
  if (FLOW_RANK (paddings) != 2 || FLOW_DIMS (paddings)[1] != 2)
    return _flow_refuse_shapes (error, paddings, NULL, "paddings must be a matrix with 2 columns: %s");
  if (FLOW_DIMS (paddings)[0] != FLOW_RANK (x))
    return _flow_refuse_shapes (error, paddings, x, rank_words);
  return TRUE;
}

static gboolean
pad (FlowKernelContext *c,
     const FlowTensor  *value,
     GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *paddings = flow_kernel_input (c, 1);
  gsize cell = _flow_cell_size (x->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  guint8 zero[16] = { 0 };
  gint64 offset = 0;
  gboolean none = TRUE;
  FlowTensor *out;

  FLOW_REQUIRE (FLOW_RANK (x) <= MAX_PADDED_RANK, error, UNIMPLEMENTED, "inputs rank not in [0,%d]: %d", MAX_PADDED_RANK,
                FLOW_RANK (x));
  if (!check_paddings (x, paddings, "The first dimension of paddings must be the rank of inputs%s %s", error))
    return FALSE;
  if (value != NULL && !flow_is_scalar (value))
    return _flow_refuse_shapes (error, value, NULL, "constant_values must be a scalar. Found: %s");
  for (int i = 0; i < FLOW_RANK (x); i++)
    {
      gint64 before = flow_index_at (paddings, 2 * i);
      gint64 after = flow_index_at (paddings, 2 * i + 1);

      if (before < 0 || after < 0)
        return _flow_refuse (error, "Paddings must be non-negative: %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                             before, after);
      if (!flow_add_int64 (FLOW_DIMS (x)[i], before, &dims[i]) || !flow_add_int64 (dims[i], after, &dims[i]))
        return _flow_refuse (error, "Paddings of dimension %d are too large", i);
      none = none && before == 0 && after == 0;
    }
  if (none)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (x), dims, error);
  if (out == NULL)
    return FALSE;
  _flow_fill_cells (cell, out->data, out->n_elements, value != NULL ? value->data : zero);
  if (x->n_elements > 0)
    {
      _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), src_strides);
      _flow_row_major_strides (FLOW_RANK (x), dims, dst_strides);
      for (int i = 0; i < FLOW_RANK (x); i++)
        offset += flow_index_at (paddings, 2 * i) * dst_strides[i];
      _flow_copy_strided (cell, FLOW_RANK (x), FLOW_DIMS (x), (char *) out->data + (gsize) offset * cell,
                          dst_strides, x->data, src_strides);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
pad_compute (FlowKernelContext *c,
             GError           **error)
{
  return pad (c, NULL, error);
}

static gboolean
pad_v2_compute (FlowKernelContext *c,
                GError           **error)
{
  return pad (c, flow_kernel_input (c, 2), error);
}

/* --- MirrorPad, MirrorPadGrad ------------------------------------------------------------------------- */

/* 1 where the edge itself is not repeated (REFLECT), 0 where it is (SYMMETRIC). */
static int
mirror_offset (FlowKernelContext *c)
{
  return strcmp (flow_kernel_attr_string (c, "mode"), "REFLECT") == 0 ? 1 : 0;
}

/* Fills the padding of dim @axis of @t, whose inner part [before, before + size) is in place. */
static void
mirror_dim (FlowTensor *t,
            int         axis,
            gint64      before,
            gint64      size,
            int         offset)
{
  gsize cell = _flow_cell_size (t->dtype);
  gint64 total = FLOW_DIMS (t)[axis];
  gint64 n_outer = 1;
  gsize width = cell;

  for (int i = 0; i < axis; i++)
    n_outer *= FLOW_DIMS (t)[i];
  for (int i = axis + 1; i < FLOW_RANK (t); i++)
    width *= (gsize) FLOW_DIMS (t)[i];
  for (gint64 o = 0; o < n_outer; o++)
    {
      char *base = (char *) t->data + (gsize) (o * total) * width;

      for (gint64 p = 0; p < before; p++)
        memcpy (base + (gsize) p * width, base + (gsize) (2 * before - 1 - p + offset) * width, width);
      for (gint64 p = before + size; p < total; p++)
        memcpy (base + (gsize) p * width, base + (gsize) (2 * (before + size) - 1 - p - offset) * width, width);
    }
}

static gboolean
mirror_pad_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *paddings = flow_kernel_input (c, 1);
  int offset = mirror_offset (c);
  gsize cell = _flow_cell_size (x->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  gint64 at = 0;
  FlowTensor *out;

  if (!check_paddings (x, paddings, "The first dimension of paddings must be the rank of inputs%s, %s", error))
    return FALSE;
  for (int i = 0; i < FLOW_RANK (x); i++)
    {
      gint64 before = flow_index_at (paddings, 2 * i);
      gint64 after = flow_index_at (paddings, 2 * i + 1);
      gint64 dim = FLOW_DIMS (x)[i];

      if (before < 0 || after < 0)
        return _flow_refuse (error, "paddings must be non-negative: %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                             before, after);
      if (offset == 0 && (before > dim || after > dim))
        return _flow_refuse (error, "paddings must be no greater than the dimension size: %" G_GINT64_FORMAT ", %"
                             G_GINT64_FORMAT " greater than %" G_GINT64_FORMAT, before, after, dim);
      if (offset == 1 && (before >= dim || after >= dim))
        return _flow_refuse (error, "paddings must be less than the dimension size: %" G_GINT64_FORMAT ", %"
                             G_GINT64_FORMAT " not less than %" G_GINT64_FORMAT, before, after, dim);
      if (!flow_add_int64 (dim, before, &dims[i]) || !flow_add_int64 (dims[i], after, &dims[i]))
        return _flow_refuse (error, "paddings of dimension %d are too large", i);
    }
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (x), dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), src_strides);
  _flow_row_major_strides (FLOW_RANK (x), dims, dst_strides);
  for (int i = 0; i < FLOW_RANK (x); i++)
    at += flow_index_at (paddings, 2 * i) * dst_strides[i];
  _flow_copy_strided (cell, FLOW_RANK (x), FLOW_DIMS (x), (char *) out->data + (gsize) at * cell, dst_strides,
                      x->data, src_strides);
  /* The innermost dim first: what an outer one copies is then whole. Cells not yet written are copied
   * along and overwritten later. */
  for (int i = FLOW_RANK (x) - 1; i >= 0; i--)
    mirror_dim (out, i, flow_index_at (paddings, 2 * i), FLOW_DIMS (x)[i], offset);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
mirror_pad_grad_infer (FlowInferContext *c,
                       GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return pad_shape (c, TRUE, error);
}

/* Adds the padding of dim @axis to what it mirrors. */
static void
fold_dim (FlowTensor     *t,
          int             axis,
          gint64          before,
          gint64          size,
          int             offset,
          FlowCombineFunc add)
{
  gsize cell = _flow_cell_size (t->dtype);
  gint64 total = FLOW_DIMS (t)[axis];
  gint64 n_outer = 1;
  gint64 inner = 1;
  gsize width;

  for (int i = 0; i < axis; i++)
    n_outer *= FLOW_DIMS (t)[i];
  for (int i = axis + 1; i < FLOW_RANK (t); i++)
    inner *= FLOW_DIMS (t)[i];
  width = (gsize) inner * cell;
  for (gint64 o = 0; o < n_outer; o++)
    {
      char *base = (char *) t->data + (gsize) (o * total) * width;

      for (gint64 p = 0; p < before; p++)
        add (base + (gsize) (2 * before - 1 - p + offset) * width, base + (gsize) p * width, inner, 1);
      for (gint64 p = before + size; p < total; p++)
        add (base + (gsize) (2 * (before + size) - 1 - p - offset) * width, base + (gsize) p * width, inner, 1);
    }
}

static gboolean
mirror_pad_grad_compute (FlowKernelContext *c,
                         GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *paddings = flow_kernel_input (c, 1);
  int offset = mirror_offset (c);
  FlowCombineFunc add = _flow_combine_func (FLOW_COMBINE_ADD, x->dtype);
  gsize cell = _flow_cell_size (x->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowTensor) scratch = NULL;
  gint64 at = 0;
  FlowTensor *out;

  if (!check_paddings (x, paddings, "The first dimension of paddings must be the rank of inputs%s %s", error))
    return FALSE;
  FLOW_REQUIRE (add != NULL, error, UNIMPLEMENTED, "no sum of %s", flow_dtype_string (x->dtype));
  for (int i = 0; i < FLOW_RANK (x); i++)
    {
      gint64 before = flow_index_at (paddings, 2 * i);
      gint64 after = flow_index_at (paddings, 2 * i + 1);
      gint64 sum;

      if (before < 0 || after < 0)
        return _flow_refuse (error, "Paddings must be non-negative: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
                             before, after);
      if (!flow_add_int64 (before, after, &sum))
        return _flow_refuse (error, "Paddings of dimension %d are too large", i);
      dims[i] = FLOW_DIMS (x)[i] - sum;
      if (offset == 0 && (before > dims[i] || after > dims[i]))
        return _flow_refuse (error, "paddings must be no greater than the output dimension size: %" G_GINT64_FORMAT
                             ", %" G_GINT64_FORMAT " greater than %" G_GINT64_FORMAT, before, after, dims[i]);
      if (offset == 1 && (before >= dims[i] || after >= dims[i]))
        return _flow_refuse (error, "paddings must be less than the output dimension size: %" G_GINT64_FORMAT ", %"
                             G_GINT64_FORMAT " not less than %" G_GINT64_FORMAT, before, after, dims[i]);
    }
  scratch = flow_tensor_copy (x, c->budget, error);
  if (scratch == NULL)
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (x), dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  for (int i = 0; i < FLOW_RANK (x); i++)
    fold_dim (scratch, i, flow_index_at (paddings, 2 * i), dims[i], offset, add);
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), src_strides);
  _flow_row_major_strides (FLOW_RANK (x), dims, dst_strides);
  for (int i = 0; i < FLOW_RANK (x); i++)
    at += flow_index_at (paddings, 2 * i) * src_strides[i];
  _flow_copy_strided (cell, FLOW_RANK (x), dims, out->data, dst_strides,
                      (const char *) scratch->data + (gsize) at * cell, src_strides);
  return TRUE;
}

/* --- Tile ------------------------------------------------------------------------------------------- */

static gboolean
tile_infer (FlowInferContext *c,
            GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) multiples = NULL;
  g_autoptr (FlowShape) ranked = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &vector, error) ||
      !flow_infer_shape_from_value (c, 1, &multiples, error))
    return FALSE;
  if (multiples->rank == FLOW_RANK_UNKNOWN)
    {
      if (in->rank == FLOW_RANK_UNKNOWN)
        return flow_infer_unknown_shape (c, error);
      flow_infer_take_output (c, 0, flow_shape_new_of_rank (in->rank));
      return TRUE;
    }
  if (in->rank != FLOW_RANK_UNKNOWN && in->rank != multiples->rank)
    return _flow_refuse (error, "Shape must be rank %d but is rank %d", in->rank, multiples->rank);
  if (!flow_infer_with_rank (c, in, multiples->rank, &ranked, error))
    return FALSE;
  out = flow_shape_new_of_rank (multiples->rank);
  for (int i = 0; i < ranked->rank; i++)
    if (ranked->dims[i] != FLOW_DIM_UNKNOWN && multiples->dims[i] != FLOW_DIM_UNKNOWN &&
        !flow_mul_int64 (ranked->dims[i], multiples->dims[i], &out->dims[i]))
      return _flow_refuse (error, "Dimension %d of the result is too large", i);
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* TF: its CPU repeats these only once, or not at all. */
static gboolean
is_unknown_to_tile (int dtype)
{
  return dtype == FLOW_DTYPE_UINT16 || dtype == FLOW_DTYPE_UINT32 || dtype == FLOW_DTYPE_UINT64
         || flow_dtype_is_quantized (dtype) || dtype == FLOW_DTYPE_RESOURCE || dtype == FLOW_DTYPE_VARIANT;
}

static gboolean
tile_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *multiples = flow_kernel_input (c, 1);
  int rank = FLOW_RANK (x);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autofree gint64 *block = NULL;
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 *src_strides;
  gint64 *dst_strides;
  gboolean once = TRUE;
  FlowTensor *out;

  if (!flow_is_vector (multiples))
    return _flow_refuse_shapes (error, multiples, NULL, "Expected multiples to be 1-D, but got shape %s");
  if (multiples->n_elements != rank)
    return _flow_refuse (error, "Expected multiples argument to be a vector of length %d but got length %"
                         G_GINT64_FORMAT, rank, multiples->n_elements);
  for (int i = 0; i < rank; i++)
    {
      gint64 multiple = flow_index_at (multiples, i);

      if (multiple < 0)
        return _flow_refuse (error, "Expected multiples[%d] >= 0, but got %" G_GINT64_FORMAT, i, multiple);
      if (!flow_mul_int64 (FLOW_DIMS (x)[i], multiple, &dims[i]))
        return _flow_refuse (error, "Dimension %d of the result is too large", i);
      once = once && multiple == 1;
    }
  if (once)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  out = flow_kernel_allocate_dims (c, 0, rank, dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  FLOW_REQUIRE (!is_unknown_to_tile (x->dtype), error, UNIMPLEMENTED,
                "TileOp : The input data type is not supported, DataType : %s, Dimension : %d", flow_dtype_string (x->dtype),
                rank);
  /* Seen as [multiple, dim] pairs, the source stands still along the multiples. Pairs of which one is 1
   * collapse, so that no shape has more dims than the copy takes. */
  block = g_new (gint64, (gsize) (6 * rank + 6));
  src_strides = block + 2 * rank + 2;
  dst_strides = src_strides + 2 * rank + 2;
  {
    int n = 0;

    _flow_row_major_strides (rank, FLOW_DIMS (x), strides);
    for (int i = 0; i < rank; i++)
      {
        gint64 outer = 1;

        for (int k = i + 1; k < rank; k++)
          outer *= dims[k];
        if (dims[i] == 1)
          continue;
        block[n] = flow_index_at (multiples, i);
        dst_strides[n] = outer * FLOW_DIMS (x)[i];
        src_strides[n++] = 0;
        block[n] = FLOW_DIMS (x)[i];
        dst_strides[n] = outer;
        src_strides[n++] = strides[i];
      }
    /* A tensor that fits into memory has at most 62 dims that are not 1. */
    _flow_copy_strided (_flow_cell_size (x->dtype), n, block, out->data, dst_strides, x->data, src_strides);
  }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "MirrorPad",
    .inputs = "input: T; paddings: Tpaddings",
    .outputs = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; mode: {'REFLECT', 'SYMMETRIC'}",
    .summary = "A tensor with its own mirror image around it",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = pad_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string; Tpaddings: int32 int64",
        mirror_pad_compute },
      { NULL },
    },
  },
  {
    .name = "MirrorPadGrad",
    .inputs = "input: T; paddings: Tpaddings",
    .outputs = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; mode: {'REFLECT', 'SYMMETRIC'}",
    .summary = "The gradient of MirrorPad",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = mirror_pad_grad_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128; Tpaddings: int32 int64",
        mirror_pad_grad_compute },
      { NULL },
    },
  },
  {
    .name = "Pad",
    .inputs = "input: T; paddings: Tpaddings",
    .outputs = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32",
    .summary = "A tensor with zeros around it",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = pad_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string; Tpaddings: int32 int64",
        pad_compute },
      { NULL },
    },
  },
  {
    .name = "PadV2",
    .inputs = "input: T; paddings: Tpaddings; constant_values: T",
    .outputs = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32",
    .summary = "A tensor with a value around it",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = pad_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string; Tpaddings: int32 int64",
        pad_v2_compute },
      { NULL },
    },
  },
  {
    .name = "Tile",
    .inputs = "input: T; multiples: Tmultiples",
    .outputs = "output: T",
    .attrs = "T: type; Tmultiples: {int32, int64} = DT_INT32",
    .summary = "A tensor repeated along its dimensions",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = tile_infer,
    .kernels = (const FlowKernelDef[]) { { "Tmultiples: int32 int64", tile_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (array_pad, ops)
