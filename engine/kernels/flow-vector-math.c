/* flow-vector-math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-vector-math-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined (__SSE2__)
#include <immintrin.h>
#endif

/* Loops over whole vectors are compiled for three levels of x86-64, as in flow-elementwise. None may
 * fuse products and sums: TensorFlow's are apart. */
#if defined (__x86_64__) && defined (__GNUC__) && !defined (__clang__)
#define CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

static inline guint32
bits_of (float x)
{
  guint32 bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline float
of_bits (guint32 bits)
{
  float x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

static inline float
two_to (int n)
{
  return of_bits ((guint32) (n + 127) << 23);
}

static inline float
flushed (float x)
{
  return fabsf (x) < FLT_MIN ? 0.0f : x;
}

/* --- exp, log ------------------------------------------------------------------------------------ */

/* exp (x) = 2^m exp (r) with |r| <= log (2) / 2; m log (2) is taken off in two parts. */
static inline float
vector_exp (float x)
{
  float limited = x > 88.3762626647950f ? 88.3762626647950f : x;
  float m;
  float r;
  float y;

  limited = limited < -88.3762626647950f ? -88.3762626647950f : limited;
  m = floorf (limited * 1.44269504088896341f + 0.5f);
  r = limited - m * 0.693359375f;
  r = r - m * -2.12194440e-4f;
  y = 1.9875691500e-4f * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * (r * r) + r + 1.0f;
  y = flushed (y * two_to ((int) (m != m ? 0.0f : m)));
  y = y < x ? x : y;
  return x != x ? x : y;
}

/* log (x) = e log (2) + log (1 + m) with m from sqrt (1/2) - 1 to sqrt (2) - 1: m - m^2 / 2 + m^3 times a
 * polynomial of degree 8, in three parts; e log (2) is added in two. */
static inline float
vector_log (float x)
{
  guint32 bits = bits_of (x);
  float e = (float) ((int) (bits >> 23 & 255) - 126);
  float m = of_bits ((bits & 0x007fffff) | 0x3f000000);
  gboolean low = m < 0.707106781186547524f;
  float m2;
  float m3;
  float first;
  float second;
  float third;
  float y;

  e = low ? e - 1.0f : e;
  m = low ? (m - 1.0f) + m : m - 1.0f;
  m2 = m * m;
  m3 = m2 * m;
  first = (7.0376836292e-2f * m + -1.1514610310e-1f) * m + 1.1676998740e-1f;
  second = (-1.2420140846e-1f * m + 1.4249322787e-1f) * m + -1.6668057665e-1f;
  third = (2.0000714765e-1f * m + -2.4999993993e-1f) * m + 3.3333331174e-1f;
  y = ((first * m3 + second) * m3 + third) * m3 + e * -2.12194440e-4f;
  y = (m - m2 * 0.5f) + y + e * 0.693359375f;
  y = fabsf (x) < FLT_MIN ? -INFINITY : y;
  y = x <= -FLT_MIN ? NAN : y;
  return x == INFINITY || x != x ? x : y;
}

static inline float
vector_expm1 (float x)
{
  float u = vector_exp (x);
  float less = u - 1.0f;
  float log_u = vector_log (u);
  float y = log_u == u ? u : less * (x / log_u);

  return u == 1.0f ? x : less == -1.0f ? -1.0f : y;
}

static inline float
vector_log1p (float x)
{
  float sum = x + 1.0f;
  float log_sum = vector_log (sum);
  float y = x * (log_sum / (sum - 1.0f));

  return sum == 1.0f || sum == log_sum ? x : y;
}

/* --- tanh, sigmoid ------------------------------------------------------------------------------- */

/* A quotient of two polynomials; beyond the limit 1. The leftover cells are computed in this way too. */
static inline float
vector_tanh (float x)
{
  float limited = x > 9.0f ? 9.0f : x;
  float x2;
  float p;
  float q;

  limited = limited < -9.0f ? -9.0f : limited;
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

/* 1/2 and a quotient of two polynomials; what is beyond the limit counts as the limit. */
static inline float
vector_sigmoid (float x)
{
  float limited = x > 18.0f ? 18.0f : x;
  float x2;
  float p;
  float q;
  float y;

  limited = limited < -18.0f ? -18.0f : limited;
  x2 = limited * limited;
  p = x2 * 4.37031012579801e-11f + 1.15627324459942e-07f;
  p = x2 * p + 6.08574864600143e-05f;
  p = x2 * p + 8.51377133304701e-03f;
  p = limited * (x2 * p + 2.48287947061529e-01f);
  q = x2 * 6.10247389755681e-13f + 5.76102136993427e-09f;
  q = x2 * q + 6.29106785017040e-06f;
  q = x2 * q + 1.70198817374094e-03f;
  q = x2 * q + 1.16817656904453e-01f;
  q = x2 * q + 9.93151921023180e-01f;
  y = p / q + 0.5f;
  y = y > 1.0f ? 1.0f : y;
  return y < 0.0f ? 0.0f : y;
}

/* --- sin, cos ------------------------------------------------------------------------------------ */

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

  *n = bits_of (rounded);
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

  return of_bits (bits_of (y) ^ ((bits_of (x) ^ n << 30) & 0x80000000));
}

static inline float
vector_cos (float x)
{
  guint32 n;
  float r = quadrant (x, &n);
  float y = (n & 1) == 0 ? cos_part (r * r) : sin_part (r, r * r);

  return of_bits (bits_of (y) ^ ((n + 1) << 30 & 0x80000000));
}

/* --- loops --------------------------------------------------------------------------------------- */

#define LOOP(name, whole, rest)                                                              \
  CLONES static void                                                                         \
  name##_whole (const float *x, float *y, gint64 n)                                          \
  {                                                                                          \
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

static float
rest_exp (float x)
{
  return flushed (expf (x));
}

static float
rest_sigmoid (float x)
{
  return 1.0f / (1.0f + rest_exp (-x));
}

LOOP (exp, vector_exp, rest_exp)
LOOP (expm1, vector_expm1, expm1f)
LOOP (log, vector_log, logf)
LOOP (log1p, vector_log1p, log1pf)
LOOP (tanh, vector_tanh, vector_tanh)
LOOP (sigmoid, vector_sigmoid, rest_sigmoid)

/* Angles beyond the limit go one by one through the C library. */
#define ANGLE_LOOP(name, limit, function)                                                    \
  CLONES static gboolean                                                                     \
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

/* log (2^-23) + 2: below it the sum is exp (x), above its negative x. */
#define SOFTPLUS_LIMIT (-13.9423847f)

CLONES static void
softplus_whole (const float *x,
                float       *y,
                gint64       n)
{
  for (gint64 i = 0; i < n; i++)
    {
      float a = x[i];
      float e = vector_exp (a);

      y[i] = a > -SOFTPLUS_LIMIT ? a : a < SOFTPLUS_LIMIT ? e : vector_log (e + 1.0f);
    }
}

void
flow_vector_softplus (gconstpointer px,
                      gpointer      py,
                      gint64        n)
{
  const float *x = px;
  float *y = py;

  softplus_whole (x, y, FLOW_VECTOR_PART (n));
  for (gint64 i = FLOW_VECTOR_PART (n); i < n; i++)
    y[i] = x[i] > -SOFTPLUS_LIMIT ? x[i] : x[i] < SOFTPLUS_LIMIT ? rest_exp (x[i]) : logf (expf (x[i]) + 1.0f);
}

/* --- by the processor's guess and one step of Newton ----------------------------------------------- */

#if defined (__SSE2__)
static inline __m128
four_chosen (__m128 mask,
             __m128 a,
             __m128 b)
{
  return _mm_or_ps (_mm_and_ps (mask, a), _mm_andnot_ps (mask, b));
}

static inline __m128
four_guessed_rsqrt (__m128 a,
                    __m128 guess)
{
  __m128 half = _mm_mul_ps (a, _mm_set1_ps (0.5f));

  return _mm_mul_ps (guess, _mm_sub_ps (_mm_set1_ps (1.5f), _mm_mul_ps (half, _mm_mul_ps (guess, guess))));
}

/* Infinite for what is too small for a normal float, no number below that. */
static inline __m128
four_rsqrt (__m128 a)
{
  __m128 zero = _mm_cmplt_ps (a, _mm_set1_ps (FLT_MIN));
  __m128 negative = _mm_cmplt_ps (a, _mm_setzero_ps ());
  __m128 better = four_guessed_rsqrt (a, _mm_andnot_ps (zero, _mm_rsqrt_ps (a)));

  return four_chosen (negative, _mm_set1_ps (NAN), four_chosen (zero, _mm_set1_ps (INFINITY), better));
}

/* The number times its rsqrt. */
static inline __m128
four_sqrt (__m128 a)
{
  __m128 zero = _mm_and_ps (_mm_cmplt_ps (a, _mm_set1_ps (FLT_MIN)), _mm_cmpge_ps (a, _mm_setzero_ps ()));

  return _mm_andnot_ps (zero, _mm_mul_ps (a, four_guessed_rsqrt (a, _mm_rsqrt_ps (a))));
}

#define NEWTON_WHOLE(name)                                                                   \
  for (; i < FLOW_VECTOR_PART (n); i += 4)                                                   \
    _mm_storeu_ps (y + i, four_##name (_mm_loadu_ps (x + i)))
#else
#define NEWTON_WHOLE(name) (void) 0
#endif

#define NEWTON_LOOP(name, rest)                                                              \
  void                                                                                       \
  flow_vector_##name (gconstpointer px, gpointer py, gint64 n)                               \
  {                                                                                          \
    const float *x = px;                                                                     \
    float *y = py;                                                                           \
    gint64 i = 0;                                                                            \
                                                                                             \
    NEWTON_WHOLE (name);                                                                     \
    for (; i < n; i++)                                                                       \
      y[i] = rest (x[i]);                                                                    \
  }

static float
rest_rsqrt (float x)
{
  return 1.0f / sqrtf (x);
}

NEWTON_LOOP (rsqrt, rest_rsqrt)
NEWTON_LOOP (sqrt, sqrtf)