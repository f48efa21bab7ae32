/* flow-kernels-const.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants and placeholders.
 */

#include "config.h"

#include "flow-array-private.h"

/* The last GraphDef version whose writers said "unknown" of a placeholder by the shape of a scalar. */
#define LAST_PRODUCER_OF_SCALAR_AS_UNKNOWN 21

static gboolean
const_infer (FlowInferContext *c,
             GError          **error)
{
  FlowShape *shape = flow_attr_get_shape (flow_infer_attr (c, "value"));

  if (shape == NULL)
    return flow_infer_unknown_shape (c, error);
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

static gpointer
const_construct (FlowKernelConstruction *c,
                 GError                **error)
{
  g_autoptr (FlowTensor) tensor = NULL;
  int dtype = flow_attr_get_dtype (flow_construction_attr (c, "dtype"));

  tensor = flow_attr_dup_tensor (flow_construction_attr (c, "value"), error);
  if (tensor == NULL)
    return NULL;
  if (tensor->dtype != flow_dtype_base (dtype))
    {
      _flow_refuse (error, "Type mismatch between value (%s) and dtype (%s)",
                    flow_dtype_string (tensor->dtype), flow_dtype_string (dtype));
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

static void
tensor_destruct (gpointer data)
{
  flow_tensor_unref (data);
}

static gboolean
const_compute (FlowKernelContext *c,
               GError           **error)
{
  flow_kernel_set_output (c, 0, flow_kernel_data (c));
  return TRUE;
}

static gboolean
placeholder_infer (FlowInferContext *c,
                   GError          **error)
{
  FlowShape *shape = flow_infer_attr_shape (c, "shape");

  /* TF: a graph that tells no version was written by the oldest. */
  if (shape == NULL || (c->producer <= LAST_PRODUCER_OF_SCALAR_AS_UNKNOWN && shape->rank == 0))
    return flow_infer_unknown_shape (c, error);
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

/* A placeholder is computed only where nothing was fed. */
static gboolean
placeholder_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowAttr *attr = flow_kernel_attr (c, "shape");
  FlowShape *shape = attr != NULL ? flow_attr_get_shape (attr) : NULL;
  const char *dtype = flow_dtype_string (c->output_dtypes[0]);

  if (shape != NULL && flow_shape_get_rank (shape) > 0)
    {
      g_autofree char *text = flow_shape_to_string (shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "You must feed a value for placeholder tensor '%s' with dtype %s and shape %s",
                   c->node_name, dtype, text);
    }
  else
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "You must feed a value for placeholder tensor '%s' with dtype %s",
                   c->node_name, dtype);
    }
  return FALSE;
}

/* TF: the declared shape stands even where the default's is better known: something else may be fed. A default that
 * has another shape after all passes when it runs. */
static gboolean
placeholder_with_default_infer (FlowInferContext *c,
                                GError          **error)
{
  FlowShape *shape = flow_infer_attr_shape (c, "shape");
  g_autoptr (FlowShape) merged = NULL;

  if (c->running)
    {
      flow_infer_set_output (c, 0, flow_infer_input (c, 0));
      return TRUE;
    }
  if (!flow_infer_merge (c, flow_infer_input (c, 0), shape, &merged, error))
    return FALSE;
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

static gboolean
placeholder_with_default_compute (FlowKernelContext *c,
                                  GError           **error)
{
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "Const",
    .outputs = "output: dtype",
    .attrs = "value: tensor; dtype: type",
    .summary = "A constant",
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = const_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, const_compute, const_construct, tensor_destruct }, { NULL } },
  },
  {
    .name = "HostConst",
    .outputs = "output: dtype",
    .attrs = "value: tensor; dtype: type",
    .summary = "A constant that an optimizer keeps beside a device",
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = const_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, const_compute, const_construct, tensor_destruct }, { NULL } },
  },
  {
    .name = "Placeholder",
    .outputs = "output: dtype",
    .attrs = "dtype: type; shape: shape = { unknown_rank: true }",
    .summary = "A value that the run must feed",
    .flags = FLOW_OP_PLACEHOLDER,
    .family = FLOW_OP_FAMILY_IO,
    .infer = placeholder_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, placeholder_compute }, { NULL } },
  },
  {
    .name = "PlaceholderV2",
    .outputs = "output: dtype",
    .attrs = "dtype: type; shape: shape",
    .summary = "A value that the run must feed",
    .flags = FLOW_OP_PLACEHOLDER,
    .family = FLOW_OP_FAMILY_IO,
    .infer = placeholder_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, placeholder_compute }, { NULL } },
  },
  {
    .name = "PlaceholderWithDefault",
    .inputs = "input: dtype",
    .outputs = "output: dtype",
    .attrs = "dtype: type; shape: shape",
    .summary = "A value that the run may feed",
    .family = FLOW_OP_FAMILY_IO,
    .infer = placeholder_with_default_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, placeholder_with_default_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (const, ops)
