/* flow-nn-norm-last.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-norm-private.h"

#include "flow-sum-private.h"
#include "flow-vector-math-private.h"

/* Batch normalisation where the channels come last, in the steps and the order of TensorFlow, to the
 * last bit: (x - mean), its square and so on are written to memory and summed from there. */

typedef struct {
  gint64 rows;
  gint64 n;
  const float *x;
  const float *dy;
  const float *mean;
  const float *factor;         /* per channel, as the step needs it */
  const float *second;
  const float *add;
  float *out;
} Job;

#define EACH_CELL(name, expr)                                                                 \
  static FLOW_HOT void                                                                        \
  name (gint64 begin, gint64 end, gpointer data)                                              \
  {                                                                                           \
    const Job *job = data;                                                                    \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const float *x G_GNUC_UNUSED = job->x + row * job->n;                                 \
        const float *dy G_GNUC_UNUSED = job->dy + (job->dy != NULL ? row * job->n : 0);       \
        float *out = job->out + row * job->n;                                                 \
                                                                                              \
        for (gint64 i = 0; i < job->n; i++)                                                   \
          out[i] = (expr);                                                                    \
      }                                                                                       \
  }

EACH_CELL (squares, (x[i] - job->mean[i]) * (x[i] - job->mean[i]))
EACH_CELL (normalise, (x[i] - job->mean[i]) * job->factor[i] + job->add[i])
EACH_CELL (moment, dy[i] * (x[i] - job->mean[i]))
EACH_CELL (scaled_moment, dy[i] * ((x[i] - job->mean[i]) * job->factor[i]))
EACH_CELL (frozen, dy[i] * job->factor[i])
EACH_CELL (gradient, job->factor[i] * ((dy[i] - job->add[i]) - (x[i] - job->mean[i]) * job->second[i]))

static void
each_cell (Job           *job,
           FlowRangeFunc  func,
           float         *out)
{
  job->out = out;
  flow_parallel_for (job->rows, 1 + FLOW_NN_GRAIN / job->n, func, job);
}

/* 1 / sqrt (variance + epsilon) of each channel. */
static void
inverse_deviations (FlowRelease  release,
                    const float *variance,
                    float        epsilon,
                    gint64       n,
                    float       *out)
{
  for (gint64 i = 0; i < n; i++)
    out[i] = variance[i] + epsilon;
  flow_vector_math[release].rsqrt (out, out, n);
}

static float *
new_temp (FlowKernelContext   *c,
          gint64               rows,
          gint64               n,
          FlowTensor         **tensor,
          GError             **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_matrix (rows, n);

  *tensor = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, shape, error);
  return *tensor != NULL ? (float *) (*tensor)->data : NULL;
}

/* Mean and biased variance of each channel. */
gboolean
flow_norm_last_moments (FlowKernelContext   *c,
                        const FlowChannels  *layout,
                        const float         *x,
                        float               *mean,
                        float               *variance,
                        GError             **error)
{
  Job job = { .rows = layout->outer, .n = layout->channels, .x = x, .mean = mean };
  const float inverse = 1.0f / (float) job.rows;
  g_autoptr (FlowTensor) temp = NULL;
  float *cells = new_temp (c, job.rows, job.n, &temp, error);

  if (cells == NULL)
    return FALSE;
  flow_sum_columns_float (flow_kernel_release (c), x, job.rows, job.n, mean);
  for (gint64 i = 0; i < job.n; i++)
    mean[i] *= inverse;
  each_cell (&job, squares, cells);
  flow_sum_columns_float (flow_kernel_release (c), cells, job.rows, job.n, variance);
  for (gint64 i = 0; i < job.n; i++)
    variance[i] *= inverse;
  return TRUE;
}

/* y = (x - mean) / sqrt (variance + epsilon) * scale + offset; @factors has room for a number a channel. */
void
flow_norm_last_apply (FlowKernelContext  *c,
                      const FlowChannels *layout,
                      const float        *x,
                      const float        *mean,
                      const float        *variance,
                      float               epsilon,
                      const float        *scale,
                      const float        *offset,
                      float              *factors,
                      float              *y)
{
  Job job = { .rows = layout->outer, .n = layout->channels, .x = x, .mean = mean, .factor = factors, .add = offset };

  inverse_deviations (flow_kernel_release (c), variance, epsilon, job.n, factors);
  for (gint64 i = 0; i < job.n; i++)
    factors[i] *= scale[i];
  each_cell (&job, normalise, y);
}

/* Gradients of a normalisation by the batch's own statistics (@training) or by given ones. */
gboolean
flow_norm_last_gradient (FlowKernelContext   *c,
                         const FlowChannels  *layout,
                         gboolean             training,
                         float                epsilon,
                         const float         *dy,
                         const float         *x,
                         float               *dx,
                         float               *scale_backprop,
                         float               *offset_backprop,
                         GError             **error)
{
  const float *scale = FLOW_DATA (float, flow_kernel_input (c, 2));
  const float *mean = FLOW_DATA (float, flow_kernel_input (c, 3));
  const float *variance = FLOW_DATA (float, flow_kernel_input (c, 4));
  Job job = { .rows = layout->outer, .n = layout->channels, .x = x, .dy = dy, .mean = mean };
  const gint64 n = job.n;
  g_autoptr (FlowTensor) temp = NULL;
  g_autoptr (FlowTensor) vectors = NULL;
  float *cells = new_temp (c, job.rows, n, &temp, error);
  float *deviation;
  float *factor;
  float *second;

  if (cells == NULL || (deviation = new_temp (c, 3, n, &vectors, error)) == NULL)
    return FALSE;
  factor = deviation + n;
  second = factor + n;
  inverse_deviations (flow_kernel_release (c), variance, epsilon, n, deviation);
  for (gint64 i = 0; i < n; i++)
    factor[i] = deviation[i] * scale[i];
  flow_sum_rows_float (dy, job.rows, n, offset_backprop);
  each_cell (&job, moment, cells);
  flow_sum_rows_float (cells, job.rows, n, second);
  if (!training)
    {
      for (gint64 i = 0; i < n; i++)
        scale_backprop[i] = second[i] * deviation[i];
      job.factor = factor;
      each_cell (&job, frozen, dx);
      return TRUE;
    }
  job.factor = deviation;
  each_cell (&job, scaled_moment, cells);
  flow_sum_rows_float (cells, job.rows, n, scale_backprop);
  for (gint64 i = 0; i < n; i++)
    {
      second[i] = deviation[i] * deviation[i] * (second[i] / (float) job.rows);
      deviation[i] = offset_backprop[i] * (1.0f / (float) job.rows);
    }
  job.factor = factor;
  job.second = second;
  job.add = deviation;
  each_cell (&job, gradient, dx);
  return TRUE;
}
