/* flow-unpack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

#include <lzma.h>
#include <string.h>

/* Output grows by doubling from here: a bomb stops at the budget, not at the end of memory. */
#define FIRST_CHUNK (64 * 1024)
/* What xz may take for itself: its highest preset needs 65 MiB. */
#define XZ_MEMORY (128 * 1024 * 1024)

static const guint8 gzip_magic[] = { 0x1f, 0x8b };
static const guint8 xz_magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0x00 };

typedef struct {
  guint8 *data;
  gsize size;
  gsize allocated;
  gsize limit;
} Output;

/* Makes room for more output; FALSE at the limit. */
static gboolean
grow (Output      *out,
      const char  *label,
      GError     **error)
{
  gsize wanted = MAX (out->allocated * 2, FIRST_CHUNK);
  guint8 *data;

  wanted = MIN (wanted, out->limit);
  data = wanted > out->allocated ? g_try_realloc (out->data, wanted) : NULL;
  if (data == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "%s; unpacked it is larger than the limit of %" G_GSIZE_FORMAT " bytes",
                   label, out->limit);
      return FALSE;
    }
  out->data = data;
  out->allocated = wanted;
  return TRUE;
}

static gboolean
unpack_gzip (GBytes      *bytes,
             Output      *out,
             const char  *label,
             GError     **error)
{
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  gsize size;
  const guint8 *in = g_bytes_get_data (bytes, &size);
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result != G_CONVERTER_FINISHED)
    {
      g_autoptr (GError) local = NULL;
      gsize n_read = 0;
      gsize n_written = 0;

      if (out->size == out->allocated && !grow (out, label, error))
        return FALSE;
      result = g_converter_convert (G_CONVERTER (decompressor), in, size, out->data + out->size,
                                    out->allocated - out->size, G_CONVERTER_INPUT_AT_END,
                                    &n_read, &n_written, &local);
      if (result == G_CONVERTER_ERROR && g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
        {
          if (!grow (out, label, error))
            return FALSE;
          continue;
        }
      if (result == G_CONVERTER_ERROR)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s; gzip data: %s, at byte %"
                       G_GSIZE_FORMAT, label, local->message, (gsize) (g_bytes_get_size (bytes) - size));
          return FALSE;
        }
      in += n_read;
      size -= n_read;
      out->size += n_written;
    }
  return TRUE;
}

static gboolean
unpack_xz (GBytes      *bytes,
           Output      *out,
           const char  *label,
           GError     **error)
{
  lzma_stream stream = LZMA_STREAM_INIT;
  gsize size;
  const guint8 *in = g_bytes_get_data (bytes, &size);
  lzma_ret result;

  result = lzma_stream_decoder (&stream, XZ_MEMORY, LZMA_CONCATENATED);
  stream.next_in = in;
  stream.avail_in = size;
  while (result == LZMA_OK)
    {
      if (out->size == out->allocated && !grow (out, label, error))
        {
          lzma_end (&stream);
          return FALSE;
        }
      stream.next_out = out->data + out->size;
      stream.avail_out = out->allocated - out->size;
      result = lzma_code (&stream, LZMA_FINISH);
      out->size = (gsize) (stream.next_out - out->data);
      /* Output was full, not input short. */
      if (result == LZMA_BUF_ERROR && stream.avail_out == 0)
        result = LZMA_OK;
    }
  size = (gsize) stream.total_in;
  lzma_end (&stream);
  if (result == LZMA_STREAM_END)
    return TRUE;
  if (result == LZMA_MEMLIMIT_ERROR || result == LZMA_MEM_ERROR)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                 "%s; unpacking its xz data takes more than %d bytes", label, XZ_MEMORY);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s; xz data is damaged at byte %"
                 G_GSIZE_FORMAT, label, size);
  return FALSE;
}

/* Replaces @bytes by what is packed in them, if they are gzip or xz. */
gboolean
_flow_unpack (GBytes      **bytes,
              const char   *label,
              FlowBudget   *budget,
              GError      **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (*bytes, &size);
  Output out = { NULL, 0, 0, 0 };
  gboolean is_gzip = size >= sizeof gzip_magic && memcmp (data, gzip_magic, sizeof gzip_magic) == 0;
  gboolean is_xz = size >= sizeof xz_magic && memcmp (data, xz_magic, sizeof xz_magic) == 0;

  if (!is_gzip && !is_xz)
    return TRUE;
  out.limit = (gsize) MIN (flow_budget_get_limit (budget), FLOW_PROTO_MAX_SIZE);
  if (is_gzip ? !unpack_gzip (*bytes, &out, label, error) : !unpack_xz (*bytes, &out, label, error))
    {
      g_free (out.data);
      return FALSE;
    }
  g_bytes_unref (*bytes);
  *bytes = g_bytes_new_take (out.data, out.size);
  return TRUE;
}
