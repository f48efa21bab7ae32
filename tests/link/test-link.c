/* test-link.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link.h"
#include "flow-link-parcel.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static FlowDebugger *
start (void)
{
  g_autofree char *engine = g_test_build_filename (G_TEST_BUILT, "link", "flow-fake-engine", NULL);

  return flow_link_debugger_new (engine);
}

static GPtrArray *
tensor_list (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) (void (*) (void)) flow_tensor_unref);
}

/* One of each kind of element, and one larger than what goes inline. */
static GPtrArray *
all_kinds (void)
{
  GPtrArray *tensors = tensor_list ();
  g_autoptr (FlowShape) large = flow_shape_new_matrix (300, 1000);
  g_autoptr (FlowShape) strings = flow_shape_new_vector (3);
  g_autoptr (FlowShape) empty = flow_shape_new_matrix (0, 5);
  g_autoptr (FlowHandle) handle = flow_handle_new ("localhost", "v", "Var", FLOW_DTYPE_FLOAT, NULL);
  FlowTensor *floats = flow_tensor_new (FLOW_DTYPE_FLOAT, large, NULL, NULL);
  FlowTensor *texts = flow_tensor_new (FLOW_DTYPE_STRING, strings, NULL, NULL);

  for (int i = 0; i < 300000; i++)
    FLOW_WRITABLE (float, floats)[i] = (float) i * 0.5f;
  flow_tensor_take_string (texts, 0, g_bytes_new ("a\0b", 3));
  flow_tensor_take_string (texts, 2, g_bytes_new ("\xff", 1));
  g_ptr_array_add (tensors, flow_tensor_new_float (1.5f));
  g_ptr_array_add (tensors, texts);
  g_ptr_array_add (tensors, flow_tensor_new_handle (handle));
  g_ptr_array_add (tensors, flow_tensor_new_zeros (FLOW_DTYPE_COMPLEX128, empty, NULL, NULL));
  g_ptr_array_add (tensors, floats);
  return tensors;
}

static void
assert_same_tensors (GPtrArray *a,
                     GPtrArray *b)
{
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    g_assert_true (flow_tensor_identical (a->pdata[i], b->pdata[i]));
}

static void
check_round_trip (GPtrArray *tensors,
                  gboolean   by_file)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new ("(su)", "x", 7));
  g_autoptr (GVariant) back = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GError) error = NULL;
  FlowLinkParcel parcel;

  g_assert_true (_flow_link_parcel_pack (value, tensors, &parcel, &error));
  g_assert_true ((parcel.fds != NULL) == by_file);
  g_assert_true (_flow_link_parcel_unpack (parcel.head, parcel.inline_bytes, parcel.fds, &back, &list, &error));
  g_assert_true (g_variant_equal (value, back));
  assert_same_tensors (tensors, list);
  _flow_link_parcel_clear (&parcel);
}

static void
test_parcel (void)
{
  g_autoptr (GPtrArray) tensors = all_kinds ();

  check_round_trip (tensors, TRUE);
  g_ptr_array_set_size (tensors, 4);
  check_round_trip (tensors, FALSE);
}

/* Every way in which the other process could lie about sizes ends in an error. */
static void
test_parcel_damaged (void)
{
  g_autoptr (GPtrArray) tensors = all_kinds ();
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new ("()"));
  const guint64 sizes[] = { 0, 1, 7, 63, 64, 65, 1 << 20, G_MAXUINT64, G_MAXUINT64 - 63 };
  FlowLinkParcel parcel;

  g_ptr_array_set_size (tensors, 3);
  g_assert_true (_flow_link_parcel_pack (value, tensors, &parcel, NULL));
  for (guint t = 0; t < 3; t++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
        for (int dtype = -1; dtype < 30; dtype++)
          {
            gint64 dims[] = { k == 0 ? G_MAXINT64 : (gint64) k };
            g_autoptr (GVariant) head = g_variant_ref_sink (
              g_variant_new ("(t@a(iaxtt))", (guint64) 2,
                             g_variant_new_array (NULL, (GVariant *[]) {
                               g_variant_new ("(i@axtt)", dtype, g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, dims, 1, 8),
                                              sizes[i], sizes[k]) }, 1)));
            g_autoptr (GVariant) back = NULL;
            g_autoptr (GPtrArray) list = NULL;
            g_autoptr (GError) error = NULL;

            if (!_flow_link_parcel_unpack (head, parcel.inline_bytes, NULL, &back, &list, &error))
              g_assert_nonnull (error);
          }
  _flow_link_parcel_clear (&parcel);
}

static void
test_unsealed (void)
{
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("flowstep-XXXXXX", &name, NULL);

  g_assert_null (_flow_link_map_sealed (fd, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL);
  close (fd);
  unlink (name);
}

static void
count_cb (FlowDebugger *debugger,
          guint        *count)
{
  (*count)++;
}

static void
test_calls (void)
{
  g_autoptr (FlowDebugger) debugger = start ();
  g_autoptr (GPtrArray) tensors = all_kinds ();
  g_autoptr (FlowDebuggerReply) reply = NULL;
  g_autoptr (FlowDebuggerReply) opened = NULL;
  g_autoptr (FlowDebuggerReply) moved = NULL;
  g_autoptr (FlowDebugState) state = NULL;
  g_autoptr (GError) error = NULL;
  guint graphs = 0;
  guint changes = 0;
  const char *text;

  g_signal_connect (debugger, "graph-changed", G_CALLBACK (count_cb), &graphs);
  g_signal_connect (debugger, "changed", G_CALLBACK (count_cb), &changes);
  reply = flow_debugger_call_sync (debugger, "Echo", g_variant_new ("(s)", "hello"), tensors, NULL, &error);
  g_assert_no_error (error);
  g_variant_get (reply->value, "(&s)", &text);
  g_assert_cmpstr (text, ==, "hello");
  assert_same_tensors (tensors, reply->tensors);

  opened = flow_debugger_call_sync (debugger, "Open", g_variant_new ("(s@a{sv})", "x", g_variant_new ("a{sv}", NULL)), NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (graphs, >=, 1);
  g_assert_cmpuint (flow_graph_find_node (flow_debugger_get_graph (debugger), "scope/mystery"), ==, 0);

  moved = flow_debugger_call_sync (debugger, "Move", g_variant_new ("(us)", FLOW_MOVE_GOTO, "42"), NULL, NULL, &error);
  g_assert_no_error (error);
  state = flow_debugger_dup_state (debugger);
  g_assert_cmpuint (state->position, ==, 42);
  g_assert_cmpstr (state->run, ==, "train");
  g_assert_cmpuint (changes, >=, 1);
}

static void
test_errors (void)
{
  g_autoptr (FlowDebugger) debugger = start ();
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_debugger_call_sync (debugger, "Fail", NULL, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE);
  g_assert_cmpstr (error->message, ==, "queue \xe2\x82\xac is closed");
  g_assert_cmpstr (flow_error_get_node (error), ==, "q/dequeue");
  g_clear_error (&error);
  g_assert_null (flow_debugger_call_sync (debugger, "Nothing", NULL, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED);
}

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (void)
{
  g_autoptr (FlowDebugger) debugger = start ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_timeout_add (200, cancel_cb, cancellable);
  g_assert_null (flow_debugger_call_sync (debugger, "Hang", NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
ended_cb (FlowDebugger *debugger,
          const char   *text,
          char        **where)
{
  g_free (*where);
  *where = g_strdup (text);
}

static void
restarted_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (GError) error = NULL;

  flow_link_debugger_restart_finish (FLOW_LINK_DEBUGGER (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
test_death_and_restart (void)
{
  g_autoptr (FlowDebugger) debugger = start ();
  g_autoptr (FlowDebuggerReply) reply = NULL;
  g_autoptr (FlowDebugState) state = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *where = NULL;
  gboolean done = FALSE;
  int pid;

  g_signal_connect (debugger, "ended", G_CALLBACK (ended_cb), &where);
  flow_debugger_reply_free (flow_debugger_call_sync (debugger, "Open", g_variant_new ("(s@a{sv})", "x", g_variant_new ("a{sv}", NULL)), NULL, NULL, NULL));
  flow_debugger_reply_free (flow_debugger_call_sync (debugger, "Move", g_variant_new ("(us)", FLOW_MOVE_GOTO, "7"), NULL, NULL, NULL));
  flow_debugger_reply_free (flow_debugger_call_sync (debugger, "AddBreakpoint", g_variant_new ("(s)", "node:a"), NULL, NULL, NULL));
  flow_debugger_reply_free (flow_debugger_call_sync (debugger, "Move", g_variant_new ("(us)", FLOW_MOVE_GOTO, "9"), NULL, NULL, NULL));
  pid = flow_link_debugger_get_pid (FLOW_LINK_DEBUGGER (debugger));
  g_assert_cmpint (pid, >, 0);

  g_assert_null (flow_debugger_call_sync (debugger, "Die", NULL, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE);
  while (where == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (where, "signal 9"));
  g_assert_nonnull (strstr (where, "at op scope/mystery of run train, position 9"));
  state = flow_debugger_dup_state (debugger);
  g_assert_cmpint (state->status, ==, FLOW_DEBUG_ENDED);
  g_clear_error (&error);
  g_assert_null (flow_debugger_call_sync (debugger, "Echo", NULL, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE);
  g_assert_nonnull (flow_debugger_get_graph (debugger));

  flow_link_debugger_restart_async (FLOW_LINK_DEBUGGER (debugger), NULL, restarted_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  g_clear_pointer (&state, flow_debug_state_free);
  state = flow_debugger_dup_state (debugger);
  g_assert_cmpint (state->status, ==, FLOW_DEBUG_PAUSED);
  g_assert_cmpuint (state->position, ==, 9);
  g_assert_cmpint (flow_link_debugger_get_pid (FLOW_LINK_DEBUGGER (debugger)), !=, pid);
}

static void
test_no_engine (void)
{
  g_autoptr (FlowDebugger) debugger = flow_link_debugger_new ("/nonexistent/flowstep-engine");
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_debugger_call_sync (debugger, "Echo", NULL, NULL, NULL, &error));
  g_assert_nonnull (error);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/link/parcel", test_parcel);
  g_test_add_func ("/link/parcel-damaged", test_parcel_damaged);
  g_test_add_func ("/link/unsealed", test_unsealed);
  g_test_add_func ("/link/calls", test_calls);
  g_test_add_func ("/link/errors", test_errors);
  g_test_add_func ("/link/cancel", test_cancel);
  g_test_add_func ("/link/death-and-restart", test_death_and_restart);
  g_test_add_func ("/link/no-engine", test_no_engine);

  return g_test_run ();
}
