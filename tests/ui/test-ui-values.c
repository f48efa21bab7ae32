/* test-ui-values.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "flow-heat-map.h"
#include "flow-npy.h"
#include "flow-value-grid.h"
#include "flow-value-view.h"
#include "flow-value-window.h"
#include "flow-window-driver.h"

/* Looking at values, comparing moments and restoring, with the window's own widgets over the real engine. */

static char *
path_in (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "training", "mlp-sgd", name, NULL);
}

static FlowWindow *
open_at_step1 (void)
{
  g_autofree char *path = path_in ("flowstep.run.json");
  FlowWindow *window = drive_open (path);

  drive_activate (window, "choose-run", "step1");
  drive_activate (window, "restart", NULL);
  return window;
}

typedef gboolean (*WidgetTest) (GtkWidget  *widget,
                                const char *text);

static GtkWidget *
find_widget (GtkWidget  *widget,
             WidgetTest  test,
             const char *text)
{
  GtkWidget *found = gtk_widget_get_mapped (widget) && test (widget, text) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_widget (child, test, text);
  return found;
}

static gboolean
is_button (GtkWidget  *widget,
           const char *text)
{
  return GTK_IS_BUTTON (widget) && gtk_button_get_label (GTK_BUTTON (widget)) != NULL &&
         strcmp (gtk_button_get_label (GTK_BUTTON (widget)), text) == 0;
}

static gboolean
has_text (GtkWidget  *widget,
          const char *text)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
is_view (GtkWidget  *widget,
         const char *text)
{
  return FLOW_IS_VALUE_VIEW (widget);
}

static void
click (GtkWidget  *root,
       FlowWindow *window,
       const char *label)
{
  GtkWidget *button = find_widget (root, is_button, label);

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  drive_settle (window);
}

static void
assert_shown (GtkWidget  *root,
              const char *text)
{
  if (find_widget (root, has_text, text) == NULL)
    g_error ("nothing says \"%s\"", text);
}

static GtkWidget *
value_window (void)
{
  g_autoptr(GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (FLOW_IS_VALUE_WINDOW (l->data))
      return l->data;
  return NULL;
}

static void
close_value_window (void)
{
  GtkWidget *window = value_window ();

  if (window != NULL)
    gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static gboolean
is_grid (GtkWidget  *widget,
         const char *text)
{
  return FLOW_IS_VALUE_GRID (widget);
}

static gboolean
is_search (GtkWidget  *widget,
           const char *text)
{
  return GTK_IS_ENTRY (widget) && gtk_entry_get_placeholder_text (GTK_ENTRY (widget)) != NULL
         && strstr (gtk_entry_get_placeholder_text (GTK_ENTRY (widget)), "/text") != NULL;
}

/* What is looked for, and Enter. */
static void
write_search (GtkWidget  *root,
              FlowWindow *window,
              const char *text)
{
  GtkWidget *entry = find_widget (root, is_search, NULL);

  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  drive_settle (window);
}

/* The largest element is found by the engine and the table goes there. */
static void
test_find_in_table (void)
{
  FlowWindow *window = open_at_step1 ();
  GtkWidget *value = NULL;
  FlowTensorSlice *slice = NULL;
  FlowValueInfo *info = NULL;
  double best = 0;
  gint64 row = 0;
  gint64 column = 0;

  drive_activate (window, "show-value", "hidden1/weights");
  value = value_window ();
  g_assert_nonnull (value);
  drive_settle (window);
  slice = flow_value_view_get_slice (FLOW_VALUE_VIEW (find_widget (value, is_view, NULL)));
  g_assert_nonnull (slice);
  info = flow_tensor_slice_get_info (slice);
  g_assert_cmpint (info->n_elements, ==, 36 * 24);
  click (value, window, "Largest");
  for (gint64 r = 0; r < 36; r++)
    for (gint64 c = 0; c < 24; c++)
      if ((r == 0 && c == 0) || flow_tensor_slice_get_double (slice, r, c) > best)
        {
          best = flow_tensor_slice_get_double (slice, r, c);
          row = r;
          column = c;
        }
  g_assert_cmpfloat (best, ==, info->max);
  {
    g_autofree char *index = g_strdup_printf ("[%d, %d]", (int) row, (int) column);

    assert_shown (value, index);
  }
  write_search (value, window, "@[1, 2]");
  g_assert_true (flow_value_grid_get_cursor (FLOW_VALUE_GRID (find_widget (value, is_grid, NULL)), &row, &column));
  g_assert_cmpint (row, ==, 1);
  g_assert_cmpint (column, ==, 2);
  write_search (value, window, "1e30, inf");
  assert_shown (value, "None");
  write_search (value, window, "/text");
  assert_shown (value, "has no text");
  click (value, window, "NaN");
  assert_shown (value, "None");
  close_value_window ();
  drive_close (window);
}

/* Pinned, one run later, compared: the value window says how far apart, the panel which variables moved. */
static void
test_pin_and_compare (void)
{
  FlowWindow *window = open_at_step1 ();

  drive_activate (window, "pin", NULL);
  drive_activate (window, "run", NULL);
  drive_activate (window, "select", "hidden1/weights");
  drive_activate (window, "compare", NULL);
  g_assert_nonnull (value_window ());
  drive_settle (window);
  assert_shown (value_window (), "of 864 elements differ");
  assert_shown (GTK_WIDGET (window), "7 of 7 variables differ");
  close_value_window ();
  drive_close (window);
}

/* Restored, the subtitle says so; the variable that moved most comes first. */
static void
test_restore (void)
{
  FlowWindow *window = open_at_step1 ();
  g_autofree char *prefix = path_in ("init.ckpt");

  drive_activate (window, "restore-checkpoint", prefix);
  assert_shown (GTK_WIDGET (window), "restored from init.ckpt");
  assert_shown (GTK_WIDGET (window), "7 of 7 variables changed by init.ckpt");
  drive_activate (window, "compare-value", "var:hidden1/weights before-restore");
  drive_settle (window);
  assert_shown (value_window (), "of 864 elements differ");
  close_value_window ();
  drive_close (window);
}

static void
test_save (void)
{
  FlowWindow *window = open_at_step1 ();
  g_autofree char *folder = g_dir_make_tmp ("flow-values-XXXXXX", NULL);
  g_autofree char *npy = g_build_filename (folder, "w.npy", NULL);
  g_autofree char *png = g_build_filename (folder, "w.png", NULL);
  g_autofree char *text = g_strdup_printf ("var:hidden1/weights=%s", npy);
  g_autofree char *start = NULL;
  g_autoptr(FlowTensor) value = NULL;
  g_autoptr(GError) error = NULL;
  gsize length = 0;

  drive_activate (window, "save-value", text);
  value = flow_npy_load (npy, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (flow_tensor_get_dim (value, 1), ==, 24);
  drive_activate (window, "show-value", "hidden1/weights");
  drive_settle (window);
  gtk_widget_activate_action (value_window (), "value.save", "s", png);
  g_assert_true (g_file_get_contents (png, &start, &length, NULL));
  g_assert_cmpuint (length, >, 100);
  g_assert_cmpmem (start, 4, "\x89PNG", 4);
  close_value_window ();
  g_unlink (npy);
  g_unlink (png);
  g_rmdir (folder);
  drive_close (window);
}

static void
test_plans (void)
{
  FlowWindow *window = open_at_step1 ();

  drive_activate (window, "show-panel", "plans");
  drive_activate (window, "compare-plans", "step0,summaries");
  assert_shown (GTK_WIDGET (window), "28 ops in both, 68 only in A, 5 only in B, 6 with state in both");
  click (GTK_WIDGET (window), window, "Clear");
  assert_shown (GTK_WIDGET (window), "Choose two plans to see what they share");
  drive_close (window);
}

/* Stop at the next write of a variable, and from there back to who wrote it before. */
static void
test_writers (void)
{
  FlowWindow *window = open_at_step1 ();
  g_autoptr(JsonObject) first = NULL;
  g_autoptr(JsonObject) second = NULL;

  drive_activate (window, "next-write", "global_step");
  drive_assert_state (window, "reason", "watchpoint");
  first = drive_dup_state (window);
  assert_shown (GTK_WIDGET (window), "wrote global_step: 1 of 1 elements changed, by at most 1");
  click (GTK_WIDGET (window), window, "Who Wrote It Before");
  drive_assert_state (window, "reason", "watchpoint");
  /* The same op, one run earlier. */
  second = drive_dup_state (window);
  g_assert_cmpstr (drive_state_text (second, "selection"), ==, drive_state_text (first, "selection"));
  g_assert_cmpint (json_object_get_int_member (second, "position"), <, json_object_get_int_member (first, "position"));
  drive_close (window);
}

/* A feed that spoils everything: the first NaN's op is named, and where it came from is a click away. */
static void
test_origin (void)
{
  FlowWindow *window = open_at_step1 ();

  drive_activate (window, "override", "hidden1/weights:0={\"value\": \"NaN\"}");
  drive_settle (window);
  drive_activate (window, "show-panel", "origin");
  drive_activate (window, "run-to", "relu1");
  drive_activate (window, "origin", "hidden1/MatMul");
  assert_shown (GTK_WIDGET (window), "Where hidden1/MatMul:0 came from, back in time");
  drive_close (window);
}

/* A run that would find nothing to read says so before it begins, with a button. */
static void
test_uninitialized (void)
{
  FlowWindow *window = flow_window_new (GTK_APPLICATION (drive_get_app ()));
  g_autofree char *path = path_in ("model.meta");
  FlowUiSession *session = flow_window_get_session (window);

  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, NULL);
  drive_settle (window);
  flow_ui_session_command (session, NULL, "SetRun",
                           g_variant_new ("(s)", "{\"name\": \"look\", \"fetches\": [\"global_step:0\"]}"), NULL, NULL,
                           NULL, NULL);
  drive_settle (window);
  drive_activate (window, "choose-run", "look");
  assert_shown (GTK_WIDGET (window), "1 variable that this run reads has no value");
  click (GTK_WIDGET (window), window, "Initialize");
  drive_activate (window, "restart", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "error", NULL);
  drive_close (window);
}

/* --- pictures ---------------------------------------------------------------------------------------- */

/* What the widget shows, at its own size; the caller owns it. */
static cairo_surface_t *
take_picture (GtkWidget *widget)
{
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr(GskRenderNode) node = NULL;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);

  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
assert_pixel (GtkWidget       *widget,
              cairo_surface_t *picture,
              double           x,
              double           y,
              const char      *from,
              const char      *to,
              double           t)
{
  const guint8 *data = cairo_image_surface_get_data (picture);
  guint32 pixel;
  GdkRGBA a;
  GdkRGBA b;

  g_assert_true (gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), from, &a));
  g_assert_true (gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), to, &b));
  memcpy (&pixel, data + (gsize) y * cairo_image_surface_get_stride (picture) + 4 * (gsize) x, sizeof pixel);
  g_assert_cmpint (ABS ((int) (pixel >> 16 & 0xff) - (int) (255 * (a.red + (b.red - a.red) * t) + 0.5)), <=, 1);
  g_assert_cmpint (ABS ((int) (pixel >> 8 & 0xff) - (int) (255 * (a.green + (b.green - a.green) * t) + 0.5)), <=, 1);
  g_assert_cmpint (ABS ((int) (pixel & 0xff) - (int) (255 * (a.blue + (b.blue - a.blue) * t) + 0.5)), <=, 1);
}

/* A value that is the same everywhere has the colour of its end of the scale, not that of its middle. */
static void
test_constant_picture (void)
{
  static const struct {
    FlowHeatMapStyle style;
    float value;
    const char *color;
  } cases[] = {
    { FLOW_HEAT_MAP_DIVERGING, 0.0f, "flow_heat_middle" },
    { FLOW_HEAT_MAP_DIVERGING, 3.0f, "flow_heat_high" },
    { FLOW_HEAT_MAP_DIVERGING, -3.0f, "flow_heat_low" },
    { FLOW_HEAT_MAP_GRAY, 0.0f, "flow_image_low" },
    { FLOW_HEAT_MAP_GRAY, 255.0f, "flow_image_high" },
    { FLOW_HEAT_MAP_GRAY, -1.0f, "flow_image_low" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gint64 dims[] = { 4, 4 };
      g_autoptr(FlowShape) shape = flow_shape_new (2, dims);
      g_autoptr(FlowTensor) tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);
      float *data = flow_tensor_get_writable (tensor);
      g_autoptr(FlowTensorSlice) slice = NULL;
      GtkWidget *window = gtk_window_new ();
      GtkWidget *map = flow_heat_map_new (cases[i].style);
      cairo_surface_t *picture;

      for (guint k = 0; k < 16; k++)
        data[k] = cases[i].value;
      slice = flow_tensor_slice_new_for_tensor (tensor);
      flow_heat_map_set_slice (FLOW_HEAT_MAP (map), slice);
      gtk_window_set_default_size (GTK_WINDOW (window), 200, 200);
      gtk_window_set_child (GTK_WINDOW (window), map);
      gtk_window_present (GTK_WINDOW (window));
      while (gtk_widget_get_width (map) == 0 || g_main_context_pending (NULL))
        g_main_context_iteration (NULL, TRUE);
      picture = take_picture (map);
      assert_pixel (map, picture, 4, 4, cases[i].color, cases[i].color, 0);
      cairo_surface_destroy (picture);
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static gboolean
is_heat_map (GtkWidget  *widget,
             const char *text)
{
  return FLOW_IS_HEAT_MAP (widget);
}

/* The picture of the page that is shown, when the page before it is gone and it has its size. */
static GtkWidget *
wait_for_map (GtkWidget *root)
{
  for (guint i = 0; i < 500; i++)
    {
      GtkWidget *map = find_widget (root, is_heat_map, NULL);
      GtkWidget *stack = map != NULL ? gtk_widget_get_ancestor (map, GTK_TYPE_STACK) : NULL;

      if (stack != NULL && !gtk_stack_get_transition_running (GTK_STACK (stack)) && gtk_widget_get_height (map) > 64)
        return map;
      g_usleep (10000);
      while (g_main_context_pending (NULL))
        g_main_context_iteration (NULL, FALSE);
    }
  g_assert_not_reached ();
}

/* The two entries of the range are told by their width; @text: which of them. */
static gboolean
is_range (GtkWidget  *widget,
          const char *text)
{
  return GTK_IS_ENTRY (widget) && gtk_editable_get_max_width_chars (GTK_EDITABLE (widget)) == 8
         && (strcmp (text, "low") == 0) == (gtk_widget_get_prev_sibling (gtk_widget_get_prev_sibling (widget)) == NULL);
}

static void
assert_gray (GtkWidget *map,
             double     low,
             double     high)
{
  FlowTensorSlice *slice = NULL;
  GtkWidget *view = gtk_widget_get_ancestor (map, FLOW_TYPE_VALUE_VIEW);
  cairo_surface_t *picture = take_picture (map);
  guint n_inside = 0;
  int cell;

  slice = flow_value_view_get_slice (FLOW_VALUE_VIEW (view));
  /* Square cells, as large as they fit above the legend. */
  cell = MIN (MIN (gtk_widget_get_width (map) / 24, (gtk_widget_get_height (map) - 32) / 36), 18);
  g_assert_cmpint (cell, >=, 2);
  for (gint64 r = 0; r < 36; r++)
    for (gint64 c = 0; c < 24; c++)
      {
        double value = flow_tensor_slice_get_double (slice, r, c);
        double t = CLAMP ((value - low) / (high - low), 0.0, 1.0);

        n_inside += t > 0.0 && t < 1.0;
        assert_pixel (map, picture, c * cell + (cell - 1) / 2, r * cell + (cell - 1) / 2, "flow_image_low", "flow_image_high", t);
      }
  g_assert_cmpuint (n_inside, >, 10);
  cairo_surface_destroy (picture);
}

/* The range of the picture's colours: what a person writes there is what black and white stand for. */
static void
test_image_range (void)
{
  FlowWindow *window = open_at_step1 ();
  GtkWidget *value;
  GtkWidget *map;
  GtkWidget *low;
  GtkWidget *high;
  FlowValueInfo *info;

  drive_activate (window, "show-value", "hidden1/weights");
  drive_settle (window);
  value = value_window ();
  flow_value_view_set_mode (FLOW_VALUE_VIEW (find_widget (value, is_view, NULL)), "image");
  drive_settle (window);
  map = wait_for_map (value);
  low = find_widget (value, is_range, "low");
  high = find_widget (value, is_range, "high");
  g_assert_nonnull (low);
  g_assert_nonnull (high);
  info = flow_tensor_slice_get_info (flow_value_view_get_slice (FLOW_VALUE_VIEW (find_widget (value, is_view, NULL))));
  assert_gray (map, info->min, info->max);
  gtk_editable_set_text (GTK_EDITABLE (low), "-0.05");
  drive_settle (window);
  assert_gray (map, -0.05, info->max);
  gtk_editable_set_text (GTK_EDITABLE (high), "0.1");
  drive_settle (window);
  assert_gray (map, -0.05, 0.1);
  /* What is no number is no end of a range. */
  gtk_editable_set_text (GTK_EDITABLE (high), "0.1x");
  drive_settle (window);
  assert_gray (map, -0.05, info->max);
  g_signal_emit_by_name (gtk_widget_get_next_sibling (high), "clicked");
  drive_settle (window);
  assert_gray (map, info->min, info->max);
  close_value_window ();
  drive_close (window);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/values/find-in-table", test_find_in_table);
  g_test_add_func ("/ui/values/pin-and-compare", test_pin_and_compare);
  g_test_add_func ("/ui/values/restore", test_restore);
  g_test_add_func ("/ui/values/save", test_save);
  g_test_add_func ("/ui/values/constant-picture", test_constant_picture);
  g_test_add_func ("/ui/values/image-range", test_image_range);
  g_test_add_func ("/ui/values/plans", test_plans);
  g_test_add_func ("/ui/values/writers", test_writers);
  g_test_add_func ("/ui/values/origin", test_origin);
  g_test_add_func ("/ui/values/uninitialized", test_uninitialized);

  return g_test_run ();
}
