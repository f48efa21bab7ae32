# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.layers: layers with variables of their own."""

import numpy as np

from . import array_ops, dtypes, initializers, math_ops, nn, ops
from .batch_norm import BatchNormalization, batch_normalization  # noqa: F401
from .layers_base import InputSpec, Layer, constant_bool, smart_cond  # noqa: F401
from .ops import convert_to_tensor


def _normalize(value, n, name):
    if isinstance(value, int):
        return (value,) * n
    value = tuple(value)
    if len(value) != n:
        raise ValueError("The `" + name + "` argument must be a tuple of " + str(n) + " integers. Received: " + str(value))
    return value


class Dense(Layer):
    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=initializers.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **keywords):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **keywords)
        self.input_spec = InputSpec(min_ndim=2)
        self.units, self.activation, self.use_bias = int(units), activation, use_bias
        self.kernel_options = dict(initializer=kernel_initializer, regularizer=kernel_regularizer,
                                   constraint=kernel_constraint)
        self.bias_options = dict(initializer=bias_initializer, regularizer=bias_regularizer, constraint=bias_constraint)

    def build(self, input_shape):
        if not (self.dtype.is_floating or self.dtype.is_complex):
            raise TypeError("Unable to build `Dense` layer with non-floating point dtype %s" % (self.dtype,))
        if input_shape[-1].value is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: input_shape[-1].value})
        self.kernel = self.add_weight("kernel", [input_shape[-1].value, self.units], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.units], **self.bias_options) if self.use_bias else None

    def call(self, inputs):
        if inputs.shape.ndims is not None and inputs.shape.ndims > 2:
            outputs = math_ops.tensordot(inputs, self.kernel, [[inputs.shape.ndims - 1], [0]])
            outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        else:
            outputs = math_ops.matmul(math_ops.cast(inputs, self.dtype), self.kernel)
        if self.use_bias:
            outputs = nn.bias_add(outputs, self.bias)
        return self.activation(outputs) if self.activation is not None else outputs


class Conv2D(Layer):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format="channels_last",
                 dilation_rate=(1, 1), activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=initializers.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **keywords):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **keywords)
        self.input_spec = InputSpec(ndim=4)
        self.filters, self.kernel_size = filters, _normalize(kernel_size, 2, "kernel_size")
        self.strides, self.padding = _normalize(strides, 2, "strides"), padding.upper()
        self.dilation = _normalize(dilation_rate, 2, "dilation_rate")
        self.channels_first = data_format == "channels_first"
        self.activation, self.use_bias = activation, use_bias
        self.kernel_options = dict(initializer=kernel_initializer, regularizer=kernel_regularizer,
                                   constraint=kernel_constraint)
        self.bias_options = dict(initializer=bias_initializer, regularizer=bias_regularizer, constraint=bias_constraint)

    data_format = property(lambda self: "NCHW" if self.channels_first else "NHWC")

    def _channels(self, input_shape):
        value = input_shape[1 if self.channels_first else -1].value
        if value is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        return value

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self.add_weight("kernel", list(self.kernel_size) + [channels, self.filters], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.filters], **self.bias_options) if self.use_bias else None

    def _finish(self, outputs):
        if self.use_bias:
            outputs = nn.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs) if self.activation is not None else outputs

    def _convolve(self, value, padding):
        return nn.conv2d(value, self.kernel, list(self.strides), padding, data_format=self.data_format)

    def call(self, inputs):
        rate = ops.constant(list(self.dilation), dtypes.int32, name="dilation_rate")
        if self.dilation == (1, 1):
            return self._finish(self._convolve(inputs, self.padding))
        return self._finish(nn.with_space_to_batch(inputs, rate, self.padding, self._convolve))


class Conv2DTranspose(Conv2D):
    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self.add_weight("kernel", list(self.kernel_size) + [self.filters, channels], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.filters], **self.bias_options) if self.use_bias else None

    def call(self, inputs):
        shape = array_ops.shape(inputs)
        batch = shape[0]
        h, w = (2, 3) if self.channels_first else (1, 2)
        sizes = [self._length(shape[axis], self.kernel_size[i], self.strides[i]) for i, axis in enumerate((h, w))]
        output = [batch, self.filters] + sizes if self.channels_first else [batch] + sizes + [self.filters]
        strides = (1, 1) + self.strides if self.channels_first else (1,) + self.strides + (1,)
        made = nn.conv2d_transpose(inputs, self.kernel, array_ops.stack(output), list(strides), self.padding,
                                   self.data_format)
        return self._finish(made)

    def _length(self, value, size, stride):
        value = value * stride
        return value + max(size - stride, 0) if self.padding == "VALID" else value


class _Pooling2D(Layer):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **keywords):
        super().__init__(name=name, **keywords)
        self.input_spec = InputSpec(ndim=4)
        self.pool_size, self.strides = _normalize(pool_size, 2, "pool_size"), _normalize(strides, 2, "strides")
        self.padding, self.channels_first = padding.upper(), data_format == "channels_first"

    def call(self, inputs):
        def whole(pair):
            return (1, 1) + pair if self.channels_first else (1,) + pair + (1,)
        return self._pool(inputs, list(whole(self.pool_size)), list(whole(self.strides)), self.padding,
                          "NCHW" if self.channels_first else "NHWC")


class MaxPooling2D(_Pooling2D):
    def _pool(self, *arguments):
        return nn.max_pool(*arguments)


class AveragePooling2D(_Pooling2D):
    def _pool(self, *arguments):
        return nn.avg_pool(*arguments)


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
    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **keywords):
        super().__init__(name=name, **keywords)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

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


dense, conv2d, conv2d_transpose = _functional(Dense), _functional(Conv2D), _functional(Conv2DTranspose)


def _unscoped(kind):
    """Layers without variables take their name as a default name, so two of one name differ."""
    def function(inputs, *arguments, name=None, **keywords):
        return kind(*arguments, name=name, **keywords).apply(inputs)
    return function


max_pooling2d, average_pooling2d = _unscoped(MaxPooling2D), _unscoped(AveragePooling2D)


def flatten(inputs, name=None, data_format="channels_last"):
    return Flatten(name=name, data_format=data_format).apply(inputs)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name).apply(inputs, training=training)
