/* flow-tensor-variant-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-variant.h"

G_BEGIN_DECLS

/* A tensor as the cell of a variant: how sparse and ragged tensors are put away. */
#define FLOW_TYPE_TENSOR_VARIANT (_flow_tensor_variant_get_type ())

G_DECLARE_FINAL_TYPE (FlowTensorVariant, _flow_tensor_variant, FLOW, TENSOR_VARIANT, FlowVariant)

/* Holds @tensor; NULL where variants would stand too deep in one another. */
FlowVariant *_flow_tensor_variant_new (const FlowTensor  *tensor,
                                       GError           **error);
/* What cell @i of @tensor holds, borrowed; NULL for nothing and for anything but a tensor. */
FlowTensor  *_flow_tensor_variant_at  (const FlowTensor  *tensor,
                                       gint64             i);

G_END_DECLS
