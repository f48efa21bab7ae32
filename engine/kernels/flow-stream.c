/* flow-stream.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stream-private.h"

#include "flow-crc32c.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read from the file at once; lines and records are mostly much shorter. */
#define CHUNK (64 * 1024)
/* One string of a tensor holds no more than this. */
#define MAX_STRING ((gsize) 1 << 30)
/* Asked for beforehand of a string whose length only a file claims; it grows as bytes really come. */
#define FIRST_STRING ((gsize) 1 << 20)
/* TFRecord: eight bytes of length and four of its checksum before, four of the payload's behind. */
#define RECORD_HEADER 12
#define RECORD_FOOTER 4

struct _FlowStream
{
  int fd;
  char *name;
  gboolean is_packed;
  GZlibCompressorFormat format;
  GConverter *inflater;        /* of packed files */
  FlowBudget *budget;
  gint64 size;                 /* of the file, -1 where it is none that has a size */
  guint8 packed[CHUNK];        /* packed bytes not inflated yet: [packed_at, packed_end) */
  gsize packed_at;
  gsize packed_end;
  guint8 ready[CHUNK];         /* plain bytes not handed out yet: [at, end) */
  gsize at;
  gsize end;
  gint64 place;                /* of ready[at] */
  gboolean file_ended;
  gboolean inflate_ended;
};

static void
forget (FlowStream *self,
        gint64      place)
{
  self->packed_at = self->packed_end = 0;
  self->at = self->end = 0;
  self->place = place;
  self->file_ended = FALSE;
  self->inflate_ended = FALSE;
}

FlowStream *
_flow_stream_open (const char  *path,
                   const char  *name,
                   const char  *compression,
                   FlowBudget  *budget,
                   GError     **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  FlowStream *self;

  if (fd < 0 || fstat (fd, &status) != 0)
    {
      flow_error_set_from_errno (error, errno, name);
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (S_ISDIR (status.st_mode))
    {
      flow_error_set_from_errno (error, EISDIR, name);
      close (fd);
      return NULL;
    }
  self = g_new0 (FlowStream, 1);
  self->fd = fd;
  self->name = g_strdup (name);
  self->budget = budget != NULL ? flow_budget_ref (budget) : NULL;
  self->size = S_ISREG (status.st_mode) ? (gint64) status.st_size : -1;
  self->is_packed = strcmp (compression, "ZLIB") == 0 || strcmp (compression, "GZIP") == 0;
  self->format = strcmp (compression, "GZIP") == 0 ? G_ZLIB_COMPRESSOR_FORMAT_GZIP : G_ZLIB_COMPRESSOR_FORMAT_ZLIB;
  if (self->is_packed)
    self->inflater = G_CONVERTER (g_zlib_decompressor_new (self->format));
  return self;
}

void
_flow_stream_free (FlowStream *self)
{
  if (self == NULL)
    return;
  close (self->fd);
  g_clear_object (&self->inflater);
  g_clear_pointer (&self->budget, flow_budget_unref);
  g_free (self->name);
  g_free (self);
}

/* --- bytes ------------------------------------------------------------------------------------------------ */

/* Up to @n bytes of the file as it lies there; 0 at its end, -1 with an error. */
static gssize
read_file (FlowStream *self,
           guint8     *to,
           gsize       n,
           GError    **error)
{
  gssize got;

  do
    got = read (self->fd, to, n);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    flow_error_set_from_errno (error, errno, self->name);
  else if (got == 0)
    self->file_ended = TRUE;
  return got;
}

static gboolean
inflate_more (FlowStream *self,
              GError    **error)
{
  while (self->at == self->end && !self->inflate_ended)
    {
      g_autoptr (GError) failure = NULL;
      GConverterResult result;
      gsize n_read = 0;
      gsize n_written = 0;

      if (self->packed_at == self->packed_end && !self->file_ended)
        {
          gssize got = read_file (self, self->packed, CHUNK, error);

          if (got < 0)
            return FALSE;
          self->packed_at = 0;
          self->packed_end = (gsize) got;
        }
      /* TF: a packed file may end anywhere; what came before counts. */
      if (self->packed_at == self->packed_end && self->file_ended)
        {
          self->inflate_ended = TRUE;
          break;
        }
      result = g_converter_convert (self->inflater, self->packed + self->packed_at, self->packed_end - self->packed_at,
                                    self->ready, CHUNK, G_CONVERTER_NO_FLAGS, &n_read, &n_written, &failure);
      if (result == G_CONVERTER_ERROR && g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
        {
          self->packed_at = self->packed_end;
          continue;
        }
      FLOW_REQUIRE (result != G_CONVERTER_ERROR, error, DATA_LOSS, "inflate() failed with error -3: %s",
                    self->place == 0 ? "incorrect header check" : failure->message);
      self->packed_at += n_read;
      self->at = 0;
      self->end = n_written;
      if (result == G_CONVERTER_FINISHED)
        {
          /* Members of a gzip file may follow one another. */
          g_converter_reset (self->inflater);
          if (self->format == G_ZLIB_COMPRESSOR_FORMAT_ZLIB)
            self->inflate_ended = TRUE;
        }
    }
  return TRUE;
}

/* Makes at least one byte ready, unless the stream is at its end. */
static gboolean
fill (FlowStream *self,
      GError    **error)
{
  gssize got;

  if (self->at < self->end)
    return TRUE;
  self->at = self->end = 0;
  if (self->is_packed)
    return inflate_more (self, error);
  if (self->file_ended)
    return TRUE;
  got = read_file (self, self->ready, CHUNK, error);
  if (got < 0)
    return FALSE;
  self->end = (gsize) got;
  return TRUE;
}

gint64
_flow_stream_tell (FlowStream *self)
{
  return self->place;
}

static void
take (FlowStream *self,
      gsize       n)
{
  self->at += n;
  self->place += (gint64) n;
}

gboolean
_flow_stream_seek (FlowStream *self,
                   gint64      offset,
                   GError    **error)
{
  if (offset < 0)
    return FALSE;
  if (offset >= self->place && offset - self->place <= (gint64) (self->end - self->at))
    {
      take (self, (gsize) (offset - self->place));
      return TRUE;
    }
  if (!self->is_packed && self->size >= 0)
    {
      if (offset > self->size)
        return FALSE;
      if (lseek (self->fd, (off_t) offset, SEEK_SET) < 0)
        {
          flow_error_set_from_errno (error, errno, self->name);
          return FALSE;
        }
      forget (self, offset);
      return TRUE;
    }
  if (offset < self->place)
    {
      if (lseek (self->fd, 0, SEEK_SET) < 0)
        {
          flow_error_set_from_errno (error, errno, self->name);
          return FALSE;
        }
      forget (self, 0);
      if (self->inflater != NULL)
        g_converter_reset (self->inflater);
    }
  while (self->place < offset)
    {
      if (!fill (self, error) || self->at == self->end)
        return FALSE;
      take (self, (gsize) MIN (offset - self->place, (gint64) (self->end - self->at)));
    }
  return TRUE;
}

gint64
_flow_stream_count_left (FlowStream *self)
{
  return self->is_packed || self->size < 0 ? -1 : MAX (self->size - self->place, 0);
}

/* Whether a string may grow to @n bytes. */
static gboolean
allow (FlowStream *self,
       gsize       n,
       GError    **error)
{
  gboolean fits = n <= MAX_STRING;

  if (fits && self->budget != NULL && n > CHUNK)
    {
      fits = flow_budget_reserve (self->budget, n);
      if (fits)
        flow_budget_release (self->budget, n);
    }
  FLOW_REQUIRE (fits, error, RESOURCE_EXHAUSTED, "OOM when allocating a string of %" G_GSIZE_FORMAT " bytes of %s", n,
                self->name);
  return TRUE;
}

/* Appends up to @n bytes; fewer only at the end. */
static gboolean
append (FlowStream *self,
        GByteArray *to,
        gsize       n,
        GError    **error)
{
  gsize asked = 0;

  while (n > 0)
    {
      gsize some;

      if (!fill (self, error))
        return FALSE;
      some = MIN (n, self->end - self->at);
      if (some == 0)
        return TRUE;
      if (to->len + some > asked)
        {
          asked = MAX ((to->len + some) * 2, FIRST_STRING);
          if (!allow (self, to->len + some, error))
            return FALSE;
        }
      g_byte_array_append (to, self->ready + self->at, (guint) some);
      take (self, some);
      n -= some;
    }
  return TRUE;
}

GBytes *
_flow_stream_read (FlowStream *self,
                   gsize       n,
                   GError    **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (n > MAX_STRING && !allow (self, n, error))
    return NULL;
  if (!append (self, bytes, n, error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

int
_flow_stream_get_byte (FlowStream *self,
                       GError    **error)
{
  int byte;

  if (!fill (self, error))
    return -2;
  if (self->at == self->end)
    return -1;
  byte = self->ready[self->at];
  take (self, 1);
  return byte;
}

/* --- lines and records --------------------------------------------------------------------------------------- */

/* The bytes up to a newline or the end; NULL without an error where there are none. */
static GByteArray *
read_to_newline (FlowStream *self,
                 GError    **error)
{
  g_autoptr (GByteArray) line = g_byte_array_new ();

  for (;;)
    {
      const guint8 *from;
      const guint8 *newline;
      gsize n;

      if (!fill (self, error))
        return NULL;
      /* TF: the last line needs no end. */
      if (self->at == self->end)
        return line->len > 0 ? g_steal_pointer (&line) : NULL;
      from = self->ready + self->at;
      newline = memchr (from, '\n', self->end - self->at);
      n = newline != NULL ? (gsize) (newline - from) : self->end - self->at;
      if (!allow (self, line->len + n, error))
        return NULL;
      g_byte_array_append (line, from, (guint) n);
      take (self, n + (newline != NULL));
      if (newline != NULL)
        return g_steal_pointer (&line);
    }
}

GBytes *
_flow_stream_read_line (FlowStream *self,
                        GError    **error)
{
  GByteArray *line = read_to_newline (self, error);

  if (line == NULL)
    return NULL;
  if (line->len > 0 && line->data[line->len - 1] == '\r')
    g_byte_array_set_size (line, line->len - 1);
  return g_byte_array_free_to_bytes (line);
}

GBytes *
_flow_stream_read_plain_line (FlowStream *self,
                              GError    **error)
{
  GByteArray *line = read_to_newline (self, error);
  guint n = 0;

  if (line == NULL)
    return NULL;
  for (guint i = 0; i < line->len; i++)
    if (line->data[i] != '\r')
      line->data[n++] = line->data[i];
  g_byte_array_set_size (line, n);
  return g_byte_array_free_to_bytes (line);
}

static guint32
little_32 (const guint8 *p)
{
  return (guint32) p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
}

/* @n bytes and their masked checksum; NULL with an error, or without one where they are not all there. */
static GByteArray *
read_checked (FlowStream *self,
              gsize       n,
              GError    **error)
{
  gint64 start = self->place;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!append (self, bytes, n + RECORD_FOOTER, error) || bytes->len < n + RECORD_FOOTER)
    return NULL;
  if (flow_crc32c (bytes->data, n) != flow_crc32c_unmask (little_32 (bytes->data + n)))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "corrupted record at %" G_GINT64_FORMAT, start);
      return NULL;
    }
  g_byte_array_set_size (bytes, (guint) n);
  return g_steal_pointer (&bytes);
}

/* TF: a length that is cut off is the end of the file, a record that is cut off is damage. */
GBytes *
_flow_stream_read_record (FlowStream *self,
                          GError    **error)
{
  gint64 start = self->place;
  g_autoptr (GByteArray) header = read_checked (self, RECORD_HEADER - RECORD_FOOTER, error);
  g_autoptr (GError) failure = NULL;
  gint64 left = _flow_stream_count_left (self);
  GByteArray *payload = NULL;
  guint64 length;

  if (header == NULL)
    return NULL;
  length = (guint64) little_32 (header->data) | (guint64) little_32 (header->data + 4) << 32;
  if (left < 0 || length <= (guint64) left)
    {
      if (length > MAX_STRING)
        {
          allow (self, G_MAXSIZE, error);
          return NULL;
        }
      payload = read_checked (self, (gsize) length, &failure);
    }
  if (payload != NULL)
    return g_byte_array_free_to_bytes (payload);
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "truncated record at %" G_GINT64_FORMAT, start);
  return NULL;
}
