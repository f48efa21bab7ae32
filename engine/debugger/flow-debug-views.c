/* flow-debug-views.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-function.h"
#include "flow-tensor-compare.h"
#include "flow-tensor-stats.h"

#include <math.h>
#include <string.h>

static const char *const value_states[] = {
  [FLOW_VALUE_NOT_COMPUTED] = "not computed",
  [FLOW_VALUE_PRESENT] = "value",
  [FLOW_VALUE_DEAD] = "dead",
  [FLOW_VALUE_DROPPED] = "dropped",
  [FLOW_VALUE_UNINITIALIZED] = "uninitialized",
};

const char *
_flow_value_state_name (FlowValueState state)
{
  return value_states[state];
}

/* --- the state of every node ---------------------------------------------------------------------- */

/* Who asks has the graph, not the bodies of functions: their ops stand for the one that called. */
static guint32
outer (FlowDebugCore *core,
       guint32        node)
{
  return flow_graph_get_outer_node (core->graph, node);
}

static void
mark_done (FlowDebugCore *core,
           FlowListedRun *run,
           guint8        *states)
{
  guint64 position = flow_stepper_get_position (core->stepper);

  for (guint64 k = run->start; k < position; k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);

      if (event->run != run->number || flow_node_is_in_body (event->node) || event->phase == FLOW_CALL_ENTER
          || event->phase == FLOW_CALL_TURN)
        continue;
      if (!event->dead)
        states[event->node] = g_hash_table_contains (core->stale, GUINT_TO_POINTER (event->node)) ? FLOW_NODE_STALE
                                                                                                  : FLOW_NODE_DONE;
      else if (states[event->node] != FLOW_NODE_DONE && states[event->node] != FLOW_NODE_STALE)
        states[event->node] = FLOW_NODE_DEAD;
    }
}

static void
mark_moving (FlowDebugCore *core,
             FlowListedRun *run,
             guint8        *states)
{
  g_autoptr(GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 next = FLOW_NODE_NONE;

  if (run->run == NULL || run->ended)
    return;
  flow_run_list_ready (run->run, nodes);
  for (guint i = 0; i < nodes->len; i++)
    states[outer (core, g_array_index (nodes, guint32, i))] = FLOW_NODE_READY;
  g_array_set_size (nodes, 0);
  flow_run_list_waiting (run->run, nodes);
  for (guint i = 0; i < nodes->len; i++)
    states[outer (core, g_array_index (nodes, guint32, i))] = FLOW_NODE_WAITING;
  if (flow_run_peek_next (run->run, &next, NULL, NULL, NULL))
    states[outer (core, next)] = FLOW_NODE_NEXT;
  if (core->failed_node != FLOW_NODE_NONE)
    states[outer (core, core->failed_node)] = FLOW_NODE_FAILED;
}

FlowDebuggerReply *
_flow_core_node_states (FlowDebugCore *core,
                        GVariant      *arguments,
                        GPtrArray     *tensors,
                        GError       **error)
{
  guint n = core->graph != NULL ? flow_graph_get_n_nodes (core->graph) : 0;
  g_autofree guint8 *states = g_malloc0 (n + 1);
  g_autoptr(FlowPlan) plan = core->graph != NULL ? _flow_debug_core_plan (core, NULL) : NULL;
  const FlowPruneEnds *ends = plan != NULL ? flow_prune_get_ends (flow_plan_get_prune (plan)) : NULL;
  FlowListedRun *run = NULL;

  if (core->stepper != NULL)
    run = flow_run_list_get_run (flow_stepper_get_list (core->stepper),
                                 flow_stepper_run_at (core->stepper, flow_stepper_get_position (core->stepper)));
  for (guint i = 0; plan != NULL && i < flow_plan_get_n_items (plan); i++)
    states[flow_plan_get_node (plan, i)] = FLOW_NODE_PENDING;
  for (guint i = 0; ends != NULL && i < ends->n_feeds; i++)
    if (states[ends->feeds[i].node] == FLOW_NODE_NOT_IN_RUN)
      states[ends->feeds[i].node] = FLOW_NODE_FED;
  if (run != NULL && run->run != NULL && plan == flow_run_get_plan (run->run))
    {
      mark_done (core, run, states);
      mark_moving (core, run, states);
    }
  return _flow_reply (g_variant_new ("(@ay)", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, states, n, 1)));
}

FlowDebuggerReply *
_flow_core_ready (FlowDebugCore *core,
                  GVariant      *arguments,
                  GPtrArray     *tensors,
                  GError       **error)
{
  g_autoptr(GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  FlowListedRun *run = NULL;

  if (core->stepper != NULL)
    run = flow_run_list_get_current (flow_stepper_get_list (core->stepper));
  if (run != NULL && run->run != NULL && !run->ended)
    flow_run_list_ready (run->run, nodes);
  for (guint i = 0; i < nodes->len; i++)
    g_array_index (nodes, guint32, i) = outer (core, g_array_index (nodes, guint32, i));
  return _flow_reply (g_variant_new ("(@au)", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, nodes->data, nodes->len,
                                                                         sizeof (guint32))));
}

/* --- values ----------------------------------------------------------------------------------------- */

/* One tensor at a position: an entry of Inspect. The value itself goes to @value. */
static GVariant *
describe_value (FlowDebugCore *core,
                guint32        node,
                gint32         slot,
                guint64        position,
                FlowTensor   **value)
{
  FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
  g_autofree char *name = flow_graph_endpoint_to_string (core->graph, node, slot);
  g_autoptr(FlowTensor) tensor = NULL;
  gboolean stale = g_hash_table_contains (core->stale, GUINT_TO_POINTER (node));
  GVariantBuilder builder;

  tensor = _flow_debug_core_dup_value (core, node, slot, position, &state);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "tensor", g_variant_new_string (name));
  g_variant_builder_add (&builder, "{sv}", "node", g_variant_new_uint32 (outer (core, node)));
  g_variant_builder_add (&builder, "{sv}", "slot", g_variant_new_int32 (slot));
  g_variant_builder_add (&builder, "{sv}", "state",
                         g_variant_new_string (tensor != NULL && stale ? "stale" : value_states[state]));
  if (tensor != NULL)
    _flow_add_stats (&builder, tensor);
  else if (slot >= 0 && (guint) slot < flow_graph_get_n_outputs (core->graph, node))
    {
      int dtype = flow_graph_get_output_dtype (core->graph, node, (guint) slot);

      FlowTensorStats *kept = core->stepper != NULL ? flow_stepper_get_kept_stats (core->stepper, node, slot, position)
                                                    : NULL;

      g_variant_builder_add (&builder, "{sv}", "dtype", g_variant_new_string (flow_dtype_name (flow_dtype_base (dtype))));
      _flow_add_shape (&builder, flow_graph_get_output_shape (core->graph, node, (guint) slot));
      if (kept != NULL)
        _flow_add_stats_of (&builder, kept);
    }
  if (value != NULL)
    *value = g_steal_pointer (&tensor);
  return g_variant_builder_end (&builder);
}

FlowDebuggerReply *
_flow_core_inspect (FlowDebugCore *core,
                    GVariant      *arguments,
                    GPtrArray     *tensors,
                    GError       **error)
{
  guint32 node = 0;
  guint64 position = 0;
  guint64 seen_at = 0;
  GVariantBuilder builder;
  GVariantBuilder inputs;
  GVariantBuilder outputs;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(ut)", &node, &position);
  FLOW_REQUIRE (node < flow_graph_get_n_nodes (core->graph), error, INVALID_ARGUMENT, "the graph has no node %u", node);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_init (&inputs, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&outputs, G_VARIANT_TYPE ("aa{sv}"));
  /* The inputs that an executed op saw, not what became of them later. */
  seen_at = flow_stepper_find_event (core->stepper, node,
                                     MIN (position, flow_stepper_get_position (core->stepper)));
  if (seen_at == G_MAXUINT64
      || flow_stepper_get_event (core->stepper, seen_at)->run
           != flow_stepper_run_at (core->stepper, MIN (position, flow_stepper_get_position (core->stepper))))
    seen_at = position;
  for (guint i = 0; i < flow_graph_get_n_inputs (core->graph, node); i++)
    {
      FlowEndpoint source = { 0 };

      flow_graph_get_input (core->graph, node, i, &source);
      g_variant_builder_add_value (&inputs, describe_value (core, source.node, source.slot, seen_at, NULL));
    }
  for (guint i = 0; i < flow_graph_get_n_outputs (core->graph, node); i++)
    g_variant_builder_add_value (&outputs, describe_value (core, node, (gint32) i, position, NULL));
  g_variant_builder_add (&builder, "{sv}", "inputs", g_variant_builder_end (&inputs));
  g_variant_builder_add (&builder, "{sv}", "outputs", g_variant_builder_end (&outputs));
  if (seen_at != position)
    g_variant_builder_add (&builder, "{sv}", "executed_at", g_variant_new_uint64 (seen_at));
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
}

static gboolean
parse_tensor (FlowDebugCore *core,
              const char    *name,
              FlowEndpoint  *endpoint,
              GError       **error)
{
  if (!_flow_debug_core_need_graph (core, error) || !flow_graph_parse_endpoint (core->graph, name, endpoint, error))
    return FALSE;
  FLOW_REQUIRE (endpoint->slot >= 0, error, INVALID_ARGUMENT, "%s is no tensor", name);
  return TRUE;
}

FlowDebuggerReply *
_flow_core_get_value (FlowDebugCore *core,
                      GVariant      *arguments,
                      GPtrArray     *tensors,
                      GError       **error)
{
  const char *name = NULL;
  guint64 position = 0;
  FlowEndpoint endpoint = { 0 };
  FlowTensor *value = NULL;
  GVariant *info = NULL;
  FlowDebuggerReply *reply = NULL;

  g_variant_get (arguments, "(&st)", &name, &position);
  if (!parse_tensor (core, name, &endpoint, error))
    return NULL;
  info = describe_value (core, endpoint.node, endpoint.slot, position, &value);
  reply = _flow_reply (g_variant_new ("(@a{sv})", info));
  if (value != NULL)
    {
      reply->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) (void *) flow_tensor_unref);
      g_ptr_array_add (reply->tensors, value);
    }
  return reply;
}

/* More runs than a spark-line has pixels tell no more. */
#define MAX_HISTORY_RUNS 80

/* The op of a variable gives a reference each time it runs: what it held is known at run starts, here, and
 * where one came back from. */
static GVariant *
variable_history (FlowDebugCore *core,
                  guint32        node)
{
  g_autofree char *name = flow_session_get_variable_name (core->session, node);
  g_autoptr(GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr(GPtrArray) values = g_ptr_array_new ();
  double mean = NAN;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(txd)"));
  flow_stepper_list_variable_values (core->stepper, name, MAX_HISTORY_RUNS, positions, values);
  for (guint i = 0; i < values->len; i++)
    {
      FlowTensor *value = g_ptr_array_index (values, i);

      if (value == NULL)
        continue;
      /* A variable that nobody wrote is one tensor in all snapshots. */
      if (i == 0 || value != g_ptr_array_index (values, i - 1))
        {
          g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (value, 0);

          mean = stats->mean;
        }
      g_variant_builder_add (&builder, "(txd)", g_array_index (positions, guint64, i), G_GINT64_CONSTANT (0), mean);
    }
  for (guint i = 0; i < values->len; i++)
    if (g_ptr_array_index (values, i) != NULL)
      flow_tensor_unref (g_ptr_array_index (values, i));
  return g_variant_builder_end (&builder);
}

FlowDebuggerReply *
_flow_core_history (FlowDebugCore *core,
                    GVariant      *arguments,
                    GPtrArray     *tensors,
                    GError       **error)
{
  const char *name = NULL;
  FlowEndpoint endpoint = { 0 };
  const GArray *positions = NULL;
  GVariantBuilder builder;

  g_variant_get (arguments, "(&s)", &name);
  if (!parse_tensor (core, name, &endpoint, error))
    return NULL;
  if (flow_session_is_variable_node (core->session, endpoint.node))
    return _flow_reply (g_variant_new ("(@a(txd))", variable_history (core, endpoint.node)));
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(txd)"));
  positions = flow_stepper_list_events_of (core->stepper, endpoint.node);
  for (guint i = 0; positions != NULL && i < positions->len; i++)
    {
      guint64 k = g_array_index (positions, guint64, i);
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);
      double mean = NAN;

      if (event == NULL || event->node != endpoint.node || event->dead)
        continue;
      if (event->outputs != NULL && (guint) endpoint.slot < event->n_outputs && event->outputs[endpoint.slot] != NULL)
        {
          g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (event->outputs[endpoint.slot], 0);

          mean = stats->mean;
        }
      g_variant_builder_add (&builder, "(txd)", k, (gint64) event->iteration, mean);
    }
  return _flow_reply (g_variant_new ("(@a(txd))", g_variant_builder_end (&builder)));
}

FlowDebuggerReply *
_flow_core_events (FlowDebugCore *core,
                   GVariant      *arguments,
                   GPtrArray     *tensors,
                   GError       **error)
{
  guint64 from = 0;
  guint count = 0;
  GVariantBuilder builder;

  g_variant_get (arguments, "(tu)", &from, &count);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(tusuxbtx)"));
  for (guint64 k = from; core->stepper != NULL && k - from < count && k < flow_stepper_get_n_events (core->stepper); k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);
      FlowListedRun *run = flow_run_list_get_run (flow_stepper_get_list (core->stepper), event->run);

      g_variant_builder_add (&builder, "(tusuxbtx)", k, outer (core, event->node), run != NULL ? run->def->name : "",
                             run != NULL ? (guint32) run->i : 0, (gint64) event->iteration, event->dead ? TRUE : FALSE,
                             (guint64) event->us * 1000, (gint64) event->bytes);
    }
  return _flow_reply (g_variant_new ("(@a(tusuxbtx))", g_variant_builder_end (&builder)));
}

FlowDebuggerReply *
_flow_core_compare (FlowDebugCore *core,
                    GVariant      *arguments,
                    GPtrArray     *tensors,
                    GError       **error)
{
  const char *names[2] = { NULL, NULL };
  guint64 positions[2] = { 0, 0 };
  g_autoptr(GVariant) tolerances = NULL;
  FlowTolerance tolerance = { 0, 0, 0 };
  g_autoptr(FlowTensor) a = NULL;
  g_autoptr(FlowTensor) b = NULL;
  FlowTensor **values[2] = { &a, &b };

  g_variant_get (arguments, "(&st&st@a{sv})", &names[0], &positions[0], &names[1], &positions[1], &tolerances);
  for (int i = 0; i < 2; i++)
    {
      FlowEndpoint endpoint = { 0 };
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;

      if (!parse_tensor (core, names[i], &endpoint, error))
        return NULL;
      *values[i] = _flow_debug_core_dup_value (core, endpoint.node, endpoint.slot, positions[i], &state);
      FLOW_REQUIRE (*values[i] != NULL, error, FAILED_PRECONDITION, "%s: %s", names[i], value_states[state]);
    }
  _flow_tolerance_from_variant (&tolerance, tolerances);
  return _flow_reply (g_variant_new ("(@a{sv})", _flow_diff_to_variant (a, b, &tolerance)));
}

/* --- resources -------------------------------------------------------------------------------------- */

FlowDebuggerReply *
_flow_core_resources (FlowDebugCore *core,
                      GVariant      *arguments,
                      GPtrArray     *tensors,
                      GError       **error)
{
  g_autoptr(GPtrArray) all = core->session != NULL ? flow_session_list_resources (core->session) : NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);
      g_autofree char *text = resource->klass->describe != NULL ? resource->klass->describe (resource) : g_strdup ("");
      GVariantBuilder row;

      g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&row, "{sv}", "type", g_variant_new_string (resource->klass->type_name));
      g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (resource->name));
      g_variant_builder_add (&row, "{sv}", "container", g_variant_new_string (resource->container));
      g_variant_builder_add (&row, "{sv}", "text", g_variant_new_string (text));
      g_variant_builder_add (&row, "{sv}", "version", g_variant_new_uint64 (resource->version));
      g_variant_builder_add (&row, "{sv}", "node",
                             g_variant_new_uint32 (flow_graph_find_node (core->graph, resource->name)));
      g_variant_builder_add_value (&builder, g_variant_builder_end (&row));
    }
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}
