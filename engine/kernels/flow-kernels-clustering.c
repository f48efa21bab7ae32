/* flow-kernels-clustering.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What k-means needs: first centers drawn by lot, and the nearest centers of points.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"
#include "flow-parallel.h"

#include <math.h>
#include <string.h>

/* TF: half of the squared distance, from half squared norms; its rounding decides between near ones. */
static float
half_norm (const float *x,
           gint64       n)
{
  float sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += x[i] * x[i];
  return 0.5f * sum;
}

static float
half_distance (const float *x,
               float        x_norm,
               const float *y,
               float        y_norm,
               gint64       n)
{
  float dot = 0;

  for (gint64 i = 0; i < n; i++)
    dot += x[i] * y[i];
  return x_norm - dot + y_norm;
}

/* --- KMC2ChainInitialization ------------------------------------------------------------------------------- */

static gboolean
infer_chain (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) distances = NULL;
  g_autoptr (FlowShape) seed = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &distances, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &seed, error) && flow_infer_scalar_shape (c, error);
}

/* A walk over all candidates: each replaces the one before as likely as it is farther away. */
static gboolean
chain_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *distances = flow_kernel_input (c, 0);
  const FlowTensor *seed = flow_kernel_input (c, 1);
  const float *cells = distances->data;
  FlowPhiloxStream stream;
  FlowPhilox generator;
  FlowTensor *out;
  gint64 selected = 0;

  FLOW_REQUIRE (flow_is_vector (distances), error, INVALID_ARGUMENT, "Input distances should be a vector.");
  FLOW_REQUIRE (flow_is_scalar (seed), error, INVALID_ARGUMENT, "Input seed should be a scalar.");
  FLOW_REQUIRE (distances->n_elements > 0, error, INVALID_ARGUMENT, "Expected distances_tensor.size() > 0.");
  if ((out = flow_kernel_allocate_dims (c, 0, 0, NULL, error)) == NULL)
    return FALSE;
  flow_philox_init (&generator, (guint64) *FLOW_DATA (gint64, seed), 0);
  flow_philox_stream_init (&stream, &generator);
  for (gint64 i = 1; i < distances->n_elements; i++)
    if (cells[i] > flow_random_to_float (flow_philox_stream_next (&stream)) * cells[selected])
      selected = i;
  *FLOW_WRITABLE (gint64, out) = selected;
  return TRUE;
}

/* --- KmeansPlusPlusInitialization --------------------------------------------------------------------------- */

typedef struct {
  const float *points;
  gint64 n;
  gint64 n_dims;
  float *norms;
  float *nearest;              /* half squared distance of each point to the nearest sample */
  float *sums;                 /* running ones of these */
  float *tried;                /* the same for a sample that is tried, and for the best one */
  float *best;
  guint8 *taken;
  gint64 n_taken;
  FlowPhiloxStream stream;
} Seeding;

static void
seeding_clear (Seeding *self)
{
  g_free (self->norms);
  g_free (self->nearest);
  g_free (self->sums);
  g_free (self->tried);
  g_free (self->best);
  g_free (self->taken);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seeding, seeding_clear)

static gboolean
infer_seeding (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) points = NULL;
  gint64 n = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &points, error))
    return FALSE;
  if (flow_infer_scalar_value (c, 1, &n) && n < 0)
    n = FLOW_DIM_UNKNOWN;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (n, flow_shape_get_dim (points, 1)));
  return TRUE;
}

/* A point as likely as it is far from what was taken. Where all are near, or nothing is a number, the
 * next free one will do: a draw would never end. */
static gint64
draw_point (Seeding *self)
{
  const float total = self->sums[self->n - 1];

  if (self->n_taken == 0)
    return _flow_draw_below_64 (&self->stream, (guint64) self->n);
  for (gint64 tries = 0; tries < 1000 && total > 0; tries++)
    {
      const float place = flow_random_to_float (flow_philox_stream_next (&self->stream)) * total;
      gint64 low = 0;
      gint64 high = self->n;

      while (low < high)
        {
          const gint64 middle = (low + high) / 2;

          if (place < self->sums[middle])
            high = middle;
          else
            low = middle + 1;
        }
      if (low < self->n && !self->taken[low])
        return low;
    }
  for (gint64 i = 0; i < self->n; i++)
    if (!self->taken[i])
      return i;
  return 0;
}

/* TF: sums in vectors of so many, two at a time, and so decides between samples that are as good. */
#define LANES 8

static float
sum_vectors (const float *values,
             gint64       n)
{
  const gint64 n_vectors = n / LANES;
  float lanes[2][LANES] = { { 0 } };
  float half[LANES / 2];
  float sum;

  if (n_vectors == 0)
    {
      sum = n > 0 ? values[0] : 0;
      for (gint64 i = 1; i < n; i++)
        sum += values[i];
      return sum;
    }
  /* The first of each is not added to a zero, which might be a negative one: no sum hangs on that here. */
  for (gint64 v = 0; v < n_vectors - n_vectors % 2; v++)
    for (guint k = 0; k < LANES; k++)
      lanes[v % 2][k] += values[v * LANES + k];
  for (guint k = 0; k < LANES; k++)
    {
      lanes[0][k] += lanes[1][k];
      if (n_vectors % 2 == 1)
        lanes[0][k] += values[(n_vectors - 1) * LANES + k];
    }
  for (guint k = 0; k < LANES / 2; k++)
    half[k] = lanes[0][k] + lanes[0][k + LANES / 2];
  sum = (half[0] + half[2]) + (half[1] + half[3]);
  for (gint64 i = n_vectors * LANES; i < n; i++)
    sum += values[i];
  return sum;
}

/* The distances with @point as one more sample; their sum. */
static float
try_point (const Seeding *self,
           gint64         point,
           float         *distances)
{
  for (gint64 i = 0; i < self->n; i++)
    {
      const float d = half_distance (self->points + i * self->n_dims, self->norms[i], self->points + point * self->n_dims,
                                     self->norms[point], self->n_dims);

      distances[i] = MIN (self->nearest[i], d);
    }
  return sum_vectors (distances, self->n);
}

/* The best of several draws. */
static gint64
pick_point (FlowKernelContext *c,
            Seeding           *self,
            gint64             n_retries)
{
  float best_sum = INFINITY;
  gint64 best = 0;

  memcpy (self->best, self->nearest, (gsize) self->n * sizeof (float));
  for (gint64 i = 0; i <= n_retries && !flow_kernel_is_cancelled (c); i++)
    {
      const gint64 point = draw_point (self);
      const float sum = try_point (self, point, self->tried);
      float *tried = self->tried;

      if (!(sum < best_sum) && n_retries > 0)
        continue;
      best_sum = sum;
      best = point;
      self->tried = self->best;
      self->best = tried;
    }
  memcpy (self->nearest, self->best, (gsize) self->n * sizeof (float));
  return best;
}

static gboolean
check_seeding (FlowKernelContext  *c,
               GError            **error)
{
  static const char *const names[] = { "points", "num_to_sample", "seed", "num_retries_per_sample" };
  const FlowTensor *points = flow_kernel_input (c, 0);
  gint64 n;

  FLOW_REQUIRE (FLOW_RANK (points) == 2, error, INVALID_ARGUMENT, "Input points should be a matrix.");
  for (guint i = 1; i < 4; i++)
    FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, i)), error, INVALID_ARGUMENT, "Input %s should be a scalar.",
                  names[i]);
  n = *FLOW_DATA (gint64, flow_kernel_input (c, 1));
  FLOW_REQUIRE (FLOW_DIMS (points)[0] > 0, error, INVALID_ARGUMENT, "Expected points.rows() > 0.");
  FLOW_REQUIRE (n > 0, error, INVALID_ARGUMENT, "Expected num_to_sample > 0.");
  FLOW_REQUIRE (n <= FLOW_DIMS (points)[0], error, INVALID_ARGUMENT,
                "Expected num_to_sample <= points.rows(). %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT ".", n,
                FLOW_DIMS (points)[0]);
  return TRUE;
}

static gboolean
seeding_init (Seeding           *self,
              const FlowTensor  *points,
              gint64             seed,
              GError           **error)
{
  const gsize n = (gsize) FLOW_DIMS (points)[0];
  FlowPhilox generator;

  self->points = points->data;
  self->n = (gint64) n;
  self->n_dims = FLOW_DIMS (points)[1];
  self->norms = g_try_new (float, n);
  self->nearest = g_try_new (float, n);
  self->sums = g_try_new0 (float, n);
  self->tried = g_try_new (float, n);
  self->best = g_try_new (float, n);
  self->taken = g_try_new0 (guint8, n);
  FLOW_REQUIRE (self->norms != NULL && self->nearest != NULL && self->sums != NULL && self->tried != NULL &&
                self->best != NULL && self->taken != NULL, error, RESOURCE_EXHAUSTED, "OOM when choosing centers");
  for (gint64 i = 0; i < self->n; i++)
    {
      self->norms[i] = half_norm (self->points + i * self->n_dims, self->n_dims);
      self->nearest[i] = INFINITY;
    }
  flow_philox_init (&generator, (guint64) seed, 0);
  flow_philox_stream_init (&self->stream, &generator);
  return TRUE;
}

static gboolean
seeding_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *points = flow_kernel_input (c, 0);
  g_auto (Seeding) self = { 0 };
  FlowTensor *out;
  gint64 n_retries;
  gint64 n;

  if (!check_seeding (c, error) || !seeding_init (&self, points, *FLOW_DATA (gint64, flow_kernel_input (c, 2)), error))
    return FALSE;
  n = *FLOW_DATA (gint64, flow_kernel_input (c, 1));
  n_retries = *FLOW_DATA (gint64, flow_kernel_input (c, 3));
  if (n_retries < 0)
    n_retries = 2 + (gint64) log ((double) n);
  if ((out = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n, self.n_dims }, error)) == NULL)
    return FALSE;
  FLOW_REQUIRE (n_retries <= G_MAXINT32, error, INVALID_ARGUMENT, "num_retries_per_sample is too large");
  for (gint64 i = 0; i < n; i++)
    {
      gint64 point;

      for (gint64 k = 0; k < self.n && i > 0; k++)
        self.sums[k] = self.nearest[k] + (k > 0 ? self.sums[k - 1] : 0);
      /* Without a distance between them every further draw is as good as the first. */
      point = pick_point (c, &self, i > 0 && !(self.sums[self.n - 1] > 0) ? 0 : n_retries);
      if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
      self.taken[point] = 1;
      self.n_taken++;
      memcpy (FLOW_WRITABLE (float, out) + i * self.n_dims, self.points + point * self.n_dims,
              (gsize) self.n_dims * sizeof (float));
    }
  return TRUE;
}

/* --- NearestNeighbors ------------------------------------------------------------------------------------------ */

typedef struct {
  const float *points;
  const float *centers;
  const float *norms;          /* of the centers */
  gint64 n_centers;
  gint64 n_dims;
  gint64 k;
  gint64 *indices;
  float *distances;
} Search;

/* The nearest so far stand sorted; a new one is put in its place. */
static void
search_points (gint64   begin,
               gint64   end,
               gpointer data)
{
  const Search *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      const float *point = job->points + i * job->n_dims;
      const float norm = half_norm (point, job->n_dims);
      gint64 *indices = job->indices + i * job->k;
      float *distances = job->distances + i * job->k;
      gint64 n = 0;

      for (gint64 m = 0; m < job->n_centers; m++)
        {
          const float d = half_distance (point, 0, job->centers + m * job->n_dims, job->norms[m], job->n_dims);
          gint64 at = n < job->k ? n++ : job->k;

          for (; at > 0 && d < distances[at - 1]; at--)
            if (at < job->k)
              {
                distances[at] = distances[at - 1];
                indices[at] = indices[at - 1];
              }
          if (at < job->k)
            {
              distances[at] = d;
              indices[at] = m;
            }
        }
      for (gint64 m = 0; m < job->k; m++)
        distances[m] = 2 * (distances[m] + norm);
    }
}

static gboolean
neighbors_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *points = flow_kernel_input (c, 0);
  const FlowTensor *centers = flow_kernel_input (c, 1);
  const FlowTensor *k = flow_kernel_input (c, 2);
  g_autofree float *norms = NULL;
  FlowTensor *out[2];
  Search job;

  FLOW_REQUIRE (FLOW_RANK (points) == 2, error, INVALID_ARGUMENT, "Input points should be a matrix.");
  FLOW_REQUIRE (FLOW_RANK (centers) == 2, error, INVALID_ARGUMENT, "Input centers should be a matrix.");
  FLOW_REQUIRE (flow_is_scalar (k), error, INVALID_ARGUMENT, "Input k should be a scalar.");
  FLOW_REQUIRE (FLOW_DIMS (points)[0] > 0, error, INVALID_ARGUMENT, "Expected points.rows() > 0.");
  FLOW_REQUIRE (FLOW_DIMS (points)[1] == FLOW_DIMS (centers)[1], error, INVALID_ARGUMENT,
                "Expected point_dimensions == center_dimensions: %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT ".",
                FLOW_DIMS (points)[1], FLOW_DIMS (centers)[1]);
  FLOW_REQUIRE (*FLOW_DATA (gint64, k) >= 0, error, INVALID_ARGUMENT, "Expected k >= 0.");
  job = (Search) { .points = points->data, .centers = centers->data, .n_centers = FLOW_DIMS (centers)[0],
                   .n_dims = FLOW_DIMS (centers)[1], .k = MIN (FLOW_DIMS (centers)[0], *FLOW_DATA (gint64, k)) };
  for (guint i = 0; i < 2; i++)
    if ((out[i] = flow_kernel_allocate_dims (c, i, 2, (gint64[]) { FLOW_DIMS (points)[0], job.k }, error)) == NULL)
      return FALSE;
  if (job.k == 0)
    return TRUE;
  norms = g_try_new (float, (gsize) job.n_centers);
  FLOW_REQUIRE (norms != NULL, error, RESOURCE_EXHAUSTED, "OOM when looking for neighbors");
  for (gint64 i = 0; i < job.n_centers; i++)
    norms[i] = half_norm (job.centers + i * job.n_dims, job.n_dims);
  job.norms = norms;
  job.indices = out[0]->data;
  job.distances = out[1]->data;
  flow_parallel_for (FLOW_DIMS (points)[0], 1 + 16384 / MAX (job.n_centers * MAX (job.n_dims, 1), 1), search_points, &job);
  return TRUE;
}

static const FlowKernelDef chain_kernels[] = { { NULL, chain_compute }, { NULL } };
static const FlowKernelDef seeding_kernels[] = { { NULL, seeding_compute }, { NULL } };
static const FlowKernelDef neighbors_kernels[] = { { NULL, neighbors_compute }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "KMC2ChainInitialization", .inputs = "distances: float; seed: int64", .outputs = "index: int64", .attrs = "",
    .summary = "One more center, by a walk over candidates", .family = FLOW_OP_FAMILY_MATH, .infer = infer_chain,
    .kernels = chain_kernels },
  { .name = "KmeansPlusPlusInitialization",
    .inputs = "points: float; num_to_sample: int64; seed: int64; num_retries_per_sample: int64",
    .outputs = "samples: float", .attrs = "", .summary = "First centers for k-means, far from one another",
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_seeding, .kernels = seeding_kernels },
  { .name = "NearestNeighbors", .inputs = "points: float; centers: float; k: int64",
    .outputs = "nearest_center_indices: int64; nearest_center_distances: float", .attrs = "",
    .summary = "The nearest centers of each point", .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unknown_shape,
    .kernels = neighbors_kernels },
};

FLOW_DEFINE_OP_FAMILY (clustering, ops)
