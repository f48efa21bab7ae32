/* flow-kernel-evaluate.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-kernel-evaluate.h"

#include "flow-kernel.h"

/* Folding constants while a graph opens: nothing of it may be large. */
#define FOLD_BUDGET_BYTES (16 << 20)

/* A host that has nothing: a kernel that asks for state, files or people does not fold. */
static FlowResource *
refuse_lookup (gpointer                  data,
               const char               *container,
               const char               *name,
               const FlowResourceClass  *klass,
               GError                  **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Resource %s/%s/%s does not exist.", container, name, klass->type_name);
  return NULL;
}

static gboolean
refuse_publish (gpointer       data,
                FlowResource  *resource,
                GError       **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED, "constants keep no state");
  return FALSE;
}

static char *
refuse_path (gpointer         data,
             const char      *path,
             FlowPathAccess   access,
             GError         **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED, "opening a graph opens no other file");
  return NULL;
}

static const FlowKernelHost constants_host = {
  .lookup = refuse_lookup,
  .publish = refuse_publish,
  .remove = refuse_publish,
  .resolve_path = refuse_path,
};

static gboolean
infer_for (FlowInferContext *infer,
           GError          **error)
{
  return infer->signature->op->infer == NULL || infer->signature->op->infer (infer, error);
}

gboolean
_flow_kernel_evaluate (const FlowOpSignature *signature,
                       FlowAttrList          *attrs,
                       const char            *node_name,
                       FlowTensor *const     *inputs,
                       guint                  n_inputs,
                       const int             *output_dtypes,
                       FlowTensor           **outputs,
                       guint                  n_outputs)
{
  const FlowKernelDef *kernel = flow_op_find_kernel (signature, attrs, NULL);
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, n_inputs + 1);
  g_autofree FlowValue *values = g_new0 (FlowValue, n_inputs + 1);
  g_autofree FlowValue *results = g_new0 (FlowValue, n_outputs + 1);
  g_autofree FlowShape **output_shapes = g_new0 (FlowShape *, n_outputs + 1);
  g_autoptr (FlowBudget) budget = flow_budget_new (FOLD_BUDGET_BYTES);
  FlowKernelConstruction construction = {
    .node_name = node_name, .signature = signature, .attrs = attrs, .n_inputs = n_inputs,
    .n_outputs = n_outputs, .output_dtypes = output_dtypes,
  };
  g_autofree int *input_dtypes = g_new0 (int, n_inputs + 1);
  FlowInferContext infer = {
    .node_name = node_name, .signature = signature, .attrs = attrs, .n_inputs = n_inputs,
    .input_shapes = shapes, .input_values = (FlowTensor **) inputs, .n_outputs = n_outputs,
    .output_shapes = output_shapes, .running = TRUE,
  };
  FlowKernelContext context = {
    .node_name = node_name, .signature = signature, .attrs = attrs, .n_inputs = n_inputs,
    .inputs = values, .n_outputs = n_outputs, .outputs = results, .output_dtypes = output_dtypes,
    .output_shapes = output_shapes, .budget = budget, .host = &constants_host,
  };
  gpointer data = NULL;
  gboolean done = FALSE;

  if (kernel == NULL)
    return FALSE;
  for (guint i = 0; i < n_inputs; i++)
    {
      shapes[i] = inputs[i]->shape;
      values[i].tensor = inputs[i];
      input_dtypes[i] = (int) inputs[i]->dtype;
    }
  construction.input_dtypes = input_dtypes;
  if (infer_for (&infer, NULL)
      && (kernel->construct == NULL || (data = kernel->construct (&construction, NULL)) != NULL))
    {
      context.kernel_data = data;
      done = kernel->compute (&context, NULL) && context.waiting_for == NULL;
    }
  if (data != NULL && kernel->destruct != NULL)
    kernel->destruct (data);
  for (guint i = 0; i < n_outputs; i++)
    {
      g_clear_pointer (&output_shapes[i], flow_shape_unref);
      g_clear_pointer (&results[i].ref, flow_resource_unref);
      done = done && results[i].tensor != NULL;
    }
  for (guint i = 0; i < n_outputs; i++)
    if (done)
      outputs[i] = results[i].tensor;
    else
      g_clear_pointer (&results[i].tensor, flow_tensor_unref);
  g_clear_pointer (&context.waiting_for, flow_resource_unref);
  g_free (context.waiting_text);
  return done;
}
