/* flow-kernels-data_flow_tensor_array_many.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many elements of a tensor array at once.
 */

#include "config.h"

#include "flow-tensor-array-ops-private.h"

#include <string.h>

/* --- many elements read: gather, concat ------------------------------------------------------------------ */

static gboolean
unref_tensors (GPtrArray *values)
{
  g_ptr_array_unref (values);
  return FALSE;
}

static GPtrArray *
read_many (FlowKernelContext *c,
           FlowTensorArray   *array,
           const FlowTensor  *indices,
           gint64             n,
           GError           **error)
{
  GPtrArray *values = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);

  for (gint64 i = 0; i < n; i++)
    {
      gint64 index = indices != NULL ? FLOW_DATA (gint32, indices)[i] : i;
      FlowTensor *value = _flow_tensor_array_read (array, index, c->budget, error);

      if (value == NULL)
        {
          unref_tensors (values);
          return NULL;
        }
      g_ptr_array_add (values, value);
    }
  return values;
}

/* TF: an empty result needs a static shape. */
static gboolean
put_nothing (FlowKernelContext *c,
             const FlowShape   *shape,
             const char        *format,
             GError           **error)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1] = { 0 };

  if (!flow_shape_is_known (shape))
    {
      g_autofree char *text = flow_shape_to_string (shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, format, text);
      return FALSE;
    }
  if (shape->rank >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims + 1, shape->dims, sizeof (gint64) * (gsize) shape->rank);
  return flow_kernel_allocate_dims (c, 0, shape->rank + 1, dims, error) != NULL;
}

static gboolean
put_packed (FlowKernelContext *c,
            GPtrArray         *values,
            GError           **error)
{
  FlowTensor *first = values->pdata[0];
  FlowShape *asked = flow_attr_get_shape (flow_kernel_attr (c, "element_shape"));
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  FlowTensor *out;

  if (!flow_shape_is_compatible (asked, first->shape))
    {
      g_autofree char *a = flow_shape_to_string (asked);
      g_autofree char *b = flow_tensor_shape_text (first);

      return _flow_refuse (error, "TensorArray was passed element_shape %s which does not match the Tensor at index "
                           "0: %s", a, b);
    }
  for (guint i = 1; i < values->len; i++)
    if (!flow_shape_equal (first->shape, ((FlowTensor *) values->pdata[i])->shape))
      {
        g_autofree char *a = flow_tensor_shape_text (first);
        g_autofree char *b = flow_tensor_shape_text (values->pdata[i]);

        return _flow_refuse (error, "TensorArray has inconsistent shapes.  Index 0 has shape: %s but index %u has "
                             "shape: %s", a, i, b);
      }
  if (FLOW_RANK (first) >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  dims[0] = values->len;
  memcpy (dims + 1, FLOW_DIMS (first), sizeof (gint64) * (gsize) FLOW_RANK (first));
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (first) + 1, dims, error);
  if (out == NULL)
    return FALSE;
  for (guint i = 0; i < values->len && first->n_bytes > 0; i++)
    memcpy ((char *) out->data + i * first->n_bytes, ((FlowTensor *) values->pdata[i])->data, first->n_bytes);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
gather (FlowKernelContext *c,
        FlowTensorArray   *array,
        const FlowTensor  *indices,
        GError           **error)
{
  GPtrArray *values;
  gboolean ok;

  if (!_flow_tensor_array_merge_shape (array, flow_attr_get_shape (flow_kernel_attr (c, "element_shape")), error))
    return FALSE;
  if (!flow_is_vector (indices))
    return _flow_refuse_shapes (error, indices, NULL, "Expected indices to be a vector, but received shape: %s");
  /* TF: by what the op itself says of the elements, whatever the array knows. */
  if (indices->n_elements == 0)
    return put_nothing (c, flow_attr_get_shape (flow_kernel_attr (c, "element_shape")), "TensorArray has size zero, but element shape %s is not fully "
                        "defined. Currently only static shapes are supported when packing zero-size TensorArrays.",
                        error);
  values = read_many (c, array, indices, indices->n_elements, error);
  if (values == NULL)
    return FALSE;
  ok = put_packed (c, values, error);
  g_ptr_array_unref (values);
  return ok;
}

/* As many elements as there are indices, each of the array's element shape where that is one. */
static gboolean
gather_infer (FlowInferContext *c,
              GError          **error)
{
  FlowShape *element = flow_infer_attr_shape (c, "element_shape");
  const FlowShape *indices = flow_infer_input (c, 1);
  g_autoptr(FlowShape) outer = NULL;
  FlowShape *shape;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (c->input_handles != NULL && c->input_handles[0].shape != NULL)
    element = c->input_handles[0].shape;
  if (element == NULL || element->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  outer = flow_shape_new_vector (indices->rank == 1 ? indices->dims[0] : FLOW_DIM_UNKNOWN);
  if (!flow_infer_concatenate (c, outer, element, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

static gboolean
gather_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensorArray *array = lookup_array (c, error);
  Transaction t;
  gboolean ok;

  if (array == NULL)
    return FALSE;
  ok = check_requested (array, c, error);
  if (ok)
    {
      transaction_begin (&t, c, array);
      ok = transaction_end (&t, c, gather (c, array, flow_kernel_input (c, 1), error));
    }
  flow_resource_unref (array);
  return ok;
}

/* All indices below @n: what the ops that know none go by. */
static FlowTensor *
all_indices (FlowKernelContext *c,
             gint64             n,
             GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *indices = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT32, shape, error);

  for (gint64 i = 0; indices != NULL && i < n; i++)
    FLOW_WRITABLE (gint32, indices)[i] = (gint32) i;
  return indices;
}

static gboolean
pack_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensorArray *array = lookup_array (c, error);
  g_autoptr (FlowTensor) indices = array != NULL ? all_indices (c, array->cells->len, error) : NULL;
  gboolean ok = indices != NULL && check_requested (array, c, error);
  Transaction t;

  if (ok)
    {
      transaction_begin (&t, c, array);
      ok = transaction_end (&t, c, gather (c, array, indices, error));
    }
  if (array != NULL)
    flow_resource_unref (array);
  return ok;
}

static gboolean
concat_infer (FlowInferContext *c,
              GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_unknown ());
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
check_except0 (const FlowShape  *except0,
               const FlowTensor *value,
               guint             i,
               GError          **error)
{
  g_autoptr (FlowShape) rest = flow_shape_new (FLOW_RANK (value) - 1, FLOW_DIMS (value) + 1);
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (flow_shape_is_compatible (except0, rest))
    return TRUE;
  a = flow_shape_to_string (except0);
  b = flow_shape_to_string (rest);
  return _flow_refuse (error, "TensorArray was passed element_shape_except0 %s but index %u has (excepting dimension "
                       "0) shape: %s which does not match.", a, i, b);
}

/* The lengths of all elements along dim 0, and their sum. */
static gboolean
measure_concat (GPtrArray       *values,
                const FlowShape *except0,
                FlowTensor      *lengths,
                gint64          *total,
                GError         **error)
{
  FlowTensor *first = values->pdata[0];

  *total = 0;
  for (guint i = 0; i < values->len; i++)
    {
      FlowTensor *value = values->pdata[i];

      if (FLOW_RANK (value) < 1)
        return _flow_refuse (error, "Concat saw a scalar shape at index %u but requires at least vectors.  Did you "
                             "mean to call pack?", i);
      if (FLOW_RANK (value) != FLOW_RANK (first) ||
          memcmp (FLOW_DIMS (value) + 1, FLOW_DIMS (first) + 1, sizeof (gint64) * (gsize) (FLOW_RANK (first) - 1)) != 0)
        {
          g_autofree char *a = flow_dims_to_string (FLOW_RANK (first) - 1, FLOW_DIMS (first) + 1);
          g_autofree char *b = flow_dims_to_string (FLOW_RANK (value) - 1, FLOW_DIMS (value) + 1);

          return _flow_refuse (error, "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) "
                               "shape: %s but index %u has (excepting dimension 0) shape: %s", a, i, b);
        }
      if (!check_except0 (except0, value, i, error))
        return FALSE;
      FLOW_WRITABLE (gint64, lengths)[i] = FLOW_DIMS (value)[0];
      if (!flow_add_int64 (*total, FLOW_DIMS (value)[0], total))
        return _flow_refuse (error, "Concat: the sum of the lengths is too large");
    }
  return TRUE;
}

static gboolean
put_concat (FlowKernelContext *c,
            GPtrArray         *values,
            GError           **error)
{
  FlowTensor *first = values->pdata[0];
  FlowShape *except0 = flow_attr_get_shape (flow_kernel_attr (c, "element_shape_except0"));
  gint64 n = values->len;
  FlowTensor *lengths = flow_kernel_allocate_dims (c, 1, 1, &n, error);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gsize at = 0;
  FlowTensor *out;

  if (lengths == NULL || !measure_concat (values, except0, lengths, &dims[0], error))
    return FALSE;
  memcpy (dims + 1, FLOW_DIMS (first) + 1, sizeof (gint64) * (gsize) (FLOW_RANK (first) - 1));
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (first), dims, error);
  if (out == NULL)
    return FALSE;
  for (guint i = 0; i < values->len; i++)
    {
      FlowTensor *value = values->pdata[i];

      if (value->n_bytes > 0)
        memcpy ((char *) out->data + at, value->data, value->n_bytes);
      at += value->n_bytes;
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
concat (FlowKernelContext *c,
        FlowTensorArray   *array,
        GError           **error)
{
  FlowShape *except0 = flow_attr_get_shape (flow_kernel_attr (c, "element_shape_except0"));
  gint64 n = array->is_grad ? array->marked_size : array->cells->len;
  gint64 none = 0;
  GPtrArray *values;
  gboolean ok;

  if (!_flow_tensor_array_check_open (array, error))
    return FALSE;
  if (n == 0)
    return flow_kernel_allocate_dims (c, 1, 1, &none, error) != NULL &&
           put_nothing (c, except0, "TensorArray has size zero, but element_shape_except0 %s is not fully defined. "
                        "Currently only static shapes are supported when concatenating zero-size TensorArrays.", error);
  values = read_many (c, array, NULL, n, error);
  if (values == NULL)
    return FALSE;
  ok = put_concat (c, values, error);
  g_ptr_array_unref (values);
  return ok;
}

static gboolean
concat_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensorArray *array = lookup_array (c, error);
  Transaction t;
  gboolean ok;

  if (array == NULL)
    return FALSE;
  ok = check_requested (array, c, error);
  if (ok)
    {
      transaction_begin (&t, c, array);
      ok = transaction_end (&t, c, concat (c, array, error));
    }
  flow_resource_unref (array);
  return ok;
}

/* --- many elements written: scatter, split --------------------------------------------------------------- */

static gboolean
write_rows (FlowKernelContext *c,
            FlowTensorArray   *array,
            gint64             index,
            FlowTensor        *value,
            gint64             begin,
            gint64             end,
            gboolean           drop_dim,
            GError           **error)
{
  g_autoptr (FlowTensor) rows = flow_tensor_slice_rows (value, begin, end);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) element = NULL;

  if (!drop_dim)
    return _flow_tensor_array_write (array, index, rows, c->budget, error);
  shape = flow_shape_new (FLOW_RANK (value) - 1, FLOW_DIMS (value) + 1);
  element = flow_tensor_reshape (rows, shape, error);
  return element != NULL && _flow_tensor_array_write (array, index, element, c->budget, error);
}

static gboolean
scatter (FlowKernelContext *c,
         FlowTensorArray   *array,
         FlowTensor        *value,
         const FlowTensor  *indices,
         GError           **error)
{
  gint32 max_index = -1;

  if (!check_written (array, value, error))
    return FALSE;
  if (FLOW_RANK (value) < 1)
    return _flow_refuse_shapes (error, value, NULL, "Input value for unpack must be at least a vector but received "
                                "shape: %s");
  if (!flow_is_vector (indices))
    return _flow_refuse_shapes (error, indices, NULL, "Expected indices to be a vector, but received shape: %s");
  if (indices->n_elements != FLOW_DIMS (value)[0])
    return _flow_refuse (error, "Expected len(indices) == values.shape[0], but saw: %" G_GINT64_FORMAT " vs. %"
                         G_GINT64_FORMAT, indices->n_elements, FLOW_DIMS (value)[0]);
  for (gint64 i = 0; i < indices->n_elements; i++)
    max_index = MAX (max_index, FLOW_DATA (gint32, indices)[i]);
  if (!array->dynamic_size && max_index >= (gint64) array->cells->len)
    return _flow_refuse (error, "Max scatter index must be < array size (%d vs. %u)", max_index, array->cells->len);
  for (gint64 i = 0; i < indices->n_elements; i++)
    if (!write_rows (c, array, FLOW_DATA (gint32, indices)[i], value, i, i + 1, TRUE, error))
      return FALSE;
  return TRUE;
}

/* What scatter and split have in common: the array is found, all is written or nothing. @where is the
 * tensor that says which rows go where, @flow the input that passes. */
static gboolean
write_many (FlowKernelContext *c,
            gboolean         (*write) (FlowKernelContext *, FlowTensorArray *, FlowTensor *, const FlowTensor *, GError **),
            FlowTensor        *value,
            const FlowTensor  *where,
            guint              flow,
            GError           **error)
{
  FlowTensorArray *array = lookup_array (c, error);
  Transaction t;
  gboolean ok;

  if (array == NULL)
    return FALSE;
  transaction_begin (&t, c, array);
  ok = transaction_end (&t, c, write (c, array, value, where, error));
  if (ok)
    pass_flow (c, flow);
  flow_resource_unref (array);
  return ok;
}

static gboolean
scatter_compute (FlowKernelContext *c,
                 GError           **error)
{
  return write_many (c, scatter, flow_kernel_input (c, 2), flow_kernel_input (c, 1), 3, error);
}

/* TF: where an array cannot grow there must be a row for each element. */
static gboolean
unpack (FlowKernelContext *c,
        FlowTensorArray   *array,
        FlowTensor        *value,
        const FlowTensor  *indices,
        GError           **error)
{
  if (FLOW_RANK (value) > 0 && !array->dynamic_size && FLOW_DIMS (value)[0] != (gint64) array->cells->len)
    return _flow_refuse (error, "Input value must have first dimension equal to the array size (%" G_GINT64_FORMAT " vs. %u)",
                         FLOW_DIMS (value)[0], array->cells->len);
  return scatter (c, array, value, indices, error);
}

static gboolean
unpack_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *value = flow_kernel_input (c, 1);
  g_autoptr (FlowTensor) indices = all_indices (c, FLOW_RANK (value) > 0 ? FLOW_DIMS (value)[0] : 0, error);

  return indices != NULL && write_many (c, unpack, value, indices, 2, error);
}

static gboolean
check_split (FlowTensorArray  *array,
             const FlowTensor *lengths,
             const FlowTensor *value,
             GError          **error)
{
  gint64 total = 0;

  if (!flow_is_vector (lengths))
    return _flow_refuse_shapes (error, lengths, NULL, "Expected lengths to be a vector, received shape: %s");
  if (FLOW_RANK (value) < 1)
    return _flow_refuse_shapes (error, value, NULL, "Expected value to be at least a vector, but received shape: %s");
  for (gint64 i = 0; i < lengths->n_elements; i++)
    if (!flow_add_int64 (total, FLOW_DATA (gint64, lengths)[i], &total))
      return _flow_refuse (error, "Invalid value in lengths: %" G_GINT64_FORMAT, FLOW_DATA (gint64, lengths)[i]);
  if (total != FLOW_DIMS (value)[0])
    {
      g_autofree char *text = flow_tensor_shape_text (value);

      return _flow_refuse (error, "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is %"
                           G_GINT64_FORMAT " and value's shape is: %s", total, text);
    }
  if (!_flow_tensor_array_check_open (array, error))
    return FALSE;
  /* TF: one that may grow does so, but there must be a length for each element that it has. */
  if (lengths->n_elements < (gint64) array->cells->len
      || (!array->dynamic_size && lengths->n_elements > (gint64) array->cells->len))
    return _flow_refuse (error, "TensorArray's size is not equal to the size of lengths (%u vs. %" G_GINT64_FORMAT
                         "), and the TensorArray is not marked as dynamically resizeable", array->cells->len,
                         lengths->n_elements);
  /* TF: takes these too, and ends the process. */
  for (gint64 i = 0; i < lengths->n_elements; i++)
    if (FLOW_DATA (gint64, lengths)[i] < 0)
      return _flow_refuse (error, "Invalid value in lengths: %" G_GINT64_FORMAT, FLOW_DATA (gint64, lengths)[i]);
  return check_written (array, value, error);
}

static gboolean
split (FlowKernelContext *c,
       FlowTensorArray   *array,
       FlowTensor        *value,
       const FlowTensor  *lengths,
       GError           **error)
{
  gint64 at = 0;

  if (!check_split (array, lengths, value, error))
    return FALSE;
  /* TF: as many gradients are joined to one, whatever is written behind them. */
  if (!array->is_grad)
    array->marked_size = lengths->n_elements;
  for (gint64 i = 0; i < lengths->n_elements; i++)
    {
      gint64 length = FLOW_DATA (gint64, lengths)[i];

      if (!write_rows (c, array, i, value, at, at + length, FALSE, error))
        return FALSE;
      at += length;
    }
  return TRUE;
}

static gboolean
split_compute (FlowKernelContext *c,
               GError           **error)
{
  return write_many (c, split, flow_kernel_input (c, 1), flow_kernel_input (c, 2), 3, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "TensorArrayConcat",
    .inputs = "handle: Ref(string); flow_in: float",
    .outputs = "value: dtype; lengths: int64",
    .attrs = "dtype: type; element_shape_except0: shape = { unknown_rank: true }",
    .summary = "The elements of a tensor array, joined",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = concat_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32",
        concat_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayConcatV2",
    .inputs = "handle: string; flow_in: float",
    .outputs = "value: dtype; lengths: int64",
    .attrs = "dtype: type; element_shape_except0: shape = { unknown_rank: true }",
    .summary = "The elements of a tensor array, joined",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = concat_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32",
        concat_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayConcatV3",
    .inputs = "handle: resource; flow_in: float",
    .outputs = "value: dtype; lengths: int64",
    .attrs = "dtype: type; element_shape_except0: shape = { unknown_rank: true }",
    .summary = "The elements of a tensor array, joined",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = concat_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32",
        concat_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayGather",
    .inputs = "handle: Ref(string); indices: int32; flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type; element_shape: shape = { unknown_rank: true }",
    .summary = "Elements of a tensor array, stacked",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 variant",
        gather_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayGatherV2",
    .inputs = "handle: string; indices: int32; flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type; element_shape: shape = { unknown_rank: true }",
    .summary = "Elements of a tensor array, stacked",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 variant",
        gather_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayGatherV3",
    .inputs = "handle: resource; indices: int32; flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type; element_shape: shape = { unknown_rank: true }",
    .summary = "Elements of a tensor array, stacked",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = gather_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 variant",
        gather_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayPack",
    .inputs = "handle: Ref(string); flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type; element_shape: shape = { unknown_rank: true }",
    .summary = "All elements of a tensor array, stacked",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 variant",
        pack_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayUnpack",
    .inputs = "handle: Ref(string); value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts the rows of a tensor into a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        unpack_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayScatter",
    .inputs = "handle: Ref(string); indices: int32; value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts rows into a tensor array, by index",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        scatter_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayScatterV2",
    .inputs = "handle: string; indices: int32; value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts rows into a tensor array, by index",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        scatter_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayScatterV3",
    .inputs = "handle: resource; indices: int32; value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts rows into a tensor array, by index",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        scatter_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArraySplit",
    .inputs = "handle: Ref(string); value: T; lengths: int64; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts parts of a tensor into a tensor array, by length",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        split_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArraySplitV2",
    .inputs = "handle: string; value: T; lengths: int64; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts parts of a tensor into a tensor array, by length",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        split_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArraySplitV3",
    .inputs = "handle: resource; value: T; lengths: int64; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts parts of a tensor into a tensor array, by length",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        split_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (data_flow_tensor_array_many, ops)
