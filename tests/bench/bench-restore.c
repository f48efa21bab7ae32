/* bench-restore.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>

#include <string.h>

/* What restoring costs: `bench-restore GRAPH PREFIX` restores a checkpoint by variable name, verified and whole as
 * always, and copies as many bytes in memory; each is the best of five, the first printed against the second. */

#define ROUNDS 5

static double
restore (FlowModel  *model,
         const char *prefix)
{
  g_autoptr(FlowSession) session = flow_session_new (flow_model_get_graph (model), NULL);
  g_autoptr(GError) error = NULL;
  gint64 begin = g_get_monotonic_time ();

  if (!flow_session_restore_checkpoint (session, prefix, NULL, NULL, NULL, NULL, &error))
    g_error ("%s", error->message);
  return (g_get_monotonic_time () - begin) / 1000.0;
}

static gsize
count_bytes (const char *prefix)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowCheckpoint) checkpoint = flow_checkpoint_open (prefix, &error);
  gsize size = 0;

  if (checkpoint == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    {
      FlowCheckpointTensor *tensor = flow_checkpoint_get_tensor (checkpoint, i);
      g_autoptr(FlowTensor) value = flow_checkpoint_read (checkpoint, tensor->name, NULL, &error);

      if (value == NULL)
        g_error ("%s", error->message);
      size += (gsize) value->n_elements * flow_dtype_size (value->dtype);
    }
  return size;
}

static double
copy (gsize size)
{
  g_autofree char *from = g_malloc (size);
  g_autofree char *to = g_malloc (size);
  gint64 begin = 0;

  memset (from, 1, size);
  begin = g_get_monotonic_time ();
  memcpy (to, from, size);
  /* So that the copy is made. */
  g_assert (to[size - 1] == 1);
  return (g_get_monotonic_time () - begin) / 1000.0;
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = g_build_filename (g_getenv ("FLOW_TEST_SHARED") != NULL ? g_getenv ("FLOW_TEST_SHARED") : ".",
                                              "fixtures", "real", "cifar-cnn-adam", NULL);
  g_autofree char *graph = argc > 2 ? g_strdup (argv[1]) : g_build_filename (folder, "model.ckpt.meta", NULL);
  g_autofree char *prefix = argc > 2 ? g_strdup (argv[2]) : g_build_filename (folder, "model.ckpt", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowModel) model = NULL;
  double best = G_MAXDOUBLE;
  double best_copy = G_MAXDOUBLE;
  gsize size = 0;

  flow_kernels_register ();
  model = flow_model_load (graph, NULL, &error);
  if (model == NULL)
    {
      g_print ("usage: bench-restore GRAPH PREFIX (%s)\n", error->message);
      return 0;
    }
  size = count_bytes (prefix);
  for (guint i = 0; i < ROUNDS; i++)
    {
      best = MIN (best, restore (model, prefix));
      best_copy = MIN (best_copy, copy (size));
    }
  g_print ("%s: %.2f MB restored in %.2f ms, %.1f of the %.2f ms that copying them takes\n", prefix, (double) size / 1e6,
           best, best / best_copy, best_copy);
  return 0;
}
