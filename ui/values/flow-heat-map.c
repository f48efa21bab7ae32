/* flow-heat-map.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-heat-map.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-plot-label.h"

/**
 * FlowHeatMap:
 *
 * A slice as a picture, or one picture for each place of one more dimension. The picture is made for the
 * size at hand, one look-up a pixel, and kept until slice, size or colours change; so its cost never depends
 * on the size of the tensor.
 */
struct _FlowHeatMap
{
  GtkWidget parent_instance;

  /* owned */
  FlowTensorSlice *slice;
  cairo_surface_t *picture;     /* cached */

  FlowHeatMapStyle style;
  gboolean tiles;
  guint tiles_across;           /* pictures beside one another, with a gap between them */
  guint n_tiles;
  double low;                   /* a person's range; NaN: the value's own */
  double high;
  gint64 n_rows;                /* of cells as drawn: a vector is wrapped */
  gint64 n_columns;
  double cell;                  /* height of a cell in pixels */
  double cell_x;                /* and its width: the same, but where that leaves nothing to see */
};

/* Cells this large or larger are parted by a line. */
#define GAP_FROM 5
#define MAX_CELL 18
#define LEGEND_HEIGHT 26
#define LEGEND_BAR 8
#define MAX_HEIGHT 260
/* Between pictures. */
#define TILE_GAP 3
/* A saved picture is at least this large, if its cells are not too many. */
#define SAVED_SIZE 512

G_DEFINE_FINAL_TYPE (FlowHeatMap, flow_heat_map, GTK_TYPE_WIDGET)

static void
drop_picture (FlowHeatMap *self)
{
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- Colours --- */

typedef struct {
  GdkRGBA low;
  GdkRGBA middle;
  GdkRGBA high;
  GdkRGBA bad;
  double min;
  double max;
  gboolean diverging;
} Scale;

static void
get_color (FlowHeatMap *self,
           const char  *name,
           GdkRGBA     *color)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));

  if (!gtk_style_context_lookup_color (context, name, color))
    gtk_style_context_get_color (context, color);
}

static void
make_scale (FlowHeatMap *self,
            Scale       *scale)
{
  const FlowValueInfo *summary = flow_tensor_slice_get_info (self->slice);
  double low = isnan (self->low) ? summary->min : self->low;
  double high = isnan (self->high) ? summary->max : self->high;
  gboolean ranged = !isnan (self->low) || !isnan (self->high);
  double size = MAX (fabs (low), fabs (high));

  get_color (self, "flow_heat_bad", &scale->bad);
  scale->min = low;
  scale->max = high;
  scale->diverging = self->style == FLOW_HEAT_MAP_DIVERGING && low < 0 && (!ranged || low == -high);
  /* Where all values are the same the scale goes from nothing to that one: zeros have the colour of the least,
   * ones that of the most, as in a picture that is all black or all white. */
  if (low == high && !ranged)
    {
      scale->min = MIN (low, 0);
      scale->max = MAX (high, 0);
    }
  if (self->style == FLOW_HEAT_MAP_GRAY)
    {
      get_color (self, "flow_image_low", &scale->low);
      get_color (self, "flow_image_high", &scale->high);
      scale->middle = scale->low;
      return;
    }
  get_color (self, "flow_heat_low", &scale->low);
  get_color (self, "flow_heat_middle", &scale->middle);
  get_color (self, "flow_heat_high", &scale->high);
  if (scale->diverging)
    {
      scale->min = -size;
      scale->max = size;
    }
}

static guint32
mix_colors (const GdkRGBA *a,
            const GdkRGBA *b,
            double         t)
{
  guint red = (guint) (255 * (a->red + (b->red - a->red) * t) + 0.5);
  guint green = (guint) (255 * (a->green + (b->green - a->green) * t) + 0.5);
  guint blue = (guint) (255 * (a->blue + (b->blue - a->blue) * t) + 0.5);

  return 0xff000000u | red << 16 | green << 8 | blue;
}

/* Where a value is on a scale with one end for the least and one for the most, 0 to 1; what a person made a
 * scale of one number tells what is above it from what is not. */
static double
find_place (const Scale *scale,
            double       value)
{
  if (scale->max > scale->min)
    return CLAMP ((value - scale->min) / (scale->max - scale->min), 0, 1);
  return value > scale->min ? 1 : 0;
}

static guint32
scale_color (const Scale *scale,
             double       value)
{
  double t = 0;

  if (!isfinite (value))
    return mix_colors (&scale->bad, &scale->bad, 0);
  if (scale->diverging)
    {
      t = scale->max > 0 ? CLAMP (value / scale->max, -1, 1) : 0;
      return t < 0 ? mix_colors (&scale->middle, &scale->low, -t)
                   : mix_colors (&scale->middle, &scale->high, t);
    }
  return mix_colors (&scale->middle, &scale->high, find_place (scale, value));
}

/* --- Cells --- */

static gboolean
is_wrapped (FlowHeatMap *self)
{
  return self->n_tiles <= 1 && flow_tensor_slice_get_n_columns (self->slice) == 1 &&
         flow_tensor_slice_get_n_rows (self->slice) > 1;
}

static void
measure_cells (FlowHeatMap *self,
               int          width,
               int          height)
{
  gint64 rows = flow_tensor_slice_get_n_rows (self->slice);
  gint64 columns = flow_tensor_slice_get_n_columns (self->slice);

  self->n_tiles = self->tiles ? flow_tensor_slice_get_n_tiles (self->slice) : 1;
  self->tiles_across = 1;
  if (rows == 0 || columns == 0 || width <= 0 || height <= 0)
    {
      self->n_rows = 0;
      return;
    }
  if (self->n_tiles > 1)
    {
      /* As many beside one another as make the whole as wide as the room is. */
      double across = sqrt ((double) self->n_tiles * rows * width / ((double) columns * height));
      double down = 0;

      self->tiles_across = (guint) CLAMP (ceil (across), 1, self->n_tiles);
      down = (self->n_tiles + self->tiles_across - 1) / self->tiles_across;
      self->n_rows = rows;
      self->n_columns = columns;
      self->cell = MIN (MAX_CELL, MIN ((width - TILE_GAP * (self->tiles_across - 1.0)) / (columns * (double) self->tiles_across),
                                       (height - TILE_GAP * (down - 1)) / (rows * down)));
      self->cell = self->cell >= 2 ? floor (self->cell) : MAX (self->cell, 0.01);
      self->cell_x = self->cell;
      return;
    }
  if (is_wrapped (self))
    {
      columns = CLAMP ((gint64) ceil (sqrt ((double) rows * width / height)), 1, rows);
      /* Wide cells are easier to hit: no more than fit at the largest size. */
      columns = MAX (columns, MIN (rows, width / MAX_CELL));
      rows = (rows + columns - 1) / columns;
    }
  self->n_rows = rows;
  self->n_columns = columns;
  self->cell = MIN (MAX_CELL, MIN ((double) width / columns, (double) height / rows));
  /* Whole pixels make an even grid wherever there are enough of them. */
  if (self->cell >= 2)
    self->cell = floor (self->cell);
  self->cell_x = self->cell;
  if (self->cell >= 2 || is_wrapped (self))
    return;
  /* A matrix of thousands of rows and ten columns would be a hair: its cells are stretched. */
  self->cell = MIN (MAX_CELL, (double) height / rows);
  self->cell_x = MIN (MAX_CELL, (double) width / columns);
}

static gboolean
cell_to_slice (FlowHeatMap *self,
               gint64       row,
               gint64       column,
               gint64      *slice_row,
               gint64      *slice_column)
{
  if (is_wrapped (self))
    {
      *slice_row = row * self->n_columns + column;
      *slice_column = 0;
      return *slice_row < flow_tensor_slice_get_n_rows (self->slice);
    }
  *slice_row = row;
  *slice_column = column;
  return TRUE;
}

/* Height and width of the whole picture, all tiles of it. */
static double
full_width (FlowHeatMap *self)
{
  return self->tiles_across * self->cell_x * self->n_columns + TILE_GAP * (self->tiles_across - 1.0);
}

static double
full_height (FlowHeatMap *self)
{
  guint down = (self->n_tiles + self->tiles_across - 1) / MAX (1, self->tiles_across);

  return down * self->cell * self->n_rows + TILE_GAP * (down - 1.0);
}

/* The cell at a place of the picture; FALSE in a gap. */
static gboolean
place_to_cell (FlowHeatMap *self,
               double       x,
               double       y,
               guint       *tile,
               gint64      *row,
               gint64      *column)
{
  double tile_width = self->cell_x * self->n_columns + TILE_GAP;
  double tile_height = self->cell * self->n_rows + TILE_GAP;
  guint across = 0;
  guint down = 0;

  *tile = G_MAXUINT;
  if (self->n_tiles > 1)
    {
      across = (guint) (x / tile_width);
      down = (guint) (y / tile_height);
      x -= across * tile_width;
      y -= down * tile_height;
      *tile = down * self->tiles_across + across;
      if (across >= self->tiles_across || *tile >= self->n_tiles)
        return FALSE;
    }
  *row = (gint64) (y / self->cell);
  *column = (gint64) (x / self->cell_x);
  return *row >= 0 && *column >= 0 && *row < self->n_rows && *column < self->n_columns &&
         cell_to_slice (self, *row, *column, row, column);
}

/* Whether a place lies on the line that parts large cells. */
static gboolean
is_gap (FlowHeatMap *self,
        double       at,
        double       span)
{
  double rest = self->n_tiles > 1 ? fmod (at, span + TILE_GAP) : at;

  return fmod (rest, self->cell) >= self->cell - 1;
}

static cairo_surface_t *
make_picture (FlowHeatMap *self,
              int          width,
              int          height,
              int          scale_factor)
{
  int w = MAX (1, (int) MIN (width, ceil (full_width (self))));
  int h = MAX (1, (int) MIN (height, ceil (full_height (self))));
  gboolean gaps = self->cell >= GAP_FROM && self->cell_x >= GAP_FROM && self->n_tiles <= 1;
  cairo_surface_t *picture = NULL;
  Scale scale;
  guint8 *data = NULL;
  int stride = 0;

  make_scale (self, &scale);
  picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w * scale_factor, h * scale_factor);
  cairo_surface_set_device_scale (picture, scale_factor, scale_factor);
  cairo_surface_flush (picture);
  data = cairo_image_surface_get_data (picture);
  stride = cairo_image_surface_get_stride (picture);
  for (int y = 0; data != NULL && y < h * scale_factor; y++)
    {
      guint32 *line = (guint32 *) (gpointer) (data + (gsize) y * stride);
      double py = (y + 0.5) / scale_factor;
      gint64 last_column = -1;
      guint last_tile = 0;
      guint32 color = 0;

      if (gaps && is_gap (self, py, self->cell * self->n_rows))
        continue;
      for (int x = 0; x < w * scale_factor; x++)
        {
          double px = (x + 0.5) / scale_factor;
          double value = 0;
          gint64 row = 0;
          gint64 column = 0;
          guint tile = 0;

          if ((gaps && is_gap (self, px, self->cell * self->n_columns)) ||
              !place_to_cell (self, px, py, &tile, &row, &column))
            continue;
          if (is_wrapped (self))
            last_column = -1;
          if (column != last_column || tile != last_tile)
            color = flow_tensor_slice_look (self->slice, tile, row, column, &value)
                      ? scale_color (&scale, value) : 0;
          last_column = column;
          last_tile = tile;
          line[x] = color;
        }
    }
  cairo_surface_mark_dirty (picture);
  return picture;
}

static void
paint_picture (FlowHeatMap *self,
               int          width,
               int          height)
{
  self->picture = make_picture (self, width, height, gtk_widget_get_scale_factor (GTK_WIDGET (self)));
}

/* Round the outside: what is as light as the ground is seen to be there. */
static void
append_outline (FlowHeatMap *self,
                GtkSnapshot *snapshot,
                double       y,
                double       width,
                double       height)
{
  static const float line[] = { 1.0f, 1.0f, 1.0f, 1.0f };
  GskRoundedRect outline;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  color.alpha *= 0.2f;
  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (-1.0f, (float) y - 1.0f, (float) width + 2.0f,
                                                                  (float) height + 2.0f), 0.0f);
  gtk_snapshot_append_border (snapshot, &outline, line, (GdkRGBA[4]) { color, color, color, color });
}

static void
append_legend (FlowHeatMap *self,
               GtkSnapshot *snapshot,
               double       top,
               double       width)
{
  Scale scale;
  GskColorStop stops[3];
  gsize n_stops = 0;

  make_scale (self, &scale);
  if (isnan (scale.min))
    return;
  stops[n_stops++] = (GskColorStop) { 0, scale.diverging ? scale.low : scale.middle };
  if (scale.diverging)
    stops[n_stops++] = (GskColorStop) { 0.5f, scale.middle };
  /* Of nothing but zeros there is one colour and one number. */
  stops[n_stops++] = (GskColorStop) { 1, scale.min == scale.max ? scale.middle : scale.high };
  gtk_snapshot_append_linear_gradient (snapshot,
                                       &GRAPHENE_RECT_INIT (0, (float) top, (float) width,
                                                            LEGEND_BAR),
                                       &GRAPHENE_POINT_INIT (0, 0),
                                       &GRAPHENE_POINT_INIT ((float) width, 0), stops, n_stops);
  append_outline (self, snapshot, top, width, LEGEND_BAR);
  flow_plot_append_number (GTK_WIDGET (self), snapshot, scale.min, 0, top + LEGEND_BAR + 1, 0);
  if (scale.diverging)
    flow_plot_append_number (GTK_WIDGET (self), snapshot, 0, width / 2, top + LEGEND_BAR + 1, 0.5);
  if (scale.min != scale.max)
    flow_plot_append_number (GTK_WIDGET (self), snapshot, scale.max, width, top + LEGEND_BAR + 1, 1);
}

static void
flow_heat_map_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  FlowHeatMap *self = FLOW_HEAT_MAP (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget) - LEGEND_HEIGHT - 6;
  double drawn = 0;
  cairo_t *cr = NULL;

  if (self->slice == NULL || width <= 0 || height <= 0)
    return;
  if (self->picture == NULL)
    {
      measure_cells (self, width, height);
      if (self->n_rows == 0)
        return;
      paint_picture (self, width, height);
    }
  drawn = full_height (self);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  if (!is_wrapped (self))
    append_outline (self, snapshot, 0, MIN (width, ceil (full_width (self))), MIN (height, ceil (drawn)));
  append_legend (self, snapshot, MIN (drawn, height) + 6,
                 MAX (120, MIN (width, full_width (self))));
}

static void
flow_heat_map_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  FlowHeatMap *self = FLOW_HEAT_MAP (widget);
  int size = 60;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 120;
      *natural = 280;
      return;
    }
  if (self->slice != NULL && for_size > 0)
    {
      measure_cells (self, for_size, MAX_HEIGHT);
      size = (int) ceil (full_height (self));
    }
  *minimum = *natural = CLAMP (size, 16, MAX_HEIGHT) + 6 + LEGEND_HEIGHT;
}

static GtkSizeRequestMode
flow_heat_map_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
flow_heat_map_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  drop_picture (FLOW_HEAT_MAP (widget));
}

static void
flow_heat_map_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (flow_heat_map_parent_class)->css_changed (widget, change);

  drop_picture (FLOW_HEAT_MAP (widget));
}

static gboolean
query_tooltip_cb (FlowHeatMap *self,
                  int          x,
                  int          y,
                  gboolean     keyboard,
                  GtkTooltip  *tooltip)
{
  gint64 row = 0;
  gint64 column = 0;
  guint tile = 0;
  double number = 0;
  g_autofree char *index = NULL;
  g_autofree char *value = NULL;
  g_autofree char *text = NULL;

  if (self->slice == NULL || self->picture == NULL || self->cell <= 0 || keyboard)
    return FALSE;
  if (!place_to_cell (self, x, y, &tile, &row, &column) ||
      !flow_tensor_slice_look (self->slice, tile, row, column, &number))
    return FALSE;
  index = flow_tensor_slice_dup_index (self->slice, row, column);
  value = flow_format_number (number);
  text = tile != G_MAXUINT ? g_strdup_printf (_("picture %u, %s = %s"), tile, index, value)
                           : g_strdup_printf ("%s = %s", index, value);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
want (FlowHeatMap *self)
{
  if (self->slice != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    flow_tensor_slice_want_overview (self->slice, self->tiles);
}

static void
flow_heat_map_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (flow_heat_map_parent_class)->map (widget);

  want (FLOW_HEAT_MAP (widget));
}

static void
slice_changed_cb (FlowHeatMap *self)
{
  want (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  drop_picture (self);
}

static void
flow_heat_map_dispose (GObject *object)
{
  FlowHeatMap *self = FLOW_HEAT_MAP (object);

  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_clear_object (&self->slice);
  g_clear_pointer (&self->picture, cairo_surface_destroy);

  G_OBJECT_CLASS (flow_heat_map_parent_class)->dispose (object);
}

static void
flow_heat_map_class_init (FlowHeatMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_heat_map_dispose;
  widget_class->snapshot = flow_heat_map_snapshot;
  widget_class->map = flow_heat_map_map;
  widget_class->measure = flow_heat_map_measure;
  widget_class->get_request_mode = flow_heat_map_get_request_mode;
  widget_class->size_allocate = flow_heat_map_size_allocate;
  widget_class->css_changed = flow_heat_map_css_changed;
  gtk_widget_class_set_css_name (widget_class, "heatmap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_heat_map_init (FlowHeatMap *self)
{
  self->low = NAN;
  self->high = NAN;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Picture of the values of the slice"), -1);
}

GtkWidget *
flow_heat_map_new (FlowHeatMapStyle style)
{
  FlowHeatMap *self = g_object_new (FLOW_TYPE_HEAT_MAP, NULL);

  self->style = style;
  return GTK_WIDGET (self);
}

/* @slice: (nullable) */
void
flow_heat_map_set_slice (FlowHeatMap     *self,
                         FlowTensorSlice *slice)
{
  g_return_if_fail (FLOW_IS_HEAT_MAP (self));

  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_set_object (&self->slice, slice);
  if (slice != NULL)
    {
      g_signal_connect_object (slice, "changed", G_CALLBACK (slice_changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (slice, "cells-changed", G_CALLBACK (drop_picture), self,
                               G_CONNECT_SWAPPED);
    }
  slice_changed_cb (self);
}

void
flow_heat_map_set_tiles (FlowHeatMap *self,
                         gboolean     tiles)
{
  g_return_if_fail (FLOW_IS_HEAT_MAP (self));

  if (self->tiles == tiles)
    return;
  self->tiles = tiles;
  slice_changed_cb (self);
}

void
flow_heat_map_set_range (FlowHeatMap *self,
                         double       low,
                         double       high)
{
  g_return_if_fail (FLOW_IS_HEAT_MAP (self));

  self->low = low;
  self->high = high;
  drop_picture (self);
}

/* One pixel a cell at least; small pictures are enlarged, so that they can be looked at. */
gboolean
flow_heat_map_save_png (FlowHeatMap  *self,
                        const char   *path,
                        GError      **error)
{
  double cell = 0;
  double cell_x = 0;
  cairo_surface_t *picture = NULL;
  cairo_status_t status = CAIRO_STATUS_SUCCESS;

  g_return_val_if_fail (FLOW_IS_HEAT_MAP (self), FALSE);

  if (self->slice == NULL)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "there is no picture");
      return FALSE;
    }
  measure_cells (self, SAVED_SIZE * 2, SAVED_SIZE * 2);
  cell = self->cell;
  cell_x = self->cell_x;
  if (self->n_rows > 0)
    {
      self->cell = CLAMP (floor (SAVED_SIZE / (double) MAX (self->n_rows, self->n_columns)), 1, 16);
      self->cell_x = self->cell;
      picture = make_picture (self, 16384, 16384, 1);
    }
  self->cell = cell;
  self->cell_x = cell_x;
  drop_picture (self);
  status = picture != NULL ? cairo_surface_write_to_png (picture, path) : CAIRO_STATUS_NO_MEMORY;
  g_clear_pointer (&picture, cairo_surface_destroy);
  if (status != CAIRO_STATUS_SUCCESS)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNKNOWN, "%s: %s", path, cairo_status_to_string (status));
  return status == CAIRO_STATUS_SUCCESS;
}
