/* flow-kernels-boosted_trees_split.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The best splits of nodes, by sums of gradients and hessians.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-private.h"
#include "flow-string-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- the best split ------------------------------------------------------------------------------------------------ */

/* What a search asks by, and what it found so far. Weights are of n_logits. */
typedef struct {
  guint n_logits;
  guint n_hessians;
  float l1;
  float l2;
  float complexity;
  float min_weight;
  gint32 first_node;
  gint32 last_node;
  /* of the node that is looked at */
  float gain;
  gint32 bucket;
  gint32 feature;
  const char *type;
  float *left;                 /* weights of the best split, and of the one that is tried */
  float *right;
  float *try_left;
  float *try_right;
  float *rest;                 /* gradients and hessians on the right */
  gboolean is_broken;          /* no memory */
} Search;

static void
search_clear (Search *self)
{
  g_free (self->left);
  g_free (self->right);
  g_free (self->try_left);
  g_free (self->try_right);
  g_free (self->rest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* The scalars begin at input @first. */
static gboolean
search_init (Search             *self,
             FlowKernelContext  *c,
             guint               first,
             GError            **error)
{
  static const char *const names[] = { "l1", "l2", "tree_complexity", "min_node_weight" };
  float *const to[] = { &self->l1, &self->l2, &self->complexity, &self->min_weight };
  const FlowTensor *range = flow_kernel_input (c, 0);

  FLOW_REQUIRE (flow_is_vector (range), error, INVALID_ARGUMENT,
                "node_id_range must be a rank 1 tensor, but given node_id_range has dims of %d", FLOW_RANK (range));
  FLOW_REQUIRE (range->n_elements == 2, error, INVALID_ARGUMENT, "node_id_range must be a rank 1 tensor with shape=[2], but "
                "given node_id_range has shape %" G_GINT64_FORMAT " on its first dim", range->n_elements);
  self->first_node = FLOW_DATA (gint32, range)[0];
  self->last_node = FLOW_DATA (gint32, range)[1];
  for (guint i = 0; i < 4; i++)
    {
      const FlowTensor *scalar = flow_kernel_input (c, first + i);

      FLOW_REQUIRE (scalar->n_elements == 1, error, INVALID_ARGUMENT, "%s argument must be a scalar", names[i]);
      *to[i] = *FLOW_DATA (float, scalar);
    }
  self->left = g_try_new0 (float, self->n_logits);
  self->right = g_try_new0 (float, self->n_logits);
  self->try_left = g_try_new0 (float, self->n_logits);
  self->try_right = g_try_new0 (float, self->n_logits);
  self->rest = g_try_new0 (float, (gsize) self->n_logits + self->n_hessians);
  FLOW_REQUIRE (self->left != NULL && self->right != NULL && self->try_left != NULL && self->try_right != NULL &&
                self->rest != NULL, error, RESOURCE_EXHAUSTED, "OOM when looking for splits");
  return TRUE;
}

static void
search_begin (Search *self)
{
  self->gain = -FLT_MAX;
  self->bucket = 0;
  self->feature = 0;
  self->type = FLOW_SPLIT_INEQUALITY_LEFT;
  memset (self->left, 0, self->n_logits * sizeof (float));
  memset (self->right, 0, self->n_logits * sizeof (float));
}

static float
weigh (Search      *self,
       const float *stats,
       float       *weights)
{
  float gain = 0;

  self->is_broken = !_flow_weigh_split (stats, stats + self->n_logits, self->n_logits, self->n_hessians, self->l1, self->l2,
                                        weights, &gain) || self->is_broken;
  return gain;
}

static void
search_try_sides (Search      *self,
                  const float *left,
                  const float *right,
                  gint32       bucket,
                  gint32       feature,
                  const char  *type)
{
  float gain = weigh (self, left, self->try_left);
  float *weights;

  gain += weigh (self, right, self->try_right);
  if (!_flow_gain_is_larger (gain, self->gain))
    return;
  self->gain = gain;
  self->bucket = bucket;
  self->feature = feature;
  self->type = type;
  weights = self->left;
  self->left = self->try_left;
  self->try_left = weights;
  weights = self->right;
  self->right = self->try_right;
  self->try_right = weights;
}

/* A split with @stats of @total on its left. */
static void
search_try (Search      *self,
            const float *stats,
            const float *total,
            gint32       bucket,
            gint32       feature,
            const char  *type)
{
  for (guint i = 0; i < self->n_logits + self->n_hessians; i++)
    self->rest[i] = total[i] - stats[i];
  search_try_sides (self, stats, self->rest, bucket, feature, type);
}

/* --- what was found ------------------------------------------------------------------------------------------------ */

typedef struct {
  gint32 node;
  gint32 feature;
  gint32 bucket;
  float gain;
  const char *type;
} Found;

typedef struct {
  GArray *splits;              /* of Found */
  GArray *left;                /* of float, n_logits each */
  GArray *right;
} Findings;

static void
findings_init (Findings *self)
{
  self->splits = g_array_new (FALSE, FALSE, sizeof (Found));
  self->left = g_array_new (FALSE, FALSE, sizeof (float));
  self->right = g_array_new (FALSE, FALSE, sizeof (float));
}

static void
findings_clear (Findings *self)
{
  g_clear_pointer (&self->splits, g_array_unref);
  g_clear_pointer (&self->left, g_array_unref);
  g_clear_pointer (&self->right, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Findings, findings_clear)

static void
findings_add (Findings     *self,
              const Search *search,
              gint32        node,
              float         parent_gain)
{
  Found found = { node, search->feature, search->bucket, search->gain - parent_gain - search->complexity, search->type };

  g_array_append_val (self->splits, found);
  g_array_append_vals (self->left, search->left, search->n_logits);
  g_array_append_vals (self->right, search->right, search->n_logits);
}

static gboolean
put_weights (FlowKernelContext  *c,
             guint               i,
             const GArray       *weights,
             gint64              n,
             gint64              n_logits,
             GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_dims (c, i, 2, (gint64[]) { n, n_logits }, error);

  if (out != NULL && out->n_bytes > 0)
    memcpy (out->data, weights->data, out->n_bytes);
  return out != NULL;
}

/* One of the numbers of each split. */
static gboolean
put_numbers (FlowKernelContext  *c,
             guint               i,
             const GArray       *splits,
             gsize               offset,
             GError            **error)
{
  const gint64 n = splits->len;
  FlowTensor *out = flow_kernel_allocate_dims (c, i, 1, &n, error);

  if (out == NULL)
    return FALSE;
  /* int32 and float are of one size. */
  for (gint64 k = 0; k < n; k++)
    memcpy ((char *) out->data + k * 4, splits->data + (gsize) k * sizeof (Found) + offset, 4);
  return TRUE;
}

static gboolean
put_found (FlowKernelContext  *c,
           const Findings     *found,
           gint64              n_logits,
           GError            **error)
{
  const gint64 n = found->splits->len;
  FlowTensor *types;

  if (!put_numbers (c, 0, found->splits, G_STRUCT_OFFSET (Found, node), error)
      || !put_numbers (c, 1, found->splits, G_STRUCT_OFFSET (Found, gain), error)
      || !put_numbers (c, 2, found->splits, G_STRUCT_OFFSET (Found, feature), error)
      || !put_numbers (c, 3, found->splits, G_STRUCT_OFFSET (Found, bucket), error)
      || !put_weights (c, 4, found->left, n, n_logits, error) || !put_weights (c, 5, found->right, n, n_logits, error)
      || (types = flow_kernel_allocate_dims (c, 6, 1, &n, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      const char *type = g_array_index (found->splits, Found, (guint) i).type;

      put_text (types, i, type, strlen (type));
    }
  return TRUE;
}

static gboolean
found_infer (FlowInferContext *c,
             guint             first,
             GError          **error)
{
  g_autoptr (FlowShape) range = NULL;
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (FlowShape) merged = NULL;

  for (guint i = 0; i < 7; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &range, error) &&
         flow_infer_merge (c, range, two, &merged, error) && _flow_boosted_infer_scalars (c, first, first + 4, error);
}

/* --- CalculateBestGainsPerFeature ------------------------------------------------------------------------------------- */

static gboolean
search_buckets (Search      *search,
                Findings    *found,
                const float *stats,
                gint64       n_buckets,
                gint32       node,
                float       *sums,
                float       *weight)
{
  float parent;

  search_begin (search);
  sums[0] = sums[1] = 0;
  for (gint64 i = 0; i < n_buckets; i++)
    {
      sums[0] += stats[2 * i];
      sums[1] += stats[2 * i + 1];
    }
  if (sums[1] < search->min_weight)
    return TRUE;
  parent = weigh (search, sums, weight);
  for (gint64 i = 0; i < n_buckets; i++)
    {
      float until[2] = { (i > 0 ? sums[2] : 0) + stats[2 * i], (i > 0 ? sums[3] : 0) + stats[2 * i + 1] };

      search_try (search, until, sums, (gint32) i, 0, FLOW_SPLIT_INEQUALITY_LEFT);
      sums[2] = until[0];
      sums[3] = until[1];
    }
  findings_add (found, search, node, parent);
  return !search->is_broken;
}

static gboolean
gains_compute (FlowKernelContext  *c,
               GError            **error)
{
  const guint n = (guint) flow_kernel_attr_int (c, "num_features");
  g_auto (Search) search = { .n_logits = 1, .n_hessians = 1 };

  if (!search_init (&search, c, 1 + n, error))
    return FALSE;
  for (guint f = 0; f < n; f++)
    {
      const FlowTensor *summary = flow_kernel_input (c, 1 + f);
      g_auto (Findings) found = { NULL };
      float sums[4];
      float weight;

      findings_init (&found);
      if (!_flow_boosted_check_rank (summary, 3, "stats_summary_list", error))
        return FALSE;
      FLOW_REQUIRE (FLOW_DIMS (summary)[2] == 2, error, INVALID_ARGUMENT,
                    "stats_summary_list must have a gradient and a hessian, got %" G_GINT64_FORMAT " columns",
                    FLOW_DIMS (summary)[2]);
      for (gint64 node = search.first_node; node < search.last_node; node++)
        if (!_flow_boosted_check_id (node, FLOW_DIMS (summary)[0], "node_id_range", 0, error)
            || !search_buckets (&search, &found, FLOW_DATA (float, summary) + node * FLOW_DIMS (summary)[1] * 2,
                                FLOW_DIMS (summary)[1], (gint32) node, sums, &weight))
          return FALSE;
      if (!put_numbers (c, f, found.splits, G_STRUCT_OFFSET (Found, node), error)
          || !put_numbers (c, n + f, found.splits, G_STRUCT_OFFSET (Found, gain), error)
          || !put_numbers (c, 2 * n + f, found.splits, G_STRUCT_OFFSET (Found, bucket), error)
          || !put_weights (c, 3 * n + f, found.left, found.splits->len, 1, error)
          || !put_weights (c, 4 * n + f, found.right, found.splits->len, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
gains_infer (FlowInferContext  *c,
             GError           **error)
{
  const guint n = (guint) flow_infer_attr_int (c, "num_features");
  g_autoptr (FlowShape) asked = flow_shape_new (3, (gint64[]) { flow_infer_attr_int (c, "max_splits"), FLOW_DIM_UNKNOWN, 2 });
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (FlowShape) range = NULL;
  g_autoptr (FlowShape) merged = NULL;
  g_autoptr (FlowShape) first = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &range, error)
      || !flow_infer_merge (c, range, two, &merged, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 1), 3, &first, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FlowShape) summary = NULL;
      g_autoptr (FlowShape) same = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, 1 + i), 3, &summary, error)
          || !flow_infer_merge (c, first, i == 0 ? asked : summary, &same, error))
        return FALSE;
    }
  for (guint i = 0; i < 5 * n; i++)
    flow_infer_take_output (c, i, i < 3 * n ? flow_shape_new_vector (FLOW_DIM_UNKNOWN)
                            : flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 1));
  return _flow_boosted_infer_scalars (c, n + 1, n + 4, error);
}

/* --- CalculateBestFeatureSplit ------------------------------------------------------------------------------------------ */

static void
add_stats (float       *to,
           const float *a,
           const float *b,
           gint64       n)
{
  for (gint64 i = 0; i < n; i++)
    to[i] = a[i] + b[i];
}

/* The last bucket has what is missing: it goes with the left or with the right. @sums is room for three rows. */
static void
search_inequality (Search      *search,
                   const float *stats,
                   gint64       n_buckets,
                   gint32       feature,
                   float       *sums)
{
  const gint64 n = search->n_logits + search->n_hessians;
  const float *missing = stats + n_buckets * n;
  float *total = sums;
  float *until = sums + n;
  float *with_missing = sums + 2 * n;

  memset (sums, 0, (gsize) n * 2 * sizeof (float));
  for (gint64 i = 0; i <= n_buckets; i++)
    add_stats (total, total, stats + i * n, n);
  for (gint64 i = 0; i < n_buckets; i++)
    {
      add_stats (until, until, stats + i * n, n);
      add_stats (with_missing, until, missing, n);
      search_try (search, with_missing, total, (gint32) i, feature, FLOW_SPLIT_INEQUALITY_LEFT);
      search_try (search, until, total, (gint32) i, feature, FLOW_SPLIT_INEQUALITY_RIGHT);
    }
}

static gboolean
search_node (Search             *search,
             Findings           *found,
             const FlowTensor   *summary,
             gint64              node,
             gboolean            is_equality,
             float              *sums)
{
  const gint64 *dims = FLOW_DIMS (summary);
  const float *stats = FLOW_DATA (float, summary) + node * dims[1] * dims[2] * dims[3];
  float *total = sums + 3 * dims[3];
  float norm = 0;
  float parent;

  search_begin (search);
  memset (total, 0, (gsize) dims[3] * sizeof (float));
  for (gint64 i = 0; i < dims[2]; i++)
    add_stats (total, total, stats + i * dims[3], dims[3]);
  for (gint64 i = search->n_logits; i < dims[3]; i++)
    norm += total[i] * total[i];
  if (sqrtf (norm) < search->min_weight)
    return TRUE;
  parent = weigh (search, total, search->try_left);
  for (gint64 f = 0; f < dims[1]; f++)
    {
      const float *of_feature = stats + f * dims[2] * dims[3];

      if (!is_equality)
        search_inequality (search, of_feature, dims[2] - 1, (gint32) f, sums);
      for (gint64 i = 0; is_equality && i < dims[2] - 1; i++)
        search_try (search, of_feature + i * dims[3], total, (gint32) i, (gint32) f, FLOW_SPLIT_EQUALITY_RIGHT);
    }
  if (search->gain != -FLT_MAX)
    findings_add (found, search, (gint32) node, parent);
  return !search->is_broken;
}

static gboolean
split_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *summary = flow_kernel_input (c, 1);
  const gint64 n_logits = flow_kernel_attr_int (c, "logits_dimension");
  gboolean is_equality = strcmp (flow_kernel_attr_string (c, "split_type"), "equality") == 0;
  g_auto (Search) search = { 0 };
  g_auto (Findings) found = { NULL };
  g_autofree float *sums = NULL;
  gint64 n_hessians;

  FLOW_REQUIRE (FLOW_RANK (summary) == 4, error, INVALID_ARGUMENT, "stats_summary argument must have rank 4");
  n_hessians = FLOW_DIMS (summary)[3] - n_logits;
  FLOW_REQUIRE (n_logits <= G_MAXINT32 && n_hessians <= G_MAXINT32 &&
                (n_hessians == n_logits || (n_hessians > 0 && n_hessians == n_logits * n_logits)), error, INVALID_ARGUMENT,
                "stats_summary has %" G_GINT64_FORMAT " numbers for %" G_GINT64_FORMAT " logits", FLOW_DIMS (summary)[3],
                n_logits);
  FLOW_REQUIRE (FLOW_DIMS (summary)[2] > 0 && FLOW_DIMS (summary)[1] > 0, error, INVALID_ARGUMENT,
                "stats_summary must have buckets");
  search.n_logits = (guint) n_logits;
  search.n_hessians = (guint) n_hessians;
  if (!search_init (&search, c, 2, error))
    return FALSE;
  findings_init (&found);
  sums = g_try_new0 (float, 4 * (gsize) FLOW_DIMS (summary)[3]);
  FLOW_REQUIRE (sums != NULL, error, RESOURCE_EXHAUSTED, "OOM when looking for splits");
  for (gint64 node = search.first_node; node < search.last_node; node++)
    {
      if (!_flow_boosted_check_id (node, FLOW_DIMS (summary)[0], "node_id_range", 0, error))
        return FALSE;
      FLOW_REQUIRE (search_node (&search, &found, summary, node, is_equality, sums), error, RESOURCE_EXHAUSTED,
                    "OOM when looking for splits");
    }
  return put_found (c, &found, n_logits, error);
}

static gboolean
split_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) summary = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 1), 4, &summary, error) && found_infer (c, 2, error);
}

/* --- SparseCalculateBestFeatureSplit -------------------------------------------------------------------------------------- */

/* Of one bucket of one feature: only the gradient and the hessian are looked at. */
typedef struct {
  gint32 feature;
  gint32 bucket;
  float stats[2];
} Bucket;

static int
compare_buckets (gconstpointer a,
                 gconstpointer b)
{
  const Bucket *x = a;
  const Bucket *y = b;

  if (x->feature != y->feature)
    return x->feature < y->feature ? -1 : 1;
  return x->bucket < y->bucket ? -1 : x->bucket > y->bucket;
}

/* The @n buckets of one feature. */
static void
search_feature (Search       *search,
                const Bucket *buckets,
                guint         n,
                gint32        n_buckets,
                const float  *total)
{
  float missing[2] = { 0, 0 };
  float until[2] = { 0, 0 };
  float with_missing[2];
  float rest[2];

  for (guint i = 0; i < n; i++)
    if (buckets[i].bucket == n_buckets)
      memcpy (missing, buckets[i].stats, sizeof missing);
  for (guint i = 0; i < n && buckets[i].bucket != n_buckets; i++)
    {
      for (guint k = 0; k < 2; k++)
        {
          until[k] += buckets[i].stats[k];
          with_missing[k] = until[k] + missing[k];
          rest[k] = total[k] - missing[k] - until[k];
        }
      search_try (search, until, total, buckets[i].bucket, buckets[i].feature, FLOW_SPLIT_INEQUALITY_RIGHT);
      search_try_sides (search, with_missing, rest, buckets[i].bucket, buckets[i].feature, FLOW_SPLIT_INEQUALITY_LEFT);
    }
}

static void
search_sparse_node (Search   *search,
                    Findings *found,
                    GArray   *buckets,
                    gint32    node,
                    gint32    n_buckets)
{
  const Bucket *all = (const Bucket *) (gpointer) buckets->data;
  float total[2] = { 0, 0 };
  float parent = 0;
  guint begin = 0;

  search_begin (search);
  g_array_sort (buckets, compare_buckets);
  all = (const Bucket *) (gpointer) buckets->data;
  for (guint i = 0; i < buckets->len && all[i].feature == all[0].feature; i++)
    {
      total[0] += all[i].stats[0];
      total[1] += all[i].stats[1];
    }
  if (buckets->len == 0 || total[1] < search->min_weight)
    return;
  parent = weigh (search, total, search->try_left);
  for (guint i = 1; i <= buckets->len; i++)
    if (i == buckets->len || all[i].feature != all[begin].feature)
      {
        search_feature (search, all + begin, i - begin, n_buckets, total);
        begin = i;
      }
  if (search->gain != -FLT_MAX)
    findings_add (found, search, node, parent);
}

static Bucket *
find_bucket (GArray     *buckets,
             GHashTable *places,
             gint32      feature,
             gint32      bucket)
{
  Bucket made = { .feature = feature, .bucket = bucket };
  gint64 key = (gint64) ((guint64) (guint32) feature << 32 | (guint32) bucket);
  gpointer place;

  if (!g_hash_table_lookup_extended (places, &key, NULL, &place))
    {
      place = GUINT_TO_POINTER (buckets->len);
      g_hash_table_insert (places, g_memdup2 (&key, sizeof key), place);
      g_array_append_val (buckets, made);
    }
  return &g_array_index (buckets, Bucket, GPOINTER_TO_UINT (place));
}

static gboolean
search_sparse (Search             *search,
               Findings           *found,
               FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 1);
  const FlowTensor *values = flow_kernel_input (c, 2);
  const gint32 *shape = FLOW_DATA (gint32, flow_kernel_input (c, 3));
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (Bucket));
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gint32 before = -1;

  for (gint64 i = 0; i < FLOW_DIMS (indices)[0]; i++)
    {
      const gint32 *index = FLOW_DATA (gint32, indices) + 4 * i;
      Bucket *bucket;

      if (index[0] != before)
        {
          search_sparse_node (search, found, buckets, before, shape[2] - 1);
          g_array_set_size (buckets, 0);
          g_hash_table_remove_all (places);
        }
      before = index[0];
      FLOW_REQUIRE (index[3] >= 0 && index[3] < shape[3], error, INVALID_ARGUMENT,
                    "Stat dim, the sum of logits dim and hessian dim in stats_summary_indices, cannot be greater than stats "
                    "dims, the last value in stats_summary_shape, which was %d. At index (%" G_GINT64_FORMAT
                    ", 4), stats_summary_indices contains value %d", shape[3], i, index[3]);
      bucket = find_bucket (buckets, places, index[1], index[2]);
      if (index[3] < 2)
        bucket->stats[index[3]] = FLOW_DATA (float, values)[i];
    }
  search_sparse_node (search, found, buckets, before, shape[2] - 1);
  return TRUE;
}

static gboolean
sparse_split_compute (FlowKernelContext  *c,
                      GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 1);
  const FlowTensor *shape = flow_kernel_input (c, 3);
  g_auto (Search) search = { .n_logits = 1, .n_hessians = 1 };
  g_auto (Findings) found = { NULL };

  if (!_flow_boosted_check_rank (indices, 2, "stats_summary_indices", error)
      || !_flow_boosted_check_rows (flow_kernel_input (c, 2), 1, FLOW_DIMS (indices)[0], "stats_summary_values", error)
      || !_flow_boosted_check_rows (shape, 1, 4, "stats_summary_shape", error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (indices)[1] == 4 || FLOW_DIMS (indices)[0] == 0, error, INVALID_ARGUMENT,
                "stats_summary_indices must have 4 columns");
  FLOW_REQUIRE (FLOW_DATA (gint32, shape)[2] >= 1 && FLOW_DATA (gint32, shape)[3] >= 2, error, INVALID_ARGUMENT,
                "stats_summary_shape must have buckets and two numbers for each");
  if (!search_init (&search, c, 4, error))
    return FALSE;
  findings_init (&found);
  return search_sparse (&search, &found, c, error) && put_found (c, &found, 1, error);
}

static gboolean
sparse_split_infer (FlowInferContext  *c,
                    GError           **error)
{
  g_autoptr (FlowShape) indices = NULL;
  g_autoptr (FlowShape) values = NULL;
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &indices, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 2), 1, &values, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 3), 1, &shape, error) && found_infer (c, 4, error);
}

#define FOUND "node_ids: int32; gains: float; feature_dimensions: int32; thresholds: int32; left_node_contribs: float; " \
              "right_node_contribs: float; split_with_default_directions: string"
#define SCALARS "l1: float; l2: float; tree_complexity: float; min_node_weight: float"

static const FlowOpDef ops[] = {
  FLOW_STATS_OP ("BoostedTreesCalculateBestFeatureSplit", "node_id_range: int32; stats_summary: float; " SCALARS, FOUND,
            "logits_dimension: int >= 1; split_type: {'inequality', 'equality'} = 'inequality'", split_compute, split_infer,
            "The best split of each node by one feature"),
  FLOW_STATS_OP ("BoostedTreesCalculateBestGainsPerFeature",
            "node_id_range: int32; stats_summary_list: num_features * float; " SCALARS,
            "node_ids_list: num_features * int32; gains_list: num_features * float; thresholds_list: num_features * int32; "
            "left_node_contribs_list: num_features * float; right_node_contribs_list: num_features * float",
            "max_splits: int >= 1; num_features: int >= 1", gains_compute, gains_infer,
            "The best split of each node by each feature"),
  FLOW_STATS_OP ("BoostedTreesSparseCalculateBestFeatureSplit",
            "node_id_range: int32; stats_summary_indices: int32; stats_summary_values: float; stats_summary_shape: int32; "
            SCALARS, FOUND, "logits_dimension: int >= 1; split_type: {'inequality'} = 'inequality'", sparse_split_compute,
            sparse_split_infer, "The best split of each node by one sparse feature"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_split, ops)
