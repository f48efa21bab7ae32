/* flow-outline-row.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-outline-list.h"
#include "flow-ui-session.h"

G_BEGIN_DECLS

#define FLOW_TYPE_OUTLINE_ROW (flow_outline_row_get_type ())

G_DECLARE_FINAL_TYPE (FlowOutlineRow, flow_outline_row, FLOW, OUTLINE_ROW, GtkWidget)

GtkWidget *flow_outline_row_new    (FlowUiSession   *session);
void       flow_outline_row_bind   (FlowOutlineRow  *self,
                                    FlowOutlineItem *item);
FlowOutlineItem *flow_outline_row_get_item (FlowOutlineRow *self);
void       flow_outline_row_unbind (FlowOutlineRow  *self);

G_END_DECLS
