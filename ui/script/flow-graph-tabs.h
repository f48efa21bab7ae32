/* flow-graph-tabs.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_GRAPH_TABS (flow_graph_tabs_get_type ())

G_DECLARE_FINAL_TYPE (FlowGraphTabs, flow_graph_tabs, FLOW, GRAPH_TABS, FlowView)

/* The number of the graph that is shown; 0: none of a script. */
guint flow_graph_tabs_get_shown (FlowGraphTabs *self);

G_END_DECLS
