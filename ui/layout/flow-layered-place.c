/* flow-layered-place.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>

/* x of the entries, rows and orders given. Each sweep solves one row exactly: the least-squares
 * places under order and gaps, by pooling adjacent violators. */

#define N_SWEEPS 12

/* What an entry without neighbours on the side looked at holds on to its place with. */
#define WEIGHT_IDLE 0.05

double
_flow_gap_between (guint8 a,
                   guint8 b,
                   double item_gap)
{
  if (a == FLOW_ENTRY_DUMMY && b == FLOW_ENTRY_DUMMY)
    return FLOW_GAP_EDGES;
  if (a == FLOW_ENTRY_DUMMY || b == FLOW_ENTRY_DUMMY)
    return FLOW_GAP_ITEM_EDGE + item_gap / 2.0;
  if (a == FLOW_ENTRY_PORT || b == FLOW_ENTRY_PORT)
    return FLOW_GAP_PORTS;
  return FLOW_GAP_ITEMS + item_gap;
}

/*
 * _flow_isotonic:
 * @values: in: wanted, out: the nearest non-decreasing values
 * @weights: above 0
 *
 * Least squares by pooling adjacent violators, in linear time. Values that are in order already
 * come back bit for bit.
 */
void
_flow_isotonic (double       *values,
                const double *weights,
                guint         n)
{
  g_autofree double *mean = g_new (double, (gsize) n + 1);
  g_autofree double *weight = g_new (double, (gsize) n + 1);
  g_autofree guint32 *end = g_new (guint32, (gsize) n + 1);
  guint n_blocks = 0;
  guint k = 0;

  for (guint i = 0; i < n; i++)
    {
      mean[n_blocks] = values[i];
      weight[n_blocks] = weights[i];
      end[n_blocks++] = i + 1;
      while (n_blocks > 1 && mean[n_blocks - 2] > mean[n_blocks - 1])
        {
          double sum = weight[n_blocks - 2] + weight[n_blocks - 1];

          mean[n_blocks - 2] = (mean[n_blocks - 2] * weight[n_blocks - 2]
                                + mean[n_blocks - 1] * weight[n_blocks - 1]) / sum;
          weight[n_blocks - 2] = sum;
          end[n_blocks - 2] = end[n_blocks - 1];
          n_blocks--;
        }
    }
  for (guint block = 0; block < n_blocks; block++)
    for (; k < end[block]; k++)
      values[k] = mean[block];
}

typedef struct {
  FlowPlaceGraph *graph;
  guint32 *up_first;
  guint32 *up;                 /* edges */
  guint32 *down_first;
  guint32 *down;
  double *values;
  double *weights;
  double *offset;              /* least distance from the first entry of the row */
} Placer;

static void
make_edge_lists (const FlowPlaceGraph *graph,
                 const guint32        *at,
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
    list[first[at[e] + 1]++] = e;
  *first_out = first;
  *list_out = list;
}

static double
edge_weight (const FlowPlaceGraph *graph,
             guint32               e)
{
  guint n_dummies = (graph->kind[graph->upper[e]] == FLOW_ENTRY_DUMMY)
                    + (graph->kind[graph->lower[e]] == FLOW_ENTRY_DUMMY);

  return n_dummies == 0 ? 1.0 : n_dummies == 1 ? 2.0 : 8.0;
}

static void
want_side (const Placer  *self,
           guint32        v,
           const guint32 *first,
           const guint32 *list,
           const guint32 *other,
           double         sign,
           double        *sum,
           double        *weight)
{
  double root = sqrt ((double) (first[v + 1] - first[v]));

  for (guint32 i = first[v]; i < first[v + 1]; i++)
    {
      double w = edge_weight (self->graph, list[i]) / root;

      *sum += w * (self->graph->x[other[list[i]]]
                   + (self->graph->offset != NULL ? sign * self->graph->offset[list[i]] : 0.0));
      *weight += w;
    }
}

static void
place_row (Placer  *self,
           guint    row,
           gboolean up,
           gboolean down)
{
  FlowPlaceGraph *graph = self->graph;
  guint32 begin = graph->row_first[row];
  guint n = graph->row_first[row + 1] - begin;

  for (guint i = 0; i < n; i++)
    {
      guint32 v = graph->order[begin + i];
      double sum = 0.0;
      double weight = 0.0;

      if (up)
        want_side (self, v, self->up_first, self->up, graph->upper, 1.0, &sum, &weight);
      if (down)
        want_side (self, v, self->down_first, self->down, graph->lower, -1.0, &sum, &weight);
      if (weight <= 0.0)
        {
          weight = WEIGHT_IDLE;
          sum = weight * graph->x[v];
        }
      self->values[i] = sum / weight - self->offset[begin + i];
      self->weights[i] = weight;
    }
  _flow_isotonic (self->values, self->weights, n);
  for (guint i = 0; i < n; i++)
    graph->x[graph->order[begin + i]] = self->values[i] + self->offset[begin + i];
}

/*
 * _flow_place:
 *
 * Fills the centres of all entries, the leftmost edge at 0.
 */
void
_flow_place (FlowPlaceGraph *graph)
{
  Placer self = { .graph = graph };
  double left = G_MAXDOUBLE;

  self.values = g_new (double, (gsize) graph->n + 1);
  self.weights = g_new (double, (gsize) graph->n + 1);
  self.offset = g_new (double, (gsize) graph->n + 1);
  make_edge_lists (graph, graph->upper, &self.down_first, &self.down);
  make_edge_lists (graph, graph->lower, &self.up_first, &self.up);

  for (guint r = 0; r < graph->n_rows; r++)
    for (guint32 i = graph->row_first[r]; i < graph->row_first[r + 1]; i++)
      {
        guint32 v = graph->order[i];

        if (i == graph->row_first[r])
          self.offset[i] = 0.0;
        else
          {
            guint32 before = graph->order[i - 1];

            self.offset[i] = self.offset[i - 1]
                             + ((double) graph->width[before] + graph->width[v]) / 2.0
                             + _flow_gap_between (graph->kind[before], graph->kind[v], graph->item_gap);
          }
        graph->x[v] = self.offset[i];
      }
  for (guint sweep = 0; sweep < N_SWEEPS; sweep++)
    for (guint row = 0; row < graph->n_rows; row++)
      {
        guint r = sweep % 3 == 1 ? graph->n_rows - 1 - row : row;

        place_row (&self, r, sweep % 3 != 1, sweep % 3 != 0);
      }
  for (guint v = 0; v < graph->n; v++)
    left = MIN (left, graph->x[v] - graph->width[v] / 2.0);
  for (guint v = 0; v < graph->n; v++)
    graph->x[v] -= left;

  g_free (self.up_first);
  g_free (self.up);
  g_free (self.down_first);
  g_free (self.down);
  g_free (self.values);
  g_free (self.weights);
  g_free (self.offset);
}
