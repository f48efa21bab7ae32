/* flow-window-colours.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <json-glib/json-glib.h>

#include "flow-window-private.h"

G_BEGIN_DECLS

void _flow_window_init_colours (FlowWindow  *window);
void _flow_window_free_colours (FlowWindow  *window);
void _flow_window_colour_graph (FlowWindow  *window);
void _flow_window_load_colours (FlowWindow  *window,
                                GVariant    *parameter);
void _flow_window_colour_menu  (FlowWindow  *window,
                                GVariant    *parameter);
void _flow_window_add_colours  (FlowWindow  *window,
                                JsonBuilder *builder);

G_END_DECLS
