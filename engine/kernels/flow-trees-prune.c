/* flow-trees-prune.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Splits of boosted trees that gained nothing, taken back.
 */

#include "config.h"

#include "flow-trees-private.h"

/* Where a node went that was taken away, and by how much its number was beside the one it went to. */
typedef struct {
  guint parent;
  gboolean is_gone;
  GArray *changes;
} Fate;

static gboolean
is_split (const FlowTreeNode *node)
{
  return node->kind == FLOW_TREE_BUCKETIZED || node->kind == FLOW_TREE_CATEGORICAL;
}

/* What @node leads to is there. */
static gboolean
has_children (const GArray       *nodes,
              const FlowTreeNode *node)
{
  return node->left_id >= 0 && (guint) node->left_id < nodes->len
         && node->right_id >= 0 && (guint) node->right_id < nodes->len;
}

/* Every node after those below it; FALSE where a node is reached twice or is not there. A split that nothing leads to is
 * not in @order, but is kept as all others are, with what it leads to. */
static gboolean
order_nodes (const GArray *nodes,
             GArray       *order)
{
  g_autofree guint8 *seen = g_new0 (guint8, nodes->len);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (gint32));
  gint32 root = 0;

  for (guint i = 0; i < nodes->len; i++)
    if (is_split (&g_array_index (nodes, FlowTreeNode, i)) && !has_children (nodes, &g_array_index (nodes, FlowTreeNode, i)))
      return FALSE;
  g_array_append_val (stack, root);
  while (stack->len > 0)
    {
      gint32 i = g_array_index (stack, gint32, stack->len - 1);
      const FlowTreeNode *node = &g_array_index (nodes, FlowTreeNode, (guint) i);

      g_array_set_size (stack, stack->len - 1);
      if (seen[i])
        return FALSE;
      seen[i] = 1;
      g_array_append_val (order, i);
      if (!is_split (node))
        continue;
      g_array_append_val (stack, node->right_id);
      g_array_append_val (stack, node->left_id);
    }
  return TRUE;
}

static GArray *
subtract_values (const FlowTreeNode *a,
                 const FlowTreeNode *b)
{
  guint n_a;
  guint n_b;
  const float *x = _flow_tree_node_value (a, &n_a);
  const float *y = _flow_tree_node_value (b, &n_b);
  GArray *changes = g_array_new (FALSE, TRUE, sizeof (float));

  for (guint i = 0; i < n_a; i++)
    {
      float change = x[i] - (i < n_b ? y[i] : 0);

      g_array_append_val (changes, change);
    }
  return changes;
}

/* A split that gained less than nothing, with leaves below it, is a leaf again. */
static gboolean
take_back (GArray *nodes,
           guint   i,
           Fate   *fates)
{
  FlowTreeNode *node = &g_array_index (nodes, FlowTreeNode, i);
  const FlowTreeNode *left;
  const FlowTreeNode *right;

  if (!is_split (node) || !(node->gain < 0))
    return FALSE;
  left = &g_array_index (nodes, FlowTreeNode, (guint) node->left_id);
  right = &g_array_index (nodes, FlowTreeNode, (guint) node->right_id);
  if (left->kind != FLOW_TREE_LEAF || right->kind != FLOW_TREE_LEAF || left == right)
    return FALSE;
  flow_array_clear (&node->leaf.vector);
  node->leaf = node->original;
  node->original.vector = NULL;
  node->kind = FLOW_TREE_LEAF;
  fates[node->left_id] = (Fate) { i, TRUE, subtract_values (node, left) };
  fates[node->right_id] = (Fate) { i, TRUE, subtract_values (node, right) };
  node->has_metadata = FALSE;
  node->has_original = FALSE;
  node->original = (FlowTreeLeaf) { 0 };
  node->gain = 0;
  return TRUE;
}

/* TF: one number of logits. */
static FlowTreePruned
find_fate (const Fate   *fates,
           const gint32 *new_ids,
           guint         i)
{
  FlowTreePruned pruned = { .changes = g_array_new (FALSE, TRUE, sizeof (float)) };
  float change = 0;

  for (; fates[i].is_gone; i = fates[i].parent)
    if (fates[i].changes->len > 0)
      change += g_array_index (fates[i].changes, float, 0);
  pruned.new_id = new_ids[i];
  g_array_append_val (pruned.changes, change);
  return pruned;
}

static GArray *
keep_nodes (GArray       *nodes,
            const Fate   *fates,
            const gint32 *new_ids)
{
  GArray *kept = _flow_tree_new_nodes ();

  for (guint i = 0; i < nodes->len; i++)
    {
      FlowTreeNode node = g_array_index (nodes, FlowTreeNode, i);

      if (fates[i].is_gone)
        continue;
      flow_array_ref_or_null (node.leaf.vector);
      flow_array_ref_or_null (node.original.vector);
      if (is_split (&node))
        {
          node.left_id = new_ids[node.left_id];
          node.right_id = new_ids[node.right_id];
        }
      g_array_append_val (kept, node);
    }
  return kept;
}

gboolean
_flow_tree_prune (FlowEnsemble *self,
                  guint         tree)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autofree Fate *fates = NULL;
  g_autofree gint32 *new_ids = NULL;
  gboolean any = FALSE;
  FlowTreeMetadata *metadata;
  GArray *nodes;
  gint32 n_kept = 0;

  if (_flow_tree_n_nodes (self, tree) == 0)
    return TRUE;
  nodes = _flow_tree_own_nodes (self, tree);
  if (!order_nodes (nodes, order))
    return FALSE;
  fates = g_new0 (Fate, nodes->len);
  new_ids = g_new0 (gint32, nodes->len);
  for (guint i = order->len; i-- > 0;)
    any = take_back (nodes, (guint) g_array_index (order, gint32, i), fates) || any;
  if (!any)
    return TRUE;
  metadata = _flow_tree_edit_metadata (self, tree);
  flow_array_clear (&metadata->pruned);
  metadata->pruned = _flow_tree_new_pruned ();
  for (guint i = 0; i < nodes->len; i++)
    if (!fates[i].is_gone)
      new_ids[i] = n_kept++;
  for (guint i = 0; i < nodes->len; i++)
    {
      FlowTreePruned pruned = find_fate (fates, new_ids, i);

      g_array_append_val (metadata->pruned, pruned);
    }
  self->trees->pdata[tree] = keep_nodes (nodes, fates, new_ids);
  for (guint i = 0; i < nodes->len; i++)
    flow_array_clear (&fates[i].changes);
  g_array_unref (nodes);
  return TRUE;
}
