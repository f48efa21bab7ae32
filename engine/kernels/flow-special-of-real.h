/* flow-special-of-real.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

/* Zeta, polygamma and the incomplete gamma functions for one type of number. Included once for each,
 * with REAL, OF (name), the function of <math.h> for it (MATH (name)), EPSILON, BIG and GRADIENT_TERMS
 * defined: where these functions overflow, lose all digits or give up hangs on the type they compute in. */

/* TF: a value's series ends after so many terms, converged or not. */
#define VALUE_TERMS 2000
/* A negative q is counted up to this many times; TF counts as long as it takes. */
#define MAX_STEPS 20000

/* What comes behind the terms that were added one by one: the integral, and Bernoulli's corrections to it. */
static REAL
OF (zeta_rest) (REAL x,
                REAL w,
                REAL sum,
                REAL last)
{
  /* (2 k)! / B(2k) */
  static const REAL divisors[] = {
    (REAL) 12.0, (REAL) -720.0, (REAL) 30240.0, (REAL) -1209600.0, (REAL) 47900160.0,
    (REAL) -1.8924375803183791606e9, (REAL) 7.47242496e10, (REAL) -2.950130727918164224e12,
    (REAL) 1.1646782814350067249e14, (REAL) -4.5979787224074726105e15, (REAL) 1.8152105401943546773e17,
    (REAL) -7.1661652561756670113e18,
  };
  REAL factor = 1;
  REAL k = 0;

  sum += last * w / (x - 1);
  sum -= (REAL) 0.5 * last;
  for (guint i = 0; i < G_N_ELEMENTS (divisors); i++)
    {
      REAL term;

      factor *= x + k;
      last /= w;
      term = factor * last / divisors[i];
      sum += term;
      if (MATH (fabs) (term / sum) < EPSILON)
        break;
      k += 1;
      factor *= x + k;
      last /= w;
      k += 1;
    }
  return sum;
}

/* Sum of (q + n)^-x. */
static REAL
OF (zeta) (REAL x,
           REAL q)
{
  REAL sum;
  REAL last = 0;
  REAL at = q;

  if (x == 1)
    return (REAL) INFINITY;
  if (x < 1)
    return (REAL) NAN;
  if (q <= 0 && q == MATH (floor) (q))
    return (REAL) INFINITY;
  if (q <= 0 && x != MATH (floor) (x))
    return (REAL) NAN;
  sum = MATH (pow) (q, -x);
  for (int i = 0; i < 9 || (ZETA_GOES_ON && at <= 9 && i < MAX_STEPS); i++)
    {
      at += 1;
      last = MATH (pow) (at, -x);
      sum += last;
      if (MATH (fabs) (last / sum) < EPSILON)
        return sum;
    }
  return OF (zeta_rest) (x, at, sum, last);
}

static REAL
OF (polygamma) (REAL n,
                REAL x)
{
  int sign;

  if (MATH (floor) (n) != n)
    return (REAL) NAN;
  if (n == 0)
    return (REAL) flow_digamma ((double) x);
  return MATH (pow) (-1, n + 1) * MATH (exp) (LOG_GAMMA (n + 1, &sign)) * OF (zeta) (n + 1, x);
}

/* What is wanted of a GammaSum. @value: the function / its front. @by_a: its derivative by a; both without the front. */
typedef struct {
  REAL value;
  REAL by_a;
} OF (GammaSum);

/* The lower function by its series; the front is x^a exp (-x) / gamma (a + 1). */
static OF (GammaSum)
OF (gamma_series) (REAL     a,
                   REAL     x,
                   gboolean gradient)
{
  OF (GammaSum) sum = { 1, 0 };
  REAL r = a;
  REAL c = 1;
  REAL c_by_a = 0;

  for (int n = 0; n < (gradient ? GRADIENT_TERMS : VALUE_TERMS); n++)
    {
      REAL term;

      r += 1;
      term = x / r;
      c_by_a = term * c_by_a - x / (r * r) * c;
      sum.by_a += c_by_a;
      c *= term;
      sum.value += c;
      if (gradient ? MATH (fabs) (c_by_a) <= EPSILON * MATH (fabs) (sum.by_a) : c <= EPSILON * sum.value)
        break;
    }
  return sum;
}

/* Numerator and denominator of a continued fraction, with derivatives, at three steps in a row. */
typedef struct {
  REAL p, q, p_by_a, q_by_a;
} OF (Convergent);

static void
OF (shrink) (OF (Convergent) *c)
{
  c->p /= BIG;
  c->q /= BIG;
  c->p_by_a /= BIG;
  c->q_by_a /= BIG;
}

/* The upper function as a continued fraction; the front is x^a exp (-x) / gamma (a). */
static OF (GammaSum)
OF (gamma_fraction) (REAL     a,
                     REAL     x,
                     gboolean gradient)
{
  REAL y = 1 - a;
  REAL z = x + y + 1;
  OF (Convergent) before = { 1, x, 0, 0 };
  OF (Convergent) last = { x + 1, z * x, 0, -x };
  OF (GammaSum) sum;

  sum.value = last.p / last.q;
  sum.by_a = (last.p_by_a - sum.value * last.q_by_a) / last.q;
  for (int n = 0; n < (gradient ? GRADIENT_TERMS : VALUE_TERMS); n++)
    {
      REAL c = (REAL) n + 1;
      OF (Convergent) next;

      y += 1;
      z += 2;
      next.p = last.p * z - before.p * (y * c);
      next.q = last.q * z - before.q * (y * c);
      next.p_by_a = last.p_by_a * z - last.p - before.p_by_a * (y * c) + before.p * c;
      next.q_by_a = last.q_by_a * z - last.q - before.q_by_a * (y * c) + before.q * c;
      if (next.q != 0)
        {
          OF (GammaSum) old = sum;

          sum.value = next.p / next.q;
          sum.by_a = (next.p_by_a - sum.value * next.q_by_a) / next.q;
          if (gradient ? MATH (fabs) (sum.by_a - old.by_a) <= EPSILON
              : MATH (fabs) (old.value - sum.value) <= EPSILON * MATH (fabs) (sum.value))
            break;
        }
      before = last;
      last = next;
      if (MATH (fabs) (next.p) > BIG)
        {
          OF (shrink) (&before);
          OF (shrink) (&last);
        }
    }
  return sum;
}

/* x^a exp (-x) / gamma (b) */
static REAL
OF (gamma_front) (REAL a,
                  REAL x,
                  REAL b)
{
  int sign;

  return MATH (exp) (a * MATH (log) (x) - x - LOG_GAMMA (b, &sign));
}

/* The upper function where its fraction serves. */
static REAL
OF (gamma_upper) (REAL a,
                  REAL x)
{
  return isinf (x) ? 0 : OF (gamma_fraction) (a, x, FALSE).value * OF (gamma_front) (a, x, a);
}

static REAL
OF (gamma_lower) (REAL a,
                  REAL x)
{
  return OF (gamma_series) (a, x, FALSE).value * OF (gamma_front) (a, x, a + 1);
}

static REAL
OF (igamma) (REAL a,
             REAL x)
{
  /* TF: this comes first, whatever a is. */
  if (x == 0)
    return 0;
  if (isnan (a) || isnan (x) || x < 0 || a <= 0)
    return (REAL) NAN;
  return x > 1 && x > a ? 1 - OF (gamma_upper) (a, x) : OF (gamma_lower) (a, x);
}

static REAL
OF (igammac) (REAL a,
              REAL x)
{
  if (isnan (a) || isnan (x) || x < 0 || a <= 0)
    return (REAL) NAN;
  return x < 1 || x < a ? 1 - OF (gamma_lower) (a, x) : OF (gamma_upper) (a, x);
}

/* d igamma / d a */
static REAL
OF (igamma_grad_a) (REAL a,
                    REAL x)
{
  OF (GammaSum) sum;

  if (x == 0)
    return 0;
  if (isnan (a) || isnan (x) || x < 0 || a <= 0)
    return (REAL) NAN;
  if (x > 1 && x > a)
    {
      if (isinf (x))
        return (REAL) -0.0;
      sum = OF (gamma_fraction) (a, x, TRUE);
      return -OF (gamma_front) (a, x, a) *
             (sum.by_a + sum.value * (MATH (log) (x) - (REAL) flow_digamma ((double) a)));
    }
  sum = OF (gamma_series) (a, x, TRUE);
  return OF (gamma_front) (a, x, a + 1) *
         (sum.by_a + sum.value * (MATH (log) (x) - (REAL) flow_digamma ((double) (a + 1))));
}

/* Derivative of a gamma sample with respect to its shape, the quantile held. */
static REAL
OF (random_gamma_grad) (REAL alpha,
                        REAL sample)
{
  OF (GammaSum) sum;

  if (sample == 0)
    return 0;
  if (isnan (alpha) || isnan (sample) || sample < 0 || alpha <= 0)
    return (REAL) NAN;
  if (sample > 1 && sample > alpha)
    {
      if (isinf (sample))
        return (REAL) -0.0;
      sum = OF (gamma_fraction) (alpha, sample, TRUE);
      return (sum.by_a + sum.value * (MATH (log) (sample) - (REAL) flow_digamma ((double) alpha))) * sample;
    }
  sum = OF (gamma_series) (alpha, sample, TRUE);
  return -(sum.by_a + sum.value * (MATH (log) (sample) - (REAL) flow_digamma ((double) (alpha + 1)))) * sample / alpha;
}
