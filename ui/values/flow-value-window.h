/* flow-value-window.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FLOW_TYPE_VALUE_WINDOW (flow_value_window_get_type ())

G_DECLARE_FINAL_TYPE (FlowValueWindow, flow_value_window, FLOW, VALUE_WINDOW, AdwWindow)

GtkWidget *flow_value_window_new (FlowUiSession *session,
                                  const char    *ref);
void       flow_value_window_compare (FlowValueWindow *self,
                                      const char    *moment);

G_END_DECLS
