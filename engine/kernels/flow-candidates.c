/* flow-candidates.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-candidates-private.h"
#include "flow-util.h"

#include <math.h>

/* Numbers that TensorFlow sets aside per candidate. */
#define RESERVED_NUMBERS 2048

gint64
_flow_draw_below (FlowPhiloxStream *stream,
                  guint32           n)
{
  guint32 rest;
  guint32 x;

  if ((n & (n - 1)) == 0)
    return flow_philox_stream_next (stream) & (n - 1);
  rest = G_MAXUINT32 % n + 1;
  do
    x = flow_philox_stream_next (stream);
  while (x < rest);
  return x % n;
}

static inline guint64
draw_64 (FlowPhiloxStream *stream)
{
  guint64 low = flow_philox_stream_next (stream);

  return low | ((guint64) flow_philox_stream_next (stream) << 32);
}

gint64
_flow_draw_below_64 (FlowPhiloxStream *stream,
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
                 const FlowSampler *sampler,
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
        out[i] = sampler->draw (sampler->data, &stream);
      return n;
    }
  used = g_hash_table_new (g_int64_hash, g_int64_equal);
  while (n_picked < n)
    {
      out[n_picked] = sampler->draw (sampler->data, &stream);
      n_tries++;
      if ((n_tries & 0xffff) == 0 && flow_kernel_is_cancelled (c))
        return -1;
      /* The key is the cell itself: where it is new it stays. */
      if (!g_hash_table_contains (used, &out[n_picked]))
        g_hash_table_add (used, &out[n_picked++]);
    }
  return n_tries;
}

gboolean
_flow_candidates_infer (FlowInferContext  *c,
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

gboolean
_flow_candidates_run (FlowKernelContext  *c,
                      const FlowSampler  *sampler,
                      GError            **error)
{
  FlowTensor *classes = flow_kernel_input (c, 0);
  gint64 n = flow_kernel_attr_int (c, "num_sampled");
  gboolean unique = flow_kernel_attr_bool (c, "unique");
  FlowTensor *out[3];
  FlowPhilox generator;
  gint64 n_tries;

  FLOW_REQUIRE (sampler->range >= 1, error, INVALID_ARGUMENT, "range_max must be >= 1");
  FLOW_REQUIRE (!unique || n <= sampler->range, error, INVALID_ARGUMENT, "Sampler's range is too small.");
  for (guint i = 0; i < 3; i++)
    if ((out[i] = flow_kernel_allocate_inferred (c, i, error)) == NULL)
      return FALSE;
  if (!flow_random_reserve (c, (guint64) n * RESERVED_NUMBERS / 4, &generator, error))
    return FALSE;
  n_tries = draw_candidates (c, sampler, &generator, unique, out[0]->data, n);
  if (n_tries < 0)
    return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
  for (gint64 i = 0; i < classes->n_elements; i++)
    FLOW_WRITABLE (float, out[1])[i] =
      expected_count (sampler->probability (sampler->data, FLOW_DATA (gint64, classes)[i]), n, n_tries);
  for (gint64 i = 0; i < n; i++)
    FLOW_WRITABLE (float, out[2])[i] =
      expected_count (sampler->probability (sampler->data, FLOW_DATA (gint64, out[0])[i]), n, n_tries);
  return TRUE;
}

/* --- aliases ------------------------------------------------------------------------------------------------- */

/* Buckets of equal size, one a number: what a rare one leaves of its own goes to a common one. The order
 * of pairing is TensorFlow's: the last of each list first. */
static void
pair_buckets (FlowAliases *self,
              double      *share,
              gint32      *high,
              gint32       n_high,
              gint32      *low,
              gint32       n_low)
{
  while (n_high > 0 && n_low > 0)
    {
      const gint32 rare = low[--n_low];
      const gint32 common = high[--n_high];

      self->alias[rare] = common;
      share[common] -= 1.0 - share[rare];
      if (share[common] < 1.0)
        low[n_low++] = common;
      else
        high[n_high++] = common;
    }
  for (gint32 i = 0; i < self->n; i++)
    self->own[i] = (float) share[i];
  /* What rounding leaves over is whole. */
  while (n_high > 0)
    self->own[high[--n_high]] = 1;
  while (n_low > 0)
    self->own[low[--n_low]] = 1;
}

gboolean
_flow_aliases_init (FlowAliases  *self,
                    const float  *weights,
                    gint32        n,
                    GError      **error)
{
  g_autofree double *share = g_try_new (double, (gsize) n);
  g_autofree gint32 *high = g_try_new (gint32, (gsize) n);
  g_autofree gint32 *low = g_try_new (gint32, (gsize) n);
  gint32 n_high = 0;
  gint32 n_low = 0;
  double sum = 0;

  self->n = n;
  self->own = g_try_new (float, (gsize) n);
  self->alias = g_try_new (gint32, (gsize) n);
  FLOW_REQUIRE (share != NULL && high != NULL && low != NULL && self->own != NULL && self->alias != NULL, error,
                RESOURCE_EXHAUSTED, "OOM when preparing a sampler");
  for (gint32 i = 0; i < n; i++)
    sum += (double) weights[i];
  for (gint32 i = 0; i < n; i++)
    {
      share[i] = (double) (weights[i] * (float) n) / sum;
      self->alias[i] = i;
      if (share[i] < 1.0)
        low[n_low++] = i;
      else
        high[n_high++] = i;
    }
  pair_buckets (self, share, high, n_high, low, n_low);
  return TRUE;
}

gint64
_flow_aliases_draw (const FlowAliases *self,
                    FlowPhiloxStream  *stream)
{
  const float x = flow_random_to_float (flow_philox_stream_next (stream));
  const gint64 i = _flow_draw_below (stream, (guint32) self->n);

  return x < self->own[i] ? i : self->alias[i];
}

void
_flow_aliases_clear (FlowAliases *self)
{
  g_clear_pointer (&self->own, g_free);
  g_clear_pointer (&self->alias, g_free);
}
