/* flow-kernels-array_inplace.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows written over, tensors without values, cells rolled round, and data formats changed.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* --- Empty ---------------------------------------------------------------------------------------------- */

static gboolean
infer_empty (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_shape_from_value (c, 0, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

/* What TensorFlow leaves as it is in memory is zero here: a run gives the same each time. */
static gboolean
empty_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *dims = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  if (!flow_is_vector (dims))
    return _flow_refuse_shapes (error, dims, NULL, "shape must be a vector of int32, got shape %s");
  shape = flow_kernel_shape_from_tensor (dims, error);
  out = shape != NULL ? flow_kernel_allocate (c, 0, shape, error) : NULL;
  if (out != NULL && out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  return out != NULL;
}

/* --- InplaceUpdate, InplaceAdd, InplaceSub -------------------------------------------------------------- */

static gboolean
check_inplace (const FlowTensor  *x,
               const FlowTensor  *rows,
               const FlowTensor  *v,
               GError           **error)
{
  g_autofree char *x_text = flow_tensor_shape_text (x);
  g_autofree char *v_text = flow_tensor_shape_text (v);

  if (!flow_is_vector (rows))
    return _flow_refuse_shapes (error, rows, NULL, "i must be a vector. %s");
  FLOW_REQUIRE (FLOW_RANK (x) == FLOW_RANK (v), error, INVALID_ARGUMENT,
                "x and v shape doesn't match (ranks differ): %s vs. %s", x_text, v_text);
  FLOW_REQUIRE (FLOW_RANK (x) > 0, error, INVALID_ARGUMENT, "x and v must have at least one dimension");
  for (int i = 1; i < FLOW_RANK (x); i++)
    FLOW_REQUIRE (FLOW_DIMS (x)[i] == FLOW_DIMS (v)[i], error, INVALID_ARGUMENT,
                  "x and v shape doesn't match at index %d : %s vs. %s", i, x_text, v_text);
  if (rows->n_elements != FLOW_DIMS (v)[0])
    return _flow_refuse_shapes (error, rows, v, "i and x shape doesn't match at index 0: %s vs. %s");
  return TRUE;
}

/* A row's number counts round: from the end where it is negative, from the start again where too large. */
static gint64
row_of (gint32 i,
        gint64 n)
{
  const gint64 row = i % n;

  return row < 0 ? row + n : row;
}

static gboolean
write_rows (FlowKernelContext  *c,
            FlowCombineFunc     combine,
            GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *rows = flow_kernel_input (c, 1);
  const FlowTensor *v = flow_kernel_input (c, 2);
  FlowTensor *out;
  gint64 n_cells;
  gsize row_bytes;

  if (!check_inplace (x, rows, v, error) || (out = flow_kernel_allocate (c, 0, x->shape, error)) == NULL)
    return FALSE;
  if (x->n_elements == 0)
    return TRUE;
  n_cells = x->n_elements / FLOW_DIMS (x)[0];
  row_bytes = (gsize) n_cells * _flow_cell_size (x->dtype);
  memcpy (out->data, x->data, x->n_bytes);
  _flow_adopt_cells (x->dtype, out->data, out->n_elements);
  for (gint64 i = 0; i < rows->n_elements; i++)
    {
      char *row = (char *) out->data + (gsize) row_of (FLOW_DATA (gint32, rows)[i], FLOW_DIMS (x)[0]) * row_bytes;
      const char *from = (const char *) v->data + (gsize) i * row_bytes;

      if (combine != NULL)
        combine (row, from, n_cells, 1);
      else
        _flow_replace_cells (x->dtype, row, from, n_cells);
    }
  return TRUE;
}

static gboolean
inplace_update_compute (FlowKernelContext  *c,
                        GError            **error)
{
  return write_rows (c, NULL, error);
}

static gboolean
inplace_combine (FlowKernelContext  *c,
                 FlowCombine         combine,
                 GError            **error)
{
  const int dtype = (int) flow_kernel_input (c, 0)->dtype;
  FlowCombineFunc func = dtype == FLOW_DTYPE_BOOL ? NULL : _flow_combine_func (combine, dtype);

  if (!check_inplace (flow_kernel_input (c, 0), flow_kernel_input (c, 1), flow_kernel_input (c, 2), error))
    return FALSE;
  FLOW_REQUIRE (func != NULL, error, INVALID_ARGUMENT, "Unsupported data type: %s", flow_dtype_string (dtype));
  return write_rows (c, func, error);
}

static gboolean
inplace_add_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return inplace_combine (c, FLOW_COMBINE_ADD, error);
}

static gboolean
inplace_sub_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return inplace_combine (c, FLOW_COMBINE_SUB, error);
}

/* --- Roll ------------------------------------------------------------------------------------------------- */

static gboolean
infer_roll (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) shift = NULL;
  g_autoptr (FlowShape) axis = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 1, &in, error) ||
      !flow_infer_with_rank_at_most (c, flow_infer_input (c, 1), 1, &shift, error) ||
      !flow_infer_with_rank_at_most (c, flow_infer_input (c, 2), 1, &axis, error))
    return FALSE;
  flow_infer_set_output (c, 0, in);
  return TRUE;
}

/* The sum of the shifts along each axis, in [0, size). */
static gboolean
read_shifts (const FlowTensor  *in,
             const FlowTensor  *shift,
             const FlowTensor  *axis,
             gint64            *shifts,
             GError           **error)
{
  if (FLOW_RANK (in) < 1)
    return _flow_refuse (error, "input must be 1-D or higher");
  if (FLOW_RANK (shift) > 1)
    return _flow_refuse_shapes (error, shift, NULL, "shift must be a scalar or a 1-D vector. Found: %s");
  if (FLOW_RANK (axis) > 1)
    return _flow_refuse_shapes (error, axis, NULL, "axis must be a scalar or a 1-D vector. Found: %s");
  FLOW_REQUIRE (flow_shape_equal (shift->shape, axis->shape), error, INVALID_ARGUMENT,
                "shift and axis must have the same size");
  memset (shifts, 0, sizeof (gint64) * (gsize) FLOW_RANK (in));
  for (gint64 i = 0; i < shift->n_elements; i++)
    {
      gint64 by = flow_index_at (shift, i);
      gint64 size;
      int d;

      /* TF: an axis is an int32 whatever its dtype; a negative one is named as it counts from the front. */
      d = (gint32) (guint32) flow_index_at (axis, i);
      d += d < 0 ? FLOW_RANK (in) : 0;
      FLOW_REQUIRE (d >= 0 && d < FLOW_RANK (in), error, INVALID_ARGUMENT, "axis %d is out of range", d);
      size = MAX (FLOW_DIMS (in)[d], 1);
      by %= size;
      shifts[d] = (shifts[d] + by + size) % size;
    }
  return TRUE;
}

static gboolean
roll_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const int rank = FLOW_RANK (in);
  const gint64 *dims = FLOW_DIMS (in);
  const gsize cell = _flow_cell_size (in->dtype);
  gint64 shifts[FLOW_SHAPE_MAX_RANK];
  gint64 index[FLOW_SHAPE_MAX_RANK] = { 0 };
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  FlowTensor *out;
  gint64 row;

  if (!read_shifts (in, flow_kernel_input (c, 1), flow_kernel_input (c, 2), shifts, error) ||
      (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  if (in->n_elements == 0)
    return TRUE;
  _flow_row_major_strides (rank, dims, strides);
  row = dims[rank - 1];
  /* The rows of the last dim one by one, each in two pieces. */
  for (gint64 at = 0; at < in->n_elements; at += row)
    {
      const char *from = (const char *) in->data + (gsize) at * cell;
      gint64 to = 0;
      char *target;

      for (int d = 0; d < rank - 1; d++)
        to += (index[d] + shifts[d]) % dims[d] * strides[d];
      target = (char *) out->data + (gsize) to * cell;
      memcpy (target + (gsize) shifts[rank - 1] * cell, from, (gsize) (row - shifts[rank - 1]) * cell);
      memcpy (target, from + (gsize) (row - shifts[rank - 1]) * cell, (gsize) shifts[rank - 1] * cell);
      for (int d = rank - 2; d >= 0 && ++index[d] == dims[d]; d--)
        index[d] = 0;
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* --- DataFormatDimMap, DataFormatVecPermute ------------------------------------------------------------------ */

/* The formats may be those of volumes, with five dims, but TensorFlow 1.15 maps the first four. */
#define N_DIMS 4

typedef struct {
  gint64 map[N_DIMS];          /* where each dim of the source stands */
  gint64 back[N_DIMS];         /* where each dim of the destination stood */
} Formats;

static gboolean
read_formats (FlowKernelContext  *c,
              Formats            *self,
              GError            **error)
{
  const char *from = flow_kernel_attr_string (c, "src_format");
  const char *to = flow_kernel_attr_string (c, "dst_format");

  FLOW_REQUIRE (strlen (from) == 4 || strlen (from) == 5, error, INVALID_ARGUMENT,
                "Source format must be of length 4 or 5, received src_format = %s", from);
  FLOW_REQUIRE (strlen (to) == 4 || strlen (to) == 5, error, INVALID_ARGUMENT,
                "Destination format must be of length 4 or 5, received dst_format = %s", to);
  for (int i = 0; i < N_DIMS; i++)
    {
      const char *there = strchr (to, from[i]);
      const char *back = strchr (from, to[i]);

      self->map[i] = there != NULL ? there - to : 0;
      self->back[i] = back != NULL && back - from < N_DIMS ? back - from : 0;
    }
  return TRUE;
}

static void
put_int (FlowTensor *out,
         gint64      i,
         gint64      value)
{
  if (out->dtype == FLOW_DTYPE_INT32)
    FLOW_WRITABLE (gint32, out)[i] = (gint32) value;
  else
    FLOW_WRITABLE (gint64, out)[i] = value;
}

static gboolean
dim_map_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out;
  Formats f;

  if (!read_formats (c, &f, error) || (out = flow_kernel_allocate (c, 0, x->shape, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      const gint64 dim = flow_index_at (x, i) % N_DIMS;

      /* TF: what lies before -4 and is no multiple of it is taken for the last. */
      if (flow_index_at (x, i) < -N_DIMS && dim != 0)
        put_int (out, i, f.map[N_DIMS - 1]);
      else
        put_int (out, i, f.map[(dim + N_DIMS) % N_DIMS]);
    }
  return TRUE;
}

static gboolean
infer_permute (FlowInferContext  *c,
               GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_unchanged_shape (c, error);
}

static gboolean
permute_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out;
  gint64 width;
  Formats f;

  if (!read_formats (c, &f, error))
    return FALSE;
  if (FLOW_RANK (x) != 1 && FLOW_RANK (x) != 2)
    return _flow_refuse_shapes (error, x, NULL, "input must be a vector or 2D tensor, but got shape %s");
  if (FLOW_RANK (x) == 1 && FLOW_DIMS (x)[0] != N_DIMS)
    return _flow_refuse_shapes (error, x, NULL, "1D input must be of size 4, but got shape %s");
  if (FLOW_RANK (x) == 2 && FLOW_DIMS (x)[0] != N_DIMS)
    return _flow_refuse_shapes (error, x, NULL, "First dimension of 2D input must be of size 4, but got shape %s");
  if (FLOW_RANK (x) == 2 && FLOW_DIMS (x)[1] != 2)
    return _flow_refuse_shapes (error, x, NULL, "Second dimension of 2D input must be of size 2, but got shape %s");
  if ((out = flow_kernel_allocate (c, 0, x->shape, error)) == NULL)
    return FALSE;
  width = FLOW_RANK (x);
  for (gint64 i = 0; i < N_DIMS; i++)
    for (gint64 k = 0; k < width; k++)
      put_int (out, i * width + k, flow_index_at (x, f.back[i] * width + k));
  return TRUE;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static gboolean
deep_copy_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowTensor *copy = flow_tensor_copy (flow_kernel_input (c, 0), c->budget, error);

  if (copy == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, copy);
  return TRUE;
}

static const FlowKernelDef deep_copy_kernels[] = { { NULL, deep_copy_compute }, { NULL } };
static const FlowKernelDef empty_kernels[] = {
  { "dtype: bool double float half int32 int64 string uint8", empty_compute }, { NULL }
};
static const FlowKernelDef inplace_update_kernels[] = { { NULL, inplace_update_compute }, { NULL } };
static const FlowKernelDef inplace_add_kernels[] = { { NULL, inplace_add_compute }, { NULL } };
static const FlowKernelDef inplace_sub_kernels[] = { { NULL, inplace_sub_compute }, { NULL } };
static const FlowKernelDef roll_kernels[] = { { NULL, roll_compute }, { NULL } };
static const FlowKernelDef dim_map_kernels[] = { { "T: int32 int64", dim_map_compute }, { NULL } };
static const FlowKernelDef permute_kernels[] = { { "T: int32 int64", permute_compute }, { NULL } };

#define FORMATS "T: {int32, int64} = DT_INT32; src_format: string = 'NHWC'; dst_format: string = 'NCHW'"
#define INPLACE(op, ident, text)                                                              \
  { .name = op, .inputs = "x: T; i: int32; v: T", .outputs = "y: T", .attrs = "T: type",      \
    .summary = text, .family = FLOW_OP_FAMILY_ARRAY, .infer = flow_infer_unchanged_shape,     \
    .kernels = ident##_kernels }

static const FlowOpDef ops[] = {
  { .name = "DataFormatDimMap", .inputs = "x: T", .outputs = "y: T", .attrs = FORMATS,
    .summary = "A dim's number in another data format", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape, .kernels = dim_map_kernels },
  { .name = "DataFormatVecPermute", .inputs = "x: T", .outputs = "y: T", .attrs = FORMATS,
    .summary = "One value per dim, in the order of another data format", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = infer_permute, .kernels = permute_kernels },
  { .name = "DeepCopy", .inputs = "x: T", .outputs = "y: T", .attrs = "T: type",
    .summary = "The same values in memory of their own", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape, .kernels = deep_copy_kernels },
  { .name = "Empty", .inputs = "shape: int32", .outputs = "output: dtype", .attrs = "dtype: type; init: bool = false",
    .summary = "A tensor whose values do not matter", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_ARRAY,
    .infer = infer_empty, .kernels = empty_kernels },
  INPLACE ("InplaceAdd", inplace_add, "Values added to rows"),
  INPLACE ("InplaceSub", inplace_sub, "Values taken from rows"),
  INPLACE ("InplaceUpdate", inplace_update, "Rows replaced"),
  { .name = "Roll", .inputs = "input: T; shift: Tshift; axis: Taxis", .outputs = "output: T",
    .attrs = "T: type; Tshift: {int32, int64}; Taxis: {int32, int64}",
    .summary = "Cells moved along axes, from the end back to the start", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = infer_roll, .kernels = roll_kernels },
};

FLOW_DEFINE_OP_FAMILY (array_inplace, ops)
