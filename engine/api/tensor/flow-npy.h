/* flow-npy.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

FLOW_API FlowTensor *flow_npy_read  (GBytes            *bytes,
                                     FlowBudget        *budget,
                                     GError           **error);
FLOW_API FlowTensor *flow_npy_load  (const char        *path,
                                     FlowBudget        *budget,
                                     GError           **error);
FLOW_API GBytes     *flow_npy_write (const FlowTensor  *tensor,
                                     GError           **error);
FLOW_API gboolean    flow_npy_save  (const FlowTensor  *tensor,
                                     const char        *path,
                                     GError           **error);

G_END_DECLS
