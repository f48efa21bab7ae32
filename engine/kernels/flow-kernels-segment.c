/* flow-kernels-segment.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-complex-private.h"
#include "flow-elementwise-private.h"
#include "flow-segment-private.h"
#include "flow-util.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows folded together by segment ids, sorted (Segment*) or in any order (UnsortedSegment*). All ids are
 * looked at before anything is written. */

/* --- folding rows -------------------------------------------------------------------------------- */

#define REAL_ROWS(ident, expr)                                                         \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_float, float, float, expr)                    \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_double, double, double, expr)

REAL_ROWS (sum, a + b)
FLOW_BINARY_LOOP (, sum_complex64_of_1, FlowComplex64, FlowComplex64, a + b)
FLOW_BINARY_LOOP (, sum_complex128_of_1, FlowComplex128, FlowComplex128, a + b)
FLOW_BINARY_LOOP (, sum_8, guint8, guint8, a + b)
FLOW_BINARY_LOOP (, sum_16, guint16, guint16, a + b)
FLOW_BINARY_LOOP (, sum_32, guint32, guint32, a + b)
FLOW_BINARY_LOOP (, sum_64, guint64, guint64, a + b)
REAL_ROWS (prod, a * b)
FLOW_COMPLEX_LOOPS_OF (prod, of_1, FLOW_COMPLEX_PRODUCT, FLOW_COMPLEX_PRODUCT, FLOW_COMPLEX_AS_IT_IS,
                       FLOW_COMPLEX_AS_IT_IS)
FLOW_BINARY_LOOP (, prod_8, guint8, guint8, a * b)
FLOW_BINARY_LOOP (, prod_16, guint16, guint16, (guint32) a * b)
FLOW_BINARY_LOOP (, prod_32, guint32, guint32, a * b)
FLOW_BINARY_LOOP (, prod_64, guint64, guint64, a * b)

#define EXTREME_ROWS(ident, expr)                                                      \
  REAL_ROWS (ident, expr)                                                              \
  FLOW_BINARY_LOOP (, ident##_int8, gint8, gint8, expr)                                \
  FLOW_BINARY_LOOP (, ident##_uint8, guint8, guint8, expr)                             \
  FLOW_BINARY_LOOP (, ident##_int16, gint16, gint16, expr)                             \
  FLOW_BINARY_LOOP (, ident##_uint16, guint16, guint16, expr)                          \
  FLOW_BINARY_LOOP (, ident##_int32, gint32, gint32, expr)                             \
  FLOW_BINARY_LOOP (, ident##_int64, gint64, gint64, expr)

EXTREME_ROWS (max, a < b ? b : a)
EXTREME_ROWS (min, b < a ? b : a)

#define WRAPPING_TABLE(ident)                                                          \
  static const FlowBinaryLoops ident##_loops = {                                       \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                              \
    FLOW_COMPLEX_ENTRIES (ident, of_1),                                                \
    [FLOW_DTYPE_INT8] = ident##_8,                                                     \
    [FLOW_DTYPE_UINT8] = ident##_8,                                                    \
    [FLOW_DTYPE_INT16] = ident##_16,                                                   \
    [FLOW_DTYPE_UINT16] = ident##_16,                                                  \
    [FLOW_DTYPE_INT32] = ident##_32,                                                   \
    [FLOW_DTYPE_INT64] = ident##_64,                                                   \
  };
#define EXTREME_TABLE(ident)                                                           \
  static const FlowBinaryLoops ident##_loops = {                                       \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                              \
    [FLOW_DTYPE_INT8] = ident##_int8,                                                  \
    [FLOW_DTYPE_UINT8] = ident##_uint8,                                                \
    [FLOW_DTYPE_INT16] = ident##_int16,                                                \
    [FLOW_DTYPE_UINT16] = ident##_uint16,                                              \
    [FLOW_DTYPE_INT32] = ident##_int32,                                                \
    [FLOW_DTYPE_INT64] = ident##_int64,                                                \
  };

WRAPPING_TABLE (sum)
WRAPPING_TABLE (prod)
EXTREME_TABLE (max)
EXTREME_TABLE (min)

typedef enum { FOLD_SUM, FOLD_MEAN, FOLD_PROD, FOLD_MAX, FOLD_MIN } Fold;

static FlowBinaryLoop
row_loop (Fold      fold,
          FlowDType dtype)
{
  switch (fold)
    {
    case FOLD_PROD:
      return prod_loops[dtype];
    case FOLD_MAX:
      return max_loops[dtype];
    case FOLD_MIN:
      return min_loops[dtype];
    case FOLD_SUM:
    case FOLD_MEAN:
    default:
      return sum_loops[dtype];
    }
}

/* The largest half and bfloat16. */
#define HALF_MAX 65504.0f
#define BFLOAT16_MAX 3.38953139e38f

/* One cell, of the dtype that is folded in, of what a fold to @out starts from; @extremes: max and min
 * start from the ends of that dtype. */
static void
start_cell (Fold      fold,
            FlowDType dtype,
            FlowDType out,
            gboolean  extremes,
            guint8    cell[16])
{
  float greatest = out == FLOW_DTYPE_HALF ? HALF_MAX : out == FLOW_DTYPE_BFLOAT16 ? BFLOAT16_MAX
                                                                                : FLT_MAX;
  union { float f; double d; gint64 i; guint8 bytes[16]; } v = { .bytes = { 0 } };
  gboolean low = fold == FOLD_MAX;
  gsize bits = flow_dtype_size (dtype) * 8;
  gboolean is_unsigned = dtype == FLOW_DTYPE_UINT8 || dtype == FLOW_DTYPE_UINT16;

  if (fold == FOLD_PROD)
    {
      if (dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_COMPLEX64)
        v.f = 1;
      else if (dtype == FLOW_DTYPE_DOUBLE || dtype == FLOW_DTYPE_COMPLEX128)
        v.d = 1;
      else
        v.i = 1;
    }
  else if (extremes && (fold == FOLD_MAX || fold == FOLD_MIN))
    {
      if (dtype == FLOW_DTYPE_FLOAT)
        v.f = low ? -greatest : greatest;
      else if (dtype == FLOW_DTYPE_DOUBLE)
        v.d = low ? -DBL_MAX : DBL_MAX;
      else if (is_unsigned)
        v.i = low ? 0 : (G_GINT64_CONSTANT (1) << bits) - 1;
      else
        v.i = low ? (gint64) (~G_GUINT64_CONSTANT (0) << (bits - 1))
                  : (gint64) ((G_GUINT64_CONSTANT (1) << (bits - 1)) - 1);
    }
  memcpy (cell, v.bytes, 16);
}

static void
fill_rows (FlowTensor   *t,
           const guint8  cell[16])
{
  gsize size = flow_dtype_size (t->dtype);

  for (gint64 i = 0; i < t->n_elements; i++)
    memcpy ((guint8 *) t->data + (gsize) i * size, cell, size);
}

/* --- means --------------------------------------------------------------------------------------- */

#define DIVIDE_ROW(type)                                                               \
  for (gint64 i = 0; i < n; i++)                                                       \
    ((type *) row)[i] /= (type) count;

/* Integers divide in their own type; a count that wraps to 0 there leaves the sum. */
#define DIVIDE_INT_ROW(type, utype)                                                    \
  if ((type) count == (type) -1 && (type) -1 < 0)                                      \
    for (gint64 i = 0; i < n; i++)                                                     \
      ((utype *) row)[i] = (utype) (0 - ((utype *) row)[i]);                           \
  else if ((type) count != 0)                                                          \
    for (gint64 i = 0; i < n; i++)                                                     \
      ((type *) row)[i] = (type) (((type *) row)[i] / (type) count);

static void
divide_row (FlowDType dtype,
            gpointer  row,
            gint64    n,
            gint64    count)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT:
      DIVIDE_ROW (float)
      break;
    case FLOW_DTYPE_DOUBLE:
      DIVIDE_ROW (double)
      break;
    case FLOW_DTYPE_COMPLEX64:
      DIVIDE_ROW (FlowComplex64)
      break;
    case FLOW_DTYPE_COMPLEX128:
      DIVIDE_ROW (FlowComplex128)
      break;
    case FLOW_DTYPE_INT8:
      DIVIDE_INT_ROW (gint8, guint8)
      break;
    case FLOW_DTYPE_UINT8:
      DIVIDE_INT_ROW (guint8, guint8)
      break;
    case FLOW_DTYPE_INT16:
      DIVIDE_INT_ROW (gint16, guint16)
      break;
    case FLOW_DTYPE_UINT16:
      DIVIDE_INT_ROW (guint16, guint16)
      break;
    case FLOW_DTYPE_INT32:
      DIVIDE_INT_ROW (gint32, guint32)
      break;
    default:
      DIVIDE_INT_ROW (gint64, guint64)
      break;
    }
}

/* --- sorted segments -------------------------------------------------------------------------------- */

static gboolean
segment_infer (FlowInferContext  *c,
               GError           **error)
{
  FlowShape *data = flow_infer_input (c, 0);
  FlowShape *ids = flow_infer_input (c, 1);
  g_autoptr (FlowShape) at_least = NULL;
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowShape) rows = flow_shape_new_vector (FLOW_DIM_UNKNOWN);
  FlowShape *out;

  if (c->running)
    {
      FLOW_REQUIRE (ids->rank == 1, error, INVALID_ARGUMENT, "segment_ids should be a vector.");
      FLOW_REQUIRE (data->rank >= 1 && data->dims[0] == ids->dims[0], error, INVALID_ARGUMENT,
                    "segment_ids should be the same size as dimension 0 of input.");
    }
  if (!flow_infer_with_rank_at_least (c, data, 1, &at_least, error) ||
      !flow_infer_with_rank (c, ids, 1, &vector, error) ||
      !flow_infer_subshape (c, at_least, 1, G_MAXINT, &rest, error) ||
      !flow_infer_concatenate (c, rows, rest, &out, error))
    return FALSE;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static FlowTensor *
allocate_rows (FlowKernelContext  *c,
               const FlowTensor   *data,
               gint64              n_rows,
               GError            **error)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) shape = NULL;

  memcpy (dims, FLOW_DIMS (data), sizeof (gint64) * (gsize) FLOW_RANK (data));
  dims[0] = n_rows;
  shape = flow_shape_new (FLOW_RANK (data), dims);
  return flow_kernel_allocate (c, 0, shape, error);
}

/* Fills a row with what nothing is less, or greater, than; FALSE: this fold or dtype needs no such start. */
static gboolean
start_extreme (Fold      fold,
               FlowDType dtype,
               gpointer  row,
               gint64    n)
{
  double end = fold == FOLD_MAX ? -INFINITY : INFINITY;

  if ((fold != FOLD_MAX && fold != FOLD_MIN) || (dtype != FLOW_DTYPE_FLOAT && dtype != FLOW_DTYPE_DOUBLE))
    return FALSE;
  for (gint64 k = 0; k < n; k++)
    if (dtype == FLOW_DTYPE_FLOAT)
      ((float *) row)[k] = (float) end;
    else
      ((double *) row)[k] = end;
  return TRUE;
}

static gboolean
segment_compute (FlowKernelContext  *c,
                 Fold                fold,
                 GError            **error)
{
  g_autoptr (FlowTensor) data = flow_widen (c, flow_kernel_input (c, 0), TRUE, error);
  const FlowTensor *ids = flow_kernel_input (c, 1);
  g_autoptr (FlowTensor) rows = NULL;
  FlowTensor *out;
  guint8 cell[16];
  gint64 n_rows;
  gint64 width;
  gsize bytes;
  FlowBinaryLoop loop;

  if (data == NULL || !_flow_segment_count (ids, &n_rows, error))
    return FALSE;
  out = allocate_rows (c, data, n_rows, error);
  if (out == NULL || !_flow_segment_check (ids, n_rows, NULL, 0, error) || (rows = flow_widen (c, out, FALSE, error)) == NULL)
    return FALSE;
  /* TF: rows that no id names are 0, of products 1. */
  start_cell (fold, rows->dtype, out->dtype, FALSE, cell);
  fill_rows (rows, cell);
  width = n_rows > 0 ? rows->n_elements / n_rows : 0;
  bytes = (gsize) width * flow_dtype_size (rows->dtype);
  loop = row_loop (fold, rows->dtype);
  for (gint64 i = 0, count = 0; width > 0 && i < ids->n_elements; i++)
    {
      gint64 id = _flow_segment_id (ids, i);
      guint8 *row = (guint8 *) rows->data + (gsize) id * bytes;
      const guint8 *x = (const guint8 *) data->data + (gsize) i * bytes;

      if (i == 0 || id != _flow_segment_id (ids, i - 1))
        {
          gboolean alone = i + 1 == ids->n_elements || id != _flow_segment_id (ids, i + 1);

          /* TF: copies a row that is alone; among several a NaN is passed over, and products begin with 1, by which an
           * infinite complex number is changed. */
          if (!alone && (fold == FOLD_PROD || start_extreme (fold, rows->dtype, row, width)))
            loop (row, 1, x, 1, row, width);
          else
            memcpy (row, x, bytes);
          count = 0;
        }
      else
        {
          loop (row, 1, x, 1, row, width);
        }
      count++;
      if (fold == FOLD_MEAN && count > 1 && (i + 1 == ids->n_elements || id != _flow_segment_id (ids, i + 1)))
        divide_row (rows->dtype, row, width, count);
    }
  flow_narrow (rows, out);
  return TRUE;
}

/* --- unsorted segments --------------------------------------------------------------------------------- */

/* What is known before there are values: the shape of the data without what the ids cover, below the number of segments. */
gboolean
_flow_segment_infer_unsorted (FlowInferContext  *c,
                              GError           **error)
{
  FlowShape *data = flow_infer_input (c, 0);
  FlowShape *ids = flow_infer_input (c, 1);
  FlowShape *num = flow_infer_input (c, 2);
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowShape) rows = NULL;
  gint64 n_rows = FLOW_DIM_UNKNOWN;
  FlowShape *out;

  FLOW_REQUIRE (num->rank <= 0, error, INVALID_ARGUMENT, "Shape must be rank 0 but is rank %d", num->rank);
  if (flow_infer_scalar_value (c, 2, &n_rows))
    {
      FLOW_REQUIRE (n_rows >= 0 || !c->running, error, INVALID_ARGUMENT,
                    "Input num_segments == %" G_GINT64_FORMAT " must not be negative.", n_rows);
      FLOW_REQUIRE (n_rows >= 0, error, INVALID_ARGUMENT,
                    "Dimension size, given by scalar input 2, must be non-negative but is %" G_GINT64_FORMAT, n_rows);
    }
  if (data->rank == FLOW_RANK_UNKNOWN || ids->rank == FLOW_RANK_UNKNOWN)
    {
      flow_infer_take_output (c, 0, flow_shape_new_unknown ());
      return TRUE;
    }
  rows = flow_shape_new_vector (n_rows);
  FLOW_REQUIRE (data->rank >= ids->rank, error, INVALID_ARGUMENT,
                "Shape must be at least rank %d but is rank %d", ids->rank, data->rank);
  for (int i = 0; i < ids->rank; i++)
    {
      gint64 both;

      if (!flow_infer_merge_dim (c, data->dims[i], ids->dims[i], &both, error))
        return FALSE;
    }
  if (!flow_infer_subshape (c, data, ids->rank, G_MAXINT, &rest, error) ||
      !flow_infer_concatenate (c, rows, rest, &out, error))
    return FALSE;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static gboolean
unsorted_infer (FlowInferContext  *c,
                GError           **error)
{
  FlowShape *data = flow_infer_input (c, 0);
  FlowShape *ids = flow_infer_input (c, 1);
  FlowShape *num = flow_infer_input (c, 2);
  g_autofree char *text_data = flow_shape_to_string (data);
  g_autofree char *text_ids = flow_shape_to_string (ids);
  g_autofree char *text_num = flow_shape_to_string (num);

  if (c->running)
    {
      gboolean prefix = data->rank >= ids->rank;

      FLOW_REQUIRE (num->rank == 0, error, INVALID_ARGUMENT,
                    "num_segments should be a scalar, not shape %s", text_num);
      for (int i = 0; prefix && i < ids->rank; i++)
        prefix = data->dims[i] == ids->dims[i];
      FLOW_REQUIRE (prefix, error, INVALID_ARGUMENT,
                    "data.shape = %s does not start with segment_ids.shape = %s", text_data, text_ids);
    }
  return _flow_segment_infer_unsorted (c, error);
}

/* TF: adds in the dtype itself, so that each sum of two is rounded. */
static void
round_row (FlowDType  dtype,
           gpointer   row,
           gint64     n)
{
  float *cells = row;

  for (gint64 i = 0; dtype == FLOW_DTYPE_HALF && i < n; i++)
    cells[i] = flow_as_half (cells[i]);
  for (gint64 i = 0; dtype == FLOW_DTYPE_BFLOAT16 && i < n; i++)
    cells[i] = flow_as_bfloat16 (cells[i]);
}

static gboolean
unsorted_compute (FlowKernelContext  *c,
                  Fold                fold,
                  GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const FlowTensor *ids = flow_kernel_input (c, 1);
  gint64 n_rows = flow_tensor_get_int (flow_kernel_input (c, 2), 0);
  g_autoptr (FlowTensor) data = NULL;
  g_autoptr (FlowTensor) rows = NULL;
  FlowTensor *out;
  guint8 cell[16];
  gint64 width;
  gsize bytes;
  FlowBinaryLoop loop;

  /* TF: looks at no id where there are no cells. */
  for (gint64 i = 0; in->n_elements > 0 && i < ids->n_elements; i++)
    if (_flow_segment_id (ids, i) >= n_rows)
      {
        /* TF names the place in the shape of the ids. */
        g_autoptr (GString) place = g_string_new (NULL);
        gint64 rest = i;

        for (int k = FLOW_RANK (ids) - 1; k >= 0; k--)
          {
            g_autofree char *text = g_strdup_printf ("%s%" G_GINT64_FORMAT, k > 0 ? "," : "",
                                                     rest % FLOW_DIMS (ids)[k]);

            g_string_prepend (place, text);
            rest /= FLOW_DIMS (ids)[k];
          }
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                     "segment_ids%s%s%s = %" G_GINT64_FORMAT " is out of range [0, %"
                     G_GINT64_FORMAT ")", FLOW_RANK (ids) > 0 ? "[" : "", place->str,
                     FLOW_RANK (ids) > 0 ? "]" : "", _flow_segment_id (ids, i), n_rows);
        return FALSE;
      }
  out = flow_kernel_allocate_inferred (c, 0, error);
  if (out == NULL || (data = flow_widen (c, in, TRUE, error)) == NULL ||
      (rows = flow_widen (c, out, FALSE, error)) == NULL)
    return FALSE;
  start_cell (fold, rows->dtype, out->dtype, TRUE, cell);
  fill_rows (rows, cell);
  width = ids->n_elements > 0 ? data->n_elements / ids->n_elements : 0;
  bytes = (gsize) width * flow_dtype_size (rows->dtype);
  loop = row_loop (fold, rows->dtype);
  for (gint64 i = 0; width > 0 && i < ids->n_elements; i++)
    {
      gint64 id = _flow_segment_id (ids, i);
      guint8 *row;

      if (id < 0)
        continue;
      row = (guint8 *) rows->data + (gsize) id * bytes;
      /* TF: the new value comes first, so that a NaN stays until the next value. */
      loop ((const guint8 *) data->data + (gsize) i * bytes, 1, row, 1, row, width);
      round_row (out->dtype, row, width);
    }
  flow_narrow (rows, out);
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------- */

#define SEGMENT_KERNELS(ident, fold, types)                                            \
  static gboolean                                                                      \
  segment_##ident##_compute (FlowKernelContext *c, GError **error)                     \
  {                                                                                    \
    return segment_compute (c, fold, error);                                           \
  }                                                                                    \
  FLOW_ONE_KERNEL (segment_##ident, types "; Tindices: int32 int64")
#define UNSORTED_KERNELS(ident, fold, types)                                           \
  static gboolean                                                                      \
  unsorted_##ident##_compute (FlowKernelContext *c, GError **error)                    \
  {                                                                                    \
    return unsorted_compute (c, fold, error);                                          \
  }                                                                                    \
  FLOW_ONE_KERNEL (unsorted_##ident, types "; Tindices: int32 int64; Tnumsegments: int32 int64")

#define REALS "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64"
#define NUMBERS REALS " complex64 complex128"

SEGMENT_KERNELS (sum, FOLD_SUM, NUMBERS)
SEGMENT_KERNELS (mean, FOLD_MEAN, NUMBERS)
SEGMENT_KERNELS (prod, FOLD_PROD, NUMBERS)
SEGMENT_KERNELS (max, FOLD_MAX, REALS)
SEGMENT_KERNELS (min, FOLD_MIN, REALS)
UNSORTED_KERNELS (sum, FOLD_SUM, NUMBERS)
UNSORTED_KERNELS (prod, FOLD_PROD, NUMBERS)
UNSORTED_KERNELS (max, FOLD_MAX, REALS)
UNSORTED_KERNELS (min, FOLD_MIN, REALS)

#define SEGMENT(op, ident, types, text)                                                \
  { .name = op, .inputs = "data: T; segment_ids: Tindices", .outputs = "output: T",    \
    .attrs = "T: " types "; Tindices: {int32, int64}", .summary = text,                \
    .family = FLOW_OP_FAMILY_MATH, .infer = segment_infer,                             \
    .kernels = segment_##ident##_kernels }
#define UNSORTED(op, ident, types, text)                                               \
  { .name = op, .inputs = "data: T; segment_ids: Tindices; num_segments: Tnumsegments", \
    .outputs = "output: T",                                                            \
    .attrs = "T: " types "; Tindices: {int32, int64}; "                                \
             "Tnumsegments: {int32, int64} = DT_INT32",                                \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = unsorted_infer,           \
    .kernels = unsorted_##ident##_kernels }

static const FlowOpDef ops[] = {
  SEGMENT ("SegmentMax", max, FLOW_REAL_NUMBER_TYPES, "Greatest of each sorted segment"),
  SEGMENT ("SegmentMean", mean, FLOW_NUMBER_TYPES, "Mean of each sorted segment"),
  SEGMENT ("SegmentMin", min, FLOW_REAL_NUMBER_TYPES, "Smallest of each sorted segment"),
  SEGMENT ("SegmentProd", prod, FLOW_NUMBER_TYPES, "Product of each sorted segment"),
  SEGMENT ("SegmentSum", sum, FLOW_NUMBER_TYPES, "Sum of each sorted segment"),
  UNSORTED ("UnsortedSegmentMax", max, FLOW_REAL_NUMBER_TYPES, "Greatest of each segment"),
  UNSORTED ("UnsortedSegmentMin", min, FLOW_REAL_NUMBER_TYPES, "Smallest of each segment"),
  UNSORTED ("UnsortedSegmentProd", prod, FLOW_NUMBER_TYPES, "Product of each segment"),
  UNSORTED ("UnsortedSegmentSum", sum, FLOW_NUMBER_TYPES, "Sum of each segment"),
};

FLOW_DEFINE_OP_FAMILY (segment, ops)
