/* flow-kernels-forest_tools.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small ops that came with tf.contrib's forests and input pipelines: sums into a variable, strings as numbers, the
 * next of a list.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-index-private.h"
#include "flow-scatter-private.h"
#include "flow-string-hash-private.h"
#include "flow-string-private.h"

/* --- ScatterAddNdim ------------------------------------------------------------------------------------------------ */

static gboolean
check_scatter (const FlowTensor  *to,
               const FlowTensor  *indices,
               const FlowTensor  *deltas,
               GError           **error)
{
  int depth;

  if (FLOW_RANK (indices) != 2)
    return _flow_refuse (error, "indices should be two-dimensional");
  depth = (int) MIN (FLOW_DIMS (indices)[1], FLOW_SHAPE_MAX_RANK);
  if (FLOW_DIMS (indices)[1] + FLOW_RANK (deltas) != FLOW_RANK (to) + 1)
    return _flow_refuse (error, "Number of indices dimensions should be the same as input rank.");
  if (FLOW_RANK (deltas) < 1 || FLOW_DIMS (indices)[0] != FLOW_DIMS (deltas)[0])
    return _flow_refuse (error, "Number of updates should be same as number of indices.");
  FLOW_REQUIRE (to->n_elements < G_MAXINT32, error, INVALID_ARGUMENT, "Input must contain less than 2^31 total elements");
  /* TF: trusts the inner sizes, and ends itself where an index is out of the input. */
  for (int i = depth; i < FLOW_RANK (to); i++)
    if (FLOW_DIMS (deltas)[i - depth + 1] != FLOW_DIMS (to)[i])
      return _flow_refuse_shapes (error, deltas, to, "deltas of shape %s do not fit the slices of input of shape %s");
  return _flow_check_nd_indices (indices, depth, FLOW_DIMS (to), "input", to->shape, FLOW_BAD_ROW_FIRST, error);
}

static gboolean
scatter_add_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowVariable *variable = flow_kernel_input_ref (c, 0);
  const FlowTensor *indices = flow_kernel_input (c, 1);
  const FlowTensor *deltas = flow_kernel_input (c, 2);
  FlowTensor *own;
  gint64 width;
  int depth;

  if (!_flow_variable_require (variable, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_RANK (indices) >= 1, error, INVALID_ARGUMENT, "indices should be two-dimensional");
  if (FLOW_DIMS (indices)[0] == 0)
    return TRUE;
  if (!check_scatter (variable->value, indices, deltas, error))
    return FALSE;
  depth = (int) FLOW_DIMS (indices)[1];
  width = _flow_scatter_count_dims (FLOW_DIMS (variable->value), depth, FLOW_RANK (variable->value));
  flow_kernel_will_write (c, variable);
  own = flow_variable_own_value (variable, FALSE, c->budget, error);
  if (own == NULL)
    return FALSE;
  for (gint64 i = 0; i < FLOW_DIMS (indices)[0]; i++)
    {
      float *to = FLOW_WRITABLE (float, own) + _flow_nd_row (indices, i, depth, FLOW_DIMS (own)) * width;

      for (gint64 k = 0; k < width; k++)
        to[k] += FLOW_DATA (float, deltas)[i * width + k];
    }
  flow_kernel_wrote (c, variable);
  return TRUE;
}

/* --- ReinterpretStringToFloat ---------------------------------------------------------------------------------------- */

/* The seed of C++'s own hash of strings where TensorFlow was built. */
#define HASH_SEED G_GUINT64_CONSTANT (0xc70f6907)

static gboolean
reinterpret_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const FlowTensor *strings = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, strings->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < strings->n_elements; i++)
    {
      const Text text = text_at (strings, i);

      FLOW_WRITABLE (float, out)[i] = (float) _flow_hash_murmur (text.bytes, text.length, HASH_SEED);
    }
  return TRUE;
}

/* --- ObtainNext ------------------------------------------------------------------------------------------------------ */

static gboolean
obtain_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *list = flow_kernel_input (c, 0);
  FlowVariable *counter = flow_kernel_input_ref (c, 1);
  FlowTensor *own;
  gint64 next;
  Text text;

  if (!_flow_variable_require (counter, error))
    return FALSE;
  /* TF: divides by zero, or reads elsewhere. */
  FLOW_REQUIRE (list->n_elements > 0, error, INVALID_ARGUMENT, "list must not be empty");
  FLOW_REQUIRE (flow_is_scalar (counter->value), error, INVALID_ARGUMENT, "counter must be a scalar");
  next = (gint64) ((guint64) *FLOW_DATA (gint64, counter->value) + 1) % list->n_elements;
  FLOW_REQUIRE (next >= 0, error, INVALID_ARGUMENT, "counter must not be below -1");
  flow_kernel_will_write (c, counter);
  own = flow_variable_own_value (counter, TRUE, c->budget, error);
  if (own == NULL)
    return FALSE;
  *FLOW_WRITABLE (gint64, own) = next;
  flow_kernel_wrote (c, counter);
  text = text_at (list, next);
  flow_kernel_take_output (c, 0, flow_tensor_new_string (text.bytes, (gssize) text.length));
  return TRUE;
}

static gboolean
obtain_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) list = NULL;
  g_autoptr (FlowShape) counter = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &list, error) &&
         flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &counter, error) && flow_infer_scalar_shape (c, error);
}

static const FlowOpDef ops[] = {
  { .name = "ObtainNext", .inputs = "list: string; counter: Ref(int64)", .outputs = "out_element: string", .attrs = "",
    .summary = "The next element of a list, again and again", .family = FLOW_OP_FAMILY_OTHER, .infer = obtain_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, obtain_compute }, { NULL } } },
  { .name = "ReinterpretStringToFloat", .inputs = "input_data: string", .outputs = "output_data: float", .attrs = "",
    .summary = "A number for each string, by its hash", .family = FLOW_OP_FAMILY_OTHER, .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, reinterpret_compute }, { NULL } } },
  { .name = "ScatterAddNdim", .inputs = "input: Ref(float); indices: int32; deltas: float", .outputs = "", .attrs = "",
    .summary = "Adds to cells or slices of a variable", .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, scatter_add_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (forest_tools, ops)
