/* cli-info.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-events.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *type;
  guint count;
} TypeCount;

static int
compare_counts (gconstpointer a,
                gconstpointer b)
{
  const TypeCount *x = a;
  const TypeCount *y = b;

  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return strcmp (x->type, y->type);
}

/* Op types, the most frequent first. */
static GArray *
count_types (FlowGraph *graph)
{
  g_autoptr (GHashTable) index = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (TypeCount));

  for (guint i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      TypeCount one = { flow_graph_get_node_type (graph, i), 1 };
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (index, one.type));

      if (at > 0)
        {
          g_array_index (counts, TypeCount, at - 1).count++;
          continue;
        }
      g_array_append_val (counts, one);
      g_hash_table_insert (index, (gpointer) one.type, GUINT_TO_POINTER (counts->len));
    }
  g_array_sort (counts, compare_counts);
  return counts;
}

static void
add_tensor_infos (JsonBuilder *builder,
                  const char  *key,
                  GPtrArray   *infos)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
  for (guint i = 0; i < infos->len; i++)
    {
      const FlowTensorInfo *info = infos->pdata[i];

      json_builder_set_member_name (builder, info->key);
      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", info->name);
      flow_cli_json_set_text (builder, "dtype", flow_dtype_name (info->dtype));
      json_builder_set_member_name (builder, "shape");
      flow_cli_json_shape (builder, info->shape);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
}

static void
add_signatures (JsonBuilder *builder,
                GPtrArray   *signatures)
{
  json_builder_set_member_name (builder, "signatures");
  json_builder_begin_array (builder);
  for (guint i = 0; i < signatures->len; i++)
    {
      const FlowSignature *signature = signatures->pdata[i];

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "key", signature->key);
      flow_cli_json_set_text (builder, "method", signature->method_name);
      add_tensor_infos (builder, "inputs", signature->inputs);
      add_tensor_infos (builder, "outputs", signature->outputs);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_saver (JsonBuilder        *builder,
           const FlowSaverDef *saver)
{
  if (saver == NULL)
    return;
  json_builder_set_member_name (builder, "saver");
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "filename_tensor", saver->filename_tensor_name);
  flow_cli_json_set_text (builder, "save_tensor", saver->save_tensor_name);
  flow_cli_json_set_text (builder, "restore_op", saver->restore_op_name);
  flow_cli_json_set_int (builder, "max_to_keep", saver->max_to_keep);
  flow_cli_json_set_bool (builder, "sharded", saver->sharded);
  flow_cli_json_set_double (builder, "keep_checkpoint_every_n_hours",
                            saver->keep_checkpoint_every_n_hours);
  flow_cli_json_set_int (builder, "version", saver->version);
  json_builder_end_object (builder);
}

static void
add_meta_graphs (JsonBuilder *builder,
                 FlowModel   *model)
{
  GPtrArray *assets = flow_model_get_asset_files (model);

  json_builder_set_member_name (builder, "tags");
  json_builder_begin_array (builder);
  for (guint i = 0; i < flow_model_get_n_meta_graphs (model); i++)
    flow_cli_json_text (builder, flow_model_get_tags (model, i), -1);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "assets");
  json_builder_begin_array (builder);
  for (guint i = 0; i < assets->len; i++)
    flow_cli_json_text (builder, ((FlowAssetFile *) assets->pdata[i])->filename, -1);
  json_builder_end_array (builder);
}

static void
print_json (FlowModel *model)
{
  FlowGraph *graph = flow_model_get_graph (model);
  g_autoptr (GArray) counts = count_types (graph);
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "kind", flow_model_get_kind_name (model));
  flow_cli_json_set_bool (builder, "text", flow_model_is_text (model));
  flow_cli_json_set_int (builder, "producer", flow_graph_get_producer (graph));
  flow_cli_json_set_int (builder, "min_consumer", flow_graph_get_min_consumer (graph));
  flow_cli_json_set_text (builder, "tensorflow", flow_model_get_tensorflow_version (model));
  flow_cli_json_set_int (builder, "nodes", flow_graph_get_n_nodes (graph));
  flow_cli_json_set_int (builder, "edges", flow_graph_get_n_edges (graph));
  flow_cli_json_set_int (builder, "scopes", flow_graph_get_n_scopes (graph) - 1);
  json_builder_set_member_name (builder, "op_types");
  json_builder_begin_object (builder);
  for (guint i = 0; i < counts->len; i++)
    flow_cli_json_set_int (builder, g_array_index (counts, TypeCount, i).type,
                           g_array_index (counts, TypeCount, i).count);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "functions");
  json_builder_begin_array (builder);
  for (guint i = 0; i < flow_graph_get_n_functions (graph); i++)
    flow_cli_json_text (builder, flow_graph_get_function_name (graph, i), -1);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "collections");
  json_builder_begin_object (builder);
  for (guint i = 0; i < flow_graph_get_n_collections (graph); i++)
    {
      const char *key = flow_graph_get_collection_key (graph, i);

      flow_cli_json_set_int (builder, key, flow_graph_get_collection (graph, key)->len);
    }
  json_builder_end_object (builder);
  add_signatures (builder, flow_model_get_signatures (model));
  add_saver (builder, flow_model_get_saver (model));
  add_meta_graphs (builder, model);
  if (flow_model_get_init_op (model) != NULL)
    flow_cli_json_set_text (builder, "init_op", flow_model_get_init_op (model));
  if (flow_model_get_events (model) != NULL)
    flow_cli_json_events (builder, flow_model_get_events (model));
  json_builder_set_member_name (builder, "problems");
  flow_cli_json_problems (builder, flow_model_get_problems (model));
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static void
print_infos (const char *title,
             GPtrArray  *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      const FlowTensorInfo *info = infos->pdata[i];
      g_autofree char *shape = info->shape != NULL ? flow_shape_to_string (info->shape) : g_strdup ("");

      printf ("    %s %s = %s  %s %s\n", title, info->key, info->name, flow_dtype_name (info->dtype),
              shape);
    }
}

static void
print_text (FlowCli    *cli,
            FlowModel  *model,
            const char *file)
{
  FlowGraph *graph = flow_model_get_graph (model);
  g_autoptr (GArray) counts = count_types (graph);
  GPtrArray *signatures = flow_model_get_signatures (model);
  const FlowSaverDef *saver = flow_model_get_saver (model);
  const char *release = flow_model_get_tensorflow_version (model);

  printf ("%s: %s%s, producer %d%s%s\n", file, flow_model_get_kind_name (model),
          flow_model_is_text (model) ? " (text)" : "", flow_graph_get_producer (graph),
          release != NULL ? ", TensorFlow " : "", release != NULL ? release : "");
  printf ("%u nodes, %u edges, %u scopes, %u functions\n", flow_graph_get_n_nodes (graph),
          flow_graph_get_n_edges (graph), flow_graph_get_n_scopes (graph) - 1,
          flow_graph_get_n_functions (graph));
  for (guint i = 0; i < flow_model_get_n_meta_graphs (model); i++)
    if (*flow_model_get_tags (model, i) != '\0')
      printf ("tags: %s%s\n", flow_model_get_tags (model, i),
              i == flow_model_get_meta_graph (model) ? " (opened)" : "");
  printf ("\nOp types:\n");
  for (guint i = 0; i < counts->len; i++)
    printf ("  %6u  %s\n", g_array_index (counts, TypeCount, i).count,
            g_array_index (counts, TypeCount, i).type);
  if (flow_graph_get_n_collections (graph) > 0)
    printf ("\nCollections:\n");
  for (guint i = 0; i < flow_graph_get_n_collections (graph); i++)
    {
      const char *key = flow_graph_get_collection_key (graph, i);

      printf ("  %6u  %s\n", flow_graph_get_collection (graph, key)->len, key);
    }
  if (signatures->len > 0)
    printf ("\nSignatures:\n");
  for (guint i = 0; i < signatures->len; i++)
    {
      const FlowSignature *signature = signatures->pdata[i];

      printf ("  %s (%s)\n", signature->key, signature->method_name);
      print_infos ("in", signature->inputs);
      print_infos ("out", signature->outputs);
    }
  if (saver != NULL)
    printf ("\nSaver: save %s, restore %s, file name %s\n", saver->save_tensor_name,
            saver->restore_op_name, saver->filename_tensor_name);
  if (flow_model_get_events (model) != NULL)
    flow_cli_print_events (flow_model_get_events (model));
  if (flow_model_get_problems (model)->len > 0)
    putchar ('\n');
  flow_cli_print_problems (cli, flow_model_get_problems (model));
}

/* --- Checkpoints --- */

static const char *
checkpoint_kind_name (FlowCheckpoint *checkpoint)
{
  return flow_checkpoint_get_kind (checkpoint) == FLOW_CHECKPOINT_V1 ? "checkpoint V1" : "checkpoint V2";
}

static void
print_checkpoint_json (FlowCheckpoint *checkpoint)
{
  const char *const *problems = flow_checkpoint_get_problems (checkpoint);
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "kind", checkpoint_kind_name (checkpoint));
  flow_cli_json_set_text (builder, "prefix", flow_checkpoint_get_prefix (checkpoint));
  flow_cli_json_set_int (builder, "shards", flow_checkpoint_get_n_shards (checkpoint));
  json_builder_set_member_name (builder, "tensors");
  json_builder_begin_array (builder);
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    {
      const FlowCheckpointTensor *tensor = flow_checkpoint_get_tensor (checkpoint, i);

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", tensor->name);
      flow_cli_json_set_text (builder, "dtype", flow_dtype_name (tensor->dtype));
      json_builder_set_member_name (builder, "shape");
      flow_cli_json_shape (builder, tensor->shape);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "problems");
  json_builder_begin_array (builder);
  for (guint i = 0; problems != NULL && problems[i] != NULL; i++)
    {
      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "severity", "damage");
      flow_cli_json_set_text (builder, "text", problems[i]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static void
print_checkpoint_text (FlowCheckpoint *checkpoint)
{
  const char *const *problems = flow_checkpoint_get_problems (checkpoint);
  guint n = flow_checkpoint_get_n_tensors (checkpoint);

  printf ("%s: %s, %" G_GINT64_FORMAT " shards, %u tensors\n\n", flow_checkpoint_get_prefix (checkpoint),
          checkpoint_kind_name (checkpoint), flow_checkpoint_get_n_shards (checkpoint), n);
  for (guint i = 0; i < n; i++)
    {
      const FlowCheckpointTensor *tensor = flow_checkpoint_get_tensor (checkpoint, i);
      g_autofree char *shape = flow_shape_to_string (tensor->shape);

      printf ("  %s  %s %s\n", tensor->name, flow_dtype_name (tensor->dtype), shape);
    }
  for (guint i = 0; problems != NULL && problems[i] != NULL; i++)
    printf ("damage: %s\n", problems[i]);
}

/* A folder with a SavedModel is that, though its variables lie in it too. */
static gboolean
is_checkpoint (const char *path)
{
  static const char *const names[] = { "saved_model.pb", "saved_model.pbtxt", "export.meta" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (path, names[i], NULL);

      if (g_file_test (file, G_FILE_TEST_EXISTS))
        return FALSE;
    }
  return flow_checkpoint_is_checkpoint (path);
}

static int
info_checkpoint (FlowCli    *cli,
                 const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (path, &error);

  if (checkpoint == NULL)
    return flow_cli_bad_file (cli, path, error);
  if (cli->json)
    print_checkpoint_json (checkpoint);
  else
    print_checkpoint_text (checkpoint);
  return FLOW_CLI_OK;
}

int
flow_cli_info (FlowCli  *cli,
               int       argc,
               char    **argv)
{
  g_autofree char *tags = NULL;
  const GOptionEntry entries[] = {
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  if (is_checkpoint (argv[1]))
    return info_checkpoint (cli, argv[1]);
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;
  if (cli->json)
    print_json (model);
  else
    print_text (cli, model, argv[1]);
  return FLOW_CLI_OK;
}
