/* flow-event-list.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

G_BEGIN_DECLS

#define FLOW_TYPE_EVENT_LIST (flow_event_list_get_type ())

G_DECLARE_FINAL_TYPE (FlowEventList, flow_event_list, FLOW, EVENT_LIST, GObject)

FlowEventList *flow_event_list_new         (FlowUiSession *session);
void           flow_event_list_set_n_events (FlowEventList *self,
                                            guint64        n_events);
void           flow_event_list_forget      (FlowEventList *self);

G_END_DECLS
