/* flow-vector-math-of-1.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-vector-loops-private.h"
#include "flow-vector-root-private.h"

/* As TensorFlow 1.15.5 has them; what its Eigen had no vectors for is the C library's. */

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
  y = flow_flushed (y * flow_two_to ((int) (m != m ? 0.0f : m)));
  y = y < x ? x : y;
  return x != x ? x : y;
}

/* log (x) = e log (2) + log (1 + m) with m from sqrt (1/2) - 1 to sqrt (2) - 1: m - m^2 / 2 + m^3 times a
 * polynomial of degree 8, in three parts; e log (2) is added in two. */
static inline float
vector_log (float x)
{
  guint32 bits = flow_bits_of (x);
  float e = (float) ((int) (bits >> 23 & 255) - 126);
  float m = flow_of_bits ((bits & 0x007fffff) | 0x3f000000);
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

  return flow_expm1_by (x, u, vector_log (u));
}

static inline float
vector_log1p (float x)
{
  return flow_log1p_by (x, x + 1.0f, vector_log (x + 1.0f));
}

/* --- tanh, sigmoid ------------------------------------------------------------------------------- */

/* The leftover cells are computed in this way too. */
static inline float
vector_tanh (float x)
{
  return flow_tanh_within (x, 9.0f);
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

/* --- loops --------------------------------------------------------------------------------------- */

static float
rest_sigmoid (float x)
{
  return 1.0f / (1.0f + flow_rest_exp (-x));
}

static inline float
vector_softplus (float x)
{
  float e = vector_exp (x);

  return flow_softplus_by (x, e, vector_log (e + 1.0f));
}

static float
rest_softplus (float x)
{
  return flow_softplus_by (x, flow_rest_exp (x), logf (expf (x) + 1.0f));
}

FLOW_VECTOR_LOOP (exp_of_1, vector_exp, flow_rest_exp)
FLOW_VECTOR_LOOP (expm1_of_1, vector_expm1, expm1f)
FLOW_VECTOR_LOOP (log_of_1, vector_log, logf)
FLOW_VECTOR_LOOP (log1p_of_1, vector_log1p, log1pf)
FLOW_VECTOR_LOOP (tanh_of_1, vector_tanh, vector_tanh)
FLOW_VECTOR_LOOP (sigmoid_of_1, vector_sigmoid, rest_sigmoid)
FLOW_VECTOR_LOOP (softplus_of_1, vector_softplus, rest_softplus)
FLOW_VECTOR_LOOP (erf_of_1, erff, erff)
FLOW_VECTOR_LOOP (acos_of_1, acosf, acosf)
FLOW_VECTOR_LOOP (asin_of_1, asinf, asinf)
FLOW_VECTOR_LOOP (atan_of_1, atanf, atanf)
FLOW_VECTOR_LOOP (atanh_of_1, atanhf, atanhf)
FLOW_VECTOR_LOOP (reciprocal_of_1, flow_inverse, flow_inverse)

/* --- roots --------------------------------------------------------------------------------------- */

FLOW_VECTOR_BY_FOUR (rsqrt_of_1, flow_four_rsqrt, flow_inverse_root)
FLOW_VECTOR_BY_FOUR (sqrt_of_1, flow_four_sqrt, sqrtf)

/* --- powers ---------------------------------------------------------------------------------------- */

void
flow_vector_pow_of_1 (gconstpointer px,
                      gint64        sx,
                      gconstpointer py,
                      gint64        sy,
                      gpointer      pz,
                      gint64        n)
{
  const float *x = px;
  const float *y = py;
  float *z = pz;

  for (gint64 i = 0; i < n; i++)
    z[i] = powf (x[i * sx], y[i * sy]);
}
