/* flow-debug-variables.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-checkpoint.h"
#include "flow-checkpoint-match.h"
#include "flow-collection.h"
#include "flow-tensor-compare.h"
#include "flow-util.h"

#include <string.h>

/* Node of each variable, by name, in the order of the graph. */
static GArray *
list_variable_nodes (FlowDebugCore *core)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 node = 0; node < flow_graph_get_n_nodes (core->graph); node++)
    if (flow_session_is_variable_node (core->session, node)
        && g_hash_table_add (seen, flow_session_get_variable_name (core->session, node)))
      g_array_append_val (nodes, node);
  return nodes;
}

/* Keys of the collections that hold a variable: variable name -> GPtrArray of keys. */
static GHashTable *
index_collections (FlowDebugCore *core)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < flow_graph_get_n_collections (core->graph); i++)
    {
      const char *key = flow_graph_get_collection_key (core->graph, i);
      GPtrArray *items = flow_graph_get_collection (core->graph, key);

      for (guint j = 0; items != NULL && j < items->len; j++)
        {
          const FlowCollectionItem *item = g_ptr_array_index (items, j);
          FlowEndpoint endpoint = { 0 };
          const char *name = NULL;
          GPtrArray *keys = NULL;

          if (item->name == NULL || !flow_graph_parse_endpoint (core->graph, item->name, &endpoint, NULL))
            continue;
          name = flow_graph_get_node_name (core->graph, endpoint.node);
          keys = g_hash_table_lookup (index, name);
          if (keys == NULL)
            {
              keys = g_ptr_array_new ();
              g_hash_table_insert (index, g_strdup (name), keys);
            }
          g_ptr_array_add (keys, (gpointer) key);
        }
    }
  return index;
}

static void
add_change (GVariantBuilder  *row,
            FlowTensor       *now,
            FlowTensor       *before)
{
  FlowTolerance exact = { 0, 0, 0 };
  g_autoptr(FlowTensorDiff) diff = NULL;

  if (now == NULL || before == NULL || now == before)
    {
      g_variant_builder_add (row, "{sv}", "changed", g_variant_new_boolean (now != NULL && before == NULL));
      g_variant_builder_add (row, "{sv}", "max_abs_change", g_variant_new_double (0));
      return;
    }
  diff = flow_tensor_compare (now, before, &exact);
  g_variant_builder_add (row, "{sv}", "changed", g_variant_new_boolean (!diff->equal_bits));
  g_variant_builder_add (row, "{sv}", "max_abs_change", g_variant_new_double (diff->max_abs));
}

static GVariant *
describe_variable (FlowDebugCore *core,
                   guint32        node,
                   GHashTable    *collections)
{
  g_autofree char *name = flow_session_get_variable_name (core->session, node);
  g_autoptr(FlowTensor) now = flow_session_dup_variable (core->session, name);
  g_autoptr(FlowTensor) before = flow_stepper_dup_variable_at_run_start (core->stepper, name);
  GPtrArray *keys = g_hash_table_lookup (collections, flow_graph_get_node_name (core->graph, node));
  FlowAttr *dtype = flow_graph_get_attr (core->graph, node, "dtype");
  FlowAttr *shape = flow_graph_get_attr (core->graph, node, "shape");
  guint64 written_at = 0;
  guint32 writer = flow_stepper_find_writer (core->stepper, name, flow_stepper_get_position (core->stepper), &written_at);
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (name));
  g_variant_builder_add (&row, "{sv}", "node", g_variant_new_uint32 (node));
  g_variant_builder_add (&row, "{sv}", "initialized", g_variant_new_boolean (now != NULL));
  if (now != NULL)
    _flow_add_stats (&row, now);
  else
    {
      g_variant_builder_add (&row, "{sv}", "dtype",
                             g_variant_new_string (flow_dtype_name (dtype != NULL ? flow_attr_get_dtype (dtype) : 0)));
      if (shape != NULL && flow_attr_get_shape (shape) != NULL)
        _flow_add_shape (&row, flow_attr_get_shape (shape));
    }
  add_change (&row, now, before);
  /* What it was at the start of the run, where that was something else. */
  if (before != NULL && before != now)
    {
      GVariantBuilder start;

      g_variant_builder_init (&start, G_VARIANT_TYPE ("a{sv}"));
      _flow_add_stats (&start, before);
      g_variant_builder_add (&row, "{sv}", "run_start", g_variant_builder_end (&start));
    }
  g_variant_builder_add (&row, "{sv}", "writer",
                         g_variant_new_string (writer != FLOW_NODE_NONE ? flow_graph_get_node_name (core->graph, writer)
                                                                        : ""));
  g_variant_builder_add (&row, "{sv}", "written_at", g_variant_new_uint64 (writer != FLOW_NODE_NONE ? written_at : G_MAXUINT64));
  g_variant_builder_add (&row, "{sv}", "collections",
                         g_variant_new_strv (keys != NULL ? (const char *const *) keys->pdata : NULL,
                                             keys != NULL ? (gssize) keys->len : 0));
  return g_variant_builder_end (&row);
}

FlowDebuggerReply *
_flow_core_variables (FlowDebugCore *core,
                      GVariant      *arguments,
                      GPtrArray     *tensors,
                      GError       **error)
{
  g_autoptr(GArray) nodes = NULL;
  g_autoptr(GHashTable) collections = NULL;
  GVariantBuilder builder;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  nodes = list_variable_nodes (core);
  collections = index_collections (core);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < nodes->len; i++)
    g_variant_builder_add_value (&builder, describe_variable (core, g_array_index (nodes, guint32, i), collections));
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

static FlowDebuggerReply *
reply_with_tensor (FlowTensor *tensor)
{
  GVariantBuilder builder;
  FlowDebuggerReply *reply = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "state", g_variant_new_string (tensor != NULL ? "value" : "uninitialized"));
  if (tensor != NULL)
    _flow_add_stats (&builder, tensor);
  reply = _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
  if (tensor != NULL)
    {
      reply->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
      g_ptr_array_add (reply->tensors, flow_tensor_ref (tensor));
    }
  return reply;
}

FlowDebuggerReply *
_flow_core_get_variable (FlowDebugCore *core,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GError       **error)
{
  const char *name = NULL;
  const char *when = NULL;
  g_autoptr(FlowTensor) tensor = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s&s)", &name, &when);
  FLOW_REQUIRE (flow_session_find_variable_node (core->session, name) != FLOW_NODE_NONE, error, NOT_FOUND,
                "the graph has no variable %s", name);
  if (strcmp (when, "run-start") == 0)
    tensor = flow_stepper_dup_variable_at_run_start (core->stepper, name);
  else if (strcmp (when, "before-restore") == 0)
    {
      tensor = g_hash_table_lookup (core->before_restore, name);
      if (tensor != NULL)
        flow_tensor_ref (tensor);
    }
  else
    tensor = flow_session_dup_variable (core->session, name);
  return reply_with_tensor (tensor);
}

FlowDebuggerReply *
_flow_core_set_variable (FlowDebugCore *core,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GError       **error)
{
  const char *name = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &name);
  FLOW_REQUIRE (tensors != NULL && tensors->len == 1, error, INVALID_ARGUMENT, "a value is wanted");
  if (!flow_stepper_set_variable (core->stepper, name, g_ptr_array_index (tensors, 0), error))
    return NULL;
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

/* What was computed from a tensor of this run before it was overridden is stale. */
static void
mark_stale (FlowDebugCore *core,
            guint32        node)
{
  FlowListedRun *run = flow_run_list_get_current (flow_stepper_get_list (core->stepper));
  guint64 position = flow_stepper_get_position (core->stepper);
  g_autoptr(GHashTable) changed = g_hash_table_new (NULL, NULL);

  g_hash_table_add (changed, GUINT_TO_POINTER (node));
  for (guint64 k = run != NULL ? run->start : position; k < position; k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);

      for (guint i = 0; i < flow_graph_get_n_inputs (core->graph, event->node); i++)
        {
          FlowEndpoint source = { 0 };

          flow_graph_get_input (core->graph, event->node, i, &source);
          if (!g_hash_table_contains (changed, GUINT_TO_POINTER (source.node)))
            continue;
          g_hash_table_add (changed, GUINT_TO_POINTER (event->node));
          g_hash_table_add (core->stale, GUINT_TO_POINTER (event->node));
          break;
        }
    }
}

FlowDebuggerReply *
_flow_core_override (FlowDebugCore *core,
                     GVariant      *arguments,
                     GPtrArray     *tensors,
                     GError       **error)
{
  const char *name = NULL;
  const char *spec = NULL;
  g_autoptr(FlowTensor) value = NULL;
  FlowEndpoint endpoint = { 0 };

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s&s)", &name, &spec);
  if (!flow_graph_parse_endpoint (core->graph, name, &endpoint, error))
    return NULL;
  FLOW_REQUIRE (endpoint.slot >= 0, error, INVALID_ARGUMENT, "%s is no tensor", name);
  if (*spec != '\0')
    {
      int dtype = flow_dtype_base (flow_graph_get_output_dtype (core->graph, endpoint.node, (guint) endpoint.slot));

      value = _flow_debug_core_make_value (core, name, dtype, spec, error);
      if (value == NULL)
        return NULL;
    }
  else if (tensors != NULL && tensors->len == 1)
    value = flow_tensor_ref (g_ptr_array_index (tensors, 0));
  /* A variable is set, not overridden: every reader sees it. */
  if (value != NULL && flow_session_is_variable_node (core->session, endpoint.node)
      && flow_dtype_is_ref (flow_graph_get_output_dtype (core->graph, endpoint.node, 0)))
    {
      g_autofree char *variable = flow_session_get_variable_name (core->session, endpoint.node);

      if (!flow_stepper_set_variable (core->stepper, variable, value, error))
        return NULL;
    }
  else
    {
      if (!flow_run_list_set_override (flow_stepper_get_list (core->stepper), endpoint.node, endpoint.slot, value, error))
        return NULL;
      flow_stepper_fork (core->stepper);
    }
  mark_stale (core, endpoint.node);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

/* --- initialising ----------------------------------------------------------------------------------- */

/* Runs the ops that give variables their first value: those that may find them empty and feed on
 * nothing that must be fed. As init_op does, variables that depend on others come after them. */
static char **
list_initializers (FlowDebugCore *core)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  g_autoptr(GArray) nodes = list_variable_nodes (core);
  char **targets = NULL;

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      g_autofree char *assign = g_strconcat (flow_graph_get_node_name (core->graph, node), "/Assign", NULL);
      guint32 found = flow_graph_find_node (core->graph, assign);

      for (guint j = 0; found == FLOW_NODE_NONE && j < flow_graph_get_n_out_edges (core->graph, node); j++)
        {
          guint32 consumer = FLOW_NODE_NONE;
          gint32 input = 0;
          gint32 slot = 0;

          flow_graph_get_out_edge (core->graph, node, j, &slot, &consumer, &input);
          if (input == 0 && flow_graph_get_n_inputs (core->graph, consumer) == 2
              && (flow_graph_get_node_flags (core->graph, consumer) & FLOW_OP_ALLOWS_UNINITIALIZED) != 0)
            found = consumer;
        }
      if (found != FLOW_NODE_NONE)
        g_strv_builder_add (builder, flow_graph_get_node_name (core->graph, found));
    }
  targets = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return targets;
}

FlowDebuggerReply *
_flow_core_initialize_variables (FlowDebugCore *core,
                                 GVariant      *arguments,
                                 GPtrArray     *tensors,
                                 GError       **error)
{
  g_auto(GStrv) targets = NULL;
  g_autoptr(FlowPlan) plan = NULL;
  g_autoptr(FlowRun) run = NULL;
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  FlowStepResult result = FLOW_STEP_DONE;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  targets = list_initializers (core);
  FLOW_REQUIRE (targets[0] != NULL, error, NOT_FOUND, "the graph initialises no variable");
  plan = flow_session_get_plan (core->session, NULL, NULL, (const char *const *) targets, NULL, error);
  if (plan == NULL)
    return NULL;
  run = flow_run_new (core->session, plan, (FlowTensor *const[]) { NULL }, error);
  if (run == NULL)
    return NULL;
  flow_run_set_cancellable (run, core->cancellable);
  while (result == FLOW_STEP_DONE)
    result = flow_run_step (run, error);
  flow_run_end (run);
  if (result == FLOW_STEP_FAILED)
    return NULL;
  /* Kept as edits too, so that recomputing this position gives the same. */
  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    {
      guint32 node = flow_plan_get_node (plan, i);
      g_autofree char *name = NULL;
      g_autoptr(FlowTensor) value = NULL;

      if (!flow_session_is_variable_node (core->session, node))
        continue;
      name = flow_session_get_variable_name (core->session, node);
      value = flow_session_dup_variable (core->session, name);
      if (value != NULL)
        flow_stepper_set_variable (core->stepper, name, value, NULL);
    }
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

/* --- checkpoints ------------------------------------------------------------------------------------ */

static char *
type_text (int              dtype,
           const FlowShape *shape)
{
  g_autofree char *dims = shape != NULL ? flow_shape_to_string (shape) : g_strdup ("");

  return g_strdup_printf ("%s %s", flow_dtype_name (dtype), dims);
}

/* What a variable wants. The shape of an old `Variable` of rank 0 says nothing. */
static FlowShape *
declared_shape (FlowDebugCore *core,
                guint32        node)
{
  FlowAttr *attr = flow_graph_get_attr (core->graph, node, "shape");
  FlowShape *shape = attr != NULL ? flow_attr_get_shape (attr) : NULL;

  if (shape != NULL && flow_shape_get_rank (shape) == 0
      && strcmp (flow_graph_get_node_type (core->graph, node), "Variable") == 0)
    return NULL;
  return shape;
}

static FlowCheckpointMatch *
match_variables (FlowDebugCore  *core,
                 FlowCheckpoint *checkpoint)
{
  g_autoptr(GArray) nodes = list_variable_nodes (core);
  g_auto(GStrv) names = g_new0 (char *, nodes->len + 1);
  g_autofree int *dtypes = g_new0 (int, nodes->len + 1);
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, nodes->len + 1);

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      FlowAttr *dtype = flow_graph_get_attr (core->graph, node, "dtype");

      names[i] = flow_session_get_variable_name (core->session, node);
      dtypes[i] = dtype != NULL ? flow_attr_get_dtype (dtype) : FLOW_DTYPE_INVALID;
      shapes[i] = declared_shape (core, node);
    }
  return flow_checkpoint_match (checkpoint, (const char *const *) names, dtypes, shapes, nodes->len);
}

static GVariant *
describe_clash (const FlowMatchItem *item)
{
  g_autofree char *mine = type_text (item->graph_dtype, item->graph_shape);
  g_autofree char *stored = type_text (item->file_dtype, item->file_shape);
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (item->name));
  g_variant_builder_add (&row, "{sv}", "graph", g_variant_new_string (mine));
  g_variant_builder_add (&row, "{sv}", "file", g_variant_new_string (stored));
  return g_variant_builder_end (&row);
}

static void
add_names (GVariantBuilder     *builder,
           const char          *key,
           FlowCheckpointMatch *match,
           FlowMatchKind        kind)
{
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
    {
      const FlowMatchItem *item = flow_checkpoint_match_get_item (match, i);

      if (item->kind == kind)
        g_variant_builder_add (&names, "s", item->name);
    }
  g_variant_builder_add (builder, "{sv}", key, g_variant_builder_end (&names));
}

FlowDebuggerReply *
_flow_core_match_checkpoint (FlowDebugCore *core,
                             GVariant      *arguments,
                             GPtrArray     *tensors,
                             GError       **error)
{
  const char *prefix = NULL;
  g_autoptr(FlowCheckpoint) checkpoint = NULL;
  g_autoptr(FlowCheckpointMatch) match = NULL;
  GVariantBuilder builder;
  GVariantBuilder clashes;
  GVariantBuilder nearest;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &prefix);
  checkpoint = flow_checkpoint_open_to_restore (prefix, error);
  if (checkpoint == NULL)
    return NULL;
  match = match_variables (core, checkpoint);
  g_variant_builder_init (&clashes, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&nearest, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
    {
      const FlowMatchItem *item = flow_checkpoint_match_get_item (match, i);

      if (item->kind == FLOW_MATCH_CLASH)
        g_variant_builder_add_value (&clashes, describe_clash (item));
      else if (item->kind == FLOW_MATCH_ONLY_GRAPH && item->nearest[0] != NULL)
        g_variant_builder_add (&nearest, "{ss}", item->name, item->nearest[0]);
    }
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  add_names (&builder, "matched", match, FLOW_MATCH_MATCHED);
  add_names (&builder, "only_graph", match, FLOW_MATCH_ONLY_GRAPH);
  add_names (&builder, "only_file", match, FLOW_MATCH_ONLY_FILE);
  g_variant_builder_add (&builder, "{sv}", "clashes", g_variant_builder_end (&clashes));
  g_variant_builder_add (&builder, "{sv}", "nearest", g_variant_builder_end (&nearest));
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
}

static GVariant *
describe_restored (const FlowRestored *restored)
{
  FlowTolerance exact = { 0, 0, 0 };
  GVariantBuilder row;
  GVariantBuilder stats;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (restored->name));
  g_variant_builder_init (&stats, G_VARIANT_TYPE ("a{sv}"));
  _flow_add_stats (&stats, restored->after);
  g_variant_builder_add (&row, "{sv}", "after", g_variant_builder_end (&stats));
  g_variant_builder_add (&row, "{sv}", "dtype", g_variant_new_string (flow_dtype_name (restored->after->dtype)));
  _flow_add_shape (&row, restored->after->shape);
  g_variant_builder_add (&row, "{sv}", "uninitialized_before", g_variant_new_boolean (restored->before == NULL));
  if (restored->before != NULL)
    {
      g_autoptr(FlowTensorDiff) diff = flow_tensor_compare (restored->after, restored->before, &exact);

      g_variant_builder_init (&stats, G_VARIANT_TYPE ("a{sv}"));
      _flow_add_stats (&stats, restored->before);
      g_variant_builder_add (&row, "{sv}", "before", g_variant_builder_end (&stats));
      g_variant_builder_add (&row, "{sv}", "max_abs", g_variant_new_double (diff->max_abs));
      g_variant_builder_add (&row, "{sv}", "max_rel", g_variant_new_double (diff->max_rel));
      g_variant_builder_add (&row, "{sv}", "changed", g_variant_new_int64 (diff->n_changed));
    }
  else
    g_variant_builder_add (&row, "{sv}", "changed", g_variant_new_int64 (restored->after->n_elements));
  return g_variant_builder_end (&row);
}

FlowDebuggerReply *
_flow_core_restore_checkpoint (FlowDebugCore *core,
                               GVariant      *arguments,
                               GPtrArray     *tensors,
                               GError       **error)
{
  const char *prefix = NULL;
  g_autoptr(GVariantIter) map = NULL;
  g_autofree const char **only = NULL;
  g_autoptr(GPtrArray) map_new = g_ptr_array_new ();
  g_autoptr(GPtrArray) map_old = g_ptr_array_new ();
  g_autoptr(GPtrArray) restored = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_restored_free);
  const char *from = NULL;
  const char *to = NULL;
  GVariantBuilder builder;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&sa{ss}^a&s)", &prefix, &map, &only);
  while (g_variant_iter_next (map, "{&s&s}", &to, &from))
    {
      g_ptr_array_add (map_new, (gpointer) to);
      g_ptr_array_add (map_old, (gpointer) from);
    }
  g_ptr_array_add (map_new, NULL);
  g_ptr_array_add (map_old, NULL);
  if (!flow_session_restore_checkpoint (core->session, prefix, (const char *const *) map_new->pdata,
                                        (const char *const *) map_old->pdata, only != NULL && only[0] != NULL ? only : NULL,
                                        restored, error))
    return NULL;
  g_hash_table_remove_all (core->before_restore);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < restored->len; i++)
    {
      FlowRestored *one = g_ptr_array_index (restored, i);

      if (one->before != NULL)
        g_hash_table_insert (core->before_restore, g_strdup (one->name), flow_tensor_ref (one->before));
      flow_stepper_set_variable (core->stepper, one->name, one->after, NULL);
      g_variant_builder_add_value (&builder, describe_restored (one));
    }
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

FlowDebuggerReply *
_flow_core_save_checkpoint (FlowDebugCore *core,
                            GVariant      *arguments,
                            GPtrArray     *tensors,
                            GError       **error)
{
  const char *prefix = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &prefix);
  if (!flow_session_save_checkpoint (core->session, prefix, error))
    return NULL;
  return _flow_reply (NULL);
}
