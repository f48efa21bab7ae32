/* test-engine-errors.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden-tensor.h"
#include "flow-json.h"
#include "flow-model.h"
#include "flow-run-file.h"
#include "flow-run.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

/* Mistakes in small graphs, as tests/oracle/record_engine_errors.py recorded them: code and first line. */

static char **
list_strings (JsonArray *array)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_strv_builder_add (builder, json_array_get_string_element (array, i));
  return g_strv_builder_end (builder);
}

static FlowGraph *
load_graph (const char *text,
            const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "graph.pb", NULL);
  gsize size = 0;
  g_autofree guchar *bytes = g_base64_decode (text, &size);
  g_autoptr(GError) error = NULL;
  FlowGraph *graph = NULL;

  g_file_set_contents (path, (const char *) bytes, (gssize) size, &error);
  g_assert_no_error (error);
  graph = flow_graph_load_file (path, &error);
  g_assert_no_error (error);
  g_remove (path);
  return graph;
}

static GPtrArray *
make_feeds (FlowSession *session,
            FlowPlan    *plan,
            JsonObject  *feeds)
{
  FlowGraph *graph = flow_session_get_graph (session);
  g_autoptr(FlowFeeder) feeder = flow_feeder_new (NULL, flow_session_get_budget (session));
  GPtrArray *tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);

  for (guint i = 0; flow_plan_get_feed (plan, i) != NULL; i++)
    {
      const char *name = flow_plan_get_feed (plan, i);
      g_autofree char *text = flow_json_mend_numbers (json_to_string (json_object_get_member (feeds, name), FALSE));
      g_autofree char *json = g_strdup_printf ("{\"value\": %s}", text);
      g_autoptr(GError) error = NULL;
      FlowEndpoint endpoint = { 0 };
      FlowTensor *tensor = NULL;

      flow_graph_parse_endpoint (graph, name, &endpoint, &error);
      g_assert_no_error (error);
      tensor = flow_feeder_make (feeder, name, flow_graph_get_output_dtype (graph, endpoint.node, endpoint.slot), json, 0,
                                 &error);
      g_assert_no_error (error);
      g_ptr_array_add (tensors, tensor);
    }
  return tensors;
}

static gboolean
run_once (FlowSession  *session,
          JsonObject   *entry,
          GError      **error)
{
  JsonObject *feeds = json_object_get_object_member (entry, "feeds");
  g_auto(GStrv) fetches = list_strings (json_object_get_array_member (entry, "fetches"));
  g_auto(GStrv) targets = list_strings (json_object_get_array_member (entry, "targets"));
  g_autoptr(GList) names = json_object_get_members (feeds);
  g_autoptr(GPtrArray) feed_names = g_ptr_array_new ();
  g_autoptr(GPtrArray) tensors = NULL;
  g_autoptr(FlowPlan) plan = NULL;
  g_autoptr(FlowRun) run = NULL;
  g_autofree FlowTensor **values = g_new0 (FlowTensor *, g_strv_length (fetches) + 1);
  FlowStepResult result = FLOW_STEP_DONE;

  for (GList *l = names; l != NULL; l = l->next)
    g_ptr_array_add (feed_names, l->data);
  g_ptr_array_add (feed_names, NULL);
  plan = flow_session_get_plan (session, (const char *const *) feed_names->pdata, (const char *const *) fetches,
                                (const char *const *) targets, NULL, error);
  if (plan == NULL)
    return FALSE;
  tensors = make_feeds (session, plan, feeds);
  run = flow_run_new (session, plan, (FlowTensor *const *) tensors->pdata, error);
  if (run == NULL)
    return FALSE;
  while (result == FLOW_STEP_DONE)
    result = flow_run_step (run, error);
  if (result == FLOW_STEP_FINISHED && flow_run_get_fetches (run, values, error))
    for (guint i = 0; fetches[i] != NULL; i++)
      flow_tensor_unref (values[i]);
  flow_run_end (run);
  return *error == NULL;
}

static void
test_case (gconstpointer data)
{
  JsonObject *doc = (JsonObject *) data;
  JsonArray *runs = json_object_get_array_member (doc, "runs");
  const char *wanted = json_object_get_string_member (doc, "message");
  g_autofree char *folder = g_dir_make_tmp ("flow-errors-XXXXXX", NULL);
  g_autoptr(FlowGraph) graph = load_graph (json_object_get_string_member (doc, "graph"), folder);
  g_autoptr(FlowSession) session = flow_session_new (graph, NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char *problem = NULL;

  flow_session_set_folder (session, folder);
  flow_session_set_placement (session, FLOW_PLACEMENT_STRICT, 1);
  for (guint i = 0; i + 1 < json_array_get_length (runs); i++)
    {
      run_once (session, json_array_get_object_element (runs, i), &error);
      g_assert_no_error (error);
    }
  run_once (session, json_array_get_object_element (runs, json_array_get_length (runs) - 1), &error);
  if (error == NULL)
    g_test_fail_printf ("no error, wanted %s", wanted);
  else
    problem = flow_golden_compare_error ((int) json_object_get_int_member (doc, "code"), wanted, error);
  if (problem != NULL)
    g_test_fail_printf ("%s", problem);
  g_rmdir (folder);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autofree char *path = NULL;
  g_autoptr(GFile) file = NULL;
  g_autoptr(GFileInputStream) packed = NULL;
  g_autoptr(GZlibDecompressor) gunzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;
  JsonArray *cases = NULL;

  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  path = g_test_build_filename (G_TEST_DIST, "golden", "errors", "engine.json.gz", NULL);
  file = g_file_new_for_path (path);
  packed = g_file_read (file, NULL, &error);
  g_assert_no_error (error);
  stream = g_converter_input_stream_new (G_INPUT_STREAM (packed), G_CONVERTER (gunzip));
  json_parser_load_from_stream (parser, stream, NULL, &error);
  g_assert_no_error (error);
  cases = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "cases");
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *one = json_array_get_object_element (cases, i);
      g_autofree char *name = g_strdup_printf ("/session/engine-errors/%s", json_object_get_string_member (one, "name"));

      g_test_add_data_func (name, one, test_case);
    }
  return g_test_run ();
}
