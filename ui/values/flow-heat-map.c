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

/**
 * FlowHeatMap:
 *
 * A slice as a picture. The picture is made for the size at hand, one look-up a pixel, and kept until
 * slice, size or colours change; so its cost never depends on the size of the tensor.
 */
struct _FlowHeatMap
{
  GtkWidget parent_instance;

  /* owned */
  FlowTensorSlice *slice;
  cairo_surface_t *picture;     /* cached */

  FlowHeatMapStyle style;
  gint64 n_rows;                /* of cells as drawn: a vector is wrapped */
  gint64 n_columns;
  double cell;                  /* size of a cell in pixels */
};

/* Cells this large or larger are parted by a line. */
#define GAP_FROM 5
#define MAX_CELL 18
#define LEGEND_HEIGHT 26
#define LEGEND_BAR 8
#define MAX_HEIGHT 260

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
  const FlowTensorStats *summary = flow_tensor_slice_get_stats (self->slice);
  double size = MAX (fabs (summary->min), fabs (summary->max));

  get_color (self, "flow_heat_bad", &scale->bad);
  scale->min = summary->min;
  scale->max = summary->max;
  scale->diverging = self->style == FLOW_HEAT_MAP_DIVERGING && summary->min < 0;
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

static guint32
scale_color (const Scale *scale,
             double       value)
{
  double t = 0;

  if (isnan (value))
    return mix_colors (&scale->bad, &scale->bad, 0);
  if (scale->diverging)
    {
      t = scale->max > 0 ? CLAMP (value / scale->max, -1, 1) : 0;
      return t < 0 ? mix_colors (&scale->middle, &scale->low, -t)
                   : mix_colors (&scale->middle, &scale->high, t);
    }
  t = scale->max > scale->min ? CLAMP ((value - scale->min) / (scale->max - scale->min), 0, 1) : 0.5;
  return mix_colors (&scale->middle, &scale->high, t);
}

/* --- Cells --- */

static gboolean
is_wrapped (FlowHeatMap *self)
{
  return flow_tensor_slice_get_n_columns (self->slice) == 1 &&
         flow_tensor_slice_get_n_rows (self->slice) > 1;
}

static void
measure_cells (FlowHeatMap *self,
               int          width,
               int          height)
{
  gint64 rows = flow_tensor_slice_get_n_rows (self->slice);
  gint64 columns = flow_tensor_slice_get_n_columns (self->slice);

  if (rows == 0 || columns == 0 || width <= 0 || height <= 0)
    {
      self->n_rows = 0;
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

static void
paint_picture (FlowHeatMap *self,
               int          width,
               int          height)
{
  int scale_factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  int w = MAX (1, (int) MIN (width, ceil (self->cell * self->n_columns)));
  int h = MAX (1, (int) MIN (height, ceil (self->cell * self->n_rows)));
  double cell = self->cell * scale_factor;
  gboolean gaps = self->cell >= GAP_FROM;
  Scale scale;
  guint8 *data = NULL;
  int stride = 0;

  make_scale (self, &scale);
  self->picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w * scale_factor,
                                              h * scale_factor);
  cairo_surface_set_device_scale (self->picture, scale_factor, scale_factor);
  cairo_surface_flush (self->picture);
  data = cairo_image_surface_get_data (self->picture);
  stride = cairo_image_surface_get_stride (self->picture);
  if (data == NULL)
    return;
  for (int y = 0; y < h * scale_factor; y++)
    {
      guint32 *line = (guint32 *) (gpointer) (data + (gsize) y * stride);
      gint64 row = MIN ((gint64) (y / cell), self->n_rows - 1);
      gboolean row_gap = gaps && y - row * cell >= cell - scale_factor;
      gint64 last_column = -1;
      guint32 color = 0;

      for (int x = 0; x < w * scale_factor; x++)
        {
          gint64 column = MIN ((gint64) (x / cell), self->n_columns - 1);
          gint64 r = 0;
          gint64 c = 0;

          if (row_gap || (gaps && x - column * cell >= cell - scale_factor))
            continue;
          if (column != last_column)
            color = cell_to_slice (self, row, column, &r, &c)
                      ? scale_color (&scale, flow_tensor_slice_get_double (self->slice, r, c)) : 0;
          last_column = column;
          line[x] = color;
        }
    }
  cairo_surface_mark_dirty (self->picture);
}

static void
append_text (FlowHeatMap *self,
             GtkSnapshot *snapshot,
             double       value,
             double       x,
             double       y,
             double       align)
{
  g_autofree char *text = flow_format_number_compact (value);
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr(PangoAttrList) attrs = pango_attr_list_new ();
  GdkRGBA color;
  int width = 0;

  pango_attr_list_insert (attrs, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attrs);
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  color.alpha *= 0.6f;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (x - width * align), (float) y));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
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
  stops[n_stops++] = (GskColorStop) { 1, scale.high };
  gtk_snapshot_append_linear_gradient (snapshot,
                                       &GRAPHENE_RECT_INIT (0, (float) top, (float) width,
                                                            LEGEND_BAR),
                                       &GRAPHENE_POINT_INIT (0, 0),
                                       &GRAPHENE_POINT_INIT ((float) width, 0), stops, n_stops);
  append_text (self, snapshot, scale.min, 0, top + LEGEND_BAR + 1, 0);
  if (scale.diverging)
    append_text (self, snapshot, 0, width / 2, top + LEGEND_BAR + 1, 0.5);
  append_text (self, snapshot, scale.max, width, top + LEGEND_BAR + 1, 1);
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
  drawn = self->cell * self->n_rows;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  append_legend (self, snapshot, MIN (drawn, height) + 6,
                 MAX (120, MIN (width, self->cell * self->n_columns)));
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
      size = (int) ceil (self->cell * self->n_rows);
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
  g_autofree char *index = NULL;
  g_autofree char *value = NULL;
  g_autofree char *text = NULL;

  if (self->slice == NULL || self->picture == NULL || self->cell <= 0 || keyboard)
    return FALSE;
  row = (gint64) (y / self->cell);
  column = (gint64) (x / self->cell);
  if (row < 0 || column < 0 || row >= self->n_rows || column >= self->n_columns ||
      !cell_to_slice (self, row, column, &row, &column))
    return FALSE;
  index = flow_tensor_slice_dup_index (self->slice, row, column);
  value = flow_tensor_slice_dup_text (self->slice, row, column);
  text = g_strdup_printf ("%s = %s", index, value);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
slice_changed_cb (FlowHeatMap *self)
{
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
    g_signal_connect_object (slice, "changed", G_CALLBACK (slice_changed_cb), self,
                             G_CONNECT_SWAPPED);
  slice_changed_cb (self);
}
