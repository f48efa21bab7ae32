/* flow-lapack-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-dtype.h"

G_BEGIN_DECLS

/* LAPACK by OpenBLAS, one table per dtype: matrices are column-major and all sizes 32-bit, which who
 * calls has checked. Every function gives LAPACK's info: 0 done, > 0 what could not be computed. Work
 * space is its own; NULL memory is info -1000. */
typedef struct {
  int (*factor_cholesky) (int n, gpointer a);                          /* lower triangle in place */
  int (*factor_lu)       (int n, gpointer a, int *pivots);
  int (*invert_lu)       (int n, gpointer a, const int *pivots);
  int (*solve_lu)        (int n, int n_rhs, gconstpointer a, const int *pivots, gpointer b);
  int (*factor_qr)       (int m, int n, gpointer a, gpointer tau);
  int (*form_q)          (int m, int n_columns, int k, gpointer a, gconstpointer tau);
  /* Eigenvalues ascending in w (of the real dtype); eigenvectors replace a when wanted. */
  int (*eigen)           (gboolean vectors, int n, gpointer a, gpointer w);
  /* Singular values descending in s (real dtype); job 'N', 'S' or 'A'. */
  int (*svd)             (char job, int m, int n, gpointer a, gpointer s, gpointer u, int ld_u, gpointer vt, int ld_vt);
} FlowLapack;

/* FlowLapack's eigen, which is TensorFlow's own and not LAPACK's. */
int _flow_eigen_s (gboolean vectors, int n, gpointer a, gpointer w);
int _flow_eigen_d (gboolean vectors, int n, gpointer a, gpointer w);
int _flow_eigen_c (gboolean vectors, int n, gpointer a, gpointer w);
int _flow_eigen_z (gboolean vectors, int n, gpointer a, gpointer w);

/* NULL for a dtype that LAPACK does not have. */
const FlowLapack *_flow_lapack_for_dtype (FlowDType dtype);

/* Of n x n double complex numbers: the upper triangular T in place of @a, and the unitary @z, with a = z T z^H. */
int _flow_lapack_schur (int      n,
                        gpointer a,
                        gpointer z);

#define FLOW_LAPACK_NO_MEMORY (-1000)

G_END_DECLS
