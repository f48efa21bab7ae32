/* flow-function-rewrite.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function-private.h"

#include "flow-graph.h"

#include <string.h>

/* What TensorFlow makes of a function that may run on several devices before it runs: a node whose values nobody uses,
 * and which has no effect either, is a point in time and no more. Here it goes, and its control edges go through it. */

/* So many functions are looked at for whether one does something. */
#define MAX_CALLED 1024

/* Ops with these are never taken out. */
#define KEPT_FLAGS (FLOW_OP_STATEFUL | FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT | FLOW_OP_NEXT_ITERATION \
                    | FLOW_OP_LOOP_COND | FLOW_OP_CONTROL_TRIGGER)

typedef struct {
  const FlowFunction *function;
  GHashTable *nodes;           /* name -> FlowFunctionNode, borrowed */
  GHashTable *used;            /* names of nodes that are kept, as a set */
} Rewriter;

/* The node, or argument, that an input comes from. */
static char *
source_of (const char *input)
{
  return g_strndup (input, strcspn (input, ":"));
}

static const FlowFunctionNode *
find_source (const Rewriter *self,
             const char     *input)
{
  g_autofree char *name = source_of (*input == '^' ? input + 1 : input);

  return g_hash_table_lookup (self->nodes, name);
}

/* TF: one side of a Switch may be dead, and so would be what waits for it. */
static gboolean
reads_switch (const Rewriter         *self,
              const FlowFunctionNode *node)
{
  for (guint i = 0; node->inputs != NULL && node->inputs[i] != NULL; i++)
    {
      const FlowFunctionNode *source = find_source (self, node->inputs[i]);
      const FlowOpSignature *signature = source != NULL ? flow_op_registry_lookup (source->op) : NULL;

      if (signature != NULL && (signature->flags & FLOW_OP_SWITCH) != 0)
        return TRUE;
    }
  return FALSE;
}

/* TF: what it does not know, and what checks numbers, stays whoever uses it. */
static gboolean
is_needed (const Rewriter         *self,
           const FlowFunctionNode *node)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (node->op);

  return signature == NULL || signature->n_outputs == 0 || (signature->flags & KEPT_FLAGS) != 0
         || strcmp (node->op, "CheckNumerics") == 0 || reads_switch (self, node);
}

static void
use (Rewriter   *self,
     GPtrArray  *queue,
     const char *input)
{
  const FlowFunctionNode *node = find_source (self, input);

  if (node != NULL && g_hash_table_add (self->used, node->name))
    g_ptr_array_add (queue, (gpointer) node);
}

static void
find_used (Rewriter *self)
{
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name = NULL;

  g_hash_table_iter_init (&iter, self->function->ret);
  while (g_hash_table_iter_next (&iter, NULL, &name))
    use (self, queue, name);
  g_hash_table_iter_init (&iter, self->function->control_ret);
  while (g_hash_table_iter_next (&iter, NULL, &name))
    use (self, queue, name);
  for (guint i = 0; i < self->function->nodes->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (self->function->nodes, i);

      if (is_needed (self, node))
        use (self, queue, node->name);
    }
  for (guint i = 0; i < queue->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (queue, i);

      for (guint k = 0; node->inputs != NULL && node->inputs[k] != NULL; k++)
        if (*node->inputs[k] != '^')
          use (self, queue, node->inputs[k]);
    }
}

/* Appends control edges from what is kept and leads to @input; @seen breaks circles. */
static void
add_controls (Rewriter   *self,
              GHashTable *seen,
              GPtrArray  *inputs,
              const char *input)
{
  g_autofree char *name = source_of (*input == '^' ? input + 1 : input);
  const FlowFunctionNode *node = g_hash_table_lookup (self->nodes, name);

  if (g_hash_table_contains (seen, name))
    return;
  g_hash_table_add (seen, g_strdup (name));
  if (node == NULL || g_hash_table_contains (self->used, name))
    g_ptr_array_add (inputs, g_strdup_printf ("^%s", name));
  else
    for (guint i = 0; node->inputs != NULL && node->inputs[i] != NULL; i++)
      add_controls (self, seen, inputs, node->inputs[i]);
}

static FlowFunctionNode *
keep_node (Rewriter               *self,
           const FlowFunctionNode *node)
{
  FlowFunctionNode *kept = g_memdup2 (node, sizeof *node);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *inputs = g_ptr_array_new ();

  for (guint i = 0; node->inputs != NULL && node->inputs[i] != NULL; i++)
    if (*node->inputs[i] == '^')
      add_controls (self, seen, inputs, node->inputs[i]);
    else
      g_ptr_array_add (inputs, g_strdup (node->inputs[i]));
  g_ptr_array_add (inputs, NULL);
  kept->inputs = (char **) g_ptr_array_free (inputs, FALSE);
  return kept;
}

static void
kept_free (gpointer data)
{
  FlowFunctionNode *kept = data;

  g_strfreev (kept->inputs);
  g_free (kept);
}

static GHashTable *
index_nodes (const FlowFunction *function)
{
  GHashTable *nodes = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < function->nodes->len; i++)
    {
      FlowFunctionNode *node = g_ptr_array_index (function->nodes, i);

      g_hash_table_insert (nodes, node->name, node);
    }
  return nodes;
}

/* Nodes that borrow all but their inputs from the function's. */
GPtrArray *
_flow_function_list_kept (const FlowFunction *function)
{
  g_autoptr (GHashTable) nodes = index_nodes (function);
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  Rewriter self = { function, nodes, used };
  GPtrArray *kept = g_ptr_array_new_with_free_func (kept_free);

  find_used (&self);
  for (guint i = 0; i < function->nodes->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (function->nodes, i);

      if (g_hash_table_contains (used, node->name))
        g_ptr_array_add (kept, keep_node (&self, node));
    }
  return kept;
}

static gboolean
asks_to_stay (const FlowFunction *function)
{
  FlowAttr *attr = function->attrs != NULL ? flow_attr_list_get (function->attrs, "_noinline") : NULL;

  return attr != NULL && flow_attr_get_kind (attr) == FLOW_ATTR_BOOL && !flow_attr_is_list (attr) && flow_attr_get_bool (attr);
}

/* TF: a function is stateful if an op in it is; each is looked at once. */
static gboolean
is_stateful (FlowGraph          *library,
             const FlowFunction *function,
             GHashTable         *seen)
{
  if (!g_hash_table_add (seen, (gpointer) function) || g_hash_table_size (seen) > MAX_CALLED)
    return FALSE;
  for (guint i = 0; i < function->nodes->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (function->nodes, i);
      const FlowOpSignature *signature = flow_op_registry_lookup (node->op);
      const FlowFunction *called = signature == NULL ? flow_graph_find_function (library, node->op) : NULL;

      if (signature != NULL ? (signature->flags & FLOW_OP_STATEFUL) != 0
                            : called != NULL && is_stateful (library, called, seen))
        return TRUE;
    }
  return FALSE;
}

/* TF: numbers that are drawn for nobody are no effect. */
static gboolean
has_effect (FlowGraph              *library,
            const FlowFunctionNode *node)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (node->op);
  const FlowFunction *called = signature == NULL ? flow_graph_find_function (library, node->op) : NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (signature != NULL)
    return (signature->flags & (FLOW_OP_STATEFUL | FLOW_OP_RANDOM)) == FLOW_OP_STATEFUL;
  return called != NULL && is_stateful (library, called, seen);
}

/* Whether all that has an effect leads to what the function returns, be it by control edges. */
static gboolean
returns_effects (FlowGraph          *library,
                 const FlowFunction *function)
{
  g_autoptr (GHashTable) nodes = index_nodes (function);
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  Rewriter self = { function, nodes, used };
  GHashTableIter iter;
  gpointer name = NULL;

  g_hash_table_iter_init (&iter, function->ret);
  while (g_hash_table_iter_next (&iter, NULL, &name))
    use (&self, queue, name);
  for (guint i = 0; i < queue->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (queue, i);

      for (guint k = 0; node->inputs != NULL && node->inputs[k] != NULL; k++)
        use (&self, queue, node->inputs[k]);
    }
  for (guint i = 0; i < function->nodes->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (function->nodes, i);

      if (!g_hash_table_contains (used, node->name) && has_effect (library, node))
        return FALSE;
    }
  return TRUE;
}

/**
 * flow_function_may_be_inlined: (skip)
 * @self: a function
 * @library: the graph that has the functions it calls
 *
 * Returns: whether TensorFlow puts the function's nodes in the place of one that calls it, where it rewrites what calls:
 *   the function does not ask to be left alone, what it does leads to what it returns, and no loop in it is made of
 *   Enter, Switch, Merge and Exit
 */
gboolean
flow_function_may_be_inlined (const FlowFunction *self,
                              FlowGraph          *library)
{
  g_return_val_if_fail (self != NULL && FLOW_IS_GRAPH (library), FALSE);

  if (asks_to_stay (self))
    return FALSE;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const FlowFunctionNode *node = g_ptr_array_index (self->nodes, i);
      const FlowOpSignature *signature = flow_op_registry_lookup (node->op);

      if (signature != NULL && (signature->flags & FLOW_OP_ENTER) != 0)
        return FALSE;
    }
  return returns_effects (library, self);
}
