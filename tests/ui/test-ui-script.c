/* test-ui-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include "flow-test-folder.h"
#include "flow-widget-finder.h"

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

/* What is watched has a line over the runs of the script: what they were answered with, and the one that is held. */
static void
test_watch (TestFolder    *f,
            gconstpointer  data)
{
  FlowWindow *window = open_script (f, training);
  GtkWidget *line = NULL;

  drive_activate (window, "show-panel", "watch");
  drive_activate (window, "watch", "layer/w:0");
  for (guint i = 0; i < 2; i++)
    {
      drive_activate (window, "run", NULL);
      drive_assert_state (window, "run", "GradientDescent");
    }
  line = find_widget (find_widget (GTK_WIDGET (window), "FlowWatchView", NULL), "FlowSparkline", NULL);
  g_assert_cmpstr (g_object_get_data (G_OBJECT (line), "flow-tooltip"), ==, "2 values, mean now 0.8");
}

/* A node of a function's type is a call, and can be run. */
static void
test_call (TestFolder    *f,
           gconstpointer  data)
{
  FlowWindow *window = open_script (f, "import tensorflow as tf\n"
                                       "from tensorflow.python.framework import function\n"
                                       "@function.Defun(tf.float32, func_name='Scale')\n"
                                       "def scale(x):\n"
                                       "    return 2.0 * x\n"
                                       "tf.Session().run(scale(tf.constant(1.0)))\n");

  drive_activate (window, "select", "Scale");
  g_assert_nonnull (find_label_with (GTK_WIDGET (window), "Scale · Calls a function of the graph"));
  g_assert_null (find_label_with (GTK_WIDGET (window), "cannot be run here"));
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

/* A run's error that ends the script is told as the script's, and shown at the op, though no run was to stop. */
static void
test_failed_run (TestFolder    *f,
                 gconstpointer  data)
{
  FlowWindow *window = open_script (f, "import tensorflow as tf\n"
                                       "c = tf.check_numerics(tf.constant([1.]) / 0., 'bad', name='c')\n"
                                       "sess = tf.Session()\n"
                                       "sess.run(tf.constant(1))\n"
                                       "sess.run(c)\n");

  drive_activate (window, "script-policy", "never");
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "failed");
  drive_assert_state (window, "card", "The script failed at script.py:5");
  drive_assert_state (window, "next", "c");
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

/* Until the window's state has @reason. */
static void
wait_for_reason (FlowWindow *window,
                 const char *reason)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  for (;;)
    {
      g_autoptr(JsonObject) state = drive_dup_state (window);

      if (json_object_has_member (state, "reason") && g_strcmp0 (drive_state_text (state, "reason"), reason) == 0)
        return;
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_usleep (2000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

/* A script that reads its standard input is given the line that is typed into the console. */
static void
test_input (TestFolder    *f,
            gconstpointer  data)
{
  FlowWindow *window = flow_window_new (GTK_APPLICATION (drive_get_app ()));
  g_autofree char *path = test_folder_write (f, "script.py", "import tensorflow as tf\n"
                                                             "n = int(input('How many? '))\n"
                                                             "tf.Session().run(tf.constant(n, name='asked'))\n");
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  GtkWidget *entry = NULL;

  f->window = window;
  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, NULL);
  wait_for_reason (window, "input");
  entry = find_widget (find_widget (GTK_WIDGET (window), "FlowConsoleView", NULL), "GtkEntry", NULL);
  /* The views follow the state when they have a moment. */
  while (strstr (gtk_entry_get_placeholder_text (GTK_ENTRY (entry)), "input") == NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (gtk_entry_get_placeholder_text (GTK_ENTRY (entry)), "input"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "3");
  g_signal_emit_by_name (entry, "activate");
  wait_for_reason (window, "run-start");
  drive_settle (window);
  g_assert_cmpuint (flow_graph_find_node (flow_ui_session_get_graph (flow_window_get_session (window)), "asked"), ==, 0);
}

static char *
printed (FlowWindow *window)
{
  GtkWidget *view = find_widget (find_widget (GTK_WIDGET (window), "FlowConsoleView", NULL), "GtkTextView", NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start;
  GtkTextIter end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static void
type (FlowWindow *window,
      const char *line)
{
  GtkWidget *entry = find_widget (find_widget (GTK_WIDGET (window), "FlowConsoleView", NULL), "GtkEntry", NULL);

  gtk_editable_set_text (GTK_EDITABLE (entry), line);
  g_signal_emit_by_name (entry, "activate");
  drive_settle (window);
}

/* Python in the console: expressions, blocks over several lines, and the words of the debugger beside it. */
static void
test_console (TestFolder    *f,
              gconstpointer  data)
{
  FlowWindow *window = open_script (f, training);
  g_autofree char *text = NULL;

  type (window, "6 * 7");
  type (window, "for k in range(2):");
  type (window, "    print('k is', k)");
  type (window, "");
  type (window, "sess.run(");
  type (window, "loss, {x: np.ones((2, 4))}) if False else 'open bracket'");
  type (window, "no_such_name()");
  text = printed (window);
  g_assert_nonnull (strstr (text, "\n42\n"));
  g_assert_nonnull (strstr (text, "k is 0\nk is 1\n"));
  g_assert_nonnull (strstr (text, "'open bracket'"));
  g_assert_nonnull (strstr (text, "NameError: name 'no_such_name' is not defined"));
  drive_assert_position (window, 0);
  type (window, "step");
  drive_assert_position (window, 1);
}

static GtkWidget *
find_gutter (GtkWidget  *root,
             const char *label)
{
  if (gtk_widget_has_css_class (root, "flow-gutter") && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), label) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_gutter (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The edge of a line marks that it stops, and a click there makes it stop or not. */
static void
test_gutter (TestFolder    *f,
             gconstpointer  data)
{
  FlowWindow *window = open_script (f, training);
  FlowUiSession *session = flow_window_get_session (window);
  GtkWidget *view = find_widget (GTK_WIDGET (window), "FlowSourceView", NULL);
  GtkWidget *mark = NULL;

  drive_activate (window, "show-panel", "source");
  drive_activate (window, "show-line", "script.py:6");
  drive_activate (window, "break-line", "script.py:6");
  for (gint64 end = g_get_monotonic_time () + 5 * G_USEC_PER_SEC; mark == NULL && g_get_monotonic_time () < end;)
    {
      g_main_context_iteration (NULL, FALSE);
      mark = find_gutter (view, "●");
    }
  g_assert_nonnull (mark);
  g_assert_cmpuint (g_list_model_get_n_items (flow_ui_session_get_breakpoints (session)), ==, 1);
  g_signal_emit_by_name (mark, "clicked");
  drive_settle (window);
  g_assert_cmpuint (g_list_model_get_n_items (flow_ui_session_get_breakpoints (session)), ==, 0);
  g_assert_null (find_gutter (view, "●"));
}

/* Its title says where the engine is; sessions have tabs, and show what they hold. */
static void
test_tabs (TestFolder    *f,
           gconstpointer  data)
{
  FlowWindow *window = open_script (f, "import tensorflow as tf\n"
                                       "v = tf.Variable(3.0, name='v')\n"
                                       "one = tf.Session()\n"
                                       "one.run(v.initializer)\n"
                                       "with tf.Graph().as_default():\n"
                                       "    w = tf.constant(1.0, name='w')\n"
                                       "    tf.Session().run(w)\n");
  GtkWidget *tabs = find_widget (GTK_WIDGET (window), "FlowGraphTabs", NULL);

  g_assert_nonnull (find_label_with (GTK_WIDGET (window), "in the script's process"));
  drive_activate (window, "run", NULL);
  g_assert_nonnull (find_label (tabs, "Graph 2 · default"));
  g_assert_nonnull (find_label (tabs, "Graph 1 · 1 below the default"));
  drive_activate (window, "show-session", "1");
  g_assert_cmpuint (flow_graph_find_node (flow_ui_session_get_graph (flow_window_get_session (window)), "v"), !=, FLOW_NODE_NONE);
  drive_activate (window, "show-panel", "variables");
  g_assert_nonnull (find_label_with (find_widget (GTK_WIDGET (window), "FlowVariablesView", NULL), "3"));
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
}

/* The window that opens beside @window, when its graph is there. */
static FlowWindow *
wait_for_other (FlowWindow *window)
{
  gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (g_get_monotonic_time () < end)
    {
      GList *windows = gtk_application_get_windows (GTK_APPLICATION (drive_get_app ()));

      for (GList *l = windows; l != NULL; l = l->next)
        if (FLOW_IS_WINDOW (l->data) && l->data != window
            && flow_ui_session_get_graph (flow_window_get_session (l->data)) != NULL)
          {
            drive_settle (l->data);
            return l->data;
          }
      g_usleep (2000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  return NULL;
}

/* What is added to a graph of a file is another document; what cannot be added is said. */
static void
test_file_edits (TestFolder    *f,
                 gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.meta");
  FlowWindow *window = NULL;
  FlowWindow *other = NULL;
  FlowGraph *graph = NULL;
  guint before = 0;

  test_folder_copy_all (f, "training/mlp-sgd");
  f->window = window = drive_open (path);
  before = count_nodes (window);
  drive_activate (window, "select", "hidden1");
  drive_activate (window, "clone-scope", "copy");
  other = wait_for_other (window);
  g_assert_nonnull (other);
  graph = flow_ui_session_get_graph (flow_window_get_session (other));
  g_assert_cmpuint (flow_graph_find_node (graph, "copy/hidden1/weights"), !=, FLOW_NODE_NONE);
  drive_assert_state (other, "selection", "copy");
  g_assert_cmpuint (count_nodes (window), ==, before);
  drive_close (other);

  drive_activate (window, "select", "loss/mean");
  drive_activate (window, "add-optimizer", "Adam 0.01");
  other = wait_for_other (window);
  g_assert_nonnull (other);
  graph = flow_ui_session_get_graph (flow_window_get_session (other));
  g_assert_cmpuint (flow_graph_find_node (graph, "hidden1/weights/Adam"), !=, FLOW_NODE_NONE);
  drive_close (other);

  drive_activate (window, "add-optimizer", "Newton 0.01");
  for (gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
       find_label_with (GTK_WIDGET (window), "There is no optimizer Newton") == NULL && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_nonnull (find_label_with (GTK_WIDGET (window), "There is no optimizer Newton"));
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

#define ADD(name, func) g_test_add ("/ui/script/" name, TestFolder, NULL, test_folder_set_up, func, test_folder_tear_down)
  ADD ("to-the-end", test_to_the_end);
  ADD ("watch", test_watch);
  ADD ("call", test_call);
  ADD ("exception", test_exception);
  ADD ("failed-run", test_failed_run);
  ADD ("lines", test_lines);
  ADD ("edits", test_edits);
  ADD ("graphs", test_graphs);
  ADD ("stop", test_stop);
  ADD ("input", test_input);
  ADD ("console", test_console);
  ADD ("gutter", test_gutter);
  ADD ("tabs", test_tabs);
  ADD ("file-edits", test_file_edits);
  return g_test_run ();
}
