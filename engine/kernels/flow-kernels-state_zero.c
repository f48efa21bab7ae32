/* flow-kernels-state_zero.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables whose first value is zero, made without a tensor beside them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-state-private.h"

static gboolean
put_zeros (FlowKernelContext  *c,
           FlowVariable       *variable,
           const FlowShape    *shape,
           GError            **error)
{
  FlowTensor *zeros;

  FLOW_REQUIRE (variable->value == NULL, error, INVALID_ARGUMENT, "input is already initialized");
  zeros = flow_tensor_new_zeros (variable->dtype, shape, c->budget, error);
  if (zeros == NULL)
    return FALSE;
  flow_kernel_will_write (c, variable);
  flow_variable_take_value (variable, zeros);
  flow_kernel_wrote (c, variable);
  return TRUE;
}

static gboolean
ref_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowVariable *variable = flow_kernel_input_ref (c, 0);
  gint64 n;
  /* TF: a variable of unknown shape is a scalar until it is assigned to. */
  g_autoptr (FlowShape) shape = flow_shape_n_elements (variable->shape, &n) ? flow_shape_ref (variable->shape)
                                                                            : flow_shape_new_scalar ();

  if (!put_zeros (c, variable, shape, error))
    return FALSE;
  flow_kernel_set_output_ref (c, 0, variable);
  return TRUE;
}

static gboolean
resource_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowShape *shape = flow_attr_get_shape (flow_kernel_attr (c, "shape"));
  const FlowDType dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "dtype"));
  FlowVariable *variable;
  gboolean ok;
  gint64 n;

  FLOW_REQUIRE (flow_shape_n_elements (shape, &n), error, INVALID_ARGUMENT, "The shape of zeros must be fully known");
  variable = _flow_find_or_make_variable (c, dtype, error);
  if (variable == NULL)
    return FALSE;
  ok = variable->dtype == dtype
       || _flow_refuse (error, "Trying to access resource using the wrong type. Expected %s got %s",
                        flow_dtype_string (variable->dtype), flow_dtype_string (dtype));
  ok = ok && put_zeros (c, variable, shape, error);
  flow_resource_unref (variable);
  if (ok)
    flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return ok;
}

/* The handle goes on with what is known of its variable now. */
static gboolean
resource_infer (FlowInferContext  *c,
                GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_set_handle (c, 0, flow_infer_attr_dtype (c, "dtype"), flow_infer_attr_shape (c, "shape"));
  return TRUE;
}

#define REAL "float double int64 int32 uint16 int16 uint8 int8 half bfloat16"

static const FlowOpDef ops[] = {
  { .name = "ZeroInitializer", .inputs = "ref: Ref(T)", .outputs = "output_ref: Ref(T)",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
    .summary = "Gives a variable zeros for its first value", .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { "T: " REAL, ref_compute }, { NULL } } },
  { .name = "ZeroVarInitializer", .inputs = "var: resource", .outputs = "output_var: resource",
    .attrs = "dtype: type; shape: shape", .summary = "Gives a resource variable zeros for its first value",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_ALLOWS_UNINITIALIZED, .family = FLOW_OP_FAMILY_STATE, .infer = resource_infer,
    .kernels = (const FlowKernelDef[]) { { "dtype: " REAL, resource_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (state_zero, ops)
