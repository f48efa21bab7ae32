/* flow-link-answer.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"

G_BEGIN_DECLS

/* Every answer carries the state with it, so that who asks next sees what the call changed:
 * (b, a{sv}, v): done; state; the value, or (sisss): the error's domain and code, its message, node and
 * op type. */
GVariant *_flow_link_answer_value (FlowDebugger *debugger,
                                   GVariant     *value);
GVariant *_flow_link_answer_error (FlowDebugger *debugger,
                                   const GError *error);
/* The value, or NULL with the error; @state is always given. */
GVariant *_flow_link_answer_open  (GVariant     *answer,
                                   GVariant    **state,
                                   GError      **error);

/* The graph with its collections, as the value and the one tensor (bytes of a GraphDef) of a parcel. */
GVariant  *_flow_link_graph_pack   (FlowGraph   *graph,
                                    GPtrArray  **tensors,
                                    GError     **error);
FlowGraph *_flow_link_graph_unpack (GVariant    *value,
                                    GPtrArray   *tensors,
                                    GError     **error);

#define FLOW_LINK_METHOD_GRAPH "org.flowstep.Graph"

G_END_DECLS
