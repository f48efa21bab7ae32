/* flow-window-card.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-window-private.h"

/*
 * The card above the canvas: only for what lasts and needs an answer. An op that failed, with
 * TensorFlow's words and the shapes that clash; a run that waits; an engine that ended.
 */

static void
set_button (GtkButton  *button,
            const char *label,
            const char *tooltip,
            const char *action,
            const char *target)
{
  gtk_widget_set_visible (GTK_WIDGET (button), label != NULL);
  if (label == NULL)
    return;
  gtk_button_set_label (button, label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (button), tooltip);
  /* A target that does not fit the action of before would be told as a mistake. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), NULL);
  if (target != NULL)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  else
    gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
}

static void
set_card (FlowWindow *self,
          const char *css,
          const char *icon,
          const char *title,
          const char *text)
{
  static const char *const classes[] = { "flow-failed", "flow-warned", "flow-stopped" };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (self->card, classes[i]);
  gtk_widget_add_css_class (self->card, css);
  gtk_image_set_from_icon_name (self->card_icon, icon);
  gtk_label_set_text (self->card_title, title);
  gtk_label_set_text (self->card_text, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->card_text), text != NULL && text[0] != '\0');
  gtk_revealer_set_reveal_child (self->card_revealer, TRUE);
  g_free (self->last_message);
  self->last_message = g_strdup (title);
}

static void
hide_card (FlowWindow *self)
{
  gtk_revealer_set_reveal_child (self->card_revealer, FALSE);
  g_clear_pointer (&self->last_message, g_free);
}

/*
 * The part of TensorFlow's words that says which dimensions clash: from the first bracket to the last,
 * as in "In[0]: [32,784], In[1]: [10,128]"; where the op stands, "[[{{node a}}]]", follows on a line of
 * its own and is no part of it.
 */
static char *
find_clash (const char *message)
{
  const char *end = message != NULL ? strstr (message, "\n\t [[") : NULL;
  g_autofree char *words = end != NULL ? g_strndup (message, end - message) : g_strdup (message);
  const char *first = words != NULL ? strchr (words, '[') : NULL;
  const char *last = words != NULL ? strrchr (words, ']') : NULL;
  const char *mark = words != NULL ? strstr (words, "In[0]") : NULL;

  if (mark != NULL)
    first = mark;
  if (first == NULL || last == NULL || last < first || last - first > 200)
    return NULL;
  return g_strndup (first, last - first + 1);
}

/* What ended a script, and not only one of its runs, says where on a line of its own. */
static gboolean
is_exception (const FlowDebugState *state)
{
  const char *end = state->message != NULL ? strrchr (state->message, '\n') : NULL;

  return state->next_node == FLOW_NODE_NONE ? state->message != NULL
                                            : end != NULL && g_regex_match_simple ("^/.*:[0-9]+$", end + 1, 0, 0);
}

/* An exception that ended the script: its words, and the line. */
static void
show_exception (FlowWindow           *self,
                const FlowDebugState *state)
{
  const char *end = strrchr (state->message, '\n');
  g_autofree char *words = end != NULL ? g_strndup (state->message, end - state->message) : g_strdup (state->message);
  g_autofree char *where = end != NULL ? g_path_get_basename (end + 1) : NULL;
  g_autofree char *title = where != NULL ? g_strdup_printf (_("The script failed at %s"), where)
                                         : g_strdup (_("The script failed"));

  set_card (self, "flow-failed", "dialog-error-symbolic", title, words);
  set_button (self->card_secondary, NULL, NULL, NULL, NULL);
  set_button (self->card_primary, _("Run Again"), _("Start the script from its beginning"), "win.restart-engine", NULL);
}

static void
show_failure (FlowWindow           *self,
              const FlowDebugState *state)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *node = NULL;
  const char *type = NULL;
  const char *code = state->error_code != 0 ? flow_error_code_name (state->error_code) : "";
  g_autofree char *title = NULL;
  g_autofree char *clash = find_clash (state->message);
  g_autofree char *input = NULL;

  if (graph != NULL && state->next_node < flow_graph_get_n_nodes (graph))
    {
      node = flow_graph_get_node_name (graph, state->next_node);
      type = flow_graph_get_node_type (graph, state->next_node);
      flow_canvas_set_error (self->canvas, state->next_node, clash);
    }
  if (flow_ui_session_is_script (self->session) && is_exception (state))
    {
      show_exception (self, state);
      return;
    }
  title = node != NULL ? g_strdup_printf (_("%s (%s) failed: %s"), node, type, code)
                       : g_strdup_printf (_("The run failed: %s"), code);
  set_card (self, "flow-failed", "dialog-error-symbolic", title, state->message);
  if (node != NULL && flow_graph_get_n_inputs (graph, state->next_node) > 0)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };
      g_autofree char *shown = flow_inspector_dup_tensor (self->inspector);

      flow_graph_get_input (graph, state->next_node, 0, &source);
      input = shown != NULL ? g_strdup (shown)
                            : flow_graph_endpoint_to_string (graph, source.node, source.slot);
    }
  set_button (self->card_secondary, input != NULL ? _("Edit Value…") : NULL,
              _("Replace the value that the inspector shows"), "win.edit-value", input);
  if (state->error_code == FLOW_ERROR_FAILED_PRECONDITION && state->message != NULL &&
      strstr (state->message, "uninitialized") != NULL)
    set_button (self->card_secondary, _("Initialize"), _("Run the initializers of all variables"),
                "win.initialize-variables", NULL);
  set_button (self->card_primary, _("Retry"), _("Run the failed op again"), "win.retry", NULL);
}

#define MAX_NAMES 8

/* Before a run: the variables it reads that have no value. Runs of a file come after others that give them one. */
static gboolean
show_uninitialized (FlowWindow           *self,
                    const FlowDebugState *state)
{
  g_auto(GStrv) names = flow_ui_session_dup_uninitialized (self->session);
  guint n = names != NULL ? g_strv_length (names) : 0;
  g_autofree char *title = NULL;
  g_autofree char *list = NULL;
  g_autofree char *text = NULL;
  gboolean begun = state->status == FLOW_DEBUG_PAUSED && state->n_done == 0;

  if (n == 0 || !(begun || state->status == FLOW_DEBUG_IDLE))
    return FALSE;
  title = g_strdup_printf (ngettext ("%u variable that this run reads has no value",
                                     "%u variables that this run reads have no value", n), n);
  if (n > MAX_NAMES)
    g_clear_pointer (&names[MAX_NAMES], g_free);
  list = g_strjoinv (", ", names);
  text = n > MAX_NAMES ? g_strdup_printf (_("%s and %u more"), list, n - MAX_NAMES) : g_strdup (list);
  for (guint i = MAX_NAMES + 1; i < n; i++)
    g_free (names[i]);
  set_card (self, "flow-warned", "dialog-warning-symbolic", title, text);
  set_button (self->card_secondary, _("Restore…"), _("Restore a checkpoint"), "win.choose-checkpoint", NULL);
  set_button (self->card_primary, _("Initialize"), _("Run the initializers of all variables"),
              "win.initialize-variables", NULL);
  return TRUE;
}

/* The variable that the words of a watchpoint speak of. */
static char *
written_variable (FlowWindow           *self,
                  const FlowDebugState *state)
{
  const char *words = state->message != NULL ? strstr (state->message, " wrote ") : NULL;
  const char *end = NULL;

  if (words == NULL)
    return NULL;
  words += strlen (" wrote ");
  end = strstr (words, ": ");
  return end != NULL ? g_strndup (words, end - words) : g_strdup (words);
}

/* What one does next where a stop is about one op. */
static void
set_stop_button (FlowWindow           *self,
                 const FlowDebugState *state)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autofree char *variable = NULL;

  set_button (self->card_secondary, NULL, NULL, NULL, NULL);
  if (graph == NULL || state->stop_node >= flow_graph_get_n_nodes (graph))
    return;
  if (state->reason == FLOW_STOP_BAD_VALUE)
    set_button (self->card_secondary, _("Where From"), _("Show the inputs and where they came from"), "win.origin",
                flow_graph_get_node_name (graph, state->stop_node));
  variable = state->reason == FLOW_STOP_WATCHPOINT ? written_variable (self, state) : NULL;
  if (variable != NULL)
    set_button (self->card_secondary, _("Who Wrote It Before"), _("Back to the write before this one"),
                "win.last-write", variable);
}

/* What comes from values that were replaced, until it is computed again; then how that went. */
static gboolean
show_stale (FlowWindow           *self,
            const FlowDebugState *state)
{
  g_autofree char *title = NULL;

  if (state->n_stale > 0)
    {
      title = g_strdup_printf (ngettext ("%u op was computed from what was replaced",
                                         "%u ops were computed from what was replaced", state->n_stale),
                               state->n_stale);
      set_card (self, "flow-warned", "flow-state-stale-symbolic", title,
                _("What comes next reads the new value. Compute these ops again, and only these, to have them follow it; "
                  "what they were stays to be compared with."));
      set_button (self->card_secondary, state->n_pins > 0 ? _("Compare") : NULL,
                  _("Beside what was before the value was replaced"), "win.compare", NULL);
      set_button (self->card_primary, _("Compute Again"),
                  _("From the first op that read the old value, up to here (Shift+Ctrl+Y)"), "win.recompute", NULL);
      return TRUE;
    }
  if (state->message == NULL || state->n_pins == 0 || !g_str_has_prefix (state->message, "computed "))
    return FALSE;
  set_card (self, "flow-stopped", "object-select-symbolic", _("Computed again with the new value"), state->message);
  set_button (self->card_secondary, _("Compare"), _("Beside what was before the value was replaced"), "win.compare",
              NULL);
  set_button (self->card_primary, _("Continue"), _("Go on (F5)"), "win.run", NULL);
  return TRUE;
}

/* Says in words why the run stands where it stands, if that is not plain to see. */
void
_flow_window_update_card (FlowWindow *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);

  if (self->engine_ended)
    return;
  if (state == NULL || flow_ui_session_is_busy (self->session))
    {
      hide_card (self);
      return;
    }
  if (state->status == FLOW_DEBUG_FAILED)
    {
      show_failure (self, state);
      return;
    }
  flow_canvas_set_error (self->canvas, FLOW_NODE_NONE, NULL);
  if (show_uninitialized (self, state))
    return;
  switch (state->reason)
    {
    case FLOW_STOP_BREAKPOINT:
    case FLOW_STOP_WATCHPOINT:
    case FLOW_STOP_BAD_VALUE:
    case FLOW_STOP_LIMIT:
    case FLOW_STOP_WAITING:
      set_card (self, state->reason == FLOW_STOP_BREAKPOINT ? "flow-stopped" : "flow-warned",
                state->reason == FLOW_STOP_BREAKPOINT ? "flow-breakpoint-symbolic"
                                                      : "dialog-warning-symbolic",
                flow_stop_reason_title (state->reason), state->message);
      set_stop_button (self, state);
      set_button (self->card_primary, _("Continue"), _("Go on (F5)"), "win.run", NULL);
      if (state->n_stale > 0)
        set_button (self->card_secondary, _("Compute Again"), _("Compute what comes from the replaced values again"),
                    "win.recompute", NULL);
      return;
    default:
      if (!show_stale (self, state))
        hide_card (self);
    }
}

/* What ended where, and a button that starts it again. */
void
_flow_window_show_ended (FlowWindow *self,
                         const char *text)
{
  set_card (self, "flow-failed", "dialog-error-symbolic", _("The engine ended"), text);
  set_button (self->card_secondary, NULL, NULL, NULL, NULL);
  set_button (self->card_primary, _("Start Again"),
              _("Start the engine again, open the same file and choose the same run"),
              "win.restart-engine", NULL);
  _flow_window_queue_state (self);
}

void
_flow_window_toast (FlowWindow *self,
                    const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

/* What a person asked for did not work: said once, in the engine's words. */
void
_flow_window_show_error (FlowWindow   *self,
                         const char   *title,
                         const GError *error)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), title,
                                              error != NULL ? error->message : NULL);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "close");
  gtk_window_present (GTK_WINDOW (dialog));
  g_free (self->last_message);
  self->last_message = g_strdup (title);
  _flow_window_queue_state (self);
}
