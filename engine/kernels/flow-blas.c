/* flow-blas.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-blas-private.h"

#include "flow-elementwise-private.h"
#include "flow-sgemm-private.h"
#include "flow-parallel.h"
#include "flow-util.h"

#include <string.h>

/* The only door to OpenBLAS. It prints and returns on bad sizes, so all of them are checked here,
 * and its integers have 32 bits. */

/* Multiply-adds below which a product is too small to be shared between threads. */
#define SMALL_PRODUCT (G_GINT64_CONSTANT (1) << 18)

/* cblas.h and openblas_config.h lie elsewhere in every distribution; this is all we use of them. */
typedef enum { CBLAS_ROW_MAJOR = 101 } CblasOrder;
typedef enum { CBLAS_NO_TRANS = 111, CBLAS_TRANS = 112, CBLAS_CONJ_TRANS = 113 } CblasTranspose;

extern void cblas_sgemm (CblasOrder, CblasTranspose, CblasTranspose, int m, int n, int k,
                         float alpha, const float *a, int lda, const float *b, int ldb, float beta,
                         float *c, int ldc);
extern void cblas_dgemm (CblasOrder, CblasTranspose, CblasTranspose, int m, int n, int k,
                         double alpha, const double *a, int lda, const double *b, int ldb,
                         double beta, double *c, int ldc);
extern void cblas_cgemm (CblasOrder, CblasTranspose, CblasTranspose, int m, int n, int k,
                         const void *alpha, const void *a, int lda, const void *b, int ldb,
                         const void *beta, void *c, int ldc);
extern void cblas_zgemm (CblasOrder, CblasTranspose, CblasTranspose, int m, int n, int k,
                         const void *alpha, const void *a, int lda, const void *b, int ldb,
                         const void *beta, void *c, int ldc);
extern void cblas_sgemv (CblasOrder, CblasTranspose, int m, int n, float alpha, const float *a,
                         int lda, const float *x, int incx, float beta, float *y, int incy);
extern void cblas_dgemv (CblasOrder, CblasTranspose, int m, int n, double alpha, const double *a,
                         int lda, const double *x, int incx, double beta, double *y, int incy);
extern int openblas_get_parallel (void);

#define OPENBLAS_OPENMP 2
/* Large enough that OpenBLAS maps its buffers and wakes its threads. */
#define WARM_UP 128

/*
 * flow_blas_init:
 *
 * Called once before kernels run: says so when the loaded OpenBLAS has threads of its own (both
 * builds answer to one soname), and lets it map its buffers while there is memory: when it cannot
 * have them at a first call under a memory limit, it spins for ever.
 */
void
flow_blas_init (void)
{
  static gsize once = 0;

  if (!g_once_init_enter (&once))
    return;
  if (openblas_get_parallel () != OPENBLAS_OPENMP)
    g_message ("OpenBLAS was not built with OpenMP: its threads and ours will fight over the cores");
  else
    {
      float *a = g_new0 (float, WARM_UP * WARM_UP * 2);

      cblas_sgemm (CBLAS_ROW_MAJOR, CBLAS_NO_TRANS, CBLAS_NO_TRANS, WARM_UP, WARM_UP, WARM_UP, 1,
                   a, WARM_UP, a, WARM_UP, 0, a + WARM_UP * WARM_UP, WARM_UP);
      g_free (a);
    }
  g_once_init_leave (&once, 1);
}

static gboolean
check_operand (const char    *name,
               FlowBlasRead   read,
               gint64         rows,
               gint64         columns,
               gint64         ld,
               GError       **error)
{
  gint64 width = read == FLOW_BLAS_PLAIN ? columns : rows;

  FLOW_REQUIRE (ld >= MAX (width, 1), error, INTERNAL,
                "gemm: a row of %s has %" G_GINT64_FORMAT " elements, its stride is %"
                G_GINT64_FORMAT, name, width, ld);
  FLOW_REQUIRE (ld <= G_MAXINT32, error, RESOURCE_EXHAUSTED,
                "matrix product: %s is too wide: %" G_GINT64_FORMAT, name, ld);
  return TRUE;
}

static gboolean
check_job (const FlowGemm  *job,
           GError         **error)
{
  FLOW_REQUIRE (job->m >= 0 && job->n >= 0 && job->k >= 0, error, INTERNAL,
                "gemm: negative size %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                job->m, job->n, job->k);
  FLOW_REQUIRE (job->m <= G_MAXINT32 && job->n <= G_MAXINT32 && job->k <= G_MAXINT32, error,
                RESOURCE_EXHAUSTED, "matrix product too large: %" G_GINT64_FORMAT " x %"
                G_GINT64_FORMAT " x %" G_GINT64_FORMAT, job->m, job->k, job->n);
  return check_operand ("A", job->read_a, job->m, job->k, job->lda, error) &&
         check_operand ("B", job->read_b, job->k, job->n, job->ldb, error) &&
         check_operand ("C", FLOW_BLAS_PLAIN, job->m, job->n, job->ldc, error);
}

static CblasTranspose
to_cblas (FlowBlasRead read)
{
  return read == FLOW_BLAS_PLAIN ? CBLAS_NO_TRANS
         : read == FLOW_BLAS_TRANSPOSED ? CBLAS_TRANS : CBLAS_CONJ_TRANS;
}

/* --- one product per dtype ---------------------------------------------------------------------- */

/* A matrix times a column, or a row times a matrix, is read once: gemv does that at the speed of
 * memory, gemm would copy it first. */
#define REAL_GEMM(type, letter)                                                        \
  static void                                                                          \
  gemm_##type (const FlowGemm *j)                                                      \
  {                                                                                    \
    type beta = j->accumulate ? 1 : 0;                                                 \
    gboolean ta = j->read_a != FLOW_BLAS_PLAIN;                                        \
    gboolean tb = j->read_b != FLOW_BLAS_PLAIN;                                        \
                                                                                       \
    if (j->n == 1)                                                                     \
      cblas_##letter##gemv (CBLAS_ROW_MAJOR, ta ? CBLAS_TRANS : CBLAS_NO_TRANS,        \
                            (int) (ta ? j->k : j->m), (int) (ta ? j->m : j->k), 1, j->a, \
                            (int) j->lda, j->b, (int) (tb ? 1 : j->ldb), beta, j->c,   \
                            (int) j->ldc);                                             \
    else if (j->m == 1)                                                                \
      cblas_##letter##gemv (CBLAS_ROW_MAJOR, tb ? CBLAS_NO_TRANS : CBLAS_TRANS,        \
                            (int) (tb ? j->n : j->k), (int) (tb ? j->k : j->n), 1, j->b, \
                            (int) j->ldb, j->a, (int) (ta ? j->lda : 1), beta, j->c, 1); \
    else                                                                               \
      cblas_##letter##gemm (CBLAS_ROW_MAJOR, ta ? CBLAS_TRANS : CBLAS_NO_TRANS,        \
                            tb ? CBLAS_TRANS : CBLAS_NO_TRANS, (int) j->m, (int) j->n, \
                            (int) j->k, 1, j->a, (int) j->lda, j->b, (int) j->ldb, beta, \
                            j->c, (int) j->ldc);                                       \
  }

REAL_GEMM (float, s)
REAL_GEMM (double, d)

#define COMPLEX_GEMM(type, letter)                                                     \
  static void                                                                          \
  gemm_##type (const FlowGemm *j)                                                      \
  {                                                                                    \
    type one = 1;                                                                      \
    type beta = j->accumulate ? 1 : 0;                                                 \
                                                                                       \
    cblas_##letter##gemm (CBLAS_ROW_MAJOR, to_cblas (j->read_a), to_cblas (j->read_b), \
                          (int) j->m, (int) j->n, (int) j->k, &one, j->a, (int) j->lda, \
                          j->b, (int) j->ldb, &beta, j->c, (int) j->ldc);              \
  }

COMPLEX_GEMM (FlowComplex64, c)
COMPLEX_GEMM (FlowComplex128, z)

/* Integers wrap. Rows of B are walked in memory order; a transposed B is read by columns. */
#define INTEGER_GEMM(type)                                                             \
  FLOW_CLONES static void                                                              \
  gemm_##type (const FlowGemm *j)                                                      \
  {                                                                                    \
    const type *a = j->a;                                                              \
    const type *b = j->b;                                                              \
    gint64 a_row = j->read_a == FLOW_BLAS_PLAIN ? j->lda : 1;                          \
    gint64 a_col = j->read_a == FLOW_BLAS_PLAIN ? 1 : j->lda;                          \
                                                                                       \
    for (gint64 row = 0; row < j->m; row++)                                            \
      {                                                                                \
        type *c = (type *) j->c + row * j->ldc;                                        \
                                                                                       \
        if (!j->accumulate)                                                            \
          memset (c, 0, sizeof (type) * (gsize) j->n);                                 \
        for (gint64 k = 0; k < j->k; k++)                                              \
          {                                                                            \
            type f = a[row * a_row + k * a_col];                                       \
                                                                                       \
            if (j->read_b == FLOW_BLAS_PLAIN)                                          \
              for (gint64 i = 0; i < j->n; i++)                                        \
                c[i] += f * b[k * j->ldb + i];                                         \
            else                                                                       \
              for (gint64 i = 0; i < j->n; i++)                                        \
                c[i] += f * b[i * j->ldb + k];                                         \
          }                                                                            \
      }                                                                                \
  }

INTEGER_GEMM (guint32)
INTEGER_GEMM (guint64)

static void
clear_result (const FlowGemm *job)
{
  gsize size = flow_dtype_size (job->dtype);

  for (gint64 row = 0; row < job->m; row++)
    memset ((guint8 *) job->c + (gsize) (row * job->ldc) * size, 0, (gsize) job->n * size);
}

static void
run_gemm (const FlowGemm *job)
{
  if (job->m == 0 || job->n == 0)
    return;
  if (job->k == 0)
    {
      if (!job->accumulate)
        clear_result (job);
      return;
    }
  switch ((int) job->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      if (flow_sgemm_takes (job))
        flow_sgemm (job);
      else
        gemm_float (job);
      break;
    case FLOW_DTYPE_DOUBLE:
      gemm_double (job);
      break;
    case FLOW_DTYPE_COMPLEX64:
      gemm_FlowComplex64 (job);
      break;
    case FLOW_DTYPE_COMPLEX128:
      gemm_FlowComplex128 (job);
      break;
    case FLOW_DTYPE_INT64:
      gemm_guint64 (job);
      break;
    default:
      gemm_guint32 (job);
      break;
    }
}

/* --- half and bfloat16 -------------------------------------------------------------------------- */

static float *
new_floats (FlowDType      dtype,
            gconstpointer  cells,
            gint64         rows,
            gint64         ld,
            GError       **error)
{
  gint64 n;
  float *floats = NULL;

  if (flow_mul_int64 (rows, ld, &n))
    floats = g_try_malloc_n ((gsize) MAX (n, 1), sizeof (float));
  if (floats == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "OOM when making a float copy of a matrix");
      return NULL;
    }
  if (cells != NULL)
    flow_to_float (dtype, cells, floats, n);
  return floats;
}

/* Elements from the first to the last that an operand stores. */
static gint64
extent (FlowBlasRead read,
        gint64       rows,
        gint64       columns,
        gint64       ld)
{
  gint64 stored_rows = read == FLOW_BLAS_PLAIN ? rows : columns;
  gint64 width = read == FLOW_BLAS_PLAIN ? columns : rows;

  return stored_rows == 0 || width == 0 ? 0 : (stored_rows - 1) * ld + width;
}

/* Rounds @n floats to what a half can hold; @bits is room for as many. */
static void
round_to_half (float   *x,
               guint16 *bits,
               gint64   n)
{
  flow_from_float (FLOW_DTYPE_HALF, x, bits, n);
  flow_to_float (FLOW_DTYPE_HALF, bits, x, n);
}

/* Longer sums TensorFlow makes in parts that depend on the machine's caches; much work is left to BLAS. */
#define HALF_MAX_TERMS 512
#define HALF_MAX_PRODUCTS 1e9

static gboolean
is_exact_half (const FlowGemm *job)
{
  return job->dtype == FLOW_DTYPE_HALF && job->k <= HALF_MAX_TERMS
         && (double) job->m * (double) job->n * (double) job->k <= HALF_MAX_PRODUCTS;
}

/* TF: each product and each sum of halves is rounded to a half, one after the other along k. */
static gboolean
run_half (const FlowGemm  *job,
          GError         **error)
{
  const float *a = job->a;
  const float *b = job->b;
  gsize n = (gsize) MAX (job->n, 1);
  g_autofree float *row = g_try_new (float, n);
  g_autofree float *terms = g_try_new (float, n);
  g_autofree guint16 *bits = g_try_new (guint16, n);

  FLOW_REQUIRE (row != NULL && terms != NULL && bits != NULL, error, RESOURCE_EXHAUSTED,
                "OOM when multiplying halves");
  for (gint64 i = 0; i < job->m; i++)
    {
      float *c = (float *) job->c + i * job->ldc;

      memset (row, 0, n * sizeof (float));
      for (gint64 k = 0; k < job->k; k++)
        {
          float x = job->read_a == FLOW_BLAS_PLAIN ? a[i * job->lda + k] : a[k * job->lda + i];
          const float *y = b + (job->read_b == FLOW_BLAS_PLAIN ? k * job->ldb : k);
          gint64 step = job->read_b == FLOW_BLAS_PLAIN ? 1 : job->ldb;

          for (gint64 j = 0; j < job->n; j++)
            terms[j] = x * y[j * step];
          round_to_half (terms, bits, job->n);
          for (gint64 j = 0; j < job->n; j++)
            row[j] += terms[j];
          round_to_half (row, bits, job->n);
        }
      if (job->accumulate)
        for (gint64 j = 0; j < job->n; j++)
          row[j] += c[j];
      round_to_half (row, bits, job->n);
      memcpy (c, row, (gsize) job->n * sizeof (float));
    }
  return TRUE;
}

static void
cut_to_bfloat16 (float *x)
{
  guint32 bits = 0;

  memcpy (&bits, x, sizeof bits);
  bits &= 0xffff0000u;
  memcpy (x, &bits, sizeof bits);
}

static gboolean
run_through_float (const FlowGemm  *job,
                   GError         **error)
{
  g_autofree float *a = new_floats (job->dtype, job->a, 1,
                                    extent (job->read_a, job->m, job->k, job->lda), error);
  g_autofree float *b = NULL;
  g_autofree float *c = NULL;
  FlowGemm f = *job;

  if (a == NULL)
    return FALSE;
  b = new_floats (job->dtype, job->b, 1, extent (job->read_b, job->k, job->n, job->ldb), error);
  if (b == NULL)
    return FALSE;
  c = new_floats (job->dtype, NULL, job->m, job->n, error);
  if (c == NULL)
    return FALSE;
  f.dtype = FLOW_DTYPE_FLOAT;
  f.a = a;
  f.b = b;
  f.c = c;
  f.ldc = MAX (job->n, 1);
  for (gint64 row = 0; job->accumulate && row < job->m; row++)
    flow_to_float (job->dtype, (const guint16 *) job->c + row * job->ldc, c + row * job->n, job->n);
  if (!is_exact_half (job))
    run_gemm (&f);
  else if (!run_half (&f, error))
    return FALSE;
  for (gint64 row = 0; job->cuts && row < job->m; row++)
    for (gint64 j = 0; j < job->n; j++)
      cut_to_bfloat16 (&c[row * job->n + j]);
  for (gint64 row = 0; row < job->m; row++)
    flow_from_float (job->dtype, c + row * job->n, (guint16 *) job->c + row * job->ldc, job->n);
  return TRUE;
}

/*
 * flow_blas_gemm:
 *
 * One matrix product; k = 0 clears C. Fails with RESOURCE_EXHAUSTED where a size is beyond what BLAS
 * can count.
 */
gboolean
flow_blas_gemm (const FlowGemm  *job,
                GError         **error)
{
  if (!check_job (job, error))
    return FALSE;
  flow_blas_init ();
  flow_parallel_bind_libraries ();
  if (job->dtype == FLOW_DTYPE_HALF || job->dtype == FLOW_DTYPE_BFLOAT16)
    return run_through_float (job, error);
  run_gemm (job);
  return TRUE;
}

/*
 * flow_blas_gemm_half:
 *
 * As flow_blas_gemm() of halves, whose operands and result are floats that halves can hold.
 */
gboolean
flow_blas_gemm_half (const FlowGemm  *job,
                     GError         **error)
{
  g_autofree guint16 *bits = NULL;
  FlowGemm f = *job;

  g_assert (job->dtype == FLOW_DTYPE_HALF);
  if (!check_job (job, error))
    return FALSE;
  if (is_exact_half (job))
    return run_half (job, error);
  f.dtype = FLOW_DTYPE_FLOAT;
  if (!flow_blas_gemm (&f, error))
    return FALSE;
  bits = g_try_new (guint16, (gsize) MAX (job->n, 1));
  FLOW_REQUIRE (bits != NULL, error, RESOURCE_EXHAUSTED, "OOM when multiplying halves");
  for (gint64 row = 0; row < job->m; row++)
    round_to_half ((float *) job->c + row * job->ldc, bits, job->n);
  return TRUE;
}

typedef struct {
  const FlowGemm *form;
  const gint64 *a_offsets;
  const gint64 *b_offsets;
  gint64 c_stride;
  gint64 n;
  int failed;
} Batch;

static void
batch_range (gint64   begin,
             gint64   end,
             gpointer data)
{
  Batch *batch = data;
  gint64 size = (gint64) flow_dtype_size (batch->form->dtype);

  for (gint64 i = begin; i < end; i++)
    {
      FlowGemm job = *batch->form;

      job.a = (const guint8 *) job.a + batch->a_offsets[i] * size;
      job.b = (const guint8 *) job.b + batch->b_offsets[i] * size;
      job.c = (guint8 *) job.c + i * batch->c_stride * size;
      if (batch->n > 1 && flow_sgemm_takes_batched (&job))
        flow_sgemm_batched (&job);
      else if (job.dtype != FLOW_DTYPE_HALF && job.dtype != FLOW_DTYPE_BFLOAT16)
        run_gemm (&job);
      else if (!run_through_float (&job, NULL))
        g_atomic_int_set (&batch->failed, 1);
    }
}

/*
 * flow_blas_gemm_many:
 *
 * Many products of one form. Small ones are shared out whole, one thread each; large ones follow one
 * another and BLAS uses all threads for each.
 */
gboolean
flow_blas_gemm_many (const FlowGemm  *job,
                     gint64           n_batches,
                     const gint64    *a_offsets,
                     const gint64    *b_offsets,
                     gint64           c_stride,
                     GError         **error)
{
  Batch batch = { job, a_offsets, b_offsets, c_stride, n_batches, 0 };
  gint64 work;

  if (!check_job (job, error))
    return FALSE;
  flow_blas_init ();
  flow_parallel_bind_libraries ();
  if (!flow_mul_int64 (job->m * MAX (job->k, 1), job->n, &work))
    work = G_MAXINT64;
  if (work >= SMALL_PRODUCT)
    batch_range (0, n_batches, &batch);
  else
    flow_parallel_for (n_batches, MAX (1, SMALL_PRODUCT / MAX (work, 1) / 8), batch_range, &batch);
  FLOW_REQUIRE (!batch.failed, error, RESOURCE_EXHAUSTED,
                "OOM when making a float copy of a matrix");
  return TRUE;
}
