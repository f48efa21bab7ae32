/* flow-kernels-forest_estimator.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The trees of TensorFlow's own forests, which are nodes of boosted trees: made, saved, loaded, asked.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-forest-resource-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"
#include "flow-trees-private.h"

/* --- the resource ---------------------------------------------------------------------------------------------------- */

static gsize
saved_bytes (gconstpointer saved)
{
  return ((const GArray *) saved)->len * sizeof (FlowTreeNode);
}

static GArray *
read_tree (FlowKernelContext     *c,
           const FlowForestTree  *of,
           GError               **error)
{
  GArray *tree;
  Text text;

  /* TF: ends itself. */
  if (!_flow_boosted_check_scalars (c, 1, 2, error))
    return NULL;
  text = text_at (flow_kernel_input (c, 1), 0);
  /* An empty node is two bytes there and a structure here. */
  if (text.length > G_MAXINT32 || !reserve_text (c, text.length * (sizeof (FlowTreeNode) / 2), error))
    return NULL;
  tree = _flow_tree_parse (text.bytes, text.length);
  if (tree == NULL)
    _flow_refuse (error, "Unable to parse tree config.");
  return tree;
}

static const FlowForestKind kind = {
  FLOW_FOREST_TREE_CLASS ("N10tensorflow24TensorForestTreeResourceE", saved_bytes), read_tree, _flow_tree_write
};

FLOW_FOREST_TREE_KERNELS (kind)

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  return _flow_forest_tree_create (c, &kind, 0, 0, error);
}

/* --- asking ----------------------------------------------------------------------------------------------------------- */

/* TF: trusts the tree to have an end, children that are there, and features that rows have. */
static const FlowTreeNode *
find_leaf (const GArray  *nodes,
           const float   *row,
           gint64         n_features,
           GError       **error)
{
  gint32 at = 0;

  for (guint steps = 0; steps <= nodes->len; steps++)
    {
      const FlowTreeNode *node = at >= 0 && at < (gint64) nodes->len ? &g_array_index (nodes, FlowTreeNode, at) : NULL;

      if (node == NULL || (node->kind != FLOW_TREE_LEAF && node->kind != FLOW_TREE_DENSE))
        {
          _flow_refuse (error, "the tree has no node %d, or it is neither a leaf nor a test", at);
          return NULL;
        }
      if (node->kind == FLOW_TREE_LEAF)
        return node;
      if (node->feature_id < 0 || node->feature_id >= n_features)
        {
          _flow_refuse (error, "the tree asks for feature %d of %" G_GINT64_FORMAT, node->feature_id, n_features);
          return NULL;
        }
      at = row[node->feature_id] <= node->dense_threshold ? node->left_id : node->right_id;
    }
  _flow_refuse (error, "the tree goes round in a circle");
  return NULL;
}

static gboolean
predict (FlowKernelContext  *c,
         gpointer            resource,
         GError            **error)
{
  FlowForestTree *self = resource;
  const FlowTensor *features = flow_kernel_input (c, 1);
  const gint64 n_logits = flow_kernel_attr_int (c, "logits_dimension");
  gint64 dims[2];
  FlowTensor *out;

  if (FLOW_RANK (features) != 2)
    return _flow_refuse_shapes (error, features, NULL, "dense_features must be a matrix, not of shape %s");
  FLOW_REQUIRE (n_logits >= 0 && n_logits <= G_MAXINT32, error, INVALID_ARGUMENT, "logits_dimension is %" G_GINT64_FORMAT,
                n_logits);
  dims[0] = FLOW_DIMS (features)[0];
  dims[1] = n_logits;
  out = flow_kernel_allocate_dims (c, 0, 2, dims, error);
  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < dims[0]; i++)
    {
      const float *row = FLOW_DATA (float, features) + i * FLOW_DIMS (features)[1];
      const FlowTreeNode *leaf = self->nodes->len > 0 ? find_leaf (self->nodes, row, FLOW_DIMS (features)[1], error) : NULL;
      const guint n = leaf != NULL && leaf->leaf.vector != NULL ? leaf->leaf.vector->len : 0;

      if (self->nodes->len > 0 && leaf == NULL)
        return FALSE;
      FLOW_REQUIRE (leaf == NULL || (gint64) n >= n_logits, error, INVALID_ARGUMENT,
                    "a leaf has %u values for %" G_GINT64_FORMAT " logits", n, n_logits);
      for (gint64 k = 0; k < n_logits; k++)
        FLOW_WRITABLE (float, out)[i * n_logits + k] = leaf != NULL ? g_array_index (leaf->leaf.vector, float, k) : 0;
    }
  return TRUE;
}

FLOW_NAMED_COMPUTE (predict, 0, kind.klass)

static gboolean
predict_infer (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) features = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &features, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (flow_shape_get_dim (features, 0),
                                                       MAX (flow_infer_attr_int (c, "logits_dimension"), 0)));
  return TRUE;
}

#define TREE_OP(op, ins, outs, ats, func, infer_func, text)                                                  \
  { .name = op, .inputs = "tree_handle: resource" ins, .outputs = outs, .attrs = ats, .summary = text,       \
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,                          \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }

static const FlowOpDef ops[] = {
  TREE_OP ("TensorForestCreateTreeVariable", "; tree_config: string", "", "", create_compute, flow_infer_no_outputs,
           "Makes a tree"),
  TREE_OP ("TensorForestTreeDeserialize", "; tree_config: string", "", "", _flow_forest_tree_deserialize_compute, flow_infer_no_outputs,
           "Puts another tree in the place of one"),
  TREE_OP ("TensorForestTreeIsInitializedOp", "", "is_initialized: bool", "", is_initialized_compute,
           flow_infer_scalar_shape, "Whether a tree was made"),
  TREE_OP ("TensorForestTreePredict", "; dense_features: float", "logits: float", "logits_dimension: int", predict_compute,
           predict_infer, "What a tree says of each example"),
  { .name = "TensorForestTreeResourceHandleOp", .inputs = "", .outputs = "resource: resource",
    .attrs = "container: string = ''; shared_name: string = ''", .summary = "Names a tree", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }, { NULL } } },
  TREE_OP ("TensorForestTreeSerialize", "", "tree_config: string", "", _flow_forest_tree_serialize_compute, flow_infer_scalar_shape,
           "A tree as bytes"),
  TREE_OP ("TensorForestTreeSize", "", "tree_size: int32", "", _flow_forest_tree_put_size_compute, flow_infer_scalar_shape,
           "How many nodes a tree has"),
};

FLOW_DEFINE_OP_FAMILY (forest_estimator, ops)
