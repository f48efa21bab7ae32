/* flow-graph-bodies.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function.h"
#include "flow-graph-private.h"

#include <string.h>

/* Bodies of functions beside a graph: a run makes them when it first calls, and their nodes get indices of their
 * own, so that whoever asks a graph for a node's name, type, inputs or dtypes need not know where the node stands. */

/* Each call chain has nodes of its own. Functions that call many others twice over would make them without end. */
#define MAX_BODY_NODES (1u << 19)

struct _FlowGraphBody
{
  FlowFunctionBody *body;
  guint32 first;               /* index of its first node */
  guint32 outer;               /* the graph's own node that it is called from */
};

static void
graph_body_free (gpointer data)
{
  FlowGraphBody *self = data;

  flow_function_body_unref (self->body);
  g_free (self);
}

/* Under the lock. */
static FlowGraphBody *
find_body (FlowGraph *self,
           guint32    node)
{
  guint low = 0;
  guint high = self->bodies != NULL ? self->bodies->len : 0;

  if ((node & FLOW_NODE_BODY) == 0 || (node & ~FLOW_NODE_BODY) >= self->n_body_nodes)
    return NULL;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (((FlowGraphBody *) g_ptr_array_index (self->bodies, middle))->first <= node)
        low = middle;
      else
        high = middle;
    }
  return low < high ? g_ptr_array_index (self->bodies, low) : NULL;
}

FlowGraph *
_flow_graph_locate (FlowGraph *self,
                    guint32   *node,
                    guint32   *base)
{
  const FlowGraphBody *found = NULL;

  *base = 0;
  g_mutex_lock (&self->bodies_lock);
  found = find_body (self, *node);
  g_mutex_unlock (&self->bodies_lock);
  /* Bodies stay until the graph goes. */
  if (found == NULL)
    return self;
  *base = found->first;
  *node -= found->first;
  return found->body->graph;
}

guint32
_flow_graph_find_in_bodies (FlowGraph  *self,
                            const char *name,
                            gsize       length)
{
  guint32 found = FLOW_NODE_NONE;

  g_mutex_lock (&self->bodies_lock);
  for (guint i = 0; found == FLOW_NODE_NONE && self->bodies != NULL && i < self->bodies->len; i++)
    {
      const FlowGraphBody *at = g_ptr_array_index (self->bodies, i);

      found = _flow_scope_tree_find_node (at->body->graph->scopes, FLOW_NODE_NONE, name, length);
      if (found != FLOW_NODE_NONE)
        found += at->first;
    }
  g_mutex_unlock (&self->bodies_lock);
  return found;
}

/**
 * flow_graph_add_body: (skip)
 * @graph: a graph
 * @body: a function's body
 * @caller: the node that calls it: one of the graph, or of a body that was added before
 *
 * Gives the nodes of a body indices with %FLOW_NODE_BODY set: the one returned for its first, and so on. Names are
 * found too, where the graph itself has none of that name. The graph does not grow by it.
 *
 * Returns: the index of its first node; %FLOW_NODE_NONE when the graph has more nodes in bodies than are bearable
 */
guint32
flow_graph_add_body (FlowGraph         *graph,
                     FlowFunctionBody  *body,
                     guint32            caller)
{
  FlowGraphBody *added = NULL;
  guint32 n = 0;
  guint32 outer = flow_graph_get_outer_node (graph, caller);

  g_return_val_if_fail (FLOW_IS_GRAPH (graph) && body != NULL, FLOW_NODE_NONE);

  n = MAX (flow_graph_get_n_nodes (body->graph), 1);
  if (n > MAX_BODY_NODES - graph->n_body_nodes)
    return FLOW_NODE_NONE;
  added = g_new0 (FlowGraphBody, 1);
  added->body = flow_function_body_ref (body);
  added->outer = outer;
  g_mutex_lock (&graph->bodies_lock);
  if (graph->bodies == NULL)
    graph->bodies = g_ptr_array_new_with_free_func (graph_body_free);
  added->first = FLOW_NODE_BODY | graph->n_body_nodes;
  graph->n_body_nodes += n;
  g_ptr_array_add (graph->bodies, added);
  g_mutex_unlock (&graph->bodies_lock);
  return added->first;
}

/**
 * flow_graph_get_outer_node: (skip)
 * @graph: a graph
 * @node: a node of the graph or of a body
 *
 * Returns: the graph's own node through which @node is reached; @node itself where it is one
 */
guint32
flow_graph_get_outer_node (FlowGraph *graph,
                           guint32    node)
{
  const FlowGraphBody *found = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), FLOW_NODE_NONE);

  g_mutex_lock (&graph->bodies_lock);
  found = find_body (graph, node);
  g_mutex_unlock (&graph->bodies_lock);
  return found != NULL ? found->outer : node;
}
