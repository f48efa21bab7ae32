/* flow-vector-root-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

#include <float.h>
#include <math.h>

#if defined (__SSE2__)
#include <immintrin.h>
#endif

G_BEGIN_DECLS

/* Roots of floats as TensorFlow 1.15 has them for whole vectors on an AVX processor: the processor's own
 * guess of 1 / sqrt (x) and one step of Newton. flow_cell_root() and flow_cell_inverse_root() are those
 * of one cell of a vector, for loops that do more than that. */

#if defined (__SSE2__)
static inline __m128
flow_four_chosen (__m128 mask,
                  __m128 a,
                  __m128 b)
{
  return _mm_or_ps (_mm_and_ps (mask, a), _mm_andnot_ps (mask, b));
}

static inline __m128
flow_four_better (__m128 a,
                  __m128 guess)
{
  __m128 half = _mm_mul_ps (a, _mm_set1_ps (0.5f));

  return _mm_mul_ps (guess, _mm_sub_ps (_mm_set1_ps (1.5f), _mm_mul_ps (half, _mm_mul_ps (guess, guess))));
}

/* Infinite for what is too small for a normal float, no number below that. */
static inline __m128
flow_four_rsqrt (__m128 a)
{
  __m128 zero = _mm_cmplt_ps (a, _mm_set1_ps (FLT_MIN));
  __m128 negative = _mm_cmplt_ps (a, _mm_setzero_ps ());
  __m128 better = flow_four_better (a, _mm_andnot_ps (zero, _mm_rsqrt_ps (a)));

  return flow_four_chosen (negative, _mm_set1_ps (NAN), flow_four_chosen (zero, _mm_set1_ps (INFINITY), better));
}

/* The number times its rsqrt. */
static inline __m128
flow_four_sqrt (__m128 a)
{
  __m128 zero = _mm_and_ps (_mm_cmplt_ps (a, _mm_set1_ps (FLT_MIN)), _mm_cmpge_ps (a, _mm_setzero_ps ()));

  return _mm_andnot_ps (zero, _mm_mul_ps (a, flow_four_better (a, _mm_rsqrt_ps (a))));
}

static inline float
flow_cell_root (float x)
{
  return _mm_cvtss_f32 (flow_four_sqrt (_mm_set_ss (x)));
}

static inline float
flow_cell_inverse_root (float x)
{
  return _mm_cvtss_f32 (flow_four_rsqrt (_mm_set_ss (x)));
}
#else
static inline float
flow_cell_root (float x)
{
  return sqrtf (x);
}

static inline float
flow_cell_inverse_root (float x)
{
  return 1.0f / sqrtf (x);
}
#endif

G_END_DECLS
