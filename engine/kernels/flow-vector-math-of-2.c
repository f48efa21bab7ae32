/* flow-vector-math-of-2.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-vector-loops-private.h"

#if defined (__SSE2__)
#include <immintrin.h>
#endif

/* As TensorFlow 2.15 has them. */

/* --- exp, log ------------------------------------------------------------------------------------ */

/* exp (x) = 2^m exp (r) with |r| <= log (2) / 2; m log (2) is taken off in two parts. */
static inline float
vector_exp (float x)
{
  float limited = x > 88.723f ? 88.723f : x;
  float m;
  float r;
  float r2;
  float even;
  float y;
  int n;

  limited = limited < -104.0f ? -104.0f : limited;
  m = floorf (limited * 1.44269504088896341f + 0.5f);
  r = m * -0.693359375f + limited;
  r = m * 2.12194440e-4f + r;
  r2 = r * r;
  even = r2 * 1.37449637986719608306884765625e-3f + 4.166965186595916748046875e-2f;
  even = r2 * even + 0.49999988079071044921875f;
  y = r * (r2 * 8.36894474923610687255859375e-3f + 0.16666518151760101318359375f) + even;
  y = r2 * y + (r + 1.0f);
  n = (int) (m != m ? 0.0f : m);
  y = flow_flushed (y * flow_two_to (n >> 1) * flow_two_to (n - (n >> 1)));
  y = x < -104.0f ? 0.0f : y;
  y = y < x ? x : y;
  return x != x ? x : y;
}

/* log (x) = e log (2) + log (1 + m) with m from sqrt (1/2) - 1 to sqrt (2) - 1: a quotient of two
 * polynomials of degree 3. */
static inline float
vector_log (float x)
{
  guint32 bits = flow_bits_of (x);
  float e = (float) ((int) (bits >> 23 & 255) - 126);
  float m = flow_of_bits ((bits & 0x007fffff) | 0x3f000000);
  gboolean low = m < 0.707106781186547524f;
  float p;
  float q;
  float y;

  e = low ? e - 1.0f : e;
  m = low ? (m - 1.0f) + m : m - 1.0f;
  p = m * 0.18256296349849254f + 1.0000000190281063f;
  p = m * (m * p + 1.0000000190281136f);
  q = m * 0.049616247954120038f + 0.59923249590823520f;
  q = m * (m * q + 1.4999999999999927f) + 1.0f;
  y = e * 0.69314718055994530942f + p / q;
  y = fabsf (x) < FLT_MIN ? -INFINITY : y;
  y = x <= -FLT_MIN ? NAN : y;
  return x == INFINITY || x != x ? x : y;
}

static inline float
vector_expm1 (float x)
{
  float u = vector_exp (x);

  return flow_expm1_by (x, u, vector_log (u));
}

static inline float
vector_log1p (float x)
{
  return flow_log1p_by (x, x + 1.0f, vector_log (x + 1.0f));
}

/* --- tanh, sigmoid, erf -------------------------------------------------------------------------- */

/* The leftover cells are computed in this way too. */
static inline float
vector_tanh (float x)
{
  return fabsf (x) < 0.0004f ? x : flow_tanh_within (x, 7.90531110763549805f);
}

static inline float
ratio_to_one (float e)
{
  return e == INFINITY ? 1.0f : e / (1.0f + e);
}

static inline float
vector_sigmoid (float x)
{
  return ratio_to_one (vector_exp (x));
}

static inline float
vector_erf (float x)
{
  float x2 = x * x;
  float p = x2 * 0.00022905065861350646f + 0.0034082910107109506f;
  float q = x2 * -1.1791602954361697e-7f + 0.000023547966471313185f;

  p = x2 * p + 0.050955695062380861f;
  p = x2 * p + 0.18520832239976145f;
  p = x * (x2 * p + 1.128379143519084f);
  q = x2 * q + 0.0010179625278914885f;
  q = x2 * q + 0.014070470171167667f;
  q = x2 * q + 0.11098505178285362f;
  q = x2 * q + 0.49746925110067538f;
  q = x2 * q + 1.0f;
  return fabsf (x) >= 3.832506856900711f ? copysignf (1.0f, x) : p / q;
}

/* --- loops --------------------------------------------------------------------------------------- */

static float
rest_sigmoid (float x)
{
  return ratio_to_one (flow_rest_exp (x));
}

static inline float
vector_softplus (float x)
{
  float e = vector_exp (x);

  return flow_softplus_by (x, e, vector_log1p (e));
}

static float
rest_softplus (float x)
{
  return flow_softplus_by (x, flow_rest_exp (x), log1pf (expf (x)));
}

FLOW_VECTOR_LOOP (exp_of_2, vector_exp, flow_rest_exp)
FLOW_VECTOR_LOOP (expm1_of_2, vector_expm1, expm1f)
FLOW_VECTOR_LOOP (log_of_2, vector_log, logf)
FLOW_VECTOR_LOOP (log1p_of_2, vector_log1p, log1pf)
FLOW_VECTOR_LOOP (tanh_of_2, vector_tanh, vector_tanh)
FLOW_VECTOR_LOOP (sigmoid_of_2, vector_sigmoid, rest_sigmoid)
FLOW_VECTOR_LOOP (softplus_of_2, vector_softplus, rest_softplus)
FLOW_VECTOR_LOOP (erf_of_2, vector_erf, vector_erf)
FLOW_VECTOR_LOOP (sqrt_of_2, sqrtf, sqrtf)

/* --- by the processor's guess and one step of Newton ----------------------------------------------- */

/* TensorFlow takes the guess from the processor, and makers of processors have different tables for it: of
 * the same input the last bit (seldom two) may differ between two machines, in TensorFlow as here. */
#if defined (__SSE2__)
/* What is too small for a normal float becomes 0 of its sign. */
static inline __m128
flushed_four (__m128 a)
{
  const __m128 sign = _mm_set1_ps (-0.0f);
  __m128 normal = _mm_cmpge_ps (_mm_andnot_ps (sign, a), _mm_set1_ps (FLT_MIN));
  __m128 nan = _mm_cmpunord_ps (a, a);

  return _mm_and_ps (a, _mm_or_ps (_mm_or_ps (normal, nan), sign));
}

/* The guess where the step came to nothing that is known. */
static inline __m128
better_or_guess (__m128 known,
                 __m128 better,
                 __m128 guess)
{
  return _mm_or_ps (_mm_and_ps (known, better), _mm_andnot_ps (known, guess));
}

static inline __m128
four_reciprocal (__m128 a)
{
  __m128 guess;
  __m128 left;

  a = flushed_four (a);
  guess = _mm_rcp_ps (a);
  left = _mm_sub_ps (_mm_set1_ps (2.0f), _mm_mul_ps (a, guess));
  return better_or_guess (_mm_cmpeq_ps (left, left), _mm_mul_ps (guess, left), guess);
}

static inline __m128
four_rsqrt (__m128 a)
{
  __m128 guess;
  __m128 off;
  __m128 better;

  a = flushed_four (a);
  guess = _mm_rsqrt_ps (a);
  off = _mm_add_ps (_mm_mul_ps (_mm_mul_ps (a, guess), guess), _mm_set1_ps (-1.0f));
  better = _mm_add_ps (_mm_mul_ps (_mm_mul_ps (guess, _mm_set1_ps (-0.5f)), off), guess);
  return better_or_guess (_mm_cmpeq_ps (better, better), better, guess);
}
#endif

FLOW_VECTOR_BY_FOUR (reciprocal_of_2, four_reciprocal, flow_inverse)
FLOW_VECTOR_BY_FOUR (rsqrt_of_2, four_rsqrt, flow_inverse_root)

/* --- inverse functions of angles ------------------------------------------------------------------- */

/* acos (x) / sqrt (1 - x) is a polynomial for x from 0 to 1. */
static inline float
vector_acos (float x)
{
  float a = fabsf (x);
  float x2 = x * x;
  float even = x2 * 2.36423197202384471893310546875e-3f + 2.717843465507030487060546875e-2f;
  float odd = x2 * -1.1368644423782825469970703125e-2f + -4.8969544470310211181640625e-2f;
  float all;

  even = x2 * even + 8.8804088532924652099609375e-2f;
  odd = x2 * odd + -0.214591205120086669921875f;
  even = x2 * even + 1.57079637050628662109375f;
  all = sqrtf (1.0f - a) * (odd * a + even);
  return flow_bits_of (x) >> 31 != 0 ? 3.14159265358979323846f - all : all;
}

FLOW_VECTOR_LOOP (acos_of_2, vector_acos, acosf)

/* asin (x) / x is a polynomial of even powers to 1/2; beyond, asin (x) is pi / 2 - 2 asin (sqrt ((1 - x) / 2)). */
static inline float
vector_asin (float x)
{
  float a = fabsf (x);
  gboolean large = a > 0.5f;
  float b = large ? sqrtf (0.5f - 0.5f * a) : a;
  float b2 = b * b;
  float all = b2 * 5.08838854730129241943359375e-2f + 3.95139865577220916748046875e-2f;

  all = b2 * all + 7.550220191478729248046875e-2f;
  all = b2 * all + 0.16664917767047882080078125f;
  all = b2 * all + 1.00000011920928955078125f;
  all = all * b;
  all = large ? 1.57079632679489661923f - 2.0f * all : all;
  return a > 1.0f ? NAN : copysignf (all, x);
}

FLOW_VECTOR_LOOP (asin_of_2, vector_asin, asinf)

static inline float
reduced_atan (float x)
{
  float x2 = x * x;
  float x4 = x2 * x2;
  float odd = x4 * 2.90188402868807315826416015625e-3f + 4.3082617223262786865234375e-2f;
  float even = x4 * -1.62907354533672332763671875e-2f + -7.5408883392810821533203125e-2f;

  odd = x4 * odd + 0.1066047251224517822265625f;
  even = x4 * even + -0.14209578931331634521484375f;
  odd = x4 * odd + 0.19993579387664794921875f;
  even = x4 * even + -0.3333314359188079833984375f;
  return (odd * x2 + even) * (x * x2) + x;
}

/* Beyond 1 by the reciprocal, as the processor guesses it. */
void
flow_vector_atan_of_2 (gconstpointer px,
                       gpointer      py,
                       gint64        n)
{
  const float *x = px;
  float *y = py;

  for (gint64 i = 0; i < FLOW_VECTOR_PART (n); i += FLOW_VECTOR_WIDTH)
    {
      float inverse[FLOW_VECTOR_WIDTH];

      flow_vector_reciprocal_of_2 (x + i, inverse, FLOW_VECTOR_WIDTH);
      for (int j = 0; j < FLOW_VECTOR_WIDTH; j++)
        {
          gboolean large = fabsf (x[i + j]) > 1.0f;
          float small = reduced_atan (large ? inverse[j] : x[i + j]);

          y[i + j] = large ? copysignf (1.57079632679489661923f, x[i + j]) - small : small;
        }
    }
  for (gint64 i = FLOW_VECTOR_PART (n); i < n; i++)
    y[i] = atanf (x[i]);
}

/* A polynomial to 1/2, a logarithm beyond. */
static inline float
vector_atanh (float x)
{
  float x2 = x * x;
  float all = x2 * 0.1819281280040740966796875f + 8.2311116158962249755859375e-2f;

  all = x2 * all + 0.14672131836414337158203125f;
  all = x2 * all + 0.1997792422771453857421875f;
  all = x2 * all + 0.3333373963832855224609375f;
  all = (x * x2) * all + x;
  return fabsf (x) >= 0.5f ? 0.5f * vector_log ((1.0f + x) / (1.0f - x)) : all;
}

FLOW_VECTOR_LOOP (atanh_of_2, vector_atanh, atanhf)

/* --- powers ---------------------------------------------------------------------------------------- */

/* A number in two parts, the second smaller than the first's last bit. */
typedef struct {
  float high;
  float low;
} Pair;

static inline Pair
pair_sum_of (float a,
             float b)
{
  float sum = a + b;

  return (Pair) { sum, b - (sum - a) };
}

/* |a| is not smaller than |b|. */
static inline Pair
pair_sum (Pair a,
          Pair b)
{
  Pair high = pair_sum_of (a.high, b.high);
  float low = a.low + b.low;

  return pair_sum_of (high.high, high.low + low);
}

static inline Pair
pair_product_of (float a,
                 float b)
{
  float product = a * b;

  return (Pair) { product, (float) ((double) a * b - product) };
}

static inline Pair
pair_product (Pair  a,
              float b)
{
  Pair high = pair_product_of (a.high, b);
  Pair sum = pair_sum_of (high.high, a.low * b);

  return pair_sum_of (sum.high, sum.low + high.low);
}

/* log2 (m) for m from sqrt (1/2) to sqrt (2), in two parts. */
static inline Pair
pair_log2 (float m)
{
  float x = m - 1.0f;
  float x2 = x * x;
  float even = x2 * 9.703654795885e-2f + 0.1720575392246f;
  float odd = x2 * -0.1690667718648f + -0.1789081543684f;
  Pair q;

  even = x2 * even + 0.2050433009862f;
  even = x2 * even + 0.2885761857032f;
  odd = x2 * odd + -0.2404672354459f;
  q = pair_sum ((Pair) { -0.360674142838f, -6.13283912543e-09f }, pair_product_of (odd * x + even, x));
  q = pair_sum ((Pair) { 0.480897903442f, -1.44861207474e-08f }, pair_product (q, x));
  q = pair_sum ((Pair) { -0.721347510815f, -4.84483164698e-09f }, pair_product (q, x));
  q = pair_sum ((Pair) { 1.44269502163f, 2.01711713999e-08f }, pair_product (q, x));
  return pair_product (q, x);
}

/* 2^x for x from -1/2 to 1/2. */
static inline float
exact_exp2 (float x)
{
  const Pair first = { 0.6931471825f, 2.36836577e-08f };
  float x2 = x * x;
  float even = x2 * 1.539513905e-4f + 9.618283249e-3f;
  float odd = x2 * 1.340007293e-3f + 5.550328270e-2f;
  Pair q;
  Pair one;

  even = x2 * even + 0.2402264923f;
  q = pair_product (pair_sum (first, pair_product_of (odd * x + even, x)), x);
  one = pair_sum_of (1.0f, q.high);
  return one.high + (q.low + one.low);
}

/* By the logarithm in double parts. What has no logarithm, or a result near the ends of float, is the C library's. */
static float
vector_pow (float x,
            float y)
{
  int e = 0;
  float m;
  float whole;
  float more;
  float rest;
  Pair f;

  if (!isfinite (x) || !isfinite (y) || fabsf (x) < FLT_MIN || y == 0.0f || (x < 0.0f && rintf (y) != y))
    return powf (x, y);
  m = frexpf (fabsf (x), &e);
  if (m < 0.707106781186547524f)
    {
      m *= 2.0f;
      e--;
    }
  f = pair_sum (pair_product_of ((float) e, y), pair_product (pair_log2 (m), y));
  if (!(fabsf (f.high) < 120.0f))
    return powf (x, y);
  whole = rintf (f.high);
  rest = f.high - whole + f.low;
  more = rintf (rest);
  m = exact_exp2 (rest - more) * flow_two_to ((int) (whole + more));
  return x < 0.0f && fmodf (y, 2.0f) != 0.0f ? -m : m;
}

void
flow_vector_pow_of_2 (gconstpointer px,
                      gint64        sx,
                      gconstpointer py,
                      gint64        sy,
                      gpointer      pz,
                      gint64        n)
{
  const float *x = px;
  const float *y = py;
  float *z = pz;

  for (gint64 i = 0; i < FLOW_VECTOR_PART (n); i++)
    z[i] = vector_pow (x[i * sx], y[i * sy]);
  for (gint64 i = FLOW_VECTOR_PART (n); i < n; i++)
    z[i] = powf (x[i * sx], y[i * sy]);
}
