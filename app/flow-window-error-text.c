/* flow-window-error-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-window-private.h"

/*
 * Going to what a text names: a node, or the op of an error message that somebody has pasted. Of an error
 * that is known a dialog says in plain words what it means.
 */

#define OTHER_PLACES 3

static void
place_response_cb (AdwMessageDialog *dialog,
                   const char       *response,
                   FlowWindow       *self)
{
  if (g_str_has_prefix (response, "go:"))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", response + strlen ("go:"));
}

/* What the error is about beside the place it happened in. */
static void
append_subject (GString    *body,
                const char *title,
                const char *name)
{
  if (name != NULL)
    g_string_append_printf (body, "\n%s: %s", title, name);
}

static char *
make_body (const FlowErrorText *said)
{
  GString *body = g_string_new (NULL);
  g_autofree char *message = flow_escape_display (said->message, -1, 300);

  g_string_append_printf (body, "%s\n\n%s\n\n%s\n", message, said->meaning, said->advice);
  append_subject (body, _("Op"), said->place);
  append_subject (body, _("Variable"), said->variable);
  append_subject (body, _("Key in the checkpoint"), said->key);
  append_subject (body, _("Tensor"), said->tensor);
  append_subject (body, _("File"), said->file);
  if (said->place == NULL && said->missing[0] != NULL)
    {
      g_string_append_c (body, '\n');
      g_string_append_printf (body, _("This graph has no “%s”."), said->missing[0]);
    }
  return g_string_free (body, FALSE);
}

static void
show_meaning (FlowWindow          *self,
              const FlowErrorText *said)
{
  g_autofree char *body = make_body (said);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("What This Error Says"), body);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  /* The place is selected already; the others that are named are one click away. */
  for (guint i = 0, n = 0; said->nodes[i] != NULL && n < OTHER_PLACES; i++)
    {
      g_autofree char *response = g_strconcat ("go:", said->nodes[i], NULL);
      g_autofree char *label = NULL;

      if (g_strcmp0 (said->nodes[i], said->place) == 0)
        continue;
      label = g_strdup_printf (_("Go to %s"), said->nodes[i]);
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), response, label);
      n++;
    }
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "close");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  g_signal_connect_object (dialog, "response", G_CALLBACK (place_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Goes to a name as TensorFlow writes it, or to the op of an error message. */
void
_flow_window_go_to_text (FlowWindow *self,
                         const char *text)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autoptr(FlowErrorText) said = NULL;
  g_autofree char *message = NULL;
  gboolean found = FALSE;

  if (flow_ui_session_select_name (self->session, text))
    return;
  said = flow_error_text_parse (graph, text);
  if (said->place != NULL)
    found = flow_ui_session_select_name (self->session, said->place);
  if (said->id != NULL)
    {
      show_meaning (self, said);
      return;
    }
  if (found)
    return;
  message = g_strdup_printf (_("There is no node “%s”"), text);
  _flow_window_toast (self, message);
}
