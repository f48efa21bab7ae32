/* flow-index-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-save-io-private.h"

#include <string.h>

#include "flow-crc32c.h"
#include "flow-proto-writer.h"

#include "flow-table-private.h"

/* As TensorFlow writes tables, byte for byte. */
#define BLOCK_BYTES 262144
#define RESTART_INTERVAL 16
#define FOOTER_BYTES 48
#define MAGIC G_GUINT64_CONSTANT (0xdb4775248b80fb57)

typedef struct {
  GByteArray *bytes;
  GArray *restarts;      /* of guint32 */
  GByteArray *last_key;
  guint n_entries;
  guint interval;
} Block;

typedef struct {
  GByteArray *file;
  Block data;
  Block index;
  GByteArray *pending;   /* last key of a block whose index entry waits for the next key */
  guint64 pending_offset;
  guint64 pending_size;
  gboolean has_pending;
} TableWriter;

static void
block_init (Block *self,
            guint  interval)
{
  guint32 zero = 0;

  self->bytes = g_byte_array_new ();
  self->restarts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->last_key = g_byte_array_new ();
  self->n_entries = 0;
  self->interval = interval;
  g_array_append_val (self->restarts, zero);
}

static void
block_clear (Block *self)
{
  g_byte_array_unref (self->bytes);
  g_byte_array_unref (self->last_key);
  g_array_unref (self->restarts);
}

static void
put_little (GByteArray *bytes,
            guint64     value,
            guint       n)
{
  guint8 cells[8];

  for (guint i = 0; i < n; i++)
    cells[i] = (guint8) (value >> (8 * i));
  g_byte_array_append (bytes, cells, n);
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

static void
block_add (Block         *self,
           gconstpointer  key,
           gsize          key_length,
           gconstpointer  value,
           gsize          value_length)
{
  const guint8 *k = key;
  gsize shared = 0;

  if (self->n_entries % self->interval == 0)
    {
      if (self->n_entries > 0)
        {
          guint32 at = self->bytes->len;
          g_array_append_val (self->restarts, at);
        }
    }
  else
    {
      gsize n = MIN (key_length, self->last_key->len);

      while (shared < n && k[shared] == self->last_key->data[shared])
        shared++;
    }
  put_varint (self->bytes, shared);
  put_varint (self->bytes, key_length - shared);
  put_varint (self->bytes, value_length);
  g_byte_array_append (self->bytes, k + shared, (guint) (key_length - shared));
  g_byte_array_append (self->bytes, value, (guint) value_length);
  g_byte_array_set_size (self->last_key, 0);
  g_byte_array_append (self->last_key, key, (guint) key_length);
  self->n_entries++;
}

static gsize
block_size (const Block *self)
{
  return self->bytes->len + 4 * (gsize) self->restarts->len + 4;
}

/* Puts the block into the file, with its trailer, and begins a new one. */
static void
write_block (TableWriter *self,
             Block       *block,
             guint64     *offset,
             guint64     *size)
{
  guint interval = block->interval;
  guint8 type = 0;
  guint32 crc;

  for (guint i = 0; i < block->restarts->len; i++)
    put_little (block->bytes, g_array_index (block->restarts, guint32, i), 4);
  put_little (block->bytes, block->restarts->len, 4);
  *offset = self->file->len;
  *size = block->bytes->len;
  crc = flow_crc32c_extend (flow_crc32c (block->bytes->data, block->bytes->len), &type, 1);
  g_byte_array_append (self->file, block->bytes->data, block->bytes->len);
  g_byte_array_append (self->file, &type, 1);
  put_little (self->file, flow_crc32c_mask (crc), 4);
  block_clear (block);
  block_init (block, interval);
}

/* The shortest key that is not before @last and before @next: the common start and one byte more, if
 * there is a byte between. */
static void
shorten_between (GByteArray   *last,
                 const guint8 *next,
                 gsize         next_length)
{
  gsize n = MIN (last->len, next_length);
  gsize i = 0;

  while (i < n && last->data[i] == next[i])
    i++;
  if (i >= n || last->data[i] == 0xff || last->data[i] + 1 >= next[i])
    return;
  last->data[i]++;
  g_byte_array_set_size (last, (guint) i + 1);
}

static void
shorten_last (GByteArray *last)
{
  for (guint i = 0; i < last->len; i++)
    if (last->data[i] != 0xff)
      {
        last->data[i]++;
        g_byte_array_set_size (last, i + 1);
        return;
      }
}

static void
write_pending (TableWriter *self)
{
  g_autoptr (GByteArray) handle = g_byte_array_new ();

  put_varint (handle, self->pending_offset);
  put_varint (handle, self->pending_size);
  block_add (&self->index, self->pending->data, self->pending->len, handle->data, handle->len);
  self->has_pending = FALSE;
}

static void
flush_data (TableWriter *self)
{
  if (self->data.n_entries == 0)
    return;
  g_byte_array_set_size (self->pending, 0);
  g_byte_array_append (self->pending, self->data.last_key->data, self->data.last_key->len);
  write_block (self, &self->data, &self->pending_offset, &self->pending_size);
  self->has_pending = TRUE;
}

static void
add (TableWriter  *self,
     const guint8 *key,
     gsize         key_length,
     const guint8 *value,
     gsize         value_length)
{
  if (key_length + value_length >= 2 * BLOCK_BYTES)
    flush_data (self);
  if (self->has_pending)
    {
      shorten_between (self->pending, key, key_length);
      write_pending (self);
    }
  block_add (&self->data, key, key_length, value, value_length);
  if (block_size (&self->data) >= BLOCK_BYTES)
    flush_data (self);
}

static void
finish (TableWriter *self)
{
  Block metaindex;
  guint64 metaindex_offset;
  guint64 metaindex_size;
  guint64 offset;
  guint64 size;
  gsize footer;

  flush_data (self);
  block_init (&metaindex, RESTART_INTERVAL);
  write_block (self, &metaindex, &metaindex_offset, &metaindex_size);
  block_clear (&metaindex);
  if (self->has_pending)
    {
      shorten_last (self->pending);
      write_pending (self);
    }
  write_block (self, &self->index, &offset, &size);
  footer = self->file->len;
  put_varint (self->file, metaindex_offset);
  put_varint (self->file, metaindex_size);
  put_varint (self->file, offset);
  put_varint (self->file, size);
  while (self->file->len < footer + FOOTER_BYTES - 8)
    put_little (self->file, 0, 1);
  put_little (self->file, MAGIC, 8);
}

static gint
compare_keys (gconstpointer a,
              gconstpointer b)
{
  GBytes *x = *(GBytes *const *) a;
  GBytes *y = *(GBytes *const *) b;

  return g_bytes_compare (x, y);
}

static GBytes *
make_header (gint64   n_shards,
             GError **error)
{
  FlowProtoWriter writer;

  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, 1, n_shards);
  flow_proto_writer_begin (&writer, 3);
  flow_proto_writer_set_int (&writer, 1, 1);
  flow_proto_writer_end (&writer);
  return flow_proto_writer_finish (&writer, error);
}

/*
 * _flow_table_make:
 * @entries: (element-type GBytes GBytes): keys to values
 *
 * Returns: (transfer full): the contents of a table file
 */
GBytes *
_flow_table_make (GHashTable  *entries,
                  GError     **error)
{
  TableWriter self = { 0 };
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;
  gpointer value;
  guint64 total = 0;

  g_hash_table_iter_init (&iter, entries);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_ptr_array_add (keys, key);
      total += g_bytes_get_size (key) + g_bytes_get_size (value) + 32;
    }
  /* It is put together in memory. */
  if (total > G_MAXINT32)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "a table file of more than 2 GiB");
      return NULL;
    }
  g_ptr_array_sort (keys, compare_keys);

  self.file = g_byte_array_new ();
  self.pending = g_byte_array_new ();
  block_init (&self.data, RESTART_INTERVAL);
  block_init (&self.index, 1);
  for (guint i = 0; i < keys->len; i++)
    {
      GBytes *entry = g_hash_table_lookup (entries, keys->pdata[i]);

      add (&self, g_bytes_get_data (keys->pdata[i], NULL), g_bytes_get_size (keys->pdata[i]),
           g_bytes_get_data (entry, NULL), g_bytes_get_size (entry));
    }
  finish (&self);
  block_clear (&self.data);
  block_clear (&self.index);
  g_byte_array_unref (self.pending);
  return g_byte_array_free_to_bytes (self.file);
}

/*
 * _flow_index_make:
 * @entries: (element-type GBytes GBytes): keys to BundleEntryProtos; gets the header, too
 * @n_shards: how many data files there are
 *
 * Returns: (transfer full): the contents of an index file
 */
GBytes *
_flow_index_make (GHashTable  *entries,
                  gint64       n_shards,
                  GError     **error)
{
  GBytes *header = make_header (n_shards, error);

  if (header == NULL)
    return NULL;
  g_hash_table_insert (entries, g_bytes_new (NULL, 0), header);
  return _flow_table_make (entries, error);
}
