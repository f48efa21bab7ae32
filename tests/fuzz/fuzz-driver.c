/* fuzz-driver.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "fuzz-driver.h"

#include "flow-test-damage.h"

#include <stdlib.h>
#include <string.h>

/* Replays files given as arguments; without any it changes the seeds at random and feeds the results to
 * the target, the same ones in every run: FUZZ_ROUNDS of them, many more with FLOW_TEST_FUZZ=1. */

#define ROUNDS 1500
#define ROUNDS_FUZZ 100000
#define MAX_EDITS 8
#define MAX_CHUNK 64

static const guint8 telling_bytes[] = { 0x00, 0x01, 0x7f, 0x80, 0xff, 0x0a, 0x12, 0x1a, 0x2a, '"', '{', '}', '\\', '-' };

/* One change: of a byte, or of a stretch that goes, comes twice or comes from another seed. */
static void
edit (GByteArray *bytes,
      GPtrArray  *seeds,
      GRand      *rand)
{
  guint at = bytes->len > 0 ? (guint) g_rand_int_range (rand, 0, (gint32) bytes->len) : 0;
  guint n = (guint) g_rand_int_range (rand, 1, MAX_CHUNK);
  guint8 chunk[MAX_CHUNK];
  const guint8 *other;
  gsize other_size;

  switch (g_rand_int_range (rand, 0, 6))
    {
    case 0:
      if (bytes->len > 0)
        bytes->data[at] ^= (guint8) (1u << g_rand_int_range (rand, 0, 8));
      break;
    case 1:
      if (bytes->len > 0)
        bytes->data[at] = telling_bytes[g_rand_int_range (rand, 0, G_N_ELEMENTS (telling_bytes))];
      break;
    case 2:
      g_byte_array_set_size (bytes, at);
      break;
    case 3:
      if (bytes->len > 0)
        g_byte_array_remove_range (bytes, at, MIN (n, bytes->len - at));
      break;
    case 4:
      n = MIN (n, bytes->len - at);
      memcpy (chunk, bytes->data + at, n);
      g_byte_array_append (bytes, chunk, n);
      break;
    default:
      other = g_bytes_get_data (seeds->pdata[g_rand_int_range (rand, 0, (gint32) seeds->len)], &other_size);
      if (other_size > MAX_CHUNK && bytes->len > at + n)
        memcpy (bytes->data + at, other + g_rand_int_range (rand, 0, (gint32) (other_size - MAX_CHUNK)), n);
      break;
    }
}

static void
run_changed (GPtrArray *seeds)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint rounds = flow_test_is_fuzz () ? ROUNDS_FUZZ : ROUNDS;

  for (guint i = 0; i < rounds; i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autofree guint8 *exact = NULL;
      gsize size;
      const guint8 *data = g_bytes_get_data (seeds->pdata[i % seeds->len], &size);
      int n_edits = g_rand_int_range (rand, 1, MAX_EDITS + 1);

      g_byte_array_append (bytes, data, (guint) size);
      for (int k = 0; k < n_edits; k++)
        edit (bytes, seeds, rand);
      /* Of the exact size, so that a sanitizer sees a read past the end. */
      exact = g_memdup2 (bytes->data, MAX (bytes->len, 1));
      LLVMFuzzerTestOneInput (exact, bytes->len);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (int i = 1; i < argc; i++)
    {
      g_autofree char *data = NULL;
      gsize size;

      if (!g_file_get_contents (argv[i], &data, &size, NULL))
        return 1;
      LLVMFuzzerTestOneInput ((const guint8 *) data, size);
    }
  if (argc > 1)
    return 0;

  for (guint i = 0; fuzz_seeds[i] != NULL; i++)
    {
      GBytes *seed = flow_test_read (fuzz_seeds[i]);
      gsize size;
      const guint8 *data = g_bytes_get_data (seed, &size);

      g_ptr_array_add (seeds, seed);
      LLVMFuzzerTestOneInput (data, size);
    }
  run_changed (seeds);
  return 0;
}
