/* flow-tensor-cast.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

FLOW_API FlowTensor *flow_tensor_cast (const FlowTensor  *self,
                                       FlowDType          dtype,
                                       FlowBudget        *budget,
                                       GError           **error);

G_END_DECLS
