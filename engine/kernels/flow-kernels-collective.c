/* flow-kernels-collective.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values that a group of devices makes one of, where the group is this device alone; and which device this is.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* --- collectives ---------------------------------------------------------------------------------------------- */

/* TF: waits for the others of the group. There are none here, and nobody else would ever come. */
static gboolean
check_group (FlowKernelContext  *c,
             GError            **error)
{
  const gint64 n = flow_kernel_attr_int (c, "group_size");

  FLOW_REQUIRE (c->output_dtypes[0] != FLOW_DTYPE_HALF, error, INTERNAL,
                "CollectiveImplementation does not support datatype %d", FLOW_DTYPE_HALF);
  FLOW_REQUIRE (n > 0, error, INTERNAL, "CollectiveRegistry::Lookup did not find collective implementation ");
  FLOW_REQUIRE (n == 1, error, UNIMPLEMENTED,
                "Op '%s' is of a group of %" G_GINT64_FORMAT " devices, and this one is alone. Override its output to go on.",
                c->signature->name, n);
  return TRUE;
}

/* A sum of one value is that value, and so is what it is divided by one. */
static gboolean
reduce_compute (FlowKernelContext  *c,
                GError            **error)
{
  const char *merge = flow_kernel_attr_string (c, "merge_op");

  FLOW_REQUIRE (strcmp (merge, "Add") == 0 || strcmp (merge, "Mul") == 0, error, INVALID_ARGUMENT,
                "merge_op must be one of {\"Add\", \"Mul\"} but got %s", merge);
  if (!check_group (c, error))
    return FALSE;
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

static gboolean
gather_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  const FlowShape *declared = flow_attr_get_shape (flow_kernel_attr (c, "shape"));
  g_autoptr (FlowShape) merged = NULL;

  if (!check_group (c, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_RANK (input) > 0, error, INVALID_ARGUMENT, "input should have rank > 0, recieved %d", FLOW_RANK (input));
  merged = _flow_merge_shapes (declared, input->shape, NULL);
  if (merged == NULL)
    {
      g_autofree char *expected = flow_shape_to_string (declared);
      g_autofree char *got = flow_tensor_shape_text (input);

      return _flow_refuse (error, "Expected output shape %s, but got %s", expected, got);
    }
  flow_kernel_set_output (c, 0, input);
  return TRUE;
}

static gboolean
gather_infer (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *input = flow_infer_input (c, 0);
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (flow_shape_get_rank (input) < 0)
    return flow_infer_unknown_shape (c, error);
  if (!flow_infer_with_rank_at_least (c, input, 1, &shape, error))
    return FALSE;
  if (flow_shape_get_dim (shape, 0) >= 0)
    {
      const gint64 n = flow_infer_attr_int (c, "group_size");
      FlowShape *out = flow_shape_new (shape->rank, shape->dims);

      if (!flow_mul_int64 (shape->dims[0], MAX (n, 0), &out->dims[0]))
        out->dims[0] = FLOW_DIM_UNKNOWN;
      flow_infer_take_output (c, 0, out);
      return TRUE;
    }
  flow_infer_set_output (c, 0, shape);
  return TRUE;
}

/* TF: the value goes to all but the one that sends it, which gives it out as well. */
static gboolean
send_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  const FlowShape *declared = flow_attr_get_shape (flow_kernel_attr (c, "shape"));

  if (!check_group (c, error))
    return FALSE;
  FLOW_REQUIRE (flow_shape_equal (declared, input->shape), error, INTERNAL,
                "Declared shape of op %s: Broadcast(1) does not match shape of input", flow_kernel_get_name (c));
  flow_kernel_set_output (c, 0, input);
  return TRUE;
}

static gboolean
receive_compute (FlowKernelContext  *c,
                 GError            **error)
{
  if (!check_group (c, error))
    return FALSE;
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Instance %" G_GINT64_FORMAT " found no source for broadcast.  This could "
               "mean that there were group_size=1 BcastRecvs but no BcastSend.", flow_kernel_attr_int (c, "instance_key"));
  return FALSE;
}

/* --- DeviceIndex ---------------------------------------------------------------------------------------------- */

/* TF: one more than there are where the device is none of them. */
static gboolean
index_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowAttr *names = flow_kernel_attr (c, "device_names");
  const gsize n = flow_attr_get_length (names);
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 0, NULL, error);
  gsize i;

  if (out == NULL)
    return FALSE;
  for (i = 0; i < n; i++)
    if (g_strcmp0 (flow_attr_get_string (flow_attr_get_item (names, i), NULL), "CPU") == 0)
      break;
  *FLOW_WRITABLE (gint32, out) = (gint32) i;
  return TRUE;
}

#define NUMBERS "{float, half, double, int32, int64}"
#define KERNELS(function) (const FlowKernelDef[]) { { "T: float half double int32 int64", function }, { NULL } }

#define BCAST_ATTRS \
  "T: " NUMBERS "; group_size: int; group_key: int; instance_key: int; shape: shape; communication_hint: string = \"auto\""

static const FlowOpDef ops[] = {
  { .name = "CollectiveBcastRecv", .outputs = "data: T", .attrs = BCAST_ATTRS,
    .summary = "The value that another device of a group sends to all", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER, .infer = flow_infer_explicit_shape, .kernels = KERNELS (receive_compute) },
  { .name = "CollectiveBcastSend", .inputs = "input: T", .outputs = "data: T", .attrs = BCAST_ATTRS,
    .summary = "Sends a value to all devices of a group", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER, .infer = flow_infer_explicit_shape, .kernels = KERNELS (send_compute) },
  { .name = "CollectiveGather", .inputs = "input: T", .outputs = "data: T",
    .attrs = "T: " NUMBERS "; group_size: int; group_key: int; instance_key: int; shape: shape; communication_hint: "
             "string = \"auto\"",
    .summary = "The values of all devices of a group, one behind the other", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER, .infer = gather_infer, .kernels = KERNELS (gather_compute) },
  { .name = "CollectiveReduce", .inputs = "input: T", .outputs = "data: T",
    .attrs = "T: " NUMBERS "; group_size: int; group_key: int; instance_key: int; merge_op: {\"Min\", \"Max\", \"Mul\", "
             "\"Add\"}; final_op: {\"Id\", \"Div\"}; subdiv_offsets: list(int); wait_for: list(int) = []; "
             "communication_hint: string = \"auto\"",
    .summary = "One value out of those of all devices of a group", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER, .infer = flow_infer_unchanged_shape, .kernels = KERNELS (reduce_compute) },
  { .name = "DeviceIndex", .outputs = "index: int32", .attrs = "device_names: list(string)",
    .summary = "Where this device stands in a list", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_scalar_shape, .kernels = (const FlowKernelDef[]) { { NULL, index_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (collective, ops)
