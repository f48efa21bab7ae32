/* flow-breakpoints.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-breakpoints-private.h"

#include "flow-collection.h"
#include "flow-tensor-stats.h"

#include <math.h>
#include <string.h>

static const char *const subjects[] = { "node:", "type:", "scope:", "match:", "collection:", "watch:" };
static const char *const measures[] = { "min", "max", "mean", "abs", "std", "nan", "inf", "size" };
/* Longer ones first: "<=" begins with "<". */
static const char *const comparisons[] = { "<=", ">=", "==", "!=", "<", ">", "=" };

void
_flow_breakpoint_free (FlowBreakpoint *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->name);
  g_free (self->log);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_free (self);
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

/* `abs > 3` with or without blanks. */
static gboolean
parse_condition (FlowBreakpoint  *self,
                 const char     **text,
                 GError         **error)
{
  const char *at = *text;
  char *end = NULL;

  while (g_ascii_isspace (*at))
    at++;
  if (g_str_has_prefix (at, "error") && !g_ascii_isalnum (at[5]))
    {
      self->on_error = TRUE;
      *text = at + 5;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (g_str_has_prefix (at, measures[i]) && !g_ascii_isalpha (at[strlen (measures[i])]))
      {
        self->measure = measures[i];
        at += strlen (measures[i]);
        break;
      }
  if (self->measure == NULL)
    return refuse (error, "if wants error or one of min max mean abs std nan inf size, not", at);
  while (g_ascii_isspace (*at))
    at++;
  self->comparison = -1;
  for (guint i = 0; self->comparison < 0 && i < G_N_ELEMENTS (comparisons); i++)
    if (g_str_has_prefix (at, comparisons[i]))
      {
        self->comparison = (int) i;
        at += strlen (comparisons[i]);
      }
  if (self->comparison < 0)
    return refuse (error, "a comparison is wanted, not", at);
  self->number = g_ascii_strtod (at, &end);
  if (end == at)
    return refuse (error, "a number is wanted, not", at);
  *text = end;
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
      g_autofree char *count = NULL;

      if (word == NULL)
        return TRUE;
      if (strcmp (word, "if") == 0)
        {
          if (!parse_condition (self, &text, error))
            return FALSE;
        }
      else if (strcmp (word, "hit") == 0)
        {
          count = next_word (&text);
          self->hit = count != NULL ? g_ascii_strtoull (count, NULL, 10) : 0;
          if (self->hit == 0)
            return refuse (error, "hit wants a number, not", count);
        }
      else if (strcmp (word, "log") == 0)
        {
          while (g_ascii_isspace (*text))
            text++;
          self->log = g_strdup (text);
          return TRUE;
        }
      else
        return refuse (error, "if, hit or log is wanted, not", word);
    }
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
  if (self->subject == FLOW_BREAK_WATCH || (!said && self->measure != NULL))
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

static double
measure (const FlowBreakpoint *self,
         const FlowTensor     *tensor)
{
  g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (tensor, 0);

  if (strcmp (self->measure, "size") == 0)
    return (double) tensor->n_elements;
  if (!stats->is_number)
    return NAN;
  if (strcmp (self->measure, "nan") == 0)
    return (double) stats->n_nan;
  if (strcmp (self->measure, "inf") == 0)
    return (double) flow_tensor_stats_get_n_inf (stats);
  if (strcmp (self->measure, "min") == 0)
    return stats->min;
  if (strcmp (self->measure, "max") == 0)
    return stats->max;
  if (strcmp (self->measure, "mean") == 0)
    return stats->mean;
  if (strcmp (self->measure, "std") == 0)
    return stats->std;
  return MAX (fabs (stats->min), fabs (stats->max));
}

static gboolean
holds (const FlowBreakpoint *self,
       const FlowTensor     *tensor)
{
  double value = measure (self, tensor);

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

gboolean
_flow_breakpoint_is_before (const FlowBreakpoint *self,
                            FlowStepper          *stepper,
                            guint32               node)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));

  if (!self->enabled || self->after || self->on_error || !matches_node (self, graph, node))
    return FALSE;
  if (self->subject == FLOW_BREAK_SCOPE && was_in_scope (self, stepper))
    return FALSE;
  if (self->measure == NULL)
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

gboolean
_flow_breakpoint_is_after (const FlowBreakpoint *self,
                           FlowStepper          *stepper,
                           guint64               k)
{
  FlowGraph *graph = flow_session_get_graph (flow_stepper_get_session (stepper));
  const FlowEvent *event = flow_stepper_get_event (stepper, k);

  if (!self->enabled || !self->after || self->on_error || event == NULL || event->dead)
    return FALSE;
  if (self->subject == FLOW_BREAK_WATCH ? !flow_stepper_event_writes (stepper, k, self->name)
                                        : !matches_node (self, graph, event->node))
    return FALSE;
  if (self->subject == FLOW_BREAK_SCOPE && self->measure == NULL && stays_in_scope (self, stepper, k))
    return FALSE;
  if (self->measure == NULL)
    return TRUE;
  if (self->subject == FLOW_BREAK_WATCH)
    {
      g_autoptr(FlowTensor) value = flow_session_dup_variable (flow_stepper_get_session (stepper), self->name);

      return value != NULL && holds (self, value);
    }
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    if (event->outputs[i] != NULL && holds (self, event->outputs[i]))
      return TRUE;
  return FALSE;
}

gboolean
_flow_breakpoint_is_error (const FlowBreakpoint *self,
                           FlowStepper          *stepper,
                           guint32               node)
{
  return self->enabled && self->on_error && matches_node (self, flow_session_get_graph (flow_stepper_get_session (stepper)), node);
}
