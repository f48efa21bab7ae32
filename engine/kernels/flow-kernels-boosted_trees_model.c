/* flow-kernels-boosted_trees_model.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ensembles of boosted trees: made, saved and loaded, asked and grown.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-private.h"
#include "flow-parallel.h"
#include "flow-proto-writer.h"
#include "flow-string-private.h"
#include "flow-trees-private.h"

#include <math.h>
#include <string.h>

/* --- the resource ---------------------------------------------------------------------------------------------- */

typedef struct {
  FlowResource parent;
  gint64 stamp;
  FlowEnsemble *model;         /* never changes: what writes takes another's place */
} Ensemble;

typedef struct {
  gint64 stamp;
  FlowEnsemble *model;
} Saved;

static void
ensemble_finalize (FlowResource *resource)
{
  /* A resource that is only a name has none. */
  g_clear_pointer (&((Ensemble *) resource)->model, _flow_ensemble_unref);
}

static gpointer
ensemble_save (FlowResource *resource)
{
  Ensemble *self = (Ensemble *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { self->stamp, _flow_ensemble_ref (self->model) };
  return saved;
}

static void
ensemble_restore (FlowResource  *resource,
                  gconstpointer  data)
{
  Ensemble *self = (Ensemble *) resource;
  const Saved *saved = data;
  FlowEnsemble *model = _flow_ensemble_ref (saved->model);

  _flow_ensemble_unref (self->model);
  self->model = model;
  self->stamp = saved->stamp;
}

static void
saved_free (gpointer saved)
{
  _flow_ensemble_unref (((Saved *) saved)->model);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer saved)
{
  return sizeof (Saved) + _flow_ensemble_bytes (((const Saved *) saved)->model);
}

static void
ensemble_visit (FlowResource        *resource,
                FlowResourceVisitor  visitor,
                gpointer             data)
{
  Ensemble *self = (Ensemble *) resource;
  g_autoptr (FlowTensor) stamp = flow_tensor_new_int64 (self->stamp);
  g_autoptr (GBytes) bytes = _flow_ensemble_write (self->model, NULL);
  g_autoptr (FlowTensor) text = NULL;

  visitor ("stamp", stamp, data);
  if (bytes == NULL)
    return;
  text = flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  visitor ("trees", text, data);
}

static char *
ensemble_describe (FlowResource *resource)
{
  return g_strdup_printf ("TreeEnsemble[size=%u]", flow_ensemble_n_trees (((Ensemble *) resource)->model));
}

static const FlowResourceClass ensemble_class = {
  .type_name = "N10tensorflow28BoostedTreesEnsembleResourceE",
  .finalize = ensemble_finalize,
  .save = ensemble_save,
  .restore = ensemble_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = ensemble_visit,
  .describe = ensemble_describe,
};

/* Takes @model. */
static void
replace_model (FlowKernelContext *c,
               Ensemble          *self,
               gint64             stamp,
               FlowEnsemble      *model)
{
  flow_kernel_will_write (c, self);
  _flow_ensemble_unref (self->model);
  self->model = model;
  self->stamp = stamp;
  flow_kernel_wrote (c, self);
}

typedef gboolean (*EnsembleFunc) (FlowKernelContext *c, Ensemble *self, GError **error);

static gboolean
with_ensemble (FlowKernelContext  *c,
               EnsembleFunc        func,
               GError            **error)
{
  Ensemble *self = flow_kernel_lookup_handle (c, 0, &ensemble_class, error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = func (c, self, error);
  flow_resource_unref (self);
  return ok;
}

/* --- making, saving, loading ------------------------------------------------------------------------------------- */

static gboolean
handle_compute (FlowKernelContext  *c,
                GError            **error)
{
  return _flow_boosted_put_handle (c, &ensemble_class, sizeof (Ensemble), error);
}

static gboolean
is_initialized_compute (FlowKernelContext  *c,
                        GError            **error)
{
  return _flow_boosted_is_initialized (c, &ensemble_class, error);
}

/* Input 1 is the stamp, input 2 the trees. */
static FlowEnsemble *
read_model (FlowKernelContext  *c,
            GError            **error)
{
  FlowEnsemble *model;
  Text text;

  if (!_flow_boosted_check_scalars (c, 1, 3, error))
    return NULL;
  text = text_at (flow_kernel_input (c, 2), 0);
  /* An empty node is two bytes there and a structure here. */
  if (text.length > G_MAXINT32 || !reserve_text (c, text.length * (sizeof (FlowTreeNode) / 2), error))
    {
      if (error != NULL && *error == NULL)
        _flow_refuse (error, "Unable to parse tree ensemble proto.");
      return NULL;
    }
  model = _flow_ensemble_parse (text.bytes, text.length);
  if (model == NULL)
    _flow_refuse (error, "Unable to parse tree ensemble proto.");
  return model;
}

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowEnsemble *model = read_model (c, error);
  Ensemble *made;

  if (model == NULL)
    return FALSE;
  made = _flow_boosted_alloc (c, &ensemble_class, sizeof (Ensemble), error);
  if (made == NULL)
    {
      _flow_ensemble_unref (model);
      return FALSE;
    }
  made->model = model;
  made->stamp = *FLOW_DATA (gint64, flow_kernel_input (c, 1));
  return _flow_boosted_publish (c, &made->parent, error);
}

static gboolean
deserialize (FlowKernelContext  *c,
             Ensemble           *self,
             GError            **error)
{
  FlowEnsemble *model = read_model (c, error);

  if (model == NULL)
    return FALSE;
  replace_model (c, self, *FLOW_DATA (gint64, flow_kernel_input (c, 1)), model);
  return TRUE;
}

static gboolean
deserialize_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return with_ensemble (c, deserialize, error);
}

static gboolean
serialize (FlowKernelContext  *c,
           Ensemble           *self,
           GError            **error)
{
  g_autoptr (GBytes) bytes = _flow_ensemble_write (self->model, error);

  if (bytes == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (self->stamp));
  flow_kernel_take_output (c, 1, flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes)));
  return TRUE;
}

static gboolean
serialize_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return with_ensemble (c, serialize, error);
}

static gboolean
get_states (FlowKernelContext  *c,
            Ensemble           *self,
            GError            **error)
{
  const FlowEnsemble *model = self->model;
  gint32 n = (gint32) flow_ensemble_n_trees (model);
  gboolean is_open = n > 0 && !_flow_tree_metadata (model, (guint) n - 1)->is_finalized;
  const gint64 two = 2;
  FlowTensor *range = flow_kernel_allocate_dims (c, 4, 1, &two, error);

  if (range == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (self->stamp));
  flow_kernel_take_output (c, 1, flow_tensor_new_int32 (n));
  flow_kernel_take_output (c, 2, flow_tensor_new_int32 (n - is_open));
  flow_kernel_take_output (c, 3, flow_tensor_new_int32 ((gint32) model->n_layers_attempted));
  FLOW_WRITABLE (gint32, range)[0] = model->last_layer_begin;
  FLOW_WRITABLE (gint32, range)[1] = MAX (1, model->last_layer_end);
  return TRUE;
}

static gboolean
get_states_compute (FlowKernelContext  *c,
                    GError            **error)
{
  return with_ensemble (c, get_states, error);
}

static gboolean
states_infer (FlowInferContext  *c,
              GError           **error)
{
  for (guint i = 0; i < 4; i++)
    flow_infer_take_output (c, i, flow_shape_new_scalar ());
  flow_infer_take_output (c, 4, flow_shape_new_vector (2));
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

static gboolean
serialize_infer (FlowInferContext  *c,
                 GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

static gboolean
create_infer (FlowInferContext  *c,
              GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_boosted_infer_scalars (c, 0, 3, error);
}

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
         Ensemble           *self,
         GError            **error)
{
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
  return with_ensemble (c, predict, error);
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
                  Ensemble           *self,
                  GError            **error)
{
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
  return with_ensemble (c, training_predict, error);
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
         Ensemble           *self,
         GError            **error)
{
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
  return with_ensemble (c, explain, error);
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
                 Ensemble           *self,
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
  replace_model (c, self, self->stamp + 1, g_steal_pointer (&model));
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
           Ensemble           *self,
           GError            **error)
{
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
  return with_ensemble (c, update_v1, error);
}

static gboolean
update_v2 (FlowKernelContext  *c,
           Ensemble           *self,
           GError            **error)
{
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
  return with_ensemble (c, update_v2, error);
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
             Ensemble           *self,
             GError            **error)
{
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
  replace_model (c, self, self->stamp + 1, g_steal_pointer (&model));
  return TRUE;
}

static gboolean
center_bias_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return with_ensemble (c, center_bias, error);
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

static const FlowKernelDef handle_kernels[] = {
  { NULL, handle_compute, _flow_boosted_place_construct, _flow_boosted_place_destruct }, { NULL }
};
static const FlowKernelDef explain_kernels[] = { { NULL, explain_compute, explain_construct, g_free }, { NULL } };

#define ENSEMBLE_OP(op, ins, outs, ats, func, infer_func, text)                                             \
  { .name = op, .inputs = "tree_ensemble_handle: resource" ins, .outputs = outs, .attrs = ats,              \
    .summary = text, .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,        \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }

static const FlowOpDef ops[] = {
  ENSEMBLE_OP ("BoostedTreesCenterBias", "; mean_gradients: float; mean_hessians: float; l1: float; l2: float",
               "continue_centering: bool", "", center_bias_compute, center_bias_infer,
               "Moves the first tree towards the mean of what is learned"),
  ENSEMBLE_OP ("BoostedTreesCreateEnsemble", "; stamp_token: int64; tree_ensemble_serialized: string", "", "", create_compute,
               create_infer, "Makes an ensemble of trees"),
  ENSEMBLE_OP ("BoostedTreesDeserializeEnsemble", "; stamp_token: int64; tree_ensemble_serialized: string", "", "",
               deserialize_compute, create_infer, "Puts saved trees into an ensemble"),
  { .name = "BoostedTreesEnsembleResourceHandleOp", .inputs = "", .outputs = "resource: resource",
    .attrs = "container: string = ''; shared_name: string = ''", .summary = "Names an ensemble of trees",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape, .kernels = handle_kernels },
  { .name = "BoostedTreesExampleDebugOutputs",
    .inputs = "tree_ensemble_handle: resource; bucketized_features: num_bucketized_features * int32",
    .outputs = "examples_debug_outputs_serialized: string",
    .attrs = "num_bucketized_features: int >= 1; logits_dimension: int",
    .summary = "What each split on the way of an example added", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE,
    .infer = predict_infer, .kernels = explain_kernels },
  ENSEMBLE_OP ("BoostedTreesGetEnsembleStates", "",
               "stamp_token: int64; num_trees: int32; num_finalized_trees: int32; num_attempted_layers: int32; "
               "last_layer_nodes_range: int32", "", get_states_compute, states_infer, "How far an ensemble has grown"),
  ENSEMBLE_OP ("BoostedTreesPredict", "; bucketized_features: num_bucketized_features * int32", "logits: float",
               "num_bucketized_features: int >= 1; logits_dimension: int", predict_compute, predict_infer,
               "What all trees say of a batch"),
  ENSEMBLE_OP ("BoostedTreesSerializeEnsemble", "", "stamp_token: int64; tree_ensemble_serialized: string", "",
               serialize_compute, serialize_infer, "An ensemble as bytes"),
  ENSEMBLE_OP ("BoostedTreesTrainingPredict",
               "; cached_tree_ids: int32; cached_node_ids: int32; bucketized_features: num_bucketized_features * int32",
               "partial_logits: float; tree_ids: int32; node_ids: int32",
               "num_bucketized_features: int >= 1; logits_dimension: int", training_predict_compute, training_predict_infer,
               "What trees that grew since say of a batch"),
  ENSEMBLE_OP ("BoostedTreesUpdateEnsemble",
               "; feature_ids: int32; node_ids: num_features * int32; gains: num_features * float; "
               "thresholds: num_features * int32; left_node_contribs: num_features * float; "
               "right_node_contribs: num_features * float; max_depth: int32; learning_rate: float", "",
               "pruning_mode: int >= 0; num_features: int >= 0", update_v1_compute, update_infer,
               "Grows the last tree by a layer"),
  ENSEMBLE_OP ("BoostedTreesUpdateEnsembleV2",
               "; feature_ids: int32; dimension_ids: num_features * int32; node_ids: num_features * int32; "
               "gains: num_features * float; thresholds: num_features * int32; left_node_contribs: num_features * float; "
               "right_node_contribs: num_features * float; split_types: num_features * string; max_depth: int32; "
               "learning_rate: float; pruning_mode: int32", "", "num_features: int >= 0", update_v2_compute, update_infer,
               "Grows the last tree by a layer of any kind of split"),
  ENSEMBLE_OP ("IsBoostedTreesEnsembleInitialized", "", "is_initialized: bool", "", is_initialized_compute,
               _flow_boosted_infer_is_initialized, "Whether an ensemble was made"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_model, ops)
