/* flow-crc32c.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-macros.h"

G_BEGIN_DECLS

FLOW_API guint32 flow_crc32c        (gconstpointer data,
                                     gsize         length);
FLOW_API guint32 flow_crc32c_extend (guint32       crc,
                                     gconstpointer data,
                                     gsize         length);

/* A CRC that is itself stored among checksummed bytes is masked (LevelDB's rule). */
static inline guint32
flow_crc32c_mask (guint32 crc)
{
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

static inline guint32
flow_crc32c_unmask (guint32 masked)
{
  guint32 rot = masked - 0xa282ead8u;
  return (rot >> 17) | (rot << 15);
}

G_END_DECLS
