/* flow-origin-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_ORIGIN_VIEW (flow_origin_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowOriginView, flow_origin_view, FLOW, ORIGIN_VIEW, FlowView)

void flow_origin_view_show (FlowOriginView *self,
                            const char     *tensor);

G_END_DECLS
