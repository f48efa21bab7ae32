# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: convolutions with weights of their own at each position."""

from ...learning.layer_sizes import normalize_tuple
from .. import backend, configs
from ..base_layer import InputSpec, Layer
from .core import activation as activation_of


class _LocallyConnected(Layer):
    """Implementation 1: each position's patch times its own matrix."""

    rank = 1

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 implementation=1, **keywords):
        super().__init__(activity_regularizer=activity_regularizer, **keywords)
        if padding.lower() != "valid" and implementation == 1:
            raise ValueError('Invalid border mode for %s (only "valid" is supported if implementation is 1): %s' %
                             (type(self).__name__, padding))
        if implementation in (2, 3):
            raise NotImplementedError("Locally connected layers are computed by implementation 1 only")
        self.filters, self.padding, self.implementation = filters, padding.lower(), implementation
        self.kernel_size, self.strides = (normalize_tuple(given, self.rank, name) for given, name in (
            (kernel_size, "kernel_size"), (strides, "strides")))
        self.data_format = data_format or backend.image_data_format()
        self.activation, self.use_bias = activation_of(activation), use_bias
        self._of_kernel = dict(initializer=configs.initializer(kernel_initializer), regularizer=kernel_regularizer,
                               constraint=kernel_constraint)
        self._of_bias = dict(initializer=configs.initializer(bias_initializer), regularizer=bias_regularizer,
                             constraint=bias_constraint)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _check_sizes(self, sizes, channels, dims):
        if channels is None:
            raise ValueError("Axis 2 of input should be fully-defined. Found shape:", dims)

    def build(self, input_shape):
        dims = tuple(input_shape.as_list())
        first = self.data_format == "channels_first"
        channels, sizes = (dims[1], dims[2:]) if first else (dims[-1], dims[1:-1])
        self._check_sizes(sizes, channels, dims)
        self._positions = tuple((size - kernel + stride) // stride for size, kernel, stride in zip(
            sizes, self.kernel_size, self.strides))
        if self.implementation != 1:
            raise ValueError("Unrecognized implementation mode: %d." % self.implementation)
        count, patch = 1, channels
        for positions, size in zip(self._positions, self.kernel_size):
            count, patch = count * positions, patch * size
        self.kernel = self.add_weight(shape=(count, patch, self.filters), name="kernel", **self._of_kernel)
        self.bias = self.add_weight(shape=self._positions + (self.filters,), name="bias", **self._of_bias) \
            if self.use_bias else None
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={1 if first else -1: channels})
        self.built = True

    def call(self, inputs):
        outputs = backend.local_conv(inputs, self.kernel, self.kernel_size, self.strides, self._positions, self.data_format)
        if self.use_bias:
            outputs = backend.bias_add(outputs, self.bias, data_format=self.data_format)
        return outputs if self.activation is None else self.activation(outputs)


class LocallyConnected1D(_LocallyConnected):
    pass


class LocallyConnected2D(_LocallyConnected):
    rank = 2

    def _check_sizes(self, sizes, channels, dims):
        if None in sizes:
            raise ValueError("The spatial dimensions of the inputs to  a LocallyConnected2D layer should be fully-defined, "
                             "but layer received the inputs shape " + str(dims))
