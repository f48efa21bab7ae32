/* test-ui-window.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-fake-debugger.h"
#include "flow-window-driver.h"
#include "flow-window.h"

/* The window over the fake debugger, driven through its actions as a script would. */

/* --- Tests --- */

static void
test_actions_are_there (void)
{
  static const struct {
    const char *name;
    const char *type;
  } expected[] = {
    { "run", NULL }, { "pause", NULL }, { "stop", NULL }, { "restart", NULL },
    { "step-op", NULL }, { "step-over", NULL }, { "step-into", NULL }, { "step-out", NULL },
    { "step-back", NULL }, { "step-over-back", NULL }, { "step-into-back", NULL },
    { "continue-back", NULL }, { "run-to", "s" }, { "next-bad-value", NULL },
    { "choose-run", "s" }, { "edit-run", NULL }, { "toggle-breakpoint", "s" },
    { "breakpoint-properties", NULL }, { "watch", "s" }, { "pin", NULL }, { "compare", NULL },
    { "restore-checkpoint", "s" }, { "save-checkpoint", NULL }, { "override", "s" },
    { "retry", NULL }, { "edit-feeds", NULL }, { "initialize-variables", NULL },
    { "leave-scope", NULL }, { "next-iteration", NULL }, { "go-to-event", "i" },
    { "skip-runs", "i" }, { "detach", NULL }, { "find", NULL }, { "go-to", "s" },
    { "back", NULL }, { "forward", NULL }, { "expand", "s" }, { "collapse", "s" },
    { "expand-all", NULL }, { "collapse-all", NULL }, { "zoom-in", NULL }, { "zoom-out", NULL },
    { "zoom-reset", NULL }, { "zoom-fit", NULL }, { "zoom-selection", NULL }, { "select", "s" },
    { "show-panel", "s" }, { "export", "s" }, { "direction", "s" }, { "state", NULL },
  };
  FlowWindow *window = flow_window_new (GTK_APPLICATION (drive_get_app ()));
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "man", "flowstep.1", NULL);
  g_autofree char *manual = NULL;
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const GVariantType *type = NULL;

      g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), expected[i].name));
      type = g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), expected[i].name);
      if (expected[i].type == NULL)
        g_assert_null (type);
      else
        g_assert_true (g_variant_type_equal (type, G_VARIANT_TYPE (expected[i].type)));
    }
  /* Each of them is described: others rely on their names. */
  g_assert_true (g_file_get_contents (path, &manual, NULL, &error));
  g_assert_no_error (error);
  names = g_action_group_list_actions (G_ACTION_GROUP (window));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto(GStrv) parts = g_strsplit (names[i], "-", -1);
      g_autofree char *escaped = g_strjoinv ("\\\\-", parts);
      g_autofree char *pattern = g_strdup_printf ("(?m)^\\.BI? win\\.%s( \"|$)", escaped);

      if (!g_regex_match_simple (pattern, manual, 0, 0))
        g_test_fail_printf ("flowstep.1 says nothing of win.%s", names[i]);
    }
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "detach"));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (drive_get_app ()), "attach"));
  /* Nothing is open: nothing can run. */
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "step-op"));
  drive_close (window);
}

static void
test_steps_and_state (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);

  drive_activate (window, "choose-run", "train");
  drive_activate (window, "restart", NULL);
  drive_assert_position (window, 0);
  drive_assert_state (window, "status", "paused");
  drive_assert_state (window, "next", "layer/w");
  drive_assert_state (window, "selection", "layer/w");
  drive_activate (window, "step-op", NULL);
  drive_activate (window, "step-op", NULL);
  drive_assert_position (window, 2);
  drive_activate (window, "step-back", NULL);
  drive_activate (window, "step-back", NULL);
  drive_assert_position (window, 0);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "step-back"));
  drive_close (window);
}

/* A step on a run that has not begun begins it. */
static void
test_step_begins_a_run (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);

  drive_activate (window, "step-op", NULL);
  drive_assert_position (window, 1);
  drive_close (window);
}

/* Over steps over the box that is closed on the canvas; in an open one it is a single op. */
static void
test_over_means_the_closed_box (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);

  /* At first as much is open as there is room for. */
  drive_activate (window, "collapse-all", NULL);
  drive_activate (window, "restart", NULL);
  drive_activate (window, "step-over", NULL);
  drive_assert_position (window, 4);
  drive_activate (window, "restart", NULL);
  drive_activate (window, "expand", "layer");
  drive_activate (window, "expand", "layer/w");
  drive_activate (window, "step-over", NULL);
  drive_assert_position (window, 1);
  drive_close (window);
}

static void
test_into_opens_the_box (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  g_autoptr(JsonObject) state = NULL;
  JsonArray *open = NULL;

  drive_activate (window, "collapse-all", NULL);
  drive_activate (window, "restart", NULL);
  drive_activate (window, "step-into", NULL);
  state = drive_dup_state (window);
  open = json_object_get_array_member (state, "open_scopes");
  g_assert_cmpuint (json_array_get_length (open), ==, 1);
  g_assert_cmpstr (json_array_get_string_element (open, 0), ==, "layer");
  drive_close (window);
}

static void
test_breakpoint_toggles (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  GListModel *breakpoints =
    flow_ui_session_get_breakpoints (flow_window_get_session (window));

  drive_activate (window, "toggle-breakpoint", "loss/mean");
  g_assert_cmpuint (g_list_model_get_n_items (breakpoints), ==, 1);
  drive_activate (window, "restart", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "reason", "breakpoint");
  drive_assert_state (window, "next", "loss/mean");
  drive_activate (window, "toggle-breakpoint", "loss/mean");
  g_assert_cmpuint (g_list_model_get_n_items (breakpoints), ==, 0);
  drive_close (window);
}

static void
test_error_is_a_place (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  FlowFakeDebugger *fake =
    FLOW_FAKE_DEBUGGER (flow_ui_session_get_debugger (flow_window_get_session (window)));
  const char *message = "Matrix size-incompatible: In[0]: [32,8], In[1]: [9,4]";

  flow_fake_debugger_set_failure (fake, "layer/MatMul", message);
  drive_activate (window, "restart", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "failed");
  drive_assert_state (window, "next", "layer/MatMul");
  drive_assert_state (window, "selection", "layer/MatMul");
  drive_assert_state (window, "message", message);
  drive_assert_state (window, "error", "INVALID_ARGUMENT");
  drive_assert_state (window, "card", "layer/MatMul (MatMul) failed: INVALID_ARGUMENT");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "step-op"));
  /* Another value, and on it goes. */
  drive_activate (window, "override", "x:0={\"zeros\": [32, 8]}");
  drive_activate (window, "retry", NULL);
  drive_assert_state (window, "status", "paused");
  drive_close (window);
}

static void
test_engine_ends (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  FlowFakeDebugger *fake =
    FLOW_FAKE_DEBUGGER (flow_ui_session_get_debugger (flow_window_get_session (window)));

  drive_activate (window, "restart", NULL);
  flow_fake_debugger_end (fake, "The engine was killed (SIGKILL) at layer/MatMul");
  drive_settle (window);
  drive_assert_state (window, "status", "ended");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "run"));
  drive_activate (window, "restart-engine", NULL);
  drive_activate (window, "restart", NULL);
  drive_assert_state (window, "status", "paused");
  drive_assert_state (window, "chosen_run", "train");
  drive_close (window);
}

static void
test_select_and_panels (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  static const char *const panels[] = {
    "timeline", "variables", "watch", "breakpoints", "checkpoint", "diagnostics", "console",
    "collections", "runs", "outline",
  };

  drive_activate (window, "select", "loss/mean:0");
  drive_assert_state (window, "selection", "loss/mean");
  drive_activate (window, "select", "layer/");
  drive_assert_state (window, "selection", "layer");
  /* Rows that open above the selected one must not change the selection. */
  drive_activate (window, "select", "train_op");
  drive_assert_state (window, "selection", "train_op");
  drive_activate (window, "select", "layer/w/read");
  drive_assert_state (window, "selection", "layer/w/read");
  drive_activate (window, "go-to", "Node 'loss/Square' failed; see {{node loss/Square}}");
  drive_assert_state (window, "selection", "loss/Square");
  drive_activate (window, "watch", "loss/mean");
  drive_activate (window, "node-menu", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    drive_activate (window, "show-panel", panels[i]);
  drive_activate (window, "restart", NULL);
  drive_activate (window, "run", NULL);
  drive_assert_state (window, "status", "finished");
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    drive_activate (window, "show-panel", panels[i]);
  drive_close (window);
}

static GtkWidget *
find_popover_menu (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_popover_menu (child);
  return found;
}

static void
disposed_cb (gpointer  data,
             GObject  *where_the_object_was)
{
  *(gboolean *) data = TRUE;
}

/* GTK 4.8 looks for tooltips in a menu that outlives its surface, with criticals; see _flow_window_drop_menu. */
static void
test_menu_goes_with_the_window (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  g_autoptr(GtkWidget) menu = NULL;
  gboolean disposed = FALSE;

  drive_activate (window, "select", "layer/w/read");
  drive_activate (window, "node-menu", NULL);
  menu = find_popover_menu (GTK_WIDGET (window));
  g_assert_nonnull (menu);
  g_object_ref (menu);
  g_object_weak_ref (G_OBJECT (menu), disposed_cb, &disposed);
  drive_close (window);
  g_assert_true (disposed);
}

/* Every button says what it does to those who cannot see its icon. */
static void
check_widget (GtkWidget *widget,
              guint     *n_buttons)
{
  if (GTK_IS_BUTTON (widget) && gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL &&
      gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) != NULL &&
      g_str_has_prefix (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), "win."))
    {
      (*n_buttons)++;
      g_assert_nonnull (gtk_widget_get_tooltip_text (widget));
      g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget),
                                                       GTK_ACCESSIBLE_PROPERTY_LABEL));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_widget (child, n_buttons);
}

static void
test_icon_buttons_have_names (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  guint n_buttons = 0;

  check_widget (GTK_WIDGET (window), &n_buttons);
  g_assert_cmpuint (n_buttons, >=, 10);
  drive_close (window);
}

static void
test_window_is_let_go (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);
  gpointer pointer = window;

  drive_activate (window, "restart", NULL);
  drive_activate (window, "step-op", NULL);
  g_object_add_weak_pointer (G_OBJECT (window), &pointer);
  drive_close (window);
  for (guint i = 0; i < 100 && pointer != NULL; i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_null (pointer);
}

/* Back and forward go through what was selected and where the run stood; steps in a row are one place. */
static void
test_back_in_time (void)
{
  FlowWindow *window = drive_open (FLOW_FAKE_PATH);

  drive_activate (window, "choose-run", "train");
  drive_activate (window, "restart", NULL);
  drive_activate (window, "select", "loss/mean");
  drive_activate (window, "step-op", NULL);
  drive_activate (window, "step-op", NULL);
  drive_activate (window, "step-op", NULL);
  drive_assert_position (window, 3);
  drive_activate (window, "select", "layer");
  drive_activate (window, "back", NULL);
  drive_assert_position (window, 3);
  drive_activate (window, "back", NULL);
  drive_assert_position (window, 0);
  drive_assert_state (window, "selection", "loss/mean");
  drive_activate (window, "forward", NULL);
  drive_assert_position (window, 3);
  drive_activate (window, "forward", NULL);
  drive_assert_state (window, "selection", "layer");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "forward"));
  /* Another way from here on: what was ahead is forgotten. */
  drive_activate (window, "back", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "go-to-event", g_variant_new_int32 (1));
  drive_settle (window);
  drive_assert_position (window, 1);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "forward"));
  drive_activate (window, "back", NULL);
  drive_assert_position (window, 3);
  /* A session that began anew has no such moments; what was looked at is still there. */
  drive_activate (window, "restart", NULL);
  drive_activate (window, "back", NULL);
  drive_assert_position (window, 0);
  drive_close (window);
}

int
main (int    argc,
      char **argv)
{
  if (!drive_begin (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/window/actions-are-there", test_actions_are_there);
  g_test_add_func ("/ui/window/steps-and-state", test_steps_and_state);
  g_test_add_func ("/ui/window/step-begins-a-run", test_step_begins_a_run);
  g_test_add_func ("/ui/window/over-means-the-closed-box", test_over_means_the_closed_box);
  g_test_add_func ("/ui/window/into-opens-the-box", test_into_opens_the_box);
  g_test_add_func ("/ui/window/breakpoint-toggles", test_breakpoint_toggles);
  g_test_add_func ("/ui/window/error-is-a-place", test_error_is_a_place);
  g_test_add_func ("/ui/window/engine-ends", test_engine_ends);
  g_test_add_func ("/ui/window/select-and-panels", test_select_and_panels);
  g_test_add_func ("/ui/window/back-in-time", test_back_in_time);
  g_test_add_func ("/ui/window/menu-goes-with-the-window", test_menu_goes_with_the_window);
  g_test_add_func ("/ui/window/icon-buttons-have-names", test_icon_buttons_have_names);
  g_test_add_func ("/ui/window/is-let-go", test_window_is_let_go);

  return g_test_run ();
}
