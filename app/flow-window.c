/* flow-window.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-window.h"

#include <glib/gi18n.h>

#include "flow-debugger-factory.h"
#include "flow-format.h"
#include "flow-start-page.h"
#include "flow-variant-item.h"
#include "flow-window-arrange.h"
#include "flow-window-colours.h"
#include "flow-window-focus.h"
#include "flow-window-private.h"
#include "flow-window-view.h"

/**
 * FlowWindow:
 *
 * One session: header bar, outline, canvas, panel, inspector. It brings canvas and session in step;
 * everything else the views do themselves. Actions are in flow-window-actions.c, `win.state` in
 * flow-window-state.c, what a stop says in flow-window-card.c, opening in flow-window-open.c, the title in
 * flow-window-title.c, dialogs in flow-window-dialogs.c.
 */

G_DEFINE_FINAL_TYPE (FlowWindow, flow_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- Canvas and session --- */

static void
set_marks (FlowWindow *self)
{
  GListModel *model = flow_ui_session_get_breakpoints (self->session);
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autoptr(GArray) marks = g_array_new (FALSE, FALSE, sizeof (FlowCanvasMark));

  for (guint i = 0; graph != NULL && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);
      GVariant *row = flow_variant_item_get_value (item);
      const char *text = flow_lookup_string (row, "text");
      gint64 node = flow_lookup_int (row, "node", FLOW_NODE_NONE);
      FlowCanvasMark mark = { (guint32) node, FLOW_CANVAS_MARK_BREAK };

      if (node < 0 || node >= flow_graph_get_n_nodes (graph))
        continue;
      if (!flow_lookup_bool (row, "enabled"))
        mark.kind = FLOW_CANVAS_MARK_DISABLED;
      else if (text != NULL && strstr (text, " log ") != NULL)
        mark.kind = FLOW_CANVAS_MARK_LOG;
      else if (text != NULL && strstr (text, " if ") != NULL)
        mark.kind = FLOW_CANVAS_MARK_CONDITIONAL;
      g_array_append_val (marks, mark);
    }
  flow_canvas_set_marks (self->canvas, (const FlowCanvasMark *) (gpointer) marks->data, marks->len);
}

static void
set_panel_title (FlowWindow *self,
                 GtkWidget  *page,
                 const char *title,
                 guint       count)
{
  g_autofree char *text = count > 0 ? g_strdup_printf ("%s  %u", title, count) : g_strdup (title);

  gtk_stack_page_set_title (gtk_stack_get_page (self->panel_stack, page), text);
}

static void
node_states_changed_cb (FlowUiSession *session,
                        FlowWindow    *self)
{
  _flow_window_show_node_states (self);
  set_marks (self);
  set_panel_title (self, GTK_WIDGET (self->breakpoints), _("Breakpoints"),
                   g_list_model_get_n_items (flow_ui_session_get_breakpoints (session)));
  _flow_window_queue_state (self);
}

static void
watches_changed_cb (FlowWindow *self)
{
  set_panel_title (self, GTK_WIDGET (self->watch), _("Watch"),
                   g_list_model_get_n_items (flow_ui_session_get_watches (self->session)));
}

static void
findings_changed_cb (FlowWindow *self)
{
  g_auto(GStrv) titles = flow_diagnostics_view_dup_titles (self->diagnostics);

  flow_inspector_set_findings (self->inspector, (const char *const *) titles);
  set_panel_title (self, GTK_WIDGET (self->diagnostics), _("Diagnostics"),
                   flow_diagnostics_view_get_count (self->diagnostics));
}

static void
graph_changed_cb (FlowUiSession *session,
                  FlowWindow    *self)
{
  self->shown_next = FLOW_NODE_NONE;
  self->syncing = TRUE;
  _flow_window_fill_canvas (self);
  self->syncing = FALSE;
  _flow_window_colour_graph (self);
  _flow_window_forget_focus (self);
  _flow_window_reset_loops (self);
  gtk_stack_set_visible_child_name (self->pages, "graph");
  _flow_window_update_title (self);
  _flow_window_update_actions (self);
}

static void
set_update_nodes (FlowWindow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  GPtrArray *items = graph != NULL ? flow_graph_get_collection (graph, "update_ops") : NULL;
  g_autoptr(GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      const FlowCollectionItem *item = g_ptr_array_index (items, i);
      guint32 op = item->name != NULL ? flow_graph_find_op (graph, item->name) : FLOW_NODE_NONE;

      if (op != FLOW_NODE_NONE)
        g_array_append_val (nodes, op);
    }
  flow_canvas_set_update_nodes (self->canvas, (const guint32 *) (gpointer) nodes->data, nodes->len);
}

static void
plan_changed_cb (FlowUiSession *session,
                 FlowWindow    *self)
{
  _flow_window_update_title (self);
  _flow_window_update_run_label (self);
  set_update_nodes (self);
  _flow_window_update_actions (self);
}

/*
 * The selection goes with the next op, as the current line does in other debuggers. A step opens no
 * scope (else there would be nothing left to step over); a stop that needs looking at does.
 */
static void
follow_next (FlowWindow           *self,
             const FlowDebugState *state)
{
  if ((state->next_node == FLOW_NODE_NONE && state->stop_node == FLOW_NODE_NONE) ||
      !flow_canvas_get_follow_next (self->canvas))
    return;
  if (state->reason == FLOW_STOP_ERROR || state->reason == FLOW_STOP_BREAKPOINT ||
      state->reason == FLOW_STOP_BAD_VALUE || state->reason == FLOW_STOP_WATCHPOINT)
    flow_ui_session_select (self->session,
                            state->stop_node != FLOW_NODE_NONE ? state->stop_node : state->next_node,
                            FLOW_SCOPE_NONE);
  else
    flow_ui_session_follow (self->session, state->next_node);
}

static void
state_changed_cb (FlowUiSession *session,
                  FlowWindow    *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (session);

  if (self->closed)
    return;
  /* An engine that was started again is no longer gone. */
  if (self->engine_ended && state != NULL && state->status != FLOW_DEBUG_ENDED &&
      flow_ui_session_get_graph (session) != NULL)
    {
      self->engine_ended = FALSE;
      _flow_window_update_title (self);
    }
  _flow_window_update_title (self);
  _flow_window_update_run_label (self);
  _flow_window_update_run_button (self);
  if (state != NULL && flow_ui_session_get_graph (session) != NULL)
    {
      flow_canvas_hold_view (self->canvas, flow_ui_session_is_travelling (session));
      flow_canvas_set_next_node (self->canvas, _flow_window_next_on_canvas (self, state));
      if ((state->next_node != self->shown_next || state->position != self->shown_position) &&
          state->status != FLOW_DEBUG_RUNNING)
        {
          self->shown_next = state->next_node;
          self->shown_position = state->position;
          follow_next (self, state);
          _flow_window_update_loops (self);
        }
    }
  _flow_window_update_card (self);
  _flow_window_update_actions (self);
  _flow_window_queue_state (self);
}

static void
selection_changed_cb (FlowUiSession *session,
                      FlowWindow    *self)
{
  guint32 node = flow_ui_session_get_selected_node (session);
  guint32 scope = flow_ui_session_get_selected_scope (session);

  if (!self->syncing)
    {
      self->syncing = TRUE;
      if (node != FLOW_NODE_NONE)
        {
          if (flow_ui_session_is_following (session))
            flow_canvas_select_node (self->canvas, node);
          else
            flow_canvas_reveal_node (self->canvas, node);
        }
      else if (scope != FLOW_SCOPE_NONE && scope != FLOW_SCOPE_ROOT)
        {
          flow_canvas_reveal_scope (self->canvas, scope);
        }
      self->syncing = FALSE;
    }
  _flow_window_update_actions (self);
  _flow_window_queue_state (self);
}

static void
canvas_selection_changed_cb (FlowCanvas *canvas,
                             guint       node,
                             guint       scope,
                             FlowWindow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *name = NULL;

  if (self->syncing)
    return;
  self->syncing = TRUE;
  /* Of a function's body the session has the op that calls. */
  node = node != FLOW_NODE_NONE ? _flow_window_outer_node (self, node, &name) : node;
  if (scope != FLOW_SCOPE_NONE && graph != NULL && scope >= flow_graph_get_n_scopes (graph))
    {
      node = self->view_graph != NULL
               ? flow_graph_find_node (graph, flow_graph_get_scope_path (self->view_graph, scope)) : FLOW_NODE_NONE;
      scope = FLOW_SCOPE_NONE;
    }
  flow_ui_session_select (self->session, node, scope);
  self->syncing = FALSE;
}

static void
canvas_breakpoint_cb (FlowCanvas *canvas,
                      guint       node,
                      FlowWindow *self)
{
  FlowGraph *graph = self->view_graph != NULL ? self->view_graph : flow_ui_session_get_graph (self->session);

  if (graph != NULL && node < flow_graph_get_n_nodes (graph))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toggle-breakpoint", "s",
                                flow_graph_get_node_name (graph, node));
}

/* An op of a function's body has no page in the inspector: its value opens by itself. */
static void
canvas_activated_cb (FlowCanvas *canvas,
                     guint       node,
                     FlowWindow *self)
{
  const char *name = NULL;

  _flow_window_outer_node (self, node, &name);
  if (name != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-value", "s", name);
}

static void
outline_toggled_cb (FlowOutline *outline,
                    guint        scope,
                    gboolean     expanded,
                    FlowWindow  *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *path = graph != NULL ? flow_graph_get_scope_path (graph, scope) : NULL;

  if (path == NULL)
    return;
  if (expanded)
    flow_canvas_expand (self->canvas, path);
  else
    flow_canvas_collapse (self->canvas, path);
}

static void
canvas_changed_cb (FlowWindow *self)
{
  _flow_window_queue_state (self);
}

/* --- Search --- */

static void
search_changed_cb (FlowWindow *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
  const char *page = gtk_stack_get_visible_child_name (self->sidebar_stack);

  if (g_strcmp0 (page, "collections") == 0)
    flow_collections_view_set_search (self->collections, text);
  else
    flow_outline_set_search (self->outline, text);
  if (g_strcmp0 (page, "runs") == 0 && text[0] != '\0')
    gtk_stack_set_visible_child_name (self->sidebar_stack, "outline");
}

static void
search_activate_cb (FlowWindow *self)
{
  flow_outline_next_hit (self->outline, 1);
}

static void
search_next_cb (FlowWindow *self)
{
  flow_outline_next_hit (self->outline, 1);
}

static void
search_previous_cb (FlowWindow *self)
{
  flow_outline_next_hit (self->outline, -1);
}

static void
search_stop_cb (FlowWindow *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

/* --- Object --- */

static gboolean
flow_window_close_request (GtkWindow *window)
{
  FlowWindow *self = FLOW_WINDOW (window);
  int width = 0;
  int height = 0;

  if (_flow_window_ask_about_runs (self, NULL))
    return TRUE;
  self->closed = TRUE;
  if (self->settings != NULL)
    {
      gtk_window_get_default_size (window, &width, &height);
      g_settings_set_int (self->settings, "window-width", width);
      g_settings_set_int (self->settings, "window-height", height);
      g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (window));
    }
  flow_ui_session_close (self->session);
  return GTK_WINDOW_CLASS (flow_window_parent_class)->close_request (window);
}

static void
flow_window_unrealize (GtkWidget *widget)
{
  FlowWindow *self = FLOW_WINDOW (widget);

  _flow_window_drop_menu (self);
  GTK_WIDGET_CLASS (flow_window_parent_class)->unrealize (widget);
}

static void
flow_window_dispose (GObject *object)
{
  FlowWindow *self = FLOW_WINDOW (object);

  self->closed = TRUE;
  g_clear_handle_id (&self->state_source, g_source_remove);
  g_clear_handle_id (&self->values_source, g_source_remove);
  _flow_window_unwatch_file (self);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  g_clear_handle_id (&self->pulse_source, g_source_remove);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      flow_ui_session_set_prepare (self->session, NULL, NULL);
      flow_ui_session_close (self->session);
    }
  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  _flow_window_drop_menu (self);
  _flow_window_free_colours (self);
  _flow_window_free_focus (self);
  _flow_window_free_view (self);
  g_clear_pointer (&self->open_plan, flow_open_plan_free);
  g_clear_pointer (&self->last_message, g_free);
  g_clear_pointer (&self->load_when_saved, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_WINDOW);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  g_clear_object (&self->state_action);
  g_clear_object (&self->view_graph);
  g_clear_pointer (&self->bodies, g_hash_table_unref);
  g_clear_pointer (&self->body_indices, g_array_unref);

  G_OBJECT_CLASS (flow_window_parent_class)->dispose (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FlowWindow, name)

static void
flow_window_class_init (FlowWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = flow_window_close_request;
  widget_class->unrealize = flow_window_unrealize;

  g_type_ensure (FLOW_TYPE_START_PAGE);
  g_type_ensure (FLOW_TYPE_OUTLINE);
  g_type_ensure (FLOW_TYPE_COLLECTIONS_VIEW);
  g_type_ensure (FLOW_TYPE_RUNS_VIEW);
  g_type_ensure (FLOW_TYPE_PATH_BAR);
  g_type_ensure (FLOW_TYPE_LOOP_BAR);
  g_type_ensure (FLOW_TYPE_TIMELINE_VIEW);
  g_type_ensure (FLOW_TYPE_VARIABLES_VIEW);
  g_type_ensure (FLOW_TYPE_WATCH_VIEW);
  g_type_ensure (FLOW_TYPE_BREAKPOINTS_VIEW);
  g_type_ensure (FLOW_TYPE_CHECKPOINT_VIEW);
  g_type_ensure (FLOW_TYPE_DIAGNOSTICS_VIEW);
  g_type_ensure (FLOW_TYPE_CONSOLE_VIEW);
  g_type_ensure (FLOW_TYPE_GRAPH_TABS);
  g_type_ensure (FLOW_TYPE_SCRIPT_VIEW);
  g_type_ensure (FLOW_TYPE_SOURCE_VIEW);
  g_type_ensure (FLOW_TYPE_ORIGIN_VIEW);
  g_type_ensure (FLOW_TYPE_PLANS_VIEW);
  g_type_ensure (FLOW_TYPE_RESOURCES_VIEW);
  g_type_ensure (FLOW_TYPE_CURVES_VIEW);
  g_type_ensure (FLOW_TYPE_INSPECTOR);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/flowstep/Flowstep/app/flow-window.ui");
  BIND (toasts);
  BIND (header);
  BIND (title);
  BIND (pages);
  BIND (step_buttons);
  BIND (run_button);
  BIND (run_chooser);
  BIND (run_label);
  BIND (search_button);
  BIND (bookmarks_button);
  BIND (left_paned);
  BIND (right_paned);
  BIND (bottom_paned);
  BIND (sidebar);
  BIND (sidebar_stack);
  BIND (search_entry);
  BIND (outline);
  BIND (collections);
  BIND (runs);
  BIND (graph_tabs);
  BIND (path_bar);
  BIND (loop_bar);
  BIND (canvas_bin);
  BIND (panel);
  BIND (panel_stack);
  BIND (panel_tabs);
  BIND (more_tabs);
  BIND (timeline);
  BIND (variables);
  BIND (watch);
  BIND (breakpoints);
  BIND (checkpoint);
  BIND (diagnostics);
  BIND (console);
  BIND (script);
  BIND (source);
  BIND (origin);
  BIND (plans);
  BIND (resources);
  BIND (curves);
  BIND (inspector);
  BIND (card_revealer);
  BIND (card);
  BIND (card_icon);
  BIND (card_title);
  BIND (card_text);
  BIND (card_primary);
  BIND (card_secondary);
  BIND (progress_revealer);
  BIND (progress_bar);
  BIND (progress_label);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_next_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_stop_cb);
  /* F11 steps into while a run is paused; the key comes here when that action is off. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F11, 0, "win.fullscreen", NULL);
}

static void
connect_session (FlowWindow *self)
{
  FlowUiSession *session = self->session;

  g_signal_connect_object (session, "graph-changed", G_CALLBACK (graph_changed_cb), self, 0);
  g_signal_connect_object (session, "plan-changed", G_CALLBACK (plan_changed_cb), self, 0);
  g_signal_connect_object (session, "state-changed", G_CALLBACK (state_changed_cb), self, 0);
  g_signal_connect_object (session, "node-states-changed", G_CALLBACK (node_states_changed_cb),
                           self, 0);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (selection_changed_cb), self,
                           0);
  g_signal_connect_object (session, "pending-changed", G_CALLBACK (canvas_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (flow_ui_session_get_watches (session), "items-changed",
                           G_CALLBACK (watches_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
give_session (FlowWindow *self)
{
  FlowView *const views[] = {
    FLOW_VIEW (self->outline), FLOW_VIEW (self->collections), FLOW_VIEW (self->runs),
    FLOW_VIEW (self->path_bar), FLOW_VIEW (self->timeline), FLOW_VIEW (self->variables),
    FLOW_VIEW (self->watch), FLOW_VIEW (self->breakpoints), FLOW_VIEW (self->checkpoint),
    FLOW_VIEW (self->diagnostics), FLOW_VIEW (self->console), FLOW_VIEW (self->origin),
    FLOW_VIEW (self->plans), FLOW_VIEW (self->resources), FLOW_VIEW (self->inspector),
    FLOW_VIEW (self->curves), FLOW_VIEW (self->graph_tabs), FLOW_VIEW (self->script), FLOW_VIEW (self->source),
  };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    flow_view_set_session (views[i], self->session);
}

static void
init_canvas (FlowWindow *self)
{
  self->canvas = FLOW_CANVAS (flow_canvas_new ());
  g_signal_connect_object (self->canvas, "selection-changed",
                           G_CALLBACK (canvas_selection_changed_cb), self, 0);
  g_signal_connect_object (self->canvas, "node-activated", G_CALLBACK (canvas_activated_cb), self, 0);
  g_signal_connect_object (self->canvas, "breakpoint-toggled", G_CALLBACK (canvas_breakpoint_cb),
                           self, 0);
  g_signal_connect_object (self->canvas, "notify", G_CALLBACK (canvas_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->outline, "scope-toggled", G_CALLBACK (outline_toggled_cb), self, 0);
}

/* No larger than all of the screens: what was kept may come from another one. */
static void
set_default_size (FlowWindow *self,
                  int         width,
                  int         height)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));
  int most_width = 0;
  int most_height = 0;

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr(GdkMonitor) monitor = g_list_model_get_item (monitors, i);
      GdkRectangle area = { 0 };

      gdk_monitor_get_geometry (monitor, &area);
      most_width = MAX (most_width, area.width);
      most_height = MAX (most_height, area.height);
    }
  gtk_window_set_default_size (GTK_WINDOW (self), most_width > 0 ? MIN (width, most_width) : width,
                               most_height > 0 ? MIN (height, most_height) : height);
}

/* Without an installed schema (a test, a build folder) the window works with defaults. */
static void
init_settings (FlowWindow *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr(GSettingsSchema) schema =
    source != NULL ? g_settings_schema_source_lookup (source, "org.flowstep.Flowstep", TRUE) : NULL;

  if (schema == NULL)
    return;
  self->settings = g_settings_new ("org.flowstep.Flowstep");
  set_default_size (self, g_settings_get_int (self->settings, "window-width"),
                    g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  g_settings_bind (self->settings, "follow-next", self->canvas, "follow-next",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "edge-shapes", self->canvas, "edge-shapes",
                   G_SETTINGS_BIND_DEFAULT);
}

static void
flow_window_init (FlowWindow *self)
{
  self->shown_next = FLOW_NODE_NONE;
  self->bodies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->body_indices = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->session = flow_ui_session_new (flow_debugger_factory_make, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  init_canvas (self);
  _flow_window_init_actions (self);
  _flow_window_init_colours (self);
  _flow_window_init_focus (self);
  _flow_window_init_arrange (self);
  _flow_window_init_view (self);
  _flow_window_init_state (self);
  connect_session (self);
  _flow_window_init_open (self);
  give_session (self);
  g_signal_connect_object (self->diagnostics, "count-changed", G_CALLBACK (findings_changed_cb),
                           self, G_CONNECT_SWAPPED);
  init_settings (self);
  _flow_window_init_drop (self);
  _flow_window_init_tabs (self);
  _flow_window_init_run_menu (self);
  _flow_window_init_menu (self);
  _flow_window_init_debug (self);
  gtk_stack_set_visible_child_name (self->panel_stack, "variables");
  _flow_window_update_run_label (self);
  _flow_window_update_actions (self);
}

FlowWindow *
flow_window_new (GtkApplication *app)
{
  return g_object_new (FLOW_TYPE_WINDOW, "application", app, NULL);
}

FlowUiSession *
flow_window_get_session (FlowWindow *self)
{
  g_return_val_if_fail (FLOW_IS_WINDOW (self), NULL);

  return self->session;
}
