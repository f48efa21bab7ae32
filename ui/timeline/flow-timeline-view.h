/* flow-timeline-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_TIMELINE_VIEW (flow_timeline_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowTimelineView, flow_timeline_view, FLOW, TIMELINE_VIEW, FlowView)

G_END_DECLS
