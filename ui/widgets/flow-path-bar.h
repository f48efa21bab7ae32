/* flow-path-bar.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_PATH_BAR (flow_path_bar_get_type ())

G_DECLARE_FINAL_TYPE (FlowPathBar, flow_path_bar, FLOW, PATH_BAR, FlowView)

G_END_DECLS
