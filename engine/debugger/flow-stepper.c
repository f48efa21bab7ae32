/* flow-stepper.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-stepper-private.h"

#include <string.h>

/* When the history is over its budget it is cut down to this part of it, so that cutting is rare. */
#define KEEP_OF_LIMIT 0.75
/* More snapshots of run starts cost references to every variable; older ones are thinned out. */
#define MAX_SNAPSHOTS 24
#define DEFAULT_LIMIT_SHARE 4
/* Room from the start for a training step: pages nobody has written to cost nothing. */
#define FIRST_EVENTS 8192

static void
event_clear (FlowStepper *self,
             FlowEvent   *event)
{
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    {
      FlowTensor *tensor = event->outputs[i];
      guint n = 0;

      if (tensor == NULL)
        continue;
      n = GPOINTER_TO_UINT (g_hash_table_lookup (self->buffers, tensor->data));
      if (n <= 1)
        {
          g_hash_table_remove (self->buffers, tensor->data);
          self->output_bytes -= MIN (self->output_bytes, tensor->n_bytes);
        }
      else
        g_hash_table_insert (self->buffers, tensor->data, GUINT_TO_POINTER (n - 1));
      flow_tensor_unref (tensor);
    }
  g_clear_pointer (&event->outputs, g_free);
}

static void
event_forget (FlowStepper *self,
              FlowEvent   *event)
{
  event_clear (self, event);
  for (guint i = 0; event->stats != NULL && i < event->n_outputs; i++)
    g_clear_pointer (&event->stats[i], flow_tensor_stats_unref);
  g_clear_pointer (&event->stats, g_free);
}

/* What was executed last is kept whole until the next op: its breakpoints look at it. */
static void
apply_policy (FlowStepper *self)
{
  FlowEvent *event = NULL;
  FlowKeepPolicy policy = FLOW_KEEP_ALL;

  if (g_hash_table_size (self->policies) == 0 || self->position == 0 || self->position > self->events->len)
    return;
  event = &g_array_index (self->events, FlowEvent, (guint) self->position - 1);
  if (event->outputs == NULL)
    return;
  policy = flow_stepper_get_policy (self, event->node);
  if (policy == FLOW_KEEP_ALL)
    return;
  if (policy == FLOW_KEEP_STATS && event->stats == NULL)
    {
      event->stats = g_new0 (FlowTensorStats *, event->n_outputs + 1);
      for (guint i = 0; i < event->n_outputs; i++)
        if (event->outputs[i] != NULL)
          event->stats[i] = flow_tensor_stats_new (event->outputs[i], 0);
    }
  event_clear (self, event);
}

static void
event_keep (FlowStepper *self,
            FlowEvent   *event,
            guint        i,
            FlowTensor  *tensor)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->buffers, tensor->data));

  event->outputs[i] = flow_tensor_ref (tensor);
  event->bytes += tensor->n_bytes;
  if (n == 0)
    self->output_bytes += tensor->n_bytes;
  g_hash_table_insert (self->buffers, tensor->data, GUINT_TO_POINTER (n + 1));
}

static void
snapshot_clear (gpointer data)
{
  flow_session_snapshot_free (((Snapshot *) data)->state);
}

static void
edit_clear (gpointer data)
{
  Edit *edit = data;

  g_free (edit->name);
  flow_tensor_unref (edit->value);
}

typedef struct {
  guint32 node;
  guint n_outputs;
  FlowTensor **outputs;
} Recalled;

static void
recalled_free (gpointer data)
{
  Recalled *recalled = data;

  for (guint i = 0; i < recalled->n_outputs; i++)
    g_clear_pointer (&recalled->outputs[i], flow_tensor_unref);
  g_free (recalled->outputs);
  g_free (recalled);
}

/* An op with an effect outside was executed at this position before: its outputs, not its effect. Likewise one that
 * keeps what it made. */
static gboolean
recall_cb (FlowRun   *run,
           guint32    node,
           guint      n_outputs,
           FlowValue *outputs,
           gpointer   data)
{
  FlowStepper *self = data;
  Recalled *recalled = g_hash_table_lookup (self->outside, &self->position);

  if (recalled == NULL || recalled->node != node || recalled->n_outputs != n_outputs)
    return self->held != NULL && _flow_stepper_recall_held (self, node, n_outputs, outputs);
  for (guint i = 0; i < n_outputs; i++)
    if (recalled->outputs[i] != NULL)
      outputs[i].tensor = flow_tensor_ref (recalled->outputs[i]);
  return TRUE;
}

static void
free_positions (gpointer data)
{
  g_array_unref (data);
}

/**
 * flow_stepper_new: (skip)
 * @session: a session; its undo log belongs to the stepper from now on
 * @file: the runs
 *
 * Returns: (transfer full): a stepper at position 0
 */
FlowStepper *
flow_stepper_new (FlowSession       *session,
                  const FlowRunFile *file)
{
  FlowStepper *self = g_new0 (FlowStepper, 1);

  self->session = g_object_ref (session);
  self->list = flow_run_list_new (session, file);
  self->undo = flow_undo_new ();
  self->events = g_array_sized_new (FALSE, FALSE, sizeof (FlowEvent), FIRST_EVENTS);
  self->snapshots = g_array_new (FALSE, FALSE, sizeof (Snapshot));
  g_array_set_clear_func (self->snapshots, snapshot_clear);
  self->edits = g_array_new (FALSE, FALSE, sizeof (Edit));
  g_array_set_clear_func (self->edits, edit_clear);
  self->jumps = g_array_new (FALSE, FALSE, sizeof (Jump));
  self->by_node = g_hash_table_new_full (NULL, NULL, NULL, free_positions);
  self->writes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_positions);
  self->outside = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, recalled_free);
  self->buffers = g_hash_table_new (NULL, NULL);
  self->breakpoints = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_breakpoint_free);
  self->policies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->node_policies = g_array_new (FALSE, TRUE, 1);
  self->limit = flow_budget_parse_size (g_getenv ("FLOWSTEP_HISTORY"));
  if (self->limit == 0)
    self->limit = flow_budget_get_limit (flow_session_get_budget (session)) / DEFAULT_LIMIT_SHARE;
  flow_run_list_set_recall (self->list, recall_cb, self);
  flow_run_list_set_timing (self->list, TRUE);
  flow_stepper_set_recording (self, TRUE);
  return self;
}

/**
 * flow_stepper_free: (skip)
 * @self: (transfer full) (nullable): a stepper
 */
void
flow_stepper_free (FlowStepper *self)
{
  if (self == NULL)
    return;
  _flow_stepper_let_go (self);
  flow_session_set_undo (self->session, NULL);
  /* The log may point into what runs hold. */
  flow_undo_free (self->undo);
  for (guint i = 0; i < self->events->len; i++)
    event_forget (self, &g_array_index (self->events, FlowEvent, i));
  flow_run_list_free (self->list);
  g_array_unref (self->events);
  g_array_unref (self->snapshots);
  g_array_unref (self->edits);
  g_array_unref (self->jumps);
  g_hash_table_unref (self->by_node);
  g_hash_table_unref (self->writes);
  g_hash_table_unref (self->outside);
  g_hash_table_unref (self->buffers);
  g_ptr_array_unref (self->breakpoints);
  g_hash_table_unref (self->policies);
  g_clear_pointer (&self->ahead, g_hash_table_unref);
  g_array_unref (self->node_policies);
  g_object_unref (self->session);
  g_free (self);
}

/**
 * flow_stepper_get_list: (skip)
 * @self: a stepper
 *
 * Returns: (transfer none): its runs
 */
FlowRunList *
flow_stepper_get_list (FlowStepper *self)
{
  return self->list;
}

/**
 * flow_stepper_get_session: (skip)
 * @self: a stepper
 *
 * Returns: (transfer none): its session
 */
FlowSession *
flow_stepper_get_session (FlowStepper *self)
{
  return self->session;
}

/**
 * flow_stepper_set_poll: (skip)
 * @self: a stepper
 * @poll: (nullable): asked between ops while it goes to a position
 * @data: given to @poll
 */
void
flow_stepper_set_poll (FlowStepper     *self,
                       FlowStepperPoll  poll,
                       gpointer         data)
{
  self->poll = poll;
  self->poll_data = data;
}

static gboolean
polled (FlowStepper *self)
{
  return self->poll != NULL && self->poll (self->poll_data);
}

/* --- budget ----------------------------------------------------------------------------------- */

/**
 * flow_stepper_get_bytes: (skip)
 * @self: a stepper
 *
 * Returns: what the history takes
 */
guint64
flow_stepper_get_bytes (FlowStepper *self)
{
  return self->output_bytes + self->events->len * sizeof (FlowEvent) + flow_undo_get_bytes (self->undo);
}

/**
 * flow_stepper_get_limit: (skip)
 * @self: a stepper
 *
 * Returns: what the history may take
 */
guint64
flow_stepper_get_limit (FlowStepper *self)
{
  return self->limit;
}

/* Makes everything before @position recomputable only. */
static void
drop_before (FlowStepper *self,
             guint64      position)
{
  for (guint64 k = self->exact_from; k < position && k < self->events->len; k++)
    {
      event_clear (self, &g_array_index (self->events, FlowEvent, (guint) k));
      g_array_index (self->events, FlowEvent, (guint) k).is_exact = FALSE;
    }
  self->exact_from = MAX (self->exact_from, position);
  if (position < self->events->len && g_array_index (self->events, FlowEvent, (guint) position).is_exact
      && position < self->position)
    flow_undo_discard_before (self->undo, g_array_index (self->events, FlowEvent, (guint) position).mark);
  else
    flow_undo_discard_before (self->undo, flow_undo_mark (self->undo));
  if (self->exact_from < self->events->len)
    flow_run_list_release_before (self->list, g_array_index (self->events, FlowEvent, (guint) self->exact_from).run);
}

static void
keep_to_limit (FlowStepper *self)
{
  guint64 aim = (guint64) ((double) self->limit * KEEP_OF_LIMIT);

  if (flow_stepper_get_bytes (self) <= self->limit)
    return;
  /* What was undone is known to come again: its values go first. */
  for (guint64 k = self->events->len; k > self->position && flow_stepper_get_bytes (self) > aim; k--)
    event_clear (self, &g_array_index (self->events, FlowEvent, (guint) k - 1));
  while (self->exact_from < self->position && flow_stepper_get_bytes (self) > aim)
    drop_before (self, MIN (self->exact_from + 16, self->position));
}

/**
 * flow_stepper_set_limit: (skip)
 * @self: a stepper
 * @bytes: what the history may take; older stretches are then recomputed
 */
void
flow_stepper_set_limit (FlowStepper *self,
                        guint64      bytes)
{
  self->limit = bytes;
  keep_to_limit (self);
}

/**
 * flow_stepper_set_policy: (skip)
 * @self: a stepper
 * @scope: a name scope, "" for all
 * @policy: what is kept of what its ops make; inner scopes may say otherwise
 *
 * Holds for what is executed from now on. Stepping back stays exact: only looking is lost.
 */
void
flow_stepper_set_policy (FlowStepper    *self,
                         const char     *scope,
                         FlowKeepPolicy  policy)
{
  g_hash_table_insert (self->policies, g_strdup (scope), GUINT_TO_POINTER (policy));
  g_array_set_size (self->node_policies, 0);
}

/**
 * flow_stepper_get_policy: (skip)
 * @self: a stepper
 * @node: a node
 *
 * Returns: what is kept of what it makes: as its innermost scope says that says anything
 */
FlowKeepPolicy
flow_stepper_get_policy (FlowStepper *self,
                         guint32      node)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  gpointer found = NULL;
  g_autofree char *path = NULL;

  if (g_hash_table_size (self->policies) == 0)
    return FLOW_KEEP_ALL;
  if (node < self->node_policies->len && g_array_index (self->node_policies, guint8, node) > 0)
    return g_array_index (self->node_policies, guint8, node) - 1;
  path = g_strdup (flow_graph_get_node_name (graph, node));
  while (!g_hash_table_lookup_extended (self->policies, path, NULL, &found) && *path != '\0')
    {
      char *slash = strrchr (path, '/');

      *(slash != NULL ? slash : path) = '\0';
    }
  if (node >= self->node_policies->len)
    g_array_set_size (self->node_policies, flow_graph_get_n_nodes (graph));
  g_array_index (self->node_policies, guint8, node) = (guint8) (GPOINTER_TO_UINT (found) + 1);
  return GPOINTER_TO_UINT (found);
}

/**
 * flow_stepper_set_recording: (skip)
 * @self: a stepper
 * @recording: whether what comes can be undone; without, ops run at full speed
 */
void
flow_stepper_set_recording (FlowStepper *self,
                            gboolean     recording)
{
  if (recording && !self->recording)
    self->exact_from = MAX (self->exact_from, self->position);
  self->recording = recording;
  flow_session_set_undo (self->session, recording ? self->undo : NULL);
  if (!recording)
    drop_before (self, self->position);
}

/* --- what is known of other positions ----------------------------------------------------------- */

/**
 * flow_stepper_fork: (skip)
 * @self: a stepper
 *
 * Forgets what was known beyond this position: what comes now is another story.
 */
void
flow_stepper_fork (FlowStepper *self)
{
  GHashTableIter iter;
  gpointer key = NULL;

  _flow_stepper_unindex (self, self->position);
  for (guint64 k = self->position; k < self->events->len; k++)
    event_forget (self, &g_array_index (self->events, FlowEvent, (guint) k));
  if (self->events->len > self->position)
    g_array_set_size (self->events, (guint) self->position);
  g_clear_pointer (&self->ahead, g_hash_table_unref);
  g_hash_table_iter_init (&iter, self->outside);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (*(guint64 *) key >= self->position)
      g_hash_table_iter_remove (&iter);
  while (self->edits->len > 0 && g_array_index (self->edits, Edit, self->edits->len - 1).position > self->position)
    g_array_set_size (self->edits, self->edits->len - 1);
  while (self->jumps->len > 0 && g_array_index (self->jumps, Jump, self->jumps->len - 1).position > self->position)
    g_array_set_size (self->jumps, self->jumps->len - 1);
  while (self->snapshots->len > 0
         && g_array_index (self->snapshots, Snapshot, self->snapshots->len - 1).position > self->position)
    g_array_set_size (self->snapshots, self->snapshots->len - 1);
}

static void
thin_snapshots (FlowStepper *self)
{
  if (self->snapshots->len < MAX_SNAPSHOTS)
    return;
  for (guint i = self->snapshots->len - 2; i > 1; i -= 2)
    {
      g_array_remove_index (self->snapshots, i);
      if (i < 3)
        break;
    }
}

/* At the start of a run that is the only one alive the session alone is the state. */
static void
take_snapshot (FlowStepper *self)
{
  FlowListedRun *run = flow_run_list_get_current (self->list);
  Snapshot snapshot = { self->position, 0, NULL };
  guint i = self->snapshots->len;

  if (run == NULL || run->ended || run->start != self->position || !flow_run_list_is_alone (self->list))
    return;
  /* Those of positions ahead still hold: what was known beyond is forgotten by a fork alone. */
  while (i > 0 && g_array_index (self->snapshots, Snapshot, i - 1).position > self->position)
    i--;
  if (i > 0 && g_array_index (self->snapshots, Snapshot, i - 1).position == self->position)
    g_array_remove_index (self->snapshots, --i);
  snapshot.run = run->number;
  snapshot.state = flow_session_take_snapshot (self->session);
  g_array_insert_val (self->snapshots, i, snapshot);
  thin_snapshots (self);
}

static void
note_write (FlowResource *resource,
            gconstpointer saved,
            gpointer      data)
{
  FlowStepper *self = data;
  GArray *writes = NULL;
  Write write = { self->position, g_array_index (self->events, FlowEvent, (guint) self->position).node };

  if (resource->klass != &flow_variable_class)
    return;
  writes = g_hash_table_lookup (self->writes, resource->name);
  if (writes == NULL)
    {
      writes = g_array_new (FALSE, FALSE, sizeof (Write));
      g_hash_table_insert (self->writes, g_strdup (resource->name), writes);
    }
  while (writes->len > 0 && g_array_index (writes, Write, writes->len - 1).position >= self->position)
    g_array_set_size (writes, writes->len - 1);
  g_array_append_val (writes, write);
}

static void
keep_outside (FlowStepper     *self,
              const FlowEvent *event)
{
  Recalled *recalled = NULL;

  if (event->dead
      || (flow_graph_get_node_flags (flow_session_get_graph (self->session), event->node) & FLOW_OP_OUTSIDE_EFFECT) == 0)
    return;
  recalled = g_new0 (Recalled, 1);
  recalled->node = event->node;
  recalled->n_outputs = event->n_outputs;
  recalled->outputs = g_new0 (FlowTensor *, event->n_outputs + 1);
  for (guint i = 0; event->outputs != NULL && i < event->n_outputs; i++)
    if (event->outputs[i] != NULL)
      recalled->outputs[i] = flow_tensor_ref (event->outputs[i]);
  g_hash_table_insert (self->outside, g_memdup2 (&self->position, sizeof self->position), recalled);
}

static void
record (FlowStepper *self,
        guint64      mark)
{
  FlowListedRun *run = flow_run_list_get_last (self->list);
  const FlowRunStep *step = flow_run_get_last (run->run);
  FlowEvent event = {
    .node = step->node,
    .run = (guint32) run->number,
    .iteration = (guint32) step->iteration,
    .dead = step->dead ? 1 : 0,
    .is_exact = self->recording ? 1 : 0,
    .phase = (guint32) step->phase & 3,
    .us = (guint32) MIN (step->ns / 1000, (1 << 28) - 1),
    .frame = step->frame,
    .mark = mark,
    .n_outputs = step->n_outputs,
  };
  gboolean is_outside = (flow_graph_get_node_flags (flow_session_get_graph (self->session), step->node)
                         & FLOW_OP_OUTSIDE_EFFECT) != 0;

  if (self->held != NULL)
    _flow_stepper_check_held (self, &event);
  if (self->recording || is_outside)
    event.outputs = g_new0 (FlowTensor *, step->n_outputs + 1);
  for (guint i = 0; event.outputs != NULL && i < step->n_outputs; i++)
    {
      const FlowValue *value = &step->outputs[i];
      FlowTensor *tensor = value->tensor != NULL ? value->tensor : value->ref != NULL ? value->ref->value : NULL;

      if (tensor != NULL)
        event_keep (self, &event, i, tensor);
    }
  if (self->position < self->events->len)
    {
      FlowEvent *known = &g_array_index (self->events, FlowEvent, (guint) self->position);

      if (known->node != event.node || known->phase != event.phase)
        _flow_stepper_unindex (self, self->position);
      event_forget (self, known);
      *known = event;
    }
  else
    g_array_append_val (self->events, event);
  if (is_outside)
    keep_outside (self, &event);
  flow_undo_foreach_resource (self->undo, mark, flow_undo_mark (self->undo), note_write, self);
}

/* --- moving ------------------------------------------------------------------------------------- */

static void
apply_edits (FlowStepper *self)
{
  for (guint i = 0; i < self->edits->len; i++)
    {
      Edit *edit = &g_array_index (self->edits, Edit, i);

      if (edit->position == self->position)
        flow_session_set_variable (self->session, edit->name, edit->value, NULL);
    }
}

/**
 * flow_stepper_start: (skip)
 * @self: a stepper
 * @error: return location
 *
 * Returns: %FLOW_STEP_DONE when the first op is known
 */
FlowStepResult
flow_stepper_start (FlowStepper *self,
                    GError     **error)
{
  FlowStepResult result = flow_run_list_start (self->list, error);

  if (self->position == 0)
    {
      flow_undo_discard_before (self->undo, flow_undo_mark (self->undo));
      take_snapshot (self);
    }
  return result;
}

static int
find_jump (FlowStepper *self)
{
  for (guint i = 0; i < self->jumps->len; i++)
    if (g_array_index (self->jumps, Jump, i).position == self->position)
      return (int) g_array_index (self->jumps, Jump, i).entry;
  return -1;
}

/**
 * flow_stepper_step: (skip)
 * @self: a stepper
 * @error: return location
 *
 * One op forwards, recorded. Where the past is known it is computed again.
 *
 * Returns: as flow_run_list_step()
 */
FlowStepResult
flow_stepper_step (FlowStepper *self,
                   GError     **error)
{
  guint64 mark = flow_undo_mark (self->undo);
  FlowStepResult result = flow_run_list_step (self->list, error);
  gboolean is_known = self->position < self->events->len;

  if (result != FLOW_STEP_DONE)
    return result;
  apply_policy (self);
  record (self, mark);
  self->position++;
  if (is_known)
    {
      int jump = find_jump (self);

      apply_edits (self);
      if (jump >= 0)
        flow_run_list_begin_entry (self->list, (guint) jump, NULL);
    }
  take_snapshot (self);
  keep_to_limit (self);
  return result;
}

/**
 * flow_stepper_begin_entry: (skip)
 * @self: a stepper
 * @entry: index of an entry
 * @error: return location
 *
 * Begins it here, on what the session holds now.
 *
 * Returns: %FLOW_STEP_DONE when its first op is known
 */
FlowStepResult
flow_stepper_begin_entry (FlowStepper *self,
                          guint        entry,
                          GError     **error)
{
  Jump jump = { self->position, entry };
  FlowStepResult result = FLOW_STEP_DONE;

  flow_stepper_fork (self);
  if (self->position > 0 || self->events->len > 0)
    g_array_append_val (self->jumps, jump);
  result = flow_run_list_begin_entry (self->list, entry, error);
  if (self->position == 0)
    {
      g_array_set_size (self->snapshots, 0);
      flow_undo_discard_before (self->undo, flow_undo_mark (self->undo));
    }
  take_snapshot (self);
  return result;
}

/**
 * flow_stepper_begin_again: (skip)
 * @self: a stepper that stands at the start of a run
 * @error: return location
 *
 * Begins the run again if its entry was changed since, or if it has ended there. What was known beyond
 * is forgotten.
 *
 * Returns: whether it stands before its first op
 */
gboolean
flow_stepper_begin_again (FlowStepper *self,
                          GError     **error)
{
  FlowListedRun *run = flow_run_list_get_run (self->list, flow_run_list_get_n_runs (self->list) - 1);
  FlowRunEntry *entry = run != NULL ? flow_run_list_get_entry (self->list, run->entry) : NULL;
  g_autofree char *before = run != NULL ? flow_run_entry_to_json (run->def) : NULL;
  g_autofree char *now = entry != NULL ? flow_run_entry_to_json (entry) : NULL;

  if (run == NULL || run->start != self->position || entry == NULL)
    return TRUE;
  if (!run->ended && strcmp (before, now) == 0)
    return TRUE;
  flow_stepper_fork (self);
  return flow_run_list_begin_again (self->list, error) != FLOW_STEP_FAILED;
}

/* Back to the last run start before @position of which the session's state was kept. */
static gboolean
return_to_snapshot (FlowStepper *self,
                    guint64      position,
                    GError     **error)
{
  const Snapshot *found = NULL;

  for (guint i = 0; i < self->snapshots->len; i++)
    if (g_array_index (self->snapshots, Snapshot, i).position <= position)
      found = &g_array_index (self->snapshots, Snapshot, i);
  FLOW_REQUIRE (found != NULL, error, FAILED_PRECONDITION,
                "position %" G_GUINT64_FORMAT " is no longer in the history and cannot be computed again", position);
  flow_session_set_undo (self->session, NULL);
  flow_undo_discard_before (self->undo, flow_undo_mark (self->undo));
  flow_run_list_rewind (self->list, found->run);
  flow_session_restore_snapshot (self->session, found->state);
  self->position = found->position;
  self->exact_from = found->position;
  for (guint64 k = 0; k < self->events->len; k++)
    g_array_index (self->events, FlowEvent, (guint) k).is_exact = FALSE;
  flow_session_set_undo (self->session, self->recording ? self->undo : NULL);
  flow_run_list_start (self->list, NULL);
  return TRUE;
}

/**
 * flow_stepper_back: (skip)
 * @self: a stepper
 * @error: return location
 *
 * One op backwards: undone where the log reaches, else computed again from the last run start.
 *
 * Returns: %FALSE at position 0, or with an error
 */
gboolean
flow_stepper_back (FlowStepper *self,
                   GError     **error)
{
  if (self->position == 0)
    return FALSE;
  return flow_stepper_goto (self, self->position - 1, error);
}

static gboolean
can_undo_to (FlowStepper *self,
             guint64      position)
{
  return position >= self->exact_from && position < self->events->len
         && g_array_index (self->events, FlowEvent, (guint) position).is_exact
         && g_array_index (self->events, FlowEvent, (guint) position).mark >= flow_undo_get_first (self->undo);
}

/**
 * flow_stepper_goto: (skip)
 * @self: a stepper
 * @position: where to
 * @error: return location
 *
 * Goes there, backwards by undoing, forwards by computing; what the list has not reached yet is run.
 *
 * Returns: whether it is there; %FALSE without an error when the list ends or waits before, or when
 *   the poll function said stop
 */
gboolean
flow_stepper_goto (FlowStepper *self,
                   guint64      position,
                   GError     **error)
{
  if (position < self->position)
    {
      _flow_stepper_note_ahead (self);
      if (can_undo_to (self, position))
        {
          flow_undo_rollback (self->undo, g_array_index (self->events, FlowEvent, (guint) position).mark);
          flow_run_list_rolled_back (self->list);
          self->position = position;
          return TRUE;
        }
      if (!return_to_snapshot (self, position, error))
        return FALSE;
    }
  while (self->position < position)
    {
      if (polled (self))
        return FALSE;
      if (flow_stepper_step (self, error) != FLOW_STEP_DONE)
        return FALSE;
    }
  return TRUE;
}

/**
 * flow_stepper_set_variable: (skip)
 * @self: a stepper
 * @name: a variable
 * @value: its new value
 * @error: return location
 *
 * Sets it here and whenever this position is passed again; what was known beyond is forgotten.
 *
 * Returns: whether it was set
 */
gboolean
flow_stepper_set_variable (FlowStepper *self,
                           const char  *name,
                           FlowTensor  *value,
                           GError     **error)
{
  Edit edit = { self->position, NULL, NULL };

  if (!flow_session_set_variable (self->session, name, value, error))
    return FALSE;
  flow_stepper_fork (self);
  edit.name = g_strdup (name);
  edit.value = flow_tensor_ref (value);
  g_array_append_val (self->edits, edit);
  take_snapshot (self);
  return TRUE;
}
