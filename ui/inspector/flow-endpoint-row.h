/* flow-endpoint-row.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FLOW_TYPE_ENDPOINT_ROW (flow_endpoint_row_get_type ())

G_DECLARE_FINAL_TYPE (FlowEndpointRow, flow_endpoint_row, FLOW, ENDPOINT_ROW, GtkListBoxRow)

GtkWidget  *flow_endpoint_row_new        (const char      *index,
                                          const char      *tensor);
const char *flow_endpoint_row_get_tensor (FlowEndpointRow *self);
void        flow_endpoint_row_set_state  (FlowEndpointRow *self,
                                          guint8           state);
void        flow_endpoint_row_set_detail (FlowEndpointRow *self,
                                          const char      *text);
void        flow_endpoint_row_set_clash  (FlowEndpointRow *self,
                                          gboolean         clash);

G_END_DECLS
