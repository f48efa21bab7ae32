/* flow-debug-variables.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-collection.h"
#include "flow-tensor-compare.h"
#include "flow-util.h"

#include <string.h>

/* Node of each variable, by name, in the order of the graph. */
GArray *
_flow_debug_core_list_variable_nodes (FlowDebugCore *core)
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
  g_variant_builder_add (row, "{sv}", "max_abs_change", g_variant_new_double (_flow_diff_largest (diff)));
}

/* The restore that set a variable last, before where the session stands. */
const FlowCoreRestore *
_flow_debug_core_find_restore (FlowDebugCore *core,
                               const char    *name)
{
  for (guint i = core->restores->len; i > 0; i--)
    {
      const FlowCoreRestore *restore = g_ptr_array_index (core->restores, i - 1);

      if (restore->position <= flow_stepper_get_position (core->stepper)
          && g_hash_table_contains (restore->after, name))
        return restore;
    }
  return NULL;
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
  const FlowCoreRestore *restore = _flow_debug_core_find_restore (core, name);
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  /* A restore at a position comes after the op before it. */
  if (restore != NULL)
    {
      g_variant_builder_add (&row, "{sv}", "restored_from", g_variant_new_string (restore->prefix));
      g_variant_builder_add (&row, "{sv}", "restored_at", g_variant_new_uint64 (restore->position));
    }
  if (restore != NULL && writer != FLOW_NODE_NONE && written_at < restore->position)
    writer = FLOW_NODE_NONE;
  g_variant_builder_add (&row, "{sv}", "reinitialized",
                         g_variant_new_boolean (restore != NULL && writer != FLOW_NODE_NONE
                                                && writer == _flow_debug_core_find_initializer (core, node)));
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
  nodes = _flow_debug_core_list_variable_nodes (core);
  collections = index_collections (core);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < nodes->len; i++)
    g_variant_builder_add_value (&builder, describe_variable (core, g_array_index (nodes, guint32, i), collections));
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

/* @tensor: (nullable): not taken */
FlowDebuggerReply *
_flow_reply_with_tensor (GVariant   *value,
                         FlowTensor *tensor)
{
  FlowDebuggerReply *reply = _flow_reply (value);

  if (tensor != NULL)
    {
      reply->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
      g_ptr_array_add (reply->tensors, flow_tensor_ref (tensor));
    }
  return reply;
}

static FlowDebuggerReply *
reply_with_tensor (FlowTensor *tensor)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "state", g_variant_new_string (tensor != NULL ? "value" : "uninitialized"));
  if (tensor != NULL)
    _flow_add_stats (&builder, tensor);
  return _flow_reply_with_tensor (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)), tensor);
}

FlowDebuggerReply *
_flow_core_get_variable (FlowDebugCore *core,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GError       **error)
{
  const char *name = NULL;
  const char *when = NULL;
  const char *state = NULL;
  g_autofree char *ref = NULL;
  g_autoptr(FlowTensor) tensor = NULL;
  g_autoptr(GError) failure = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s&s)", &name, &when);
  ref = g_strdup_printf ("var:%s@%s", name, when);
  tensor = _flow_debug_core_dup_ref (core, ref, &state, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  return reply_with_tensor (tensor);
}

FlowDebuggerReply *
_flow_core_set_variable (FlowDebugCore *core,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GError       **error)
{
  const char *name = NULL;
  guint32 node = FLOW_NODE_NONE;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &name);
  FLOW_REQUIRE (tensors != NULL && tensors->len == 1, error, INVALID_ARGUMENT, "a value is wanted");
  node = flow_session_find_variable_node (core->session, name);
  if (node != FLOW_NODE_NONE)
    _flow_core_open_branch (core, name);
  if (!flow_stepper_set_variable (core->stepper, name, g_ptr_array_index (tensors, 0), error))
    return NULL;
  if (node != FLOW_NODE_NONE)
    _flow_core_mark_stale (core, node, g_ptr_array_index (tensors, 0));
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
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
  gboolean is_variable = FALSE;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s&s)", &name, &spec);
  if (!flow_graph_parse_endpoint (core->graph, name, &endpoint, error))
    return NULL;
  FLOW_REQUIRE (endpoint.slot >= 0, error, INVALID_ARGUMENT, "%s is no tensor", name);
  is_variable = flow_session_is_variable_node (core->session, endpoint.node);
  if (*spec != '\0')
    {
      FlowAttr *attr = is_variable ? flow_graph_get_attr (core->graph, endpoint.node, "dtype") : NULL;
      int dtype = flow_dtype_base (flow_graph_get_output_dtype (core->graph, endpoint.node, (guint) endpoint.slot));

      if (attr != NULL)
        dtype = flow_attr_get_dtype (attr);

      value = _flow_debug_core_make_value (core, name, dtype, spec, error);
      if (value == NULL)
        return NULL;
    }
  else if (tensors != NULL && tensors->len == 1)
    value = flow_tensor_ref (g_ptr_array_index (tensors, 0));
  _flow_core_open_branch (core, name);
  /* A variable is set, not overridden: every reader sees it. */
  if (value != NULL && is_variable)
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
  _flow_core_mark_stale (core, endpoint.node, is_variable ? value : NULL);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

/* What a person replaced, by tensor. */
FlowDebuggerReply *
_flow_core_overrides (FlowDebugCore *core,
                      GVariant      *arguments,
                      GPtrArray     *tensors,
                      GError       **error)
{
  GVariantBuilder builder;
  FlowRunList *list = NULL;
  guint32 node = 0;
  gint32 slot = 0;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  list = flow_stepper_get_list (core->stepper);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("as"));
  for (guint i = 0; flow_run_list_get_override (list, i, &node, &slot); i++)
    {
      g_autofree char *name = flow_graph_endpoint_to_string (core->graph, node, slot);

      g_variant_builder_add (&builder, "s", name);
    }
  return _flow_reply (g_variant_new ("(@as)", g_variant_builder_end (&builder)));
}

/* --- initialising ----------------------------------------------------------------------------------- */

/* The op that gives a variable its first value; FLOW_NODE_NONE if it has none. */
guint32
_flow_debug_core_find_initializer (FlowDebugCore *core,
                                   guint32        node)
{
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
  return found;
}

/* Runs the ops that give variables their first value: those that may find them empty and feed on
 * nothing that must be fed. As init_op does, variables that depend on others come after them. */
static char **
list_initializers (FlowDebugCore *core)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  g_autoptr(GArray) nodes = _flow_debug_core_list_variable_nodes (core);
  char **targets = NULL;

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 found = _flow_debug_core_find_initializer (core, g_array_index (nodes, guint32, i));

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
