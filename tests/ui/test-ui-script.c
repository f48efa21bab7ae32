/* test-ui-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include "flow-test-folder.h"

/* A script in the window, as a person goes through it. */

static const char training[] =
  "import numpy as np\n"
  "import tensorflow as tf\n"
  "x = tf.placeholder(tf.float32, [None, 4], name='x')\n"
  "with tf.variable_scope('layer'):\n"
  "    w = tf.get_variable('w', [4, 3], initializer=tf.ones_initializer())\n"
  "    y = tf.nn.relu(tf.matmul(x, w))\n"
  "loss = tf.reduce_mean(tf.square(y - 1.0), name='loss')\n"
  "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
  "with tf.Session() as sess:\n"
  "    sess.run(tf.global_variables_initializer())\n"
  "    for i in range(2):\n"
  "        sess.run(train, {x: np.ones((2, 4), np.float32)})\n"
  "print('at the end')\n";

static FlowWindow *
open_script (TestFolder *f,
             const char *text)
{
  test_folder_open (f, "script.py", text);
  return f->window;
}

static guint
count_nodes (FlowWindow *window)
{
  return flow_graph_get_n_nodes (flow_ui_session_get_graph (flow_window_get_session (window)));
}

/* To the first run, through an op and back, to the end. */
static void
test_to_the_end (TestFolder    *f,
                 gconstpointer  data)
{
  FlowWindow *window = open_script (f, training);

  drive_assert_state (window, "status", "paused");
  drive_assert_state (window, "reason", "run-start");
  drive_assert_state (window, "run", "init");
  g_assert_cmpuint (count_nodes (window), >, 20);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "run", "GradientDescent");
  drive_activate (window, "step-op", NULL);
  drive_activate (window, "step-op", NULL);
  drive_assert_position (window, 2);
  drive_activate (window, "step-back", NULL);
  drive_assert_position (window, 1);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "reason", "run-start");
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
}

/* The exception is shown with its line; the window goes on. */
static void
test_exception (TestFolder    *f,
                gconstpointer  data)
{
  FlowWindow *window = open_script (f, "import tensorflow as tf\na = tf.constant(1.0)\nraise ValueError('no such thing')\n");

  drive_assert_state (window, "status", "failed");
  drive_assert_state (window, "card", "The script failed at script.py:3");
  g_assert_cmpuint (count_nodes (window), ==, 1);
  drive_activate (window, "restart-engine", NULL);
  drive_assert_state (window, "card", "The script failed at script.py:3");
}

/* A line and its ops, both ways; a breakpoint by line. */
static void
test_lines (TestFolder    *f,
            gconstpointer  data)
{
  FlowWindow *window = open_script (f, training);
  g_autoptr(JsonObject) state = NULL;
  const char *line = NULL;

  drive_activate (window, "select-line", "script.py:7");
  state = drive_dup_state (window);
  g_assert_nonnull (drive_state_text (state, "selection"));
  drive_activate (window, "select", "layer/MatMul");
  drive_activate (window, "show-line", "");
  drive_settle (window);
  for (guint i = 0; i < 100; i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_clear_pointer (&state, json_object_unref);
  state = drive_dup_state (window);
  line = json_object_get_string_member_with_default (json_object_get_object_member (state, "script"), "line", "");
  g_assert_true (g_str_has_suffix (line, "script.py:6"));
  drive_activate (window, "script-policy", "never");
  drive_activate (window, "break-line", "script.py:6");
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "reason", "breakpoint");
  drive_assert_state (window, "run", "GradientDescent");
}

/* What is typed is evaluated where the script stands; what is added to its graph is shown. */
static void
test_edits (TestFolder    *f,
            gconstpointer  data)
{
  FlowWindow *window = open_script (f, training);
  FlowGraph *graph = NULL;
  guint before = count_nodes (window);

  drive_activate (window, "evaluate", "tf.constant(3.0, name='typed')");
  graph = flow_ui_session_get_graph (flow_window_get_session (window));
  g_assert_cmpuint (count_nodes (window), ==, before + 1);
  g_assert_cmpuint (flow_graph_find_node (graph, "typed"), !=, FLOW_NODE_NONE);
  drive_activate (window, "select", "layer");
  drive_activate (window, "clone-scope", "copy");
  graph = flow_ui_session_get_graph (flow_window_get_session (window));
  g_assert_cmpuint (flow_graph_find_scope (graph, "copy"), !=, FLOW_SCOPE_NONE);
  drive_activate (window, "select", "loss");
  drive_activate (window, "add-optimizer", "Adam 0.01");
  graph = flow_ui_session_get_graph (flow_window_get_session (window));
  g_assert_cmpuint (flow_graph_find_node (graph, "Adam"), !=, FLOW_NODE_NONE);
  /* And the script goes on with it. */
  drive_activate (window, "script-policy", "never");
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
}

/* Each graph has a tab. */
static void
test_graphs (TestFolder    *f,
             gconstpointer  data)
{
  FlowWindow *window = open_script (f, "import tensorflow as tf\n"
                                       "kept = tf.constant(1.0, name='kept')\n"
                                       "tf.Session().run(kept)\n"
                                       "tf.reset_default_graph()\n"
                                       "b = tf.constant(3.0, name='b')\n"
                                       "tf.Session().run(b)\n");
  FlowUiSession *session = flow_window_get_session (window);

  g_assert_cmpuint (flow_graph_find_node (flow_ui_session_get_graph (session), "kept"), ==, 0);
  drive_activate (window, "run", NULL);
  g_assert_cmpuint (flow_graph_find_node (flow_ui_session_get_graph (session), "b"), ==, 0);
  drive_activate (window, "show-graph", "1");
  g_assert_cmpuint (flow_graph_find_node (flow_ui_session_get_graph (session), "kept"), ==, 0);
  /* A step is the held run's, wherever one looks. */
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
}

/* A script that spins is stopped and leaves the window as it is. */
static void
test_stop (TestFolder    *f,
           gconstpointer  data)
{
  FlowWindow *window = flow_window_new (GTK_APPLICATION (drive_get_app ()));
  g_autofree char *path = test_folder_write (f, "script.py",
                                             "import tensorflow as tf\na = tf.constant(1.0, name='a')\nwhile True:\n    pass\n");

  f->window = window;
  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, NULL);
  /* What was made before it spins is shown all the same. */
  for (guint i = 0; i < 4000 && (flow_ui_session_get_graph (flow_window_get_session (window)) == NULL || count_nodes (window) == 0);
       i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_cmpuint (count_nodes (window), ==, 1);
  drive_activate (window, "stop", NULL);
  drive_assert_state (window, "status", "failed");
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

#define ADD(name, func) g_test_add ("/ui/script/" name, TestFolder, NULL, test_folder_set_up, func, test_folder_tear_down)
  ADD ("to-the-end", test_to_the_end);
  ADD ("exception", test_exception);
  ADD ("lines", test_lines);
  ADD ("edits", test_edits);
  ADD ("graphs", test_graphs);
  ADD ("stop", test_stop);
  return g_test_run ();
}
