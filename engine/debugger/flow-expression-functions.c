/* flow-expression-functions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-expression-private.h"

#include "flow-error.h"

#include <math.h>
#include <string.h>

/* The functions of expressions: element by element, over all elements or an axis, of two values, of shapes. */

typedef double (*ElementFunc) (double x);
typedef double (*ReduceFunc) (const double *values, gint64 n);
typedef double (*PairFunc) (double a, double b);

static double
sign (double x)
{
  return isnan (x) ? x : (x > 0) - (x < 0);
}

static double
square (double x)
{
  return x * x;
}

static double
sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}

static double
relu (double x)
{
  return x > 0 ? x : isnan (x) ? x : 0;
}

static double
is_nan (double x)
{
  return isnan (x);
}

static double
is_inf (double x)
{
  return isinf (x) != 0;
}

static double
is_finite (double x)
{
  return isfinite (x);
}

static double
minimum (double a,
         double b)
{
  return isnan (a) || a < b ? a : b;
}

static double
maximum (double a,
         double b)
{
  return isnan (a) || a > b ? a : b;
}

/* --- over many -------------------------------------------------------------------------------------- */

static double
reduce_sum (const double *values,
            gint64        n)
{
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

static double
reduce_mean (const double *values,
             gint64        n)
{
  return n > 0 ? reduce_sum (values, n) / (double) n : NAN;
}

static double
reduce_var (const double *values,
            gint64        n)
{
  double mean = reduce_mean (values, n);
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += square (values[i] - mean);
  return n > 0 ? sum / (double) n : NAN;
}

static double
reduce_std (const double *values,
            gint64        n)
{
  return sqrt (reduce_var (values, n));
}

static double
reduce_min (const double *values,
            gint64        n)
{
  double least = n > 0 ? values[0] : NAN;

  for (gint64 i = 1; i < n && !isnan (least); i++)
    least = minimum (values[i], least);
  return least;
}

static double
reduce_max (const double *values,
            gint64        n)
{
  double most = n > 0 ? values[0] : NAN;

  for (gint64 i = 1; i < n && !isnan (most); i++)
    most = maximum (values[i], most);
  return most;
}

static double
reduce_range (const double *values,
              gint64        n)
{
  return reduce_max (values, n) - reduce_min (values, n);
}

static double
reduce_norm (const double *values,
             gint64        n)
{
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += square (values[i]);
  return sqrt (sum);
}

static double
reduce_count (const double *values,
              gint64        n)
{
  gint64 count = 0;

  for (gint64 i = 0; i < n; i++)
    count += values[i] != 0;
  return (double) count;
}

static double
reduce_zeros (const double *values,
              gint64        n)
{
  return (double) n - reduce_count (values, n);
}

static double
reduce_any (const double *values,
            gint64        n)
{
  return reduce_count (values, n) > 0;
}

static double
reduce_all (const double *values,
            gint64        n)
{
  return reduce_zeros (values, n) == 0;
}

static double
reduce_argmax (const double *values,
               gint64        n)
{
  gint64 at = 0;

  for (gint64 i = 1; i < n; i++)
    if (values[i] > values[at] || (isnan (values[i]) && !isnan (values[at])))
      at = i;
  return n > 0 ? (double) at : NAN;
}

static double
reduce_argmin (const double *values,
               gint64        n)
{
  gint64 at = 0;

  for (gint64 i = 1; i < n; i++)
    if (values[i] < values[at] || (isnan (values[i]) && !isnan (values[at])))
      at = i;
  return n > 0 ? (double) at : NAN;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return isnan (x) ? !isnan (y) : isnan (y) ? -1 : (x > y) - (x < y);
}

static double
reduce_median (const double *values,
               gint64        n)
{
  g_autofree double *sorted = g_try_new (double, (gsize) MAX (n, 1));

  if (sorted == NULL || n == 0)
    return NAN;
  memcpy (sorted, values, (gsize) n * sizeof (double));
  qsort (sorted, (size_t) n, sizeof (double), compare_doubles);
  return isnan (sorted[n - 1]) ? NAN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* --- the table -------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  ElementFunc element;
  ReduceFunc reduce;
  PairFunc pair;
  gboolean is_bool;
} functions[] = {
  { "abs", fabs, NULL, NULL, FALSE }, { "sqrt", sqrt, NULL, NULL, FALSE }, { "exp", exp, NULL, NULL, FALSE },
  { "log", log, NULL, NULL, FALSE }, { "log2", log2, NULL, NULL, FALSE }, { "log10", log10, NULL, NULL, FALSE },
  { "floor", floor, NULL, NULL, FALSE }, { "ceil", ceil, NULL, NULL, FALSE }, { "round", rint, NULL, NULL, FALSE },
  { "sign", sign, NULL, NULL, FALSE }, { "square", square, NULL, NULL, FALSE }, { "sin", sin, NULL, NULL, FALSE },
  { "cos", cos, NULL, NULL, FALSE }, { "tanh", tanh, NULL, NULL, FALSE }, { "sigmoid", sigmoid, NULL, NULL, FALSE },
  { "relu", relu, NULL, NULL, FALSE },
  { "isnan", is_nan, NULL, NULL, TRUE }, { "isinf", is_inf, NULL, NULL, TRUE },
  { "isfinite", is_finite, NULL, NULL, TRUE },
  { "sum", NULL, reduce_sum, NULL, FALSE }, { "mean", NULL, reduce_mean, NULL, FALSE },
  { "var", NULL, reduce_var, NULL, FALSE }, { "std", NULL, reduce_std, NULL, FALSE },
  { "min", NULL, reduce_min, NULL, FALSE }, { "max", NULL, reduce_max, NULL, FALSE },
  { "range", NULL, reduce_range, NULL, FALSE }, { "norm", NULL, reduce_norm, NULL, FALSE },
  { "median", NULL, reduce_median, NULL, FALSE }, { "count", NULL, reduce_count, NULL, FALSE },
  { "zeros", NULL, reduce_zeros, NULL, FALSE }, { "any", NULL, reduce_any, NULL, TRUE },
  { "all", NULL, reduce_all, NULL, TRUE }, { "argmax", NULL, reduce_argmax, NULL, FALSE },
  { "argmin", NULL, reduce_argmin, NULL, FALSE },
  { "minimum", NULL, NULL, minimum, FALSE }, { "maximum", NULL, NULL, maximum, FALSE },
  { "size", NULL, NULL, NULL, FALSE }, { "rank", NULL, NULL, NULL, FALSE }, { "shape", NULL, NULL, NULL, FALSE },
  { "transpose", NULL, NULL, NULL, FALSE }, { "matmul", NULL, NULL, NULL, FALSE },
};

static int
find_function (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].name, name) == 0)
      return (int) i;
  return -1;
}

gboolean
_flow_expression_is_function (const char *name)
{
  return find_function (name) >= 0;
}

static void
set_value (FlowTensor *to,
           gint64      i,
           double      value)
{
  if (to->dtype == FLOW_DTYPE_BOOL)
    FLOW_WRITABLE (guint8, to)[i] = value != 0;
  else
    FLOW_WRITABLE (double, to)[i] = value;
}

static FlowTensor *
call_element (guint             f,
              const FlowTensor *x,
              FlowBudget       *budget,
              GError          **error)
{
  FlowTensor *to = _flow_expression_new_value (functions[f].is_bool ? FLOW_DTYPE_BOOL : FLOW_DTYPE_DOUBLE, x->shape->rank,
                                               x->shape->dims, budget, error);

  for (gint64 i = 0; to != NULL && i < to->n_elements; i++)
    set_value (to, i, functions[f].element (flow_tensor_get_double (x, i)));
  return to;
}

/* The elements along an axis, one row after the other. */
static FlowTensor *
call_reduce (guint             f,
             const FlowTensor *x,
             int               axis,
             FlowBudget       *budget,
             GError          **error)
{
  g_autofree gint64 *dims = g_new0 (gint64, (gsize) x->shape->rank + 1);
  gint64 n = axis < 0 ? x->n_elements : x->shape->dims[axis];
  g_autofree double *row = g_try_new (double, (gsize) MAX (n, 1));
  gint64 inner = 1;
  FlowTensor *to = NULL;
  int rank = 0;

  FLOW_REQUIRE (row != NULL, error, RESOURCE_EXHAUSTED, "expression: no memory for %" G_GINT64_FORMAT " numbers", n);
  for (int d = 0; axis >= 0 && d < x->shape->rank; d++)
    {
      if (d != axis)
        dims[rank++] = x->shape->dims[d];
      if (d > axis)
        inner *= x->shape->dims[d];
    }
  to = _flow_expression_new_value (functions[f].is_bool ? FLOW_DTYPE_BOOL : FLOW_DTYPE_DOUBLE, rank, dims, budget, error);
  for (gint64 i = 0; to != NULL && i < to->n_elements; i++)
    {
      gint64 first = axis < 0 ? 0 : (i / inner) * inner * n + i % inner;

      for (gint64 k = 0; k < n; k++)
        row[k] = flow_tensor_get_double (x, first + k * (axis < 0 ? 1 : inner));
      set_value (to, i, functions[f].reduce (row, n));
    }
  return to;
}

static FlowTensor *
call_shape (const char       *name,
            const FlowTensor *x,
            FlowBudget       *budget,
            GError          **error)
{
  gint64 rank = x->shape->rank;
  gboolean is_vector = strcmp (name, "shape") == 0;
  FlowTensor *to = _flow_expression_new_value (FLOW_DTYPE_DOUBLE, is_vector ? 1 : 0, &rank, budget, error);

  if (to == NULL)
    return NULL;
  if (!is_vector)
    set_value (to, 0, strcmp (name, "size") == 0 ? (double) x->n_elements : (double) rank);
  for (gint64 i = 0; is_vector && i < rank; i++)
    set_value (to, i, (double) x->shape->dims[i]);
  return to;
}

static FlowTensor *
call_transpose (const FlowTensor *x,
                FlowBudget       *budget,
                GError          **error)
{
  gint64 dims[2] = { 0, 0 };
  FlowTensor *to = NULL;

  FLOW_REQUIRE (x->shape->rank == 2, error, INVALID_ARGUMENT, "expression: transpose wants a matrix");
  dims[0] = x->shape->dims[1];
  dims[1] = x->shape->dims[0];
  to = _flow_expression_new_value (x->dtype, 2, dims, budget, error);
  for (gint64 i = 0; to != NULL && i < to->n_elements; i++)
    set_value (to, i, flow_tensor_get_double (x, (i % dims[1]) * dims[0] + i / dims[1]));
  return to;
}

/* More multiplications than this make a person wait. */
#define MAX_PRODUCTS (G_GINT64_CONSTANT (1) << 32)

static FlowTensor *
call_matmul (const FlowTensor *a,
             const FlowTensor *b,
             FlowBudget       *budget,
             GError          **error)
{
  gint64 dims[2] = { 0, 0 };
  gint64 n = 0;
  gint64 products = 0;
  FlowTensor *to = NULL;

  FLOW_REQUIRE (a->shape->rank == 2 && b->shape->rank == 2 && a->shape->dims[1] == b->shape->dims[0], error,
                INVALID_ARGUMENT, "expression: matmul wants matrices that fit");
  dims[0] = a->shape->dims[0];
  dims[1] = b->shape->dims[1];
  n = a->shape->dims[1];
  FLOW_REQUIRE (!__builtin_mul_overflow (dims[0], dims[1], &products) && !__builtin_mul_overflow (products, n, &products)
                  && products <= MAX_PRODUCTS,
                error, RESOURCE_EXHAUSTED, "expression: the matrices are too large");
  to = _flow_expression_new_value (FLOW_DTYPE_DOUBLE, 2, dims, budget, error);
  for (gint64 i = 0; to != NULL && i < to->n_elements; i++)
    {
      double sum = 0;

      for (gint64 k = 0; k < n; k++)
        sum += flow_tensor_get_double (a, i / dims[1] * n + k) * flow_tensor_get_double (b, k * dims[1] + i % dims[1]);
      set_value (to, i, sum);
    }
  return to;
}

static FlowTensor *
call_pair (guint             f,
           const FlowTensor *a,
           const FlowTensor *b,
           FlowBudget       *budget,
           GError          **error)
{
  const FlowTensor *large = a->n_elements >= b->n_elements ? a : b;
  FlowTensor *to = NULL;

  FLOW_REQUIRE (flow_shape_equal (a->shape, b->shape) || a->n_elements == 1 || b->n_elements == 1, error, INVALID_ARGUMENT,
                "expression: %s wants values of one shape, or a number", functions[f].name);
  to = _flow_expression_new_value (FLOW_DTYPE_DOUBLE, large->shape->rank, large->shape->dims, budget, error);
  for (gint64 i = 0; to != NULL && i < to->n_elements; i++)
    set_value (to, i, functions[f].pair (flow_tensor_get_double (a, a->n_elements == 1 ? 0 : i),
                                         flow_tensor_get_double (b, b->n_elements == 1 ? 0 : i)));
  return to;
}

FlowTensor *
_flow_expression_call (const char        *name,
                       FlowTensor *const *arguments,
                       guint              n,
                       FlowBudget        *budget,
                       GError           **error)
{
  int f = find_function (name);
  gboolean is_pair = f >= 0 && (functions[f].pair != NULL || strcmp (name, "matmul") == 0);
  double axis = -1;

  FLOW_REQUIRE (f >= 0, error, INVALID_ARGUMENT, "expression: there is no function %s", name);
  FLOW_REQUIRE (n == (is_pair ? 2u : 1u) || (n == 2 && functions[f].reduce != NULL), error, INVALID_ARGUMENT,
                "expression: %s takes %s", name, is_pair ? "two values" : functions[f].reduce != NULL
                                                           ? "a value and, if you like, an axis" : "one value");
  if (functions[f].element != NULL)
    return call_element ((guint) f, arguments[0], budget, error);
  if (functions[f].pair != NULL)
    return call_pair ((guint) f, arguments[0], arguments[1], budget, error);
  if (is_pair)
    return call_matmul (arguments[0], arguments[1], budget, error);
  if (functions[f].reduce == NULL)
    return strcmp (name, "transpose") == 0 ? call_transpose (arguments[0], budget, error)
                                           : call_shape (name, arguments[0], budget, error);
  if (n == 2)
    {
      FLOW_REQUIRE (arguments[1]->n_elements == 1, error, INVALID_ARGUMENT, "expression: an axis is one number");
      axis = flow_tensor_get_double (arguments[1], 0);
      axis += axis < 0 ? arguments[0]->shape->rank : 0;
      FLOW_REQUIRE (axis >= 0 && axis < arguments[0]->shape->rank && axis == floor (axis), error, INVALID_ARGUMENT,
                    "expression: there is no such axis among %d", arguments[0]->shape->rank);
    }
  return call_reduce ((guint) f, arguments[0], (int) axis, budget, error);
}
