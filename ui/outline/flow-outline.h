/* flow-outline.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_OUTLINE (flow_outline_get_type ())

G_DECLARE_FINAL_TYPE (FlowOutline, flow_outline, FLOW, OUTLINE, FlowView)

void flow_outline_set_search    (FlowOutline *self,
                                 const char  *text);
void flow_outline_next_hit      (FlowOutline *self,
                                 int          direction);
void flow_outline_expand_scope  (FlowOutline *self,
                                 guint32      scope,
                                 gboolean     expanded);
void flow_outline_select_at     (FlowOutline *self,
                                 double       x,
                                 double       y);
void flow_outline_collapse_all  (FlowOutline *self);

G_END_DECLS
