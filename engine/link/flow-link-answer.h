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

/* The graph from node @first on with all its collections, as the value and the tensors of a parcel: the whole graph in
 * the pieces of flow_graph_pack(), a part of it as the bytes of a GraphDef and of an OpList. */
GVariant  *_flow_link_graph_pack   (FlowGraph   *graph,
                                    guint        first,
                                    GPtrArray  **tensors,
                                    GError     **error);
FlowGraph *_flow_link_graph_unpack (GVariant    *value,
                                    GPtrArray   *tensors,
                                    GError     **error);

/* What was packed from node @first on is appended, if that is where @graph ends. */
gboolean   _flow_link_graph_extend (FlowGraph   *graph,
                                    GVariant    *value,
                                    GPtrArray   *tensors,
                                    GError     **error);

/* (tu): serial of the graph at hand and how many nodes of it are -> (tuv): serial, first node of what comes, and that. */
#define FLOW_LINK_METHOD_GRAPH "org.flowstep.Graph"

G_END_DECLS
