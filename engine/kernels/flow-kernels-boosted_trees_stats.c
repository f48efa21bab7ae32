/* flow-kernels-boosted_trees_stats.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums of gradients and hessians by node and bucket: what boosted trees look at before they grow.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-private.h"
#include "flow-string-private.h"

#include <string.h>

/* --- MakeStatsSummary, AggregateStats --------------------------------------------------------------------------- */

/* Sums are made in double and rounded once. */
static gboolean
put_sums (FlowKernelContext  *c,
          const FlowTensor   *sums,
          GError            **error)
{
  FlowTensor *out = flow_kernel_allocate (c, 0, sums->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < sums->n_elements; i++)
    FLOW_WRITABLE (float, out)[i] = (float) FLOW_DATA (double, sums)[i];
  return TRUE;
}

static FlowTensor *
new_sums (FlowKernelContext  *c,
          const gint64        dims[4],
          GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new (4, dims);
  FlowTensor *sums = flow_kernel_allocate_temp (c, FLOW_DTYPE_DOUBLE, shape, error);

  if (sums != NULL && sums->n_bytes > 0)
    memset (sums->data, 0, sums->n_bytes);
  return sums;
}

static gboolean
make_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *nodes = flow_kernel_input (c, 0);
  const FlowTensor *gradients = flow_kernel_input (c, 1);
  const FlowTensor *hessians = flow_kernel_input (c, 2);
  const gint64 dims[4] = { flow_kernel_attr_int (c, "num_features"), flow_kernel_attr_int (c, "max_splits"),
                           flow_kernel_attr_int (c, "num_buckets"), 2 };
  const gint64 n = nodes->n_elements;
  g_autoptr (FlowTensor) sums = NULL;

  if (!_flow_boosted_check_rank (nodes, 1, "node_ids", error) || !_flow_boosted_check_rows (gradients, 2, n, "gradients", error)
      || !_flow_boosted_check_rows (hessians, 2, n, "hessians", error))
    return FALSE;
  FLOW_REQUIRE (n == 0 || (FLOW_DIMS (gradients)[1] > 0 && FLOW_DIMS (hessians)[1] > 0), error, INVALID_ARGUMENT,
                "gradients and hessians must have a column");
  if ((sums = new_sums (c, dims, error)) == NULL)
    return FALSE;
  for (gint64 f = 0; f < dims[0]; f++)
    {
      const FlowTensor *feature = flow_kernel_input (c, 3 + (guint) f);

      if (!_flow_boosted_check_rows (feature, 1, n, "bucketized_features_list", error))
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        {
          gint64 node = FLOW_DATA (gint32, nodes)[i];
          gint64 bucket = FLOW_DATA (gint32, feature)[i];
          double *sum;

          if (!_flow_boosted_check_id (node, dims[1], "node_ids", i, error)
              || !_flow_boosted_check_id (bucket, dims[2], "bucketized_features_list", i, error))
            return FALSE;
          sum = FLOW_WRITABLE (double, sums) + ((f * dims[1] + node) * dims[2] + bucket) * 2;
          sum[0] += FLOW_DATA (float, gradients)[i * FLOW_DIMS (gradients)[1]];
          sum[1] += FLOW_DATA (float, hessians)[i * FLOW_DIMS (hessians)[1]];
        }
    }
  return put_sums (c, sums, error);
}

static gboolean
make_infer (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) nodes = NULL;
  g_autoptr (FlowShape) gradients = NULL;
  g_autoptr (FlowShape) hessians = NULL;
  g_autoptr (FlowShape) merged = NULL;
  const gint64 dims[4] = { flow_infer_attr_int (c, "num_features"), flow_infer_attr_int (c, "max_splits"),
                           flow_infer_attr_int (c, "num_buckets"), 2 };
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &nodes, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &gradients, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 2), 2, &hessians, error)
      || !flow_infer_merge_dim (c, flow_shape_get_dim (nodes, 0), flow_shape_get_dim (gradients, 0), &n, error)
      || !flow_infer_merge (c, gradients, hessians, &merged, error))
    return FALSE;
  for (guint i = 3; i < c->n_inputs; i++)
    {
      g_autoptr (FlowShape) feature = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 1, &feature, error)
          || !flow_infer_merge_dim (c, flow_shape_get_dim (nodes, 0), flow_shape_get_dim (feature, 0), &n, error))
        return FALSE;
    }
  flow_infer_take_output (c, 0, flow_shape_new (4, dims));
  return TRUE;
}

/* Gradients beside hessians of one example, added to @sum. */
static void
add_example (double           *sum,
             const FlowTensor *gradients,
             const FlowTensor *hessians,
             gint64            i)
{
  const gint64 n_logits = FLOW_DIMS (gradients)[1];
  const gint64 n_hessians = FLOW_DIMS (hessians)[1];

  for (gint64 k = 0; k < n_logits; k++)
    sum[k] += FLOW_DATA (float, gradients)[i * n_logits + k];
  for (gint64 k = 0; k < n_hessians; k++)
    sum[n_logits + k] += FLOW_DATA (float, hessians)[i * n_hessians + k];
}

static gboolean
aggregate_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *nodes = flow_kernel_input (c, 0);
  const FlowTensor *gradients = flow_kernel_input (c, 1);
  const FlowTensor *hessians = flow_kernel_input (c, 2);
  const FlowTensor *feature = flow_kernel_input (c, 3);
  const gint64 n = nodes->n_elements;
  const gint64 n_buckets = flow_kernel_attr_int (c, "num_buckets");
  g_autoptr (FlowTensor) sums = NULL;
  gint64 dims[4];

  if (!_flow_boosted_check_rank (nodes, 1, "node_ids", error) || !_flow_boosted_check_rows (gradients, 2, n, "gradients", error)
      || !_flow_boosted_check_rows (hessians, 2, n, "hessians", error) || !_flow_boosted_check_rows (feature, 2, n, "feature", error))
    return FALSE;
  /* What is missing has a bucket of its own behind the others. */
  FLOW_REQUIRE (n_buckets < G_MAXINT32, error, INVALID_ARGUMENT, "num_buckets is too large");
  dims[0] = flow_kernel_attr_int (c, "max_splits");
  dims[1] = FLOW_DIMS (feature)[1];
  dims[2] = n_buckets + 1;
  dims[3] = FLOW_DIMS (gradients)[1] + FLOW_DIMS (hessians)[1];
  if ((sums = new_sums (c, dims, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    for (gint64 f = 0; f < dims[1]; f++)
      {
        gint64 node = FLOW_DATA (gint32, nodes)[i];
        gint64 bucket = FLOW_DATA (gint32, feature)[i * dims[1] + f];

        bucket = bucket == -1 ? n_buckets : bucket;
        if (!_flow_boosted_check_id (node, dims[0], "node_ids", i, error) || !_flow_boosted_check_id (bucket, dims[2], "feature", i, error))
          return FALSE;
        add_example (FLOW_WRITABLE (double, sums) + ((node * dims[1] + f) * dims[2] + bucket) * dims[3], gradients, hessians, i);
      }
  return put_sums (c, sums, error);
}

/* Node ids, gradients and hessians agree in rows; gives the number of their columns together. */
static gboolean
infer_examples (FlowInferContext  *c,
                gint64            *n_rows,
                gint64            *n_stats,
                GError           **error)
{
  g_autoptr (FlowShape) nodes = NULL;
  g_autoptr (FlowShape) gradients = NULL;
  g_autoptr (FlowShape) hessians = NULL;
  gint64 n_logits;
  gint64 n_hessians;

  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &nodes, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &gradients, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 2), 2, &hessians, error)
      || !flow_infer_merge_dim (c, flow_shape_get_dim (gradients, 0), flow_shape_get_dim (nodes, 0), n_rows, error)
      || !flow_infer_merge_dim (c, flow_shape_get_dim (hessians, 0), flow_shape_get_dim (nodes, 0), n_rows, error))
    return FALSE;
  n_logits = flow_shape_get_dim (gradients, 1);
  n_hessians = flow_shape_get_dim (hessians, 1);
  *n_rows = flow_shape_get_dim (nodes, 0);
  *n_stats = n_logits < 0 || n_hessians < 0 ? FLOW_DIM_UNKNOWN : n_logits + n_hessians;
  return TRUE;
}

static gboolean
aggregate_infer (FlowInferContext  *c,
                 GError           **error)
{
  g_autoptr (FlowShape) feature = NULL;
  gint64 dims[4];
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!infer_examples (c, &n, &dims[3], error) || !flow_infer_with_rank (c, flow_infer_input (c, 3), 2, &feature, error)
      || !flow_infer_merge_dim (c, flow_shape_get_dim (feature, 0), n, &n, error))
    return FALSE;
  /* TF: the shape function names the dimensions in another order than the kernel, and has no bucket for what is
   * missing; where graphs are checked that is their shape. */
  dims[0] = flow_infer_attr_int (c, "max_splits");
  dims[1] = flow_infer_attr_int (c, "num_buckets");
  dims[2] = flow_shape_get_dim (feature, 1);
  flow_infer_take_output (c, 0, flow_shape_new (4, dims));
  return TRUE;
}

/* --- SparseAggregateStats ---------------------------------------------------------------------------------------- */

/* One example in one bucket; the order they came in is that of adding. */
typedef struct {
  gint32 node;
  gint32 feature;
  gint32 bucket;
  gint32 example;
  guint32 order;
} Entry;

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *x = a;
  const Entry *y = b;

  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  if (x->feature != y->feature)
    return x->feature < y->feature ? -1 : 1;
  if (x->bucket != y->bucket)
    return x->bucket < y->bucket ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

static gboolean
is_same_bucket (const Entry *a,
                const Entry *b)
{
  return a->node == b->node && a->feature == b->feature && a->bucket == b->bucket;
}

static void
add_entry (GArray           *entries,
           const FlowTensor *nodes,
           gint64            example,
           gint64            feature,
           gint64            bucket)
{
  Entry entry = { FLOW_DATA (gint32, nodes)[example], (gint32) feature, (gint32) bucket, (gint32) example, entries->len };

  g_array_append_val (entries, entry);
}

/* Whatever is between two places that the sparse tensor names is missing: it goes into @bucket. */
static gboolean
add_missing (FlowKernelContext  *c,
             GArray             *entries,
             const FlowTensor   *nodes,
             const gint64        begin[2],
             const gint64        end[2],
             gint64              n_features,
             gint64              bucket,
             GError            **error)
{
  gint64 n = (end[0] - begin[0]) * n_features + end[1] - begin[1];

  if (end[0] < begin[0] || n <= 0)
    return TRUE;
  FLOW_REQUIRE (n < G_MAXINT32 - entries->len, error, RESOURCE_EXHAUSTED, "OOM when summing %" G_GINT64_FORMAT
                " missing values", n);
  if (!reserve_text (c, ((gsize) n + entries->len) * 2 * sizeof (Entry), error))
    return FALSE;
  for (gint64 i = begin[0]; i <= end[0]; i++)
    {
      gint64 last = i == end[0] ? end[1] : n_features;

      for (gint64 f = i == begin[0] ? begin[1] + 1 : 0; f < last; f++)
        add_entry (entries, nodes, i, f, bucket);
    }
  return TRUE;
}

static gboolean
collect_entries (FlowKernelContext  *c,
                 GArray             *entries,
                 gint64              n_features,
                 GError            **error)
{
  const FlowTensor *nodes = flow_kernel_input (c, 0);
  const FlowTensor *indices = flow_kernel_input (c, 3);
  const FlowTensor *values = flow_kernel_input (c, 4);
  const gint64 n = FLOW_DIMS (flow_kernel_input (c, 1))[0];
  const gint64 n_buckets = flow_kernel_attr_int (c, "num_buckets");
  gint64 before[2] = { 0, -1 };

  for (gint64 i = 0; i < FLOW_DIMS (indices)[0]; i++)
    {
      const gint64 here[2] = { FLOW_DATA (gint32, indices)[2 * i], FLOW_DATA (gint32, indices)[2 * i + 1] };

      if (!_flow_boosted_check_id (here[0], n, "feature_indices", i, error) || !_flow_boosted_check_id (here[1], n_features, "feature_indices", i, error)
          || !add_missing (c, entries, nodes, before, here, n_features, n_buckets, error))
        return FALSE;
      memcpy (before, here, sizeof before);
      add_entry (entries, nodes, here[0], here[1], FLOW_DATA (gint32, values)[i]);
    }
  return n == 0 || add_missing (c, entries, nodes, before, (gint64[]) { n - 1, n_features }, n_features, n_buckets, error);
}

static gboolean
put_entries (FlowKernelContext  *c,
             GArray             *entries,
             GError            **error)
{
  const FlowTensor *gradients = flow_kernel_input (c, 1);
  const FlowTensor *hessians = flow_kernel_input (c, 2);
  const gint64 n_logits = FLOW_DIMS (gradients)[1];
  const gint64 n_stats = n_logits + FLOW_DIMS (hessians)[1];
  const Entry *all = (const Entry *) (gpointer) entries->data;
  FlowTensor *indices;
  FlowTensor *values;
  gint64 n_buckets = 0;
  gint64 at = -1;

  for (guint i = 0; i < entries->len; i++)
    n_buckets += i == 0 || !is_same_bucket (&all[i], &all[i - 1]);
  FLOW_REQUIRE (n_stats == 0 || n_buckets <= G_MAXINT64 / n_stats / 4, error, RESOURCE_EXHAUSTED, "OOM when summing");
  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n_buckets * n_stats, 4 }, error);
  values = indices == NULL ? NULL : flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { n_buckets * n_stats }, error);
  if (values == NULL)
    return FALSE;
  if (values->n_bytes > 0)
    memset (values->data, 0, values->n_bytes);
  for (guint i = 0; i < entries->len; i++)
    {
      const gint64 example = all[i].example;
      float *sum;

      at += i == 0 || !is_same_bucket (&all[i], &all[i - 1]);
      sum = FLOW_WRITABLE (float, values) + at * n_stats;
      for (gint64 k = 0; k < n_stats; k++)
        {
          gint32 *index = FLOW_WRITABLE (gint32, indices) + (at * n_stats + k) * 4;

          sum[k] += k < n_logits ? FLOW_DATA (float, gradients)[example * n_logits + k]
                    : FLOW_DATA (float, hessians)[example * (n_stats - n_logits) + k - n_logits];
          index[0] = all[i].node;
          index[1] = all[i].feature;
          index[2] = all[i].bucket;
          index[3] = (gint32) k;
        }
    }
  return TRUE;
}

static gboolean
sparse_aggregate_compute (FlowKernelContext  *c,
                          GError            **error)
{
  const FlowTensor *shape = flow_kernel_input (c, 5);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  FlowTensor *out;
  gint32 n_features;
  gint64 n;

  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Input shapes should be a vector but received shapes %s");
  FLOW_REQUIRE (shape->n_elements == 2, error, INVALID_ARGUMENT, "feature_shape must have 2 values, got %" G_GINT64_FORMAT,
                shape->n_elements);
  if (!_flow_boosted_check_rank (flow_kernel_input (c, 1), 2, "gradients", error))
    return FALSE;
  n = FLOW_DIMS (flow_kernel_input (c, 1))[0];
  if (!_flow_boosted_check_rows (flow_kernel_input (c, 0), 1, n, "node_ids", error)
      || !_flow_boosted_check_rows (flow_kernel_input (c, 2), 2, n, "hessians", error)
      || !_flow_boosted_check_rank (flow_kernel_input (c, 3), 2, "feature_indices", error)
      || !_flow_boosted_check_rows (flow_kernel_input (c, 4), 1, FLOW_DIMS (flow_kernel_input (c, 3))[0], "feature_values", error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (flow_kernel_input (c, 3))[1] == 2 || flow_kernel_input (c, 3)->n_elements == 0, error,
                INVALID_ARGUMENT, "feature_indices must have 2 columns");
  FLOW_REQUIRE (n <= G_MAXINT32, error, INVALID_ARGUMENT, "too many examples");
  n_features = FLOW_DATA (gint32, shape)[1];
  if (FLOW_DIMS (flow_kernel_input (c, 3))[1] == 2 && !collect_entries (c, entries, n_features, error))
    return FALSE;
  g_array_sort (entries, compare_entries);
  out = flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { 4 }, error);
  if (out == NULL || !put_entries (c, entries, error))
    return FALSE;
  FLOW_WRITABLE (gint32, out)[0] = (gint32) flow_kernel_attr_int (c, "max_splits");
  FLOW_WRITABLE (gint32, out)[1] = n_features;
  FLOW_WRITABLE (gint32, out)[2] = (gint32) (flow_kernel_attr_int (c, "num_buckets") + 1);
  FLOW_WRITABLE (gint32, out)[3] = (gint32) (FLOW_DIMS (flow_kernel_input (c, 1))[1] + FLOW_DIMS (flow_kernel_input (c, 2))[1]);
  return TRUE;
}

static gboolean
sparse_aggregate_infer (FlowInferContext  *c,
                        GError           **error)
{
  g_autoptr (FlowShape) indices = NULL;
  g_autoptr (FlowShape) values = NULL;
  g_autoptr (FlowShape) shape = NULL;
  gint64 n_rows;
  gint64 n_stats;
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 4));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (4));
  return infer_examples (c, &n_rows, &n_stats, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 3), 2, &indices, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 4), 1, &values, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 5), 1, &shape, error) &&
         flow_infer_merge_dim (c, flow_shape_get_dim (indices, 0), flow_shape_get_dim (values, 0), &n, error) &&
         _flow_infer_with_value (flow_shape_get_dim (shape, 0), 2, error);
}

static const FlowOpDef ops[] = {
  FLOW_STATS_OP ("BoostedTreesAggregateStats", "node_ids: int32; gradients: float; hessians: float; feature: int32",
            "stats_summary: float", "max_splits: int >= 1; num_buckets: int >= 1", aggregate_compute, aggregate_infer,
            "Sums of gradients and hessians by node and bucket"),
  FLOW_STATS_OP ("BoostedTreesMakeStatsSummary",
            "node_ids: int32; gradients: float; hessians: float; bucketized_features_list: num_features * int32",
            "stats_summary: float", "max_splits: int >= 1; num_buckets: int >= 1; num_features: int >= 1", make_compute,
            make_infer, "Sums of gradients and hessians by feature, node and bucket"),
  FLOW_STATS_OP ("BoostedTreesSparseAggregateStats",
            "node_ids: int32; gradients: float; hessians: float; feature_indices: int32; feature_values: int32; "
            "feature_shape: int32",
            "stats_summary_indices: int32; stats_summary_values: float; stats_summary_shape: int32",
            "max_splits: int >= 1; num_buckets: int >= 1", sparse_aggregate_compute, sparse_aggregate_infer,
            "Sums of gradients and hessians by node and bucket, of a sparse feature"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_stats, ops)
