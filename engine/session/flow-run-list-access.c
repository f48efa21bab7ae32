/* flow-run-list-access.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-list-private.h"

/* Looking at a list of runs, and its settings. */

/**
 * flow_run_list_get_current: (skip)
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the run whose op comes next
 */
FlowListedRun *
flow_run_list_get_current (FlowRunList *self)
{
  return _flow_list_run_at (self, self->current);
}

/**
 * flow_run_list_get_last: (skip)
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the run that executed last
 */
FlowListedRun *
flow_run_list_get_last (FlowRunList *self)
{
  return _flow_list_run_at (self, self->last);
}

/**
 * flow_run_list_get_n_runs: (skip)
 * @self: a list
 *
 * Returns: how many runs have begun
 */
guint
flow_run_list_get_n_runs (FlowRunList *self)
{
  return self->runs->len;
}

/**
 * flow_run_list_get_run: (skip)
 * @self: a list
 * @number: which run, in the order they began
 *
 * Returns: (transfer none) (nullable): the run
 */
FlowListedRun *
flow_run_list_get_run (FlowRunList *self,
                       guint        number)
{
  return _flow_list_run_at (self, number);
}

/**
 * flow_run_list_is_done: (skip)
 * @self: a list
 *
 * Returns: whether all runs have ended
 */
gboolean
flow_run_list_is_done (FlowRunList *self)
{
  return self->started && self->current == G_MAXUINT64;
}

/**
 * flow_run_list_set_cancellable: (skip)
 * @self: a list
 * @cancellable: (nullable): for all its runs
 */
void
flow_run_list_set_cancellable (FlowRunList  *self,
                               GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
  for (guint k = 0; k < self->runs->len; k++)
    if (_flow_list_run_at (self, k)->run != NULL)
      flow_run_set_cancellable (_flow_list_run_at (self, k)->run, cancellable);
}

/**
 * flow_run_list_set_deadlines: (skip)
 * @self: a list
 * @deadlines: whether the entries' timeouts count
 */
void
flow_run_list_set_deadlines (FlowRunList *self,
                             gboolean     deadlines)
{
  self->deadlines = deadlines;
}

/**
 * flow_run_list_set_eager_kernels: (skip)
 * @self: a list
 * @eager: whether a kernel that is not there fails a run before its first op, as in TensorFlow
 */
void
flow_run_list_set_eager_kernels (FlowRunList *self,
                                 gboolean     eager)
{
  self->eager_kernels = eager;
}

/**
 * flow_run_list_set_timing: (skip)
 * @self: a list
 * @timing: whether each op's time is taken
 */
void
flow_run_list_set_timing (FlowRunList *self,
                          gboolean     timing)
{
  self->timing = timing;
}

/**
 * flow_run_list_set_recall: (skip)
 * @self: a list
 * @func: (nullable): as for flow_run_set_recall()
 * @data: given to @func
 */
void
flow_run_list_set_recall (FlowRunList   *self,
                          FlowRunRecall  func,
                          gpointer       data)
{
  self->recall = func;
  self->recall_data = data;
}

/**
 * flow_run_list_set_recall_all: (skip)
 * @self: a list
 * @all: as for flow_run_set_recall_all(), for the runs that are there and those to come
 */
void
flow_run_list_set_recall_all (FlowRunList *self,
                              gboolean     all)
{
  self->recalls_all = all;
  for (guint k = 0; k < self->runs->len; k++)
    if (_flow_list_run_at (self, k)->run != NULL)
      flow_run_set_recall_all (_flow_list_run_at (self, k)->run, all);
}

/**
 * flow_run_list_get_n_steps: (skip)
 * @self: a list
 *
 * Returns: how many ops have executed
 */
guint64
flow_run_list_get_n_steps (FlowRunList *self)
{
  return self->n_steps;
}

/**
 * flow_run_list_get_feed: (skip)
 * @self: a list
 * @run: one of its runs
 * @tensor: a tensor's name
 *
 * Returns: (transfer none) (nullable): what it is fed in that run
 */
FlowTensor *
flow_run_list_get_feed (FlowRunList   *self,
                        FlowListedRun *run,
                        const char    *tensor)
{
  FlowEndpoint endpoint = { 0 };

  if (run->run == NULL || !flow_graph_parse_endpoint (flow_session_get_graph (self->session), tensor, &endpoint, NULL))
    return NULL;
  return flow_run_get_feed (run->run, endpoint.node, endpoint.slot);
}

/**
 * flow_run_list_set_override: (skip)
 * @self: a list
 * @node: a node
 * @slot: one of its outputs
 * @tensor: (nullable): what it is from now on, %NULL for its own value again
 * @error: return location
 *
 * Holds for this and all later runs.
 *
 * Returns: whether the tensor fits
 */
gboolean
flow_run_list_set_override (FlowRunList *self,
                            guint32      node,
                            gint32       slot,
                            FlowTensor  *tensor,
                            GError     **error)
{
  FlowListOverride override = { node, slot, tensor != NULL ? flow_tensor_ref (tensor) : NULL };

  for (guint k = 0; k < self->runs->len; k++)
    if (_flow_list_run_at (self, k)->run != NULL && !_flow_list_run_at (self, k)->ended
        && !flow_run_override (_flow_list_run_at (self, k)->run, node, slot, tensor, error))
      {
        _flow_list_override_clear (&override);
        return FALSE;
      }
  for (guint k = 0; k < self->overrides->len; k++)
    if (g_array_index (self->overrides, FlowListOverride, k).node == node
        && g_array_index (self->overrides, FlowListOverride, k).slot == slot)
      {
        g_array_remove_index (self->overrides, k);
        break;
      }
  if (tensor != NULL)
    g_array_append_val (self->overrides, override);
  return TRUE;
}

/**
 * flow_run_list_apply_overrides: (skip)
 * @self: a list
 *
 * Gives them to runs that had ended when they were set, and were gone back into since.
 */
void
flow_run_list_apply_overrides (FlowRunList *self)
{
  for (guint k = 0; k < self->runs->len; k++)
    for (guint i = 0; i < self->overrides->len; i++)
      {
        FlowListOverride *o = &g_array_index (self->overrides, FlowListOverride, i);

        if (_flow_list_run_at (self, k)->run != NULL && !_flow_list_run_at (self, k)->ended)
          flow_run_override (_flow_list_run_at (self, k)->run, o->node, o->slot, o->tensor, NULL);
      }
}

/**
 * flow_run_list_get_override: (skip)
 * @self: a list
 * @i: a number
 * @node: (out): whose
 * @slot: (out): which output
 *
 * Returns: whether there are that many overrides
 */
gboolean
flow_run_list_get_override (FlowRunList *self,
                            guint        i,
                            guint32     *node,
                            gint32      *slot)
{
  if (i >= self->overrides->len)
    return FALSE;
  *node = g_array_index (self->overrides, FlowListOverride, i).node;
  *slot = g_array_index (self->overrides, FlowListOverride, i).slot;
  return TRUE;
}

/**
 * flow_run_list_is_flowing: (skip)
 * @self: a list
 * @entry: index of an entry
 *
 * Returns: whether it begins when the one before it has ended; others begin when they are asked for
 */
gboolean
flow_run_list_is_flowing (FlowRunList *self,
                          guint        entry)
{
  return entry < self->n_flowing;
}
