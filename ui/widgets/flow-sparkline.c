/* flow-sparkline.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sparkline.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flow-format.h"
#include "flow-tooltip.h"

/**
 * FlowSparkline:
 *
 * The means a tensor has had over time, as a line; after going back, those it is known to have are paler,
 * and a dot is where one stands. A click travels to that moment; with the keyboard the arrows, Home and End
 * choose a point, Enter and Space travel there. What a tensor was in the runs of a script that were answered
 * is part of the line; nothing travels there.
 */
struct _FlowSparkline
{
  GtkWidget parent_instance;

  /* owned */
  GArray *before;            /* Point, as they came: of a script's runs before the one in view, */
  GArray *history;           /* of that run, */
  GArray *after;             /* and of the runs after it */
  GArray *values;            /* double */
  GArray *positions;         /* guint64 */
  char *tensor;

  guint n_before;            /* points in front of the history's */
  guint64 position;          /* in time, when the line was asked for */
  gboolean is_variable;      /* its value at a position is there at that position, not after it */

  guint from_end;            /* of the point that the keyboard chose */
};

typedef struct {
  guint64 position;
  double value;
} Point;

/* Of points that nothing travels to. */
#define NOWHERE G_MAXUINT64
#define WIDTH 74
#define HEIGHT 16
/* Points drawn; more would fall on the same pixels. */
#define MAX_POINTS 400
/* Of what lies ahead. */
#define AHEAD_ALPHA 0.45f

enum {
  SIGNAL_POINT_CHOSEN,
  SIGNAL_MOVE_POINT,
  SIGNAL_CHOOSE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowSparkline, flow_sparkline, GTK_TYPE_WIDGET)

/* Its points: those of a tensor lie at positions. */
static guint
count_points (FlowSparkline *self)
{
  return self->tensor != NULL ? self->positions->len : self->values->len;
}

/* The point that holds now: the last one for the line of a person's own values. */
static guint
find_now (FlowSparkline *self)
{
  guint n = self->values->len;

  for (guint i = n; self->tensor != NULL && i > 0; i--)
    {
      guint64 position = g_array_index (self->positions, guint64, i - 1);

      if (position < self->position || (self->is_variable && position == self->position))
        return i - 1;
    }
  if (self->tensor != NULL && self->history->len > 0)
    return self->n_before;
  return n == 0 ? 0 : n - 1;
}

static guint
chosen_point (FlowSparkline *self)
{
  guint n = count_points (self);

  return n > 0 ? n - 1 - MIN (self->from_end, n - 1) : 0;
}

static void
flow_sparkline_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  FlowSparkline *self = FLOW_SPARKLINE (widget);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  guint n = self->values->len;
  double min = INFINITY;
  double max = -INFINITY;
  guint chosen = chosen_point (self);
  guint now = find_now (self);
  gboolean started = FALSE;
  gboolean marked = FALSE;
  double marked_x = 0;
  double marked_y = 0;
  double now_x = NAN;
  double now_y = NAN;
  GdkRGBA color;
  cairo_t *cr = NULL;

  for (guint i = 0; i < n; i++)
    {
      double value = g_array_index (self->values, double, i);

      if (isfinite (value))
        {
          min = MIN (min, value);
          max = MAX (max, value);
        }
    }
  if (n < 1 || (n < 2 && self->tensor != NULL) || min > max)
    return;
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color",
                                       &color))
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.4);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < n; i++)
    {
      double value = g_array_index (self->values, double, i);
      double x = n > 1 ? 1 + (width - 2) * i / (n - 1) : width / 2;
      double y = max > min ? 2 + (height - 4) * (max - value) / (max - min) : height / 2;

      if (!isfinite (value))
        {
          started = FALSE;
          continue;
        }
      if (started)
        cairo_line_to (cr, x, y);
      else
        cairo_move_to (cr, x, y);
      if (i == now && now + 1 < n)
        {
          GdkRGBA paler = color;

          now_x = x;
          now_y = y;
          cairo_stroke (cr);
          paler.alpha *= AHEAD_ALPHA;
          gdk_cairo_set_source_rgba (cr, &paler);
          cairo_move_to (cr, x, y);
        }
      if (gtk_widget_has_focus (widget) && i == chosen)
        {
          marked = TRUE;
          marked_x = x;
          marked_y = y;
        }
      started = TRUE;
    }
  if (n == 1)
    cairo_arc (cr, width / 2, height / 2, 2, 0, 2 * G_PI);
  cairo_stroke (cr);
  gdk_cairo_set_source_rgba (cr, &color);
  if (!isnan (now_x))
    {
      cairo_arc (cr, CLAMP (now_x, 2.5, width - 2.5), CLAMP (now_y, 2.5, height - 2.5), 2.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  if (marked)
    {
      cairo_arc (cr, marked_x, CLAMP (marked_y, 3, height - 3), 3, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
}

static void
flow_sparkline_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

/* The line is drawn of what is known of its parts. */
static void
compose (FlowSparkline *self)
{
  const GArray *parts[] = { self->before, self->history, self->after };
  guint n = 0;

  g_array_set_size (self->values, 0);
  g_array_set_size (self->positions, 0);
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    {
      /* The run in view begins with what the one before it left in a variable. */
      gboolean repeats = parts[k] == self->before && self->is_variable && self->history->len > 0;
      guint len = parts[k]->len - (repeats && parts[k]->len > 0 ? 1 : 0);
      guint stride = 1 + len / MAX_POINTS;

      if (parts[k] == self->history)
        self->n_before = self->values->len;
      n += len;
      for (guint i = 0; i < len; i++)
        {
          const Point *point = &g_array_index (parts[k], Point, i);

          /* The end is a point of its own, and so is where one stands. */
          if (i % stride != 0 && i + 1 < len && point->position != self->position)
            continue;
          g_array_append_val (self->positions, point->position);
          g_array_append_val (self->values, point->value);
        }
    }
  if (n > 0)
    {
      g_autofree char *now = flow_format_number (g_array_index (self->values, double, find_now (self)));
      g_autofree char *text = g_strdup_printf (ngettext ("%u value, mean now %s", "%u values, mean now %s", n), n, now);

      flow_tooltip_set (GTK_WIDGET (self), text);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
history_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowSparkline *self = FLOW_SPARKLINE (owner);

  g_array_set_size (self->history, 0);
  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(txd))")))
    {
      g_autoptr(GVariantIter) rows = NULL;
      Point point = { 0, 0 };

      g_variant_get (reply->value, "(a(txd))", &rows);
      while (g_variant_iter_next (rows, "(txd)", &point.position, NULL, &point.value))
        g_array_append_val (self->history, point);
    }
  compose (self);
}

static void
trail_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowSparkline *self = FLOW_SPARKLINE (owner);
  GArray *parts[] = { self->before, self->after };

  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    {
      g_autoptr(GVariant) rows = NULL;
      Point point = { NOWHERE, 0 };

      g_array_set_size (parts[k], 0);
      if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(td)a(td))")))
        continue;
      rows = g_variant_get_child_value (reply->value, k);
      for (gsize i = 0; i < g_variant_n_children (rows); i++)
        {
          g_variant_get_child (rows, i, "(td)", NULL, &point.value);
          g_array_append_val (parts[k], point);
        }
    }
  compose (self);
}

static void
go_to_point (FlowSparkline *self,
             guint          i)
{
  if (count_points (self) < (self->tensor == NULL ? 1 : 2))
    return;
  if (self->tensor == NULL)
    g_signal_emit (self, signals[SIGNAL_POINT_CHOSEN], 0, i);
  else if (g_array_index (self->positions, guint64, i) != NOWHERE)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-event", "i",
                                (gint32) g_array_index (self->positions, guint64, i));
}

/* @step: how many points ahead, back where negative; beyond the ends is the end. */
static void
move_point (FlowSparkline *self,
            int            step)
{
  guint n = count_points (self);
  gint64 i = (gint64) chosen_point (self) + step;
  g_autofree char *value = NULL;

  if (n == 0)
    return;
  i = CLAMP (i, 0, (gint64) n - 1);
  self->from_end = n - 1 - (guint) i;
  value = flow_format_number (g_array_index (self->values, double, (guint) i));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, value, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
choose_point (FlowSparkline *self)
{
  go_to_point (self, chosen_point (self));
}

static void
released_cb (GtkGestureClick *gesture,
             int              n_press,
             double           x,
             double           y,
             FlowSparkline   *self)
{
  guint n = count_points (self);
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  if (n > 0 && width > 2)
    go_to_point (self, (guint) CLAMP ((x - 1) / (width - 2) * (n - 1) + 0.5, 0, n - 1));
}

static void
flow_sparkline_finalize (GObject *object)
{
  FlowSparkline *self = FLOW_SPARKLINE (object);

  g_array_unref (self->before);
  g_array_unref (self->history);
  g_array_unref (self->after);
  g_array_unref (self->values);
  g_array_unref (self->positions);
  g_free (self->tensor);

  G_OBJECT_CLASS (flow_sparkline_parent_class)->finalize (object);
}

static void
flow_sparkline_class_init (FlowSparklineClass *klass)
{
  static const struct {
    guint key;
    int step;
  } steps[] = {
    { GDK_KEY_Left, -1 }, { GDK_KEY_Right, 1 }, { GDK_KEY_Home, -G_MAXINT }, { GDK_KEY_End, G_MAXINT },
  };
  static const guint chooses[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = flow_sparkline_finalize;
  widget_class->snapshot = flow_sparkline_snapshot;
  widget_class->measure = flow_sparkline_measure;
  /**
   * FlowSparkline::point-chosen:
   * @point: its number
   *
   * A point of a line was clicked that was given by its values.
   */
  signals[SIGNAL_POINT_CHOSEN] =
    g_signal_new ("point-chosen", FLOW_TYPE_SPARKLINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * FlowSparkline::move-point:
   * @step: how many points ahead
   *
   * A key chooses another point.
   */
  signals[SIGNAL_MOVE_POINT] =
    g_signal_new_class_handler ("move-point", FLOW_TYPE_SPARKLINE, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (move_point),
                                NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  /**
   * FlowSparkline::choose:
   *
   * A key travels to the point at hand.
   */
  signals[SIGNAL_CHOOSE] =
    g_signal_new_class_handler ("choose", FLOW_TYPE_SPARKLINE, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (choose_point),
                                NULL, NULL, NULL, G_TYPE_NONE, 0);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    gtk_widget_class_add_binding_signal (widget_class, steps[i].key, 0, "move-point", "(i)", steps[i].step);
  for (guint i = 0; i < G_N_ELEMENTS (chooses); i++)
    gtk_widget_class_add_binding_signal (widget_class, chooses[i], 0, "choose", NULL);
  gtk_widget_class_set_css_name (widget_class, "sparkline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_sparkline_init (FlowSparkline *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->before = g_array_new (FALSE, FALSE, sizeof (Point));
  self->history = g_array_new (FALSE, FALSE, sizeof (Point));
  self->after = g_array_new (FALSE, FALSE, sizeof (Point));
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
  self->positions = g_array_new (FALSE, FALSE, sizeof (guint64));
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
flow_sparkline_new (void)
{
  return g_object_new (FLOW_TYPE_SPARKLINE, NULL);
}

static gboolean
is_variable (FlowGraph  *graph,
             const char *tensor)
{
  FlowEndpoint endpoint = { 0 };

  return graph != NULL && flow_graph_parse_endpoint (graph, tensor, &endpoint, NULL)
         && flow_is_variable_type (flow_graph_get_node_type (graph, endpoint.node));
}

static void
forget (FlowSparkline *self)
{
  g_array_set_size (self->before, 0);
  g_array_set_size (self->history, 0);
  g_array_set_size (self->after, 0);
  g_array_set_size (self->values, 0);
  g_array_set_size (self->positions, 0);
}

/* Asks for the values @tensor has had and is known to have. What was drawn stays until they are there. */
void
flow_sparkline_show (FlowSparkline *self,
                     FlowUiSession *session,
                     const char    *tensor)
{
  g_return_if_fail (FLOW_IS_SPARKLINE (self));

  if (g_strcmp0 (self->tensor, tensor) != 0)
    {
      forget (self);
      g_free (self->tensor);
      self->tensor = g_strdup (tensor);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  self->position = flow_ui_session_get_state (session)->position;
  self->is_variable = is_variable (flow_ui_session_get_graph (session), tensor);
  flow_ui_session_query (session, self, "history", "History", g_variant_new ("(s)", tensor),
                         history_cb, NULL);
  if (flow_ui_session_is_script (session))
    flow_ui_session_query (session, self, "trail", "ScriptTrail", g_variant_new ("(s)", tensor), trail_cb, NULL);
}

/**
 * flow_sparkline_show_values:
 * @values: (array length=n_values): numbers; NaN leaves a gap
 * @text: what they are, for the tooltip and for a screen reader
 *
 * Draws numbers that are at hand. A click says which point it was on.
 */
void
flow_sparkline_show_values (FlowSparkline *self,
                            const double  *values,
                            gsize          n_values,
                            const char    *text)
{
  g_return_if_fail (FLOW_IS_SPARKLINE (self));

  g_clear_pointer (&self->tensor, g_free);
  forget (self);
  g_array_append_vals (self->values, values, (guint) MIN (n_values, G_MAXUINT16));
  flow_tooltip_set (GTK_WIDGET (self), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
