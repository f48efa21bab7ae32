/* test-step.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

/* flowstep-cli step from outside: there and back. */

static char *
run_step (const char *option,
          const char *value,
          const char *state)
{
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "golden", "training", "mlp-sgd", "flowstep.run.json", NULL);
  const char *args[] = { g_getenv ("FLOWSTEP_CLI"), "step", file, "--json", option, value, "--state", state, NULL };
  g_autoptr(GSubprocess) process = NULL;
  g_autoptr(GError) error = NULL;
  char *out = NULL;

  if (value == NULL)
    args[5] = NULL;
  process = g_subprocess_newv (args, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  return out;
}

static GBytes *
read_state (const char *folder,
            guint       position)
{
  g_autofree char *name = g_strdup_printf ("at_%u.npz", position);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *bytes = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_unlink (path);
  return g_bytes_new_take (bytes, length);
}

/* A position is the same state whichever way it is come to, and two positions are not. */
static void
test_goto (void)
{
  static const guint positions[] = { 0, 60, 200 };
  g_autofree char *folder = g_dir_make_tmp ("flow-step-XXXXXX", NULL);
  g_autofree char *pattern = g_build_filename (folder, "at_{k}.npz", NULL);
  g_autofree char *down = run_step ("--goto", "200,60,0", pattern);
  g_autoptr(GPtrArray) states = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autofree char *up = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (positions); i++)
    g_ptr_array_add (states, read_state (folder, positions[i]));
  up = run_step ("--goto", "0,200,0,60,200,60", pattern);
  for (guint i = 0; i < G_N_ELEMENTS (positions); i++)
    {
      g_autoptr(GBytes) again = read_state (folder, positions[i]);

      g_assert_true (g_bytes_equal (again, states->pdata[i]));
    }
  g_assert_false (g_bytes_equal (states->pdata[0], states->pdata[1]));
  g_assert_false (g_bytes_equal (states->pdata[1], states->pdata[2]));
  g_rmdir (folder);
}

static void
test_verify_reverse (void)
{
  g_autofree char *out = run_step ("--verify-reverse", NULL, NULL);

  g_assert_nonnull (strstr (out, "\"states_compared\":767"));
  g_assert_nonnull (strstr (out, "\"different\":[]"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/step/goto", test_goto);
  g_test_add_func ("/cli/step/verify-reverse", test_verify_reverse);
  return g_test_run ();
}
