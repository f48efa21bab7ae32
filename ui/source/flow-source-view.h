/* flow-source-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_SOURCE_VIEW (flow_source_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowSourceView, flow_source_view, FLOW, SOURCE_VIEW, FlowView)

void  flow_source_view_show     (FlowSourceView *self,
                                 const char     *file,
                                 guint           line);
/* FILE:LINE of the line that is chosen; (transfer full) (nullable). */
char *flow_source_view_dup_line (FlowSourceView *self);

G_END_DECLS
