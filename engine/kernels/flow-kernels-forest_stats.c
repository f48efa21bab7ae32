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
#include "flow-forest-slot-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

/* --- the resource ---------------------------------------------------------------------------------------------------- */

/* What is known of each leaf that may grow, by its node. */
typedef struct {
  FlowIntMap *order;
  GHashTable *slots;           /* node: FlowForestSlot */
} Leaves;

typedef struct {
  FlowResource parent;
  FlowForestParams *params;
  Leaves *leaves;              /* never changes: what writes takes another's place */
} Stats;

static void
slot_unref (gpointer slot)
{
  _flow_forest_slot_unref (slot);
}

static Leaves *
leaves_new (void)
{
  Leaves *self = g_new (Leaves, 1);

  self->order = _flow_int_map_new ();
  self->slots = g_hash_table_new_full (NULL, NULL, NULL, slot_unref);
  return self;
}

static void
leaves_free (gpointer data)
{
  Leaves *self = data;

  _flow_int_map_free (self->order);
  g_hash_table_unref (self->slots);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Leaves, leaves_free)

/* Takes @slot. */
static void
leaves_put (Leaves         *self,
            gint32          node,
            FlowForestSlot *slot)
{
  _flow_int_map_set (self->order, node, 0);
  g_hash_table_replace (self->slots, GINT_TO_POINTER (node), slot);
}

static void
leaves_remove (Leaves *self,
               gint32  node)
{
  _flow_int_map_remove (self->order, node);
  g_hash_table_remove (self->slots, GINT_TO_POINTER (node));
}

static FlowForestSlot *
leaves_find (const Leaves  *self,
             gint32         node,
             GError       **error)
{
  FlowForestSlot *slot = g_hash_table_lookup (self->slots, GINT_TO_POINTER (node));

  /* TF: ends itself. */
  if (slot == NULL)
    _flow_refuse (error, "nothing is known of node %d: it is no leaf that grows", node);
  return slot;
}

static Leaves *
leaves_copy (const Leaves *self)
{
  Leaves *copy = g_new (Leaves, 1);
  GHashTableIter iter;
  gpointer node;
  gpointer slot;

  copy->order = _flow_int_map_copy (self->order);
  copy->slots = g_hash_table_new_full (NULL, NULL, NULL, slot_unref);
  g_hash_table_iter_init (&iter, self->slots);
  while (g_hash_table_iter_next (&iter, &node, &slot))
    g_hash_table_insert (copy->slots, node, _flow_forest_slot_ref (slot));
  return copy;
}

static GBytes *
leaves_write (const Leaves  *self,
              GError       **error)
{
  FlowProtoWriter w;
  gint32 at = -1;
  gint32 node;

  flow_proto_writer_init (&w);
  while (_flow_int_map_next (self->order, &at, &node, NULL))
    _flow_forest_slot_write (g_hash_table_lookup (self->slots, GINT_TO_POINTER (node)), &w, node);
  return flow_proto_writer_finish (&w, error);
}

static void
stats_finalize (FlowResource *resource)
{
  /* A resource that is only a name has neither. */
  g_clear_pointer (&((Stats *) resource)->leaves, leaves_free);
  g_clear_pointer (&((Stats *) resource)->params, g_free);
}

static gpointer
stats_save (FlowResource *resource)
{
  return leaves_copy (((Stats *) resource)->leaves);
}

static void
stats_restore (FlowResource  *resource,
               gconstpointer  saved)
{
  Stats *self = (Stats *) resource;
  Leaves *leaves = leaves_copy (saved);

  leaves_free (self->leaves);
  self->leaves = leaves;
}

static gsize
saved_bytes (gconstpointer saved)
{
  GHashTableIter iter;
  gpointer slot;
  gsize n = 0;

  g_hash_table_iter_init (&iter, ((const Leaves *) saved)->slots);
  while (g_hash_table_iter_next (&iter, NULL, &slot))
    n += _flow_forest_slot_bytes (slot);
  return n;
}

static void
stats_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  g_autoptr (GBytes) bytes = leaves_write (((Stats *) resource)->leaves, NULL);
  g_autoptr (FlowTensor) text = NULL;

  if (bytes == NULL)
    return;
  text = flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  visitor ("leaves", text, data);
}

static char *
stats_describe (FlowResource *resource)
{
  return g_strdup_printf ("Leaves[size=%u]", g_hash_table_size (((Stats *) resource)->leaves->slots));
}

static const FlowResourceClass stats_class = {
  .type_name = "N10tensorflow12tensorforest20FertileStatsResourceE",
  .finalize = stats_finalize,
  .save = stats_save,
  .restore = stats_restore,
  .saved_free = leaves_free,
  .saved_bytes = saved_bytes,
  .visit = stats_visit,
  .describe = stats_describe,
};

/* Takes @leaves. */
static void
stats_replace (FlowKernelContext *c,
               Stats             *self,
               Leaves            *leaves)
{
  flow_kernel_will_write (c, self);
  leaves_free (self->leaves);
  self->leaves = leaves;
  flow_kernel_wrote (c, self);
}

static const FlowForestParams *
params_of (FlowKernelContext *c)
{
  return ((const FlowForestAttrs *) flow_kernel_data (c))->params;
}

/* --- making, saving, loading ------------------------------------------------------------------------------------------ */

static gboolean
handle_compute (FlowKernelContext  *c,
                GError            **error)
{
  return _flow_boosted_put_handle (c, &stats_class, sizeof (Stats), error);
}

static gboolean
is_initialized_compute (FlowKernelContext  *c,
                        GError            **error)
{
  return _flow_boosted_is_initialized (c, &stats_class, error);
}

/* Node and depth of a slot, which stand behind what depends on them. */
static void
read_place (FlowProtoReader  r,
            gint32          *node,
            gint32          *depth)
{
  enum { SLOT_NODE = 5, SLOT_DEPTH = 7 };

  while (flow_proto_reader_next (&r))
    if (r.field == SLOT_NODE)
      flow_proto_reader_get_int32 (&r, node);
    else if (r.field == SLOT_DEPTH)
      flow_proto_reader_get_int32 (&r, depth);
}

static gboolean
parse_leaves (Leaves                  *leaves,
              const FlowForestParams  *params,
              Text                     text,
              GError                 **error)
{
  FlowProtoReader r;
  FlowProtoReader slot;

  flow_proto_reader_init (&r, text.bytes, text.length);
  while (flow_proto_reader_next (&r))
    {
      g_autoptr (FlowForestSlot) made = NULL;
      gint32 node = 0;
      gint32 depth = 0;

      if (r.field != 1 || !flow_proto_reader_enter (&r, &slot))
        continue;
      read_place (slot, &node, &depth);
      if (!_flow_forest_slot_check (params, depth, error))
        return FALSE;
      made = _flow_forest_slot_new (params, depth);
      if (!_flow_forest_slot_parse (made, &slot))
        return _flow_refuse (error, "Unable to parse stats config.");
      leaves_put (leaves, node, g_steal_pointer (&made));
    }
  return !flow_proto_reader_failed (&r) || _flow_refuse (error, "Unable to parse stats config.");
}

/* What input 1 says; where that is nothing, the first leaf begins. */
static Leaves *
read_leaves (FlowKernelContext       *c,
             const FlowForestParams  *params,
             GError                 **error)
{
  const FlowTensor *config = flow_kernel_input (c, 1);
  g_autoptr (Leaves) leaves = leaves_new ();
  Text text;

  if (!flow_is_scalar (config))
    {
      _flow_refuse (error, "Stats config must be a scalar.");
      return NULL;
    }
  text = text_at (config, 0);
  /* An empty leaf is two bytes there and some tables here. */
  if (text.length > G_MAXINT32 || !reserve_text (c, text.length * (sizeof (FlowForestSlot) / 2), error) ||
      !reserve_text (c, (gsize) params->n_outputs * sizeof (float), error) || !parse_leaves (leaves, params, text, error))
    return NULL;
  if (g_hash_table_size (leaves->slots) > 0)
    return g_steal_pointer (&leaves);
  if (!_flow_forest_slot_check (params, 0, error))
    return NULL;
  leaves_put (leaves, 0, _flow_forest_slot_new (params, 0));
  return g_steal_pointer (&leaves);
}

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autofree FlowForestParams *params = g_memdup2 (params_of (c), sizeof (FlowForestParams));
  g_autoptr (Leaves) leaves = read_leaves (c, params, error);
  Stats *made = leaves == NULL ? NULL : _flow_boosted_alloc (c, &stats_class, sizeof (Stats), error);

  if (made == NULL)
    return FALSE;
  made->params = g_steal_pointer (&params);
  made->leaves = g_steal_pointer (&leaves);
  return _flow_boosted_publish (c, &made->parent, error);
}

typedef gboolean (*StatsFunc) (FlowKernelContext *c, Stats *self, GError **error);

static gboolean
with_stats (FlowKernelContext  *c,
            guint               input,
            StatsFunc           func,
            GError            **error)
{
  Stats *self = flow_kernel_lookup_handle (c, input, &stats_class, error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = func (c, self, error);
  flow_resource_unref (self);
  return ok;
}

static gboolean
deserialize (FlowKernelContext  *c,
             Stats              *self,
             GError            **error)
{
  Leaves *leaves = read_leaves (c, self->params, error);

  if (leaves == NULL)
    return FALSE;
  stats_replace (c, self, leaves);
  return TRUE;
}

static gboolean
deserialize_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return with_stats (c, 0, deserialize, error);
}

static gboolean
serialize (FlowKernelContext  *c,
           Stats              *self,
           GError            **error)
{
  g_autoptr (GBytes) bytes = leaves_write (self->leaves, error);

  if (bytes == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes)));
  return TRUE;
}

static gboolean
serialize_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return with_stats (c, 0, serialize, error);
}

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
              Leaves                *leaves,
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
      FlowForestSlot *slot = leaves_find (leaves, node, error);

      if (slot == NULL || ((i & 0xff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error)))
        return FALSE;
      if (g_hash_table_add (owned, GINT_TO_POINTER (node)))
        {
          slot = _flow_forest_slot_copy (slot);
          leaves_put (leaves, node, slot);
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
         Stats              *self,
         GError            **error)
{
  const FlowForestAttrs *attrs = flow_kernel_data (c);
  g_autoptr (FlowIntMap) finished = _flow_int_map_new ();
  g_autoptr (Leaves) leaves = NULL;
  FlowForestTree *tree = flow_kernel_lookup_handle (c, TREE, &_flow_forest_tree_class, error);
  FlowForestData data;

  if (tree == NULL)
    return FALSE;
  flow_resource_unref (tree);
  FLOW_REQUIRE (!attrs->params->collates, error, UNIMPLEMENTED, "examples are not collated here");
  if (!_flow_forest_data_init (&data, attrs->spec, c, DATA, error))
    return FALSE;
  leaves = leaves_copy (self->leaves);
  if (!add_examples (c, leaves, &data, finished, error) || !put_finished (c, finished, error))
    return FALSE;
  stats_replace (c, self, g_steal_pointer (&leaves));
  return TRUE;
}

static gboolean
process_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return with_stats (c, STATS, process, error);
}

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
           Leaves                *leaves,
           gint32                 id,
           GError               **error)
{
  g_auto (FlowForestBest) best = { 0 };
  const FlowForestSlot *slot = leaves_find (leaves, id, error);
  const FlowForestParams *params = slot != NULL ? slot->params : NULL;
  const gint32 first = (gint32) nodes->len;
  gint32 depth;

  if (slot == NULL)
    return FALSE;
  depth = slot->depth;
  if (!_flow_forest_slot_find_best (slot, &best))
    {
      leaves_remove (leaves, id);
      leaves_put (leaves, id, _flow_forest_slot_new (params, depth));
      return TRUE;
    }
  if (!split_node (nodes, tree, id, &best, params->stats_type == FLOW_FOREST_STATS_REGRESSION, error) ||
      !_flow_forest_slot_check (params, depth + 1, error))
    return FALSE;
  for (gint32 i = 0; i < 2; i++)
    leaves_put (leaves, first + i, _flow_forest_slot_new (params, depth + 1));
  leaves_remove (leaves, id);
  return TRUE;
}

static gboolean
grow_tree (FlowKernelContext  *c,
           Stats              *self,
           FlowForestTree     *tree,
           GError            **error)
{
  const FlowTensor *finished = flow_kernel_input (c, 2);
  g_autoptr (GArray) nodes = _flow_forest_tree_copy (tree->nodes);
  g_autoptr (Leaves) leaves = leaves_copy (self->leaves);

  FLOW_REQUIRE (flow_is_vector (finished), error, INVALID_ARGUMENT, "finished_nodes must be a vector");
  for (gint64 i = 0; i < finished->n_elements && (gint64) nodes->len < params_of (c)->max_nodes; i++)
    if (!grow_leaf (nodes, tree, leaves, FLOW_DATA (gint32, finished)[i], error))
      return FALSE;
  stats_replace (c, self, g_steal_pointer (&leaves));
  _flow_forest_tree_replace (c, tree, g_steal_pointer (&nodes));
  return TRUE;
}

static gboolean
grow (FlowKernelContext  *c,
      Stats              *self,
      GError            **error)
{
  FlowForestTree *tree = flow_kernel_lookup_handle (c, TREE, &_flow_forest_tree_class, error);
  gboolean ok;

  if (tree == NULL)
    return FALSE;
  ok = grow_tree (c, self, tree, error);
  flow_resource_unref (tree);
  return ok;
}

static gboolean
grow_compute (FlowKernelContext  *c,
              GError            **error)
{
  return with_stats (c, STATS, grow, error);
}

/* --- the end ----------------------------------------------------------------------------------------------------------- */

static gboolean
finalize_tree (FlowKernelContext  *c,
               FlowForestTree     *tree,
               GError            **error)
{
  Stats *stats = flow_kernel_lookup_handle (c, STATS, &stats_class, error);

  if (stats == NULL)
    return FALSE;
  flow_resource_unref (stats);
  /* TF: ends itself with these words; leaves of numbers are as they should be. */
  for (guint i = 0; i < tree->nodes->len; i++)
    FLOW_REQUIRE (params_of (c)->is_regression || !_flow_forest_node (tree->nodes, i)->is_leaf, error, UNIMPLEMENTED,
                  "FinalizeTreeOp is disabled for now.");
  return TRUE;
}

static gboolean
finalize_compute (FlowKernelContext  *c,
                  GError            **error)
{
  return _flow_forest_with_tree (c, &_flow_forest_tree_class, finalize_tree, error);
}

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
  STATS_OP ("FinalizeTree", HANDLES, "", "", finalize_compute, flow_infer_no_outputs, "Ends the growth of a tree"),
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
