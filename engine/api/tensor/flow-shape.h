/* flow-shape.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

#define FLOW_SHAPE_MAX_RANK 254
#define FLOW_DIM_UNKNOWN ((gint64) -1)
#define FLOW_RANK_UNKNOWN (-1)

/**
 * FlowShape:
 *
 * An immutable, reference-counted shape: of unknown rank, or a list of dimensions each of which is
 * known (>= 0) or -1. A tensor's shape is always fully known.
 */
typedef struct _FlowShape FlowShape;

struct _FlowShape
{
  /*< private >*/
  gatomicrefcount ref_count;
  int rank;               /* FLOW_RANK_UNKNOWN, or the number of dims */
  gint64 dims[];
};

#define FLOW_TYPE_SHAPE (flow_shape_get_type ())

FLOW_API GType      flow_shape_get_type       (void);
FLOW_API FlowShape *flow_shape_new            (int               rank,
                                               const gint64     *dims);
FLOW_API FlowShape *flow_shape_new_unknown    (void);
FLOW_API FlowShape *flow_shape_new_of_rank    (int               rank);
FLOW_API FlowShape *flow_shape_new_scalar     (void);
FLOW_API FlowShape *flow_shape_new_vector     (gint64            size);
FLOW_API FlowShape *flow_shape_new_matrix     (gint64            rows,
                                               gint64            columns);
FLOW_API FlowShape *flow_shape_ref            (const FlowShape  *self);
FLOW_API void       flow_shape_unref          (const FlowShape  *self);
FLOW_API int        flow_shape_get_rank       (const FlowShape  *self);
FLOW_API gint64     flow_shape_get_dim        (const FlowShape  *self,
                                               int               i);
FLOW_API gboolean   flow_shape_is_known       (const FlowShape  *self);
FLOW_API gboolean   flow_shape_equal          (const FlowShape  *a,
                                               const FlowShape  *b);
FLOW_API gboolean   flow_shape_is_compatible  (const FlowShape  *a,
                                               const FlowShape  *b);
FLOW_API gboolean   flow_shape_n_elements     (const FlowShape  *self,
                                               gint64           *n_elements);
FLOW_API char      *flow_shape_to_string      (const FlowShape  *self);
FLOW_API char      *flow_dims_to_string       (int               rank,
                                               const gint64     *dims);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowShape, flow_shape_unref)

G_END_DECLS
