/* cli-flops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* Float operations of some nodes, each counted once, as tf.profiler does. */
typedef struct {
  gint64 total;
  GHashTable *types;           /* op type -> gint64* */
  GHashTable *scopes;          /* outermost scope -> gint64* */
} Sums;

static void
sums_init (Sums *sums)
{
  sums->total = 0;
  sums->types = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sums->scopes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
sums_clear (Sums *sums)
{
  g_clear_pointer (&sums->types, g_hash_table_unref);
  g_clear_pointer (&sums->scopes, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sums, sums_clear)

static void
add_capped (gint64 *sum,
            gint64  value)
{
  if (!flow_add_int64 (*sum, value, sum))
    *sum = G_MAXINT64;
}

static void
add_to (GHashTable *table,
        const char *key,
        gsize       length,
        gint64      value)
{
  g_autofree char *name = g_strndup (key, length);
  gint64 *sum = g_hash_table_lookup (table, name);

  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (table, g_steal_pointer (&name), sum);
    }
  add_capped (sum, value);
}

/* By the op's own rule on the inferred shapes; -1 where those say too little. */
static gint64
count_node (FlowGraph             *graph,
            guint32                node,
            const FlowOpSignature *signature)
{
  guint n_inputs = flow_graph_get_n_inputs (graph, node);
  guint n_outputs = flow_graph_get_n_outputs (graph, node);
  g_autofree FlowShape **inputs = g_new0 (FlowShape *, MAX (n_inputs, 1));
  g_autofree FlowShape **outputs = g_new0 (FlowShape *, MAX (n_outputs, 1));
  FlowInferContext context = { .node_name = flow_graph_get_node_name (graph, node), .signature = signature,
                               .attrs = flow_graph_get_node_attrs (graph, node), .n_inputs = n_inputs,
                               .input_shapes = inputs, .n_outputs = n_outputs, .output_shapes = outputs,
                               .producer = flow_graph_get_producer (graph) };

  for (guint i = 0; i < n_inputs; i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };

      flow_graph_get_input (graph, node, i, &source);
      if (source.node == FLOW_NODE_NONE || source.slot < 0)
        return -1;
      inputs[i] = flow_graph_get_output_shape (graph, source.node, (guint) source.slot);
      if (inputs[i] == NULL || !flow_shape_is_known (inputs[i]))
        return -1;
    }
  for (guint i = 0; i < n_outputs; i++)
    {
      outputs[i] = flow_graph_get_output_shape (graph, node, i);
      if (outputs[i] == NULL || !flow_shape_is_known (outputs[i]))
        return -1;
    }
  return signature->op->flops (&context);
}

/* What could not be counted: op types without a rule, and nodes whose shapes say too little. */
typedef struct {
  GHashTable *types;           /* set of op types, borrowed */
  GPtrArray *nodes;            /* of names, borrowed */
} Uncounted;

static void
add_node (Sums      *sums,
          FlowGraph *graph,
          guint32    node,
          Uncounted *uncounted)
{
  const char *type = flow_graph_get_node_type (graph, node);
  const char *name = flow_graph_get_node_name (graph, node);
  const char *slash = strchr (name, '/');
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  gint64 flops;

  if (signature == NULL || signature->op == NULL || signature->op->flops == NULL)
    {
      if (uncounted != NULL)
        g_hash_table_add (uncounted->types, (gpointer) type);
      return;
    }
  flops = flow_graph_get_node_error (graph, node) == NULL ? count_node (graph, node, signature) : -1;
  if (flops < 0)
    {
      if (uncounted != NULL)
        g_ptr_array_add (uncounted->nodes, (gpointer) name);
      return;
    }
  add_capped (&sums->total, flops);
  add_to (sums->types, type, strlen (type), flops);
  add_to (sums->scopes, name, slash != NULL ? (gsize) (slash - name) : 0, flops);
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (a, b);
}

static void
add_json_table (JsonBuilder *builder,
                const char  *key,
                GHashTable  *table)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (table), compare_texts);

  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
  for (GList *l = names; l != NULL; l = l->next)
    flow_cli_json_set_int (builder, l->data, *(gint64 *) g_hash_table_lookup (table, l->data));
  json_builder_end_object (builder);
}

static void
add_json_sums (JsonBuilder *builder,
               const char  *key,
               const Sums  *sums)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
  flow_cli_json_set_int (builder, "total", sums->total);
  add_json_table (builder, "types", sums->types);
  add_json_table (builder, "scopes", sums->scopes);
  json_builder_end_object (builder);
}

static void
print_json (const Sums *all,
            const Sums *run,
            Uncounted  *uncounted)
{
  JsonBuilder *builder = json_builder_new ();
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (uncounted->types), compare_texts);

  json_builder_begin_object (builder);
  add_json_sums (builder, "static", all);
  if (run != NULL)
    add_json_sums (builder, "planned", run);
  json_builder_set_member_name (builder, "uncounted");
  json_builder_begin_array (builder);
  for (GList *l = types; l != NULL; l = l->next)
    flow_cli_json_text (builder, l->data, -1);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "unknown_shapes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < uncounted->nodes->len; i++)
    flow_cli_json_text (builder, uncounted->nodes->pdata[i], -1);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static void
print_sums (const char *title,
            const Sums *sums)
{
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (sums->types), compare_texts);
  g_autoptr (GList) scopes = g_list_sort (g_hash_table_get_keys (sums->scopes), compare_texts);

  printf ("%s: %" G_GINT64_FORMAT " float operations\n", title, sums->total);
  for (GList *l = types; l != NULL; l = l->next)
    printf ("  %16" G_GINT64_FORMAT "  %s\n", *(gint64 *) g_hash_table_lookup (sums->types, l->data), (char *) l->data);
  for (GList *l = scopes; l != NULL; l = l->next)
    printf ("  %16" G_GINT64_FORMAT "  %s/\n", *(gint64 *) g_hash_table_lookup (sums->scopes, l->data), (char *) l->data);
}

static void
print_text (const Sums *all,
            const Sums *run,
            Uncounted  *uncounted)
{
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (uncounted->types), compare_texts);

  print_sums ("The graph, every node once", all);
  if (run != NULL)
    print_sums ("What the run needs, every node once", run);
  if (types != NULL)
    printf ("Not counted, for there is no rule:");
  for (GList *l = types; l != NULL; l = l->next)
    printf (" %s", (char *) l->data);
  if (types != NULL)
    putchar ('\n');
  if (uncounted->nodes->len > 0)
    printf ("Not counted, for their shapes are not known: %u nodes\n", uncounted->nodes->len);
}

int
flow_cli_flops (FlowCli  *cli,
                int       argc,
                char    **argv)
{
  g_autofree char *tags = NULL;
  g_auto (GStrv) targets = NULL;
  const GOptionEntry entries[] = {
    { "target", 0, 0, G_OPTION_ARG_STRING_ARRAY, &targets, "Also of what running this op needs", "N" },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (FlowPlan) plan = NULL;
  g_autoptr (GHashTable) types = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_auto (Sums) all = { 0 };
  g_auto (Sums) run = { 0 };
  Uncounted uncounted = { types, nodes };
  FlowGraph *graph;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;
  graph = flow_model_get_graph (model);
  sums_init (&all);
  sums_init (&run);
  if (targets != NULL)
    {
      plan = flow_plan_new (graph, NULL, NULL, (const char *const *) targets, &error);
      if (plan == NULL)
        return flow_cli_failed (cli, argv[1], error);
    }
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    add_node (&all, graph, i, &uncounted);
  for (guint i = 0; plan != NULL && i < flow_plan_get_n_items (plan); i++)
    add_node (&run, graph, flow_plan_get_node (plan, i), NULL);
  if (cli->json)
    print_json (&all, plan != NULL ? &run : NULL, &uncounted);
  else
    print_text (&all, plan != NULL ? &run : NULL, &uncounted);
  return FLOW_CLI_OK;
}
