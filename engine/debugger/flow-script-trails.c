/* flow-script-trails.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-tensor-stats.h"

#include <string.h>

/*
 * What tensors and variables were when a script's runs were answered. The history of a run ends with its answer, so that
 * of a tensor that somebody follows, and of each number that a script fetches, its mean is kept run by run. No run can be
 * gone back to by it.
 */

/* Followed at the same time; the one that was asked for longest ago makes room. */
#define MAX_TRAILS 400
/* The oldest quarter makes room. */
#define MAX_POINTS 4096
/* To go over more elements after each run would be felt. */
#define MAX_ELEMENTS (1 << 20)

typedef struct {
  char *session;               /* its name */
  char *tensor;                /* NODE:SLOT */
  GArray *points;              /* of Point */
} Trail;

typedef struct {
  guint64 run;
  double mean;
} Point;

void
_flow_script_trail_free (gpointer data)
{
  Trail *trail = data;

  g_free (trail->session);
  g_free (trail->tensor);
  g_array_unref (trail->points);
  g_free (trail);
}

/* Index in the trails, their number if it is none of them. */
static guint
find_trail (FlowScriptDebugger *self,
            const char         *session,
            const char         *tensor)
{
  guint i = 0;

  for (; i < self->trails->len; i++)
    {
      Trail *trail = self->trails->pdata[i];

      if (strcmp (trail->tensor, tensor) == 0 && strcmp (trail->session, session) == 0)
        break;
    }
  return i;
}

static Trail *
add_trail (FlowScriptDebugger *self,
           const char         *session,
           const char         *tensor)
{
  Trail *trail = g_new0 (Trail, 1);

  trail->session = g_strdup (session);
  trail->tensor = g_strdup (tensor);
  trail->points = g_array_new (FALSE, FALSE, sizeof (Point));
  if (self->trails->len == MAX_TRAILS)
    g_ptr_array_remove_index (self->trails, 0);
  g_ptr_array_add (self->trails, trail);
  return trail;
}

static void
add_point (Trail      *trail,
           guint64     run,
           FlowTensor *value)
{
  g_autoptr (FlowTensorStats) stats = NULL;
  Point point = { run, 0 };

  if (value == NULL || value->n_elements > MAX_ELEMENTS)
    return;
  stats = flow_tensor_stats_new (value, 0);
  if (!stats->is_number)
    return;
  point.mean = stats->mean;
  if (trail->points->len == MAX_POINTS)
    g_array_remove_range (trail->points, 0, MAX_POINTS / 4);
  g_array_append_val (trail->points, point);
}

/* What an op gave last, where its steps were recorded. */
static FlowTensor *
dup_recorded (FlowScriptRun *run,
              FlowEndpoint   endpoint)
{
  const GArray *positions = run->stepper != NULL ? flow_stepper_list_events_of (run->stepper, endpoint.node) : NULL;
  const FlowEvent *event = NULL;

  if (positions == NULL || positions->len == 0)
    return NULL;
  event = flow_stepper_get_event (run->stepper, g_array_index (positions, guint64, positions->len - 1));
  if (event == NULL || event->dead || event->outputs == NULL || (guint) endpoint.slot >= event->n_outputs
      || event->outputs[endpoint.slot] == NULL)
    return NULL;
  return flow_tensor_ref (event->outputs[endpoint.slot]);
}

static FlowTensor *
dup_value (FlowScriptRun *run,
           const char    *tensor)
{
  FlowGraph *graph = flow_session_get_graph (run->session);
  FlowEndpoint endpoint = { 0 };

  if (!flow_graph_parse_endpoint (graph, tensor, &endpoint, NULL) || endpoint.slot < 0)
    return NULL;
  if (flow_session_is_variable_node (run->session, endpoint.node))
    {
      g_autofree char *name = flow_session_get_variable_name (run->session, endpoint.node);

      return flow_session_dup_variable (run->session, name);
    }
  return dup_recorded (run, endpoint);
}

/* Nobody has to ask for the numbers that a script itself does. */
static void
follow_fetched (FlowScriptDebugger *self,
                FlowScriptRun      *run,
                GPtrArray          *fetched)
{
  for (guint i = 0; i < fetched->len && run->fetches[i] != NULL; i++)
    {
      FlowTensor *value = fetched->pdata[i];

      if (value != NULL && value->n_elements == 1
          && find_trail (self, run->session_name, run->fetches[i]) == self->trails->len)
        add_trail (self, run->session_name, run->fetches[i]);
    }
}

/* @fetched: the values of its fetches. The run was answered without an error. */
void
_flow_script_trail_run (FlowScriptDebugger *self,
                        FlowScriptRun      *run,
                        GPtrArray          *fetched)
{
  follow_fetched (self, run, fetched);
  for (guint i = 0; i < self->trails->len; i++)
    {
      Trail *trail = self->trails->pdata[i];
      g_autoptr (FlowTensor) value = NULL;

      if (strcmp (trail->session, run->session_name) != 0)
        continue;
      for (guint k = 0; value == NULL && k < fetched->len && run->fetches[k] != NULL; k++)
        if (strcmp (run->fetches[k], trail->tensor) == 0 && fetched->pdata[k] != NULL)
          value = flow_tensor_ref (fetched->pdata[k]);
      if (value == NULL)
        value = dup_value (run, trail->tensor);
      add_point (trail, run->number, value);
    }
}

/* The session that is in view; NULL: a graph is that has none yet. */
static const char *
name_session_in_view (FlowScriptDebugger *self)
{
  if (self->view != NULL)
    return self->view->session_name;
  for (guint i = 0; i < self->sessions->len; i++)
    {
      FlowScriptSession *session = self->sessions->pdata[i];

      if (self->looked_at != 0 && session->id == self->looked_at)
        return session->name;
    }
  return NULL;
}

void
_flow_script_trail_job (FlowScriptDebugger *self,
                        gpointer            data)
{
  const char *session = name_session_in_view (self);
  const char *asked = NULL;
  g_autofree char *tensor = NULL;
  FlowEndpoint endpoint = { 0 };
  GVariantBuilder points[2];
  Trail *trail = NULL;
  GError *error = NULL;

  g_variant_get (g_task_get_task_data (data), "(&s)", &asked);
  if (!flow_graph_parse_endpoint (self->core->graph, asked, &endpoint, &error))
    {
      g_task_return_error (data, error);
      g_object_unref (data);
      return;
    }
  tensor = g_strdup_printf ("%s:%d", flow_graph_get_node_name (self->core->graph, endpoint.node), endpoint.slot);
  if (session != NULL && endpoint.slot >= 0)
    {
      guint i = find_trail (self, session, tensor);

      if (i < self->trails->len)
        {
          trail = g_ptr_array_steal_index (self->trails, i);
          g_ptr_array_add (self->trails, trail);
        }
      else
        trail = add_trail (self, session, tensor);
    }
  for (guint k = 0; k < 2; k++)
    g_variant_builder_init (&points[k], G_VARIANT_TYPE ("a(td)"));
  for (guint i = 0; trail != NULL && i < trail->points->len; i++)
    {
      const Point *point = &g_array_index (trail->points, Point, i);

      /* The history has what the run in view did. */
      if (self->view == NULL || point->run != self->view->number)
        g_variant_builder_add (&points[self->view != NULL && point->run > self->view->number], "(td)", point->run,
                               point->mean);
    }
  _flow_script_reply (data, g_variant_new ("(a(td)a(td))", &points[0], &points[1]));
}
