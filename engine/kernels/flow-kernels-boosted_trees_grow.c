/* flow-kernels-boosted_trees_grow.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ensembles of boosted trees grow by a layer, or move towards the mean of what is learned.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-model-private.h"
#include "flow-string-private.h"

#include <math.h>
#include <string.h>

/* --- growing ------------------------------------------------------------------------------------------------------ */

enum { PRUNE_NOT, PRUNE_BEFORE, PRUNE_AFTER };

/* Where the inputs of one op or the other stand; each list has n entries. */
typedef struct {
  guint n;
  const FlowTensor *feature_ids;
  guint dimensions;            /* 0: there are none */
  guint nodes;
  guint gains;
  guint thresholds;
  guint left;
  guint right;
  guint types;                 /* 0: there are none */
  gint32 max_depth;
  float learning_rate;
  int pruning;
} Update;

static gboolean
check_list (FlowKernelContext  *c,
            guint               first,
            guint               n,
            int                 rank,
            const char         *what,
            const char         *list,
            const Update       *update,
            GError            **error)
{
  for (guint i = 0; first > 0 && i < n; i++)
    {
      const FlowTensor *tensor = flow_kernel_input (c, first + i);
      g_autofree char *shape = flow_tensor_shape_text (tensor);

      FLOW_REQUIRE (FLOW_RANK (tensor) == rank, error, INVALID_ARGUMENT,
                    "Each %s in %s must be a %s, received shape %s at index %u", what, list, rank == 1 ? "vector" : "matrix",
                    shape, i);
      FLOW_REQUIRE (FLOW_DIMS (tensor)[0] >= flow_kernel_input (c, update->nodes + i)->n_elements &&
                    (rank == 1 || FLOW_DIMS (tensor)[1] >= 1 || FLOW_DIMS (tensor)[0] == 0), error, INVALID_ARGUMENT,
                    "Each %s in %s must have an entry for each node, received shape %s at index %u", what, list, shape, i);
    }
  return TRUE;
}

static gboolean
check_update (FlowKernelContext  *c,
              const Update       *u,
              GError            **error)
{
  if (!flow_is_vector (u->feature_ids))
    return _flow_refuse_shapes (error, u->feature_ids, NULL, "feature_ids must be a vector, received shape %s");
  FLOW_REQUIRE (u->feature_ids->n_elements >= u->n, error, INVALID_ARGUMENT, "feature_ids must have %u values, got %"
                G_GINT64_FORMAT, u->n, u->feature_ids->n_elements);
  return check_list (c, u->nodes, u->n, 1, "node_id", "node_ids_list", u, error) &&
         check_list (c, u->gains, u->n, 1, "gain", "gains_list", u, error) &&
         check_list (c, u->thresholds, u->n, 1, "threshold", "thresholds_list", u, error) &&
         check_list (c, u->dimensions, u->n, 1, "dimension_id", "dimension_ids_list", u, error) &&
         check_list (c, u->left, u->n, 2, "left_node_contribs", "left_node_contribs_list", u, error) &&
         check_list (c, u->right, u->n, 2, "right_node_contribs", "right_node_contribs_list", u, error) &&
         check_list (c, u->types, u->n, 1, "split_type", "split_types_list", u, error);
}

/* TF: a word that it does not know is the first of its kinds. */
static void
read_split_type (Text            text,
                 FlowTreeSplit  *split)
{
  g_autofree char *name = g_strndup (text.bytes, text.length);

  split->is_equality = strcmp (name, FLOW_SPLIT_EQUALITY_RIGHT) == 0;
  split->default_right = strcmp (name, FLOW_SPLIT_INEQUALITY_RIGHT) == 0;
}

/* Candidate @k of feature @i. */
static void
read_candidate (FlowKernelContext  *c,
                const Update       *u,
                guint               i,
                gint64              k,
                FlowTreeSplit      *split)
{
  const FlowTensor *left = flow_kernel_input (c, u->left + i);
  const FlowTensor *right = flow_kernel_input (c, u->right + i);

  *split = (FlowTreeSplit) {
    .node_id = FLOW_DATA (gint32, flow_kernel_input (c, u->nodes + i))[k],
    .feature_id = FLOW_DATA (gint32, u->feature_ids)[i],
    .gain = FLOW_DATA (float, flow_kernel_input (c, u->gains + i))[k],
    .threshold = FLOW_DATA (gint32, flow_kernel_input (c, u->thresholds + i))[k],
    .dimension_id = u->dimensions > 0 ? FLOW_DATA (gint32, flow_kernel_input (c, u->dimensions + i))[k] : 0,
    .left = u->learning_rate * FLOW_DATA (float, left)[k * FLOW_DIMS (left)[1]],
    .right = u->learning_rate * FLOW_DATA (float, right)[k * FLOW_DIMS (right)[1]],
  };
  if (u->types > 0)
    read_split_type (text_at (flow_kernel_input (c, u->types + i), k), split);
}

static int
compare_splits (gconstpointer a,
                gconstpointer b)
{
  const FlowTreeSplit *x = a;
  const FlowTreeSplit *y = b;

  return x->node_id < y->node_id ? -1 : x->node_id > y->node_id;
}

/* The best split of each node, by node; among equal ones that of the lowest feature. */
static GArray *
find_best_splits (FlowKernelContext *c,
                  const Update      *u)
{
  GArray *best = g_array_new (FALSE, FALSE, sizeof (FlowTreeSplit));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < u->n; i++)
    for (gint64 k = 0; k < flow_kernel_input (c, u->nodes + i)->n_elements; k++)
      {
        FlowTreeSplit split;
        FlowTreeSplit *known = NULL;
        gpointer place;

        read_candidate (c, u, i, k, &split);
        if (g_hash_table_lookup_extended (places, GINT_TO_POINTER (split.node_id), NULL, &place))
          known = &g_array_index (best, FlowTreeSplit, GPOINTER_TO_UINT (place));
        if (known == NULL)
          {
            g_hash_table_insert (places, GINT_TO_POINTER (split.node_id), GUINT_TO_POINTER (best->len));
            g_array_append_val (best, split);
          }
        else if (fabsf (split.gain - known->gain) < FLOW_GAIN_TOLERANCE ? split.feature_id < known->feature_id
                 : _flow_gain_is_larger (split.gain, known->gain))
          {
            *known = split;
          }
      }
  g_array_sort (best, compare_splits);
  return best;
}

/* TF: an attempt counts for a tree where the first layer of one is built. */
static guint
count_attempt (FlowEnsemble *model)
{
  const guint n = flow_ensemble_n_trees (model);

  model->has_growing = TRUE;
  model->n_layers_attempted++;
  if (n == 0 || ((n == 1 || _flow_tree_metadata (model, n - 2)->is_finalized) && _flow_tree_n_nodes (model, n - 1) == 1))
    model->n_trees_attempted++;
  if (n > 0)
    return n - 1;
  _flow_ensemble_add_tree (model, 0);
  return 0;
}

static gboolean
finish_tree (FlowEnsemble *model,
             guint         tree,
             int           pruning)
{
  _flow_tree_edit_metadata (model, tree)->is_finalized = TRUE;
  if (pruning == PRUNE_AFTER && !_flow_tree_prune (model, tree))
    return FALSE;
  _flow_ensemble_add_tree (model, 0);
  return TRUE;
}

static gboolean
grow (FlowEnsemble  *model,
      const Update  *u,
      const GArray  *splits,
      GError       **error)
{
  const guint tree = count_attempt (model);
  gint32 begin = (gint32) _flow_tree_n_nodes (model, tree);
  gint32 n_layers = _flow_tree_metadata (model, tree)->n_layers + 1;
  gboolean any = FALSE;
  gint32 end;

  for (guint i = 0; i < splits->len; i++)
    {
      const FlowTreeSplit *split = &g_array_index (splits, FlowTreeSplit, i);

      if (u->pruning == PRUNE_BEFORE && split->gain < 0)
        continue;
      FLOW_REQUIRE (_flow_tree_split (model, tree, split), error, INVALID_ARGUMENT,
                    "Node %d of tree %u cannot be split: the tree has %u nodes", split->node_id, tree,
                    _flow_tree_n_nodes (model, tree));
      any = TRUE;
    }
  if (!any)
    return TRUE;
  end = (gint32) _flow_tree_n_nodes (model, tree);
  _flow_tree_edit_metadata (model, tree)->n_layers = n_layers;
  if (n_layers >= u->max_depth)
    {
      FLOW_REQUIRE (finish_tree (model, tree, u->pruning), error, INVALID_ARGUMENT, "Tree %u is no tree", tree);
      begin = 0;
      end = 1;
    }
  model->last_layer_begin = begin;
  model->last_layer_end = end;
  return TRUE;
}

static gboolean
update_ensemble (FlowKernelContext  *c,
                 FlowBoosted        *self,
                 const Update       *u,
                 GError            **error)
{
  g_autoptr (FlowEnsemble) model = NULL;
  g_autoptr (GArray) splits = NULL;

  if (!check_update (c, u, error))
    return FALSE;
  splits = find_best_splits (c, u);
  model = _flow_ensemble_copy (self->model);
  if (!grow (model, u, splits, error))
    return FALSE;
  _flow_boosted_replace_model (c, self, self->stamp + 1, g_steal_pointer (&model));
  return TRUE;
}

static gboolean
check_scalar (FlowKernelContext  *c,
              guint               i,
              const char         *name,
              GError            **error)
{
  g_autofree char *words = g_strdup_printf ("%s must be a scalar, got a tensor of shape %%s", name);

  return flow_is_scalar (flow_kernel_input (c, i)) || _flow_refuse_shapes (error, flow_kernel_input (c, i), NULL, words);
}

static gboolean
update_v1 (FlowKernelContext  *c,
           gpointer            resource,
           GError            **error)
{
  FlowBoosted *self = resource;
  const guint n = (guint) flow_kernel_attr_int (c, "num_features");
  const guint after = 2 + 5 * n;
  const Update update = {
    .n = n,
    .feature_ids = flow_kernel_input (c, 1),
    .nodes = 2,
    .gains = 2 + n,
    .thresholds = 2 + 2 * n,
    .left = 2 + 3 * n,
    .right = 2 + 4 * n,
    .max_depth = flow_is_scalar (flow_kernel_input (c, after)) ? *FLOW_DATA (gint32, flow_kernel_input (c, after)) : 0,
    .learning_rate = flow_is_scalar (flow_kernel_input (c, after + 1))
                     ? *FLOW_DATA (float, flow_kernel_input (c, after + 1)) : 0,
    .pruning = (int) flow_kernel_attr_int (c, "pruning_mode"),
  };

  return check_scalar (c, after, "max_depth", error) && check_scalar (c, after + 1, "learning_rate", error) &&
         update_ensemble (c, self, &update, error);
}

static gboolean
update_v1_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return _flow_boosted_with_ensemble (c, update_v1, error);
}

static gboolean
update_v2 (FlowKernelContext  *c,
           gpointer            resource,
           GError            **error)
{
  FlowBoosted *self = resource;
  const guint n = (guint) flow_kernel_attr_int (c, "num_features");
  const guint after = 2 + 7 * n;
  Update update = {
    .n = n,
    .feature_ids = flow_kernel_input (c, 1),
    .dimensions = 2,
    .nodes = 2 + n,
    .gains = 2 + 2 * n,
    .thresholds = 2 + 3 * n,
    .left = 2 + 4 * n,
    .right = 2 + 5 * n,
    .types = 2 + 6 * n,
  };

  if (!check_scalar (c, after, "max_depth", error) || !check_scalar (c, after + 1, "learning_rate", error)
      || !check_scalar (c, after + 2, "pruning_mode", error))
    return FALSE;
  update.max_depth = *FLOW_DATA (gint32, flow_kernel_input (c, after));
  update.learning_rate = *FLOW_DATA (float, flow_kernel_input (c, after + 1));
  update.pruning = *FLOW_DATA (gint32, flow_kernel_input (c, after + 2));
  return update_ensemble (c, self, &update, error);
}

static gboolean
update_v2_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return _flow_boosted_with_ensemble (c, update_v2, error);
}

/* Lists of @n from input @first on: @n_columns 0 vectors, else matrices; as long as the first list's. */
static gboolean
infer_list (FlowInferContext  *c,
            guint              first,
            guint              i,
            gint64             n_rows,
            gboolean           is_matrix,
            GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) asked = is_matrix ? flow_shape_new_matrix (n_rows, 1) : flow_shape_new_vector (n_rows);
  g_autoptr (FlowShape) merged = NULL;

  return flow_infer_with_rank (c, flow_infer_input (c, first + i), is_matrix ? 2 : 1, &shape, error) &&
         flow_infer_merge (c, flow_infer_input (c, first + i), asked, &merged, error);
}

static gboolean
update_infer (FlowInferContext  *c,
              GError           **error)
{
  const gint64 n = flow_infer_attr_int (c, "num_features");
  g_autoptr (FlowShape) ids = NULL;
  g_autoptr (FlowShape) all = flow_shape_new_vector (n);
  g_autoptr (FlowShape) merged = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &ids, error)
      || !flow_infer_merge (c, flow_infer_input (c, 1), all, &merged, error))
    return FALSE;
  for (guint i = 0; i < (guint) n; i++)
    {
      g_autoptr (FlowShape) first = NULL;
      gboolean is_v2 = c->n_inputs > 4 + 5 * (guint) n;
      gint64 n_rows;

      if (!flow_infer_with_rank (c, flow_infer_input (c, 2 + i), 1, &first, error))
        return FALSE;
      n_rows = flow_shape_get_dim (first, 0);
      for (guint list = 1; list < (is_v2 ? 7 : 5); list++)
        if (!infer_list (c, 2 + list * (guint) n, i, n_rows, list - (is_v2 ? 4 : 3) < 2, error))
          return FALSE;
    }
  return TRUE;
}

/* --- CenterBias -------------------------------------------------------------------------------------------------- */

#define MIN_DELTA 0.01f

static gboolean
center_bias (FlowKernelContext  *c,
             gpointer            resource,
             GError            **error)
{
  FlowBoosted *self = resource;
  const FlowTensor *gradients = flow_kernel_input (c, 1);
  const FlowTensor *hessians = flow_kernel_input (c, 2);
  g_autoptr (FlowEnsemble) model = NULL;
  gboolean go_on = TRUE;
  float weight;
  float gain;

  if (FLOW_RANK (gradients) != 2)
    return _flow_refuse_shapes (error, gradients, NULL, "mean_gradients must be a matrix, got a tensor of shape %s");
  if (!check_scalar (c, 3, "l1", error) || !check_scalar (c, 4, "l2", error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (gradients)[1] == 1, error, INTERNAL, "Expected logits_dim == 1, got %" G_GINT64_FORMAT,
                FLOW_DIMS (gradients)[1]);
  FLOW_REQUIRE (gradients->n_elements > 0 && hessians->n_elements > 0, error, INVALID_ARGUMENT,
                "mean_gradients and mean_hessians must not be empty");
  if (!_flow_weigh_split (FLOW_DATA (float, gradients), FLOW_DATA (float, hessians), 1, 1,
                          *FLOW_DATA (float, flow_kernel_input (c, 3)), *FLOW_DATA (float, flow_kernel_input (c, 4)), &weight,
                          &gain))
    return _flow_refuse (error, "the hessians are of no use");
  model = _flow_ensemble_copy (self->model);
  if (flow_ensemble_n_trees (model) == 0)
    {
      _flow_ensemble_add_tree (model, weight);
    }
  else
    {
      const FlowTreeNode *root = _flow_tree_node (model, 0, 0);
      guint n = 0;
      const float *bias = root != NULL ? _flow_tree_node_value (root, &n) : NULL;

      FLOW_REQUIRE (n == 1, error, INTERNAL, "Expected current_biases.size() == 1, got %u", n);
      go_on = fabsf (weight / *bias) > MIN_DELTA;
      _flow_tree_set_leaf (model, 0, 0, *bias + weight);
    }
  flow_kernel_take_output (c, 0, flow_tensor_new_bool (go_on));
  _flow_boosted_replace_model (c, self, self->stamp + 1, g_steal_pointer (&model));
  return TRUE;
}

static gboolean
center_bias_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return _flow_boosted_with_ensemble (c, center_bias, error);
}

static gboolean
center_bias_infer (FlowInferContext  *c,
                   GError           **error)
{
  g_autoptr (FlowShape) gradients = NULL;
  g_autoptr (FlowShape) hessians = NULL;
  g_autoptr (FlowShape) merged = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  return flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &gradients, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 2), 2, &hessians, error) &&
         flow_infer_merge (c, gradients, hessians, &merged, error) && _flow_boosted_infer_scalars (c, 3, 5, error);
}

static const FlowOpDef ops[] = {
  FLOW_ENSEMBLE_OP ("BoostedTreesCenterBias", "; mean_gradients: float; mean_hessians: float; l1: float; l2: float",
               "continue_centering: bool", "", center_bias_compute, center_bias_infer,
               "Moves the first tree towards the mean of what is learned"),
  FLOW_ENSEMBLE_OP ("BoostedTreesUpdateEnsemble",
               "; feature_ids: int32; node_ids: num_features * int32; gains: num_features * float; "
               "thresholds: num_features * int32; left_node_contribs: num_features * float; "
               "right_node_contribs: num_features * float; max_depth: int32; learning_rate: float", "",
               "pruning_mode: int >= 0; num_features: int >= 0", update_v1_compute, update_infer,
               "Grows the last tree by a layer"),
  FLOW_ENSEMBLE_OP ("BoostedTreesUpdateEnsembleV2",
               "; feature_ids: int32; dimension_ids: num_features * int32; node_ids: num_features * int32; "
               "gains: num_features * float; thresholds: num_features * int32; left_node_contribs: num_features * float; "
               "right_node_contribs: num_features * float; split_types: num_features * string; max_depth: int32; "
               "learning_rate: float; pruning_mode: int32", "", "num_features: int >= 0", update_v2_compute, update_infer,
               "Grows the last tree by a layer of any kind of split"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_grow, ops)
