/* test-script-world.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "script-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

/* What stands around the runs of a script: its graphs and sessions, its threads, its input, functions that ops call. */

static GVariant *
list_rows (ScriptFixture *f,
           const char    *method,
           GVariant      *arguments)
{
  g_autoptr (GVariant) answer = script_call (f, method, arguments);

  return g_variant_get_child_value (answer, 0);
}

/* The row of ScriptGraphs in which the graph has @label. */
static GVariant *
find_graph (ScriptFixture *f,
            const char    *label)
{
  g_autoptr (GVariant) rows = list_rows (f, "ScriptGraphs", g_variant_new ("()"));

  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);
      const char *text = NULL;

      if (g_variant_lookup (row, "label", "&s", &text) && strcmp (text, label) == 0)
        return g_steal_pointer (&row);
    }
  return NULL;
}

static guint
place_on_stack (ScriptFixture *f,
                const char    *label)
{
  g_autoptr (GVariant) row = find_graph (f, label);
  guint place = G_MAXUINT;

  g_assert_nonnull (row);
  g_assert_true (g_variant_lookup (row, "stack", "u", &place));
  return place;
}

/* Which graph is the default one, and which are below it. */
static void
test_stack (ScriptFixture *f,
            gconstpointer  data)
{
  script_open (f, "import tensorflow as tf\n"
                  "a = tf.constant(1.0, name='a')\n"
                  "with tf.Graph().as_default():\n"
                  "    b = tf.constant(2.0, name='b')\n"
                  "    with tf.Session() as inner:\n"
                  "        inner.run(b)\n"
                  "tf.Session().run(a)\n");
  script_move_and_forget (f, FLOW_MOVE_RUN);
  g_assert_cmpuint (place_on_stack (f, "Graph 1"), ==, 3);
  g_assert_cmpuint (place_on_stack (f, "Graph 2"), ==, 1);
  script_move_and_forget (f, FLOW_MOVE_RUN);
  g_assert_cmpuint (place_on_stack (f, "Graph 1"), ==, 1);
}

static GVariant *
find_session (ScriptFixture *f,
              const char    *graph,
              guint          id)
{
  g_autoptr (GVariant) row = find_graph (f, graph);
  g_autoptr (GVariant) sessions = g_variant_lookup_value (row, "sessions", G_VARIANT_TYPE ("a{uv}"));

  for (gsize i = 0; sessions != NULL && i < g_variant_n_children (sessions); i++)
    {
      g_autoptr (GVariant) found = NULL;
      guint number = 0;

      g_variant_get_child (sessions, i, "{uv}", &number, &found);
      if (number == id)
        return g_steal_pointer (&found);
    }
  return NULL;
}

/* A session that a class hides is known from when it is made, and its values can be looked at between runs. */
static void
test_sessions (ScriptFixture *f,
               gconstpointer  data)
{
  g_autoptr (FlowDebugState) first = NULL;
  g_autoptr (FlowDebugState) second = NULL;
  g_autoptr (GVariant) hidden = NULL;
  g_autoptr (GVariant) closed = NULL;
  g_autoptr (GVariant) shown = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) variables = NULL;
  g_autofree char *text = NULL;
  const char *made = NULL;
  gboolean is = FALSE;

  script_open (f, "import tensorflow as tf\n"
                  "class Model:\n"
                  "    def __init__(self):\n"
                  "        self.v = tf.get_variable('v', [], initializer=tf.constant_initializer(7.0))\n"
                  "        self._hidden = tf.Session()\n"
                  "        self._hidden.run(self.v.initializer)\n"
                  "model = Model()\n"
                  "other = tf.Session()\n"
                  "other.run(tf.constant(1.0))\n"
                  "other.close()\n"
                  "tf.Session().run(tf.constant(2.0))\n");
  first = script_move (f, FLOW_MOVE_RUN, "");
  hidden = find_session (f, "Graph 1", 1);
  g_assert_nonnull (hidden);
  g_assert_true (g_variant_lookup (hidden, "made", "&s", &made));
  g_assert_cmpstr (made, ==, "script.py:5 in Model.__init__");
  g_assert_null (find_session (f, "Graph 1", 2));
  script_move_and_forget (f, FLOW_MOVE_RUN);
  second = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (second, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
  closed = find_session (f, "Graph 1", 2);
  g_assert_true (g_variant_lookup (closed, "closed", "b", &is) && is);

  answer = script_call (f, "ScriptShowSession", g_variant_new ("(u)", 1));
  shown = find_session (f, "Graph 1", 1);
  g_assert_true (g_variant_lookup (shown, "shown", "b", &is) && is);
  variables = script_call (f, "Variables", g_variant_new ("()"));
  text = g_variant_print (variables, FALSE);
  g_assert_nonnull (strstr (text, "7"));
  /* The held run is still the held one. */
  {
    g_autoptr (FlowDebugState) end = script_move (f, FLOW_MOVE_RUN, "");

    script_assert_stop (end, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
  }
}

static const char threads[] =
  "import threading\n"
  "import tensorflow as tf\n"
  "a = tf.constant(1.0, name='a')\n"
  "one, two = tf.Session(), tf.Session()\n"
  "def work():\n"
  "    two.run(a)\n"
  "one.run(a)\n"
  "for k in range(2):\n"
  "    t = threading.Thread(target=work, name='worker %d' % k)\n"
  "    t.start()\n"
  "    t.join()\n"
  "one.run(a)\n";

static void
assert_run (ScriptFixture *f,
            guint64        number,
            const char    *session,
            const char    *thread)
{
  g_autoptr (GVariant) rows = list_rows (f, "ScriptRuns", g_variant_new ("(t)", number));
  g_autoptr (GVariant) row = NULL;
  const char *text = NULL;

  g_assert_cmpuint (g_variant_n_children (rows), ==, 1);
  row = g_variant_get_child_value (rows, 0);
  g_assert_true (g_variant_lookup (row, "session", "&s", &text));
  g_assert_cmpstr (text, ==, session);
  g_assert_true (g_variant_lookup (row, "thread", "&s", &text));
  g_assert_cmpstr (text, ==, thread);
}

/* Only runs of one session, or of one thread, stop. */
static void
test_filters (ScriptFixture *f,
              gconstpointer  data)
{
  g_autoptr (FlowDebugState) held = NULL;
  g_autoptr (FlowDebugState) end = NULL;

  script_open (f, threads);
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", data)));
  held = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (held, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
  assert_run (f, 3, "Session 2", "worker 1");
  end = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (end, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
}

/* A function that an op calls may run a session itself, the same one too; stepping back does not
 * call it again, and what it did stays. */
static void
test_run_within (ScriptFixture *f,
                 gconstpointer  data)
{
  g_autoptr (GVariant) rows = NULL;

  script_open (f, "import tensorflow as tf\n"
                  "v = tf.Variable(5.0, name='v')\n"
                  "up = tf.assign_add(v, 1.0)\n"
                  "sess = tf.Session()\n"
                  "b = tf.py_func(lambda x: sess.run(up), [tf.constant(2.0)], tf.float32, name='b')\n"
                  "c = tf.add(b, 1.0, name='c')\n"
                  "sess.run(v.initializer)\n"
                  "print('gave', sess.run(c), sess.run(v))\n");
  g_variant_unref (script_call (f, "ScriptPolicy", g_variant_new ("(s)", "start fetch=c")));
  script_move_and_forget (f, FLOW_MOVE_RUN);
  {
    g_autoptr (FlowDebugState) before = script_move (f, FLOW_MOVE_RUN_TO, "b");

    script_assert_stop (before, FLOW_DEBUG_PAUSED, FLOW_STOP_STEP);
  }
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (FlowDebugState) stepped = script_move (f, FLOW_MOVE_STEP_OP, "");
      g_autofree char *inner = script_evaluate (f, "sess.run(v)");

      script_assert_stop (stepped, FLOW_DEBUG_PAUSED, FLOW_STOP_STEP);
      g_assert_cmpstr (inner, ==, "6.0");
      if (i == 0)
        script_move_and_forget (f, FLOW_MOVE_BACK);
    }
  rows = list_rows (f, "ScriptRuns", g_variant_new ("(t)", (guint64) 0));
  g_assert_cmpuint (g_variant_n_children (rows), >=, 3);
  {
    g_autoptr (FlowDebugState) end = script_move (f, FLOW_MOVE_RUN, "");

    script_assert_stop (end, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
    script_wait_for_text (f, "gave 7.0 6.0");
  }
}

static void
wait_for_reason (ScriptFixture *f,
                 FlowStopReason reason)
{
  gint64 until = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;

  for (;;)
    {
      g_autoptr (FlowDebugState) state = flow_debugger_dup_state (f->debugger);

      if (state->reason == reason)
        return;
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (2000);
    }
}

static void
moved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, &error);

  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

/* A script that reads its standard input waits for what a person types, and is told when there is no more. */
static void
test_input (ScriptFixture *f,
            gconstpointer  data)
{
  gboolean moved = FALSE;
  gint64 until = 0;

  script_open (f, "import sys\n"
                  "import tensorflow as tf\n"
                  "name = input('What is your name? ')\n"
                  "print('hello', name)\n"
                  "print('rest', [line.strip() for line in sys.stdin])\n");
  flow_debugger_call_async (f->debugger, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_RUN, ""), NULL, NULL, moved_cb, &moved);
  wait_for_reason (f, FLOW_STOP_INPUT);
  script_wait_for_text (f, "What is your name?");
  g_variant_unref (script_call (f, "ScriptInput", g_variant_new ("(sb)", "Ada\nmore\n", FALSE)));
  script_wait_for_text (f, "hello Ada");
  g_assert_false (moved);
  wait_for_reason (f, FLOW_STOP_INPUT);
  g_variant_unref (script_call (f, "ScriptInput", g_variant_new ("(sb)", "last", TRUE)));
  script_wait_for_text (f, "rest ['more', 'last']");
  until = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;
  while (!moved && g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (moved);
  {
    g_autoptr (FlowDebugState) end = flow_debugger_dup_state (f->debugger);

    script_assert_stop (end, FLOW_DEBUG_FINISHED, FLOW_STOP_END);
  }
}

/* Python 2 in the script and in what it imports: print, integer division, old exceptions. */
static void
test_python2 (ScriptFixture *f,
              gconstpointer  data)
{
  g_autofree char *module = g_build_filename (f->folder, "halves.py", NULL);

  g_assert_true (g_file_set_contents (module, "def half(x):\n    print 'half of', x\n    return x / 2\n", -1, NULL));
  f->python2 = TRUE;
  script_open (f, "import tensorflow as tf\n"
                  "import halves\n"
                  "print 'seven', halves.half(7), 7 / 2.0\n"
                  "try:\n"
                  "    raise ValueError, 'old'\n"
                  "except ValueError, e:\n"
                  "    print 'caught', e\n"
                  "print 'run', tf.Session().run(tf.constant(4, name='four'))\n");
  {
    g_autoptr (FlowDebugState) start = script_move (f, FLOW_MOVE_RUN, "");
    g_autoptr (GVariant) rows = list_rows (f, "ScriptRuns", g_variant_new ("(t)", (guint64) 0));
    g_autoptr (GVariant) row = g_variant_get_child_value (rows, 0);
    guint line = 0;

    script_assert_stop (start, FLOW_DEBUG_PAUSED, FLOW_STOP_RUN_START);
    g_assert_true (g_variant_lookup (row, "line", "u", &line));
    g_assert_cmpuint (line, ==, 8);
  }
  script_move_and_forget (f, FLOW_MOVE_RUN);
  script_wait_for_text (f, "half of 7\nseven 3 3.5\ncaught old\nrun 4");
  g_unlink (module);
}

/* A script that cannot even begin says why. */
static void
test_cannot_begin (ScriptFixture *f,
                   gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowDebuggerReply) reply = NULL;
  g_autofree char *path = g_build_filename (f->folder, "script.py", NULL);
  g_autofree char *package = g_build_filename (f->folder, "gi.py", NULL);
  GVariantDict options;

  /* As where Python has no gi: its first module is not what it should be. */
  g_assert_true (g_file_set_contents (path, "", -1, NULL));
  g_assert_true (g_file_set_contents (package, "raise ImportError('there is no gi here')\n", -1, NULL));
  g_variant_dict_init (&options, NULL);
  reply = flow_debugger_call_sync (f->debugger, "Open", g_variant_new ("(s@a{sv})", path, g_variant_dict_end (&options)), NULL,
                                   NULL, &error);
  g_assert_null (reply);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "ImportError: there is no gi here"));
  g_unlink (package);
}

/* Lines are told as they were printed: blanks at their ends and empty ones too, whatever ends them. */
static void
test_printed (ScriptFixture *f,
              gconstpointer  data)
{
  script_open (f, "import sys\n"
                  "print('blank ')\n"
                  "print()\n"
                  "sys.stdout.write('both\\r\\nover\\rend\\n\\n')\n"
                  "print('last')\n");
  script_move_and_forget (f, FLOW_MOVE_RUN);
  script_wait_for_text (f, "last\n");
  g_assert_nonnull (strstr (f->printed->str, "blank \n\nboth\nover\nend\n\nlast\n"));
}

/* A loop that no session takes is in the picture, with all that the script makes after it. */
static void
test_refused_loop (ScriptFixture *f,
                   gconstpointer  data)
{
  g_autoptr (FlowDebugState) state = NULL;
  FlowGraph *graph = NULL;
  guint32 merge;
  FlowEndpoint source = { 0 };

  script_open (f, "import tensorflow as tf\n"
                  "tf.while_loop(lambda v: v < 3, lambda v: tf.cast(v, tf.float32), [0])\n"
                  "after = tf.constant(1, name='after')\n"
                  "tf.Session().run(after)\n");
  state = script_move (f, FLOW_MOVE_RUN, "");
  script_assert_stop (state, FLOW_DEBUG_FAILED, FLOW_STOP_ERROR);
  g_assert_nonnull (strstr (state->message, "Input 1 of node while/Merge was passed float from while/NextIteration:0 "
                            "incompatible with expected int32."));
  graph = flow_debugger_get_graph (f->debugger);
  g_assert_cmpuint (flow_graph_find_node (graph, "after"), !=, FLOW_NODE_NONE);
  merge = flow_graph_find_node (graph, "while/Merge");
  g_assert_cmpuint (merge, !=, FLOW_NODE_NONE);
  flow_graph_get_input (graph, merge, 1, &source);
  g_assert_cmpstr (flow_graph_get_node_name (graph, source.node), ==, "while/NextIteration");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func, data) \
  g_test_add ("/link/script-world/" name, ScriptFixture, data, script_set_up, func, script_tear_down)
  ADD ("stack", test_stack, NULL);
  ADD ("sessions", test_sessions, NULL);
  ADD ("thread", test_filters, "start thread=worker%201");
  ADD ("session", test_filters, "start session=Session%202 skip=1");
  ADD ("run-within", test_run_within, NULL);
  ADD ("input", test_input, NULL);
  ADD ("printed", test_printed, NULL);
  ADD ("refused-loop", test_refused_loop, NULL);
  ADD ("python2", test_python2, NULL);
  ADD ("cannot-begin", test_cannot_begin, NULL);
  return g_test_run ();
}
