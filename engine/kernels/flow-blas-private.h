/* flow-blas-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* How an operand is read: as it lies, transposed, or conjugate transposed. */
typedef enum {
  FLOW_BLAS_PLAIN,
  FLOW_BLAS_TRANSPOSED,
  FLOW_BLAS_ADJOINT,
} FlowBlasRead;

/**
 * FlowGemm: (skip)
 *
 * C (m x n) = A (m x k) * B (k x n), row-major; with @accumulate C is added to. ld* count elements
 * from one stored row to the next. dtypes: half, bfloat16 (both summed in float), float, double,
 * int32, int64, complex64, complex128.
 */
typedef struct {
  FlowDType dtype;
  FlowBlasRead read_a;
  FlowBlasRead read_b;
  gint64 m;
  gint64 n;
  gint64 k;
  gconstpointer a;
  gint64 lda;
  gconstpointer b;
  gint64 ldb;
  gpointer c;
  gint64 ldc;
  gboolean accumulate;
  gboolean cuts;               /* TF: MatMul cuts bfloat16s off, other products round to them */
  FlowRelease release;         /* of floats: the order in which terms are added */
} FlowGemm;

void     flow_blas_init      (void);
gboolean flow_blas_gemm      (const FlowGemm  *job,
                              GError         **error);
/* Halves that lie as floats, operands and result. */
gboolean flow_blas_gemm_half (const FlowGemm  *job,
                              GError         **error);
/* @n_batches products of one form, run side by side where that pays: product i reads A at
 * a + a_offsets[i] elements and so on. */
gboolean flow_blas_gemm_many (const FlowGemm  *job,
                              gint64           n_batches,
                              const gint64    *a_offsets,
                              const gint64    *b_offsets,
                              gint64           c_stride,
                              GError         **error);

G_END_DECLS
