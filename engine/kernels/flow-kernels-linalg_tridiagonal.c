/* flow-kernels-linalg_tridiagonal.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Matrices that are given by their three middle diagonals.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-linalg-private.h"

#include <string.h>

#define LINALG_TYPES "T: complex128 complex64 double float"
#define LINALG_ATTR "T: {double, float, complex64, complex128}"

typedef double complex Number;

/* --- TridiagonalSolve -------------------------------------------------------------------------------------------------- */

static gboolean
solve_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) diagonals = NULL;
  g_autoptr (FlowShape) rhs = NULL;

  if (!_flow_linalg_matrix_input (c, 0, &diagonals, error) || !_flow_linalg_matrix_input (c, 1, &rhs, error))
    return FALSE;
  if (c->running)
    {
      FLOW_REQUIRE (diagonals->rank == rhs->rank, error, INVALID_ARGUMENT, "All input tensors must have the same rank.");
      for (int i = 0; i < rhs->rank - 2; i++)
        FLOW_REQUIRE (diagonals->dims[i] == rhs->dims[i], error, INVALID_ARGUMENT,
                      "All input tensors must have the same outer dimensions.");
      FLOW_REQUIRE (_flow_linalg_rows_of (diagonals) == 3, error, INVALID_ARGUMENT,
                    "Expected diagonals to be provided as a matrix with 3 rows, got %" G_GINT64_FORMAT " rows.",
                    _flow_linalg_rows_of (diagonals));
      FLOW_REQUIRE (_flow_linalg_columns_of (diagonals) == _flow_linalg_rows_of (rhs), error, INVALID_ARGUMENT,
                    "Expected the same number of left-hand sides and right-hand sides, got %" G_GINT64_FORMAT " and %"
                    G_GINT64_FORMAT ".", _flow_linalg_columns_of (diagonals), _flow_linalg_rows_of (rhs));
    }
  flow_infer_set_output (c, 0, rhs);
  return TRUE;
}

/* One system; rows of the factor U have up to three entries. */
typedef struct {
  gint64 n;
  gint64 k;                    /* right sides */
  Number *u;                   /* n x 3 */
  Number *x;                   /* n x k */
} System;

static gboolean
refuse_singular (GError **error)
{
  return _flow_refuse (error, "The matrix is not invertible.");
}

static void
swap_rows (System *s,
           gint64  i)
{
  for (gint64 j = 0; j < s->k; j++)
    {
      Number kept = s->x[i * s->k + j];

      s->x[i * s->k + j] = s->x[(i + 1) * s->k + j];
      s->x[(i + 1) * s->k + j] = kept;
    }
}

static void
substitute_back (System *s)
{
  for (gint64 i = s->n - 1; i >= 0; i--)
    for (gint64 j = 0; j < s->k; j++)
      {
        Number value = s->x[i * s->k + j];

        if (i + 1 < s->n)
          value -= s->u[3 * i + 1] * s->x[(i + 1) * s->k + j];
        if (i + 2 < s->n)
          value -= s->u[3 * i + 2] * s->x[(i + 2) * s->k + j];
        s->x[i * s->k + j] = value / s->u[3 * i];
      }
}

/* Gaussian elimination; the larger of two rows goes first. */
static gboolean
solve_pivoting (System        *s,
                const Number  *d,
                GError       **error)
{
  const Number *above = d;
  const Number *middle = d + s->n;
  const Number *below = d + 2 * s->n;
  gint64 n = s->n;

  s->u[0] = middle[0];
  s->u[1] = n > 1 ? above[0] : 0;
  s->u[2] = 0;
  for (gint64 i = 0; i + 1 < n; i++)
    {
      Number *u = s->u + 3 * i;
      Number next_above = i + 2 < n ? above[i + 1] : 0;
      Number factor;

      if (cabs (u[0]) >= cabs (below[i + 1]))
        {
          if (u[0] == 0)
            return refuse_singular (error);
          factor = below[i + 1] / u[0];
          u[3] = middle[i + 1] - factor * u[1];
          u[4] = next_above;
        }
      else
        {
          factor = u[0] / below[i + 1];
          u[3] = u[1] - factor * middle[i + 1];
          u[4] = -factor * next_above;
          u[0] = below[i + 1];
          u[1] = middle[i + 1];
          u[2] = next_above;
          swap_rows (s, i);
        }
      u[5] = 0;
      for (gint64 j = 0; j < s->k; j++)
        s->x[(i + 1) * s->k + j] -= factor * s->x[i * s->k + j];
    }
  if (s->u[3 * (n - 1)] == 0)
    return refuse_singular (error);
  substitute_back (s);
  return TRUE;
}

/* Thomas: no row changes its place. */
static gboolean
solve_plain (System        *s,
             const Number  *d,
             GError       **error)
{
  const Number *above = d;
  const Number *middle = d + s->n;
  const Number *below = d + 2 * s->n;

  for (gint64 i = 0; i < s->n; i++)
    {
      Number factor = i > 0 ? below[i] / s->u[3 * (i - 1)] : 0;

      s->u[3 * i] = middle[i] - (i > 0 ? factor * s->u[3 * (i - 1) + 1] : 0);
      s->u[3 * i + 1] = i + 1 < s->n ? above[i] : 0;
      s->u[3 * i + 2] = 0;
      if (s->u[3 * i] == 0)
        return _flow_refuse (error, "The matrix is either not invertible, or requires pivoting. Try setting "
                             "partial_pivoting = True.");
      for (gint64 j = 0; i > 0 && j < s->k; j++)
        s->x[i * s->k + j] -= factor * s->x[(i - 1) * s->k + j];
    }
  substitute_back (s);
  return TRUE;
}

static gboolean
solve_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowTensor *diagonals = flow_kernel_input (c, 0);
  FlowTensor *rhs = flow_kernel_input (c, 1);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  gboolean pivoting = flow_kernel_attr_bool (c, "partial_pivoting");
  g_autoptr (FlowTensor) owner = NULL;
  FlowMatrices b;
  Number *d;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (rhs, &b);
  if (rhs->n_elements == 0)
    return TRUE;
  d = _flow_linalg_scratch (c, FLOW_DTYPE_COMPLEX128, 6 * (gint64) b.m + (gint64) b.m * b.n, &owner, error);
  if (d == NULL)
    return FALSE;
  for (gint64 k = 0; k < b.count; k++)
    {
      gint64 size = (gint64) b.m * b.n;
      System s = { b.m, b.n, d + 3 * (gint64) b.m, d + 6 * (gint64) b.m };

      if (flow_kernel_is_cancelled (c))
        return TRUE;
      for (gint64 i = 0; i < 3 * (gint64) b.m; i++)
        d[i] = _flow_linalg_get_element (diagonals->data, k * 3 * b.m + i, b.dtype);
      for (gint64 i = 0; i < size; i++)
        s.x[i] = _flow_linalg_get_element (rhs->data, k * size + i, b.dtype);
      if (b.m == 1 && d[1] == 0)
        return _flow_refuse (error, "The matrix is not invertible: it is a scalar with value zero.");
      if (!(pivoting ? solve_pivoting (&s, d, error) : solve_plain (&s, d, error)))
        return FALSE;
      for (gint64 i = 0; i < size; i++)
        _flow_linalg_set_element (output->data, k * size + i, b.dtype, s.x[i]);
    }
  return TRUE;
}

/* --- TridiagonalMatMul ------------------------------------------------------------------------------------------------ */

static gboolean
check_diagonal (FlowInferContext  *c,
                guint              i,
                const FlowShape   *rhs,
                const char        *which,
                GError           **error)
{
  const FlowShape *diagonal = flow_infer_input (c, i);

  FLOW_REQUIRE (diagonal->rank == rhs->rank, error, INVALID_ARGUMENT, "All input tensors must have the same rank.");
  for (int d = 0; d < rhs->rank - 2; d++)
    FLOW_REQUIRE (diagonal->dims[d] == rhs->dims[d], error, INVALID_ARGUMENT,
                  "All input tensors must have the same outer dimensions.");
  FLOW_REQUIRE (_flow_linalg_rows_of (diagonal) == 1 && _flow_linalg_columns_of (diagonal) == _flow_linalg_rows_of (rhs), error,
                INVALID_ARGUMENT, "Invalid %s shape.", which);
  return TRUE;
}

static gboolean
multiply_infer (FlowInferContext  *c,
                GError           **error)
{
  static const char *const names[] = { "superdiagonal", "main diagonal", "subdiagonal" };
  g_autoptr (FlowShape) rhs = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (FlowShape) diagonal = NULL;

      if (!_flow_linalg_matrix_input (c, i, &diagonal, error))
        return FALSE;
    }
  if (!_flow_linalg_matrix_input (c, 3, &rhs, error))
    return FALSE;
  for (guint i = 0; c->running && i < 3; i++)
    if (!check_diagonal (c, i, rhs, names[i], error))
      return FALSE;
  flow_infer_set_output (c, 0, rhs);
  return TRUE;
}

static gboolean
multiply_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowTensor *rhs = flow_kernel_input (c, 3);
  FlowTensor *output = flow_kernel_allocate_inferred (c, 0, error);
  FlowMatrices b;

  if (output == NULL)
    return FALSE;
  _flow_linalg_batch_of (rhs, &b);
  for (gint64 row = 0; row < b.count * b.m; row++)
    {
      gint64 i = row % b.m;
      Number above = _flow_linalg_get_element (flow_kernel_input (c, 0)->data, row, b.dtype);
      Number middle = _flow_linalg_get_element (flow_kernel_input (c, 1)->data, row, b.dtype);
      Number below = _flow_linalg_get_element (flow_kernel_input (c, 2)->data, row, b.dtype);

      for (gint64 j = 0; j < b.n; j++)
        {
          Number sum = middle * _flow_linalg_get_element (rhs->data, row * b.n + j, b.dtype);

          if (i > 0)
            sum += below * _flow_linalg_get_element (rhs->data, (row - 1) * b.n + j, b.dtype);
          if (i + 1 < b.m)
            sum += above * _flow_linalg_get_element (rhs->data, (row + 1) * b.n + j, b.dtype);
          _flow_linalg_set_element (output->data, row * b.n + j, b.dtype, sum);
        }
    }
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "TridiagonalMatMul", .inputs = "superdiag: T; maindiag: T; subdiag: T; rhs: T", .outputs = "output: T",
    .attrs = LINALG_ATTR, .summary = "A tridiagonal matrix times another", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = multiply_infer, .kernels = (const FlowKernelDef[]) { { LINALG_TYPES, multiply_compute }, { NULL } } },
  { .name = "TridiagonalSolve", .inputs = "diagonals: T; rhs: T", .outputs = "output: T",
    .attrs = "partial_pivoting: bool = true; " LINALG_ATTR, .summary = "Solves tridiagonal systems",
    .family = FLOW_OP_FAMILY_LINEAR, .infer = solve_infer,
    .kernels = (const FlowKernelDef[]) { { LINALG_TYPES, solve_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (linalg_tridiagonal, ops)
