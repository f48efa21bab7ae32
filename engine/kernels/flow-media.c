/* flow-media.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-media-private.h"

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
           int           channels)
{
  static const int color_types[] = { 0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA };

  if (setjmp (png_jmpbuf (png)) != 0)
    return FALSE;
  png_set_write_fn (png, out, write_png_data, flush_png_data);
  png_set_compression_level (png, -1);
  png_set_compression_mem_level (png, 9);
  png_set_IHDR (png, info, (png_uint_32) width, (png_uint_32) height, 8, color_types[channels], PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info (png, info);
  for (gint64 y = 0; y < height; y++)
    png_write_row (png, pixels + y * width * channels);
  png_write_end (png, NULL);
  return TRUE;
}

GBytes *
_flow_encode_png (const guint8  *pixels,
                  gint64         width,
                  gint64         height,
                  int            channels,
                  GError       **error)
{
  GByteArray *out = g_byte_array_new ();
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, png_failed, png_warned);
  png_infop info = png != NULL ? png_create_info_struct (png) : NULL;
  gboolean ok = info != NULL && width <= PNG_UINT_31_MAX && height <= PNG_UINT_31_MAX &&
                write_png (png, info, out, pixels, width, height, channels);

  png_destroy_write_struct (&png, &info);
  if (ok)
    return g_byte_array_free_to_bytes (out);
  g_byte_array_unref (out);
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "PNG encoding failed");
  return NULL;
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
                  float         sample_rate,
                  GError      **error)
{
  guint32 rate = (guint32) llrintf (sample_rate);
  gint64 n_bytes;
  guint8 *data;

  if (rate == 0)
    return _flow_refuse (error, "sample_rate must be in (0, 2^32), got: 0"), NULL;
  if (n_channels <= 0 || n_channels >= 65536)
    return _flow_refuse (error, "num_channels must be in (0, 2^16), got: %" G_GINT64_FORMAT, n_channels), NULL;
  if (n_frames <= 0)
    return _flow_refuse (error, "num_frames must be positive."), NULL;
  if (!flow_mul_int64 (n_frames, n_channels * 2, &n_bytes) || n_bytes > (gint64) G_MAXUINT32 - WAV_HEADER_BYTES ||
      (guint64) rate * (guint64) n_channels * 2 > G_MAXUINT32)
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
  put_32 (data + 24, rate);
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
