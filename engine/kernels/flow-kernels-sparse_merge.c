/* flow-kernels-sparse_merge.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sparse tensors place by place against others: minimum, maximum, gradients of sums and slices; cut into parts,
 * added to a dense one, reduced to another sparse one.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-nn-private.h"
#include "flow-sparse-rows-private.h"

#include <math.h>
#include <string.h>

/* --- SparseSparseMaximum, SparseSparseMinimum -------------------------------------------------------------------- */

static gboolean
infer_pair (FlowInferContext  *c,
            GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static void
put_larger (FlowTensor       *out,
            gint64            at,
            const FlowSparse *a,
            gint64            i,
            const FlowSparse *b,
            gint64            j,
            gboolean          larger)
{
  if (flow_dtype_is_integer (out->dtype))
    {
      gint64 x = i >= 0 ? flow_tensor_get_int (a->values, i) : 0;
      gint64 y = j >= 0 ? flow_tensor_get_int (b->values, j) : 0;

      _flow_put_int (out, at, larger ? MAX (x, y) : MIN (x, y));
    }
  else
    {
      double x = i >= 0 ? flow_tensor_get_double (a->values, i) : 0;
      double y = j >= 0 ? flow_tensor_get_double (b->values, j) : 0;

      _flow_put_double (out, at, (larger ? x < y : y < x) ? y : x);
    }
}

static gboolean
larger (FlowKernelContext  *c,
        gboolean            is_maximum,
        GError            **error)
{
  FlowSparse a;
  FlowSparse b;
  FlowTensor *indices;
  FlowTensor *values;
  gint64 n = 0;
  gint64 i = 0;
  gint64 j = 0;

  if (!_flow_sparse_read_pair (c, FALSE, &a, &b, error))
    return FALSE;
  for (; i < a.n || j < b.n; n++)
    {
      int which = _flow_sparse_next (&a, i, &b, j);

      i += which <= 0;
      j += which >= 0;
    }
  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n, a.rank }, error);
  values = indices != NULL ? flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { n }, error) : NULL;
  if (values == NULL)
    return FALSE;
  i = j = 0;
  for (gint64 k = 0; k < n; k++)
    {
      int which = _flow_sparse_next (&a, i, &b, j);
      const gint64 *row = which <= 0 ? a.indices + i * a.rank : b.indices + j * b.rank;

      if (a.rank > 0)
        memcpy (FLOW_WRITABLE (gint64, indices) + k * a.rank, row, sizeof (gint64) * (gsize) a.rank);
      put_larger (values, k, &a, which <= 0 ? i : -1, &b, which >= 0 ? j : -1, is_maximum);
      i += which <= 0;
      j += which >= 0;
    }
  return TRUE;
}

static gboolean
maximum_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return larger (c, TRUE, error);
}

static gboolean
minimum_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return larger (c, FALSE, error);
}

/* --- SparseAddGrad ----------------------------------------------------------------------------------------------- */

static gint64
count_rows (FlowInferContext *c,
            guint             i)
{
  const FlowShape *shape = flow_infer_input (c, i);

  return shape->rank > 0 ? shape->dims[0] : FLOW_DIM_UNKNOWN;
}

static gboolean
add_grad_infer (FlowInferContext  *c,
                GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (count_rows (c, 1)));
  flow_infer_take_output (c, 1, flow_shape_new_vector (count_rows (c, 2)));
  return TRUE;
}

static gboolean
check_add_grad (const FlowTensor  *grad,
                const FlowTensor  *a,
                const FlowTensor  *b,
                const FlowTensor  *sum,
                GError           **error)
{
  if (FLOW_RANK (a) != 2 || FLOW_RANK (b) != 2 || FLOW_RANK (sum) != 2)
    {
      g_autofree char *a_text = flow_tensor_shape_text (a);
      g_autofree char *b_text = flow_tensor_shape_text (b);
      g_autofree char *sum_text = flow_tensor_shape_text (sum);

      return _flow_refuse (error, "Input indices should be matrices but received shapes: %s and %s and %s", a_text, b_text,
                           sum_text);
    }
  if (!flow_is_vector (grad))
    return _flow_refuse_shapes (error, grad, NULL, "Input backprop_val_grad should be a vector but received shape: %s");
  if (FLOW_DIMS (a)[1] != FLOW_DIMS (b)[1] || FLOW_DIMS (b)[1] != FLOW_DIMS (sum)[1])
    return _flow_refuse (error, "The densified operands should have the same ndims; for A, B, sum got: %" G_GINT64_FORMAT
                         "%" G_GINT64_FORMAT "%" G_GINT64_FORMAT, FLOW_DIMS (a)[1], FLOW_DIMS (b)[1], FLOW_DIMS (sum)[1]);
  if (grad->n_elements != FLOW_DIMS (sum)[0])
    return _flow_refuse (error, "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got %"
                         G_GINT64_FORMAT " and %" G_GINT64_FORMAT, grad->n_elements, FLOW_DIMS (sum)[0]);
  return TRUE;
}

/* One side of the sum whose gradient is asked for. */
typedef struct {
  const FlowTensor *indices;
  FlowTensor *out;
  gint64 at;
} Side;

/* Where @side stands against place @k of the sum; takes the gradient where they meet. FALSE: @side was behind, and the
 * sum must wait for it. */
static gboolean
meet (Side             *side,
      const FlowTensor *grad,
      const FlowTensor *sum,
      gint64            k)
{
  int rank = (int) FLOW_DIMS (sum)[1];
  gsize cell = _flow_cell_size (grad->dtype);
  int order = _flow_compare_indices (FLOW_DATA (gint64, side->indices) + side->at * rank, FLOW_DATA (gint64, sum) + k * rank,
                                     rank);

  if (order == 0)
    memcpy ((guint8 *) side->out->data + (gsize) side->at * cell, (const guint8 *) grad->data + (gsize) k * cell, cell);
  if (order <= 0)
    side->at++;
  return order >= 0;
}

/* TF: both sides are walked at once, and whichever is behind holds the sum back; that shows where indices do not rise. */
static void
pick_grads (Side             *sides,
            const FlowTensor *grad,
            const FlowTensor *sum)
{
  gint64 k = 0;

  while (sides[0].at < sides[0].out->n_elements && sides[1].at < sides[1].out->n_elements && k < grad->n_elements)
    {
      gboolean a_waits = meet (&sides[0], grad, sum, k);
      gboolean b_waits = meet (&sides[1], grad, sum, k);

      k += a_waits && b_waits;
    }
  for (guint i = 0; i < 2; i++)
    while (sides[i].at < sides[i].out->n_elements && k < grad->n_elements)
      k += meet (&sides[i], grad, sum, k);
}

static gboolean
add_grad_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowTensor *grad = flow_kernel_input (c, 0);
  FlowTensor *sum = flow_kernel_input (c, 3);
  Side sides[2];

  if (!check_add_grad (grad, flow_kernel_input (c, 1), flow_kernel_input (c, 2), sum, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      FlowTensor *indices = flow_kernel_input (c, i + 1);
      FlowTensor *out = flow_kernel_allocate_dims (c, i, 1, FLOW_DIMS (indices), error);

      if (out == NULL)
        return FALSE;
      if (out->n_bytes > 0)
        memset (out->data, 0, out->n_bytes);
      sides[i] = (Side) { indices, out, 0 };
    }
  pick_grads (sides, grad, sum);
  return TRUE;
}

/* --- SparseSliceGrad ---------------------------------------------------------------------------------------------- */

static gboolean
slice_grad_infer (FlowInferContext  *c,
                  GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (count_rows (c, 1)));
  return TRUE;
}

static gboolean
check_slice_grad (const FlowTensor  *grad,
                  const FlowTensor  *indices,
                  const FlowTensor  *start,
                  const FlowTensor  *kept,
                  GError           **error)
{
  if (FLOW_RANK (indices) != 2 || FLOW_RANK (kept) != 2)
    return _flow_refuse_shapes (error, indices, kept, "Input and output indices should be matrices but received shapes: %s and %s");
  if (!flow_is_vector (grad))
    return _flow_refuse_shapes (error, grad, NULL, "Input backprop_val_grad should be a vector but received shape: %s");
  if (FLOW_DIMS (indices)[1] != FLOW_DIMS (kept)[1])
    return _flow_refuse (error, "The input and output should have the same ndims: got: %" G_GINT64_FORMAT " and %"
                         G_GINT64_FORMAT, FLOW_DIMS (indices)[1], FLOW_DIMS (kept)[1]);
  if (FLOW_DIMS (kept)[0] > FLOW_DIMS (indices)[0])
    return _flow_refuse (error, "# rows of output_indices should be not greater than of input_indices, got %" G_GINT64_FORMAT
                         " and %" G_GINT64_FORMAT, FLOW_DIMS (kept)[0], FLOW_DIMS (indices)[0]);
  if (grad->n_elements != FLOW_DIMS (kept)[0])
    return _flow_refuse (error, "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): got %"
                         G_GINT64_FORMAT " and %" G_GINT64_FORMAT, grad->n_elements, FLOW_DIMS (kept)[0]);
  if (!flow_is_vector (start))
    return _flow_refuse_shapes (error, start, NULL, "The input_start should be a vector but received shape %s");
  if (start->n_elements != FLOW_DIMS (indices)[1])
    return _flow_refuse (error, "Expected input_start to be a vector of length %" G_GINT64_FORMAT " but got length %"
                         G_GINT64_FORMAT, FLOW_DIMS (indices)[1], start->n_elements);
  return TRUE;
}

static gboolean
slice_grad_compute (FlowKernelContext  *c,
                    GError            **error)
{
  FlowTensor *grad = flow_kernel_input (c, 0);
  FlowTensor *indices = flow_kernel_input (c, 1);
  FlowTensor *start = flow_kernel_input (c, 2);
  FlowTensor *kept = flow_kernel_input (c, 3);
  gsize cell = _flow_cell_size (grad->dtype);
  FlowTensor *out;
  gint64 rank;
  gint64 j = 0;

  if (!check_slice_grad (grad, indices, start, kept, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 1, FLOW_DIMS (indices), error);
  if (out == NULL)
    return FALSE;
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  rank = FLOW_DIMS (indices)[1];
  for (gint64 i = 0; i < out->n_elements && j < grad->n_elements; i++)
    {
      gboolean same = TRUE;

      for (gint64 d = 0; d < rank && same; d++)
        same = (guint64) FLOW_DATA (gint64, kept)[j * rank + d] + (guint64) FLOW_DATA (gint64, start)[d]
               == (guint64) FLOW_DATA (gint64, indices)[i * rank + d];
      if (!same)
        continue;
      memcpy ((guint8 *) out->data + (gsize) i * cell, (const guint8 *) grad->data + (gsize) j * cell, cell);
      j++;
    }
  FLOW_REQUIRE (j == grad->n_elements, error, INTERNAL, "Elements of backprop_val_grad aren't all propagated. Num elements:%"
                G_GINT64_FORMAT ", used: %" G_GINT64_FORMAT, grad->n_elements, j);
  return TRUE;
}

/* --- SparseTensorDenseAdd ------------------------------------------------------------------------------------------ */

static gboolean
dense_add_infer (FlowInferContext  *c,
                 GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_set_output (c, 0, flow_infer_input (c, 3));
  return TRUE;
}

static gboolean
check_dense_add (FlowKernelContext  *c,
                 GError            **error)
{
  FlowTensor *indices = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_input (c, 1);
  FlowTensor *shape = flow_kernel_input (c, 2);
  FlowTensor *b = flow_kernel_input (c, 3);

  if (FLOW_RANK (indices) != 2)
    return _flow_refuse_shapes (error, indices, NULL, "Input a_indices should be a matrix but received shape: %s");
  if (!flow_is_vector (values) || !flow_is_vector (shape))
    return _flow_refuse_shapes (error, values, shape, "Inputs a_values and a_shape should be vectors but received shapes: %s and %s");
  if (shape->n_elements != FLOW_RANK (b))
    return _flow_refuse (error, "Two operands have different ranks; received: %" G_GINT64_FORMAT " and %d", shape->n_elements,
                         FLOW_RANK (b));
  for (int d = 0; d < FLOW_RANK (b); d++)
    if (flow_index_at (shape, d) != FLOW_DIMS (b)[d])
      return _flow_refuse (error, "Dimension %d does not equal (no broadcasting is supported): sparse side %" G_GINT64_FORMAT
                           " vs dense side %" G_GINT64_FORMAT, d, flow_index_at (shape, d), FLOW_DIMS (b)[d]);
  if (FLOW_DIMS (indices)[0] != values->n_elements || FLOW_DIMS (indices)[1] != FLOW_RANK (b))
    return _flow_refuse_shapes (error, indices, values, "Input a_indices of shape %s does not suit a_values of shape %s");
  if (FLOW_RANK (b) < 1 || FLOW_RANK (b) > 5)
    return _flow_refuse (error, "Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: %d",
                         FLOW_RANK (b));
  return TRUE;
}

static gboolean
dense_add_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowTensor *indices = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_input (c, 1);
  FlowTensor *b = flow_kernel_input (c, 3);
  int rank = FLOW_RANK (b);
  FlowTensor *out;

  if (!check_dense_add (c, error))
    return FALSE;
  for (gint64 i = 0; i < indices->n_elements; i++)
    if (flow_index_at (indices, i) < 0 || flow_index_at (indices, i) >= FLOW_DIMS (b)[i % rank])
      {
        g_autofree char *text = flow_tensor_shape_text (b);

        return _flow_refuse (error, "Sparse tensor has some invalid index on dimension %d; dense tensor shape: %s",
                             (int) (i % rank), text);
      }
  out = flow_kernel_forward_or_allocate (c, 3, 0, b->shape, error);
  if (out == NULL)
    return FALSE;
  if (out != b && b->n_bytes > 0)
    memcpy (out->data, b->data, b->n_bytes);
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      gint64 at = 0;

      for (int d = 0; d < rank; d++)
        at = at * FLOW_DIMS (b)[d] + flow_index_at (indices, i * rank + d);
      _flow_add_cell (out, at, values, i);
    }
  return TRUE;
}

/* --- SparseSplit ---------------------------------------------------------------------------------------------------- */

static gboolean
split_infer (FlowInferContext  *c,
             GError           **error)
{
  const FlowShape *shape = flow_infer_input (c, 3);
  gint64 n = flow_infer_attr_int (c, "num_split");
  gint64 rank = shape->rank == 1 ? shape->dims[0] : FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (gint64 k = 0; k < n; k++)
    {
      flow_infer_take_output (c, (guint) k, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, rank));
      flow_infer_take_output (c, (guint) (n + k), flow_shape_new_vector (FLOW_DIM_UNKNOWN));
      flow_infer_take_output (c, (guint) (2 * n + k), flow_shape_new_vector (rank));
    }
  return TRUE;
}

/* The first @extra parts are one longer than the others. */
typedef struct {
  int axis;
  gint64 n;
  gint64 size;
  gint64 extra;
} Parts;

static gint64
part_of (const Parts *parts,
         gint64       index)
{
  gint64 long_part = 0;

  /* One part of all there can be has no room for one more. */
  if (parts->extra == 0)
    return index / parts->size;
  long_part = parts->extra * (parts->size + 1);
  return index < long_part ? index / (parts->size + 1) : parts->extra + (index - long_part) / parts->size;
}

static gint64
part_begin (const Parts *parts,
            gint64       k)
{
  return k * parts->size + MIN (k, parts->extra);
}

static gboolean
put_part (FlowKernelContext  *c,
          const FlowSparse   *sparse,
          const Parts        *parts,
          gint64              k,
          gint64              count,
          GError            **error)
{
  int rank = sparse->rank;
  FlowTensor *indices = flow_kernel_allocate_dims (c, (guint) k, 2, (gint64[]) { count, rank }, error);
  FlowTensor *values = flow_kernel_allocate_dims (c, (guint) (parts->n + k), 1, (gint64[]) { count }, error);
  FlowTensor *shape = flow_kernel_allocate_dims (c, (guint) (2 * parts->n + k), 1, (gint64[]) { rank }, error);

  if (indices == NULL || values == NULL || shape == NULL)
    return FALSE;
  memcpy (shape->data, sparse->dims, sizeof (gint64) * (gsize) rank);
  FLOW_WRITABLE (gint64, shape)[parts->axis] = parts->size + (k < parts->extra ? 1 : 0);
  return TRUE;
}

static gboolean
split_values (FlowKernelContext  *c,
              const FlowSparse   *sparse,
              const Parts        *parts,
              GError            **error)
{
  int rank = sparse->rank;
  g_autofree gint64 *counts = g_new0 (gint64, (gsize) parts->n);

  for (gint64 i = 0; i < sparse->n; i++)
    counts[part_of (parts, sparse->indices[i * rank + parts->axis])]++;
  for (gint64 k = 0; k < parts->n; k++)
    if (!put_part (c, sparse, parts, k, counts[k], error))
      return FALSE;
  memset (counts, 0, sizeof (gint64) * (gsize) parts->n);
  for (gint64 i = 0; i < sparse->n; i++)
    {
      const gint64 *row = sparse->indices + i * rank;
      gint64 k = part_of (parts, row[parts->axis]);
      gint64 *to = FLOW_WRITABLE (gint64, c->outputs[k].tensor) + counts[k] * rank;

      memcpy (to, row, sizeof (gint64) * (gsize) rank);
      to[parts->axis] -= part_begin (parts, k);
      _flow_copy_cell (c->outputs[parts->n + k].tensor, counts[k]++, sparse->values, i);
    }
  return TRUE;
}

static gboolean
split_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowTensor *axis_tensor = flow_kernel_input (c, 0);
  FlowSparse sparse;
  Parts parts = { .n = flow_kernel_attr_int (c, "num_split") };
  FlowSparseRow row = { NULL };
  gint64 axis;
  gint64 dim;
  int rank;

  if (axis_tensor->n_elements != 1)
    return _flow_refuse_shapes (error, axis_tensor, NULL, "split_dim must be a scalar, but has shape %s");
  axis = FLOW_DATA (gint64, axis_tensor)[0];
  /* TF: names the shape of the indices here. */
  if (FLOW_RANK (flow_kernel_input (c, 1)) == 2 && !flow_is_vector (flow_kernel_input (c, 2)))
    return _flow_refuse_shapes (error, flow_kernel_input (c, 1), NULL, "Input values should be a vector but received shape %s");
  if (!_flow_sparse_row_read (c, 1, &row, error))
    return FALSE;
  rank = (int) row.shape->n_elements;
  _flow_sparse_row_clear (&row);
  if (axis >= rank)
    return _flow_refuse (error, "Input split_dim should be between 0 and rank (%d), got %" G_GINT64_FORMAT, rank, axis);
  if (axis < 0)
    return _flow_refuse (error, "num_dim must be in the interval [0, %d)", rank);
  parts.axis = (int) axis;
  dim = FLOW_DATA (gint64, flow_kernel_input (c, 3))[parts.axis];
  if (parts.n < 1 || parts.n > dim)
    return _flow_refuse (error, "Input num_split should be between 1 and the splitting dimension size (%" G_GINT64_FORMAT
                         "), got %" G_GINT64_FORMAT, dim, parts.n);
  parts.size = dim / parts.n;
  parts.extra = dim % parts.n;
  if (!_flow_sparse_check_dims (flow_kernel_input (c, 3), error)
      || !_flow_sparse_make (flow_kernel_input (c, 1), flow_kernel_input (c, 2), flow_kernel_input (c, 3), &sparse, error))
    return FALSE;
  /* TF: only where it cuts does it matter where an index lies; beyond that it writes where it must not. */
  for (gint64 i = 0; i < sparse.n; i++)
    if (sparse.indices[i * rank + axis] < 0 || sparse.indices[i * rank + axis] >= dim)
      return _flow_refuse (error, "Index %" G_GINT64_FORMAT " of element %" G_GINT64_FORMAT
                           " is out of bounds: need 0 <= index < %" G_GINT64_FORMAT, sparse.indices[i * rank + axis], i, dim);
  return split_values (c, &sparse, &parts, error);
}

/* --- SparseReduceMax, and reductions to sparse tensors ---------------------------------------------------------------- */

typedef struct {
  FlowSparse sparse;
  gboolean reduced[FLOW_SHAPE_MAX_RANK];
  gint64 dims[FLOW_SHAPE_MAX_RANK];  /* of the result */
  int n_dims;
  gint64 *members;                   /* the entries, those of one group together */
} Reduction;

/* The order of two groups: by the indices that stay. */
static int
compare_groups (const Reduction *r,
                gint64           x,
                gint64           y)
{
  const gint64 *a = r->sparse.indices + x * r->sparse.rank;
  const gint64 *b = r->sparse.indices + y * r->sparse.rank;

  for (int d = 0; d < r->sparse.rank; d++)
    if (!r->reduced[d] && a[d] != b[d])
      return a[d] < b[d] ? -1 : 1;
  return 0;
}

static int
compare_members (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  gint64 x = *(const gint64 *) a;
  gint64 y = *(const gint64 *) b;
  int order = compare_groups (data, x, y);

  return order != 0 ? order : x < y ? -1 : x > y;
}

static gboolean
read_reduction (FlowKernelContext  *c,
                Reduction          *r,
                GError            **error)
{
  gboolean keep = flow_kernel_attr_bool (c, "keep_dims");

  if (!_flow_sparse_read_reduced (c, &r->sparse, r->reduced, error))
    return FALSE;
  for (int d = 0; d < r->sparse.rank; d++)
    if (keep || !r->reduced[d])
      r->dims[r->n_dims++] = r->reduced[d] ? 1 : r->sparse.dims[d];
  FLOW_REQUIRE (r->sparse.n <= G_MAXINT && (r->members = g_try_new (gint64, (gsize) MAX (r->sparse.n, 1))) != NULL, error,
                RESOURCE_EXHAUSTED, "OOM when sorting %" G_GINT64_FORMAT " values", r->sparse.n);
  for (gint64 i = 0; i < r->sparse.n; i++)
    r->members[i] = i;
  g_qsort_with_data (r->members, (int) r->sparse.n, sizeof (gint64), compare_members, r);
  return TRUE;
}

/* The members of one group from @begin on, in cell @to; returns the first of the next group. */
static gint64
reduce_group (const Reduction *r,
              gint64           begin,
              gboolean         is_maximum,
              FlowTensor      *out,
              gint64           to)
{
  FlowTensor *values = r->sparse.values;
  gsize cell = _flow_cell_size (out->dtype);
  gint64 i = begin;

  memcpy ((guint8 *) out->data + (gsize) to * cell, (const guint8 *) values->data + (gsize) r->members[i] * cell, cell);
  /* TF: NaN is larger than nothing, and nothing is minus infinity. */
  if (is_maximum && flow_dtype_is_floating (out->dtype) && isnan (flow_tensor_get_double (out, to)))
    _flow_put_double (out, to, -INFINITY);
  for (i++; i < r->sparse.n && compare_groups (r, r->members[i], r->members[begin]) == 0; i++)
    {
      gint64 at = r->members[i];

      if (!is_maximum)
        _flow_add_cell (out, to, values, at);
      else if (flow_dtype_is_integer (out->dtype) ? flow_tensor_get_int (values, at) > flow_tensor_get_int (out, to)
                                                  : flow_tensor_get_double (values, at) > flow_tensor_get_double (out, to))
        memcpy ((guint8 *) out->data + (gsize) to * cell, (const guint8 *) values->data + (gsize) at * cell, cell);
    }
  return i;
}

/* The cell of a dense result that a group has. */
static gint64
cell_of (const Reduction *r,
         gint64           member)
{
  gint64 cell = 0;

  for (int d = 0; d < r->sparse.rank; d++)
    if (!r->reduced[d])
      cell = cell * r->sparse.dims[d] + r->sparse.indices[member * r->sparse.rank + d];
  return cell;
}

static gboolean
put_dense (FlowKernelContext  *c,
           const Reduction    *r,
           GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, r->n_dims, r->dims, error);

  if (out == NULL || !_flow_sparse_check_bounds (&r->sparse, r->reduced, error))
    return FALSE;
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  for (gint64 i = 0; i < r->sparse.n;)
    i = reduce_group (r, i, TRUE, out, cell_of (r, r->members[i]));
  return TRUE;
}

/* TF: with keep_dims the rows of indices are as long as the shape, but only what is left of each index is written. */
static gboolean
put_sparse (FlowKernelContext  *c,
            const Reduction    *r,
            gboolean            is_maximum,
            GError            **error)
{
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;
  gint64 n = 0;
  gint64 i = 0;

  for (gint64 k = 0; k < r->sparse.n; k++)
    n += k == 0 || compare_groups (r, r->members[k], r->members[k - 1]) != 0;
  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n, r->n_dims }, error);
  values = flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { n }, error);
  shape = flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { r->n_dims }, error);
  if (indices == NULL || values == NULL || shape == NULL)
    return FALSE;
  if (indices->n_bytes > 0)
    memset (indices->data, 0, indices->n_bytes);
  for (gint64 k = 0; k < n; k++)
    {
      gint64 *row = FLOW_WRITABLE (gint64, indices) + k * r->n_dims;
      const gint64 *from = r->sparse.indices + r->members[i] * r->sparse.rank;

      for (int d = 0, at = 0; d < r->sparse.rank; d++)
        if (!r->reduced[d])
          row[at++] = from[d];
      i = reduce_group (r, i, is_maximum, values, k);
    }
  if (r->n_dims > 0)
    memcpy (shape->data, r->dims, sizeof (gint64) * (gsize) r->n_dims);
  return TRUE;
}

static gboolean
reduce (FlowKernelContext  *c,
        gboolean            is_maximum,
        GError            **error)
{
  Reduction r = { .members = NULL };
  gboolean ok = read_reduction (c, &r, error)
                && (c->n_outputs == 3 ? put_sparse (c, &r, is_maximum, error) : put_dense (c, &r, error));

  g_free (r.members);
  return ok;
}

static gboolean
reduce_max_compute (FlowKernelContext  *c,
                    GError            **error)
{
  return reduce (c, TRUE, error);
}

static gboolean
reduce_sum_compute (FlowKernelContext  *c,
                    GError            **error)
{
  return reduce (c, FALSE, error);
}

/* --- the table ---------------------------------------------------------------------------------------------------------- */

#define REALS "T: bfloat16 double float half int16 int32 int64 int8 uint16 uint8"
#define CELLS REALS " bool complex128 complex64 string resource variant"
#define TWO_SPARSE "a_indices: int64; a_values: T; a_shape: int64; b_indices: int64; b_values: T; b_shape: int64"
#define REDUCED "input_indices: int64; input_values: T; input_shape: int64; reduction_axes: int32"
#define SPARSE_OP(op, in, out, attr, infer_func, types, compute, text)                              \
  { .name = op, .inputs = in, .outputs = out, .attrs = attr, .summary = text,                       \
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_func,                                             \
    .kernels = (const FlowKernelDef[]) { { types, compute }, { NULL } } }

static const FlowOpDef ops[] = {
  SPARSE_OP ("SparseAddGrad", "backprop_val_grad: T; a_indices: int64; b_indices: int64; sum_indices: int64",
             "a_val_grad: T; b_val_grad: T", "T: " FLOW_NUMBER_TYPES, add_grad_infer,
             "T: complex128 complex64 double float int16 int32 int64 int8", add_grad_compute, "Gradient of SparseAdd"),
  SPARSE_OP ("SparseReduceMax", REDUCED, "output: T", "keep_dims: bool = false; T: " FLOW_REAL_TYPES, _flow_sparse_infer_reduced,
             REALS, reduce_max_compute, "Largest values of a sparse tensor along axes, as a dense one"),
  SPARSE_OP ("SparseReduceMaxSparse", REDUCED, "output_indices: int64; output_values: T; output_shape: int64",
             "keep_dims: bool = false; T: " FLOW_REAL_TYPES, flow_infer_unknown_shape, REALS, reduce_max_compute,
             "Largest values of a sparse tensor along axes, as a sparse one"),
  SPARSE_OP ("SparseReduceSumSparse", REDUCED, "output_indices: int64; output_values: T; output_shape: int64",
             "keep_dims: bool = false; T: " FLOW_NUMBER_TYPES, flow_infer_unknown_shape, REALS " complex128 complex64",
             reduce_sum_compute, "Sums of a sparse tensor along axes, as a sparse one"),
  SPARSE_OP ("SparseSliceGrad", "backprop_val_grad: T; input_indices: int64; input_start: int64; output_indices: int64",
             "val_grad: T", "T: " FLOW_NUMBER_TYPES, slice_grad_infer, REALS " complex128 complex64", slice_grad_compute,
             "Gradient of SparseSlice"),
  SPARSE_OP ("SparseSparseMaximum", TWO_SPARSE, "output_indices: int64; output_values: T", "T: " FLOW_REAL_TYPES, infer_pair,
             REALS, maximum_compute, "The larger of two sparse tensors, place by place"),
  SPARSE_OP ("SparseSparseMinimum", TWO_SPARSE, "output_indices: int64; output_values: T", "T: " FLOW_NUMBER_TYPES,
             infer_pair, REALS, minimum_compute, "The smaller of two sparse tensors, place by place"),
  SPARSE_OP ("SparseSplit", "split_dim: int64; indices: int64; values: T; shape: int64",
             "output_indices: num_split * int64; output_values: num_split * T; output_shape: num_split * int64",
             "num_split: int >= 1; T: type", split_infer, CELLS, split_compute, "Cuts a sparse tensor along a dimension"),
  SPARSE_OP ("SparseTensorDenseAdd", "a_indices: Tindices; a_values: T; a_shape: Tindices; b: T", "output: T",
             "T: " FLOW_NUMBER_TYPES "; Tindices: {int32, int64}", dense_add_infer,
             REALS " complex128 complex64; Tindices: int32 int64", dense_add_compute, "Adds a sparse tensor to a dense one"),
};

FLOW_DEFINE_OP_FAMILY (sparse_merge, ops)
