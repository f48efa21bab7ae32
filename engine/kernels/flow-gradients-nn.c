/* flow-gradients-nn.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of network layers: activations, losses, choices. */

#include <string.h>

static void
grad_relu (FlowGradient *g)
{
  g_autofree char *type = g_strconcat (flow_gradient_type (g), "Grad", NULL);
  FlowAttrList *attrs = strcmp (type, "LeakyReluGrad") == 0 ? ATTRS ("alpha") : NULL;
  gboolean by_input = strcmp (type, "LeakyReluGrad") == 0 || strcmp (type, "SoftsignGrad") == 0;

  SET (0, OP_ATTRS (type, NULL, attrs, DY (0), by_input ? X (0) : Y (0)));
}

static void
grad_relu_grad (FlowGradient *g)
{
  const char *type = flow_gradient_type (g);
  FlowEndpoint shape;

  SET (0, OP_ATTRS (type, NULL, strcmp (type, "LeakyReluGrad") == 0 ? ATTRS ("alpha") : NULL, DY (0), X (1)));
  shape = SHAPE (X (1));
  SET (1, ZEROS (shape, DTYPE (X (1))));
}

static void
grad_elu_grad (FlowGradient *g)
{
  const char *type = flow_gradient_type (g);
  FlowEndpoint is_below;
  FlowEndpoint value;

  SET (0, OP2 (type, NULL, DY (0), X (1)));
  is_below = BY_NUMBER ("Less", "Less", X (1), 0);
  value = MUL (DY (0), X (0));
  SET (1, SELECT (is_below, value, ZEROS_LIKE (X (1))));
}

static void
grad_softplus (FlowGradient *g)
{
  SET (0, MUL (DY (0), OP1 ("Sigmoid", NULL, X (0))));
}

static void
grad_softplus_grad (FlowGradient *g)
{
  FlowEndpoint value;
  FlowEndpoint exp;

  AFTER (DY (0));
  SET (0, OP2 ("SoftplusGrad", NULL, DY (0), X (1)));
  value = MUL (DY (0), X (0));
  exp = OP1 ("Exp", NULL, NEG (X (1)));
  exp = BY_NUMBER ("AddV2", "add", exp, 2);
  exp = ADD (exp, OP1 ("Exp", NULL, X (1)));
  SET (1, DIV (value, exp));
  LEAVE ();
}

static void
grad_softmax (FlowGradient *g)
{
  FlowEndpoint value = MUL (DY (0), Y (0));

  value = _flow_gradients_sum_axis (g, value, -1, FALSE, TRUE);
  value = SUB (DY (0), value);
  SET (0, MUL (value, Y (0)));
}

static void
grad_log_softmax (FlowGradient *g)
{
  FlowEndpoint softmax = OP1 ("Exp", NULL, Y (0));
  FlowEndpoint value = _flow_gradients_sum_axis (g, DY (0), -1, FALSE, TRUE);

  value = MUL (value, softmax);
  SET (0, SUB (DY (0), value));
}

static gboolean
is_all_zero (FlowGradient *g,
             FlowEndpoint  x)
{
  const char *type;
  FlowTensor *value;

  if (g->error != NULL || x.node == FLOW_NODE_NONE)
    return TRUE;
  if (flow_gradient_is_rows (g, x))
    return FALSE;
  type = g->maker->get_type (g->maker->self, x.node);
  if (strcmp (type, "ZerosLike") == 0 || strcmp (type, "Zeros") == 0)
    return TRUE;
  value = _flow_gradients_value (g, x);
  if (value == NULL)
    return FALSE;
  for (gint64 i = 0; i < flow_tensor_get_n_elements (value); i++)
    if (flow_tensor_get_double (value, i) != 0)
      return FALSE;
  return TRUE;
}

/* Through the gradient that the op gives beside the loss. */
static FlowEndpoint
add_second (FlowGradient *g,
            FlowEndpoint  value)
{
  FlowEndpoint softmax = OP1 ("Softmax", NULL, X (0));
  FlowEndpoint row = _flow_gradients_expand (g, DY (1), 1);
  FlowEndpoint column = _flow_gradients_expand (g, softmax, 2);
  FlowAttrList *attrs = flow_attr_list_new ();
  gint64 one = 1;
  FlowAttr *dims = flow_attr_new_int_list (&one, 1);

  flow_attr_list_set (attrs, "squeeze_dims", dims);
  flow_attr_unref (dims);
  row = _flow_gradients_matmul (g, row, column, FALSE, FALSE);
  row = OP_ATTRS ("Squeeze", NULL, attrs, row);
  row = SUB (DY (1), row);
  row = MUL (row, softmax);
  return ADD (value, row);
}

static void
grad_xent (FlowGradient *g)
{
  FlowEndpoint value = _flow_gradients_expand_last (g, DY (0));
  FlowEndpoint scale;

  value = MUL (value, Y (1));
  if (!is_all_zero (g, DY (1)))
    value = add_second (g, value);
  SET (0, value);
  value = NEG (OP1 ("LogSoftmax", NULL, X (0)));
  scale = _flow_gradients_expand_last (g, DY (0));
  SET (1, MUL (scale, value));
}

static void
grad_sparse_xent (FlowGradient *g)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint value;

  _flow_gradients_set_string (attrs, "message", "Currently there is no way to take the second derivative of "
                              "sparse_softmax_cross_entropy_with_logits due to the fused implementation's interaction "
                              "with tf.gradients()");
  value = OP_ATTRS ("PreventGradient", NULL, attrs, Y (1));
  SET (0, MUL (_flow_gradients_expand_last (g, DY (0)), value));
}

static void
grad_bias_add (FlowGradient *g)
{
  SET (0, DY (0));
  SET (1, OP_ATTRS ("BiasAddGrad", NULL, ATTRS ("data_format"), DY (0)));
}

static void
grad_bias_add_v1 (FlowGradient *g)
{
  FlowEndpoint axes = RANK (DY (0));

  axes = BY_NUMBER ("Sub", "sub", axes, 1);
  axes = flow_gradient_range (g, axes);
  SET (0, DY (0));
  SET (1, SUM (DY (0), axes));
}

/* concat ([before, [1], after], 0): the second a list of Python's. */
static FlowEndpoint
join_around (FlowGradient *g,
             FlowEndpoint  before,
             FlowEndpoint  after)
{
  FlowEndpoint one;
  FlowEndpoint axis;

  OPEN ("concat");
  one = INTS ("values_1", 1);
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  return after.node == FLOW_NODE_NONE ? CLOSE ("ConcatV2", before, one, axis) : CLOSE ("ConcatV2", before, one, after, axis);
}

static void
grad_bias_add_grad (FlowGradient *g)
{
  FlowAttr *format = flow_gradient_attr (g, "data_format");
  gboolean channels_first = format != NULL && g_strcmp0 (flow_attr_get_string (format, NULL), "NCHW") == 0;
  FlowEndpoint shape = SHAPE (X (0));
  FlowEndpoint bias = SHAPE (DY (0));
  FlowEndpoint parts[2];
  FlowEndpoint value;

  if (channels_first)
    {
      parts[0] = _flow_gradients_range_of (g, shape, 0, 1);
      parts[0] = _flow_gradients_ones_like (g, parts[0], FLOW_DTYPE_INT32);
      parts[1] = _flow_gradients_range_of (g, shape, 2, FLOW_END_OF_SLICE);
      parts[1] = _flow_gradients_ones_like (g, parts[1], FLOW_DTYPE_INT32);
      bias = JOIN (0, parts[0], bias, parts[1]);
      parts[0] = _flow_gradients_range_of (g, shape, 0, 1);
      parts[1] = _flow_gradients_range_of (g, shape, 2, FLOW_END_OF_SLICE);
      shape = join_around (g, parts[0], parts[1]);
    }
  else
    {
      parts[0] = _flow_gradients_range_of (g, shape, 0, -1);
      parts[0] = _flow_gradients_ones_like (g, parts[0], FLOW_DTYPE_INT32);
      bias = JOIN (0, parts[0], bias);
      parts[0] = _flow_gradients_range_of (g, shape, 0, -1);
      shape = join_around (g, parts[0], FLOW_NO_ENDPOINT);
    }
  value = RESHAPE (DY (0), bias);
  SET (0, OP2 ("Tile", NULL, value, shape));
}

static void
grad_lrn (FlowGradient *g)
{
  SET (0, OP_ATTRS ("LRNGrad", NULL, ATTRS ("depth_radius bias alpha beta"), DY (0), X (0), Y (0)));
}

static void
grad_l2_loss (FlowGradient *g)
{
  SET (0, MUL (X (0), DY (0)));
}

/* The last dimension of a shape, as an int64. */
static FlowEndpoint
last_of (FlowGradient *g,
         FlowEndpoint  shape)
{
  FlowEndpoint wide = CAST (shape, FLOW_DTYPE_INT64);
  FlowEndpoint at = SIZE (shape);

  at = BY_NUMBER ("Sub", "sub", at, 1);
  return GATHER (wide, at);
}

/* Scattered to where they were taken from, all dimensions but the last made one. */
static void
grad_top_k (FlowGradient *g)
{
  FlowEndpoint in_shape = SHAPE (X (0));
  FlowEndpoint at_shape = SHAPE (Y (1));
  FlowEndpoint last = last_of (g, at_shape);
  FlowEndpoint indices;
  FlowEndpoint n_in;
  FlowEndpoint n_outer;
  FlowEndpoint value;
  FlowEndpoint size;
  FlowEndpoint zero;

  OPEN ("stack");
  value = NUMBER ("0", FLOW_DTYPE_INT64, -1);
  value = CLOSE ("Pack", value, last);
  indices = RESHAPE (Y (1), value);
  n_in = last_of (g, in_shape);
  n_outer = _flow_gradients_item (g, SHAPE (indices), 0);
  n_outer = CAST (n_outer, FLOW_DTYPE_INT64);
  n_outer = MUL (n_outer, n_in);
  OPEN ("range");
  value = NUMBER ("start", FLOW_DTYPE_INT32, 0);
  {
    FlowAttrList *attrs = flow_attr_list_new ();

    _flow_gradients_set_type (attrs, "DstT", FLOW_DTYPE_INT64);
    value = OP_ATTRS ("Cast", NULL, attrs, value);
  }
  value = CLOSE ("Range", value, n_outer, n_in);
  value = _flow_gradients_expand_last (g, value);
  value = CAST (value, FLOW_DTYPE_INT32);
  indices = ADD (indices, value);
  indices = RESHAPE_TO (indices, -1);
  indices = _flow_gradients_expand_last (g, indices);
  value = RESHAPE_TO (DY (0), -1);
  size = _flow_gradients_reduce_all (g, "Prod", in_shape);
  OPEN ("ScatterNd");
  size = OP1 ("Pack", "shape", size);
  value = CLOSE ("ScatterNd", indices, value, size);
  SET (0, RESHAPE (value, in_shape));
  zero = NUMBER ("zeros", FLOW_DTYPE_INT32, 0);
  if (g->n_inputs > 1)
    SET (1, zero);
}

static void
grad_nth_element (FlowGradient *g)
{
  FlowEndpoint is_it = _flow_gradients_expand_last (g, Y (0));
  FlowEndpoint dy;
  FlowEndpoint n;

  is_it = OP2 ("Equal", NULL, is_it, X (0));
  is_it = CAST (is_it, DTYPE (DY (0)));
  dy = _flow_gradients_expand_last (g, DY (0));
  n = _flow_gradients_sum_axis (g, is_it, -1, FALSE, FALSE);
  n = _flow_gradients_expand_last (g, n);
  SET (0, MUL (OP2 ("RealDiv", "div", is_it, n), dy));
}

static const FlowGradientDef defs[] = {
  { "Relu Relu6 Elu Selu LeakyRelu Softsign", grad_relu },
  { "ReluGrad Relu6Grad LeakyReluGrad", grad_relu_grad },
  { "EluGrad SeluGrad", grad_elu_grad },
  { "Softplus", grad_softplus },
  { "SoftplusGrad", grad_softplus_grad },
  { "Softmax", grad_softmax },
  { "LogSoftmax", grad_log_softmax },
  { "SoftmaxCrossEntropyWithLogits", grad_xent },
  { "SparseSoftmaxCrossEntropyWithLogits", grad_sparse_xent },
  { "BiasAdd", grad_bias_add },
  { "BiasAddV1", grad_bias_add_v1 },
  { "BiasAddGrad", grad_bias_add_grad },
  { "LRN", grad_lrn },
  { "L2Loss", grad_l2_loss },
  { "TopK TopKV2", grad_top_k },
  { "NthElement", grad_nth_element },
};

void
_flow_gradients_add_nn (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
