/* flow-scatter-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-array-private.h"
#include "flow-index-private.h"
#include "flow-state-private.h"

G_BEGIN_DECLS

/* What scatters share: those that take rows by an index each, and those that take slices by an index vector. */

/* What is done to a cell; what is not a FlowCombine replaces it. */
typedef enum {
  SCATTER_ADD = FLOW_COMBINE_ADD,
  SCATTER_SUB = FLOW_COMBINE_SUB,
  SCATTER_MUL = FLOW_COMBINE_MUL,
  SCATTER_DIV = FLOW_COMBINE_DIV,
  SCATTER_MIN = FLOW_COMBINE_MIN,
  SCATTER_MAX = FLOW_COMBINE_MAX,
  SCATTER_UPDATE,
} ScatterKind;

/* The product of the dimensions from @begin to before @end. */
gint64   _flow_scatter_count_dims (const gint64 *dims,
                                   int           begin,
                                   int           end);
/* @n cells at @dst by those at @src: one for all if @src_step is 0. */
void     _flow_scatter_cells (ScatterKind     kind,
                              FlowCombineFunc func,
                              int             dtype,
                              gsize           cell,
                              char           *dst,
                              const char     *src,
                              gint64          n,
                              gint64          src_step);
/* @func: (out): nothing for SCATTER_UPDATE. Refuses what the dtype cannot do, and integers divided by zero. */
gboolean _flow_scatter_find_func (ScatterKind       kind,
                                  const FlowTensor *updates,
                                  FlowCombineFunc  *func,
                                  GError          **error);

G_END_DECLS
