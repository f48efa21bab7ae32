/* flow-kernels-math_functions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-complex-private.h"
#include "flow-elementwise-private.h"
#include "flow-vector-math-private.h"

#include <math.h>

/* Exponentials, logarithms, trigonometric, hyperbolic and error functions, element by element, and
 * the gradient ops that go with them. */

/* Functions of floats are TensorFlow's to the last bit: those of flow-vector-math, and for the rest the C library's own,
 * one at a time. */
extern double exp (double) FLOW_VECTOR_MATH;
extern double expm1 (double) FLOW_VECTOR_MATH;
extern double log (double) FLOW_VECTOR_MATH;
extern double log1p (double) FLOW_VECTOR_MATH;
extern double sin (double) FLOW_VECTOR_MATH;
extern double cos (double) FLOW_VECTOR_MATH;
extern double tan (double) FLOW_VECTOR_MATH;
extern double asin (double) FLOW_VECTOR_MATH;
extern double acos (double) FLOW_VECTOR_MATH;
extern double atan (double) FLOW_VECTOR_MATH;
extern double sinh (double) FLOW_VECTOR_MATH;
extern double cosh (double) FLOW_VECTOR_MATH;
extern double tanh (double) FLOW_VECTOR_MATH;
extern double asinh (double) FLOW_VECTOR_MATH;
extern double acosh (double) FLOW_VECTOR_MATH;
extern double atanh (double) FLOW_VECTOR_MATH;
extern double erf (double) FLOW_VECTOR_MATH;
extern double erfc (double) FLOW_VECTOR_MATH;

/* --- scalar functions that the C library lacks, or has otherwise ------------------------------ */

/* lgamma() writes the global signgam. */
static inline float
log_gammaf (float x)
{
  int sign;

  return lgammaf_r (x, &sign);
}

static inline double
log_gamma (double x)
{
  int sign;

  return lgamma_r (x, &sign);
}

/* TF: both by Kahan's formulas, exact near 0. The logarithm of exp (z) comes back on another branch than z where the
 * imaginary part is beyond pi: what is given there is not exp (z) - 1. */
#define KAHAN(type, name, LOG, EXP)                                                    \
  static inline type                                                                   \
  complex_log1p##name (type a)                                                         \
  {                                                                                    \
    type sum = a + 1;                                                                  \
    type log_sum = LOG (sum);                                                          \
                                                                                       \
    return sum == 1 || sum == log_sum ? a : a * (log_sum / (sum - 1));                 \
  }                                                                                    \
                                                                                       \
  static inline type                                                                   \
  complex_expm1##name (type a)                                                         \
  {                                                                                    \
    type u = EXP (a);                                                                  \
    type log_u = LOG (u);                                                              \
                                                                                       \
    if (u == 1 || u - 1 == -1)                                                         \
      return u == 1 ? a : -1;                                                          \
    return u == log_u ? u : (u - 1) * a / log_u;                                       \
  }

KAHAN (FlowComplex64, f, clogf, cexpf)
KAHAN (FlowComplex128, , clog, cexp)

/* --- functions of one value ------------------------------------------------------------------- */

#define REAL_FUNCTION(ident, float_expr, double_expr)                                  \
  FLOW_UNARY_LOOP (FLOW_CLONES, ident##_float, float, float, float_expr)               \
  FLOW_UNARY_LOOP (FLOW_CLONES, ident##_double, double, double, double_expr)

#define REAL_ONLY(ident, float_expr, double_expr, types)                               \
  REAL_FUNCTION (ident, float_expr, double_expr)                                       \
  static const FlowUnaryLoops ident##_loops = {                                        \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                              \
  };                                                                                   \
  FLOW_UNARY_COMPUTE (ident)                                                           \
  FLOW_ONE_KERNEL (ident, "T: " types)

/* Floats are flow-vector-math's, of either release or of both. */
#define VECTOR(ident, double_expr, complex64_expr, complex128_expr, types)             \
  FLOW_BY_RELEASE (ident, flow_vector_##ident##_of_1, flow_vector_##ident##_of_2,      \
                   double_expr, complex64_expr, complex128_expr)                       \
  FLOW_ONE_KERNEL (ident, "T: " types)
#define VECTOR_OF_BOTH(ident, double_expr, complex64_expr, complex128_expr, types)     \
  FLOW_BY_RELEASE (ident, flow_vector_##ident, flow_vector_##ident,                    \
                   double_expr, complex64_expr, complex128_expr)                       \
  FLOW_ONE_KERNEL (ident, "T: " types)
/* No complex numbers: no op of these takes them. */
#define VECTOR_REAL(ident, types) VECTOR (ident, ident (a), a, a, types)

#define WITH_COMPLEX(ident, float_expr, double_expr, complex64_expr, complex128_expr, types) \
  REAL_FUNCTION (ident, float_expr, double_expr)                                       \
  FLOW_UNARY_LOOP (, ident##_complex64, FlowComplex64, FlowComplex64, complex64_expr)  \
  FLOW_UNARY_LOOP (, ident##_complex128, FlowComplex128, FlowComplex128, complex128_expr) \
  static const FlowUnaryLoops ident##_loops = {                                        \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                              \
    [FLOW_DTYPE_COMPLEX64] = ident##_complex64,                                        \
    [FLOW_DTYPE_COMPLEX128] = ident##_complex128,                                      \
  };                                                                                   \
  FLOW_UNARY_COMPUTE (ident)                                                           \
  FLOW_ONE_KERNEL (ident, "T: " types)

#define HALF_COMPLEX "half float double complex64 complex128"

VECTOR (exp, exp (a), cexpf (a), cexp (a), HALF_COMPLEX)
VECTOR (expm1, expm1 (a), complex_expm1f (a), complex_expm1 (a), HALF_COMPLEX)
/* A number below zero that is taken for zero is none to libm, which looks at its bits. */
VECTOR (log, a == 0 ? (double) -INFINITY : log (a), clogf (a), clog (a), "bfloat16 " HALF_COMPLEX)
VECTOR (log1p, log1p (a), complex_log1pf (a), complex_log1p (a), HALF_COMPLEX)
VECTOR_OF_BOTH (sin, sin (a), csinf (a), csin (a), HALF_COMPLEX)
VECTOR_OF_BOTH (cos, cos (a), ccosf (a), ccos (a), HALF_COMPLEX)
WITH_COMPLEX (tan, tanf (a), tan (a), ctanf (a), ctan (a), HALF_COMPLEX)
WITH_COMPLEX (sinh, sinhf (a), sinh (a), csinhf (a), csinh (a), "float double complex64 complex128")
WITH_COMPLEX (cosh, coshf (a), cosh (a), ccoshf (a), ccosh (a), "float double complex64 complex128")
VECTOR (tanh, tanh (a), ctanhf (a), ctanh (a), HALF_COMPLEX)
WITH_COMPLEX (asinh, asinhf (a), asinh (a), casinhf (a), casinh (a),
              "float double complex64 complex128")
WITH_COMPLEX (acosh, acoshf (a), acosh (a), cacoshf (a), cacosh (a),
              "float double complex64 complex128")
VECTOR (atanh, atanh (a), catanhf (a), catanh (a), "float double complex64 complex128")
VECTOR (sigmoid, 1.0 / (1.0 + exp (-a)), 1 / (1 + cexpf (-a)), 1 / (1 + cexp (-a)), HALF_COMPLEX)
VECTOR_REAL (asin, "float double")
VECTOR_REAL (acos, "float double")
VECTOR_REAL (atan, "float double")

VECTOR_REAL (erf, "half float double")

REAL_ONLY (erfc, erfcf (a), erfc (a), "half float double")
REAL_ONLY (lgamma, log_gammaf (a), log_gamma (a), "half float double")
REAL_ONLY (digamma, (float) flow_digamma ((double) a), flow_digamma (a), "half float double")

/* --- gradients: a is the forward output (or input), b the gradient that comes in --------------- */

/* The next dimension from @i on that is not 1; -1 behind the last. */
static gint64
next_extent (const FlowShape *shape,
             int             *i)
{
  while (*i < flow_shape_get_rank (shape))
    {
      gint64 dim = flow_shape_get_dim (shape, (*i)++);

      if (dim != 1)
        return dim;
    }
  return -1;
}

/* Whether they are one shape but for dimensions of 1. */
static gboolean
same_extents (const FlowShape *a,
              const FlowShape *b)
{
  int i = 0;
  int k = 0;

  for (;;)
    {
      gint64 x = next_extent (a, &i);

      if (x != next_extent (b, &k))
        return FALSE;
      if (x == -1)
        return TRUE;
    }
}

/*
 * These ops do not broadcast. TF 1.15 takes cell after cell whatever the shapes, and does not see where one side ends
 * (CVE-2021-37659): what cannot be meant is refused, as later releases do.
 */
static gboolean
same_shape_infer (FlowInferContext  *c,
                  GError           **error)
{
  FlowShape *a = flow_infer_input (c, 0);
  FlowShape *b = flow_infer_input (c, 1);

  if (c->running && !same_extents (a, b))
    {
      g_autofree char *text_a = flow_shape_to_string (a);
      g_autofree char *text_b = flow_shape_to_string (b);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "The two arguments to a cwise op must have same number of elements, got %s and %s", text_a, text_b);
      return FALSE;
    }
  flow_infer_set_output (c, 0, a);
  return TRUE;
}

static gboolean
flat_compute (FlowKernelContext     *c,
              const FlowBinaryLoop  *loops,
              GError               **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);
  FlowBinaryLoop loop = flow_binary_loop_of (loops, x->dtype);
  g_autoptr (FlowTensor) flat = NULL;
  FlowTensor *z;

  if (flow_shape_equal (x->shape, y->shape) || loop == NULL)
    return flow_binary_compute (c, loops, error);
  flat = flow_tensor_reshape (y, x->shape, error);
  z = flat != NULL ? flow_kernel_allocate_inferred (c, 0, error) : NULL;
  if (z == NULL)
    return FALSE;
  flow_binary_run (x, flat, z, loop);
  return TRUE;
}

/* FORM (ROUND, a, b) is what TensorFlow computes, ROUND around what it puts into a number. Complex numbers by forms of
 * their own, in vectors and elsewhere. */
#define AS_IT_IS(x) (x)
#define GRADIENT_LOOPS(ident, release)                                                 \
  {                                                                                    \
    [FLOW_DTYPE_HALF] = ident##_half,                                                  \
    [FLOW_DTYPE_BFLOAT16] = ident##_bfloat16,                                          \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                              \
    FLOW_COMPLEX_ENTRIES (ident, release),                                             \
  }
#define GRADIENT(ident, FORM, VECTOR, REST, CONJ64, CONJ128, types)                    \
  FLOW_BINARY_LOOP (, ident##_half, float, float, FORM (flow_as_half, a, b))           \
  FLOW_BINARY_LOOP (, ident##_bfloat16, float, float, FORM (flow_as_bfloat16, a, b))   \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_float, float, float, FORM (AS_IT_IS, a, b))   \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_double, double, double, FORM (AS_IT_IS, a, b)) \
  FLOW_COMPLEX_LOOPS (ident, VECTOR, REST, CONJ64, CONJ128)                            \
  static const FlowBinaryLoops ident##_loops[] = {                                     \
    [FLOW_RELEASE_1] = GRADIENT_LOOPS (ident, of_1),                                   \
    [FLOW_RELEASE_2] = GRADIENT_LOOPS (ident, of_2),                                   \
  };                                                                                   \
  static gboolean                                                                      \
  ident##_compute (FlowKernelContext *c, GError **error)                               \
  {                                                                                    \
    return flat_compute (c, ident##_loops[flow_kernel_release (c)], error);            \
  }                                                                                    \
  FLOW_ONE_KERNEL (ident, "T: " types)

#define SIGMOID_SLOPE(R, a, b) R (b * R (a * R (1 - a)))
#define TANH_SLOPE(R, a, b) R (b * R (1 - R (a * a)))
/* TF: no gradient in, none out of these, also where the function has no slope. */
#define RECIPROCAL_SLOPE(R, a, b) (b == 0 ? 0 : R (-b * R ((a) * (a))))
#define SQRT_SLOPE(R, a, b) (b == 0 ? 0 : R (R (0.5f * b) * R (1 / a)))
#define RSQRT_SLOPE(R, a, b) (b == 0 ? 0 : R (R (-0.5f * R (b * a)) * R ((a) * (a))))

/* 0.5f is a complex number to TIMES and OVER. */
#define COMPLEX_TANH(TIMES, OVER, a, b) TIMES (b, 1 - TIMES (a, a))
#define VECTOR_SIGMOID(TIMES, OVER, a, b) TIMES (b, TIMES (a, 1 - a))
#define REST_SIGMOID(TIMES, OVER, a, b) TIMES (TIMES (b, a), 1 - a)
#define VECTOR_RECIPROCAL(TIMES, OVER, a, b) (b == 0 ? 0 : TIMES (-TIMES (a, a), b))
#define REST_RECIPROCAL(TIMES, OVER, a, b) (b == 0 ? 0 : TIMES (TIMES (-a, a), b))
#define VECTOR_SQRT(TIMES, OVER, a, b) (b == 0 ? 0 : TIMES (OVER (0.5f, a), b))
#define REST_SQRT(TIMES, OVER, a, b) (b == 0 ? 0 : OVER (TIMES (0.5f, b), a))
#define VECTOR_RSQRT(TIMES, OVER, a, b)                                                \
  (b == 0 || TIMES (a, b) == 0 ? 0 : TIMES (TIMES (-0.5f, TIMES (a, a)), TIMES (a, b)))
#define REST_RSQRT(TIMES, OVER, a, b)                                                  \
  (b == 0 ? 0 : TIMES (TIMES (-0.5f, TIMES (b, a)), TIMES (a, a)))

/* TF: Sigmoid and Tanh take complex outputs as they are, the others their conjugates. */
GRADIENT (sigmoid_grad, SIGMOID_SLOPE, VECTOR_SIGMOID, REST_SIGMOID, AS_IT_IS, AS_IT_IS, HALF_COMPLEX)
GRADIENT (tanh_grad, TANH_SLOPE, COMPLEX_TANH, COMPLEX_TANH, AS_IT_IS, AS_IT_IS, HALF_COMPLEX)
GRADIENT (reciprocal_grad, RECIPROCAL_SLOPE, VECTOR_RECIPROCAL, REST_RECIPROCAL, conjf, conj, HALF_COMPLEX)
GRADIENT (sqrt_grad, SQRT_SLOPE, VECTOR_SQRT, REST_SQRT, conjf, conj, "bfloat16 " HALF_COMPLEX)
GRADIENT (rsqrt_grad, RSQRT_SLOPE, VECTOR_RSQRT, REST_RSQRT, conjf, conj, HALF_COMPLEX)

static gint64
rsqrt_grad_flops (FlowInferContext *c)
{
  gint64 n = flow_flops_output (c);

  return n < 0 ? -1 : 4 * n;
}

/* --- the table -------------------------------------------------------------------------------- */

#define FUNCTION(op, ident, types, text)                                               \
  { .name = op, .inputs = "x: T", .outputs = "y: T", .attrs = "T: " types,             \
    .summary = text, .family = FLOW_OP_FAMILY_MATH,                                    \
    .infer = flow_infer_unchanged_shape, .kernels = ident##_kernels }
#define GRAD(op, ident, text, flop_rule)                                               \
  { .name = op, .inputs = "y: T; dy: T", .outputs = "z: T",                            \
    .attrs = "T: {bfloat16, half, float, double, complex64, complex128}",              \
    .summary = text, .family = FLOW_OP_FAMILY_GRADIENT, .infer = same_shape_infer,     \
    .kernels = ident##_kernels, .flops = flop_rule }

#define FLOATS "{bfloat16, half, float, double}"
#define FLOATS_COMPLEX "{bfloat16, half, float, double, complex64, complex128}"
#define FLOATS_INTS_COMPLEX "{bfloat16, half, float, double, int32, int64, complex64, complex128}"

static const FlowOpDef ops[] = {
  FUNCTION ("Acos", acos, FLOATS_INTS_COMPLEX, "Arc cosine"),
  FUNCTION ("Acosh", acosh, FLOATS_COMPLEX, "Inverse hyperbolic cosine"),
  FUNCTION ("Asin", asin, FLOATS_INTS_COMPLEX, "Arc sine"),
  FUNCTION ("Asinh", asinh, FLOATS_COMPLEX, "Inverse hyperbolic sine"),
  FUNCTION ("Atan", atan, FLOATS_INTS_COMPLEX, "Arc tangent"),
  FUNCTION ("Atanh", atanh, FLOATS_COMPLEX, "Inverse hyperbolic tangent"),
  FUNCTION ("Cos", cos, FLOATS_COMPLEX, "Cosine"),
  FUNCTION ("Cosh", cosh, FLOATS_COMPLEX, "Hyperbolic cosine"),
  FUNCTION ("Digamma", digamma, FLOATS, "Derivative of log |gamma (x)|"),
  FUNCTION ("Erf", erf, FLOATS, "Gauss error function"),
  FUNCTION ("Erfc", erfc, FLOATS, "1 - erf (x)"),
  FUNCTION ("Exp", exp, FLOATS_COMPLEX, "e to the power x"),
  FUNCTION ("Expm1", expm1, FLOATS_COMPLEX, "exp (x) - 1, exact for small x"),
  GRAD ("InvGrad", reciprocal_grad, "Gradient of Inv", NULL),
  FUNCTION ("Lgamma", lgamma, FLOATS, "log |gamma (x)|"),
  { .name = "Log", .inputs = "x: T", .outputs = "y: T", .attrs = "T: " FLOATS_COMPLEX,
    .summary = "Natural logarithm", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_unchanged_shape, .kernels = log_kernels, .flops = flow_flops_input },
  FUNCTION ("Log1p", log1p, FLOATS_COMPLEX, "log (1 + x), exact for small x"),
  GRAD ("ReciprocalGrad", reciprocal_grad, "Gradient of Reciprocal", NULL),
  GRAD ("RsqrtGrad", rsqrt_grad, "Gradient of Rsqrt", rsqrt_grad_flops),
  FUNCTION ("Sigmoid", sigmoid, FLOATS_COMPLEX, "1 / (1 + exp (-x))"),
  GRAD ("SigmoidGrad", sigmoid_grad, "Gradient of Sigmoid", NULL),
  FUNCTION ("Sin", sin, FLOATS_COMPLEX, "Sine"),
  FUNCTION ("Sinh", sinh, FLOATS_COMPLEX, "Hyperbolic sine"),
  GRAD ("SqrtGrad", sqrt_grad, "Gradient of Sqrt", NULL),
  FUNCTION ("Tan", tan, FLOATS_INTS_COMPLEX, "Tangent"),
  FUNCTION ("Tanh", tanh, FLOATS_COMPLEX, "Hyperbolic tangent"),
  GRAD ("TanhGrad", tanh_grad, "Gradient of Tanh", NULL),
};

FLOW_DEFINE_OP_FAMILY (math_functions, ops)
