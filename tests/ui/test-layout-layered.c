/* test-layout-layered.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>
#include <string.h>

/* The invariants of the layered layout, on random graphs from fixed seeds. */

static void
random_acyclic (GRand         *rand,
                FlowRankGraph *graph,
                guint          n,
                guint          m)
{
  /* A random tree keeps it connected; edges go from lower to higher numbers. */
  graph->n = n;
  graph->m = n - 1 + m;
  graph->from = g_new (guint32, graph->m);
  graph->to = g_new (guint32, graph->m);
  graph->weight = g_new (gint32, graph->m);
  graph->rank = g_new0 (gint32, n);
  for (guint i = 1; i < n; i++)
    {
      graph->from[i - 1] = g_rand_int_range (rand, 0, i);
      graph->to[i - 1] = i;
    }
  for (guint i = n - 1; i < graph->m; i++)
    {
      guint32 a = g_rand_int_range (rand, 0, n - 1);

      graph->from[i] = a;
      graph->to[i] = g_rand_int_range (rand, a + 1, n);
    }
  for (guint i = 0; i < graph->m; i++)
    graph->weight[i] = g_rand_int_range (rand, 1, 9);
}

static void
rank_graph_clear (FlowRankGraph *graph)
{
  g_free (graph->from);
  g_free (graph->to);
  g_free (graph->weight);
  g_free (graph->rank);
}

static gint64
total_length (const FlowRankGraph *graph)
{
  gint64 sum = 0;

  for (guint e = 0; e < graph->m; e++)
    {
      g_assert_cmpint (graph->rank[graph->to[e]], >, graph->rank[graph->from[e]]);
      sum += (gint64) graph->weight[e] * (graph->rank[graph->to[e]] - graph->rank[graph->from[e]]);
    }
  return sum;
}

/* The cut value above a node by its definition: side of every node, then every edge. */
static gint64
cut_value_slowly (const FlowSimplex *simplex,
                  guint32            child)
{
  const FlowRankGraph *graph = simplex->graph;
  guint32 edge = simplex->parent_edge[child];
  g_autofree guint8 *below = g_new0 (guint8, graph->n);
  gboolean tail_below = graph->from[edge] == child;
  gint64 value = 0;

  for (guint v = 0; v < graph->n; v++)
    for (guint32 a = v; a != G_MAXUINT32; a = simplex->parent[a])
      if (a == child)
        below[v] = 1;
  for (guint e = 0; e < graph->m; e++)
    {
      gboolean from_tail = below[graph->from[e]] == tail_below;
      gboolean to_tail = below[graph->to[e]] == tail_below;

      if (from_tail && !to_tail)
        value += graph->weight[e];
      else if (!from_tail && to_tail)
        value -= graph->weight[e];
    }
  return value;
}

static void
check_simplex (const FlowSimplex *simplex)
{
  const FlowRankGraph *graph = simplex->graph;
  guint n_tree = 0;

  for (guint e = 0; e < graph->m; e++)
    {
      gint32 length = graph->rank[graph->to[e]] - graph->rank[graph->from[e]];

      g_assert_cmpint (length, >=, 1);
      if (!simplex->in_tree[e])
        continue;
      n_tree++;
      g_assert_cmpint (length, ==, 1);
    }
  g_assert_cmpuint (n_tree, ==, graph->n - 1);
  for (guint v = 0; v < graph->n; v++)
    if (simplex->parent_edge[v] != G_MAXUINT32)
      g_assert_cmpint (_flow_simplex_cut_value (simplex, v), ==, cut_value_slowly (simplex, v));
}

static void
test_simplex (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 120; round++)
    {
      FlowRankGraph graph = { 0 };
      FlowSimplex *simplex;
      guint32 cursor = 0;
      gint64 before;
      guint n_pivots = 0;
      guint n = g_rand_int_range (rand, 2, 40);

      random_acyclic (rand, &graph, n, g_rand_int_range (rand, 0, 2 * n));
      _flow_rank_longest_path (&graph);
      before = total_length (&graph);
      simplex = _flow_simplex_new (&graph);
      check_simplex (simplex);
      g_assert_cmpint (total_length (&graph), <=, before + 9 * 40 * 40 * 80);
      while (_flow_simplex_pivot (simplex, &cursor))
        {
          check_simplex (simplex);
          g_assert_cmpuint (++n_pivots, <, 4 * n + 100);
        }
      g_assert_cmpint (total_length (&graph), <=, before);
      _flow_simplex_free (simplex);
      rank_graph_clear (&graph);
    }
}

/* Optimal against every assignment of small graphs. */
static gint64
best_length (const FlowRankGraph *graph,
             gint32              *rank,
             guint                v,
             gint32               n_ranks)
{
  gint64 best = G_MAXINT64;

  if (v == graph->n)
    {
      gint64 sum = 0;

      for (guint e = 0; e < graph->m; e++)
        {
          if (rank[graph->to[e]] <= rank[graph->from[e]])
            return G_MAXINT64;
          sum += (gint64) graph->weight[e] * (rank[graph->to[e]] - rank[graph->from[e]]);
        }
      return sum;
    }
  for (rank[v] = 0; rank[v] < n_ranks; rank[v]++)
    best = MIN (best, best_length (graph, rank, v + 1, n_ranks));
  return best;
}

static void
test_ranks_are_optimal (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (11);

  for (guint round = 0; round < 60; round++)
    {
      FlowRankGraph graph = { 0 };
      gint32 rank[7] = { 0 };
      guint n = g_rand_int_range (rand, 2, 7);

      random_acyclic (rand, &graph, n, g_rand_int_range (rand, 0, 6));
      _flow_rank (&graph, NULL);
      g_assert_cmpint (total_length (&graph), ==, best_length (&graph, rank, 0, n));
      rank_graph_clear (&graph);
    }
}

static void
test_cycles (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 200; round++)
    {
      guint n = g_rand_int_range (rand, 1, 30);
      guint m = g_rand_int_range (rand, 0, 90);
      g_autofree FlowLayeredEdge *edges = g_new0 (FlowLayeredEdge, m + 1);
      g_autofree guint8 *reversed = g_new0 (guint8, m + 1);
      g_autofree guint32 *n_in = g_new0 (guint32, n);
      guint n_left = n;
      gboolean moved = TRUE;
      g_autofree guint8 *gone = g_new0 (guint8, n);

      for (guint e = 0; e < m; e++)
        {
          edges[e].from = g_rand_int_range (rand, 0, n);
          edges[e].to = g_rand_int_range (rand, 0, n);
          edges[e].weight = g_rand_int_range (rand, 1, 5);
        }
      _flow_cycles_break (n, m, edges, reversed);
      /* What is left can be taken away from the sources on. */
      for (guint e = 0; e < m; e++)
        if (edges[e].from != edges[e].to)
          n_in[reversed[e] ? edges[e].from : edges[e].to]++;
      while (moved)
        {
          moved = FALSE;
          for (guint v = 0; v < n; v++)
            {
              if (gone[v] || n_in[v] > 0)
                continue;
              gone[v] = 1;
              n_left--;
              moved = TRUE;
              for (guint e = 0; e < m; e++)
                if (edges[e].from != edges[e].to
                    && (reversed[e] ? edges[e].to : edges[e].from) == v)
                  n_in[reversed[e] ? edges[e].from : edges[e].to]--;
            }
        }
      g_assert_cmpuint (n_left, ==, 0);
    }
}

static void
test_crossings (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 200; round++)
    {
      guint upper_n = g_rand_int_range (rand, 1, 12);
      guint lower_n = g_rand_int_range (rand, 1, 12);
      guint n = upper_n + lower_n;
      guint m = g_rand_int_range (rand, 0, 60);
      g_autofree guint32 *row = g_new0 (guint32, n);
      g_autofree guint32 *upper = g_new0 (guint32, m + 1);
      g_autofree guint32 *lower = g_new0 (guint32, m + 1);
      g_autofree guint32 *order = g_new0 (guint32, n);
      g_autofree guint32 *sorted = g_new0 (guint32, n);
      guint32 row_first[3] = { 0, upper_n, n };
      FlowOrderGraph graph = { .n = n, .n_rows = 2, .row = row, .m = m, .upper = upper,
                               .lower = lower, .row_first = row_first, .order = order };
      guint64 slow = 0;
      guint64 start;

      for (guint v = 0; v < n; v++)
        {
          row[v] = v >= upper_n;
          order[v] = v;
        }
      for (guint e = 0; e < m; e++)
        {
          upper[e] = g_rand_int_range (rand, 0, upper_n);
          lower[e] = g_rand_int_range (rand, upper_n, n);
        }
      for (guint a = 0; a < m; a++)
        for (guint b = a + 1; b < m; b++)
          slow += (upper[a] < upper[b] && lower[a] > lower[b])
                  || (upper[a] > upper[b] && lower[a] < lower[b]);
      start = _flow_order_count (&graph, order);
      g_assert_cmpuint (start, ==, slow);

      _flow_order (&graph, NULL);
      memcpy (sorted, order, sizeof (guint32) * n);
      for (guint v = 0; v < n; v++)
        {
          gboolean found = FALSE;

          for (guint i = row_first[row[v]]; i < row_first[row[v] + 1]; i++)
            found = found || sorted[i] == v;
          g_assert_true (found);
        }
    }
}

/* Isotonic regression by its min-max formula. */
static double
isotonic_slowly (const double *values,
                 const double *weights,
                 guint         n,
                 guint         i)
{
  double best = -G_MAXDOUBLE;

  for (guint a = 0; a <= i; a++)
    {
      double least = G_MAXDOUBLE;

      for (guint b = i; b < n; b++)
        {
          double sum = 0.0;
          double weight = 0.0;

          for (guint k = a; k <= b; k++)
            {
              sum += values[k] * weights[k];
              weight += weights[k];
            }
          least = MIN (least, sum / weight);
        }
      best = MAX (best, least);
    }
  return best;
}

static void
test_isotonic (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (13);

  for (guint round = 0; round < 300; round++)
    {
      double wanted[16];
      double values[16];
      double weights[16];
      guint n = g_rand_int_range (rand, 1, 16);

      for (guint i = 0; i < n; i++)
        {
          values[i] = wanted[i] = g_rand_double_range (rand, -50.0, 50.0);
          weights[i] = g_rand_double_range (rand, 0.1, 9.0);
        }
      _flow_isotonic (values, weights, n);
      for (guint i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (values[i], isotonic_slowly (wanted, weights, n, i), 1e-9);
    }
}

/* --- the whole of it ---------------------------------------------------------------------------- */

static FlowLayeredInput *
random_input (GRand   *rand,
              guint    n,
              guint    m,
              gboolean ports)
{
  FlowLayeredInput *input = flow_layered_input_new (n, m);

  for (guint v = 0; v < n; v++)
    {
      input->width[v] = g_rand_int_range (rand, 48, 110) * 2;
      input->height[v] = 40;
      if (ports && v < 3)
        input->place[v] = FLOW_LAYERED_PORT_IN;
      else if (ports && v < 5)
        input->place[v] = FLOW_LAYERED_PORT_OUT;
      else if (v % 17 == 16)
        input->place[v] = FLOW_LAYERED_SHELF;
      if (ports && v < 5)
        input->width[v] = input->height[v] = 0;
    }
  for (guint e = 0; e < m; e++)
    {
      guint32 a = g_rand_int_range (rand, 0, n);
      guint32 b = g_rand_int_range (rand, 0, n);

      /* Nothing leads into a port that leads in, or from one that leads out, or to a shelf. */
      if (input->place[a] == FLOW_LAYERED_PORT_OUT || input->place[b] == FLOW_LAYERED_PORT_IN
          || input->place[a] == FLOW_LAYERED_SHELF || input->place[b] == FLOW_LAYERED_SHELF)
        a = b = 0;
      input->edges[e] = (FlowLayeredEdge) { a, b, g_rand_int_range (rand, 1, 9), e % 11 == 5 };
    }
  return input;
}

static void
assert_no_overlap (const FlowLayered     *layered,
                   const FlowArrangement *arrangement,
                   const float           *width,
                   const float           *height)
{
  for (guint a = 0; a < layered->n_items; a++)
    {
      g_assert_cmpfloat (arrangement->x[a], >=, -0.01);
      g_assert_cmpfloat (arrangement->x[a] + width[a], <=, arrangement->width + 0.01);
      g_assert_cmpfloat (arrangement->y[a] + height[a], <=, arrangement->height + 0.01);
      for (guint b = a + 1; b < layered->n_items; b++)
        {
          gboolean apart = arrangement->x[a] + width[a] <= arrangement->x[b] + 0.01
                           || arrangement->x[b] + width[b] <= arrangement->x[a] + 0.01
                           || arrangement->y[a] + height[a] <= arrangement->y[b] + 0.01
                           || arrangement->y[b] + height[b] <= arrangement->y[a] + 0.01;

          g_assert_true (apart);
        }
    }
}

static void
assert_same (const FlowArrangement *a,
             const FlowArrangement *b)
{
  g_assert_cmpmem (a->x, sizeof (float) * a->n_items, b->x, sizeof (float) * b->n_items);
  g_assert_cmpmem (a->y, sizeof (float) * a->n_items, b->y, sizeof (float) * b->n_items);
  g_assert_cmpuint (a->edge_first[a->n_edges], ==, b->edge_first[b->n_edges]);
  g_assert_cmpmem (a->points, sizeof (float) * 2 * a->edge_first[a->n_edges],
                   b->points, sizeof (float) * 2 * b->edge_first[b->n_edges]);
}

/* Lines start at their source's border and end at their target's, and pass through no other box. */
static void
assert_lines (const FlowLayeredInput *input,
              const FlowLayered      *layered,
              const FlowArrangement  *arrangement,
              const float            *width,
              const float            *height)
{
  for (guint e = 0; e < input->n_edges; e++)
    {
      guint32 first = arrangement->edge_first[e];
      guint32 n = arrangement->edge_first[e + 1] - first;
      const float *points = arrangement->points + 2 * first;
      guint32 from = input->edges[e].from;
      guint32 to = input->edges[e].to;

      if (n == 0)
        continue;
      g_assert_cmpuint (n % 3, ==, 1);
      g_assert_cmpfloat (points[0], >=, arrangement->x[from] - 0.6);
      g_assert_cmpfloat (points[0], <=, arrangement->x[from] + width[from] + 0.6);
      g_assert_cmpfloat (points[2 * n - 2], >=, arrangement->x[to] - 0.6);
      g_assert_cmpfloat (points[2 * n - 2], <=, arrangement->x[to] + width[to] + 0.6);
      for (guint s = 0; s + 3 < n; s += 3)
        for (guint step = 1; step < 8; step++)
          {
            const float *p = points + 2 * s;
            double t = step / 8.0;
            double b0 = (1 - t) * (1 - t) * (1 - t);
            double b1 = 3 * t * (1 - t) * (1 - t);
            double b2 = 3 * t * t * (1 - t);
            double b3 = t * t * t;
            double x = b0 * p[0] + b1 * p[2] + b2 * p[4] + b3 * p[6];
            double y = b0 * p[1] + b1 * p[3] + b2 * p[5] + b3 * p[7];

            for (guint v = 0; v < layered->n_items; v++)
              g_assert_false (x > arrangement->x[v] + 1 && x < arrangement->x[v] + width[v] - 1
                              && y > arrangement->y[v] + 1
                              && y < arrangement->y[v] + height[v] - 1);
          }
    }
}

static FlowLayeredShape
random_shape (GRand *rand)
{
  return (FlowLayeredShape) {
    .row_gap = g_rand_int_range (rand, 30, 90), .item_gap = g_rand_int_range (rand, 0, 40),
    .row_width = g_rand_boolean (rand) ? g_rand_int_range (rand, 100, 900) : 0.0f,
    .band_length = g_rand_boolean (rand) ? g_rand_int_range (rand, 100, 500) : 0.0f,
    .aspect = (float) g_rand_double_range (rand, 0.4, 4.0), .shelf_below = g_rand_boolean (rand),
  };
}

static void
arrange_once (GRand    *rand,
              gboolean  shaped)
{
  guint n = g_rand_int_range (rand, 6, 60);
  g_autoptr(FlowLayeredInput) input = random_input (rand, n, g_rand_int_range (rand, 0, shaped ? n : 2 * n),
                                                    !shaped && g_rand_boolean (rand));
  g_autoptr(FlowLayered) layered = NULL;
  g_autoptr(FlowLayered) again = NULL;
  g_autoptr(FlowArrangement) closed = NULL;
  g_autoptr(FlowArrangement) closed_again = NULL;
  g_autoptr(FlowArrangement) open = NULL;
  g_autoptr(FlowArrangement) after = NULL;
  g_autofree float *width = g_memdup2 (input->width, sizeof (float) * (n + 1));
  g_autofree float *height = g_memdup2 (input->height, sizeof (float) * (n + 1));
  guint opened = g_rand_int_range (rand, 5, n);

  if (shaped)
    input->shape = random_shape (rand);
  layered = flow_layered_new (input, NULL);
  again = flow_layered_new (input, NULL);
  g_assert_false (layered->is_fallback);
  closed = flow_layered_arrange (layered, width, height, NULL);
  closed_again = flow_layered_arrange (again, width, height, NULL);
  assert_same (closed, closed_again);
  assert_no_overlap (layered, closed, width, height);
  assert_lines (input, layered, closed, width, height);

  width[opened] = 700;
  height[opened] = 420;
  open = flow_layered_arrange (layered, width, height, NULL);
  assert_no_overlap (layered, open, width, height);
  assert_lines (input, layered, open, width, height);
  /* No pair in a row changes sides. */
  for (guint r = 0; r < layered->n_rows; r++)
    for (guint i = 1; i < layered->rows[r].count; i++)
      {
        guint32 a = layered->order[layered->rows[r].first + i - 1];
        guint32 b = layered->order[layered->rows[r].first + i];

        if (a < n && b < n)
          g_assert_cmpfloat (open->x[a], <=, open->x[b]);
      }

  width[opened] = input->width[opened];
  height[opened] = input->height[opened];
  after = flow_layered_arrange (layered, width, height, NULL);
  assert_same (closed, after);
}

static void
test_arrange (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (17);

  for (guint round = 0; round < 80; round++)
    arrange_once (rand, FALSE);
}

/* In whatever shape: rows split, in columns, what is aside below. */
static void
test_shapes (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (29);

  for (guint round = 0; round < 200; round++)
    arrange_once (rand, TRUE);
}

/* Many that feed one stand in rows no wider than they may be; all still go down. */
static void
test_split_rows (void)
{
  g_autoptr(FlowLayeredInput) input = flow_layered_input_new (31, 30);
  g_autoptr(FlowLayered) layered = NULL;
  guint n_rows = 0;

  for (guint v = 0; v < 31; v++)
    {
      input->width[v] = 100;
      input->height[v] = 40;
    }
  for (guint v = 0; v < 30; v++)
    input->edges[v] = (FlowLayeredEdge) { v, 30, 2, FALSE };
  input->shape.row_width = 600;
  layered = flow_layered_new (input, NULL);
  for (guint r = 0; r < layered->n_rows; r++)
    {
      guint n = 0;

      for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
        n += layered->order[i] < 31;
      g_assert_cmpuint (n, <=, 5);
      n_rows += n > 0;
    }
  g_assert_cmpuint (n_rows, ==, 7);
  for (guint e = 0; e < 30; e++)
    g_assert_cmpuint (layered->chains[e].count, >=, 2);
}

/* A long chain stands in columns, none longer than it may be, and is drawn whole. */
static void
test_columns (void)
{
  g_autoptr(FlowLayeredInput) input = flow_layered_input_new (24, 23);
  g_autoptr(FlowLayered) layered = NULL;
  g_autoptr(FlowArrangement) arrangement = NULL;

  for (guint v = 0; v < 24; v++)
    {
      input->width[v] = 100;
      input->height[v] = 40;
    }
  for (guint e = 0; e < 23; e++)
    input->edges[e] = (FlowLayeredEdge) { e, e + 1, 2, FALSE };
  input->shape.band_length = 500;
  layered = flow_layered_new (input, NULL);
  arrangement = flow_layered_arrange (layered, input->width, input->height, NULL);
  g_assert_cmpuint (layered->rows[layered->n_rows - 1].band, ==, 3);
  g_assert_cmpfloat (arrangement->height, <, 580);
  g_assert_cmpfloat (arrangement->width, >, 4 * 100 + 3 * 20);
  assert_no_overlap (layered, arrangement, input->width, input->height);
  assert_lines (input, layered, arrangement, input->width, input->height);
  for (guint e = 0; e < 23; e++)
    g_assert_cmpuint (arrangement->edge_first[e + 1] - arrangement->edge_first[e], >=, 4);
}

static void
test_grid_fallback (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (19);
  g_autoptr(FlowLayeredInput) input = random_input (rand, 40, 60, TRUE);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(FlowLayered) layered = NULL;
  g_autoptr(FlowArrangement) arrangement = NULL;

  g_cancellable_cancel (cancellable);
  layered = flow_layered_new (input, cancellable);
  g_assert_true (layered->is_fallback);
  arrangement = flow_layered_arrange (layered, input->width, input->height, NULL);
  assert_no_overlap (layered, arrangement, input->width, input->height);
}

/* Shapes that strangers' graphs have: nothing may recurse, loop or grow out of bounds. */
static void
test_hostile (void)
{
  guint n = 20000;
  g_autoptr(FlowLayeredInput) chain = flow_layered_input_new (n, n);
  g_autoptr(FlowLayeredInput) star = flow_layered_input_new (n, n);
  g_autoptr(FlowLayeredInput) empty = flow_layered_input_new (0, 0);
  g_autoptr(FlowLayeredInput) loops = flow_layered_input_new (3, 6);
  FlowLayeredInput *inputs[] = { chain, star, empty, loops };

  for (guint i = 0; i < n; i++)
    {
      chain->width[i] = star->width[i] = 100;
      chain->height[i] = star->height[i] = 40;
      chain->edges[i] = (FlowLayeredEdge) { i, (i + 1) % n, 1 };
      star->edges[i] = (FlowLayeredEdge) { 0, i, 1 };
    }
  for (guint e = 0; e < 6; e++)
    loops->edges[e] = (FlowLayeredEdge) { e % 3, (e * 2) % 3, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autoptr(FlowLayered) layered = flow_layered_new (inputs[i], NULL);
      g_autoptr(FlowArrangement) arrangement = flow_layered_arrange (layered, inputs[i]->width,
                                                                     inputs[i]->height, NULL);

      g_assert_cmpuint (arrangement->n_items, ==, inputs[i]->n_items);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/cycles", test_cycles);
  g_test_add_func ("/layout/simplex", test_simplex);
  g_test_add_func ("/layout/ranks-are-optimal", test_ranks_are_optimal);
  g_test_add_func ("/layout/crossings", test_crossings);
  g_test_add_func ("/layout/isotonic", test_isotonic);
  g_test_add_func ("/layout/arrange", test_arrange);
  g_test_add_func ("/layout/shapes", test_shapes);
  g_test_add_func ("/layout/split-rows", test_split_rows);
  g_test_add_func ("/layout/columns", test_columns);
  g_test_add_func ("/layout/grid-fallback", test_grid_fallback);
  g_test_add_func ("/layout/hostile", test_hostile);
  return g_test_run ();
}
