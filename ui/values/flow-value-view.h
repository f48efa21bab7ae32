/* flow-value-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

#include "flow-tensor-slice.h"

G_BEGIN_DECLS

#define FLOW_TYPE_VALUE_VIEW (flow_value_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowValueView, flow_value_view, FLOW, VALUE_VIEW, AdwBin)

GtkWidget       *flow_value_view_new          (void);
void             flow_value_view_set_large    (FlowValueView  *self);
void             flow_value_view_set_mode     (FlowValueView  *self,
                                               const char     *name);
void             flow_value_view_show         (FlowValueView  *self,
                                               FlowUiSession  *session,
                                               const char     *ref);
void             flow_value_view_set_other    (FlowValueView  *self,
                                               const char     *ref,
                                               const FlowTolerance *tolerance);
void             flow_value_view_show_element (FlowValueView  *self,
                                               gint64          element);
char            *flow_value_view_dup_text     (FlowValueView  *self);
gboolean         flow_value_view_save_png     (FlowValueView  *self,
                                               const char     *path,
                                               GError        **error);
void             flow_value_view_clear        (FlowValueView  *self);
const char      *flow_value_view_get_ref      (FlowValueView  *self);
FlowTensorSlice *flow_value_view_get_slice    (FlowValueView  *self);

G_END_DECLS
