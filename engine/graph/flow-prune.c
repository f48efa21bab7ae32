/* flow-prune.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-prune-private.h"

#include "flow-util.h"

#include <string.h>

struct _FlowPrune
{
  gatomicrefcount ref_count;
  FlowGraph *graph;
  FlowPruneEnds ends;
  GHashTable *feed_index;      /* endpoint_key() -> index in ends.feeds + 1, 0 for a feed that nothing reads */
  GHashTable *fed_nodes;       /* node -> index of one of its feeds + 1 */
  guint n_graph_nodes;
  guint8 *kept;                /* by node */
  guint32 *towards;            /* by kept node: the consumer it was found from, FLOW_NODE_NONE at an end */
  GHashTable *readings;        /* node -> FlowPruneReading, of what is read in part; nullable */
  guint n_kept;
};

G_DEFINE_BOXED_TYPE (FlowPrune, flow_prune, flow_prune_ref, flow_prune_unref)

static gpointer
endpoint_key (const FlowEndpoint *at)
{
  return GSIZE_TO_POINTER (((gsize) at->node << 32) | (guint32) at->slot);
}

/* Sorted, each once: what is executed depends on the sets only. */
static char **
sorted_set (const char *const *names)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GStrvBuilder *builder = g_strv_builder_new ();
  char **set;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_ptr_array_add (sorted, (gpointer) names[i]);
  g_ptr_array_sort (sorted, flow_compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    if (i == 0 || strcmp (sorted->pdata[i], sorted->pdata[i - 1]) != 0)
      g_strv_builder_add (builder, sorted->pdata[i]);
  set = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return set;
}

static gboolean
parse_feeds (FlowPrune          *self,
             const char *const  *names,
             GError            **error)
{
  g_auto (GStrv) sorted = sorted_set (names);

  self->ends.feeds = g_new0 (FlowEndpoint, g_strv_length (sorted) + 1);
  for (guint i = 0; sorted[i] != NULL; i++)
    {
      FlowEndpoint *feed = &self->ends.feeds[i];
      g_autoptr (GError) why = NULL;
      g_autofree char *text = NULL;

      if (!flow_graph_parse_endpoint (self->graph, sorted[i], feed, &why) || feed->slot == FLOW_SLOT_CONTROL)
        {
          if (feed->node == FLOW_NODE_NONE || feed->slot == FLOW_SLOT_CONTROL)
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "FeedInputs: unable to find feed output %s", sorted[i]);
          else
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "FeedInputs: %s should have output index < %u",
                         sorted[i], flow_graph_get_n_outputs (self->graph, feed->node));
          return FALSE;
        }
      text = flow_graph_endpoint_to_string (self->graph, feed->node, feed->slot);
      FLOW_REQUIRE (!g_hash_table_contains (self->feed_index, endpoint_key (feed)), error, INVALID_ARGUMENT,
                    "Endpoint \"%s\" fed more than once.", text);
      /* TF: what reads an op that was lowered reads its functions' ops from then on, and not what the op is fed as. */
      if (flow_graph_node_becomes_switches (self->graph, feed->node))
        g_hash_table_insert (self->feed_index, endpoint_key (feed), NULL);
      else
        g_hash_table_insert (self->feed_index, endpoint_key (feed), GUINT_TO_POINTER (i + 1));
      g_hash_table_insert (self->fed_nodes, GUINT_TO_POINTER (feed->node), GUINT_TO_POINTER (i + 1));
      self->ends.n_feeds++;
    }
  return TRUE;
}

static gboolean
parse_fetches (FlowPrune          *self,
               const char *const  *names,
               GError            **error)
{
  g_auto (GStrv) sorted = sorted_set (names);

  self->ends.fetches = g_new0 (FlowEndpoint, g_strv_length (sorted) + 1);
  for (guint i = 0; sorted[i] != NULL; i++)
    {
      FlowEndpoint *fetch = &self->ends.fetches[i];
      g_autoptr (GError) why = NULL;

      if (!flow_graph_parse_endpoint (self->graph, sorted[i], fetch, &why) || fetch->slot == FLOW_SLOT_CONTROL)
        {
          if (fetch->node == FLOW_NODE_NONE)
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "FetchOutputs node %s: not found", sorted[i]);
          else if (flow_graph_get_n_outputs (self->graph, fetch->node) == 0 || fetch->slot == FLOW_SLOT_CONTROL)
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                         "Tried to fetch data for '%s', which produces no output.  To run to a node but not fetch any data, "
                         "pass '%s' as an argument to the 'target_node_names' argument of the Session::Run API.",
                         sorted[i], sorted[i]);
          else
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                         "FetchOutputs %s: output index too large, must be < %u", sorted[i],
                         flow_graph_get_n_outputs (self->graph, fetch->node));
          return FALSE;
        }
      FLOW_REQUIRE (!g_hash_table_contains (self->feed_index, endpoint_key (fetch)), error, INVALID_ARGUMENT,
                    "%s is both fed and fetched.", sorted[i]);
      self->ends.n_fetches++;
    }
  return TRUE;
}

static gboolean
parse_targets (FlowPrune          *self,
               const char *const  *names,
               GError            **error)
{
  g_auto (GStrv) sorted = sorted_set (names);
  g_autoptr (GString) missing = g_string_new (NULL);

  self->ends.targets = g_new0 (guint32, g_strv_length (sorted) + 1);
  for (guint i = 0; sorted[i] != NULL; i++)
    {
      const char *name = sorted[i][0] == '^' ? sorted[i] + 1 : sorted[i];
      const char *colon = strrchr (name, ':');
      g_autofree char *plain = colon != NULL ? g_strndup (name, (gsize) (colon - name)) : g_strdup (name);
      guint32 node = flow_graph_find_node (self->graph, plain);

      if (node == FLOW_NODE_NONE)
        g_string_append_printf (missing, "%s ", sorted[i]);
      else
        self->ends.targets[self->ends.n_targets++] = node;
    }
  FLOW_REQUIRE (missing->len == 0, error, NOT_FOUND, "PruneForTargets: Some target nodes not found: %s", missing->str);
  return TRUE;
}

static int
feed_of (FlowPrune          *self,
         const FlowEndpoint *source)
{
  if (self->ends.n_feeds == 0)
    return -1;
  return GPOINTER_TO_INT (g_hash_table_lookup (self->feed_index, endpoint_key (source))) - 1;
}

/* TF: RewriteGraphForExecution moves out-going control edges to the feed for Placeholder(V2) only. */
static gboolean
control_moves_to_feed (FlowPrune *self,
                       guint32    source)
{
  return self->ends.n_feeds > 0 && g_hash_table_contains (self->fed_nodes, GUINT_TO_POINTER (source))
         && (flow_graph_get_node_flags (self->graph, source) & FLOW_OP_PLACEHOLDER) != 0;
}

static void
keep (FlowPrune *self,
      guint32    node,
      guint32    towards,
      GArray    *queue)
{
  if (self->kept[node])
    return;
  self->kept[node] = 1;
  self->towards[node] = towards;
  self->n_kept++;
  g_array_append_val (queue, node);
}

static gboolean
is_read (FlowPrune *self,
         guint32    node,
         guint      input)
{
  const FlowPruneReading *reading = flow_prune_get_reading (self, node);

  return reading == NULL || reading->inputs[input];
}

/* Backwards, nearest to the ends first, so that explanations are shortest chains. Whether any op is there whose
 * functions TensorFlow puts into the graph. */
static gboolean
reach (FlowPrune *self)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean has_control_flow = FALSE;

  memset (self->kept, 0, self->n_graph_nodes);
  self->n_kept = 0;
  for (guint i = 0; i < self->ends.n_fetches; i++)
    keep (self, self->ends.fetches[i].node, FLOW_NODE_NONE, queue);
  for (guint i = 0; i < self->ends.n_targets; i++)
    keep (self, self->ends.targets[i], FLOW_NODE_NONE, queue);
  for (guint at = 0; at < queue->len; at++)
    {
      guint32 node = g_array_index (queue, guint32, at);
      guint n_data;
      guint n_control;
      const FlowEndpoint *inputs = flow_graph_peek_inputs (self->graph, node, &n_data, &n_control);

      for (guint i = 0; i < n_data; i++)
        if (is_read (self, node, i) && feed_of (self, &inputs[i]) < 0)
          keep (self, inputs[i].node, node, queue);
      for (guint i = n_data; i < n_data + n_control; i++)
        if (!control_moves_to_feed (self, inputs[i].node))
          keep (self, inputs[i].node, node, queue);
      has_control_flow = has_control_flow || ((flow_graph_get_node_flags (self->graph, node) & FLOW_OP_FUNCTION) != 0
                                              && flow_graph_node_is_lowered (self->graph, node));
    }
  return has_control_flow;
}

/**
 * flow_prune_new:
 * @graph: a graph
 * @feeds: (array zero-terminated=1) (nullable): tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): tensors that are fetched
 * @targets: (array zero-terminated=1) (nullable): nodes to run without fetching
 * @error: where to put an error
 *
 * Finds what a run keeps. The order and repetition of names do not matter.
 *
 * Returns: (transfer full): the pruned subgraph; %NULL with %FLOW_ERROR_NOT_FOUND or
 *   %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words
 */
FlowPrune *
flow_prune_new (FlowGraph          *graph,
                const char *const  *feeds,
                const char *const  *fetches,
                const char *const  *targets,
                GError            **error)
{
  return flow_prune_new_of_body (graph, graph, feeds, fetches, targets, error);
}

/**
 * flow_prune_new_of_body: (skip)
 * @graph: a function's body
 * @library: (nullable): the graph that has the functions; %NULL: what calls functions is not lowered
 * @feeds: (array zero-terminated=1) (nullable): tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): tensors that are fetched
 * @targets: (array zero-terminated=1) (nullable): nodes to run without fetching
 * @error: where to put an error
 *
 * As flow_prune_new() for a graph that has not its functions.
 *
 * Returns: (transfer full): the pruned subgraph; %NULL as flow_prune_new()
 */
FlowPrune *
flow_prune_new_of_body (FlowGraph          *graph,
                        FlowGraph          *library,
                        const char *const  *feeds,
                        const char *const  *fetches,
                        const char *const  *targets,
                        GError            **error)
{
  g_autoptr (FlowPrune) self = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), NULL);

  self = g_new0 (FlowPrune, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->graph = g_object_ref (graph);
  self->feed_index = g_hash_table_new (NULL, NULL);
  self->fed_nodes = g_hash_table_new (NULL, NULL);
  if (!parse_feeds (self, feeds, error) || !parse_fetches (self, fetches, error)
      || !parse_targets (self, targets, error))
    return NULL;
  if (self->ends.n_fetches + self->ends.n_targets == 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.");
      return NULL;
    }
  self->n_graph_nodes = flow_graph_get_n_nodes (graph);
  self->kept = g_malloc0 (self->n_graph_nodes + 1);
  self->towards = g_new (guint32, self->n_graph_nodes + 1);
  if (reach (self) && library != NULL)
    {
      self->readings = _flow_prune_find_readings (self, library);
      reach (self);
    }
  return g_steal_pointer (&self);
}

/**
 * flow_prune_ref:
 * @self: a pruned subgraph
 *
 * Returns: (transfer full): @self
 */
FlowPrune *
flow_prune_ref (FlowPrune *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_prune_unref:
 * @self: (transfer full): a pruned subgraph
 */
void
flow_prune_unref (FlowPrune *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->feed_index);
  g_hash_table_unref (self->fed_nodes);
  g_free (self->ends.feeds);
  g_free (self->ends.fetches);
  g_free (self->ends.targets);
  g_free (self->kept);
  g_free (self->towards);
  g_clear_pointer (&self->readings, g_hash_table_unref);
  g_object_unref (self->graph);
  g_free (self);
}

/**
 * flow_prune_get_n_nodes:
 * @self: a pruned subgraph
 *
 * Returns: how many nodes it keeps
 */
guint
flow_prune_get_n_nodes (FlowPrune *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_kept;
}

/**
 * flow_prune_contains:
 * @self: a pruned subgraph
 * @node: index of a node
 *
 * Returns: whether the node is kept; nodes added to the graph later are not
 */
gboolean
flow_prune_contains (FlowPrune *self,
                     guint32    node)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return node < self->n_graph_nodes && self->kept[node];
}

/**
 * flow_prune_get_feed:
 * @self: a pruned subgraph
 * @node: index of a node
 * @input: which data input of it
 *
 * Returns: index of the feed that this input reads, in the sorted feeds; -1 if it reads its node;
 *   %FLOW_PRUNE_UNREAD if the node has no use for it
 */
int
flow_prune_get_feed (FlowPrune *self,
                     guint32    node,
                     guint      input)
{
  guint n_data;
  const FlowEndpoint *inputs;

  g_return_val_if_fail (self != NULL, -1);

  inputs = flow_graph_peek_inputs (self->graph, node, &n_data, NULL);
  g_return_val_if_fail (input < n_data, -1);
  if (!is_read (self, node, input))
    return FLOW_PRUNE_UNREAD;
  return feed_of (self, &inputs[input]);
}

/**
 * flow_prune_get_reading: (skip)
 * @self: a pruned subgraph
 * @node: index of a node
 *
 * Returns: (transfer none) (nullable): what is read of an op whose functions TensorFlow puts into the graph before it
 *   prunes; %NULL: all of it
 */
const FlowPruneReading *
flow_prune_get_reading (FlowPrune *self,
                        guint32    node)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->readings != NULL ? g_hash_table_lookup (self->readings, GUINT_TO_POINTER (node)) : NULL;
}

/**
 * flow_prune_control_is_fed:
 * @self: a pruned subgraph
 * @node: index of a node
 * @control_input: which control input of it
 *
 * Returns: whether that control edge comes from a fed placeholder and so waits for nothing
 */
gboolean
flow_prune_control_is_fed (FlowPrune *self,
                           guint32    node,
                           guint      control_input)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return control_moves_to_feed (self, flow_graph_get_control_input (self->graph, node, control_input));
}

/**
 * flow_prune_get_ends: (skip)
 * @self: a pruned subgraph
 *
 * Returns: (transfer none): its feeds, fetches and targets, each sorted by name
 */
const FlowPruneEnds *
flow_prune_get_ends (FlowPrune *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->ends;
}

/**
 * flow_prune_get_graph: (skip)
 * @self: a pruned subgraph
 *
 * Returns: (transfer none): the graph that it is of
 */
FlowGraph *
flow_prune_get_graph (FlowPrune *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->graph;
}

static char *
reason_out (FlowPrune *self,
            guint32    node)
{
  if (node < self->n_graph_nodes && g_hash_table_contains (self->fed_nodes, GUINT_TO_POINTER (node)))
    return g_strdup ("fed");
  return g_strdup ("not needed");
}

static char *
reason_in (FlowPrune *self,
           guint32    end)
{
  for (guint i = 0; i < self->ends.n_fetches; i++)
    if (self->ends.fetches[i].node == end)
      {
        g_autofree char *text = flow_graph_endpoint_to_string (self->graph, end, self->ends.fetches[i].slot);

        return g_strdup_printf ("needed by fetch %s", text);
      }
  return g_strdup_printf ("needed by target %s", flow_graph_get_node_name (self->graph, end));
}

/**
 * flow_prune_explain:
 * @self: a pruned subgraph
 * @node: index of a node
 * @is_in: (out): whether it is kept
 * @reason: (out) (transfer full): in words: "needed by fetch loss:0", "fed", "not needed"
 *
 * Returns: (transfer full) (array zero-terminated=1): names from the node along its consumers to the
 *   fetch or target that pulls it in; empty if it is out
 */
char **
flow_prune_explain (FlowPrune  *self,
                    guint32     node,
                    gboolean   *is_in,
                    char      **reason)
{
  GStrvBuilder *builder;
  char **chain;
  guint32 end = node;

  g_return_val_if_fail (self != NULL && is_in != NULL && reason != NULL, NULL);

  builder = g_strv_builder_new ();
  *is_in = flow_prune_contains (self, node);
  if (*is_in)
    {
      for (guint32 at = node; at != FLOW_NODE_NONE; at = self->towards[at])
        {
          g_strv_builder_add (builder, flow_graph_get_node_name (self->graph, at));
          end = at;
        }
      *reason = reason_in (self, end);
    }
  else
    *reason = reason_out (self, node);
  chain = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return chain;
}
