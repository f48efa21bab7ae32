# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers.CuDNNGRU and CuDNNLSTM: all steps as one op, whose weights stand in one row."""

import collections

from ...framework import ops, tensor_shape
from ...framework.ops import apply_op
from ...operators import array_ops, state_ops
from ...state.initializers import Ones
from .. import backend, configs
from ..base_layer import InputSpec, Layer
from .recurrent import RNN

_Cell = collections.namedtuple("cell", "state_size")


class _CuDNNRNN(RNN):
    gates = 3
    n_states = 1
    # Where cuDNN wants the gates that Keras keeps in another order.
    order = (0, 1, 2)

    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, return_state=False, go_backwards=False, stateful=False, **keywords):
        self.units = units
        cell = _Cell(units if self.n_states == 1 else (units,) * self.n_states)
        time_major = keywords.pop("time_major", False)
        Layer.__init__(self, activity_regularizer=activity_regularizer, **keywords)
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self.stateful, self.time_major, self.unroll = go_backwards, stateful, time_major, False
        self.supports_masking, self.input_spec = False, [InputSpec(ndim=3)]
        self._states, self.constants_spec, self._n_constants = None, None, 0
        self._vector_shape = ops.constant([-1])
        self.kernel_initializer = configs.initializer(kernel_initializer)
        self.recurrent_initializer = configs.initializer(recurrent_initializer)
        self.bias_initializer = configs.initializer(bias_initializer)
        self.kernel_regularizer = configs.regularizer(kernel_regularizer)
        self.recurrent_regularizer = configs.regularizer(recurrent_regularizer)
        self.bias_regularizer = configs.regularizer(bias_regularizer)
        self.kernel_constraint = configs.constraint(kernel_constraint)
        self.recurrent_constraint = configs.constraint(recurrent_constraint)
        self.bias_constraint = configs.constraint(bias_constraint)

    def _bias_start(self):
        return self.bias_initializer

    def build(self, input_shape):
        super().build(input_shape)
        depth = tensor_shape.as_shape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()[-1]
        wide = self.units * self.gates
        self.kernel = self.add_weight(shape=(depth, wide), name="kernel", initializer=self.kernel_initializer,
                                      regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, wide), name="recurrent_kernel", initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint)
        self.bias = self.add_weight(shape=(2 * wide,), name="bias", initializer=self._bias_start(),
                                    regularizer=self.bias_regularizer, constraint=self.bias_constraint)
        self.built = True

    def _slice(self, value, gate, count):
        start, end = gate * self.units, (gate + 1) * self.units
        at = slice(None if gate == 0 else start, None if gate == count - 1 else end)
        return value[at] if value.shape.ndims == 1 else value[:, at]

    def _params(self):
        """All weights and biases in a row."""
        gates, order = self.gates, self.order
        parts = [self._slice(self.kernel, gate, gates) for gate in order]
        parts += [self._slice(self.recurrent_kernel, gate, gates) for gate in order]
        parts += [self._slice(self.bias, gate, 2 * gates) for gate in order]
        parts += [self._slice(self.bias, gates + gate, 2 * gates) for gate in order]
        return array_ops.concat([array_ops.reshape(part, self._vector_shape) for part in parts], axis=0)

    def _process_batch(self, inputs, initial_state):
        if not self.time_major:
            inputs = array_ops.transpose(inputs, perm=(1, 0, 2))
        states = [array_ops.expand_dims(state, axis=0) for state in initial_state]
        params = self._params()
        made = apply_op("CudnnRNNV2", input=inputs, input_h=states[0], input_c=states[1] if len(states) > 1 else 0,
                        params=params, is_training=True, **self._mode)
        outputs, states = made[0], list(made[1:1 + self.n_states])
        if self.stateful or self.return_state:
            states = [state[0] for state in states]
        if not self.return_sequences:
            return outputs[-1], states
        return outputs if self.time_major else array_ops.transpose(outputs, perm=(1, 0, 2)), states

    def call(self, inputs, mask=None, training=None, initial_state=None):
        if (mask[0] if isinstance(mask, list) else mask) is not None:
            raise ValueError("Masking is not supported for CuDNN RNNs.")
        inputs, initial_state, _ = self._begin_with(inputs, initial_state, None)
        if self.go_backwards:
            inputs = backend.reverse(inputs, 1)
        output, states = self._process_batch(inputs, initial_state)
        if self.stateful:
            self.add_update([state_ops.assign(own, new) for own, new in zip(self.states, states)])
        return [output] + states if self.return_state else output

    def get_config(self):
        return Layer.get_config(self)

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class CuDNNGRU(_CuDNNRNN):
    order = (1, 0, 2)
    _mode = {"rnn_mode": "gru"}


class CuDNNLSTM(_CuDNNRNN):
    gates, n_states, order = 4, 2, (0, 1, 2, 3)
    _mode = {}

    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, *arguments, **keywords):
        self.unit_forget_bias = unit_forget_bias
        super().__init__(units, kernel_initializer, recurrent_initializer, bias_initializer, *arguments, **keywords)

    def _bias_start(self):
        if not self.unit_forget_bias:
            return self.bias_initializer

        def start(_, *arguments, **keywords):
            return array_ops.concat([
                self.bias_initializer((self.units * 5,), *arguments, **keywords),
                Ones()((self.units,), *arguments, **keywords),
                self.bias_initializer((self.units * 2,), *arguments, **keywords)], axis=0)
        return start
