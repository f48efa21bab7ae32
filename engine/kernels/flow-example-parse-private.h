/* flow-example-parse-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the ops that parse Examples share. All come to the same: a batch of examples (or one without a batch
 * dimension), sparse features, dense ones of fixed or of variable length, ragged ones.
 */

#pragma once

#include "flow-example-private.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;
  gsize length;
  FlowDType dtype;
  const FlowShape *shape;      /* dense: as declared */
  gboolean is_variable;        /* dense: the first dimension is as long as the longest */
  gint64 stride;               /* dense: elements of one example, or of one row when variable */
  FlowTensor *fallback;        /* dense: its default; no elements: none */
} FlowExampleFeature;

typedef struct {
  FlowKernelContext *c;
  FlowTensor *serialized;
  FlowTensor *names;           /* nullable */
  gboolean is_batch;
  gint64 n_examples;
  guint n_sparse;
  guint n_dense;
  guint n_ragged;
  FlowExampleFeature *features;           /* sparse, dense, ragged */
  FlowFeatureSpan *spans;      /* n_examples x features */
  FlowTensor *span_memory;
  guint first_dense_output;
} FlowExampleParse;

/* Takes counts, dtypes and shapes from the attrs, input 0 as what is parsed. Keys (and names) are left to the caller. */
gboolean _flow_example_parse_begin    (FlowExampleParse   *self,
                                       FlowKernelContext  *c,
                                       guint               n_sparse,
                                       guint               n_dense,
                                       guint               n_ragged,
                                       GError            **error);
void     _flow_example_parse_clear    (FlowExampleParse   *self);
/* The keys of @count features from @first on stand in the list attr @attr. */
gboolean _flow_example_parse_take_attr_keys (FlowExampleParse   *self,
                                             guint               first,
                                             guint               count,
                                             const char         *attr,
                                             GError            **error);
/* Writes all outputs; defaults of dense features are the inputs from @first_default on. */
gboolean _flow_example_parse_run      (FlowExampleParse   *self,
                                       guint               first_default,
                                       GError            **error);

/* The length of a list attr, 0 where the op has none of that name. */
static inline gsize
flow_example_list_length (FlowAttr *attr)
{
  return attr != NULL ? flow_attr_get_length (attr) : 0;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowExampleParse, _flow_example_parse_clear)

G_END_DECLS
