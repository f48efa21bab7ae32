/* flow-graph-variables.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-variables.h"

#include <string.h>

#include "flow-collection.h"

static void
variable_free (gpointer data)
{
  FlowGraphVariable *self = data;

  g_free (self->name);
  g_clear_pointer (&self->shape, flow_shape_unref);
  g_free (self->initializer);
  g_free (self->slots_of);
  g_ptr_array_unref (self->collections);
  g_free (self->key);
  g_free (self->spec);
  g_free (self);
}

static gboolean
is_variable_type (const char *type)
{
  return strcmp (type, "VariableV2") == 0 || strcmp (type, "Variable") == 0 || strcmp (type, "VarHandleOp") == 0;
}

static FlowGraphVariable *
variable_of_node (FlowGraph *graph,
                  guint32    node)
{
  FlowGraphVariable *self = g_new0 (FlowGraphVariable, 1);
  FlowAttrList *attrs = flow_graph_get_node_attrs (graph, node);
  FlowAttr *dtype = flow_attr_list_get (attrs, "dtype");
  FlowAttr *shape = flow_attr_list_get (attrs, "shape");

  self->name = g_strdup (flow_graph_get_node_name (graph, node));
  self->key = g_strdup (self->name);
  self->spec = g_strdup ("");
  self->collections = g_ptr_array_new_with_free_func (g_free);
  if (dtype != NULL)
    self->dtype = flow_dtype_base (flow_attr_get_dtype (dtype));
  if (shape != NULL && flow_attr_get_shape (shape) != NULL)
    self->shape = flow_shape_ref (flow_attr_get_shape (shape));
  return self;
}

/* "w" of "w:0". */
static char *
op_name (const char *tensor_name)
{
  const char *colon = strrchr (tensor_name, ':');

  return colon != NULL ? g_strndup (tensor_name, (gsize) (colon - tensor_name)) : g_strdup (tensor_name);
}

static void
read_slice (FlowGraphVariable          *self,
            const FlowCollectionItem *item)
{
  char *full_name = NULL;
  char *spec = flow_collection_item_dup_slice (item, &full_name);

  if (spec == NULL)
    return;
  g_free (self->key);
  g_free (self->spec);
  self->key = full_name;
  self->spec = spec;
}

static void
read_collections (FlowGraph  *graph,
                  GHashTable *by_name)
{
  for (guint i = 0; i < flow_graph_get_n_collections (graph); i++)
    {
      const char *collection = flow_graph_get_collection_key (graph, i);
      GPtrArray *items = flow_graph_get_collection (graph, collection);

      for (guint k = 0; k < items->len; k++)
        {
          const FlowCollectionItem *item = items->pdata[k];
          const char *text = item->kind == FLOW_COLLECTION_VARIABLE
                               ? flow_collection_item_get_text (item, "variable_name")
                               : item->kind == FLOW_COLLECTION_NODE ? item->name : NULL;
          g_autofree char *name = text != NULL ? op_name (text) : NULL;
          FlowGraphVariable *variable = name != NULL ? g_hash_table_lookup (by_name, name) : NULL;

          if (variable == NULL)
            continue;
          if (!g_ptr_array_find_with_equal_func (variable->collections, collection, g_str_equal, NULL))
            g_ptr_array_add (variable->collections, g_strdup (collection));
          variable->trainable |= strcmp (collection, "trainable_variables") == 0;
          if (item->kind != FLOW_COLLECTION_VARIABLE || item->fields == NULL)
            continue;
          if (variable->initializer == NULL)
            variable->initializer = g_strdup (flow_collection_item_get_text (item, "initializer_name"));
          read_slice (variable, item);
        }
    }
}

/* An optimizer names what it keeps for a variable after it: "w/Momentum", "w/Adam_1". */
static void
find_slots (GPtrArray  *variables,
            GHashTable *by_name)
{
  for (guint i = 0; i < variables->len; i++)
    {
      FlowGraphVariable *variable = variables->pdata[i];
      const char *slash = strrchr (variable->name, '/');
      g_autofree char *owner = slash != NULL ? g_strndup (variable->name, (gsize) (slash - variable->name)) : NULL;

      if (owner != NULL && !variable->trainable && g_hash_table_contains (by_name, owner))
        variable->slots_of = g_steal_pointer (&owner);
    }
}

/**
 * flow_graph_list_variables: (skip)
 * @graph: a graph
 *
 * The variables of a graph, in the order of its nodes. Costs one look at each node and at each item of its
 * collections.
 *
 * Returns: (transfer full): of FlowGraphVariable
 */
GPtrArray *
flow_graph_list_variables (FlowGraph *graph)
{
  GPtrArray *variables = g_ptr_array_new_with_free_func (variable_free);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    if (is_variable_type (flow_graph_get_node_type (graph, node)))
      {
        FlowGraphVariable *variable = variable_of_node (graph, node);

        g_ptr_array_add (variables, variable);
        g_hash_table_insert (by_name, variable->name, variable);
      }
  read_collections (graph, by_name);
  find_slots (variables, by_name);
  return variables;
}
