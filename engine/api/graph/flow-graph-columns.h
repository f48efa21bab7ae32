/* flow-graph-columns.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/* The columns of flow_graph_to_columns(), in their order. Numbers stand as this machine has them: columns go from one
 * process to another of the same build, never into a file. */
typedef enum {
  FLOW_GRAPH_COLUMN_NAMES,     /* of nodes, each with a 00 byte behind it */
  FLOW_GRAPH_COLUMN_STRINGS,   /* op types, devices and frames, likewise */
  FLOW_GRAPH_COLUMN_NODES,
  FLOW_GRAPH_COLUMN_INPUTS,
  FLOW_GRAPH_COLUMN_OUTPUTS,
  FLOW_GRAPH_COLUMN_SHAPES,
  FLOW_GRAPH_COLUMN_ORDER,
  FLOW_GRAPH_COLUMN_FRAMES,
  FLOW_GRAPH_COLUMN_ERRORS,
  FLOW_GRAPH_N_COLUMNS
} FlowGraphColumn;

/**
 * FlowGraphAttrReader: (skip)
 * @node: index of a node that came in columns
 * @data: what was given with the function
 *
 * Reads a node's attrs when somebody first asks for them, on whichever thread that is.
 *
 * Returns: (transfer full): its attrs
 */
typedef FlowAttrList *(*FlowGraphAttrReader) (guint32  node,
                                              gpointer data);

FLOW_API GPtrArray *flow_graph_to_columns   (FlowGraph            *self);
FLOW_API gsize      flow_graph_columns_get_n_nodes (GPtrArray     *columns);
FLOW_API gboolean   flow_graph_take_columns (FlowGraph            *self,
                                             GPtrArray            *columns,
                                             FlowGraphAttrReader   read_attrs,
                                             gpointer              data,
                                             GDestroyNotify        destroy,
                                             GError              **error);

#endif /* __GI_SCANNER__ */

G_END_DECLS
