/* flow-layered-rank.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <string.h>

/* Rows by network simplex (Gansner, Koutsofios, North, Vo, 1993): the sum of weight times length
 * becomes least. Nothing recurses: depth is the input's to choose. */

#define NONE G_MAXUINT32

/* A pivot takes the most negative of this many negative cut values. */
#define SEARCH_SIZE 30

/* Above this many items the tight tree is good enough. */
#define SIMPLEX_MAX 5000

/* Node and edge visits after which the ranks stay as they are: about 50 ms. A count, not a clock,
 * so that the same graph is always laid out alike. */
#define WORK_MAX 10000000

typedef struct {
  gint64 key;
  guint32 edge;
} HeapEntry;

static int
heap_compare (const HeapEntry *a,
              const HeapEntry *b)
{
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static void
heap_push (GArray *heap,
           gint64  key,
           guint32 edge)
{
  HeapEntry entry = { key, edge };
  guint i = heap->len;

  g_array_append_val (heap, entry);
  while (i > 0)
    {
      HeapEntry *child = &g_array_index (heap, HeapEntry, i);
      HeapEntry *parent = &g_array_index (heap, HeapEntry, (i - 1) / 2);
      HeapEntry swap = *parent;

      if (heap_compare (parent, child) <= 0)
        break;
      *parent = *child;
      *child = swap;
      i = (i - 1) / 2;
    }
}

static void
heap_pop (GArray *heap)
{
  guint i = 0;
  guint n = heap->len - 1;
  HeapEntry *entries = (HeapEntry *) (gpointer) heap->data;

  entries[0] = entries[n];
  g_array_set_size (heap, n);
  while (2 * i + 1 < n)
    {
      guint child = 2 * i + 1;
      HeapEntry swap;

      if (child + 1 < n && heap_compare (&entries[child + 1], &entries[child]) < 0)
        child++;
      if (heap_compare (&entries[i], &entries[child]) <= 0)
        break;
      swap = entries[i];
      entries[i] = entries[child];
      entries[child] = swap;
      i = child;
    }
}

/* Edges at each node, by counting sort: n + 1 offsets and 2 m edges. */
static void
make_adjacency (const FlowRankGraph *graph,
                guint32            **first_out,
                guint32            **edges_out)
{
  guint32 *first = g_new0 (guint32, graph->n + 2);
  guint32 *edges = g_new (guint32, 2 * (gsize) graph->m + 1);

  for (guint e = 0; e < graph->m; e++)
    {
      first[graph->from[e] + 2]++;
      first[graph->to[e] + 2]++;
    }
  for (guint v = 1; v <= graph->n; v++)
    first[v + 1] += first[v];
  for (guint e = 0; e < graph->m; e++)
    {
      edges[first[graph->from[e] + 1]++] = e;
      edges[first[graph->to[e] + 1]++] = e;
    }
  *first_out = first;
  *edges_out = edges;
}

typedef struct {
  guint32 node;
  guint32 next;                /* place in the node's list of edges */
} StackEntry;

/*
 * _flow_cycles_break:
 * @reversed: out: which edges to turn
 *
 * Turns what is known to lead back, then the lighter edge of each pair a->b, b->a, then every edge that closes a cycle in a walk in
 * model order that begins with the sources. Self loops are not turned; they are not ranked.
 */
void
_flow_cycles_break (guint                  n,
                    guint                  m,
                    const FlowLayeredEdge *edges,
                    guint8                *reversed)
{
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n + 2);
  g_autofree guint32 *fill = g_new0 (guint32, (gsize) n + 2);
  g_autofree guint32 *out = g_new (guint32, (gsize) m + 1);
  g_autofree guint32 *n_in = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint8 *color = g_new0 (guint8, (gsize) n + 1);
  g_autofree StackEntry *stack = g_new (StackEntry, (gsize) n + 1);
  g_autoptr(GHashTable) weights = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint e = 0; e < m; e++)
    reversed[e] = edges[e].is_back && edges[e].from != edges[e].to;
  for (guint e = 0; e < m; e++)
    {
      gint64 *key = g_new (gint64, 1);

      *key = ((gint64) edges[e].from << 32) | edges[e].to;
      g_hash_table_replace (weights, key, GUINT_TO_POINTER (e + 1));
    }
  for (guint e = 0; e < m; e++)
    {
      gint64 key = ((gint64) edges[e].to << 32) | edges[e].from;
      guint other = GPOINTER_TO_UINT (g_hash_table_lookup (weights, &key));

      if (edges[e].from == edges[e].to || other == 0 || reversed[e] || reversed[other - 1])
        continue;
      other--;
      if (edges[e].weight < edges[other].weight
          || (edges[e].weight == edges[other].weight && e > other))
        reversed[e] = 1;
    }

  for (guint e = 0; e < m; e++)
    {
      first[(reversed[e] ? edges[e].to : edges[e].from) + 1]++;
      if (edges[e].from != edges[e].to)
        n_in[reversed[e] ? edges[e].from : edges[e].to]++;
    }
  for (guint v = 0; v < n; v++)
    first[v + 1] += first[v];
  memcpy (fill, first, sizeof *fill * ((gsize) n + 1));
  for (guint e = 0; e < m; e++)
    out[fill[reversed[e] ? edges[e].to : edges[e].from]++] = e;

  for (guint pass = 0; pass < 2; pass++)
    for (guint root = 0; root < n; root++)
      {
        guint depth = 0;

        if (color[root] != 0 || (pass == 0 && n_in[root] > 0))
          continue;
        stack[depth++] = (StackEntry) { root, first[root] };
        color[root] = 1;
        while (depth > 0)
          {
            StackEntry *top = &stack[depth - 1];
            guint32 edge;
            guint32 to;

            if (top->next == first[top->node + 1])
              {
                color[top->node] = 2;
                depth--;
                continue;
              }
            edge = out[top->next++];
            to = reversed[edge] ? edges[edge].from : edges[edge].to;
            if (to == top->node)
              continue;
            if (color[to] == 1)
              reversed[edge] = !reversed[edge];
            else if (color[to] == 0)
              {
                color[to] = 1;
                stack[depth++] = (StackEntry) { to, first[to] };
              }
          }
      }
}

/*
 * _flow_rank_longest_path:
 *
 * The first feasible ranks: each item as high as its inputs allow, then sources pulled down to just
 * above their nearest consumer.
 */
void
_flow_rank_longest_path (FlowRankGraph *graph)
{
  g_autofree guint32 *first = NULL;
  g_autofree guint32 *edges = NULL;
  g_autofree guint32 *n_in = g_new0 (guint32, (gsize) graph->n + 1);
  g_autofree guint32 *queue = g_new (guint32, (gsize) graph->n + 1);
  g_autofree guint8 *is_source = g_new0 (guint8, (gsize) graph->n + 1);
  guint head = 0;
  guint tail = 0;

  make_adjacency (graph, &first, &edges);
  for (guint e = 0; e < graph->m; e++)
    n_in[graph->to[e]]++;
  for (guint v = 0; v < graph->n; v++)
    {
      graph->rank[v] = 0;
      if (n_in[v] == 0)
        {
          is_source[v] = 1;
          queue[tail++] = v;
        }
    }
  while (head < tail)
    {
      guint32 v = queue[head++];

      for (guint32 i = first[v]; i < first[v + 1]; i++)
        {
          guint32 e = edges[i];
          guint32 to = graph->to[e];

          if (graph->from[e] != v)
            continue;
          graph->rank[to] = MAX (graph->rank[to], graph->rank[v] + 1);
          if (--n_in[to] == 0)
            queue[tail++] = to;
        }
    }
  for (guint v = 0; v < graph->n; v++)
    {
      gint32 nearest = G_MAXINT32;

      if (!is_source[v])
        continue;
      for (guint32 i = first[v]; i < first[v + 1]; i++)
        nearest = MIN (nearest, graph->rank[graph->to[edges[i]]] - 1);
      if (nearest != G_MAXINT32)
        graph->rank[v] = nearest;
    }
}

static inline gint64
slack_of (const FlowRankGraph *graph,
          guint32              edge)
{
  return (gint64) graph->rank[graph->to[edge]] - graph->rank[graph->from[edge]] - 1;
}

/* Numbers the subtree of @root in postorder from @number on, with the tree edges as they stand. */
static void
number_subtree (FlowSimplex *self,
                guint32      root,
                guint32      number)
{
  const FlowRankGraph *graph = self->graph;
  g_autoptr(GArray) stack = g_array_new (FALSE, FALSE, sizeof (StackEntry));
  StackEntry entry = { root, self->adjacent_first[root] };

  self->low[root] = number;
  g_array_append_val (stack, entry);
  while (stack->len > 0)
    {
      StackEntry *top = &g_array_index (stack, StackEntry, stack->len - 1);
      guint32 v = top->node;
      guint32 edge;
      guint32 child;

      if (top->next == self->adjacent_first[v + 1])
        {
          self->limit[v] = number;
          self->by_limit[number++] = v;
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      edge = self->adjacent[top->next++];
      self->work++;
      if (!self->in_tree[edge] || edge == self->parent_edge[v])
        continue;
      child = graph->from[edge] == v ? graph->to[edge] : graph->from[edge];
      self->parent[child] = v;
      self->parent_edge[child] = edge;
      self->low[child] = number;
      entry = (StackEntry) { child, self->adjacent_first[child] };
      g_array_append_val (stack, entry);
    }
}

/* Grows a tree of tight edges, moving it as a whole by the least slack around it. The items of the
 * tree share one shift, so that no key in the heaps ever changes. */
static void
grow_tight_tree (FlowSimplex   *self,
                 FlowRankGraph *graph)
{
  g_autoptr(GArray) outgoing = g_array_new (FALSE, FALSE, sizeof (HeapEntry));
  g_autoptr(GArray) incoming = g_array_new (FALSE, FALSE, sizeof (HeapEntry));
  g_autofree guint8 *reached = g_new0 (guint8, graph->n);
  gint64 shift = 0;
  guint32 v = 0;

  while (TRUE)
    {
      const HeapEntry *best_out = NULL;
      const HeapEntry *best_in = NULL;
      guint32 edge;

      reached[v] = 1;
      graph->rank[v] -= shift;
      for (guint32 i = self->adjacent_first[v]; i < self->adjacent_first[v + 1]; i++)
        {
          guint32 e = self->adjacent[i];

          if (graph->from[e] == v && !reached[graph->to[e]])
            heap_push (outgoing, (gint64) graph->rank[graph->to[e]] - graph->rank[v] - 1, e);
          else if (graph->to[e] == v && !reached[graph->from[e]])
            heap_push (incoming, (gint64) graph->rank[v] - graph->rank[graph->from[e]] - 1, e);
        }
      while (outgoing->len > 0
             && reached[graph->to[g_array_index (outgoing, HeapEntry, 0).edge]])
        heap_pop (outgoing);
      while (incoming->len > 0
             && reached[graph->from[g_array_index (incoming, HeapEntry, 0).edge]])
        heap_pop (incoming);
      if (outgoing->len > 0)
        best_out = &g_array_index (outgoing, HeapEntry, 0);
      if (incoming->len > 0)
        best_in = &g_array_index (incoming, HeapEntry, 0);
      if (best_out == NULL && best_in == NULL)
        break;
      if (best_in == NULL
          || (best_out != NULL && best_out->key - shift <= best_in->key + shift))
        {
          edge = best_out->edge;
          shift += best_out->key - shift;
          v = graph->to[edge];
        }
      else
        {
          edge = best_in->edge;
          shift -= best_in->key + shift;
          v = graph->from[edge];
        }
      self->in_tree[edge] = 1;
    }
  for (guint i = 0; i < graph->n; i++)
    if (reached[i])
      graph->rank[i] += shift;
}

/*
 * _flow_simplex_new:
 * @graph: connected, without cycles or self loops, its ranks feasible
 *
 * Makes the tree tight and computes all cut values.
 */
FlowSimplex *
_flow_simplex_new (FlowRankGraph *graph)
{
  FlowSimplex *self = g_new0 (FlowSimplex, 1);
  guint n = graph->n;

  self->graph = graph;
  make_adjacency (graph, &self->adjacent_first, &self->adjacent);
  self->parent = g_new (guint32, n);
  self->parent_edge = g_new (guint32, n);
  self->in_tree = g_new0 (guint8, (gsize) graph->m + 1);
  self->balance = g_new0 (gint64, n);
  self->subtree_balance = g_new (gint64, n);
  self->low = g_new0 (guint32, n);
  self->limit = g_new0 (guint32, n);
  self->by_limit = g_new0 (guint32, n);

  grow_tight_tree (self, graph);
  self->parent[0] = NONE;
  self->parent_edge[0] = NONE;
  number_subtree (self, 0, 0);
  for (guint e = 0; e < graph->m; e++)
    {
      self->balance[graph->from[e]] += graph->weight[e];
      self->balance[graph->to[e]] -= graph->weight[e];
    }
  memcpy (self->subtree_balance, self->balance, sizeof (gint64) * n);
  for (guint i = 0; i + 1 < n; i++)
    {
      guint32 v = self->by_limit[i];

      if (self->parent[v] != NONE)
        self->subtree_balance[self->parent[v]] += self->subtree_balance[v];
    }
  return self;
}

void
_flow_simplex_free (FlowSimplex *self)
{
  g_free (self->adjacent_first);
  g_free (self->adjacent);
  g_free (self->parent);
  g_free (self->parent_edge);
  g_free (self->in_tree);
  g_free (self->balance);
  g_free (self->subtree_balance);
  g_free (self->low);
  g_free (self->limit);
  g_free (self->by_limit);
  g_free (self);
}

/*
 * _flow_simplex_cut_value:
 *
 * What the sum of lengths gains when the tree edge above @child grows by one: weights from its tail
 * side to its head side less those that go back. Inside a side everything cancels, so it is the
 * balance of the subtree.
 */
gint64
_flow_simplex_cut_value (const FlowSimplex *self,
                         guint32            child)
{
  gboolean tail_below = self->graph->from[self->parent_edge[child]] == child;

  return tail_below ? self->subtree_balance[child] : -self->subtree_balance[child];
}

static gboolean
in_subtree (const FlowSimplex *self,
            guint32            v,
            guint32            root)
{
  return self->low[root] <= self->limit[v] && self->limit[v] <= self->limit[root];
}

/* The child end of the tree edge to leave, NONE when all cut values are sound. */
static guint32
find_leaving (FlowSimplex *self,
              guint32     *cursor)
{
  guint n = self->graph->n;
  guint n_found = 0;
  gint64 best_value = 0;
  guint32 best = NONE;

  for (guint i = 0; i < n && n_found < SEARCH_SIZE; i++)
    {
      guint32 v = (*cursor + i) % n;
      gint64 value;

      self->work++;
      if (self->parent_edge[v] == NONE)
        continue;
      value = _flow_simplex_cut_value (self, v);
      if (value >= 0)
        continue;
      n_found++;
      if (value < best_value)
        {
          best_value = value;
          best = v;
        }
    }
  if (best != NONE)
    *cursor = (best + 1) % n;
  return best;
}

/* The edge of least slack that crosses the cut the other way. */
static guint32
find_entering (FlowSimplex *self,
               guint32      child)
{
  const FlowRankGraph *graph = self->graph;
  gboolean tail_below = graph->from[self->parent_edge[child]] == child;
  gint64 best_slack = G_MAXINT64;
  guint32 best = NONE;

  for (guint32 number = self->low[child]; number <= self->limit[child]; number++)
    {
      guint32 v = self->by_limit[number];

      for (guint32 i = self->adjacent_first[v]; i < self->adjacent_first[v + 1]; i++)
        {
          guint32 e = self->adjacent[i];
          guint32 other = tail_below ? graph->from[e] : graph->to[e];
          guint32 here = tail_below ? graph->to[e] : graph->from[e];
          gint64 slack;

          self->work++;
          if (here != v || in_subtree (self, other, child))
            continue;
          slack = slack_of (graph, e);
          if (slack < best_slack || (slack == best_slack && e < best))
            {
              best_slack = slack;
              best = e;
            }
        }
    }
  return best;
}

/* Hangs the subtree of @child below @outside by @entering, whose end in the subtree is @inside. */
static void
exchange (FlowSimplex *self,
          guint32      child,
          guint32      entering,
          guint32      inside,
          guint32      outside)
{
  gint64 moved = self->subtree_balance[child];
  gint64 below = 0;
  guint32 above = outside;
  guint32 above_edge = entering;
  guint32 common = outside;

  while (!in_subtree (self, self->parent[child], common))
    common = self->parent[common];
  for (guint32 v = self->parent[child]; v != common; v = self->parent[v])
    self->subtree_balance[v] -= moved;
  for (guint32 v = outside; v != common; v = self->parent[v])
    self->subtree_balance[v] += moved;

  self->in_tree[self->parent_edge[child]] = 0;
  self->in_tree[entering] = 1;
  /* Turn the path from the new top of the subtree to its old one. */
  for (guint32 v = inside;;)
    {
      guint32 next = self->parent[v];
      guint32 next_edge = self->parent_edge[v];
      gint64 old = self->subtree_balance[v];

      self->subtree_balance[v] = moved - below;
      self->parent[v] = above;
      self->parent_edge[v] = above_edge;
      below = old;
      above = v;
      above_edge = next_edge;
      if (v == child)
        break;
      v = next;
    }
  number_subtree (self, common, self->low[common]);
}

/*
 * _flow_simplex_pivot:
 * @cursor: where the search for a negative cut value goes on
 *
 * Returns: %FALSE when the ranks are optimal
 */
gboolean
_flow_simplex_pivot (FlowSimplex *self,
                     guint32     *cursor)
{
  const FlowRankGraph *graph = self->graph;
  guint32 child = find_leaving (self, cursor);
  guint32 entering;
  gboolean tail_below;
  gint64 move;

  if (child == NONE)
    return FALSE;
  entering = find_entering (self, child);
  if (entering == NONE)
    return FALSE;
  tail_below = graph->from[self->parent_edge[child]] == child;
  move = slack_of (graph, entering) * (tail_below ? -1 : 1);
  if (move != 0)
    for (guint32 number = self->low[child]; number <= self->limit[child]; number++)
      graph->rank[self->by_limit[number]] += move;
  exchange (self, child, entering,
            tail_below ? graph->to[entering] : graph->from[entering],
            tail_below ? graph->from[entering] : graph->to[entering]);
  return TRUE;
}

/* Items that may stand in several rows at no cost go to the emptiest of them. */
static void
balance_ranks (FlowRankGraph *graph,
               FlowSimplex   *self)
{
  gint32 lowest = 0;
  g_autofree guint32 *population = NULL;

  for (guint v = 0; v < graph->n; v++)
    lowest = MAX (lowest, graph->rank[v]);
  population = g_new0 (guint32, (gsize) lowest + 1);
  for (guint v = 0; v < graph->n; v++)
    population[graph->rank[v]]++;
  for (guint v = 0; v < graph->n; v++)
    {
      gint32 top = 0;
      gint32 bottom = lowest;
      gint32 best = graph->rank[v];
      gboolean has_in = FALSE;
      gboolean has_out = FALSE;

      if (self->balance[v] != 0)
        continue;
      for (guint32 i = self->adjacent_first[v]; i < self->adjacent_first[v + 1]; i++)
        {
          guint32 e = self->adjacent[i];

          if (graph->from[e] == v)
            {
              bottom = MIN (bottom, graph->rank[graph->to[e]] - 1);
              has_out = TRUE;
            }
          else
            {
              top = MAX (top, graph->rank[graph->from[e]] + 1);
              has_in = TRUE;
            }
        }
      if (!has_in || !has_out)
        continue;
      for (gint32 r = top; r <= bottom; r++)
        if (population[r] + 1 < population[best])
          best = r;
      population[graph->rank[v]]--;
      population[best]++;
      graph->rank[v] = best;
    }
}

/*
 * _flow_rank:
 * @graph: connected, without cycles or self loops
 *
 * Fills the ranks, the highest 0.
 */
void
_flow_rank (FlowRankGraph *graph,
            GCancellable  *cancellable)
{
  FlowSimplex *simplex = NULL;
  gint32 least = G_MAXINT32;

  _flow_rank_longest_path (graph);
  if (graph->n > 1)
    {
      guint32 cursor = 0;

      simplex = _flow_simplex_new (graph);
      if (graph->n <= SIMPLEX_MAX)
        for (guint i = 0; i < 4 * graph->n + 100 && simplex->work < WORK_MAX; i++)
          if ((i % 1000 == 999 && g_cancellable_is_cancelled (cancellable))
              || !_flow_simplex_pivot (simplex, &cursor))
            break;
    }
  for (guint v = 0; v < graph->n; v++)
    least = MIN (least, graph->rank[v]);
  for (guint v = 0; v < graph->n; v++)
    graph->rank[v] -= least;
  if (simplex != NULL)
    {
      balance_ranks (graph, simplex);
      _flow_simplex_free (simplex);
    }
}
