/* flow-vector-math-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/*
 * Functions of floats as TensorFlow computes them on an AVX processor: whole vectors of eight by
 * polynomials in single precision, what is left over at the end of the array (fewer than eight) by
 * the C library. Bit for bit, so that differences of nearly equal results agree as well: the polynomials
 * of 1.15 and 2.15 differ. In place is allowed. Results and arguments too small for a normal float count
 * as 0, as in TensorFlow's threads.
 */

#define FLOW_VECTOR_WIDTH 8

/* Cells of n that fill vectors. */
#define FLOW_VECTOR_PART(n) ((n) / FLOW_VECTOR_WIDTH * FLOW_VECTOR_WIDTH)
/* Vectors that hold n cells, the last perhaps in part. */
#define FLOW_VECTORS(n) (((n) + FLOW_VECTOR_WIDTH - 1) / FLOW_VECTOR_WIDTH)

/* Those that a release has a way of its own for. */
#define FLOW_VECTOR_FUNCTIONS(OF)                                                            \
  OF (exp) OF (expm1) OF (log) OF (log1p) OF (tanh) OF (sigmoid) OF (erf) OF (reciprocal)    \
  OF (sqrt) OF (rsqrt) OF (softplus) OF (acos) OF (asin) OF (atan) OF (atanh)

typedef void (*FlowVectorFunc) (gconstpointer x, gpointer y, gint64 n);
/* @sx and @sy: 1, or 0 where one number stands for all. */
typedef void (*FlowVectorFunc2) (gconstpointer x, gint64 sx, gconstpointer y, gint64 sy, gpointer z, gint64 n);

#define FLOW_VECTOR_MEMBER(name) FlowVectorFunc name;
typedef struct {
  FLOW_VECTOR_FUNCTIONS (FLOW_VECTOR_MEMBER)
  FlowVectorFunc2 pow;
} FlowVectorMath;

extern const FlowVectorMath flow_vector_math[FLOW_N_RELEASES];

#define FLOW_VECTOR_DECLARE(name)                                                            \
  void flow_vector_##name##_of_1 (gconstpointer x, gpointer y, gint64 n);                    \
  void flow_vector_##name##_of_2 (gconstpointer x, gpointer y, gint64 n);
FLOW_VECTOR_FUNCTIONS (FLOW_VECTOR_DECLARE)
void flow_vector_pow_of_1 (gconstpointer x, gint64 sx, gconstpointer y, gint64 sy, gpointer z, gint64 n);
void flow_vector_pow_of_2 (gconstpointer x, gint64 sx, gconstpointer y, gint64 sy, gpointer z, gint64 n);

void flow_vector_sin      (gconstpointer x, gpointer y, gint64 n);
void flow_vector_cos      (gconstpointer x, gpointer y, gint64 n);

G_END_DECLS
