/* flow-console-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-console-view.h"

#include <glib/gi18n.h>

#include "flow-format.h"

/**
 * FlowConsoleView:
 *
 * What ops print and log points say, why the run stopped, and a line for commands. A command does what
 * the action of that name does; the words are those of `flowstep-cli debug`.
 */
struct _FlowConsoleView
{
  FlowView parent_instance;

  /* template */
  GtkScrolledWindow *scroller;
  GtkTextView *text;
  GtkEntry *entry;
};

/* Lines kept: a run that prints in a loop must not grow the window without end. */
#define MAX_LINES 5000

typedef struct {
  const char *word;
  const char *action;
  const char *type;        /* of the argument: NULL none, "s", "i" */
} ConsoleCommand;

static const ConsoleCommand commands[] = {
  { "step", "win.step-op", NULL },
  { "over", "win.step-over", NULL },
  { "into", "win.step-into", NULL },
  { "out", "win.step-out", NULL },
  { "back", "win.step-back", NULL },
  { "over-back", "win.step-over-back", NULL },
  { "continue", "win.run", NULL },
  { "continue-back", "win.continue-back", NULL },
  { "restart", "win.restart", NULL },
  { "pause", "win.pause", NULL },
  { "stop", "win.stop", NULL },
  { "retry", "win.retry", NULL },
  { "next-bad", "win.next-bad-value", NULL },
  { "run-to", "win.run-to", "s" },
  { "break", "win.toggle-breakpoint", "s" },
  { "set", "win.override", "s" },
  { "select", "win.select", "s" },
  { "restore", "win.restore-checkpoint", "s" },
  { "choose", "win.choose-run", "s" },
  { "goto", "win.go-to-event", "i" },
};

G_DEFINE_FINAL_TYPE (FlowConsoleView, flow_console_view, FLOW_TYPE_VIEW)

/* One mark that is moved, not one for each line. */
static GtkTextMark *
get_end_mark (GtkTextBuffer *buffer,
              GtkTextIter   *end)
{
  GtkTextMark *mark = gtk_text_buffer_get_mark (buffer, "flow-end");

  if (mark == NULL)
    return gtk_text_buffer_create_mark (buffer, "flow-end", end, FALSE);
  gtk_text_buffer_move_mark (buffer, mark, end);
  return mark;
}

static void
append_line (FlowConsoleView *self,
             const char      *line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter end;
  g_autofree char *valid = g_utf8_make_valid (line, -1);

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, valid, -1);
  gtk_text_buffer_insert (buffer, &end, "\n", 1);
  if (gtk_text_buffer_get_line_count (buffer) > MAX_LINES)
    {
      GtkTextIter start;
      GtkTextIter cut;

      gtk_text_buffer_get_start_iter (buffer, &start);
      gtk_text_buffer_get_iter_at_line (buffer, &cut, MAX_LINES / 5);
      gtk_text_buffer_delete (buffer, &start, &cut);
    }
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_view_scroll_to_mark (self->text,
                                get_end_mark (buffer, &end), 0, FALSE,
                                0, 0);
}

static void
logged_cb (FlowUiSession   *session,
           guint64          position,
           const char      *text,
           FlowConsoleView *self)
{
  g_autofree char *line = NULL;

  /* What a script prints stands at no position. */
  if (position == G_MAXUINT64)
    {
      append_line (self, text);
      return;
    }
  line = g_strdup_printf ("%8" G_GUINT64_FORMAT "  %s", position, text);
  append_line (self, line);
}

static void
stopped_cb (FlowUiSession   *session,
            FlowConsoleView *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (session);
  g_autofree char *line = NULL;

  if (state == NULL || state->reason == FLOW_STOP_STEP || state->reason == FLOW_STOP_NONE)
    return;
  line = g_strdup_printf ("%8" G_GUINT64_FORMAT "  %s%s%s", state->position,
                          flow_stop_reason_title (state->reason),
                          state->message != NULL && state->message[0] != '\0' ? ": " : "",
                          state->message != NULL ? state->message : "");
  append_line (self, line);
}

static void
failed_cb (FlowUiSession   *session,
           const char      *title,
           const GError    *error,
           FlowConsoleView *self)
{
  g_autofree char *line = g_strdup_printf ("          %s: %s", title,
                                           error != NULL ? error->message : "");

  append_line (self, line);
}

static void
value_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowConsoleView *self = FLOW_CONSOLE_VIEW (owner);
  g_autoptr(GVariant) info = NULL;
  g_autofree char *type = NULL;
  g_autofree char *range = NULL;
  g_autofree char *line = NULL;

  if (error != NULL)
    {
      append_line (self, error->message);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  info = g_variant_get_child_value (reply->value, 0);
  type = flow_format_type (info);
  range = flow_format_range (info);
  line = g_strdup_printf ("          %s %s %s", type, flow_lookup_string (info, "state"), range);
  append_line (self, line);
}

static gboolean
run_command (FlowConsoleView *self,
             const char      *word,
             const char      *argument)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  if (g_strcmp0 (word, "print") == 0)
    {
      flow_ui_session_query (session, self, "print", "GetValue",
                             g_variant_new ("(st)", argument, G_MAXUINT64), value_cb, NULL);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (g_strcmp0 (word, commands[i].word) != 0)
        continue;
      if (commands[i].type == NULL)
        gtk_widget_activate_action (GTK_WIDGET (self), commands[i].action, NULL);
      else if (commands[i].type[0] == 's')
        gtk_widget_activate_action (GTK_WIDGET (self), commands[i].action, "s", argument);
      else
        gtk_widget_activate_action (GTK_WIDGET (self), commands[i].action, "i",
                                    (gint32) g_ascii_strtoll (argument, NULL, 10));
      return TRUE;
    }
  return FALSE;
}

static void
show_help (FlowConsoleView *self)
{
  g_autoptr(GString) text = g_string_new ("          print TENSOR");

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, ", %s%s", commands[i].word,
                            commands[i].type == NULL ? "" : " …");
  append_line (self, text->str);
}

static void
evaluated_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowConsoleView *self = FLOW_CONSOLE_VIEW (owner);
  const char *output = NULL;

  if (error != NULL)
    append_line (self, error->message);
  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(s)")))
    return;
  g_variant_get (reply->value, "(&s)", &output);
  if (output[0] != '\0')
    append_line (self, output);
  /* It may have written what views show. */
  flow_ui_session_values_written (flow_view_get_session (FLOW_VIEW (self)));
}

/* In the script, where it stands. */
static void
evaluate (FlowConsoleView *self,
          const char      *line)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  if (flow_ui_session_is_moving (session))
    append_line (self, _("The script is running: pause it first."));
  else
    flow_ui_session_command (session, NULL, "ScriptConsole", g_variant_new ("(s)", line), NULL, self, evaluated_cb, NULL);
}

/* The words of the debugger stand alone or before an argument; Python's have brackets, dots, equals signs. */
static gboolean
is_command (const char *line)
{
  for (const char *c = line; *c != '\0'; c++)
    if (*c == '(' || *c == ')' || (*c == '=' && !g_str_has_prefix (line, "set ")))
      return g_str_has_prefix (line, "break ") || g_str_has_prefix (line, "set ");
  return TRUE;
}

static void
enter_cb (FlowConsoleView *self)
{
  g_autofree char *line =
    g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  g_autofree char *echo = g_strconcat ("> ", line, NULL);
  g_auto(GStrv) words = g_strsplit (line, " ", 2);
  gboolean is_script = flow_ui_session_is_script (flow_view_get_session (FLOW_VIEW (self)));

  if (words[0] == NULL || words[0][0] == '\0')
    return;
  append_line (self, echo);
  if (g_strcmp0 (words[0], "help") == 0)
    show_help (self);
  else if (is_script && !is_command (line))
    evaluate (self, line);
  else if (!run_command (self, words[0], words[1] != NULL ? g_strstrip (words[1]) : ""))
    {
      if (is_script)
        evaluate (self, line);
      else
        append_line (self, _("          No such command; “help” lists them."));
    }
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

void
flow_console_view_append (FlowConsoleView *self,
                          const char      *text)
{
  g_return_if_fail (FLOW_IS_CONSOLE_VIEW (self));

  if (text[0] != '\0')
    append_line (self, text);
}

static void
flow_console_view_setup (FlowView *view)
{
  FlowUiSession *session = flow_view_get_session (view);

  g_signal_connect_object (session, "logged", G_CALLBACK (logged_cb), view, 0);
  g_signal_connect_object (session, "stopped", G_CALLBACK (stopped_cb), view, 0);
  g_signal_connect_object (session, "failed", G_CALLBACK (failed_cb), view, 0);
}

static void
flow_console_view_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FLOW_TYPE_CONSOLE_VIEW);

  G_OBJECT_CLASS (flow_console_view_parent_class)->dispose (object);
}

static void
flow_console_view_class_init (FlowConsoleViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_console_view_dispose;
  FLOW_VIEW_CLASS (klass)->setup = flow_console_view_setup;

  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/console/flow-console-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowConsoleView, scroller);
  gtk_widget_class_bind_template_child (widget_class, FlowConsoleView, text);
  gtk_widget_class_bind_template_child (widget_class, FlowConsoleView, entry);
  gtk_widget_class_bind_template_callback (widget_class, enter_cb);
}

static void
flow_console_view_init (FlowConsoleView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
