/* flow-vector-loops-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-elementwise-private.h"
#include "flow-vector-math-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

G_BEGIN_DECLS

/* What the functions of both releases are made of. Loops over whole vectors are compiled for three levels of
 * x86-64 (FLOW_CLONES); none may fuse products and sums: TensorFlow's are apart. */

static inline guint32
flow_bits_of (float x)
{
  guint32 bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline float
flow_of_bits (guint32 bits)
{
  float x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

static inline float
flow_two_to (int n)
{
  return flow_of_bits ((guint32) (n + 127) << 23);
}

static inline float
flow_flushed (float x)
{
  return fabsf (x) < FLT_MIN ? 0.0f : x;
}

/* The leftover cells of exp. */
static inline float
flow_rest_exp (float x)
{
  return flow_flushed (expf (x));
}

/* From @u = exp (x) and the logarithm of that. */
static inline float
flow_expm1_by (float x,
               float u,
               float log_u)
{
  float less = u - 1.0f;
  float y = log_u == u ? u : less * (x / log_u);

  return u == 1.0f ? x : less == -1.0f ? -1.0f : y;
}

/* From @sum = x + 1 and its logarithm. */
static inline float
flow_log1p_by (float x,
               float sum,
               float log_sum)
{
  float y = x * (log_sum / (sum - 1.0f));

  return sum == 1.0f || sum == log_sum ? x : y;
}

/* A quotient of two polynomials; what is beyond @limit counts as @limit. */
static inline float
flow_tanh_within (float x,
                  float limit)
{
  float limited = x > limit ? limit : x;
  float x2;
  float p;
  float q;

  limited = limited < -limit ? -limit : limited;
  x2 = limited * limited;
  p = x2 * -2.76076847742355e-16f + 2.00018790482477e-13f;
  p = x2 * p + -8.60467152213735e-11f;
  p = x2 * p + 5.12229709037114e-08f;
  p = x2 * p + 1.48572235717979e-05f;
  p = x2 * p + 6.37261928875436e-04f;
  p = limited * (x2 * p + 4.89352455891786e-03f);
  q = x2 * 1.19825839466702e-06f + 1.18534705686654e-04f;
  q = x2 * q + 2.26843463243900e-03f;
  q = x2 * q + 4.89352518554385e-03f;
  return p / q;
}

/* log (2^-23) + 2: below it softplus is exp (x), above its negative x. */
#define FLOW_SOFTPLUS_LIMIT (-13.9423847f)

/* From exp (x) and the logarithm of that and 1. */
static inline float
flow_softplus_by (float x,
                  float e,
                  float log_sum)
{
  return x > -FLOW_SOFTPLUS_LIMIT ? x : x < FLOW_SOFTPLUS_LIMIT ? e : log_sum;
}

/* flow_vector_@name: the cells of whole vectors by @whole, the others by @rest. */
#define FLOW_VECTOR_LOOP(name, whole, rest)                                                  \
  FLOW_CLONES static void                                                                    \
  name##_whole (const float *x, float *y, gint64 n)                                          \
  {                                                                                          \
    FLOW_IVDEP                                                                               \
    for (gint64 i = 0; i < n; i++)                                                           \
      y[i] = whole (x[i]);                                                                   \
  }                                                                                          \
                                                                                             \
  void                                                                                       \
  flow_vector_##name (gconstpointer px, gpointer py, gint64 n)                               \
  {                                                                                          \
    const float *x = px;                                                                     \
    float *y = py;                                                                           \
                                                                                             \
    name##_whole (x, y, FLOW_VECTOR_PART (n));                                               \
    for (gint64 i = FLOW_VECTOR_PART (n); i < n; i++)                                        \
      y[i] = rest (x[i]);                                                                    \
  }

/* The same of four cells at a time, where the processor has such vectors. */
#if defined (__SSE2__)
#define FLOW_VECTOR_BY_FOUR(name, four, rest)                                                \
  void                                                                                       \
  flow_vector_##name (gconstpointer px, gpointer py, gint64 n)                               \
  {                                                                                          \
    const float *x = px;                                                                     \
    float *y = py;                                                                           \
    gint64 i = 0;                                                                            \
                                                                                             \
    for (; i < FLOW_VECTOR_PART (n); i += 4)                                                 \
      _mm_storeu_ps (y + i, four (_mm_loadu_ps (x + i)));                                    \
    for (; i < n; i++)                                                                       \
      y[i] = rest (x[i]);                                                                    \
  }
#else
#define FLOW_VECTOR_BY_FOUR(name, four, rest) FLOW_VECTOR_LOOP (name, rest, rest)
#endif

static inline float
flow_inverse (float x)
{
  return 1.0f / x;
}

static inline float
flow_inverse_root (float x)
{
  return 1.0f / sqrtf (x);
}

G_END_DECLS
