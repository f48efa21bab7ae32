/* flow-kernels-math_unary.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-complex-private.h"
#include "flow-elementwise-private.h"
#include "flow-vector-math-private.h"

#include <math.h>

/* Element-wise ops of one input that are not transcendental: sign, rounding, powers, tests, and the
 * parts of complex numbers. */

/* Integers wrap, as the processor does for TensorFlow. */
#define WRAP_NEG(utype, a) (utype) (0 - (utype) (a))

/* Half or bfloat16, or an integer of that size. */
static gboolean
is_short (FlowKernelContext *c)
{
  return flow_dtype_size (flow_kernel_input (c, 0)->dtype) == 2;
}

/* --- Abs, Neg, Sign, Square ------------------------------------------------------------------- */

FLOW_UNARY_LOOP (FLOW_CLONES, abs_float, float, float, fabsf (a))
FLOW_UNARY_LOOP (FLOW_CLONES, abs_double, double, double, fabs (a))
FLOW_UNARY_LOOP (, abs_int8, gint8, gint8, a < 0 ? WRAP_NEG (guint8, a) : (guint8) a)
FLOW_UNARY_LOOP (, abs_int16, gint16, gint16, a < 0 ? WRAP_NEG (guint16, a) : (guint16) a)
FLOW_UNARY_LOOP (, abs_int32, gint32, gint32, a < 0 ? WRAP_NEG (guint32, a) : (guint32) a)
FLOW_UNARY_LOOP (, abs_int64, gint64, gint64, a < 0 ? WRAP_NEG (guint64, a) : (guint64) a)

static const FlowUnaryLoops abs_loops = {
  [FLOW_DTYPE_FLOAT] = abs_float,
  [FLOW_DTYPE_DOUBLE] = abs_double,
  [FLOW_DTYPE_INT8] = abs_int8,
  [FLOW_DTYPE_INT16] = abs_int16,
  [FLOW_DTYPE_INT32] = abs_int32,
  [FLOW_DTYPE_INT64] = abs_int64,
};
FLOW_UNARY_COMPUTE (abs)
FLOW_ONE_KERNEL (abs, "T: bfloat16 half float double int8 int16 int32 int64")

/* TF: 1.15 takes whole vectors from 0, so that they give no negative zeros; what is left over, halves and later
 * releases change the sign. */
#define NEGATIVE(name, type, width)                                                    \
  FLOW_CLONES static void                                                              \
  name (gconstpointer px, gpointer py, gint64 n)                                       \
  {                                                                                    \
    const type *x = px;                                                                \
    type *y = py;                                                                      \
    const gint64 whole = n / (width) * (width);                                        \
                                                                                       \
    FLOW_IVDEP                                                                         \
    for (gint64 i = 0; i < whole; i++)                                                 \
      y[i] = 0 - x[i];                                                                 \
    for (gint64 i = whole; i < n; i++)                                                 \
      y[i] = -x[i];                                                                    \
  }

NEGATIVE (neg_float_of_1, float, FLOW_VECTOR_WIDTH)
NEGATIVE (neg_double_of_1, double, FLOW_VECTOR_WIDTH / 2)
FLOW_COMPLEX_UNARY_LOOP (neg_complex64_of_1, FlowComplex64, FLOW_COMPLEX64_WIDTH,
                         CMPLXF (0 - crealf (a), 0 - cimagf (a)), -a)
FLOW_COMPLEX_UNARY_LOOP (neg_complex128_of_1, FlowComplex128, FLOW_COMPLEX128_WIDTH,
                         CMPLX (0 - creal (a), 0 - cimag (a)), -a)
FLOW_UNARY_LOOP (FLOW_CLONES, neg_float_of_2, float, float, -a)
FLOW_UNARY_LOOP (FLOW_CLONES, neg_double_of_2, double, double, -a)
FLOW_UNARY_LOOP (, neg_int32, gint32, gint32, WRAP_NEG (guint32, a))
FLOW_UNARY_LOOP (, neg_int64, gint64, gint64, WRAP_NEG (guint64, a))
FLOW_UNARY_LOOP (, neg_complex64_of_2, FlowComplex64, FlowComplex64, -a)
FLOW_UNARY_LOOP (, neg_complex128_of_2, FlowComplex128, FlowComplex128, -a)

#define NEG_LOOPS(release)                                                             \
  {                                                                                    \
    [FLOW_DTYPE_FLOAT] = neg_float_##release,                                          \
    [FLOW_DTYPE_DOUBLE] = neg_double_##release,                                        \
    [FLOW_DTYPE_INT32] = neg_int32,                                                    \
    [FLOW_DTYPE_INT64] = neg_int64,                                                    \
    FLOW_COMPLEX_ENTRIES (neg, release),                                               \
  }
static const FlowUnaryLoops neg_loops[] = {
  [FLOW_RELEASE_1] = NEG_LOOPS (of_1),
  [FLOW_RELEASE_2] = NEG_LOOPS (of_2),
};

static gboolean
neg_compute (FlowKernelContext  *c,
             GError            **error)
{
  return flow_unary_compute (c, neg_loops[is_short (c) ? FLOW_RELEASE_2 : flow_kernel_release (c)], error);
}

FLOW_ONE_KERNEL (neg, "T: bfloat16 half float double int32 int64 complex64 complex128")

FLOW_UNARY_LOOP (FLOW_CLONES, sign_float, float, float, (float) ((a > 0) - (a < 0)))
FLOW_UNARY_LOOP (FLOW_CLONES, sign_double, double, double, (double) ((a > 0) - (a < 0)))
FLOW_UNARY_LOOP (, sign_int32, gint32, gint32, (a > 0) - (a < 0))
FLOW_UNARY_LOOP (, sign_int64, gint64, gint64, (a > 0) - (a < 0))
FLOW_UNARY_LOOP (, sign_complex64, FlowComplex64, FlowComplex64, a == 0 ? 0 : a / cabsf (a))
FLOW_UNARY_LOOP (, sign_complex128, FlowComplex128, FlowComplex128, a == 0 ? 0 : a / cabs (a))

static const FlowUnaryLoops sign_loops = {
  [FLOW_DTYPE_FLOAT] = sign_float,
  [FLOW_DTYPE_DOUBLE] = sign_double,
  [FLOW_DTYPE_INT32] = sign_int32,
  [FLOW_DTYPE_INT64] = sign_int64,
  [FLOW_DTYPE_COMPLEX64] = sign_complex64,
  [FLOW_DTYPE_COMPLEX128] = sign_complex128,
};
FLOW_UNARY_COMPUTE (sign)
FLOW_ONE_KERNEL (sign, "T: half float double int32 int64 complex64 complex128")

FLOW_UNARY_LOOP (FLOW_CLONES, square_float, float, float, a * a)
FLOW_UNARY_LOOP (FLOW_CLONES, square_double, double, double, a * a)
FLOW_UNARY_LOOP (, square_int32, gint32, gint32, (guint32) a * (guint32) a)
FLOW_UNARY_LOOP (, square_int64, gint64, gint64, (guint64) a * (guint64) a)
FLOW_COMPLEX_UNARY_LOOP (square_complex64, FlowComplex64, FLOW_COMPLEX64_WIDTH, flow_vector_times_64 (a, a), a * a)
FLOW_COMPLEX_UNARY_LOOP (square_complex128, FlowComplex128, FLOW_COMPLEX128_WIDTH, flow_vector_times_128 (a, a), a * a)

static const FlowUnaryLoops square_loops = {
  [FLOW_DTYPE_FLOAT] = square_float,
  [FLOW_DTYPE_DOUBLE] = square_double,
  [FLOW_DTYPE_INT32] = square_int32,
  [FLOW_DTYPE_INT64] = square_int64,
  [FLOW_DTYPE_COMPLEX64] = square_complex64,
  [FLOW_DTYPE_COMPLEX128] = square_complex128,
};
FLOW_UNARY_COMPUTE (square)
FLOW_ONE_KERNEL (square, "T: bfloat16 half float double int32 int64 complex64 complex128")

/* --- Reciprocal (also under its old name Inv), Sqrt, Rsqrt ------------------------------------- */

/* TF: reciprocals and roots of floats are divided and taken in one release, and begin with the processor's guess
 * in the other. */

FLOW_UNARY_LOOP (FLOW_CLONES, reciprocal_double, double, double, 1 / a)
#define COMPLEX_RECIPROCALS(release)                                                   \
  FLOW_COMPLEX_UNARY_LOOP (reciprocal_complex64_##release, FlowComplex64, FLOW_COMPLEX64_WIDTH, \
                           flow_vector_over_64_##release (1, a), flow_rest_over_64 (1, a)) \
  FLOW_COMPLEX_UNARY_LOOP (reciprocal_complex128_##release, FlowComplex128, FLOW_COMPLEX128_WIDTH, \
                           flow_vector_over_128_##release (1, a), flow_rest_over_128 (1, a))
COMPLEX_RECIPROCALS (of_1)
COMPLEX_RECIPROCALS (of_2)

#define RECIPROCAL_LOOPS(release)                                                      \
  {                                                                                    \
    [FLOW_DTYPE_FLOAT] = flow_vector_reciprocal_##release,                             \
    [FLOW_DTYPE_DOUBLE] = reciprocal_double,                                           \
    FLOW_COMPLEX_ENTRIES (reciprocal, release),                                        \
  }
static const FlowUnaryLoops reciprocal_loops[] = {
  [FLOW_RELEASE_1] = RECIPROCAL_LOOPS (of_1),
  [FLOW_RELEASE_2] = RECIPROCAL_LOOPS (of_2),
};

static gboolean
reciprocal_compute (FlowKernelContext  *c,
                    GError            **error)
{
  return flow_unary_compute (c, reciprocal_loops[flow_kernel_release (c)], error);
}

FLOW_ONE_KERNEL (reciprocal, "T: half float double complex64 complex128")

FLOW_BY_RELEASE (long_sqrt, flow_vector_sqrt_of_1, flow_vector_sqrt_of_2, sqrt (a), csqrtf (a), csqrt (a))
FLOW_BY_RELEASE (long_rsqrt, flow_vector_rsqrt_of_1, flow_vector_rsqrt_of_2, 1.0 / sqrt (a), 1.0f / csqrtf (a),
                 1.0 / csqrt (a))

/* TF: halves have no vectors of their own. */
FLOW_UNARY_LOOP (FLOW_CLONES, short_sqrt, float, float, sqrtf (a))
FLOW_UNARY_LOOP (, short_rsqrt, float, float, 1 / flow_as_half (sqrtf (a)))
static const FlowUnaryLoops short_sqrt_loops = { [FLOW_DTYPE_FLOAT] = short_sqrt };
static const FlowUnaryLoops short_rsqrt_loops = { [FLOW_DTYPE_FLOAT] = short_rsqrt };

static gboolean
sqrt_compute (FlowKernelContext  *c,
              GError            **error)
{
  return is_short (c) ? flow_unary_compute (c, short_sqrt_loops, error) : long_sqrt_compute (c, error);
}

FLOW_ONE_KERNEL (sqrt, "T: bfloat16 half float double complex64 complex128")

static gboolean
rsqrt_compute (FlowKernelContext  *c,
               GError            **error)
{
  return is_short (c) ? flow_unary_compute (c, short_rsqrt_loops, error) : long_rsqrt_compute (c, error);
}

FLOW_ONE_KERNEL (rsqrt, "T: half float double complex64 complex128")

static gint64
rsqrt_flops (FlowInferContext *c)
{
  gint64 n = flow_flops_input (c);

  return n < 0 ? -1 : 2 * n;
}

/* --- rounding --------------------------------------------------------------------------------- */

FLOW_UNARY_LOOP (FLOW_CLONES, floor_float, float, float, floorf (a))
FLOW_UNARY_LOOP (FLOW_CLONES, floor_double, double, double, floor (a))

static const FlowUnaryLoops floor_loops = {
  [FLOW_DTYPE_FLOAT] = floor_float,
  [FLOW_DTYPE_DOUBLE] = floor_double,
};
FLOW_UNARY_COMPUTE (floor)
FLOW_ONE_KERNEL (floor, "T: half float double")

FLOW_UNARY_LOOP (FLOW_CLONES, ceil_float, float, float, ceilf (a))
FLOW_UNARY_LOOP (FLOW_CLONES, ceil_double, double, double, ceil (a))

static const FlowUnaryLoops ceil_loops = {
  [FLOW_DTYPE_FLOAT] = ceil_float,
  [FLOW_DTYPE_DOUBLE] = ceil_double,
};
FLOW_UNARY_COMPUTE (ceil)
FLOW_ONE_KERNEL (ceil, "T: half float double")

/* TF: Round and Rint both go to the even neighbour from the middle. */
FLOW_UNARY_LOOP (FLOW_CLONES, rint_float, float, float, rintf (a))
FLOW_UNARY_LOOP (FLOW_CLONES, rint_double, double, double, rint (a))
FLOW_UNARY_LOOP (, same_int32, gint32, gint32, a)
FLOW_UNARY_LOOP (, same_int64, gint64, gint64, a)

static const FlowUnaryLoops rint_loops = {
  [FLOW_DTYPE_FLOAT] = rint_float,
  [FLOW_DTYPE_DOUBLE] = rint_double,
  [FLOW_DTYPE_INT32] = same_int32,
  [FLOW_DTYPE_INT64] = same_int64,
};
FLOW_UNARY_COMPUTE (rint)
FLOW_ONE_KERNEL (rint, "T: float double")

static const FlowKernelDef round_kernels[] = {
  { "T: half float double int32 int64", rint_compute },
  { NULL },
};

/* --- tests ------------------------------------------------------------------------------------ */

FLOW_UNARY_LOOP (FLOW_CLONES, is_nan_float, float, guint8, a != a)
FLOW_UNARY_LOOP (FLOW_CLONES, is_nan_double, double, guint8, a != a)

static const FlowUnaryLoops is_nan_loops = {
  [FLOW_DTYPE_FLOAT] = is_nan_float,
  [FLOW_DTYPE_DOUBLE] = is_nan_double,
};
FLOW_UNARY_COMPUTE (is_nan)
FLOW_ONE_KERNEL (is_nan, "T: bfloat16 half float double")

FLOW_UNARY_LOOP (FLOW_CLONES, is_inf_float, float, guint8, fabsf (a) == INFINITY)
FLOW_UNARY_LOOP (FLOW_CLONES, is_inf_double, double, guint8, fabs (a) == (double) INFINITY)

static const FlowUnaryLoops is_inf_loops = {
  [FLOW_DTYPE_FLOAT] = is_inf_float,
  [FLOW_DTYPE_DOUBLE] = is_inf_double,
};
FLOW_UNARY_COMPUTE (is_inf)
FLOW_ONE_KERNEL (is_inf, "T: half float double")

FLOW_UNARY_LOOP (FLOW_CLONES, is_finite_float, float, guint8, fabsf (a) < INFINITY)
FLOW_UNARY_LOOP (FLOW_CLONES, is_finite_double, double, guint8, fabs (a) < (double) INFINITY)

static const FlowUnaryLoops is_finite_loops = {
  [FLOW_DTYPE_FLOAT] = is_finite_float,
  [FLOW_DTYPE_DOUBLE] = is_finite_double,
};
FLOW_UNARY_COMPUTE (is_finite)
FLOW_ONE_KERNEL (is_finite, "T: half float double")

/* --- complex numbers -------------------------------------------------------------------------- */

FLOW_UNARY_LOOP (, conj_complex64, FlowComplex64, FlowComplex64, conjf (a))
FLOW_UNARY_LOOP (, conj_complex128, FlowComplex128, FlowComplex128, conj (a))

static const FlowUnaryLoops conj_loops = {
  [FLOW_DTYPE_COMPLEX64] = conj_complex64,
  [FLOW_DTYPE_COMPLEX128] = conj_complex128,
};
FLOW_UNARY_COMPUTE (conj)

/* Variants are conjugated by a function that their type registers; no type that we have does. */
static gboolean
conj_variants_compute (FlowKernelContext  *c,
                       GError            **error)
{
  FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, 0)) == 0, error, INVALID_ARGUMENT,
                "Non-scalar variants are not supported.");
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
               "No unary variant unary_op function found for unary variant op enum: 2");
  return FALSE;
}

static const FlowKernelDef conj_kernels[] = {
  { "T: complex64 complex128", conj_compute },
  { "T: variant", conj_variants_compute },
  { NULL },
};

#define COMPLEX_PART_LOOPS(ident, expr64, expr128)                                     \
  FLOW_UNARY_LOOP (, ident##_complex64, FlowComplex64, float, expr64)                  \
  FLOW_UNARY_LOOP (, ident##_complex128, FlowComplex128, double, expr128)              \
  static const FlowUnaryLoops ident##_loops = {                                        \
    [FLOW_DTYPE_COMPLEX64] = ident##_complex64,                                        \
    [FLOW_DTYPE_COMPLEX128] = ident##_complex128,                                      \
  };                                                                                   \
  FLOW_UNARY_COMPUTE (ident)
#define COMPLEX_PART(ident, expr64, expr128)                                           \
  COMPLEX_PART_LOOPS (ident, expr64, expr128)                                          \
  static const FlowKernelDef ident##_kernels[] = {                                     \
    { "T: complex64; Tout: float", ident##_compute },                                  \
    { "T: complex128; Tout: double", ident##_compute },                                \
    { NULL },                                                                          \
  };

COMPLEX_PART (real, crealf (a), creal (a))
COMPLEX_PART (imag, cimagf (a), cimag (a))
COMPLEX_PART (angle, cargf (a), carg (a))

/* TF: kernels of ComplexAbs are chosen by T alone, and refuse a Tout that is not its part. */
COMPLEX_PART_LOOPS (complex_abs, cabsf (a), cabs (a))

static gboolean
complex_abs_of_part_compute (FlowKernelContext  *c,
                     GError            **error)
{
  gboolean single = flow_kernel_attr_dtype (c, "T") == FLOW_DTYPE_COMPLEX64;
  const char *in = single ? "complex64" : "complex128";
  const char *out = single ? "double" : "float";

  if (single == (flow_kernel_attr_dtype (c, "Tout") == FLOW_DTYPE_FLOAT))
    return complex_abs_compute (c, error);
  return _flow_refuse (error, "Signature mismatch, have: %s->%s expected: %s->%s", in, out, in,
                       single ? "float" : "double");
}
FLOW_ONE_KERNEL (complex_abs_of_part, "T: complex64 complex128")

FLOW_BINARY_LOOP (, complex_float, float, FlowComplex64, CMPLXF (a, b))
FLOW_BINARY_LOOP (, complex_double, double, FlowComplex128, CMPLX (a, b))

static const FlowBinaryLoops complex_loops = {
  [FLOW_DTYPE_FLOAT] = complex_float,
  [FLOW_DTYPE_DOUBLE] = complex_double,
};
FLOW_BINARY_COMPUTE (complex)
static const FlowKernelDef complex_kernels[] = {
  { "T: float; Tout: complex64", complex_compute },
  { "T: double; Tout: complex128", complex_compute },
  { NULL },
};

/* --- the table -------------------------------------------------------------------------------- */

#define UNARY(op, ident, types, text, flop_rule)                                       \
  { .name = op, .inputs = "x: T", .outputs = "y: T", .attrs = "T: " types,             \
    .summary = text, .family = FLOW_OP_FAMILY_MATH,                                    \
    .infer = flow_infer_unchanged_shape, .kernels = ident##_kernels, .flops = flop_rule }
#define TEST(op, ident, text)                                                          \
  { .name = op, .inputs = "x: T", .outputs = "y: bool",                                \
    .attrs = "T: {bfloat16, half, float, double}", .summary = text,                    \
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,                \
    .kernels = ident##_kernels }
#define PART(op, in, out, ident, text)                                                 \
  { .name = op, .inputs = in ": T", .outputs = out ": Tout",                           \
    .attrs = "T: {complex64, complex128} = DT_COMPLEX64; "                             \
             "Tout: {float, double} = DT_FLOAT",                                       \
    .summary = text, .family = FLOW_OP_FAMILY_MATH,                                    \
    .infer = flow_infer_unchanged_shape, .kernels = ident##_kernels }

#define FLOATS "{bfloat16, half, float, double}"
#define FLOATS_COMPLEX "{bfloat16, half, float, double, complex64, complex128}"
#define FLOATS_INTS_COMPLEX "{bfloat16, half, float, double, int32, int64, complex64, complex128}"

static const FlowOpDef ops[] = {
  UNARY ("Abs", abs, "{bfloat16, half, float, double, int8, int16, int32, int64}",
         "Absolute value", NULL),
  PART ("Angle", "input", "output", angle, "Argument of a complex number"),
  UNARY ("Ceil", ceil, FLOATS, "Smallest integer not less than x", NULL),
  { .name = "Complex", .inputs = "real: T; imag: T", .outputs = "out: Tout",
    .attrs = "T: {float, double} = DT_FLOAT; Tout: {complex64, complex128} = DT_COMPLEX64",
    .summary = "Complex number from its parts", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_broadcast_binary, .kernels = complex_kernels },
  PART ("ComplexAbs", "x", "y", complex_abs_of_part, "Absolute value of a complex number"),
  { .name = "Conj", .inputs = "input: T", .outputs = "output: T",
    .attrs = "T: {complex64, complex128, variant} = DT_COMPLEX64",
    .summary = "Complex conjugate", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_unchanged_shape, .kernels = conj_kernels },
  UNARY ("Floor", floor, FLOATS, "Largest integer not greater than x", NULL),
  PART ("Imag", "input", "output", imag, "Imaginary part"),
  UNARY ("Inv", reciprocal, FLOATS_INTS_COMPLEX, "1 / x (older name of Reciprocal)", NULL),
  TEST ("IsFinite", is_finite, "True where x is neither infinite nor NaN"),
  TEST ("IsInf", is_inf, "True where x is infinite"),
  TEST ("IsNan", is_nan, "True where x is NaN"),
  UNARY ("Neg", neg, FLOATS_INTS_COMPLEX, "-x", flow_flops_input),
  PART ("Real", "input", "output", real, "Real part"),
  UNARY ("Reciprocal", reciprocal, FLOATS_INTS_COMPLEX, "1 / x", flow_flops_input),
  UNARY ("Rint", rint, FLOATS, "Nearest integer, ties to even", NULL),
  UNARY ("Round", round, FLOATS_INTS_COMPLEX, "Nearest integer, ties to even", NULL),
  UNARY ("Rsqrt", rsqrt, FLOATS_COMPLEX, "1 / square root of x", rsqrt_flops),
  UNARY ("Sign", sign, FLOATS_INTS_COMPLEX, "-1, 0 or 1; x / |x| for complex x", NULL),
  UNARY ("Sqrt", sqrt, FLOATS_COMPLEX, "Square root", NULL),
  UNARY ("Square", square, FLOATS_INTS_COMPLEX, "x * x", flow_flops_input),
};

FLOW_DEFINE_OP_FAMILY (math_unary, ops)
