/* flow-variant-tensors-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* What variants that hold tensors, lists and optionals, make of each of them for ZerosLike and AddN. The words of
 * errors are TensorFlow's, the same for both. */
FlowTensor *_flow_variant_zero_tensor (const FlowTensor  *tensor,
                                       FlowBudget        *budget,
                                       GError           **error);
/* One of @a and @b may be NULL: the sum is the other. */
FlowTensor *_flow_variant_add_tensors (const FlowTensor  *a,
                                       const FlowTensor  *b,
                                       FlowBudget        *budget,
                                       GError           **error);

G_END_DECLS
