/* flow-vector-math-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Functions of floats as TensorFlow computes them on an AVX processor: whole vectors of eight by
 * polynomials in single precision, what is left over at the end of the array (fewer than eight) by
 * the C library. Bit for bit, so that differences of nearly equal results agree as well. In place is
 * allowed. Results and arguments too small for a normal float count as 0, as in TensorFlow's threads.
 */

#define FLOW_VECTOR_WIDTH 8

/* Cells of n that fill vectors. */
#define FLOW_VECTOR_PART(n) ((n) / FLOW_VECTOR_WIDTH * FLOW_VECTOR_WIDTH)

void flow_vector_exp        (gconstpointer x, gpointer y, gint64 n);
void flow_vector_expm1      (gconstpointer x, gpointer y, gint64 n);
void flow_vector_log        (gconstpointer x, gpointer y, gint64 n);
void flow_vector_log1p      (gconstpointer x, gpointer y, gint64 n);
void flow_vector_tanh       (gconstpointer x, gpointer y, gint64 n);
void flow_vector_sigmoid    (gconstpointer x, gpointer y, gint64 n);
void flow_vector_sigmoid_of_2 (gconstpointer x, gpointer y, gint64 n);
void flow_vector_sin        (gconstpointer x, gpointer y, gint64 n);
void flow_vector_cos        (gconstpointer x, gpointer y, gint64 n);
void flow_vector_erf        (gconstpointer x, gpointer y, gint64 n);
void flow_vector_reciprocal (gconstpointer x, gpointer y, gint64 n);
void flow_vector_rsqrt      (gconstpointer x, gpointer y, gint64 n);
void flow_vector_softplus   (gconstpointer x, gpointer y, gint64 n);
void flow_vector_acos       (gconstpointer x, gpointer y, gint64 n);
void flow_vector_asin       (gconstpointer x, gpointer y, gint64 n);
void flow_vector_atan       (gconstpointer x, gpointer y, gint64 n);
void flow_vector_atanh      (gconstpointer x, gpointer y, gint64 n);
void flow_vector_pow        (gconstpointer x, gint64 sx, gconstpointer y, gint64 sy, gpointer z, gint64 n);

G_END_DECLS
