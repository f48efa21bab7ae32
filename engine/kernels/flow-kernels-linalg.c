/* flow-kernels-linalg.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-complex-private.h"
#include "flow-linalg-private.h"

#include <math.h>
#include <string.h>

/* Linear algebra over the two innermost dimensions, matrix by matrix. */

#define LINALG_TYPES "T: double float complex64 complex128"

/* LU leaves a zero on the diagonal of a singular matrix, and lets NaN through. */
static gboolean
is_invertible (gconstpointer lu,
               int           n,
               FlowDType     dtype)
{
  for (gint64 i = 0; i < n; i++)
    {
      double size = cabs (_flow_linalg_get_element (lu, i * n + i, dtype));

      if (!(size > 0))
        return FALSE;
    }
  return TRUE;
}

/* --- Cholesky ---------------------------------------------------------------------------------- */

static gboolean
is_finite (gconstpointer data,
           gint64        count,
           FlowDType     dtype)
{
  for (gint64 i = 0; i < count; i++)
    {
      double complex value = _flow_linalg_get_element (data, i, dtype);

      if (!isfinite (creal (value)) || !isfinite (cimag (value)))
        return FALSE;
    }
  return TRUE;
}

/* LAPACK stops at a pivot that is not a number; TensorFlow goes on and spreads it. FALSE: not positive definite.
 * TF: dividing a complex number that is not finite loses its imaginary part. */
static gboolean
factor_not_finite (gconstpointer from,
                   gpointer      a,
                   int           n,
                   FlowDType     dtype,
                   gsize         element)
{
  _flow_linalg_transpose (from, a, n, n, element);
  for (gint64 j = 0; j < n; j++)
    {
      double pivot = creal (_flow_linalg_get_element (a, j * n + j, dtype));

      for (gint64 k = 0; k < j; k++)
        {
          double complex value = _flow_linalg_get_element (a, k * n + j, dtype);

          pivot -= creal (value) * creal (value) + cimag (value) * cimag (value);
        }
      if (pivot <= 0)
        return FALSE;
      pivot = sqrt (pivot);
      _flow_linalg_set_element (a, j * n + j, dtype, pivot);
      for (gint64 i = j + 1; i < n; i++)
        {
          double complex sum = _flow_linalg_get_element (a, j * n + i, dtype);

          for (gint64 k = 0; k < j; k++)
            sum -= _flow_linalg_get_element (a, k * n + i, dtype) * conj (_flow_linalg_get_element (a, k * n + j, dtype));
          if (flow_dtype_is_complex (dtype) && !(isfinite (creal (sum)) && isfinite (cimag (sum))))
            sum = CMPLX (creal (sum), NAN);
          _flow_linalg_set_element (a, j * n + i, dtype, sum / pivot);
        }
    }
  return TRUE;
}

static gboolean
cholesky_compute (FlowKernelContext  *c,
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
      const guint8 *from = (const guint8 *) input->data + (gsize) (k * size) * b.element;
      guint8 *to = (guint8 *) output->data + (gsize) (k * size) * b.element;
      g_autoptr (FlowTensor) owner = NULL;
      gpointer a = _flow_linalg_scratch (c, b.dtype, size, &owner, error);
      gboolean ok;

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      if (is_finite (from, size, b.dtype))
        {
          _flow_linalg_transpose (from, a, b.n, b.n, b.element);
          ok = b.lapack->factor_cholesky (b.n, a) == 0;
        }
      else
        {
          ok = factor_not_finite (from, a, b.n, b.dtype, b.element);
        }
      FLOW_REQUIRE (ok, error, INVALID_ARGUMENT,
                    "Cholesky decomposition was not successful. The input might not be valid.");
      for (gint64 column = 1; column < b.n; column++)
        memset ((guint8 *) a + (gsize) (column * b.n) * b.element, 0, (gsize) column * b.element);
      _flow_linalg_transpose (a, to, b.n, b.n, b.element);
    }
  return TRUE;
}

/* --- Inverse, determinant ---------------------------------------------------------------------- */

/* Column-major LU of matrix @k of @input into @a; with @adjoint of its conjugate transpose. */
static int
factor (FlowTensor         *input,
        const FlowMatrices *b,
        gint64              k,
        gboolean            adjoint,
        gpointer            a,
        int                *pivots)
{
  gint64 size = (gint64) b->n * b->n;
  const guint8 *from = (const guint8 *) input->data + (gsize) (k * size) * b->element;

  if (adjoint)
    {
      memcpy (a, from, (gsize) size * b->element);
      _flow_linalg_conjugate (a, size, b->dtype);
    }
  else
    _flow_linalg_transpose (from, a, b->n, b->n, b->element);
  return b->lapack->factor_lu (b->n, a, pivots);
}

static gboolean
inverse_compute (FlowKernelContext  *c,
                 GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  gboolean adjoint = flow_kernel_attr_bool (c, "adjoint");
  g_autofree int *pivots = NULL;
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (input, &b);
  pivots = g_try_new (int, (gsize) b.n + 1);
  FLOW_REQUIRE (pivots != NULL, error, RESOURCE_EXHAUSTED, "OOM when allocating pivots");
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 size = (gint64) b.n * b.n;
      g_autoptr (FlowTensor) owner = NULL;
      gpointer a = _flow_linalg_scratch (c, b.dtype, size, &owner, error);

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      factor (input, &b, k, adjoint, a, pivots);
      FLOW_REQUIRE (is_invertible (a, b.n, b.dtype), error, INVALID_ARGUMENT, "Input is not invertible.");
      if (!_flow_linalg_check_info (b.lapack->invert_lu (b.n, a, pivots), error))
        return FALSE;
      _flow_linalg_transpose (a, (guint8 *) output->data + (gsize) (k * size) * b.element, b.n, b.n, b.element);
    }
  return TRUE;
}

static gboolean
determinant_infer (FlowInferContext  *c,
                   GError           **error)
{
  const FlowShape *shape = flow_infer_input (c, 0);
  g_autoptr (FlowShape) matrix = NULL;
  gint64 side;

  /* TF: the columns are named before the rows. */
  if (!c->running && shape->rank >= 2 && !flow_infer_merge_dim (c, shape->dims[shape->rank - 1],
                                                                shape->dims[shape->rank - 2], &side, error))
    return FALSE;
  if (!_flow_linalg_square_input (c, 0, "Input matrix must be square.", &matrix, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, _flow_linalg_batch_with (matrix, 0, 0, 0));
  return TRUE;
}

/* The product of the diagonal of LU as a sign (of modulus 1) and the logarithm of its size. */
static gboolean
log_determinant (FlowKernelContext   *c,
                 const FlowMatrices  *b,
                 gint64               k,
                 double complex      *sign,
                 double              *log_size,
                 GError             **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) owner = NULL;
  g_autofree int *pivots = g_try_new (int, (gsize) b->n + 1);
  gpointer a;

  FLOW_REQUIRE (pivots != NULL, error, RESOURCE_EXHAUSTED, "OOM when allocating pivots");
  *sign = 1;
  *log_size = 0;
  if (b->n == 0)
    return TRUE;
  a = _flow_linalg_scratch (c, b->dtype, (gint64) b->n * b->n, &owner, error);
  if (a == NULL)
    return FALSE;
  factor (input, b, k, FALSE, a, pivots);
  for (gint64 i = 0; i < b->n; i++)
    {
      double complex value = _flow_linalg_get_element (a, i * b->n + i, b->dtype);
      double size = cabs (value);

      *sign = size > 0 ? *sign * value / size : 0;
      *log_size += log (size);
      if (pivots[i] != i + 1)
        *sign = -*sign;
    }
  /* TF: what is not finite has no sign, and what is not a number is as good as zero. */
  if (!isfinite (*log_size))
    {
      *sign = 0;
      *log_size = *log_size > 0 ? INFINITY : -INFINITY;
    }
  return TRUE;
}

static gboolean
determinant_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (flow_kernel_input (c, 0), &b);
  for (gint64 k = 0; k < b.count; k++)
    {
      double complex sign;
      double log_size;
      double size;

      if (!log_determinant (c, &b, k, &sign, &log_size, error))
        return FALSE;
      size = sign == 0 && log_size < 0 ? 0 : exp (log_size);
      /* TF: in the dtype itself, and as complex numbers, which infinite ones do not survive. */
      if (b.dtype == FLOW_DTYPE_COMPLEX64)
        size = (double) (float) size;
      _flow_linalg_set_element (output->data, k, b.dtype, flow_dtype_is_complex (b.dtype)
                                                          ? flow_rest_times_128 (sign, size) : creal (sign) * size);
    }
  return TRUE;
}

static gboolean
log_determinant_compute (FlowKernelContext  *c,
                         GError            **error)
{
  FlowTensor *signs = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *logs = signs != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  FlowMatrices b;

  if (logs == NULL)
    return FALSE;
  _flow_linalg_batch_of (flow_kernel_input (c, 0), &b);
  for (gint64 k = 0; k < b.count; k++)
    {
      double complex sign;
      double log_size;

      if (!log_determinant (c, &b, k, &sign, &log_size, error))
        return FALSE;
      _flow_linalg_set_element (signs->data, k, b.dtype, sign);
      _flow_linalg_set_element (logs->data, k, b.dtype, log_size);
    }
  return TRUE;
}

/* --- Solving ----------------------------------------------------------------------------------- */

static gboolean
solve_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;
  g_autoptr (FlowShape) rhs = NULL;
  gint64 rows;

  if (!_flow_linalg_check_batches (c, 2, error)
      || !_flow_linalg_square_input (c, 0, "First input (lhs) must be a square matrix.", &matrix, error)
      || !_flow_linalg_matrix_input (c, 1, &rhs, error))
    return FALSE;
  if (c->running)
    FLOW_REQUIRE (_flow_linalg_rows_of (matrix) == _flow_linalg_rows_of (rhs), error, INVALID_ARGUMENT,
                  "Input matrix and rhs are incompatible.");
  if (!flow_infer_merge_dim (c, _flow_linalg_rows_of (matrix), _flow_linalg_rows_of (rhs), &rows, error))
    return FALSE;
  if (matrix->rank != FLOW_RANK_UNKNOWN && rhs->rank != FLOW_RANK_UNKNOWN && matrix->rank != rhs->rank)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Shapes must be equal rank, but are %d and %d",
                   matrix->rank - 2, rhs->rank - 2);
      return FALSE;
    }
  flow_infer_take_output (c, 0, _flow_linalg_batch_with (matrix->rank == FLOW_RANK_UNKNOWN ? rhs : matrix, 2, rows, _flow_linalg_columns_of (rhs)));
  return TRUE;
}

static gboolean
solve_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowTensor *matrix = flow_kernel_input (c, 0);
  FlowTensor *rhs = flow_kernel_input (c, 1);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  gboolean adjoint = flow_kernel_attr_bool (c, "adjoint");
  g_autofree int *pivots = NULL;
  FlowMatrices b;
  FlowMatrices r;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (matrix, &b);
  _flow_linalg_batch_of (rhs, &r);
  pivots = g_try_new (int, (gsize) b.n + 1);
  FLOW_REQUIRE (pivots != NULL, error, RESOURCE_EXHAUSTED, "OOM when allocating pivots");
  for (gint64 k = 0; k < b.count && b.n > 0 && r.n > 0; k++)
    {
      gsize offset = (gsize) k * (gsize) r.m * (gsize) r.n * b.element;
      g_autoptr (FlowTensor) owner_a = NULL;
      g_autoptr (FlowTensor) owner_x = NULL;
      gpointer a = _flow_linalg_scratch (c, b.dtype, (gint64) b.n * b.n, &owner_a, error);
      gpointer x = a != NULL ? _flow_linalg_scratch (c, b.dtype, (gint64) r.m * r.n, &owner_x, error) : NULL;

      if (x == NULL || flow_kernel_is_cancelled (c))
        return x != NULL;
      factor (matrix, &b, k, adjoint, a, pivots);
      FLOW_REQUIRE (is_invertible (a, b.n, b.dtype), error, INVALID_ARGUMENT, "Input matrix is not invertible.");
      _flow_linalg_transpose ((const guint8 *) rhs->data + offset, x, r.m, r.n, b.element);
      b.lapack->solve_lu (b.n, r.n, a, pivots, x);
      _flow_linalg_transpose (x, (guint8 *) output->data + offset, r.n, r.m, b.element);
    }
  return TRUE;
}

/* Forward or backward substitution in the matrix's own order; column @column of the right side. */
static void
substitute (const guint8       *a,
            gpointer            x,
            const FlowMatrices *b,
            int                 n_rhs,
            int                 column,
            gboolean            lower,
            gboolean            adjoint)
{
  gboolean forward = lower != adjoint;
  int n = b->n;

  for (int step = 0; step < n; step++)
    {
      int i = forward ? step : n - 1 - step;
      double complex sum = _flow_linalg_get_element (x, (gint64) i * n_rhs + column, b->dtype);
      double complex diagonal = _flow_linalg_get_element (a, (gint64) i * n + i, b->dtype);

      for (int done = 0; done < step; done++)
        {
          int j = forward ? done : n - 1 - done;
          double complex value = adjoint ? conj (_flow_linalg_get_element (a, (gint64) j * n + i, b->dtype))
                                         : _flow_linalg_get_element (a, (gint64) i * n + j, b->dtype);

          sum -= value * _flow_linalg_get_element (x, (gint64) j * n_rhs + column, b->dtype);
        }
      _flow_linalg_set_element (x, (gint64) i * n_rhs + column, b->dtype, sum / (adjoint ? conj (diagonal) : diagonal));
    }
}

static gboolean
triangular_solve_compute (FlowKernelContext  *c,
                          GError            **error)
{
  FlowTensor *matrix = flow_kernel_input (c, 0);
  FlowTensor *rhs = flow_kernel_input (c, 1);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  gboolean lower = flow_kernel_attr_bool (c, "lower");
  gboolean adjoint = flow_kernel_attr_bool (c, "adjoint");
  FlowMatrices b;
  FlowMatrices r;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (matrix, &b);
  _flow_linalg_batch_of (rhs, &r);
  for (gint64 k = 0; k < b.count && r.n > 0; k++)
    for (gint64 i = 0; i < b.n; i++)
      FLOW_REQUIRE (cabs (_flow_linalg_get_element (matrix->data, (k * b.n + i) * b.n + i, b.dtype)) != 0, error, INVALID_ARGUMENT,
                    "Input matrix is not invertible.");
  memcpy (output->data, rhs->data, rhs->n_bytes);
  for (gint64 k = 0; k < b.count; k++)
    for (int column = 0; column < r.n; column++)
      substitute ((const guint8 *) matrix->data + (gsize) k * (gsize) b.n * (gsize) b.n * b.element,
                  (guint8 *) output->data + (gsize) k * (gsize) r.m * (gsize) r.n * b.element, &b, r.n, column, lower, adjoint);
  return TRUE;
}

/* --- QR ---------------------------------------------------------------------------------------- */

static gboolean
qr_infer (FlowInferContext  *c,
          GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;
  gboolean full = flow_infer_attr_bool (c, "full_matrices");
  gint64 m;
  gint64 n;
  gint64 p;

  if (!_flow_linalg_matrix_input (c, 0, &matrix, error))
    return FALSE;
  m = _flow_linalg_rows_of (matrix);
  n = _flow_linalg_columns_of (matrix);
  p = m < 0 || n < 0 ? FLOW_DIM_UNKNOWN : MIN (m, n);
  flow_infer_take_output (c, 0, _flow_linalg_batch_with (matrix, 2, m, full ? m : p));
  flow_infer_take_output (c, 1, _flow_linalg_batch_with (matrix, 2, full ? m : p, n));
  return TRUE;
}

/* LAPACK takes the sign of a reflection from a negative zero, TF that of a zero. */
static void
drop_negative_zeros (gpointer  numbers,
                     gsize     n_bytes,
                     FlowDType dtype)
{
  if (_flow_linalg_real_dtype (dtype) == FLOW_DTYPE_FLOAT)
    for (gsize i = 0; i < n_bytes / sizeof (float); i++)
      ((float *) numbers)[i] += 0.0f;
  else
    for (gsize i = 0; i < n_bytes / sizeof (double); i++)
      ((double *) numbers)[i] += 0.0;
}

static gboolean
qr_one (const FlowMatrices  *b,
        gboolean             full,
        const guint8        *from,
        gpointer             a,
        gpointer             tau,
        guint8              *q,
        guint8              *r,
        GError             **error)
{
  int p = MIN (b->m, b->n);
  int q_columns = full ? b->m : p;

  _flow_linalg_transpose (from, a, b->m, b->n, b->element);
  drop_negative_zeros (a, (gsize) b->m * (gsize) b->n * b->element, b->dtype);
  if (!_flow_linalg_check_info (b->lapack->factor_qr (b->m, b->n, a, tau), error))
    return FALSE;
  for (gint64 row = 0; row < q_columns; row++)
    for (gint64 column = 0; column < b->n; column++)
      {
        guint8 *to = r + (gsize) (row * b->n + column) * b->element;

        if (row <= column && row < p)
          memcpy (to, (guint8 *) a + (gsize) (column * b->m + row) * b->element, b->element);
        else
          memset (to, 0, b->element);
      }
  if (!_flow_linalg_check_info (b->lapack->form_q (b->m, q_columns, p, a, tau), error))
    return FALSE;
  _flow_linalg_transpose (a, q, q_columns, b->m, b->element);
  return TRUE;
}

static gboolean
qr_compute (FlowKernelContext  *c,
            GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *q = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *r = q != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  gboolean full = flow_kernel_attr_bool (c, "full_matrices");
  g_autoptr (FlowTensor) owner_a = NULL;
  g_autoptr (FlowTensor) owner_tau = NULL;
  gpointer a;
  gpointer tau;
  FlowMatrices b;
  int p;
  int q_columns;

  if (r == NULL)
    return FALSE;
  _flow_linalg_batch_of (input, &b);
  p = MIN (b.m, b.n);
  q_columns = full ? b.m : p;
  a = _flow_linalg_scratch (c, b.dtype, (gint64) b.m * MAX (b.m, b.n), &owner_a, error);
  tau = a != NULL ? _flow_linalg_scratch (c, b.dtype, p, &owner_tau, error) : NULL;
  if (tau == NULL)
    return FALSE;
  for (gint64 k = 0; k < b.count && b.m > 0; k++)
    {
      guint8 *to_q = (guint8 *) q->data + (gsize) k * (gsize) b.m * (gsize) q_columns * b.element;
      guint8 *to_r = (guint8 *) r->data + (gsize) k * (gsize) q_columns * (gsize) b.n * b.element;

      if (flow_kernel_is_cancelled (c))
        return TRUE;
      /* LAPACK takes no matrix without columns; its full Q is the identity. */
      if (b.n == 0)
        {
          for (gint64 i = 0; i < (gint64) b.m * q_columns; i++)
            _flow_linalg_set_element (to_q, i, b.dtype, i / q_columns == i % q_columns);
          continue;
        }
      if (!qr_one (&b, full, (const guint8 *) input->data + (gsize) k * (gsize) b.m * (gsize) b.n * b.element,
                   a, tau, to_q, to_r, error))
        return FALSE;
    }
  return TRUE;
}

/* --- Eigenvalues, singular values -------------------------------------------------------------- */

static gboolean
eigen_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;

  if (!_flow_linalg_square_input (c, 0, "Input matrix must be square.", &matrix, error))
    return FALSE;
  flow_infer_take_output (c, 0, _flow_linalg_batch_with (matrix, 1, _flow_linalg_rows_of (matrix), 0));
  if (flow_infer_attr_bool (c, "compute_v"))
    flow_infer_set_output (c, 1, matrix);
  else
    _flow_linalg_take_unwanted (c, 1);
  return TRUE;
}

static gboolean
eigen_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *vectors = values != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  gboolean compute_v = flow_kernel_attr_bool (c, "compute_v");
  FlowMatrices b;

  if (vectors == NULL)
    return FALSE;
  if (!compute_v)
    memset (vectors->data, 0, vectors->n_bytes);
  _flow_linalg_batch_of (input, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gsize offset = (gsize) k * (gsize) b.n * (gsize) b.n * b.element;
      g_autoptr (FlowTensor) owner_a = NULL;
      g_autoptr (FlowTensor) owner_w = NULL;
      gpointer a = _flow_linalg_scratch (c, b.dtype, (gint64) b.n * b.n, &owner_a, error);
      gpointer w = a != NULL ? _flow_linalg_scratch (c, _flow_linalg_real_dtype (b.dtype), b.n, &owner_w, error) : NULL;
      int info;

      if (w == NULL || flow_kernel_is_cancelled (c))
        return w != NULL;
      _flow_linalg_transpose ((const guint8 *) input->data + offset, a, b.n, b.n, b.element);
      info = b.lapack->eigen (compute_v, b.n, a, w);
      if (!_flow_linalg_check_info (info, error))
        return FALSE;
      FLOW_REQUIRE (info == 0, error, INVALID_ARGUMENT,
                    "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
      for (gint64 i = 0; i < b.n; i++)
        _flow_linalg_set_element (values->data, k * b.n + i, b.dtype, _flow_linalg_get_element (w, i, _flow_linalg_real_dtype (b.dtype)));
      if (compute_v)
        _flow_linalg_transpose (a, (guint8 *) vectors->data + offset, b.n, b.n, b.element);
    }
  return TRUE;
}

static gboolean
svd_infer (FlowInferContext  *c,
           GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;
  gboolean full = flow_infer_attr_bool (c, "full_matrices");
  gint64 m;
  gint64 n;
  gint64 p;

  if (!_flow_linalg_matrix_input (c, 0, &matrix, error))
    return FALSE;
  m = _flow_linalg_rows_of (matrix);
  n = _flow_linalg_columns_of (matrix);
  p = m < 0 || n < 0 ? FLOW_DIM_UNKNOWN : MIN (m, n);
  flow_infer_take_output (c, 0, _flow_linalg_batch_with (matrix, 1, p, 0));
  if (flow_infer_attr_bool (c, "compute_uv"))
    {
      flow_infer_take_output (c, 1, _flow_linalg_batch_with (matrix, 2, m, full ? m : p));
      flow_infer_take_output (c, 2, _flow_linalg_batch_with (matrix, 2, n, full ? n : p));
    }
  else
    {
      _flow_linalg_take_unwanted (c, 1);
      _flow_linalg_take_unwanted (c, 2);
    }
  return TRUE;
}

typedef struct {
  FlowTensor *a;
  FlowTensor *s;
  FlowTensor *u;
  FlowTensor *vt;
} SvdSpace;

static void
svd_space_clear (SvdSpace *self)
{
  g_clear_pointer (&self->a, flow_tensor_unref);
  g_clear_pointer (&self->s, flow_tensor_unref);
  g_clear_pointer (&self->u, flow_tensor_unref);
  g_clear_pointer (&self->vt, flow_tensor_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SvdSpace, svd_space_clear)

static void
set_identity (gpointer  data,
              int       m,
              int       n,
              FlowDType dtype)
{
  memset (data, 0, (gsize) m * (gsize) n * flow_dtype_size (dtype));
  for (int i = 0; i < MIN (m, n); i++)
    _flow_linalg_set_element (data, (gint64) i * n + i, dtype, 1);
}

static gboolean
svd_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *s = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *u = s != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  FlowTensor *v = u != NULL ? flow_kernel_allocate_inferred (c, 2, error) : NULL;
  gboolean vectors = flow_kernel_attr_bool (c, "compute_uv");
  gboolean full = flow_kernel_attr_bool (c, "full_matrices");
  g_auto (SvdSpace) space = { 0 };
  FlowMatrices b;
  int p;
  int u_columns;
  int v_columns;

  if (v == NULL)
    return FALSE;
  if (!vectors)
    {
      memset (u->data, 0, u->n_bytes);
      memset (v->data, 0, v->n_bytes);
    }
  _flow_linalg_batch_of (input, &b);
  p = MIN (b.m, b.n);
  u_columns = full ? b.m : p;
  v_columns = full ? b.n : p;
  if (_flow_linalg_scratch (c, b.dtype, (gint64) b.m * b.n, &space.a, error) == NULL
      || _flow_linalg_scratch (c, _flow_linalg_real_dtype (b.dtype), p, &space.s, error) == NULL
      || _flow_linalg_scratch (c, b.dtype, vectors ? (gint64) b.m * u_columns : 1, &space.u, error) == NULL
      || _flow_linalg_scratch (c, b.dtype, vectors ? (gint64) b.n * v_columns : 1, &space.vt, error) == NULL)
    return FALSE;
  for (gint64 k = 0; k < b.count && p > 0; k++)
    {
      int info;
      const guint8 *matrix = (const guint8 *) input->data + (gsize) k * (gsize) b.m * (gsize) b.n * b.element;

      if (flow_kernel_is_cancelled (c))
        return TRUE;
      if (!is_finite (matrix, (gint64) b.m * b.n, b.dtype))
        {
          /* LAPACK would iterate for ever; TF's answer is NaN and the vectors it began with. */
          for (gint64 i = 0; i < p; i++)
            _flow_linalg_set_element (s->data, k * p + i, b.dtype, NAN);
          if (vectors)
            {
              set_identity ((guint8 *) u->data + (gsize) k * (gsize) b.m * (gsize) u_columns * b.element, b.m, u_columns, b.dtype);
              set_identity ((guint8 *) v->data + (gsize) k * (gsize) b.n * (gsize) v_columns * b.element, b.n, v_columns, b.dtype);
            }
          continue;
        }
      _flow_linalg_transpose (matrix, space.a->data, b.m, b.n, b.element);
      info = b.lapack->svd (!vectors ? 'N' : full ? 'A' : 'S', b.m, b.n, space.a->data, space.s->data,
                            space.u->data, MAX (b.m, 1), space.vt->data, MAX (v_columns, 1));
      if (!_flow_linalg_check_info (info, error))
        return FALSE;
      for (gint64 i = 0; i < p; i++)
        _flow_linalg_set_element (s->data, k * p + i, b.dtype, _flow_linalg_get_element (space.s->data, i, _flow_linalg_real_dtype (b.dtype)));
      if (!vectors)
        continue;
      _flow_linalg_transpose (space.u->data, (guint8 *) u->data + (gsize) k * (gsize) b.m * (gsize) u_columns * b.element, u_columns, b.m, b.element);
      /* Column-major V^H is row-major V but for the conjugation. */
      _flow_linalg_conjugate (space.vt->data, (gint64) v_columns * b.n, b.dtype);
      memcpy ((guint8 *) v->data + (gsize) k * (gsize) b.n * (gsize) v_columns * b.element, space.vt->data,
              (gsize) b.n * (gsize) v_columns * b.element);
    }
  return TRUE;
}

#define KERNEL(compute) (const FlowKernelDef[]) { { LINALG_TYPES, compute }, { NULL } }
#define LINALG_ATTR "T: {double, float, half, complex64, complex128}"
/* TF: the determinants name their types in another order, and messages tell them so. */
#define DETERMINANT_ATTR "T: {half, float, double, complex64, complex128}"

static const FlowOpDef ops[] = {
  { .name = "BatchCholesky", .inputs = "input: T", .outputs = "output: T", .attrs = "T: {double, float}",
    .summary = "Old name of Cholesky", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = _flow_linalg_square_infer, .kernels = (const FlowKernelDef[]) { { "T: double float", cholesky_compute }, { NULL } } },
  { .name = "BatchMatrixDeterminant", .inputs = "input: T", .outputs = "output: T", .attrs = "T: {float, double, complex64, complex128}",
    .summary = "Old name of MatrixDeterminant", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = determinant_infer, .kernels = (const FlowKernelDef[]) { { "T: complex128 complex64 double float", determinant_compute }, { NULL } } },
  { .name = "BatchMatrixInverse", .inputs = "input: T", .outputs = "output: T", .attrs = "adjoint: bool = false; T: {double, float}",
    .summary = "Old name of MatrixInverse", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = _flow_linalg_square_infer, .kernels = (const FlowKernelDef[]) { { "T: double float", inverse_compute }, { NULL } } },
  { .name = "BatchMatrixSolve", .inputs = "matrix: T; rhs: T", .outputs = "output: T", .attrs = "adjoint: bool = false; T: {double, float}",
    .summary = "Old name of MatrixSolve", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = solve_infer, .kernels = (const FlowKernelDef[]) { { "T: double float", solve_compute }, { NULL } } },
  { .name = "BatchMatrixTriangularSolve", .inputs = "matrix: T; rhs: T", .outputs = "output: T", .attrs = "lower: bool = true; adjoint: bool = false; T: {double, float}",
    .summary = "Old name of MatrixTriangularSolve", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = solve_infer, .kernels = (const FlowKernelDef[]) { { "T: double float", triangular_solve_compute }, { NULL } } },
  { .name = "BatchSelfAdjointEigV2", .inputs = "input: T", .outputs = "e: T; v: T", .attrs = "compute_v: bool = true; T: {double, float}",
    .summary = "Old name of SelfAdjointEigV2", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = eigen_infer, .kernels = (const FlowKernelDef[]) { { "T: double float", eigen_compute }, { NULL } } },
  { .name = "BatchSvd", .inputs = "input: T", .outputs = "s: T; u: T; v: T", .attrs = "compute_uv: bool = true; full_matrices: bool = false; T: {double, float, complex64, complex128}",
    .summary = "Old name of Svd", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = svd_infer, .kernels = (const FlowKernelDef[]) { { "T: complex128 complex64 double float", svd_compute }, { NULL } } },
  { .name = "Cholesky", .inputs = "input: T", .outputs = "output: T", .attrs = LINALG_ATTR,
    .summary = "Lower triangular L with L times its adjoint equal to the input", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = _flow_linalg_square_infer, .kernels = KERNEL (cholesky_compute) },
  { .name = "LogMatrixDeterminant", .inputs = "input: T", .outputs = "sign: T; log_abs_determinant: T", .attrs = DETERMINANT_ATTR,
    .summary = "Sign and logarithm of the absolute value of determinants", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = determinant_infer, .kernels = KERNEL (log_determinant_compute) },
  { .name = "MatrixDeterminant", .inputs = "input: T", .outputs = "output: T", .attrs = DETERMINANT_ATTR,
    .summary = "Determinants of square matrices", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = determinant_infer, .kernels = KERNEL (determinant_compute) },
  { .name = "MatrixInverse", .inputs = "input: T", .outputs = "output: T", .attrs = "adjoint: bool = false; " LINALG_ATTR,
    .summary = "Inverses of square matrices, or of their adjoints", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = _flow_linalg_square_infer, .kernels = KERNEL (inverse_compute) },
  { .name = "MatrixSolve", .inputs = "matrix: T; rhs: T", .outputs = "output: T", .attrs = "adjoint: bool = false; " LINALG_ATTR,
    .summary = "Solves matrix times output = rhs", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = solve_infer, .kernels = KERNEL (solve_compute) },
  { .name = "MatrixTriangularSolve", .inputs = "matrix: T; rhs: T", .outputs = "output: T",
    .attrs = "lower: bool = true; adjoint: bool = false; " LINALG_ATTR,
    .summary = "Solves matrix times output = rhs for a triangular matrix", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = solve_infer, .kernels = KERNEL (triangular_solve_compute) },
  { .name = "Qr", .inputs = "input: T", .outputs = "q: T; r: T", .attrs = "full_matrices: bool = false; " LINALG_ATTR,
    .summary = "Q with orthonormal columns and upper triangular R, whose product is the input", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = qr_infer, .kernels = KERNEL (qr_compute) },
  { .name = "SelfAdjointEigV2", .inputs = "input: T", .outputs = "e: T; v: T", .attrs = "compute_v: bool = true; " LINALG_ATTR,
    .summary = "Eigenvalues, ascending, and eigenvectors of self-adjoint matrices", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = eigen_infer, .kernels = KERNEL (eigen_compute) },
  { .name = "Svd", .inputs = "input: T", .outputs = "s: T; u: T; v: T",
    .attrs = "compute_uv: bool = true; full_matrices: bool = false; " LINALG_ATTR,
    .summary = "Singular values, descending, and singular vectors", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = svd_infer, .kernels = KERNEL (svd_compute) },
};

FLOW_DEFINE_OP_FAMILY (linalg, ops)
