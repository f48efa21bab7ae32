# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""LSTM cells over time and frequency: TimeFreqLSTMCell, GridLSTMCell, BidirectionalGridLSTMCell."""

import collections

from .. import dtypes, nn
from ..framework import ops, tensor_shape
from ..learning.rnn_cells import RNNCell, _warn_of_concatenated_state
from ..operators import array_ops, math_ops
from ..state import initializers, scope as scope_lib
from .rnn_cells import _clipped, sharded_variable

get_variable = scope_lib.get_variable


def _static_width(features):
    width = features.shape.with_rank(2).dims[-1].value
    if width is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    return width


class TimeFreqLSTMCell(RNNCell):
    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_unit_shards=1, forget_bias=1.0,
                 feature_size=None, frequency_skip=1, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._num_unit_shards, self._forget_bias = num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip

    output_size = property(lambda self: self._num_units)
    state_size = property(lambda self: 2 * self._num_units)

    def call(self, inputs, state):
        sigmoid, tanh, units, dtype = math_ops.sigmoid, math_ops.tanh, self._num_units, inputs.dtype
        count = int((_static_width(inputs) - self._feature_size) / self._frequency_skip) + 1
        blocks = [array_ops.slice(inputs, [0, f * self._frequency_skip], [-1, self._feature_size]) for f in range(count)]
        kernel = sharded_variable("W", [blocks[0].shape.as_list()[1] + 2 * units, 4 * units], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[4 * units], initializer=initializers.Zeros(), dtype=dtype)
        if self._use_peepholes:
            to_f, to_i, to_o = (get_variable("W_%s_diag" % key, shape=[units], dtype=dtype) for key in "FIO")
        before = array_ops.zeros([inputs.shape.dims[0].value or inputs.shape[0], units], dtype)
        for at, block in enumerate(blocks):
            c_prev = array_ops.slice(state, [0, 2 * at * units], [-1, units])
            h_prev = array_ops.slice(state, [0, (2 * at + 1) * units], [-1, units])
            gates = nn.bias_add(math_ops.matmul(array_ops.concat([block, h_prev, before], 1), kernel), bias)
            i, j, f, o = array_ops.split(value=gates, num_or_size_splits=4, axis=1)
            if self._use_peepholes:
                c = sigmoid(f + self._forget_bias + to_f * c_prev) * c_prev + sigmoid(i + to_i * c_prev) * tanh(j)
            else:
                c = sigmoid(f + self._forget_bias) * c_prev + sigmoid(i) * tanh(j)
            c = _clipped(c, self._cell_clip)
            before = sigmoid(o + to_o * c if self._use_peepholes else o) * tanh(c)
            if at == 0:
                state_out, out = array_ops.concat([c, before], 1), before
            else:
                state_out = array_ops.concat([state_out, c, before], 1)
                out = array_ops.concat([out, before], 1)
        return out, state_out


class GridLSTMCell(RNNCell):
    def __init__(self, num_units, use_peepholes=False, share_time_frequency_weights=False, cell_clip=None, initializer=None,
                 num_unit_shards=1, forget_bias=1.0, feature_size=None, frequency_skip=None, num_frequency_blocks=None,
                 start_freqindex_list=None, end_freqindex_list=None, couple_input_forget_gates=False, state_is_tuple=True,
                 reuse=None):
        super().__init__(_reuse=reuse)
        _warn_of_concatenated_state(self, state_is_tuple)
        self._num_units, self._use_peepholes, self._shared = num_units, use_peepholes, share_time_frequency_weights
        self._coupled, self._state_is_tuple, self._cell_clip = couple_input_forget_gates, state_is_tuple, cell_clip
        self._num_unit_shards, self._forget_bias = num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip
        self._starts, self._ends, self._num_frequency_blocks = start_freqindex_list, end_freqindex_list, num_frequency_blocks
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._total_blocks = sum(int(n) for n in num_frequency_blocks)
        self._state_tuple_type = None
        self._state_size = 2 * num_units * self._total_blocks
        if state_is_tuple:
            self._name_states("GridLSTMStateTuple", ["state"])
        self._output_size = num_units * self._total_blocks * 2

    def _name_states(self, name, prefixes):
        fields = ["%s_f%02d_b%02d_%s" % (prefix, at, block, part) for prefix in prefixes
                  for block, count in enumerate(self._num_frequency_blocks) for at in range(count) for part in "cm"]
        self._state_tuple_type = collections.namedtuple(name, fields)
        self._state_size = self._state_tuple_type(*[self._num_units] * len(fields))

    output_size = property(lambda self: self._output_size)
    state_size = property(lambda self: self._state_size)
    state_tuple_type = property(lambda self: self._state_tuple_type)

    def call(self, inputs, state):
        batch = tensor_shape.dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        outs, states = [], []
        for block, features in enumerate(self._make_tf_features(inputs)):
            made = self._compute(features, block, state, batch, state_is_tuple=self._state_is_tuple)
            outs.extend(made[0])
            states.extend(made[1])
        state_out = self._state_tuple_type(*states) if self._state_is_tuple else array_ops.concat(states, 1)
        return array_ops.concat(outs, 1), state_out

    def _gate_weights(self, block, width, dtype):
        """The matrices and biases of frequency and, if it has its own, time."""
        gates, made = 3 if self._coupled else 4, []
        for key in "f" if self._shared else "ft":
            kernel = sharded_variable("W_%s_%d" % (key, block), [width + 2 * self._num_units, gates * self._num_units], dtype,
                                      self._num_unit_shards)
            bias = get_variable("B_%s_%d" % (key, block), shape=[gates * self._num_units], initializer=initializers.Zeros(),
                                dtype=dtype)
            made.append((kernel, bias))
        return made

    def _peepholes(self, block, dtype):
        """{gate: (to frequency, to time)} of the frequency's gates and of the time's."""
        made = []
        for place in ["freq"] if self._shared else ["freq", "time"]:
            made.append({gate: tuple(get_variable("W_%s_diag_%s%s_%d" % (gate, place, to, block), shape=[self._num_units],
                                                  dtype=dtype) for to in "ft") for gate in ("IO" if self._coupled else "FIO")})
        return made * 2 if self._shared else made

    def _gates(self, made):
        parts = array_ops.split(value=made, num_or_size_splits=3 if self._coupled else 4, axis=1)
        return (parts[0], parts[1], None, parts[2]) if self._coupled else parts

    def _cell(self, gates, diagonals, c_freq, c_time, kept):
        """The new value of a cell from what it was."""
        i, j, f, _ = gates

        def looked(gate, value):
            if not self._use_peepholes:
                return value
            first, second = diagonals[gate]
            return value + first * c_freq + second * c_time
        taken = math_ops.sigmoid(looked("I", i))
        share = 1.0 - taken if self._coupled else math_ops.sigmoid(looked("F", f + self._forget_bias))
        return _clipped(share * kept + taken * math_ops.tanh(j), self._cell_clip)

    def _output(self, o, diagonals, c_freq, c_time, own):
        if self._use_peepholes:
            first, second = diagonals["O"]
            o = o + first * c_freq + second * c_time
        return math_ops.sigmoid(o) * math_ops.tanh(own)

    def _compute(self, features, block, state, batch, state_prefix="state", state_is_tuple=True):
        units, dtype = self._num_units, features[0].dtype
        weights = self._gate_weights(block, features[0].shape.as_list()[1], dtype)
        diagonals = self._peepholes(block, dtype) if self._use_peepholes else [None, None]
        h_freq = array_ops.zeros([batch, units], dtype)
        c_freq = array_ops.zeros([batch, units], dtype)
        outs, states = [], []
        for at, feature in enumerate(features):
            if state_is_tuple:
                prefix = "%s_f%02d_b%02d" % (state_prefix, at, block)
                c_time, h_time = getattr(state, prefix + "_c"), getattr(state, prefix + "_m")
            else:
                c_time = array_ops.slice(state, [0, 2 * at * units], [-1, units])
                h_time = array_ops.slice(state, [0, (2 * at + 1) * units], [-1, units])
            joined = array_ops.concat([feature, h_time, h_freq], 1)
            gates = [self._gates(nn.bias_add(math_ops.matmul(joined, kernel), bias)) for kernel, bias in weights]
            of_freq, of_time = gates[0], gates[-1]
            new_freq = self._cell(of_freq, diagonals[0], c_freq, c_time, c_freq)
            new_time = self._cell(of_time, diagonals[1], c_freq, c_time, c_time)
            h_freq = self._output(of_freq[3], diagonals[0], new_freq, new_time, new_freq)
            h_time = self._output(of_time[3], diagonals[1], new_freq, new_time, new_time)
            c_freq = new_freq
            states += [new_time, h_time]
            outs += [h_time, h_freq]
        return outs, states

    def _make_tf_features(self, input_feat, slice_offset=0):
        """For each block of frequencies the pieces of the input."""
        width, inputs = _static_width(input_feat), input_feat
        if slice_offset:
            sides = [0, 0, 0, slice_offset] if slice_offset > 0 else [0, 0, -slice_offset, 0]
            inputs = array_ops.pad(input_feat, ops.constant(sides, shape=[2, 2], dtype=dtypes.int32), "CONSTANT")
            slice_offset = max(slice_offset, 0)
        blocks = self._num_frequency_blocks
        if not self._starts:
            if len(blocks) != 1:
                raise ValueError("Length of num_frequency_blocks is not 1, but instead is %d" % len(blocks))
            places = [(0, width)]
        else:
            if len(self._starts) != len(self._ends):
                raise ValueError("Length of start and end freqindex_list does not match %d %d", len(self._starts),
                                 len(self._ends))
            if len(blocks) != len(self._starts):
                raise ValueError("Length of num_frequency_blocks is not equal to start_freqindex_list %d %d", len(blocks),
                                 len(self._starts))
            places = list(zip(self._starts, self._ends))
        made = []
        for wanted, (start, end) in zip(blocks, places):
            count = int((end - start - self._feature_size) / self._frequency_skip) + 1
            if count != wanted:
                raise ValueError("Invalid num_frequency_blocks, requires %d but gets %d, please check the input size and "
                                 "filter config are correct." % (wanted, count))
            made.append([array_ops.slice(inputs, [0, start + slice_offset + f * self._frequency_skip],
                                         [-1, self._feature_size]) for f in range(count)])
        return made


class BidirectionalGridLSTMCell(GridLSTMCell):
    def __init__(self, num_units, use_peepholes=False, share_time_frequency_weights=False, cell_clip=None, initializer=None,
                 num_unit_shards=1, forget_bias=1.0, feature_size=None, frequency_skip=None, num_frequency_blocks=None,
                 start_freqindex_list=None, end_freqindex_list=None, couple_input_forget_gates=False, backward_slice_offset=0,
                 reuse=None):
        super().__init__(num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer, num_unit_shards,
                         forget_bias, feature_size, frequency_skip, num_frequency_blocks, start_freqindex_list,
                         end_freqindex_list, couple_input_forget_gates, True, reuse)
        self._backward_slice_offset = int(backward_slice_offset)
        self._name_states("BidirectionalGridLSTMStateTuple", ["fwd_state", "bwd_state"])
        self._output_size = 2 * num_units * self._total_blocks * 2

    def call(self, inputs, state):
        batch = tensor_shape.dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        forward = self._make_tf_features(inputs)
        backward = self._make_tf_features(inputs, self._backward_slice_offset) if self._backward_slice_offset else forward
        outs, states = [], []
        for key, features, step in (("fwd", forward, 1), ("bwd", backward, -1)):
            with scope_lib.variable_scope(key):
                for block, pieces in enumerate(features):
                    made = self._compute(pieces[::step], block, state, batch, state_prefix=key + "_state")
                    outs.extend(made[0])
                    states.extend(made[1])
        return array_ops.concat(outs, 1), self._state_tuple_type(*states)
