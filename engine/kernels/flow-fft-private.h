/* flow-fft-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

#include <complex.h>

G_BEGIN_DECLS

/* Discrete Fourier transforms of any length, in double: by small factors, and by a convolution where a
 * length has a large prime factor. A plan never changes; threads share it. */
typedef struct _FlowFft FlowFft;

/* NULL with RESOURCE_EXHAUSTED. @n is at least 1. The inverse is not scaled. */
FlowFft *_flow_fft_new       (gint64 n, gboolean inverse, GError **error);
void     _flow_fft_free      (FlowFft *self);
/* Cells of scratch that a run needs beside the data. */
gsize    _flow_fft_n_scratch (const FlowFft *self);
void     _flow_fft_run       (const FlowFft *self, double complex *data, double complex *scratch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowFft, _flow_fft_free)

G_END_DECLS
