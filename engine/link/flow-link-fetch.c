/* flow-link-fetch.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-debugger-private.h"

#include "flow-graph-reading.h"
#include "flow-link-answer.h"

/* How soon it is asked again whether a graph that is to grow is still being read. */
#define READERS_MS 5

/* The graph, from the engine to the one at hand. What a script says of nodes that are on their way waits until they are
 * here. */

typedef struct {
  FlowLinkCall *call;
  GVariant *value;
  GPtrArray *tensors;
} LateReply;

typedef struct {
  FlowLinkDebugger *self;
  GSubprocess *process;        /* the one that was asked */
  FlowLinkCall *open;                  /* nullable: the Open that waits for the graph */
  GVariant *open_value;
  GPtrArray *open_tensors;
  GVariant *value;
  GPtrArray *tensors;
  guint first;                 /* the node that @value begins with */
} GraphFetch;

static void
graph_fetch_free (GraphFetch *fetch)
{
  g_clear_object (&fetch->self);
  g_clear_object (&fetch->process);
  g_clear_pointer (&fetch->open_value, g_variant_unref);
  g_clear_pointer (&fetch->open_tensors, g_ptr_array_unref);
  g_clear_pointer (&fetch->value, g_variant_unref);
  g_clear_pointer (&fetch->tensors, g_ptr_array_unref);
  g_free (fetch);
}

void
_flow_link_debugger_keep_late (FlowLinkDebugger *self,
                               FlowLinkCall     *call,
                               GVariant         *value,
                               GPtrArray        *tensors)
{
  LateReply *late = g_new0 (LateReply, 1);

  late->call = call;
  late->value = g_variant_ref (value);
  late->tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  g_queue_push_tail (&self->late_replies, late);
}

void
_flow_link_debugger_return_late (FlowLinkDebugger *self)
{
  LateReply *late = NULL;

  while ((late = g_queue_pop_head (&self->late_replies)) != NULL)
    {
      _flow_link_call_reply (self, late->call, late->value, late->tensors);
      g_variant_unref (late->value);
      g_clear_pointer (&late->tensors, g_ptr_array_unref);
      g_free (late);
    }
}

/* What came while the graph was on its way. */
static void
catch_up (FlowLinkDebugger *self)
{
  g_autoptr (GVariant) late = g_steal_pointer (&self->late_state);
  g_autoptr (FlowDebugState) copy = NULL;
  gboolean stop = self->late_stop;

  self->late_stop = FALSE;
  if (self->fetch_again && !self->has_ended && self->proxy != NULL)
    {
      self->fetch_again = FALSE;
      self->late_state = g_steal_pointer (&late);
      self->late_stop = stop;
      _flow_link_debugger_fetch_graph (self, NULL, NULL, NULL);
      return;
    }
  if (late != NULL)
    {
      _flow_link_debugger_set_state (self, late);
      copy = flow_debug_state_copy (self->state);
      if (stop)
        flow_debugger_emit_stopped (FLOW_DEBUGGER (self), copy);
    }
  _flow_link_debugger_return_late (self);
}

/* Takes @graph and @error. */
static void
graph_fetch_end (GraphFetch *fetch,
                 FlowGraph  *graph,
                 GError     *error)
{
  g_autoptr (FlowLinkDebugger) self = g_object_ref (fetch->self);

  /* What an engine that is gone gave is of no interest. */
  if (fetch->process != self->process)
    g_clear_object (&graph);
  else
    self->is_fetching = FALSE;
  if (graph != NULL)
    {
      g_set_object (&self->graph, graph);
      g_object_unref (graph);
      flow_debugger_emit_graph_changed (FLOW_DEBUGGER (self));
    }
  if (fetch->open != NULL)
    {
      self->is_opening = FALSE;
      if (error != NULL)
        _flow_link_call_fail (fetch->open, g_steal_pointer (&error));
      else
        _flow_link_call_reply (self, fetch->open, fetch->open_value, fetch->open_tensors);
    }
  g_clear_error (&error);
  graph_fetch_free (fetch);
  catch_up (self);
}

static void
parse_graph_worker (GTask        *task,
                    gpointer      source,
                    gpointer      data,
                    GCancellable *cancellable)
{
  GraphFetch *fetch = data;
  GError *error = NULL;
  FlowGraph *graph = _flow_link_graph_unpack (fetch->value, fetch->tensors, &error);

  if (graph != NULL)
    g_task_return_pointer (task, graph, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
graph_parsed_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  GError *error = NULL;
  FlowGraph *graph = g_task_propagate_pointer (G_TASK (result), &error);

  graph_fetch_end (data, graph, error);
}

/* A range is small, and views follow the graph that they have; once no other thread goes through that any more. */
static gboolean
extend_cb (gpointer data)
{
  GraphFetch *fetch = data;
  FlowLinkDebugger *self = fetch->self;
  GError *error = NULL;

  if (self->graph != NULL && flow_graph_is_being_read (self->graph))
    return G_SOURCE_CONTINUE;
  if (fetch->process != self->process)
    graph_fetch_end (fetch, NULL, NULL);
  else if (_flow_link_graph_extend (self->graph, fetch->value, fetch->tensors, &error))
    graph_fetch_end (fetch, g_object_ref (self->graph), NULL);
  else
    graph_fetch_end (fetch, NULL, error);
  return G_SOURCE_REMOVE;
}

static void
graph_answered_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      data)
{
  GraphFetch *fetch = data;
  GError *error = NULL;
  g_autoptr (GTask) task = NULL;

  FlowLinkDebugger *self = fetch->self;
  g_autoptr (GVariant) value = _flow_link_debugger_read (self, source, result, &fetch->tensors, &error);
  guint64 serial = 0;

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE ("(tuv)")))
    g_variant_get (value, "(tuv)", &serial, &fetch->first, &fetch->value);
  else if (value != NULL)
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine's graph cannot be read");
  if (error != NULL)
    {
      graph_fetch_end (fetch, NULL, error);
      return;
    }
  if (fetch->first > 0 && serial == self->graph_serial && self->graph != NULL
      && fetch->first == flow_graph_get_n_nodes (self->graph))
    {
      if (extend_cb (fetch) == G_SOURCE_CONTINUE)
        g_timeout_add (READERS_MS, extend_cb, fetch);
      return;
    }
  self->graph_serial = serial;
  task = g_task_new (fetch->self, NULL, graph_parsed_cb, fetch);
  g_task_set_source_tag (task, graph_answered_cb);
  g_task_set_task_data (task, fetch, NULL);
  g_task_run_in_thread (task, parse_graph_worker);
}

void
_flow_link_debugger_fetch_graph (FlowLinkDebugger *self,
                                 FlowLinkCall     *open,
                                 GVariant         *value,
                                 GPtrArray        *tensors)
{
  GraphFetch *fetch = g_new0 (GraphFetch, 1);
  guint have = self->graph != NULL ? flow_graph_get_n_nodes (self->graph) : 0;
  g_autoptr (GVariant) arguments = g_variant_ref_sink (g_variant_new ("(tu)", self->graph_serial, have));
  GError *error = NULL;

  self->is_fetching = TRUE;
  fetch->self = g_object_ref (self);
  fetch->process = g_object_ref (self->process);
  fetch->open = open;
  fetch->open_value = value != NULL ? g_variant_ref (value) : NULL;
  fetch->open_tensors = tensors != NULL ? g_ptr_array_ref (tensors) : NULL;
  if (!_flow_link_debugger_send (self, ++self->serial, FLOW_LINK_METHOD_GRAPH, arguments, NULL, graph_answered_cb, fetch, &error))
    graph_fetch_end (fetch, NULL, error);
}
