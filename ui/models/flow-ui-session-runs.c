/* flow-ui-session-runs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-ui-session-private.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-variant-item.h"
#include "flow-variant-rows.h"

/* Runs and the files they stand in. */

static void
emit (FlowUiSession *self,
      guint          signal)
{
  g_signal_emit (self, _flow_ui_session_signals[signal], 0);
}

static void
plan_cb (GObject           *owner,
         FlowDebuggerReply *reply,
         const GError      *error,
         gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);

  if (error != NULL)
    {
      flow_ui_session_report (self, _("This run cannot be planned"), error);
      /* A name that no run has chooses nothing. */
      if (g_error_matches (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND) && self->planned_run != NULL)
        {
          g_free (self->chosen_run);
          self->chosen_run = g_strdup (self->planned_run);
          emit (self, FLOW_UI_SIGNAL_PLAN_CHANGED);
        }
      return;
    }
  g_free (self->planned_run);
  self->planned_run = g_strdup (self->chosen_run);
  g_clear_pointer (&self->plan, g_variant_unref);
  if (g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    self->plan = g_variant_get_child_value (reply->value, 0);
  _flow_ui_session_state_changed (self);
  emit (self, FLOW_UI_SIGNAL_PLAN_CHANGED);
}

static void
replanned_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  if (error == NULL)
    plan_cb (owner, reply, error, data);
}

/* What a run finds uninitialized has changed. */
void
_flow_ui_session_ask_plan (FlowUiSession *self)
{
  const FlowDebugState *state = self->state;
  gboolean is_in_run = state != NULL && state->run != NULL && state->run[0] != '\0' && state->status != FLOW_DEBUG_IDLE;
  const char *run = is_in_run ? state->run : self->chosen_run;

  if (run != NULL)
    flow_ui_session_query (self, self, "plan", "Plan", g_variant_new ("(s)", run), replanned_cb, NULL);
}

static void
choose (FlowUiSession *self,
        const char    *name,
        FlowQueryFunc  callback)
{
  g_autofree char *copy = g_strdup (name);

  g_free (self->chosen_run);
  self->chosen_run = g_steal_pointer (&copy);
  emit (self, FLOW_UI_SIGNAL_PLAN_CHANGED);
  flow_ui_session_command (self, NULL, "ChooseRun", g_variant_new ("(s)", self->chosen_run), NULL, self, callback, NULL);
}

/* A file that comes with runs shows at once what the first one executes. */
static void
choose_first (FlowUiSession *self)
{
  g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), 0);
  const char *name = item != NULL ? flow_variant_item_get_string (item, "name") : NULL;

  if (name != NULL)
    flow_ui_session_choose_run (self, name);
}

/* A script does not wait: what it ran may be over before it can be planned. */
static void
script_plan_cb (GObject           *owner,
                FlowDebuggerReply *reply,
                const GError      *error,
                gpointer           data)
{
  if (!g_error_matches (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND))
    plan_cb (owner, reply, error, data);
}

/* The run of a script that is in view is the only one there is. */
static void
choose_of_script (FlowUiSession *self,
                  GVariant      *rows)
{
  g_autoptr(GVariant) row = g_variant_n_children (rows) > 0 ? g_variant_get_child_value (rows, 0) : NULL;
  const char *name = row != NULL ? flow_lookup_string (row, "name") : NULL;

  if (name != NULL)
    {
      if (g_strcmp0 (name, self->chosen_run) != 0)
        choose (self, name, script_plan_cb);
      return;
    }
  g_clear_pointer (&self->chosen_run, g_free);
  g_clear_pointer (&self->plan, g_variant_unref);
}

static void
runs_cb (GObject           *owner,
         FlowDebuggerReply *reply,
         const GError      *error,
         gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);
  g_autoptr(GVariant) rows = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  flow_variant_store_update (self->runs, rows, "name");
  if (self->resume_run != NULL)
    {
      g_autofree char *name = g_steal_pointer (&self->resume_run);

      flow_ui_session_choose_run (self, name);
    }
  else if (flow_ui_session_is_script (self))
    {
      choose_of_script (self, rows);
    }
  else if (self->chosen_run == NULL)
    {
      choose_first (self);
    }
  emit (self, FLOW_UI_SIGNAL_PLAN_CHANGED);
}

static void
run_files_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);

  g_clear_pointer (&self->run_files, g_variant_unref);
  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(sb))")))
    self->run_files = g_variant_get_child_value (reply->value, 0);
  emit (self, FLOW_UI_SIGNAL_PLAN_CHANGED);
}

void
_flow_ui_session_ask_runs (FlowUiSession *self)
{
  flow_ui_session_query (self, self, "run-files", "ListRunFiles", NULL, run_files_cb, NULL);
  flow_ui_session_query (self, self, "runs", "ListRuns", NULL, runs_cb, NULL);
}

/**
 * flow_ui_session_choose_run:
 *
 * Chooses the run that the canvas marks and that `restart` begins. Emits `plan-changed` when the
 * debugger has planned it.
 */
void
flow_ui_session_choose_run (FlowUiSession *self,
                            const char    *name)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (name != NULL);

  choose (self, name, plan_cb);
}

static void
loaded_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);

  if (error == NULL)
    {
      g_clear_pointer (&self->chosen_run, g_free);
      g_clear_pointer (&self->plan, g_variant_unref);
    }
  _flow_ui_session_ask_runs (self);
}

/**
 * flow_ui_session_load_run_file:
 * @path: a run file of the graph that is open
 *
 * Its runs take the place of those at hand, and the session begins anew.
 */
void
flow_ui_session_load_run_file (FlowUiSession *self,
                               const char    *path)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (path != NULL);

  flow_ui_session_command (self, _("The run file could not be read"), "LoadRunFile", g_variant_new ("(s)", path), NULL,
                           self, loaded_cb, NULL);
}

/**
 * flow_ui_session_get_run_files:
 *
 * Returns: (transfer none) (nullable): `a(sb)`, the run files of the graph: path, and whether its runs
 *   are those at hand
 */
GVariant *
flow_ui_session_get_run_files (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->run_files;
}

/**
 * flow_ui_session_has_unsaved_runs:
 *
 * Returns: whether a run was made or changed that stands in no file yet
 */
gboolean
flow_ui_session_has_unsaved_runs (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->runs)); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      if (g_strcmp0 (flow_variant_item_get_string (item, "source"), "own") == 0)
        return TRUE;
    }
  return FALSE;
}

GListModel *
flow_ui_session_get_runs (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return G_LIST_MODEL (self->runs);
}

/* How often a run of that name is done; 0 when there is none. */
guint
flow_ui_session_get_repeat (FlowUiSession *self,
                            const char    *run)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), 0);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->runs)); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      if (g_strcmp0 (flow_variant_item_get_string (item, "name"), run) == 0)
        return (guint) flow_lookup_int (flow_variant_item_get_value (item), "repeat", 1);
    }
  return 0;
}

const char *
flow_ui_session_get_chosen_run (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->chosen_run;
}

GVariant *
flow_ui_session_get_plan (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->plan;
}
