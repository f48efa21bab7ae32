# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers.ConvLSTM2D: pictures one after the other, whose state is a picture too."""

import numpy as np

from ...framework import tensor_shape
from ...learning import layer_sizes
from ...operators import array_ops
from .. import backend
from ..base_layer import InputSpec, Layer
from .recurrent import RNN
from .recurrent_cells import LSTMCell

_ABOUT_LAYER = frozenset("""return_sequences return_state go_backwards stateful name dtype trainable input_shape
    batch_input_shape batch_size weights activity_regularizer dynamic time_major unroll zero_output_for_mask""".split())


def _length(length, size, padding, stride, dilation):
    """How long a side is after a convolution."""
    if length is None:
        return None
    return -(-(length - (0 if padding == "same" else (size - 1) * dilation)) // stride)


class ConvLSTM2DCell(LSTMCell):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1),
                 activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", unit_forget_bias=True, **keywords):
        super().__init__(filters, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
                         bias_initializer, unit_forget_bias, **keywords)
        self.filters = filters
        self.kernel_size = layer_sizes.normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = layer_sizes.normalize_tuple(strides, 2, "strides")
        self.padding, self.data_format = padding.lower(), data_format or backend.image_data_format()
        self.dilation_rate = layer_sizes.normalize_tuple(dilation_rate, 2, "dilation_rate")
        self.state_size = (filters, filters)

    def build(self, input_shape):
        dims = tensor_shape.as_shape(input_shape).as_list()
        depth = dims[1 if self.data_format == "channels_first" else -1]
        if depth is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.kernel_shape = self.kernel_size + (depth, self.filters * 4)
        self.kernel = self.add_weight(shape=self.kernel_shape, initializer=self.kernel_initializer, name="kernel",
                                      regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        self.recurrent_kernel = self.add_weight(
            shape=self.kernel_size + (self.filters, self.filters * 4), initializer=self.recurrent_initializer,
            name="recurrent_kernel", regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint)
        self.bias = self.add_weight(shape=(self.filters * 4,), name="bias", initializer=self._bias_start(),
                                    regularizer=self.bias_regularizer, constraint=self.bias_constraint) \
            if self.use_bias else None
        self.built = True

    def call(self, inputs, states, training=None):
        before, carry = states[0], states[1]
        drop = self.get_dropout_mask_for_cell(inputs, training, count=4)
        drop_before = self.get_recurrent_dropout_mask_for_cell(before, training, count=4)
        given, told = self._parts(inputs, drop), self._parts(before, drop_before)
        kernels = array_ops.split(self.kernel, 4, axis=3)
        recurrent_kernels = array_ops.split(self.recurrent_kernel, 4, axis=3)
        biases = array_ops.split(self.bias, 4) if self.use_bias else [None] * 4
        x = [self.input_conv(part, w, b, padding=self.padding) for part, w, b in zip(given, kernels, biases)]
        h = [self.recurrent_conv(part, w) for part, w in zip(told, recurrent_kernels)]
        let_in = self.recurrent_activation(x[0] + h[0])
        keep = self.recurrent_activation(x[1] + h[1])
        carry = keep * carry + let_in * self.activation(x[2] + h[2])
        out = self.recurrent_activation(x[3] + h[3])
        h = out * self.activation(carry)
        return h, [h, carry]

    def input_conv(self, x, w, b=None, padding="valid"):
        made = backend.conv2d(x, w, strides=self.strides, padding=padding, data_format=self.data_format,
                              dilation_rate=self.dilation_rate)
        return made if b is None else backend.bias_add(made, b, data_format=self.data_format)

    def recurrent_conv(self, x, w):
        return backend.conv2d(x, w, strides=(1, 1), padding="same", data_format=self.data_format)


class ConvRNN2D(RNN):
    """Steps of a cell whose states are pictures."""

    _bounded = True

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False, unroll=False,
                 **keywords):
        if unroll:
            raise TypeError("Unrolling isn't possible with convolutional RNNs.")
        if isinstance(cell, (list, tuple)):
            raise TypeError("It is not possible at the moment tostack convolutional cells.")
        super().__init__(cell, return_sequences, return_state, go_backwards, stateful, unroll, **keywords)
        self.input_spec, self._begun_with = [InputSpec(ndim=5)], None

    def _channels_first(self):
        return self.cell.data_format == "channels_first"

    def _picture(self, input_shape):
        """What one state is like."""
        cell, at = self.cell, 3 if self._channels_first() else 2
        sides = [_length(input_shape[at + i], cell.kernel_size[i], cell.padding, cell.strides[i], cell.dilation_rate[i])
                 for i in (0, 1)]
        return [cell.filters] + sides if self._channels_first() else sides + [cell.filters]

    def compute_output_shape(self, input_shape):
        dims = tensor_shape.as_shape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        picture = self._picture(dims)
        output = tensor_shape.TensorShape(dims[:2 if self.return_sequences else 1] + picture)
        if not self.return_state:
            return output
        return [output] + [tensor_shape.TensorShape(dims[:1] + picture) for _ in range(2)]

    def build(self, input_shape):
        dims = tensor_shape.as_shape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        self.input_spec[0] = InputSpec(shape=(dims[0] if self.stateful else None, None) + tuple(dims[2:5]))
        if not self.cell.built:
            self.cell.build(tuple(dims[:1] + dims[2:]))
        self._check_channels()
        if self.stateful:
            self.reset_states()
        self.built = True

    def get_initial_state(self, inputs):
        # TF: a convolution with a kernel of zeros, for its shape.
        empty = backend.sum(backend.zeros_like(inputs), axis=1)
        shape = tuple(self.cell.kernel_shape[:-1]) + (self.cell.filters,)
        state = self.cell.input_conv(empty, array_ops.zeros(shape), padding=self.cell.padding)
        return [state for _ in self.cell.state_size]

    def _check_states(self, given):
        self._begun_with = [tuple(x.shape.as_list()) for x in given]

    def _check_channels(self):
        """TF: when the cell's weights are there."""
        at = 1 if self._channels_first() else 3
        if self._begun_with is not None and [shape[at] for shape in self._begun_with] != list(self.cell.state_size):
            raise ValueError("An initial_state was passed that is not compatible with `cell.state_size`. Received "
                             "`state_spec`={}; However `cell.state_size` is {}".format(self._begun_with,
                                                                                      self.cell.state_size))

    def reset_states(self, states=None):
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        dims = self.input_spec[0].shape
        batch_size = dims[0]
        if batch_size is None:
            raise ValueError("If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input "
                             "tensors: \n- If using a Sequential model, specify the batch size by passing a "
                             "`batch_input_shape` argument to your first layer.\n- If using the functional API, specify the "
                             "time dimension by passing a `batch_shape` argument to your Input layer.\nThe same thing goes "
                             "for the number of rows and columns.")
        shape = (batch_size,) + tuple(self._picture(dims))
        if self.states[0] is None:
            self.states = [backend.zeros(shape) for _ in self.cell.state_size]
            return
        if states is None:
            states = [np.zeros(shape) for _ in self.states]
        states = states if isinstance(states, (list, tuple)) else [states]
        if len(states) != len(self.states):
            raise ValueError("Layer " + self.name + " expects " + str(len(self.states)) + " states, but it received " +
                             str(len(states)) + " state values. Input received: " + str(states))
        for i, (value, state) in enumerate(zip(states, self.states)):
            if value.shape != shape:
                raise ValueError("State " + str(i) + " is incompatible with layer " + self.name + ": expected shape=" +
                                 str(shape) + ", found shape=" + str(value.shape))
            backend.set_value(state, value)


class ConvLSTM2D(ConvRNN2D):
    def __init__(self, filters, kernel_size, *arguments, **keywords):
        about_layer = {name: keywords.pop(name) for name in list(keywords) if name in _ABOUT_LAYER}
        cell = ConvLSTM2DCell(filters, kernel_size, *arguments, dtype=about_layer.get("dtype"), **keywords)
        super().__init__(cell, **about_layer)

    def __getattr__(self, name):
        cell = self.__dict__.get("cell")
        if cell is None or name.startswith("_") or name not in cell.__dict__:
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))
        return getattr(cell, name)

    def get_config(self):
        return Layer.get_config(self)

    @classmethod
    def from_config(cls, config):
        return cls(**config)
