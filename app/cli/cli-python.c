/* cli-python.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `python [--python2] SCRIPT`: Debian's Python, which has gi, becomes this process, so that input, output and exit
 * code are the script's own. */

/* libgomp's own choice when there are more threads than processors: a waiting thread tries so often, then sleeps. Its
 * default, a millisecond of spinning, costs a script three times its time where other programs run beside it. */
#define SPINS_BEFORE_SLEEP "1000"

static void
prepend (const char *variable,
         const char *folder)
{
  const char *old = g_getenv (variable);
  g_autofree char *value = old != NULL && *old != '\0' ? g_strconcat (folder, ":", old, NULL) : g_strdup (folder);

  g_setenv (variable, value, TRUE);
}

/* Built but not installed: the typelib and the library stand in engine/ beside app/. */
static char *
find_built_engine (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *engine = folder != NULL ? g_build_filename (folder, "..", "engine", NULL) : NULL;
  g_autofree char *typelib = engine != NULL ? g_build_filename (engine, "Flow-1.0.typelib", NULL) : NULL;

  return typelib != NULL && g_file_test (typelib, G_FILE_TEST_EXISTS) ? g_steal_pointer (&engine) : NULL;
}

int
flow_cli_python (FlowCli  *cli,
                 int       argc,
                 char    **argv)
{
  static const char *const pythons[] = { "/usr/bin/python3", "python3" };
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_autofree char *engine = find_built_engine ();
  const char *python_folder = engine != NULL ? SOURCE_PYTHONDIR : PACKAGE_PYTHONDIR;

  if (argc < 2)
    return flow_cli_usage (cli, "a script is missing");
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    {
      printf ("Usage: flowstep-cli python [--python2] SCRIPT [ARG...]\n\n"
              "Runs a TensorFlow-1 script on the engine: tensorflow and tensorflow.compat.v1 are ours.\n"
              "--python2: the script, and modules beside it, are in the language of Python 2.\n");
      return FLOW_CLI_OK;
    }
  prepend ("GI_TYPELIB_PATH", engine != NULL ? engine : PACKAGE_LIBDIR "/girepository-1.0");
  if (engine != NULL)
    prepend ("LD_LIBRARY_PATH", engine);
  prepend ("PYTHONPATH", python_folder);
  g_setenv ("GOMP_SPINCOUNT", SPINS_BEFORE_SLEEP, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (pythons); i++)
    {
      g_ptr_array_set_size (args, 0);
      g_ptr_array_add (args, (gpointer) pythons[i]);
      g_ptr_array_add (args, (gpointer) "-m");
      g_ptr_array_add (args, (gpointer) "flowstep");
      for (int k = 1; k < argc; k++)
        g_ptr_array_add (args, argv[k]);
      g_ptr_array_add (args, NULL);
      execvp (pythons[i], (char **) args->pdata);
    }
  fprintf (stderr, "flowstep-cli: python3: %s\n", g_strerror (errno));
  return FLOW_CLI_BAD_FILE;
}
