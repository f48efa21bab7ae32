/* flow-link-restart.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-debugger-private.h"

/* Another engine in the place of one that ended, brought to where that one stood. */

typedef struct {
  FlowLinkJournal *journal;    /* what to do again */
  guint next;
  guint64 position;            /* where to go at the end */
} Restart;

static void
restart_free (gpointer data)
{
  Restart *self = data;

  _flow_link_journal_free (self->journal);
  g_free (self);
}

static void restart_continue (GTask *task);

static void
restarted_call_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      data)
{
  GTask *task = data;
  GError *error = NULL;
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_finish (FLOW_DEBUGGER (source), result, &error);

  if (reply == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  restart_continue (task);
}

static void
restart_go_to (GTask   *task,
               guint64  position)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, position);

  flow_debugger_call_async (g_task_get_source_object (task), "Move", g_variant_new ("(us)", (guint) FLOW_MOVE_GOTO, text),
                            NULL, g_task_get_cancellable (task), restarted_call_cb, task);
}

/* Each entry at the position at which it was first done; last, to where the old engine stood. */
static void
restart_continue (GTask *task)
{
  FlowLinkDebugger *self = g_task_get_source_object (task);
  Restart *restart = g_task_get_task_data (task);
  const FlowLinkEntry *entry;

  if (restart->next < _flow_link_journal_length (restart->journal))
    {
      entry = _flow_link_journal_get (restart->journal, restart->next);
      if (entry->position != self->state->position && restart->next > 0)
        {
          restart_go_to (task, entry->position);
          return;
        }
      restart->next++;
      flow_debugger_call_async (FLOW_DEBUGGER (self), entry->method, entry->arguments, entry->tensors,
                                g_task_get_cancellable (task), restarted_call_cb, task);
      return;
    }
  if (self->state->position != restart->position)
    {
      restart_go_to (task, restart->position);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/**
 * flow_link_debugger_restart_async:
 * @self: a debugger whose engine has ended, or that shall have a new one
 * @cancellable: (nullable): to give up on it
 * @callback: called when the new engine stands where the old one stood
 * @data: for @callback
 *
 * Starts another engine, opens the same file, sets the same breakpoints, and runs to the same position.
 */
void
flow_link_debugger_restart_async (FlowLinkDebugger    *self,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             data)
{
  GTask *task;
  Restart *restart;

  g_return_if_fail (FLOW_IS_LINK_DEBUGGER (self));

  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, flow_link_debugger_restart_async);
  restart = g_new0 (Restart, 1);
  restart->journal = self->journal;
  /* A script begins from its beginning. */
  restart->position = self->script == NULL ? self->state->position : 0;
  g_task_set_task_data (task, restart, restart_free);

  self->journal = _flow_link_journal_new ();
  _flow_link_debugger_fail_all (self, "the engine is started again");
  _flow_link_debugger_drop (self);
  _flow_link_debugger_forget_state (self);
  restart_continue (task);
}

/**
 * flow_link_debugger_restart_finish:
 * @self: a debugger
 * @result: what the callback was given
 * @error: where to put an error
 *
 * Returns: whether the new engine stands where the old one stood
 */
gboolean
flow_link_debugger_restart_finish (FlowLinkDebugger  *self,
                                   GAsyncResult      *result,
                                   GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
