/* flow-collections-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-view.h"

G_BEGIN_DECLS

#define FLOW_TYPE_COLLECTIONS_VIEW (flow_collections_view_get_type ())

G_DECLARE_FINAL_TYPE (FlowCollectionsView, flow_collections_view, FLOW, COLLECTIONS_VIEW, FlowView)

void flow_collections_view_show (FlowCollectionsView *self,
                                 const char          *key);
void flow_collections_view_set_search (FlowCollectionsView *self,
                                       const char          *text);

G_END_DECLS
