/* flow-kernels-candidates.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-candidates-private.h"

#include <math.h>

/* Candidate samplers: classes drawn for sampled losses, with how often each was to be expected. */

static gint64
draw_uniform (gconstpointer     data,
              FlowPhiloxStream *stream)
{
  return _flow_draw_below_64 (stream, (guint64) *(const gint64 *) data);
}

static float
uniform_probability (gconstpointer data,
                     gint64        value)
{
  return (float) (1.0 / (double) *(const gint64 *) data);
}

static gint64
draw_log_uniform (gconstpointer     data,
                  FlowPhiloxStream *stream)
{
  const gint64 range = *(const gint64 *) data;
  const guint32 x0 = flow_philox_stream_next (stream);
  const guint32 x1 = flow_philox_stream_next (stream);

  /* Rounding may reach the range itself. */
  return ((gint64) exp (flow_random_to_double (x0, x1) * log1p ((double) range)) - 1) % range;
}

static float
log_uniform_probability (gconstpointer data,
                         gint64        value)
{
  return (float) (log (((double) value + 2.0) / ((double) value + 1.0)) / log1p ((double) *(const gint64 *) data));
}

static gboolean
uniform_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const gint64 range = flow_kernel_attr_int (c, "range_max");
  const FlowSampler sampler = { range, draw_uniform, uniform_probability, &range };

  return _flow_candidates_run (c, &sampler, error);
}

static gboolean
log_uniform_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const gint64 range = flow_kernel_attr_int (c, "range_max");
  const FlowSampler sampler = { range, draw_log_uniform, log_uniform_probability, &range };

  return _flow_candidates_run (c, &sampler, error);
}

static gboolean
all_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *out[3];

  for (guint i = 0; i < 3; i++)
    if ((out[i] = flow_kernel_allocate_inferred (c, i, error)) == NULL)
      return FALSE;
  for (gint64 i = 0; i < out[0]->n_elements; i++)
    {
      FLOW_WRITABLE (gint64, out[0])[i] = i;
      FLOW_WRITABLE (float, out[2])[i] = 1;
    }
  for (gint64 i = 0; i < out[1]->n_elements; i++)
    FLOW_WRITABLE (float, out[1])[i] = 1;
  return TRUE;
}

/* --- ComputeAccidentalHits --------------------------------------------------------------------------- */

static gboolean
infer_hits (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) classes = NULL;

  if (c->running)
    {
      const FlowShape *in = flow_infer_input (c, 0);

      FLOW_REQUIRE (in->rank == 2 && in->dims[1] == flow_infer_attr_int (c, "num_true"), error, INVALID_ARGUMENT,
                    "true_candidates must be a batch_size * num_true matrix");
      FLOW_REQUIRE (flow_infer_input (c, 1)->rank == 1, error, INVALID_ARGUMENT,
                    "sampled_candidates must be a vector, which is typically an output from CandidateSampler");
    }
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &classes, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
hits_compute (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *classes = flow_kernel_input (c, 0);
  FlowTensor *sampled = flow_kernel_input (c, 1);
  gint64 n_true = FLOW_DIMS (classes)[1];
  g_autoptr (GHashTable) places = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out[3];
  gint64 n_hits = 0;

  for (gint64 i = 0; i < sampled->n_elements; i++)
    {
      gint64 *cell = FLOW_WRITABLE (gint64, sampled) + i;

      g_hash_table_replace (places, cell, cell);
    }
  for (gint64 i = 0; i < classes->n_elements; i++)
    n_hits += g_hash_table_contains (places, FLOW_DATA (gint64, classes) + i);
  shape = flow_shape_new_vector (n_hits);
  for (guint i = 0; i < 3; i++)
    if ((out[i] = flow_kernel_allocate (c, i, shape, error)) == NULL)
      return FALSE;
  n_hits = 0;
  for (gint64 i = 0; i < classes->n_elements; i++)
    {
      const gint64 *place = g_hash_table_lookup (places, FLOW_DATA (gint64, classes) + i);

      if (place == NULL)
        continue;
      FLOW_WRITABLE (gint32, out[0])[n_hits] = (gint32) (i / n_true);
      FLOW_WRITABLE (gint64, out[1])[n_hits] = place - FLOW_DATA (gint64, sampled);
      FLOW_WRITABLE (float, out[2])[n_hits++] = -G_MAXFLOAT;
    }
  return TRUE;
}

static const FlowKernelDef uniform_kernels[] = { { NULL, uniform_compute }, { NULL } };
static const FlowKernelDef log_uniform_kernels[] = { { NULL, log_uniform_compute }, { NULL } };
static const FlowKernelDef all_kernels[] = { { NULL, all_compute }, { NULL } };
static const FlowKernelDef hits_kernels[] = { { NULL, hits_compute }, { NULL } };

static const FlowOpDef ops[] = {
  {
    .name = "AllCandidateSampler",
    .inputs = "true_classes: int64",
    .outputs = FLOW_SAMPLER_OUTPUTS,
    .attrs = FLOW_SAMPLER_ATTRS FLOW_SAMPLER_SEEDS,
    .summary = "Every class as a candidate",
    .flags = FLOW_OP_STATEFUL,
    .infer = _flow_candidates_infer,
    .kernels = all_kernels,
  },
  {
    .name = "ComputeAccidentalHits",
    .inputs = "true_classes: int64; sampled_candidates: int64",
    .outputs = "indices: int32; ids: int64; weights: float",
    .attrs = "num_true: int; " FLOW_SAMPLER_SEEDS,
    .summary = "Where a candidate is one of the true classes",
    .infer = infer_hits,
    .kernels = hits_kernels,
  },
  {
    .name = "LogUniformCandidateSampler",
    .inputs = "true_classes: int64",
    .outputs = FLOW_SAMPLER_OUTPUTS,
    .attrs = FLOW_SAMPLER_ATTRS "range_max: int >= 1; " FLOW_SAMPLER_SEEDS,
    .summary = "Candidates of which the first classes are the likeliest (Zipf)",
    .flags = FLOW_SAMPLER_FLAGS,
    .infer = _flow_candidates_infer,
    .kernels = log_uniform_kernels,
  },
  {
    .name = "UniformCandidateSampler",
    .inputs = "true_classes: int64",
    .outputs = FLOW_SAMPLER_OUTPUTS,
    .attrs = FLOW_SAMPLER_ATTRS "range_max: int >= 1; " FLOW_SAMPLER_SEEDS,
    .summary = "Candidates that are all equally likely",
    .flags = FLOW_SAMPLER_FLAGS,
    .infer = _flow_candidates_infer,
    .kernels = uniform_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (candidates, ops)
