/* flow-value-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_VALUE_VIEW (flow_value_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowValueView, flow_value_view, FLOW, VALUE_VIEW, AdwBin)

GtkWidget  *flow_value_view_new        (void);
void        flow_value_view_set_large  (FlowValueView *self);
void        flow_value_view_show       (FlowValueView *self,
                                        FlowUiSession *session,
                                        const char    *tensor);
void        flow_value_view_show_tensor (FlowValueView *self,
                                        FlowUiSession *session,
                                        const char    *name,
                                        FlowTensor    *tensor);
void        flow_value_view_clear      (FlowValueView *self);
const char *flow_value_view_get_tensor (FlowValueView *self);
FlowTensor *flow_value_view_get_value  (FlowValueView *self);

G_END_DECLS
