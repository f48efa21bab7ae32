/* flow-kernels-data_flow_stack.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Stacks: what a loop keeps for its gradient.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-stack-private.h"
#include "flow-step-private.h"

/* What the two strings of an old handle begin with. */
#define FAMILY "_stacks"

static FlowStack *
lookup_stack (FlowKernelContext *c,
              GError           **error)
{
  return _flow_lookup_handle (c, 0, &_flow_stack_class, FAMILY,
                              "Stack handle must have two elements, but had shape: %s", error);
}

static gboolean
make_infer (FlowInferContext *c,
            GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

static gboolean
make_compute (FlowKernelContext *c,
              GError           **error)
{
  const char *given = flow_kernel_attr_string (c, "stack_name");
  g_autofree char *name = NULL;
  gint64 max_size = -1;
  FlowStack *stack;
  gboolean ok;

  if (c->n_inputs > 0)
    {
      FlowTensor *size = flow_kernel_input (c, 0);

      if (!flow_is_scalar (size))
        return _flow_refuse_shapes (error, size, NULL, "Stack size must be a scalar, but had shape: %s");
      max_size = FLOW_DATA (gint32, size)[0];
    }
  name = _flow_step_name (c, given != NULL && *given != '\0' ? given : flow_kernel_get_name (c), error);
  if (name == NULL)
    return FALSE;
  stack = _flow_stack_new (c->host->step_container (c->host_data), name,
                           flow_dtype_base (flow_kernel_attr_dtype (c, "elem_type")), max_size);
  ok = flow_kernel_publish (c, stack, error) &&
       _flow_put_handle (c, 0, &stack->parent, FAMILY, stack->dtype, NULL, error);
  flow_resource_unref (stack);
  return ok;
}

static gboolean
push_infer (FlowInferContext *c,
            GError          **error)
{
  flow_infer_set_output (c, 0, flow_infer_input (c, 1));
  return TRUE;
}

static gboolean
check_type (FlowStack *stack,
            int        dtype,
            GError   **error)
{
  if ((int) stack->dtype != dtype)
    return _flow_refuse (error, "Must have type %d but got %d", (int) stack->dtype, dtype);
  return TRUE;
}

static gboolean
check_open (FlowStack *stack,
            GError   **error)
{
  if (stack->closed)
    return _flow_refuse (error, "Stack[%s] has already been closed.", stack->parent.name);
  return TRUE;
}

static gboolean
push (FlowKernelContext *c,
      FlowStack         *stack,
      FlowTensor        *value,
      GError           **error)
{
  if (!check_type (stack, value->dtype, error) || !check_open (stack, error))
    return FALSE;
  if (stack->max_size >= 0 && stack->n >= stack->max_size)
    return _flow_refuse (error, "Stack[%s] overflowed its max_size (%" G_GINT64_FORMAT ")", stack->parent.name,
                         stack->max_size);
  flow_kernel_will_write (c, stack);
  _flow_stack_push (stack, value);
  flow_kernel_wrote (c, stack);
  flow_kernel_set_output (c, 0, value);
  return TRUE;
}

static gboolean
push_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowStack *stack = lookup_stack (c, error);
  gboolean ok;

  if (stack == NULL)
    return FALSE;
  ok = push (c, stack, flow_kernel_input (c, 1), error);
  flow_resource_unref (stack);
  return ok;
}

static gboolean
pop (FlowKernelContext *c,
     FlowStack         *stack,
     GError           **error)
{
  if (!check_open (stack, error))
    return FALSE;
  if (stack->n == 0)
    return _flow_refuse (error, "Stack[%s] is empty when calling Pop().", stack->parent.name);
  /* TF: the executor finds this, after the kernel. */
  FLOW_REQUIRE (stack->dtype == (FlowDType) flow_dtype_base (c->output_dtypes[0]), error, INTERNAL,
                "Output 0 of type %s does not match declared output type %s for node {{node %s}}",
                flow_dtype_string (stack->dtype), flow_dtype_string (c->output_dtypes[0]), c->node_name);
  flow_kernel_will_write (c, stack);
  flow_kernel_take_output (c, 0, _flow_stack_pop (stack));
  flow_kernel_wrote (c, stack);
  return TRUE;
}

static gboolean
pop_compute (FlowKernelContext *c,
             GError           **error)
{
  FlowStack *stack = lookup_stack (c, error);
  gboolean ok;

  if (stack == NULL)
    return FALSE;
  ok = pop (c, stack, error);
  flow_resource_unref (stack);
  return ok;
}

static gboolean
close_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowStack *stack = lookup_stack (c, error);

  if (stack == NULL)
    return FALSE;
  flow_kernel_will_write (c, stack);
  _flow_stack_close (stack);
  flow_kernel_wrote (c, stack);
  flow_resource_unref (stack);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "Stack",
    .outputs = "handle: Ref(string)",
    .attrs = "elem_type: type; stack_name: string = \"\"",
    .summary = "A stack that lives as long as the run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = make_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, make_compute }, { NULL } },
  },
  {
    .name = "StackClose",
    .inputs = "handle: Ref(string)",
    .summary = "Ends a stack",
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "StackCloseV2",
    .inputs = "handle: resource",
    .summary = "Ends a stack",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "StackPop",
    .inputs = "handle: Ref(string)",
    .outputs = "elem: elem_type",
    .attrs = "elem_type: type",
    .summary = "Takes the top tensor off a stack",
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, pop_compute }, { NULL } },
  },
  {
    .name = "StackPopV2",
    .inputs = "handle: resource",
    .outputs = "elem: elem_type",
    .attrs = "elem_type: type",
    .summary = "Takes the top tensor off a stack",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, pop_compute }, { NULL } },
  },
  {
    .name = "StackPush",
    .inputs = "handle: Ref(string); elem: T",
    .outputs = "output: T",
    .attrs = "T: type; swap_memory: bool = false",
    .summary = "Puts a tensor on a stack",
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = push_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, push_compute }, { NULL } },
  },
  {
    .name = "StackPushV2",
    .inputs = "handle: resource; elem: T",
    .outputs = "output: T",
    .attrs = "T: type; swap_memory: bool = false",
    .summary = "Puts a tensor on a stack",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = push_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, push_compute }, { NULL } },
  },
  {
    .name = "StackV2",
    .inputs = "max_size: int32",
    .outputs = "handle: resource",
    .attrs = "elem_type: type; stack_name: string = \"\"",
    .summary = "A stack that lives as long as the run",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = make_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, make_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (data_flow_stack, ops)
