/* flow-script-call.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-call-private.h"

/**
 * FlowScriptCall:
 *
 * One call of a function that only the script has which made the graph: what PyFunc asks of whoever
 * has that script's interpreter. Inputs go in, outputs are added in order, or the call fails.
 */
struct _FlowScriptCall
{
  GObject parent_instance;

  char *token;
  char *node_name;
  char *op_type;
  GPtrArray *inputs;           /* of FlowTensor */
  GPtrArray *outputs;          /* of FlowTensor */
  int *output_dtypes;
  int n_outputs;
  GError *failure;
};

G_DEFINE_FINAL_TYPE (FlowScriptCall, flow_script_call, G_TYPE_OBJECT)

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

static void
flow_script_call_finalize (GObject *object)
{
  FlowScriptCall *self = FLOW_SCRIPT_CALL (object);

  g_free (self->token);
  g_free (self->node_name);
  g_free (self->op_type);
  g_free (self->output_dtypes);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_clear_error (&self->failure);
  G_OBJECT_CLASS (flow_script_call_parent_class)->finalize (object);
}

static void
flow_script_call_class_init (FlowScriptCallClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_script_call_finalize;
}

static void
flow_script_call_init (FlowScriptCall *self)
{
  self->inputs = g_ptr_array_new_with_free_func (unref_tensor);
  self->outputs = g_ptr_array_new_with_free_func (unref_tensor);
}

FlowScriptCall *
_flow_script_call_new (FlowKernelContext *c,
                       const char        *token)
{
  FlowScriptCall *self = g_object_new (FLOW_TYPE_SCRIPT_CALL, NULL);

  self->token = g_strdup (token);
  self->node_name = g_strdup (c->node_name);
  self->op_type = g_strdup (c->signature->name);
  for (guint i = 0; i < c->n_inputs; i++)
    g_ptr_array_add (self->inputs, flow_tensor_ref (flow_kernel_input (c, i)));
  self->n_outputs = (int) c->n_outputs;
  self->output_dtypes = g_new (int, c->n_outputs + 1);
  for (guint i = 0; i < c->n_outputs; i++)
    self->output_dtypes[i] = flow_dtype_base (c->output_dtypes[i]);
  return self;
}

GPtrArray *
_flow_script_call_take_outputs (FlowScriptCall  *self,
                                GError         **error)
{
  if (self->failure == NULL)
    return g_ptr_array_ref (self->outputs);
  g_propagate_error (error, g_steal_pointer (&self->failure));
  return NULL;
}

/**
 * flow_script_call_get_token:
 * @self: a call
 *
 * Returns: (transfer none): by what name the script registered the function
 */
const char *
flow_script_call_get_token (FlowScriptCall *self)
{
  g_return_val_if_fail (FLOW_IS_SCRIPT_CALL (self), NULL);

  return self->token;
}

/**
 * flow_script_call_get_node_name:
 * @self: a call
 *
 * Returns: (transfer none): the node that calls
 */
const char *
flow_script_call_get_node_name (FlowScriptCall *self)
{
  g_return_val_if_fail (FLOW_IS_SCRIPT_CALL (self), NULL);

  return self->node_name;
}

/**
 * flow_script_call_get_op_type:
 * @self: a call
 *
 * Returns: (transfer none): `PyFunc`, `PyFuncStateless` or `EagerPyFunc`
 */
const char *
flow_script_call_get_op_type (FlowScriptCall *self)
{
  g_return_val_if_fail (FLOW_IS_SCRIPT_CALL (self), NULL);

  return self->op_type;
}

/**
 * flow_script_call_dup_inputs:
 * @self: a call
 *
 * Returns: (transfer container) (element-type FlowTensor): the arguments, in order
 */
GPtrArray *
flow_script_call_dup_inputs (FlowScriptCall *self)
{
  GPtrArray *inputs;

  g_return_val_if_fail (FLOW_IS_SCRIPT_CALL (self), NULL);

  /* The array is the caller's own: bindings empty what they are given. */
  inputs = g_ptr_array_new_with_free_func (unref_tensor);
  for (guint i = 0; i < self->inputs->len; i++)
    g_ptr_array_add (inputs, flow_tensor_ref (self->inputs->pdata[i]));
  return inputs;
}

/**
 * flow_script_call_get_n_outputs:
 * @self: a call
 *
 * Returns: how many values the node declares
 */
int
flow_script_call_get_n_outputs (FlowScriptCall *self)
{
  g_return_val_if_fail (FLOW_IS_SCRIPT_CALL (self), 0);

  return self->n_outputs;
}

/**
 * flow_script_call_get_output_dtype:
 * @self: a call
 * @i: an output, below flow_script_call_get_n_outputs()
 *
 * Returns: the dtype that the node declares for it, a #FlowDType
 */
int
flow_script_call_get_output_dtype (FlowScriptCall *self,
                                   int             i)
{
  g_return_val_if_fail (FLOW_IS_SCRIPT_CALL (self), FLOW_DTYPE_INVALID);
  g_return_val_if_fail (i >= 0 && i < self->n_outputs, FLOW_DTYPE_INVALID);

  return self->output_dtypes[i];
}

/**
 * flow_script_call_add_output:
 * @self: a call
 * @tensor: the next value that the function returned
 *
 * The op compares number and dtypes with what the node declares, in TensorFlow's words.
 */
void
flow_script_call_add_output (FlowScriptCall *self,
                             FlowTensor     *tensor)
{
  g_return_if_fail (FLOW_IS_SCRIPT_CALL (self));
  g_return_if_fail (tensor != NULL);

  g_ptr_array_add (self->outputs, flow_tensor_ref (tensor));
}

/**
 * flow_script_call_fail:
 * @self: a call
 * @code: TensorFlow's status code, a #FlowErrorCode: INVALID_ARGUMENT for ValueError and TypeError,
 *   OUT_OF_RANGE for StopIteration, RESOURCE_EXHAUSTED for MemoryError, UNIMPLEMENTED for
 *   NotImplementedError, UNKNOWN for others
 * @message: what went wrong, as `ValueError: text` and the traceback
 *
 * The function raised.
 */
void
flow_script_call_fail (FlowScriptCall *self,
                       int             code,
                       const char     *message)
{
  g_return_if_fail (FLOW_IS_SCRIPT_CALL (self));
  g_return_if_fail (message != NULL);

  g_clear_error (&self->failure);
  self->failure = g_error_new_literal (FLOW_ERROR, code > 0 ? code : FLOW_ERROR_UNKNOWN, message);
}
