/* cli-flops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-runs.h"

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

/* By the op's own rule; -1 where a shape is not known. */
static gint64
count_shapes (FlowGraph             *graph,
              guint32                node,
              const FlowOpSignature *signature,
              FlowShape            **inputs,
              FlowShape            **outputs)
{
  FlowInferContext context = { .node_name = flow_graph_get_node_name (graph, node), .signature = signature,
                               .attrs = flow_graph_get_node_attrs (graph, node),
                               .n_inputs = flow_graph_get_n_inputs (graph, node), .input_shapes = inputs,
                               .n_outputs = flow_graph_get_n_outputs (graph, node), .output_shapes = outputs,
                               .producer = flow_graph_get_producer (graph) };

  for (guint i = 0; i < context.n_inputs; i++)
    if (inputs[i] == NULL || !flow_shape_is_known (inputs[i]))
      return -1;
  for (guint i = 0; i < context.n_outputs; i++)
    if (outputs[i] == NULL || !flow_shape_is_known (outputs[i]))
      return -1;
  return signature->op->flops (&context);
}

/* On the inferred shapes. */
static gint64
count_node (FlowGraph             *graph,
            guint32                node,
            const FlowOpSignature *signature)
{
  guint n_inputs = flow_graph_get_n_inputs (graph, node);
  guint n_outputs = flow_graph_get_n_outputs (graph, node);
  g_autofree FlowShape **inputs = g_new0 (FlowShape *, MAX (n_inputs, 1));
  g_autofree FlowShape **outputs = g_new0 (FlowShape *, MAX (n_outputs, 1));

  for (guint i = 0; i < n_inputs; i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };

      flow_graph_get_input (graph, node, i, &source);
      if (source.node != FLOW_NODE_NONE && source.slot >= 0)
        inputs[i] = flow_graph_get_output_shape (graph, source.node, (guint) source.slot);
    }
  for (guint i = 0; i < n_outputs; i++)
    outputs[i] = flow_graph_get_output_shape (graph, node, i);
  return count_shapes (graph, node, signature, inputs, outputs);
}

static const FlowOpSignature *
find_rule (FlowGraph *graph,
           guint32    node)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (flow_graph_get_node_type (graph, node));

  return signature != NULL && signature->op != NULL && signature->op->flops != NULL ? signature : NULL;
}

static void
add_flops (Sums      *sums,
           FlowGraph *graph,
           guint32    node,
           gint64     flops)
{
  const char *type = flow_graph_get_node_type (graph, node);
  const char *name = flow_graph_get_node_name (graph, node);
  const char *slash = strchr (name, '/');

  add_capped (&sums->total, flops);
  add_to (sums->types, type, strlen (type), flops);
  add_to (sums->scopes, name, slash != NULL ? (gsize) (slash - name) : 0, flops);
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
  const FlowOpSignature *signature = find_rule (graph, node);
  gint64 flops;

  if (signature == NULL)
    {
      if (uncounted != NULL)
        g_hash_table_add (uncounted->types, (gpointer) flow_graph_get_node_type (graph, node));
      return;
    }
  flops = flow_graph_get_node_error (graph, node) == NULL ? count_node (graph, node, signature) : -1;
  if (flops >= 0)
    add_flops (sums, graph, node, flops);
  else if (uncounted != NULL)
    g_ptr_array_add (uncounted->nodes, (gpointer) flow_graph_get_node_name (graph, node));
}

/* --- As executed: every op as often as it runs, by the shapes it runs on --- */

typedef struct {
  const FlowRunFile *file;
  FlowSession *session;
  Sums *sums;
  GError *error;
} Executed;

static void
add_step (Executed          *self,
          FlowStepper       *stepper,
          const FlowRunStep *step)
{
  FlowGraph *graph = flow_session_get_graph (self->session);
  const FlowOpSignature *signature = NULL;
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  g_autofree FlowShape **inputs = NULL;
  g_autofree FlowShape **outputs = NULL;
  gint64 flops;

  /* Inside a function's body nodes have other numbers; calls of functions have no rule. */
  if (step->dead || step->node >= flow_graph_get_n_nodes (graph) || (signature = find_rule (graph, step->node)) == NULL)
    return;
  inputs = g_new0 (FlowShape *, flow_graph_get_n_inputs (graph, step->node) + 1);
  outputs = g_new0 (FlowShape *, MAX (step->n_outputs, flow_graph_get_n_outputs (graph, step->node)) + 1);
  for (guint i = 0; i < flow_graph_get_n_inputs (graph, step->node); i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
      FlowTensor *tensor = NULL;

      flow_graph_get_input (graph, step->node, i, &source);
      if (source.node != FLOW_NODE_NONE)
        tensor = flow_stepper_dup_value (stepper, source.node, source.slot, flow_stepper_get_position (stepper), &state);
      if (tensor != NULL)
        {
          g_ptr_array_add (tensors, tensor);
          inputs[i] = tensor->shape;
        }
      else if (source.node != FLOW_NODE_NONE && source.slot >= 0)
        inputs[i] = flow_graph_get_output_shape (graph, source.node, (guint) source.slot);
    }
  for (guint i = 0; i < step->n_outputs; i++)
    if (step->outputs[i].tensor != NULL)
      outputs[i] = step->outputs[i].tensor->shape;
  for (guint i = 0; i < flow_graph_get_n_outputs (graph, step->node); i++)
    if (outputs[i] == NULL)
      outputs[i] = flow_graph_get_output_shape (graph, step->node, i);
  flops = count_shapes (graph, step->node, signature, inputs, outputs);
  if (flops > 0)
    add_flops (self->sums, graph, step->node, flops);
}

static int
count_worker (gpointer data)
{
  Executed *self = data;
  FlowStepper *stepper = flow_stepper_new (self->session, self->file);
  FlowStepResult result = flow_stepper_start (stepper, &self->error);

  while (result == FLOW_STEP_DONE && (result = flow_stepper_step (stepper, &self->error)) == FLOW_STEP_DONE)
    add_step (self, stepper, flow_run_get_last (flow_run_list_get_last (flow_stepper_get_list (stepper))->run));
  if (result == FLOW_STEP_WAITING && self->error == NULL)
    g_set_error (&self->error, FLOW_ERROR, FLOW_ERROR_DEADLINE_EXCEEDED, "every op that is left waits");
  flow_stepper_free (stepper);
  return self->error == NULL ? FLOW_CLI_OK : FLOW_CLI_NO;
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
            const Sums *executed,
            Uncounted  *uncounted)
{
  JsonBuilder *builder = json_builder_new ();
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (uncounted->types), compare_texts);

  json_builder_begin_object (builder);
  add_json_sums (builder, "static", all);
  if (run != NULL)
    add_json_sums (builder, "planned", run);
  if (executed != NULL)
    add_json_sums (builder, "executed", executed);
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
            const Sums *executed,
            Uncounted  *uncounted)
{
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (uncounted->types), compare_texts);

  print_sums ("The graph, every node once", all);
  if (run != NULL)
    print_sums ("What the run needs, every node once", run);
  if (executed != NULL)
    print_sums ("As executed by the run file", executed);
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
  g_auto (Sums) executed = { 0 };
  g_auto (FlowCliRunOptions) options = { 0 };
  g_autoptr (FlowRunFile) file = NULL;
  g_autoptr (FlowSession) session = NULL;
  Executed work = { 0 };
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
  sums_init (&executed);
  if (flow_run_file_looks_like (argv[1]))
    {
      file = flow_cli_make_run_file (cli, argv[1], &options);
      session = file != NULL ? flow_cli_make_session (cli, file, &options) : NULL;
      if (session == NULL)
        return cli->status;
      work.file = file;
      work.session = session;
      work.sums = &executed;
      if (flow_cli_call (count_worker, &work) != FLOW_CLI_OK)
        {
          error = work.error;
          return flow_cli_failed (cli, argv[1], error);
        }
    }
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
    print_json (&all, plan != NULL ? &run : NULL, session != NULL ? &executed : NULL, &uncounted);
  else
    print_text (&all, plan != NULL ? &run : NULL, session != NULL ? &executed : NULL, &uncounted);
  return FLOW_CLI_OK;
}
