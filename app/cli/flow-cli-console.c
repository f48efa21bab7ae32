/* flow-cli-console.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the debugger on standard input answers, and its movements.
 */

#include "config.h"

#include "flow-cli-console.h"

#include <string.h>

/* --- answers ------------------------------------------------------------------------------------ */

void
flow_cli_console_print_failure (const GError *error)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "error");
  flow_cli_json_error (builder, error);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

static void
add_state (FlowCliConsole *self,
           JsonBuilder    *builder,
           FlowDebugState *state)
{
  FlowGraph *graph = flow_debugger_get_graph (self->debugger);

  json_builder_set_member_name (builder, "stopped");
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "status", flow_debug_status_name (state->status));
  flow_cli_json_set_text (builder, "reason", flow_stop_reason_name (state->reason));
  flow_cli_json_set_int (builder, "position", (gint64) state->position);
  flow_cli_json_set_int (builder, "events", (gint64) state->n_events);
  flow_cli_json_set_text (builder, "run", state->run != NULL ? state->run : "");
  flow_cli_json_set_int (builder, "i", state->iteration_of_run);
  json_builder_set_member_name (builder, "node");
  if (state->op != NULL)
    flow_cli_json_text (builder, state->op, -1);
  else if (state->next_node != FLOW_NODE_NONE && graph != NULL)
    flow_cli_json_text (builder, flow_graph_get_node_name (graph, state->next_node), -1);
  else
    json_builder_add_null_value (builder);
  flow_cli_json_set_text (builder, "frame", state->frame != NULL ? state->frame : "");
  flow_cli_json_set_int (builder, "iteration", state->iteration);
  flow_cli_json_set_int (builder, "visit", state->visit);
  flow_cli_json_set_int (builder, "of", state->n_visits);
  flow_cli_json_set_text (builder, "message", state->message != NULL ? state->message : "");
  json_builder_set_member_name (builder, "about");
  if (state->stop_node != FLOW_NODE_NONE && graph != NULL)
    flow_cli_json_text (builder, flow_graph_get_node_name (graph, state->stop_node), -1);
  else
    json_builder_add_null_value (builder);
  if (state->error_code != 0)
    flow_cli_json_set_text (builder, "code", flow_error_code_name (state->error_code));
  json_builder_end_object (builder);
}

void
flow_cli_console_print_state (FlowCliConsole *self,
                              FlowDebugState *state)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_state (self, builder, state);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

void
flow_cli_console_print_value (const char *key,
                              GVariant   *value)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, key);
  flow_cli_json_variant (builder, value);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

FlowDebuggerReply *
flow_cli_console_call (FlowCliConsole *self,
                       const char     *method,
                       GVariant       *arguments)
{
  g_autoptr(GError) error = NULL;
  FlowDebuggerReply *reply = flow_debugger_call_sync (self->debugger, method, arguments, NULL, NULL, &error);

  if (reply == NULL)
    flow_cli_console_print_failure (error);
  return reply;
}

void
flow_cli_console_call_plain (FlowCliConsole *self,
                             const char     *method,
                             GVariant       *arguments)
{
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, method, arguments);
  JsonBuilder *builder = NULL;

  if (reply == NULL)
    return;
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  flow_cli_json_set_bool (builder, "done", TRUE);
  json_builder_end_object (builder);
  flow_cli_json_print_line (builder);
}

void
flow_cli_console_call_value (FlowCliConsole *self,
                             const char     *key,
                             const char     *method,
                             GVariant       *arguments)
{
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, method, arguments);
  g_autoptr(GVariant) value = NULL;

  if (reply == NULL)
    return;
  value = g_variant_get_child_value (reply->value, 0);
  flow_cli_console_print_value (key, value);
}

/* --- movements ---------------------------------------------------------------------------------- */

static void
move (FlowCliConsole *self,
      FlowMovement    movement,
      const char     *argument)
{
  g_autoptr(FlowDebuggerReply) reply = flow_cli_console_call (self, "Move", g_variant_new ("(us)", (guint) movement, argument));
  g_autoptr(GVariant) variant = NULL;
  g_autoptr(FlowDebugState) state = NULL;

  if (reply == NULL)
    return;
  variant = g_variant_get_child_value (reply->value, 0);
  state = flow_debug_state_from_variant (variant);
  flow_cli_console_print_state (self, state);
}

static const struct {
  const char *name;
  FlowMovement movement;
} movements[] = {
  { "step", FLOW_MOVE_STEP_OP },
  { "over", FLOW_MOVE_OVER },
  { "into", FLOW_MOVE_INTO },
  { "out", FLOW_MOVE_OUT },
  { "leave", FLOW_MOVE_LEAVE_SCOPE },
  { "next-iteration", FLOW_MOVE_NEXT_ITERATION },
  { "to-iteration", FLOW_MOVE_TO_ITERATION },
  { "next-bad-value", FLOW_MOVE_NEXT_BAD_VALUE },
  { "back", FLOW_MOVE_BACK },
  { "over-back", FLOW_MOVE_OVER_BACK },
  { "into-back", FLOW_MOVE_INTO_BACK },
  { "continue", FLOW_MOVE_RUN },
  { "run", FLOW_MOVE_RUN },
  { "continue-back", FLOW_MOVE_CONTINUE_BACK },
  { "run-to", FLOW_MOVE_RUN_TO },
  { "goto", FLOW_MOVE_GOTO },
  { "restart", FLOW_MOVE_RESTART },
  { "retry", FLOW_MOVE_RETRY },
  { "skip-runs", FLOW_MOVE_SKIP_RUNS },
  { "next-write", FLOW_MOVE_NEXT_WRITE },
  { "last-write", FLOW_MOVE_LAST_WRITE },
  { "recompute", FLOW_MOVE_RECOMPUTE },
  { "next-of-type", FLOW_MOVE_NEXT_OF_TYPE },
};

/* --- open and closed scopes ------------------------------------------------------------------------- */

static gboolean
is_under (const char *name,
          const char *scope)
{
  gsize length = strlen (scope);

  return length == 0 || (strncmp (name, scope, length) == 0 && name[length] == '/');
}

/* The closed box, at the level that is open, that a node lies in; empty for the node itself. */
static char *
box_of (FlowCliConsole *self,
        const char     *name)
{
  const char *rest = NULL;
  const char *slash = NULL;

  while (!is_under (name, self->level))
    {
      char *last = strrchr (self->level, '/');

      *(last != NULL ? last : self->level) = '\0';
    }
  rest = name + (*self->level != '\0' ? strlen (self->level) + 1 : 0);
  slash = strchr (rest, '/');
  return slash != NULL ? g_strndup (name, (gsize) (slash - name)) : g_strdup ("");
}

static const char *
next_name (FlowCliConsole *self)
{
  g_autoptr(FlowDebugState) state = flow_debugger_dup_state (self->debugger);
  FlowGraph *graph = flow_debugger_get_graph (self->debugger);

  return state->next_node != FLOW_NODE_NONE && graph != NULL ? flow_graph_get_node_name (graph, state->next_node) : NULL;
}

static gboolean
is_in_body (FlowCliConsole *self)
{
  g_autoptr(FlowDebugState) state = flow_debugger_dup_state (self->debugger);

  return state->op != NULL;
}

static const char *
last_name (FlowCliConsole *self)
{
  g_autoptr(FlowDebugState) state = flow_debugger_dup_state (self->debugger);
  g_autoptr(FlowDebuggerReply) reply = NULL;
  g_autoptr(GVariant) events = NULL;
  g_autoptr(GVariant) event = NULL;
  guint32 node = FLOW_NODE_NONE;

  if (state->position == 0)
    return NULL;
  reply = flow_debugger_call_sync (self->debugger, "Events", g_variant_new ("(tu)", state->position - 1, 1), NULL, NULL, NULL);
  if (reply == NULL)
    return NULL;
  events = g_variant_get_child_value (reply->value, 0);
  if (g_variant_n_children (events) == 0)
    return NULL;
  event = g_variant_get_child_value (events, 0);
  g_variant_get_child (event, 1, "u", &node);
  return flow_graph_get_node_name (flow_debugger_get_graph (self->debugger), node);
}

/* What over, into and out mean without an argument, as in a debugger of calls. */
static char *
default_scope (FlowCliConsole *self,
               FlowMovement    movement)
{
  const char *name = movement == FLOW_MOVE_OVER_BACK || movement == FLOW_MOVE_INTO_BACK ? last_name (self)
                                                                                        : next_name (self);
  char *box = NULL;

  if (name == NULL)
    return g_strdup ("");
  /* A function's body is left as a call, whatever scopes are open around it. */
  if (movement == FLOW_MOVE_OUT && is_in_body (self))
    return g_strdup ("");
  box = box_of (self, name);
  if (movement == FLOW_MOVE_OUT)
    {
      char *last = strrchr (self->level, '/');

      g_free (box);
      box = g_strdup (self->level);
      *(last != NULL ? last : self->level) = '\0';
    }
  else if (movement == FLOW_MOVE_INTO || movement == FLOW_MOVE_INTO_BACK)
    {
      g_free (self->level);
      self->level = g_strdup (box);
    }
  return box;
}

gboolean
flow_cli_console_move (FlowCliConsole *self,
                       const char     *word,
                       const char     *argument)
{
  for (guint i = 0; i < G_N_ELEMENTS (movements); i++)
    if (strcmp (movements[i].name, word) == 0)
      {
        g_autofree char *scope = NULL;

        switch (movements[i].movement)
          {
          case FLOW_MOVE_OVER:
          case FLOW_MOVE_INTO:
          case FLOW_MOVE_OUT:
          case FLOW_MOVE_OVER_BACK:
          case FLOW_MOVE_INTO_BACK:
            if (*argument == '\0')
              scope = default_scope (self, movements[i].movement);
            break;
          default:
            break;
          }
        move (self, movements[i].movement, scope != NULL ? scope : argument);
        return TRUE;
      }
  return FALSE;
}
