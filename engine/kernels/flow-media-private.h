/* flow-media-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* 8-bit pixels, row after row, of 1 (grey), 3 (RGB) or 4 (RGBA) channels. */
GBytes *_flow_encode_png (const guint8 *pixels,
                          gint64        width,
                          gint64        height,
                          int           channels,
                          GError      **error);
/* Samples in [-1, 1], frame after frame, as 16-bit PCM. */
GBytes *_flow_encode_wav (const float  *samples,
                          gint64        n_frames,
                          gint64        n_channels,
                          float         sample_rate,
                          GError      **error);

G_END_DECLS
