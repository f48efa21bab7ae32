/* flow-checkpoint-match.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-checkpoint.h"

G_BEGIN_DECLS

/**
 * FlowMatchKind:
 * @FLOW_MATCH_MATCHED: in both, of the same dtype and a compatible shape
 * @FLOW_MATCH_CLASH: in both, of another dtype or shape: restoring it fails
 * @FLOW_MATCH_ONLY_GRAPH: a variable that the checkpoint does not have
 * @FLOW_MATCH_ONLY_FILE: a tensor that no variable asks for
 *
 * What became of one name.
 */
typedef enum {
  FLOW_MATCH_MATCHED,
  FLOW_MATCH_CLASH,
  FLOW_MATCH_ONLY_GRAPH,
  FLOW_MATCH_ONLY_FILE,
} FlowMatchKind;

/**
 * FlowMatchItem:
 * @kind: what became of it
 * @name: the variable's name, or the key that only the checkpoint has
 * @graph_dtype: the variable's dtype; %FLOW_DTYPE_INVALID if there is none
 * @graph_shape: (nullable): the variable's shape
 * @file_dtype: the dtype in the checkpoint; %FLOW_DTYPE_INVALID if it is not there
 * @file_shape: (nullable): the shape in the checkpoint
 * @nearest: (array zero-terminated=1): names of the other side that are most like it and match nothing
 *   themselves, the nearest first, three at most; for a clash those that would fit
 *
 * One line of the comparison.
 */
typedef struct {
  FlowMatchKind kind;
  char *name;
  FlowDType graph_dtype;
  FlowShape *graph_shape;
  FlowDType file_dtype;
  FlowShape *file_shape;
  char **nearest;
} FlowMatchItem;

/**
 * FlowCheckpointMatch:
 *
 * The variables of a graph beside the tensors of a checkpoint.
 */
typedef struct _FlowCheckpointMatch FlowCheckpointMatch;

#define FLOW_TYPE_CHECKPOINT_MATCH (flow_checkpoint_match_get_type ())

FLOW_API GType                flow_checkpoint_match_get_type (void);
FLOW_API FlowCheckpointMatch *flow_checkpoint_match          (FlowCheckpoint            *checkpoint,
                                                              const char *const         *names,
                                                              const int                 *dtypes,
                                                              FlowShape                **shapes,
                                                              guint                      n_names);
FLOW_API FlowCheckpointMatch *flow_checkpoint_match_ref      (FlowCheckpointMatch       *self);
FLOW_API void                 flow_checkpoint_match_unref    (FlowCheckpointMatch       *self);
FLOW_API guint                flow_checkpoint_match_get_n_items (FlowCheckpointMatch    *self);
FLOW_API const FlowMatchItem *flow_checkpoint_match_get_item (FlowCheckpointMatch       *self,
                                                              guint                      i);
FLOW_API guint                flow_checkpoint_match_count    (FlowCheckpointMatch       *self,
                                                              FlowMatchKind              kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowCheckpointMatch, flow_checkpoint_match_unref)

G_END_DECLS
