/* flow-kernels-linalg.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-kernel.h"
#include "flow-lapack-private.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Linear algebra over the two innermost dimensions, matrix by matrix. */

#define LINALG_TYPES "T: double float complex64 complex128"

/* --- Shapes ------------------------------------------------------------------------------------ */

static gboolean
matrix_input (FlowInferContext  *c,
              guint              i,
              FlowShape        **out,
              GError           **error)
{
  const FlowShape *shape = flow_infer_input (c, i);

  if (c->running)
    FLOW_REQUIRE (shape->rank >= 2, error, INVALID_ARGUMENT, "Input tensor %u must have rank >= 2, got %d", i, shape->rank);
  if (!flow_infer_with_rank_at_least (c, shape, 2, out, error))
    return FALSE;
  if (c->running)
    FLOW_REQUIRE (shape->dims[shape->rank - 1] <= G_MAXINT && shape->dims[shape->rank - 2] <= G_MAXINT, error,
                  INVALID_ARGUMENT, "Matrix dimensions must fit 32 bits");
  return TRUE;
}

static gboolean
square_input (FlowInferContext  *c,
              guint              i,
              const char        *words,
              FlowShape        **out,
              GError           **error)
{
  const FlowShape *shape = flow_infer_input (c, i);
  g_autoptr (FlowShape) matrix = NULL;
  gint64 side;

  if (!matrix_input (c, i, &matrix, error))
    return FALSE;
  if (shape->rank == FLOW_RANK_UNKNOWN)
    {
      *out = g_steal_pointer (&matrix);
      return TRUE;
    }
  if (c->running)
    FLOW_REQUIRE (shape->dims[shape->rank - 1] == shape->dims[shape->rank - 2], error, INVALID_ARGUMENT,
                  "%s", words);
  if (!flow_infer_merge_dim (c, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1], &side, error))
    return FALSE;
  *out = flow_shape_new (shape->rank, shape->dims);
  (*out)->dims[shape->rank - 2] = (*out)->dims[shape->rank - 1] = side;
  return TRUE;
}

/* TF: an output that is not wanted is an empty vector to the shape function; its kernel never makes
 * it, and what is fetched is a scalar without meaning. */
static void
take_unwanted (FlowInferContext *c,
               guint             i)
{
  flow_infer_take_output (c, i, c->running ? flow_shape_new_scalar () : flow_shape_new_vector (0));
}

/* The batch dimensions of @matrix, then up to two more. */
static FlowShape *
batch_with (const FlowShape *matrix,
            int              n_more,
            gint64           first,
            gint64           second)
{
  FlowShape *shape;

  if (matrix->rank == FLOW_RANK_UNKNOWN)
    return flow_shape_new_unknown ();
  shape = flow_shape_new (matrix->rank - 2 + n_more, matrix->dims);
  if (n_more > 0)
    shape->dims[matrix->rank - 2] = first;
  if (n_more > 1)
    shape->dims[matrix->rank - 1] = second;
  return shape;
}

static gint64
rows_of (const FlowShape *matrix)
{
  return matrix->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : matrix->dims[matrix->rank - 2];
}

static gint64
columns_of (const FlowShape *matrix)
{
  return matrix->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : matrix->dims[matrix->rank - 1];
}

/* --- Matrices one by one ----------------------------------------------------------------------- */

typedef struct {
  const FlowLapack *lapack;
  FlowDType dtype;
  gsize element;               /* bytes */
  int m;
  int n;
  gint64 count;                /* matrices in the batch */
} Batch;

static void
batch_of (FlowTensor *tensor,
          Batch      *batch)
{
  int rank = FLOW_RANK (tensor);
  gint64 count = 1;

  batch->dtype = tensor->dtype;
  batch->lapack = _flow_lapack_for_dtype (tensor->dtype);
  batch->element = flow_dtype_size (tensor->dtype);
  batch->m = (int) FLOW_DIMS (tensor)[rank - 2];
  batch->n = (int) FLOW_DIMS (tensor)[rank - 1];
  for (int i = 0; i < rank - 2; i++)
    count *= FLOW_DIMS (tensor)[i];
  batch->count = count;
}

static gpointer
scratch (FlowKernelContext  *c,
         FlowDType           dtype,
         gint64              count,
         FlowTensor        **owner,
         GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (MAX (count, 1));

  *owner = flow_kernel_allocate_temp (c, dtype, shape, error);
  return *owner != NULL ? (*owner)->data : NULL;
}

/* Row-major to column-major or back: @rows x @columns as the reader of @from sees it. */
static void
transpose (gconstpointer from,
           gpointer      to,
           gint64        rows,
           gint64        columns,
           gsize         element)
{
  const guint8 *source = from;
  guint8 *target = to;

  for (gint64 r = 0; r < rows; r++)
    for (gint64 k = 0; k < columns; k++)
      memcpy (target + (gsize) (k * rows + r) * element, source + (gsize) (r * columns + k) * element, element);
}

static void
conjugate (gpointer  data,
           gint64    count,
           FlowDType dtype)
{
  if (dtype == FLOW_DTYPE_COMPLEX64)
    for (gint64 i = 0; i < count; i++)
      ((float *) data)[2 * i + 1] = -((float *) data)[2 * i + 1];
  else if (dtype == FLOW_DTYPE_COMPLEX128)
    for (gint64 i = 0; i < count; i++)
      ((double *) data)[2 * i + 1] = -((double *) data)[2 * i + 1];
}

static double complex
get_element (gconstpointer data,
             gint64        i,
             FlowDType     dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT: return (double) ((const float *) data)[i];
    case FLOW_DTYPE_DOUBLE: return ((const double *) data)[i];
    case FLOW_DTYPE_COMPLEX64: return (double complex) ((const float complex *) data)[i];
    default: return ((const double complex *) data)[i];
    }
}

static void
set_element (gpointer       data,
             gint64         i,
             FlowDType      dtype,
             double complex value)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT: ((float *) data)[i] = (float) creal (value); break;
    case FLOW_DTYPE_DOUBLE: ((double *) data)[i] = creal (value); break;
    case FLOW_DTYPE_COMPLEX64: ((float complex *) data)[i] = (float complex) value; break;
    default: ((double complex *) data)[i] = value; break;
    }
}

static FlowDType
real_dtype (FlowDType dtype)
{
  if (dtype == FLOW_DTYPE_COMPLEX64)
    return FLOW_DTYPE_FLOAT;
  return dtype == FLOW_DTYPE_COMPLEX128 ? FLOW_DTYPE_DOUBLE : dtype;
}

static gboolean
check_info (int      info,
            GError **error)
{
  FLOW_REQUIRE (info != FLOW_LAPACK_NO_MEMORY, error, RESOURCE_EXHAUSTED, "OOM when allocating LAPACK work space");
  return TRUE;
}

/* LU leaves a zero on the diagonal of a singular matrix, and lets NaN through. */
static gboolean
is_invertible (gconstpointer lu,
               int           n,
               FlowDType     dtype)
{
  for (gint64 i = 0; i < n; i++)
    {
      double size = cabs (get_element (lu, i * n + i, dtype));

      if (!(size > 0))
        return FALSE;
    }
  return TRUE;
}

/* --- Cholesky ---------------------------------------------------------------------------------- */

static gboolean
square_infer (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *shape;

  if (!square_input (c, 0, "Input matrix must be square.", &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

static gboolean
has_nan (gconstpointer data,
         gint64        count,
         FlowDType     dtype)
{
  for (gint64 i = 0; i < count; i++)
    {
      double complex value = get_element (data, i, dtype);

      if (isnan (creal (value)) || isnan (cimag (value)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
cholesky_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  Batch b;

  if (output == NULL)
    return FALSE;
  batch_of (input, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 size = (gint64) b.n * b.n;
      const guint8 *from = (const guint8 *) input->data + (gsize) (k * size) * b.element;
      guint8 *to = (guint8 *) output->data + (gsize) (k * size) * b.element;
      g_autoptr (FlowTensor) owner = NULL;
      gpointer a = scratch (c, b.dtype, size, &owner, error);
      int info;

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      transpose (from, a, b.n, b.n, b.element);
      /* TF: NaN in, NaN out; only what is provably not positive definite fails. */
      info = b.lapack->factor_cholesky (b.n, a);
      FLOW_REQUIRE (info == 0 || has_nan (from, size, b.dtype), error, INVALID_ARGUMENT,
                    "Cholesky decomposition was not successful. The input might not be valid.");
      for (gint64 column = 1; column < b.n; column++)
        memset ((guint8 *) a + (gsize) (column * b.n) * b.element, 0, (gsize) column * b.element);
      transpose (a, to, b.n, b.n, b.element);
    }
  return TRUE;
}

/* --- Inverse, determinant ---------------------------------------------------------------------- */

/* Column-major LU of matrix @k of @input into @a; with @adjoint of its conjugate transpose. */
static int
factor (FlowTensor  *input,
        const Batch *b,
        gint64       k,
        gboolean     adjoint,
        gpointer     a,
        int         *pivots)
{
  gint64 size = (gint64) b->n * b->n;
  const guint8 *from = (const guint8 *) input->data + (gsize) (k * size) * b->element;

  if (adjoint)
    {
      memcpy (a, from, (gsize) size * b->element);
      conjugate (a, size, b->dtype);
    }
  else
    transpose (from, a, b->n, b->n, b->element);
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
  Batch b;

  if (output == NULL)
    return FALSE;
  batch_of (input, &b);
  pivots = g_try_new (int, (gsize) b.n + 1);
  FLOW_REQUIRE (pivots != NULL, error, RESOURCE_EXHAUSTED, "OOM when allocating pivots");
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gint64 size = (gint64) b.n * b.n;
      g_autoptr (FlowTensor) owner = NULL;
      gpointer a = scratch (c, b.dtype, size, &owner, error);

      if (a == NULL || flow_kernel_is_cancelled (c))
        return a != NULL;
      factor (input, &b, k, adjoint, a, pivots);
      FLOW_REQUIRE (is_invertible (a, b.n, b.dtype), error, INVALID_ARGUMENT, "Input is not invertible.");
      if (!check_info (b.lapack->invert_lu (b.n, a, pivots), error))
        return FALSE;
      transpose (a, (guint8 *) output->data + (gsize) (k * size) * b.element, b.n, b.n, b.element);
    }
  return TRUE;
}

static gboolean
determinant_infer (FlowInferContext  *c,
                   GError           **error)
{
  g_autoptr (FlowShape) matrix = NULL;

  if (!square_input (c, 0, "Input matrix must be square.", &matrix, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, batch_with (matrix, 0, 0, 0));
  return TRUE;
}

/* The product of the diagonal of LU as a sign (of modulus 1) and the logarithm of its size. */
static gboolean
log_determinant (FlowKernelContext  *c,
                 const Batch        *b,
                 gint64              k,
                 double complex     *sign,
                 double             *log_size,
                 GError            **error)
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
  a = scratch (c, b->dtype, (gint64) b->n * b->n, &owner, error);
  if (a == NULL)
    return FALSE;
  factor (input, b, k, FALSE, a, pivots);
  for (gint64 i = 0; i < b->n; i++)
    {
      double complex value = get_element (a, i * b->n + i, b->dtype);
      double size = cabs (value);

      *sign = size > 0 ? *sign * value / size : size == 0 ? 0 : NAN;
      *log_size += log (size);
      if (pivots[i] != i + 1)
        *sign = -*sign;
    }
  return TRUE;
}

static gboolean
determinant_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  Batch b;

  if (output == NULL)
    return FALSE;
  batch_of (flow_kernel_input (c, 0), &b);
  for (gint64 k = 0; k < b.count; k++)
    {
      double complex sign;
      double log_size;

      if (!log_determinant (c, &b, k, &sign, &log_size, error))
        return FALSE;
      set_element (output->data, k, b.dtype, sign == 0 ? 0 : sign * exp (log_size));
    }
  return TRUE;
}

static gboolean
log_determinant_compute (FlowKernelContext  *c,
                         GError            **error)
{
  FlowTensor *signs = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *logs = signs != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  Batch b;

  if (logs == NULL)
    return FALSE;
  batch_of (flow_kernel_input (c, 0), &b);
  for (gint64 k = 0; k < b.count; k++)
    {
      double complex sign;
      double log_size;

      if (!log_determinant (c, &b, k, &sign, &log_size, error))
        return FALSE;
      set_element (signs->data, k, b.dtype, sign);
      set_element (logs->data, k, b.dtype, log_size);
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

  if (!square_input (c, 0, "First input (lhs) must be a square matrix.", &matrix, error)
      || !matrix_input (c, 1, &rhs, error))
    return FALSE;
  if (c->running)
    {
      FLOW_REQUIRE (matrix->rank == rhs->rank, error, INVALID_ARGUMENT,
                    "All input tensors must have the same rank.");
      for (int i = 0; i < matrix->rank - 2; i++)
        FLOW_REQUIRE (matrix->dims[i] == rhs->dims[i], error, INVALID_ARGUMENT,
                      "All input tensors must have the same outer dimensions.");
      FLOW_REQUIRE (rows_of (matrix) == rows_of (rhs), error, INVALID_ARGUMENT,
                    "Input matrix and rhs are incompatible.");
    }
  if (!flow_infer_merge_dim (c, rows_of (matrix), rows_of (rhs), &rows, error))
    return FALSE;
  if (matrix->rank != FLOW_RANK_UNKNOWN && rhs->rank != FLOW_RANK_UNKNOWN && matrix->rank != rhs->rank)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Shapes must be equal rank, but are %d and %d",
                   matrix->rank - 2, rhs->rank - 2);
      return FALSE;
    }
  flow_infer_take_output (c, 0, batch_with (matrix->rank == FLOW_RANK_UNKNOWN ? rhs : matrix, 2, rows, columns_of (rhs)));
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
  Batch b;
  Batch r;

  if (output == NULL)
    return FALSE;
  batch_of (matrix, &b);
  batch_of (rhs, &r);
  pivots = g_try_new (int, (gsize) b.n + 1);
  FLOW_REQUIRE (pivots != NULL, error, RESOURCE_EXHAUSTED, "OOM when allocating pivots");
  for (gint64 k = 0; k < b.count && b.n > 0 && r.n > 0; k++)
    {
      gsize offset = (gsize) k * (gsize) r.m * (gsize) r.n * b.element;
      g_autoptr (FlowTensor) owner_a = NULL;
      g_autoptr (FlowTensor) owner_x = NULL;
      gpointer a = scratch (c, b.dtype, (gint64) b.n * b.n, &owner_a, error);
      gpointer x = a != NULL ? scratch (c, b.dtype, (gint64) r.m * r.n, &owner_x, error) : NULL;

      if (x == NULL || flow_kernel_is_cancelled (c))
        return x != NULL;
      factor (matrix, &b, k, adjoint, a, pivots);
      FLOW_REQUIRE (is_invertible (a, b.n, b.dtype), error, INVALID_ARGUMENT, "Input matrix is not invertible.");
      transpose ((const guint8 *) rhs->data + offset, x, r.m, r.n, b.element);
      b.lapack->solve_lu (b.n, r.n, a, pivots, x);
      transpose (x, (guint8 *) output->data + offset, r.n, r.m, b.element);
    }
  return TRUE;
}

/* Forward or backward substitution in the matrix's own order; column @column of the right side. */
static void
substitute (const guint8 *a,
            gpointer      x,
            const Batch  *b,
            int           n_rhs,
            int           column,
            gboolean      lower,
            gboolean      adjoint)
{
  gboolean forward = lower != adjoint;
  int n = b->n;

  for (int step = 0; step < n; step++)
    {
      int i = forward ? step : n - 1 - step;
      double complex sum = get_element (x, (gint64) i * n_rhs + column, b->dtype);
      double complex diagonal = get_element (a, (gint64) i * n + i, b->dtype);

      for (int done = 0; done < step; done++)
        {
          int j = forward ? done : n - 1 - done;
          double complex value = adjoint ? conj (get_element (a, (gint64) j * n + i, b->dtype))
                                         : get_element (a, (gint64) i * n + j, b->dtype);

          sum -= value * get_element (x, (gint64) j * n_rhs + column, b->dtype);
        }
      set_element (x, (gint64) i * n_rhs + column, b->dtype, sum / (adjoint ? conj (diagonal) : diagonal));
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
  Batch b;
  Batch r;

  if (output == NULL)
    return FALSE;
  batch_of (matrix, &b);
  batch_of (rhs, &r);
  for (gint64 k = 0; k < b.count && r.n > 0; k++)
    for (gint64 i = 0; i < b.n; i++)
      FLOW_REQUIRE (cabs (get_element (matrix->data, (k * b.n + i) * b.n + i, b.dtype)) != 0, error, INVALID_ARGUMENT,
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

  if (!matrix_input (c, 0, &matrix, error))
    return FALSE;
  m = rows_of (matrix);
  n = columns_of (matrix);
  p = m < 0 || n < 0 ? FLOW_DIM_UNKNOWN : MIN (m, n);
  flow_infer_take_output (c, 0, batch_with (matrix, 2, m, full ? m : p));
  flow_infer_take_output (c, 1, batch_with (matrix, 2, full ? m : p, n));
  return TRUE;
}

static gboolean
qr_one (const Batch   *b,
        gboolean       full,
        const guint8  *from,
        gpointer       a,
        gpointer       tau,
        guint8        *q,
        guint8        *r,
        GError       **error)
{
  int p = MIN (b->m, b->n);
  int q_columns = full ? b->m : p;

  transpose (from, a, b->m, b->n, b->element);
  if (!check_info (b->lapack->factor_qr (b->m, b->n, a, tau), error))
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
  if (!check_info (b->lapack->form_q (b->m, q_columns, p, a, tau), error))
    return FALSE;
  transpose (a, q, q_columns, b->m, b->element);
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
  Batch b;
  int p;
  int q_columns;

  if (r == NULL)
    return FALSE;
  batch_of (input, &b);
  p = MIN (b.m, b.n);
  q_columns = full ? b.m : p;
  a = scratch (c, b.dtype, (gint64) b.m * MAX (b.m, b.n), &owner_a, error);
  tau = a != NULL ? scratch (c, b.dtype, p, &owner_tau, error) : NULL;
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
            set_element (to_q, i, b.dtype, i / q_columns == i % q_columns);
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

  if (!square_input (c, 0, "Input matrix must be square.", &matrix, error))
    return FALSE;
  flow_infer_take_output (c, 0, batch_with (matrix, 1, rows_of (matrix), 0));
  if (flow_infer_attr_bool (c, "compute_v"))
    flow_infer_set_output (c, 1, matrix);
  else
    take_unwanted (c, 1);
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
  Batch b;

  if (vectors == NULL)
    return FALSE;
  if (!compute_v)
    memset (vectors->data, 0, vectors->n_bytes);
  batch_of (input, &b);
  for (gint64 k = 0; k < b.count && b.n > 0; k++)
    {
      gsize offset = (gsize) k * (gsize) b.n * (gsize) b.n * b.element;
      g_autoptr (FlowTensor) owner_a = NULL;
      g_autoptr (FlowTensor) owner_w = NULL;
      gpointer a = scratch (c, b.dtype, (gint64) b.n * b.n, &owner_a, error);
      gpointer w = a != NULL ? scratch (c, real_dtype (b.dtype), b.n, &owner_w, error) : NULL;
      int info;

      if (w == NULL || flow_kernel_is_cancelled (c))
        return w != NULL;
      transpose ((const guint8 *) input->data + offset, a, b.n, b.n, b.element);
      info = b.lapack->eigen (compute_v, b.n, a, w);
      if (!check_info (info, error))
        return FALSE;
      FLOW_REQUIRE (info == 0, error, INVALID_ARGUMENT,
                    "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
      for (gint64 i = 0; i < b.n; i++)
        set_element (values->data, k * b.n + i, b.dtype, get_element (w, i, real_dtype (b.dtype)));
      if (compute_v)
        transpose (a, (guint8 *) vectors->data + offset, b.n, b.n, b.element);
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

  if (!matrix_input (c, 0, &matrix, error))
    return FALSE;
  m = rows_of (matrix);
  n = columns_of (matrix);
  p = m < 0 || n < 0 ? FLOW_DIM_UNKNOWN : MIN (m, n);
  flow_infer_take_output (c, 0, batch_with (matrix, 1, p, 0));
  if (flow_infer_attr_bool (c, "compute_uv"))
    {
      flow_infer_take_output (c, 1, batch_with (matrix, 2, m, full ? m : p));
      flow_infer_take_output (c, 2, batch_with (matrix, 2, n, full ? n : p));
    }
  else
    {
      take_unwanted (c, 1);
      take_unwanted (c, 2);
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
  Batch b;
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
  batch_of (input, &b);
  p = MIN (b.m, b.n);
  u_columns = full ? b.m : p;
  v_columns = full ? b.n : p;
  if (scratch (c, b.dtype, (gint64) b.m * b.n, &space.a, error) == NULL
      || scratch (c, real_dtype (b.dtype), p, &space.s, error) == NULL
      || scratch (c, b.dtype, vectors ? (gint64) b.m * u_columns : 1, &space.u, error) == NULL
      || scratch (c, b.dtype, vectors ? (gint64) b.n * v_columns : 1, &space.vt, error) == NULL)
    return FALSE;
  for (gint64 k = 0; k < b.count && p > 0; k++)
    {
      int info;

      if (flow_kernel_is_cancelled (c))
        return TRUE;
      transpose ((const guint8 *) input->data + (gsize) k * (gsize) b.m * (gsize) b.n * b.element, space.a->data, b.m, b.n, b.element);
      info = b.lapack->svd (!vectors ? 'N' : full ? 'A' : 'S', b.m, b.n, space.a->data, space.s->data,
                            space.u->data, MAX (b.m, 1), space.vt->data, MAX (v_columns, 1));
      if (!check_info (info, error))
        return FALSE;
      for (gint64 i = 0; i < p; i++)
        set_element (s->data, k * p + i, b.dtype, get_element (space.s->data, i, real_dtype (b.dtype)));
      if (!vectors)
        continue;
      transpose (space.u->data, (guint8 *) u->data + (gsize) k * (gsize) b.m * (gsize) u_columns * b.element, u_columns, b.m, b.element);
      /* Column-major V^H is row-major V but for the conjugation. */
      conjugate (space.vt->data, (gint64) v_columns * b.n, b.dtype);
      memcpy ((guint8 *) v->data + (gsize) k * (gsize) b.n * (gsize) v_columns * b.element, space.vt->data,
              (gsize) b.n * (gsize) v_columns * b.element);
    }
  return TRUE;
}

#define KERNEL(compute) (const FlowKernelDef[]) { { LINALG_TYPES, compute }, { NULL } }
#define LINALG_ATTR "T: {double, float, complex64, complex128}"

static const FlowOpDef ops[] = {
  { .name = "Cholesky", .inputs = "input: T", .outputs = "output: T", .attrs = LINALG_ATTR,
    .summary = "Lower triangular L with L times its adjoint equal to the input", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = square_infer, .kernels = KERNEL (cholesky_compute) },
  { .name = "LogMatrixDeterminant", .inputs = "input: T", .outputs = "sign: T; log_abs_determinant: T", .attrs = LINALG_ATTR,
    .summary = "Sign and logarithm of the absolute value of determinants", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = determinant_infer, .kernels = KERNEL (log_determinant_compute) },
  { .name = "MatrixDeterminant", .inputs = "input: T", .outputs = "output: T", .attrs = LINALG_ATTR,
    .summary = "Determinants of square matrices", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = determinant_infer, .kernels = KERNEL (determinant_compute) },
  { .name = "MatrixInverse", .inputs = "input: T", .outputs = "output: T", .attrs = "adjoint: bool = false; " LINALG_ATTR,
    .summary = "Inverses of square matrices, or of their adjoints", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = square_infer, .kernels = KERNEL (inverse_compute) },
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
