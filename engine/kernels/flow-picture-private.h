/* flow-picture-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* JPEG by libjpeg-turbo, GIF by giflib, with the settings that TensorFlow uses. Both libraries end a
 * program at an error: what is here catches that. */

typedef struct {
  int components;              /* 1, 3; 0: as the file has */
  int ratio;                   /* 1, 2, 4, 8: made smaller by it */
  gboolean fancy_upscaling;
  gboolean recover_truncated;
  float acceptable_fraction;   /* of the rows that must be readable */
  gboolean fast_dct;
  gboolean crop;
  gint64 crop_x;
  gint64 crop_y;
  gint64 crop_width;
  gint64 crop_height;
} FlowJpegSettings;

typedef struct {
  gboolean grayscale;
  int quality;
  gboolean progressive;
  gboolean optimize;
  gboolean downsample;         /* of the colors */
  gboolean per_cm;
  int x_density;
  int y_density;
  const char *metadata;        /* XMP; nullable */
  gsize n_metadata;
} FlowJpegEncoding;

/* Where the pixels go, once their number is known; NULL ends the reading. */
typedef guint8 *(*FlowPixelsFunc) (gint64 frames, gint64 height, gint64 width, int channels, gpointer data);

/* FALSE without an error: the data are no readable JPEG. Where @c is cancelled reading ends too. */
gboolean _flow_jpeg_decode (FlowKernelContext *c, const char *data, gsize n_bytes, const FlowJpegSettings *settings,
                            FlowPixelsFunc allocate, gpointer user_data);
gboolean _flow_jpeg_size   (const char *data, gsize n_bytes, int *width, int *height, int *components);
GBytes  *_flow_jpeg_encode (const guint8 *pixels, int width, int height, const FlowJpegEncoding *encoding);

/* All frames, each as large as the largest, as red, green, blue. FALSE with a reason in @reason (free it)
 * if the data are no readable GIF, without one when @allocate gave nothing. */
gboolean _flow_gif_decode  (FlowKernelContext *c, const char *data, gsize n_bytes, FlowPixelsFunc allocate,
                            gpointer user_data, char **reason);

G_END_DECLS
