/* test-function.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run.h"
#include "flow-test-graph.h"

#include <string.h>

/* Functions of the library: run whole inside an op. */

typedef struct {
  FlowGraph *graph;
  FlowSession *session;
  FlowPlan *plan;
  FlowRun *run;
} Fixture;

static void
begin (Fixture    *f,
       const char *fetch)
{
  const char *none[] = { NULL };
  const char *fetches[] = { fetch, NULL };
  g_autoptr(GError) error = NULL;

  f->plan = flow_session_get_plan (f->session, none, fetches, none, NULL, &error);
  g_assert_no_error (error);
  f->run = flow_run_new (f->session, f->plan, NULL, &error);
  g_assert_no_error (error);
}

static void
open_graph (Fixture    *f,
            const char *text)
{
  f->graph = flow_test_graph (text);
  f->session = flow_session_new (f->graph, NULL);
}

static void
end (Fixture *f)
{
  flow_run_end (f->run);
  g_clear_pointer (&f->run, flow_run_unref);
  g_clear_pointer (&f->plan, flow_plan_unref);
}

static void
close_graph (Fixture *f)
{
  end (f);
  g_assert_finalize_object (f->session);
  g_object_unref (f->graph);
}

static FlowStepResult
run_all (Fixture  *f,
         GError  **error)
{
  FlowStepResult result;

  while ((result = flow_run_step (f->run, error)) == FLOW_STEP_DONE)
    ;
  return result;
}

static double
result_of (Fixture *f)
{
  g_autoptr(GError) error = NULL;
  FlowTensor *tensor = NULL;
  double value = 0;

  g_assert_cmpint (run_all (f, &error), ==, FLOW_STEP_FINISHED);
  g_assert_no_error (error);
  flow_run_get_fetches (f->run, &tensor, &error);
  g_assert_no_error (error);
  value = flow_tensor_get_double (tensor, 0);
  flow_tensor_unref (tensor);
  return value;
}

static void
assert_fails (const char *text,
              int         code,
              const char *message)
{
  Fixture f = { 0 };
  g_autoptr(GError) error = NULL;

  open_graph (&f, text);
  begin (&f, "y:0");
  g_assert_cmpint (run_all (&f, &error), ==, FLOW_STEP_FAILED);
  g_assert_error (error, FLOW_ERROR, code);
  g_assert_nonnull (strstr (error->message, message));
  close_graph (&f);
}

static void
test_whole (void)
{
  Fixture f = { 0 };

  open_graph (&f,
              "function g a:float -> b:float=twice:z:0\n"
              "  twice Add a a T=float\n"
              "end\n"
              "function h a:float -> b:float=sum:z:0\n"
              "  inner TestCall a f=@g\n"
              "  minus Neg inner:y:0 T=float\n"
              "  three Const dtype=float value=f:3\n"
              "  sum Add minus:y:0 three:output:0 T=float\n"
              "end\n"
              "x Const dtype=float value=f:5\n"
              "y TestCall x f=@h\n");
  for (int i = 0; i < 3; i++)
    {
      begin (&f, "y:0");
      g_assert_cmpfloat (result_of (&f), ==, -7);
      if (i < 2)
        end (&f);
    }
  close_graph (&f);
}

/* A function may hand an argument back, and need not execute anything. */
static void
test_identity (void)
{
  Fixture f = { 0 };

  open_graph (&f,
              "function g a:float -> b:float=a\n"
              "end\n"
              "x Const dtype=float value=f:5\n"
              "y TestCall x f=@g\n");
  begin (&f, "y:0");
  g_assert_cmpfloat (result_of (&f), ==, 5);
  close_graph (&f);
}

static const char counter_text[] =
  "function count a:float -> b:float=a\n"
  "  v VarHandleOp dtype=float shape=[] container=\"\" shared_name=\"v\"\n"
  "  add AssignAddVariableOp v:resource:0 a dtype=float\n"
  "end\n"
  "v VarHandleOp dtype=float shape=[] container=\"\" shared_name=\"v\"\n"
  "zero Const dtype=float value=f:0\n"
  "init AssignVariableOp v zero dtype=float\n"
  "x Const dtype=float value=f:5 ^init\n"
  "call TestCall x f=@count\n"
  "again TestCall call f=@count\n"
  "y ReadVariableOp v dtype=float ^again\n";

/* What a function writes is undone with the op that called it. */
static void
test_state (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowUndo) undo = flow_undo_new ();
  double values[32] = { 0 };
  guint64 marks[32] = { 0 };
  guint n = 0;

  open_graph (&f, counter_text);
  begin (&f, "y:0");
  flow_session_set_undo (f.session, undo);
  for (int turn = 0; turn < 2; turn++)
    {
      for (n = 0; ; n++)
        {
          FlowVariable *v = flow_session_find_variable (f.session, "v");
          double value = v != NULL && v->value != NULL ? flow_tensor_get_double (v->value, 0) : -1;

          if (turn == 1)
            g_assert_cmpfloat (value, ==, values[n]);
          values[n] = value;
          marks[n] = flow_undo_mark (undo);
          if (flow_run_step (f.run, NULL) != FLOW_STEP_DONE)
            break;
        }
      g_assert_cmpfloat (values[n], ==, 10);
      for (guint k = n; turn == 0 && k-- > 0;)
        {
          FlowVariable *v = NULL;

          flow_undo_rollback (undo, marks[k]);
          flow_run_forget_waits (f.run);
          v = flow_session_find_variable (f.session, "v");
          g_assert_cmpfloat (v != NULL && v->value != NULL ? flow_tensor_get_double (v->value, 0) : -1, ==, values[k]);
        }
    }
  flow_session_set_undo (f.session, NULL);
  close_graph (&f);
}

static void
test_errors (void)
{
  assert_fails ("x Const dtype=float value=f:5\n"
                "y TestCall x f=@nope\n", FLOW_ERROR_NOT_FOUND, "Function nope is not defined.");
  assert_fails ("function g a:float -> b:float=chk:output:0\n"
                "  zero Const dtype=float value=f:0\n"
                "  div RealDiv a zero:output:0 T=float\n"
                "  chk CheckNumerics div:z:0 T=float message=\"bad\"\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y TestCall x f=@g\n", FLOW_ERROR_INVALID_ARGUMENT,
                "bad : Tensor had Inf values\n\t [[{{node chk}}]]");
  assert_fails ("function g a:float -> b:float=again:y:0\n"
                "  again TestCall a f=@g\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y TestCall x f=@g\n", FLOW_ERROR_RESOURCE_EXHAUSTED, "deep");
  assert_fails ("function g a:int32 -> b:int32=a\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y TestCall x f=@g\n", FLOW_ERROR_INVALID_ARGUMENT, "Expects arg[0] to be int32 but float is provided");
  assert_fails ("function g a:float -> b:float=none:z:0\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y TestCall x f=@g\n", FLOW_ERROR_INVALID_ARGUMENT, "input none:z:0 is not found");
  assert_fails ("function g a:float -> b:float=x:z:0\n"
                "  x Nonsense a\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y TestCall x f=@g\n", FLOW_ERROR_NOT_FOUND, "Op type not registered 'Nonsense'");
  assert_fails ("function g a:float -> b:float=take:value:0\n"
                "  q TestQueue\n"
                "  take TestDequeue q:handle:0\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y TestCall x f=@g\n", FLOW_ERROR_FAILED_PRECONDITION, "has to wait");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/function/whole/value", test_whole);
  g_test_add_func ("/function/whole/identity", test_identity);
  g_test_add_func ("/function/whole/state", test_state);
  g_test_add_func ("/function/whole/errors", test_errors);
  return g_test_run ();
}
