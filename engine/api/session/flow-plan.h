/* flow-plan.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-prune.h"

G_BEGIN_DECLS

#define FLOW_PLAN_ITEM_NONE G_MAXUINT32

/**
 * FlowPlan:
 *
 * A run compiled: the nodes that feeds, fetches and targets leave of a graph, in one legal order that
 * is the same every time. Topological; among ready nodes the scope that is already open comes first
 * (the deepest scope shared with the node before), then the order of creation.
 *
 * An item is an index into that order. Consecutive items inside a scope are a visit of it.
 */
typedef struct _FlowPlan FlowPlan;

#define FLOW_TYPE_PLAN (flow_plan_get_type ())

FLOW_API GType       flow_plan_get_type     (void);
FLOW_API FlowPlan   *flow_plan_new          (FlowGraph         *graph,
                                             const char *const *feeds,
                                             const char *const *fetches,
                                             const char *const *targets,
                                             GError           **error);
FLOW_API FlowPlan   *flow_plan_new_merged   (FlowGraph         *graph,
                                             const char *const *feeds,
                                             const char *const *fetches,
                                             const char *const *targets,
                                             GError           **error);
FLOW_API FlowPlan   *flow_plan_ref          (FlowPlan          *self);
FLOW_API void        flow_plan_unref        (FlowPlan          *self);
FLOW_API FlowGraph  *flow_plan_get_graph    (FlowPlan          *self);
FLOW_API FlowPrune  *flow_plan_get_prune    (FlowPlan          *self);
FLOW_API guint       flow_plan_get_n_items  (FlowPlan          *self);
FLOW_API guint32     flow_plan_get_node     (FlowPlan          *self,
                                             guint              item);
FLOW_API guint32     flow_plan_find_item    (FlowPlan          *self,
                                             guint32            node);
FLOW_API guint       flow_plan_get_visit    (FlowPlan          *self,
                                             guint              item,
                                             guint32            scope,
                                             guint             *n_visits);
FLOW_API const char *flow_plan_get_feed     (FlowPlan          *self,
                                             guint              i);
FLOW_API void        flow_plan_list_update_ops (FlowPlan       *self,
                                             char            ***executed,
                                             char            ***skipped);
FLOW_API gboolean    flow_plan_has_loops    (FlowPlan          *self);
FLOW_API char       *flow_plan_make_key     (const char *const *feeds,
                                             const char *const *fetches,
                                             const char *const *targets);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowPlan, flow_plan_unref)

G_END_DECLS
