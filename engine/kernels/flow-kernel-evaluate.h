/* flow-kernel-evaluate.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

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

/* For kernels that are several ops in a row: what an op of @type, whose attrs are among the node's own and whose
 * one output is of the node's dtype, makes of @inputs. A new reference. */
FlowTensor *_flow_kernel_apply (FlowKernelContext     *c,
                                const char            *type,
                                FlowTensor *const     *inputs,
                                guint                  n_inputs,
                                GError               **error);

G_END_DECLS
