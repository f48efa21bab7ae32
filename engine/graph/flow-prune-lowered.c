/* flow-prune-lowered.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function.h"
#include "flow-prune-private.h"

/* What a run reads of If, Case and While, which TensorFlow lowers to Switch, Merge, Enter and the ops of their functions.
 * It does so before it prunes, so that of such an op only what leads to the outputs that are read is kept. Nothing is
 * lowered here: a function's body is looked at for which of its arguments an output needs. */

/* Functions that call themselves, or each other twice over, would be lowered without end. */
#define MAX_DEPTH 64
#define MAX_BODIES 4096

/* What is looked at once: @bodies by the attr that names the function, which lives as long as the graph or body that
 * it is of, and by "BODY:RET" which arguments the body needs for that. */
typedef struct {
  FlowGraph *library;
  GHashTable *bodies;
  GHashTable *args;
} Known;

/* The graph, or a body. */
typedef struct {
  Known *known;
  FlowGraph *graph;
  FlowPrune *prune;            /* nullable: nothing is fed in a body */
  guint depth;
  guint8 *kept;                /* by node */
  GHashTable *asked;           /* outputs of lowered ops that were asked for, each once */
  GHashTable *readings;        /* node -> FlowPruneReading, of lowered ops */
  GArray *queue;               /* of FlowEndpoint */
} Level;

/* Which functions an op has, by the attrs that name them. */
typedef enum {
  PLAIN,
  BRANCHES,
  LOOP,
} Kind;

static FlowAttr *
find_attr (FlowGraph    *graph,
           guint32       node,
           const char   *name,
           FlowAttrKind  kind)
{
  FlowAttr *attr = flow_attr_list_get (flow_graph_get_node_attrs (graph, node), name);

  return attr != NULL && flow_attr_get_kind (attr) == kind ? attr : NULL;
}

static FlowAttr *
find_func (FlowGraph  *graph,
           guint32     node,
           const char *name)
{
  FlowAttr *attr = find_attr (graph, node, name, FLOW_ATTR_FUNC);

  return attr != NULL && !flow_attr_is_list (attr) ? attr : NULL;
}

/**
 * flow_graph_node_is_lowered: (skip)
 * @graph: a graph
 * @node: index of one of its nodes
 *
 * Returns: whether the node asks to be lowered to Switch, Merge and the ops of its functions
 */
gboolean
flow_graph_node_is_lowered (FlowGraph *graph,
                            guint32    node)
{
  FlowAttr *attr = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), FALSE);

  attr = find_attr (graph, node, "_lower_using_switch_merge", FLOW_ATTR_BOOL);
  return attr != NULL && !flow_attr_is_list (attr) && flow_attr_get_bool (attr);
}

static Kind
kind_of_node (FlowGraph *graph,
              guint32    node)
{
  if ((flow_graph_get_node_flags (graph, node) & FLOW_OP_FUNCTION) == 0 || !flow_graph_node_is_lowered (graph, node))
    return PLAIN;
  if (find_func (graph, node, "cond") != NULL && find_func (graph, node, "body") != NULL)
    return LOOP;
  if (find_func (graph, node, "then_branch") != NULL && find_func (graph, node, "else_branch") != NULL)
    return BRANCHES;
  return find_attr (graph, node, "branches", FLOW_ATTR_FUNC) != NULL ? BRANCHES : PLAIN;
}

/**
 * flow_graph_node_becomes_switches: (skip)
 * @graph: a graph
 * @node: index of one of its nodes
 *
 * Returns: whether the node asks to be lowered and is one that can be: If, Case or While
 */
gboolean
flow_graph_node_becomes_switches (FlowGraph *graph,
                                  guint32    node)
{
  g_return_val_if_fail (FLOW_IS_GRAPH (graph), FALSE);

  return kind_of_node (graph, node) != PLAIN;
}

static Kind
kind_of (Level   *level,
         guint32  node)
{
  return level->depth > MAX_DEPTH ? PLAIN : kind_of_node (level->graph, node);
}

static void
want (Level        *level,
      FlowEndpoint  end)
{
  gint64 key = ((gint64) end.node << 32) | (guint32) end.slot;

  if (kind_of (level, end.node) != PLAIN)
    {
      if (g_hash_table_contains (level->asked, &key))
        return;
      g_hash_table_add (level->asked, g_memdup2 (&key, sizeof key));
    }
  else
    {
      if (level->kept[end.node])
        return;
      level->kept[end.node] = 1;
    }
  g_array_append_val (level->queue, end);
}

static void
want_input (Level   *level,
            guint32  node,
            guint    input)
{
  guint n_data = 0;
  const FlowEndpoint *inputs = flow_graph_peek_inputs (level->graph, node, &n_data, NULL);

  if (input < n_data && (level->prune == NULL || flow_prune_get_feed (level->prune, node, input) < 0))
    want (level, inputs[input]);
}

static FlowPruneReading *
reading_of (Level   *level,
            guint32  node)
{
  FlowPruneReading *reading = g_hash_table_lookup (level->readings, GUINT_TO_POINTER (node));
  const guint n_inputs = flow_graph_get_n_inputs (level->graph, node);

  if (reading != NULL)
    return reading;
  reading = g_new0 (FlowPruneReading, 1);
  reading->n_inputs = n_inputs;
  reading->inputs = g_new0 (guint8, n_inputs + 1);
  reading->n_rets = MAX (n_inputs, flow_graph_get_n_outputs (level->graph, node));
  reading->rets = g_new0 (guint8, reading->n_rets + 1);
  g_hash_table_insert (level->readings, GUINT_TO_POINTER (node), reading);
  return reading;
}

static void
reading_free (gpointer data)
{
  FlowPruneReading *reading = data;

  g_free (reading->inputs);
  g_free (reading->rets);
  g_free (reading);
}

/* An input of a lowered op. */
static void
read_input (Level   *level,
            guint32  node,
            guint    input)
{
  reading_of (level, node)->inputs[input] = 1;
  want_input (level, node, input);
}

static void
want_inputs (Level   *level,
             guint32  node)
{
  for (guint i = 0; i < flow_graph_get_n_inputs (level->graph, node); i++)
    want_input (level, node, i);
}

static void
want_controls (Level   *level,
               guint32  node)
{
  for (guint i = 0; i < flow_graph_get_n_control_inputs (level->graph, node); i++)
    if (level->prune == NULL || !flow_prune_control_is_fed (level->prune, node, i))
      want (level, (FlowEndpoint) { flow_graph_get_control_input (level->graph, node, i), FLOW_SLOT_CONTROL });
}

static void
level_init (Level     *level,
            Known     *known,
            FlowGraph *graph)
{
  level->known = known;
  level->graph = graph;
  level->kept = g_new0 (guint8, flow_graph_get_n_nodes (graph) + 1);
  level->asked = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  level->readings = g_hash_table_new_full (NULL, NULL, NULL, reading_free);
  level->queue = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
}

static void
level_clear (Level *level)
{
  g_clear_pointer (&level->kept, g_free);
  g_hash_table_unref (level->asked);
  g_hash_table_unref (level->readings);
  g_array_unref (level->queue);
}

static void reach (Level *level);

/* %NULL where the function cannot be made, or too many were. */
static FlowFunctionBody *
find_body (Known    *known,
           FlowAttr *func)
{
  FlowFunctionBody *body = g_hash_table_lookup (known->bodies, func);

  if (body != NULL || g_hash_table_size (known->bodies) >= MAX_BODIES)
    return body;
  body = flow_function_body_new (known->library, func, "body", NULL);
  if (body != NULL)
    g_hash_table_insert (known->bodies, func, body);
  return body;
}

/* By argument, 1 where the body needs it. */
static const guint8 *
find_needed (Level            *caller,
             FlowFunctionBody *body,
             gint32            ret)
{
  g_autofree char *key = g_strdup_printf ("%p:%d", (gpointer) body, ret);
  guint8 *needed = g_hash_table_lookup (caller->known->args, key);
  Level level = { .depth = caller->depth + 1 };

  if (needed != NULL)
    return needed;
  level_init (&level, caller->known, body->graph);
  if (ret != FLOW_SLOT_CONTROL && (guint) ret < body->n_rets)
    want (&level, body->rets[ret]);
  for (guint i = 0; ret == FLOW_SLOT_CONTROL && i < body->n_named; i++)
    want (&level, (FlowEndpoint) { body->effects[i], FLOW_SLOT_CONTROL });
  reach (&level);
  needed = g_new0 (guint8, body->n_args + 1);
  for (guint i = 0; i < body->n_args; i++)
    needed[i] = level.kept[body->args[i]];
  level_clear (&level);
  g_hash_table_insert (caller->known->args, g_steal_pointer (&key), needed);
  return needed;
}

/* Marks in @args the arguments that a function needs for what it returns as @ret, or for its effects where that is
 * FLOW_SLOT_CONTROL. */
static gboolean
find_args (Level    *caller,
           FlowAttr *func,
           gint32    ret,
           guint8   *args,
           guint     n_args)
{
  FlowFunctionBody *body = find_body (caller->known, func);
  const guint8 *needed = body != NULL ? find_needed (caller, body, ret) : NULL;

  for (guint i = 0; needed != NULL && i < MIN (body->n_args, n_args); i++)
    args[i] |= needed[i];
  return needed != NULL;
}

/* TF: a Merge of what the branches return, which Switches by the predicate lead to. */
static gboolean
reach_branches (Level        *level,
                FlowEndpoint  end)
{
  FlowAttr *list = find_attr (level->graph, end.node, "branches", FLOW_ATTR_FUNC);
  FlowAttr *both[] = { find_func (level->graph, end.node, "then_branch"), find_func (level->graph, end.node, "else_branch") };
  gsize n_branches = list != NULL ? flow_attr_get_length (list) : G_N_ELEMENTS (both);
  guint n_args = MAX (flow_graph_get_n_inputs (level->graph, end.node), 1) - 1;
  g_autofree guint8 *args = g_new0 (guint8, n_args + 1);

  for (gsize i = 0; i < n_branches; i++)
    if (!find_args (level, list != NULL ? flow_attr_get_item (list, i) : both[i], end.slot, args, n_args))
      return FALSE;
  if (end.slot == FLOW_SLOT_CONTROL)
    reading_of (level, end.node)->effects = TRUE;
  else
    reading_of (level, end.node)->rets[end.slot] = 1;
  read_input (level, end.node, 0);
  for (guint i = 0; i < n_args; i++)
    if (args[i])
      read_input (level, end.node, i + 1);
  return TRUE;
}

/* TF: a variable goes round by Enter, Merge, Switch and NextIteration if an output, the condition or the next value of
 * one that does needs it; the first always does, whose Switch the body waits for. What waits for the loop waits for
 * every Exit, and every NextIteration for the effects of the body. */
static gboolean
reach_loop (Level        *level,
            FlowEndpoint  end)
{
  FlowAttr *body = find_func (level->graph, end.node, "body");
  guint n = flow_graph_get_n_inputs (level->graph, end.node);
  g_autofree guint8 *live = g_new0 (guint8, n + 1);
  g_autofree guint8 *done = g_new0 (guint8, n + 1);
  gboolean again = TRUE;

  live[0] = 1;
  for (guint i = 0; i < n; i++)
    if (end.slot == FLOW_SLOT_CONTROL || i == (guint) end.slot)
      live[i] = 1;
  if (!find_args (level, find_func (level->graph, end.node, "cond"), 0, live, n)
      || !find_args (level, body, FLOW_SLOT_CONTROL, live, n))
    return FALSE;
  while (again)
    {
      again = FALSE;
      for (guint i = 0; i < n; i++)
        if (live[i] && !done[i])
          {
            done[i] = 1;
            again = TRUE;
            if (!find_args (level, body, (gint32) i, live, n))
              return FALSE;
          }
    }
  reading_of (level, end.node)->effects = TRUE;
  for (guint i = 0; i < n; i++)
    if (live[i])
      {
        reading_of (level, end.node)->rets[i] = 1;
        read_input (level, end.node, i);
      }
  return TRUE;
}

static void
read_whole (Level   *level,
            guint32  node)
{
  FlowPruneReading *reading = reading_of (level, node);

  memset (reading->inputs, 1, reading->n_inputs);
  memset (reading->rets, 1, reading->n_rets);
  reading->effects = TRUE;
}

static void
reach (Level *level)
{
  for (guint at = 0; at < level->queue->len; at++)
    {
      FlowEndpoint end = g_array_index (level->queue, FlowEndpoint, at);
      Kind kind = kind_of (level, end.node);

      want_controls (level, end.node);
      if (kind != PLAIN && (kind == LOOP ? reach_loop (level, end) : reach_branches (level, end)))
        continue;
      /* A function that is not there is what the run will fail with. */
      if (kind != PLAIN)
        read_whole (level, end.node);
      want_inputs (level, end.node);
    }
}

/* TF: in a graph that is run, what gives all outputs of a lowered op together stands under its name; in a body there is
 * only what leads to each of them. */
static void
want_end (Level         *level,
          FlowEndpoint   end)
{
  if (level->graph != level->known->library)
    {
      want (level, end);
      return;
    }
  want (level, (FlowEndpoint) { end.node, FLOW_SLOT_CONTROL });
  for (guint i = 0; i < flow_graph_get_n_outputs (level->graph, end.node); i++)
    want (level, (FlowEndpoint) { end.node, (gint32) i });
}

static gboolean
is_whole (gpointer node,
          gpointer value,
          gpointer data)
{
  const FlowPruneReading *reading = value;

  return reading->effects && memchr (reading->inputs, 0, reading->n_inputs) == NULL
         && memchr (reading->rets, 0, reading->n_rets) == NULL;
}

/* By node, of the lowered ops that are read in part; costs a look at each function for each output. */
GHashTable *
_flow_prune_find_readings (FlowPrune *self,
                           FlowGraph *library)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (self);
  Known known = { .library = library };
  Level level = { .prune = self };
  GHashTable *readings = NULL;

  known.bodies = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) flow_function_body_unref);
  known.args = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  level_init (&level, &known, flow_prune_get_graph (self));
  for (guint i = 0; i < ends->n_fetches; i++)
    want_end (&level, ends->fetches[i]);
  for (guint i = 0; i < ends->n_targets; i++)
    want_end (&level, (FlowEndpoint) { ends->targets[i], FLOW_SLOT_CONTROL });
  reach (&level);
  g_hash_table_foreach_remove (level.readings, is_whole, NULL);
  readings = g_hash_table_ref (level.readings);
  level_clear (&level);
  g_hash_table_unref (known.args);
  g_hash_table_unref (known.bodies);
  return readings;
}

/**
 * flow_prune_find_kept_after_lowering: (skip)
 * @self: a pruned subgraph
 *
 * Which nodes TensorFlow keeps, who lowers functional control flow before it prunes: not the ops that are lowered, but
 * where they are fetched or targets.
 *
 * Returns: (transfer full): for each node of the graph, 1 if it is kept
 */
guint8 *
flow_prune_find_kept_after_lowering (FlowPrune *self)
{
  const FlowPruneEnds *ends = NULL;
  FlowGraph *graph = NULL;
  Level level = { 0 };
  guint8 *kept = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  ends = flow_prune_get_ends (self);
  graph = flow_prune_get_graph (self);
  level.graph = graph;
  kept = g_new0 (guint8, flow_graph_get_n_nodes (graph) + 1);
  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    kept[node] = flow_prune_contains (self, node) && kind_of (&level, node) == PLAIN;
  for (guint i = 0; i < ends->n_fetches; i++)
    kept[ends->fetches[i].node] = 1;
  for (guint i = 0; i < ends->n_targets; i++)
    kept[ends->targets[i]] = 1;
  return kept;
}
