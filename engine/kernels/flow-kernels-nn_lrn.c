/* flow-kernels-nn_lrn.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"
#include "flow-vector-math-private.h"

#include <math.h>
#include <string.h>

/* Local response normalisation across the depth of an image. */

typedef struct {
  gint64 depth;
  gint64 radius;
  float bias;
  float alpha;
  float beta;
  const float *gradient;
  const float *image;
  const float *output;
  float *result;
  const FlowVectorMath *math;
} Job;

static float
norm_at (const Job   *job,
         const float *x,
         gint64       k)
{
  gint64 begin = MAX (k - job->radius, 0);
  gint64 end = MIN (k + job->radius + 1, job->depth);
  float sum = 0;

  for (gint64 i = begin; i < end; i++)
    sum += x[i] * x[i];
  return job->alpha * sum + job->bias;
}

/* Every norm of some rows. */
static void
measure (gint64   begin,
         gint64   end,
         gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    for (gint64 k = 0; k < job->depth; k++)
      job->result[row * job->depth + k] = norm_at (job, job->image + row * job->depth, k);
}

/* TF: by way of the logarithm, but for two powers: of numbers below zero only the inverse is a number. */
static void
normalize (gint64   begin,
           gint64   end,
           gpointer data)
{
  const Job *job = data;
  const gint64 n = end - begin;
  const float *x = job->image + begin;
  float *y = job->result + begin;

  if (job->beta == 1)
    job->math->reciprocal (y, y, n);
  else if (job->beta == 0.5f)
    job->math->rsqrt (y, y, n);
  else
    {
      job->math->log (y, y, n);
      for (gint64 i = 0; i < n; i++)
        y[i] *= -job->beta;
      job->math->exp (y, y, n);
    }
  for (gint64 i = 0; i < n; i++)
    y[i] *= x[i];
}

static void
differentiate (gint64   begin,
               gint64   end,
               gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    {
      const float *x = job->image + row * job->depth;
      const float *y = job->output + row * job->depth;
      const float *dy = job->gradient + row * job->depth;
      float *dx = job->result + row * job->depth;

      memset (dx, 0, (gsize) job->depth * sizeof (float));
      for (gint64 k = 0; k < job->depth; k++)
        {
          const float norm = norm_at (job, x, k);
          const float share = -2 * job->alpha * job->beta * y[k];
          const float power = powf (norm, -job->beta);

          /* TF: where no gradient comes nothing is added, be the rest a number or not. */
          if (dy[k] == 0)
            continue;
          for (gint64 i = MAX (k - job->radius, 0); i < MIN (k + job->radius + 1, job->depth); i++)
            {
              float part = x[i] * share / norm;

              if (i == k)
                part += power;
              dx[i] += part * dy[k];
            }
        }
    }
}

static gboolean
infer_lrn (FlowInferContext  *c,
           GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (c->running)
    FLOW_REQUIRE (flow_infer_input (c, 0)->rank == 4, error, INVALID_ARGUMENT, "in must be 4-dimensional");
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

static gboolean
infer_lrn_grad (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) all = NULL;
  g_autoptr (FlowShape) two = NULL;
  g_autoptr (FlowShape) shape = NULL;

  if (c->running)
    {
      FLOW_REQUIRE (flow_infer_input (c, 0)->rank == 4 && flow_infer_input (c, 1)->rank == 4, error, INVALID_ARGUMENT,
                    "inputs must be 4-dimensional");
      FLOW_REQUIRE (flow_shape_equal (flow_infer_input (c, 0), flow_infer_input (c, 1)) &&
                    flow_shape_equal (flow_infer_input (c, 0), flow_infer_input (c, 2)), error, INVALID_ARGUMENT,
                    "input_grads, input_image, and out_image should have the same shape");
    }
  if (!flow_infer_merge (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &two, error) ||
      !flow_infer_merge (c, two, flow_infer_input (c, 2), &all, error) ||
      !flow_infer_with_rank (c, all, 4, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

static gboolean
prepare (FlowKernelContext  *c,
         FlowTensor         *image,
         Job                *job,
         GError            **error)
{
  gint64 radius = flow_kernel_attr_int (c, "depth_radius");

  /* TF: seen as an unsigned number. */
  FLOW_REQUIRE (radius >= 0 && radius < G_MAXINT32, error, INVALID_ARGUMENT,
                "depth_radius = %" G_GINT64_FORMAT " larger than int max", radius);
  job->depth = FLOW_DIMS (image)[3];
  job->radius = radius;
  job->bias = flow_kernel_attr_float (c, "bias");
  job->alpha = flow_kernel_attr_float (c, "alpha");
  job->beta = flow_kernel_attr_float (c, "beta");
  return TRUE;
}

static gboolean
run (FlowKernelContext  *c,
     FlowRangeFunc       func,
     guint               image_input,
     Job                *job,
     GError            **error)
{
  FlowTensor *in = flow_kernel_input (c, image_input);
  g_autoptr (FlowTensor) image = flow_nn_widen (c, in, error);
  g_autoptr (FlowTensor) work = NULL;
  FlowTensor *out;

  if (image == NULL || (out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  work = out->dtype == FLOW_DTYPE_FLOAT ? flow_tensor_ref (out)
                                        : flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, out->shape, error);
  if (work == NULL)
    return FALSE;
  job->image = image->data;
  job->result = work->data;
  if (image->n_elements > 0)
    flow_parallel_for (image->n_elements / job->depth, 1 + 512 / job->depth, func, job);
  /* Whole vectors, and what is left over at the end of all. */
  if (func == measure && image->n_elements > 0)
    normalize (0, image->n_elements, job);
  if (work != out)
    flow_nn_narrow (work->data, out);
  return TRUE;
}

static gboolean
lrn_compute (FlowKernelContext  *c,
             GError            **error)
{
  Job job = { .math = &flow_vector_math[flow_kernel_release (c)] };

  return prepare (c, flow_kernel_input (c, 0), &job, error) && run (c, measure, 0, &job, error);
}

static gboolean
lrn_grad_compute (FlowKernelContext  *c,
                  GError            **error)
{
  g_autoptr (FlowTensor) gradient = NULL;
  g_autoptr (FlowTensor) output = NULL;
  Job job = { .math = &flow_vector_math[flow_kernel_release (c)] };

  if (!prepare (c, flow_kernel_input (c, 0), &job, error) ||
      (gradient = flow_nn_widen (c, flow_kernel_input (c, 0), error)) == NULL ||
      (output = flow_nn_widen (c, flow_kernel_input (c, 2), error)) == NULL)
    return FALSE;
  job.gradient = gradient->data;
  job.output = output->data;
  return run (c, differentiate, 1, &job, error);
}

static const FlowKernelDef lrn_kernels[] = { { "T: float half", lrn_compute }, { NULL } };
static const FlowKernelDef lrn_grad_kernels[] = { { "T: float half", lrn_grad_compute }, { NULL } };

#define ATTRS                                                                                 \
  "depth_radius: int = 5; bias: float = 1.0; alpha: float = 1.0; beta: float = 0.5; "         \
  "T: {half, bfloat16, float} = DT_FLOAT"

static const FlowOpDef ops[] = {
  {
    .name = "LRN",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = ATTRS,
    .summary = "Divides each cell by the squares of its neighbours in depth",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_lrn,
    .kernels = lrn_kernels,
  },
  {
    .name = "LRNGrad",
    .inputs = "input_grads: T; input_image: T; output_image: T",
    .outputs = "output: T",
    .attrs = ATTRS,
    .summary = "Gradient of LRN",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = infer_lrn_grad,
    .kernels = lrn_grad_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_lrn, ops)
