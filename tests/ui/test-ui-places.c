/* test-ui-places.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas.h"
#include "flow-test-folder.h"
#include "flow-view-doc.h"
#include "flow-widget-finder.h"
#include "flow-window-driver.h"

/* Bookmarks, and what is remembered of a graph, over the real engine. */

/* --- what is kept ---------------------------------------------------------------------------------- */

static void
test_doc (void)
{
  g_autoptr(FlowViewDoc) doc = flow_view_doc_new ();
  g_autoptr(FlowViewDoc) again = NULL;
  FlowBookmark *bookmark = flow_bookmark_new ("why \"this\"?");
  const FlowBookmark *read = NULL;
  g_autofree char *json = NULL;

  g_assert_true (flow_view_doc_is_empty (doc));
  bookmark->select = g_strdup ("a/b");
  g_strfreev (bookmark->open);
  bookmark->open = g_strsplit ("a,a/c", ",", -1);
  bookmark->x = -12.5;
  bookmark->zoom = 0.75;
  bookmark->run = g_strdup ("train");
  bookmark->position = 7;
  g_ptr_array_add (doc->bookmarks, bookmark);
  json = flow_view_doc_to_json (doc);
  again = flow_view_doc_parse (json);
  g_assert_cmpuint (again->bookmarks->len, ==, 1);
  read = again->bookmarks->pdata[0];
  g_assert_cmpstr (read->note, ==, "why \"this\"?");
  g_assert_cmpstr (read->open[1], ==, "a/c");
  g_assert_cmpfloat (read->x, ==, -12.5);
  g_assert_cmpfloat (read->zoom, ==, 0.75);
  g_assert_cmpint (read->position, ==, 7);
  g_assert_null (read->colour_by);
}

/* Anything at all is read without harm. */
static void
test_damaged_doc (void)
{
  static const char *const texts[] = {
    "", "[", "[1]", "{\"bookmarks\": 1}", "{\"bookmarks\": [1, \"x\", null]}", "{\"bookmarks\": {}}", "null",
  };
  g_autoptr(FlowViewDoc) odd = NULL;
  const FlowBookmark *bookmark = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(FlowViewDoc) doc = flow_view_doc_parse (texts[i]);

      g_assert_true (flow_view_doc_is_empty (doc));
    }
  odd = flow_view_doc_parse ("{\"bookmarks\": [{\"note\": 3, \"x\": 1e300, \"zoom\": \"big\", \"open\": [1, \"a\"], \"position\": -9}]}");
  bookmark = odd->bookmarks->pdata[0];
  g_assert_cmpstr (bookmark->note, ==, "");
  g_assert_cmpfloat (bookmark->x, ==, 1e7);
  g_assert_cmpfloat (bookmark->zoom, ==, 1.0);
  g_assert_cmpstr (bookmark->open[0], ==, "a");
  g_assert_cmpint (bookmark->position, ==, -1);
}

/* --- the window ------------------------------------------------------------------------------------ */

static void
set_up (TestFolder   *f,
        gconstpointer data)
{
  g_autofree char *path = NULL;

  test_folder_set_up (f, data);
  test_folder_copy_all (f, "training/mlp-sgd");
  path = test_folder_path (f, "flowstep.run.json");
  f->window = drive_open (path);
}

static FlowCanvas *
get_canvas (TestFolder *f)
{
  return FLOW_CANVAS (find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL));
}

static void
activate_number (TestFolder *f,
                 const char *action,
                 int         number)
{
  g_action_group_activate_action (G_ACTION_GROUP (f->window), action, g_variant_new_int32 (number));
  drive_settle (f->window);
}

static guint
count_bookmarks (TestFolder *f)
{
  g_autoptr(JsonObject) state = drive_dup_state (f->window);

  return json_array_get_length (json_object_get_array_member (state, "bookmarks"));
}

static gboolean
is_open (TestFolder *f,
         const char *scope)
{
  g_auto(GStrv) open = flow_canvas_dup_open_scopes (get_canvas (f));

  return g_strv_contains ((const char *const *) open, scope);
}

static char *
first_scope (TestFolder *f)
{
  FlowGraph *graph = flow_ui_session_get_graph (flow_window_get_session (f->window));

  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    if (strchr (flow_graph_get_node_name (graph, i), '/') != NULL)
      return g_strndup (flow_graph_get_node_name (graph, i),
                        strchr (flow_graph_get_node_name (graph, i), '/') - flow_graph_get_node_name (graph, i));
  g_assert_not_reached ();
}

/* Back to what was open, in view, selected, coloured by, and to the moment. */
static void
test_bookmark (TestFolder   *f,
               gconstpointer data)
{
  FlowCanvas *canvas = get_canvas (f);
  g_autofree char *scope = first_scope (f);
  double x[2] = { 0, 0 };
  double y[2] = { 0, 0 };
  double zoom[2] = { 0, 0 };

  drive_activate (f->window, "restart", NULL);
  drive_activate (f->window, "step-op", NULL);
  drive_activate (f->window, "step-op", NULL);
  drive_activate (f->window, "expand", scope);
  drive_activate (f->window, "select", scope);
  drive_activate (f->window, "colour-by", "dtype");
  flow_canvas_set_view (canvas, -33, 21, 0.8);
  drive_settle (f->window);
  flow_canvas_get_view (canvas, &x[0], &y[0], &zoom[0]);
  drive_activate (f->window, "bookmark", "look here");
  drive_activate (f->window, "colour-by", "family");
  drive_activate (f->window, "collapse-all", NULL);
  drive_activate (f->window, "zoom-fit", NULL);
  drive_activate (f->window, "run", NULL);
  g_assert_false (is_open (f, scope));
  activate_number (f, "go-to-bookmark", 1);
  drive_assert_position (f->window, 2);
  drive_assert_state (f->window, "selection", scope);
  drive_assert_state (f->window, "colour_by", "dtype");
  g_assert_true (is_open (f, scope));
  flow_canvas_get_view (canvas, &x[1], &y[1], &zoom[1]);
  g_assert_cmpfloat (zoom[1], ==, zoom[0]);
  g_assert_cmpfloat_with_epsilon (x[1], x[0], 1.0);
  g_assert_cmpfloat_with_epsilon (y[1], y[0], 1.0);
  /* There is no second one; nothing happens. */
  activate_number (f, "go-to-bookmark", 2);
  activate_number (f, "go-to-bookmark", -1);
  drive_assert_position (f->window, 2);
}

/* Written down as it is made: another window of the same graph has it, with its note; so has the run file. */
static void
test_kept (TestFolder   *f,
           gconstpointer data)
{
  g_autofree char *path = test_folder_path (f, "flowstep.run.json");
  g_autofree char *graph = test_folder_path (f, "model.meta");
  g_autofree char *saved = test_folder_path (f, "mine.run.json");
  g_autofree char *text = NULL;

  drive_activate (f->window, "bookmark", "");
  drive_activate (f->window, "bookmark", "second");
  drive_activate (f->window, "note-bookmark", "2=the other");
  g_assert_nonnull (find_label_with (GTK_WIDGET (f->window), "the other"));
  drive_activate (f->window, "save-run-file", saved);
  g_file_get_contents (saved, &text, NULL, NULL);
  g_assert_nonnull (strstr (text, "the other"));
  drive_close (f->window);
  f->window = drive_open (graph);
  g_assert_cmpuint (count_bookmarks (f), ==, 2);
  activate_number (f, "remove-bookmark", 1);
  activate_number (f, "remove-bookmark", 5);
  g_assert_cmpuint (count_bookmarks (f), ==, 1);
  /* A run file that was given away brings its own. */
  drive_activate (f->window, "load-run-file", saved);
  drive_settle (f->window);
  g_assert_cmpuint (count_bookmarks (f), ==, 2);
}

/* --- what is to be seen ------------------------------------------------------------------------------ */

#define FLOAT "attr { key: 'T' value { type: DT_FLOAT } }"

static const char graph_text[] =
  " node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }"
  " node { name: 'net/a' op: 'Neg' input: 'x' " FLOAT " }"
  " node { name: 'net/b' op: 'Neg' input: 'net/a' " FLOAT " }"
  " node { name: 'net/c' op: 'Neg' input: 'net/a' " FLOAT " }"
  " node { name: 'net/d' op: 'Mul' input: 'net/b' input: 'net/c' " FLOAT " }"
  " node { name: 'out' op: 'Neg' input: 'net/d' " FLOAT " }"
  " node { name: 'other/y' op: 'Neg' input: 'x' " FLOAT " }"
  " node { name: 'other/z' op: 'Neg' input: 'other/y' " FLOAT " }"
  " node { name: 'gradients/net/d_grad/Mul' op: 'Mul' input: 'x' input: 'net/b' " FLOAT " }"
  " node { name: 'gradients/net/d_grad/Mul_1' op: 'Mul' input: 'x' input: 'net/c' " FLOAT " }";

static void
set_up_graph (TestFolder   *f,
              gconstpointer data)
{
  test_folder_set_up (f, data);
  test_folder_open (f, "model.pbtxt", graph_text);
}

static void
assert_focus (TestFolder *f,
              const char *words,
              gint64      n_ops)
{
  g_autoptr(JsonObject) state = drive_dup_state (f->window);

  if (words == NULL)
    g_assert_true (json_object_get_null_member (state, "focus"));
  else
    g_assert_nonnull (strstr (json_object_get_string_member (state, "focus"), words));
  g_assert_cmpint (json_object_get_int_member (state, "focus_ops"), ==, n_ops);
}

static void
test_trace (TestFolder   *f,
            gconstpointer data)
{
  drive_activate (f->window, "select", "net/d");
  drive_activate (f->window, "trace", "ancestors");
  assert_focus (f, "net/d depends on 4 ops", 5);
  drive_activate (f->window, "trace", "ancestors 1");
  assert_focus (f, "net/d depends on 2 ops", 3);
  drive_activate (f->window, "trace", "descendants");
  assert_focus (f, "On net/d depends 1 op", 2);
  drive_activate (f->window, "solo", "net/a");
  assert_focus (f, "net/a reads 1 op and is read by 2", 4);
  drive_activate (f->window, "show-all", NULL);
  assert_focus (f, NULL, 0);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "show-all"));
  /* A scope is no op: nothing changes. */
  drive_activate (f->window, "select", "net");
  drive_activate (f->window, "trace", "ancestors");
  assert_focus (f, NULL, 0);
}

static void
test_paths (TestFolder   *f,
            gconstpointer data)
{
  drive_activate (f->window, "select", "x");
  drive_activate (f->window, "paths", "");
  assert_focus (f, NULL, 0);
  drive_activate (f->window, "path-start", "");
  drive_activate (f->window, "select", "out");
  drive_activate (f->window, "paths", "");
  assert_focus (f, "From x to out: 6 ops, the shortest way has 4 edges · every way goes through net/a, net/d", 6);
  /* Against the flow it is the same paths. */
  drive_activate (f->window, "paths", "net/d:0 net/a");
  assert_focus (f, "From net/a to net/d", 4);
  assert_focus (f, "no op is on every way", 4);
  drive_activate (f->window, "paths", "out other/z");
  assert_focus (f, "From net/a to net/d", 4);
}

static void
test_gradients (TestFolder   *f,
                gconstpointer data)
{
  drive_activate (f->window, "gradients", "net/d");
  assert_focus (f, "net/d and the 2 ops of its gradient", 3);
  drive_assert_state (f->window, "selection", "gradients/net/d_grad/Mul");
  drive_activate (f->window, "gradients", "");
  assert_focus (f, "net/d and the 2 ops of its gradient", 3);
  drive_assert_state (f->window, "selection", "net/d");
  drive_activate (f->window, "gradients", "net/a");
  drive_assert_state (f->window, "selection", "net/d");
}

/* A scope alone, in its place and in pictures; and what is hidden is hidden the next time as well. */
static void
test_isolate_and_hide (TestFolder   *f,
                       gconstpointer data)
{
  g_autofree char *path = test_folder_path (f, "model.pbtxt");
  g_autofree char *alone = test_folder_path (f, "alone.svg");
  g_autofree char *text = NULL;

  drive_activate (f->window, "isolate", "net/");
  assert_focus (f, "Only net", 4);
  g_assert_true (is_open (f, "net"));
  drive_activate (f->window, "export", alone);
  g_assert_true (g_file_get_contents (alone, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<title>net/d</title>"));
  g_assert_null (strstr (text, "<title>out</title>"));
  drive_activate (f->window, "show-all", NULL);
  drive_activate (f->window, "hide", "other");
  drive_activate (f->window, "hide", "out");
  drive_activate (f->window, "hide", "nothing");
  assert_focus (f, "3 ops hidden", 0);
  drive_close (f->window);
  f->window = drive_open (path);
  assert_focus (f, "3 ops hidden", 0);
  drive_activate (f->window, "show-all", NULL);
  assert_focus (f, NULL, 0);
}

/* Put aside, put back, folded and unfolded: the view stays, and the next time it is as it was. */
static void
test_arrange (TestFolder   *f,
              gconstpointer data)
{
  g_autofree char *path = test_folder_path (f, "model.pbtxt");
  g_autofree char *rules = test_folder_write (f, "places.rules", "aside type:Relu\n");
  FlowCanvas *canvas = FLOW_CANVAS (find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL));
  double x = 0, y = 0, zoom = 0, x_after = 0, y_after = 0, zoom_after = 0;

  drive_activate (f->window, "expand-depth", "2");
  g_assert_true (is_open (f, "net"));
  flow_canvas_get_view (canvas, &x, &y, &zoom);
  g_assert_false (flow_canvas_is_aside (canvas, "out"));
  drive_activate (f->window, "move-aside", "out");
  g_assert_true (flow_canvas_is_aside (canvas, "out"));
  g_assert_true (is_open (f, "net"));
  flow_canvas_get_view (canvas, &x_after, &y_after, &zoom_after);
  g_assert_cmpfloat (zoom_after, ==, zoom);
  drive_activate (f->window, "expand-depth", "0");
  g_assert_false (is_open (f, "net"));
  drive_activate (f->window, "expand-depth", "deep");

  drive_activate (f->window, "series", NULL);
  g_assert_true (flow_canvas_get_wishes (canvas)->flat);
  drive_activate (f->window, "sections", NULL);
  g_assert_true (flow_canvas_get_wishes (canvas)->whole);
  g_assert_cmpint (flow_canvas_get_direction (canvas), ==, FLOW_CANVAS_AS_IT_FITS);
  drive_activate (f->window, "direction", "right");
  drive_activate (f->window, "direction", "sideways");
  g_assert_cmpint (flow_canvas_get_direction (canvas), ==, FLOW_CANVAS_RIGHT);

  drive_close (f->window);
  f->window = drive_open (path);
  canvas = FLOW_CANVAS (find_widget (GTK_WIDGET (f->window), "FlowCanvas", NULL));
  g_assert_true (flow_canvas_is_aside (canvas, "out"));
  g_assert_true (flow_canvas_get_wishes (canvas)->flat);
  g_assert_true (flow_canvas_get_wishes (canvas)->whole);
  g_assert_cmpint (flow_canvas_get_direction (canvas), ==, FLOW_CANVAS_RIGHT);
  drive_activate (f->window, "direction", "as-it-fits");
  g_assert_cmpint (flow_canvas_get_direction (canvas), ==, FLOW_CANVAS_AS_IT_FITS);
  drive_activate (f->window, "move-back", "out");
  g_assert_false (flow_canvas_is_aside (canvas, "out"));
  drive_activate (f->window, "arrange-anew", NULL);
  g_assert_true (flow_scene_wishes_is_empty (flow_canvas_get_wishes (canvas)));

  /* By rules, while they are what is looked at. */
  drive_activate (f->window, "load-colours", rules);
  g_assert_nonnull (flow_canvas_get_wishes (canvas)->rules);
  drive_activate (f->window, "colour-by", "family");
  g_assert_null (flow_canvas_get_wishes (canvas)->rules);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/places/doc", test_doc);
  g_test_add_func ("/ui/places/damaged-doc", test_damaged_doc);
  g_test_add ("/ui/places/bookmark", TestFolder, NULL, set_up, test_bookmark, test_folder_tear_down);
  g_test_add ("/ui/places/kept", TestFolder, NULL, set_up, test_kept, test_folder_tear_down);
  g_test_add ("/ui/places/trace", TestFolder, NULL, set_up_graph, test_trace, test_folder_tear_down);
  g_test_add ("/ui/places/paths", TestFolder, NULL, set_up_graph, test_paths, test_folder_tear_down);
  g_test_add ("/ui/places/gradients", TestFolder, NULL, set_up_graph, test_gradients, test_folder_tear_down);
  g_test_add ("/ui/places/isolate-and-hide", TestFolder, NULL, set_up_graph, test_isolate_and_hide, test_folder_tear_down);
  g_test_add ("/ui/places/arrange", TestFolder, NULL, set_up_graph, test_arrange, test_folder_tear_down);

  return g_test_run ();
}
