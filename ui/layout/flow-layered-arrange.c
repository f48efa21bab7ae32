/* flow-layered-arrange.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>
#include <string.h>

/* From the structure and the present sizes to rectangles and lines. A pure function: what stood
 * before does not matter, so that closing a box undoes opening it exactly. */

/* A box whose size is not that of the structure holds its centre; the others make room. */
#define WEIGHT_CHANGED 1e6

/* Lines end at least this far from a box's corner, and this far from each other. */
#define ATTACH_MARGIN 10.0
#define ATTACH_GAP 7.0

/* Dummies this near to the line above it stand straight below it. */
#define STRAIGHTEN 3.0

/* A row this high or lower has its boxes centred; in a higher one they hang from the top. */
#define ROW_CENTRE_MAX 84.0

typedef struct {
  const FlowLayered *layered;
  const float *width;          /* per item */
  const float *height;
  const float *attach;         /* per edge: x of the source end, of the target end; nullable */
  double *x;                   /* per entry: centre, within its part, then in the group */
  double *y;                   /* per item: top */
  double *row_y;               /* per row */
  double *row_height;
  double *ends;                /* per edge: x of the upper end, of the lower end */
} Arranger;

typedef struct {
  double width;
  double height;
} Size;

static double
entry_width (const Arranger *self,
             guint32         v)
{
  return v < self->layered->n_items ? self->width[v] : 0.0;
}

static gboolean
row_changed (const Arranger       *self,
             const FlowLayeredRow *row)
{
  for (guint32 i = row->first; i < row->first + row->count; i++)
    {
      guint32 v = self->layered->order[i];

      if (v < self->layered->n_items && self->width[v] != self->layered->entry_width[v])
        return TRUE;
    }
  return FALSE;
}

/* Centres of a row: the structure's own, or as near to them as the grown boxes allow. */
static void
arrange_row (Arranger             *self,
             const FlowLayeredRow *row)
{
  const FlowLayered *layered = self->layered;
  const guint32 *order = layered->order + row->first;
  g_autofree double *values = NULL;
  g_autofree double *weights = NULL;
  g_autofree double *offset = NULL;

  for (guint i = 0; i < row->count; i++)
    self->x[order[i]] = layered->entry_x[order[i]];
  if (!row_changed (self, row))
    return;
  values = g_new (double, row->count);
  weights = g_new (double, row->count);
  offset = g_new0 (double, row->count);
  for (guint i = 0; i < row->count; i++)
    {
      guint32 v = order[i];
      gboolean changed = v < layered->n_items && self->width[v] != layered->entry_width[v];

      if (i > 0)
        offset[i] = offset[i - 1]
                    + (entry_width (self, order[i - 1]) + entry_width (self, v)) / 2.0
                    + _flow_gap_between (_flow_layered_entry_kind (layered, order[i - 1]),
                                         _flow_layered_entry_kind (layered, v));
      values[i] = self->x[v] - offset[i];
      weights[i] = changed ? WEIGHT_CHANGED : 1.0;
    }
  _flow_isotonic (values, weights, row->count);
  for (guint i = 0; i < row->count; i++)
    self->x[order[i]] = values[i] + offset[i];
}

static gboolean
row_has_ports (const FlowLayered *layered,
               guint              row)
{
  return layered->rows[row].count > 0
         && _flow_layered_entry_kind (layered, layered->order[layered->rows[row].first])
            == FLOW_ENTRY_PORT;
}

/* The gap below each row: wider where many lines cross it, or lines go far sideways. */
static double *
measure_gaps (const Arranger *self)
{
  const FlowLayered *layered = self->layered;
  double *gaps = g_new0 (double, (gsize) layered->n_rows + 1);
  g_autofree guint32 *row_of = g_new0 (guint32, (gsize) layered->n_entries + 1);

  for (guint r = 0; r < layered->n_rows; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      row_of[layered->order[i]] = r;
  for (guint e = 0; e < layered->n_edges; e++)
    for (guint i = 1; i < layered->chains[e].count; i++)
      {
        guint32 upper = layered->chain_entries[layered->chains[e].first + i - 1];
        guint32 lower = layered->chain_entries[layered->chains[e].first + i];

        gaps[row_of[upper]] = MAX (gaps[row_of[upper]], fabs (self->x[upper] - self->x[lower]));
      }
  for (guint r = 0; r < layered->n_rows; r++)
    {
      /* Next to the border a straight line needs no room: header and padding are there. */
      gboolean at_port = row_has_ports (layered, r)
                         || (r + 1 < layered->n_rows && row_has_ports (layered, r + 1));
      double bend = at_port && gaps[r] > 1.0 ? 14.0 + MIN (gaps[r] * 0.08, 24.0)
                    : MIN (gaps[r] * 0.05, 36.0);

      gaps[r] = MIN ((at_port ? FLOW_GAP_PORT_ROW : layered->row_gap)
                     + 8.0 * (layered->rows[r].gap_edges / 20) + bend, FLOW_GAP_ROWS_MAX);
    }
  return gaps;
}

static void
set_row_heights (Arranger *self)
{
  const FlowLayered *layered = self->layered;

  for (guint r = 0; r < layered->n_rows; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      if (layered->order[i] < layered->n_items)
        self->row_height[r] = MAX (self->row_height[r], self->height[layered->order[i]]);
}

static Size
arrange_layers (Arranger              *self,
                const FlowLayeredPart *part,
                const double          *gaps)
{
  const FlowLayered *layered = self->layered;
  Size size = { 0.0, 0.0 };
  double left = G_MAXDOUBLE;
  gboolean changed = FALSE;
  guint32 end = part->first_row + part->n_rows;

  for (guint32 r = part->first_row; r < end; r++)
    {
      changed = changed || row_changed (self, &layered->rows[r]);
      for (guint32 i = layered->rows[r].first;
           i < layered->rows[r].first + layered->rows[r].count; i++)
        left = MIN (left, self->x[layered->order[i]]
                          - entry_width (self, layered->order[i]) / 2.0);
    }
  for (guint32 r = part->first_row; r < end; r++)
    {
      const FlowLayeredRow *row = &layered->rows[r];
      gboolean last = r + 1 == end
                      || (r + 2 == end && layered->rows[r + 1].count == 0);

      self->row_y[r] = size.height;
      for (guint32 i = row->first; i < row->first + row->count; i++)
        {
          guint32 v = layered->order[i];

          if (changed)
            self->x[v] -= left;
          size.width = MAX (size.width, self->x[v] + entry_width (self, v) / 2.0);
          if (v < layered->n_items)
            self->y[v] = size.height
                         + (self->row_height[r] <= ROW_CENTRE_MAX
                            ? round ((self->row_height[r] - self->height[v]) / 2.0) : 0.0);
        }
      size.height += self->row_height[r] + (last ? 0.0 : gaps[r]);
    }
  return size;
}

static Size
arrange_grid (Arranger              *self,
              const FlowLayeredPart *part)
{
  const FlowLayered *layered = self->layered;
  g_autofree double *column_x = g_new0 (double, (gsize) part->n_columns + 1);
  Size size = { 0.0, 0.0 };

  for (guint r = part->first_row; r < part->first_row + part->n_rows; r++)
    for (guint i = 0; i < layered->rows[r].count; i++)
      {
        guint32 v = layered->order[layered->rows[r].first + i];

        column_x[i + 1] = MAX (column_x[i + 1], self->width[v]);
      }
  for (guint i = 0; i < part->n_columns; i++)
    column_x[i + 1] += column_x[i] + FLOW_GAP_GRID;
  for (guint r = part->first_row; r < part->first_row + part->n_rows; r++)
    {
      self->row_y[r] = size.height;
      for (guint i = 0; i < layered->rows[r].count; i++)
        {
          guint32 v = layered->order[layered->rows[r].first + i];

          self->x[v] = column_x[i] + self->width[v] / 2.0;
          self->y[v] = size.height;
        }
      size.height += self->row_height[r] + FLOW_GAP_GRID;
    }
  size.height -= FLOW_GAP_GRID;
  size.width = column_x[part->n_columns] - FLOW_GAP_GRID;
  return size;
}

/* Shelves from the top, parts of a shelf from the left; sides beside each other. */
static void
pack (Arranger        *self,
      const Size      *sizes,
      FlowArrangement *result)
{
  const FlowLayered *layered = self->layered;
  double side_x = 0.0;

  for (guint side = 0; side < 3; side++)
    {
      double shelf_x = 0.0;
      double shelf_y = 0.0;
      double shelf_height = 0.0;
      double side_width = 0.0;
      int shelf = -1;

      for (guint p = 0; p < layered->n_parts; p++)
        {
          const FlowLayeredPart *part = &layered->parts[p];
          double x;

          if (part->side != side || part->n_rows == 0)
            continue;
          if (shelf != part->shelf)
            {
              if (shelf >= 0)
                shelf_y += shelf_height + FLOW_GAP_PARTS;
              shelf = part->shelf;
              shelf_x = 0.0;
              shelf_height = 0.0;
            }
          x = side_x + shelf_x;
          for (guint r = part->first_row; r < part->first_row + part->n_rows; r++)
            {
              self->row_y[r] += shelf_y;
              for (guint32 i = layered->rows[r].first;
                   i < layered->rows[r].first + layered->rows[r].count; i++)
                {
                  guint32 v = layered->order[i];

                  self->x[v] += x;
                  if (v < layered->n_items)
                    self->y[v] += shelf_y;
                }
            }
          shelf_x += sizes[p].width + FLOW_GAP_PARTS;
          shelf_height = MAX (shelf_height, sizes[p].height);
          side_width = MAX (side_width, shelf_x - FLOW_GAP_PARTS);
          result->width = MAX (result->width, side_x + shelf_x - FLOW_GAP_PARTS);
          result->height = MAX (result->height, shelf_y + shelf_height);
        }
      if (side_width > 0.0)
        side_x += side_width + FLOW_GAP_PARTS;
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

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
spread_ends (Arranger *self,
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
aim_end (const Arranger         *self,
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
attach_ends (Arranger *self)
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

static void
route_edge (Arranger      *self,
            guint          e,
            const guint32 *row_of,
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

      if (i + 1 < chain->count && fabs (next - x) < STRAIGHTEN)
        next = x;
      if (fabs (next - x) < 0.5)
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

static void
route (Arranger        *self,
       FlowArrangement *result)
{
  const FlowLayered *layered = self->layered;
  g_autofree guint32 *row_of = g_new0 (guint32, (gsize) layered->n_entries + 1);
  GArray *points = g_array_sized_new (FALSE, FALSE, sizeof (float), 16 * layered->n_edges + 16);

  for (guint r = 0; r < layered->n_rows; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      row_of[layered->order[i]] = r;
  for (guint e = 0; e < layered->n_edges; e++)
    {
      result->edge_first[e] = points->len / 2;
      if (layered->chains[e].count > 0)
        route_edge (self, e, row_of, points);
    }
  result->edge_first[layered->n_edges] = points->len / 2;
  result->points = (float *) (gpointer) g_array_free (points, FALSE);
}

/**
 * flow_layered_arrange:
 * @self: the structure
 * @widths: the items' present widths
 * @heights: likewise
 * @attach: (nullable): for each edge where its source and its target end are fixed, from the left
 *   edge of the box, or NaN: an open box has ports of its own
 *
 * Returns: (transfer full): rectangles and lines
 */
FlowArrangement *
flow_layered_arrange (const FlowLayered *self,
                      const float       *widths,
                      const float       *heights,
                      const float       *attach)
{
  FlowArrangement *result = g_new0 (FlowArrangement, 1);
  Arranger arranger = { .layered = self, .width = widths, .height = heights, .attach = attach };
  g_autofree Size *sizes = g_new0 (Size, (gsize) self->n_parts + 1);
  g_autofree double *gaps = NULL;

  arranger.x = g_new0 (double, (gsize) self->n_entries + 1);
  arranger.y = g_new0 (double, (gsize) self->n_items + 1);
  arranger.row_y = g_new0 (double, (gsize) self->n_rows + 1);
  arranger.row_height = g_new0 (double, (gsize) self->n_rows + 1);
  arranger.ends = g_new0 (double, 2 * (gsize) self->n_edges + 1);
  result->n_items = self->n_items;
  result->n_edges = self->n_edges;
  result->x = g_new0 (float, (gsize) self->n_items + 1);
  result->y = g_new0 (float, (gsize) self->n_items + 1);
  result->edge_first = g_new0 (guint32, (gsize) self->n_edges + 2);

  set_row_heights (&arranger);
  for (guint p = 0; p < self->n_parts; p++)
    if (self->parts[p].n_columns == 0)
      for (guint r = self->parts[p].first_row;
           r < self->parts[p].first_row + self->parts[p].n_rows; r++)
        arrange_row (&arranger, &self->rows[r]);
  gaps = measure_gaps (&arranger);
  for (guint p = 0; p < self->n_parts; p++)
    sizes[p] = self->parts[p].n_columns > 0
               ? arrange_grid (&arranger, &self->parts[p])
               : arrange_layers (&arranger, &self->parts[p], gaps);
  pack (&arranger, sizes, result);
  attach_ends (&arranger);
  route (&arranger, result);
  for (guint v = 0; v < self->n_items; v++)
    {
      result->x[v] = arranger.x[v] - widths[v] / 2.0;
      result->y[v] = arranger.y[v];
    }

  g_free (arranger.x);
  g_free (arranger.y);
  g_free (arranger.row_y);
  g_free (arranger.row_height);
  g_free (arranger.ends);
  return result;
}

void
flow_arrangement_free (FlowArrangement *self)
{
  if (self == NULL)
    return;
  g_free (self->x);
  g_free (self->y);
  g_free (self->edge_first);
  g_free (self->points);
  g_free (self);
}
