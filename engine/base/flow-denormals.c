/* flow-denormals.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-denormals.h"

#if defined (__SSE2__)
#include <xmmintrin.h>
#endif

/*
 * The processor's flag that numbers too small for full precision are zeros, as operands and as results.
 * TensorFlow 1.15 sets it in every thread that runs kernels (a softmax that saturates gives 0, and its log
 * is -inf); whatever else looks at values, counts denormals or prints them wants to see them as they are.
 */
#if defined (__SSE2__)
#define ZERO_BITS 0x8040u      /* MXCSR: results are flushed, operands are zeros */
#elif defined (__aarch64__)
#define ZERO_BITS (1u << 24)   /* FPCR: FZ */
#else
#define ZERO_BITS 0u           /* not known how: kernels compute with them */
#endif

/**
 * flow_denormals_get_mode: (skip)
 *
 * Returns: how this thread treats them, for flow_denormals_set_mode()
 */
guint
flow_denormals_get_mode (void)
{
#if defined (__SSE2__)
  return _mm_getcsr () & ZERO_BITS;
#elif defined (__aarch64__)
  guint64 control = 0;

  __asm__ volatile ("mrs %0, fpcr" : "=r" (control));
  return (guint) control & ZERO_BITS;
#else
  return 0;
#endif
}

/**
 * flow_denormals_set_mode: (skip)
 * @mode: what flow_denormals_get_mode() said, here or in another thread
 */
void
flow_denormals_set_mode (guint mode)
{
#if defined (__SSE2__)
  _mm_setcsr ((_mm_getcsr () & ~ZERO_BITS) | (mode & ZERO_BITS));
#elif defined (__aarch64__)
  guint64 control = 0;

  __asm__ volatile ("mrs %0, fpcr" : "=r" (control));
  control = (control & ~(guint64) ZERO_BITS) | (mode & ZERO_BITS);
  __asm__ volatile ("msr fpcr, %0" : : "r" (control));
#endif
}

/**
 * flow_denormals_flush: (skip)
 *
 * From now on they are zeros in this thread, and in the loops of flow_parallel_for() that it begins.
 *
 * Returns: the mode before, for flow_denormals_set_mode()
 */
guint
flow_denormals_flush (void)
{
  guint before = flow_denormals_get_mode ();

  if (before != ZERO_BITS)
    flow_denormals_set_mode (ZERO_BITS);
  return before;
}
