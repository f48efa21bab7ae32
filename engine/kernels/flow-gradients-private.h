/* flow-gradients-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-gradient.h"

G_BEGIN_DECLS

/* The tables, one a file. */
void _flow_gradients_add_math  (void);
void _flow_gradients_add_array (void);
void _flow_gradients_add_nn    (void);

/* Short names for what every rule uses. */
#define X(i) flow_gradient_x (g, i)
#define Y(i) flow_gradient_y (g, i)
#define DY(i) flow_gradient_dy (g, i)
#define OP(type, name, ...) FLOW_GRADIENT_OP (g, type, name, __VA_ARGS__)
#define OP_ATTRS(type, name, attrs, ...) FLOW_GRADIENT_OP_ATTRS (g, type, name, attrs, __VA_ARGS__)
#define OPEN(name) flow_gradient_open (g, name)
#define CLOSE(type, ...) FLOW_GRADIENT_CLOSE (g, type, __VA_ARGS__)
#define NUMBER(name, dtype, value) flow_gradient_number (g, name, dtype, value)
#define SHAPE(x) flow_gradient_shape (g, x, NULL, FLOW_DTYPE_INT32, TRUE)
#define DTYPE(x) flow_gradient_dtype (g, x)
#define SLOT(output, k) ((FlowEndpoint) { (output).node, k })

/* A binary operator with a number on one side: "sub/x" or "sub/y". */
FlowEndpoint  _flow_gradients_with_number (FlowGradient *g, const char *type, const char *name, FlowEndpoint x,
                                           double number, gboolean number_first);
FlowAttrList *_flow_gradients_bool_attr   (const char *name, gboolean value);
/* ExpandDims (x, -1). */
FlowEndpoint  _flow_gradients_expand_last (FlowGradient *g, FlowEndpoint x);
/* Sum (x, axis), axis a vector of one, under its own name. */
FlowEndpoint  _flow_gradients_sum_axis    (FlowGradient *g, FlowEndpoint x, gint64 axis, gboolean as_list, gboolean keep);

G_END_DECLS
