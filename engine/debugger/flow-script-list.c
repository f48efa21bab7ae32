/* flow-script-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-tensor-text.h"

#include <string.h>

/* The list of a script's runs: those that were answered, and those on their way. */

/* Answered runs that are remembered. */
#define MAX_LOG 5000
/* The list of runs is told to have changed this often while the script runs freely. */
#define TELL_RUNS_EVERY_US 200000
/* How much of a fetched value stands in the list of runs. */
#define RESULT_CHARS 60

/* A number is a number; of all else what it is like. */
static char *
describe_value (FlowTensor *value)
{
  g_autofree char *shape = NULL;

  if (value->shape->rank == 0)
    {
      g_autofree char *summary = flow_tensor_summary (value);
      const char *number = strstr (summary, " = ");

      return g_strdup (number != NULL ? number + 3 : summary);
    }
  shape = flow_shape_to_string (value->shape);
  return g_strdup_printf ("%s %s", flow_dtype_name (value->dtype), shape);
}

static char *
describe_result (FlowScriptRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; run->fetched != NULL && i < run->fetched->len && text->len < RESULT_CHARS; i++)
    {
      FlowTensor *value = run->fetched->pdata[i];
      g_autofree char *summary = value != NULL ? describe_value (value) : g_strdup ("dead");

      g_string_append_printf (text, "%s%.*s", i > 0 ? ", " : "", RESULT_CHARS, summary);
    }
  /* The cut may have split a character. */
  return g_utf8_make_valid (text->str, -1);
}

GVariant *
_flow_script_describe_run (FlowScriptRun *run,
                           gint64         us,
                           const char    *error)
{
  g_autofree char *result = us >= 0 ? describe_result (run) : g_strdup ("");
  GVariantDict row;
  GVariantBuilder feeds;

  g_variant_dict_init (&row, NULL);
  g_variant_builder_init (&feeds, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; run->feeds[i] != NULL; i++)
    {
      g_autofree char *text = describe_value (run->values->pdata[i]);

      g_variant_builder_add (&feeds, "{ss}", run->feeds[i], text);
    }
  g_variant_dict_insert (&row, "number", "t", run->number);
  g_variant_dict_insert (&row, "name", "s", run->label);
  g_variant_dict_insert (&row, "session", "s", run->session_name);
  g_variant_dict_insert (&row, "thread", "s", run->thread);
  g_variant_dict_insert (&row, "graph", "u", run->graph);
  g_variant_dict_insert (&row, "fetches", "^as", run->fetches);
  g_variant_dict_insert (&row, "targets", "^as", run->targets);
  g_variant_dict_insert_value (&row, "feeds", g_variant_builder_end (&feeds));
  g_variant_dict_insert (&row, "file", "s", run->file);
  g_variant_dict_insert (&row, "line", "u", run->line);
  g_variant_dict_insert (&row, "us", "x", us);
  g_variant_dict_insert (&row, "held_us", "x", run->held_us);
  g_variant_dict_insert (&row, "result", "s", result);
  g_variant_dict_insert (&row, "error", "s", error != NULL ? error : "");
  return g_variant_dict_end (&row);
}

static GVariant *
list_runs (FlowScriptDebugger *self,
           guint64             from)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  for (GList *l = self->log.head; l != NULL; l = l->next)
    {
      guint64 number = 0;

      if (g_variant_lookup (l->data, "number", "t", &number) && number >= from)
        g_variant_builder_add_value (&rows, l->data);
    }
  for (GList *l = self->runs.head; l != NULL; l = l->next)
    if (((FlowScriptRun *) l->data)->number >= from)
      g_variant_builder_add_value (&rows, _flow_script_describe_run (l->data, -1, NULL));
  return g_variant_builder_end (&rows);
}

void
_flow_script_tell_runs (FlowScriptDebugger *self,
                        gboolean            at_once)
{
  gint64 now = g_get_monotonic_time ();

  if (!at_once && now - self->told_us < TELL_RUNS_EVERY_US)
    return;
  self->told_us = now;
  _flow_debug_core_news (self->core, FLOW_CORE_RUNS);
}

/* Takes @row, which is NULL for a run that is not listed. */
void
_flow_script_log_run (FlowScriptDebugger *self,
                      GVariant           *row)
{
  if (row != NULL)
    g_queue_push_tail (&self->log, row);
  if (self->log.length > MAX_LOG)
    g_variant_unref (g_queue_pop_head (&self->log));
  _flow_script_tell_runs (self, FALSE);
}

void
_flow_script_runs_job (FlowScriptDebugger *self,
                       gpointer            data)
{
  guint64 from = 0;

  g_variant_get (g_task_get_task_data (data), "(t)", &from);
  _flow_script_reply (data, g_variant_new ("(@aa{sv})", list_runs (self, from)));
}
