/* debugger-suite-edits.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-fixture.h"

#include <string.h>

/* Values that a person replaces, and what comes from them. */

static guint
n_stale (Fixture *f)
{
  g_autoptr(FlowDebugState) state = flow_debugger_dup_state (f->debugger);

  return state->n_stale;
}

static double
value_of (Fixture    *f,
          const char *ref,
          gint64      i)
{
  const gint64 begin[] = { i };
  const gint64 count[] = { 1 };
  g_autoptr(FlowDebuggerReply) reply = NULL;

  reply = call (f, "Slice", g_variant_new ("(s@ax@ax@ax)", ref,
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, begin, 1, sizeof (gint64)),
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, count, 1, sizeof (gint64)),
                                           g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, count, 1, sizeof (gint64))));
  return flow_tensor_get_double (g_ptr_array_index (reply->tensors, 0), 0);
}

static void
set_variable (Fixture    *f,
              const char *name,
              float       a,
              float       b)
{
  const float values[] = { a, b };
  const gint64 dims[] = { 2 };
  g_autoptr(FlowShape) shape = flow_shape_new (1, dims);
  g_autoptr(GBytes) bytes = g_bytes_new (values, sizeof values);
  g_autoptr(GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowDebuggerReply) reply = NULL;

  g_ptr_array_add (tensors, flow_tensor_new_from_bytes (FLOW_DTYPE_FLOAT, shape, bytes, NULL));
  reply = flow_debugger_call_sync (f->debugger, "SetVariable", g_variant_new ("(s)", name), tensors, NULL, &error);
  g_assert_no_error (error);
}

/* A tensor is replaced: what comes from it is computed again, all else keeps what it made, and what was is kept. */
static void
test_recompute (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;
  g_autoptr(GVariant) moments = NULL;
  g_autofree char *words = NULL;
  g_autoptr(GError) error = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/log", "step train@0 loss/log");
  g_assert_null (flow_debugger_call_sync (f->debugger, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_RECOMPUTE, ""),
                                          NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION);
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", "[10, 20]"));
  g_assert_cmpuint (n_stale (f), >=, 2);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_STALE);
  g_assert_cmpuint (state_of (f, "w/read"), ==, FLOW_NODE_DONE);
  g_assert_cmpfloat (value_of (f, "loss/scaled:0", 0), ==, 0.5);

  state = move (f, FLOW_MOVE_RECOMPUTE, "");
  g_assert_cmpstr (name_of (f, state->next_node), ==, "loss/log");
  g_assert_cmpuint (state->n_stale, ==, 0);
  g_assert_nonnull (strstr (state->message, "kept what they had made"));
  g_assert_null (strstr (state->message, " 0 kept"));
  assert_value (f, "net/mul:0", G_MAXUINT64, 1, 20);
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 0, 200);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_DONE);

  /* The story as it was. */
  g_assert_cmpuint (state->n_pins, ==, 1);
  g_assert_cmpfloat (value_of (f, "loss/scaled:0@pin-1", 0), ==, 0.5);
  moments = call_value (f, "Moments", NULL);
  words = g_variant_print (moments, FALSE);
  g_assert_nonnull (strstr (words, "before net/mul:0 was replaced"));

  /* A second look back: the replaced value holds, steps back and forth are exact. */
  assert_move (f, FLOW_MOVE_RESTART, "", "run-start train@0 w");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/log", "step train@0 loss/log");
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 0, 200);
}

/* What executes after the replacement on stale values is stale as well. */
static void
test_spreads (Fixture      *f,
              gconstpointer data)
{
  guint before = 0;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "loss/scaled", "step train@0 loss/scaled");
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", "[10, 20]"));
  before = n_stale (f);
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 loss/log");
  g_assert_cmpuint (n_stale (f), ==, before + 1);
  g_assert_cmpuint (state_of (f, "loss/scaled"), ==, FLOW_NODE_STALE);
  assert_move (f, FLOW_MOVE_RECOMPUTE, "", "step train@0 loss/log");
  assert_value (f, "loss/scaled:0", G_MAXUINT64, 1, 800);
}

/* A variable is set after it was read, and written by the run: as if it had been so when it was read. */
static void
test_recompute_variable (Fixture      *f,
                         gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@0 train_op");
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 0.5);
  set_variable (f, "w", 8, 4);
  g_assert_cmpuint (state_of (f, "net/mul"), ==, FLOW_NODE_STALE);
  g_assert_cmpuint (state_of (f, "train/count"), ==, FLOW_NODE_DONE);
  assert_move (f, FLOW_MOVE_RECOMPUTE, "", "step train@0 train_op");
  assert_value (f, "net/mul:0", G_MAXUINT64, 0, 4);
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 4);
  g_assert_cmpfloat (variable (f, "w", "now", 1), ==, 3);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 1);
  g_assert_cmpfloat (variable (f, "w", "pin-1", 0), ==, 0.5);
}

/* Another number of rounds: the order of ops is another one, and what is left is computed. */
static void
test_recompute_loop (Fixture      *f,
                     gconstpointer data)
{
  choose (f, "loop");
  assert_move (f, FLOW_MOVE_RUN_TO, "l/out", "step loop@0 l/out");
  call_plain (f, "Override", g_variant_new ("(ss)", "l/five:0", "3"));
  g_assert_cmpuint (state_of (f, "l/w/add"), ==, FLOW_NODE_STALE);
  assert_move (f, FLOW_MOVE_RECOMPUTE, "", "step loop@0 l/out");
  assert_value (f, "l/w/Exit:0", G_MAXUINT64, 0, 3);
}

static void
test_next_of_type (Fixture      *f,
                   gconstpointer data)
{
  choose (f, "train");
  assert_move (f, FLOW_MOVE_NEXT_OF_TYPE, "AssignAdd", "step train@0 train/update");
  assert_move (f, FLOW_MOVE_NEXT_OF_TYPE, "", "step train@0 train/count");
}

static const struct {
  const char *name;
  void (*func) (Fixture *f, gconstpointer data);
} tests[] = {
  { "recompute", test_recompute },
  { "spreads", test_spreads },
  { "recompute-variable", test_recompute_variable },
  { "recompute-loop", test_recompute_loop },
  { "next-of-type", test_next_of_type },
};

guint
debugger_suite_add_edits (const char    *prefix,
                          DebuggerMaker  make)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat (prefix, "/edits/", tests[i].name, NULL);

      g_test_add (path, Fixture, (gconstpointer) make, set_up, tests[i].func, tear_down);
    }
  return G_N_ELEMENTS (tests);
}
