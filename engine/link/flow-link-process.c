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

/* Takes @launcher's one end; the other is @fd. */
static GSubprocess *
spawn (GSubprocessLauncher  *launcher,
       const char *const    *argv,
       int                  *fd,
       GError              **error)
{
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
  process = g_subprocess_launcher_spawnv (launcher, argv, error);
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

GSubprocess *
_flow_link_start_engine (const char  *engine_path,
                         int         *fd,
                         GError     **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  const char *argv[] = { engine_path, "--fd=3", NULL };

  return spawn (launcher, argv, fd, error);
}

static void
prepend (GSubprocessLauncher *launcher,
         const char          *variable,
         const char          *folder)
{
  const char *old = g_subprocess_launcher_getenv (launcher, variable);
  g_autofree char *value = old != NULL && *old != '\0' ? g_strconcat (folder, ":", old, NULL) : g_strdup (folder);

  g_subprocess_launcher_setenv (launcher, variable, value, TRUE);
}

/* Built but not installed: the typelib and the library stand in engine/ beside the engine's folder. */
static void
set_folders (GSubprocessLauncher *launcher,
             const char          *engine_path)
{
  g_autofree char *folder = g_path_get_dirname (engine_path);
  g_autofree char *built = g_build_filename (folder, "..", "engine", NULL);
  g_autofree char *typelib = g_build_filename (built, "Flow-1.0.typelib", NULL);
  gboolean is_built = g_file_test (typelib, G_FILE_TEST_EXISTS);

  prepend (launcher, "GI_TYPELIB_PATH", is_built ? built : PACKAGE_LIBDIR "/girepository-1.0");
  if (is_built)
    prepend (launcher, "LD_LIBRARY_PATH", built);
  prepend (launcher, "PYTHONPATH", is_built ? SOURCE_PYTHONDIR : PACKAGE_PYTHONDIR);
}

gboolean
_flow_link_prepare_python (GSubprocessLauncher  *launcher,
                           const char           *engine_path,
                           const char           *module,
                           GPtrArray            *argv,
                           GError              **error)
{
  /* Debian's own is the one that has gi. */
  char *python = g_file_test ("/usr/bin/python3", G_FILE_TEST_IS_EXECUTABLE) ? g_strdup ("/usr/bin/python3")
                                                                             : g_find_program_in_path ("python3");

  FLOW_REQUIRE (python != NULL, error, NOT_FOUND, "python3; No such file or directory");
  g_ptr_array_add (argv, python);
  g_ptr_array_add (argv, g_strdup ("-m"));
  g_ptr_array_add (argv, g_strdup (module));
  g_subprocess_launcher_setenv (launcher, "PYTHONUNBUFFERED", "1", TRUE);
  set_folders (launcher, engine_path);
  return TRUE;
}

static gboolean
has_option (GVariant   *options,
            const char *name)
{
  gboolean is = FALSE;

  return options != NULL && g_variant_lookup (options, name, "b", &is) && is;
}

GSubprocess *
_flow_link_start_script (const char  *engine_path,
                         const char  *script,
                         GVariant    *options,
                         int         *fd,
                         GError     **error)
{
  GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE;
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (flags | (has_option (options, "stdin") ? G_SUBPROCESS_FLAGS_STDIN_INHERIT : 0));
  g_autofree char *full = g_canonicalize_filename (script, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree const char **more = NULL;
  const char *cwd = folder;

  FLOW_REQUIRE (g_file_test (full, G_FILE_TEST_EXISTS), error, NOT_FOUND, "%s; No such file or directory", full);
  if (!_flow_link_prepare_python (launcher, engine_path, "flowstep", argv, error))
    return NULL;
  g_ptr_array_add (argv, g_strdup ("--debug-fd=3"));
  if (has_option (options, "python2"))
    g_ptr_array_add (argv, g_strdup ("--python2"));
  g_ptr_array_add (argv, g_steal_pointer (&full));
  if (options != NULL && g_variant_lookup (options, "argv", "^a&s", &more))
    for (guint i = 0; more[i] != NULL; i++)
      g_ptr_array_add (argv, g_strdup (more[i]));
  if (options != NULL)
    g_variant_lookup (options, "cwd", "&s", &cwd);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_set_cwd (launcher, cwd);
  return spawn (launcher, (const char *const *) argv->pdata, fd, error);
}
