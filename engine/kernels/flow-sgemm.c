/* flow-sgemm.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sgemm-private.h"

#include "flow-parallel.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

#if defined (__x86_64__) && defined (__GNUC__)
#include <immintrin.h>
#define HAS_FMA_KERNEL 1
#endif

/* Beyond so many products of two numbers BLAS is worth more than the last bit. People compare numbers that scripts
 * of 1.15 print, so these go further. */
static const gint64 most_products[FLOW_N_RELEASES] = { 1 << 25, 1 << 22 };
#define MOST_BY_VECTOR (G_GINT64_CONSTANT (1) << 18)
/* A batch of products that are no larger is computed product by product, without fused operations (TF: in 1.15
 * up to 2^22, which is too slow here). */
static const gint64 most_batched[FLOW_N_RELEASES] = { 1 << 18, 16384 };
/* TF: products whose dims add up to less go cell by cell, each sum in plain order. */
#define TINY 20
/* TF cuts long sums into blocks of equal length, at most the first of these (a batch's products, which it computes in
 * another way, the second); what multiplies the blocks halves those that are longer than the third. */
#define MOST_DEEP 608
#define MOST_DEEP_BATCHED 400
#define MOST_AT_ONCE 384

/* An operand with the strides that its reading needs, in cells. */
typedef struct {
  const float *cells;
  gint64 row;
  gint64 column;
} Operand;

static Operand
operand_of (gconstpointer cells,
            gint64        ld,
            FlowBlasRead  read)
{
  return read == FLOW_BLAS_PLAIN ? (Operand) { cells, ld, 1 } : (Operand) { cells, 1, ld };
}

static inline float
at (const Operand *x,
    gint64         row,
    gint64         column)
{
  return x->cells[row * x->row + column * x->column];
}

static inline void
put (const FlowGemm *job,
     gint64          row,
     gint64          column,
     gboolean        add,
     float           sum)
{
  float *c = (float *) job->c + row * job->ldc + column;

  *c = add ? *c + sum : sum;
}

/* --- sums of products, not fused ------------------------------------------------------------------ */

static float
plain_sum (const Operand *a,
           const Operand *b,
           gint64         row,
           gint64         column,
           gint64         begin,
           gint64         end)
{
  float sum = 0;

  for (gint64 k = begin; k < end; k++)
    sum += at (a, row, k) * at (b, k, column);
  return sum;
}

/* Blocks of 16 (or 4) terms are summed, and the sums of the blocks. */
static float
sum_in_blocks (const Operand *a,
               const Operand *b,
               gint64         row,
               gint64         column,
               gint64         n,
               gint64         stride)
{
  gint64 block = n < 128 ? MAX (n, 1) : stride * 4 < 32000 ? 16 : 4;
  float sum = 0;

  for (gint64 k = 0; k < n; k += block)
    sum += plain_sum (a, b, row, column, k, MIN (n, k + block));
  return sum;
}

/* By vectors of eight; where no other row is left beside this one, then one of four. */
static float
sum_in_vectors (const Operand *a,
                const Operand *b,
                gint64         row,
                gint64         column,
                gint64         n,
                gboolean       alone)
{
  float v[8] = { 0 };
  gint64 k = 0;
  float sum;

  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < 8; i++)
      v[i] += at (a, row, k + i) * at (b, k + i, column);
  sum = ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
  if (alone && k + 4 <= n)
    {
      for (int i = 0; i < 4; i++)
        v[i] = at (a, row, k + i) * at (b, k + i, column);
      sum += (v[0] + v[2]) + (v[1] + v[3]);
      k += 4;
    }
  for (; k < n; k++)
    sum += at (a, row, k) * at (b, k, column);
  return sum;
}

/* Both operands lie along the sum: two vectors of eight in turn, then one, then cell by cell. */
static float
sum_of_two_vectors (const Operand *a,
                    const Operand *b,
                    gint64         row,
                    gint64         column,
                    gint64         n)
{
  float v[2][8] = { { 0 } };
  gint64 k = 0;
  float sum;

  for (; k + 16 <= n; k += 16)
    for (int i = 0; i < 16; i++)
      v[i / 8][i % 8] += at (a, row, k + i) * at (b, k + i, column);
  for (int i = 0; i < 8; i++)
    v[0][i] += v[1][i];
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < 8; i++)
      v[0][i] += at (a, row, k + i) * at (b, k + i, column);
  sum = ((v[0][0] + v[0][4]) + (v[0][2] + v[0][6])) + ((v[0][1] + v[0][5]) + (v[0][3] + v[0][7]));
  for (; k < n; k++)
    sum += at (a, row, k) * at (b, k, column);
  return sum;
}

/* TF's products cell by cell: by vectors where A lies by rows and B is read transposed. */
static float
sum_of_cell (const FlowGemm *job,
             const Operand  *a,
             const Operand  *b,
             gint64          row,
             gint64          column)
{
  if (job->read_a == FLOW_BLAS_PLAIN && job->read_b != FLOW_BLAS_PLAIN && job->k >= 8)
    return sum_of_two_vectors (a, b, row, column, job->k);
  return plain_sum (a, b, row, column, 0, job->k);
}

/* m or n is 1. */
static void
multiply_vector (const FlowGemm *job)
{
  Operand a = operand_of (job->a, job->lda, job->read_a);
  Operand b = operand_of (job->b, job->ldb, job->read_b);
  /* TF: two vectors; in 1.15 the second must lie as a column. */
  gboolean of_vectors = job->m == 1 && job->n == 1 && (job->release == FLOW_RELEASE_2 || job->read_b == FLOW_BLAS_PLAIN);
  gboolean tiny = job->m + job->n + job->k < TINY || of_vectors;
  gboolean across = job->m == 1;
  const Operand *matrix = across ? &b : &a;
  gboolean rows_lie = across ? b.column != 1 : a.column == 1;
  gint64 n = MAX (job->m, job->n);

  for (gint64 i = 0; i < n; i++)
    {
      gint64 row = across ? 0 : i;
      gint64 column = across ? i : 0;
      float sum = tiny ? sum_of_cell (job, &a, &b, row, column)
                  : rows_lie ? sum_in_vectors (&a, &b, row, column, job->k, i + 1 == n && n % 2 == 1)
                  : sum_in_blocks (&a, &b, row, column, job->k, MAX (matrix->row, matrix->column));

      put (job, row, column, job->accumulate, sum);
    }
}

/* Eight sums in turn, of pairs: what the last columns of four rows have. */
static float
sum_in_pairs (const Operand *a,
              const Operand *b,
              gint64         row,
              gint64         column,
              gint64         n)
{
  float v[4][2] = { { 0 } };
  gint64 k = 0;
  float sum;

  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < 8; i++)
      v[i / 2][i % 2] += at (a, row, k + i) * at (b, k + i, column);
  for (int i = 0; i < 2; i++)
    v[0][i] = (v[0][i] + v[1][i]) + (v[2][i] + v[3][i]);
  for (; k + 2 <= n; k += 2)
    for (int i = 0; i < 2; i++)
      v[0][i] += at (a, row, k + i) * at (b, k + i, column);
  sum = v[0][0] + v[0][1];
  return k < n ? sum + at (a, row, k) * at (b, k, column) : sum;
}

/* Terms of even and of odd place apart, in whole eights. */
static float
sum_by_turns (const Operand *a,
              const Operand *b,
              gint64         row,
              gint64         column,
              gint64         n)
{
  float even = 0;
  float odd = 0;
  gint64 k = 0;

  for (; k < n / 8 * 8; k += 2)
    {
      even += at (a, row, k) * at (b, k, column);
      odd += at (a, row, k + 1) * at (b, k + 1, column);
    }
  even += odd;
  for (; k < n; k++)
    even += at (a, row, k) * at (b, k, column);
  return even;
}

gboolean
flow_sgemm_takes_batched (const FlowGemm *job)
{
  gint64 products;

  return job->dtype == FLOW_DTYPE_FLOAT && job->k > 0 && job->k <= MOST_DEEP_BATCHED &&
         flow_mul_int64 (job->m, job->n, &products) && flow_mul_int64 (products, job->k, &products) &&
         products <= most_batched[job->release];
}

void
flow_sgemm_batched (const FlowGemm *job)
{
  Operand a = operand_of (job->a, job->lda, job->read_a);
  Operand b = operand_of (job->b, job->ldb, job->read_b);
  /* TF takes columns by 16, 8 and 4, and what is left by one; rows by four and by one. */
  gboolean tiny = job->m + job->n + job->k < TINY;
  gint64 in_pairs_of_vectors = job->n / 16 * 16;
  gint64 in_vectors = job->n / 4 * 4;

  if (job->m == 1 || job->n == 1)
    {
      multiply_vector (job);
      return;
    }
  for (gint64 row = 0; row < job->m; row++)
    for (gint64 column = 0; column < job->n; column++)
      {
        float sum;

        if (tiny)
          sum = sum_of_cell (job, &a, &b, row, column);
        else if (row >= job->m / 4 * 4 || column < in_pairs_of_vectors)
          sum = plain_sum (&a, &b, row, column, 0, job->k);
        else if (column < in_vectors)
          sum = sum_by_turns (&a, &b, row, column, job->k);
        else
          sum = sum_in_pairs (&a, &b, row, column, job->k);
        put (job, row, column, job->accumulate, sum);
      }
}

/* --- fused: tiles of 6 x 16, every cell a chain of fused operations ----------------------------------- */

#define TILE_ROWS 6
#define TILE_COLUMNS 16

/* Rows (or columns) beyond the edge are 0. */
static void
pack (const float *cells,
      gint64       across,
      gint64       along,
      gint64       n,
      gint64       depth,
      int          width,
      float       *packed)
{
  if (n < width)
    memset (packed, 0, (gsize) (depth * width) * sizeof (float));
  for (gint64 k = 0; k < depth; k++)
    for (gint64 i = 0; i < n; i++)
      packed[k * width + i] = cells[i * across + k * along];
}

static void
multiply_tile (const float *a,
               const float *b,
               gint64       depth,
               float       *sums)
{
  memset (sums, 0, TILE_ROWS * TILE_COLUMNS * sizeof (float));
  for (gint64 k = 0; k < depth; k++)
    for (int i = 0; i < TILE_ROWS; i++)
      for (int j = 0; j < TILE_COLUMNS; j++)
        sums[i * TILE_COLUMNS + j] = fmaf (a[k * TILE_ROWS + i], b[k * TILE_COLUMNS + j], sums[i * TILE_COLUMNS + j]);
}

#if HAS_FMA_KERNEL
__attribute__ ((target ("avx2,fma"))) static void
multiply_tile_fma (const float *a,
                   const float *b,
                   gint64       depth,
                   float       *result)
{
  __m256 sums[TILE_ROWS][2];

#pragma GCC unroll 6
  for (int i = 0; i < TILE_ROWS; i++)
    sums[i][0] = sums[i][1] = _mm256_setzero_ps ();
  for (gint64 k = 0; k < depth; k++)
    {
      __m256 left = _mm256_loadu_ps (b + k * TILE_COLUMNS);
      __m256 right = _mm256_loadu_ps (b + k * TILE_COLUMNS + 8);

#pragma GCC unroll 6
      for (int i = 0; i < TILE_ROWS; i++)
        {
          __m256 f = _mm256_broadcast_ss (a + k * TILE_ROWS + i);

          sums[i][0] = _mm256_fmadd_ps (f, left, sums[i][0]);
          sums[i][1] = _mm256_fmadd_ps (f, right, sums[i][1]);
        }
    }
#pragma GCC unroll 6
  for (int i = 0; i < TILE_ROWS; i++)
    {
      _mm256_storeu_ps (result + i * TILE_COLUMNS, sums[i][0]);
      _mm256_storeu_ps (result + i * TILE_COLUMNS + 8, sums[i][1]);
    }
}
#endif

/* Some columns, and of every cell's sum some terms. */
typedef struct {
  const FlowGemm *job;
  const float *packed;         /* of B: a tile of columns after the other */
  gint64 column;
  gint64 n_columns;
  gint64 begin;
  gint64 depth;
  gboolean add;
  void (*multiply) (const float *a, const float *b, gint64 depth, float *sums);
} Part;

/* Tiles of rows first .. last. */
static void
multiply_rows (gint64   first,
               gint64   last,
               gpointer data)
{
  const Part *part = data;
  const FlowGemm *job = part->job;
  const Operand a = operand_of (job->a, job->lda, job->read_a);
  float rows[MOST_AT_ONCE * TILE_ROWS];
  float sums[TILE_ROWS * TILE_COLUMNS];

  for (gint64 row = first * TILE_ROWS; row < MIN (last * TILE_ROWS, job->m); row += TILE_ROWS)
    {
      gint64 n_rows = MIN (TILE_ROWS, job->m - row);

      pack (a.cells + row * a.row + part->begin * a.column, a.row, a.column, n_rows, part->depth, TILE_ROWS, rows);
      for (gint64 at = 0; at < part->n_columns; at += TILE_COLUMNS)
        {
          gint64 n_columns = MIN (TILE_COLUMNS, part->n_columns - at);

          part->multiply (rows, part->packed + at * part->depth, part->depth, sums);
          for (gint64 i = 0; i < n_rows; i++)
            for (gint64 j = 0; j < n_columns; j++)
              put (job, row + i, part->column + at + j, part->add, sums[i * TILE_COLUMNS + j]);
        }
    }
}

/* Products that are worth a thread. */
#define GRAIN (1 << 17)

/* Terms begin .. begin + depth of every cell, for the columns that @packed has room for at a time. */
static void
multiply_block (const FlowGemm *job,
                float          *packed,
                gint64          most_columns,
                gint64          begin,
                gint64          depth,
                gboolean        add)
{
  const Operand b = operand_of (job->b, job->ldb, job->read_b);
  Part part = { .job = job, .packed = packed, .begin = begin, .depth = depth, .add = add, .multiply = multiply_tile };

#if HAS_FMA_KERNEL
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    part.multiply = multiply_tile_fma;
#endif
  for (part.column = 0; part.column < job->n; part.column += most_columns)
    {
      part.n_columns = MIN (most_columns, job->n - part.column);
      for (gint64 at = 0; at < part.n_columns; at += TILE_COLUMNS)
        pack (b.cells + begin * b.row + (part.column + at) * b.column, b.column, b.row,
              MIN (TILE_COLUMNS, part.n_columns - at), depth, TILE_COLUMNS, packed + at * depth);
      flow_parallel_for ((job->m + TILE_ROWS - 1) / TILE_ROWS, 1 + GRAIN / (TILE_ROWS * part.n_columns * depth), multiply_rows,
                         &part);
    }
}

static gint64
rounded_up (gint64 n,
            gint64 multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

gboolean
flow_sgemm_takes (const FlowGemm *job)
{
  gint64 products;

  /* A sum of several blocks is added to what is there as a whole. */
  if (job->dtype != FLOW_DTYPE_FLOAT || job->k == 0 || (job->accumulate && job->k > MOST_AT_ONCE))
    return FALSE;
  return flow_mul_int64 (job->m, job->n, &products) && flow_mul_int64 (products, job->k, &products) &&
         products <= (job->m == 1 || job->n == 1 ? MOST_BY_VECTOR : most_products[job->release]);
}

/* Columns of B that are packed at a time: they stay in the second-level cache, FEW_COLUMNS on the stack. */
#define MOST_COLUMNS 256
#define FEW_COLUMNS 32

void
flow_sgemm (const FlowGemm *job)
{
  float packed[FEW_COLUMNS * MOST_AT_ONCE];
  g_autofree float *more = NULL;
  gint64 n_blocks = (job->k + MOST_DEEP - 1) / MOST_DEEP;
  gint64 block = MAX (rounded_up (job->k / n_blocks, 8), 8);
  gint64 columns = MIN (rounded_up (job->n, TILE_COLUMNS), MOST_COLUMNS);

  if (job->m == 1 || job->n == 1)
    {
      multiply_vector (job);
      return;
    }
  if (columns > FEW_COLUMNS && (more = g_try_new (float, (gsize) (columns * MIN (job->k, MOST_AT_ONCE)))) == NULL)
    columns = FEW_COLUMNS;
  for (gint64 begin = 0; begin < job->k; begin += block)
    {
      gint64 depth = MIN (block, job->k - begin);
      gint64 first = depth > MOST_AT_ONCE ? (depth + 1) / 2 : depth;

      multiply_block (job, more != NULL ? more : packed, columns, begin, first, job->accumulate || begin > 0);
      if (first < depth)
        multiply_block (job, more != NULL ? more : packed, columns, begin + first, depth - first, TRUE);
    }
}

/* --- fused: dot products of sixteen lanes ------------------------------------------------------------- */

#define LANES 16

static float
sum_of_lanes (const float *v)
{
  float half[LANES];

  memcpy (half, v, sizeof half);
  for (int n = LANES / 2; n > 0; n /= 2)
    for (int i = 0; i < n; i++)
      half[i] += half[i + n];
  return half[0];
}

static void
fuse_lanes (const float *a,
            const float *b,
            gint64       depth,
            float       *v)
{
  for (gint64 k = 0; k < depth; k += LANES)
    for (gint64 i = 0; i < MIN (LANES, depth - k); i++)
      v[i] = fmaf (a[k + i], b[k + i], v[i]);
}

#if HAS_FMA_KERNEL
__attribute__ ((target ("avx2,fma"))) static void
fuse_lanes_fma (const float *a,
                const float *b,
                gint64       depth,
                float       *v)
{
  __m256 left = _mm256_setzero_ps ();
  __m256 right = _mm256_setzero_ps ();
  gint64 k = 0;

  for (; k + LANES <= depth; k += LANES)
    {
      left = _mm256_fmadd_ps (_mm256_loadu_ps (a + k), _mm256_loadu_ps (b + k), left);
      right = _mm256_fmadd_ps (_mm256_loadu_ps (a + k + 8), _mm256_loadu_ps (b + k + 8), right);
    }
  _mm256_storeu_ps (v, left);
  _mm256_storeu_ps (v + 8, right);
  for (gint64 i = 0; k < depth; i++, k++)
    v[i] = fmaf (a[k], b[k], v[i]);
}
#endif

void
flow_sgemm_by_lanes (const FlowGemm *job)
{
  void (*fuse) (const float *a, const float *b, gint64 depth, float *v) = fuse_lanes;

#if HAS_FMA_KERNEL
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    fuse = fuse_lanes_fma;
#endif
  for (gint64 row = 0; row < job->m; row++)
    for (gint64 column = 0; column < job->n; column++)
      {
        float v[LANES] = { 0 };

        fuse ((const float *) job->a + row * job->lda, (const float *) job->b + column * job->ldb, job->k, v);
        put (job, row, column, job->accumulate, sum_of_lanes (v));
      }
}
