/* flow-stepper-look.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stepper-private.h"

#include <string.h>

/* What a stepper can be asked about the positions that it knows. */

/**
 * flow_stepper_get_position: (skip)
 * @self: a stepper
 *
 * Returns: ops executed so far
 */
guint64
flow_stepper_get_position (FlowStepper *self)
{
  return self->position;
}

/**
 * flow_stepper_get_n_events: (skip)
 * @self: a stepper
 *
 * Returns: positions known
 */
guint64
flow_stepper_get_n_events (FlowStepper *self)
{
  return self->events->len;
}

/**
 * flow_stepper_get_exact_from: (skip)
 * @self: a stepper
 *
 * Returns: from here on steps back are undone; before it they are recomputed
 */
guint64
flow_stepper_get_exact_from (FlowStepper *self)
{
  return self->exact_from;
}

/**
 * flow_stepper_get_event: (skip)
 * @self: a stepper
 * @k: a position
 *
 * Returns: (transfer none) (nullable): the op that leads on from it; valid until the next move
 */
const FlowEvent *
flow_stepper_get_event (FlowStepper *self,
                        guint64      k)
{
  return k < self->events->len ? &g_array_index (self->events, FlowEvent, (guint) k) : NULL;
}

/**
 * flow_stepper_find_run_start: (skip)
 * @self: a stepper
 * @entry: index of an entry
 * @i: which repetition
 *
 * Where the i-th happening of an entry began; G_MAXUINT64 if that is not known.
 *
 * Returns: the position where it began, %G_MAXUINT64 if it has not
 */
guint64
flow_stepper_find_run_start (FlowStepper *self,
                             guint        entry,
                             guint64      i)
{
  for (guint k = 0; k < flow_run_list_get_n_runs (self->list); k++)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list, k);

      if (run->entry == entry && run->i == i)
        return run->start;
    }
  return G_MAXUINT64;
}

/**
 * flow_stepper_run_at: (skip)
 * @self: a stepper
 * @position: a position
 *
 * The run that a position belongs to: the one whose op comes next; at the end of the list the last. A
 * run of which nothing executed yet has no values to show: then the one before.
 *
 * Returns: number of the run that the position shows
 */
guint
flow_stepper_run_at (FlowStepper *self,
                     guint64      position)
{
  if (position >= self->position)
    {
      FlowListedRun *current = flow_run_list_get_current (self->list);
      FlowListedRun *last = flow_run_list_get_last (self->list);

      if (current != NULL && (current->start < self->position || last == NULL))
        return (guint) current->number;
      return last != NULL ? (guint) last->number : 0;
    }
  if (position > 0 && position < self->events->len
      && g_array_index (self->events, FlowEvent, (guint) position).run
           != g_array_index (self->events, FlowEvent, (guint) position - 1).run)
    {
      FlowListedRun *run = flow_run_list_get_run (self->list,
                                                  g_array_index (self->events, FlowEvent, (guint) position).run);

      if (run != NULL && run->start < position)
        return (guint) run->number;
      return g_array_index (self->events, FlowEvent, (guint) position - 1).run;
    }
  return position < self->events->len ? g_array_index (self->events, FlowEvent, (guint) position).run : 0;
}

/* Forgets what is indexed from @position on. */
void
_flow_stepper_unindex (FlowStepper *self,
                       guint64      position)
{
  GHashTableIter iter;
  gpointer value = NULL;

  if (self->n_indexed <= position)
    return;
  g_hash_table_iter_init (&iter, self->by_node);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GArray *positions = value;

      while (positions->len > 0 && g_array_index (positions, guint64, positions->len - 1) >= position)
        g_array_set_size (positions, positions->len - 1);
    }
  self->n_indexed = position;
}

/* Where a node was executed, up to what is known. Indexed when somebody asks: a step must not wait for it. */
static GArray *
positions_of (FlowStepper *self,
              guint32      node)
{
  for (; self->n_indexed < self->events->len; self->n_indexed++)
    {
      const FlowEvent *event = &g_array_index (self->events, FlowEvent, (guint) self->n_indexed);
      GArray *positions = NULL;

      /* An op that only calls has no outputs yet. */
      if (event->phase != FLOW_CALL_NONE && event->phase != FLOW_CALL_RETURN)
        continue;
      positions = g_hash_table_lookup (self->by_node, GUINT_TO_POINTER (event->node));
      if (positions == NULL)
        {
          positions = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (self->by_node, GUINT_TO_POINTER (event->node), positions);
        }
      g_array_append_val (positions, self->n_indexed);
    }
  return g_hash_table_lookup (self->by_node, GUINT_TO_POINTER (node));
}

/**
 * flow_stepper_list_events_of: (skip)
 * @self: a stepper
 * @node: a node
 *
 * Returns: (transfer none) (nullable): positions of its events, ascending, until the next step
 */
const GArray *
flow_stepper_list_events_of (FlowStepper *self,
                             guint32      node)
{
  return positions_of (self, node);
}

/**
 * flow_stepper_find_event: (skip)
 * @self: a stepper
 * @node: a node
 * @before: a position
 *
 * The last event of @node before a position; G_MAXUINT64 if there is none.
 *
 * Returns: its last event before that, %G_MAXUINT64
 */
guint64
flow_stepper_find_event (FlowStepper *self,
                         guint32      node,
                         guint64      before)
{
  GArray *positions = positions_of (self, node);
  guint low = 0;
  guint high = positions != NULL ? positions->len : 0;

  before = MIN (before, self->events->len);
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (positions, guint64, middle) < before)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (positions, guint64, low - 1) : G_MAXUINT64;
}

static FlowTensor *
live_variable (FlowStepper    *self,
               guint32         node,
               FlowValueState *state)
{
  g_autofree char *name = flow_session_get_variable_name (self->session, node);
  FlowTensor *value = flow_session_dup_variable (self->session, name);

  *state = value != NULL ? FLOW_VALUE_PRESENT : FLOW_VALUE_UNINITIALIZED;
  return value;
}

typedef struct {
  guint32 node;
  gint32 slot;
  FlowTensor *found;
} Wanted;

static void
find_wanted (guint32     node,
             gint32      slot,
             FlowTensor *tensor,
             gpointer    data)
{
  Wanted *wanted = data;

  if (node == wanted->node && slot == wanted->slot && tensor != NULL)
    wanted->found = tensor;
}

/* What nobody recorded is there for as long as an op waits to read it, as one that failed does. */
static FlowTensor *
dup_waited_for (FlowListedRun *run,
                guint32        node,
                gint32         slot)
{
  Wanted wanted = { node, slot, NULL };

  if (run == NULL || run->run == NULL)
    return NULL;
  flow_run_foreach_live (run->run, find_wanted, &wanted);
  return wanted.found != NULL ? flow_tensor_ref (wanted.found) : NULL;
}

/**
 * flow_stepper_dup_value: (skip)
 * @self: a stepper
 * @node: a node
 * @slot: one of its outputs
 * @position: a position, %G_MAXUINT64 for now
 * @state: (out): what there is
 *
 * Returns: (transfer full) (nullable): the value that the run at that position had given it
 */
FlowTensor *
flow_stepper_dup_value (FlowStepper    *self,
                        guint32         node,
                        gint32          slot,
                        guint64         position,
                        FlowValueState *state)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  guint64 at = position == G_MAXUINT64 ? self->position : position;
  guint run_number = flow_stepper_run_at (self, at);
  FlowListedRun *run = flow_run_list_get_run (self->list, run_number);
  FlowTensor *given = NULL;
  FlowTensor *waited_for = NULL;
  const FlowEvent *event = NULL;
  guint64 k = 0;

  *state = FLOW_VALUE_NOT_COMPUTED;
  /* What a person put in its place is what its readers get, fed or computed. */
  if (run != NULL && run->run != NULL)
    given = flow_run_get_override (run->run, node, slot);
  if (given == NULL && run != NULL && run->run != NULL)
    given = flow_run_get_feed (run->run, node, slot);
  if (given != NULL)
    {
      *state = FLOW_VALUE_PRESENT;
      return flow_tensor_ref (given);
    }
  if (slot < 0 || (guint) slot >= flow_graph_get_n_outputs (graph, node))
    return NULL;
  if (at >= self->position && flow_session_is_variable_node (self->session, node)
      && flow_dtype_is_ref (flow_graph_get_output_dtype (graph, node, 0)))
    return live_variable (self, node, state);
  k = flow_stepper_find_event (self, node, at);
  event = k != G_MAXUINT64 ? flow_stepper_get_event (self, k) : NULL;
  if (event == NULL || event->run != run_number)
    return NULL;
  if (event->dead)
    *state = FLOW_VALUE_DEAD;
  else if (event->outputs == NULL && at >= self->position && (waited_for = dup_waited_for (run, node, slot)) != NULL)
    {
      *state = FLOW_VALUE_PRESENT;
      return waited_for;
    }
  else if (event->outputs == NULL)
    *state = FLOW_VALUE_DROPPED;
  else if ((guint) slot >= event->n_outputs || event->outputs[slot] == NULL)
    *state = flow_dtype_is_ref (flow_graph_get_output_dtype (graph, node, (guint) slot)) ? FLOW_VALUE_UNINITIALIZED
                                                                                         : FLOW_VALUE_DEAD;
  else
    {
      *state = FLOW_VALUE_PRESENT;
      return flow_tensor_ref (event->outputs[slot]);
    }
  return NULL;
}

FlowTensorStats *
flow_stepper_dup_stats (FlowStepper      *self,
                        guint32           node,
                        gint32            slot,
                        const FlowTensor *value)
{
  guint64 k = flow_stepper_find_event (self, node, self->position);
  FlowEvent *event = k != G_MAXUINT64 ? &g_array_index (self->events, FlowEvent, (guint) k) : NULL;

  if (event == NULL || event->outputs == NULL || slot < 0 || (guint) slot >= event->n_outputs
      || event->outputs[slot] != value)
    return flow_tensor_stats_new (value, 0);
  if (event->stats == NULL)
    event->stats = g_new0 (FlowTensorStats *, event->n_outputs + 1);
  if (event->stats[slot] == NULL)
    event->stats[slot] = flow_tensor_stats_new (value, 0);
  return flow_tensor_stats_ref (event->stats[slot]);
}

FlowTensorStats *
flow_stepper_get_kept_stats (FlowStepper *self,
                             guint32      node,
                             gint32       slot,
                             guint64      position)
{
  guint64 at = position == G_MAXUINT64 ? self->position : position;
  guint64 k = flow_stepper_find_event (self, node, at);
  const FlowEvent *event = k != G_MAXUINT64 ? flow_stepper_get_event (self, k) : NULL;

  if (event == NULL || event->run != flow_stepper_run_at (self, at) || event->stats == NULL || slot < 0
      || (guint) slot >= event->n_outputs)
    return NULL;
  return event->stats[slot];
}

/* Whether an op that reads a variable's reference or handle writes through it. */
static gboolean
is_writer (FlowGraph *graph,
           guint32    node,
           gint32     input)
{
  if (flow_dtype_base (flow_graph_get_input_dtype (graph, node, (guint) input)) == FLOW_DTYPE_RESOURCE)
    return flow_graph_get_n_outputs (graph, node) == 0;
  return flow_node_input_is_ref (graph, node, (guint) input)
         && strcmp (flow_graph_get_node_type (graph, node), "IsVariableInitialized") != 0;
}

/* What was run at full speed left no log of its writes: there the ops that could have written stand for it. */
static guint32
find_unlogged_writer (FlowStepper *self,
                      const char  *variable,
                      guint64      before,
                      guint64      after,
                      guint64     *position)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  guint32 node = flow_session_find_variable_node (self->session, variable);
  guint32 found = FLOW_NODE_NONE;

  for (guint i = 0; node != FLOW_NODE_NONE && i < flow_graph_get_n_out_edges (graph, node); i++)
    {
      guint32 consumer = FLOW_NODE_NONE;
      gint32 slot = 0;
      gint32 input = 0;
      guint64 k = 0;
      const FlowEvent *event = NULL;

      flow_graph_get_out_edge (graph, node, i, &slot, &consumer, &input);
      if (slot < 0 || input < 0 || !is_writer (graph, consumer, input))
        continue;
      k = flow_stepper_find_event (self, consumer, before);
      event = k != G_MAXUINT64 ? flow_stepper_get_event (self, k) : NULL;
      if (event == NULL || event->is_exact || event->dead || (found != FLOW_NODE_NONE && k < *position)
          || (after != G_MAXUINT64 && k <= after))
        continue;
      found = consumer;
      *position = k;
    }
  return found;
}

/**
 * flow_stepper_find_writer: (skip)
 * @self: a stepper
 * @variable: a variable's name
 * @before: a position
 * @position: (out): where it was written
 *
 * Returns: the node that wrote it last before that, %FLOW_NODE_NONE
 */
guint32
flow_stepper_find_writer (FlowStepper *self,
                          const char  *variable,
                          guint64      before,
                          guint64     *position)
{
  GArray *writes = g_hash_table_lookup (self->writes, variable);
  guint32 logged = FLOW_NODE_NONE;
  guint64 logged_at = G_MAXUINT64;
  guint32 unlogged = FLOW_NODE_NONE;

  for (guint i = writes != NULL ? writes->len : 0; i > 0 && logged == FLOW_NODE_NONE; i--)
    {
      const Write *write = &g_array_index (writes, Write, i - 1);

      if (write->position < before && write->position < self->events->len)
        {
          logged_at = write->position;
          logged = write->node;
        }
    }
  unlogged = find_unlogged_writer (self, variable, before, logged_at, position);
  if (unlogged != FLOW_NODE_NONE)
    return unlogged;
  if (logged != FLOW_NODE_NONE)
    *position = logged_at;
  return logged;
}

/**
 * flow_stepper_event_writes: (skip)
 * @self: a stepper
 * @k: an event
 * @variable: a variable's name
 *
 * Returns: whether that op wrote it
 */
gboolean
flow_stepper_event_writes (FlowStepper *self,
                           guint64      k,
                           const char  *variable)
{
  guint64 at = 0;

  return flow_stepper_find_writer (self, variable, k + 1, &at) != FLOW_NODE_NONE && at == k;
}

/**
 * flow_stepper_dup_variable_at_run_start: (skip)
 * @self: a stepper
 * @name: a variable's name
 *
 * Returns: (transfer full) (nullable): its value when the run in view began
 */
FlowTensor *
flow_stepper_dup_variable_at_run_start (FlowStepper *self,
                                        const char  *name)
{
  FlowListedRun *run = flow_run_list_get_run (self->list, flow_stepper_run_at (self, self->position));

  for (guint i = self->snapshots->len; run != NULL && i > 0; i--)
    {
      const Snapshot *snapshot = &g_array_index (self->snapshots, Snapshot, i - 1);

      if (snapshot->run == run->number && snapshot->position <= self->position)
        return flow_session_snapshot_dup_variable (snapshot->state, name);
    }
  /* Before its first op a run has no snapshot yet: it starts from what is there now. */
  if (run == NULL || self->position == 0
      || g_array_index (self->events, FlowEvent, self->position - 1).run != run->number)
    return flow_session_dup_variable (self->session, name);
  return NULL;
}

static void
unref_tensor (gpointer tensor)
{
  if (tensor != NULL)
    flow_tensor_unref (tensor);
}

/* Where it is about to go back from may be the end of all that is known: no later run start has kept
 * what variables are there. */
void
_flow_stepper_note_ahead (FlowStepper *self)
{
  g_auto(GStrv) names = NULL;

  if (self->position != self->events->len)
    return;
  g_clear_pointer (&self->ahead, g_hash_table_unref);
  self->ahead = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_tensor);
  self->ahead_position = self->position;
  names = flow_session_list_variables (self->session);
  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_insert (self->ahead, g_strdup (names[i]), flow_session_dup_variable (self->session, names[i]));
}

static void
add_ahead (FlowStepper *self,
           const char  *name,
           GArray      *positions,
           GPtrArray   *tensors)
{
  FlowTensor *value = NULL;

  if (self->ahead == NULL || self->ahead_position <= self->position || self->ahead_position != self->events->len)
    return;
  if (positions->len > 0 && g_array_index (positions, guint64, positions->len - 1) >= self->ahead_position)
    return;
  value = g_hash_table_lookup (self->ahead, name);
  g_array_append_val (positions, self->ahead_position);
  g_ptr_array_add (tensors, value != NULL ? flow_tensor_ref (value) : NULL);
}

/* The values a variable had at the starts of @max_runs runs, has here, and is known to have at the starts
 * of runs and at the end of what was gone back from: positions and (transfer full) tensors, NULL where it
 * had none. */
void
flow_stepper_list_variable_values (FlowStepper *self,
                                   const char  *name,
                                   guint        max_runs,
                                   GArray      *positions,
                                   GPtrArray   *tensors)
{
  guint first = self->snapshots->len > max_runs ? self->snapshots->len - max_runs : 0;
  gboolean is_here = FALSE;

  for (guint i = first; i <= self->snapshots->len; i++)
    {
      const Snapshot *snapshot = i < self->snapshots->len ? &g_array_index (self->snapshots, Snapshot, i) : NULL;

      if (!is_here && (snapshot == NULL || snapshot->position >= self->position))
        {
          is_here = TRUE;
          g_array_append_val (positions, self->position);
          g_ptr_array_add (tensors, flow_session_dup_variable (self->session, name));
        }
      if (snapshot == NULL || snapshot->position == self->position)
        continue;
      g_array_append_val (positions, snapshot->position);
      g_ptr_array_add (tensors, flow_session_snapshot_dup_variable (snapshot->state, name));
    }
  add_ahead (self, name, positions, tensors);
}

/**
 * flow_stepper_add_breakpoint: (skip)
 * @self: a stepper
 * @text: a breakpoint's expression
 * @error: return location
 *
 * Returns: %FALSE with `FLOW_ERROR_INVALID_ARGUMENT`
 */
gboolean
flow_stepper_add_breakpoint (FlowStepper *self,
                             const char  *text,
                             GError     **error)
{
  FlowBreakpoint *breakpoint = _flow_breakpoint_parse (text, error);

  if (breakpoint == NULL)
    return FALSE;
  g_ptr_array_add (self->breakpoints, breakpoint);
  return TRUE;
}

/**
 * flow_stepper_check_breakpoints: (skip)
 * @self: a stepper
 *
 * Returns: (transfer none) (nullable): the breakpoint that stops here
 */
const char *
flow_stepper_check_breakpoints (FlowStepper *self)
{
  FlowListedRun *run = flow_run_list_get_current (self->list);
  guint32 next = FLOW_NODE_NONE;
  const char *found = NULL;

  if (run != NULL && run->run != NULL && !run->ended)
    flow_run_peek_next (run->run, &next, NULL, NULL, NULL);
  for (guint i = 0; i < self->breakpoints->len; i++)
    {
      FlowBreakpoint *breakpoint = g_ptr_array_index (self->breakpoints, i);

      if (!(self->position > 0 && _flow_breakpoint_is_after (breakpoint, self, self->position - 1, NULL))
          && !(next != FLOW_NODE_NONE && _flow_breakpoint_is_before (breakpoint, self, next)))
        continue;
      if (_flow_breakpoint_hit (breakpoint) && breakpoint->log == NULL && found == NULL)
        found = breakpoint->text;
    }
  return found;
}
