/* flow-tensor-array-ops-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the two families of ops on tensor arrays share.
 */

#pragma once

#include "flow-array-private.h"
#include "flow-step-private.h"
#include "flow-tensor-array-private.h"

G_BEGIN_DECLS

/* What the two strings of an old handle begin with. */
#define TENSOR_ARRAY_FAMILY "_tensor_arrays"

static inline FlowTensorArray *
lookup_array (FlowKernelContext *c,
              GError           **error)
{
  return _flow_lookup_handle (c, 0, &_flow_tensor_array_class, TENSOR_ARRAY_FAMILY,
                              "Tensor array handle must be 2-element vector, but had shape: %s", error);
}

static inline gboolean
check_requested (FlowTensorArray   *array,
                 FlowKernelContext *c,
                 GError           **error)
{
  int dtype = flow_dtype_base (c->output_dtypes[0]);

  if ((int) array->dtype != dtype)
    return _flow_refuse (error, "TensorArray dtype is %s but Op requested dtype %s.",
                         flow_dtype_string (array->dtype), flow_dtype_string (dtype));
  return TRUE;
}

static inline gboolean
check_written (FlowTensorArray  *array,
               const FlowTensor *value,
               GError          **error)
{
  if (array->dtype != value->dtype)
    return _flow_refuse (error, "TensorArray dtype is %s but Op is trying to write dtype %s.",
                         flow_dtype_string (array->dtype), flow_dtype_string (value->dtype));
  return TRUE;
}

/* A state change that fails half way leaves the array as it was. */
typedef struct {
  FlowTensorArray *array;
  gpointer saved;
} Transaction;

static inline void
transaction_begin (Transaction       *t,
                   FlowKernelContext *c,
                   FlowTensorArray   *array)
{
  flow_kernel_will_write (c, array);
  t->array = array;
  t->saved = _flow_tensor_array_class.save (&array->parent);
}

static inline gboolean
transaction_end (Transaction       *t,
                 FlowKernelContext *c,
                 gboolean           ok)
{
  if (ok)
    flow_kernel_wrote (c, t->array);
  else
    _flow_tensor_array_class.restore (&t->array->parent, t->saved);
  _flow_tensor_array_class.saved_free (t->saved);
  return ok;
}

static inline void
pass_flow (FlowKernelContext *c,
           guint              input)
{
  flow_kernel_set_output (c, 0, flow_kernel_input (c, input));
}

static inline gboolean
flow_out_infer (FlowInferContext *c,
                GError          **error)
{
  /* TF: hands on whatever flows in. */
  flow_infer_take_output (c, 0, c->running ? flow_shape_ref (flow_infer_input (c, c->n_inputs - 1)) : flow_shape_new_scalar ());
  return TRUE;
}

G_END_DECLS
