/* flow-ridges.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-ridges.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"

/**
 * FlowRidges:
 *
 * Histograms over steps, one ridge behind the other, the last step in front. The ridge under the pointer, or the one
 * moved to by the up and down keys, is told in figures.
 */
struct _FlowRidges
{
  GtkWidget parent_instance;

  /* owned */
  GVariant *rows;            /* a(xdad) */

  double low;
  double high;
  double most;               /* the highest bin */
  int cursor;                /* -1: none */
};

#define LEFT 20.0
#define RIGHT 84.0
#define TOP 34.0
#define BOTTOM 24.0
/* How many rows a ridge may rise over. */
#define MAX_RISE 0.45

G_DEFINE_FINAL_TYPE (FlowRidges, flow_ridges, GTK_TYPE_WIDGET)

static int
n_rows (FlowRidges *self)
{
  return self->rows != NULL ? (int) g_variant_n_children (self->rows) : 0;
}

static double
row_y (FlowRidges *self,
       int         row,
       double      height)
{
  double room = height - TOP - BOTTOM;
  double rise = room * MAX_RISE;

  return n_rows (self) > 1 ? TOP + rise + (room - rise) * row / (n_rows (self) - 1) : height - BOTTOM;
}

static void
get_color (FlowRidges *self,
           const char *name,
           GdkRGBA    *color)
{
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (self));

  if (!gtk_style_context_lookup_color (style, name, color))
    gtk_style_context_get_color (style, color);
}

static void
draw_text (FlowRidges *self,
           cairo_t    *cr,
           const char *text,
           double      x,
           double      y,
           double      align)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width = 0;
  int height = 0;

  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - align * width, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

/* The outline from the left end of the base line to its right end. */
static void
trace (FlowRidges *self,
       cairo_t    *cr,
       GVariant   *bins,
       double      y,
       double      width,
       double      rise)
{
  gsize n = 0;
  const double *counts = g_variant_get_fixed_array (bins, &n, sizeof (double));

  cairo_move_to (cr, LEFT, y);
  for (gsize i = 0; i < n; i++)
    cairo_line_to (cr, LEFT + (width - LEFT - RIGHT) * ((double) i + 0.5) / (double) n,
                   y - (self->most > 0 ? rise * counts[i] / self->most : 0));
  cairo_line_to (cr, width - RIGHT, y);
}

static void
draw_row (FlowRidges *self,
          cairo_t    *cr,
          int         row,
          double      width,
          double      height)
{
  double y = row_y (self, row, height);
  double age = n_rows (self) > 1 ? (double) row / (n_rows (self) - 1) : 1;
  g_autoptr(GVariant) bins = NULL;
  GdkRGBA accent = { 0, 0, 0, 1 };
  GdkRGBA ground = { 1, 1, 1, 1 };
  double mix = 0.18 + 0.5 * age;

  g_variant_get_child (self->rows, (gsize) row, "(xd@ad)", NULL, NULL, &bins);
  get_color (self, "accent_color", &accent);
  get_color (self, "view_bg_color", &ground);
  trace (self, cr, bins, y, width, (height - TOP - BOTTOM) * MAX_RISE);
  cairo_set_source_rgb (cr, ground.red + (accent.red - ground.red) * mix, ground.green + (accent.green - ground.green) * mix,
                        ground.blue + (accent.blue - ground.blue) * mix);
  cairo_fill_preserve (cr);
  if (row == self->cursor)
    get_color (self, "flow_next", &accent);
  cairo_set_line_width (cr, row == self->cursor ? 2 : 1);
  gdk_cairo_set_source_rgba (cr, row == self->cursor ? &accent : &ground);
  cairo_stroke (cr);
}

static char *
describe (FlowRidges *self,
          int         row)
{
  gint64 step = 0;
  double n = 0;
  g_autofree char *steps = NULL;
  g_autofree char *count = NULL;

  g_variant_get_child (self->rows, (gsize) row, "(xd@ad)", &step, &n, NULL);
  steps = flow_format_number ((double) step);
  count = flow_format_number (n);
  return g_strdup_printf (_("step %s: %s values"), steps, count);
}

static void
draw_labels (FlowRidges *self,
             cairo_t    *cr,
             double      width,
             double      height)
{
  g_autofree char *low = flow_format_number_compact (self->low);
  g_autofree char *high = flow_format_number_compact (self->high);
  int last = n_rows (self) - 1;
  GdkRGBA color = { 0, 0, 0, 1 };

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  color.alpha *= 0.75f;
  gdk_cairo_set_source_rgba (cr, &color);
  draw_text (self, cr, low, LEFT, height - BOTTOM / 2, 0);
  draw_text (self, cr, high, width - RIGHT, height - BOTTOM / 2, 1);
  for (int i = 0; i < (last > 0 ? 2 : 1); i++)
    {
      gint64 step = 0;
      g_autofree char *text = NULL;

      g_variant_get_child (self->rows, (gsize) (i == 0 ? last : 0), "(xd@ad)", &step, NULL, NULL);
      text = g_strdup_printf (_("step %" G_GINT64_FORMAT), step);
      draw_text (self, cr, text, width - RIGHT + 8, row_y (self, i == 0 ? last : 0, height), 0);
    }
  if (self->cursor >= 0 && self->cursor <= last)
    {
      g_autofree char *text = describe (self, self->cursor);

      draw_text (self, cr, text, LEFT, TOP / 2, 0);
    }
}

static void
flow_ridges_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  FlowRidges *self = FLOW_RIDGES (widget);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  cairo_t *cr = NULL;

  if (n_rows (self) == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (int row = 0; row < n_rows (self); row++)
    draw_row (self, cr, row, width, height);
  draw_labels (self, cr, width, height);
  cairo_destroy (cr);
}

static void
flow_ridges_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 90;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 400 : 180;
}

static void
set_cursor (FlowRidges *self,
            int         row)
{
  g_autofree char *text = NULL;

  row = n_rows (self) > 0 ? CLAMP (row, -1, n_rows (self) - 1) : -1;
  if (row == self->cursor)
    return;
  self->cursor = row;
  text = row >= 0 ? describe (self, row) : g_strdup (_("Histograms over steps"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The ridge whose base line is the nearest below the pointer. */
static void
motion_cb (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           FlowRidges               *self)
{
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  int row = 0;

  while (row < n_rows (self) - 1 && row_y (self, row, height) < y)
    row++;
  set_cursor (self, row);
}

static void
leave_cb (GtkEventControllerMotion *controller,
          FlowRidges               *self)
{
  set_cursor (self, -1);
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        modifiers,
        FlowRidges            *self)
{
  if (key != GDK_KEY_Up && key != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  if (self->cursor < 0)
    set_cursor (self, n_rows (self) - 1);
  else
    set_cursor (self, MAX (0, self->cursor + (key == GDK_KEY_Up ? -1 : 1)));
  return GDK_EVENT_STOP;
}

static void
flow_ridges_finalize (GObject *object)
{
  g_clear_pointer (&FLOW_RIDGES (object)->rows, g_variant_unref);

  G_OBJECT_CLASS (flow_ridges_parent_class)->finalize (object);
}

static void
flow_ridges_class_init (FlowRidgesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = flow_ridges_finalize;
  widget_class->snapshot = flow_ridges_snapshot;
  widget_class->measure = flow_ridges_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_ridges_init (FlowRidges *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->cursor = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Histograms over steps"), -1);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
flow_ridges_new (void)
{
  return g_object_new (FLOW_TYPE_RIDGES, NULL);
}

/* @rows: (nullable): `a(xdad)` as the debugger's method SeriesHistograms gives them, all from @low to @high */
void
flow_ridges_show (FlowRidges *self,
                  double      low,
                  double      high,
                  GVariant   *rows)
{
  g_return_if_fail (FLOW_IS_RIDGES (self));

  g_clear_pointer (&self->rows, g_variant_unref);
  self->rows = rows != NULL ? g_variant_ref (rows) : NULL;
  self->low = low;
  self->high = high;
  self->most = 0;
  self->cursor = -1;
  for (int row = 0; row < n_rows (self); row++)
    {
      g_autoptr(GVariant) bins = NULL;
      const double *counts = NULL;
      gsize n = 0;

      g_variant_get_child (rows, (gsize) row, "(xd@ad)", NULL, NULL, &bins);
      counts = g_variant_get_fixed_array (bins, &n, sizeof (double));
      for (gsize i = 0; i < n; i++)
        self->most = MAX (self->most, isfinite (counts[i]) ? counts[i] : 0);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
