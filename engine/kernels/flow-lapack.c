/* flow-lapack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-lapack-private.h"

#include <complex.h>
#include <math.h>

/* Debian's OpenBLAS has the Fortran names only. */
#define DECLARE_COMMON(p, T)                                                                              \
  void p##potrf_ (const char *uplo, const int *n, T *a, const int *lda, int *info);                       \
  void p##getrf_ (const int *m, const int *n, T *a, const int *lda, int *ipiv, int *info);                \
  void p##getri_ (const int *n, T *a, const int *lda, const int *ipiv, T *work, const int *lwork, int *info); \
  void p##getrs_ (const char *trans, const int *n, const int *nrhs, const T *a, const int *lda,           \
                  const int *ipiv, T *b, const int *ldb, int *info);                                      \
  void p##geqrf_ (const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *lwork, int *info);

DECLARE_COMMON (s, float)
DECLARE_COMMON (d, double)
DECLARE_COMMON (c, float complex)
DECLARE_COMMON (z, double complex)

#define DECLARE_Q(name, T)                                                                     \
  void name (const int *m, const int *n, const int *k, T *a, const int *lda, const T *tau, T *work, \
             const int *lwork, int *info);
DECLARE_Q (sorgqr_, float)
DECLARE_Q (dorgqr_, double)
DECLARE_Q (cungqr_, float complex)
DECLARE_Q (zungqr_, double complex)

#define DECLARE_REAL(p, T)                                                                             \
  void p##gesvd_ (const char *jobu, const char *jobvt, const int *m, const int *n, T *a, const int *lda, T *s, \
                  T *u, const int *ldu, T *vt, const int *ldvt, T *work, const int *lwork, int *info);
DECLARE_REAL (s, float)
DECLARE_REAL (d, double)

#define DECLARE_COMPLEX(p, T, R)                                                                       \
  void p##gesvd_ (const char *jobu, const char *jobvt, const int *m, const int *n, T *a, const int *lda, R *s, \
                  T *u, const int *ldu, T *vt, const int *ldvt, T *work, const int *lwork, R *rwork, int *info);
DECLARE_COMPLEX (c, float complex, float)
DECLARE_COMPLEX (z, double complex, double)

void zgees_ (const char *jobvs, const char *sort, gpointer select, const int *n, double complex *a, const int *lda,
             int *sdim, double complex *w, double complex *vs, const int *ldvs, double complex *work,
             const int *lwork, double *rwork, int *bwork, int *info);

/* Work space of the size a first call asked for. */
static gpointer
work_space (double wanted,
            gsize  element_size,
            int   *lwork)
{
  if (!(wanted >= 1))
    wanted = 1;
  if (wanted > G_MAXINT)
    return NULL;
  *lwork = (int) wanted;
  return g_try_malloc_n ((gsize) *lwork, element_size);
}

/* TF: matrices up to this size are factored column by column, the column divided by its pivot. LAPACK multiplies by the
 * reciprocal, so that what is left of a singular matrix is rounding, not zero. */
#define SMALL_LU 16

#define DEFINE_COMMON(p, T, ABS, form_q_function)                                               \
  static int                                                                                    \
  p##_factor_cholesky (int n, gpointer a)                                                       \
  {                                                                                             \
    int info = 0;                                                                               \
    p##potrf_ ("L", &n, a, &n, &info);                                                          \
    return info;                                                                                \
  }                                                                                             \
  static int                                                                                    \
  p##_factor_small (int n, T *a, int *pivots)                                                   \
  {                                                                                             \
    int info = 0;                                                                               \
                                                                                                \
    for (int k = 0; k < n; k++)                                                                 \
      {                                                                                         \
        T *column = a + (gsize) k * n;                                                          \
        int best = k;                                                                           \
                                                                                                \
        for (int i = k + 1; i < n; i++)                                                         \
          if (ABS (column[i]) > ABS (column[best]))                                             \
            best = i;                                                                           \
        pivots[k] = best + 1;                                                                   \
        if (column[best] == 0 && info == 0)                                                     \
          info = k + 1;                                                                         \
        for (int j = 0; best != k && j < n; j++)                                                \
          {                                                                                     \
            T cell = a[(gsize) j * n + k];                                                      \
            a[(gsize) j * n + k] = a[(gsize) j * n + best];                                     \
            a[(gsize) j * n + best] = cell;                                                     \
          }                                                                                     \
        for (int i = k + 1; column[k] != 0 && i < n; i++)                                       \
          column[i] /= column[k];                                                               \
        for (int j = k + 1; j < n; j++)                                                         \
          for (int i = k + 1; i < n; i++)                                                       \
            a[(gsize) j * n + i] -= column[i] * a[(gsize) j * n + k];                           \
      }                                                                                         \
    return info;                                                                                \
  }                                                                                             \
  static int                                                                                    \
  p##_factor_lu (int n, gpointer a, int *pivots)                                                \
  {                                                                                             \
    int info = 0;                                                                               \
    if (n <= SMALL_LU)                                                                          \
      return p##_factor_small (n, a, pivots);                                                   \
    p##getrf_ (&n, &n, a, &n, pivots, &info);                                                   \
    return info;                                                                                \
  }                                                                                             \
  static int                                                                                    \
  p##_invert_lu (int n, gpointer a, const int *pivots)                                          \
  {                                                                                             \
    int info = 0, lwork = -1;                                                                   \
    T size = 0;                                                                                 \
    g_autofree T *work = NULL;                                                                  \
    p##getri_ (&n, a, &n, pivots, &size, &lwork, &info);                                        \
    work = work_space (creal (size), sizeof (T), &lwork);                                       \
    if (work == NULL)                                                                           \
      return FLOW_LAPACK_NO_MEMORY;                                                             \
    p##getri_ (&n, a, &n, pivots, work, &lwork, &info);                                         \
    return info;                                                                                \
  }                                                                                             \
  static int                                                                                    \
  p##_solve_lu (int n, int n_rhs, gconstpointer a, const int *pivots, gpointer b)               \
  {                                                                                             \
    int info = 0;                                                                               \
    p##getrs_ ("N", &n, &n_rhs, a, &n, pivots, b, &n, &info);                                   \
    return info;                                                                                \
  }                                                                                             \
  static int                                                                                    \
  p##_factor_qr (int m, int n, gpointer a, gpointer tau)                                        \
  {                                                                                             \
    int info = 0, lwork = -1;                                                                   \
    T size = 0;                                                                                 \
    g_autofree T *work = NULL;                                                                  \
    p##geqrf_ (&m, &n, a, &m, tau, &size, &lwork, &info);                                       \
    work = work_space (creal (size), sizeof (T), &lwork);                                       \
    if (work == NULL)                                                                           \
      return FLOW_LAPACK_NO_MEMORY;                                                             \
    p##geqrf_ (&m, &n, a, &m, tau, work, &lwork, &info);                                        \
    return info;                                                                                \
  }                                                                                             \
  static int                                                                                    \
  p##_form_q (int m, int n_columns, int k, gpointer a, gconstpointer tau)                       \
  {                                                                                             \
    int info = 0, lwork = -1;                                                                   \
    T size = 0;                                                                                 \
    g_autofree T *work = NULL;                                                                  \
    form_q_function (&m, &n_columns, &k, a, &m, tau, &size, &lwork, &info);                     \
    work = work_space (creal (size), sizeof (T), &lwork);                                       \
    if (work == NULL)                                                                           \
      return FLOW_LAPACK_NO_MEMORY;                                                             \
    form_q_function (&m, &n_columns, &k, a, &m, tau, work, &lwork, &info);                      \
    return info;                                                                                \
  }

DEFINE_COMMON (s, float, fabsf, sorgqr_)
DEFINE_COMMON (d, double, fabs, dorgqr_)
DEFINE_COMMON (c, float complex, cabsf, cungqr_)
DEFINE_COMMON (z, double complex, cabs, zungqr_)

#define DEFINE_REAL(p, T)                                                                       \
  static int                                                                                    \
  p##_svd (char job, int m, int n, gpointer a, gpointer s, gpointer u, int ld_u, gpointer vt, int ld_vt) \
  {                                                                                             \
    int info = 0, lwork = -1;                                                                   \
    T size = 0;                                                                                 \
    g_autofree T *work = NULL;                                                                  \
    p##gesvd_ (&job, &job, &m, &n, a, &m, s, u, &ld_u, vt, &ld_vt, &size, &lwork, &info);       \
    work = work_space ((double) size, sizeof (T), &lwork);                                      \
    if (work == NULL)                                                                           \
      return FLOW_LAPACK_NO_MEMORY;                                                             \
    p##gesvd_ (&job, &job, &m, &n, a, &m, s, u, &ld_u, vt, &ld_vt, work, &lwork, &info);        \
    return info;                                                                                \
  }

DEFINE_REAL (s, float)
DEFINE_REAL (d, double)

#define DEFINE_COMPLEX(p, T, R)                                                                 \
  static int                                                                                    \
  p##_svd (char job, int m, int n, gpointer a, gpointer s, gpointer u, int ld_u, gpointer vt, int ld_vt) \
  {                                                                                             \
    int info = 0, lwork = -1;                                                                   \
    T size = 0;                                                                                 \
    g_autofree R *real_work = g_try_new (R, 5 * (gsize) MIN (m, n));                            \
    g_autofree T *work = NULL;                                                                  \
    if (real_work == NULL)                                                                      \
      return FLOW_LAPACK_NO_MEMORY;                                                             \
    p##gesvd_ (&job, &job, &m, &n, a, &m, s, u, &ld_u, vt, &ld_vt, &size, &lwork, real_work, &info); \
    work = work_space (creal (size), sizeof (T), &lwork);                                       \
    if (work == NULL)                                                                           \
      return FLOW_LAPACK_NO_MEMORY;                                                             \
    p##gesvd_ (&job, &job, &m, &n, a, &m, s, u, &ld_u, vt, &ld_vt, work, &lwork, real_work, &info); \
    return info;                                                                                \
  }

DEFINE_COMPLEX (c, float complex, float)
DEFINE_COMPLEX (z, double complex, double)

#define TABLE(p)                                                                                   \
  static const FlowLapack p##_lapack = { p##_factor_cholesky, p##_factor_lu, p##_invert_lu, p##_solve_lu, \
                                         p##_factor_qr, p##_form_q, _flow_eigen_##p, p##_svd };
TABLE (s)
TABLE (d)
TABLE (c)
TABLE (z)

int
_flow_lapack_schur (int      n,
                    gpointer a,
                    gpointer z)
{
  g_autofree double complex *values = g_try_new (double complex, (gsize) n);
  g_autofree double *real_work = g_try_new (double, (gsize) n);
  g_autofree double complex *work = NULL;
  double complex size = 0;
  int lwork = -1;
  int n_sorted;
  int info = 0;

  if (values == NULL || real_work == NULL)
    return FLOW_LAPACK_NO_MEMORY;
  zgees_ ("V", "N", NULL, &n, a, &n, &n_sorted, values, z, &n, &size, &lwork, real_work, NULL, &info);
  work = work_space (creal (size), sizeof (double complex), &lwork);
  if (work == NULL)
    return FLOW_LAPACK_NO_MEMORY;
  zgees_ ("V", "N", NULL, &n, a, &n, &n_sorted, values, z, &n, work, &lwork, real_work, NULL, &info);
  return info;
}

const FlowLapack *
_flow_lapack_for_dtype (FlowDType dtype)
{
  if (dtype == FLOW_DTYPE_FLOAT)
    return &s_lapack;
  if (dtype == FLOW_DTYPE_DOUBLE)
    return &d_lapack;
  if (dtype == FLOW_DTYPE_COMPLEX64)
    return &c_lapack;
  return dtype == FLOW_DTYPE_COMPLEX128 ? &z_lapack : NULL;
}

/* LAPACK tells of an argument that it cannot use, such as a scale that a NaN got into, on standard output,
 * in the midst of what flowstep-cli prints. The caller is told by info as well, so this handler, which
 * LAPACK's manual lets a program replace, says nothing. */
FLOW_API void xerbla_ (const char *name, const int *argument, gsize name_length);

void
xerbla_ (const char *name,
         const int  *argument,
         gsize       name_length)
{
}
