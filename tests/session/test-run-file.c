/* test-run-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-file.h"

#include "flow-npy.h"
#include "flow-npz.h"

#include <glib/gstdio.h>
#include <string.h>

static void
assert_refused (const char *json,
                const char *words)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowRunFile) file = flow_run_file_parse (json, -1, NULL, &error);

  g_assert_null (file);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  assert_refused ("{\"graph\": \"g\", \"rums\": []}", "unknown key \"rums\"");
  assert_refused ("{\"graph\": \"g\", \"runs\": [{\"fetch\": []}]}", "runs[0] has an unknown key \"fetch\"");
  assert_refused ("{\"graph\": \"g\", \"runs\": [{\"repeat\": 0}]}", "repeat");
  assert_refused ("{\"graph\": \"g\", \"runs\": [{\"fetches\": [1]}]}", "fetches");
  assert_refused ("{\"graph\": \"g\", \"runs\": [{\"expect_error\": \"OOPS\"}]}", "OOPS");
  assert_refused ("{\"graph\": \"g\", \"runs\": [7]}", "runs[0]");
  assert_refused ("{\"graph\": \"g\", \"session\": {\"cpu\": 1}}", "cpu");
  assert_refused ("{\"runs\": []}", "graph");
  assert_refused ("{\"graph\": ", "JSON");
  assert_refused ("[]", "object");
}

/* json-glib reads by recursion: what is nested without end would end the process. */
static void
test_nested (void)
{
  static const struct {
    const char *begin;
    const char *words;
  } cases[] = {
    { "{\"graph\": \"g\", \"runs\": ", "nested more than" },
    { "{\"graph\": \"g\", \"runs\": /* \" */ ", "a value expected" },
    { "{\"graph\": \"g\", '\"': ", "a text in double quotes expected" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GString) json = g_string_new (cases[i].begin);
      g_autofree char *path = NULL;

      for (guint k = 0; k < 500000; k++)
        g_string_append_c (json, '[');
      assert_refused (json->str, cases[i].words);
      path = g_build_filename (g_get_tmp_dir (), "flow-nested.run.json", NULL);
      g_assert_true (g_file_set_contents (path, json->str, -1, NULL));
      g_assert_false (flow_run_file_looks_like (path));
      g_unlink (path);
    }
  assert_refused ("  ", "JSON");
}

static void
test_round_trip (void)
{
  static const char json[] =
    "{\"graph\": \"model.meta\", \"checkpoint\": \"init.ckpt\", \"runs\": ["
    "{\"restore\": \"p\", \"map\": {\"new\": \"old\"}, \"only\": [\"new\"]}, "
    "{\"name\": \"train\", \"repeat\": 3, \"fetches\": [\"loss:0\"], \"targets\": [\"train_op\"], "
    "\"feeds\": {\"x:0\": {\"npz\": \"f.npz\", \"key\": \"x:0@{i}\"}, \"y:0\": [1e20, 1]}, \"expect_error\": \"OUT_OF_RANGE\", "
    "\"options\": {\"timeout_ms\": 5}}], \"session\": {\"seed\": 7}, \"overrides\": {\"a:0\": {\"value\": 1}}, "
    "\"breakpoints\": [\"node:a\"]}";
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowRunFile) file = flow_run_file_parse (json, -1, "/tmp", &error);
  g_autofree char *text = NULL;
  g_autoptr(FlowRunFile) again = NULL;
  g_autofree char *text_again = NULL;
  FlowRunEntry *entry = NULL;

  g_assert_no_error (error);
  entry = g_ptr_array_index (file->entries, 1);
  g_assert_cmpuint (entry->repeat, ==, 3);
  g_assert_cmpint (entry->timeout_ms, ==, 5);
  g_assert_cmpstr (entry->feeds[0], ==, "{\"npz\":\"f.npz\",\"key\":\"x:0@{i}\"}");
  /* Not as json-glib writes it. */
  g_assert_cmpstr (entry->feeds[1], ==, "[1e+20,1]");
  text = flow_run_file_to_json (file);
  again = flow_run_file_parse (text, -1, "/tmp", &error);
  g_assert_no_error (error);
  text_again = flow_run_file_to_json (again);
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpstr (again->breakpoints[0], ==, "node:a");
  g_assert_cmpuint (again->seed, ==, 7);
}

/* Saved to another folder, every path goes on to mean the same file. */
static void
test_moves (void)
{
  static const char json[] =
    "{\"graph\": \"a/model.meta\", \"checkpoint\": \"c.ckpt\", \"runs\": [{\"restore\": \"/r/p\"}, "
    "{\"name\": \"t\", \"feeds\": {\"x:0\": {\"npz\": \"a/f.npz\", \"key\": \"k\"}, \"y:0\": {\"value\": 1}}}], "
    "\"overrides\": {\"z:0\": {\"npy\": \"z.npy\"}}}";
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowRunFile) file = flow_run_file_parse (json, -1, "/w", &error);
  FlowRunEntry *entry = NULL;

  g_assert_no_error (error);
  flow_run_file_move_to (file, "/w/a");
  g_assert_cmpstr (file->graph, ==, "model.meta");
  g_assert_cmpstr (file->checkpoint, ==, "/w/c.ckpt");
  g_assert_cmpstr (((FlowRunEntry *) g_ptr_array_index (file->entries, 0))->restore, ==, "/r/p");
  entry = g_ptr_array_index (file->entries, 1);
  g_assert_cmpstr (entry->feeds[0], ==, "{\"npz\":\"f.npz\",\"key\":\"k\"}");
  g_assert_cmpstr (entry->feeds[1], ==, "{\"value\":1}");
  g_assert_cmpstr (file->overrides[0], ==, "{\"npy\":\"/w/z.npy\"}");
  g_assert_cmpstr (file->folder, ==, "/w/a");
}

/* The tensor as `dtype shape first last`. */
static void
assert_feed (FlowFeeder *feeder,
             int         dtype,
             const char *json,
             guint64     i,
             const char *expected)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowTensor) tensor = flow_feeder_make (feeder, "x:0", dtype, json, i, &error);
  g_autofree char *shape = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  shape = flow_shape_to_string (tensor->shape);
  text = g_strdup_printf ("%s %s %g %g", flow_dtype_name (tensor->dtype), shape,
                          tensor->n_elements > 0 ? flow_tensor_get_double (tensor, 0) : 0,
                          tensor->n_elements > 0 ? flow_tensor_get_double (tensor, tensor->n_elements - 1) : 0);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_feed_refused (FlowFeeder *feeder,
                     int         dtype,
                     const char *json,
                     const char *words)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowTensor) tensor = flow_feeder_make (feeder, "x:0", dtype, json, 0, &error);

  g_assert_null (tensor);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_feeds (void)
{
  g_autoptr(FlowFeeder) feeder = flow_feeder_new ("/nowhere", NULL);
  g_autoptr(FlowTensor) a = NULL;
  g_autoptr(FlowTensor) b = NULL;
  g_autoptr(FlowTensor) text = NULL;
  g_autoptr(GError) error = NULL;

  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"previous\": true}", "not fed before");
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"value\": 0.5}", 0, "float32 [] 0.5 0.5");
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"previous\": true}", 1, "float32 [] 0.5 0.5");
  assert_feed (feeder, FLOW_DTYPE_INT32, "[[1, 2, 3], [4, 5, 6]]", 0, "int32 [2,3] 1 6");
  assert_feed (feeder, FLOW_DTYPE_INT32, "1.7", 0, "int32 [] 1 1");
  assert_feed (feeder, FLOW_DTYPE_BOOL, "true", 0, "bool [] 1 1");
  assert_feed (feeder, FLOW_DTYPE_DOUBLE, "[\"NaN\", \"-Infinity\"]", 0, "float64 [2] nan -inf");
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "[]", 0, "float32 [0] 0 0");
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"zeros\": [2, 3]}", 0, "float32 [2,3] 0 0");
  assert_feed (feeder, FLOW_DTYPE_INT64, "{\"ones\": []}", 0, "int64 [] 1 1");
  assert_feed (feeder, FLOW_DTYPE_INT32, "{\"range\": [2, 9, 3]}", 0, "int32 [3] 2 8");
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"range\": [0, -1, 1]}", 0, "float32 [0] 0 0");
  a = flow_feeder_make (feeder, "u:0", FLOW_DTYPE_FLOAT, "{\"uniform\": [5, 6], \"shape\": [100], \"seed\": 3}", 2, &error);
  b = flow_feeder_make (feeder, "u:0", FLOW_DTYPE_FLOAT, "{\"uniform\": [5, 6], \"shape\": [100], \"seed\": 3}", 2, &error);
  g_assert_true (flow_tensor_identical (a, b));
  for (gint64 i = 0; i < 100; i++)
    g_assert_true (flow_tensor_get_double (a, i) >= 5 && flow_tensor_get_double (a, i) <= 6);
  text = flow_feeder_make (feeder, "s:0", FLOW_DTYPE_STRING, "{\"value\": [\"a\", \"bc\"]}", 0, &error);
  g_assert_cmpint (text->n_elements, ==, 2);
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "[[1], [2, 3]]", "setting an array element with a sequence.");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "\"a\"", "could not convert string to float: 'a'");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"valeu\": 1}", "unknown key \"valeu\"");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"value\": 1, \"batch\": 2}", "unknown key \"batch\"");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"range\": [0, 1, 0]}", "Requires delta != 0");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"zeros\": [1099511627776, 1099511627776]}", "");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"zeros\": [-1]}", "shape");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"npy\": \"missing.npy\"}", "");
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("flow-feeds-XXXXXX", NULL);
  g_autofree char *npy = g_build_filename (folder, "a.npy", NULL);
  g_autofree char *npz = g_build_filename (folder, "b.npz", NULL);
  g_autoptr(FlowShape) shape = flow_shape_new_matrix (5, 2);
  g_autoptr(FlowTensor) tensor = flow_tensor_new (FLOW_DTYPE_DOUBLE, shape, NULL, NULL);
  g_autoptr(FlowFeeder) feeder = flow_feeder_new (folder, NULL);
  g_autoptr(FlowNpzWriter) writer = NULL;
  g_autoptr(GError) error = NULL;

  for (gint64 i = 0; i < 10; i++)
    ((double *) flow_tensor_get_writable (tensor))[i] = (double) i;
  g_assert_true (flow_npy_save (tensor, npy, &error));
  writer = flow_npz_writer_new (npz, &error);
  g_assert_true (flow_npz_writer_add (writer, "x:0@1", tensor, &error));
  g_assert_true (flow_npz_writer_finish (writer, &error));
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"npy\": \"a.npy\"}", 0, "float32 [5,2] 0 9");
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"npy\": \"a.npy\", \"batch\": 2}", 1, "float32 [2,2] 4 7");
  /* Rows 4, 0: around the end. */
  assert_feed (feeder, FLOW_DTYPE_FLOAT, "{\"npy\": \"a.npy\", \"batch\": 2}", 2, "float32 [2,2] 8 1");
  assert_feed (feeder, FLOW_DTYPE_INT32, "{\"npz\": \"b.npz\", \"key\": \"x:0@{i}\"}", 1, "int32 [5,2] 0 9");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"npz\": \"b.npz\", \"key\": \"no\"}", "");
  assert_feed_refused (feeder, FLOW_DTYPE_FLOAT, "{\"npz\": \"b.npz\"}", "key");
  g_unlink (npy);
  g_unlink (npz);
  g_rmdir (folder);
}

static void
test_specs (void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *npz = flow_feed_spec_to_json ("a/b.npz#x:0@{i}", &error);
  g_autofree char *npy = flow_feed_spec_to_json ("c.npy", &error);
  g_autofree char *json = flow_feed_spec_to_json ("{\"value\": 3}", &error);

  g_assert_cmpstr (npz, ==, "{\"npz\":\"a/b.npz\",\"key\":\"x:0@{i}\"}");
  g_assert_cmpstr (npy, ==, "{\"npy\":\"c.npy\"}");
  g_assert_cmpstr (json, ==, "{\"value\": 3}");
  g_assert_null (flow_feed_spec_to_json ("what", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session/run-file/refused", test_refused);
  g_test_add_func ("/session/run-file/nested", test_nested);
  g_test_add_func ("/session/run-file/round-trip", test_round_trip);
  g_test_add_func ("/session/run-file/moves", test_moves);
  g_test_add_func ("/session/run-file/feeds", test_feeds);
  g_test_add_func ("/session/run-file/files", test_files);
  g_test_add_func ("/session/run-file/specs", test_specs);
  return g_test_run ();
}
