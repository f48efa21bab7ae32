# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.nn: neural network composites."""

import numbers

import numpy as np

from . import dtypes
from .framework import graph as graph_lib, ops, tensor_shape
from .framework.graph import Tensor, name_scope
from .framework.ops import apply_op, constant, convert_to_tensor
from .operators import array_ops, math_ops, random_ops
from .operators.array_ops import _op
from .operators.math_ops import sigmoid, tanh  # noqa: F401

relu, relu6, elu = _op("Relu", "features"), _op("Relu6", "features"), _op("Elu", "features")
selu, softplus, softsign = _op("Selu", "features"), _op("Softplus", "features"), _op("Softsign", "features")
l2_loss = _op("L2Loss", "t")
lrn = local_response_normalization = _op("LRN", "input", "depth_radius", "bias", "alpha", "beta")
fused_softmax = _op("Softmax", "logits")


def leaky_relu(features, alpha=0.2, name=None):
    with name_scope(name, "LeakyRelu", [features, alpha]) as name:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = math_ops.to_float(features)
        # TF: an array is taken for the number in it.
        return apply_op("LeakyRelu", features=features, alpha=alpha if not hasattr(alpha, "item") else alpha.item(), name=name)


def swish(*arguments, **keywords):
    """x * sigmoid (x); its gradient computes the sigmoid again."""
    from .differentiation.gradient_rules import custom_gradient
    if keywords:
        raise ValueError("The custom_gradient decorator currently supports keywords arguments only when eager execution is "
                         "enabled.")
    return _swish(custom_gradient, *arguments)


def _swish(custom_gradient, features):
    features = convert_to_tensor(features, name="features")

    @custom_gradient
    def compute(features):
        def grad(dy):
            with graph_lib.control_dependencies([dy]):
                part = math_ops.sigmoid(features)
            return dy * (part * (1.0 + features * (1.0 - part)))
        return features * math_ops.sigmoid(features), grad
    return compute(features)


def bias_add(value, bias, data_format=None, name=None):
    with name_scope(name, "BiasAdd", [value, bias]) as name:
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return apply_op("BiasAdd", value=value, bias=bias, data_format=data_format, name=name)


def xw_plus_b(x, weights, biases, name=None):
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as name:
        x, weights = convert_to_tensor(x, name="x"), convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return bias_add(math_ops.matmul(x, weights), biases, name=name)


def relu_layer(x, weights, biases, name=None):
    with name_scope(name, "relu_layer", [x, weights, biases]) as name:
        x, weights = convert_to_tensor(x, name="x"), convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return relu(bias_add(math_ops.matmul(x, weights), biases), name=name)


# -- softmax

def _flatten_outer(logits):
    rank = array_ops.rank(logits)
    last = array_ops.slice(array_ops.shape(logits), [math_ops.subtract(rank, 1)], [1])
    rows = array_ops.reshape(logits, array_ops.concat([[-1], last], 0))
    if logits.shape.ndims is not None:
        # TF: also of a vector whose length nobody knows, which the shape function leaves open.
        outer = logits.shape.as_list()[:-1]
        if None not in outer:
            rows.set_shape([int(np.prod(outer)), logits.shape.as_list()[-1]])
    return rows


def _softmax(logits, op_type, dim, name):
    from .operators.nn_misc import softmax_along
    return softmax_along(logits, op_type, dim, name)


def softmax(logits, axis=None, name=None, dim=None):
    axis = ops.either("axis", axis, "dim", dim)
    return _softmax(logits, "Softmax", -1 if axis is None else axis, name)


def log_softmax(logits, axis=None, name=None, dim=None):
    axis = ops.either("axis", axis, "dim", dim)
    return _softmax(logits, "LogSoftmax", -1 if axis is None else axis, name)


def _no_sentinel(name, sentinel, labels, logits):
    if sentinel is not None:
        raise ValueError("Only call `%s` with named arguments (labels=..., logits=..., ...)" % name)
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    return _softmax_xent(labels, logits, ops.either("axis", axis, "dim", dim), name)


def _softmax_xent(labels, logits, axis, name):
    axis = -1 if axis is None else axis
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as name:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        precise = math_ops.cast(logits, dtypes.float32) if logits.dtype == dtypes.float16 else logits
        labels = math_ops.cast(labels, precise.dtype)
        rank = array_ops.rank(precise)
        dims = logits.shape
        if axis != -1:
            from .operators.nn_misc import move_to_end
            precise, labels = move_to_end(precise, axis, rank), move_to_end(labels, axis, rank)
        shape = array_ops.shape(precise)
        precise = _flatten_outer(precise)
        labels = _flatten_outer(labels)
        cost, _ = apply_op("SoftmaxCrossEntropyWithLogits", features=precise, labels=labels, name=name)
        output_shape = array_ops.slice(shape, [0], [math_ops.subtract(rank, 1)])
        cost = array_ops.reshape(cost, output_shape)
        if dims.ndims is not None:
            kept = dims.as_list()
            del kept[axis]
            cost.set_shape(kept)
        return math_ops.cast(cost, dtypes.float16) if logits.dtype == dtypes.float16 else cost


def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=-1, name=None, axis=None):
    _no_sentinel("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as name:
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
    return _softmax_xent(labels, logits, ops.either("axis", axis, "dim", dim), name)


def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    _no_sentinel("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels = convert_to_tensor(labels)
        logits = convert_to_tensor(logits)
        precise = math_ops.cast(logits, dtypes.float32) if logits.dtype == dtypes.float16 else logits
        labels_static = labels.shape
        labels_shape = array_ops.shape(labels)
        static = labels_static.is_fully_defined() and logits.shape[:-1].is_fully_defined()
        if logits.shape.ndims is not None and logits.shape.ndims == 0:
            raise ValueError("Logits cannot be scalars - received shape %s." % logits.shape)
        if logits.shape.ndims is not None and labels_static.ndims is not None \
                and labels_static.ndims != logits.shape.ndims - 1:
            raise ValueError("Rank mismatch: Rank of labels (received %s) should equal rank of logits minus 1 (received "
                             "%s)." % (labels_static.ndims, logits.shape.ndims))
        if static and labels_static != logits.shape[:-1]:
            raise ValueError("Shape mismatch: The shape of labels (received %s) should equal the shape of logits except "
                             "for the last dimension (received %s)." % (labels_static, logits.shape))
        if logits.shape.ndims == 2:
            cost, _ = apply_op("SparseSoftmaxCrossEntropyWithLogits", features=precise, labels=labels, name=name)
            return math_ops.cast(cost, dtypes.float16) if logits.dtype == dtypes.float16 else cost
        # TF: what is not known of the shapes is compared when the op runs.
        checks = [] if static else [_assert_equal(array_ops.shape(labels), array_ops.shape(logits)[:-1])]
        with graph_lib.control_dependencies(checks):
            num_classes = array_ops.shape(logits)[array_ops.rank(logits) - 1]
            precise = array_ops.reshape(precise, [-1, num_classes])
            labels = array_ops.reshape(labels, [-1])
            cost, _ = apply_op("SparseSoftmaxCrossEntropyWithLogits", features=precise, labels=labels, name=name)
            cost = array_ops.reshape(cost, labels_shape)
            cost.set_shape(labels_static)
            return math_ops.cast(cost, dtypes.float16) if logits.dtype == dtypes.float16 else cost


def _assert_equal(x, y):
    from .operators.check_ops import assert_equal
    return assert_equal(x, y)


def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    _no_sentinel("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        try:
            labels.shape.merge_with(logits.shape)
        except ValueError:
            raise ValueError("logits and labels must have the same shape (%s vs %s)" % (logits.shape, labels.shape)) \
                from None
        zeros = array_ops.zeros_like(logits, dtype=logits.dtype)
        positive = logits >= zeros
        relu_logits = array_ops.where(positive, logits, zeros)
        neg_abs_logits = array_ops.where(positive, -logits, logits)
        return math_ops.add(relu_logits - logits * labels, math_ops.log1p(math_ops.exp(neg_abs_logits)), name=name)


# -- convolution and pooling: see nn_conv

from .operators.nn_conv import atrous_conv2d, atrous_conv2d_transpose, avg_pool, avg_pool1d, avg_pool2d, avg_pool3d
from .operators.nn_conv import conv1d, conv1d_transpose, conv2d, conv2d_backprop_filter, conv2d_backprop_input
from .operators.nn_conv import conv2d_transpose, conv3d, conv3d_transpose, conv_transpose, convolution
from .operators.nn_conv import depthwise_conv2d, dilation2d, erosion2d, max_pool, max_pool1d, max_pool2d, max_pool3d
from .operators.nn_conv import max_pool_with_argmax, pool, separable_conv2d, with_space_to_batch


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    try:
        dropped = None if keep_prob is None else 1.0 - keep_prob
    except TypeError:
        raise ValueError("keep_prob must be a floating point number or Tensor (got %r)" % keep_prob) from None
    rate = ops.either("rate", rate, "keep_prob", dropped)
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError("x has to be a floating point tensor since it's going to be scaled. Got a %s tensor "
                             "instead." % x.dtype)
        if isinstance(rate, numbers.Real):
            if not 0 <= rate < 1:
                raise ValueError("rate must be a scalar tensor or a float in the range [0, 1), got %g" % rate)
            if rate == 0:
                return x
        rate = convert_to_tensor(rate, dtype=x.dtype, name="rate")
        rate.shape.assert_has_rank(0)
        value = ops.constant_value(rate)
        if value is not None and value == 0:
            return x
        noise_shape = noise_shape if noise_shape is not None else array_ops.shape(x)
        random_tensor = random_ops.random_uniform(noise_shape, seed=seed, dtype=x.dtype)
        keep = 1 - rate
        scale = 1 / keep
        keep_mask = random_tensor >= rate
        result = x * scale * math_ops.cast(keep_mask, x.dtype)
        result.set_shape(x.shape)
        return result


def top_k(input, k=1, sorted=True, name=None):
    return apply_op("TopKV2", input=input, k=k, sorted=sorted, name=name)


def in_top_k(predictions, targets, k, name=None):
    with name_scope(name, "in_top_k"):
        return apply_op("InTopKV2", predictions=predictions, targets=targets, k=k, name=name)


# -- normalization

def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "moments", [x, axes]):
        y = math_ops.cast(x, dtypes.float32) if x.dtype == dtypes.float16 else x
        mean = math_ops.reduce_mean(y, axes, keepdims=True, name="mean")
        variance = math_ops.reduce_mean(math_ops.squared_difference(y, array_ops.stop_gradient(mean)), axes,
                                        keepdims=True, name="variance")
        if not keep:
            mean, variance = array_ops.squeeze(mean, axes), array_ops.squeeze(variance, axes)
        if x.dtype == dtypes.float16:
            return math_ops.cast(mean, dtypes.float16), math_ops.cast(variance, dtypes.float16)
        return mean, variance


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        inv = math_ops.rsqrt(variance + variance_epsilon)
        if scale is not None:
            inv *= scale
        return x * math_ops.cast(inv, x.dtype) + math_ops.cast(
            offset - mean * inv if offset is not None else -mean * inv, x.dtype)


def fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC", is_training=True,
                     name=None):
    x = convert_to_tensor(x, name="input")
    scale = convert_to_tensor(scale, name="scale")
    offset = convert_to_tensor(offset, name="offset")
    if is_training and (mean is not None or variance is not None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    mean = constant([], dtypes.float32) if mean is None else mean
    variance = constant([], dtypes.float32) if variance is None else variance
    epsilon = epsilon if epsilon > 1.001e-5 else 1.001e-5
    y, batch_mean, batch_var, _, _, _ = apply_op(
        "FusedBatchNormV3", x=x, scale=scale, offset=offset, mean=mean, variance=variance, epsilon=epsilon,
        data_format=data_format, is_training=is_training, name=name)
    return y, batch_mean, batch_var


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    axis = ops.either("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as name:
        x = convert_to_tensor(x, name="x")
        square_sum = math_ops.reduce_sum(math_ops.square(x), axis, keepdims=True)
        return math_ops.multiply(x, math_ops.rsqrt(math_ops.maximum(square_sum, epsilon)), name=name)


def __getattr__(name):
    """What is put together of this module's own functions lives in others."""
    from .operators import nn_embedding, nn_misc
    for module in (nn_embedding, nn_misc):
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError("module 'tensorflow.nn' has no attribute '%s'" % name)
