/* flow-test-damage.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-test-damage.h"

#include <string.h>

/* What a byte is turned into: one bit, all bits, and the values that end and lengthen things. */
static const struct {
  guint8 keep;
  guint8 flip;
} changes[] = {
  { 0xff, 0x01 }, { 0xff, 0x08 }, { 0xff, 0x80 }, { 0xff, 0xff }, { 0x00, 0x00 }, { 0x00, 0x7f }, { 0x00, 0x12 },
};

gboolean
flow_test_is_fuzz (void)
{
  return g_strcmp0 (g_getenv ("FLOW_TEST_FUZZ"), "1") == 0;
}

static GBytes *
damaged (GBytes *good,
         gsize   which,
         gsize   size)
{
  const guint8 *data = g_bytes_get_data (good, NULL);
  guint8 *copy;
  gsize at;

  /* Its own allocation of the exact size, so that a sanitizer sees a read past the end. */
  if (which < size)
    return g_bytes_new (data, which);
  which -= size;
  at = which / G_N_ELEMENTS (changes);
  copy = g_memdup2 (data, size);
  copy[at] = (copy[at] & changes[which % G_N_ELEMENTS (changes)].keep) ^ changes[which % G_N_ELEMENTS (changes)].flip;
  return g_bytes_new_take (copy, size);
}

FlowTestDamage
flow_test_damage (GBytes           *good,
                  guint             sample,
                  FlowTestReadFunc  read,
                  gpointer          data)
{
  FlowTestDamage result = { 0 };
  gsize size = g_bytes_get_size (good);
  gsize total = size * (1 + G_N_ELEMENTS (changes));
  gsize step = flow_test_is_fuzz () || total <= sample ? 1 : total / sample;

  /* An odd stride falls on every kind of change. */
  step |= 1;
  for (gsize which = 0; which < total; which += step)
    {
      g_autoptr (GBytes) bytes = damaged (good, which, size);
      gboolean accepted = read (bytes, data);

      result.n_cases++;
      result.n_accepted += accepted;
      if (which < size)
        {
          result.n_prefixes++;
          result.n_prefixes_accepted += accepted;
        }
    }
  return result;
}

char *
flow_test_path (const char *name)
{
  return g_build_filename (g_getenv ("G_TEST_SRCDIR"), name, NULL);
}

GBytes *
flow_test_read (const char *name)
{
  g_autofree char *path = flow_test_path (name);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize size;

  g_file_get_contents (path, &data, &size, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (data, size);
}
