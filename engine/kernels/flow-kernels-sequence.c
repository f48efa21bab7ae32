/* flow-kernels-sequence.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-elementwise-private.h"
#include "flow-summarize-private.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/* Range, LinSpace, Bincount, Cross. */

/* --- Range ----------------------------------------------------------------------------------------- */

static gboolean
require_scalar (FlowInferContext  *c,
                guint              i,
                const char        *name,
                GError           **error)
{
  FlowShape *shape = flow_infer_input (c, i);
  g_autoptr (FlowShape) checked = NULL;

  if (c->running && shape->rank != 0)
    {
      g_autofree char *text = flow_shape_to_string (shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s must be a scalar, not shape %s",
                   name, text);
      return FALSE;
    }
  return flow_infer_with_rank (c, shape, 0, &checked, error) || _flow_add_context (error, " for '%s'", name);
}

static gboolean
int_range_size (gint64   start,
                gint64   limit,
                gint64   delta,
                gint64  *size,
                GError **error)
{
  guint64 distance;
  guint64 step;

  FLOW_REQUIRE (delta != 0, error, INVALID_ARGUMENT, "Requires delta != 0: 0");
  if (delta > 0)
    FLOW_REQUIRE (start <= limit, error, INVALID_ARGUMENT,
                  "Requires start <= limit when delta > 0: %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT,
                  start, limit);
  else
    FLOW_REQUIRE (start >= limit, error, INVALID_ARGUMENT,
                  "Requires start >= limit when delta < 0: %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT,
                  start, limit);
  distance = delta > 0 ? (guint64) limit - (guint64) start : (guint64) start - (guint64) limit;
  step = delta > 0 ? (guint64) delta : 0 - (guint64) delta;
  distance = distance / step + (distance % step != 0);
  FLOW_REQUIRE (distance <= G_MAXINT64, error, INVALID_ARGUMENT,
                "Requires ((limit - start) / delta) <= 9223372036854775807");
  *size = (gint64) distance;
  return TRUE;
}

static gboolean
float_range_size (int      dtype,
                  double   start,
                  double   limit,
                  double   delta,
                  gint64  *size,
                  GError **error)
{
  double n;

  FLOW_REQUIRE (delta != 0, error, INVALID_ARGUMENT, "Requires delta != 0: %s", signbit (delta) ? "-0" : "0");
  if (delta > 0)
    FLOW_REQUIRE (start <= limit, error, INVALID_ARGUMENT,
                  "Requires start <= limit when delta > 0: %s/%s",
                  _flow_number_text (dtype, start).text, _flow_number_text (dtype, limit).text);
  else
    FLOW_REQUIRE (start >= limit, error, INVALID_ARGUMENT,
                  "Requires start >= limit when delta < 0: %s/%s",
                  _flow_number_text (dtype, start).text, _flow_number_text (dtype, limit).text);
  n = ceil (fabs ((limit - start) / delta));
  /* NaN anywhere ends here too. */
  FLOW_REQUIRE (n >= 0 && n < 9223372036854775808.0, error, INVALID_ARGUMENT,
                "Requires ((limit - start) / delta) <= 9223372036854775807");
  *size = (gint64) n;
  return TRUE;
}

static gboolean
range_size (const FlowTensor  *start,
            const FlowTensor  *limit,
            const FlowTensor  *delta,
            gint64            *size,
            GError           **error)
{
  if (flow_dtype_is_integer (start->dtype))
    return int_range_size (flow_tensor_get_int (start, 0), flow_tensor_get_int (limit, 0),
                           flow_tensor_get_int (delta, 0), size, error);
  return float_range_size ((int) start->dtype, flow_tensor_get_double (start, 0),
                           flow_tensor_get_double (limit, 0), flow_tensor_get_double (delta, 0), size, error);
}

static gboolean
range_infer (FlowInferContext  *c,
             GError           **error)
{
  static const char *const names[] = { "start", "limit", "delta" };
  FlowTensor *values[3];
  gint64 size = FLOW_DIM_UNKNOWN;
  gboolean known = TRUE;

  for (guint i = 0; i < 3; i++)
    {
      if (!require_scalar (c, i, names[i], error))
        return FALSE;
      values[i] = flow_infer_input_value (c, i);
      known &= values[i] != NULL;
    }
  /* TF: while a graph is built it leaves the delta out of the sentence. */
  if (known && !c->running && flow_tensor_get_double (values[2], 0) == 0)
    return _flow_refuse (error, "Requires delta != 0");
  if (known && !range_size (values[0], values[1], values[2], &size, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (size));
  return TRUE;
}

/* TF: each value is the one before plus delta, rounded to the dtype. */
#define FILL_RANGE(type)                                                               \
  {                                                                                    \
    type value = FLOW_DATA (type, start)[0];                                           \
    type step = FLOW_DATA (type, delta)[0];                                            \
    type *cells = out->data;                                                           \
    for (gint64 i = 0; i < out->n_elements; i++, value = (type) (value + step))        \
      cells[i] = value;                                                                \
  }

static gboolean
range_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *start = flow_kernel_input (c, 0);
  const FlowTensor *delta = flow_kernel_input (c, 2);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);

  if (out == NULL)
    return FALSE;
  switch ((int) out->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      FILL_RANGE (float)
      break;
    case FLOW_DTYPE_DOUBLE:
      FILL_RANGE (double)
      break;
    case FLOW_DTYPE_INT32:
      FILL_RANGE (guint32)
      break;
    default:
      FILL_RANGE (guint64)
      break;
    }
  return TRUE;
}

FLOW_ONE_KERNEL (range, "Tidx: float double int32 int64")

/* --- LinSpace --------------------------------------------------------------------------------------- */

static gboolean
lin_space_infer (FlowInferContext  *c,
                 GError           **error)
{
  static const char *const names[] = { "start", "stop", "num" };
  gint64 num = FLOW_DIM_UNKNOWN;

  for (guint i = 0; i < 3; i++)
    {
      FlowShape *shape = flow_infer_input (c, i);
      g_autoptr (FlowShape) checked = NULL;
      g_autofree char *text = flow_shape_to_string (shape);

      FLOW_REQUIRE (!c->running || shape->rank == 0, error, INVALID_ARGUMENT,
                    "%s must be a scalar, not shape %s", names[i], text);
      if (!flow_infer_with_rank (c, shape, 0, &checked, error))
        return i < 2 ? _flow_add_context (error, " for '%s'", names[i]) : FALSE;
    }
  if (flow_infer_scalar_value (c, 2, &num))
    FLOW_REQUIRE (num > 0, error, INVALID_ARGUMENT, "Requires num > 0: %" G_GINT64_FORMAT, num);
  flow_infer_take_output (c, 0, flow_shape_new_vector (num));
  return TRUE;
}

#define FILL_LINE(type)                                                                \
  {                                                                                    \
    type first = FLOW_DATA (type, start)[0];                                           \
    type last = FLOW_DATA (type, stop)[0];                                             \
    type step = n > 1 ? (last - first) / (type) (n - 1) : 0;                           \
    type *cells = out->data;                                                           \
    for (gint64 i = 0; i < n; i++)                                                     \
      cells[i] = i == 0 ? first : first + step * (type) i;                                              \
    if (n > 1)                                                                         \
      cells[n - 1] = last;                                                             \
  }

static gboolean
lin_space_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *start = flow_kernel_input (c, 0);
  const FlowTensor *stop = flow_kernel_input (c, 1);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  gint64 n;

  if (out == NULL)
    return FALSE;
  n = out->n_elements;
  if (out->dtype == FLOW_DTYPE_FLOAT)
    FILL_LINE (float)
  else
    FILL_LINE (double)
  return TRUE;
}

FLOW_ONE_KERNEL (lin_space, "T: float double")

/* --- Bincount ---------------------------------------------------------------------------------------- */

static gboolean
bincount_infer (FlowInferContext  *c,
                GError           **error)
{
  FlowShape *size_shape = flow_infer_input (c, 1);
  gint64 size;

  if (!flow_infer_scalar_value (c, 1, &size))
    {
      FLOW_REQUIRE (!c->running, error, INVALID_ARGUMENT, "Shape must be rank 0 but is rank %d",
                    size_shape->rank);
      flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
      return TRUE;
    }
  FLOW_REQUIRE (size >= 0, error, INVALID_ARGUMENT, "size (%" G_GINT64_FORMAT ") must be non-negative",
                size);
  flow_infer_take_output (c, 0, flow_shape_new_vector (size));
  return TRUE;
}

#define COUNT_BINS(type, one)                                                          \
  {                                                                                    \
    const type *w = weights->data;                                                     \
    type *b = bins->data;                                                              \
    for (gint64 i = 0; i < arr->n_elements; i++)                                       \
      if (a[i] < bins->n_elements)                                                     \
        b[a[i]] += weights->n_elements > 0 ? w[i] : (type) (one);                      \
  }

static gboolean
bincount_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *arr = flow_kernel_input (c, 0);
  const FlowTensor *weights = flow_kernel_input (c, 2);
  const gint32 *a = FLOW_DATA (gint32, arr);
  FlowTensor *bins;

  for (gint64 i = 0; i < arr->n_elements; i++)
    FLOW_REQUIRE (a[i] >= 0, error, INVALID_ARGUMENT, "Input arr must be non-negative!");
  FLOW_REQUIRE (weights->n_elements == 0 || weights->n_elements == arr->n_elements, error, INVALID_ARGUMENT,
                "Input indices and weights must have the same size.");
  bins = flow_kernel_allocate_inferred (c, 0, error);
  if (bins == NULL)
    return FALSE;
  memset (bins->data, 0, bins->n_bytes);
  switch ((int) bins->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      COUNT_BINS (float, 1)
      break;
    case FLOW_DTYPE_DOUBLE:
      COUNT_BINS (double, 1)
      break;
    case FLOW_DTYPE_INT32:
      COUNT_BINS (guint32, 1)
      break;
    default:
      COUNT_BINS (guint64, 1)
      break;
    }
  return TRUE;
}

FLOW_ONE_KERNEL (bincount, "T: int32 int64 float double")

/* --- Cross --------------------------------------------------------------------------------------------- */

static gboolean
cross_infer (FlowInferContext  *c,
             GError           **error)
{
  FlowShape *a = flow_infer_input (c, 0);
  FlowShape *b = flow_infer_input (c, 1);
  FlowShape *both;

  if (c->running)
    {
      g_autofree char *text_a = flow_shape_to_string (a);
      g_autofree char *text_b = flow_shape_to_string (b);

      FLOW_REQUIRE (flow_shape_equal (a, b), error, INVALID_ARGUMENT,
                    "Both inputs must be of same shape: %s vs. %s", text_a, text_b);
      FLOW_REQUIRE (a->rank >= 1, error, INVALID_ARGUMENT, "Input must be at least 1D%s", text_a);
      FLOW_REQUIRE (a->dims[a->rank - 1] == 3, error, FAILED_PRECONDITION,
                    "Cross-products are only defined for 3-element vectors.");
    }
  else
    {
      g_autoptr (FlowShape) a_ranked = NULL;
      g_autoptr (FlowShape) b_ranked = NULL;

      if (!flow_infer_with_rank_at_least (c, a, 1, &a_ranked, error) ||
          !flow_infer_with_rank_at_least (c, b, 1, &b_ranked, error))
        return FALSE;
    }
  if (!flow_infer_merge (c, a, b, &both, error))
    return FALSE;
  if (both->rank > 0 && both->dims[both->rank - 1] >= 0 && both->dims[both->rank - 1] != 3)
    {
      gint64 last = both->dims[both->rank - 1];

      flow_shape_unref (both);
      return _flow_refuse (error, "Dimension must be 3 but is %" G_GINT64_FORMAT, last);
    }
  flow_infer_take_output (c, 0, both);
  return TRUE;
}

typedef void (*CrossLoop) (gconstpointer a, gconstpointer b, gpointer out, gint64 n);

/* Integers wrap: they go through their unsigned types, 16 bits through 32. */
#define CROSS_LOOP(name, type, wide)                                                   \
  static void                                                                          \
  name (gconstpointer pa, gconstpointer pb, gpointer out, gint64 n)                    \
  {                                                                                    \
    const type *a = pa;                                                                \
    const type *b = pb;                                                                \
    type *z = out;                                                                     \
    for (gint64 i = 0; i < n; i++, a += 3, b += 3, z += 3)                             \
      for (int k = 0; k < 3; k++)                                                      \
        z[k] = (type) ((wide) a[(k + 1) % 3] * (wide) b[(k + 2) % 3]                   \
                       - (wide) a[(k + 2) % 3] * (wide) b[(k + 1) % 3]);               \
  }

CROSS_LOOP (cross_float, float, float)
CROSS_LOOP (cross_double, double, double)
CROSS_LOOP (cross_8, guint8, guint32)
CROSS_LOOP (cross_16, guint16, guint32)
CROSS_LOOP (cross_32, guint32, guint32)
CROSS_LOOP (cross_64, guint64, guint64)

static const CrossLoop cross_loops[FLOW_N_DTYPES] = {
  [FLOW_DTYPE_FLOAT] = cross_float,
  [FLOW_DTYPE_DOUBLE] = cross_double,
  [FLOW_DTYPE_INT8] = cross_8,
  [FLOW_DTYPE_UINT8] = cross_8,
  [FLOW_DTYPE_INT16] = cross_16,
  [FLOW_DTYPE_UINT16] = cross_16,
  [FLOW_DTYPE_INT32] = cross_32,
  [FLOW_DTYPE_INT64] = cross_64,
};

static gboolean
cross_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *a = flow_kernel_input (c, 0);
  const FlowTensor *b = flow_kernel_input (c, 1);
  FlowTensor *out = flow_kernel_allocate (c, 0, a->shape, error);
  float (*rounded) (float) = a->dtype == FLOW_DTYPE_HALF ? flow_as_half : flow_as_bfloat16;
  gint64 n;

  if (out == NULL)
    return FALSE;
  n = out->n_elements / 3;
  if (a->dtype != FLOW_DTYPE_HALF && a->dtype != FLOW_DTYPE_BFLOAT16)
    {
      cross_loops[a->dtype] (a->data, b->data, out->data, n);
      return TRUE;
    }
  for (gint64 i = 0; i < n; i++)
    {
      float x[3];
      float y[3];
      float z[3];

      flow_to_float (a->dtype, FLOW_DATA (guint16, a) + 3 * i, x, 3);
      flow_to_float (a->dtype, FLOW_DATA (guint16, b) + 3 * i, y, 3);
      /* TensorFlow's types of 16 bits round after each operation. */
      for (int k = 0; k < 3; k++)
        z[k] = rounded (x[(k + 1) % 3] * y[(k + 2) % 3]) - rounded (x[(k + 2) % 3] * y[(k + 1) % 3]);
      flow_from_float (a->dtype, z, FLOW_WRITABLE (guint16, out) + 3 * i, 3);
    }
  return TRUE;
}

FLOW_ONE_KERNEL (cross, "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64")

/* --- the table ------------------------------------------------------------------------------------------- */

static const FlowOpDef ops[] = {
  { .name = "Bincount", .inputs = "arr: int32; size: int32; weights: T", .outputs = "bins: T",
    .attrs = "T: {int32, int64, float, double}",
    .summary = "How often each integer occurs, or the sum of its weights",
    .family = FLOW_OP_FAMILY_MATH, .infer = bincount_infer, .kernels = bincount_kernels },
  { .name = "Cross", .inputs = "a: T; b: T", .outputs = "product: T",
    .attrs = "T: " FLOW_REAL_NUMBER_TYPES, .summary = "Cross product of vectors of three",
    .family = FLOW_OP_FAMILY_MATH, .infer = cross_infer, .kernels = cross_kernels },
  { .name = "LinSpace", .inputs = "start: T; stop: T; num: Tidx", .outputs = "output: T",
    .attrs = "T: {bfloat16, float, double}; Tidx: {int32, int64} = DT_INT32",
    .summary = "Numbers at equal distances from start to stop",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = lin_space_infer, .kernels = lin_space_kernels },
  { .name = "Range", .inputs = "start: Tidx; limit: Tidx; delta: Tidx", .outputs = "output: Tidx",
    .attrs = "Tidx: {bfloat16, float, double, int32, int64} = DT_INT32",
    .summary = "Numbers from start, up to but without limit, by delta",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = range_infer, .kernels = range_kernels },
};

FLOW_DEFINE_OP_FAMILY (sequence, ops)
