/* flow-snappy.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-snappy-private.h"

#include <string.h>

/* The raw Snappy format: a varint of the length, then elements of two kinds, told apart by the two
 * low bits of their first byte: bytes as they are, or a copy of what came out before. */

/* A copy takes at least two bytes and gives at most 64, so no honest length is greater. */
#define MAX_RATIO 32

static gboolean
read_length (const guint8 **pos,
             const guint8  *end,
             gsize         *length)
{
  guint64 value = 0;

  for (guint shift = 0; shift <= 28 && *pos < end; shift += 7)
    {
      guint8 byte = *(*pos)++;

      value |= (guint64) (byte & 0x7f) << shift;
      if (byte < 0x80)
        {
          *length = (gsize) value;
          return value <= G_MAXUINT32;
        }
    }
  return FALSE;
}

/*
 * _flow_snappy_size:
 * @data: a compressed block
 * @size: its bytes
 * @uncompressed: (out): what it says to become
 *
 * Returns: FALSE if the length is none, or more than so many bytes can hold
 */
gboolean
_flow_snappy_size (const guint8 *data,
                   gsize         size,
                   gsize        *uncompressed)
{
  const guint8 *pos = data;

  return read_length (&pos, data + size, uncompressed) && *uncompressed / MAX_RATIO <= size;
}

static gboolean
read_little (const guint8 **pos,
             const guint8  *end,
             guint          n_bytes,
             gsize         *value)
{
  if ((gsize) (end - *pos) < n_bytes)
    return FALSE;
  *value = 0;
  for (guint i = 0; i < n_bytes; i++)
    *value |= (gsize) *(*pos)++ << (8 * i);
  return TRUE;
}

/*
 * _flow_snappy_decode:
 * @data: a compressed block
 * @size: its bytes
 * @into: room for @uncompressed bytes
 * @uncompressed: what _flow_snappy_size() said
 *
 * Returns: FALSE if the block is damaged; it never reads or writes past the end of either
 */
gboolean
_flow_snappy_decode (const guint8 *data,
                     gsize         size,
                     guint8       *into,
                     gsize         uncompressed)
{
  const guint8 *pos = data;
  const guint8 *end = data + size;
  gsize done = 0;
  gsize claimed;

  if (!read_length (&pos, end, &claimed) || claimed != uncompressed)
    return FALSE;
  while (pos < end)
    {
      guint8 tag = *pos++;
      gsize length;
      gsize offset = 0;

      switch (tag & 3)
        {
        case 0:
          length = tag >> 2;
          if (length >= 60 && !read_little (&pos, end, (guint) length - 59, &length))
            return FALSE;
          length++;
          if (length > (gsize) (end - pos) || length > uncompressed - done)
            return FALSE;
          memcpy (into + done, pos, length);
          pos += length;
          done += length;
          continue;
        case 1:
          length = 4 + ((tag >> 2) & 7);
          if (!read_little (&pos, end, 1, &offset))
            return FALSE;
          offset |= (gsize) (tag >> 5) << 8;
          break;
        case 2:
          length = 1 + (tag >> 2);
          if (!read_little (&pos, end, 2, &offset))
            return FALSE;
          break;
        default:
          length = 1 + (tag >> 2);
          if (!read_little (&pos, end, 4, &offset))
            return FALSE;
          break;
        }
      if (offset == 0 || offset > done || length > uncompressed - done)
        return FALSE;
      /* Byte by byte: a copy may overlap what it writes, which repeats a pattern. */
      for (gsize i = 0; i < length; i++, done++)
        into[done] = into[done - offset];
    }
  return done == uncompressed;
}
