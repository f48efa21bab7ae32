/* flow-kernels-memory_region.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants whose cells are the bytes of a file.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-files-private.h"

#include <string.h>

static gpointer
region_construct (FlowKernelConstruction  *c,
                  GError                 **error)
{
  const int dtype = flow_dtype_base (flow_attr_get_dtype (flow_construction_attr (c, "dtype")));

  if (dtype != FLOW_DTYPE_RESOURCE && dtype != FLOW_DTYPE_VARIANT)
    return g_new0 (char, 1);
  _flow_refuse (error, "Resource and variant dtypes are invalid for this op.");
  return NULL;
}

/* TF: maps the file. What is mapped changes with the file, and ends the process where the file gets shorter: these
 * bytes are read once, and are the op's. */
static gboolean
region_compute (FlowKernelContext  *c,
                GError            **error)
{
  const char *name = flow_kernel_attr_string (c, "memory_region_name");
  const FlowShape *shape = flow_attr_get_shape (flow_kernel_attr (c, "shape"));
  g_autoptr (GBytes) bytes = _flow_read_named_file (c, name, error);
  FlowTensor *out;
  gsize wanted;

  if (bytes == NULL)
    return FALSE;
  FLOW_REQUIRE (c->output_dtypes[0] != FLOW_DTYPE_STRING, error, UNIMPLEMENTED,
                "Sorry, DT_STRING is not currently supported for ImmutableConstOp.");
  FLOW_REQUIRE (flow_shape_is_known (shape), error, INVALID_ARGUMENT, "The shape of a region must be known");
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  wanted = (gsize) out->n_elements * _flow_cell_size (out->dtype);
  FLOW_REQUIRE (wanted <= g_bytes_get_size (bytes), error, INTERNAL,
                "Readonly memory region has wrong length (%" G_GSIZE_FORMAT ") when allocating %" G_GSIZE_FORMAT,
                g_bytes_get_size (bytes), wanted);
  if (wanted > 0)
    memcpy (out->data, g_bytes_get_data (bytes, NULL), wanted);
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "ImmutableConst", .outputs = "tensor: dtype", .attrs = "dtype: type; shape: shape; memory_region_name: string",
    .summary = "A constant that is the bytes of a file", .family = FLOW_OP_FAMILY_OTHER, .flags = FLOW_OP_NOT_CONSTANT,
    .infer = flow_infer_explicit_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, region_compute, region_construct, g_free }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (memory_region, ops)
