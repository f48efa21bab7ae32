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

GtkWidget *flow_curve_new           (void);
void       flow_curve_clear         (FlowCurve  *self);
/* @points: a(xdd): step, wall time, value. */
void       flow_curve_add_series    (FlowCurve  *self,
                                     const char *title,
                                     GVariant   *points);
guint      flow_curve_get_n_series  (FlowCurve  *self);
guint      flow_curve_get_n_points  (FlowCurve  *self,
                                     guint       series);
void       flow_curve_set_smoothing (FlowCurve  *self,
                                     double      smoothing);

G_END_DECLS
