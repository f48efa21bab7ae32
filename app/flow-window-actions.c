/* flow-window-actions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-variant-item.h"
#include "flow-window-arrange.h"
#include "flow-window-colours.h"
#include "flow-window-focus.h"
#include "flow-window-private.h"
#include "flow-window-view.h"

/* When an action can be used. A disabled action is the only way a control greys out. */
typedef enum {
  NEED_NOTHING = 0,
  NEED_GRAPH = 1 << 0,
  NEED_RUN = 1 << 1,         /* a run is chosen */
  NEED_STOPPED = 1 << 2,     /* nothing is under way */
  NEED_AHEAD = 1 << 3,       /* there is something left to execute */
  NEED_PAST = 1 << 4,        /* something was executed */
  NEED_FAILED = 1 << 5,
  NEED_BUSY = 1 << 6,
  NEED_IN_RUN = 1 << 7,
  NEED_PIN = 1 << 8,
  NEED_OPENING = 1 << 9,
  NEED_ENGINE = 1 << 11,     /* the engine process lives */
  NEED_STALE = 1 << 13,      /* something was computed from what was replaced */
  NEED_SCRIPT = 1 << 12,     /* the engine process is a script's */
  NEVER = 1 << 10,           /* what it does is not built yet */
} Needs;

#define FORWARD (NEED_GRAPH | NEED_ENGINE | NEED_RUN | NEED_STOPPED | NEED_AHEAD)
#define BACKWARD (NEED_GRAPH | NEED_ENGINE | NEED_STOPPED | NEED_PAST)
#define FIXED (NEED_GRAPH | NEED_ENGINE | NEED_STOPPED)

typedef void (*ActionFunc) (FlowWindow *self,
                            GVariant   *parameter);

typedef struct {
  const char *name;
  const char *type;          /* of the parameter */
  ActionFunc func;
  guint needs;
  int movement;              /* FlowMovement for those without a function of their own */
} WindowAction;

/* --- Runs and breakpoints --- */

static void
choose_run (FlowWindow *self,
            GVariant   *parameter)
{
  const char *name = _flow_window_text_or_null (parameter);

  if (name == NULL)
    return;
  self->run_was_chosen = TRUE;
  flow_ui_session_choose_run (self->session, name);
}

static void
edit_run (FlowWindow *self,
          GVariant   *parameter)
{
  _flow_window_edit_run (self, FALSE);
}

static void
edit_feeds (FlowWindow *self,
            GVariant   *parameter)
{
  _flow_window_edit_run (self, TRUE);
}

static void
new_run (FlowWindow *self,
         GVariant   *parameter)
{
  _flow_window_new_run (self);
}

static void
written_cb (GObject           *owner,
               FlowDebuggerReply *reply,
               const GError      *error,
               gpointer           data)
{
  if (error == NULL)
    flow_ui_session_values_written (FLOW_WINDOW (owner)->session);
}

static void
initialize_variables (FlowWindow *self,
                      GVariant   *parameter)
{
  flow_ui_session_command (self->session, _("The variables could not be initialized"),
                           "InitializeVariables", NULL, NULL, self, written_cb, NULL);
}

static gint64
find_breakpoint (FlowWindow *self,
                 const char *expression)
{
  GListModel *model = flow_ui_session_get_breakpoints (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);
      GVariant *row = flow_variant_item_get_value (item);
      const char *text = flow_lookup_string (row, "text");

      if (text == NULL)
        continue;
      if (g_str_has_prefix (text, "before "))
        text += strlen ("before ");
      if (g_strcmp0 (text, expression) == 0)
        return flow_lookup_int (row, "id", -1);
    }
  return -1;
}

/* The parameter is a node, an expression ("type:MatMul if nan > 0"), or empty: the selection. */
static void
toggle_breakpoint (FlowWindow *self,
                   GVariant   *parameter)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autofree char *selected = flow_ui_session_dup_selected_name (self->session);
  const char *name = _flow_window_text_or_null (parameter);
  g_autofree char *expression = NULL;
  gint64 id = 0;

  if (name == NULL)
    name = selected;
  if (name == NULL)
    return;
  if (flow_graph_find_node (self->view_graph != NULL ? self->view_graph : graph, name) != FLOW_NODE_NONE)
    expression = g_strdup_printf ("node:%s", name);
  else if (flow_graph_find_scope (graph, name) != FLOW_SCOPE_NONE)
    expression = g_strdup_printf ("scope:%s", name);
  else
    expression = g_strdup (name);
  id = find_breakpoint (self, expression);
  if (id >= 0)
    flow_ui_session_command (self->session, _("The breakpoint could not be deleted"),
                             "RemoveBreakpoint", g_variant_new ("(u)", (guint32) id), NULL, NULL,
                             NULL, NULL);
  else
    flow_ui_session_command (self->session, _("The breakpoint could not be set"), "AddBreakpoint",
                             g_variant_new ("(s)", expression), NULL, NULL, NULL, NULL);
}

static void
breakpoint_properties (FlowWindow *self,
                       GVariant   *parameter)
{
  _flow_window_edit_breakpoint (self);
}

/* A rule in which SELECTED and VARIABLE stand for the selection: into the entry, to be completed. */
static void
suggest_breakpoint (FlowWindow *self,
                    GVariant   *parameter)
{
  _flow_window_show_panel (self, "breakpoints");
  flow_breakpoints_view_suggest (self->breakpoints, g_variant_get_string (parameter, NULL));
}

static void
recheck (FlowWindow *self,
         GVariant   *parameter)
{
  _flow_window_show_panel (self, "breakpoints");
  flow_breakpoints_view_recheck (self->breakpoints);
}

/* Returns: (transfer full) (nullable): `a/b` is `a/b:0` */
static char *
complete_tensor (FlowWindow *self,
                 const char *name)
{
  FlowGraph *graph = self->view_graph != NULL ? self->view_graph : flow_ui_session_get_graph (self->session);
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };

  if (!flow_graph_parse_endpoint (graph, name, &endpoint, NULL) ||
      endpoint.slot == FLOW_SLOT_CONTROL ||
      (guint) endpoint.slot >= flow_graph_get_n_outputs (graph, endpoint.node))
    return NULL;
  return g_strdup_printf ("%s:%d", flow_graph_get_node_name (graph, endpoint.node), endpoint.slot);
}

static void
watch (FlowWindow *self,
       GVariant   *parameter)
{
  g_autofree char *shown = flow_inspector_dup_tensor (self->inspector);
  const char *name = _flow_window_text_or_null (parameter);
  g_autofree char *tensor = NULL;

  if (name == NULL)
    name = shown;
  if (name != NULL)
    tensor = name[0] == '=' ? g_strdup (name) : complete_tensor (self, name);
  if (tensor == NULL)
    return;
  flow_ui_session_toggle_watch (self->session, tensor);
  _flow_window_show_panel (self, "watch");
}

/* --- Values --- */

static void
restore_checkpoint (FlowWindow *self,
                    GVariant   *parameter)
{
  const char *prefix = _flow_window_text_or_null (parameter);

  if (prefix == NULL)
    {
      _flow_window_choose_checkpoint (self);
      return;
    }
  _flow_window_show_panel (self, "checkpoint");
  flow_checkpoint_view_restore (self->checkpoint, prefix);
}

static void
choose_checkpoint (FlowWindow *self,
                   GVariant   *parameter)
{
  _flow_window_choose_checkpoint (self);
}

/* The parameter has checkpoints or folders with semicolons between; empty: they are chosen. */
static void
checkpoint_series (FlowWindow *self,
                   GVariant   *parameter)
{
  const char *text = _flow_window_text_or_null (parameter);
  g_auto(GStrv) paths = text != NULL ? g_strsplit (text, ";", -1) : NULL;

  if (paths == NULL)
    {
      _flow_window_choose_series (self);
      return;
    }
  for (guint i = 0; paths[i] != NULL; i++)
    g_strstrip (paths[i]);
  _flow_window_show_panel (self, "checkpoint");
  flow_checkpoint_view_series (self->checkpoint, (const char *const *) paths);
}

static void
save_checkpoint (FlowWindow *self,
                 GVariant   *parameter)
{
  _flow_window_choose_save (self);
}

static void
load_run_file (FlowWindow *self,
               GVariant   *parameter)
{
  _flow_window_load_run_file (self, g_variant_get_string (parameter, NULL));
}

static void
save_run_file (FlowWindow *self,
               GVariant   *parameter)
{
  _flow_window_save_run_file (self, g_variant_get_string (parameter, NULL));
}

/* The parameter is tensor=SPEC; a SPEC that is empty takes the override back. */
static void
override (FlowWindow *self,
          GVariant   *parameter)
{
  const char *text = g_variant_get_string (parameter, NULL);
  const char *equals = strchr (text, '=');
  g_autofree char *tensor = NULL;

  if (equals == NULL || equals == text)
    {
      _flow_window_toast (self, _("An override is written tensor=SPEC"));
      return;
    }
  tensor = g_strndup (text, equals - text);
  flow_ui_session_command (self->session, _("The value could not be replaced"), "Override",
                           g_variant_new ("(ss)", g_strstrip (tensor), equals + 1), NULL, self,
                           written_cb, NULL);
}

static void
edit_value (FlowWindow *self,
            GVariant   *parameter)
{
  g_autofree char *tensor = complete_tensor (self, g_variant_get_string (parameter, NULL));

  if (tensor != NULL)
    _flow_window_edit_value (self, tensor);
}

/* The parameter is a value, `a/b:0`, `var:NAME`, `file:PREFIX#NAME`; how it is shown may stand behind a blank, and
 * behind another which of the values it has had. Or it is `=EXPRESSION`. */
static void
show_value (FlowWindow *self,
            GVariant   *parameter)
{
  const char *text = g_variant_get_string (parameter, NULL);
  g_auto(GStrv) words = g_strsplit (text, " ", text[0] == '=' ? 1 : 3);
  const char *ref = words[0] != NULL ? words[0] : "";
  gboolean is_ref = ref[0] == '=' || g_str_has_prefix (ref, "var:") || g_str_has_prefix (ref, "file:") || strchr (ref, '@') != NULL;
  g_autofree char *tensor = is_ref ? g_strdup (ref) : complete_tensor (self, ref);
  GtkWidget *window = tensor != NULL ? _flow_window_show_value (self, tensor) : NULL;

  if (window != NULL && words[0] != NULL && words[1] != NULL)
    {
      gtk_widget_activate_action (window, "value.mode", "s", words[1]);
      if (words[2] != NULL)
        gtk_widget_activate_action (window, "value.moment", "s", words[2]);
    }
}

static void
restart_engine (FlowWindow *self,
                GVariant   *parameter)
{
  flow_ui_session_restart_engine (self->session);
}

/* --- Finding --- */

static void
find (FlowWindow *self,
      GVariant   *parameter)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (GTK_EDITABLE (self->search_entry), 0, -1);
}

static void
go_to (FlowWindow *self,
       GVariant   *parameter)
{
  const char *text = _flow_window_text_or_null (parameter);

  if (text == NULL)
    _flow_window_ask_go_to (self);
  else
    _flow_window_go_to_text (self, text);
}

static void
select_node (FlowWindow *self,
             GVariant   *parameter)
{
  const char *text = _flow_window_text_or_null (parameter);
  g_autofree char *message = NULL;

  if (text == NULL)
    {
      flow_ui_session_select (self->session, FLOW_NODE_NONE, FLOW_SCOPE_NONE);
      return;
    }
  if (flow_ui_session_select_name (self->session, text))
    return;
  message = g_strdup_printf (_("There is no node “%s”"), text);
  _flow_window_toast (self, message);
}

static void
go_back (FlowWindow *self,
         GVariant   *parameter)
{
  flow_ui_session_go_back (self->session);
}

static void
go_forward (FlowWindow *self,
            GVariant   *parameter)
{
  flow_ui_session_go_forward (self->session);
}

/* --- Canvas --- */

static void
set_expanded (FlowWindow *self,
              const char *path,
              gboolean    expanded)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  guint32 scope = FLOW_SCOPE_NONE;
  g_autofree char *selected = flow_ui_session_dup_selected_name (self->session);
  g_autofree char *name = g_strdup (path != NULL ? path : selected);

  if (name == NULL)
    return;
  if (g_str_has_suffix (name, "/"))
    name[strlen (name) - 1] = '\0';
  scope = flow_graph_find_scope (graph, name);
  if (scope == FLOW_SCOPE_NONE)
    return;
  if (expanded)
    flow_canvas_expand (self->canvas, name);
  else
    flow_canvas_collapse (self->canvas, name);
  flow_outline_expand_scope (self->outline, scope, expanded);
  _flow_window_queue_state (self);
}

static void
expand (FlowWindow *self,
        GVariant   *parameter)
{
  set_expanded (self, _flow_window_text_or_null (parameter), TRUE);
}

static void
collapse (FlowWindow *self,
          GVariant   *parameter)
{
  set_expanded (self, _flow_window_text_or_null (parameter), FALSE);
}

static void
expand_all (FlowWindow *self,
            GVariant   *parameter)
{
  flow_canvas_expand_all (self->canvas);
}

static void
collapse_all (FlowWindow *self,
              GVariant   *parameter)
{
  flow_canvas_collapse_all (self->canvas);
  flow_outline_collapse_all (self->outline);
}

static void
zoom_in (FlowWindow *self,
         GVariant   *parameter)
{
  flow_canvas_zoom_in (self->canvas);
}

static void
zoom_out (FlowWindow *self,
          GVariant   *parameter)
{
  flow_canvas_zoom_out (self->canvas);
}

static void
zoom_reset (FlowWindow *self,
            GVariant   *parameter)
{
  flow_canvas_zoom_reset (self->canvas);
}

static void
zoom_fit (FlowWindow *self,
          GVariant   *parameter)
{
  flow_canvas_zoom_fit (self->canvas);
}

static void
zoom_selection (FlowWindow *self,
                GVariant   *parameter)
{
  flow_canvas_zoom_selection (self->canvas);
}

/* Back to where the run stands. */
static void
show_next (FlowWindow *self,
           GVariant   *parameter)
{
  guint32 node = _flow_window_next_node (self);

  if (node == FLOW_NODE_NONE)
    return;
  flow_ui_session_select (self->session, node, FLOW_SCOPE_NONE);
  flow_canvas_reveal_node (self->canvas, node);
}

static void
export (FlowWindow *self,
        GVariant   *parameter)
{
  const char *path = _flow_window_text_or_null (parameter);
  g_autoptr(GError) error = NULL;

  if (path == NULL)
    {
      _flow_window_choose_export (self);
      return;
    }
  if (!flow_canvas_export (self->canvas, path, &error))
    _flow_window_show_error (self, _("The picture could not be written"), error);
}

/* A series of the event file by its tag. */
static void
show_series (FlowWindow *self,
             GVariant   *parameter)
{
  if (flow_curves_view_choose (self->curves, g_variant_get_string (parameter, NULL)))
    _flow_window_show_panel (self, "curves");
}

static void
show_panel (FlowWindow *self,
            GVariant   *parameter)
{
  _flow_window_show_panel (self, g_variant_get_string (parameter, NULL));
}

static void
show_collection (FlowWindow *self,
                 GVariant   *parameter)
{
  _flow_window_show_panel (self, "collections");
  flow_collections_view_show (self->collections, g_variant_get_string (parameter, NULL));
}

static void
fullscreen (FlowWindow *self,
            GVariant   *parameter)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static void
node_menu (FlowWindow *self,
           GVariant   *parameter)
{
  _flow_window_open_menu (self);
}

static void
cancel (FlowWindow *self,
        GVariant   *parameter)
{
  flow_ui_session_cancel_open (self->session);
  if (flow_ui_session_is_moving (self->session))
    flow_ui_session_pause (self->session);
}

/* --- The table --- */

static const WindowAction window_actions[] = {
  { "run", NULL, NULL, FORWARD, FLOW_MOVE_RUN },
  { "pause", NULL, _flow_window_pause_run, NEED_BUSY, 0 },
  { "stop", NULL, _flow_window_stop_run, NEED_IN_RUN, 0 },
  { "restart", NULL, NULL, FIXED | NEED_RUN, FLOW_MOVE_RESTART },
  { "step-op", NULL, NULL, FORWARD, FLOW_MOVE_STEP_OP },
  { "step-over", NULL, _flow_window_step_over, FORWARD, 0 },
  { "step-into", NULL, _flow_window_step_into, FORWARD, 0 },
  { "step-out", NULL, NULL, FORWARD, FLOW_MOVE_OUT },
  { "step-back", NULL, NULL, BACKWARD, FLOW_MOVE_BACK },
  { "step-over-back", NULL, _flow_window_step_over_back, BACKWARD, 0 },
  { "step-into-back", NULL, _flow_window_step_into_back, BACKWARD, 0 },
  { "continue-back", NULL, NULL, BACKWARD, FLOW_MOVE_CONTINUE_BACK },
  { "run-to", "s", _flow_window_run_to, FORWARD, 0 },
  { "next-of-type", "s", _flow_window_next_of_type, FORWARD, 0 },
  { "recompute", NULL, _flow_window_recompute, FIXED | NEED_STALE, 0 },
  { "next-bad-value", NULL, NULL, FORWARD, FLOW_MOVE_NEXT_BAD_VALUE },
  { "leave-scope", NULL, _flow_window_leave_scope, FORWARD, 0 },
  { "next-iteration", NULL, NULL, FORWARD, FLOW_MOVE_NEXT_ITERATION },
  { "previous-iteration", NULL, _flow_window_previous_iteration, BACKWARD, 0 },
  { "reload", NULL, _flow_window_reload, NEED_GRAPH | NEED_ENGINE | NEED_STOPPED, 0 },
  { "open-body", "s", _flow_window_open_body, NEED_GRAPH, 0 },
  { "go-to-iteration", "s", _flow_window_go_to_iteration, FIXED | NEED_RUN, 0 },
  { "go-to-event", "i", _flow_window_go_to_event, FIXED, 0 },
  { "skip-runs", "i", _flow_window_skip_runs, FORWARD, 0 },
  { "retry", NULL, NULL, FIXED | NEED_FAILED, FLOW_MOVE_RETRY },
  { "choose-run", "s", choose_run, FIXED, 0 },
  { "load-run-file", "s", load_run_file, FIXED, 0 },
  { "save-run-file", "s", save_run_file, FIXED, 0 },
  { "edit-run", NULL, edit_run, FIXED | NEED_RUN, 0 },
  { "new-run", NULL, new_run, FIXED, 0 },
  { "edit-feeds", NULL, edit_feeds, FIXED | NEED_RUN, 0 },
  { "initialize-variables", NULL, initialize_variables, FIXED, 0 },
  { "toggle-breakpoint", "s", toggle_breakpoint, NEED_GRAPH | NEED_ENGINE, 0 },
  { "breakpoint-properties", NULL, breakpoint_properties, NEED_GRAPH, 0 },
  { "suggest-breakpoint", "s", suggest_breakpoint, NEED_GRAPH | NEED_ENGINE, 0 },
  { "recheck", NULL, recheck, FIXED, 0 },
  { "watch", "s", watch, NEED_GRAPH, 0 },
  { "pin", NULL, _flow_window_pin, FIXED, 0 },
  { "compare", NULL, _flow_window_compare, FIXED | NEED_PIN, 0 },
  { "compare-value", "s", _flow_window_compare_value, NEED_GRAPH | NEED_ENGINE, 0 },
  { "compare-plans", "s", _flow_window_compare_plans, NEED_GRAPH | NEED_ENGINE, 0 },
  { "next-write", "s", _flow_window_next_write, FORWARD, 0 },
  { "last-write", "s", _flow_window_last_write, BACKWARD, 0 },
  { "origin", "s", _flow_window_origin, NEED_GRAPH | NEED_ENGINE, 0 },
  { "run-next", "s", _flow_window_run_next, FORWARD, 0 },
  { "set-history-limit", "s", _flow_window_set_history_limit, FIXED, 0 },
  { "set-policy", "s", _flow_window_set_policy, FIXED, 0 },
  { "save-value", "s", _flow_window_save_value, FIXED, 0 },
  { "restore-checkpoint", "s", restore_checkpoint, FIXED, 0 },
  { "choose-checkpoint", NULL, choose_checkpoint, FIXED, 0 },
  { "checkpoint-series", "s", checkpoint_series, NEED_GRAPH | NEED_ENGINE, 0 },
  { "save-checkpoint", NULL, save_checkpoint, FIXED, 0 },
  { "override", "s", override, FIXED, 0 },
  { "edit-value", "s", edit_value, FIXED, 0 },
  { "show-value", "s", show_value, NEED_GRAPH, 0 },
  { "script-policy", "s", _flow_window_script_policy, NEED_GRAPH | NEED_ENGINE | NEED_SCRIPT, 0 },
  { "show-graph", "s", _flow_window_show_script_graph, NEED_GRAPH | NEED_ENGINE | NEED_SCRIPT, 0 },
  { "show-session", "s", _flow_window_show_script_session, NEED_GRAPH | NEED_ENGINE | NEED_SCRIPT, 0 },
  { "script-input", "s", _flow_window_script_input, NEED_GRAPH | NEED_ENGINE | NEED_SCRIPT, 0 },
  { "end-script-input", NULL, _flow_window_end_script_input, NEED_GRAPH | NEED_ENGINE | NEED_SCRIPT, 0 },
  { "show-line", "s", _flow_window_show_line, NEED_GRAPH | NEED_SCRIPT, 0 },
  { "select-line", "s", _flow_window_select_line, NEED_GRAPH | NEED_SCRIPT, 0 },
  { "break-line", "s", _flow_window_break_line, NEED_GRAPH | NEED_ENGINE | NEED_SCRIPT, 0 },
  { "clone-scope", "s", _flow_window_clone_scope, FIXED, 0 },
  { "add-optimizer", "s", _flow_window_add_optimizer, FIXED, 0 },
  { "evaluate", "s", _flow_window_evaluate, FIXED | NEED_SCRIPT, 0 },
  { "restart-engine", NULL, restart_engine, NEED_NOTHING, 0 },
  { "detach", NULL, NULL, NEVER, 0 },
  { "find", NULL, find, NEED_GRAPH, 0 },
  { "go-to", "s", go_to, NEED_GRAPH, 0 },
  { "select", "s", select_node, NEED_GRAPH, 0 },
  { "back", NULL, go_back, NEED_GRAPH, 0 },
  { "forward", NULL, go_forward, NEED_GRAPH, 0 },
  { "expand", "s", expand, NEED_GRAPH, 0 },
  { "collapse", "s", collapse, NEED_GRAPH, 0 },
  { "expand-all", NULL, expand_all, NEED_GRAPH, 0 },
  { "expand-depth", "s", _flow_window_expand_depth, NEED_GRAPH, 0 },
  { "fold-series", "s", _flow_window_fold_series, NEED_GRAPH, 0 },
  { "move-aside", "s", _flow_window_move_aside, NEED_GRAPH, 0 },
  { "move-back", "s", _flow_window_move_back, NEED_GRAPH, 0 },
  { "arrange-anew", NULL, _flow_window_arrange_anew, NEED_GRAPH, 0 },
  { "collapse-all", NULL, collapse_all, NEED_GRAPH, 0 },
  { "zoom-in", NULL, zoom_in, NEED_GRAPH, 0 },
  { "zoom-out", NULL, zoom_out, NEED_GRAPH, 0 },
  { "zoom-reset", NULL, zoom_reset, NEED_GRAPH, 0 },
  { "zoom-fit", NULL, zoom_fit, NEED_GRAPH, 0 },
  { "zoom-selection", NULL, zoom_selection, NEED_GRAPH, 0 },
  { "show-next", NULL, show_next, NEED_GRAPH, 0 },
  { "direction", "s", _flow_window_set_direction, NEED_GRAPH, 0 },
  { "export", "s", export, NEED_GRAPH, 0 },
  { "trace", "s", _flow_window_trace, NEED_GRAPH, 0 },
  { "path-start", "s", _flow_window_path_start, NEED_GRAPH, 0 },
  { "paths", "s", _flow_window_paths, NEED_GRAPH, 0 },
  { "gradients", "s", _flow_window_gradients, NEED_GRAPH, 0 },
  { "solo", "s", _flow_window_solo, NEED_GRAPH, 0 },
  { "isolate", "s", _flow_window_isolate, NEED_GRAPH, 0 },
  { "hide", "s", _flow_window_hide, NEED_GRAPH, 0 },
  { "show-all", NULL, _flow_window_show_all, NEED_GRAPH, 0 },
  { "bookmark", "s", _flow_window_add_bookmark, NEED_GRAPH, 0 },
  { "bookmarks", NULL, _flow_window_bookmarks, NEED_GRAPH, 0 },
  { "go-to-bookmark", "i", _flow_window_go_to_bookmark, NEED_GRAPH, 0 },
  { "note-bookmark", "s", _flow_window_note_bookmark, NEED_GRAPH, 0 },
  { "remove-bookmark", "i", _flow_window_remove_bookmark, NEED_GRAPH, 0 },
  { "colour-menu", NULL, _flow_window_colour_menu, NEED_GRAPH, 0 },
  { "load-colours", "s", _flow_window_load_colours, NEED_GRAPH, 0 },
  { "show-series", "s", show_series, NEED_GRAPH | NEED_ENGINE, 0 },
  { "show-panel", "s", show_panel, NEED_NOTHING, 0 },
  { "show-collection", "s", show_collection, NEED_GRAPH, 0 },
  { "node-menu", NULL, node_menu, NEED_GRAPH, 0 },
  { "fullscreen", NULL, fullscreen, NEED_NOTHING, 0 },
  { "cancel", NULL, cancel, NEED_OPENING, 0 },
};

static void
activate_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  FlowWindow *self = FLOW_WINDOW (data);
  const WindowAction *entry = g_object_get_data (G_OBJECT (action), "flow-action");

  if (self->closed)
    return;
  if (entry->func != NULL)
    entry->func (self, parameter);
  else
    _flow_window_move (self, entry->movement, NULL);
}

static guint
get_conditions (FlowWindow *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  gboolean busy = flow_ui_session_is_busy (self->session);
  gboolean opening = flow_ui_session_is_opening (self->session);
  guint conditions = 0;

  if (flow_ui_session_get_graph (self->session) != NULL)
    conditions |= NEED_GRAPH;
  if (!self->engine_ended)
    conditions |= NEED_ENGINE;
  if (flow_ui_session_get_chosen_run (self->session) != NULL ||
      (state != NULL && state->run != NULL && state->run[0] != '\0'))
    conditions |= NEED_RUN;
  if (!busy)
    conditions |= NEED_STOPPED;
  if (busy || flow_ui_session_is_moving (self->session))
    conditions |= NEED_BUSY | NEED_OPENING;
  if (opening)
    conditions |= NEED_OPENING;
  /* The runs of a script are the script's: none is chosen. */
  if (flow_ui_session_is_script (self->session))
    conditions |= NEED_SCRIPT | NEED_RUN;
  if (state == NULL)
    return conditions;
  if (state->status != FLOW_DEBUG_FINISHED && state->status != FLOW_DEBUG_FAILED &&
      state->status != FLOW_DEBUG_ENDED && state->status != FLOW_DEBUG_EMPTY)
    conditions |= NEED_AHEAD;
  /* A script that is given the failure goes on. */
  if (state->status == FLOW_DEBUG_FAILED && flow_ui_session_is_script (self->session))
    conditions |= NEED_AHEAD;
  if (state->position > 0)
    conditions |= NEED_PAST;
  if (state->n_pins > 0)
    conditions |= NEED_PIN;
  if (state->n_stale > 0)
    conditions |= NEED_STALE;
  if (state->status == FLOW_DEBUG_FAILED)
    conditions |= NEED_FAILED;
  if (state->status == FLOW_DEBUG_PAUSED || state->status == FLOW_DEBUG_RUNNING ||
      state->status == FLOW_DEBUG_FAILED || state->status == FLOW_DEBUG_WAITING)
    conditions |= NEED_IN_RUN;
  return conditions;
}

/* Switches every action on or off for where the session stands. */
void
_flow_window_update_actions (FlowWindow *self)
{
  guint conditions = 0;

  if (self->closed)
    return;
  conditions = get_conditions (self);
  for (guint i = 0; i < G_N_ELEMENTS (window_actions); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), window_actions[i].name);
      gboolean enabled = (window_actions[i].needs & ~conditions) == 0;

      if (g_strcmp0 (window_actions[i].name, "back") == 0)
        enabled = enabled && flow_ui_session_can_go_back (self->session);
      else if (g_strcmp0 (window_actions[i].name, "forward") == 0)
        enabled = enabled && flow_ui_session_can_go_forward (self->session);
      else if (g_strcmp0 (window_actions[i].name, "show-all") == 0)
        enabled = enabled && _flow_window_has_focus (self);
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
    }
}

void
_flow_window_init_actions (FlowWindow *self)
{
  g_autoptr(GPropertyAction) follow =
    g_property_action_new ("follow", self->canvas, "follow-next");

  for (guint i = 0; i < G_N_ELEMENTS (window_actions); i++)
    {
      const char *type = window_actions[i].type;
      g_autoptr(GSimpleAction) action =
        g_simple_action_new (window_actions[i].name,
                             type == NULL ? NULL : G_VARIANT_TYPE (type));

      g_object_set_data (G_OBJECT (action), "flow-action", (gpointer) &window_actions[i]);
      g_signal_connect_object (action, "activate", G_CALLBACK (activate_cb), self, 0);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (follow));
}

/* Shows a page of the panel or of the sidebar by its name. */
void
_flow_window_show_panel (FlowWindow *self,
                         const char *name)
{
  if (gtk_stack_get_child_by_name (self->panel_stack, name) != NULL)
    {
      gtk_widget_set_visible (self->panel, TRUE);
      gtk_stack_set_visible_child_name (self->panel_stack, name);
    }
  else if (gtk_stack_get_child_by_name (self->sidebar_stack, name) != NULL)
    {
      gtk_widget_set_visible (self->sidebar, TRUE);
      gtk_stack_set_visible_child_name (self->sidebar_stack, name);
    }
  else if (g_strcmp0 (name, "inspector") == 0)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->inspector), TRUE);
    }
}
