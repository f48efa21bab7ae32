/* flow-cross-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Crossed features: what ops of sparse, dense and ragged columns share.
 */

#pragma once

#include "flow-string-private.h"

G_BEGIN_DECLS

#define FLOW_CROSS_SEPARATOR "_X_"

/* One column: a row of features for each example. */
typedef struct {
  const FlowTensor *values;
  gint64 width;                /* of a dense one, else -1 */
  FlowTensor *starts;          /* int64, of a sparse one: the first feature of each example, and the end */
} FlowCrossColumn;

typedef struct {
  guint n;
  FlowCrossColumn *columns;
  gint64 batch;
  gint64 *at;                  /* the feature of each column that is taken now */
  FlowTensor *ends;            /* int64: the crosses before each example, and of all, once they are counted */
  Text separator;
  gboolean is_v2;              /* TensorFlow 2 has words of its own */
  gboolean has_old_hash;       /* the first of tf.contrib's ops has another */
  gboolean is_hashed;          /* TensorFlow 2's: the first feature's hash begins, */
  gboolean is_strong;          /* and hashes go by a key */
  guint64 salt[2];
} FlowCross;

void     _flow_cross_clear (FlowCross          *self);
/* A number for each example and one more: how many there are is a claim of the inputs, so the budget is asked. */
gboolean _flow_cross_index (FlowKernelContext  *c,
                            const FlowCross    *self,
                            FlowTensor        **numbers,
                            GError            **error);
/* Finds where each example's crosses begin and end: @ends of @self. */
gboolean _flow_cross_count (FlowKernelContext  *c,
                            FlowCross          *self,
                            GError            **error);
/* The counted crosses of all examples, as text or as hashes by what @values holds. */
gboolean _flow_cross_put   (FlowKernelContext  *c,
                            FlowCross          *self,
                            gint64              n_buckets,
                            FlowTensor         *values,
                            GError            **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowCross, _flow_cross_clear)

G_END_DECLS
