/* flow-plan-merge.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plan-private.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that compute the same thing: one of them executes, the others' readers read it (TF: OptimizeCSE).
 * A node is taken for another's twin where op, device, attrs, inputs and control inputs are the same, the
 * op keeps no state and reads no reference. What is fetched or a target executes itself. */

#define LEAVES_ALONE (FLOW_OP_STATEFUL | FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT \
                      | FLOW_OP_NEXT_ITERATION | FLOW_OP_OUTSIDE_EFFECT)

typedef struct {
  FlowGraph *graph;
  FlowPrune *prune;
  guint32 *twins;              /* node -> the node that executes for it */
} Merger;

/* An edge as a number to compare: a feed, or who executes for the source, and the slot. */
static guint64
edge_key (Merger       *self,
          guint32       node,
          guint         i,
          FlowEndpoint  source)
{
  int feed = flow_prune_get_feed (self->prune, node, i);

  if (feed >= 0)
    return G_GUINT64_CONSTANT (1) << 63 | (guint64) feed;
  return (guint64) self->twins[source.node] << 32 | (guint32) source.slot;
}

static int
compare_edges (gconstpointer a,
               gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* What twins have in common but for their attrs; NULL for a node that can have none. */
static GBytes *
make_key (Merger  *self,
          guint32  node)
{
  guint n_data = 0;
  guint n_control = 0;
  const FlowEndpoint *sources = flow_graph_peek_inputs (self->graph, node, &n_data, &n_control);
  guint32 flags = flow_graph_get_node_flags (self->graph, node);
  g_autofree guint64 *edges = g_new (guint64, n_data + n_control + 1);
  GString *key = NULL;

  if ((flags & LEAVES_ALONE) != 0 || strcmp (flow_graph_get_node_type (self->graph, node), "Placeholder") == 0)
    return NULL;
  for (guint i = 0; i < n_data + n_control; i++)
    {
      /* A loop's back edge: its source stands later and has no twin yet. */
      if (sources[i].node >= node
          || (i < n_data && flow_dtype_is_ref (flow_graph_get_input_dtype (self->graph, node, i))))
        return NULL;
      edges[i] = i < n_data ? edge_key (self, node, i, sources[i]) : (guint64) self->twins[sources[i].node] << 32;
    }
  if ((flags & FLOW_OP_COMMUTATIVE) != 0)
    qsort (edges, n_data, sizeof (guint64), compare_edges);
  qsort (edges + n_data, n_control, sizeof (guint64), compare_edges);
  key = g_string_new (flow_graph_get_node_type (self->graph, node));
  g_string_append_c (key, '\n');
  g_string_append (key, flow_graph_get_node_device (self->graph, node));
  g_string_append_printf (key, "\n%u %u\n", n_data, n_control);
  g_string_append_len (key, (const char *) edges, (gssize) ((n_data + n_control) * sizeof (guint64)));
  return g_string_free_to_bytes (key);
}

static gboolean
same_attrs (FlowAttrList *a,
            FlowAttrList *b)
{
  if (flow_attr_list_get_length (a) != flow_attr_list_get_length (b))
    return FALSE;
  for (guint i = 0; i < flow_attr_list_get_length (a); i++)
    {
      const FlowAttr *other = flow_attr_list_get (b, flow_attr_list_get_name (a, i));

      if (other == NULL || !flow_attr_equal (flow_attr_list_get_value (a, i), other))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_wanted (const FlowPruneEnds *ends,
           guint32              node)
{
  for (guint i = 0; i < ends->n_fetches; i++)
    if (ends->fetches[i].node == node)
      return TRUE;
  for (guint i = 0; i < ends->n_targets; i++)
    if (ends->targets[i] == node)
      return TRUE;
  return FALSE;
}

/* Constants have all one key: beyond so many of them twins are missed, and time is not. */
#define MAX_COMPARED 256

/* Of the nodes that have a key in common the one with these attrs too; else the node joins them. */
static guint32
find_twin (Merger  *self,
           GArray  *alike,
           guint32  node)
{
  for (guint i = alike->len > MAX_COMPARED ? alike->len - MAX_COMPARED : 0; i < alike->len; i++)
    if (same_attrs (flow_graph_get_node_attrs (self->graph, g_array_index (alike, guint32, i)),
                    flow_graph_get_node_attrs (self->graph, node)))
      return g_array_index (alike, guint32, i);
  g_array_append_val (alike, node);
  return node;
}

/* For each node of the graph the one that executes for it, mostly itself. */
guint32 *
_flow_plan_find_twins (FlowGraph *graph,
                       FlowPrune *prune)
{
  guint n = flow_graph_get_n_nodes (graph);
  const FlowPruneEnds *ends = flow_prune_get_ends (prune);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                        (GDestroyNotify) g_bytes_unref, (GDestroyNotify) g_array_unref);
  Merger self = { graph, prune, g_new (guint32, MAX (n, 1)) };

  for (guint32 node = 0; node < n; node++)
    {
      GBytes *key = NULL;
      GArray *alike = NULL;
      guint32 twin = 0;

      self.twins[node] = node;
      if (!flow_prune_contains (prune, node) || (key = make_key (&self, node)) == NULL)
        continue;
      alike = g_hash_table_lookup (known, key);
      if (alike == NULL)
        {
          alike = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (known, g_bytes_ref (key), alike);
        }
      g_bytes_unref (key);
      twin = find_twin (&self, alike, node);
      if (!is_wanted (ends, node))
        self.twins[node] = twin;
    }
  return self.twins;
}
