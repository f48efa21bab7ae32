/* flow-window-state.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <json-glib/json-glib.h>

#include "flow-window-colours.h"
#include "flow-window-focus.h"
#include "flow-window-private.h"
#include "flow-window-view.h"

/*
 * win.state: where the window stands, as JSON. Whatever waits for the window reads it: scripts over
 * D-Bus, tests, screen shots. `pending` is 0 when nothing is under way: no question to the engine,
 * no movement, no layout.
 */

/* The canvas tells no one when its pictures are done: looked at this often while it is busy. */
#define BUSY_POLL_MS 30

static void
add_string (JsonBuilder *builder,
            const char  *key,
            const char  *value)
{
  json_builder_set_member_name (builder, key);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_int (JsonBuilder *builder,
         const char  *key,
         gint64       value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_int_value (builder, value);
}

static void
add_debug_state (FlowWindow  *self,
                 JsonBuilder *builder)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *next = NULL;

  if (state == NULL)
    {
      add_string (builder, "status", self->engine_ended ? "ended" : "empty");
      return;
    }
  if (graph != NULL && state->next_node < flow_graph_get_n_nodes (graph))
    next = state->op != NULL ? state->op : flow_graph_get_node_name (graph, state->next_node);
  add_string (builder, "status",
              self->engine_ended ? "ended" : flow_debug_status_name (state->status));
  add_string (builder, "reason", flow_stop_reason_name (state->reason));
  add_string (builder, "message", state->message != NULL ? state->message : "");
  add_string (builder, "error",
              state->error_code != 0 ? flow_error_code_name (state->error_code) : NULL);
  add_int (builder, "position", (gint64) state->position);
  add_int (builder, "events", (gint64) state->n_events);
  add_string (builder, "run", state->run);
  add_int (builder, "i", state->iteration_of_run);
  add_int (builder, "run_start", (gint64) state->run_start);
  add_string (builder, "next", next);
  add_string (builder, "node", next);
  add_string (builder, "frame", state->frame != NULL ? state->frame : "");
  add_int (builder, "iteration", state->iteration);
  add_int (builder, "visit", state->visit);
  add_int (builder, "of", state->n_visits);
  add_int (builder, "done", state->n_done);
  add_int (builder, "planned", state->n_planned);
  add_int (builder, "plan_hits", (gint64) state->plan_hits);
  add_int (builder, "stale", state->n_stale);
  add_int (builder, "pins", state->n_pins);
  add_int (builder, "history_bytes", (gint64) state->history_bytes);
  add_int (builder, "history_limit", (gint64) state->history_limit);
}

/* Of a script: the graph that is shown, the line that is chosen, the ops' count. */
static void
add_script (FlowWindow  *self,
            JsonBuilder *builder)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autofree char *line = flow_source_view_dup_line (self->source);

  json_builder_set_member_name (builder, "script");
  json_builder_begin_object (builder);
  add_int (builder, "graph", flow_graph_tabs_get_shown (self->graph_tabs));
  add_int (builder, "nodes", graph != NULL ? flow_graph_get_n_nodes (graph) : 0);
  add_string (builder, "line", line);
  json_builder_end_object (builder);
}

static char *
make_state (FlowWindow *self)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  g_autofree char *selection = flow_ui_session_dup_selected_name (self->session);
  g_auto(GStrv) open = flow_canvas_dup_open_scopes (self->canvas);
  guint pending = flow_ui_session_get_pending (self->session);

  json_builder_begin_object (builder);
  add_debug_state (self, builder);
  add_string (builder, "file", flow_ui_session_get_path (self->session));
  add_string (builder, "chosen_run", flow_ui_session_get_chosen_run (self->session));
  add_string (builder, "selection", selection);
  add_string (builder, "card", self->last_message);
  if (flow_ui_session_is_script (self->session))
    add_script (self, builder);
  json_builder_set_member_name (builder, "open_scopes");
  json_builder_begin_array (builder);
  for (guint i = 0; open != NULL && open[i] != NULL; i++)
    json_builder_add_string_value (builder, open[i]);
  json_builder_end_array (builder);
  _flow_window_add_colours (self, builder);
  _flow_window_add_bookmarks_state (self, builder);
  _flow_window_add_focus_state (self, builder);
  add_int (builder, "pending", pending + (self->canvas_busy ? 1 : 0));
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static gboolean
state_cb (gpointer data)
{
  FlowWindow *self = FLOW_WINDOW (data);
  g_autofree char *text = NULL;

  self->state_source = 0;
  self->canvas_busy = flow_canvas_is_busy (self->canvas);
  text = make_state (self);
  g_simple_action_set_state (self->state_action, g_variant_new_string (text));
  if (self->canvas_busy)
    self->state_source = g_timeout_add (BUSY_POLL_MS, state_cb, self);
  return G_SOURCE_REMOVE;
}

/* The state is made anew once in this turn of the main loop, however much changes. */
void
_flow_window_queue_state (FlowWindow *self)
{
  if (self->closed || self->state_action == NULL)
    return;
  g_clear_handle_id (&self->state_source, g_source_remove);
  self->state_source = g_idle_add (state_cb, self);
}

static void
refuse_cb (GSimpleAction *action,
           GVariant      *value,
           gpointer       data)
{
  /* Read only: a change asked for from outside changes nothing. */
}

void
_flow_window_init_state (FlowWindow *self)
{
  self->state_action = g_simple_action_new_stateful ("state", NULL, g_variant_new_string ("{}"));
  g_signal_connect (self->state_action, "change-state", G_CALLBACK (refuse_cb), NULL);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (self->state_action));
  _flow_window_queue_state (self);
}
