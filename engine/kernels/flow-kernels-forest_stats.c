/* flow-kernels-forest_stats.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * How the trees of tf.contrib's forests grow: what is known of their leaves is kept beside them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"
#include "flow-forest-leaves-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

static const FlowForestParams *
params_of (FlowKernelContext *c)
{
  return ((const FlowForestAttrs *) flow_kernel_data (c))->params;
}

/* --- making, saving, loading ------------------------------------------------------------------------------------------ */

FLOW_NAMED_KERNELS (_flow_forest_stats_class, FlowForestStats)

/* What input 1 says; where that is nothing, the first leaf begins. */
static FlowForestLeaves *
read_leaves (FlowKernelContext       *c,
             const FlowForestParams  *params,
             GError                 **error)
{
  const FlowTensor *config = flow_kernel_input (c, 1);
  g_autoptr (FlowForestLeaves) leaves = _flow_forest_leaves_new ();
  Text text;

  if (!flow_is_scalar (config))
    {
      _flow_refuse (error, "Stats config must be a scalar.");
      return NULL;
    }
  text = text_at (config, 0);
  /* An empty leaf is two bytes there and some tables here. */
  if (text.length > G_MAXINT32 || !reserve_text (c, text.length * (sizeof (FlowForestSlot) / 2), error) ||
      !reserve_text (c, (gsize) params->n_outputs * sizeof (float), error) || !_flow_forest_leaves_parse (leaves, params, text, error))
    return NULL;
  if (g_hash_table_size (leaves->slots) > 0)
    return g_steal_pointer (&leaves);
  if (!_flow_forest_slot_check (params, 0, error))
    return NULL;
  _flow_forest_leaves_put (leaves, 0, _flow_forest_slot_new (params, 0));
  return g_steal_pointer (&leaves);
}

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autofree FlowForestParams *params = g_memdup2 (params_of (c), sizeof (FlowForestParams));
  g_autoptr (FlowForestLeaves) leaves = read_leaves (c, params, error);
  FlowForestStats *made = leaves == NULL ? NULL : _flow_named_alloc (c, &_flow_forest_stats_class, sizeof (FlowForestStats), error);

  if (made == NULL)
    return FALSE;
  made->params = g_steal_pointer (&params);
  made->leaves = g_steal_pointer (&leaves);
  return _flow_named_publish (c, &made->parent, error);
}

static gboolean
deserialize (FlowKernelContext  *c,
             gpointer            resource,
             GError            **error)
{
  FlowForestStats *self = resource;
  FlowForestLeaves *leaves = read_leaves (c, self->params, error);

  if (leaves == NULL)
    return FALSE;
  _flow_forest_stats_replace (c, self, leaves);
  return TRUE;
}

FLOW_NAMED_COMPUTE (deserialize, 0, _flow_forest_stats_class)

static gboolean
serialize (FlowKernelContext  *c,
           gpointer            resource,
           GError            **error)
{
  FlowForestStats *self = resource;

  return _flow_named_put_text (c, 0, _flow_forest_leaves_write (self->leaves, error));
}

FLOW_NAMED_COMPUTE (serialize, 0, _flow_forest_stats_class)

/* --- examples come ----------------------------------------------------------------------------------------------------- */

/* A candidate for @slot: one of the example's features, by lot, and what the example has of it. */
static FlowForestSplit *
draw_split (const FlowForestSlot  *slot,
            const FlowForestData  *data,
            gint64                 example,
            FlowPhiloxStream      *stream,
            GError               **error)
{
  const gint32 n_dense = data->spec->n_dense;
  const gboolean has_sparse = data->indices != NULL;
  gint64 n_sparse = 0;
  const gint64 first = has_sparse ? _flow_forest_data_sparse (data, example, &n_sparse) : 0;
  g_autoptr (FlowForestSplit) split = NULL;
  FlowForestValue value = { 0, TRUE };
  gint32 type = data->spec->sparse_type;
  gint64 feature;

  /* TF: ends itself, or reads elsewhere. */
  if (n_dense + n_sparse <= 0 || n_dense + n_sparse > G_MAXINT32)
    {
      _flow_refuse (error, "example %" G_GINT64_FORMAT " has no features", example);
      return NULL;
    }
  feature = _flow_draw_below (stream, (guint32) (n_dense + n_sparse));
  if (feature < (gint64) data->spec->types->len)
    {
      type = g_array_index (data->spec->types, gint32, feature);
    }
  else if (feature >= n_dense && data->spec->has_sparse)
    {
      feature = FLOW_DATA (gint64, data->indices)[2 * (first + feature - n_dense) + 1] + n_dense;
    }
  else
    {
      _flow_refuse (error, "input_spec has no feature %" G_GINT64_FORMAT, feature);
      return NULL;
    }
  if (feature < 0 || feature > G_MAXINT32 || type < 0 || type > 1)
    {
      _flow_refuse (error, "Unknown feature type %d, not sure which node type to use.", type);
      return NULL;
    }
  split = _flow_forest_split_new (type == 0 ? FLOW_FOREST_INEQUALITY : FLOW_FOREST_MATCHING);
  split->feature = (gint32) feature;
  if (!_flow_forest_data_value (data, example, split->feature, &value.number, error))
    return NULL;
  if (type == 0)
    {
      split->threshold = value;
      split->order = slot->params->inequality_type;
      return g_steal_pointer (&split);
    }
  split->values = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
  g_array_append_val (split->values, value);
  return g_steal_pointer (&split);
}

/* The first examples of a leaf make candidates, the others are counted. */
static gboolean
add_example (FlowForestSlot          *slot,
             const FlowForestData    *data,
             const FlowForestTarget  *target,
             gint64                   example,
             FlowPhiloxStream        *stream,
             GError                 **error)
{
  g_autoptr (FlowForestSplit) split = NULL;

  if (_flow_forest_slot_is_initialized (slot))
    return _flow_forest_slot_add_example (slot, data, target, example, error);
  split = draw_split (slot, data, example, stream, error);
  return split != NULL && _flow_forest_slot_add_split (slot, split, data, target, example, error);
}

enum { TREE, STATS, DATA, LABELS = 6, WEIGHTS, LEAF_IDS };

static gboolean
add_examples (FlowKernelContext     *c,
              FlowForestLeaves                *leaves,
              const FlowForestData  *data,
              FlowIntMap            *finished,
              GError               **error)
{
  const FlowTensor *leaf_ids = flow_kernel_input (c, LEAF_IDS);
  const gint64 seed = flow_kernel_attr_int (c, "random_seed");
  guint64 seeds[2] = { (guint64) (gint64) (gint32) seed, 0 };
  g_autoptr (GHashTable) owned = g_hash_table_new (NULL, NULL);
  FlowForestTarget target;
  FlowPhiloxStream stream;
  FlowPhilox generator;

  FLOW_REQUIRE (leaf_ids->n_elements >= data->n, error, INVALID_ARGUMENT, "%" G_GINT64_FORMAT " leaf_ids are not enough for %"
                G_GINT64_FORMAT " examples", leaf_ids->n_elements, data->n);
  if (!_flow_forest_target_init (&target, params_of (c), flow_kernel_input (c, LABELS), flow_kernel_input (c, WEIGHTS),
                                 data->n, error))
    return FALSE;
  if (seeds[0] == 0)
    c->host->draw_seed (c->host_data, c->node_name, seeds);
  flow_philox_init (&generator, seeds[0], 0);
  flow_philox_stream_init (&stream, &generator);
  for (gint64 i = 0; i < data->n; i++)
    {
      const gint32 node = FLOW_DATA (gint32, leaf_ids)[i];
      FlowForestSlot *slot = _flow_forest_leaves_find (leaves, node, error);

      if (slot == NULL || ((i & 0xff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error)))
        return FALSE;
      if (g_hash_table_add (owned, GINT_TO_POINTER (node)))
        {
          slot = _flow_forest_slot_copy (slot);
          _flow_forest_leaves_put (leaves, node, slot);
        }
      if (!add_example (slot, data, &target, i, &stream, error))
        return FALSE;
      if (_flow_forest_slot_is_finished (slot))
        _flow_int_map_set (finished, node, 0);
    }
  return TRUE;
}

static gboolean
put_finished (FlowKernelContext  *c,
              const FlowIntMap   *finished,
              GError            **error)
{
  const gint64 n = _flow_int_map_size (finished);
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 1, &n, error);
  gint32 at = -1;

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    _flow_int_map_next (finished, &at, &FLOW_WRITABLE (gint32, out)[i], NULL);
  return TRUE;
}

static gboolean
process (FlowKernelContext  *c,
         gpointer            resource,
         GError            **error)
{
  FlowForestStats *self = resource;
  const FlowForestAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowIntMap) finished = _flow_int_map_new ();
  g_autoptr (FlowForestLeaves) leaves = NULL;
  FlowForestTree *tree = flow_kernel_lookup_handle (c, TREE, &_flow_forest_tree.klass, error);
  FlowForestData data;

  if (tree == NULL)
    return FALSE;
  flow_resource_unref (tree);
  FLOW_REQUIRE (!attrs->params->collates, error, UNIMPLEMENTED, "examples are not collated here");
  if (!_flow_forest_data_init (&data, attrs->spec, c, DATA, error))
    return FALSE;
  leaves = _flow_forest_leaves_copy (self->leaves);
  if (!add_examples (c, leaves, &data, finished, error) || !put_finished (c, finished, error))
    return FALSE;
  _flow_forest_stats_replace (c, self, g_steal_pointer (&leaves));
  return TRUE;
}

FLOW_NAMED_COMPUTE (process, STATS, _flow_forest_stats_class)

/* --- leaves split ------------------------------------------------------------------------------------------------------ */

/* What the leaf of a side says, by what was counted there. */
static gboolean
export_leaf (const FlowForestTree  *tree,
             FlowForestBest        *best,
             guint                  side,
             gboolean               of_numbers,
             FlowForestLeaf        *leaf,
             GError               **error)
{
  const gboolean wants_dense = tree->leaf_type == FLOW_FOREST_LEAF_DENSE ||
                               (tree->leaf_type == FLOW_FOREST_LEAF_EITHER && best->leaves[side].kind == FLOW_FOREST_DENSE_LEAF);

  if (tree->leaf_type == FLOW_FOREST_LEAF_REGRESSION)
    {
      const GArray *sums = best->leaves[side].dense;

      FLOW_REQUIRE (of_numbers && sums != NULL && sums->len >= (guint) tree->n_outputs, error, INVALID_ARGUMENT,
                    "a leaf of numbers cannot be made of counts of classes");
      leaf->kind = FLOW_FOREST_DENSE_LEAF;
      leaf->dense = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
      for (gint32 i = 0; i < tree->n_outputs; i++)
        {
          const FlowForestValue mean = { g_array_index (sums, FlowForestValue, i).number / best->weights[side], TRUE };

          g_array_append_val (leaf->dense, mean);
        }
      return TRUE;
    }
  /* TF: what was not counted in this way is nothing. */
  leaf->kind = wants_dense ? FLOW_FOREST_DENSE_LEAF : FLOW_FOREST_SPARSE_LEAF;
  if (wants_dense && !of_numbers)
    leaf->dense = g_steal_pointer (&best->leaves[side].dense);
  else if (!wants_dense)
    leaf->sparse = g_steal_pointer (&best->leaves[side].sparse);
  return TRUE;
}

static gboolean
split_node (GArray                *nodes,
            const FlowForestTree  *tree,
            gint32                 id,
            FlowForestBest        *best,
            gboolean               of_numbers,
            GError               **error)
{
  const gint32 first = (gint32) nodes->len;
  FlowForestNode *node = _flow_forest_node (nodes, id);

  /* TF: writes elsewhere. */
  FLOW_REQUIRE (node != NULL, error, INVALID_ARGUMENT, "the tree has no node %d", id);
  g_array_set_size (nodes, nodes->len + 2);
  for (guint side = 0; side < 2; side++)
    {
      FlowForestNode *child = _flow_forest_node (nodes, first + (gint64) side);

      child->id = (FlowForestId) { TRUE, first + (gint32) side };
      child->is_leaf = TRUE;
      if (!export_leaf (tree, best, side, of_numbers, &child->leaf, error))
        return FALSE;
    }
  node = _flow_forest_node (nodes, id);
  _flow_forest_leaf_clear (&node->leaf);
  node->is_leaf = FALSE;
  g_clear_pointer (&node->split, _flow_forest_split_unref);
  node->split = g_steal_pointer (&best->split);
  node->left = (FlowForestId) { TRUE, first };
  node->right = (FlowForestId) { TRUE, first + 1 };
  return TRUE;
}

/* A leaf that no candidate splits begins anew. */
static gboolean
grow_leaf (GArray                *nodes,
           const FlowForestTree  *tree,
           FlowForestLeaves                *leaves,
           gint32                 id,
           GError               **error)
{
  g_auto (FlowForestBest) best = { 0 };
  const FlowForestSlot *slot = _flow_forest_leaves_find (leaves, id, error);
  const FlowForestParams *params = slot != NULL ? slot->params : NULL;
  const gint32 first = (gint32) nodes->len;
  gint32 depth;

  if (slot == NULL)
    return FALSE;
  depth = slot->depth;
  if (!_flow_forest_slot_find_best (slot, &best))
    {
      _flow_forest_leaves_remove (leaves, id);
      _flow_forest_leaves_put (leaves, id, _flow_forest_slot_new (params, depth));
      return TRUE;
    }
  if (!split_node (nodes, tree, id, &best, params->stats_type == FLOW_FOREST_STATS_REGRESSION, error) ||
      !_flow_forest_slot_check (params, depth + 1, error))
    return FALSE;
  for (gint32 i = 0; i < 2; i++)
    _flow_forest_leaves_put (leaves, first + i, _flow_forest_slot_new (params, depth + 1));
  _flow_forest_leaves_remove (leaves, id);
  return TRUE;
}

static gboolean
grow_tree (FlowKernelContext  *c,
           FlowForestStats              *self,
           FlowForestTree     *tree,
           GError            **error)
{
  const FlowTensor *finished = flow_kernel_input (c, 2);
  g_autoptr (GArray) nodes = _flow_forest_tree_copy (tree->nodes);
  g_autoptr (FlowForestLeaves) leaves = _flow_forest_leaves_copy (self->leaves);

  FLOW_REQUIRE (flow_is_vector (finished), error, INVALID_ARGUMENT, "finished_nodes must be a vector");
  for (gint64 i = 0; i < finished->n_elements && (gint64) nodes->len < params_of (c)->max_nodes; i++)
    if (!grow_leaf (nodes, tree, leaves, FLOW_DATA (gint32, finished)[i], error))
      return FALSE;
  _flow_forest_stats_replace (c, self, g_steal_pointer (&leaves));
  _flow_forest_tree_replace (c, tree, g_steal_pointer (&nodes));
  return TRUE;
}

static gboolean
grow (FlowKernelContext  *c,
      gpointer            resource,
      GError            **error)
{
  FlowForestStats *self = resource;
  FlowForestTree *tree = flow_kernel_lookup_handle (c, TREE, &_flow_forest_tree.klass, error);
  gboolean ok;

  if (tree == NULL)
    return FALSE;
  ok = grow_tree (c, self, tree, error);
  flow_resource_unref (tree);
  return ok;
}

FLOW_NAMED_COMPUTE (grow, STATS, _flow_forest_stats_class)

/* --- the end ----------------------------------------------------------------------------------------------------------- */

static gboolean
finalize_tree (FlowKernelContext  *c,
               gpointer            resource,
               GError            **error)
{
  FlowForestTree *tree = resource;
  FlowForestStats *stats = flow_kernel_lookup_handle (c, STATS, &_flow_forest_stats_class, error);

  if (stats == NULL)
    return FALSE;
  flow_resource_unref (stats);
  /* TF: ends itself with these words; leaves of numbers are as they should be. */
  for (guint i = 0; i < tree->nodes->len; i++)
    FLOW_REQUIRE (params_of (c)->is_regression || !_flow_forest_node (tree->nodes, i)->is_leaf, error, UNIMPLEMENTED,
                  "FinalizeTreeOp is disabled for now.");
  return TRUE;
}

FLOW_NAMED_COMPUTE (finalize_tree, TREE, _flow_forest_tree.klass)

static gboolean
process_infer (FlowInferContext  *c,
               GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* --- the table --------------------------------------------------------------------------------------------------------- */

#define STATS_OP(op, ins, outs, ats, func, infer_func, text)                                                 \
  { .name = op, .inputs = ins, .outputs = outs, .attrs = ats "params: string", .summary = text,              \
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,                          \
    .kernels = (const FlowKernelDef[]) {                                                                     \
      { NULL, func, _flow_forest_attrs_construct, _flow_forest_attrs_destruct }, { NULL } } }
#define HANDLE "stats_handle: resource"
#define HANDLES "tree_handle: resource; stats_handle: resource"

static const FlowOpDef ops[] = {
  STATS_OP ("CreateFertileStatsVariable", HANDLE "; stats_config: string", "", "", create_compute, flow_infer_no_outputs,
            "Makes what is known of a tree's leaves"),
  STATS_OP ("FertileStatsDeserialize", HANDLE "; stats_config: string", "", "", deserialize_compute, flow_infer_no_outputs,
            "Puts what was saved in the place of what is known of a tree's leaves"),
  { .name = "FertileStatsIsInitializedOp", .inputs = HANDLE, .outputs = "is_initialized: bool", .attrs = "",
    .summary = "Whether there is a place for what is known of leaves", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, is_initialized_compute }, { NULL } } },
  { .name = "FertileStatsResourceHandleOp", .inputs = "", .outputs = "resource: resource",
    .attrs = "container: string = ''; shared_name: string = ''", .summary = "Names what is known of a tree's leaves",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }, { NULL } } },
  STATS_OP ("FertileStatsSerialize", HANDLE, "stats_config: string", "", serialize_compute, flow_infer_scalar_shape,
            "What is known of a tree's leaves as bytes"),
  STATS_OP ("FinalizeTree", HANDLES, "", "", finalize_tree_compute, flow_infer_no_outputs, "Ends the growth of a tree"),
  STATS_OP ("GrowTreeV4", HANDLES "; finished_nodes: int32", "", "", grow_compute, flow_infer_no_outputs,
            "Splits leaves that know enough"),
  { .name = "ProcessInputV4",
    .inputs = HANDLES "; input_data: float; sparse_input_indices: int64; sparse_input_values: float; "
              "sparse_input_shape: int64; input_labels: float; input_weights: float; leaf_ids: int32",
    .outputs = "finished_nodes: int32", .attrs = "random_seed: int; input_spec: string; params: string",
    .summary = "Shows examples to the leaves that they came to", .flags = FLOW_OP_STATEFUL | FLOW_OP_RANDOM,
    .family = FLOW_OP_FAMILY_STATE, .infer = process_infer,
    .kernels = (const FlowKernelDef[]) {
      { NULL, process_compute, _flow_forest_attrs_construct, _flow_forest_attrs_destruct }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (forest_stats, ops)
