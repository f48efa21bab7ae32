/* flow-tensor-load-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/* Hot loops are compiled for more than one level of x86-64; the machine picks when it loads us. */
#if defined (__x86_64__) && defined (__GNUC__) && !defined (__clang__)
#define FLOW_TENSOR_CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FLOW_TENSOR_CLONES
#endif

gboolean _flow_tensor_load_doubles (const FlowTensor *tensor,
                                    gint64            begin,
                                    gint64            end,
                                    double           *values);
double   _flow_dtype_min_normal    (FlowDType         dtype);

G_END_DECLS
