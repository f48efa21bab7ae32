/* flow-kernels-image_jpeg.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pixels as JPEG pictures.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-picture-private.h"

/* What one segment of a file can hold beside the name of the metadata. */
#define MAX_METADATA 65504

static gboolean
infer_encode (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) image = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &image, error) && flow_infer_scalar_shape (c, error);
}

static gboolean
check_image (const FlowTensor  *image,
             GError           **error)
{
  if (FLOW_RANK (image) != 3)
    return _flow_refuse_shapes (error, image, NULL, "image must be 3-dimensional%s");
  FLOW_REQUIRE (image->n_elements < G_MAXINT32, error, INVALID_ARGUMENT,
                "Cannot encode images with >= max int32 elements");
  return TRUE;
}

static gboolean
encode (FlowKernelContext      *c,
        const FlowTensor       *image,
        const FlowJpegEncoding *encoding,
        GError                **error)
{
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 0, NULL, error);
  GBytes *bytes = NULL;

  if (out == NULL)
    return FALSE;
  /* The format has 16 bits for a side. */
  if (FLOW_DIMS (image)[0] <= 65535 && FLOW_DIMS (image)[1] <= 65535)
    bytes = _flow_jpeg_encode (image->data, (int) FLOW_DIMS (image)[1], (int) FLOW_DIMS (image)[0], encoding);
  FLOW_REQUIRE (bytes != NULL, error, INTERNAL, "JPEG encoding failed");
  flow_tensor_take_string (out, 0, bytes);
  return TRUE;
}

/* The channels that the format attr says, or that the image has. */
static gboolean
choose_format (const FlowTensor  *image,
               const char        *format,
               gboolean          *grayscale,
               GError           **error)
{
  const gint64 channels = FLOW_DIMS (image)[2];

  if (g_str_equal (format, "") && channels != 1 && channels != 3)
    return _flow_refuse_shapes (error, image, NULL, "image must have 1 or 3 channels, got %s");
  if (g_str_equal (format, "grayscale") && channels != 1)
    return _flow_refuse_shapes (error, image, NULL, "format grayscale expects 1 channels, got %s");
  if (g_str_equal (format, "rgb") && channels != 3)
    return _flow_refuse_shapes (error, image, NULL, "format rgb expects 3 channels, got %s");
  *grayscale = channels == 1;
  return TRUE;
}

static gboolean
encode_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const gint64 quality = flow_kernel_attr_int (c, "quality");
  FlowJpegEncoding encoding = {
    .progressive = flow_kernel_attr_bool (c, "progressive"),
    .optimize = flow_kernel_attr_bool (c, "optimize_size"),
    .downsample = flow_kernel_attr_bool (c, "chroma_downsampling"),
    .per_cm = g_str_equal (flow_kernel_attr_string (c, "density_unit"), "cm"),
    .x_density = (int) (flow_kernel_attr_int (c, "x_density") & 0xffff),
    .y_density = (int) (flow_kernel_attr_int (c, "y_density") & 0xffff),
  };

  FLOW_REQUIRE (quality >= 0 && quality <= 100, error, INVALID_ARGUMENT, "quality must be in [0,100], got %"
                G_GINT64_FORMAT, quality);
  if (!check_image (image, error) || !choose_format (image, flow_kernel_attr_string (c, "format"), &encoding.grayscale, error))
    return FALSE;
  encoding.quality = (int) quality;
  encoding.metadata = flow_attr_get_string (flow_kernel_attr (c, "xmp_metadata"), &encoding.n_metadata);
  FLOW_REQUIRE (encoding.n_metadata <= MAX_METADATA, error, INTERNAL, "JPEG encoding failed");
  return encode (c, image, &encoding, error);
}

static gboolean
encode_variable_compute (FlowKernelContext  *c,
                         GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const FlowTensor *quality = flow_kernel_input (c, 1);
  FlowJpegEncoding encoding = { .downsample = TRUE, .x_density = 300, .y_density = 300 };

  if (!check_image (image, error))
    return FALSE;
  if (!flow_is_scalar (quality))
    return _flow_refuse_shapes (error, quality, NULL, "quality must be scalar: %s");
  if (!choose_format (image, "", &encoding.grayscale, error))
    return FALSE;
  /* TF: what is out of range is brought into it. */
  encoding.quality = CLAMP (*FLOW_DATA (gint32, quality), 1, 100);
  return encode (c, image, &encoding, error);
}

static const FlowKernelDef encode_kernels[] = { { NULL, encode_compute }, { NULL } };
static const FlowKernelDef encode_variable_kernels[] = { { NULL, encode_variable_compute }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "EncodeJpeg", .inputs = "image: uint8", .outputs = "contents: string",
    .attrs = "format: {'', 'grayscale', 'rgb'} = ''; quality: int = 95; progressive: bool = false; "
             "optimize_size: bool = false; chroma_downsampling: bool = true; density_unit: {'in', 'cm'} = 'in'; "
             "x_density: int = 300; y_density: int = 300; xmp_metadata: string = ''",
    .summary = "Pixels as a JPEG picture", .family = FLOW_OP_FAMILY_IO, .infer = infer_encode,
    .kernels = encode_kernels },
  { .name = "EncodeJpegVariableQuality", .inputs = "images: uint8; quality: int32", .outputs = "contents: string",
    .attrs = "", .summary = "Pixels as a JPEG picture of a given quality", .family = FLOW_OP_FAMILY_IO,
    .infer = infer_encode, .kernels = encode_variable_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_jpeg, ops)
