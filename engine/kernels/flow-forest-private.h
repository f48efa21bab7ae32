/* flow-forest-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Decision trees as tf.contrib's forests grow them: the trees, what they are asked, and how they are to grow.
 */

#pragma once

#include "flow-kernel.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"

G_BEGIN_DECLS

/* --- trees --------------------------------------------------------------------------------------------------------- */

/* A number, or none, which is not the same in a file. */
typedef struct {
  float number;
  gboolean is_set;
} FlowForestValue;

typedef struct {
  gint32 label;
  FlowForestValue value;
} FlowForestPair;

typedef enum {
  FLOW_FOREST_NO_TEST,
  FLOW_FOREST_INEQUALITY,
  FLOW_FOREST_OBLIQUE,
  FLOW_FOREST_MATCHING,
} FlowForestTest;

/* What is asked in a node; never changes, and is shared. */
typedef struct {
  gatomicrefcount ref_count;
  FlowForestTest test;
  gint32 feature;
  gint32 order;                /* of an inequality: 0 less or equal, 1 less; what else there is counts as less */
  FlowForestValue threshold;
  GArray *features;            /* of gint32, and how much each counts: of an oblique test */
  GArray *weights;             /* of float */
  GArray *values;              /* of FlowForestValue: of a matching test */
  gboolean is_inverse;
  gint32 direction;
} FlowForestSplit;

typedef enum {
  FLOW_FOREST_NO_LEAF,
  FLOW_FOREST_DENSE_LEAF,
  FLOW_FOREST_SPARSE_LEAF,
} FlowForestLeafKind;

typedef struct {
  FlowForestLeafKind kind;
  GArray *dense;               /* of FlowForestValue; shared by copies, as what follows */
  GArray *sparse;              /* of FlowForestPair */
} FlowForestLeaf;

typedef struct {
  gboolean is_set;
  gint32 number;
} FlowForestId;

typedef struct {
  FlowForestId id;
  gboolean is_leaf;
  FlowForestLeaf leaf;
  FlowForestSplit *split;      /* NULL of a leaf, and of what is neither */
  FlowForestId left;
  FlowForestId right;
} FlowForestNode;

/* Of FlowForestNode. */
GArray          *_flow_forest_tree_new    (void);
GArray          *_flow_forest_tree_copy   (const GArray          *tree);
gsize            _flow_forest_tree_bytes  (const GArray          *tree);
/* NULL where the bytes are no Model. */
GArray          *_flow_forest_tree_parse  (gconstpointer          data,
                                           gsize                  size);
GBytes          *_flow_forest_tree_write  (const GArray          *tree,
                                           GError               **error);
/* The nodes as a TreePath. */
GBytes          *_flow_forest_path_write  (const GArray          *tree,
                                           const GArray          *path,
                                           GError               **error);
/* A BinaryNode's test alone, as candidates have it. */
FlowForestSplit *_flow_forest_split_parse (FlowProtoReader       *r);
void             _flow_forest_split_write (FlowProtoWriter       *w,
                                           guint32                field,
                                           const FlowForestSplit *split);
/* Numbers: of FlowForestValue. */
GArray          *_flow_forest_vector_parse (FlowProtoReader      *r);
void             _flow_forest_vector_write (FlowProtoWriter      *w,
                                           guint32                field,
                                           const GArray          *values);
/* Numbers that are a Vector, or a SparseVector. */
void             _flow_forest_leaf_parse  (FlowProtoReader       *r,
                                           FlowForestLeaf        *leaf);
void             _flow_forest_leaf_write  (FlowProtoWriter       *w,
                                           const FlowForestLeaf  *leaf);
FlowForestSplit *_flow_forest_split_new   (FlowForestTest         test);
FlowForestSplit *_flow_forest_split_ref   (FlowForestSplit       *split);
void             _flow_forest_split_unref (FlowForestSplit       *split);
void             _flow_forest_leaf_clear  (FlowForestLeaf        *leaf);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowForestSplit, _flow_forest_split_unref)

static inline FlowForestNode *
_flow_forest_node (const GArray *tree,
                   gint64        i)
{
  return i >= 0 && i < tree->len ? &g_array_index (tree, FlowForestNode, i) : NULL;
}

/* --- what trees are asked ------------------------------------------------------------------------------------------- */

/* What a kernel's attr input_spec says. */
typedef struct {
  gint32 n_dense;
  GArray *types;               /* of gint32: of each dense feature, 0 a number, 1 one of a few */
  gboolean has_sparse;
  gint32 sparse_type;
} FlowForestSpec;

void _flow_forest_spec_free (FlowForestSpec *self);

/* Rows of features. */
typedef struct {
  const FlowForestSpec *spec;
  const FlowTensor *dense;     /* nullable */
  const FlowTensor *indices;   /* nullable */
  const FlowTensor *values;
  gint64 n;
} FlowForestData;

/* From four inputs of the node: dense ones, and indices, values and shape of sparse ones. */
gboolean _flow_forest_data_init   (FlowForestData        *self,
                                   const FlowForestSpec  *spec,
                                   FlowKernelContext     *c,
                                   guint                  first,
                                   GError               **error);
gboolean _flow_forest_data_value  (const FlowForestData  *self,
                                   gint64                 row,
                                   gint32                 feature,
                                   float                 *value,
                                   GError               **error);
/* The first place of @row among the sparse values, and how many there are. */
gint64   _flow_forest_data_sparse (const FlowForestData  *self,
                                   gint64                 row,
                                   gint64                *n);
/* Whether @row goes left. */
gboolean _flow_forest_decide      (const FlowForestSplit *split,
                                   const FlowForestData  *data,
                                   gint64                 row,
                                   gboolean              *left,
                                   GError               **error);
/* The leaf that @row comes to; @path (nullable) gets the nodes on the way. */
gboolean _flow_forest_traverse    (const GArray          *tree,
                                   const FlowForestData  *data,
                                   gint64                 row,
                                   gint32                *leaf,
                                   GArray                *path,
                                   GError               **error);

/* --- how trees grow -------------------------------------------------------------------------------------------------- */

typedef enum {
  FLOW_FOREST_LEAF_DENSE,
  FLOW_FOREST_LEAF_SPARSE,
  FLOW_FOREST_LEAF_REGRESSION,
  FLOW_FOREST_LEAF_EITHER,
} FlowForestLeafType;

typedef enum {
  FLOW_FOREST_STATS_DENSE,
  FLOW_FOREST_STATS_SPARSE,
  FLOW_FOREST_STATS_REGRESSION,
  FLOW_FOREST_STATS_FIXED = 4,
} FlowForestStatsType;

typedef enum {
  FLOW_FOREST_FINISH_BASIC,
  FLOW_FOREST_FINISH_HOEFFDING = 2,
  FLOW_FOREST_FINISH_BOOTSTRAP,
} FlowForestFinish;

typedef enum {
  FLOW_FOREST_PRUNE_NONE,
  FLOW_FOREST_PRUNE_HALF,
  FLOW_FOREST_PRUNE_QUARTER,
  FLOW_FOREST_PRUNE_TENTH,
  FLOW_FOREST_PRUNE_HOEFFDING,
} FlowForestPrune;

/* A number that may change with the depth of a node. */
typedef enum {
  FLOW_FOREST_UNSET,
  FLOW_FOREST_CONSTANT,
  FLOW_FOREST_LINEAR,
  FLOW_FOREST_EXPONENTIAL,
  FLOW_FOREST_THRESHOLD,
} FlowForestCurve;

typedef struct {
  FlowForestCurve curve;
  float numbers[4];
} FlowForestParam;

typedef struct {
  int leaf_type;
  int stats_type;
  int collection_type;
  int finish_type;
  int prune_type;
  int max_nodes;
  int n_features;
  int n_outputs;
  int n_tracked;
  int inequality_type;
  gboolean is_regression;
  gboolean collates;
  gboolean saves_stats;
  gboolean keeps_scores;
  gboolean averages;
  gboolean tells_paths;
  FlowForestParam check_every;
  FlowForestParam prune_every;
  FlowForestParam n_splits;
  FlowForestParam split_after;
  FlowForestParam dominate;
  FlowForestParam min_samples;
} FlowForestParams;

float             _flow_forest_param_resolve  (const FlowForestParam  *self,
                                               gint32                  depth);
/* For attrs params and input_spec of a kernel. */
FlowForestParams *_flow_forest_params_read    (FlowKernelConstruction *c,
                                               GError                **error);
FlowForestSpec   *_flow_forest_spec_read      (FlowKernelConstruction *c,
                                               GError                **error);

G_END_DECLS
