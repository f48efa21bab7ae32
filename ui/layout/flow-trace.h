/* flow-trace.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/* Which ops an op depends on, which depend on it, what lies between two, and which op another one is
 * the gradient of. What closes a loop leads nowhere: else all of a loop would be before all of it. */

typedef enum {
  FLOW_TRACE_ANCESTORS,
  FLOW_TRACE_DESCENDANTS,
} FlowTraceDirection;

typedef struct {
  guint8 *is_on;                 /* per node: on a path */
  guint n_on;
  GArray *shortest;              /* guint32: one of the shortest, from end to end */
  GArray *through;               /* guint32: ops that every path goes through, in order, without the ends */
} FlowPaths;

guint8    *flow_trace_reach        (FlowGraph          *graph,
                                    guint32             node,
                                    FlowTraceDirection  direction,
                                    guint               depth);
FlowPaths *flow_paths_new          (FlowGraph          *graph,
                                    guint32             from,
                                    guint32             to);
void       flow_paths_free         (FlowPaths          *self);
guint32    flow_trace_forward_op   (FlowGraph          *graph,
                                    guint32             node);
GArray    *flow_trace_gradient_ops (FlowGraph          *graph,
                                    guint32             node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowPaths, flow_paths_free)

G_END_DECLS
