/* flow-trees-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ensembles of decision trees, as TensorFlow's boosted trees keep them.
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

typedef enum {
  FLOW_TREE_NONE,
  FLOW_TREE_LEAF,
  FLOW_TREE_BUCKETIZED,
  FLOW_TREE_CATEGORICAL,
  FLOW_TREE_DENSE,
} FlowTreeKind;

/* What a leaf says: a number, or several. */
typedef struct {
  float scalar;
  GArray *vector;              /* of float; nullable; never changes, shared by copies */
} FlowTreeLeaf;

typedef struct {
  FlowTreeKind kind;
  FlowTreeLeaf leaf;
  gint32 feature_id;
  gint32 threshold;            /* of categorical splits: the value */
  float dense_threshold;
  gint32 dimension_id;
  gint32 default_direction;
  gint32 left_id;
  gint32 right_id;
  gboolean has_metadata;
  float gain;
  gboolean has_original;       /* @original is the leaf that stood here before the split */
  FlowTreeLeaf original;
} FlowTreeNode;

/* Where a node went when its tree was pruned. */
typedef struct {
  gint32 new_id;
  GArray *changes;             /* of float; shared by copies */
} FlowTreePruned;

typedef struct {
  gint32 n_layers;
  gboolean is_finalized;
  GArray *pruned;              /* of FlowTreePruned, by old index; nullable */
} FlowTreeMetadata;

/* A whole ensemble. One that is shared never changes: who writes has a copy of its own, which shares
 * the trees until they are written. */
typedef struct {
  gatomicrefcount ref_count;
  GPtrArray *trees;            /* of GArray of FlowTreeNode */
  GArray *weights;             /* of float */
  GArray *metadata;            /* of FlowTreeMetadata */
  gboolean has_growing;
  gint64 n_trees_attempted;
  gint64 n_layers_attempted;
  gint32 last_layer_begin;
  gint32 last_layer_end;
} FlowEnsemble;

/* The best split of a node. */
typedef struct {
  gint32 node_id;
  gint32 feature_id;
  gint32 dimension_id;
  gint32 threshold;
  float gain;
  float left;
  float right;
  gboolean is_equality;
  gboolean default_right;
} FlowTreeSplit;

FlowEnsemble *_flow_ensemble_new        (void);
/* NULL where the bytes are no TreeEnsemble. */
FlowEnsemble *_flow_ensemble_parse      (gconstpointer         data,
                                         gsize                 size);
GBytes       *_flow_ensemble_write      (const FlowEnsemble   *self,
                                         GError              **error);
FlowEnsemble *_flow_ensemble_ref        (FlowEnsemble         *self);
void          _flow_ensemble_unref      (FlowEnsemble         *self);
FlowEnsemble *_flow_ensemble_copy       (const FlowEnsemble   *self);
gsize         _flow_ensemble_bytes      (const FlowEnsemble   *self);

static inline guint
flow_ensemble_n_trees (const FlowEnsemble *self)
{
  return self->trees->len;
}

GArray       *_flow_tree_new_nodes      (void);
/* One tree by itself, of FlowTreeNode; NULL where the bytes are no Tree. */
GArray       *_flow_tree_parse          (gconstpointer         data,
                                         gsize                 size);
GBytes       *_flow_tree_write          (const GArray         *nodes,
                                         GError              **error);
/* Of FlowTreePruned. */
GArray       *_flow_tree_new_pruned     (void);
/* The nodes of a tree, which nobody else sees from now on. */
GArray       *_flow_tree_own_nodes      (FlowEnsemble         *self,
                                         guint                 tree);

static inline GArray *
flow_array_ref_or_null (GArray *array)
{
  return array != NULL ? g_array_ref (array) : NULL;
}

static inline void
flow_array_clear (GArray **array)
{
  g_clear_pointer (array, g_array_unref);
}

guint         _flow_tree_n_nodes        (const FlowEnsemble   *self,
                                         guint                 tree);
/* NULL outside. */
const FlowTreeNode *_flow_tree_node     (const FlowEnsemble   *self,
                                         guint                 tree,
                                         gint64                node);
const FlowTreeMetadata *_flow_tree_metadata (const FlowEnsemble *self,
                                         guint                 tree);
float         _flow_tree_weight         (const FlowEnsemble   *self,
                                         guint                 tree);
/* What the node says, or said before its split; @n 0: nothing. */
const float  *_flow_tree_node_value     (const FlowTreeNode   *node,
                                         guint                *n);

/* These change @self. */
void          _flow_ensemble_add_tree   (FlowEnsemble         *self,
                                         float                 logits);
FlowTreeMetadata *_flow_tree_edit_metadata (FlowEnsemble      *self,
                                         guint                 tree);
void          _flow_tree_set_leaf       (FlowEnsemble         *self,
                                         guint                 tree,
                                         guint                 node,
                                         float                 logits);
/* FALSE where the tree has no such node. */
gboolean      _flow_tree_split          (FlowEnsemble         *self,
                                         guint                 tree,
                                         const FlowTreeSplit  *split);
/* Takes back, from the leaves up, splits that gained nothing; FALSE for what is no tree. */
gboolean      _flow_tree_prune          (FlowEnsemble         *self,
                                         guint                 tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowEnsemble, _flow_ensemble_unref)

G_END_DECLS
