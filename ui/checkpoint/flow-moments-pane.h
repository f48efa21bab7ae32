/* flow-moments-pane.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_MOMENTS_PANE (flow_moments_pane_get_type ())

G_DECLARE_FINAL_TYPE (FlowMomentsPane, flow_moments_pane, FLOW, MOMENTS_PANE, FlowView)

void flow_moments_pane_compare (FlowMomentsPane *self,
                                const char      *a,
                                const char      *b);

G_END_DECLS
