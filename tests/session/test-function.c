/* test-function.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function.h"
#include "flow-run.h"
#include "flow-test-graph.h"

#include <string.h>

/* Functions of the library: run whole inside an op, and stepped into. */

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

/* The nodes as they execute, with what they do to calls: '>' calls, '<' gives what came back, '~' goes round. */
static char *
trace (Fixture    *f,
       const char *fetch,
       guint       limit)
{
  GString *text = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;

  begin (f, fetch);
  for (guint i = 0; i < limit && (result = flow_run_step (f->run, &error)) == FLOW_STEP_DONE; i++)
    {
      static const char marks[] = { ' ', '>', '~', '<' };
      const FlowRunStep *step = flow_run_get_last (f->run);

      g_string_append_printf (text, "%s%c", flow_graph_get_node_name (f->graph, step->node), marks[step->phase]);
      if (*step->frame != '\0')
        g_string_append_printf (text, "[%s %d] ", step->frame, (int) step->iteration);
    }
  g_assert_no_error (error);
  return text->len > 0 ? g_string_free (text, FALSE) : (g_string_free (text, TRUE), NULL);
}

static const char while_text[] =
  "function more i:int32 -> b:bool=less:z:0\n"
  "  three Const dtype=int32 value=i:2\n"
  "  less Less i three:output:0 T=int32\n"
  "end\n"
  "function again i:int32 -> j:int32=add:z:0\n"
  "  one Const dtype=int32 value=i:1\n"
  "  add Add i one:output:0 T=int32\n"
  "end\n"
  "zero Const dtype=int32 value=i:0\n"
  "loop While zero T=types:int32 cond=@more body=@again\n"
  "y Identity loop T=int32\n";

static void
test_while (void)
{
  Fixture f = { 0 };
  g_autofree char *text = NULL;
  FlowTensor *tensor = NULL;

  open_graph (&f, while_text);
  text = trace (&f, "y:0", 100);
  g_assert_cmpstr (text, ==,
                   "zero loop>"
                   "loop/cond/three [;0;loop 0] loop/cond/less [;0;loop 0] loop/body/one [;0;loop 0] loop/body/add [;0;loop 0] "
                   "loop/cond/three [;0;loop 1] loop/cond/less [;0;loop 1] loop/body/one [;0;loop 1] loop/body/add [;0;loop 1] "
                   "loop/cond/three [;0;loop 2] loop/cond/less [;0;loop 2] loop<y ");
  g_assert_true (flow_run_get_fetches (f.run, &tensor, NULL));
  g_assert_cmpint (flow_tensor_get_int (tensor, 0), ==, 2);
  flow_tensor_unref (tensor);
  close_graph (&f);
}

/* A node whose type is a function's name; a name that is taken already. */
static void
test_call (void)
{
  Fixture f = { 0 };
  g_autofree char *text = NULL;

  open_graph (&f,
              "function g a:float -> b:float=twice:z:0\n"
              "  twice Add a a T=float\n"
              "end\n"
              "function h a:float -> b:float=second:b:0\n"
              "  first g a\n"
              "  second g first:b:0\n"
              "end\n"
              "x Const dtype=float value=f:5\n"
              "y h x\n"
              "y/twice Neg y T=float\n");
  text = trace (&f, "y/twice:0", 100);
  g_assert_cmpstr (text, ==, "x y>y/call/first>[;0;y 0] y/call/first/twice [;0;y;0;first 0] y/call/first<[;0;y 0] "
                   "y/call/second>[;0;y 0] y/call/second/twice [;0;y;0;second 0] y/call/second<[;0;y 0] y<y/twice ");
  g_assert_cmpuint (flow_graph_get_n_nodes (f.graph), ==, 3);
  g_assert_cmpuint (flow_graph_find_node (f.graph, "y/twice"), ==, 2);
  close_graph (&f);
}

/* An op of a function waits; the graph's own ops go on, and then it does. */
static void
test_waiting (void)
{
  Fixture f = { 0 };
  g_autofree char *text = NULL;
  g_autoptr(GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint32));

  open_graph (&f,
              "function take q:resource -> v:float=take:value:0\n"
              "  take TestDequeue q\n"
              "end\n"
              "q TestQueue\n"
              "got take q\n"
              "x Const dtype=float value=f:4\n"
              "put TestEnqueue q x\n"
              "y Identity got T=float ^put\n");
  text = trace (&f, "y:0", 3);
  g_assert_cmpstr (text, ==, "q got>x ");
  g_assert_cmpstr (flow_run_get_wait_text (f.run), ==, "queue q, 0 of 1");
  g_assert_cmpuint (flow_run_list_waiting (f.run, ready), ==, 1);
  g_assert_cmpstr (flow_graph_get_node_name (f.graph, g_array_index (ready, guint32, 0)), ==, "got/take");
  g_assert_cmpfloat (result_of (&f), ==, 4);
  close_graph (&f);
}

/* Values in a body are overridden by name, and the live ones are seen. */
static void
count_live (guint32     node,
            gint32      slot,
            FlowTensor *tensor,
            gpointer    data)
{
  if (flow_node_is_in_body (node))
    (*(guint *) data)++;
}

static void
test_values (void)
{
  Fixture f = { 0 };
  FlowEndpoint twice = { 0 };
  g_autoptr(FlowTensor) value = flow_tensor_new_float (7);
  g_autofree char *text = NULL;
  guint n = 0;

  open_graph (&f,
              "function g a:float -> b:float=neg:y:0\n"
              "  twice Add a a T=float\n"
              "  neg Neg twice:z:0 T=float\n"
              "end\n"
              "x Const dtype=float value=f:5\n"
              "y PartitionedCall x Tin=types:float Tout=types:float f=@g\n");
  text = trace (&f, "y:0", 3);
  g_assert_cmpstr (text, ==, "x y>y/twice [;0;y 0] ");
  flow_run_foreach_live (f.run, count_live, &n);
  g_assert_cmpuint (n, >, 0);
  g_assert_true (flow_graph_parse_endpoint (f.graph, "y/twice:0", &twice, NULL));
  g_assert_true (flow_node_is_in_body (twice.node));
  g_assert_cmpuint (flow_graph_get_outer_node (f.graph, twice.node), ==, 1);
  g_assert_true (flow_run_override (f.run, twice.node, 0, value, NULL));
  g_assert_cmpfloat (result_of (&f), ==, -7);
  end (&f);
  begin (&f, "y:0");
  g_assert_cmpfloat (result_of (&f), ==, -10);
  g_assert_true (flow_graph_parse_endpoint (f.graph, "y/a:0", &twice, NULL));
  close_graph (&f);
}

static void
test_stepped_errors (void)
{
  assert_fails ("x Const dtype=float value=f:5\n"
                "y PartitionedCall x Tin=types:float Tout=types:float f=@nope\n",
                FLOW_ERROR_INVALID_ARGUMENT, "Failed to find function \"nope\" in function library: \n\t [[{{node y}}]]");
  assert_fails ("i Const dtype=int32 value=i:0\n"
                "x Const dtype=float value=f:5\n"
                "y For i i i x T=types:float body=@nope\n",
                FLOW_ERROR_NOT_FOUND, "Function nope is not defined.\n\t [[{{node y}}]]");
  /* A function that calls itself, and two that call one another. */
  assert_fails ("function g a:float -> b:float=again:b:0\n"
                "  again g a\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y g x\n", FLOW_ERROR_RESOURCE_EXHAUSTED, "deep");
  assert_fails ("function g a:float -> b:float=other:output:0\n"
                "  other PartitionedCall a Tin=types:float Tout=types:float f=@h\n"
                "end\n"
                "function h a:float -> b:float=other:output:0\n"
                "  other PartitionedCall a Tin=types:float Tout=types:float f=@g\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y g x\n", FLOW_ERROR_RESOURCE_EXHAUSTED, "deep");
  assert_fails ("function g a:float -> b:float=twice:z:0\n"
                "  twice Add a a T=float\n"
                "end\n"
                "gradient g g2\n"
                "function g2 a:float d:float -> b:float=again:output:0\n"
                "  again SymbolicGradient a d Tin=types:float,float Tout=types:float f=@g\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y SymbolicGradient x x Tin=types:float,float Tout=types:float f=@g\n",
                FLOW_ERROR_RESOURCE_EXHAUSTED, "deep");
  assert_fails ("function g a:float -> b:float=a\n"
                "end\n"
                "function t a:float -> b:bool=yes:output:0\n"
                "  yes Const dtype=bool value=b:1\n"
                "end\n"
                "x Const dtype=float value=f:5\n"
                "y PartitionedCall x Tin=types:float Tout=types:float f=@t\n",
                FLOW_ERROR_INTERNAL, "Expect 0-th output is of type float but get bool");
}

/* A loop without an op in it never ends by itself: each turn is a step, so it can be cancelled. */
static void
test_endless (void)
{
  Fixture f = { 0 };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;

  open_graph (&f,
              "function yes b:bool -> c:bool=b\n"
              "end\n"
              "function same b:bool -> c:bool=b\n"
              "end\n"
              "x Const dtype=bool value=b:1\n"
              "y While x T=types:bool cond=@yes body=@same\n");
  begin (&f, "y:0");
  flow_run_set_cancellable (f.run, cancellable);
  for (int i = 0; i < 1000; i++)
    g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_DONE);
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_FAILED);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_CANCELLED);
  close_graph (&f);
}

/* Each function calls the next one twice: as many call chains as no machine has room for. */
static void
test_explosion (void)
{
  Fixture f = { 0 };
  GString *text = g_string_new ("function f0 a:float -> b:float=twice:z:0\n  twice Add a a T=float\nend\n");
  g_autoptr(GError) error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;

  for (int i = 1; i < 40; i++)
    {
      g_string_append_printf (text, "function f%d a:float -> b:float=last:z:0\n", i);
      for (int k = 0; k < 200; k++)
        g_string_append_printf (text, "  c%d f%d a\n", k, i - 1);
      g_string_append (text, "  last Add c0:b:0 c199:b:0 T=float ^c1 ^c2 ^c3\nend\n");
    }
  g_string_append (text, "x Const dtype=float value=f:5\ny f39 x\n");
  open_graph (&f, text->str);
  g_string_free (text, TRUE);
  begin (&f, "y:0");
  for (int i = 0; i < 3000000 && result == FLOW_STEP_DONE; i++)
    result = flow_run_step (f.run, &error);
  g_assert_cmpint (result, ==, FLOW_STEP_FAILED);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  close_graph (&f);
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
  g_test_add_func ("/function/stepped/while", test_while);
  g_test_add_func ("/function/stepped/call", test_call);
  g_test_add_func ("/function/stepped/waiting", test_waiting);
  g_test_add_func ("/function/stepped/values", test_values);
  g_test_add_func ("/function/stepped/errors", test_stepped_errors);
  g_test_add_func ("/function/stepped/endless", test_endless);
  g_test_add_func ("/function/stepped/explosion", test_explosion);
  return g_test_run ();
}
