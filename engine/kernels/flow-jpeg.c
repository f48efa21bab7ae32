/* flow-jpeg.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-picture-private.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

/* Cells that a picture may have, as in TensorFlow. */
#define MAX_CELLS (G_GINT64_CONSTANT (1) << 29)
/* A progressive file refines its picture so many times at most: a small one could ask for millions. */
#define MAX_SCANS 1000

/* --- Errors ------------------------------------------------------------------------------------------------ */

typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
} Errors;

static void
leave (j_common_ptr info)
{
  longjmp (((Errors *) info->err)->escape, 1);
}

static void
say_nothing (j_common_ptr info)
{
}

static void
errors_init (Errors *self)
{
  jpeg_std_error (&self->manager);
  self->manager.error_exit = leave;
  self->manager.output_message = say_nothing;
}

/* --- Where the bytes come from ------------------------------------------------------------------------------- */

typedef struct {
  struct jpeg_source_mgr manager;
  gboolean recover;
} Source;

static const JOCTET end_of_image[] = { 0xff, JPEG_EOI };

static void
source_begin (j_decompress_ptr info)
{
}

/* At the end of a file that is cut off, an end is made up if the person asked for it; else the reading
 * stops where it is. */
static boolean
source_fill (j_decompress_ptr info)
{
  Source *self = (Source *) info->src;

  if (!self->recover || self->manager.next_input_byte == end_of_image + sizeof end_of_image)
    return FALSE;
  self->manager.next_input_byte = end_of_image;
  self->manager.bytes_in_buffer = sizeof end_of_image;
  return TRUE;
}

static void
source_skip (j_decompress_ptr info,
             long             n_bytes)
{
  struct jpeg_source_mgr *source = info->src;
  const size_t n = n_bytes > 0 ? MIN ((size_t) n_bytes, source->bytes_in_buffer) : 0;

  source->next_input_byte += n;
  source->bytes_in_buffer -= n;
}

static void
source_init (Source     *self,
             const char *data,
             gsize       n_bytes,
             gboolean    recover)
{
  self->manager.next_input_byte = (const JOCTET *) data;
  self->manager.bytes_in_buffer = n_bytes;
  self->manager.init_source = source_begin;
  self->manager.fill_input_buffer = source_fill;
  self->manager.skip_input_data = source_skip;
  self->manager.resync_to_restart = jpeg_resync_to_restart;
  self->manager.term_source = source_begin;
  self->recover = recover;
}

typedef struct {
  struct jpeg_progress_mgr manager;
  GCancellable *cancellable;
} Progress;

static void
watch (j_common_ptr info)
{
  Progress *self = (Progress *) info->progress;

  if (g_cancellable_is_cancelled (self->cancellable) ||
      (info->is_decompressor && ((j_decompress_ptr) info)->input_scan_number > MAX_SCANS))
    leave (info);
}

/* --- Decoding -------------------------------------------------------------------------------------------------- */

/* All of a reading: longjmp() leaves locals undefined, members of this are not. */
typedef struct {
  struct jpeg_decompress_struct info;
  Errors errors;
  Source source;
  Progress progress;
  FlowBudget *budget;
  gsize reserved;
  const FlowJpegSettings *settings;
  int components;
  gint64 top;                  /* of what is kept of the picture */
  gint64 left;
  gint64 height;
  gint64 width;
  gint64 rows_read;
  guint8 *pixels;
  guint8 *line;
  FlowPixelsFunc allocate;
  gpointer user_data;
} Reader;

/* Reads the header and says how to convert; FALSE for what TensorFlow does not read. */
static gboolean
begin_reading (Reader *self)
{
  struct jpeg_decompress_struct *info = &self->info;
  const FlowJpegSettings *s = self->settings;

  if (jpeg_read_header (info, TRUE) != JPEG_HEADER_OK)
    return FALSE;
  self->components = s->components != 0 ? s->components : MIN (info->num_components, 3);
  if (self->components == 1)
    info->out_color_space = JCS_GRAYSCALE;
  else if (self->components != 3)
    return FALSE;
  else if (info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK)
    info->out_color_space = JCS_CMYK;
  else
    info->out_color_space = JCS_RGB;
  info->do_fancy_upsampling = s->fancy_upscaling;
  info->scale_num = 1;
  info->scale_denom = (unsigned int) s->ratio;
  info->dct_method = s->fast_dct ? JDCT_IFAST : JDCT_ISLOW;
  jpeg_calc_output_dimensions (info);
  return info->output_width > 0 && info->output_height > 0 &&
         (gint64) info->output_height * info->output_width * info->num_components < MAX_CELLS;
}

/* The library keeps all coefficients of a progressive file in memory. */
static gboolean
reserve_memory (Reader *self)
{
  const gsize n_bytes = (gsize) self->info.image_width * self->info.image_height * (gsize) self->info.num_components *
                        sizeof (JCOEF);

  if (self->budget == NULL || !jpeg_has_multiple_scans (&self->info))
    return TRUE;
  if (!flow_budget_reserve (self->budget, n_bytes))
    return FALSE;
  self->reserved = n_bytes;
  return TRUE;
}

static gboolean
place_crop (Reader *self)
{
  const FlowJpegSettings *s = self->settings;
  const gint64 width = self->info.output_width;
  const gint64 height = self->info.output_height;

  self->width = width;
  self->height = height;
  if (!s->crop)
    return TRUE;
  self->left = s->crop_x;
  self->top = s->crop_y;
  self->width = s->crop_width;
  self->height = s->crop_height;
  return s->crop_width > 0 && s->crop_height > 0 && s->crop_x >= 0 && s->crop_y >= 0 &&
         s->crop_x + s->crop_width <= width && s->crop_y + s->crop_height <= height;
}

/* One line as the picture has it to where it goes. */
static void
convert_line (Reader *self,
              guint8 *out)
{
  const guint8 *line = self->line;

  if (self->info.out_color_space != JCS_CMYK)
    {
      memcpy (out, line + self->left * self->components, (gsize) (self->width * self->components));
      return;
    }
  line += 4 * self->left;
  for (gint64 i = 0; i < self->width; i++, line += 4)
    for (int k = 0; k < 3; k++)
      out[3 * i + k] = (guint8) (self->info.saw_Adobe_marker ? line[3] * line[k] / 255
                                 : (255 - line[3]) * (255 - line[k]) / 255);
}

/* The library's crop starts at a block's edge: a little more than asked is read. */
static void
narrow_to_crop (Reader *self)
{
  JDIMENSION left = (JDIMENSION) self->left;
  JDIMENSION width = (JDIMENSION) self->width;

  jpeg_crop_scanline (&self->info, &left, &width);
  self->left = (gint64) self->info.output_width - self->width;
  if (left + self->left != self->settings->crop_x)
    self->left = self->settings->crop_x - left;
  jpeg_skip_scanlines (&self->info, (JDIMENSION) self->top);
}

static void
read_lines (Reader *self)
{
  const gint64 stride = self->width * self->components;
  guint8 *out = self->pixels;

  for (gint64 y = 0; y < self->height; y++, out += stride)
    {
      JSAMPROW row = self->line;

      if (jpeg_read_scanlines (&self->info, &row, 1) == 0)
        {
          if (self->settings->recover_truncated)
            {
              for (gint64 rest = y; rest < self->height; rest++, out += stride)
                if (rest == 0)
                  memset (out, 0, (gsize) stride);
                else
                  memcpy (out, out - stride, (gsize) stride);
              self->rows_read = self->height;
            }
          return;
        }
      convert_line (self, out);
      self->rows_read = y + 1;
    }
}

static gboolean
read_picture (Reader *self)
{
  gsize line_bytes;

  if (setjmp (self->errors.escape) != 0)
    return FALSE;
  jpeg_create_decompress (&self->info);
  self->info.src = &self->source.manager;
  self->info.progress = &self->progress.manager;
  if (!begin_reading (self) || !reserve_memory (self) || !jpeg_start_decompress (&self->info) || !place_crop (self))
    return FALSE;
  if (self->settings->crop)
    narrow_to_crop (self);
  line_bytes = (gsize) self->info.output_width * (gsize) self->info.output_components;
  self->line = g_try_malloc0 (line_bytes);
  self->pixels = self->line != NULL ? self->allocate (1, self->height, self->width, self->components, self->user_data)
                                    : NULL;
  if (self->pixels == NULL)
    return FALSE;
  memset (self->pixels, 0, (gsize) (self->height * self->width * self->components));
  read_lines (self);
  return TRUE;
}

gboolean
_flow_jpeg_decode (FlowKernelContext      *c,
                   const char             *data,
                   gsize                   n_bytes,
                   const FlowJpegSettings *settings,
                   FlowPixelsFunc          allocate,
                   gpointer                user_data)
{
  Reader *self = g_new0 (Reader, 1);
  gboolean ok;

  errors_init (&self->errors);
  source_init (&self->source, data, n_bytes, settings->recover_truncated);
  self->progress.manager.progress_monitor = watch;
  self->progress.cancellable = c->cancellable;
  self->info.err = &self->errors.manager;
  self->budget = c->budget;
  self->settings = settings;
  self->allocate = allocate;
  self->user_data = user_data;
  ok = n_bytes > 0 && read_picture (self);
  /* An error in the middle of the picture is bad data; the lines read before it do not save it. */
  ok = ok && (float) self->rows_read >= (float) self->height * MIN (1.0f, settings->acceptable_fraction);
  jpeg_destroy_decompress (&self->info);
  if (self->reserved > 0)
    flow_budget_release (self->budget, self->reserved);
  g_free (self->line);
  g_free (self);
  return ok;
}

static gboolean
read_size (Reader *self)
{
  if (setjmp (self->errors.escape) != 0)
    return FALSE;
  jpeg_create_decompress (&self->info);
  self->info.src = &self->source.manager;
  if (jpeg_read_header (&self->info, TRUE) != JPEG_HEADER_OK)
    return FALSE;
  jpeg_calc_output_dimensions (&self->info);
  return TRUE;
}

gboolean
_flow_jpeg_size (const char *data,
                 gsize       n_bytes,
                 int        *width,
                 int        *height,
                 int        *components)
{
  Reader *self = g_new0 (Reader, 1);
  gboolean ok;

  errors_init (&self->errors);
  source_init (&self->source, data, n_bytes, FALSE);
  self->info.err = &self->errors.manager;
  ok = n_bytes > 0 && read_size (self);
  *width = (int) self->info.output_width;
  *height = (int) self->info.output_height;
  *components = self->info.num_components;
  jpeg_destroy_decompress (&self->info);
  g_free (self);
  return ok;
}

/* --- Encoding --------------------------------------------------------------------------------------------------- */

typedef struct {
  struct jpeg_compress_struct info;
  Errors errors;
  unsigned char *buffer;       /* grows in the library's hands */
  unsigned long n_bytes;
} Writer;

/* XMP stands in an APP1 segment after its name. */
static void
write_metadata (Writer                 *self,
                const FlowJpegEncoding *encoding)
{
  static const char name[] = "http://ns.adobe.com/xap/1.0/";

  jpeg_write_m_header (&self->info, JPEG_APP0 + 1, (unsigned int) (sizeof name + encoding->n_metadata));
  for (gsize i = 0; i < sizeof name; i++)
    jpeg_write_m_byte (&self->info, name[i]);
  for (gsize i = 0; i < encoding->n_metadata; i++)
    jpeg_write_m_byte (&self->info, (guint8) encoding->metadata[i]);
}

static gboolean
write_picture (Writer                 *self,
               const guint8           *pixels,
               int                     width,
               int                     height,
               const FlowJpegEncoding *encoding)
{
  struct jpeg_compress_struct *info = &self->info;
  const gsize stride = (gsize) width * (encoding->grayscale ? 1 : 3);

  if (setjmp (self->errors.escape) != 0)
    return FALSE;
  jpeg_create_compress (info);
  jpeg_mem_dest (info, &self->buffer, &self->n_bytes);
  info->image_width = (JDIMENSION) width;
  info->image_height = (JDIMENSION) height;
  info->input_components = encoding->grayscale ? 1 : 3;
  info->in_color_space = encoding->grayscale ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults (info);
  info->optimize_coding = encoding->optimize;
  info->density_unit = encoding->per_cm ? 2 : 1;
  info->X_density = (UINT16) encoding->x_density;
  info->Y_density = (UINT16) encoding->y_density;
  jpeg_set_quality (info, encoding->quality, TRUE);
  if (encoding->progressive)
    jpeg_simple_progression (info);
  for (int i = 0; i < info->num_components && !encoding->downsample; i++)
    {
      info->comp_info[i].h_samp_factor = 1;
      info->comp_info[i].v_samp_factor = 1;
    }
  jpeg_start_compress (info, TRUE);
  if (encoding->n_metadata > 0)
    write_metadata (self, encoding);
  while (info->next_scanline < info->image_height)
    {
      JSAMPROW row = (JSAMPROW) pixels + info->next_scanline * stride;

      jpeg_write_scanlines (info, &row, 1);
    }
  jpeg_finish_compress (info);
  return TRUE;
}

GBytes *
_flow_jpeg_encode (const guint8           *pixels,
                   int                     width,
                   int                     height,
                   const FlowJpegEncoding *encoding)
{
  Writer *self = g_new0 (Writer, 1);
  GBytes *bytes = NULL;

  errors_init (&self->errors);
  self->info.err = &self->errors.manager;
  if (write_picture (self, pixels, width, height, encoding))
    bytes = g_bytes_new (self->buffer, self->n_bytes);
  jpeg_destroy_compress (&self->info);
  free (self->buffer);
  g_free (self);
  return bytes;
}
