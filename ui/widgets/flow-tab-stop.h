/* flow-tab-stop.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_TAB_STOP (flow_tab_stop_get_type ())

G_DECLARE_FINAL_TYPE (FlowTabStop, flow_tab_stop, FLOW, TAB_STOP, AdwBin)

G_END_DECLS
