/* flow-script-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_SCRIPT_VIEW (flow_script_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowScriptView, flow_script_view, FLOW, SCRIPT_VIEW, FlowView)

/* @words: as of the debugger's method ScriptPolicy: shown, not set */
void  flow_script_view_show_policy (FlowScriptView *self,
                                    const char     *words);

G_END_DECLS
