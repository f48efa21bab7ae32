/* flow-ui-session-move.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include "flow-ui-session-private.h"

/* A movement that is done within this time leaves buttons as they are: no flicker on each step. */
#define BUSY_AFTER_MS 150
/* Steps asked for while one is under way are done in turn; a held key must not run away. */
#define MAX_QUEUED 64

static void
queued_move_free (FlowQueuedMove *move)
{
  g_free (move->argument);
  g_free (move);
}

void
_flow_ui_session_clear_moves (FlowUiSession *self)
{
  g_queue_clear_full (&self->moves, (GDestroyNotify) queued_move_free);
}

static gboolean
busy_cb (gpointer data)
{
  FlowUiSession *self = FLOW_UI_SESSION (data);

  self->busy_source = 0;
  self->busy = TRUE;
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_STATE_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
set_idle (FlowUiSession *self)
{
  self->moving = FALSE;
  self->busy = FALSE;
  g_clear_handle_id (&self->busy_source, g_source_remove);
}

static void start_move (FlowUiSession  *self,
                        FlowQueuedMove *move);

static void
moved_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr(FlowUiSession) self = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowDebugState) state =
    flow_debugger_move_finish (FLOW_DEBUGGER (object), result, &error);
  FlowQueuedMove *next = NULL;

  if (self->debugger == FLOW_DEBUGGER (object))
    {
      set_idle (self);
      if (error != NULL)
        _flow_ui_session_clear_moves (self);
      /* A script that is stopped or begins again ends what it was asked to do. */
      if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
          !(flow_ui_session_is_script (self) && g_error_matches (error, FLOW_ERROR, FLOW_ERROR_UNAVAILABLE)))
        flow_ui_session_report (self, _("That did not work"), error);
      /* What stopped for a reason of its own is not stepped over by keys pressed before. */
      if (state != NULL && state->reason != FLOW_STOP_STEP &&
          state->reason != FLOW_STOP_RUN_START && state->reason != FLOW_STOP_NONE)
        _flow_ui_session_clear_moves (self);
      next = g_queue_pop_head (&self->moves);
      if (next != NULL)
        start_move (self, next);
      _flow_ui_session_state_changed (self);
      if (error == NULL)
        _flow_ui_session_remember_move (self);
    }
  else
    {
      set_idle (self);
    }
  flow_ui_session_release_pending (self);
}

static void
start_move (FlowUiSession  *self,
            FlowQueuedMove *move)
{
  self->moving = TRUE;
  self->last_movement = move->movement;
  /* The session begins anew: positions of before mean other moments. */
  if (move->movement == FLOW_MOVE_RESTART || move->movement == FLOW_MOVE_SKIP_RUNS)
    self->timeline++;
  if (self->busy_source == 0 && !self->busy)
    self->busy_source = g_timeout_add (BUSY_AFTER_MS, busy_cb, self);
  flow_ui_session_hold_pending (self);
  flow_debugger_move_async (self->debugger, move->movement, move->argument, self->cancellable,
                            moved_cb, g_object_ref (self));
  queued_move_free (move);
}

/**
 * flow_ui_session_move:
 * @argument: (nullable): see #FlowMovement
 *
 * Moves the run. While a movement is under way the next one waits for it.
 */
void
flow_ui_session_move (FlowUiSession *self,
                      FlowMovement   movement,
                      const char    *argument)
{
  FlowQueuedMove *move = NULL;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (self->debugger == NULL || self->graph == NULL)
    return;
  self->travelling = FALSE;
  if (self->moving && g_queue_get_length (&self->moves) >= MAX_QUEUED)
    return;
  /* A scrubber that is dragged asks for many positions: only the last one counts. */
  if (movement == FLOW_MOVE_GOTO)
    while ((move = g_queue_peek_tail (&self->moves)) != NULL && move->movement == FLOW_MOVE_GOTO)
      queued_move_free (g_queue_pop_tail (&self->moves));
  move = g_new0 (FlowQueuedMove, 1);
  move->movement = movement;
  move->argument = g_strdup (argument != NULL ? argument : "");
  if (self->moving)
    g_queue_push_tail (&self->moves, move);
  else
    start_move (self, move);
}

/* Asks the movement under way to stop at the next op; those that wait are forgotten. */
void
flow_ui_session_pause (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  _flow_ui_session_clear_moves (self);
  if (self->debugger != NULL)
    flow_debugger_pause (self->debugger);
}

gboolean
flow_ui_session_is_moving (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->moving;
}

/* Whether a movement has been under way for long enough that a person should see it. */
gboolean
flow_ui_session_is_busy (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->busy;
}

/* For those who changed values without a step (restore, override): every view asks again. */
void
flow_ui_session_values_written (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  _flow_ui_session_state_changed (self);
  _flow_ui_session_ask_plan (self);
}

/* --- Selection --- */

/**
 * flow_ui_session_select:
 * @node: index, or %FLOW_NODE_NONE
 * @scope: index, or %FLOW_SCOPE_NONE
 *
 * Selects a node, a scope, or nothing. All views follow.
 */
void
flow_ui_session_select (FlowUiSession *self,
                        guint32        node,
                        guint32        scope)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (self->graph == NULL)
    return;
  if (node != FLOW_NODE_NONE && node >= flow_graph_get_n_nodes (self->graph))
    node = FLOW_NODE_NONE;
  if (scope != FLOW_SCOPE_NONE && scope >= flow_graph_get_n_scopes (self->graph))
    scope = FLOW_SCOPE_NONE;
  if (node == self->selected_node && scope == self->selected_scope)
    return;
  if (!self->moving_in_history)
    self->travelling = FALSE;
  self->selected_node = node;
  self->selected_scope = scope;
  if (node != FLOW_NODE_NONE || scope != FLOW_SCOPE_NONE)
    _flow_ui_session_remember_place (self, FLOW_PLACE_SELECTED);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_SELECTION_CHANGED], 0);
}

/* Selects the op that is executed next, as a step does: views show it without opening scopes. */
void
flow_ui_session_follow (FlowUiSession *self,
                        guint32        node)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  /* Who goes back to a place wants what was selected there. */
  if (self->travelling)
    return;
  self->following = TRUE;
  self->moving_in_history = TRUE;
  flow_ui_session_select (self, node, FLOW_SCOPE_NONE);
  self->moving_in_history = FALSE;
  self->following = FALSE;
  _flow_ui_session_remember_move (self);
}

gboolean
flow_ui_session_is_following (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->following;
}

/**
 * flow_ui_session_select_name:
 * @name: `a/b`, `a/b:0`, `^a/b`, or a scope `a/` or `a`
 *
 * Returns: whether there is such a node or scope
 */
gboolean
flow_ui_session_select_name (FlowUiSession *self,
                             const char    *name)
{
  g_autofree char *text = NULL;
  guint32 node;
  guint32 scope;

  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  if (self->graph == NULL || name == NULL)
    return FALSE;
  text = g_strstrip (g_strdup (name));
  if (text[0] == '\0')
    return FALSE;
  node = flow_graph_find_op (self->graph, text);
  if (node != FLOW_NODE_NONE)
    {
      flow_ui_session_select (self, node, FLOW_SCOPE_NONE);
      return TRUE;
    }
  if (g_str_has_suffix (text, "/"))
    text[strlen (text) - 1] = '\0';
  scope = flow_graph_find_scope (self->graph, text);
  if (scope == FLOW_SCOPE_NONE)
    return FALSE;
  flow_ui_session_select (self, FLOW_NODE_NONE, scope);
  return TRUE;
}

guint32
flow_ui_session_get_selected_node (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FLOW_NODE_NONE);

  return self->selected_node;
}

guint32
flow_ui_session_get_selected_scope (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FLOW_SCOPE_NONE);

  return self->selected_scope;
}

/* Returns: (transfer full) (nullable): the name of what is selected. */
char *
flow_ui_session_dup_selected_name (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  if (self->graph == NULL)
    return NULL;
  if (self->selected_node != FLOW_NODE_NONE)
    return g_strdup (flow_graph_get_node_name (self->graph, self->selected_node));
  if (self->selected_scope != FLOW_SCOPE_NONE)
    return g_strdup (flow_graph_get_scope_path (self->graph, self->selected_scope));
  return NULL;
}
