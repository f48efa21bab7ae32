/* cli-debug.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-console.h"

#include <stdio.h>
#include <string.h>

/* --- what commands share -------------------------------------------------------------------------- */

/* A plan for people and programs: nodes by name. */
static void
print_plan (FlowCliConsole *self,
            const char     *method,
            const char     *run)
{
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, method, g_variant_new ("(s)", run));
  g_autoptr(GVariant) plan = NULL;
  g_autoptr(GVariant) nodes = NULL;
  FlowGraph *graph = flow_debugger_get_graph (self->debugger);
  JsonBuilder *builder = NULL;
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  if (reply == NULL)
    return;
  plan = g_variant_get_child_value (reply->value, 0);
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "plan");
  json_builder_begin_object (builder);
  g_variant_iter_init (&iter, plan);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      gsize n = 0;

      json_builder_set_member_name (builder, key);
      if (strcmp (key, "nodes") != 0 || graph == NULL)
        {
          flow_cli_json_variant (builder, value);
          continue;
        }
      nodes = g_variant_ref (value);
      json_builder_begin_array (builder);
      for (const guint32 *node = g_variant_get_fixed_array (nodes, &n, sizeof (guint32)); n > 0; node++, n--)
        flow_cli_json_text (builder, flow_graph_get_node_name (graph, *node), -1);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

static void
set_tensor (FlowCliConsole *self,
            const char     *argument)
{
  const char *equals = strchr (argument, '=');
  g_autofree char *tensor = NULL;
  g_autoptr(GError) error = NULL;

  if (equals == NULL)
    {
      g_set_error_literal (&error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "set wants TENSOR=SPEC");
      flow_cli_console_print_failure (error);
      return;
    }
  tensor = g_strndup (argument, (gsize) (equals - argument));
  g_strstrip (tensor);
  flow_cli_console_call_plain (self, "Override", g_variant_new ("(ss)", tensor, equals + 1));
}

/* Small tensors whole, large ones by what they are like. @ref: a tensor, as it is now or after the K ops of "a/b:0@K" */
static void
print_tensor (FlowCliConsole *self,
              const char     *ref)
{
  const char *at = strrchr (ref, '@');
  guint64 position = G_MAXUINT64;
  gboolean has_position = at != NULL && g_ascii_string_to_unsigned (at + 1, 10, 0, G_MAXUINT64 - 1, &position, NULL);
  g_autofree char *name = has_position ? g_strndup (ref, (gsize) (at - ref)) : g_strdup (ref);
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, "GetValue", g_variant_new ("(st)", name, position));
  g_autoptr(GVariant) info = NULL;
  JsonBuilder *builder = NULL;
  FlowTextOptions options = FLOW_TEXT_OPTIONS_INIT;

  if (reply == NULL)
    return;
  info = g_variant_get_child_value (reply->value, 0);
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "value");
  flow_cli_json_variant (builder, info);
  if (reply->tensors != NULL && reply->tensors->len > 0)
    {
      g_autofree char *text = flow_tensor_to_text (g_ptr_array_index (reply->tensors, 0), &options);

      flow_cli_json_set_text (builder, "text", text);
    }
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

static void
print_where (FlowCliConsole *self)
{
  g_autoptr(FlowDebugState) state = flow_debugger_dup_state (self->debugger);

  flow_cli_console_print_state (self, state);
}

/* --- commands with an argument of their own ---------------------------------------------------------- */

/* The first word of @argument is cut off and given back; @argument is what follows it. */
static const char *
take_word (char **argument)
{
  char *word = *argument;

  *argument += strcspn (*argument, " \t");
  if (**argument != '\0')
    *(*argument)++ = '\0';
  while (g_ascii_isspace (**argument))
    (*argument)++;
  return word;
}

/* Node indices in an answer say nothing to a person: their names. */
static void
add_nodes (FlowCliConsole *self,
           JsonBuilder    *builder,
           GVariant       *nodes)
{
  FlowGraph *graph = flow_debugger_get_graph (self->debugger);
  gsize n = 0;
  const guint32 *all = g_variant_get_fixed_array (nodes, &n, sizeof (guint32));

  json_builder_begin_array (builder);
  for (gsize i = 0; i < n; i++)
    flow_cli_json_text (builder, flow_graph_get_node_name (graph, all[i]), -1);
  json_builder_end_array (builder);
}

static void
do_ready (FlowCliConsole *self,
          char           *argument)
{
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, "Ready", NULL);
  g_autoptr(GVariant) nodes = NULL;
  JsonBuilder *builder = NULL;

  if (reply == NULL)
    return;
  nodes = g_variant_get_child_value (reply->value, 0);
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "ready");
  add_nodes (self, builder, nodes);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

static void
do_next (FlowCliConsole *self,
         char           *argument)
{
  FlowGraph *graph = flow_debugger_get_graph (self->debugger);

  flow_cli_console_call_plain (self, "ChooseNext", g_variant_new ("(u)", graph != NULL ? flow_graph_find_node (graph, argument)
                                                                       : FLOW_NODE_NONE));
}

static void
do_compare_plans (FlowCliConsole *self,
                  char           *argument)
{
  static const char *const keys[] = { "shared", "only_a", "only_b", "shared_stateful" };
  const char *a = take_word (&argument);
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, "ComparePlans", g_variant_new ("(ss)", a, argument));
  g_autoptr(GVariant) dict = NULL;
  JsonBuilder *builder = NULL;

  if (reply == NULL)
    return;
  dict = g_variant_get_child_value (reply->value, 0);
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "plans");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr(GVariant) nodes = g_variant_lookup_value (dict, keys[i], G_VARIANT_TYPE ("au"));

      json_builder_set_member_name (builder, keys[i]);
      add_nodes (self, builder, nodes);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

/* `compare A B [abs=X] [rel=X] [ulp=N]` */
static void
do_compare (FlowCliConsole *self,
            char           *argument)
{
  const char *a = take_word (&argument);
  const char *b = take_word (&argument);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  while (*argument != '\0')
    {
      const char *word = take_word (&argument);

      if (g_str_has_prefix (word, "ulp="))
        g_variant_builder_add (&builder, "{sv}", "ulp", g_variant_new_uint64 (g_ascii_strtoull (word + 4, NULL, 10)));
      else if (g_str_has_prefix (word, "abs="))
        g_variant_builder_add (&builder, "{sv}", "abs", g_variant_new_double (g_ascii_strtod (word + 4, NULL)));
      else if (g_str_has_prefix (word, "rel="))
        g_variant_builder_add (&builder, "{sv}", "rel", g_variant_new_double (g_ascii_strtod (word + 4, NULL)));
    }
  flow_cli_console_call_value (self, "difference", "CompareValues", g_variant_new ("(ss@a{sv})", a, b, g_variant_builder_end (&builder)));
}

/* `find REF WHAT [AFTER]` */
static void
do_find (FlowCliConsole *self,
         char           *argument)
{
  const char *ref = take_word (&argument);
  const char *what = take_word (&argument);
  gint64 after = *argument != '\0' ? g_ascii_strtoll (argument, NULL, 10) : -1;

  flow_cli_console_call_value (self, "index", "FindElement", g_variant_new ("(ssxs@a{sv})", ref, what, after, "",
                                                           g_variant_new ("a{sv}", NULL)));
}

static void
do_compare_variables (FlowCliConsole *self,
                      char           *argument)
{
  const char *a = take_word (&argument);

  flow_cli_console_call_value (self, "variables", "CompareVariables", g_variant_new ("(ss)", a, *argument != '\0' ? argument : "now"));
}

static void
do_save_value (FlowCliConsole *self,
               char           *argument)
{
  const char *ref = take_word (&argument);

  flow_cli_console_call_plain (self, "SaveValue", g_variant_new ("(ss)", ref, argument));
}

static void
do_policy (FlowCliConsole *self,
           char           *argument)
{
  char *word = strrchr (argument, ' ');

  if (*argument == '\0')
    {
      flow_cli_console_call_value (self, "policies", "Policies", NULL);
      return;
    }
  if (word != NULL)
    *word++ = '\0';
  flow_cli_console_call_plain (self, "SetPolicy", g_variant_new ("(ss)", word != NULL ? argument : "", word != NULL ? word : argument));
}

/* The id of a breakpoint; what is none is said. */
static gboolean
parse_id (const char *argument,
          guint      *id)
{
  guint64 number = 0;
  g_autoptr(GError) error = NULL;

  if (g_ascii_string_to_unsigned (argument, 10, 0, G_MAXUINT, &number, NULL))
    {
      *id = (guint) number;
      return TRUE;
    }
  g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "\"%s\" is no breakpoint's number", argument);
  flow_cli_console_print_failure (error);
  return FALSE;
}

static void
enable (FlowCliConsole *self,
        const char     *argument,
        gboolean        on)
{
  guint id = 0;

  if (parse_id (argument, &id))
    flow_cli_console_call_plain (self, "EnableBreakpoint", g_variant_new ("(ub)", id, on));
}

static void
do_enable (FlowCliConsole *self,
           char           *argument)
{
  enable (self, argument, TRUE);
}

static void
do_disable (FlowCliConsole *self,
            char           *argument)
{
  enable (self, argument, FALSE);
}

static void
do_break (FlowCliConsole *self,
          char           *argument)
{
  flow_cli_console_call_value (self, "breakpoint", "AddBreakpoint", g_variant_new ("(s)", argument));
}

static void
do_delete (FlowCliConsole *self,
           char           *argument)
{
  guint id = 0;

  if (parse_id (argument, &id))
    flow_cli_console_call_plain (self, "RemoveBreakpoint", g_variant_new ("(u)", id));
}

static void
do_origin (FlowCliConsole *self,
           char           *argument)
{
  flow_cli_console_call_value (self, "origin", "Origin", g_variant_new ("(st)", argument, G_MAXUINT64));
}

static void
do_plan (FlowCliConsole *self,
         char           *argument)
{
  print_plan (self, "Plan", argument);
}

static void
do_choose_run (FlowCliConsole *self,
               char           *argument)
{
  print_plan (self, "ChooseRun", argument);
}

static void
do_restore (FlowCliConsole *self,
            char           *argument)
{
  flow_cli_console_call_value (self, "restored", "RestoreCheckpoint",
              g_variant_new ("(s@a{ss}@as)", argument, g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0),
                             g_variant_new_strv (NULL, 0)));
}

static void
do_match (FlowCliConsole *self,
          char           *argument)
{
  flow_cli_console_call_value (self, "match", "MatchCheckpoint", g_variant_new ("(s)", argument));
}

static void
do_save (FlowCliConsole *self,
         char           *argument)
{
  flow_cli_console_call_plain (self, "SaveCheckpoint", g_variant_new ("(s)", argument));
}

static void
do_history (FlowCliConsole *self,
            char           *argument)
{
  guint64 bytes = flow_budget_parse_size (argument);
  g_autoptr(FlowDebugState) state = NULL;
  JsonBuilder *builder = NULL;

  if (*argument != '\0')
    {
      flow_cli_console_call_plain (self, "SetHistoryLimit", g_variant_new ("(t)", bytes));
      return;
    }
  state = flow_debugger_dup_state (self->debugger);
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  flow_cli_json_set_int (builder, "history_bytes", (gint64) state->history_bytes);
  flow_cli_json_set_int (builder, "history_limit", (gint64) state->history_limit);
  flow_cli_json_set_int (builder, "exact_from", (gint64) state->exact_from);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

#define LISTING(name, key, method)                                     \
  static void                                                          \
  do_##name (FlowCliConsole *self,                                            \
             char    *argument)                                        \
  {                                                                    \
    flow_cli_console_call_value (self, key, method, NULL);                              \
  }

LISTING (breakpoints, "breakpoints", "ListBreakpoints")
LISTING (vars, "variables", "Variables")
LISTING (runs, "runs", "ListRuns")
LISTING (resources, "resources", "Resources")
LISTING (plans, "plans", "Plans")
LISTING (moments, "moments", "Moments")
LISTING (savers, "savers", "Savers")
LISTING (overrides, "overrides", "Overrides")
LISTING (recheck, "recheck", "Recheck")
LISTING (pin, "pinned", "Pin")

static void
do_initialize (FlowCliConsole *self,
               char           *argument)
{
  flow_cli_console_call_plain (self, "InitializeVariables", NULL);
}

static void
do_set (FlowCliConsole *self,
        char           *argument)
{
  set_tensor (self, argument);
}

static void
do_where (FlowCliConsole *self,
          char           *argument)
{
  print_where (self);
}

static void
do_print (FlowCliConsole *self,
          char           *argument)
{
  print_tensor (self, argument);
}

static void
do_quit (FlowCliConsole *self,
         char           *argument)
{
  self->done = TRUE;
}

static const struct {
  const char *name;
  void (*func) (FlowCliConsole *self, char *argument);
} commands[] = {
  { "break", do_break },
  { "breakpoints", do_breakpoints },
  { "choose-run", do_choose_run },
  { "compare", do_compare },
  { "compare-plans", do_compare_plans },
  { "compare-variables", do_compare_variables },
  { "delete", do_delete },
  { "disable", do_disable },
  { "enable", do_enable },
  { "find", do_find },
  { "history", do_history },
  { "initialize", do_initialize },
  { "match", do_match },
  { "moments", do_moments },
  { "next", do_next },
  { "origin", do_origin },
  { "overrides", do_overrides },
  { "pin", do_pin },
  { "plan", do_plan },
  { "plans", do_plans },
  { "policy", do_policy },
  { "print", do_print },
  { "quit", do_quit },
  { "ready", do_ready },
  { "recheck", do_recheck },
  { "resources", do_resources },
  { "restore", do_restore },
  { "runs", do_runs },
  { "save", do_save },
  { "save-value", do_save_value },
  { "savers", do_savers },
  { "set", do_set },
  { "vars", do_vars },
  { "where", do_where },
};

static void
do_command (FlowCliConsole *self,
            char           *line)
{
  char *argument = NULL;
  g_autoptr(GError) error = NULL;

  g_strstrip (line);
  argument = line + strcspn (line, " \t");
  if (*argument != '\0')
    *argument++ = '\0';
  g_strstrip (argument);
  if (flow_cli_console_move (self, line, argument))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, line) == 0)
      {
        commands[i].func (self, argument);
        return;
      }
  g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "no such command: %s", line);
  flow_cli_console_print_failure (error);
}

static void
logged_cb (FlowDebugger *debugger,
           guint64       position,
           const char   *text,
           gpointer      data)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "logged");
  json_builder_begin_object (builder);
  flow_cli_json_set_int (builder, "position", (gint64) position);
  flow_cli_json_set_text (builder, "text", text);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

/* Opens what the options say: a run file as it is, else a graph with one run made of them. */
static gboolean
open_file (FlowCliConsole           *self,
           const char               *file,
           const FlowCliRunOptions  *options,
           GError                  **error)
{
  g_autoptr(FlowRunFile) made = NULL;
  g_autoptr(FlowDebuggerReply) reply = NULL;
  g_autofree char *first = NULL;
  GVariantBuilder builder;
  gboolean is_run_file = flow_run_file_looks_like (file);

  made = flow_cli_make_run_file (self->cli, file, options);
  if (made == NULL)
    return FALSE;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  if (options->allow != NULL)
    g_variant_builder_add (&builder, "{sv}", "allow", g_variant_new_strv ((const char *const *) options->allow, -1));
  if (options->tags != NULL)
    {
      g_auto(GStrv) tags = g_strsplit (options->tags, ",", -1);

      g_variant_builder_add (&builder, "{sv}", "tags", g_variant_new_strv ((const char *const *) tags, -1));
    }
  if (!is_run_file && options->checkpoint != NULL)
    g_variant_builder_add (&builder, "{sv}", "checkpoint", g_variant_new_string (options->checkpoint));
  reply = flow_debugger_call_sync (self->debugger, "Open", g_variant_new ("(sa{sv})", file, &builder), NULL, NULL, error);
  if (reply == NULL)
    return FALSE;
  /* The first run of a run file, or the one that the options describe. */
  for (guint i = 0; i < made->entries->len; i++)
    {
      FlowRunEntry *entry = g_ptr_array_index (made->entries, i);

      if (entry->restore != NULL)
        continue;
      if (!is_run_file && entry->fetches[0] == NULL && entry->targets[0] == NULL)
        return TRUE;
      if (!is_run_file)
        {
          g_autofree char *json = flow_run_entry_to_json (entry);
          g_autoptr(FlowDebuggerReply) set = flow_debugger_call_sync (self->debugger, "SetRun",
                                                                      g_variant_new ("(s)", json), NULL, NULL, error);

          if (set == NULL)
            return FALSE;
        }
      first = g_strdup (entry->name);
      break;
    }
  if (first != NULL)
    {
      g_autoptr(FlowDebuggerReply) chosen = flow_debugger_call_sync (self->debugger, "ChooseRun",
                                                                     g_variant_new ("(s)", first), NULL, NULL, error);

      g_autoptr(FlowDebuggerReply) begun = NULL;

      if (chosen == NULL)
        return FALSE;
      /* Before the first op: what comes next is known. */
      begun = flow_debugger_call_sync (self->debugger, "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_RESTART, ""),
                                       NULL, NULL, error);
      if (begun == NULL)
        return FALSE;
    }
  return TRUE;
}

static char *
read_line (void)
{
  GString *line = g_string_new (NULL);
  int c = 0;

  while ((c = getchar ()) != EOF && c != '\n')
    g_string_append_c (line, (char) c);
  if (c == EOF && line->len == 0)
    {
      g_string_free (line, TRUE);
      return NULL;
    }
  return g_string_free (line, FALSE);
}

int
flow_cli_debug (FlowCli *cli,
                int      argc,
                char   **argv)
{
  g_auto(FlowCliRunOptions) options = { 0 };
  FlowCliConsole console = { .cli = cli, .level = g_strdup ("") };
  const GOptionEntry entries[] = {
    FLOW_CLI_RUN_OPTIONS (&options),
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(GError) error = NULL;
  int status = FLOW_CLI_OK;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    {
      g_free (console.level);
      return cli->status;
    }
  console.debugger = flow_local_debugger_new ();
  g_signal_connect (console.debugger, "logged", G_CALLBACK (logged_cb), &console);
  if (!open_file (&console, argv[1], &options, &error))
    status = error != NULL ? flow_cli_bad_file (cli, argv[1], error) : (int) cli->status;
  else
    {
      print_where (&console);
      while (!console.done)
        {
          g_autofree char *line = NULL;

          fflush (stdout);
          line = read_line ();
          if (line == NULL)
            break;
          if (*g_strstrip (line) != '\0')
            do_command (&console, line);
        }
    }
  g_free (console.level);
  g_object_unref (console.debugger);
  return status;
}
