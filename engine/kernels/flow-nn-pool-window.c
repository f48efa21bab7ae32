/* flow-nn-pool-window.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-pool-private.h"

#include <string.h>

/* How the pooling ops read their windows, and what each refuses in which order. */

static gboolean
read_values (const FlowTensor       *value,
             const FlowWindowAttrs  *attrs,
             const char             *what,
             gint64                 *out,
             GError                **error)
{
  int rank = attrs->n_spatial + 2;

  FLOW_REQUIRE (value->n_elements == rank, error, INVALID_ARGUMENT,
                "Sliding window %s field must specify %d dimensions", what, rank);
  for (int i = 0; i < rank; i++)
    out[i] = flow_tensor_get_int (value, flow_nn_dim (attrs, i));
  return TRUE;
}

gboolean
flow_pool_read_window (const FlowPoolSource  *source,
                       FlowWindowAttrs       *attrs,
                       GError               **error)
{
  int rank = source->n_spatial + 2;
  const char *format = source->format != NULL ? flow_attr_get_string (source->format, NULL) :
                       source->n_spatial == 3 ? "NDHWC" : "NHWC";
  const char *strides_words = source->strides_words != NULL ? source->strides_words : "stride";

  memset (attrs, 0, sizeof *attrs);
  attrs->n_spatial = source->n_spatial;
  attrs->padding = flow_nn_read_padding (flow_attr_get_string (source->padding, NULL));
  FLOW_REQUIRE (strcmp (format, "NCHW_VECT_C") != 0, error, INVALID_ARGUMENT,
                "Default MaxPoolingOp only supports NHWC on device type CPU");
  if (!flow_nn_read_format (format, rank, &attrs->channels_first, error) ||
      !(source->ksize_value != NULL ? read_values (source->ksize_value, attrs, "ksize", attrs->ksize, error)
        : flow_nn_read_dims (source->ksize, attrs, "ksize", attrs->ksize, error)) ||
      !(source->strides_value != NULL ? read_values (source->strides_value, attrs, strides_words, attrs->strides, error)
        : flow_nn_read_dims (source->strides, attrs, strides_words, attrs->strides, error)))
    return FALSE;
  return TRUE;
}

/* @last: the last dim to look at, 0 being the batch. */
gboolean
flow_pool_check_sizes (const FlowWindowAttrs  *attrs,
                       int                     last,
                       GError                **error)
{
  for (int i = 0; i <= last; i++)
    FLOW_REQUIRE (attrs->ksize[i] > 0, error, INVALID_ARGUMENT,
                  "Sliding window ksize for dimension %d was zero. (ksize must be positive, got %" G_GINT64_FORMAT ")",
                  flow_nn_dim (attrs, i), attrs->ksize[i]);
  return TRUE;
}

gboolean
flow_pool_check_strides (const FlowWindowAttrs  *attrs,
                         int                     first,
                         int                     last,
                         GError                **error)
{
  for (int i = first; i <= last; i++)
    FLOW_REQUIRE (attrs->strides[i] > 0, error, INVALID_ARGUMENT, "Stride must be > 0, but got %" G_GINT64_FORMAT,
                  attrs->strides[i]);
  return TRUE;
}

/* Depth and space at once is no pooling of TF's; a stride along the depth alone mostly does nothing. */
static gboolean
check_depth_window (const FlowWindowAttrs  *attrs,
                    FlowPoolKind            kind,
                    GError                **error)
{
  int depth = attrs->n_spatial + 1;
  gboolean either = attrs->ksize[depth] != 1 || attrs->strides[depth] != 1;

  if (attrs->n_spatial == 3)
    FLOW_REQUIRE (!either, error, UNIMPLEMENTED, "%s is not yet supported on the depth dimension.",
                  kind == FLOW_POOL_MAX_GRAD_GRAD ? "MaxPooling3dGradGrad" : "Pooling");
  else if (kind == FLOW_POOL_MAX_GRAD || kind == FLOW_POOL_MAX_GRAD_GRAD)
    FLOW_REQUIRE (!either, error, UNIMPLEMENTED, "%s is not yet supported on the depth dimension.",
                  kind == FLOW_POOL_MAX_GRAD ? "MaxPoolingGrad" : "MaxPoolingGradGrad");
  return TRUE;
}

/* What can be refused without the image. */
gboolean
flow_pool_check_window (const FlowWindowAttrs  *attrs,
                        FlowPoolKind            kind,
                        GError                **error)
{
  const gboolean strides_first = kind == FLOW_POOL_MAX || kind == FLOW_POOL_FORWARD || kind == FLOW_POOL_MAX_GRAD_GRAD;
  const int depth = attrs->n_spatial + 1;

  if ((strides_first && !flow_pool_check_strides (attrs, 1, attrs->n_spatial, error)) ||
      (kind == FLOW_POOL_MAX && !flow_pool_check_sizes (attrs, depth, error)))
    return FALSE;
  FLOW_REQUIRE (attrs->ksize[0] == 1 && attrs->strides[0] == 1, error, UNIMPLEMENTED,
                "Pooling is not yet supported on the batch dimension.");
  /* The others look at the rest of the window with the image; so does an average that goes over depth. */
  return check_depth_window (attrs, kind, error) &&
         (!strides_first || (kind == FLOW_POOL_FORWARD && attrs->n_spatial == 2 && attrs->ksize[depth] != 1) ||
          flow_pool_check_sizes (attrs, attrs->n_spatial, error)) &&
         (!strides_first || flow_pool_check_strides (attrs, 0, kind == FLOW_POOL_FORWARD ? attrs->n_spatial : depth, error));
}

/* TF: PoolParameters; both poolings check so before anything else. */
gboolean
flow_pool_check_depth (const FlowWindowAttrs  *attrs,
                       gint64                  depth,
                       GError                **error)
{
  gint64 window = attrs->ksize[attrs->n_spatial + 1];

  if (window == 1)
    return TRUE;
  FLOW_REQUIRE (attrs->ksize[1] == 1 && attrs->ksize[2] == 1, error, UNIMPLEMENTED,
                "MaxPooling supports exactly one of pooling across depth or pooling across width/height.");
  if (!flow_pool_check_sizes (attrs, attrs->n_spatial + 1, error))
    return FALSE;
  FLOW_REQUIRE (depth % window == 0, error, UNIMPLEMENTED,
                "Depthwise max pooling requires the depth window to evenly divide the input depth");
  FLOW_REQUIRE (attrs->strides[attrs->n_spatial + 1] == window, error, UNIMPLEMENTED,
                "Depthwise max pooling requires the depth window to equal the depth stride");
  return TRUE;
}
