/* flow-sum.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sum-private.h"

#include "flow-elementwise-private.h"
#include "flow-parallel.h"

#include <string.h>

/* A vector is 8 halfs or floats, 4 doubles. A row is summed vector by vector, a row of more than LEAF
 * vectors as the sum of its halves; columns are summed row by row. In 2.x a row is summed by four vectors
 * in turn, columns that fill a vector by four rows in turn where there are FEW_ROWS or more. Halfs stand here
 * as floats; every sum of two is rounded. */
#define LEAF 1024
#define LEAF_OF_HALFS_IN_2 200
#define FEW_ROWS 16
/* Columns that are summed at a time: their four sums stay in the first-level cache. */
#define TILE 256
/* Cells summed by one thread before it pays to give another one a share. */
#define GRAIN 32768

/* The innermost dim is last: dims of one cell are left out, neighbours of a kind are one. */
typedef struct {
  const guint8 *in;
  guint8 *out;
  int rank;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gboolean folded[FLOW_SHAPE_MAX_RANK];
  gint64 count;
  gboolean mean;
  FlowRelease release;
} Job;

/* The cells of a vector: its halves are added, then the halves of that. */
static inline float
total_float (const float v[8])
{
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static inline double
total_double (const double v[4])
{
  return (v[0] + v[2]) + (v[1] + v[3]);
}

static inline float
half_plus (float a,
           float b)
{
  return flow_as_half (a + b);
}

static inline float
total_half (const float v[8])
{
  return flow_as_half (total_float (v));
}

/* TF: the count is a half as well. */
static inline float
half_part (float  sum,
           gint64 count)
{
  return flow_as_half (sum / flow_as_half ((float) count));
}

/* Where a row is cut: at a whole vector, counted from the start of all cells. */
static gint64
left_half (gint64 first,
           gint64 n,
           gint64 width)
{
  gint64 split = (first + (n + 1) / 2 + width - 1) / width * width;

  return MIN (split - first, n);
}

#define PLUS(a, b) ((a) + (b))
#define PART(sum, count) ((sum) / (count))
#define SELF(v) (v)
#define SQUARED(v) ((v) * (v))

/* ident_leaf: a row of at most LENGTH vectors, TURNS at a time. ident_tree: any row; first is its place among
 * all cells. */
#define ROW_SUM(ident, type, WIDTH, TURNS, LENGTH, total, VALUE, ADD)                        \
  FLOW_CLONES static type                                                                    \
  ident##_leaf (const type *x, gint64 n)                                                     \
  {                                                                                          \
    type sums[TURNS][WIDTH] = { { 0 } };                                                     \
    type rest = 0;                                                                           \
    gint64 i = 0;                                                                            \
                                                                                             \
    for (; i + TURNS * WIDTH <= n; i += TURNS * WIDTH)                                       \
      for (int k = 0; k < TURNS; k++)                                                        \
        for (int j = 0; j < WIDTH; j++)                                                      \
          sums[k][j] = ADD (sums[k][j], VALUE (x[i + k * WIDTH + j]));                       \
    for (int k = 1; k < TURNS; k++)                                                          \
      for (int j = 0; j < WIDTH; j++)                                                        \
        sums[0][j] = ADD (sums[0][j], sums[k][j]);                                           \
    for (; i + WIDTH <= n; i += WIDTH)                                                       \
      for (int j = 0; j < WIDTH; j++)                                                        \
        sums[0][j] = ADD (sums[0][j], VALUE (x[i + j]));                                     \
    for (; i < n; i++)                                                                       \
      rest = ADD (rest, VALUE (x[i]));                                                       \
    return ADD (rest, total (sums[0]));                                                      \
  }                                                                                          \
                                                                                             \
  static type                                                                                \
  ident##_tree (const type *x, gint64 first, gint64 n)                                       \
  {                                                                                          \
    gint64 left;                                                                             \
    type sum;                                                                                \
                                                                                             \
    if (n <= WIDTH * LENGTH)                                                                 \
      return ident##_leaf (x, n);                                                            \
    left = left_half (first, n, WIDTH);                                                      \
    sum = ident##_tree (x, first, left);                                                     \
    return left < n ? ADD (sum, ident##_tree (x + left, first + left, n - left)) : sum;      \
  }

/* The sum of a row by the release. */
#define ROW_SUMS(ident, type, WIDTH, LENGTH_IN_2, total, VALUE, ADD)                         \
  ROW_SUM (ident##_of_1, type, WIDTH, 1, LEAF, total, VALUE, ADD)                            \
  ROW_SUM (ident##_of_2, type, WIDTH, 4, LENGTH_IN_2, total, VALUE, ADD)                     \
                                                                                             \
  static type                                                                                \
  ident (FlowRelease release, const type *x, gint64 first, gint64 n)                         \
  {                                                                                          \
    return release == FLOW_RELEASE_2 ? ident##_of_2_tree (x, first, n) : ident##_of_1_tree (x, first, n);\
  }

ROW_SUMS (sum_float, float, 8, LEAF, total_float, SELF, PLUS)
ROW_SUMS (sum_double, double, 4, LEAF, total_double, SELF, PLUS)
ROW_SUMS (sum_half, float, 8, LEAF_OF_HALFS_IN_2, total_half, SELF, half_plus)
ROW_SUMS (squares_float, float, 8, LEAF, total_float, SQUARED, PLUS)

float
flow_sum_float (FlowRelease  release,
                const float *x,
                gint64       n)
{
  return sum_float (release, x, 0, n);
}

float
flow_sum_squares_float (FlowRelease  release,
                        const float *x,
                        gint64       n)
{
  return squares_float (release, x, 0, n);
}

/* --- columns ------------------------------------------------------------------------------------ */

/* Columns 0 .. n of n_rows rows that are stride cells apart. */
#define COLUMN_SUMS(ident, type, ADD)                                                        \
  FLOW_CLONES static void                                                                    \
  ident##_one_by_one (const type *x, gint64 n_rows, gint64 stride, gint64 n, type *out)      \
  {                                                                                          \
    memset (out, 0, (gsize) n * sizeof (type));                                              \
    for (gint64 row = 0; row < n_rows; row++)                                                \
      for (gint64 i = 0; i < n; i++)                                                         \
        out[i] = ADD (out[i], x[row * stride + i]);                                          \
  }                                                                                          \
                                                                                             \
  FLOW_CLONES static void                                                                    \
  ident##_by_four (const type *x, gint64 n_rows, gint64 stride, gint64 n, type *out)         \
  {                                                                                          \
    type sums[4][TILE];                                                                      \
    gint64 fours = n_rows / 4 * 4;                                                           \
                                                                                             \
    for (gint64 at = 0; at < n; at += TILE)                                                  \
      {                                                                                      \
        gint64 m = MIN (TILE, n - at);                                                       \
                                                                                             \
        memset (sums, 0, sizeof sums);                                                       \
        for (gint64 row = 0; row < fours; row++)                                             \
          for (gint64 i = 0; i < m; i++)                                                     \
            sums[row % 4][i] = ADD (sums[row % 4][i], x[row * stride + at + i]);             \
        for (int k = 1; k < 4; k++)                                                          \
          for (gint64 i = 0; i < m; i++)                                                     \
            sums[0][i] = ADD (sums[0][i], sums[k][i]);                                       \
        for (gint64 row = fours; row < n_rows; row++)                                        \
          for (gint64 i = 0; i < m; i++)                                                     \
            sums[0][i] = ADD (sums[0][i], x[row * stride + at + i]);                         \
        memcpy (out + at, sums[0], (gsize) m * sizeof (type));                               \
      }                                                                                      \
  }                                                                                          \
                                                                                             \
  /* Columns from .. to of the outputs, all of which lie between rows of n columns; a vector \
   * that starts in one group of columns and ends in the next is none. */                    \
  static void                                                                                \
  ident##_columns (const Job *job, gint64 group, gint64 from, gint64 to)                     \
  {                                                                                          \
    const gint64 width = 32 / (gint64) sizeof (type);                                        \
    const gint64 n = job->dims[job->rank - 1];                                               \
    const gint64 n_rows = job->dims[job->rank - 2];                                          \
    const gint64 all = (job->rank == 3 ? job->dims[0] : 1) * n;                              \
    const type *x = (const type *) job->in + group * n_rows * n;                             \
    type *out = (type *) job->out + group * n;                                               \
    gint64 head = (group * n + width - 1) / width * width - group * n;                       \
    gint64 tail = (MIN (group * n + n, all / width * width)) / width * width - group * n;    \
                                                                                             \
    if (job->release == FLOW_RELEASE_1 || n_rows < FEW_ROWS || head >= tail)                 \
      head = tail = to;                                                                      \
    head = CLAMP (head, from, to);                                                           \
    tail = CLAMP (tail, head, to);                                                           \
    ident##_one_by_one (x + from, n_rows, n, head - from, out + from);                       \
    ident##_by_four (x + head, n_rows, n, tail - head, out + head);                          \
    ident##_one_by_one (x + tail, n_rows, n, to - tail, out + tail);                         \
  }

COLUMN_SUMS (float, float, PLUS)
COLUMN_SUMS (double, double, PLUS)
COLUMN_SUMS (half, float, half_plus)

void
flow_sum_rows_float (const float *x,
                     gint64       n_rows,
                     gint64       n,
                     float       *out)
{
  float_one_by_one (x, n_rows, n, n, out);
}

/* --- the kinds of folds -------------------------------------------------------------------------- */

#define SHARES 16

/* Units are groups of columns times SHARES: a share is a part of the columns, in whole vectors. */
#define COLUMN_RANGE(ident, type, ADD, DIVIDE)                                               \
  static void                                                                                \
  ident##_column_range (gint64 begin, gint64 end, gpointer data)                             \
  {                                                                                          \
    const Job *job = data;                                                                   \
    gint64 n = job->dims[job->rank - 1];                                                     \
    gint64 share = (n / SHARES + 64) / 64 * 64;                                              \
                                                                                             \
    for (gint64 i = begin; i < end; i++)                                                     \
      {                                                                                      \
        gint64 from = MIN (n, i % SHARES * share);                                           \
        gint64 to = MIN (n, from + share);                                                   \
                                                                                             \
        if (from < to)                                                                       \
          ident##_columns (job, i / SHARES, from, to);                                       \
      }                                                                                      \
  }                                                                                          \
                                                                                             \
  /* Folded, kept, folded: for each place in the last dim all of the first. */               \
  static void                                                                                \
  ident##_between_range (gint64 begin, gint64 end, gpointer data)                            \
  {                                                                                          \
    const Job *job = data;                                                                   \
    type *out = (type *) job->out;                                                           \
                                                                                             \
    for (gint64 i = begin; i < end; i++)                                                     \
      {                                                                                      \
        const type *x = (const type *) job->in + i * job->strides[1];                        \
        type sum = 0;                                                                        \
                                                                                             \
        for (gint64 c = 0; c < job->dims[2]; c++)                                            \
          for (gint64 a = 0; a < job->dims[0]; a++)                                          \
            sum = ADD (sum, x[a * job->strides[0] + c]);                                     \
        out[i] = sum;                                                                        \
      }                                                                                      \
  }                                                                                          \
                                                                                             \
  static void                                                                                \
  ident##_row_range (gint64 begin, gint64 end, gpointer data)                                \
  {                                                                                          \
    const Job *job = data;                                                                   \
    const type *x = (const type *) job->in;                                                  \
    type *out = (type *) job->out;                                                           \
                                                                                             \
    for (gint64 i = begin; i < end; i++)                                                     \
      out[i] = sum_##ident (job->release, x + i * job->count, i * job->count, job->count);   \
  }                                                                                          \
                                                                                             \
  /* What is folded lies in several dims: it is gathered into one row. */                    \
  static gboolean                                                                            \
  ident##_gathered (const Job *job, gint64 n_out, GError **error)                            \
  {                                                                                          \
    g_autofree type *row = g_try_new (type, (gsize) job->count);                             \
    gint64 at[FLOW_SHAPE_MAX_RANK] = { 0 };                                                  \
    type *out = (type *) job->out;                                                           \
                                                                                             \
    FLOW_REQUIRE (row != NULL, error, RESOURCE_EXHAUSTED, "OOM when summing");               \
    for (gint64 i = 0; i < n_out; i++, next_place (job, FALSE, at))                          \
      {                                                                                      \
        for (gint64 k = 0; k < job->count; k++, next_place (job, TRUE, at))                  \
          row[k] = ((const type *) job->in)[place (job, at)];                                \
        out[i] = sum_##ident (job->release, row, i * job->count, job->count);                \
      }                                                                                      \
    return TRUE;                                                                             \
  }                                                                                          \
                                                                                             \
  static gboolean                                                                            \
  ident##_run (Job *job, gint64 n_out, GError **error)                                       \
  {                                                                                          \
    gint64 grain = MAX (1, GRAIN / job->count);                                              \
                                                                                             \
    if (job->rank <= 2 && job->folded[job->rank - 1])                                        \
      flow_parallel_for (n_out, grain, ident##_row_range, job);                              \
    else if (job->rank == 2 || (job->rank == 3 && job->folded[1]))                           \
      flow_parallel_for (n_out / job->dims[job->rank - 1] * SHARES,                          \
                         MAX (1, grain / (job->dims[job->rank - 1] / SHARES + 1)),           \
                         ident##_column_range, job);                                         \
    else if (job->rank == 3)                                                                 \
      flow_parallel_for (n_out, grain, ident##_between_range, job);                          \
    else if (!ident##_gathered (job, n_out, error))                                          \
      return FALSE;                                                                          \
    if (job->mean)                                                                           \
      for (gint64 i = 0; i < n_out; i++)                                                     \
        ((type *) job->out)[i] = DIVIDE (((type *) job->out)[i], job->count);                \
    return TRUE;                                                                             \
  }

/* Counts the folded dims, or the kept ones, on by one; from the last place to the first. */
static void
next_place (const Job *job,
            gboolean   folded,
            gint64    *at)
{
  for (int d = job->rank - 1; d >= 0; d--)
    if (job->folded[d] == folded)
      {
        if (++at[d] < job->dims[d])
          return;
        at[d] = 0;
      }
}

static gint64
place (const Job    *job,
       const gint64 *at)
{
  gint64 offset = 0;

  for (int d = 0; d < job->rank; d++)
    offset += at[d] * job->strides[d];
  return offset;
}

COLUMN_RANGE (float, float, PLUS, PART)
COLUMN_RANGE (double, double, PLUS, PART)
COLUMN_RANGE (half, float, half_plus, half_part)

/* --- what callers see ----------------------------------------------------------------------------- */

gboolean
flow_sum_has (FlowDType dtype)
{
  return dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_DOUBLE || dtype == FLOW_DTYPE_HALF;
}

void
flow_sum_columns_float (FlowRelease  release,
                        const float *x,
                        gint64       n_rows,
                        gint64       n,
                        float       *out)
{
  Job job = { .in = (const guint8 *) x, .out = (guint8 *) out, .rank = 2, .dims = { n_rows, n },
              .release = release };

  flow_parallel_for (SHARES, MAX (1, GRAIN / MAX (1, n_rows) / (n / SHARES + 1)), float_column_range, &job);
}

static void
plan_dims (Job              *job,
           const FlowTensor *in,
           const gboolean   *reduced)
{
  gint64 stride = 1;

  for (int i = 0; i < FLOW_RANK (in); i++)
    {
      gint64 d = FLOW_DIMS (in)[i];

      if (reduced[i])
        job->count *= d;
      if (d == 1)
        continue;
      if (job->rank > 0 && job->folded[job->rank - 1] == reduced[i])
        {
          job->dims[job->rank - 1] *= d;
          continue;
        }
      job->dims[job->rank] = d;
      job->folded[job->rank++] = reduced[i];
    }
  for (int i = job->rank - 1; i >= 0; i--)
    {
      job->strides[i] = stride;
      stride *= job->dims[i];
    }
}

static gboolean
run_halfs (Job               *job,
           const FlowTensor  *in,
           FlowTensor        *out,
           GError           **error)
{
  g_autofree float *cells = g_try_new (float, (gsize) in->n_elements);
  g_autofree float *sums = g_try_new (float, (gsize) out->n_elements + 1);

  FLOW_REQUIRE (cells != NULL && sums != NULL, error, RESOURCE_EXHAUSTED, "OOM when summing");
  flow_to_float (FLOW_DTYPE_HALF, in->data, cells, in->n_elements);
  job->in = (const guint8 *) cells;
  job->out = (guint8 *) sums;
  if (!half_run (job, out->n_elements, error))
    return FALSE;
  flow_from_float (FLOW_DTYPE_HALF, sums, out->data, out->n_elements);
  return TRUE;
}

gboolean
flow_sum_run (FlowRelease        release,
              const FlowTensor  *in,
              const gboolean    *reduced,
              gboolean           mean,
              FlowTensor        *out,
              GError           **error)
{
  Job job = { .in = in->data, .out = out->data, .count = 1, .mean = mean, .release = release };

  plan_dims (&job, in, reduced);
  if (in->dtype == FLOW_DTYPE_HALF)
    return run_halfs (&job, in, out, error);
  if (in->dtype == FLOW_DTYPE_FLOAT)
    return float_run (&job, out->n_elements, error);
  return double_run (&job, out->n_elements, error);
}
