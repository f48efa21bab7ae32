/* flow-dnnl.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-nn-conv-private.h"

G_BEGIN_DECLS

/* Which part of a convolution is computed. */
typedef enum {
  FLOW_DNNL_OUTPUT,
  FLOW_DNNL_INPUT,
  FLOW_DNNL_FILTER,
} FlowDnnlRole;

/* Whether oneDNN is the faster path for this convolution (measured: tests/bench/bench-conv.c). */
gboolean flow_dnnl_is_worth    (const FlowConv *conv, FlowDnnlRole role);
gboolean flow_dnnl_convolution (FlowKernelContext *c, const FlowConv *conv, int n_spatial, gboolean channels_first,
                                FlowDnnlRole role, gpointer input, gpointer filter, gpointer output,
                                gboolean *done, GError **error);

G_END_DECLS
