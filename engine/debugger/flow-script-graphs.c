/* flow-script-graphs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-util.h"

#include <string.h>

/* The graphs of a script, as it shows them, and which of them is in view with which run. All of it but what the script
 * calls belongs to the kernel thread. */

/* --- what core shows ------------------------------------------------------------------------------ */

FlowScriptGraph *
_flow_script_find_graph (FlowScriptDebugger *self,
                         guint               id)
{
  for (guint i = 0; i < self->graphs->len; i++)
    if (((FlowScriptGraph *) self->graphs->pdata[i])->id == id)
      return self->graphs->pdata[i];
  return NULL;
}

static void
set_view_graph (FlowScriptDebugger *self,
                guint               id)
{
  FlowScriptGraph *graph = _flow_script_find_graph (self, id);
  gboolean changed = FALSE;

  self->shown = id;
  g_mutex_lock (&self->mutex);
  if (graph != NULL)
    changed = g_set_object (&self->view_graph, graph->graph);
  g_mutex_unlock (&self->mutex);
  if (changed)
    _flow_debug_core_news (self->core, FLOW_CORE_GRAPH);
}

static void
put_in (FlowScriptDebugger *self,
        FlowGraph          *graph,
        FlowSession        *session,
        FlowStepper        *stepper,
        FlowRunFile        *file)
{
  FlowDebugCore *core = self->core;
  FlowBudget *budget = flow_session_get_budget (session);

  g_set_object (&core->graph, graph);
  g_set_object (&core->session, session);
  core->stepper = stepper;
  flow_budget_ref (budget);
  g_clear_pointer (&core->budget, flow_budget_unref);
  core->budget = budget;
  g_clear_pointer (&core->file, flow_run_file_free);
  core->file = flow_run_file_copy (file);
  g_ptr_array_set_size (core->sources, 0);
  for (guint i = 0; i < file->entries->len; i++)
    g_ptr_array_add (core->sources, (gpointer) g_intern_static_string ("file"));
  flow_set_str (&core->chosen, file->entries->len > 0 ? ((FlowRunEntry *) file->entries->pdata[0])->name : NULL);
  _flow_debug_core_forget_stale (core);
  _flow_debug_core_forget_moments (core);
}

/* What a run that is out of view and answered holds is of no use to anybody. */
void
_flow_script_drop_view (FlowScriptDebugger *self)
{
  FlowScriptRun *run = self->view;

  if (self->look != NULL)
    self->core->stepper = NULL;
  g_clear_pointer (&self->look, flow_stepper_free);
  self->looked_at = 0;
  self->view = NULL;
  if (run == NULL)
    return;
  self->core->stepper = NULL;
  if (run->state == FLOW_SCRIPT_RUN_ANSWERED)
    g_clear_pointer (&run->stepper, flow_stepper_free);
  _flow_script_run_unref (run);
}

/* A session's graph has nodes alone. The collections of the script's graph are lent to it: variables, plans, findings and
 * breakpoints ask for them. */
static void
lend_collections (FlowScriptDebugger *self,
                  guint               id,
                  FlowGraph          *to)
{
  FlowScriptGraph *graph = _flow_script_find_graph (self, id);
  FlowGraph *from = graph != NULL ? graph->graph : NULL;

  if (from != NULL && from != to)
    flow_graph_lend_collections (from, to);
}

void
_flow_script_show_run (FlowScriptDebugger *self,
                       FlowScriptRun      *run)
{
  lend_collections (self, run->graph, flow_session_get_graph (run->session));
  if (self->view != run)
    {
      _flow_script_drop_view (self);
      self->view = _flow_script_run_ref (run);
      put_in (self, flow_session_get_graph (run->session), run->session, run->stepper, run->run_file);
      _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
    }
  set_view_graph (self, run->graph);
}

/* A session between its runs: no op is next, and its variables have their values. */
void
_flow_script_look_at (FlowScriptDebugger *self,
                      FlowSession        *session,
                      guint               id,
                      guint               graph)
{
  g_autoptr (FlowRunFile) nothing = flow_run_file_new (NULL);

  lend_collections (self, graph, flow_session_get_graph (session));
  if (self->looked_at != id)
    {
      _flow_script_drop_view (self);
      self->look = flow_stepper_new (session, nothing);
      flow_stepper_set_recording (self->look, FALSE);
      self->looked_at = id;
      put_in (self, flow_session_get_graph (session), session, self->look, nothing);
      _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
    }
  set_view_graph (self, graph);
}

/* A graph without a run in view: its session has no state, only nodes to look at. */
void
_flow_script_show_graph (FlowScriptDebugger *self,
                         FlowScriptGraph    *graph)
{
  if (self->view != NULL && self->view->graph == graph->id)
    {
      set_view_graph (self, graph->id);
      return;
    }
  _flow_script_drop_view (self);
  if (graph->idle == NULL || flow_session_get_graph (graph->idle) != graph->graph)
    {
      g_autoptr (FlowRunFile) nothing = flow_run_file_new (NULL);

      g_clear_pointer (&graph->idle_stepper, flow_stepper_free);
      g_clear_object (&graph->idle);
      graph->idle = flow_session_new (graph->graph, NULL);
      graph->idle_stepper = flow_stepper_new (graph->idle, nothing);
    }
  if (self->core->stepper != graph->idle_stepper || self->core->session != graph->idle)
    {
      g_autoptr (FlowRunFile) nothing = flow_run_file_new (NULL);

      put_in (self, graph->graph, graph->idle, graph->idle_stepper, nothing);
      _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
    }
  set_view_graph (self, graph->id);
}

/* --- what the script shows -------------------------------------------------------------------------- */

void
_flow_script_graph_free (gpointer data)
{
  FlowScriptGraph *graph = data;

  g_clear_pointer (&graph->idle_stepper, flow_stepper_free);
  g_clear_object (&graph->idle);
  g_clear_object (&graph->graph);
  g_clear_pointer (&graph->sources, g_variant_unref);
  g_free (graph->label);
  g_free (graph);
}

typedef struct {
  guint id;
  char *label;
  FlowScriptGraphFlags flags;
  FlowGraph *graph;
  GVariant *sources;
} Shown;

/* While nothing is held, and nobody looks elsewhere, the default graph is in view. */
static gboolean
is_to_follow (FlowScriptDebugger *self,
              FlowScriptGraph    *graph)
{
  return graph->stack == 1 && graph->graph != NULL && self->held == NULL && self->look == NULL;
}

static void
show_graph_job (FlowScriptDebugger *self,
                gpointer            data)
{
  Shown *shown = data;
  FlowScriptGraph *graph = _flow_script_find_graph (self, shown->id);
  gboolean grew = FALSE;

  if (graph == NULL)
    {
      graph = g_new0 (FlowScriptGraph, 1);
      graph->id = shown->id;
      g_ptr_array_add (self->graphs, graph);
    }
  flow_set_str (&graph->label, shown->label);
  graph->flags = shown->flags;
  if (shown->graph != NULL)
    g_set_object (&graph->graph, shown->graph);
  if (shown->sources != NULL)
    {
      g_clear_pointer (&graph->sources, g_variant_unref);
      graph->sources = g_variant_ref (shown->sources);
    }
  grew = self->shown == graph->id && shown->graph != NULL;
  if (graph->graph != NULL && (self->shown == graph->id || is_to_follow (self, graph)))
    {
      if (self->look != NULL)
        set_view_graph (self, graph->id);
      else if (self->view == NULL || self->view->graph != graph->id)
        _flow_script_show_graph (self, graph);
      if (grew)
        _flow_debug_core_news (self->core, FLOW_CORE_GRAPH);
    }
  _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
  g_free (shown->label);
  g_clear_object (&shown->graph);
  g_clear_pointer (&shown->sources, g_variant_unref);
  g_free (shown);
}

typedef struct {
  FlowGraph *graph;
  GBytes *meta_graph;
} Collected;

static void
set_collections_job (FlowScriptDebugger *self,
                     gpointer            data)
{
  Collected *collected = data;
  g_autoptr (GError) error = NULL;

  flow_graph_clear_collections (collected->graph);
  if (!flow_graph_load_collections (collected->graph, collected->meta_graph, &error))
    g_warning ("The script's collections cannot be shown: %s", error->message);
  g_object_unref (collected->graph);
  g_bytes_unref (collected->meta_graph);
  g_free (collected);
}

/**
 * flow_script_debugger_set_collections:
 * @self: a debugger
 * @graph: a graph that is or will be shown; changed only on the kernel thread
 * @meta_graph: a serialized MetaGraphDef, of which only the collections are read
 *
 * What stands in the graph's collections, in the place of what stood there. To be followed by flow_script_debugger_show_graph().
 */
void
flow_script_debugger_set_collections (FlowScriptDebugger *self,
                                      FlowGraph          *graph,
                                      GBytes             *meta_graph)
{
  Collected *collected = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));
  g_return_if_fail (FLOW_IS_GRAPH (graph));
  g_return_if_fail (meta_graph != NULL);

  collected = g_new0 (Collected, 1);
  collected->graph = g_object_ref (graph);
  collected->meta_graph = g_bytes_ref (meta_graph);
  _flow_script_push (self, set_collections_job, collected);
}

/**
 * flow_script_debugger_show_graph:
 * @self: a debugger
 * @id: a number for the graph, from 1
 * @label: what a person calls it
 * @flags: how it stands
 * @graph: (nullable): its nodes; grows only on the kernel thread; %NULL: as before
 * @sources: (nullable): where its nodes were made, see the method ScriptSources; sunk; %NULL: as before
 *
 * A graph of the script is new, has grown, or stands differently.
 */
void
flow_script_debugger_show_graph (FlowScriptDebugger   *self,
                                 guint                 id,
                                 const char           *label,
                                 FlowScriptGraphFlags  flags,
                                 FlowGraph            *graph,
                                 GVariant             *sources)
{
  Shown *shown = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  shown = g_new0 (Shown, 1);
  shown->id = id;
  shown->label = g_strdup (label);
  shown->flags = flags;
  shown->graph = graph != NULL ? g_object_ref (graph) : NULL;
  shown->sources = sources != NULL ? g_variant_ref_sink (sources) : NULL;
  _flow_script_push (self, show_graph_job, shown);
}

static void
set_stack_job (FlowScriptDebugger *self,
               gpointer            data)
{
  GVariant *ids = data;
  gboolean changed = FALSE;

  for (guint i = 0; i < self->graphs->len; i++)
    {
      FlowScriptGraph *graph = self->graphs->pdata[i];
      guint place = 0;

      for (gsize k = 0; graph->id > 0 && k < g_variant_n_children (ids) && place == 0; k++)
        {
          guint id = 0;

          g_variant_get_child (ids, k, "u", &id);
          place = id == graph->id ? (guint) k + 1 : 0;
        }
      changed = changed || graph->stack != place;
      graph->stack = place;
    }
  for (guint i = 0; changed && i < self->graphs->len; i++)
    if (is_to_follow (self, self->graphs->pdata[i]))
      _flow_script_show_graph (self, self->graphs->pdata[i]);
  g_variant_unref (ids);
  if (changed)
    _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
}

/**
 * flow_script_debugger_set_stack:
 * @self: a debugger
 * @ids: au, sunk: the default graph, then the one that was it before, and so on; 0 for one that is not shown
 *
 * How the script's stack of default graphs stands, for graphs that were shown before.
 */
void
flow_script_debugger_set_stack (FlowScriptDebugger *self,
                                GVariant           *ids)
{
  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));
  g_return_if_fail (g_variant_is_of_type (ids, G_VARIANT_TYPE ("au")));

  _flow_script_push (self, set_stack_job, g_variant_ref_sink (ids));
}

/* --- methods ---------------------------------------------------------------------------------------- */

void
_flow_script_graphs_job (FlowScriptDebugger *self,
                         gpointer            data)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->graphs->len; i++)
    {
      FlowScriptGraph *graph = self->graphs->pdata[i];
      GVariantDict row;

      if (graph->id == 0 || (graph->flags & FLOW_SCRIPT_GRAPH_GONE) != 0)
        continue;
      g_variant_dict_init (&row, NULL);
      g_variant_dict_insert (&row, "id", "u", graph->id);
      g_variant_dict_insert (&row, "label", "s", graph->label);
      g_variant_dict_insert (&row, "nodes", "u", graph->graph != NULL ? flow_graph_get_n_nodes (graph->graph) : 0);
      g_variant_dict_insert (&row, "shown", "b", graph->id == self->shown);
      g_variant_dict_insert (&row, "stack", "u", graph->stack);
      g_variant_dict_insert (&row, "cleared", "b", (graph->flags & FLOW_SCRIPT_GRAPH_CLEARED) != 0);
      g_variant_dict_insert_value (&row, "sessions", _flow_script_list_sessions (self, graph->id));
      g_variant_builder_add_value (&rows, g_variant_dict_end (&row));
    }
  _flow_script_reply (data, g_variant_new ("(@aa{sv})", g_variant_builder_end (&rows)));
}

void
_flow_script_show_job (FlowScriptDebugger *self,
                       gpointer            data)
{
  guint id = 0;
  FlowScriptGraph *graph = NULL;

  g_variant_get (g_task_get_task_data (data), "(u)", &id);
  graph = _flow_script_find_graph (self, id);
  if (graph == NULL || graph->graph == NULL)
    {
      g_task_return_new_error (data, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "the script has no graph %u", id);
      g_object_unref (data);
      return;
    }
  if (self->held != NULL && self->held->graph == id)
    _flow_script_show_run (self, self->held);
  else
    _flow_script_show_graph (self, graph);
  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
  _flow_script_reply (data, NULL);
}

void
_flow_script_sources_job (FlowScriptDebugger *self,
                          gpointer            data)
{
  FlowScriptGraph *graph = _flow_script_find_graph (self, self->shown);
  GVariant *sources = graph != NULL && graph->sources != NULL ? graph->sources : g_variant_new ("()");

  _flow_script_reply (data, g_variant_new ("(v)", sources));
}
