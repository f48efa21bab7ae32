/* test-files.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* flowstep-cli from outside: exit codes, one line of error, JSON with its keys. */

static char *folder;

typedef struct {
  int status;
  char *out;
  char *err;
} Run;

static void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static Run
run_cli (const char *first,
         ...) G_GNUC_NULL_TERMINATED;

static Run
run_cli (const char *first,
         ...)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  Run run = { 0 };
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
  g_subprocess_communicate_utf8 (process, NULL, NULL, &run.out, &run.err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  run.status = g_subprocess_get_exit_status (process);
  return run;
}

static JsonObject *
parse (JsonParser *parser,
       const char *text)
{
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static char *
model_path (const char *name)
{
  return g_build_filename (g_getenv ("G_TEST_SRCDIR"), "golden", "models", name, NULL);
}

static char *
write_text (const char *name,
            const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_info (void)
{
  g_autofree char *path = model_path ("xor.meta");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("info", path, "--json", NULL);
  g_auto (Run) text = run_cli ("info", path, NULL);
  JsonObject *root;

  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  root = parse (parser, run.out);
  g_assert_cmpstr (json_object_get_string_member (root, "kind"), ==, "MetaGraphDef");
  g_assert_cmpint (json_object_get_int_member (root, "producer"), ==, 27);
  g_assert_cmpint (json_object_get_int_member (root, "nodes"), ==, 71);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (root, "op_types"), "ApplyGradientDescent"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (root, "collections"), "variables"), ==, 3);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "problems")), ==, 0);
  g_assert_nonnull (json_object_get_array_member (root, "functions"));
  g_assert_nonnull (json_object_get_array_member (root, "signatures"));
  g_assert_cmpint (text.status, ==, 0);
  g_assert_nonnull (strstr (text.out, "71 nodes"));
}

/* A run file stands for its graph. */
static void
test_run_file (void)
{
  g_autofree char *graph = write_text ("named.pbtxt", "node { name: 'a' op: 'NoOp' } node { name: 'b' op: 'NoOp' }");
  g_autofree char *path = write_text ("named.run.json", "{\"graph\": \"named.pbtxt\", \"runs\": [{\"name\": \"r\", \"targets\": [\"a\"]}]}");
  g_autofree char *bad = write_text ("bad.run.json", "{\"graph\": \"nope.pbtxt\", \"runs\": []}");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("info", path, "--json", NULL);
  g_auto (Run) failed = run_cli ("info", bad, NULL);

  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpint (json_object_get_int_member (parse (parser, run.out), "nodes"), ==, 2);
  g_assert_cmpint (failed.status, ==, 3);
}

static void
test_nodes (void)
{
  g_autofree char *path = model_path ("cond_test.meta");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) all = run_cli ("nodes", path, "--json", NULL);
  g_auto (Run) scoped = run_cli ("nodes", path, "--scope", "cond", "--type", "Merge", "--match", "^cond/M", "--json", NULL);
  g_auto (Run) bad = run_cli ("nodes", path, "--match", "(", NULL);
  JsonArray *nodes;
  JsonObject *node;

  g_assert_cmpint (json_array_get_length (json_object_get_array_member (parse (parser, all.out), "nodes")), ==, 14);
  nodes = json_object_get_array_member (parse (parser, scoped.out), "nodes");
  g_assert_cmpint (json_array_get_length (nodes), ==, 1);
  node = json_array_get_object_element (nodes, 0);
  g_assert_cmpstr (json_object_get_string_member (node, "name"), ==, "cond/Merge");
  g_assert_cmpstr (json_object_get_string_member (node, "type"), ==, "Merge");
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (node, "inputs")), ==, 2);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (node, "attrs"), "N"), ==, 2);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (node, "outputs")), ==, 2);
  g_assert_cmpint (bad.status, ==, 2);
}

static void
test_collections (void)
{
  g_autofree char *path = model_path ("xor.meta");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("collections", path, "trainable_variables", "--json", NULL);
  g_auto (Run) none = run_cli ("collections", path, "nope", "--json", NULL);
  JsonArray *items;
  JsonObject *fields;

  items = json_object_get_array_member (json_object_get_object_member (parse (parser, run.out), "collections"), "trainable_variables");
  g_assert_cmpint (json_array_get_length (items), >, 0);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (items, 0), "kind"), ==, "VariableDef");
  fields = json_object_get_object_member (json_array_get_object_element (items, 0), "fields");
  g_assert_true (g_str_has_suffix (json_object_get_string_member (fields, "variable_name"), ":0"));
  g_assert_cmpint (none.status, ==, 1);
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (parse (parser, none.out), "error"), "code"),
                   ==, "NOT_FOUND");
}

static void
test_convert (void)
{
  g_autofree char *path = model_path ("split_test.pb");
  g_autofree char *text = g_build_filename (folder, "a.pbtxt", NULL);
  g_autofree char *same = g_build_filename (folder, "b.pb", NULL);
  g_autofree char *back = g_build_filename (folder, "c.pb", NULL);
  g_autofree char *meta = g_build_filename (folder, "d.meta", NULL);
  g_autofree char *odd = g_build_filename (folder, "e.txt", NULL);
  g_auto (Run) to_text = run_cli ("convert", path, "-o", text, NULL);
  g_auto (Run) unchanged = run_cli ("convert", path, "-o", same, NULL);
  g_auto (Run) to_meta = run_cli ("convert", path, "-o", meta, NULL);
  g_auto (Run) from_meta = run_cli ("convert", meta, "-o", back, NULL);
  g_auto (Run) bad = run_cli ("convert", path, "-o", odd, NULL);
  g_autofree char *original = NULL;
  g_autofree char *copy = NULL;
  g_autofree char *again = NULL;
  gsize n_original;
  gsize n_copy;
  gsize n_again;

  g_assert_cmpint (to_text.status, ==, 0);
  g_assert_cmpint (unchanged.status, ==, 0);
  g_assert_cmpint (to_meta.status, ==, 0);
  g_assert_cmpint (from_meta.status, ==, 0);
  g_assert_cmpint (bad.status, ==, 2);
  g_assert_true (g_file_get_contents (path, &original, &n_original, NULL));
  g_assert_true (g_file_get_contents (same, &copy, &n_copy, NULL));
  g_assert_true (g_file_get_contents (back, &again, &n_again, NULL));
  g_assert_cmpmem (original, n_original, copy, n_copy);
  g_assert_cmpmem (original, n_original, again, n_again);
}

/* Text and binary of one graph become the same bytes. */
static void
test_convert_deterministic (void)
{
  g_autofree char *path = model_path ("split_test.pb");
  g_autofree char *text = g_build_filename (folder, "o.pbtxt", NULL);
  g_autofree char *a = g_build_filename (folder, "o1.pb", NULL);
  g_autofree char *b = g_build_filename (folder, "o2.pb", NULL);
  g_auto (Run) to_text = run_cli ("convert", path, "-o", text, NULL);
  g_auto (Run) of_binary = run_cli ("convert", path, "--deterministic", "-o", a, NULL);
  g_auto (Run) of_text = run_cli ("convert", text, "--deterministic", "-o", b, NULL);
  g_autofree char *x = NULL;
  g_autofree char *y = NULL;
  gsize n_x;
  gsize n_y;

  g_assert_cmpint (to_text.status, ==, 0);
  g_assert_cmpint (of_binary.status, ==, 0);
  g_assert_cmpint (of_text.status, ==, 0);
  g_assert_true (g_file_get_contents (a, &x, &n_x, NULL));
  g_assert_true (g_file_get_contents (b, &y, &n_y, NULL));
  g_assert_cmpmem (x, n_x, y, n_y);
}

/* An event file: its graph as any other, its scalars, and what a file that ends early says. */
static void
test_events (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "golden", "events",
                                            "events.out.tfevents.1700000000.recorded", NULL);
  g_autofree char *cut = g_build_filename (folder, "events.out.tfevents.2.cut", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *whole = NULL;
  gsize n_whole;
  g_auto (Run) run = run_cli ("info", path, "--json", NULL);
  g_auto (Run) nodes = run_cli ("nodes", path, "--type", "VariableV2", NULL);
  JsonObject *root;
  JsonObject *first;

  g_assert_cmpint (run.status, ==, 0);
  root = parse (parser, run.out);
  g_assert_cmpstr (json_object_get_string_member (root, "kind"), ==, "event file");
  g_assert_cmpint (json_object_get_int_member (root, "nodes"), ==, 62);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "scalars")), ==, 3);
  first = json_array_get_object_element (json_object_get_array_member (root, "scalars"), 0);
  g_assert_cmpstr (json_object_get_string_member (first, "tag"), ==, "loss_summary");
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (first, "values")), ==, 8);
  g_assert_cmpfloat (json_array_get_double_element (json_object_get_array_member (first, "values"), 0), ==, 7.5);
  g_assert_true (g_str_has_prefix (nodes.out, "w  VariableV2"));

  g_assert_true (g_file_get_contents (path, &whole, &n_whole, NULL));
  g_assert_true (g_file_set_contents (cut, whole, (gssize) n_whole - 1, NULL));
  {
    g_auto (Run) damaged = run_cli ("info", cut, NULL);

    g_assert_cmpint (damaged.status, ==, 0);
    g_assert_nonnull (strstr (damaged.out, "truncated record at"));
  }
}

/* Two runs: what both have, and what one only. */
static void
test_plan_compare (void)
{
  g_autofree char *path = write_text ("two.pbtxt",
                                      "node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } "
                                      "attr { key: 'shape' value { shape { } } } }"
                                      "node { name: 'a' op: 'Identity' input: 'v' attr { key: 'T' value { type: DT_FLOAT } } }"
                                      "node { name: 'b' op: 'Neg' input: 'v' attr { key: 'T' value { type: DT_FLOAT } } }");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("plan", path, "--fetch", "a", "--compare", "--fetch", "b", "--json", NULL);
  g_auto (Run) bad = run_cli ("plan", path, "--fetch", "a", "--compare", "--fetch", "nope", NULL);
  JsonObject *root;

  g_assert_cmpint (run.status, ==, 0);
  root = parse (parser, run.out);
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (root, "shared"), 0), ==, "v");
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "shared")), ==, 1);
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (root, "only_a"), 0), ==, "a");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (root, "only_b"), 0), ==, "b");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (root, "shared_stateful"), 0), ==, "v");
  g_assert_cmpint (bad.status, ==, 1);
}

/* All that is fetched is fed: nothing is run. Nothing asked at all is an error. */
static void
test_plan_fed (void)
{
  g_autofree char *path = write_text ("fed.pbtxt", "node { name: 'a' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("plan", path, "--fetch", "a:0", "--feed", "a:0=1", "--json", NULL);
  g_auto (Run) text = run_cli ("plan", path, "--fetch", "a:0", "--feed", "a:0", NULL);
  g_auto (Run) nothing = run_cli ("plan", path, "--feed", "a:0", NULL);
  JsonObject *root;

  g_assert_cmpint (run.status, ==, 0);
  root = parse (parser, run.out);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "nodes")), ==, 0);
  g_assert_cmpint (json_object_get_int_member (root, "pruned"), ==, 1);
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (root, "fed"), 0), ==, "a:0");
  g_assert_nonnull (strstr (text.out, "0 nodes, 1 pruned"));
  g_assert_cmpint (nothing.status, ==, 1);
}

static guint
count_findings (JsonObject *root,
                const char *id,
                const char *node)
{
  JsonArray *findings = json_object_get_array_member (root, "findings");
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (findings); i++)
    {
      JsonObject *finding = json_array_get_object_element (findings, i);
      JsonArray *nodes = json_object_get_array_member (finding, "nodes");

      for (guint k = 0; k < json_array_get_length (nodes); k++)
        n += strcmp (json_object_get_string_member (finding, "id"), id) == 0 &&
             strcmp (json_array_get_string_element (nodes, k), node) == 0;
    }
  return n;
}

/* A moving average that training leaves behind, a variable that nobody knows, an op that is not ours. */
static void
test_diagnose (void)
{
  g_autofree char *path = write_text ("sick.pbtxt",
    "graph_def {"
    " node { name: 'w' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }"
    " node { name: 'mean' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }"
    " node { name: 'lone' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }"
    " node { name: 'one' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"
    " node { name: 'w/Assign' op: 'Assign' input: 'w' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
    " node { name: 'train' op: 'AssignAdd' input: 'w' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
    " node { name: 'update' op: 'AssignAdd' input: 'mean' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
    " node { name: 'strange' op: 'NobodysOp' input: 'one' }"
    " versions { producer: 134 } }"
    "collection_def { key: 'update_ops' value { node_list { value: 'update:0' } } }"
    "collection_def { key: 'train_op' value { node_list { value: 'train' } } }"
    "collection_def { key: 'variables' value { bytes_list { value: '\\n\\003w:0\\022\\010w/Assign' value: '\\n\\006mean:0' } } }");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("diagnose", path, "--json", NULL);
  g_auto (Run) text = run_cli ("diagnose", path, "--fail-on", "warning", NULL);
  g_auto (Run) other = run_cli ("diagnose", path, "--fail-on", "damage", NULL);
  g_auto (Run) bad = run_cli ("diagnose", path, "--fail-on", "everything", NULL);
  g_auto (Run) no_target = run_cli ("diagnose", path, "--target", "nope", NULL);
  JsonObject *root;

  g_assert_cmpint (run.status, ==, 0);
  root = parse (parser, run.out);
  g_assert_cmpuint (count_findings (root, "update-ops-skipped", "update"), ==, 1);
  g_assert_cmpuint (count_findings (root, "variable-in-no-collection", "lone"), ==, 1);
  g_assert_cmpuint (count_findings (root, "variable-in-no-collection", "w"), ==, 0);
  g_assert_cmpuint (count_findings (root, "variable-without-initializer", "w"), ==, 0);
  g_assert_cmpuint (count_findings (root, "variable-without-initializer", "lone"), ==, 1);
  g_assert_cmpuint (count_findings (root, "op-not-registered", "strange"), ==, 1);
  g_assert_cmpint (text.status, ==, 1);
  g_assert_nonnull (strstr (text.out, "update-ops-skipped"));
  g_assert_cmpint (other.status, ==, 0);
  g_assert_cmpint (bad.status, ==, 2);
  g_assert_cmpint (no_target.status, ==, 1);
}

/* What tf.profiler of TensorFlow 1.15 says of the same graph. */
static void
test_flops (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "golden", "training", "mlp-sgd", "model.meta", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("flops", path, "--target", "GradientDescent", "--json", NULL);
  g_auto (Run) bad = run_cli ("flops", path, "--target", "nope", NULL);
  g_autofree char *run_path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "golden", "training", "mlp-sgd",
                                                "flowstep.run.json", NULL);
  g_auto (Run) executed = run_cli ("flops", run_path, "--json", NULL);
  JsonObject *all;

  g_assert_cmpint (run.status, ==, 0);
  all = json_object_get_object_member (parse (parser, run.out), "static");
  g_assert_cmpint (json_object_get_int_member (all, "total"), ==, 1409);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (all, "types"), "AssignAdd"), ==, 1);
  g_assert_cmpint (bad.status, ==, 1);
  /* With a batch at hand the products count. */
  g_assert_cmpint (executed.status, ==, 0);
  all = json_object_get_object_member (parse (parser, executed.out), "executed");
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (all, "types"), "MatMul"), >, 100000);
}

/* One line of error, exit 3, the same in JSON. */
static void
test_damaged (void)
{
  g_autofree char *path = write_text ("bad.pbtxt", "node {\n  nam: \"x\"\n}\n");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("info", path, "--json", NULL);
  g_autofree char *line = g_strdup_printf ("flowstep-cli: %s: Can't parse %s as text proto: 2:3: ", path, path);
  JsonObject *error;

  g_assert_cmpint (run.status, ==, 3);
  g_assert_true (g_str_has_prefix (run.err, line));
  g_assert_true (strchr (run.err, '\n') == run.err + strlen (run.err) - 1);
  error = json_object_get_object_member (parse (parser, run.out), "error");
  g_assert_cmpstr (json_object_get_string_member (error, "code"), ==, "DATA_LOSS");
  g_assert_nonnull (strstr (json_object_get_string_member (error, "message"), "has no field named \"nam\""));
}

static void
test_usage (void)
{
  g_auto (Run) nothing = run_cli (NULL, NULL);
  g_auto (Run) unknown = run_cli ("frobnicate", NULL);
  g_auto (Run) missing = run_cli ("info", NULL);
  g_auto (Run) option = run_cli ("info", "--frobnicate", "x", NULL);
  g_auto (Run) file = run_cli ("info", "/nonexistent", NULL);
  g_auto (Run) help = run_cli ("--help", NULL);
  g_auto (Run) info_help = run_cli ("info", "--help", NULL);
  g_auto (Run) version = run_cli ("--version", NULL);

  g_assert_cmpint (nothing.status, ==, 2);
  g_assert_cmpint (unknown.status, ==, 2);
  g_assert_cmpint (missing.status, ==, 2);
  g_assert_cmpint (option.status, ==, 2);
  g_assert_cmpint (file.status, ==, 3);
  g_assert_nonnull (strstr (file.err, "No such file or directory"));
  g_assert_cmpint (help.status, ==, 0);
  g_assert_nonnull (strstr (help.out, "collections"));
  g_assert_cmpint (info_help.status, ==, 0);
  g_assert_nonnull (strstr (info_help.out, "--tags"));
  g_assert_nonnull (strstr (info_help.out, "--json"));
  g_assert_cmpint (version.status, ==, 0);
}

/* NaN and infinities are strings, bytes that are no text are spelled. */
static void
test_json_values (void)
{
  g_autofree char *path = write_text ("values.pbtxt",
                                      "node { name: 'a' op: 'NoOp' attr { key: '_n' value { f: nan } } "
                                      "attr { key: '_i' value { f: inf } } attr { key: '_m' value { f: -inf } } "
                                      "attr { key: '_s' value { s: 'a\\377\\000b' } } }");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("nodes", path, "--json", NULL);
  JsonObject *attrs;

  g_assert_cmpint (run.status, ==, 0);
  attrs = json_object_get_object_member (
    json_array_get_object_element (json_object_get_array_member (parse (parser, run.out), "nodes"), 0), "attrs");
  g_assert_cmpstr (json_object_get_string_member (attrs, "_n"), ==, "NaN");
  g_assert_cmpstr (json_object_get_string_member (attrs, "_i"), ==, "Infinity");
  g_assert_cmpstr (json_object_get_string_member (attrs, "_m"), ==, "-Infinity");
  g_assert_cmpstr (json_object_get_string_member (attrs, "_s"), ==, "a\\xff\\x00b");
}

/* Illegal nodes are told and do not keep the rest from opening. */
static void
test_problems (void)
{
  g_autofree char *path = write_text ("problems.pbtxt",
                                      "node { name: 'a' op: 'NoOp' } node { name: 'a b' op: 'NoOp' } "
                                      "node { name: 'c' op: 'NoSuchOp' input: 'zzz' }");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_auto (Run) run = run_cli ("info", path, "--json", NULL);
  JsonObject *root;

  g_assert_cmpint (run.status, ==, 0);
  root = parse (parser, run.out);
  g_assert_cmpint (json_object_get_int_member (root, "nodes"), ==, 2);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "problems")), ==, 2);
  g_assert_nonnull (strstr (run.out, "Node name contains invalid characters"));
  g_assert_nonnull (strstr (run.out, "Unknown input node 'zzz'"));
}

static void
remove_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

/* What we have for an op: a line, an object, and a table that adds them up. */
static void
test_coverage (void)
{
  g_auto (Run) line = run_cli ("ops", "--coverage", "Conv2D", NULL);
  g_auto (Run) whole = run_cli ("ops", "--coverage", "--json", NULL);
  g_auto (Run) table = run_cli ("ops", "--coverage", "--table", NULL);
  g_auto (Run) alone = run_cli ("ops", "--table", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *last = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "README.md", NULL);
  g_autofree char *readme = NULL;
  JsonArray *ops;
  gint64 n_cases = 0;
  guint n_gradients = 0;
  guint n_flops = 0;
  guint n_compared = 0;
  guint n_with_kernel = 0;

  g_assert_cmpint (alone.status, ==, 2);
  g_assert_nonnull (strstr (line.out, " shape flops gradient  T: float32 float64 float16\n"));
  ops = json_object_get_array_member (parse (parser, whole.out), "ops");
  for (guint i = 0; i < json_array_get_length (ops); i++)
    {
      JsonObject *op = json_array_get_object_element (ops, i);

      n_cases += json_object_get_int_member (op, "cases");
      n_compared += json_object_get_int_member (op, "cases") > 0;
      n_with_kernel += json_array_get_length (json_object_get_array_member (op, "kernels")) > 0;
      n_flops += json_object_get_boolean_member (op, "flops");
      n_gradients += json_object_get_boolean_member (op, "gradient");
    }
  g_assert_cmpint (n_cases, >, 10000);
  g_assert_cmpuint (n_compared, >, 900);
  /* What GPUs and TPUs alone run has none. */
  g_assert_cmpuint (n_with_kernel, <, json_array_get_length (ops));
  g_assert_cmpuint (n_with_kernel, >, json_array_get_length (ops) - 50);
  last = g_strdup_printf ("\n| all | %u | %u | %u | %u | %u | %u | %" G_GINT64_FORMAT " |\n", json_array_get_length (ops),
                          n_with_kernel, json_array_get_length (ops), n_flops, n_gradients, n_compared, n_cases);
  g_assert_true (g_str_has_suffix (table.out, last));
  /* The README's table is this one. */
  g_assert_true (g_file_get_contents (path, &readme, NULL, NULL));
  g_assert_nonnull (strstr (readme, table.out));
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("flowstep-XXXXXX", NULL);

  g_test_add_func ("/cli/files/info", test_info);
  g_test_add_func ("/cli/files/run-file", test_run_file);
  g_test_add_func ("/cli/files/nodes", test_nodes);
  g_test_add_func ("/cli/files/collections", test_collections);
  g_test_add_func ("/cli/files/convert", test_convert);
  g_test_add_func ("/cli/files/convert-deterministic", test_convert_deterministic);
  g_test_add_func ("/cli/files/events", test_events);
  g_test_add_func ("/cli/files/plan-compare", test_plan_compare);
  g_test_add_func ("/cli/files/plan-fed", test_plan_fed);
  g_test_add_func ("/cli/files/diagnose", test_diagnose);
  g_test_add_func ("/cli/files/flops", test_flops);
  g_test_add_func ("/cli/files/damaged", test_damaged);
  g_test_add_func ("/cli/files/usage", test_usage);
  g_test_add_func ("/cli/files/json-values", test_json_values);
  g_test_add_func ("/cli/files/problems", test_problems);

  g_test_add_func ("/cli/files/coverage", test_coverage);
  status = g_test_run ();
  remove_folder ();
  return status;
}
