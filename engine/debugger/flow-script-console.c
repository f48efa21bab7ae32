/* flow-script-console.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include <string.h>

/* What a person types: evaluated by the thread of the script that stands still, or read by one that waits for a line. */

void
_flow_script_ask_console (FlowScriptDebugger *self,
                          GTask              *task,
                          GVariant           *arguments)
{
  const char *text = NULL;

  g_variant_get (arguments, "(&s)", &text);
  g_task_set_task_data (task, g_strdup (text), g_free);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->console, task);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/**
 * flow_script_debugger_take_console:
 * @self: a debugger
 *
 * Returns: (transfer full) (nullable): what a person wants evaluated; %NULL: another thread has taken it
 */
char *
flow_script_debugger_take_console (FlowScriptDebugger *self)
{
  char *text = NULL;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), NULL);

  g_mutex_lock (&self->mutex);
  if (self->evaluating == NULL && self->console.length > 0)
    {
      self->evaluating = g_queue_pop_head (&self->console);
      text = g_strdup (g_task_get_task_data (self->evaluating));
    }
  g_mutex_unlock (&self->mutex);
  return text;
}

typedef struct {
  GTask *task;
  char *output;
} Answer;

static void
answer_job (FlowScriptDebugger *self,
            gpointer            data)
{
  Answer *answer = data;

  _flow_script_reply (answer->task, g_variant_new ("(s)", answer->output));
  g_free (answer->output);
  g_free (answer);
}

/**
 * flow_script_debugger_answer_console:
 * @self: a debugger
 * @output: what it printed, and the value's text
 *
 * Ends what flow_script_debugger_take_console() began.
 */
void
flow_script_debugger_answer_console (FlowScriptDebugger *self,
                                     const char         *output)
{
  GTask *task = NULL;
  Answer *answer = NULL;

  g_return_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self));

  g_mutex_lock (&self->mutex);
  task = g_steal_pointer (&self->evaluating);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  if (task == NULL)
    return;
  /* After what it did to graphs, which is on its way to the kernel thread. */
  answer = g_new0 (Answer, 1);
  answer->task = task;
  answer->output = g_utf8_make_valid (output, -1);
  _flow_script_push (self, answer_job, answer);
}

/* --- standard input ----------------------------------------------------------------------------------- */

static void
tell_input_job (FlowScriptDebugger *self,
                gpointer            data)
{
  if (self->held == NULL && !self->has_ended && self->core->status == FLOW_DEBUG_RUNNING)
    _flow_script_set_running (self);
}

/**
 * flow_script_debugger_wait_input:
 * @self: a debugger
 * @ms: how long
 *
 * A thread of the script waits for a line of its standard input. Who looks is told so until it has come.
 *
 * Returns: (transfer full) (nullable): the line with its end; empty: the input is at its end; %NULL: nothing yet
 */
char *
flow_script_debugger_wait_input (FlowScriptDebugger *self,
                                 guint               ms)
{
  gint64 until = g_get_monotonic_time () + (gint64) ms * G_TIME_SPAN_MILLISECOND;
  char *line = NULL;
  gboolean told = FALSE;
  gboolean in_time = TRUE;

  g_return_val_if_fail (FLOW_IS_SCRIPT_DEBUGGER (self), NULL);

  g_mutex_lock (&self->mutex);
  while (line == NULL)
    {
      const char *end = memchr (self->input->str, '\n', self->input->len);

      if (end != NULL || self->input_ended || self->closed)
        {
          line = g_strndup (self->input->str, end != NULL ? (gsize) (end - self->input->str) + 1 : self->input->len);
          g_string_erase (self->input, 0, (gssize) strlen (line));
          break;
        }
      told = told || !self->wants_input;
      self->wants_input = TRUE;
      if (told)
        {
          g_mutex_unlock (&self->mutex);
          _flow_script_push (self, tell_input_job, NULL);
          g_mutex_lock (&self->mutex);
          told = FALSE;
          continue;
        }
      if (!in_time)
        break;
      in_time = g_cond_wait_until (&self->cond, &self->mutex, until);
    }
  told = line != NULL && self->wants_input;
  if (line != NULL)
    self->wants_input = FALSE;
  g_mutex_unlock (&self->mutex);
  if (told)
    _flow_script_push (self, tell_input_job, NULL);
  return line;
}

void
_flow_script_input_job (FlowScriptDebugger *self,
                        gpointer            data)
{
  const char *text = NULL;
  gboolean end = FALSE;

  g_variant_get (g_task_get_task_data (data), "(&sb)", &text, &end);
  g_mutex_lock (&self->mutex);
  g_string_append (self->input, text);
  self->input_ended = self->input_ended || end;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  _flow_script_reply (data, NULL);
}
