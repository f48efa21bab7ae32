/* bench-main-loop.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <time.h>

#include <json-glib/json-glib.h>

#include "flow-application.h"
#include "flow-canvas.h"
#include "flow-debugger-factory.h"
#include "flow-search.h"
#include "flow-variant-item.h"
#include "flow-window.h"

/* How long the main loop ever makes somebody wait: a timer is due every 5 ms while the window opens a
 * graph, opens its scopes, is searched and steps a run (if the file has one); the longest delay of each part is
 * printed, how much of a processor the main thread had in its longest stretch between two ticks (what the wait would
 * be if nothing else ran), and after how long its last picture stood. join_graphs.py makes graphs as large as one
 * likes.
 *
 *   bench-main-loop [GRAPH]      (a run file or a model file; wants a display)
 */

#define TICK_MS 5
/* What a person notices. */
#define MARK_MS 50.0

typedef struct {
  gint64 due;
  gint64 longest;
  gint64 used;                 /* processor time of this thread at the last tick */
  gint64 most_used;
} Watch;

static gint64
get_thread_time (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gboolean
tick_cb (gpointer data)
{
  Watch *watch = data;
  gint64 now = g_get_monotonic_time ();
  gint64 used = get_thread_time ();

  if (watch->due != 0)
    {
      watch->longest = MAX (watch->longest, now - watch->due);
      watch->most_used = MAX (watch->most_used, used - watch->used);
    }
  watch->used = used;
  watch->due = now + TICK_MS * 1000;
  return G_SOURCE_CONTINUE;
}

static gboolean
is_busy (FlowWindow *window)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "state");
  g_autoptr (JsonNode) node = json_from_string (g_variant_get_string (state, NULL), NULL);

  return node == NULL || json_object_get_int_member_with_default (json_node_get_object (node), "pending", 1) != 0;
}

/* Until nothing is under way for a while. Returns: how long it was until then, without the while, in ms */
static double
settle (FlowWindow *window)
{
  gint64 begin = g_get_monotonic_time ();
  gint64 end = begin + 60 * G_USEC_PER_SEC;
  gint64 quiet_since = 0;

  while (g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, TRUE);
      if (is_busy (window))
        quiet_since = 0;
      else if (quiet_since == 0)
        quiet_since = g_get_monotonic_time ();
      else if (g_get_monotonic_time () - quiet_since > 400 * 1000)
        break;
    }
  return (double) (quiet_since - begin) / 1000.0;
}

static GtkWidget *
find_canvas (GtkWidget *widget)
{
  if (FLOW_IS_CANVAS (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_canvas (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Runs until the graph is laid out and all of what is in view of it is painted. */
static void
wait_for_picture (FlowWindow *window)
{
  FlowCanvas *canvas = FLOW_CANVAS (find_canvas (GTK_WIDGET (window)));
  gint64 begin = g_get_monotonic_time ();

  while (g_get_monotonic_time () < begin + 60 * G_USEC_PER_SEC &&
         (flow_canvas_get_graph (canvas) == NULL || flow_canvas_is_busy (canvas)))
    g_main_context_iteration (NULL, TRUE);
  g_print ("%-34s after %7.1f ms\n", "first picture", (double) (g_get_monotonic_time () - begin) / 1000.0);
}

static void
report (Watch      *watch,
        const char *what,
        double      took)
{
  double ms = (double) watch->longest / 1000.0;

  g_print ("%-34s longest wait %7.1f ms, %4.2f of the mark; busy %6.1f ms; done after %7.1f ms\n", what, ms,
           ms / MARK_MS, (double) watch->most_used / 1000.0, took);
  watch->longest = watch->most_used = 0;
}

static void
act (FlowWindow *window,
     Watch      *watch,
     const char *action,
     const char *parameter)
{
  g_autofree char *what = g_strdup_printf ("%s %s", action, parameter != NULL ? parameter : "");

  if (!g_action_group_get_action_enabled (G_ACTION_GROUP (window), action))
    {
      g_print ("%-34s not enabled\n", what);
      return;
    }
  g_action_group_activate_action (G_ACTION_GROUP (window), action,
                                  parameter != NULL ? g_variant_new_string (parameter) : NULL);
  report (watch, what, settle (window));
}

/* Words as a person types them, each looked for at once. */
static void
search (FlowWindow *window,
        Watch      *watch,
        const char *text)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_autofree char *what = g_strdup_printf ("search %s", text);

  if (!GTK_IS_EDITABLE (focus))
    return;
  gtk_editable_set_text (GTK_EDITABLE (focus), text);
  report (watch, what, settle (window));
}

static void
found_cb (const guint32 *hits,
          guint          n_hits,
          gpointer       data)
{
  *(gint64 *) data = n_hits;
}

/* A run, where the file has one: begun, stepped, run to its end and gone back in, as a person does. */
static void
step (FlowWindow *window,
      Watch      *watch)
{
  GListModel *runs = flow_ui_session_get_runs (flow_window_get_session (window));
  g_autoptr(FlowVariantItem) run = g_list_model_get_item (runs, 0);

  if (run == NULL)
    return;
  act (window, watch, "choose-run", flow_variant_item_get_string (run, "name"));
  act (window, watch, "restart", NULL);
  act (window, watch, "step-op", NULL);
  act (window, watch, "step-op", NULL);
  act (window, watch, "run", NULL);
  act (window, watch, "step-back", NULL);
}

/* From the wish to the hits, without the moment that the entry waits for more letters. */
static void
find (FlowWindow *window,
      const char *text)
{
  FlowUiSession *session = flow_window_get_session (window);
  gint64 begin = g_get_monotonic_time ();
  gint64 used = get_thread_time ();
  gint64 n_hits = -1;
  FlowSearch *search = NULL;

  if (flow_ui_session_get_graph (session) == NULL)
    return;
  search = flow_search_start (session, text, found_cb, &n_hits);
  while (n_hits < 0)
    g_main_context_iteration (NULL, TRUE);
  g_print ("find %-29s %7" G_GINT64_FORMAT " of %u names after %5.1f ms, %4.2f of the mark; busy %5.1f ms\n", text, n_hits,
           flow_graph_get_n_nodes (flow_ui_session_get_graph (session)),
           (double) (g_get_monotonic_time () - begin) / 1000.0,
           (double) (g_get_monotonic_time () - begin) / 1000.0 / MARK_MS, (double) (get_thread_time () - used) / 1000.0);
  flow_search_cancel (search);
}

static void
measure (GtkApplication *app,
         const char     *path)
{
  FlowWindow *window = flow_window_new (app);
  Watch watch = { 0 };
  FlowGraph *graph;
  guint timer;

  timer = g_timeout_add_full (G_PRIORITY_HIGH, TICK_MS, tick_cb, &watch, NULL);
  gtk_window_present (GTK_WINDOW (window));
  report (&watch, "start", settle (window));
  flow_window_open (window, path, NULL);
  wait_for_picture (window);
  report (&watch, "open", settle (window));
  act (window, &watch, "expand-all", NULL);
  act (window, &watch, "collapse-all", NULL);
  graph = flow_ui_session_get_graph (flow_window_get_session (window));
  for (guint i = 0; graph != NULL && i < MIN (flow_graph_get_n_child_scopes (graph, FLOW_SCOPE_ROOT), 8); i++)
    act (window, &watch, "expand", flow_graph_get_scope_path (graph, flow_graph_get_child_scope (graph, FLOW_SCOPE_ROOT, i)));
  act (window, &watch, "go-to", "gradients");
  act (window, &watch, "zoom-fit", NULL);
  act (window, &watch, "find", NULL);
  search (window, &watch, "bias");
  search (window, &watch, "type:MatMul");
  search (window, &watch, ".*/Adam_[0-9]+$");
  find (window, "bias");
  find (window, "Adam_1");
  find (window, "type:MatMul scope:gradients");
  find (window, ".*/Adam_[0-9]+$");
  find (window, "no such name");
  step (window, &watch);
  g_source_remove (timer);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The engine process of this build. */
FlowDebugger *
flow_debugger_factory_make (gpointer   data,
                            GError   **error)
{
  return flow_link_debugger_new (FLOW_ENGINE_PATH);
}

const char *
flow_debugger_factory_get_engine (void)
{
  return FLOW_ENGINE_PATH;
}

int
main (int   argc,
      char *argv[])
{
  char *path = argc > 1 ? argv[1] : g_build_filename (g_getenv ("FLOW_TEST_SHARED") != NULL ? g_getenv ("FLOW_TEST_SHARED") : ".",
                                                      "fixtures", "real", "gcn-nphard-adam", "model.ckpt.meta", NULL);
  g_autoptr (FlowApplication) app = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_print ("usage: bench-main-loop GRAPH\n");
      return 0;
    }
  flow_kernels_register ();
  app = flow_application_new ();
  g_application_set_flags (G_APPLICATION (app), G_APPLICATION_NON_UNIQUE);
  if (!g_application_register (G_APPLICATION (app), NULL, NULL))
    return 1;
  measure (GTK_APPLICATION (app), path);
  return 0;
}
