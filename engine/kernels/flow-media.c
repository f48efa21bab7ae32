/* flow-media.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-media-private.h"
#include "flow-picture.h"

#include "flow-array-private.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

/* --- PNG, by the library and with the settings that TensorFlow uses ------------------------------------ */

static void
write_png_data (png_structp png,
                png_bytep   data,
                png_size_t  length)
{
  g_byte_array_append (png_get_io_ptr (png), data, (guint) length);
}

static void
flush_png_data (png_structp png)
{
}

static void
png_failed (png_structp     png,
            png_const_charp message)
{
  longjmp (png_jmpbuf (png), 1);
}

static void
png_warned (png_structp     png,
            png_const_charp message)
{
}

static gboolean
write_png (png_structp   png,
           png_infop     info,
           GByteArray   *out,
           const guint8 *pixels,
           gint64        width,
           gint64        height,
           int           channels,
           int           channel_bits,
           int           compression)
{
  static const int color_types[] = {
    0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA,
  };

  if (setjmp (png_jmpbuf (png)) != 0)
    return FALSE;
  png_set_write_fn (png, out, write_png_data, flush_png_data);
  png_set_compression_level (png, compression);
  png_set_compression_mem_level (png, 9);
  png_set_IHDR (png, info, (png_uint_32) width, (png_uint_32) height, channel_bits, color_types[channels],
                PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info (png, info);
  if (channel_bits == 16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
  for (gint64 y = 0; y < height; y++)
    png_write_row (png, pixels + y * width * channels * (channel_bits / 8));
  png_write_end (png, NULL);
  return TRUE;
}

GBytes *
_flow_encode_png (gconstpointer  pixels,
                  gint64         width,
                  gint64         height,
                  int            channels,
                  int            channel_bits,
                  int            compression,
                  GError       **error)
{
  GByteArray *out = g_byte_array_new ();
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, png_failed, png_warned);
  png_infop info = png != NULL ? png_create_info_struct (png) : NULL;
  gboolean ok = info != NULL && width <= PNG_UINT_31_MAX && height <= PNG_UINT_31_MAX &&
                write_png (png, info, out, pixels, width, height, channels, channel_bits, compression);

  png_destroy_write_struct (&png, &info);
  if (ok)
    return g_byte_array_free_to_bytes (out);
  g_byte_array_unref (out);
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "PNG encoding failed");
  return NULL;
}

struct _FlowPngReader {
  png_structp png;
  png_infop info;
  const char *data;
  gsize n_bytes;
  gsize n_read;
  int channels;
  int channel_bits;
  gboolean widen;              /* the file has 8 bits where 16 are wanted */
};

static void
read_png_data (png_structp png,
               png_bytep   data,
               png_size_t  length)
{
  FlowPngReader *self = png_get_io_ptr (png);

  if (length > self->n_bytes - self->n_read)
    png_error (png, "the data ends early");
  memcpy (data, self->data + self->n_read, length);
  self->n_read += length;
}

/* The order and the weights of the conversions are TensorFlow's (core/lib/png/png_io.cc). */
static gboolean
read_png_header (FlowPngReader *self)
{
  int depth;
  int type;
  gboolean clear;

  if (setjmp (png_jmpbuf (self->png)) != 0)
    return FALSE;
  png_set_read_fn (self->png, self, read_png_data);
  png_read_info (self->png, self->info);
  depth = png_get_bit_depth (self->png, self->info);
  type = png_get_color_type (self->png, self->info);
  clear = png_get_valid (self->png, self->info, PNG_INFO_tRNS) != 0;
  if (self->channels == 0)
    self->channels = type == PNG_COLOR_TYPE_PALETTE ? (clear ? 4 : 3) : png_get_channels (self->png, self->info);
  if (self->channels % 2 == 1)
    png_set_strip_alpha (self->png);
  else if (clear)
    png_set_tRNS_to_alpha (self->png);
  else if ((type & PNG_COLOR_MASK_ALPHA) == 0)
    png_set_add_alpha (self->png, (1u << depth) - 1, PNG_FILLER_AFTER);
  if (depth > 8 && self->channel_bits == 8)
    png_set_strip_16 (self->png);
  self->widen = depth <= 8 && self->channel_bits == 16;
  png_set_packing (self->png);
  png_set_interlace_handling (self->png);
  if (self->channel_bits == 16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (self->png);
  if (type == PNG_COLOR_TYPE_PALETTE)
    png_set_palette_to_rgb (self->png);
  if ((type & PNG_COLOR_MASK_COLOR) == 0 && depth < 8)
    png_set_expand_gray_1_2_4_to_8 (self->png);
  if (self->channels < 3 && (type & PNG_COLOR_MASK_COLOR) != 0)
    png_set_rgb_to_gray (self->png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
  else if (self->channels >= 3 && (type & PNG_COLOR_MASK_COLOR) == 0)
    png_set_gray_to_rgb (self->png);
  png_read_update_info (self->png, self->info);
  return TRUE;
}

FlowPngReader *
_flow_png_reader_new (const char  *data,
                      gsize        n_bytes,
                      int          channels,
                      int          channel_bits,
                      GError     **error)
{
  g_autoptr (FlowPngReader) self = g_new0 (FlowPngReader, 1);

  self->data = data;
  self->n_bytes = n_bytes;
  self->channels = channels;
  self->channel_bits = channel_bits;
  self->png = png_create_read_struct (PNG_LIBPNG_VER_STRING, NULL, png_failed, png_warned);
  self->info = self->png != NULL ? png_create_info_struct (self->png) : NULL;
  if (self->info == NULL || !read_png_header (self))
    return _flow_refuse (error, "Invalid PNG header, data size %" G_GSIZE_FORMAT, n_bytes), NULL;
  return g_steal_pointer (&self);
}

void
_flow_png_reader_free (FlowPngReader *self)
{
  png_destroy_read_struct (&self->png, &self->info, NULL);
  g_free (self);
}

void
_flow_png_reader_size (FlowPngReader *self,
                       gint64        *width,
                       gint64        *height,
                       int           *channels)
{
  *width = png_get_image_width (self->png, self->info);
  *height = png_get_image_height (self->png, self->info);
  *channels = self->channels;
}

/* With all rows there, libpng puts the passes of an interlaced file together by itself. */
static gboolean
read_png_rows (FlowPngReader  *self,
               png_bytepp      rows)
{
  if (setjmp (png_jmpbuf (self->png)) != 0)
    return FALSE;
  png_read_image (self->png, rows);
  return TRUE;
}

gboolean
_flow_png_reader_read (FlowPngReader  *self,
                       gpointer        pixels,
                       GError        **error)
{
  gsize width = png_get_image_width (self->png, self->info);
  gsize height = png_get_image_height (self->png, self->info);
  gsize row_bytes = width * (gsize) self->channels * (gsize) (self->channel_bits / 8);
  g_autofree png_bytep *rows = g_try_new (png_bytep, height);
  gboolean ok;

  FLOW_REQUIRE (rows != NULL, error, RESOURCE_EXHAUSTED, "OOM when reading a PNG of %" G_GSIZE_FORMAT " rows", height);
  /* What the file leaves out must not show what was in memory before. */
  memset (pixels, 0, row_bytes * height);
  for (gsize y = 0; y < height; y++)
    rows[y] = (png_bytep) pixels + y * row_bytes;
  ok = png_get_rowbytes (self->png, self->info) <= row_bytes && read_png_rows (self, rows);
  if (!ok)
    return _flow_refuse (error, "Invalid PNG data, size %" G_GSIZE_FORMAT, self->n_bytes);
  if (self->widen)
    for (gsize y = 0; y < height; y++)
      for (gsize i = width * (gsize) self->channels; i-- > 0;)
        {
          guint16 cell = (guint16) (rows[y][i] * 257);

          memcpy (rows[y] + 2 * i, &cell, sizeof cell);
        }
  return TRUE;
}

/* --- WAV ----------------------------------------------------------------------------------------------------- */

#define WAV_HEADER_BYTES 44

static void
put_16 (guint8 *at,
        guint16 value)
{
  value = GUINT16_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

static void
put_32 (guint8 *at,
        guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (at, &value, sizeof value);
}

GBytes *
_flow_encode_wav (const float  *samples,
                  gint64        n_frames,
                  gint64        n_channels,
                  guint64       rate,
                  GError      **error)
{
  gint64 n_bytes;
  guint8 *data;

  if (rate == 0 || rate > G_MAXUINT32)
    return _flow_refuse (error, "sample_rate must be in (0, 2^32), got: %" G_GUINT64_FORMAT, rate), NULL;
  if (n_channels <= 0 || n_channels >= 65536)
    return _flow_refuse (error, "num_channels must be in (0, 2^16), got: %" G_GINT64_FORMAT, n_channels), NULL;
  if (n_frames <= 0)
    return _flow_refuse (error, "num_frames must be positive."), NULL;
  if (!flow_mul_int64 (n_frames, n_channels * 2, &n_bytes) || n_bytes > (gint64) G_MAXUINT32 - WAV_HEADER_BYTES)
    return _flow_refuse (error, "Provided channels and samples cannot be encoded as a WAV."), NULL;
  data = g_try_malloc ((gsize) n_bytes + WAV_HEADER_BYTES);
  if (data == NULL)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when encoding a sound");
      return NULL;
    }
  memcpy (data, "RIFF....WAVEfmt ", 16);
  put_32 (data + 4, (guint32) (n_bytes + WAV_HEADER_BYTES - 8));
  put_32 (data + 16, 16);
  put_16 (data + 20, 1);
  put_16 (data + 22, (guint16) n_channels);
  put_32 (data + 24, (guint32) rate);
  /* TF: what does not go into 32 bits is cut off. */
  put_32 (data + 28, (guint32) (rate * (guint64) n_channels * 2));
  put_16 (data + 32, (guint16) (n_channels * 2));
  put_16 (data + 34, 16);
  memcpy (data + 36, "data", 4);
  put_32 (data + 40, (guint32) n_bytes);
  for (gint64 i = 0; i < n_frames * n_channels; i++)
    {
      float scaled = roundf (samples[i] * 32768.0f);

      /* What is no number is silence. */
      put_16 (data + WAV_HEADER_BYTES + 2 * i,
              (guint16) (gint16) (isnan (scaled) ? 0 : CLAMP (scaled, -32768.0f, 32767.0f)));
    }
  return g_bytes_new_take (data, (gsize) n_bytes + WAV_HEADER_BYTES);
}

/* Longer sides nobody looks at. */
#define MAX_PICTURE_SIDE 32768

/**
 * flow_picture_decode:
 * @bytes: a picture as TensorFlow's summaries hold it: PNG
 * @budget: (nullable): what the pixels are asked of
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): its pixels, uint8 of the shape height, width, channels; %NULL with
 *   `FLOW_ERROR_INVALID_ARGUMENT` for what is none, `FLOW_ERROR_UNIMPLEMENTED` for another encoding,
 *   `FLOW_ERROR_RESOURCE_EXHAUSTED` if there is no room
 */
FlowTensor *
flow_picture_decode (GBytes      *bytes,
                     FlowBudget  *budget,
                     GError     **error)
{
  static const guint8 png[] = { 0x89, 'P', 'N', 'G' };
  gsize size = 0;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (FlowPngReader) reader = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  g_autoptr (FlowShape) shape = NULL;
  gint64 dims[3] = { 0, 0, 0 };
  int channels = 0;

  FLOW_REQUIRE (size > sizeof png && memcmp (data, png, sizeof png) == 0, error, UNIMPLEMENTED,
                "the picture is no PNG: save it to look at it elsewhere");
  reader = _flow_png_reader_new (data, size, 0, 8, error);
  if (reader == NULL)
    return NULL;
  _flow_png_reader_size (reader, &dims[1], &dims[0], &channels);
  FLOW_REQUIRE (dims[0] <= MAX_PICTURE_SIDE && dims[1] <= MAX_PICTURE_SIDE, error, INVALID_ARGUMENT,
                "the picture is %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT " pixels large", dims[1], dims[0]);
  dims[2] = channels;
  shape = flow_shape_new (3, dims);
  tensor = flow_tensor_new (FLOW_DTYPE_UINT8, shape, budget, error);
  if (tensor == NULL || !_flow_png_reader_read (reader, tensor->data, error))
    return NULL;
  return g_steal_pointer (&tensor);
}
