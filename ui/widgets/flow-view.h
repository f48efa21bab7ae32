/* flow-view.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <adwaita.h>

#include "flow-ui-session.h"

G_BEGIN_DECLS

#define FLOW_TYPE_VIEW (flow_view_get_type ())

G_DECLARE_DERIVABLE_TYPE (FlowView, flow_view, FLOW, VIEW, AdwBin)

/**
 * FlowViewClass:
 * @setup: the session is there: bind models
 * @graph_changed: another graph, or more of it
 * @plan_changed: another run is chosen, or it has been planned, or the runs changed; several changes come
 *   as one, and unless @works_unseen not before the view can be seen
 * @selection_changed: another node or scope is selected
 * @node_states_changed: states or breakpoints changed
 * @refresh: ask for values again; called only while the view can be seen
 *
 * A view of a session.
 */
struct _FlowViewClass
{
  AdwBinClass parent_class;

  void (*setup)               (FlowView *self);
  void (*graph_changed)       (FlowView *self);
  void (*plan_changed)        (FlowView *self);
  void (*selection_changed)   (FlowView *self);
  void (*node_states_changed) (FlowView *self);
  void (*refresh)             (FlowView *self);

  gboolean works_unseen;
};

FlowUiSession *flow_view_get_session   (FlowView      *self);
void           flow_view_set_session   (FlowView      *self,
                                        FlowUiSession *session);
void           flow_view_queue_refresh (FlowView      *self);

G_END_DECLS
