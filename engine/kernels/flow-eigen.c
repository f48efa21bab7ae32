/* flow-eigen.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-lapack-private.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Self-adjoint eigenproblems by TF's own steps: LAPACK's would end with other signs of the eigenvectors. */

/* TF gives up after so many steps for each row. */
#define MAX_STEPS 30

#define REAL float
#define SCALAR float
#define OF(name) name##_of_float
#define MATH(name) name##f
#define CONJ(x) (x)
#define RE(x) (x)
#define IM(x) 0.0f
#define EPSILON FLT_EPSILON
#define SMALLEST FLT_MIN
#include "flow-eigen-of-scalar.h"
#undef SCALAR
#undef OF
#undef CONJ
#undef RE
#undef IM

#define SCALAR float complex
#define OF(name) name##_of_complex64
#define CONJ(x) conjf (x)
#define RE(x) crealf (x)
#define IM(x) cimagf (x)
#include "flow-eigen-of-scalar.h"
#undef REAL
#undef SCALAR
#undef OF
#undef MATH
#undef CONJ
#undef RE
#undef IM
#undef EPSILON
#undef SMALLEST

#define REAL double
#define SCALAR double
#define OF(name) name##_of_double
#define MATH(name) name
#define CONJ(x) (x)
#define RE(x) (x)
#define IM(x) 0.0
#define EPSILON DBL_EPSILON
#define SMALLEST DBL_MIN
#include "flow-eigen-of-scalar.h"
#undef SCALAR
#undef OF
#undef CONJ
#undef RE
#undef IM

#define SCALAR double complex
#define OF(name) name##_of_complex128
#define CONJ(x) conj (x)
#define RE(x) creal (x)
#define IM(x) cimag (x)
#include "flow-eigen-of-scalar.h"

#define DEFINE_EIGEN(p, type)                                        \
  int                                                                \
  _flow_eigen_##p (gboolean vectors, int n, gpointer a, gpointer w)  \
  {                                                                  \
    return eigen_of_##type (vectors, n, a, w);                       \
  }

DEFINE_EIGEN (s, float)
DEFINE_EIGEN (c, complex64)
DEFINE_EIGEN (d, double)
DEFINE_EIGEN (z, complex128)
