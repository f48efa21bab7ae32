/* flow-boosted-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the ops of boosted trees share.
 */

#pragma once

#include "flow-named-private.h"

G_BEGIN_DECLS

/* TF's names of kinds of splits. */
#define FLOW_SPLIT_INEQUALITY_LEFT "INEQUALITY_DEFAULT_LEFT"
#define FLOW_SPLIT_INEQUALITY_RIGHT "INEQUALITY_DEFAULT_RIGHT"
#define FLOW_SPLIT_EQUALITY_RIGHT "EQUALITY_DEFAULT_RIGHT"

/* TF: gains this near count as equal. */
#define FLOW_GAIN_TOLERANCE 1e-15f

static inline gboolean
_flow_gain_is_larger (float a,
                      float b)
{
  return a - b >= FLOW_GAIN_TOLERANCE;
}

/* The best weights of a leaf with gradients @g and hessians @h (as many, or their square: then by columns), and what
 * they gain. FALSE without memory. */
gboolean _flow_weigh_split (const float *g,
                            const float *h,
                            guint        n_logits,
                            guint        n_hessians,
                            float        l1,
                            float        l2,
                            float       *weights,
                            float       *gain);

gboolean _flow_boosted_infer_is_initialized (FlowInferContext    *c,
                                        GError                  **error);
/* Inputs @begin to @end are scalars. */
gboolean _flow_boosted_check_scalars   (FlowKernelContext        *c,
                                        guint                     begin,
                                        guint                     end,
                                        GError                  **error);
gboolean _flow_boosted_infer_scalars   (FlowInferContext         *c,
                                        guint                     begin,
                                        guint                     end,
                                        GError                  **error);
/* What is looked at in every input: its rank, that it has @n rows, that a number of it is in [0, @n). */
gboolean _flow_boosted_check_rank      (const FlowTensor         *tensor,
                                        int                       rank,
                                        const char               *name,
                                        GError                  **error);
gboolean _flow_boosted_check_rows      (const FlowTensor         *tensor,
                                        int                       rank,
                                        gint64                    n,
                                        const char               *name,
                                        GError                  **error);
gboolean _flow_boosted_check_id        (gint64                    id,
                                        gint64                    n,
                                        const char               *name,
                                        gint64                    at,
                                        GError                  **error);

#define FLOW_STATS_OP(op, ins, outs, ats, func, infer_func, text)                                                \
  { .name = op, .inputs = ins, .outputs = outs, .attrs = ats, .summary = text,                              \
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_func,                                                     \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }

G_END_DECLS
