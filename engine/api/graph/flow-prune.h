/* flow-prune.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

/**
 * FlowPrune:
 *
 * What a run keeps of a graph, by TensorFlow's rule (RewriteGraphForExecution): reverse reachability
 * from fetches and targets over data and control inputs, cut at fed outputs.
 */
typedef struct _FlowPrune FlowPrune;

#define FLOW_TYPE_PRUNE (flow_prune_get_type ())

FLOW_API GType       flow_prune_get_type      (void);
FLOW_API FlowPrune  *flow_prune_new           (FlowGraph          *graph,
                                               const char *const  *feeds,
                                               const char *const  *fetches,
                                               const char *const  *targets,
                                               GError            **error);
FLOW_API FlowPrune  *flow_prune_ref           (FlowPrune          *self);
FLOW_API void        flow_prune_unref         (FlowPrune          *self);
FLOW_API guint       flow_prune_get_n_nodes   (FlowPrune          *self);
FLOW_API gboolean    flow_prune_contains      (FlowPrune          *self,
                                               guint32             node);
/* Whether that input of a kept node reads a feed, and which (index in the sorted feeds), or -1. */
FLOW_API int         flow_prune_get_feed      (FlowPrune          *self,
                                               guint32             node,
                                               guint               input);
/* Whether a control input of a kept node was moved to a feed (a fed Placeholder), so does not wait. */
FLOW_API gboolean    flow_prune_control_is_fed (FlowPrune         *self,
                                               guint32             node,
                                               guint               control_input);
/* Why a node is in: the chain of names from it to a fetch or target; or why it is out, one of "fed",
 * "not needed", with an empty chain. */
FLOW_API char      **flow_prune_explain       (FlowPrune          *self,
                                               guint32             node,
                                               gboolean           *is_in,
                                               char              **reason);

#ifndef __GI_SCANNER__
typedef struct {
  FlowEndpoint *feeds;         /* sorted by name, as TensorFlow does */
  guint n_feeds;
  FlowEndpoint *fetches;
  guint n_fetches;
  guint32 *targets;
  guint n_targets;
} FlowPruneEnds;

/* What is read of If, Case or While. */
typedef struct {
  guint n_inputs;
  guint8 *inputs;              /* by data input: whether it is */
  guint n_rets;
  guint8 *rets;                /* by what its functions return, but a condition */
  gboolean effects;            /* whether what else its functions do is waited for */
} FlowPruneReading;

/* The feed of an input that nothing comes of. */
#define FLOW_PRUNE_UNREAD G_MAXINT

FLOW_API FlowPrune *flow_prune_new_of_body (FlowGraph          *graph,
                                            FlowGraph          *library,
                                            const char *const  *feeds,
                                            const char *const  *fetches,
                                            const char *const  *targets,
                                            GError            **error);
FLOW_API const FlowPruneReading *flow_prune_get_reading (FlowPrune *self,
                                                         guint32    node);
FLOW_API const FlowPruneEnds *flow_prune_get_ends (FlowPrune *self);
FLOW_API FlowGraph *flow_prune_get_graph (FlowPrune *self);
FLOW_API gboolean   flow_graph_node_is_lowered (FlowGraph *graph,
                                                guint32    node);
FLOW_API gboolean   flow_graph_node_becomes_switches (FlowGraph *graph,
                                                      guint32    node);
FLOW_API guint8    *flow_prune_find_kept_after_lowering (FlowPrune *self);
#endif

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowPrune, flow_prune_unref)

G_END_DECLS
