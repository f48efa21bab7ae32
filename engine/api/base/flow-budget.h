/* flow-budget.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

/**
 * FlowBudget:
 *
 * A memory budget in bytes: tensors, string bytes, decoded messages and history ask it before they
 * allocate, because a malloc() that succeeds proves nothing on Linux. Thread-safe.
 */
typedef struct _FlowBudget FlowBudget;

#define FLOW_TYPE_BUDGET (flow_budget_get_type ())

FLOW_API GType       flow_budget_get_type  (void);
FLOW_API FlowBudget *flow_budget_new       (guint64            limit_bytes);
FLOW_API guint64     flow_budget_default_limit (void);
FLOW_API FlowBudget *flow_budget_ref       (FlowBudget        *self);
FLOW_API void        flow_budget_unref     (FlowBudget        *self);
FLOW_API gboolean    flow_budget_reserve   (FlowBudget        *self,
                                            gsize              n_bytes);
FLOW_API void        flow_budget_release   (FlowBudget        *self,
                                            gsize              n_bytes);
FLOW_API guint64     flow_budget_get_limit (FlowBudget        *self);
FLOW_API void        flow_budget_set_limit (FlowBudget        *self,
                                            guint64            limit_bytes);
FLOW_API guint64     flow_budget_get_used  (FlowBudget        *self);
FLOW_API guint64     flow_budget_get_peak  (FlowBudget        *self);
FLOW_API guint64     flow_budget_parse_size (const char       *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowBudget, flow_budget_unref)

G_END_DECLS
