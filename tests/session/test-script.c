/* test-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run.h"
#include "flow-session.h"
#include "flow-test-graph.h"

#include <string.h>

/* Functions of the script that made a graph: with somebody who runs them, and without. */

static const char graph_text[] =
  "x Const dtype=float value=f:3\n"
  "n Const dtype=int32 value=i:2\n"
  "py PyFunc x n token=\"pyfunc_0\" Tin=types:float,int32 Tout=types:float,float\n"
  "sum Add py py:1 T=float\n";

typedef struct {
  const char *behaviour;
  guint n_calls;
  guint n_freed;
} Script;

static void
script_cb (FlowScriptCall *call,
           gpointer        data)
{
  Script *script = data;
  g_autoptr (GPtrArray) inputs = flow_script_call_dup_inputs (call);
  g_autoptr (FlowTensor) first = NULL;
  g_autoptr (FlowTensor) second = NULL;

  script->n_calls++;
  g_assert_cmpstr (flow_script_call_get_token (call), ==, "pyfunc_0");
  g_assert_cmpstr (flow_script_call_get_node_name (call), ==, "py");
  g_assert_cmpstr (flow_script_call_get_op_type (call), ==, "PyFunc");
  g_assert_cmpint (flow_script_call_get_n_outputs (call), ==, 2);
  g_assert_cmpint (flow_script_call_get_output_dtype (call, 1), ==, FLOW_DTYPE_FLOAT);
  g_assert_cmpuint (inputs->len, ==, 2);
  first = flow_tensor_new_float ((float) flow_tensor_get_double (inputs->pdata[0], 0) * 10);
  second = g_str_equal (script->behaviour, "wrong dtype") ? flow_tensor_new_int32 (1)
           : flow_tensor_new_float ((float) flow_tensor_get_int (inputs->pdata[1], 0));
  flow_script_call_add_output (call, first);
  if (!g_str_equal (script->behaviour, "too few"))
    flow_script_call_add_output (call, second);
  if (g_str_equal (script->behaviour, "raises"))
    flow_script_call_fail (call, FLOW_ERROR_INVALID_ARGUMENT, "ValueError: no");
}

static void
script_freed_cb (gpointer data)
{
  ((Script *) data)->n_freed++;
}

static GPtrArray *
run_sum (FlowSession  *session,
         GError      **error)
{
  const char *fetches[] = { "sum:0", NULL };
  const char *none[] = { NULL };
  g_autoptr (GPtrArray) values = g_ptr_array_new ();

  return flow_session_run (session, none, values, fetches, none, 0, NULL, error);
}

static void
test_runs (void)
{
  g_autoptr (FlowGraph) graph = flow_test_graph (graph_text);
  FlowSession *session = flow_session_new (graph, NULL);
  g_autoptr (GPtrArray) fetched = NULL;
  g_autoptr (GError) error = NULL;
  Script script = { "gives" };

  flow_session_set_script (session, script_cb, &script, script_freed_cb);
  fetched = run_sum (session, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (flow_tensor_get_double (fetched->pdata[0], 0), ==, 32);
  g_assert_cmpuint (script.n_calls, ==, 1);
  g_assert_cmpuint (script.n_freed, ==, 0);
  g_object_unref (session);
  g_assert_cmpuint (script.n_freed, ==, 1);
}

static void
check_fails (const char *behaviour,
             int         code,
             const char *words)
{
  g_autoptr (FlowGraph) graph = flow_test_graph (graph_text);
  g_autoptr (FlowSession) session = flow_session_new (graph, NULL);
  g_autoptr (GPtrArray) fetched = NULL;
  g_autoptr (GError) error = NULL;
  Script script = { behaviour };

  if (behaviour != NULL)
    flow_session_set_script (session, script_cb, &script, NULL);
  fetched = run_sum (session, &error);
  g_assert_error (error, FLOW_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_test_fail_printf ("\"%s\" is not in \"%s\"", words, error->message);
}

static void
test_fails (void)
{
  check_fails ("too few", FLOW_ERROR_INVALID_ARGUMENT, "pyfunc_0 returns 1 values, but expects to see 2 values.");
  check_fails ("wrong dtype", FLOW_ERROR_INVALID_ARGUMENT, "1-th value returned by pyfunc_0 is int32, but expects float");
  check_fails ("raises", FLOW_ERROR_INVALID_ARGUMENT, "ValueError: no");
}

static void
test_nobody (void)
{
  check_fails (NULL, FLOW_ERROR_INVALID_ARGUMENT, "ValueError: callback pyfunc_0 is not found");
  check_fails (NULL, FLOW_ERROR_INVALID_ARGUMENT, "Override the outputs of py and go on.");
}

/* The way out: whoever says what all outputs are needs nobody to compute them. */
static void
check_override (const char *text,
                guint       n_overridden,
                gboolean    goes_on)
{
  const char *none[] = { NULL };
  const char *fetches[] = { "sum:0", NULL };
  g_autoptr (FlowGraph) graph = flow_test_graph (text);
  g_autoptr (FlowSession) session = flow_session_new (graph, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) sum = NULL;
  FlowPlan *plan = flow_session_get_plan (session, none, fetches, none, NULL, &error);
  FlowRun *run = flow_run_new (session, plan, NULL, &error);
  FlowStepResult result;

  g_assert_no_error (error);
  for (guint i = 0; i < n_overridden; i++)
    {
      g_autoptr (FlowTensor) value = flow_tensor_new_float ((float) (i + 1) * 7);

      flow_run_override (run, flow_graph_find_node (graph, "py"), (gint32) i, value, NULL);
    }
  g_assert_cmpint (flow_run_prepare_kernels (run, NULL), ==, goes_on || strstr (text, "PyFunc") != NULL);
  do
    result = flow_run_step (run, &error);
  while (result == FLOW_STEP_DONE);
  if (goes_on)
    {
      g_assert_no_error (error);
      flow_run_get_fetches (run, &sum, &error);
      g_assert_cmpfloat (flow_tensor_get_double (sum, 0), ==, 21);
    }
  else
    g_assert_cmpint (result, ==, FLOW_STEP_FAILED);
  flow_run_end (run);
  flow_run_unref (run);
  flow_plan_unref (plan);
}

static void
test_override (void)
{
  g_autofree char *custom = g_strdup ("x Const dtype=float value=f:3\n"
                                      "py NobodyHasThis x T=float\n"
                                      "sum Add py py:1 T=float\n");

  check_override (graph_text, 2, TRUE);
  check_override (graph_text, 1, FALSE);
  check_override (custom, 2, TRUE);
  check_override (custom, 0, FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/session/script/runs", test_runs);
  g_test_add_func ("/session/script/fails", test_fails);
  g_test_add_func ("/session/script/nobody", test_nobody);
  g_test_add_func ("/session/script/override", test_override);
  return g_test_run ();
}
