/* test-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "script-fixture.h"

#include "flow-collection.h"
#include "flow-graph-reading.h"

#include <signal.h>
#include <string.h>

/* A script whose process is the engine, from its first line to its end. */

static const char training[] =
  "import sys\n"
  "import numpy as np\n"
  "import tensorflow as tf\n"
  "print('arguments', sys.argv[1:])\n"
  "class Model:\n"
  "    def __init__(self):\n"
  "        self.x = tf.placeholder(tf.float32, [None, 4], name='x')\n"
  "        with tf.variable_scope('layer'):\n"
  "            w = tf.get_variable('w', [4, 3], initializer=tf.ones_initializer())\n"
  "            y = tf.nn.relu(tf.matmul(self.x, w))\n"
  "        self.loss = tf.reduce_mean(tf.square(y - 1.0), name='loss')\n"
  "        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)\n"
  "        self._sess = tf.Session()\n"
  "        self._sess.run(tf.global_variables_initializer())\n"
  "    def step(self, batch):\n"
  "        return self._sess.run([self.loss, self.train], {self.x: batch})[0]\n"
  "model = Model()\n"
  "for i in range(3):\n"
  "    print('loss', i, '%.6g' % model.step(np.full((2, 4), i + 1, np.float32)))\n"
  "print('done')\n";

static void
test_steps (ScriptFixture *f,
            gconstpointer  data)
{
  FlowGraph *graph = NULL;
  g_autofree char *output = NULL;

  script_open (f, training);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

      script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
      g_assert_cmpuint (state->position, ==, 0);
      graph = flow_debugger_get_graph (f->debugger);
      g_assert_cmpuint (flow_graph_find_node (graph, "layer/MatMul"), !=, FLOW_NODE_NONE);
      g_assert_cmpstr (state->run, ==, i == 0 ? "init" : "GradientDescent");
    }
  script_wait_for_text (f, "arguments ['--rate', '0.5']");
  for (int i = 0; i < 5; i++)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_STEP_OP, "");

      script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_STEP);
      g_assert_cmpuint (state->position, ==, (guint) i + 1);
    }
  output = script_evaluate (f, "batch.shape, i");
  g_assert_cmpstr (output, ==, "((2, 4), 0)");
  {
    g_autofree char *inner = script_evaluate (f, "print(self._sess.run(self.loss, {self.x: batch}))");
    g_autoptr (FlowDebugState) back = script_move (f, FLOW_MOVE_BACK, "");

    g_assert_cmpstr (inner, ==, "9.0");
    g_assert_cmpuint (back->position, ==, 4);
  }
  {
    g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

    script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
    script_wait_for_text (f, "loss 0 9\n");
  }
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

      if (i == 1)
        script_assert_stop (state, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
    }
  script_wait_for_text (f, "done\n");
  /* Its state can still be looked at. */
  g_clear_pointer (&output, g_free);
  output = script_evaluate (f, "i + 40");
  g_assert_cmpstr (output, ==, "42");
}

static void
test_list (ScriptFixture *f,
           gconstpointer  data)
{
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) rows = NULL;
  g_autoptr (GVariant) row = NULL;
  g_autoptr (GVariant) feeds = NULL;
  const char *result = NULL;
  const char *shape = NULL;
  guint line = 0;
  gint64 us = -1;

  script_open (f, training);
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "never")));
  {
    g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

    script_assert_stop (state, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
  }
  answer = script_call (f, "ScriptRuns", g_variant_new ("(t)", (guint64) 0));
  rows = g_variant_get_child_value (answer, 0);
  g_assert_cmpuint (g_variant_n_children (rows), ==, 4);
  row = g_variant_get_child_value (rows, 1);
  g_assert_true (g_variant_lookup (row, "result", "&s", &result));
  g_assert_cmpstr (result, ==, "9.0");
  g_assert_true (g_variant_lookup (row, "line", "u", &line));
  g_assert_cmpuint (line, ==, 16);
  g_assert_true (g_variant_lookup (row, "us", "x", &us));
  g_assert_cmpint (us, >=, 0);
  feeds = g_variant_lookup_value (row, "feeds", G_VARIANT_TYPE ("a{ss}"));
  g_assert_true (g_variant_lookup (feeds, "x:0", "&s", &shape));
  g_assert_cmpstr (shape, ==, "float32 [2,4]");
}

static guint
count_stops (ScriptFixture *f,
             const char    *policy)
{
  guint n = 0;

  script_open (f, training);
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", policy)));
  for (;;)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

      if (state->status == FLOW_DEBUG_FINISHED)
        return n;
      g_assert_cmpuint (++n, <, 20);
    }
}

/* Four runs: init, and three of the loop. */
static void
test_policy (ScriptFixture *f,
             gconstpointer  data)
{
  g_assert_cmpuint (count_stops (f, "start"), ==, 4);
  g_assert_cmpuint (count_stops (f, "start end"), ==, 8);
  g_assert_cmpuint (count_stops (f, "end"), ==, 4);
  g_assert_cmpuint (count_stops (f, "start skip=3"), ==, 1);
  g_assert_cmpuint (count_stops (f, "start every=2"), ==, 2);
  g_assert_cmpuint (count_stops (f, "start fetch=loss"), ==, 3);
  g_assert_cmpuint (count_stops (f, "start end fetch=init"), ==, 2);
}

static void
test_skip (ScriptFixture *f,
           gconstpointer  data)
{
  script_open (f, training);
  {
    g_autoptr (FlowDebugState) first = script_move (f, FLOW_MOVE_RUN, "");
    g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_SKIP_RUNS, "2");

    script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
    script_wait_for_text (f, "loss 0 9");
    g_assert_null (strstr (f->printed->str, "loss 1"));
  }
}

static void
test_breakpoint (ScriptFixture *f,
                 gconstpointer  data)
{
  script_open (f, training);
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "never")));
  g_variant_unref (script_call (f, "AddBreakpoint", g_variant_new ("(s)", "node:layer/MatMul")));
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

      script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_BREAKPOINT);
      g_assert_cmpstr (flow_graph_get_node_name (flow_debugger_get_graph (f->debugger), state->next_node), ==,
                       "layer/MatMul");
    }
}

static void
test_collection_breakpoint (ScriptFixture *f,
                            gconstpointer  data)
{
  g_autoptr (FlowDebugState) state = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "v = tf.Variable(1.0, name='v')\n"
                  "up = tf.assign_add(v, 1.0, name='up')\n"
                  "tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, up)\n"
                  "sess = tf.Session()\n"
                  "sess.run(v.initializer)\n"
                  "sess.run(up)\n");
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "never")));
  g_variant_unref (script_call (f, "AddBreakpoint", g_variant_new ("(s)", "collection:update_ops")));
  state = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_BREAKPOINT);
  g_assert_cmpstr (flow_graph_get_node_name (flow_debugger_get_graph (f->debugger), state->next_node), ==, "up");
}

static void
assert_trail (ScriptFixture *f,
              const char    *tensor,
              const double  *means,
              guint          n)
{
  g_autoptr (GVariant) trail = script_call (f, "ScriptTrail", g_variant_new ("(s)", tensor));
  g_autoptr (GVariant) before = g_variant_get_child_value (trail, 0);
  guint64 last = 0;

  g_assert_cmpuint (g_variant_n_children (before), ==, n);
  for (guint i = 0; i < n; i++)
    {
      guint64 run = 0;
      double mean = 0;

      g_variant_get_child (before, i, "(td)", &run, &mean);
      g_assert_cmpuint (run, >, last);
      g_assert_cmpfloat_with_epsilon (mean, means[i], 1e-5);
      last = run;
    }
}

/* Numbers that a script fetches are kept from its first run, of another tensor what it was since somebody asked for it.
 * The means are those of the same steps done by hand in numpy. */
static void
test_trail (ScriptFixture *f,
            gconstpointer  data)
{
  static const double losses[] = { 9.0, 29.16, 0.0016 };
  static const double weights[] = { 1.0, 0.8, 0.08 };
  static const double products[] = { 8.0 * 0.8 };

  script_open (f, training);
  /* Before init and each of the three steps. */
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

      script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
      assert_trail (f, "layer/w", weights, i);
      if (i >= 2)
        assert_trail (f, "layer/MatMul:0", products, i - 2);
    }
  assert_trail (f, "loss:0", losses, 2);
}

/* A function that is called is no loop, though its ops execute in a frame of their own. */
static void
test_call_is_no_loop (ScriptFixture *f,
                      gconstpointer  data)
{
  g_autoptr (FlowDebugState) start = NULL;
  g_autoptr (FlowDebugState) end = NULL;
  g_autoptr (GVariant) loops = NULL;
  g_autofree char *text = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "from tensorflow.python.framework import function\n"
                  "@function.Defun(tf.float32, func_name='Twice')\n"
                  "def twice(x):\n"
                  "    return x + x\n"
                  "looped = tf.while_loop(lambda i: i < 1, lambda i: i + 1, [0], name='once')\n"
                  "tf.Session().run([twice(tf.constant(1.0)), looped])\n");
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "start end")));
  start = script_move (f, FLOW_MOVE_RUN, "");
  end = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (end, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_END);
  loops = script_call (f, "Loops", g_variant_new ("()"));
  text = g_variant_print (loops, FALSE);
  g_assert_cmpstr (text, ==, "([('once/while_context', 1, 1)],)");
}

static void
test_exception (ScriptFixture *f,
                gconstpointer  data)
{
  g_autofree char *value = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "a = tf.constant(1)\n"
                  "def inner(x):\n"
                  "    return x / 0\n"
                  "inner(3)\n");
  {
    g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");

    script_assert_stop (state, FLOW_DEBUG_FAILED, FLOW_STOP_ERROR);
    g_assert_nonnull (strstr (state->message, "ZeroDivisionError: division by zero"));
    g_assert_nonnull (strstr (state->message, "script.py:4"));
  }
  script_wait_for_text (f, "ZeroDivisionError");
  /* Where it was raised. */
  value = script_evaluate (f, "x");
  g_assert_cmpstr (value, ==, "3");
  /* The graph that it made is there. */
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_debugger_get_graph (f->debugger)), ==, 1);
}

static gboolean
end_reading_cb (gpointer data)
{
  FlowGraph *graph = data;

  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 1);
  flow_graph_end_reading (graph);
  return G_SOURCE_REMOVE;
}

/* What a script adds waits for threads that go through the graph, and comes when they are done. */
static void
test_grows_while_read (ScriptFixture *f,
                       gconstpointer  data)
{
  FlowGraph *graph = NULL;
  g_autofree char *answer = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "a = tf.constant(1)\n"
                  "a.nothing\n");
  script_move_and_forget (f, FLOW_MOVE_RUN);
  graph = flow_debugger_get_graph (f->debugger);
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 1);
  flow_graph_begin_reading (graph);
  g_timeout_add (100, end_reading_cb, graph);
  answer = script_evaluate (f, "tf.constant(2, name='late')");
  while (flow_graph_is_being_read (graph) || flow_graph_get_n_nodes (graph) == 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (flow_debugger_get_graph (f->debugger) == graph);
  g_assert_cmpuint (flow_graph_find_node (graph, "late"), ==, 1);
}

/* An op that fails stops there; the script gets TensorFlow's exception when it is let go. */
static void
test_failed_op (ScriptFixture *f,
                gconstpointer  data)
{
  script_open (f, "import tensorflow as tf\n"
                  "x = tf.placeholder(tf.float32, name='x')\n"
                  "y = tf.identity(x, name='y')\n"
                  "with tf.Session() as s:\n"
                  "    try:\n"
                  "        s.run(y)\n"
                  "    except tf.errors.InvalidArgumentError as e:\n"
                  "        print('caught', e.op.name)\n"
                  "    print(s.run(y, {x: 2.0}))\n");
  {
    g_autoptr (FlowDebugState) start = script_move (f, FLOW_MOVE_RUN, "");
    g_autoptr (FlowDebugState) failed = script_move (f, FLOW_MOVE_RUN, "");
    g_autoptr (FlowDebugState) next = NULL;

    script_assert_stop (failed, FLOW_DEBUG_FAILED, FLOW_STOP_ERROR);
    g_assert_cmpint (failed->error_code, ==, FLOW_ERROR_INVALID_ARGUMENT);
    next = script_move (f, FLOW_MOVE_RUN, "");
    script_assert_stop (next, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
    script_wait_for_text (f, "caught x");
  }
  {
    g_autoptr (FlowDebugState) end = script_move (f, FLOW_MOVE_RUN, "");

    script_wait_for_text (f, "2.0");
  }
}

static void
ignore_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, NULL);
}

static void
begin (ScriptFixture *f)
{
  flow_debugger_call_async (f->debugger, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_RUN, ""), NULL, NULL, ignore_cb,
                            NULL);
}

static void
wait_for_end (ScriptFixture *f)
{
  gint64 until = g_get_monotonic_time () + 15 * G_TIME_SPAN_SECOND;

  while (g_get_monotonic_time () < until)
    {
      g_autoptr (FlowDebugState) state = flow_debugger_dup_state (f->debugger);

      if (state->status == FLOW_DEBUG_FAILED || state->status == FLOW_DEBUG_ENDED)
        return;
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (2000);
    }
  g_assert_not_reached ();
}

/* No run was to stop, and one's error ends the script: that run is in view, at the op that failed, with what it was given. */
static void
test_failed_at_the_end (ScriptFixture *f,
                        gconstpointer  data)
{
  g_autoptr (FlowDebugState) state = NULL;
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GVariant) info = NULL;
  const char *word = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "a = tf.constant([1., 2.], name='a')\n"
                  "b = tf.divide(a, 0., name='b')\n"
                  "c = tf.check_numerics(b, 'bad', name='c')\n"
                  "with tf.Session() as s:\n"
                  "    s.run(a)\n"
                  "    s.run(c)\n");
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "never")));
  state = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (state, FLOW_DEBUG_FAILED, FLOW_STOP_ERROR);
  g_assert_nonnull (strstr (state->message, "bad : Tensor had Inf values"));
  g_assert_true (g_str_has_suffix (state->message, "script.py:7"));
  g_assert_cmpstr (state->run, ==, "c");
  g_assert_cmpstr (flow_graph_get_node_name (flow_debugger_get_graph (f->debugger), state->next_node), ==, "c");
  value = script_call (f, "GetValue", g_variant_new ("(st)", "b:0", G_MAXUINT64));
  info = g_variant_get_child_value (value, 0);
  g_assert_true (g_variant_lookup (info, "state", "&s", &word));
  g_assert_cmpstr (word, ==, "value");
}

/* An error that the script has lived with is not what ends it. */
static void
test_failed_and_caught (ScriptFixture *f,
                        gconstpointer  data)
{
  g_autoptr (FlowDebugState) state = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "c = tf.check_numerics(tf.constant([1.]) / 0., 'bad', name='c')\n"
                  "with tf.Session() as s:\n"
                  "    try:\n"
                  "        s.run(c)\n"
                  "    except tf.errors.InvalidArgumentError:\n"
                  "        pass\n"
                  "raise ValueError('another')\n");
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "never")));
  state = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (state, FLOW_DEBUG_FAILED, FLOW_STOP_ERROR);
  g_assert_nonnull (strstr (state->message, "another"));
  g_assert_cmpuint (state->next_node, ==, FLOW_NODE_NONE);
}

/* One that listens ends by KeyboardInterrupt; one that does not is ended. */
static void
test_stop (ScriptFixture *f,
           gconstpointer  data)
{
  script_open (f, "print('on', flush=True)\nwhile True:\n    pass\n");
  begin (f);
  script_wait_for_text (f, "on");
  g_variant_unref (script_call (f, "Stop", g_variant_new ("()")));
  wait_for_end (f);
  g_assert_cmpstr (f->ended->str, ==, "");
  script_wait_for_text (f, "KeyboardInterrupt");

  g_string_truncate (f->printed, 0);
  script_open (f, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('on', flush=True)\nwhile True:\n    pass\n");
  begin (f);
  script_wait_for_text (f, "on");
  g_variant_unref (script_call (f, "Stop", g_variant_new ("()")));
  wait_for_end (f);
  g_assert_nonnull (strstr (f->ended->str, "signal 9"));
}

/* A run that is held is cancelled. */
static void
test_stop_held (ScriptFixture *f,
                gconstpointer  data)
{
  script_open (f, training);
  {
    g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");
  }
  g_variant_unref (script_call (f, "Stop", g_variant_new ("()")));
  wait_for_end (f);
  g_assert_cmpstr (f->ended->str, ==, "");
}

/* Nor is what its end still has to tell torn by a Stop that comes late. */
static void
test_stop_late (ScriptFixture *f,
                gconstpointer  data)
{
  script_open (f, "import signal, sys, time\n"
                  "class Slow:\n"
                  "    until = None\n"
                  "    def write(self, text):\n"
                  "        if self.until is None:\n"
                  "            print('telling', flush=True)\n"
                  "            self.until = time.monotonic() + 0.5\n"
                  "        while time.monotonic() < self.until:\n"
                  "            pass\n"
                  "        sys.__stderr__.write(text)\n"
                  "    def flush(self):\n"
                  "        sys.__stderr__.flush()\n"
                  "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                  "sys.stderr = Slow()\n"
                  "raise ValueError('its own')\n");
  begin (f);
  script_wait_for_text (f, "telling");
  g_variant_unref (script_call (f, "Stop", g_variant_new ("()")));
  wait_for_end (f);
  g_assert_cmpstr (f->ended->str, ==, "");
  script_wait_for_text (f, "ValueError: its own");
  {
    g_autofree char *output = script_evaluate (f, "40 + 2");

    g_assert_cmpstr (output, ==, "42");
  }
}

/* The thread that fills the queue goes on while the run that is held waits for it. */
static void
test_threads (ScriptFixture *f,
              gconstpointer  data)
{
  script_open (f, "import threading, time\n"
                  "import tensorflow as tf\n"
                  "q = tf.FIFOQueue(3, tf.float32)\n"
                  "put = q.enqueue(4.0)\n"
                  "out = tf.multiply(q.dequeue(), 2.0, name='out')\n"
                  "s = tf.Session()\n"
                  "def fill():\n"
                  "    time.sleep(0.2)\n"
                  "    s.run(put)\n"
                  "t = threading.Thread(target=fill)\n"
                  "t.start()\n"
                  "print('got', s.run(out))\n"
                  "t.join()\n");
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "start fetch=out")));
  {
    g_autoptr (FlowDebugState) start = script_move (f, FLOW_MOVE_RUN, "");
    g_autoptr (FlowDebugState) end = NULL;

    script_assert_stop (start, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
    end = script_move (f, FLOW_MOVE_RUN, "");
    script_assert_stop (end, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
    script_wait_for_text (f, "got 8.0");
  }
}

/* Several graphs and sessions; one that was reset is there as long as something points into it. */
static void
test_graphs (ScriptFixture *f,
             gconstpointer  data)
{
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) rows = NULL;
  guint n_cleared = 0;
  guint n_default = 0;

  script_open (f, "import tensorflow as tf\n"
                  "kept = tf.constant(1.0, name='kept')\n"
                  "tf.Session().run(kept)\n"
                  "tf.reset_default_graph()\n"
                  "tf.constant(2.0, name='lost')\n"
                  "tf.reset_default_graph()\n"
                  "b = tf.constant(3.0, name='b')\n"
                  "tf.Session().run(b)\n");
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");
      FlowGraph *graph = flow_debugger_get_graph (f->debugger);

      script_assert_stop (state, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
      g_assert_cmpstr (flow_graph_get_node_name (graph, 0), ==, i == 0 ? "kept" : "b");
    }
  /* Who looks at a graph as it grows may hold one for a moment after the script has let it go. */
  for (int i = 0; i < 200 && (rows == NULL || g_variant_n_children (rows) > 2); i++)
    {
      if (rows != NULL)
        g_usleep (10000);
      g_clear_pointer (&rows, g_variant_unref);
      g_clear_pointer (&answer, g_variant_unref);
      answer = script_call (f, "ScriptGraphs", g_variant_new ("()"));
      rows = g_variant_get_child_value (answer, 0);
    }
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);
      guint stack = 0;
      gboolean cleared = FALSE;

      g_assert_true (g_variant_lookup (row, "stack", "u", &stack) && g_variant_lookup (row, "cleared", "b", &cleared));
      n_default += stack == 1;
      n_cleared += cleared;
    }
  g_assert_cmpuint (g_variant_n_children (rows), ==, 2);
  g_assert_cmpuint (n_default, ==, 1);
  g_assert_cmpuint (n_cleared, ==, 1);
  /* The old one can be shown. */
  g_variant_unref (script_call (f, "ScriptShow", g_variant_new ("(u)", 1)));
  for (int i = 0; i < 200; i++)
    {
      if (strcmp (flow_graph_get_node_name (flow_debugger_get_graph (f->debugger), 0), "kept") == 0)
        return;
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (5000);
    }
  g_assert_not_reached ();
}

static guint
count_items (ScriptFixture *f,
             const char    *key)
{
  GPtrArray *items = flow_graph_get_collection (flow_debugger_get_graph (f->debugger), key);

  return items != NULL ? items->len : 0;
}

static gboolean
answers_with (ScriptFixture *f,
              const char    *method,
              GVariant      *arguments,
              const char    *text)
{
  g_autoptr (GVariant) answer = script_call (f, method, arguments);
  g_autofree char *printed = g_variant_print (answer, FALSE);

  return strstr (printed, text) != NULL;
}

/* At each run the collections are what the script has put into them by then, for the variables and the plan as well. */
static void
test_collections (ScriptFixture *f,
                  gconstpointer  data)
{
  g_autoptr (FlowDebugState) first = NULL;
  g_autoptr (FlowDebugState) second = NULL;
  g_autoptr (FlowDebugState) third = NULL;
  GPtrArray *items = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "v = tf.Variable(1.0, name='v')\n"
                  "x = tf.placeholder(tf.float32, [])\n"
                  "up = tf.assign_add(v, x, name='up')\n"
                  "tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, up)\n"
                  "tf.add_to_collection('odd', object())\n"
                  "tf.add_to_collection('left', x)\n"
                  "sess = tf.Session()\n"
                  "sess.run(v.initializer)\n"
                  "tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_sub(v, 1.0, name='down'))\n"
                  "sess.run(v)\n"
                  "tf.get_default_graph().clear_collection('left')\n"
                  "tf.get_collection_ref(tf.GraphKeys.UPDATE_OPS)[0] = tf.no_op('rest')\n"
                  "sess.run(up, {x: 1.0})\n"
                  "tf.add_to_collection('last', v)\n");
  first = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (first, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
  g_assert_cmpuint (count_items (f, "update_ops"), ==, 1);
  g_assert_cmpuint (count_items (f, "trainable_variables"), ==, 1);
  items = flow_graph_get_collection (flow_debugger_get_graph (f->debugger), "update_ops");
  g_assert_cmpstr (((FlowCollectionItem *) items->pdata[0])->name, ==, "up:0");
  second = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (second, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
  g_assert_cmpuint (count_items (f, "update_ops"), ==, 2);
  g_assert_cmpuint (count_items (f, "left"), ==, 1);
  g_assert_true (answers_with (f, "Variables", NULL, "'collections': <['trainable_variables', 'variables']>"));
  g_assert_true (answers_with (f, "Plan", g_variant_new ("(s)", ""), "'update_ops_skipped': <['up:0', 'down:0']>"));
  third = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (third, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
  g_assert_cmpuint (count_items (f, "left"), ==, 0);
  g_assert_true (answers_with (f, "Plan", g_variant_new ("(s)", ""), "'update_ops_skipped': <['rest', 'down:0']>"));
  g_assert_true (answers_with (f, "Plan", g_variant_new ("(s)", ""), "'warnings': <@as []>"));
  {
    g_autoptr (FlowDebugState) end = script_move (f, FLOW_MOVE_RUN, "");

    script_assert_stop (end, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
    g_assert_cmpuint (count_items (f, "last"), ==, 1);
  }
}

/* Every op knows the script's lines. */
static void
test_sources (ScriptFixture *f,
              gconstpointer  data)
{
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) sources = NULL;
  g_autoptr (GVariant) frames = NULL;
  g_autoptr (GVariant) stacks = NULL;
  g_autoptr (GVariant) nodes = NULL;
  g_autoptr (GVariant) stack = NULL;
  guint32 node = FLOW_NODE_NONE;
  guint32 id = 0;
  guint32 line = 0;

  script_open (f, training);
  {
    g_autoptr (FlowDebugState) state = script_move (f, FLOW_MOVE_RUN, "");
  }
  answer = script_call (f, "ScriptSources", g_variant_new ("()"));
  boxed = g_variant_get_child_value (answer, 0);
  sources = g_variant_get_variant (boxed);
  g_assert_true (g_variant_is_of_type (sources, G_VARIANT_TYPE ("(asasa(uuu)aauau)")));
  frames = g_variant_get_child_value (sources, 2);
  stacks = g_variant_get_child_value (sources, 3);
  nodes = g_variant_get_child_value (sources, 4);
  g_assert_cmpuint (g_variant_n_children (nodes), ==, flow_graph_get_n_nodes (flow_debugger_get_graph (f->debugger)));
  node = flow_graph_find_node (flow_debugger_get_graph (f->debugger), "layer/MatMul");
  g_variant_get_child (nodes, node, "u", &id);
  stack = g_variant_get_child_value (stacks, id);
  g_variant_get_child (stack, 0, "u", &id);
  g_variant_get_child (frames, id, "(uuu)", NULL, &line, NULL);
  g_assert_cmpuint (line, ==, 10);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/link/script/" name, ScriptFixture, NULL, script_set_up, func, script_tear_down)
  ADD ("steps", test_steps);
  ADD ("list", test_list);
  ADD ("policy", test_policy);
  ADD ("skip", test_skip);
  ADD ("breakpoint", test_breakpoint);
  ADD ("collection-breakpoint", test_collection_breakpoint);
  ADD ("trail", test_trail);
  ADD ("call-is-no-loop", test_call_is_no_loop);
  ADD ("exception", test_exception);
  ADD ("grows-while-read", test_grows_while_read);
  ADD ("failed-op", test_failed_op);
  ADD ("failed-at-the-end", test_failed_at_the_end);
  ADD ("failed-and-caught", test_failed_and_caught);
  ADD ("stop", test_stop);
  ADD ("stop-held", test_stop_held);
  ADD ("stop-late", test_stop_late);
  ADD ("threads", test_threads);
  ADD ("graphs", test_graphs);
  ADD ("collections", test_collections);
  ADD ("sources", test_sources);
  return g_test_run ();
}
