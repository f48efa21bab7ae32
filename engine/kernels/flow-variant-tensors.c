/* flow-variant-tensors.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variant-tensors-private.h"

#include "flow-array-private.h"
#include "flow-variant.h"

FlowTensor *
_flow_variant_zero_tensor (const FlowTensor  *tensor,
                           FlowBudget        *budget,
                           GError           **error)
{
  g_autoptr (FlowTensor) zero = NULL;

  if (tensor->dtype == FLOW_DTYPE_STRING || tensor->dtype == FLOW_DTYPE_RESOURCE || flow_dtype_is_quantized (tensor->dtype))
    {
      _flow_refuse (error, "Trying to compute zeros_like for unsupported dtype %s", flow_dtype_string (tensor->dtype));
      return NULL;
    }
  if (tensor->dtype != FLOW_DTYPE_VARIANT)
    return flow_tensor_new_zeros (tensor->dtype, tensor->shape, budget, error);
  zero = flow_tensor_new (FLOW_DTYPE_VARIANT, tensor->shape, budget, error);
  for (gint64 i = 0; zero != NULL && i < tensor->n_elements; i++)
    {
      FlowVariant *from = flow_tensor_get_variant (tensor, i);
      FlowVariant *to = from != NULL ? flow_variant_zeros_like (from, budget, error) : NULL;

      if (from != NULL && to == NULL)
        return NULL;
      FLOW_WRITABLE (FlowVariant *, zero)[i] = to;
    }
  return g_steal_pointer (&zero);
}

static gboolean
add_cells (FlowTensor        *sum,
           const FlowTensor  *b,
           FlowBudget        *budget,
           GError           **error)
{
  FlowCombineFunc add;

  if (sum->dtype != FLOW_DTYPE_VARIANT)
    {
      add = _flow_combine_func (FLOW_COMBINE_ADD, sum->dtype);
      if (add == NULL)
        return _flow_refuse (error, "Trying to add unsupported dtype %d", (int) sum->dtype);
      add (sum->data, b->data, sum->n_elements, 1);
      return TRUE;
    }
  for (gint64 i = 0; i < sum->n_elements; i++)
    {
      FlowVariant **cell = &FLOW_WRITABLE (FlowVariant *, sum)[i];
      FlowVariant *other = flow_tensor_get_variant (b, i);
      FlowVariant *both;

      if (other == NULL || *cell == NULL)
        return _flow_refuse (error, "Trying to add unsupported dtype %d", (int) sum->dtype);
      both = flow_variant_add (*cell, other, budget, error);
      if (both == NULL)
        return FALSE;
      g_object_unref (*cell);
      *cell = both;
    }
  return TRUE;
}

FlowTensor *
_flow_variant_add_tensors (const FlowTensor  *a,
                           const FlowTensor  *b,
                           FlowBudget        *budget,
                           GError           **error)
{
  g_autoptr (FlowTensor) sum = NULL;

  if (a == NULL || b == NULL)
    return flow_tensor_ref (a != NULL ? a : b);
  if (a->dtype != b->dtype)
    {
      _flow_refuse (error, "Trying to add two tensors with incompatible element types. One is %s and the other is %s",
                    flow_dtype_string (a->dtype), flow_dtype_string (b->dtype));
      return NULL;
    }
  if (!flow_shape_equal (a->shape, b->shape))
    {
      _flow_refuse_shapes (error, a, b, "Trying to add two tensors with incompatible element shapes. "
                           "One is %s and the other is %s");
      return NULL;
    }
  sum = flow_tensor_copy (a, budget, error);
  if (sum == NULL || !add_cells (sum, b, budget, error))
    return NULL;
  return g_steal_pointer (&sum);
}
