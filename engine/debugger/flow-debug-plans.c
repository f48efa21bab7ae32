/* flow-debug-plans.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include <string.h>

/* The plan cache in view: every combination of feeds, fetches and targets the session has planned. */

static char **
list_endpoints (FlowGraph          *graph,
                const FlowEndpoint *endpoints,
                guint               n)
{
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = flow_graph_endpoint_to_string (graph, endpoints[i].node, endpoints[i].slot);
  return names;
}

static char **
list_targets (FlowGraph           *graph,
              const FlowPruneEnds *ends)
{
  char **names = g_new0 (char *, ends->n_targets + 1);

  for (guint i = 0; i < ends->n_targets; i++)
    names[i] = g_strdup (flow_graph_get_node_name (graph, ends->targets[i]));
  return names;
}

/* The runs that are planned so; and their plan, so that all that are known are in the cache. */
static char **
list_runs_of (FlowDebugCore *core,
              FlowPlan      *plan)
{
  GStrvBuilder *names = g_strv_builder_new ();
  char **list = NULL;

  for (guint i = 0; i < core->file->entries->len; i++)
    {
      const FlowRunEntry *entry = g_ptr_array_index (core->file->entries, i);
      g_autoptr(FlowPlan) own = NULL;

      if (entry->restore != NULL)
        continue;
      own = flow_session_get_plan (core->session, (const char *const *) entry->feed_names,
                                   (const char *const *) entry->fetches, (const char *const *) entry->targets, NULL, NULL);
      if (own == plan)
        g_strv_builder_add (names, entry->name);
    }
  list = g_strv_builder_end (names);
  g_strv_builder_unref (names);
  return list;
}

static void
add_names (GVariantBuilder *row,
           const char      *key,
           char           **names)
{
  g_variant_builder_add (row, "{sv}", key, g_variant_new_strv ((const char *const *) names, -1));
}

static GVariant *
describe_plan (FlowDebugCore *core,
               guint          i,
               FlowPlan      *current)
{
  guint64 n_runs = 0;
  FlowPlan *plan = flow_session_peek_plan (core->session, i, &n_runs);
  const FlowPruneEnds *ends = flow_prune_get_ends (flow_plan_get_prune (plan));
  g_auto(GStrv) feeds = list_endpoints (core->graph, ends->feeds, ends->n_feeds);
  g_auto(GStrv) fetches = list_endpoints (core->graph, ends->fetches, ends->n_fetches);
  g_auto(GStrv) targets = list_targets (core->graph, ends);
  g_auto(GStrv) runs = list_runs_of (core, plan);
  g_autofree char *id = g_strdup_printf ("%u", i);
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "id", g_variant_new_string (id));
  add_names (&row, "feeds", feeds);
  add_names (&row, "fetches", fetches);
  add_names (&row, "targets", targets);
  add_names (&row, "runs", runs);
  g_variant_builder_add (&row, "{sv}", "nodes", g_variant_new_uint32 (flow_plan_get_n_items (plan)));
  g_variant_builder_add (&row, "{sv}", "used", g_variant_new_uint64 (n_runs));
  g_variant_builder_add (&row, "{sv}", "hits", g_variant_new_uint64 (n_runs > 0 ? n_runs - 1 : 0));
  g_variant_builder_add (&row, "{sv}", "current", g_variant_new_boolean (plan == current));
  return g_variant_builder_end (&row);
}

FlowDebuggerReply *
_flow_core_plans (FlowDebugCore *core,
                  GVariant      *arguments,
                  GPtrArray     *tensors,
                  GError       **error)
{
  g_autoptr(FlowPlan) current = NULL;
  GVariantBuilder builder;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  current = _flow_debug_core_plan (core, NULL);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < flow_session_get_n_plans (core->session); i++)
    g_variant_builder_add_value (&builder, describe_plan (core, i, current));
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

/* --- comparing -------------------------------------------------------------------------------------- */

/* A plan by its number in Plans, or by the name of a run. */
static FlowPlan *
find_plan (FlowDebugCore *core,
           const char    *name,
           GError       **error)
{
  guint64 number = 0;
  int entry = _flow_debug_core_find_entry (core, name);
  const FlowRunEntry *def = NULL;

  if (entry < 0)
    {
      if (g_ascii_string_to_unsigned (name, 10, 0, G_MAXUINT32, &number, NULL)
          && number < flow_session_get_n_plans (core->session))
        return flow_plan_ref (flow_session_peek_plan (core->session, (guint) number, NULL));
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "there is no run and no plan %s", name);
      return NULL;
    }
  def = g_ptr_array_index (core->file->entries, (guint) entry);
  FLOW_REQUIRE (def->restore == NULL, error, FAILED_PRECONDITION, "%s restores a checkpoint: it has no plan", name);
  return flow_session_get_plan (core->session, (const char *const *) def->feed_names,
                                (const char *const *) def->fetches, (const char *const *) def->targets, NULL, error);
}

static GVariant *
pick (FlowDebugCore *core,
      FlowPlan      *a,
      FlowPlan      *b,
      gboolean       in_b,
      gboolean       only_stateful)
{
  GVariantBuilder nodes;

  g_variant_builder_init (&nodes, G_VARIANT_TYPE ("au"));
  for (guint i = 0; i < flow_plan_get_n_items (a); i++)
    {
      guint32 node = flow_plan_get_node (a, i);

      if ((flow_plan_find_item (b, node) != FLOW_PLAN_ITEM_NONE) == in_b
          && (!only_stateful || (flow_graph_get_node_flags (core->graph, node) & FLOW_OP_STATEFUL) != 0))
        g_variant_builder_add (&nodes, "u", node);
    }
  return g_variant_builder_end (&nodes);
}

FlowDebuggerReply *
_flow_core_compare_plans (FlowDebugCore *core,
                          GVariant      *arguments,
                          GPtrArray     *tensors,
                          GError       **error)
{
  const char *names[2] = { NULL, NULL };
  g_autoptr(FlowPlan) a = NULL;
  g_autoptr(FlowPlan) b = NULL;
  GVariantBuilder builder;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s&s)", &names[0], &names[1]);
  a = find_plan (core, names[0], error);
  if (a == NULL)
    return NULL;
  b = find_plan (core, names[1], error);
  if (b == NULL)
    return NULL;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "shared", pick (core, a, b, TRUE, FALSE));
  g_variant_builder_add (&builder, "{sv}", "only_a", pick (core, a, b, FALSE, FALSE));
  g_variant_builder_add (&builder, "{sv}", "only_b", pick (core, b, a, FALSE, FALSE));
  g_variant_builder_add (&builder, "{sv}", "shared_stateful", pick (core, a, b, TRUE, TRUE));
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
}
