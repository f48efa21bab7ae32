/* flow-trees.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-trees-private.h"

#include "flow-proto-writer.h"

/* Fields of boosted_trees.proto. */
enum { ENSEMBLE_TREES = 1, ENSEMBLE_WEIGHTS, ENSEMBLE_METADATA, ENSEMBLE_GROWING };
enum { TREE_NODES = 1 };
enum { NODE_LEAF = 1, NODE_BUCKETIZED, NODE_CATEGORICAL, NODE_DENSE, NODE_METADATA = 777 };
enum { LEAF_VECTOR = 1, LEAF_SCALAR = 3 };
enum { SPLIT_FEATURE = 1, SPLIT_THRESHOLD, SPLIT_LEFT, SPLIT_RIGHT, SPLIT_DIMENSION, SPLIT_DIRECTION };
enum { METADATA_GAIN = 1, METADATA_ORIGINAL };
enum { TREE_METADATA_LAYERS = 2, TREE_METADATA_FINALIZED, TREE_METADATA_PRUNED };
enum { PRUNED_ID = 1, PRUNED_CHANGES };
enum { GROWING_TREES = 1, GROWING_LAYERS, GROWING_BEGIN, GROWING_END };

/* --- memory ------------------------------------------------------------------------------------------------- */

static GArray *
ref_array (GArray *array)
{
  return array != NULL ? g_array_ref (array) : NULL;
}

static void
clear_array (GArray **array)
{
  g_clear_pointer (array, g_array_unref);
}

static void
node_clear (gpointer data)
{
  FlowTreeNode *node = data;

  clear_array (&node->leaf.vector);
  clear_array (&node->original.vector);
}

static void
pruned_clear (gpointer data)
{
  clear_array (&((FlowTreePruned *) data)->changes);
}

static void
metadata_clear (gpointer data)
{
  clear_array (&((FlowTreeMetadata *) data)->pruned);
}

static void
unref_nodes (gpointer nodes)
{
  g_array_unref (nodes);
}

static GArray *
new_nodes (void)
{
  GArray *nodes = g_array_new (FALSE, TRUE, sizeof (FlowTreeNode));

  g_array_set_clear_func (nodes, node_clear);
  return nodes;
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
    ref_array (g_array_index (copy->metadata, FlowTreeMetadata, i).pruned);
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

/* --- reading ------------------------------------------------------------------------------------------------ */

static void
read_floats (FlowProtoReader  *r,
             GArray          **to)
{
  float value;

  if (*to == NULL)
    *to = g_array_new (FALSE, TRUE, sizeof (float));
  while (flow_proto_reader_each_float (r, &value))
    g_array_append_val (*to, value);
}

static void
read_leaf (FlowProtoReader *r,
           FlowTreeLeaf    *leaf)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      if (r->field == LEAF_SCALAR)
        {
          flow_proto_reader_get_float (r, &leaf->scalar);
        }
      else if (r->field == LEAF_VECTOR && flow_proto_reader_enter (r, &sub))
        {
          if (leaf->vector == NULL)
            leaf->vector = g_array_new (FALSE, TRUE, sizeof (float));
          while (flow_proto_reader_next (&sub))
            if (sub.field == 1)
              read_floats (&sub, &leaf->vector);
        }
    }
}

static void
read_split (FlowProtoReader *r,
            FlowTreeNode    *node)
{
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case SPLIT_FEATURE: flow_proto_reader_get_int32 (r, &node->feature_id); break;
      case SPLIT_THRESHOLD:
        if (node->kind == FLOW_TREE_DENSE)
          flow_proto_reader_get_float (r, &node->dense_threshold);
        else
          flow_proto_reader_get_int32 (r, &node->threshold);
        break;
      case SPLIT_LEFT: flow_proto_reader_get_int32 (r, &node->left_id); break;
      case SPLIT_RIGHT: flow_proto_reader_get_int32 (r, &node->right_id); break;
      case SPLIT_DIMENSION: flow_proto_reader_get_int32 (r, &node->dimension_id); break;
      case SPLIT_DIRECTION: flow_proto_reader_get_int32 (r, &node->default_direction); break;
      }
}

static void
read_node (FlowProtoReader *r,
           FlowTreeNode    *node)
{
  FlowProtoReader sub;
  FlowProtoReader leaf;

  while (flow_proto_reader_next (r))
    {
      if (r->field == NODE_LEAF && flow_proto_reader_enter (r, &sub))
        {
          node->kind = FLOW_TREE_LEAF;
          read_leaf (&sub, &node->leaf);
        }
      else if (r->field >= NODE_BUCKETIZED && r->field <= NODE_DENSE && flow_proto_reader_enter (r, &sub))
        {
          node->kind = (FlowTreeKind) r->field;
          read_split (&sub, node);
        }
      else if (r->field == NODE_METADATA && flow_proto_reader_enter (r, &sub))
        {
          node->has_metadata = TRUE;
          while (flow_proto_reader_next (&sub))
            if (sub.field == METADATA_GAIN)
              {
                flow_proto_reader_get_float (&sub, &node->gain);
              }
            else if (sub.field == METADATA_ORIGINAL && flow_proto_reader_enter (&sub, &leaf))
              {
                node->has_original = TRUE;
                read_leaf (&leaf, &node->original);
              }
        }
    }
}

static void
read_tree (FlowProtoReader *r,
           GArray          *nodes)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == TREE_NODES && flow_proto_reader_enter (r, &sub))
      {
        g_array_set_size (nodes, nodes->len + 1);
        read_node (&sub, &g_array_index (nodes, FlowTreeNode, nodes->len - 1));
      }
}

static GArray *
new_pruned (void)
{
  GArray *pruned = g_array_new (FALSE, TRUE, sizeof (FlowTreePruned));

  g_array_set_clear_func (pruned, pruned_clear);
  return pruned;
}

static void
read_metadata (FlowProtoReader  *r,
               FlowTreeMetadata *metadata)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == TREE_METADATA_LAYERS)
      {
        flow_proto_reader_get_int32 (r, &metadata->n_layers);
      }
    else if (r->field == TREE_METADATA_FINALIZED)
      {
        flow_proto_reader_get_bool (r, &metadata->is_finalized);
      }
    else if (r->field == TREE_METADATA_PRUNED && flow_proto_reader_enter (r, &sub))
      {
        FlowTreePruned pruned = { 0 };

        if (metadata->pruned == NULL)
          metadata->pruned = new_pruned ();
        while (flow_proto_reader_next (&sub))
          if (sub.field == PRUNED_ID)
            flow_proto_reader_get_int32 (&sub, &pruned.new_id);
          else if (sub.field == PRUNED_CHANGES)
            read_floats (&sub, &pruned.changes);
        g_array_append_val (metadata->pruned, pruned);
      }
}

static void
read_growing (FlowProtoReader *r,
              FlowEnsemble    *self)
{
  self->has_growing = TRUE;
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case GROWING_TREES: flow_proto_reader_get_int64 (r, &self->n_trees_attempted); break;
      case GROWING_LAYERS: flow_proto_reader_get_int64 (r, &self->n_layers_attempted); break;
      case GROWING_BEGIN: flow_proto_reader_get_int32 (r, &self->last_layer_begin); break;
      case GROWING_END: flow_proto_reader_get_int32 (r, &self->last_layer_end); break;
      }
}

FlowEnsemble *
_flow_ensemble_parse (gconstpointer data,
                      gsize         size)
{
  g_autoptr (FlowEnsemble) self = _flow_ensemble_new ();
  FlowProtoReader r;
  FlowProtoReader sub;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    {
      if (r.field == ENSEMBLE_WEIGHTS)
        {
          read_floats (&r, &self->weights);
        }
      else if (r.field <= ENSEMBLE_GROWING && flow_proto_reader_enter (&r, &sub))
        {
          if (r.field == ENSEMBLE_TREES)
            {
              g_ptr_array_add (self->trees, new_nodes ());
              read_tree (&sub, self->trees->pdata[self->trees->len - 1]);
            }
          else if (r.field == ENSEMBLE_METADATA)
            {
              g_array_set_size (self->metadata, self->metadata->len + 1);
              read_metadata (&sub, &g_array_index (self->metadata, FlowTreeMetadata, self->metadata->len - 1));
            }
          else
            {
              read_growing (&sub, self);
            }
        }
    }
  return flow_proto_reader_failed (&r) ? NULL : g_steal_pointer (&self);
}

/* --- writing ------------------------------------------------------------------------------------------------ */

/* Packed, and nothing where there are none. */
static void
write_floats (FlowProtoWriter *w,
              guint32          field,
              const GArray    *values)
{
  if (values == NULL || values->len == 0)
    return;
  flow_proto_writer_begin (w, field);
  for (guint i = 0; i < values->len; i++)
    {
      guint32 bits;

      memcpy (&bits, &g_array_index (values, float, i), sizeof bits);
      bits = GUINT32_TO_LE (bits);
      flow_proto_writer_append (w, &bits, sizeof bits);
    }
  flow_proto_writer_end (w);
}

static void
write_leaf (FlowProtoWriter    *w,
            guint32             field,
            const FlowTreeLeaf *leaf)
{
  flow_proto_writer_begin (w, field);
  if (leaf->vector != NULL)
    {
      flow_proto_writer_begin (w, LEAF_VECTOR);
      write_floats (w, 1, leaf->vector);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_set_float (w, LEAF_SCALAR, leaf->scalar);
  flow_proto_writer_end (w);
}

static void
write_split (FlowProtoWriter    *w,
             const FlowTreeNode *node)
{
  flow_proto_writer_begin (w, (guint32) node->kind);
  flow_proto_writer_set_int (w, SPLIT_FEATURE, node->feature_id);
  if (node->kind == FLOW_TREE_DENSE)
    flow_proto_writer_set_float (w, SPLIT_THRESHOLD, node->dense_threshold);
  else
    flow_proto_writer_set_int (w, SPLIT_THRESHOLD, node->threshold);
  flow_proto_writer_set_int (w, SPLIT_LEFT, node->left_id);
  flow_proto_writer_set_int (w, SPLIT_RIGHT, node->right_id);
  flow_proto_writer_set_int (w, SPLIT_DIMENSION, node->dimension_id);
  flow_proto_writer_set_int (w, SPLIT_DIRECTION, node->default_direction);
  flow_proto_writer_end (w);
}

static void
write_node (FlowProtoWriter    *w,
            const FlowTreeNode *node)
{
  flow_proto_writer_begin (w, TREE_NODES);
  if (node->kind == FLOW_TREE_LEAF)
    write_leaf (w, NODE_LEAF, &node->leaf);
  else if (node->kind != FLOW_TREE_NONE)
    write_split (w, node);
  if (node->has_metadata)
    {
      flow_proto_writer_begin (w, NODE_METADATA);
      flow_proto_writer_set_float (w, METADATA_GAIN, node->gain);
      if (node->has_original)
        write_leaf (w, METADATA_ORIGINAL, &node->original);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

static void
write_metadata (FlowProtoWriter        *w,
                const FlowTreeMetadata *metadata)
{
  flow_proto_writer_begin (w, ENSEMBLE_METADATA);
  flow_proto_writer_set_int (w, TREE_METADATA_LAYERS, metadata->n_layers);
  flow_proto_writer_set_int (w, TREE_METADATA_FINALIZED, metadata->is_finalized);
  for (guint i = 0; metadata->pruned != NULL && i < metadata->pruned->len; i++)
    {
      const FlowTreePruned *pruned = &g_array_index (metadata->pruned, FlowTreePruned, i);

      flow_proto_writer_begin (w, TREE_METADATA_PRUNED);
      flow_proto_writer_set_int (w, PRUNED_ID, pruned->new_id);
      write_floats (w, PRUNED_CHANGES, pruned->changes);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

GBytes *
_flow_ensemble_write (const FlowEnsemble  *self,
                      GError             **error)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (guint i = 0; i < self->trees->len; i++)
    {
      const GArray *nodes = self->trees->pdata[i];

      flow_proto_writer_begin (&w, ENSEMBLE_TREES);
      for (guint k = 0; k < nodes->len; k++)
        write_node (&w, &g_array_index (nodes, FlowTreeNode, k));
      flow_proto_writer_end (&w);
    }
  write_floats (&w, ENSEMBLE_WEIGHTS, self->weights);
  for (guint i = 0; i < self->metadata->len; i++)
    write_metadata (&w, &g_array_index (self->metadata, FlowTreeMetadata, i));
  if (self->has_growing)
    {
      flow_proto_writer_begin (&w, ENSEMBLE_GROWING);
      flow_proto_writer_set_int (&w, GROWING_TREES, self->n_trees_attempted);
      flow_proto_writer_set_int (&w, GROWING_LAYERS, self->n_layers_attempted);
      flow_proto_writer_set_int (&w, GROWING_BEGIN, self->last_layer_begin);
      flow_proto_writer_set_int (&w, GROWING_END, self->last_layer_end);
      flow_proto_writer_end (&w);
    }
  return flow_proto_writer_finish (&w, error);
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

/* The nodes of a tree that nobody else sees. */
static GArray *
own_nodes (FlowEnsemble *self,
           guint         tree)
{
  const GArray *shared = self->trees->pdata[tree];
  GArray *own = new_nodes ();

  g_array_append_vals (own, shared->data, shared->len);
  for (guint i = 0; i < own->len; i++)
    {
      ref_array (g_array_index (own, FlowTreeNode, i).leaf.vector);
      ref_array (g_array_index (own, FlowTreeNode, i).original.vector);
    }
  g_array_unref (self->trees->pdata[tree]);
  self->trees->pdata[tree] = own;
  return own;
}

void
_flow_ensemble_add_tree (FlowEnsemble *self,
                         float         logits)
{
  GArray *nodes = new_nodes ();
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
  FlowTreeNode *to = &g_array_index (own_nodes (self, tree), FlowTreeNode, node);

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
  nodes = own_nodes (self, tree);
  node = &g_array_index (nodes, FlowTreeNode, (guint) split->node_id);
  before = node->kind == FLOW_TREE_LEAF ? node->leaf.scalar : 0;
  /* TF: the first leaf of a tree that says nothing is not kept. */
  if (split->node_id != 0 || (node->kind == FLOW_TREE_LEAF && before != 0))
    {
      clear_array (&node->original.vector);
      node->original = node->leaf;
      node->has_original = TRUE;
    }
  else
    {
      clear_array (&node->leaf.vector);
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

/* --- pruning ------------------------------------------------------------------------------------------------ */

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

/* Every node after those below it; FALSE where a node is reached twice or is not there. */
static gboolean
order_nodes (const GArray *nodes,
             GArray       *order)
{
  g_autofree guint8 *seen = g_new0 (guint8, nodes->len);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (gint32));
  gint32 root = 0;

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
      for (guint side = 0; side < 2; side++)
        {
          gint32 below = side == 0 ? node->right_id : node->left_id;

          if (below < 0 || (guint) below >= nodes->len)
            return FALSE;
          g_array_append_val (stack, below);
        }
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
  clear_array (&node->leaf.vector);
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
  GArray *kept = new_nodes ();

  for (guint i = 0; i < nodes->len; i++)
    {
      FlowTreeNode node = g_array_index (nodes, FlowTreeNode, i);

      if (fates[i].is_gone)
        continue;
      ref_array (node.leaf.vector);
      ref_array (node.original.vector);
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
  nodes = own_nodes (self, tree);
  if (!order_nodes (nodes, order))
    return FALSE;
  fates = g_new0 (Fate, nodes->len);
  new_ids = g_new0 (gint32, nodes->len);
  for (guint i = order->len; i-- > 0;)
    any = take_back (nodes, (guint) g_array_index (order, gint32, i), fates) || any;
  if (!any)
    return TRUE;
  metadata = _flow_tree_edit_metadata (self, tree);
  clear_array (&metadata->pruned);
  metadata->pruned = new_pruned ();
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
    clear_array (&fates[i].changes);
  g_array_unref (nodes);
  return TRUE;
}
