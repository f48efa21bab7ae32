/* flow-bundle-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-bundle-writer.h"

#include <errno.h>
#include <string.h>

#include "flow-crc32c.h"
#include "flow-proto-writer.h"
#include "flow-variant.h"

#include "flow-checkpoint-private.h"
#include "flow-save-io-private.h"
#include "flow-slice-private.h"
#include "flow-table-private.h"

/* A tensor that is saved in parts: its own entry is made when all parts are known. */
typedef struct {
  FlowDType dtype;
  FlowShape *shape;
  GPtrArray *slices;     /* of FlowSlice */
} Partitioned;

struct _FlowBundleWriter
{
  gatomicrefcount ref_count;
  const FlowSaveIo *io;
  char *prefix;
  FlowTempFile data;
  GHashTable *entries;   /* GBytes key -> GBytes entry */
  GHashTable *partitioned; /* name -> Partitioned */
  gboolean failed;
};

static void
partitioned_free (gpointer data)
{
  Partitioned *self = data;

  flow_shape_unref (self->shape);
  g_ptr_array_unref (self->slices);
  g_free (self);
}

static void
writer_free (FlowBundleWriter *self)
{
  _flow_temp_file_clear (&self->data);
  g_hash_table_unref (self->entries);
  g_hash_table_unref (self->partitioned);
  g_free (self->prefix);
  g_free (self);
}

/**
 * flow_bundle_writer_ref:
 * @self: a writer
 *
 * Returns: (transfer full): @self
 */
FlowBundleWriter *
flow_bundle_writer_ref (FlowBundleWriter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_bundle_writer_unref:
 * @self: (transfer full): a writer; what is not finished leaves nothing behind
 */
void
flow_bundle_writer_unref (FlowBundleWriter *self)
{
  g_return_if_fail (self != NULL);

  if (g_atomic_ref_count_dec (&self->ref_count))
    writer_free (self);
}

G_DEFINE_BOXED_TYPE (FlowBundleWriter, flow_bundle_writer, flow_bundle_writer_ref, flow_bundle_writer_unref)

FlowBundleWriter *
_flow_bundle_writer_new (const char        *prefix,
                         const FlowSaveIo  *io,
                         GError           **error)
{
  g_autoptr (FlowBundleWriter) self = NULL;
  g_autofree char *data_path = NULL;

  if (*prefix == '\0')
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "A checkpoint cannot be saved under an empty prefix");
      return NULL;
    }
  if (!_flow_save_make_folder (io, prefix, error))
    return NULL;

  self = g_new0 (FlowBundleWriter, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->io = io;
  self->prefix = g_strdup (prefix);
  self->entries = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                         (GDestroyNotify) g_bytes_unref);
  self->partitioned = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, partitioned_free);
  data_path = _flow_shard_path (prefix, 0, 1);
  if (!_flow_temp_file_open (&self->data, io, data_path, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * flow_bundle_writer_new:
 * @prefix: what the names of the files begin with, of a folder's hidden ones if it ends with a slash; its last folder is
 *   made if it is not there
 * @error: where to put an error
 *
 * Returns: (transfer full): a writer; %NULL with the system's error
 */
FlowBundleWriter *
flow_bundle_writer_new (const char  *prefix,
                        GError     **error)
{
  g_return_val_if_fail (prefix != NULL, NULL);

  return _flow_bundle_writer_new (prefix, _flow_save_io_get (), error);
}

static void
put_varint (GByteArray *bytes,
            guint64     value)
{
  guint8 cells[10];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    cells[n++] = (guint8) (value | 0x80);
  cells[n++] = (guint8) value;
  g_byte_array_append (bytes, cells, n);
}

/* Lengths, their checksum, the bytes; see flow-bundle.c for what the checksums go over. */
static gboolean
write_strings (FlowBundleWriter  *self,
               const FlowTensor  *tensor,
               guint32           *crc,
               GError           **error)
{
  g_autoptr (GByteArray) lengths = g_byte_array_new ();
  guint32 masked;

  FLOW_REQUIRE (tensor->n_elements <= G_MAXINT32 / 10, error, RESOURCE_EXHAUSTED,
                "a tensor of %" G_GINT64_FORMAT " strings", tensor->n_elements);
  *crc = 0;
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;

      flow_tensor_get_string (tensor, i, &length);
      put_varint (lengths, length);
      if (length <= G_MAXUINT32)
        {
          guint32 small = GUINT32_TO_LE ((guint32) length);
          *crc = flow_crc32c_extend (*crc, &small, sizeof small);
        }
      else
        {
          guint64 large = GUINT64_TO_LE ((guint64) length);
          *crc = flow_crc32c_extend (*crc, &large, sizeof large);
        }
    }
  masked = GUINT32_TO_LE (flow_crc32c_mask (*crc));
  *crc = flow_crc32c_extend (*crc, &masked, sizeof masked);
  if (!_flow_temp_file_write (&self->data, lengths->data, lengths->len, error)
      || !_flow_temp_file_write (&self->data, &masked, sizeof masked, error))
    return FALSE;
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *text = flow_tensor_get_string (tensor, i, &length);

      if (length == 0)
        continue;
      *crc = flow_crc32c_extend (*crc, text, length);
      if (!_flow_temp_file_write (&self->data, text, length, error))
        return FALSE;
    }
  return TRUE;
}

/* The length, the bytes, their checksum. */
static gboolean
write_variant (FlowBundleWriter  *self,
               const FlowTensor  *tensor,
               guint32           *crc,
               GError           **error)
{
  FlowVariant *variant = flow_tensor_get_variant (tensor, 0);
  g_autoptr (GBytes) encoded = NULL;
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint32 masked;
  gconstpointer data;
  gsize size;

  FLOW_REQUIRE (variant != NULL, error, UNIMPLEMENTED, "A variant that is nothing cannot be saved");
  encoded = flow_variant_encode (variant, error);
  if (encoded == NULL)
    return FALSE;
  data = g_bytes_get_data (encoded, &size);
  FLOW_REQUIRE (size < G_MAXINT32, error, RESOURCE_EXHAUSTED, "a variant of %" G_GSIZE_FORMAT " bytes", size);
  put_varint (all, size);
  g_byte_array_append (all, data, (guint) size);
  masked = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c (data, size)));
  g_byte_array_append (all, (const guint8 *) &masked, sizeof masked);
  *crc = flow_crc32c (all->data, all->len);
  return _flow_temp_file_write (&self->data, all->data, all->len, error);
}

static gboolean
add_bytes (FlowBundleWriter  *self,
           GBytes            *key,
           const FlowTensor  *tensor,
           GError           **error)
{
  guint64 offset = self->data.size;
  FlowProtoWriter writer;
  GBytes *entry;
  guint32 crc;

  if (tensor->dtype == FLOW_DTYPE_STRING)
    {
      if (!write_strings (self, tensor, &crc, error))
        return FALSE;
    }
  else if (tensor->dtype == FLOW_DTYPE_VARIANT)
    {
      if (!write_variant (self, tensor, &crc, error))
        return FALSE;
    }
  else
    {
      crc = flow_crc32c (tensor->data, tensor->n_bytes);
      if (!_flow_temp_file_write (&self->data, tensor->data, tensor->n_bytes, error))
        return FALSE;
    }
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, 1, tensor->dtype);
  _flow_stored_write_shape (&writer, tensor->shape);
  flow_proto_writer_set_int (&writer, 4, (gint64) offset);
  flow_proto_writer_set_int (&writer, 5, (gint64) (self->data.size - offset));
  if (flow_crc32c_mask (crc) != 0)
    flow_proto_writer_add_fixed32 (&writer, 6, flow_crc32c_mask (crc));
  entry = flow_proto_writer_finish (&writer, error);
  if (entry == NULL)
    return FALSE;
  g_hash_table_insert (self->entries, g_bytes_ref (key), entry);
  return TRUE;
}

static gboolean
check_add (FlowBundleWriter  *self,
           const char        *name,
           const FlowTensor  *tensor,
           GError           **error)
{
  FLOW_REQUIRE (!self->failed, error, FAILED_PRECONDITION, "%s: an earlier write failed", self->prefix);
  FLOW_REQUIRE (*name != '\0', error, INVALID_ARGUMENT, "A tensor cannot be saved under an empty name");
  FLOW_REQUIRE (strlen (name) <= FLOW_TABLE_MAX_KEY / 2, error, INVALID_ARGUMENT,
                "A tensor cannot be saved under a name of %" G_GSIZE_FORMAT " bytes", strlen (name));
  FLOW_REQUIRE (tensor->dtype != FLOW_DTYPE_RESOURCE
                && (tensor->dtype != FLOW_DTYPE_VARIANT || flow_shape_get_rank (tensor->shape) == 0), error, UNIMPLEMENTED,
                "Saving data type: %s: key %s", flow_dtype_string (tensor->dtype), name);
  return TRUE;
}

/**
 * flow_bundle_writer_add:
 * @self: a writer
 * @name: the key
 * @tensor: a tensor of any dtype but resource, and of variants a scalar that can be encoded
 * @error: where to put an error
 *
 * Writes a whole tensor; its bytes go to the disk in the order of the calls.
 *
 * Returns: whether it was written; else %FLOW_ERROR_INVALID_ARGUMENT for a key used before,
 *   %FLOW_ERROR_UNIMPLEMENTED for a dtype that cannot be saved, or the system's error
 */
gboolean
flow_bundle_writer_add (FlowBundleWriter  *self,
                        const char        *name,
                        const FlowTensor  *tensor,
                        GError           **error)
{
  g_autoptr (GBytes) key = NULL;

  g_return_val_if_fail (self != NULL && self->data.fd >= 0, FALSE);
  g_return_val_if_fail (name != NULL && tensor != NULL, FALSE);

  if (!check_add (self, name, tensor, error))
    return FALSE;
  key = g_bytes_new (name, strlen (name));
  FLOW_REQUIRE (!g_hash_table_contains (self->entries, key) && !g_hash_table_contains (self->partitioned, name), error,
                INVALID_ARGUMENT, "Adding duplicate key: %s", name);
  self->failed = !add_bytes (self, key, tensor, error);
  return !self->failed;
}

/**
 * flow_bundle_writer_add_slice:
 * @self: a writer
 * @name: the key of the whole tensor
 * @spec: (nullable): which part @tensor is, as Save ops have it, `10 9 0,5:-`; empty or %NULL for the
 *   whole tensor
 * @tensor: the part
 * @error: where to put an error
 *
 * Writes a part of a tensor. A part that is the whole is written as a whole tensor.
 *
 * Returns: whether it was written; else as flow_bundle_writer_add(), or %FLOW_ERROR_INVALID_ARGUMENT in
 *   TensorFlow's words if @spec is none, or not one of @tensor's shape
 */
gboolean
flow_bundle_writer_add_slice (FlowBundleWriter  *self,
                              const char        *name,
                              const char        *spec,
                              const FlowTensor  *tensor,
                              GError           **error)
{
  g_autoptr (FlowShape) whole = NULL;
  g_autoptr (FlowSlice) slice = NULL;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (GBytes) name_key = NULL;
  g_autoptr (GBytes) key = NULL;
  Partitioned *partitioned;

  g_return_val_if_fail (self != NULL && self->data.fd >= 0, FALSE);
  g_return_val_if_fail (name != NULL && tensor != NULL, FALSE);

  if (spec == NULL || *spec == '\0')
    return flow_bundle_writer_add (self, name, tensor, error);
  if (!check_add (self, name, tensor, error) || !_flow_slice_parse_spec (spec, &whole, &slice, &shape, error))
    return FALSE;
  if (!flow_shape_equal (shape, tensor->shape))
    return _flow_slice_refuse (spec, tensor, error);
  if (flow_shape_equal (shape, whole))
    return flow_bundle_writer_add (self, name, tensor, error);

  name_key = g_bytes_new (name, strlen (name));
  key = _flow_slice_encode_key (name, slice);
  FLOW_REQUIRE (!g_hash_table_contains (self->entries, name_key) && !g_hash_table_contains (self->entries, key), error,
                INVALID_ARGUMENT, "Adding duplicate key: %s", name);
  partitioned = g_hash_table_lookup (self->partitioned, name);
  FLOW_REQUIRE (partitioned == NULL
                || (partitioned->dtype == tensor->dtype && flow_shape_equal (partitioned->shape, whole)),
                error, INVALID_ARGUMENT, "The slices of tensor %s are of different dtypes or shapes", name);
  self->failed = !add_bytes (self, key, tensor, error);
  if (self->failed)
    return FALSE;
  if (partitioned == NULL)
    {
      partitioned = g_new0 (Partitioned, 1);
      partitioned->dtype = tensor->dtype;
      partitioned->shape = g_steal_pointer (&whole);
      partitioned->slices = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_slice_free);
      g_hash_table_insert (self->partitioned, g_strdup (name), partitioned);
    }
  g_ptr_array_add (partitioned->slices, g_steal_pointer (&slice));
  return TRUE;
}

static gboolean
add_partitioned (FlowBundleWriter  *self,
                 GError           **error)
{
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  g_hash_table_iter_init (&iter, self->partitioned);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      Partitioned *partitioned = value;
      FlowProtoWriter writer;
      GBytes *entry;

      flow_proto_writer_init (&writer);
      flow_proto_writer_set_int (&writer, 1, partitioned->dtype);
      _flow_stored_write_shape (&writer, partitioned->shape);
      for (guint i = 0; i < partitioned->slices->len; i++)
        _flow_slice_write (g_ptr_array_index (partitioned->slices, i), &writer, 7);
      entry = flow_proto_writer_finish (&writer, error);
      if (entry == NULL)
        return FALSE;
      g_hash_table_insert (self->entries, g_bytes_new (name, strlen (name)), entry);
    }
  return TRUE;
}

/* Order is everything here: all bytes are on the disk before any file gets its name, the data files
 * get theirs before the index, none of them one that the old index reads, and the old data files go
 * when the new index is on the disk. */
static gboolean
put_in_place (FlowBundleWriter  *self,
              FlowTempFile      *index,
              FlowTempFile      *empty,
              FlowShardNames    *names,
              GError           **error)
{
  g_autofree char *data_path = _flow_shard_path (self->prefix, 0, names->n_shards);
  g_autofree char *empty_path = _flow_shard_path (self->prefix, 1, names->n_shards);
  g_autofree char *index_path = g_strconcat (self->prefix, ".index", NULL);

  if (!_flow_temp_file_rename (&self->data, data_path, error))
    return FALSE;
  if ((names->n_shards > 1 && !_flow_temp_file_rename (empty, empty_path, error))
      || !_flow_temp_file_rename (index, index_path, error))
    {
      self->io->unlink (data_path);
      if (names->n_shards > 1)
        self->io->unlink (empty_path);
      return FALSE;
    }
  if (!_flow_save_sync_folder (self->io, self->prefix, error))
    return FALSE;
  _flow_shards_remove (self->io, self->prefix, names->old_n_shards);
  return TRUE;
}

static void
settle (FlowBundleWriter *self,
        FlowShardNames   *names)
{
  g_autoptr (GBytes) index = names->n_shards > names->n_needed ? _flow_index_make (self->entries, names->n_needed, NULL)
                                                               : NULL;

  if (index != NULL)
    _flow_shard_names_settle (names, self->io, self->prefix, index);
}

/**
 * flow_bundle_writer_finish:
 * @self: a writer
 * @error: where to put an error
 *
 * Flushes everything to the disk and puts the checkpoint in place of what stood under the prefix. At
 * every moment, also if the process or the machine stops, either the old or the new checkpoint is
 * there whole. The writer is of no use afterwards.
 *
 * Saving over a checkpoint first gives the data files other names than the old ones have (`-of-00002` for
 * `-of-00001`), since names are all that tells them apart; they get the usual ones when the old are gone.
 *
 * Returns: whether the checkpoint stands there; else the system's error, and the old one still does
 */
gboolean
flow_bundle_writer_finish (FlowBundleWriter  *self,
                           GError           **error)
{
  g_autoptr (GBytes) contents = NULL;
  g_autofree char *index_path = NULL;
  FlowShardNames names;
  FlowTempFile index = { 0 };
  FlowTempFile empty = { 0 };
  gboolean ok;

  g_return_val_if_fail (self != NULL && self->data.fd >= 0, FALSE);

  FLOW_REQUIRE (!self->failed, error, FAILED_PRECONDITION, "%s: an earlier write failed", self->prefix);
  if (!add_partitioned (self, error))
    return FALSE;
  _flow_shard_names_choose (&names, self->prefix, 1);
  contents = _flow_index_make (self->entries, names.n_shards, error);
  index_path = g_strconcat (self->prefix, ".index", NULL);
  ok = contents != NULL && _flow_temp_file_close (&self->data, error)
       && _flow_temp_file_open (&index, self->io, index_path, error)
       && _flow_temp_file_write (&index, g_bytes_get_data (contents, NULL), g_bytes_get_size (contents), error)
       && _flow_temp_file_close (&index, error);
  if (ok && names.n_shards > 1)
    {
      g_autofree char *empty_path = _flow_shard_path (self->prefix, 1, names.n_shards);

      ok = _flow_temp_file_open (&empty, self->io, empty_path, error) && _flow_temp_file_close (&empty, error);
    }
  ok = ok && put_in_place (self, &index, &empty, &names, error);
  if (ok)
    settle (self, &names);
  _flow_temp_file_clear (&index);
  _flow_temp_file_clear (&empty);
  _flow_temp_file_clear (&self->data);
  self->data.fd = -1;
  return ok;
}
