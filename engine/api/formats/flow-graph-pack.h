/* flow-graph-pack.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

FLOW_API GPtrArray *flow_graph_pack   (FlowGraph  *self,
                                       GError    **error);
FLOW_API FlowGraph *flow_graph_unpack (GPtrArray  *pieces,
                                       GError    **error);

#endif /* __GI_SCANNER__ */

G_END_DECLS
