/* flow-sgemm-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-blas-private.h"

G_BEGIN_DECLS

/* Products of float matrices that add up in TensorFlow's order, to the last bit. Large products
 * are BLAS's. */

/* Whether flow_sgemm() is to be used. */
gboolean flow_sgemm_takes         (const FlowGemm *job);
void     flow_sgemm               (const FlowGemm *job);
/* One of several small products of a batch, which TensorFlow computes in another way. */
gboolean flow_sgemm_takes_batched (const FlowGemm *job);
void     flow_sgemm_batched       (const FlowGemm *job);
/* Each cell a dot product of rows of A and B, B being read transposed: what TensorFlow makes of few rows. */
void     flow_sgemm_by_lanes      (const FlowGemm *job);

G_END_DECLS
