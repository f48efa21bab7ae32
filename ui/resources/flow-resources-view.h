/* flow-resources-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_RESOURCES_VIEW (flow_resources_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowResourcesView, flow_resources_view, FLOW, RESOURCES_VIEW, FlowView)

G_END_DECLS
