/* flow-kernels-candidates.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"
#include "flow-random-private.h"

#include <math.h>

/* Candidate samplers: classes drawn for sampled losses, with how often each was to be expected. */

/* Numbers that TensorFlow sets aside per candidate. */
#define RESERVED_NUMBERS 2048

typedef struct {
  gint64 range;
  gboolean log_uniform;
  double log_range;
} Sampler;

static inline guint64
draw_64 (FlowPhiloxStream *stream)
{
  guint64 low = flow_philox_stream_next (stream);

  return low | ((guint64) flow_philox_stream_next (stream) << 32);
}

/* TF: SimplePhilox::Uniform64: what would favour the small values is drawn again. */
static gint64
draw_uniform (FlowPhiloxStream *stream,
              guint64           n)
{
  guint64 rest;
  guint64 x;

  if ((n & (n - 1)) == 0)
    return (gint64) (draw_64 (stream) & (n - 1));
  rest = G_MAXUINT64 % n + 1;
  do
    x = draw_64 (stream);
  while (x < rest);
  return (gint64) (x % n);
}

static gint64
sample (const Sampler    *sampler,
        FlowPhiloxStream *stream)
{
  guint32 x0;
  guint32 x1;

  if (!sampler->log_uniform)
    return draw_uniform (stream, (guint64) sampler->range);
  x0 = flow_philox_stream_next (stream);
  x1 = flow_philox_stream_next (stream);
  /* Rounding may reach the range itself. */
  return ((gint64) exp (flow_random_to_double (x0, x1) * sampler->log_range) - 1) % sampler->range;
}

static float
probability (const Sampler *sampler,
             gint64         value)
{
  if (!sampler->log_uniform)
    return (float) (1.0 / (double) sampler->range);
  return (float) (log (((double) value + 2.0) / ((double) value + 1.0)) / sampler->log_range);
}

static float
expected_count (float  p,
                gint64 n_sampled,
                gint64 n_tries)
{
  if (n_tries == n_sampled)
    return p * (float) n_sampled;
  return (float) -expm1 ((double) n_tries * log1p ((double) -p));
}

/* Draws the candidates; how many draws that took, -1 when stopped. */
static gint64
draw_candidates (FlowKernelContext *c,
                 const Sampler     *sampler,
                 const FlowPhilox  *generator,
                 gboolean           unique,
                 gint64            *out,
                 gint64             n)
{
  g_autoptr (GHashTable) used = NULL;
  FlowPhiloxStream stream;
  gint64 n_tries = 0;
  gint64 n_picked = 0;

  flow_philox_stream_init (&stream, generator);
  if (!unique)
    {
      for (gint64 i = 0; i < n; i++)
        out[i] = sample (sampler, &stream);
      return n;
    }
  used = g_hash_table_new (g_int64_hash, g_int64_equal);
  while (n_picked < n)
    {
      out[n_picked] = sample (sampler, &stream);
      n_tries++;
      if ((n_tries & 0xffff) == 0 && flow_kernel_is_cancelled (c))
        return -1;
      /* The key is the cell itself: where it is new it stays. */
      if (!g_hash_table_contains (used, &out[n_picked]))
        g_hash_table_add (used, &out[n_picked++]);
    }
  return n_tries;
}

static gboolean
infer_sampler (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) classes = NULL;
  gint64 n_true = flow_infer_attr_int (c, "num_true");
  gint64 n_sampled = flow_infer_attr_int (c, "num_sampled");

  if (c->running)
    {
      const FlowShape *in = flow_infer_input (c, 0);

      FLOW_REQUIRE (in->rank == 2, error, INVALID_ARGUMENT, "true_classes must be a matrix");
      FLOW_REQUIRE (in->dims[1] == n_true, error, INVALID_ARGUMENT,
                    "true_classes must have num_true columns, expected: %" G_GINT64_FORMAT " was: %" G_GINT64_FORMAT,
                    in->dims[1], n_true);
    }
  FLOW_REQUIRE (n_true >= 1, error, INVALID_ARGUMENT, "num_true must be >= 1");
  FLOW_REQUIRE (n_sampled >= 1, error, INVALID_ARGUMENT, "num_sampled must be >= 1");
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &classes, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (n_sampled));
  flow_infer_take_output (c, 1, flow_shape_new_matrix (flow_shape_get_dim (classes, 0), n_true));
  flow_infer_take_output (c, 2, flow_shape_new_vector (n_sampled));
  return TRUE;
}

static gboolean
run_sampler (FlowKernelContext  *c,
             gboolean            log_uniform,
             GError            **error)
{
  FlowTensor *classes = flow_kernel_input (c, 0);
  gint64 n = flow_kernel_attr_int (c, "num_sampled");
  gboolean unique = flow_kernel_attr_bool (c, "unique");
  Sampler sampler = { flow_kernel_attr_int (c, "range_max"), log_uniform, 0 };
  FlowTensor *out[3];
  FlowPhilox generator;
  gint64 n_tries;

  FLOW_REQUIRE (sampler.range >= 1, error, INVALID_ARGUMENT, "range_max must be >= 1");
  FLOW_REQUIRE (!unique || n <= sampler.range, error, INVALID_ARGUMENT, "Sampler's range is too small.");
  sampler.log_range = log1p ((double) sampler.range);
  for (guint i = 0; i < 3; i++)
    if ((out[i] = flow_kernel_allocate_inferred (c, i, error)) == NULL)
      return FALSE;
  if (!flow_random_reserve (c, (guint64) n * RESERVED_NUMBERS / 4, &generator, error))
    return FALSE;
  n_tries = draw_candidates (c, &sampler, &generator, unique, out[0]->data, n);
  if (n_tries < 0)
    return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
  for (gint64 i = 0; i < classes->n_elements; i++)
    FLOW_WRITABLE (float, out[1])[i] =
      expected_count (probability (&sampler, FLOW_DATA (gint64, classes)[i]), n, n_tries);
  for (gint64 i = 0; i < n; i++)
    FLOW_WRITABLE (float, out[2])[i] =
      expected_count (probability (&sampler, FLOW_DATA (gint64, out[0])[i]), n, n_tries);
  return TRUE;
}

static gboolean
uniform_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return run_sampler (c, FALSE, error);
}

static gboolean
log_uniform_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return run_sampler (c, TRUE, error);
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

#define SAMPLER_OUTPUTS                                                                       \
  "sampled_candidates: int64; true_expected_count: float; sampled_expected_count: float"
#define COMMON_ATTRS "num_true: int >= 1; num_sampled: int >= 1; unique: bool; "
#define SEEDS "seed: int = 0; seed2: int = 0"
#define FLAGS (FLOW_OP_STATEFUL | FLOW_OP_RANDOM)

static const FlowOpDef ops[] = {
  {
    .name = "AllCandidateSampler",
    .inputs = "true_classes: int64",
    .outputs = SAMPLER_OUTPUTS,
    .attrs = COMMON_ATTRS SEEDS,
    .summary = "Every class as a candidate",
    .flags = FLOW_OP_STATEFUL,
    .infer = infer_sampler,
    .kernels = all_kernels,
  },
  {
    .name = "ComputeAccidentalHits",
    .inputs = "true_classes: int64; sampled_candidates: int64",
    .outputs = "indices: int32; ids: int64; weights: float",
    .attrs = "num_true: int; " SEEDS,
    .summary = "Where a candidate is one of the true classes",
    .infer = infer_hits,
    .kernels = hits_kernels,
  },
  {
    .name = "LogUniformCandidateSampler",
    .inputs = "true_classes: int64",
    .outputs = SAMPLER_OUTPUTS,
    .attrs = COMMON_ATTRS "range_max: int >= 1; " SEEDS,
    .summary = "Candidates of which the first classes are the likeliest (Zipf)",
    .flags = FLAGS,
    .infer = infer_sampler,
    .kernels = log_uniform_kernels,
  },
  {
    .name = "UniformCandidateSampler",
    .inputs = "true_classes: int64",
    .outputs = SAMPLER_OUTPUTS,
    .attrs = COMMON_ATTRS "range_max: int >= 1; " SEEDS,
    .summary = "Candidates that are all equally likely",
    .flags = FLAGS,
    .infer = infer_sampler,
    .kernels = uniform_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (candidates, ops)
