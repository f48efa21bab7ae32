/* flow-curve.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-curve.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"

/**
 * FlowCurve:
 *
 * The values of one scalar over the steps it was written at. Where the step goes back, because training
 * was started again, another stroke begins; where a value is no number there is a gap with a mark at the
 * bottom. The point nearest to the pointer, or to the cursor moved by the arrow keys, is told in figures.
 */
struct _FlowCurve
{
  GtkWidget parent_instance;

  /* owned */
  GArray *points;            /* of Point */
  char *title;

  double min_step;
  double max_step;
  double min;
  double max;
  int cursor;                /* index of the point told, -1 for none */
};

typedef struct {
  gint64 step;
  double wall_time;
  double value;
} Point;

/* Room for figures left of and below the drawing. */
#define LEFT 84.0
#define RIGHT 14.0
#define TOP 26.0
#define BOTTOM 22.0
#define N_LINES 4
/* So many points at most are drawn as dots as well. */
#define MAX_DOTS 60

G_DEFINE_FINAL_TYPE (FlowCurve, flow_curve, GTK_TYPE_WIDGET)

static const Point *
get_point (FlowCurve *self,
           guint      i)
{
  return &g_array_index (self->points, Point, i);
}

static double
x_of (FlowCurve *self,
      double     step)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - LEFT - RIGHT;
  double range = self->max_step - self->min_step;

  return LEFT + (range > 0 ? width * (step - self->min_step) / range : width / 2);
}

static double
y_of (FlowCurve *self,
      double     value)
{
  double height = gtk_widget_get_height (GTK_WIDGET (self)) - TOP - BOTTOM;
  double range = self->max - self->min;

  return TOP + (range > 0 ? height * (self->max - value) / range : height / 2);
}

static void
draw_text (GtkWidget   *widget,
           GtkSnapshot *snapshot,
           const char  *text,
           double       x,
           double       y,
           double       align)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  int width = 0;
  int height = 0;

  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_render_layout (snapshot, context, x - align * width, y - height / 2.0, layout);
}

static void
get_color (GtkWidget  *widget,
           const char *name,
           GdkRGBA    *color)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);

  if (name == NULL || !gtk_style_context_lookup_color (context, name, color))
    gtk_style_context_get_color (context, color);
}

static void
draw_lines (FlowCurve   *self,
            GtkSnapshot *snapshot,
            cairo_t     *cr)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  GdkRGBA color;

  get_color (widget, NULL, &color);
  color.alpha *= 0.15f;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1);
  for (int i = 0; i <= N_LINES; i++)
    {
      double value = self->min + (self->max - self->min) * i / N_LINES;
      double y = floor (y_of (self, value)) + 0.5;
      g_autofree char *text = flow_format_number (value);

      cairo_move_to (cr, LEFT, y);
      cairo_line_to (cr, width - RIGHT, y);
      if (i == 0 || self->max > self->min)
        draw_text (widget, snapshot, text, LEFT - 6, y, 1);
    }
  cairo_stroke (cr);
  for (int i = 0; i <= 2; i++)
    {
      double step = self->min_step + (self->max_step - self->min_step) * i / 2;
      g_autofree char *text = g_strdup_printf ("%.0f", step);

      if (i == 0 || self->max_step > self->min_step)
        draw_text (widget, snapshot, text, x_of (self, step), height - BOTTOM / 2, i / 2.0);
    }
}

static void
draw_stroke (FlowCurve *self,
             cairo_t   *cr)
{
  gboolean started = FALSE;
  GdkRGBA color;

  get_color (GTK_WIDGET (self), "accent_color", &color);
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.8);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = get_point (self, i);

      if (!isfinite (point->value))
        {
          started = FALSE;
          continue;
        }
      if (i > 0 && point->step < get_point (self, i - 1)->step)
        started = FALSE;
      if (started)
        cairo_line_to (cr, x_of (self, (double) point->step), y_of (self, point->value));
      else
        cairo_move_to (cr, x_of (self, (double) point->step), y_of (self, point->value));
      started = TRUE;
    }
  cairo_stroke (cr);
  for (guint i = 0; i < self->points->len && self->points->len <= MAX_DOTS; i++)
    if (isfinite (get_point (self, i)->value))
      {
        cairo_arc (cr, x_of (self, (double) get_point (self, i)->step), y_of (self, get_point (self, i)->value), 2.6,
                   0, 2 * G_PI);
        cairo_fill (cr);
      }
}

/* Values that are no number: a cross at the bottom, never colour alone. */
static void
draw_bad (FlowCurve *self,
          cairo_t   *cr)
{
  double y = gtk_widget_get_height (GTK_WIDGET (self)) - BOTTOM - 4;
  GdkRGBA color;

  get_color (GTK_WIDGET (self), "error_color", &color);
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.6);
  for (guint i = 0; i < self->points->len; i++)
    if (!isfinite (get_point (self, i)->value))
      {
        double x = x_of (self, (double) get_point (self, i)->step);

        cairo_move_to (cr, x - 3, y - 3);
        cairo_line_to (cr, x + 3, y + 3);
        cairo_move_to (cr, x - 3, y + 3);
        cairo_line_to (cr, x + 3, y - 3);
      }
  cairo_stroke (cr);
}

static char *
describe_point (const Point *point)
{
  g_autofree char *value = flow_format_number (point->value);
  g_autoptr(GDateTime) time = isfinite (point->wall_time) && fabs (point->wall_time) < 1e11
                                ? g_date_time_new_from_unix_local ((gint64) point->wall_time) : NULL;
  g_autofree char *when = time != NULL ? g_date_time_format (time, "%F %T") : g_strdup ("");

  return g_strdup_printf (_("step %" G_GINT64_FORMAT ": %s   %s"), point->step, value, when);
}

static void
draw_cursor (FlowCurve   *self,
             GtkSnapshot *snapshot,
             cairo_t     *cr)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const Point *point = NULL;
  g_autofree char *text = NULL;
  GdkRGBA color;

  if (self->cursor < 0 || (guint) self->cursor >= self->points->len)
    return;
  point = get_point (self, (guint) self->cursor);
  get_color (widget, NULL, &color);
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x_of (self, (double) point->step), TOP);
  cairo_line_to (cr, x_of (self, (double) point->step), gtk_widget_get_height (widget) - BOTTOM);
  cairo_stroke (cr);
  if (isfinite (point->value))
    {
      cairo_arc (cr, x_of (self, (double) point->step), y_of (self, point->value), 4, 0, 2 * G_PI);
      cairo_stroke (cr);
    }
  text = describe_point (point);
  draw_text (widget, snapshot, text, gtk_widget_get_width (widget) - RIGHT, TOP / 2, 1);
}

static void
flow_curve_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  FlowCurve *self = FLOW_CURVE (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_t *cr = NULL;

  if (self->points->len == 0 || width < LEFT + RIGHT + 10 || height < TOP + BOTTOM + 10)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  draw_lines (self, snapshot, cr);
  draw_stroke (self, cr);
  draw_bad (self, cr);
  draw_cursor (self, snapshot, cr);
  cairo_destroy (cr);
  if (self->title != NULL)
    draw_text (widget, snapshot, self->title, LEFT, TOP / 2, 0);
}

static void
flow_curve_measure (GtkWidget      *widget,
                    GtkOrientation  orientation,
                    int             for_size,
                    int            *minimum,
                    int            *natural,
                    int            *minimum_baseline,
                    int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 90;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 400 : 160;
}

static void
set_cursor (FlowCurve *self,
            int        cursor)
{
  g_autofree char *text = NULL;

  if (self->points->len == 0)
    cursor = -1;
  else if (cursor >= 0)
    cursor = MIN (cursor, (int) self->points->len - 1);
  if (cursor == self->cursor)
    return;
  self->cursor = cursor;
  if (cursor >= 0)
    {
      text = describe_point (get_point (self, (guint) cursor));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           FlowCurve                *self)
{
  int best = -1;
  double best_distance = G_MAXDOUBLE;

  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = get_point (self, i);
      double dx = x_of (self, (double) point->step) - x;
      double dy = isfinite (point->value) ? (y_of (self, point->value) - y) / 10 : 0;

      if (dx * dx + dy * dy < best_distance)
        {
          best_distance = dx * dx + dy * dy;
          best = (int) i;
        }
    }
  set_cursor (self, best);
}

static void
leave_cb (GtkEventControllerMotion *controller,
          FlowCurve                *self)
{
  set_cursor (self, -1);
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint                  keyval,
        guint                  keycode,
        GdkModifierType        state,
        FlowCurve             *self)
{
  switch (keyval)
    {
    case GDK_KEY_Left: set_cursor (self, MAX (self->cursor - 1, 0)); return TRUE;
    case GDK_KEY_Right: set_cursor (self, self->cursor + 1); return TRUE;
    case GDK_KEY_Home: set_cursor (self, 0); return TRUE;
    case GDK_KEY_End: set_cursor (self, (int) self->points->len - 1); return TRUE;
    default: return FALSE;
    }
}

static void
flow_curve_finalize (GObject *object)
{
  FlowCurve *self = FLOW_CURVE (object);

  g_array_unref (self->points);
  g_free (self->title);

  G_OBJECT_CLASS (flow_curve_parent_class)->finalize (object);
}

static void
flow_curve_class_init (FlowCurveClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = flow_curve_finalize;
  widget_class->snapshot = flow_curve_snapshot;
  widget_class->measure = flow_curve_measure;
  gtk_widget_class_set_css_name (widget_class, "curve");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_curve_init (FlowCurve *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->cursor = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
}

GtkWidget *
flow_curve_new (void)
{
  return g_object_new (FLOW_TYPE_CURVE, NULL);
}

void
flow_curve_set_points (FlowCurve *self,
                       GVariant  *points)
{
  gsize n = points != NULL ? g_variant_n_children (points) : 0;

  g_return_if_fail (FLOW_IS_CURVE (self));

  g_array_set_size (self->points, 0);
  self->min = self->min_step = INFINITY;
  self->max = self->max_step = -INFINITY;
  self->cursor = -1;
  for (gsize i = 0; i < n; i++)
    {
      Point point;

      g_variant_get_child (points, i, "(xdd)", &point.step, &point.wall_time, &point.value);
      g_array_append_val (self->points, point);
      self->min_step = MIN (self->min_step, (double) point.step);
      self->max_step = MAX (self->max_step, (double) point.step);
      if (isfinite (point.value))
        {
          self->min = MIN (self->min, point.value);
          self->max = MAX (self->max, point.value);
        }
    }
  if (self->min > self->max)
    self->min = self->max = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
flow_curve_set_title (FlowCurve  *self,
                      const char *title)
{
  g_return_if_fail (FLOW_IS_CURVE (self));

  g_free (self->title);
  self->title = g_strdup (title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title != NULL ? title : _("Curve"), -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
