/* flow-run-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-list-private.h"

#include "flow-parallel.h"

#include <string.h>

static void
listed_run_free (gpointer data)
{
  FlowListedRun *self = data;

  g_clear_pointer (&self->run, flow_run_unref);
  g_clear_pointer (&self->def, flow_run_entry_free);
  g_clear_error (&self->error);
  for (guint i = 0; self->fetched != NULL && i < self->n_fetched; i++)
    g_clear_pointer (&self->fetched[i], flow_tensor_unref);
  g_free (self->fetched);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self);
}

void
_flow_list_override_clear (gpointer data)
{
  g_clear_pointer (&((FlowListOverride *) data)->tensor, flow_tensor_unref);
}

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

/**
 * flow_run_list_new: (skip)
 * @session: a session
 * @file: its runs; copied
 *
 * Returns: (transfer full): the list, before its first run
 */
FlowRunList *
flow_run_list_new (FlowSession       *session,
                   const FlowRunFile *file)
{
  FlowRunList *self = g_new0 (FlowRunList, 1);

  self->session = g_object_ref (session);
  self->file = flow_run_file_copy (file);
  self->feeder = flow_feeder_new (file->folder, flow_session_get_budget (session));
  self->runs = g_ptr_array_new_with_free_func (listed_run_free);
  self->fed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_tensor);
  self->overrides = g_array_new (FALSE, FALSE, sizeof (FlowListOverride));
  g_array_set_clear_func (self->overrides, _flow_list_override_clear);
  self->current = G_MAXUINT64;
  self->last = G_MAXUINT64;
  self->n_flowing = file->entries->len;
  self->asked_entry = G_MAXUINT32;
  if (file->has_seed)
    flow_session_set_seed (session, file->seed);
  if (!file->soft_placement)
    flow_session_set_placement (session, FLOW_PLACEMENT_STRICT, 1);
  if (file->threads > 0)
    flow_parallel_set_n_threads (file->threads);
  return self;
}

/**
 * flow_run_list_free: (skip)
 * @self: (transfer full) (nullable): a list
 */
void
flow_run_list_free (FlowRunList *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->runs);
  g_hash_table_unref (self->fed);
  g_clear_pointer (&self->given, g_hash_table_unref);
  g_array_unref (self->overrides);
  flow_feeder_unref (self->feeder);
  flow_run_file_free (self->file);
  g_clear_object (&self->cancellable);
  g_object_unref (self->session);
  g_free (self);
}

static FlowUndo *
undo_of (FlowRunList *self)
{
  return flow_session_get_undo (self->session);
}

static FlowRunEntry *
entry_of (FlowRunList   *self,
          FlowListedRun *run)
{
  return run->def;
}

/* --- beginning and ending ----------------------------------------------------------------------- */

static void
undo_begin (gpointer owner,
            gpointer data)
{
  FlowRunList *self = owner;

  g_ptr_array_set_size (self->runs, (int) self->runs->len - 1);
}

static void
undo_end (gpointer owner,
          gpointer data)
{
  FlowRunList *self = owner;
  FlowListedRun *run = _flow_list_run_at (self, *(guint64 *) data);

  /* By number: a run that began again is another one. */
  if (run == NULL)
    return;
  run->ended = FALSE;
  g_clear_error (&run->error);
  for (guint i = 0; run->fetched != NULL && i < run->n_fetched; i++)
    g_clear_pointer (&run->fetched[i], flow_tensor_unref);
  g_clear_pointer (&run->fetched, g_free);
}

static FlowTensor *
feed_value (FlowRunList   *self,
            FlowListedRun *run,
            guint          k,
            GError       **error)
{
  FlowRunEntry *entry = entry_of (self, run);
  g_autofree char *key = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", run->number, entry->feed_names[k]);
  FlowTensor *value = g_hash_table_lookup (self->fed, key);
  FlowGraph *graph = flow_session_get_graph (self->session);
  FlowEndpoint endpoint = { 0 };
  char *warning = NULL;

  if (value == NULL)
    {
      int dtype = 0;

      if (!flow_graph_parse_endpoint (graph, entry->feed_names[k], &endpoint, error))
        return NULL;
      dtype = flow_dtype_base (flow_graph_get_output_dtype (graph, endpoint.node, (guint) endpoint.slot));
      if (strcmp (entry->feeds[k], FLOW_FEED_GIVEN) == 0 && self->given != NULL)
        value = g_hash_table_lookup (self->given, entry->feed_names[k]);
      if (value != NULL)
        flow_tensor_ref (value);
      else
        value = flow_feeder_make (self->feeder, entry->feed_names[k], dtype, entry->feeds[k], run->i, error);
      if (value == NULL)
        return NULL;
      g_hash_table_insert (self->fed, g_steal_pointer (&key), value);
    }
  warning = flow_feed_shape_warning (graph, entry->feed_names[k], value);
  if (warning != NULL)
    g_ptr_array_add (run->warnings, warning);
  return flow_tensor_ref (value);
}

/* Which of the entry's feeds stands at a place in the plan's order. */
static int
find_feed (FlowRunList  *self,
           FlowRunEntry *entry,
           FlowEndpoint  wanted)
{
  FlowGraph *graph = flow_session_get_graph (self->session);

  for (guint k = 0; entry->feed_names[k] != NULL; k++)
    {
      FlowEndpoint endpoint = { 0 };

      if (flow_graph_parse_endpoint (graph, entry->feed_names[k], &endpoint, NULL)
          && endpoint.node == wanted.node && endpoint.slot == wanted.slot)
        return (int) k;
    }
  return -1;
}

static FlowRun *
make_run (FlowRunList   *self,
          FlowListedRun *run,
          FlowPlan      *plan,
          GError       **error)
{
  FlowRunEntry *entry = entry_of (self, run);
  const FlowPruneEnds *ends = flow_prune_get_ends (flow_plan_get_prune (plan));
  g_autoptr(GPtrArray) feeds = g_ptr_array_new_with_free_func (unref_tensor);

  for (guint k = 0; k < ends->n_feeds; k++)
    {
      int which = find_feed (self, entry, ends->feeds[k]);
      FlowTensor *value = which >= 0 ? feed_value (self, run, (guint) which, error) : NULL;

      if (value == NULL)
        return NULL;
      g_ptr_array_add (feeds, value);
    }
  return flow_run_new (self->session, plan, (FlowTensor *const *) feeds->pdata, error);
}

/* As Session.run: what is fetched and fed at once is not asked of the engine. */
static char **
list_fetches (FlowRunEntry *entry)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  char **fetches = NULL;

  for (guint k = 0; entry->fetches[k] != NULL; k++)
    if (!g_strv_contains ((const char *const *) entry->feed_names, entry->fetches[k]))
      g_strv_builder_add (builder, entry->fetches[k]);
  fetches = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return fetches;
}

static gboolean
begin_entry (FlowRunList   *self,
             FlowListedRun *run,
             GError       **error)
{
  FlowRunEntry *entry = entry_of (self, run);
  g_autoptr(FlowPlan) plan = NULL;
  g_auto(GStrv) fetches = list_fetches (entry);

  if (entry->restore != NULL)
    {
      g_autofree char *prefix = flow_run_file_resolve (self->file, entry->restore);

      return flow_session_restore_checkpoint (self->session, prefix, (const char *const *) entry->map_new,
                                              (const char *const *) entry->map_old,
                                              (const char *const *) entry->only, NULL, error);
    }
  plan = flow_session_get_plan (self->session, (const char *const *) entry->feed_names,
                                (const char *const *) fetches, (const char *const *) entry->targets, &run->plan_hits, error);
  if (plan == NULL)
    return FALSE;
  run->run = make_run (self, run, plan, error);
  if (run->run == NULL)
    return FALSE;
  flow_run_set_cancellable (run->run, self->cancellable);
  flow_run_set_timing (run->run, self->timing);
  flow_run_set_recall (run->run, self->recall, self->recall_data);
  flow_run_set_recall_all (run->run, self->recalls_all);
  for (guint k = 0; k < self->overrides->len; k++)
    {
      FlowListOverride *o = &g_array_index (self->overrides, FlowListOverride, k);

      flow_run_override (run->run, o->node, o->slot, o->tensor, NULL);
    }
  /* An op that overrides stand in for needs no kernel. */
  return !self->eager_kernels || flow_run_prepare_kernels (run->run, error);
}

/* Takes @error. */
static void
end_run (FlowRunList   *self,
         FlowListedRun *run,
         GError        *error)
{
  FlowRunEntry *entry = entry_of (self, run);
  FlowUndo *undo = undo_of (self);

  if (undo != NULL)
    flow_undo_call (undo, undo_end, self, g_memdup2 (&run->number, sizeof run->number), g_free);
  if (run->run != NULL)
    flow_run_end (run->run);
  run->ended = TRUE;
  run->ended_us = g_get_monotonic_time ();
  run->error = error;
  run->error_expected = error != NULL && entry->expect_error != NULL && error->domain == FLOW_ERROR
                        && error->code == flow_error_code_from_name (entry->expect_error);
}

static FlowTensor *
fetched_value (FlowRunList   *self,
               FlowListedRun *run,
               const char    *name,
               FlowTensor   **values)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (flow_plan_get_prune (flow_run_get_plan (run->run)));
  FlowEndpoint endpoint = { 0 };

  if (!flow_graph_parse_endpoint (flow_session_get_graph (self->session), name, &endpoint, NULL))
    return NULL;
  for (guint k = 0; k < ends->n_fetches; k++)
    if (ends->fetches[k].node == endpoint.node && ends->fetches[k].slot == endpoint.slot)
      return flow_tensor_ref (values[k]);
  if (flow_run_get_feed (run->run, endpoint.node, endpoint.slot) != NULL)
    return flow_tensor_ref (flow_run_get_feed (run->run, endpoint.node, endpoint.slot));
  return NULL;
}

static void
finish_run (FlowRunList   *self,
            FlowListedRun *run)
{
  FlowRunEntry *entry = entry_of (self, run);
  const FlowPruneEnds *ends = flow_prune_get_ends (flow_plan_get_prune (flow_run_get_plan (run->run)));
  g_autofree FlowTensor **values = g_new0 (FlowTensor *, ends->n_fetches + 1);
  GError *error = NULL;
  gboolean ok = flow_run_get_fetches (run->run, values, &error);

  end_run (self, run, error);
  if (!ok)
    return;
  run->n_fetched = g_strv_length (entry->fetches);
  run->fetched = g_new0 (FlowTensor *, run->n_fetched + 1);
  for (guint k = 0; k < run->n_fetched; k++)
    run->fetched[k] = fetched_value (self, run, entry->fetches[k], values);
  for (guint k = 0; k < ends->n_fetches; k++)
    flow_tensor_unref (values[k]);
}

/* Whether the error of a run that ended stops the list. */
static gboolean
stops_list (FlowListedRun *run)
{
  return run->ended && run->error != NULL && !run->error_expected;
}

static FlowListedRun *
begin_next (FlowRunList *self)
{
  FlowUndo *undo = undo_of (self);
  FlowRunEntry *entry = NULL;
  FlowListedRun *run = NULL;
  GError *error = NULL;

  if (self->next_entry >= self->n_flowing && self->next_entry != self->asked_entry)
    return NULL;
  entry = g_ptr_array_index (self->file->entries, self->next_entry);
  run = g_new0 (FlowListedRun, 1);
  run->entry = self->next_entry;
  run->i = self->next_i;
  run->number = self->runs->len;
  run->def = flow_run_entry_copy (entry);
  run->start = self->n_steps;
  run->warnings = g_ptr_array_new_with_free_func (g_free);
  run->began_us = g_get_monotonic_time ();
  g_ptr_array_add (self->runs, run);
  if (undo != NULL)
    flow_undo_call (undo, undo_begin, self, NULL, NULL);
  _flow_set64 (undo, &self->current, run->number);
  _flow_set64 (undo, &self->next_i, self->next_i + 1);
  if (self->next_i >= entry->repeat)
    {
      _flow_set64 (undo, &self->next_i, 0);
      _flow_set32 (undo, &self->asked_entry, G_MAXUINT32);
      _flow_set32 (undo, &self->next_entry, self->next_entry + 1);
    }
  if (!begin_entry (self, run, &error))
    end_run (self, run, error);
  else if (run->run == NULL)
    end_run (self, run, NULL);
  return run;
}

static FlowListedRun *
find_alive (FlowRunList *self)
{
  for (guint k = 0; k < self->runs->len; k++)
    if (!_flow_list_run_at (self, k)->ended)
      return _flow_list_run_at (self, k);
  return NULL;
}

static FlowStepResult
report (FlowListedRun *run,
        GError       **error)
{
  if (error != NULL)
    *error = g_error_copy (run->error);
  return FLOW_STEP_FAILED;
}

/* Goes on until a run stands before an op, or nothing is left: ends what is done, begins what comes. */
static FlowStepResult
settle (FlowRunList *self,
        GError     **error)
{
  for (;;)
    {
      FlowListedRun *run = _flow_list_run_at (self, self->current);

      if (run != NULL && !run->ended && flow_run_is_finished (run->run))
        finish_run (self, run);
      if (run != NULL && !run->ended)
        return FLOW_STEP_DONE;
      if (run != NULL && stops_list (run))
        return report (run, error);
      /* Runs that were left waiting come before new ones: what ended may have written for them. */
      run = find_alive (self);
      if (run != NULL)
        _flow_set64 (undo_of (self), &self->current, run->number);
      else if (begin_next (self) == NULL)
        {
          _flow_set64 (undo_of (self), &self->current, G_MAXUINT64);
          return FLOW_STEP_FINISHED;
        }
    }
}

/**
 * flow_run_list_start: (skip)
 * @self: a list
 * @error: return location
 *
 * Restores the file's checkpoint and begins the first run.
 *
 * Returns: %FLOW_STEP_DONE when the next op is known
 */
FlowStepResult
flow_run_list_start (FlowRunList *self,
                     GError     **error)
{
  if (!self->started && self->file->checkpoint != NULL)
    {
      g_autofree char *prefix = flow_run_file_resolve (self->file, self->file->checkpoint);

      if (!flow_session_restore_checkpoint (self->session, prefix, NULL, NULL, NULL, NULL, error))
        return FLOW_STEP_FAILED;
    }
  self->started = 1;
  return settle (self, error);
}

/* --- stepping ----------------------------------------------------------------------------------- */

static gboolean
is_late (FlowRunList   *self,
         FlowListedRun *run)
{
  gint64 timeout = entry_of (self, run)->timeout_ms;

  return self->deadlines && timeout > 0 && g_get_monotonic_time () - run->began_us > timeout * 1000;
}

static GError *
deadline_error (void)
{
  return g_error_new_literal (FLOW_ERROR, FLOW_ERROR_DEADLINE_EXCEEDED, "Timed out waiting for notification");
}

/* An error that the entry expects ends its run and lets the list go on. */
static FlowStepResult
handle_failure (FlowRunList   *self,
                FlowListedRun *run,
                GError        *failure,
                GError       **error)
{
  const char *expected = entry_of (self, run)->expect_error;

  if (expected == NULL || failure->code != flow_error_code_from_name (expected))
    {
      g_propagate_error (error, failure);
      return FLOW_STEP_FAILED;
    }
  end_run (self, run, failure);
  return settle (self, error);
}

/* Nothing of @run can move: another run, or a new one, or the end of its time. */
static FlowListedRun *
find_other (FlowRunList   *self,
            FlowListedRun *waiting,
            GHashTable    *tried)
{
  g_hash_table_add (tried, waiting);
  for (guint k = 0; k < self->runs->len; k++)
    if (!_flow_list_run_at (self, k)->ended && !g_hash_table_contains (tried, _flow_list_run_at (self, k)))
      return _flow_list_run_at (self, k);
  for (;;)
    {
      FlowListedRun *begun = begin_next (self);

      if (begun == NULL || !begun->ended || stops_list (begun))
        return begun;
    }
}

static FlowStepResult
wait_is_over (FlowRunList *self,
              GError     **error)
{
  for (guint k = 0; k < self->runs->len; k++)
    {
      FlowListedRun *run = _flow_list_run_at (self, k);

      if (!run->ended && self->deadlines && entry_of (self, run)->timeout_ms > 0)
        {
          _flow_set64 (undo_of (self), &self->current, run->number);
          return handle_failure (self, run, deadline_error (), error);
        }
    }
  return FLOW_STEP_WAITING;
}

/**
 * flow_run_list_step: (skip)
 * @self: a list that was started
 * @error: return location, set with %FLOW_STEP_FAILED
 *
 * Executes one op of the current run, or of another when that waits. Afterwards the next op is known:
 * runs that are done have ended, the next has begun.
 *
 * Returns: %FLOW_STEP_DONE when an op executed (flow_run_list_get_last()), %FLOW_STEP_FINISHED when
 *   the list was done before, %FLOW_STEP_WAITING when nothing can move, %FLOW_STEP_FAILED when the op
 *   failed and may be tried again
 */
FlowStepResult
flow_run_list_step (FlowRunList *self,
                    GError     **error)
{
  g_autoptr(GHashTable) tried = NULL;
  FlowListedRun *run = _flow_list_run_at (self, self->current);
  FlowListedRun *last = _flow_list_run_at (self, self->last);

  /* Without an undo log nothing brings a run back: what it held goes as soon as its last op was seen. */
  if (undo_of (self) == NULL && last != NULL && last->ended)
    g_clear_pointer (&last->run, flow_run_unref);
  while (run != NULL)
    {
      GError *failure = NULL;
      FlowStepResult result = FLOW_STEP_FAILED;

      if (run->ended && stops_list (run))
        return report (run, error);
      if (run->ended)
        result = settle (self, error);
      else if (is_late (self, run))
        result = handle_failure (self, run, deadline_error (), error);
      else
        {
          result = flow_run_step (run->run, &failure);
          if (result == FLOW_STEP_DONE)
            {
              _flow_set64 (undo_of (self), &self->last, run->number);
              _flow_set64 (undo_of (self), &self->n_steps, self->n_steps + 1);
              /* What comes after the op cannot take it back: a run that fails to begin is found next time. */
              settle (self, NULL);
              return FLOW_STEP_DONE;
            }
          if (result == FLOW_STEP_FAILED)
            result = handle_failure (self, run, failure, error);
          else if (result == FLOW_STEP_FINISHED)
            result = settle (self, error);
        }
      /* Nothing executed yet: the run that now is the current one is to. */
      if (result == FLOW_STEP_DONE)
        {
          run = _flow_list_run_at (self, self->current);
          continue;
        }
      if (result != FLOW_STEP_WAITING)
        return result;
      if (tried == NULL)
        tried = g_hash_table_new (NULL, NULL);
      run = find_other (self, run, tried);
      if (run == NULL)
        {
          result = wait_is_over (self, error);
          if (result != FLOW_STEP_DONE)
            return result;
          run = _flow_list_run_at (self, self->current);
          continue;
        }
      _flow_set64 (undo_of (self), &self->current, run->number);
    }
  return FLOW_STEP_FINISHED;
}

/**
 * flow_run_list_rolled_back: (skip)
 * @self: a list whose session's undo log was rolled back
 *
 * What was tried in vain is tried again.
 */
void
flow_run_list_rolled_back (FlowRunList *self)
{
  for (guint k = 0; k < self->runs->len; k++)
    if (_flow_list_run_at (self, k)->run != NULL)
      flow_run_forget_waits (_flow_list_run_at (self, k)->run);
}

/**
 * flow_run_list_stop_current: (skip)
 * @self: a list
 * @error: what the run ends with
 *
 * Ends the current run where it stands.
 */
void
flow_run_list_stop_current (FlowRunList  *self,
                            const GError *error)
{
  FlowListedRun *run = _flow_list_run_at (self, self->current);

  if (run != NULL && !run->ended)
    end_run (self, run, g_error_copy (error));
}

/**
 * flow_run_list_set_entry: (skip)
 * @self: a list
 * @entry: an entry; copied
 * @flows_on: whether a new one begins by itself when those before it are done
 *
 * Returns: its index
 */
guint
flow_run_list_set_entry (FlowRunList        *self,
                         const FlowRunEntry *entry,
                         gboolean            flows_on)
{
  int found = flow_run_list_find_entry (self, entry->name);

  if (found >= 0)
    {
      flow_run_entry_free (g_ptr_array_index (self->file->entries, (guint) found));
      self->file->entries->pdata[found] = flow_run_entry_copy (entry);
      flow_run_list_forget_feeds (self);
      return (guint) found;
    }
  g_ptr_array_add (self->file->entries, flow_run_entry_copy (entry));
  if (flows_on && self->n_flowing + 1 == self->file->entries->len)
    self->n_flowing++;
  return self->file->entries->len - 1;
}

/**
 * flow_run_list_find_entry: (skip)
 * @self: a list
 * @name: an entry's name
 *
 * Returns: its index, -1
 */
int
flow_run_list_find_entry (FlowRunList *self,
                          const char  *name)
{
  for (guint i = 0; i < self->file->entries->len; i++)
    if (g_strcmp0 (((FlowRunEntry *) g_ptr_array_index (self->file->entries, i))->name, name) == 0)
      return (int) i;
  return -1;
}

/**
 * flow_run_list_get_entry: (skip)
 * @self: a list
 * @entry: index
 *
 * Returns: (transfer none) (nullable): the entry
 */
FlowRunEntry *
flow_run_list_get_entry (FlowRunList *self,
                         guint        entry)
{
  return entry < self->file->entries->len ? g_ptr_array_index (self->file->entries, entry) : NULL;
}

/**
 * flow_run_list_begin_entry: (skip)
 * @self: a list
 * @entry: index of an entry
 * @error: return location
 *
 * Ends what is alive and begins the entry now. Undoable.
 *
 * Returns: %FLOW_STEP_DONE when the next op is known
 */
FlowStepResult
flow_run_list_begin_entry (FlowRunList *self,
                           guint        entry,
                           GError     **error)
{
  FlowUndo *undo = undo_of (self);

  g_return_val_if_fail (entry < self->file->entries->len, FLOW_STEP_FAILED);

  for (guint k = 0; k < self->runs->len; k++)
    if (!_flow_list_run_at (self, k)->ended)
      end_run (self, _flow_list_run_at (self, k), g_error_new_literal (FLOW_ERROR, FLOW_ERROR_CANCELLED, "Run call was cancelled"));
  _flow_set64 (undo, &self->current, G_MAXUINT64);
  _flow_set32 (undo, &self->next_entry, entry);
  _flow_set64 (undo, &self->next_i, 0);
  _flow_set32 (undo, &self->asked_entry, entry);
  self->started = 1;
  return settle (self, error);
}

/**
 * flow_run_list_begin_again: (skip)
 * @self: a list
 * @error: return location
 *
 * The last run that began, at its start, once more with the entry as it is now: other feeds, say. Not
 * undoable itself; undoing what came before undoes it.
 *
 * Returns: %FLOW_STEP_DONE when the next op is known
 */
FlowStepResult
flow_run_list_begin_again (FlowRunList *self,
                           GError     **error)
{
  FlowUndo *undo = undo_of (self);
  FlowStepResult result = FLOW_STEP_DONE;
  guint64 number = self->runs->len - 1;

  g_return_val_if_fail (self->runs->len > 0, FLOW_STEP_FAILED);

  flow_session_set_undo (self->session, NULL);
  flow_run_list_rewind (self, number);
  flow_run_list_forget_feeds (self);
  result = settle (self, error);
  flow_session_set_undo (self->session, undo);
  return result;
}

/**
 * flow_run_list_rewind: (skip)
 * @self: a list
 * @number: the run that is to begin next again
 */
void
flow_run_list_rewind (FlowRunList *self,
                      guint64      number)
{
  FlowListedRun *run = _flow_list_run_at (self, number);

  g_return_if_fail (run != NULL);

  self->next_entry = run->entry;
  self->next_i = run->i;
  self->n_steps = run->start;
  self->asked_entry = run->entry;
  self->current = G_MAXUINT64;
  self->last = number > 0 ? number - 1 : G_MAXUINT64;
  g_ptr_array_set_size (self->runs, (int) number);
}

/**
 * flow_run_list_release_before: (skip)
 * @self: a list
 * @number: runs before it are never brought back
 */
void
flow_run_list_release_before (FlowRunList *self,
                              guint64      number)
{
  for (guint64 k = 0; k < number && k < self->runs->len; k++)
    if (_flow_list_run_at (self, k)->ended && k != self->last)
      g_clear_pointer (&_flow_list_run_at (self, k)->run, flow_run_unref);
}

/**
 * flow_run_list_is_alone: (skip)
 * @self: a list
 *
 * Whether no run but the current one is alive.
 *
 * Returns: whether no run but the current one is alive
 */
gboolean
flow_run_list_is_alone (FlowRunList *self)
{
  for (guint k = 0; k < self->runs->len; k++)
    if (!_flow_list_run_at (self, k)->ended && k != self->current)
      return FALSE;
  return TRUE;
}

/**
 * flow_run_list_forget_feeds: (skip)
 * @self: a list
 *
 * Runs that begin from now on make their feeds anew.
 */
void
flow_run_list_forget_feeds (FlowRunList *self)
{
  g_hash_table_remove_all (self->fed);
}

/**
 * flow_run_list_give_feed: (skip)
 * @self: a list
 * @tensor: a tensor that is fed
 * @value: what entries feed whose text for it is %FLOW_FEED_GIVEN
 *
 * For values that a program made: they stand in no file and are too large to be written out.
 */
void
flow_run_list_give_feed (FlowRunList *self,
                         const char  *tensor,
                         FlowTensor  *value)
{
  if (self->given == NULL)
    self->given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_tensor);
  g_hash_table_insert (self->given, g_strdup (tensor), flow_tensor_ref (value));
}
