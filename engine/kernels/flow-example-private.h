/* flow-example-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"
#include "flow-proto-reader.h"
#include "flow-tensor.h"

G_BEGIN_DECLS

/* A serialised tf.Example: finding features and reading their values. */

typedef struct {
  const guint8 *data;          /* a Feature message, or NULL where the example has none */
  gsize size;
} FlowFeatureSpan;

/* What is looked for: keys in any order, each once. */
typedef struct _FlowExampleKeys FlowExampleKeys;

FlowExampleKeys *_flow_example_keys_new    (void);
void             _flow_example_keys_free   (FlowExampleKeys  *self);
/* FALSE where the key is there already. */
gboolean         _flow_example_keys_add    (FlowExampleKeys  *self,
                                            const char       *key,
                                            gsize             length,
                                            guint             index);
/* Fills @spans (zeroed, one per index) with the last feature of each key; FALSE for bytes that are no
 * Example. */
gboolean         _flow_example_find        (FlowExampleKeys  *self,
                                            const char       *serialized,
                                            gsize             size,
                                            FlowFeatureSpan  *spans);

/* Of a SequenceExample, whose context _flow_example_find() reads: its feature lists. */
gboolean         _flow_example_find_lists  (FlowExampleKeys  *self,
                                            const char       *serialized,
                                            gsize             size,
                                            FlowFeatureSpan  *spans);
/* The next feature of a list that was opened with flow_proto_reader_init(). */
gboolean         _flow_feature_list_next   (FlowProtoReader  *list,
                                            FlowFeatureSpan  *feature);

/* The dtype of a feature's list: string, float, int64, or FLOW_DTYPE_INVALID when it has none. */
FlowDType        _flow_feature_dtype       (const FlowFeatureSpan *span,
                                            gboolean              *damaged);
/* How many values it has; -1 when it is damaged. */
gint64           _flow_feature_count       (const FlowFeatureSpan *span);
/* Writes them into @tensor from element @at; what does not fit is left out. */
void             _flow_feature_read        (const FlowFeatureSpan *span,
                                            FlowTensor            *tensor,
                                            gint64                 at,
                                            gint64                 count);

/* Appends the feature as TensorFlow's messages show it: "int64_list {\n  value: 7\n}\n". */
void             _flow_feature_append_text (const FlowFeatureSpan *span,
                                            GString               *text);

/* What ops whose keys are attrs (sparse_keys, dense_keys, ragged_keys) make of a batch of Examples, input 0, and of dense
 * defaults, the other inputs: outputs in the order of ParseExampleV2. */
gboolean         _flow_parse_examples      (FlowKernelContext     *c,
                                            GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowExampleKeys, _flow_example_keys_free)

G_END_DECLS
