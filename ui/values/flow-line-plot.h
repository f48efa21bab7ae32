/* flow-line-plot.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-tensor-slice.h"

G_BEGIN_DECLS

#define FLOW_TYPE_LINE_PLOT (flow_line_plot_get_type ())

G_DECLARE_FINAL_TYPE (FlowLinePlot, flow_line_plot, FLOW, LINE_PLOT, GtkWidget)

GtkWidget *flow_line_plot_new       (void);
void       flow_line_plot_set_slice (FlowLinePlot    *self,
                                     FlowTensorSlice *slice);
void       flow_line_plot_set_row   (FlowLinePlot    *self,
                                     gint64           row);

G_END_DECLS
