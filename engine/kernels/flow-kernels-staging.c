/* flow-kernels-staging.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements set down and taken up again in order.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-staging-private.h"

static gboolean
put_outputs (FlowKernelContext  *c,
             const FlowTuple    *tuple,
             GError            **error)
{
  if (tuple->n != c->n_outputs)
    return _flow_refuse (error, "Mismatch stage/unstage: %u vs. %u", tuple->n, c->n_outputs);
  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i]->dtype != (FlowDType) flow_dtype_base (c->output_dtypes[i]))
      return _flow_refuse (error, "Component %u is of type %s, not %s", i, flow_dtype_string (tuple->tensors[i]->dtype),
                           flow_dtype_string (c->output_dtypes[i]));
  for (guint i = 0; i < tuple->n; i++)
    flow_kernel_set_output (c, i, tuple->tensors[i]);
  return TRUE;
}

static gboolean
stage (FlowKernelContext  *c,
       FlowArea           *self,
       GError            **error)
{
  FlowTuple *tuple = _flow_tuple_new_counted (c->n_inputs, c->budget, error);
  FlowElement staged = { .tuple = tuple };
  gboolean room = FALSE;
  gboolean can_wait;

  if (tuple == NULL)
    return FALSE;
  for (guint i = 0; i < c->n_inputs; i++)
    tuple->tensors[i] = flow_tensor_ref (flow_kernel_input (c, i));
  staged.bytes = _flow_area_measure (tuple);
  can_wait = _flow_area_has_room (self, staged.bytes, TRUE, &room, error);
  if (room)
    {
      flow_kernel_will_write (c, self);
      g_array_append_val (self->elements.whole, staged);
      flow_kernel_wrote (c, self);
      return TRUE;
    }
  _flow_tuple_unref (tuple);
  return can_wait && _flow_area_wait (c, self, "full", error);
}

static gboolean
stage_compute (FlowKernelContext  *c,
               GError            **error)
{
  return _flow_area_with (c, &_flow_area_class, stage, error);
}

static gboolean
unstage (FlowKernelContext  *c,
         FlowArea           *self,
         GError            **error)
{
  if (self->elements.whole->len == 0)
    return _flow_area_wait (c, self, "empty", error);
  if (!put_outputs (c, g_array_index (self->elements.whole, FlowElement, 0).tuple, error))
    return FALSE;
  flow_kernel_will_write (c, self);
  g_array_remove_index (self->elements.whole, 0);
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
unstage_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return _flow_area_with (c, &_flow_area_class, unstage, error);
}

static gboolean
peek (FlowKernelContext  *c,
      FlowArea           *self,
      GError            **error)
{
  FlowTensor *index = flow_kernel_input (c, 0);
  gint32 i;

  if (index->n_elements != 1)
    return _flow_refuse_shapes (error, index, NULL, "index must be scalar, but had shape: %s");
  i = FLOW_DATA (gint32, index)[0];
  /* TF waits for ever for an element before the first. */
  if (i < 0 || i >= (gint64) self->elements.whole->len)
    return _flow_area_wait (c, self, "the element is not there", error);
  return put_outputs (c, g_array_index (self->elements.whole, FlowElement, i).tuple, error);
}

static gboolean
peek_compute (FlowKernelContext  *c,
              GError            **error)
{
  return _flow_area_with (c, &_flow_area_class, peek, error);
}

static gboolean
size_compute (FlowKernelContext  *c,
              GError            **error)
{
  return _flow_area_with (c, &_flow_area_class, _flow_area_put_size, error);
}

static gboolean
clear_compute (FlowKernelContext  *c,
               GError            **error)
{
  return _flow_area_with (c, &_flow_area_class, _flow_area_clear, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "Stage",
    .inputs = "values: dtypes",
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type) >= 1"),
    .summary = "Sets an element down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = FLOW_AREA_KERNELS (stage_compute),
  },
  {
    .name = "StageClear",
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type)"),
    .summary = "Takes all elements away",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = FLOW_AREA_KERNELS (clear_compute),
  },
  {
    .name = "StagePeek",
    .inputs = "index: int32",
    .outputs = "values: dtypes",
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type) >= 1"),
    .summary = "Looks at an element that was set down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = FLOW_AREA_KERNELS (peek_compute),
  },
  {
    .name = "StageSize",
    .outputs = "size: int32",
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type)"),
    .summary = "How many elements are set down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = FLOW_AREA_KERNELS (size_compute),
  },
  {
    .name = "Unstage",
    .outputs = "values: dtypes",
    .attrs = FLOW_AREA_ATTRS ("dtypes: list(type) >= 1"),
    .summary = "Takes the first element up",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = FLOW_AREA_KERNELS (unstage_compute),
  },
};

FLOW_DEFINE_OP_FAMILY (staging, ops)
