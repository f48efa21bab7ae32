/* flow-kernels-count_sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * How often each number comes up, as a sparse tensor: of dense, sparse and ragged batches.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-summarize.h"

#include <string.h>

/* One number that counts, in its row of the batch. */
typedef struct {
  gint64 batch;
  gint64 value;
  gint64 at;                   /* in the values, and so in the weights */
} Seen;

typedef struct {
  gint64 min_length;
  gint64 max_length;
  gboolean is_binary;
  gboolean has_weights;
  GArray *seen;                /* of Seen */
  gint64 greatest;
} Counting;

static void
counting_init (Counting          *self,
               FlowKernelContext *c,
               const FlowTensor  *weights)
{
  self->min_length = flow_kernel_attr_int (c, "minlength");
  self->max_length = flow_kernel_attr_int (c, "maxlength");
  self->is_binary = flow_kernel_attr_bool (c, "binary_output");
  self->has_weights = weights->n_elements > 0;
  self->seen = g_array_new (FALSE, FALSE, sizeof (Seen));
}

static void
counting_clear (Counting *self)
{
  g_clear_pointer (&self->seen, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Counting, counting_clear)

static gboolean
check_weights (const FlowTensor  *weights,
               const FlowTensor  *values,
               const char        *what,
               GError           **error)
{
  g_autofree char *own = flow_tensor_shape_text (weights);
  g_autofree char *other = flow_tensor_shape_text (values);

  return weights->n_elements == 0 || flow_shape_equal (weights->shape, values->shape) ||
         _flow_refuse (error, "Weights and %s must have the same shape. Weight shape: %s; %s shape: %s", what, own, what, other);
}

static gboolean
check_values (const FlowTensor  *values,
              GError           **error)
{
  for (gint64 i = 0; i < values->n_elements; i++)
    if (flow_index_at (values, i) < 0)
      return _flow_refuse (error, "Input values must all be non-negative");
  return TRUE;
}

/* TF: what is too great does not count. */
static void
count_value (Counting         *self,
             const FlowTensor *values,
             gint64            at,
             gint64            batch)
{
  Seen seen = { batch, flow_index_at (values, at), at };

  if (self->max_length >= 0 && seen.value >= self->max_length)
    return;
  g_array_append_val (self->seen, seen);
  self->greatest = MAX (self->greatest, seen.value);
}

static int
compare_seen (gconstpointer a,
              gconstpointer b)
{
  const Seen *x = a;
  const Seen *y = b;

  if (x->batch != y->batch)
    return x->batch < y->batch ? -1 : 1;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static gboolean
is_same (const Seen *a,
         const Seen *b)
{
  return a->batch == b->batch && a->value == b->value;
}

/* Adds what one number weighs; @first where it is the first of its kind. */
static void
add_weight (const Counting   *self,
            const FlowTensor *weights,
            gint64            from,
            FlowTensor       *out,
            gint64            at,
            gboolean          first)
{
  const gboolean counts = !self->is_binary && self->has_weights;

  if (self->is_binary && !first)
    return;
#define ADD(type) \
  FLOW_WRITABLE (type, out)[at] = (type) ((first ? 0 : FLOW_DATA (type, out)[at]) + (counts ? FLOW_DATA (type, weights)[from] : 1))
  switch ((int) out->dtype)
    {
    /* Sums of integers go round. */
    case FLOW_DTYPE_INT32: ADD (guint32); break;
    case FLOW_DTYPE_INT64: ADD (guint64); break;
    case FLOW_DTYPE_FLOAT: ADD (float); break;
    default: ADD (double); break;
    }
#undef ADD
}

static gboolean
put_counts (FlowKernelContext  *c,
            Counting           *self,
            const FlowTensor   *weights,
            gint64              n_batches,
            gboolean            is_1d,
            GError            **error)
{
  const Seen *seen;
  const gint64 width = is_1d ? 1 : 2;
  /* Of which 32 bits are shown: the greatest number there is does not matter. */
  const gint64 length = self->max_length >= 0 ? self->max_length
                        : MAX (MIN (self->greatest, G_MAXINT64 - 1) + 1, self->min_length);
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;
  gint64 n = 0;
  gint64 at = -1;

  g_array_sort (self->seen, compare_seen);
  seen = (const Seen *) (gpointer) self->seen->data;
  for (guint i = 0; i < self->seen->len; i++)
    n += i == 0 || !is_same (&seen[i], &seen[i - 1]);
  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n, width }, error);
  values = indices == NULL ? NULL : flow_kernel_allocate_dims (c, 1, 1, &n, error);
  shape = values == NULL ? NULL : flow_kernel_allocate_dims (c, 2, 1, &width, error);
  if (shape == NULL)
    return FALSE;
  for (guint i = 0; i < self->seen->len; i++)
    {
      const gboolean first = i == 0 || !is_same (&seen[i], &seen[i - 1]);

      at += first;
      if (!is_1d)
        FLOW_WRITABLE (gint64, indices)[at * width] = seen[i].batch;
      /* TF: a number is kept in 32 bits. */
      FLOW_WRITABLE (gint64, indices)[at * width + width - 1] = (gint32) (guint32) seen[i].value;
      add_weight (self, weights, seen[i].at, values, at, first);
    }
  if (!is_1d)
    FLOW_WRITABLE (gint64, shape)[0] = n_batches;
  FLOW_WRITABLE (gint64, shape)[width - 1] = (gint32) (guint32) length;
  return TRUE;
}

static gboolean
reserve_seen (FlowKernelContext  *c,
              const FlowTensor   *values,
              GError            **error)
{
  const gsize n_bytes = (gsize) values->n_elements * 2 * sizeof (Seen);

  FLOW_REQUIRE (values->n_elements < G_MAXINT32 / (gint64) sizeof (Seen), error, RESOURCE_EXHAUSTED, "OOM when counting");
  if (c->budget == NULL)
    return TRUE;
  FLOW_REQUIRE (flow_budget_reserve (c->budget, n_bytes), error, RESOURCE_EXHAUSTED, "OOM when counting");
  flow_budget_release (c->budget, n_bytes);
  return TRUE;
}

/* --- DenseCountSparseOutput ----------------------------------------------------------------------------------------- */

static gboolean
dense_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *values = flow_kernel_input (c, 0);
  const FlowTensor *weights = flow_kernel_input (c, 1);
  g_auto (Counting) counting = { 0 };
  gint64 n_batches;
  gint64 n;

  if (FLOW_RANK (values) != 1 && FLOW_RANK (values) != 2)
    return _flow_refuse_shapes (error, values, NULL, "Input must be a 1 or 2-dimensional tensor. Got: %s");
  if (!check_values (values, error) || !check_weights (weights, values, "data", error) || !reserve_seen (c, values, error))
    return FALSE;
  n_batches = FLOW_RANK (values) == 1 ? 1 : FLOW_DIMS (values)[0];
  if (n_batches == 0)
    return _flow_refuse (error, "Invalid input: Shapes dimension cannot be 0.");
  n = values->n_elements / n_batches;
  counting_init (&counting, c, weights);
  for (gint64 i = 0; i < values->n_elements; i++)
    count_value (&counting, values, i, i / n);
  return put_counts (c, &counting, weights, n_batches, FLOW_RANK (values) == 1, error);
}

static gboolean
dense_infer (FlowInferContext  *c,
             GError           **error)
{
  const int rank = flow_infer_input (c, 0)->rank;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, rank >= 0 ? rank : FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (rank >= 0 ? rank : FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* --- SparseCountSparseOutput ---------------------------------------------------------------------------------------- */

static gboolean
check_sparse (const FlowTensor  *indices,
              const FlowTensor  *values,
              const FlowTensor  *shape,
              GError           **error)
{
  g_autofree char *indices_text = flow_tensor_shape_text (indices);

  if (FLOW_RANK (indices) != 2)
    return _flow_refuse (error, "Input indices must be a 2-dimensional tensor. Got: %s", indices_text);
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "Input values must be a vector. Got: %s");
  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Input shape must be a vector. Got: %s");
  if (values->n_elements != FLOW_DIMS (indices)[0])
    return _flow_refuse (error, "Number of values must match first dimension of indices.Got %" G_GINT64_FORMAT
                         " values, indices shape: %s", values->n_elements, indices_text);
  if (shape->n_elements != FLOW_DIMS (indices)[1])
    return _flow_refuse (error, "Number of dimensions must match second dimension of indices.Got %" G_GINT64_FORMAT
                         " dimensions, indices shape: %s", shape->n_elements, indices_text);
  if (shape->n_elements == 0)
    return _flow_refuse (error, "The shape argument requires at least one element.");
  return TRUE;
}

static gboolean
check_indices (const FlowTensor  *indices,
               const FlowTensor  *shape,
               GError           **error)
{
  const gint64 rank = FLOW_DIMS (indices)[1];

  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      const gint64 index = FLOW_DATA (gint64, indices)[i];
      const gint64 size = FLOW_DATA (gint64, shape)[i % rank];

      if (index < 0 || index >= size)
        {
          g_autofree char *values = flow_tensor_summarize (shape, 3);

          return _flow_refuse (error, "Invalid index value at %" G_GINT64_FORMAT ": dimension %" G_GINT64_FORMAT " has value %"
                               G_GINT64_FORMAT " which is not in [0, %" G_GINT64_FORMAT ") (as given by dense shape "
                               "Tensor<type: int64 shape: [%" G_GINT64_FORMAT "] values: %s>", i / rank, i % rank, index, size,
                               shape->n_elements, values);
        }
    }
  return TRUE;
}

static gboolean
sparse_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  const FlowTensor *shape = flow_kernel_input (c, 2);
  const FlowTensor *weights = flow_kernel_input (c, 3);
  g_auto (Counting) counting = { 0 };
  gboolean is_1d;
  gint64 n_batches;

  if (!check_sparse (indices, values, shape, error) || !check_indices (indices, shape, error) || !check_values (values, error)
      || !check_weights (weights, values, "values", error) || !reserve_seen (c, values, error))
    return FALSE;
  is_1d = shape->n_elements == 1;
  n_batches = is_1d ? 1 : FLOW_DATA (gint64, shape)[0];
  if (n_batches <= 0 || n_batches >= G_MAXINT32)
    return _flow_refuse (error, "Cannot allocate %d batches, is the dense shape too wide?", (gint32) (guint32) n_batches);
  counting_init (&counting, c, weights);
  for (gint64 i = 0; i < values->n_elements; i++)
    count_value (&counting, values, i, is_1d ? 0 : FLOW_DATA (gint64, indices)[i * FLOW_DIMS (indices)[1]]);
  return put_counts (c, &counting, weights, n_batches, is_1d, error);
}

static gboolean
sparse_infer (FlowInferContext  *c,
              GError           **error)
{
  const gint64 rank = flow_infer_input (c, 0)->rank == 2 ? flow_shape_get_dim (flow_infer_input (c, 0), 1) : FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, rank));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (rank));
  return TRUE;
}

/* --- RaggedCountSparseOutput ---------------------------------------------------------------------------------------- */

static gboolean
check_splits (const FlowTensor  *splits,
              gint64             n_values,
              GError           **error)
{
  const gint64 *cells = FLOW_DATA (gint64, splits);
  const gint64 n = splits->n_elements - 1;

  if (n <= 0)
    return _flow_refuse (error, "Must provide at least 2 elements for the splits argument");
  if (cells[0] != 0)
    return _flow_refuse (error, "Splits must start with 0, not with %" G_GINT64_FORMAT, cells[0]);
  if (cells[n] != n_values)
    return _flow_refuse (error, "Splits must end with the number of values, got %" G_GINT64_FORMAT " instead of %"
                         G_GINT64_FORMAT, cells[n], n_values);
  return TRUE;
}

static gboolean
ragged_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *splits = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  const FlowTensor *weights = flow_kernel_input (c, 2);
  g_auto (Counting) counting = { 0 };
  gint64 batch = 0;

  if (!check_weights (weights, values, "values", error) || !check_splits (splits, values->n_elements, error)
      || !check_values (values, error)
      || !reserve_seen (c, values, error))
    return FALSE;
  counting_init (&counting, c, weights);
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      /* The last split is behind every value: this ends. */
      while (i >= FLOW_DATA (gint64, splits)[batch])
        batch++;
      count_value (&counting, values, i, batch - 1);
    }
  return put_counts (c, &counting, weights, splits->n_elements - 1, FALSE, error);
}

static gboolean
ragged_infer (FlowInferContext  *c,
              GError           **error)
{
  const int rank = flow_infer_input (c, 1)->rank;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (rank < 0)
    return flow_infer_unknown_shape (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, rank + 1));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (rank + 1));
  return TRUE;
}

#define COUNT_OP(op, ins, func, infer_func, text)                                                            \
  { .name = op, .inputs = ins "weights: output_type",                                                         \
    .outputs = "output_indices: int64; output_values: output_type; output_dense_shape: int64",                \
    .attrs = "T: {int32, int64}; minlength: int >= -1 = -1; maxlength: int >= -1 = -1; binary_output: bool; "  \
             "output_type: {int32, int64, float, double}",                                                    \
    .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = infer_func,                                      \
    .kernels = (const FlowKernelDef[]) {                                                                      \
      { "T: int32 int64; output_type: int32 int64 float double", func }, { NULL } } }

static const FlowOpDef ops[] = {
  COUNT_OP ("DenseCountSparseOutput", "values: T; ", dense_compute, dense_infer, "How often each number is in each row"),
  COUNT_OP ("RaggedCountSparseOutput", "splits: int64; values: T; ", ragged_compute, ragged_infer,
            "How often each number is in each row of a ragged tensor"),
  COUNT_OP ("SparseCountSparseOutput", "indices: int64; values: T; dense_shape: int64; ", sparse_compute, sparse_infer,
            "How often each number is in each row of a sparse tensor"),
};

FLOW_DEFINE_OP_FAMILY (count_sparse, ops)
