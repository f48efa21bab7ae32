/* flow-index-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Indices that come out of tensors: checked all before any is used.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Which of several bad rows an error names: TensorFlow's gathering goes on after the first. */
typedef enum {
  FLOW_BAD_ROW_FIRST,
  FLOW_BAD_ROW_LAST,
} FlowBadRow;

/* "[0,2]", the place of cell @flat in a tensor of these dims; "" for a scalar. */
char    *_flow_place_text         (int               rank,
                                   const gint64     *dims,
                                   gint64            flat);
/* Every value must be in [0, @limit): "indices[0,1] = 5 is not in [0, 3)". */
gboolean _flow_check_indices      (const FlowTensor *indices,
                                   gint64            limit,
                                   const char       *name,
                                   GError          **error);
/* Every row of @depth values must lie within the first @depth of @dims: "indices[0] = [9, 9] does not
 * index into param shape [2,2]". */
gboolean _flow_check_nd_indices   (const FlowTensor *indices,
                                   int               depth,
                                   const gint64     *dims,
                                   const char       *what,
                                   const FlowShape  *shape,
                                   FlowBadRow        told,
                                   GError          **error);
/* The slice that row @i names, counted in slices. */
gint64   _flow_nd_row             (const FlowTensor *indices,
                                   gint64            i,
                                   int               depth,
                                   const gint64     *dims);

/* What indices and updates say of each other and of what is written to, called @what. */
gboolean _flow_infer_scatter_nd (FlowInferContext *c,
                                 const FlowShape  *target,
                                 const FlowShape  *indices,
                                 const FlowShape  *updates,
                                 const char       *what,
                                 GError          **error);

G_END_DECLS
