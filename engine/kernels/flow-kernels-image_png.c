/* flow-kernels-image_png.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files as strings, and pixels as PNG pictures.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-media-private.h"
#include "flow-string-private.h"

/* More than a tensor of strings should hold in one cell. */
#define MAX_FILE_BYTES ((gsize) 1 << 30)

/* --- ReadFile ------------------------------------------------------------------------------------------------ */

/* Errors name the file as the graph does. */
static gboolean
read_file_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *filename = flow_kernel_input (c, 0);
  g_autoptr (GError) failure = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  FlowTensor *out;
  Text text;

  if (!flow_is_scalar (filename))
    return _flow_refuse_shapes (error, filename, NULL, "Input filename tensor must be scalar, but had shape: %s");
  text = text_at (filename, 0);
  name = g_strndup (text.length > 0 ? text.bytes : "", text.length);
  path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);
  out = path != NULL ? flow_kernel_allocate (c, 0, filename->shape, error) : NULL;
  if (out == NULL)
    return FALSE;
  bytes = flow_read_file (path, MAX_FILE_BYTES, &failure);
  if (bytes == NULL && g_str_has_prefix (failure->message, path))
    g_set_error (error, FLOW_ERROR, failure->code, "%s%s", name, failure->message + strlen (path));
  else if (bytes == NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  if (bytes == NULL || !reserve_text (c, g_bytes_get_size (bytes), error))
    return FALSE;
  if (g_bytes_get_size (bytes) > 0)
    flow_tensor_take_string (out, 0, g_steal_pointer (&bytes));
  return TRUE;
}

/* --- EncodePng ----------------------------------------------------------------------------------------------- */

static gboolean
encode_png_infer (FlowInferContext *c,
                  GError          **error)
{
  g_autoptr (FlowShape) image = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &image, error) && flow_infer_scalar_shape (c, error);
}

static gboolean
encode_png_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *image = flow_kernel_input (c, 0);
  gint64 compression = flow_kernel_attr_int (c, "compression");
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  GBytes *png = NULL;
  FlowTensor *out;

  if (compression < -1 || compression > 9)
    return _flow_refuse (error, "compression should be in [-1,9], got %" G_GINT64_FORMAT, compression);
  if (FLOW_RANK (image) != 3)
    return _flow_refuse_shapes (error, image, NULL, "image must be 3-dimensional%s");
  if (image->n_elements >= G_MAXINT32)
    return _flow_refuse (error, "image cannot have >= int32 max elements");
  if (image->shape->dims[2] < 1 || image->shape->dims[2] > 4)
    return _flow_refuse (error, "image must have 1, 2, 3, or 4 channels, got %" G_GINT64_FORMAT, image->shape->dims[2]);
  FLOW_REQUIRE (image->n_elements > 0, error, INTERNAL, "PNG encoding failed");
  out = flow_kernel_allocate (c, 0, scalar, error);
  if (out != NULL)
    png = _flow_encode_png (FLOW_DATA (guint8, image), image->shape->dims[1], image->shape->dims[0],
                            (int) image->shape->dims[2], image->dtype == FLOW_DTYPE_UINT16 ? 16 : 8, (int) compression,
                            error);
  if (png == NULL)
    return FALSE;
  flow_tensor_take_string (out, 0, png);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "EncodePng",
    .inputs = "image: T",
    .outputs = "contents: string",
    .attrs = "compression: int = -1; T: {uint8, uint16} = DT_UINT8",
    .summary = "Pixels as a PNG picture",
    .family = FLOW_OP_FAMILY_IO,
    .infer = encode_png_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, encode_png_compute }, { NULL } },
  },
  {
    .name = "ReadFile",
    .inputs = "filename: string",
    .outputs = "contents: string",
    .summary = "The whole of a file as a string",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, read_file_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (image_png, ops)
