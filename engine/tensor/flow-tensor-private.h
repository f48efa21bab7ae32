/* flow-tensor-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/* Whether cells are pointers, each of which owns a reference. */
static inline gboolean
flow_tensor_has_pointers (FlowDType dtype)
{
  return dtype == FLOW_DTYPE_STRING || dtype == FLOW_DTYPE_RESOURCE || dtype == FLOW_DTYPE_VARIANT;
}

G_END_DECLS
