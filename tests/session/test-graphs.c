/* test-graphs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden-graph.h"
#include "flow-kernel.h"

/* What differ_graphs.py found in random input pipelines and functions (tests/golden/graphs): each graph gives
 * TensorFlow's values and errors, run after run. */

static void
test_file (gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "graphs", data, NULL);
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "golden", "datasets", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) graphs = flow_golden_graphs_load (path, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (graphs->len, >, 0);
  for (guint i = 0; i < graphs->len; i++)
    {
      g_autofree char *problem = flow_golden_graph_check (graphs->pdata[i], folder);

      if (problem != NULL)
        g_test_fail_printf ("%s: %s", flow_golden_graph_get_name (graphs->pdata[i]), problem);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_data_func ("/session/graphs/dataset", "dataset.json.gz", test_file);
  g_test_add_data_func ("/session/graphs/functional", "functional.json.gz", test_file);
  return g_test_run ();
}
