/* flow-gradients-nn.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <string.h>

/* Gradients of network layers: activations, losses, convolution, pooling, normalisation. */

static void
grad_relu (FlowGradient *g)
{
  g_autofree char *type = g_strconcat (g->maker->get_type (g->maker->self, g->node), "Grad", NULL);
  FlowAttrList *attrs = strcmp (type, "LeakyReluGrad") == 0 ? flow_gradient_copy_attrs (g, "alpha") : NULL;
  gboolean by_input = strcmp (type, "LeakyReluGrad") == 0 || strcmp (type, "SoftsignGrad") == 0;

  flow_gradient_set (g, 0, OP_ATTRS (type, NULL, attrs, DY (0), by_input ? X (0) : Y (0)));
}

static void
grad_softplus (FlowGradient *g)
{
  flow_gradient_set (g, 0, OP ("Mul", "mul", DY (0), OP ("Sigmoid", NULL, X (0))));
}

static void
grad_softmax (FlowGradient *g)
{
  FlowEndpoint value = OP ("Mul", "mul", DY (0), Y (0));

  value = _flow_gradients_sum_axis (g, value, -1, FALSE, TRUE);
  value = OP ("Sub", "sub", DY (0), value);
  flow_gradient_set (g, 0, OP ("Mul", "mul", value, Y (0)));
}

static void
grad_log_softmax (FlowGradient *g)
{
  FlowEndpoint softmax = OP ("Exp", NULL, Y (0));
  FlowEndpoint value = _flow_gradients_sum_axis (g, DY (0), -1, FALSE, TRUE);

  value = OP ("Mul", "mul", value, softmax);
  flow_gradient_set (g, 0, OP ("Sub", "sub", DY (0), value));
}

static void
grad_xent (FlowGradient *g)
{
  FlowEndpoint value = _flow_gradients_expand_last (g, DY (0));

  flow_gradient_set (g, 0, OP ("Mul", "mul", value, Y (1)));
  value = OP ("Neg", NULL, OP ("LogSoftmax", NULL, X (0)));
  {
    FlowEndpoint scale = _flow_gradients_expand_last (g, DY (0));

    flow_gradient_set (g, 1, OP ("Mul", "mul", scale, value));
  }
}

static void
grad_sparse_xent (FlowGradient *g)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowAttr *message = flow_attr_new_string ("Currently there is no way to take the second derivative of "
                                            "sparse_softmax_cross_entropy_with_logits due to the fused implementation's "
                                            "interaction with tf.gradients()", -1);
  FlowEndpoint value;

  flow_attr_list_set (attrs, "message", message);
  flow_attr_unref (message);
  value = OP_ATTRS ("PreventGradient", NULL, attrs, Y (1));
  flow_gradient_set (g, 0, OP ("Mul", "mul", _flow_gradients_expand_last (g, DY (0)), value));
}

static void
grad_bias_add (FlowGradient *g)
{
  flow_gradient_set (g, 0, DY (0));
  flow_gradient_set (g, 1, OP_ATTRS ("BiasAddGrad", NULL, flow_gradient_copy_attrs (g, "data_format"), DY (0)));
}

#define CONV_ATTRS "strides padding use_cudnn_on_gpu data_format dilations explicit_paddings"

static void
grad_conv2d (FlowGradient *g)
{
  FlowEndpoint shapes = OP ("ShapeN", NULL, X (0), X (1));

  flow_gradient_set (g, 0, OP_ATTRS ("Conv2DBackpropInput", NULL, flow_gradient_copy_attrs (g, CONV_ATTRS), shapes, X (1),
                                     DY (0)));
  flow_gradient_set (g, 1, OP_ATTRS ("Conv2DBackpropFilter", NULL, flow_gradient_copy_attrs (g, CONV_ATTRS), X (0),
                                     SLOT (shapes, 1), DY (0)));
}

static void
grad_conv2d_backprop_input (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (1));

  flow_gradient_set (g, 1, OP_ATTRS ("Conv2DBackpropFilter", NULL, flow_gradient_copy_attrs (g, CONV_ATTRS), DY (0), shape,
                                     X (2)));
  flow_gradient_set (g, 2, OP_ATTRS ("Conv2D", NULL, flow_gradient_copy_attrs (g, CONV_ATTRS), DY (0), X (1)));
}

static void
grad_depthwise (FlowGradient *g)
{
  const char *attrs = "strides padding data_format dilations";
  FlowEndpoint shape = SHAPE (X (0));

  flow_gradient_set (g, 0, OP_ATTRS ("DepthwiseConv2dNativeBackpropInput", NULL, flow_gradient_copy_attrs (g, attrs), shape,
                                     X (1), DY (0)));
  shape = SHAPE (X (1));
  flow_gradient_set (g, 1, OP_ATTRS ("DepthwiseConv2dNativeBackpropFilter", NULL, flow_gradient_copy_attrs (g, attrs), X (0),
                                     shape, DY (0)));
}

static void
grad_max_pool (FlowGradient *g)
{
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "ksize strides padding data_format");

  flow_gradient_set (g, 0, OP_ATTRS ("MaxPoolGrad", NULL, attrs, X (0), Y (0), DY (0)));
}

static void
grad_avg_pool (FlowGradient *g)
{
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "ksize strides padding data_format");
  FlowEndpoint shape = SHAPE (X (0));

  flow_gradient_set (g, 0, OP_ATTRS ("AvgPoolGrad", NULL, attrs, shape, DY (0)));
}

static void
grad_lrn (FlowGradient *g)
{
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "depth_radius bias alpha beta");

  flow_gradient_set (g, 0, OP_ATTRS ("LRNGrad", NULL, attrs, DY (0), X (0), Y (0)));
}

static void
grad_l2_loss (FlowGradient *g)
{
  flow_gradient_set (g, 0, OP ("Mul", "mul", X (0), DY (0)));
}

/* Outputs 3 to 5 are kept for it while training; else mean and variance came in. */
static void
grad_fused_batch_norm (FlowGradient *g)
{
  gboolean training = flow_attr_get_bool (flow_gradient_attr (g, "is_training"));
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "epsilon data_format is_training");
  FlowEndpoint made = OP_ATTRS ("FusedBatchNormGradV3", NULL, attrs, DY (0), X (0), X (1), training ? Y (3) : X (3),
                                training ? Y (4) : X (4), Y (5));

  for (gint32 i = 0; i < (training ? 5 : 3); i++)
    flow_gradient_set (g, (guint) i, SLOT (made, i));
}

static const FlowGradientDef defs[] = {
  { "Relu Relu6 Elu Selu LeakyRelu Softsign", grad_relu },
  { "Softplus", grad_softplus },
  { "Softmax", grad_softmax },
  { "LogSoftmax", grad_log_softmax },
  { "SoftmaxCrossEntropyWithLogits", grad_xent },
  { "SparseSoftmaxCrossEntropyWithLogits", grad_sparse_xent },
  { "BiasAdd", grad_bias_add },
  { "Conv2D", grad_conv2d },
  { "Conv2DBackpropInput", grad_conv2d_backprop_input },
  { "DepthwiseConv2dNative", grad_depthwise },
  { "MaxPool", grad_max_pool },
  { "AvgPool", grad_avg_pool },
  { "LRN", grad_lrn },
  { "L2Loss", grad_l2_loss },
  { "FusedBatchNormV3", grad_fused_batch_norm },
};

void
_flow_gradients_add_nn (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
