/* flow-kernels-math_binary.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-complex-private.h"
#include "flow-elementwise-private.h"
#include "flow-value-list-private.h"
#include "flow-vector-math-private.h"

#include <math.h>
#include <string.h>

/* Arithmetic of two inputs with broadcasting. */

#define REAL_LOOPS(ident, expr)                                                        \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_float, float, float, expr)                    \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_double, double, double, expr)
#define COMPLEX_LOOPS(ident, expr)                                                     \
  FLOW_BINARY_LOOP (, ident##_complex64, FlowComplex64, FlowComplex64, expr)           \
  FLOW_BINARY_LOOP (, ident##_complex128, FlowComplex128, FlowComplex128, expr)
/* Those that multiply or divide: one FORM (TIMES, OVER, a, b) for vectors and for what is left over. */
#define COMPLEX_FORM(ident, FORM)                                                      \
  FLOW_COMPLEX_LOOPS (ident, FORM, FORM, FLOW_COMPLEX_AS_IT_IS, FLOW_COMPLEX_AS_IT_IS)
/* IDENT_loops of both releases from ENTRIES (of_1 or of_2), and IDENT_compute. */
#define BY_RELEASE(ident, ENTRIES)                                                     \
  static const FlowBinaryLoops ident##_loops[] = {                                     \
    [FLOW_RELEASE_1] = { ENTRIES (of_1) },                                             \
    [FLOW_RELEASE_2] = { ENTRIES (of_2) },                                             \
  };
#define COMPUTE_BY_RELEASE(ident)                                                      \
  static gboolean                                                                      \
  ident##_compute (FlowKernelContext *c, GError **error)                               \
  {                                                                                    \
    return flow_binary_compute (c, ident##_loops[flow_kernel_release (c)], error);       \
  }
/* Half and bfloat16, rounded after each operation: EXPR (ROUND, a, b). */
#define SHORT_LOOPS(ident, EXPR)                                                       \
  FLOW_BINARY_LOOP (, ident##_half, float, float, EXPR (flow_as_half, a, b))           \
  FLOW_BINARY_LOOP (, ident##_bfloat16, float, float, EXPR (flow_as_bfloat16, a, b))
#define SHORT_ENTRIES(ident)                                                           \
  [FLOW_DTYPE_HALF] = ident##_half,                                                    \
  [FLOW_DTYPE_BFLOAT16] = ident##_bfloat16
/* Signed integers go through the unsigned type of their size: overflow wraps. */
#define WRAPPING_LOOPS(ident, OP)                                                      \
  FLOW_BINARY_LOOP (, ident##_int8, guint8, guint8, a OP b)                            \
  FLOW_BINARY_LOOP (, ident##_int16, guint16, guint16, (guint32) a OP (guint32) b)     \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_int32, guint32, guint32, a OP b)              \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_int64, guint64, guint64, a OP b)

#define REAL_ENTRIES(ident)                                                            \
  [FLOW_DTYPE_FLOAT] = ident##_float,                                                  \
  [FLOW_DTYPE_DOUBLE] = ident##_double
#define COMPLEX_ENTRIES(ident)                                                         \
  [FLOW_DTYPE_COMPLEX64] = ident##_complex64,                                          \
  [FLOW_DTYPE_COMPLEX128] = ident##_complex128
#define WRAPPING_ENTRIES(ident)                                                        \
  [FLOW_DTYPE_UINT8] = ident##_int8,                                                   \
  [FLOW_DTYPE_INT8] = ident##_int8,                                                    \
  [FLOW_DTYPE_UINT16] = ident##_int16,                                                 \
  [FLOW_DTYPE_INT16] = ident##_int16,                                                  \
  [FLOW_DTYPE_INT32] = ident##_int32,                                                  \
  [FLOW_DTYPE_INT64] = ident##_int64

/* --- Add, Sub, Mul ---------------------------------------------------------------------------- */

REAL_LOOPS (add, a + b)
COMPLEX_LOOPS (add, a + b)
WRAPPING_LOOPS (add, +)

static void
concat_cells (GBytes       *a,
              GBytes       *b,
              GBytes      **out)
{
  gsize n_a = 0;
  gsize n_b = 0;
  const char *p = a != NULL ? g_bytes_get_data (a, &n_a) : NULL;
  const char *q = b != NULL ? g_bytes_get_data (b, &n_b) : NULL;
  char *joined = g_malloc (n_a + n_b + 1);

  if (n_a > 0)
    memcpy (joined, p, n_a);
  if (n_b > 0)
    memcpy (joined + n_a, q, n_b);
  *out = g_bytes_new_take (joined, n_a + n_b);
}

static void
add_string (gconstpointer px,
            gint64        sx,
            gconstpointer py,
            gint64        sy,
            gpointer      pz,
            gint64        n)
{
  GBytes *const *x = px;
  GBytes *const *y = py;
  GBytes **z = pz;

  for (gint64 i = 0; i < n; i++)
    concat_cells (x[i * sx], y[i * sy], &z[i]);
}

static const FlowBinaryLoops add_loops = {
  REAL_ENTRIES (add),
  COMPLEX_ENTRIES (add),
  WRAPPING_ENTRIES (add),
};
FLOW_BINARY_COMPUTE (add)

/* The text that all results hold together, against the budget before any of it is made. */
static gboolean
check_string_bytes (FlowKernelContext  *c,
                    const FlowTensor   *x,
                    const FlowTensor   *y,
                    gint64              n,
                    GError            **error)
{
  const FlowTensor *t[2] = { x, y };
  guint64 total = 0;

  for (int k = 0; k < 2; k++)
    {
      guint64 sum = 0;

      for (gint64 i = 0; i < t[k]->n_elements; i++)
        {
          GBytes *cell = ((GBytes *const *) t[k]->data)[i];

          sum += cell != NULL ? g_bytes_get_size (cell) : 0;
        }
      if (t[k]->n_elements > 0)
        FLOW_REQUIRE (!__builtin_mul_overflow (sum, (guint64) (n / t[k]->n_elements), &sum) &&
                      !__builtin_add_overflow (total, sum, &total), error, RESOURCE_EXHAUSTED,
                      "OOM when joining strings");
    }
  if (c->budget == NULL)
    return TRUE;
  FLOW_REQUIRE (flow_budget_reserve (c->budget, total), error, RESOURCE_EXHAUSTED,
                "OOM when joining strings of %" G_GUINT64_FORMAT " bytes", total);
  flow_budget_release (c->budget, total);
  return TRUE;
}

static gboolean
add_string_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) shape = flow_broadcast_shape (x->shape, y->shape, error);
  FlowTensor *z;

  if (shape == NULL)
    return FALSE;
  z = flow_kernel_allocate (c, 0, shape, error);
  if (z == NULL || !check_string_bytes (c, x, y, z->n_elements, error))
    return FALSE;
  flow_binary_run (x, y, z, add_string);
  return TRUE;
}

static const FlowKernelDef add_kernels[] = {
  { "T: bfloat16 half float double uint8 int8 int16 int32 int64 complex64 complex128",
    add_compute },
  { "T: string", add_string_compute },
  { NULL },
};
static const FlowKernelDef add_v2_kernels[] = {
  { "T: bfloat16 half float double uint8 int8 int16 int32 int64 complex64 complex128",
    add_compute },
  { NULL },
};

REAL_LOOPS (sub, a - b)
COMPLEX_LOOPS (sub, a - b)
WRAPPING_LOOPS (sub, -)

static const FlowBinaryLoops sub_loops = {
  REAL_ENTRIES (sub),
  COMPLEX_ENTRIES (sub),
  WRAPPING_ENTRIES (sub),
};
FLOW_BINARY_COMPUTE (sub)
FLOW_ONE_KERNEL (sub, "T: bfloat16 half float double uint8 int8 uint16 int16 int32 int64 "
                      "complex64 complex128")

REAL_LOOPS (mul, a * b)
COMPLEX_FORM (mul, FLOW_COMPLEX_PRODUCT)
WRAPPING_LOOPS (mul, *)

#define MUL_ENTRIES(release)                                                           \
  REAL_ENTRIES (mul), FLOW_COMPLEX_ENTRIES (mul, release), WRAPPING_ENTRIES (mul)
BY_RELEASE (mul, MUL_ENTRIES)
COMPUTE_BY_RELEASE (mul)
FLOW_ONE_KERNEL (mul, "T: bfloat16 half float double uint8 int8 uint16 int16 int32 int64 "
                      "complex64 complex128")

/* --- division ---------------------------------------------------------------------------------- */

static gboolean
has_zero (const FlowTensor *t)
{
  gint64 size = (gint64) flow_dtype_size (t->dtype);

  for (gint64 i = 0; i < t->n_elements; i++)
    {
      const guint8 *cell = (const guint8 *) t->data + i * size;
      gboolean zero = TRUE;

      for (gint64 k = 0; k < size; k++)
        zero &= cell[k] == 0;
      if (zero)
        return TRUE;
    }
  return FALSE;
}

/* Integer division: every divisor that is used is looked at before anything is written. */
static gboolean
division_compute (FlowKernelContext     *c,
                  const FlowBinaryLoop  *loops,
                  GError               **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);

  if (flow_dtype_is_integer (y->dtype) && x->n_elements > 0)
    FLOW_REQUIRE (!has_zero (y), error, INVALID_ARGUMENT, "Integer division by zero");
  return flow_binary_compute (c, loops, error);
}

/* TF: the truncating ops find a zero too, but under a name they do not expect. */
static gboolean
truncating_compute (FlowKernelContext     *c,
                    const FlowBinaryLoop  *loops,
                    GError               **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);

  if (flow_dtype_is_integer (y->dtype) && x->n_elements > 0)
    FLOW_REQUIRE (!has_zero (y), error, INTERNAL,
                  "Unexpected error in binary operator (only integer div and mod should have errors)");
  return flow_binary_compute (c, loops, error);
}

/* The one quotient that does not fit, INT_MIN / -1, wraps to INT_MIN; the processor would trap. TF:
 * floors by -(|a| + |b| - 1) / |b|, which is wrong for a = INT_MIN; so are we. */
#define SIGNED_DIVISION(type, utype, wide, uwide, bits)                                \
  static inline type                                                                   \
  truncate_div_##bits (type a, type b)                                                 \
  {                                                                                    \
    return b == -1 ? (type) (0 - (utype) a) : (type) (a / b);                          \
  }                                                                                    \
  static inline type                                                                   \
  truncate_mod_##bits (type a, type b)                                                 \
  {                                                                                    \
    return b == -1 ? 0 : (type) (a % b);                                               \
  }                                                                                    \
  static inline type                                                                   \
  floor_div_##bits (type a, type b)                                                    \
  {                                                                                    \
    wide x = a < 0 ? (type) (0 - (utype) a) : a;                                       \
    wide y = b < 0 ? (type) (0 - (utype) b) : b;                                       \
    if ((a < 0) == (b < 0))                                                            \
      return truncate_div_##bits (a, b);                                               \
    return (type) ((wide) (0 - ((uwide) x + (uwide) y - 1)) / y);                      \
  }                                                                                    \
  static inline type                                                                   \
  floor_mod_##bits (type a, type b)                                                    \
  {                                                                                    \
    type r = truncate_mod_##bits (a, b);                                               \
    return r != 0 && (a < 0) != (b < 0) ? (type) (r + b) : r;                          \
  }

SIGNED_DIVISION (gint8, guint8, gint32, guint32, 8)
SIGNED_DIVISION (gint16, guint16, gint32, guint32, 16)
SIGNED_DIVISION (gint32, guint32, gint32, guint32, 32)
SIGNED_DIVISION (gint64, guint64, gint64, guint64, 64)

FLOW_BINARY_LOOP (, truncate_div_uint8, guint8, guint8, a / b)
FLOW_BINARY_LOOP (, truncate_div_uint16, guint16, guint16, a / b)
FLOW_BINARY_LOOP (, truncate_div_int8, gint8, gint8, truncate_div_8 (a, b))
FLOW_BINARY_LOOP (, truncate_div_int16, gint16, gint16, truncate_div_16 (a, b))
FLOW_BINARY_LOOP (, truncate_div_int32, gint32, gint32, truncate_div_32 (a, b))
FLOW_BINARY_LOOP (, truncate_div_int64, gint64, gint64, truncate_div_64 (a, b))
FLOW_BINARY_LOOP (, floor_div_int8, gint8, gint8, floor_div_8 (a, b))
FLOW_BINARY_LOOP (, floor_div_int16, gint16, gint16, floor_div_16 (a, b))
FLOW_BINARY_LOOP (, floor_div_int32, gint32, gint32, floor_div_32 (a, b))
FLOW_BINARY_LOOP (, floor_div_int64, gint64, gint64, floor_div_64 (a, b))
FLOW_BINARY_LOOP (, truncate_mod_int32, gint32, gint32, truncate_mod_32 (a, b))
FLOW_BINARY_LOOP (, truncate_mod_int64, gint64, gint64, truncate_mod_64 (a, b))
FLOW_BINARY_LOOP (, floor_mod_int32, gint32, gint32, floor_mod_32 (a, b))
FLOW_BINARY_LOOP (, floor_mod_int64, gint64, gint64, floor_mod_64 (a, b))

REAL_LOOPS (div, a / b)
COMPLEX_FORM (div, FLOW_COMPLEX_QUOTIENT)

#define DIV_ENTRIES(release)                                                           \
  REAL_ENTRIES (div), FLOW_COMPLEX_ENTRIES (div, release),                             \
  [FLOW_DTYPE_UINT8] = truncate_div_uint8,                                             \
  [FLOW_DTYPE_UINT16] = truncate_div_uint16,                                           \
  [FLOW_DTYPE_INT8] = truncate_div_int8,                                               \
  [FLOW_DTYPE_INT16] = truncate_div_int16,                                             \
  [FLOW_DTYPE_INT32] = truncate_div_int32,                                             \
  [FLOW_DTYPE_INT64] = truncate_div_int64
BY_RELEASE (div, DIV_ENTRIES)

#define COMPLEX_TIMES_RECIPROCAL(TIMES, OVER, a, b) TIMES (a, OVER (1, b))
REAL_LOOPS (times_reciprocal, a * (1 / b))
COMPLEX_FORM (times_reciprocal, COMPLEX_TIMES_RECIPROCAL)

#define TIMES_RECIPROCAL(R, a, b) (a * R (1 / b))
SHORT_LOOPS (times_reciprocal, TIMES_RECIPROCAL)

#define TIMES_RECIPROCAL_ENTRIES(release)                                              \
  REAL_ENTRIES (times_reciprocal), SHORT_ENTRIES (times_reciprocal),                   \
  FLOW_COMPLEX_ENTRIES (times_reciprocal, release)
BY_RELEASE (times_reciprocal, TIMES_RECIPROCAL_ENTRIES)

static gboolean
div_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowRelease release = flow_kernel_release (c);

  if (c->by_reciprocal && !flow_dtype_is_integer (flow_kernel_input (c, 1)->dtype))
    return flow_binary_compute (c, times_reciprocal_loops[release], error);
  return division_compute (c, div_loops[release], error);
}

FLOW_ONE_KERNEL (div, "T: bfloat16 half float double uint8 uint16 int16 int32 int64 "
                      "complex64 complex128")
static const FlowKernelDef real_div_kernels[] = {
  { "T: bfloat16 half float double complex64 complex128", div_compute },
  { NULL },
};

static gboolean
truncate_div_compute (FlowKernelContext  *c,
                      GError            **error)
{
  return truncating_compute (c, div_loops[FLOW_RELEASE_1], error);
}

FLOW_ONE_KERNEL (truncate_div, "T: uint8 uint16 int16 int32 int64")

FLOW_BINARY_LOOP (FLOW_CLONES, floor_div_float, float, float, floorf (a / b))
FLOW_BINARY_LOOP (FLOW_CLONES, floor_div_double, double, double, floor (a / b))

#define FLOOR_OF_QUOTIENT(R, a, b) floorf (R (a / b))
SHORT_LOOPS (floor_div, FLOOR_OF_QUOTIENT)

static const FlowBinaryLoops floor_div_loops = {
  REAL_ENTRIES (floor_div),
  SHORT_ENTRIES (floor_div),
  [FLOW_DTYPE_UINT8] = truncate_div_uint8,
  [FLOW_DTYPE_UINT16] = truncate_div_uint16,
  [FLOW_DTYPE_INT8] = floor_div_int8,
  [FLOW_DTYPE_INT16] = floor_div_int16,
  [FLOW_DTYPE_INT32] = floor_div_int32,
  [FLOW_DTYPE_INT64] = floor_div_int64,
};

static gboolean
floor_div_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return division_compute (c, floor_div_loops, error);
}

FLOW_ONE_KERNEL (floor_div, "T: half float double uint8 uint16 int8 int16 int32 int64")

/* TF: the remainder has the sign of the divisor. */
static inline double
floor_mod_real (double a,
                double b)
{
  double r = fmod (a, b);

  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

FLOW_BINARY_LOOP (, floor_mod_float, float, float, floor_mod_real ((double) a, (double) b))
FLOW_BINARY_LOOP (, floor_mod_double, double, double, floor_mod_real (a, b))

static const FlowBinaryLoops floor_mod_loops = {
  REAL_ENTRIES (floor_mod),
  [FLOW_DTYPE_INT32] = floor_mod_int32,
  [FLOW_DTYPE_INT64] = floor_mod_int64,
};

static gboolean
floor_mod_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return division_compute (c, floor_mod_loops, error);
}

FLOW_ONE_KERNEL (floor_mod, "T: float double int32 int64")

FLOW_BINARY_LOOP (, truncate_mod_float, float, float, fmodf (a, b))
FLOW_BINARY_LOOP (, truncate_mod_double, double, double, fmod (a, b))

static const FlowBinaryLoops truncate_mod_loops = {
  REAL_ENTRIES (truncate_mod),
  [FLOW_DTYPE_INT32] = truncate_mod_int32,
  [FLOW_DTYPE_INT64] = truncate_mod_int64,
};

static gboolean
truncate_mod_compute (FlowKernelContext  *c,
                      GError            **error)
{
  return truncating_compute (c, truncate_mod_loops, error);
}

FLOW_ONE_KERNEL (truncate_mod, "T: float double int32 int64")

static gboolean
mod_compute (FlowKernelContext  *c,
             GError            **error)
{
  return division_compute (c, truncate_mod_loops, error);
}

FLOW_ONE_KERNEL (mod, "T: float double int32 int64")

/* TF: no NaN where b is zero, whatever a is. */
#define COMPLEX_DIV_NO_NAN(TIMES, OVER, a, b) (b == 0 ? 0 : OVER (a, b))
REAL_LOOPS (div_no_nan, b == 0 ? 0 : a / b)
COMPLEX_FORM (div_no_nan, COMPLEX_DIV_NO_NAN)
#define DIV_NO_NAN_ENTRIES(release) REAL_ENTRIES (div_no_nan), FLOW_COMPLEX_ENTRIES (div_no_nan, release)
BY_RELEASE (div_no_nan, DIV_NO_NAN_ENTRIES)
COMPUTE_BY_RELEASE (div_no_nan)
FLOW_ONE_KERNEL (div_no_nan, "T: half float double complex64 complex128")

#define COMPLEX_MUL_NO_NAN(TIMES, OVER, a, b) (b == 0 ? 0 : TIMES (a, b))
REAL_LOOPS (mul_no_nan, b == 0 ? 0 : a * b)
COMPLEX_FORM (mul_no_nan, COMPLEX_MUL_NO_NAN)
#define MUL_NO_NAN_ENTRIES(release) REAL_ENTRIES (mul_no_nan), FLOW_COMPLEX_ENTRIES (mul_no_nan, release)
BY_RELEASE (mul_no_nan, MUL_NO_NAN_ENTRIES)
COMPUTE_BY_RELEASE (mul_no_nan)
FLOW_ONE_KERNEL (mul_no_nan, "T: half float double complex64 complex128")

#define COMPLEX_XDIVY(TIMES, OVER, a, b) (a == 0 ? 0 : OVER (a, b))
REAL_LOOPS (xdivy, a == 0 ? 0 : a / b)
COMPLEX_FORM (xdivy, COMPLEX_XDIVY)
#define XDIVY_ENTRIES(release) REAL_ENTRIES (xdivy), FLOW_COMPLEX_ENTRIES (xdivy, release)
BY_RELEASE (xdivy, XDIVY_ENTRIES)
COMPUTE_BY_RELEASE (xdivy)
FLOW_ONE_KERNEL (xdivy, "T: half float double complex64 complex128")

/* TF: logarithms of floats by whole vectors, of what is left over by the C library. */
static void
xlogy_with (FlowVectorFunc log,
            gconstpointer  px,
            gint64         sx,
            gconstpointer  py,
            gint64         sy,
            gpointer       pz,
            gint64         n)
{
  const float *x = px;
  const float *y = py;
  float *z = pz;

  for (gint64 i = 0; i < n; i += FLOW_VECTOR_WIDTH)
    {
      const gint64 width = MIN (n - i, FLOW_VECTOR_WIDTH);
      float logs[FLOW_VECTOR_WIDTH];

      for (gint64 k = 0; k < width; k++)
        logs[k] = y[(i + k) * sy];
      log (logs, logs, width);
      for (gint64 k = 0; k < width; k++)
        z[i + k] = x[(i + k) * sx] == 0 ? 0 : x[(i + k) * sx] * logs[k];
    }
}

static void
xlogy_of_1 (gconstpointer x,
            gint64        sx,
            gconstpointer y,
            gint64        sy,
            gpointer      z,
            gint64        n)
{
  xlogy_with (flow_vector_log_of_1, x, sx, y, sy, z, n);
}

static void
xlogy_of_2 (gconstpointer x,
            gint64        sx,
            gconstpointer y,
            gint64        sy,
            gpointer      z,
            gint64        n)
{
  xlogy_with (flow_vector_log_of_2, x, sx, y, sy, z, n);
}

/* A number below zero that is taken for zero is none to libm, which looks at its bits. */
FLOW_BINARY_LOOP (, xlogy_double, double, double, a == 0 ? 0 : a * log (b == 0 ? 0 : b))
FLOW_BINARY_LOOP (, xlogy_complex64, FlowComplex64, FlowComplex64, a == 0 ? 0 : a * clogf (b))
FLOW_BINARY_LOOP (, xlogy_complex128, FlowComplex128, FlowComplex128, a == 0 ? 0 : a * clog (b))

#define TIMES_LOG(R, a, b) (a == 0 ? 0 : a * R (logf (b)))
SHORT_LOOPS (xlogy, TIMES_LOG)

#define XLOGY_ENTRIES(by)                                                              \
  {                                                                                    \
    [FLOW_DTYPE_FLOAT] = by,                                                           \
    [FLOW_DTYPE_DOUBLE] = xlogy_double,                                                \
    SHORT_ENTRIES (xlogy),                                                             \
    COMPLEX_ENTRIES (xlogy),                                                           \
  }

static const FlowBinaryLoops xlogy_loops[] = {
  [FLOW_RELEASE_1] = XLOGY_ENTRIES (xlogy_of_1),
  [FLOW_RELEASE_2] = XLOGY_ENTRIES (xlogy_of_2),
};

static gboolean
xlogy_compute (FlowKernelContext  *c,
               GError            **error)
{
  return flow_binary_compute_whole (c, xlogy_loops[flow_kernel_release (c)], error);
}

FLOW_ONE_KERNEL (xlogy, "T: half float double complex64 complex128")

FLOW_BINARY_LOOP (FLOW_CLONES, xlog1py_float, float, float, a == 0 ? 0 : a * log1pf (b))
FLOW_BINARY_LOOP (FLOW_CLONES, xlog1py_double, double, double, a == 0 ? 0 : a * log1p (b))
FLOW_BINARY_LOOP (, xlog1py_complex64, FlowComplex64, FlowComplex64, a == 0 ? 0 : a * clogf (1 + b))
FLOW_BINARY_LOOP (, xlog1py_complex128, FlowComplex128, FlowComplex128, a == 0 ? 0 : a * clog (1 + b))

static const FlowBinaryLoops xlog1py_loops = { REAL_ENTRIES (xlog1py), COMPLEX_ENTRIES (xlog1py) };
FLOW_BINARY_COMPUTE (xlog1py)
FLOW_ONE_KERNEL (xlog1py, "T: half bfloat16 float double complex64 complex128")

/* --- Pow --------------------------------------------------------------------------------------- */

/* By squaring, wrapping; at most 64 turns. */
static inline guint64
power (guint64 base,
       guint64 exponent)
{
  guint64 result = 1;

  for (; exponent != 0; exponent >>= 1)
    {
      if (exponent & 1)
        result *= base;
      base *= base;
    }
  return result;
}

FLOW_BINARY_LOOP (, pow_double, double, double, pow (a, b))
FLOW_BINARY_LOOP (, pow_complex64, FlowComplex64, FlowComplex64, cpowf (a, b))
FLOW_BINARY_LOOP (, pow_complex128, FlowComplex128, FlowComplex128, cpow (a, b))
FLOW_BINARY_LOOP (, pow_int32, gint32, gint32,
                  (gint32) (guint32) power ((guint64) (gint64) a, (guint64) b))
FLOW_BINARY_LOOP (, pow_int64, gint64, gint64, (gint64) power ((guint64) a, (guint64) b))

#define POW_ENTRIES(by)                                                                \
  {                                                                                    \
    [FLOW_DTYPE_FLOAT] = by,                                                           \
    [FLOW_DTYPE_DOUBLE] = pow_double,                                                  \
    [FLOW_DTYPE_INT32] = pow_int32,                                                    \
    [FLOW_DTYPE_INT64] = pow_int64,                                                    \
    COMPLEX_ENTRIES (pow),                                                             \
  }

static const FlowBinaryLoops pow_loops[] = {
  [FLOW_RELEASE_1] = POW_ENTRIES (flow_vector_pow_of_1),
  [FLOW_RELEASE_2] = POW_ENTRIES (flow_vector_pow_of_2),
};

static gboolean
pow_compute (FlowKernelContext  *c,
             GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);

  if (flow_dtype_is_integer (y->dtype) && x->n_elements > 0)
    for (gint64 i = 0; i < y->n_elements; i++)
      FLOW_REQUIRE (flow_tensor_get_int (y, i) >= 0, error, INVALID_ARGUMENT,
                    "Integers to negative integer powers are not allowed");
  return flow_binary_compute_whole (c, pow_loops[flow_kernel_release (c)], error);
}

FLOW_ONE_KERNEL (pow, "T: half float double int32 int64 complex64 complex128")

/* --- the rest ----------------------------------------------------------------------------------- */

/* TF: a NaN on the left gives b, on the right b too (Eigen's max is `a < b ? b : a`). */
REAL_LOOPS (maximum, a < b ? b : a)
FLOW_BINARY_LOOP (, maximum_int32, gint32, gint32, a < b ? b : a)
FLOW_BINARY_LOOP (, maximum_int64, gint64, gint64, a < b ? b : a)

static const FlowBinaryLoops maximum_loops = {
  REAL_ENTRIES (maximum),
  [FLOW_DTYPE_INT32] = maximum_int32,
  [FLOW_DTYPE_INT64] = maximum_int64,
};
FLOW_BINARY_COMPUTE (maximum)
FLOW_ONE_KERNEL (maximum, "T: bfloat16 half float double int32 int64")

REAL_LOOPS (minimum, b < a ? b : a)
FLOW_BINARY_LOOP (, minimum_int32, gint32, gint32, b < a ? b : a)
FLOW_BINARY_LOOP (, minimum_int64, gint64, gint64, b < a ? b : a)

static const FlowBinaryLoops minimum_loops = {
  REAL_ENTRIES (minimum),
  [FLOW_DTYPE_INT32] = minimum_int32,
  [FLOW_DTYPE_INT64] = minimum_int64,
};
FLOW_BINARY_COMPUTE (minimum)
FLOW_ONE_KERNEL (minimum, "T: bfloat16 half float double int32 int64")

REAL_LOOPS (squared_difference, (a - b) * (a - b))
FLOW_BINARY_LOOP (, squared_difference_int32, guint32, guint32, (a - b) * (a - b))
FLOW_BINARY_LOOP (, squared_difference_int64, guint64, guint64, (a - b) * (a - b))
FLOW_COMPLEX_BINARY_LOOP (squared_difference_complex64, FlowComplex64, FLOW_COMPLEX64_WIDTH,
                          flow_vector_times_64 (a - b, conjf (a - b)), (a - b) * conjf (a - b))
FLOW_COMPLEX_BINARY_LOOP (squared_difference_complex128, FlowComplex128, FLOW_COMPLEX128_WIDTH,
                          flow_vector_times_128 (a - b, conj (a - b)), (a - b) * conj (a - b))

#define SQUARE_OF_DIFFERENCE(R, a, b) (R (a - b) * R (a - b))
SHORT_LOOPS (squared_difference, SQUARE_OF_DIFFERENCE)

static const FlowBinaryLoops squared_difference_loops = {
  REAL_ENTRIES (squared_difference),
  SHORT_ENTRIES (squared_difference),
  COMPLEX_ENTRIES (squared_difference),
  [FLOW_DTYPE_INT32] = squared_difference_int32,
  [FLOW_DTYPE_INT64] = squared_difference_int64,
};
FLOW_BINARY_COMPUTE (squared_difference)
FLOW_ONE_KERNEL (squared_difference, "T: half float double int32 int64 complex64 complex128")

static gint64
squared_difference_flops (FlowInferContext *c)
{
  gint64 n = flow_flops_output (c);

  return n < 0 ? -1 : 2 * n;
}

FLOW_BINARY_LOOP (, atan2_float, float, float, atan2f (a, b))
FLOW_BINARY_LOOP (, atan2_double, double, double, atan2 (a, b))

static const FlowBinaryLoops atan2_loops = { REAL_ENTRIES (atan2) };
FLOW_BINARY_COMPUTE (atan2)
FLOW_ONE_KERNEL (atan2, "T: float double")

FLOW_BINARY_LOOP (, next_after_float, float, float, nextafterf (a, b))
FLOW_BINARY_LOOP (, next_after_double, double, double, nextafter (a, b))

static const FlowBinaryLoops next_after_loops = { REAL_ENTRIES (next_after) };
FLOW_BINARY_COMPUTE (next_after)
FLOW_ONE_KERNEL (next_after, "T: float double")

/* --- the table ---------------------------------------------------------------------------------- */

#define BINARY(op, types, flag_bits, kernel_table, text, flop_rule)                    \
  { .name = op, .inputs = "x: T; y: T", .outputs = "z: T", .attrs = "T: " types,       \
    .summary = text, .flags = flag_bits, .family = FLOW_OP_FAMILY_MATH,                \
    .infer = flow_infer_broadcast_binary, .kernels = kernel_table, .flops = flop_rule }
/* Those that shapes are computed with, see flow-value-list-private.h. */
#define SHAPE_BINARY(op, types, flag_bits, kernel_table, text, flop_rule, list)        \
  { .name = op, .inputs = "x: T; y: T", .outputs = "z: T", .attrs = "T: " types,       \
    .summary = text, .flags = flag_bits, .family = FLOW_OP_FAMILY_MATH,                \
    .infer = flow_infer_broadcast_binary, .kernels = kernel_table, .flops = flop_rule, \
    .value_list = list }

#define ADD_TYPES "bfloat16, half, float, double, uint8, int8, int16, int32, int64, "  \
                  "complex64, complex128"
#define MUL_TYPES "{bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, " \
                  "complex64, complex128}"
#define FLOAT_COMPLEX_TYPES "{half, float, double, complex64, complex128}"
#define MAX_TYPES "{bfloat16, half, float, double, int32, int64}"

static const FlowOpDef ops[] = {
  SHAPE_BINARY ("Add", "{" ADD_TYPES ", string}", 0, add_kernels, "x + y", flow_flops_output, flow_value_list_add),
  SHAPE_BINARY ("AddV2", "{" ADD_TYPES "}", FLOW_OP_COMMUTATIVE | FLOW_OP_AGGREGATE, add_v2_kernels,
          "x + y", NULL, flow_value_list_add),
  { .name = "Atan2", .inputs = "y: T; x: T", .outputs = "z: T",
    .attrs = "T: {bfloat16, half, float, double}", .summary = "Angle of the point (x, y)",
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_broadcast_binary,
    .kernels = atan2_kernels },
  BINARY ("Div", MUL_TYPES, 0, div_kernels, "x / y, towards zero for integers", NULL),
  BINARY ("DivNoNan", FLOAT_COMPLEX_TYPES, 0, div_no_nan_kernels, "x / y, 0 where y is 0", NULL),
  SHAPE_BINARY ("FloorDiv", MUL_TYPES, 0, floor_div_kernels, "x / y rounded down", NULL, flow_value_list_floor_div),
  BINARY ("FloorMod", "{int32, int64, bfloat16, half, float, double}", 0, floor_mod_kernels,
          "Remainder with the sign of y", NULL),
  SHAPE_BINARY ("Maximum", MAX_TYPES, 0, maximum_kernels, "The greater of x and y",
          flow_flops_output, flow_value_list_maximum),
  SHAPE_BINARY ("Minimum", MAX_TYPES, 0, minimum_kernels, "The smaller of x and y",
          flow_flops_output, flow_value_list_minimum),
  BINARY ("Mod", "{int32, int64, half, half, bfloat16, float, double}", 0, mod_kernels,
          "Remainder with the sign of x", NULL),
  SHAPE_BINARY ("Mul", MUL_TYPES, FLOW_OP_COMMUTATIVE, mul_kernels, "x * y", flow_flops_output, flow_value_list_mul),
  BINARY ("MulNoNan", FLOAT_COMPLEX_TYPES, 0, mul_no_nan_kernels, "x * y, 0 where y is 0", NULL),
  { .name = "NextAfter", .inputs = "x1: T; x2: T", .outputs = "output: T",
    .attrs = "T: {double, float} = DT_FLOAT",
    .summary = "Next number after x1 in the direction of x2", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_broadcast_binary, .kernels = next_after_kernels },
  BINARY ("Pow", "{bfloat16, float, half, double, int32, int64, complex64, complex128}", 0,
          pow_kernels, "x to the power y", flow_flops_output),
  BINARY ("RealDiv", MUL_TYPES, 0, real_div_kernels, "x / y", flow_flops_output),
  BINARY ("SquaredDifference",
          "{bfloat16, half, float, double, int32, int64, complex64, complex128}",
          FLOW_OP_COMMUTATIVE, squared_difference_kernels, "(x - y) squared",
          squared_difference_flops),
  SHAPE_BINARY ("Sub", MUL_TYPES, 0, sub_kernels, "x - y", flow_flops_output, flow_value_list_sub),
  BINARY ("TruncateDiv", MUL_TYPES, 0, truncate_div_kernels, "Integer x / y towards zero", NULL),
  BINARY ("TruncateMod", "{int32, int64, bfloat16, half, float, double}", 0, truncate_mod_kernels,
          "Remainder with the sign of x", NULL),
  BINARY ("Xdivy", FLOAT_COMPLEX_TYPES, 0, xdivy_kernels, "x / y, 0 where x is 0", NULL),
  BINARY ("Xlog1py", "{half, bfloat16, float, double, complex64, complex128}", 0, xlog1py_kernels, "x * log1p (y), 0 where x is 0", NULL),
  BINARY ("Xlogy", FLOAT_COMPLEX_TYPES, 0, xlogy_kernels, "x * log (y), 0 where x is 0", NULL),
};

FLOW_DEFINE_OP_FAMILY (math_binary, ops)
