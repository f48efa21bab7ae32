/* flow-legend.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-colouring.h"

G_BEGIN_DECLS

#define FLOW_TYPE_LEGEND (flow_legend_get_type ())

G_DECLARE_FINAL_TYPE (FlowLegend, flow_legend, FLOW, LEGEND, GtkBox)

GtkWidget *flow_legend_new      (void);
void       flow_legend_set_menu (FlowLegend    *self,
                                 GMenuModel    *menu);
void       flow_legend_popup    (FlowLegend    *self);
void       flow_legend_show     (FlowLegend    *self,
                                 const char    *title,
                                 FlowColouring *colouring,
                                 const char    *note);

G_END_DECLS
