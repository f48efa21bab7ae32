/* flow-state-dot.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FLOW_TYPE_STATE_DOT (flow_state_dot_get_type ())

G_DECLARE_FINAL_TYPE (FlowStateDot, flow_state_dot, FLOW, STATE_DOT, GtkWidget)

GtkWidget *flow_state_dot_new       (void);
void       flow_state_dot_set_state (FlowStateDot *self,
                                     guint8        state);

G_END_DECLS
