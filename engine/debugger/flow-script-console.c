/* flow-script-console.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

/* What a person types is evaluated by the thread of the script that stands still. */

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
