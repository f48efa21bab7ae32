/* flow-parallel.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-macros.h"

G_BEGIN_DECLS

/**
 * FlowRangeFunc: (skip)
 * @begin: first index
 * @end: one past the last index
 * @data: what was given to flow_parallel_for()
 */
typedef void (*FlowRangeFunc) (gint64   begin,
                               gint64   end,
                               gpointer data);

FLOW_API void  flow_parallel_for           (gint64        n,
                                            gint64        grain,
                                            FlowRangeFunc func,
                                            gpointer      data);
FLOW_API guint flow_parallel_get_n_threads (void);
FLOW_API void  flow_parallel_set_n_threads (guint         n_threads);
FLOW_API void  flow_parallel_bind_libraries (void);

G_END_DECLS
