/* debugger-suite.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-fixture.h"

#include <string.h>

/* --- tests ----------------------------------------------------------------------------------------- */

static void
test_open (Fixture      *f,
           gconstpointer data)
{
  g_autoptr(GVariant) runs = call_value (f, "ListRuns", NULL);
  g_autoptr(GVariant) first = g_variant_get_child_value (runs, 0);
  const char *name = NULL;

  g_assert_cmpuint (g_variant_n_children (runs), ==, 3);
  g_assert_true (g_variant_lookup (first, "name", "&s", &name));
  g_assert_cmpstr (name, ==, "init");
  for (gsize i = 0; i < 3; i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (runs, i);
      gboolean follows = FALSE;

      g_assert_true (g_variant_lookup (row, "follows", "b", &follows));
      g_assert_cmpint (follows, ==, i > 0);
    }
  g_assert_nonnull (flow_debugger_get_graph (f->debugger));
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_debugger_get_graph (f->debugger)), ==, 47);
}

static void
assert_run_files (Fixture    *f,
                  const char *expected)
{
  g_autoptr(GVariant) files = call_value (f, "ListRunFiles", NULL);
  g_autoptr(GString) names = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (files); i++)
    {
      const char *path = NULL;
      gboolean loaded = FALSE;
      g_autofree char *name = NULL;

      g_variant_get_child (files, i, "(&sb)", &path, &loaded);
      name = g_path_get_basename (path);
      g_string_append_printf (names, "%s%s%s", i > 0 ? " " : "", name, loaded ? "*" : "");
    }
  g_assert_cmpstr (names->str, ==, expected);
}

static guint
count_runs (Fixture *f)
{
  g_autoptr(GVariant) runs = call_value (f, "ListRuns", NULL);

  return (guint) g_variant_n_children (runs);
}

/* Every run file beside the graph is offered; what is saved is one of them from then on. */
static void
test_run_files (Fixture      *f,
                gconstpointer data)
{
  static const char other_text[] = "{\"graph\": \"model.pb\", \"runs\": [{\"name\": \"loop\", \"fetches\": [\"l/out:0\"]}]}";
  static const char strange_text[] = "{\"graph\": \"another.pb\", \"runs\": []}";
  g_autoptr(GBytes) other = g_bytes_new_static (other_text, strlen (other_text));
  g_autoptr(GBytes) strange = g_bytes_new_static (strange_text, strlen (strange_text));
  g_autofree char *model_path = path_in (f, "model.pb");
  g_autofree char *other_path = path_in (f, "loop.run.json");
  g_autofree char *strange_path = path_in (f, "strange.run.json");
  g_autofree char *saved_path = path_in (f, "saved.run.json");
  g_autoptr(GError) error = NULL;

  assert_run_files (f, "model.run.json*");
  write_file (other_path, other);
  write_file (strange_path, strange);
  assert_run_files (f, "loop.run.json model.run.json*");
  call_plain (f, "LoadRunFile", g_variant_new ("(s)", other_path));
  assert_run_files (f, "loop.run.json* model.run.json");
  g_assert_cmpuint (count_runs (f), ==, 1);
  g_assert_null (flow_debugger_call_sync (f->debugger, "LoadRunFile", g_variant_new ("(s)", strange_path), NULL, NULL,
                                          &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (count_runs (f), ==, 1);

  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"mine\", \"targets\": [\"init\"]}"));
  call_plain (f, "SaveRunFile", g_variant_new ("(s)", saved_path));
  assert_run_files (f, "loop.run.json model.run.json saved.run.json*");
  /* The graph by itself takes the first by name. */
  call_plain (f, "Open", g_variant_new ("(sa{sv})", model_path, NULL));
  assert_run_files (f, "loop.run.json* model.run.json saved.run.json");
  call_plain (f, "LoadRunFile", g_variant_new ("(s)", saved_path));
  g_assert_cmpuint (count_runs (f), ==, 2);
}

static void
test_plan (Fixture      *f,
           gconstpointer data)
{
  g_autoptr(GVariant) plan = call_value (f, "ChooseRun", g_variant_new ("(s)", "train"));
  g_autoptr(GVariant) nodes = g_variant_lookup_value (plan, "nodes", G_VARIANT_TYPE ("au"));
  g_autoptr(FlowDebuggerReply) why = NULL;
  g_auto(GStrv) missing = NULL;
  g_auto(GStrv) chain = NULL;
  gboolean in = FALSE;
  char *reason = NULL;

  g_assert_cmpuint (g_variant_n_children (nodes), ==, 13);
  g_assert_true (g_variant_lookup (plan, "uninitialized", "^as", &missing));
  g_assert_cmpuint (g_strv_length (missing), ==, 2);
  why = call (f, "Explain", g_variant_new ("(u)", flow_graph_find_node (flow_debugger_get_graph (f->debugger), "w/read")));
  g_variant_get (why->value, "(b^ass)", &in, &chain, &reason);
  g_assert_true (in);
  g_assert_cmpstr (chain[0], ==, "w/read");
  g_free (reason);
}

static void
test_step (Fixture      *f,
           gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 w/read");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 count");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 net/mul");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 net/square");
  assert_value (f, "net/mul:0", G_MAXUINT64, 1, 0.5);
  g_assert_cmpuint (state_of (f, "net/mul"), ==, FLOW_NODE_DONE);
  g_assert_cmpuint (state_of (f, "net/square"), ==, FLOW_NODE_NEXT);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_PENDING);
  g_assert_cmpuint (state_of (f, "l/zero"), ==, FLOW_NODE_NOT_IN_RUN);
  g_assert_cmpuint (state_of (f, "x"), ==, FLOW_NODE_FED);
  assert_move (f, FLOW_MOVE_BACK, "", "step train@0 net/mul");
  value_at (f, "net/mul:0", G_MAXUINT64, "not computed");
  g_assert_cmpuint (state_of (f, "net/mul"), ==, FLOW_NODE_NEXT);
  assert_value (f, "x:0", G_MAXUINT64, 0, 0.5);
}

static void
test_runs (Fixture      *f,
           gconstpointer data)
{
  choose (f, "train");
  g_assert_cmpfloat (variable (f, "w", "now", 1), ==, 2);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  /* What the run just ended showed is still in view. */
  assert_value (f, "net/mul:0", G_MAXUINT64, 0, 0.5);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 1);
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@1 w/read");
  g_assert_cmpfloat (variable (f, "w", "run-start", 0), ==, 0.5);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 l/zero");
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 3);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
  assert_move (f, FLOW_MOVE_RUN, "", "end loop@0 ");
  assert_value (f, "l/out:0", G_MAXUINT64, 0, 5);
}

static void
test_scopes (Fixture      *f,
             gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "net/mul", "step train@0 net/mul");
  assert_move (f, FLOW_MOVE_INTO, "net", "step train@0 net/mul");
  assert_move (f, FLOW_MOVE_OVER, "net", "step train@0 loss/two");
  assert_move (f, FLOW_MOVE_OVER_BACK, "net", "step train@0 net/mul");
  assert_move (f, FLOW_MOVE_OUT, "", "step train@0 loss/two");
  assert_move (f, FLOW_MOVE_INTO_BACK, "w", "step train@0 count");
  assert_move (f, FLOW_MOVE_INTO, "loss", "step train@0 loss/two");
  assert_move (f, FLOW_MOVE_LEAVE_SCOPE, "loss", "step train@0 train/delta");
}

static void
test_breakpoints (Fixture      *f,
                  gconstpointer data)
{
  guint id = 0;
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) list = NULL;

  choose (f, "train");
  id = add_breakpoint (f, "node:loss/scaled");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint train@0 loss/scaled");
  call_plain (f, "EnableBreakpoint", g_variant_new ("(ub)", id, FALSE));
  id = add_breakpoint (f, "after type:AssignAdd");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint train@0 train/one");
  assert_value (f, "train/update:0", G_MAXUINT64, 0, 0.5);
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "match:^net/s if max > 0.01 hit 2");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint train@2 loss/two");
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "watch:count");
  assert_move (f, FLOW_MOVE_RUN, "", "watchpoint train@2 train_op");
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "scope:loss");
  assert_move (f, FLOW_MOVE_CONTINUE_BACK, "", "breakpoint train@2 loss/two");
  assert_move (f, FLOW_MOVE_CONTINUE_BACK, "", "breakpoint train@1 loss/two");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  list = call_value (f, "ListBreakpoints", NULL);
  g_assert_cmpuint (g_variant_n_children (list), ==, 2);
  g_assert_null (flow_debugger_call_sync (f->debugger, "AddBreakpoint", g_variant_new ("(s)", "nod:x"), NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
}

/* Iteration 5 is the last; what comes up dead behind it is no hit. */
static void
test_breakpoint_in_loop (Fixture      *f,
                         gconstpointer data)
{
  choose (f, "loop");
  add_breakpoint (f, "node:l/w/add hit 5");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint loop@0 l/w/add");
  assert_value (f, "l/w/Identity:0", G_MAXUINT64, 0, 4);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
}

static void
logged_cb (FlowDebugger *debugger,
           guint64       position,
           const char   *text,
           GString      *log)
{
  g_string_append_printf (log, "%" G_GUINT64_FORMAT " %s;", position, text);
}

static void
test_log_point (Fixture      *f,
                gconstpointer data)
{
  GString *log = g_string_new (NULL);

  choose (f, "train");
  g_signal_connect (f->debugger, "logged", G_CALLBACK (logged_cb), log);
  add_breakpoint (f, "after node:train/count log counted");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (log->str, ==, "19 counted;");
  g_signal_handlers_disconnect_by_data (f->debugger, log);
  g_string_free (log, TRUE);
}

static void
test_bad_value (Fixture      *f,
                gconstpointer data)
{
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"zero\", \"fetches\": [\"loss/log:0\"], "
                                                 "\"feeds\": {\"x:0\": {\"zeros\": [2]}}}"));
  choose (f, "train");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 w/read");
  choose (f, "zero");
  assert_move (f, FLOW_MOVE_NEXT_BAD_VALUE, "", "bad-value zero@0 ");
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 0, 0);
}

/* A feed of the wrong shape: the op fails, the state before it is alive, a new value makes it go on. */
static void
test_error_and_retry (Fixture      *f,
                      gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;

  choose (f, "train");
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"bad\", \"fetches\": [\"loss/log:0\"], "
                                                 "\"feeds\": {\"x:0\": {\"ones\": [3]}}}"));
  choose (f, "bad");
  state = move (f, FLOW_MOVE_RUN, "");
  g_assert_cmpint (state->status, ==, FLOW_DEBUG_FAILED);
  g_assert_cmpint (state->reason, ==, FLOW_STOP_ERROR);
  g_assert_cmpint (state->error_code, ==, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (name_of (f, state->next_node), ==, "net/mul");
  g_assert_true (g_str_has_prefix (state->message, "Incompatible shapes: [3] vs. [2]\n\t [[{{node net/mul}}]]"));
  g_assert_cmpuint (state_of (f, "net/mul"), ==, FLOW_NODE_FAILED);
  assert_value (f, "w/read:0", G_MAXUINT64, 1, 2);
  assert_move (f, FLOW_MOVE_RETRY, "", "error bad@0 net/mul");
  call_plain (f, "Override", g_variant_new ("(ss)", "x:0", "[1, 3]"));
  assert_move (f, FLOW_MOVE_RETRY, "", "step bad@0 net/square");
  assert_value (f, "net/mul:0", G_MAXUINT64, 1, 6);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end bad@0 ");
}

/* Other feeds: the run begins again with them. */
static void
test_edit_feeds (Fixture      *f,
                 gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "net/square", "step train@0 net/square");
  assert_value (f, "net/mul:0", G_MAXUINT64, 0, 0.5);
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"train\", \"targets\": [\"train_op\"], "
                                                 "\"fetches\": [\"loss/log:0\"], \"feeds\": {\"x:0\": [4, 5]}}"));
  assert_move (f, FLOW_MOVE_RESTART, "", "run-start train@0 w");
  assert_move (f, FLOW_MOVE_RUN_TO, "net/square", "step train@0 net/square");
  assert_value (f, "net/mul:0", G_MAXUINT64, 1, 10);
  /* Without a feed the run cannot even begin; with one it can. */
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"train\", \"targets\": [\"train_op\"], "
                                                 "\"feeds\": {\"x:0\": {\"npy\": \"missing.npy\"}}}"));
  assert_move (f, FLOW_MOVE_RESTART, "", "error train@0 ");
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"train\", \"targets\": [\"train_op\"], "
                                                 "\"feeds\": {\"x:0\": [1, 1]}}"));
  assert_move (f, FLOW_MOVE_RESTART, "", "run-start train@0 w");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 l/zero");
}

static void
test_loop (Fixture      *f,
           gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;
  g_autoptr(GVariant) history = NULL;

  choose (f, "loop");
  assert_move (f, FLOW_MOVE_RUN_TO, "l/w/add", "step loop@0 l/w/add");
  assert_move (f, FLOW_MOVE_NEXT_ITERATION, "", "step loop@0 l/w/Merge");
  assert_move (f, FLOW_MOVE_RUN_TO, "l/w/add", "step loop@0 l/w/add");
  state = move (f, FLOW_MOVE_STEP_OP, "");
  g_assert_cmpint (state->iteration, ==, 1);
  g_assert_cmpstr (state->frame, ==, ";0;lw");
  assert_value (f, "l/w/add:0", G_MAXUINT64, 0, 2);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
  history = call_value (f, "History", g_variant_new ("(s)", "l/w/add:0"));
  g_assert_cmpuint (g_variant_n_children (history), ==, 5);
}

static void
assert_loops (Fixture    *f,
              const char *expected)
{
  g_autoptr(GVariant) loops = call_value (f, "Loops", NULL);
  g_autofree char *text = g_variant_print (loops, FALSE);

  g_assert_cmpstr (text, ==, expected);
}

/* To any iteration: ahead what is between is run, what was executed is gone to; a loop that was left too. */
static void
test_iterations (Fixture      *f,
                 gconstpointer data)
{
  g_autoptr(FlowDebugState) ahead = NULL;
  g_autoptr(FlowDebugState) back = NULL;
  g_autoptr(FlowDebugState) again = NULL;

  choose (f, "loop");
  assert_move (f, FLOW_MOVE_RUN_TO, "l/w/add", "step loop@0 l/w/add");
  assert_loops (f, "[('lw', 0, 0)]");
  ahead = move (f, FLOW_MOVE_TO_ITERATION, "3");
  g_assert_cmpint (ahead->iteration, ==, 3);
  g_assert_cmpstr (ahead->frame, ==, ";0;lw");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step loop@0 l/w/Less");
  assert_loops (f, "[('lw', 3, 3)]");
  back = move (f, FLOW_MOVE_TO_ITERATION, "1");
  g_assert_cmpint (back->iteration, ==, 1);
  g_assert_cmpuint (back->position, <, ahead->position);
  assert_loops (f, "[('lw', 0, 3)]");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
  again = move (f, FLOW_MOVE_TO_ITERATION, "3 lw");
  g_assert_cmpuint (again->position, ==, ahead->position);
  g_assert_cmpint (again->iteration, ==, 3);
}

static void
collect_values (Fixture   *f,
                GPtrArray *values)
{
  g_ptr_array_add (values, g_strdup_printf ("%g %g %g", variable (f, "w", "now", 0), variable (f, "w", "now", 1),
                                            variable (f, "count", "now", 0)));
}

/* Positions visited in any order, also without history, give the same values. */
static void
visit_positions (Fixture *f,
                 guint64  limit)
{
  static const guint order[] = { 40, 3, 22, 0, 47, 1, 30, 12, 45, 9, 33, 18 };
  g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  choose (f, "init");
  for (guint k = 0; k <= 47; k++)
    {
      collect_values (f, values);
      if (k < 47)
        flow_debug_state_free (move (f, FLOW_MOVE_STEP_OP, ""));
    }
  if (limit > 0)
    call_plain (f, "SetHistoryLimit", g_variant_new ("(t)", limit));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autofree char *position = g_strdup_printf ("%u", order[i]);
      g_autoptr(FlowDebugState) state = move (f, FLOW_MOVE_GOTO, position);

      g_assert_cmpuint (state->position, ==, order[i]);
      collect_values (f, values);
      g_assert_cmpstr (g_ptr_array_index (values, values->len - 1), ==, g_ptr_array_index (values, order[i]));
    }
}

static void
test_goto (Fixture      *f,
           gconstpointer data)
{
  visit_positions (f, 0);
}

static void
assert_no_move (Fixture      *f,
                FlowMovement  movement,
                const char   *argument)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowDebugState) state = NULL;
  guint64 position = 0;

  state = flow_debugger_dup_state (f->debugger);
  position = state->position;
  g_assert_null (flow_debugger_call_sync (f->debugger, "Move", g_variant_new ("(us)", (guint) movement, argument), NULL,
                                          NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_pointer (&state, flow_debug_state_free);
  state = flow_debugger_dup_state (f->debugger);
  g_assert_cmpuint (state->position, ==, position);
}

/* What is no number moves nobody: -4 is not a place far ahead, as strtoull() has it. */
static void
test_no_places (Fixture      *f,
                gconstpointer data)
{
  static const char *const not_numbers[] = { "-4", "x", "4x", "0x4", "99999999999999999999999", " 4" };
  static const char *const not_counts[] = { "net/mul hit -1", "net/mul hit 0", "net/mul hit x", "net/mul every -2" };

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/two", "step train@0 loss/two");
  for (guint i = 0; i < G_N_ELEMENTS (not_numbers); i++)
    {
      assert_no_move (f, FLOW_MOVE_GOTO, not_numbers[i]);
      assert_no_move (f, FLOW_MOVE_SKIP_RUNS, not_numbers[i]);
      assert_no_move (f, FLOW_MOVE_TO_ITERATION, not_numbers[i]);
    }
  assert_no_move (f, FLOW_MOVE_GOTO, "");
  for (guint i = 0; i < G_N_ELEMENTS (not_counts); i++)
    {
      g_autofree char *text = g_strconcat ("before node:", not_counts[i], NULL);
      g_autoptr(GError) error = NULL;

      g_assert_null (flow_debugger_call_sync (f->debugger, "AddBreakpoint", g_variant_new ("(s)", text), NULL, NULL, &error));
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
    }
}

/* A plan says when it was made: before a run and at its start the position may be the same. */
static void
test_plan_moment (Fixture      *f,
                  gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(GVariant) plan = call_value (f, "Plan", g_variant_new ("(s)", "train"));
      gboolean begun = i == 0;
      g_autoptr(FlowDebugState) state = flow_debugger_dup_state (f->debugger);
      guint64 position = G_MAXUINT64;

      g_assert_true (g_variant_lookup (plan, "begun", "b", &begun));
      g_assert_cmpint (begun, ==, i == 1);
      g_assert_true (g_variant_lookup (plan, "position", "t", &position));
      g_assert_cmpuint (position, ==, state->position);
      choose (f, "train");
    }
}

static void
test_recompute (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;

  visit_positions (f, 100);
  state = flow_debugger_dup_state (f->debugger);
  g_assert_cmpuint (state->exact_from, >, 0);
}

static void
test_variables (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) row = NULL;
  g_autoptr(GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowDebuggerReply) reply = NULL;
  const char *writer = NULL;
  gboolean changed = FALSE;
  double change = 0;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@0 train_op");
  rows = call_value (f, "Variables", NULL);
  g_assert_cmpuint (g_variant_n_children (rows), ==, 2);
  row = g_variant_get_child_value (rows, 0);
  g_assert_true (g_variant_lookup (row, "writer", "&s", &writer));
  g_assert_cmpstr (writer, ==, "train/update");
  g_assert_true (g_variant_lookup (row, "changed", "b", &changed));
  g_assert_true (changed);
  g_assert_true (g_variant_lookup (row, "max_abs_change", "d", &change));
  g_assert_cmpfloat (change, ==, 0.5);
  g_ptr_array_add (tensors, flow_tensor_new_float (7));
  reply = flow_debugger_call_sync (f->debugger, "SetVariable", g_variant_new ("(s)", "count"), tensors, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 7);
  assert_move (f, FLOW_MOVE_BACK, "", "step train@0 train/count");
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 0);
}

static void
test_stale (Fixture      *f,
            gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/two", "step train@0 loss/two");
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", "[10, 10]"));
  g_assert_cmpuint (state_of (f, "net/square"), ==, FLOW_NODE_STALE);
  g_assert_cmpuint (state_of (f, "w/read"), ==, FLOW_NODE_DONE);
  assert_move (f, FLOW_MOVE_RUN_TO, "train/update", "step train@0 train/update");
  /* Consumers that had not run yet read the new value. */
  assert_value (f, "train/delta:0", G_MAXUINT64, 0, -10);
}

static void
test_checkpoint (Fixture      *f,
                 gconstpointer data)
{
  g_autofree char *prefix = path_in (f, "saved.ckpt");
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) match = NULL;
  g_autoptr(GVariant) row = NULL;
  g_auto(GStrv) matched = NULL;
  double max_abs = 0;

  choose (f, "train");
  call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", prefix));
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  match = call_value (f, "MatchCheckpoint", g_variant_new ("(s)", prefix));
  g_assert_true (g_variant_lookup (match, "matched", "^as", &matched));
  g_assert_cmpuint (g_strv_length (matched), ==, 2);
  rows = call_value (f, "RestoreCheckpoint",
                     g_variant_new ("(s@a{ss}@as)", prefix, g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0),
                                    g_variant_new_strv (NULL, 0)));
  g_assert_cmpuint (g_variant_n_children (rows), ==, 2);
  row = g_variant_get_child_value (rows, 0);
  g_assert_true (g_variant_lookup (row, "max_abs", "d", &max_abs));
  g_assert_cmpfloat (max_abs, ==, 0.5);
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 1);
  g_assert_cmpfloat (variable (f, "w", "before-restore", 0), ==, 0.5);
}

static void
test_initialize (Fixture      *f,
                 gconstpointer data)
{
  call_plain (f, "InitializeVariables", NULL);
  g_assert_cmpfloat (variable (f, "w", "now", 1), ==, 2);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 0);
}

static void
stored_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

/* A loop without an end: paused, it answers; stopped, it is gone; within a second each. */
static void
test_pause_and_stop (Fixture      *f,
                     gconstpointer data)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(FlowDebugState) state = NULL;
  g_autoptr(GError) error = NULL;
  gint64 began = 0;

  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"endless\", \"fetches\": [\"e/Exit:0\"]}"));
  choose (f, "endless");
  flow_debugger_move_async (f->debugger, FLOW_MOVE_RUN, "", NULL, stored_cb, &result);
  for (began = g_get_monotonic_time (); g_get_monotonic_time () - began < 50000;)
    g_main_context_iteration (NULL, FALSE);
  /* What only looks is answered meanwhile. */
  g_assert_cmpuint (state_of (f, "e/zero"), ==, FLOW_NODE_DONE);
  g_assert_null (result);
  began = g_get_monotonic_time ();
  flow_debugger_pause (f->debugger);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_get_monotonic_time () - began, <, G_USEC_PER_SEC);
  state = flow_debugger_move_finish (f->debugger, result, &error);
  g_assert_no_error (error);
  g_assert_cmpint (state->reason, ==, FLOW_STOP_PAUSE);
  g_assert_cmpint (state->iteration, >, 1);
  g_clear_object (&result);
  flow_debugger_move_async (f->debugger, FLOW_MOVE_RUN, "", NULL, stored_cb, &result);
  call_plain (f, "Stop", NULL);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_clear_pointer (&state, flow_debug_state_free);
  state = flow_debugger_dup_state (f->debugger);
  g_assert_cmpint (state->status, ==, FLOW_DEBUG_FINISHED);
}

static void
stopped_cb (FlowDebugger   *debugger,
            FlowDebugState *state,
            guint          *n)
{
  (*n)++;
}

static void
test_signals (Fixture      *f,
              gconstpointer data)
{
  guint n_stopped = 0;

  choose (f, "train");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_signal_connect (f->debugger, "stopped", G_CALLBACK (stopped_cb), &n_stopped);
  for (guint i = 0; i < 5; i++)
    flow_debug_state_free (move (f, FLOW_MOVE_STEP_OP, ""));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (n_stopped, ==, 5);
  g_signal_handlers_disconnect_by_data (f->debugger, &n_stopped);
}

static void
test_bad_calls (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (flow_debugger_call_sync (f->debugger, "Nonsense", NULL, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED);
  g_clear_error (&error);
  g_assert_null (flow_debugger_call_sync (f->debugger, "Move", g_variant_new ("(s)", "x"), NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (flow_debugger_call_sync (f->debugger, "ChooseRun", g_variant_new ("(s)", "nope"), NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (flow_debugger_call_sync (f->debugger, "Open", g_variant_new ("(sa{sv})", "/does/not/exist.pb", NULL),
                                          NULL, NULL, &error));
  g_assert_nonnull (error);
}

/* An event file opens as its graph; its series stand beside it. */
static void
test_series (Fixture      *f,
             gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "events",
                                                 "events.out.tfevents.1700000000.recorded", NULL);
  g_autoptr(GVariant) none = call_value (f, "Series", NULL);
  g_autoptr(GVariant) series = NULL;
  g_autoptr(GVariant) first = NULL;
  g_autoptr(GVariant) points = NULL;
  g_autoptr(GVariant) few = NULL;
  g_autoptr(GError) error = NULL;
  const char *tag = NULL;
  guint32 n = 0;
  gint64 step = 0;
  double time = 0;
  double value = 0;

  g_assert_cmpuint (g_variant_n_children (none), ==, 0);
  call_plain (f, "Open", g_variant_new ("(sa{sv})", path, NULL));
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_debugger_get_graph (f->debugger)), ==, 62);
  series = call_value (f, "Series", NULL);
  g_assert_cmpuint (g_variant_n_children (series), ==, 8);
  first = g_variant_get_child_value (series, 0);
  g_assert_true (g_variant_lookup (first, "tag", "&s", &tag));
  g_assert_cmpstr (tag, ==, "loss_summary");
  g_assert_true (g_variant_lookup (first, "n", "u", &n));
  g_assert_cmpuint (n, ==, 8);
  points = call_value (f, "SeriesPoints", g_variant_new ("(su)", tag, 100));
  g_assert_cmpuint (g_variant_n_children (points), ==, 8);
  g_variant_get_child (points, 0, "(xdd)", &step, &time, &value);
  g_assert_cmpint (step, ==, 1);
  g_assert_cmpfloat (value, ==, 7.5);
  /* Fewer than there are: the least and the greatest of each stretch. */
  few = call_value (f, "SeriesPoints", g_variant_new ("(su)", tag, 4));
  g_assert_cmpuint (g_variant_n_children (few), ==, 4);
  g_assert_null (flow_debugger_call_sync (f->debugger, "SeriesPoints", g_variant_new ("(su)", "nope", 10), NULL, NULL,
                                          &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
}

/* Pictures and histograms of an event file are values like others; histograms over steps share one range. */
static void
test_series_values (Fixture      *f,
                    gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "events",
                                                 "events.out.tfevents.1700000000.recorded", NULL);
  static const char *const refused[] = {
    "series:image:picture/image/0", "series:image:picture/image/0@99", "series:nothing:x@0", "series:", "series:image:no@0",
  };
  g_autoptr(GVariant) steps = NULL;
  g_autoptr(GVariant) picture = NULL;
  g_autoptr(GVariant) histogram = NULL;
  g_autoptr(GVariant) words = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(FlowDebuggerReply) reply = NULL;
  const char *dtype = NULL;
  double low = 0;
  double high = 0;
  double total = 0;
  double counted = 0;
  gint64 n = 0;

  call_plain (f, "Open", g_variant_new ("(sa{sv})", path, NULL));
  steps = call_value (f, "SeriesSteps", g_variant_new ("(ss)", "image", "picture/image/0"));
  g_assert_cmpuint (g_variant_n_children (steps), >=, 2);
  picture = call_value (f, "Describe", g_variant_new ("(su)", "series:image:picture/image/0@1", 0));
  g_assert_true (g_variant_lookup (picture, "dtype", "&s", &dtype));
  g_assert_cmpstr (dtype, ==, "uint8");
  g_assert_true (g_variant_lookup (picture, "n_elements", "x", &n));
  g_assert_cmpint (n, >, 0);
  histogram = call_value (f, "Describe", g_variant_new ("(su)", "=sum(`series:histogram:x_summary@0`, 0)[2]", 0));
  g_assert_true (g_variant_lookup (histogram, "mean", "d", &total));
  words = call_value (f, "Describe", g_variant_new ("(su)", "series:tensor:whole@0", 0));
  g_assert_true (g_variant_lookup (words, "n_elements", "x", &n));
  reply = call (f, "SeriesHistograms", g_variant_new ("(su)", "x_summary", 100));
  g_variant_get (reply->value, "(dd@a(xdad))", &low, &high, &rows);
  g_assert_cmpfloat (low, <, high);
  g_assert_cmpuint (g_variant_n_children (rows), >=, 2);
  {
    g_autoptr(GVariant) bins = NULL;
    gint64 step = 0;
    double values = 0;

    g_variant_get_child (rows, 0, "(xd@ad)", &step, &values, &bins);
    g_assert_cmpint (step, ==, 1);
    g_assert_cmpfloat (values, ==, total);
    for (gsize i = 0; i < g_variant_n_children (bins); i++)
      {
        double bin = 0;

        g_variant_get_child (bins, i, "d", &bin);
        counted += bin;
      }
    g_assert_cmpfloat (ABS (counted - total), <, 1e-9 * total);
  }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (flow_debugger_call_sync (f->debugger, "Describe", g_variant_new ("(su)", refused[i], 0), NULL, NULL,
                                              &error));
      g_assert_nonnull (error);
    }
}

static const struct {
  const char *name;
  void (*func) (Fixture *f, gconstpointer data);
} tests[] = {
  { "open", test_open },
  { "run-files", test_run_files },
  { "plan", test_plan },
  { "step", test_step },
  { "runs", test_runs },
  { "scopes", test_scopes },
  { "breakpoints", test_breakpoints },
  { "breakpoint-in-loop", test_breakpoint_in_loop },
  { "log-point", test_log_point },
  { "bad-value", test_bad_value },
  { "error-and-retry", test_error_and_retry },
  { "edit-feeds", test_edit_feeds },
  { "loop", test_loop },
  { "iterations", test_iterations },
  { "goto", test_goto },
  { "no-places", test_no_places },
  { "plan-moment", test_plan_moment },
  { "recompute", test_recompute },
  { "variables", test_variables },
  { "stale", test_stale },
  { "checkpoint", test_checkpoint },
  { "initialize", test_initialize },
  { "pause-and-stop", test_pause_and_stop },
  { "signals", test_signals },
  { "bad-calls", test_bad_calls },
  { "series", test_series },
  { "series-values", test_series_values },
};

guint
debugger_suite_add (const char    *prefix,
                    DebuggerMaker  make)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat (prefix, "/", tests[i].name, NULL);

      g_test_add (path, Fixture, (gconstpointer) make, set_up, tests[i].func, tear_down);
    }
  return G_N_ELEMENTS (tests) + debugger_suite_add_values (prefix, make) + debugger_suite_add_functions (prefix, make)
         + debugger_suite_add_edits (prefix, make);
}
