/* flow-kernels-forest_tree.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The trees of tf.contrib's forests: made, saved, loaded, asked, and told what came of it.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-forest-resource-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

/* --- the resource ---------------------------------------------------------------------------------------------------- */

static gsize
saved_bytes (gconstpointer saved)
{
  return _flow_forest_tree_bytes (saved);
}

static const FlowForestParams *
params_of (FlowKernelContext *c)
{
  return ((const FlowForestAttrs *) flow_kernel_data (c))->params;
}

/* --- making, saving, loading ------------------------------------------------------------------------------------------ */

/* The tree of input 1; one without nodes begins with a leaf. */
static GArray *
read_tree (FlowKernelContext     *c,
           const FlowForestTree  *of,
           GError               **error)
{
  const FlowTensor *config = flow_kernel_input (c, 1);
  FlowForestNode *root;
  GArray *tree;
  Text text;

  if (!flow_is_scalar (config))
    {
      _flow_refuse (error, "Tree config must be a scalar.");
      return NULL;
    }
  text = text_at (config, 0);
  /* An empty node is two bytes there and a structure here. */
  if (text.length > G_MAXINT32 || !reserve_text (c, text.length * (sizeof (FlowForestNode) / 2), error) ||
      !reserve_text (c, (gsize) of->n_outputs * sizeof (FlowForestValue), error))
    return NULL;
  tree = _flow_forest_tree_parse (text.bytes, text.length);
  if (tree == NULL)
    _flow_refuse (error, "Unable to parse tree  config.");
  if (tree == NULL || tree->len > 0)
    return tree;
  g_array_set_size (tree, 1);
  root = _flow_forest_node (tree, 0);
  root->is_leaf = TRUE;
  if (of->leaf_type == FLOW_FOREST_LEAF_DENSE || of->leaf_type == FLOW_FOREST_LEAF_REGRESSION)
    {
      root->leaf.kind = FLOW_FOREST_DENSE_LEAF;
      root->leaf.dense = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
      g_array_set_size (root->leaf.dense, (guint) of->n_outputs);
    }
  return tree;
}

const FlowForestKind _flow_forest_tree = {
  FLOW_FOREST_TREE_CLASS ("N10tensorflow12tensorforest20DecisionTreeResourceE", saved_bytes), read_tree,
  _flow_forest_tree_write
};

FLOW_FOREST_TREE_KERNELS (_flow_forest_tree)

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowForestParams *params = params_of (c);

  return _flow_forest_tree_create (c, &_flow_forest_tree, params->leaf_type, params->n_outputs, error);
}

/* --- asking ----------------------------------------------------------------------------------------------------------- */

static gboolean
begin_data (FlowKernelContext  *c,
            FlowForestData     *data,
            GError            **error)
{
  return _flow_forest_data_init (data, ((const FlowForestAttrs *) flow_kernel_data (c))->spec, c, 1, error);
}

static gboolean
traverse (FlowKernelContext  *c,
          gpointer            resource,
          GError            **error)
{
  FlowForestTree *self = resource;
  FlowForestData data;
  FlowTensor *leaves;

  if (!begin_data (c, &data, error))
    return FALSE;
  leaves = flow_kernel_allocate_dims (c, 0, 1, &data.n, error);
  if (leaves == NULL)
    return FALSE;
  for (gint64 i = 0; i < data.n; i++)
    if (!_flow_forest_traverse (self->nodes, &data, i, &FLOW_WRITABLE (gint32, leaves)[i], NULL, error) ||
        ((i & 0xfff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error)))
      return FALSE;
  return TRUE;
}

FLOW_NAMED_COMPUTE (traverse, 0, _flow_forest_tree.klass)

static float
sparse_output (const GArray *pairs,
               gint32        label)
{
  for (guint i = 0; pairs != NULL && i < pairs->len; i++)
    if (g_array_index (pairs, FlowForestPair, i).label == label)
      return g_array_index (pairs, FlowForestPair, i).value.number;
  return 0;
}

/* What the leaf says of each output; of classes, as shares. */
static gboolean
predict_row (const FlowForestLeaf    *leaf,
             const FlowForestParams  *params,
             float                   *out,
             GError                 **error)
{
  const gboolean is_sparse = params->leaf_type == FLOW_FOREST_LEAF_SPARSE ||
                             (params->leaf_type == FLOW_FOREST_LEAF_EITHER && leaf->kind != FLOW_FOREST_DENSE_LEAF);
  const guint n = leaf->kind == FLOW_FOREST_DENSE_LEAF && leaf->dense != NULL ? leaf->dense->len : 0;
  float sum = 0;

  /* TF: reads elsewhere. */
  FLOW_REQUIRE (is_sparse || n >= (guint) params->n_outputs, error, INVALID_ARGUMENT,
                "a leaf has %u values for %d outputs", n, params->n_outputs);
  for (gint32 i = 0; i < params->n_outputs; i++)
    {
      out[i] = is_sparse ? sparse_output (leaf->kind == FLOW_FOREST_SPARSE_LEAF ? leaf->sparse : NULL, i)
                         : g_array_index (leaf->dense, FlowForestValue, i).number;
      sum += out[i];
    }
  if (!params->is_regression && sum > 0 && sum != 1)
    for (gint32 i = 0; i < params->n_outputs; i++)
      out[i] /= sum;
  return TRUE;
}

static gboolean
predict (FlowKernelContext  *c,
         gpointer            resource,
         GError            **error)
{
  FlowForestTree *self = resource;
  const FlowForestParams *params = params_of (c);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (gint32));
  FlowForestData data;
  FlowTensor *out;
  FlowTensor *paths;
  gint64 n_paths;

  if (!begin_data (c, &data, error))
    return FALSE;
  n_paths = params->tells_paths ? data.n : 0;
  out = flow_kernel_allocate_dims (c, 0, 2, (const gint64[]) { data.n, params->n_outputs }, error);
  paths = out != NULL ? flow_kernel_allocate_dims (c, 1, 1, &n_paths, error) : NULL;
  if (paths == NULL)
    return FALSE;
  for (gint64 i = 0; i < data.n; i++)
    {
      gint32 leaf;

      g_array_set_size (path, 0);
      if (!_flow_forest_traverse (self->nodes, &data, i, &leaf, params->tells_paths ? path : NULL, error) ||
          !predict_row (&_flow_forest_node (self->nodes, leaf)->leaf, params,
                        FLOW_WRITABLE (float, out) + i * params->n_outputs, error) ||
          ((i & 0xfff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error)))
        return FALSE;
      if (params->tells_paths)
        {
          g_autoptr (GBytes) bytes = _flow_forest_path_write (self->nodes, path, error);

          if (bytes == NULL || !reserve_text (c, g_bytes_get_size (bytes), error))
            return FALSE;
          flow_tensor_take_string (paths, i, g_steal_pointer (&bytes));
        }
    }
  return TRUE;
}

FLOW_NAMED_COMPUTE (predict, 0, _flow_forest_tree.klass)

/* --- telling ---------------------------------------------------------------------------------------------------------- */

static void
count_sparse (FlowForestLeaf *leaf,
              gint32          label,
              float           weight)
{
  FlowForestPair pair = { label, { weight, TRUE } };

  leaf->kind = FLOW_FOREST_SPARSE_LEAF;
  if (leaf->sparse == NULL)
    leaf->sparse = g_array_new (FALSE, TRUE, sizeof (FlowForestPair));
  for (guint i = 0; i < leaf->sparse->len; i++)
    {
      FlowForestPair *old = &g_array_index (leaf->sparse, FlowForestPair, i);

      if (old->label == label)
        {
          old->value = (FlowForestValue) { old->value.number + weight, TRUE };
          return;
        }
    }
  g_array_append_val (leaf->sparse, pair);
}

static gboolean
count_example (FlowForestLeaf          *leaf,
               const FlowForestParams  *params,
               const FlowForestTarget  *target,
               gint64                   example,
               GError                 **error)
{
  const float weight = _flow_forest_target_weight (target, example);
  FlowForestValue *value;
  gint32 label;

  if (!_flow_forest_target_class (target, example, params->n_outputs, &label, error))
    return FALSE;
  if (params->leaf_type == FLOW_FOREST_LEAF_SPARSE ||
      (params->leaf_type == FLOW_FOREST_LEAF_EITHER && leaf->kind != FLOW_FOREST_DENSE_LEAF))
    {
      count_sparse (leaf, label, weight);
      return TRUE;
    }
  FLOW_REQUIRE (leaf->dense != NULL && (guint) label < leaf->dense->len, error, INVALID_ARGUMENT,
                "a leaf has no value for class %d", label);
  value = &g_array_index (leaf->dense, FlowForestValue, label);
  *value = (FlowForestValue) { value->number + weight, TRUE };
  return TRUE;
}

/* The leaf's numbers, which nobody else sees from now on. */
static void
own_leaf (FlowForestLeaf *leaf)
{
  GArray *dense = leaf->dense;
  GArray *sparse = leaf->sparse;

  if (dense != NULL)
    {
      leaf->dense = g_array_copy (dense);
      g_array_unref (dense);
    }
  if (sparse != NULL)
    {
      leaf->sparse = g_array_copy (sparse);
      g_array_unref (sparse);
    }
}

static gboolean
count_examples (GArray                  *nodes,
                const FlowForestParams  *params,
                const FlowForestTarget  *target,
                const FlowTensor        *leaf_ids,
                GError                 **error)
{
  g_autoptr (GHashTable) owned = g_hash_table_new (NULL, NULL);

  for (gint64 i = 0; i < leaf_ids->n_elements; i++)
    {
      const gint32 id = FLOW_DATA (gint32, leaf_ids)[i];
      FlowForestNode *node = _flow_forest_node (nodes, id);

      /* TF: trusts them. */
      FLOW_REQUIRE (node != NULL && node->is_leaf, error, INVALID_ARGUMENT,
                    "leaf_ids[%" G_GINT64_FORMAT "] = %d is no leaf of a tree of %u nodes", i, id, nodes->len);
      if (g_hash_table_add (owned, GINT_TO_POINTER (id)))
        own_leaf (&node->leaf);
      if (!count_example (&node->leaf, params, target, i, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
update (FlowKernelContext  *c,
        gpointer            resource,
        GError            **error)
{
  FlowForestTree *self = resource;
  const FlowForestParams *params = params_of (c);
  const FlowTensor *leaf_ids = flow_kernel_input (c, 1);
  g_autoptr (GArray) nodes = NULL;
  FlowForestTarget target;

  /* TF: what a leaf of numbers says was settled when it was made. */
  if (params->leaf_type == FLOW_FOREST_LEAF_REGRESSION)
    return TRUE;
  if (!_flow_forest_target_init (&target, params, flow_kernel_input (c, 2), flow_kernel_input (c, 3), leaf_ids->n_elements,
                                 error))
    return FALSE;
  nodes = _flow_forest_tree_copy (self->nodes);
  if (!count_examples (nodes, params, &target, leaf_ids, error))
    return FALSE;
  _flow_forest_tree_replace (c, self, g_steal_pointer (&nodes));
  return TRUE;
}

FLOW_NAMED_COMPUTE (update, 0, _flow_forest_tree.klass)

/* --- how often each feature is asked for ------------------------------------------------------------------------------- */

static gboolean
count_feature (FlowTensor  *counts,
               gint32       feature,
               GError     **error)
{
  /* TF: writes elsewhere. */
  FLOW_REQUIRE (feature >= 0 && feature < counts->n_elements, error, INVALID_ARGUMENT,
                "the tree asks for feature %d of %" G_GINT64_FORMAT, feature, counts->n_elements);
  FLOW_WRITABLE (gint32, counts)[feature]++;
  return TRUE;
}

static gboolean
count_features (FlowKernelContext  *c,
                gpointer            resource,
                GError            **error)
{
  FlowForestTree *self = resource;
  const gint64 n = params_of (c)->n_features;
  FlowTensor *counts = flow_kernel_allocate_dims (c, 0, 1, &n, error);

  if (counts == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    FLOW_WRITABLE (gint32, counts)[i] = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const FlowForestSplit *split = _flow_forest_node (self->nodes, i)->split;

      if (split == NULL || split->test == FLOW_FOREST_NO_TEST)
        continue;
      if (split->test != FLOW_FOREST_OBLIQUE && !count_feature (counts, split->feature, error))
        return FALSE;
      for (guint k = 0; split->test == FLOW_FOREST_OBLIQUE && k < split->features->len; k++)
        if (!count_feature (counts, g_array_index (split->features, gint32, k), error))
          return FALSE;
    }
  return TRUE;
}

FLOW_NAMED_COMPUTE (count_features, 0, _flow_forest_tree.klass)

/* --- shapes ------------------------------------------------------------------------------------------------------------ */

/* As many rows as the dense input has, where that is known and not 0. */
static gint64
infer_rows (FlowInferContext *c)
{
  const FlowShape *dense = flow_infer_input (c, 1);

  return dense->rank > 0 && dense->dims[0] > 0 ? dense->dims[0] : FLOW_DIM_UNKNOWN;
}

static gboolean
predict_infer (FlowInferContext  *c,
               GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (infer_rows (c), FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
traverse_infer (FlowInferContext  *c,
                GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (infer_rows (c)));
  return TRUE;
}

static gboolean
features_infer (FlowInferContext  *c,
                GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* --- the table --------------------------------------------------------------------------------------------------------- */

#define TREE_OP(op, ins, outs, ats, func, infer_func, text)                                                  \
  { .name = op, .inputs = "tree_handle: resource" ins, .outputs = outs, .attrs = ats, .summary = text,       \
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,                          \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }
#define TREE_OP_OF(op, ins, outs, ats, func, infer_func, text)                                               \
  { .name = op, .inputs = "tree_handle: resource" ins, .outputs = outs, .attrs = ats, .summary = text,       \
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,                          \
    .kernels = (const FlowKernelDef[]) {                                                                     \
      { NULL, func, _flow_forest_attrs_construct, _flow_forest_attrs_destruct }, { NULL } } }
#define DATA "; input_data: float; sparse_input_indices: int64; sparse_input_values: float; sparse_input_shape: int64"

static const FlowOpDef ops[] = {
  TREE_OP_OF ("CreateTreeVariable", "; tree_config: string", "", "params: string", create_compute, flow_infer_no_outputs,
              "Makes a tree"),
  { .name = "DecisionTreeResourceHandleOp", .inputs = "", .outputs = "resource: resource",
    .attrs = "container: string = ''; shared_name: string = ''", .summary = "Names a tree", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }, { NULL } } },
  TREE_OP_OF ("FeatureUsageCounts", "", "feature_counts: int32", "params: string", count_features_compute, features_infer,
              "How often a tree asks for each feature"),
  TREE_OP_OF ("TraverseTreeV4", DATA, "leaf_ids: int32", "input_spec: string; params: string", traverse_compute,
              traverse_infer, "The leaf of each example"),
  TREE_OP_OF ("TreeDeserialize", "; tree_config: string", "", "params: string", _flow_forest_tree_deserialize_compute, flow_infer_no_outputs,
              "Puts another tree in the place of one"),
  TREE_OP ("TreeIsInitializedOp", "", "is_initialized: bool", "", is_initialized_compute, flow_infer_scalar_shape,
           "Whether a tree was made"),
  TREE_OP_OF ("TreePredictionsV4", DATA, "predictions: float; tree_paths: string", "input_spec: string; params: string",
              predict_compute, predict_infer, "What a tree says of each example"),
  TREE_OP ("TreeSerialize", "", "tree_config: string", "", _flow_forest_tree_serialize_compute, flow_infer_scalar_shape, "A tree as bytes"),
  TREE_OP ("TreeSize", "", "tree_size: int32", "", _flow_forest_tree_put_size_compute, flow_infer_scalar_shape, "How many nodes a tree has"),
  TREE_OP_OF ("UpdateModelV4", "; leaf_ids: int32; input_labels: float; input_weights: float", "", "params: string",
              update_compute, flow_infer_no_outputs, "Counts examples in the leaves that they came to"),
};

FLOW_DEFINE_OP_FAMILY (forest_tree, ops)
