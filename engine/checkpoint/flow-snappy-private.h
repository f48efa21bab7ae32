/* flow-snappy-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

gboolean _flow_snappy_size   (const guint8 *data,
                              gsize         size,
                              gsize        *uncompressed);
gboolean _flow_snappy_decode (const guint8 *data,
                              gsize         size,
                              guint8       *into,
                              gsize         uncompressed);

G_END_DECLS
