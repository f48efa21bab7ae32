/* flow-scope-states.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/**
 * FlowScopeStates:
 *
 * What a list needs to know of each name scope beside the graph: the first node in it (the order of
 * its row among its siblings) and its state, rolled up from the nodes in it.
 */
typedef struct _FlowScopeStates FlowScopeStates;

FlowScopeStates *flow_scope_states_new          (FlowGraph       *graph);
void             flow_scope_states_free         (FlowScopeStates *self);
void             flow_scope_states_update       (FlowScopeStates *self,
                                                 GBytes          *node_states);
guint32          flow_scope_states_get_first    (FlowScopeStates *self,
                                                 guint32          scope);
guint8           flow_scope_states_get_state    (FlowScopeStates *self,
                                                 guint32          scope);
guint            flow_scope_states_get_n_done   (FlowScopeStates *self,
                                                 guint32          scope);
guint            flow_scope_states_get_n_in_run (FlowScopeStates *self,
                                                 guint32          scope);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowScopeStates, flow_scope_states_free)

G_END_DECLS
