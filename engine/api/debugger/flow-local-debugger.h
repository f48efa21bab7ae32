/* flow-local-debugger.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"

G_BEGIN_DECLS

#define FLOW_TYPE_LOCAL_DEBUGGER (flow_local_debugger_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowLocalDebugger, flow_local_debugger, FLOW, LOCAL_DEBUGGER, GObject)

FLOW_API FlowDebugger *flow_local_debugger_new (void);

G_END_DECLS
