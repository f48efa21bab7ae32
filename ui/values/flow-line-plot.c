/* flow-line-plot.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-line-plot.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-plot-label.h"

/**
 * FlowLinePlot:
 *
 * A vector, or one row of a slice, as a line over its index. Where a value is no number the line breaks.
 */
struct _FlowLinePlot
{
  GtkWidget parent_instance;

  /* owned */
  FlowTensorSlice *slice;

  gint64 row;
};

#define LABEL_HEIGHT 16
#define NATURAL_HEIGHT 140

G_DEFINE_FINAL_TYPE (FlowLinePlot, flow_line_plot, GTK_TYPE_WIDGET)

static gboolean
is_vector (FlowLinePlot *self)
{
  return flow_tensor_slice_get_n_columns (self->slice) == 1;
}

static gint64
n_points (FlowLinePlot *self)
{
  if (self->slice == NULL)
    return 0;
  return is_vector (self) ? flow_tensor_slice_get_n_rows (self->slice)
                          : flow_tensor_slice_get_n_columns (self->slice);
}

static gboolean
look (FlowLinePlot *self,
      gint64        i,
      double       *value)
{
  return flow_tensor_slice_look (self->slice, G_MAXUINT, is_vector (self) ? i : self->row,
                                 is_vector (self) ? 0 : i, value) &&
         isfinite (*value);
}

/* One line to a pixel: the least and the largest of what falls on it, so that no peak is lost. */
static void
draw_line (FlowLinePlot *self,
           cairo_t      *cr,
           double        width,
           double        height,
           double        low,
           double        high)
{
  gint64 n = n_points (self);
  gint64 columns = MIN (n, (gint64) width);
  gboolean started = FALSE;

  for (gint64 k = 0; k < columns; k++)
    {
      gint64 first = k * n / columns;
      gint64 last = MAX (first + 1, (k + 1) * n / columns);
      gint64 stride = MAX (1, (last - first) / 16);
      double min = INFINITY;
      double max = -INFINITY;
      double x = columns > 1 ? 1 + (width - 2) * k / (columns - 1) : width / 2;

      for (gint64 i = first; i < last; i += stride)
        {
          double value = 0;

          if (!look (self, i, &value))
            continue;
          min = MIN (min, value);
          max = MAX (max, value);
        }
      if (min > max)
        {
          started = FALSE;
          continue;
        }
      for (int end = 0; end < (min < max ? 2 : 1); end++)
        {
          double value = end == 0 ? min : max;
          double y = high > low ? 2 + (height - 4) * (high - value) / (high - low) : height / 2;

          if (started)
            cairo_line_to (cr, x, y);
          else
            cairo_move_to (cr, x, y);
          started = TRUE;
        }
    }
  cairo_stroke (cr);
}

static void
flow_line_plot_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  FlowLinePlot *self = FLOW_LINE_PLOT (widget);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget) - LABEL_HEIGHT;
  const FlowValueInfo *info = NULL;
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;
  g_autofree char *last = NULL;
  GdkRGBA color;
  cairo_t *cr = NULL;

  if (n_points (self) == 0 || height <= 4)
    return;
  info = flow_tensor_slice_get_info (self->slice);
  if (!isfinite (info->min))
    return;
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color", &color))
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_line_width (cr, 1);
  if (info->min < 0 && info->max > 0)
    {
      double y = 2 + (height - 4) * info->max / (info->max - info->min);

      gdk_cairo_set_source_rgba (cr, &(GdkRGBA) { color.red, color.green, color.blue, 0.3f });
      cairo_move_to (cr, 0, floor (y) + 0.5);
      cairo_line_to (cr, width, floor (y) + 0.5);
      cairo_stroke (cr);
    }
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.4);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  draw_line (self, cr, width, height, info->min, info->max);
  cairo_destroy (cr);
  low = flow_format_number_compact (info->min);
  high = flow_format_number_compact (info->max);
  last = g_strdup_printf ("%" G_GINT64_FORMAT, n_points (self) - 1);
  flow_plot_append_label (widget, snapshot, high, 2, 0, 0);
  flow_plot_append_label (widget, snapshot, low, 2, height - LABEL_HEIGHT, 0);
  flow_plot_append_label (widget, snapshot, "0", 0, height, 0);
  flow_plot_append_label (widget, snapshot, last, width, height, 1);
}

static void
flow_line_plot_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : NATURAL_HEIGHT;
}

static gboolean
query_tooltip_cb (FlowLinePlot *self,
                  int           x,
                  int           y,
                  gboolean      keyboard,
                  GtkTooltip   *tooltip)
{
  gint64 n = n_points (self);
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  gint64 i = 0;
  double value = 0;
  g_autofree char *number = NULL;
  g_autofree char *text = NULL;

  if (n == 0 || width <= 2)
    return FALSE;
  i = CLAMP ((gint64) ((x - 1.0) / (width - 2) * (double) (n - 1) + 0.5), 0, n - 1);
  if (!look (self, i, &value))
    return FALSE;
  number = flow_format_number (value);
  text = g_strdup_printf ("[%" G_GINT64_FORMAT "] = %s", i, number);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
want (FlowLinePlot *self)
{
  if (self->slice != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    flow_tensor_slice_want_overview (self->slice, FALSE);
}

static void
flow_line_plot_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (flow_line_plot_parent_class)->map (widget);

  want (FLOW_LINE_PLOT (widget));
}

static void
slice_changed_cb (FlowLinePlot *self)
{
  want (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
flow_line_plot_dispose (GObject *object)
{
  FlowLinePlot *self = FLOW_LINE_PLOT (object);

  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_clear_object (&self->slice);

  G_OBJECT_CLASS (flow_line_plot_parent_class)->dispose (object);
}

static void
flow_line_plot_class_init (FlowLinePlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_line_plot_dispose;
  widget_class->snapshot = flow_line_plot_snapshot;
  widget_class->measure = flow_line_plot_measure;
  widget_class->map = flow_line_plot_map;
  gtk_widget_class_set_css_name (widget_class, "lineplot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_line_plot_init (FlowLinePlot *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Line over the values of a row"), -1);
}

GtkWidget *
flow_line_plot_new (void)
{
  return g_object_new (FLOW_TYPE_LINE_PLOT, NULL);
}

/* @slice: (nullable) */
void
flow_line_plot_set_slice (FlowLinePlot    *self,
                          FlowTensorSlice *slice)
{
  g_return_if_fail (FLOW_IS_LINE_PLOT (self));

  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_set_object (&self->slice, slice);
  if (slice != NULL)
    {
      g_signal_connect_object (slice, "changed", G_CALLBACK (slice_changed_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (slice, "cells-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                               G_CONNECT_SWAPPED);
    }
  slice_changed_cb (self);
}

/* Which row of a slice with columns is drawn. */
void
flow_line_plot_set_row (FlowLinePlot *self,
                        gint64        row)
{
  g_return_if_fail (FLOW_IS_LINE_PLOT (self));

  self->row = row;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
