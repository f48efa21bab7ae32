/* flow-forest-slot-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the examples that came to one leaf of a forest's tree, and how each of some candidates would
 * split them.
 */

#pragma once

#include "flow-forest-resource-private.h"
#include "flow-int-map-private.h"

G_BEGIN_DECLS

/* The parameters at a depth. */
typedef struct {
  gint32 n_splits;
  gint32 split_after;
  gint32 min_samples;
  gint32 check_every;
  gint32 prune_every;
  float dominate;
} FlowForestPlan;

/* Sums of one candidate's sides, kept while examples come: TF does so where it is asked to. */
typedef struct {
  float left_sum;
  float left_square;
  float right_sum;
  float right_square;
} FlowForestScore;

/* One that is shared never changes: who writes has a copy of its own. */
typedef struct {
  gatomicrefcount ref_count;
  const FlowForestParams *params;
  FlowForestPlan plan;
  gint32 depth;
  float weight_sum;
  GPtrArray *splits;           /* of FlowForestSplit: the candidates */
  GPtrArray *tests;            /* the same as they were when they came: by these examples are told apart */
  /* Of classes. */
  FlowIntMap *totals;
  GPtrArray *left;             /* of FlowIntMap, for each candidate */
  GPtrArray *right;            /* likewise, where only some classes are tracked */
  GArray *scores;              /* of FlowForestScore */
  FlowIntMap *half;            /* of candidates that wait for an example of another class: the first's */
  guint n_seen;
  gint32 finish_epoch;
  gint32 prune_epoch;
  gboolean finishes;
  /* Of numbers: sums and squares, outputs by candidates, then how many go left. */
  GArray *sums;                /* of float, as what follows */
  GArray *squares;
  GArray *counts;
  GArray *total_sums;
  GArray *total_squares;
} FlowForestSlot;

/* A split, and what its sides hold. */
typedef struct {
  FlowForestSplit *split;
  FlowForestLeaf leaves[2];
  float weights[2];
} FlowForestBest;

gboolean        _flow_forest_slot_check  (const FlowForestParams  *params,
                                          gint32                   depth,
                                          GError                 **error);
FlowForestSlot *_flow_forest_slot_new    (const FlowForestParams  *params,
                                          gint32                   depth);
FlowForestSlot *_flow_forest_slot_ref    (FlowForestSlot          *self);
void            _flow_forest_slot_unref  (FlowForestSlot          *self);
FlowForestSlot *_flow_forest_slot_copy   (const FlowForestSlot    *self);
gsize           _flow_forest_slot_bytes  (const FlowForestSlot    *self);
gboolean        _flow_forest_slot_is_initialized (const FlowForestSlot *self);
gboolean        _flow_forest_slot_is_finished (const FlowForestSlot *self);
/* Room for one more candidate, without counts; FALSE where there are enough. */
gboolean        _flow_forest_slot_add_candidate (FlowForestSlot   *self,
                                          FlowForestSplit         *split);
/* A candidate that an example gave. */
gboolean        _flow_forest_slot_add_split (FlowForestSlot       *self,
                                          FlowForestSplit         *split,
                                          const FlowForestData    *data,
                                          const FlowForestTarget  *target,
                                          gint64                   example,
                                          GError                 **error);
gboolean        _flow_forest_slot_add_example (FlowForestSlot     *self,
                                          const FlowForestData    *data,
                                          const FlowForestTarget  *target,
                                          gint64                   example,
                                          GError                 **error);
/* FALSE where no candidate splits anything. */
gboolean        _flow_forest_slot_find_best (const FlowForestSlot *self,
                                          FlowForestBest          *best);
void            _flow_forest_best_clear  (FlowForestBest          *best);

/* --- of classes ------------------------------------------------------------------------------------------------------ */

static inline gboolean
_flow_forest_slot_has_numbers (const FlowForestSlot *self)
{
  return self->params->stats_type == FLOW_FOREST_STATS_REGRESSION;
}

static inline gboolean
_flow_forest_slot_tracks_some (const FlowForestSlot *self)
{
  return self->params->stats_type == FLOW_FOREST_STATS_FIXED;
}

/* How many examples of class @label candidate @split sends to the left. */
float           _flow_forest_slot_left_count (const FlowForestSlot *self,
                                          guint                    split,
                                          gint32                   label);
gboolean        _flow_forest_slot_is_pure (const FlowForestSlot   *self);
/* An example of class @label goes to a side of candidate @split, and to the leaf. */
void            _flow_forest_slot_count  (FlowForestSlot          *self,
                                          guint                    split,
                                          gboolean                 left,
                                          gint32                   label,
                                          float                    weight);
void            _flow_forest_slot_count_total (FlowForestSlot     *self,
                                          gint32                   label,
                                          float                    weight);
/* What impurity a candidate leaves; the less the better. */
float           _flow_forest_slot_score  (const FlowForestSlot    *self,
                                          guint                    split,
                                          FlowForestScore         *score);
/* After each example: whether a candidate is certain, or some are not worth keeping. */
void            _flow_forest_slot_check_finish (FlowForestSlot    *self);
void            _flow_forest_slot_check_prune (FlowForestSlot     *self);

/* --- as bytes -------------------------------------------------------------------------------------------------------- */

/* Reads into a new slot; FALSE for what does not fit the parameters. */
gboolean        _flow_forest_slot_parse  (FlowForestSlot          *self,
                                          FlowProtoReader         *r);
void            _flow_forest_slot_write  (const FlowForestSlot    *self,
                                          FlowProtoWriter         *w,
                                          gint32                   node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowForestSlot, _flow_forest_slot_unref)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowForestBest, _flow_forest_best_clear)

G_END_DECLS
