/* flow-kernels-state_resource.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Resource variables: a handle names the variable, and reading and writing are ops of their own.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-state-private.h"

#include <string.h>

/* --- VarHandleOp -------------------------------------------------------------------------------------- */

static gpointer
var_handle_construct (FlowKernelConstruction *c,
                      GError                **error)
{
  const char *container = flow_attr_get_string (flow_construction_attr (c, "container"), NULL);
  const char *name = flow_attr_get_string (flow_construction_attr (c, "shared_name"), NULL);
  int dtype = flow_attr_get_dtype (flow_construction_attr (c, "dtype"));
  g_autoptr (FlowHandle) handle = NULL;

  /* TF: the name is the shared name as it stands; the node's own name does not step in. */
  handle = flow_handle_new (container != NULL && *container != '\0' ? container : "localhost",
                            name != NULL ? name : "", flow_variable_class.type_name, dtype,
                            flow_attr_get_shape (flow_construction_attr (c, "shape")));
  return flow_tensor_new_handle (handle);
}

static void
tensor_destruct (gpointer data)
{
  flow_tensor_unref (data);
}

static gboolean
var_handle_infer (FlowInferContext *c,
                  GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_set_handle (c, 0, flow_infer_attr_dtype (c, "dtype"), flow_infer_attr_shape (c, "shape"));
  return TRUE;
}

static gboolean
var_handle_compute (FlowKernelContext *c,
                    GError           **error)
{
  flow_kernel_set_output (c, 0, flow_kernel_data (c));
  return TRUE;
}

/* --- Reading ------------------------------------------------------------------------------------------ */

FlowVariable *
_flow_lookup_variable (FlowKernelContext *c,
                       guint              i,
                       GError           **error)
{
  FlowVariable *variable = flow_kernel_lookup_handle (c, i, &flow_variable_class, error);

  if (variable == NULL || variable->value != NULL)
    return variable;
  /* A variable that was never written is to TensorFlow one that is not there. */
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Resource %s/%s/%s does not exist.",
               variable->parent.container, variable->parent.name, flow_variable_class.type_name);
  flow_resource_unref (variable);
  return NULL;
}

gboolean
_flow_infer_handle (FlowInferContext *c,
                    int               dtype,
                    FlowShape       **shape,
                    GError          **error)
{
  const FlowHandleData *handle = c->input_handles != NULL ? &c->input_handles[0] : NULL;

  *shape = NULL;
  if (handle == NULL || handle->shape == NULL)
    {
      *shape = flow_shape_new_unknown ();
      return TRUE;
    }
  if (dtype != FLOW_DTYPE_INVALID && handle->dtype != dtype)
    return _flow_refuse (error, "Trying to read variable with wrong dtype. Expected %s got %s",
                         flow_dtype_string (handle->dtype), flow_dtype_string (dtype));
  *shape = flow_shape_ref (handle->shape);
  return TRUE;
}

static gboolean
read_infer (FlowInferContext *c,
            GError          **error)
{
  FlowShape *shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_infer_handle (c, flow_infer_attr_dtype (c, "dtype"), &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

/* The name that the handle in input @i carries, for messages. */
static const FlowHandle *
peek_handle (FlowKernelContext *c,
             guint              i)
{
  FlowTensor *tensor = flow_kernel_input (c, i);

  return tensor->dtype == FLOW_DTYPE_RESOURCE && tensor->n_elements > 0 ? FLOW_DATA (FlowHandle *, tensor)[0] : NULL;
}

static gboolean
read_compute (FlowKernelContext *c,
              GError           **error)
{
  g_autoptr (GError) missing = NULL;
  FlowDType dtype = flow_dtype_base (c->output_dtypes[0]);
  FlowVariable *variable = _flow_lookup_variable (c, 0, &missing);

  if (variable == NULL)
    {
      const FlowHandle *handle = peek_handle (c, 0);

      /* TF: finds it when the graph is made. */
      if (handle != NULL && handle->dtype != FLOW_DTYPE_INVALID && handle->dtype != (int) dtype)
        return _flow_refuse (error, "Trying to read variable with wrong dtype. Expected %s got %s",
                             flow_dtype_string (handle->dtype), flow_dtype_string (dtype));
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                   "Error while reading resource variable %s from Container: %s. This could mean that the "
                   "variable was uninitialized. %s: %s", handle != NULL ? handle->name : "",
                   handle != NULL ? handle->container : "", flow_error_code_title (missing->code),
                   missing->message);
      return FALSE;
    }
  if (variable->value->dtype != dtype)
    {
      _flow_refuse (error, "Trying to read variable with wrong dtype. Expected %s got %s",
                    flow_dtype_string (dtype), flow_dtype_string (variable->value->dtype));
      flow_resource_unref (variable);
      return FALSE;
    }
  flow_kernel_set_output (c, 0, variable->value);
  flow_resource_unref (variable);
  return TRUE;
}

static gboolean
var_is_initialized_compute (FlowKernelContext *c,
                            GError           **error)
{
  FlowVariable *variable = flow_kernel_lookup_handle (c, 0, &flow_variable_class, NULL);

  flow_kernel_take_output (c, 0, flow_tensor_new_bool (variable != NULL && variable->value != NULL));
  if (variable != NULL)
    flow_resource_unref (variable);
  return TRUE;
}

static gboolean
variable_shape_infer (FlowInferContext *c,
                      GError          **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_infer_handle (c, FLOW_DTYPE_INVALID, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (shape->rank));
  return TRUE;
}

static gboolean
variable_shape_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowVariable *variable = _flow_lookup_variable (c, 0, error);
  g_autoptr (FlowTensor) value = NULL;
  gint64 rank;
  FlowTensor *out;

  if (variable == NULL)
    return FALSE;
  value = flow_tensor_ref (variable->value);
  flow_resource_unref (variable);
  rank = FLOW_RANK (value);
  out = flow_kernel_allocate_dims (c, 0, 1, &rank, error);
  if (out == NULL)
    return FALSE;
  for (int i = 0; i < rank; i++)
    {
      if (out->dtype == FLOW_DTYPE_INT64)
        FLOW_WRITABLE (gint64, out)[i] = FLOW_DIMS (value)[i];
      else if (FLOW_DIMS (value)[i] < G_MAXINT32)
        FLOW_WRITABLE (gint32, out)[i] = (gint32) FLOW_DIMS (value)[i];
      else
        return _flow_refuse (error, "Shape output type is 32-bit  but dim %d is %" G_GINT64_FORMAT,
                             i, FLOW_DIMS (value)[i]);
    }
  return TRUE;
}

/* --- Writing ------------------------------------------------------------------------------------------ */

static gboolean
assign_infer (FlowInferContext *c,
              GError          **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) merged = NULL;

  if (c->running)
    return TRUE;
  return _flow_infer_handle (c, flow_infer_attr_dtype (c, "dtype"), &shape, error) &&
         flow_infer_merge (c, shape, flow_infer_input (c, 1), &merged, error);
}

FlowVariable *
_flow_find_or_make_variable (FlowKernelContext *c,
                             FlowDType          dtype,
                             GError           **error)
{
  g_autoptr (GError) missing = NULL;
  FlowVariable *variable = flow_kernel_lookup_handle (c, 0, &flow_variable_class, &missing);
  const FlowHandle *handle = peek_handle (c, 0);

  if (variable != NULL)
    return variable;
  if (handle == NULL || !g_error_matches (missing, FLOW_ERROR, FLOW_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&missing));
      return NULL;
    }
  {
    g_autoptr (FlowShape) unknown = flow_shape_new_unknown ();

    variable = flow_variable_new (handle->container, handle->name, dtype,
                                  handle->shape != NULL ? handle->shape : unknown);
  }
  if (!flow_kernel_publish (c, variable, error))
    {
      flow_resource_unref (variable);
      return NULL;
    }
  return variable;
}

static gboolean
assign_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *value = flow_kernel_input (c, 1);
  FlowVariable *variable = _flow_find_or_make_variable (c, value->dtype, error);

  if (variable == NULL)
    return FALSE;
  if (variable->dtype != value->dtype)
    {
      _flow_refuse (error, "Trying to assign variable with wrong dtype. Expected %s got %s",
                    flow_dtype_string (variable->dtype), flow_dtype_string (value->dtype));
      flow_resource_unref (variable);
      return FALSE;
    }
  flow_kernel_will_write (c, variable);
  flow_variable_take_value (variable, flow_tensor_ref (value));
  flow_kernel_wrote (c, variable);
  flow_resource_unref (variable);
  return TRUE;
}

static gboolean
update_variable (FlowKernelContext *c,
                 FlowVariable      *variable,
                 FlowCombine        combine,
                 GError           **error)
{
  FlowTensor *value = flow_kernel_input (c, 1);
  FlowCombineFunc func = _flow_combine_func (combine, value->dtype);
  FlowTensor *own;

  if (!flow_shape_equal (variable->value->shape, value->shape))
    return _flow_refuse_shapes (error, variable->value, value, "Cannot update variable with shape %s using a "
                                "Tensor with shape %s, shapes must be equal.");
  if (variable->value->dtype != value->dtype || func == NULL)
    return _flow_refuse (error, "Trying to update variable with wrong dtype. Expected %s got %s",
                         flow_dtype_string (variable->value->dtype), flow_dtype_string (value->dtype));
  flow_kernel_will_write (c, variable);
  own = flow_variable_own_value (variable, FALSE, c->budget, error);
  if (own == NULL)
    return FALSE;
  func (own->data, value->data, own->n_elements, 1);
  flow_kernel_wrote (c, variable);
  return TRUE;
}

static gboolean
assign_update (FlowKernelContext *c,
               FlowCombine        combine,
               GError           **error)
{
  FlowVariable *variable = _flow_lookup_variable (c, 0, error);
  gboolean ok;

  if (variable == NULL)
    return FALSE;
  ok = update_variable (c, variable, combine, error);
  flow_resource_unref (variable);
  return ok;
}

static gboolean
assign_add_compute (FlowKernelContext *c,
                    GError           **error)
{
  return assign_update (c, FLOW_COMBINE_ADD, error);
}

static gboolean
assign_sub_compute (FlowKernelContext *c,
                    GError           **error)
{
  return assign_update (c, FLOW_COMBINE_SUB, error);
}

static gboolean
destroy_compute (FlowKernelContext *c,
                 GError           **error)
{
  g_autoptr (GError) missing = NULL;
  FlowResource *resource = _flow_lookup_any (c, 0, &missing);
  gboolean ok;

  /* What was never written goes as well, but to TensorFlow it was not there. */
  if (resource != NULL && resource->klass == &flow_variable_class && ((FlowVariable *) resource)->value == NULL)
    {
      ok = flow_kernel_remove (c, resource, &missing);
      g_clear_pointer (&resource, flow_resource_unref);
      if (ok)
        resource = _flow_lookup_any (c, 0, &missing);
    }
  if (resource == NULL)
    {
      if (flow_kernel_attr_bool (c, "ignore_lookup_error") &&
          g_error_matches (missing, FLOW_ERROR, FLOW_ERROR_NOT_FOUND))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&missing));
      return FALSE;
    }
  ok = flow_kernel_remove (c, resource, error);
  flow_resource_unref (resource);
  return ok;
}

/* Readers share what they read anyhow: only whether it is there is asked. */
static gboolean
disable_copy_compute (FlowKernelContext *c,
                      GError           **error)
{
  FlowResource *resource = _flow_lookup_any (c, 0, error);

  if (resource == NULL)
    return FALSE;
  flow_resource_unref (resource);
  return TRUE;
}

FlowResource *
_flow_lookup_any (FlowKernelContext *c,
                  guint              i,
                  GError           **error)
{
  const FlowHandle *handle = peek_handle (c, i);
  FlowResourceClass of_type = { .type_name = handle != NULL ? handle->type_name : NULL };

  return flow_kernel_lookup_handle (c, i, of_type.type_name != NULL ? &of_type : &flow_variable_class, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "AssignAddVariableOp",
    .inputs = "resource: resource; value: dtype",
    .attrs = "dtype: type",
    .summary = "Adds to a resource variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128",
        assign_add_compute },
      { NULL },
    },
  },
  {
    .name = "AssignSubVariableOp",
    .inputs = "resource: resource; value: dtype",
    .attrs = "dtype: type",
    .summary = "Subtracts from a resource variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128",
        assign_sub_compute },
      { NULL },
    },
  },
  {
    .name = "AssignVariableOp",
    .inputs = "resource: resource; value: dtype",
    /* Later releases write attrs more, whose defaults are what 1.15 does. */
    .attrs = "dtype: type; validate_shape: bool = false",
    .summary = "Gives a resource variable a value",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = assign_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 quint8 qint32 resource variant",
        assign_compute },
      { NULL },
    },
  },
  {
    .name = "DestroyResourceOp",
    .inputs = "resource: resource",
    .attrs = "ignore_lookup_error: bool = true",
    .summary = "Ends a resource",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, destroy_compute }, { NULL } },
  },
  {
    .name = "DisableCopyOnRead",
    .inputs = "resource: resource",
    .summary = "Says that readers of a variable need no copy",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, disable_copy_compute }, { NULL } },
  },
  {
    .name = "ReadVariableOp",
    .inputs = "resource: resource",
    .outputs = "value: dtype",
    .attrs = "dtype: type",
    .summary = "The value of a resource variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = read_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, read_compute }, { NULL } },
  },
  {
    .name = "VarHandleOp",
    .outputs = "resource: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; debug_name: string = \"\"; dtype: type; "
             "shape: shape; allowed_devices: list(string) = []",
    .summary = "The handle of a resource variable",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = var_handle_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, var_handle_compute, var_handle_construct, tensor_destruct }, { NULL } },
  },
  {
    .name = "VarIsInitializedOp",
    .inputs = "resource: resource",
    .outputs = "is_initialized: bool",
    .summary = "Whether a resource variable has a value",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, var_is_initialized_compute }, { NULL } },
  },
  {
    .name = "VariableShape",
    .inputs = "input: resource",
    .outputs = "output: out_type",
    .attrs = "out_type: {int32, int64} = DT_INT32",
    .summary = "The shape of a resource variable's value",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_STATE,
    .infer = variable_shape_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: int32 int64", variable_shape_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (state_resource, ops)
