/* flow-string-hash.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-string-hash-private.h"

#include <string.h>

static guint64
load_64 (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  return GUINT64_FROM_LE (value);
}

static guint64
load_32 (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return GUINT32_FROM_LE (value);
}

static guint64
rotate_right (guint64 value,
              int     bits)
{
  return value >> bits | value << (64 - bits);
}

/* --- FarmHash -------------------------------------------------------------------------------------------- */

#define FARM_0 G_GUINT64_CONSTANT (0xc3a5c85c97cb3127)
#define FARM_1 G_GUINT64_CONSTANT (0xb492b66fbe98f273)
#define FARM_2 G_GUINT64_CONSTANT (0x9ae16a3b2f90404f)

static guint64
shift_mix (guint64 value)
{
  return value ^ value >> 47;
}

static guint64
farm_pair (guint64 u,
           guint64 v,
           guint64 mul)
{
  guint64 a = shift_mix ((u ^ v) * mul);

  return shift_mix ((v ^ a) * mul) * mul;
}

static guint64
farm_to_16 (const guint8 *s,
            gsize         n)
{
  guint64 mul = FARM_2 + n * 2;

  if (n >= 8)
    {
      guint64 a = load_64 (s) + FARM_2;
      guint64 b = load_64 (s + n - 8);

      return farm_pair (rotate_right (b, 37) * mul + a, (rotate_right (a, 25) + b) * mul, mul);
    }
  if (n >= 4)
    return farm_pair (n + (load_32 (s) << 3), load_32 (s + n - 4), mul);
  if (n > 0)
    {
      guint32 y = s[0] + ((guint32) s[n >> 1] << 8);
      guint32 z = (guint32) n + ((guint32) s[n - 1] << 2);

      return shift_mix (y * FARM_2 ^ z * FARM_0) * FARM_2;
    }
  return FARM_2;
}

static guint64
farm_to_32 (const guint8 *s,
            gsize         n)
{
  guint64 mul = FARM_2 + n * 2;
  guint64 a = load_64 (s) * FARM_1;
  guint64 b = load_64 (s + 8);
  guint64 c = load_64 (s + n - 8) * mul;
  guint64 d = load_64 (s + n - 16) * FARM_2;

  return farm_pair (rotate_right (a + b, 43) + rotate_right (c, 30) + d, a + rotate_right (b + FARM_2, 18) + c, mul);
}

static guint64
farm_to_64 (const guint8 *s,
            gsize         n)
{
  guint64 mul = FARM_2 + n * 2;
  guint64 a = load_64 (s) * FARM_2;
  guint64 b = load_64 (s + 8);
  guint64 c = load_64 (s + n - 8) * mul;
  guint64 d = load_64 (s + n - 16) * FARM_2;
  guint64 y = rotate_right (a + b, 43) + rotate_right (c, 30) + d;
  guint64 z = farm_pair (y, a + rotate_right (b + FARM_2, 18) + c, mul);
  guint64 e = load_64 (s + 16) * mul;
  guint64 f = load_64 (s + 24);
  guint64 g = (y + load_64 (s + n - 32)) * mul;
  guint64 h = (z + load_64 (s + n - 24)) * mul;

  return farm_pair (rotate_right (e + f, 43) + rotate_right (g, 30) + h, e + rotate_right (f + a, 18) + g, mul);
}

/* Mixes 32 bytes into a pair of states. */
static void
farm_weak (const guint8 *s,
           guint64       a,
           guint64       b,
           guint64       out[2])
{
  guint64 c;

  a += load_64 (s);
  b = rotate_right (b + a + load_64 (s + 24), 21);
  c = a;
  a += load_64 (s + 8);
  a += load_64 (s + 16);
  b += rotate_right (a, 44);
  out[0] = a + load_64 (s + 24);
  out[1] = b + c;
}

typedef struct {
  guint64 x;
  guint64 y;
  guint64 z;
  guint64 v[2];
  guint64 w[2];
} FarmState;

static void
farm_block (FarmState    *h,
            const guint8 *s,
            guint64       mul,
            guint64       times)
{
  guint64 swap;

  h->x = rotate_right (h->x + h->y + h->v[0] + load_64 (s + 8), 37) * mul;
  h->y = rotate_right (h->y + h->v[1] + load_64 (s + 48), 42) * mul;
  h->x ^= h->w[1] * times;
  h->y += h->v[0] * times + load_64 (s + 40);
  h->z = rotate_right (h->z + h->w[0], 33) * mul;
  farm_weak (s, h->v[1] * mul, h->x + h->w[0], h->v);
  farm_weak (s + 32, h->z + h->w[1], h->y + load_64 (s + 16), h->w);
  swap = h->z;
  h->z = h->x;
  h->x = swap;
}

guint64
_flow_hash_farm (gconstpointer data,
                 gsize         length)
{
  const guint8 *s = data;
  const guint8 *end;
  FarmState h = { .x = 81, .y = 81 * FARM_1 + 113 };
  guint64 mul;

  if (length <= 16)
    return farm_to_16 (s, length);
  if (length <= 32)
    return farm_to_32 (s, length);
  if (length <= 64)
    return farm_to_64 (s, length);
  h.z = shift_mix (h.y * FARM_2 + 113) * FARM_2;
  h.x = h.x * FARM_2 + load_64 (s);
  end = s + (length - 1) / 64 * 64;
  for (const guint8 *at = s; at != end; at += 64)
    farm_block (&h, at, FARM_1, 1);
  mul = FARM_1 + ((h.z & 0xff) << 1);
  h.w[0] += (length - 1) & 63;
  h.v[0] += h.w[0];
  h.w[0] += h.v[0];
  farm_block (&h, s + length - 64, mul, 9);
  return farm_pair (farm_pair (h.v[0], h.w[0], mul) + shift_mix (h.y) * FARM_0 + h.z,
                    farm_pair (h.v[1], h.w[1], mul) + h.x, mul);
}

/* The pair of 128 bits from words that are mixed already. */
static guint64
farm_pair_128 (guint64 u,
               guint64 v)
{
  return farm_pair (u, v, G_GUINT64_CONSTANT (0x9ddfea08eb382d69));
}

/* The short ones, with a seed. */
static void
farm_128_short (const guint8  *s,
                gsize          n,
                const guint64  seed[2],
                guint64        out[2])
{
  guint64 a = seed[0];
  guint64 b = seed[1];
  guint64 c;
  guint64 d;

  if (n <= 16)
    {
      a = shift_mix (a * FARM_1) * FARM_1;
      c = b * FARM_1 + farm_to_16 (s, n);
      d = shift_mix (a + (n >= 8 ? load_64 (s) : c));
    }
  else
    {
      c = farm_pair_128 (load_64 (s + n - 8) + FARM_1, a);
      d = farm_pair_128 (b + n, c + load_64 (s + n - 16));
      a += d;
      /* The last sixteen bytes are in already. */
      for (const guint8 *at = s; at < s + n - 16; at += 16)
        {
          a = (a ^ shift_mix (load_64 (at) * FARM_1) * FARM_1) * FARM_1;
          b ^= a;
          c = (c ^ shift_mix (load_64 (at + 8) * FARM_1) * FARM_1) * FARM_1;
          d ^= c;
        }
    }
  a = farm_pair_128 (a, c);
  b = farm_pair_128 (d, b);
  out[0] = a ^ b;
  out[1] = farm_pair_128 (b, a);
}

static void
farm_128_long (const guint8  *s,
               gsize          n,
               const guint64  seed[2],
               guint64        out[2])
{
  FarmState h = { .x = seed[0], .y = seed[1], .z = n * FARM_1 };
  const gsize n_blocks = n / 128 * 2;
  const gsize rest = n % 128;

  h.v[0] = rotate_right (h.y ^ FARM_1, 49) * FARM_1 + load_64 (s);
  h.v[1] = rotate_right (h.v[0], 42) * FARM_1 + load_64 (s + 8);
  h.w[0] = rotate_right (h.y + h.z, 35) * FARM_1 + h.x;
  h.w[1] = rotate_right (h.x + load_64 (s + 88), 53) * FARM_1;
  for (gsize i = 0; i < n_blocks; i++)
    farm_block (&h, s + 64 * i, FARM_1, 1);
  h.x += rotate_right (h.v[0] + h.z, 49) * FARM_0;
  h.y = h.y * FARM_0 + rotate_right (h.w[1], 37);
  h.z = h.z * FARM_0 + rotate_right (h.w[0], 27);
  h.w[0] *= 9;
  h.v[0] *= FARM_0;
  /* What is left, in blocks of 32 bytes from the end: the last may reach back into what was mixed. */
  for (gsize done = 32; done < rest + 32; done += 32)
    {
      h.y = rotate_right (h.x + h.y, 42) * FARM_0 + h.v[1];
      h.w[0] += load_64 (s + n - done + 16);
      h.x = h.x * FARM_0 + h.w[0];
      h.z += h.w[1] + load_64 (s + n - done);
      h.w[1] += h.v[0];
      farm_weak (s + n - done, h.v[0] + h.z, h.v[1], h.v);
      h.v[0] *= FARM_0;
    }
  h.x = farm_pair_128 (h.x, h.v[0]);
  h.y = farm_pair_128 (h.y + h.z, h.w[0]);
  out[0] = farm_pair_128 (h.x + h.v[1], h.w[1]) + h.y;
  out[1] = farm_pair_128 (h.x + h.w[1], h.y + h.v[1]);
}

void
_flow_hash_farm_128 (gconstpointer data,
                     gsize         length,
                     guint64       out[2])
{
  const guint8 *s = data;
  guint64 seed[2] = { FARM_0, FARM_1 };

  if (length >= 16)
    {
      seed[0] = load_64 (s);
      seed[1] = load_64 (s + 8) + FARM_0;
      s += 16;
      length -= 16;
    }
  if (length < 128)
    farm_128_short (s, length, seed, out);
  else
    farm_128_long (s, length, seed, out);
}

/* --- SipHash ----------------------------------------------------------------------------------------------- */

static void
sip_round (guint64 v[4])
{
  v[0] += v[1];
  v[1] = rotate_right (v[1], 64 - 13) ^ v[0];
  v[0] = rotate_right (v[0], 32);
  v[2] += v[3];
  v[3] = rotate_right (v[3], 64 - 16) ^ v[2];
  v[0] += v[3];
  v[3] = rotate_right (v[3], 64 - 21) ^ v[0];
  v[2] += v[1];
  v[1] = rotate_right (v[1], 64 - 17) ^ v[2];
  v[2] = rotate_right (v[2], 32);
}

static void
sip_word (guint64 v[4],
          guint64 word)
{
  v[3] ^= word;
  sip_round (v);
  sip_round (v);
  v[0] ^= word;
}

guint64
_flow_hash_sip (gconstpointer data,
                gsize         length,
                const guint64 key[2])
{
  const guint8 *s = data;
  guint64 v[4] = {
    key[0] ^ G_GUINT64_CONSTANT (0x736f6d6570736575), key[1] ^ G_GUINT64_CONSTANT (0x646f72616e646f6d),
    key[0] ^ G_GUINT64_CONSTANT (0x6c7967656e657261), key[1] ^ G_GUINT64_CONSTANT (0x7465646279746573),
  };
  guint64 last = (guint64) length << 56;

  for (gsize i = 0; i + 8 <= length; i += 8)
    sip_word (v, load_64 (s + i));
  for (gsize i = 0; i < length % 8; i++)
    last |= (guint64) s[length / 8 * 8 + i] << (8 * i);
  sip_word (v, last);
  v[2] ^= 0xff;
  for (int i = 0; i < 4; i++)
    sip_round (v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* --- MurmurHash64A -------------------------------------------------------------------------------------------- */

#define MURMUR_MUL G_GUINT64_CONSTANT (0xc6a4a7935bd1e995)
#define TENSORFLOW_SEED G_GUINT64_CONSTANT (0xdecafcaffe)

guint64
_flow_hash_murmur (gconstpointer data,
                   gsize         length,
                   guint64       seed)
{
  const guint8 *s = data;
  guint64 h = seed ^ (length * MURMUR_MUL);
  gsize whole = length / 8 * 8;

  for (gsize i = 0; i < whole; i += 8)
    {
      guint64 k = load_64 (s + i) * MURMUR_MUL;

      h = (h ^ shift_mix (k) * MURMUR_MUL) * MURMUR_MUL;
    }
  if (whole < length)
    {
      guint64 rest = 0;

      for (gsize i = whole; i < length; i++)
        rest |= (guint64) s[i] << (8 * (i - whole));
      h = (h ^ rest) * MURMUR_MUL;
    }
  return shift_mix (shift_mix (h) * MURMUR_MUL);
}

guint64
_flow_hash_old (gconstpointer data,
                gsize         length)
{
  return _flow_hash_murmur (data, length, TENSORFLOW_SEED);
}
