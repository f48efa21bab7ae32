/* flow-window-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-debugger-factory.h"
#include "flow-format.h"
#include "flow-variant-item.h"
#include "flow-window-private.h"

/*
 * A script in the window: its process is the engine, its runs stop as the person says, its lines and ops know each other.
 */

/* Returns: (nullable): what a script is started with, for flow_ui_session_open() */
GVariant *
_flow_window_script_options (FlowOpenPlan *plan)
{
  GVariantDict options;

  if (plan == NULL || plan->argv == NULL)
    return NULL;
  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "python2", "b", plan->python2);
  g_variant_dict_insert (&options, "stdin", "b", plan->reads_stdin);
  g_variant_dict_insert (&options, "argv", "^as", plan->argv);
  if (plan->cwd != NULL)
    g_variant_dict_insert (&options, "cwd", "s", plan->cwd);
  return g_variant_dict_end (&options);
}

/* A script runs from when it is open; what it prints is in view. */
void
_flow_window_script_opened (FlowWindow *self)
{
  if (!flow_ui_session_is_script (self->session))
    return;
  _flow_window_show_panel (self, "console");
  flow_script_view_show_policy (self->script, "start");
  flow_ui_session_move (self->session, FLOW_MOVE_RUN, NULL);
}

/* --- Runs and graphs --- */

/* The parameter is "start end every=2 fetch=loss", see the debugger's method. */
void
_flow_window_script_policy (FlowWindow *self,
                            GVariant   *parameter)
{
  const char *words = g_variant_get_string (parameter, NULL);

  flow_script_view_show_policy (self->script, words);
  flow_ui_session_command (self->session, _("The runs cannot be stopped at so"), "ScriptPolicy", g_variant_new ("(s)", words),
                           NULL, NULL, NULL, NULL);
}

static void
show (FlowWindow *self,
      const char *problem,
      const char *method,
      GVariant   *parameter)
{
  guint64 id = g_ascii_strtoull (g_variant_get_string (parameter, NULL), NULL, 10);

  flow_ui_session_command (self->session, problem, method, g_variant_new ("(u)", (guint32) id), NULL, NULL, NULL, NULL);
}

/* The parameter is the graph's number. */
void
_flow_window_show_script_graph (FlowWindow *self,
                                GVariant   *parameter)
{
  show (self, _("The graph cannot be shown"), "ScriptShow", parameter);
}

/* The parameter is the session's number: what it holds now is shown, also between its runs. */
void
_flow_window_show_script_session (FlowWindow *self,
                                  GVariant   *parameter)
{
  show (self, _("The session cannot be shown"), "ScriptShowSession", parameter);
}

/* --- Standard input --- */

static void
give_input (FlowWindow *self,
            const char *text,
            gboolean    end)
{
  flow_ui_session_command (self->session, _("The script did not get the line"), "ScriptInput", g_variant_new ("(sb)", text, end),
                           NULL, NULL, NULL, NULL);
}

/* The parameter is a line, without its end. */
void
_flow_window_script_input (FlowWindow *self,
                           GVariant   *parameter)
{
  g_autofree char *line = g_strconcat (g_variant_get_string (parameter, NULL), "\n", NULL);

  give_input (self, line, FALSE);
}

void
_flow_window_end_script_input (FlowWindow *self,
                               GVariant   *parameter)
{
  give_input (self, "", TRUE);
}

/* --- Lines --- */

/* Splits FILE:LINE; empty: the line that is chosen. A file may be named without its folder. */
static char *
parse_line (FlowWindow *self,
            GVariant   *parameter,
            guint      *line)
{
  FlowSources *sources = flow_ui_session_get_sources (self->session);
  const char *text = g_variant_get_string (parameter, NULL);
  g_autofree char *chosen = text[0] == '\0' ? flow_source_view_dup_line (self->source) : g_strdup (text);
  char *colon = chosen != NULL ? strrchr (chosen, ':') : NULL;
  guint64 number = 0;
  g_auto(GStrv) files = NULL;

  if (sources == NULL || colon == NULL || !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXINT, &number, NULL))
    return NULL;
  *colon = '\0';
  *line = (guint) number;
  files = flow_sources_list_files (sources);
  for (guint i = 0; files[i] != NULL && !g_path_is_absolute (chosen); i++)
    {
      g_autofree char *name = g_path_get_basename (files[i]);

      if (g_strcmp0 (name, chosen) == 0)
        return g_strdup (files[i]);
    }
  return g_steal_pointer (&chosen);
}

/* The parameter is FILE:LINE; empty: where the op that is selected was made. */
void
_flow_window_show_line (FlowWindow *self,
                        GVariant   *parameter)
{
  FlowSources *sources = flow_ui_session_get_sources (self->session);
  guint line = 0;
  const char *made = NULL;
  g_autofree char *file = NULL;

  if (g_variant_get_string (parameter, NULL)[0] != '\0')
    file = parse_line (self, parameter, &line);
  else if (sources != NULL && flow_sources_get_frame (sources, flow_ui_session_get_selected_node (self->session), 0, &made,
                                                      &line, NULL))
    file = g_strdup (made);
  if (file == NULL)
    return;
  _flow_window_show_panel (self, "source");
  flow_source_view_show (self->source, file, line);
}

/* Selects the first op of the line and marks them all. */
void
_flow_window_select_line (FlowWindow *self,
                          GVariant   *parameter)
{
  guint line = 0;
  g_autofree char *file = parse_line (self, parameter, &line);
  g_autoptr(GArray) nodes = NULL;

  if (file == NULL)
    return;
  nodes = flow_sources_list_nodes (flow_ui_session_get_sources (self->session), file, line);
  flow_canvas_set_search_hits (self->canvas, (const guint32 *) (gpointer) nodes->data, nodes->len);
  if (nodes->len > 0)
    flow_ui_session_select (self->session, g_array_index (nodes, guint32, 0), FLOW_SCOPE_NONE);
}

static gint64
find_breakpoint (FlowWindow *self,
                 const char *expression)
{
  GListModel *model = flow_ui_session_get_breakpoints (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);
      GVariant *row = flow_variant_item_get_value (item);
      const char *text = flow_lookup_string (row, "text");

      if (text != NULL && g_str_has_suffix (text, expression))
        return flow_lookup_int (row, "id", -1);
    }
  return -1;
}

/* A breakpoint on whatever op of the line comes first; or it goes. */
void
_flow_window_break_line (FlowWindow *self,
                         GVariant   *parameter)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  guint line = 0;
  g_autofree char *file = parse_line (self, parameter, &line);
  g_autoptr(GArray) nodes = NULL;
  g_autoptr(GString) expression = g_string_new ("match:^(");
  gint64 id = 0;

  if (file == NULL)
    return;
  nodes = flow_sources_list_nodes (flow_ui_session_get_sources (self->session), file, line);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      g_autofree char *name = node < flow_graph_get_n_nodes (graph)
                                ? g_regex_escape_string (flow_graph_get_node_name (graph, node), -1) : NULL;

      if (name != NULL)
        g_string_append_printf (expression, "%s%s", expression->str[expression->len - 1] == '(' ? "" : "|", name);
    }
  g_string_append (expression, ")$");
  if (nodes->len == 0)
    {
      _flow_window_toast (self, _("This line made no op"));
      return;
    }
  id = find_breakpoint (self, expression->str);
  if (id >= 0)
    flow_ui_session_command (self->session, _("The breakpoint could not be deleted"), "RemoveBreakpoint",
                             g_variant_new ("(u)", (guint32) id), NULL, NULL, NULL, NULL);
  else
    flow_ui_session_command (self->session, _("The breakpoint could not be set"), "AddBreakpoint",
                             g_variant_new ("(s)", expression->str), NULL, NULL, NULL, NULL);
}

/* --- Python where the script stands --- */

static void
evaluated_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowWindow *self = FLOW_WINDOW (owner);
  const char *output = NULL;
  const char *last = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(s)")))
    return;
  g_variant_get (reply->value, "(&s)", &output);
  flow_console_view_append (self->console, output);
  /* Of an exception that is what it says. */
  last = strrchr (output, '\n');
  last = last != NULL ? last + 1 : output;
  if (last[0] != '\0')
    _flow_window_toast (self, last);
  flow_ui_session_values_written (self->session);
}

static void
evaluate (FlowWindow *self,
          const char *text)
{
  flow_ui_session_command (self->session, _("That could not be evaluated"), "ScriptConsole", g_variant_new ("(s)", text), NULL,
                           self, evaluated_cb, NULL);
}

/* The parameter is Python, evaluated in the script where it stands. */
void
_flow_window_evaluate (FlowWindow *self,
                       GVariant   *parameter)
{
  evaluate (self, g_variant_get_string (parameter, NULL));
}

/* A Python literal. */
static char *
quote (const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  return g_strdup_printf ("\"%s\"", escaped);
}

/* --- What is added to a graph --- */

/* The graph with what was added is another document, in a window of its own. */
static void
edited_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr(FlowWindow) self = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = flow_link_edit_finish (result, &error);
  g_autofree char *select = g_object_steal_data (G_OBJECT (self), "flow-edited");
  GtkApplication *app = gtk_window_get_application (GTK_WINDOW (self));
  FlowOpenPlan *plan = NULL;
  FlowWindow *window = NULL;

  if (app == NULL)
    return;
  if (path == NULL)
    {
      _flow_window_toast (self, error->message);
      return;
    }
  plan = g_new0 (FlowOpenPlan, 1);
  plan->select = g_steal_pointer (&select);
  window = flow_window_new (app);
  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, plan);
}

/* Of a file: the builder adds to a copy. */
static void
edit_file (FlowWindow        *self,
           const char *const *words,
           const char        *select)
{
  const char *path = flow_lookup_string (flow_ui_session_get_info (self->session), "path");

  if (path == NULL || path[0] == '\0')
    path = flow_ui_session_get_path (self->session);
  if (g_object_get_data (G_OBJECT (self), "flow-edited") != NULL)
    {
      _flow_window_toast (self, _("The builder is at work"));
      return;
    }
  g_object_set_data_full (G_OBJECT (self), "flow-edited", g_strdup (select), g_free);
  _flow_window_toast (self, _("The builder adds to a copy of the graph…"));
  flow_link_edit_async (flow_debugger_factory_get_engine (), path, words, NULL, edited_cb, g_object_ref (self));
}

static GtkWidget *
ask (FlowWindow *self,
     const char *title,
     const char *text,
     const char *label,
     const char *answer,
     GCallback   callback)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), title, text);
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (entry), answer);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "add", _("_Add"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "add", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "add");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", callback, self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
  return dialog;
}

static void
answered (FlowWindow       *self,
          AdwMessageDialog *dialog,
          const char       *response,
          const char       *action)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog)));
  g_autofree char *answer = g_strstrip (g_strdup (text));

  if (g_strcmp0 (response, "add") == 0 && answer[0] != '\0')
    gtk_widget_activate_action (GTK_WIDGET (self), action, "s", answer);
}

static void
clone_response_cb (AdwMessageDialog *dialog,
                   const char       *response,
                   FlowWindow       *self)
{
  answered (self, dialog, response, "win.clone-scope");
}

/* The parameter is the scope into which what is selected is copied; empty: a person is asked. */
void
_flow_window_clone_scope (FlowWindow *self,
                          GVariant   *parameter)
{
  const char *scope = g_variant_get_string (parameter, NULL);
  g_autofree char *name = flow_ui_session_dup_selected_name (self->session);
  g_autofree char *text = NULL;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (name == NULL)
    {
      _flow_window_toast (self, _("Select an op or a scope first"));
      return;
    }
  if (scope[0] == '\0')
    {
      g_autofree char *proposed = g_strconcat (name, "_clone", NULL);

      text = g_strdup_printf (_("Copies “%s” with its variables, their initializers and collections, into this scope of the "
                                "graph:"), name);
      ask (self, _("Clone into Scope"), text, _("Scope"), proposed, G_CALLBACK (clone_response_cb));
      return;
    }
  if (!flow_ui_session_is_script (self->session))
    {
      const char *words[] = { "clone", scope, name, NULL };

      edit_file (self, words, scope);
      return;
    }
  from = quote (name);
  to = quote (scope);
  text = g_strdup_printf ("__import__(\"flowstep.edits\").edits.clone(%u, [%s], %s)", flow_graph_tabs_get_shown (self->graph_tabs),
                          from, to);
  evaluate (self, text);
}

static void
optimizer_response_cb (AdwMessageDialog *dialog,
                       const char       *response,
                       FlowWindow       *self)
{
  answered (self, dialog, response, "win.add-optimizer");
}

/* The parameter is `OPTIMIZER RATE [LOSS]`, the loss else being what is selected; empty: a person is asked. */
void
_flow_window_add_optimizer (FlowWindow *self,
                            GVariant   *parameter)
{
  const char *words = g_variant_get_string (parameter, NULL);
  g_auto(GStrv) list = g_strsplit (words, " ", 3);
  guint n = g_strv_length (list);
  g_autofree char *name = n > 2 ? g_strdup (list[2]) : flow_ui_session_dup_selected_name (self->session);
  char *end = NULL;
  double rate = n > 1 ? g_ascii_strtod (list[1], &end) : 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *loss = name != NULL ? quote (name) : NULL;
  g_autofree char *optimizer = n > 0 ? quote (list[0]) : NULL;
  g_autofree char *text = NULL;

  if (name == NULL)
    {
      _flow_window_toast (self, _("Select the op that computes the loss first"));
      return;
    }
  if (words[0] == '\0')
    {
      text = g_strdup_printf (_("Minimizes “%s” over all trainable variables. An optimizer (GradientDescent, Momentum, Adam, "
                                "RMSProp, Adagrad, Adadelta, Ftrl) and its learning rate:"), name);
      ask (self, _("Add Gradients and an Optimizer"), text, _("Optimizer and learning rate"), "Adam 0.001",
           G_CALLBACK (optimizer_response_cb));
      return;
    }
  if (n < 2 || end == list[1] || *end != '\0')
    {
      _flow_window_toast (self, _("An optimizer is written NAME RATE"));
      return;
    }
  if (!flow_ui_session_is_script (self->session))
    {
      const char *edit[] = { "minimize", list[0], g_ascii_dtostr (number, sizeof number, rate), name, NULL };

      edit_file (self, edit, list[0]);
      return;
    }
  text = g_strdup_printf ("__import__(\"flowstep.edits\").edits.minimize(%u, %s, %s, %s)",
                          flow_graph_tabs_get_shown (self->graph_tabs), loss, optimizer,
                          g_ascii_dtostr (number, sizeof number, rate));
  evaluate (self, text);
}
