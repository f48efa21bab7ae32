/* flow-gradients-conv.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of convolutions and poolings, and of these gradients. */

#include <string.h>

#define CONV2D "strides padding use_cudnn_on_gpu data_format dilations explicit_paddings"
#define CONV "strides padding data_format dilations"
#define POOL "ksize strides padding data_format"
#define MAKE(type, attrs, ...) OP_ATTRS (type, NULL, ATTRS (attrs), __VA_ARGS__)

static void
grad_conv2d (FlowGradient *g)
{
  FlowEndpoint shapes = OP2 ("ShapeN", NULL, X (0), X (1));

  SET (0, MAKE ("Conv2DBackpropInput", CONV2D, shapes, X (1), DY (0)));
  SET (1, MAKE ("Conv2DBackpropFilter", CONV2D, X (0), SLOT (shapes, 1), DY (0)));
}

/* Of a convolution backwards to its input: inputs are sizes, filter, and what came back. */
static void
input_back (FlowGradient *g,
            const char   *forward,
            const char   *to_filter,
            const char   *attrs)
{
  FlowEndpoint shape = SHAPE (X (1));

  SET (1, MAKE (to_filter, attrs, DY (0), shape, X (2)));
  SET (2, MAKE (forward, attrs, DY (0), X (1)));
}

/* Of one backwards to its filter: inputs are input, sizes, and what came back. */
static void
filter_back (FlowGradient *g,
             const char   *forward,
             const char   *to_input,
             const char   *attrs)
{
  FlowEndpoint shape = SHAPE (X (0));

  SET (0, MAKE (to_input, attrs, shape, DY (0), X (2)));
  SET (2, MAKE (forward, attrs, X (0), DY (0)));
}

static void
both_back (FlowGradient *g,
           const char   *to_input,
           const char   *to_filter,
           const char   *attrs)
{
  FlowEndpoint shape = SHAPE (X (0));

  SET (0, MAKE (to_input, attrs, shape, X (1), DY (0)));
  shape = SHAPE (X (1));
  SET (1, MAKE (to_filter, attrs, X (0), shape, DY (0)));
}

static void
grad_conv2d_input (FlowGradient *g)
{
  input_back (g, "Conv2D", "Conv2DBackpropFilter", CONV2D);
}

static void
grad_conv2d_filter (FlowGradient *g)
{
  filter_back (g, "Conv2D", "Conv2DBackpropInput", CONV2D);
}

static void
grad_depthwise (FlowGradient *g)
{
  both_back (g, "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter", CONV);
}

static void
grad_depthwise_input (FlowGradient *g)
{
  input_back (g, "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropFilter", CONV);
}

static void
grad_depthwise_filter (FlowGradient *g)
{
  filter_back (g, "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", CONV);
}

static void
grad_conv3d (FlowGradient *g)
{
  both_back (g, "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", CONV);
}

static void
grad_conv3d_input (FlowGradient *g)
{
  input_back (g, "Conv3D", "Conv3DBackpropFilterV2", CONV);
}

static void
grad_conv3d_filter (FlowGradient *g)
{
  filter_back (g, "Conv3D", "Conv3DBackpropInputV2", CONV);
}

static void
grad_dilation2d (FlowGradient *g)
{
  SET (0, MAKE ("Dilation2DBackpropInput", "strides rates padding", X (0), X (1), DY (0)));
  SET (1, MAKE ("Dilation2DBackpropFilter", "strides rates padding", X (0), X (1), DY (0)));
}

/* --- Pooling --- */

/* The op's own type with @from at its end, or without it. */
static char *
type_of (FlowGradient *g)
{
  return g_strdup (flow_gradient_type (g));
}

static void
grad_avg_pool (FlowGradient *g)
{
  g_autofree char *type = type_of (g);
  g_autofree char *back = g_strconcat (type, "Grad", NULL);
  FlowEndpoint shape = SHAPE (X (0));

  SET (0, MAKE (back, POOL, shape, DY (0)));
}

static void
grad_avg_pool_grad (FlowGradient *g)
{
  g_autofree char *type = type_of (g);

  type[strlen (type) - strlen ("Grad")] = '\0';
  SET (0, OP1 ("StopGradient", NULL, X (0)));
  SET (1, MAKE (type, POOL, DY (0)));
}

static void
grad_max_pool (FlowGradient *g)
{
  g_autofree char *type = type_of (g);
  g_autofree char *back = g_strconcat (type, "Grad", NULL);

  SET (0, MAKE (back, POOL, X (0), Y (0), DY (0)));
}

static void
grad_max_pool_v2 (FlowGradient *g)
{
  SET (0, MAKE ("MaxPoolGradV2", "padding data_format", X (0), Y (0), DY (0), X (1), X (2)));
}

/* Zeros for what chose, the other direction for what was passed on. */
static void
pool_grad_back (FlowGradient *g,
                const char   *type)
{
  for (guint i = 0; i < 2; i++)
    {
      FlowEndpoint shape = SHAPE (X (i));

      SET (i, ZEROS (shape, DTYPE (X (i))));
    }
  SET (2, MAKE (type, POOL, X (0), X (1), DY (0)));
}

static void
grad_max_pool_grad (FlowGradient *g)
{
  g_autofree char *type = type_of (g);
  g_autofree char *back = g_strconcat (type, "Grad", NULL);

  pool_grad_back (g, back);
}

static void
grad_max_pool_grad_grad (FlowGradient *g)
{
  g_autofree char *type = type_of (g);

  type[strlen (type) - strlen ("Grad")] = '\0';
  pool_grad_back (g, type);
}

static void
grad_max_pool_grad_v2 (FlowGradient *g)
{
  for (guint i = 0; i < 2; i++)
    {
      FlowEndpoint shape = SHAPE (X (i));

      SET (i, ZEROS (shape, DTYPE (X (i))));
    }
  SET (2, MAKE ("MaxPoolGradGradV2", "padding data_format", X (0), X (1), DY (0), X (3), X (4)));
}

static void
grad_max_pool_with_argmax (FlowGradient *g)
{
  SET (0, MAKE ("MaxPoolGradWithArgmax", "ksize strides padding include_batch_in_index", X (0), DY (0), Y (1)));
}

static void
grad_fractional_max_pool (FlowGradient *g)
{
  SET (0, MAKE ("FractionalMaxPoolGrad", "overlapping", X (0), Y (0), DY (0), Y (1), Y (2)));
}

/* Its gradient takes the shape as a value: unknown, it cannot be made. */
static void
grad_fractional_avg_pool (FlowGradient *g)
{
  FlowShape *shape;
  FlowEndpoint inputs[4];

  if (g->error != NULL)
    return;
  shape = flow_gradient_get_shape (g, X (0));
  if (!flow_shape_is_known (shape))
    {
      g_autofree char *text = flow_shape_to_string (shape);

      g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Tried to convert 'orig_input_tensor_shape' to a tensor and failed. Error: Cannot convert a partially "
                   "known TensorShape to a Tensor: %s", text);
      return;
    }
  OPEN ("FractionalAvgPoolGrad");
  inputs[0] = flow_gradient_ints (g, "orig_input_tensor_shape", FLOW_DTYPE_INT64, shape->dims, (guint) shape->rank);
  inputs[1] = DY (0);
  inputs[2] = Y (1);
  inputs[3] = Y (2);
  SET (0, flow_gradient_close (g, "FractionalAvgPoolGrad", ATTRS ("overlapping"), 4, inputs));
}

static const FlowGradientDef defs[] = {
  { "Conv2D", grad_conv2d },
  { "Conv2DBackpropInput", grad_conv2d_input },
  { "Conv2DBackpropFilter", grad_conv2d_filter },
  { "DepthwiseConv2dNative", grad_depthwise },
  { "DepthwiseConv2dNativeBackpropInput", grad_depthwise_input },
  { "DepthwiseConv2dNativeBackpropFilter", grad_depthwise_filter },
  { "Conv3D", grad_conv3d },
  { "Conv3DBackpropInputV2", grad_conv3d_input },
  { "Conv3DBackpropFilterV2", grad_conv3d_filter },
  { "Dilation2D", grad_dilation2d },
  { "AvgPool AvgPool3D", grad_avg_pool },
  { "AvgPoolGrad AvgPool3DGrad", grad_avg_pool_grad },
  { "MaxPool MaxPool3D", grad_max_pool },
  { "MaxPoolV2", grad_max_pool_v2 },
  { "MaxPoolGrad MaxPool3DGrad", grad_max_pool_grad },
  { "MaxPoolGradV2", grad_max_pool_grad_v2 },
  { "MaxPoolGradGrad MaxPool3DGradGrad", grad_max_pool_grad_grad },
  { "MaxPoolWithArgmax", grad_max_pool_with_argmax },
  { "FractionalMaxPool", grad_fractional_max_pool },
  { "FractionalAvgPool", grad_fractional_avg_pool },
};

void
_flow_gradients_add_conv (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
