/* flow-script-failure.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include <string.h>

/*
 * The run that failed last, as the failure left it: when its error ends the script, whoever looks sees the op that raised
 * it and what it was given, also where no run was to stop. A script that begins another run has lived with the error.
 */

void
_flow_script_forget_failed (FlowScriptDebugger *self)
{
  FlowScriptRun *run = g_steal_pointer (&self->failed);

  g_clear_error (&self->failure);
  if (run == NULL)
    return;
  if (self->view != run)
    g_clear_pointer (&run->stepper, flow_stepper_free);
  _flow_script_run_unref (run);
}

/* The run was answered with @error. */
void
_flow_script_keep_failed (FlowScriptDebugger *self,
                          FlowScriptRun      *run,
                          const GError       *error)
{
  _flow_script_forget_failed (self);
  self->failed = _flow_script_run_ref (run);
  self->failure = g_error_copy (error);
}

/* The script tells nodes with the lines that made them, so it is the first line that says whose error it was. */
static gboolean
is_told_by (const GError *error,
            const char   *message)
{
  g_autofree char *line = g_strndup (error->message, strcspn (error->message, "\n"));

  return *line != '\0' && strstr (message, line) != NULL;
}

/* @message: (nullable): what ended the script. If it came from a run, that is in view then; the op that failed. */
guint32
_flow_script_show_failed (FlowScriptDebugger *self,
                          const char         *message)
{
  const char *node = self->failure != NULL ? flow_error_get_node (self->failure) : NULL;

  if (message == NULL || self->failed == NULL || self->failed->stepper == NULL || !is_told_by (self->failure, message))
    {
      _flow_script_forget_failed (self);
      return FLOW_NODE_NONE;
    }
  _flow_script_show_run (self, self->failed);
  return node != NULL ? flow_graph_find_node (self->core->graph, node) : FLOW_NODE_NONE;
}
