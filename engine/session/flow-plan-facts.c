/* flow-plan-facts.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include "flow-collection.h"

#include <string.h>

/* What can be said of a plan before it runs. */

#define UPDATE_OPS "update_ops"

/**
 * flow_plan_list_update_ops:
 * @self: a plan
 * @executed: (out) (transfer full) (array zero-terminated=1): items of the collection UPDATE_OPS that the plan executes
 * @skipped: (out) (transfer full) (array zero-terminated=1): those that it leaves out
 */
void
flow_plan_list_update_ops (FlowPlan *self,
                           char   ***executed,
                           char   ***skipped)
{
  GPtrArray *items = flow_graph_get_collection (self->graph, UPDATE_OPS);
  GPtrArray *in = g_ptr_array_new ();
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      const FlowCollectionItem *item = g_ptr_array_index (items, i);
      guint32 op;

      if (item->name == NULL)
        continue;
      op = flow_graph_find_op (self->graph, item->name);
      if (op != FLOW_NODE_NONE && flow_plan_find_item (self, op) != FLOW_PLAN_ITEM_NONE)
        g_ptr_array_add (in, g_strdup (item->name));
      else
        g_ptr_array_add (out, g_strdup (item->name));
    }
  g_ptr_array_add (in, NULL);
  g_ptr_array_add (out, NULL);
  *executed = (char **) g_ptr_array_free (in, FALSE);
  *skipped = (char **) g_ptr_array_free (out, FALSE);
}

typedef enum {
  USE_NONE = 0,
  USE_READS = 1 << 0,
  USE_INITIALIZES = 1 << 1,
} Use;

/* Ops that let a variable be empty are those that give it a value (or ask whether it has one). */
static guint
use_of_item (FlowPlan *plan,
             guint     item)
{
  guint use = USE_NONE;
  const FlowPruneEnds *ends = flow_prune_get_ends (plan->prune);

  for (guint i = 0; i < plan->items[item].n_outs; i++)
    {
      const FlowPlanOut *out = &plan->outs[plan->items[item].first_out + i];
      const FlowPlanItem *consumer = &plan->items[out->item];

      if (out->slot == FLOW_SLOT_CONTROL)
        continue;
      use |= (consumer->flags & FLOW_OP_ALLOWS_UNINITIALIZED) != 0 ? USE_INITIALIZES : USE_READS;
    }
  for (guint i = 0; i < ends->n_fetches; i++)
    if (ends->fetches[i].node == plan->items[item].node)
      use |= USE_READS;
  return use;
}

/**
 * flow_session_list_uninitialized:
 * @self: a session
 * @plan: a plan of its graph
 *
 * Returns: (transfer full) (array zero-terminated=1): names of the variables that the plan reads, that have no value
 *   and get none in it
 */
char **
flow_session_list_uninitialized (FlowSession *self,
                                 FlowPlan    *plan)
{
  g_autoptr(GHashTable) uses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GPtrArray) order = g_ptr_array_new ();
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < plan->n_items; i++)
    {
      char *name = NULL;
      gpointer before = NULL;

      if (!flow_session_is_variable_node (self, plan->items[i].node))
        continue;
      name = flow_session_get_variable_name (self, plan->items[i].node);
      before = g_hash_table_lookup (uses, name);
      if (!g_hash_table_contains (uses, name))
        g_ptr_array_add (order, name);
      /* The key that is there already stays; @name is then freed. */
      g_hash_table_insert (uses, name, GUINT_TO_POINTER (GPOINTER_TO_UINT (before) | use_of_item (plan, i)));
    }
  for (guint i = 0; i < order->len; i++)
    {
      const char *name = g_ptr_array_index (order, i);
      FlowVariable *variable = flow_session_find_variable (self, name);

      if (GPOINTER_TO_UINT (g_hash_table_lookup (uses, name)) == USE_READS
          && (variable == NULL || variable->value == NULL))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
