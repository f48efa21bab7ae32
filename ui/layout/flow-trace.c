/* flow-trace.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-trace.h"

#include <string.h>

/* Who reads whom, from the producer's side. */
typedef struct {
  guint n;
  guint32 *first;                /* n + 1 */
  guint32 *target;
} Consumers;

/* An edge that goes back to where a loop begins. */
static gboolean
closes_loop (FlowGraph *graph,
             guint32    from,
             guint32    to)
{
  const char *type = flow_graph_get_node_type (graph, from);

  return (strcmp (type, "NextIteration") == 0 || strcmp (type, "RefNextIteration") == 0)
         && g_str_has_suffix (flow_graph_get_node_type (graph, to), "Merge");
}

static void
count_or_add (FlowGraph *graph,
              Consumers *self,
              guint32   *at)
{
  for (guint32 node = 0; node < self->n; node++)
    {
      guint n_data = 0;
      guint n_control = 0;
      const FlowEndpoint *inputs = flow_graph_peek_inputs (graph, node, &n_data, &n_control);

      for (guint i = 0; i < n_data + n_control; i++)
        {
          if (inputs[i].node >= self->n || closes_loop (graph, inputs[i].node, node))
            continue;
          if (at == NULL)
            self->first[inputs[i].node + 1]++;
          else
            self->target[at[inputs[i].node]++] = node;
        }
    }
}

static void
consumers_init (Consumers *self,
                FlowGraph *graph)
{
  g_autofree guint32 *at = NULL;

  self->n = flow_graph_get_n_nodes (graph);
  self->first = g_new0 (guint32, (gsize) self->n + 2);
  count_or_add (graph, self, NULL);
  for (guint32 i = 0; i < self->n; i++)
    self->first[i + 1] += self->first[i];
  self->target = g_new (guint32, (gsize) self->first[self->n] + 1);
  at = g_memdup2 (self->first, sizeof *self->first * ((gsize) self->n + 1));
  count_or_add (graph, self, at);
}

static void
consumers_clear (Consumers *self)
{
  g_free (self->first);
  g_free (self->target);
}

/* How many edges each node is away, breadth first; G_MAXUINT32: it is not reached. */
static guint32 *
measure (FlowGraph          *graph,
         const Consumers    *consumers,
         guint32             node,
         FlowTraceDirection  direction,
         guint               depth)
{
  guint32 *distance = g_new (guint32, (gsize) consumers->n + 1);
  g_autofree guint32 *queue = g_new (guint32, (gsize) consumers->n + 1);
  guint head = 0;
  guint tail = 0;

  memset (distance, 0xff, sizeof *distance * ((gsize) consumers->n + 1));
  distance[node] = 0;
  queue[tail++] = node;
  while (head < tail)
    {
      guint32 at = queue[head++];
      guint n_data = 0;
      guint n_control = 0;
      const FlowEndpoint *inputs = flow_graph_peek_inputs (graph, at, &n_data, &n_control);
      guint n = direction == FLOW_TRACE_ANCESTORS ? n_data + n_control
                : consumers->first[at + 1] - consumers->first[at];

      for (guint i = 0; i < n && distance[at] < depth; i++)
        {
          guint32 next = direction == FLOW_TRACE_ANCESTORS ? inputs[i].node
                         : consumers->target[consumers->first[at] + i];

          if (next >= consumers->n || distance[next] != G_MAXUINT32
              || (direction == FLOW_TRACE_ANCESTORS && closes_loop (graph, next, at)))
            continue;
          distance[next] = distance[at] + 1;
          queue[tail++] = next;
        }
    }
  return distance;
}

/**
 * flow_trace_reach:
 * @depth: how many edges away at most; 0: any number
 *
 * Returns: (transfer full): a byte per node, 1 for @node and what is reached from it
 */
guint8 *
flow_trace_reach (FlowGraph          *graph,
                  guint32             node,
                  FlowTraceDirection  direction,
                  guint               depth)
{
  Consumers consumers;
  guint8 *is_on = NULL;
  g_autofree guint32 *distance = NULL;

  consumers_init (&consumers, graph);
  is_on = g_malloc0 ((gsize) consumers.n + 1);
  if (node < consumers.n)
    {
      distance = measure (graph, &consumers, node, direction, depth > 0 ? depth : G_MAXUINT32);
      for (guint32 i = 0; i < consumers.n; i++)
        is_on[i] = distance[i] != G_MAXUINT32;
    }
  consumers_clear (&consumers);
  return is_on;
}

/* --- paths ---------------------------------------------------------------------------------------- */

/* The ops on the paths such that every one stands behind what it reads. */
static GArray *
sort_on_path (const FlowPaths *self,
              FlowGraph       *graph,
              const Consumers *consumers,
              guint32          from)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *waits_for = g_new0 (guint32, (gsize) consumers->n + 1);

  for (guint32 node = 0; node < consumers->n; node++)
    for (guint32 k = consumers->first[node]; self->is_on[node] && k < consumers->first[node + 1]; k++)
      waits_for[consumers->target[k]]++;
  g_array_append_val (order, from);
  for (guint i = 0; i < order->len; i++)
    {
      guint32 node = g_array_index (order, guint32, i);

      for (guint32 k = consumers->first[node]; k < consumers->first[node + 1]; k++)
        {
          guint32 next = consumers->target[k];

          if (self->is_on[next] && --waits_for[next] == 0)
            g_array_append_val (order, next);
        }
    }
  return order;
}

/* An op that no edge passes by, in the order above, is on every path. */
static void
find_through (FlowPaths       *self,
              FlowGraph       *graph,
              const Consumers *consumers,
              guint32          from)
{
  g_autoptr(GArray) order = sort_on_path (self, graph, consumers, from);
  g_autofree guint32 *place = g_new0 (guint32, (gsize) consumers->n + 1);
  guint32 reach = 0;

  for (guint i = 0; i < order->len; i++)
    place[g_array_index (order, guint32, i)] = i;
  for (guint i = 0; i < order->len; i++)
    {
      guint32 node = g_array_index (order, guint32, i);

      if (i > 0 && i + 1 < order->len && reach <= i)
        g_array_append_val (self->through, node);
      for (guint32 k = consumers->first[node]; k < consumers->first[node + 1]; k++)
        if (self->is_on[consumers->target[k]])
          reach = MAX (reach, place[consumers->target[k]]);
    }
}

static void
find_shortest (FlowPaths       *self,
               const Consumers *consumers,
               const guint32   *to_end,
               guint32          from)
{
  guint32 at = from;

  g_array_append_val (self->shortest, at);
  while (to_end[at] > 0)
    {
      guint32 next = at;

      for (guint32 k = consumers->first[at]; k < consumers->first[at + 1] && next == at; k++)
        if (to_end[consumers->target[k]] != G_MAXUINT32 && to_end[consumers->target[k]] + 1 == to_end[at])
          next = consumers->target[k];
      if (next == at)
        return;
      at = next;
      g_array_append_val (self->shortest, at);
    }
}

/**
 * flow_paths_new:
 * @from: where they begin
 * @to: where they end
 *
 * Returns: (transfer full): all that lies on a path along the edges; nothing where there is none
 */
FlowPaths *
flow_paths_new (FlowGraph *graph,
                guint32    from,
                guint32    to)
{
  FlowPaths *self = g_new0 (FlowPaths, 1);
  g_autofree guint32 *down = NULL;
  g_autofree guint32 *up = NULL;
  Consumers consumers;

  consumers_init (&consumers, graph);
  self->is_on = g_malloc0 ((gsize) consumers.n + 1);
  self->shortest = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->through = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (from < consumers.n && to < consumers.n)
    {
      down = measure (graph, &consumers, from, FLOW_TRACE_DESCENDANTS, G_MAXUINT32);
      up = measure (graph, &consumers, to, FLOW_TRACE_ANCESTORS, G_MAXUINT32);
      for (guint32 i = 0; i < consumers.n; i++)
        {
          self->is_on[i] = down[i] != G_MAXUINT32 && up[i] != G_MAXUINT32;
          self->n_on += self->is_on[i];
        }
      if (self->n_on > 0)
        {
          find_shortest (self, &consumers, up, from);
          find_through (self, graph, &consumers, from);
        }
    }
  consumers_clear (&consumers);
  return self;
}

void
flow_paths_free (FlowPaths *self)
{
  if (self == NULL)
    return;
  g_free (self->is_on);
  g_array_unref (self->shortest);
  g_array_unref (self->through);
  g_free (self);
}

/* --- gradients ------------------------------------------------------------------------------------ */

/* `gradients`, `gradients_2`: what tf.gradients calls its scope. */
static gboolean
is_gradients (const char *part,
              gsize       length)
{
  static const char name[] = "gradients";
  gsize n = sizeof name - 1;

  if (length < n || strncmp (part, name, n) != 0)
    return FALSE;
  if (length == n)
    return TRUE;
  return part[n] == '_' && length > n + 1 && strspn (part + n + 1, "0123456789") >= length - n - 1;
}

/* Without the `_grad` or `_grad_1` at its end; FALSE: it has none. */
static gboolean
cut_grad (char *path)
{
  static const char ending[] = "_grad";
  gsize length = strlen (path);
  gsize digits = 0;

  while (digits < length && g_ascii_isdigit (path[length - digits - 1]))
    digits++;
  if (digits > 0 && digits < length && path[length - digits - 1] == '_')
    {
      path[length - digits - 1] = '\0';
      if (g_str_has_suffix (path, ending))
        {
          path[strlen (path) - strlen (ending)] = '\0';
          return TRUE;
        }
      path[length - digits - 1] = '_';
    }
  if (!g_str_has_suffix (path, ending))
    return FALSE;
  path[length - strlen (ending)] = '\0';
  return TRUE;
}

/* Of a scope `x/gradients/a/b_grad`: the op a/b. */
static guint32
forward_of_scope (FlowGraph  *graph,
                  const char *scope)
{
  g_autofree char *path = g_strdup (scope);
  const char *part = path;

  if (!cut_grad (path))
    return FLOW_NODE_NONE;
  for (const char *slash = strchr (part, '/'); slash != NULL; slash = strchr (part, '/'))
    {
      guint32 node = is_gradients (part, (gsize) (slash - part)) ? flow_graph_find_node (graph, slash + 1)
                                                                 : FLOW_NODE_NONE;

      if (node != FLOW_NODE_NONE)
        return node;
      part = slash + 1;
    }
  return FLOW_NODE_NONE;
}

/**
 * flow_trace_forward_op:
 * @node: any op
 *
 * Goes by the names that tf.gradients gives.
 *
 * Returns: the op whose gradient it helps to compute; %FLOW_NODE_NONE
 */
guint32
flow_trace_forward_op (FlowGraph *graph,
                       guint32    node)
{
  guint32 scope = flow_graph_get_node_scope (graph, node);

  for (; scope != FLOW_SCOPE_NONE && scope != FLOW_SCOPE_ROOT; scope = flow_graph_get_scope_parent (graph, scope))
    {
      guint32 forward = forward_of_scope (graph, flow_graph_get_scope_path (graph, scope));

      if (forward != FLOW_NODE_NONE)
        return forward;
    }
  return FLOW_NODE_NONE;
}

/**
 * flow_trace_gradient_ops:
 * @node: an op of the forward computation
 *
 * Returns: (transfer full): guint32: the ops that compute its gradient
 */
GArray *
flow_trace_gradient_ops (FlowGraph *graph,
                         guint32    node)
{
  guint n_scopes = flow_graph_get_n_scopes (graph);
  guint n = flow_graph_get_n_nodes (graph);
  g_autofree guint8 *is_of = g_malloc0 ((gsize) n_scopes + 1);
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean any = FALSE;

  for (guint32 scope = 0; scope < n_scopes; scope++)
    if (forward_of_scope (graph, flow_graph_get_scope_path (graph, scope)) == node)
      any = is_of[scope] = TRUE;
  for (guint32 op = 0; any && op < n; op++)
    for (guint32 scope = flow_graph_get_node_scope (graph, op); scope != FLOW_SCOPE_NONE && scope != FLOW_SCOPE_ROOT;
         scope = flow_graph_get_scope_parent (graph, scope))
      if (is_of[scope])
        {
          g_array_append_val (ops, op);
          break;
        }
  return ops;
}
