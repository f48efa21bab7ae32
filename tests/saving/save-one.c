/* save-one.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>

#include <string.h>

/* save-one KIND PATH VERSION: saves what VERSION (a number) says, as KIND, under PATH; for stop-shim to
 * stop. Exit 0: saved; 1: an error was said. */

#define N_ELEMENTS 300

static FlowTensor *
make_tensor (int version,
             int which)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (N_ELEMENTS);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);
  float *values = flow_tensor_get_writable (tensor);

  for (int i = 0; i < N_ELEMENTS; i++)
    values[i] = (float) (1000 * version + which);
  return tensor;
}

static gboolean
save_bundle (const char *path,
             int         version,
             GError    **error)
{
  g_autoptr (FlowBundleWriter) writer = flow_bundle_writer_new (path, error);

  for (int i = 0; writer != NULL && i < 3; i++)
    {
      g_autoptr (FlowTensor) tensor = make_tensor (version, i);
      g_autofree char *name = g_strdup_printf ("v%d", i);

      if (!flow_bundle_writer_add (writer, name, tensor, error))
        return FALSE;
    }
  return writer != NULL && flow_bundle_writer_finish (writer, error);
}

static gboolean
save_v1 (const char *path,
         int         version,
         GError    **error)
{
  static const char *const names[] = { "v0", "v1", NULL };
  static const char *const whole[] = { "", "", NULL };
  g_autoptr (FlowTensor) a = make_tensor (version, 0);
  g_autoptr (FlowTensor) b = make_tensor (version, 1);
  const FlowTensor *tensors[] = { a, b };

  return flow_checkpoint_save_v1 (path, names, whole, tensors, 2, error);
}

static gboolean
save_state (const char *path,
            int         version,
            GError    **error)
{
  g_autofree char *prefix = g_strdup_printf ("model.ckpt-%d", version);
  const char *const all[] = { prefix, NULL };
  g_autoptr (FlowCheckpointState) state = flow_checkpoint_state_new (prefix, all);

  return flow_checkpoint_state_save (state, path, error);
}

static gboolean
save_run_file (const char *path,
               int         version,
               GError    **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (FlowRunFile) file = flow_run_file_new (folder);

  file->graph = g_strdup_printf ("model-%d.meta", version);
  return flow_run_file_save (file, path, error);
}

static gboolean
save_npy (const char *path,
          int         version,
          GError    **error)
{
  g_autoptr (FlowTensor) tensor = make_tensor (version, 0);

  return flow_npy_save (tensor, path, error);
}

static gboolean
save_npz (const char *path,
          int         version,
          GError    **error)
{
  g_autoptr (FlowNpzWriter) writer = flow_npz_writer_new (path, error);

  for (int i = 0; writer != NULL && i < 3; i++)
    {
      g_autoptr (FlowTensor) tensor = make_tensor (version, i);
      g_autofree char *name = g_strdup_printf ("v%d", i);

      if (!flow_npz_writer_add (writer, name, tensor, error))
        return FALSE;
    }
  return writer != NULL && flow_npz_writer_finish (writer, error);
}

static gboolean
save_graph (const char *path,
            int         version,
            GError    **error)
{
  g_autofree char *text = g_strdup_printf ("node { name: 'n%d' op: 'NoOp' }", version);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GBytes) graph = flow_model_convert_bytes (bytes, "x", FLOW_MODEL_GRAPH_DEF, FALSE, error);

  return graph != NULL && flow_write_file_safely (path, graph, error);
}

int
main (int    argc,
      char **argv)
{
  static const struct {
    const char *kind;
    gboolean (*save) (const char *path, int version, GError **error);
  } savers[] = {
    { "bundle", save_bundle }, { "v1", save_v1 }, { "state", save_state }, { "run-file", save_run_file },
    { "npy", save_npy }, { "npz", save_npz }, { "graph", save_graph },
  };
  g_autoptr (GError) error = NULL;

  if (argc != 4)
    return 2;
  flow_kernels_register ();
  for (guint i = 0; i < G_N_ELEMENTS (savers); i++)
    if (strcmp (savers[i].kind, argv[1]) == 0)
      {
        if (savers[i].save (argv[2], atoi (argv[3]), &error))
          return 0;
        g_printerr ("%s\n", error->message);
        return 1;
      }
  return 2;
}
