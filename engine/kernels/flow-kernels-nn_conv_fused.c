/* flow-kernels-nn_conv_fused.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Convolutions of images that are resized and padded with their own mirror image on the way, as graphs
 * optimised for phones have them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-image-private.h"
#include "flow-nn-conv-private.h"
#include "flow-nn-private.h"

#include <string.h>

static gboolean
read_strides (FlowAttr *list,
              gint64    strides[2],
              GError  **error)
{
  FLOW_REQUIRE (flow_attr_get_length (list) == 4, error, INVALID_ARGUMENT,
                "Sliding window strides field must specify 4 dimensions");
  FLOW_REQUIRE (flow_attr_get_int (flow_attr_get_item (list, 0)) == 1 &&
                flow_attr_get_int (flow_attr_get_item (list, 3)) == 1, error, INVALID_ARGUMENT,
                "Current implementation does not yet support strides in the batch and depth dimensions.");
  for (guint i = 0; i < 2; i++)
    strides[i] = flow_attr_get_int (flow_attr_get_item (list, i + 1));
  FLOW_REQUIRE (strides[0] > 0 && strides[1] > 0, error, INVALID_ARGUMENT, "Strides must be positive");
  return TRUE;
}

static gboolean
infer_fused (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) image = NULL;
  g_autoptr (FlowShape) filter = NULL;
  FlowShape *out;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &image, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, c->n_inputs - 1), 4, &filter, error))
    return FALSE;
  out = flow_shape_new_of_rank (4);
  out->dims[0] = flow_shape_get_dim (image, 0);
  out->dims[3] = flow_shape_get_dim (filter, 3);
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

/* Paddings of the four dims: only rows and columns may have any. */
static gboolean
read_paddings (const FlowTensor  *paddings,
               const gint64      *dims,
               gboolean           symmetric,
               gint64             before[4],
               gint64             after[4],
               GError           **error)
{
  if (FLOW_RANK (paddings) != 2 || FLOW_DIMS (paddings)[1] != 2)
    return _flow_refuse_shapes (error, paddings, NULL, "paddings must be a matrix with 2 columns: %s");
  if (FLOW_DIMS (paddings)[0] != 4)
    return _flow_refuse_shapes (error, paddings, NULL, "The first dimension of paddings must be the rank of inputs: 4 %s");
  for (int i = 0; i < 4; i++)
    {
      const gint64 most = symmetric ? dims[i] : dims[i] - 1;

      before[i] = FLOW_DATA (gint32, paddings)[2 * i];
      after[i] = FLOW_DATA (gint32, paddings)[2 * i + 1];
      FLOW_REQUIRE (before[i] >= 0 && after[i] >= 0, error, INVALID_ARGUMENT, "paddings must be non-negative: %"
                    G_GINT64_FORMAT " %" G_GINT64_FORMAT, before[i], after[i]);
      FLOW_REQUIRE (before[i] <= most && after[i] <= most, error, INVALID_ARGUMENT,
                    "paddings must be %s the dimension size: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT,
                    symmetric ? "no greater than" : "less than", before[i], after[i],
                    symmetric ? "greater than" : "not less than", dims[i]);
      FLOW_REQUIRE ((i == 1 || i == 2) || (before[i] == 0 && after[i] == 0), error, INVALID_ARGUMENT,
                    "Only the height and width of an image can be padded");
    }
  return TRUE;
}

/* Place @i of a padded line as a place of the line: mirrored where it lies outside. */
static gint64
mirrored (gint64   i,
          gint64   before,
          gint64   size,
          gboolean symmetric)
{
  gint64 at = i - before;

  if (at < 0)
    at = symmetric ? -at - 1 : -at;
  else if (at >= size)
    at = symmetric ? 2 * size - at - 1 : 2 * size - at - 2;
  return CLAMP (at, 0, size - 1);
}

/* The image that the convolution is of: resized, then padded. */
#define DEFINE_GATHER(type)                                                                   \
  static void                                                                                 \
  gather_##type (const FlowResize *r, const FlowLerp *rows, const FlowLerp *columns,          \
                 const gint64 *before, const gint64 *dims, gboolean symmetric, const type *in, type *out) \
  {                                                                                           \
    for (gint64 b = 0; b < dims[0]; b++)                                                      \
      for (gint64 i = 0; i < dims[1]; i++)                                                    \
        for (gint64 j = 0; j < dims[2]; j++)                                                  \
          {                                                                                   \
            const FlowLerp *y = &rows[mirrored (i, before[1], r->out_height, symmetric)];     \
            const FlowLerp *x = &columns[mirrored (j, before[2], r->out_width, symmetric)];   \
            const type *top = in + (b * r->in_height + y->lower) * r->in_width * r->channels; \
            const type *bottom = in + (b * r->in_height + y->upper) * r->in_width * r->channels; \
                                                                                              \
            for (gint64 k = 0; k < r->channels; k++)                                          \
              {                                                                               \
                const gint64 left = x->lower * r->channels + k;                               \
                const gint64 right = x->upper * r->channels + k;                              \
                const type above = top[left] + (top[right] - top[left]) * (type) x->lerp;     \
                const type below = bottom[left] + (bottom[right] - bottom[left]) * (type) x->lerp; \
                                                                                              \
                *out++ = above + (below - above) * (type) y->lerp;                            \
              }                                                                               \
          }                                                                                   \
  }

DEFINE_GATHER (float)
DEFINE_GATHER (double)

/* Without a new size each place is itself. */
static gboolean
prepare_resize (FlowKernelContext  *c,
                FlowResize         *r,
                GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const FlowTensor *size = c->n_inputs == 4 ? flow_kernel_input (c, 1) : NULL;

  if (FLOW_RANK (image) != 4)
    return _flow_refuse_shapes (error, image, NULL, "input must be 4-dimensional%s");
  r->batch = FLOW_DIMS (image)[0];
  r->in_height = FLOW_DIMS (image)[1];
  r->in_width = FLOW_DIMS (image)[2];
  r->channels = FLOW_DIMS (image)[3];
  r->out_height = r->in_height;
  r->out_width = r->in_width;
  if (size != NULL)
    {
      r->align_corners = flow_kernel_attr_bool (c, "resize_align_corners");
      if (!flow_is_vector (size))
        return _flow_refuse_shapes (error, size, NULL, "shape_t must be 1-dimensional%s");
      if (size->n_elements != 2)
        return _flow_refuse_shapes (error, size, NULL, "shape_t must have two elements%s");
      r->out_height = FLOW_DATA (gint32, size)[0];
      r->out_width = FLOW_DATA (gint32, size)[1];
      FLOW_REQUIRE (r->out_height > 0 && r->out_width > 0, error, INVALID_ARGUMENT, "output dimensions must be positive");
    }
  FLOW_REQUIRE (r->in_height > 0 && r->in_width > 0 && r->channels > 0, error, INVALID_ARGUMENT,
                "input image must be of non-zero size");
  r->height_scale = _flow_resize_scale (r->in_height, r->out_height, r->align_corners);
  r->width_scale = _flow_resize_scale (r->in_width, r->out_width, r->align_corners);
  return TRUE;
}

static gboolean
check_filter (const FlowTensor  *filter,
              gint64             depth,
              GError           **error)
{
  if (FLOW_RANK (filter) != 4)
    return _flow_refuse_shapes (error, filter, NULL, "filter must be 4-dimensional: %s");
  FLOW_REQUIRE (FLOW_DIMS (filter)[2] == depth, error, INVALID_ARGUMENT,
                "input and filter must have the same depth: %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT, depth,
                FLOW_DIMS (filter)[2]);
  return TRUE;
}

static FlowTensor *
make_padded (FlowKernelContext  *c,
             const FlowResize   *r,
             const gint64       *before,
             const gint64       *dims,
             gboolean            symmetric,
             GError            **error)
{
  g_autofree FlowLerp *rows = _flow_resize_lerps (r, r->in_height, r->out_height, r->height_scale, error);
  g_autofree FlowLerp *columns = rows == NULL ? NULL
                                 : _flow_resize_lerps (r, r->in_width, r->out_width, r->width_scale, error);
  g_autoptr (FlowTensor) image = columns == NULL ? NULL : flow_nn_widen (c, flow_kernel_input (c, 0), error);
  g_autoptr (FlowShape) shape = flow_shape_new (4, dims);
  FlowTensor *padded = image == NULL ? NULL : flow_kernel_allocate_temp (c, image->dtype, shape, error);

  if (padded == NULL)
    return NULL;
  if (image->dtype == FLOW_DTYPE_DOUBLE)
    gather_double (r, rows, columns, before, dims, symmetric, image->data, padded->data);
  else
    gather_float (r, rows, columns, before, dims, symmetric, image->data, padded->data);
  return padded;
}

static gboolean
convolve (FlowKernelContext  *c,
          FlowConv           *conv,
          const FlowTensor   *padded,
          GError            **error)
{
  const gint64 dims[4] = { conv->batch, conv->window[1].output, conv->window[2].output, conv->out_channels };
  g_autoptr (FlowTensor) filter = flow_nn_widen (c, flow_kernel_input (c, c->n_inputs - 1), error);
  FlowTensor *out = filter != NULL ? flow_kernel_allocate_dims (c, 0, 4, dims, error) : NULL;
  g_autoptr (FlowTensor) work = NULL;

  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  work = out->dtype == filter->dtype ? flow_tensor_ref (out)
                                     : flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, out->shape, error);
  if (work == NULL)
    return FALSE;
  if (filter->n_elements == 0)
    memset (work->data, 0, work->n_bytes);
  else if (!flow_conv_gemm_forward (c, conv, padded->data, filter->data, work->data, error))
    return FALSE;
  if (work != out)
    flow_nn_narrow (work->data, out);
  return TRUE;
}

static gboolean
fused_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *filter = flow_kernel_input (c, c->n_inputs - 1);
  const FlowPadding padding = flow_nn_read_padding (flow_kernel_attr_string (c, "padding"));
  const gboolean symmetric = g_str_equal (flow_kernel_attr_string (c, "mode"), "SYMMETRIC");
  g_autoptr (FlowTensor) padded = NULL;
  FlowConv conv = { .dtype = filter->dtype == FLOW_DTYPE_DOUBLE ? FLOW_DTYPE_DOUBLE : FLOW_DTYPE_FLOAT,
                    .release = flow_kernel_release (c) };
  FlowResize r = { 0 };
  gint64 strides[2];
  gint64 before[4];
  gint64 after[4];
  gint64 dims[4];

  if (!read_strides (flow_kernel_attr (c, "strides"), strides, error) || !prepare_resize (c, &r, error))
    return FALSE;
  memcpy (dims, (gint64[]) { r.batch, r.out_height, r.out_width, r.channels }, sizeof dims);
  if (!read_paddings (flow_kernel_input (c, c->n_inputs - 2), dims, symmetric, before, after, error) ||
      !check_filter (filter, r.channels, error))
    return FALSE;
  for (int i = 1; i < 3; i++)
    {
      dims[i] += before[i] + after[i];
      if (!flow_window_init (&conv.window[i], dims[i], FLOW_DIMS (filter)[i - 1], 1, strides[i - 1], padding, error))
        return FALSE;
    }
  conv.window[0] = (FlowWindow) { 1, 1, 1, 1, 1, 0, 0 };
  conv.batch = r.batch;
  conv.in_channels = r.channels;
  conv.out_channels = FLOW_DIMS (filter)[3];
  padded = make_padded (c, &r, before, dims, symmetric, error);
  return padded != NULL && convolve (c, &conv, padded, error);
}

static const FlowKernelDef fused_kernels[] = { { "T: half float double", fused_compute }, { NULL } };

#define ATTRS "mode: {'REFLECT', 'SYMMETRIC'}; strides: list(int); padding: {'SAME', 'VALID'}"

static const FlowOpDef ops[] = {
  { .name = "FusedPadConv2D", .inputs = "input: T; paddings: int32; filter: T", .outputs = "output: T",
    .attrs = "T: {half, float, double}; " ATTRS, .summary = "Convolution of an image padded with its mirror image",
    .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_fused, .kernels = fused_kernels },
  { .name = "FusedResizeAndPadConv2D", .inputs = "input: T; size: int32; paddings: int32; filter: T",
    .outputs = "output: T", .attrs = "T: {half, float, double}; resize_align_corners: bool = false; " ATTRS,
    .summary = "Convolution of an image resized, then padded with its mirror image", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_fused, .kernels = fused_kernels },
};

FLOW_DEFINE_OP_FAMILY (nn_conv_fused, ops)
