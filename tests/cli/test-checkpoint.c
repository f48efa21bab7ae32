/* test-checkpoint.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* flowstep-cli checkpoint and variables from outside. */

static char *folder;

static int
run_cli (char       **out,
         char       **err,
         const char  *first,
         ...) G_GNUC_NULL_TERMINATED;

static int
run_cli (char       **out,
         char       **err,
         const char  *first,
         ...)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  va_list list;

  g_ptr_array_add (args, (gpointer) g_getenv ("FLOWSTEP_CLI"));
  va_start (list, first);
  for (const char *arg = first; arg != NULL; arg = va_arg (list, const char *))
    g_ptr_array_add (args, (gpointer) arg);
  va_end (list);
  g_ptr_array_add (args, NULL);
  process = g_subprocess_newv ((const char *const *) args->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, out, err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  return g_subprocess_get_exit_status (process);
}

static JsonObject *
run_json (JsonParser *parser,
          int         status,
          const char *what,
          const char *a,
          const char *b)
{
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (run_cli (&out, &err, "checkpoint", "--json", what, a, b, NULL), ==, status);
  json_parser_load_from_data (parser, out, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static char *
golden_path (const char *name)
{
  return g_build_filename (g_getenv ("G_TEST_SRCDIR"), "golden", "checkpoint", name, NULL);
}

static void
test_list (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *path = golden_path ("sliced");
  JsonObject *root = run_json (parser, 0, "list", path, NULL);
  JsonArray *tensors = json_object_get_array_member (root, "tensors");
  JsonObject *emb = json_array_get_object_element (tensors, 0);

  g_assert_cmpstr (json_object_get_string_member (root, "kind"), ==, "checkpoint V2");
  g_assert_cmpuint (json_array_get_length (tensors), ==, 4);
  g_assert_cmpstr (json_object_get_string_member (emb, "name"), ==, "emb");
  g_assert_cmpstr (json_object_get_string_member (emb, "dtype"), ==, "float32");
  g_assert_cmpint (json_array_get_int_element (json_object_get_array_member (emb, "shape"), 1), ==, 6);
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (emb, "slices"), 1), ==, "4,6:0,2");
}

static void
test_show (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *path = golden_path ("all.index");
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  JsonObject *root = run_json (parser, 0, "show", path, "b/bool");
  JsonArray *rows = json_object_get_array_member (root, "values");

  g_assert_true (json_array_get_boolean_element (json_array_get_array_element (rows, 0), 0));
  g_assert_false (json_array_get_boolean_element (json_array_get_array_element (rows, 0), 1));
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (root, "stats"), "mean"), ==, 0.5);

  root = run_json (parser, 0, "show", path, "s/scalar");
  g_assert_cmpstr (json_object_get_string_member (root, "values"), ==, "hello");
  g_assert_true (json_object_get_null_member (json_object_get_object_member (root, "stats"), "min"));

  root = run_json (parser, 1, "show", path, "nope");
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (root, "error"), "code"), ==, "NOT_FOUND");

  g_assert_cmpint (run_cli (&out, &err, "checkpoint", "show", path, "e/scalar", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "e/scalar: float32 [] = 2.5"));
}

static void
test_diff (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *a = golden_path ("sliced");
  g_autofree char *b = golden_path ("sliced.v1");
  g_autofree char *c = golden_path ("sharded");
  JsonObject *root = run_json (parser, 1, "diff", a, b);

  g_assert_cmpint (json_object_get_int_member (root, "same"), ==, 2);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "differences")), ==, 0);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "only_a")), ==, 2);
  root = run_json (parser, 0, "diff", a, a);
  g_assert_cmpint (json_object_get_int_member (root, "same"), ==, 4);
  root = run_json (parser, 1, "diff", a, c);
  g_assert_cmpint (json_object_get_int_member (root, "same"), ==, 1);
}

static const char graph_text[] =
  "node { name: \"emb\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } }"
  "  attr { key: \"shape\" value { shape { dim { size: 10 } dim { size: 6 } } } } }\n"
  "node { name: \"emb/Adam\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } }"
  "  attr { key: \"shape\" value { shape { dim { size: 10 } dim { size: 6 } } } } }\n"
  "node { name: \"w\" op: \"VarHandleOp\" attr { key: \"dtype\" value { type: DT_INT32 } }"
  "  attr { key: \"shape\" value { shape { } } } }\n"
  "node { name: \"ones\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } }"
  "  attr { key: \"shape\" value { shape { dim { size: 10 } dim { size: 6 } } } } }\n";

static void
test_match (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *graph = g_build_filename (folder, "graph.pbtxt", NULL);
  g_autofree char *checkpoint = golden_path ("sliced");
  JsonObject *root;
  JsonObject *item;

  g_assert_true (g_file_set_contents (graph, graph_text, -1, NULL));
  root = run_json (parser, 1, "match", graph, checkpoint);
  item = json_array_get_object_element (json_object_get_array_member (root, "matched"), 0);
  g_assert_cmpstr (json_object_get_string_member (item, "name"), ==, "emb");
  item = json_array_get_object_element (json_object_get_array_member (root, "clashes"), 0);
  g_assert_cmpstr (json_object_get_string_member (item, "name"), ==, "w");
  g_assert_cmpstr (json_object_get_string_member (item, "file_dtype"), ==, "float32");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "only_graph")), ==, 2);
  item = json_array_get_object_element (json_object_get_array_member (root, "only_graph"), 1);
  g_assert_cmpstr (json_object_get_string_member (item, "name"), ==, "ones");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (item, "nearest"), 0), ==, "one");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "only_file")), ==, 2);
  g_unlink (graph);
}

static void
test_variables (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *graph = g_build_filename (folder, "graph.pbtxt", NULL);
  g_autofree char *checkpoint = golden_path ("sliced");
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  JsonArray *variables;
  JsonObject *emb;
  JsonObject *slot;

  g_assert_true (g_file_set_contents (graph, graph_text, -1, NULL));
  g_assert_cmpint (run_cli (&out, &err, "variables", graph, "--checkpoint", checkpoint, "--json", NULL), ==, 0);
  g_assert_true (json_parser_load_from_data (parser, out, -1, NULL));
  variables = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "variables");
  g_assert_cmpuint (json_array_get_length (variables), ==, 4);
  emb = json_array_get_object_element (variables, 0);
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (emb, "stats"), "max"), ==, 59);
  g_assert_true (json_object_get_null_member (emb, "slots_of"));
  slot = json_array_get_object_element (variables, 1);
  g_assert_cmpstr (json_object_get_string_member (slot, "slots_of"), ==, "emb");
  g_assert_true (json_object_get_null_member (slot, "stats"));
  g_unlink (graph);
}

/* A variable in three parts: restored from its key, run, and saved as TensorFlow saves it. */
static void
test_partitioned (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *meta = golden_path ("partitioned.meta");
  g_autofree char *checkpoint = golden_path ("partitioned");
  g_autofree char *saved = g_build_filename (folder, "saved", NULL);
  g_autofree char *index = g_strconcat (saved, ".index", NULL);
  g_autofree char *data = g_strconcat (saved, ".data-00000-of-00001", NULL);
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  JsonObject *root = run_json (parser, 0, "match", meta, checkpoint);

  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "matched")), ==, 2);
  g_assert_cmpint (run_cli (&out, &err, "run", meta, "--checkpoint", checkpoint, "--fetch", "total:0", "--save", saved,
                            "--json", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "\"total:0\" : 2470"));
  root = run_json (parser, 0, "diff", checkpoint, saved);
  g_assert_cmpint (json_object_get_int_member (root, "same"), ==, 2);
  root = run_json (parser, 0, "list", saved, NULL);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (
                      json_array_get_object_element (json_object_get_array_member (root, "tensors"), 0), "slices")), ==, 3);
  g_unlink (index);
  g_unlink (data);
}

static void
test_bad (void)
{
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autofree char *absent = g_build_filename (folder, "absent", NULL);
  g_autofree char *bad = g_build_filename (folder, "bad.index", NULL);

  g_assert_cmpint (run_cli (&out, &err, "checkpoint", "list", absent, NULL), ==, 3);
  g_assert_true (g_str_has_prefix (err, "flowstep-cli: "));
  g_assert_true (strchr (err, '\n') == err + strlen (err) - 1);
  g_clear_pointer (&out, g_free);
  g_clear_pointer (&err, g_free);
  g_assert_true (g_file_set_contents (bad, "x", 1, NULL));
  g_assert_cmpint (run_cli (&out, &err, "checkpoint", "list", bad, NULL), ==, 3);
  g_assert_nonnull (strstr (err, "file is too short to be an sstable"));
  g_clear_pointer (&out, g_free);
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (run_cli (&out, &err, "checkpoint", "nonsense", bad, NULL), ==, 2);
  g_unlink (bad);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("flow-cli-XXXXXX", NULL);
  g_test_add_func ("/cli/checkpoint/list", test_list);
  g_test_add_func ("/cli/checkpoint/show", test_show);
  g_test_add_func ("/cli/checkpoint/diff", test_diff);
  g_test_add_func ("/cli/checkpoint/match", test_match);
  g_test_add_func ("/cli/checkpoint/variables", test_variables);
  g_test_add_func ("/cli/checkpoint/partitioned", test_partitioned);
  g_test_add_func ("/cli/checkpoint/bad", test_bad);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
