/* flow-console-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-console-view.h"

#include <glib/gi18n.h>
#include <string.h>

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

  /* owned */
  GPtrArray *history;      /* of char *: what was entered, the newest last */
  GString *block;          /* lines of Python that are not complete yet */

  guint place;             /* in the history; its length: what is being written */
};

/* Lines kept: a run that prints in a loop must not grow the window without end. */
#define MAX_LINES 5000
#define MAX_HISTORY 500

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

/* --- Python over several lines --- */

/* Whether Python expects more after @text: a block has begun, or a bracket is open. */
static gboolean
is_incomplete (const char *text)
{
  gsize length = strlen (text);
  int depth = 0;
  char quote = '\0';

  while (length > 0 && g_ascii_isspace (text[length - 1]))
    length--;
  if (length == 0)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    {
      char c = text[i];

      if (quote != '\0')
        {
          i += c == '\\' ? 1 : 0;
          quote = c == quote ? '\0' : quote;
        }
      else if (c == '\'' || c == '"')
        quote = c;
      else if (strchr ("([{", c) != NULL)
        depth++;
      else if (strchr (")]}", c) != NULL)
        depth--;
    }
  return depth > 0 || text[length - 1] == ':' || text[length - 1] == '\\';
}

/* A line of Python; a block ends with an empty one. */
static void
take_python (FlowConsoleView *self,
             const char      *line)
{
  gboolean in_block = self->block->len > 0;
  g_autofree char *text = NULL;

  if (in_block)
    g_string_append_c (self->block, '\n');
  g_string_append (self->block, line);
  if (line[0] != '\0' && (is_incomplete (self->block->str) || (in_block && g_ascii_isspace (line[0]))))
    return;
  text = g_strdup (self->block->str);
  g_string_truncate (self->block, 0);
  evaluate (self, text);
}

/* --- The line that is written --- */

static gboolean
waits_for_input (FlowConsoleView *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (flow_view_get_session (FLOW_VIEW (self)));

  return state != NULL && state->reason == FLOW_STOP_INPUT;
}

static void
show_prompt (FlowConsoleView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  const char *text = NULL;

  if (waits_for_input (self))
    text = _("A line for the script’s input, Enter; Ctrl+D: there is no more");
  else if (self->block->len > 0)
    text = _("More of the block; an empty line ends it");
  else if (flow_ui_session_is_script (session))
    text = _("Python where the script stands, or   over   into   out   back   continue   run-to NODE   break EXPR   help");
  else
    text = _("over   into   out   back   continue   run-to NODE   break EXPR   print TENSOR   set TENSOR=SPEC   goto N   help");
  gtk_entry_set_placeholder_text (self->entry, text);
}

static void
remember (FlowConsoleView *self,
          const char      *line)
{
  const char *last = self->history->len > 0 ? self->history->pdata[self->history->len - 1] : NULL;

  if (line[0] != '\0' && g_strcmp0 (line, last) != 0)
    g_ptr_array_add (self->history, g_strdup (line));
  if (self->history->len > MAX_HISTORY)
    g_ptr_array_remove_index (self->history, 0);
  self->place = self->history->len;
}

static void
run_line (FlowConsoleView *self,
          const char      *line)
{
  g_auto(GStrv) words = g_strsplit (line, " ", 2);
  gboolean is_script = flow_ui_session_is_script (flow_view_get_session (FLOW_VIEW (self)));

  if (g_strcmp0 (words[0], "help") == 0)
    show_help (self);
  else if (is_script && !is_command (line))
    take_python (self, line);
  else if (!run_command (self, words[0], words[1] != NULL ? g_strstrip (words[1]) : ""))
    {
      if (is_script)
        take_python (self, line);
      else
        append_line (self, _("          No such command; “help” lists them."));
    }
}

static void
enter_cb (FlowConsoleView *self)
{
  g_autofree char *text = g_strchomp (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  const char *line = text;
  g_autofree char *echo = NULL;

  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  if (waits_for_input (self))
    {
      append_line (self, text);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.script-input", "s", text);
      return;
    }
  /* The blanks before a line mean something in a block only. */
  while (self->block->len == 0 && g_ascii_isspace (*line))
    line++;
  if (line[0] == '\0' && self->block->len == 0)
    return;
  remember (self, line);
  echo = g_strconcat (self->block->len > 0 ? ". " : "> ", line, NULL);
  append_line (self, echo);
  if (self->block->len > 0)
    take_python (self, line);
  else
    run_line (self, line);
  show_prompt (self);
}

static void
recall (FlowConsoleView *self,
        int              by)
{
  gint64 place = CLAMP ((gint64) self->place + by, 0, (gint64) self->history->len);

  self->place = (guint) place;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), self->place < self->history->len ? self->history->pdata[self->place] : "");
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

/* --- Completion --- */

/* Takes the place of what was completed as far as all names agree; several are listed. */
static void
completed_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowConsoleView *self = FLOW_CONSOLE_VIEW (owner);
  const char *output = NULL;
  g_auto(GStrv) names = NULL;
  gsize common = 0;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *head = NULL;
  g_autofree char *whole = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(s)")))
    return;
  g_variant_get (reply->value, "(&s)", &output);
  names = g_strsplit (output, "\n", -1);
  /* The first line says how much of the line is meant. */
  if (names[0] == NULL || names[1] == NULL || !g_str_has_suffix (text, names[0]))
    return;
  common = strlen (names[1]);
  for (guint i = 2; names[i] != NULL; i++)
    for (gsize k = 0; k < common; k++)
      if (names[i][k] != names[1][k])
        common = k;
  if (names[2] != NULL && common <= strlen (names[0]))
    {
      g_autofree char *list = g_strjoinv ("  ", names + 1);

      append_line (self, list);
      return;
    }
  head = g_strndup (text, strlen (text) - strlen (names[0]));
  whole = g_strdup_printf ("%s%.*s", head, (int) common, names[1]);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), whole);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

/* FALSE where the key goes on to the next widget. */
static gboolean
complete (FlowConsoleView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *escaped = NULL;
  g_autofree char *call = NULL;

  if (text[0] == '\0' || !flow_ui_session_is_script (session) || flow_ui_session_is_moving (session))
    return FALSE;
  escaped = g_strescape (text, NULL);
  call = g_strdup_printf ("__import__(\"flowstep.edits\").edits.complete(\"%s\", {**globals(), **locals()})", escaped);
  flow_ui_session_command (session, NULL, "ScriptConsole", g_variant_new ("(s)", call), NULL, self, completed_cb, NULL);
  return TRUE;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint                  key,
                guint                  code,
                GdkModifierType        modifiers,
                FlowConsoleView       *self)
{
  gboolean plain = (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) == 0;

  if (plain && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    {
      recall (self, key == GDK_KEY_Up ? -1 : 1);
      return GDK_EVENT_STOP;
    }
  if (plain && key == GDK_KEY_Tab)
    return complete (self) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
  if ((modifiers & GDK_CONTROL_MASK) != 0 && key == GDK_KEY_d && waits_for_input (self))
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.end-script-input", NULL);
      return GDK_EVENT_STOP;
    }
  return GDK_EVENT_PROPAGATE;
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
  g_signal_connect_object (session, "state-changed", G_CALLBACK (show_prompt), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "opened", G_CALLBACK (show_prompt), view, G_CONNECT_SWAPPED);
}

static void
flow_console_view_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FLOW_TYPE_CONSOLE_VIEW);

  G_OBJECT_CLASS (flow_console_view_parent_class)->dispose (object);
}

static void
flow_console_view_finalize (GObject *object)
{
  FlowConsoleView *self = FLOW_CONSOLE_VIEW (object);

  g_ptr_array_unref (self->history);
  g_string_free (self->block, TRUE);

  G_OBJECT_CLASS (flow_console_view_parent_class)->finalize (object);
}

static void
flow_console_view_class_init (FlowConsoleViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_console_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_console_view_finalize;
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
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->history = g_ptr_array_new_with_free_func (g_free);
  self->block = g_string_new (NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
}
