/* flow-window-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <json-glib/json-glib.h>

#include "flow-view-doc.h"
#include "flow-window-private.h"

G_BEGIN_DECLS

/* How a person looks at the graph that is open: read with it, kept without being asked. */
void         _flow_window_init_view       (FlowWindow  *window);
void         _flow_window_free_view       (FlowWindow  *window);
void         _flow_window_read_view       (FlowWindow  *window);
FlowViewDoc *_flow_window_get_view_doc    (FlowWindow  *window);
void         _flow_window_view_changed    (FlowWindow  *window);

/* flow-window-bookmarks.c */
void         _flow_window_init_bookmarks  (FlowWindow  *window);
void         _flow_window_show_bookmarks  (FlowWindow  *window);
void         _flow_window_add_bookmark    (FlowWindow  *window,
                                           GVariant    *parameter);
void         _flow_window_go_to_bookmark  (FlowWindow  *window,
                                           GVariant    *parameter);
void         _flow_window_note_bookmark   (FlowWindow  *window,
                                           GVariant    *parameter);
void         _flow_window_remove_bookmark (FlowWindow  *window,
                                           GVariant    *parameter);
void         _flow_window_bookmarks       (FlowWindow  *window,
                                           GVariant    *parameter);
void         _flow_window_add_bookmarks_state (FlowWindow *window,
                                           JsonBuilder *builder);

G_END_DECLS
