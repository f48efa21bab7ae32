/* flow-tensor-load-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

gboolean _flow_tensor_load_doubles (const FlowTensor *tensor,
                                    gint64            begin,
                                    gint64            end,
                                    double           *values);
double   _flow_dtype_min_normal    (FlowDType         dtype);

G_END_DECLS
