/* flow-kernel-evaluate.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-op-def.h"

G_BEGIN_DECLS

/* A FlowConstEvaluator. */
gboolean _flow_kernel_evaluate (const FlowOpSignature *signature,
                                FlowAttrList          *attrs,
                                const char            *node_name,
                                FlowTensor *const     *inputs,
                                guint                  n_inputs,
                                const int             *output_dtypes,
                                FlowTensor           **outputs,
                                guint                  n_outputs);

G_END_DECLS
