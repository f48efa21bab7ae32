/* flow-test-hex.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>
#include <string.h>

static inline GBytes *
flow_test_unhex (const char *hex)
{
  gsize n = strlen (hex) / 2;
  guint8 *data = g_malloc (MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    data[i] = (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]));
  return g_bytes_new_take (data, n);
}

static inline char *
flow_test_hex (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  GString *text = g_string_sized_new (size * 2);

  for (gsize i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", data[i]);
  return g_string_free (text, FALSE);
}
