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

/* A row this high or lower has its boxes centred; in a higher one they hang from the top. */
#define ROW_CENTRE_MAX 84.0

typedef struct {
  double width;
  double height;
} Size;

static double
entry_width (const FlowArranger *self,
             guint32         v)
{
  return v < self->layered->n_items ? self->width[v] : 0.0;
}

static gboolean
row_changed (const FlowArranger       *self,
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
arrange_row (FlowArranger             *self,
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
                                         _flow_layered_entry_kind (layered, v), layered->shape.item_gap);
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
measure_gaps (const FlowArranger *self)
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

      gaps[r] = MIN ((at_port ? FLOW_GAP_PORT_ROW : layered->shape.row_gap)
                     + 8.0 * (layered->rows[r].gap_edges / 20) + bend, FLOW_GAP_ROWS_MAX);
    }
  return gaps;
}

static void
set_row_heights (FlowArranger *self)
{
  const FlowLayered *layered = self->layered;

  for (guint r = 0; r < layered->n_rows; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      if (layered->order[i] < layered->n_items)
        self->row_height[r] = MAX (self->row_height[r], self->height[layered->order[i]]);
}

/* Rows of one column, from @size on; @at is its left edge, @top where it begins. */
static Size
arrange_band (FlowArranger     *self,
              guint32       first,
              guint32       end,
              const double *gaps,
              double        at,
              double        top,
              gboolean      moves)
{
  const FlowLayered *layered = self->layered;
  Size size = { 0.0, top };
  double left = G_MAXDOUBLE;

  for (guint32 r = first; r < end; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      left = MIN (left, self->x[layered->order[i]] - entry_width (self, layered->order[i]) / 2.0);
  for (guint32 r = first; r < end; r++)
    {
      const FlowLayeredRow *row = &layered->rows[r];
      gboolean last = r + 1 == end || (r + 2 == end && layered->rows[r + 1].count == 0);

      self->row_y[r] = size.height;
      for (guint32 i = row->first; i < row->first + row->count; i++)
        {
          guint32 v = layered->order[i];

          if (moves)
            self->x[v] += at - left;
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
arrange_layers (FlowArranger              *self,
                const FlowLayeredPart *part,
                const double          *gaps)
{
  const FlowLayered *layered = self->layered;
  Size size = { 0.0, 0.0 };
  gboolean moves = FALSE;
  double top = 0.0;
  guint32 end = part->first_row + part->n_rows;
  guint32 next;

  for (guint32 r = part->first_row; r < end; r++)
    {
      moves = moves || row_changed (self, &layered->rows[r]) || layered->rows[r].band > 0;
      /* Lines from one column to the next go below the one and above the other. */
      if (r + 1 < end && layered->rows[r].band != layered->rows[r + 1].band)
        top = MAX (top, _flow_layered_lane_room (layered->rows[r].gap_edges) - FLOW_GAP_LANE_BOX);
    }
  for (guint32 r = part->first_row; r < end; r = next)
    {
      Size band;
      double at = r > part->first_row
                  ? size.width + _flow_layered_lane_room (layered->rows[r - 1].gap_edges) : 0.0;

      for (next = r + 1; next < end && layered->rows[next].band == layered->rows[r].band; next++)
        ;
      if (r > part->first_row)
        at = MAX (at, size.width + FLOW_GAP_PARTS);
      band = arrange_band (self, r, next, gaps, at, top, moves);
      if (next < end)
        band.height += _flow_layered_lane_room (layered->rows[next - 1].gap_edges) - FLOW_GAP_LANE_BOX;
      size.width = band.width;
      size.height = MAX (size.height, band.height);
    }
  return size;
}

static Size
arrange_grid (FlowArranger              *self,
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
          self->y[v] = size.height
                       + (self->row_height[r] <= ROW_CENTRE_MAX
                          ? round ((self->row_height[r] - self->height[v]) / 2.0) : 0.0);
        }
      size.height += self->row_height[r] + FLOW_GAP_GRID;
    }
  size.height -= FLOW_GAP_GRID;
  size.width = column_x[part->n_columns] - FLOW_GAP_GRID;
  return size;
}

/* Shelves from the top, parts of a shelf from the left; sides beside each other. */
static void
pack (FlowArranger        *self,
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
  FlowArranger arranger = { .layered = self, .width = widths, .height = heights, .attach = attach };
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
  _flow_layered_route (&arranger, result);
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
