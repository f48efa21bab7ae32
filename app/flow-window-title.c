/* flow-window-title.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a window is called, and what its run chooser and run button say.
 */

#include "config.h"

#include "flow-window.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-window-private.h"

void
_flow_window_update_title (FlowWindow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *path = flow_ui_session_get_path (self->session);
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  const char *restored = state != NULL ? state->restored_from : NULL;
  const char *graph_path = NULL;
  g_autoptr(GString) subtitle = g_string_new (NULL);
  g_autofree char *name = NULL;
  g_autofree char *count = NULL;
  guint n_ops = 0;

  if (graph == NULL || path == NULL)
    {
      adw_window_title_set_title (self->title, "Flowstep");
      adw_window_title_set_subtitle (self->title, "");
      gtk_window_set_title (GTK_WINDOW (self), "Flowstep");
      return;
    }
  /* Of a run file the graph it names is what is shown. */
  graph_path = flow_lookup_string (flow_ui_session_get_info (self->session), "path");
  name = g_filename_display_basename (graph_path != NULL && graph_path[0] != '\0' ? graph_path
                                                                                   : path);
  n_ops = flow_graph_get_n_nodes (graph);
  count = flow_format_count (n_ops);
  if (restored != NULL)
    {
      g_autofree char *checkpoint = g_filename_display_basename (restored);

      g_string_append_printf (subtitle, _("restored from %s · "), checkpoint);
    }
  g_string_append_printf (subtitle, ngettext ("%s op · ", "%s ops · ", n_ops), count);
  if (flow_ui_session_is_script (self->session))
    g_string_append (subtitle, self->engine_ended ? _("the script's process ended") : _("in the script's process"));
  else
    g_string_append (subtitle, self->engine_ended ? _("engine ended") : _("embedded engine"));
  adw_window_title_set_title (self->title, name);
  adw_window_title_set_subtitle (self->title, subtitle->str);
  gtk_window_set_title (GTK_WINDOW (self), name);
}

/* Of what the run chooser says so much is not cut, however long the title beside it is. */
#define RUN_CHARS 20

static void
set_run_label (FlowWindow *self,
               const char *text)
{
  gtk_label_set_text (self->run_label, text);
  /* Most letters are narrower than what GTK takes a character for. */
  gtk_label_set_width_chars (self->run_label, (int) MIN (g_utf8_strlen (text, -1), RUN_CHARS) * 4 / 5);
}

void
_flow_window_update_run_label (FlowWindow *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  const char *run = flow_ui_session_get_chosen_run (self->session);
  g_autofree char *step = NULL;
  g_autofree char *text = NULL;

  if (state != NULL && state->run != NULL && state->run[0] != '\0' &&
      state->status != FLOW_DEBUG_IDLE && state->status != FLOW_DEBUG_EMPTY)
    run = state->run;
  if (run == NULL)
    {
      set_run_label (self, _("No run chosen"));
      return;
    }
  if (state != NULL && state->position >= state->run_start && state->run != NULL)
    {
      step = flow_format_count (state->position - state->run_start);
      text = state->iteration_of_run > 0 || flow_ui_session_get_repeat (self->session, run) > 1
               ? g_strdup_printf (_("%s %u  ·  step %s"), run, state->iteration_of_run, step)
               : g_strdup_printf (_("%s  ·  step %s"), run, step);
    }
  /* The canvas shows the op that called; where in its function the run stands is said here. */
  if (text != NULL && state->op != NULL)
    {
      g_autofree char *outside = g_steal_pointer (&text);

      text = g_strdup_printf (_("%s  ·  in %s"), outside, state->op);
    }
  set_run_label (self, text != NULL ? text : run);
}

void
_flow_window_update_run_button (FlowWindow *self)
{
  gboolean busy = flow_ui_session_is_busy (self->session);

  gtk_button_set_icon_name (self->run_button, busy ? "flow-pause-symbolic" : "flow-run-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->run_button),
                                  busy ? "win.pause" : "win.run");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->run_button),
                               busy ? _("Pause at the next op (Ctrl+Pause)") : _("Run (F5)"));
}
