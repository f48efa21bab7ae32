/* flow-crc32c.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-crc32c.h"

#include <string.h>

/* Castagnoli, reflected. */
#define POLYNOMIAL 0x82f63b78u

static guint32 tables[8][256];

static void
make_tables (void)
{
  static gsize once = 0;

  if (!g_once_init_enter (&once))
    return;
  for (guint32 i = 0; i < 256; i++)
    {
      guint32 crc = i;

      for (int bit = 0; bit < 8; bit++)
        crc = (crc >> 1) ^ ((crc & 1) ? POLYNOMIAL : 0);
      tables[0][i] = crc;
    }
  for (guint32 i = 0; i < 256; i++)
    for (int k = 1; k < 8; k++)
      tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xff];
  g_once_init_leave (&once, 1);
}

/* Eight bytes at a time, a table per byte. */
static guint32
extend_by_tables (guint32       crc,
                  const guint8 *p,
                  gsize         length)
{
  make_tables ();
  crc = ~crc;
  for (; length >= 8; p += 8, length -= 8)
    {
      guint32 low;
      guint32 high;

      memcpy (&low, p, 4);
      memcpy (&high, p + 4, 4);
      low = GUINT32_FROM_LE (low) ^ crc;
      high = GUINT32_FROM_LE (high);
      crc = tables[7][low & 0xff] ^ tables[6][(low >> 8) & 0xff]
            ^ tables[5][(low >> 16) & 0xff] ^ tables[4][low >> 24]
            ^ tables[3][high & 0xff] ^ tables[2][(high >> 8) & 0xff]
            ^ tables[1][(high >> 16) & 0xff] ^ tables[0][high >> 24];
    }
  for (; length > 0; p++, length--)
    crc = (crc >> 8) ^ tables[0][(crc ^ *p) & 0xff];
  return ~crc;
}

#if defined (__x86_64__)
__attribute__ ((target ("sse4.2")))
static guint32
extend_by_sse42 (guint32       crc,
                 const guint8 *p,
                 gsize         length)
{
  guint64 wide = ~crc;

  for (; length >= 8; p += 8, length -= 8)
    {
      guint64 word;

      memcpy (&word, p, 8);
      wide = __builtin_ia32_crc32di (wide, word);
    }
  crc = (guint32) wide;
  for (; length > 0; p++, length--)
    crc = __builtin_ia32_crc32qi (crc, *p);
  return ~crc;
}
#endif

/**
 * flow_crc32c_extend: (skip)
 * @crc: CRC-32C of what came before, 0 at the start
 * @data: (nullable): the next bytes
 * @length: how many
 *
 * Returns: CRC-32C of all of it
 */
guint32
flow_crc32c_extend (guint32       crc,
                    gconstpointer data,
                    gsize         length)
{
#if defined (__x86_64__)
  if (__builtin_cpu_supports ("sse4.2"))
    return extend_by_sse42 (crc, data, length);
#endif
  return extend_by_tables (crc, data, length);
}

/**
 * flow_crc32c:
 * @data: (nullable) (array length=length) (element-type guint8): bytes
 * @length: how many
 *
 * Returns: their CRC-32C (Castagnoli), as sstables, bundles and TFRecords use it before masking
 */
guint32
flow_crc32c (gconstpointer data,
             gsize         length)
{
  return flow_crc32c_extend (0, data, length);
}
