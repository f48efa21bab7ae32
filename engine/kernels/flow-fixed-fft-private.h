/* flow-fixed-fft-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint16 re;
  gint16 im;
} FlowFixedComplex;

/* The Fourier transform of whole numbers of 16 bits, as small processors make it: fractions of 15 bits, halved or
 * quartered and rounded at each step so that nothing overflows. */
typedef struct _FlowFixedFft FlowFixedFft;

/* Of @n real numbers; a power of two, at least 2. */
FlowFixedFft *_flow_fixed_fft_new  (guint                  n);
void          _flow_fixed_fft_free (FlowFixedFft          *self);
/* @out has n / 2 + 1 cells. */
void          _flow_fixed_fft_run  (FlowFixedFft          *self,
                                    const gint16          *in,
                                    FlowFixedComplex      *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowFixedFft, _flow_fixed_fft_free)

G_END_DECLS
