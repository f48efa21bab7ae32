# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Cells of one op and networks of one op (tf.contrib.rnn): GRUBlockCell, LSTMBlockFusedCell, and what goes around them."""

from .. import dtypes
from ..framework import ops, tensor_shape
from ..framework.ops import apply_op
from ..learning import rnn
from ..learning.layers_base import InputSpec, Layer
from ..learning.rnn_cells import LayerRNNCell, LSTMStateTuple
from ..operators import array_ops, math_ops
from ..state import initializers


class GRUBlockCell(LayerRNNCell):
    _NAMES = "w_ru", "b_ru", "w_c", "b_c"

    def __init__(self, num_units=None, cell_size=None, reuse=None, name="gru_cell"):
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: self._cell_size)
    output_size = property(lambda self: self._cell_size)

    def build(self, input_shape):
        width, size = tensor_shape.dimension_value(input_shape[1]), self._cell_size
        if width is None:
            raise ValueError("Expecting input_size to be set.")
        kernel, bias, candidate_kernel, candidate_bias = self._NAMES
        self._gate_kernel = self.add_variable(kernel, [width + size, size * 2])
        self._gate_bias = self.add_variable(bias, [size * 2], initializer=initializers.Constant(1.0))
        self._candidate_kernel = self.add_variable(candidate_kernel, [width + size, size])
        self._candidate_bias = self.add_variable(candidate_bias, [size], initializer=initializers.Constant(0.0))

    def call(self, inputs, h_prev):
        size = h_prev.shape.with_rank(2)[1]
        if size != self._cell_size:
            raise ValueError("Shape of h_prev[1] incorrect: cell_size %i vs %s" % (self._cell_size, size))
        made = apply_op("GRUBlockCell", x=inputs, h_prev=h_prev, w_ru=self._gate_kernel, w_c=self._candidate_kernel,
                        b_ru=self._gate_bias, b_c=self._candidate_bias)
        return made[3], made[3]


class GRUBlockCellV2(GRUBlockCell):
    _NAMES = "gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias"


class FusedRNNCell:
    """A network that takes a whole sequence at once."""

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        raise NotImplementedError("Abstract method")


class FusedRNNCellAdaptor(FusedRNNCell):
    def __init__(self, cell, use_dynamic_rnn=False):
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            if is_list:
                inputs = array_ops.stack(inputs)
            outputs, state = rnn.dynamic_rnn(self._cell, inputs, sequence_length=sequence_length, initial_state=initial_state,
                                             dtype=dtype, time_major=True, scope=scope)
            return array_ops.unstack(outputs) if is_list else outputs, state
        if not is_list:
            inputs = array_ops.unstack(inputs)
        outputs, state = rnn.static_rnn(self._cell, inputs, initial_state=initial_state, dtype=dtype,
                                        sequence_length=sequence_length, scope=scope)
        return outputs if is_list else array_ops.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    def __init__(self, cell):
        self._cell = cell

    @staticmethod
    def _reverse(value, lengths):
        if isinstance(value, list):
            return value[::-1]
        if lengths is None:
            return array_ops.reverse(value, [0])
        return array_ops.reverse_sequence(value, lengths, 0, 1)

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        outputs, state = self._cell(self._reverse(inputs, sequence_length), initial_state=initial_state, dtype=dtype,
                                    sequence_length=sequence_length, scope=scope)
        return self._reverse(outputs, sequence_length), state


class LSTMBlockWrapper(Layer):
    """A layer that steps an LSTM through a whole sequence; _call_cell says how."""

    num_units = property(lambda self: self._num_units)

    def call(self, inputs, initial_state=None, dtype=None, sequence_length=None):
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = array_ops.stack(inputs)
        shape = inputs.shape.with_rank(3)
        if not shape[2]:
            raise ValueError("Expecting inputs_shape[2] to be set: %s" % shape)
        batch = shape.dims[1].value
        batch = array_ops.shape(inputs)[1] if batch is None else batch
        length = shape.dims[0].value
        length = array_ops.shape(inputs)[0] if length is None else length
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zero = array_ops.zeros(array_ops.stack([batch, self.num_units]), dtype=dtype)
            initial_state = zero, zero
        elif len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        elif dtype is None:
            dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length)
        cells, outputs = self._call_cell(inputs, initial_state[0], initial_state[1], dtype, sequence_length)
        if sequence_length is None:
            last = LSTMStateTuple(cells[-1], outputs[-1])
        else:
            outputs, last = self._up_to(cells, outputs, initial_state, sequence_length, length, batch, dtype)
        return array_ops.unstack(outputs) if is_list else outputs, last

    def _up_to(self, cells, outputs, initial_state, lengths, length, batch, dtype):
        """Outputs with nothing behind each sequence's end, and the state there."""
        mask = array_ops.transpose(array_ops.sequence_mask(lengths, length, dtype=dtype), [1, 0])
        mask = array_ops.tile(array_ops.expand_dims(mask, [-1]), [1, 1, self.num_units])
        outputs *= mask
        every_cell = array_ops.concat([array_ops.expand_dims(initial_state[0], [0]), cells], 0)
        every_output = array_ops.concat([array_ops.expand_dims(initial_state[1], [0]), outputs], 0)

        def at_end(values):
            return array_ops.gather_nd(values, array_ops.stack([lengths, math_ops.range(batch)], axis=1))
        cell = at_end(every_cell)
        return outputs, LSTMStateTuple(cell, at_end(every_output))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, reuse=None, dtype=None,
                 name="lstm_fused_cell"):
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self.input_spec = InputSpec(ndim=3)

    def build(self, input_shape):
        units = self._num_units
        self._kernel = self.add_variable("kernel", [input_shape.dims[2].value + units, units * 4])
        self._bias = self.add_variable("bias", [units * 4], initializer=initializers.Constant(0.0))
        if self._use_peephole:
            self._diagonals = [self.add_variable("w_%s_diag" % key, [units]) for key in "ifo"]

    def _call_cell(self, inputs, initial_cell_state=None, initial_output=None, dtype=None, sequence_length=None):
        length = inputs.shape.with_rank(3).dims[0].value
        length = array_ops.shape(inputs)[0] if length is None else length
        wci, wcf, wco = self._diagonals if self._use_peephole else [array_ops.zeros([self._num_units], dtype=dtype)] * 3
        longest = length if sequence_length is None else math_ops.reduce_max(sequence_length)
        made = apply_op("BlockLSTM", seq_len_max=math_ops.cast(longest, dtypes.int64), x=inputs, cs_prev=initial_cell_state,
                        h_prev=initial_output, w=self._kernel, wci=wci, wcf=wcf, wco=wco, b=self._bias,
                        forget_bias=self._forget_bias, cell_clip=self._cell_clip, use_peephole=self._use_peephole)
        return made[1], made[6]
