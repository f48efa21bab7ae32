/* flow-ranks-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Several processes that train together: what mpirun started, talked to through OpenMPI where it is installed. A
 * process that was started alone is the only rank, and nothing is loaded. */

int      _flow_ranks_get_size  (void);
int      _flow_ranks_get_rank  (void);

/* Fails where another rank stands at another op or asks another @root, or (but for @any_first_dim) has a tensor of another shape.
 * @first_dims: (array length=size) (nullable): how many rows each rank has */
gboolean _flow_ranks_meet      (FlowKernelContext  *c,
                                const FlowTensor   *tensor,
                                const char         *what,
                                int                 root,
                                gboolean            any_first_dim,
                                gint64             *first_dims,
                                GError            **error);
gboolean _flow_ranks_sum       (FlowKernelContext  *c,
                                const FlowTensor   *tensor,
                                FlowTensor         *sum,
                                GError            **error);
gboolean _flow_ranks_broadcast (FlowKernelContext  *c,
                                int                 root,
                                FlowTensor         *tensor,
                                GError            **error);
/* @sizes: bytes that come from each rank */
gboolean _flow_ranks_gather    (FlowKernelContext  *c,
                                const FlowTensor   *tensor,
                                const gint64       *sizes,
                                FlowTensor         *all,
                                GError            **error);

G_END_DECLS
