/* flow-checkpoint.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowCheckpointKind:
 * @FLOW_CHECKPOINT_BUNDLE: a V2 checkpoint: `P.index` and `P.data-?????-of-?????`
 * @FLOW_CHECKPOINT_V1: a V1 checkpoint: one table file, or one per shard
 */
typedef enum {
  FLOW_CHECKPOINT_BUNDLE,
  FLOW_CHECKPOINT_V1,
} FlowCheckpointKind;

/**
 * FlowCheckpointTensor:
 * @name: its key
 * @dtype: its dtype
 * @shape: its whole shape
 * @shard: which data file holds it; -1 where its parts may lie in several
 * @offset: where it begins in that file, in bytes; -1 where that has no meaning
 * @size: its bytes in all files; 0 where its entry does not say
 * @crc32c: the stored checksum, masked; 0 where there is none
 * @n_slices: how many parts it is stored in; 0 if whole
 * @slices: (array length=n_slices): which, as `0,5:-`
 * @problem: (nullable): why it cannot be read, as far as its entry tells
 *
 * What a checkpoint says of one tensor.
 */
typedef struct _FlowCheckpointTensor FlowCheckpointTensor;

struct _FlowCheckpointTensor
{
  char *name;
  FlowDType dtype;
  FlowShape *shape;
  gint64 shard;
  gint64 offset;
  gint64 size;
  guint32 crc32c;
  guint n_slices;
  char **slices;
  char *problem;
  /*< private >*/
  gatomicrefcount ref_count;
};

#define FLOW_TYPE_CHECKPOINT_TENSOR (flow_checkpoint_tensor_get_type ())

FLOW_API GType                 flow_checkpoint_tensor_get_type (void);
FLOW_API FlowCheckpointTensor *flow_checkpoint_tensor_ref      (FlowCheckpointTensor *self);
FLOW_API void                  flow_checkpoint_tensor_unref    (FlowCheckpointTensor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowCheckpointTensor, flow_checkpoint_tensor_unref)

#define FLOW_TYPE_CHECKPOINT (flow_checkpoint_get_type ())

FLOW_API
G_DECLARE_FINAL_TYPE (FlowCheckpoint, flow_checkpoint, FLOW, CHECKPOINT, GObject)

FLOW_API FlowCheckpoint       *flow_checkpoint_open          (const char           *path,
                                                              GError              **error);
FLOW_API FlowCheckpoint       *flow_checkpoint_open_to_restore (const char         *path,
                                                              GError              **error);
FLOW_API FlowCheckpoint       *flow_checkpoint_open_prefix   (const char           *prefix,
                                                              GError              **error);
FLOW_API FlowCheckpoint       *flow_checkpoint_open_v1       (const char           *pattern,
                                                              GError              **error);
FLOW_API char                 *flow_checkpoint_resolve       (const char           *path,
                                                              FlowCheckpointKind   *kind,
                                                              GError              **error);
FLOW_API gboolean              flow_checkpoint_is_checkpoint (const char           *path);
FLOW_API FlowCheckpointKind    flow_checkpoint_get_kind      (FlowCheckpoint       *self);
FLOW_API const char           *flow_checkpoint_get_prefix    (FlowCheckpoint       *self);
FLOW_API gint64                flow_checkpoint_get_n_shards  (FlowCheckpoint       *self);
FLOW_API guint                 flow_checkpoint_get_n_tensors (FlowCheckpoint       *self);
FLOW_API FlowCheckpointTensor *flow_checkpoint_get_tensor    (FlowCheckpoint       *self,
                                                              guint                 i);
FLOW_API FlowCheckpointTensor *flow_checkpoint_find          (FlowCheckpoint       *self,
                                                              const char           *name);
FLOW_API const char *const    *flow_checkpoint_get_problems  (FlowCheckpoint       *self);
FLOW_API FlowTensor           *flow_checkpoint_read          (FlowCheckpoint       *self,
                                                              const char           *name,
                                                              FlowBudget           *budget,
                                                              GError              **error);
FLOW_API FlowTensor           *flow_checkpoint_read_slice    (FlowCheckpoint       *self,
                                                              const char           *name,
                                                              const char           *spec,
                                                              FlowBudget           *budget,
                                                              GError              **error);
FLOW_API FlowShape            *flow_checkpoint_parse_spec    (const char           *spec,
                                                              FlowShape           **whole,
                                                              GError              **error);

G_END_DECLS
