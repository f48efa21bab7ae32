/* flow-media-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Pixels, row after row, of 1 (grey), 2 (grey and alpha), 3 (RGB) or 4 (RGBA) channels of 8 or 16 bits.
 * @compression is zlib's level, -1 for its usual one. */
GBytes *_flow_encode_png (gconstpointer pixels,
                          gint64        width,
                          gint64        height,
                          int           channels,
                          int           channel_bits,
                          int           compression,
                          GError      **error);
/* A PNG that is being read: its header first, then, once there is room for them, its pixels. */
typedef struct _FlowPngReader FlowPngReader;

FlowPngReader *_flow_png_reader_new   (const char    *data,
                                       gsize          n_bytes,
                                       int            channels,
                                       int            channel_bits,
                                       GError       **error);
void           _flow_png_reader_free  (FlowPngReader *self);
void           _flow_png_reader_size  (FlowPngReader *self,
                                       gint64        *width,
                                       gint64        *height,
                                       int           *channels);
gboolean       _flow_png_reader_read  (FlowPngReader *self,
                                       gpointer       pixels,
                                       GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowPngReader, _flow_png_reader_free)

/* Samples in [-1, 1], frame after frame, as 16-bit PCM. */
GBytes *_flow_encode_wav (const float  *samples,
                          gint64        n_frames,
                          gint64        n_channels,
                          guint64       rate,
                          GError      **error);

G_END_DECLS
