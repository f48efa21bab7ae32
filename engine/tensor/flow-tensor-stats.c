/* flow-tensor-stats.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-stats.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "flow-parallel.h"

#include "flow-tensor-load-private.h"

/* A block of doubles stays in the first-level cache, so its second sweep (for the deviations) costs
 * no memory traffic. */
#define BLOCK 2048

/* What one slot of the result covers. Slots are merged in their order, whatever thread filled them:
 * the same tensor gives the same bits with any number of threads. */
#define CHUNK (32 * BLOCK)

/* Slots alive at a time: bounds what statistics of a huge tensor need themselves. */
#define WINDOW 1024

typedef struct {
  gint64 begin;          /* of the chunk: where to look for the first NaN, the first minimum */
  gint64 n_finite;
  gint64 n_nan;
  gint64 n_pos_inf;
  gint64 n_neg_inf;
  gint64 n_zero;
  gint64 n_negative;
  gint64 n_positive;
  gint64 n_denormal;
  double min;
  double max;
  double mean;
  double m2;             /* sum of squared deviations from the mean */
  gint64 min_chunk;
  gint64 max_chunk;
  gint64 nan_chunk;
  gint64 inf_chunk;
} Part;

typedef struct {
  const FlowTensor *tensor;
  double min_normal;
  gint64 first_chunk;
  Part *parts;
} StatsJob;

typedef struct {
  const FlowTensor *tensor;
  FlowTensorStats *stats;
  GMutex lock;           /* guards stats->bins */
} HistogramJob;

static void
part_init (Part   *part,
           gint64  begin)
{
  memset (part, 0, sizeof *part);
  part->begin = begin;
  part->min = INFINITY;
  part->max = -INFINITY;
  part->min_chunk = -1;
  part->max_chunk = -1;
  part->nan_chunk = -1;
  part->inf_chunk = -1;
}

/* Chan's rule: exact in the counts, and as good in the mean as a second pass. */
static void
part_merge (Part       *into,
            const Part *from)
{
  if (from->n_finite > 0)
    {
      double n = (double) into->n_finite + (double) from->n_finite;
      double delta = from->mean - into->mean;

      if (into->n_finite == 0)
        {
          into->mean = from->mean;
          into->m2 = from->m2;
        }
      else
        {
          into->mean += delta * ((double) from->n_finite / n);
          into->m2 += from->m2
                      + delta * delta * ((double) into->n_finite * ((double) from->n_finite / n));
        }
      if (from->min < into->min)
        {
          into->min = from->min;
          into->min_chunk = from->begin;
        }
      if (from->max > into->max)
        {
          into->max = from->max;
          into->max_chunk = from->begin;
        }
    }
  if (into->nan_chunk < 0 && from->n_nan > 0)
    into->nan_chunk = from->begin;
  if (into->inf_chunk < 0 && from->n_pos_inf + from->n_neg_inf > 0)
    into->inf_chunk = from->begin;
  into->n_finite += from->n_finite;
  into->n_nan += from->n_nan;
  into->n_pos_inf += from->n_pos_inf;
  into->n_neg_inf += from->n_neg_inf;
  into->n_zero += from->n_zero;
  into->n_negative += from->n_negative;
  into->n_positive += from->n_positive;
  into->n_denormal += from->n_denormal;
}

/* Eight numbers side by side whatever the machine's own vectors are: sums then come out the same on
 * every machine. */
#define LANES 8
typedef double Doubles __attribute__ ((vector_size (LANES * sizeof (double))));
typedef gint64 Masks __attribute__ ((vector_size (LANES * sizeof (gint64))));

typedef struct {
  Masks n_nan, n_pos_inf, n_neg_inf, n_zero, n_negative, n_positive, n_denormal;
  Doubles min, max, sum;
} LaneSums;

static gint64
add_lanes (const Masks *lanes)
{
  gint64 total = 0;

  /* A comparison gives -1 where it holds. */
  for (int i = 0; i < LANES; i++)
    total -= (*lanes)[i];
  return total;
}

/* @values has @n numbers, and after them NaNs up to a multiple of LANES. */
FLOW_TENSOR_CLONES static void
scan_lanes (const double *values,
            int           n,
            double        min_normal,
            LaneSums     *sums)
{
  const Masks magnitude = { G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64,
                            G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64 };
  const Doubles zero = { 0 };
  const Doubles inf = zero + INFINITY;
  LaneSums s = { .min = inf, .max = -inf };

  for (int i = 0; i < n; i += LANES)
    {
      Doubles v;
      Doubles a;
      Masks finite;
      Masks smaller;
      Masks larger;

      memcpy (&v, values + i, sizeof v);
      a = (Doubles) ((Masks) v & magnitude);
      finite = a < inf;
      smaller = finite & (v < s.min);
      larger = finite & (v > s.max);
      s.n_nan += v != v;
      s.n_pos_inf += v == inf;
      s.n_neg_inf += v == -inf;
      s.n_zero += v == zero;
      s.n_negative += v < zero;
      s.n_positive += v > zero;
      s.n_denormal += (a < min_normal) & (a > zero);
      s.sum += (Doubles) ((Masks) v & finite);
      s.min = (Doubles) (((Masks) v & smaller) | ((Masks) s.min & ~smaller));
      s.max = (Doubles) (((Masks) v & larger) | ((Masks) s.max & ~larger));
    }
  *sums = s;
}

FLOW_TENSOR_CLONES static double
sum_squares (const double *values,
             int           n,
             double        mean)
{
  const Masks magnitude = { G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64,
                            G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64 };
  const Doubles zero = { 0 };
  const Doubles inf = zero + INFINITY;
  Doubles m2 = zero;
  double total = 0;

  for (int i = 0; i < n; i += LANES)
    {
      Doubles v;
      Doubles d;

      memcpy (&v, values + i, sizeof v);
      d = v - mean;
      d = (Doubles) ((Masks) d & ((Doubles) ((Masks) v & magnitude) < inf));
      m2 += d * d;
    }
  for (int i = 0; i < LANES; i++)
    total += m2[i];
  return total;
}

static void
scan_block (double *values,
            int     n,
            double  min_normal,
            Part   *part)
{
  LaneSums sums;
  double sum = 0;
  int n_padded = n;

  for (; n_padded % LANES != 0; n_padded++)
    values[n_padded] = NAN;
  scan_lanes (values, n_padded, min_normal, &sums);
  part->n_nan = add_lanes (&sums.n_nan) - (n_padded - n);
  part->n_pos_inf = add_lanes (&sums.n_pos_inf);
  part->n_neg_inf = add_lanes (&sums.n_neg_inf);
  part->n_zero = add_lanes (&sums.n_zero);
  part->n_negative = add_lanes (&sums.n_negative);
  part->n_positive = add_lanes (&sums.n_positive);
  part->n_denormal = add_lanes (&sums.n_denormal);
  part->n_finite = n - part->n_nan - part->n_pos_inf - part->n_neg_inf;
  if (part->n_finite == 0)
    return;
  for (int i = 0; i < LANES; i++)
    {
      part->min = MIN (part->min, sums.min[i]);
      part->max = MAX (part->max, sums.max[i]);
      sum += sums.sum[i];
    }
  part->mean = part->min == part->max ? part->min : sum / (double) part->n_finite;
  part->m2 = sum_squares (values, n_padded, part->mean);
}

static void
scan_chunks (gint64   begin,
             gint64   end,
             gpointer data)
{
  StatsJob *job = data;
  double values[BLOCK] __attribute__ ((aligned (64)));

  for (gint64 c = begin; c < end; c++)
    {
      gint64 first = (job->first_chunk + c) * CHUNK;
      gint64 last = MIN (first + CHUNK, job->tensor->n_elements);
      Part *part = &job->parts[c];

      part_init (part, first);
      for (gint64 i = first; i < last; i += BLOCK)
        {
          gint64 stop = MIN (i + BLOCK, last);
          Part block;

          part_init (&block, first);
          _flow_tensor_load_doubles (job->tensor, i, stop, values);
          scan_block (values, (int) (stop - i), job->min_normal, &block);
          part_merge (part, &block);
        }
    }
}

static void
scan (const FlowTensor *tensor,
      Part             *total)
{
  g_autofree Part *parts = NULL;
  gint64 n_chunks = (tensor->n_elements + CHUNK - 1) / CHUNK;
  StatsJob job = { tensor, _flow_dtype_min_normal (tensor->dtype), 0, NULL };

  parts = g_new (Part, MIN (n_chunks, WINDOW));
  job.parts = parts;
  for (gint64 c = 0; c < n_chunks; c += WINDOW)
    {
      gint64 n = MIN (n_chunks - c, WINDOW);

      job.first_chunk = c;
      flow_parallel_for (n, 1, scan_chunks, &job);
      for (gint64 i = 0; i < n; i++)
        part_merge (total, &parts[i]);
    }
}

typedef enum {
  FIND_VALUE,
  FIND_NAN,
  FIND_INF,
} FindKind;

static gint64
find_in_chunk (const FlowTensor *tensor,
               gint64            begin,
               FindKind          kind,
               double            wanted)
{
  double values[BLOCK];
  gint64 last;

  if (begin < 0)
    return -1;
  last = MIN (begin + CHUNK, tensor->n_elements);
  for (gint64 i = begin; i < last; i += BLOCK)
    {
      gint64 stop = MIN (i + BLOCK, last);

      _flow_tensor_load_doubles (tensor, i, stop, values);
      for (gint64 k = 0; k < stop - i; k++)
        if (kind == FIND_VALUE ? values[k] == wanted
            : kind == FIND_NAN ? isnan (values[k]) != 0
                               : isinf (values[k]) != 0)
          return i + k;
    }
  return -1;
}

/* Above 2^53 neighbouring integers are one double, so 64-bit dtypes look for their extremes
 * themselves: the indices then lead to the exact values. */
static void
find_exact_extremes (FlowTensorStats  *self,
                     const FlowTensor *tensor)
{
  gboolean is_signed = tensor->dtype == FLOW_DTYPE_INT64;
  const guint64 bias = is_signed ? (guint64) 1 << 63 : 0;
  const guint64 *data = tensor->data;
  gint64 at_min = 0;
  gint64 at_max = 0;

  for (gint64 i = 1; i < tensor->n_elements; i++)
    {
      if ((data[i] ^ bias) < (data[at_min] ^ bias))
        at_min = i;
      if ((data[i] ^ bias) > (data[at_max] ^ bias))
        at_max = i;
    }
  self->min_index = at_min;
  self->max_index = at_max;
}

static void
fill_bins (gint64   begin,
           gint64   end,
           gpointer data)
{
  HistogramJob *job = data;
  FlowTensorStats *self = job->stats;
  guint n_bins = self->n_bins;
  g_autofree gint64 *bins = g_new0 (gint64, n_bins);
  double values[BLOCK];
  /* Halves: the width of [-1e308, 1e308] itself is infinite. */
  double width = self->high / 2 - self->low / 2;

  for (gint64 i = begin; i < end; i += BLOCK)
    {
      gint64 stop = MIN (i + BLOCK, end);

      _flow_tensor_load_doubles (job->tensor, i, stop, values);
      for (gint64 k = 0; k < stop - i; k++)
        {
          double v = values[k];
          double at;

          if (!(fabs (v) <= DBL_MAX))
            continue;
          at = (v / 2 - self->low / 2) / width * n_bins;
          /* The last bin is closed on both sides. A width of denormals makes NaN. */
          bins[at >= n_bins ? n_bins - 1 : at > 0 ? (guint) at : 0]++;
        }
    }

  g_mutex_lock (&job->lock);
  for (guint b = 0; b < n_bins; b++)
    self->bins[b] += bins[b];
  g_mutex_unlock (&job->lock);
}

static void
make_histogram (FlowTensorStats  *self,
                const FlowTensor *tensor,
                guint             n_bins)
{
  HistogramJob job = { tensor, self };

  self->n_bins = MIN (n_bins, FLOW_TENSOR_STATS_MAX_BINS);
  self->bins = g_new0 (gint64, self->n_bins);
  self->low = self->min;
  self->high = self->max;
  if (self->low == self->high)
    {
      /* As numpy.histogram: one value stands in the middle of a bin range of width 1. */
      self->low -= 0.5;
      self->high += 0.5;
    }
  g_mutex_init (&job.lock);
  flow_parallel_for (tensor->n_elements, CHUNK, fill_bins, &job);
  g_mutex_clear (&job.lock);
}

G_DEFINE_BOXED_TYPE (FlowTensorStats, flow_tensor_stats, flow_tensor_stats_ref, flow_tensor_stats_unref)

/**
 * flow_tensor_stats_new:
 * @tensor: a tensor of any dtype and shape
 * @n_bins: how many bins the histogram has, at most %FLOW_TENSOR_STATS_MAX_BINS; 0 for none
 *
 * Goes over the elements once, and once more if a histogram is asked for; in parallel where the
 * tensor is large. All sums are of float64. The same tensor gives the same bits whatever the number
 * of threads. May be called from any thread.
 *
 * Returns: (transfer full): the statistics
 */
FlowTensorStats *
flow_tensor_stats_new (const FlowTensor *tensor,
                       guint             n_bins)
{
  FlowTensorStats *self;
  Part total;

  g_return_val_if_fail (tensor != NULL, NULL);

  self = g_new0 (FlowTensorStats, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->dtype = tensor->dtype;
  self->n_elements = tensor->n_elements;
  self->is_number = _flow_tensor_load_doubles (tensor, 0, 0, NULL);
  self->min = self->max = self->mean = self->std = NAN;
  self->min_index = self->max_index = self->nan_index = self->inf_index = -1;
  if (!self->is_number || tensor->n_elements == 0)
    return self;

  part_init (&total, 0);
  scan (tensor, &total);
  self->n_finite = total.n_finite;
  self->n_nan = total.n_nan;
  self->n_pos_inf = total.n_pos_inf;
  self->n_neg_inf = total.n_neg_inf;
  self->n_zero = total.n_zero;
  self->n_negative = total.n_negative;
  self->n_positive = total.n_positive;
  self->n_denormal = total.n_denormal;
  self->nan_index = find_in_chunk (tensor, total.nan_chunk, FIND_NAN, 0);
  self->inf_index = find_in_chunk (tensor, total.inf_chunk, FIND_INF, 0);
  if (self->n_finite == 0)
    return self;

  self->min = total.min;
  self->max = total.max;
  self->mean = total.mean;
  self->std = sqrt (total.m2 / (double) total.n_finite);
  if (tensor->dtype == FLOW_DTYPE_INT64 || tensor->dtype == FLOW_DTYPE_UINT64)
    {
      find_exact_extremes (self, tensor);
    }
  else
    {
      self->min_index = find_in_chunk (tensor, total.min_chunk, FIND_VALUE, total.min);
      self->max_index = find_in_chunk (tensor, total.max_chunk, FIND_VALUE, total.max);
    }
  if (n_bins > 0)
    make_histogram (self, tensor, n_bins);
  return self;
}

/**
 * flow_tensor_stats_ref:
 * @self: statistics
 *
 * Returns: (transfer full): @self
 */
FlowTensorStats *
flow_tensor_stats_ref (FlowTensorStats *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_tensor_stats_unref:
 * @self: (transfer full): statistics
 */
void
flow_tensor_stats_unref (FlowTensorStats *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->bins);
  g_free (self);
}

/**
 * flow_tensor_stats_get_n_inf:
 * @self: statistics
 *
 * Returns: how many elements are infinite, of either sign
 */
gint64
flow_tensor_stats_get_n_inf (const FlowTensorStats *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_pos_inf + self->n_neg_inf;
}
