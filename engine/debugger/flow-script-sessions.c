/* flow-script-sessions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-util.h"

/* The sessions of a script, also those that it hides in its objects. What they hold is looked at between their runs; it
 * is the script's, and goes when the script drops it. */

void
_flow_script_session_free (gpointer data)
{
  FlowScriptSession *self = data;

  g_weak_ref_clear (&self->session);
  g_free (self->name);
  g_free (self->made);
  g_free (self);
}

static FlowScriptSession *
find_session (FlowScriptDebugger *self,
              guint               id)
{
  for (guint i = 0; i < self->sessions->len; i++)
    if (((FlowScriptSession *) self->sessions->pdata[i])->id == id)
      return self->sessions->pdata[i];
  return NULL;
}

/* Whether it is the one whose values are in view. */
static gboolean
is_shown (FlowScriptDebugger *self,
          FlowScriptSession  *known)
{
  g_autoptr (FlowSession) session = g_weak_ref_get (&known->session);

  return session != NULL && self->core->session == session;
}

GVariant *
_flow_script_list_sessions (FlowScriptDebugger *self,
                            guint               graph)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a{uv}"));
  for (guint i = 0; i < self->sessions->len; i++)
    {
      FlowScriptSession *known = self->sessions->pdata[i];
      GVariantDict row;

      if (known->graph != graph || (known->flags & FLOW_SCRIPT_SESSION_GONE) != 0)
        continue;
      g_variant_dict_init (&row, NULL);
      g_variant_dict_insert (&row, "name", "s", known->name);
      g_variant_dict_insert (&row, "closed", "b", (known->flags & FLOW_SCRIPT_SESSION_CLOSED) != 0);
      g_variant_dict_insert (&row, "shown", "b", is_shown (self, known));
      g_variant_dict_insert (&row, "made", "s", known->made);
      g_variant_builder_add (&rows, "{uv}", known->id, g_variant_dict_end (&row));
    }
  return g_variant_builder_end (&rows);
}

typedef struct {
  guint id;
  guint graph;
  char *name;
  char *made;
  FlowScriptSessionFlags flags;
  FlowSession *session;
} Shown;

static void
show_job (FlowScriptDebugger *self,
          gpointer            data)
{
  Shown *shown = data;
  FlowScriptSession *known = find_session (self, shown->id);

  if (known == NULL)
    {
      known = g_new0 (FlowScriptSession, 1);
      known->id = shown->id;
      g_weak_ref_init (&known->session, NULL);
      g_ptr_array_add (self->sessions, known);
    }
  known->graph = shown->graph;
  known->flags = shown->flags;
  flow_set_str (&known->name, shown->name);
  flow_set_str (&known->made, shown->made);
  if (shown->session != NULL)
    g_weak_ref_set (&known->session, shown->session);
  /* What is looked at keeps it alive: a session that is gone goes out of view. */
  if ((known->flags & FLOW_SCRIPT_SESSION_GONE) != 0 && self->looked_at == known->id)
    {
      FlowScriptGraph *graph = _flow_script_find_graph (self, known->graph);

      if (graph != NULL && graph->graph != NULL)
        _flow_script_show_graph (self, graph);
    }
  _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
  g_free (shown->name);
  g_free (shown->made);
  g_clear_object (&shown->session);
  g_free (shown);
}

/**
 * flow_script_debugger_show_session:
 * @self: a debugger
 * @id: a number for the session, from 1
 * @name: what a person calls it
 * @graph: the id of its graph
 * @made: where the script made it
 * @flags: how it stands
 * @session: (nullable): the session once it has one; not kept alive; %NULL: as before
 *
 * A session of the script is new, or stands differently.
 */
void
flow_script_debugger_show_session (FlowScriptDebugger     *self,
                                   guint                   id,
                                   const char             *name,
                                   guint                   graph,
                                   const char             *made,
                                   FlowScriptSessionFlags  flags,
                                   FlowSession            *session)
{
  Shown *shown = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  shown = g_new0 (Shown, 1);
  shown->id = id;
  shown->name = g_strdup (name);
  shown->graph = graph;
  shown->made = g_strdup (made);
  shown->flags = flags;
  shown->session = session != NULL ? g_object_ref (session) : NULL;
  _flow_script_push (self, show_job, shown);
}

void
_flow_script_show_session_job (FlowScriptDebugger *self,
                               gpointer            data)
{
  guint id = 0;
  FlowScriptSession *known = NULL;
  g_autoptr (FlowSession) session = NULL;

  g_variant_get (g_task_get_task_data (data), "(u)", &id);
  known = find_session (self, id);
  session = known != NULL ? g_weak_ref_get (&known->session) : NULL;
  if (known == NULL || session == NULL)
    {
      g_task_return_new_error (data, FLOW_ERROR, known == NULL ? FLOW_ERROR_NOT_FOUND : FLOW_ERROR_FAILED_PRECONDITION,
                               known == NULL ? "the script has no session %u" : "session %u has run nothing yet", id);
      g_object_unref (data);
      return;
    }
  if (self->held != NULL && self->held->session == session)
    _flow_script_show_run (self, self->held);
  else if (self->view == NULL || self->view->session != session)
    _flow_script_look_at (self, session, id, known->graph);
  else
    _flow_script_show_run (self, self->view);
  _flow_debug_core_news (self->core, FLOW_CORE_CHANGED);
  _flow_script_reply (data, NULL);
}
