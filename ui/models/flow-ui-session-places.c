/* flow-ui-session-places.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-ui-session-private.h"

/* Back and forward through the places a person has been at: what was selected, and where the run stood. */

/* Places that are remembered. */
#define MAX_PLACES 200

static gboolean
same_moment (const FlowPlace *a,
             const FlowPlace *b)
{
  return a->position == b->position && a->timeline == b->timeline;
}

void
_flow_ui_session_remember_place (FlowUiSession *self,
                                 FlowPlaceKind  kind)
{
  FlowPlace place = { kind, self->selected_node, self->selected_scope,
                      self->state != NULL ? self->state->position : 0, self->timeline };
  FlowPlace *now = self->places->len > 0 ? &g_array_index (self->places, FlowPlace, self->place) : NULL;

  if (self->moving_in_history || self->travelling)
    return;
  if (now != NULL && now->node == place.node && now->scope == place.scope && same_moment (now, &place))
    return;
  /* A movement is told of more than once: when it has stopped, and when the selection has followed. */
  if (now != NULL && kind != FLOW_PLACE_SELECTED && now->kind == kind &&
      (kind == FLOW_PLACE_STEPPED || same_moment (now, &place)))
    {
      *now = place;
      g_array_set_size (self->places, self->place + 1);
      return;
    }
  if (now != NULL)
    g_array_set_size (self->places, self->place + 1);
  if (self->places->len >= MAX_PLACES)
    g_array_remove_index (self->places, 0);
  g_array_append_val (self->places, place);
  self->place = self->places->len - 1;
}

/* The run has moved, and the selection with it. */
void
_flow_ui_session_remember_move (FlowUiSession *self)
{
  switch (self->last_movement)
    {
    case FLOW_MOVE_STEP_OP:
    case FLOW_MOVE_OVER:
    case FLOW_MOVE_INTO:
    case FLOW_MOVE_OUT:
    case FLOW_MOVE_BACK:
    case FLOW_MOVE_OVER_BACK:
    case FLOW_MOVE_INTO_BACK:
      _flow_ui_session_remember_place (self, FLOW_PLACE_STEPPED);
      break;
    default:
      _flow_ui_session_remember_place (self, FLOW_PLACE_MOVED);
    }
}

/* A moment of before the session began anew cannot be gone to, what was looked at can. */
static void
go_to_place (FlowUiSession *self,
             guint          i)
{
  const FlowPlace place = g_array_index (self->places, FlowPlace, i);
  g_autofree char *position = g_strdup_printf ("%" G_GUINT64_FORMAT, place.position);

  self->place = i;
  if (self->state != NULL && place.timeline == self->timeline && place.position != self->state->position &&
      place.position <= self->state->n_events && !self->moving)
    flow_ui_session_move (self, FLOW_MOVE_GOTO, position);
  self->travelling = TRUE;
  self->moving_in_history = TRUE;
  flow_ui_session_select (self, place.node, place.scope);
  self->moving_in_history = FALSE;
}

/**
 * flow_ui_session_go_back:
 *
 * To the place before: what was selected there, and where the run stood then.
 */
void
flow_ui_session_go_back (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (flow_ui_session_can_go_back (self))
    go_to_place (self, self->place - 1);
}

void
flow_ui_session_go_forward (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  if (flow_ui_session_can_go_forward (self))
    go_to_place (self, self->place + 1);
}

gboolean
flow_ui_session_can_go_back (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->place > 0 && self->places->len > 0;
}

gboolean
flow_ui_session_can_go_forward (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->place + 1 < self->places->len;
}

static gboolean
holds_node (const GArray *nodes,
            guint32       node)
{
  for (guint i = 0; i < nodes->len; i++)
    if (g_array_index (nodes, guint32, i) == node)
      return TRUE;
  return FALSE;
}

/**
 * flow_ui_session_list_seen:
 * @max: no more than so many
 *
 * Returns: (transfer full): nodes (guint32) that a person has selected, the last one first
 */
GArray *
flow_ui_session_list_seen (FlowUiSession *self,
                           guint          max)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), nodes);

  for (guint i = self->places->len; i > 0 && nodes->len < max; i--)
    {
      const FlowPlace *place = &g_array_index (self->places, FlowPlace, i - 1);

      if (place->kind == FLOW_PLACE_SELECTED && place->node != FLOW_NODE_NONE && !holds_node (nodes, place->node))
        g_array_append_val (nodes, place->node);
    }
  return nodes;
}

/**
 * flow_ui_session_travel:
 * @position: where the run stood
 *
 * Goes there as going back does: what is selected stays so.
 *
 * Returns: whether this session has been there
 */
gboolean
flow_ui_session_travel (FlowUiSession *self,
                        guint64        position)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, position);

  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  if (self->state == NULL || position > self->state->n_events)
    return FALSE;
  if (position != self->state->position)
    flow_ui_session_move (self, FLOW_MOVE_GOTO, text);
  self->travelling = TRUE;
  return TRUE;
}

/* Whether the session is at a place that a person went back to, and has not been asked to move since. */
gboolean
flow_ui_session_is_travelling (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->travelling;
}
