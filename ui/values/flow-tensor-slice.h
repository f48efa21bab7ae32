/* flow-tensor-slice.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

G_BEGIN_DECLS

/* Bars of a histogram: enough to see a shape, few enough for the width of the inspector. */
#define FLOW_HISTOGRAM_BINS 40

/**
 * FlowValueInfo:
 *
 * What the engine says of a value without sending it: dtype, shape, statistics, histogram, and where the
 * outstanding elements are (-1: nowhere).
 */
typedef struct {
  FlowDType dtype;
  FlowShape *shape;
  gint64 n_elements;
  gboolean is_number;
  gint64 n_finite;
  gint64 n_nan;
  gint64 n_inf;
  gint64 n_zero;
  double min;
  double max;
  double mean;
  double std;
  guint n_bins;
  gint64 *bins;
  gatomicrefcount ref_count;
} FlowValueInfo;

FlowValueInfo   *flow_value_info_new            (GVariant                *info);
FlowValueInfo   *flow_value_info_new_for_tensor (const FlowTensor        *tensor);
FlowValueInfo   *flow_value_info_ref            (FlowValueInfo           *self);
void             flow_value_info_unref          (FlowValueInfo           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowValueInfo, flow_value_info_unref)

#define FLOW_TYPE_TENSOR_SLICE (flow_tensor_slice_get_type ())

G_DECLARE_FINAL_TYPE (FlowTensorSlice, flow_tensor_slice, FLOW, TENSOR_SLICE, GObject)

FlowTensorSlice *flow_tensor_slice_new          (FlowUiSession           *session,
                                                 const char              *ref,
                                                 FlowValueInfo           *info);
FlowTensorSlice *flow_tensor_slice_new_for_tensor (const FlowTensor      *tensor);
FlowValueInfo   *flow_tensor_slice_get_info     (FlowTensorSlice         *self);
const char      *flow_tensor_slice_get_ref      (FlowTensorSlice         *self);
gint64           flow_tensor_slice_get_n_rows   (FlowTensorSlice         *self);
gint64           flow_tensor_slice_get_n_columns (FlowTensorSlice        *self);
guint            flow_tensor_slice_get_n_tiles  (FlowTensorSlice         *self);
gint64           flow_tensor_slice_get_element  (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
gboolean         flow_tensor_slice_has_cell     (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
double           flow_tensor_slice_get_double   (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
gboolean         flow_tensor_slice_look         (FlowTensorSlice         *self,
                                                 guint                    tile,
                                                 gint64                   row,
                                                 gint64                   column,
                                                 double                  *value);
char            *flow_tensor_slice_dup_text     (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
char            *flow_tensor_slice_dup_scalar   (FlowTensorSlice         *self);
char            *flow_tensor_slice_dup_index    (FlowTensorSlice         *self,
                                                 gint64                   row,
                                                 gint64                   column);
char            *flow_tensor_slice_to_string    (FlowTensorSlice         *self);
gboolean         flow_tensor_slice_parse        (FlowTensorSlice         *self,
                                                 const char              *text);
gboolean         flow_tensor_slice_is_number    (FlowTensorSlice         *self);
void             flow_tensor_slice_show_element (FlowTensorSlice         *self,
                                                 gint64                   element,
                                                 gint64                  *row,
                                                 gint64                  *column);

/* Asks for what is not there yet; `cells-changed` tells when it is. */
void             flow_tensor_slice_want_cells   (FlowTensorSlice         *self,
                                                 gint64                   first_row,
                                                 gint64                   last_row,
                                                 gint64                   first_column,
                                                 gint64                   last_column);
void             flow_tensor_slice_want_overview (FlowTensorSlice        *self,
                                                 gboolean                 tiles);
gboolean         flow_tensor_slice_is_whole     (FlowTensorSlice         *self);

char            *flow_tensor_element_to_string  (const FlowTensor        *tensor,
                                                 gint64                   element);

G_END_DECLS
