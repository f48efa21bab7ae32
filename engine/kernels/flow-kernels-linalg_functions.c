/* flow-kernels-linalg_functions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Functions of matrices, least squares, LU and what is tridiagonal. All of it is computed in double precision and
 * complex numbers whatever the dtype: these are small matrices, and one path for four dtypes is worth more here.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-linalg-private.h"

#include <math.h>
#include <string.h>

#define LINALG_TYPES "T: complex128 complex64 double float"
#define LINALG_ATTR "T: {double, float, half, complex64, complex128}"

typedef double complex Number;

/* --- matrices of double complex, row-major --------------------------------------------------------------------------- */

static Number *
new_matrix (FlowKernelContext  *c,
            gint64              count,
            FlowTensor        **owner,
            GError            **error)
{
  return _flow_linalg_scratch (c, FLOW_DTYPE_COMPLEX128, count, owner, error);
}

static void
load (const FlowTensor *tensor,
      gint64            first,
      gint64            count,
      Number           *to)
{
  for (gint64 i = 0; i < count; i++)
    to[i] = _flow_linalg_get_element (tensor->data, first + i, tensor->dtype);
}

static void
store (const Number *from,
       FlowTensor   *tensor,
       gint64        first,
       gint64        count)
{
  for (gint64 i = 0; i < count; i++)
    _flow_linalg_set_element (tensor->data, first + i, tensor->dtype, from[i]);
}

/* c = a (m x k) times b (k x n). */
static void
multiply (const Number *a,
          const Number *b,
          Number       *out,
          gint64        m,
          gint64        k,
          gint64        n)
{
  memset (out, 0, sizeof (Number) * (gsize) (m * n));
  for (gint64 i = 0; i < m; i++)
    for (gint64 p = 0; p < k; p++)
      {
        double re = creal (a[i * k + p]);
        double im = cimag (a[i * k + p]);

        /* By parts: the product of C would look for infinities. */
        for (gint64 j = 0; j < n; j++)
          {
            double x = creal (b[p * n + j]);
            double y = cimag (b[p * n + j]);

            out[i * n + j] += CMPLX (re * x - im * y, re * y + im * x);
          }
      }
}

static void
adjoint_of (const Number *a,
            Number       *out,
            gint64        m,
            gint64        n)
{
  for (gint64 i = 0; i < m; i++)
    for (gint64 j = 0; j < n; j++)
      out[j * m + i] = conj (a[i * n + j]);
}

static double
norm_of (const Number *a,
         gint64        n)
{
  double norm = 0;

  for (gint64 j = 0; j < n; j++)
    {
      double sum = 0;

      for (gint64 i = 0; i < n; i++)
        sum += cabs (a[i * n + j]);
      norm = MAX (norm, sum);
    }
  return norm;
}

/* --- one matrix in, one out --------------------------------------------------------------------------------------------- */

typedef gboolean (*MatrixFunc) (FlowKernelContext *c, const Number *a, Number *out, gint64 n, GError **error);

static gboolean
each_matrix (FlowKernelContext  *c,
             MatrixFunc          func,
             GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (input, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 size = (gint64) b.n * b.n;
      g_autoptr (FlowTensor) owner = NULL;
      Number *a = new_matrix (c, 2 * size, &owner, error);

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      load (input, k * size, size, a);
      if (!func (c, a, a + size, b.n, error))
        return FALSE;
      store (a + size, output, k * size, size);
    }
  return TRUE;
}

/* exp (A) = exp (A / 2^s) ^ 2^s; where the norm is at most a half, 18 terms are exact to the last bit. */
#define EXPONENTIAL_TERMS 18

static gboolean
exponential (FlowKernelContext  *c,
             const Number       *a,
             Number             *out,
             gint64              n,
             GError            **error)
{
  g_autoptr (FlowTensor) owner = NULL;
  gint64 size = n * n;
  Number *scaled = new_matrix (c, 3 * size, &owner, error);
  Number *term = scaled != NULL ? scaled + size : NULL;
  Number *next = scaled != NULL ? term + size : NULL;
  double norm = norm_of (a, n);
  int s = 0;

  if (scaled == NULL)
    return FALSE;
  if (isfinite (norm) && norm > 0.5)
    s = (int) ceil (log2 (norm) + 1);
  for (gint64 i = 0; i < size; i++)
    {
      scaled[i] = a[i] * ldexp (1, -s);
      out[i] = term[i] = i / n == i % n;
    }
  for (int k = 1; k <= EXPONENTIAL_TERMS; k++)
    {
      multiply (term, scaled, next, n, n, n);
      for (gint64 i = 0; i < size; i++)
        {
          term[i] = next[i] / k;
          out[i] += term[i];
        }
    }
  for (; s > 0; s--)
    {
      multiply (out, out, next, n, n, n);
      memcpy (out, next, sizeof (Number) * (gsize) size);
    }
  return TRUE;
}

static gboolean
exponential_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return each_matrix (c, exponential, error);
}

/* The square root of an upper triangular matrix, row-major, in place of it. */
static void
triangular_root (const Number *t,
                 Number       *root,
                 gint64        n)
{
  memset (root, 0, sizeof (Number) * (gsize) (n * n));
  for (gint64 j = 0; j < n; j++)
    {
      root[j * n + j] = csqrt (t[j * n + j]);
      for (gint64 i = j - 1; i >= 0; i--)
        {
          Number sum = t[i * n + j];

          for (gint64 k = i + 1; k < j; k++)
            sum -= root[i * n + k] * root[k * n + j];
          root[i * n + j] = sum / (root[i * n + i] + root[j * n + j]);
        }
    }
}

/* A = Z T Z^H with T upper triangular; all row-major. */
static gboolean
schur (FlowKernelContext  *c,
       const Number       *a,
       Number             *t,
       Number             *z,
       gint64              n,
       GError            **error)
{
  g_autoptr (FlowTensor) owner = NULL;
  Number *columns = new_matrix (c, 2 * n * n, &owner, error);
  int info;

  if (columns == NULL)
    return FALSE;
  for (gint64 i = 0; i < n * n; i++)
    if (!isfinite (creal (a[i])) || !isfinite (cimag (a[i])))
      return _flow_refuse (error, "Input matrix has NaN or infinity in it");
  _flow_linalg_transpose (a, columns, n, n, sizeof (Number));
  info = _flow_lapack_schur ((int) n, columns, columns + n * n);
  if (!_flow_linalg_check_info (info, error))
    return FALSE;
  if (info != 0)
    return _flow_refuse (error, "Schur decomposition was not successful. The input might not be valid.");
  _flow_linalg_transpose (columns, t, n, n, sizeof (Number));
  _flow_linalg_transpose (columns + n * n, z, n, n, sizeof (Number));
  return TRUE;
}

/* out = Z F Z^H. */
static void
from_schur (const Number *z,
            const Number *f,
            Number       *space,
            Number       *out,
            gint64        n)
{
  multiply (z, f, space, n, n, n);
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < n; j++)
      {
        Number sum = 0;

        for (gint64 k = 0; k < n; k++)
          sum += space[i * n + k] * conj (z[j * n + k]);
        out[i * n + j] = sum;
      }
}

/* Whether a real matrix has a negative eigenvalue, its triangular form being @t: it has no real root. */
static gboolean
has_negative (const Number *t,
              gint64        n)
{
  double largest = 0;

  for (gint64 i = 0; i < n; i++)
    largest = MAX (largest, cabs (t[i * n + i]));
  for (gint64 i = 0; i < n; i++)
    if (creal (t[i * n + i]) < -1e-12 * largest && fabs (cimag (t[i * n + i])) <= 1e-12 * largest)
      return TRUE;
  return FALSE;
}

static gboolean
square_root (FlowKernelContext  *c,
             const Number       *a,
             Number             *out,
             gint64              n,
             GError            **error)
{
  g_autoptr (FlowTensor) owner = NULL;
  gint64 size = n * n;
  Number *t = new_matrix (c, 3 * size, &owner, error);

  if (t == NULL || !schur (c, a, t, t + size, n, error))
    return FALSE;
  if (!flow_dtype_is_complex (flow_kernel_input (c, 0)->dtype) && has_negative (t, n))
    {
      for (gint64 i = 0; i < size; i++)
        out[i] = (double) NAN;
      return TRUE;
    }
  triangular_root (t, t + 2 * size, n);
  from_schur (t + size, t + 2 * size, t, out, n);
  return TRUE;
}

static gboolean
square_root_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return each_matrix (c, square_root, error);
}

/* Nodes and weights of Gauss and Legendre on [0, 1]: log (I + X) is the sum of w X (I + x X)^-1, to the last bit of a
 * double where the norm of X is below 0.26. */
static const double log_nodes[] = {
  0.02544604382862073, 0.12923440720030278, 0.29707742431130142, 0.5, 0.70292257568869858, 0.87076559279969722,
  0.97455395617137927,
};
static const double log_weights[] = {
  0.06474248308443485, 0.13985269574463833, 0.19091502525255947, 0.20897959183673469, 0.19091502525255947,
  0.13985269574463833, 0.06474248308443485,
};
#define LOG_NORM 0.26
/* After that many roots any matrix that has a logarithm is near the identity. */
#define MAX_ROOTS 100

/* sum += weight * X (I + node X)^-1 for upper triangular X: rows of the result are solved for one by one. */
static void
add_log_term (const Number *x,
              Number       *sum,
              gint64        n,
              double        node,
              double        weight,
              Number       *row)
{
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = i; j < n; j++)
      {
        Number value = x[i * n + j];

        for (gint64 k = i; k < j; k++)
          value -= row[k] * node * x[k * n + j];
        row[j] = value / (1 + node * x[j * n + j]);
        sum[i * n + j] += weight * row[j];
      }
}

static gboolean
logarithm (FlowKernelContext  *c,
           const Number       *a,
           Number             *out,
           gint64              n,
           GError            **error)
{
  g_autoptr (FlowTensor) owner = NULL;
  gint64 size = n * n;
  Number *t = new_matrix (c, 4 * size + n, &owner, error);
  Number *z = t != NULL ? t + size : NULL;
  Number *sum = t != NULL ? z + size : NULL;
  Number *root = t != NULL ? sum + size : NULL;
  int roots = 0;

  if (t == NULL || !schur (c, a, t, z, n, error))
    return FALSE;
  for (;; roots++)
    {
      for (gint64 i = 0; i < n; i++)
        t[i * n + i] -= 1;
      if (!(norm_of (t, n) > LOG_NORM) || roots == MAX_ROOTS)
        break;
      for (gint64 i = 0; i < n; i++)
        t[i * n + i] += 1;
      triangular_root (t, root, n);
      memcpy (t, root, sizeof (Number) * (gsize) size);
    }
  memset (sum, 0, sizeof (Number) * (gsize) size);
  for (guint k = 0; k < G_N_ELEMENTS (log_nodes); k++)
    add_log_term (t, sum, n, log_nodes[k], log_weights[k], root + size);
  for (gint64 i = 0; i < size; i++)
    sum[i] *= ldexp (1, roots);
  from_schur (z, sum, t, out, n);
  return TRUE;
}

static gboolean
logarithm_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return each_matrix (c, logarithm, error);
}

/* --- Lu --------------------------------------------------------------------------------------------------------------------- */

static gboolean
lu_infer (FlowInferContext  *c,
          GError           **error)
{
  FlowShape *matrix;

  /* TF: not by the checks that the other factorisations share, and in other words. */
  if (c->running)
    FLOW_REQUIRE (flow_infer_input (c, 0)->rank >= 2, error, INVALID_ARGUMENT, "Input tensor must have rank >= 2, got %d",
                  flow_infer_input (c, 0)->rank);
  if (!_flow_linalg_square_input (c, 0, "Input matrix must be square.", &matrix, error))
    return FALSE;
  flow_infer_take_output (c, 1, _flow_linalg_batch_with (matrix, 1, _flow_linalg_rows_of (matrix), 0));
  flow_infer_take_output (c, 0, matrix);
  return TRUE;
}

static void
put_index (FlowTensor *order,
           gint64      i,
           gint64      value)
{
  if (order->dtype == FLOW_DTYPE_INT32)
    FLOW_WRITABLE (gint32, order)[i] = (gint32) value;
  else
    FLOW_WRITABLE (gint64, order)[i] = value;
}

/* Row by row, the largest element as pivot by its true size: LAPACK, which goes by the sum of its parts, takes other
 * rows of complex matrices. FALSE where a pivot is zero. */
static gboolean
factor_rows (Number     *a,
             gint64      n,
             FlowTensor *order,
             gint64      first)
{
  for (gint64 i = 0; i < n; i++)
    put_index (order, first + i, i);
  for (gint64 k = 0; k < n; k++)
    {
      gint64 pivot = k;

      for (gint64 i = k + 1; i < n; i++)
        if (cabs (a[i * n + k]) > cabs (a[pivot * n + k]))
          pivot = i;
      if (!(cabs (a[pivot * n + k]) > 0))
        return FALSE;
      if (pivot != k)
        {
          gint64 row = flow_index_at (order, first + k);

          put_index (order, first + k, flow_index_at (order, first + pivot));
          put_index (order, first + pivot, row);
          for (gint64 j = 0; j < n; j++)
            {
              Number kept = a[k * n + j];

              a[k * n + j] = a[pivot * n + j];
              a[pivot * n + j] = kept;
            }
        }
      for (gint64 i = k + 1; i < n; i++)
        {
          a[i * n + k] /= a[k * n + k];
          for (gint64 j = k + 1; j < n; j++)
            a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
  return TRUE;
}

static gboolean
lu_compute (FlowKernelContext *c,
            GError           **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *lu = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *order = lu != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  FlowMatrices b;

  if (order == NULL)
    return FALSE;
  _flow_linalg_batch_of (input, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 size = (gint64) b.n * b.n;
      g_autoptr (FlowTensor) owner = NULL;
      Number *a = new_matrix (c, size, &owner, error);

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      load (input, k * size, size, a);
      FLOW_REQUIRE (factor_rows (a, b.n, order, k * b.n), error, INVALID_ARGUMENT, "Input is not invertible.");
      store (a, lu, k * size, size);
    }
  return TRUE;
}

/* --- MatrixSolveLs -------------------------------------------------------------------------------------------------------------- */

static gboolean
least_squares_infer (FlowInferContext  *c,
                     GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;
  g_autoptr (FlowShape) rhs = NULL;
  gint64 rows;

  if (!_flow_linalg_check_batches (c, 2, error) || !_flow_linalg_matrix_input (c, 0, &matrix, error)
      || !_flow_linalg_matrix_input (c, 1, &rhs, error))
    return FALSE;
  if (c->running)
    FLOW_REQUIRE (_flow_linalg_rows_of (matrix) == _flow_linalg_rows_of (rhs), error, INVALID_ARGUMENT,
                  "Input matrix and rhs are incompatible.");
  if (!flow_infer_merge_dim (c, _flow_linalg_rows_of (matrix), _flow_linalg_rows_of (rhs), &rows, error))
    return FALSE;
  flow_infer_take_output (c, 0, _flow_linalg_batch_with (matrix->rank == FLOW_RANK_UNKNOWN ? rhs : matrix, 2,
                                                         _flow_linalg_columns_of (matrix), _flow_linalg_columns_of (rhs)));
  return TRUE;
}

/* Solves G X = Y for a positive definite G (n x n) in place of Y (n x k); FALSE where it is not. */
static gboolean
solve_positive (Number *g,
                Number *y,
                gint64  n,
                gint64  k)
{
  for (gint64 j = 0; j < n; j++)
    {
      for (gint64 i = j; i < n; i++)
        {
          Number sum = g[i * n + j];

          for (gint64 p = 0; p < j; p++)
            sum -= g[i * n + p] * conj (g[j * n + p]);
          /* TF: what is no number is not refused, and makes the whole solution none. */
          if (i == j && creal (sum) <= 0)
            return FALSE;
          g[i * n + j] = i == j ? sqrt (creal (sum)) : sum / g[j * n + j];
        }
    }
  for (gint64 column = 0; column < k; column++)
    {
      for (gint64 i = 0; i < n; i++)
        {
          for (gint64 p = 0; p < i; p++)
            y[i * k + column] -= g[i * n + p] * y[p * k + column];
          y[i * k + column] /= g[i * n + i];
        }
      for (gint64 i = n - 1; i >= 0; i--)
        {
          for (gint64 p = i + 1; p < n; p++)
            y[i * k + column] -= conj (g[p * n + i]) * y[p * k + column];
          y[i * k + column] /= g[i * n + i];
        }
    }
  return TRUE;
}

typedef struct {
  const Number *a;             /* m x n */
  const Number *b;             /* m x k */
  Number *x;                   /* n x k */
  gint64 m;
  gint64 n;
  gint64 k;
  double l2;
  FlowDType dtype;
} LeastSquares;

/* By the normal equations: (A^H A + l2) X = A^H B, or X = A^H (A A^H + l2)^-1 B of a wide matrix. */
static gboolean
solve_normal (FlowKernelContext   *c,
              const LeastSquares  *s,
              GError             **error)
{
  gint64 side = MIN (s->m, s->n);
  g_autoptr (FlowTensor) owner = NULL;
  Number *adjoint = new_matrix (c, s->m * s->n + side * side + s->m * s->k, &owner, error);
  Number *gram = adjoint != NULL ? adjoint + s->m * s->n : NULL;
  Number *y = gram != NULL ? gram + side * side : NULL;

  if (adjoint == NULL)
    return FALSE;
  adjoint_of (s->a, adjoint, s->m, s->n);
  if (s->m >= s->n)
    {
      multiply (adjoint, s->a, gram, s->n, s->m, s->n);
      multiply (adjoint, s->b, s->x, s->n, s->m, s->k);
    }
  else
    {
      multiply (s->a, adjoint, gram, s->m, s->n, s->m);
      memcpy (y, s->b, sizeof (Number) * (gsize) (s->m * s->k));
    }
  for (gint64 i = 0; i < side; i++)
    gram[i * side + i] += s->l2;
  FLOW_REQUIRE (solve_positive (gram, s->m >= s->n ? s->x : y, side, s->k), error, INVALID_ARGUMENT, "%s",
                s->m >= s->n
                ? "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a larger "
                  "l2_regularizer > 0."
                : "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide an "
                  "l2_regularizer > 0.");
  if (s->m < s->n)
    multiply (adjoint, y, s->x, s->n, s->m, s->k);
  return TRUE;
}

/* The solution of least norm, by singular values: TF's complete orthogonal decomposition gives the same. */
static gboolean
solve_least_norm (FlowKernelContext   *c,
                  const LeastSquares  *s,
                  GError             **error)
{
  const FlowLapack *lapack = _flow_lapack_for_dtype (FLOW_DTYPE_COMPLEX128);
  gint64 side = MIN (s->m, s->n);
  g_autoptr (FlowTensor) owner = NULL;
  Number *columns = new_matrix (c, s->m * s->n + s->m * side + side * s->n + side + side, &owner, error);
  Number *u = columns != NULL ? columns + s->m * s->n : NULL;
  Number *vt = u != NULL ? u + s->m * side : NULL;
  double *values = vt != NULL ? (double *) (vt + side * s->n) : NULL;
  double unit = s->dtype == FLOW_DTYPE_FLOAT || s->dtype == FLOW_DTYPE_COMPLEX64 ? 1.1920929e-7 : 2.220446049250313e-16;
  int info;

  if (columns == NULL)
    return FALSE;
  _flow_linalg_transpose (s->a, columns, s->m, s->n, sizeof (Number));
  info = lapack->svd ('S', (int) s->m, (int) s->n, columns, values, u, (int) s->m, vt, (int) side);
  if (!_flow_linalg_check_info (info, error))
    return FALSE;
  memset (s->x, 0, sizeof (Number) * (gsize) (s->n * s->k));
  /* TF: a matrix that is not finite is taken for one of rank 0. */
  for (gint64 p = 0; info == 0 && p < side && values[p] > unit * (double) MAX (s->m, s->n) * values[0]; p++)
    for (gint64 column = 0; column < s->k; column++)
      {
        Number dot = 0;

        for (gint64 i = 0; i < s->m; i++)
          dot += conj (u[p * s->m + i]) * s->b[i * s->k + column];
        for (gint64 j = 0; j < s->n; j++)
          s->x[j * s->k + column] += conj (vt[j * side + p]) * dot / values[p];
      }
  return TRUE;
}

static gboolean
least_squares_compute (FlowKernelContext  *c,
                       GError            **error)
{
  FlowTensor *matrix = flow_kernel_input (c, 0);
  FlowTensor *rhs = flow_kernel_input (c, 1);
  FlowTensor *regularizer = flow_kernel_input (c, 2);
  double l2 = 0;
  gboolean fast = flow_kernel_attr_bool (c, "fast");
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  FlowMatrices a;
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (matrix, &a);
  _flow_linalg_batch_of (rhs, &b);
  /* TF: each matrix looks at it. */
  if (a.count > 0)
    {
      if (!flow_is_scalar (regularizer))
        return _flow_refuse_shapes (error, regularizer, NULL, "l2_regularizer must be scalar, got shape %s");
      l2 = FLOW_DATA (double, regularizer)[0];
      FLOW_REQUIRE (l2 >= 0, error, INVALID_ARGUMENT, "l2_regularizer must be >= 0.");
    }
  if (output->n_bytes > 0)
    memset (output->data, 0, output->n_bytes);
  for (gint64 i = 0; i < a.count && a.m > 0 && a.n > 0 && b.n > 0; i++)
    {
      gint64 size_a = (gint64) a.m * a.n;
      gint64 size_b = (gint64) a.m * b.n;
      g_autoptr (FlowTensor) owner = NULL;
      Number *space = new_matrix (c, size_a + size_b + (gint64) a.n * b.n, &owner, error);
      LeastSquares s;

      if (space == NULL || flow_kernel_is_cancelled (c))
        return space != NULL;
      s = (LeastSquares) { space, space + size_a, space + size_a + size_b, a.m, a.n, b.n, l2, a.dtype };
      load (matrix, i * size_a, size_a, space);
      load (rhs, i * size_b, size_b, space + size_a);
      if (!(fast ? solve_normal (c, &s, error) : solve_least_norm (c, &s, error)))
        return FALSE;
      store (s.x, output, i * (gint64) a.n * b.n, (gint64) a.n * b.n);
    }
  return TRUE;
}

/* --- CholeskyGrad -------------------------------------------------------------------------------------------------------------------- */

static gboolean
cholesky_grad_infer (FlowInferContext  *c,
                     GError           **error)
{
  FlowShape *matrix;

  if (!_flow_linalg_check_batches (c, 2, error))
    return FALSE;
  FLOW_REQUIRE (flow_shape_is_compatible (flow_infer_input (c, 0), flow_infer_input (c, 1)), error, INVALID_ARGUMENT,
                "Inputs (L and grad) must have the same shape.");
  if (!_flow_linalg_square_input (c, 0, "Inputs must be a square matrices.", &matrix, error))
    return FALSE;
  flow_infer_take_output (c, 0, matrix);
  return TRUE;
}

/* B <- B L^-1 (@left FALSE) or L^-T B for real lower triangular L. */
static void
divide_by (const double *l,
           double       *b,
           gint64        n,
           gboolean      left)
{
  for (gint64 other = 0; other < n; other++)
    for (gint64 i = n - 1; i >= 0; i--)
      {
        double *at = left ? &b[i * n + other] : &b[other * n + i];

        for (gint64 k = i + 1; k < n; k++)
          *at -= (left ? b[k * n + other] : b[other * n + k]) * l[k * n + i];
        *at /= l[i * n + i];
      }
}

/* L^-T P L^-1 with P the lower triangle of L^T G, its diagonal halved, made symmetric. */
static void
cholesky_grad_one (const double *l,
                   const double *g,
                   double       *s,
                   gint64        n)
{
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < n; j++)
      {
        double sum = 0;

        for (gint64 k = i; k < n && j <= i; k++)
          sum += l[k * n + i] * (k >= j ? g[k * n + j] : 0);
        s[i * n + j] = i == j ? sum / 2 : sum;
      }
  divide_by (l, s, n, TRUE);
  divide_by (l, s, n, FALSE);
}

static gboolean
cholesky_grad_compute (FlowKernelContext  *c,
                       GError            **error)
{
  FlowTensor *l = flow_kernel_input (c, 0);
  FlowTensor *grad = flow_kernel_input (c, 1);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (l, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 n = b.n;
      gint64 size = n * n;
      g_autoptr (FlowTensor) owner = NULL;
      double *space = _flow_linalg_scratch (c, FLOW_DTYPE_DOUBLE, 3 * size, &owner, error);
      double *s = space != NULL ? space + 2 * size : NULL;

      if (space == NULL || flow_kernel_is_cancelled (c))
        return space != NULL;
      for (gint64 i = 0; i < size; i++)
        {
          space[i] = flow_tensor_get_double (l, k * size + i);
          space[size + i] = flow_tensor_get_double (grad, k * size + i);
        }
      cholesky_grad_one (space, space + size, s, n);
      for (gint64 i = 0; i < size; i++)
        _flow_linalg_set_element (output->data, k * size + i, b.dtype, (s[i] + s[i % n * n + i / n]) / 2);
    }
  return TRUE;
}

/* --- SelfAdjointEig ------------------------------------------------------------------------------------------------------------------- */

static gboolean
eigen_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;
  gint64 n;

  if (!_flow_linalg_square_input (c, 0, "Input matrix must be square.", &matrix, error))
    return FALSE;
  n = _flow_linalg_rows_of (matrix);
  flow_infer_take_output (c, 0, _flow_linalg_batch_with (matrix, 2, n < 0 ? n : n + 1, n));
  return TRUE;
}

static gboolean
eigen_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (input, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 size = (gint64) b.n * b.n;
      guint8 *to = (guint8 *) output->data + (gsize) (k * (size + b.n)) * b.element;
      g_autoptr (FlowTensor) owner = NULL;
      guint8 *a = _flow_linalg_scratch (c, b.dtype, size, &owner, error);
      int info;

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      _flow_linalg_transpose ((const guint8 *) input->data + (gsize) (k * size) * b.element, a, b.n, b.n, b.element);
      info = b.lapack->eigen (TRUE, b.n, a, to);
      if (!_flow_linalg_check_info (info, error))
        return FALSE;
      FLOW_REQUIRE (info == 0, error, INVALID_ARGUMENT,
                    "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
      _flow_linalg_transpose (a, to + (gsize) b.n * b.element, b.n, b.n, b.element);
    }
  return TRUE;
}

/* --- the table --------------------------------------------------------------------------------------------------------------------------- */

#define REALS "T: double float"
#define LINALG_OP(op, in, out, attr, infer_func, types, compute, text)                              \
  { .name = op, .inputs = in, .outputs = out, .attrs = attr, .summary = text,                       \
    .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_func,                                           \
    .kernels = (const FlowKernelDef[]) { { types, compute }, { NULL } } }

static const FlowOpDef ops[] = {
  LINALG_OP ("BatchCholeskyGrad", "l: T; grad: T", "output: T", "T: {float, double}", cholesky_grad_infer, REALS,
             cholesky_grad_compute, "Old name of CholeskyGrad"),
  LINALG_OP ("BatchMatrixSolveLs", "matrix: T; rhs: T; l2_regularizer: double", "output: T",
             "T: {double, float}; fast: bool = true", least_squares_infer, REALS, least_squares_compute,
             "Old name of MatrixSolveLs"),
  LINALG_OP ("BatchSelfAdjointEig", "input: T", "output: T", "T: {double, float}", eigen_infer, REALS, eigen_compute,
             "Eigenvalues in the first row, eigenvectors below"),
  LINALG_OP ("CholeskyGrad", "l: T; grad: T", "output: T", "T: {half, float, double}", cholesky_grad_infer, REALS,
             cholesky_grad_compute, "Gradient of Cholesky"),
  LINALG_OP ("Lu", "input: T", "lu: T; p: output_idx_type", LINALG_ATTR "; output_idx_type: {int32, int64} = DT_INT32",
             lu_infer, LINALG_TYPES "; output_idx_type: int32 int64", lu_compute, "L and U in one, and the order of rows"),
  LINALG_OP ("MatrixExponential", "input: T", "output: T", LINALG_ATTR, _flow_linalg_square_infer, LINALG_TYPES,
             exponential_compute, "Exponential of square matrices"),
  LINALG_OP ("MatrixLogarithm", "input: T", "output: T", "T: {complex64, complex128}", _flow_linalg_square_infer,
             "T: complex128 complex64", logarithm_compute, "Principal logarithm of square matrices"),
  LINALG_OP ("MatrixSolveLs", "matrix: T; rhs: T; l2_regularizer: double", "output: T", LINALG_ATTR "; fast: bool = true",
             least_squares_infer, LINALG_TYPES, least_squares_compute, "Solves least squares problems"),
  LINALG_OP ("MatrixSquareRoot", "input: T", "output: T", LINALG_ATTR, _flow_linalg_square_infer, LINALG_TYPES,
             square_root_compute, "Principal square root of square matrices"),
  LINALG_OP ("SelfAdjointEig", "input: T", "output: T", "T: {double, float, half}", eigen_infer, REALS, eigen_compute,
             "Eigenvalues in the first row, eigenvectors below"),
};

FLOW_DEFINE_OP_FAMILY (linalg_functions, ops)
