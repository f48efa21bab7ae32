/* flow-canvas-fixture.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-fixture.h"

#include <adwaita.h>

FlowGraph *
canvas_load_graph (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "models", "xor.meta",
                                                 NULL);
  g_autoptr(GError) error = NULL;
  FlowGraph *graph = flow_graph_load_file (path, &error);

  g_assert_no_error (error);
  return graph;
}

static gboolean
too_late_cb (gpointer data)
{
  g_error ("the canvas did not come to rest");
  return G_SOURCE_REMOVE;
}

void
canvas_settle (CanvasFixture *fixture)
{
  guint source = g_timeout_add_seconds (90, too_late_cb, NULL);
  gint64 rest = g_get_monotonic_time () + 30000;

  while (flow_canvas_is_busy (fixture->canvas) || g_get_monotonic_time () < rest)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (500);
    }
  g_source_remove (source);
}

static void
selection_changed_cb (FlowCanvas    *canvas,
                      guint          node,
                      guint          scope,
                      CanvasFixture *fixture)
{
  fixture->n_selected++;
  fixture->node = node;
  fixture->scope = scope;
}

static void
node_activated_cb (FlowCanvas    *canvas,
                   guint          node,
                   CanvasFixture *fixture)
{
  fixture->n_activated++;
  fixture->node = node;
}

static void
breakpoint_toggled_cb (FlowCanvas    *canvas,
                       guint          node,
                       CanvasFixture *fixture)
{
  fixture->n_toggled++;
  fixture->node = node;
}

void
canvas_set_up (CanvasFixture *fixture,
               gconstpointer  data)
{
  fixture->graph = canvas_load_graph ();
  fixture->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 700);
  fixture->canvas = FLOW_CANVAS (flow_canvas_new ());
  gtk_window_set_child (GTK_WINDOW (fixture->window), GTK_WIDGET (fixture->canvas));
  g_signal_connect (fixture->canvas, "selection-changed", G_CALLBACK (selection_changed_cb),
                    fixture);
  g_signal_connect (fixture->canvas, "node-activated", G_CALLBACK (node_activated_cb), fixture);
  g_signal_connect (fixture->canvas, "breakpoint-toggled", G_CALLBACK (breakpoint_toggled_cb),
                    fixture);
  gtk_window_present (GTK_WINDOW (fixture->window));
  flow_canvas_set_graph (fixture->canvas, fixture->graph);
  canvas_settle (fixture);
}

void
canvas_tear_down (CanvasFixture *fixture,
                  gconstpointer  data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->graph);
}

guint32
canvas_find_scope (CanvasFixture *fixture)
{
  const FlowScene *scene = fixture->canvas->scene;

  for (guint g = 1; g < scene->groups->len; g++)
    if (flow_scene_group (scene, g)->kind == FLOW_GROUP_SCOPE
        && flow_scene_group (scene, g)->parent == FLOW_GROUP_ROOT)
      return flow_scene_group (scene, g)->scope;
  g_assert_not_reached ();
}

guint32
canvas_get_band (FlowCanvas *canvas,
                 FlowItem    item)
{
  const FlowSceneGroup *group = flow_scene_group (canvas->scene, flow_scene_parent_of (canvas->scene, item));
  const FlowLayered *layered = group->layered;

  for (guint r = 0; r < layered->n_rows; r++)
    for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
      if (layered->order[i] < group->items->len
          && g_array_index (group->items, FlowItem, layered->order[i]) == item)
        return layered->rows[r].band;
  return 0;
}

int
canvas_run (int              *argc,
            char           ***argv,
            const CanvasTest *tests,
            guint             n_tests)
{
  gtk_test_init (argc, argv, NULL);
  adw_init ();
  flow_kernels_register ();
  for (guint i = 0; i < n_tests; i++)
    g_test_add (tests[i].path, CanvasFixture, NULL, canvas_set_up, tests[i].test, canvas_tear_down);
  return g_test_run ();
}
