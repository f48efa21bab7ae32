/* flow-kernels-boosted_trees_predict.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What ensembles of boosted trees say of examples, in training, afterwards and step by step.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-model-private.h"
#include "flow-parallel.h"
#include "flow-proto-writer.h"

#include <string.h>

/* --- asking ------------------------------------------------------------------------------------------------------ */

/* What the walks of a batch share. */
typedef struct {
  const FlowEnsemble *model;
  const gint32 **features;     /* one vector each */
  guint n_features;
  gint64 n_rows;
  guint n_logits;
  const gint32 *cached_trees;  /* NULL: from the beginning */
  const gint32 *cached_nodes;
  float *logits;
  gint32 *nodes;               /* nullable */
  FlowTensor *debug;           /* nullable */
  gint is_broken;              /* set where trees are none: by any thread */
} Walk;

static gboolean
walk_init (Walk               *walk,
           FlowKernelContext  *c,
           const FlowEnsemble *model,
           guint               first,
           GError            **error)
{
  gint64 n_logits = flow_kernel_attr_int (c, "logits_dimension");

  walk->model = model;
  walk->n_features = c->n_inputs - first;
  FLOW_REQUIRE (n_logits >= 0 && n_logits <= G_MAXINT32, error, INVALID_ARGUMENT, "logits_dimension must be >= 0, got %"
                G_GINT64_FORMAT, n_logits);
  walk->n_logits = (guint) n_logits;
  for (guint i = 0; i < walk->n_features; i++)
    {
      const FlowTensor *feature = flow_kernel_input (c, first + i);

      if (!flow_is_vector (feature))
        return _flow_refuse_shapes (error, feature, NULL, "bucketized_features must be vectors, received shape %s");
      if (i == 0)
        walk->n_rows = feature->n_elements;
      FLOW_REQUIRE (feature->n_elements >= walk->n_rows, error, INVALID_ARGUMENT,
                    "bucketized_features must have %" G_GINT64_FORMAT " values each, got %" G_GINT64_FORMAT, walk->n_rows,
                    feature->n_elements);
    }
  FLOW_REQUIRE (walk->n_rows <= G_MAXINT32, error, INVALID_ARGUMENT, "too many examples");
  walk->features = g_new (const gint32 *, walk->n_features);
  for (guint i = 0; i < walk->n_features; i++)
    walk->features[i] = FLOW_DATA (gint32, flow_kernel_input (c, first + i));
  return TRUE;
}

static void
walk_clear (Walk *walk)
{
  g_free (walk->features);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

/* -1 where the split asks for what is not there. */
static gint32
next_node (const Walk         *walk,
           const FlowTreeNode *node,
           gint64              row)
{
  gint32 value;

  if (node->feature_id < 0 || (guint) node->feature_id >= walk->n_features)
    return -1;
  value = walk->features[node->feature_id][row];
  if (node->kind == FLOW_TREE_BUCKETIZED)
    return value <= node->threshold ? node->left_id : node->right_id;
  if (node->kind == FLOW_TREE_CATEGORICAL)
    return value == node->threshold ? node->left_id : node->right_id;
  return -1;
}

/* Down to a leaf, through at most as many nodes as there are. */
static const FlowTreeNode *
find_leaf (const Walk *walk,
           guint       tree,
           gint32     *id,
           gint64      row)
{
  const FlowTreeNode *node = _flow_tree_node (walk->model, tree, *id);

  for (guint left = _flow_tree_n_nodes (walk->model, tree); node != NULL && node->kind != FLOW_TREE_LEAF; left--)
    {
      if (left == 0)
        return NULL;
      *id = next_node (walk, node, row);
      node = _flow_tree_node (walk->model, tree, *id);
    }
  return node;
}

/* What was counted already of the node where a row stood: it is taken away again. */
static gboolean
resume (const Walk *walk,
        guint       tree,
        gint32     *id,
        float      *partial)
{
  const FlowTreeMetadata *metadata = _flow_tree_metadata (walk->model, tree);
  const FlowTreeNode *node;
  const float *value;
  guint n;

  if (metadata->is_finalized && metadata->pruned != NULL && metadata->pruned->len > 0)
    {
      const FlowTreePruned *pruned;

      if ((guint) *id >= metadata->pruned->len)
        return FALSE;
      pruned = &g_array_index (metadata->pruned, FlowTreePruned, (guint) *id);
      *id = pruned->new_id;
      for (guint i = 0; pruned->changes != NULL && i < pruned->changes->len && i < walk->n_logits; i++)
        partial[i] = g_array_index (pruned->changes, float, i);
    }
  node = _flow_tree_node (walk->model, tree, *id);
  if (node == NULL)
    return FALSE;
  value = _flow_tree_node_value (node, &n);
  if (n != 0 && n != walk->n_logits)
    return FALSE;
  for (guint i = 0; i < n; i++)
    partial[i] -= value[i];
  return TRUE;
}

/* Adds to @sum what the trees say of @row, from tree @tree on; @partial has n_logits zeros and is left so. */
static gboolean
walk_row (const Walk *walk,
          gint64      row,
          float      *partial,
          float      *sum)
{
  const guint n_trees = flow_ensemble_n_trees (walk->model);
  gint32 tree = walk->cached_trees != NULL ? walk->cached_trees[row] : 0;
  gint32 id = walk->cached_nodes != NULL ? walk->cached_nodes[row] : -1;

  if (tree < 0 || (guint) tree >= n_trees)
    return FALSE;
  if (id < 0)
    id = 0;
  else if (!resume (walk, (guint) tree, &id, partial))
    return FALSE;
  for (guint t = (guint) tree; t < n_trees; t++)
    {
      const FlowTreeNode *leaf = find_leaf (walk, t, &id, row);
      const float weight = _flow_tree_weight (walk->model, t);
      const float *value;
      guint n;

      if (leaf == NULL)
        return FALSE;
      value = _flow_tree_node_value (leaf, &n);
      if (n != walk->n_logits)
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          sum[i] += weight * (partial[i] + value[i]);
          partial[i] = 0;
        }
      if (walk->nodes != NULL)
        walk->nodes[row] = id;
      id = 0;
    }
  return TRUE;
}

static void
walk_rows (gint64   begin,
           gint64   end,
           gpointer data)
{
  Walk *walk = data;
  g_autofree float *partial = g_try_new0 (float, MAX (walk->n_logits, 1));

  for (gint64 i = begin; i < end; i++)
    {
      float *sum = walk->logits + i * walk->n_logits;

      memset (sum, 0, walk->n_logits * sizeof (float));
      if (partial != NULL)
        memset (partial, 0, walk->n_logits * sizeof (float));
      if (partial == NULL || !walk_row (walk, i, partial, sum))
        g_atomic_int_set (&walk->is_broken, 1);
    }
}

static gboolean
walk_batch (Walk           *walk,
            FlowRangeFunc   func,
            GError        **error)
{
  flow_parallel_for (walk->n_rows, 1 + 4096 / MAX (flow_ensemble_n_trees (walk->model), 1), func, walk);
  FLOW_REQUIRE (!walk->is_broken, error, INTERNAL, "The trees lead to nodes that are not there or not of %u logits",
                walk->n_logits);
  return TRUE;
}

static gboolean
predict (FlowKernelContext  *c,
         gpointer            resource,
         GError            **error)
{
  FlowBoosted *self = resource;
  g_auto (Walk) walk = { 0 };
  FlowTensor *out;

  if (!walk_init (&walk, c, self->model, 1, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { walk.n_rows, walk.n_logits }, error);
  if (out == NULL)
    return FALSE;
  walk.logits = out->data;
  if (flow_ensemble_n_trees (self->model) > 0)
    return walk_batch (&walk, walk_rows, error);
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  return TRUE;
}

static gboolean
predict_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return _flow_boosted_with_ensemble (c, predict, error);
}

static gboolean
check_cached (FlowKernelContext  *c,
              const Walk         *walk,
              GError            **error)
{
  for (guint i = 1; i < 3; i++)
    {
      const FlowTensor *ids = flow_kernel_input (c, i);
      g_autofree char *words = g_strdup_printf ("%s must be a vector, received shape %%s", c->signature->inputs[i].name);

      if (!flow_is_vector (ids))
        return _flow_refuse_shapes (error, ids, NULL, words);
      FLOW_REQUIRE (ids->n_elements == walk->n_rows, error, INVALID_ARGUMENT, "%s must have %" G_GINT64_FORMAT
                    " values, got %" G_GINT64_FORMAT, c->signature->inputs[i].name, walk->n_rows, ids->n_elements);
    }
  return TRUE;
}

static gboolean
training_predict (FlowKernelContext  *c,
                  gpointer            resource,
                  GError            **error)
{
  FlowBoosted *self = resource;
  const gint32 n_trees = (gint32) flow_ensemble_n_trees (self->model);
  g_auto (Walk) walk = { 0 };
  FlowTensor *logits;
  FlowTensor *trees;
  FlowTensor *nodes;

  if (!walk_init (&walk, c, self->model, 3, error) || !check_cached (c, &walk, error))
    return FALSE;
  logits = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { walk.n_rows, walk.n_logits }, error);
  trees = logits == NULL ? NULL : flow_kernel_allocate_dims (c, 1, 1, &walk.n_rows, error);
  nodes = trees == NULL ? NULL : flow_kernel_allocate_dims (c, 2, 1, &walk.n_rows, error);
  if (nodes == NULL)
    return FALSE;
  walk.cached_trees = FLOW_DATA (gint32, flow_kernel_input (c, 1));
  walk.cached_nodes = FLOW_DATA (gint32, flow_kernel_input (c, 2));
  walk.logits = logits->data;
  walk.nodes = nodes->data;
  for (gint64 i = 0; i < walk.n_rows; i++)
    FLOW_WRITABLE (gint32, trees)[i] = n_trees > 0 ? n_trees - 1 : walk.cached_trees[i];
  if (n_trees > 0)
    return walk_batch (&walk, walk_rows, error);
  if (logits->n_bytes > 0)
    memset (logits->data, 0, logits->n_bytes);
  if (nodes->n_bytes > 0)
    memset (nodes->data, 0, nodes->n_bytes);
  return TRUE;
}

static gboolean
training_predict_compute (FlowKernelContext  *c,
                          GError            **error)
{
  return _flow_boosted_with_ensemble (c, training_predict, error);
}

/* The features a row was split by, and what was said of it after each. */
static gboolean
explain_row (const Walk *walk,
             gint64      row,
             GArray     *features,
             GArray     *path)
{
  const guint n_trees = flow_ensemble_n_trees (walk->model);
  float past = 0;
  float logit = 0;
  guint n;

  for (guint t = 0; t < n_trees; t++)
    {
      const float weight = _flow_tree_weight (walk->model, t);
      const FlowTreeNode *node = _flow_tree_node (walk->model, t, 0);
      guint depth = 0;
      gint32 id = 0;

      if (node == NULL)
        return FALSE;
      if (t == 0)
        {
          const float *value = _flow_tree_node_value (node, &n);

          if (n != 1)
            return FALSE;
          logit = weight * value[0];
          g_array_append_val (path, logit);
        }
      while (node->kind != FLOW_TREE_LEAF)
        {
          float sum;
          const float *value;

          id = next_node (walk, node, row);
          g_array_append_val (features, node->feature_id);
          node = _flow_tree_node (walk->model, t, id);
          if (node == NULL || depth++ >= _flow_tree_n_nodes (walk->model, t))
            return FALSE;
          value = _flow_tree_node_value (node, &n);
          if (n != 1)
            return FALSE;
          logit = weight * value[0];
          sum = logit + past;
          g_array_append_val (path, sum);
        }
      /* TF: roots that are leaves say nothing, but the first. */
      if (t == 0 || id > 0)
        past += logit;
    }
  return TRUE;
}

static GBytes *
write_debug (GArray *features,
             GArray *path)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  if (features->len > 0)
    {
      flow_proto_writer_begin (&w, 1);
      for (guint i = 0; i < features->len; i++)
        flow_proto_writer_append_varint (&w, (guint64) (gint64) g_array_index (features, gint32, i));
      flow_proto_writer_end (&w);
    }
  flow_proto_writer_begin (&w, 2);
  for (guint i = 0; i < path->len; i++)
    {
      guint32 bits;

      memcpy (&bits, &g_array_index (path, float, i), sizeof bits);
      bits = GUINT32_TO_LE (bits);
      flow_proto_writer_append (&w, &bits, sizeof bits);
    }
  flow_proto_writer_end (&w);
  return flow_proto_writer_finish (&w, NULL);
}

static void
explain_rows (gint64   begin,
              gint64   end,
              gpointer data)
{
  Walk *walk = data;
  g_autoptr (GArray) features = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (float));

  for (gint64 i = begin; i < end; i++)
    {
      GBytes *bytes;

      g_array_set_size (features, 0);
      g_array_set_size (path, 0);
      bytes = explain_row (walk, i, features, path) ? write_debug (features, path) : NULL;
      if (bytes == NULL)
        g_atomic_int_set (&walk->is_broken, 1);
      else
        flow_tensor_take_string (walk->debug, i, bytes);
    }
}

static gboolean
explain (FlowKernelContext  *c,
         gpointer            resource,
         GError            **error)
{
  FlowBoosted *self = resource;
  g_auto (Walk) walk = { 0 };

  if (!walk_init (&walk, c, self->model, 1, error))
    return FALSE;
  FLOW_REQUIRE (walk.n_rows == 0 || flow_ensemble_n_trees (self->model) > 0, error, INTERNAL, "There are no trees");
  walk.debug = flow_kernel_allocate_dims (c, 0, 1, &walk.n_rows, error);
  return walk.debug != NULL && walk_batch (&walk, explain_rows, error);
}

static gboolean
explain_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return _flow_boosted_with_ensemble (c, explain, error);
}

static gpointer
explain_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  if (flow_attr_get_int (flow_construction_attr (c, "logits_dimension")) == 1)
    return g_new0 (char, 1);
  _flow_refuse (error, "Currently only one dimensional outputs are supported.");
  return NULL;
}

static gboolean
infer_batch (FlowInferContext  *c,
             guint              first,
             gint64            *n_rows,
             GError           **error)
{
  *n_rows = FLOW_DIM_UNKNOWN;
  for (guint i = first; i < c->n_inputs; i++)
    {
      g_autoptr (FlowShape) feature = NULL;
      g_autoptr (FlowShape) merged = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 1, &feature, error)
          || !flow_infer_merge (c, flow_infer_input (c, first), feature, &merged, error))
        return FALSE;
      *n_rows = flow_shape_get_dim (feature, 0);
    }
  return TRUE;
}

static gboolean
predict_infer (FlowInferContext  *c,
               GError           **error)
{
  gint64 n_rows;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!infer_batch (c, 1, &n_rows, error))
    return FALSE;
  if (c->signature->outputs[0].dtype == FLOW_DTYPE_STRING)
    flow_infer_take_output (c, 0, flow_shape_new_vector (n_rows));
  else
    flow_infer_take_output (c, 0, flow_shape_new_matrix (n_rows, flow_infer_attr_int (c, "logits_dimension")));
  return TRUE;
}

static gboolean
training_predict_infer (FlowInferContext  *c,
                        GError           **error)
{
  gint64 n_rows;
  g_autoptr (FlowShape) rows = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!infer_batch (c, 3, &n_rows, error))
    return FALSE;
  rows = flow_shape_new_vector (n_rows);
  for (guint i = 1; i < 3; i++)
    {
      g_autoptr (FlowShape) merged = NULL;

      if (!flow_infer_merge (c, flow_infer_input (c, i), rows, &merged, error))
        return FALSE;
      flow_infer_set_output (c, i, rows);
    }
  flow_infer_take_output (c, 0, flow_shape_new_matrix (n_rows, flow_infer_attr_int (c, "logits_dimension")));
  return TRUE;
}

static const FlowKernelDef explain_kernels[] = { { NULL, explain_compute, explain_construct, g_free }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "BoostedTreesExampleDebugOutputs",
    .inputs = "tree_ensemble_handle: resource; bucketized_features: num_bucketized_features * int32",
    .outputs = "examples_debug_outputs_serialized: string",
    .attrs = "num_bucketized_features: int >= 1; logits_dimension: int",
    .summary = "What each split on the way of an example added", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE,
    .infer = predict_infer, .kernels = explain_kernels },
  FLOW_ENSEMBLE_OP ("BoostedTreesPredict", "; bucketized_features: num_bucketized_features * int32", "logits: float",
               "num_bucketized_features: int >= 1; logits_dimension: int", predict_compute, predict_infer,
               "What all trees say of a batch"),
  FLOW_ENSEMBLE_OP ("BoostedTreesTrainingPredict",
               "; cached_tree_ids: int32; cached_node_ids: int32; bucketized_features: num_bucketized_features * int32",
               "partial_logits: float; tree_ids: int32; node_ids: int32",
               "num_bucketized_features: int >= 1; logits_dimension: int", training_predict_compute, training_predict_infer,
               "What trees that grew since say of a batch"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_predict, ops)
