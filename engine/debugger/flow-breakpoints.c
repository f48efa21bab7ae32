/* flow-breakpoints.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-breakpoints-private.h"

#include "flow-collection.h"
#include "flow-tensor-compare.h"
#include "flow-tensor-stats.h"

#include <math.h>
#include <string.h>

static const char *const subjects[] = { "node:", "type:", "scope:", "match:", "collection:", "watch:" };
enum {
  MEASURE_MIN,
  MEASURE_MAX,
  MEASURE_MEAN,
  MEASURE_ABS,
  MEASURE_STD,
  MEASURE_NAN,
  MEASURE_INF,
  MEASURE_ZERO,
  MEASURE_NEGATIVE,
  MEASURE_POSITIVE,
  MEASURE_DENORMAL,
  MEASURE_SIZE,
  MEASURE_RANK,
  MEASURE_BAD,
  MEASURE_RANGE,
};

static const char *const measures[] = {
  "min", "max", "mean", "abs", "std", "nan", "inf", "zero", "negative", "positive", "denormal", "size", "rank",
  "bad", "range",
};
/* Longer ones first: "<=" begins with "<". */
static const char *const comparisons[] = { "<=", ">=", "==", "!=", "<", ">", "=" };

/* -1: there is no such measure. */
int
_flow_breakpoint_find_measure (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (strcmp (name, measures[i]) == 0)
      return (int) i;
  return -1;
}

void
_flow_breakpoint_free (FlowBreakpoint *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->name);
  g_free (self->log);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_clear_pointer (&self->conditions, g_array_unref);
  g_free (self);
}

static void
condition_clear (gpointer data)
{
  g_free (((FlowCondition *) data)->text);
  _flow_expression_free (((FlowCondition *) data)->expression);
}

/* The next word; quotes are not part of the language, names have no blanks. */
static char *
next_word (const char **text)
{
  const char *begin = NULL;

  while (g_ascii_isspace (**text))
    (*text)++;
  begin = *text;
  while (**text != '\0' && !g_ascii_isspace (**text))
    (*text)++;
  return *text > begin ? g_strndup (begin, (gsize) (*text - begin)) : NULL;
}

static gboolean
refuse (GError    **error,
        const char *what,
        const char *word)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "breakpoint: %s \"%s\"", what, word != NULL ? word : "");
  return FALSE;
}

static gboolean
parse_subject (FlowBreakpoint *self,
               const char     *word,
               GError        **error)
{
  for (guint i = 0; word != NULL && i < G_N_ELEMENTS (subjects); i++)
    if (g_str_has_prefix (word, subjects[i]) && word[strlen (subjects[i])] != '\0')
      {
        self->subject = (FlowBreakSubject) i;
        self->name = g_strdup (word + strlen (subjects[i]));
        if (self->subject == FLOW_BREAK_MATCH)
          {
            self->regex = g_regex_new (self->name, G_REGEX_OPTIMIZE, 0, error);
            return self->regex != NULL;
          }
        return TRUE;
      }
  return refuse (error, "node:, type:, scope:, match:, collection: or watch: is wanted, not", word);
}

static void
skip_blanks (const char **at)
{
  while (g_ascii_isspace (**at))
    (*at)++;
}

/* The word of letters at hand; "" when there is none. */
static char *
next_letters (const char **at)
{
  const char *begin = NULL;

  skip_blanks (at);
  begin = *at;
  while (g_ascii_isalpha (**at))
    (*at)++;
  return g_strndup (begin, (gsize) (*at - begin));
}

static int
next_comparison (const char **at)
{
  skip_blanks (at);
  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (g_str_has_prefix (*at, comparisons[i]))
      {
        *at += strlen (comparisons[i]);
        return (int) i;
      }
  return -1;
}

static gboolean
parse_number (FlowCondition *self,
              const char   **at,
              GError       **error)
{
  char *end = NULL;

  self->comparison = next_comparison (at);
  if (self->comparison < 0)
    return refuse (error, "a comparison is wanted, not", *at);
  self->number = g_ascii_strtod (*at, &end);
  if (end == *at)
    return refuse (error, "a number is wanted, not", *at);
  *at = end;
  return TRUE;
}

/* `== float32`, `!= [2,?]`: blanks inside brackets are left out. */
static gboolean
parse_word (FlowCondition *self,
            const char   **at,
            GError       **error)
{
  GString *text = g_string_new (NULL);
  gboolean inside = FALSE;

  self->comparison = next_comparison (at);
  skip_blanks (at);
  for (; **at != '\0' && (inside || !g_ascii_isspace (**at)); (*at)++)
    {
      inside = **at == '[' || (inside && **at != ']');
      if (!g_ascii_isspace (**at))
        g_string_append_c (text, **at);
    }
  self->text = g_string_free (text, FALSE);
  if (self->comparison != 2 && self->comparison != 3 && self->comparison != 6)
    return refuse (error, "== or != is wanted before", self->text);
  if (*self->text == '\0')
    return refuse (error, "a dtype or a shape is wanted, not", "");
  if (self->kind == FLOW_CONDITION_DTYPE && flow_dtype_from_string (self->text) == FLOW_DTYPE_INVALID)
    return refuse (error, "no dtype is called", self->text);
  if (self->kind == FLOW_CONDITION_SHAPE && *self->text != '[')
    return refuse (error, "a shape is written [2,?], not", self->text);
  return TRUE;
}

/* `(EXPRESSION)`: whatever stands in the brackets. */
static gboolean
parse_expression (FlowBreakpoint  *self,
                  const char     **text,
                  GError         **error)
{
  FlowCondition condition = { FLOW_CONDITION_EXPRESSION, -1, -1, 0, NULL, NULL };

  condition.expression = _flow_expression_parse_bracketed (*text, text, error);
  if (condition.expression == NULL)
    return FALSE;
  g_array_append_val (self->conditions, condition);
  return TRUE;
}

/* `abs > 3` with or without blanks, `dtype == float32`, `shape == [2,?]`, `changed > 0.1`, `unchanged`. */
static gboolean
parse_condition (FlowBreakpoint  *self,
                 const char     **text,
                 GError         **error)
{
  const char *at = *text;
  g_autofree char *word = next_letters (&at);
  FlowCondition condition = { FLOW_CONDITION_MEASURE, -1, -1, 0, NULL, NULL };
  gboolean ok = TRUE;

  if (*word == '\0' && *at == '(')
    {
      *text = at;
      return parse_expression (self, text, error);
    }
  if (strcmp (word, "error") == 0)
    {
      self->on_error = TRUE;
      *text = at;
      return TRUE;
    }
  condition.measure = _flow_breakpoint_find_measure (word);
  if (strcmp (word, "dtype") == 0)
    condition.kind = FLOW_CONDITION_DTYPE;
  else if (strcmp (word, "shape") == 0)
    condition.kind = FLOW_CONDITION_SHAPE;
  else if (strcmp (word, "iteration") == 0)
    condition.kind = FLOW_CONDITION_ITERATION;
  else if (strcmp (word, "run") == 0)
    condition.kind = FLOW_CONDITION_RUN;
  else if (strcmp (word, "changed") == 0)
    condition.kind = FLOW_CONDITION_CHANGED;
  else if (strcmp (word, "unchanged") == 0)
    condition.kind = FLOW_CONDITION_UNCHANGED;
  else if (condition.measure < 0)
    return refuse (error, "if wants error, one of min max mean abs std nan inf zero negative positive denormal size "
                          "rank bad range, dtype, shape, iteration, run, changed, unchanged or an (expression), not", word);
  if ((condition.kind == FLOW_CONDITION_CHANGED || condition.kind == FLOW_CONDITION_UNCHANGED)
      && self->subject != FLOW_BREAK_WATCH)
    return refuse (error, "only a watch:VARIABLE can be", word);
  if (condition.kind == FLOW_CONDITION_DTYPE || condition.kind == FLOW_CONDITION_SHAPE)
    ok = parse_word (&condition, &at, error);
  else if (condition.kind == FLOW_CONDITION_CHANGED)
    {
      skip_blanks (&at);
      if (strchr ("<>=!", *at) != NULL && *at != '\0')
        ok = parse_number (&condition, &at, error);
    }
  else if (condition.kind != FLOW_CONDITION_UNCHANGED)
    ok = parse_number (&condition, &at, error);
  if (!ok)
    {
      g_free (condition.text);
      return FALSE;
    }
  g_array_append_val (self->conditions, condition);
  *text = at;
  return TRUE;
}

static gboolean
parse_count (const char **text,
             guint64     *count,
             const char  *what,
             GError     **error)
{
  g_autofree char *word = next_word (text);

  if (word == NULL || !g_ascii_string_to_unsigned (word, 10, 1, G_MAXUINT64, count, NULL))
    return refuse (error, what, word);
  return TRUE;
}

static gboolean
parse_tail (FlowBreakpoint *self,
            const char     *text,
            GError        **error)
{
  for (;;)
    {
      g_autofree char *word = next_word (&text);

      if (word == NULL)
        return TRUE;
      if (strcmp (word, "if") == 0 || (strcmp (word, "and") == 0 && (self->conditions->len > 0 || self->on_error)))
        {
          if (!parse_condition (self, &text, error))
            return FALSE;
        }
      else if (strcmp (word, "hit") == 0)
        {
          if (!parse_count (&text, &self->hit, "hit wants a number, not", error))
            return FALSE;
        }
      else if (strcmp (word, "every") == 0)
        {
          if (!parse_count (&text, &self->every, "every wants a number, not", error))
            return FALSE;
        }
      else if (strcmp (word, "once") == 0)
        self->once = TRUE;
      else if (strcmp (word, "log") == 0)
        {
          while (g_ascii_isspace (*text))
            text++;
          self->log = g_strdup (text);
          return TRUE;
        }
      else
        return refuse (error, "if, hit, every, once or log is wanted, not", word);
    }
}

/* Whether a condition looks at a tensor. */
static gboolean
looks_at_tensor (const FlowBreakpoint *self)
{
  for (guint i = 0; i < self->conditions->len; i++)
    if (g_array_index (self->conditions, FlowCondition, i).kind <= FLOW_CONDITION_SHAPE)
      return TRUE;
  return FALSE;
}

static gboolean
looks_at_values (const FlowBreakpoint *self)
{
  for (guint i = 0; i < self->conditions->len; i++)
    if (g_array_index (self->conditions, FlowCondition, i).kind == FLOW_CONDITION_EXPRESSION)
      return TRUE;
  return looks_at_tensor (self);
}

static const FlowCondition *
find_condition (const FlowBreakpoint *self,
                FlowConditionKind     kind)
{
  for (guint i = 0; i < self->conditions->len; i++)
    if (g_array_index (self->conditions, FlowCondition, i).kind == kind)
      return &g_array_index (self->conditions, FlowCondition, i);
  return NULL;
}

FlowBreakpoint *
_flow_breakpoint_parse (const char *text,
                        GError    **error)
{
  FlowBreakpoint *self = g_new0 (FlowBreakpoint, 1);
  const char *at = text;
  char *word = next_word (&at);
  gboolean said = FALSE;

  self->text = g_strdup (text);
  self->enabled = TRUE;
  self->conditions = g_array_new (FALSE, FALSE, sizeof (FlowCondition));
  g_array_set_clear_func (self->conditions, condition_clear);
  if (word != NULL && (strcmp (word, "before") == 0 || strcmp (word, "after") == 0))
    {
      said = TRUE;
      self->after = *word == 'a';
      g_free (word);
      word = next_word (&at);
    }
  if (!parse_subject (self, word, error) || !parse_tail (self, at, error))
    {
      g_free (word);
      _flow_breakpoint_free (self);
      return NULL;
    }
  g_free (word);
  /* What an op made is known after it; a write has happened after it. */
  if (self->subject == FLOW_BREAK_WATCH || (!said && looks_at_values (self)))
    self->after = TRUE;
  return self;
}

gboolean
_flow_node_is_in_scope (FlowGraph  *graph,
                        guint32     node,
                        const char *scope)
{
  const char *name = flow_graph_get_node_name (graph, node);
  gsize length = strlen (scope);

  while (length > 0 && scope[length - 1] == '/')
    length--;
  return length == 0 || (strncmp (name, scope, length) == 0 && (name[length] == '/' || name[length] == '\0'));
}

static gboolean
is_in_collection (FlowGraph  *graph,
                  guint32     node,
                  const char *collection)
{
  GPtrArray *items = flow_graph_get_collection (graph, collection);

  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      const FlowCollectionItem *item = g_ptr_array_index (items, i);

      if (item->name != NULL && flow_graph_find_op (graph, item->name) == node)
        return TRUE;
    }
  return FALSE;
}

static gboolean
matches_node (const FlowBreakpoint *self,
              FlowGraph            *graph,
              guint32               node)
{
  const char *name = flow_graph_get_node_name (graph, node);

  switch (self->subject)
    {
    case FLOW_BREAK_NODE:
      return strcmp (name, self->name) == 0;
    case FLOW_BREAK_TYPE:
      return strcmp (flow_graph_get_node_type (graph, node), self->name) == 0;
    case FLOW_BREAK_SCOPE:
      return _flow_node_is_in_scope (graph, node, self->name);
    case FLOW_BREAK_MATCH:
      return g_regex_match (self->regex, name, 0, NULL);
    case FLOW_BREAK_COLLECTION:
      return is_in_collection (graph, node, self->name);
    case FLOW_BREAK_WATCH:
    default:
      return FALSE;
    }
}

double
_flow_breakpoint_measure (int                    what,
                          const FlowTensor      *tensor,
                          const FlowTensorStats *stats)
{
  if (what == MEASURE_SIZE)
    return (double) tensor->n_elements;
  if (what == MEASURE_RANK)
    return tensor->shape->rank;
  if (!stats->is_number)
    return NAN;
  switch (what)
    {
    case MEASURE_MIN:
      return stats->min;
    case MEASURE_MAX:
      return stats->max;
    case MEASURE_MEAN:
      return stats->mean;
    case MEASURE_STD:
      return stats->std;
    case MEASURE_NAN:
      return (double) stats->n_nan;
    case MEASURE_INF:
      return (double) flow_tensor_stats_get_n_inf (stats);
    case MEASURE_ZERO:
      return (double) stats->n_zero;
    case MEASURE_NEGATIVE:
      return (double) stats->n_negative;
    case MEASURE_POSITIVE:
      return (double) stats->n_positive;
    case MEASURE_DENORMAL:
      return (double) stats->n_denormal;
    case MEASURE_BAD:
      return (double) (stats->n_nan + flow_tensor_stats_get_n_inf (stats));
    case MEASURE_RANGE:
      return stats->max - stats->min;
    default:
      return MAX (fabs (stats->min), fabs (stats->max));
    }
}

static gboolean
compare (const FlowCondition *self,
         double               value)
{
  switch (self->comparison)
    {
    case 0:
      return value <= self->number;
    case 1:
      return value >= self->number;
    case 3:
      return value != self->number;
    case 4:
      return value < self->number;
    case 5:
      return value > self->number;
    default:
      return value == self->number;
    }
}

/* `[2,?]` against a shape: "?" is any size. */
static gboolean
has_shape (const char      *text,
           const FlowShape *shape)
{
  g_autofree char *inner = g_strndup (text + 1, strcspn (text + 1, "]"));
  g_auto(GStrv) words = g_strsplit (inner, ",", -1);
  int n = *inner != '\0' ? (int) g_strv_length (words) : 0;

  if (n != shape->rank)
    return FALSE;
  for (int i = 0; i < n; i++)
    if (strcmp (words[i], "?") != 0 && g_ascii_strtoll (words[i], NULL, 10) != shape->dims[i])
      return FALSE;
  return TRUE;
}

/* All that the conditions say of a tensor; one pass over its elements serves them all. */
static gboolean
holds (const FlowBreakpoint *self,
       const FlowTensor     *tensor)
{
  g_autoptr(FlowTensorStats) stats = NULL;

  for (guint i = 0; i < self->conditions->len; i++)
    {
      const FlowCondition *condition = &g_array_index (self->conditions, FlowCondition, i);
      gboolean wants = condition->comparison != 3;

      if (condition->kind == FLOW_CONDITION_DTYPE
          && ((int) flow_dtype_base (tensor->dtype) == flow_dtype_from_string (condition->text)) != wants)
        return FALSE;
      if (condition->kind == FLOW_CONDITION_SHAPE && has_shape (condition->text, tensor->shape) != wants)
        return FALSE;
      if (condition->kind != FLOW_CONDITION_MEASURE)
        continue;
      if (stats == NULL)
        stats = flow_tensor_stats_new (tensor, 0);
      if (!compare (condition, _flow_breakpoint_measure (condition->measure, tensor, stats)))
        return FALSE;
    }
  return TRUE;
}

/* What the conditions say of where the run stands. */
static gboolean
holds_here (const FlowBreakpoint *self,
            FlowStepper          *stepper,
            guint                 run_number,
            gint64                iteration)
{
  FlowListedRun *run = flow_run_list_get_run (flow_stepper_get_list (stepper), run_number);
  const FlowCondition *condition = find_condition (self, FLOW_CONDITION_ITERATION);

  if (condition != NULL && !compare (condition, (double) iteration))
    return FALSE;
  condition = find_condition (self, FLOW_CONDITION_RUN);
  return condition == NULL || (run != NULL && compare (condition, (double) run->i));
}

/* A scope stops where it is entered, not at each of its ops. */
static gboolean
was_in_scope (const FlowBreakpoint *self,
              FlowStepper          *stepper)
{
  guint64 position = flow_stepper_get_position (stepper);
  const FlowEvent *last = position > 0 ? flow_stepper_get_event (stepper, position - 1) : NULL;

  return last != NULL && last->run == flow_stepper_run_at (stepper, position)
         && _flow_node_is_in_scope (flow_session_get_graph (flow_stepper_get_session (stepper)), last->node, self->name);
}

/* Or, after it, where it is left. */
static gboolean
stays_in_scope (const FlowBreakpoint *self,
                FlowStepper          *stepper,
                guint64               k)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (stepper));
  guint32 next = FLOW_NODE_NONE;

  if (k + 1 != flow_stepper_get_position (stepper) || run == NULL || run->run == NULL || run->ended
      || !flow_run_peek_next (run->run, &next, NULL, NULL, NULL))
    return FALSE;
  return run->number == flow_stepper_get_event (stepper, k)->run && _flow_node_is_in_scope (graph, next, self->name);
}

/* Before an op that calls functions is before it calls, not before it gives what they returned. */
static gboolean
is_returning (FlowStepper *stepper,
              guint32      node)
{
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (stepper));
  FlowRunNext next = { 0 };

  return run != NULL && run->run != NULL && !run->ended && flow_run_look (run->run, &next) && next.node == node
         && (next.phase == FLOW_CALL_TURN || next.phase == FLOW_CALL_RETURN);
}

/* An op on the branch that was not taken, or behind a loop's last iteration, comes up but is not computed. */
static gboolean
comes_up_dead (FlowStepper *stepper,
               guint32      node)
{
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (stepper));
  FlowRunNext next = { 0 };

  return run != NULL && run->run != NULL && !run->ended && flow_run_look (run->run, &next) && next.node == node && next.dead;
}

gboolean
_flow_breakpoint_is_before (const FlowBreakpoint *self,
                            FlowStepper          *stepper,
                            guint32               node)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  FlowListedRun *run = NULL;
  gint64 iteration = 0;

  if (!self->enabled || self->after || self->on_error || !matches_node (self, graph, node) || is_returning (stepper, node))
    return FALSE;
  if (self->subject == FLOW_BREAK_SCOPE ? was_in_scope (self, stepper) : comes_up_dead (stepper, node))
    return FALSE;
  if (self->conditions->len == 0)
    return TRUE;
  run = flow_run_list_get_current (flow_stepper_get_list (stepper));
  if (run != NULL && run->run != NULL && !run->ended)
    flow_run_peek_next (run->run, NULL, NULL, &iteration, NULL);
  if (!holds_here (self, stepper, run != NULL ? (guint) run->number : 0, iteration)
      || !_flow_breakpoint_expressions_hold (self, stepper, G_MAXUINT64, NULL))
    return FALSE;
  if (!looks_at_tensor (self))
    return TRUE;
  for (guint i = 0; i < flow_graph_get_n_inputs (graph, node); i++)
    {
      FlowEndpoint source = { 0 };
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
      g_autoptr(FlowTensor) value = NULL;

      flow_graph_get_input (graph, node, i, &source);
      value = flow_stepper_dup_value (stepper, source.node, source.slot, G_MAXUINT64, &state);
      if (value != NULL && holds (self, value))
        return TRUE;
    }
  return FALSE;
}

/* How far a write moved a variable: bits for what has no numbers. */
static gboolean
has_changed (const FlowCondition *condition,
             const FlowTensor    *old,
             const FlowTensor    *now)
{
  FlowTolerance exact = { 0, 0, 0 };
  g_autoptr(FlowTensorDiff) diff = NULL;

  if (old == NULL || now == NULL)
    return old != now;
  diff = flow_tensor_compare (now, old, &exact);
  if (condition->comparison < 0)
    return !diff->equal_bits;
  return diff->same_shape ? compare (condition, diff->max_abs) : TRUE;
}

static gboolean
is_written (const FlowBreakpoint *self,
            FlowStepper          *stepper,
            const FlowTensor     *old)
{
  g_autoptr(FlowTensor) now = NULL;
  const FlowCondition *changed = find_condition (self, FLOW_CONDITION_CHANGED);

  if (self->conditions->len == 0)
    return TRUE;
  if (find_condition (self, FLOW_CONDITION_UNCHANGED) != NULL)
    return FALSE;
  now = flow_session_dup_variable (flow_stepper_get_session (stepper), self->name);
  if (changed != NULL && !has_changed (changed, old, now))
    return FALSE;
  return !looks_at_tensor (self) || (now != NULL && holds (self, now));
}

gboolean
_flow_breakpoint_is_after (const FlowBreakpoint *self,
                           FlowStepper          *stepper,
                           guint64               k,
                           const FlowTensor     *old)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  const FlowEvent *event = flow_stepper_get_event (stepper, k);

  if (!self->enabled || !self->after || self->on_error || event == NULL || event->dead
      || event->phase == FLOW_CALL_ENTER || event->phase == FLOW_CALL_TURN)
    return FALSE;
  if (self->subject == FLOW_BREAK_WATCH ? !flow_stepper_event_writes (stepper, k, self->name)
                                        : !matches_node (self, graph, event->node))
    return FALSE;
  if (!holds_here (self, stepper, event->run, event->iteration))
    return FALSE;
  if (self->subject == FLOW_BREAK_WATCH)
    return is_written (self, stepper, old) && _flow_breakpoint_expressions_hold (self, stepper, k, old);
  if (!_flow_breakpoint_expressions_hold (self, stepper, k, NULL))
    return FALSE;
  if (self->subject == FLOW_BREAK_SCOPE && !looks_at_values (self) && stays_in_scope (self, stepper, k))
    return FALSE;
  if (!looks_at_tensor (self))
    return TRUE;
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    if (event->outputs[i] != NULL && holds (self, event->outputs[i]))
      return TRUE;
  return FALSE;
}

gboolean
_flow_breakpoint_is_unchanged (const FlowBreakpoint *self,
                               FlowStepper          *stepper)
{
  g_autoptr(FlowTensor) before = NULL;
  g_autoptr(FlowTensor) now = NULL;
  FlowTolerance exact = { 0, 0, 0 };
  g_autoptr(FlowTensorDiff) diff = NULL;

  if (!self->enabled || self->subject != FLOW_BREAK_WATCH || find_condition (self, FLOW_CONDITION_UNCHANGED) == NULL)
    return FALSE;
  before = flow_stepper_dup_variable_at_run_start (stepper, self->name);
  now = flow_session_dup_variable (flow_stepper_get_session (stepper), self->name);
  if (before == NULL || now == NULL)
    return FALSE;
  diff = flow_tensor_compare (now, before, &exact);
  return diff->equal_bits;
}

gboolean
_flow_breakpoint_hit (FlowBreakpoint *self)
{
  guint64 first = MAX (self->hit, 1);

  self->hits++;
  if (self->hits < first || (self->every > 0 && (self->hits - first) % self->every != 0))
    return FALSE;
  if (self->once)
    self->enabled = FALSE;
  return TRUE;
}

gboolean
_flow_breakpoint_is_error (const FlowBreakpoint *self,
                           FlowStepper          *stepper,
                           guint32               node)
{
  return self->enabled && self->on_error && matches_node (self, flow_session_get_graph (flow_stepper_get_session (stepper)), node);
}
