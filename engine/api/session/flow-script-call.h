/* flow-script-call.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

#define FLOW_TYPE_SCRIPT_CALL (flow_script_call_get_type ())

FLOW_API G_DECLARE_FINAL_TYPE (FlowScriptCall, flow_script_call, FLOW, SCRIPT_CALL, GObject)

/**
 * FlowScriptFunc:
 * @call: what is asked; answered before this returns
 * @data: what was given with it
 *
 * Runs a function of the script that made a graph (PyFunc). Called on the thread that runs the op.
 */
typedef void (*FlowScriptFunc) (FlowScriptCall *call,
                                gpointer        data);

FLOW_API const char *flow_script_call_get_token     (FlowScriptCall *self);
FLOW_API const char *flow_script_call_get_node_name (FlowScriptCall *self);
FLOW_API const char *flow_script_call_get_op_type   (FlowScriptCall *self);
FLOW_API GPtrArray  *flow_script_call_dup_inputs    (FlowScriptCall *self);
FLOW_API int         flow_script_call_get_n_outputs (FlowScriptCall *self);
FLOW_API int         flow_script_call_get_output_dtype (FlowScriptCall *self,
                                                     int             i);
FLOW_API void        flow_script_call_add_output    (FlowScriptCall *self,
                                                     FlowTensor     *tensor);
FLOW_API void        flow_script_call_fail          (FlowScriptCall *self,
                                                     int             code,
                                                     const char     *message);

G_END_DECLS
