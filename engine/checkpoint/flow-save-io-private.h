/* flow-save-io-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-bundle-writer.h"

G_BEGIN_DECLS

/* The system calls that saving makes, so that a test can make each of them fail, or be the last. */
typedef struct {
  int     (*open)   (const char *path, int flags, int mode);
  gssize  (*write)  (int fd, gconstpointer data, gsize n);
  int     (*fsync)  (int fd);
  int     (*close)  (int fd);
  int     (*rename) (const char *from, const char *to);
  int     (*link)   (const char *from, const char *to);
  int     (*unlink) (const char *path);
  int     (*rmdir)  (const char *path);
  int     (*mkdir)  (const char *path, int mode);
} FlowSaveIo;

/* A file under a temporary name, written from its start to its end. */
typedef struct {
  const FlowSaveIo *io;
  char *path;            /* what it shall be called */
  char *temp_path;
  int fd;
  guint64 size;
  guint8 *buffer;
  gsize buffered;
} FlowTempFile;

const FlowSaveIo *_flow_save_io_get            (void);
gboolean          _flow_temp_file_open         (FlowTempFile      *self,
                                                const FlowSaveIo  *io,
                                                const char        *path,
                                                GError           **error);
gboolean          _flow_temp_file_write        (FlowTempFile      *self,
                                                gconstpointer      data,
                                                gsize              n,
                                                GError           **error);
gboolean          _flow_temp_file_close        (FlowTempFile      *self,
                                                GError           **error);
gboolean          _flow_temp_file_rename       (FlowTempFile      *self,
                                                const char        *path,
                                                GError           **error);
void              _flow_temp_file_clear        (FlowTempFile      *self);
gboolean          _flow_save_sync_folder       (const FlowSaveIo  *io,
                                                const char        *path,
                                                GError           **error);
gboolean          _flow_save_make_folder       (const FlowSaveIo  *io,
                                                const char        *path,
                                                GError           **error);

FlowBundleWriter *_flow_bundle_writer_new      (const char        *prefix,
                                                const FlowSaveIo  *io,
                                                GError           **error);
gboolean          _flow_bundle_merge           (const char *const *prefixes,
                                                const char        *destination,
                                                FlowMergeOldDirs   old_dirs,
                                                const FlowSaveIo  *io,
                                                GError           **error);

/* The one place that knows which data files may be written while an old index is valid. */
typedef struct {
  gint64 old_n_shards;   /* 0: there is nothing to protect */
  gint64 n_needed;
  gint64 n_shards;       /* of the new set, at least as many as needed */
} FlowShardNames;

void              _flow_shard_names_choose     (FlowShardNames    *self,
                                                const char        *prefix,
                                                gint64             n_needed);
char             *_flow_shard_path             (const char        *prefix,
                                                gint64             shard,
                                                gint64             n_shards);
void              _flow_shards_remove          (const FlowSaveIo  *io,
                                                const char        *prefix,
                                                gint64             n_shards);
void              _flow_shard_names_settle     (FlowShardNames    *self,
                                                const FlowSaveIo  *io,
                                                const char        *prefix,
                                                GBytes            *index);

/* Whole files in memory; entries come in any order and are written sorted. */
GBytes           *_flow_table_make             (GHashTable        *entries,
                                                GError           **error);
GBytes           *_flow_index_make             (GHashTable        *entries,
                                                gint64             n_shards,
                                                GError           **error);

G_END_DECLS
