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
  gint64 *starts;              /* of a sparse one: the first feature of each example, and the end */
} FlowCrossColumn;

typedef struct {
  guint n;
  FlowCrossColumn *columns;
  gint64 batch;
  gint64 *at;                  /* the feature of each column that is taken now */
  Text separator;
  gboolean is_v2;              /* TensorFlow 2 has words of its own */
  gboolean has_old_hash;       /* the first of tf.contrib's ops has another */
  gboolean is_hashed;          /* TensorFlow 2's: the first feature's hash begins, */
  gboolean is_strong;          /* and hashes go by a key */
  guint64 salt[2];
} FlowCross;

void     _flow_cross_clear (FlowCross          *self);
/* How many crosses example @b has. */
gboolean _flow_cross_count (const FlowCross    *self,
                            gint64              b,
                            gint64             *count,
                            GError            **error);
/* The @count crosses of example @b, as text or as hashes by what @values holds, from cell @at on. @n_bytes adds up the
 * text of all examples. */
gboolean _flow_cross_put   (FlowKernelContext  *c,
                            FlowCross          *self,
                            gint64              b,
                            gint64              count,
                            gint64              n_buckets,
                            FlowTensor         *values,
                            gint64              at,
                            gsize              *n_bytes,
                            GError            **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowCross, _flow_cross_clear)

G_END_DECLS
