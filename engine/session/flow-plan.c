/* flow-plan.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plan-private.h"

#include "flow-util.h"

#include <string.h>

G_DEFINE_BOXED_TYPE (FlowPlan, flow_plan, flow_plan_ref, flow_plan_unref)

/**
 * flow_plan_ref:
 * @self: a plan
 *
 * Returns: (transfer full): @self
 */
FlowPlan *
flow_plan_ref (FlowPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_plan_unref:
 * @self: (transfer full): a plan
 */
void
flow_plan_unref (FlowPlan *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->n_frames; i++)
    {
      g_free (self->frames[i].name);
      g_free (self->frames[i].items);
      g_free (self->frames[i].pending);
      g_free (self->frames[i].ahead);
    }
  g_free (self->frames);
  g_free (self->items);
  g_free (self->inputs);
  g_free (self->outs);
  g_free (self->item_of_node);
  g_strfreev (self->feed_names);
  g_clear_pointer (&self->races, g_array_unref);
  g_clear_pointer (&self->visits, g_hash_table_unref);
  g_clear_pointer (&self->prune, flow_prune_unref);
  g_clear_object (&self->graph);
  g_free (self);
}

/* Items in the order of the graph's nodes, with the inputs that pruning left. Ordering permutes them
 * afterwards. */
static void
collect_items (FlowPlan      *self,
               const guint32 *twins)
{
  guint n_inputs = 0;
  guint item = 0;

  self->n_graph_nodes = flow_graph_get_n_nodes (self->graph);
  self->item_of_node = g_new (guint32, MAX (self->n_graph_nodes, 1));
  self->n_items = flow_prune_get_n_nodes (self->prune);
  self->items = g_new0 (FlowPlanItem, MAX (self->n_items, 1));
  for (guint32 node = 0; node < self->n_graph_nodes; node++)
    {
      FlowPlanItem *it = NULL;

      self->item_of_node[node] = FLOW_PLAN_ITEM_NONE;
      if (item >= self->n_items || !flow_prune_contains (self->prune, node))
        continue;
      if (twins != NULL && twins[node] != node)
        {
          self->item_of_node[node] = self->item_of_node[twins[node]];
          continue;
        }
      it = &self->items[item];
      it->node = node;
      it->flags = flow_graph_get_node_flags (self->graph, node);
      it->n_inputs = flow_graph_get_n_inputs (self->graph, node);
      it->n_outputs = flow_graph_get_n_outputs (self->graph, node);
      it->reading = flow_prune_get_reading (self->prune, node);
      it->scope = flow_graph_get_node_scope (self->graph, node);
      it->child_frame = FLOW_PLAN_ITEM_NONE;
      n_inputs += it->n_inputs;
      self->item_of_node[node] = item++;
    }
  self->n_items = item;
  self->n_inputs = n_inputs;
}

/* Input and output tables, for items in their final order. */
static void
connect_items (FlowPlan *self)
{
  guint n_outs = 0;
  guint next_input = 0;
  g_autofree guint *filled = g_new0 (guint, MAX (self->n_items, 1));

  self->inputs = g_new0 (FlowPlanInput, MAX (self->n_inputs, 1));
  for (guint i = 0; i < self->n_items; i++)
    self->items[i].n_outs = 0;
  for (guint i = 0; i < self->n_items; i++)
    {
      FlowPlanItem *it = &self->items[i];
      guint n_data = 0;
      guint n_control = 0;
      const FlowEndpoint *sources = flow_graph_peek_inputs (self->graph, it->node, &n_data, &n_control);

      it->first_input = next_input;
      next_input += it->n_inputs;
      it->n_control = 0;
      for (guint j = 0; j < n_data; j++)
        {
          FlowPlanInput *input = &self->inputs[it->first_input + j];

          input->feed = flow_prune_get_feed (self->prune, it->node, j);
          input->slot = sources[j].slot;
          input->item = self->item_of_node[sources[j].node];
          if (input->feed < 0 && input->item != FLOW_PLAN_ITEM_NONE)
            {
              self->items[input->item].n_outs++;
              n_outs++;
            }
        }
      for (guint j = 0; j < n_control; j++)
        if (!flow_prune_control_is_fed (self->prune, it->node, j)
            && self->item_of_node[sources[n_data + j].node] != FLOW_PLAN_ITEM_NONE)
          {
            it->n_control++;
            self->items[self->item_of_node[sources[n_data + j].node]].n_outs++;
            n_outs++;
          }
    }
  self->n_outs = n_outs;
  self->outs = g_new0 (FlowPlanOut, MAX (n_outs, 1));
  for (guint i = 0, next = 0; i < self->n_items; next += self->items[i].n_outs, i++)
    self->items[i].first_out = next;
  for (guint i = 0; i < self->n_items; i++)
    {
      FlowPlanItem *it = &self->items[i];
      guint n_data = 0;
      guint n_control = 0;
      const FlowEndpoint *sources = flow_graph_peek_inputs (self->graph, it->node, &n_data, &n_control);

      for (guint j = 0; j < n_data + n_control; j++)
        {
          guint32 source = self->item_of_node[sources[j].node];
          FlowPlanOut *out = NULL;

          if (source == FLOW_PLAN_ITEM_NONE
              || (j < n_data && self->inputs[it->first_input + j].feed >= 0)
              || (j >= n_data && flow_prune_control_is_fed (self->prune, it->node, j - n_data)))
            continue;
          out = &self->outs[self->items[source].first_out + filled[source]++];
          out->slot = j < n_data ? sources[j].slot : FLOW_SLOT_CONTROL;
          out->item = i;
          out->input = j < n_data ? (gint32) j : FLOW_SLOT_CONTROL;
        }
    }
}

static gboolean
arrange (FlowPlan       *self,
         const guint32  *twins,
         GError        **error)
{
  if (!_flow_plan_order_items (self, error))
    return FALSE;
  /* Ordering gave the items new places. */
  for (guint32 node = 0; twins != NULL && node < self->n_graph_nodes; node++)
    if (twins[node] != node)
      self->item_of_node[node] = self->item_of_node[twins[node]];
  g_clear_pointer (&self->inputs, g_free);
  g_clear_pointer (&self->outs, g_free);
  connect_items (self);
  return TRUE;
}

/* TF: a fed reference gives a plain tensor, which an op that wants the reference cannot take. */
static gboolean
check_fed_references (FlowPlan *self,
                      GError  **error)
{
  for (guint i = 0; i < self->n_items; i++)
    for (guint j = 0; j < self->items[i].n_inputs; j++)
      {
        const FlowPlanInput *input = &self->inputs[self->items[i].first_input + j];
        guint32 node = self->items[i].node;
        int dtype = flow_graph_get_input_dtype (self->graph, node, j);
        g_autofree char *fed_name = NULL;
        FlowEndpoint source = { 0 };

        if (input->feed < 0 || !flow_dtype_is_ref (dtype))
          continue;
        flow_graph_get_input (self->graph, node, j, &source);
        fed_name = g_strdup_printf ("_arg_%s_%d_%d", flow_graph_get_node_name (self->graph, source.node),
                                    source.slot, input->feed);
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                     "Input %u of node %s was passed %s from %s:0 incompatible with expected %s.", j,
                     flow_graph_get_node_name (self->graph, node), flow_dtype_string (flow_dtype_base (dtype)),
                     fed_name, flow_dtype_string (dtype));
        return FALSE;
      }
  return TRUE;
}

static void
name_feeds (FlowPlan *self)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (self->prune);

  self->feed_names = g_new0 (char *, ends->n_feeds + 1);
  for (guint i = 0; i < ends->n_feeds; i++)
    self->feed_names[i] = flow_graph_endpoint_to_string (self->graph, ends->feeds[i].node, ends->feeds[i].slot);
}

/* TF: an edge whose ends disagree is found when the pruned graph is built; a loop's back edge is the one
 * that can. */
static gboolean
check_edges (FlowPlan *self,
             GError  **error)
{
  for (guint i = 0; i < self->n_items; i++)
    for (guint j = 0; j < self->items[i].n_inputs; j++)
      {
        const FlowPlanInput *input = &self->inputs[self->items[i].first_input + j];
        guint32 node = self->items[i].node;
        int wanted = flow_graph_get_input_dtype (self->graph, node, j);
        guint32 source = input->item != FLOW_PLAN_ITEM_NONE ? self->items[input->item].node : FLOW_NODE_NONE;
        int given = FLOW_DTYPE_INVALID;

        if (input->feed >= 0 || source == FLOW_NODE_NONE || input->slot < 0
            || (guint) input->slot >= flow_graph_get_n_outputs (self->graph, source))
          continue;
        given = flow_graph_get_output_dtype (self->graph, source, (guint) input->slot);
        if (given == FLOW_DTYPE_INVALID || wanted == FLOW_DTYPE_INVALID || given == wanted
            || (given == wanted + FLOW_DTYPE_REF && !flow_dtype_is_ref (wanted)))
          continue;
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                     "Input %u of node %s was passed %s from %s:%d incompatible with expected %s.", j,
                     flow_graph_get_node_name (self->graph, node), flow_dtype_string (given),
                     flow_graph_get_node_name (self->graph, source), input->slot, flow_dtype_string (wanted));
        return FALSE;
      }
  return TRUE;
}

gboolean
_flow_plan_may_write (FlowPlan *self,
                      guint     item)
{
  static const guint32 passes_on = FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION;

  if ((self->items[item].flags & passes_on) != 0)
    return FALSE;
  for (guint j = 0; j < self->items[item].n_inputs; j++)
    if (flow_dtype_is_ref (flow_graph_get_input_dtype (self->graph, self->items[item].node, j)))
      return TRUE;
  return FALSE;
}

/* Marks what comes after a write of a reference variable, by an edge or as TensorFlow begins it. */
static void
mark_after_writes (FlowPlan *self)
{
  g_autoptr(GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < self->n_items; i++)
    if (_flow_plan_may_write (self, i))
      g_array_append_val (queue, i);
  for (guint at = 0; at < queue->len; at++)
    {
      const FlowPlanItem *from = &self->items[g_array_index (queue, guint32, at)];

      for (guint j = 0; j < from->n_outs; j++)
        {
          guint32 to = self->outs[from->first_out + j].item;

          if (self->items[to].after_write)
            continue;
          self->items[to].after_write = TRUE;
          g_array_append_val (queue, to);
        }
    }
  for (guint i = 0; self->races != NULL && i < self->races->len; i++)
    {
      const FlowPlanRace *race = &g_array_index (self->races, FlowPlanRace, i);

      if (race->is_write)
        self->items[self->item_of_node[race->waits]].after_write = TRUE;
    }
}

/* What gives another value from one time to the next, or none at all. */
#define NOT_CONSTANT (FLOW_OP_STATEFUL | FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION \
                      | FLOW_OP_OUTSIDE_EFFECT | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT)

/* TF: constants, and what is computed of nothing else, are constants. */
static gboolean
is_constant (FlowPlan     *self,
             guint         i,
             const guint8 *constants)
{
  const FlowPlanItem *item = &self->items[i];

  if (item->n_inputs == 0)
    return g_str_equal (flow_graph_get_node_type (self->graph, item->node), "Const");
  for (guint j = 0; j < item->n_inputs; j++)
    {
      const FlowPlanInput *input = &self->inputs[item->first_input + j];

      if (input->feed >= 0 || input->item == FLOW_PLAN_ITEM_NONE || !constants[input->item])
        return FALSE;
    }
  return (item->flags & NOT_CONSTANT) == 0;
}

/* Marks the divisions that a session may make multiplications (flow_session_multiply_by_reciprocals()). TF: what is constant
 * as a whole has been computed before that, as it was written. */
static void
mark_constant_divisors (FlowPlan *self)
{
  static const char *const divisions[] = { "RealDiv", "Div", NULL };
  g_autofree guint8 *constants = g_new0 (guint8, MAX (self->n_items, 1));

  for (guint i = 0; i < self->n_items; i++)
    {
      FlowPlanItem *item = &self->items[i];
      const FlowPlanInput *divisor = NULL;

      constants[i] = is_constant (self, i, constants);
      if (item->n_inputs != 2 || constants[i])
        continue;
      divisor = &self->inputs[item->first_input + 1];
      item->by_constant = divisor->feed < 0 && divisor->item != FLOW_PLAN_ITEM_NONE && constants[divisor->item]
                          && g_strv_contains (divisions, flow_graph_get_node_type (self->graph, item->node));
    }
}

/* A visit is a stretch of consecutive items inside a scope. */
static void
count_visits (FlowPlan *self)
{
  self->visits = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < self->n_items; i++)
    {
      guint32 before = i > 0 ? self->items[i - 1].scope : FLOW_SCOPE_NONE;
      guint32 scope = self->items[i].scope;

      /* Opened here: every scope on the path that the item before was not in. */
      for (; scope != FLOW_SCOPE_NONE; scope = flow_graph_get_scope_parent (self->graph, scope))
        {
          GArray *starts = NULL;
          guint32 s = before;

          while (s != FLOW_SCOPE_NONE
                 && flow_graph_get_scope_depth (self->graph, s) > flow_graph_get_scope_depth (self->graph, scope))
            s = flow_graph_get_scope_parent (self->graph, s);
          if (s == scope)
            break;
          starts = g_hash_table_lookup (self->visits, GUINT_TO_POINTER (scope));
          if (starts == NULL)
            {
              starts = g_array_new (FALSE, FALSE, sizeof (guint32));
              g_hash_table_insert (self->visits, GUINT_TO_POINTER (scope), starts);
            }
          g_array_append_val (starts, i);
        }
    }
}

static FlowPlan *
make_plan (FlowGraph         *graph,
           FlowGraph         *library,
           const char *const *feeds,
           const char *const *fetches,
           const char *const *targets,
           gboolean           merged,
           GError           **error)
{
  g_autoptr(FlowPlan) self = NULL;
  g_autoptr(FlowPrune) prune = NULL;
  g_autofree guint32 *twins = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), NULL);

  prune = flow_prune_new_of_body (graph, library, feeds, fetches, targets, error);
  if (prune == NULL)
    return NULL;
  self = g_new0 (FlowPlan, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->graph = g_object_ref (graph);
  self->prune = g_steal_pointer (&prune);
  twins = merged ? _flow_plan_find_twins (graph, self->prune) : NULL;
  collect_items (self, twins);
  if (!arrange (self, twins, error))
    return NULL;
  self->races = _flow_plan_find_races (self);
  if (self->races != NULL && !arrange (self, twins, NULL))
    {
      g_clear_pointer (&self->races, g_array_unref);
      if (!arrange (self, twins, error))
        return NULL;
    }
  name_feeds (self);
  if (!check_fed_references (self, error) || !check_edges (self, error))
    return NULL;
  if (!_flow_plan_find_frames (self, error))
    return NULL;
  _flow_plan_find_ahead (self);
  mark_after_writes (self);
  mark_constant_divisors (self);
  count_visits (self);
  return g_steal_pointer (&self);
}

/**
 * flow_plan_new:
 * @graph: a graph
 * @feeds: (array zero-terminated=1) (nullable): names of the tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): names of the tensors wanted
 * @targets: (array zero-terminated=1) (nullable): names of ops to run
 * @error: return location
 *
 * Prunes and orders. The graph may grow afterwards; the plan does not see it.
 *
 * Sets `FLOW_ERROR_INVALID_ARGUMENT` or `FLOW_ERROR_NOT_FOUND` in TensorFlow's words.
 *
 * Returns: (transfer full): the plan, %NULL on error
 */
FlowPlan *
flow_plan_new (FlowGraph         *graph,
               const char *const *feeds,
               const char *const *fetches,
               const char *const *targets,
               GError           **error)
{
  return make_plan (graph, graph, feeds, fetches, targets, FALSE, error);
}

/**
 * flow_plan_new_merged:
 * @graph: a graph
 * @feeds: (array zero-terminated=1) (nullable): names of the tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): names of the tensors wanted
 * @targets: (array zero-terminated=1) (nullable): names of ops to run
 * @error: return location
 *
 * As flow_plan_new(), but of nodes that compute the same thing one executes for all, as TensorFlow's common
 * subexpression elimination has it.
 *
 * Returns: (transfer full): the plan, %NULL on error
 */
FlowPlan *
flow_plan_new_merged (FlowGraph         *graph,
                      const char *const *feeds,
                      const char *const *fetches,
                      const char *const *targets,
                      GError           **error)
{
  return make_plan (graph, graph, feeds, fetches, targets, TRUE, error);
}

/* Of a function's body; without @library what calls functions in it is not lowered. */
FlowPlan *
_flow_plan_new_of_body (FlowGraph         *graph,
                        FlowGraph         *library,
                        const char *const *feeds,
                        const char *const *fetches,
                        const char *const *targets,
                        GError           **error)
{
  return make_plan (graph, library, feeds, fetches, targets, FALSE, error);
}

/**
 * flow_plan_get_graph:
 * @self: a plan
 *
 * Returns: (transfer none): its graph
 */
FlowGraph *
flow_plan_get_graph (FlowPlan *self)
{
  return self->graph;
}

/**
 * flow_plan_get_prune:
 * @self: a plan
 *
 * Returns: (transfer none): what pruning said
 */
FlowPrune *
flow_plan_get_prune (FlowPlan *self)
{
  return self->prune;
}

/**
 * flow_plan_get_n_items:
 * @self: a plan
 *
 * Returns: number of nodes that the run executes at most once outside loops
 */
guint
flow_plan_get_n_items (FlowPlan *self)
{
  return self->n_items;
}

/**
 * flow_plan_get_node:
 * @self: a plan
 * @item: index in the order
 *
 * Returns: the node
 */
guint32
flow_plan_get_node (FlowPlan *self,
                    guint     item)
{
  g_return_val_if_fail (item < self->n_items, FLOW_NODE_NONE);

  return self->items[item].node;
}

/**
 * flow_plan_find_item:
 * @self: a plan
 * @node: a node of the graph
 *
 * Returns: its index in the order, %FLOW_PLAN_ITEM_NONE when it is not in the plan
 */
guint32
flow_plan_find_item (FlowPlan *self,
                     guint32   node)
{
  return node < self->n_graph_nodes ? self->item_of_node[node] : FLOW_PLAN_ITEM_NONE;
}

/**
 * flow_plan_get_visit:
 * @self: a plan
 * @item: index in the order
 * @scope: a scope that the item's node is in
 * @n_visits: (out) (optional): how often the order comes into @scope
 *
 * Returns: which visit of @scope the item belongs to, counted from 1; 0 if it is not inside
 */
guint
flow_plan_get_visit (FlowPlan *self,
                     guint     item,
                     guint32   scope,
                     guint    *n_visits)
{
  GArray *starts = g_hash_table_lookup (self->visits, GUINT_TO_POINTER (scope));
  guint low = 0;
  guint high = starts != NULL ? starts->len : 0;

  if (n_visits != NULL)
    *n_visits = high;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (starts, guint32, middle) <= item)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * flow_plan_get_feed:
 * @self: a plan
 * @i: index of a feed in TensorFlow's numbering (sorted by name)
 *
 * Returns: (transfer none) (nullable): the name of the tensor fed, %NULL beyond the last
 */
const char *
flow_plan_get_feed (FlowPlan *self,
                    guint     i)
{
  return i < g_strv_length (self->feed_names) ? self->feed_names[i] : NULL;
}

/**
 * flow_plan_has_loops:
 * @self: a plan
 *
 * Returns: whether nodes may execute more than once
 */
gboolean
flow_plan_has_loops (FlowPlan *self)
{
  return self->n_frames > 1;
}

static void
append_sorted (GString           *key,
               const char *const *names)
{
  guint n = names != NULL ? g_strv_length ((char **) names) : 0;
  g_autofree const char **sorted = g_new (const char *, n + 1);

  for (guint i = 0; i < n; i++)
    sorted[i] = names[i];
  qsort (sorted, n, sizeof (char *), flow_compare_texts);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (key, "%s%s", i > 0 ? "," : "", sorted[i]);
}

/**
 * flow_plan_make_key:
 * @feeds: (array zero-terminated=1) (nullable): names of the tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): names of the tensors wanted
 * @targets: (array zero-terminated=1) (nullable): names of ops to run
 *
 * TensorFlow's key of an executor: the three sets, sorted.
 *
 * Returns: (transfer full): equal for runs that execute the same
 */
char *
flow_plan_make_key (const char *const *feeds,
                    const char *const *fetches,
                    const char *const *targets)
{
  GString *key = g_string_new (NULL);

  append_sorted (key, feeds);
  g_string_append (key, "->");
  append_sorted (key, fetches);
  g_string_append_c (key, '/');
  append_sorted (key, targets);
  return g_string_free (key, FALSE);
}
