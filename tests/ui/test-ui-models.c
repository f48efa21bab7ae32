/* test-ui-models.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>

#include "flow-event-list.h"
#include "flow-fake-debugger.h"
#include "flow-format.h"
#include "flow-outline-list.h"
#include "flow-search.h"
#include "flow-tensor-slice.h"
#include "flow-ui-session.h"
#include "flow-variant-item.h"
#include "flow-variant-rows.h"

static void
run_until_idle (FlowUiSession *session)
{
  gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  do
    while (g_main_context_iteration (NULL, FALSE))
      ;
  while (flow_ui_session_get_pending (session) > 0 && g_get_monotonic_time () < end);
  g_assert_cmpuint (flow_ui_session_get_pending (session), ==, 0);
}

static FlowUiSession *
open_fake (void)
{
  FlowUiSession *session = flow_ui_session_new (flow_fake_debugger_factory, NULL);

  flow_ui_session_open (session, FLOW_FAKE_PATH, NULL);
  run_until_idle (session);
  g_assert_nonnull (flow_ui_session_get_graph (session));
  return session;
}

static void
start (FlowUiSession *session)
{
  flow_ui_session_choose_run (session, "train");
  run_until_idle (session);
  flow_ui_session_move (session, FLOW_MOVE_RESTART, NULL);
  run_until_idle (session);
}

/* --- Words --- */

static void
assert_number (double      value,
               const char *expected)
{
  g_autofree char *text = flow_format_number (value);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_format_numbers (void)
{
  assert_number (0, "0");
  assert_number (-0.0, "0");
  assert_number (3, "3");
  assert_number (-2.5, "−2.5");
  assert_number (1234567, "1234567");
  assert_number (1e30, "1e+30");
  assert_number (NAN, "NaN");
  assert_number (-INFINITY, "−Inf");
}

static void
test_format_counts (void)
{
  g_autofree char *a = flow_format_count (614);
  g_autofree char *b = flow_format_count (1234567);
  g_autoptr(GVariant) dims = g_variant_ref_sink (g_variant_new_parsed ("[int64 32,-1,3]"));
  g_autofree char *c = flow_format_shape (dims);

  g_assert_cmpstr (a, ==, "614");
  g_assert_cmpstr (b, ==, "1 234 567");
  g_assert_cmpstr (c, ==, "[32,?,3]");
}

static void
test_lookup_is_tolerant (void)
{
  g_autoptr(GVariant) dict =
    g_variant_ref_sink (g_variant_new_parsed ("{'a': <uint32 3>, 'b': <'text'>, 'c': <true>}"));
  g_auto(GStrv) none = flow_lookup_strv (dict, "b");

  g_assert_cmpint (flow_lookup_int (dict, "a", -1), ==, 3);
  g_assert_cmpfloat (flow_lookup_double (dict, "a", -1), ==, 3);
  g_assert_cmpint (flow_lookup_int (dict, "b", -1), ==, -1);
  g_assert_cmpint (flow_lookup_int (dict, "missing", 7), ==, 7);
  g_assert_null (flow_lookup_string (dict, "a"));
  g_assert_true (flow_lookup_bool (dict, "c"));
  g_assert_null (none[0]);
}

/* --- Rows that stay the same objects --- */

static void
test_variant_store_keeps_rows (void)
{
  g_autoptr(GListStore) store = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  g_autoptr(GVariant) before =
    g_variant_ref_sink (g_variant_new_parsed ("[{'name': <'a'>, 'n': <1>}, {'name': <'b'>, 'n': <1>}]"));
  g_autoptr(GVariant) after =
    g_variant_ref_sink (g_variant_new_parsed ("[{'name': <'a'>, 'n': <2>}, {'name': <'b'>, 'n': <1>}]"));
  g_autoptr(GVariant) shorter =
    g_variant_ref_sink (g_variant_new_parsed ("[{'name': <'b'>, 'n': <1>}]"));
  g_autoptr(FlowVariantItem) first = NULL;
  g_autoptr(FlowVariantItem) again = NULL;

  flow_variant_store_update (store, before, "name");
  first = g_list_model_get_item (G_LIST_MODEL (store), 0);
  flow_variant_store_update (store, after, "name");
  again = g_list_model_get_item (G_LIST_MODEL (store), 0);
  g_assert_true (first == again);
  g_assert_cmpint (flow_lookup_int (flow_variant_item_get_value (first), "n", 0), ==, 2);
  flow_variant_store_update (store, shorter, "name");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (store)), ==, 1);
}

/* --- Session --- */

static void
test_session_opens_and_plans (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  guint32 node = flow_graph_find_node (flow_ui_session_get_graph (session), "layer/MatMul");
  guint32 unused = flow_graph_find_node (flow_ui_session_get_graph (session), "unused/Neg");

  /* The first run is chosen by itself. */
  g_assert_cmpstr (flow_ui_session_get_chosen_run (session), ==, "train");
  g_assert_nonnull (flow_ui_session_get_plan (session));
  g_assert_cmpuint (flow_ui_session_get_node_state (session, node), ==, FLOW_NODE_PENDING);
  g_assert_cmpuint (flow_ui_session_get_node_state (session, unused), ==, FLOW_NODE_NOT_IN_RUN);
  flow_ui_session_close (session);
}

static void
failed_cb (FlowUiSession *session,
           const char    *title,
           const GError  *error,
           guint         *n)
{
  (*n)++;
}

/* What a script ran may be over before it can be planned: that is no mistake. A name that nobody has is one. */
static void
test_session_of_script (void)
{
  g_autoptr(FlowUiSession) session = flow_ui_session_new (flow_fake_debugger_factory, NULL);
  guint n_failed = 0;

  g_signal_connect (session, "failed", G_CALLBACK (failed_cb), &n_failed);
  flow_ui_session_open (session, FLOW_FAKE_SCRIPT_PATH, NULL);
  run_until_idle (session);
  g_assert_true (flow_ui_session_is_script (session));
  g_assert_cmpstr (flow_ui_session_get_chosen_run (session), ==, "train");
  g_assert_null (flow_ui_session_get_plan (session));
  g_assert_cmpuint (n_failed, ==, 0);
  flow_ui_session_choose_run (session, "nobody");
  run_until_idle (session);
  g_assert_cmpuint (n_failed, ==, 1);
  flow_ui_session_close (session);
}

static void
test_session_steps_and_goes_back (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();

  start (session);
  g_assert_cmpuint (flow_ui_session_get_state (session)->position, ==, 0);
  /* Three keys pressed faster than the engine answers are three steps. */
  for (guint i = 0; i < 3; i++)
    flow_ui_session_move (session, FLOW_MOVE_STEP_OP, NULL);
  run_until_idle (session);
  g_assert_cmpuint (flow_ui_session_get_state (session)->position, ==, 3);
  for (guint i = 0; i < 3; i++)
    flow_ui_session_move (session, FLOW_MOVE_BACK, NULL);
  run_until_idle (session);
  g_assert_cmpuint (flow_ui_session_get_state (session)->position, ==, 0);
  g_assert_cmpuint (flow_ui_session_get_state (session)->n_events, ==, 3);
  flow_ui_session_close (session);
}

static void
test_session_drag_is_one_move (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowFakeDebugger *fake = FLOW_FAKE_DEBUGGER (flow_ui_session_get_debugger (session));
  guint before = 0;

  start (session);
  flow_ui_session_move (session, FLOW_MOVE_RUN, NULL);
  run_until_idle (session);
  before = flow_fake_debugger_get_n_calls (fake, "Move");
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i % 5);

      flow_ui_session_move (session, FLOW_MOVE_GOTO, text);
    }
  run_until_idle (session);
  g_assert_cmpuint (flow_fake_debugger_get_n_calls (fake, "Move") - before, ==, 2);
  g_assert_cmpuint (flow_ui_session_get_state (session)->position, ==, 4);
  flow_ui_session_close (session);
}

static void
count_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  guint *count = g_object_get_data (owner, "count");

  g_assert_no_error (error);
  (*count)++;
  g_object_set_data (owner, "last", data);
}

/* Of many questions with one tag the first is asked, and the last: never the answer of another one. */
static void
test_session_drops_stale_answers (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowFakeDebugger *fake = FLOW_FAKE_DEBUGGER (flow_ui_session_get_debugger (session));
  g_autoptr(GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  guint count = 0;
  guint before = flow_fake_debugger_get_n_calls (fake, "Inspect");

  g_object_set_data (owner, "count", &count);
  for (guint i = 0; i < 10; i++)
    flow_ui_session_query (session, owner, "t", "Inspect", g_variant_new ("(ut)", i, G_MAXUINT64),
                           count_cb, GUINT_TO_POINTER (i));
  run_until_idle (session);
  g_assert_cmpuint (flow_fake_debugger_get_n_calls (fake, "Inspect") - before, ==, 2);
  g_assert_cmpuint (count, ==, 1);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_object_get_data (owner, "last")), ==, 9);
  flow_ui_session_close (session);
}

static void
test_session_owner_may_go (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  guint count = 0;

  g_object_set_data (owner, "count", &count);
  flow_ui_session_query (session, owner, "t", "Variables", NULL, count_cb, NULL);
  g_object_unref (owner);
  run_until_idle (session);
  g_assert_cmpuint (count, ==, 0);
  flow_ui_session_close (session);
}

/* Digests that were made, that are still there, and whether one was made by the thread of the window. */
static int n_digests;
static int n_digests_alive;
static int n_digests_here;
static GThread *here;

static gpointer
count_rows (GVariant *answer)
{
  g_autoptr(GVariant) rows = g_variant_get_child_value (answer, 0);
  gsize *n = g_new (gsize, 1);

  g_atomic_int_inc (&n_digests);
  g_atomic_int_inc (&n_digests_alive);
  if (g_thread_self () == here)
    g_atomic_int_inc (&n_digests_here);
  *n = g_variant_n_children (rows);
  return n;
}

static void
digest_free (gpointer data)
{
  g_atomic_int_dec_and_test (&n_digests_alive);
  g_free (data);
}

static void
digest_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  guint *count = g_object_get_data (owner, "count");
  const gsize *n = data;
  g_autoptr(GVariant) rows = NULL;

  (*count)++;
  if (reply == NULL)
    {
      g_assert_nonnull (error);
      g_assert_null (n);
      return;
    }
  rows = g_variant_get_child_value (reply->value, 0);
  g_assert_cmpuint (*n, ==, g_variant_n_children (rows));
}

/* Long answers are read aside, one for those that are wanted, and nothing of them stays. */
static void
test_session_digests_aside (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  guint count = 0;

  here = g_thread_self ();
  n_digests = n_digests_alive = n_digests_here = 0;
  g_object_set_data (owner, "count", &count);
  for (guint i = 0; i < 10; i++)
    flow_ui_session_query_digested (session, owner, "t", "Variables", NULL, count_rows, digest_free, digest_cb);
  run_until_idle (session);
  g_assert_cmpuint (count, >=, 1);
  g_assert_cmpint (n_digests, ==, 2);
  g_assert_cmpint (n_digests_here, ==, 0);
  g_assert_cmpint (n_digests_alive, ==, 0);

  /* An error is told, and digested by nobody. */
  count = 0;
  flow_ui_session_query_digested (session, owner, "t", "NoSuchMethod", NULL, count_rows, digest_free, digest_cb);
  run_until_idle (session);
  g_assert_cmpuint (count, ==, 1);
  g_assert_cmpint (n_digests, ==, 2);

  /* Who asked may go while another thread reads. */
  count = 0;
  flow_ui_session_query_digested (session, owner, "t", "Variables", NULL, count_rows, digest_free, digest_cb);
  g_object_unref (owner);
  run_until_idle (session);
  g_assert_cmpuint (count, ==, 0);
  g_assert_cmpint (n_digests_alive, ==, 0);
  flow_ui_session_close (session);
}

static void
test_session_selects_names (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowGraph *graph = flow_ui_session_get_graph (session);

  g_assert_true (flow_ui_session_select_name (session, "loss/mean:0"));
  g_assert_cmpuint (flow_ui_session_get_selected_node (session), ==,
                    flow_graph_find_node (graph, "loss/mean"));
  g_assert_true (flow_ui_session_select_name (session, "^layer/MatMul"));
  g_assert_cmpuint (flow_ui_session_get_selected_node (session), ==,
                    flow_graph_find_node (graph, "layer/MatMul"));
  g_assert_true (flow_ui_session_select_name (session, "layer/"));
  g_assert_cmpuint (flow_ui_session_get_selected_node (session), ==, FLOW_NODE_NONE);
  g_assert_cmpuint (flow_ui_session_get_selected_scope (session), ==,
                    flow_graph_find_scope (graph, "layer"));
  g_assert_false (flow_ui_session_select_name (session, "no/such"));
  flow_ui_session_go_back (session);
  g_assert_cmpuint (flow_ui_session_get_selected_node (session), ==,
                    flow_graph_find_node (graph, "layer/MatMul"));
  flow_ui_session_go_forward (session);
  g_assert_cmpuint (flow_ui_session_get_selected_scope (session), ==,
                    flow_graph_find_scope (graph, "layer"));
  g_assert_false (flow_ui_session_can_go_forward (session));
  flow_ui_session_close (session);
}

/* --- Lists --- */

static void
test_outline_is_in_file_order (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autoptr(GListModel) list =
    G_LIST_MODEL (flow_outline_list_new_children (session, FLOW_SCOPE_ROOT));
  static const char *const expected[] = { "x", "layer", "loss", "unused", "train_op" };

  g_assert_cmpuint (g_list_model_get_n_items (list), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr(FlowOutlineItem) item = g_list_model_get_item (list, i);
      guint32 node = flow_outline_item_get_node (item);
      guint position = 0;

      g_assert_cmpstr (node != FLOW_NODE_NONE
                         ? flow_graph_get_node_leaf (graph, node)
                         : flow_graph_get_scope_leaf (graph, flow_outline_item_get_scope (item)),
                       ==, expected[i]);
      g_assert_true (flow_outline_list_find (FLOW_OUTLINE_LIST (list), node,
                                             flow_outline_item_get_scope (item), &position));
      g_assert_cmpuint (position, ==, i);
    }
  flow_ui_session_close (session);
}

/* The variable `layer/w` and its scope are one row, and the variable leads what is in it. */
static void
test_outline_joins_variable_and_scope (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autoptr(GListModel) layer = G_LIST_MODEL (
    flow_outline_list_new_children (session, flow_graph_find_scope (graph, "layer")));
  g_autoptr(GListModel) variable = G_LIST_MODEL (
    flow_outline_list_new_children (session, flow_graph_find_scope (graph, "layer/w")));
  g_autoptr(FlowOutlineItem) own = g_list_model_get_item (variable, 0);

  g_assert_cmpuint (g_list_model_get_n_items (layer), ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (variable), ==, 2);
  g_assert_cmpuint (flow_outline_item_get_node (own), ==, flow_graph_find_node (graph, "layer/w"));
  flow_ui_session_close (session);
}

static void
test_scope_states (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowGraph *graph = flow_ui_session_get_graph (session);
  guint32 layer = flow_graph_find_scope (graph, "layer");
  guint32 unused = flow_graph_find_scope (graph, "unused");

  start (session);
  /* The first op of the plan is in `layer`: a closed box says so. */
  g_assert_cmpuint (flow_scope_states_get_state (flow_ui_session_get_scope_states (session), layer),
                    ==, FLOW_NODE_NEXT);
  g_assert_cmpuint (flow_scope_states_get_state (flow_ui_session_get_scope_states (session), unused),
                    ==, FLOW_NODE_NOT_IN_RUN);
  flow_ui_session_move (session, FLOW_MOVE_RUN, NULL);
  run_until_idle (session);
  g_assert_cmpuint (flow_scope_states_get_n_done (flow_ui_session_get_scope_states (session), layer),
                    ==, 4);
  g_assert_cmpuint (flow_scope_states_get_state (flow_ui_session_get_scope_states (session), layer),
                    ==, FLOW_NODE_DONE);
  flow_ui_session_close (session);
}

typedef struct {
  GArray *hits;
  gboolean done;
} Found;

static void
found_cb (const guint32 *hits,
          guint          n_hits,
          gpointer       data)
{
  Found *found = data;

  g_array_set_size (found->hits, 0);
  g_array_append_vals (found->hits, hits, n_hits);
  found->done = TRUE;
}

static void
assert_hits (FlowUiSession *session,
             const char    *text,
             const char    *expected)
{
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autoptr(GString) names = g_string_new (NULL);
  Found found = { g_array_new (FALSE, FALSE, sizeof (guint32)), FALSE };
  FlowSearch *search = flow_search_start (session, text, found_cb, &found);

  while (!found.done)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < found.hits->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                            flow_graph_get_node_name (graph,
                                                      g_array_index (found.hits, guint32, i)));
  g_assert_cmpstr (names->str, ==, expected);
  flow_search_cancel (search);
  g_array_unref (found.hits);
}

static void
test_search (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();

  assert_hits (session, "relu", "layer/act/Relu");
  assert_hits (session, "type:VariableV2", "layer/w");
  /* The leaf itself before what only begins so, before what has it in its path. */
  assert_hits (session, "w", "layer/w layer/w/read");
  assert_hits (session, "scope:loss dtype:int32", "loss/axis");
  assert_hits (session, "^lo.*an$", "loss/mean");
  assert_hits (session, "scope:loss ^mean", "loss/mean");
  assert_hits (session, "nothing-like-it", "");
  assert_hits (session, "shape:8x4", "layer/w layer/w/read");
  assert_hits (session, "shape:[32,4] type:Relu", "layer/act/Relu");
  assert_hits (session, "shape:32x* scope:unused", "unused/Neg");
  assert_hits (session, "shape:scalar type:mean", "loss/mean");
  assert_hits (session, "attr:keep_dims", "loss/mean");
  assert_hits (session, "attr:keep_dims=true", "");
  assert_hits (session, "attr:T=int32", "");
  assert_hits (session, "attr:dtype=int32", "loss/axis");
  /* Mistyped: a letter left out, one too many, another, two exchanged. */
  assert_hits (session, "unsed/neg", "unused/Neg");
  assert_hits (session, "layerr/matmul", "layer/MatMul");
  assert_hits (session, "sqaure", "loss/Square");
  assert_hits (session, "train_up", "train_op");
  /* What is wanted besides must hold as it stands. */
  assert_hits (session, "sqaure type:Relu", "");
  flow_ui_session_close (session);
}

/* Whatever a search takes out of a pattern beforehand, it finds what the pattern alone finds. */
static void
test_search_by_patterns (void)
{
  static const char *const patterns[] = {
    "rel?u", "relux?", "r[e-f]lu", "lay.r/w$", "w+", "w*", "[^a]/w", "[]a-c]x", "[[:alpha:]r]e", "tw{2}o?w", "x{0}w", "w{1,3}",
    "m\\w+n", "lo\\S+", "matmul|relu", "(w)", "r\\x65ad", "\\Qread\\E", "read\\b", "mean.?", "MEAN$", "layer/.*/relu", "-+", "a{x",
  };
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowGraph *graph = flow_ui_session_get_graph (session);

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr(GRegex) regex = g_regex_new (patterns[i], G_REGEX_CASELESS, 0, NULL);
      Found found = { g_array_new (FALSE, FALSE, sizeof (guint32)), FALSE };
      FlowSearch *search = flow_search_start (session, patterns[i], found_cb, &found);
      guint n_expected = 0;

      while (!found.done)
        g_main_context_iteration (NULL, TRUE);
      for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
        n_expected += g_regex_match (regex, flow_graph_get_node_name (graph, node), 0, NULL)
                      || g_regex_match (regex, flow_graph_get_node_type (graph, node), 0, NULL);
      g_test_message ("%s: %u", patterns[i], n_expected);
      for (guint k = 0; k < found.hits->len && found.hits->len != n_expected; k++)
        g_test_message ("%s", flow_graph_get_node_name (graph, g_array_index (found.hits, guint32, k)));
      g_assert_cmpuint (found.hits->len, ==, n_expected);
      flow_search_cancel (search);
      g_array_unref (found.hits);
    }
  flow_ui_session_close (session);
}

/* The fewest letters to change, leave out or put in for @word to stand somewhere in @text: a table of all
 * beginnings of both (P. Sellers, "The theory and computation of evolutionary distances", 1980). */
static guint
count_errors_by_table (const char *word,
                       const char *text)
{
  gsize n = strlen (word);
  g_autofree guint *column = g_new (guint, n + 1);
  guint best = 0;

  for (guint i = 0; i <= n; i++)
    column[i] = i;
  best = column[n];
  for (const char *p = text; *p != '\0'; p++)
    {
      guint corner = column[0];

      for (gsize i = 1; i <= n; i++)
        {
          guint left = column[i];
          guint changed = corner + (g_ascii_tolower (word[i - 1]) != g_ascii_tolower (*p));

          column[i] = MIN (changed, MIN (left, column[i - 1]) + 1);
          corner = left;
        }
      best = MIN (best, column[n]);
    }
  return best;
}

/* Mistypes @word in one or two places: @kind says how. */
static char *
mistype (const char *word,
         guint       kind)
{
  GString *text = g_string_new (word);

  for (guint e = 0; e <= kind % 2 && text->len > 0; e++)
    {
      gssize place = (gssize) ((kind * 7 + e * 5) % text->len);

      if (kind / 2 % 3 == 0)
        g_string_erase (text, place, 1);
      else if (kind / 2 % 3 == 1)
        g_string_insert_c (text, place, 'q');
      else
        text->str[place] = 'z';
    }
  return g_string_free (text, FALSE);
}

/* However a search leaves names out that cannot be meant, it finds what a table of all letters finds. */
static void
test_search_by_mistypes (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowGraph *graph = flow_ui_session_get_graph (session);
  guint n_similar = 0;

  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    for (guint kind = 0; kind < 12; kind++)
      {
        g_autofree char *word = mistype (flow_graph_get_node_name (graph, node), kind);
        gsize length = strlen (word);
        Found found = { g_array_new (FALSE, FALSE, sizeof (guint32)), FALSE };
        FlowSearch *search = NULL;

        if (length >= 4 && strpbrk (word, "*+?[](){}|^$\\:") == NULL)
          {
            search = flow_search_start (session, word, found_cb, &found);
            while (!found.done)
              g_main_context_iteration (NULL, TRUE);
          }
        if (search != NULL && flow_search_is_similar (search))
          {
            g_autoptr(GHashTable) hits = g_hash_table_new (NULL, NULL);

            n_similar++;
            for (guint i = 0; i < found.hits->len; i++)
              g_hash_table_add (hits, GUINT_TO_POINTER (g_array_index (found.hits, guint32, i)));
            for (guint32 other = 0; other < flow_graph_get_n_nodes (graph); other++)
              {
                guint errors = count_errors_by_table (word, flow_graph_get_node_name (graph, other));

                g_test_message ("%s, %s: %u", word, flow_graph_get_node_name (graph, other), errors);
                g_assert_cmpint (g_hash_table_contains (hits, GUINT_TO_POINTER (other)), ==,
                                 errors <= (length < 6 ? 1 : 2));
              }
          }
        flow_search_cancel (search);
        g_array_unref (found.hits);
      }
  g_assert_cmpuint (n_similar, >, 20);
  flow_ui_session_close (session);
}

static void
test_events_come_by_page (void)
{
  g_autoptr(FlowUiSession) session = open_fake ();
  FlowFakeDebugger *fake = FLOW_FAKE_DEBUGGER (flow_ui_session_get_debugger (session));
  g_autoptr(FlowEventList) events = flow_event_list_new (session);
  g_autoptr(FlowVariantItem) item = NULL;

  start (session);
  flow_ui_session_move (session, FLOW_MOVE_RUN, NULL);
  run_until_idle (session);
  flow_event_list_set_n_events (events, flow_ui_session_get_state (session)->n_events);
  g_assert_cmpuint (flow_fake_debugger_get_n_calls (fake, "Events"), ==, 0);
  item = g_list_model_get_item (G_LIST_MODEL (events), 2);
  g_assert_null (flow_variant_item_get_string (item, "run"));
  run_until_idle (session);
  g_assert_cmpuint (flow_fake_debugger_get_n_calls (fake, "Events"), ==, 1);
  g_assert_cmpstr (flow_variant_item_get_string (item, "run"), ==, "train");
  flow_ui_session_close (session);
}

/* --- Slices --- */

static FlowTensorSlice *
new_slice (int           rank,
           const gint64 *dims)
{
  g_autoptr(FlowShape) shape = flow_shape_new (rank, dims);
  g_autoptr(FlowTensor) tensor = flow_tensor_new (FLOW_DTYPE_INT32, shape, NULL, NULL);
  gint32 *data = flow_tensor_get_writable (tensor);

  for (gint64 i = 0; i < flow_tensor_get_n_elements (tensor); i++)
    data[i] = (gint32) i;
  return flow_tensor_slice_new_for_tensor (tensor);
}

static void
assert_slice (FlowTensorSlice *slice,
              const char      *expected)
{
  g_autofree char *text = flow_tensor_slice_to_string (slice);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_slice_of_images (void)
{
  const gint64 dims[] = { 2, 5, 5, 3 };
  g_autoptr(FlowTensorSlice) slice = new_slice (4, dims);
  g_autofree char *cell = NULL;

  assert_slice (slice, "[0, :, :, 0]");
  g_assert_true (flow_tensor_slice_parse (slice, "[1, :, :, 2]"));
  g_assert_cmpint (flow_tensor_slice_get_n_rows (slice), ==, 5);
  /* Element [1, 3, 4, 2] of [2, 5, 5, 3] in row-major order. */
  g_assert_cmpint (flow_tensor_slice_get_element (slice, 3, 4), ==, 75 + 45 + 12 + 2);
  cell = flow_tensor_slice_dup_text (slice, 3, 4);
  g_assert_cmpstr (cell, ==, "134");
  g_assert_true (flow_tensor_slice_parse (slice, "-1,0,:,:"));
  assert_slice (slice, "[1, 0, :, :]");
}

static void
test_slice_refuses (void)
{
  const gint64 dims[] = { 2, 5, 5, 3 };
  g_autoptr(FlowTensorSlice) slice = new_slice (4, dims);
  static const char *const bad[] = {
    "", "[0]", "[0, :, :, 3]", "[:, :, :, 0]", "[a, :, :, 0]", "[-3, :, :, 0]", "[0, :, :, 0, 0]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (flow_tensor_slice_parse (slice, bad[i]));
      assert_slice (slice, "[0, :, :, 0]");
    }
}

static void
test_slice_of_small_ranks (void)
{
  const gint64 vector[] = { 7 };
  const gint64 empty[] = { 3, 0 };
  g_autoptr(FlowTensorSlice) a = new_slice (0, NULL);
  g_autoptr(FlowTensorSlice) b = new_slice (1, vector);
  g_autoptr(FlowTensorSlice) c = new_slice (2, empty);

  g_assert_cmpint (flow_tensor_slice_get_n_rows (a), ==, 1);
  g_assert_cmpint (flow_tensor_slice_get_n_columns (a), ==, 1);
  g_assert_cmpint (flow_tensor_slice_get_n_rows (b), ==, 7);
  g_assert_cmpint (flow_tensor_slice_get_n_columns (b), ==, 1);
  g_assert_cmpint (flow_tensor_slice_get_n_rows (c), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();

  g_test_add_func ("/ui/format/numbers", test_format_numbers);
  g_test_add_func ("/ui/format/counts", test_format_counts);
  g_test_add_func ("/ui/format/lookup-is-tolerant", test_lookup_is_tolerant);
  g_test_add_func ("/ui/variant-store/keeps-rows", test_variant_store_keeps_rows);
  g_test_add_func ("/ui/session/opens-and-plans", test_session_opens_and_plans);
  g_test_add_func ("/ui/session/of-script", test_session_of_script);
  g_test_add_func ("/ui/session/steps-and-goes-back", test_session_steps_and_goes_back);
  g_test_add_func ("/ui/session/drag-is-one-move", test_session_drag_is_one_move);
  g_test_add_func ("/ui/session/drops-stale-answers", test_session_drops_stale_answers);
  g_test_add_func ("/ui/session/owner-may-go", test_session_owner_may_go);
  g_test_add_func ("/ui/session/digests-aside", test_session_digests_aside);
  g_test_add_func ("/ui/session/selects-names", test_session_selects_names);
  g_test_add_func ("/ui/outline/is-in-file-order", test_outline_is_in_file_order);
  g_test_add_func ("/ui/outline/joins-variable-and-scope", test_outline_joins_variable_and_scope);
  g_test_add_func ("/ui/outline/scope-states", test_scope_states);
  g_test_add_func ("/ui/search/terms", test_search);
  g_test_add_func ("/ui/search/patterns", test_search_by_patterns);
  g_test_add_func ("/ui/search/mistypes", test_search_by_mistypes);
  g_test_add_func ("/ui/events/come-by-page", test_events_come_by_page);
  g_test_add_func ("/ui/slice/of-images", test_slice_of_images);
  g_test_add_func ("/ui/slice/refuses", test_slice_refuses);
  g_test_add_func ("/ui/slice/of-small-ranks", test_slice_of_small_ranks);

  return g_test_run ();
}
