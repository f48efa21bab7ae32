/* flow-tensor-slice.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/* Bars of a histogram: enough to see a shape, few enough for the width of the inspector. */
#define FLOW_HISTOGRAM_BINS 40

#define FLOW_TYPE_TENSOR_SLICE (flow_tensor_slice_get_type ())

G_DECLARE_FINAL_TYPE (FlowTensorSlice, flow_tensor_slice, FLOW, TENSOR_SLICE, GObject)

FlowTensorSlice *flow_tensor_slice_new          (const FlowTensor        *tensor,
                                                 FlowTensorStats         *stats);
const FlowTensor *flow_tensor_slice_get_tensor  (FlowTensorSlice         *self);
FlowTensorStats *flow_tensor_slice_get_stats    (FlowTensorSlice         *self);
gint64           flow_tensor_slice_get_n_rows   (FlowTensorSlice         *self);
gint64           flow_tensor_slice_get_n_columns (FlowTensorSlice        *self);
gint64           flow_tensor_slice_get_element  (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
double           flow_tensor_slice_get_double   (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
char            *flow_tensor_slice_dup_text     (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
char            *flow_tensor_slice_dup_index    (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
char            *flow_tensor_slice_to_string    (FlowTensorSlice         *self);
gboolean         flow_tensor_slice_parse        (FlowTensorSlice         *self,
                                                 const char              *text);
gboolean         flow_tensor_slice_is_number    (FlowTensorSlice         *self);

void             flow_tensor_summarize_async    (const FlowTensor        *tensor,
                                                 GCancellable            *cancellable,
                                                 GAsyncReadyCallback      callback,
                                                 gpointer                 data);
FlowTensorStats *flow_tensor_summarize_finish   (GAsyncResult            *result,
                                                 GError                 **error);
char            *flow_tensor_element_to_string  (const FlowTensor        *tensor,
                                                 gint64                   element);

G_END_DECLS
