/* flow-bundle-writer.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowBundleWriter:
 *
 * A V2 checkpoint in the making. Nothing stands under its prefix, and what stood there stays valid,
 * until flow_bundle_writer_finish() has put the new index in place with one rename. May be used from
 * one thread at a time.
 */
typedef struct _FlowBundleWriter FlowBundleWriter;

#define FLOW_TYPE_BUNDLE_WRITER (flow_bundle_writer_get_type ())

FLOW_API GType             flow_bundle_writer_get_type  (void);
FLOW_API FlowBundleWriter *flow_bundle_writer_new       (const char         *prefix,
                                                         GError            **error);
FLOW_API FlowBundleWriter *flow_bundle_writer_ref       (FlowBundleWriter   *self);
FLOW_API void              flow_bundle_writer_unref     (FlowBundleWriter   *self);
FLOW_API gboolean          flow_bundle_writer_add       (FlowBundleWriter   *self,
                                                         const char         *name,
                                                         const FlowTensor   *tensor,
                                                         GError            **error);
FLOW_API gboolean          flow_bundle_writer_add_slice (FlowBundleWriter   *self,
                                                         const char         *name,
                                                         const char         *spec,
                                                         const FlowTensor   *tensor,
                                                         GError            **error);
FLOW_API gboolean          flow_bundle_writer_finish    (FlowBundleWriter   *self,
                                                         GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowBundleWriter, flow_bundle_writer_unref)

/**
 * FlowMergeOldDirs:
 * @FLOW_MERGE_KEEP_OLD_DIRS: leave the folders of the merged shards
 * @FLOW_MERGE_DELETE_OLD_DIRS: remove them, empty as they then are
 */
typedef enum {
  FLOW_MERGE_KEEP_OLD_DIRS,
  FLOW_MERGE_DELETE_OLD_DIRS,
} FlowMergeOldDirs;

FLOW_API gboolean          flow_bundle_merge            (const char *const  *prefixes,
                                                         const char         *destination,
                                                         FlowMergeOldDirs    old_dirs,
                                                         GError            **error);
FLOW_API gboolean          flow_checkpoint_save_v1      (const char         *path,
                                                         const char *const  *names,
                                                         const char *const  *specs,
                                                         const FlowTensor  **tensors,
                                                         guint               n_tensors,
                                                         GError            **error);
FLOW_API char            **flow_checkpoint_list_stale   (const char         *prefix);

G_END_DECLS
