/* test-stopped.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* Saving over an old file is stopped at its first, second, ... system call until it gets through: whatever
 * the moment, the old file or the new one is there whole. Then each call fails once instead: that is told,
 * the old file is whole or the new one is, and nothing else is left. */

/* The exit code of a process that was stopped. */
#define STOPPED 77
/* No writer makes as many calls. */
#define MAX_CALLS 300

typedef struct {
  const char *kind;
  const char *name;
} Saver;

static const Saver savers[] = {
  { "bundle", "model.ckpt" }, { "v1", "model.ckpt" }, { "state", "checkpoint" }, { "run-file", "a.run.json" },
  { "npy", "a.npy" }, { "npz", "a.npz" }, { "graph", "graph.pb" },
};

static void
empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        empty_folder (path);
      g_remove (path);
    }
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Runs save-one; under the shim if @stop_at is not 0. */
static int
save (const Saver *saver,
      const char  *folder,
      int          version,
      int          stop_at,
      int          number)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, saver->name, NULL);
  g_autofree char *version_text = g_strdup_printf ("%d", version);
  g_autofree char *at = g_strdup_printf ("%d", stop_at);
  g_autofree char *number_text = g_strdup_printf ("%d", number);

  if (stop_at > 0)
    {
      g_subprocess_launcher_setenv (launcher, "LD_PRELOAD", g_getenv ("STOP_SHIM"), TRUE);
      g_subprocess_launcher_setenv (launcher, "STOP_FOLDER", folder, TRUE);
      g_subprocess_launcher_setenv (launcher, "STOP_AT", at, TRUE);
      g_subprocess_launcher_setenv (launcher, "STOP_ERRNO", number_text, TRUE);
    }
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("SAVE_ONE"), saver->kind, path, version_text, NULL);
  g_assert_no_error (error);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  return g_subprocess_get_exit_status (process);
}

/* Which version a tensor is of: all its elements must be. */
static int
version_of_tensor (const FlowTensor *tensor,
                   int               which)
{
  int version = (int) (flow_tensor_get_double (tensor, 0) / 1000);

  for (gint64 i = 0; i < flow_tensor_get_n_elements (tensor); i++)
    g_assert_cmpfloat (flow_tensor_get_double (tensor, i), ==, 1000 * version + which);
  return version;
}

static int
version_of_checkpoint (const char *path,
                       guint       n_tensors)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (path, &error);
  int version = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (flow_checkpoint_get_n_tensors (checkpoint), ==, n_tensors);
  for (guint i = 0; i < n_tensors; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);
      g_autoptr (FlowTensor) tensor = flow_checkpoint_read (checkpoint, name, NULL, &error);
      int one;

      g_assert_no_error (error);
      one = version_of_tensor (tensor, (int) i);
      g_assert_true (version == 0 || version == one);
      version = one;
    }
  return version;
}

static int
version_of_npz (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowNpz) npz = flow_npz_open (path, &error);
  int version = 0;

  g_assert_no_error (error);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%d", i);
      g_autoptr (FlowTensor) tensor = flow_npz_read (npz, name, NULL, &error);
      int one;

      g_assert_no_error (error);
      one = version_of_tensor (tensor, i);
      g_assert_true (version == 0 || version == one);
      version = one;
    }
  return version;
}

static int
trailing_number (const char *text)
{
  const char *p = text + strcspn (text, "0123456789");

  return atoi (p);
}

/* Reads what is there, whole, and says which version it is. */
static int
read_version (const Saver *saver,
              const char  *folder)
{
  g_autofree char *path = g_build_filename (folder, saver->name, NULL);
  g_autoptr (GError) error = NULL;
  int version = 0;

  if (strcmp (saver->kind, "bundle") == 0)
    return version_of_checkpoint (path, 3);
  if (strcmp (saver->kind, "v1") == 0)
    return version_of_checkpoint (path, 2);
  if (strcmp (saver->kind, "npz") == 0)
    return version_of_npz (path);
  if (strcmp (saver->kind, "npy") == 0)
    {
      g_autoptr (FlowTensor) tensor = flow_npy_load (path, NULL, &error);

      g_assert_no_error (error);
      version = version_of_tensor (tensor, 0);
    }
  else if (strcmp (saver->kind, "state") == 0)
    {
      g_autoptr (FlowCheckpointState) state = flow_checkpoint_state_load (path, &error);

      g_assert_no_error (error);
      version = trailing_number (state->model_checkpoint_path);
    }
  else if (strcmp (saver->kind, "run-file") == 0)
    {
      g_autoptr (FlowRunFile) file = flow_run_file_load (path, &error);

      g_assert_no_error (error);
      version = trailing_number (file->graph);
    }
  else
    {
      g_autoptr (FlowGraph) graph = flow_graph_load_file (path, &error);

      g_assert_no_error (error);
      version = trailing_number (flow_graph_get_node_name (graph, 0));
    }
  return version;
}

static void
test_stopped (gconstpointer data)
{
  const Saver *saver = data;
  g_autofree char *folder = g_dir_make_tmp ("flow-stopped-XXXXXX", NULL);
  guint n_old = 0;
  guint n_new = 0;
  int at;

  for (at = 1; at < MAX_CALLS; at++)
    {
      int status;

      empty_folder (folder);
      g_assert_cmpint (save (saver, folder, 1, 0, 0), ==, 0);
      g_assert_cmpint (read_version (saver, folder), ==, 1);
      status = save (saver, folder, 2, at, 0);
      if (status == 0)
        break;
      g_assert_cmpint (status, ==, STOPPED);
      switch (read_version (saver, folder))
        {
        case 1: n_old++; break;
        case 2: n_new++; break;
        default: g_assert_not_reached ();
        }
      /* A later save is not in the way of what is left. */
      g_assert_cmpint (save (saver, folder, 3, 0, 0), ==, 0);
      g_assert_cmpint (read_version (saver, folder), ==, 3);
    }
  g_assert_cmpint (read_version (saver, folder), ==, 2);
  g_test_message ("%s: %d calls; stopped at %u of them the old one stays, at %u the new one is there", saver->kind, at - 1,
                  n_old, n_new);
  /* Opened, written, flushed, closed, renamed. */
  g_assert_cmpuint (n_old, >=, 5);
  g_assert_cmpuint (n_new, >=, 1);
  empty_folder (folder);
  g_rmdir (folder);
}

static void
test_failing (gconstpointer data)
{
  static const int numbers[] = { ENOSPC, EIO };
  const Saver *saver = data;
  g_autofree char *folder = g_dir_make_tmp ("flow-failing-XXXXXX", NULL);
  guint n_told = 0;

  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    for (int at = 1; at < MAX_CALLS; at++)
      {
        guint n_before;
        int status;

        empty_folder (folder);
        g_assert_cmpint (save (saver, folder, 1, 0, 0), ==, 0);
        n_before = count_files (folder);
        /* Beyond the last call the shim does nothing. */
        if (save (saver, folder, 2, at, 0) == 0)
          break;
        empty_folder (folder);
        g_assert_cmpint (save (saver, folder, 1, 0, 0), ==, 0);
        status = save (saver, folder, 2, at, numbers[k]);
        g_assert_true (status == 0 || status == 1);
        n_told += status == 1;
        if (status == 0)
          g_assert_cmpint (read_version (saver, folder), ==, 2);
        else
          {
            int version = read_version (saver, folder);

            g_assert_true (version == 1 || version == 2);
            if (version == 1 && strcmp (saver->kind, "bundle") != 0)
              g_assert_cmpuint (count_files (folder), ==, n_before);
          }
      }
  g_test_message ("%s: %u failures were told", saver->kind, n_told);
  g_assert_cmpuint (n_told, >=, 2 * 4);
  empty_folder (folder);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (savers); i++)
    {
      g_autofree char *stopped = g_strconcat ("/saving/stopped/", savers[i].kind, NULL);
      g_autofree char *failing = g_strconcat ("/saving/failing/", savers[i].kind, NULL);

      g_test_add_data_func (stopped, &savers[i], test_stopped);
      g_test_add_data_func (failing, &savers[i], test_failing);
    }
  return g_test_run ();
}
