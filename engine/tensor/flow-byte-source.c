/* flow-byte-source.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-npy-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_BYTES 65536

void
_flow_byte_source_init_bytes (FlowByteSource *self,
                              GBytes         *bytes)
{
  memset (self, 0, sizeof *self);
  self->fd = -1;
  self->bytes = bytes;
  self->stored_left = self->left = g_bytes_get_size (bytes);
}

void
_flow_byte_source_init_fd (FlowByteSource *self,
                           int             fd,
                           guint64         offset,
                           guint64         size)
{
  memset (self, 0, sizeof *self);
  self->fd = fd;
  self->offset = offset;
  self->stored_left = self->left = size;
}

/* What is stored is deflated (without zlib's wrapper) and becomes @size bytes. */
gboolean
_flow_byte_source_inflate (FlowByteSource  *self,
                           guint64          size,
                           GError         **error)
{
  /* Deflate cannot do better than 1032 to 1, so a larger claim is none to allocate for. */
  FLOW_REQUIRE (size / 1032 <= self->stored_left + 1, error, DATA_LOSS,
                "a member claims to have more bytes than its compressed form can hold");
  FLOW_REQUIRE (inflateInit2 (&self->stream, -MAX_WBITS) == Z_OK, error, RESOURCE_EXHAUSTED,
                "no memory to decompress");
  self->deflated = TRUE;
  self->left = size;
  self->window = g_malloc (WINDOW_BYTES);
  return TRUE;
}

void
_flow_byte_source_clear (FlowByteSource *self)
{
  if (self->deflated)
    inflateEnd (&self->stream);
  g_free (self->window);
  memset (self, 0, sizeof *self);
  self->fd = -1;
}

static gboolean
read_stored (FlowByteSource  *self,
             guint8          *into,
             gsize            n,
             GError         **error)
{
  FLOW_REQUIRE (n <= self->stored_left, error, DATA_LOSS, "the array is cut off: %" G_GSIZE_FORMAT
                " bytes more were expected, %" G_GUINT64_FORMAT " are there", n, self->stored_left);
  self->stored_left -= n;
  if (self->bytes != NULL)
    {
      memcpy (into, (const guint8 *) g_bytes_get_data (self->bytes, NULL) + self->offset, n);
      self->offset += n;
      return TRUE;
    }
  while (n > 0)
    {
      /* One call moves 2 GiB at most. */
      ssize_t got = pread (self->fd, into, MIN (n, (gsize) 1 << 30), (off_t) self->offset);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        {
          flow_error_set_from_errno (error, errno, NULL);
          return FALSE;
        }
      FLOW_REQUIRE (got > 0, error, DATA_LOSS, "the file ends inside an array");
      into += got;
      n -= (gsize) got;
      self->offset += (guint64) got;
    }
  return TRUE;
}

static gboolean
read_deflated (FlowByteSource  *self,
               guint8          *into,
               gsize            n,
               GError         **error)
{
  while (n > 0)
    {
      uInt room = (uInt) MIN (n, (gsize) 1 << 30);
      int status;

      if (self->stream.avail_in == 0 && self->stored_left > 0)
        {
          gsize more = (gsize) MIN (self->stored_left, WINDOW_BYTES);

          if (!read_stored (self, self->window, more, error))
            return FALSE;
          self->stream.next_in = self->window;
          self->stream.avail_in = (uInt) more;
        }
      self->stream.next_out = into;
      self->stream.avail_out = room;
      status = inflate (&self->stream, Z_NO_FLUSH);
      into += room - self->stream.avail_out;
      n -= room - self->stream.avail_out;
      FLOW_REQUIRE (status == Z_OK || (status == Z_STREAM_END && n == 0), error, DATA_LOSS,
                    "a compressed member is damaged");
    }
  return TRUE;
}

/*
 * _flow_byte_source_read:
 *
 * Reads exactly @n bytes. Returns FALSE with DATA_LOSS if there are not as many.
 */
gboolean
_flow_byte_source_read (FlowByteSource  *self,
                        gpointer         into,
                        gsize            n,
                        GError         **error)
{
  guint8 *p = into;

  FLOW_REQUIRE (n <= self->left, error, DATA_LOSS, "the array is cut off: %" G_GSIZE_FORMAT
                " bytes more were expected, %" G_GUINT64_FORMAT " are there", n, self->left);
  if (n == 0)
    return TRUE;
  if (!(self->deflated ? read_deflated (self, into, n, error) : read_stored (self, into, n, error)))
    return FALSE;
  self->left -= n;
  for (gsize done = 0; done < n;)
    {
      uInt part = (uInt) MIN (n - done, (gsize) 1 << 30);

      self->crc = (guint32) crc32 (self->crc, p + done, part);
      done += part;
    }
  return TRUE;
}
