# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: decoders, and the loop that runs one until all sequences have ended."""

import collections

from .. import dtypes, nest
from ..control import loops
from ..control.control_flow import is_tensor_array
from ..control.tensor_array import TensorArray
from ..framework import ops, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import constant, convert_to_tensor
from ..operators import array_ops, math_ops
from ..state import scope as scope_lib
from .layers_base import Layer
from .rnn import _cache_here, transpose_batch_time
from .rnn_cells import _zero_states, assert_like_rnncell
from .seq2seq_helpers import Helper

BasicDecoderOutput = collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))


class Decoder:
    """Base of all: initialize(), step() and, where it has one, finalize()."""

    tracks_own_finished = False

    def finalize(self, outputs, final_state, sequence_lengths):
        raise NotImplementedError


def check_output_layer(layer):
    if layer is not None and not isinstance(layer, Layer):
        raise TypeError("output_layer must be a Layer, received: %s" % type(layer))


def output_size_of(cell, output_layer):
    """The size of what a cell, and a layer behind it, give."""
    if output_layer is None:
        return cell.output_size
    shape = output_layer.compute_output_shape(tensor_shape.TensorShape([None]).concatenate(cell.output_size))
    return tensor_shape.as_shape(shape)[1:]


class BasicDecoder(Decoder):
    """A cell, a helper that says what it reads, a layer for its outputs."""

    def __init__(self, cell, helper, initial_state, output_layer=None):
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError("helper must be a Helper, received: %s" % type(helper))
        check_output_layer(output_layer)
        self._cell, self._helper, self._initial_state, self._output_layer = cell, helper, initial_state, output_layer

    batch_size = property(lambda self: self._helper.batch_size)

    @property
    def output_size(self):
        return BasicDecoderOutput(output_size_of(self._cell, self._output_layer), self._helper.sample_ids_shape)

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(nest.map_structure(lambda _: dtype, output_size_of(self._cell, self._output_layer)),
                                  self._helper.sample_ids_dtype)

    def initialize(self, name=None):
        return self._helper.initialize() + (self._initial_state,)

    def step(self, time, inputs, state, name=None):
        with name_scope(name, "BasicDecoderStep", nest.flatten((time, inputs, state))):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, next_inputs, next_state = self._helper.next_inputs(time=time, outputs=outputs, state=cell_state,
                                                                         sample_ids=sample_ids)
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished


def _arrays(decoder):
    """For each of a decoder's outputs an array that grows."""
    def element_shape(size):
        if not isinstance(size, tensor_shape.TensorShape) or size.ndims == 0:
            return None
        batch = ops.constant_value(convert_to_tensor(decoder.batch_size, name="batch_size"))
        return tensor_shape.TensorShape([None if batch is None else int(batch)]).concatenate(size)
    return nest.map_structure(
        lambda size, dtype: TensorArray(dtype=dtype, size=0, dynamic_size=True, element_shape=element_shape(size)),
        decoder.output_size, decoder.output_dtype)


def _kept(finished):
    """What keeps the old state of sequences that have ended."""
    def choose(new, old):
        if is_tensor_array(old):
            return new
        new.set_shape(old.shape)
        return new if new.shape.ndims == 0 else array_ops.where(finished, old, new)
    return choose


def _body(decoder, impute_finished, zero_outputs):
    def body(time, arrays, state, inputs, finished, lengths):
        outputs, next_state, next_inputs, ended = decoder.step(time, inputs, state)
        next_finished = ended if decoder.tracks_own_finished else math_ops.logical_or(ended, finished)
        next_lengths = array_ops.where(math_ops.logical_not(finished),
                                       array_ops.fill(array_ops.shape(lengths), time + 1), lengths)
        nest.assert_same_structure(state, next_state)
        nest.assert_same_structure(arrays, outputs)
        nest.assert_same_structure(inputs, next_inputs)
        if impute_finished:
            outputs = nest.map_structure(lambda out, zero: array_ops.where(finished, zero, out), outputs, zero_outputs)
            next_state = nest.map_structure(_kept(finished), next_state, state)
        arrays = nest.map_structure(lambda array, out: array.write(time, out), arrays, outputs)
        return time + 1, arrays, next_state, next_inputs, next_finished, next_lengths
    return body


def dynamic_decode(decoder, output_time_major=False, impute_finished=False, maximum_iterations=None,
                   parallel_iterations=32, swap_memory=False, scope=None, **_):
    """(outputs, final state, lengths of the sequences)."""
    if not isinstance(decoder, Decoder):
        raise TypeError("Expected decoder to be type Decoder, but saw: %s" % type(decoder))
    with scope_lib.variable_scope(scope, "decoder") as varscope:
        _cache_here(varscope)
        if maximum_iterations is not None:
            maximum_iterations = convert_to_tensor(maximum_iterations, dtype=dtypes.int32, name="maximum_iterations")
            if maximum_iterations.shape.ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        zero_outputs = nest.map_structure(lambda size, dtype: _zero_states(size, decoder.batch_size, dtype),
                                          decoder.output_size, decoder.output_dtype)
        if maximum_iterations is not None:
            finished = math_ops.logical_or(finished, 0 >= maximum_iterations)
        lengths = array_ops.zeros_like(finished, dtype=dtypes.int32)
        time = constant(0, dtype=dtypes.int32)
        result = loops.while_loop(
            lambda _time, _arrays, _state, _inputs, finished, _lengths: math_ops.logical_not(math_ops.reduce_all(finished)),
            _body(decoder, impute_finished, zero_outputs), (time, _arrays(decoder), state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations, swap_memory=swap_memory)
        outputs = nest.map_structure(lambda array: array.stack(), result[1])
        final_state, final_lengths = result[2], result[5]
        try:
            outputs, final_state = decoder.finalize(outputs, final_state, final_lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, final_state, final_lengths
