# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.layers: convolutions, transposed and separable ones, poolings."""

from .. import nn
from ..framework import tensor_shape
from ..operators import array_ops, nn_conv
from ..state import initializers
from . import activations
from .layer_sizes import convert_data_format, normalize_data_format, normalize_tuple
from .layers_base import InputSpec, Layer


def _padding(value, allowed):
    if isinstance(value, (list, tuple)):
        return value
    value = value.lower()
    if value not in allowed:
        raise ValueError("The `padding` argument must be a list/tuple or one of \"valid\", \"same\" (or \"causal\", only for "
                         "`Conv1D). Received: " + str(value))
    return value


class _Conv(Layer):
    rank = 2

    def _set_up(self, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                bias_initializer, bias_regularizer, bias_constraint):
        self.filters, self.kernel_size = filters, normalize_tuple(kernel_size, self.rank, "kernel_size")
        self.strides = normalize_tuple(strides, self.rank, "strides")
        self.padding = _padding(padding, ("valid", "same", "causal"))
        if self.padding == "causal" and self.rank != 1:
            raise ValueError("Causal padding is only supported for `Conv1D` and ``SeparableConv1D`.")
        self.channels_first = normalize_data_format(data_format or "channels_last") == "channels_first"
        self.dilation = normalize_tuple(dilation_rate, self.rank, "dilation_rate")
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.bias_options = self._weight_options("bias", initializer=bias_initializer, regularizer=bias_regularizer,
                                                 constraint=bias_constraint)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1,
                 activation=None, use_bias=True, kernel_initializer=None, bias_initializer=initializers.Zeros(),
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **keywords):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **keywords)
        self._set_up(filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                     bias_initializer, bias_regularizer, bias_constraint)
        self.kernel_options = self._weight_options("kernel", initializer=kernel_initializer, regularizer=kernel_regularizer,
                                                   constraint=kernel_constraint)

    data_format = property(lambda self: "channels_first" if self.channels_first else "channels_last")
    dilation_rate = property(lambda self: self.dilation)

    def _format(self, n):
        return convert_data_format(self.data_format, n)

    def _channels(self, input_shape):
        axis = 1 if self.channels_first else -1
        value = input_shape[axis].value
        if value is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: value})
        return value

    def _add_bias(self):
        self.bias = self.add_weight("bias", [self.filters], **self.bias_options) if self.use_bias else None

    def build(self, input_shape):
        input_shape = tensor_shape.as_shape(input_shape)
        channels = self._channels(input_shape)
        self.kernel = self.add_weight("kernel", list(self.kernel_size) + [channels, self.filters], **self.kernel_options)
        self._add_bias()
        padding = "valid" if self.padding == "causal" else self.padding
        padding = padding if isinstance(padding, (list, tuple)) else padding.upper()
        self._op = nn_conv.Convolution(input_shape, self.kernel.shape, padding, self.strides, self.dilation,
                                       data_format=self._format(self.rank + 2))
        self.built = True

    def _causal(self, inputs):
        if self.padding != "causal":
            return inputs
        left = [self.dilation[0] * (self.kernel_size[0] - 1), 0]
        return array_ops.pad(inputs, [[0, 0], [0, 0], left] if self.channels_first else [[0, 0], left, [0, 0]])

    def _biased(self, outputs, data_format=None):
        return nn.bias_add(outputs, self.bias, data_format=data_format or self._format(4)) if self.use_bias else outputs

    def _activated(self, outputs):
        return self.activation(outputs) if self.activation is not None else outputs

    def call(self, inputs):
        outputs = self._op(self._causal(inputs), self.kernel)
        if self.use_bias and self.channels_first and self.rank == 1:
            outputs += array_ops.reshape(self.bias, (1, self.filters, 1))
        else:
            outputs = self._biased(outputs)
        return self._activated(outputs)


class Conv1D(_Conv):
    rank = 1


class Conv2D(_Conv):
    rank = 2


class Conv3D(_Conv):
    rank = 3


def _backend():
    from ..keras import backend
    return backend


class _Transposed(_Conv):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", activation=None,
                 use_bias=True, kernel_initializer=None, bias_initializer=initializers.Zeros(), kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, output_padding=None, dilation_rate=1, **keywords):
        super().__init__(filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                         kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
                         kernel_constraint, bias_constraint, trainable, name, **keywords)
        self.output_padding = output_padding
        if output_padding is not None:
            self.output_padding = normalize_tuple(output_padding, self.rank, "output_padding")
            for stride, more in zip(self.strides, self.output_padding):
                if more >= stride:
                    raise ValueError("Stride " + str(self.strides) + " must be greater than output padding " +
                                     str(self.output_padding))

    def build(self, input_shape):
        input_shape = tensor_shape.as_shape(input_shape)
        if input_shape.ndims != self.rank + 2:
            raise ValueError("Inputs should have rank %d. Received input shape: %s" % (self.rank + 2, input_shape))
        channels = self._channels(input_shape)
        self.kernel = self.add_weight("kernel", list(self.kernel_size) + [self.filters, channels], **self.kernel_options)
        self._add_bias()
        self.built = True

    def _length(self, value, i):
        if value is None:
            return None
        stride = self.strides[i]
        size = self.kernel_size[i] + (self.kernel_size[i] - 1) * (self.dilation[i] - 1)
        if self.output_padding is not None:
            taken = size // 2 if self.padding == "same" else 0
            return (value - 1) * stride + size - 2 * taken + self.output_padding[i]
        value = value * stride
        return value + max(size - stride, 0) if self.padding == "valid" else value

    def _sizes(self, value_of):
        first = 2 if self.channels_first else 1
        values = [value_of(first + i) for i in range(self.rank)]
        return [self._length(v, i) for i, v in enumerate(values)]

    def _around(self, batch, sizes, channels):
        return [batch, channels] + sizes if self.channels_first else [batch] + sizes + [channels]

    def call(self, inputs):
        shape = array_ops.shape(inputs)
        batch = shape[0]
        output_shape = array_ops.stack(self._around(batch, self._sizes(lambda axis: shape[axis]), self.filters))
        outputs = self._run(inputs, output_shape)
        dims = inputs.shape.as_list()
        outputs.set_shape(self._around(dims[0], self._sizes(lambda axis: dims[axis]), self.filters))
        return self._activated(self._biased(outputs))


class Conv2DTranspose(_Transposed):
    rank = 2

    def _run(self, inputs, output_shape):
        return _backend().conv2d_transpose(inputs, self.kernel, output_shape, self.strides, self.padding, self.data_format,
                                           self.dilation)


class Conv3DTranspose(_Transposed):
    rank = 3

    def _run(self, inputs, output_shape):
        strides = (1, 1) + self.strides if self.channels_first else (1,) + self.strides + (1,)
        return nn_conv.conv3d_transpose(inputs, self.kernel, output_shape, strides, data_format=self._format(5),
                                        padding=self.padding.upper())


class _Separable(_Conv):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1,
                 depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None, pointwise_initializer=None,
                 bias_initializer=initializers.Zeros(), depthwise_regularizer=None, pointwise_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None, pointwise_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **keywords):
        for unused in ("kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            keywords.pop(unused, None)
        super(_Conv, self).__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **keywords)
        self._set_up(filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                     bias_initializer, bias_regularizer, bias_constraint)
        self.depth_multiplier = depth_multiplier
        self.options = [self._weight_options(name, initializer=i, regularizer=r, constraint=c) for name, i, r, c in (
            ("depthwise", depthwise_initializer, depthwise_regularizer, depthwise_constraint),
            ("pointwise", pointwise_initializer, pointwise_regularizer, pointwise_constraint))]

    def build(self, input_shape):
        input_shape = tensor_shape.as_shape(input_shape)
        channels = self._channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", list(self.kernel_size) + [channels, self.depth_multiplier], **self.options[0])
        self.pointwise_kernel = self.add_weight(
            "pointwise_kernel", [1] * self.rank + [self.depth_multiplier * channels, self.filters], **self.options[1])
        self._add_bias()
        self.built = True


class SeparableConv1D(_Separable):
    rank = 1

    def call(self, inputs):
        inputs = self._causal(inputs)
        twice = self.strides * 2
        strides, at = ((1, 1) + twice, 2) if self.channels_first else ((1,) + twice + (1,), 1)
        inputs = array_ops.expand_dims(inputs, at)
        depthwise = array_ops.expand_dims(self.depthwise_kernel, 0)
        pointwise = array_ops.expand_dims(self.pointwise_kernel, 0)
        padding = "VALID" if self.padding == "causal" else self.padding.upper()
        outputs = nn_conv.separable_conv2d(inputs, depthwise, pointwise, strides, padding, (1,) + self.dilation,
                                           data_format=self._format(4))
        return self._activated(array_ops.squeeze(self._biased(outputs), [at]))


class SeparableConv2D(_Separable):
    rank = 2

    def call(self, inputs):
        strides = (1, 1) + self.strides if self.channels_first else (1,) + self.strides + (1,)
        outputs = nn_conv.separable_conv2d(inputs, self.depthwise_kernel, self.pointwise_kernel, strides,
                                           self.padding.upper(), self.dilation, data_format=self._format(4))
        return self._activated(self._biased(outputs))


# -- pooling

class _Pooling(Layer):
    rank = 2
    data_format = property(lambda self: "channels_first" if self.channels_first else "channels_last")

    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **keywords):
        super().__init__(name=name, **keywords)
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        self.pool_size = normalize_tuple(pool_size, self.rank, "pool_size")
        self.strides = normalize_tuple(strides, self.rank, "strides")
        self.padding = _padding(padding, ("valid", "same"))
        self.channels_first = normalize_data_format(data_format or "channels_last") == "channels_first"
        self.input_spec = InputSpec(ndim=self.rank + 2)


class _Pooling1D(_Pooling):
    rank = 1

    def call(self, inputs):
        at = 3 if self.channels_first else 2
        outputs = _backend().pool2d(array_ops.expand_dims(inputs, at), self.pool_size + (1,), self.strides + (1,),
                                    self.padding, self.data_format, self.pool_mode)
        return array_ops.squeeze(outputs, at)


class _Pooling2D(_Pooling):
    def call(self, inputs):
        def whole(pair):
            return (1, 1) + pair if self.channels_first else (1,) + pair + (1,)
        return self._pool(inputs, whole(self.pool_size), whole(self.strides), self.padding.upper(),
                          data_format="NCHW" if self.channels_first else "NHWC")


class _Pooling3D(_Pooling):
    rank = 3

    def call(self, inputs):
        if self.channels_first:
            inputs = array_ops.transpose(inputs, (0, 2, 3, 4, 1))
        outputs = self._pool(inputs, (1,) + self.pool_size + (1,), (1,) + self.strides + (1,), self.padding.upper())
        return array_ops.transpose(outputs, (0, 4, 1, 2, 3)) if self.channels_first else outputs


class MaxPooling1D(_Pooling1D):
    pool_mode = "max"


class AveragePooling1D(_Pooling1D):
    pool_mode = "avg"


class MaxPooling2D(_Pooling2D):
    _pool = staticmethod(nn_conv.max_pool)


class AveragePooling2D(_Pooling2D):
    _pool = staticmethod(nn_conv.avg_pool)


class MaxPooling3D(_Pooling3D):
    _pool = staticmethod(nn_conv.max_pool3d)


class AveragePooling3D(_Pooling3D):
    _pool = staticmethod(nn_conv.avg_pool3d)
