/* flow-breakpoints-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_BREAKPOINTS_VIEW (flow_breakpoints_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowBreakpointsView, flow_breakpoints_view, FLOW, BREAKPOINTS_VIEW, FlowView)

void flow_breakpoints_view_focus_entry (FlowBreakpointsView *self,
                                        const char          *text);
void flow_breakpoints_view_suggest     (FlowBreakpointsView *self,
                                        const char          *rule);
void flow_breakpoints_view_recheck     (FlowBreakpointsView *self);

G_END_DECLS
