/* flow-compare-pane.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

#include "flow-ui-session.h"

G_BEGIN_DECLS

#define FLOW_TYPE_COMPARE_PANE (flow_compare_pane_get_type ())

G_DECLARE_FINAL_TYPE (FlowComparePane, flow_compare_pane, FLOW, COMPARE_PANE, AdwBin)

GtkWidget *flow_compare_pane_new     (FlowUiSession   *session,
                                      const char      *ref);
void       flow_compare_pane_choose  (FlowComparePane *self,
                                      const char      *moment);
void       flow_compare_pane_refresh (FlowComparePane *self);

G_END_DECLS
