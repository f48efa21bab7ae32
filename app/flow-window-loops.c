/* flow-window-loops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include <string.h>

#include "flow-window-private.h"

/* Loops in view: how far each is, at its box and in the bar over the canvas; to another iteration. */

/* The frame's own name: TensorFlow puts that of the frame around it, and the iteration there, before it. */
static const char *
frame_name (const FlowDebugState *state)
{
  const char *last = state != NULL && state->frame != NULL ? strrchr (state->frame, ';') : NULL;

  return last != NULL && last[1] != '\0' ? last + 1 : NULL;
}

static gboolean
is_in_frame (const FlowDebugState *state,
             const char           *name)
{
  g_auto(GStrv) parts = g_strsplit (state->frame != NULL ? state->frame : "", ";", -1);

  return g_strv_contains ((const char *const *) parts, name);
}

/* Of a loop around the one the run is in: the iteration that one was entered in. */
static gint64
iteration_now (const FlowDebugState *state,
               const char           *name,
               gint64                last)
{
  g_auto(GStrv) parts = g_strsplit (state->frame != NULL ? state->frame : "", ";", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (strcmp (parts[i], name) == 0)
      return parts[i + 1] != NULL ? g_ascii_strtoll (parts[i + 1], NULL, 10) : state->iteration;
  return last;
}

/* A function that is called is a frame too, but only the bodies of loops have iterations to tell. */
static gboolean
is_plain_call (FlowWindow *self,
               const char *name)
{
  FlowGraph *graph = self->view_graph;

  for (guint32 i = 0; graph != NULL && i < flow_graph_get_n_nodes (graph); i++)
    {
      const char *own = (flow_graph_get_node_flags (graph, i) & FLOW_OP_FUNCTION) != 0 ? flow_graph_get_node_name (graph, i)
                                                                                       : NULL;
      const char *type = NULL;

      if (own == NULL || !(strcmp (own, name) == 0 || g_str_has_suffix (own, name)))
        continue;
      type = flow_graph_get_node_type (graph, i);
      if (g_str_has_suffix (type, "While") || strcmp (type, "For") == 0)
        return FALSE;
      if (strcmp (own, name) == 0 || own[strlen (own) - strlen (name) - 1] == '/')
        return TRUE;
    }
  return FALSE;
}

static void
loops_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowWindow *self = FLOW_WINDOW (owner);
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  g_autoptr(GArray) shown = g_array_new (FALSE, TRUE, sizeof (FlowCanvasLoop));
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GVariant) loops = NULL;
  GVariantBuilder listed;

  if (self->closed || state == NULL || reply == NULL ||
      !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(sxx))")))
    return;
  loops = g_variant_get_child_value (reply->value, 0);
  g_variant_builder_init (&listed, G_VARIANT_TYPE ("a(sxx)"));
  for (gsize i = 0; i < g_variant_n_children (loops); i++)
    {
      FlowCanvasLoop loop = { NULL, NULL, FALSE };
      gint64 iteration = 0;
      gint64 highest = 0;

      g_variant_get_child (loops, i, "(&sxx)", &loop.frame, &iteration, &highest);
      if (is_plain_call (self, loop.frame))
        continue;
      g_variant_builder_add (&listed, "(sxx)", loop.frame, iteration, highest);
      loop.current = is_in_frame (state, loop.frame);
      iteration = iteration_now (state, loop.frame, iteration);
      if (iteration < 0)
        continue;
      loop.text = loop.current ? g_strdup_printf (_("iteration %" G_GINT64_FORMAT), iteration)
                               : g_strdup_printf (_("left in iteration %" G_GINT64_FORMAT), iteration);
      g_ptr_array_add (texts, loop.text);
      g_array_append_val (shown, loop);
    }
  flow_canvas_set_loops (self->canvas, (const FlowCanvasLoop *) (gpointer) shown->data, shown->len);
  flow_loop_bar_set_loops (self->loop_bar, g_variant_builder_end (&listed), frame_name (state), state->iteration);
}

/* The run has come to stand somewhere. */
void
_flow_window_update_loops (FlowWindow *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);

  if (!self->has_loops || state == NULL || state->status == FLOW_DEBUG_RUNNING)
    return;
  flow_ui_session_query (self->session, self, "loops", "Loops", NULL, loops_cb, NULL);
}

/* Another graph. */
void
_flow_window_reset_loops (FlowWindow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);

  self->has_loops = FALSE;
  for (guint32 i = 0; graph != NULL && i < flow_graph_get_n_nodes (graph) && !self->has_loops; i++)
    self->has_loops = (flow_graph_get_node_flags (graph, i) & (FLOW_OP_ENTER | FLOW_OP_FUNCTION)) != 0;
  flow_canvas_set_loops (self->canvas, NULL, 0);
  flow_loop_bar_set_loops (self->loop_bar, NULL, NULL, 0);
}

/* The parameter is an iteration, and behind a blank the name of a loop, if not the one the run is in. */
void
_flow_window_go_to_iteration (FlowWindow *self,
                              GVariant   *parameter)
{
  _flow_window_move (self, FLOW_MOVE_TO_ITERATION, g_variant_get_string (parameter, NULL));
}

void
_flow_window_previous_iteration (FlowWindow *self,
                                 GVariant   *parameter)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  const char *name = frame_name (state);
  g_autofree char *argument = NULL;

  if (name == NULL)
    {
      _flow_window_toast (self, _("The next op is in no loop"));
      return;
    }
  if (state->iteration == 0)
    {
      _flow_window_toast (self, _("This is the loop's first iteration"));
      return;
    }
  argument = g_strdup_printf ("%" G_GINT64_FORMAT " %s", state->iteration - 1, name);
  _flow_window_move (self, FLOW_MOVE_TO_ITERATION, argument);
}
