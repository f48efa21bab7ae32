/* flow-graph-text.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

/* Graphs for tests, a node a line: "name = Type (input, input:1, ^control)". Attrs in brackets behind
 * it: "[T=float, N=2, shape=2x?, name='x']". Types ending in "float" etc. are dtypes, digits are ints,
 * quotes are strings, true and false are bools, NxM is a shape, () the scalar shape. */
FlowGraph *flow_graph_from_text  (const char  *text,
                                  GPtrArray   *problems,
                                  GError     **error);
gboolean   flow_graph_add_text   (FlowGraph   *graph,
                                  const char  *text,
                                  GPtrArray   *problems,
                                  GError     **error);

G_END_DECLS
