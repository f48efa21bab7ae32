/* test-ui-edits.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-test-folder.h"
#include "flow-widget-finder.h"

/* What a person replaces, watches and rules out, over the real engine process. */

static void
set_up (TestFolder    *f,
        gconstpointer  data)
{
  test_folder_set_up (f, data);
  test_folder_copy_all (f, "training/mlp-sgd");
}

/* In the middle of a training step. */
static FlowWindow *
open_in_step (TestFolder *f,
              const char *node)
{
  g_autofree char *path = test_folder_path (f, "flowstep.run.json");
  FlowWindow *window = drive_open (path);

  drive_activate (window, "choose-run", "step0");
  drive_activate (window, "restart", NULL);
  drive_activate (window, "run-to", node);
  drive_assert_state (window, "next", node);
  return window;
}

static gboolean
is_enabled (FlowWindow *window,
            const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

/* A label that comes a moment later. */
static void
assert_label (GtkWidget  *root,
              const char *part)
{
  for (int i = 0; i < 400 && find_label_with (root, part) == NULL; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  if (find_label_with (root, part) == NULL)
    g_error ("nothing says \"%s\"", part);
}

/* In any window, as a dialog's. */
static void
assert_toplevel_label (const char *part)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (int i = 0; i < 400; i++)
    {
      for (guint k = 0; k < g_list_model_get_n_items (windows); k++)
        {
          g_autoptr(GtkWidget) window = g_list_model_get_item (windows, k);

          if (find_label_with (window, part) != NULL)
            return;
        }
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_error ("nothing says \"%s\"", part);
}

/* Replaced, told what is stale, computed again, compared with what was. */
static void
test_recompute (TestFolder    *f,
                gconstpointer  data)
{
  FlowWindow *window = open_in_step (f, "softmax_linear/MatMul");
  gint64 position = drive_state_number (window, "position");

  g_assert_false (is_enabled (window, "recompute"));
  drive_activate (window, "override", "hidden1/add:0={\"ones\": [16, 24]}");
  g_assert_cmpint (drive_state_number (window, "stale"), >, 0);
  g_assert_true (is_enabled (window, "recompute"));
  g_assert_nonnull (find_label_with (GTK_WIDGET (window), "computed from what was replaced"));
  drive_activate (window, "recompute", NULL);
  g_assert_cmpint (drive_state_number (window, "stale"), ==, 0);
  g_assert_cmpint (drive_state_number (window, "pins"), ==, 1);
  drive_assert_position (window, position);
  g_assert_false (is_enabled (window, "recompute"));
  g_assert_true (is_enabled (window, "compare"));
  assert_label (GTK_WIDGET (window), "kept what they had made");
  drive_close (window);
}

/* Who corrects a value is told what it is, and what the graph wants where that is not the same. */
static void
test_replaced_shape (TestFolder    *f,
                     gconstpointer  data)
{
  FlowWindow *window = open_in_step (f, "softmax_linear/MatMul");
  GListModel *windows = gtk_window_get_toplevels ();
  guint n_told = 0;

  drive_activate (window, "edit-value", "hidden1/add:0");
  assert_toplevel_label ("float32 [16,24]");
  drive_activate (window, "override", "hidden1/add:0={\"ones\": [16, 23]}");
  drive_activate (window, "edit-value", "hidden1/add:0");
  assert_toplevel_label ("float32 [16,23] · the graph says [");
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr(GtkWidget) shown = g_list_model_get_item (windows, i);

      n_told += find_label_with (shown, "the graph says") != NULL;
    }
  g_assert_cmpuint (n_told, ==, 1);
  drive_close (window);
}

/* To the next op of the type of the one that is selected. */
static void
test_next_of_type (TestFolder    *f,
                   gconstpointer  data)
{
  FlowWindow *window = open_in_step (f, "hidden1/MatMul");

  drive_activate (window, "select", "hidden1/MatMul");
  drive_activate (window, "next-of-type", "");
  drive_assert_state (window, "next", "hidden2/MatMul");
  drive_activate (window, "next-of-type", "AddV2");
  drive_assert_state (window, "next", "hidden2/add");
  drive_close (window);
}

static void
test_watched_expression (TestFolder    *f,
                         gconstpointer  data)
{
  FlowWindow *window = open_in_step (f, "hidden2/MatMul");

  drive_activate (window, "watch", "=size(hidden1/add:0) * 2 + 0.5");
  assert_label (GTK_WIDGET (window), "768.5");
  drive_activate (window, "watch", "=mean(no/such:0)");
  assert_label (GTK_WIDGET (window), "not found");
  drive_close (window);
}

static void
test_rules (TestFolder    *f,
            gconstpointer  data)
{
  FlowWindow *window = open_in_step (f, "softmax_linear/MatMul");
  GtkWidget *entry = NULL;

  drive_activate (window, "select", "hidden1/add");
  drive_activate (window, "suggest-breakpoint", "SELECTED if bad > 0");
  entry = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (GTK_IS_EDITABLE (entry));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "node:hidden1/add if bad > 0");
  drive_activate (window, "toggle-breakpoint", "type:MatMul if (size(value) > 0)");
  drive_activate (window, "recheck", NULL);
  assert_label (GTK_WIDGET (window), "Rules hold for 2 ops of this run");
  drive_close (window);
}

static GtkWindow *
find_value_window (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr(GtkWindow) window = g_list_model_get_item (windows, i);

      if (g_strcmp0 (G_OBJECT_TYPE_NAME (window), "FlowValueWindow") == 0)
        return window;
    }
  return NULL;
}

/* A variable as it was when earlier runs began. */
static void
test_moments_of_a_value (TestFolder    *f,
                         gconstpointer  data)
{
  FlowWindow *window = open_in_step (f, "hidden1/MatMul");
  GtkWindow *value = NULL;

  drive_activate (window, "run", NULL);
  drive_activate (window, "run", NULL);
  drive_activate (window, "show-value", "var:hidden1/biases table 1");
  value = find_value_window ();
  g_assert_nonnull (value);
  assert_label (GTK_WIDGET (value), "when the run began");
  gtk_widget_activate_action (GTK_WIDGET (value), "value.moment", "s", "now");
  assert_label (GTK_WIDGET (value), "now");
  gtk_window_destroy (value);
  drive_close (window);
}

/* What an event file holds beside scalars. */
static void
test_series (TestFolder    *f,
             gconstpointer  data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "events",
                                                 "events.out.tfevents.1700000000.recorded", NULL);
  FlowWindow *window = drive_open (path);
  GtkWidget *picture = NULL;

  drive_activate (window, "show-series", "picture/image/0");
  assert_label (GTK_WIDGET (window), "step 6");
  picture = find_widget (GTK_WIDGET (window), "GtkPicture", NULL);
  g_assert_nonnull (picture);
  for (int i = 0; i < 400 && gtk_picture_get_paintable (GTK_PICTURE (picture)) == NULL; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_nonnull (gtk_picture_get_paintable (GTK_PICTURE (picture)));
  drive_activate (window, "show-series", "x_summary");
  g_assert_nonnull (find_widget (GTK_WIDGET (window), "FlowRidges", NULL));
  g_assert_true (gtk_widget_get_mapped (find_widget (GTK_WIDGET (window), "FlowRidges", NULL)));
  drive_close (window);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add ("/ui/edits/recompute", TestFolder, NULL, set_up, test_recompute, test_folder_tear_down);
  g_test_add ("/ui/edits/replaced-shape", TestFolder, NULL, set_up, test_replaced_shape, test_folder_tear_down);
  g_test_add ("/ui/edits/next-of-type", TestFolder, NULL, set_up, test_next_of_type, test_folder_tear_down);
  g_test_add ("/ui/edits/watched-expression", TestFolder, NULL, set_up, test_watched_expression, test_folder_tear_down);
  g_test_add ("/ui/edits/rules", TestFolder, NULL, set_up, test_rules, test_folder_tear_down);
  g_test_add ("/ui/edits/moments-of-a-value", TestFolder, NULL, set_up, test_moments_of_a_value, test_folder_tear_down);
  g_test_add ("/ui/edits/series", TestFolder, NULL, set_up, test_series, test_folder_tear_down);

  return g_test_run ();
}
