/* flow-window-moves.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-window-private.h"

/* The actions that move along a run. */

/* What an action was given; empty text is nothing. */
const char *
_flow_window_text_or_null (GVariant *parameter)
{
  const char *text = g_variant_get_string (parameter, NULL);

  return text[0] != '\0' ? text : NULL;
}

/* A run that has not begun is begun first: then a step does what a person means. */
void
_flow_window_move (FlowWindow   *self,
                   FlowMovement  movement,
                   const char   *argument)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);

  if (state != NULL && state->status == FLOW_DEBUG_IDLE && movement != FLOW_MOVE_RESTART &&
      movement != FLOW_MOVE_GOTO && !flow_ui_session_is_moving (self->session))
    flow_ui_session_move (self->session, FLOW_MOVE_RESTART, NULL);
  flow_ui_session_move (self->session, movement, argument);
}

/*
 * The closed box on the canvas that @node lies in: what "over" steps over. Empty when the node is
 * shown itself.
 */
char *
_flow_window_dup_closed_scope (FlowWindow *self,
                               guint32     node)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_auto(GStrv) open = flow_canvas_dup_open_scopes (self->canvas);
  guint32 own = FLOW_SCOPE_NONE;
  const char *closed = NULL;

  if (graph == NULL || node >= flow_graph_get_n_nodes (graph))
    return g_strdup ("");
  own = flow_graph_find_scope (graph, flow_graph_get_node_name (graph, node));
  for (guint32 scope = own != FLOW_SCOPE_NONE ? own : flow_graph_get_node_scope (graph, node);
       scope != FLOW_SCOPE_ROOT && scope != FLOW_SCOPE_NONE;
       scope = flow_graph_get_scope_parent (graph, scope))
    {
      const char *path = flow_graph_get_scope_path (graph, scope);

      /* The outermost closed one wins: it is the box a person sees. */
      if (open == NULL || !g_strv_contains ((const char *const *) open, path))
        closed = path;
    }
  return g_strdup (closed != NULL ? closed : "");
}

/* The op that is executed next, if any. */
guint32
_flow_window_next_node (FlowWindow *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);

  return state != NULL ? state->next_node : FLOW_NODE_NONE;
}

void
_flow_window_step_over (FlowWindow *self,
                        GVariant   *parameter)
{
  g_autofree char *scope = _flow_window_dup_closed_scope (self, _flow_window_next_node (self));

  /* Over an op that calls functions goes over what they execute. */
  _flow_window_move (self, FLOW_MOVE_OVER, scope);
}

void
_flow_window_step_into (FlowWindow *self,
                        GVariant   *parameter)
{
  g_autofree char *scope = _flow_window_dup_closed_scope (self, _flow_window_next_node (self));

  if (scope[0] == '\0')
    {
      _flow_window_move (self, FLOW_MOVE_STEP_OP, NULL);
      return;
    }
  flow_canvas_expand (self->canvas, scope);
  _flow_window_move (self, FLOW_MOVE_INTO, scope);
}

/* Steps backwards over or into need to know what was executed last. */
static void
previous_event_cb (GObject           *owner,
                   FlowDebuggerReply *reply,
                   const GError      *error,
                   gpointer           data)
{
  FlowWindow *self = FLOW_WINDOW (owner);
  FlowMovement movement = GPOINTER_TO_INT (data);
  g_autoptr(GVariant) events = NULL;
  g_autofree char *scope = NULL;
  guint64 position = 0;
  guint32 node = FLOW_NODE_NONE;

  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(tusuxbtx))")))
    events = g_variant_get_child_value (reply->value, 0);
  if (events != NULL && g_variant_n_children (events) > 0)
    g_variant_get_child (events, 0, "(tu&suxbtx)", &position, &node, NULL, NULL, NULL, NULL, NULL,
                         NULL);
  scope = _flow_window_dup_closed_scope (self, node);
  if (scope[0] != '\0' && movement == FLOW_MOVE_INTO_BACK)
    flow_canvas_expand (self->canvas, scope);
  flow_ui_session_move (self->session, movement, scope);
}

static void
ask_previous (FlowWindow   *self,
              FlowMovement  movement)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);

  if (state == NULL || state->position == 0)
    return;
  flow_ui_session_command (self->session, NULL, "Events",
                           g_variant_new ("(tu)", state->position - 1, 1), NULL, self,
                           previous_event_cb, GINT_TO_POINTER (movement));
}

void
_flow_window_step_over_back (FlowWindow *self,
                             GVariant   *parameter)
{
  ask_previous (self, FLOW_MOVE_OVER_BACK);
}

void
_flow_window_step_into_back (FlowWindow *self,
                             GVariant   *parameter)
{
  ask_previous (self, FLOW_MOVE_INTO_BACK);
}

/* Of a type by its name; empty: of the selected op's type. */
void
_flow_window_next_of_type (FlowWindow *self,
                           GVariant   *parameter)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *type = _flow_window_text_or_null (parameter);
  guint32 node = flow_ui_session_get_selected_node (self->session);

  if (type == NULL && graph != NULL && node != FLOW_NODE_NONE)
    type = flow_graph_get_node_type (graph, node);
  _flow_window_move (self, FLOW_MOVE_NEXT_OF_TYPE, type);
}

/* Not a movement that would begin a run first. */
void
_flow_window_recompute (FlowWindow *self,
                        GVariant   *parameter)
{
  flow_ui_session_move (self->session, FLOW_MOVE_RECOMPUTE, NULL);
}

void
_flow_window_leave_scope (FlowWindow *self,
                          GVariant   *parameter)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  guint32 node = _flow_window_next_node (self);
  const char *path = "";

  if (graph != NULL && node < flow_graph_get_n_nodes (graph))
    path = flow_graph_get_scope_path (graph, flow_graph_get_node_scope (graph, node));
  _flow_window_move (self, FLOW_MOVE_LEAVE_SCOPE, path);
}

void
_flow_window_pause_run (FlowWindow *self,
                        GVariant   *parameter)
{
  flow_ui_session_pause (self->session);
}

void
_flow_window_stop_run (FlowWindow *self,
                       GVariant   *parameter)
{
  flow_ui_session_command (self->session, _("The run could not be stopped"), "Stop", NULL, NULL,
                           NULL, NULL, NULL);
}

void
_flow_window_run_to (FlowWindow *self,
                     GVariant   *parameter)
{
  g_autofree char *selected = flow_ui_session_dup_selected_name (self->session);
  const char *name = _flow_window_text_or_null (parameter);

  if (name == NULL)
    name = selected;
  if (name != NULL)
    _flow_window_move (self, FLOW_MOVE_RUN_TO, name);
}

void
_flow_window_go_to_event (FlowWindow *self,
                          GVariant   *parameter)
{
  g_autofree char *text = g_strdup_printf ("%d", MAX (0, g_variant_get_int32 (parameter)));

  flow_ui_session_move (self->session, FLOW_MOVE_GOTO, text);
}

void
_flow_window_skip_runs (FlowWindow *self,
                        GVariant   *parameter)
{
  g_autofree char *text = g_strdup_printf ("%d", MAX (0, g_variant_get_int32 (parameter)));

  _flow_window_move (self, FLOW_MOVE_SKIP_RUNS, text);
}
