/* flow-util.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

/* What newer GLibs have and 2.74 has not stands here once. */

FLOW_API gboolean  flow_set_str               (char        **where,
                                               const char   *value);
FLOW_API int       flow_compare_texts         (gconstpointer a,
                                               gconstpointer b);
FLOW_API char     *flow_escape_bytes          (const char   *bytes,
                                               gssize        length);
FLOW_API char     *flow_escape_display        (const char   *bytes,
                                               gssize        length,
                                               gsize         max_chars);
FLOW_API GBytes   *flow_read_file             (const char   *path,
                                               gsize         max_bytes,
                                               GError      **error);
FLOW_API void      flow_sync_folder_of        (const char   *path);
FLOW_API gboolean  flow_write_file_safely     (const char   *path,
                                               GBytes       *contents,
                                               GError      **error);

/* Multiplies dimensions; FALSE when the product does not fit a gint64. */
static inline gboolean
flow_mul_int64 (gint64  a,
                gint64  b,
                gint64 *product)
{
  return !__builtin_mul_overflow (a, b, product);
}

static inline gboolean
flow_add_int64 (gint64  a,
                gint64  b,
                gint64 *sum)
{
  return !__builtin_add_overflow (a, b, sum);
}

G_END_DECLS
