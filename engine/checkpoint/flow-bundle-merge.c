/* flow-bundle-merge.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-bundle-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "flow-proto-writer.h"

#include "flow-checkpoint-private.h"
#include "flow-save-io-private.h"

/* An entry of one of the indices that are merged; what is not looked at stays as its bytes. */
typedef struct {
  gint64 dtype;
  GBytes *shape;
  gint64 shard;          /* of the merged checkpoint */
  gint64 offset;
  gint64 size;
  guint32 crc;
  GPtrArray *slices;     /* of GBytes */
} MergeEntry;

typedef struct {
  const char *prefix;    /* whose index is being read */
  gint64 prefix_shards;
  gboolean seen_header;
  GHashTable *entries;   /* GBytes key -> MergeEntry */
  GHashTable *shard_ids; /* path of a data file -> its number, in order of appearance */
  GPtrArray *shard_paths;
  gint64 n_shards;
} MergeJob;

static void
merge_entry_free (gpointer data)
{
  MergeEntry *self = data;

  g_clear_pointer (&self->shape, g_bytes_unref);
  g_ptr_array_unref (self->slices);
  g_free (self);
}

static MergeEntry *
parse_entry (const guint8 *value,
             gsize         value_length,
             gint64       *old_shard)
{
  MergeEntry *self = g_new0 (MergeEntry, 1);
  FlowProtoReader reader;

  self->slices = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  *old_shard = 0;
  flow_proto_reader_init (&reader, value, value_length);
  while (flow_proto_reader_next (&reader))
    {
      const guint8 *data;
      gsize size;

      switch (reader.field)
        {
        case 1: flow_proto_reader_get_int64 (&reader, &self->dtype); break;
        case 3: flow_proto_reader_get_int64 (&reader, old_shard); break;
        case 4: flow_proto_reader_get_int64 (&reader, &self->offset); break;
        case 5: flow_proto_reader_get_int64 (&reader, &self->size); break;
        case 6: flow_proto_reader_get_fixed32 (&reader, &self->crc); break;
        case 2:
          if (flow_proto_reader_get_bytes (&reader, &data, &size))
            {
              g_clear_pointer (&self->shape, g_bytes_unref);
              self->shape = g_bytes_new (data, size);
            }
          break;
        case 7:
          if (flow_proto_reader_get_bytes (&reader, &data, &size))
            g_ptr_array_add (self->slices, g_bytes_new (data, size));
          break;
        default:
          break;
        }
    }
  if (flow_proto_reader_failed (&reader))
    g_clear_pointer (&self, merge_entry_free);
  return self;
}

static gboolean
same_bytes (GBytes *a,
            GBytes *b)
{
  return a == b || (a != NULL && b != NULL && g_bytes_equal (a, b));
}

static gint64
number_shard (MergeJob *job,
              gint64    old_shard)
{
  g_autofree char *path = _flow_shard_path (job->prefix, old_shard, job->prefix_shards);
  gpointer known;

  if (g_hash_table_lookup_extended (job->shard_ids, path, NULL, &known))
    return GPOINTER_TO_INT (known);
  g_ptr_array_add (job->shard_paths, g_strdup (path));
  g_hash_table_insert (job->shard_ids, g_steal_pointer (&path), GINT_TO_POINTER ((int) job->shard_paths->len - 1));
  return (gint64) job->shard_paths->len - 1;
}

static gboolean
read_header (MergeJob      *job,
             const guint8  *value,
             gsize          value_length,
             GError       **error)
{
  FlowProtoReader reader;
  int endianness = 0;

  job->seen_header = TRUE;
  job->prefix_shards = 0;
  flow_proto_reader_init (&reader, value, value_length);
  while (flow_proto_reader_next (&reader))
    {
      FlowProtoReader sub;

      if (reader.field == 1)
        flow_proto_reader_get_int64 (&reader, &job->prefix_shards);
      else if (reader.field == 2)
        flow_proto_reader_get_int32 (&reader, &endianness);
      else if (reader.field == 3 && flow_proto_reader_enter (&reader, &sub) && !_flow_check_versions (&sub, error))
        return FALSE;
    }
  FLOW_REQUIRE (!flow_proto_reader_failed (&reader) && job->prefix_shards >= 1
                && job->prefix_shards <= FLOW_CHECKPOINT_MAX_SHARDS - job->n_shards - 1,
                error, DATA_LOSS, "%s: the header of the index is damaged", job->prefix);
  FLOW_REQUIRE (endianness == 0, error, UNIMPLEMENTED, "%s: merging checkpoints of another byte order", job->prefix);
  job->n_shards += job->prefix_shards;
  return TRUE;
}

static gboolean
merge_entry (const guint8  *key,
             gsize          key_length,
             const guint8  *value,
             gsize          value_length,
             gpointer       data,
             GError       **error)
{
  MergeJob *job = data;
  g_autoptr (GBytes) key_bytes = g_bytes_new (key, key_length);
  MergeEntry *entry;
  MergeEntry *known;
  gint64 old_shard;

  if (!job->seen_header)
    {
      FLOW_REQUIRE (key_length == 0, error, DATA_LOSS, "%s: the index has no header", job->prefix);
      return read_header (job, value, value_length, error);
    }
  entry = parse_entry (value, value_length, &old_shard);
  FLOW_REQUIRE (entry != NULL, error, DATA_LOSS, "%s: an entry of the index is damaged", job->prefix);
  if (old_shard < 0 || old_shard >= job->prefix_shards)
    {
      merge_entry_free (entry);
      FLOW_REQUIRE (FALSE, error, DATA_LOSS, "%s: an entry of the index is in a shard that is not there", job->prefix);
    }
  known = g_hash_table_lookup (job->entries, key_bytes);
  if (known == NULL)
    {
      /* The entry of a whole that is in parts is in no file itself. */
      entry->shard = entry->slices->len == 0 ? number_shard (job, old_shard) : 0;
      g_hash_table_insert (job->entries, g_steal_pointer (&key_bytes), entry);
      return TRUE;
    }
  if (known->slices->len == 0 || entry->slices->len == 0)
    {
      g_autofree char *name = g_utf8_make_valid ((const char *) key, (gssize) key_length);

      merge_entry_free (entry);
      FLOW_REQUIRE (known->slices->len == 0, error, INTERNAL,
                    "Duplicate tensor keyed by %s; attempting to merge in a non-slice bundle entry", name);
      FLOW_REQUIRE (FALSE, error, INVALID_ARGUMENT,
                    "Duplicate tensor keyed by %s encountered, when merging prefix: %s", name, job->prefix);
    }
  if (known->dtype != entry->dtype || !same_bytes (known->shape, entry->shape))
    {
      g_autofree char *name = g_utf8_make_valid ((const char *) key, (gssize) key_length);

      merge_entry_free (entry);
      FLOW_REQUIRE (FALSE, error, INVALID_ARGUMENT,
                    "The slices of tensor %s are of different dtypes or shapes, when merging prefix: %s", name,
                    job->prefix);
    }
  for (guint i = 0; i < entry->slices->len; i++)
    g_ptr_array_add (known->slices, g_bytes_ref (entry->slices->pdata[i]));
  merge_entry_free (entry);
  return TRUE;
}

static GBytes *
write_entry (const MergeEntry  *entry,
             GError           **error)
{
  FlowProtoWriter writer;

  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, 1, entry->dtype);
  if (entry->shape != NULL)
    flow_proto_writer_add_bytes (&writer, 2, g_bytes_get_data (entry->shape, NULL), g_bytes_get_size (entry->shape));
  flow_proto_writer_set_int (&writer, 3, entry->shard);
  flow_proto_writer_set_int (&writer, 4, entry->offset);
  flow_proto_writer_set_int (&writer, 5, entry->size);
  if (entry->crc != 0)
    flow_proto_writer_add_fixed32 (&writer, 6, entry->crc);
  for (guint i = 0; i < entry->slices->len; i++)
    flow_proto_writer_add_bytes (&writer, 7, g_bytes_get_data (entry->slices->pdata[i], NULL),
                                 g_bytes_get_size (entry->slices->pdata[i]));
  return flow_proto_writer_finish (&writer, error);
}

static GBytes *
make_index (MergeJob  *job,
            gint64     n_shards,
            GError   **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                                         (GDestroyNotify) g_bytes_unref);
  GHashTableIter iter;
  gpointer key;
  gpointer entry;

  g_hash_table_iter_init (&iter, job->entries);
  while (g_hash_table_iter_next (&iter, &key, &entry))
    {
      GBytes *value = write_entry (entry, error);

      if (value == NULL)
        return NULL;
      g_hash_table_insert (values, g_bytes_ref (key), value);
    }
  return _flow_index_make (values, n_shards, error);
}

/* A graph says which folders to remove, so only those that this save can have made: below the folder
 * of the destination. */
static gboolean
check_folders (const char *const  *prefixes,
               const char         *destination,
               GError            **error)
{
  g_autofree char *destination_folder = g_path_get_dirname (destination);
  g_autofree char *home = g_canonicalize_filename (destination_folder, NULL);

  for (guint i = 0; prefixes[i] != NULL; i++)
    {
      g_autofree char *prefix_folder = g_path_get_dirname (prefixes[i]);
      g_autofree char *folder = g_canonicalize_filename (prefix_folder, NULL);
      gsize n = strlen (home);
      gboolean inside = strncmp (folder, home, n) == 0 && (folder[n] == '\0' || folder[n] == '/' || n == 1);

      FLOW_REQUIRE (inside && !g_file_test (prefix_folder, G_FILE_TEST_IS_SYMLINK), error, PERMISSION_DENIED,
                    "%s is not a folder of the checkpoint %s and is not deleted", prefix_folder, destination);
    }
  return TRUE;
}

static gboolean
read_indices (MergeJob           *job,
              const char *const  *prefixes,
              GError            **error)
{
  for (guint i = 0; prefixes[i] != NULL; i++)
    {
      g_autofree char *index_path = g_strconcat (prefixes[i], ".index", NULL);
      g_autoptr (FlowTable) table = NULL;

      FLOW_REQUIRE (g_file_test (index_path, G_FILE_TEST_EXISTS), error, NOT_FOUND,
                    "%s; No such file or directory", index_path);
      table = _flow_table_open (index_path, error);
      job->prefix = prefixes[i];
      job->seen_header = FALSE;
      if (table == NULL || !_flow_table_foreach (table, merge_entry, job, error))
        return FALSE;
      FLOW_REQUIRE (job->seen_header, error, DATA_LOSS, "%s: the index has no header", job->prefix);
    }
  return TRUE;
}

/* The data files to the disk, since whoever wrote them may not have done that. */
static gboolean
sync_shards (MergeJob          *job,
             const FlowSaveIo  *io,
             GError           **error)
{
  for (guint i = 0; i < job->shard_paths->len; i++)
    {
      const char *path = job->shard_paths->pdata[i];
      int fd = io->open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
      gboolean ok = fd >= 0 && io->fsync (fd) == 0;

      if (!ok)
        flow_error_set_from_errno (error, errno, path);
      if (fd >= 0)
        io->close (fd);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

static void
move_back (MergeJob         *job,
           const FlowSaveIo *io,
           const char       *destination,
           gint64            n_shards,
           guint             n_moved)
{
  for (guint i = 0; i < n_moved; i++)
    {
      g_autofree char *path = _flow_shard_path (destination, i, n_shards);

      io->rename (path, job->shard_paths->pdata[i]);
    }
}

static gboolean
put_in_place (MergeJob          *job,
              FlowTempFile      *index,
              const char        *destination,
              const FlowSaveIo  *io,
              gint64             n_shards,
              GError           **error)
{
  g_autofree char *index_path = g_strconcat (destination, ".index", NULL);

  for (guint i = 0; i < job->shard_paths->len; i++)
    {
      g_autofree char *path = _flow_shard_path (destination, i, n_shards);

      if (io->rename (job->shard_paths->pdata[i], path) != 0)
        {
          flow_error_set_from_errno (error, errno, path);
          move_back (job, io, destination, n_shards, i);
          return FALSE;
        }
    }
  if (!_flow_temp_file_rename (index, index_path, error))
    {
      move_back (job, io, destination, n_shards, job->shard_paths->len);
      return FALSE;
    }
  return _flow_save_sync_folder (io, destination, error);
}

static void
clean_up (const char *const     *prefixes,
          const char            *destination,
          FlowMergeOldDirs       old_dirs,
          const FlowSaveIo      *io,
          const FlowShardNames  *names)
{
  g_autofree char *home = g_path_get_dirname (destination);

  _flow_shards_remove (io, destination, names->old_n_shards);
  for (guint i = 0; prefixes[i] != NULL; i++)
    {
      g_autofree char *index_path = g_strconcat (prefixes[i], ".index", NULL);

      if (strcmp (prefixes[i], destination) != 0)
        io->unlink (index_path);
    }
  for (guint i = 0; old_dirs == FLOW_MERGE_DELETE_OLD_DIRS && prefixes[i] != NULL; i++)
    {
      g_autofree char *folder = g_path_get_dirname (prefixes[i]);

      /* Only ever an empty folder. */
      if (strcmp (folder, home) != 0)
        io->rmdir (folder);
    }
}

static void
settle (MergeJob         *job,
        const char       *destination,
        const FlowSaveIo *io,
        FlowShardNames   *names)
{
  g_autoptr (GBytes) index = names->n_shards > names->n_needed ? make_index (job, names->n_needed, NULL) : NULL;

  if (index != NULL)
    _flow_shard_names_settle (names, io, destination, index);
}

gboolean
_flow_bundle_merge (const char *const  *prefixes,
                    const char         *destination,
                    FlowMergeOldDirs    old_dirs,
                    const FlowSaveIo   *io,
                    GError            **error)
{
  g_autoptr (GHashTable) entries = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                                          merge_entry_free);
  g_autoptr (GHashTable) shard_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) shard_paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GBytes) contents = NULL;
  g_autofree char *index_path = g_strconcat (destination, ".index", NULL);
  MergeJob job = { .entries = entries, .shard_ids = shard_ids, .shard_paths = shard_paths };
  FlowTempFile index = { 0 };
  FlowShardNames names;
  gboolean ok;

  FLOW_REQUIRE (prefixes[0] != NULL && *destination != '\0', error, INVALID_ARGUMENT,
                "There is nothing to merge, or no prefix to merge it to");
  for (guint i = 0; prefixes[i] != NULL; i++)
    FLOW_REQUIRE (strcmp (prefixes[i], destination) != 0, error, INVALID_ARGUMENT,
                  "A checkpoint cannot be merged into itself: %s", destination);
  if (!read_indices (&job, prefixes, error)
      || (old_dirs == FLOW_MERGE_DELETE_OLD_DIRS && !check_folders (prefixes, destination, error))
      || !_flow_save_make_folder (io, destination, error))
    return FALSE;
  _flow_shard_names_choose (&names, destination, job.n_shards);
  contents = make_index (&job, names.n_shards, error);
  ok = contents != NULL && sync_shards (&job, io, error)
       && _flow_temp_file_open (&index, io, index_path, error)
       && _flow_temp_file_write (&index, g_bytes_get_data (contents, NULL), g_bytes_get_size (contents), error)
       && _flow_temp_file_close (&index, error)
       && put_in_place (&job, &index, destination, io, names.n_shards, error);
  _flow_temp_file_clear (&index);
  if (ok)
    {
      clean_up (prefixes, destination, old_dirs, io, &names);
      settle (&job, destination, io, &names);
    }
  return ok;
}

/**
 * flow_bundle_merge:
 * @prefixes: (array zero-terminated=1): bundles, such as the devices of one save wrote
 * @destination: the prefix of the one that becomes of them
 * @old_dirs: what happens to the folders of @prefixes
 * @error: where to put an error
 *
 * Makes one bundle of several, as the op MergeV2Checkpoints: data files are renamed, not copied. The
 * bundles are gone afterwards. What stood under @destination stays whole until the merged index has
 * taken the place of the old.
 *
 * Returns: whether it was done; else %FLOW_ERROR_NOT_FOUND if a bundle is not there,
 *   %FLOW_ERROR_INVALID_ARGUMENT if two have the same tensor, %FLOW_ERROR_DATA_LOSS if one is damaged, %FLOW_ERROR_PERMISSION_DENIED if a folder
 *   to delete is not below that of @destination, or the system's error
 */
gboolean
flow_bundle_merge (const char *const  *prefixes,
                   const char         *destination,
                   FlowMergeOldDirs    old_dirs,
                   GError            **error)
{
  g_return_val_if_fail (prefixes != NULL, FALSE);
  g_return_val_if_fail (destination != NULL, FALSE);

  return _flow_bundle_merge (prefixes, destination, old_dirs, _flow_save_io_get (), error);
}
