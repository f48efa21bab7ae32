/* test-waiting.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session.h"
#include "flow-test-graph.h"

/* Runs that wait while other threads run: they are served before anybody else's next op, in the order they came. */

#define N_WAITING 4

static const char graph_text[] =
  "q FIFOQueueV2 component_types=types:float capacity=n:1\n"
  "x Placeholder dtype=float\n"
  "here Print x x T=float U=types:float\n"
  "put QueueEnqueueV2 q here Tcomponents=types:float\n"
  "take QueueDequeueV2 q component_types=types:float\n"
  "size QueueSizeV2 q\n";

/* Goes round for ever. */
static const char busy_text[] =
  "zero Const dtype=int32 value=i:0\n"
  "one Const dtype=int32 value=i:1\n"
  "w/Enter Enter zero T=int32 frame_name=\"w\" is_constant=t:0 parallel_iterations=n:2\n"
  "w/step Enter one T=int32 frame_name=\"w\" is_constant=t:1 parallel_iterations=n:2\n"
  "w/Merge Merge w/Enter w/NextIteration T=int32 N=n:2\n"
  "w/always LessEqual w/Merge w/Merge T=int32\n"
  "w/LoopCond LoopCond w/always\n"
  "w/Switch Switch w/Merge w/LoopCond T=int32\n"
  "w/Exit Exit w/Switch T=int32\n"
  "w/add Add w/Switch:1 w/step T=int32\n"
  "w/NextIteration NextIteration w/add T=int32\n";

typedef struct {
  FlowSession *session;
  float value;
} Producer;

/* Counts the producers whose run has begun: the turn in which Print is goes on until the enqueue waits. */
static GMutex mutex;           /* guards n_begun */
static GCond cond;
static guint n_begun;

static void
print_cb (const char *stream,
          const char *text,
          gpointer    data)
{
  g_mutex_lock (&mutex);
  n_begun++;
  g_cond_signal (&cond);
  g_mutex_unlock (&mutex);
}

static gpointer
put_worker (gpointer data)
{
  Producer *self = data;
  const char *none[] = { NULL };
  const char *feeds[] = { "x:0", NULL };
  const char *targets[] = { "put", NULL };
  g_autoptr (FlowTensor) value = flow_tensor_new_float (self->value);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (GPtrArray) fetched = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (values, value);
  fetched = flow_session_run (self->session, feeds, values, none, targets, 0, NULL, &error);
  g_assert_no_error (error);
  return NULL;
}

static double
fetch (FlowSession *session,
       const char  *name)
{
  const char *none[] = { NULL };
  const char *fetches[] = { name, NULL };
  g_autoptr (GPtrArray) fetched = NULL;
  g_autoptr (GError) error = NULL;

  fetched = flow_session_run (session, none, NULL, fetches, none, 0, NULL, &error);
  g_assert_no_error (error);
  return flow_tensor_get_double (fetched->pdata[0], 0);
}

static void
test_order (void)
{
  g_autoptr (FlowGraph) graph = flow_test_graph (graph_text);
  g_autoptr (FlowSession) session = flow_session_new (graph, NULL);
  Producer producers[N_WAITING];
  GThread *threads[N_WAITING];

  flow_session_set_print (session, print_cb, NULL, NULL);
  for (guint i = 0; i < N_WAITING; i++)
    {
      producers[i] = (Producer) { session, i };
      threads[i] = g_thread_new ("put", put_worker, &producers[i]);
      g_mutex_lock (&mutex);
      while (n_begun <= i)
        g_cond_wait (&cond, &mutex);
      g_mutex_unlock (&mutex);
    }
  for (guint i = 0; i < N_WAITING; i++)
    {
      g_assert_cmpfloat (fetch (session, "size:0"), ==, 1);
      g_assert_cmpfloat (fetch (session, "take:0"), ==, i);
    }
  g_assert_cmpfloat (fetch (session, "size:0"), ==, 0);
  for (guint i = 0; i < N_WAITING; i++)
    g_thread_join (threads[i]);
}

/* Time runs out for a run that waits and for one that never does. */
static void
test_deadline (void)
{
  static const struct {
    const char *text;
    const char *fetch;
  } cases[] = { { graph_text, "take:0" }, { busy_text, "w/Exit:0" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *none[] = { NULL };
      const char *fetches[] = { cases[i].fetch, NULL };
      g_autoptr (FlowGraph) graph = flow_test_graph (cases[i].text);
      g_autoptr (FlowSession) session = flow_session_new (graph, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (flow_session_run (session, none, NULL, fetches, none, 50, NULL, &error));
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DEADLINE_EXCEEDED);
      g_assert_cmpstr (error->message, ==, "Timed out waiting for notification");
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/session/waiting/order", test_order);
  g_test_add_func ("/session/waiting/deadline", test_deadline);
  return g_test_run ();
}
