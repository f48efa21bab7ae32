/* flow-trees.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * An ensemble of boosted trees: looked at, and grown.
 */

#include "config.h"

#include "flow-trees-private.h"

/* --- memory ------------------------------------------------------------------------------------------------- */

static void
node_clear (gpointer data)
{
  FlowTreeNode *node = data;

  flow_array_clear (&node->leaf.vector);
  flow_array_clear (&node->original.vector);
}

static void
pruned_clear (gpointer data)
{
  flow_array_clear (&((FlowTreePruned *) data)->changes);
}

static void
metadata_clear (gpointer data)
{
  flow_array_clear (&((FlowTreeMetadata *) data)->pruned);
}

static void
unref_nodes (gpointer nodes)
{
  g_array_unref (nodes);
}

GArray *
_flow_tree_new_nodes (void)
{
  GArray *nodes = g_array_new (FALSE, TRUE, sizeof (FlowTreeNode));

  g_array_set_clear_func (nodes, node_clear);
  return nodes;
}

GArray *
_flow_tree_new_pruned (void)
{
  GArray *pruned = g_array_new (FALSE, TRUE, sizeof (FlowTreePruned));

  g_array_set_clear_func (pruned, pruned_clear);
  return pruned;
}

FlowEnsemble *
_flow_ensemble_new (void)
{
  FlowEnsemble *self = g_new0 (FlowEnsemble, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->trees = g_ptr_array_new_with_free_func (unref_nodes);
  self->weights = g_array_new (FALSE, TRUE, sizeof (float));
  self->metadata = g_array_new (FALSE, TRUE, sizeof (FlowTreeMetadata));
  g_array_set_clear_func (self->metadata, metadata_clear);
  return self;
}

FlowEnsemble *
_flow_ensemble_ref (FlowEnsemble *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_ensemble_unref (FlowEnsemble *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->trees);
  g_array_unref (self->weights);
  g_array_unref (self->metadata);
  g_free (self);
}

FlowEnsemble *
_flow_ensemble_copy (const FlowEnsemble *self)
{
  FlowEnsemble *copy = _flow_ensemble_new ();

  for (guint i = 0; i < self->trees->len; i++)
    g_ptr_array_add (copy->trees, g_array_ref (self->trees->pdata[i]));
  g_array_append_vals (copy->weights, self->weights->data, self->weights->len);
  g_array_append_vals (copy->metadata, self->metadata->data, self->metadata->len);
  for (guint i = 0; i < copy->metadata->len; i++)
    flow_array_ref_or_null (g_array_index (copy->metadata, FlowTreeMetadata, i).pruned);
  copy->has_growing = self->has_growing;
  copy->n_trees_attempted = self->n_trees_attempted;
  copy->n_layers_attempted = self->n_layers_attempted;
  copy->last_layer_begin = self->last_layer_begin;
  copy->last_layer_end = self->last_layer_end;
  return copy;
}

gsize
_flow_ensemble_bytes (const FlowEnsemble *self)
{
  gsize n = 0;

  for (guint i = 0; i < self->trees->len; i++)
    n += ((const GArray *) self->trees->pdata[i])->len;
  return sizeof *self + n * sizeof (FlowTreeNode);
}

/* --- looking ------------------------------------------------------------------------------------------------ */

guint
_flow_tree_n_nodes (const FlowEnsemble *self,
                    guint               tree)
{
  return ((const GArray *) self->trees->pdata[tree])->len;
}

const FlowTreeNode *
_flow_tree_node (const FlowEnsemble *self,
                 guint               tree,
                 gint64              node)
{
  const GArray *nodes = self->trees->pdata[tree];

  return node >= 0 && node < nodes->len ? &g_array_index (nodes, FlowTreeNode, (guint) node) : NULL;
}

const FlowTreeMetadata *
_flow_tree_metadata (const FlowEnsemble *self,
                     guint               tree)
{
  static const FlowTreeMetadata none = { 0 };

  return tree < self->metadata->len ? &g_array_index (self->metadata, FlowTreeMetadata, tree) : &none;
}

float
_flow_tree_weight (const FlowEnsemble *self,
                   guint               tree)
{
  return tree < self->weights->len ? g_array_index (self->weights, float, tree) : 0;
}

const float *
_flow_tree_node_value (const FlowTreeNode *node,
                       guint              *n)
{
  const FlowTreeLeaf *leaf = node->kind == FLOW_TREE_LEAF ? &node->leaf : &node->original;

  if (leaf->vector != NULL)
    {
      *n = leaf->vector->len;
      return (const float *) (gpointer) leaf->vector->data;
    }
  *n = node->kind == FLOW_TREE_LEAF || node->has_original ? 1 : 0;
  return &leaf->scalar;
}

/* --- growing ------------------------------------------------------------------------------------------------ */

GArray *
_flow_tree_own_nodes (FlowEnsemble *self,
                      guint         tree)
{
  const GArray *shared = self->trees->pdata[tree];
  GArray *own = _flow_tree_new_nodes ();

  g_array_append_vals (own, shared->data, shared->len);
  for (guint i = 0; i < own->len; i++)
    {
      flow_array_ref_or_null (g_array_index (own, FlowTreeNode, i).leaf.vector);
      flow_array_ref_or_null (g_array_index (own, FlowTreeNode, i).original.vector);
    }
  g_array_unref (self->trees->pdata[tree]);
  self->trees->pdata[tree] = own;
  return own;
}

void
_flow_ensemble_add_tree (FlowEnsemble *self,
                         float         logits)
{
  GArray *nodes = _flow_tree_new_nodes ();
  FlowTreeNode root = { .kind = FLOW_TREE_LEAF, .leaf = { .scalar = logits } };
  const float weight = 1;
  FlowTreeMetadata metadata = { 0 };

  g_array_append_val (nodes, root);
  g_ptr_array_add (self->trees, nodes);
  g_array_append_val (self->weights, weight);
  g_array_append_val (self->metadata, metadata);
}

FlowTreeMetadata *
_flow_tree_edit_metadata (FlowEnsemble *self,
                          guint         tree)
{
  if (tree >= self->metadata->len)
    g_array_set_size (self->metadata, tree + 1);
  return &g_array_index (self->metadata, FlowTreeMetadata, tree);
}

void
_flow_tree_set_leaf (FlowEnsemble *self,
                     guint         tree,
                     guint         node,
                     float         logits)
{
  FlowTreeNode *to = &g_array_index (_flow_tree_own_nodes (self, tree), FlowTreeNode, node);

  to->kind = FLOW_TREE_LEAF;
  to->leaf.scalar = logits;
}

gboolean
_flow_tree_split (FlowEnsemble        *self,
                  guint                tree,
                  const FlowTreeSplit *split)
{
  FlowTreeNode child = { .kind = FLOW_TREE_LEAF };
  GArray *nodes;
  FlowTreeNode *node;
  float before;

  if (_flow_tree_node (self, tree, split->node_id) == NULL)
    return FALSE;
  nodes = _flow_tree_own_nodes (self, tree);
  node = &g_array_index (nodes, FlowTreeNode, (guint) split->node_id);
  before = node->kind == FLOW_TREE_LEAF ? node->leaf.scalar : 0;
  /* TF: the first leaf of a tree that says nothing is not kept. */
  if (split->node_id != 0 || (node->kind == FLOW_TREE_LEAF && before != 0))
    {
      flow_array_clear (&node->original.vector);
      node->original = node->leaf;
      node->has_original = TRUE;
    }
  else
    {
      flow_array_clear (&node->leaf.vector);
    }
  node->leaf = (FlowTreeLeaf) { 0 };
  node->has_metadata = TRUE;
  node->gain = split->gain;
  node->kind = split->is_equality ? FLOW_TREE_CATEGORICAL : FLOW_TREE_BUCKETIZED;
  node->feature_id = split->feature_id;
  node->threshold = split->threshold;
  node->dimension_id = split->dimension_id;
  node->default_direction = !split->is_equality && split->default_right;
  node->left_id = (gint32) nodes->len;
  node->right_id = (gint32) nodes->len + 1;
  child.leaf.scalar = before + split->left;
  g_array_append_val (nodes, child);
  child.leaf.scalar = before + split->right;
  g_array_append_val (nodes, child);
  return TRUE;
}
