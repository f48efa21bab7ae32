/* flow-kernels-topk.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-parallel.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/* The greatest of each row: TopK, InTopK, NthElement. */

/* --- ordering --------------------------------------------------------------------------------------- */

/* Row cells as doubles or 64-bit integers, so that there is one heap and one selection. */
typedef struct {
  gboolean is_int;
  union {
    const double *d;
    const gint64 *i;
  } u;
} Row;

/* Whether cell a stands before b: it is greater, or equal and earlier. NaN is not greater. */
static inline gboolean
before (const Row *row,
        gint32     a,
        gint32     b)
{
  if (row->is_int)
    return row->u.i[a] > row->u.i[b] || (row->u.i[a] == row->u.i[b] && a < b);
  if (row->u.d[a] > row->u.d[b])
    return TRUE;
  return !(row->u.d[b] > row->u.d[a]) && a < b;
}

/* A heap with the last in order at its top, of the k best seen so far. */
static void
sift_down (const Row *row,
           gint32    *heap,
           gint64     n,
           gint64     at)
{
  for (;;)
    {
      gint64 child = 2 * at + 1;
      gint32 swap;

      if (child >= n)
        return;
      if (child + 1 < n && before (row, heap[child], heap[child + 1]))
        child++;
      if (!before (row, heap[at], heap[child]))
        return;
      swap = heap[at];
      heap[at] = heap[child];
      heap[child] = swap;
      at = child;
    }
}

/* Fills @best with the indices of the @k first in order of @n, in that order. */
static void
select_best (const Row *row,
             gint64     n,
             gint64     k,
             gint32    *best)
{
  if (k == 0)
    return;
  for (gint64 i = 0; i < k; i++)
    best[i] = (gint32) i;
  for (gint64 i = k / 2; i > 0; i--)
    sift_down (row, best, k, i - 1);
  for (gint64 i = k; i < n; i++)
    if (before (row, (gint32) i, best[0]))
      {
        best[0] = (gint32) i;
        sift_down (row, best, k, 0);
      }
  for (gint64 i = k - 1; i > 0; i--)
    {
      gint32 last = best[0];

      best[0] = best[i];
      best[i] = last;
      sift_down (row, best, i, 0);
    }
}

/* Lets @value rise from the hole of a heap, no higher than @top. */
static void
rise (const Row *row,
      gint32    *heap,
      gint64     top,
      gint64     hole,
      gint32     value)
{
  while (hole > top && before (row, heap[(hole - 1) / 2], value))
    {
      heap[hole] = heap[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
  heap[hole] = value;
}

/* Fills the hole of a heap of @n: the greater child moves up to the leaves, then @value rises from there. */
static void
fill_hole (const Row *row,
           gint32    *heap,
           gint64     n,
           gint64     hole,
           gint32     value)
{
  gint64 top = hole;

  for (gint64 child = 2 * hole + 1; child < n; child = 2 * hole + 1)
    {
      if (child + 1 < n && !before (row, heap[child + 1], heap[child]))
        child++;
      heap[hole] = heap[child];
      hole = child;
    }
  rise (row, heap, top, hole, value);
}

/* TF: where no order is asked for, the best stand as its heap leaves them, which began with one more than
 * @k; @heap has room for it. In 1.15 what is better takes the place of the worst, in 2.x it rises from the
 * last place once the worst is gone. */
static void
select_unordered (const Row   *row,
                  gint64       n,
                  gint64       k,
                  FlowRelease  release,
                  gint32      *heap)
{
  gint32 last;

  for (gint64 i = 0; i <= k; i++)
    heap[i] = (gint32) i;
  for (gint64 i = (k + 1) / 2; i > 0; i--)
    fill_hole (row, heap, k + 1, i - 1, heap[i - 1]);
  last = heap[k];
  fill_hole (row, heap, k, 0, last);
  for (gint64 i = k + 1; i < n; i++)
    {
      if (!before (row, (gint32) i, heap[0]))
        continue;
      if (release == FLOW_RELEASE_2)
        {
          last = heap[k - 1];
          fill_hole (row, heap, k - 1, 0, last);
          rise (row, heap, 0, k - 1, (gint32) i);
        }
      else
        fill_hole (row, heap, k, 0, (gint32) i);
    }
}

static void
read_row (const FlowTensor *t,
          gint64            row,
          gint64            n,
          gpointer          scratch,
          Row              *out)
{
  out->is_int = !flow_dtype_is_floating (t->dtype);
  if (out->is_int)
    {
      gint64 *cells = scratch;

      for (gint64 i = 0; i < n; i++)
        cells[i] = flow_tensor_get_int (t, row * n + i);
      out->u.i = cells;
    }
  else
    {
      double *cells = scratch;

      if (t->dtype == FLOW_DTYPE_FLOAT)
        for (gint64 i = 0; i < n; i++)
          cells[i] = (double) FLOW_DATA (float, t)[row * n + i];
      else
        for (gint64 i = 0; i < n; i++)
          cells[i] = flow_tensor_get_double (t, row * n + i);
      out->u.d = cells;
    }
}

/* --- TopK, TopKV2 ------------------------------------------------------------------------------------ */

static gboolean
top_k_shapes (FlowInferContext  *c,
              gint64             k,
              GError           **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autofree char *text = flow_shape_to_string (in);
  g_autoptr (FlowShape) at_least = NULL;
  g_autoptr (FlowShape) out = NULL;

  if (c->running)
    {
      FLOW_REQUIRE (k >= 0, error, INVALID_ARGUMENT, "Need k >= 0, got %" G_GINT64_FORMAT, k);
      FLOW_REQUIRE (in->rank >= 1, error, INVALID_ARGUMENT, "input must be >= 1-D, got shape %s", text);
      FLOW_REQUIRE (in->dims[in->rank - 1] >= k, error, INVALID_ARGUMENT,
                    "input must have at least k columns. Had %" G_GINT64_FORMAT ", needed %"
                    G_GINT64_FORMAT, in->dims[in->rank - 1], k);
      FLOW_REQUIRE (in->dims[in->rank - 1] <= G_MAXINT32, error, INVALID_ARGUMENT,
                    "input has more columns than int32 can count: %" G_GINT64_FORMAT,
                    in->dims[in->rank - 1]);
    }
  if (!flow_infer_with_rank_at_least (c, in, 1, &at_least, error))
    return FALSE;
  if (at_least->rank == FLOW_RANK_UNKNOWN)
    {
      out = flow_shape_new_unknown ();
    }
  else
    {
      FLOW_REQUIRE (at_least->dims[at_least->rank - 1] < 0 || k <= at_least->dims[at_least->rank - 1],
                    error, INVALID_ARGUMENT,
                    "input must have last dimension >= k = %" G_GINT64_FORMAT " but is %"
                    G_GINT64_FORMAT, k, at_least->dims[at_least->rank - 1]);
      out = flow_shape_new (at_least->rank, at_least->dims);
      out->dims[out->rank - 1] = k;
    }
  flow_infer_set_output (c, 0, out);
  flow_infer_set_output (c, 1, out);
  return TRUE;
}

static gboolean
top_k_infer (FlowInferContext  *c,
             GError           **error)
{
  return top_k_shapes (c, flow_infer_attr_int (c, "k"), error);
}

static gboolean
top_k_v2_infer (FlowInferContext  *c,
                GError           **error)
{
  gint64 k = FLOW_DIM_UNKNOWN;
  FlowShape *k_shape = flow_infer_input (c, 1);
  g_autofree char *text = flow_shape_to_string (k_shape);

  FLOW_REQUIRE (!c->running || k_shape->rank == 0, error, INVALID_ARGUMENT,
                "k must be scalar, got shape %s", text);
  if (flow_infer_scalar_value (c, 1, &k))
    FLOW_REQUIRE (k >= 0 || c->running, error, INVALID_ARGUMENT,
                  "Dimension size, given by scalar input 1, must be non-negative but is %" G_GINT64_FORMAT, k);
  return top_k_shapes (c, k, error);
}

typedef struct {
  const FlowTensor *in;
  gint64 n;
  gint64 k;
  guint8 *values;
  gint32 *indices;
  gboolean sorted;
  FlowRelease release;
  int failed;
} TopKJob;

static void
top_k_range (gint64   begin,
             gint64   end,
             gpointer data)
{
  TopKJob *job = data;
  gsize size = flow_dtype_size (job->in->dtype);
  g_autofree gpointer scratch = g_try_malloc_n ((gsize) MAX (job->n, 1), sizeof (gint64));
  g_autofree gint32 *heap = g_try_new (gint32, (gsize) job->k + 1);

  if (scratch == NULL || heap == NULL)
    {
      g_atomic_int_set (&job->failed, 1);
      return;
    }
  for (gint64 r = begin; r < end; r++)
    {
      gint32 *best = job->indices + r * job->k;
      Row row;

      read_row (job->in, r, job->n, scratch, &row);
      if (job->sorted || job->k == 1 || job->k == job->n)
        select_best (&row, job->n, job->k, best);
      else
        {
          select_unordered (&row, job->n, job->k, job->release, heap);
          memcpy (best, heap, (gsize) job->k * sizeof (gint32));
        }
      for (gint64 i = 0; i < job->k; i++)
        memcpy (job->values + (gsize) (r * job->k + i) * size,
                (const guint8 *) job->in->data + (gsize) (r * job->n + best[i]) * size, size);
    }
}

static gboolean
top_k_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_allocate_inferred (c, 0, error);
  FlowTensor *indices = values != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  TopKJob job = { in };

  if (indices == NULL)
    return FALSE;
  job.n = FLOW_DIMS (in)[FLOW_RANK (in) - 1];
  job.k = FLOW_DIMS (values)[FLOW_RANK (values) - 1];
  job.values = values->data;
  job.indices = indices->data;
  job.sorted = flow_kernel_attr_bool (c, "sorted");
  job.release = flow_kernel_release (c);
  if (values->n_elements == 0)
    return TRUE;
  flow_parallel_for (values->n_elements / job.k, MAX (1, 4096 / job.n), top_k_range, &job);
  FLOW_REQUIRE (!job.failed, error, RESOURCE_EXHAUSTED, "OOM when sorting a row");
  return TRUE;
}

#define REALS "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64"
FLOW_ONE_KERNEL (top_k, REALS)

/* --- InTopK, InTopKV2 ---------------------------------------------------------------------------------- */

static gboolean
in_top_k_infer (FlowInferContext  *c,
                GError           **error)
{
  FlowShape *predictions = flow_infer_input (c, 0);
  FlowShape *targets = flow_infer_input (c, 1);
  g_autoptr (FlowShape) matrix = NULL;
  g_autoptr (FlowShape) vector = NULL;
  gint64 rows;

  if (c->running)
    {
      if (c->n_inputs == 3)
        {
          g_autofree char *text = flow_shape_to_string (flow_infer_input (c, 2));

          FLOW_REQUIRE (flow_infer_input (c, 2)->rank == 0, error, INVALID_ARGUMENT,
                        "k must be 0-D, got shape %s", text);
        }
      FLOW_REQUIRE (predictions->rank == 2, error, INVALID_ARGUMENT,
                    "predictions must be 2-dimensional");
      FLOW_REQUIRE (targets->rank == 1, error, INVALID_ARGUMENT, "targets must be 1-dimensional");
      FLOW_REQUIRE (predictions->dims[0] == targets->dims[0], error, INVALID_ARGUMENT,
                    "First dimension of predictions %" G_GINT64_FORMAT
                    " must match length of targets %" G_GINT64_FORMAT, predictions->dims[0],
                    targets->dims[0]);
    }
  if (!flow_infer_with_rank (c, predictions, 2, &matrix, error) ||
      !flow_infer_with_rank (c, targets, 1, &vector, error) ||
      !flow_infer_merge_dim (c, matrix->dims[0], vector->dims[0], &rows, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (rows));
  return TRUE;
}

/* TF: not in the top if the target is no class, or any prediction that decides it is not finite. */
static gboolean
is_in_top_k (const float *row,
             gint64       n,
             gint64       target,
             gint64       k)
{
  gint64 better = 0;

  if (target < 0 || target >= n || !isfinite (row[target]))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      if (!isfinite (row[i]))
        return FALSE;
      if (row[i] > row[target] && ++better > k)
        return FALSE;
    }
  return better < k;
}

static gboolean
in_top_k_with (FlowKernelContext  *c,
               gint64              k,
               GError            **error)
{
  const FlowTensor *predictions = flow_kernel_input (c, 0);
  const FlowTensor *targets = flow_kernel_input (c, 1);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  gint64 n = FLOW_DIMS (predictions)[1];

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < out->n_elements; i++)
    FLOW_WRITABLE (guint8, out)[i] = is_in_top_k (FLOW_DATA (float, predictions) + i * n, n,
                                                  flow_tensor_get_int (targets, i), k);
  return TRUE;
}

static gboolean
in_top_k_compute (FlowKernelContext  *c,
                  GError            **error)
{
  return in_top_k_with (c, flow_kernel_attr_int (c, "k"), error);
}

static gboolean
in_top_k_v2_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return in_top_k_with (c, flow_tensor_get_int (flow_kernel_input (c, 2), 0), error);
}

FLOW_ONE_KERNEL (in_top_k, "T: int32 int64")
FLOW_ONE_KERNEL (in_top_k_v2, "T: int32 int64")

/* --- NthElement ------------------------------------------------------------------------------------------ */

/* What TensorFlow asks of n while a graph is built. */
static gboolean
nth_element_check (FlowInferContext  *c,
                   const FlowShape   *in,
                   GError           **error)
{
  FlowShape *n_shape = flow_infer_input (c, 1);
  FlowTensor *n = flow_infer_input_value (c, 1);
  gint64 columns = flow_shape_get_dim (in, in->rank - 1);
  gint64 at;

  if (n == NULL)
    return TRUE;
  FLOW_REQUIRE (n_shape->rank == 0, error, INVALID_ARGUMENT, "Input must be scalar but has rank %d", n_shape->rank);
  at = flow_tensor_get_int (n, 0);
  FLOW_REQUIRE (at >= 0, error, INVALID_ARGUMENT,
                "Dimension size, given by scalar input 1, must be non-negative but is %" G_GINT64_FORMAT, at);
  FLOW_REQUIRE (in->rank == FLOW_RANK_UNKNOWN || columns < 0 || columns > at, error, INVALID_ARGUMENT,
                "Input must have last dimension > n = %" G_GINT64_FORMAT " but is %" G_GINT64_FORMAT, at, columns);
  return TRUE;
}

static gboolean
nth_element_infer (FlowInferContext  *c,
                   GError           **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowShape *n_shape = flow_infer_input (c, 1);
  g_autofree char *text_in = flow_shape_to_string (in);
  g_autofree char *text_n = flow_shape_to_string (n_shape);
  g_autoptr (FlowShape) at_least = NULL;
  FlowShape *out;
  gint64 n;

  if (c->running)
    {
      FLOW_REQUIRE (n_shape->rank == 0, error, INVALID_ARGUMENT, "N must be scalar, got shape %s",
                    text_n);
      n = flow_tensor_get_int (flow_infer_input_value (c, 1), 0);
      FLOW_REQUIRE (n >= 0, error, INVALID_ARGUMENT, "Need n >= 0, got %" G_GINT64_FORMAT, n);
      FLOW_REQUIRE (in->rank >= 1, error, INVALID_ARGUMENT, "Input must be >= 1-D, got shape %s",
                    text_in);
      FLOW_REQUIRE (in->dims[in->rank - 1] > n, error, INVALID_ARGUMENT,
                    "Input must have at least n+1 columns");
      FLOW_REQUIRE (in->dims[in->rank - 1] <= G_MAXINT32, error, INVALID_ARGUMENT,
                    "Input has more columns than int32 can count");
    }
  if (!flow_infer_with_rank_at_least (c, in, 1, &at_least, error) || !nth_element_check (c, at_least, error) ||
      !flow_infer_subshape (c, at_least, 0, -1, &out, error))
    return FALSE;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static gboolean
nth_element_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  gint64 columns = FLOW_DIMS (in)[FLOW_RANK (in) - 1];
  gint64 n = flow_tensor_get_int (flow_kernel_input (c, 1), 0);
  gsize size = flow_dtype_size (in->dtype);
  g_autofree gpointer scratch = g_try_malloc_n ((gsize) columns, sizeof (gint64));
  g_autofree gint32 *best = g_try_new (gint32, (gsize) columns);

  if (out == NULL)
    return FALSE;
  FLOW_REQUIRE (scratch != NULL && best != NULL, error, RESOURCE_EXHAUSTED, "OOM when sorting a row");
  if (!flow_kernel_attr_bool (c, "reverse"))
    n = columns - 1 - n;
  for (gint64 r = 0; r < out->n_elements; r++)
    {
      Row row;

      read_row (in, r, columns, scratch, &row);
      select_best (&row, columns, n + 1, best);
      memcpy ((guint8 *) out->data + (gsize) r * size,
              (const guint8 *) in->data + (gsize) (r * columns + best[n]) * size, size);
    }
  return TRUE;
}

FLOW_ONE_KERNEL (nth_element, REALS)

/* --- the table -------------------------------------------------------------------------------------------- */

static const FlowOpDef ops[] = {
  { .name = "InTopK", .inputs = "predictions: float; targets: T", .outputs = "precision: bool",
    .attrs = "k: int; T: {int32, int64} = DT_INT32",
    .summary = "Whether the target is among the k greatest predictions",
    .family = FLOW_OP_FAMILY_MATH, .infer = in_top_k_infer, .kernels = in_top_k_kernels },
  { .name = "InTopKV2", .inputs = "predictions: float; targets: T; k: T",
    .outputs = "precision: bool", .attrs = "T: {int32, int64} = DT_INT32",
    .summary = "Whether the target is among the k greatest predictions",
    .family = FLOW_OP_FAMILY_MATH, .infer = in_top_k_infer, .kernels = in_top_k_v2_kernels },
  { .name = "NthElement", .inputs = "input: T; n: int32", .outputs = "values: T",
    .attrs = "reverse: bool = false; T: " FLOW_REAL_NUMBER_TYPES,
    .summary = "The n-th smallest of each row", .family = FLOW_OP_FAMILY_MATH,
    .infer = nth_element_infer, .kernels = nth_element_kernels },
  { .name = "TopK", .inputs = "input: T", .outputs = "values: T; indices: int32",
    .attrs = "k: int >= 0; sorted: bool = true; T: " FLOW_REAL_NUMBER_TYPES,
    .summary = "The k greatest of each row, and where they stand",
    .family = FLOW_OP_FAMILY_MATH, .infer = top_k_infer, .kernels = top_k_kernels },
  { .name = "TopKV2", .inputs = "input: T; k: int32", .outputs = "values: T; indices: int32",
    .attrs = "sorted: bool = true; T: " FLOW_REAL_NUMBER_TYPES,
    .summary = "The k greatest of each row, and where they stand",
    .family = FLOW_OP_FAMILY_MATH, .infer = top_k_v2_infer, .kernels = top_k_kernels },
};

FLOW_DEFINE_OP_FAMILY (topk, ops)
