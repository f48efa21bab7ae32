/* flow-window-focus.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <json-glib/json-glib.h>

#include "flow-window-private.h"

G_BEGIN_DECLS

/* What of the graph is to be seen: what an op depends on, what lies between two, one scope alone; and what is hidden. */
void        _flow_window_init_focus       (FlowWindow  *window);
void        _flow_window_free_focus       (FlowWindow  *window);
void        _flow_window_forget_focus     (FlowWindow  *window);
void        _flow_window_apply_focus      (FlowWindow  *window);
void        _flow_window_hide_by_rules    (FlowWindow  *window,
                                           GBytes      *hidden);
const char *_flow_window_get_path_start   (FlowWindow  *window);
gboolean    _flow_window_has_focus        (FlowWindow  *window);
void        _flow_window_add_focus_state  (FlowWindow  *window,
                                           JsonBuilder *builder);

/* Actions. */
void        _flow_window_trace            (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_path_start       (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_paths            (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_gradients        (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_solo             (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_isolate          (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_hide             (FlowWindow  *window,
                                           GVariant    *parameter);
void        _flow_window_show_all         (FlowWindow  *window,
                                           GVariant    *parameter);

G_END_DECLS
