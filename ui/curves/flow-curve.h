/* flow-curve.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FLOW_TYPE_CURVE (flow_curve_get_type ())

G_DECLARE_FINAL_TYPE (FlowCurve, flow_curve, FLOW, CURVE, GtkWidget)

GtkWidget *flow_curve_new        (void);
/* a(xdd): step, wall time, value; NULL: nothing to draw. */
void       flow_curve_set_points (FlowCurve  *self,
                                  GVariant   *points);
void       flow_curve_set_title  (FlowCurve  *self,
                                  const char *title);

G_END_DECLS
