/* flow-graph-variables.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowGraphVariable: (skip)
 * @shape: (nullable): as its op says
 * @initializer: (nullable): the op that writes its first value
 * @slots_of: (nullable): the variable that an optimizer keeps this one for
 * @collections: names of the collections it is in
 * @key: in a checkpoint; a part of a partitioned variable has the whole's
 * @spec: which part, as Save ops have it; "" for a whole one
 *
 * A variable of a graph, with what its collections say of it.
 */
typedef struct {
  char *name;
  FlowDType dtype;
  FlowShape *shape;
  gboolean trainable;
  char *initializer;
  char *slots_of;
  GPtrArray *collections;
  char *key;
  char *spec;
} FlowGraphVariable;

FLOW_API GPtrArray *flow_graph_list_variables (FlowGraph *graph);

#endif

G_END_DECLS
