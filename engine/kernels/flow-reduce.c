/* flow-reduce.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-reduce-private.h"

#include "flow-elementwise-private.h"
#include "flow-parallel.h"

#include <string.h>

/* Accumulators kept at a time for a kept innermost dim: 8 KiB, in the first-level cache. */
#define TILE 1024
/* Cells folded by one thread before it pays to give another one a share. */
#define GRAIN 32768
/* Parts into which a fold to few outputs is cut. Never depends on the number of threads, so that the
 * result does not either. */
#define MAX_PARTS 32

typedef struct {
  const guint8 *in;
  guint8 *out;
  FlowDType dtype;
  gint64 size;
  gboolean through_float;
  const FlowReduceOps *ops;
  gint64 count;                /* cells per output */
  gboolean inner_reduced;
  gint64 inner;                /* cells of the innermost dim */
  int n_kept;                  /* outer dims, innermost first, with strides in cells */
  gint64 kept_dims[FLOW_SHAPE_MAX_RANK];
  gint64 kept_strides[FLOW_SHAPE_MAX_RANK];
  gint64 kept;                 /* product */
  int n_folded;
  gint64 folded_dims[FLOW_SHAPE_MAX_RANK];
  gint64 folded_strides[FLOW_SHAPE_MAX_RANK];
  gint64 folded;               /* product */
  gint64 tiles;                /* per kept row, of a kept innermost dim */
  gint64 n_parts;
  guint8 *parts;               /* accumulators of all parts, where there are several */
  gint64 part_accs;
} Job;

/* --- folding ------------------------------------------------------------------------------------ */

static void
fold_row (const Job    *job,
          const guint8 *x,
          gint64        n,
          gpointer      acc)
{
  float block[TILE];

  if (!job->through_float)
    {
      job->ops->row (x, n, acc);
      return;
    }
  for (gint64 i = 0; i < n; i += TILE)
    {
      gint64 m = MIN (TILE, n - i);

      flow_to_float (job->dtype, x + i * job->size, block, m);
      job->ops->row (block, m, acc);
    }
}

static void
fold_column (const Job    *job,
             const guint8 *x,
             gint64        n,
             gpointer      acc)
{
  float block[TILE];

  if (job->through_float)
    {
      flow_to_float (job->dtype, x, block, n);
      job->ops->column (block, n, acc);
    }
  else
    {
      job->ops->column (x, n, acc);
    }
}

/* Where combination @index of the given dims starts, in cells. */
static gint64
offset_of (gint64        index,
           int           n,
           const gint64 *dims,
           const gint64 *strides)
{
  gint64 offset = 0;

  for (int i = 0; i < n; i++)
    {
      offset += index % dims[i] * strides[i];
      index /= dims[i];
    }
  return offset;
}

/* Folds combinations begin .. end of the outer folded dims into accumulators. The innermost dim is
 * cells inner_begin .. inner_end of each. */
static void
fold (const Job *job,
      gint64     base,
      gint64     begin,
      gint64     end,
      gint64     inner_begin,
      gint64     inner_end,
      gpointer   acc)
{
  gint64 at[FLOW_SHAPE_MAX_RANK];
  gint64 offset = base + inner_begin;
  gint64 rest = begin;

  for (int i = 0; i < job->n_folded; i++)
    {
      at[i] = rest % job->folded_dims[i];
      rest /= job->folded_dims[i];
      offset += at[i] * job->folded_strides[i];
    }
  for (gint64 k = begin; k < end; k++)
    {
      const guint8 *x = job->in + offset * job->size;

      if (job->inner_reduced)
        fold_row (job, x, inner_end - inner_begin, acc);
      else
        fold_column (job, x, inner_end - inner_begin, acc);
      for (int i = 0; i < job->n_folded; i++)
        {
          offset += job->folded_strides[i];
          if (++at[i] < job->folded_dims[i])
            break;
          offset -= at[i] * job->folded_strides[i];
          at[i] = 0;
        }
    }
}

static void
finish (const Job     *job,
        gconstpointer  acc,
        gint64         out,
        gint64         n)
{
  float block[TILE];

  if (job->through_float)
    {
      job->ops->finish (acc, block, n, job->count);
      flow_from_float (job->dtype, block, job->out + out * job->size, n);
    }
  else
    {
      job->ops->finish (acc, job->out + out * job->size, n, job->count);
    }
}

/* A unit is one output cell (innermost dim folded) or one tile of outputs (kept). */
static void
unit_extent (const Job *job,
             gint64     unit,
             gint64    *base,
             gint64    *inner_begin,
             gint64    *inner_end,
             gint64    *out)
{
  gint64 row = unit / job->tiles;
  gint64 tile = unit % job->tiles;

  *base = offset_of (row, job->n_kept, job->kept_dims, job->kept_strides);
  *inner_begin = job->inner_reduced ? 0 : tile * TILE;
  *inner_end = job->inner_reduced ? job->inner : MIN (job->inner, *inner_begin + TILE);
  *out = job->inner_reduced ? row : row * job->inner + *inner_begin;
}

static void
units_range (gint64   begin,
             gint64   end,
             gpointer data)
{
  const Job *job = data;
  double acc[TILE * 2];        /* no accumulator is larger than a complex128 */

  for (gint64 unit = begin; unit < end; unit++)
    {
      gint64 base;
      gint64 inner_begin;
      gint64 inner_end;
      gint64 out;
      gint64 n_accs;

      unit_extent (job, unit, &base, &inner_begin, &inner_end, &out);
      n_accs = job->inner_reduced ? 1 : inner_end - inner_begin;
      job->ops->init (acc, n_accs);
      fold (job, base, 0, job->folded, inner_begin, inner_end, acc);
      finish (job, acc, out, n_accs);
    }
}

/* Short rows one after the other: a call for all of them, not several for each. */
#define SHORT_ROW 64

static void
short_rows_range (gint64   begin,
                  gint64   end,
                  gpointer data)
{
  const Job *job = data;

  job->ops->rows (job->in + begin * job->inner * job->size, end - begin, job->inner,
                  job->out + begin * job->size);
}

/* --- few outputs: the fold itself is shared out ------------------------------------------------- */

/* Part p of a unit: a share of the folded combinations, or of the row if there is but one. */
static void
parts_range (gint64   begin,
             gint64   end,
             gpointer data)
{
  const Job *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      gint64 unit = i / job->n_parts;
      gint64 part = i % job->n_parts;
      guint8 *acc = job->parts + (gsize) (i * job->part_accs) * job->ops->acc_size;
      gint64 base;
      gint64 inner_begin;
      gint64 inner_end;
      gint64 out;

      unit_extent (job, unit, &base, &inner_begin, &inner_end, &out);
      job->ops->init (acc, job->inner_reduced ? 1 : inner_end - inner_begin);
      if (job->folded > 1)
        {
          gint64 from = job->folded / job->n_parts * part;
          gint64 to = part + 1 == job->n_parts ? job->folded : job->folded / job->n_parts * (part + 1);

          fold (job, base, from, to, inner_begin, inner_end, acc);
        }
      else
        {
          gint64 share = job->inner / job->n_parts;

          fold (job, base, 0, 1, share * part, part + 1 == job->n_parts ? job->inner
                                                                       : share * (part + 1), acc);
        }
    }
}

static void
run_in_parts (Job    *job,
              gint64  units)
{
  flow_parallel_for (units * job->n_parts, 1, parts_range, job);
  for (gint64 unit = 0; unit < units; unit++)
    {
      guint8 *acc = job->parts + (gsize) (unit * job->n_parts * job->part_accs) * job->ops->acc_size;
      gint64 base;
      gint64 inner_begin;
      gint64 inner_end;
      gint64 out;
      gint64 n_accs;

      unit_extent (job, unit, &base, &inner_begin, &inner_end, &out);
      n_accs = job->inner_reduced ? 1 : inner_end - inner_begin;
      for (gint64 part = 1; part < job->n_parts; part++)
        job->ops->merge (acc, acc + (gsize) (part * job->part_accs) * job->ops->acc_size, n_accs);
      finish (job, acc, out, n_accs);
    }
}

/* --- the shape of the job ------------------------------------------------------------------------ */

/* Dims of one cell vanish; neighbours that are both folded or both kept become one. */
static void
plan_dims (Job              *job,
           const FlowTensor *in,
           const gboolean   *reduced)
{
  int rank = FLOW_RANK (in);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gboolean folded[FLOW_SHAPE_MAX_RANK];
  gint64 stride = 1;
  int n = 0;

  for (int i = rank - 1; i >= 0; i--)
    {
      gint64 d = FLOW_DIMS (in)[i];

      if (reduced[i])
        job->count *= d;
      if (d == 1)
        continue;
      if (n > 0 && folded[n - 1] == reduced[i])
        {
          dims[n - 1] *= d;
        }
      else
        {
          dims[n] = d;
          strides[n] = stride;
          folded[n] = reduced[i];
          n++;
        }
      stride *= d;
    }
  job->inner = n > 0 ? dims[0] : 1;
  job->inner_reduced = n > 0 && folded[0];
  for (int i = 1; i < n; i++)
    if (folded[i])
      {
        job->folded_dims[job->n_folded] = dims[i];
        job->folded_strides[job->n_folded++] = strides[i];
        job->folded *= dims[i];
      }
    else
      {
        job->kept_dims[job->n_kept] = dims[i];
        job->kept_strides[job->n_kept++] = strides[i];
        job->kept *= dims[i];
      }
}

/*
 * flow_reduce_run:
 *
 * See the header. Cost: one pass over the input in memory order per thread.
 */
gboolean
flow_reduce_run (FlowKernelContext    *c,
                 const FlowTensor     *in,
                 const gboolean       *reduced,
                 const FlowReduceOps  *ops,
                 FlowTensor           *out,
                 GError              **error)
{
  Job job = {
    .in = in->data,
    .out = out->data,
    .dtype = in->dtype,
    .size = (gint64) flow_dtype_size (in->dtype),
    .through_float = in->dtype == FLOW_DTYPE_HALF || in->dtype == FLOW_DTYPE_BFLOAT16,
    .ops = ops,
    .count = 1,
    .kept = 1,
    .folded = 1,
    .n_parts = 1,
  };
  gint64 units;
  gint64 cells;

  if (out->n_elements == 0)
    return TRUE;
  plan_dims (&job, in, reduced);
  if (in->n_elements == 0)
    {
      /* Outputs of folding nothing: as many tiles of one kept dim. */
      job.inner_reduced = FALSE;
      job.inner = out->n_elements;
      job.kept = 1;
      job.n_kept = 0;
      job.folded = 0;
      job.n_folded = 0;
    }
  job.tiles = job.inner_reduced ? 1 : (job.inner + TILE - 1) / TILE;
  units = job.kept * job.tiles;
  cells = in->n_elements / units;
  if (units <= 4 && cells >= 2 * GRAIN)
    {
      gint64 most = job.folded > 1 ? job.folded : job.inner_reduced ? job.inner : 1;

      job.n_parts = CLAMP (cells / GRAIN, 1, MIN (most, MAX_PARTS));
    }
  if (job.inner_reduced && job.n_folded == 0 && job.n_kept <= 1 && job.inner <= SHORT_ROW &&
      in->n_elements > 0 && ops->rows != NULL && !job.through_float)
    {
      flow_parallel_for (units, MAX (1, GRAIN / job.inner), short_rows_range, &job);
      return TRUE;
    }
  if (job.n_parts == 1)
    {
      flow_parallel_for (units, MAX (1, GRAIN / MAX (cells, 1)), units_range, &job);
      return TRUE;
    }
  job.part_accs = job.inner_reduced ? 1 : MIN (job.inner, TILE);
  job.parts = g_try_malloc ((gsize) (units * job.n_parts * job.part_accs) * ops->acc_size);
  FLOW_REQUIRE (job.parts != NULL, error, RESOURCE_EXHAUSTED, "OOM when summing in parts");
  run_in_parts (&job, units);
  g_free (job.parts);
  return TRUE;
}
