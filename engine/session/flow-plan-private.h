/* flow-plan-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-plan.h"
#include "flow-prune.h"

G_BEGIN_DECLS

/* Where an input of an item comes from: a feed, or an output of another item. */
typedef struct {
  gint32 feed;                 /* index in the sorted feeds, FLOW_PRUNE_UNREAD, -1 */
  guint32 item;
  gint32 slot;
} FlowPlanInput;

/* Where an output of an item goes. */
typedef struct {
  gint32 slot;                 /* FLOW_SLOT_CONTROL */
  guint32 item;
  gint32 input;                /* FLOW_SLOT_CONTROL */
} FlowPlanOut;

typedef struct {
  guint32 node;
  guint32 flags;               /* FlowOpFlags */
  guint32 first_input;         /* in plan->inputs */
  guint32 n_inputs;
  guint32 n_control;           /* control edges that are waited for */
  guint32 first_out;           /* in plan->outs */
  guint32 n_outs;
  guint32 n_outputs;
  guint32 frame;               /* in which it executes */
  guint32 child_frame;         /* Enter: the frame its output goes to */
  guint32 local;               /* index among its frame's items */
  guint32 entry;               /* index of its first input among its frame's inputs */
  guint32 scope;
  guint32 call;                /* of an op that calls functions: index among its frame's */
  const FlowPruneReading *reading; /* what is read of it; NULL: all */
  gboolean is_constant;        /* Enter: goes to every iteration */
  gboolean by_constant;        /* a division whose divisor is a constant that is not fed */
  gboolean after_write;        /* comes after an op that writes a variable: by an edge, not by chance */
} FlowPlanItem;

/* A loop as the graph spells it; each execution makes instances of it. */
typedef struct {
  guint32 parent;
  char *name;                  /* frame_name, "" for the outermost */
  guint32 child_index;         /* among the parent's children */
  guint32 n_children;
  guint32 n_items;
  guint32 n_entries;
  guint32 n_enters;
  guint32 n_calls;
  guint32 parallel_iterations;
  guint32 *items;              /* local -> item */
  guint32 *pending;            /* local -> edges waited for at the start of an iteration */
  guint64 *ahead;              /* bit per item: goes before all others, of whatever iteration; nullable */
} FlowPlanFrame;

/* Two ops that no edge orders, one of which writes in place what the other reads: as TensorFlow begins them. */
typedef struct {
  guint32 waits;               /* node that comes after */
  guint32 source;              /* node that comes before */
  gboolean is_write;           /* @source is the one that writes */
} FlowPlanRace;

struct _FlowPlan
{
  gatomicrefcount ref_count;
  FlowGraph *graph;
  FlowPrune *prune;
  guint n_items;
  FlowPlanItem *items;
  FlowPlanInput *inputs;
  guint n_inputs;
  FlowPlanOut *outs;
  guint n_outs;
  FlowPlanFrame *frames;
  guint n_frames;
  guint32 *item_of_node;
  guint n_graph_nodes;
  char **feed_names;           /* sorted, as TensorFlow numbers them */
  GArray *races;               /* of FlowPlanRace, by what waits; nullable */
  GHashTable *visits;          /* scope -> GArray of the first item of each visit */
};

FlowPlan *_flow_plan_new_of_body  (FlowGraph *graph,
                                   FlowGraph *library,
                                   const char *const *feeds,
                                   const char *const *fetches,
                                   const char *const *targets,
                                   GError   **error);
guint32  *_flow_plan_find_twins   (FlowGraph *graph,
                                   FlowPrune *prune);
gboolean  _flow_plan_order_items  (FlowPlan  *self,
                                   GError   **error);
gboolean  _flow_plan_find_frames  (FlowPlan  *self,
                                   GError   **error);
void      _flow_plan_find_ahead   (FlowPlan  *self);
GArray   *_flow_plan_list_as_begun (FlowPlan  *self);
gboolean  _flow_plan_is_light     (FlowPlan  *self,
                                  guint32    item);
GArray   *_flow_plan_find_races   (FlowPlan  *self);
/* The first of the races in which @node waits. */
guint     _flow_plan_first_race   (FlowPlan  *self,
                                   guint32    node);
/* Whether the op writes to a variable that it is given by reference. */
gboolean  _flow_plan_may_write    (FlowPlan  *self,
                                   guint      item);

G_END_DECLS
