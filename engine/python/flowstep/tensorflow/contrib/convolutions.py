# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: convolutions and pooling over the layers of tf.layers."""

from .. import layers as tf_layers, nn
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops
from ..state import initializers, scope as scope_lib
from . import layers_util as util, model_variables
from .arg_scopes import add_arg_scope
from .initializers import xavier_initializer
from .layers_util import NCDHW, NCHW, NDHWC, NHWC

_RENAMED = {"bias": "biases", "kernel": "weights"}


# -- pooling

def _pooling(kind, scope_name, formats):
    @add_arg_scope
    def function(inputs, kernel_size, stride=2, padding="VALID", data_format=formats[1], outputs_collections=None,
                 scope=None):
        util.check_format(data_format, formats)
        with name_scope(scope, scope_name, [inputs]) as sc:
            layer = getattr(tf_layers, kind)(pool_size=kernel_size, strides=stride, padding=padding,
                                             data_format=util.keras_format(data_format), _scope=sc)
            return util.collect_named_outputs(outputs_collections, sc, layer.apply(convert_to_tensor(inputs)))
    return function


avg_pool2d = _pooling("AveragePooling2D", "AvgPool2D", (NCHW, NHWC))
max_pool2d = _pooling("MaxPooling2D", "MaxPool2D", (NCHW, NHWC))
avg_pool3d = _pooling("AveragePooling3D", "AvgPool3D", (NCDHW, NDHWC))
max_pool3d = _pooling("MaxPooling3D", "MaxPool3D", (NCDHW, NDHWC))
avg_pool2d.__name__, max_pool2d.__name__ = "avg_pool2d", "max_pool2d"
avg_pool3d.__name__, max_pool3d.__name__ = "avg_pool3d", "max_pool3d"


@add_arg_scope
def pool(inputs, kernel_size, pooling_type, padding="VALID", data_format=None, dilation_rate=1, stride=1,
         outputs_collections=None, scope=None):
    with name_scope(scope, "%s_pool" % pooling_type.lower(), [inputs]) as sc:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        n = rank - 2
        output = nn.pool(input=inputs, window_shape=util.n_positive_integers(n, kernel_size), pooling_type=pooling_type,
                         padding=padding, data_format=data_format,
                         dilation_rate=util.n_positive_integers(n, dilation_rate),
                         strides=util.n_positive_integers(n, stride), name=sc)
        return util.collect_named_outputs(outputs_collections, sc, output)


# -- convolutions

def _apply(kind, inputs, sc, collections, **options):
    """A layer of tf.layers in the scope, its variables in their collections."""
    layer = getattr(tf_layers, kind)(activation=None, activity_regularizer=None, name=sc.name,
                                     dtype=inputs.dtype.base_dtype, _scope=sc, **options)
    outputs = layer.apply(inputs)
    util.add_to_collections(layer.kernel, collections, "weights")
    if layer.use_bias:
        util.add_to_collections(layer.bias, collections, "biases")
    return outputs


@add_arg_scope
def convolution(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1,
                activation_fn=nn.relu, normalizer_fn=None, normalizer_params=None,
                weights_initializer=xavier_initializer(), weights_regularizer=None,
                biases_initializer=initializers.Zeros(), biases_regularizer=None, reuse=None,
                variables_collections=None, outputs_collections=None, trainable=True, scope=None, conv_dims=None):
    if data_format not in (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise ValueError("Invalid data_format: %r" % (data_format,))
    with scope_lib.variable_scope(scope, "Conv", [inputs], reuse=reuse,
                                  custom_getter=util.build_variable_getter(_RENAMED)) as sc:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError("Convolution expects input with rank %d, got %d" % (conv_dims + 2, rank))
        if rank not in (3, 4, 5):
            raise ValueError("Convolution not supported for input with rank", rank)
        outputs = _apply("Conv%dD" % (rank - 2), inputs, sc, variables_collections, filters=num_outputs,
                         kernel_size=kernel_size, strides=stride, padding=padding,
                         data_format=util.keras_format(data_format), dilation_rate=rate,
                         use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer,
                         bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
                         bias_regularizer=biases_regularizer, trainable=trainable, _reuse=reuse)
        return util.finish(outputs, sc.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _of_rank(dims):
    @add_arg_scope
    def function(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1,
                 activation_fn=nn.relu, normalizer_fn=None, normalizer_params=None,
                 weights_initializer=xavier_initializer(), weights_regularizer=None,
                 biases_initializer=initializers.Zeros(), biases_regularizer=None, reuse=None,
                 variables_collections=None, outputs_collections=None, trainable=True, scope=None):
        return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
                           normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
                           biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
                           trainable, scope, conv_dims=dims)
    function.__name__ = "convolution%dd" % dims
    return function


conv1d = convolution1d = _of_rank(1)
conv2d = convolution2d = _of_rank(2)
conv3d = convolution3d = _of_rank(3)


def _transposed(kind, scope_name, formats):
    @add_arg_scope
    def function(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=formats[1],
                 activation_fn=nn.relu, normalizer_fn=None, normalizer_params=None,
                 weights_initializer=xavier_initializer(), weights_regularizer=None,
                 biases_initializer=initializers.Zeros(), biases_regularizer=None, reuse=None,
                 variables_collections=None, outputs_collections=None, trainable=True, scope=None):
        with scope_lib.variable_scope(scope, scope_name, [inputs], reuse=reuse,
                                      custom_getter=util.build_variable_getter(_RENAMED)) as sc:
            util.check_format(data_format, formats)
            outputs = _apply(kind, convert_to_tensor(inputs), sc, variables_collections, filters=num_outputs,
                             kernel_size=kernel_size, strides=stride, padding=padding,
                             data_format=util.keras_format(data_format),
                             use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer,
                             bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
                             bias_regularizer=biases_regularizer, trainable=trainable, _reuse=reuse)
            return util.finish(outputs, sc.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)
    return function


conv2d_transpose = convolution2d_transpose = _transposed("Conv2DTranspose", "Conv2d_transpose", (NCHW, NHWC))
conv3d_transpose = convolution3d_transpose = _transposed("Conv3DTranspose", "Conv3d_transpose", (NCDHW, NDHWC))
conv2d_transpose.__name__, conv3d_transpose.__name__ = "convolution2d_transpose", "convolution3d_transpose"


def _variable(name, shape, dtype, initializer, regularizer, collections, trainable, group=None):
    return model_variables.model_variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
        collections=util.get_variable_collections(collections, group or name))


@add_arg_scope
def convolution2d_in_plane(inputs, kernel_size, stride=1, padding="SAME", activation_fn=nn.relu, normalizer_fn=None,
                           normalizer_params=None, weights_initializer=xavier_initializer(), weights_regularizer=None,
                           biases_initializer=initializers.Zeros(), biases_regularizer=None, reuse=None,
                           variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    with scope_lib.variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        dtype = inputs.dtype.base_dtype
        height, width = util.two_element_tuple(kernel_size)
        down, right = util.two_element_tuple(stride)
        channels = util.last_dimension(inputs.shape, min_rank=4)
        weights = _variable("weights", [height, width, 1, 1], dtype, weights_initializer, weights_regularizer,
                            variables_collections, trainable)
        weights = array_ops.tile(weights, [1, 1, channels, 1])
        outputs = nn.depthwise_conv2d(inputs, weights, [1, down, right, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            outputs = nn.bias_add(outputs, _variable("biases", [channels], dtype, biases_initializer, biases_regularizer,
                                                     variables_collections, trainable))
        return util.finish(outputs, sc.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


conv2d_in_plane = convolution2d_in_plane


@add_arg_scope
def separable_convolution2d(inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1, padding="SAME",
                            data_format=NHWC, rate=1, activation_fn=nn.relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=xavier_initializer(), pointwise_initializer=None,
                            weights_regularizer=None, biases_initializer=initializers.Zeros(), biases_regularizer=None,
                            reuse=None, variables_collections=None, outputs_collections=None, trainable=True,
                            scope=None):
    util.check_format(data_format, (NCHW, NHWC))
    renamed = {"bias": "biases", "depthwise_kernel": "depthwise_weights", "pointwise_kernel": "pointwise_weights"}
    with scope_lib.variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse,
                                  custom_getter=util.build_variable_getter(renamed)) as sc:
        inputs = convert_to_tensor(inputs)
        if num_outputs is None:
            outputs = _depthwise(inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate,
                                 weights_initializer, weights_regularizer, variables_collections, trainable)
            if normalizer_fn is None and biases_initializer is not None:
                channels = depth_multiplier * util.channel_dimension(inputs.shape, util.keras_format(data_format), 4)
                biases = _variable("biases", [channels], inputs.dtype.base_dtype, biases_initializer,
                                   biases_regularizer, variables_collections, trainable)
                outputs = nn.bias_add(outputs, biases, data_format=data_format)
            return util.finish(outputs, sc.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)
        layer = tf_layers.SeparableConv2D(
            filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
            data_format=util.keras_format(data_format), dilation_rate=util.two_element_tuple(rate), activation=None,
            depth_multiplier=depth_multiplier, use_bias=not normalizer_fn and biases_initializer,
            depthwise_initializer=weights_initializer, pointwise_initializer=pointwise_initializer or weights_initializer,
            bias_initializer=biases_initializer, depthwise_regularizer=weights_regularizer,
            pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, activity_regularizer=None,
            trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        outputs = layer.apply(inputs)
        util.add_to_collections(layer.depthwise_kernel, variables_collections, "weights")
        util.add_to_collections(layer.pointwise_kernel, variables_collections, "weights")
        if layer.bias is not None:
            util.add_to_collections(layer.bias, variables_collections, "biases")
        return util.finish(outputs, sc.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _depthwise(inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate, initializer, regularizer,
               collections, trainable):
    height, width = util.two_element_tuple(kernel_size)
    down, right = util.two_element_tuple(stride)
    channels = util.channel_dimension(inputs.shape, util.keras_format(data_format), min_rank=4)
    weights = _variable("depthwise_weights", [height, width, channels, depth_multiplier], inputs.dtype.base_dtype,
                        initializer, regularizer, collections, trainable, group="weights")
    strides = [1, 1, down, right] if data_format.startswith("NC") else [1, down, right, 1]
    return nn.depthwise_conv2d(inputs, weights, strides, padding, rate=util.two_element_tuple(rate),
                               data_format=data_format)


separable_conv2d = separable_convolution2d
