/* flow-layered.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>
#include <string.h>

#define NONE G_MAXUINT32

/* More items or edges than this in one group are laid out as a grid: the steps above this one
 * (series, sections) keep real graphs far below it. */
#define ITEMS_MAX 60000
#define EDGES_MAX 400000

FlowLayeredInput *
flow_layered_input_new (guint n_items,
                        guint n_edges)
{
  FlowLayeredInput *self = g_new0 (FlowLayeredInput, 1);

  self->n_items = n_items;
  self->width = g_new0 (float, (gsize) n_items + 1);
  self->height = g_new0 (float, (gsize) n_items + 1);
  self->place = g_new0 (guint8, (gsize) n_items + 1);
  self->n_edges = n_edges;
  self->edges = g_new0 (FlowLayeredEdge, (gsize) n_edges + 1);
  return self;
}

void
flow_layered_input_free (FlowLayeredInput *self)
{
  if (self == NULL)
    return;
  g_free (self->width);
  g_free (self->height);
  g_free (self->place);
  g_free (self->key);
  g_free (self->edges);
  g_free (self);
}

FlowLayered *
flow_layered_ref (FlowLayered *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
flow_layered_unref (FlowLayered *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->place);
  g_free (self->entry_width);
  g_free (self->entry_height);
  g_free (self->entry_x);
  g_free (self->order);
  g_free (self->rows);
  g_free (self->parts);
  g_free (self->chains);
  g_free (self->chain_entries);
  g_free (self);
}

FlowEntryKind
_flow_layered_entry_kind (const FlowLayered *self,
                          guint32            entry)
{
  if (entry >= self->n_items)
    return FLOW_ENTRY_DUMMY;
  return self->place[entry] == FLOW_LAYERED_PORT_IN || self->place[entry] == FLOW_LAYERED_PORT_OUT
         ? FLOW_ENTRY_PORT : FLOW_ENTRY_ITEM;
}

/* --- making the structure ------------------------------------------------------------------- */

typedef struct {
  const FlowLayeredInput *input;
  GCancellable *cancellable;
  guint8 *place;
  guint8 *reversed;            /* per edge */
  guint32 *component;          /* per item; NONE: not in the layers */
  guint n_components;
  gint32 *rank;                /* per item, within its component, then within its part */
  gint32 *layer;               /* its rank before wide rows were split */
  guint32 *part;               /* per component */
  GArray *entry_rank;          /* gint32 per entry, items first */
  GArray *entry_part;          /* guint32 per entry */
  GArray *chain_entries;       /* guint32 */
  FlowLayeredChain *chains;
  guint n_parts;
  gboolean has_ports;
} Maker;

static gboolean
is_port (guint8 place)
{
  return place == FLOW_LAYERED_PORT_IN || place == FLOW_LAYERED_PORT_OUT;
}

static guint32
find_root (guint32 *parent,
           guint32  v)
{
  while (parent[v] != v)
    {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
  return v;
}

/* Components of the items in the layers. One without a line goes to the grid. */
static void
find_components (Maker *self)
{
  const FlowLayeredInput *input = self->input;
  g_autofree guint32 *parent = g_new (guint32, (gsize) input->n_items + 1);
  g_autofree guint8 *linked = g_new0 (guint8, (gsize) input->n_items + 1);
  g_autofree guint32 *number = g_new (guint32, (gsize) input->n_items + 1);

  for (guint v = 0; v < input->n_items; v++)
    {
      parent[v] = v;
      number[v] = NONE;
      if (is_port (self->place[v]))
        self->has_ports = TRUE;
    }
  for (guint e = 0; e < input->n_edges; e++)
    {
      guint32 a = input->edges[e].from;
      guint32 b = input->edges[e].to;

      if (a == b)
        continue;
      linked[a] = linked[b] = 1;
      if (self->place[a] != FLOW_LAYERED_FLOW || self->place[b] != FLOW_LAYERED_FLOW)
        continue;
      a = find_root (parent, a);
      b = find_root (parent, b);
      parent[MAX (a, b)] = MIN (a, b);
    }
  for (guint v = 0; v < input->n_items; v++)
    {
      guint32 root;

      self->component[v] = NONE;
      if (self->place[v] != FLOW_LAYERED_FLOW)
        continue;
      if (!linked[v])
        {
          self->place[v] = FLOW_LAYERED_GRID;
          continue;
        }
      root = find_root (parent, v);
      if (number[root] == NONE)
        number[root] = self->n_components++;
      self->component[v] = number[root];
    }
}

static gboolean
in_layers (const Maker           *self,
           const FlowLayeredEdge *edge)
{
  return edge->from != edge->to && self->place[edge->from] == FLOW_LAYERED_FLOW
         && self->place[edge->to] == FLOW_LAYERED_FLOW;
}

/* Ranks of every component, each a graph of its own. */
static void
rank_components (Maker *self)
{
  const FlowLayeredInput *input = self->input;
  g_autofree guint32 *n_items = g_new0 (guint32, (gsize) self->n_components + 1);
  g_autofree guint32 *n_edges = g_new0 (guint32, (gsize) self->n_components + 1);
  g_autofree guint32 *local = g_new0 (guint32, (gsize) input->n_items + 1);
  g_autofree FlowRankGraph *graphs = g_new0 (FlowRankGraph, (gsize) self->n_components + 1);

  for (guint v = 0; v < input->n_items; v++)
    if (self->component[v] != NONE)
      local[v] = n_items[self->component[v]]++;
  for (guint e = 0; e < input->n_edges; e++)
    if (in_layers (self, &input->edges[e]))
      n_edges[self->component[input->edges[e].from]]++;
  for (guint c = 0; c < self->n_components; c++)
    {
      graphs[c].n = n_items[c];
      graphs[c].from = g_new (guint32, (gsize) n_edges[c] + 1);
      graphs[c].to = g_new (guint32, (gsize) n_edges[c] + 1);
      graphs[c].weight = g_new (gint32, (gsize) n_edges[c] + 1);
      graphs[c].rank = g_new0 (gint32, (gsize) n_items[c] + 1);
    }
  for (guint e = 0; e < input->n_edges; e++)
    if (in_layers (self, &input->edges[e]))
      {
        const FlowLayeredEdge *edge = &input->edges[e];
        FlowRankGraph *graph = &graphs[self->component[edge->from]];

        graph->from[graph->m] = local[self->reversed[e] ? edge->to : edge->from];
        graph->to[graph->m] = local[self->reversed[e] ? edge->from : edge->to];
        graph->weight[graph->m++] = MAX (edge->weight, 1);
      }
  for (guint c = 0; c < self->n_components; c++)
    _flow_rank (&graphs[c], self->cancellable);
  for (guint v = 0; v < input->n_items; v++)
    if (self->component[v] != NONE)
      self->rank[v] = graphs[self->component[v]].rank[local[v]];
  for (guint c = 0; c < self->n_components; c++)
    {
      g_free (graphs[c].from);
      g_free (graphs[c].to);
      g_free (graphs[c].weight);
      g_free (graphs[c].rank);
    }
}

/* Components that a port feeds or drains share part 0 with the ports; the others are alone. Those
 * that only feed ports hang at the bottom of that part. */
static void
make_parts (Maker *self)
{
  const FlowLayeredInput *input = self->input;
  g_autofree guint8 *fed = g_new0 (guint8, (gsize) self->n_components + 1);
  g_autofree guint8 *drained = g_new0 (guint8, (gsize) self->n_components + 1);
  g_autofree gint32 *depth = g_new0 (gint32, (gsize) self->n_components + 1);
  gboolean has_in = FALSE;
  gint32 main_rows = 0;

  for (guint e = 0; e < input->n_edges; e++)
    {
      const FlowLayeredEdge *edge = &input->edges[e];

      if (self->place[edge->from] == FLOW_LAYERED_PORT_IN && self->component[edge->to] != NONE)
        fed[self->component[edge->to]] = 1;
      if (self->place[edge->to] == FLOW_LAYERED_PORT_OUT && self->component[edge->from] != NONE)
        drained[self->component[edge->from]] = 1;
    }
  for (guint v = 0; v < input->n_items; v++)
    {
      has_in = has_in || self->place[v] == FLOW_LAYERED_PORT_IN;
      if (self->component[v] != NONE)
        depth[self->component[v]] = MAX (depth[self->component[v]], self->rank[v] + 1);
    }
  self->n_parts = self->has_ports ? 1 : 0;
  for (guint c = 0; c < self->n_components; c++)
    if (fed[c] || drained[c])
      {
        self->part[c] = 0;
        main_rows = MAX (main_rows, depth[c]);
      }
    else
      self->part[c] = self->n_parts++;
  for (guint v = 0; v < input->n_items; v++)
    {
      guint32 c = self->component[v];

      if (self->place[v] == FLOW_LAYERED_PORT_IN)
        self->rank[v] = 0;
      else if (self->place[v] == FLOW_LAYERED_PORT_OUT)
        self->rank[v] = main_rows + (has_in ? 1 : 0);
      else if (c != NONE && (fed[c] || drained[c]))
        self->rank[v] += (has_in ? 1 : 0) + (fed[c] ? 0 : main_rows - depth[c]);
    }
}

typedef struct {
  guint32 item;
  guint32 part;
  gint32 layer;
  guint8 role;                 /* is only fed, neither, only feeds */
} RowItem;

static int
compare_row_items (gconstpointer a,
                   gconstpointer b)
{
  const RowItem *x = a;
  const RowItem *y = b;

  if (x->part != y->part)
    return x->part < y->part ? -1 : 1;
  if (x->layer != y->layer)
    return x->layer < y->layer ? -1 : 1;
  if (x->role != y->role)
    return x->role < y->role ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

static GArray *
list_row_items (const Maker *self)
{
  const FlowLayeredInput *input = self->input;
  g_autofree guint8 *feeds = g_new0 (guint8, (gsize) input->n_items + 1);
  g_autofree guint8 *is_fed = g_new0 (guint8, (gsize) input->n_items + 1);
  GArray *items = g_array_new (FALSE, FALSE, sizeof (RowItem));

  for (guint e = 0; e < input->n_edges; e++)
    if (in_layers (self, &input->edges[e]))
      {
        feeds[self->reversed[e] ? input->edges[e].to : input->edges[e].from] = 1;
        is_fed[self->reversed[e] ? input->edges[e].from : input->edges[e].to] = 1;
      }
  for (guint v = 0; v < input->n_items; v++)
    if (self->component[v] != NONE)
      {
        RowItem item = { v, self->part[self->component[v]], self->layer[v], 1 + feeds[v] - is_fed[v] };

        g_array_append_val (items, item);
      }
  g_array_sort (items, compare_row_items);
  return items;
}

/* A row that is wider than it should be becomes several, one below the other: what is only fed stands in the
 * first of them, what only feeds in the last. No line joins two of one row, so all still go down. In the order
 * of the model: what is added at the end finds its place at the end. */
static void
split_wide_rows (Maker *self)
{
  const FlowLayeredInput *input = self->input;
  g_autoptr(GArray) items = list_row_items (self);
  double width = 0.0;
  gint32 below = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const RowItem *item = &g_array_index (items, RowItem, i);
      const RowItem *before = i > 0 ? &g_array_index (items, RowItem, i - 1) : NULL;
      double own = input->width[item->item] + FLOW_GAP_ITEMS + input->shape.item_gap;

      if (before == NULL || before->part != item->part)
        below = 0;
      if (before == NULL || before->part != item->part || before->layer != item->layer)
        width = 0.0;
      else if (width + own > input->shape.row_width + FLOW_GAP_ITEMS)
        {
          width = 0.0;
          below++;
        }
      width += own;
      self->rank[item->item] = item->layer + below;
    }
}

/* The dummies of every edge that is drawn as a line. */
static void
make_chains (Maker *self)
{
  const FlowLayeredInput *input = self->input;
  guint64 n_dummies_max = 4 * ((guint64) input->n_items + input->n_edges) + 64;
  guint64 n_dummies = 0;

  for (guint v = 0; v < input->n_items; v++)
    {
      guint32 part = is_port (self->place[v]) ? 0
                     : self->component[v] == NONE ? NONE : self->part[self->component[v]];

      g_array_append_val (self->entry_rank, self->rank[v]);
      g_array_append_val (self->entry_part, part);
    }
  for (guint e = 0; e < input->n_edges; e++)
    {
      FlowLayeredChain *chain = &self->chains[e];
      guint32 upper = self->reversed[e] ? input->edges[e].to : input->edges[e].from;
      guint32 lower = self->reversed[e] ? input->edges[e].from : input->edges[e].to;
      guint32 part = g_array_index (self->entry_part, guint32, upper);
      gint32 span = self->rank[lower] - self->rank[upper];

      chain->first = self->chain_entries->len;
      chain->reversed = self->reversed[e];
      if (upper == lower || part == NONE
          || g_array_index (self->entry_part, guint32, lower) != part
          || span < 1 || self->layer[lower] - self->layer[upper] > FLOW_SPAN_MAX || n_dummies + span - 1 > n_dummies_max)
        continue;
      g_array_append_val (self->chain_entries, upper);
      for (gint32 r = self->rank[upper] + 1; r < self->rank[lower]; r++)
        {
          guint32 dummy = self->entry_rank->len;

          g_array_append_val (self->entry_rank, r);
          g_array_append_val (self->entry_part, part);
          g_array_append_val (self->chain_entries, dummy);
        }
      g_array_append_val (self->chain_entries, lower);
      chain->count = span + 1;
      n_dummies += span - 1;
    }
}

/* Ports stand in the order that the group around gives them. */
static void
sort_ports (const Maker *self,
            guint32     *entries,
            guint        n)
{
  const float *key = self->input->key;

  for (guint i = 1; i < n; i++)
    for (guint k = i; k > 0 && entries[k - 1] < self->input->n_items
                      && is_port (self->place[entries[k - 1]])
                      && key[entries[k - 1]] > key[entries[k]]; k--)
      {
        guint32 swap = entries[k];

        entries[k] = entries[k - 1];
        entries[k - 1] = swap;
      }
}

/* Part and row of every entry become rows of the result, in model order. */
static void
collect_rows (Maker       *self,
              FlowLayered *layered)
{
  guint n_entries = self->entry_rank->len;
  g_autofree gint32 *n_rows = g_new0 (gint32, (gsize) self->n_parts + 1);
  g_autofree guint32 *fill = NULL;
  const gint32 *rank = (const gint32 *) (gconstpointer) self->entry_rank->data;
  const guint32 *part = (const guint32 *) (gconstpointer) self->entry_part->data;
  guint32 first = 0;

  for (guint v = 0; v < n_entries; v++)
    if (part[v] != NONE)
      n_rows[part[v]] = MAX (n_rows[part[v]], rank[v] + 1);
  for (guint p = 0; p < self->n_parts; p++)
    {
      layered->parts[p].first_row = layered->n_rows;
      layered->parts[p].n_rows = n_rows[p];
      layered->n_rows += n_rows[p];
    }
  layered->rows = g_new0 (FlowLayeredRow, (gsize) layered->n_rows + 2 * n_entries + 2);
  for (guint v = 0; v < n_entries; v++)
    if (part[v] != NONE)
      layered->rows[layered->parts[part[v]].first_row + rank[v]].count++;
  fill = g_new (guint32, (gsize) layered->n_rows + 1);
  for (guint r = 0; r < layered->n_rows; r++)
    {
      layered->rows[r].first = fill[r] = first;
      first += layered->rows[r].count;
    }
  for (guint v = 0; v < n_entries; v++)
    if (part[v] != NONE)
      layered->order[fill[layered->parts[part[v]].first_row + rank[v]]++] = v;
  if (self->has_ports && self->input->key != NULL)
    for (guint r = 0; r < layered->n_rows; r++)
      sort_ports (self, layered->order + layered->rows[r].first, layered->rows[r].count);
}

/* A part's edges between neighbouring rows, with the entries numbered as they stand in the part. */
typedef struct {
  guint n;
  guint32 *global;             /* entry of a local number: the order when it was made */
  guint32 *row;
  guint32 *row_first;
  guint32 *order;
  guint m;
  guint32 *upper;
  guint32 *lower;
  double *offset;              /* per edge: of the lower end's x from the upper's when straight */
} PartGraph;

static void
part_graph_clear (PartGraph *self)
{
  g_free (self->global);
  g_free (self->row);
  g_free (self->row_first);
  g_free (self->order);
  g_free (self->upper);
  g_free (self->lower);
  g_free (self->offset);
}

/* How far right of its box's centre an end that is fixed stands. */
static double
attach_offset (const FlowLayered *self,
               const float       *attach,
               guint              e,
               guint              lower,
               guint32            item)
{
  float given;

  if (attach == NULL || item >= self->n_items)
    return 0.0;
  given = attach[2 * e + (self->chains[e].reversed ? 1 - lower : lower)];
  return isnan (given) ? 0.0 : given - self->entry_width[item] / 2.0;
}

/* All parts at once, so that the chains are walked only once. */
static PartGraph *
make_part_graphs (const FlowLayered *self,
                  const float       *attach)
{
  PartGraph *graphs = g_new0 (PartGraph, (gsize) self->n_parts + 1);
  g_autofree guint32 *part_of = g_new (guint32, (gsize) self->n_entries + 1);
  g_autofree guint32 *local = g_new0 (guint32, (gsize) self->n_entries + 1);
  g_autofree guint32 *n_edges = g_new0 (guint32, (gsize) self->n_parts + 1);

  for (guint p = 0; p < self->n_parts; p++)
    {
      const FlowLayeredPart *part = &self->parts[p];
      PartGraph *graph = &graphs[p];

      if (part->n_columns > 0)
        continue;
      graph->row_first = g_new0 (guint32, (gsize) part->n_rows + 1);
      for (guint r = 0; r < part->n_rows; r++)
        {
          graph->row_first[r] = graph->n;
          graph->n += self->rows[part->first_row + r].count;
        }
      graph->row_first[part->n_rows] = graph->n;
      graph->global = g_new (guint32, (gsize) graph->n + 1);
      graph->row = g_new (guint32, (gsize) graph->n + 1);
      graph->order = g_new (guint32, (gsize) graph->n + 1);
      for (guint r = 0; r < part->n_rows; r++)
        for (guint32 i = graph->row_first[r]; i < graph->row_first[r + 1]; i++)
          {
            guint32 v = self->order[self->rows[part->first_row + r].first
                                    + (i - graph->row_first[r])];

            graph->global[i] = v;
            graph->row[i] = r;
            graph->order[i] = i;
            local[v] = i;
            part_of[v] = p;
          }
    }
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint e = 0; e < self->n_edges; e++)
        for (guint i = 1; i < self->chains[e].count; i++)
          {
            guint32 upper = self->chain_entries[self->chains[e].first + i - 1];
            guint32 lower = self->chain_entries[self->chains[e].first + i];
            PartGraph *graph = &graphs[part_of[upper]];

            if (pass == 0)
              n_edges[part_of[upper]]++;
            else
              {
                graph->offset[graph->m]
                  = (i == 1 ? attach_offset (self, attach, e, 0, upper) : 0.0)
                    - (i + 1 == self->chains[e].count
                       ? attach_offset (self, attach, e, 1, lower) : 0.0);
                graph->upper[graph->m] = local[upper];
                graph->lower[graph->m++] = local[lower];
              }
          }
      if (pass == 0)
        for (guint p = 0; p < self->n_parts; p++)
          {
            graphs[p].upper = g_new (guint32, (gsize) n_edges[p] + 1);
            graphs[p].lower = g_new (guint32, (gsize) n_edges[p] + 1);
            graphs[p].offset = g_new (double, (gsize) n_edges[p] + 1);
          }
    }
  return graphs;
}

static gboolean
row_has_ports (const FlowLayered *self,
               guint32            row)
{
  return self->rows[row].count > 0
         && _flow_layered_entry_kind (self, self->order[self->rows[row].first]) == FLOW_ENTRY_PORT;
}

static void
order_parts (FlowLayered  *self,
             PartGraph    *graphs,
             GCancellable *cancellable)
{
  for (guint p = 0; p < self->n_parts; p++)
    {
      const FlowLayeredPart *part = &self->parts[p];
      PartGraph *graph = &graphs[p];
      FlowOrderGraph order = {
        .n = graph->n, .n_rows = part->n_rows, .row = graph->row,
        .m = graph->m, .upper = graph->upper, .lower = graph->lower,
        .row_first = graph->row_first, .order = graph->order,
      };

      if (part->n_columns > 0 || part->n_rows == 0)
        continue;
      order.fixed_first = row_has_ports (self, part->first_row);
      order.fixed_last = row_has_ports (self, part->first_row + part->n_rows - 1);
      _flow_order (&order, cancellable);
      for (guint r = 0; r < part->n_rows; r++)
        for (guint32 i = graph->row_first[r]; i < graph->row_first[r + 1]; i++)
          self->order[self->rows[part->first_row + r].first + (i - graph->row_first[r])]
            = graph->global[graph->order[i]];
      for (guint e = 0; e < graph->m; e++)
        self->rows[part->first_row + graph->row[graph->upper[e]]].gap_edges++;
    }
}

/* --- base places ----------------------------------------------------------------------------- */

static void
place_parts (FlowLayered *self,
             const float *attach)
{
  PartGraph *graphs = make_part_graphs (self, attach);

  for (guint p = 0; p < self->n_parts; p++)
    {
      PartGraph *graph = &graphs[p];
      g_autofree float *width = g_new0 (float, (gsize) graph->n + 1);
      g_autofree guint8 *kind = g_new0 (guint8, (gsize) graph->n + 1);
      g_autofree double *x = g_new0 (double, (gsize) graph->n + 1);
      FlowPlaceGraph place = {
        .n = graph->n, .n_rows = self->parts[p].n_rows, .row_first = graph->row_first,
        .order = graph->order, .width = width, .kind = kind,
        .m = graph->m, .upper = graph->upper, .lower = graph->lower, .offset = graph->offset,
        .item_gap = self->shape.item_gap, .x = x,
      };

      if (graph->n > 0)
        {
          for (guint i = 0; i < graph->n; i++)
            {
              width[i] = self->entry_width[graph->global[i]];
              kind[i] = _flow_layered_entry_kind (self, graph->global[i]);
            }
          _flow_place (&place);
          for (guint i = 0; i < graph->n; i++)
            self->entry_x[graph->global[i]] = x[i];
        }
      part_graph_clear (graph);
    }
  g_free (graphs);
}

static FlowLayered *
layered_alloc (const FlowLayeredInput *input,
               const guint8           *place,
               guint                   n_entries)
{
  FlowLayered *self = g_new0 (FlowLayered, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_items = input->n_items;
  self->n_entries = n_entries;
  self->n_edges = input->n_edges;
  self->shape = input->shape;
  if (self->shape.row_gap <= 0.0f)
    self->shape.row_gap = FLOW_GAP_ROWS;
  self->place = g_memdup2 (place, (gsize) input->n_items + 1);
  self->entry_width = g_new0 (float, (gsize) n_entries + 1);
  self->entry_height = g_new0 (float, (gsize) n_entries + 1);
  self->entry_x = g_new0 (double, (gsize) n_entries + 1);
  self->order = g_new0 (guint32, (gsize) n_entries + 1);
  for (guint v = 0; v < input->n_items; v++)
    {
      self->entry_width[v] = input->width[v];
      self->entry_height[v] = input->height[v];
    }
  return self;
}

/**
 * flow_layered_new_grid:
 * @input: items; edges are not drawn
 *
 * The way out when the layers cannot be had: a grid in model order.
 */
FlowLayered *
flow_layered_new_grid (const FlowLayeredInput *input)
{
  g_autofree guint8 *place = g_new0 (guint8, (gsize) input->n_items + 1);
  FlowLayered *self;

  for (guint v = 0; v < input->n_items; v++)
    place[v] = input->place[v] == FLOW_LAYERED_FLOW ? FLOW_LAYERED_GRID : input->place[v];
  self = layered_alloc (input, place, input->n_items);
  self->parts = g_new0 (FlowLayeredPart, 5);
  self->rows = g_new0 (FlowLayeredRow, (gsize) input->n_items + 4);
  self->chains = g_new0 (FlowLayeredChain, (gsize) input->n_edges + 1);
  self->chain_entries = g_new0 (guint32, 1);
  self->is_fallback = 1;
  for (guint port = FLOW_LAYERED_PORT_IN; port <= FLOW_LAYERED_PORT_OUT; port++)
    for (guint v = 0; v < input->n_items; v++)
      if (place[v] == port)
        {
          if (self->n_parts == 0 || self->rows[self->n_rows - 1].gap_edges != port)
            {
              self->n_parts = 1;
              self->parts[0].n_rows++;
              self->n_rows++;
              self->rows[self->n_rows - 1].gap_edges = port;
              self->rows[self->n_rows - 1].first = self->n_rows > 1 ? self->rows[0].count : 0;
            }
          self->order[self->rows[self->n_rows - 1].first
                      + self->rows[self->n_rows - 1].count++] = v;
        }
  for (guint r = 0; r < self->n_rows; r++)
    self->rows[r].gap_edges = 0;
  _flow_layered_add_grids (self);
  place_parts (self, NULL);
  _flow_layered_pack_parts (self);
  return self;
}

static void
maker_clear (Maker *self)
{
  g_free (self->place);
  g_free (self->reversed);
  g_free (self->component);
  g_free (self->rank);
  g_free (self->layer);
  g_free (self->part);
  g_array_unref (self->entry_rank);
  g_array_unref (self->entry_part);
  g_array_unref (self->chain_entries);
}

/**
 * flow_layered_new:
 * @input: items with sizes and the edges between them
 * @cancellable: (nullable): polled per sweep and per thousand pivots
 *
 * Lays one group out: cycles, rows, dummies, orders, places. Runs on any thread. The same input
 * gives the same bytes. Falls back to a grid when the input is too large or it was cancelled.
 *
 * Returns: (transfer full): the structure, never %NULL
 */
FlowLayered *
flow_layered_new (const FlowLayeredInput *input,
                  GCancellable           *cancellable)
{
  Maker maker = { .input = input, .cancellable = cancellable };
  gsize n = (gsize) input->n_items + 1;
  FlowLayered *self;
  PartGraph *graphs;
  g_autofree FlowLayeredEdge *ranked = NULL;

  if (input->n_items > ITEMS_MAX || input->n_edges > EDGES_MAX)
    return flow_layered_new_grid (input);

  maker.place = g_memdup2 (input->place, n);
  maker.reversed = g_new0 (guint8, (gsize) input->n_edges + 1);
  maker.component = g_new (guint32, n);
  maker.rank = g_new0 (gint32, n);
  maker.entry_rank = g_array_new (FALSE, FALSE, sizeof (gint32));
  maker.entry_part = g_array_new (FALSE, FALSE, sizeof (guint32));
  maker.chain_entries = g_array_new (FALSE, FALSE, sizeof (guint32));
  maker.chains = g_new0 (FlowLayeredChain, (gsize) input->n_edges + 1);

  find_components (&maker);
  maker.part = g_new0 (guint32, (gsize) maker.n_components + 1);
  /* Edges at ports and shelves take no part in cycles; as self loops they are left alone. */
  ranked = g_memdup2 (input->edges, sizeof *ranked * ((gsize) input->n_edges + 1));
  for (guint e = 0; e < input->n_edges; e++)
    if (!in_layers (&maker, &input->edges[e]))
      ranked[e].to = ranked[e].from;
  _flow_cycles_break (input->n_items, input->n_edges, ranked, maker.reversed);
  rank_components (&maker);
  make_parts (&maker);
  maker.layer = g_memdup2 (maker.rank, sizeof *maker.rank * n);
  if (input->shape.row_width > 0.0f && !maker.has_ports)
    split_wide_rows (&maker);
  make_chains (&maker);

  self = layered_alloc (input, maker.place, maker.entry_rank->len);
  self->n_parts = maker.n_parts;
  self->parts = g_new0 (FlowLayeredPart, (gsize) maker.n_parts + 3);
  self->chains = maker.chains;
  self->n_chain_entries = maker.chain_entries->len;
  self->chain_entries = g_memdup2 (maker.chain_entries->data,
                                   sizeof (guint32) * (gsize) maker.chain_entries->len);
  collect_rows (&maker, self);
  graphs = make_part_graphs (self, NULL);
  order_parts (self, graphs, cancellable);
  for (guint p = 0; p < maker.n_parts; p++)
    part_graph_clear (&graphs[p]);
  g_free (graphs);
  place_parts (self, NULL);
  _flow_layered_choose_bands (self);
  _flow_layered_add_grids (self);
  _flow_layered_pack_parts (self);
  maker_clear (&maker);
  if (g_cancellable_is_cancelled (cancellable))
    {
      flow_layered_unref (self);
      return flow_layered_new_grid (input);
    }
  return self;
}

/**
 * flow_layered_replace:
 * @self: a structure
 * @widths: the items' present widths
 * @heights: likewise
 * @attach: (nullable): as for flow_layered_arrange()
 *
 * The same rows and orders, placed anew for these sizes: for Tidy and for what is opened before
 * anybody has seen it.
 *
 * Returns: (transfer full): a new structure
 */
FlowLayered *
flow_layered_replace (const FlowLayered *self,
                      const float       *widths,
                      const float       *heights,
                      const float       *attach)
{
  FlowLayered *copy = g_memdup2 (self, sizeof *self);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->place = g_memdup2 (self->place, (gsize) self->n_items + 1);
  copy->entry_width = g_memdup2 (self->entry_width, sizeof (float) * ((gsize) self->n_entries + 1));
  copy->entry_height = g_memdup2 (self->entry_height,
                                  sizeof (float) * ((gsize) self->n_entries + 1));
  copy->entry_x = g_memdup2 (self->entry_x, sizeof (double) * ((gsize) self->n_entries + 1));
  copy->order = g_memdup2 (self->order, sizeof (guint32) * ((gsize) self->n_entries + 1));
  copy->rows = g_memdup2 (self->rows, sizeof (FlowLayeredRow) * ((gsize) self->n_rows + 1));
  copy->parts = g_memdup2 (self->parts, sizeof (FlowLayeredPart) * ((gsize) self->n_parts + 1));
  copy->chains = g_memdup2 (self->chains, sizeof (FlowLayeredChain) * ((gsize) self->n_edges + 1));
  copy->chain_entries = g_memdup2 (self->chain_entries,
                                   sizeof (guint32) * (gsize) self->n_chain_entries);
  for (guint v = 0; v < self->n_items; v++)
    {
      copy->entry_width[v] = widths[v];
      copy->entry_height[v] = heights[v];
    }
  place_parts (copy, attach);
  _flow_layered_choose_bands (copy);
  _flow_layered_pack_parts (copy);
  return copy;
}

/**
 * flow_layered_count_crossings:
 *
 * Returns: how often the lines of the layers cross
 */
guint64
flow_layered_count_crossings (const FlowLayered *self)
{
  PartGraph *graphs = make_part_graphs (self, NULL);
  guint64 crossings = 0;

  for (guint p = 0; p < self->n_parts; p++)
    {
      FlowOrderGraph order = {
        .n = graphs[p].n, .n_rows = self->parts[p].n_rows, .row = graphs[p].row,
        .m = graphs[p].m, .upper = graphs[p].upper, .lower = graphs[p].lower,
        .row_first = graphs[p].row_first, .order = graphs[p].order,
      };

      if (graphs[p].n > 0 && graphs[p].m > 0)
        crossings += _flow_order_count (&order, graphs[p].order);
      part_graph_clear (&graphs[p]);
    }
  g_free (graphs);
  return crossings;
}
