/* test-stepper.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stepper.h"
#include "flow-test-graph.h"

#include <string.h>

/* Run a takes from one queue and puts into the other; run b the other way round: neither ends alone. */
static const char two_runs_graph[] =
  "p TestQueue\n"
  "q TestQueue\n"
  "a/x Const dtype=float value=f:3\n"
  "a/put TestEnqueue p a/x\n"
  "a/take TestDequeue q ^a/put\n"
  "a/out Neg a/take T=float\n"
  "b/take TestDequeue p\n"
  "b/square Square b/take T=float\n"
  "b/put TestEnqueue q b/square\n"
  "b/again TestDequeue p ^b/put\n"
  "c/put TestEnqueue p a/x\n";

static const char two_runs[] =
  "{\"graph\": \"-\", \"runs\": ["
  "{\"name\": \"a\", \"fetches\": [\"a/out:0\"]}, "
  "{\"name\": \"b\", \"fetches\": [\"b/again:0\"]}, "
  "{\"name\": \"c\", \"targets\": [\"c/put\"]}]}";

static const char effect_graph[] =
  "v VariableV2 dtype=float shape=[] container=\"\" shared_name=\"\"\n"
  "v/zero Const dtype=float value=f:0\n"
  "v/Assign Assign v v/zero T=float validate_shape=t:1 use_locking=t:1\n"
  "e TestEffect\n"
  "add AssignAdd v e T=float use_locking=t:0\n"
  "after Neg add T=float\n";

static const char effect_runs[] =
  "{\"graph\": \"-\", \"runs\": ["
  "{\"name\": \"init\", \"targets\": [\"v/Assign\"]}, "
  "{\"name\": \"add\", \"repeat\": 2, \"fetches\": [\"after:0\"]}]}";

static FlowStepper *
make_stepper (const char *graph_text,
              const char *runs)
{
  g_autoptr(FlowGraph) graph = flow_test_graph (graph_text);
  g_autoptr(FlowSession) session = flow_session_new (graph, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowRunFile) file = flow_run_file_parse (runs, -1, NULL, &error);
  FlowStepper *stepper = NULL;

  g_assert_no_error (error);
  stepper = flow_stepper_new (session, file);
  flow_stepper_start (stepper, &error);
  g_assert_no_error (error);
  return stepper;
}

static void
step_to_end (FlowStepper *stepper,
             GString     *order,
             GArray      *states)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  g_autoptr(GError) error = NULL;
  FlowStepResult result = FLOW_STEP_DONE;

  for (;;)
    {
      guint64 hash = flow_stepper_hash_state (stepper);

      if (states != NULL)
        g_array_append_val (states, hash);
      result = flow_stepper_step (stepper, &error);
      if (result != FLOW_STEP_DONE)
        break;
      if (order != NULL)
        g_string_append_printf (order, "%s ", flow_graph_get_node_name (graph,
                                flow_stepper_get_event (stepper, flow_stepper_get_position (stepper) - 1)->node));
    }
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, FLOW_STEP_FINISHED);
}

static void
test_two_runs (void)
{
  g_autoptr(FlowStepper) stepper = make_stepper (two_runs_graph, two_runs);
  g_autoptr(GArray) states = g_array_new (FALSE, FALSE, sizeof (guint64));
  GString *first = g_string_new (NULL);
  GString *again = g_string_new (NULL);
  FlowListedRun *run = NULL;

  step_to_end (stepper, first, states);
  g_assert_cmpstr (first->str, ==, "p q a/x a/put p q b/take b/square b/put a/take a/out p a/x c/put b/again ");
  run = flow_run_list_get_run (flow_stepper_get_list (stepper), 0);
  g_assert_cmpfloat (flow_tensor_get_double (run->fetched[0], 0), ==, -9);
  while (flow_stepper_get_position (stepper) > 0)
    {
      g_assert_true (flow_stepper_back (stepper, NULL));
      g_assert_cmpuint (flow_stepper_hash_state (stepper), ==,
                        g_array_index (states, guint64, (guint) flow_stepper_get_position (stepper)));
    }
  step_to_end (stepper, again, NULL);
  g_assert_cmpstr (again->str, ==, first->str);
  run = flow_run_list_get_run (flow_stepper_get_list (stepper), 1);
  g_assert_cmpfloat (flow_tensor_get_double (run->fetched[0], 0), ==, 3);
  g_string_free (first, TRUE);
  g_string_free (again, TRUE);
}

/* Where a node was executed is known of the story that holds, not of one that was left. */
static void
test_index (void)
{
  g_autoptr(FlowStepper) stepper = make_stepper (two_runs_graph, two_runs);
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  guint32 p = flow_graph_find_node (graph, "p");
  guint32 q = flow_graph_find_node (graph, "q");
  guint32 put = flow_graph_find_node (graph, "c/put");
  const GArray *positions = NULL;

  step_to_end (stepper, NULL, NULL);
  positions = flow_stepper_list_events_of (stepper, p);
  g_assert_cmpuint (positions->len, ==, 3);
  g_assert_cmpuint (g_array_index (positions, guint64, 0), ==, 0);
  g_assert_cmpuint (g_array_index (positions, guint64, 1), ==, 4);
  g_assert_cmpuint (g_array_index (positions, guint64, 2), ==, 11);
  g_assert_cmpuint (flow_stepper_find_event (stepper, p, 4), ==, 0);
  while (flow_stepper_get_position (stepper) > 0)
    g_assert_true (flow_stepper_back (stepper, NULL));
  /* Known, though it lies ahead. */
  g_assert_cmpuint (flow_stepper_find_event (stepper, p, G_MAXUINT64), ==, 11);
  g_assert_cmpint (flow_stepper_begin_entry (stepper, 2, NULL), ==, FLOW_STEP_DONE);
  step_to_end (stepper, NULL, NULL);
  g_assert_cmpuint (flow_stepper_get_event (stepper, 1)->node, !=, q);
  g_assert_cmpuint (flow_stepper_find_event (stepper, q, 2), ==, G_MAXUINT64);
  g_assert_cmpuint (flow_stepper_find_event (stepper, put, G_MAXUINT64), <, flow_stepper_get_position (stepper));
}

/* What happened outside does not happen again, however often it is stepped over or computed again. */
static void
test_effects (void)
{
  g_autoptr(FlowStepper) stepper = make_stepper (effect_graph, effect_runs);
  guint before = flow_test_get_n_effects ();
  guint64 end = 0;
  guint64 hash = 0;
  g_autoptr(GError) error = NULL;

  step_to_end (stepper, NULL, NULL);
  end = flow_stepper_get_position (stepper);
  hash = flow_stepper_hash_state (stepper);
  g_assert_cmpuint (flow_test_get_n_effects (), ==, before + 2);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (flow_stepper_goto (stepper, 0, &error));
      g_assert_true (flow_stepper_goto (stepper, end, &error));
      g_assert_cmpuint (flow_stepper_hash_state (stepper), ==, hash);
      /* The second and third time from a snapshot. */
      flow_stepper_set_limit (stepper, 1);
    }
  g_assert_cmpuint (flow_test_get_n_effects (), ==, before + 2);
}

/* A variable that a person set stays set when its position is passed again. */
static void
test_edit (void)
{
  g_autoptr(FlowStepper) stepper = make_stepper (effect_graph, effect_runs);
  g_autoptr(FlowTensor) value = flow_tensor_new_float (100);
  g_autoptr(FlowTensor) after = NULL;
  g_autoptr(FlowTensor) again = NULL;
  g_autoptr(GError) error = NULL;
  guint64 end = 0;

  g_assert_true (flow_stepper_goto (stepper, 3, &error));
  g_assert_true (flow_stepper_set_variable (stepper, "v", value, &error));
  step_to_end (stepper, NULL, NULL);
  end = flow_stepper_get_position (stepper);
  after = flow_session_dup_variable (flow_stepper_get_session (stepper), "v");
  g_assert_cmpfloat (flow_tensor_get_double (after, 0), >, 100);
  g_assert_true (flow_stepper_goto (stepper, 1, &error));
  g_assert_true (flow_stepper_goto (stepper, end, &error));
  again = flow_session_dup_variable (flow_stepper_get_session (stepper), "v");
  g_assert_true (flow_tensor_identical (after, again));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/debugger/stepper/two-runs", test_two_runs);
  g_test_add_func ("/debugger/stepper/index", test_index);
  g_test_add_func ("/debugger/stepper/effects", test_effects);
  g_test_add_func ("/debugger/stepper/edit", test_edit);
  return g_test_run ();
}
