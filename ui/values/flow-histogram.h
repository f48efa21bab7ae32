/* flow-histogram.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-tensor-slice.h"

G_BEGIN_DECLS

#define FLOW_TYPE_HISTOGRAM (flow_histogram_get_type ())

G_DECLARE_FINAL_TYPE (FlowHistogram, flow_histogram, FLOW, HISTOGRAM, GtkWidget)

GtkWidget *flow_histogram_new      (void);
void       flow_histogram_set_info (FlowHistogram *self,
                                    FlowValueInfo *stats);
gboolean   flow_histogram_has_bins (FlowHistogram *self);

G_END_DECLS
