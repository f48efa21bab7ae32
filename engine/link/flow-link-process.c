/* flow-link-process.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-process.h"

#include "flow-error.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

char *
_flow_link_find_engine (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  if (self != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (self);
      g_autofree char *beside = g_build_filename (folder, "flowstep-engine", NULL);

      if (g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&beside);
    }
  return g_build_filename (PACKAGE_LIBEXECDIR, "flowstep-engine", NULL);
}

GSubprocess *
_flow_link_start_engine (const char  *engine_path,
                         int         *fd,
                         GError     **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  GSubprocess *process;
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    {
      flow_error_set_from_errno (error, errno, "socketpair");
      return NULL;
    }
  g_subprocess_launcher_take_fd (launcher, ends[1], 3);
  /* OpenMP's threads spin between regions unless told so, and the window and the script need those cores. */
  g_subprocess_launcher_setenv (launcher, "OMP_WAIT_POLICY", "passive", FALSE);
  process = g_subprocess_launcher_spawn (launcher, error, engine_path, "--fd=3", NULL);
  /* The launcher's end must not stay open here: its closing is how we see the engine end. */
  g_subprocess_launcher_close (launcher);
  if (process == NULL)
    {
      close (ends[0]);
      return NULL;
    }
  *fd = ends[0];
  return process;
}
