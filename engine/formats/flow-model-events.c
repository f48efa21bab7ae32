/* flow-model-events.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Event files as models: the graph that was written with the events, and the events beside it.
 */

#include "config.h"

#include "flow-model-private.h"

#include "flow-event-file-private.h"

#include <string.h>

/* Problems of the graph are told with their place in the file, not in the event. */
static void
move_offsets (GPtrArray *problems,
              gsize      offset)
{
  for (guint i = 0; i < problems->len; i++)
    {
      FlowProblem *problem = problems->pdata[i];

      if (problem->offset >= 0)
        problem->offset += (gint64) offset;
    }
}

static void
take_problems (FlowModel *self,
               GPtrArray *problems)
{
  for (guint i = 0; i < problems->len && self->problems->len < FLOW_MAX_PROBLEMS; i++)
    {
      const FlowProblem *problem = problems->pdata[i];

      g_ptr_array_add (self->problems, flow_problem_new (problem->code, problem->severity, problem->node,
                                                         problem->field, problem->offset, "%s", problem->text));
    }
}

static gboolean
ends_opening (const GError *error)
{
  return error->domain != FLOW_ERROR || error->code == FLOW_ERROR_RESOURCE_EXHAUSTED;
}

/* The model of graph @i of the events, NULL if it does not open. */
static FlowModel *
load_graph (FlowEventFile          *events,
            guint                   i,
            const char             *label,
            const FlowLoadOptions  *options,
            FlowBudget             *budget,
            GError                **error)
{
  gboolean is_meta_graph = FALSE;
  gsize offset = 0;
  g_autoptr (GBytes) bytes = _flow_event_file_dup_nth_graph (events, i, &is_meta_graph, &offset);
  g_autoptr (FlowModel) self = _flow_model_new (label, is_meta_graph ? FLOW_MODEL_META_GRAPH : FLOW_MODEL_GRAPH_DEF);
  g_autoptr (FlowLoad) load = NULL;

  load = _flow_load_new (bytes, is_meta_graph ? FLOW_MESSAGE_META_GRAPH_DEF : FLOW_MESSAGE_GRAPH_DEF, label,
                         options, budget, self->problems);
  if (!_flow_model_load_message (self, load, options, error))
    return NULL;
  move_offsets (self->problems, offset);
  self->budget = flow_budget_ref (budget);
  self->reserved = load->reserved;
  load->reserved = 0;
  return g_steal_pointer (&self);
}

/* A model of events: their best graph that opens, or an empty one. What keeps a graph from opening is
 * listed; the rest is shown. Takes over no reference. */
FlowModel *
_flow_model_new_for_events (FlowEventFile          *events,
                            const char             *label,
                            const FlowLoadOptions  *options,
                            FlowBudget             *budget,
                            GError                **error)
{
  g_autoptr (FlowModel) self = NULL;
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);

  for (guint i = 0; self == NULL && i < events->graphs->len; i++)
    {
      g_autoptr (GError) local = NULL;

      self = load_graph (events, i, label, options, budget, &local);
      if (self != NULL)
        continue;
      if (ends_opening (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      g_ptr_array_add (failures, flow_problem_new (local->code, 2, NULL, "graph_def", -1, "%s", local->message));
    }
  if (self == NULL)
    {
      self = _flow_model_new (label, FLOW_MODEL_GRAPH_DEF);
      self->graph_bytes = g_bytes_new_static ("", 0);
      if (failures->len == 0)
        g_ptr_array_add (failures, flow_problem_new (0, 0, NULL, NULL, -1, "%s holds events, but no graph", label));
    }
  self->kind = FLOW_MODEL_EVENT_FILE;
  self->events = g_object_ref (events);
  take_problems (self, failures);
  take_problems (self, events->problems);
  return g_steal_pointer (&self);
}

/* Whether unpacked bytes are to be read as events: by content, or by name where the first record is
 * damaged, which then is what there is to say. */
gboolean
_flow_model_is_event_file (GBytes     *bytes,
                           const char *label)
{
  g_autofree char *name = NULL;

  if (flow_event_file_is_event_file (bytes))
    return TRUE;
  name = g_path_get_basename (label);
  return strstr (name, "tfevents") != NULL && g_bytes_get_size (bytes) > 0;
}

/* The model of one event file. */
FlowModel *
_flow_model_load_event_bytes (GBytes                 *bytes,
                              const char             *label,
                              const FlowLoadOptions  *options,
                              FlowBudget             *budget,
                              GError                **error)
{
  g_autoptr (FlowEventFile) events = NULL;
  const char *labels[] = { label };

  events = flow_event_file_load_bytes (&bytes, 1, labels, budget, options != NULL ? options->cancellable : NULL,
                                       error);
  return events != NULL ? _flow_model_new_for_events (events, label, options, budget, error) : NULL;
}

/* The model of all event files of a folder. */
FlowModel *
_flow_model_load_event_folder (const char             *folder,
                               char                  **paths,
                               const FlowLoadOptions  *options,
                               GError                **error)
{
  g_autoptr (FlowBudget) budget = NULL;
  g_autoptr (FlowEventFile) events = NULL;

  if (options != NULL && options->budget != NULL)
    budget = flow_budget_ref (options->budget);
  else
    budget = flow_budget_new (flow_budget_default_limit ());
  events = _flow_event_file_load_list (paths, budget, options != NULL ? options->cancellable : NULL, error);
  return events != NULL ? _flow_model_new_for_events (events, folder, options, budget, error) : NULL;
}
