/* flow-kernels-array_misc.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * OneHot, sets of values, and sparse values made dense.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-index-private.h"

#include <string.h>

/* --- OneHot ----------------------------------------------------------------------------------------- */

static gboolean
one_hot_infer (FlowInferContext *c,
               GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  gint64 axis = flow_infer_attr_int (c, "axis");
  g_autoptr (FlowShape) depth_shape = NULL;
  gint64 depth = FLOW_DIM_UNKNOWN;
  gint64 dims[FLOW_SHAPE_MAX_RANK];

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (axis < -1)
    return _flow_refuse (error, "axis must be >= -1");
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &depth_shape, error))
    return FALSE;
  if (flow_infer_scalar_value (c, 1, &depth) && depth < 0)
    return _flow_refuse (error, "Dimension size, given by scalar input 1, must be non-negative but is %"
                         G_GINT64_FORMAT, depth);
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (axis == -1)
    axis = in->rank;
  /* TF: an axis beyond the rank is the kernel's to refuse. */
  axis = MIN (axis, in->rank);
  if (in->rank >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Shape must be at least rank %" G_GINT64_FORMAT " but is rank %d", axis, in->rank);
  for (int i = 0, j = 0; i <= in->rank; i++)
    dims[i] = i == axis ? depth : in->dims[j++];
  flow_infer_take_output (c, 0, flow_shape_new (in->rank + 1, dims));
  return TRUE;
}

static gint64
index_of_any_width (const FlowTensor *indices,
                    gint64            i)
{
  return indices->dtype == FLOW_DTYPE_UINT8 ? FLOW_DATA (guint8, indices)[i] : flow_index_at (indices, i);
}

static gboolean
one_hot_compute (FlowKernelContext *c,
                 GError           **error)
{
  static const char *const names[] = { NULL, "depth", "on_value", "off_value" };
  FlowTensor *indices = flow_kernel_input (c, 0);
  FlowTensor *on = flow_kernel_input (c, 2);
  gint64 axis = flow_kernel_attr_int (c, "axis");
  int rank = FLOW_RANK (indices) + 1;
  gsize cell = _flow_cell_size (on->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  gint64 depth;
  gint64 inner = 1;
  FlowTensor *out;

  if (axis != -1 && (axis < 0 || axis >= rank))
    return _flow_refuse (error, "Expected axis to be -1 or between [0, %d).  But received: %" G_GINT64_FORMAT,
                         rank, axis);
  for (guint i = 1; i < 4; i++)
    if (!flow_is_scalar (flow_kernel_input (c, i)))
      {
        g_autofree char *text = flow_tensor_shape_text (flow_kernel_input (c, i));

        return _flow_refuse (error, "%s must be a scalar, but got: %s", names[i], text);
      }
  depth = flow_index_at (flow_kernel_input (c, 1), 0);
  if (depth < 0)
    return _flow_refuse (error, "depth must be non-negative, got: %" G_GINT64_FORMAT, depth);
  if (rank > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (axis == -1)
    axis = rank - 1;
  for (int i = 0, j = 0; i < rank; i++)
    dims[i] = i == axis ? depth : FLOW_DIMS (indices)[j++];
  out = flow_kernel_allocate_dims (c, 0, rank, dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  _flow_fill_cells (cell, out->data, out->n_elements, flow_kernel_input (c, 3)->data);
  for (int i = (int) axis + 1; i < rank; i++)
    inner *= dims[i];
  /* TF: an index outside of the depth leaves its row as it is. */
  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      gint64 index = index_of_any_width (indices, i);

      if (index >= 0 && index < depth)
        memcpy ((char *) out->data + (gsize) ((i / inner * depth + index) * inner + i % inner) * cell, on->data, cell);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* --- Sets of rows: Unique and ListDiff ------------------------------------------------------------------ */

/* A hash set of rows of @width cells, by open addressing; a slot holds the number of a row. */
typedef struct {
  int dtype;
  gint64 width;
  const char *rows;
  gint64 *slots;
  gint64 mask;
} RowSet;

static void
row_set_clear (RowSet *set)
{
  g_free (set->slots);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RowSet, row_set_clear)

static gboolean
row_set_init (RowSet           *set,
              const FlowTensor *t,
              gint64            width,
              gint64            n_rows,
              GError          **error)
{
  gint64 size = 16;

  while (size < n_rows * 2 && size < G_MAXINT64 / 4)
    size *= 2;
  set->dtype = t->dtype;
  set->width = width;
  set->rows = t->data;
  set->mask = size - 1;
  set->slots = g_try_malloc_n ((gsize) size, sizeof (gint64));
  FLOW_REQUIRE (set->slots != NULL, error, RESOURCE_EXHAUSTED, "OOM when looking for unique values");
  memset (set->slots, 0xff, (gsize) size * sizeof (gint64));
  return TRUE;
}

/* The number of a floating cell, so that -0 is 0. */
static gboolean
read_float (int         dtype,
            const void *data,
            gint64      i,
            double     *value)
{
  switch (dtype)
    {
    case FLOW_DTYPE_FLOAT:
      *value = (double) ((const float *) data)[i];
      return TRUE;
    case FLOW_DTYPE_DOUBLE:
      *value = ((const double *) data)[i];
      return TRUE;
    case FLOW_DTYPE_HALF:
      *value = (double) flow_half_to_float (((const guint16 *) data)[i]);
      return TRUE;
    case FLOW_DTYPE_BFLOAT16:
      *value = (double) flow_bfloat16_to_float (((const guint16 *) data)[i]);
      return TRUE;
    default:
      return FALSE;
    }
}

static guint64
mix (guint64 hash,
     guint64 word)
{
  hash ^= word + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdu;
}

static guint64
hash_row (const RowSet *set,
          const char   *row)
{
  gsize cell = _flow_cell_size (set->dtype);
  guint64 hash = 1;

  for (gint64 i = 0; i < set->width; i++)
    {
      double value;
      guint64 word = 0;

      if (set->dtype == FLOW_DTYPE_STRING)
        {
          GBytes *bytes = ((GBytes *const *) row)[i];

          word = bytes != NULL && g_bytes_get_size (bytes) > 0 ? g_bytes_hash (bytes) : 0;
        }
      else if (read_float (set->dtype, row, i, &value))
        {
          value = value == 0 ? 0 : value;
          memcpy (&word, &value, sizeof word);
        }
      else
        {
          memcpy (&word, row + (gsize) i * cell, MIN (cell, sizeof word));
        }
      hash = mix (hash, word);
    }
  return hash ^ (hash >> 32);
}

static gboolean
equal_bytes (GBytes *a,
             GBytes *b)
{
  gsize a_size = a != NULL ? g_bytes_get_size (a) : 0;
  gsize b_size = b != NULL ? g_bytes_get_size (b) : 0;

  return a_size == b_size && (a_size == 0 || g_bytes_equal (a, b));
}

/* As C++ compares numbers: no NaN is like another. */
static gboolean
equal_rows (const RowSet *set,
            const char   *a,
            const char   *b)
{
  gsize cell = _flow_cell_size (set->dtype);

  for (gint64 i = 0; i < set->width; i++)
    {
      double x = 0;
      double y = 0;

      if (set->dtype == FLOW_DTYPE_STRING)
        {
          if (!equal_bytes (((GBytes *const *) a)[i], ((GBytes *const *) b)[i]))
            return FALSE;
        }
      else if (read_float (set->dtype, a, i, &x))
        {
          read_float (set->dtype, b, i, &y);
          if (!(x == y))
            return FALSE;
        }
      else if (memcmp (a + (gsize) i * cell, b + (gsize) i * cell, cell) != 0)
        {
          return FALSE;
        }
    }
  return TRUE;
}

/* The slot in which @row is, or belongs. */
static gint64 *
row_set_find (RowSet     *set,
              const char *row)
{
  gsize size = (gsize) set->width * _flow_cell_size (set->dtype);
  gint64 at = (gint64) (hash_row (set, row) & (guint64) set->mask);

  while (set->slots[at] >= 0 && !equal_rows (set, set->rows + (gsize) set->slots[at] * size, row))
    at = (at + 1) & set->mask;
  return &set->slots[at];
}

static void
put_index (FlowTensor *t,
           gint64      i,
           gint64      value)
{
  if (t->dtype == FLOW_DTYPE_INT64)
    FLOW_WRITABLE (gint64, t)[i] = value;
  else
    FLOW_WRITABLE (gint32, t)[i] = (gint32) value;
}

static gboolean
unique_infer (FlowInferContext *c,
              GError          **error)
{
  g_autoptr (FlowShape) vector = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &vector, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_set_output (c, 1, vector);
  return TRUE;
}

/* TF: with counts, nobody looks at the rank before the kernel does. */
static gboolean
unique_with_counts_infer (FlowInferContext *c,
                          GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_set_output (c, 1, flow_infer_input (c, 0));
  flow_infer_take_output (c, 2, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
unique_v2_infer (FlowInferContext *c,
                 GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_unknown ());
  for (guint i = 1; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* @x with @axis in front: what is compared is then one row after the other. */
static FlowTensor *
axis_to_front (FlowKernelContext *c,
               FlowTensor        *x,
               int                axis,
               GError           **error)
{
  int rank = FLOW_RANK (x);
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (axis == 0)
    return flow_tensor_ref (x);
  shape = flow_shape_new (rank, FLOW_DIMS (x));
  _flow_row_major_strides (rank, FLOW_DIMS (x), strides);
  shape->dims[0] = FLOW_DIMS (x)[axis];
  src_strides[0] = strides[axis];
  for (int i = 0, j = 1; i < rank; i++)
    if (i != axis)
      {
        shape->dims[j] = FLOW_DIMS (x)[i];
        src_strides[j++] = strides[i];
      }
  out = flow_tensor_new (x->dtype, shape, c->budget, error);
  if (out == NULL)
    return NULL;
  _flow_row_major_strides (rank, shape->dims, dst_strides);
  _flow_copy_strided (_flow_cell_size (x->dtype), rank, shape->dims, out->data, dst_strides, x->data, src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out;
}

/* Output 0: the rows named by @firsts, with the axis back in its place. */
static gboolean
put_unique_rows (FlowKernelContext *c,
                 FlowTensor        *rows,
                 int                axis,
                 const gint64      *firsts,
                 gint64             n_unique,
                 gint64             width,
                 GError           **error)
{
  int rank = FLOW_RANK (rows);
  gsize cell = _flow_cell_size (rows->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 inner = 1;
  FlowTensor *out;

  for (int i = 0, j = 1; i < rank; i++)
    dims[i] = i == axis ? n_unique : FLOW_DIMS (rows)[j++];
  out = flow_kernel_allocate_dims (c, 0, rank, dims, error);
  if (out == NULL)
    return FALSE;
  for (int i = axis + 1; i < rank; i++)
    inner *= dims[i];
  if (out->n_elements == 0)
    return TRUE;
  for (gint64 u = 0; u < n_unique; u++)
    _flow_copy_strided (cell, 2, (gint64[]) { width / inner, inner }, (char *) out->data + (gsize) (u * inner) * cell,
                        (gint64[]) { n_unique * inner, 1 },
                        (const char *) rows->data + (gsize) (firsts[u] * width) * cell, (gint64[]) { inner, 1 });
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
unique_along (FlowKernelContext *c,
              FlowTensor        *x,
              int                axis,
              GError           **error)
{
  g_autoptr (FlowTensor) rows = axis_to_front (c, x, axis, error);
  gint64 n = FLOW_DIMS (x)[axis];
  gint64 width = 1;
  g_autofree gint64 *firsts = NULL;
  g_autofree gint64 *counts = NULL;
  gint64 n_unique = 0;
  g_auto (RowSet) set = { 0 };
  FlowTensor *index;

  if (rows == NULL)
    return FALSE;
  for (int i = 1; i < FLOW_RANK (rows); i++)
    width *= FLOW_DIMS (rows)[i];
  index = flow_kernel_allocate_dims (c, 1, 1, &n, error);
  if (index == NULL || !row_set_init (&set, rows, width, n, error))
    return FALSE;
  firsts = g_try_new (gint64, (gsize) MAX (n, 1));
  counts = g_try_new0 (gint64, (gsize) MAX (n, 1));
  FLOW_REQUIRE (firsts != NULL && counts != NULL, error, RESOURCE_EXHAUSTED, "OOM when looking for unique values");
  for (gint64 i = 0; i < n; i++)
    {
      gint64 *slot = row_set_find (&set, set.rows + (gsize) (i * width) * _flow_cell_size (rows->dtype));
      gint64 which;

      if (*slot < 0)
        {
          *slot = i;
          firsts[n_unique++] = i;
          which = n_unique - 1;
        }
      else
        {
          which = flow_index_at (index, *slot);
        }
      put_index (index, i, which);
      counts[which]++;
    }
  if (c->n_outputs > 2)
    {
      FlowTensor *count = flow_kernel_allocate_dims (c, 2, 1, &n_unique, error);

      if (count == NULL)
        return FALSE;
      for (gint64 i = 0; i < n_unique; i++)
        put_index (count, i, counts[i]);
    }
  return put_unique_rows (c, rows, axis, firsts, n_unique, width, error);
}

static gboolean
unique_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);

  if (!flow_is_vector (x))
    return _flow_refuse (error, "unique expects a 1D vector.");
  if (x->n_elements > G_MAXINT32)
    return _flow_refuse (error, "unique does not support input tensors larger than 2147483647 elements");
  return unique_along (c, x, 0, error);
}

static gboolean
unique_v2_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *axis_tensor = flow_kernel_input (c, 1);
  gint64 value;
  int axis = 0;

  if (!flow_is_vector (axis_tensor))
    return _flow_refuse (error, "axis expects a 1D vector.");
  if (axis_tensor->n_elements > 1)
    return _flow_refuse (error, "axis does not support input tensors larger than 1 elements");
  if (axis_tensor->n_elements == 0)
    return unique_compute (c, error);
  value = flow_index_at (axis_tensor, 0);
  if (!flow_canonical_axis (value, FLOW_RANK (x), &axis))
    return _flow_refuse (error, "axis has to be between [0, %d)", FLOW_RANK (x));
  if (FLOW_DIMS (x)[axis] > G_MAXINT32)
    return _flow_refuse (error, "unique does not support input tensors larger than 2147483647 elements");
  return unique_along (c, x, axis, error);
}

static gboolean
list_diff_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *y = flow_kernel_input (c, 1);
  gsize cell = _flow_cell_size (x->dtype);
  g_auto (RowSet) set = { 0 };
  g_autofree gint64 *kept = NULL;
  gint64 n = 0;
  FlowTensor *out;
  FlowTensor *index;

  if (!flow_is_vector (x))
    return _flow_refuse (error, "x should be a 1D vector.");
  if (!flow_is_vector (y))
    return _flow_refuse (error, "y should be a 1D vector.");
  if (x->n_elements > G_MAXINT32)
    return _flow_refuse (error, "x too large for int32 indexing");
  if (!row_set_init (&set, y, 1, y->n_elements, error))
    return FALSE;
  kept = g_try_new (gint64, (gsize) MAX (x->n_elements, 1));
  FLOW_REQUIRE (kept != NULL, error, RESOURCE_EXHAUSTED, "OOM when comparing lists");
  for (gint64 i = 0; i < y->n_elements; i++)
    *row_set_find (&set, (const char *) y->data + (gsize) i * cell) = i;
  for (gint64 i = 0; i < x->n_elements; i++)
    if (*row_set_find (&set, (const char *) x->data + (gsize) i * cell) < 0)
      kept[n++] = i;
  out = flow_kernel_allocate_dims (c, 0, 1, &n, error);
  index = flow_kernel_allocate_dims (c, 1, 1, &n, error);
  if (out == NULL || index == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      memcpy ((char *) out->data + (gsize) i * cell, (const char *) x->data + (gsize) kept[i] * cell, cell);
      put_index (index, i, kept[i]);
    }
  _flow_adopt_cells (out->dtype, out->data, n);
  return TRUE;
}

/* --- SparseToDense ------------------------------------------------------------------------------------- */

static gboolean
sparse_to_dense_infer (FlowInferContext *c,
                       GError          **error)
{
  FlowShape *out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_shape_from_value (c, 1, &out, error))
    return FALSE;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

/* Rows must lie inside, and, where that is asked, come in order and once. */
static gboolean
check_sparse_indices (const FlowTensor *indices,
                      gint64            n,
                      int               depth,
                      const FlowShape  *shape,
                      gboolean          ordered,
                      GError          **error)
{
  g_autofree char *shape_text = flow_shape_to_string (shape);

  for (gint64 i = 0; i < n; i++)
    {
      gboolean inside = TRUE;
      int order = i == 0 ? 1 : 0;
      g_autoptr (GString) row = NULL;

      for (int d = 0; d < depth; d++)
        {
          gint64 index = flow_index_at (indices, i * depth + d);
          gint64 last = i > 0 ? flow_index_at (indices, (i - 1) * depth + d) : 0;

          inside = inside && index >= 0 && index < shape->dims[d];
          if (order == 0)
            order = index > last ? 1 : (index < last ? -1 : 0);
        }
      if (inside && (order > 0 || !ordered))
        continue;
      if (!ordered)
        return _flow_refuse (error, "Indices are not valid (out of bounds).  Shape: %s", shape_text);
      row = g_string_new ("[");
      for (int d = 0; d < depth; d++)
        g_string_append_printf (row, "%s%" G_GINT64_FORMAT, d > 0 ? "," : "", flow_index_at (indices, i * depth + d));
      if (!inside)
        return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] = %s] is out of bounds: need 0 <= index < %s",
                             i, row->str, shape_text);
      if (order == 0)
        return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] = %s] is repeated", i, row->str);
      return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] = %s] is out of order. Many sparse ops require "
                           "sorted indices.\n    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n",
                           i, row->str);
    }
  return TRUE;
}

static gboolean
sparse_to_dense_compute (FlowKernelContext *c,
                         GError           **error)
{
  FlowTensor *indices = flow_kernel_input (c, 0);
  FlowTensor *shape_tensor = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);
  FlowTensor *missing = flow_kernel_input (c, 3);
  gsize cell = _flow_cell_size (values->dtype);
  gint64 n = FLOW_RANK (indices) > 0 ? FLOW_DIMS (indices)[0] : 1;
  gint64 depth = FLOW_RANK (indices) > 1 ? FLOW_DIMS (indices)[1] : 1;
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (FLOW_RANK (indices) > 2)
    return _flow_refuse_shapes (error, indices, NULL, "sparse_indices should be a scalar, vector, or matrix, got "
                                "shape %s");
  if (!flow_is_vector (shape_tensor))
    return _flow_refuse_shapes (error, shape_tensor, NULL, "output_shape should be a vector, got shape %s");
  if (shape_tensor->n_elements != depth)
    return _flow_refuse (error, "output_shape has incorrect number of elements: %" G_GINT64_FORMAT " should be: %"
                         G_GINT64_FORMAT, shape_tensor->n_elements, depth);
  if (FLOW_RANK (values) != 0 && !(flow_is_vector (values) && values->n_elements == n))
    {
      g_autofree char *text = flow_tensor_shape_text (values);

      return _flow_refuse (error, "sparse_values has incorrect shape %s, should be [] or [%" G_GINT64_FORMAT "]", text, n);
    }
  if (!flow_is_scalar (missing))
    return _flow_refuse (error, "default_value should be a scalar.");
  shape = flow_kernel_shape_from_tensor (shape_tensor, error);
  if (shape == NULL)
    return FALSE;
  if (!check_sparse_indices (indices, n, (int) depth, shape, flow_kernel_attr_bool (c, "validate_indices"), error))
    return FALSE;
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  _flow_fill_cells (cell, out->data, out->n_elements, missing->data);
  for (gint64 i = 0; i < n && out->n_elements > 0; i++)
    memcpy ((char *) out->data + (gsize) _flow_nd_row (indices, i, (int) depth, shape->dims) * cell,
            (const char *) values->data + (FLOW_RANK (values) == 0 ? 0 : (gsize) i * cell), cell);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "ListDiff",
    .inputs = "x: T; y: T",
    .outputs = "out: T; idx: out_idx",
    .attrs = "T: type; out_idx: {int32, int64} = DT_INT32",
    .summary = "What is in one list but not in the other",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = _flow_infer_two_vectors,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 string; "
        "out_idx: int32 int64",
        list_diff_compute },
      { NULL },
    },
  },
  {
    .name = "OneHot",
    .inputs = "indices: TI; depth: int32; on_value: T; off_value: T",
    .outputs = "output: T",
    .attrs = "axis: int = -1; T: type; TI: {uint8, int32, int64} = DT_INT64",
    .summary = "Rows that are on at one place, given by index",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = one_hot_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant; TI: int32 int64 uint8",
        one_hot_compute },
      { NULL },
    },
  },
  {
    .name = "SparseToDense",
    .inputs = "sparse_indices: Tindices; output_shape: Tindices; sparse_values: T; default_value: "
              "T",
    .outputs = "dense: T",
    .attrs = "validate_indices: bool = true; T: type; Tindices: {int32, int64}",
    .summary = "Values at index vectors, a default elsewhere",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = sparse_to_dense_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 bool string; "
        "Tindices: int32 int64",
        sparse_to_dense_compute },
      { NULL },
    },
  },
  {
    .name = "Unique",
    .inputs = "x: T",
    .outputs = "y: T; idx: out_idx",
    .attrs = "T: type; out_idx: {int32, int64} = DT_INT32",
    .summary = "The different values of a vector, in order of appearance",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = unique_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 bool string; "
        "out_idx: int32 int64",
        unique_compute },
      { NULL },
    },
  },
  {
    .name = "UniqueV2",
    .inputs = "x: T; axis: Taxis",
    .outputs = "y: T; idx: out_idx",
    .attrs = "T: type; Taxis: {int32, int64} = DT_INT64; out_idx: {int32, int64} = DT_INT32",
    .summary = "The different slices along a dimension",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = unique_v2_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 bool string; "
        "out_idx: int32 int64",
        unique_v2_compute },
      { NULL },
    },
  },
  {
    .name = "UniqueWithCounts",
    .inputs = "x: T",
    .outputs = "y: T; idx: out_idx; count: out_idx",
    .attrs = "T: type; out_idx: {int32, int64} = DT_INT32",
    .summary = "The different values of a vector, and how often each occurs",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = unique_with_counts_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 bool string; "
        "out_idx: int32 int64",
        unique_compute },
      { NULL },
    },
  },
  {
    .name = "UniqueWithCountsV2",
    .inputs = "x: T; axis: Taxis",
    .outputs = "y: T; idx: out_idx; count: out_idx",
    .attrs = "T: type; Taxis: {int32, int64} = DT_INT64; out_idx: {int32, int64} = DT_INT32",
    .summary = "The different slices along a dimension, and how often each occurs",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = unique_v2_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 bool string; "
        "out_idx: int32 int64",
        unique_v2_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_misc, ops)
