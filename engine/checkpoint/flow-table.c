/* flow-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-table-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flow-crc32c.h"
#include "flow-proto-reader.h"

#include "flow-snappy-private.h"

#define FOOTER_BYTES 48
#define TRAILER_BYTES 5
#define MAGIC G_GUINT64_CONSTANT (0xdb4775248b80fb57)

/* An index block has one entry per 256 KiB of data. */
#define MAX_INDEX_BYTES ((gsize) 1 << 30)

typedef struct {
  guint64 offset;
  guint64 size;
} Handle;

typedef struct {
  guint8 *key;           /* at or after every key of the block */
  gsize key_length;
  Handle handle;
} IndexEntry;

struct _FlowTable
{
  FlowFile file;
  GArray *index;         /* of IndexEntry */
};

/* One block's contents while its entries are looked at. */
typedef struct {
  const guint8 *pos;
  const guint8 *end;     /* where the restart array begins */
  GByteArray *key;
  const guint8 *value;
  gsize value_length;
} BlockIter;

gboolean
_flow_file_open (FlowFile    *self,
                 const char  *path,
                 GError     **error)
{
  struct stat st;

  self->path = NULL;
  self->size = 0;
  /* O_NONBLOCK: a FIFO under that name must not make us wait. */
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (self->fd < 0 || fstat (self->fd, &st) != 0)
    {
      flow_error_set_from_errno (error, errno, path);
      _flow_file_close (self);
      return FALSE;
    }
  if (S_ISDIR (st.st_mode))
    {
      flow_error_set_from_errno (error, EISDIR, path);
      _flow_file_close (self);
      return FALSE;
    }
  if (!S_ISREG (st.st_mode))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "%s; not a regular file", path);
      _flow_file_close (self);
      return FALSE;
    }
  self->path = g_strdup (path);
  self->size = (guint64) st.st_size;
  return TRUE;
}

void
_flow_file_close (FlowFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->path, g_free);
}

/* Reads exactly @n bytes; the file may have become shorter since it was opened. */
gboolean
_flow_file_read (FlowFile  *self,
                 guint64    offset,
                 gpointer   into,
                 gsize      n,
                 GError   **error)
{
  guint8 *p = into;

  while (n > 0)
    {
      ssize_t got = pread (self->fd, p, MIN (n, (gsize) 1 << 30), (off_t) offset);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        {
          flow_error_set_from_errno (error, errno, self->path);
          return FALSE;
        }
      FLOW_REQUIRE (got > 0, error, DATA_LOSS, "Read less bytes than requested: %s ends at byte %" G_GUINT64_FORMAT,
                    self->path, offset);
      p += got;
      offset += (guint64) got;
      n -= (gsize) got;
    }
  return TRUE;
}

int
_flow_key_compare (gconstpointer a,
                   gsize         a_length,
                   gconstpointer b,
                   gsize         b_length)
{
  gsize n = MIN (a_length, b_length);
  int order = n > 0 ? memcmp (a, b, n) : 0;

  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static guint32
get_uint32 (const guint8 *p)
{
  return (guint32) p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
}

static gboolean
read_handle (const guint8 **pos,
             const guint8  *end,
             Handle        *handle)
{
  return flow_proto_read_varint (pos, end, &handle->offset) && flow_proto_read_varint (pos, end, &handle->size);
}

static GBytes *
unpack_block (FlowTable  *self,
              guint8     *packed,
              gsize       size,
              FlowBudget *budget,
              GError    **error)
{
  g_autofree guint8 *owned = packed;
  guint8 *contents;
  gsize n;

  if (!_flow_snappy_size (packed, size, &n) || (budget != NULL && n > flow_budget_get_limit (budget)))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "corrupted compressed block contents: %s",
                   self->file.path);
      return NULL;
    }
  contents = g_try_malloc (MAX (n, 1));
  if (contents == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "%s: no memory for a block of %" G_GSIZE_FORMAT
                   " bytes", self->file.path, n);
      return NULL;
    }
  if (!_flow_snappy_decode (packed, size, contents, n))
    {
      g_free (contents);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "corrupted compressed block contents: %s",
                   self->file.path);
      return NULL;
    }
  return g_bytes_new_take (contents, n);
}

/* Reads a block and checks it: against the size of the file before memory is asked for, then against
 * its CRC, on the very bytes that are used. */
static GBytes *
read_block (FlowTable     *self,
            const Handle  *handle,
            FlowBudget    *budget,
            GError       **error)
{
  const char *path = self->file.path;
  guint8 *bytes;
  gsize size;
  guint8 type;

  if (handle->size > G_MAXINT64 - TRAILER_BYTES || handle->offset > G_MAXINT64)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "handle.size() too big: %s", path);
      return NULL;
    }
  if (handle->offset > self->file.size || handle->size + TRAILER_BYTES > self->file.size - handle->offset)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "truncated block read: %" G_GUINT64_FORMAT " bytes at %" G_GUINT64_FORMAT " of %s",
                   handle->size, handle->offset, path);
      return NULL;
    }
  size = (gsize) handle->size;
  if (budget != NULL && size > flow_budget_get_limit (budget))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "%s: a block of %" G_GSIZE_FORMAT " bytes is more than the memory budget", path, size);
      return NULL;
    }
  bytes = g_try_malloc (size + TRAILER_BYTES);
  if (bytes == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "%s: no memory for a block of %" G_GSIZE_FORMAT
                   " bytes", path, size);
      return NULL;
    }
  if (!_flow_file_read (&self->file, handle->offset, bytes, size + TRAILER_BYTES, error))
    {
      g_free (bytes);
      return NULL;
    }
  if (flow_crc32c_unmask (get_uint32 (bytes + size + 1)) != flow_crc32c (bytes, size + 1))
    {
      g_free (bytes);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "block checksum mismatch");
      return NULL;
    }
  type = bytes[size];
  if (type == 0)
    return g_bytes_new_take (bytes, size);
  if (type == 1)
    return unpack_block (self, bytes, size, budget, error);
  g_free (bytes);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "bad block type: %s", path);
  return NULL;
}

static gboolean
block_iter_init (BlockIter   *iter,
                 GBytes      *block,
                 const char  *path,
                 GError     **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (block, &size);
  guint32 n_restarts;

  FLOW_REQUIRE (size >= 4, error, DATA_LOSS, "bad block contents: %s", path);
  n_restarts = get_uint32 (data + size - 4);
  FLOW_REQUIRE (n_restarts <= (size - 4) / 4, error, DATA_LOSS, "bad block contents: %s", path);
  iter->pos = data;
  iter->end = data + size - 4 - (gsize) n_restarts * 4;
  /* We go through entries from the first on and need no restart; one that points nowhere still says
   * that whoever wrote this did not know the format. */
  for (guint32 i = 0; i < n_restarts; i++)
    FLOW_REQUIRE (get_uint32 (iter->end + (gsize) i * 4) <= (gsize) (iter->end - data), error, DATA_LOSS,
                  "bad block contents: %s", path);
  iter->key = g_byte_array_new ();
  return TRUE;
}

static void
block_iter_clear (BlockIter *iter)
{
  g_clear_pointer (&iter->key, g_byte_array_unref);
}

/* The next entry; FALSE at the end, and with an error if the entry is none. Keys must rise. */
static gboolean
block_iter_next (BlockIter   *iter,
                 const char  *path,
                 GError     **error)
{
  guint64 shared;
  guint64 non_shared;
  guint64 value_length;
  gboolean first = iter->key->len == 0;
  int order;

  if (iter->pos >= iter->end)
    return FALSE;
  if (!flow_proto_read_varint (&iter->pos, iter->end, &shared)
      || !flow_proto_read_varint (&iter->pos, iter->end, &non_shared)
      || !flow_proto_read_varint (&iter->pos, iter->end, &value_length)
      || shared > iter->key->len
      || non_shared > (guint64) (iter->end - iter->pos)
      || value_length > (guint64) (iter->end - iter->pos) - non_shared)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "bad entry in block: %s", path);
      return FALSE;
    }
  if (shared + non_shared > FLOW_TABLE_MAX_KEY)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "bad entry in block: a key of %" G_GUINT64_FORMAT " bytes, the limit is %d: %s",
                   shared + non_shared, FLOW_TABLE_MAX_KEY, path);
      return FALSE;
    }
  order = _flow_key_compare (iter->pos, (gsize) non_shared, iter->key->data + shared, iter->key->len - (gsize) shared);
  if (order <= 0 && !first)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "bad entry in block: keys do not rise: %s", path);
      return FALSE;
    }
  g_byte_array_set_size (iter->key, (guint) shared);
  g_byte_array_append (iter->key, iter->pos, (guint) non_shared);
  iter->value = iter->pos + non_shared;
  iter->value_length = (gsize) value_length;
  iter->pos = iter->value + value_length;
  return TRUE;
}

static void
index_entry_clear (gpointer data)
{
  g_free (((IndexEntry *) data)->key);
}

static gboolean
read_index (FlowTable     *self,
            const Handle  *handle,
            GError       **error)
{
  g_autoptr (GBytes) block = NULL;
  g_autoptr (GError) problem = NULL;
  BlockIter iter = { 0 };

  FLOW_REQUIRE (handle->size <= MAX_INDEX_BYTES || handle->size > self->file.size, error, RESOURCE_EXHAUSTED,
                "%s: an index block of %" G_GUINT64_FORMAT " bytes", self->file.path, handle->size);
  block = read_block (self, handle, NULL, error);
  if (block == NULL || !block_iter_init (&iter, block, self->file.path, error))
    return FALSE;
  while (block_iter_next (&iter, self->file.path, &problem))
    {
      IndexEntry entry = { 0 };
      const guint8 *pos = iter.value;

      if (!read_handle (&pos, iter.value + iter.value_length, &entry.handle))
        {
          g_set_error (&problem, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "bad block handle: %s", self->file.path);
          break;
        }
      entry.key = g_memdup2 (iter.key->data, MAX (iter.key->len, 1));
      entry.key_length = iter.key->len;
      g_array_append_val (self->index, entry);
    }
  block_iter_clear (&iter);
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/*
 * _flow_table_open:
 * @path: a table file
 *
 * Returns: (transfer full): the table; NULL with DATA_LOSS if it is none or damaged, or the system's
 *   error
 */
FlowTable *
_flow_table_open (const char  *path,
                  GError     **error)
{
  g_autoptr (FlowTable) self = g_new0 (FlowTable, 1);
  guint8 footer[FOOTER_BYTES];
  const guint8 *pos = footer;
  guint64 magic;
  Handle metaindex;
  Handle index;

  self->index = g_array_new (FALSE, FALSE, sizeof (IndexEntry));
  g_array_set_clear_func (self->index, index_entry_clear);
  if (!_flow_file_open (&self->file, path, error))
    return NULL;
  if (self->file.size < FOOTER_BYTES)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "file is too short to be an sstable");
      return NULL;
    }
  if (!_flow_file_read (&self->file, self->file.size - FOOTER_BYTES, footer, FOOTER_BYTES, error))
    return NULL;
  magic = (guint64) get_uint32 (footer + FOOTER_BYTES - 4) << 32 | get_uint32 (footer + FOOTER_BYTES - 8);
  if (magic != MAGIC)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "not an sstable (bad magic number)");
      return NULL;
    }
  if (!read_handle (&pos, footer + FOOTER_BYTES - 8, &metaindex)
      || !read_handle (&pos, footer + FOOTER_BYTES - 8, &index))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "bad block handle: %s", path);
      return NULL;
    }
  return read_index (self, &index, error) ? g_steal_pointer (&self) : NULL;
}

void
_flow_table_free (FlowTable *self)
{
  if (self == NULL)
    return;
  if (self->file.path != NULL)
    _flow_file_close (&self->file);
  g_array_unref (self->index);
  g_free (self);
}

/*
 * _flow_table_foreach:
 * @func: called for each entry in order of the keys
 *
 * Returns: FALSE if a block is damaged or @func said FALSE
 */
gboolean
_flow_table_foreach (FlowTable      *self,
                     FlowTableFunc   func,
                     gpointer        data,
                     GError        **error)
{
  g_autoptr (GByteArray) last = g_byte_array_new ();
  gboolean any = FALSE;

  for (guint i = 0; i < self->index->len; i++)
    {
      const IndexEntry *entry = &g_array_index (self->index, IndexEntry, i);
      g_autoptr (GBytes) block = read_block (self, &entry->handle, NULL, error);
      g_autoptr (GError) problem = NULL;
      BlockIter iter = { 0 };
      gboolean go_on = TRUE;

      if (block == NULL || !block_iter_init (&iter, block, self->file.path, error))
        return FALSE;
      while (go_on && block_iter_next (&iter, self->file.path, &problem))
        {
          /* Also from block to block: else one block could be listed again and again. */
          if (any && _flow_key_compare (iter.key->data, iter.key->len, last->data, last->len) <= 0)
            {
              g_set_error (&problem, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "bad entry in block: keys do not rise: %s",
                           self->file.path);
              break;
            }
          any = TRUE;
          g_byte_array_set_size (last, 0);
          g_byte_array_append (last, iter.key->data, iter.key->len);
          go_on = func (iter.key->data, iter.key->len, iter.value, iter.value_length, data, &problem);
        }
      block_iter_clear (&iter);
      if (problem != NULL)
        g_propagate_error (error, g_steal_pointer (&problem));
      else if (go_on)
        continue;
      return FALSE;
    }
  return TRUE;
}

/*
 * _flow_table_lookup:
 * @budget: (nullable): what a block may not be larger than
 * @value: (out): a new reference, shared with the block's memory; NULL if there is no such key
 *
 * Returns: FALSE with an error if a block is damaged
 */
gboolean
_flow_table_lookup (FlowTable      *self,
                    gconstpointer   key,
                    gsize           key_length,
                    FlowBudget     *budget,
                    GBytes        **value,
                    GError        **error)
{
  g_autoptr (GBytes) block = NULL;
  g_autoptr (GError) problem = NULL;
  BlockIter iter = { 0 };
  guint low = 0;
  guint high = self->index->len;

  *value = NULL;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const IndexEntry *entry = &g_array_index (self->index, IndexEntry, middle);

      if (_flow_key_compare (entry->key, entry->key_length, key, key_length) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->index->len)
    return TRUE;

  block = read_block (self, &g_array_index (self->index, IndexEntry, low).handle, budget, error);
  if (block == NULL || !block_iter_init (&iter, block, self->file.path, error))
    return FALSE;
  while (block_iter_next (&iter, self->file.path, &problem))
    {
      int order = _flow_key_compare (iter.key->data, iter.key->len, key, key_length);

      if (order == 0)
        *value = g_bytes_new_from_bytes (block, (gsize) (iter.value - (const guint8 *) g_bytes_get_data (block, NULL)),
                                         iter.value_length);
      if (order >= 0)
        break;
    }
  block_iter_clear (&iter);
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}
