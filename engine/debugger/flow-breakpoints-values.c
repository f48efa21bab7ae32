/* flow-breakpoints-values.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-breakpoints-private.h"

#include "flow-tensor-stats.h"
#include "flow-tensor-text.h"

#include <string.h>

/* The values that conditions and log points of breakpoints speak of, by name:
 *
 *   value            what was written, the first output, or before the op the first input
 *   out0, in1, ...   an output of the op, an input
 *   old              of a watch: what the variable was before the write
 *   i, iteration, position
 *   a/b:0, var:w     any tensor of this run, any variable, as they are now
 */

/* The tensor that a log point speaks of: what was written, the first output, or the first input. */
static FlowTensor *
dup_subject (const FlowBreakpoint *self,
             FlowStepper          *stepper,
             guint64               k,
             guint32               node)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  const FlowEvent *event = k != G_MAXUINT64 ? flow_stepper_get_event (stepper, k) : NULL;
  FlowEndpoint source = { 0 };
  FlowValueState state = FLOW_VALUE_NOT_COMPUTED;

  if (self->subject == FLOW_BREAK_WATCH)
    return flow_session_dup_variable (flow_stepper_get_session (stepper), self->name);
  if (event != NULL)
    return event->outputs != NULL && event->n_outputs > 0 && event->outputs[0] != NULL
             ? flow_tensor_ref (event->outputs[0]) : NULL;
  if (node == FLOW_NODE_NONE || flow_graph_get_n_inputs (graph, node) == 0)
    return NULL;
  flow_graph_get_input (graph, node, 0, &source);
  return flow_stepper_dup_value (stepper, source.node, source.slot, G_MAXUINT64, &state);
}

/* An op and when: what names are looked up in. */
typedef struct {
  const FlowBreakpoint *breakpoint;
  FlowStepper *stepper;
  guint64 k;                   /* G_MAXUINT64: before the op that comes next */
  guint32 node;
  gint64 iteration;
  FlowListedRun *run;
  const FlowTensor *old;
} Subject;

static void
find_subject (Subject              *self,
              const FlowBreakpoint *breakpoint,
              FlowStepper          *stepper,
              guint64               k,
              const FlowTensor     *old)
{
  const FlowEvent *event = k != G_MAXUINT64 ? flow_stepper_get_event (stepper, k) : NULL;
  FlowRunList *list = flow_stepper_get_list (stepper);

  *self = (Subject) { breakpoint, stepper, k, FLOW_NODE_NONE, 0, flow_run_list_get_current (list), old };
  if (event != NULL)
    {
      self->node = event->node;
      self->iteration = event->iteration;
      self->run = flow_run_list_get_run (list, event->run);
    }
  else if (self->run != NULL && self->run->run != NULL && !self->run->ended)
    flow_run_peek_next (self->run->run, &self->node, NULL, &self->iteration, NULL);
}

/* `out0`, `in12`: the number behind the word. */
static gboolean
is_numbered (const char *name,
             const char *word,
             guint      *number)
{
  guint64 n = 0;

  if (!g_str_has_prefix (name, word) || !g_ascii_string_to_unsigned (name + strlen (word), 10, 0, G_MAXINT32, &n, NULL))
    return FALSE;
  *number = (guint) n;
  return TRUE;
}

static FlowTensor *
dup_part (Subject    *self,
          const char *name)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (self->stepper));
  const FlowEvent *event = self->k != G_MAXUINT64 ? flow_stepper_get_event (self->stepper, self->k) : NULL;
  FlowEndpoint source = { FLOW_NODE_NONE, 0 };
  FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
  guint n = 0;

  if (strcmp (name, "value") == 0)
    return dup_subject (self->breakpoint, self->stepper, self->k, self->node);
  if (strcmp (name, "old") == 0)
    return self->old != NULL ? flow_tensor_ref (self->old) : NULL;
  if (is_numbered (name, "out", &n))
    return event != NULL && event->outputs != NULL && n < event->n_outputs && event->outputs[n] != NULL
             ? flow_tensor_ref (event->outputs[n]) : NULL;
  if (!is_numbered (name, "in", &n) || self->node == FLOW_NODE_NONE || n >= flow_graph_get_n_inputs (graph, self->node))
    return NULL;
  flow_graph_get_input (graph, self->node, n, &source);
  return flow_stepper_dup_value (self->stepper, source.node, source.slot, self->k, &state);
}

static gboolean
is_part (const char *name)
{
  guint n = 0;

  return strcmp (name, "value") == 0 || strcmp (name, "old") == 0 || is_numbered (name, "out", &n)
         || is_numbered (name, "in", &n);
}

static FlowTensor *
dup_by_name (Subject     *self,
             const char  *name,
             GError     **error)
{
  FlowSession *session = flow_stepper_get_session (self->stepper);
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };
  FlowValueState state = FLOW_VALUE_NOT_COMPUTED;

  if (g_str_has_prefix (name, "var:"))
    return flow_session_dup_variable (session, name + strlen ("var:"));
  if (!flow_graph_parse_endpoint (flow_session_get_graph (session), name, &endpoint, error))
    return NULL;
  endpoint.slot = MAX (endpoint.slot, 0);
  if (flow_session_is_variable_node (session, endpoint.node))
    {
      g_autofree char *variable = flow_session_get_variable_name (session, endpoint.node);

      return flow_session_dup_variable (session, variable);
    }
  return flow_stepper_dup_value (self->stepper, endpoint.node, endpoint.slot, G_MAXUINT64, &state);
}

static FlowTensor *
resolve (const char *name,
         gpointer    data,
         GError    **error)
{
  Subject *self = data;
  g_autoptr(GError) failure = NULL;
  FlowTensor *value = NULL;

  if (strcmp (name, "i") == 0)
    return flow_tensor_new_int64 (self->run != NULL ? (gint64) self->run->i : 0);
  if (strcmp (name, "iteration") == 0)
    return flow_tensor_new_int64 (self->iteration);
  if (strcmp (name, "position") == 0)
    return flow_tensor_new_int64 ((gint64) flow_stepper_get_position (self->stepper));
  value = is_part (name) ? dup_part (self, name) : dup_by_name (self, name, &failure);
  if (value == NULL && failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  else if (value == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "%s: there is no value", name);
  return value;
}

/* What cannot be computed does not hold. */
gboolean
_flow_breakpoint_expressions_hold (const FlowBreakpoint *self,
                                   FlowStepper          *stepper,
                                   guint64               k,
                                   const FlowTensor     *old)
{
  FlowBudget *budget = flow_session_get_budget (flow_stepper_get_session (stepper));
  Subject subject = { 0 };

  for (guint i = 0; i < self->conditions->len; i++)
    {
      const FlowCondition *condition = &g_array_index (self->conditions, FlowCondition, i);
      g_autoptr(FlowTensor) value = NULL;

      if (condition->kind != FLOW_CONDITION_EXPRESSION)
        continue;
      find_subject (&subject, self, stepper, k, old);
      value = _flow_expression_evaluate (condition->expression, resolve, &subject, budget, NULL);
      if (value == NULL || !_flow_expression_is_true (value))
        return FALSE;
    }
  return TRUE;
}

/* --- log points ------------------------------------------------------------------------------------- */

static char *
expression_value (Subject    *subject,
                  const char *text)
{
  g_autoptr(FlowExpression) expression = _flow_expression_parse (text, NULL);
  FlowBudget *budget = flow_session_get_budget (flow_stepper_get_session (subject->stepper));
  g_autoptr(FlowTensor) value = NULL;
  g_autoptr(GError) error = NULL;

  if (expression == NULL)
    return NULL;
  value = _flow_expression_evaluate (expression, resolve, subject, budget, &error);
  if (value == NULL)
    return g_error_matches (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION) ? g_strdup ("?") : NULL;
  return value->shape->rank == 0 && value->dtype == FLOW_DTYPE_DOUBLE
           ? g_strdup_printf ("%.9g", flow_tensor_get_double (value, 0)) : flow_tensor_summary (value);
}

static char *
word_value (const char *word,
            Subject    *subject)
{
  g_autoptr(FlowTensor) tensor = dup_subject (subject->breakpoint, subject->stepper, subject->k, subject->node);
  int what = _flow_breakpoint_find_measure (word);
  g_autoptr(FlowTensorStats) stats = NULL;

  if (tensor == NULL && (what >= 0 || strcmp (word, "dtype") == 0 || strcmp (word, "shape") == 0 || strcmp (word, "value") == 0))
    return g_strdup ("?");
  if (strcmp (word, "dtype") == 0)
    return g_strdup (flow_dtype_name (tensor->dtype));
  if (strcmp (word, "shape") == 0)
    return flow_shape_to_string (tensor->shape);
  if (strcmp (word, "value") == 0)
    return flow_tensor_summary (tensor);
  if (what < 0)
    return expression_value (subject, word);
  stats = flow_tensor_stats_new (tensor, 0);
  return g_strdup_printf ("%.9g", _flow_breakpoint_measure (what, tensor, stats));
}

char *
_flow_breakpoint_format (const FlowBreakpoint *self,
                         FlowStepper          *stepper,
                         guint64               k)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  GString *text = g_string_new (NULL);
  Subject subject = { 0 };

  find_subject (&subject, self, stepper, k, NULL);
  for (const char *p = self->log; *p != '\0'; p++)
    {
      const char *end = *p == '{' ? strchr (p, '}') : NULL;
      g_autofree char *word = end != NULL ? g_strndup (p + 1, (gsize) (end - p - 1)) : NULL;
      g_autofree char *value = NULL;

      if (word == NULL)
        value = NULL;
      else if (strcmp (word, "node") == 0)
        value = g_strdup (subject.node != FLOW_NODE_NONE ? flow_graph_get_node_name (graph, subject.node) : "");
      else if (strcmp (word, "run") == 0)
        value = g_strdup (subject.run != NULL ? subject.run->def->name : "");
      else
        value = word_value (word, &subject);
      if (value == NULL)
        {
          g_string_append_c (text, *p);
          continue;
        }
      g_string_append (text, value);
      p = end;
    }
  return g_string_free (text, FALSE);
}
