/* flow-run-look.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

/* Where a run stands: what comes next, is ready or waits, what is alive, and what stands in for it. */

static void
forget_waits_cb (FlowRun *body,
                 gpointer data)
{
  flow_run_forget_waits (body);
}

/**
 * flow_run_forget_waits: (skip)
 * @self: a run
 *
 * Called after the past was restored: what waits is tried again at the next step.
 */
void
flow_run_forget_waits (FlowRun *self)
{
  _flow_run_clear_last (self);
  g_array_set_size (self->parked, 0);
  self->chosen_node = FLOW_NODE_NONE;
  _flow_run_foreach_body (self, forget_waits_cb, NULL);
}

/**
 * flow_run_look: (skip)
 * @self: a run
 * @next: (out): the op that comes next; its frame is borrowed
 *
 * Returns: %FALSE when nothing comes next: done, or all wait
 */
gboolean
flow_run_look (FlowRun     *self,
               FlowRunNext *next)
{
  FlowIteration *at = NULL;
  const FlowPlanItem *item = NULL;
  guint32 local = 0;
  gboolean dead = FALSE;

  if (self->finished)
    return FALSE;
  if (self->chosen_node == FLOW_NODE_NONE && _flow_run_look_at_calls (self, next))
    return TRUE;
  if (self->plan == NULL || !_flow_run_pick_next (self, &at, &local))
    return FALSE;
  item = &self->plan->items[self->plan->frames[at->frame->index].items[local]];
  dead = (at->ready_dead[local / 64] >> (local % 64) & 1) != 0;
  _flow_run_describe (self, at, item, dead, !dead && (item->flags & FLOW_OP_FUNCTION) != 0 ? FLOW_CALL_ENTER : FLOW_CALL_NONE,
                      next);
  return TRUE;
}

/**
 * flow_run_peek_next: (skip)
 * @self: a run
 * @node: (out) (optional): the op that comes next
 * @frame: (out) (optional) (transfer none): its frame, "" outside loops and functions
 * @iteration: (out) (optional): of the frame
 * @dead: (out) (optional): whether it only passes deadness on
 *
 * Returns: %FALSE when nothing comes next: done, or all wait
 */
gboolean
flow_run_peek_next (FlowRun     *self,
                    guint32     *node,
                    const char **frame,
                    gint64      *iteration,
                    gboolean    *dead)
{
  FlowRunNext next = { 0 };

  if (!flow_run_look (self, &next))
    return FALSE;
  if (node != NULL)
    *node = next.node;
  if (frame != NULL)
    *frame = next.frame;
  if (iteration != NULL)
    *iteration = next.iteration;
  if (dead != NULL)
    *dead = next.dead;
  return TRUE;
}

typedef struct {
  FlowRun *run;
  GArray *nodes;
} ReadyList;

static void
list_ready_cb (FlowIteration *iteration,
               gpointer       data)
{
  ReadyList *list = data;
  const FlowPlanFrame *frame = &list->run->plan->frames[iteration->frame->index];

  for (guint32 i = 0; iteration->n_ready > 0 && i < frame->n_items; i++)
    if (_flow_iteration_is_ready (iteration, i))
      {
        guint32 node = list->run->base + list->run->plan->items[frame->items[i]].node;

        g_array_append_val (list->nodes, node);
      }
}

static void
list_ready_in_body_cb (FlowRun *body,
                       gpointer data)
{
  flow_run_list_ready (body, data);
}

/**
 * flow_run_list_ready: (skip)
 * @self: a run
 * @nodes: (element-type guint32): gets every node that is ready, those that were tried in vain too
 *
 * Returns: how many
 */
guint
flow_run_list_ready (FlowRun *self,
                     GArray  *nodes)
{
  ReadyList list = { self, nodes };
  guint before = nodes->len;

  if (self->finished)
    return 0;
  _flow_run_foreach_body (self, list_ready_in_body_cb, nodes);
  _flow_run_foreach_iteration (self->root, list_ready_cb, &list);
  return nodes->len - before;
}

typedef struct {
  guint32 node;
  FlowRun *body;               /* in which it was ready */
} BodyChoice;

static void
choose_in_body_cb (FlowRun *body,
                   gpointer data)
{
  BodyChoice *choice = data;

  if (choice->body == NULL && flow_run_choose_next (body, choice->node))
    choice->body = body;
}

/**
 * flow_run_choose_next: (skip)
 * @self: a run
 * @node: a node that is ready
 *
 * Returns: whether it is ready: then the next step executes it
 */
gboolean
flow_run_choose_next (FlowRun *self,
                      guint32  node)
{
  g_autoptr(GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint32));
  ReadyList list = { self, ready };
  BodyChoice choice = { node, NULL };

  if (self->finished)
    return FALSE;
  _flow_run_foreach_iteration (self->root, list_ready_cb, &list);
  for (guint i = 0; i < ready->len; i++)
    if (g_array_index (ready, guint32, i) == node)
      {
        self->chosen_node = node - self->base;
        return TRUE;
      }
  _flow_run_foreach_body (self, choose_in_body_cb, &choice);
  if (choice.body == NULL)
    return FALSE;
  self->chosen_node = FLOW_NODE_NONE;
  return _flow_run_prefer_call (self, choice.body);
}

/* Whether it is ready, was tried, and what it waits for was not written since. */
static gboolean
still_waits (const FlowParked *parked)
{
  return _flow_iteration_is_ready (parked->iteration, parked->local) && parked->resource->version == parked->version;
}

static void
wait_text_cb (FlowRun *body,
              gpointer data)
{
  const char **text = data;

  if (*text == NULL)
    *text = flow_run_get_wait_text (body);
}

/**
 * flow_run_get_wait_text: (skip)
 * @self: a run
 *
 * Returns: (transfer none) (nullable): what the first op that waits waits for
 */
const char *
flow_run_get_wait_text (FlowRun *self)
{
  const char *text = NULL;

  if (self->finished)
    return NULL;
  for (guint i = 0; i < self->parked->len; i++)
    if (still_waits (&g_array_index (self->parked, FlowParked, i)))
      return g_array_index (self->parked, FlowParked, i).text;
  _flow_run_foreach_body (self, wait_text_cb, &text);
  return text;
}

static void
list_waiting_cb (FlowRun *body,
                 gpointer data)
{
  flow_run_list_waiting (body, data);
}

/**
 * flow_run_list_waiting: (skip)
 * @self: a run
 * @nodes: (element-type guint32): gets the nodes that were tried and must wait
 *
 * Returns: how many
 */
guint
flow_run_list_waiting (FlowRun *self,
                       GArray  *nodes)
{
  guint before = nodes->len;

  for (guint i = 0; !self->finished && i < self->parked->len; i++)
    {
      const FlowParked *parked = &g_array_index (self->parked, FlowParked, i);
      const FlowPlanFrame *frame = &self->plan->frames[parked->iteration->frame->index];

      if (still_waits (parked))
        {
          guint32 node = self->base + self->plan->items[frame->items[parked->local]].node;

          g_array_append_val (nodes, node);
        }
    }
  if (!self->finished)
    _flow_run_foreach_body (self, list_waiting_cb, nodes);
  return nodes->len - before;
}

/* What some op still waits to read. */
typedef struct {
  FlowRun *run;
  void (*func) (FlowRun *run, guint32 node, gint32 slot, FlowValue *value, gpointer data);
  gpointer data;
} LiveVisit;

static void
live_cb (FlowIteration *iteration,
         gpointer       data)
{
  LiveVisit *visit = data;
  FlowPlan *plan = visit->run->plan;
  const FlowPlanFrame *frame = &plan->frames[iteration->frame->index];

  for (guint32 i = 0; i < frame->n_items; i++)
    {
      const FlowPlanItem *item = &plan->items[frame->items[i]];

      for (guint j = 0; j < item->n_inputs; j++)
        {
          FlowValue *value = &iteration->entries[item->entry + j];
          FlowEndpoint source = { 0 };

          if (value->tensor == NULL)
            continue;
          flow_graph_get_input (visit->run->graph, item->node, j, &source);
          visit->func (visit->run, visit->run->base + source.node, source.slot, value, visit->data);
        }
    }
}

static void
visit_live (FlowRun *run,
            gpointer data)
{
  LiveVisit visit = *(const LiveVisit *) data;

  if (run->finished)
    return;
  visit.run = run;
  _flow_run_foreach_iteration (run->root, live_cb, &visit);
  _flow_run_foreach_body (run, visit_live, &visit);
}

typedef struct {
  void (*func) (guint32 node, gint32 slot, FlowTensor *tensor, gpointer data);
  gpointer data;
} TensorVisit;

static void
live_tensor_cb (FlowRun   *run,
                guint32    node,
                gint32     slot,
                FlowValue *value,
                gpointer   data)
{
  const TensorVisit *visit = data;

  visit->func (node, slot, value->tensor, visit->data);
}

/**
 * flow_run_foreach_live: (skip)
 * @self: a run
 * @func: called with each tensor that some op still waits to read; the same one may come twice
 * @data: given to @func
 */
void
flow_run_foreach_live (FlowRun *self,
                       void   (*func) (guint32 node, gint32 slot, FlowTensor *tensor, gpointer data),
                       gpointer data)
{
  TensorVisit visit = { func, data };

  visit_live (self, &(LiveVisit) { self, live_tensor_cb, &visit });
}

/**
 * flow_run_get_fetches: (skip)
 * @self: a run that is finished
 * @fetched: (out caller-allocates) (array): room for the fetches in the plan's order; each a new reference
 * @error: return location
 *
 * Returns: whether every fetch has a value
 */
gboolean
flow_run_get_fetches (FlowRun     *self,
                      FlowTensor **fetched,
                      GError     **error)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (self->plan->prune);

  /* TF: what a run gives is given once. What is in a loop has a value in each of its turns. */
  for (guint i = 0; i < self->n_fetches; i++)
    FLOW_REQUIRE (self->times_fetched[i] < 2, error, INTERNAL,
                  "Retval[%u] has already been set.\n\t [[{{node _retval_%s_%d_%u}}]]", i,
                  flow_graph_get_node_name (self->graph, ends->fetches[i].node), ends->fetches[i].slot, i);
  for (guint i = 0; i < self->n_fetches; i++)
    {
      const FlowValue *value = &self->fetched[i];

      fetched[i] = flow_value_dup_current (value);
      if (fetched[i] != NULL)
        continue;
      for (guint j = 0; j < i; j++)
        g_clear_pointer (&fetched[j], flow_tensor_unref);
      if (value->ref != NULL)
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                     "Attempting to use uninitialized value %s\n\t [[{{node _retval_%s_%d_%u}}]]",
                     flow_graph_get_node_name (self->graph, ends->fetches[i].node),
                     flow_graph_get_node_name (self->graph, ends->fetches[i].node), ends->fetches[i].slot, i);
      else
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Retval[%u] does not have value", i);
      return FALSE;
    }
  return TRUE;
}

typedef struct {
  guint32 node;
  gint32 slot;
  FlowTensor *tensor;
} Replace;

static void
replace_cb (FlowRun   *run,
            guint32    node,
            gint32     slot,
            FlowValue *value,
            gpointer   data)
{
  const Replace *replace = data;

  if (node == replace->node && slot == replace->slot)
    _flow_set_value (_flow_run_get_undo (run), value, (FlowValue) { flow_tensor_ref (replace->tensor), NULL, 0 });
}

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

/**
 * flow_run_override: (skip)
 * @self: a run
 * @node: a node
 * @slot: one of its outputs
 * @tensor: (nullable): its value from now on, %NULL for its own
 * @error: return location
 *
 * Ops that have not read the output yet read @tensor.
 *
 * Returns: %FALSE with `FLOW_ERROR_INVALID_ARGUMENT` when dtype or slot do not fit
 */
gboolean
flow_run_override (FlowRun     *self,
                   guint32      node,
                   gint32       slot,
                   FlowTensor  *tensor,
                   GError     **error)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  guint64 key = _flow_override_key (node, slot);
  int dtype = 0;

  if (slot < 0 || (guint) slot >= flow_graph_get_n_outputs (graph, node))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s has no output %d",
                   flow_graph_get_node_name (graph, node), slot);
      return FALSE;
    }
  dtype = flow_graph_get_output_dtype (graph, node, (guint) slot);
  if (tensor != NULL && (flow_dtype_is_ref (dtype) || (int) tensor->dtype != dtype))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s:%d is %s, it cannot be overridden by %s",
                   flow_graph_get_node_name (graph, node), slot, flow_dtype_string (dtype),
                   flow_dtype_string (tensor->dtype));
      return FALSE;
    }
  if (self->overrides == NULL)
    self->overrides = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, unref_tensor);
  if (tensor == NULL)
    g_hash_table_remove (self->overrides, &key);
  else
    {
      Replace replace = { node, slot, tensor };

      g_hash_table_replace (self->overrides, g_memdup2 (&key, sizeof key), flow_tensor_ref (tensor));
      visit_live (self, &(LiveVisit) { self, replace_cb, &replace });
    }
  return TRUE;
}

/**
 * flow_run_get_override: (skip)
 * @self: a run
 * @node: a node
 * @slot: one of its outputs
 *
 * Returns: (transfer none) (nullable): what stands in for it
 */
FlowTensor *
flow_run_get_override (FlowRun *self,
                       guint32  node,
                       gint32   slot)
{
  guint64 key = _flow_override_key (node, slot);

  return self->overrides != NULL ? g_hash_table_lookup (self->overrides, &key) : NULL;
}

typedef struct {
  guint32 node;
  FlowTensor *value;
} ArgSearch;

static void
find_arg_cb (FlowRun *body,
             gpointer data)
{
  ArgSearch *search = data;

  if (search->node >= body->base && search->node - body->base < body->n_feeds)
    search->value = body->args[search->node - body->base];
  if (search->value == NULL)
    _flow_run_foreach_body (body, find_arg_cb, search);
}

/**
 * flow_run_get_feed: (skip)
 * @self: a run
 * @node: a node
 * @slot: one of its outputs
 *
 * Returns: (transfer none) (nullable): what it is fed; of an argument of a function that is under way what it was given
 */
FlowTensor *
flow_run_get_feed (FlowRun *self,
                   guint32  node,
                   gint32   slot)
{
  const FlowPruneEnds *ends = flow_prune_get_ends (self->plan->prune);

  if (flow_node_is_in_body (node))
    {
      ArgSearch search = { node, NULL };

      _flow_run_foreach_body (self, find_arg_cb, &search);
      return search.value;
    }
  for (guint i = 0; i < ends->n_feeds; i++)
    if (ends->feeds[i].node == node && ends->feeds[i].slot == slot)
      return self->feeds[i];
  return NULL;
}
