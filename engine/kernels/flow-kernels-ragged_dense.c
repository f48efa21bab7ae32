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
      if (first->n_elements != 1)
        return _flow_refuse (error, "The first dimension must be one number");
      *size = flow_index_at (first, 0);
      return TRUE;
    case ROW_SPLITS:
      if (FLOW_RANK (first) == 0)
        return _flow_refuse (error, "Row partitions must be vectors, but have shape []");
      *size = FLOW_DIMS (first)[0] - 1;
      return TRUE;
    case VALUE_ROWIDS:
    default:
      return _flow_refuse (error, "Cannot handle VALUE_ROWIDS in first dimension.");
    }
}

/* As protobuf prints a TensorShapeProto. */
static char *
shape_proto_text (const FlowTensor *tensor)
{
  GString *text = g_string_new (NULL);

  for (int d = 0; d < FLOW_RANK (tensor); d++)
    if (FLOW_DIMS (tensor)[d] != 0)
      g_string_append_printf (text, "dim {\n  size: %" G_GINT64_FORMAT "\n}\n", FLOW_DIMS (tensor)[d]);
    else
      g_string_append (text, "dim {\n}\n");
  return g_string_free (text, FALSE);
}

static gboolean
check_default (const Fill  *fill,
               GError     **error)
{
  FlowTensor *fallback = flow_kernel_input (fill->c, 2);
  int rank = FLOW_RANK (fill->values);

  if (FLOW_RANK (fallback) > rank)
    {
      g_autofree char *own = shape_proto_text (fallback);
      g_autofree char *values = shape_proto_text (fill->values);

      return _flow_refuse (error, "default_value_shape must have no more dimensions than the value. default_value_shape: %s"
                           " default_value_shape.dim_size(): %d value_shape: %s value_shape.dim_size(): %d", own,
                           FLOW_RANK (fallback), values, rank);
    }
  for (int d = 0; d < MIN (FLOW_RANK (fallback), rank - 1); d++)
    if (FLOW_DIMS (fallback)[d] != 1 && FLOW_DIMS (fallback)[d] != FLOW_DIMS (fill->values)[d + 1])
      return _flow_refuse (error, "default_value_shape and value_shape do not match on dimension %d", d);
  return TRUE;
}

/* The shape input, -1 where it leaves a dim open. */
static gboolean
read_asked_shape (Fill    *fill,
                  GError **error)
{
  FlowTensor *asked = flow_kernel_input (fill->c, 0);
  gboolean open = flow_is_scalar (asked);

  if (open && flow_index_at (asked, 0) != -1)
    return _flow_refuse (error, "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  if (FLOW_RANK (asked) > 1)
    return _flow_refuse (error, "Shape must be at most rank 1 but is rank %d", FLOW_RANK (asked));
  if (!open && asked->n_elements > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  for (gint64 d = 0; !open && d < asked->n_elements; d++)
    if (flow_index_at (asked, d) < -1)
      return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= -1", flow_index_at (asked, d));
  if (!open && asked->n_elements != fill->rank)
    {
      g_autofree char *values = shape_proto_text (fill->values);
      g_autoptr (GString) shape = g_string_new (NULL);

      for (gint64 d = 0; d < asked->n_elements; d++)
        if (flow_index_at (asked, d) != 0)
          g_string_append_printf (shape, "dim {\n  size: %" G_GINT64_FORMAT "\n}\n", flow_index_at (asked, d));
        else
          g_string_append (shape, "dim {\n}\n");
      return _flow_refuse (error, "Value shape (%s), ragged_rank(%d) and shape(%s) do not have a consistent number of dimensions",
                           values, fill->ragged_rank, shape->str);
    }
  for (int d = 0; d < fill->rank; d++)
    fill->dims[d] = open ? -1 : flow_index_at (asked, d);
  return TRUE;
}

/* What the shape input leaves open follows from the rows and the values. */
static gboolean
find_shape (Fill    *fill,
            gint64   n_rows,
            GError **error)
{
  fill->rank = fill->ragged_rank + FLOW_RANK (fill->values);
  if (fill->rank > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (!check_default (fill, error) || !read_asked_shape (fill, error))
    return FALSE;
  for (int d = fill->ragged_rank + 1; d < fill->rank; d++)
    {
      gint64 own = FLOW_DIMS (fill->values)[d - fill->ragged_rank];

      if (fill->dims[d] >= 0 && fill->dims[d] != own)
        return _flow_refuse (error, "Value and shape dimension are inconsistent.  Inner dimension %d of the values is %"
                             G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, d, own, fill->dims[d]);
      fill->dims[d] = own;
    }
  if (fill->dims[0] < 0)
    fill->dims[0] = n_rows;
  /* Values without a dimension have none for the last level. */
  for (int d = 1; d < MIN (fill->ragged_rank + 1, fill->rank); d++)
    {
      if (fill->dims[d] >= 0)
        continue;
      if (type_of (fill, d - 1) == FIRST_DIM_SIZE)
        return _flow_refuse (error, "Cannot handle partition type FIRST_DIM_SIZE");
      fill->dims[d] = widest_row (fill, d - 1);
    }
  for (int d = 0; d < fill->rank; d++)
    if (fill->dims[d] < 0)
      return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= 0", fill->dims[d]);
  return TRUE;
}

/* --- where each value goes ------------------------------------------------------------------------------------------------- */

/* Where the members of a level go, -1 of those that are cut off. Of the first level only the number is kept. */
typedef struct {
  gint64 n;
  FlowTensor *places;
} Members;

static gint64
place_of (const Fill    *fill,
          const Members *parents,
          gint64         step,
          gint64         i)
{
  if (parents->places != NULL)
    return FLOW_DATA (gint64, parents->places)[i];
  return i < fill->dims[0] ? i * step : -1;
}

/* How many members the rows of a level have in all; rows that end before they begin have none. */
static gboolean
count_members (const Fill  *fill,
               int          level,
               gint64      *n,
               GError     **error)
{
  FlowTensor *rows = rows_of (fill, level);

  *n = type_of (fill, level) == ROW_SPLITS ? 0 : rows->n_elements;
  if (type_of (fill, level) == FIRST_DIM_SIZE)
    return _flow_refuse (error, "Unsupported partition type:FIRST_DIM_SIZE");
  for (gint64 i = 1; type_of (fill, level) == ROW_SPLITS && i < rows->n_elements; i++)
    {
      gint64 length = 0;

      if (!flow_add_int64 (flow_index_at (rows, i), -MAX (flow_index_at (rows, i - 1), -G_MAXINT64), &length) ||
          !flow_add_int64 (*n, MAX (length, 0), n))
        return _flow_refuse (error, "Row splits of level %d are too far apart", level);
    }
  return TRUE;
}

static gboolean
refuse_parent (gint64   row,
               int      level,
               GError **error)
{
  /* TF: reads beside the rows above. */
  return _flow_refuse (error, "Row %" G_GINT64_FORMAT " of level %d is not there", row, level);
}

static gboolean
place_by_splits (const Fill    *fill,
                 int            level,
                 const Members *parents,
                 const gint64  *steps,
                 gint64        *places,
                 GError       **error)
{
  FlowTensor *rows = rows_of (fill, level);

  for (gint64 i = 0; i + 1 < rows->n_elements; i++)
    {
      gint64 length = flow_index_at (rows, i + 1) - flow_index_at (rows, i);
      gint64 parent;

      if (i >= parents->n)
        return refuse_parent (i, level, error);
      parent = place_of (fill, parents, steps[level], i);
      for (gint64 k = 0; k < length; k++)
        *places++ = parent >= 0 && k < fill->dims[level + 1] ? parent + k * steps[level + 1] : -1;
    }
  return TRUE;
}

static gboolean
place_by_rowids (const Fill    *fill,
                 int            level,
                 const Members *parents,
                 const gint64  *steps,
                 gint64        *places,
                 GError       **error)
{
  FlowTensor *rows = rows_of (fill, level);
  gint64 column = 0;

  for (gint64 i = 0; i < rows->n_elements; i++)
    {
      gint64 row = flow_index_at (rows, i);
      gint64 parent;

      if (row < 0 || row >= parents->n)
        return refuse_parent (row, level, error);
      column = i > 0 && row == flow_index_at (rows, i - 1) ? column + 1 : 0;
      parent = place_of (fill, parents, steps[level], row);
      places[i] = parent >= 0 && column < fill->dims[level + 1] ? parent + column * steps[level + 1] : -1;
    }
  return TRUE;
}

/* The members of @level in place of those above it. */
static gboolean
descend (const Fill    *fill,
         int            level,
         const gint64  *steps,
         Members       *members,
         GError       **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) places = NULL;
  gint64 n = 0;
  gboolean ok;

  if (!count_members (fill, level, &n, error))
    return FALSE;
  shape = flow_shape_new (1, &n);
  places = flow_tensor_new (FLOW_DTYPE_INT64, shape, fill->c->budget, error);
  if (places == NULL)
    return FALSE;
  ok = (type_of (fill, level) == ROW_SPLITS ? place_by_splits : place_by_rowids)
         (fill, level, members, steps, FLOW_WRITABLE (gint64, places), error);
  g_clear_pointer (&members->places, flow_tensor_unref);
  members->places = g_steal_pointer (&places);
  members->n = n;
  return ok;
}

/* --- the values ------------------------------------------------------------------------------------------------------------- */

#define CANNOT_BROADCAST "Unable to broadcast default_value of shape %s to tensor of shape %s"

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
  const gint64 *own = FLOW_DIMS (fallback);
  int rank = FLOW_RANK (fallback);

  for (; rank > inner && *own == 1; rank--)
    own++;
  if (rank > inner)
    return _flow_refuse_shapes (error, fallback, out, CANNOT_BROADCAST);
  for (int d = 0; d < inner; d++)
    {
      dims[d + 1] = FLOW_DIMS (fill->values)[d + 1];
      size *= dims[d + 1];
    }
  for (int d = rank - 1; d >= 0; d--)
    {
      int to = d + inner - rank + 1;

      if (own[d] != 1 && own[d] != dims[to])
        return _flow_refuse_shapes (error, fallback, out, CANNOT_BROADCAST);
      strides[to] = own[d] == 1 ? 0 : stride;
      stride *= own[d];
    }
  dims[0] = out->n_elements / size;
  _flow_row_major_strides (inner + 1, dims, out_strides);
  _flow_copy_strided (_flow_cell_size (out->dtype), inner + 1, dims, out->data, out_strides, fallback->data, strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
put_values (const Fill     *fill,
            const Members  *members,
            gint64          step,
            FlowTensor     *out,
            GError        **error)
{
  gint64 n_values = FLOW_DIMS (fill->values)[0];
  gsize cell = _flow_cell_size (out->dtype);
  gint64 row_cells = n_values > 0 ? fill->values->n_elements / n_values : 0;

  FLOW_REQUIRE (members->n == n_values, error, INTERNAL, "Values and indices must be equal");
  for (gint64 i = 0; i < n_values; i++)
    {
      gint64 place = place_of (fill, members, step, i);

      if (place >= 0)
        _flow_replace_cells (out->dtype, (guint8 *) out->data + (gsize) place * cell,
                             (const guint8 *) fill->values->data + (gsize) (i * row_cells) * cell, row_cells);
    }
  return TRUE;
}

static gboolean
to_tensor_compute (FlowKernelContext  *c,
                   GError            **error)
{
  Fill fill = { .c = c, .partitions = flow_kernel_data (c), .values = flow_kernel_input (c, 1) };
  gint64 steps[FLOW_SHAPE_MAX_RANK];
  Members members = { 0, NULL };
  gboolean ok = TRUE;
  FlowTensor *out;

  fill.first = fill.partitions->types[0] == FIRST_DIM_SIZE ? 4 : 3;
  fill.ragged_rank = (int) fill.partitions->n - (fill.first - 3);
  if (!first_dim (&fill, &members.n, error) || !find_shape (&fill, members.n, error))
    return FALSE;
  if (members.n < 0)
    return _flow_refuse (error, "The first dimension must not be negative");
  out = flow_kernel_allocate_dims (c, 0, fill.rank, fill.dims, error);
  if (out == NULL || out->n_elements == 0)
    return out != NULL;
  FLOW_REQUIRE (FLOW_RANK (fill.values) > 0, error, INTERNAL, "Values and indices must be equal");
  _flow_row_major_strides (fill.rank, fill.dims, steps);
  for (int level = 0; level < fill.ragged_rank && ok; level++)
    ok = descend (&fill, level, steps, &members, error);
  ok = ok && put_default (&fill, out, error) && put_values (&fill, &members, steps[0], out, error);
  g_clear_pointer (&members.places, flow_tensor_unref);
  return ok;
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
