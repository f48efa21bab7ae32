/* flow-strided-slice.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-strided-slice-private.h"

#include "flow-array-private.h"

#include <string.h>

/* Where a dim of the result comes from, beside the input's dims 0, 1, ... */
#define NEW_AXIS (-1)

/* The spec with its ellipsis written out: one entry per dim of the input. */
typedef struct {
  gint64 begin[FLOW_SHAPE_MAX_RANK];
  gint64 end[FLOW_SHAPE_MAX_RANK];
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gboolean begin_masked[FLOW_SHAPE_MAX_RANK];
  gboolean end_masked[FLOW_SHAPE_MAX_RANK];
  gboolean shrink[FLOW_SHAPE_MAX_RANK];
  int n_sources;
  int sources[FLOW_SHAPE_MAX_RANK + FLOW_MAX_SLICE_SPEC];
} DenseSpec;

static gboolean
is_spec_vector (const FlowTensor *tensor,
                const FlowTensor *strides)
{
  return tensor == NULL || (FLOW_RANK (tensor) == 1 && tensor->n_elements == strides->n_elements &&
                            tensor->n_elements < FLOW_MAX_SLICE_SPEC);
}

static gboolean
check_spec (const FlowTensor *begin,
            const FlowTensor *end,
            const FlowTensor *strides,
            GError          **error)
{
  g_autofree char *strides_text = NULL;

  if (FLOW_RANK (strides) == 1 && strides->n_elements < FLOW_MAX_SLICE_SPEC &&
      is_spec_vector (begin, strides) && is_spec_vector (end, strides))
    return TRUE;
  strides_text = flow_tensor_shape_text (strides);
  if (begin != NULL && end != NULL)
    {
      g_autofree char *begin_text = flow_tensor_shape_text (begin);
      g_autofree char *end_text = flow_tensor_shape_text (end);

      return _flow_refuse (error, "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
                           "%s, %s, and %s instead.", begin_text, end_text, strides_text);
    }
  return _flow_refuse (error, "Expected begin, end, and strides to be 1D equal size tensors, but got shape %s "
                       "for strides.", strides_text);
}

static void
add_whole_dim (DenseSpec *dense,
               int        dim)
{
  dense->begin[dim] = 0;
  dense->end[dim] = 0;
  dense->strides[dim] = 1;
  dense->begin_masked[dim] = TRUE;
  dense->end_masked[dim] = TRUE;
  dense->shrink[dim] = FALSE;
  dense->sources[dense->n_sources++] = dim;
}

/* Writes the ellipsis out, or one at the end where there is none, and puts new axes in their places. */
static gboolean
make_dense (DenseSpec            *dense,
            int                   rank,
            const FlowTensor     *begin,
            const FlowTensor     *end,
            const FlowTensor     *strides,
            const FlowSliceMasks *masks,
            GError              **error)
{
  int n = (int) strides->n_elements;
  gint64 ellipsis = masks->ellipsis_mask;
  int new_axes_after = 0;
  int full = 0;
  gboolean seen = FALSE;

  for (int i = 0; i < n; i++)
    {
      gint64 bit = (gint64) 1 << i;

      if (seen && (bit & masks->new_axis_mask) != 0)
        new_axes_after++;
      seen = seen || (bit & ellipsis) != 0;
    }
  if (!seen)
    ellipsis |= (gint64) 1 << n++;

  dense->n_sources = 0;
  for (int i = 0; i < n; i++)
    {
      gint64 bit = (gint64) 1 << i;

      if ((bit & ellipsis) != 0)
        {
          int next = MIN (rank - (n - i) + 1 + new_axes_after, rank);

          for (; full < next; full++)
            add_whole_dim (dense, full);
        }
      else if ((bit & masks->new_axis_mask) != 0)
        {
          dense->sources[dense->n_sources++] = NEW_AXIS;
        }
      else
        {
          if (full == rank)
            return _flow_refuse (error, "Index out of range using input dim %d; input has only %d dims", full, rank);
          dense->begin[full] = begin != NULL ? flow_index_at (begin, i) : 0;
          dense->end[full] = end != NULL ? flow_index_at (end, i) : 0;
          dense->strides[full] = flow_index_at (strides, i);
          dense->begin_masked[full] = (masks->begin_mask & bit) != 0;
          dense->end_masked[full] = (masks->end_mask & bit) != 0;
          dense->shrink[full] = (masks->shrink_axis_mask & bit) != 0;
          if (!dense->shrink[full])
            dense->sources[dense->n_sources++] = full;
          full++;
        }
    }
  return TRUE;
}

/* Python's rule for a slice bound: from the end if negative, then cut to where the stride may go. */
static gint64
canonical_bound (gint64   x,
                 gint64   dim,
                 gint64   stride,
                 gboolean masked,
                 gboolean is_end)
{
  gint64 low = stride > 0 ? 0 : -1;
  gint64 high = stride > 0 ? dim : dim - 1;

  if (masked)
    return (stride > 0) == is_end ? high : low;
  if (x < 0)
    x += dim;
  return CLAMP (x, low, high);
}

/* Dim @i of the spec against a dim of the input. */
static gboolean
resolve_dim (FlowStridedSlice *self,
             DenseSpec        *dense,
             int               i,
             gint64            dim,
             gboolean          valid,
             GError          **error)
{
  gint64 stride = dense->strides[i];
  gint64 begin = dense->begin[i];
  gint64 end;
  gint64 interval;

  self->begin[i] = 0;
  self->strides[i] = stride;
  if (stride == 0)
    return _flow_refuse (error, "strides[%d] must be non-zero", i);
  if (dim == FLOW_DIM_UNKNOWN)
    {
      self->size[i] = dense->shrink[i] ? 1 : FLOW_DIM_UNKNOWN;
      return TRUE;
    }
  if (dense->shrink[i] && stride <= 0)
    return _flow_refuse (error, "only stride 1 allowed on non-range indexing.");
  if (valid && dense->shrink[i])
    {
      begin = begin < 0 ? dim + begin : begin;
      if (begin < 0 || begin >= dim)
        return _flow_refuse (error, "slice index %" G_GINT64_FORMAT " of dimension %d out of bounds.", begin, i);
      self->begin[i] = begin;
      self->size[i] = 1;
      return TRUE;
    }
  if (dense->shrink[i])
    {
      self->size[i] = 1;
      return TRUE;
    }
  if (!valid && !(dense->begin_masked[i] && dense->end_masked[i]))
    {
      self->size[i] = FLOW_DIM_UNKNOWN;
      return TRUE;
    }
  begin = canonical_bound (begin, dim, stride, dense->begin_masked[i], FALSE);
  end = canonical_bound (dense->end[i], dim, stride, dense->end_masked[i], TRUE);
  self->begin[i] = begin;
  interval = end - begin;
  if (interval == 0 || (interval < 0) != (stride < 0))
    self->size[i] = 0;
  else
    self->size[i] = interval / stride + (interval % stride != 0 ? 1 : 0);
  return TRUE;
}

gboolean
_flow_strided_slice_resolve (FlowStridedSlice     *self,
                             int                   rank,
                             const gint64         *dims,
                             const FlowTensor     *begin,
                             const FlowTensor     *end,
                             const FlowTensor     *strides,
                             const FlowSliceMasks *masks,
                             GError              **error)
{
  DenseSpec dense;

  if (!check_spec (begin, end, strides, error))
    return FALSE;
  if (((guint64) masks->ellipsis_mask & ((guint64) masks->ellipsis_mask - 1)) != 0)
    return _flow_refuse (error, "Multiple ellipses in slice spec not allowed");
  if (!make_dense (&dense, rank, begin, end, strides, masks, error))
    return FALSE;
  self->rank = rank;
  for (int i = 0; i < rank; i++)
    if (!resolve_dim (self, &dense, i, dims[i], begin != NULL && end != NULL, error))
      return FALSE;
  if (dense.n_sources > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  self->final_rank = dense.n_sources;
  for (int i = 0; i < dense.n_sources; i++)
    self->final_dims[i] = dense.sources[i] == NEW_AXIS ? 1 : self->size[dense.sources[i]];
  return TRUE;
}
