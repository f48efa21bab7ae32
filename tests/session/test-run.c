/* test-run.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-collection.h"
#include "flow-run.h"
#include "flow-test-graph.h"

#include <string.h>

/* Counts i from 0 while i < 5, with an inner constant; out is Exit. */
static const char loop_text[] =
  "zero Const dtype=int32 value=i:0\n"
  "five Const dtype=int32 value=i:5\n"
  "one Const dtype=int32 value=i:1\n"
  "w/Enter Enter zero T=int32 frame_name=\"w\" is_constant=t:0 parallel_iterations=n:2\n"
  "w/limit Enter five T=int32 frame_name=\"w\" is_constant=t:1 parallel_iterations=n:2\n"
  "w/step Enter one T=int32 frame_name=\"w\" is_constant=t:1 parallel_iterations=n:2\n"
  "w/Merge Merge w/Enter w/NextIteration T=int32 N=n:2\n"
  "w/Less Less w/Merge w/limit T=int32\n"
  "w/LoopCond LoopCond w/Less\n"
  "w/Switch Switch w/Merge w/LoopCond T=int32\n"
  "w/Exit Exit w/Switch T=int32\n"
  "w/Identity Identity w/Switch:1 T=int32\n"
  "w/add Add w/Identity w/step T=int32\n"
  "w/NextIteration NextIteration w/add T=int32\n"
  "out Identity w/Exit T=int32\n";

static const char cond_text[] =
  "p Placeholder dtype=bool shape=[]\n"
  "x Const dtype=float value=f:2\n"
  "c/Switch Switch x p T=float\n"
  "c/no Neg c/Switch T=float\n"
  "c/yes Square c/Switch:1 T=float\n"
  "c/Merge Merge c/no c/yes T=float N=n:2\n"
  "after Identity c/Merge T=float\n";

static const char variable_text[] =
  "v VariableV2 dtype=float shape=[2] container=\"\" shared_name=\"\"\n"
  "init/value Const dtype=float value=v:1,2\n"
  "init Assign v init/value T=float validate_shape=t:1 use_locking=t:1\n"
  "delta Const dtype=float value=v:10,20\n"
  "v/read Identity v T=float\n"
  "add AssignAdd v delta ^v/read T=float use_locking=t:0\n"
  "sum Add add v/read T=float\n";

typedef struct {
  FlowSession *session;
  FlowPlan *plan;
  FlowRun *run;
  gboolean has_queue;
} Fixture;

static void
begin (Fixture    *f,
       const char *feed,
       FlowTensor *value,
       const char *fetch,
       const char *target)
{
  const char *feeds[] = { feed, NULL };
  const char *fetches[] = { fetch, NULL };
  const char *targets[] = { target, NULL };
  g_autoptr(GError) error = NULL;

  f->plan = flow_session_get_plan (f->session, feeds, fetches, targets, NULL, &error);
  g_assert_no_error (error);
  f->run = flow_run_new (f->session, f->plan, &value, &error);
  g_assert_no_error (error);
}

static void
finish (Fixture *f)
{
  flow_run_end (f->run);
  g_clear_pointer (&f->run, flow_run_unref);
  g_clear_pointer (&f->plan, flow_plan_unref);
}

static guint
run_all (Fixture *f)
{
  g_autoptr(GError) error = NULL;
  guint n = 0;

  while (flow_run_step (f->run, &error) == FLOW_STEP_DONE)
    n++;
  g_assert_no_error (error);
  return n;
}

static double
fetch_number (Fixture *f,
              gint64   i)
{
  FlowTensor *tensor = NULL;
  g_autoptr(GError) error = NULL;
  double value = 0;

  flow_run_get_fetches (f->run, &tensor, &error);
  g_assert_no_error (error);
  value = flow_tensor_get_double (tensor, i);
  flow_tensor_unref (tensor);
  return value;
}

static void
test_straight (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph ("b/y Const dtype=float value=f:3\n"
                                                "a/x Const dtype=float value=f:2\n"
                                                "a/neg Neg a/x T=float\n"
                                                "b/sq Square b/y T=float\n"
                                                "sum Add a/neg b/sq T=float\n"
                                                "unused Neg sum T=float\n");
  GString *order = g_string_new (NULL);

  f.session = flow_session_new (graph, NULL);
  begin (&f, NULL, NULL, "sum:0", NULL);
  while (flow_run_step (f.run, NULL) == FLOW_STEP_DONE)
    g_string_append_printf (order, "%s ", flow_graph_get_node_name (graph, flow_run_get_last (f.run)->node));
  /* The scope that is open comes first, then the order of creation. */
  g_assert_cmpstr (order->str, ==, "b/y b/sq a/x a/neg sum ");
  g_assert_cmpfloat (fetch_number (&f, 0), ==, 7);
  g_string_free (order, TRUE);
  finish (&f);
  g_assert_finalize_object (f.session);
}

static void
test_loop (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph (loop_text);
  guint32 add = flow_graph_find_node (graph, "w/add");
  guint live = 0;
  guint dead = 0;

  f.session = flow_session_new (graph, NULL);
  begin (&f, NULL, NULL, "out:0", NULL);
  while (flow_run_step (f.run, NULL) == FLOW_STEP_DONE)
    if (flow_run_get_last (f.run)->node == add)
      {
        if (flow_run_get_last (f.run)->dead)
          dead++;
        else
          g_assert_cmpint (flow_run_get_last (f.run)->iteration, ==, live++);
      }
  g_assert_cmpuint (live, ==, 5);
  g_assert_cmpuint (dead, ==, 1);
  g_assert_cmpfloat (fetch_number (&f, 0), ==, 5);
  finish (&f);
  g_assert_finalize_object (f.session);
}

static void
test_cond (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph (cond_text);
  g_autoptr(GError) error = NULL;
  FlowTensor *none = NULL;

  f.session = flow_session_new (graph, NULL);
  for (int p = 0; p < 2; p++)
    {
      g_autoptr(FlowTensor) value = flow_tensor_new_bool (p);

      begin (&f, "p:0", value, "after:0", NULL);
      g_assert_cmpuint (run_all (&f), ==, 6);
      g_assert_cmpfloat (fetch_number (&f, 0), ==, p ? 4 : -2);
      finish (&f);
      begin (&f, "p:0", value, "c/no:0", NULL);
      run_all (&f);
      if (p)
        {
          g_assert_false (flow_run_get_fetches (f.run, &none, &error));
          g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
          g_assert_cmpstr (error->message, ==, "Retval[0] does not have value");
        }
      else
        g_assert_cmpfloat (fetch_number (&f, 0), ==, -2);
      finish (&f);
    }
  g_assert_finalize_object (f.session);
}

static void
test_variable (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph (variable_text);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowTensor) value = NULL;

  f.session = flow_session_new (graph, NULL);
  begin (&f, NULL, NULL, "sum:0", NULL);
  while (flow_run_step (f.run, &error) == FLOW_STEP_DONE)
    ;
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION);
  g_assert_true (g_str_has_prefix (error->message,
                                   "Attempting to use uninitialized value v\n\t [[{{node v/read}}]]"));
  g_assert_cmpstr (flow_error_get_node (error), ==, "v/read");
  finish (&f);
  begin (&f, NULL, NULL, NULL, "init");
  run_all (&f);
  finish (&f);
  begin (&f, NULL, NULL, "sum:0", NULL);
  run_all (&f);
  /* As TensorFlow: v/read is v's buffer, and who comes after the update by an edge sees the update. */
  g_assert_cmpfloat (fetch_number (&f, 0), ==, 22);
  g_assert_cmpfloat (fetch_number (&f, 1), ==, 44);
  value = flow_session_dup_variable (f.session, "v");
  g_assert_cmpfloat (flow_tensor_get_double (value, 1), ==, 22);
  finish (&f);
  g_assert_finalize_object (f.session);
}

static void
test_feed_dtype (void)
{
  g_autoptr(FlowGraph) graph = flow_test_graph (cond_text);
  g_autoptr(FlowSession) session = flow_session_new (graph, NULL);
  const char *feeds[] = { "p:0", NULL };
  const char *fetches[] = { "after:0", NULL };
  guint64 hits = 0;
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowPlan) plan = flow_session_get_plan (session, feeds, fetches, NULL, &hits, &error);
  g_autoptr(FlowPlan) again = NULL;
  g_autoptr(FlowTensor) value = flow_tensor_new_int32 (1);

  g_assert_cmpuint (hits, ==, 0);
  again = flow_session_get_plan (session, feeds, fetches, NULL, &hits, &error);
  g_assert_true (again == plan);
  g_assert_cmpuint (hits, ==, 1);
  g_assert_null (flow_run_new (session, plan, &value, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "Expects arg[0] to be bool but int32 is provided");
}

/* Every state on the way, as text: what is ready, and every variable. */
static char *
describe_state (Fixture *f)
{
  GString *text = g_string_new (NULL);
  g_autoptr(GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr(GPtrArray) all = flow_session_list_resources (f->session);
  guint32 node = 0;
  gint64 iteration = 0;
  const char *frame = NULL;

  flow_run_list_ready (f->run, ready);
  for (guint i = 0; i < ready->len; i++)
    g_string_append_printf (text, "%u ", g_array_index (ready, guint32, i));
  /* That an op must wait is known only once it was tried. */
  if (!f->has_queue && flow_run_peek_next (f->run, &node, &frame, &iteration, NULL))
    g_string_append_printf (text, "next %u %s %" G_GINT64_FORMAT " ", node, frame, iteration);
  for (guint i = 0; i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);
      g_autofree char *line = resource->klass->describe (resource);

      g_string_append_printf (text, "%s=%s v%" G_GUINT64_FORMAT " ", resource->name, line, resource->version);
      if (resource->klass == &flow_variable_class && ((FlowVariable *) resource)->value != NULL)
        for (gint64 k = 0; k < ((FlowVariable *) resource)->value->n_elements; k++)
          g_string_append_printf (text, "%g ", flow_tensor_get_double (((FlowVariable *) resource)->value, k));
    }
  return g_string_free (text, FALSE);
}

static void
there_and_back (const char *graph_text,
                const char *feed,
                FlowTensor *value,
                const char *fetch,
                const char *target,
                const char *first)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph (graph_text);
  g_autoptr(FlowUndo) undo = flow_undo_new ();
  g_autoptr(GPtrArray) states = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint64));

  f.session = flow_session_new (graph, NULL);
  f.has_queue = strstr (graph_text, "TestQueue") != NULL;
  if (first != NULL)
    {
      begin (&f, NULL, NULL, NULL, first);
      run_all (&f);
      finish (&f);
    }
  begin (&f, feed, value, fetch, target);
  flow_session_set_undo (f.session, undo);
  for (int turn = 0; turn < 3; turn++)
    {
      guint n = 0;

      for (;; n++)
        {
          guint64 mark = flow_undo_mark (undo);
          char *state = describe_state (&f);

          if (turn == 0)
            {
              g_ptr_array_add (states, state);
              g_array_append_val (marks, mark);
            }
          else
            {
              g_assert_cmpstr (state, ==, g_ptr_array_index (states, n));
              g_assert_cmpuint (mark, ==, g_array_index (marks, guint64, n));
              g_free (state);
            }
          if (flow_run_step (f.run, NULL) != FLOW_STEP_DONE)
            break;
        }
      g_assert_cmpuint (n + 1, ==, states->len);
      /* One by one the first time, then in one go. */
      for (guint k = n; turn < 2 && k-- > 0;)
        {
          g_autofree char *state = NULL;

          if (turn == 1 && k > 0)
            continue;
          flow_undo_rollback (undo, g_array_index (marks, guint64, k));
          flow_run_forget_waits (f.run);
          state = describe_state (&f);
          g_assert_cmpstr (state, ==, g_ptr_array_index (states, k));
        }
    }
  finish (&f);
  flow_session_set_undo (f.session, NULL);
  g_clear_pointer (&undo, flow_undo_free);
  g_assert_finalize_object (f.session);
}

static void
test_undo_loop (void)
{
  there_and_back (loop_text, NULL, NULL, "out:0", NULL, NULL);
}

static void
test_undo_cond (void)
{
  g_autoptr(FlowTensor) value = flow_tensor_new_bool (TRUE);

  there_and_back (cond_text, "p:0", value, "after:0", NULL, NULL);
}

static void
test_undo_variable (void)
{
  there_and_back (variable_text, NULL, NULL, "sum:0", NULL, "init");
  there_and_back (variable_text, NULL, NULL, NULL, "init", NULL);
}

static const char queue_text[] =
  "q TestQueue\n"
  "take TestDequeue q\n"
  "twice Add take take T=float\n"
  "x Const dtype=float value=f:4\n"
  "put TestEnqueue q x\n"
  "all NoOp ^put ^twice\n";

/* The dequeue comes up first, must wait, and goes on when the enqueue of the same run was executed. */
static void
test_dequeue_before_enqueue (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph (queue_text);
  GString *order = g_string_new (NULL);

  f.session = flow_session_new (graph, NULL);
  begin (&f, NULL, NULL, "twice:0", "all");
  while (flow_run_step (f.run, NULL) == FLOW_STEP_DONE)
    g_string_append_printf (order, "%s ", flow_graph_get_node_name (graph, flow_run_get_last (f.run)->node));
  g_assert_cmpstr (order->str, ==, "q x put take twice all ");
  g_assert_cmpfloat (fetch_number (&f, 0), ==, 8);
  g_string_free (order, TRUE);
  finish (&f);
  g_assert_finalize_object (f.session);
  there_and_back (queue_text, NULL, NULL, "twice:0", "all", NULL);
}

static void
test_waiting (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph (queue_text);
  g_autoptr(GError) error = NULL;
  FlowRun *other = NULL;
  FlowPlan *other_plan = NULL;

  f.session = flow_session_new (graph, NULL);
  begin (&f, NULL, NULL, "twice:0", NULL);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_DONE);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_WAITING);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_WAITING);
  g_assert_cmpstr (flow_run_get_wait_text (f.run), ==, "queue q, 0 of 1");
  other = g_steal_pointer (&f.run);
  other_plan = g_steal_pointer (&f.plan);
  begin (&f, NULL, NULL, NULL, "put");
  run_all (&f);
  finish (&f);
  f.run = other;
  f.plan = other_plan;
  run_all (&f);
  g_assert_cmpfloat (fetch_number (&f, 0), ==, 8);
  finish (&f);
  begin (&f, NULL, NULL, "twice:0", NULL);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_DONE);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_WAITING);
  g_assert_false (flow_run_cancel (f.run, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_CANCELLED);
  g_assert_true (g_str_has_prefix (error->message, "Dequeue operation was cancelled\n\t [[{{node take}}]]"));
  finish (&f);
  g_assert_finalize_object (f.session);
}

static void
test_override_and_retry (void)
{
  Fixture f = { 0 };
  g_autoptr(FlowGraph) graph = flow_test_graph ("a Const dtype=float value=v:1,2,3\n"
                                                "b Const dtype=float value=v:1,2\n"
                                                "c Add a b T=float\n");
  g_autoptr(FlowUndo) undo = flow_undo_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowTensor) scalar = flow_tensor_new_float (10);

  f.session = flow_session_new (graph, NULL);
  flow_session_set_undo (f.session, undo);
  begin (&f, NULL, NULL, "c:0", NULL);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_DONE);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_DONE);
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_FAILED);
  g_assert_true (g_str_has_prefix (error->message, "Incompatible shapes: [3] vs. [2]\n\t [[{{node c}}]]"));
  g_assert_nonnull (strstr (error->message, "input 1: b:0 float32 [2]"));
  g_clear_error (&error);
  g_assert_true (flow_run_override (f.run, flow_graph_find_node (graph, "b"), 0, scalar, &error));
  g_assert_cmpint (flow_run_step (f.run, &error), ==, FLOW_STEP_DONE);
  g_assert_no_error (error);
  g_assert_cmpfloat (fetch_number (&f, 2), ==, 13);
  finish (&f);
  flow_session_set_undo (f.session, NULL);
  g_clear_pointer (&undo, flow_undo_free);
  g_assert_finalize_object (f.session);
}

static void
test_frames (void)
{
  g_autoptr(FlowGraph) graph = flow_test_graph ("a Const dtype=float value=f:1\n"
                                                "e Enter a T=float frame_name=\"f\" is_constant=t:0 parallel_iterations=n:1\n"
                                                "x Add e a T=float\n");
  const char *fetches[] = { "x:0", NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowPlan) plan = flow_plan_new (graph, NULL, fetches, NULL, &error);

  g_assert_null (plan);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==,
                   "{{node x}} has inputs from different frames. The input {{node e}} is in frame 'f'. "
                   "The input {{node a}} is in frame ''.");
}

/* An update op may be a group, which has no outputs. */
static void
test_update_ops_without_outputs (void)
{
  g_autoptr(FlowGraph) graph = flow_test_graph ("x Const dtype=float value=f:1\n"
                                                "mean NoOp ^x\n"
                                                "train NoOp ^mean\n"
                                                "alone NoOp ^x\n");
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_collection_item_free);
  const char *targets[] = { "train", NULL };
  g_autoptr(FlowPlan) plan = NULL;
  g_auto(GStrv) executed = NULL;
  g_auto(GStrv) skipped = NULL;
  g_autoptr(GError) error = NULL;

  g_ptr_array_add (items, flow_collection_item_new (FLOW_COLLECTION_NODE, "mean", NULL, NULL));
  g_ptr_array_add (items, flow_collection_item_new (FLOW_COLLECTION_NODE, "alone", NULL, NULL));
  flow_graph_set_collection (graph, "update_ops", items);
  plan = flow_plan_new (graph, NULL, NULL, targets, &error);
  g_assert_no_error (error);
  flow_plan_list_update_ops (plan, &executed, &skipped);
  g_assert_cmpstr (executed[0], ==, "mean");
  g_assert_null (executed[1]);
  g_assert_cmpstr (skipped[0], ==, "alone");
}

/* Arguments and values of a function have no meaning for a call of a session: TensorFlow's words. */
static void
test_outside_of_functions (void)
{
  static const struct {
    const char *text;
    const char *target;
    const char *message;
  } cases[] = {
    { "x Const dtype=float value=f:2\nr _Retval x T=float index=n:0\n", "r", "SetRetval 0 is not within [0, 0)" },
    { "a _Arg T=float index=n:0\nr Neg a T=float\n", "r", "nullptr call_frame" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(FlowGraph) graph = flow_test_graph (cases[i].text);
      Fixture f = { 0 };
      g_autoptr(GError) error = NULL;

      f.session = flow_session_new (graph, NULL);
      begin (&f, NULL, NULL, NULL, cases[i].target);
      while (flow_run_step (f.run, &error) == FLOW_STEP_DONE)
        ;
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      finish (&f);
      g_object_unref (f.session);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session/run/straight", test_straight);
  g_test_add_func ("/session/run/loop", test_loop);
  g_test_add_func ("/session/run/cond", test_cond);
  g_test_add_func ("/session/run/variable", test_variable);
  g_test_add_func ("/session/run/feed-dtype", test_feed_dtype);
  g_test_add_func ("/session/run/undo-loop", test_undo_loop);
  g_test_add_func ("/session/run/undo-cond", test_undo_cond);
  g_test_add_func ("/session/run/undo-variable", test_undo_variable);
  g_test_add_func ("/session/run/dequeue-before-enqueue", test_dequeue_before_enqueue);
  g_test_add_func ("/session/run/waiting", test_waiting);
  g_test_add_func ("/session/run/override-and-retry", test_override_and_retry);
  g_test_add_func ("/session/run/frames", test_frames);
  g_test_add_func ("/session/run/outside-of-functions", test_outside_of_functions);
  g_test_add_func ("/session/run/update-ops-without-outputs", test_update_ops_without_outputs);
  return g_test_run ();
}
