# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.layers: layers with variables of their own."""

import numpy as np

from . import dtypes, nn
from .framework import ops, tensor_shape
from .framework.ops import convert_to_tensor
from .learning import activations
from .learning.batch_norm import BatchNormalization, batch_normalization  # noqa: F401
from .learning.layers_base import InputSpec, Layer, constant_bool, smart_cond  # noqa: F401
from .learning.layers_conv import AveragePooling1D, AveragePooling2D, AveragePooling3D, Conv1D, Conv2D
from .learning.layers_conv import Conv2DTranspose, Conv3D, Conv3DTranspose, MaxPooling1D, MaxPooling2D, MaxPooling3D
from .learning.layers_conv import SeparableConv1D, SeparableConv2D
from .operators import array_ops, math_ops
from .state import initializers


class Dense(Layer):
    supports_masking = True

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=initializers.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **keywords):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **keywords)
        self.input_spec = InputSpec(min_ndim=2)
        self.units, self.activation, self.use_bias = int(units), activations.get(activation), use_bias
        self.kernel_options = self._weight_options("kernel", initializer=kernel_initializer, regularizer=kernel_regularizer,
                                                   constraint=kernel_constraint)
        self.bias_options = self._weight_options("bias", initializer=bias_initializer, regularizer=bias_regularizer,
                                                 constraint=bias_constraint)

    def build(self, input_shape):
        self._settle_dtype()
        input_shape = tensor_shape.as_shape(input_shape)
        if not (self._dtype.is_floating or self._dtype.is_complex):
            raise TypeError("Unable to build `Dense` layer with non-floating point dtype %s" % (self._dtype,))
        if input_shape[-1].value is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: input_shape[-1].value})
        self.kernel = self.add_weight("kernel", [input_shape[-1].value, self.units], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.units], **self.bias_options) if self.use_bias else None
        self.built = True

    def compute_output_shape(self, input_shape):
        shape = tensor_shape.as_shape(input_shape).with_rank_at_least(2)
        if shape[-1].value is None:
            raise ValueError("The innermost dimension of input_shape must be defined, but saw: %s" % input_shape)
        return shape[:-1].concatenate(self.units)

    def call(self, inputs):
        if inputs.shape.ndims is not None and inputs.shape.ndims > 2:
            outputs = math_ops.tensordot(inputs, self.kernel, [[inputs.shape.ndims - 1], [0]])
            outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        else:
            outputs = math_ops.matmul(math_ops.cast(inputs, self._dtype), self.kernel)
        if self.use_bias:
            outputs = nn.bias_add(outputs, self.bias)
        return self.activation(outputs) if self.activation is not None else outputs


class Flatten(Layer):
    def __init__(self, data_format=None, name=None, **keywords):
        super().__init__(name=name, **keywords)
        self.channels_first = (data_format or "channels_last").lower() == "channels_first"
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        ndims = inputs.shape.ndims
        if self.channels_first and ndims is not None and ndims > 1:
            inputs = array_ops.transpose(inputs, perm=[0] + list(range(2, ndims)) + [1])
        dims = inputs.shape.as_list()
        outputs = array_ops.reshape(inputs, (dims[0] or array_ops.shape(inputs)[0], -1))
        outputs.set_shape([dims[0], int(np.prod(dims[1:])) if all(dims[1:]) else None])
        return outputs


class Dropout(Layer):
    supports_masking = True

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **keywords):
        super().__init__(name=name, **keywords)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def compute_output_shape(self, input_shape):
        return input_shape

    def _noise_shape(self, inputs):
        if self.noise_shape is None:
            return None
        shape = array_ops.shape(inputs)
        return convert_to_tensor([shape[i] if v is None else v for i, v in enumerate(self.noise_shape)])

    def call(self, inputs, training=False):
        def dropped():
            return nn.dropout(inputs, noise_shape=self._noise_shape(inputs), seed=self.seed, rate=self.rate)
        return smart_cond(training, dropped, lambda: array_ops.identity(inputs))


def _functional(kind, call_options=()):
    def function(inputs, *arguments, reuse=None, name=None, **keywords):
        later = {k: keywords.pop(k) for k in call_options if k in keywords}
        layer = kind(*arguments, name=name, _reuse=reuse, _scope=name, **keywords)
        return layer.apply(inputs, **later)
    return function


dense = _functional(Dense)
conv1d, conv2d, conv3d = _functional(Conv1D), _functional(Conv2D), _functional(Conv3D)
conv2d_transpose, conv3d_transpose = _functional(Conv2DTranspose), _functional(Conv3DTranspose)
separable_conv1d, separable_conv2d = _functional(SeparableConv1D), _functional(SeparableConv2D)
convolution1d, convolution2d, convolution3d = conv1d, conv2d, conv3d
separable_convolution2d, convolution2d_transpose = separable_conv2d, conv2d_transpose
deconv2d, deconv3d, convolution3d_transpose = conv2d_transpose, conv3d_transpose, conv3d_transpose


def _unscoped(kind):
    """Layers without variables take their name as a default name, so two of one name differ."""
    def function(inputs, *arguments, name=None, **keywords):
        return kind(*arguments, name=name, **keywords).apply(inputs)
    return function


max_pooling1d, average_pooling1d = _unscoped(MaxPooling1D), _unscoped(AveragePooling1D)
max_pooling2d, average_pooling2d = _unscoped(MaxPooling2D), _unscoped(AveragePooling2D)
max_pooling3d, average_pooling3d = _unscoped(MaxPooling3D), _unscoped(AveragePooling3D)


def flatten(inputs, name=None, data_format="channels_last"):
    return Flatten(name=name, data_format=data_format).apply(inputs)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name).apply(inputs, training=training)
