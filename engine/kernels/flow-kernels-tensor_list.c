/* flow-kernels-tensor_list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lists of tensors in variants: one element at a time.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-tensor-list-private.h"

/* --- making lists --------------------------------------------------------------------------------------- */

static gboolean
make_infer (FlowInferContext *c,
            GError          **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_tensor_list_asked_shape (c, 0, &shape, error))
    return FALSE;
  _flow_infer_put_list (c, 0, shape);
  return TRUE;
}

static gboolean
empty_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *max = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensorList *list;

  if (!flow_is_scalar (max))
    return _flow_refuse_shapes (error, max, NULL, "max_num_elements expected to be a scalar but got shape: %s");
  shape = _flow_kernel_element_shape (c, 0, error);
  if (shape == NULL)
    return FALSE;
  list = _flow_tensor_list_new ((FlowDType) flow_kernel_attr_dtype (c, "element_dtype"), shape, 0, c->budget, error);
  if (list == NULL)
    return FALSE;
  list->max_elements = FLOW_DATA (gint32, max)[0];
  return _flow_kernel_take_list (c, 0, list);
}

static gboolean
only_int32 (FlowKernelContext  *c,
            guint               i,
            gint32             *value,
            GError            **error)
{
  FlowTensor *tensor = flow_kernel_input (c, i);

  if (tensor->n_elements != 1)
    return _flow_refuse_shapes (error, tensor, NULL, "Expected a scalar or one element, but saw shape: %s");
  *value = FLOW_DATA (gint32, tensor)[0];
  return TRUE;
}

static gboolean
reserve_compute (FlowKernelContext *c,
                 GError           **error)
{
  g_autoptr (FlowShape) shape = _flow_kernel_element_shape (c, 0, error);
  FlowTensorList *list;
  gint32 n = 0;

  if (shape == NULL || !only_int32 (c, 1, &n, error))
    return FALSE;
  if (n < 0)
    return _flow_refuse (error, "The num_elements to reserve must be a non negative number, but got %d", n);
  list = _flow_tensor_list_new ((FlowDType) flow_kernel_attr_dtype (c, "element_dtype"), shape, n, c->budget, error);
  return list != NULL && _flow_kernel_take_list (c, 0, list);
}

/* --- what a list is ------------------------------------------------------------------------------------- */

static gboolean
length_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);

  if (list == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) list->n));
  return TRUE;
}

static gboolean
element_shape_infer (FlowInferContext *c,
                     GError          **error)
{
  FlowShape *shape = c->input_handles != NULL ? c->input_handles[0].shape : NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  /* TF: a vector even where it will be the number that says that nothing is known. */
  flow_infer_take_output (c, 0, flow_shape_new_vector (shape != NULL && shape->rank != FLOW_RANK_UNKNOWN ? shape->rank
                                                                                                          : FLOW_DIM_UNKNOWN));
  return TRUE;
}

static FlowShape *
element_shape_value (FlowInferContext *c,
                     guint             i)
{
  FlowShape *shape = c->input_handles != NULL ? c->input_handles[0].shape : NULL;

  return shape != NULL && shape->rank != FLOW_RANK_UNKNOWN ? flow_shape_ref (shape) : NULL;
}

static gboolean
element_shape_compute (FlowKernelContext *c,
                       GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  gboolean unknown;
  FlowTensor *out;

  if (list == NULL)
    return FALSE;
  unknown = list->shape->rank == FLOW_RANK_UNKNOWN;
  out = flow_kernel_allocate_dims (c, 0, unknown ? 0 : 1, (gint64[]) { list->shape->rank }, error);
  if (out == NULL)
    return FALSE;
  for (gint64 k = 0; k < out->n_elements; k++)
    {
      gint64 dim = unknown ? -1 : list->shape->dims[k];

      if (out->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, out)[k] = (gint32) dim;
      else
        FLOW_WRITABLE (gint64, out)[k] = dim;
    }
  return TRUE;
}

static gboolean
resize_infer (FlowInferContext *c,
              GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  _flow_infer_same_list (c, 0, 0);
  return TRUE;
}

static gboolean
resize_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  gint32 n = 0;

  if (list == NULL || !only_int32 (c, 1, &n, error))
    return FALSE;
  if (n < 0)
    return _flow_refuse (error, "TensorListSlice expects size to be non-negative. Got: %d", n);
  list = _flow_kernel_own_list (c, 0, 0, error);
  return list != NULL && _flow_tensor_list_resize (list, n, error);
}

/* --- one element ---------------------------------------------------------------------------------------- */

/* The element of a place that was never written: zeros, where enough is known of its shape. @words says the rest. */
static gboolean
put_zeros (FlowKernelContext  *c,
           guint               output,
           FlowTensorList     *list,
           guint               shape_input,
           const char         *words,
           GError            **error)
{
  g_autoptr (FlowShape) shape = _flow_kernel_asked_shape (c, list, shape_input, error);
  FlowTensor *zeros;

  if (shape == NULL)
    return FALSE;
  if (!flow_shape_is_known (shape))
    for (gint64 i = 0; i < list->n; i++)
      if (!_flow_tensor_list_merge (list, i, &shape, error))
        return FALSE;
  if (!flow_shape_is_known (shape))
    {
      g_autofree char *text = flow_shape_to_string (shape);

      return _flow_refuse (error, words, text);
    }
  zeros = flow_tensor_new_zeros (list->dtype, shape, c->budget, error);
  if (zeros == NULL)
    return FALSE;
  flow_kernel_take_output (c, output, zeros);
  return TRUE;
}

static gboolean
get_infer (FlowInferContext *c,
           GError          **error)
{
  FlowShape *shape;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_infer_list_shape (c, 0, 2, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

static gboolean
get_compute (FlowKernelContext *c,
             GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  gint32 i = 0;

  if (list == NULL || !_flow_kernel_list_dtype (c, list, error) || !only_int32 (c, 1, &i, error))
    return FALSE;
  if (i < 0 || i >= list->n)
    return _flow_refuse (error, "Trying to access element %d in a list with %" G_GINT64_FORMAT " elements.", i, list->n);
  if (list->tensors[i] == NULL)
    return put_zeros (c, 0, list, 2, "Trying to read an uninitialized tensor but element_shape is not fully defined: %s"
                      " and no list element is set.", error);
  flow_kernel_set_output (c, 0, list->tensors[i]);
  return TRUE;
}

static gboolean
set_infer (FlowInferContext *c,
           GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  _flow_infer_same_list (c, 0, 0);
  return TRUE;
}

static gboolean
set_compute (FlowKernelContext *c,
             GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  FlowTensor *value = flow_kernel_input (c, 2);
  gint32 i = 0;

  if (list == NULL || !_flow_kernel_list_dtype (c, list, error) || !only_int32 (c, 1, &i, error))
    return FALSE;
  if (i < 0 || (i >= list->n && !flow_kernel_attr_bool (c, "resize_if_index_out_of_bounds")))
    return _flow_refuse (error, "Trying to modify element %d in a list with %" G_GINT64_FORMAT " elements.", i, list->n);
  if (!flow_shape_is_compatible (list->shape, value->shape))
    {
      g_autofree char *item = flow_tensor_shape_text (value);
      g_autofree char *own = flow_shape_to_string (list->shape);

      return _flow_refuse (error, "Tried to set a tensor with incompatible shape at a list index. Item element shape: %s "
                           "list shape: %s", item, own);
    }
  list = _flow_kernel_own_list (c, 0, 0, error);
  return list != NULL && (i < list->n || _flow_tensor_list_resize (list, (gint64) i + 1, error))
         && _flow_tensor_list_set (list, i, value, error);
}

static gboolean
push_infer (FlowInferContext *c,
            GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  _flow_infer_same_list (c, 0, 0);
  return TRUE;
}

static gboolean
push_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  FlowTensor *value = flow_kernel_input (c, 1);

  if (list == NULL)
    return FALSE;
  if (!flow_shape_is_compatible (list->shape, value->shape))
    {
      g_autofree char *item = flow_tensor_shape_text (value);
      g_autofree char *own = flow_shape_to_string (list->shape);

      return _flow_refuse (error, "Tried to append a tensor with incompatible shape to a list. Op element shape: %s "
                           "list shape: %s", item, own);
    }
  if (!_flow_kernel_list_dtype (c, list, error))
    return FALSE;
  /* TF: compared as an unsigned number, so any other negative limit is none as well. */
  if (list->max_elements >= 0 && list->n >= list->max_elements)
    return _flow_refuse (error, "Tried to push item into a full list list size: %" G_GINT64_FORMAT " max_num_elements: %"
                         G_GINT64_FORMAT, list->n, list->max_elements);
  list = _flow_kernel_own_list (c, 0, 0, error);
  return list != NULL && _flow_tensor_list_push (list, value, error);
}

static gboolean
pop_infer (FlowInferContext *c,
           GError          **error)
{
  FlowShape *shape;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_infer_list_shape (c, 0, 1, &shape, error))
    return FALSE;
  _flow_infer_same_list (c, 0, 0);
  flow_infer_take_output (c, 1, shape);
  return TRUE;
}

static gboolean
pop_compute (FlowKernelContext *c,
             GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);

  if (list == NULL || !_flow_kernel_list_dtype (c, list, error))
    return FALSE;
  if (list->n == 0)
    return _flow_refuse (error, "Trying to pop from an empty list.");
  if (list->tensors[list->n - 1] != NULL)
    flow_kernel_set_output (c, 1, list->tensors[list->n - 1]);
  else if (!put_zeros (c, 1, list, 1, "Trying to read an uninitialized tensor but element_shape is not fully defined.%s",
                       error))
    return FALSE;
  list = _flow_kernel_own_list (c, 0, 0, error);
  return list != NULL && _flow_tensor_list_resize (list, list->n - 1, error);
}

/* --- one element to each of many lists ------------------------------------------------------------------- */

static gboolean
push_batch_infer (FlowInferContext *c,
                  GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  if (c->input_handles != NULL && c->input_handles[0].shape != NULL)
    flow_infer_set_handle (c, 0, c->input_handles[0].dtype, c->input_handles[0].shape);
  return TRUE;
}

static gboolean
check_batch (FlowKernelContext  *c,
             FlowTensor         *lists,
             FlowTensor         *rows,
             GError            **error)
{
  if (!flow_is_vector (lists))
    return _flow_refuse_shapes (error, lists, NULL, "Expected input_handles to be a vector, but saw shape: %s");
  if (FLOW_RANK (rows) < 1)
    return _flow_refuse_shapes (error, rows, NULL, "Expected tensor to be at least a vector, but saw shape: %s");
  if (FLOW_DIMS (rows)[0] != lists->n_elements)
    return _flow_refuse (error, "Expected tensor.shape[0] == input_handles.size, but saw %" G_GINT64_FORMAT " vs. %"
                         G_GINT64_FORMAT, FLOW_DIMS (rows)[0], lists->n_elements);
  return TRUE;
}

static gboolean
check_batch_list (FlowKernelContext  *c,
                  FlowTensor         *lists,
                  gint64              b,
                  const FlowShape    *element,
                  GError            **error)
{
  FlowVariant *variant = flow_tensor_get_variant (lists, b);
  int dtype = flow_kernel_attr_dtype (c, "element_dtype");
  FlowTensorList *list;

  if (variant == NULL || !FLOW_IS_TENSOR_LIST (variant))
    {
      g_autofree char *what = _flow_variant_text (variant);

      return _flow_refuse (error, "Input handle at index %" G_GINT64_FORMAT " is not a list. Saw: '%s'", b, what);
    }
  list = FLOW_TENSOR_LIST (variant);
  if (!flow_shape_is_compatible (list->shape, element))
    {
      g_autofree char *item = flow_shape_to_string (element);
      g_autofree char *own = flow_shape_to_string (list->shape);

      return _flow_refuse (error, "Tried to append a tensor with incompatible shape to a list at index %" G_GINT64_FORMAT
                           ". Op element shape: %s list shape: %s", b, item, own);
    }
  if (dtype != (int) list->dtype)
    return _flow_refuse (error, "Invalid data type at index %" G_GINT64_FORMAT "; op elements %s but list elements %s", b,
                         flow_dtype_string (dtype), flow_dtype_string (list->dtype));
  return TRUE;
}

static gboolean
push_batch_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *lists = flow_kernel_input (c, 0);
  FlowTensor *rows = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) element = NULL;
  FlowTensor *out;

  if (!check_batch (c, lists, rows, error))
    return FALSE;
  element = flow_shape_new (FLOW_RANK (rows) - 1, FLOW_DIMS (rows) + 1);
  for (gint64 b = 0; b < lists->n_elements; b++)
    if (!check_batch_list (c, lists, b, element, error))
      return FALSE;
  out = flow_kernel_allocate (c, 0, lists->shape, error);
  for (gint64 b = 0; out != NULL && b < lists->n_elements; b++)
    {
      FlowTensorList *list = _flow_tensor_list_copy (FLOW_TENSOR_LIST (flow_tensor_get_variant (lists, b)), c->budget, error);
      g_autoptr (FlowTensor) row = flow_tensor_slice_rows (rows, b, b + 1);
      g_autoptr (FlowTensor) item = flow_tensor_reshape (row, element, error);

      FLOW_WRITABLE (FlowTensorList *, out)[b] = list;
      if (list == NULL || item == NULL || !_flow_tensor_list_push (list, item, error))
        return FALSE;
    }
  return out != NULL;
}

/* --- the table ------------------------------------------------------------------------------------------- */

#define SHAPE_TYPE "shape_type: {int32, int64}"
#define KERNEL(compute) (const FlowKernelDef[]) { { NULL, compute }, { NULL } }
#define TYPED_KERNEL(compute) (const FlowKernelDef[]) { { FLOW_LIST_TYPES, compute }, { NULL } }

static const FlowOpDef ops[] = {
  { .name = "EmptyTensorList", .inputs = "element_shape: shape_type; max_num_elements: int32",
    .outputs = "handle: variant", .attrs = "element_dtype: type; " SHAPE_TYPE,
    .summary = "A list without elements", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = make_infer, .kernels = KERNEL (empty_compute) },
  { .name = "TensorListElementShape", .inputs = "input_handle: variant",
    .outputs = "element_shape: shape_type", .attrs = SHAPE_TYPE,
    .summary = "What is known of the shape of a list's elements", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = element_shape_infer, .kernels = KERNEL (element_shape_compute),
    .value_list = element_shape_value },
  { .name = "TensorListGetItem", .inputs = "input_handle: variant; index: int32; element_shape: int32",
    .outputs = "item: element_dtype", .attrs = "element_dtype: type",
    .summary = "One element of a list", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = get_infer, .kernels = TYPED_KERNEL (get_compute) },
  { .name = "TensorListLength", .inputs = "input_handle: variant", .outputs = "length: int32",
    .summary = "How many elements a list has", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_scalar_shape, .kernels = KERNEL (length_compute) },
  { .name = "TensorListPopBack", .inputs = "input_handle: variant; element_shape: int32",
    .outputs = "output_handle: variant; tensor: element_dtype", .attrs = "element_dtype: type",
    .summary = "The last element of a list, and the list without it", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = pop_infer, .kernels = TYPED_KERNEL (pop_compute) },
  { .name = "TensorListPushBack", .inputs = "input_handle: variant; tensor: element_dtype",
    .outputs = "output_handle: variant", .attrs = "element_dtype: type",
    .summary = "A list with one more element at its end", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = push_infer, .kernels = KERNEL (push_compute) },
  { .name = "TensorListPushBackBatch", .inputs = "input_handles: variant; tensor: element_dtype",
    .outputs = "output_handles: variant", .attrs = "element_dtype: type",
    .summary = "Lists each with one more row at its end", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = push_batch_infer, .kernels = TYPED_KERNEL (push_batch_compute) },
  { .name = "TensorListReserve", .inputs = "element_shape: shape_type; num_elements: int32",
    .outputs = "handle: variant", .attrs = "element_dtype: type; " SHAPE_TYPE,
    .summary = "A list of places that are not written yet", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = make_infer, .kernels = KERNEL (reserve_compute) },
  { .name = "TensorListResize", .inputs = "input_handle: variant; size: int32",
    .outputs = "output_handle: variant", .summary = "A list cut or filled up to a length",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_CONTROL,
    .infer = resize_infer, .kernels = KERNEL (resize_compute) },
  { .name = "TensorListSetItem", .inputs = "input_handle: variant; index: int32; item: element_dtype",
    .outputs = "output_handle: variant",
    .attrs = "element_dtype: type; resize_if_index_out_of_bounds: bool = false",
    .summary = "A list with one element replaced", .family = FLOW_OP_FAMILY_CONTROL,
    .infer = set_infer, .kernels = KERNEL (set_compute) },
};

FLOW_DEFINE_OP_FAMILY (tensor_list, ops)
