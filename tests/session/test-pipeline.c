/* test-pipeline.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run.h"
#include "flow-test-graph.h"

#include <string.h>

/* Ops of input pipelines that have to wait: parked, and done once another run has brought what they wait
 * for. TensorFlow cannot be asked: it would wait for ever. */

static const char reader_text[] =
  "q FIFOQueueV2 component_types=types:string\n"
  "r IdentityReaderV2\n"
  "read ReaderReadV2 r q\n"
  "name Const dtype=string value=s:file\n"
  "bring QueueEnqueueV2 q name Tcomponents=types:string\n"
  "out Identity read:1 T=string\n";

static const char stage_text[] =
  "x Const dtype=float value=f:7\n"
  "out Unstage dtypes=types:float shared_name=\"area\"\n"
  "bring Stage x dtypes=types:float shared_name=\"area\"\n";

static const char full_stage_text[] =
  "x Const dtype=float value=f:7\n"
  "first Stage x dtypes=types:float shared_name=\"area\" capacity=n:1\n"
  "second Stage x dtypes=types:float shared_name=\"area\" capacity=n:1\n"
  "bring Unstage dtypes=types:float shared_name=\"area\" capacity=n:1\n"
  "out StageSize dtypes=types:float shared_name=\"area\" capacity=n:1 ^second\n";

static const char accumulator_text[] =
  "a ConditionalAccumulator dtype=float shape=[]\n"
  "one Const dtype=int32 value=i:1\n"
  "zero Const dtype=int32 value=i:0\n"
  "step Cast zero SrcT=int32 DstT=int64\n"
  "x Const dtype=float value=f:7\n"
  "bring AccumulatorApplyGradient a step x dtype=float\n"
  "out AccumulatorTakeGradient a one dtype=float\n";

static const char barrier_text[] =
  "b Barrier component_types=types:float shapes=shapes:[]\n"
  "one Const dtype=int32 value=i:1\n"
  "name Const dtype=string value=s:key\n"
  "x Const dtype=float value=f:7\n"
  "axis Const dtype=int32 value=i:0\n"
  "keys ExpandDims name axis T=string\n"
  "values ExpandDims x axis T=float\n"
  "bring BarrierInsertMany b keys values T=float component_index=n:0\n"
  "take BarrierTakeMany b one component_types=types:float\n"
  "out Identity take:2 T=float\n";

static const char handle_text[] =
  "x Const dtype=float value=f:7\n"
  "keep GetSessionHandle x T=float\n"
  "handle Placeholder dtype=string\n"
  "out GetSessionTensor handle dtype=float\n"
  "drop DeleteSessionTensor handle\n";

static FlowRun *
begin (FlowSession *session,
       const char  *feed,
       FlowTensor  *value,
       const char  *fetch,
       const char  *target)
{
  const char *feeds[] = { feed, NULL };
  const char *fetches[] = { fetch, NULL };
  const char *targets[] = { target, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowPlan) plan = flow_session_get_plan (session, feeds, fetches, targets, NULL, &error);
  FlowRun *run;

  g_assert_no_error (error);
  run = flow_run_new (session, plan, &value, &error);
  g_assert_no_error (error);
  return run;
}

static FlowStepResult
go (FlowRun *run)
{
  g_autoptr (GError) error = NULL;
  FlowStepResult result;

  while ((result = flow_run_step (run, &error)) == FLOW_STEP_DONE)
    ;
  g_assert_no_error (error);
  return result;
}

static void
do_target (FlowSession *session,
           const char  *target)
{
  FlowRun *run = begin (session, NULL, NULL, NULL, target);

  g_assert_cmpint (go (run), ==, FLOW_STEP_FINISHED);
  flow_run_end (run);
  flow_run_unref (run);
}

/* Fetching out:0 waits, with @words, until the target "bring" was run. */
static FlowTensor *
wait_and_bring (const char *text,
                const char *before,
                const char *words)
{
  g_autoptr (FlowGraph) graph = flow_test_graph (text);
  g_autoptr (FlowSession) session = flow_session_new (graph, NULL);
  g_autoptr (GError) error = NULL;
  FlowTensor *out = NULL;
  FlowRun *run;

  if (before != NULL)
    do_target (session, before);
  run = begin (session, NULL, NULL, "out:0", NULL);
  g_assert_cmpint (go (run), ==, FLOW_STEP_WAITING);
  g_assert_nonnull (strstr (flow_run_get_wait_text (run), words));
  do_target (session, "bring");
  g_assert_cmpint (go (run), ==, FLOW_STEP_FINISHED);
  flow_run_get_fetches (run, &out, &error);
  g_assert_no_error (error);
  flow_run_end (run);
  flow_run_unref (run);
  return out;
}

static void
test_reader (void)
{
  g_autoptr (FlowTensor) out = wait_and_bring (reader_text, NULL, "no file name");
  gsize length;
  const char *text = flow_tensor_get_string (out, 0, &length);

  g_assert_cmpmem (text, length, "file", 4);
}

static void
test_stage (void)
{
  g_autoptr (FlowTensor) out = wait_and_bring (stage_text, NULL, "empty");

  g_assert_cmpfloat (flow_tensor_get_double (out, 0), ==, 7);
}

static void
test_full_stage (void)
{
  g_autoptr (FlowTensor) out = wait_and_bring (full_stage_text, "first", "full");

  g_assert_cmpint (flow_tensor_get_int (out, 0), ==, 1);
}

static void
test_accumulator (void)
{
  g_autoptr (FlowTensor) out = wait_and_bring (accumulator_text, NULL, "0 of 1 gradients");

  g_assert_cmpfloat (flow_tensor_get_double (out, 0), ==, 7);
}

static void
test_barrier (void)
{
  g_autoptr (FlowTensor) out = wait_and_bring (barrier_text, NULL, "0 of 1 elements");

  g_assert_cmpfloat (flow_tensor_get_double (out, 0), ==, 7);
}

static FlowTensor *
fetch (FlowSession *session,
       FlowTensor  *handle,
       const char  *name,
       GError     **error)
{
  FlowRun *run = begin (session, handle != NULL ? "handle:0" : NULL, handle, name, NULL);
  FlowTensor *out = NULL;
  FlowStepResult result;

  while ((result = flow_run_step (run, error)) == FLOW_STEP_DONE)
    ;
  if (result == FLOW_STEP_FINISHED)
    flow_run_get_fetches (run, &out, error);
  flow_run_end (run);
  flow_run_unref (run);
  return out;
}

/* What one run keeps the next gets, until it is dropped. */
static void
test_handle (void)
{
  g_autoptr (FlowGraph) graph = flow_test_graph (handle_text);
  g_autoptr (FlowSession) session = flow_session_new (graph, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) handle = fetch (session, NULL, "keep:0", &error);
  g_autoptr (FlowTensor) out = NULL;
  FlowRun *run;

  g_assert_no_error (error);
  out = fetch (session, handle, "out:0", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (flow_tensor_get_double (out, 0), ==, 7);
  run = begin (session, "handle:0", handle, NULL, "drop");
  g_assert_cmpint (go (run), ==, FLOW_STEP_FINISHED);
  flow_run_end (run);
  flow_run_unref (run);
  g_assert_null (fetch (session, handle, "out:0", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/pipeline/waits/reader", test_reader);
  g_test_add_func ("/pipeline/waits/stage", test_stage);
  g_test_add_func ("/pipeline/waits/full-stage", test_full_stage);
  g_test_add_func ("/pipeline/waits/accumulator", test_accumulator);
  g_test_add_func ("/pipeline/waits/barrier", test_barrier);
  g_test_add_func ("/pipeline/session-handle", test_handle);
  return g_test_run ();
}
