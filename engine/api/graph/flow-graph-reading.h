/* flow-graph-reading.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

/* A graph may grow in the thread that owns it while another thread goes through it: whoever hands it to another thread
 * says so before, and whoever wants it to grow asks. */
FLOW_API void     flow_graph_begin_reading (FlowGraph *self);
FLOW_API void     flow_graph_end_reading   (FlowGraph *self);
FLOW_API gboolean flow_graph_is_being_read (FlowGraph *self);

G_END_DECLS
