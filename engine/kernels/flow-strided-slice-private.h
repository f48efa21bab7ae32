/* flow-strided-slice-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the five arguments and five masks of a strided slice come to, for a shape.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* TensorFlow's limit: the masks have 32 bits. */
#define FLOW_MAX_SLICE_SPEC 32

typedef struct {
  gint64 begin_mask;
  gint64 end_mask;
  gint64 ellipsis_mask;
  gint64 new_axis_mask;
  gint64 shrink_axis_mask;
} FlowSliceMasks;

typedef struct {
  int rank;                                     /* of the input */
  gint64 begin[FLOW_SHAPE_MAX_RANK];
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 size[FLOW_SHAPE_MAX_RANK];             /* per input dim; -1 unknown */
  int final_rank;
  gint64 final_dims[FLOW_SHAPE_MAX_RANK];
} FlowStridedSlice;

/* @begin and @end may be NULL while shapes are inferred; dims of @input may then be unknown. */
gboolean _flow_strided_slice_resolve (FlowStridedSlice     *self,
                                      int                   rank,
                                      const gint64         *dims,
                                      const FlowTensor     *begin,
                                      const FlowTensor     *end,
                                      const FlowTensor     *strides,
                                      const FlowSliceMasks *masks,
                                      GError              **error);

G_END_DECLS
