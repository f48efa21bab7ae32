/* flow-plan-race.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plan-private.h"

#include <string.h>

/* The order in which TensorFlow's executor would begin the ops of a plan. A plan's own order goes by scopes, for
 * people; this one says which of several ops that fail TensorFlow names. Its rule: a thread takes what became ready
 * from the front of a queue of its own and puts there what that makes ready, if it is light; of heavy ops it gives
 * all but the last to the pool, and the last as well while the queue holds something. What the pool was given last
 * is taken first. Kernels count as heavy until they have run a hundred times, but for the types below. With several
 * threads another one may take what the pool was given first: that is chance, and not followed here. Nor is the
 * order in which TensorFlow goes over more than eight edges of a node, which hangs on their addresses. */

static const char *const light_types[] = {
  "BroadcastArgs", "BroadcastGradientArgs", "ConcatOffset", "Const", "ConsumeMutexLock", "ControlTrigger",
  "DebugGradientIdentity", "DebugGradientRefIdentity", "EnsureShape", "Enter", "Exit", "ExpandDims", "Identity",
  "IdentityN", "ImmutableConst", "LoopCond", "Merge", "NextIteration", "NoOp", "PlaceholderWithDefault",
  "PreventGradient", "Rank", "RefEnter", "RefExit", "RefIdentity", "RefMerge", "RefNextIteration", "RefSelect",
  "RefSwitch", "Reshape", "Shape", "ShapeN", "Size", "Squeeze", "StackCloseV2", "StackPopV2", "StackPushV2",
  "StopGradient", "Switch",
};

/* Vertices are the plan's items and behind them its feeds, each an op for TensorFlow. */
typedef struct {
  FlowPlan *plan;
  guint n_feeds;
  guint n;
  guint8 *is_light;
  guint32 *n_sources;          /* vertex -> edges that are waited for */
  guint32 *first;              /* vertex -> its first edge, one more than vertices */
  guint32 *edges;              /* consumers, by the order in which TensorFlow made them */
  guint32 *made;               /* vertices in that order */
} Race;

typedef void (*EdgeFunc) (Race *self, guint32 source, guint32 consumer, gpointer data);

static int
compare_types (const void *a,
               const void *b)
{
  return strcmp (a, *(const char *const *) b);
}

/**
 * _flow_plan_is_light: (skip)
 * @self: a plan
 * @item: one of its items
 *
 * Whether a thread of TensorFlow's executes the op itself, at once, when it has made it ready.
 */
gboolean
_flow_plan_is_light (FlowPlan *self,
                     guint32   item)
{
  return bsearch (flow_graph_get_node_type (self->graph, self->items[item].node), light_types, G_N_ELEMENTS (light_types),
                  sizeof (char *), compare_types) != NULL;
}

/* A loop's back edge is not waited for. */
static void
foreach_edge (Race     *self,
              EdgeFunc  func,
              gpointer  data)
{
  FlowPlan *plan = self->plan;

  for (guint32 i = 0; i < plan->n_items; i++)
    {
      const FlowPlanItem *item = &plan->items[i];

      for (guint32 j = 0; j < item->n_inputs; j++)
        {
          gint32 feed = plan->inputs[item->first_input + j].feed;

          if (feed >= 0 && feed != FLOW_PRUNE_UNREAD)
            func (self, plan->n_items + (guint32) feed, i, data);
        }
      for (guint32 j = 0; j < item->n_outs; j++)
        {
          guint32 consumer = plan->outs[item->first_out + j].item;

          if ((item->flags & FLOW_OP_NEXT_ITERATION) == 0 || (plan->items[consumer].flags & FLOW_OP_MERGE) == 0)
            func (self, i, consumer, data);
        }
    }
}

static void
count_edge (Race     *self,
            guint32   source,
            guint32   consumer,
            gpointer  data)
{
  guint32 *n_waits = data;

  n_waits[consumer]++;
  self->first[source + 1]++;
}

static void
fill_edge (Race     *self,
           guint32   source,
           guint32   consumer,
           gpointer  data)
{
  guint32 *filled = data;

  self->edges[self->first[source] + filled[source]++] = consumer;
}

static guint64
age_of (const Race *self,
        guint32     vertex)
{
  /* Feeds are made behind everything else. */
  return vertex < self->plan->n_items ? self->plan->items[vertex].node : (guint64) G_MAXUINT32 + vertex;
}

static int
compare_ages (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  guint64 x = age_of (data, *(const guint32 *) a);
  guint64 y = age_of (data, *(const guint32 *) b);

  return x < y ? -1 : x > y;
}

/* TF makes the ops of a run's graph in topological order, of those that can be made the oldest first; the edges of
 * an op stand in the order in which its consumers were made. */
static gboolean
make_vertices (Race *self)
{
  g_autofree guint32 *waits = g_memdup2 (self->n_sources, self->n * sizeof (guint32));
  g_autofree guint32 *by_age = g_new (guint32, self->n);
  g_autofree guint32 *age = g_new (guint32, self->n);
  g_autofree guint32 *heap = g_new (guint32, self->n);
  guint32 n_made = 0;
  guint32 n_heap = 0;

  for (guint32 i = 0; i < self->n; i++)
    by_age[i] = i;
  g_qsort_with_data (by_age, (int) self->n, sizeof (guint32), compare_ages, self);
  for (guint32 i = 0; i < self->n; i++)
    age[by_age[i]] = i;
  for (guint32 i = 0; i < self->n; i++)
    if (waits[by_age[i]] == 0)
      heap[n_heap++] = i;
  while (n_heap > 0)
    {
      guint32 vertex = by_age[heap[0]];
      guint32 last = heap[--n_heap];
      guint32 at = 0;

      for (guint32 child = 1; child < n_heap; child = 2 * at + 1)
        {
          if (child + 1 < n_heap && heap[child + 1] < heap[child])
            child++;
          if (last <= heap[child])
            break;
          heap[at] = heap[child];
          at = child;
        }
      heap[at] = last;
      self->made[n_made++] = vertex;
      for (guint32 k = self->first[vertex]; k < self->first[vertex + 1]; k++)
        if (--waits[self->edges[k]] == 0)
          {
            guint32 rank = age[self->edges[k]];

            for (at = n_heap++; at > 0 && heap[(at - 1) / 2] > rank; at = (at - 1) / 2)
              heap[at] = heap[(at - 1) / 2];
            heap[at] = rank;
          }
    }
  return n_made == self->n;
}

static int
compare_ranks (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const guint32 *rank = data;
  guint32 x = rank[*(const guint32 *) a];
  guint32 y = rank[*(const guint32 *) b];

  return x < y ? -1 : x > y;
}

static void
sort_edges (Race *self)
{
  g_autofree guint32 *rank = g_new (guint32, self->n);

  for (guint32 i = 0; i < self->n; i++)
    rank[self->made[i]] = i;
  for (guint32 i = 0; i < self->n; i++)
    g_qsort_with_data (self->edges + self->first[i], (int) (self->first[i + 1] - self->first[i]), sizeof (guint32),
                       compare_ranks, rank);
}

/* What became ready, at the thread whose queue is @queue. */
static void
schedule (Race          *self,
          const guint32 *ready,
          guint32        n_ready,
          GArray        *queue,
          guint32        begin,
          GArray        *pool)
{
  guint32 heavy = G_MAXUINT32;

  for (guint32 k = 0; k < n_ready; k++)
    {
      if (self->is_light[ready[k]])
        {
          g_array_append_val (queue, ready[k]);
          continue;
        }
      if (heavy != G_MAXUINT32)
        g_array_append_val (pool, heavy);
      heavy = ready[k];
    }
  if (heavy != G_MAXUINT32)
    g_array_append_val (queue->len > begin ? pool : queue, heavy);
}

static void
execute (Race   *self,
         GArray *begun)
{
  g_autofree guint32 *waits = g_memdup2 (self->n_sources, self->n * sizeof (guint32));
  g_autofree guint32 *ready = g_new (guint32, self->n);
  g_autoptr(GArray) pool = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 n_ready = 0;
  guint32 at = 0;

  for (guint32 i = 0; i < self->n; i++)
    if (waits[self->made[i]] == 0)
      ready[n_ready++] = self->made[i];
  schedule (self, ready, n_ready, begun, 0, pool);
  for (;;)
    {
      guint32 vertex = 0;

      if (at == begun->len && pool->len > 0)
        {
          guint32 taken = g_array_index (pool, guint32, pool->len - 1);

          g_array_set_size (pool, pool->len - 1);
          g_array_append_val (begun, taken);
        }
      if (at == begun->len)
        return;
      vertex = g_array_index (begun, guint32, at++);
      n_ready = 0;
      for (guint32 k = self->first[vertex]; k < self->first[vertex + 1]; k++)
        if (--waits[self->edges[k]] == 0)
          ready[n_ready++] = self->edges[k];
      schedule (self, ready, n_ready, begun, at, pool);
    }
}

/**
 * _flow_plan_list_as_begun: (skip)
 * @self: a plan
 *
 * The order in which TensorFlow's executor would begin the ops, each loop once.
 *
 * Returns: (transfer full) (element-type guint32): indices of items
 */
GArray *
_flow_plan_list_as_begun (FlowPlan *self)
{
  guint n_feeds = flow_prune_get_ends (self->prune)->n_feeds;
  Race race = { .plan = self, .n_feeds = n_feeds, .n = self->n_items + n_feeds };
  GArray *begun = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *filled = g_new0 (guint32, race.n + 1);
  guint n_kept = 0;

  race.is_light = g_new0 (guint8, race.n + 1);
  race.n_sources = g_new0 (guint32, race.n + 1);
  race.first = g_new0 (guint32, race.n + 1);
  race.made = g_new0 (guint32, race.n + 1);
  for (guint i = 0; i < race.n; i++)
    race.is_light[i] = i >= self->n_items || _flow_plan_is_light (self, i);
  foreach_edge (&race, count_edge, race.n_sources);
  for (guint i = 0; i < race.n; i++)
    race.first[i + 1] += race.first[i];
  race.edges = g_new0 (guint32, race.first[race.n] + 1);
  foreach_edge (&race, fill_edge, filled);
  if (make_vertices (&race))
    {
      sort_edges (&race);
      execute (&race, begun);
    }
  for (guint i = 0; i < begun->len; i++)
    if (g_array_index (begun, guint32, i) < self->n_items)
      g_array_index (begun, guint32, n_kept++) = g_array_index (begun, guint32, i);
  g_array_set_size (begun, n_kept);
  g_free (race.is_light);
  g_free (race.n_sources);
  g_free (race.first);
  g_free (race.made);
  g_free (race.edges);
  return begun;
}
