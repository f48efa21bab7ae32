/* flow-layered-pack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>
#include <string.h>

/* What stands beside what: the columns that rows are broken into, grids, shelves. */

/* What a drawing's width should be to its height. */
#define ASPECT 1.6

/* Where more lines than these would go over to the next column the rows are not broken. */
#define BAND_LINES_MAX 3

/* Of a grid below the layers. */
#define COLUMNS_MAX 40

/* Places of what a grid is made of. */
#define GRID (1u << FLOW_LAYERED_GRID)
#define SHELF (1u << FLOW_LAYERED_SHELF)

static double
get_aspect (const FlowLayered *self)
{
  return self->shape.aspect > 0.0f ? self->shape.aspect : ASPECT;
}

typedef struct {
  guint32 part;
  float width;
  float height;
} PartSize;

static int
compare_part_heights (gconstpointer a,
                      gconstpointer b)
{
  const PartSize *x = a;
  const PartSize *y = b;

  if (x->height != y->height)
    return x->height > y->height ? -1 : 1;
  return x->part < y->part ? -1 : x->part > y->part;
}

static double
row_height (const FlowLayered    *self,
            const FlowLayeredRow *row)
{
  double height = 0.0;

  for (guint32 i = row->first; i < row->first + row->count; i++)
    height = MAX (height, self->entry_height[self->order[i]]);
  return height;
}

/* What so many lines need on their way to the next column. */
double
_flow_layered_lane_room (guint32 n_lanes)
{
  return n_lanes > 0 ? 2.0 * FLOW_GAP_LANE_BOX + (n_lanes - 1) * FLOW_GAP_LANES : 0.0;
}

/* Where a column ends: no later than it should, and where the fewest lines go over to the next. */
static guint32
find_band_end (const FlowLayered     *self,
               const FlowLayeredPart *part,
               guint32                first)
{
  double length = 0.0;
  guint32 end = part->first_row + part->n_rows;
  guint32 best = end;

  for (guint32 r = first; r < end; r++)
    {
      length += row_height (self, &self->rows[r]);
      if (length > self->shape.band_length && r > first)
        break;
      /* What is left has room. */
      if (r + 1 == end)
        return end;
      if (length > 0.6 * self->shape.band_length && self->rows[r].gap_edges <= BAND_LINES_MAX
          && (best == end || self->rows[r].gap_edges <= self->rows[best - 1].gap_edges))
        best = r + 1;
      length += self->shape.row_gap;
    }
  return best;
}

/*
 * _flow_layered_choose_bands:
 *
 * Rows that are too many to be seen at once stand in columns side by side.
 */
void
_flow_layered_choose_bands (FlowLayered *self)
{
  if (self->shape.band_length <= 0.0f)
    return;
  for (guint p = 0; p < self->n_parts; p++)
    {
      const FlowLayeredPart *part = &self->parts[p];
      guint32 band = 0;
      guint32 end = part->n_columns > 0 ? part->first_row + part->n_rows : find_band_end (self, part, part->first_row);

      for (guint32 r = part->first_row; r < part->first_row + part->n_rows; r++)
        {
          if (r == end)
            {
              band++;
              end = find_band_end (self, part, r);
            }
          self->rows[r].band = band;
        }
    }
}

static PartSize
measure_part (const FlowLayered *self,
              guint              p)
{
  const FlowLayeredPart *part = &self->parts[p];
  PartSize size = { p, 0.0f, 0.0f };
  double gap = part->n_columns > 0 ? FLOW_GAP_GRID : self->shape.row_gap;
  double left = G_MAXDOUBLE;
  double right = 0.0;
  double height = 0.0;

  for (guint r = part->first_row; r < part->first_row + part->n_rows; r++)
    {
      const FlowLayeredRow *row = &self->rows[r];

      if (r > part->first_row && row->band != self->rows[r - 1].band)
        {
          size.width += right - left + _flow_layered_lane_room (self->rows[r - 1].gap_edges);
          left = G_MAXDOUBLE;
          right = 0.0;
          height = 0.0;
        }
      for (guint32 i = row->first; i < row->first + row->count && part->n_columns == 0; i++)
        {
          guint32 v = self->order[i];

          left = MIN (left, self->entry_x[v] - self->entry_width[v] / 2.0);
          right = MAX (right, self->entry_x[v] + self->entry_width[v] / 2.0);
        }
      height += row_height (self, row) + gap;
      size.height = MAX (size.height, (float) height);
    }
  size.width += MAX (right - left, 0.0);
  return size;
}

/*
 * _flow_layered_pack_parts:
 *
 * Parts go to shelves: what stands side by side. The place in the packing is data from then on.
 */
void
_flow_layered_pack_parts (FlowLayered *self)
{
  g_autoptr(GArray) sizes = g_array_new (FALSE, FALSE, sizeof (PartSize));
  g_autofree FlowLayeredPart *sorted = g_new (FlowLayeredPart, (gsize) self->n_parts + 1);
  gboolean has_ports = FALSE;
  double area = 0.0;
  double target = 0.0;
  double used = 0.0;
  guint8 shelf = 0;
  guint n = 0;

  for (guint v = 0; v < self->n_items; v++)
    has_ports = has_ports || (self->place[v] == FLOW_LAYERED_PORT_IN || self->place[v] == FLOW_LAYERED_PORT_OUT);
  for (guint p = 0; p < self->n_parts; p++)
    {
      PartSize size = measure_part (self, p);

      if ((has_ports && p == 0) || self->parts[p].n_columns > 0)
        continue;
      area += (size.width + FLOW_GAP_PARTS) * (size.height + FLOW_GAP_PARTS);
      target = MAX (target, size.width);
      g_array_append_val (sizes, size);
    }
  target = MAX (target, sqrt (get_aspect (self) * area));
  g_array_sort (sizes, compare_part_heights);
  if (has_ports)
    sorted[n++] = self->parts[0];
  for (guint i = 0; i < sizes->len; i++)
    {
      PartSize size = g_array_index (sizes, PartSize, i);
      FlowLayeredPart part = self->parts[size.part];

      if (used > 0.0 && used + size.width > target && shelf < G_MAXUINT8)
        {
          shelf++;
          used = 0.0;
        }
      used += size.width + FLOW_GAP_PARTS;
      part.shelf = shelf;
      part.side = has_ports ? 1 : 0;
      sorted[n++] = part;
    }
  for (guint p = 0; p < self->n_parts; p++)
    if (self->parts[p].n_columns > 0)
      {
        FlowLayeredPart part = self->parts[p];

        part.shelf = part.side == 2 ? 0 : sizes->len > 0 ? shelf + 1 : 0;
        if (part.side != 2)
          part.side = has_ports ? 1 : 0;
        sorted[n++] = part;
      }
  memcpy (self->parts, sorted, sizeof *sorted * self->n_parts);
}

/* As many as stand side by side in so much room. */
static guint
count_columns (const FlowLayered *self,
               const guint32     *items,
               guint              n,
               double             max_width)
{
  double column[COLUMNS_MAX];

  for (guint columns = MIN (n, COLUMNS_MAX); columns > 1; columns--)
    {
      double width = -FLOW_GAP_GRID;

      for (guint c = 0; c < columns; c++)
        column[c] = 0.0;
      for (guint i = 0; i < n; i++)
        column[i % columns] = MAX (column[i % columns], self->entry_width[items[i]]);
      for (guint c = 0; c < columns; c++)
        width += column[c] + FLOW_GAP_GRID;
      if (width <= max_width)
        return columns;
    }
  return 1;
}

/* Columns that make a grid of these items as high or as wide as it may be; of neither is said: about as wide
 * as it should be to its height. */
static guint
choose_columns (const FlowLayered *self,
                const guint32     *items,
                guint              n,
                double             max_width,
                double             max_height)
{
  double width = 0.0;
  double height = 0.0;
  guint columns;

  for (guint i = 0; i < n; i++)
    {
      width += self->entry_width[items[i]] + FLOW_GAP_GRID;
      height += self->entry_height[items[i]] + FLOW_GAP_GRID;
    }
  width /= MAX (n, 1);
  height /= MAX (n, 1);
  if (max_height > 0.0)
    columns = (guint) ceil (n / MAX (1.0, floor (max_height / height)));
  else if (max_width > 0.0)
    columns = count_columns (self, items, n, max_width);
  else
    columns = (guint) round (sqrt (get_aspect (self) * n * height / width));
  return CLAMP (columns, 1, MAX (n, 1));
}

static void
add_grid (FlowLayered      *self,
          guint             places,
          guint8            side,
          double            max_width,
          double            max_height,
          guint32          *n_ordered)
{
  FlowLayeredPart *part = &self->parts[self->n_parts];
  guint32 first = *n_ordered;
  guint n = 0;

  for (guint v = 0; v < self->n_items; v++)
    if ((places & 1u << self->place[v]) != 0)
      self->order[first + n++] = v;
  if (n == 0)
    return;
  part->n_columns = choose_columns (self, self->order + first, n, max_width, max_height);
  part->side = side;
  part->first_row = self->n_rows;
  part->n_rows = (n + part->n_columns - 1) / part->n_columns;
  for (guint r = 0; r < part->n_rows; r++)
    {
      self->rows[self->n_rows].first = first + r * part->n_columns;
      self->rows[self->n_rows].count = MIN (part->n_columns, n - r * part->n_columns);
      self->n_rows++;
    }
  self->n_parts++;
  *n_ordered = first + n;
}

/*
 * _flow_layered_add_grids:
 *
 * What no line joins, and what is set aside: in grids, beside the layers or below them.
 */
void
_flow_layered_add_grids (FlowLayered *self)
{
  guint32 n_ordered = 0;
  double width = 0.0;
  double height = 0.0;
  double area = 0.0;

  for (guint r = 0; r < self->n_rows; r++)
    n_ordered += self->rows[r].count;
  for (guint p = 0; p < self->n_parts; p++)
    {
      PartSize size = measure_part (self, p);

      width = MAX (width, size.width);
      height = MAX (height, size.height);
    }
  if (self->shape.shelf_below && width > 0.0)
    {
      add_grid (self, GRID | SHELF, 0, width, 0.0, &n_ordered);
      return;
    }
  add_grid (self, GRID, 0, 0.0, 0.0, &n_ordered);
  for (guint p = 0; p < self->n_parts; p++)
    {
      PartSize size = measure_part (self, p);

      height = MAX (height, size.height);
      area += (double) size.width * size.height;
    }
  for (guint v = 0; v < self->n_items; v++)
    if (self->place[v] == FLOW_LAYERED_SHELF || self->place[v] == FLOW_LAYERED_GRID)
      area += (self->entry_width[v] + FLOW_GAP_GRID) * (self->entry_height[v] + FLOW_GAP_GRID);
  height = MAX (height, sqrt (area / get_aspect (self)));
  add_grid (self, SHELF, 2, 0.0, MAX (height, 240.0), &n_ordered);
}
