/* test-model.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-collection.h"
#include "flow-model.h"
#include "flow-proto-writer.h"
#include "flow-tensor-proto.h"
#include "flow-test-damage.h"
#include "flow-test-hex.h"
#include "flow-text-proto.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FlowModel *
load (const char *name)
{
  g_autofree char *path = flow_test_path (name);
  g_autoptr (GError) error = NULL;
  FlowModel *model = flow_model_load (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static FlowModel *
load_text (const char  *text,
           GError     **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return flow_model_load_bytes (bytes, "x.pbtxt", NULL, error);
}

static void
test_kinds (void)
{
  static const struct {
    const char *file;
    FlowModelKind kind;
    gboolean is_text;
    guint n_nodes;
  } files[] = {
    { "golden/models/split_test.pb", FLOW_MODEL_GRAPH_DEF, FALSE, 8 },
    { "golden/models/assert_less_equal_test.pb", FLOW_MODEL_GRAPH_DEF, FALSE, 0 },
    { "golden/models/cond_test.meta", FLOW_MODEL_META_GRAPH, FALSE, 14 },
    { "golden/models/xor.meta", FLOW_MODEL_META_GRAPH, FALSE, 71 },
    { "golden/models/xor.meta.xz", FLOW_MODEL_META_GRAPH, FALSE, 71 },
    { "golden/models/export.meta", FLOW_MODEL_SESSION_BUNDLE, FALSE, 57 },
    { "golden/models/half_plus_two.pb", FLOW_MODEL_SAVED_MODEL, FALSE, 65 },
    { "golden/models/half_plus_two.pbtxt", FLOW_MODEL_SAVED_MODEL, TRUE, 65 },
    { "golden/models/queues.pbtxt.gz", FLOW_MODEL_META_GRAPH, TRUE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (FlowModel) model = load (files[i].file);
      guint n = flow_graph_get_n_nodes (flow_model_get_graph (model));

      g_assert_cmpint (flow_model_get_kind (model), ==, files[i].kind);
      g_assert_cmpint (flow_model_is_text (model), ==, files[i].is_text);
      g_assert_cmpuint (n, >, 0);
      if (files[i].n_nodes > 0)
        g_assert_cmpuint (n, ==, files[i].n_nodes);
      g_assert_cmpuint (flow_model_get_problems (model)->len, ==, 0);
    }
}

static void
test_graph (void)
{
  g_autoptr (FlowModel) model = load ("golden/models/cond_test.meta");
  FlowGraph *graph = flow_model_get_graph (model);
  guint32 merge = flow_graph_find_node (graph, "cond/Merge");
  FlowEndpoint source;

  g_assert_cmpuint (merge, !=, FLOW_NODE_NONE);
  g_assert_cmpstr (flow_graph_get_node_type (graph, merge), ==, "Merge");
  g_assert_cmpuint (flow_graph_get_n_inputs (graph, merge), ==, 2);
  flow_graph_get_input (graph, merge, 0, &source);
  g_assert_cmpint (source.slot, ==, 0);
  g_assert_cmpint (flow_graph_get_producer (graph), ==, 27);
  g_assert_cmpint (flow_attr_get_dtype (flow_graph_get_attr (graph, merge, "T")), ==, FLOW_DTYPE_INT32);
}

static void
test_collections (void)
{
  g_autoptr (FlowModel) xor = load ("golden/models/xor.meta");
  g_autoptr (FlowModel) loops = load ("golden/models/while_with_cond.pbtxt.gz");
  g_autoptr (FlowModel) queues = load ("golden/models/queues.pbtxt.gz");
  g_autoptr (FlowModel) half = load ("golden/models/half_plus_two.pb");
  GPtrArray *items = flow_graph_get_collection (flow_model_get_graph (xor), "trainable_variables");
  FlowCollectionItem *item;
  g_autoptr (GVariant) values = NULL;

  g_assert_nonnull (items);
  item = items->pdata[0];
  g_assert_cmpint (item->kind, ==, FLOW_COLLECTION_VARIABLE);
  g_assert_cmpstr (item->name, ==, flow_collection_item_get_text (item, "variable_name"));
  g_assert_true (g_str_has_suffix (flow_collection_item_get_text (item, "initializer_name"), "/Assign"));
  g_assert_cmpint (flow_collection_item_get_int (item, "trainable", 0), ==, 1);
  g_assert_cmpint (flow_collection_item_get_int (item, "is_resource", 7), ==, 7);
  g_assert_null (item->problem);

  items = flow_graph_get_collection (flow_model_get_graph (loops), "while_context");
  g_assert_nonnull (items);
  item = items->pdata[0];
  g_assert_cmpint (item->kind, ==, FLOW_COLLECTION_WHILE_CONTEXT);
  g_assert_cmpint (flow_collection_item_get_int (item, "parallel_iterations", 0), ==, 10);
  values = g_variant_lookup_value (item->fields, "loop_enter_names", G_VARIANT_TYPE_STRING_ARRAY);
  g_assert_nonnull (values);
  g_assert_cmpuint (g_variant_n_children (values), >, 0);

  items = flow_graph_get_collection (flow_model_get_graph (queues), "queue_runners");
  g_assert_nonnull (items);
  g_assert_cmpint (((FlowCollectionItem *) items->pdata[0])->kind, ==, FLOW_COLLECTION_QUEUE_RUNNER);

  items = flow_graph_get_collection (flow_model_get_graph (half), "saved_model_assets");
  g_assert_nonnull (items);
  item = items->pdata[0];
  g_assert_cmpint (item->kind, ==, FLOW_COLLECTION_ANY);
  g_assert_cmpstr (flow_collection_item_get_text (item, "type_url"), ==, "type.googleapis.com/tensorflow.AssetFileDef");
  g_clear_pointer (&values, g_variant_unref);
  values = g_variant_lookup_value (item->fields, "value", G_VARIANT_TYPE_VARDICT);
  g_assert_nonnull (values);
}

static void
test_saved_model (void)
{
  g_autoptr (FlowModel) binary = load ("golden/models/half_plus_two.pb");
  g_autoptr (FlowModel) text = load ("golden/models/half_plus_two.pbtxt");
  FlowModel *models[] = { binary, text };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      GPtrArray *signatures = flow_model_get_signatures (models[i]);
      const FlowSignature *signature;
      const FlowTensorInfo *info;

      g_assert_cmpuint (flow_model_get_n_meta_graphs (models[i]), ==, 1);
      g_assert_cmpstr (flow_model_get_tags (models[i], 0), ==, "serve");
      g_assert_cmpuint (signatures->len, >=, 4);
      signature = signatures->pdata[0];
      g_assert_cmpstr (signature->key, ==, "classify_x2_to_y3");
      g_assert_cmpstr (signature->method_name, ==, "tensorflow/serving/classify");
      info = signature->inputs->pdata[0];
      g_assert_cmpstr (info->key, ==, "inputs");
      g_assert_cmpstr (info->name, ==, "x2:0");
      g_assert_cmpint (info->dtype, ==, FLOW_DTYPE_FLOAT);
      g_assert_cmpint (flow_shape_get_dim (info->shape, 1), ==, 1);
      g_assert_cmpstr (flow_model_get_saver (models[i])->filename_tensor_name, ==, "save/Const:0");
      g_assert_cmpint (flow_model_get_saver (models[i])->version, ==, 2);
      g_assert_cmpstr (flow_model_get_tensorflow_version (models[i]), ==, "1.1.0-rc2");
      g_assert_nonnull (flow_model_get_init_op (models[i]));
    }
}

static void
test_tags (void)
{
  static const char text[] =
    "saved_model_schema_version: 1 "
    "meta_graphs { meta_info_def { tags: 'serve' } graph_def { node { name: 'a' op: 'NoOp' } } } "
    "meta_graphs { meta_info_def { tags: ['serve', 'gpu'] } graph_def { node { name: 'b' op: 'NoOp' } } } "
    "meta_graphs { meta_info_def { tags: 'serve' } graph_def { node { name: 'c' op: 'NoOp' } } }";
  static const struct {
    const char *tags;
    const char *node;
  } cases[] = { { NULL, "a" }, { "serve", "a" }, { "gpu,serve", "b" }, { "serve, gpu", "b" }, { "train", NULL }, { "", NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FlowLoadOptions options = { .tags = cases[i].tags };
      g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowModel) model = flow_model_load_bytes (bytes, "dir", &options, &error);

      if (cases[i].node == NULL)
        {
          g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
          g_assert_nonnull (strstr (error->message, "Could not find meta graph def matching supplied tags"));
          g_assert_nonnull (strstr (error->message, "{serve}, {gpu,serve}, {serve}"));
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (flow_model_get_n_meta_graphs (model), ==, 3);
      g_assert_cmpuint (flow_graph_find_node (flow_model_get_graph (model), cases[i].node), ==, 0);
    }
}

/* --- What people point at --- */

static void
check_path (const char *path,
            int         code,
            const char *what)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_model_load (path, NULL, &error));
  g_assert_error (error, FLOW_ERROR, code);
  g_assert_nonnull (strstr (error->message, what));
}

static void
test_paths (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("flowstep-XXXXXX", &error);
  g_autofree char *fifo = g_build_filename (folder, "fifo.pb", NULL);
  g_autofree char *loop = g_build_filename (folder, "loop.pb", NULL);
  g_autofree char *one = g_build_filename (folder, "one.pb", NULL);
  g_autofree char *saved = g_build_filename (folder, "saved_model.pbtxt", NULL);
  g_autofree char *prefix = NULL;
  g_autoptr (FlowModel) model = NULL;

  g_assert_no_error (error);
  check_path (folder, FLOW_ERROR_NOT_FOUND, "Could not find SavedModel .pb or .pbtxt at supplied export directory path");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  check_path (fifo, FLOW_ERROR_INVALID_ARGUMENT, "not a regular file");
  check_path ("/dev/zero", FLOW_ERROR_INVALID_ARGUMENT, "not a regular file");
  g_assert_cmpint (symlink ("loop.pb", loop), ==, 0);
  check_path (loop, FLOW_ERROR_UNKNOWN, "loop.pb");
  check_path ("/proc/self/status", FLOW_ERROR_INVALID_ARGUMENT, "not a regular file");
  check_path ("/proc/self/mem", FLOW_ERROR_UNKNOWN, "/proc/self/mem");
  check_path ("/nonexistent/x.pb", FLOW_ERROR_NOT_FOUND, "No such file");
  for (guint c = 0; c < 256; c++)
    {
      char byte = (char) c;
      g_autoptr (GError) local = NULL;

      g_assert_true (g_file_set_contents (one, &byte, 1, NULL));
      g_assert_null (flow_model_load (one, NULL, &local));
      g_assert_true (g_error_matches (local, FLOW_ERROR, FLOW_ERROR_DATA_LOSS) ||
                     g_error_matches (local, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT));
    }
  g_assert_true (g_file_set_contents (one, "", 0, NULL));
  model = flow_model_load (one, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_model_get_problems (model)->len, ==, 1);
  g_clear_object (&model);

  g_assert_true (g_file_set_contents (saved, "meta_graphs { graph_def { node { name: 'a' op: 'NoOp' } } }", -1, NULL));
  model = flow_model_load (folder, NULL, &error);
  g_assert_no_error (error);
  prefix = flow_model_get_variables_prefix (model);
  g_assert_true (g_str_has_prefix (prefix, folder));
  g_assert_true (g_str_has_suffix (prefix, "/variables/variables"));
  g_unlink (fifo);
  g_unlink (loop);
  g_unlink (one);
  g_unlink (saved);
  g_rmdir (folder);
}

/* Files that lie beside graphs are told by name. */
static void
test_other_files (void)
{
  static const struct {
    const char *hex;
    const char *what;
  } cases[] = {
    { "0300000000000000b099490e" "666f6f" "618abefe", "a file of records" },
    { "00000000010000000000000000000000000000000000000000000000000000000000000000000000" "57fb808b247547db", "a checkpoint" },
    { "894844460d0a1a0a00", "an HDF5 file" },
    { "6d6f64656c5f636865636b706f696e745f706174683a20226122", "a checkpoint state file" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = flow_test_unhex (cases[i].hex);
      g_autoptr (GError) error = NULL;

      g_assert_null (flow_model_load_bytes (bytes, "x", NULL, &error));
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, cases[i].what));
    }
}

/* --- Illegal parts: what is sound opens --- */

static gboolean
has_problem (FlowModel  *model,
             int         code,
             const char *text)
{
  GPtrArray *problems = flow_model_get_problems (model);

  for (guint i = 0; i < problems->len; i++)
    {
      const FlowProblem *problem = problems->pdata[i];

      if (problem->code == code && strstr (problem->text, text) != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
test_bad_collections (void)
{
  static const char text[] =
    "graph_def { node { name: 'a' op: 'NoOp' } node { name: 'v' op: 'VariableV2' } } "
    "collection_def { key: 'trainable_variables' value { bytes_list { value: '\\001\\002garbage' value: '\\012\\003v:0' } } } "
    "collection_def { key: 'variables' value { bytes_list { value: '\\012\\006nope:0' } } } "
    "collection_def { key: 'saved_model_main_op' value { node_list { value: 'a' value: 'v' } } } "
    "collection_def { key: 'ints' value { int64_list { value: [3, -4] } } } "
    "collection_def { key: 'floats' value { float_list { value: [nan, 0.5] } } } "
    "collection_def { key: 'bytes' value { bytes_list { value: '\\377' value: 'text' } } } "
    "signature_def { key: 's' value { inputs { key: 'x' value { name: 'nope:0' } } } } "
    "asset_file_def { filename: '../../etc/passwd' } asset_file_def { filename: '/etc/passwd' } "
    "asset_file_def { filename: 'a/../../x' } asset_file_def { filename: '' } asset_file_def { filename: 'a\\000b' } "
    "asset_file_def { filename: 'vocabulary.txt' }";
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = load_text (text, &error);
  FlowGraph *graph;
  GPtrArray *items;
  GPtrArray *assets;

  g_assert_no_error (error);
  graph = flow_model_get_graph (model);
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 2);
  items = flow_graph_get_collection (graph, "trainable_variables");
  g_assert_cmpuint (items->len, ==, 2);
  g_assert_nonnull (((FlowCollectionItem *) items->pdata[0])->problem);
  g_assert_cmpint (((FlowCollectionItem *) items->pdata[0])->kind, ==, FLOW_COLLECTION_BYTES);
  g_assert_null (((FlowCollectionItem *) items->pdata[1])->problem);
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "VariableDef"));
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "The name 'nope:0' refers to"));
  g_assert_true (has_problem (model, FLOW_ERROR_FAILED_PRECONDITION, "Expected exactly one main op in"));
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "Signature 's' names the tensor 'nope:0'"));
  items = flow_graph_get_collection (graph, "ints");
  g_assert_cmpint (g_variant_get_int64 (((FlowCollectionItem *) items->pdata[1])->fields), ==, -4);
  items = flow_graph_get_collection (graph, "floats");
  g_assert_cmpfloat (g_variant_get_double (((FlowCollectionItem *) items->pdata[1])->fields), ==, 0.5);
  items = flow_graph_get_collection (graph, "bytes");
  g_assert_null (((FlowCollectionItem *) items->pdata[0])->fields);
  g_assert_cmpstr (g_variant_get_string (((FlowCollectionItem *) items->pdata[1])->fields, NULL), ==, "text");

  assets = flow_model_get_asset_files (model);
  g_assert_cmpuint (assets->len, ==, 6);
  for (guint i = 0; i < assets->len; i++)
    g_assert_cmpint (((FlowAssetFile *) assets->pdata[i])->problem == NULL, ==, i == 5);
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "../../etc/passwd"));
}

/* A file brings the definitions of the ops it uses: those we do not know are taken from there. */
static void
test_op_definitions (void)
{
  static const char text[] =
    "meta_info_def { stripped_op_list { op { name: 'Strange' "
    "  input_arg { name: 'x' type_attr: 'T' } input_arg { name: 'more' type_attr: 'T' number_attr: 'N' } "
    "  output_arg { name: 'y' type: DT_INT64 } output_arg { name: 'z' type_list_attr: 'L' } "
    "  attr { name: 'T' type: 'type' allowed_values { list { type: [DT_FLOAT, DT_HALF] } } } "
    "  attr { name: 'N' type: 'int' has_minimum: true minimum: 1 } attr { name: 'L' type: 'list(type)' } "
    "  attr { name: 'mode' type: 'string' default_value { s: 'a' } allowed_values { list { s: ['a', 'b'] } } } "
    "  is_stateful: true } } } "
    "graph_def { node { name: 'p' op: 'Strange' attr { key: 'T' value { type: DT_FLOAT } } "
    "  attr { key: 'N' value { i: 1 } } attr { key: 'L' value { list { type: [DT_BOOL, DT_STRING] } } } } }";
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = load_text (text, &error);
  const FlowOpSignature *signature;
  FlowGraph *graph;

  g_assert_no_error (error);
  graph = flow_model_get_graph (model);
  signature = flow_graph_get_signature (graph, 0);
  g_assert_cmpstr (signature->name, ==, "Strange");
  g_assert_false (signature->is_guess);
  g_assert_cmpuint (signature->flags, ==, FLOW_OP_STATEFUL);
  g_assert_cmpuint (signature->n_inputs, ==, 2);
  g_assert_cmpstr (signature->inputs[1].number_attr, ==, "N");
  g_assert_cmpuint (flow_op_signature_find_attr (signature, "T")->allowed_types, ==,
                    FLOW_DTYPE_BIT (FLOW_DTYPE_FLOAT) | FLOW_DTYPE_BIT (FLOW_DTYPE_HALF));
  g_assert_cmpint (flow_op_signature_find_attr (signature, "N")->minimum, ==, 1);
  g_assert_true (flow_op_signature_find_attr (signature, "L")->is_list);
  g_assert_cmpstr (flow_op_signature_find_attr (signature, "mode")->allowed_strings[1], ==, "b");
  g_assert_cmpuint (flow_graph_get_n_outputs (graph, 0), ==, 3);
  g_assert_cmpint (flow_graph_get_output_dtype (graph, 0, 0), ==, FLOW_DTYPE_INT64);
  g_assert_cmpint (flow_graph_get_output_dtype (graph, 0, 2), ==, FLOW_DTYPE_STRING);
  /* Another process is told of them beside the graph. */
  {
    g_autoptr (GBytes) op_list = flow_graph_write_op_list (graph, &error);
    g_autoptr (GBytes) bytes = flow_graph_to_bytes (graph, &error);
    g_autoptr (FlowGraph) copy = flow_graph_new ();
    g_autoptr (GBytes) again = NULL;

    g_assert_true (flow_graph_take_op_list (copy, op_list, &error));
    g_assert_true (flow_graph_extend_from_bytes (copy, bytes, flow_model_get_problems (model), &error));
    g_assert_no_error (error);
    g_assert_cmpuint (flow_graph_get_n_outputs (copy, 0), ==, 3);
    again = flow_graph_write_op_list (copy, &error);
    g_assert_true (g_bytes_equal (op_list, again));
  }
  /* Its inputs are missing, which the definition tells. */
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "do not match 0 inputs specified"));
}

/* A newer release gave an op an attr more. Where it changes what the op takes, the file's definition
 * counts; that of our own registry does where the attr has its default. */
static void
test_newer_definition (void)
{
  static const char text[] =
    "meta_info_def { stripped_op_list { op { name: 'NewerOp' input_arg { name: 'x' type_attr: 'Tx' } "
    "  attr { name: 'Tx' type: 'type' default_value { type: DT_INT32 } } } } } "
    "graph_def { node { name: 'f' op: 'Made' } "
    "  node { name: 'old' op: 'NewerOp' input: 'f' attr { key: 'Tx' value { type: DT_INT32 } } } "
    "  node { name: 'new' op: 'NewerOp' input: 'f' attr { key: 'Tx' value { type: DT_INT64 } } } }";
  static const FlowOpDef ops[] = {
    { .name = "NewerOp", .inputs = "x: int32", .outputs = "", .attrs = "", .summary = "for a test" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = NULL;
  FlowGraph *graph;

  g_assert_true (flow_op_registry_add (ops, G_N_ELEMENTS (ops), &error));
  model = load_text (text, &error);
  g_assert_no_error (error);
  graph = flow_model_get_graph (model);
  g_assert_true (flow_graph_get_signature (graph, 1)->op == &ops[0]);
  g_assert_null (flow_graph_get_signature (graph, 2)->op);
  g_assert_false (flow_graph_get_signature (graph, 2)->is_guess);
  g_assert_cmpint (flow_graph_get_input_dtype (graph, 2, 0), ==, FLOW_DTYPE_INT64);
  g_assert_cmpuint (flow_model_get_problems (model)->len, ==, 0);
}

static void
test_functions (void)
{
  g_autoptr (FlowModel) model = load ("golden/models/assert_less_equal_test.pb");
  FlowGraph *graph = flow_model_get_graph (model);
  const FlowFunction *function;

  g_assert_cmpuint (flow_graph_get_n_functions (graph), >, 0);
  function = flow_graph_get_function (graph, 0);
  g_assert_cmpstr (function->name, ==, flow_graph_get_function_name (graph, 0));
  g_assert_cmpstr (function->name, ==, function->signature->name);
  g_assert_cmpuint (function->nodes->len, >, 0);
  g_assert_cmpuint (g_hash_table_size (function->ret), ==, function->signature->n_outputs);
}

/* The same function twice is one, a different one of the name is told. */
static void
test_functions_of_one_name (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) same = load_text ("library { function { signature { name: 'f' } } function { signature { name: 'f' } } "
                                          "gradient { function_name: 'f' gradient_func: 'g' } }", &error);
  g_autoptr (FlowModel) other = load_text ("library { function { signature { name: 'f' } } "
                                           "function { signature { name: 'f' is_stateful: true } } }", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (flow_graph_get_n_functions (flow_model_get_graph (same)), ==, 1);
  g_assert_cmpstr (flow_graph_get_function (flow_model_get_graph (same), 0)->gradient, ==, "g");
  g_assert_false (has_problem (same, FLOW_ERROR_INVALID_ARGUMENT, "different function"));
  g_assert_true (has_problem (other, FLOW_ERROR_INVALID_ARGUMENT,
                              "Cannot add function 'f' because a different function with the same name already exists."));
}

static void
test_versions (void)
{
  static const struct {
    const char *text;
    const char *what;
  } cases[] = {
    { "versions { producer: 1 min_consumer: 999999 }", "min consumer version 999999 above current version" },
    { "versions { producer: -1 }", "producer version -1 below min producer" },
    { "versions { producer: 134 bad_consumers: [1, 134] }", "disallows consumer version 134" },
    { "versions { producer: 1645 min_consumer: 12 }", NULL },
    { "version: 8", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowModel) model = load_text (cases[i].text, &error);

      if (cases[i].what == NULL)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, cases[i].what));
    }
}

static void
test_shapes (void)
{
  static const char text[] =
    "node { name: 'a' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: -5 } } } } } } "
    "node { name: 'b' op: 'Placeholder' attr { key: 'shape' value { shape { dim { size: -7 } } } } } "
    "node { name: 'c' op: 'NoOp' attr { key: '_mixed' value { list { shape { dim { size: -9 } } } } } }";
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = load_text (text, &error);
  g_autoptr (FlowTensor) tensor = NULL;
  FlowGraph *graph;

  g_assert_no_error (error);
  graph = flow_model_get_graph (model);
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 3);
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "Shape [-5] is not fully defined"));
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "Shape [-7] has dimensions with values below -1"));
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "Shape [-9]"));
  tensor = flow_attr_dup_tensor (flow_graph_get_attr (graph, 0, "value"), &error);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "[-5]"));
}

/* --- Sizes --- */

static void
check_budget (GBytes     *bytes,
              const char *what)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 28);
  FlowLoadOptions options = { .budget = budget };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = flow_model_load_bytes (bytes, what, &options, &error);

  g_assert_null (model);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

static GBytes *
wrap (GBytes      *inner,
      const guint *fields,
      guint        n_fields)
{
  GBytes *bytes = g_bytes_ref (inner);

  for (guint i = n_fields; i-- > 0;)
    {
      FlowProtoWriter w;
      gsize size;
      gconstpointer data = g_bytes_get_data (bytes, &size);

      flow_proto_writer_init (&w);
      flow_proto_writer_add_bytes (&w, fields[i], data, size);
      g_bytes_unref (bytes);
      bytes = flow_proto_writer_finish (&w, NULL);
    }
  return bytes;
}

/* Two bytes of file that each ask for hundreds of memory, in every place that repeats. */
static void
test_floods (void)
{
  static const guint node_inputs[] = { 1 };
  static const guint attr_list[] = { 1, 5, 2, 1 };
  static const guint library[] = { 2 };
  static const guint function_nodes[] = { 2, 1 };
  static const guint op_args[] = { 2, 1, 1 };
  static const guint collection[] = { 4, 2, 1 };
  static const struct {
    const char *what;
    guint8 pair[2];
    const guint *fields;
    guint n_fields;
  } cases[] = {
    { "nodes", { 0x0a, 0x00 }, NULL, 0 },
    { "inputs", { 0x1a, 0x00 }, node_inputs, G_N_ELEMENTS (node_inputs) },
    { "list of shapes", { 0x3a, 0x00 }, attr_list, G_N_ELEMENTS (attr_list) },
    { "list of strings", { 0x12, 0x00 }, attr_list, G_N_ELEMENTS (attr_list) },
    { "functions", { 0x0a, 0x00 }, library, G_N_ELEMENTS (library) },
    { "function nodes", { 0x1a, 0x00 }, function_nodes, G_N_ELEMENTS (function_nodes) },
    { "args", { 0x12, 0x00 }, op_args, G_N_ELEMENTS (op_args) },
  };
  gsize n = 20000000;
  g_autofree guint8 *memory = g_malloc (2 * n);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) inner = NULL;
      g_autoptr (GBytes) file = NULL;

      for (gsize k = 0; k < n; k++)
        memcpy (memory + 2 * k, cases[i].pair, 2);
      inner = g_bytes_new_static (memory, 2 * n);
      file = wrap (inner, cases[i].fields, cases[i].n_fields);
      check_budget (file, cases[i].what);
    }

  /* In a collection it is a problem, and the rest opens. */
  {
    g_autoptr (GBytes) inner = NULL;
    g_autoptr (GBytes) file = NULL;
    g_autoptr (FlowBudget) budget = flow_budget_new (1 << 28);
    FlowLoadOptions options = { .budget = budget };
    g_autoptr (GError) error = NULL;
    g_autoptr (FlowModel) model = NULL;

    for (gsize k = 0; k < n; k++)
      memcpy (memory + 2 * k, "\x0a\x00", 2);
    inner = g_bytes_new_static (memory, 2 * n);
    file = wrap (inner, collection, G_N_ELEMENTS (collection));
    /* 3 (a SaverDef) tells a MetaGraphDef. */
    {
      g_autoptr (GByteArray) array = g_byte_array_new ();
      gsize size;
      const guint8 *data = g_bytes_get_data (file, &size);

      g_byte_array_append (array, (const guint8 *) "\x1a\x00", 2);
      g_byte_array_append (array, data, (guint) size);
      g_bytes_unref (file);
      file = g_byte_array_free_to_bytes (g_steal_pointer (&array));
    }
    model = flow_model_load_bytes (file, "collection", &options, &error);
    g_assert_no_error (error);
    g_assert_true (has_problem (model, FLOW_ERROR_RESOURCE_EXHAUSTED, "memory budget"));
    g_assert_cmpuint (flow_budget_get_peak (budget), <=, 1 << 28);
  }
}

/* Wrong throughout: the list of problems ends, every node knows its own. */
static void
test_many_problems (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowModel) model = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "node { name: 'n%u' op: 'Identity' input: 'zzz' } ", i);
  model = load_text (text->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_graph_get_n_nodes (flow_model_get_graph (model)), ==, 5000);
  g_assert_cmpuint (flow_model_get_problems (model)->len, ==, FLOW_MAX_PROBLEMS + 1);
  g_assert_true (has_problem (model, FLOW_ERROR_INVALID_ARGUMENT, "there are more problems"));
  g_assert_nonnull (flow_graph_get_node_error (flow_model_get_graph (model), 4999));
}

static void
test_depth (void)
{
  for (guint levels = 10; levels <= 10000; levels *= 10)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static ("", 0);
      g_autoptr (GBytes) file = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowModel) model = NULL;
      static const guint step[] = { 10, 2, 2 };
      static const guint outer[] = { 1, 5, 2 };

      for (guint i = 0; i < levels; i++)
        {
          GBytes *next = wrap (bytes, step, G_N_ELEMENTS (step));

          g_bytes_unref (bytes);
          bytes = next;
        }
      file = wrap (bytes, outer, G_N_ELEMENTS (outer));
      model = flow_model_load_bytes (file, "deep.pb", NULL, &error);
      if (levels == 10)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
      g_assert_nonnull (strstr (error->message, "nested deeper than 100 levels"));
      g_assert_nonnull (strstr (error->message, "(node[0]"));
    }
}

static void
test_bombs (void)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) out = g_converter_output_stream_new (memory, G_CONVERTER (compressor));
  g_autofree guint8 *zeros = g_malloc0 (1 << 20);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);
  FlowLoadOptions options = { .budget = budget };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 200; i++)
    g_assert_true (g_output_stream_write_all (out, zeros, 1 << 20, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (out, NULL, NULL));
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
  g_assert_null (flow_model_load_bytes (bytes, "bomb.gz", &options, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
}

/* --- Where a file is damaged --- */

static void
test_damage_is_located (void)
{
  g_autoptr (GBytes) inner = flow_test_unhex ("0a0161" "1203416464" "2a0b0a0154120630ffffffffff");
  static const guint node[] = { 1 };
  g_autoptr (GBytes) file = wrap (inner, node, 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_model_load_bytes (file, "x.pb", NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
  g_assert_nonnull (strstr (error->message, "Can't parse x.pb as binary proto"));
  g_assert_nonnull (strstr (error->message, "at byte 18"));
  g_assert_nonnull (strstr (error->message, "node[0] 'a' .attr[T].value.type"));
}

static void
test_cancelled (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  FlowLoadOptions options = { .cancellable = cancellable };

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "node { name: 'n%u' op: 'NoOp' } ", i);
  bytes = g_bytes_new (text->str, text->len);
  g_cancellable_cancel (cancellable);
  g_assert_null (flow_model_load_bytes (bytes, "x", &options, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- Writing --- */

static void
test_written_graph_reads_back (void)
{
  static const char *const files[] = {
    "golden/models/xor.meta", "golden/models/cond_test.meta", "golden/models/half_plus_two.pb",
    "golden/models/assert_less_equal_test.pb",
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (FlowModel) model = load (files[i]);
      FlowGraph *graph = flow_model_get_graph (model);
      g_autoptr (FlowGraph) copy = flow_graph_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) written = flow_graph_to_bytes (graph, &error);
      g_autoptr (GBytes) again = NULL;
      g_autoptr (GBytes) text = NULL;
      g_autoptr (GBytes) original = NULL;

      g_assert_no_error (error);
      flow_graph_extend_from_bytes (copy, written, NULL, &error);
      g_assert_no_error (error);
      again = flow_graph_to_bytes (copy, &error);
      g_assert_true (g_bytes_equal (written, again));
      /* The same words as the file's own graph, whatever its order of attrs was. */
      text = flow_proto_to_text ("GraphDef", written, "x", &error);
      original = flow_proto_to_text ("GraphDef", flow_model_get_graph_bytes (model), "x", &error);
      g_assert_no_error (error);
      if (flow_graph_get_n_functions (graph) == 0)
        g_assert_cmpmem (g_bytes_get_data (text, NULL), g_bytes_get_size (text),
                         g_bytes_get_data (original, NULL), g_bytes_get_size (original));
    }
}

static GBytes *
encode_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return flow_text_to_proto ("GraphDef", bytes, "x", NULL);
}

static void
test_extend (void)
{
  g_autoptr (FlowGraph) graph = flow_graph_new ();
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (GBytes) bad = NULL;
  g_autoptr (GBytes) part = NULL;
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GError) error = NULL;

  first = encode_text ("node { name: 'a' op: 'NoOp' }");
  second = encode_text ("node { name: 'b' op: 'NoOp' input: '^a' }");
  bad = encode_text ("node { name: 'c' op: 'NoOp' input: '^zzz' }");
  g_assert_true (flow_graph_extend_from_bytes (graph, first, NULL, &error));
  g_assert_true (flow_graph_extend_from_bytes (graph, second, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (flow_graph_extend_from_bytes (graph, bad, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "Unknown input node"));
  g_clear_error (&error);
  g_assert_cmpuint (flow_graph_get_n_nodes (graph), ==, 2);
  part = flow_graph_to_bytes_from (graph, 1, &error);
  text = flow_proto_to_text ("GraphDef", part, "x", &error);
  g_assert_nonnull (strstr (g_bytes_get_data (text, NULL), "input: \"^a\""));
}

static void
check_converted (const char    *name,
                 FlowModelKind  kind,
                 gboolean       as_text,
                 GBytes       **out)
{
  g_autoptr (GBytes) bytes = flow_test_read (name);
  g_autoptr (GError) error = NULL;

  *out = flow_model_convert_bytes (bytes, name, kind, as_text, &error);
  g_assert_no_error (error);
}

static void
test_convert (void)
{
  g_autoptr (GBytes) meta = flow_test_read ("golden/models/xor.meta");
  g_autoptr (GBytes) same = NULL;
  g_autoptr (GBytes) graph = NULL;
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GBytes) back = NULL;
  g_autoptr (GBytes) wrapped = NULL;
  g_autoptr (GBytes) unwrapped = NULL;
  g_autoptr (FlowModel) model = load ("golden/models/xor.meta");

  check_converted ("golden/models/xor.meta", FLOW_MODEL_META_GRAPH, FALSE, &same);
  g_assert_true (g_bytes_equal (same, meta));
  check_converted ("golden/models/xor.meta", FLOW_MODEL_GRAPH_DEF, FALSE, &graph);
  g_assert_true (g_bytes_equal (graph, flow_model_get_graph_bytes (model)));
  wrapped = flow_model_convert_bytes (graph, "x", FLOW_MODEL_META_GRAPH, FALSE, NULL);
  unwrapped = flow_model_convert_bytes (wrapped, "x", FLOW_MODEL_GRAPH_DEF, FALSE, NULL);
  g_assert_true (g_bytes_equal (graph, unwrapped));
  text = flow_model_convert_bytes (meta, "x", FLOW_MODEL_META_GRAPH, TRUE, NULL);
  back = flow_model_convert_bytes (text, "x", FLOW_MODEL_META_GRAPH, FALSE, NULL);
  g_assert_cmpuint (g_bytes_get_size (back), ==, g_bytes_get_size (meta));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/model/kinds", test_kinds);
  g_test_add_func ("/formats/model/graph", test_graph);
  g_test_add_func ("/formats/model/collections", test_collections);
  g_test_add_func ("/formats/model/saved-model", test_saved_model);
  g_test_add_func ("/formats/model/tags", test_tags);
  g_test_add_func ("/formats/model/paths", test_paths);
  g_test_add_func ("/formats/model/other-files", test_other_files);
  g_test_add_func ("/formats/model/bad-collections", test_bad_collections);
  g_test_add_func ("/formats/model/op-definitions", test_op_definitions);
  g_test_add_func ("/formats/model/newer-definition", test_newer_definition);
  g_test_add_func ("/formats/model/functions", test_functions);
  g_test_add_func ("/formats/model/functions-of-one-name", test_functions_of_one_name);
  g_test_add_func ("/formats/model/versions", test_versions);
  g_test_add_func ("/formats/model/shapes", test_shapes);
  g_test_add_func ("/formats/model/floods", test_floods);
  g_test_add_func ("/formats/model/many-problems", test_many_problems);
  g_test_add_func ("/formats/model/depth", test_depth);
  g_test_add_func ("/formats/model/bombs", test_bombs);
  g_test_add_func ("/formats/model/damage-is-located", test_damage_is_located);
  g_test_add_func ("/formats/model/cancelled", test_cancelled);
  g_test_add_func ("/formats/model/written-graph-reads-back", test_written_graph_reads_back);
  g_test_add_func ("/formats/model/extend", test_extend);
  g_test_add_func ("/formats/model/convert", test_convert);

  return g_test_run ();
}
