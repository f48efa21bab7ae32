/* flow-ridges.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FLOW_TYPE_RIDGES (flow_ridges_get_type ())

G_DECLARE_FINAL_TYPE (FlowRidges, flow_ridges, FLOW, RIDGES, GtkWidget)

GtkWidget *flow_ridges_new  (void);
void       flow_ridges_show (FlowRidges *self,
                             double      low,
                             double      high,
                             GVariant   *rows);

G_END_DECLS
