/* flow-debug-costs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-function.h"
#include "flow-tensor-stats.h"

/* What the ops of the run at hand cost, and how sound what they made is: per node, so that a graph can be
 * coloured by it. */

/* All the elements that one question looks at; what is beyond says so. */
#define MAX_LOOKED_AT (G_GINT64_CONSTANT (1) << 28)

typedef struct {
  guint64 n;
  guint64 ns;
  guint64 bytes;
} Cost;

static FlowListedRun *
run_at_hand (FlowDebugCore *core)
{
  if (core->stepper == NULL)
    return NULL;
  return flow_run_list_get_run (flow_stepper_get_list (core->stepper),
                                flow_stepper_run_at (core->stepper, flow_stepper_get_position (core->stepper)));
}

FlowDebuggerReply *
_flow_core_costs (FlowDebugCore *core,
                  GVariant      *arguments,
                  GPtrArray     *tensors,
                  GError       **error)
{
  FlowListedRun *run = run_at_hand (core);
  guint n = core->graph != NULL ? flow_graph_get_n_nodes (core->graph) : 0;
  g_autofree Cost *costs = g_new0 (Cost, (gsize) n + 1);
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(uttt)"));
  for (guint64 k = run != NULL ? run->start : G_MAXUINT64;
       run != NULL && k < flow_stepper_get_position (core->stepper); k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);
      guint32 node = flow_graph_get_outer_node (core->graph, event->node);

      if (event->run != run->number || event->dead || node >= n)
        continue;
      costs[node].n++;
      costs[node].ns += (guint64) event->us * 1000;
      /* What an op of a function's body made is not the caller's. */
      if (!flow_node_is_in_body (event->node))
        costs[node].bytes = event->bytes;
    }
  for (guint32 node = 0; node < n; node++)
    if (costs[node].n > 0)
      g_variant_builder_add (&rows, "(uttt)", node, costs[node].n, costs[node].ns, costs[node].bytes);
  return _flow_reply (g_variant_new ("(@a(uttt))", g_variant_builder_end (&rows)));
}

static FlowValueHealth
health_of (const FlowTensorStats *stats)
{
  if (!stats->is_number)
    return FLOW_HEALTH_NO_NUMBERS;
  if (stats->n_nan > 0)
    return FLOW_HEALTH_NAN;
  if (flow_tensor_stats_get_n_inf (stats) > 0)
    return FLOW_HEALTH_INF;
  if (stats->n_elements > 0 && stats->n_zero == stats->n_elements)
    return FLOW_HEALTH_ZERO;
  return stats->n_denormal > 0 ? FLOW_HEALTH_DENORMAL : FLOW_HEALTH_SOUND;
}

/* The worst of all its outputs. */
static FlowValueHealth
look_at (FlowDebugCore *core,
         guint32        node,
         gint64        *left)
{
  FlowValueHealth worst = FLOW_HEALTH_NO_NUMBERS;

  for (guint slot = 0; slot < flow_graph_get_n_outputs (core->graph, node); slot++)
    {
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
      g_autoptr(FlowTensor) value = flow_stepper_dup_value (core->stepper, node, (gint32) slot, G_MAXUINT64, &state);
      const FlowTensorStats *kept = NULL;

      if (value != NULL && value->n_elements > *left)
        {
          worst = MAX (worst, FLOW_HEALTH_NOT_LOOKED_AT);
        }
      else if (value != NULL)
        {
          g_autoptr(FlowTensorStats) stats = flow_stepper_dup_stats (core->stepper, node, (gint32) slot, value);

          *left -= value->n_elements;
          worst = MAX (worst, health_of (stats));
        }
      else if ((kept = flow_stepper_get_kept_stats (core->stepper, node, (gint32) slot, G_MAXUINT64)) != NULL)
        {
          worst = MAX (worst, health_of (kept));
        }
    }
  return worst;
}

FlowDebuggerReply *
_flow_core_health (FlowDebugCore *core,
                   GVariant      *arguments,
                   GPtrArray     *tensors,
                   GError       **error)
{
  FlowListedRun *run = run_at_hand (core);
  guint n = core->graph != NULL ? flow_graph_get_n_nodes (core->graph) : 0;
  g_autofree guint8 *seen = g_malloc0 ((gsize) n + 1);
  gint64 left = MAX_LOOKED_AT;
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(uy)"));
  for (guint64 k = run != NULL ? run->start : G_MAXUINT64;
       run != NULL && k < flow_stepper_get_position (core->stepper); k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);

      if (event->run != run->number || event->dead || flow_node_is_in_body (event->node) || event->node >= n
          || seen[event->node])
        continue;
      seen[event->node] = 1;
      g_variant_builder_add (&rows, "(uy)", event->node, (guint8) look_at (core, event->node, &left));
    }
  return _flow_reply (g_variant_new ("(@a(uy))", g_variant_builder_end (&rows)));
}
