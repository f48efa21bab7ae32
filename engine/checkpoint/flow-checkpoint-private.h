/* flow-checkpoint-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-checkpoint.h"
#include "flow-proto-reader.h"

#include "flow-slice-private.h"
#include "flow-table-private.h"

G_BEGIN_DECLS

/* What the keys of one checkpoint may take in memory: some millions of tensors. */
#define FLOW_CHECKPOINT_MAX_LISTING ((gsize) 512 << 20)

/* Shard numbers have five digits in file names. */
#define FLOW_CHECKPOINT_MAX_SHARDS 99999

/* Every part is compared with every other. */
#define FLOW_CHECKPOINT_MAX_SLICES 4096

/* One tensor as a backend knows it: what everybody sees and where its parts are. */
typedef struct {
  FlowCheckpointTensor *info;
  int problem_code;      /* of the error that the problem is */
  GPtrArray *slices;     /* nullable; of FlowSlice */
  GArray *files;         /* V1: for each slice, in which file (guint) */
} FlowStored;

FlowStored           *_flow_stored_new             (const char            *name);
void                  _flow_stored_free            (FlowStored            *self);
void                  _flow_stored_add_slice       (FlowStored            *self,
                                                    FlowSlice             *slice);
void                  _flow_stored_check_slices    (FlowStored            *self);
void                  _flow_stored_set_problem     (FlowStored            *self,
                                                    const char            *format,
                                                    ...) G_GNUC_PRINTF (2, 3);
FlowShape            *_flow_read_shape             (FlowProtoReader       *reader);
gboolean              _flow_check_versions         (FlowProtoReader       *reader,
                                                    GError               **error);
void                  _flow_stored_write_shape     (FlowProtoWriter       *writer,
                                                    const FlowShape       *shape);

/* V2. */
typedef struct _FlowBundle FlowBundle;

FlowBundle           *_flow_bundle_open            (const char            *index_path,
                                                    const char            *prefix,
                                                    GPtrArray             *tensors,
                                                    GPtrArray             *problems,
                                                    GError               **error);
void                  _flow_bundle_free            (FlowBundle            *self);
gint64                _flow_bundle_get_n_shards    (FlowBundle            *self);
FlowTensor           *_flow_bundle_read_whole      (FlowBundle            *self,
                                                    const FlowStored      *stored,
                                                    FlowBudget            *budget,
                                                    GError               **error);
FlowTensor           *_flow_bundle_read_part       (FlowBundle            *self,
                                                    const FlowStored      *stored,
                                                    guint                  i,
                                                    FlowBudget            *budget,
                                                    GError               **error);

/* V1. */
typedef struct _FlowV1 FlowV1;

FlowV1               *_flow_v1_open                (const char            *pattern,
                                                    GPtrArray             *tensors,
                                                    GPtrArray             *problems,
                                                    GError               **error);
void                  _flow_v1_free                (FlowV1                *self);
gint64                _flow_v1_get_n_shards        (FlowV1                *self);
FlowTensor           *_flow_v1_read_part           (FlowV1                *self,
                                                    const FlowStored      *stored,
                                                    guint                  i,
                                                    FlowBudget            *budget,
                                                    GError               **error);
gboolean              _flow_v1_any_file            (const char            *pattern);
gboolean              _flow_v1_refuse_absent       (const char            *pattern,
                                                    GError               **error);
guint32               _flow_v1_value_field         (FlowDType              dtype);

/* Where a checkpoint is. */
typedef struct {
  FlowCheckpointKind kind;
  char *prefix;          /* of a bundle; the file or pattern of a V1 checkpoint */
  char *index_path;      /* of a bundle */
} FlowLocation;

void                  _flow_location_clear         (FlowLocation          *self);
gboolean              _flow_location_resolve       (FlowLocation          *self,
                                                    const char            *path,
                                                    GError               **error);
gboolean              _flow_location_from_prefix   (FlowLocation          *self,
                                                    const char            *prefix,
                                                    GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowBundle, _flow_bundle_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowV1, _flow_v1_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowStored, _flow_stored_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowLocation, _flow_location_clear)

G_END_DECLS
