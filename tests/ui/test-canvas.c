/* test-canvas.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <adwaita.h>
#include <glib/gstdio.h>

#include "flow-canvas-fixture.h"
#include "flow-canvas-render.h"
#include "flow-graph-text.h"

/* The canvas as a window uses it. Needs a display (Xvfb will do). */

static void
send_key (CanvasFixture   *fixture,
          guint            keyval,
          GdkModifierType  modifiers)
{
  /* The binding itself: a test has no keyboard. */
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (fixture->canvas));
  gboolean done = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !done; i++)
    {
      g_autoptr(GObject) controller = g_list_model_get_item (controllers, i);

      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (controller)) && !done; k++)
        {
          g_autoptr(GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (!GTK_IS_KEYVAL_TRIGGER (trigger)
              || gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) != keyval
              || gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) != modifiers)
            continue;
          gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0,
                                        GTK_WIDGET (fixture->canvas),
                                        gtk_shortcut_get_arguments (shortcut));
          done = TRUE;
        }
    }
  g_assert_true (done);
}

static void
test_open (CanvasFixture *fixture,
           gconstpointer  data)
{
  guint32 scope = canvas_find_scope (fixture);
  const char *path = flow_graph_get_scope_path (fixture->graph, scope);
  FlowItem item = fixture->canvas->scene->scope_item[scope];
  const FlowBox *box;
  double x;
  double y;
  g_auto(GStrv) open = NULL;
  g_auto(GStrv) closed = NULL;

  box = flow_display_find_box (fixture->canvas->display, item);
  g_assert_nonnull (box);
  x = box->x * fixture->canvas->camera.zoom + fixture->canvas->camera.x;
  y = box->y * fixture->canvas->camera.zoom + fixture->canvas->camera.y;
  g_assert_true (flow_canvas_expand (fixture->canvas, path));
  g_assert_true (flow_canvas_is_busy (fixture->canvas));
  canvas_settle (fixture);
  open = flow_canvas_dup_open_scopes (fixture->canvas);
  g_assert_true (g_strv_contains ((const char *const *) open, path));
  /* Its corner stayed where it was on the screen. */
  box = flow_display_find_box (fixture->canvas->display, item);
  g_assert_cmpint (box->kind, ==, FLOW_BOX_FRAME);
  g_assert_cmpfloat (fabs (box->x * fixture->canvas->camera.zoom + fixture->canvas->camera.x - x),
                     <=, 1.0);
  g_assert_cmpfloat (fabs (box->y * fixture->canvas->camera.zoom + fixture->canvas->camera.y - y),
                     <=, 1.0);

  g_assert_true (flow_canvas_collapse (fixture->canvas, path));
  canvas_settle (fixture);
  closed = flow_canvas_dup_open_scopes (fixture->canvas);
  g_assert_cmpuint (g_strv_length (closed), ==, 0);
  g_assert_false (flow_canvas_expand (fixture->canvas, "no/such/scope"));

  /* With all scopes open the outermost box in the middle is still where it was, and with all closed again. */
  item = _flow_canvas_find_outermost (fixture->canvas);
  g_assert_cmpuint (item, !=, FLOW_ITEM_NONE);
  box = flow_display_find_box (fixture->canvas->display, item);
  x = box->x * fixture->canvas->camera.zoom + fixture->canvas->camera.x;
  y = box->y * fixture->canvas->camera.zoom + fixture->canvas->camera.y;
  flow_canvas_expand_all (fixture->canvas);
  canvas_settle (fixture);
  box = flow_display_find_box (fixture->canvas->display, item);
  g_assert_cmpfloat (fabs (box->x * fixture->canvas->camera.zoom + fixture->canvas->camera.x - x), <=, 1.0);
  g_assert_cmpfloat (fabs (box->y * fixture->canvas->camera.zoom + fixture->canvas->camera.y - y), <=, 1.0);
  flow_canvas_collapse_all (fixture->canvas);
  canvas_settle (fixture);
  item = fixture->canvas->scene->scope_item[scope];
  flow_canvas_set_open_scopes (fixture->canvas, (const char *const *) open);
  canvas_settle (fixture);
  g_assert_cmpint (flow_display_find_box (fixture->canvas->display, item)->kind, ==,
                   FLOW_BOX_FRAME);
  flow_canvas_tidy (fixture->canvas);
  canvas_settle (fixture);
}

/* In the layers, in a grid or on the shelf: these grow apart from one another. */
static int
get_place (FlowCanvas *canvas,
           FlowItem    item)
{
  const FlowSceneGroup *group = flow_scene_group (canvas->scene, flow_scene_parent_of (canvas->scene, item));

  for (guint i = 0; i < group->items->len; i++)
    if (g_array_index (group->items, FlowItem, i) == item)
      return group->layered->place[i];
  return -1;
}

/* What stands left of or above what in the group of @opened, and is there before and after, does so still:
 * nothing has jumped over anything. */
static guint
assert_same_order (FlowCanvas        *canvas,
                   const FlowDisplay *before,
                   const FlowDisplay *after,
                   FlowItem           opened)
{
  guint n_pairs = 0;

  for (guint i = 1; i < before->n_boxes; i++)
    for (guint k = 1; k < before->n_boxes; k++)
      {
        const FlowBox *a = &before->boxes[i];
        const FlowBox *b = &before->boxes[k];
        const FlowBox *a2 = flow_display_find_box (after, a->item);
        const FlowBox *b2 = flow_display_find_box (after, b->item);

        if (i == k || a2 == NULL || b2 == NULL || a->kind == FLOW_BOX_FRAME || b->kind == FLOW_BOX_FRAME ||
            flow_scene_parent_of (canvas->scene, a->item) != flow_scene_parent_of (canvas->scene, opened) ||
            flow_scene_parent_of (canvas->scene, b->item) != flow_scene_parent_of (canvas->scene, opened) ||
            get_place (canvas, a->item) != get_place (canvas, b->item))
          continue;
        /* In one row, what was left stays left, and so do columns; between rows, what was above stays above. */
        if (canvas_get_band (canvas, a->item) != canvas_get_band (canvas, b->item))
          {
            if (a->x + a->width <= b->x)
              g_assert_cmpfloat (a2->x + a2->width, <, b2->x + 0.5);
          }
        else if (a->y < b->y + b->height && b->y < a->y + a->height)
          {
            if (a->x + a->width <= b->x)
              g_assert_cmpfloat (a2->x, <, b2->x + 0.5);
          }
        else if (a->y + a->height <= b->y)
          {
            g_assert_cmpfloat (a2->y, <, b2->y + b2->height);
          }
        n_pairs++;
      }
  return n_pairs;
}

static void
assert_same_places (const FlowDisplay *before,
                    const FlowDisplay *after)
{
  g_assert_cmpuint (after->n_boxes, ==, before->n_boxes);
  for (guint i = 1; i < before->n_boxes; i++)
    {
      const FlowBox *box = flow_display_find_box (after, before->boxes[i].item);

      g_assert_nonnull (box);
      g_assert_cmpfloat_with_epsilon (box->x, before->boxes[i].x, 0.5);
      g_assert_cmpfloat_with_epsilon (box->y, before->boxes[i].y, 0.5);
    }
}

/* Each scope of the root is opened and closed: the others keep their order, the one opened its corner on the
 * screen, and after closing all is where it was. */
static void
test_nothing_jumps (CanvasFixture *fixture,
                    gconstpointer  data)
{
  FlowCanvas *canvas = fixture->canvas;
  guint n_pairs = 0;
  guint n_opened = 0;

  for (guint i = 0; i < flow_graph_get_n_child_scopes (fixture->graph, FLOW_SCOPE_ROOT); i++)
    {
      guint32 scope = flow_graph_get_child_scope (fixture->graph, FLOW_SCOPE_ROOT, i);
      FlowItem item = canvas->scene->scope_item[scope];
      const char *path = flow_graph_get_scope_path (fixture->graph, scope);
      g_autoptr(FlowDisplay) before = flow_display_ref (canvas->display);
      const FlowBox *box = flow_display_find_box (before, item);
      double x;
      double y;

      if (box == NULL || !flow_item_is_group (item))
        continue;
      x = box->x * canvas->camera.zoom + canvas->camera.x;
      y = box->y * canvas->camera.zoom + canvas->camera.y;
      g_assert_true (flow_canvas_expand (canvas, path));
      canvas_settle (fixture);
      n_pairs += assert_same_order (canvas, before, canvas->display, item);
      box = flow_display_find_box (canvas->display, item);
      g_assert_cmpfloat (fabs (box->x * canvas->camera.zoom + canvas->camera.x - x), <=, 1.0);
      g_assert_cmpfloat (fabs (box->y * canvas->camera.zoom + canvas->camera.y - y), <=, 1.0);
      g_assert_true (flow_canvas_collapse (canvas, path));
      canvas_settle (fixture);
      assert_same_places (before, canvas->display);
      n_opened++;
    }
  g_assert_cmpuint (n_opened, >=, 2);
  g_assert_cmpuint (n_pairs, >=, 2);
}

static gboolean
is_in_sight (FlowCanvas *canvas,
             guint32     node)
{
  FlowItem item = flow_scene_visible_item (canvas->scene, flow_scene_item_of_op (canvas->scene, node));
  const FlowBox *box = flow_display_find_box (canvas->display, item);
  double top = box->y * canvas->camera.zoom + canvas->camera.y;
  double bottom = (box->y + box->height) * canvas->camera.zoom + canvas->camera.y;

  return top >= 0.0 && bottom <= gtk_widget_get_height (GTK_WIDGET (canvas));
}

/* A card that opens below the canvas takes its height: the next op comes out from under it. Who has gone to look
 * elsewhere stays there. */
static void
test_card (CanvasFixture *fixture,
           gconstpointer  data)
{
  FlowCanvas *canvas = fixture->canvas;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *card = gtk_label_new ("card");
  FlowCamera camera;
  guint32 lowest = FLOW_NODE_NONE;
  double lowest_y = -1.0;

  g_object_ref (canvas);
  gtk_window_set_child (GTK_WINDOW (fixture->window), NULL);
  gtk_widget_set_vexpand (GTK_WIDGET (canvas), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (canvas));
  gtk_widget_set_size_request (card, -1, 300);
  gtk_widget_set_visible (card, FALSE);
  gtk_box_append (GTK_BOX (box), card);
  gtk_window_set_child (GTK_WINDOW (fixture->window), box);
  g_object_unref (canvas);
  flow_canvas_zoom_fit (canvas);
  canvas_settle (fixture);
  for (guint32 node = 0; node < flow_graph_get_n_nodes (fixture->graph); node++)
    {
      FlowItem item = flow_scene_visible_item (canvas->scene, flow_scene_item_of_op (canvas->scene, node));
      const FlowBox *at = flow_display_find_box (canvas->display, item);

      if (at != NULL && at->y + at->height > lowest_y)
        {
          lowest_y = at->y + at->height;
          lowest = node;
        }
    }
  flow_canvas_set_next_node (canvas, lowest);
  flow_canvas_set_zoom (canvas, 1.0);
  canvas_settle (fixture);
  /* It stands just above the lower edge: where a card will be. */
  camera = canvas->camera;
  camera.y = gtk_widget_get_height (GTK_WIDGET (canvas)) - 20.0 - lowest_y * camera.zoom;
  _flow_canvas_set_camera (canvas, camera);
  canvas_settle (fixture);
  g_assert_true (is_in_sight (canvas, lowest));
  gtk_widget_set_visible (card, TRUE);
  /* A slow machine gives the canvas its new size some frames later. */
  for (gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
       gtk_widget_get_height (GTK_WIDGET (canvas)) >= 500 && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  canvas_settle (fixture);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (canvas)), <, 500);
  g_assert_true (is_in_sight (canvas, lowest));

  gtk_widget_set_visible (card, FALSE);
  canvas_settle (fixture);
  camera = canvas->camera;
  camera.y += 5000.0;
  _flow_canvas_set_camera (canvas, camera);
  canvas_settle (fixture);
  g_assert_false (is_in_sight (canvas, lowest));
  gtk_widget_set_visible (card, TRUE);
  canvas_settle (fixture);
  g_assert_false (is_in_sight (canvas, lowest));
}

static void
test_selection (CanvasFixture *fixture,
                gconstpointer  data)
{
  guint32 scope = canvas_find_scope (fixture);
  guint32 node = flow_graph_get_n_nodes (fixture->graph) / 2;

  flow_canvas_select_scope (fixture->canvas, scope);
  g_assert_cmpuint (fixture->n_selected, ==, 1);
  g_assert_cmpuint (fixture->scope, ==, scope);
  g_assert_cmpuint (fixture->node, ==, FLOW_NODE_NONE);
  flow_canvas_select_scope (fixture->canvas, scope);
  g_assert_cmpuint (fixture->n_selected, ==, 1);

  for (node = 0; node < flow_graph_get_n_nodes (fixture->graph); node++)
    {
      FlowItem item;

      flow_canvas_reveal_node (fixture->canvas, node);
      g_assert_cmpuint (flow_canvas_get_selected_node (fixture->canvas), ==, node);
      item = flow_scene_item_of_op (fixture->canvas->scene, node);
      g_assert_cmpuint (flow_scene_visible_item (fixture->canvas->scene, item), ==, item);
    }
  canvas_settle (fixture);
  flow_canvas_select_node (fixture->canvas, FLOW_NODE_NONE);
  g_assert_cmpuint (fixture->node, ==, FLOW_NODE_NONE);
  g_assert_cmpuint (flow_canvas_get_selected_scope (fixture->canvas), ==, FLOW_SCOPE_NONE);
}

static void
test_keys (CanvasFixture *fixture,
           gconstpointer  data)
{
  guint32 scope = canvas_find_scope (fixture);
  FlowItem first;

  send_key (fixture, GDK_KEY_Down, 0);
  first = fixture->canvas->selected;
  g_assert_cmpuint (first, !=, FLOW_ITEM_NONE);
  for (guint i = 0; i < 4; i++)
    send_key (fixture, GDK_KEY_Right, 0);
  send_key (fixture, GDK_KEY_Down, GDK_CONTROL_MASK);

  flow_canvas_select_scope (fixture->canvas, scope);
  send_key (fixture, GDK_KEY_Return, 0);
  canvas_settle (fixture);
  g_assert_true (flow_scene_group (fixture->canvas->scene,
                                   fixture->canvas->scene->scope_group[scope])->is_open);
  send_key (fixture, GDK_KEY_BackSpace, 0);
  canvas_settle (fixture);
  g_assert_false (flow_scene_group (fixture->canvas->scene,
                                    fixture->canvas->scene->scope_group[scope])->is_open);

  flow_canvas_reveal_node (fixture->canvas, 0);
  canvas_settle (fixture);
  send_key (fixture, GDK_KEY_b, 0);
  g_assert_cmpuint (fixture->n_toggled, ==, 1);
  g_assert_cmpuint (fixture->node, ==, 0);
  send_key (fixture, GDK_KEY_f, 0);
  send_key (fixture, GDK_KEY_plus, 0);
  send_key (fixture, GDK_KEY_0, 0);
  canvas_settle (fixture);
  g_assert_cmpfloat (flow_canvas_get_zoom (fixture->canvas), ==, 1.0);
}

static void
test_states (CanvasFixture *fixture,
             gconstpointer  data)
{
  guint n = flow_graph_get_n_nodes (fixture->graph);
  g_autofree guint8 *bytes = g_malloc0 (n);
  FlowCanvasMark mark = { 1, FLOW_CANVAS_MARK_CONDITIONAL };
  guint64 generation = fixture->canvas->layout_generation;
  guint32 hits[] = { 0, 2 };

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GBytes) states = NULL;

      memset (bytes, FLOW_NODE_PENDING, n);
      memset (bytes, FLOW_NODE_DONE, i);
      bytes[i] = i % 10;
      states = g_bytes_new (bytes, n);
      flow_canvas_set_node_states (fixture->canvas, states);
      flow_canvas_set_next_node (fixture->canvas, i);
      if (i % 16 == 0)
        canvas_settle (fixture);
    }
  flow_canvas_set_marks (fixture->canvas, &mark, 1);
  flow_canvas_set_error (fixture->canvas, 1, "[2,3] × [4,5]");
  flow_canvas_set_search_hits (fixture->canvas, hits, 2);
  canvas_settle (fixture);
  /* Stepping never lays out. */
  g_assert_cmpuint (fixture->canvas->layout_generation, ==, generation);
  flow_canvas_set_node_states (fixture->canvas, NULL);
  canvas_settle (fixture);
  g_assert_null (fixture->canvas->dims);
}

/* What is hidden is not drawn, hit or walked to, and the rest is what fits; nothing moves for it. */
static void
test_focus (CanvasFixture *fixture,
            gconstpointer  data)
{
  guint n = flow_graph_get_n_nodes (fixture->graph);
  g_autofree guint8 *bytes = g_malloc0 (n);
  guint64 generation = fixture->canvas->layout_generation;
  const FlowScene *scene = fixture->canvas->scene;
  guint32 scope = canvas_find_scope (fixture);
  guint32 group = flow_item_get_group (scene->scope_item[scope]);
  const FlowBox *box = flow_display_find_box (fixture->canvas->display, scene->scope_item[scope]);
  guint at = box - fixture->canvas->display->boxes;
  g_autoptr(GBytes) alone = NULL;
  g_autoptr(GBytes) pale = NULL;
  g_autoptr(GBytes) states = NULL;
  double zoom[2] = { 0.0, 0.0 };

  flow_canvas_zoom_fit (fixture->canvas);
  canvas_settle (fixture);
  zoom[0] = flow_canvas_get_zoom (fixture->canvas);
  for (guint i = 0; i < n; i++)
    {
      guint32 g = scene->op_group[i];

      while (g != FLOW_GROUP_NONE && g != group)
        g = flow_scene_group (scene, g)->parent;
      bytes[i] = g == group ? 0 : FLOW_CANVAS_HIDDEN;
    }
  alone = g_bytes_new (bytes, n);
  flow_canvas_set_focus (fixture->canvas, alone);
  canvas_settle (fixture);
  for (guint i = 1; i < fixture->canvas->display->n_boxes; i++)
    g_assert_cmpuint (fixture->canvas->dims[i], ==, i == at ? 0 : FLOW_CANVAS_HIDDEN);
  g_assert_cmpuint (fixture->canvas->layout_generation, ==, generation);
  flow_canvas_zoom_fit (fixture->canvas);
  canvas_settle (fixture);
  zoom[1] = flow_canvas_get_zoom (fixture->canvas);
  g_assert_cmpfloat (zoom[1], >, zoom[0]);
  flow_canvas_select_scope (fixture->canvas, scope);
  send_key (fixture, GDK_KEY_Down, 0);
  g_assert_cmpuint (flow_canvas_get_selected_scope (fixture->canvas), ==, scope);
  /* Pale is what does not belong to it, whatever is in the run. */
  for (guint i = 0; i < n; i++)
    bytes[i] = bytes[i] != 0 ? FLOW_CANVAS_PALE : 0;
  pale = g_bytes_new (bytes, n);
  /* All are in the run but those that it is about. */
  for (guint i = 0; i < n; i++)
    bytes[i] = bytes[i] != 0 ? FLOW_NODE_PENDING : FLOW_NODE_NOT_IN_RUN;
  states = g_bytes_new (bytes, n);
  flow_canvas_set_node_states (fixture->canvas, states);
  flow_canvas_set_focus (fixture->canvas, pale);
  canvas_settle (fixture);
  g_assert_cmpuint (fixture->canvas->dims[at], ==, 0);
  flow_canvas_set_focus (fixture->canvas, NULL);
  canvas_settle (fixture);
  g_assert_cmpuint (fixture->canvas->dims[at], ==, FLOW_CANVAS_PALE);
  flow_canvas_set_node_states (fixture->canvas, NULL);
}

static void
test_camera (CanvasFixture *fixture,
             gconstpointer  data)
{
  double zoom;

  flow_canvas_set_zoom (fixture->canvas, 2.0);
  canvas_settle (fixture);
  flow_canvas_zoom_in (fixture->canvas);
  canvas_settle (fixture);
  g_assert_cmpfloat_with_epsilon (flow_canvas_get_zoom (fixture->canvas), 2.5, 1e-6);
  flow_canvas_zoom_out (fixture->canvas);
  canvas_settle (fixture);
  g_assert_cmpfloat_with_epsilon (flow_canvas_get_zoom (fixture->canvas), 2.0, 1e-6);
  flow_canvas_set_zoom (fixture->canvas, 1e9);
  g_assert_cmpfloat (flow_canvas_get_zoom (fixture->canvas), ==, FLOW_ZOOM_MAX);
  flow_canvas_set_zoom (fixture->canvas, 0.0);
  g_assert_cmpfloat (flow_canvas_get_zoom (fixture->canvas), ==, FLOW_ZOOM_MIN);
  flow_canvas_zoom_fit (fixture->canvas);
  canvas_settle (fixture);
  zoom = flow_canvas_get_zoom (fixture->canvas);
  g_assert_cmpfloat (fixture->canvas->display->width * zoom, <=, 1000.0);
  g_assert_cmpfloat (fixture->canvas->display->height * zoom, <=, 700.0);
  flow_canvas_select_scope (fixture->canvas, canvas_find_scope (fixture));
  flow_canvas_zoom_selection (fixture->canvas);
  canvas_settle (fixture);
}

static void
test_growth (CanvasFixture *fixture,
             gconstpointer  data)
{
  static const char *const inputs[] = { NULL };
  FlowNodeDef defs[] = {
    { .name = "grown/one", .name_length = 9, .op = "NoOp", .inputs = inputs, .offset = -1 },
    { .name = "grown/two", .name_length = 9, .op = "NoOp", .inputs = inputs, .offset = -1 },
  };
  guint n = flow_graph_get_n_nodes (fixture->graph);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowAttrList) attrs = flow_attr_list_new ();
  guint32 scope = canvas_find_scope (fixture);
  const char *path = flow_graph_get_scope_path (fixture->graph, scope);
  g_auto(GStrv) open = NULL;

  flow_canvas_expand (fixture->canvas, path);
  canvas_settle (fixture);
  defs[0].attrs = defs[1].attrs = attrs;
  flow_graph_import (fixture->graph, defs, 2, NULL, &error);
  g_assert_no_error (error);
  canvas_settle (fixture);
  g_assert_cmpuint (fixture->canvas->scene->n_ops, ==, n + 2);
  open = flow_canvas_dup_open_scopes (fixture->canvas);
  g_assert_true (g_strv_contains ((const char *const *) open, path));
  flow_canvas_reveal_node (fixture->canvas, n);
  canvas_settle (fixture);
  g_assert_nonnull (flow_display_find_box (fixture->canvas->display, n));
}

/* Adds @n ops to a scope of each of @scopes, one behind the other. */
static void
grow (CanvasFixture     *fixture,
      const char *const *scopes,
      guint              n)
{
  g_autoptr(FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr(GArray) defs = g_array_new (FALSE, FALSE, sizeof (FlowNodeDef));
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GError) error = NULL;
  static const char *const none[] = { NULL };
  g_autofree const char **inputs = NULL;

  for (guint s = 0; scopes[s] != NULL; s++)
    for (guint i = 0; i < n; i++)
      g_ptr_array_add (names, g_strdup_printf ("%s/op%u", scopes[s], i));
  inputs = g_new0 (const char *, 2 * names->len);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *before = i > 0 ? g_strconcat ("^", g_ptr_array_index (names, i - 1), NULL) : NULL;
      FlowNodeDef def = { .name = g_ptr_array_index (names, i), .op = "NoOp", .inputs = none, .offset = -1,
                          .attrs = attrs };

      def.name_length = strlen (def.name);
      if (before != NULL)
        {
          inputs[2 * i] = g_intern_string (before);
          def.inputs = (const char *const *) inputs + 2 * i;
        }
      g_array_append_val (defs, def);
    }
  flow_graph_import (fixture->graph, (FlowNodeDef *) (void *) defs->data, defs->len, NULL, &error);
  g_assert_no_error (error);
}

static void
test_grown_from_nothing (CanvasFixture *fixture,
                         gconstpointer  data)
{
  static const char *const first[] = { "model", NULL };
  static const char *const more[] = { "a", "b", NULL };
  g_autoptr(FlowGraph) graph = flow_graph_new ();
  g_auto(GStrv) open = NULL;

  /* As a file with it would be looked at, however it came. */
  g_set_object (&fixture->graph, graph);
  flow_canvas_set_graph (fixture->canvas, graph);
  canvas_settle (fixture);
  grow (fixture, first, 3);
  canvas_settle (fixture);
  open = flow_canvas_dup_open_scopes (fixture->canvas);
  g_assert_cmpstrv (open, first);
  g_strfreev (g_steal_pointer (&open));

  /* What somebody closed stays closed. */
  flow_canvas_collapse (fixture->canvas, "model");
  canvas_settle (fixture);
  grow (fixture, more, 3);
  canvas_settle (fixture);
  open = flow_canvas_dup_open_scopes (fixture->canvas);
  g_assert_cmpuint (g_strv_length (open), ==, 0);
}

static void
test_pointer (CanvasFixture *fixture,
              gconstpointer  data)
{
  const FlowDisplay *display = fixture->canvas->display;
  guint n_wires = 0;

  /* Every box is found at its middle, every wire on itself. */
  for (guint i = 1; i < display->n_boxes; i++)
    g_assert_true (flow_display_box_at (display, display->boxes[i].x + display->boxes[i].width / 2,
                                        display->boxes[i].y + display->boxes[i].height / 2, 0.0)
                   == &display->boxes[i]);
  for (guint i = 0; i < display->n_wires; i++)
    {
      const float *p = display->points + 2 * display->wires[i].first_point;

      n_wires += flow_display_wire_at (display, p[0], p[1] + 1.0, 6.0) != NULL;
    }
  g_assert_cmpuint (n_wires, ==, display->n_wires);
  g_assert_null (flow_display_box_at (display, -500.0, -500.0, 3.0));
}

static void
check_file (const char *path,
            const char *magic)
{
  g_autofree char *contents = NULL;
  gsize length = 0;
  g_autoptr(GError) error = NULL;

  g_file_get_contents (path, &contents, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpint (memcmp (contents, magic, strlen (magic)), ==, 0);
  g_remove (path);
}

static void
test_export (CanvasFixture *fixture,
             gconstpointer  data)
{
  g_autofree char *folder = g_dir_make_tmp ("flow-canvas-XXXXXX", NULL);
  static const struct {
    const char *name;
    const char *magic;
  } kinds[] = {
    { "x.png", "\x89PNG" },
    { "x.svg", "<?xml" },
    { "x.pdf", "%PDF" },
  };
  FlowCanvasRenderOptions options = FLOW_CANVAS_RENDER_OPTIONS_INIT;
  const char *missing[] = { "no/such/scope", NULL };
  g_autoptr(GError) error = NULL;

  options.expand_all = TRUE;
  options.dark = TRUE;
  options.width = 800;
  options.height = 600;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_build_filename (folder, kinds[i].name, NULL);

      g_assert_true (flow_canvas_export (fixture->canvas, path, &error));
      g_assert_no_error (error);
      check_file (path, kinds[i].magic);
      g_assert_true (flow_canvas_render_file (fixture->graph, &options, path, &error));
      g_assert_no_error (error);
      check_file (path, kinds[i].magic);
    }
  g_assert_false (flow_canvas_export (fixture->canvas, "x.gif", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  options.open_scopes = missing;
  g_assert_false (flow_canvas_render_file (fixture->graph, &options, "x.png", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_rmdir (folder);
}

/* What is given up while work is under way: nothing is left behind that reports to the dead. */
static void
test_gone (CanvasFixture *fixture,
           gconstpointer  data)
{
  g_autoptr(FlowGraph) other = canvas_load_graph ();

  flow_canvas_expand_all (fixture->canvas);
  flow_canvas_set_graph (fixture->canvas, other);
  flow_canvas_expand_all (fixture->canvas);
  flow_canvas_set_graph (fixture->canvas, NULL);
  g_assert_null (fixture->canvas->scene);
  canvas_settle (fixture);
  flow_canvas_set_graph (fixture->canvas, other);
  canvas_settle (fixture);
  flow_canvas_expand_all (fixture->canvas);
  flow_canvas_set_graph (fixture->canvas, NULL);
}

int
main (int   argc,
      char *argv[])
{
  static const CanvasTest tests[] = {
    { "/canvas/open", test_open },
    { "/canvas/nothing-jumps", test_nothing_jumps },
    { "/canvas/card", test_card },
    { "/canvas/selection", test_selection },
    { "/canvas/keys", test_keys },
    { "/canvas/states", test_states },
    { "/canvas/focus", test_focus },
    { "/canvas/camera", test_camera },
    { "/canvas/growth", test_growth },
    { "/canvas/grown-from-nothing", test_grown_from_nothing },
    { "/canvas/pointer", test_pointer },
    { "/canvas/export", test_export },
    { "/canvas/gone", test_gone },
  };

  return canvas_run (&argc, &argv, tests, G_N_ELEMENTS (tests));
}
