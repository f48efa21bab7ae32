/* flow-link-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link.h"

#include "flow-kernel.h"

#include <unistd.h>

/* The link of a process in which a script runs: the script's threads belong to the script, so that the link has a
 * thread and a main context of its own. */

typedef struct {
  int fd;
  GMutex mutex;                /* guards all below */
  GCond cond;
  gboolean is_ready;
  FlowScriptDebugger *debugger;
  GError *error;
} Start;

static void
closed_cb (FlowLinkService    *service,
           FlowScriptDebugger *debugger)
{
  flow_script_debugger_detach (debugger);
}

static gpointer
serve_worker (gpointer data)
{
  Start *start = data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);
  g_autoptr (FlowScriptDebugger) debugger = NULL;
  g_autoptr (FlowLinkService) service = NULL;
  g_autoptr (GError) error = NULL;
  gboolean serves = FALSE;

  g_main_context_push_thread_default (context);
  debugger = flow_script_debugger_new ();
  service = flow_link_service_new (start->fd, FLOW_DEBUGGER (debugger), &error);
  serves = service != NULL;
  if (serves)
    g_signal_connect (service, "closed", G_CALLBACK (closed_cb), debugger);
  g_mutex_lock (&start->mutex);
  if (serves)
    start->debugger = g_object_ref (debugger);
  start->error = g_steal_pointer (&error);
  start->is_ready = TRUE;
  g_cond_signal (&start->cond);
  g_mutex_unlock (&start->mutex);
  /* As long as the process. */
  if (serves)
    g_main_loop_run (loop);
  g_main_context_pop_thread_default (context);
  return NULL;
}

/**
 * flow_link_serve_script:
 * @fd: a connected unix socket, which is taken over
 * @error: where to put an error
 *
 * Serves a debugger for this process's script to whoever is at the other end, on a thread that never calls the script.
 * When the other end is gone the script goes on alone.
 *
 * Returns: (transfer full): the debugger; %NULL when the other end does not speak
 */
FlowScriptDebugger *
flow_link_serve_script (int      fd,
                        GError **error)
{
  Start start = { .fd = fd };

  flow_kernels_register ();
  g_mutex_init (&start.mutex);
  g_cond_init (&start.cond);
  g_thread_unref (g_thread_new ("flow-link", serve_worker, &start));
  g_mutex_lock (&start.mutex);
  while (!start.is_ready)
    g_cond_wait (&start.cond, &start.mutex);
  g_mutex_unlock (&start.mutex);
  g_mutex_clear (&start.mutex);
  g_cond_clear (&start.cond);
  if (start.error != NULL)
    g_propagate_error (error, start.error);
  return start.debugger;
}
