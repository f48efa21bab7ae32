/* flow-kernels-arg.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-parallel.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ArgMax and ArgMin; running sums and products along an axis. */

#define GRAIN 16384

/* The input seen as outer x axis x inner. */
typedef struct {
  gint64 outer;
  gint64 axis;
  gint64 inner;
} Split;

static Split
split_at (const FlowTensor *t,
          int               axis)
{
  Split s = { 1, 1, 1 };

  for (int i = 0; i < FLOW_RANK (t); i++)
    if (i < axis)
      s.outer *= FLOW_DIMS (t)[i];
    else if (i > axis)
      s.inner *= FLOW_DIMS (t)[i];
    else
      s.axis = FLOW_DIMS (t)[i];
  return s;
}

/* --- ArgMax, ArgMin ------------------------------------------------------------------------------ */

static gboolean
arg_check (FlowInferContext  *c,
           int               *axis,
           GError           **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowShape *dimension = flow_infer_input (c, 1);
  g_autofree char *text = flow_shape_to_string (in);
  g_autofree char *text_dim = flow_shape_to_string (dimension);
  gint64 value;

  FLOW_REQUIRE (dimension->rank == 0, error, INVALID_ARGUMENT,
                "dim must be a scalar, but received tensor of shape: %s", text_dim);
  value = flow_tensor_get_int (flow_infer_input_value (c, 1), 0);
  FLOW_REQUIRE (flow_canonical_axis (value, in->rank, axis), error, INVALID_ARGUMENT,
                "Expected dimension in the range [%d, %d), but got %" G_GINT64_FORMAT, -in->rank,
                in->rank, value);
  FLOW_REQUIRE (in->dims[*axis] > 0, error, INVALID_ARGUMENT,
                "Reduction axis %" G_GINT64_FORMAT " is empty in shape %s", value, text);
  return TRUE;
}

static gboolean
arg_infer (FlowInferContext  *c,
           GError           **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) scalar = NULL;
  gint64 value;
  int axis = 0;
  int rank = 0;

  if (c->running && !arg_check (c, &axis, error))
    return FALSE;
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &scalar, error))
    return FALSE;
  if (in->rank == FLOW_RANK_UNKNOWN)
    {
      flow_infer_take_output (c, 0, flow_shape_new_unknown ());
      return TRUE;
    }
  if (in->rank <= 1)
    {
      flow_infer_take_output (c, 0, flow_shape_new_scalar ());
      return TRUE;
    }
  if (!flow_infer_scalar_value (c, 1, &value))
    {
      flow_infer_take_output (c, 0, flow_shape_new_of_rank (in->rank - 1));
      return TRUE;
    }
  FLOW_REQUIRE (flow_canonical_axis (value, in->rank, &axis), error, INVALID_ARGUMENT,
                "Dimension (%" G_GINT64_FORMAT ") must be in the range [%d, %d), where %d is the "
                "number of dimensions in the input.", value, -in->rank, in->rank, in->rank);
  for (int i = 0; i < in->rank; i++)
    if (i != axis)
      dims[rank++] = in->dims[i];
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  return TRUE;
}

typedef void (*ArgLoop) (gconstpointer x, gint64 n, gint64 stride, gint64 *index);

/* The first of equals wins; NaN is never greater nor smaller, and where nothing is greater than the
 * least finite number the first cell counts as the greatest, as in TensorFlow. */
#define ARG_LOOP(name, type, OP, WORST)                                                \
  static void                                                                          \
  name (gconstpointer px, gint64 n, gint64 stride, gint64 *index)                      \
  {                                                                                    \
    const type *x = px;                                                                \
    type best = WORST;                                                                 \
    gint64 at = 0;                                                                     \
                                                                                       \
    for (gint64 i = 0; i < n; i++)                                                     \
      if (x[i * stride] OP best)                                                       \
        {                                                                              \
          best = x[i * stride];                                                        \
          at = i;                                                                      \
        }                                                                              \
    *index = at;                                                                       \
  }
#define ARG_LOOPS(name, type, LEAST, GREATEST)                                         \
  ARG_LOOP (max_##name, type, >, LEAST)                                                \
  ARG_LOOP (min_##name, type, <, GREATEST)

ARG_LOOPS (float, float, -FLT_MAX, FLT_MAX)
ARG_LOOPS (double, double, -DBL_MAX, DBL_MAX)
ARG_LOOPS (int8, gint8, G_MININT8, G_MAXINT8)
ARG_LOOPS (uint8, guint8, 0, G_MAXUINT8)
ARG_LOOPS (int16, gint16, G_MININT16, G_MAXINT16)
ARG_LOOPS (uint16, guint16, 0, G_MAXUINT16)
ARG_LOOPS (int32, gint32, G_MININT32, G_MAXINT32)
ARG_LOOPS (int64, gint64, G_MININT64, G_MAXINT64)

#define ARG_ENTRIES(side)                                                              \
  [FLOW_DTYPE_FLOAT] = side##_float,                                                   \
  [FLOW_DTYPE_DOUBLE] = side##_double,                                                 \
  [FLOW_DTYPE_INT8] = side##_int8,                                                     \
  [FLOW_DTYPE_UINT8] = side##_uint8,                                                   \
  [FLOW_DTYPE_INT16] = side##_int16,                                                   \
  [FLOW_DTYPE_UINT16] = side##_uint16,                                                 \
  [FLOW_DTYPE_INT32] = side##_int32,                                                   \
  [FLOW_DTYPE_INT64] = side##_int64

static const ArgLoop max_loops[FLOW_N_DTYPES] = { ARG_ENTRIES (max) };
static const ArgLoop min_loops[FLOW_N_DTYPES] = { ARG_ENTRIES (min) };

/* Over an axis that is not the last, the best of many neighbours at a time: memory is read in order. */
#define ARG_TILE 512

typedef void (*ArgTileLoop) (gconstpointer x, gint64 n, gint64 stride, gint64 width, gint64 *index);

#define ARG_TILE_LOOP(name, type, OP, WORST)                                           \
  FLOW_CLONES static void                                                              \
  tile_##name (gconstpointer px, gint64 n, gint64 stride, gint64 width, gint64 *index) \
  {                                                                                    \
    const type *x = px;                                                                \
    type best[ARG_TILE];                                                               \
                                                                                       \
    for (gint64 k = 0; k < width; k++)                                                 \
      {                                                                                \
        best[k] = WORST;                                                               \
        index[k] = 0;                                                                  \
      }                                                                                \
    for (gint64 i = 0; i < n; i++)                                                     \
      for (gint64 k = 0; k < width; k++)                                               \
        {                                                                              \
          gboolean better = x[i * stride + k] OP best[k];                              \
                                                                                       \
          best[k] = better ? x[i * stride + k] : best[k];                              \
          index[k] = better ? i : index[k];                                            \
        }                                                                              \
  }

ARG_TILE_LOOP (max_float, float, >, -FLT_MAX)
ARG_TILE_LOOP (min_float, float, <, FLT_MAX)

typedef struct {
  const guint8 *x;
  gint64 size;
  Split split;
  ArgLoop loop;
  ArgTileLoop tile_loop;
  gint64 tiles;                /* per outer index */
  gint32 *out32;
  gint64 *out64;
} ArgJob;

static void
arg_tiles_range (gint64   begin,
                 gint64   end,
                 gpointer data)
{
  const ArgJob *job = data;

  for (gint64 t = begin; t < end; t++)
    {
      gint64 outer = t / job->tiles;
      gint64 inner = t % job->tiles * ARG_TILE;
      gint64 width = MIN (ARG_TILE, job->split.inner - inner);
      gint64 index[ARG_TILE];

      job->tile_loop (job->x + (outer * job->split.axis * job->split.inner + inner) * job->size,
                      job->split.axis, job->split.inner, width, index);
      for (gint64 k = 0; k < width; k++)
        if (job->out32 != NULL)
          job->out32[outer * job->split.inner + inner + k] = (gint32) index[k];
        else
          job->out64[outer * job->split.inner + inner + k] = index[k];
    }
}

static void
arg_range (gint64   begin,
           gint64   end,
           gpointer data)
{
  const ArgJob *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      gint64 outer = i / job->split.inner;
      gint64 inner = i % job->split.inner;
      gint64 index;

      job->loop (job->x + (outer * job->split.axis * job->split.inner + inner) * job->size,
                 job->split.axis, job->split.inner, &index);
      if (job->out32 != NULL)
        job->out32[i] = (gint32) index;
      else
        job->out64[i] = index;
    }
}

static gboolean
arg_compute (FlowKernelContext  *c,
             const ArgLoop      *loops,
             GError            **error)
{
  g_autoptr (FlowTensor) x = flow_widen (c, flow_kernel_input (c, 0), TRUE, error);
  FlowTensor *out;
  int axis;
  ArgJob job = { NULL };

  if (x == NULL)
    return FALSE;
  FLOW_REQUIRE (flow_canonical_axis (flow_tensor_get_int (flow_kernel_input (c, 1), 0),
                                     FLOW_RANK (x), &axis), error, INVALID_ARGUMENT,
                "Expected dimension in the range [%d, %d)", -FLOW_RANK (x), FLOW_RANK (x));
  out = flow_kernel_allocate_inferred (c, 0, error);
  if (out == NULL)
    return FALSE;
  job.x = x->data;
  job.size = (gint64) flow_dtype_size (x->dtype);
  job.split = split_at (x, axis);
  job.loop = loops[x->dtype];
  if (out->dtype == FLOW_DTYPE_INT32)
    job.out32 = FLOW_WRITABLE (gint32, out);
  else
    job.out64 = FLOW_WRITABLE (gint64, out);
  if (x->dtype == FLOW_DTYPE_FLOAT && job.split.inner >= 16)
    {
      job.tile_loop = job.loop == max_float ? tile_max_float : tile_min_float;
      job.tiles = (job.split.inner + ARG_TILE - 1) / ARG_TILE;
      flow_parallel_for (job.split.outer * job.tiles,
                         MAX (1, GRAIN / (job.split.axis * MIN (job.split.inner, ARG_TILE))),
                         arg_tiles_range, &job);
      return TRUE;
    }
  flow_parallel_for (out->n_elements, MAX (1, GRAIN / job.split.axis), arg_range, &job);
  return TRUE;
}

static gboolean
arg_max_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return arg_compute (c, max_loops, error);
}

static gboolean
arg_min_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return arg_compute (c, min_loops, error);
}

#define ARG_TYPES "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64"
FLOW_ONE_KERNEL (arg_max, ARG_TYPES)
FLOW_ONE_KERNEL (arg_min, ARG_TYPES)

/* --- Cumsum, Cumprod, CumulativeLogsumexp --------------------------------------------------------- */

static gboolean
scan_infer (FlowInferContext  *c,
            GError           **error)
{
  FlowShape *x = flow_infer_input (c, 0);
  FlowShape *axis = flow_infer_input (c, 1);

  if (c->running)
    {
      g_autofree char *text = flow_shape_to_string (axis);
      gint64 value;
      int at;

      FLOW_REQUIRE (axis->rank == 0, error, INVALID_ARGUMENT, "ScanOp: axis must be a scalar, not %s",
                    text);
      value = flow_tensor_get_int (flow_infer_input_value (c, 1), 0);
      FLOW_REQUIRE (flow_canonical_axis (value, x->rank, &at), error, INVALID_ARGUMENT,
                    "ScanOp: Expected scan axis in the range [%d, %d), but got %" G_GINT64_FORMAT,
                    /* TF has counted it from the front by then. */
                    -x->rank, x->rank, value < 0 ? value + x->rank : value);
    }
  flow_infer_set_output (c, 0, x);
  return TRUE;
}

/* One row of @inner cells at a time: total is a row of running values. Those of half and bfloat16 are given as floats
 * and rounded at each step. */
typedef void (*ScanLoop) (gconstpointer x, gpointer y, const Split *split, gint64 outer,
                          gboolean exclusive, gboolean reverse);

#define SCAN_LOOP(name, type, ROUND, OP, start)                                        \
  static void                                                                          \
  name (gconstpointer px, gpointer py, const Split *split, gint64 outer,               \
        gboolean exclusive, gboolean reverse)                                          \
  {                                                                                    \
    const type *x = (const type *) px + outer * split->axis * split->inner;            \
    type *y = (type *) py + outer * split->axis * split->inner;                        \
                                                                                       \
    for (gint64 k = 0; k < split->axis; k++)                                           \
      {                                                                                \
        gint64 at = (reverse ? split->axis - 1 - k : k) * split->inner;                \
        gint64 before = reverse ? at + split->inner : at - split->inner;               \
                                                                                       \
        for (gint64 i = 0; i < split->inner; i++)                                      \
          if (exclusive)                                                               \
            y[at + i] = k == 0 ? (type) (start) : (type) ROUND (y[before + i] OP x[before + i]); \
          else                                                                         \
            y[at + i] = k == 0 ? x[at + i] : (type) ROUND (y[before + i] OP x[at + i]); \
      }                                                                                \
  }
#define SCAN_LOOPS(name, type, ROUND)                                                  \
  SCAN_LOOP (sum_##name, type, ROUND, +, 0)                                            \
  SCAN_LOOP (prod_##name, type, ROUND, *, 1)

SCAN_LOOPS (float, float, )
SCAN_LOOPS (half, float, flow_as_half)
SCAN_LOOPS (bfloat16, float, flow_as_bfloat16)
SCAN_LOOPS (double, double, )
SCAN_LOOPS (8, guint8, )
SCAN_LOOPS (32, guint32, )
SCAN_LOOPS (64, guint64, )
SCAN_LOOPS (complex64, FlowComplex64, )
SCAN_LOOPS (complex128, FlowComplex128, )
SCAN_LOOP (sum_16, guint16, , +, 0)

static void
prod_16 (gconstpointer px,
         gpointer      py,
         const Split  *split,
         gint64        outer,
         gboolean      exclusive,
         gboolean      reverse)
{
  const guint16 *x = (const guint16 *) px + outer * split->axis * split->inner;
  guint16 *y = (guint16 *) py + outer * split->axis * split->inner;

  for (gint64 i = 0; i < split->inner; i++)
    {
      guint32 total = 1;

      for (gint64 k = 0; k < split->axis; k++)
        {
          gint64 at = (reverse ? split->axis - 1 - k : k) * split->inner + i;
          guint32 next = (guint16) (total * x[at]);

          y[at] = (guint16) (exclusive ? total : next);
          total = next;
        }
    }
}

#define SCAN_ENTRIES(side)                                                             \
  [FLOW_DTYPE_FLOAT] = side##_float,                                                   \
  [FLOW_DTYPE_HALF] = side##_half,                                                     \
  [FLOW_DTYPE_BFLOAT16] = side##_bfloat16,                                             \
  [FLOW_DTYPE_DOUBLE] = side##_double,                                                 \
  [FLOW_DTYPE_INT8] = side##_8,                                                        \
  [FLOW_DTYPE_UINT8] = side##_8,                                                       \
  [FLOW_DTYPE_INT16] = side##_16,                                                      \
  [FLOW_DTYPE_UINT16] = side##_16,                                                     \
  [FLOW_DTYPE_INT32] = side##_32,                                                      \
  [FLOW_DTYPE_INT64] = side##_64,                                                      \
  [FLOW_DTYPE_COMPLEX64] = side##_complex64,                                           \
  [FLOW_DTYPE_COMPLEX128] = side##_complex128

static const ScanLoop sum_loops[FLOW_N_DTYPES] = { SCAN_ENTRIES (sum) };
static const ScanLoop prod_loops[FLOW_N_DTYPES] = { SCAN_ENTRIES (prod) };

/* Logarithms of running sums of exponentials, by the larger of two so that none overflows. TF: a NaN counts as another
 * of what has been summed. */
#define LOG_SUM_LOOP(name, type, ROUND, exp_func, log_func, lowest)                    \
  static inline type                                                                   \
  log_sum_##name (type a, type b)                                                      \
  {                                                                                    \
    const type low = b < a ? b : a;                                                    \
    const type high = a < b ? b : a;                                                   \
                                                                                       \
    if (isinf (low) && low < 0)                                                        \
      return high;                                                                     \
    return ROUND (ROUND (log_func (ROUND (exp_func (ROUND (low - high))))) + high);     \
  }                                                                                    \
                                                                                       \
  static void                                                                          \
  scan_log_sum_##name (gconstpointer px, gpointer py, const Split *split, gint64 outer, \
                       gboolean exclusive, gboolean reverse)                           \
  {                                                                                    \
    const type *x = (const type *) px + outer * split->axis * split->inner;            \
    type *y = (type *) py + outer * split->axis * split->inner;                        \
                                                                                       \
    for (gint64 i = 0; i < split->inner; i++)                                          \
      {                                                                                \
        type total = lowest;                                                           \
                                                                                       \
        for (gint64 k = 0; k < split->axis; k++)                                       \
          {                                                                            \
            const gint64 at = (reverse ? split->axis - 1 - k : k) * split->inner + i;  \
            const type next = log_sum_##name (total, x[at]);                           \
                                                                                       \
            y[at] = exclusive ? total : next;                                          \
            total = next;                                                              \
          }                                                                            \
      }                                                                                \
  }

/* TF: the sum of nothing is the least number of the dtype. */
LOG_SUM_LOOP (float, float, , expf, log1pf, -G_MAXFLOAT)
LOG_SUM_LOOP (double, double, , exp, log1p, -G_MAXDOUBLE)
LOG_SUM_LOOP (half, float, flow_as_half, expf, log1pf, -65504.0f)

static const ScanLoop log_sum_loops[FLOW_N_DTYPES] = {
  [FLOW_DTYPE_FLOAT] = scan_log_sum_float,
  [FLOW_DTYPE_DOUBLE] = scan_log_sum_double,
  [FLOW_DTYPE_HALF] = scan_log_sum_half,
};

typedef struct {
  gconstpointer x;
  gpointer y;
  Split split;
  ScanLoop loop;
  gboolean exclusive;
  gboolean reverse;
} ScanJob;

static void
scan_range (gint64   begin,
            gint64   end,
            gpointer data)
{
  const ScanJob *job = data;

  for (gint64 i = begin; i < end; i++)
    job->loop (job->x, job->y, &job->split, i, job->exclusive, job->reverse);
}

static gboolean
scan_compute (FlowKernelContext  *c,
              const ScanLoop     *loops,
              GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) x = flow_widen (c, in, TRUE, error);
  g_autoptr (FlowTensor) wide = NULL;
  FlowTensor *out;
  int axis;
  ScanJob job;

  if (x == NULL)
    return FALSE;
  FLOW_REQUIRE (flow_canonical_axis (flow_tensor_get_int (flow_kernel_input (c, 1), 0),
                                     FLOW_RANK (x), &axis), error, INVALID_ARGUMENT,
                "ScanOp: Expected scan axis in the range [%d, %d)", -FLOW_RANK (x), FLOW_RANK (x));
  out = flow_kernel_allocate (c, 0, in->shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  wide = flow_widen (c, out, FALSE, error);
  if (wide == NULL)
    return FALSE;
  job.x = x->data;
  job.y = wide->data;
  job.split = split_at (x, axis);
  job.loop = loops[in->dtype];
  job.exclusive = flow_kernel_attr_bool (c, "exclusive");
  job.reverse = flow_kernel_attr_bool (c, "reverse");
  flow_parallel_for (job.split.outer, MAX (1, GRAIN / (job.split.axis * job.split.inner)),
                     scan_range, &job);
  flow_narrow (wide, out);
  return TRUE;
}

static gboolean
cumsum_compute (FlowKernelContext  *c,
                GError            **error)
{
  return scan_compute (c, sum_loops, error);
}

static gboolean
cumprod_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return scan_compute (c, prod_loops, error);
}

static gboolean
cumulative_logsumexp_compute (FlowKernelContext  *c,
                              GError            **error)
{
  return scan_compute (c, log_sum_loops, error);
}

#define SCAN_TYPES "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 " \
                   "complex64 complex128"
FLOW_ONE_KERNEL (cumsum, SCAN_TYPES)
FLOW_ONE_KERNEL (cumprod, SCAN_TYPES)
FLOW_ONE_KERNEL (cumulative_logsumexp, "T: half float double")

/* --- the table -------------------------------------------------------------------------------------- */

#define ARG(op, ident, text)                                                           \
  { .name = op, .inputs = "input: T; dimension: Tidx", .outputs = "output: output_type", \
    .attrs = "T: " FLOW_NUMBER_TYPES "; Tidx: {int32, int64} = DT_INT32; "             \
             "output_type: {int32, int64} = DT_INT64",                                 \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = arg_infer,                \
    .kernels = ident##_kernels, .flops = flow_flops_reduction }
#define SCAN(op, types, ident, text)                                                   \
  { .name = op, .inputs = "x: T; axis: Tidx", .outputs = "out: T",                     \
    .attrs = "exclusive: bool = false; reverse: bool = false; T: " types "; "          \
             "Tidx: {int32, int64} = DT_INT32",                                        \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = scan_infer,               \
    .kernels = ident##_kernels }

static const FlowOpDef ops[] = {
  ARG ("ArgMax", arg_max, "Index of the greatest element along an axis"),
  ARG ("ArgMin", arg_min, "Index of the smallest element along an axis"),
  SCAN ("Cumprod", FLOW_NUMBER_TYPES, cumprod, "Running product along an axis"),
  SCAN ("Cumsum", FLOW_NUMBER_TYPES, cumsum, "Running sum along an axis"),
  SCAN ("CumulativeLogsumexp", "{half, float, double}", cumulative_logsumexp,
        "Logarithm of the running sum of exponentials along an axis"),
};

FLOW_DEFINE_OP_FAMILY (arg, ops)
