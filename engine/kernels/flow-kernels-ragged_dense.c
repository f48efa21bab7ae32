/* flow-kernels-ragged_dense.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ragged tensors filled up to dense ones.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

typedef enum {
  FIRST_DIM_SIZE,
  VALUE_ROWIDS,
  ROW_SPLITS,
} Partition;

/* How each level's rows are given, from the attr. */
typedef struct {
  guint n;
  Partition types[];
} Partitions;

static gpointer
partitions_construct (FlowKernelConstruction  *c,
                      GError                 **error)
{
  static const char *const names[] = { "FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS" };
  FlowAttr *list = flow_construction_attr (c, "row_partition_types");
  guint n = (guint) flow_attr_get_length (list);
  g_autofree Partitions *self = g_malloc0 (sizeof (Partitions) + n * sizeof (Partition));

  self->n = n;
  for (guint i = 0; i < n; i++)
    {
      const char *name = flow_attr_get_string (flow_attr_get_item (list, i), NULL);
      guint k = 0;

      while (k < G_N_ELEMENTS (names) && !g_str_equal (name, names[k]))
        k++;
      if (k == G_N_ELEMENTS (names))
        {
          _flow_refuse (error, "Unknown string for partition info type: %s", name);
          return NULL;
        }
      self->types[i] = (Partition) k;
    }
  if (n == 0 || n != c->n_inputs - 3)
    {
      _flow_refuse (error, "row_partition_types must be as many as row_partition_tensors");
      return NULL;
    }
  return g_steal_pointer (&self);
}

typedef struct {
  FlowKernelContext *c;
  const Partitions *partitions;
  FlowTensor *values;
  int ragged_rank;
  int first;                   /* input of level 0's rows */
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank;
} Fill;

static FlowTensor *
rows_of (const Fill *fill,
         int         level)
{
  return flow_kernel_input (fill->c, (guint) (fill->first + level));
}

static Partition
type_of (const Fill *fill,
         int         level)
{
  return fill->partitions->types[fill->first - 3 + level];
}

/* --- the shape ------------------------------------------------------------------------------------------------------------ */

static gboolean
check_rows (const Fill  *fill,
            int          level,
            GError     **error)
{
  FlowTensor *rows = rows_of (fill, level);

  if (!flow_is_vector (rows))
    return _flow_refuse_shapes (error, rows, NULL, "Row partitions must be vectors, but have shape %s");
  if (type_of (fill, level) == FIRST_DIM_SIZE)
    return _flow_refuse (error, "Cannot handle partition type FIRST_DIM_SIZE");
  if (type_of (fill, level) == ROW_SPLITS && rows->n_elements == 0)
    return _flow_refuse (error, "Dimension -1 must be >= 0");
  for (gint64 i = 1; i < rows->n_elements; i++)
    if (flow_index_at (rows, i) < flow_index_at (rows, i - 1))
      return _flow_refuse (error, "Row partitions must not fall");
  return TRUE;
}

static gint64
widest_row (const Fill *fill,
            int         level)
{
  FlowTensor *rows = rows_of (fill, level);
  gint64 widest = 0;
  gint64 run = 0;

  for (gint64 i = 0; i < rows->n_elements; i++)
    {
      if (type_of (fill, level) == ROW_SPLITS)
        run = i > 0 ? flow_index_at (rows, i) - flow_index_at (rows, i - 1) : 0;
      else
        run = i > 0 && flow_index_at (rows, i) == flow_index_at (rows, i - 1) ? run + 1 : 1;
      widest = MAX (widest, run);
    }
  return widest;
}

static gboolean
first_dim (const Fill  *fill,
           gint64      *size,
           GError     **error)
{
  FlowTensor *first = flow_kernel_input (fill->c, 3);

  switch (fill->partitions->types[0])
    {
    case FIRST_DIM_SIZE:
      if (first->n_elements != 1 || flow_index_at (first, 0) < 0)
        return _flow_refuse (error, "The first dimension must be one number that is not negative");
      *size = flow_index_at (first, 0);
      return TRUE;
    case ROW_SPLITS:
      *size = first->n_elements - 1;
      return TRUE;
    case VALUE_ROWIDS:
    default:
      return _flow_refuse (error, "Cannot handle VALUE_ROWIDS in first dimension.");
    }
}

/* What the shape input leaves open follows from the rows and the values. */
static gboolean
find_shape (Fill    *fill,
            gint64   n_rows,
            GError **error)
{
  FlowTensor *asked = flow_kernel_input (fill->c, 0);
  int inner = FLOW_RANK (fill->values) - 1;
  gboolean open = flow_is_scalar (asked);

  fill->rank = fill->ragged_rank + 1 + inner;
  if (fill->rank > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (open && flow_index_at (asked, 0) != -1)
    return _flow_refuse (error, "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  if (!open && asked->n_elements != fill->rank)
    return _flow_refuse (error, "Shape must have rank %d, but has %" G_GINT64_FORMAT " dimensions", fill->rank, asked->n_elements);
  for (int d = 0; d < fill->rank; d++)
    {
      gint64 dim = open ? -1 : flow_index_at (asked, d);

      if (dim < -1)
        return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= -1", dim);
      if (d > fill->ragged_rank)
        {
          gint64 own = FLOW_DIMS (fill->values)[d - fill->ragged_rank];

          if (dim >= 0 && dim != own)
            return _flow_refuse (error, "Value and shape dimension are inconsistent.  Inner dimension %d of the values is %"
                                 G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, d, own, dim);
          dim = own;
        }
      else if (dim < 0)
        dim = d == 0 ? n_rows : widest_row (fill, d - 1);
      fill->dims[d] = dim;
    }
  return TRUE;
}

/* --- where each value goes ------------------------------------------------------------------------------------------------- */

static gint64
count_members (const Fill *fill,
               int         level)
{
  FlowTensor *rows = rows_of (fill, level);

  return type_of (fill, level) == ROW_SPLITS ? flow_index_at (rows, rows->n_elements - 1) : rows->n_elements;
}

static gboolean
refuse_count (GError **error)
{
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Values and indices must be equal");
  return FALSE;
}

/* Each level's rows are the members of the one above; the last one's members are the values. */
static gboolean
check_levels (const Fill  *fill,
              gint64       n_rows,
              GError     **error)
{
  gint64 n_parents = n_rows;

  for (int level = 0; level < fill->ragged_rank; level++)
    {
      FlowTensor *rows = rows_of (fill, level);
      gint64 n = rows->n_elements;
      gint64 n_members = count_members (fill, level);

      if (n_members > FLOW_DIMS (fill->values)[0] && level == fill->ragged_rank - 1)
        return refuse_count (error);
      if (type_of (fill, level) == ROW_SPLITS && (n - 1 != n_parents || flow_index_at (rows, 0) != 0))
        return _flow_refuse (error, "Row splits of level %d do not belong to the rows above", level);
      /* They do not fall, so the first and the last say all. */
      if (type_of (fill, level) == VALUE_ROWIDS && n > 0 &&
          (flow_index_at (rows, 0) < 0 || flow_index_at (rows, n - 1) >= n_parents))
        return _flow_refuse (error, "Row %" G_GINT64_FORMAT " of level %d is not there",
                             flow_index_at (rows, flow_index_at (rows, 0) < 0 ? 0 : n - 1), level);
      n_parents = n_members;
    }
  return TRUE;
}

/* The first of rows that do not fall that is at least @wanted. */
static gint64
lower_bound (FlowTensor *rows,
             gint64      wanted)
{
  gint64 low = 0;
  gint64 high = rows->n_elements;

  while (low < high)
    {
      gint64 middle = low + (high - low) / 2;

      if (flow_index_at (rows, middle) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Where member @index of @level goes, -1 if it is cut off. Found from below, so that rows that nothing is in
 * cost nothing, however many there are said to be. */
static gint64
find_place (const Fill   *fill,
            const gint64 *steps,
            int           level,
            gint64        index)
{
  FlowTensor *rows;
  gint64 row;
  gint64 column;
  gint64 parent;

  if (level < 0)
    return index < fill->dims[0] ? index * steps[0] : -1;
  rows = rows_of (fill, level);
  if (type_of (fill, level) == ROW_SPLITS)
    {
      row = lower_bound (rows, index + 1) - 1;
      column = index - flow_index_at (rows, row);
    }
  else
    {
      row = flow_index_at (rows, index);
      column = index - lower_bound (rows, row);
    }
  if (column >= fill->dims[level + 1])
    return -1;
  parent = find_place (fill, steps, level - 1, row);
  return parent >= 0 ? parent + column * steps[level + 1] : -1;
}

/* --- the values ------------------------------------------------------------------------------------------------------------- */

/* The default value, over and over; it may lack dims of a value. */
static gboolean
put_default (const Fill  *fill,
             FlowTensor  *out,
             GError     **error)
{
  FlowTensor *fallback = flow_kernel_input (fill->c, 2);
  int inner = FLOW_RANK (fill->values) - 1;
  gint64 strides[FLOW_SHAPE_MAX_RANK + 1] = { 0 };
  gint64 out_strides[FLOW_SHAPE_MAX_RANK + 1];
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  gint64 size = 1;
  gint64 stride = 1;

  if (FLOW_RANK (fallback) > inner)
    return _flow_refuse_shapes (error, fallback, fill->values, "Default value of shape %s does not suit values of shape %s");
  for (int d = 0; d < inner; d++)
    {
      dims[d + 1] = FLOW_DIMS (fill->values)[d + 1];
      size *= dims[d + 1];
    }
  for (int d = FLOW_RANK (fallback) - 1; d >= 0; d--)
    {
      int to = d + inner - FLOW_RANK (fallback) + 1;

      if (FLOW_DIMS (fallback)[d] != 1 && FLOW_DIMS (fallback)[d] != dims[to])
        return _flow_refuse_shapes (error, fallback, fill->values, "Unable to broadcast default_value of shape %s to values of shape %s");
      strides[to] = FLOW_DIMS (fallback)[d] == 1 ? 0 : stride;
      stride *= FLOW_DIMS (fallback)[d];
    }
  if (out->n_elements == 0)
    return TRUE;
  dims[0] = out->n_elements / size;
  _flow_row_major_strides (inner + 1, dims, out_strides);
  _flow_copy_strided (_flow_cell_size (out->dtype), inner + 1, dims, out->data, out_strides, fallback->data, strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
to_tensor_compute (FlowKernelContext  *c,
                   GError            **error)
{
  Fill fill = { .c = c, .partitions = flow_kernel_data (c), .values = flow_kernel_input (c, 1) };
  gint64 steps[FLOW_SHAPE_MAX_RANK];
  gsize cell = 0;
  gint64 row_cells = 0;
  gint64 n_values = 0;
  gint64 n_rows = 0;
  FlowTensor *out;

  if (FLOW_RANK (fill.values) < 1)
    return _flow_refuse (error, "values must have rank 1 or more");
  fill.first = fill.partitions->types[0] == FIRST_DIM_SIZE ? 4 : 3;
  fill.ragged_rank = (int) fill.partitions->n - (fill.first - 3);
  if (!first_dim (&fill, &n_rows, error))
    return FALSE;
  for (int level = 0; level < fill.ragged_rank; level++)
    if (!check_rows (&fill, level, error))
      return FALSE;
  if (n_rows > G_MAXINT32 || !find_shape (&fill, n_rows, error))
    return n_rows > G_MAXINT32 ? _flow_refuse (error, "Too many rows") : FALSE;
  out = flow_kernel_allocate_dims (c, 0, fill.rank, fill.dims, error);
  if (out == NULL || !check_levels (&fill, n_rows, error) || !put_default (&fill, out, error))
    return FALSE;
  n_values = FLOW_DIMS (fill.values)[0];
  if ((fill.ragged_rank > 0 ? count_members (&fill, fill.ragged_rank - 1) : n_rows) != n_values && out->n_elements > 0)
    return refuse_count (error);
  row_cells = n_values > 0 ? fill.values->n_elements / n_values : 0;
  if (row_cells == 0 || out->n_elements == 0)
    return TRUE;
  cell = _flow_cell_size (out->dtype);
  _flow_row_major_strides (fill.rank, fill.dims, steps);
  for (gint64 i = 0; i < n_values; i++)
    {
      gint64 place = find_place (&fill, steps, fill.ragged_rank - 1, i);

      if (place >= 0)
        _flow_replace_cells (out->dtype, (guint8 *) out->data + (gsize) place * cell,
                             (const guint8 *) fill.values->data + (gsize) (i * row_cells) * cell, row_cells);
    }
  return TRUE;
}

static gboolean
to_tensor_infer (FlowInferContext  *c,
                 GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_unknown_shape (c, error);
}

static const FlowOpDef ops[] = {
  { .name = "RaggedTensorToTensor",
    .inputs = "shape: Tshape; values: T; default_value: T; row_partition_tensors: num_row_partition_tensors * Tindex",
    .outputs = "result: T",
    .attrs = "T: type; Tindex: {int64, int32}; Tshape: {int64, int32}; num_row_partition_tensors: int >= 1; "
             "row_partition_types: list(string)",
    .summary = "A ragged tensor filled up to a dense one", .family = FLOW_OP_FAMILY_ARRAY, .infer = to_tensor_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 qint16 qint32 qint8 quint16 quint8 "
        "string uint16 uint32 uint64 uint8; Tindex: int32 int64", to_tensor_compute, partitions_construct, g_free },
      { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (ragged_dense, ops)
