/* flow-nn-norm.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-norm-private.h"

#include <string.h>

/* Sums per channel over an image, in double and in blocks that depend on the shape alone. */

#define MAX_BLOCKS 64

typedef struct {
  const FlowChannels *layout;
  FlowChannelSum kind;
  const float *x;
  const float *dy;
  const double *mean;
  double *partial;             /* n_blocks x 2 x channels */
  gint64 n_blocks;
} SumJob;

/* Rows [begin, end) of outer; a and b are one row of sums each. */
static FLOW_HOT void
sum_rows_last (const SumJob *job,
               gint64        begin,
               gint64        end,
               double       *a,
               double       *b)
{
  const gint64 n = job->layout->channels;

  for (gint64 row = begin; row < end; row++)
    {
      const float *x = job->x + row * n;

      if (job->kind == FLOW_CHANNEL_SUM)
        for (gint64 i = 0; i < n; i++)
          a[i] += (double) x[i];
      else if (job->kind == FLOW_CHANNEL_SQUARES)
        for (gint64 i = 0; i < n; i++)
          a[i] += ((double) x[i] - job->mean[i]) * ((double) x[i] - job->mean[i]);
      else
        for (gint64 i = 0; i < n; i++)
          {
            const double dy = (double) job->dy[row * n + i];

            a[i] += dy;
            b[i] += dy * ((double) x[i] - job->mean[i]);
          }
    }
}

static FLOW_HOT void
sum_rows_first (const SumJob *job,
                gint64        begin,
                gint64        end,
                double       *a,
                double       *b)
{
  const gint64 n = job->layout->channels;
  const gint64 inner = job->layout->inner;

  for (gint64 row = begin * n; row < end * n; row++)
    {
      const float *x = job->x + row * inner;
      const float *dy = job->dy + row * inner;
      const double mean = job->mean != NULL ? job->mean[row % n] : 0;
      double sum = 0;
      double second = 0;

      if (job->kind == FLOW_CHANNEL_SUM)
        for (gint64 i = 0; i < inner; i++)
          sum += (double) x[i];
      else if (job->kind == FLOW_CHANNEL_SQUARES)
        for (gint64 i = 0; i < inner; i++)
          sum += ((double) x[i] - mean) * ((double) x[i] - mean);
      else
        for (gint64 i = 0; i < inner; i++)
          {
            sum += (double) dy[i];
            second += (double) dy[i] * ((double) x[i] - mean);
          }
      a[row % n] += sum;
      b[row % n] += second;
    }
}

static void
sum_blocks (gint64   begin,
            gint64   end,
            gpointer data)
{
  const SumJob *job = data;
  const gint64 rows = job->layout->outer;

  for (gint64 block = begin; block < end; block++)
    {
      double *a = job->partial + block * 2 * job->layout->channels;
      double *b = a + job->layout->channels;
      gint64 first = rows * block / job->n_blocks;
      gint64 last = rows * (block + 1) / job->n_blocks;

      if (job->layout->inner == 1)
        sum_rows_last (job, first, last, a, b);
      else
        sum_rows_first (job, first, last, a, b);
    }
}

/* The layout of a tensor with @channels along its last or its second dimension. */
FlowChannels
flow_channels_of (const FlowShape *shape,
                  gboolean         channels_first)
{
  FlowChannels layout = { 1, 1, 1 };
  int axis = channels_first ? 1 : shape->rank - 1;

  for (int i = 0; i < shape->rank; i++)
    *(i < axis ? &layout.outer : i == axis ? &layout.channels : &layout.inner) *= shape->dims[i];
  return layout;
}

/**
 * flow_channels_sum:
 * @c: a context
 * @layout: how @x and @dy lie
 * @kind: what is summed
 * @x: the image
 * @dy: (nullable): a gradient of its shape, for %FLOW_CHANNEL_GRADIENT
 * @mean: (nullable): a number per channel taken from @x
 * @sums: (out): a sum per channel, for %FLOW_CHANNEL_GRADIENT then a second one
 * @error: where to put an error
 *
 * Returns: %FALSE where the budget does not allow the partial sums
 */
gboolean
flow_channels_sum (FlowKernelContext   *c,
                   const FlowChannels  *layout,
                   FlowChannelSum       kind,
                   const float         *x,
                   const float         *dy,
                   const double        *mean,
                   double              *sums,
                   GError             **error)
{
  gint64 elements = layout->outer * layout->channels * layout->inner;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) partial = NULL;
  SumJob job = { layout, kind, x, dy, mean, NULL, 1 };

  job.n_blocks = CLAMP (elements / FLOW_NN_GRAIN, 1, MAX_BLOCKS);
  job.n_blocks = CLAMP (job.n_blocks, 1, MAX (layout->outer, 1));
  shape = flow_shape_new_matrix (job.n_blocks, 2 * layout->channels);
  partial = flow_kernel_allocate_temp (c, FLOW_DTYPE_DOUBLE, shape, error);
  if (partial == NULL)
    return FALSE;
  if (layout->channels == 0)
    return TRUE;
  memset (partial->data, 0, partial->n_bytes);
  job.partial = partial->data;
  if (elements > 0)
    flow_parallel_for (job.n_blocks, 1, sum_blocks, &job);
  for (gint64 i = 0; i < layout->channels * (kind == FLOW_CHANNEL_GRADIENT ? 2 : 1); i++)
    {
      sums[i] = 0;
      for (gint64 block = 0; block < job.n_blocks; block++)
        sums[i] += job.partial[block * 2 * layout->channels + i];
    }
  return TRUE;
}

typedef struct {
  const FlowChannels *layout;
  const float *x;
  const float *dy;
  const FlowChannelScale *scale;
  float *out;
} ScaleJob;

/* out = dy * .dy + (x - .mean) * .x + .add, channel by channel. */
static FLOW_HOT void
scale_last (gint64   begin,
            gint64   end,
            gpointer data)
{
  const ScaleJob *job = data;
  const FlowChannelScale *s = job->scale;
  const gint64 n = job->layout->channels;

  for (gint64 row = begin; row < end; row++)
    {
      const float *x = job->x + row * n;
      const float *dy = job->dy + row * n;
      float *out = job->out + row * n;

      if (s->dy == NULL)
        for (gint64 i = 0; i < n; i++)
          out[i] = (x[i] - s->mean[i]) * s->x[i] + s->add[i];
      else
        for (gint64 i = 0; i < n; i++)
          out[i] = dy[i] * s->dy[i] + (x[i] - s->mean[i]) * s->x[i] + s->add[i];
    }
}

static FLOW_HOT void
scale_first (gint64   begin,
             gint64   end,
             gpointer data)
{
  const ScaleJob *job = data;
  const FlowChannelScale *s = job->scale;
  const gint64 n = job->layout->inner;

  for (gint64 row = begin; row < end; row++)
    {
      const gint64 channel = row % job->layout->channels;
      const float *x = job->x + row * n;
      const float *dy = job->dy + row * n;
      float *out = job->out + row * n;
      const float mean = s->mean[channel];
      const float x_scale = s->x[channel];
      const float add = s->add[channel];

      if (s->dy == NULL)
        for (gint64 i = 0; i < n; i++)
          out[i] = (x[i] - mean) * x_scale + add;
      else
        for (gint64 i = 0; i < n; i++)
          out[i] = dy[i] * s->dy[channel] + (x[i] - mean) * x_scale + add;
    }
}

void
flow_channels_scale (const FlowChannels     *layout,
                     const float            *x,
                     const float            *dy,
                     const FlowChannelScale *scale,
                     float                  *out)
{
  ScaleJob job = { layout, x, dy, scale, out };

  if (layout->outer * layout->channels * layout->inner == 0)
    return;
  if (layout->inner == 1)
    flow_parallel_for (layout->outer, 1 + FLOW_NN_GRAIN / layout->channels, scale_last, &job);
  else
    flow_parallel_for (layout->outer * layout->channels, 1 + FLOW_NN_GRAIN / layout->inner, scale_first, &job);
}
