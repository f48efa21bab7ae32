/* flow-gradients-unary.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <math.h>

/* Gradients of functions of one operand. */

#include <float.h>
#include <math.h>

/* OpGrad (y, dy) of the same name with Grad. */
static void
grad_by_output (FlowGradient *g)
{
  g_autofree char *type = g_strconcat (flow_gradient_type (g), "Grad", NULL);

  SET (0, OP2 (type, NULL, Y (0), DY (0)));
}

static void
grad_reciprocal (FlowGradient *g)
{
  SET (0, OP2 ("ReciprocalGrad", NULL, Y (0), DY (0)));
}

static void
grad_by_output_after (FlowGradient *g)
{
  g_autofree char *type = g_strconcat (flow_gradient_type (g), "Grad", NULL);

  AFTER (DY (0));
  SET (0, OP2 (type, NULL, CONJ (Y (0)), DY (0)));
  LEAVE ();
}

static void
grad_square (FlowGradient *g)
{
  FlowEndpoint x;

  AFTER (DY (0));
  x = CONJ (X (0));
  x = OP2 ("Mul", NULL, x, NUMBER (NULL, DTYPE (X (0)), 2));
  SET (0, OP2 ("Mul", NULL, DY (0), x));
  LEAVE ();
}

static void
grad_exp (FlowGradient *g)
{
  AFTER (DY (0));
  SET (0, MUL (DY (0), CONJ (Y (0))));
  LEAVE ();
}

/* dy * f (x), f named by the table below. */
static void
times (FlowGradient *g,
       const char   *type)
{
  FlowEndpoint x;

  AFTER (DY (0));
  x = CONJ (X (0));
  SET (0, MUL (DY (0), OP1 (type, NULL, x)));
  LEAVE ();
}

static void
grad_expm1 (FlowGradient *g)
{
  times (g, "Exp");
}

static void
grad_log (FlowGradient *g)
{
  times (g, "Reciprocal");
}

static void
grad_sinh (FlowGradient *g)
{
  times (g, "Cosh");
}

static void
grad_cosh (FlowGradient *g)
{
  times (g, "Sinh");
}

static void
grad_sin (FlowGradient *g)
{
  times (g, "Cos");
}

static void
grad_lgamma (FlowGradient *g)
{
  times (g, "Digamma");
}

static void
grad_log1p (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = CONJ (X (0));
  value = NUMBER_BY ("AddV2", "add", 1, value);
  SET (0, MUL (DY (0), OP1 ("Reciprocal", NULL, value)));
  LEAVE ();
}

static void
grad_cos (FlowGradient *g)
{
  FlowEndpoint x;
  FlowEndpoint minus;

  AFTER (DY (0));
  x = CONJ (X (0));
  minus = NEG (DY (0));
  SET (0, MUL (minus, OP1 ("Sin", NULL, x)));
  LEAVE ();
}

static void
grad_tan (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("Cos", NULL, CONJ (X (0)));
  value = OP1 ("Reciprocal", NULL, value);
  value = OP1 ("Square", NULL, value);
  SET (0, MUL (value, DY (0)));
  LEAVE ();
}

/* 1 - x^2 or 1 + x^2. */
static FlowEndpoint
one_and_square (FlowGradient *g,
                const char   *type)
{
  FlowEndpoint square = OP1 ("Square", NULL, CONJ (X (0)));
  FlowEndpoint one = NUMBER (NULL, DTYPE (DY (0)), 1);

  return OP2 (type, NULL, one, square);
}

static void
grad_asin (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("Sqrt", NULL, one_and_square (g, "Sub"));
  value = OP1 ("Reciprocal", NULL, value);
  SET (0, MUL (DY (0), value));
  LEAVE ();
}

static void
grad_acos (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("Sqrt", NULL, one_and_square (g, "Sub"));
  value = OP1 ("Reciprocal", NULL, value);
  SET (0, MUL (NEG (DY (0)), value));
  LEAVE ();
}

static void
grad_atan (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("Reciprocal", NULL, one_and_square (g, "Add"));
  SET (0, MUL (DY (0), value));
  LEAVE ();
}

static void
grad_atanh (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("Reciprocal", NULL, one_and_square (g, "Sub"));
  SET (0, MUL (DY (0), value));
  LEAVE ();
}

static void
over (FlowGradient *g,
      const char   *type)
{
  FlowEndpoint y;

  AFTER (DY (0));
  y = CONJ (Y (0));
  SET (0, DIV (DY (0), OP1 (type, NULL, y)));
  LEAVE ();
}

static void
grad_asinh (FlowGradient *g)
{
  over (g, "Cosh");
}

static void
grad_acosh (FlowGradient *g)
{
  over (g, "Sinh");
}

static void
grad_abs (FlowGradient *g)
{
  SET (0, MUL (DY (0), OP1 ("Sign", NULL, X (0))));
}

static void
grad_neg (FlowGradient *g)
{
  FlowGrad rows = g->out_grads[0];

  if (g->error == NULL && flow_gradient_is_rows (g, DY (0)))
    flow_gradient_set_rows (g, 0, NEG (rows.values), rows.indices, rows.dense_shape);
  else
    SET (0, NEG (DY (0)));
}

static void
grad_sign (FlowGradient *g)
{
  SET (0, ZEROS (SHAPE (X (0)), DTYPE (X (0))));
}

static void
error_function (FlowGradient *g,
                double        factor)
{
  FlowEndpoint value = NUMBER (NULL, DTYPE (DY (0)), factor);
  FlowEndpoint exp;

  AFTER (DY (0));
  exp = CONJ (X (0));
  value = MUL (DY (0), value);
  exp = OP1 ("Square", NULL, exp);
  exp = OP1 ("Exp", NULL, NEG (exp));
  SET (0, MUL (value, exp));
  LEAVE ();
}

static void
grad_erf (FlowGradient *g)
{
  error_function (g, 2 / sqrt (G_PI));
}

static void
grad_erfc (FlowGradient *g)
{
  error_function (g, -2 / sqrt (G_PI));
}

static void
grad_digamma (FlowGradient *g)
{
  FlowEndpoint one;

  AFTER (DY (0));
  one = NUMBER (NULL, DTYPE (X (0)), 1);
  SET (0, MUL (DY (0), OP2 ("Polygamma", NULL, one, X (0))));
  LEAVE ();
}

static void
grad_bessel_i0e (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("BesselI1e", NULL, X (0));
  value = SUB (value, MUL (OP1 ("Sign", NULL, X (0)), Y (0)));
  SET (0, MUL (DY (0), value));
  LEAVE ();
}

/* By parts where x is not tiny, else what it is at 0. */
static void
grad_bessel_i1e (FlowGradient *g)
{
  double tiny = DTYPE (X (0)) == FLOW_DTYPE_DOUBLE ? DBL_EPSILON : DTYPE (X (0)) == FLOW_DTYPE_HALF ? 0x1p-10 : FLT_EPSILON;
  FlowEndpoint zeros;
  FlowEndpoint is_large;
  FlowEndpoint safe;
  FlowEndpoint sign;
  FlowEndpoint value;

  AFTER (DY (0));
  zeros = ZEROS_LIKE (X (0));
  is_large = OP1 ("Abs", NULL, X (0));
  is_large = BY_NUMBER ("Greater", "Greater", is_large, tiny);
  safe = SELECT (is_large, X (0), NUMBER_BY ("AddV2", "add", tiny, zeros));
  value = OP1 ("BesselI0e", NULL, safe);
  sign = OP1 ("Sign", NULL, safe);
  sign = ADD (sign, OP1 ("Reciprocal", NULL, safe));
  value = SUB (value, MUL (Y (0), sign));
  value = SELECT (is_large, value, NUMBER_BY ("AddV2", "add", 0.5, zeros));
  SET (0, MUL (DY (0), value));
  LEAVE ();
}

/* --- Second derivatives --- */

static void
grad_reciprocal_grad (FlowGradient *g)
{
  FlowEndpoint a;
  FlowEndpoint value;

  AFTER (DY (0));
  a = CONJ (X (0));
  value = CONJ (DY (0));
  value = BY_NUMBER ("Mul", "mul", value, -2);
  value = MUL (value, X (1));
  SET (0, MUL (value, a));
  SET (1, OP2 ("ReciprocalGrad", NULL, a, DY (0)));
  LEAVE ();
}

static void
grad_sqrt_grad (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = DIV (DY (0), X (0));
  SET (0, MUL (NEG (CONJ (value)), Y (0)));
  SET (1, NUMBER_BY ("Mul", "mul", 0.5, value));
  LEAVE ();
}

static void
grad_rsqrt_grad (FlowGradient *g)
{
  FlowEndpoint a;
  FlowEndpoint value;

  AFTER (DY (0));
  a = CONJ (X (0));
  value = CONJ (DY (0));
  value = NUMBER_BY ("Mul", "mul", -1.5, value);
  value = MUL (value, X (1));
  SET (0, MUL (value, OP1 ("Square", NULL, a)));
  SET (1, OP2 ("RsqrtGrad", NULL, a, DY (0)));
  LEAVE ();
}

static void
grad_tanh_grad (FlowGradient *g)
{
  FlowEndpoint a;
  FlowEndpoint b;
  FlowEndpoint value;

  AFTER (DY (0));
  a = CONJ (X (0));
  b = CONJ (X (1));
  value = BY_NUMBER ("Mul", "mul", DY (0), -2);
  value = MUL (value, b);
  SET (0, MUL (value, a));
  SET (1, OP2 ("TanhGrad", NULL, a, DY (0)));
  LEAVE ();
}

static void
grad_sigmoid_grad (FlowGradient *g)
{
  FlowEndpoint a;
  FlowEndpoint b;
  FlowEndpoint value;

  AFTER (DY (0));
  a = CONJ (X (0));
  b = CONJ (X (1));
  b = MUL (DY (0), b);
  value = NUMBER_BY ("Mul", "mul", 2, b);
  value = MUL (value, a);
  SET (0, SUB (b, value));
  SET (1, OP2 ("SigmoidGrad", NULL, a, DY (0)));
  LEAVE ();
}

/* --- Complex numbers and casts --- */

static void
grad_real (FlowGradient *g)
{
  FlowEndpoint zero = NUMBER (NULL, DTYPE (DY (0)), 0);

  SET (0, _flow_gradients_complex (g, DY (0), zero));
}

static void
grad_imag (FlowGradient *g)
{
  FlowEndpoint zero = NUMBER (NULL, DTYPE (DY (0)), 0);

  SET (0, _flow_gradients_complex (g, zero, DY (0)));
}

static void
grad_angle (FlowGradient *g)
{
  FlowEndpoint re;
  FlowEndpoint im;
  FlowEndpoint value;

  AFTER (DY (0));
  re = _flow_gradients_part (g, "Real", X (0));
  im = _flow_gradients_part (g, "Imag", X (0));
  value = _flow_gradients_complex (g, im, re);
  value = OP1 ("Reciprocal", NULL, value);
  re = NUMBER (NULL, DTYPE (DY (0)), 0);
  re = _flow_gradients_complex (g, DY (0), re);
  SET (0, MUL (NEG (re), value));
  LEAVE ();
}

static void
grad_conj (FlowGradient *g)
{
  SET (0, CONJ (DY (0)));
}

static void
grad_complex_abs (FlowGradient *g)
{
  FlowEndpoint zeros = ZEROS_LIKE (DY (0));
  FlowEndpoint value = _flow_gradients_complex (g, DY (0), zeros);

  value = MUL (value, X (0));
  zeros = ZEROS_LIKE (Y (0));
  zeros = _flow_gradients_complex (g, Y (0), zeros);
  SET (0, OP2 ("DivNoNan", "div_no_nan", value, zeros));
}

static void
grad_cast (FlowGradient *g)
{
  int from = DTYPE (X (0));
  int to = DTYPE (Y (0));

  if ((!flow_dtype_is_floating (from) && !flow_dtype_is_complex (from))
      || (!flow_dtype_is_floating (to) && !flow_dtype_is_complex (to)) || g->error != NULL)
    return;
  if (flow_gradient_is_rows (g, DY (0)))
    {
      FlowGrad rows = g->out_grads[0];

      flow_gradient_set_rows (g, 0, CAST (rows.values, from), rows.indices, rows.dense_shape);
    }
  else
    SET (0, CAST (DY (0), from));
}

static const FlowGradientDef defs[] = {
  { "Sqrt Rsqrt", grad_by_output },
  { "Reciprocal Inv", grad_reciprocal },
  { "Tanh Sigmoid", grad_by_output_after },
  { "TanhGrad", grad_tanh_grad },
  { "SigmoidGrad", grad_sigmoid_grad },
  { "SqrtGrad", grad_sqrt_grad },
  { "RsqrtGrad", grad_rsqrt_grad },
  { "ReciprocalGrad InvGrad", grad_reciprocal_grad },
  { "Square", grad_square },
  { "Exp", grad_exp },
  { "Expm1", grad_expm1 },
  { "Log", grad_log },
  { "Log1p", grad_log1p },
  { "Sin", grad_sin },
  { "Cos", grad_cos },
  { "Tan", grad_tan },
  { "Asin", grad_asin },
  { "Acos", grad_acos },
  { "Atan", grad_atan },
  { "Sinh", grad_sinh },
  { "Cosh", grad_cosh },
  { "Asinh", grad_asinh },
  { "Acosh", grad_acosh },
  { "Atanh", grad_atanh },
  { "Abs", grad_abs },
  { "Neg", grad_neg },
  { "Sign", grad_sign },
  { "Erf", grad_erf },
  { "Erfc", grad_erfc },
  { "Lgamma", grad_lgamma },
  { "Digamma", grad_digamma },
  { "BesselI0e", grad_bessel_i0e },
  { "BesselI1e", grad_bessel_i1e },
  { "Real", grad_real },
  { "Imag", grad_imag },
  { "Angle", grad_angle },
  { "Conj", grad_conj },
  { "ComplexAbs", grad_complex_abs },
  { "Cast", grad_cast },
};

void
_flow_gradients_add_unary (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
