/* test-suite.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-suite.h"
#include "flow-link.h"

#include <signal.h>
#include <string.h>

/* What every debugger must pass, over an engine process: the same functions as /debugger/local. */

static FlowDebugger *
make_link_debugger (void)
{
  return flow_link_debugger_new (FLOW_ENGINE_PATH);
}

static FlowDebuggerReply *
ask (FlowDebugger *debugger,
      const char   *method,
      GVariant     *arguments)
{
  g_autoptr (GError) error = NULL;
  FlowDebuggerReply *reply = flow_debugger_call_sync (debugger, method, arguments, NULL, NULL, &error);

  g_assert_no_error (error);
  return reply;
}

static void
step (FlowDebugger *debugger,
      FlowMovement  movement,
      const char   *argument)
{
  flow_debugger_reply_free (ask (debugger, "Move", g_variant_new ("(us)", (guint) movement, argument)));
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

static GVariant *
dup_variables (FlowDebugger *debugger)
{
  g_autoptr (FlowDebuggerReply) reply = ask (debugger, "Variables", NULL);

  return g_variant_ref (reply->value);
}

/* kill -9 in the middle of a training step: what ended where is said, and a new engine comes back to
 * the same op with the same values in every variable. */
static void
test_killed_while_stepping (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "training", "mlp-sgd", "flowstep.run.json", NULL);
  g_autoptr (FlowDebugger) debugger = make_link_debugger ();
  g_autoptr (FlowDebugState) before = NULL;
  g_autoptr (FlowDebugState) after = NULL;
  g_autoptr (GVariant) variables = NULL;
  g_autoptr (GVariant) again = NULL;
  g_autofree char *where = NULL;
  gboolean done = FALSE;

  g_signal_connect (debugger, "ended", G_CALLBACK (ended_cb), &where);
  flow_debugger_reply_free (ask (debugger, "Open", g_variant_new ("(s@a{sv})", path, g_variant_new ("a{sv}", NULL))));
  flow_debugger_reply_free (ask (debugger, "ChooseRun", g_variant_new ("(s)", "step1")));
  step (debugger, FLOW_MOVE_RESTART, "");
  for (int i = 0; i < 60; i++)
    step (debugger, FLOW_MOVE_STEP_OP, "");
  before = flow_debugger_dup_state (debugger);
  variables = dup_variables (debugger);
  g_assert_cmpint (before->status, ==, FLOW_DEBUG_PAUSED);

  kill (flow_link_debugger_get_pid (FLOW_LINK_DEBUGGER (debugger)), SIGKILL);
  while (where == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (where, "signal 9"));
  g_assert_nonnull (strstr (where, flow_graph_get_node_name (flow_debugger_get_graph (debugger), before->next_node)));
  g_assert_nonnull (strstr (where, "step1"));

  flow_link_debugger_restart_async (FLOW_LINK_DEBUGGER (debugger), NULL, restarted_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  after = flow_debugger_dup_state (debugger);
  again = dup_variables (debugger);
  g_assert_cmpint (after->status, ==, FLOW_DEBUG_PAUSED);
  g_assert_cmpuint (after->position, ==, before->position);
  g_assert_cmpuint (after->next_node, ==, before->next_node);
  g_assert_cmpstr (after->run, ==, "step1");
  g_assert_true (g_variant_equal (variables, again));
}

int
main (int   argc,
      char *argv[])
{
  guint n;

  g_test_init (&argc, &argv, NULL);

  n = debugger_suite_add ("/debugger/link", make_link_debugger);
  g_test_message ("%u tests of a debugger", n);
  g_test_add_func ("/link/killed-while-stepping", test_killed_while_stepping);
  return g_test_run ();
}
