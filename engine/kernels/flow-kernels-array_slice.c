/* flow-kernels-array_slice.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parts of tensors, and tensors read backwards.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-strided-slice-private.h"
#include "flow-value-list-private.h"

#include <string.h>

/* --- Slice --------------------------------------------------------------------------------------- */

static gboolean
slice_infer (FlowInferContext *c,
             GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) begin_shape = NULL;
  g_autoptr (FlowShape) size_shape = NULL;
  g_autoptr (FlowShape) both = NULL;
  g_autoptr (FlowShape) begin = NULL;
  g_autoptr (FlowShape) size = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 n;
  int rank;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &begin_shape, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 2), 1, &size_shape, error) ||
      !flow_infer_merge (c, begin_shape, size_shape, &both, error))
    return FALSE;
  n = both->dims[0];
  if (n > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Slice: too many dimensions");
  rank = in->rank != FLOW_RANK_UNKNOWN ? in->rank : (int) n;
  if (n >= 0 && in->rank != FLOW_RANK_UNKNOWN && n != in->rank)
    return _flow_refuse (error, "Shape must be rank %" G_GINT64_FORMAT " but is rank %d", n, in->rank);
  if (rank < 0)
    return flow_infer_unknown_shape (c, error);
  out = flow_shape_new_of_rank (rank);
  if (flow_infer_input_value (c, 2) != NULL)
    {
      FlowTensor *sizes = flow_infer_input_value (c, 2);
      FlowShape *begins = flow_infer_value_list (c, 1);

      for (int i = 0; i < rank && i < sizes->n_elements; i++)
        {
          gint64 dim = in->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : in->dims[i];
          gint64 part = flow_index_at (sizes, i);
          gint64 from = begins != NULL && i < begins->rank ? begins->dims[i] : -1;

          if (part < -1)
            return _flow_refuse (error, "Slice sizes must be non-negative or -1");
          if (part < 0 && dim != FLOW_DIM_UNKNOWN && from > dim)
            return _flow_refuse (error,
                                 "Negative dimension size caused by subtracting %" G_GINT64_FORMAT
                                 " from %" G_GINT64_FORMAT,
                                 from,
                                 dim);
          if (part >= 0)
            out->dims[i] = part;
          else if (dim != FLOW_DIM_UNKNOWN && from >= 0 && from <= dim)
            out->dims[i] = dim - from;
        }
    }
  else
    {
      FlowShape *sizes = flow_infer_value_list (c, 2);

      /* Known in part: only an entry that is there says anything, -1 may be an unknown or a "the rest". */
      for (int i = 0; sizes != NULL && i < rank && i < sizes->rank; i++)
        if (sizes->dims[i] >= 0)
          out->dims[i] = sizes->dims[i];
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
check_slice (FlowTensor *x,
             FlowTensor *begin,
             FlowTensor *size,
             gint64     *begins,
             gint64     *sizes,
             GError    **error)
{
  if (!flow_is_vector (begin) || !flow_is_vector (size) || begin->n_elements != FLOW_RANK (x) ||
      size->n_elements != FLOW_RANK (x))
    {
      g_autofree char *a = flow_tensor_shape_text (begin);
      g_autofree char *b = flow_tensor_shape_text (size);

      return _flow_refuse (error, "Expected begin and size arguments to be 1-D tensors of size %d, but got shapes "
                           "%s and %s instead.", FLOW_RANK (x), a, b);
    }
  for (int i = 0; i < FLOW_RANK (x); i++)
    {
      gint64 dim = FLOW_DIMS (x)[i];

      begins[i] = flow_index_at (begin, i);
      sizes[i] = flow_index_at (size, i);
      if (sizes[i] == -1 && begins[i] >= 0 && begins[i] <= dim)
        sizes[i] = dim - begins[i];
      /* TF: has counted to the end by then, whatever the begin. */
      if (dim == 0 && sizes[i] == -1)
        sizes[i] = -begins[i];
      if (dim == 0 && (begins[i] != 0 || sizes[i] != 0))
        return _flow_refuse (error, "Expected begin[%d] == 0 (got %" G_GINT64_FORMAT ") and size[%d] == 0 (got %"
                             G_GINT64_FORMAT ") when input.dim_size(%d) == 0", i, begins[i], i, sizes[i], i);
      if (begins[i] < 0 || begins[i] > dim)
        return _flow_refuse (error, "Expected begin[%d] in [0, %" G_GINT64_FORMAT "], but got %" G_GINT64_FORMAT,
                             i, dim, begins[i]);
      if (sizes[i] < 0 || sizes[i] > dim - begins[i])
        return _flow_refuse (error, "Expected size[%d] in [0, %" G_GINT64_FORMAT "], but got %" G_GINT64_FORMAT,
                             i, dim - begins[i], sizes[i]);
    }
  return TRUE;
}

/* Whether a block of sizes takes dim 0 in part and the others whole: it then lies in one piece. */
static gboolean
is_block_of_rows (const FlowTensor *x,
                  const gint64     *sizes)
{
  for (int i = 1; i < FLOW_RANK (x); i++)
    if (sizes[i] != FLOW_DIMS (x)[i])
      return FALSE;
  return FLOW_RANK (x) > 0;
}

static gboolean
slice_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 begins[FLOW_SHAPE_MAX_RANK];
  gint64 sizes[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  gint64 offset = 0;
  FlowTensor *out;

  if (!check_slice (x, flow_kernel_input (c, 1), flow_kernel_input (c, 2), begins, sizes, error))
    return FALSE;
  if (rank == 0)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  if (is_block_of_rows (x, sizes))
    {
      flow_kernel_take_output (c, 0, flow_tensor_slice_rows (x, begins[0], begins[0] + sizes[0]));
      return TRUE;
    }
  out = flow_kernel_allocate_dims (c, 0, rank, sizes, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  _flow_row_major_strides (rank, FLOW_DIMS (x), src_strides);
  _flow_row_major_strides (rank, sizes, dst_strides);
  for (int i = 0; i < rank; i++)
    offset += begins[i] * src_strides[i];
  _flow_copy_strided (_flow_cell_size (x->dtype), rank, sizes, out->data, dst_strides,
                      (const char *) x->data + (gsize) offset * _flow_cell_size (x->dtype), src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* --- StridedSlice and its relatives ---------------------------------------------------------------- */

static gpointer
strided_slice_construct (FlowKernelConstruction *c,
                         GError                **error)
{
  FlowSliceMasks *masks = g_new0 (FlowSliceMasks, 1);

  masks->begin_mask = flow_attr_get_int (flow_construction_attr (c, "begin_mask"));
  masks->end_mask = flow_attr_get_int (flow_construction_attr (c, "end_mask"));
  masks->ellipsis_mask = flow_attr_get_int (flow_construction_attr (c, "ellipsis_mask"));
  masks->new_axis_mask = flow_attr_get_int (flow_construction_attr (c, "new_axis_mask"));
  masks->shrink_axis_mask = flow_attr_get_int (flow_construction_attr (c, "shrink_axis_mask"));
  return masks;
}

static gboolean
strided_slice_infer (FlowInferContext *c,
                     GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowTensor *strides = flow_infer_input_value (c, 3);
  FlowStridedSlice slice;
  FlowSliceMasks masks;
  g_autoptr (FlowShape) both = flow_shape_new_of_rank (1);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 1; i < 4; i++)
    {
      g_autoptr (FlowShape) vector = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 1, &vector, error))
        return FALSE;
    }
  for (guint i = 1; i < 4; i++)
    {
      FlowShape *merged = NULL;

      if (!flow_infer_merge (c, both, flow_infer_input (c, i), &merged, error))
        return FALSE;
      flow_shape_unref (both);
      both = merged;
    }
  if (in->rank == FLOW_RANK_UNKNOWN || strides == NULL)
    return flow_infer_unknown_shape (c, error);
  masks.begin_mask = flow_infer_attr_int (c, "begin_mask");
  masks.end_mask = flow_infer_attr_int (c, "end_mask");
  masks.ellipsis_mask = flow_infer_attr_int (c, "ellipsis_mask");
  masks.new_axis_mask = flow_infer_attr_int (c, "new_axis_mask");
  masks.shrink_axis_mask = flow_infer_attr_int (c, "shrink_axis_mask");
  if (!_flow_strided_slice_resolve (&slice, in->rank, in->dims, flow_infer_input_value (c, 1),
                                    flow_infer_input_value (c, 2), strides, &masks, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new (slice.final_rank, slice.final_dims));
  return TRUE;
}

/* Offset and strides of the sliced cells within a tensor of these dims. */
static gint64
locate_slice (const FlowStridedSlice *slice,
              const gint64           *dims,
              gint64                 *strides)
{
  gint64 whole[FLOW_SHAPE_MAX_RANK];
  gint64 offset = 0;

  _flow_row_major_strides (slice->rank, dims, whole);
  for (int i = 0; i < slice->rank; i++)
    {
      offset += slice->begin[i] * whole[i];
      /* A stride that is used but once may be any number: it must not be multiplied. */
      strides[i] = slice->size[i] > 1 ? slice->strides[i] * whole[i] : 0;
    }
  return offset;
}

static gboolean
is_empty (const FlowStridedSlice *slice)
{
  for (int i = 0; i < slice->rank; i++)
    if (slice->size[i] == 0)
      return TRUE;
  return FALSE;
}

static gboolean
strided_slice_compute (FlowKernelContext *c,
                       GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gsize cell = _flow_cell_size (x->dtype);
  FlowStridedSlice slice;
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) shape = NULL;
  gint64 offset;
  FlowTensor *out;

  if (!_flow_strided_slice_resolve (&slice, FLOW_RANK (x), FLOW_DIMS (x), flow_kernel_input (c, 1),
                                    flow_kernel_input (c, 2), flow_kernel_input (c, 3),
                                    flow_kernel_data (c), error))
    return FALSE;
  shape = flow_shape_new (slice.final_rank, slice.final_dims);
  if (!is_empty (&slice) && is_block_of_rows (x, slice.size) && (slice.strides[0] == 1 || slice.size[0] == 1))
    {
      gboolean whole = TRUE;
      g_autoptr (FlowTensor) rows = NULL;

      for (int i = 1; i < slice.rank; i++)
        whole = whole && (slice.strides[i] == 1 || slice.size[i] == 1);
      if (whole)
        {
          rows = flow_tensor_slice_rows (x, slice.begin[0], slice.begin[0] + slice.size[0]);
          return _flow_take_reshaped (c, 0, rows, shape, error);
        }
    }
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  offset = locate_slice (&slice, FLOW_DIMS (x), src_strides);
  _flow_row_major_strides (slice.rank, slice.size, dst_strides);
  _flow_copy_strided (cell, slice.rank, slice.size, out->data, dst_strides,
                      (const char *) x->data + (gsize) offset * cell, src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
strided_slice_grad_infer (FlowInferContext *c,
                          GError          **error)
{
  FlowShape *shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_shape_from_value (c, 0, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

static gboolean
same_dims (const FlowTensor       *tensor,
           const FlowStridedSlice *slice)
{
  return FLOW_RANK (tensor) == slice->final_rank &&
         memcmp (FLOW_DIMS (tensor), slice->final_dims, sizeof (gint64) * (gsize) slice->final_rank) == 0;
}

/* Writes the cells of @src into their places in @dst; both own them. */
static void
write_slice (const FlowStridedSlice *slice,
             FlowTensor             *dst,
             const FlowTensor       *src)
{
  gsize cell = _flow_cell_size (dst->dtype);
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  gint64 offset = locate_slice (slice, FLOW_DIMS (dst), dst_strides);

  if (src->n_elements == 0)
    return;
  _flow_row_major_strides (slice->rank, slice->size, src_strides);
  if (flow_dtype_has_references (dst->dtype))
    {
      /* What is overwritten is dropped cell by cell: take every cell of the old value out first. */
      for (gint64 i = 0; i < src->n_elements; i++)
        {
          gint64 rest = i;
          gint64 at = offset;

          for (int d = slice->rank - 1; d >= 0; d--)
            {
              at += rest % slice->size[d] * dst_strides[d];
              rest /= slice->size[d];
            }
          _flow_replace_cells (dst->dtype, FLOW_WRITABLE (gpointer, dst) + at, FLOW_DATA (gpointer, src) + i, 1);
        }
      return;
    }
  _flow_copy_strided (cell, slice->rank, slice->size, (char *) dst->data + (gsize) offset * cell, dst_strides,
                      src->data, src_strides);
}

static gboolean
strided_slice_grad_compute (FlowKernelContext *c,
                            GError           **error)
{
  FlowTensor *shape_tensor = flow_kernel_input (c, 0);
  FlowTensor *dy = flow_kernel_input (c, 4);
  g_autoptr (FlowShape) shape = NULL;
  FlowStridedSlice slice;
  FlowTensor *out;

  if (!flow_is_vector (shape_tensor))
    return _flow_refuse_shapes (error, shape_tensor, NULL, "shape must be 1-D, got shape.shape = %s");
  shape = flow_kernel_shape_from_tensor (shape_tensor, error);
  if (shape == NULL)
    return FALSE;
  if (!_flow_strided_slice_resolve (&slice, shape->rank, shape->dims, flow_kernel_input (c, 1),
                                    flow_kernel_input (c, 2), flow_kernel_input (c, 3),
                                    flow_kernel_data (c), error))
    return FALSE;
  if (!same_dims (dy, &slice))
    {
      g_autofree char *found = flow_tensor_shape_text (dy);
      g_autofree char *expected = flow_dims_to_string (slice.final_rank, slice.final_dims);

      return _flow_refuse (error, "shape of dy was %s instead of %s", found, expected);
    }
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  if (!flow_dtype_has_references (out->dtype))
    memset (out->data, 0, out->n_bytes);
  write_slice (&slice, out, dy);
  return TRUE;
}

/* --- StridedSliceAssign ------------------------------------------------------------------------- */

static gboolean
check_assigned (const FlowStridedSlice *slice,
                const FlowTensor       *value,
                GError                **error)
{
  g_autofree char *expected = NULL;
  g_autofree char *found = NULL;

  if (same_dims (value, slice))
    return TRUE;
  expected = flow_dims_to_string (slice->final_rank, slice->final_dims);
  found = flow_tensor_shape_text (value);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
               "sliced l-value shape %s does not match r-value shape %s. Automatic broadcasting not "
               "yet implemented.", expected, found);
  return FALSE;
}

static gboolean
strided_slice_assign (FlowKernelContext *c,
                      FlowVariable      *variable,
                      GError           **error)
{
  FlowTensor *value = flow_kernel_input (c, 4);
  FlowStridedSlice slice;
  FlowTensor *own;

  if (variable->value->dtype != value->dtype)
    return _flow_refuse (error, "l-value dtype %s does not match r-value dtype %s",
                         flow_dtype_string (variable->value->dtype), flow_dtype_string (value->dtype));
  if (!_flow_strided_slice_resolve (&slice, FLOW_RANK (variable->value), FLOW_DIMS (variable->value),
                                    flow_kernel_input (c, 1), flow_kernel_input (c, 2), flow_kernel_input (c, 3),
                                    flow_kernel_data (c), error))
    return FALSE;
  if (is_empty (&slice))
    return TRUE;
  if (!check_assigned (&slice, value, error))
    return FALSE;
  flow_kernel_will_write (c, variable);
  own = flow_variable_own_value (variable, FALSE, c->budget, error);
  if (own == NULL)
    return FALSE;
  write_slice (&slice, own, value);
  flow_kernel_wrote (c, variable);
  return TRUE;
}

static gboolean
strided_slice_assign_infer (FlowInferContext *c,
                            GError          **error)
{
  if (c->n_outputs > 0)
    flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  return TRUE;
}

static gboolean
strided_slice_assign_compute (FlowKernelContext *c,
                              GError           **error)
{
  FlowVariable *variable = flow_kernel_input_ref (c, 0);

  if (!_flow_variable_require (variable, error) || !strided_slice_assign (c, variable, error))
    return FALSE;
  flow_kernel_set_output_ref (c, 0, variable);
  return TRUE;
}

/* A copy of input 0 with the value in the slice. */
static gboolean
tensor_strided_slice_update_compute (FlowKernelContext *c,
                                     GError           **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *value = flow_kernel_input (c, 4);
  FlowStridedSlice slice;
  FlowTensor *out;

  if (!_flow_strided_slice_resolve (&slice, FLOW_RANK (input), FLOW_DIMS (input), flow_kernel_input (c, 1),
                                    flow_kernel_input (c, 2), flow_kernel_input (c, 3), flow_kernel_data (c), error) ||
      (!is_empty (&slice) && !check_assigned (&slice, value, error)) ||
      (out = flow_tensor_copy (input, c->budget, error)) == NULL)
    return FALSE;
  if (!is_empty (&slice))
    write_slice (&slice, out, value);
  flow_kernel_take_output (c, 0, out);
  return TRUE;
}

static gboolean
resource_strided_slice_assign_compute (FlowKernelContext *c,
                                       GError           **error)
{
  FlowVariable *variable = flow_kernel_lookup_handle (c, 0, &flow_variable_class, error);
  gboolean ok;

  if (variable == NULL)
    return FALSE;
  ok = _flow_variable_require (variable, error) && strided_slice_assign (c, variable, error);
  flow_resource_unref (variable);
  return ok;
}

/* --- Reverse, ReverseV2, ReverseSequence --------------------------------------------------------- */

/* TF: Reverse and ReverseV2 have kernels for ranks up to 8. */
#define MAX_REVERSE_RANK 8

static gboolean
reverse_cells (FlowKernelContext *c,
               const gboolean    *reversed,
               GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gsize cell = _flow_cell_size (x->dtype);
  gint64 src_strides[MAX_REVERSE_RANK];
  gint64 dst_strides[MAX_REVERSE_RANK];
  gint64 offset = 0;
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  if (x->n_elements == 0)
    return TRUE;
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), src_strides);
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), dst_strides);
  for (int i = 0; i < FLOW_RANK (x); i++)
    if (reversed[i])
      {
        offset += (FLOW_DIMS (x)[i] - 1) * src_strides[i];
        src_strides[i] = -src_strides[i];
      }
  _flow_copy_strided (cell, FLOW_RANK (x), FLOW_DIMS (x), out->data, dst_strides,
                      (const char *) x->data + (gsize) offset * cell, src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
reverse_infer (FlowInferContext *c,
               GError          **error)
{
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &vector, error))
    return FALSE;
  if (vector->dims[0] > MAX_REVERSE_RANK)
    return _flow_refuse (error, "reverse does not work on tensors with more than 8 dimensions");
  if (vector->dims[0] < 0)
    out = flow_shape_ref (flow_infer_input (c, 0));
  else if (!flow_infer_with_rank (c, flow_infer_input (c, 0), (int) vector->dims[0], &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* Axes that are known have to be there, each once. */
static gboolean
infer_reverse_axes (const FlowShape  *in,
                    const FlowTensor *axes,
                    GError          **error)
{
  gboolean seen[MAX_REVERSE_RANK] = { FALSE };

  if (axes == NULL || in->rank == FLOW_RANK_UNKNOWN)
    return TRUE;
  for (gint64 i = 0; i < axes->n_elements; i++)
    {
      gint64 given = flow_index_at (axes, i);
      gint64 axis = given < 0 ? in->rank + given : given;

      /* TF: this bracket stays open. */
      if (axis < 0 || axis >= in->rank)
        return _flow_refuse (error, "'axis'[%" G_GINT64_FORMAT "] = %" G_GINT64_FORMAT " is out of valid range [0, %d",
                             i, given, in->rank - 1);
      if (seen[axis])
        return _flow_refuse (error, "axis %" G_GINT64_FORMAT " specified more than once.", axis);
      seen[axis] = TRUE;
    }
  return TRUE;
}

static gboolean
reverse_v2_infer (FlowInferContext *c,
                  GError          **error)
{
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &vector, error) ||
      !flow_infer_with_rank_at_most (c, flow_infer_input (c, 0), MAX_REVERSE_RANK, &out, error) ||
      !infer_reverse_axes (out, flow_infer_input_value (c, 1), error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
check_reverse_rank (const FlowTensor *x,
                    const FlowTensor *dims,
                    GError          **error)
{
  if (FLOW_RANK (x) > MAX_REVERSE_RANK)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                           "reverse is not implemented for tensors of rank > 8.");
      return FALSE;
    }
  if (!flow_is_vector (dims))
    return _flow_refuse (error, "'dims' must be 1-dimension, not %d", FLOW_RANK (dims));
  return TRUE;
}

static gboolean
reverse_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *dims = flow_kernel_input (c, 1);
  gboolean reversed[MAX_REVERSE_RANK] = { FALSE };

  if (FLOW_RANK (x) == 0)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  if (!flow_is_vector (dims))
    return _flow_refuse (error, "'dims' must be 1-dimension, not %d", FLOW_RANK (dims));
  if (dims->n_elements != FLOW_RANK (x))
    return _flow_refuse (error, "'dims' must have the same number of values as 'input' has dimensions. "
                         "'input' has %d'dims' has %" G_GINT64_FORMAT " values", FLOW_RANK (x), dims->n_elements);
  if (!check_reverse_rank (x, dims, error))
    return FALSE;
  for (int i = 0; i < FLOW_RANK (x); i++)
    reversed[i] = FLOW_DATA (guint8, dims)[i] != 0;
  return reverse_cells (c, reversed, error);
}

static gboolean
reverse_v2_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *axes = flow_kernel_input (c, 1);
  gboolean reversed[MAX_REVERSE_RANK] = { FALSE };

  if (FLOW_RANK (x) == 0)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  if (!flow_is_vector (axes))
    return _flow_refuse (error, "'dims' must be 1-dimension, not %d", FLOW_RANK (axes));
  if (!check_reverse_rank (x, axes, error))
    return FALSE;
  for (gint64 i = 0; i < axes->n_elements; i++)
    {
      gint64 axis = flow_index_at (axes, i);
      int d = 0;

      if (!flow_canonical_axis (axis, FLOW_RANK (x), &d))
        return _flow_refuse (error, "'axis'[%" G_GINT64_FORMAT "] = %" G_GINT64_FORMAT
                             " is out of valid range [0, %d", i, axis, FLOW_RANK (x) - 1);
      if (reversed[d])
        return _flow_refuse (error, "axis %d specified more than once.", d);
      reversed[d] = TRUE;
    }
  return reverse_cells (c, reversed, error);
}

static gboolean
reverse_sequence_infer (FlowInferContext *c,
                        GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  gint64 batch_dim = flow_infer_attr_int (c, "batch_dim");
  gint64 seq_dim = flow_infer_attr_int (c, "seq_dim");
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 batch;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &vector, error))
    return FALSE;
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (batch_dim < 0 || batch_dim >= in->rank)
    return _flow_refuse (error, "batch_dim must be < input rank: %" G_GINT64_FORMAT " vs. %d", batch_dim, in->rank);
  if (seq_dim >= in->rank)
    return _flow_refuse (error, "seq_dim must be < input rank: %" G_GINT64_FORMAT " vs. %d", seq_dim, in->rank);
  if (!flow_infer_merge_dim (c, in->dims[batch_dim], vector->dims[0], &batch, error))
    return FALSE;
  out = flow_shape_new (in->rank, in->dims);
  out->dims[batch_dim] = batch;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
check_reverse_sequence (const FlowTensor *x,
                        const FlowTensor *lengths,
                        gint64            batch_dim,
                        gint64            seq_dim,
                        GError          **error)
{
  int rank = FLOW_RANK (x);

  if (!flow_is_vector (lengths))
    return _flow_refuse (error, "seq_lens input must be 1-dim, not %d", FLOW_RANK (lengths));
  if (batch_dim == seq_dim)
    return _flow_refuse (error, "batch_dim == seq_dim == %" G_GINT64_FORMAT, seq_dim);
  if (seq_dim >= rank || seq_dim < 0)
    return _flow_refuse (error, "seq_dim must be < input.dims()( %" G_GINT64_FORMAT " vs. %d)", seq_dim, rank);
  if (batch_dim >= rank || batch_dim < 0)
    return _flow_refuse (error, "batch_dim must be < input.dims()( %" G_GINT64_FORMAT " vs. %d)", batch_dim, rank);
  if (lengths->n_elements != FLOW_DIMS (x)[batch_dim])
    return _flow_refuse (error, "len(seq_lens) != input.dims(%" G_GINT64_FORMAT "), (%" G_GINT64_FORMAT " vs. %"
                         G_GINT64_FORMAT ")", batch_dim, lengths->n_elements, FLOW_DIMS (x)[batch_dim]);
  for (gint64 i = 0; i < lengths->n_elements; i++)
    {
      gint64 length = flow_index_at (lengths, i);

      if (length < 0)
        return _flow_refuse (error, "seq_lens(%" G_GINT64_FORMAT ") < 0", i);
      if (length > FLOW_DIMS (x)[seq_dim])
        return _flow_refuse (error, "seq_lens(%" G_GINT64_FORMAT ") > input.dims(%" G_GINT64_FORMAT ")", i, seq_dim);
    }
  return TRUE;
}

static gboolean
reverse_sequence_compute (FlowKernelContext *c,
                          GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *lengths = flow_kernel_input (c, 1);
  gint64 batch_dim = flow_kernel_attr_int (c, "batch_dim");
  gint64 seq_dim = flow_kernel_attr_int (c, "seq_dim");
  gsize cell = _flow_cell_size (x->dtype);
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  FlowTensor *out;

  if (!check_reverse_sequence (x, lengths, batch_dim, seq_dim, error))
    return FALSE;
  out = flow_kernel_allocate (c, 0, x->shape, error);
  if (out == NULL)
    return FALSE;
  if (x->n_elements == 0)
    return TRUE;
  memcpy (out->data, x->data, x->n_bytes);
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), strides);
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) FLOW_RANK (x));
  memcpy (src_strides, strides, sizeof (gint64) * (gsize) FLOW_RANK (x));
  dims[batch_dim] = 1;
  src_strides[seq_dim] = -strides[seq_dim];
  for (gint64 b = 0; b < lengths->n_elements; b++)
    {
      gsize at = (gsize) (b * strides[batch_dim]) * cell;

      dims[seq_dim] = flow_index_at (lengths, b);
      if (dims[seq_dim] > 1)
        _flow_copy_strided (cell, FLOW_RANK (x), dims, (char *) out->data + at, strides,
                            (const char *) x->data + at + (gsize) ((dims[seq_dim] - 1) * strides[seq_dim]) * cell,
                            src_strides);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "ResourceStridedSliceAssign",
    .inputs = "ref: resource; begin: Index; end: Index; strides: Index; value: T",
    .attrs = "T: type; Index: {int32, int64}; begin_mask: int = 0; end_mask: int = 0; "
             "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
    .summary = "Assigns to a slice of a resource variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = strided_slice_assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string resource variant",
        resource_strided_slice_assign_compute, strided_slice_construct, g_free },
      { NULL },
    },
  },
  {
    .name = "Reverse",
    .inputs = "tensor: T; dims: bool",
    .outputs = "output: T",
    .attrs = "T: {uint8, int8, uint16, int16, int32, int64, bool, half, float, double, complex64, "
             "complex128, string}",
    .summary = "The dimensions that are marked, read backwards",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = reverse_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half float double int8 int16 int32 int64 uint8 uint16 complex64 complex128 "
        "bool string",
        reverse_compute },
      { NULL },
    },
  },
  {
    .name = "ReverseSequence",
    .inputs = "input: T; seq_lengths: Tlen",
    .outputs = "output: T",
    .attrs = "seq_dim: int; batch_dim: int = 0; T: type; Tlen: {int32, int64} = DT_INT64",
    .summary = "The beginnings of rows read backwards, a length for each",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = reverse_sequence_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool; Tlen: int32 int64",
        reverse_sequence_compute },
      { NULL },
    },
  },
  {
    .name = "ReverseV2",
    .inputs = "tensor: T; axis: Tidx",
    .outputs = "output: T",
    .attrs = "Tidx: {int32, int64} = DT_INT32; T: {uint8, int8, uint16, int16, int32, int64, "
             "bool, bfloat16, half, float, double, complex64, complex128, string}",
    .summary = "The named dimensions read backwards",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = reverse_v2_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string; Tidx: int32 int64",
        reverse_v2_compute },
      { NULL },
    },
  },
  {
    .name = "Slice",
    .inputs = "input: T; begin: Index; size: Index",
    .outputs = "output: T",
    .attrs = "T: type; Index: {int32, int64}",
    .summary = "A block out of a tensor",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = slice_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32",
        slice_compute },
      { NULL },
    },
    .value_list = flow_value_list_slice,
  },
  {
    .name = "StridedSlice",
    .inputs = "input: T; begin: Index; end: Index; strides: Index",
    .outputs = "output: T",
    .attrs = "T: type; Index: {int32, int64}; begin_mask: int = 0; end_mask: int = 0; "
             "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
    .summary = "What Python's indexing with slices gives",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = strided_slice_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string resource variant",
        strided_slice_compute, strided_slice_construct, g_free },
      { NULL },
    },
    .value_list = flow_value_list_strided_slice,
  },
  {
    .name = "StridedSliceAssign",
    .inputs = "ref: Ref(T); begin: Index; end: Index; strides: Index; value: T",
    .outputs = "output_ref: Ref(T)",
    .attrs = "T: type; Index: {int32, int64}; begin_mask: int = 0; end_mask: int = 0; "
             "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
    .summary = "Assigns to a slice of a variable",
    .family = FLOW_OP_FAMILY_STATE,
    .infer = strided_slice_assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string resource variant",
        strided_slice_assign_compute, strided_slice_construct, g_free },
      { NULL },
    },
  },
  {
    .name = "StridedSliceGrad",
    .inputs = "shape: Index; begin: Index; end: Index; strides: Index; dy: T",
    .outputs = "output: T",
    .attrs = "T: type; Index: {int32, int64}; begin_mask: int = 0; end_mask: int = 0; "
             "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
    .summary = "The gradient of StridedSlice: zeros around dy",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = strided_slice_grad_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string resource variant",
        strided_slice_grad_compute, strided_slice_construct, g_free },
      { NULL },
    },
  },
  {
    .name = "TensorStridedSliceUpdate",
    .inputs = "input: T; begin: Index; end: Index; strides: Index; value: T",
    .outputs = "output: T",
    .attrs = "T: type; Index: {int32, int64}; begin_mask: int = 0; end_mask: int = 0; "
             "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
    .summary = "A tensor with a value in place of a slice",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = strided_slice_assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "complex64 complex128 bool string resource variant",
        tensor_strided_slice_update_compute, strided_slice_construct, g_free },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_slice, ops)
