/* flow-kernel.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-kernel.h"

#include "flow-util.h"

#include <errno.h>

/**
 * flow_kernel_has_input: (skip)
 * @c: a context
 * @i: which input
 *
 * Returns: whether it has a value: Merge is computed with one live input only
 */
gboolean
flow_kernel_has_input (FlowKernelContext *c,
                       guint              i)
{
  g_return_val_if_fail (i < c->n_inputs, FALSE);

  return c->inputs[i].tensor != NULL || c->inputs[i].ref != NULL;
}

/**
 * flow_kernel_input: (skip)
 * @c: a context
 * @i: which input
 *
 * Returns: (transfer none): its tensor; of a reference input the variable's value now, %NULL while
 *   that is not initialised
 */
FlowTensor *
flow_kernel_input (FlowKernelContext *c,
                   guint              i)
{
  g_return_val_if_fail (i < c->n_inputs, NULL);

  if (c->inputs[i].tensor != NULL)
    return c->inputs[i].tensor;
  return c->inputs[i].ref != NULL ? c->inputs[i].ref->value : NULL;
}

/**
 * flow_kernel_input_ref: (skip)
 * @c: a context
 * @i: which input, of a Ref() argument
 *
 * Returns: (transfer none): the variable it refers to
 */
FlowVariable *
flow_kernel_input_ref (FlowKernelContext *c,
                       guint              i)
{
  g_return_val_if_fail (i < c->n_inputs, NULL);

  return c->inputs[i].ref;
}

static FlowAttr *
attr_or_default (FlowAttrList          *attrs,
                 const FlowOpSignature *signature,
                 const char            *name)
{
  FlowAttr *value = flow_attr_list_get (attrs, name);

  if (value == NULL)
    {
      FlowAttrDef *def = flow_op_signature_find_attr (signature, name);

      value = def != NULL ? def->default_value : NULL;
    }
  return value;
}

/**
 * flow_kernel_attr: (skip)
 * @c: a context
 * @name: an attr's name
 *
 * Returns: (transfer none) (nullable): its value, or the definition's default
 */
FlowAttr *
flow_kernel_attr (FlowKernelContext *c,
                  const char        *name)
{
  return attr_or_default (c->attrs, c->signature, name);
}

/**
 * flow_construction_attr: (skip)
 * @c: a construction
 * @name: an attr's name
 *
 * Returns: (transfer none) (nullable): its value, or the definition's default
 */
FlowAttr *
flow_construction_attr (FlowKernelConstruction *c,
                        const char             *name)
{
  return attr_or_default (c->attrs, c->signature, name);
}

/**
 * flow_kernel_attr_int: (skip)
 * @c: a context
 * @name: an int attr
 *
 * Returns: its value, 0 where there is none
 */
gint64
flow_kernel_attr_int (FlowKernelContext *c,
                      const char        *name)
{
  FlowAttr *value = flow_kernel_attr (c, name);

  return value != NULL ? flow_attr_get_int (value) : 0;
}

/* 1.15 writes 134 and 2.15 1645. Eigen's functions changed somewhere between. */
#define FIRST_PRODUCER_OF_2 500

/**
 * flow_kernel_release: (skip)
 * @c: a context
 *
 * Returns: which TensorFlow wrote the graph, and so computed the values that people compare
 */
FlowRelease
flow_kernel_release (const FlowKernelContext *c)
{
  return c->producer >= FIRST_PRODUCER_OF_2 ? FLOW_RELEASE_2 : FLOW_RELEASE_1;
}

/**
 * flow_kernel_attr_float: (skip)
 * @c: a context
 * @name: a float attr
 *
 * Returns: its value, 0 where there is none
 */
float
flow_kernel_attr_float (FlowKernelContext *c,
                        const char        *name)
{
  FlowAttr *value = flow_kernel_attr (c, name);

  return value != NULL ? flow_attr_get_float (value) : 0.0f;
}

/**
 * flow_kernel_attr_bool: (skip)
 * @c: a context
 * @name: a bool attr
 *
 * Returns: its value, %FALSE where there is none
 */
gboolean
flow_kernel_attr_bool (FlowKernelContext *c,
                       const char        *name)
{
  FlowAttr *value = flow_kernel_attr (c, name);

  return value != NULL && flow_attr_get_bool (value);
}

/**
 * flow_kernel_attr_dtype: (skip)
 * @c: a context
 * @name: a type attr
 *
 * Returns: its value, %FLOW_DTYPE_INVALID where there is none
 */
int
flow_kernel_attr_dtype (FlowKernelContext *c,
                        const char        *name)
{
  FlowAttr *value = flow_kernel_attr (c, name);

  return value != NULL ? flow_attr_get_dtype (value) : FLOW_DTYPE_INVALID;
}

/**
 * flow_kernel_attr_string: (skip)
 * @c: a context
 * @name: a string attr
 *
 * Returns: (transfer none): its value, empty where there is none
 */
const char *
flow_kernel_attr_string (FlowKernelContext *c,
                         const char        *name)
{
  FlowAttr *value = flow_kernel_attr (c, name);

  return value != NULL ? flow_attr_get_string (value, NULL) : "";
}

static void
clear_output (FlowKernelContext *c,
              guint              i)
{
  g_clear_pointer (&c->outputs[i].tensor, flow_tensor_unref);
  g_clear_pointer (&c->outputs[i].ref, flow_resource_unref);
}

/**
 * flow_kernel_take_output: (skip)
 * @c: a context
 * @i: which output
 * @tensor: (transfer full): its value, of the node's dtype
 */
void
flow_kernel_take_output (FlowKernelContext *c,
                         guint              i,
                         FlowTensor        *tensor)
{
  g_return_if_fail (i < c->n_outputs && tensor != NULL);

  clear_output (c, i);
  c->outputs[i].tensor = tensor;
}

/**
 * flow_kernel_set_output: (skip)
 * @c: a context
 * @i: which output
 * @tensor: its value, of the node's dtype
 */
void
flow_kernel_set_output (FlowKernelContext *c,
                        guint              i,
                        const FlowTensor  *tensor)
{
  flow_kernel_take_output (c, i, flow_tensor_ref (tensor));
}

/**
 * flow_kernel_set_output_ref: (skip)
 * @c: a context
 * @i: which output, of a Ref() argument
 * @variable: what it refers to
 */
void
flow_kernel_set_output_ref (FlowKernelContext *c,
                            guint              i,
                            FlowVariable      *variable)
{
  g_return_if_fail (i < c->n_outputs && variable != NULL);

  flow_resource_ref (variable);
  clear_output (c, i);
  c->outputs[i].ref = variable;
}

/**
 * flow_kernel_allocate: (skip)
 * @c: a context
 * @i: which output
 * @shape: a fully known shape
 * @error: where to put an error
 *
 * Returns: (transfer none): a tensor of the output's dtype, already set as that output, to be
 *   written; %NULL with %FLOW_ERROR_RESOURCE_EXHAUSTED or %FLOW_ERROR_INVALID_ARGUMENT
 */
FlowTensor *
flow_kernel_allocate (FlowKernelContext *c,
                      guint              i,
                      const FlowShape   *shape,
                      GError           **error)
{
  FlowTensor *tensor;

  g_return_val_if_fail (i < c->n_outputs, NULL);

  tensor = flow_tensor_new (flow_dtype_base (c->output_dtypes[i]), shape, c->budget, error);
  if (tensor != NULL)
    flow_kernel_take_output (c, i, tensor);
  return tensor;
}

/**
 * flow_kernel_allocate_inferred: (skip)
 * @c: a context
 * @i: which output, whose shape the shape function found
 * @error: where to put an error
 *
 * Returns: (transfer none): as flow_kernel_allocate()
 */
FlowTensor *
flow_kernel_allocate_inferred (FlowKernelContext *c,
                               guint              i,
                               GError           **error)
{
  g_return_val_if_fail (i < c->n_outputs, NULL);

  if (c->output_shapes == NULL || c->output_shapes[i] == NULL || !flow_shape_is_known (c->output_shapes[i]))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the shape of output %u of %s is not known", i, flow_kernel_get_name (c));
      return NULL;
    }
  return flow_kernel_allocate (c, i, c->output_shapes[i], error);
}

/**
 * flow_kernel_forward_or_allocate: (skip)
 * @c: a context
 * @input: an input whose elements are each read before the output's of the same index is written
 * @output: which output
 * @shape: a fully known shape
 * @error: where to put an error
 *
 * Returns: (transfer none): a tensor to be written, set as the output: the input itself where nobody
 *   else needs it, else a new one as from flow_kernel_allocate()
 */
FlowTensor *
flow_kernel_forward_or_allocate (FlowKernelContext *c,
                                 guint              input,
                                 guint              output,
                                 const FlowShape   *shape,
                                 GError           **error)
{
  FlowTensor *tensor;

  g_return_val_if_fail (input < c->n_inputs && output < c->n_outputs, NULL);

  tensor = c->inputs[input].tensor;
  if (c->input_forwardable != NULL && c->input_forwardable[input] && tensor != NULL
      && tensor->dtype == flow_dtype_base (c->output_dtypes[output])
      && flow_shape_equal (tensor->shape, shape) && flow_tensor_is_exclusive (tensor))
    {
      flow_kernel_set_output (c, output, tensor);
      return tensor;
    }
  return flow_kernel_allocate (c, output, shape, error);
}

/**
 * flow_kernel_allocate_temp: (skip)
 * @c: a context
 * @dtype: a base dtype
 * @shape: a fully known shape
 * @error: where to put an error
 *
 * Returns: (transfer full): memory for the time of the computation, counted against the budget
 */
FlowTensor *
flow_kernel_allocate_temp (FlowKernelContext *c,
                           FlowDType          dtype,
                           const FlowShape   *shape,
                           GError           **error)
{
  return flow_tensor_new (dtype, shape, c->budget, error);
}

/**
 * flow_kernel_lookup: (skip)
 * @c: a context
 * @container: a container, empty for what belongs to nodes
 * @name: a resource's name
 * @klass: its class
 * @error: where to put an error
 *
 * Returns: (transfer full): the resource; %NULL with %FLOW_ERROR_NOT_FOUND in TensorFlow's words
 */
gpointer
flow_kernel_lookup (FlowKernelContext        *c,
                    const char               *container,
                    const char               *name,
                    const FlowResourceClass  *klass,
                    GError                  **error)
{
  return c->host->lookup (c->host_data, container, name, klass, error);
}

/**
 * flow_kernel_lookup_handle: (skip)
 * @c: a context
 * @i: an input of dtype resource
 * @klass: the class its resource must have
 * @error: where to put an error
 *
 * Returns: (transfer full): the resource that the handle names; %NULL with %FLOW_ERROR_NOT_FOUND, or
 *   %FLOW_ERROR_INVALID_ARGUMENT when the input is no handle of that type
 */
gpointer
flow_kernel_lookup_handle (FlowKernelContext        *c,
                           guint                     i,
                           const FlowResourceClass  *klass,
                           GError                  **error)
{
  FlowTensor *tensor = flow_kernel_input (c, i);
  const FlowHandle *handle;

  if (tensor == NULL || tensor->dtype != FLOW_DTYPE_RESOURCE || tensor->n_elements != 1
      || FLOW_DATA (FlowHandle *, tensor)[0] == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Input %u of %s must be a resource handle",
                   i, flow_kernel_get_name (c));
      return NULL;
    }
  handle = FLOW_DATA (FlowHandle *, tensor)[0];
  if (g_strcmp0 (handle->type_name, klass->type_name) != 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Trying to access resource using the wrong type. Expected %s got %s",
                   handle->type_name, klass->type_name);
      return NULL;
    }
  return c->host->lookup (c->host_data, handle->container, handle->name, klass, error);
}

/**
 * flow_kernel_publish: (skip)
 * @c: a context
 * @resource: a new resource; the session takes a reference of its own
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_ALREADY_EXISTS when its name is taken in its container
 */
gboolean
flow_kernel_publish (FlowKernelContext  *c,
                     gpointer            resource,
                     GError            **error)
{
  return c->host->publish (c->host_data, resource, error);
}

/**
 * flow_kernel_remove: (skip)
 * @c: a context
 * @resource: a resource that is published
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_NOT_FOUND when the session does not have it
 */
gboolean
flow_kernel_remove (FlowKernelContext  *c,
                    gpointer            resource,
                    GError            **error)
{
  return c->host->remove (c->host_data, resource, error);
}

/**
 * flow_kernel_will_write: (skip)
 * @c: a context
 * @resource: what is about to change; nothing can fail any more
 *
 * Lets the host save the state for undo. Must come before the first write of each execution.
 */
void
flow_kernel_will_write (FlowKernelContext *c,
                        gpointer           resource)
{
  if (c->host->will_write != NULL)
    c->host->will_write (c->host_data, resource);
}

/**
 * flow_kernel_wrote: (skip)
 * @c: a context
 * @resource: what has changed
 *
 * Raises its version: views look again, and what waits for it is tried again.
 */
void
flow_kernel_wrote (FlowKernelContext *c,
                   gpointer           resource)
{
  FlowResource *self = resource;

  self->version++;
  if (c->host->wrote != NULL)
    c->host->wrote (c->host_data, resource);
}

/**
 * flow_kernel_get_name: (skip)
 * @c: a context
 *
 * Returns: (transfer none): the node's name in the graph or function that it stands in, as messages have it
 */
const char *
flow_kernel_get_name (const FlowKernelContext *c)
{
  return c->local_name != NULL ? c->local_name : c->node_name;
}

/**
 * flow_kernel_node_state: (skip)
 * @c: a context
 * @klass: class of the state
 * @make: makes it at the node's first execution in the session, in container "" under the node's name
 * @error: where to put an error
 *
 * Returns: (transfer full): what this node keeps between executions: a random generator, a private
 *   queue; %NULL with the error of @make
 */
gpointer
flow_kernel_node_state (FlowKernelContext        *c,
                        const FlowResourceClass  *klass,
                        gpointer                (*make) (FlowKernelContext *c, GError **error),
                        GError                  **error)
{
  gpointer resource = c->host->lookup (c->host_data, "", c->node_name, klass, NULL);

  if (resource != NULL)
    return resource;
  resource = make (c, error);
  if (resource != NULL && !c->host->publish (c->host_data, resource, error))
    g_clear_pointer (&resource, flow_resource_unref);
  return resource;
}

/**
 * flow_kernel_call_function: (skip)
 * @c: a context
 * @func: an attr of kind func: a function of the graph's library, and the attrs to make it with
 * @inputs: (array length=n_inputs): its arguments in order, captured ones where the function has them
 * @n_inputs: how many
 * @outputs: (out caller-allocates) (array length=n_outputs): room for what it returns; new references
 * @n_outputs: how many values it returns
 * @error: where to put an error
 *
 * Executes the function's body from its first op to its last before it returns. It is part of this op: it is
 * not stepped into, what it writes is undone with the op, and cancelling the run ends it. An op in it that
 * has to wait is an error, because nothing else executes meanwhile.
 *
 * Returns: %FALSE with %FLOW_ERROR_NOT_FOUND "Function f is not defined.", %FLOW_ERROR_INVALID_ARGUMENT when
 *   arguments or results do not fit, %FLOW_ERROR_RESOURCE_EXHAUSTED when functions call one another without
 *   end, or the error of the op that failed, whose node it names
 */
gboolean
flow_kernel_call_function (FlowKernelContext  *c,
                           const FlowAttr     *func,
                           FlowTensor *const  *inputs,
                           guint               n_inputs,
                           FlowTensor        **outputs,
                           guint               n_outputs,
                           GError            **error)
{
  return c->host->call_function (c->host_data, flow_attr_get_func_name (func), flow_attr_get_func_attrs (func),
                                 FLOW_CALL_ON_ONE_DEVICE, inputs, n_inputs, outputs, n_outputs, error);
}

/**
 * flow_kernel_has_function: (skip)
 * @c: a context
 * @func: an attr of kind func
 *
 * Returns: whether the library has the function that @func names; %TRUE where nobody knows
 */
gboolean
flow_kernel_has_function (FlowKernelContext *c,
                          const FlowAttr    *func)
{
  return c->host->has_function == NULL || c->host->has_function (c->host_data, flow_attr_get_func_name (func));
}

/**
 * flow_kernel_count_returns: (skip)
 * @c: a context
 * @func: an attr of kind func
 * @n: (out): how many values the function that @func names returns
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_NOT_FOUND "Function f is not defined." where the library does not have it
 */
gboolean
flow_kernel_count_returns (FlowKernelContext  *c,
                           const FlowAttr     *func,
                           guint              *n,
                           GError            **error)
{
  const char *name = flow_attr_get_func_name (func);
  int count = c->host->count_returns != NULL ? c->host->count_returns (c->host_data, name) : -1;

  FLOW_REQUIRE (count >= 0, error, NOT_FOUND, "Function %s is not defined.", name);
  *n = (guint) count;
  return TRUE;
}

/**
 * flow_kernel_wait: (skip)
 * @c: a context
 * @resource: what must change before the op can go on
 * @format: what a person reads: "waiting for queue q: 0 of 3 elements"
 * @...: for @format
 *
 * The op is parked and computed again, from its beginning, after @resource was written. Nothing may
 * have been written before.
 *
 * Returns: %TRUE, to be returned by compute
 */
gboolean
flow_kernel_wait (FlowKernelContext *c,
                  gpointer           resource,
                  const char        *format,
                  ...)
{
  va_list args;

  g_clear_pointer (&c->waiting_for, flow_resource_unref);
  g_clear_pointer (&c->waiting_text, g_free);
  c->waiting_for = flow_resource_ref (resource);
  va_start (args, format);
  c->waiting_text = g_strdup_vprintf (format, args);
  va_end (args);
  return TRUE;
}

/**
 * flow_kernel_find_file: (skip)
 * @c: the context of the op that runs
 * @name: a file as the graph names it
 * @access: what will be done with it
 * @error: where to put an error
 *
 * Names are relative to the folder of the session. An empty one is no file, as for the system, though what
 * it would be resolved to is the folder itself.
 *
 * Returns: (transfer full) (nullable): where that file lies; %NULL with %FLOW_ERROR_NOT_FOUND for an empty name
 *   and %FLOW_ERROR_PERMISSION_DENIED for one that the graph may not touch
 */
char *
flow_kernel_find_file (FlowKernelContext *c,
                       const char        *name,
                       FlowPathAccess     access,
                       GError           **error)
{
  g_return_val_if_fail (name != NULL, NULL);

  if (*name != '\0')
    return c->host->resolve_path (c->host_data, name, access, error);
  flow_error_set_from_errno (error, ENOENT, name);
  return NULL;
}

/**
 * flow_kernel_is_cancelled: (skip)
 * @c: a context
 *
 * Returns: whether the run is being stopped; long loops look once per outer row
 */
gboolean
flow_kernel_is_cancelled (FlowKernelContext *c)
{
  return c->cancellable != NULL && g_cancellable_is_cancelled (c->cancellable);
}

/* TF: multiplies from the first dimension on, and where that overflows names a shape that has the
 * dimension it came to in every place. */
static void
refuse_overflow (const FlowShape  *shape,
                 GError          **error)
{
  g_autoptr (FlowShape) named = flow_shape_new_of_rank (flow_shape_get_rank (shape));
  g_autofree char *text = NULL;
  gint64 product = 1;
  gint64 at = 0;

  for (int i = 0; i < shape->rank; i++)
    {
      at = shape->dims[i];
      if (__builtin_mul_overflow (product, at, &product))
        break;
    }
  for (int i = 0; i < shape->rank; i++)
    named->dims[i] = at;
  text = flow_shape_to_string (named);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Shape %s would have more than 2**63 - 1 elements", text);
}

/**
 * flow_kernel_shape_from_tensor: (skip)
 * @tensor: a vector of int32 or int64
 * @error: where to put an error
 *
 * The one place where values become a shape.
 *
 * Returns: (transfer full): the fully known shape it spells; %NULL with
 *   %FLOW_ERROR_INVALID_ARGUMENT when it is no vector, has a negative entry, too many of them, or
 *   more elements than can be counted
 */
FlowShape *
flow_kernel_shape_from_tensor (const FlowTensor  *tensor,
                               GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  gint64 n;

  if (FLOW_RANK (tensor) != 1)
    {
      g_autofree char *text = flow_shape_to_string (tensor->shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "shape must be a vector of {int32,int64}, got shape %s", text);
      return NULL;
    }
  if (tensor->dtype != FLOW_DTYPE_INT32 && tensor->dtype != FLOW_DTYPE_INT64)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "shape must be a vector of {int32,int64}.");
      return NULL;
    }
  if (tensor->n_elements > FLOW_SHAPE_MAX_RANK)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Shape has too many dimensions: %" G_GINT64_FORMAT, tensor->n_elements);
      return NULL;
    }
  shape = flow_shape_new_of_rank ((int) tensor->n_elements);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      shape->dims[i] = flow_tensor_get_int (tensor, i);
      if (shape->dims[i] < 0)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "Dimension %" G_GINT64_FORMAT " must be >= 0", shape->dims[i]);
          return NULL;
        }
    }
  if (!flow_shape_n_elements (shape, &n))
    return refuse_overflow (shape, error), NULL;
  return g_steal_pointer (&shape);
}
