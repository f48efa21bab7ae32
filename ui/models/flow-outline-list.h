/* flow-outline-list.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-ui-session.h"

G_BEGIN_DECLS

#define FLOW_TYPE_OUTLINE_ITEM (flow_outline_item_get_type ())
#define FLOW_TYPE_OUTLINE_LIST (flow_outline_list_get_type ())

/* A node or a scope as a row; made when a row comes into view. */
G_DECLARE_FINAL_TYPE (FlowOutlineItem, flow_outline_item, FLOW, OUTLINE_ITEM, GObject)

guint32          flow_outline_item_get_node     (FlowOutlineItem *self);
guint32          flow_outline_item_get_scope    (FlowOutlineItem *self);
gboolean         flow_outline_item_is_hit       (FlowOutlineItem *self);

/* The children of a scope, or the hits of a search. */
G_DECLARE_FINAL_TYPE (FlowOutlineList, flow_outline_list, FLOW, OUTLINE_LIST, GObject)

FlowOutlineList *flow_outline_list_new_children (FlowUiSession   *session,
                                                 guint32          scope);
FlowOutlineList *flow_outline_list_new_hits     (const guint32   *nodes,
                                                 guint            n_nodes);
gboolean         flow_outline_list_find         (FlowOutlineList *self,
                                                 guint32          node,
                                                 guint32          scope,
                                                 guint           *position);

G_END_DECLS
