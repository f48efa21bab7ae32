/* flow-plans-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_PLANS_VIEW (flow_plans_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowPlansView, flow_plans_view, FLOW, PLANS_VIEW, FlowView)

void flow_plans_view_compare (FlowPlansView *self,
                              const char    *a,
                              const char    *b);

G_END_DECLS
