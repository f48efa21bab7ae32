/* debugger-suite-edits.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-fixture.h"

#include <string.h>

/* Values that a person replaces, and what comes from them. */

static guint
n_stale (Fixture *f)
{
  g_autoptr(FlowDebugState) state = flow_debugger_dup_state (f->debugger);

  return state->n_stale;
}

static double
value_of (Fixture    *f,
          const char *ref,
          gint64      i)
{
  const gint64 begin[] = { i };
  const gint64 count[] = { 1 };
  g_autoptr(FlowDebuggerReply) reply = NULL;

  reply = call (f, "Slice", g_variant_new ("(s@ax@ax@ax)", ref,
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, begin, 1, sizeof (gint64)),
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, count, 1, sizeof (gint64)),
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, count, 1, sizeof (gint64))));
  return flow_tensor_get_double (g_ptr_array_index (reply->tensors, 0), 0);
}

static void
set_variable (Fixture    *f,
              const char *name,
              float       a,
              float       b)
{
  const float values[] = { a, b };
  const gint64 dims[] = { 2 };
  g_autoptr(FlowShape) shape = flow_shape_new (1, dims);
  g_autoptr(GBytes) bytes = g_bytes_new (values, sizeof values);
  g_autoptr(GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowDebuggerReply) reply = NULL;

  g_ptr_array_add (tensors, flow_tensor_new_from_bytes (FLOW_DTYPE_FLOAT, shape, bytes, NULL));
  reply = flow_debugger_call_sync (f->debugger, "SetVariable", g_variant_new ("(s)", name), tensors, NULL, &error);
  g_assert_no_error (error);
}

/* A tensor is replaced: what comes from it is computed again, all else keeps what it made, and what was is kept. */
static void
test_recompute (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;
  g_autoptr(GVariant) moments = NULL;
  g_autofree char *words = NULL;
  g_autoptr(GError) error = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/log", "step train@0 loss/log");
  g_assert_null (flow_debugger_call_sync (f->debugger, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_RECOMPUTE, ""),
                                          NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION);
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", "[10, 20]"));
  g_assert_cmpuint (n_stale (f), >=, 2);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_STALE);
  g_assert_cmpuint (state_of (f, "w/read"), ==, FLOW_NODE_DONE);
  g_assert_cmpfloat (value_of (f, "loss/scaled:0", 0), ==, 0.5);

  state = move (f, FLOW_MOVE_RECOMPUTE, "");
  g_assert_cmpstr (name_of (f, state->next_node), ==, "loss/log");
  g_assert_cmpuint (state->n_stale, ==, 0);
  g_assert_nonnull (strstr (state->message, "kept what they had made"));
  g_assert_null (strstr (state->message, " 0 kept"));
  assert_value (f, "net/mul:0", G_MAXUINT64, 1, 20);
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 0, 200);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_DONE);

  /* The story as it was. */
  g_assert_cmpuint (state->n_pins, ==, 1);
  g_assert_cmpfloat (value_of (f, "loss/scaled:0@pin-1", 0), ==, 0.5);
  moments = call_value (f, "Moments", NULL);
  words = g_variant_print (moments, FALSE);
  g_assert_nonnull (strstr (words, "before net/mul:0 was replaced"));

  /* A second look back: the replaced value holds, steps back and forth are exact. */
  assert_move (f, FLOW_MOVE_RESTART, "", "run-start train@0 w");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/log", "step train@0 loss/log");
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 0, 200);
}

/* What executes after the replacement on stale values is stale as well. */
static void
test_spreads (Fixture      *f,
              gconstpointer data)
{
  guint before = 0;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/scaled", "step train@0 loss/scaled");
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", "[10, 20]"));
  before = n_stale (f);
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 loss/log");
  g_assert_cmpuint (n_stale (f), ==, before + 1);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_STALE);
  assert_move (f, FLOW_MOVE_RECOMPUTE, "", "step train@0 loss/log");
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 1, 800);
}

/* A variable is set after it was read, and written by the run: as if it had been so when it was read. */
static void
test_recompute_variable (Fixture      *f,
                         gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@0 train_op");
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 0.5);
  set_variable (f, "w", 8, 4);
  g_assert_cmpuint (state_of (f, "net/mul"), ==, FLOW_NODE_STALE);
  g_assert_cmpuint (state_of (f, "train/count"), ==, FLOW_NODE_DONE);
  assert_move (f, FLOW_MOVE_RECOMPUTE, "", "step train@0 train_op");
  assert_value (f, "net/mul:0", G_MAXUINT64, 0, 4);
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 4);
  g_assert_cmpfloat (variable (f, "w", "now", 1), ==, 3);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 1);
  g_assert_cmpfloat (variable (f, "w", "pin-1", 0), ==, 0.5);
}

/* Another number of rounds: the order of ops is another one, and what is left is computed. */
static void
test_recompute_loop (Fixture      *f,
                     gconstpointer data)
{
  choose (f, "loop");
  assert_move (f, FLOW_MOVE_RUN_TO, "l/out", "step loop@0 l/out");
  call_plain (f, "Override", g_variant_new ("(ss)", "l/five:0", "3"));
  g_assert_cmpuint (state_of (f, "l/w/add"), ==, FLOW_NODE_STALE);
  assert_move (f, FLOW_MOVE_RECOMPUTE, "", "step loop@0 l/out");
  assert_value (f, "l/w/Exit:0", G_MAXUINT64, 0, 3);
}

/* Between two runs: the next one reads the new value from its start, and what the last one made is what it made. */
static void
test_between_runs (Fixture      *f,
                   gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  set_variable (f, "w", 8, 4);
  g_assert_cmpuint (n_stale (f), ==, 0);
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/two", "step train@1 loss/two");
  g_assert_cmpuint (n_stale (f), ==, 0);
  assert_value (f, "net/mul:0", G_MAXUINT64, 0, 4);
}

/* In a run, and then on into the next. */
static void
test_across_runs (Fixture      *f,
                  gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/two", "step train@0 loss/two");
  set_variable (f, "w", 8, 4);
  g_assert_cmpuint (n_stale (f), >, 0);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  g_assert_cmpuint (n_stale (f), ==, 0);
}

/* What a variable was when earlier runs began. */
static void
test_variable_by_position (Fixture      *f,
                           gconstpointer data)
{
  g_autoptr(GVariant) points = NULL;
  g_autofree char *ref = NULL;
  guint64 position = 0;
  g_autoptr(GError) error = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@1 train_op");
  points = call_value (f, "History", g_variant_new ("(s)", "w:0"));
  g_assert_cmpuint (g_variant_n_children (points), >=, 2);
  g_variant_get_child (points, g_variant_n_children (points) - 2, "(txd)", &position, NULL, NULL);
  ref = g_strdup_printf ("var:w@%" G_GUINT64_FORMAT, position);
  g_assert_cmpfloat (value_of (f, ref, 0), ==, 0.5);
  g_assert_cmpfloat (value_of (f, "var:w", 0), ==, 0.25);
  g_assert_null (flow_debugger_call_sync (f->debugger, "Describe", g_variant_new ("(su)", "var:w@1", 0), NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION);
}

/* From further back its line goes on to where one came from, and each of its points can be looked at; after
 * an edit, what was ahead is another story. */
static void
test_variable_ahead (Fixture      *f,
                     gconstpointer data)
{
  static const double first[] = { 0.5, 0.25 };
  g_autoptr(GVariant) points = NULL;
  g_autoptr(GVariant) after = NULL;
  g_autoptr(FlowDebugState) state = NULL;
  guint64 end = 0;
  gsize n = 0;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  state = move (f, FLOW_MOVE_RUN_TO, "train_op");
  end = state->position;
  flow_debug_state_free (g_steal_pointer (&state));
  state = move (f, FLOW_MOVE_GOTO, "3");
  g_assert_cmpuint (state->position, ==, 3);
  points = call_value (f, "History", g_variant_new ("(s)", "w:0"));
  n = g_variant_n_children (points);
  g_assert_cmpuint (n, >=, 3);
  for (gsize i = n - 2; i < n; i++)
    {
      g_autofree char *ref = NULL;
      guint64 position = 0;

      g_variant_get_child (points, i, "(txd)", &position, NULL, NULL);
      ref = g_strdup_printf ("var:w@%" G_GUINT64_FORMAT, position);
      g_assert_cmpfloat (value_of (f, ref, 0), ==, first[i - (n - 2)]);
      if (i == n - 1)
        g_assert_cmpuint (position, ==, end);
    }
  set_variable (f, "w", 8, 4);
  after = call_value (f, "History", g_variant_new ("(s)", "w:0"));
  g_assert_cmpuint (g_variant_n_children (after), <, n);
}

static void
test_next_of_type (Fixture      *f,
                   gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_NEXT_OF_TYPE, "AssignAdd", "step train@0 train/update");
  assert_move (f, FLOW_MOVE_NEXT_OF_TYPE, "", "step train@0 train/count");
}

/* --- expressions ------------------------------------------------------------------------------------ */

static void
assert_expression (Fixture    *f,
                   const char *text,
                   double      expected)
{
  g_autofree char *ref = g_strconcat ("=", text, NULL);
  g_autoptr(GVariant) info = call_value (f, "Describe", g_variant_new ("(su)", ref, 0));
  const char *state = NULL;
  double mean = 0;

  g_assert_true (g_variant_lookup (info, "state", "&s", &state));
  g_assert_cmpstr (state, ==, "value");
  g_assert_true (g_variant_lookup (info, "mean", "d", &mean));
  if (ABS (mean - expected) > 1e-12)
    g_error ("%s is %.17g, not %.17g", text, mean, expected);
}

static void
assert_refused (Fixture    *f,
                const char *text)
{
  g_autofree char *ref = g_strconcat ("=", text, NULL);
  g_autoptr(GError) error = NULL;

  if (flow_debugger_call_sync (f->debugger, "Describe", g_variant_new ("(su)", ref, 0), NULL, NULL, &error) != NULL)
    g_error ("%s is taken", text);
  g_assert_true (g_error_matches (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT)
                 || g_error_matches (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND)
                 || g_error_matches (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE));
}

/* x = [0.5, 0.25], w = [1, 2]. */
static void
test_expressions (Fixture      *f,
                  gconstpointer data)
{
  static const struct {
    const char *text;
    double value;
  } rows[] = {
    { "1 + 2 * 3", 7 }, { "-2 ** 2", -4 }, { "2 ** -1", 0.5 }, { "7 // 2 - 7 % 4", 0 }, { "(1 + 2) * 3", 9 },
    { "8 / 4 / 2", 1 }, { "1e3", 1000 }, { "pi - pi", 0 },
    { "mean(net/mul:0)", 0.5 }, { "sum(`net/mul:0` + x)", 1.75 }, { "net/mul / 2", 0.25 }, { "x[0]", 0.5 }, { "x[-1]", 0.25 },
    { "x[::-1][0]", 0.25 }, { "size(x[1:])", 1 }, { "size(x[5:])", 0 }, { "max(w) - min(var:w)", 1 }, { "norm(w@now) ** 2", 5 },
    { "argmax(x)", 0 }, { "range(w)", 1 }, { "median(w)", 1.5 }, { "std(w)", 0.5 }, { "count(w > 1)", 1 },
    { "any(w > 1) and not all(w > 1)", 1 }, { "w == w and x < w or 1 > 2", 1 }, { "any(isnan(log(x - 1)))", 1 },
    { "rank(x) + size(x) + shape(x)[0]", 5 }, { "zeros(x - x)", 2 }, { "maximum(x, 0.3)", 0.4 }, { "abs(-w)", 1.5 },
    { "sum(w@run-start)", 3 }, { "mean(net/mul:0@pin-1)", 0.5 },
  };
  static const char *const refused[] = {
    "", "1 +", "(1", "x[", "x[0", "x[9]", "x[0,0]", "nothing:0", "frob(x)", "mean()", "mean(x, 1)", "1 2", "x[0.5]", "`w", "x[:] + shape()",
    "sum(w, x)", "x[::0]", "=w", "x @ w", "matmul(x, w)", "x[1:2:3:4]",
  };
  g_autoptr(GVariant) info = NULL;
  g_autofree char *deep = NULL;
  const char *state = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "net/square", "step train@0 net/square");
  call_plain (f, "Pin", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_expression (f, rows[i].text, rows[i].value);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_refused (f, refused[i]);
  deep = g_strnfill (3000, '(');
  assert_refused (f, deep);
  memset (deep, '-', 3000);
  assert_refused (f, deep);
  /* What is not computed yet has no value, which is no error. */
  info = call_value (f, "Describe", g_variant_new ("(su)", "=mean(net/square:0)", 0));
  g_assert_true (g_variant_lookup (info, "state", "&s", &state));
  g_assert_cmpstr (state, ==, "not computed");
}

static void
test_expressions_by_axis (Fixture      *f,
                          gconstpointer data)
{
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"m\", \"fetches\": [\"m/neg:0\"], \"feeds\": "
                                                 "{\"m/x:0\": {\"value\": [[1, 2, 3], [4, 5, 6]]}}}"));
  choose (f, "m");
  flow_debug_state_free (move (f, FLOW_MOVE_RUN, ""));
  assert_expression (f, "sum(m/x, 0)[2]", 9);
  assert_expression (f, "sum(m/x, -1)[1]", 15);
  assert_expression (f, "size(mean(m/x, 1))", 2);
  assert_expression (f, "m/x[1, ::2][1]", 6);
  assert_expression (f, "m/x[:, 1][0]", 2);
  assert_expression (f, "matmul(m/x, transpose(m/x))[1, 0]", 32);
  assert_expression (f, "(m/x - mean(m/x, 0))[1, 0]", 1.5);
  assert_expression (f, "all(m/x == -m/neg)", 1);
  assert_refused (f, "m/x + m/x[0, :2]");
}

static void
add_log (FlowDebugger *debugger,
         guint64       position,
         const char   *text,
         GString      *logged)
{
  g_string_append_printf (logged, "%s\n", text);
}

/* In conditions of breakpoints and watches, and in what log points say. */
static void
test_expressions_in_breakpoints (Fixture      *f,
                                 gconstpointer data)
{
  g_autoptr(GString) logged = g_string_new (NULL);
  g_autoptr(GError) error = NULL;

  g_signal_connect (f->debugger, "logged", G_CALLBACK (add_log), logged);
  choose (f, "train");
  add_breakpoint (f, "watch:w if (sum(value) < sum(old) - 0.9)");
  add_breakpoint (f, "type:Neg if (size(in0) == 2 * size(w) - 2 and mean(out0) == -mean(net/mul)) and iteration == 0");
  add_breakpoint (f, "after node:net/square if (sum(value) > 0.4) log {sum(in0)} and {max(w)} of {i}; {size(loss/worse)}");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint train@0 train/update");
  assert_move (f, FLOW_MOVE_RUN, "", "watchpoint train@0 train/one");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (logged->str, ==, "1 and 2 of 0; ?\n");
  g_signal_handlers_disconnect_by_data (f->debugger, logged);
  g_assert_null (flow_debugger_call_sync (f->debugger, "AddBreakpoint", g_variant_new ("(s)", "node:w if (mean(value) >"),
                                          NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
}

/* The spread of a value, and NaN and Inf in one word. */
static void
test_bad_and_range (Fixture      *f,
                    gconstpointer data)
{
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"m\", \"fetches\": [\"m/neg:0\"], \"feeds\": "
                                                 "{\"m/x:0\": {\"value\": [[1, \"NaN\", 3], [4, \"Infinity\", 6]]}}}"));
  choose (f, "m");
  add_breakpoint (f, "type:Neg if bad == 2 and range == 5");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint m@0 ");
}

static const struct {
  const char *name;
  void (*func) (Fixture *f, gconstpointer data);
} tests[] = {
  { "recompute", test_recompute },
  { "spreads", test_spreads },
  { "recompute-variable", test_recompute_variable },
  { "recompute-loop", test_recompute_loop },
  { "between-runs", test_between_runs },
  { "across-runs", test_across_runs },
  { "variable-by-position", test_variable_by_position },
  { "variable-ahead", test_variable_ahead },
  { "next-of-type", test_next_of_type },
  { "expressions", test_expressions },
  { "expressions-by-axis", test_expressions_by_axis },
  { "expressions-in-breakpoints", test_expressions_in_breakpoints },
  { "bad-and-range", test_bad_and_range },
};

guint
debugger_suite_add_edits (const char    *prefix,
                          DebuggerMaker  make)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat (prefix, "/edits/", tests[i].name, NULL);

      g_test_add (path, Fixture, (gconstpointer) make, set_up, tests[i].func, tear_down);
    }
  return G_N_ELEMENTS (tests);
}
