/* flow-local-debugger.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"
#include "flow-plan.h"

G_BEGIN_DECLS

#define FLOW_TYPE_LOCAL_DEBUGGER (flow_local_debugger_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowLocalDebugger, flow_local_debugger, FLOW, LOCAL_DEBUGGER, GObject)

/**
 * FlowDiagnosis: (skip)
 * @graph: the graph that is open
 * @plan: (nullable): of the run, where there is one
 * @run: its name
 *
 * What answers `Diagnose`: a room above this one gives it. Called on the kernel thread.
 *
 * Returns: (transfer none): floating, of type aa{sv}
 */
typedef GVariant *(*FlowDiagnosis) (FlowGraph *graph, FlowPlan *plan, const char *run);

FLOW_API FlowDebugger *flow_local_debugger_new (void);
#ifndef __GI_SCANNER__
FLOW_API void          flow_local_debugger_set_diagnosis (FlowLocalDebugger *self,
                                                          FlowDiagnosis      diagnosis);
#endif

G_END_DECLS
