/* flow-golden-graph.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-golden-tensor.h"

G_BEGIN_DECLS

/* Whole graphs and what runs of them gave in TensorFlow, as tests/oracle/differ_graphs.py writes them. */

typedef struct _FlowGoldenGraph FlowGoldenGraph;

/* The graphs of one file, .json or .json.gz. */
GPtrArray  *flow_golden_graphs_load    (const char             *path,
                                        GError                **error);
const char *flow_golden_graph_get_name (const FlowGoldenGraph  *self);
/* Does the runs one after the other in one session, files being looked for in @folder; NULL if all agrees, else what
 * does not. */
char       *flow_golden_graph_check    (const FlowGoldenGraph  *self,
                                        const char             *folder);

G_END_DECLS
