/* flow-script-call-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"
#include "flow-script-call.h"

G_BEGIN_DECLS

FlowScriptCall *_flow_script_call_new          (FlowKernelContext *c,
                                                const char        *token);
/* What the function gave, a reference; NULL with an error where it failed. */
GPtrArray      *_flow_script_call_take_outputs (FlowScriptCall    *self,
                                                GError           **error);

G_END_DECLS
