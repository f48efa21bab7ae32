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
 * The values of scalars over the steps they were written at. Where the step goes back, because training
 * was started again, another stroke begins; where a value is no number there is a gap with a mark at the
 * bottom. The point nearest to the pointer, or to the cursor moved by the arrow keys, is told in figures.
 */
struct _FlowCurve
{
  GtkWidget parent_instance;

  /* owned */
  GPtrArray *series;         /* of Series, the first is the one the cursor goes along */

  double smoothing;          /* 0: none, up to 1 */

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
  double smooth;             /* the weighted mean of those up to it */
} Point;

typedef struct {
  char *title;
  GArray *points;            /* of Point */
} Series;

/* Room for figures left of and below the drawing. */
#define LEFT 84.0
#define RIGHT 14.0
#define TOP 44.0
#define LEGEND_Y 12.0
#define READOUT_Y 31.0
#define BOTTOM 22.0
#define N_LINES 4
/* So many points at most are drawn as dots as well. */
#define MAX_DOTS 60

G_DEFINE_FINAL_TYPE (FlowCurve, flow_curve, GTK_TYPE_WIDGET)

/* Series are told apart by colour and by their dashes. */
static const struct {
  const char *color;
  double dashes[4];
  int n_dashes;
} looks[] = {
  { "accent_color", { 0 }, 0 },
  { "flow_next", { 7, 3 }, 2 },
  { "flow_done", { 2, 3 }, 2 },
  { "flow_control", { 9, 3, 2, 3 }, 4 },
  { "flow_failed", { 4, 4 }, 2 },
  { "flow_ready", { 12, 4 }, 2 },
};

static void
series_free (gpointer data)
{
  Series *series = data;

  g_free (series->title);
  g_array_unref (series->points);
  g_free (series);
}

static Series *
get_series (FlowCurve *self,
            guint      i)
{
  return g_ptr_array_index (self->series, i);
}

static GArray *
first_points (FlowCurve *self)
{
  return self->series->len > 0 ? get_series (self, 0)->points : NULL;
}

static const Point *
get_point (FlowCurve *self,
           guint      i)
{
  return &g_array_index (first_points (self), Point, i);
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
trace (FlowCurve    *self,
       cairo_t      *cr,
       const GArray *points,
       gboolean      smooth)
{
  gboolean started = FALSE;

  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);
      double value = smooth ? point->smooth : point->value;

      if (!isfinite (value))
        {
          started = FALSE;
          continue;
        }
      if (i > 0 && point->step < g_array_index (points, Point, i - 1).step)
        started = FALSE;
      if (started)
        cairo_line_to (cr, x_of (self, (double) point->step), y_of (self, value));
      else
        cairo_move_to (cr, x_of (self, (double) point->step), y_of (self, value));
      started = TRUE;
    }
  cairo_stroke (cr);
}

static void
set_look (FlowCurve *self,
          cairo_t   *cr,
          guint      series,
          double     alpha)
{
  guint look = series % G_N_ELEMENTS (looks);
  GdkRGBA color;

  get_color (GTK_WIDGET (self), looks[look].color, &color);
  color.alpha *= (float) alpha;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_dash (cr, looks[look].dashes, looks[look].n_dashes, 0);
}

/* With smoothing the values themselves stay to be seen, pale. */
static void
draw_stroke (FlowCurve *self,
             cairo_t   *cr,
             guint      series)
{
  const GArray *points = get_series (self, series)->points;
  gboolean smooth = self->smoothing > 0;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  set_look (self, cr, series, smooth ? 0.3 : 1);
  cairo_set_line_width (cr, smooth ? 1.2 : 1.8);
  trace (self, cr, points, FALSE);
  if (smooth)
    {
      set_look (self, cr, series, 1);
      cairo_set_line_width (cr, 2);
      trace (self, cr, points, TRUE);
    }
  cairo_set_dash (cr, NULL, 0, 0);
  for (guint i = 0; i < points->len && points->len <= MAX_DOTS && !smooth; i++)
    if (isfinite (g_array_index (points, Point, i).value))
      {
        cairo_arc (cr, x_of (self, (double) g_array_index (points, Point, i).step),
                   y_of (self, g_array_index (points, Point, i).value), 2.6, 0, 2 * G_PI);
        cairo_fill (cr);
      }
}

static void
draw_legend (FlowCurve   *self,
             GtkSnapshot *snapshot,
             cairo_t     *cr)
{
  double x = LEFT;

  for (guint i = 0; i < self->series->len && x < gtk_widget_get_width (GTK_WIDGET (self)) - RIGHT - 60; i++)
    {
      g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), get_series (self, i)->title);
      int width = 0;

      set_look (self, cr, i, 1);
      cairo_set_line_width (cr, 2);
      cairo_move_to (cr, x, LEGEND_Y);
      cairo_line_to (cr, x + 22, LEGEND_Y);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      draw_text (GTK_WIDGET (self), snapshot, get_series (self, i)->title, x + 28, LEGEND_Y, 0);
      pango_layout_get_pixel_size (layout, &width, NULL);
      x += width + 52;
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
  for (guint k = 0; k < self->series->len; k++)
    for (guint i = 0; i < get_series (self, k)->points->len; i++)
      {
        const Point *point = &g_array_index (get_series (self, k)->points, Point, i);
        double x = x_of (self, (double) point->step);

        if (isfinite (point->value))
          continue;
        cairo_move_to (cr, x - 3, y - 3);
        cairo_line_to (cr, x + 3, y + 3);
        cairo_move_to (cr, x - 3, y + 3);
        cairo_line_to (cr, x + 3, y - 3);
      }
  cairo_stroke (cr);
}

/* The point of a series that is nearest to a step. */
static const Point *
find_near (const GArray *points,
           gint64        step)
{
  const Point *best = NULL;

  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);

      if (best == NULL || ABS (point->step - step) < ABS (best->step - step))
        best = point;
    }
  return best;
}

static char *
describe_point (FlowCurve   *self,
                const Point *point)
{
  g_autofree char *value = flow_format_number (point->value);
  g_autoptr(GDateTime) time = isfinite (point->wall_time) && fabs (point->wall_time) < 1e11
                                ? g_date_time_new_from_unix_local ((gint64) point->wall_time) : NULL;
  g_autofree char *when = time != NULL ? g_date_time_format (time, "%F %T") : g_strdup ("");
  g_autoptr(GString) text = g_string_new (NULL);

  g_string_printf (text, _("step %" G_GINT64_FORMAT ": %s"), point->step, value);
  if (self->smoothing > 0 && isfinite (point->smooth))
    {
      g_autofree char *smooth = flow_format_number (point->smooth);

      g_string_append_printf (text, _(" (smoothed %s)"), smooth);
    }
  for (guint i = 1; i < self->series->len; i++)
    {
      const Point *other = find_near (get_series (self, i)->points, point->step);
      g_autofree char *theirs = other != NULL ? flow_format_number (other->value) : g_strdup ("–");

      g_string_append_printf (text, "  ·  %s %s", get_series (self, i)->title, theirs);
    }
  if (self->series->len == 1)
    g_string_append_printf (text, "   %s", when);
  return g_string_free (g_steal_pointer (&text), FALSE);
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

  if (first_points (self) == NULL || self->cursor < 0 || (guint) self->cursor >= first_points (self)->len)
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
  text = describe_point (self, point);
  draw_text (widget, snapshot, text, gtk_widget_get_width (widget) - RIGHT, READOUT_Y, 1);
}

static void
flow_curve_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  FlowCurve *self = FLOW_CURVE (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_t *cr = NULL;

  if (first_points (self) == NULL || first_points (self)->len == 0 || width < LEFT + RIGHT + 10 || height < TOP + BOTTOM + 10)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  draw_lines (self, snapshot, cr);
  for (guint i = self->series->len; i-- > 0;)
    draw_stroke (self, cr, i);
  draw_bad (self, cr);
  draw_legend (self, snapshot, cr);
  draw_cursor (self, snapshot, cr);
  cairo_destroy (cr);
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

  if (first_points (self) == NULL || first_points (self)->len == 0)
    cursor = -1;
  else if (cursor >= 0)
    cursor = MIN (cursor, (int) first_points (self)->len - 1);
  if (cursor == self->cursor)
    return;
  self->cursor = cursor;
  if (cursor >= 0)
    {
      text = describe_point (self, get_point (self, (guint) cursor));
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

  for (guint i = 0; first_points (self) != NULL && i < first_points (self)->len; i++)
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
    case GDK_KEY_End: set_cursor (self, G_MAXINT); return TRUE;
    default: return FALSE;
    }
}

static void
flow_curve_finalize (GObject *object)
{
  FlowCurve *self = FLOW_CURVE (object);

  g_ptr_array_unref (self->series);

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

  self->series = g_ptr_array_new_with_free_func (series_free);
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

/* TensorBoard's rule: a mean that forgets, without the pull to 0 at its beginning. */
static void
smooth_points (FlowCurve *self,
               GArray    *points)
{
  double mean = 0;
  double weight = 0;

  for (guint i = 0; i < points->len; i++)
    {
      Point *point = &g_array_index (points, Point, i);

      if (i > 0 && point->step < g_array_index (points, Point, i - 1).step)
        mean = weight = 0;
      if (isfinite (point->value))
        {
          mean = mean * self->smoothing + (1 - self->smoothing) * point->value;
          weight = weight * self->smoothing + (1 - self->smoothing);
        }
      point->smooth = isfinite (point->value) && weight > 0 ? mean / weight : NAN;
    }
}

static void
measure_points (FlowCurve    *self,
                const GArray *points)
{
  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);

      self->min_step = MIN (self->min_step, (double) point->step);
      self->max_step = MAX (self->max_step, (double) point->step);
      if (isfinite (point->value))
        {
          self->min = MIN (self->min, point->value);
          self->max = MAX (self->max, point->value);
        }
    }
}

static void
series_changed (FlowCurve *self)
{
  g_autoptr(GString) label = g_string_new (NULL);

  self->min = self->min_step = INFINITY;
  self->max = self->max_step = -INFINITY;
  for (guint i = 0; i < self->series->len; i++)
    {
      measure_points (self, get_series (self, i)->points);
      smooth_points (self, get_series (self, i)->points);
      g_string_append_printf (label, "%s%s", i > 0 ? ", " : "", get_series (self, i)->title);
    }
  if (self->min > self->max)
    self->min = self->max = 0;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label->len > 0 ? label->str : _("Curve"), -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
flow_curve_clear (FlowCurve *self)
{
  g_return_if_fail (FLOW_IS_CURVE (self));

  g_ptr_array_set_size (self->series, 0);
  self->cursor = -1;
  series_changed (self);
}

/**
 * flow_curve_add_series:
 * @title: its name
 * @points: a(xdd): step, time, value
 *
 * One more curve in the same field. The cursor goes along the first.
 */
void
flow_curve_add_series (FlowCurve  *self,
                       const char *title,
                       GVariant   *points)
{
  Series *series = NULL;
  gsize n = points != NULL ? g_variant_n_children (points) : 0;

  g_return_if_fail (FLOW_IS_CURVE (self));

  series = g_new0 (Series, 1);
  series->title = g_strdup (title);
  series->points = g_array_sized_new (FALSE, TRUE, sizeof (Point), n);
  for (gsize i = 0; i < n; i++)
    {
      Point point = { 0 };

      g_variant_get_child (points, i, "(xdd)", &point.step, &point.wall_time, &point.value);
      g_array_append_val (series->points, point);
    }
  g_ptr_array_add (self->series, series);
  series_changed (self);
}

guint
flow_curve_get_n_series (FlowCurve *self)
{
  g_return_val_if_fail (FLOW_IS_CURVE (self), 0);

  return self->series->len;
}

guint
flow_curve_get_n_points (FlowCurve *self,
                         guint      series)
{
  g_return_val_if_fail (FLOW_IS_CURVE (self) && series < self->series->len, 0);

  return get_series (self, series)->points->len;
}

/* @smoothing: of each mean how much is the mean before, 0 to 1 */
void
flow_curve_set_smoothing (FlowCurve *self,
                          double     smoothing)
{
  g_return_if_fail (FLOW_IS_CURVE (self));

  self->smoothing = CLAMP (smoothing, 0, 0.999);
  series_changed (self);
}
