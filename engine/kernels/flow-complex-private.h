/* flow-complex-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-elementwise-private.h"

#include <math.h>

G_BEGIN_DECLS

/*
 * Products and quotients of complex numbers as TensorFlow has them: whole vectors by the formulas as they stand, so
 * that infinite parts give NaN; what is left over at the end of the tensor by C's operators, which look for infinite
 * results (Annex G). Both come to kernels as TIMES and OVER of a form; quotients of vectors differ by release, the
 * later of which divides by the larger part of the divisor first.
 */

/* Complex numbers in a vector. */
#define FLOW_COMPLEX64_WIDTH 4
#define FLOW_COMPLEX128_WIDTH 2

#define FLOW_COMPLEX_ARITHMETIC(bits, type, part, MAKE, RE, IM, CONJ, ABS)                     \
  static inline type                                                                           \
  flow_vector_times_##bits (type a, type b)                                                    \
  {                                                                                            \
    return MAKE (RE (a) * RE (b) - IM (a) * IM (b), RE (a) * IM (b) + IM (a) * RE (b));        \
  }                                                                                            \
  static inline type                                                                           \
  flow_vector_over_##bits##_of_1 (type a, type b)                                              \
  {                                                                                            \
    type product = flow_vector_times_##bits (a, CONJ (b));                                     \
    part square = RE (b) * RE (b) + IM (b) * IM (b);                                           \
                                                                                               \
    return MAKE (RE (product) / square, IM (product) / square);                                \
  }                                                                                            \
  static inline type                                                                           \
  flow_vector_over_##bits##_of_2 (type a, type b)                                              \
  {                                                                                            \
    part largest = MAX (ABS (RE (b)), ABS (IM (b)));                                           \
    type quotient = flow_vector_over_##bits##_of_1 (a, MAKE (RE (b) / largest, IM (b) / largest)); \
                                                                                               \
    return MAKE (RE (quotient) / largest, IM (quotient) / largest);                            \
  }                                                                                            \
  static inline type                                                                           \
  flow_rest_times_##bits (type a, type b)                                                      \
  {                                                                                            \
    return a * b;                                                                              \
  }                                                                                            \
  static inline type                                                                           \
  flow_rest_over_##bits (type a, type b)                                                       \
  {                                                                                            \
    return a / b;                                                                              \
  }

FLOW_COMPLEX_ARITHMETIC (64, FlowComplex64, float, CMPLXF, crealf, cimagf, conjf, fabsf)
FLOW_COMPLEX_ARITHMETIC (128, FlowComplex128, double, CMPLX, creal, cimag, conj, fabs)

/* z = VECTOR of a and b in whole vectors, REST of them elsewhere. */
#define FLOW_COMPLEX_BINARY_LOOP(name, type, width, vector, rest)                              \
  static void                                                                                  \
  name (gconstpointer px, gint64 sx, gconstpointer py, gint64 sy, gpointer pz, gint64 n)       \
  {                                                                                            \
    const type *x = px;                                                                        \
    const type *y = py;                                                                        \
    type *z = pz;                                                                              \
                                                                                               \
    for (gint64 i = 0; i < n; i++)                                                             \
      {                                                                                        \
        type a = x[i * sx];                                                                    \
        type b = y[i * sy];                                                                    \
                                                                                               \
        z[i] = i < n / (width) * (width) ? (vector) : (rest);                                  \
      }                                                                                        \
  }

/* The same of one operand. */
#define FLOW_COMPLEX_UNARY_LOOP(name, type, width, vector, rest)                               \
  static void                                                                                  \
  name (gconstpointer px, gpointer py, gint64 n)                                               \
  {                                                                                            \
    const type *x = px;                                                                        \
    type *y = py;                                                                              \
                                                                                               \
    for (gint64 i = 0; i < n; i++)                                                             \
      {                                                                                        \
        type a = x[i];                                                                         \
                                                                                               \
        y[i] = i < n / (width) * (width) ? (vector) : (rest);                                  \
      }                                                                                        \
  }

/* IDENT_complex64_of_1 and so on of the forms VECTOR and REST (TIMES, OVER, a, b), the first given to CONJ. */
#define FLOW_COMPLEX_LOOPS_OF(ident, release, VECTOR, REST, CONJ64, CONJ128)                   \
  FLOW_COMPLEX_BINARY_LOOP (                                                                   \
      ident##_complex64_##release, FlowComplex64, FLOW_COMPLEX64_WIDTH,                        \
      VECTOR (flow_vector_times_64, flow_vector_over_64_##release, CONJ64 (a), b),             \
      REST (flow_rest_times_64, flow_rest_over_64, CONJ64 (a), b))                             \
  FLOW_COMPLEX_BINARY_LOOP (                                                                   \
      ident##_complex128_##release, FlowComplex128, FLOW_COMPLEX128_WIDTH,                     \
      VECTOR (flow_vector_times_128, flow_vector_over_128_##release, CONJ128 (a), b),          \
      REST (flow_rest_times_128, flow_rest_over_128, CONJ128 (a), b))
#define FLOW_COMPLEX_LOOPS(ident, VECTOR, REST, CONJ64, CONJ128)                               \
  FLOW_COMPLEX_LOOPS_OF (ident, of_1, VECTOR, REST, CONJ64, CONJ128)                           \
  FLOW_COMPLEX_LOOPS_OF (ident, of_2, VECTOR, REST, CONJ64, CONJ128)

#define FLOW_COMPLEX_ENTRIES(ident, release)                                                   \
  [FLOW_DTYPE_COMPLEX64] = ident##_complex64_##release,                                        \
  [FLOW_DTYPE_COMPLEX128] = ident##_complex128_##release

/* Forms that are one for both. */
#define FLOW_COMPLEX_PRODUCT(TIMES, OVER, a, b) TIMES (a, b)
#define FLOW_COMPLEX_QUOTIENT(TIMES, OVER, a, b) OVER (a, b)
#define FLOW_COMPLEX_AS_IT_IS(a) (a)

G_END_DECLS
