/* flow-function-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-function.h"

G_BEGIN_DECLS

/**
 * FlowBodyFlags: (skip)
 * @FLOW_BODY_RULE: inputs are spelled `node` (all its outputs) or `node:slot`, not `node:output:index`
 * @FLOW_BODY_WITH_GRADIENTS: after the function's arguments come others, of what it returns: the gradients of that
 */
typedef enum {
  FLOW_BODY_RULE = 1 << 0,
  FLOW_BODY_WITH_GRADIENTS = 1 << 1,
} FlowBodyFlags;

FlowFunctionBody *_flow_function_body_make (FlowGraph           *library,
                                            const FlowFunction  *function,
                                            const FlowAttr      *func,
                                            const char          *prefix,
                                            FlowBodyFlags        flags,
                                            GError             **error);
/* The function's nodes without those that nothing but control edges holds. */
GPtrArray        *_flow_function_list_kept (const FlowFunction  *function);
/* The gradient of an op that is no function, as a function of its inputs and of its outputs' gradients; NULL with
 * TensorFlow's words where it has none. */
FlowFunction     *_flow_gradient_rule_new  (const char          *op,
                                            FlowAttrList        *attrs,
                                            GError             **error);
/* Whether TensorFlow knows that nothing goes back through the op. */
gboolean          _flow_gradient_is_zero   (const char          *op);

G_END_DECLS
