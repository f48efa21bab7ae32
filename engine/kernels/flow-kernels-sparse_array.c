/* flow-kernels-sparse_array.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-nn-private.h"
#include "flow-sparse-private.h"

#include <math.h>
#include <string.h>

/* Sparse tensors put together, cut, and compared as sequences. */

/* --- Common ------------------------------------------------------------------------------------------ */

static gboolean
cells_equal (const FlowTensor *a,
             gint64            i,
             const FlowTensor *b,
             gint64            j)
{
  gsize cell = flow_dtype_size (a->dtype);
  gsize a_length;
  gsize b_length;
  const char *a_text;
  const char *b_text;

  if (flow_dtype_is_floating (a->dtype))
    return flow_tensor_get_double (a, i) == flow_tensor_get_double (b, j);
  if (a->dtype != FLOW_DTYPE_STRING)
    return memcmp ((const char *) a->data + (gsize) i * cell, (const char *) b->data + (gsize) j * cell, cell) == 0;
  a_text = flow_tensor_get_string (a, i, &a_length);
  b_text = flow_tensor_get_string (b, j, &b_length);
  return a_length == b_length && (a_length == 0 || memcmp (a_text, b_text, a_length) == 0);
}

/* A row of some input's indices, shifted along one dimension. */
typedef struct {
  const gint64 *row;
  gint64 shift;
  const FlowTensor *values;
  gint64 at;
} Item;

typedef struct {
  int rank;
  int axis;
} Order;

/* Indices come unchecked, as in TF: what is too far goes round. */
static gint64
index_of (const Item  *item,
          const Order *order,
          int          d)
{
  return d == order->axis ? (gint64) ((guint64) item->row[d] + (guint64) item->shift) : item->row[d];
}

static int
compare_items (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const Item *x = a;
  const Item *y = b;
  const Order *order = data;

  for (int d = 0; d < order->rank; d++)
    {
      gint64 left = index_of (x, order, d);
      gint64 right = index_of (y, order, d);

      if (left != right)
        return left < right ? -1 : 1;
    }
  return 0;
}

/* Sets outputs 0 and 1. */
static gboolean
write_items (FlowKernelContext  *c,
             const GArray       *items,
             const Order        *order,
             GError            **error)
{
  g_autoptr (FlowShape) indices_shape = flow_shape_new_matrix (items->len, order->rank);
  g_autoptr (FlowShape) values_shape = flow_shape_new_vector (items->len);
  FlowTensor *indices;
  FlowTensor *values;

  if ((indices = flow_kernel_allocate (c, 0, indices_shape, error)) == NULL ||
      (values = flow_kernel_allocate (c, 1, values_shape, error)) == NULL)
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);

      for (int d = 0; d < order->rank; d++)
        FLOW_WRITABLE (gint64, indices)[(gint64) i * order->rank + d] = index_of (item, order, d);
      _flow_copy_cell (values, i, item->values, item->at);
    }
  return TRUE;
}

static gboolean
set_shape (FlowKernelContext  *c,
           const gint64       *dims,
           int                 rank,
           GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (rank);
  FlowTensor *out = flow_kernel_allocate (c, 2, shape, error);

  if (out == NULL)
    return FALSE;
  for (int d = 0; d < rank; d++)
    FLOW_WRITABLE (gint64, out)[d] = dims[d];
  return TRUE;
}

static gboolean
infer_sparse (FlowInferContext  *c,
              guint              shape_input,
              GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, shape_input), 1, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, flow_shape_get_dim (shape, 0)));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, g_steal_pointer (&shape));
  return TRUE;
}

/* --- SparseConcat ------------------------------------------------------------------------------------ */

static gboolean
infer_concat (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_unknown ();
  guint n = c->n_inputs / 3;
  gint64 columns = FLOW_DIM_UNKNOWN;
  gint64 rows = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FlowShape) indices = NULL;
      g_autoptr (FlowShape) values = NULL;
      g_autoptr (FlowShape) dense = NULL;
      g_autoptr (FlowShape) merged = NULL;
      gint64 here;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 2, &indices, error)
          || !flow_infer_with_rank (c, flow_infer_input (c, n + i), 1, &values, error)
          || !flow_infer_with_rank (c, flow_infer_input (c, 2 * n + i), 1, &dense, error)
          || !flow_infer_merge_dim (c, flow_shape_get_dim (indices, 0), flow_shape_get_dim (values, 0), &here, error)
          || !flow_infer_merge_dim (c, columns, flow_shape_get_dim (indices, 1), &columns, error)
          || !flow_infer_merge (c, shape, dense, &merged, error))
        return FALSE;
      rows = rows < 0 || here < 0 || here > G_MAXINT64 - rows ? FLOW_DIM_UNKNOWN : rows + here;
      g_clear_pointer (&shape, flow_shape_unref);
      shape = g_steal_pointer (&merged);
    }
  flow_infer_take_output (c, 0, flow_shape_new_matrix (rows, columns));
  flow_infer_take_output (c, 1, flow_shape_new_vector (rows));
  flow_infer_take_output (c, 2, g_steal_pointer (&shape));
  return TRUE;
}

static gboolean
check_concat_parts (FlowKernelContext  *c,
                    guint               n,
                    GError            **error)
{
  static const char *const words[] = { "indices should be a matrix", "values should be a vector",
                                       "shapes should be a vector" };

  for (guint part = 0; part < 3; part++)
    for (guint k = 0; k < n; k++)
      {
        FlowTensor *tensor = flow_kernel_input (c, part * n + k);
        g_autofree char *text = flow_tensor_shape_text (tensor);

        if (FLOW_RANK (tensor) != (part == 0 ? 2 : 1))
          return _flow_refuse (error, "Input %s but received shape %s at position %u", words[part], text, k);
      }
  return TRUE;
}

static gboolean
check_concat (FlowKernelContext  *c,
              guint               n,
              int                *axis,
              gint64             *dims,
              GError            **error)
{
  const FlowTensor *first = flow_kernel_input (c, 2 * n);
  int rank = (int) MIN (first->n_elements, FLOW_SHAPE_MAX_RANK);
  gint64 wanted = flow_kernel_attr_int (c, "concat_dim");

  if (!check_concat_parts (c, n, error))
    return FALSE;
  FLOW_REQUIRE (flow_canonical_axis (wanted, rank, axis), error, INVALID_ARGUMENT,
                "Concat dimension must be in range [%d, %d), got %" G_GINT64_FORMAT, -rank, rank, wanted);
  memcpy (dims, first->data, (gsize) rank * sizeof (gint64));
  for (guint k = 1; k < n; k++)
    {
      const FlowTensor *shape = flow_kernel_input (c, 2 * n + k);

      FLOW_REQUIRE (shape->n_elements == rank, error, INVALID_ARGUMENT,
                    "Ranks of all input tensors must match: expected %d but got %" G_GINT64_FORMAT " at position %u",
                    rank, shape->n_elements, k);
      for (int d = 0; d < rank; d++)
        {
          gint64 dim = FLOW_DATA (gint64, shape)[d];

          if (d == *axis)
            FLOW_REQUIRE (flow_add_int64 (dims[d], dim, &dims[d]), error, INVALID_ARGUMENT,
                          "The concatenated dimension is too large");
          else
            FLOW_REQUIRE (dims[d] == dim, error, INVALID_ARGUMENT,
                          "Input shapes must match: expected %" G_GINT64_FORMAT " for dimension %d but got %"
                          G_GINT64_FORMAT " at position %u", dims[d], d, dim, k);
        }
    }
  for (guint k = 0; k < n; k++)
    {
      FlowTensor *shape = flow_kernel_input (c, 2 * n + k);
      FlowSparse sparse;

      if (!_flow_sparse_check_dims (shape, error)
          || !_flow_sparse_make (flow_kernel_input (c, k), flow_kernel_input (c, n + k), shape, &sparse, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
concat_compute (FlowKernelContext  *c,
                GError            **error)
{
  guint n = c->n_inputs / 3;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  Order order = { 0, 0 };
  gint64 shift = 0;

  if (!check_concat (c, n, &order.axis, dims, error))
    return FALSE;
  order.rank = (int) flow_kernel_input (c, 2 * n)->n_elements;
  for (guint k = 0; k < n; k++)
    {
      const FlowTensor *values = flow_kernel_input (c, n + k);

      for (gint64 i = 0; i < values->n_elements; i++)
        {
          Item item = { FLOW_DATA (gint64, flow_kernel_input (c, k)) + i * order.rank, shift, values, i };

          g_array_append_val (items, item);
        }
      shift = (gint64) ((guint64) shift + (guint64) FLOW_DATA (gint64, flow_kernel_input (c, 2 * n + k))[order.axis]);
    }
  g_array_sort_with_data (items, compare_items, &order);
  return write_items (c, items, &order, error) && set_shape (c, dims, order.rank, error);
}

/* --- SparseSlice ------------------------------------------------------------------------------------- */

static gboolean
infer_slice (FlowInferContext  *c,
             GError           **error)
{
  return infer_sparse (c, 2, error);
}

static gboolean
read_slice (FlowKernelContext  *c,
            FlowSparse         *sparse,
            GError            **error)
{
  static const char *const words[] = {
    "indices should be a matrix", "values should be a vector", "shape should be a vector", "start should be a vector",
    "size should be a vector",
  };
  gint64 rank = flow_kernel_input (c, 2)->n_elements;

  for (guint i = 0; i < 5; i++)
    {
      FlowTensor *tensor = flow_kernel_input (c, i);
      /* TF: of values it shows the shape of the indices. */
      g_autofree char *text = flow_tensor_shape_text (i == 1 ? flow_kernel_input (c, 0) : tensor);

      if (FLOW_RANK (tensor) != (i == 0 ? 2 : 1))
        return _flow_refuse (error, "Input %s but received shape %s", words[i], text);
    }
  for (guint i = 3; i < 5; i++)
    if (flow_kernel_input (c, i)->n_elements != rank)
      return _flow_refuse (error, "Expected %s to be a vector of length %" G_GINT64_FORMAT " but got length %" G_GINT64_FORMAT,
                           i == 3 ? "start" : "size", rank, flow_kernel_input (c, i)->n_elements);
  return _flow_sparse_check_dims (flow_kernel_input (c, 2), error)
         && _flow_sparse_make (flow_kernel_input (c, 0), flow_kernel_input (c, 1), flow_kernel_input (c, 2), sparse, error);
}

static gboolean
slice_dims (const FlowSparse  *sparse,
            const gint64      *start,
            const gint64      *size,
            gint64            *dims,
            GError           **error)
{
  for (int d = 0; d < sparse->rank; d++)
    {
      /* TF: sums that are too large begin anew below zero. */
      const gint64 end = (gint64) ((guint64) start[d] + (guint64) size[d]);

      if (end < sparse->dims[d])
        dims[d] = size[d];
      else if (__builtin_sub_overflow (sparse->dims[d], start[d], &dims[d]))
        dims[d] = -1;
      /* TF: ends itself over a dimension below 0. */
      FLOW_REQUIRE (dims[d] >= 0, error, INVALID_ARGUMENT, "start and size must not be negative");
    }
  return TRUE;
}

static gboolean
slice_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  const gint64 *start = flow_kernel_input (c, 3)->data;
  const gint64 *size = flow_kernel_input (c, 4)->data;
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autofree gint64 *moved = NULL;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  Order order = { 0, -1 };
  FlowSparse sparse;
  gint64 n = 0;

  if (!read_slice (c, &sparse, error) || !slice_dims (&sparse, start, size, dims, error))
    return FALSE;
  order.rank = sparse.rank;
  moved = g_try_new (gint64, MAX (indices->n_elements, 1));
  FLOW_REQUIRE (moved != NULL, error, RESOURCE_EXHAUSTED, "OOM when slicing a sparse tensor");
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      gint64 *row = moved + n * order.rank;
      gboolean inside = TRUE;

      for (int d = 0; d < order.rank && inside; d++)
        {
          gint64 at = FLOW_DATA (gint64, indices)[i * order.rank + d];

          inside = at >= start[d] && at < (gint64) ((guint64) start[d] + (guint64) size[d]);
          row[d] = inside ? (gint64) ((guint64) at - (guint64) start[d]) : 0;
        }
      if (inside)
        {
          Item item = { row, 0, values, i };

          g_array_append_val (items, item);
          n++;
        }
    }
  return write_items (c, items, &order, error) && set_shape (c, dims, order.rank, error);
}

/* --- EditDistance ------------------------------------------------------------------------------------ */

/* The sequences of one sparse tensor: what has all indices but the last in common. */
typedef struct {
  const FlowTensor *indices;
  const FlowTensor *values;
  int rank;
} Sequences;

static const gint64 *
row_of (const Sequences *self,
        gint64           i)
{
  return FLOW_DATA (gint64, self->indices) + i * self->rank;
}

/* The place in the output of the sequence that element @i belongs to, or -1. TF: only the sum must be a place. */
static gint64
place_of (const Sequences  *self,
          gint64            i,
          const FlowTensor *out)
{
  guint64 place = 0;

  for (int d = 0; d + 1 < self->rank; d++)
    place = place * (guint64) FLOW_DIMS (out)[d] + (guint64) row_of (self, i)[d];
  return place < (guint64) out->n_elements ? (gint64) place : -1;
}

static gint64
end_of (const Sequences *self,
        gint64           begin)
{
  gint64 end = begin;

  while (end < self->values->n_elements
         && _flow_compare_indices (row_of (self, end), row_of (self, begin), self->rank - 1) == 0)
    end++;
  return end;
}

/* Whose sequence comes next: -1 the first's, 1 the second's, 0 both have it. */
static int
next_of (const Sequences *a,
         gint64           i,
         const Sequences *b,
         gint64           j)
{
  if (i == a->values->n_elements)
    return 1;
  if (j == b->values->n_elements)
    return -1;
  return _flow_compare_indices (row_of (a, i), row_of (b, j), a->rank - 1);
}

static gint64
levenshtein (const FlowTensor *a,
             gint64            a_begin,
             gint64            a_end,
             const FlowTensor *b,
             gint64            b_begin,
             gint64            b_end,
             gint64           *costs)
{
  gint64 n = b_end - b_begin;

  for (gint64 j = 0; j <= n; j++)
    costs[j] = j;
  for (gint64 i = a_begin; i < a_end; i++)
    {
      gint64 diagonal = costs[0];

      costs[0] = i - a_begin + 1;
      for (gint64 j = 0; j < n; j++)
        {
          gint64 above = costs[j + 1];
          gint64 replaced = diagonal + !cells_equal (a, i, b, b_begin + j);

          costs[j + 1] = MIN (replaced, MIN (above, costs[j]) + 1);
          diagonal = above;
        }
    }
  return costs[n];
}

static gboolean
infer_distance (FlowInferContext  *c,
                GError           **error)
{
  FlowTensor *hypothesis = flow_infer_input_value (c, 2);
  FlowTensor *truth = flow_infer_input_value (c, 5);
  gint64 dims[FLOW_SHAPE_MAX_RANK];

  if (hypothesis == NULL || truth == NULL || FLOW_RANK (hypothesis) != 1 || FLOW_RANK (truth) != 1 ||
      hypothesis->n_elements != truth->n_elements || truth->n_elements < 1 ||
      truth->n_elements > FLOW_SHAPE_MAX_RANK)
    {
      flow_infer_take_output (c, 0, flow_shape_new_unknown ());
      return TRUE;
    }
  for (gint64 d = 0; d + 1 < truth->n_elements; d++)
    dims[d] = MAX (0, MAX (flow_tensor_get_int (hypothesis, d), flow_tensor_get_int (truth, d)));
  flow_infer_take_output (c, 0, flow_shape_new ((int) truth->n_elements - 1, dims));
  return TRUE;
}

static gboolean
check_columns (const FlowTensor  *shape,
               const FlowTensor  *indices,
               const char        *words,
               GError           **error)
{
  return shape->n_elements == FLOW_DIMS (indices)[1] || _flow_refuse_shapes (error, shape, indices, words);
}

/* TF: of so many cells that they can be counted. */
static gboolean
is_shape (const FlowTensor  *dims,
          GError           **error)
{
  g_autoptr (FlowShape) shape = flow_kernel_shape_from_tensor (dims, error);

  return shape != NULL;
}

static gboolean
check_distance (FlowKernelContext  *c,
                GError            **error)
{
  static const char *const words[] = { "indices should be a matrix", "values should be a vector", "shape should be a vector" };
  FlowTensor *hypothesis = flow_kernel_input (c, 2);
  FlowTensor *truth = flow_kernel_input (c, 5);
  FlowSparse sparse;

  for (guint i = 0; i < 6; i++)
    {
      FlowTensor *tensor = flow_kernel_input (c, i / 2 + i % 2 * 3);
      g_autofree char *text = flow_tensor_shape_text (tensor);

      if (FLOW_RANK (tensor) != (i / 2 == 0 ? 2 : 1))
        return _flow_refuse (error, "%s_%s, but got shape: %s", i % 2 == 0 ? "hypothesis" : "truth", words[i / 2], text);
    }
  if (!check_columns (hypothesis, flow_kernel_input (c, 0), "Expected hypothesis_shape.NumElements == "
                      "#cols(hypothesis_indices), their shapes are: %s and %s", error))
    return FALSE;
  if (truth->n_elements < 2)
    return _flow_refuse (error, "Input SparseTensors must have rank at least 2, but truth_shape rank is: %" G_GINT64_FORMAT,
                         truth->n_elements);
  if (!check_columns (truth, flow_kernel_input (c, 3), "Expected truth_shape.NumElements == "
                      "#cols(truth_indices), their shapes are: %s and %s", error))
    return FALSE;
  if (hypothesis->n_elements != truth->n_elements)
    return _flow_refuse (error, "Expected truth and hypothesis to have matching ranks, but their shapes are: [%" G_GINT64_FORMAT
                         "] and [%" G_GINT64_FORMAT "]", truth->n_elements, hypothesis->n_elements);
  return is_shape (hypothesis, error)
         && _flow_sparse_make (flow_kernel_input (c, 0), flow_kernel_input (c, 1), hypothesis, &sparse, error)
         && is_shape (truth, error)
         && _flow_sparse_make (flow_kernel_input (c, 3), flow_kernel_input (c, 4), truth, &sparse, error);
}

static float
distance_of (gint64   distance,
             gint64   truth_length,
             gboolean normalize)
{
  if (!normalize)
    return (float) distance;
  if (truth_length == 0)
    return distance == 0 ? 0 : INFINITY;
  return (float) distance / (float) truth_length;
}

static gboolean
distance_compute (FlowKernelContext  *c,
                  GError            **error)
{
  Sequences h = { flow_kernel_input (c, 0), flow_kernel_input (c, 1), 0 };
  Sequences t = { flow_kernel_input (c, 3), flow_kernel_input (c, 4), 0 };
  gboolean normalize = flow_kernel_attr_bool (c, "normalize");
  g_autofree gint64 *costs = NULL;
  FlowTensor *out;
  gint64 i = 0;
  gint64 j = 0;

  if (!check_distance (c, error) || (out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  h.rank = t.rank = (int) flow_kernel_input (c, 5)->n_elements;
  for (gint64 k = 0; k < MAX (h.values->n_elements, t.values->n_elements); k++)
    FLOW_REQUIRE ((k >= h.values->n_elements || place_of (&h, k, out) >= 0) &&
                  (k >= t.values->n_elements || place_of (&t, k, out) >= 0), error, INVALID_ARGUMENT,
                  "Got out-of-bounds index of sequence element %" G_GINT64_FORMAT, k);
  costs = g_try_new (gint64, t.values->n_elements + 1);
  FLOW_REQUIRE (costs != NULL, error, RESOURCE_EXHAUSTED, "OOM when comparing sequences");
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  while (i < h.values->n_elements || j < t.values->n_elements)
    {
      int which = next_of (&h, i, &t, j);
      gint64 place = which <= 0 ? place_of (&h, i, out) : place_of (&t, j, out);
      gint64 i_end = which <= 0 ? end_of (&h, i) : i;
      gint64 j_end = which >= 0 ? end_of (&t, j) : j;
      gint64 distance = levenshtein (h.values, i, i_end, t.values, j, j_end, costs);

      FLOW_WRITABLE (float, out)[place] = distance_of (distance, j_end - j, normalize);
      i = i_end;
      j = j_end;
      if (flow_kernel_is_cancelled (c))
        return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
    }
  return TRUE;
}

#define CELLS "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 string uint16 uint8"

/* An element of these is no cell that could be compared. */
#define ALL_CELLS CELLS " resource variant"

static const FlowKernelDef concat_kernels[] = { { ALL_CELLS, concat_compute }, { NULL } };
static const FlowKernelDef slice_kernels[] = { { ALL_CELLS, slice_compute }, { NULL } };
static const FlowKernelDef distance_kernels[] = { { CELLS, distance_compute }, { NULL } };

static const FlowOpDef ops[] = {
  {
    .name = "EditDistance",
    .inputs = "hypothesis_indices: int64; hypothesis_values: T; hypothesis_shape: int64; truth_indices: int64; "
              "truth_values: T; truth_shape: int64",
    .outputs = "output: float",
    .attrs = "normalize: bool = true; T: type",
    .summary = "Levenshtein distances between sequences",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_distance,
    .kernels = distance_kernels,
  },
  {
    .name = "SparseConcat",
    .inputs = "indices: N * int64; values: N * T; shapes: N * int64",
    .outputs = "output_indices: int64; output_values: T; output_shape: int64",
    .attrs = "concat_dim: int; N: int >= 2; T: type",
    .summary = "Sparse tensors joined along one dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = infer_concat,
    .kernels = concat_kernels,
  },
  {
    .name = "SparseSlice",
    .inputs = "indices: int64; values: T; shape: int64; start: int64; size: int64",
    .outputs = "output_indices: int64; output_values: T; output_shape: int64",
    .attrs = "T: type",
    .summary = "A block of a sparse tensor",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = infer_slice,
    .kernels = slice_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (sparse_array, ops)
