/* test-ui-tasks.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include "flow-test-folder.h"
#include "flow-widget-finder.h"

/* What people come for, each from the file to the answer as the window says it, over the real engine process. */

#define LOG_OF_ZERO "training/log-of-zero"

/* The real graphs are in FLOW_TEST_SHARED. Returns: (transfer full) (nullable) */
static char *
real_path (const char *name)
{
  const char *shared = g_getenv ("FLOW_TEST_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "", "fixtures", "real", name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

static void
assert_says (FlowWindow *window,
             const char *part)
{
  if (find_label_with (GTK_WIDGET (window), part) == NULL)
    g_error ("nothing in the window says “%s”", part);
}

static void
assert_message (FlowWindow *window,
                const char *part)
{
  g_autoptr(JsonObject) state = drive_dup_state (window);
  const char *message = drive_state_text (state, "message");

  if (strstr (message, part) == NULL)
    g_error ("“%s” does not say “%s”", message, part);
}

static void
set_up (TestFolder    *f,
        gconstpointer  data)
{
  test_folder_set_up (f, data);
  test_folder_copy_all (f, LOG_OF_ZERO);
}

/* --- Why moving averages never move --- */

static void
test_moving_averages (void)
{
  g_autofree char *path = real_path ("go-score-bn-adam/model.ckpt.meta");
  FlowWindow *window = NULL;
  GtkWidget *finding = NULL;

  if (path == NULL)
    return;
  window = drive_open (path);
  /* It is said without being asked, and a click leads to the ops. */
  finding = find_label_with (GTK_WIDGET (window), "18 ops of UPDATE_OPS are not run");
  g_assert_nonnull (finding);
  drive_activate (window, "show-panel", "diagnostics");
  assert_says (window, "batch_normalization/AssignMovingAvg");
  assert_says (window, "tf.control_dependencies");
  drive_close (window);
}

/* --- What a restore changed most --- */

static void
test_restore_over (void)
{
  g_autofree char *path = real_path ("siamese-momentum-v1-v2/model.ckpt.meta");
  FlowWindow *window = NULL;

  if (path == NULL)
    return;
  window = drive_open (path);
  /* A name is looked for beside the graph. */
  drive_activate (window, "restore-checkpoint", "model.ckpt");
  assert_says (window, "21 of 21 variables changed by model.ckpt");
  drive_activate (window, "restore-checkpoint", "model.ckpt:v1");
  assert_says (window, "21 of 21 variables changed by model.ckpt:v1");
  /* The int32 step is on top, for it changed most. */
  assert_says (window, "48000");
  assert_says (window, "50000");
  drive_close (window);
}

/* A checkpoint alone is a way to the graph it was saved with. */
static void
test_open_checkpoint (void)
{
  g_autofree char *path = real_path ("go-score-bn-adam/model.ckpt.index");
  g_autofree char *meta = real_path ("go-score-bn-adam/model.ckpt.meta");
  g_autofree char *graph = NULL;
  FlowWindow *window = NULL;

  if (path == NULL)
    return;
  graph = g_canonicalize_filename (meta, NULL);
  window = drive_open (path);
  g_assert_cmpstr (flow_ui_session_get_path (flow_window_get_session (window)), ==, graph);
  assert_says (window, "restored from model.ckpt");
  drive_close (window);
}

/* --- The first NaN, and where it came from --- */

static void
test_first_bad_value (TestFolder    *f,
                      gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.run.json");
  g_autofree char *expected_path = test_folder_path (f, "expected.json");
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autofree char *count = NULL;
  JsonObject *expected = NULL;
  const char *tensor = NULL;
  FlowWindow *window = drive_open (path);

  g_assert_true (json_parser_load_from_file (parser, expected_path, NULL));
  expected = json_node_get_object (json_parser_get_root (parser));
  tensor = json_object_get_string_member (expected, "tensor");
  drive_activate (window, "choose-run", "train");
  drive_activate (window, "next-bad-value", NULL);
  drive_assert_state (window, "reason", "bad-value");
  g_assert_cmpint (drive_state_number (window, "i"), ==, json_object_get_int_member (expected, "step"));
  count = g_strdup_printf ("made %d NaN and %d Inf", (int) json_object_get_int_member (expected, "nan"),
                           (int) json_object_get_int_member (expected, "inf"));
  assert_message (window, tensor);
  assert_message (window, count);
  assert_message (window, "p:0: min 0");
  assert_says (window, tensor);
  drive_activate (window, "origin", tensor);
  assert_says (window, "made here");
  drive_close (window);
}

/* A variable that a training spoiled is not told again when the next run reads it: who spoiled it was. */
static void
test_bad_values_once (TestFolder    *f,
                      gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.run.json");
  FlowWindow *window = drive_open (path);
  gboolean is_bad = TRUE;
  guint n = 0;

  drive_activate (window, "choose-run", "train");
  for (; is_bad && n < 200; n++)
    {
      g_autoptr(JsonObject) state = NULL;

      drive_activate (window, "next-bad-value", NULL);
      state = drive_dup_state (window);
      is_bad = g_strcmp0 (drive_state_text (state, "reason"), "bad-value") == 0;
      if (is_bad)
        g_assert_null (strstr (drive_state_text (state, "message"), "(VariableV2)"));
    }
  g_assert_cmpuint (n, >, 1);
  g_assert_false (is_bad);
  drive_close (window);
}

/* One that came so from a checkpoint, or from a person's hand, is told as what it is. */
static void
test_bad_variable (TestFolder    *f,
                   gconstpointer  data)
{
  g_autofree char *path =
    test_folder_write (f, "predict.run.json",
                       "{\"graph\": \"model.meta\", \"checkpoint\": \"init.ckpt\", \"runs\": [{\"name\": \"predict\","
                       " \"fetches\": [\"p:0\"], \"feeds\": {\"x:0\": {\"npz\": \"feeds.npz\", \"key\": \"x:0@0\"}}}]}");
  FlowWindow *window = drive_open (path);

  drive_activate (window, "choose-run", "predict");
  drive_activate (window, "restart", NULL);
  drive_activate (window, "override", "out/b={\"value\": [0, \"NaN\", 1]}");
  drive_activate (window, "next-bad-value", NULL);
  drive_assert_state (window, "reason", "bad-value");
  assert_message (window, "out/b");
  assert_message (window, "holds 1 NaN and 0 Inf of 3 elements");
  drive_close (window);
}

/* --- Who writes a variable --- */

static void
test_writes (TestFolder    *f,
             gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.run.json");
  g_autofree char *first = NULL;
  FlowWindow *window = drive_open (path);
  gint64 written_at = 0;

  drive_activate (window, "choose-run", "train");
  drive_activate (window, "restart", NULL);
  drive_activate (window, "next-write", "hidden/w");
  drive_assert_state (window, "card", "A watched variable was written");
  assert_message (window, "Momentum/update_hidden/w/ApplyMomentum wrote hidden/w: 112 of 128 elements changed");
  written_at = drive_state_number (window, "position");
  {
    g_autoptr(JsonObject) state = drive_dup_state (window);

    first = g_strdup (drive_state_text (state, "message"));
  }
  /* The next is in the next run, and before it was the one above: the same words, before and now. */
  drive_activate (window, "next-write", "hidden/w");
  g_assert_cmpint (drive_state_number (window, "i"), ==, 1);
  g_assert_cmpint (drive_state_number (window, "position"), >, written_at);
  drive_activate (window, "last-write", "hidden/w");
  drive_assert_position (window, written_at);
  assert_message (window, first);
  /* Variables have a view of their own; this one is of queues, tables and the like. */
  drive_activate (window, "show-panel", "resources");
  g_assert_nonnull (find_label_with (GTK_WIDGET (window), "keeps no queue"));
  g_assert_null (find_label_with (GTK_WIDGET (window), "tensorflow3Var"));
  drive_close (window);
}

/* --- A feed of a wrong shape --- */

static void
test_wrong_feed (TestFolder    *f,
                 gconstpointer  data)
{
  g_autofree char *path =
    test_folder_write (f, "wrong.run.json",
                       "{\"graph\": \"model.meta\", \"checkpoint\": \"init.ckpt\", \"runs\": [{\"name\": \"train\","
                       " \"fetches\": [\"loss/loss:0\"], \"targets\": [\"Momentum\"], \"feeds\": {"
                       "\"x:0\": {\"zeros\": [2, 7]}, \"y:0\": {\"value\": [[0, 1, 0], [1, 0, 0]]}}}]}");
  FlowWindow *window = drive_open (path);

  drive_activate (window, "choose-run", "train");
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "failed");
  drive_assert_state (window, "error", "INVALID_ARGUMENT");
  drive_assert_state (window, "next", "hidden/MatMul");
  drive_assert_state (window, "selection", "hidden/MatMul");
  assert_says (window, "Matrix size-incompatible: In[0]: [2,7], In[1]: [8,16]");
  drive_activate (window, "override", "x:0={\"ones\": [2, 8]}");
  drive_activate (window, "retry", NULL);
  drive_assert_state (window, "error", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
  drive_close (window);
}

/* --- What two runs share --- */

static gint64
count_planned (FlowWindow *window,
               const char *run)
{
  drive_activate (window, "choose-run", run);
  drive_activate (window, "restart", NULL);
  return drive_state_number (window, "planned");
}

static void
test_two_runs (TestFolder    *f,
               gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.run.json");
  FlowWindow *window = drive_open (path);
  gint64 n_predict = 0;
  gint64 n_train = 0;
  GtkWidget *label = NULL;
  guint both = 0;
  guint only_a = 0;
  guint only_b = 0;
  guint n_stateful = 0;

  /* The checkpoint of the file comes first: nobody says that variables have no value. */
  drive_activate (window, "compare-plans", "train,predict");
  g_assert_null (find_label_with (GTK_WIDGET (window), "have no value"));
  n_predict = count_planned (window, "predict");
  n_train = count_planned (window, "train");
  drive_activate (window, "compare-plans", "train,predict");
  label = find_label_with (GTK_WIDGET (window), "with state in both");
  g_assert_nonnull (label);
  g_assert_cmpint (sscanf (gtk_label_get_text (GTK_LABEL (label)), "%u ops in both, %u only in A, %u only in B, %u", &both,
                           &only_a, &only_b, &n_stateful),
                   ==, 4);
  g_assert_cmpint (both + only_a, ==, n_train);
  g_assert_cmpint (both + only_b, ==, n_predict);
  /* A prediction runs nothing that training does not; the four weights and biases are what they share. */
  g_assert_cmpuint (only_b, ==, 0);
  g_assert_cmpuint (n_stateful, ==, 4);
  drive_close (window);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/tasks/moving-averages", test_moving_averages);
  g_test_add_func ("/ui/tasks/restore-over", test_restore_over);
  g_test_add_func ("/ui/tasks/open-checkpoint", test_open_checkpoint);
  g_test_add ("/ui/tasks/first-bad-value", TestFolder, NULL, set_up, test_first_bad_value, test_folder_tear_down);
  g_test_add ("/ui/tasks/bad-values-once", TestFolder, NULL, set_up, test_bad_values_once, test_folder_tear_down);
  g_test_add ("/ui/tasks/bad-variable", TestFolder, NULL, set_up, test_bad_variable, test_folder_tear_down);
  g_test_add ("/ui/tasks/writes", TestFolder, NULL, set_up, test_writes, test_folder_tear_down);
  g_test_add ("/ui/tasks/wrong-feed", TestFolder, NULL, set_up, test_wrong_feed, test_folder_tear_down);
  g_test_add ("/ui/tasks/two-runs", TestFolder, NULL, set_up, test_two_runs, test_folder_tear_down);

  return g_test_run ();
}
