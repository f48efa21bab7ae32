/* flow-boosted-model-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-boosted-private.h"
#include "flow-trees-private.h"

G_BEGIN_DECLS

/* An ensemble of trees that ops share. */
typedef struct {
  FlowResource parent;
  gint64 stamp;
  FlowEnsemble *model;         /* never changes: what writes takes another's place */
} FlowBoosted;

/* Calls @func with the ensemble that input 0 names. */
gboolean _flow_boosted_with_ensemble (FlowKernelContext  *c,
                                      FlowNamedFunc       func,
                                      GError            **error);
/* Takes @model. */
void     _flow_boosted_replace_model (FlowKernelContext  *c,
                                      FlowBoosted        *self,
                                      gint64              stamp,
                                      FlowEnsemble       *model);

#define FLOW_ENSEMBLE_OP(op, ins, outs, ats, func, infer_func, text)                                        \
  { .name = op, .inputs = "tree_ensemble_handle: resource" ins, .outputs = outs, .attrs = ats,              \
    .summary = text, .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,        \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }

G_END_DECLS
