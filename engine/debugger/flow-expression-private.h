/* flow-expression-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/* An expression over tensors, as numpy would read it:
 *
 *   mean(abs(`a/b:0`)) > 3 * old        names with ':' and '/' as they are, all others in backticks
 *   w[0, 1:10:2, -1]                    slices; min, max, mean, ... of all elements or, mean(x, 1), along an axis
 *   a - b   a ** 2   a / b              a division has blanks around it: a/b is a name
 *   any(x != x) and not (size(x) > 10)
 *
 * It computes in float64; a comparison gives bool. */
typedef struct _FlowExpression FlowExpression;

/* What a name stands for; a new reference, or NULL with an error. */
typedef FlowTensor *(*FlowExpressionResolve) (const char *name, gpointer data, GError **error);

typedef enum {
  FLOW_EXPRESSION_NUMBER,
  FLOW_EXPRESSION_NAME,
  FLOW_EXPRESSION_CALL,        /* text: the function */
  FLOW_EXPRESSION_BINARY,      /* text: the operator */
  FLOW_EXPRESSION_UNARY,
  FLOW_EXPRESSION_SLICE,       /* children: what is cut, then one RANGE or index for each dimension */
  FLOW_EXPRESSION_RANGE,       /* children: begin, end, step; each may be NULL */
} FlowExpressionKind;

struct _FlowExpression
{
  FlowExpressionKind kind;
  char *text;
  double number;
  GPtrArray *children;         /* of FlowExpression, entries of a RANGE nullable */
};

FlowExpression *_flow_expression_parse    (const char            *text,
                                           GError               **error);
/* One in brackets, and no further: *@end stands behind them. */
FlowExpression *_flow_expression_parse_bracketed (const char     *text,
                                           const char           **end,
                                           GError               **error);
void            _flow_expression_free     (FlowExpression        *self);
FlowTensor     *_flow_expression_evaluate (const FlowExpression  *self,
                                           FlowExpressionResolve  resolve,
                                           gpointer               data,
                                           FlowBudget            *budget,
                                           GError               **error);
/* Whether a condition that gave this holds: no element is zero, and there is one. */
gboolean        _flow_expression_is_true  (const FlowTensor      *value);
/* Of functions over all elements or an axis, such as "mean". */
gboolean        _flow_expression_is_function (const char         *name);

/* The two halves of evaluating. */
FlowTensor     *_flow_expression_call     (const char            *function,
                                           FlowTensor *const     *arguments,
                                           guint                  n_arguments,
                                           FlowBudget            *budget,
                                           GError               **error);
FlowTensor     *_flow_expression_new_value (FlowDType             dtype,
                                           int                    rank,
                                           const gint64          *dims,
                                           FlowBudget            *budget,
                                           GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowExpression, _flow_expression_free)

G_END_DECLS
