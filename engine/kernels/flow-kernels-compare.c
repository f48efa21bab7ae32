/* flow-kernels-compare.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"

#include <math.h>
#include <string.h>

/* Comparisons and logic of two inputs with broadcasting: all give bool. */

static inline gboolean
same_string (GBytes *a,
             GBytes *b)
{
  gsize n_a = 0;
  gsize n_b = 0;
  gconstpointer p = a != NULL ? g_bytes_get_data (a, &n_a) : NULL;
  gconstpointer q = b != NULL ? g_bytes_get_data (b, &n_b) : NULL;

  return n_a == n_b && (n_a == 0 || memcmp (p, q, n_a) == 0);
}

#define ORDER_LOOPS(ident, OP)                                                         \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_float, float, guint8, a OP b)                 \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_double, double, guint8, a OP b)               \
  FLOW_BINARY_LOOP (, ident##_uint8, guint8, guint8, a OP b)                           \
  FLOW_BINARY_LOOP (, ident##_int8, gint8, guint8, a OP b)                             \
  FLOW_BINARY_LOOP (, ident##_int16, gint16, guint8, a OP b)                           \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_int32, gint32, guint8, a OP b)                \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_int64, gint64, guint8, a OP b)
#define ORDER_ENTRIES(ident)                                                           \
  [FLOW_DTYPE_FLOAT] = ident##_float,                                                  \
  [FLOW_DTYPE_DOUBLE] = ident##_double,                                                \
  [FLOW_DTYPE_UINT8] = ident##_uint8,                                                  \
  [FLOW_DTYPE_INT8] = ident##_int8,                                                    \
  [FLOW_DTYPE_INT16] = ident##_int16,                                                  \
  [FLOW_DTYPE_INT32] = ident##_int32,                                                  \
  [FLOW_DTYPE_INT64] = ident##_int64

#define ORDER(ident, OP)                                                               \
  ORDER_LOOPS (ident, OP)                                                              \
  static const FlowBinaryLoops ident##_loops = { ORDER_ENTRIES (ident) };              \
  FLOW_BINARY_COMPUTE (ident)                                                          \
  FLOW_ONE_KERNEL (ident, "T: bfloat16 half float double uint8 int8 int16 int32 int64")

ORDER (less, <)
ORDER (less_equal, <=)
ORDER (greater, >)
ORDER (greater_equal, >=)

/* --- Equal, NotEqual ---------------------------------------------------------------------------- */

/* With incompatible_shape_error false, shapes that do not broadcast are an answer: one scalar. */
static gboolean
equal_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (GError) clash = NULL;
  FlowShape *shape;

  if (flow_infer_broadcast (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &shape, &clash))
    {
      flow_infer_take_output (c, 0, shape);
      return TRUE;
    }
  if (!flow_infer_attr_bool (c, "incompatible_shape_error"))
    {
      flow_infer_take_output (c, 0, c->running ? flow_shape_new_scalar ()
                                               : flow_shape_new_unknown ());
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&clash));
  return FALSE;
}

static gboolean
equal_compute_with (FlowKernelContext     *c,
                    const FlowBinaryLoop  *loops,
                    gboolean               if_clash,
                    GError               **error)
{
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *z;

  if (flow_kernel_attr_bool (c, "incompatible_shape_error"))
    return flow_binary_compute (c, loops, error);
  shape = flow_broadcast_shape (flow_kernel_input (c, 0)->shape, flow_kernel_input (c, 1)->shape,
                                NULL);
  if (shape != NULL)
    return flow_binary_compute (c, loops, error);
  shape = flow_shape_new_scalar ();
  z = flow_kernel_allocate (c, 0, shape, error);
  if (z == NULL)
    return FALSE;
  *FLOW_WRITABLE (guint8, z) = (guint8) if_clash;
  return TRUE;
}

#define EQUALITY(ident, OP, same, if_clash)                                            \
  ORDER_LOOPS (ident, OP)                                                              \
  FLOW_BINARY_LOOP (, ident##_complex64, FlowComplex64, guint8, a OP b)                \
  FLOW_BINARY_LOOP (, ident##_complex128, FlowComplex128, guint8, a OP b)              \
  static void                                                                          \
  ident##_string (gconstpointer px, gint64 sx, gconstpointer py, gint64 sy, gpointer pz, \
                  gint64 n)                                                            \
  {                                                                                    \
    GBytes *const *x = px;                                                             \
    GBytes *const *y = py;                                                             \
    guint8 *z = pz;                                                                    \
    for (gint64 i = 0; i < n; i++)                                                     \
      z[i] = same_string (x[i * sx], y[i * sy]) == same;                               \
  }                                                                                    \
  static const FlowBinaryLoops ident##_loops = {                                       \
    ORDER_ENTRIES (ident),                                                             \
    [FLOW_DTYPE_BOOL] = ident##_uint8,                                                 \
    [FLOW_DTYPE_COMPLEX64] = ident##_complex64,                                        \
    [FLOW_DTYPE_COMPLEX128] = ident##_complex128,                                      \
    [FLOW_DTYPE_STRING] = ident##_string,                                              \
  };                                                                                   \
  static gboolean                                                                      \
  ident##_compute (FlowKernelContext *c, GError **error)                               \
  {                                                                                    \
    return equal_compute_with (c, ident##_loops, if_clash, error);                     \
  }                                                                                    \
  FLOW_ONE_KERNEL (ident, "T: bfloat16 half float double uint8 int8 int16 int32 int64 " \
                          "complex64 complex128 bool string")

EQUALITY (equal, ==, TRUE, FALSE)
EQUALITY (not_equal, !=, FALSE, TRUE)

/* --- ApproximateEqual --------------------------------------------------------------------------- */

static gboolean
approximate_equal_infer (FlowInferContext  *c,
                         GError           **error)
{
  FlowShape *x = flow_infer_input (c, 0);
  FlowShape *y = flow_infer_input (c, 1);
  FlowShape *shape;

  if (c->running && !flow_shape_equal (x, y))
    {
      g_autofree char *text_x = flow_shape_to_string (x);
      g_autofree char *text_y = flow_shape_to_string (y);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "x and y must be of the same shape. x shape: %s. y shape: %s", text_x, text_y);
      return FALSE;
    }
  if (!flow_infer_merge (c, x, y, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

static gboolean
approximate_equal_compute (FlowKernelContext  *c,
                           GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);
  double tolerance = (double) flow_kernel_attr_float (c, "tolerance");
  FlowTensor *z = flow_kernel_allocate (c, 0, x->shape, error);
  guint8 *out;

  if (z == NULL)
    return FALSE;
  out = FLOW_WRITABLE (guint8, z);
  if (x->dtype == FLOW_DTYPE_FLOAT)
    for (gint64 i = 0; i < x->n_elements; i++)
      out[i] = fabsf (FLOW_DATA (float, x)[i] - FLOW_DATA (float, y)[i]) <= (float) tolerance;
  else
    for (gint64 i = 0; i < x->n_elements; i++)
      out[i] = fabs (FLOW_DATA (double, x)[i] - FLOW_DATA (double, y)[i]) <= tolerance;
  return TRUE;
}

FLOW_ONE_KERNEL (approximate_equal, "T: float double")

/* --- logic -------------------------------------------------------------------------------------- */

FLOW_BINARY_LOOP (FLOW_CLONES, and_bool, guint8, guint8, a & b)
FLOW_BINARY_LOOP (FLOW_CLONES, or_bool, guint8, guint8, a | b)
FLOW_UNARY_LOOP (FLOW_CLONES, not_bool, guint8, guint8, a == 0)

static const FlowBinaryLoops and_loops = { [FLOW_DTYPE_BOOL] = and_bool };
FLOW_BINARY_COMPUTE (and)
FLOW_ONE_KERNEL (and, NULL)

static const FlowBinaryLoops or_loops = { [FLOW_DTYPE_BOOL] = or_bool };
FLOW_BINARY_COMPUTE (or)
FLOW_ONE_KERNEL (or, NULL)

static const FlowUnaryLoops not_loops = { [FLOW_DTYPE_BOOL] = not_bool };
FLOW_UNARY_COMPUTE (not)
FLOW_ONE_KERNEL (not, NULL)

/* --- the table ---------------------------------------------------------------------------------- */

#define COMPARE(op, ident, text, flop_rule)                                            \
  { .name = op, .inputs = "x: T; y: T", .outputs = "z: bool",                          \
    .attrs = "T: " FLOW_REAL_NUMBER_TYPES, .summary = text,                            \
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_broadcast_binary,               \
    .kernels = ident##_kernels, .flops = flop_rule }
#define EQUAL(op, ident, text)                                                         \
  { .name = op, .inputs = "x: T; y: T", .outputs = "z: bool",                          \
    .attrs = "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, "   \
             "complex64, quint8, qint8, qint32, string, bool, complex128}; "           \
             "incompatible_shape_error: bool = true",                                  \
    .summary = text, .flags = FLOW_OP_COMMUTATIVE, .family = FLOW_OP_FAMILY_MATH,      \
    .infer = equal_infer, .kernels = ident##_kernels, .flops = flow_flops_output }
#define LOGIC(op, ident, text)                                                         \
  { .name = op, .inputs = "x: bool; y: bool", .outputs = "z: bool", .attrs = "",       \
    .summary = text, .flags = FLOW_OP_COMMUTATIVE, .family = FLOW_OP_FAMILY_MATH,      \
    .infer = flow_infer_broadcast_binary, .kernels = ident##_kernels }

static const FlowOpDef ops[] = {
  { .name = "ApproximateEqual", .inputs = "x: T; y: T", .outputs = "z: bool",
    .attrs = "T: " FLOW_NUMBER_TYPES "; tolerance: float = 1e-05",
    .summary = "True where |x - y| < tolerance", .flags = FLOW_OP_COMMUTATIVE,
    .family = FLOW_OP_FAMILY_MATH, .infer = approximate_equal_infer,
    .kernels = approximate_equal_kernels },
  EQUAL ("Equal", equal, "True where x and y are equal"),
  COMPARE ("Greater", greater, "True where x > y", flow_flops_output),
  COMPARE ("GreaterEqual", greater_equal, "True where x >= y", flow_flops_output),
  COMPARE ("Less", less, "True where x < y", flow_flops_output),
  COMPARE ("LessEqual", less_equal, "True where x <= y", flow_flops_output),
  LOGIC ("LogicalAnd", and, "True where x and y are"),
  { .name = "LogicalNot", .inputs = "x: bool", .outputs = "y: bool", .attrs = "",
    .summary = "True where x is false", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_unchanged_shape, .kernels = not_kernels },
  LOGIC ("LogicalOr", or, "True where x or y is"),
  EQUAL ("NotEqual", not_equal, "True where x and y differ"),
};

FLOW_DEFINE_OP_FAMILY (compare, ops)
