/* flowstep-engine.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* The engine process: a debugger, served over the socket that whoever started us left open. It ends
 * when the other end does. */

static void
closed_cb (FlowLinkService *service,
           GMainLoop       *loop)
{
  g_main_loop_quit (loop);
}

static int
parse_fd (int   argc,
          char *argv[])
{
  guint64 fd;

  if (argc != 2 || !g_str_has_prefix (argv[1], "--fd=")
      || !g_ascii_string_to_unsigned (argv[1] + 5, 10, 0, G_MAXINT, &fd, NULL))
    return -1;
  return (int) fd;
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GMainLoop) loop = NULL;
  g_autoptr (FlowDebugger) debugger = NULL;
  g_autoptr (FlowLinkService) service = NULL;
  g_autoptr (GError) error = NULL;
  int fd = parse_fd (argc, argv);

  setlocale (LC_ALL, "");
  /* Numbers in files and messages are written the same everywhere. */
  setlocale (LC_NUMERIC, "C");
  if (fd < 0)
    {
      g_printerr ("flowstep-engine: started by flowstep with --fd=N, not by hand\n");
      return 2;
    }
  prctl (PR_SET_NAME, "flowstep-engine");

  loop = g_main_loop_new (NULL, FALSE);
  debugger = flow_local_debugger_new ();
  flow_diagnose_serve (FLOW_LOCAL_DEBUGGER (debugger));
  service = flow_link_service_new (fd, debugger, &error);
  if (service == NULL)
    {
      g_printerr ("flowstep-engine: %s\n", error->message);
      return 1;
    }
  g_signal_connect (service, "closed", G_CALLBACK (closed_cb), loop);
  g_main_loop_run (loop);
  /* A kernel may still be running; nobody waits for what it makes. */
  _Exit (0);
}
