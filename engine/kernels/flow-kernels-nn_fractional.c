/* flow-kernels-nn_fractional.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pooling over windows whose sizes are drawn by lot, so that an image may shrink by any ratio.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-random-private.h"
#include "flow-summarize-private.h"

#include <math.h>
#include <string.h>

/* --- Where windows begin ------------------------------------------------------------------------------------ */

/* TF: as in the paper: ceil (alpha (i + u)) with one u for all, so small that no window is too wide. */
static void
draw_pseudo_random (gint64            in,
                    gint64            out,
                    FlowPhiloxStream *stream,
                    gint64           *starts)
{
  const double alpha = (double) in / (double) out;
  const double k = (double) (in / out);
  const double limit = MIN ((k + 2) / alpha - 1, ((double) in + 1 - k) / alpha - ((double) out - 1));
  const guint32 x0 = flow_philox_stream_next (stream);
  const guint32 x1 = flow_philox_stream_next (stream);
  const double u = flow_random_to_double (x0, x1) * limit;

  starts[0] = 0;
  for (gint64 i = 1; i < out; i++)
    starts[i] = (gint64) ceil (alpha * ((double) i + u)) - 1;
  starts[out] = in;
}

/* Windows of two sizes in any order. */
static void
draw_random (gint64            in,
             gint64            out,
             FlowPhiloxStream *stream,
             gint64           *starts)
{
  for (gint64 i = 0; i < out; i++)
    starts[i + 1] = in / out + (i < in % out);
  for (gint64 i = 0; i < out - 1; i++)
    {
      const gint64 k = i + flow_philox_stream_next (stream) % (guint32) (out - i);
      const gint64 size = starts[i + 1];

      starts[i + 1] = starts[k + 1];
      starts[k + 1] = size;
    }
  starts[0] = 0;
  for (gint64 i = 0; i < out; i++)
    starts[i + 1] += starts[i];
}

/* @generator moves on by what was drawn. */
static void
draw_starts (gint64       in,
             gint64       out,
             gboolean     pseudo_random,
             FlowPhilox  *generator,
             gint64      *starts)
{
  FlowPhiloxStream stream = { 0 };

  flow_philox_stream_init (&stream, generator);
  if (pseudo_random)
    draw_pseudo_random (in, out, &stream, starts);
  else
    draw_random (in, out, &stream, starts);
  flow_philox_skip (generator, pseudo_random ? 1 : (guint64) (out + 3) / 4);
}

/* --- Shapes ----------------------------------------------------------------------------------------------------- */

static gboolean
read_ratios (FlowAttr *list,
             float     ratios[4],
             GError  **error)
{
  FLOW_REQUIRE (flow_attr_get_length (list) == 4, error, INVALID_ARGUMENT,
                "pooling_ratio field must specify 4 dimensions");
  for (guint i = 0; i < 4; i++)
    ratios[i] = flow_attr_get_float (flow_attr_get_item (list, i));
  return TRUE;
}

static gint64
pooled_size (gint64 in,
             float  ratio)
{
  return in < 0 ? FLOW_DIM_UNKNOWN : (gint64) floorf ((float) MIN (in, G_MAXINT32) / ratio);
}

static gboolean
infer_pool (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) out = NULL;
  float ratios[4];

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &in, error) ||
      !read_ratios (flow_infer_attr (c, "pooling_ratio"), ratios, error))
    return FALSE;
  out = flow_shape_new_of_rank (4);
  for (int i = 0; i < 4; i++)
    out->dims[i] = pooled_size (flow_shape_get_dim (in, i), ratios[i]);
  flow_infer_set_output (c, 0, out);
  for (guint i = 1; i < 3; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
infer_max_grad (FlowInferContext  *c,
                GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  return TRUE;
}

static gboolean
infer_avg_grad (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_shape_from_value (c, 0, &out, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&out));
  return TRUE;
}

/* --- Windows ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const gint64 *in;            /* batch, height, width, channels */
  const gint64 *out;
  const gint64 *rows;          /* where windows begin, and the end of the last */
  const gint64 *columns;
  gboolean overlapping;        /* a window has the first cell of the next one too */
  gconstpointer image;
  gconstpointer grads;
  gpointer result;
} Job;

static inline gint64
window_end (const gint64 *starts,
            gint64        i,
            gint64        size,
            gboolean      overlapping)
{
  return MIN (starts[i + 1] + overlapping, size);
}

/* For each output cell: the bounds of its window, and its place. */
#define FOR_EACH_WINDOW(what)                                                                 \
  for (gint64 b = 0; b < job->out[0]; b++)                                                    \
    for (gint64 y = 0; y < job->out[1]; y++)                                                  \
      for (gint64 x = 0; x < job->out[2]; x++)                                                \
        for (gint64 k = 0; k < job->out[3]; k++)                                              \
          {                                                                                   \
            const gint64 bottom = window_end (job->rows, y, job->in[1], job->overlapping);    \
            const gint64 right = window_end (job->columns, x, job->in[2], job->overlapping);  \
            const gint64 at = ((b * job->out[1] + y) * job->out[2] + x) * job->out[3] + k;    \
                                                                                              \
            what                                                                              \
          }

#define FOR_EACH_CELL(what)                                                                   \
  for (gint64 i = job->rows[y]; i < bottom; i++)                                              \
    for (gint64 j = job->columns[x]; j < right; j++)                                          \
      {                                                                                       \
        const gint64 cell = ((b * job->in[1] + i) * job->in[2] + j) * job->in[3] + k;         \
                                                                                              \
        what                                                                                  \
      }

#define DEFINE_POOLS(type, sum_type, lowest)                                                  \
  static void                                                                                 \
  max_##type (const Job *job)                                                                 \
  {                                                                                           \
    const type *image = job->image;                                                           \
    type *out = job->result;                                                                  \
                                                                                              \
    FOR_EACH_WINDOW (type greatest = lowest;                                                  \
                     FOR_EACH_CELL (greatest = MAX (greatest, image[cell]);)                  \
                     out[at] = greatest;)                                                     \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  avg_##type (const Job *job)                                                                 \
  {                                                                                           \
    const type *image = job->image;                                                           \
    type *out = job->result;                                                                  \
                                                                                              \
    FOR_EACH_WINDOW (sum_type sum = 0;                                                        \
                     gint64 n = 0;                                                            \
                     FOR_EACH_CELL (sum += (sum_type) image[cell]; n++;)                      \
                     out[at] = (type) ((type) sum / (type) MAX (n, 1));)                      \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  max_grad_##type (const Job *job)                                                            \
  {                                                                                           \
    const type *image = job->image;                                                           \
    const type *grads = job->grads;                                                           \
    type *out = job->result;                                                                  \
                                                                                              \
    FOR_EACH_WINDOW (gint64 best = -1;                                                        \
                     FOR_EACH_CELL (if (best < 0 || image[best] < image[cell]) best = cell;)  \
                     if (best >= 0)                                                           \
                       out[best] = (type) ((sum_type) out[best] + (sum_type) grads[at]);)     \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  avg_grad_##type (const Job *job)                                                            \
  {                                                                                           \
    const type *grads = job->grads;                                                           \
    double *out = job->result;                                                                \
                                                                                              \
    FOR_EACH_WINDOW (const gint64 n = MAX (bottom - job->rows[y], 0) * MAX (right - job->columns[x], 0); \
                     FOR_EACH_CELL (out[cell] += (double) grads[at] / (double) MAX (n, 1);))  \
  }

DEFINE_POOLS (float, float, -G_MAXFLOAT)
DEFINE_POOLS (double, double, -G_MAXDOUBLE)
DEFINE_POOLS (gint32, guint32, G_MININT32)
DEFINE_POOLS (gint64, guint64, G_MININT64)

typedef void (*PoolFunc) (const Job *job);

#define FUNCS(side)                                                                           \
  { [FLOW_DTYPE_FLOAT] = side##_float, [FLOW_DTYPE_DOUBLE] = side##_double,                   \
    [FLOW_DTYPE_INT32] = side##_gint32, [FLOW_DTYPE_INT64] = side##_gint64 }

static const PoolFunc max_funcs[FLOW_N_DTYPES] = FUNCS (max);
static const PoolFunc avg_funcs[FLOW_N_DTYPES] = FUNCS (avg);
static const PoolFunc max_grad_funcs[FLOW_N_DTYPES] = FUNCS (max_grad);
static const PoolFunc avg_grad_funcs[FLOW_N_DTYPES] = FUNCS (avg_grad);

/* --- Forward ---------------------------------------------------------------------------------------------------------- */

/* A node that is to be deterministic never moves its generator: each run draws the same. */
static gboolean
take_generator (FlowKernelContext  *c,
                const gint64       *out,
                FlowPhilox         *generator,
                GError            **error)
{
  const gboolean pseudo_random = flow_kernel_attr_bool (c, "pseudo_random");
  const gint64 n = pseudo_random ? 2 : (out[1] + 3) / 4 + (out[2] + 3) / 4;

  return flow_random_reserve (c, flow_kernel_attr_bool (c, "deterministic") ? 0 : (guint64) n, generator, error);
}

static gboolean
pool (FlowKernelContext  *c,
      const PoolFunc     *funcs,
      const char         *name,
      GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const gboolean pseudo_random = flow_kernel_attr_bool (c, "pseudo_random");
  FlowTensor *out[3];
  FlowPhilox generator;
  gint64 dims[4];
  float ratios[4];
  Job job;

  if (!read_ratios (flow_kernel_attr (c, "pooling_ratio"), ratios, error))
    return FALSE;
  FLOW_REQUIRE (flow_kernel_attr_bool (c, "deterministic") ||
                (flow_kernel_attr_int (c, "seed") == 0 && flow_kernel_attr_int (c, "seed2") == 0), error, INVALID_ARGUMENT,
                "Both seed and seed2 should be 0 if deterministic is false.");
  FLOW_REQUIRE (FLOW_RANK (in) == 4, error, INVALID_ARGUMENT, "tensor_in must be 4-dimensional");
  FLOW_REQUIRE (ratios[0] == 1 && ratios[3] == 1, error, UNIMPLEMENTED,
                "Fractional %s pooling is not yet supported on the batch nor channel dimension.", name);
  for (int i = 1; i < 3; i++)
    FLOW_REQUIRE (ratios[i] >= 1, error, INVALID_ARGUMENT, "pooling_ratio cannot be smaller than 1, got: %s",
                  _flow_float_text (ratios[i]).text);
  for (int i = 0; i < 4; i++)
    {
      FLOW_REQUIRE (FLOW_DIMS (in)[i] <= G_MAXINT32, error, INVALID_ARGUMENT, "tensor_in is too large");
      dims[i] = pooled_size (FLOW_DIMS (in)[i], ratios[i]);
    }
  FLOW_REQUIRE (dims[1] > 0 && dims[2] > 0, error, INVALID_ARGUMENT, "Pooling leaves nothing of the input");
  if ((out[0] = flow_kernel_allocate_dims (c, 0, 4, dims, error)) == NULL ||
      (out[1] = flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { dims[1] + 1 }, error)) == NULL ||
      (out[2] = flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { dims[2] + 1 }, error)) == NULL ||
      !take_generator (c, dims, &generator, error))
    return FALSE;
  draw_starts (FLOW_DIMS (in)[1], dims[1], pseudo_random, &generator, out[1]->data);
  draw_starts (FLOW_DIMS (in)[2], dims[2], pseudo_random, &generator, out[2]->data);
  job = (Job) { FLOW_DIMS (in), dims, out[1]->data, out[2]->data, flow_kernel_attr_bool (c, "overlapping"), in->data, NULL,
                out[0]->data };
  funcs[in->dtype] (&job);
  return TRUE;
}

static gboolean
max_compute (FlowKernelContext  *c,
             GError            **error)
{
  return pool (c, max_funcs, "max", error);
}

static gboolean
avg_compute (FlowKernelContext  *c,
             GError            **error)
{
  return pool (c, avg_funcs, "average", error);
}

/* --- Backward --------------------------------------------------------------------------------------------------------- */

/* A sequence must go up within the image: it comes from anywhere. */
static gboolean
check_starts (const FlowTensor  *starts,
              gint64             n,
              gint64             size,
              const char        *name,
              GError           **error)
{
  const gint64 *cells = starts->data;

  FLOW_REQUIRE (flow_is_vector (starts) && starts->n_elements == n + 1, error, INVALID_ARGUMENT,
                "%s must have one more element than out_backprop has windows", name);
  for (gint64 i = 0; i <= n; i++)
    FLOW_REQUIRE (cells[i] >= 0 && cells[i] <= size && (i == 0 || cells[i] >= cells[i - 1]), error, INVALID_ARGUMENT,
                  "%s must rise within [0, %" G_GINT64_FORMAT "]", name, size);
  return TRUE;
}

static gboolean
prepare_grad (FlowKernelContext  *c,
              const FlowShape    *in,
              const FlowTensor   *grads,
              guint               first,
              Job                *job,
              GError            **error)
{
  const FlowTensor *rows = flow_kernel_input (c, first);
  const FlowTensor *columns = flow_kernel_input (c, first + 1);

  FLOW_REQUIRE (in->rank == 4, error, INVALID_ARGUMENT, "original input must be 4-dimensional");
  FLOW_REQUIRE (FLOW_RANK (grads) == 4, error, INVALID_ARGUMENT, "out_backprop must be 4-dimensional");
  FLOW_REQUIRE (in->dims[0] == FLOW_DIMS (grads)[0] && in->dims[3] == FLOW_DIMS (grads)[3], error, INVALID_ARGUMENT,
                "original input and out_backprop must have the same batch and channels");
  if (!check_starts (rows, FLOW_DIMS (grads)[1], in->dims[1], "row_pooling_sequence", error) ||
      !check_starts (columns, FLOW_DIMS (grads)[2], in->dims[2], "col_pooling_sequence", error))
    return FALSE;
  *job = (Job) { in->dims, FLOW_DIMS (grads), rows->data, columns->data, flow_kernel_attr_bool (c, "overlapping"), NULL,
                 grads->data, NULL };
  return TRUE;
}

static gboolean
max_grad_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const FlowTensor *pooled = flow_kernel_input (c, 1);
  const FlowTensor *grads = flow_kernel_input (c, 2);
  FlowTensor *out;
  Job job;

  if (!prepare_grad (c, in->shape, grads, 3, &job, error))
    return FALSE;
  FLOW_REQUIRE (flow_shape_equal (pooled->shape, grads->shape), error, INVALID_ARGUMENT,
                "orig_output and out_backprop must have the same shape");
  if ((out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  job.image = in->data;
  job.result = out->data;
  max_grad_funcs[in->dtype] (&job);
  return TRUE;
}

static gboolean
avg_grad_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *dims = flow_kernel_input (c, 0);
  const FlowTensor *grads = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) sums = NULL;
  FlowTensor *out;
  Job job;

  FLOW_REQUIRE (flow_is_vector (dims) && dims->n_elements == 4, error, INVALID_ARGUMENT,
                "original input tensor shape must be1-dimensional and 4 elements");
  if ((shape = flow_kernel_shape_from_tensor (dims, error)) == NULL ||
      !prepare_grad (c, shape, grads, 2, &job, error) || (out = flow_kernel_allocate (c, 0, shape, error)) == NULL ||
      (sums = flow_kernel_allocate_temp (c, FLOW_DTYPE_DOUBLE, shape, error)) == NULL)
    return FALSE;
  if (sums->n_bytes > 0)
    memset (sums->data, 0, sums->n_bytes);
  job.result = sums->data;
  avg_grad_funcs[grads->dtype] (&job);
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      const double value = FLOW_DATA (double, sums)[i];

      if (out->dtype == FLOW_DTYPE_FLOAT)
        FLOW_WRITABLE (float, out)[i] = (float) value;
      else if (out->dtype == FLOW_DTYPE_DOUBLE)
        FLOW_WRITABLE (double, out)[i] = value;
      else if (out->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, out)[i] = (gint32) CLAMP (value, -2147483648.0, 2147483647.0);
      else
        FLOW_WRITABLE (gint64, out)[i] = value >= 9.2e18 ? G_MAXINT64 : value <= -9.2e18 ? G_MININT64 : (gint64) value;
    }
  return TRUE;
}

#define TYPES "T: float double int32 int64"

static const FlowKernelDef max_kernels[] = { { TYPES, max_compute }, { NULL } };
static const FlowKernelDef avg_kernels[] = { { TYPES, avg_compute }, { NULL } };
static const FlowKernelDef max_grad_kernels[] = { { TYPES, max_grad_compute }, { NULL } };
static const FlowKernelDef avg_grad_kernels[] = { { TYPES, avg_grad_compute }, { NULL } };

#define POOL_OUTPUTS "output: T; row_pooling_sequence: int64; col_pooling_sequence: int64"
#define SEQUENCES "out_backprop: T; row_pooling_sequence: int64; col_pooling_sequence: int64"
#define POOL_ATTRS                                                                            \
  "pooling_ratio: list(float) >= 4; pseudo_random: bool = false; overlapping: bool = false; " \
  "deterministic: bool = false; seed: int = 0; seed2: int = 0; T: {float, double, int32, int64}"
#define GRAD_ATTRS "overlapping: bool = false; T: {float, double, int32, int64}"
#define FLAGS (FLOW_OP_RANDOM | FLOW_OP_NOT_CONSTANT)

static const FlowOpDef ops[] = {
  { .name = "FractionalAvgPool", .inputs = "value: T", .outputs = POOL_OUTPUTS, .attrs = POOL_ATTRS,
    .summary = "Means of windows whose sizes are drawn by lot", .flags = FLAGS, .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_pool, .kernels = avg_kernels },
  { .name = "FractionalAvgPoolGrad", .inputs = "orig_input_tensor_shape: int64; " SEQUENCES, .outputs = "output: T",
    .attrs = GRAD_ATTRS, .summary = "Gradient of FractionalAvgPool", .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_avg_grad, .kernels = avg_grad_kernels },
  { .name = "FractionalMaxPool", .inputs = "value: T", .outputs = POOL_OUTPUTS, .attrs = POOL_ATTRS,
    .summary = "Greatest values of windows whose sizes are drawn by lot", .flags = FLAGS, .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_pool, .kernels = max_kernels },
  { .name = "FractionalMaxPoolGrad", .inputs = "orig_input: T; orig_output: T; " SEQUENCES, .outputs = "output: T",
    .attrs = GRAD_ATTRS, .summary = "Gradient of FractionalMaxPool", .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_max_grad, .kernels = max_grad_kernels },
};

FLOW_DEFINE_OP_FAMILY (nn_fractional, ops)
