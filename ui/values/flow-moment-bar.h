/* flow-moment-bar.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

#include "flow-ui-session.h"

G_BEGIN_DECLS

#define FLOW_TYPE_MOMENT_BAR (flow_moment_bar_get_type ())

G_DECLARE_FINAL_TYPE (FlowMomentBar, flow_moment_bar, FLOW, MOMENT_BAR, GtkBox)

GtkWidget  *flow_moment_bar_new     (FlowUiSession *session,
                                     const char    *ref);
void        flow_moment_bar_refresh (FlowMomentBar *self);
void        flow_moment_bar_go      (FlowMomentBar *self,
                                     int            by);
void        flow_moment_bar_choose  (FlowMomentBar *self,
                                     const char    *number);
const char *flow_moment_bar_get_ref (FlowMomentBar *self);

G_END_DECLS
