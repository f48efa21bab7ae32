/* flow-kernels-random_truncated.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Normal numbers within bounds that are inputs.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-random-private.h"

#include <math.h>

/* TF: draws for one sample before it gives up, and sets aside twice as many numbers. */
#define MAX_ITERATIONS 1000

/* TF: samples that share a stretch of the generator where all have the same parameters. */
#define BATCH_SIZE 100

static gboolean
truncated_infer (FlowInferContext  *c,
                 GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 1; i < 5; i++)
    {
      g_autoptr (FlowShape) parameter = NULL;

      if (!flow_infer_with_rank_at_most (c, flow_infer_input (c, i), 1, &parameter, error))
        return FALSE;
    }
  return flow_random_infer_shape (c, error);
}

typedef struct {
  FlowDType dtype;
  FlowPhilox generator;
  const FlowTensor *parameters[4];
  FlowTensor *out;
  gint64 per_batch;
} Job;

/* The bounds in standard deviations, turned so that the one-sided or the nearer is below. */
typedef struct {
  double mean;
  double deviation;
  double low;
  double high;
} Bounds;

static double
parameter_of (const Job *job,
              int        which,
              gint64     batch)
{
  const FlowTensor *parameter = job->parameters[which];

  return flow_tensor_get_double (parameter, parameter->n_elements == 1 ? 0 : batch);
}

/* What has come out of an operation, in the op's own precision. */
static inline double
rounded (const Job *job,
         double     x)
{
  if (job->dtype == FLOW_DTYPE_DOUBLE)
    return x;
  return (double) (job->dtype == FLOW_DTYPE_FLOAT ? (float) x : flow_half_to_float (flow_half_from_float ((float) x)));
}

#define R(x) rounded (job, x)

static inline double
exp_of (const Job *job,
        double     x)
{
  return job->dtype == FLOW_DTYPE_DOUBLE ? exp (x) : R ((double) expf ((float) x));
}

static gboolean
find_bounds (const Job  *job,
             gint64      batch,
             Bounds     *out,
             GError    **error)
{
  double low = parameter_of (job, 2, batch);
  double high = parameter_of (job, 3, batch);

  out->mean = parameter_of (job, 0, batch);
  out->deviation = parameter_of (job, 1, batch);
  if (!(out->deviation > 0 && low < high && (isfinite (low) || isfinite (high))))
    return _flow_refuse (error, "Invalid parameters");
  if (low == (double) -INFINITY || high < out->mean)
    {
      double other = low;

      low = high;
      high = other;
      out->deviation = -out->deviation;
    }
  out->low = R (R (low - out->mean) / out->deviation);
  out->high = R (R (high - out->mean) / out->deviation);
  return TRUE;
}

static double
sample_of (const Job    *job,
           const Bounds *bounds,
           double        z)
{
  return R (R (z * bounds->deviation) + bounds->mean);
}

/* Each of these fills from @sample up to @end and gives where it stopped: @end unless it gave up. */
static gint64
draw_normals (const Job    *job,
              FlowPhilox   *g,
              const Bounds *bounds,
              gint64        sample,
              gint64        end)
{
  int tries = 0;

  while (sample < end)
    {
      double numbers[4];
      const int n = flow_random_group (g, FLOW_RANDOM_NORMAL, job->dtype, numbers);

      for (int i = 0; i < n && sample < end; i++)
        if (numbers[i] >= bounds->low && numbers[i] <= bounds->high)
          {
            flow_random_store (job->out, sample++, sample_of (job, bounds, numbers[i]));
            tries = 0;
          }
        else if (++tries > MAX_ITERATIONS)
          return sample;
    }
  return sample;
}

static gint64
draw_uniforms (const Job    *job,
               FlowPhilox   *g,
               const Bounds *bounds,
               gint64        sample,
               gint64        end)
{
  const double width = R (bounds->high - bounds->low);
  const double plus = bounds->low < 0 ? 0 : R (bounds->low * bounds->low);
  int tries = 0;

  while (sample < end)
    {
      double z[4];
      double u[4];
      const int n = flow_random_group (g, FLOW_RANDOM_UNIFORM, job->dtype, z);

      flow_random_group (g, FLOW_RANDOM_UNIFORM, job->dtype, u);
      for (int i = 0; i < n && sample < end; i++)
        {
          z[i] = R (R (z[i] * width) + bounds->low);
          if (u[i] <= exp_of (job, R (R (plus - R (z[i] * z[i])) / 2)))
            {
              flow_random_store (job->out, sample++, sample_of (job, bounds, z[i]));
              tries = 0;
            }
          else if (++tries >= MAX_ITERATIONS)
            return sample;
        }
    }
  return sample;
}

static gint64
draw_exponentials (const Job    *job,
                   FlowPhilox   *g,
                   const Bounds *bounds,
                   gint64        sample,
                   gint64        end)
{
  const double low = bounds->low;
  const double alpha = R (R (low + R (sqrt (R (R (low * low) + 4)))) / 2);
  int tries = 0;

  while (sample < end)
    {
      double numbers[4];
      const int n = flow_random_group (g, FLOW_RANDOM_UNIFORM, job->dtype, numbers);

      for (int i = 0; i < n && sample < end; i += 2)
        {
          const double l = job->dtype == FLOW_DTYPE_DOUBLE ? log (numbers[i]) : R ((double) logf ((float) numbers[i]));
          const double z = R (R (-l / alpha) + low);
          const double x = low < alpha ? R (alpha - z) : R (low - alpha);

          if (numbers[i + 1] <= exp_of (job, R (R (-x * x) / 2)) && z < bounds->high)
            {
              flow_random_store (job->out, sample++, sample_of (job, bounds, z));
              tries = 0;
            }
          else if (++tries >= MAX_ITERATIONS)
            return sample;
        }
    }
  return sample;
}

/* One batch by the method that will reject least. */
static gboolean
draw_batch (const Job   *job,
            FlowPhilox  *g,
            gint64       batch,
            GError     **error)
{
  const double far = R (1.3);
  const gint64 begin = batch * job->per_batch;
  const gint64 end = MIN (begin + job->per_batch, job->out->n_elements);
  Bounds b = { 0 };
  double root;
  double cutoff;

  if (!find_bounds (job, batch, &b, error))
    return FALSE;
  root = R (sqrt (R (R (b.low * b.low) + 4)));
  cutoff = R (R (2 * exp_of (job, R (0.5 + R (R (b.low * R (b.low - root)) / 4)))) / R (b.low + root));
  if ((b.low < -far && b.high >= 0) || (b.high > far && b.low <= 0))
    FLOW_REQUIRE (draw_normals (job, g, &b, begin, end) == end, error, INTERNAL,
                  "TruncatedNormal randn rejection sampler failed to accept a sample.");
  else if (R (b.high - b.low) < cutoff)
    FLOW_REQUIRE (draw_uniforms (job, g, &b, begin, end) == end, error, INTERNAL,
                  "TruncatedNormal uniform rejection sampler failed to  accept a sample.");
  else
    FLOW_REQUIRE (draw_exponentials (job, g, &b, begin, end) == end, error, INTERNAL,
                  "TruncatedNormal exponential distribution rejection sampler failed to accept a sample.");
  return TRUE;
}

#undef R

static gboolean
check_parameters (Job       *job,
                  gint64     n_batches,
                  gboolean  *same,
                  GError   **error)
{
  static const char *const names[] = { "means", "stddevs", "minvals", "maxvals" };

  *same = TRUE;
  for (int i = 0; i < 4; i++)
    {
      const FlowTensor *parameter = job->parameters[i];
      g_autofree char *shape = flow_tensor_shape_text (parameter);

      if (FLOW_RANK (parameter) > 1)
        return _flow_refuse (error, "Input %s should be a scalar or vector, got shape: %s", names[i], shape);
      *same = *same && (FLOW_RANK (parameter) == 0 || (i < 2 && parameter->n_elements == 1));
    }
  for (int i = 0; !*same && i < 4; i++)
    {
      const FlowTensor *parameter = job->parameters[i];
      g_autofree char *shape = flow_tensor_shape_text (parameter);

      if (FLOW_RANK (parameter) == 1 && parameter->n_elements != 1 && parameter->n_elements != n_batches)
        return _flow_refuse (error, "Input %s should have length 1 or shape[0], got shape: %s", names[i], shape);
    }
  return TRUE;
}

static gboolean
truncated_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *asked = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) shape = NULL;
  Job job = { .dtype = c->output_dtypes[0] };
  gint64 n_batches;
  gint32 reserved;
  gboolean same;

  if (!flow_is_vector (asked))
    return _flow_refuse_shapes (error, asked, NULL, "Input shape should be a vector, got shape: %s");
  shape = flow_kernel_shape_from_tensor (asked, error);
  if (shape == NULL)
    return FALSE;
  if (shape->rank == 0)
    return _flow_refuse (error, "Shape tensor must not be empty, got []");
  for (guint i = 0; i < 4; i++)
    job.parameters[i] = flow_kernel_input (c, i + 1);
  n_batches = shape->dims[0];
  if (!check_parameters (&job, n_batches, &same, error) ||
      (job.out = flow_kernel_allocate (c, 0, shape, error)) == NULL)
    return FALSE;
  if (same)
    n_batches = (job.out->n_elements + BATCH_SIZE - 1) / BATCH_SIZE;
  job.per_batch = same ? BATCH_SIZE : n_batches > 0 ? job.out->n_elements / n_batches : 0;
  /* TF: counted in int32, which wraps where a million samples are asked for. */
  reserved = (gint32) ((guint32) n_batches * 2 * MAX_ITERATIONS * (guint32) (job.per_batch + 3)) / 4;
  if (!flow_random_reserve (c, (guint64) (gint64) reserved, &job.generator, error))
    return FALSE;
  /* One generator goes through all batches, as in TensorFlow where one thread does them all. */
  for (gint64 batch = 0; batch < n_batches && job.out->n_elements > 0; batch++)
    if (flow_kernel_is_cancelled (c) || !draw_batch (&job, &job.generator, batch, error))
      return FALSE;
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "ParameterizedTruncatedNormal",
    .inputs = "shape: T; means: dtype; stdevs: dtype; minvals: dtype; maxvals: dtype",
    .outputs = "output: dtype",
    .attrs = "seed: int = 0; seed2: int = 0; dtype: {half, bfloat16, float, double}; T: {int32, int64}",
    .summary = "Normal random numbers within bounds",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_RANDOM,
    .infer = truncated_infer,
    .kernels = (const FlowKernelDef[]) { { "dtype: half float double", truncated_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (random_truncated, ops)
