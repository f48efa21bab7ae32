/* debugger-suite-values.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-fixture.h"

#include "flow-model.h"
#include "flow-npy.h"
#include "flow-test-graph.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Looking at values in part, comparing moments, asking where a value came from. */

static GVariant *
list_of (const gint64 *values,
         gsize         n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, values, n, sizeof (gint64));
}

static gint64
int_of (GVariant   *dict,
        const char *key)
{
  gint64 value = G_MININT64;

  g_assert_true (g_variant_lookup (dict, key, "x", &value));
  return value;
}

static double
double_of (GVariant   *dict,
           const char *key)
{
  double value = NAN;

  g_assert_true (g_variant_lookup (dict, key, "d", &value));
  return value;
}

static char *
text_of (GVariant   *dict,
         const char *key)
{
  char *value = NULL;

  g_assert_true (g_variant_lookup (dict, key, "s", &value));
  return value;
}

static void
assert_text (GVariant   *dict,
             const char *key,
             const char *expected)
{
  g_autofree char *text = text_of (dict, key);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_fails (Fixture    *f,
              const char *method,
              GVariant   *arguments,
              int         code)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (flow_debugger_call_sync (f->debugger, method, arguments, NULL, NULL, &error));
  g_assert_error (error, FLOW_ERROR, code);
}

/* w = [[1, nan, 3], [4, inf, 6]] in a variable of its own shape is refused; a feed takes any. */
static void
feed_matrix (Fixture *f)
{
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"m\", \"fetches\": [\"m/neg:0\"], \"feeds\": "
                                                 "{\"m/x:0\": {\"value\": [[1, \"NaN\", 3], [4, \"Infinity\", 6]]}}}"));
  choose (f, "m");
  flow_debug_state_free (move (f, FLOW_MOVE_RUN, ""));
}

static void
test_describe (Fixture      *f,
               gconstpointer data)
{
  g_autoptr(GVariant) info = NULL;
  g_autoptr(GVariant) bins = NULL;

  feed_matrix (f);
  info = call_value (f, "Describe", g_variant_new ("(su)", "m/neg:0", 5));
  assert_text (info, "state", "value");
  g_assert_cmpint (int_of (info, "n_elements"), ==, 6);
  g_assert_cmpint (int_of (info, "nan"), ==, 1);
  g_assert_cmpint (int_of (info, "inf"), ==, 1);
  g_assert_cmpint (int_of (info, "nan_index"), ==, 1);
  g_assert_cmpint (int_of (info, "inf_index"), ==, 4);
  g_assert_cmpint (int_of (info, "min_index"), ==, 5);
  g_assert_cmpfloat (double_of (info, "min"), ==, -6);
  bins = g_variant_lookup_value (info, "bins", G_VARIANT_TYPE ("ax"));
  g_assert_cmpuint (g_variant_n_children (bins), ==, 5);
  g_clear_pointer (&info, g_variant_unref);
  info = call_value (f, "Describe", g_variant_new ("(su)", "net/mul:0", 5));
  assert_text (info, "state", "not computed");
  assert_fails (f, "Describe", g_variant_new ("(su)", "no/such:0", 0), FLOW_ERROR_NOT_FOUND);
  assert_fails (f, "Describe", g_variant_new ("(su)", "net/mul:0@soon", 0), FLOW_ERROR_INVALID_ARGUMENT);
}

/* Every second column of the second row: two numbers travel, not six. */
static void
test_slice (Fixture      *f,
            gconstpointer data)
{
  const gint64 begin[] = { 1, 0 };
  const gint64 count[] = { 1, 2 };
  const gint64 step[] = { 1, 2 };
  const gint64 beyond[] = { 1, 3 };
  g_autoptr(FlowDebuggerReply) reply = NULL;
  FlowTensor *cut = NULL;

  feed_matrix (f);
  reply = call (f, "Slice", g_variant_new ("(s@ax@ax@ax)", "m/neg:0", list_of (begin, 2), list_of (count, 2),
                                           list_of (step, 2)));
  g_assert_nonnull (reply->tensors);
  cut = g_ptr_array_index (reply->tensors, 0);
  g_assert_cmpint (flow_tensor_get_n_elements (cut), ==, 2);
  g_assert_cmpint (flow_tensor_get_dim (cut, 1), ==, 2);
  g_assert_cmpfloat (flow_tensor_get_double (cut, 0), ==, -4);
  g_assert_cmpfloat (flow_tensor_get_double (cut, 1), ==, -6);
  assert_fails (f, "Slice", g_variant_new ("(s@ax@ax@ax)", "m/neg:0", list_of (begin, 2), list_of (beyond, 2),
                                           list_of (step, 2)), FLOW_ERROR_OUT_OF_RANGE);
  assert_fails (f, "Slice", g_variant_new ("(s@ax@ax@ax)", "m/neg:0", list_of (begin, 1), list_of (count, 2),
                                           list_of (step, 2)), FLOW_ERROR_INVALID_ARGUMENT);
}

/* Whatever is asked for is answered or refused, and the debugger lives. */
static void
test_hostile_references (Fixture      *f,
                         gconstpointer data)
{
  static const char *const refs[] = {
    "", ":", "@", "w@", "w:0@-1", "w:0@99999999999999999999", "w:999", "^w", "var:", "var:@now", "var:w@", "var:w@pin-0",
    "var:w@pin-18446744073709551616", "var:w@before-restore-x", "file:", "file:#", "file:#w", "file:/dev/null#w",
    "file:/does/not/exist#w", "var:w@file:", "var:w@file:/dev/null", "w:0@pin-", "%s%n", "w:0@@0",
  };
  static const gint64 sizes[] = { G_MININT64, -1, 0, 1, 2, 3, G_MAXINT64 };
  const guint32 nodes[] = { 0, 1, G_MAXUINT32, 1u << 30 };

  feed_matrix (f);
  for (guint i = 0; i < G_N_ELEMENTS (refs); i++)
    {
      g_autoptr(FlowDebuggerReply) a = flow_debugger_call_sync (f->debugger, "Describe",
                                                                g_variant_new ("(su)", refs[i], G_MAXUINT32), NULL, NULL,
                                                                NULL);
      g_autoptr(FlowDebuggerReply) b = flow_debugger_call_sync (f->debugger, "CompareValues",
                                                                g_variant_new ("(ss@a{sv})", "m/x:0", refs[i],
                                                                               g_variant_new ("a{sv}", NULL)),
                                                                NULL, NULL, NULL);
      g_autoptr(FlowDebuggerReply) c = flow_debugger_call_sync (f->debugger, "CompareVariables",
                                                                g_variant_new ("(ss)", "now", refs[i]), NULL, NULL, NULL);
      g_autoptr(FlowDebuggerReply) d = flow_debugger_call_sync (f->debugger, "Origin",
                                                                g_variant_new ("(st)", refs[i], G_MAXUINT64), NULL, NULL,
                                                                NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
      for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          const gint64 begin[] = { 0, sizes[i] };
          const gint64 count[] = { 2, sizes[j] };
          const gint64 step[] = { 1, sizes[k] };
          g_autoptr(FlowDebuggerReply) reply =
            flow_debugger_call_sync (f->debugger, "Slice", g_variant_new ("(s@ax@ax@ax)", "m/x:0", list_of (begin, 2),
                                                                          list_of (count, 2), list_of (step, 2)),
                                     NULL, NULL, NULL);

          if (reply != NULL)
            g_assert_cmpint (flow_tensor_get_n_elements (g_ptr_array_index (reply->tensors, 0)), ==, 2 * sizes[j]);
        }
  call_plain (f, "Values", g_variant_new ("(@au)", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, nodes, 4, 4)));
  g_assert_cmpuint (state_of (f, "m/neg"), ==, FLOW_NODE_DONE);
}

static gint64
find (Fixture    *f,
      const char *ref,
      const char *what,
      gint64      after,
      const char *other)
{
  g_autoptr(FlowDebuggerReply) reply = call (f, "FindElement", g_variant_new ("(ssxs@a{sv})", ref, what, after, other,
                                                                              g_variant_new ("a{sv}", NULL)));
  gint64 index = 0;

  g_variant_get (reply->value, "(x)", &index);
  return index;
}

static void
test_find (Fixture      *f,
           gconstpointer data)
{
  feed_matrix (f);
  g_assert_cmpint (find (f, "m/neg:0", "nan", -1, ""), ==, 1);
  g_assert_cmpint (find (f, "m/neg:0", "nan", 1, ""), ==, 1);
  g_assert_cmpint (find (f, "m/neg:0", "inf", 0, ""), ==, 4);
  g_assert_cmpint (find (f, "m/neg:0", "max", -1, ""), ==, 0);
  g_assert_cmpint (find (f, "m/neg:0", "min", -1, ""), ==, 5);
  g_assert_cmpint (find (f, "m/neg:0", "zero", -1, ""), ==, -1);
  g_assert_cmpint (find (f, "m/neg:0", "changed", -1, "m/x:0"), ==, 0);
  g_assert_cmpint (find (f, "m/neg:0", "changed", 0, "m/x:0"), ==, 2);
}

static void
assert_find_fails (Fixture    *f,
                   const char *what,
                   int         code)
{
  assert_fails (f, "FindElement", g_variant_new ("(ssxs@a{sv})", "m/neg:0", what, (gint64) -1, "", g_variant_new ("a{sv}", NULL)), code);
}

/* As a person writes it: within bounds, or by index; what is not understood is said. */
static void
test_find_written (Fixture      *f,
                   gconstpointer data)
{
  feed_matrix (f);
  /* The largest is alone above all that is smaller than it. */
  g_assert_cmpint (find (f, "m/neg:0", "[-inf, inf]", -1, ""), ==, 0);
  g_assert_cmpint (find (f, "m/neg:0", "[-inf, inf]", 0, ""), ==, 2);
  g_assert_cmpint (find (f, "m/neg:0", "[inf, inf]", -1, ""), ==, find (f, "m/neg:0", "[[1e9, 1e10], [inf, inf]]", -1, ""));
  g_assert_cmpint (find (f, "m/neg:0", "[1e9, 1e10]", -1, ""), ==, -1);
  g_assert_cmpint (find (f, "m/neg:0", "@[1, 2]", -1, ""), ==, 5);
  g_assert_cmpint (find (f, "m/neg:0", "@-1,-3", -1, ""), ==, 3);
  assert_find_fails (f, "@[2, 0]", FLOW_ERROR_OUT_OF_RANGE);
  assert_find_fails (f, "@[1]", FLOW_ERROR_INVALID_ARGUMENT);
  assert_find_fails (f, "[1]", FLOW_ERROR_INVALID_ARGUMENT);
  assert_find_fails (f, "[one, two]", FLOW_ERROR_INVALID_ARGUMENT);
  assert_find_fails (f, "/text", FLOW_ERROR_INVALID_ARGUMENT);
}

/* A pinned moment stays comparable when the same run begins again with other feeds. */
static void
test_pin_and_compare (Fixture      *f,
                      gconstpointer data)
{
  g_autoptr(GVariant) same = NULL;
  g_autoptr(GVariant) diff = NULL;
  g_autoptr(GVariant) worst = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) row = NULL;
  g_autoptr(GVariant) moments = NULL;
  GVariantBuilder tolerance;
  gint64 index = 0;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  call_plain (f, "Pin", NULL);
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  diff = call_value (f, "CompareValues", g_variant_new ("(ss@a{sv})", "net/mul:0", "net/mul:0@pin-1",
                                                        g_variant_new ("a{sv}", NULL)));
  /* x w: w halves from 1 to 0.5 after the first run */
  g_assert_cmpint (int_of (diff, "n_changed"), ==, 2);
  g_assert_cmpfloat (double_of (diff, "max_abs"), ==, 0.25);
  worst = g_variant_lookup_value (diff, "worst", G_VARIANT_TYPE ("a(xssd)"));
  g_assert_cmpuint (g_variant_n_children (worst), ==, 2);
  g_variant_get_child (worst, 0, "(x&s&sd)", &index, NULL, NULL, NULL);
  g_assert_cmpint (index, ==, 0);
  g_variant_builder_init (&tolerance, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&tolerance, "{sv}", "abs", g_variant_new_double (1));
  same = call_value (f, "CompareValues", g_variant_new ("(ss@a{sv})", "net/mul:0", "net/mul:0@pin-1",
                                                        g_variant_builder_end (&tolerance)));
  g_assert_cmpint (int_of (same, "n_over"), ==, 0);
  rows = call_value (f, "CompareVariables", g_variant_new ("(ss)", "pin-1", "now"));
  g_assert_cmpuint (g_variant_n_children (rows), ==, 2);
  row = g_variant_get_child_value (rows, 0);
  assert_text (row, "name", "count");
  g_assert_cmpfloat (double_of (row, "max_abs"), ==, 1);
  moments = call_value (f, "Moments", NULL);
  g_assert_cmpuint (g_variant_n_children (moments), ==, 3);
  assert_fails (f, "CompareVariables", g_variant_new ("(ss)", "pin-2", "now"), FLOW_ERROR_NOT_FOUND);
}

static void
test_save_value (Fixture      *f,
                 gconstpointer data)
{
  g_autofree char *npy = path_in (f, "value.npy");
  g_autofree char *csv = path_in (f, "value.csv");
  g_autofree char *npz = path_in (f, "value.npz");
  g_autofree char *text = NULL;
  g_autoptr(FlowTensor) back = NULL;
  g_autoptr(GError) error = NULL;

  feed_matrix (f);
  call_plain (f, "SaveValue", g_variant_new ("(ss)", "m/x:0", npy));
  call_plain (f, "SaveValue", g_variant_new ("(ss)", "m/x:0", npz));
  call_plain (f, "SaveValue", g_variant_new ("(ss)", "m/x:0", csv));
  back = flow_npy_load (npy, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (flow_tensor_get_dim (back, 1), ==, 3);
  g_assert_cmpfloat (flow_tensor_get_double (back, 5), ==, 6);
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "1.0,nan,3.0\n4.0,inf,6.0\n");
  assert_fails (f, "SaveValue", g_variant_new ("(ss)", "m/x:0", "value.doc"), FLOW_ERROR_INVALID_ARGUMENT);
}

static char *
kinds_of (GVariant *rows)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      g_autofree char *kind = text_of (row, "kind");
      g_autofree char *tensor = text_of (row, "tensor");

      g_string_append_printf (text, "%s%s %s", i > 0 ? "; " : "", kind, tensor);
    }
  return g_string_free (text, FALSE);
}

/* log (0) = -inf in the loss: found, with its clean input named, and traced back from what it spoiled. */
static void
test_origin (Fixture      *f,
             gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autofree char *kinds = NULL;

  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"zero\", \"fetches\": [\"loss/worse:0\"], "
                                                 "\"feeds\": {\"x:0\": {\"zeros\": [2]}}}"));
  choose (f, "train");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 w/read");
  choose (f, "zero");
  state = move (f, FLOW_MOVE_NEXT_BAD_VALUE, "");
  g_assert_cmpint (state->reason, ==, FLOW_STOP_BAD_VALUE);
  g_assert_cmpstr (name_of (f, state->stop_node), ==, "loss/log");
  g_assert_nonnull (strstr (state->message, "loss/log:0 (Log) made 0 NaN and 2 Inf of 2 elements"));
  g_assert_nonnull (strstr (state->message, "loss/scaled:0: min 0, max 0, 2 zeros"));
  flow_debug_state_free (move (f, FLOW_MOVE_RUN, ""));
  rows = call_value (f, "Origin", g_variant_new ("(st)", "loss/worse:0", G_MAXUINT64));
  kinds = kinds_of (rows);
  g_assert_cmpstr (kinds, ==, "bad loss/worse:0; passed loss/kept:0; origin loss/log:0");
}

/* A search for what happens next goes on in the runs that follow, and says so at their end. */
static void
test_search_across_runs (Fixture      *f,
                         gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) row = NULL;
  double change = 0;

  choose (f, "init");
  assert_move (f, FLOW_MOVE_NEXT_WRITE, "count", "watchpoint init@0 init");
  assert_move (f, FLOW_MOVE_NEXT_BAD_VALUE, "", "run-end loop@0 ");
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  call_plain (f, "Override", g_variant_new ("(ss)", "x:0", "[\"NaN\", 0]"));
  state = move (f, FLOW_MOVE_NEXT_WRITE, "w");
  g_assert_nonnull (strstr (state->message, "train/update wrote w: 1 of 2 elements changed, 1 of them to or from NaN\n"
                                            "before: float32 [2] min "));
  g_assert_nonnull (strstr (state->message, ", 1 NaN, 0 Inf"));
  rows = call_value (f, "Variables", NULL);
  row = g_variant_get_child_value (rows, 0);
  g_assert_true (g_variant_lookup (row, "max_abs_change", "d", &change));
  g_assert_true (isnan (change));
}

/* What a constant holds needs no run. */
static void
test_constant (Fixture      *f,
               gconstpointer data)
{
  g_autoptr(GVariant) info = call_value (f, "Describe", g_variant_new ("(su)", "w/initial:0", 0));
  g_autoptr(GVariant) other = call_value (f, "Describe", g_variant_new ("(su)", "w/read:0", 0));
  g_autofree char *state = text_of (info, "state");
  g_autofree char *other_state = text_of (other, "state");
  double mean = 0;

  g_assert_cmpstr (state, ==, "value");
  g_assert_true (g_variant_lookup (info, "mean", "d", &mean));
  g_assert_cmpfloat (mean, ==, 1.5);
  g_assert_cmpstr (other_state, ==, "not computed");
}

/* A bad feed spoils a variable; a later run reads it: the way back leads over who wrote it. */
static void
test_origin_across_runs (Fixture      *f,
                         gconstpointer data)
{
  g_autoptr(GVariant) rows = NULL;
  g_autofree char *kinds = NULL;

  choose (f, "init");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@0 w");
  call_plain (f, "Override", g_variant_new ("(ss)", "x:0", "[\"NaN\", 0]"));
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  call_plain (f, "Override", g_variant_new ("(ss)", "x:0", "[1, 1]"));
  assert_move (f, FLOW_MOVE_RUN_TO, "net/square", "step train@1 net/square");
  rows = call_value (f, "Origin", g_variant_new ("(st)", "net/mul:0", G_MAXUINT64));
  kinds = kinds_of (rows);
  g_assert_cmpstr (kinds, ==, "bad net/mul:0; passed w/read:0; writer train/update:0; bad train/delta:0; bad net/mul:0; "
                              "fed x:0");
}

static void
test_watch_conditions (Fixture      *f,
                       gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;
  guint id = 0;

  choose (f, "train");
  id = add_breakpoint (f, "watch:w if changed > 0.3");
  state = move (f, FLOW_MOVE_RUN, "");
  g_assert_cmpint (state->reason, ==, FLOW_STOP_WATCHPOINT);
  g_assert_cmpstr (name_of (f, state->stop_node), ==, "train/update");
  g_assert_nonnull (strstr (state->message, "train/update wrote w: 2 of 2 elements changed, by at most 0.5"));
  /* x = 0.5, 0.25: the second write moves w by 0.375, the third by less than 0.3 */
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  assert_move (f, FLOW_MOVE_RUN, "", "watchpoint train@1 train/one");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "watch:w if unchanged");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 l/zero");
  assert_move (f, FLOW_MOVE_RUN, "", "watchpoint loop@0 ");
  assert_fails (f, "AddBreakpoint", g_variant_new ("(s)", "node:w if unchanged"), FLOW_ERROR_INVALID_ARGUMENT);
}

static void
test_conditions (Fixture      *f,
                 gconstpointer data)
{
  guint id = 0;

  choose (f, "train");
  id = add_breakpoint (f, "type:Mul if shape == [2] and dtype == float32 and min > 0 once");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint train@0 net/square");
  /* Once only: the second Mul does not stop any more. */
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "before node:net/mul if run == 2");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint train@2 net/mul");
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "before node:l/w/add if iteration == 3");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 l/zero");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint loop@0 l/w/add");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
  call_plain (f, "RemoveBreakpoint", g_variant_new ("(u)", id));
  id = add_breakpoint (f, "node:l/w/Less every 2 hit 2");
  choose (f, "loop");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint loop@0 l/w/Less");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint loop@0 l/w/Less");
  assert_move (f, FLOW_MOVE_RUN, "", "breakpoint loop@0 l/w/Less");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
  assert_fails (f, "AddBreakpoint", g_variant_new ("(s)", "node:w if shape > 3"), FLOW_ERROR_INVALID_ARGUMENT);
  assert_fails (f, "AddBreakpoint", g_variant_new ("(s)", "node:w if dtype == real"), FLOW_ERROR_INVALID_ARGUMENT);
}

static void
logged_cb (FlowDebugger *debugger,
           guint64       position,
           const char   *text,
           GString      *log)
{
  g_string_append_printf (log, "%s;", text);
}

static void
test_log_words (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(GString) log = g_string_new (NULL);

  choose (f, "train");
  g_signal_connect (f->debugger, "logged", G_CALLBACK (logged_cb), log);
  add_breakpoint (f, "after node:net/mul log {node} of {run}@{i}: {min} to {max}, {shape} {nothing}");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (log->str, ==, "net/mul of train@0: 0.5 to 0.5, [2] {nothing};");
  g_signal_handlers_disconnect_by_data (f->debugger, log);
}

static void
test_writers (Fixture      *f,
              gconstpointer data)
{
  g_autoptr(FlowDebugState) state = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_NEXT_WRITE, "count", "watchpoint train@0 train_op");
  /* The search for the next write does not end with the run. */
  assert_move (f, FLOW_MOVE_NEXT_WRITE, "w", "watchpoint train@1 train/one");
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 0.25);
  assert_move (f, FLOW_MOVE_LAST_WRITE, "w", "watchpoint train@0 train/one");
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 0.5);
  assert_fails (f, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_LAST_WRITE, "nothing"), FLOW_ERROR_NOT_FOUND);
}

static gsize
count_of (GVariant   *dict,
          const char *key)
{
  g_autoptr(GVariant) list = g_variant_lookup_value (dict, key, NULL);

  g_assert_nonnull (list);
  return g_variant_n_children (list);
}

static void
test_plans (Fixture      *f,
            gconstpointer data)
{
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) row = NULL;
  g_autoptr(GVariant) diff = NULL;
  g_auto(GStrv) runs = NULL;
  guint64 hits = 0;
  gboolean found = FALSE;

  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"look\", \"fetches\": [\"net/square:0\"], "
                                                 "\"feeds\": {\"x:0\": {\"zeros\": [2]}}}"));
  choose (f, "loop");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end loop@0 ");
  rows = call_value (f, "Plans", NULL);
  for (gsize i = 0; i < g_variant_n_children (rows) && !found; i++)
    {
      g_clear_pointer (&row, g_variant_unref);
      g_clear_pointer (&runs, g_strfreev);
      row = g_variant_get_child_value (rows, i);
      g_assert_true (g_variant_lookup (row, "runs", "^as", &runs));
      found = runs[0] != NULL && strcmp (runs[0], "train") == 0;
    }
  g_assert_true (found);
  /* Three times train: made once, found twice. */
  g_assert_true (g_variant_lookup (row, "hits", "t", &hits));
  g_assert_cmpuint (hits, ==, 2);
  diff = call_value (f, "ComparePlans", g_variant_new ("(ss)", "train", "look"));
  g_assert_cmpuint (count_of (diff, "shared"), ==, 4);
  g_assert_cmpuint (count_of (diff, "only_a"), ==, 9);
  g_assert_cmpuint (count_of (diff, "only_b"), ==, 0);
  g_assert_cmpuint (count_of (diff, "shared_stateful"), ==, 1);
  assert_fails (f, "ComparePlans", g_variant_new ("(ss)", "train", "nothing"), FLOW_ERROR_NOT_FOUND);
}

/* What a scope's ops made is not kept, or only what it was like; the way back stays exact. */
static void
test_policies (Fixture      *f,
               gconstpointer data)
{
  g_autoptr(GVariant) info = NULL;

  call_plain (f, "SetPolicy", g_variant_new ("(ss)", "net", "keep-none"));
  call_plain (f, "SetPolicy", g_variant_new ("(ss)", "net/square", "keep-stats"));
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@0 train_op");
  value_at (f, "net/mul:0", G_MAXUINT64, "dropped");
  {
    g_autoptr(FlowDebuggerReply) reply = call (f, "GetValue", g_variant_new ("(st)", "net/square:0", G_MAXUINT64));

    info = g_variant_get_child_value (reply->value, 0);
    assert_text (info, "state", "dropped");
    g_assert_cmpfloat (double_of (info, "max"), ==, 0.25);
  }
  assert_value (f, "train/delta:0", G_MAXUINT64, 0, -0.5);
  assert_move (f, FLOW_MOVE_GOTO, "14", "step train@0 loss/log");
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 1);
  assert_fails (f, "SetPolicy", g_variant_new ("(ss)", "net", "keep-some"), FLOW_ERROR_INVALID_ARGUMENT);
}

static GVariant *
restore (Fixture    *f,
         const char *prefix)
{
  return call_value (f, "RestoreCheckpoint",
                     g_variant_new ("(s@a{ss}@as)", prefix, g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0),
                                    g_variant_new_strv (NULL, 0)));
}

/* Who asks which op wrote a variable is told of the checkpoint that its value is from, where no op did. */
static void
test_restored_not_written (Fixture      *f,
                           gconstpointer data)
{
  g_autofree char *prefix = path_in (f, "first.ckpt");
  g_autofree char *model = path_in (f, "model.run.json");
  g_autoptr(GError) error = NULL;

  choose (f, "train");
  call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", prefix));
  call_plain (f, "Open", g_variant_new ("(sa{sv})", model, NULL));
  g_variant_unref (restore (f, prefix));
  g_assert_null (flow_debugger_call_sync (f->debugger, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_LAST_WRITE, "w"), NULL,
                                          NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "no op wrote w before: its value is from the checkpoint first.ckpt"));
}

/* Two restores of one session stay comparable; a variable that is initialised again is flagged. */
static void
test_two_restores (Fixture      *f,
                   gconstpointer data)
{
  g_autofree char *first = path_in (f, "first.ckpt");
  g_autofree char *second = path_in (f, "second.ckpt");
  g_autofree char *stored = g_strdup_printf ("file:%s", first);
  g_autofree char *ref = g_strdup_printf ("file:%s#w", first);
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GVariant) row = NULL;
  g_autoptr(GVariant) files = NULL;
  g_autoptr(GVariant) variables = NULL;
  g_autoptr(GVariant) w = NULL;
  g_autoptr(GVariant) value = NULL;
  g_autoptr(FlowDebugState) state = NULL;
  gboolean again = FALSE;

  choose (f, "train");
  call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", first));
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", second));
  g_variant_unref (restore (f, first));
  g_variant_unref (restore (f, second));
  state = flow_debugger_dup_state (f->debugger);
  g_assert_cmpstr (state->restored_from, ==, second);
  rows = call_value (f, "CompareVariables", g_variant_new ("(ss)", "restore-1", "restore-2"));
  row = g_variant_get_child_value (rows, 1);
  assert_text (row, "name", "w");
  g_assert_cmpfloat (double_of (row, "max_abs"), ==, 0.5);
  files = call_value (f, "CompareVariables", g_variant_new ("(ss)", stored, "restore-1"));
  g_clear_pointer (&row, g_variant_unref);
  row = g_variant_get_child_value (files, 1);
  g_assert_cmpint (int_of (row, "changed"), ==, 0);
  value = call_value (f, "Describe", g_variant_new ("(su)", ref, 0));
  g_assert_cmpfloat (double_of (value, "max"), ==, 2);
  choose (f, "init");
  g_variant_unref (restore (f, second));
  flow_debug_state_free (move (f, FLOW_MOVE_RUN, ""));
  variables = call_value (f, "Variables", NULL);
  w = g_variant_get_child_value (variables, 0);
  g_assert_true (g_variant_lookup (w, "reinitialized", "b", &again));
  g_assert_true (again);
  assert_text (w, "writer", "w/Assign");
}

/* A graph whose variables have the names of the fixture's, and one has another dtype. */
static void
open_other_dtype (Fixture *f)
{
  g_autoptr(FlowGraph) graph = flow_test_graph (
    "w VariableV2 dtype=float shape=[2] container=\"\" shared_name=\"\"\n"
    "w/initial Const dtype=float value=v:8,9\n"
    "w/Assign Assign w w/initial T=float validate_shape=t:1 use_locking=t:1\n"
    "count VariableV2 dtype=int32 shape=[] container=\"\" shared_name=\"\"\n"
    "count/initial Const dtype=int32 value=i:3\n"
    "count/Assign Assign count count/initial T=int32 validate_shape=t:1 use_locking=t:1\n"
    "init NoOp ^w/Assign ^count/Assign\n");
  g_autofree char *path = path_in (f, "other.pb");
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = flow_graph_to_bytes (graph, &error);

  g_assert_no_error (error);
  write_file (path, bytes);
  call_plain (f, "Open", g_variant_new ("(sa{sv})", path, NULL));
}

/* A checkpoint's dtype is never read as another one, and what does not fit as a whole changes nothing: not the
 * variables that would have fitted either. */
static void
test_restore_another_dtype (Fixture      *f,
                            gconstpointer data)
{
  g_autofree char *prefix = path_in (f, "other.ckpt");
  g_autofree char *model = path_in (f, "model.run.json");
  const char *const only_w[] = { "w", NULL };
  g_autoptr(GVariant) match = NULL;
  g_autoptr(GVariant) clashes = NULL;
  g_autoptr(GVariant) clash = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(FlowDebuggerReply) reply = NULL;
  g_autoptr(GError) error = NULL;

  open_other_dtype (f);
  call_plain (f, "InitializeVariables", NULL);
  call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", prefix));
  call_plain (f, "Open", g_variant_new ("(sa{sv})", model, NULL));
  call_plain (f, "InitializeVariables", NULL);

  match = call_value (f, "MatchCheckpoint", g_variant_new ("(s)", prefix));
  clashes = g_variant_lookup_value (match, "clashes", G_VARIANT_TYPE ("aa{sv}"));
  g_assert_cmpuint (g_variant_n_children (clashes), ==, 1);
  clash = g_variant_get_child_value (clashes, 0);
  assert_text (clash, "name", "count");
  assert_text (clash, "graph", "float32 []");
  assert_text (clash, "file", "int32 []");

  reply = flow_debugger_call_sync (f->debugger, "RestoreCheckpoint",
                                   g_variant_new ("(s@a{ss}@as)", prefix, g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0),
                                                  g_variant_new_strv (NULL, 0)),
                                   NULL, NULL, &error);
  g_assert_null (reply);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "tensor_name = count; expected dtype float does not equal original dtype int32"));
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 1);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 0);

  /* What fits can be restored alone. */
  rows = call_value (f, "RestoreCheckpoint",
                     g_variant_new ("(s@a{ss}@as)", prefix, g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0),
                                    g_variant_new_strv (only_w, -1)));
  g_assert_cmpuint (g_variant_n_children (rows), ==, 1);
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 8);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 0);
}

/* By what comes into the op that saves: names in the file may be others, and parts of a variable share one. */
static void
test_savers (Fixture      *f,
             gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "models", "savers.meta", NULL);
  g_autofree char *expected_path = g_test_build_filename (G_TEST_DIST, "golden", "models", "savers.txt", NULL);
  g_autofree char *expected = NULL;
  g_autoptr(GString) found = g_string_new (NULL);
  g_autoptr(GVariant) rows = NULL;

  g_assert_true (g_file_get_contents (expected_path, &expected, NULL, NULL));
  call_plain (f, "Open", g_variant_new ("(sa{sv})", path, NULL));
  rows = call_value (f, "Savers", NULL);
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      g_autofree const char **left_out = NULL;
      const char *name = NULL;

      g_assert_true (g_variant_lookup (row, "name", "&s", &name));
      g_assert_true (g_variant_lookup (row, "left_out", "^a&s", &left_out));
      g_string_append (found, name);
      for (guint k = 0; left_out[k] != NULL; k++)
        g_string_append_printf (found, " %s", left_out[k]);
      g_string_append_c (found, '\n');
    }
  g_assert_cmpstr (found->str, ==, expected);
}

/* The checkpoints of a training, by their folder and one by one: how far each variable went at each step. */
static void
test_checkpoint_series (Fixture      *f,
                        gconstpointer data)
{
  g_autofree char *folder = g_build_filename (f->folder, "train", NULL);
  g_autoptr(FlowDebuggerReply) answer = NULL;
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) prefixes = NULL;
  const char *const none[] = { f->folder, NULL };
  const char *const whole[] = { folder, NULL };
  gboolean seen = FALSE;
  double w_total = 0;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  /* By number, not by name: 9 comes before 10. */
  for (guint step = 8; step <= 10; step++)
    {
      g_autofree char *name = g_strdup_printf ("model.ckpt-%u", step);
      g_autofree char *prefix = g_build_filename (folder, name, NULL);

      if (step == 8)
        choose (f, "train");
      else
        flow_debug_state_free (move (f, FLOW_MOVE_RUN, ""));
      call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", prefix));
    }
  assert_fails (f, "CheckpointSeries", g_variant_new ("(^as)", none), FLOW_ERROR_INVALID_ARGUMENT);
  answer = flow_debugger_call_sync (f->debugger, "CheckpointSeries", g_variant_new ("(^as)", whole), NULL, NULL, &error);
  g_assert_no_error (error);
  g_variant_get (answer->value, "(^as@aa{sv})", &prefixes, &rows);
  g_assert_cmpuint (g_strv_length (prefixes), ==, 3);
  g_assert_true (g_str_has_suffix (prefixes[0], "-8"));
  g_assert_true (g_str_has_suffix (prefixes[2], "-10"));
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      g_autoptr(GVariant) changes = g_variant_lookup_value (row, "changes", G_VARIANT_TYPE ("ad"));
      const char *name = NULL;
      double first = 0;
      double second = 0;

      g_variant_lookup (row, "name", "&s", &name);
      g_assert_cmpuint (g_variant_n_children (changes), ==, 2);
      g_variant_get_child (changes, 0, "d", &first);
      g_variant_get_child (changes, 1, "d", &second);
      if (strcmp (name, "w") != 0)
        continue;
      seen = TRUE;
      g_assert_cmpfloat (first, >, 0);
      g_assert_cmpfloat (second, >, 0);
      /* The whole way is no longer than its steps, and here no step leads back. */
      g_assert_cmpfloat (double_of (row, "total"), <=, first + second + 1e-9);
      g_assert_cmpfloat (double_of (row, "total"), >, MAX (first, second));
      g_assert_cmpfloat (double_of (row, "most"), ==, MAX (first, second));
      w_total = double_of (row, "total");
    }
  g_assert_true (seen);
  {
    g_autofree char *from = g_strdup_printf ("file:%s#w", prefixes[0]);
    g_autofree char *to = g_strdup_printf ("=norm(`file:%s#w` - `%s`)", prefixes[2], from);
    g_autoptr(GVariant) norm = call_value (f, "Describe", g_variant_new ("(su)", to, 0));

    g_assert_cmpfloat_with_epsilon (double_of (norm, "mean"), w_total, 1e-9);
  }
}

/* A restore with a name map among the runs, saved with the run file and read back. */
static void
test_restore_as_run (Fixture      *f,
                     gconstpointer data)
{
  g_autofree char *prefix = path_in (f, "kept.ckpt");
  g_autofree char *saved = path_in (f, "kept.run.json");
  g_autofree char *text = NULL;
  g_autoptr(FlowDebugState) state = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@1 w");
  call_plain (f, "SaveCheckpoint", g_variant_new ("(s)", prefix));
  assert_move (f, FLOW_MOVE_RUN, "", "run-end train@2 w");
  call_plain (f, "SetRun", g_variant_new ("(s)", "{\"name\": \"again\", \"restore\": \"kept.ckpt\", \"only\": [\"w\"]}"));
  call_plain (f, "ChooseRun", g_variant_new ("(s)", "again"));
  state = move (f, FLOW_MOVE_RESTART, "");
  g_assert_cmpstr (state->restored_from, ==, prefix);
  g_assert_cmpfloat (variable (f, "w", "now", 0), ==, 0.5);
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 2);
  call_plain (f, "SaveRunFile", g_variant_new ("(s)", saved));
  g_assert_true (g_file_get_contents (saved, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "kept.ckpt"));
  /* Saved, it still begins when it is asked for. */
  choose (f, "again");
  g_assert_cmpfloat (variable (f, "count", "now", 0), ==, 2);
}

/* What a window keeps goes into the run file and comes back with it, as it was. */
static void
test_window_data (Fixture      *f,
                  gconstpointer data)
{
  g_autofree char *saved = path_in (f, "kept.run.json");
  g_autoptr(GVariant) nothing = call_value (f, "WindowData", NULL);
  g_autoptr(GVariant) kept = NULL;

  g_assert_cmpstr (g_variant_get_string (nothing, NULL), ==, "");
  call_plain (f, "SetWindowData", g_variant_new ("(s)", "{\"bookmarks\":[{\"note\":\"ä\"}]}"));
  call_plain (f, "SaveRunFile", g_variant_new ("(s)", saved));
  call_plain (f, "SetWindowData", g_variant_new ("(s)", ""));
  call_plain (f, "LoadRunFile", g_variant_new ("(s)", saved));
  kept = call_value (f, "WindowData", NULL);
  g_assert_cmpstr (g_variant_get_string (kept, NULL), ==, "{\"bookmarks\":[{\"note\":\"ä\"}]}");
  assert_fails (f, "SetWindowData", g_variant_new ("(s)", "[1]"), FLOW_ERROR_INVALID_ARGUMENT);
  assert_fails (f, "SetWindowData", g_variant_new ("(s)", "{"), FLOW_ERROR_INVALID_ARGUMENT);
}

static void
test_ready (Fixture      *f,
            gconstpointer data)
{
  g_autoptr(GVariant) ready = NULL;
  guint32 node = flow_graph_find_node (flow_debugger_get_graph (f->debugger), "train/one");

  choose (f, "train");
  ready = call_value (f, "Ready", NULL);
  g_assert_cmpuint (g_variant_n_children (ready), ==, 4);
  call_plain (f, "ChooseNext", g_variant_new ("(u)", node));
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 w");
  g_assert_cmpuint (state_of (f, "train/one"), ==, FLOW_NODE_DONE);
  assert_fails (f, "ChooseNext", g_variant_new ("(u)", node), FLOW_ERROR_FAILED_PRECONDITION);
}

static void
test_recheck (Fixture      *f,
              gconstpointer data)
{
  g_autoptr(GVariant) rows = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@0 train_op");
  add_breakpoint (f, "type:Square if max > 0.2");
  rows = call_value (f, "Recheck", NULL);
  g_assert_cmpuint (g_variant_n_children (rows), ==, 1);
}

static void
test_overrides (Fixture      *f,
                gconstpointer data)
{
  g_autoptr(GVariant) names = NULL;
  g_autoptr(GVariant) none = NULL;

  choose (f, "train");
  assert_move (f, FLOW_MOVE_STEP_OP, "", "step train@0 w/read");
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", "[3, 3]"));
  assert_value (f, "net/mul:0", G_MAXUINT64, 0, 3);
  names = call_value (f, "Overrides", NULL);
  g_assert_cmpuint (g_variant_n_children (names), ==, 1);
  call_plain (f, "Override", g_variant_new ("(ss)", "net/mul:0", ""));
  none = call_value (f, "Overrides", NULL);
  g_assert_cmpuint (g_variant_n_children (none), ==, 0);
}

/* What the row of @node says beside it; G_MAXUINT64: there is no row. */
static guint64
find_row (GVariant *rows,
          guint32   node,
          guint     column)
{
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      g_autoptr(GVariant) key = g_variant_get_child_value (row, 0);
      g_autoptr(GVariant) value = g_variant_get_child_value (row, column);

      if (g_variant_get_uint32 (key) == node)
        return g_variant_is_of_type (value, G_VARIANT_TYPE_BYTE) ? g_variant_get_byte (value)
                                                                 : g_variant_get_uint64 (value);
    }
  return G_MAXUINT64;
}

/* Per node, of the run at hand only. */
static void
test_costs_and_health (Fixture      *f,
                       gconstpointer data)
{
  FlowGraph *graph = flow_debugger_get_graph (f->debugger);
  guint32 neg = flow_graph_find_node (graph, "m/neg");
  guint32 mul = flow_graph_find_node (graph, "net/mul");
  g_autoptr(GVariant) none = call_value (f, "Costs", NULL);
  g_autoptr(GVariant) costs = NULL;
  g_autoptr(GVariant) health = NULL;
  g_autoptr(GVariant) sound = NULL;

  g_assert_cmpuint (g_variant_n_children (none), ==, 0);
  choose (f, "train");
  assert_move (f, FLOW_MOVE_RUN_TO, "train_op", "step train@0 train_op");
  sound = call_value (f, "Health", NULL);
  g_assert_cmpuint (find_row (sound, neg, 1), ==, G_MAXUINT64);
  g_assert_cmpuint (find_row (sound, mul, 1), ==, FLOW_HEALTH_SOUND);
  feed_matrix (f);
  costs = call_value (f, "Costs", NULL);
  g_assert_cmpuint (find_row (costs, neg, 1), ==, 1);
  g_assert_cmpuint (find_row (costs, neg, 3), ==, 6 * sizeof (float));
  g_assert_cmpuint (find_row (costs, mul, 1), ==, G_MAXUINT64);
  health = call_value (f, "Health", NULL);
  g_assert_cmpuint (find_row (health, neg, 1), ==, FLOW_HEALTH_NAN);
}

static const struct {
  const char *name;
  void (*func) (Fixture *f, gconstpointer data);
} tests[] = {
  { "describe", test_describe },
  { "slice", test_slice },
  { "hostile-references", test_hostile_references },
  { "find", test_find },
  { "find-written", test_find_written },
  { "pin-and-compare", test_pin_and_compare },
  { "save-value", test_save_value },
  { "origin", test_origin },
  { "origin-across-runs", test_origin_across_runs },
  { "search-across-runs", test_search_across_runs },
  { "constant", test_constant },
  { "watch-conditions", test_watch_conditions },
  { "conditions", test_conditions },
  { "log-words", test_log_words },
  { "writers", test_writers },
  { "plans", test_plans },
  { "policies", test_policies },
  { "two-restores", test_two_restores },
  { "restored-not-written", test_restored_not_written },
  { "restore-another-dtype", test_restore_another_dtype },
  { "savers", test_savers },
  { "checkpoint-series", test_checkpoint_series },
  { "restore-as-run", test_restore_as_run },
  { "ready", test_ready },
  { "recheck", test_recheck },
  { "overrides", test_overrides },
  { "window-data", test_window_data },
  { "costs-and-health", test_costs_and_health },
};

guint
debugger_suite_add_values (const char    *prefix,
                           DebuggerMaker  make)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat (prefix, "/", tests[i].name, NULL);

      g_test_add (path, Fixture, (gconstpointer) make, set_up, tests[i].func, tear_down);
    }
  return G_N_ELEMENTS (tests);
}
