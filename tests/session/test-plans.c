/* test-plans.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden-tensor.h"
#include "flow-kernel.h"
#include "flow-model.h"
#include "flow-prune.h"

/* What TensorFlow keeps of graphs with functional control flow, as tests/oracle/record_plans.py recorded it. */

static char **
list_strings (JsonObject *run,
              const char *key)
{
  JsonArray *array = json_object_get_array_member (run, key);
  char **names = g_new0 (char *, json_array_get_length (array) + 1);

  for (guint i = 0; i < json_array_get_length (array); i++)
    names[i] = g_strdup (json_array_get_string_element (array, i));
  return names;
}

static void
check_run (FlowGraph  *graph,
           JsonObject *run)
{
  g_auto (GStrv) feeds = list_strings (run, "feeds");
  g_auto (GStrv) fetches = list_strings (run, "fetches");
  g_auto (GStrv) targets = list_strings (run, "targets");
  g_auto (GStrv) nodes = list_strings (run, "nodes");
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowPrune) prune = flow_prune_new (graph, (const char *const *) feeds, (const char *const *) fetches,
                                                (const char *const *) targets, &error);
  g_autofree guint8 *kept = NULL;

  g_assert_no_error (error);
  kept = flow_prune_find_kept_after_lowering (prune);
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      const char *name = flow_graph_get_node_name (graph, i);

      if (kept[i] != g_strv_contains ((const char *const *) nodes, name))
        g_test_fail_printf ("%s for %s: %s", name, fetches[0] != NULL ? fetches[0] : targets[0],
                            kept[i] ? "is not kept by TensorFlow" : "is kept by TensorFlow");
      g_assert_true (!kept[i] || flow_prune_contains (prune, i));
    }
}

static void
test_file (gconstpointer data)
{
  g_autofree char *pb = g_strconcat (data, ".pb", NULL);
  g_autofree char *json = g_strconcat (data, ".json.gz", NULL);
  g_autofree char *graph_path = g_test_build_filename (G_TEST_DIST, "golden", "plans", pb, NULL);
  g_autofree char *runs_path = g_test_build_filename (G_TEST_DIST, "golden", "plans", json, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowGraph) graph = flow_graph_load_file (graph_path, &error);
  g_autoptr (GInputStream) stream = graph != NULL ? flow_golden_open (runs_path, &error) : NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *runs = NULL;

  g_assert_no_error (error);
  json_parser_load_from_stream (parser, stream, NULL, &error);
  g_assert_no_error (error);
  runs = json_node_get_array (json_parser_get_root (parser));
  for (guint i = 0; i < json_array_get_length (runs); i++)
    check_run (graph, json_array_get_object_element (runs, i));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_data_func ("/session/plans/branches", "branches", test_file);
  g_test_add_data_func ("/session/plans/nested", "nested", test_file);
  g_test_add_data_func ("/session/plans/loops", "loops", test_file);
  return g_test_run ();
}
