/* flow-watch-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_WATCH_VIEW (flow_watch_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowWatchView, flow_watch_view, FLOW, WATCH_VIEW, FlowView)

G_END_DECLS
