/* cli-collections.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_names[] = {
  [FLOW_COLLECTION_NODE] = "node",
  [FLOW_COLLECTION_VARIABLE] = "VariableDef",
  [FLOW_COLLECTION_SAVER] = "SaverDef",
  [FLOW_COLLECTION_QUEUE_RUNNER] = "QueueRunnerDef",
  [FLOW_COLLECTION_COND_CONTEXT] = "CondContextDef",
  [FLOW_COLLECTION_WHILE_CONTEXT] = "WhileContextDef",
  [FLOW_COLLECTION_INT] = "int",
  [FLOW_COLLECTION_FLOAT] = "float",
  [FLOW_COLLECTION_ANY] = "Any",
  [FLOW_COLLECTION_BYTES] = "bytes",
};

/* Names, numbers and texts stand for themselves; messages become objects. */
static void
add_item (JsonBuilder              *builder,
          const FlowCollectionItem *item)
{
  gboolean is_message = item->fields != NULL && g_variant_is_of_type (item->fields, G_VARIANT_TYPE_VARDICT);

  if (item->problem == NULL && !is_message && item->fields != NULL)
    {
      flow_cli_json_variant (builder, item->fields);
      return;
    }
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "kind", kind_names[item->kind]);
  if (item->fields != NULL)
    {
      json_builder_set_member_name (builder, is_message ? "fields" : "value");
      flow_cli_json_variant (builder, item->fields);
    }
  else if (item->encoded != NULL)
    {
      gsize size;
      const char *data = g_bytes_get_data (item->encoded, &size);

      json_builder_set_member_name (builder, "bytes");
      flow_cli_json_text (builder, data != NULL ? data : "", (gssize) size);
    }
  if (item->problem != NULL)
    flow_cli_json_set_text (builder, "problem", item->problem);
  json_builder_end_object (builder);
}

static void
print_collection (const char *key,
                  GPtrArray  *items)
{
  printf ("%s (%u)\n", key, items->len);
  for (guint i = 0; i < items->len; i++)
    {
      const FlowCollectionItem *item = items->pdata[i];
      g_autofree char *text = flow_collection_item_to_string (item);

      printf ("  %s\n", text);
      if (item->problem != NULL)
        printf ("    problem: %s\n", item->problem);
    }
}

int
flow_cli_collections (FlowCli  *cli,
                      int       argc,
                      char    **argv)
{
  g_autofree char *tags = NULL;
  const GOptionEntry entries[] = {
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;
  JsonBuilder *builder = NULL;
  FlowGraph *graph;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 2))
    return cli->status;
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;

  graph = flow_model_get_graph (model);
  if (argc > 2 && flow_graph_get_collection (graph, argv[2]) == NULL)
    {
      g_autoptr (GError) error = g_error_new (FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
                                              "there is no collection '%s'", argv[2]);

      return flow_cli_failed (cli, argv[1], error);
    }
  if (cli->json)
    {
      builder = json_builder_new ();
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "collections");
      json_builder_begin_object (builder);
    }
  for (guint i = 0; i < flow_graph_get_n_collections (graph); i++)
    {
      const char *key = flow_graph_get_collection_key (graph, i);
      GPtrArray *items = flow_graph_get_collection (graph, key);

      if (argc > 2 && strcmp (key, argv[2]) != 0)
        continue;
      if (builder == NULL)
        {
          print_collection (key, items);
          continue;
        }
      json_builder_set_member_name (builder, key);
      json_builder_begin_array (builder);
      for (guint k = 0; k < items->len; k++)
        add_item (builder, items->pdata[k]);
      json_builder_end_array (builder);
    }
  if (builder != NULL)
    {
      json_builder_end_object (builder);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  return FLOW_CLI_OK;
}
