/* flow-kernel-evaluate.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-kernel-evaluate.h"

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

/* One call of an op: what it is given, and what around it its kernel may ask. */
typedef struct {
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  FlowTensor *const *inputs;
  guint n_inputs;
  const int *output_dtypes;
  FlowTensor **outputs;
  guint n_outputs;
} Call;

static gboolean
infer (const Call               *call,
       const FlowKernelContext  *c,
       GError                  **error)
{
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, call->n_inputs + 1);
  FlowInferContext context = {
    .node_name = c->node_name, .signature = call->signature, .attrs = call->attrs, .n_inputs = call->n_inputs,
    .input_shapes = shapes, .input_values = (FlowTensor **) call->inputs, .n_outputs = call->n_outputs,
    .output_shapes = c->output_shapes, .producer = c->producer, .running = TRUE,
  };

  for (guint i = 0; i < call->n_inputs; i++)
    shapes[i] = call->inputs[i]->shape;
  return call->signature->op->infer == NULL || call->signature->op->infer (&context, error);
}

static gboolean
compute (const Call           *call,
         const FlowKernelDef  *kernel,
         FlowKernelContext    *c,
         GError              **error)
{
  g_autofree int *input_dtypes = g_new0 (int, call->n_inputs + 1);
  FlowKernelConstruction construction = {
    .node_name = c->node_name, .signature = call->signature, .attrs = call->attrs, .n_inputs = call->n_inputs,
    .input_dtypes = input_dtypes, .n_outputs = call->n_outputs, .output_dtypes = call->output_dtypes,
  };
  gboolean done;

  for (guint i = 0; i < call->n_inputs; i++)
    input_dtypes[i] = (int) call->inputs[i]->dtype;
  if (kernel->construct != NULL && (c->kernel_data = kernel->construct (&construction, error)) == NULL)
    return FALSE;
  done = kernel->compute (c, error) && c->waiting_for == NULL;
  if (c->kernel_data != NULL && kernel->destruct != NULL)
    kernel->destruct (c->kernel_data);
  return done;
}

/* @c says where: its host, budget and graph; the rest of it is filled in here. */
static gboolean
run (const Call         *call,
     FlowKernelContext  *c,
     GError            **error)
{
  const FlowKernelDef *kernel = flow_op_find_kernel (call->signature, call->attrs, error);
  g_autofree FlowValue *values = g_new0 (FlowValue, call->n_inputs + 1);
  g_autofree FlowValue *results = g_new0 (FlowValue, call->n_outputs + 1);
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, call->n_outputs + 1);
  gboolean done;

  if (kernel == NULL)
    return FALSE;
  for (guint i = 0; i < call->n_inputs; i++)
    values[i].tensor = call->inputs[i];
  c->signature = call->signature;
  c->attrs = call->attrs;
  c->n_inputs = call->n_inputs;
  c->inputs = values;
  c->n_outputs = call->n_outputs;
  c->outputs = results;
  c->output_dtypes = call->output_dtypes;
  c->output_shapes = shapes;
  done = infer (call, c, error) && compute (call, kernel, c, error);
  for (guint i = 0; i < call->n_outputs; i++)
    {
      g_clear_pointer (&shapes[i], flow_shape_unref);
      g_clear_pointer (&results[i].ref, flow_resource_unref);
      done = done && results[i].tensor != NULL;
    }
  for (guint i = 0; i < call->n_outputs; i++)
    if (done)
      call->outputs[i] = results[i].tensor;
    else
      g_clear_pointer (&results[i].tensor, flow_tensor_unref);
  g_clear_pointer (&c->waiting_for, flow_resource_unref);
  g_free (c->waiting_text);
  return done;
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
  g_autoptr (FlowBudget) budget = flow_budget_new (FOLD_BUDGET_BYTES);
  const Call call = { signature, attrs, inputs, n_inputs, output_dtypes, outputs, n_outputs };
  FlowKernelContext context = { .node_name = node_name, .budget = budget, .host = &constants_host };

  return run (&call, &context, NULL);
}

FlowTensor *
_flow_kernel_apply (FlowKernelContext  *c,
                    const char         *type,
                    FlowTensor *const  *inputs,
                    guint               n_inputs,
                    GError            **error)
{
  FlowTensor *output = NULL;
  const Call call = { flow_op_registry_lookup (type), c->attrs, inputs, n_inputs, c->output_dtypes, &output, 1 };
  FlowKernelContext context = {
    .node_name = c->node_name, .budget = c->budget, .cancellable = c->cancellable, .host = c->host,
    .host_data = c->host_data, .producer = c->producer,
  };

  return run (&call, &context, error) ? output : NULL;
}
