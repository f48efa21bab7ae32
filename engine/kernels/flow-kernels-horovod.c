/* flow-kernels-horovod.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ops of Horovod: a tensor summed over all ranks, gathered from them, or taken from one. A single rank has the
 * tensor already.
 */

#include "config.h"

#include "flow-ranks-private.h"

#include <string.h>

static gboolean
gather_infer (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *input = flow_infer_input (c, 0);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank = flow_shape_get_rank (input);
  g_autoptr (FlowShape) shape = NULL;

  if (rank < 1)
    {
      flow_infer_set_output (c, 0, input);
      return TRUE;
    }
  /* How many rows the others have is not known before they are asked. */
  dims[0] = -1;
  for (int i = 1; i < rank; i++)
    dims[i] = flow_shape_get_dim (input, i);
  shape = flow_shape_new (rank, dims);
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

static gboolean
reduce_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *sum;

  if (_flow_ranks_get_size () == 1)
    {
      flow_kernel_set_output (c, 0, input);
      return TRUE;
    }
  if (!_flow_ranks_meet (c, input, "allreduce", 0, FALSE, NULL, error))
    return FALSE;
  sum = flow_kernel_allocate (c, 0, input->shape, error);
  return sum != NULL && _flow_ranks_sum (c, input, sum, error);
}

static gboolean
gather_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  int size = _flow_ranks_get_size ();
  g_autofree gint64 *rows = g_new0 (gint64, size);
  g_autoptr (FlowShape) shape = NULL;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 row = (gint64) flow_dtype_size (input->dtype);
  FlowTensor *all;

  FLOW_REQUIRE (FLOW_RANK (input) > 0, error, FAILED_PRECONDITION, "Rank zero tried to allgather a rank-zero tensor.");
  if (size == 1)
    {
      flow_kernel_set_output (c, 0, input);
      return TRUE;
    }
  if (!_flow_ranks_meet (c, input, "allgather", 0, TRUE, rows, error))
    return FALSE;
  memcpy (dims, FLOW_DIMS (input), sizeof (gint64) * (gsize) FLOW_RANK (input));
  dims[0] = 0;
  for (int i = 1; i < FLOW_RANK (input); i++)
    row *= dims[i];
  for (int i = 0; i < size; i++)
    FLOW_REQUIRE (!__builtin_add_overflow (dims[0], rows[i], &dims[0]), error, INVALID_ARGUMENT, "Too many rows in all ranks");
  shape = flow_shape_new (FLOW_RANK (input), dims);
  all = flow_kernel_allocate (c, 0, shape, error);
  /* The bytes of all fit, so those of each do. */
  for (int i = 0; i < size; i++)
    rows[i] *= row;
  return all != NULL && _flow_ranks_gather (c, input, rows, all, error);
}

static gboolean
broadcast_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  gint64 root = flow_kernel_attr_int (c, "root_rank");
  int size = _flow_ranks_get_size ();
  FlowTensor *output;

  FLOW_REQUIRE (root >= 0 && root < size, error, INVALID_ARGUMENT,
                "Root rank %" G_GINT64_FORMAT " is not one of the %d ranks", root, size);
  if (size == 1)
    {
      flow_kernel_set_output (c, 0, input);
      return TRUE;
    }
  if (!_flow_ranks_meet (c, input, "broadcast", (int) root, FALSE, NULL, error))
    return FALSE;
  output = flow_kernel_allocate (c, 0, input->shape, error);
  if (output == NULL)
    return FALSE;
  memcpy (output->data, input->data, input->n_bytes);
  return _flow_ranks_broadcast (c, (int) root, output, error);
}

#define SUMMED_ATTR "T: {int32, int64, half, float, double}"
#define MOVED_ATTR "T: {uint8, int8, uint16, int16, int32, int64, half, float, double, bool}"
#define SUMMED "T: double float half int32 int64"
#define MOVED "T: bool double float half int16 int32 int64 int8 uint16 uint8"

static const FlowOpDef ops[] = {
  {
    .name = "HorovodAllgather",
    .inputs = "tensor: T",
    .outputs = "output: T",
    .attrs = MOVED_ATTR,
    .summary = "The rows of all ranks, one after the other",
    .flags = FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = gather_infer,
    .kernels = (const FlowKernelDef[]) { { MOVED, gather_compute }, { NULL } },
  },
  {
    .name = "HorovodAllreduce",
    .inputs = "tensor: T",
    .outputs = "sum: T",
    .attrs = SUMMED_ATTR,
    .summary = "The sum over all ranks",
    .flags = FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { SUMMED, reduce_compute }, { NULL } },
  },
  {
    .name = "HorovodBroadcast",
    .inputs = "tensor: T",
    .outputs = "output: T",
    .attrs = MOVED_ATTR "; root_rank: int",
    .summary = "The tensor of one rank, in all of them",
    .flags = FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { MOVED, broadcast_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (horovod, ops)
