/* flow-histogram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-histogram.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-plot-label.h"

/**
 * FlowHistogram:
 *
 * How the values of a tensor are spread, from its smallest to its largest.
 */
struct _FlowHistogram
{
  GtkWidget parent_instance;

  /* owned */
  FlowValueInfo *stats;
};

#define BAR_HEIGHT 72
#define LABEL_HEIGHT 16
#define BAR_GAP 1

G_DEFINE_FINAL_TYPE (FlowHistogram, flow_histogram, GTK_TYPE_WIDGET)

/* Whether there is anything to be drawn: of values that are all NaN there is not. */
gboolean
flow_histogram_has_bins (FlowHistogram *self)
{
  return self->stats != NULL && self->stats->n_bins == FLOW_HISTOGRAM_BINS &&
         self->stats->n_finite > 0;
}

static void
flow_histogram_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  FlowHistogram *self = FLOW_HISTOGRAM (widget);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget) - LABEL_HEIGHT;
  double bar = width / FLOW_HISTOGRAM_BINS;
  gint64 most = 1;
  GdkRGBA color;

  if (!flow_histogram_has_bins (self) || height <= 0)
    return;
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_bg_color",
                                       &color))
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  for (guint i = 0; i < FLOW_HISTOGRAM_BINS; i++)
    most = MAX (most, self->stats->bins[i]);
  for (guint i = 0; i < FLOW_HISTOGRAM_BINS; i++)
    {
      double size = height * self->stats->bins[i] / most;

      /* A bin that holds anything at all can be seen. */
      if (self->stats->bins[i] > 0)
        size = MAX (size, 1);
      gtk_snapshot_append_color (snapshot, &color,
                                 &GRAPHENE_RECT_INIT ((float) (i * bar), (float) (height - size),
                                                      (float) MAX (1, bar - BAR_GAP),
                                                      (float) size));
    }
  flow_plot_append_number (widget, snapshot, self->stats->min, 0, height, 0);
  if (self->stats->max > self->stats->min)
    flow_plot_append_number (widget, snapshot, self->stats->max, width, height, 1);
  if (self->stats->min < 0 && self->stats->max > 0)
    {
      double x = width * -self->stats->min / (self->stats->max - self->stats->min);

      if (x > width * 0.2 && x < width * 0.8)
        flow_plot_append_number (widget, snapshot, 0, x, height, 0.5);
    }
}

static void
flow_histogram_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? FLOW_HISTOGRAM_BINS * 2
                                                       : BAR_HEIGHT + LABEL_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : BAR_HEIGHT + LABEL_HEIGHT;
}

static gboolean
query_tooltip_cb (FlowHistogram *self,
                  int            x,
                  int            y,
                  gboolean       keyboard,
                  GtkTooltip    *tooltip)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  double span = 0;
  int i = 0;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;

  if (!flow_histogram_has_bins (self) || width <= 0)
    return FALSE;
  span = self->stats->max - self->stats->min;
  i = CLAMP (x * FLOW_HISTOGRAM_BINS / width, 0, FLOW_HISTOGRAM_BINS - 1);
  from = flow_format_number_compact (self->stats->min + span * i / FLOW_HISTOGRAM_BINS);
  to = flow_format_number_compact (self->stats->min + span * (i + 1) / FLOW_HISTOGRAM_BINS);
  count = flow_format_count ((guint64) self->stats->bins[i]);
  text = g_strdup_printf (_("%s values from %s to %s"), count, from, to);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
flow_histogram_finalize (GObject *object)
{
  g_clear_pointer (&FLOW_HISTOGRAM (object)->stats, flow_value_info_unref);

  G_OBJECT_CLASS (flow_histogram_parent_class)->finalize (object);
}

static void
flow_histogram_class_init (FlowHistogramClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = flow_histogram_finalize;
  widget_class->snapshot = flow_histogram_snapshot;
  widget_class->measure = flow_histogram_measure;
  gtk_widget_class_set_css_name (widget_class, "histogram");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_histogram_init (FlowHistogram *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
}

GtkWidget *
flow_histogram_new (void)
{
  return g_object_new (FLOW_TYPE_HISTOGRAM, NULL);
}

/* @stats: (nullable): with %FLOW_HISTOGRAM_BINS bins */
void
flow_histogram_set_info (FlowHistogram *self,
                         FlowValueInfo *stats)
{
  g_return_if_fail (FLOW_IS_HISTOGRAM (self));

  g_clear_pointer (&self->stats, flow_value_info_unref);
  self->stats = stats != NULL ? flow_value_info_ref (stats) : NULL;
  if (flow_histogram_has_bins (self))
    {
      g_autofree char *min = flow_format_number (self->stats->min);
      g_autofree char *max = flow_format_number (self->stats->max);
      g_autofree char *text = g_strdup_printf (_("Histogram of the values from %s to %s"), min, max);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                      -1);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
