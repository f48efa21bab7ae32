/* flow-nn.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"

#include <string.h>

/* TF: GetWindowedOutputSizeVerboseV2, with its words; SAME puts the odd cell of padding behind. */
static gboolean
check_window (gint64   input,
              gint64   filter,
              gint64   dilation,
              gint64   stride,
              gint64  *effective,
              GError **error)
{
  gint64 span;

  FLOW_REQUIRE (stride > 0, error, INVALID_ARGUMENT, "Stride must be > 0, but got %" G_GINT64_FORMAT, stride);
  FLOW_REQUIRE (dilation >= 1, error, INVALID_ARGUMENT,
                "Dilation rate must be >= 1, but got %" G_GINT64_FORMAT, dilation);
  if (filter <= 0)
    {
      *effective = filter == 0 ? 1 - dilation : filter;
      return TRUE;
    }
  FLOW_REQUIRE (flow_mul_int64 (filter - 1, dilation, &span) && span < G_MAXINT64 / 2 && input < G_MAXINT64 / 4,
                error, INVALID_ARGUMENT, "filter of size %" G_GINT64_FORMAT " is too large", filter);
  *effective = span + 1;
  return TRUE;
}

/* Fills output and pads; for FLOW_PADDING_EXPLICIT pad_before and pad_after are set by the caller. */
gboolean
flow_window_init (FlowWindow  *self,
                  gint64       input,
                  gint64       filter,
                  gint64       dilation,
                  gint64       stride,
                  FlowPadding  padding,
                  GError     **error)
{
  gint64 effective;
  gint64 needed;

  self->input = input;
  self->filter = filter;
  self->dilation = dilation;
  self->stride = stride;
  if (!check_window (input, filter, dilation, stride, &effective, error))
    return FALSE;

  switch (padding)
    {
    case FLOW_PADDING_VALID:
      self->pad_before = 0;
      self->pad_after = 0;
      self->output = (input - effective + stride) / stride;
      break;
    case FLOW_PADDING_EXPLICIT:
      self->output = (input + self->pad_before + self->pad_after - effective + stride) / stride;
      break;
    case FLOW_PADDING_SAME:
    default:
      self->output = input / stride + (input % stride != 0);
      needed = MAX (0, (self->output - 1) * stride + effective - input);
      self->pad_before = needed / 2;
      self->pad_after = needed - self->pad_before;
      break;
    }
  FLOW_REQUIRE (self->output >= 0, error, INVALID_ARGUMENT,
                "Computed output size would be negative: %" G_GINT64_FORMAT " [input_size: %" G_GINT64_FORMAT
                ", effective_filter_size: %" G_GINT64_FORMAT ", stride: %" G_GINT64_FORMAT "]",
                self->output, input, effective, stride);
  return TRUE;
}

/* One output dimension where any of the sizes may be unknown: -1 then, -2 with @error set. */
gint64
flow_window_infer (gint64       input,
                   gint64       filter,
                   gint64       dilation,
                   gint64       stride,
                   FlowPadding  padding,
                   gint64       explicit_pad,
                   gboolean     running,
                   GError     **error)
{
  FlowWindow window = { .pad_before = explicit_pad };
  gint64 effective;

  if (!check_window (input, MAX (filter, 0), dilation, stride, &effective, error))
    return -2;
  if (input < 0 || (filter < 0 && padding != FLOW_PADDING_SAME))
    return FLOW_DIM_UNKNOWN;
  if (!running && padding != FLOW_PADDING_SAME && input + explicit_pad < effective)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Negative dimension size caused by subtracting %" G_GINT64_FORMAT " from %" G_GINT64_FORMAT,
                   effective, input + explicit_pad);
      return -2;
    }
  return flow_window_init (&window, input, MAX (filter, 0), dilation, stride, padding, error) ? window.output : -2;
}

/* The index within a shape of axis 0 (batch), 1.. (spatial), n_spatial + 1 (depth). */
int
flow_nn_dim (const FlowWindowAttrs *attrs,
             int                    axis)
{
  if (axis == 0 || !attrs->channels_first)
    return axis;
  return axis == attrs->n_spatial + 1 ? 1 : axis + 1;
}

gboolean
flow_nn_read_format (const char  *format,
                     int          rank,
                     gboolean    *channels_first,
                     GError     **error)
{
  const char *last = rank == 5 ? "NDHWC" : "NHWC";
  const char *first = rank == 5 ? "NCDHW" : "NCHW";

  FLOW_REQUIRE (strcmp (format, last) == 0 || strcmp (format, first) == 0, error, INVALID_ARGUMENT,
                "Invalid data format");
  *channels_first = strcmp (format, first) == 0;
  return TRUE;
}

FlowPadding
flow_nn_read_padding (const char *padding)
{
  if (strcmp (padding, "EXPLICIT") == 0)
    return FLOW_PADDING_EXPLICIT;
  return strcmp (padding, "SAME") == 0 ? FLOW_PADDING_SAME : FLOW_PADDING_VALID;
}

/* A list attr with one value per dimension, put in the order batch, spatial..., depth. */
gboolean
flow_nn_read_dims (FlowAttr               *attr,
                   const FlowWindowAttrs  *attrs,
                   const char             *what,
                   gint64                 *out,
                   GError                **error)
{
  int rank = attrs->n_spatial + 2;
  gint64 values[5];

  FLOW_REQUIRE (flow_attr_get_length (attr) == (gsize) rank, error, INVALID_ARGUMENT,
                "Sliding window %s field must specify %d dimensions", what, rank);
  for (int i = 0; i < rank; i++)
    {
      values[i] = flow_attr_get_int (flow_attr_get_item (attr, (gsize) i));
      FLOW_REQUIRE (values[i] >= G_MININT32 && values[i] <= G_MAXINT32, error, INVALID_ARGUMENT,
                    "Attr %s has value %" G_GINT64_FORMAT " out of range for an int32", what, values[i]);
    }
  for (int i = 0; i < rank; i++)
    out[i] = values[flow_nn_dim (attrs, i)];
  return TRUE;
}

typedef struct {
  gconstpointer from;
  gpointer to;
  FlowDType dtype;
} ConvertJob;

static void
widen_range (gint64   begin,
             gint64   end,
             gpointer data)
{
  ConvertJob *job = data;
  const guint16 *from = job->from;
  float *to = job->to;

  if (job->dtype == FLOW_DTYPE_HALF)
    for (gint64 i = begin; i < end; i++)
      to[i] = flow_half_to_float (from[i]);
  else
    for (gint64 i = begin; i < end; i++)
      to[i] = flow_bfloat16_to_float (from[i]);
}

static void
narrow_range (gint64   begin,
              gint64   end,
              gpointer data)
{
  ConvertJob *job = data;
  const float *from = job->from;
  guint16 *to = job->to;

  if (job->dtype == FLOW_DTYPE_HALF)
    for (gint64 i = begin; i < end; i++)
      to[i] = flow_half_from_float (from[i]);
  else
    for (gint64 i = begin; i < end; i++)
      to[i] = flow_bfloat16_from_float (from[i]);
}

/* A new reference: @tensor itself, or its float form. */
FlowTensor *
flow_nn_widen (FlowKernelContext  *c,
               FlowTensor         *tensor,
               GError            **error)
{
  FlowTensor *wide;
  ConvertJob job;

  if (tensor->dtype != FLOW_DTYPE_HALF && tensor->dtype != FLOW_DTYPE_BFLOAT16)
    return flow_tensor_ref (tensor);
  wide = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, tensor->shape, error);
  if (wide == NULL)
    return NULL;
  job = (ConvertJob) { tensor->data, wide->data, tensor->dtype };
  flow_parallel_for (tensor->n_elements, FLOW_NN_GRAIN, widen_range, &job);
  return wide;
}

void
flow_nn_narrow (const float *from,
                FlowTensor  *to)
{
  ConvertJob job = { from, to->data, to->dtype };

  flow_parallel_for (to->n_elements, FLOW_NN_GRAIN, narrow_range, &job);
}

gboolean
flow_nn_shape_is (const FlowTensor *tensor,
                  int               rank,
                  const gint64     *dims)
{
  if (FLOW_RANK (tensor) != rank)
    return FALSE;
  for (int i = 0; i < rank; i++)
    if (FLOW_DIMS (tensor)[i] != dims[i])
      return FALSE;
  return TRUE;
}

gint64
flow_nn_flops_elements (const FlowShape *shape)
{
  gint64 n;

  return shape != NULL && flow_shape_is_known (shape) && flow_shape_n_elements (shape, &n) ? n : -1;
}

gint64
flow_nn_flops_input (FlowInferContext *c)
{
  return flow_nn_flops_elements (flow_infer_input (c, 0));
}

gint64
flow_nn_flops_output (FlowInferContext *c)
{
  return flow_nn_flops_elements (c->output_shapes[0]);
}
