/* flow-variables-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_VARIABLES_VIEW (flow_variables_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowVariablesView, flow_variables_view, FLOW, VARIABLES_VIEW, FlowView)

gboolean flow_variables_view_select_at (FlowVariablesView *self,
                                        double             x,
                                        double             y);

G_END_DECLS
