/* flow-kernels-image_decode.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The pixels of picture files. Which format a file has its first bytes say, not the op: DecodePng reads
 * JPEG as well.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-media-private.h"
#include "flow-picture-private.h"
#include "flow-string-private.h"

#include <string.h>

/* TensorFlow's bounds of one picture's side and of all its channels. */
#define MAX_SIDE (G_GINT64_CONSTANT (1) << 27)
#define MAX_CELLS (G_GINT64_CONSTANT (1) << 29)

/* An execution: where the pixels are to go. */
typedef struct {
  FlowKernelContext *c;
  gboolean frames;             /* DecodeGif: a dim for the frames, be it one */
  FlowDType dtype;             /* of the pixels */
  FlowTensor **aside;          /* nullable: the pixels are to be worked on there, whatever their number of dims */
  GError **error;
} Target;

static gboolean
is_gif_op (const FlowOpSignature *signature)
{
  return flow_op_signature_find_attr (signature, "channels") == NULL;
}

/* --- Shapes -------------------------------------------------------------------------------------------------- */

static gboolean
infer_decode (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) scalar = NULL;
  FlowShape *out;
  gint64 channels;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 0, &scalar, error))
    return FALSE;
  channels = is_gif_op (c->signature) ? 3 : flow_infer_attr_int (c, "channels");
  if (channels < 0)
    return _flow_refuse (error, "channels must be non-negative, got %" G_GINT64_FORMAT, channels);
  out = flow_shape_new_of_rank (is_gif_op (c->signature) ? 4 : 3);
  if (channels > 0)
    out->dims[out->rank - 1] = channels;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static gboolean
infer_crop (FlowInferContext  *c,
            GError           **error)
{
  const FlowShape *window;
  g_autoptr (FlowShape) vector = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!infer_decode (c, error) || !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &vector, error))
    return FALSE;
  window = flow_infer_value_list (c, 1);
  if (window != NULL && window->rank == 4)
    for (int i = 0; i < 2; i++)
      c->output_shapes[0]->dims[i] = MAX (window->dims[2 + i], FLOW_DIM_UNKNOWN);
  return TRUE;
}

/* --- Formats --------------------------------------------------------------------------------------------------- */

typedef enum {
  FORMAT_UNKNOWN,
  FORMAT_JPEG,
  FORMAT_PNG,
  FORMAT_GIF,
} Format;

static Format
format_of (Text text)
{
  static const char png[] = "\x89PNG\r\n\x1a\n";

  if (text.length >= 3 && memcmp (text.bytes, "\xff\xd8\xff", 3) == 0)
    return FORMAT_JPEG;
  if (text.length >= 8 && memcmp (text.bytes, png, 8) == 0)
    return FORMAT_PNG;
  return text.length >= 4 && memcmp (text.bytes, "GIF8", 4) == 0 ? FORMAT_GIF : FORMAT_UNKNOWN;
}

static gboolean
refuse_unknown (Text     text,
                GError **error)
{
  g_autofree char *start = NULL;

  if (text.length == 0)
    return _flow_refuse (error, "Expected image (JPEG, PNG, or GIF), got empty file");
  start = flow_escape_bytes (text.bytes, (gssize) MIN (text.length, 16));
  return _flow_refuse (error, "Expected image (JPEG, PNG, or GIF), got unknown format starting with '%s'", start);
}

static guint8 *
allocate_pixels (gint64   frames,
                 gint64   height,
                 gint64   width,
                 int      channels,
                 gpointer data)
{
  Target *self = data;
  const gint64 dims[] = { frames, height, width, channels };
  FlowTensor *out;

  if (self->aside != NULL)
    {
      g_autoptr (FlowShape) shape = flow_shape_new (4, dims);

      *self->aside = flow_kernel_allocate_temp (self->c, self->dtype, shape, self->error);
      return *self->aside != NULL ? (*self->aside)->data : NULL;
    }
  if (!self->frames && frames > 1)
    {
      _flow_refuse (self->error, "Got %" G_GINT64_FORMAT " frames, but animated gifs can only be decoded by "
                    "tf.image.decode_gif or tf.image.decode_image", frames);
      return NULL;
    }
  out = flow_kernel_allocate_dims (self->c, 0, self->frames ? 4 : 3, dims + (self->frames ? 0 : 1), self->error);
  return out != NULL ? out->data : NULL;
}

/* --- JPEG ------------------------------------------------------------------------------------------------------ */

/* What the other ops read a JPEG with. */
static FlowJpegSettings
default_settings (void)
{
  return (FlowJpegSettings) { .ratio = 1, .fancy_upscaling = TRUE, .acceptable_fraction = 1, .fast_dct = TRUE };
}

static gboolean
check_channels (gint64    channels,
                GError  **error)
{
  FLOW_REQUIRE (channels == 0 || channels == 1 || channels == 3 || channels == 4, error, INVALID_ARGUMENT,
                "channels must be 0, 1, 3, or 4, got %" G_GINT64_FORMAT, channels);
  return TRUE;
}

static gboolean
read_settings (FlowKernelContext  *c,
               FlowJpegSettings   *s,
               GError            **error)
{
  const char *dct = flow_kernel_attr_string (c, "dct_method");
  const gint64 ratio = flow_kernel_attr_int (c, "ratio");

  if (!check_channels (flow_kernel_attr_int (c, "channels"), error))
    return FALSE;
  FLOW_REQUIRE (ratio == 1 || ratio == 2 || ratio == 4 || ratio == 8, error, INVALID_ARGUMENT,
                "ratio must be 1, 2, 4, or 8, got %" G_GINT64_FORMAT, ratio);
  FLOW_REQUIRE (g_str_equal (dct, "") || g_str_equal (dct, "INTEGER_FAST") || g_str_equal (dct, "INTEGER_ACCURATE"), error,
                INVALID_ARGUMENT, "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}");
  s->ratio = (int) ratio;
  s->fancy_upscaling = flow_kernel_attr_bool (c, "fancy_upscaling");
  s->recover_truncated = flow_kernel_attr_bool (c, "try_recover_truncated");
  s->acceptable_fraction = flow_kernel_attr_float (c, "acceptable_fraction");
  /* TF: the fast transform is the default. */
  s->fast_dct = !g_str_equal (dct, "INTEGER_ACCURATE");
  return TRUE;
}

static gboolean
read_window (FlowKernelContext  *c,
             FlowJpegSettings   *s,
             GError            **error)
{
  const FlowTensor *window = flow_kernel_input (c, 1);

  if (!flow_is_vector (window))
    return _flow_refuse_shapes (error, window, NULL, "crop_window must be 1-D, got shape %s");
  if (window->n_elements != 4)
    return _flow_refuse_shapes (error, window, NULL, "crop_size must have four elements %s");
  s->crop_y = FLOW_DATA (gint32, window)[0];
  s->crop_x = FLOW_DATA (gint32, window)[1];
  s->crop_height = FLOW_DATA (gint32, window)[2];
  s->crop_width = FLOW_DATA (gint32, window)[3];
  return TRUE;
}

static gboolean
decode_jpeg (Target            *target,
             Text               text,
             FlowJpegSettings  *settings,
             GError           **error)
{
  FLOW_REQUIRE (target->dtype == FLOW_DTYPE_UINT8, error, INVALID_ARGUMENT,
                "JPEG does not support uint16 output");
  FLOW_REQUIRE (settings->components == 0 || settings->components == 1 || settings->components == 3, error,
                INVALID_ARGUMENT, "channels must be 0, 1, or 3 for JPEG, got %d", settings->components);
  /* TF: only a JPEG file's window is looked at. */
  if (settings->crop && !read_window (target->c, settings, error))
    return FALSE;
  if (_flow_jpeg_decode (target->c, text.bytes, text.length, settings, allocate_pixels, target))
    return TRUE;
  /* The output may have been refused. */
  if (*error != NULL || g_cancellable_set_error_if_cancelled (target->c->cancellable, error))
    return FALSE;
  return _flow_refuse (error, "Invalid JPEG data or crop window, data size %" G_GSIZE_FORMAT, text.length);
}

/* --- PNG and GIF -------------------------------------------------------------------------------------------------- */

static gboolean
decode_png (Target  *target,
            Text     text,
            int      channels,
            GError **error)
{
  const int bits = target->dtype == FLOW_DTYPE_UINT16 ? 16 : 8;
  g_autoptr (FlowPngReader) reader = _flow_png_reader_new (text.bytes, text.length, channels, bits, error);
  gint64 width;
  gint64 height;
  guint8 *pixels;

  if (reader == NULL)
    return FALSE;
  _flow_png_reader_size (reader, &width, &height, &channels);
  if (width >= MAX_SIDE || height >= MAX_SIDE || width * height >= MAX_CELLS || width * height * channels >= MAX_CELLS)
    return _flow_refuse (error, "PNG size too large for int: %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT, width, height);
  pixels = allocate_pixels (1, height, width, channels, target);
  return pixels != NULL && _flow_png_reader_read (reader, pixels, error);
}

static gboolean
decode_gif (Target  *target,
            Text     text,
            int      channels,
            GError **error)
{
  g_autofree char *reason = NULL;

  FLOW_REQUIRE (target->dtype == FLOW_DTYPE_UINT8, error, INVALID_ARGUMENT, "GIF does not support uint16 output");
  FLOW_REQUIRE (channels == 0 || channels == 3, error, INVALID_ARGUMENT, "channels must be 0 or 3 for GIF, got %d", channels);
  if (_flow_gif_decode (target->c, text.bytes, text.length, allocate_pixels, target, &reason))
    return TRUE;
  if (*error != NULL || g_cancellable_set_error_if_cancelled (target->c->cancellable, error))
    return FALSE;
  return _flow_refuse (error, "Invalid GIF data (size %" G_GSIZE_FORMAT "), %s", text.length,
                       reason != NULL ? reason : "out of memory");
}

/* --- The ops --------------------------------------------------------------------------------------------------------- */

static gboolean
decode (FlowKernelContext  *c,
        FlowJpegSettings   *settings,
        GError            **error)
{
  const FlowTensor *contents = flow_kernel_input (c, 0);
  const gint64 channels = is_gif_op (c->signature) ? 3 : flow_kernel_attr_int (c, "channels");
  g_autoptr (GError) failure = NULL;
  Target target = { c, is_gif_op (c->signature), c->output_dtypes[0], NULL, &failure };
  gboolean ok;
  Text text;

  if (!check_channels (channels, error))
    return FALSE;
  if (!flow_is_scalar (contents))
    return _flow_refuse_shapes (error, contents, NULL, "contents must be scalar, got shape %s");
  text = text_at (contents, 0);
  settings->components = (int) channels;
  switch (format_of (text))
    {
    case FORMAT_JPEG:
      ok = decode_jpeg (&target, text, settings, &failure);
      break;
    case FORMAT_PNG:
      ok = decode_png (&target, text, (int) channels, &failure);
      break;
    case FORMAT_GIF:
      ok = decode_gif (&target, text, (int) channels, &failure);
      break;
    case FORMAT_UNKNOWN:
    default:
      ok = refuse_unknown (text, &failure);
      break;
    }
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&failure));
  return ok;
}

static gboolean
decode_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowJpegSettings settings = default_settings ();

  return decode (c, &settings, error);
}

static gboolean
decode_jpeg_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowJpegSettings settings = { 0 };

  return read_settings (c, &settings, error) && decode (c, &settings, error);
}

static gboolean
decode_crop_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowJpegSettings settings = { .crop = TRUE };

  return read_settings (c, &settings, error) && decode (c, &settings, error);
}

/* --- DecodeBmp -------------------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 header;               /* bytes before the pixels */
  gint64 width;
  gint64 height;
  gint64 channels;
  gint64 row;                  /* bytes, with padding */
  gboolean top_down;
} Bitmap;

static gint32
get_32 (Text  text,
        gsize at)
{
  gint32 value;

  memcpy (&value, text.bytes + at, sizeof value);
  return GINT32_FROM_LE (value);
}

static gboolean
read_bitmap (Text      text,
             gint64    channels,
             Bitmap   *self,
             GError  **error)
{
  gint64 bytes_per_pixel;
  gint64 last;

  FLOW_REQUIRE (text.length >= 32, error, INVALID_ARGUMENT,
                "Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and bpp, got %"
                G_GSIZE_FORMAT " bytes", text.length);
  self->header = get_32 (text, 10);
  self->width = get_32 (text, 18);
  self->height = get_32 (text, 22);
  bytes_per_pixel = (gint16) get_32 (text, 28) / 8;
  FLOW_REQUIRE (channels == 0 || channels == bytes_per_pixel, error, INVALID_ARGUMENT,
                "channels attribute %" G_GINT64_FORMAT " does not match bits per pixel from file %" G_GINT64_FORMAT, channels,
                bytes_per_pixel);
  self->channels = channels != 0 ? channels : bytes_per_pixel;
  FLOW_REQUIRE (self->channels == 1 || self->channels == 3 || self->channels == 4, error, INVALID_ARGUMENT,
                "Number of channels must be 1, 3 or 4, was %" G_GINT64_FORMAT, self->channels);
  FLOW_REQUIRE (self->width > 0, error, INVALID_ARGUMENT, "Width must be positive");
  FLOW_REQUIRE (self->height != 0, error, INVALID_ARGUMENT, "Height must be nonzero");
  FLOW_REQUIRE (self->header >= 0, error, INVALID_ARGUMENT, "header size must be nonnegative");
  self->top_down = self->height < 0;
  self->height = ABS (self->height);
  FLOW_REQUIRE (self->width * self->height < G_MAXINT32 / 8, error, INVALID_ARGUMENT,
                "Total possible pixel bytes must be less than 2^30");
  self->row = (self->channels * self->width + 3) / 4 * 4;
  last = self->header + (self->height - 1) * self->row + self->width * self->channels;
  FLOW_REQUIRE (last <= (gint64) text.length, error, INVALID_ARGUMENT,
                "Incomplete bmp content, requires at least %" G_GINT64_FORMAT " bytes, got %" G_GSIZE_FORMAT " bytes", last,
                text.length);
  return TRUE;
}

static void
read_pixels (const Bitmap *bmp,
             Text          text,
             guint8       *to)
{
  for (gint64 y = 0; y < bmp->height; y++)
    {
      const gint64 row = bmp->top_down ? y : bmp->height - 1 - y;
      const guint8 *from = (const guint8 *) text.bytes + bmp->header + row * bmp->row;

      for (gint64 x = 0; x < bmp->width; x++, from += bmp->channels, to += bmp->channels)
        {
          memcpy (to, from, (gsize) bmp->channels);
          /* Blue comes first in the file. */
          if (bmp->channels >= 3)
            {
              to[0] = from[2];
              to[2] = from[0];
            }
        }
    }
}

static gboolean
decode_bmp_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *contents = flow_kernel_input (c, 0);
  const gint64 channels = flow_kernel_attr_int (c, "channels");
  FlowTensor *out;
  Bitmap bmp;
  Text text;

  FLOW_REQUIRE (channels == 0 || channels == 1 || channels == 3 || channels == 4, error, INVALID_ARGUMENT,
                "channels must be 0, 1, 3 or 4, got %" G_GINT64_FORMAT, channels);
  if (!flow_is_scalar (contents))
    return _flow_refuse_shapes (error, contents, NULL, "contents must be scalar, got shape %s");
  text = text_at (contents, 0);
  if (!read_bitmap (text, channels, &bmp, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 3, (gint64[]) { bmp.height, bmp.width, bmp.channels }, error);
  if (out == NULL)
    return FALSE;
  read_pixels (&bmp, text, out->data);
  return TRUE;
}

/* --- DecodeImage (TF 2) ------------------------------------------------------------------------------------------------ */

static gboolean
infer_image (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) scalar = NULL;
  gint64 channels;
  FlowShape *out;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 0, &scalar, error))
    return FALSE;
  channels = flow_infer_attr_int (c, "channels");
  if (channels < 0)
    return _flow_refuse (error, "channels must be non-negative, got %" G_GINT64_FORMAT, channels);
  /* Whether there are frames only the file tells. */
  out = flow_infer_attr_bool (c, "expand_animations") ? flow_shape_new_unknown () : flow_shape_new_of_rank (3);
  if (out->rank == 3 && channels > 0)
    out->dims[2] = channels;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

/* Of any format, as bytes or, of a PNG where more is asked for, as words. */
static gboolean
decode_any (Target  *target,
            Text     text,
            int      channels,
            GError **error)
{
  FlowJpegSettings settings = default_settings ();
  Bitmap bmp;
  guint8 *to;

  settings.components = channels;
  switch (format_of (text))
    {
    case FORMAT_JPEG:
      return decode_jpeg (target, text, &settings, error);
    case FORMAT_PNG:
      if (target->c->output_dtypes[0] != FLOW_DTYPE_UINT8)
        target->dtype = FLOW_DTYPE_UINT16;
      return decode_png (target, text, channels, error);
    case FORMAT_GIF:
      return decode_gif (target, text, channels, error);
    case FORMAT_UNKNOWN:
    default:
      if (text.length < 2 || memcmp (text.bytes, "BM", 2) != 0)
        return _flow_refuse (error, "Unknown image file format. One of JPEG, PNG, GIF, BMP required.");
      if (!read_bitmap (text, channels, &bmp, error)
          || (to = allocate_pixels (1, bmp.height, bmp.width, (int) bmp.channels, target)) == NULL)
        return FALSE;
      read_pixels (&bmp, text, to);
      return TRUE;
    }
}

/* Bytes become words by their upper half, and both the part of 1 that they are. */
static void
convert_pixels (const FlowTensor *pixels,
                FlowTensor       *out)
{
  gint64 n = out->n_elements;

  if (out->dtype == pixels->dtype)
    memcpy (out->data, pixels->data, out->n_bytes);
  else if (out->dtype == FLOW_DTYPE_UINT16)
    for (gint64 i = 0; i < n; i++)
      FLOW_WRITABLE (guint16, out)[i] = (guint16) (FLOW_DATA (guint8, pixels)[i] * 256);
  else if (pixels->dtype == FLOW_DTYPE_UINT8)
    for (gint64 i = 0; i < n; i++)
      FLOW_WRITABLE (float, out)[i] = (float) FLOW_DATA (guint8, pixels)[i] * (1.0f / 255.0f);
  else
    for (gint64 i = 0; i < n; i++)
      FLOW_WRITABLE (float, out)[i] = (float) FLOW_DATA (guint16, pixels)[i] * (1.0f / 65535.0f);
}

static gboolean
decode_image_compute (FlowKernelContext  *c,
                      GError            **error)
{
  const FlowTensor *contents = flow_kernel_input (c, 0);
  const gint64 channels = flow_kernel_attr_int (c, "channels");
  g_autoptr (FlowTensor) pixels = NULL;
  g_autoptr (GError) failure = NULL;
  Target target = { c, TRUE, FLOW_DTYPE_UINT8, &pixels, &failure };
  FlowTensor *out;
  gboolean frames;
  Text text;

  FLOW_REQUIRE (channels == 0 || channels == 1 || channels == 3 || channels == 4, error, INVALID_ARGUMENT,
                "`channels` must be 0, 1, 3 or 4 but got %" G_GINT64_FORMAT, channels);
  if (!flow_is_scalar (contents))
    return _flow_refuse_shapes (error, contents, NULL, "`contents` must be scalar but got shape%s");
  text = text_at (contents, 0);
  if (text.length == 0)
    return _flow_refuse (error, "Input is empty.");
  if (!decode_any (&target, text, (int) channels, &failure))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  frames = format_of (text) == FORMAT_GIF && flow_kernel_attr_bool (c, "expand_animations");
  out = flow_kernel_allocate_dims (c, 0, frames ? 4 : 3, FLOW_DIMS (pixels) + (frames ? 0 : 1), error);
  if (out == NULL)
    return FALSE;
  convert_pixels (pixels, out);
  return TRUE;
}

/* --- ExtractJpegShape ---------------------------------------------------------------------------------------------------- */

static gboolean
infer_jpeg_shape (FlowInferContext  *c,
                  GError           **error)
{
  g_autoptr (FlowShape) scalar = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 0, &scalar, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (3));
  return TRUE;
}

static gboolean
jpeg_shape_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *contents = flow_kernel_input (c, 0);
  FlowTensor *out;
  int dims[3];
  Text text;

  if (!flow_is_scalar (contents))
    return _flow_refuse_shapes (error, contents, NULL, "contents must be scalar, got shape %s");
  text = text_at (contents, 0);
  if (!_flow_jpeg_size (text.bytes, text.length, &dims[1], &dims[0], &dims[2]))
    return _flow_refuse (error, "Invalid JPEG data, size %" G_GSIZE_FORMAT, text.length);
  if ((out = flow_kernel_allocate_dims (c, 0, 1, (gint64[]) { 3 }, error)) == NULL)
    return FALSE;
  for (int i = 0; i < 3; i++)
    if (out->dtype == FLOW_DTYPE_INT32)
      FLOW_WRITABLE (gint32, out)[i] = dims[i];
    else
      FLOW_WRITABLE (gint64, out)[i] = dims[i];
  return TRUE;
}

/* --- the table -------------------------------------------------------------------------------------------------------------- */

static const FlowKernelDef decode_kernels[] = { { NULL, decode_compute }, { NULL } };
static const FlowKernelDef decode_jpeg_kernels[] = { { NULL, decode_jpeg_compute }, { NULL } };
static const FlowKernelDef decode_crop_kernels[] = { { NULL, decode_crop_compute }, { NULL } };
static const FlowKernelDef decode_bmp_kernels[] = { { NULL, decode_bmp_compute }, { NULL } };
static const FlowKernelDef decode_image_kernels[] = { { "dtype: uint8 uint16 float", decode_image_compute }, { NULL } };
static const FlowKernelDef jpeg_shape_kernels[] = { { "output_type: int32 int64", jpeg_shape_compute }, { NULL } };

#define JPEG_ATTRS                                                                            \
  "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; "                         \
  "try_recover_truncated: bool = false; acceptable_fraction: float = 1; dct_method: string = ''"

static const FlowOpDef ops[] = {
  { .name = "DecodeAndCropJpeg", .inputs = "contents: string; crop_window: int32", .outputs = "image: uint8",
    .attrs = JPEG_ATTRS, .summary = "The pixels of a part of a JPEG picture", .family = FLOW_OP_FAMILY_IO,
    .infer = infer_crop, .kernels = decode_crop_kernels },
  { .name = "DecodeBmp", .inputs = "contents: string", .outputs = "image: uint8", .attrs = "channels: int = 0",
    .summary = "The pixels of a BMP picture", .family = FLOW_OP_FAMILY_IO, .infer = infer_decode,
    .kernels = decode_bmp_kernels },
  { .name = "DecodeGif", .inputs = "contents: string", .outputs = "image: uint8", .attrs = "",
    .summary = "The pixels of all frames of a GIF picture", .family = FLOW_OP_FAMILY_IO, .infer = infer_decode,
    .kernels = decode_kernels },
  { .name = "DecodeImage", .inputs = "contents: string", .outputs = "image: dtype",
    .attrs = "channels: int = 0; dtype: {uint8, uint16, float} = DT_UINT8; expand_animations: bool = true",
    .summary = "The pixels of a JPEG, PNG, GIF or BMP picture", .family = FLOW_OP_FAMILY_IO, .infer = infer_image,
    .kernels = decode_image_kernels },
  { .name = "DecodeJpeg", .inputs = "contents: string", .outputs = "image: uint8", .attrs = JPEG_ATTRS,
    .summary = "The pixels of a JPEG picture", .family = FLOW_OP_FAMILY_IO, .infer = infer_decode,
    .kernels = decode_jpeg_kernels },
  { .name = "DecodePng", .inputs = "contents: string", .outputs = "image: dtype",
    .attrs = "channels: int = 0; dtype: {uint8, uint16} = DT_UINT8", .summary = "The pixels of a PNG picture",
    .family = FLOW_OP_FAMILY_IO, .infer = infer_decode, .kernels = decode_kernels },
  { .name = "ExtractJpegShape", .inputs = "contents: string", .outputs = "image_shape: output_type",
    .attrs = "output_type: {int32, int64} = DT_INT32", .summary = "Height, width and channels of a JPEG picture",
    .family = FLOW_OP_FAMILY_IO, .infer = infer_jpeg_shape, .kernels = jpeg_shape_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_decode, ops)
