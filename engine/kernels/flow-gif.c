/* flow-gif.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-picture-private.h"

#include <gif_lib.h>
#include <string.h>

/* Two passes: the first counts frames and finds the largest, so that no frame's memory is taken on the
 * word of a few bytes; the second reads the pixels to where they belong. */

#define MAX_FRAMES 100000

typedef struct {
  const char *data;
  gsize n_bytes;
  gsize n_read;
  GifFileType *gif;
  gint64 n_frames;
  gint64 height;
  gint64 width;
  guint8 *pixels;              /* nullable: the first pass */
  int transparent;             /* of the frame to come: -1 none */
  char **reason;
} Reader;

static int
read_bytes (GifFileType *gif,
            GifByteType *out,
            int          n)
{
  Reader *self = gif->UserData;
  const gsize n_given = MIN ((gsize) MAX (n, 0), self->n_bytes - self->n_read);

  if (n_given > 0)
    memcpy (out, self->data + self->n_read, n_given);
  self->n_read += n_given;
  return (int) n_given;
}

static gboolean
fail (Reader     *self,
      const char *format,
      ...)
{
  va_list args;

  va_start (args, format);
  g_free (*self->reason);
  *self->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

static gboolean
fail_in_library (Reader *self,
                 int     code)
{
  const char *text = GifErrorString (code);

  return fail (self, "failed to slurp gif file: %s", text != NULL ? text : "Unknown error");
}

/* The one extension that matters here: which color of the next frame is none. */
static gboolean
read_extension (Reader *self)
{
  GifByteType *block = NULL;
  int code;

  if (DGifGetExtension (self->gif, &code, &block) == GIF_ERROR)
    return fail_in_library (self, self->gif->Error);
  while (block != NULL)
    {
      GraphicsControlBlock control;

      if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB (block[0], block + 1, &control) == GIF_OK)
        self->transparent = control.TransparentColor;
      if (DGifGetExtensionNext (self->gif, &block) == GIF_ERROR)
        return fail_in_library (self, self->gif->Error);
    }
  return TRUE;
}

static gboolean
skip_pixels (Reader *self)
{
  GifByteType *block = NULL;
  int size;

  if (DGifGetCode (self->gif, &size, &block) == GIF_ERROR)
    return fail_in_library (self, self->gif->Error);
  while (block != NULL)
    if (DGifGetCodeNext (self->gif, &block) == GIF_ERROR)
      return fail_in_library (self, self->gif->Error);
  return TRUE;
}

/* One line of the frame's own pixels, put into the picture where it lies within it. */
static gboolean
put_line (Reader               *self,
          const GifByteType    *line,
          const ColorMapObject *colors,
          gint64                y,
          guint8               *frame)
{
  const GifImageDesc *image = &self->gif->Image;

  if (y + image->Top < 0 || y + image->Top >= self->height)
    return TRUE;
  for (gint64 x = MAX (-image->Left, 0); x < image->Width && x + image->Left < self->width; x++)
    {
      guint8 *out = frame + ((y + image->Top) * self->width + x + image->Left) * 3;

      if (line[x] == self->transparent)
        continue;
      if (line[x] >= colors->ColorCount)
        return fail (self, "found color index %d outside of color map range %d", line[x], colors->ColorCount);
      out[0] = colors->Colors[line[x]].Red;
      out[1] = colors->Colors[line[x]].Green;
      out[2] = colors->Colors[line[x]].Blue;
    }
  return TRUE;
}

/* Interlaced frames come as four passes of lines. */
static gboolean
read_pixels (Reader *self,
             gint64  k)
{
  static const int first[] = { 0, 4, 2, 1 };
  static const int step[] = { 8, 8, 4, 2 };
  const GifImageDesc *image = &self->gif->Image;
  const ColorMapObject *colors = image->ColorMap != NULL ? image->ColorMap : self->gif->SColorMap;
  g_autofree GifByteType *line = g_try_malloc0 ((gsize) MAX (image->Width, 1));
  const gsize frame_bytes = (gsize) (self->width * self->height * 3);
  guint8 *frame = self->pixels + (gsize) k * frame_bytes;

  if (colors == NULL)
    return fail (self, "missing color map for frame %d", (int) k);
  if (line == NULL)
    return fail (self, "out of memory");
  if (k == 0 && (image->Left != 0 || image->Top != 0 || image->Width != self->width || image->Height != self->height))
    return fail (self, "the first frame does not fill the canvas");
  /* What a frame leaves out stays as it was. */
  if (k > 0)
    memcpy (frame, frame - frame_bytes, frame_bytes);
  for (int pass = 0; pass < (image->Interlace ? 4 : 1); pass++)
    for (gint64 y = image->Interlace ? first[pass] : 0; y < image->Height; y += image->Interlace ? step[pass] : 1)
      {
        if (DGifGetLine (self->gif, line, image->Width) == GIF_ERROR)
          return fail_in_library (self, self->gif->Error);
        if (!put_line (self, line, colors, y, frame))
          return FALSE;
      }
  return TRUE;
}

static gboolean
read_frame (Reader *self)
{
  if (DGifGetImageHeader (self->gif) == GIF_ERROR)
    return fail_in_library (self, self->gif->Error);
  if (self->gif->Image.Width <= 0 || self->gif->Image.Height <= 0)
    return fail_in_library (self, D_GIF_ERR_NO_IMAG_DSCR);
  if (self->n_frames >= MAX_FRAMES)
    return fail (self, "too many frames");
  if (self->pixels == NULL)
    {
      self->width = MAX (self->width, self->gif->Image.Width);
      self->height = MAX (self->height, self->gif->Image.Height);
      if (!skip_pixels (self))
        return FALSE;
    }
  else if (!read_pixels (self, self->n_frames))
    return FALSE;
  self->transparent = -1;
  self->n_frames++;
  return TRUE;
}

static gboolean
read_records (FlowKernelContext *c,
              Reader            *self)
{
  GifRecordType type;

  do
    {
      if (g_cancellable_is_cancelled (c->cancellable))
        return fail (self, "cancelled");
      if (DGifGetRecordType (self->gif, &type) == GIF_ERROR)
        return fail_in_library (self, self->gif->Error);
      if ((type == IMAGE_DESC_RECORD_TYPE && !read_frame (self)) ||
          (type == EXTENSION_RECORD_TYPE && !read_extension (self)))
        return FALSE;
    }
  while (type != TERMINATE_RECORD_TYPE);
  return self->n_frames > 0 || fail_in_library (self, D_GIF_ERR_NO_IMAG_DSCR);
}

static gboolean
read_whole (FlowKernelContext *c,
            Reader            *self)
{
  int code = 0;
  gboolean ok;

  self->n_read = 0;
  self->n_frames = 0;
  self->transparent = -1;
  self->gif = DGifOpen (self, read_bytes, &code);
  if (self->gif == NULL)
    {
      const char *text = GifErrorString (code);

      return fail (self, "failed to open gif file: %s", text != NULL ? text : "Unknown error");
    }
  ok = read_records (c, self);
  DGifCloseFile (self->gif, &code);
  return ok;
}

gboolean
_flow_gif_decode (FlowKernelContext  *c,
                  const char         *data,
                  gsize               n_bytes,
                  FlowPixelsFunc      allocate,
                  gpointer            user_data,
                  char              **reason)
{
  Reader reader = { .data = data, .n_bytes = n_bytes, .reason = reason };

  if (!read_whole (c, &reader))
    return FALSE;
  reader.pixels = allocate (reader.n_frames, reader.height, reader.width, 3, user_data);
  if (reader.pixels == NULL)
    return FALSE;
  memset (reader.pixels, 0, (gsize) (reader.width * reader.height * 3 * reader.n_frames));
  return read_whole (c, &reader);
}
