/* flow-findings.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-findings.h"

#include <string.h>

#include "flow-collection.h"
#include "flow-graph-variables.h"
#include "flow-kernel.h"

static const char *const severities[] = {
  [FLOW_FINDING_NOTE] = "note",
  [FLOW_FINDING_WARNING] = "warning",
  [FLOW_FINDING_DAMAGE] = "damage",
};

static void
finding_free (gpointer data)
{
  FlowFinding *finding = data;

  g_ptr_array_unref (finding->nodes);
  g_free (finding->text);
  g_free (finding);
}

static FlowFinding *
finding_new (const char          *id,
             FlowFindingSeverity  severity)
{
  FlowFinding *finding = g_new0 (FlowFinding, 1);

  finding->id = id;
  finding->severity = severity;
  finding->nodes = g_ptr_array_new_with_free_func (g_free);
  return finding;
}

/* Of a finding that names nobody nothing is left. */
static void
take_finding (GPtrArray   *findings,
              FlowFinding *finding,
              char        *text)
{
  finding->text = text;
  if (finding->nodes->len > 0)
    g_ptr_array_add (findings, finding);
  else
    finding_free (finding);
}

static void
add_node (FlowFinding *finding,
          const char  *name)
{
  g_ptr_array_add (finding->nodes, g_strdup (name));
}

/* --- What is looked for --- */

static void
find_problems (GPtrArray *problems,
               GPtrArray *findings)
{
  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      const FlowProblem *problem = problems->pdata[i];
      FlowFinding *finding =
        finding_new ("file", (FlowFindingSeverity) CLAMP (problem->severity, FLOW_FINDING_NOTE, FLOW_FINDING_DAMAGE));

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
  FlowFinding *unknown = finding_new ("op-not-registered", FLOW_FINDING_WARNING);
  FlowFinding *without = finding_new ("op-without-kernel", FLOW_FINDING_WARNING);

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
is_in (const FlowGraphVariable *variable,
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
  FlowFinding *lone = finding_new ("variable-in-no-collection", FLOW_FINDING_WARNING);
  FlowFinding *bare = finding_new ("variable-without-initializer", FLOW_FINDING_WARNING);

  for (guint i = 0; i < variables->len; i++)
    {
      const FlowGraphVariable *variable = variables->pdata[i];

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
  FlowFinding *finding = finding_new ("variable-not-saved", FLOW_FINDING_WARNING);
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
      const FlowGraphVariable *variable = variables->pdata[i];

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
  FlowFinding *finding = finding_new ("trainable-not-written", FLOW_FINDING_WARNING);

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
      const FlowGraphVariable *variable = variables->pdata[i];

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
  FlowFinding *finding = finding_new ("update-ops-skipped", FLOW_FINDING_WARNING);
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
choose_targets (FlowGraph         *graph,
                const char *const *given)
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

/* --- What is asked for --- */

/**
 * flow_diagnose_graph: (skip)
 * @graph: a graph
 * @problems: (nullable): what its file's reader found (FlowProblem)
 *
 * What is wrong with a graph whatever is run of it: damage in its file, ops that nothing here can compute, variables
 * that are in no collection, that nothing initialises, that no Saver saves. Costs a look at each node.
 *
 * Returns: (transfer full): of FlowFinding
 */
GPtrArray *
flow_diagnose_graph (FlowGraph *graph,
                     GPtrArray *problems)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func (finding_free);
  g_autoptr(GPtrArray) variables = flow_graph_list_variables (graph);

  find_problems (problems, findings);
  find_unknown_ops (graph, findings);
  find_lone_variables (graph, variables, findings);
  find_unsaved_variables (graph, variables, findings);
  return findings;
}

/**
 * flow_diagnose_plan: (skip)
 * @plan: what a run executes
 * @name: the run or target, for the texts
 * @findings: to be added to
 *
 * What is wrong with a training step: UPDATE_OPS that it does not run, trainable variables that it does not write.
 */
void
flow_diagnose_plan (FlowPlan   *plan,
                    const char *name,
                    GPtrArray  *findings)
{
  g_autoptr(GPtrArray) variables = flow_graph_list_variables (flow_plan_get_graph (plan));

  find_skipped_updates (plan, name, findings);
  find_untrained (plan, name, variables, findings);
}

/**
 * flow_diagnose_targets: (skip)
 * @graph: a graph
 * @targets: (nullable): ops that are run to train; %NULL: those of the collection train_op
 * @findings: to be added to
 *
 * flow_diagnose_plan() of each target. Sets the error of planning if one cannot be run.
 *
 * Returns: whether all could be looked at
 */
gboolean
flow_diagnose_targets (FlowGraph          *graph,
                       const char *const  *targets,
                       GPtrArray          *findings,
                       GError            **error)
{
  g_auto(GStrv) chosen = choose_targets (graph, targets);

  for (guint i = 0; chosen[i] != NULL; i++)
    {
      const char *const one[] = { chosen[i], NULL };
      g_autoptr(FlowPlan) plan = flow_plan_new (graph, NULL, NULL, one, error);

      if (plan == NULL)
        return FALSE;
      flow_diagnose_plan (plan, chosen[i], findings);
    }
  return TRUE;
}

/**
 * flow_finding_severity_name: (skip)
 *
 * Returns: note, warning or damage
 */
const char *
flow_finding_severity_name (FlowFindingSeverity severity)
{
  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (severities), "");

  return severities[severity];
}

/* --- For a debugger --- */

static GVariant *
to_variant (GPtrArray *findings)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < findings->len; i++)
    {
      const FlowFinding *finding = findings->pdata[i];
      GVariantBuilder row;

      g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&row, "{sv}", "id", g_variant_new_string (finding->id));
      g_variant_builder_add (&row, "{sv}", "severity", g_variant_new_string (severities[finding->severity]));
      g_variant_builder_add (&row, "{sv}", "nodes", g_variant_new_strv ((const char *const *) finding->nodes->pdata,
                                                                        finding->nodes->len));
      g_variant_builder_add (&row, "{sv}", "text", g_variant_new_string (finding->text));
      g_variant_builder_add_value (&builder, g_variant_builder_end (&row));
    }
  return g_variant_builder_end (&builder);
}

/* A run that writes nothing that is trained has no reason to run UPDATE_OPS. */
static gboolean
is_training (FlowPlan *plan)
{
  FlowGraph *graph = flow_plan_get_graph (plan);

  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    {
      const char *type = flow_graph_get_node_type (graph, flow_plan_get_node (plan, i));

      if (strstr (type, "Apply") != NULL && writes_variables (type))
        return TRUE;
    }
  return FALSE;
}

static GVariant *
diagnose_run (FlowGraph  *graph,
              FlowPlan   *plan,
              const char *run)
{
  g_autoptr(GPtrArray) findings = flow_diagnose_graph (graph, NULL);

  if (plan == NULL)
    flow_diagnose_targets (graph, NULL, findings, NULL);
  else if (is_training (plan))
    flow_diagnose_plan (plan, run, findings);
  return to_variant (findings);
}

/**
 * flow_diagnose_serve:
 * @debugger: a debugger
 *
 * Makes the debugger answer `Diagnose`. To be called before anything is asked of it.
 */
void
flow_diagnose_serve (FlowLocalDebugger *debugger)
{
  flow_local_debugger_set_diagnosis (debugger, diagnose_run);
}
