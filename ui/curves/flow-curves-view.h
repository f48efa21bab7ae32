/* flow-curves-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_CURVES_VIEW (flow_curves_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowCurvesView, flow_curves_view, FLOW, CURVES_VIEW, FlowView)

gboolean flow_curves_view_choose (FlowCurvesView *self,
                                  const char     *tag);

G_END_DECLS
