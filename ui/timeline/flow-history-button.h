/* flow-history-button.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_HISTORY_BUTTON (flow_history_button_get_type ())

G_DECLARE_FINAL_TYPE (FlowHistoryButton, flow_history_button, FLOW, HISTORY_BUTTON, FlowView)

G_END_DECLS
