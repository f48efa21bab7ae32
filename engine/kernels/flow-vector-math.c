/* flow-vector-math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-vector-loops-private.h"

#define OF_1(name) .name = flow_vector_##name##_of_1,
#define OF_2(name) .name = flow_vector_##name##_of_2,

const FlowVectorMath flow_vector_math[FLOW_N_RELEASES] = {
  [FLOW_RELEASE_1] = { FLOW_VECTOR_FUNCTIONS (OF_1) .pow = flow_vector_pow_of_1 },
  [FLOW_RELEASE_2] = { FLOW_VECTOR_FUNCTIONS (OF_2) .pow = flow_vector_pow_of_2 },
};

/* --- sin, cos: the same in both releases ----------------------------------------------------------- */

/* Up to here pi / 2 times the quadrant is taken off exactly enough. */
#define SIN_LIMIT 25966.0f
#define COS_LIMIT 18838.0f

static inline float
quadrant (float    x,
          guint32 *n)
{
  float rounded = fabsf (x) * 0.636619746685028076171875f + 12582912.0f;
  float y = rounded - 12582912.0f;
  float r = y * -1.5703125f + fabsf (x);

  *n = flow_bits_of (rounded);
  r = y * -0.000483989715576171875f + r;
  r = y * 1.62865035235881805419921875e-07f + r;
  return y * 5.5644315544167710640977020375430583953857421875e-11f + r;
}

static inline float
cos_part (float x2)
{
  float y = 2.4372266125283204019069671630859375e-05f * x2 + -0.00138865201734006404876708984375f;

  y = y * x2 + 0.041666619479656219482421875f;
  y = y * x2 + -0.5f;
  return y * x2 + 1.0f;
}

static inline float
sin_part (float x,
          float x2)
{
  float y = -0.0001959234114083702898469196984621021329f * x2 + 0.0083326873655616851693794799871284340042f;

  y = y * x2 + -0.1666666203982298255503735617821803316473f;
  return y * x2 * x + x;
}

static inline float
vector_sin (float x)
{
  guint32 n;
  float r = quadrant (x, &n);
  float y = (n & 1) == 0 ? sin_part (r, r * r) : cos_part (r * r);

  return flow_of_bits (flow_bits_of (y) ^ ((flow_bits_of (x) ^ n << 30) & 0x80000000));
}

static inline float
vector_cos (float x)
{
  guint32 n;
  float r = quadrant (x, &n);
  float y = (n & 1) == 0 ? cos_part (r * r) : sin_part (r, r * r);

  return flow_of_bits (flow_bits_of (y) ^ ((n + 1) << 30 & 0x80000000));
}

/* Angles beyond the limit go one by one through the C library. */
#define ANGLE_LOOP(name, limit, function)                                                    \
  FLOW_CLONES static gboolean                                                                     \
  name##_whole (const float *x, float *y, gint64 n)                                          \
  {                                                                                          \
    gboolean far = FALSE;                                                                    \
                                                                                             \
    for (gint64 i = 0; i < n; i++)                                                           \
      {                                                                                      \
        far |= !(fabsf (x[i]) < limit);                                                      \
        y[i] = vector_##name (x[i]);                                                         \
      }                                                                                      \
    return far;                                                                              \
  }                                                                                          \
                                                                                             \
  void                                                                                       \
  flow_vector_##name (gconstpointer px, gpointer py, gint64 n)                               \
  {                                                                                          \
    const gint64 whole = FLOW_VECTOR_PART (n);                                               \
    float y[FLOW_VECTOR_WIDTH];                                                              \
                                                                                             \
    for (gint64 at = 0; at < whole; at += FLOW_VECTOR_WIDTH)                                 \
      {                                                                                      \
        const float *x = (const float *) px + at;                                            \
                                                                                             \
        if (name##_whole (x, y, FLOW_VECTOR_WIDTH))                                          \
          for (int i = 0; i < FLOW_VECTOR_WIDTH; i++)                                        \
            y[i] = fabsf (x[i]) < limit ? y[i] : function (x[i]);                            \
        memcpy ((float *) py + at, y, sizeof y);                                             \
      }                                                                                      \
    for (gint64 i = whole; i < n; i++)                                                       \
      ((float *) py)[i] = function (((const float *) px)[i]);                                \
  }

ANGLE_LOOP (sin, SIN_LIMIT, sinf)
ANGLE_LOOP (cos, COS_LIMIT, cosf)
