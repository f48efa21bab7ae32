/* cli-variables.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-stats.h"

#include <stdio.h>

static void
add_variable (JsonBuilder           *builder,
              const FlowGraphVariable *variable,
              gboolean               with_stats,
              const FlowTensorStats *stats,
              const GError          *error)
{
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "name", variable->name);
  flow_cli_json_set_text (builder, "dtype", flow_dtype_name (variable->dtype));
  json_builder_set_member_name (builder, "shape");
  flow_cli_json_shape (builder, variable->shape);
  flow_cli_json_set_bool (builder, "trainable", variable->trainable);
  flow_cli_json_set_text (builder, "initializer", variable->initializer);
  json_builder_set_member_name (builder, "collections");
  json_builder_begin_array (builder);
  for (guint i = 0; i < variable->collections->len; i++)
    flow_cli_json_text (builder, variable->collections->pdata[i], -1);
  json_builder_end_array (builder);
  flow_cli_json_set_text (builder, "slots_of", variable->slots_of);
  if (*variable->spec != '\0')
    {
      flow_cli_json_set_text (builder, "key", variable->key);
      flow_cli_json_set_text (builder, "slice", variable->spec);
    }
  if (with_stats)
    {
      json_builder_set_member_name (builder, "stats");
      if (stats != NULL)
        flow_cli_json_tensor_stats (builder, stats);
      else
        json_builder_add_null_value (builder);
    }
  if (error != NULL)
    {
      json_builder_set_member_name (builder, "error");
      flow_cli_json_error (builder, error);
    }
  json_builder_end_object (builder);
}

static void
print_variable (const FlowGraphVariable *variable,
                const FlowTensorStats *stats,
                const GError          *error)
{
  g_autofree char *shape = variable->shape != NULL ? flow_shape_to_string (variable->shape) : g_strdup ("<unknown>");

  printf ("%s  %s %s%s\n", variable->name, flow_dtype_name (variable->dtype), shape,
          variable->trainable ? "  trainable" : "");
  if (variable->initializer != NULL)
    printf ("    initializer %s\n", variable->initializer);
  if (variable->slots_of != NULL)
    printf ("    slot of %s\n", variable->slots_of);
  if (*variable->spec != '\0')
    printf ("    part %s of %s\n", variable->spec, variable->key);
  for (guint i = 0; i < variable->collections->len; i++)
    printf ("%s%s%s", i == 0 ? "    in " : ", ", (char *) variable->collections->pdata[i],
            i == variable->collections->len - 1 ? "\n" : "");
  if (stats != NULL)
    {
      printf ("    ");
      flow_cli_print_tensor_stats (stats);
      putchar ('\n');
    }
  if (error != NULL)
    printf ("    %s\n", error->message);
}

int
flow_cli_variables (FlowCli  *cli,
                    int       argc,
                    char    **argv)
{
  g_autofree char *tags = NULL;
  g_autofree char *checkpoint_path = NULL;
  const GOptionEntry entries[] = {
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &checkpoint_path, "Statistics of the values in this checkpoint", "C" },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (GPtrArray) variables = NULL;
  g_autoptr (GError) open_error = NULL;
  JsonBuilder *builder = NULL;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;
  if (checkpoint_path != NULL)
    {
      checkpoint = flow_checkpoint_open (checkpoint_path, &open_error);
      if (checkpoint == NULL)
        return flow_cli_bad_file (cli, checkpoint_path, open_error);
    }

  variables = flow_graph_list_variables (flow_model_get_graph (model));
  if (cli->json)
    {
      builder = json_builder_new ();
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "variables");
      json_builder_begin_array (builder);
    }
  for (guint i = 0; i < variables->len; i++)
    {
      const FlowGraphVariable *variable = variables->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowTensor) tensor = NULL;
      g_autoptr (FlowTensorStats) stats = NULL;

      if (checkpoint != NULL)
        tensor = flow_checkpoint_read_slice (checkpoint, variable->key, variable->spec, budget, &error);
      if (tensor != NULL)
        stats = flow_tensor_stats_new (tensor, 0);
      if (builder != NULL)
        add_variable (builder, variable, checkpoint != NULL, stats, error);
      else
        print_variable (variable, stats, error);
    }
  if (builder != NULL)
    {
      json_builder_end_array (builder);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  return FLOW_CLI_OK;
}
