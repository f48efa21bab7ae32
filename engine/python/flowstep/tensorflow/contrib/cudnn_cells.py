# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.cudnn_rnn: cells whose variables are those of cuDNN's layers."""

from .. import nn
from ..learning import rnn_cells
from ..operators import array_ops, math_ops
from ..state import initializers


class CudnnCompatibleLSTMCell(rnn_cells.LSTMBlockCell):
    def __init__(self, num_units, reuse=None):
        super().__init__(num_units, forget_bias=0, cell_clip=None, use_peephole=False, reuse=reuse,
                         name="cudnn_compatible_lstm_cell")


class CudnnCompatibleGRUCell(rnn_cells.GRUCell):
    """The reset gate is applied behind the product with the state, which has a bias of its own."""

    def __init__(self, num_units, reuse=None, kernel_initializer=None):
        super().__init__(num_units, activation=None, reuse=reuse, kernel_initializer=kernel_initializer)

    def build(self, inputs_shape):
        if inputs_shape[1].value is None:
            raise ValueError("Expected inputs.shape[-1] to be known, saw shape: %s" % inputs_shape)
        depth, units = inputs_shape[1].value, self._num_units

        def kernel(name, rows, columns):
            return self.add_variable(name + "/kernel", shape=[rows, columns], initializer=self._kernel_initializer)

        def bias(name, size, start):
            return self.add_variable(name + "/bias", shape=[size], initializer=self._bias_initializer or start)
        self._gate_kernel = kernel("gates", depth + units, 2 * units)
        self._gate_bias = bias("gates", 2 * units, initializers.Constant(1.0, dtype=self.dtype))
        self._input_kernel = kernel("candidate/input_projection", depth, units)
        self._hidden_kernel = kernel("candidate/hidden_projection", units, units)
        self._input_bias = bias("candidate/input_projection", units, initializers.Zeros(dtype=self.dtype))
        self._hidden_bias = bias("candidate/hidden_projection", units, initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        gates = nn.bias_add(math_ops.matmul(array_ops.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        r, u = array_ops.split(value=math_ops.sigmoid(gates), num_or_size_splits=2, axis=1)
        candidate = nn.bias_add(math_ops.matmul(inputs, self._input_kernel), self._input_bias)
        candidate += r * nn.bias_add(math_ops.matmul(state, self._hidden_kernel), self._hidden_bias)
        candidate = self._activation(candidate)
        new_h = (1 - u) * candidate + u * state
        return new_h, new_h
