/* flow-state-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* The initialised variable that the handle in input @i names: a new reference. NOT_FOUND in
 * TensorFlow's words where it is not there or has no value yet. */
FlowVariable *_flow_lookup_variable (FlowKernelContext *c,
                                     guint              i,
                                     GError           **error);
/* The variable that the handle in input 0 names, or a new one of @dtype without a value: a new reference. */
FlowVariable *_flow_find_or_make_variable (FlowKernelContext *c,
                                     FlowDType          dtype,
                                     GError           **error);
/* The resource of whatever kind that the handle in input @i names: a new reference. */
FlowResource *_flow_lookup_any      (FlowKernelContext *c,
                                     guint              i,
                                     GError           **error);
/* The shape behind the handle in input 0, unknown if nothing is known; fails when it holds another
 * dtype than @dtype (FLOW_DTYPE_INVALID: any). */
gboolean      _flow_infer_handle    (FlowInferContext  *c,
                                     int                dtype,
                                     FlowShape        **shape,
                                     GError           **error);

G_END_DECLS
