/* flow-console-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_CONSOLE_VIEW (flow_console_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowConsoleView, flow_console_view, FLOW, CONSOLE_VIEW, FlowView)

/* What was evaluated elsewhere says something. */
void flow_console_view_append (FlowConsoleView *self,
                               const char      *text);

G_END_DECLS
