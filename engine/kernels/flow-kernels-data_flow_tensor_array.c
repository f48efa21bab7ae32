/* flow-kernels-data_flow_tensor_array.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of tensors that loops write and read.
 */

#include "config.h"

#include "flow-tensor-array-ops-private.h"

#include <string.h>

/* --- TensorArrayV3 -------------------------------------------------------------------------------------- */

static gboolean
make_infer (FlowInferContext *c,
            GError          **error)
{
  FlowShape *shape = flow_infer_attr_shape (c, "element_shape");
  FlowAttr *identical = flow_infer_attr (c, "identical_element_shapes");

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  if (c->n_outputs > 1)
    flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  if (shape != NULL && (flow_shape_is_known (shape) || (identical != NULL && flow_attr_get_bool (identical))))
    flow_infer_set_handle (c, 0, flow_infer_attr_dtype (c, "dtype"), shape);
  return TRUE;
}

static gboolean
make_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *size = flow_kernel_input (c, 0);
  const char *given = flow_kernel_attr_string (c, "tensor_array_name");
  FlowAttr *identical = flow_kernel_attr (c, "identical_element_shapes");
  FlowShape *shape = flow_attr_get_shape (flow_kernel_attr (c, "element_shape"));
  g_autofree char *name = NULL;
  FlowTensorArray *array;
  gboolean ok;

  if (!flow_is_scalar (size))
    return _flow_refuse_shapes (error, size, NULL, "TensorArray size must be scalar, but had shape: %s");
  if (FLOW_DATA (gint32, size)[0] < 0)
    return _flow_refuse (error, "Size should be >= 0.");
  name = _flow_step_name (c, given != NULL && *given != '\0' ? given : flow_kernel_get_name (c), error);
  if (name == NULL)
    return FALSE;
  array = _flow_tensor_array_new (c->host->step_container (c->host_data), name,
                                  flow_dtype_base (flow_kernel_attr_dtype (c, "dtype")), shape,
                                  FLOW_DATA (gint32, size)[0], error);
  if (array == NULL)
    return FALSE;
  array->dynamic_size = flow_kernel_attr_bool (c, "dynamic_size");
  array->clear_after_read = flow_kernel_attr_bool (c, "clear_after_read");
  array->identical_shapes = identical != NULL && flow_attr_get_bool (identical);
  ok = flow_kernel_publish (c, array, error) && _flow_put_handle (c, 0, &array->parent, TENSOR_ARRAY_FAMILY, array->dtype, shape, error);
  if (ok && c->n_outputs > 1)
    flow_kernel_take_output (c, 1, flow_tensor_new_float (0));
  flow_resource_unref (array);
  return ok;
}

/* --- TensorArrayGradV3 ---------------------------------------------------------------------------------- */

/* The shape of the elements behind as many dimensions as are to be put before them. */
static gboolean
note_longer_elements (FlowInferContext *c,
                      GError          **error)
{
  g_autoptr (FlowShape) front = NULL;
  g_autoptr (FlowShape) shape = NULL;
  FlowShape *given = flow_infer_input (c, 2);

  if (given->rank != 1 || given->dims[0] < 0 || given->dims[0] > FLOW_SHAPE_MAX_RANK)
    return TRUE;
  front = flow_shape_new_of_rank ((int) given->dims[0]);
  if (!flow_infer_concatenate (c, front, c->input_handles[0].shape, &shape, error))
    return FALSE;
  flow_infer_set_handle (c, 0, c->input_handles[0].dtype, shape);
  return TRUE;
}

static gboolean
grad_infer (FlowInferContext *c,
            GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  if (c->n_outputs > 1)
    flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  if (c->input_handles == NULL || c->input_handles[0].shape == NULL)
    return TRUE;
  if (c->n_inputs == 3)
    return note_longer_elements (c, error);
  flow_infer_set_handle (c, 0, c->input_handles[0].dtype, c->input_handles[0].shape);
  return TRUE;
}

static FlowShape *
prepend (const FlowShape *front,
         const FlowShape *shape)
{
  FlowShape *all;

  if (front == NULL || shape->rank == FLOW_RANK_UNKNOWN || front->rank + shape->rank > FLOW_SHAPE_MAX_RANK)
    return flow_shape_ref (shape);
  all = flow_shape_new_of_rank (front->rank + shape->rank);
  memcpy (all->dims, front->dims, sizeof (gint64) * (gsize) front->rank);
  memcpy (all->dims + front->rank, shape->dims, sizeof (gint64) * (gsize) shape->rank);
  return all;
}

/* The array of gradients begins with zeros of the shapes that the forward array was written with. */
static FlowTensorArray *
make_grad (FlowKernelContext *c,
           FlowTensorArray   *forward,
           const char        *name,
           const FlowShape   *front,
           GError           **error)
{
  g_autoptr (FlowShape) shape = prepend (front, forward->element_shape);
  FlowTensorArray *grad = _flow_tensor_array_new (forward->parent.container, name, forward->dtype, shape,
                                                  forward->cells->len, error);

  if (grad == NULL)
    return NULL;
  grad->identical_shapes = forward->identical_shapes;
  grad->aggregates = TRUE;
  grad->is_grad = TRUE;
  grad->clear_after_read = TRUE;
  grad->marked_size = forward->marked_size;
  for (guint i = 0; i < grad->cells->len; i++)
    {
      FlowTensorArrayCell *from = &g_array_index (forward->cells, FlowTensorArrayCell, i);
      FlowTensorArrayCell *to = &g_array_index (grad->cells, FlowTensorArrayCell, i);

      to->shape = from->shape != NULL ? prepend (front, from->shape) : NULL;
      to->written = from->written;
    }
  if (flow_kernel_publish (c, grad, error))
    return grad;
  flow_resource_unref (grad);
  return NULL;
}

static gboolean
grad (FlowKernelContext *c,
      FlowTensorArray   *forward,
      const FlowShape   *front,
      GError           **error)
{
  const char *source = flow_kernel_attr_string (c, "source");
  g_autofree char *name = g_strconcat (forward->parent.name, "@", source, NULL);
  FlowTensorArray *array;
  gboolean ok;

  if (!_flow_tensor_array_check_open (forward, error))
    return FALSE;
  if (forward->gradients_disallowed)
    return _flow_refuse (error, "Unable to create a gradients TensorArray for %s.  Perhaps you used the "
                         "multiple_writes_aggregate flag on a previous write?  Gradient calculation is impossible "
                         "when multiple writes are performed to the same index.", forward->parent.name);
  if (forward->dynamic_size)
    {
      /* TF: once gradients are taken the forward array grows no more. */
      flow_kernel_will_write (c, forward);
      forward->dynamic_size = FALSE;
      flow_kernel_wrote (c, forward);
    }
  array = flow_kernel_lookup (c, forward->parent.container, name, &_flow_tensor_array_class, NULL);
  if (array == NULL)
    array = make_grad (c, forward, name, front, error);
  if (array == NULL)
    return FALSE;
  ok = _flow_put_handle (c, 0, &array->parent, TENSOR_ARRAY_FAMILY, array->dtype, array->element_shape, error);
  if (ok && c->n_outputs > 1)
    flow_kernel_take_output (c, 1, flow_tensor_new_float (0));
  flow_resource_unref (array);
  return ok;
}

static gboolean
grad_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensorArray *forward = lookup_array (c, error);
  gboolean ok;

  if (forward == NULL)
    return FALSE;
  ok = grad (c, forward, NULL, error);
  flow_resource_unref (forward);
  return ok;
}

static gboolean
grad_with_shape_compute (FlowKernelContext *c,
                         GError           **error)
{
  g_autoptr (FlowShape) front = flow_kernel_shape_from_tensor (flow_kernel_input (c, 2), error);
  FlowTensorArray *forward;
  gboolean ok;

  if (front == NULL)
    return FALSE;
  forward = lookup_array (c, error);
  if (forward == NULL)
    return FALSE;
  ok = grad (c, forward, front, error);
  flow_resource_unref (forward);
  return ok;
}

/* --- one element: write, read ---------------------------------------------------------------------------- */

static gboolean
check_index (const FlowTensor *index,
             GError          **error)
{
  if (!flow_is_scalar (index))
    return _flow_refuse_shapes (error, index, NULL, "TensorArray index must be scalar, but had shape: %s");
  return TRUE;
}

static gboolean
write_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *index = flow_kernel_input (c, 1);
  FlowTensor *value = flow_kernel_input (c, 2);
  FlowTensorArray *array;
  gboolean ok;

  if (!check_index (index, error))
    return FALSE;
  array = lookup_array (c, error);
  if (array == NULL)
    return FALSE;
  ok = check_written (array, value, error) &&
       _flow_tensor_array_check_write (array, FLOW_DATA (gint32, index)[0], value, error);
  if (ok)
    {
      flow_kernel_will_write (c, array);
      ok = _flow_tensor_array_write (array, FLOW_DATA (gint32, index)[0], value, c->budget, error);
    }
  if (ok)
    {
      flow_kernel_wrote (c, array);
      pass_flow (c, 3);
    }
  flow_resource_unref (array);
  return ok;
}

static gboolean
read_infer (FlowInferContext *c,
            GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (c->input_handles == NULL || c->input_handles[0].shape == NULL)
    return flow_infer_unknown_shape (c, error);
  flow_infer_set_output (c, 0, c->input_handles[0].shape);
  return TRUE;
}

static gboolean
read_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *index = flow_kernel_input (c, 1);
  FlowTensorArray *array;
  FlowTensor *value = NULL;

  if (!check_index (index, error))
    return FALSE;
  array = lookup_array (c, error);
  if (array == NULL)
    return FALSE;
  if (check_requested (array, c, error))
    {
      flow_kernel_will_write (c, array);
      value = _flow_tensor_array_read (array, FLOW_DATA (gint32, index)[0], c->budget, error);
    }
  if (value != NULL)
    {
      flow_kernel_wrote (c, array);
      flow_kernel_take_output (c, 0, value);
    }
  flow_resource_unref (array);
  return value != NULL;
}

/* --- size, close ------------------------------------------------------------------------------------------ */

static gboolean
size_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensorArray *array = lookup_array (c, error);
  gboolean ok;

  if (array == NULL)
    return FALSE;
  ok = _flow_tensor_array_check_open (array, error);
  if (ok)
    flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) array->cells->len));
  flow_resource_unref (array);
  return ok;
}

static gboolean
close_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensorArray *array = lookup_array (c, error);

  if (array == NULL)
    return FALSE;
  flow_kernel_will_write (c, array);
  _flow_tensor_array_close (array);
  flow_kernel_wrote (c, array);
  flow_resource_unref (array);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "TensorArray",
    .inputs = "size: int32",
    .outputs = "handle: Ref(string)",
    .attrs = "dtype: type; dynamic_size: bool = false; clear_after_read: bool = true; "
             "tensor_array_name: string = \"\"; element_shape: shape = { unknown_rank: true }",
    .summary = "An array of tensors that lives as long as the run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = make_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, make_compute }, { NULL } },
  },
  {
    .name = "TensorArrayClose",
    .inputs = "handle: Ref(string)",
    .summary = "Ends a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "TensorArrayCloseV2",
    .inputs = "handle: string",
    .summary = "Ends a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "TensorArrayCloseV3",
    .inputs = "handle: resource",
    .summary = "Ends a tensor array",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "TensorArrayGrad",
    .inputs = "handle: string; flow_in: float",
    .outputs = "grad_handle: Ref(string)",
    .attrs = "source: string",
    .summary = "The array that collects the gradients of a tensor array",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = grad_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, grad_compute }, { NULL } },
  },
  {
    .name = "TensorArrayGradV2",
    .inputs = "handle: string; flow_in: float",
    .outputs = "grad_handle: string",
    .attrs = "source: string",
    .summary = "The array that collects the gradients of a tensor array",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = grad_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, grad_compute }, { NULL } },
  },
  {
    .name = "TensorArrayGradV3",
    .inputs = "handle: resource; flow_in: float",
    .outputs = "grad_handle: resource; flow_out: float",
    .attrs = "source: string",
    .summary = "The array that collects the gradients of a tensor array",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = grad_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, grad_compute }, { NULL } },
  },
  {
    .name = "TensorArrayGradWithShape",
    .inputs = "handle: resource; flow_in: float; shape_to_prepend: int32",
    .outputs = "grad_handle: resource; flow_out: float",
    .attrs = "source: string",
    .summary = "The array that collects the gradients of a tensor array, with more dimensions",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = grad_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, grad_with_shape_compute }, { NULL } },
  },
  {
    .name = "TensorArrayRead",
    .inputs = "handle: Ref(string); index: int32; flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type",
    .summary = "Takes a tensor out of a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = read_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        read_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayReadV2",
    .inputs = "handle: string; index: int32; flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type",
    .summary = "Takes a tensor out of a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = read_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        read_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayReadV3",
    .inputs = "handle: resource; index: int32; flow_in: float",
    .outputs = "value: dtype",
    .attrs = "dtype: type",
    .summary = "Takes a tensor out of a tensor array",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = read_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        read_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArraySize",
    .inputs = "handle: Ref(string); flow_in: float",
    .outputs = "size: int32",
    .summary = "How many places a tensor array has",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
  {
    .name = "TensorArraySizeV2",
    .inputs = "handle: string; flow_in: float",
    .outputs = "size: int32",
    .summary = "How many places a tensor array has",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
  {
    .name = "TensorArraySizeV3",
    .inputs = "handle: resource; flow_in: float",
    .outputs = "size: int32",
    .summary = "How many places a tensor array has",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
  {
    .name = "TensorArrayV2",
    .inputs = "size: int32",
    .outputs = "handle: string",
    .attrs = "dtype: type; element_shape: shape = { unknown_rank: true }; dynamic_size: bool = "
             "false; clear_after_read: bool = true; tensor_array_name: string = \"\"",
    .summary = "An array of tensors that lives as long as the run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = make_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, make_compute }, { NULL } },
  },
  {
    .name = "TensorArrayV3",
    .inputs = "size: int32",
    .outputs = "handle: resource; flow: float",
    .attrs = "dtype: type; element_shape: shape = { unknown_rank: true }; dynamic_size: bool = "
             "false; clear_after_read: bool = true; identical_element_shapes: bool = false; "
             "tensor_array_name: string = \"\"",
    .summary = "An array of tensors that lives as long as the run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = make_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, make_compute }, { NULL } },
  },
  {
    .name = "TensorArrayWrite",
    .inputs = "handle: Ref(string); index: int32; value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts a tensor into a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        write_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayWriteV2",
    .inputs = "handle: string; index: int32; value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts a tensor into a tensor array",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        write_compute },
      { NULL },
    },
  },
  {
    .name = "TensorArrayWriteV3",
    .inputs = "handle: resource; index: int32; value: T; flow_in: float",
    .outputs = "flow_out: float",
    .attrs = "T: type",
    .summary = "Puts a tensor into a tensor array",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_out_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        write_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (data_flow_tensor_array, ops)
