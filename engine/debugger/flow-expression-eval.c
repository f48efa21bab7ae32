/* flow-expression-eval.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-expression-private.h"

#include "flow-error.h"

#include <math.h>
#include <string.h>

/* Computing an expression: names, operators with numpy's broadcasting, slices. */

typedef struct {
  FlowExpressionResolve resolve;
  gpointer data;
  FlowBudget *budget;
} Evaluation;

static FlowTensor *evaluate (Evaluation *self, const FlowExpression *expression, GError **error);

FlowTensor *
_flow_expression_new_value (FlowDType     dtype,
                            int           rank,
                            const gint64 *dims,
                            FlowBudget   *budget,
                            GError      **error)
{
  g_autoptr(FlowShape) shape = flow_shape_new (rank, dims);

  return flow_tensor_new (dtype, shape, budget, error);
}

gboolean
_flow_expression_is_true (const FlowTensor *value)
{
  for (gint64 i = 0; i < value->n_elements; i++)
    if (flow_tensor_get_double (value, i) == 0)
      return FALSE;
  return value->n_elements > 0;
}

/* In float64; bools stay what they are. Takes @value. */
static FlowTensor *
as_numbers (Evaluation *self,
            FlowTensor *value,
            const char *name,
            GError    **error)
{
  g_autoptr(FlowTensor) from = value;
  FlowTensor *to = NULL;
  double *numbers = NULL;

  if (from->dtype == FLOW_DTYPE_DOUBLE || from->dtype == FLOW_DTYPE_BOOL)
    return g_steal_pointer (&from);
  FLOW_REQUIRE (flow_dtype_is_number (from->dtype) && !flow_dtype_is_complex (from->dtype), error, INVALID_ARGUMENT,
                "expression: %s is %s, which it cannot compute with", name, flow_dtype_name (from->dtype));
  to = _flow_expression_new_value (FLOW_DTYPE_DOUBLE, from->shape->rank, from->shape->dims, self->budget, error);
  if (to == NULL)
    return NULL;
  numbers = FLOW_WRITABLE (double, to);
  for (gint64 i = 0; i < from->n_elements; i++)
    numbers[i] = flow_tensor_get_double (from, i);
  return to;
}

/* --- operators -------------------------------------------------------------------------------------- */

typedef enum {
  OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FLOOR_DIV, OP_MOD, OP_POW,
  OP_LESS_EQUAL, OP_GREATER_EQUAL, OP_EQUAL, OP_NOT_EQUAL, OP_LESS, OP_GREATER, OP_AND, OP_OR,
} Op;

static const char *const op_names[] = { "+", "-", "*", "/", "//", "%", "**", "<=", ">=", "==", "!=", "<", ">", "and", "or" };

static double
apply (Op     op,
       double a,
       double b)
{
  switch (op)
    {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_FLOOR_DIV: return floor (a / b);
    case OP_MOD: return a - b * floor (a / b);
    case OP_POW: return pow (a, b);
    case OP_LESS_EQUAL: return a <= b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_EQUAL: return a == b;
    case OP_NOT_EQUAL: return a != b;
    case OP_LESS: return a < b;
    case OP_GREATER: return a > b;
    case OP_AND: return a != 0 && b != 0;
    case OP_OR: return a != 0 || b != 0;
    default: return NAN;
    }
}

/* The shape of both together; the step of each of the two in a dimension, 0 where it is repeated. */
static gboolean
broadcast (const FlowTensor *const *values,
           int                     *rank,
           gint64                  *dims,
           gint64                  (*strides)[FLOW_SHAPE_MAX_RANK],
           GError                 **error)
{
  gint64 step[2] = { 1, 1 };

  *rank = MAX (values[0]->shape->rank, values[1]->shape->rank);
  for (int i = *rank - 1; i >= 0; i--)
    {
      gint64 size[2] = { 1, 1 };

      for (int k = 0; k < 2; k++)
        {
          int d = i - (*rank - values[k]->shape->rank);

          size[k] = d >= 0 ? values[k]->shape->dims[d] : 1;
          strides[k][i] = size[k] == 1 ? 0 : step[k];
          step[k] *= size[k];
        }
      if (size[0] != size[1] && size[0] != 1 && size[1] != 1)
        {
          g_autofree char *a = flow_shape_to_string (values[0]->shape);
          g_autofree char *b = flow_shape_to_string (values[1]->shape);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "expression: Incompatible shapes: %s vs. %s", a, b);
          return FALSE;
        }
      dims[i] = size[0] == 1 ? size[1] : size[0];
    }
  return TRUE;
}

static FlowTensor *
compute_binary (Evaluation       *self,
                Op                op,
                const FlowTensor *a,
                const FlowTensor *b,
                GError          **error)
{
  const FlowTensor *const values[2] = { a, b };
  gint64 dims[FLOW_SHAPE_MAX_RANK] = { 0 };
  gint64 strides[2][FLOW_SHAPE_MAX_RANK] = { { 0 } };
  gint64 at[FLOW_SHAPE_MAX_RANK] = { 0 };
  gint64 from[2] = { 0, 0 };
  gboolean is_bool = op >= OP_LESS_EQUAL;
  FlowTensor *to = NULL;
  int rank = 0;

  if (!broadcast (values, &rank, dims, strides, error))
    return NULL;
  to = _flow_expression_new_value (is_bool ? FLOW_DTYPE_BOOL : FLOW_DTYPE_DOUBLE, rank, dims, self->budget, error);
  for (gint64 i = 0; to != NULL && i < to->n_elements; i++)
    {
      double value = apply (op, flow_tensor_get_double (a, from[0]), flow_tensor_get_double (b, from[1]));

      if (is_bool)
        FLOW_WRITABLE (guint8, to)[i] = value != 0;
      else
        FLOW_WRITABLE (double, to)[i] = value;
      for (int d = rank - 1; d >= 0; d--)
        {
          from[0] += strides[0][d];
          from[1] += strides[1][d];
          if (++at[d] < dims[d])
            break;
          from[0] -= strides[0][d] * dims[d];
          from[1] -= strides[1][d] * dims[d];
          at[d] = 0;
        }
    }
  return to;
}

static FlowTensor *
evaluate_binary (Evaluation           *self,
                 const FlowExpression *expression,
                 GError              **error)
{
  g_autoptr(FlowTensor) a = evaluate (self, g_ptr_array_index (expression->children, 0), error);
  g_autoptr(FlowTensor) b = a != NULL ? evaluate (self, g_ptr_array_index (expression->children, 1), error) : NULL;
  guint op = 0;

  if (a == NULL || b == NULL)
    return NULL;
  while (op < G_N_ELEMENTS (op_names) - 1 && strcmp (op_names[op], expression->text) != 0)
    op++;
  return compute_binary (self, (Op) op, a, b, error);
}

static FlowTensor *
scalar (double value)
{
  return flow_tensor_new_scalar (FLOW_DTYPE_DOUBLE, &value);
}

static FlowTensor *
evaluate_unary (Evaluation           *self,
                const FlowExpression *expression,
                GError              **error)
{
  g_autoptr(FlowTensor) a = evaluate (self, g_ptr_array_index (expression->children, 0), error);
  g_autoptr(FlowTensor) zero = scalar (0);

  if (a == NULL)
    return NULL;
  if (*expression->text == 'n')
    return compute_binary (self, OP_EQUAL, a, zero, error);
  g_clear_pointer (&zero, flow_tensor_unref);
  zero = scalar (-1);
  return compute_binary (self, OP_MUL, zero, a, error);
}

/* --- slices ----------------------------------------------------------------------------------------- */

typedef struct {
  gint64 begin;
  gint64 count;
  gint64 step;
  gboolean drops;              /* an index, not a range: the dimension goes */
} Cut;

static gboolean
evaluate_index (Evaluation           *self,
                const FlowExpression *expression,
                gint64               *index,
                GError              **error)
{
  g_autoptr(FlowTensor) value = evaluate (self, expression, error);
  double number = 0;

  if (value == NULL)
    return FALSE;
  FLOW_REQUIRE (value->n_elements == 1, error, INVALID_ARGUMENT, "expression: an index is one number");
  number = flow_tensor_get_double (value, 0);
  FLOW_REQUIRE (number == floor (number) && fabs (number) < 9e15, error, INVALID_ARGUMENT,
                "expression: %g is no index", number);
  *index = (gint64) number;
  return TRUE;
}

/* As Python's slice.indices(). */
static gboolean
make_cut (Evaluation           *self,
          const FlowExpression *expression,
          gint64                size,
          Cut                  *cut,
          GError              **error)
{
  const FlowExpression *parts[3] = { NULL, NULL, NULL };
  gint64 end = 0;

  if (expression->kind != FLOW_EXPRESSION_RANGE)
    {
      *cut = (Cut) { 0, 1, 1, TRUE };
      if (!evaluate_index (self, expression, &cut->begin, error))
        return FALSE;
      FLOW_REQUIRE (cut->begin >= -size && cut->begin < size, error, OUT_OF_RANGE,
                    "expression: index %" G_GINT64_FORMAT " is out of bounds for a dimension of %" G_GINT64_FORMAT,
                    cut->begin, size);
      cut->begin += cut->begin < 0 ? size : 0;
      return TRUE;
    }
  for (guint i = 0; i < 3; i++)
    parts[i] = g_ptr_array_index (expression->children, i);
  cut->drops = FALSE;
  cut->step = 1;
  if (parts[2] != NULL && !evaluate_index (self, parts[2], &cut->step, error))
    return FALSE;
  FLOW_REQUIRE (cut->step != 0, error, INVALID_ARGUMENT, "expression: slice step cannot be zero");
  cut->begin = cut->step > 0 ? 0 : size - 1;
  end = cut->step > 0 ? size : -1;
  if (parts[0] != NULL)
    {
      if (!evaluate_index (self, parts[0], &cut->begin, error))
        return FALSE;
      cut->begin += cut->begin < 0 ? size : 0;
      cut->begin = cut->step > 0 ? CLAMP (cut->begin, 0, size) : CLAMP (cut->begin, -1, size - 1);
    }
  if (parts[1] != NULL)
    {
      if (!evaluate_index (self, parts[1], &end, error))
        return FALSE;
      end += end < 0 ? size : 0;
      end = cut->step > 0 ? CLAMP (end, 0, size) : CLAMP (end, -1, size - 1);
    }
  cut->count = cut->step > 0 ? (end > cut->begin ? (end - cut->begin - 1) / cut->step + 1 : 0)
                             : (end < cut->begin ? (cut->begin - end - 1) / -cut->step + 1 : 0);
  return TRUE;
}

static void
copy_cut (const FlowTensor *from,
          FlowTensor       *to,
          const Cut        *cuts,
          int               rank)
{
  gint64 at[FLOW_SHAPE_MAX_RANK] = { 0 };
  gsize size = flow_dtype_size (from->dtype);

  for (gint64 i = 0; i < to->n_elements; i++)
    {
      gint64 element = 0;

      for (int d = 0; d < rank; d++)
        element = element * from->shape->dims[d] + cuts[d].begin + at[d] * cuts[d].step;
      memcpy ((char *) to->data + (gsize) i * size, (const char *) from->data + (gsize) element * size, size);
      for (int d = rank - 1; d >= 0 && ++at[d] == cuts[d].count; d--)
        at[d] = 0;
    }
}

static FlowTensor *
evaluate_slice (Evaluation           *self,
                const FlowExpression *expression,
                GError              **error)
{
  g_autoptr(FlowTensor) from = evaluate (self, g_ptr_array_index (expression->children, 0), error);
  g_autofree Cut *cuts = g_new0 (Cut, FLOW_SHAPE_MAX_RANK);
  g_autofree gint64 *dims = g_new0 (gint64, FLOW_SHAPE_MAX_RANK);
  guint n = expression->children->len - 1;
  FlowTensor *to = NULL;
  int rank = 0;

  if (from == NULL)
    return NULL;
  FLOW_REQUIRE (n <= (guint) from->shape->rank, error, INVALID_ARGUMENT,
                "expression: too many indices: it has %d dimensions, and %u are given", from->shape->rank, n);
  for (int d = 0; d < from->shape->rank; d++)
    {
      cuts[d] = (Cut) { 0, from->shape->dims[d], 1, FALSE };
      if ((guint) d < n
          && !make_cut (self, g_ptr_array_index (expression->children, (guint) d + 1), from->shape->dims[d], &cuts[d], error))
        return NULL;
      if (!cuts[d].drops)
        dims[rank++] = cuts[d].count;
    }
  to = _flow_expression_new_value (from->dtype, rank, dims, self->budget, error);
  if (to != NULL)
    copy_cut (from, to, cuts, from->shape->rank);
  return to;
}

/* --- all -------------------------------------------------------------------------------------------- */

static FlowTensor *
evaluate_call (Evaluation           *self,
               const FlowExpression *expression,
               GError              **error)
{
  g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);

  for (guint i = 0; i < expression->children->len; i++)
    {
      FlowTensor *value = evaluate (self, g_ptr_array_index (expression->children, i), error);

      if (value == NULL)
        return NULL;
      g_ptr_array_add (arguments, value);
    }
  return _flow_expression_call (expression->text, (FlowTensor *const *) arguments->pdata, arguments->len, self->budget,
                                error);
}

static FlowTensor *
evaluate (Evaluation           *self,
          const FlowExpression *expression,
          GError              **error)
{
  FlowTensor *value = NULL;

  switch (expression->kind)
    {
    case FLOW_EXPRESSION_NUMBER:
      return scalar (expression->number);
    case FLOW_EXPRESSION_NAME:
      value = self->resolve (expression->text, self->data, error);
      return value != NULL ? as_numbers (self, value, expression->text, error) : NULL;
    case FLOW_EXPRESSION_CALL:
      return evaluate_call (self, expression, error);
    case FLOW_EXPRESSION_BINARY:
      return evaluate_binary (self, expression, error);
    case FLOW_EXPRESSION_UNARY:
      return evaluate_unary (self, expression, error);
    case FLOW_EXPRESSION_SLICE:
      return evaluate_slice (self, expression, error);
    case FLOW_EXPRESSION_RANGE:
    default:
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "expression: a range is no value");
      return NULL;
    }
}

FlowTensor *
_flow_expression_evaluate (const FlowExpression  *self,
                           FlowExpressionResolve  resolve,
                           gpointer               data,
                           FlowBudget            *budget,
                           GError               **error)
{
  Evaluation evaluation = { resolve, data, budget };

  return evaluate (&evaluation, self, error);
}
