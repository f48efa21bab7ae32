/* flow-kernels-reduce.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-complex-private.h"
#include "flow-elementwise-private.h"
#include "flow-reduce-private.h"
#include "flow-sum-private.h"
#include "flow-vector-math-private.h"

#include <math.h>
#include <string.h>

/* Sum, Mean, Prod, Max, Min, All, Any, EuclideanNorm over any set of axes. */

/* Independent partial results per row: as many as fill two vectors, so that adds do not wait for one
 * another. */
#define LANES 16

/* Folds by `acc OP= cell`; ACC_OF turns a cell into an accumulator, RESULT an accumulator a and the
 * count n into an output cell. */
#define FOLD(ident, attribute, type, acc_type, start, acc_of, combine, result)         \
  static void                                                                          \
  ident##_init (gpointer p, gint64 n)                                                  \
  {                                                                                    \
    acc_type *acc = p;                                                                 \
    for (gint64 i = 0; i < n; i++)                                                     \
      acc[i] = (start);                                                                \
  }                                                                                    \
  attribute static void                                                                \
  ident##_row (gconstpointer px, gint64 n, gpointer p)                                 \
  {                                                                                    \
    const type *x = px;                                                                \
    acc_type lanes[LANES];                                                             \
    acc_type a = *(acc_type *) p;                                                      \
    gint64 i = 0;                                                                      \
                                                                                       \
    if (n >= 2 * LANES)                                                                \
      {                                                                                \
        for (int k = 0; k < LANES; k++)                                                \
          lanes[k] = (start);                                                          \
        for (; i + LANES <= n; i += LANES)                                             \
          for (int k = 0; k < LANES; k++)                                              \
            {                                                                          \
              type v = x[i + k];                                                       \
              lanes[k] = combine (lanes[k], acc_of (v));                               \
            }                                                                          \
        for (int k = 0; k < LANES; k++)                                                \
          a = combine (a, lanes[k]);                                                   \
      }                                                                                \
    for (; i < n; i++)                                                                 \
      {                                                                                \
        type v = x[i];                                                                 \
        a = combine (a, acc_of (v));                                                   \
      }                                                                                \
    *(acc_type *) p = a;                                                               \
  }                                                                                    \
  attribute static void                                                                \
  ident##_column (gconstpointer px, gint64 n, gpointer p)                              \
  {                                                                                    \
    const type *x = px;                                                                \
    acc_type *acc = p;                                                                 \
    FLOW_IVDEP                                                                         \
    for (gint64 i = 0; i < n; i++)                                                     \
      {                                                                                \
        type v = x[i];                                                                 \
        acc[i] = combine (acc[i], acc_of (v));                                         \
      }                                                                                \
  }                                                                                    \
  static void                                                                          \
  ident##_merge (gpointer p, gconstpointer other, gint64 n)                            \
  {                                                                                    \
    acc_type *acc = p;                                                                 \
    const acc_type *b = other;                                                         \
    for (gint64 i = 0; i < n; i++)                                                     \
      acc[i] = combine (acc[i], b[i]);                                                 \
  }                                                                                    \
  static void                                                                          \
  ident##_finish (gconstpointer p, gpointer out, gint64 cells, gint64 n)               \
  {                                                                                    \
    const acc_type *acc = p;                                                           \
    for (gint64 i = 0; i < cells; i++)                                                 \
      {                                                                                \
        acc_type a = acc[i];                                                           \
        ((type *) out)[i] = (type) (result);                                           \
      }                                                                                \
  }                                                                                    \
  static void                                                                          \
  ident##_rows (gconstpointer px, gint64 n_rows, gint64 n, gpointer out)               \
  {                                                                                    \
    const type *x = px;                                                                \
    for (gint64 k = 0; k < n_rows; k++, x += n)                                        \
      {                                                                                \
        acc_type a = (start);                                                          \
        for (gint64 i = 0; i < n; i++)                                                 \
          {                                                                            \
            type v = x[i];                                                             \
            a = combine (a, acc_of (v));                                               \
          }                                                                            \
        ((type *) out)[k] = (type) (result);                                           \
      }                                                                                \
  }                                                                                    \
  static const FlowReduceOps ident = {                                                 \
    sizeof (acc_type), ident##_init, ident##_row, ident##_column, ident##_merge,       \
    ident##_finish, ident##_rows,                                                      \
  };

#define ADD(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define GREATER(a, b) ((a) < (b) ? (b) : (a))
#define SMALLER(a, b) ((b) < (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define PLAIN(v) (v)
#define TO_DOUBLE(v) ((double) (v))
#define SQUARE_DOUBLE(v) ((double) (v) * (double) (v))
#define SQUARE(v) ((v) * (v))
#define SQUARE_INT(v) ((guint32) (v) * (guint32) (v))

typedef const FlowReduceOps *FoldTable[FLOW_N_DTYPES];

/* --- Sum ---------------------------------------------------------------------------------------- */

/* For half and bfloat16; float itself has TensorFlow's order of summing (flow-sum). */
FOLD (sum_float, FLOW_CLONES, float, double, 0, TO_DOUBLE, ADD, a)
FOLD (sum_double, FLOW_CLONES, double, double, 0, PLAIN, ADD, a)
FOLD (sum_8, , guint8, guint8, 0, PLAIN, ADD, a)
FOLD (sum_16, , guint16, guint16, 0, PLAIN, ADD, a)
FOLD (sum_32, FLOW_CLONES, guint32, guint32, 0, PLAIN, ADD, a)
FOLD (sum_64, FLOW_CLONES, guint64, guint64, 0, PLAIN, ADD, a)
FOLD (sum_complex64, , FlowComplex64, FlowComplex128, 0, PLAIN, ADD, a)
FOLD (sum_complex128, , FlowComplex128, FlowComplex128, 0, PLAIN, ADD, a)

#define INT_ENTRIES(ident)                                                             \
  [FLOW_DTYPE_INT8] = &ident##_8,                                                      \
  [FLOW_DTYPE_UINT8] = &ident##_8,                                                     \
  [FLOW_DTYPE_INT16] = &ident##_16,                                                    \
  [FLOW_DTYPE_UINT16] = &ident##_16,                                                   \
  [FLOW_DTYPE_INT32] = &ident##_32,                                                    \
  [FLOW_DTYPE_INT64] = &ident##_64
#define FLOAT_ENTRIES(ident)                                                           \
  [FLOW_DTYPE_FLOAT] = &ident##_float,                                                 \
  [FLOW_DTYPE_DOUBLE] = &ident##_double,                                               \
  [FLOW_DTYPE_COMPLEX64] = &ident##_complex64,                                         \
  [FLOW_DTYPE_COMPLEX128] = &ident##_complex128

static const FoldTable sum_folds = { FLOAT_ENTRIES (sum), INT_ENTRIES (sum) };

/* --- Mean --------------------------------------------------------------------------------------- */

/* TF: integers are summed and divided in their own type, which wraps; where the count wraps to zero
 * TensorFlow traps, we give 0. The mean of no bfloat16 or complex number is 0, of no other NaN. */
#define INT_MEAN(type, utype)                                                          \
  (type) n == 0 ? 0 : (type) n == -1 ? (utype) (0 - a) : (utype) ((type) a / (type) n)
#define UNSIGNED_MEAN(type) (type) n == 0 ? 0 : (type) (a / (type) n)

FOLD (mean_float, FLOW_CLONES, float, double, 0, TO_DOUBLE, ADD, a / (double) n)
FOLD (mean_bfloat16, FLOW_CLONES, float, double, 0, TO_DOUBLE, ADD, n == 0 ? 0 : a / (double) n)
FOLD (mean_double, FLOW_CLONES, double, double, 0, PLAIN, ADD, a / (double) n)
FOLD (mean_int8, , guint8, guint8, 0, PLAIN, ADD, INT_MEAN (gint8, guint8))
FOLD (mean_uint8, , guint8, guint8, 0, PLAIN, ADD, UNSIGNED_MEAN (guint8))
FOLD (mean_int16, , guint16, guint16, 0, PLAIN, ADD, INT_MEAN (gint16, guint16))
FOLD (mean_uint16, , guint16, guint16, 0, PLAIN, ADD, UNSIGNED_MEAN (guint16))
FOLD (mean_int32, , guint32, guint32, 0, PLAIN, ADD, INT_MEAN (gint32, guint32))
FOLD (mean_int64, , guint64, guint64, 0, PLAIN, ADD, INT_MEAN (gint64, guint64))
/* TF: by a complex number without an imaginary part, which an infinite one does not survive. */
FOLD (mean_complex64, , FlowComplex64, FlowComplex128, 0, PLAIN, ADD,
      n == 0 ? 0 : flow_rest_over_128 (a, (double) n))
FOLD (mean_complex128, , FlowComplex128, FlowComplex128, 0, PLAIN, ADD,
      n == 0 ? 0 : flow_rest_over_128 (a, (double) n))

static const FoldTable mean_folds = {
  FLOAT_ENTRIES (mean),
  [FLOW_DTYPE_BFLOAT16] = &mean_bfloat16,
  [FLOW_DTYPE_INT8] = &mean_int8,
  [FLOW_DTYPE_UINT8] = &mean_uint8,
  [FLOW_DTYPE_INT16] = &mean_int16,
  [FLOW_DTYPE_UINT16] = &mean_uint16,
  [FLOW_DTYPE_INT32] = &mean_int32,
  [FLOW_DTYPE_INT64] = &mean_int64,
};

/* --- Prod --------------------------------------------------------------------------------------- */

FOLD (prod_float, FLOW_CLONES, float, double, 1, TO_DOUBLE, TIMES, a)
FOLD (prod_double, FLOW_CLONES, double, double, 1, PLAIN, TIMES, a)
FOLD (prod_8, , guint8, guint8, 1, PLAIN, TIMES, a)
FOLD (prod_16, , guint16, guint32, 1, PLAIN, TIMES, a)
FOLD (prod_32, FLOW_CLONES, guint32, guint32, 1, PLAIN, TIMES, a)
FOLD (prod_64, , guint64, guint64, 1, PLAIN, TIMES, a)
FOLD (prod_complex64, , FlowComplex64, FlowComplex64, 1, PLAIN, flow_vector_times_64, a)
FOLD (prod_complex128, , FlowComplex128, FlowComplex128, 1, PLAIN, flow_vector_times_128, a)

static const FoldTable prod_folds = { FLOAT_ENTRIES (prod), INT_ENTRIES (prod) };

/* --- Max, Min ------------------------------------------------------------------------------------ */

#define EXTREME(ident, lowest, combine)                                                \
  FOLD (ident##_float, FLOW_CLONES, float, float, lowest##_FLOAT, PLAIN, combine, a)   \
  FOLD (ident##_double, FLOW_CLONES, double, double, (double) lowest##_FLOAT, PLAIN, combine, a) \
  FOLD (ident##_int8, , gint8, gint8, lowest##_INT8, PLAIN, combine, a)                \
  FOLD (ident##_uint8, , guint8, guint8, lowest##_UINT8, PLAIN, combine, a)            \
  FOLD (ident##_int16, , gint16, gint16, lowest##_INT16, PLAIN, combine, a)            \
  FOLD (ident##_uint16, , guint16, guint16, lowest##_UINT16, PLAIN, combine, a)        \
  FOLD (ident##_int32, FLOW_CLONES, gint32, gint32, lowest##_INT32, PLAIN, combine, a) \
  FOLD (ident##_int64, FLOW_CLONES, gint64, gint64, lowest##_INT64, PLAIN, combine, a) \
  static const FoldTable ident##_folds = {                                             \
    [FLOW_DTYPE_FLOAT] = &ident##_float,                                               \
    [FLOW_DTYPE_DOUBLE] = &ident##_double,                                             \
    [FLOW_DTYPE_INT8] = &ident##_int8,                                                 \
    [FLOW_DTYPE_UINT8] = &ident##_uint8,                                               \
    [FLOW_DTYPE_INT16] = &ident##_int16,                                               \
    [FLOW_DTYPE_UINT16] = &ident##_uint16,                                             \
    [FLOW_DTYPE_INT32] = &ident##_int32,                                               \
    [FLOW_DTYPE_INT64] = &ident##_int64,                                               \
  };

#define LOW_FLOAT (-INFINITY)
#define LOW_INT8 G_MININT8
#define LOW_UINT8 0
#define LOW_INT16 G_MININT16
#define LOW_UINT16 0
#define LOW_INT32 G_MININT32
#define LOW_INT64 G_MININT64
#define HIGH_FLOAT INFINITY
#define HIGH_INT8 G_MAXINT8
#define HIGH_UINT8 G_MAXUINT8
#define HIGH_INT16 G_MAXINT16
#define HIGH_UINT16 G_MAXUINT16
#define HIGH_INT32 G_MAXINT32
#define HIGH_INT64 G_MAXINT64

EXTREME (max, LOW, GREATER)
EXTREME (min, HIGH, SMALLER)

/* --- All, Any, EuclideanNorm ---------------------------------------------------------------------- */

FOLD (all_bool, FLOW_CLONES, guint8, guint8, 1, PLAIN, AND, a)
FOLD (any_bool, FLOW_CLONES, guint8, guint8, 0, PLAIN, OR, a)

static const FoldTable all_folds = { [FLOW_DTYPE_BOOL] = &all_bool };
static const FoldTable any_folds = { [FLOW_DTYPE_BOOL] = &any_bool };

/* TF: integers are squared and summed in their own type; the root of a sum that wrapped below zero is
 * NaN, which x86 turns into the smallest int, the low bits of it being 0. */
#define ROOT(type, nan) ((type) a < 0 ? (nan) : sqrt ((double) (type) a))
#define NORM_COMPLEX(v) flow_vector_times_128 (v, conj (v))

FOLD (norm_short, FLOW_CLONES, float, double, 0, SQUARE_DOUBLE, ADD, sqrt (a))
/* Roots of floats are flow-vector-math's, of the whole output at once. */
FOLD (norm_float, FLOW_CLONES, float, double, 0, SQUARE_DOUBLE, ADD, a)
FOLD (norm_double, FLOW_CLONES, double, double, 0, SQUARE, ADD, sqrt (a))
FOLD (norm_int8, , guint8, guint8, 0, SQUARE, ADD, ROOT (gint8, 0))
FOLD (norm_uint8, , guint8, guint8, 0, SQUARE, ADD, sqrt (a))
FOLD (norm_int16, , guint16, guint16, 0, SQUARE_INT, ADD, ROOT (gint16, 0))
FOLD (norm_uint16, , guint16, guint16, 0, SQUARE_INT, ADD, sqrt (a))
FOLD (norm_int32, , guint32, guint32, 0, SQUARE, ADD, ROOT (gint32, 2147483648.0))
FOLD (norm_int64, , guint64, guint64, 0, SQUARE, ADD, ROOT (gint64, 9223372036854775808.0))
FOLD (norm_complex64, , FlowComplex64, FlowComplex128, 0, NORM_COMPLEX, ADD, csqrt (a))
FOLD (norm_complex128, , FlowComplex128, FlowComplex128, 0, NORM_COMPLEX, ADD, csqrt (a))

static const FoldTable norm_folds = {
  FLOAT_ENTRIES (norm),
  [FLOW_DTYPE_HALF] = &norm_short,
  [FLOW_DTYPE_BFLOAT16] = &norm_short,
  [FLOW_DTYPE_INT8] = &norm_int8,
  [FLOW_DTYPE_UINT8] = &norm_uint8,
  [FLOW_DTYPE_INT16] = &norm_int16,
  [FLOW_DTYPE_UINT16] = &norm_uint16,
  [FLOW_DTYPE_INT32] = &norm_int32,
  [FLOW_DTYPE_INT64] = &norm_int64,
};

/* --- shapes ---------------------------------------------------------------------------------------- */

/* Marks the axes that a tensor of int32 or int64 names; @twice becomes one that it names twice, or -1. */
static gboolean
mark_axes (const FlowTensor  *axes,
           int                rank,
           gboolean           running,
           gboolean          *reduced,
           int               *twice,
           GError           **error)
{
  *twice = -1;
  memset (reduced, 0, sizeof (gboolean) * FLOW_SHAPE_MAX_RANK);
  for (gint64 i = 0; i < axes->n_elements; i++)
    {
      gint64 axis = flow_tensor_get_int (axes, i);
      int at;

      if (!flow_canonical_axis (axis, rank, &at))
        {
          if (running)
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                         "Invalid reduction dimension (%" G_GINT64_FORMAT
                         " for input with %d dimension(s)", axis, rank);
          else
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                         "Invalid reduction dimension %" G_GINT64_FORMAT
                         " for input with %d dimensions.", axis, rank);
          return FALSE;
        }
      if (reduced[at] && *twice < 0)
        *twice = at;
      reduced[at] = TRUE;
    }
  return TRUE;
}

gboolean
_flow_reduce_infer (FlowInferContext  *c,
                    GError           **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowTensor *axes = flow_infer_input_value (c, 1);
  gboolean keep_dims = flow_infer_attr_bool (c, "keep_dims");
  gboolean reduced[FLOW_SHAPE_MAX_RANK];
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) vector = NULL;
  int rank = 0;
  int twice;

  if (!c->running && !flow_infer_with_rank_at_most (c, flow_infer_input (c, 1), 1, &vector, error))
    return FALSE;
  FLOW_REQUIRE (flow_infer_input (c, 1)->rank <= 1, error, INVALID_ARGUMENT,
                "reduction_indices must be a scalar or a vector, not of rank %d",
                flow_infer_input (c, 1)->rank);
  if (in->rank == FLOW_RANK_UNKNOWN || axes == NULL)
    {
      flow_infer_take_output (c, 0, keep_dims && in->rank != FLOW_RANK_UNKNOWN
                                    ? flow_shape_new_of_rank (in->rank)
                                    : flow_shape_new_unknown ());
      return TRUE;
    }
  if (!mark_axes (axes, in->rank, c->running, reduced, &twice, error))
    return FALSE;
  for (int i = 0; i < in->rank; i++)
    if (!reduced[i])
      dims[rank++] = in->dims[i];
    else if (keep_dims)
      dims[rank++] = 1;
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  return TRUE;
}

/* --- computing -------------------------------------------------------------------------------------- */

static gboolean
reduce_compute (FlowKernelContext  *c,
                const FoldTable     folds,
                GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  gboolean through_float = in->dtype == FLOW_DTYPE_HALF || in->dtype == FLOW_DTYPE_BFLOAT16;
  const FlowReduceOps *fold = folds[through_float && folds[in->dtype] == NULL ? FLOW_DTYPE_FLOAT
                                                                              : in->dtype];
  gboolean reduced[FLOW_SHAPE_MAX_RANK];
  gboolean folds_any = FALSE;
  int twice;
  FlowTensor *out;

  if (!mark_axes (flow_kernel_input (c, 1), FLOW_RANK (in), TRUE, reduced, &twice, error))
    return FALSE;
  /* TF: 1.15 takes such axes as if they were named once; 2.x refuses them, though not while it infers shapes. */
  FLOW_REQUIRE (twice < 0 || (c->producer > 0 && flow_kernel_release (c) == FLOW_RELEASE_1), error, INVALID_ARGUMENT,
                "Invalid reduction arguments: Axes contains duplicate dimension: %d", twice);
  for (int i = 0; i < FLOW_RANK (in); i++)
    folds_any |= reduced[i] && FLOW_DIMS (in)[i] != 1;
  if (!folds_any)
    {
      /* TF: nothing to fold gives the input itself, also from EuclideanNorm. */
      out = flow_tensor_reshape (in, c->output_shapes[0], error);
      if (out != NULL)
        flow_kernel_take_output (c, 0, out);
      return out != NULL;
    }
  FLOW_REQUIRE (fold != NULL, error, UNIMPLEMENTED, "%s has no kernel for %s", c->signature->name,
                flow_dtype_string (in->dtype));
  out = flow_kernel_allocate_inferred (c, 0, error);
  if (out == NULL)
    return FALSE;
  if ((folds == sum_folds || folds == mean_folds) && flow_sum_has (in->dtype) && in->n_elements > 0)
    return flow_sum_run (flow_kernel_release (c), in, reduced, folds == mean_folds, out, error);
  if (!flow_reduce_run (c, in, reduced, fold, out, error))
    return FALSE;
  if (fold == &norm_float)
    flow_vector_math[flow_kernel_release (c)].sqrt (out->data, out->data, out->n_elements);
  return TRUE;
}

#define NUMBERS "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 "   \
                "complex64 complex128"
#define REALS "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64"

#define REDUCTION(ident, types)                                                        \
  static gboolean                                                                      \
  ident##_compute (FlowKernelContext *c, GError **error)                               \
  {                                                                                    \
    return reduce_compute (c, ident##_folds, error);                                   \
  }                                                                                    \
  FLOW_ONE_KERNEL (ident, types)

REDUCTION (sum, NUMBERS)
REDUCTION (mean, NUMBERS)
REDUCTION (prod, NUMBERS)
REDUCTION (max, REALS)
REDUCTION (min, REALS)
REDUCTION (all, NULL)
REDUCTION (any, NULL)
REDUCTION (norm, NUMBERS)

/* --- the table --------------------------------------------------------------------------------------- */

#define REDUCE(op, ident, text, flop_rule)                                             \
  { .name = op, .inputs = "input: T; reduction_indices: Tidx", .outputs = "output: T", \
    .attrs = "keep_dims: bool = false; T: " FLOW_NUMBER_TYPES "; "                     \
             "Tidx: {int32, int64} = DT_INT32",                                        \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = _flow_reduce_infer,             \
    .kernels = ident##_kernels, .flops = flop_rule }
#define REDUCE_BOOL(op, ident, text)                                                   \
  { .name = op, .inputs = "input: bool; reduction_indices: Tidx", .outputs = "output: bool", \
    .attrs = "keep_dims: bool = false; Tidx: {int32, int64} = DT_INT32",               \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = _flow_reduce_infer,             \
    .kernels = ident##_kernels }

static const FlowOpDef ops[] = {
  REDUCE_BOOL ("All", all, "Whether all elements along the axes are true"),
  REDUCE_BOOL ("Any", any, "Whether any element along the axes is true"),
  REDUCE ("EuclideanNorm", norm, "Square root of the sum of squares along the axes", NULL),
  REDUCE ("Max", max, "Greatest element along the axes", NULL),
  REDUCE ("Mean", mean, "Mean along the axes", flow_flops_input),
  REDUCE ("Min", min, "Smallest element along the axes", NULL),
  REDUCE ("Prod", prod, "Product along the axes", NULL),
  REDUCE ("Sum", sum, "Sum along the axes", flow_flops_reduction),
};

FLOW_DEFINE_OP_FAMILY (reduce, ops)
