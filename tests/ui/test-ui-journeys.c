/* test-ui-journeys.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include "flow-test-folder.h"
#include "flow-widget-finder.h"

/* What a person does with the window, from the file to the end, over the real engine process. */

/* A copy of a training set: what is saved is saved there. */
static void
set_up (TestFolder    *f,
        gconstpointer  data)
{
  test_folder_set_up (f, data);
  test_folder_copy_all (f, "training/mlp-sgd");
}

/* A run that is at its end stands at the start of the next. */
static gboolean
has_ended (FlowWindow *window)
{
  g_autoptr(JsonObject) state = drive_dup_state (window);

  return g_strcmp0 (drive_state_text (state, "reason"), "run-end") == 0;
}

/* --- Stepping --- */

/* A training step forwards op by op, and all the way back. */
static void
test_there_and_back (TestFolder    *f,
                     gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "flowstep.run.json");
  FlowWindow *window = drive_open (path);
  gint64 start = 0;
  gint64 planned = 0;
  gint64 n = 0;

  drive_activate (window, "choose-run", "step0");
  drive_activate (window, "restart", NULL);
  drive_assert_state (window, "status", "paused");
  start = drive_state_number (window, "run_start");
  drive_assert_position (window, start);
  planned = drive_state_number (window, "planned");
  for (; !has_ended (window) && n < 1000; n++)
    drive_activate (window, "step-op", NULL);
  g_assert_cmpint (n, ==, planned);
  drive_assert_position (window, start + n);
  for (gint64 i = 0; i < n; i++)
    drive_activate (window, "step-back", NULL);
  drive_assert_position (window, start);
  drive_close (window);
}

/* A feed of the wrong shape: the op that fails is the next one and selected, with TensorFlow's words; with
 * the feed put right it is tried again and the run goes on to its end. */
static void
test_wrong_feed (TestFolder    *f,
                 gconstpointer  data)
{
  g_autofree char *path = test_folder_write (f, "wrong.run.json",
                                             "{\"graph\": \"model.meta\", \"runs\": [{\"name\": \"init\", \"targets\": [\"init\"]}, "
                                             "{\"name\": \"train\", \"targets\": [\"GradientDescent\"], \"feeds\": "
                                             "{\"x:0\": {\"zeros\": [4, 36]}, \"y:0\": {\"zeros\": [7]}}}]}");
  FlowWindow *window = drive_open (path);
  g_autoptr(JsonObject) state = NULL;

  drive_activate (window, "choose-run", "train");
  drive_activate (window, "restart", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "failed");
  drive_assert_state (window, "error", "INVALID_ARGUMENT");
  state = drive_dup_state (window);
  g_assert_cmpstr (drive_state_text (state, "next"), ==, drive_state_text (state, "selection"));
  g_assert_nonnull (strstr (drive_state_text (state, "message"), "[4,10]"));
  g_assert_nonnull (strstr (drive_state_text (state, "message"), "[7"));
  drive_activate (window, "override", "y:0={\"zeros\": [4]}");
  drive_activate (window, "retry", NULL);
  drive_assert_state (window, "error", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
  drive_close (window);
}

/* --- Opening --- */

static void
test_cancel_opening (TestFolder    *f,
                     gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.meta");
  FlowWindow *window = flow_window_new (GTK_APPLICATION (drive_get_app ()));

  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, NULL);
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "cancel"));
  drive_activate (window, "cancel", NULL);
  g_assert_true (flow_window_is_empty (window));
  g_assert_null (flow_ui_session_get_graph (flow_window_get_session (window)));
  /* And it is as good as new. */
  flow_window_open (window, path, NULL);
  drive_settle (window);
  g_assert_nonnull (flow_ui_session_get_graph (flow_window_get_session (window)));
  drive_close (window);
}

/* Another file is asked for before the first is there: the answer to the first is not taken for its own. */
static void
test_open_another (TestFolder    *f,
                   gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.meta");
  g_autofree char *missing = test_folder_path (f, "missing.pb");
  g_autofree char *other = test_folder_path (f, "flowstep.run.json");
  FlowWindow *window = flow_window_new (GTK_APPLICATION (drive_get_app ()));
  FlowUiSession *session = flow_window_get_session (window);

  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, NULL);
  flow_window_open (window, missing, NULL);
  flow_window_open (window, other, NULL);
  drive_settle (window);
  g_assert_nonnull (flow_ui_session_get_graph (session));
  g_assert_cmpstr (flow_ui_session_get_path (session), ==, other);
  g_assert_false (flow_ui_session_is_opening (session));
  drive_close (window);
}

static GtkDropTarget *
find_drop_target (GtkWidget *widget)
{
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr(GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        return GTK_DROP_TARGET (controller);
    }
  return NULL;
}

static void
test_drop (TestFolder    *f,
           gconstpointer  data)
{
  g_autofree char *path = test_folder_path (f, "model.meta");
  FlowWindow *window = drive_open (NULL);
  GtkDropTarget *target = find_drop_target (GTK_WIDGET (window));
  g_autoptr(GFile) file = g_file_new_for_path (path);
  GSList list = { file, NULL };
  GValue value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_assert_nonnull (target);
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, &list);
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &taken);
  g_value_unset (&value);
  g_assert_true (taken);
  drive_settle (window);
  g_assert_nonnull (flow_ui_session_get_graph (flow_window_get_session (window)));
  drive_assert_state (window, "file", path);
  drive_close (window);
}

/* --- Run files --- */

static GtkWindow *
find_dialog (void)
{
  g_autoptr(GList) toplevels = gtk_window_list_toplevels ();

  for (GList *l = toplevels; l != NULL; l = l->next)
    if (ADW_IS_MESSAGE_DIALOG (l->data))
      return l->data;
  return NULL;
}

static void
answer (FlowWindow *window,
        const char *response)
{
  GtkWindow *dialog = find_dialog ();

  g_assert_nonnull (dialog);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), response);
  drive_settle (window);
}

static guint
count_runs (FlowWindow *window)
{
  return g_list_model_get_n_items (flow_ui_session_get_runs (flow_window_get_session (window)));
}

static void
make_run (FlowWindow *window,
          const char *json)
{
  flow_ui_session_command (flow_window_get_session (window), NULL, "SetRun", g_variant_new ("(s)", json), NULL, NULL, NULL,
                           NULL);
  drive_settle (window);
}

/* A run that stands in no file is asked about before another file's runs take its place, or the window goes. */
static void
test_unsaved_runs (TestFolder    *f,
                   gconstpointer  data)
{
  g_autofree char *other = test_folder_write (f, "other.run.json",
                                              "{\"graph\": \"model.meta\", \"runs\": [{\"name\": \"a\", \"targets\": [\"init\"]}]}");
  g_autofree char *saved = test_folder_path (f, "flowstep.run.json");
  g_autofree char *path = test_folder_path (f, "model.meta");
  g_autofree char *text = NULL;
  FlowWindow *window = drive_open (path);
  gpointer weak = window;
  guint n = count_runs (window);

  make_run (window, "{\"name\": \"mine\", \"targets\": [\"init\"]}");
  g_assert_cmpuint (count_runs (window), ==, n + 1);
  drive_activate (window, "load-run-file", other);
  answer (window, "cancel");
  g_assert_cmpuint (count_runs (window), ==, n + 1);
  drive_activate (window, "load-run-file", other);
  answer (window, "save");
  g_assert_cmpuint (count_runs (window), ==, 1);
  g_assert_true (g_file_get_contents (saved, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"mine\""));
  drive_activate (window, "load-run-file", saved);
  g_assert_cmpuint (count_runs (window), ==, n + 1);

  make_run (window, "{\"name\": \"another\", \"targets\": [\"init\"]}");
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  answer (window, "cancel");
  g_assert_nonnull (weak);
  gtk_window_close (GTK_WINDOW (window));
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_dialog ()), "discard");
  for (guint i = 0; i < 400 && weak != NULL; i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_null (weak);
}

/* --- Keys --- */

/* Every place a person works in is reached with Tab alone. */
static void
test_tab_reaches_all (TestFolder    *f,
                      gconstpointer  data)
{
  static const char *const wanted[] = { "FlowCanvas", "FlowOutline", "FlowInspector", "GtkSearchEntry", "GtkMenuButton" };
  g_autofree char *path = test_folder_path (f, "model.meta");
  FlowWindow *window = drive_open (path);
  gboolean reached[G_N_ELEMENTS (wanted)] = { FALSE };

  drive_activate (window, "select", "hidden1/weights");
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  for (guint i = 0; i < 400; i++)
    {
      GtkWidget *focus = NULL;

      gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
      focus = gtk_window_get_focus (GTK_WINDOW (window));
      for (; focus != NULL; focus = gtk_widget_get_parent (focus))
        for (guint k = 0; k < G_N_ELEMENTS (wanted); k++)
          if (g_type_is_a (G_OBJECT_TYPE (focus), g_type_from_name (wanted[k])))
            reached[k] = TRUE;
    }
  for (guint k = 0; k < G_N_ELEMENTS (wanted); k++)
    if (!reached[k])
      g_error ("Tab does not reach %s", wanted[k]);
  drive_close (window);
}

/* --- Event files --- */

static GtkStack *
find_panels (GtkWidget *widget)
{
  GtkStack *found = NULL;

  if (GTK_IS_STACK (widget) && gtk_stack_get_child_by_name (GTK_STACK (widget), "curves") != NULL)
    return GTK_STACK (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_panels (child);
  return found;
}

static gboolean
has_curves (GtkStack *panels)
{
  return gtk_stack_page_get_visible (gtk_stack_get_page (panels, gtk_stack_get_child_by_name (panels, "curves")));
}

/* An event file shows its graph and its curves; other files have no page for them. An error that is pasted
 * lands on its op. */
static void
test_event_file (TestFolder    *f,
                 gconstpointer  data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "events",
                                                 "events.out.tfevents.1700000000.recorded", NULL);
  g_autofree char *model = test_folder_path (f, "model.meta");
  FlowWindow *window = drive_open (path);
  GtkStack *panels = find_panels (GTK_WIDGET (window));

  g_assert_nonnull (panels);
  g_assert_true (has_curves (panels));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (panels), ==, "curves");
  drive_activate (window, "go-to", "Attempting to use uninitialized value w\n\t [[{{node w/read}} = Identity[T=DT_FLOAT](w)]]");
  drive_assert_state (window, "selection", "w/read");
  drive_close (window);

  window = drive_open (model);
  panels = find_panels (GTK_WIDGET (window));
  g_assert_false (has_curves (panels));
  drive_close (window);
}

/* --- Search --- */

static guint
count_nodes (FlowGraph  *graph,
             const char *pattern)
{
  g_autoptr(GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  guint n = 0;

  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    n += g_regex_match (regex, flow_graph_get_node_name (graph, node), 0, NULL) ? 1 : 0;
  return n;
}

/* Until the list has @n rows, which come in slices. */
static void
assert_rows (FlowWindow *window,
             guint       n)
{
  GtkWidget *list = find_widget (GTK_WIDGET (window), "GtkListView", "flow-outline");
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  g_assert_nonnull (list);
  while (g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list)))) != n &&
         g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list)))), ==, n);
}

/* Every hit is a row, after few hits as after many, and Enter goes to the first even where the rows of the
 * search before have only just been taken down. */
static void
test_search (TestFolder    *f,
             gconstpointer  data)
{
  g_autofree char *model = test_folder_path (f, "model.meta");
  FlowWindow *window = drive_open (model);
  FlowGraph *graph = flow_ui_session_get_graph (flow_window_get_session (window));
  guint n_all = flow_graph_get_n_nodes (graph);
  guint n_ops = count_nodes (graph, "/");
  guint n_save = count_nodes (graph, "^save/");
  GtkWidget *entry = NULL;
  GtkWidget *similar = NULL;

  g_assert_cmpuint (n_all, >, 100);
  g_assert_cmpuint (n_ops, >, 50);
  g_assert_cmpuint (n_save, >, 5);
  drive_activate (window, "find", NULL);
  entry = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (GTK_IS_EDITABLE (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), ".*");
  assert_rows (window, n_all);
  gtk_editable_set_text (GTK_EDITABLE (entry), ".*/.*");
  assert_rows (window, n_ops);
  gtk_editable_set_text (GTK_EDITABLE (entry), "^save/");
  assert_rows (window, n_save);
  gtk_editable_set_text (GTK_EDITABLE (entry), ".*");
  assert_rows (window, n_all);
  gtk_editable_set_text (GTK_EDITABLE (entry), "^save/restore_all$");
  assert_rows (window, 1);
  g_signal_emit_by_name (entry, "activate");
  drive_settle (window);
  drive_assert_state (window, "selection", "save/restore_all");
  similar = find_label_with (GTK_WIDGET (window), "Similar");
  g_assert_nonnull (similar);
  g_assert_false (gtk_widget_get_visible (similar));
  gtk_editable_set_text (GTK_EDITABLE (entry), "save/restroe_all");
  for (int i = 0; i < 400 && !gtk_widget_get_visible (similar); i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
  g_assert_true (gtk_widget_get_visible (similar));
  g_signal_emit_by_name (entry, "activate");
  drive_settle (window);
  drive_assert_state (window, "selection", "save/restore_all");
  gtk_editable_set_text (GTK_EDITABLE (entry), "^no such name$");
  assert_rows (window, 0);
  drive_close (window);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add ("/ui/journeys/there-and-back", TestFolder, NULL, set_up, test_there_and_back, test_folder_tear_down);
  g_test_add ("/ui/journeys/wrong-feed", TestFolder, NULL, set_up, test_wrong_feed, test_folder_tear_down);
  g_test_add ("/ui/journeys/open-another", TestFolder, NULL, set_up, test_open_another, test_folder_tear_down);
  g_test_add ("/ui/journeys/cancel-opening", TestFolder, NULL, set_up, test_cancel_opening, test_folder_tear_down);
  g_test_add ("/ui/journeys/drop", TestFolder, NULL, set_up, test_drop, test_folder_tear_down);
  g_test_add ("/ui/journeys/unsaved-runs", TestFolder, NULL, set_up, test_unsaved_runs, test_folder_tear_down);
  g_test_add ("/ui/journeys/tab-reaches-all", TestFolder, NULL, set_up, test_tab_reaches_all, test_folder_tear_down);
  g_test_add ("/ui/journeys/event-file", TestFolder, NULL, set_up, test_event_file, test_folder_tear_down);
  g_test_add ("/ui/journeys/search", TestFolder, NULL, set_up, test_search, test_folder_tear_down);

  return g_test_run ();
}
