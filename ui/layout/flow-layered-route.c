/* flow-layered-route.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>
#include <string.h>

/* The lines between boxes that stand where they are to be. */

/* Lines end at least this far from a box's corner, and this far from each other. */
#define ATTACH_MARGIN 10.0
#define ATTACH_GAP 7.0

/* Dummies this near to the line above it stand straight below it. */
#define STRAIGHTEN 3.0

/* Corners of what goes over to the next column. */
#define LANE_RADIUS 9.0

typedef struct {
  double aim;
  guint32 end;                 /* 2 x edge + (1: the lower end) */
} EndEntry;

static int
compare_ends (gconstpointer a,
              gconstpointer b)
{
  const EndEntry *x = a;
  const EndEntry *y = b;

  if (x->aim != y->aim)
    return x->aim < y->aim ? -1 : 1;
  return x->end < y->end ? -1 : x->end > y->end;
}

/* The ends at one side of one box, aimed at their next points and kept apart. */
static void
spread_ends (FlowArranger *self,
             guint32   item,
             EndEntry *ends,
             guint     n)
{
  double half = MAX (self->width[item] / 2.0 - ATTACH_MARGIN, 0.0);
  double left = self->x[item] - half;
  double right = self->x[item] + half;
  double gap = n > 1 ? MIN (ATTACH_GAP, 2.0 * half / (n - 1)) : 0.0;
  g_autofree double *values = g_new (double, n);
  g_autofree double *weights = g_new (double, n);

  qsort (ends, n, sizeof *ends, compare_ends);
  for (guint i = 0; i < n; i++)
    {
      values[i] = CLAMP (ends[i].aim, left, right) - i * gap;
      weights[i] = 1.0;
    }
  _flow_isotonic (values, weights, n);
  for (guint i = 0; i < n; i++)
    {
      double x = CLAMP (values[i], left, MAX (right - (n - 1) * gap, left)) + i * gap;

      self->ends[ends[i].end] = x;
    }
}

/* Where a line wants to leave or enter: straight above or below its other end where the two boxes
 * face each other, else towards it. */
static double
aim_end (const FlowArranger         *self,
         guint                   e,
         const FlowLayeredChain *chain,
         guint                   lower)
{
  const guint32 *entries = self->layered->chain_entries + chain->first;
  guint32 item = lower ? entries[chain->count - 1] : entries[0];
  guint32 next = lower ? entries[chain->count - 2] : entries[1];
  double half = MAX (self->width[item] / 2.0 - ATTACH_MARGIN, 0.0);
  double next_half;
  double left;
  double right;

  if (next >= self->layered->n_items)
    return self->x[next];
  /* An open box has its own idea of where the other end is. */
  if (!isnan (self->ends[2 * e + 1 - lower]))
    return self->ends[2 * e + 1 - lower];
  next_half = MAX (self->width[next] / 2.0 - ATTACH_MARGIN, 0.0);
  left = MAX (self->x[item] - half, self->x[next] - next_half);
  right = MIN (self->x[item] + half, self->x[next] + next_half);
  return left <= right ? CLAMP ((self->x[item] + self->x[next]) / 2.0, left, right)
         : self->x[next];
}

static void
attach_ends (FlowArranger *self)
{
  const FlowLayered *layered = self->layered;
  g_autofree guint32 *first = g_new0 (guint32, 2 * (gsize) layered->n_items + 2);
  g_autofree EndEntry *ends = g_new (EndEntry, 2 * (gsize) layered->n_edges + 1);

  for (guint e = 0; e < 2 * layered->n_edges; e++)
    self->ends[e] = NAN;
  for (guint pass = 0; pass < 3; pass++)
    {
      for (guint e = 0; e < layered->n_edges; e++)
        {
          const FlowLayeredChain *chain = &layered->chains[e];
          const guint32 *entries = layered->chain_entries + chain->first;

          if (chain->count == 0)
            continue;
          for (guint lower = 0; lower < 2; lower++)
            {
              guint32 item = lower ? entries[chain->count - 1] : entries[0];
              /* attach is by source and target, ends by upper and lower */
              float given = self->attach != NULL
                            ? self->attach[2 * e + (chain->reversed ? 1 - lower : lower)] : NAN;
              guint slot = 2 * item + lower;

              if (!isnan (given))
                self->ends[2 * e + lower] = self->x[item] - self->width[item] / 2.0 + given;
              else if (pass == 1)
                first[slot + 1]++;
              else if (pass == 2)
                ends[first[slot]++] = (EndEntry) { aim_end (self, e, chain, lower), 2 * e + lower };
            }
        }
      if (pass == 1)
        for (guint i = 0; i <= 2 * layered->n_items; i++)
          first[i + 1] += first[i];
    }
  for (guint slot = 0; slot < 2 * layered->n_items; slot++)
    {
      guint32 begin = slot > 0 ? first[slot - 1] : 0;

      if (first[slot] > begin)
        spread_ends (self, slot / 2, ends + begin, first[slot] - begin);
    }
}

static void
add_cubic (GArray *points,
           double  c1x, double c1y,
           double  c2x, double c2y,
           double  x,   double y)
{
  float cubic[6] = { c1x, c1y, c2x, c2y, x, y };

  g_array_append_vals (points, cubic, 6);
}

/* A straight run down; joined to the one before it where that is one too. */
static void
add_drop (GArray *points,
          guint   first,
          double  x,
          double  y)
{
  float *data = (float *) (gpointer) points->data;
  guint n = points->len;
  double x0 = data[n - 2];
  double y0 = data[n - 1];

  if (y - y0 < 0.01)
    return;
  if (n - first >= 8 && data[n - 8] == data[n - 2] && data[n - 6] == data[n - 2]
      && data[n - 4] == data[n - 2] && fabs (x - x0) < 0.01)
    {
      y0 = data[n - 7];
      g_array_set_size (points, n - 6);
    }
  add_cubic (points, x0, y0 + (y - y0) / 3.0, x, y0 + (y - y0) * 2.0 / 3.0, x, y);
}

static void
reverse_points (float *points,
                guint  n)
{
  for (guint i = 0; i < n / 2; i++)
    {
      float x = points[2 * i];
      float y = points[2 * i + 1];

      points[2 * i] = points[2 * (n - 1 - i)];
      points[2 * i + 1] = points[2 * (n - 1 - i) + 1];
      points[2 * (n - 1 - i)] = x;
      points[2 * (n - 1 - i) + 1] = y;
    }
}

/* Around corners: a line to each of these points in turn, but for the last, where it stops. */
static void
add_corners (GArray       *points,
             const double *corners,
             guint         n)
{
  for (guint i = 0; i < n; i++)
    {
      const float *data = (const float *) (gconstpointer) points->data;
      double x0 = data[points->len - 2];
      double y0 = data[points->len - 1];
      double x = corners[2 * i];
      double y = corners[2 * i + 1];
      double length = fabs (x - x0) + fabs (y - y0);
      double out = i + 1 < n ? fabs (corners[2 * i + 2] - x) + fabs (corners[2 * i + 3] - y) : 0.0;
      double radius = MIN (LANE_RADIUS, MIN (length, out) / 2.0);
      double t = length > 0.0 ? 1.0 - radius / length : 1.0;
      double stop_x = x0 + (x - x0) * t;
      double stop_y = y0 + (y - y0) * t;

      if (length - radius > 0.01)
        add_cubic (points, x0 + (stop_x - x0) / 3.0, y0 + (stop_y - y0) / 3.0,
                   x0 + (stop_x - x0) * 2.0 / 3.0, y0 + (stop_y - y0) * 2.0 / 3.0, stop_x, stop_y);
      if (radius > 0.01)
        {
          double u = radius / out;

          add_cubic (points, stop_x + (x - stop_x) * 0.55, stop_y + (y - stop_y) * 0.55,
                     x + (corners[2 * i + 2] - x) * u * 0.45, y + (corners[2 * i + 3] - y) * u * 0.45,
                     x + (corners[2 * i + 2] - x) * u, y + (corners[2 * i + 3] - y) * u);
        }
    }
}

/* A line on its way from the last row of a column to the first of the next. */
typedef struct {
  guint32 step;                /* of the chains' entries: the one it goes to */
  guint32 row;                 /* that it leaves */
  double from;                 /* x there */
  double below;                /* y of its way along the end of the column */
  double between;              /* x of its way up */
  double above;                /* y of its way along the beginning of the next */
} Lane;

static int
compare_lanes (gconstpointer a,
               gconstpointer b)
{
  const Lane *x = a;
  const Lane *y = b;

  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* The lanes of one column's end: the leftmost line goes lowest below it, furthest to the right between the two
 * and lowest above the next, so that none crosses another. */
static void
place_lanes (const FlowArranger *self,
             Lane               *lanes,
             guint               n)
{
  const FlowLayered *layered = self->layered;
  guint32 row = lanes[0].row;
  guint32 first = row;
  double right = -G_MAXDOUBLE;
  double bottom = 0.0;

  for (guint p = 0; p < layered->n_parts; p++)
    if (row >= layered->parts[p].first_row && row < layered->parts[p].first_row + layered->parts[p].n_rows)
      first = layered->parts[p].first_row;
  for (guint32 r = row + 1; r-- > first && layered->rows[r].band == layered->rows[row].band;)
    {
      bottom = MAX (bottom, self->row_y[r] + self->row_height[r]);
      for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
        {
          guint32 v = layered->order[i];

          right = MAX (right, self->x[v] + (v < layered->n_items ? self->width[v] / 2.0 : 0.0));
        }
    }
  for (guint k = 0; k < n; k++)
    {
      lanes[k].below = bottom + FLOW_GAP_LANE_BOX + (n - 1 - k) * FLOW_GAP_LANES;
      lanes[k].between = right + FLOW_GAP_LANE_BOX + (n - 1 - k) * FLOW_GAP_LANES;
      lanes[k].above = self->row_y[row + 1] - FLOW_GAP_LANE_BOX - k * FLOW_GAP_LANES;
    }
}

static GArray *
find_lanes (const FlowArranger *self,
            const guint32      *row_of)
{
  const FlowLayered *layered = self->layered;
  GArray *lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  Lane *data;

  for (guint e = 0; e < layered->n_edges; e++)
    for (guint i = 1; i < layered->chains[e].count; i++)
      {
        guint32 step = layered->chains[e].first + i;
        guint32 before = layered->chain_entries[step - 1];
        Lane lane = { .step = step, .row = row_of[before] };

        if (layered->rows[lane.row].band == layered->rows[row_of[layered->chain_entries[step]]].band)
          continue;
        lane.from = i == 1 ? self->ends[2 * e] : self->x[before];
        g_array_append_val (lanes, lane);
      }
  g_array_sort (lanes, compare_lanes);
  data = (Lane *) (gpointer) lanes->data;
  for (guint i = 0, next; i < lanes->len; i = next)
    {
      for (next = i + 1; next < lanes->len && data[next].row == data[i].row; next++)
        ;
      place_lanes (self, data + i, next - i);
    }
  return lanes;
}

static void
route_edge (FlowArranger  *self,
            guint          e,
            const guint32 *row_of,
            const Lane   **lane_of,
            GArray        *points)
{
  const FlowLayered *layered = self->layered;
  const FlowLayeredChain *chain = &layered->chains[e];
  const guint32 *entries = layered->chain_entries + chain->first;
  guint32 source = entries[0];
  guint32 target = entries[chain->count - 1];
  guint first = points->len;
  double x = self->ends[2 * e];
  double y = self->y[source] + self->height[source];
  float start[2] = { x, y };

  g_array_append_vals (points, start, 2);
  add_drop (points, first, x, self->row_y[row_of[source]] + self->row_height[row_of[source]]);
  for (guint i = 1; i < chain->count; i++)
    {
      guint32 v = entries[i];
      guint32 row = row_of[v];
      double y0 = self->row_y[row_of[entries[i - 1]]] + self->row_height[row_of[entries[i - 1]]];
      double y1 = self->row_y[row];
      double next = i + 1 == chain->count ? self->ends[2 * e + 1] : self->x[v];
      double bend = (y1 - y0) / 2.0;

      if (lane_of != NULL && lane_of[chain->first + i] != NULL)
        {
          const Lane *lane = lane_of[chain->first + i];
          const double corners[] = { x, lane->below, lane->between, lane->below, lane->between, lane->above,
                                     next, lane->above, next, y1 };

          add_corners (points, corners, 5);
        }
      else if (i + 1 < chain->count && fabs (next - x) < STRAIGHTEN)
        add_drop (points, first, x, y1);
      else if (fabs (next - x) < 0.5)
        add_drop (points, first, x, y1);
      else
        add_cubic (points, x, y0 + bend, next, y1 - bend, next, y1);
      x = g_array_index (points, float, points->len - 2);
      if (i + 1 < chain->count)
        add_drop (points, first, x, y1 + self->row_height[row]);
    }
  add_drop (points, first, x, self->y[target]);
  if (chain->reversed)
    reverse_points ((float *) (gpointer) points->data + first, (points->len - first) / 2);
}

/*
 * _flow_layered_route:
 *
 * The lines, everything else being where it is to be.
 */
void
_flow_layered_route (FlowArranger    *self,
                     FlowArrangement *result)
{
  const FlowLayered *layered = self->layered;
  g_autofree guint32 *row_of = g_new0 (guint32, (gsize) layered->n_entries + 1);
  g_autofree const Lane **lane_of = NULL;
  g_autoptr(GArray) lanes = NULL;
  GArray *points = g_array_sized_new (FALSE, FALSE, sizeof (float), 16 * layered->n_edges + 16);

  for (guint r = 0; r < layered->n_rows; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      row_of[layered->order[i]] = r;
  attach_ends (self);
  lanes = find_lanes (self, row_of);
  if (lanes->len > 0)
    lane_of = g_new0 (const Lane *, (gsize) layered->n_chain_entries + 1);
  for (guint i = 0; i < lanes->len; i++)
    lane_of[g_array_index (lanes, Lane, i).step] = &g_array_index (lanes, Lane, i);
  for (guint e = 0; e < layered->n_edges; e++)
    {
      result->edge_first[e] = points->len / 2;
      if (layered->chains[e].count > 0)
        route_edge (self, e, row_of, lane_of, points);
    }
  result->edge_first[layered->n_edges] = points->len / 2;
  result->points = (float *) (gpointer) g_array_free (points, FALSE);
}
