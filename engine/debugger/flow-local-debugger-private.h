/* flow-local-debugger-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debug-core-private.h"
#include "flow-local-debugger.h"

G_BEGIN_DECLS

FlowDebugCore *_flow_local_debugger_get_core     (FlowLocalDebugger *self);
gboolean       _flow_local_debugger_poll         (FlowLocalDebugger *self);
void           _flow_local_debugger_forget_pause (FlowLocalDebugger *self);

G_END_DECLS
