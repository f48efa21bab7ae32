/* flow-sum-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Sums in the order in which TensorFlow on an AVX processor adds, so that they agree to the last bit:
 * where two large sums nearly cancel, another order shows. */

float    flow_sum_float         (FlowRelease         release,
                                 const float        *x,
                                 gint64              n);
float    flow_sum_squares_float (FlowRelease         release,
                                 const float        *x,
                                 gint64              n);

/* out[i] = sum over rows of x[row * n + i], one row after the other. */
void     flow_sum_rows_float    (const float        *x,
                                 gint64              n_rows,
                                 gint64              n,
                                 float              *out);

/* The same in the order that flow_sum_run() has for columns. */
void     flow_sum_columns_float (FlowRelease         release,
                                 const float        *x,
                                 gint64              n_rows,
                                 gint64              n,
                                 float              *out);

/* Whether sums of @dtype are made here. */
gboolean flow_sum_has           (FlowDType           dtype);

/* Sum of @in, not empty, over the dims marked in @reduced into @out; with @mean divided by the count. */
gboolean flow_sum_run           (FlowRelease         release,
                                 const FlowTensor   *in,
                                 const gboolean     *reduced,
                                 gboolean            mean,
                                 FlowTensor         *out,
                                 GError            **error);

G_END_DECLS
