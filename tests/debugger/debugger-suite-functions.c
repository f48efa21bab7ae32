/* debugger-suite-functions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-fixture.h"

#include "flow-model.h"
#include "flow-test-graph.h"

/* Functions in a debugger: into a call, over it, out of it, and back again; every debugger must pass. */

static const char graph_text[] =
  "function inner a:float -> b:float=twice:z:0\n"
  "  twice Add a a T=float\n"
  "end\n"
  "function outer a:float -> b:float=sum:z:0\n"
  "  first Square a T=float\n"
  "  call inner first:y:0\n"
  "  sum Add call:b:0 a T=float\n"
  "end\n"
  "function more i:int32 -> b:bool=less:z:0\n"
  "  two Const dtype=int32 value=i:2\n"
  "  less Less i two:output:0 T=int32\n"
  "end\n"
  "function again i:int32 -> j:int32=add:z:0\n"
  "  one Const dtype=int32 value=i:1\n"
  "  add Add i one:output:0 T=int32\n"
  "end\n"
  "function log a:float -> b:float=checked:output:0\n"
  "  log Log a T=float\n"
  "  checked CheckNumerics log:y:0 T=float message=\"bad\"\n"
  "end\n"
  "x Const dtype=float value=f:3\n"
  "y outer x\n"
  "z Neg y T=float\n"
  "zero Const dtype=int32 value=i:0\n"
  "loop While zero T=types:int32 cond=@more body=@again\n"
  "n Identity loop T=int32\n"
  "minus Const dtype=float value=f:-1\n"
  "fails log minus\n";

static void
open_functions (Fixture    *f,
                const char *run)
{
  g_autoptr(FlowGraph) graph = flow_test_graph (graph_text);
  g_autofree char *path = path_in (f, "functions.pb");
  g_autofree char *run_json = g_strdup_printf ("{\"name\": \"go\", \"fetches\": [\"%s\"]}", run);
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = flow_graph_to_bytes (graph, &error);

  g_assert_no_error (error);
  write_file (path, bytes);
  call_plain (f, "Open", g_variant_new ("(sa{sv})", path, NULL));
  call_plain (f, "SetRun", g_variant_new ("(s)", run_json));
  choose (f, "go");
}

/* Moves; `reason node op [frame iteration]`. */
static void
assert_at (Fixture     *f,
           FlowMovement movement,
           const char  *argument,
           const char  *expected)
{
  g_autoptr(FlowDebugState) state = move (f, movement, argument);
  g_autofree char *text = g_strdup_printf ("%s %s %s [%s %d]", flow_stop_reason_name (state->reason),
                                           name_of (f, state->next_node), state->op != NULL ? state->op : "-", state->frame,
                                           (int) state->iteration);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_into (Fixture      *f,
           gconstpointer data)
{
  open_functions (f, "z:0");
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step y - [ 0]");
  assert_at (f, FLOW_MOVE_INTO, "", "step y y/first [;0;y 0]");
  g_assert_cmpuint (state_of (f, "y"), ==, FLOW_NODE_NEXT);
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step y y/call [;0;y 0]");
  assert_value (f, "y/first:0", G_MAXUINT64, 0, 9);
  assert_value (f, "y/a:0", G_MAXUINT64, 0, 3);
  assert_at (f, FLOW_MOVE_INTO, "", "step y y/call/twice [;0;y;0;call 0]");
  assert_at (f, FLOW_MOVE_OUT, "", "step y y/call [;0;y 0]");
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step y y/sum [;0;y 0]");
  assert_value (f, "y/call:0", G_MAXUINT64, 0, 18);
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step y - [ 0]");
  value_at (f, "y:0", G_MAXUINT64, "not computed");
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step z - [ 0]");
  assert_value (f, "y:0", G_MAXUINT64, 0, 21);
  g_assert_cmpuint (state_of (f, "y"), ==, FLOW_NODE_DONE);
}

static void
test_back (Fixture      *f,
           gconstpointer data)
{
  open_functions (f, "z:0");
  assert_at (f, FLOW_MOVE_RUN_TO, "z", "step z - [ 0]");
  assert_at (f, FLOW_MOVE_INTO_BACK, "", "step y - [ 0]");
  assert_at (f, FLOW_MOVE_BACK, "", "step y y/sum [;0;y 0]");
  value_at (f, "y/sum:0", G_MAXUINT64, "not computed");
  assert_value (f, "y/call:0", G_MAXUINT64, 0, 18);
  assert_at (f, FLOW_MOVE_OVER_BACK, "", "step y y/call [;0;y 0]");
  assert_at (f, FLOW_MOVE_BACK, "", "step y y/first [;0;y 0]");
  assert_at (f, FLOW_MOVE_BACK, "", "step y - [ 0]");
  assert_at (f, FLOW_MOVE_OVER, "", "step z - [ 0]");
  assert_at (f, FLOW_MOVE_OVER_BACK, "", "step y - [ 0]");
  assert_at (f, FLOW_MOVE_BACK, "", "start x - [ 0]");
  assert_at (f, FLOW_MOVE_RUN_TO, "z", "step z - [ 0]");
  assert_value (f, "y:0", G_MAXUINT64, 0, 21);
}

static void
test_over (Fixture      *f,
           gconstpointer data)
{
  open_functions (f, "z:0");
  assert_at (f, FLOW_MOVE_RUN_TO, "y", "step y - [ 0]");
  assert_at (f, FLOW_MOVE_OVER, "y", "step z - [ 0]");
  assert_at (f, FLOW_MOVE_OVER_BACK, "y", "step y - [ 0]");
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step y y/first [;0;y 0]");
  assert_at (f, FLOW_MOVE_OVER, "", "step y y/call [;0;y 0]");
  assert_at (f, FLOW_MOVE_OVER, "", "step y y/sum [;0;y 0]");
}

static void
test_break (Fixture      *f,
            gconstpointer data)
{
  open_functions (f, "z:0");
  /* Before the body is there. */
  add_breakpoint (f, "before node:y/call/twice");
  add_breakpoint (f, "after node:y/sum");
  add_breakpoint (f, "before node:y");
  assert_at (f, FLOW_MOVE_RUN, "", "breakpoint y - [ 0]");
  assert_at (f, FLOW_MOVE_RUN, "", "breakpoint y y/call/twice [;0;y;0;call 0]");
  assert_at (f, FLOW_MOVE_RUN, "", "breakpoint y - [ 0]");
  assert_at (f, FLOW_MOVE_CONTINUE_BACK, "", "breakpoint y y/call/twice [;0;y;0;call 0]");
  assert_at (f, FLOW_MOVE_RESTART, "", "run-start x - [ 0]");
  assert_at (f, FLOW_MOVE_RUN_TO, "y/call", "breakpoint y - [ 0]");
  assert_at (f, FLOW_MOVE_RUN_TO, "y/call", "step y y/call [;0;y 0]");
}

static void
test_loop (Fixture      *f,
           gconstpointer data)
{
  open_functions (f, "n:0");
  assert_at (f, FLOW_MOVE_RUN_TO, "loop/body/add", "step loop loop/body/add [;0;loop 0]");
  assert_at (f, FLOW_MOVE_NEXT_ITERATION, "", "step loop loop/cond/two [;0;loop 1]");
  assert_at (f, FLOW_MOVE_RUN_TO, "loop/body/add", "step loop loop/body/add [;0;loop 1]");
  assert_value (f, "loop/body/i:0", G_MAXUINT64, 0, 1);
  assert_at (f, FLOW_MOVE_OUT, "", "step loop - [ 0]");
  assert_at (f, FLOW_MOVE_STEP_OP, "", "step n - [ 0]");
  assert_value (f, "loop:0", G_MAXUINT64, 0, 2);
  assert_at (f, FLOW_MOVE_OVER_BACK, "", "step loop - [ 0]");
  assert_at (f, FLOW_MOVE_OVER, "", "step n - [ 0]");
}

static void
test_error (Fixture      *f,
            gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;

  open_functions (f, "fails:0");
  state = move (f, FLOW_MOVE_RUN, "");
  g_assert_cmpint (state->reason, ==, FLOW_STOP_ERROR);
  g_assert_cmpint (state->error_code, ==, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_true (g_str_has_prefix (state->message, "[_Derived_]bad : Tensor had NaN values\n\t [[{{node checked}}]]\n\t [[fails]]"));
  g_assert_cmpstr (name_of (f, state->next_node), ==, "fails");
  g_assert_cmpstr (state->op, ==, "fails/checked");
  g_assert_cmpuint (state_of (f, "fails"), ==, FLOW_NODE_FAILED);
  assert_at (f, FLOW_MOVE_BACK, "", "step fails fails/log [;0;fails 0]");
  /* Another value, and on. */
  call_plain (f, "Override", g_variant_new ("(ss)", "fails/log:0", "2.5"));
  assert_at (f, FLOW_MOVE_RUN, "", "run-end  - [ 0]");
  assert_value (f, "fails:0", G_MAXUINT64, 0, 2.5);
}

static const struct {
  const char *name;
  void (*func) (Fixture *f, gconstpointer data);
} tests[] = {
  { "into", test_into },
  { "back", test_back },
  { "over", test_over },
  { "break", test_break },
  { "loop", test_loop },
  { "error", test_error },
};

guint
debugger_suite_add_functions (const char    *prefix,
                              DebuggerMaker  make)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat (prefix, "/functions/", tests[i].name, NULL);

      g_test_add (path, Fixture, (gconstpointer) make, set_up, tests[i].func, tear_down);
    }
  return G_N_ELEMENTS (tests);
}
