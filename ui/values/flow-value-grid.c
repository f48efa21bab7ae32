/* flow-value-grid.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-value-grid.h"

#include <glib/gi18n.h>
#include <math.h>

/**
 * FlowValueGrid:
 *
 * A slice as a table. Only the cells in view are fetched, formatted and drawn, so a slice of a billion rows
 * scrolls as a small one does. Arrow keys move a cursor; Enter on a cell asks to edit it.
 */
struct _FlowValueGrid
{
  GtkWidget parent_instance;

  /* owned */
  FlowTensorSlice *slice;
  FlowTensorSlice *other;            /* what it is compared with */
  GtkAdjustment *adjustments[2];     /* horizontal, vertical */
  FlowTolerance tolerance;           /* differences that are let pass */

  GtkScrollablePolicy policies[2];
  gint64 cursor_row;
  gint64 cursor_column;
  int cell_width;
  int cell_height;
  int head_width;
};

/* Cells looked at for the width of a column. */
#define SAMPLE_CELLS 200
#define PADDING 8
/* Rows a small view asks for before it scrolls. */
#define NATURAL_ROWS 8

enum {
  PROP_0,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
  N_PROPS
};

enum {
  SIGNAL_CELL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowValueGrid, flow_value_grid, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static gint64
n_rows (FlowValueGrid *self)
{
  return self->slice != NULL ? flow_tensor_slice_get_n_rows (self->slice) : 0;
}

static gint64
n_columns (FlowValueGrid *self)
{
  return self->slice != NULL ? flow_tensor_slice_get_n_columns (self->slice) : 0;
}

/* --- Sizes --- */

static int
text_width (FlowValueGrid *self,
            const char    *text,
            int           *height)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width = 0;

  pango_layout_get_pixel_size (layout, &width, height);
  return width;
}

static void
measure_cells (FlowValueGrid *self)
{
  gint64 rows = n_rows (self);
  gint64 columns = n_columns (self);
  g_autofree char *last = g_strdup_printf ("%" G_GINT64_FORMAT, MAX (0, rows - 1));
  gint64 first = 0;
  int height = 0;
  guint n = 0;

  if (self->adjustments[1] != NULL && self->cell_height > 0)
    first = (gint64) (gtk_adjustment_get_value (self->adjustments[1]) / self->cell_height);
  self->head_width = text_width (self, last, &height) + 2 * PADDING;
  self->cell_height = height + 6;
  self->cell_width = text_width (self, "−0.0000", NULL) + 2 * PADDING;
  for (gint64 r = first; r < rows && n < SAMPLE_CELLS; r++)
    for (gint64 c = 0; c < columns && n < SAMPLE_CELLS; c++, n++)
      {
        g_autofree char *text = flow_tensor_slice_dup_text (self->slice, r, c);

        self->cell_width = MAX (self->cell_width, text_width (self, text, NULL) + 2 * PADDING);
      }
  /* A long string must not push all others out of sight. */
  self->cell_width = MIN (self->cell_width, 320);
}

static void
configure (FlowValueGrid *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - self->head_width;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) - self->cell_height;
  double full_width = (double) n_columns (self) * self->cell_width;
  double full_height = (double) n_rows (self) * self->cell_height;

  if (self->adjustments[0] != NULL)
    gtk_adjustment_configure (self->adjustments[0],
                              gtk_adjustment_get_value (self->adjustments[0]), 0,
                              MAX (full_width, width), self->cell_width, width * 0.9,
                              MAX (0, width));
  if (self->adjustments[1] != NULL)
    gtk_adjustment_configure (self->adjustments[1],
                              gtk_adjustment_get_value (self->adjustments[1]), 0,
                              MAX (full_height, height), self->cell_height, height * 0.9,
                              MAX (0, height));
}

/* The cells in view and what they are compared with. */
static void
get_range (FlowValueGrid *self,
           gint64        *first_row,
           gint64        *last_row,
           gint64        *first_column,
           gint64        *last_column)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));

  *first_row = (gint64) (gtk_adjustment_get_value (self->adjustments[1]) / self->cell_height);
  *first_column = (gint64) (gtk_adjustment_get_value (self->adjustments[0]) / self->cell_width);
  *last_row = MIN (n_rows (self) - 1, *first_row + (gint64) (height / self->cell_height) + 1);
  *last_column = MIN (n_columns (self) - 1, *first_column + (gint64) (width / self->cell_width) + 1);
}

static gboolean
can_draw (FlowValueGrid *self)
{
  return n_rows (self) > 0 && n_columns (self) > 0 && self->cell_height > 0 &&
         self->adjustments[0] != NULL && self->adjustments[1] != NULL;
}

static void
want_cells (FlowValueGrid *self)
{
  gint64 first_row = 0;
  gint64 last_row = 0;
  gint64 first_column = 0;
  gint64 last_column = 0;

  if (!can_draw (self) || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  get_range (self, &first_row, &last_row, &first_column, &last_column);
  flow_tensor_slice_want_cells (self->slice, first_row, last_row, first_column, last_column);
  if (self->other != NULL)
    flow_tensor_slice_want_cells (self->other, first_row, last_row, first_column, last_column);
}

static void
scrolled_cb (FlowValueGrid *self)
{
  want_cells (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
flow_value_grid_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (flow_value_grid_parent_class)->map (widget);

  want_cells (FLOW_VALUE_GRID (widget));
}

static void
flow_value_grid_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  configure (FLOW_VALUE_GRID (widget));
  want_cells (FLOW_VALUE_GRID (widget));
}

static void
flow_value_grid_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  FlowValueGrid *self = FLOW_VALUE_GRID (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = self->head_width + self->cell_width;
      *natural = self->head_width + (int) CLAMP (n_columns (self), 1, 6) * self->cell_width;
    }
  else
    {
      *minimum = self->cell_height * 2;
      *natural = self->cell_height * (1 + (int) CLAMP (n_rows (self), 1, NATURAL_ROWS));
    }
}

/* --- Drawing --- */

static void
draw_text (FlowValueGrid *self,
           GtkSnapshot   *snapshot,
           const char    *text,
           double         x,
           double         y,
           double         width,
           const GdkRGBA *color)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);

  pango_layout_set_width (layout, (int) (width - 2 * PADDING) * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_alignment (layout, PANGO_ALIGN_RIGHT);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x + PADDING, (float) y + 3));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_number (FlowValueGrid *self,
             GtkSnapshot   *snapshot,
             gint64         number,
             double         x,
             double         y,
             double         width,
             const GdkRGBA *color)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  draw_text (self, snapshot, text, x, y, width, color);
}

/* Of a double the slice has all bits, of a float as well. */
static gboolean
is_within_ulp (FlowValueGrid *self,
               double         a,
               double         b)
{
  FlowDType dtype = flow_tensor_slice_get_info (self->slice)->dtype;
  guint64 distance = 0;

  if (self->tolerance.ulp == 0)
    return FALSE;
  if (dtype == FLOW_DTYPE_FLOAT)
    distance = flow_float_ulp_distance ((float) a, (float) b);
  else if (dtype == FLOW_DTYPE_DOUBLE)
    distance = flow_double_ulp_distance (a, b);
  return distance != 0 && distance <= self->tolerance.ulp;
}

/* numpy.allclose's rule and the engine's of neighbouring numbers, for the cell; what is no number differs when its text does. */
static gboolean
differs (FlowValueGrid *self,
         gint64         row,
         gint64         column)
{
  double a = 0;
  double b = 0;

  if (self->other == NULL || !flow_tensor_slice_has_cell (self->other, row, column))
    return FALSE;
  if (!flow_tensor_slice_is_number (self->slice))
    {
      g_autofree char *mine = flow_tensor_slice_dup_text (self->slice, row, column);
      g_autofree char *theirs = flow_tensor_slice_dup_text (self->other, row, column);

      return g_strcmp0 (mine, theirs) != 0;
    }
  a = flow_tensor_slice_get_double (self->slice, row, column);
  b = flow_tensor_slice_get_double (self->other, row, column);
  if (isnan (a) || isnan (b))
    return isnan (a) != isnan (b);
  if (a == b)
    return FALSE;
  return !(fabs (a - b) <= self->tolerance.abs + self->tolerance.rel * fabs (b)) && !is_within_ulp (self, a, b);
}

static void
draw_cells (FlowValueGrid *self,
            GtkSnapshot   *snapshot,
            gint64         first_row,
            gint64         last_row,
            gint64         first_column,
            gint64         last_column)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  double left = self->head_width - gtk_adjustment_get_value (self->adjustments[0]);
  double top = self->cell_height - gtk_adjustment_get_value (self->adjustments[1]);
  GdkRGBA color;
  GdkRGBA bad;
  GdkRGBA accent;
  GdkRGBA changed;
  GdkRGBA pale;

  gtk_style_context_get_color (context, &color);
  if (!gtk_style_context_lookup_color (context, "error_color", &bad))
    bad = color;
  if (!gtk_style_context_lookup_color (context, "accent_bg_color", &accent))
    accent = color;
  accent.alpha *= 0.25f;
  if (!gtk_style_context_lookup_color (context, "warning_bg_color", &changed))
    changed = accent;
  changed.alpha *= 0.35f;
  pale = color;
  pale.alpha *= 0.4f;
  for (gint64 row = first_row; row <= last_row; row++)
    for (gint64 column = first_column; column <= last_column; column++)
      {
        g_autofree char *text = flow_tensor_slice_dup_text (self->slice, row, column);
        double value = flow_tensor_slice_get_double (self->slice, row, column);
        gboolean is_there = flow_tensor_slice_has_cell (self->slice, row, column);
        gboolean is_bad = is_there && flow_tensor_slice_is_number (self->slice) && !isfinite (value);
        gboolean is_different = is_there && differs (self, row, column);
        double x = left + (double) column * self->cell_width;
        double y = top + (double) row * self->cell_height;

        if (is_different)
          gtk_snapshot_append_color (snapshot, &changed,
                                     &GRAPHENE_RECT_INIT ((float) x, (float) y, self->cell_width,
                                                          self->cell_height));
        if (row == self->cursor_row && column == self->cursor_column)
          gtk_snapshot_append_color (snapshot, &accent,
                                     &GRAPHENE_RECT_INIT ((float) x, (float) y, self->cell_width,
                                                          self->cell_height));
        draw_text (self, snapshot, text, x, y, self->cell_width,
                   is_bad ? &bad : !is_there || (self->other != NULL && !is_different) ? &pale : &color);
      }
}

static void
draw_heads (FlowValueGrid *self,
            GtkSnapshot   *snapshot,
            gint64         first_row,
            gint64         last_row,
            gint64         first_column,
            gint64         last_column)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  double left = self->head_width - gtk_adjustment_get_value (self->adjustments[0]);
  double top = self->cell_height - gtk_adjustment_get_value (self->adjustments[1]);
  float width = gtk_widget_get_width (GTK_WIDGET (self));
  float height = gtk_widget_get_height (GTK_WIDGET (self));
  GdkRGBA color;
  GdkRGBA line;

  gtk_style_context_get_color (context, &color);
  line = color;
  line.alpha *= 0.15f;
  color.alpha *= 0.55f;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (self->head_width, 0,
                                                         MAX (0, width - self->head_width),
                                                         self->cell_height));
  for (gint64 column = first_column; column <= last_column; column++)
    draw_number (self, snapshot, column, left + (double) column * self->cell_width, 0,
                 self->cell_width, &color);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, self->cell_height, self->head_width,
                                                         MAX (0, height - self->cell_height)));
  for (gint64 row = first_row; row <= last_row; row++)
    draw_number (self, snapshot, row, 0, top + (double) row * self->cell_height, self->head_width,
                 &color);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_color (snapshot, &line,
                             &GRAPHENE_RECT_INIT (0, self->cell_height - 1, width, 1));
  gtk_snapshot_append_color (snapshot, &line,
                             &GRAPHENE_RECT_INIT (self->head_width - 1, 0, 1, height));
}

static void
flow_value_grid_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  FlowValueGrid *self = FLOW_VALUE_GRID (widget);
  float width = gtk_widget_get_width (widget);
  float height = gtk_widget_get_height (widget);
  gint64 first_row = 0;
  gint64 last_row = 0;
  gint64 first_column = 0;
  gint64 last_column = 0;

  if (!can_draw (self))
    return;
  get_range (self, &first_row, &last_row, &first_column, &last_column);
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (self->head_width, self->cell_height,
                                               MAX (0, width - self->head_width),
                                               MAX (0, height - self->cell_height)));
  draw_cells (self, snapshot, first_row, last_row, first_column, last_column);
  gtk_snapshot_pop (snapshot);
  draw_heads (self, snapshot, first_row, last_row, first_column, last_column);
}

/* --- Cursor --- */

static void
describe_cursor (FlowValueGrid *self)
{
  g_autofree char *index = NULL;
  g_autofree char *value = NULL;
  g_autofree char *text = NULL;

  if (n_rows (self) == 0 || n_columns (self) == 0)
    return;
  index = flow_tensor_slice_dup_index (self->slice, self->cursor_row, self->cursor_column);
  value = flow_tensor_slice_dup_text (self->slice, self->cursor_row, self->cursor_column);
  text = g_strdup_printf ("%s = %s", index, value);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

static void
set_cursor (FlowValueGrid *self,
            gint64         row,
            gint64         column)
{
  self->cursor_row = CLAMP (row, 0, MAX (0, n_rows (self) - 1));
  self->cursor_column = CLAMP (column, 0, MAX (0, n_columns (self) - 1));
  if (self->adjustments[0] != NULL)
    gtk_adjustment_clamp_page (self->adjustments[0],
                               (double) self->cursor_column * self->cell_width,
                               (double) (self->cursor_column + 1) * self->cell_width);
  if (self->adjustments[1] != NULL)
    gtk_adjustment_clamp_page (self->adjustments[1],
                               (double) self->cursor_row * self->cell_height,
                               (double) (self->cursor_row + 1) * self->cell_height);
  describe_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint                  keyval,
                guint                  keycode,
                GdkModifierType        state,
                FlowValueGrid         *self)
{
  gint64 page = MAX (1, gtk_widget_get_height (GTK_WIDGET (self)) / MAX (1, self->cell_height) - 2);
  gint64 row = self->cursor_row;
  gint64 column = self->cursor_column;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_Up: row--; break;
    case GDK_KEY_Down: row++; break;
    case GDK_KEY_Left: column--; break;
    case GDK_KEY_Right: column++; break;
    case GDK_KEY_Page_Up: row -= page; break;
    case GDK_KEY_Page_Down: row += page; break;
    case GDK_KEY_Home: column = 0; break;
    case GDK_KEY_End: column = G_MAXINT64; break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      g_signal_emit (self, signals[SIGNAL_CELL_ACTIVATED], 0, row, column);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  set_cursor (self, row, column);
  return GDK_EVENT_STOP;
}

static void
pressed_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            FlowValueGrid   *self)
{
  gint64 row = 0;
  gint64 column = 0;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (x < self->head_width || y < self->cell_height || self->adjustments[0] == NULL ||
      self->adjustments[1] == NULL || n_rows (self) == 0)
    return;
  row = (gint64) ((y - self->cell_height + gtk_adjustment_get_value (self->adjustments[1])) /
                  self->cell_height);
  column = (gint64) ((x - self->head_width + gtk_adjustment_get_value (self->adjustments[0])) /
                     self->cell_width);
  if (row >= n_rows (self) || column >= n_columns (self))
    return;
  set_cursor (self, row, column);
  if (n_press == 2)
    g_signal_emit (self, signals[SIGNAL_CELL_ACTIVATED], 0, row, column);
}

/* --- Object --- */

static void
set_adjustment (FlowValueGrid *self,
                int            i,
                GtkAdjustment *adjustment)
{
  if (self->adjustments[i] != NULL)
    g_signal_handlers_disconnect_by_func (self->adjustments[i], scrolled_cb, self);
  g_clear_object (&self->adjustments[i]);
  if (adjustment == NULL)
    return;
  self->adjustments[i] = g_object_ref_sink (adjustment);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self,
                           G_CONNECT_SWAPPED);
  configure (self);
}

static void
flow_value_grid_get_property (GObject    *object,
                              guint       prop_id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  FlowValueGrid *self = FLOW_VALUE_GRID (object);

  switch (prop_id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->adjustments[0]);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->adjustments[1]);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->policies[0]);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->policies[1]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
flow_value_grid_set_property (GObject      *object,
                              guint         prop_id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  FlowValueGrid *self = FLOW_VALUE_GRID (object);

  switch (prop_id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, 0, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, 1, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->policies[0] = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->policies[1] = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
flow_value_grid_dispose (GObject *object)
{
  FlowValueGrid *self = FLOW_VALUE_GRID (object);

  set_adjustment (self, 0, NULL);
  set_adjustment (self, 1, NULL);
  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_clear_object (&self->slice);
  if (self->other != NULL)
    g_signal_handlers_disconnect_by_data (self->other, self);
  g_clear_object (&self->other);

  G_OBJECT_CLASS (flow_value_grid_parent_class)->dispose (object);
}

static void
flow_value_grid_class_init (FlowValueGridClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = flow_value_grid_dispose;
  object_class->get_property = flow_value_grid_get_property;
  object_class->set_property = flow_value_grid_set_property;
  widget_class->snapshot = flow_value_grid_snapshot;
  widget_class->map = flow_value_grid_map;
  widget_class->measure = flow_value_grid_measure;
  widget_class->size_allocate = flow_value_grid_size_allocate;

  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  signals[SIGNAL_CELL_ACTIVATED] =
    g_signal_new ("cell-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
  gtk_widget_class_set_css_name (widget_class, "valuegrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
flow_value_grid_init (FlowValueGrid *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "flow-mono");
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Table of the values of the slice"), -1);
}

GtkWidget *
flow_value_grid_new (void)
{
  return g_object_new (FLOW_TYPE_VALUE_GRID, NULL);
}

static void
slice_changed_cb (FlowValueGrid *self)
{
  measure_cells (self);
  set_cursor (self, self->cursor_row, self->cursor_column);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  configure (self);
  want_cells (self);
}

/* Cells have come: they may be wider than those before. */
static void
cells_changed_cb (FlowValueGrid *self)
{
  int width = self->cell_width;

  measure_cells (self);
  describe_cursor (self);
  if (self->cell_width != width)
    {
      gtk_widget_queue_resize (GTK_WIDGET (self));
      configure (self);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* @slice: (nullable) */
void
flow_value_grid_set_slice (FlowValueGrid   *self,
                           FlowTensorSlice *slice)
{
  g_return_if_fail (FLOW_IS_VALUE_GRID (self));

  if (self->slice != NULL)
    g_signal_handlers_disconnect_by_data (self->slice, self);
  g_set_object (&self->slice, slice);
  if (slice != NULL)
    {
      g_signal_connect_object (slice, "changed", G_CALLBACK (slice_changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (slice, "cells-changed", G_CALLBACK (cells_changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  slice_changed_cb (self);
}

void
flow_value_grid_set_other (FlowValueGrid   *self,
                           FlowTensorSlice *other,
                           const FlowTolerance *tolerance)
{
  g_return_if_fail (FLOW_IS_VALUE_GRID (self));

  self->tolerance = *tolerance;
  if (self->other != NULL)
    g_signal_handlers_disconnect_by_data (self->other, self);
  g_set_object (&self->other, other);
  if (other != NULL)
    g_signal_connect_object (other, "cells-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                             G_CONNECT_SWAPPED);
  want_cells (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
flow_value_grid_set_cursor (FlowValueGrid *self,
                            gint64         row,
                            gint64         column)
{
  g_return_if_fail (FLOW_IS_VALUE_GRID (self));

  set_cursor (self, row, column);
}

/* Returns: whether there is a cell under the cursor */
gboolean
flow_value_grid_get_cursor (FlowValueGrid *self,
                            gint64        *row,
                            gint64        *column)
{
  g_return_val_if_fail (FLOW_IS_VALUE_GRID (self), FALSE);

  *row = self->cursor_row;
  *column = self->cursor_column;
  return n_rows (self) > 0 && n_columns (self) > 0;
}
