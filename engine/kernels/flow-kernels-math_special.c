/* flow-kernels-math_special.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"

#include <float.h>
#include <math.h>

/* Incomplete gamma and beta functions, zeta, polygamma. Each series and fraction ends after a bounded
 * number of terms. */

#define MAX_TERMS 20000

/* --- digamma ----------------------------------------------------------------------------------- */

/* The logarithmic derivative of the gamma function: reflected to x > 0, raised to x >= 10, where the
 * asymptotic series has 16 good digits. TF: infinite at zero and the negative integers. */
double
flow_digamma (double x)
{
  double result = 0;
  double z;

  if (x <= 0 && x == floor (x))
    return (double) INFINITY;
  if (x < 0)
    {
      double rest = x - floor (x);

      /* The nearer whole number: of one that is close to it nothing may be rounded away. */
      result = -M_PI / tan (M_PI * (rest > 0.5 ? x - (floor (x) + 1) : rest));
      x = 1 - x;
    }
  for (; x < 10; x += 1)
    result -= 1 / x;
  z = 1 / (x * x);
  return result + log (x) - 0.5 / x -
         z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 -
         z * (691.0 / 32760 - z / 12))))));
}

/* --- zeta, polygamma, incomplete gamma: in the type itself -------------------------------------------- */

#define REAL float
#define OF(name) name##_of_float
#define MATH(name) name##f
#define LOG_GAMMA lgammaf_r
#define EPSILON 5.9604644775390625e-8f
#define BIG 16777216.0f
#define GRADIENT_TERMS 200
/* TF: of floats just nine terms are added before the integral, wherever that is then. */
#define ZETA_GOES_ON FALSE
#include "flow-special-of-real.h"
#undef REAL
#undef OF
#undef MATH
#undef LOG_GAMMA
#undef EPSILON
#undef BIG
#undef GRADIENT_TERMS
#undef ZETA_GOES_ON

#define REAL double
#define OF(name) name##_of_double
#define MATH(name) name
#define LOG_GAMMA lgamma_r
#define EPSILON 1.11022302462515654042e-16
#define BIG 4503599627370496.0
#define GRADIENT_TERMS 500
#define ZETA_GOES_ON TRUE
#include "flow-special-of-real.h"

/* --- incomplete beta ---------------------------------------------------------------------------------- */

static double
log_gamma (double x)
{
  int sign;

  return lgamma_r (x, &sign);
}

static double
beta_fraction (double a,
               double b,
               double x)
{
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  double h;

  d = 1 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
  h = d;
  for (int m = 1; m < MAX_TERMS; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      double change;

      d = 1 + even * d;
      c = 1 + even / c;
      d = 1 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
      c = fabs (c) < DBL_MIN ? DBL_MIN : c;
      h *= d * c;
      d = 1 + odd * d;
      c = 1 + odd / c;
      d = 1 / (fabs (d) < DBL_MIN ? DBL_MIN : d);
      c = fabs (c) < DBL_MIN ? DBL_MIN : c;
      change = d * c;
      h *= change;
      if (fabs (change - 1) < DBL_EPSILON)
        break;
    }
  return h;
}

static double
betainc (double a,
         double b,
         double x)
{
  double front;

  if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1))
    return (double) NAN;
  if (x == 0 || x == 1)
    return x;
  front = exp (log_gamma (a + b) - log_gamma (a) - log_gamma (b) + a * log (x) + b * log1p (-x));
  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction (a, b, x) / a;
  return 1 - front * beta_fraction (b, a, 1 - x) / b;
}

/* --- loops ----------------------------------------------------------------------------------------------- */

#define OF_TWO(ident)                                                                  \
  FLOW_BINARY_LOOP (, ident##_float, float, float, ident##_of_float (a, b))            \
  FLOW_BINARY_LOOP (, ident##_double, double, double, ident##_of_double (a, b))        \
  static const FlowBinaryLoops ident##_loops = {                                       \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                              \
  };                                                                                   \
  FLOW_BINARY_COMPUTE (ident)                                                          \
  FLOW_ONE_KERNEL (ident, "T: float double")

OF_TWO (zeta)
OF_TWO (polygamma)
OF_TWO (igamma)
OF_TWO (igammac)
OF_TWO (igamma_grad_a)
OF_TWO (random_gamma_grad)

/* --- Betainc: scalars beside one shape --------------------------------------------------------------------- */

static gboolean
betainc_infer (FlowInferContext  *c,
               GError           **error)
{
  static const char *const names[] = { "a", "b", "x" };
  g_autoptr (FlowShape) out = flow_shape_ref (flow_infer_input (c, 0));

  for (guint i = 0; i < 3; i++)
    for (guint k = i + 1; c->running && k < 3; k++)
      {
        FlowShape *p = flow_infer_input (c, i);
        FlowShape *q = flow_infer_input (c, k);
        g_autofree char *text_p = flow_shape_to_string (p);
        g_autofree char *text_q = flow_shape_to_string (q);

        FLOW_REQUIRE (p->rank == 0 || q->rank == 0 || flow_shape_equal (p, q), error, INVALID_ARGUMENT,
                      "Shapes of %s and %s are inconsistent: %s vs. %s", names[i], names[k], text_p,
                      text_q);
      }
  for (guint i = 1; i < 3; i++)
    {
      FlowShape *in = flow_infer_input (c, i);
      FlowShape *merged;

      if (out->rank == 0)
        merged = flow_shape_ref (in);
      else if (in->rank == 0)
        continue;
      else if (!flow_infer_merge (c, out, in, &merged, error))
        return FALSE;
      flow_shape_unref (out);
      out = merged;
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
betainc_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *in[3];
  gint64 step[3];
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);

  if (out == NULL)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      in[i] = flow_kernel_input (c, i);
      step[i] = FLOW_RANK (in[i]) == 0 ? 0 : 1;
    }
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      double value = betainc (flow_tensor_get_double (in[0], i * step[0]),
                              flow_tensor_get_double (in[1], i * step[1]),
                              flow_tensor_get_double (in[2], i * step[2]));

      if (out->dtype == FLOW_DTYPE_FLOAT)
        FLOW_WRITABLE (float, out)[i] = (float) value;
      else
        FLOW_WRITABLE (double, out)[i] = value;
    }
  return TRUE;
}

FLOW_ONE_KERNEL (betainc, "T: float double")

/* --- the table ---------------------------------------------------------------------------------------------- */

#define TWO(op, ident, first, second, out, text)                                       \
  { .name = op, .inputs = first ": T; " second ": T", .outputs = out ": T",            \
    .attrs = "T: {float, double}", .summary = text, .family = FLOW_OP_FAMILY_MATH,     \
    .infer = flow_infer_broadcast_binary, .kernels = ident##_kernels }

static const FlowOpDef ops[] = {
  { .name = "Betainc", .inputs = "a: T; b: T; x: T", .outputs = "z: T",
    .attrs = "T: {float, double}", .summary = "Regularised incomplete beta function",
    .family = FLOW_OP_FAMILY_MATH, .infer = betainc_infer, .kernels = betainc_kernels },
  TWO ("Igamma", igamma, "a", "x", "z", "Regularised lower incomplete gamma function"),
  TWO ("IgammaGradA", igamma_grad_a, "a", "x", "z", "Derivative of Igamma by a"),
  TWO ("Igammac", igammac, "a", "x", "z", "Regularised upper incomplete gamma function"),
  TWO ("Polygamma", polygamma, "a", "x", "z", "Derivative of order a of digamma"),
  TWO ("RandomGammaGrad", random_gamma_grad, "alpha", "sample", "output",
       "Derivative of a gamma sample by its shape"),
  TWO ("Zeta", zeta, "x", "q", "z", "Hurwitz zeta function"),
};

FLOW_DEFINE_OP_FAMILY (math_special, ops)
