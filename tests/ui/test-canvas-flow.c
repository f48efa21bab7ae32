/* test-canvas-flow.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <adwaita.h>

#include "flow-canvas-fixture.h"
#include "flow-graph-text.h"

/* Where data flows to on the canvas, where the first look goes, and at what pace it opens what. */

/* Lines between boxes of one column go with the flow, but for those that lead back. */
static void
assert_flows (FlowCanvas *canvas)
{
  const FlowDisplay *display = canvas->display;
  guint n = 0;

  for (guint i = 0; i < display->n_wires; i++)
    {
      const FlowWire *wire = &display->wires[i];
      const FlowBox *from = wire->from != FLOW_ITEM_NONE ? flow_display_find_box (display, wire->from) : NULL;
      const FlowBox *to = wire->to != FLOW_ITEM_NONE ? flow_display_find_box (display, wire->to) : NULL;

      if (from == NULL || to == NULL || (wire->flags & FLOW_WIRE_BACK) != 0
          || canvas_get_band (canvas, wire->from) != canvas_get_band (canvas, wire->to))
        continue;
      if (display->direction == FLOW_FLOW_RIGHT)
        g_assert_cmpfloat (to->x, >=, from->x + from->width);
      else if (display->direction == FLOW_FLOW_UP)
        g_assert_cmpfloat (to->y + to->height, <=, from->y);
      else
        g_assert_cmpfloat (to->y, >=, from->y + from->height);
      n++;
    }
  g_assert_cmpuint (n, >, 2);
}

static void
test_directions (CanvasFixture *fixture,
                 gconstpointer  data)
{
  float height = fixture->canvas->display->height;

  assert_flows (fixture->canvas);
  flow_canvas_set_direction (fixture->canvas, FLOW_CANVAS_RIGHT);
  canvas_settle (fixture);
  assert_flows (fixture->canvas);
  flow_canvas_set_direction (fixture->canvas, FLOW_CANVAS_UP);
  canvas_settle (fixture);
  assert_flows (fixture->canvas);
  g_assert_cmpfloat (fixture->canvas->display->height, ==, height);
  flow_canvas_set_edge_shapes (fixture->canvas, FALSE);
  canvas_settle (fixture);
  for (guint i = 0; i < fixture->canvas->display->n_wires; i++)
    g_assert_null (fixture->canvas->display->wires[i].label);
}

/* Large text makes the drawing large: nothing in it stands otherwise than it did. */
static void
test_large_text (CanvasFixture *fixture,
                 gconstpointer  data)
{
  FlowCanvas *canvas = fixture->canvas;
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (canvas));
  float height = canvas->display->boxes[1].height;
  int dpi = 0;

  flow_canvas_zoom_reset (canvas);
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_assert_cmpfloat (canvas->camera.zoom, ==, canvas->text_scale);
  g_object_set (settings, "gtk-xft-dpi", 192 * 1024, NULL);
  canvas_settle (fixture);
  g_assert_cmpfloat (canvas->text_scale, ==, 2.0);
  g_assert_cmpfloat_with_epsilon (canvas->camera.zoom, 2.0, 1e-6);
  g_assert_cmpfloat (canvas->display->boxes[1].height, ==, height);
  /* A first look is no harder to read with it. */
  flow_canvas_set_graph (canvas, NULL);
  flow_canvas_set_graph (canvas, fixture->graph);
  canvas_settle (fixture);
  g_assert_cmpfloat (canvas->camera.zoom, >=, 2.0 * FLOW_FIT_ZOOM_MIN);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  canvas_settle (fixture);
  g_assert_cmpfloat_with_epsilon (canvas->text_scale, dpi / (96.0 * 1024.0), 1e-6);
}

/* A graph of @n chains of @length ops each that meet in the end. */
static FlowGraph *
make_chains (guint n,
             guint length)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GString) ends = g_string_new (NULL);
  FlowGraph *graph;
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "chain_%uq_0q = Placeholder () [dtype=float]\n", i);
      for (guint k = 1; k < length; k++)
        g_string_append_printf (text, "chain_%uq_%uq = Relu (chain_%uq_%uq) [T=float]\n", i, k, i, k - 1);
      g_string_append_printf (ends, "%schain_%uq_%uq", i > 0 ? ", " : "", i, length - 1);
    }
  g_string_append_printf (text, "sum = AddN (%s) [T=float, N=%u]\n", ends->str, n);
  graph = flow_graph_from_text (text->str, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* Where data flows to is chosen for the view; what a person says goes before that. */
static void
test_flow (CanvasFixture *fixture,
           gconstpointer  data)
{
  FlowCanvas *canvas = fixture->canvas;
  g_autoptr(FlowGraph) wide = make_chains (8, 5);
  g_autoptr(FlowGraph) tall = make_chains (2, 3);

  g_assert_cmpint (flow_canvas_get_direction (canvas), ==, FLOW_CANVAS_AS_IT_FITS);
  flow_canvas_set_graph (canvas, wide);
  canvas_settle (fixture);
  g_assert_cmpint (canvas->display->direction, ==, FLOW_FLOW_RIGHT);
  g_assert_cmpint (canvas->scene->direction, ==, FLOW_FLOW_RIGHT);
  assert_flows (canvas);
  flow_canvas_tidy (canvas);
  canvas_settle (fixture);
  g_assert_cmpint (canvas->display->direction, ==, FLOW_FLOW_RIGHT);
  flow_canvas_set_graph (canvas, tall);
  canvas_settle (fixture);
  g_assert_cmpint (canvas->display->direction, ==, FLOW_FLOW_DOWN);
  flow_canvas_set_direction (canvas, FLOW_CANVAS_DOWN);
  canvas_settle (fixture);
  flow_canvas_set_graph (canvas, wide);
  canvas_settle (fixture);
  g_assert_cmpint (canvas->display->direction, ==, FLOW_FLOW_DOWN);
  flow_canvas_set_direction (canvas, FLOW_CANVAS_AS_IT_FITS);
  canvas_settle (fixture);
  g_assert_cmpint (canvas->display->direction, ==, FLOW_FLOW_RIGHT);
  assert_flows (canvas);
  flow_canvas_set_graph (canvas, NULL);
  canvas_settle (fixture);
}

/* The first look shows all of it, as large as can be; what is followed is looked at with the drawing around it,
 * not with the emptiness beyond; a graph that is one scope is open. */
static void
test_aim (CanvasFixture *fixture,
          gconstpointer  data)
{
  FlowCanvas *canvas = fixture->canvas;
  double width = gtk_widget_get_width (GTK_WIDGET (canvas));
  double height = gtk_widget_get_height (GTK_WIDGET (canvas));
  static const char *const inputs[] = { NULL };
  FlowNodeDef defs[] = {
    { .name = "only/inner/a", .name_length = 12, .op = "NoOp", .inputs = inputs, .offset = -1 },
    { .name = "only/inner/b", .name_length = 12, .op = "NoOp", .inputs = inputs, .offset = -1 },
  };
  g_autoptr(FlowAttrList) attrs = flow_attr_list_new ();
  const FlowBox *lowest = NULL;
  FlowCamera camera;
  g_autoptr(FlowGraph) alone = flow_graph_new ();
  g_autoptr(GError) error = NULL;

  g_assert_cmpfloat (canvas->camera.zoom, >=, 0.72);
  g_assert_cmpfloat (canvas->camera.x, >=, 0.0);
  g_assert_cmpfloat (canvas->camera.x + canvas->display->width * canvas->camera.zoom, <=, width);
  g_assert_true (canvas->camera.zoom >= 1.35 - 1e-6 || canvas->display->width * canvas->camera.zoom > width * 0.9
                 || canvas->display->height * canvas->camera.zoom > height * 0.9);

  flow_canvas_expand_all (canvas);
  canvas_settle (fixture);
  flow_canvas_set_zoom (canvas, 2.0);
  g_assert_cmpfloat (canvas->display->height * 2.0, >, height + 24.0);
  for (guint i = 1; i < canvas->display->n_boxes; i++)
    if (canvas->display->boxes[i].kind == FLOW_BOX_OP && !flow_item_is_group (canvas->display->boxes[i].item)
        && (lowest == NULL || canvas->display->boxes[i].y > lowest->y))
      lowest = &canvas->display->boxes[i];
  g_assert_nonnull (lowest);
  camera = canvas->camera;
  camera.y = height + 5000.0;
  _flow_canvas_set_camera (canvas, camera);
  flow_canvas_set_next_node (canvas, lowest->item);
  canvas_settle (fixture);
  g_assert_cmpfloat (canvas->camera.y + (lowest->y + lowest->height) * 2.0, <=, height);
  g_assert_cmpfloat (canvas->camera.y + canvas->display->height * 2.0, >=, height - 12.0 - 1.0);

  defs[0].attrs = defs[1].attrs = attrs;
  flow_graph_import (alone, defs, 2, NULL, &error);
  g_assert_no_error (error);
  flow_canvas_set_graph (canvas, alone);
  canvas_settle (fixture);
  {
    g_auto(GStrv) open = flow_canvas_dup_open_scopes (canvas);

    g_assert_true (g_strv_contains ((const char *const *) open, "only/inner"));
  }
  flow_canvas_set_graph (canvas, NULL);
  canvas_settle (fixture);
}

/* Opens a scope of @n children. Returns: how long what moves is under way, microseconds. */
static gint64
open_scope_of (CanvasFixture *fixture,
               guint          n)
{
  static const char *const types[] = { "MatMul", "Relu", "Tanh" };
  g_autoptr(GString) text = g_string_new ("x = Placeholder () [dtype=float]\n");
  g_autoptr(FlowGraph) graph = NULL;
  g_autoptr(GError) error = NULL;
  gint64 duration;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "wide/%s_%uq = %s (x%s) [T=float]\n", types[i % 3], i, types[i % 3],
                            i % 3 == 0 ? ", x" : "");
  graph = flow_graph_from_text (text->str, NULL, &error);
  g_assert_no_error (error);
  flow_canvas_set_graph (fixture->canvas, graph);
  canvas_settle (fixture);
  flow_canvas_collapse_all (fixture->canvas);
  canvas_settle (fixture);
  flow_canvas_expand (fixture->canvas, "wide");
  while (fixture->canvas->layout_done != fixture->canvas->layout_generation)
    g_main_context_iteration (NULL, TRUE);
  duration = fixture->canvas->tween != NULL ? fixture->canvas->tween_duration : 0;
  canvas_settle (fixture);
  g_assert_cmpuint (fixture->canvas->display->n_boxes, >, n);
  flow_canvas_set_graph (fixture->canvas, NULL);
  canvas_settle (fixture);
  return duration;
}

/* What the eye can follow moves; where there is more of it, it is there the sooner. */
static void
test_pace (CanvasFixture *fixture,
           gconstpointer  data)
{
  gint64 small = open_scope_of (fixture, 20);
  gint64 middle = open_scope_of (fixture, 300);
  gint64 large = open_scope_of (fixture, 1000);

  g_assert_cmpint (small, ==, 200000);
  g_assert_cmpint (middle, <, small);
  g_assert_cmpint (middle, >=, 50000);
  g_assert_cmpint (large, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  static const CanvasTest tests[] = {
    { "/canvas-flow/directions", test_directions },
    { "/canvas-flow/aim", test_aim },
    { "/canvas-flow/flow", test_flow },
    { "/canvas-flow/pace", test_pace },
    { "/canvas-flow/large-text", test_large_text },
  };

  return canvas_run (&argc, &argv, tests, G_N_ELEMENTS (tests));
}
