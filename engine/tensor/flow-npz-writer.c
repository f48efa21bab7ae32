/* flow-npz-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-npz.h"
#include "flow-util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "flow-npy-private.h"

/* The same for every member: two runs with the same values then give the same bytes. 1980-01-01. */
#define DOS_DATE 0x0021

#define MAX_NAME_BYTES 65000

struct _FlowNpzWriter
{
  gatomicrefcount ref_count;
  char *path;
  char *temp_path;
  int fd;
  guint64 offset;
  GByteArray *directory;
  guint64 n_members;
  GHashTable *names;
  gboolean failed;
};

static void
writer_free (FlowNpzWriter *self)
{
  if (self->fd >= 0)
    {
      close (self->fd);
      g_unlink (self->temp_path);
    }
  g_byte_array_unref (self->directory);
  g_hash_table_unref (self->names);
  g_free (self->path);
  g_free (self->temp_path);
  g_free (self);
}

/**
 * flow_npz_writer_ref:
 * @self: a writer
 *
 * Returns: (transfer full): @self
 */
FlowNpzWriter *
flow_npz_writer_ref (FlowNpzWriter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_npz_writer_unref:
 * @self: (transfer full): a writer; what is not finished leaves nothing behind
 */
void
flow_npz_writer_unref (FlowNpzWriter *self)
{
  g_return_if_fail (self != NULL);

  if (g_atomic_ref_count_dec (&self->ref_count))
    writer_free (self);
}

G_DEFINE_BOXED_TYPE (FlowNpzWriter, flow_npz_writer, flow_npz_writer_ref, flow_npz_writer_unref)

static void
put_number (GByteArray *bytes,
            guint64     value,
            int         n_bytes)
{
  guint8 cells[8];

  for (int i = 0; i < n_bytes; i++)
    cells[i] = (guint8) (value >> (8 * i));
  g_byte_array_append (bytes, cells, (guint) n_bytes);
}

static gboolean
write_all (FlowNpzWriter  *self,
           gconstpointer   data,
           gsize           n,
           GError        **error)
{
  const guint8 *p = data;

  while (n > 0)
    {
      ssize_t done = write (self->fd, p, MIN (n, (gsize) 1 << 30));

      if (done < 0 && errno == EINTR)
        continue;
      if (done < 0)
        {
          flow_error_set_from_errno (error, errno, self->path);
          self->failed = TRUE;
          return FALSE;
        }
      p += done;
      n -= (gsize) done;
      self->offset += (guint64) done;
    }
  return TRUE;
}

static guint32
extend_crc (guint32       crc,
            gconstpointer data,
            gsize         n)
{
  const guint8 *p = data;

  while (n > 0)
    {
      uInt part = (uInt) MIN (n, (gsize) 1 << 30);

      crc = (guint32) crc32 (crc, p, part);
      p += part;
      n -= part;
    }
  return crc;
}

static void
put_entry (FlowNpzWriter *self,
           const char    *name,
           guint64        offset,
           guint64        size,
           guint32        crc)
{
  GByteArray *d = self->directory;
  gboolean wide = size >= G_MAXUINT32 || offset >= G_MAXUINT32;

  put_number (d, 0x02014b50, 4);
  put_number (d, wide ? 45 : 20, 2);
  put_number (d, wide ? 45 : 20, 2);
  put_number (d, 0x0800, 2);           /* the name is UTF-8 */
  put_number (d, 0, 2);                /* stored */
  put_number (d, 0, 2);
  put_number (d, DOS_DATE, 2);
  put_number (d, crc, 4);
  put_number (d, wide ? G_MAXUINT32 : size, 4);
  put_number (d, wide ? G_MAXUINT32 : size, 4);
  put_number (d, strlen (name), 2);
  put_number (d, wide ? 28 : 0, 2);
  put_number (d, 0, 2);
  put_number (d, 0, 2);
  put_number (d, 0, 2);
  put_number (d, 0, 4);
  put_number (d, wide ? G_MAXUINT32 : offset, 4);
  g_byte_array_append (d, (const guint8 *) name, (guint) strlen (name));
  if (wide)
    {
      put_number (d, 1, 2);
      put_number (d, 24, 2);
      put_number (d, size, 8);
      put_number (d, size, 8);
      put_number (d, offset, 8);
    }
}

/* One stored member: header and elements. */
static gboolean
write_member (FlowNpzWriter  *self,
              const char     *key,
              const char     *suffix,
              GBytes         *header,
              gconstpointer   data,
              gsize           n_bytes,
              GError        **error)
{
  g_autofree char *name = g_strconcat (key, suffix, ".npy", NULL);
  g_autoptr (GByteArray) local = g_byte_array_new ();
  gsize header_bytes = g_bytes_get_size (header);
  guint64 size = (guint64) header_bytes + n_bytes;
  guint64 offset = self->offset;
  gboolean wide = size >= G_MAXUINT32;
  guint32 crc;

  FLOW_REQUIRE (strlen (name) <= MAX_NAME_BYTES, error, INVALID_ARGUMENT, "a key of %" G_GSIZE_FORMAT " bytes",
                strlen (key));
  FLOW_REQUIRE (!g_hash_table_contains (self->names, name), error, ALREADY_EXISTS,
                "%s: there is a member %s already", self->path, name);
  crc = extend_crc (extend_crc (0, g_bytes_get_data (header, NULL), header_bytes), data, n_bytes);

  put_number (local, 0x04034b50, 4);
  put_number (local, wide ? 45 : 20, 2);
  put_number (local, 0x0800, 2);
  put_number (local, 0, 2);
  put_number (local, 0, 2);
  put_number (local, DOS_DATE, 2);
  put_number (local, crc, 4);
  put_number (local, wide ? G_MAXUINT32 : size, 4);
  put_number (local, wide ? G_MAXUINT32 : size, 4);
  put_number (local, strlen (name), 2);
  put_number (local, wide ? 20 : 0, 2);
  g_byte_array_append (local, (const guint8 *) name, (guint) strlen (name));
  if (wide)
    {
      put_number (local, 1, 2);
      put_number (local, 16, 2);
      put_number (local, size, 8);
      put_number (local, size, 8);
    }
  if (!write_all (self, local->data, local->len, error)
      || !write_all (self, g_bytes_get_data (header, NULL), header_bytes, error)
      || !write_all (self, data, n_bytes, error))
    return FALSE;
  put_entry (self, name, offset, size, crc);
  self->n_members++;
  g_hash_table_add (self->names, g_steal_pointer (&name));
  return TRUE;
}

static gboolean
write_strings (FlowNpzWriter     *self,
               const char        *key,
               const FlowTensor  *tensor,
               GError           **error)
{
  g_autoptr (GBytes) len_header = _flow_npy_make_header ("<i8", tensor->shape);
  g_autoptr (GBytes) data_header = NULL;
  g_autoptr (FlowShape) data_shape = NULL;
  g_autofree gint64 *lengths = NULL;
  g_autofree guint8 *data = NULL;
  gsize total = 0;
  gsize at = 0;

  lengths = g_try_new (gint64, (gsize) tensor->n_elements + 1);
  FLOW_REQUIRE (lengths != NULL, error, RESOURCE_EXHAUSTED, "no memory to write %s", key);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;

      flow_tensor_get_string (tensor, i, &length);
      lengths[i] = (gint64) length;
      FLOW_REQUIRE (g_size_checked_add (&total, total, length) && total <= G_MAXINT64, error, RESOURCE_EXHAUSTED,
                    "no memory to write %s", key);
    }
  data = g_try_malloc (MAX (total, 1));
  FLOW_REQUIRE (data != NULL, error, RESOURCE_EXHAUSTED, "no memory to write %s", key);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *text = flow_tensor_get_string (tensor, i, &length);

      if (length > 0)
        memcpy (data + at, text, length);
      at += length;
    }
  data_shape = flow_shape_new_vector ((gint64) total);
  data_header = _flow_npy_make_header ("|u1", data_shape);
  return write_member (self, key, "#len", len_header, lengths, (gsize) tensor->n_elements * sizeof (gint64), error)
         && write_member (self, key, "#data", data_header, data, total, error);
}

static gboolean
write_dtype (FlowNpzWriter  *self,
             const char     *key,
             FlowDType       dtype,
             GError        **error)
{
  const char *name = flow_dtype_name (dtype);
  gsize n = strlen (name);
  g_autofree char *descr = g_strdup_printf ("<U%" G_GSIZE_FORMAT, n);
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_autoptr (GBytes) header = _flow_npy_make_header (descr, scalar);
  g_autofree guint32 *text = g_new (guint32, n + 1);

  for (gsize i = 0; i < n; i++)
    text[i] = (guint32) name[i];
  return write_member (self, key, "#dtype", header, text, n * sizeof (guint32), error);
}

/**
 * flow_npz_writer_new:
 * @path: where the file shall stand
 * @error: where to put an error
 *
 * Begins under a temporary name in the same folder.
 *
 * Returns: (transfer full): a writer; %NULL with the system's error
 */
FlowNpzWriter *
flow_npz_writer_new (const char  *path,
                     GError     **error)
{
  FlowNpzWriter *self;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (FlowNpzWriter, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->path = g_strdup (path);
  self->temp_path = g_strdup_printf ("%s.tempstate%08x%08x", path, g_random_int (), g_random_int ());
  self->directory = g_byte_array_new ();
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->fd = open (self->temp_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (self->fd < 0)
    {
      flow_error_set_from_errno (error, errno, path);
      flow_npz_writer_unref (self);
      return NULL;
    }
  return self;
}

/**
 * flow_npz_writer_add:
 * @self: a writer
 * @key: a key not used before
 * @tensor: an array
 * @error: where to put an error
 *
 * Writes one array, not compressed, as numpy.savez does. Strings become `KEY#len` and `KEY#data`;
 * bfloat16 and quantised dtypes stand as their bits, with the dtype's name as `KEY#dtype`.
 *
 * Returns: whether it was written; else %FLOW_ERROR_ALREADY_EXISTS for a key used before,
 *   %FLOW_ERROR_UNIMPLEMENTED for resources and variants, or the system's error
 */
gboolean
flow_npz_writer_add (FlowNpzWriter     *self,
                     const char        *key,
                     const FlowTensor  *tensor,
                     GError           **error)
{
  g_autoptr (GBytes) header = NULL;
  const char *descr;

  g_return_val_if_fail (self != NULL && self->fd >= 0, FALSE);
  g_return_val_if_fail (key != NULL && tensor != NULL, FALSE);

  if (tensor->dtype == FLOW_DTYPE_STRING)
    return write_strings (self, key, tensor, error);
  descr = _flow_npy_descr (tensor->dtype);
  FLOW_REQUIRE (descr != NULL, error, UNIMPLEMENTED, "a tensor of type %s cannot be written as .npz",
                flow_dtype_string (tensor->dtype));
  header = _flow_npy_make_header (descr, tensor->shape);
  if (!write_member (self, key, "", header, tensor->data, tensor->n_bytes, error))
    return FALSE;
  if (tensor->dtype == FLOW_DTYPE_BFLOAT16 || flow_dtype_is_quantized (tensor->dtype))
    return write_dtype (self, key, tensor->dtype, error);
  return TRUE;
}

static void
put_end (FlowNpzWriter *self,
         GByteArray    *end)
{
  guint64 offset = self->offset;
  guint64 size = self->directory->len;
  gboolean wide = offset >= G_MAXUINT32 || size >= G_MAXUINT32 || self->n_members >= G_MAXUINT16;

  if (wide)
    {
      put_number (end, 0x06064b50, 4);
      put_number (end, 44, 8);
      put_number (end, 45, 2);
      put_number (end, 45, 2);
      put_number (end, 0, 4);
      put_number (end, 0, 4);
      put_number (end, self->n_members, 8);
      put_number (end, self->n_members, 8);
      put_number (end, size, 8);
      put_number (end, offset, 8);
      put_number (end, 0x07064b50, 4);
      put_number (end, 0, 4);
      put_number (end, offset + size, 8);
      put_number (end, 1, 4);
    }
  put_number (end, 0x06054b50, 4);
  put_number (end, 0, 2);
  put_number (end, 0, 2);
  put_number (end, MIN (self->n_members, G_MAXUINT16), 2);
  put_number (end, MIN (self->n_members, G_MAXUINT16), 2);
  put_number (end, wide ? G_MAXUINT32 : size, 4);
  put_number (end, wide ? G_MAXUINT32 : offset, 4);
  put_number (end, 0, 2);
}

/**
 * flow_npz_writer_finish:
 * @self: a writer
 * @error: where to put an error
 *
 * Writes the directory, flushes the file to the disk and gives it its name. The writer is of no use
 * afterwards.
 *
 * Returns: whether the file stands there; else the system's error, and what stood there still does
 */
gboolean
flow_npz_writer_finish (FlowNpzWriter  *self,
                        GError        **error)
{
  g_autoptr (GByteArray) end = g_byte_array_new ();
  int fd;

  g_return_val_if_fail (self != NULL && self->fd >= 0, FALSE);

  FLOW_REQUIRE (!self->failed, error, FAILED_PRECONDITION, "%s: an earlier write failed", self->path);
  put_end (self, end);
  if (!write_all (self, self->directory->data, self->directory->len, error)
      || !write_all (self, end->data, end->len, error))
    return FALSE;
  if (fsync (self->fd) != 0)
    {
      flow_error_set_from_errno (error, errno, self->path);
      self->failed = TRUE;
      return FALSE;
    }
  fd = self->fd;
  self->fd = -1;
  if (close (fd) != 0 || g_rename (self->temp_path, self->path) != 0)
    {
      flow_error_set_from_errno (error, errno, self->path);
      g_unlink (self->temp_path);
      return FALSE;
    }
  flow_sync_folder_of (self->path);
  return TRUE;
}
