/* flow-runs-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_RUNS_VIEW (flow_runs_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowRunsView, flow_runs_view, FLOW, RUNS_VIEW, FlowView)

G_END_DECLS
