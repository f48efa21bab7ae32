/* flow-function.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowFunctionBody: (skip)
 *
 * A function of the library made into nodes, for one set of attrs: what a call of it executes. Its
 * nodes stand in a graph of their own under the names PREFIX/NAME; functions that they call are found in the
 * library of the graph that it was made from, which has to live as long.
 */
typedef struct {
  gatomicrefcount ref_count;
  FlowGraph *graph;
  FlowAttr *func;              /* the function's name and attrs */
  guint name_offset;           /* where a node's name in the function begins in its name here */
  guint n_args;
  guint32 *args;               /* the _Arg nodes */
  guint n_rets;
  FlowEndpoint *rets;
  guint n_effects;
  guint32 *effects;            /* what executes although nothing reads it, */
  guint n_named;               /* those first that the function names so */
} FlowFunctionBody;

FLOW_API FlowFunctionBody *flow_function_body_new   (FlowGraph         *library,
                                                     const FlowAttr    *func,
                                                     const char        *prefix,
                                                     GError           **error);
/* The same of a function that may run on several devices. */
FLOW_API FlowFunctionBody *flow_function_body_new_on_devices (FlowGraph      *library,
                                                              const FlowAttr *func,
                                                              const char     *prefix,
                                                              GError        **error);
/* Of its gradient: its arguments and the gradients of what it returns in, those of its arguments out. */
FLOW_API FlowFunctionBody *flow_gradient_body_new   (FlowGraph         *library,
                                                     const FlowAttr    *func,
                                                     const char        *prefix,
                                                     GError           **error);
FLOW_API FlowFunctionBody *flow_function_body_ref   (FlowFunctionBody  *self);
FLOW_API void              flow_function_body_unref (FlowFunctionBody  *self);

FLOW_API gboolean          flow_function_may_be_inlined (const FlowFunction *self,
                                                         FlowGraph          *library);

/* Gives the body's nodes indices in @graph; the first of them, FLOW_NODE_NONE where there are too many. */
FLOW_API guint32           flow_graph_add_body      (FlowGraph         *graph,
                                                     FlowFunctionBody  *body,
                                                     guint32            caller);
/* The node of the graph itself that a call chain begins at: of the graph's own nodes that node. */
FLOW_API guint32           flow_graph_get_outer_node (FlowGraph        *graph,
                                                     guint32            node);

static inline gboolean
flow_node_is_in_body (guint32 node)
{
  return node != FLOW_NODE_NONE && (node & FLOW_NODE_BODY) != 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowFunctionBody, flow_function_body_unref)

#endif

G_END_DECLS
