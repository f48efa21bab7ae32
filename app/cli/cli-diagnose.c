/* cli-diagnose.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-variables.h"

#include <stdio.h>
#include <string.h>

/* Names in one finding of the text form; JSON has all. */
#define MAX_NAMES 12

typedef enum {
  NOTE,
  WARNING,
  DAMAGE,
} Severity;

static const char *const severities[] = { "note", "warning", "damage" };

typedef struct {
  const char *id;
  Severity severity;
  GPtrArray *nodes;            /* of char* */
  char *text;
} Finding;

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_ptr_array_unref (finding->nodes);
  g_free (finding->text);
  g_free (finding);
}

static Finding *
finding_new (const char *id,
             Severity    severity)
{
  Finding *finding = g_new0 (Finding, 1);

  finding->id = id;
  finding->severity = severity;
  finding->nodes = g_ptr_array_new_with_free_func (g_free);
  return finding;
}

/* Of a finding that names nobody nothing is left. */
static void
take_finding (GPtrArray *findings,
              Finding   *finding,
              char      *text)
{
  finding->text = text;
  if (finding->nodes->len > 0)
    g_ptr_array_add (findings, finding);
  else
    finding_free (finding);
}

static void
add_node (Finding    *finding,
          const char *name)
{
  g_ptr_array_add (finding->nodes, g_strdup (name));
}

/* --- What is looked for --- */

static void
find_problems (FlowModel *model,
               GPtrArray *findings)
{
  GPtrArray *problems = flow_model_get_problems (model);

  for (guint i = 0; i < problems->len; i++)
    {
      const FlowProblem *problem = problems->pdata[i];
      Finding *finding = finding_new ("file", (Severity) CLAMP (problem->severity, NOTE, DAMAGE));

      if (problem->node != NULL)
        add_node (finding, problem->node);
      finding->text = g_strdup (problem->text);
      g_ptr_array_add (findings, finding);
    }
}

static void
find_unknown_ops (FlowGraph *graph,
                  GPtrArray *findings)
{
  Finding *unknown = finding_new ("op-not-registered", WARNING);
  Finding *without = finding_new ("op-without-kernel", WARNING);

  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      const char *type = flow_graph_get_node_type (graph, i);
      const FlowOpSignature *signature = flow_op_registry_lookup (type);

      if (signature == NULL && flow_graph_find_function (graph, type) == NULL)
        add_node (unknown, flow_graph_get_node_name (graph, i));
      else if (signature != NULL && signature->op != NULL &&
               flow_op_find_kernel (signature, flow_graph_get_node_attrs (graph, i), NULL) == NULL)
        add_node (without, flow_graph_get_node_name (graph, i));
    }
  take_finding (findings, unknown,
                g_strdup ("Nodes of op types that are not known: they can be looked at, but a run that needs one fails. "
                          "Often they come from a library that TensorFlow loads."));
  take_finding (findings, without,
                g_strdup ("Nodes for whose op type and dtypes there is no kernel here: a run that needs one fails."));
}

static gboolean
is_in (const FlowCliVariable *variable,
       const char            *collection)
{
  return g_ptr_array_find_with_equal_func (variable->collections, collection, g_str_equal, NULL);
}

/* Whether the graph keeps collections at all: a plain GraphDef says nothing of them. */
static gboolean
has_collections (FlowGraph *graph)
{
  return flow_graph_get_collection (graph, "variables") != NULL ||
         flow_graph_get_collection (graph, "trainable_variables") != NULL;
}

static void
find_lone_variables (FlowGraph *graph,
                     GPtrArray *variables,
                     GPtrArray *findings)
{
  Finding *lone = finding_new ("variable-in-no-collection", WARNING);
  Finding *bare = finding_new ("variable-without-initializer", WARNING);

  for (guint i = 0; i < variables->len; i++)
    {
      const FlowCliVariable *variable = variables->pdata[i];

      if (has_collections (graph) && variable->collections->len == 0)
        add_node (lone, variable->name);
      if (variable->initializer == NULL)
        add_node (bare, variable->name);
    }
  take_finding (findings, lone,
                g_strdup ("Variables in no collection: global_variables_initializer() does not initialise them, Savers "
                          "that are made without a list leave them out, and optimizers do not train them."));
  take_finding (findings, bare,
                g_strdup ("Variables that no op of the graph initialises: they must be restored or fed before they are "
                          "read."));
}

/* The variable that a tensor is read from: itself, or through Identity, Cast or ReadVariableOp. */
static const char *
variable_behind (FlowGraph *graph,
                 guint32    node)
{
  for (guint depth = 0; depth < 4; depth++)
    {
      const char *type = flow_graph_get_node_type (graph, node);
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };

      if (strcmp (type, "Identity") != 0 && strcmp (type, "ReadVariableOp") != 0 && strcmp (type, "Cast") != 0)
        break;
      if (flow_graph_get_n_inputs (graph, node) == 0)
        break;
      flow_graph_get_input (graph, node, 0, &source);
      if (source.node == FLOW_NODE_NONE)
        break;
      node = source.node;
    }
  return flow_graph_get_node_name (graph, node);
}

static void
find_unsaved_variables (FlowGraph *graph,
                        GPtrArray *variables,
                        GPtrArray *findings)
{
  g_autoptr (GHashTable) saved = g_hash_table_new (g_str_hash, g_str_equal);
  Finding *finding = finding_new ("variable-not-saved", WARNING);
  guint n_savers = 0;

  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      const char *type = flow_graph_get_node_type (graph, i);

      if (strcmp (type, "SaveV2") != 0 && strcmp (type, "SaveSlices") != 0 && strcmp (type, "Save") != 0)
        continue;
      n_savers++;
      for (guint k = 0; k < flow_graph_get_n_inputs (graph, i); k++)
        {
          FlowEndpoint source = { FLOW_NODE_NONE, 0 };

          flow_graph_get_input (graph, i, k, &source);
          if (source.node != FLOW_NODE_NONE)
            g_hash_table_add (saved, (gpointer) variable_behind (graph, source.node));
        }
    }
  for (guint i = 0; i < variables->len && n_savers > 0; i++)
    {
      const FlowCliVariable *variable = variables->pdata[i];

      if (is_in (variable, "variables") && !g_hash_table_contains (saved, variable->name))
        add_node (finding, variable->name);
    }
  take_finding (findings, finding,
                g_strdup ("Global variables that no Saver of the graph saves: they were made after the Saver, or it was "
                          "given a list. After a restore they are not initialised."));
}

static gboolean
writes_variables (const char *type)
{
  static const char *const prefixes[] = { "Apply", "ResourceApply", "SparseApply", "ResourceSparseApply", "Assign",
                                          "Scatter", "ResourceScatter" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (type, prefixes[i]))
      return TRUE;
  return FALSE;
}

static void
find_untrained (FlowPlan   *plan,
                const char *target,
                GPtrArray  *variables,
                GPtrArray  *findings)
{
  FlowGraph *graph = flow_plan_get_graph (plan);
  g_autoptr (GHashTable) written = g_hash_table_new (g_str_hash, g_str_equal);
  Finding *finding = finding_new ("trainable-not-written", WARNING);

  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    {
      guint32 node = flow_plan_get_node (plan, i);
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };

      if (!writes_variables (flow_graph_get_node_type (graph, node)) || flow_graph_get_n_inputs (graph, node) == 0)
        continue;
      flow_graph_get_input (graph, node, 0, &source);
      if (source.node != FLOW_NODE_NONE)
        g_hash_table_add (written, (gpointer) flow_graph_get_node_name (graph, source.node));
    }
  /* A target that trains nothing is no training step. */
  for (guint i = 0; i < variables->len && g_hash_table_size (written) > 0; i++)
    {
      const FlowCliVariable *variable = variables->pdata[i];

      if (variable->trainable && !g_hash_table_contains (written, variable->name))
        add_node (finding, variable->name);
    }
  take_finding (findings, finding,
                g_strdup_printf ("Trainable variables that %s does not write: the optimizer was given a list without "
                                 "them, or no gradient reaches them.", target));
}

static void
find_skipped_updates (FlowPlan   *plan,
                      const char *target,
                      GPtrArray  *findings)
{
  Finding *finding = finding_new ("update-ops-skipped", WARNING);
  g_auto (GStrv) executed = NULL;
  g_auto (GStrv) skipped = NULL;

  flow_plan_list_update_ops (plan, &executed, &skipped);
  /* A collection may name the op's output. */
  for (guint i = 0; skipped[i] != NULL; i++)
    {
      guint32 node = flow_graph_find_op (flow_plan_get_graph (plan), skipped[i]);

      add_node (finding, node != FLOW_NODE_NONE ? flow_graph_get_node_name (flow_plan_get_graph (plan), node) : skipped[i]);
    }
  take_finding (findings, finding,
                g_strdup_printf ("%s does not run these ops of the collection UPDATE_OPS (%u of %u run): moving averages "
                                 "of batch normalization never move. Make the train op under tf.control_dependencies "
                                 "(tf.get_collection (tf.GraphKeys.UPDATE_OPS)).", target, g_strv_length (executed),
                                 g_strv_length (executed) + g_strv_length (skipped)));
}

/* The targets to look at: those given, or what the graph itself calls its train ops. */
static char **
choose_targets (FlowGraph *graph,
                char     **given)
{
  GPtrArray *targets = g_ptr_array_new ();
  GPtrArray *items = flow_graph_get_collection (graph, "train_op");

  for (guint i = 0; given != NULL && given[i] != NULL; i++)
    g_ptr_array_add (targets, g_strdup (given[i]));
  for (guint i = 0; given == NULL && items != NULL && i < items->len; i++)
    {
      const FlowCollectionItem *item = items->pdata[i];

      if (item->name != NULL && flow_graph_find_op (graph, item->name) != FLOW_NODE_NONE)
        g_ptr_array_add (targets, g_strdup (flow_graph_get_node_name (graph, flow_graph_find_op (graph, item->name))));
    }
  g_ptr_array_add (targets, NULL);
  return (char **) g_ptr_array_free (targets, FALSE);
}

static gboolean
find_in_runs (FlowGraph *graph,
              char     **given,
              GPtrArray *variables,
              GPtrArray *findings,
              GError   **error)
{
  g_auto (GStrv) targets = choose_targets (graph, given);

  for (guint i = 0; targets[i] != NULL; i++)
    {
      const char *const one[] = { targets[i], NULL };
      g_autoptr (FlowPlan) plan = flow_plan_new (graph, NULL, NULL, one, error);

      if (plan == NULL)
        return FALSE;
      find_skipped_updates (plan, targets[i], findings);
      find_untrained (plan, targets[i], variables, findings);
    }
  return TRUE;
}

/* --- Printing --- */

static void
print_json (GPtrArray *findings)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "findings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < findings->len; i++)
    {
      const Finding *finding = findings->pdata[i];

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "id", finding->id);
      flow_cli_json_set_text (builder, "severity", severities[finding->severity]);
      json_builder_set_member_name (builder, "nodes");
      json_builder_begin_array (builder);
      for (guint k = 0; k < finding->nodes->len; k++)
        flow_cli_json_text (builder, finding->nodes->pdata[k], -1);
      json_builder_end_array (builder);
      flow_cli_json_set_text (builder, "text", finding->text);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static void
print_text (GPtrArray *findings)
{
  if (findings->len == 0)
    printf ("Nothing found.\n");
  for (guint i = 0; i < findings->len; i++)
    {
      const Finding *finding = findings->pdata[i];

      printf ("%s: %s: %s\n", severities[finding->severity], finding->id, finding->text);
      for (guint k = 0; k < MIN (finding->nodes->len, MAX_NAMES); k++)
        printf ("    %s\n", (char *) finding->nodes->pdata[k]);
      if (finding->nodes->len > MAX_NAMES)
        printf ("    and %u more\n", finding->nodes->len - MAX_NAMES);
    }
}

static int
parse_severity (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    if (strcmp (severities[i], text) == 0)
      return (int) i;
  return -1;
}

int
flow_cli_diagnose (FlowCli  *cli,
                   int       argc,
                   char    **argv)
{
  g_autofree char *tags = NULL;
  g_autofree char *fail_on = NULL;
  g_auto (GStrv) targets = NULL;
  const GOptionEntry entries[] = {
    { "target", 0, 0, G_OPTION_ARG_STRING_ARRAY, &targets, "An op that is run to train", "N" },
    { "fail-on", 0, 0, G_OPTION_ARG_STRING, &fail_on, "Exit with 1 if something is found of this severity or above: "
      "note, warning, damage", "SEVERITY" },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (GPtrArray) variables = NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (finding_free);
  g_autoptr (GError) error = NULL;
  FlowGraph *graph;
  int least = G_N_ELEMENTS (severities);

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  if (fail_on != NULL && (least = parse_severity (fail_on)) < 0)
    return flow_cli_usage (cli, "--fail-on takes note, warning or damage, not %s", fail_on);
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;
  graph = flow_model_get_graph (model);
  variables = flow_cli_list_variables (graph);
  find_problems (model, findings);
  find_unknown_ops (graph, findings);
  find_lone_variables (graph, variables, findings);
  find_unsaved_variables (graph, variables, findings);
  if (!find_in_runs (graph, targets, variables, findings, &error))
    return flow_cli_failed (cli, argv[1], error);
  if (cli->json)
    print_json (findings);
  else
    print_text (findings);
  for (guint i = 0; i < findings->len; i++)
    if ((int) ((Finding *) findings->pdata[i])->severity >= least)
      return FLOW_CLI_NO;
  return FLOW_CLI_OK;
}
