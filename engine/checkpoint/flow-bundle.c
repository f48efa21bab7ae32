/* flow-bundle.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-private.h"

#include <string.h>

#include "flow-crc32c.h"
#include "flow-util.h"
#include "flow-variant.h"

/* Shards kept open at a time. */
#define MAX_OPEN_SHARDS 64
/* TF's states of iterators hold their buffers. */
#define MAX_VARIANT_BYTES (64 << 20)

/* What one entry takes beside its key, roughly. */
#define ENTRY_OVERHEAD 256

#define MAX_OVERLAP_NOTES 10

/* A part of a tensor, under an encoded key. */
typedef struct {
  guint8 *key;
  gsize key_length;
  FlowStored *stored;
} Part;

struct _FlowBundle
{
  char *prefix;
  gint64 n_shards;
  gboolean swapped;      /* written on a big-endian machine */
  GArray *parts;         /* of Part, sorted by key */
  GHashTable *shards;    /* number -> FlowFile, those that are open */
};

typedef struct {
  FlowBundle *bundle;
  const char *index_path;
  GPtrArray *tensors;
  gboolean seen_header;
  gsize listing_bytes;
} OpenJob;

static gboolean
header_error (const char  *path,
              const char  *detail,
              GError     **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
               "Unable to read file (%s). Perhaps the file is corrupt or was produced by a newer version of "
               "TensorFlow with format changes (%s)", path, detail);
  return FALSE;
}

static gboolean
read_header (FlowBundle    *self,
             const char    *path,
             const guint8  *value,
             gsize          value_length,
             GError       **error)
{
  FlowProtoReader reader;
  int endianness = 0;

  self->n_shards = 0;
  flow_proto_reader_init (&reader, value, value_length);
  while (flow_proto_reader_next (&reader))
    {
      FlowProtoReader sub;

      if (reader.field == 1)
        flow_proto_reader_get_int64 (&reader, &self->n_shards);
      else if (reader.field == 2)
        flow_proto_reader_get_int32 (&reader, &endianness);
      else if (reader.field == 3 && flow_proto_reader_enter (&reader, &sub) && !_flow_check_versions (&sub, error))
        return FALSE;
    }
  if (flow_proto_reader_failed (&reader))
    return header_error (path, "unable to parse header", error);
  FLOW_REQUIRE (endianness == 0 || endianness == 1, error, DATA_LOSS, "%s: endianness %d is none", path, endianness);
  FLOW_REQUIRE (self->n_shards >= 1 && self->n_shards <= FLOW_CHECKPOINT_MAX_SHARDS, error, DATA_LOSS,
                "%s: a checkpoint of %" G_GINT64_FORMAT " shards", path, self->n_shards);
  self->swapped = endianness == 1;
  return TRUE;
}

/* Sets a problem for whatever cannot be: an entry that is wrong makes one tensor unreadable, no more. */
static void
check_entry (FlowBundle *self,
             FlowStored *stored,
             const char *key,
             gint64      dtype)
{
  FlowCheckpointTensor *info = stored->info;
  gint64 n = 0;
  gint64 expected;

  if (dtype <= 0 || dtype >= FLOW_N_DTYPES)
    {
      _flow_stored_set_problem (stored, "Invalid tensor dtype: key %s; dtype %" G_GINT64_FORMAT, key, dtype);
      return;
    }
  info->dtype = (FlowDType) dtype;
  if (info->shape == NULL)
    {
      _flow_stored_set_problem (stored, "Invalid tensor shape: key %s", key);
      return;
    }
  if (stored->slices != NULL)
    {
      _flow_stored_check_slices (stored);
      info->size = 0;
      if (info->problem == NULL && info->dtype != FLOW_DTYPE_STRING && flow_shape_n_elements (info->shape, &n)
          && flow_mul_int64 (n, (gint64) flow_dtype_size (info->dtype), &expected))
        info->size = expected;
      return;
    }
  if (info->shard < 0 || info->shard >= self->n_shards)
    _flow_stored_set_problem (stored, "Invalid shard in bundle entry: key %s; shard %" G_GINT64_FORMAT " of %"
                              G_GINT64_FORMAT, key, info->shard, self->n_shards);
  if (info->offset < 0 || info->size < 0 || info->offset > G_MAXINT64 - info->size)
    _flow_stored_set_problem (stored, "Invalid place in bundle entry: key %s; shard %" G_GINT64_FORMAT "; offset %"
                              G_GINT64_FORMAT "; size %" G_GINT64_FORMAT, key, info->shard, info->offset, info->size);
  if (info->dtype == FLOW_DTYPE_STRING || info->dtype == FLOW_DTYPE_RESOURCE || info->dtype == FLOW_DTYPE_VARIANT)
    return;
  flow_shape_n_elements (info->shape, &n);
  if (!flow_mul_int64 (n, (gint64) flow_dtype_size (info->dtype), &expected))
    _flow_stored_set_problem (stored, "Invalid tensor shape: key %s; too large", key);
  else if (info->size != expected)
    _flow_stored_set_problem (stored, "Invalid size in bundle entry: key %s; stored size %" G_GINT64_FORMAT
                              "; expected size %" G_GINT64_FORMAT, key, info->size, expected);
}

static FlowStored *
read_entry (FlowBundle   *self,
            const char   *key,
            const char   *name,
            const guint8 *value,
            gsize         value_length)
{
  FlowStored *stored = _flow_stored_new (name);
  FlowCheckpointTensor *info = stored->info;
  FlowProtoReader reader;
  gint64 dtype = 0;

  info->shard = 0;
  info->offset = 0;
  flow_proto_reader_init (&reader, value, value_length);
  while (flow_proto_reader_next (&reader))
    {
      FlowProtoReader sub;

      switch (reader.field)
        {
        case 1: flow_proto_reader_get_int64 (&reader, &dtype); break;
        case 3: flow_proto_reader_get_int64 (&reader, &info->shard); break;
        case 4: flow_proto_reader_get_int64 (&reader, &info->offset); break;
        case 5: flow_proto_reader_get_int64 (&reader, &info->size); break;
        case 6: flow_proto_reader_get_fixed32 (&reader, &info->crc32c); break;
        case 2:
          if (flow_proto_reader_enter (&reader, &sub))
            {
              g_clear_pointer (&info->shape, flow_shape_unref);
              info->shape = _flow_read_shape (&sub);
              if (info->shape == NULL)
                _flow_stored_set_problem (stored, "Invalid tensor shape: key %s", key);
            }
          break;
        case 7:
          if (flow_proto_reader_enter (&reader, &sub))
            {
              FlowSlice *slice = NULL;

              if (_flow_slice_read (&sub, &slice))
                _flow_stored_add_slice (stored, slice);
              else
                _flow_stored_set_problem (stored, "Invalid slice in bundle entry: key %s", key);
            }
          break;
        default:
          break;
        }
    }
  if (flow_proto_reader_failed (&reader))
    _flow_stored_set_problem (stored, "Unable to parse the bundle entry: key %s", key);
  /* A scalar's shape is an empty message; some writers leave it out. */
  if (info->shape == NULL && info->problem == NULL)
    info->shape = flow_shape_new_scalar ();
  check_entry (self, stored, key, dtype);
  /* For those who list: what is not known is shown as that. */
  if (info->shape == NULL)
    info->shape = flow_shape_new_unknown ();
  if (stored->slices != NULL)
    {
      info->shard = -1;
      info->offset = -1;
    }
  return stored;
}

static gboolean
add_entry (const guint8  *key,
           gsize          key_length,
           const guint8  *value,
           gsize          value_length,
           gpointer       data,
           GError       **error)
{
  OpenJob *job = data;
  FlowBundle *self = job->bundle;

  if (!job->seen_header)
    {
      if (key_length != 0)
        return header_error (job->index_path, "failed to seek to header entry", error);
      job->seen_header = TRUE;
      return read_header (self, job->index_path, value, value_length, error);
    }
  /* Slices and shapes can be long; what is kept of them is at most some times their bytes. */
  job->listing_bytes += key_length + 4 * value_length + ENTRY_OVERHEAD;
  FLOW_REQUIRE (job->listing_bytes <= FLOW_CHECKPOINT_MAX_LISTING, error, RESOURCE_EXHAUSTED,
                "%s: more than %u tensors: the list of them is over its limit of %" G_GSIZE_FORMAT " bytes",
                job->index_path, job->tensors->len, FLOW_CHECKPOINT_MAX_LISTING);
  if (key[0] == 0)
    {
      FlowStored *stored = read_entry (self, "of a slice", NULL, value, value_length);
      Part part = { g_memdup2 (key, key_length), key_length, stored };

      g_array_append_val (self->parts, part);
    }
  else
    {
      g_autofree char *name = g_strndup ((const char *) key, key_length);
      FlowStored *stored = read_entry (self, name, name, value, value_length);

      if (memchr (key, 0, key_length) != NULL)
        _flow_stored_set_problem (stored, "Invalid key: %s has a zero byte", name);
      g_ptr_array_add (job->tensors, stored);
    }
  return TRUE;
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_free (part->key);
  _flow_stored_free (part->stored);
}

static void
shard_free (gpointer data)
{
  _flow_file_close (data);
  g_free (data);
}

void
_flow_bundle_free (FlowBundle *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parts);
  g_hash_table_unref (self->shards);
  g_free (self->prefix);
  g_free (self);
}

gint64
_flow_bundle_get_n_shards (FlowBundle *self)
{
  return self->n_shards;
}

static gint
compare_places (gconstpointer a,
                gconstpointer b)
{
  const FlowCheckpointTensor *x = *(FlowCheckpointTensor *const *) a;
  const FlowCheckpointTensor *y = *(FlowCheckpointTensor *const *) b;

  if (x->shard != y->shard)
    return x->shard < y->shard ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Nobody who saves does this, though it reads: it is told, and not more often than anybody reads. */
static void
note_overlaps (GPtrArray *tensors,
               GPtrArray *problems)
{
  g_autoptr (GPtrArray) places = g_ptr_array_sized_new (tensors->len);
  const FlowCheckpointTensor *last = NULL;
  guint n_noted = 0;

  for (guint i = 0; i < tensors->len; i++)
    {
      FlowCheckpointTensor *info = ((FlowStored *) tensors->pdata[i])->info;

      if (info->problem == NULL && info->shard >= 0 && info->size > 0)
        g_ptr_array_add (places, info);
    }
  g_ptr_array_sort (places, compare_places);
  for (guint i = 0; i < places->len && n_noted < MAX_OVERLAP_NOTES; i++)
    {
      const FlowCheckpointTensor *info = places->pdata[i];

      if (last != NULL && last->shard == info->shard && info->offset < last->offset + last->size)
        {
          g_ptr_array_add (problems, g_strdup_printf ("%s and %s share bytes of shard %" G_GINT64_FORMAT, last->name,
                                                      info->name, info->shard));
          n_noted++;
        }
      if (last == NULL || last->shard != info->shard || info->offset + info->size > last->offset + last->size)
        last = info;
    }
}

/*
 * _flow_bundle_open:
 * @index_path: the index
 * @prefix: what the names of the data files begin with
 * @tensors: where the tensors are added, of FlowStored, in order of their names
 * @problems: where texts are added about what is wrong and does not keep the rest from being read
 *
 * Reads the whole index; the data files are opened when a tensor is asked for.
 */
FlowBundle *
_flow_bundle_open (const char  *index_path,
                   const char  *prefix,
                   GPtrArray   *tensors,
                   GPtrArray   *problems,
                   GError     **error)
{
  g_autoptr (FlowTable) table = _flow_table_open (index_path, error);
  g_autoptr (FlowBundle) self = NULL;
  OpenJob job = { .index_path = index_path, .tensors = tensors };

  if (table == NULL)
    return NULL;
  self = g_new0 (FlowBundle, 1);
  self->prefix = g_strdup (prefix);
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (self->parts, part_clear);
  self->shards = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, shard_free);
  job.bundle = self;
  if (!_flow_table_foreach (table, add_entry, &job, error))
    {
      if (!job.seen_header && error != NULL && *error != NULL && !g_str_has_prefix ((*error)->message, "Unable to"))
        g_prefix_error (error, "Unable to read file (%s). Perhaps the file is corrupt or was produced by a newer "
                        "version of TensorFlow with format changes (failed to seek to header entry): ", index_path);
      return NULL;
    }
  if (!job.seen_header)
    {
      header_error (index_path, "failed to seek to header entry", error);
      return NULL;
    }
  for (guint i = 0; i < tensors->len; i++)
    {
      FlowStored *stored = g_ptr_array_index (tensors, i);

      if (stored->info->problem != NULL)
        g_ptr_array_add (problems, g_strdup (stored->info->problem));
    }
  note_overlaps (tensors, problems);
  return g_steal_pointer (&self);
}

static FlowFile *
open_shard (FlowBundle  *self,
            gint64       shard,
            GError     **error)
{
  g_autofree char *path = NULL;
  FlowFile *file = g_hash_table_lookup (self->shards, GINT_TO_POINTER ((int) shard));

  if (file != NULL)
    return file;
  if (g_hash_table_size (self->shards) >= MAX_OPEN_SHARDS)
    g_hash_table_remove_all (self->shards);
  path = g_strdup_printf ("%s.data-%05d-of-%05d", self->prefix, (int) shard, (int) self->n_shards);
  file = g_new0 (FlowFile, 1);
  if (!_flow_file_open (file, path, error))
    {
      g_free (file);
      return NULL;
    }
  g_hash_table_insert (self->shards, GINT_TO_POINTER ((int) shard), file);
  return file;
}

/* The file that holds an entry, checked to be long enough before memory is asked for. */
static FlowFile *
find_data (FlowBundle                  *self,
           const FlowCheckpointTensor  *info,
           GError                     **error)
{
  FlowFile *file = open_shard (self, info->shard, error);

  if (file == NULL)
    return NULL;
  if ((guint64) info->offset > file->size || (guint64) info->size > file->size - (guint64) info->offset)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE, "Read less bytes than requested");
      return NULL;
    }
  return file;
}

static gboolean
check_crc (const FlowCheckpointTensor  *info,
           guint32                      crc,
           GError                     **error)
{
  guint32 stored = flow_crc32c_unmask (info->crc32c);

  FLOW_REQUIRE (stored == crc, error, DATA_LOSS,
                "Checksum does not match: stored %08u vs. calculated on the restored bytes %u", stored, crc);
  return TRUE;
}

static void
swap_cells (FlowTensor *tensor)
{
  gsize width = flow_dtype_size (tensor->dtype) / (flow_dtype_is_complex (tensor->dtype) ? 2 : 1);
  guint8 *cells = tensor->data;

  for (gsize at = 0; width > 1 && at < tensor->n_bytes; at += width)
    for (gsize i = 0; i < width / 2; i++)
      {
        guint8 byte = cells[at + i];

        cells[at + i] = cells[at + width - 1 - i];
        cells[at + width - 1 - i] = byte;
      }
}

static FlowTensor *
read_cells (FlowBundle                  *self,
            FlowFile                    *file,
            const FlowCheckpointTensor  *info,
            const char                  *name,
            FlowBudget                  *budget,
            GError                     **error)
{
  g_autoptr (FlowTensor) tensor = flow_tensor_new (info->dtype, info->shape, budget, error);

  if (tensor == NULL
      || !_flow_file_read (file, (guint64) info->offset, tensor->data, tensor->n_bytes, error)
      || !check_crc (info, flow_crc32c (tensor->data, tensor->n_bytes), error))
    return NULL;
  if (self->swapped)
    swap_cells (tensor);
  /* Who wrote a 7 meant true; kernels count on 1. */
  for (gint64 i = 0; tensor->dtype == FLOW_DTYPE_BOOL && i < tensor->n_elements; i++)
    ((guint8 *) tensor->data)[i] = ((guint8 *) tensor->data)[i] != 0;
  return g_steal_pointer (&tensor);
}

/* Lengths as varints, their checksum, the bytes. The checksum goes over the lengths as numbers of a
 * fixed size, in the order of the machine that wrote them. */
static gboolean
split_strings (FlowBundle                  *self,
               const guint8                *data,
               const FlowCheckpointTensor  *info,
               const char                  *name,
               FlowTensor                  *tensor,
               GError                     **error)
{
  const guint8 *pos = data;
  const guint8 *end = data + info->size;
  const guint8 *lengths = data;
  guint32 crc = 0;
  guint32 stored_lengths_crc;
  guint64 total = 0;

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      guint64 length;

      FLOW_REQUIRE (flow_proto_read_varint (&pos, end, &length) && length <= (guint64) (end - pos)
                    && total + length <= (guint64) (end - pos),
                    error, DATA_LOSS, "String lengths longer than expected offset %" G_GINT64_FORMAT ": key %s",
                    info->offset + info->size, name);
      total += length;
      if (length <= G_MAXUINT32)
        {
          guint32 small = self->swapped ? GUINT32_TO_BE ((guint32) length) : GUINT32_TO_LE ((guint32) length);
          crc = flow_crc32c_extend (crc, &small, sizeof small);
        }
      else
        {
          guint64 large = self->swapped ? GUINT64_TO_BE (length) : GUINT64_TO_LE (length);
          crc = flow_crc32c_extend (crc, &large, sizeof large);
        }
    }
  FLOW_REQUIRE ((guint64) (end - pos) >= sizeof (guint32) && total == (guint64) (end - pos) - sizeof (guint32), error,
                DATA_LOSS, "String lengths longer than expected offset %" G_GINT64_FORMAT ": key %s",
                info->offset + info->size, name);
  memcpy (&stored_lengths_crc, pos, sizeof stored_lengths_crc);
  stored_lengths_crc = self->swapped ? GUINT32_FROM_BE (stored_lengths_crc) : GUINT32_FROM_LE (stored_lengths_crc);
  FLOW_REQUIRE (flow_crc32c_unmask (stored_lengths_crc) == crc, error, DATA_LOSS,
                "The length checksum does not match: expected %08u but actual is %08u",
                flow_crc32c_unmask (stored_lengths_crc), crc);
  crc = flow_crc32c_extend (crc, pos, (gsize) (end - pos));
  pos += sizeof stored_lengths_crc;
  if (!check_crc (info, crc, error))
    return FALSE;

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      guint64 length = 0;

      flow_proto_read_varint (&lengths, end, &length);
      if (length > 0)
        flow_tensor_take_string (tensor, i, g_bytes_new (pos, (gsize) length));
      pos += length;
    }
  return TRUE;
}

static FlowTensor *
read_strings (FlowBundle                  *self,
              FlowFile                    *file,
              const FlowCheckpointTensor  *info,
              const char                  *name,
              FlowBudget                  *budget,
              GError                     **error)
{
  g_autoptr (FlowTensor) tensor = NULL;
  guint8 *data;
  gint64 n = 0;
  gboolean ok;

  /* Every string takes a byte of length at least: a shape cannot make us allocate more than is there. */
  flow_shape_n_elements (info->shape, &n);
  if (n > info->size)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "String lengths longer than expected offset %" G_GINT64_FORMAT ": key %s",
                   info->offset + info->size, name);
      return NULL;
    }
  tensor = flow_tensor_new (info->dtype, info->shape, budget, error);
  if (tensor == NULL)
    return NULL;
  if (budget != NULL && !flow_budget_reserve (budget, (gsize) info->size))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "OOM when reading %" G_GINT64_FORMAT " bytes of strings: key %s", info->size, name);
      return NULL;
    }
  data = g_try_malloc ((gsize) MAX (info->size, 1));
  if (data == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "no memory for %" G_GINT64_FORMAT " bytes",
                 info->size);
  ok = data != NULL && _flow_file_read (file, (guint64) info->offset, data, (gsize) info->size, error)
       && split_strings (self, data, info, name, tensor, error);
  g_free (data);
  if (budget != NULL)
    flow_budget_release (budget, (gsize) info->size);
  return ok ? g_steal_pointer (&tensor) : NULL;
}

/* The scalar that flow-bundle-writer.c writes. */
static FlowTensor *
read_variant (FlowBundle                  *self,
              FlowFile                    *file,
              const FlowCheckpointTensor  *info,
              const char                  *name,
              GError                     **error)
{
  g_autofree guint8 *data = NULL;
  g_autoptr (GBytes) encoded = NULL;
  g_autoptr (FlowVariant) variant = NULL;
  const guint8 *pos;
  guint64 length = 0;

  FLOW_REQUIRE (flow_shape_get_rank (info->shape) == 0, error, UNIMPLEMENTED,
                "Reading variants that are no scalar from a checkpoint: key %s", name);
  /* One cell of a state is small; what is larger is not read into memory that no budget counts. */
  FLOW_REQUIRE (info->size <= MAX_VARIANT_BYTES, error, RESOURCE_EXHAUSTED,
                "a variant of %" G_GINT64_FORMAT " bytes: key %s", info->size, name);
  data = g_try_malloc ((gsize) MAX (info->size, 1));
  FLOW_REQUIRE (data != NULL, error, RESOURCE_EXHAUSTED, "no memory for %" G_GINT64_FORMAT " bytes", info->size);
  if (!_flow_file_read (file, (guint64) info->offset, data, (gsize) info->size, error)
      || !check_crc (info, flow_crc32c (data, (gsize) info->size), error))
    return NULL;
  pos = data;
  FLOW_REQUIRE (flow_proto_read_varint (&pos, data + info->size, &length)
                && length <= (guint64) (data + info->size - pos), error, DATA_LOSS,
                "Variant longer than its entry: key %s", name);
  encoded = g_bytes_new (pos, (gsize) length);
  variant = flow_variant_new_encoded (encoded);
  return flow_tensor_new_variant (variant);
}

static FlowTensor *
read_stored (FlowBundle                  *self,
             const FlowCheckpointTensor  *info,
             const char                  *name,
             FlowBudget                  *budget,
             GError                     **error)
{
  FlowFile *file;

  if (info->problem != NULL)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, info->problem);
      return NULL;
    }
  if (info->dtype == FLOW_DTYPE_RESOURCE)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "Reading a tensor of type %s from a checkpoint: key %s",
                   flow_dtype_string (info->dtype), name);
      return NULL;
    }
  file = find_data (self, info, error);
  if (file == NULL)
    return NULL;
  if (info->dtype == FLOW_DTYPE_STRING)
    return read_strings (self, file, info, name, budget, error);
  if (info->dtype == FLOW_DTYPE_VARIANT)
    return read_variant (self, file, info, name, error);
  return read_cells (self, file, info, name, budget, error);
}

/* A tensor that is stored in one piece. */
FlowTensor *
_flow_bundle_read_whole (FlowBundle        *self,
                         const FlowStored  *stored,
                         FlowBudget        *budget,
                         GError           **error)
{
  return read_stored (self, stored->info, stored->info->name, budget, error);
}

static const Part *
find_part (FlowBundle *self,
           GBytes     *key)
{
  gsize key_length;
  gconstpointer data = g_bytes_get_data (key, &key_length);
  guint low = 0;
  guint high = self->parts->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Part *part = &g_array_index (self->parts, Part, middle);
      int order = _flow_key_compare (part->key, part->key_length, data, key_length);

      if (order == 0)
        return part;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* Part @i of a tensor that is stored in parts, of that part's shape. */
FlowTensor *
_flow_bundle_read_part (FlowBundle        *self,
                        const FlowStored  *stored,
                        guint              i,
                        FlowBudget        *budget,
                        GError           **error)
{
  const FlowSlice *slice = g_ptr_array_index (stored->slices, i);
  const char *name = stored->info->name;
  g_autoptr (GBytes) key = _flow_slice_encode_key (name, slice);
  g_autoptr (FlowShape) shape = _flow_slice_shape (slice, stored->info->shape, error);
  const Part *part = find_part (self, key);
  FlowCheckpointTensor *info;

  if (shape == NULL)
    return NULL;
  if (part == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "Slice %s of key %s not found in checkpoint",
                   stored->info->slices[i], name);
      return NULL;
    }
  info = part->stored->info;
  if (info->problem == NULL
      && (info->dtype != stored->info->dtype || !flow_shape_equal (info->shape, shape) || part->stored->slices != NULL))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "Slice %s of key %s is stored with another dtype or shape than the whole says",
                   stored->info->slices[i], name);
      return NULL;
    }
  return read_stored (self, info, name, budget, error);
}
