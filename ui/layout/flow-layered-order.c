/* flow-layered-order.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <string.h>

/* The order within the rows: barycentre sweeps and exchanges of neighbours from two starts. */

#define SWEEPS_MAX 24

/* Sweeps without a gain of half a percent after which the order is good enough. */
#define SWEEPS_IDLE 4

/* Exchanging neighbours looks at pairs; wider rows live with the barycentre. */
#define TRANSPOSE_MAX 2000
#define TRANSPOSE_ROUNDS 4

/* Pairs of edges that exchanges may compare in one part; a count, so that a layout never depends on
 * the clock. */
#define TRANSPOSE_WORK 40000000

typedef struct {
  const FlowOrderGraph *graph;
  guint32 *up_first;           /* neighbours in the row above, n + 1 */
  guint32 *up;
  guint32 *down_first;
  guint32 *down;
  guint32 *place;              /* of each entry in its row */
  guint32 *order;              /* the working order */
  guint64 work;
  GCancellable *cancellable;
} Orderer;

typedef struct {
  guint32 upper;
  guint32 lower;
} PlacePair;

static guint64
count_gap (PlacePair *pairs,
           guint      n_pairs,
           guint      n_upper,
           guint      n_lower)
{
  /* Edges by place of their upper end, then of the lower: counting sort twice. */
  g_autofree PlacePair *sorted = g_new (PlacePair, (gsize) n_pairs + 1);
  g_autofree guint32 *count = g_new0 (guint32, (gsize) MAX (n_upper, n_lower) + 2);
  g_autofree guint32 *tree = g_new0 (guint32, (gsize) n_lower + 2);
  guint64 crossings = 0;

  for (guint i = 0; i < n_pairs; i++)
    count[pairs[i].lower + 1]++;
  for (guint i = 0; i < n_lower; i++)
    count[i + 1] += count[i];
  for (guint i = 0; i < n_pairs; i++)
    sorted[count[pairs[i].lower]++] = pairs[i];
  memset (count, 0, sizeof *count * ((gsize) MAX (n_upper, n_lower) + 2));
  for (guint i = 0; i < n_pairs; i++)
    count[sorted[i].upper + 1]++;
  for (guint i = 0; i < n_upper; i++)
    count[i + 1] += count[i];
  for (guint i = 0; i < n_pairs; i++)
    pairs[count[sorted[i].upper]++] = sorted[i];

  /* Fenwick tree over the lower places: how many edges before this one end to the right of it. */
  for (guint i = 0; i < n_pairs; i++)
    {
      guint32 not_right = 0;

      for (guint32 k = pairs[i].lower + 1; k > 0; k -= k & -k)
        not_right += tree[k];
      crossings += i - not_right;
      for (guint32 k = pairs[i].lower + 1; k <= n_lower; k += k & -k)
        tree[k]++;
    }
  return crossings;
}

/*
 * _flow_order_count:
 *
 * Returns: how often edges cross when the entries stand in @order; O(edges x log width)
 */
guint64
_flow_order_count (const FlowOrderGraph *graph,
                   const guint32        *order)
{
  g_autofree guint32 *place = g_new0 (guint32, (gsize) graph->n + 1);
  g_autofree guint32 *first = g_new0 (guint32, (gsize) graph->n_rows + 2);
  g_autofree PlacePair *pairs = g_new (PlacePair, (gsize) graph->m + 1);
  guint64 crossings = 0;

  for (guint r = 0; r < graph->n_rows; r++)
    for (guint32 i = graph->row_first[r]; i < graph->row_first[r + 1]; i++)
      place[order[i]] = i - graph->row_first[r];
  for (guint e = 0; e < graph->m; e++)
    first[graph->row[graph->upper[e]] + 1]++;
  for (guint r = 0; r < graph->n_rows; r++)
    first[r + 1] += first[r];
  for (guint e = 0; e < graph->m; e++)
    {
      PlacePair *pair = &pairs[first[graph->row[graph->upper[e]]]++];

      pair->upper = place[graph->upper[e]];
      pair->lower = place[graph->lower[e]];
    }
  for (guint r = 0; r + 1 < graph->n_rows; r++)
    {
      guint32 begin = r > 0 ? first[r - 1] : 0;

      crossings += count_gap (pairs + begin, first[r] - begin,
                              graph->row_first[r + 1] - graph->row_first[r],
                              graph->row_first[r + 2] - graph->row_first[r + 1]);
    }
  return crossings;
}

static void
make_neighbours (const FlowOrderGraph *graph,
                 const guint32        *at,
                 const guint32        *other,
                 guint32             **first_out,
                 guint32             **list_out)
{
  guint32 *first = g_new0 (guint32, (gsize) graph->n + 2);
  guint32 *list = g_new (guint32, (gsize) graph->m + 1);

  for (guint e = 0; e < graph->m; e++)
    first[at[e] + 2]++;
  for (guint v = 1; v <= graph->n; v++)
    first[v + 1] += first[v];
  for (guint e = 0; e < graph->m; e++)
    list[first[at[e] + 1]++] = other[e];
  *first_out = first;
  *list_out = list;
}

static void
set_places (Orderer *self)
{
  const FlowOrderGraph *graph = self->graph;

  for (guint r = 0; r < graph->n_rows; r++)
    for (guint32 i = graph->row_first[r]; i < graph->row_first[r + 1]; i++)
      self->place[self->order[i]] = i - graph->row_first[r];
}

static gboolean
row_is_fixed (const FlowOrderGraph *graph,
              guint                 row)
{
  return (row == 0 && graph->fixed_first)
         || (row == graph->n_rows - 1 && graph->fixed_last);
}

/* Places entries as a walk from the top (or the bottom) meets them. */
static void
start_by_walk (Orderer *self,
               gboolean from_top)
{
  const FlowOrderGraph *graph = self->graph;
  g_autofree guint8 *seen = g_new0 (guint8, (gsize) graph->n + 1);
  g_autofree guint32 *fill = g_memdup2 (graph->row_first, sizeof (guint32) * (graph->n_rows + 1));
  g_autofree guint32 *next = g_new (guint32, (gsize) graph->n + 1);
  g_autofree guint32 *stack = g_new (guint32, (gsize) graph->n + 1);

  memcpy (next, from_top ? self->down_first : self->up_first, sizeof (guint32) * graph->n);
  for (guint row = 0; row < graph->n_rows; row++)
    {
      guint r = from_top ? row : graph->n_rows - 1 - row;

      for (guint32 i = graph->row_first[r]; i < graph->row_first[r + 1]; i++)
        {
          guint32 root = graph->order[i];
          guint depth = 0;

          if (seen[root])
            continue;
          seen[root] = 1;
          stack[depth++] = root;
          self->order[fill[r]++] = root;
          while (depth > 0)
            {
              guint32 v = stack[depth - 1];
              const guint32 *first = from_top ? self->down_first : self->up_first;
              const guint32 *list = from_top ? self->down : self->up;
              guint32 to;

              if (next[v] == first[v + 1])
                {
                  depth--;
                  continue;
                }
              to = list[next[v]++];
              if (seen[to])
                continue;
              seen[to] = 1;
              self->order[fill[graph->row[to]]++] = to;
              stack[depth++] = to;
            }
        }
    }
  for (guint r = 0; r < graph->n_rows; r++)
    if (row_is_fixed (graph, r))
      memcpy (self->order + graph->row_first[r], graph->order + graph->row_first[r],
              sizeof (guint32) * (graph->row_first[r + 1] - graph->row_first[r]));
  set_places (self);
}

typedef struct {
  double key;
  guint32 place;
  guint32 entry;
} SortEntry;

static int
compare_entries (gconstpointer a,
                 gconstpointer b,
                 gpointer      reverse_ties)
{
  const SortEntry *x = a;
  const SortEntry *y = b;
  int ties;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  ties = x->place < y->place ? -1 : x->place > y->place;
  return GPOINTER_TO_INT (reverse_ties) != 0 ? -ties : ties;
}

static void
sweep_row (Orderer *self,
           guint    row,
           gboolean use_up,
           gboolean reverse_ties,
           GArray  *sorted)
{
  const FlowOrderGraph *graph = self->graph;
  const guint32 *first = use_up ? self->up_first : self->down_first;
  const guint32 *list = use_up ? self->up : self->down;
  guint32 begin = graph->row_first[row];
  guint32 end = graph->row_first[row + 1];
  guint next = 0;

  g_array_set_size (sorted, 0);
  for (guint32 i = begin; i < end; i++)
    {
      guint32 v = self->order[i];
      guint32 degree = first[v + 1] - first[v];
      SortEntry entry = { 0.0, i - begin, v };

      if (degree == 0)
        continue;
      for (guint32 k = first[v]; k < first[v + 1]; k++)
        entry.key += self->place[list[k]];
      entry.key /= degree;
      g_array_append_val (sorted, entry);
    }
  g_array_sort_with_data (sorted, compare_entries, GINT_TO_POINTER (reverse_ties));
  for (guint32 i = begin; i < end; i++)
    {
      guint32 v = self->order[i];

      if (first[v + 1] != first[v])
        self->order[i] = g_array_index (sorted, SortEntry, next++).entry;
    }
  for (guint32 i = begin; i < end; i++)
    self->place[self->order[i]] = i - begin;
}

/* Crossings between the edges of @v and of @w, @v standing left of @w, less those after an exchange. */
static gint64
exchange_gain (const guint32 *first,
               const guint32 *list,
               const guint32 *place,
               guint32        v,
               guint32        w)
{
  gint64 gain = 0;

  for (guint32 i = first[v]; i < first[v + 1]; i++)
    for (guint32 k = first[w]; k < first[w + 1]; k++)
      {
        guint32 a = place[list[i]];
        guint32 b = place[list[k]];

        gain += a > b ? 1 : a < b ? -1 : 0;
      }
  return gain;
}

static void
transpose (Orderer *self)
{
  const FlowOrderGraph *graph = self->graph;

  for (guint round = 0; round < TRANSPOSE_ROUNDS; round++)
    {
      gboolean improved = FALSE;

      for (guint r = 0; r < graph->n_rows; r++)
        {
          guint32 begin = graph->row_first[r];
          guint32 end = graph->row_first[r + 1];

          if (row_is_fixed (graph, r) || end - begin > TRANSPOSE_MAX)
            continue;
          for (guint32 i = begin; i + 1 < end; i++)
            {
              guint32 v = self->order[i];
              guint32 w = self->order[i + 1];
              guint64 pairs = (guint64) (self->up_first[v + 1] - self->up_first[v])
                              * (self->up_first[w + 1] - self->up_first[w])
                              + (guint64) (self->down_first[v + 1] - self->down_first[v])
                              * (self->down_first[w + 1] - self->down_first[w]);

              if (pairs == 0 || self->work + pairs > TRANSPOSE_WORK)
                continue;
              self->work += pairs;
              if (exchange_gain (self->up_first, self->up, self->place, v, w)
                  + exchange_gain (self->down_first, self->down, self->place, v, w) <= 0)
                continue;
              self->order[i] = w;
              self->order[i + 1] = v;
              self->place[w] = i - begin;
              self->place[v] = i + 1 - begin;
              improved = TRUE;
            }
        }
      if (!improved)
        break;
    }
}

/* Sweeps from the present order; the best order ends in @best. */
static guint64
improve (Orderer *self,
         guint32 *best)
{
  const FlowOrderGraph *graph = self->graph;
  g_autoptr(GArray) sorted = g_array_new (FALSE, FALSE, sizeof (SortEntry));
  guint64 best_count;
  guint idle = 0;

  transpose (self);
  best_count = _flow_order_count (graph, self->order);
  memcpy (best, self->order, sizeof (guint32) * graph->n);
  for (guint sweep = 0; sweep < SWEEPS_MAX && best_count > 0 && idle < SWEEPS_IDLE; sweep++)
    {
      gboolean down = sweep % 2 == 0;
      gboolean reverse_ties = sweep / 2 % 2 == 1;
      guint64 count;

      if (g_cancellable_is_cancelled (self->cancellable))
        break;
      for (guint row = 1; row < graph->n_rows; row++)
        {
          guint r = down ? row : graph->n_rows - 1 - row;

          if (!row_is_fixed (graph, r))
            sweep_row (self, r, down, reverse_ties, sorted);
        }
      transpose (self);
      count = _flow_order_count (graph, self->order);
      idle = count + best_count / 200 < best_count ? 0 : idle + 1;
      if (count < best_count)
        {
          best_count = count;
          memcpy (best, self->order, sizeof (guint32) * graph->n);
        }
    }
  return best_count;
}

/*
 * _flow_order:
 * @graph: with row_first filled and @order holding the entries by row in model order
 *
 * Orders every row so that few edges cross.
 */
void
_flow_order (FlowOrderGraph *graph,
             GCancellable   *cancellable)
{
  Orderer self = { .graph = graph, .cancellable = cancellable };
  g_autofree guint32 *from_top = g_new (guint32, (gsize) graph->n + 1);
  g_autofree guint32 *from_bottom = g_new (guint32, (gsize) graph->n + 1);
  guint64 count_top;
  guint64 count_bottom = G_MAXUINT64;

  if (graph->n == 0 || graph->m == 0)
    return;
  make_neighbours (graph, graph->upper, graph->lower, &self.down_first, &self.down);
  make_neighbours (graph, graph->lower, graph->upper, &self.up_first, &self.up);
  self.place = g_new0 (guint32, graph->n);
  self.order = g_new (guint32, graph->n);

  start_by_walk (&self, TRUE);
  count_top = improve (&self, from_top);
  if (count_top > 0)
    {
      start_by_walk (&self, FALSE);
      count_bottom = improve (&self, from_bottom);
    }
  memcpy (graph->order, count_bottom < count_top ? from_bottom : from_top,
          sizeof (guint32) * graph->n);

  g_free (self.up_first);
  g_free (self.up);
  g_free (self.down_first);
  g_free (self.down);
  g_free (self.place);
  g_free (self.order);
}
