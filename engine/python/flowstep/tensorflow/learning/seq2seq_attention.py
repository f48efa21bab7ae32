# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: attention over a memory, and the cell that reads with it."""

import collections
import math

import numpy as np

from .. import dtypes, nest, nn
from ..contrib.shapes import with_same_shape
from ..control.tensor_array import TensorArray
from ..framework import graph as graph_lib
from ..framework import tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import convert_to_tensor
from ..layers import Dense
from ..operators import array_ops, check_ops, math_ops
from ..state import initializers, scope as scope_lib
from .layers_base import Layer
from .rnn_cells import RNNCell, _zero_states, assert_like_rnncell


class AttentionMechanism:
    """Base of all."""


def _known_size(tensor, axis):
    return tensor.shape.dims[axis].value or array_ops.shape(tensor)[axis]


def _masked_memory(memory, lengths, check_inner_dims):
    memory = nest.map_structure(lambda m: convert_to_tensor(m, name="memory"), memory)
    if lengths is not None:
        lengths = convert_to_tensor(lengths, name="memory_sequence_length")
    for m in nest.flatten(memory) if check_inner_dims else ():
        if not m.shape[2:].is_fully_defined():
            raise ValueError("Expected memory %s to have fully defined inner dims, but saw shape: %s" % (m.name, m.shape))
    if lengths is None:
        return memory
    first = nest.flatten(memory)[0]
    mask = array_ops.sequence_mask(lengths, maxlen=array_ops.shape(first)[1], dtype=first.dtype)

    def masked(m):
        rank = m.shape.ndims if m.shape.ndims is not None else array_ops.rank(m)
        ones = array_ops.ones(rank - 2, dtype=dtypes.int32)
        return m * array_ops.reshape(mask, array_ops.concat((array_ops.shape(mask), ones), 0))
    return nest.map_structure(masked, memory)


def _masked_score(score, lengths, value):
    if lengths is None:
        return score
    positive = check_ops.assert_positive(lengths, message="All values in memory_sequence_length must be greater than zero.")
    with graph_lib.control_dependencies([positive]):
        mask = array_ops.sequence_mask(lengths, maxlen=array_ops.shape(score)[1])
    return array_ops.where(mask, score, value * array_ops.ones_like(score))


class _Attention(AttentionMechanism):
    """Keys and values made of a memory."""

    def __init__(self, query_layer, memory, probability_fn, memory_sequence_length=None, memory_layer=None,
                 check_inner_dims_defined=True, score_mask_value=None, custom_key_value_fn=None, name=None):
        for layer, what in ((query_layer, "query_layer"), (memory_layer, "memory_layer")):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError("%s is not a Layer: %s" % (what, type(layer).__name__))
        self._query_layer, self._memory_layer, self.dtype = query_layer, memory_layer, memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError("probability_fn must be callable, saw type: %s" % type(probability_fn).__name__)
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(memory_layer.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, previous: probability_fn(
            _masked_score(score, memory_sequence_length, score_mask_value), previous)
        with name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = _masked_memory(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = memory_layer(self._values)
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size = _known_size(self._keys, 0)
            self._alignments_size = _known_size(self._keys, 1)

    memory_layer = property(lambda self: self._memory_layer)
    query_layer = property(lambda self: self._query_layer)
    values = property(lambda self: self._values)
    keys = property(lambda self: self._keys)
    batch_size = property(lambda self: self._batch_size)
    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)

    def initial_alignments(self, batch_size, dtype):
        return _zero_states(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size, dtype):
        return self.initial_alignments(batch_size, dtype)


def _layer(num_units, name, dtype):
    return Dense(num_units, name=name, use_bias=False, dtype=dtype)


def _wrapped(probability_fn):
    probability_fn = probability_fn or nn.softmax
    return lambda score, _: probability_fn(score)


class LuongAttention(_Attention):
    """The product of query and keys."""

    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, probability_fn=None,
                 score_mask_value=None, dtype=None, custom_key_value_fn=None, name="LuongAttention"):
        super().__init__(
            query_layer=None, memory_layer=_layer(num_units, "memory_layer", dtype or dtypes.float32), memory=memory,
            probability_fn=_wrapped(probability_fn), memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value, custom_key_value_fn=custom_key_value_fn, name=name)
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query, state):
        with scope_lib.variable_scope(None, "luong_attention", [query]):
            factor = None
            if self._scale:
                factor = scope_lib.get_variable("attention_g", dtype=query.dtype, initializer=initializers.Ones, shape=())
            score = self._score(query, factor)
        alignments = self._probability_fn(score, state)
        return alignments, alignments

    def _score(self, query, factor):
        depth, units = query.shape[-1], self._keys.shape[-1]
        if depth.value != units.value:
            raise ValueError(
                "Incompatible or unknown inner dimensions between query and keys.  Query (%s) has units: %s.  Keys (%s) have "
                "units: %s.  Perhaps you need to set num_units to the keys' dimension (%s)?" %
                (query, depth, self._keys, units, units))
        score = math_ops.matmul(array_ops.expand_dims(query, 1), self._keys, transpose_b=True)
        score = array_ops.squeeze(score, [1])
        return score if factor is None else factor * score


class BahdanauAttention(_Attention):
    """A vector's product with tanh of keys and query."""

    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, probability_fn=None,
                 score_mask_value=None, dtype=None, custom_key_value_fn=None, name="BahdanauAttention"):
        dtype = dtype or dtypes.float32
        super().__init__(
            query_layer=_layer(num_units, "query_layer", dtype), memory_layer=_layer(num_units, "memory_layer", dtype),
            memory=memory, probability_fn=_wrapped(probability_fn), custom_key_value_fn=custom_key_value_fn,
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name)
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query, state):
        with scope_lib.variable_scope(None, "bahdanau_attention", [query]):
            score, _ = self._unbiased(query)
        alignments = self._probability_fn(score, state)
        return alignments, alignments

    def _unbiased(self, query):
        """(the score, what the query is now)."""
        processed = self._query_layer(query)
        v = scope_lib.get_variable("attention_v", [self._num_units], dtype=query.dtype)
        if self._normalize:
            return self._normalized(processed, v, query.dtype), processed.dtype
        total = math_ops.reduce_sum(v * math_ops.tanh(self._keys + array_ops.expand_dims(processed, 1)), [2])
        return total, processed.dtype

    def _normalized(self, processed, v, dtype):
        g = scope_lib.get_variable("attention_g", dtype=dtype, shape=(),
                                   initializer=initializers.Constant(math.sqrt(1.0 / self._num_units)))
        b = scope_lib.get_variable("attention_b", [self._num_units], dtype=dtype, initializer=initializers.Zeros())
        processed = array_ops.expand_dims(processed, 1)
        normed = g * v * math_ops.rsqrt(math_ops.reduce_sum(math_ops.square(v)))
        return math_ops.reduce_sum(normed * math_ops.tanh(self._keys + processed + b), [2])


def hardmax(logits, name=None):
    """1 where the greatest is, 0 elsewhere."""
    with name_scope(name, "Hardmax", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        depth = logits.shape.dims[-1].value
        depth = array_ops.shape(logits)[-1] if depth is None else depth
        return array_ops.one_hot(math_ops.argmax(logits, -1), depth, dtype=logits.dtype)


_StateFields = collections.namedtuple("AttentionWrapperState", (
    "cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"))


class AttentionWrapperState(_StateFields):
    """What the wrapper hands from step to step."""

    def clone(self, **keywords):
        def checked(old, new):
            return with_same_shape(old, new) if isinstance(old, Tensor) and isinstance(new, Tensor) else new
        return nest.map_structure(checked, self, self._replace(**keywords))


def _compute_attention(mechanism, cell_output, attention_state, attention_layer):
    alignments, next_state = mechanism(cell_output, state=attention_state)
    context = math_ops.matmul(array_ops.expand_dims(alignments, 1), mechanism.values)
    context = array_ops.squeeze(context, [1])
    attention = context
    if attention_layer is not None:
        attention = attention_layer(array_ops.concat([cell_output, context], 1))
    return attention, alignments, next_state


def _checked_mechanisms(given):
    if isinstance(given, (list, tuple)):
        for mechanism in given:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError("attention_mechanism must contain only instances of AttentionMechanism, saw type: %s" %
                                type(mechanism).__name__)
        return given
    if not isinstance(given, AttentionMechanism):
        raise TypeError("attention_mechanism must be an AttentionMechanism or list of multiple AttentionMechanism "
                        "instances, saw type: %s" % type(given).__name__)
    return (given,)


def _as_tuple(value):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


class AttentionWrapper(RNNCell):
    """A cell that also reads what attention found the step before."""

    def __init__(self, cell, attention_mechanism, attention_layer_size=None, alignment_history=False, cell_input_fn=None,
                 output_attention=True, initial_cell_state=None, name=None, attention_layer=None, attention_fn=None,
                 dtype=None):
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._attention_mechanisms = _checked_mechanisms(attention_mechanism)
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError("cell_input_fn must be callable, saw type: %s" % type(cell_input_fn).__name__)
        self._cell_input_fn = cell_input_fn or (lambda inputs, attention: array_ops.concat([inputs, attention], -1))
        self._cell = cell
        self._set_layers(attention_layer_size, attention_layer)
        self._attention_fn = attention_fn or _compute_attention
        self._output_attention, self._alignment_history = output_attention, alignment_history
        with name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                self._initial_cell_state = self._same_batch(
                    _known_size(nest.flatten(initial_cell_state)[-1], 0), initial_cell_state, "check_initial_cell_state",
                    "When constructing AttentionWrapper %s: Non-matching batch sizes between the memory (encoder output) "
                    "and initial_cell_state.  Are you using the BeamSearchDecoder?  You may need to tile your initial state "
                    "via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width." % self._base_name)

    def _set_layers(self, sizes, layers):
        mechanisms = self._attention_mechanisms
        if sizes is not None and layers is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        if sizes is not None:
            sizes = _as_tuple(sizes)
            if len(sizes) != len(mechanisms):
                raise ValueError("If provided, attention_layer_size must contain exactly one integer per "
                                 "attention_mechanism, saw: %d vs %d" % (len(sizes), len(mechanisms)))
            self._attention_layers = tuple(_layer(size, "attention_layer", m.dtype) for size, m in zip(sizes, mechanisms))
            self._attention_layer_size = sum(sizes)
            return
        depths = [m.values.shape.dims[-1].value for m in mechanisms]
        if layers is None:
            self._attention_layers, self._attention_layer_size = None, sum(depths)
            return
        self._attention_layers = _as_tuple(layers)
        if len(self._attention_layers) != len(mechanisms):
            raise ValueError("If provided, attention_layer must contain exactly one layer per attention_mechanism, saw: %d "
                             "vs %d" % (len(self._attention_layers), len(mechanisms)))
        self._attention_layer_size = sum(
            tensor_shape.as_shape(layer.compute_output_shape([None, self._cell.output_size + depth])).dims[-1].value
            for layer, depth in zip(self._attention_layers, depths))

    def _same_batch(self, batch_size, values, name, message):
        """The values, once it is sure that the memories have as many rows."""
        checks = [check_ops.assert_equal(batch_size, m.batch_size, message=message) for m in self._attention_mechanisms]
        with graph_lib.control_dependencies(checks):
            return nest.map_structure(lambda s: array_ops.identity(s, name=name), values)

    def _item_or_tuple(self, items):
        items = tuple(items)
        return items if self._is_multi else items[0]

    @property
    def output_size(self):
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self):
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size, time=tensor_shape.TensorShape([]), attention=self._attention_layer_size,
            alignments=self._item_or_tuple(m.alignments_size for m in mechanisms),
            attention_state=self._item_or_tuple(m.state_size for m in mechanisms),
            alignment_history=self._item_or_tuple(m.alignments_size if self._alignment_history else () for m in mechanisms))

    def _history(self, alignments, dtype):
        if not self._alignment_history:
            return ()
        return TensorArray(dtype, size=0, dynamic_size=True, element_shape=alignments.shape)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            state = self._initial_cell_state
            if state is None:
                state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            state = self._same_batch(
                batch_size, state, "checked_cell_state",
                "When calling zero_state of AttentionWrapper %s: Non-matching batch sizes between the memory (encoder output) "
                "and the requested batch size.  Are you using the BeamSearchDecoder?  If so, make sure your encoder output "
                "has been tiled to beam_width via tf.contrib.seq2seq.tile_batch, and the batch_size= argument passed to "
                "zero_state is batch_size * beam_width." % self._base_name)
            alignments = [m.initial_alignments(batch_size, dtype) for m in self._attention_mechanisms]
            return AttentionWrapperState(
                cell_state=state, time=array_ops.zeros([], dtype=dtypes.int32),
                attention=_zero_states(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(m.initial_state(batch_size, dtype) for m in self._attention_mechanisms),
                alignment_history=self._item_or_tuple(self._history(a, dtype) for a in alignments))

    def call(self, inputs, state):
        if not isinstance(state, AttentionWrapperState):
            raise TypeError("Expected state to be instance of AttentionWrapperState. Received type %s instead." % type(state))
        output, next_cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        output = self._same_batch(
            _known_size(output, 0), output, "checked_cell_output",
            "When applying AttentionWrapper %s: Non-matching batch sizes between the memory (encoder output) and the query "
            "(decoder output).  Are you using the BeamSearchDecoder?  You may need to tile your memory input via the "
            "tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width." % self.name)
        attentions, alignments, states, histories = [], [], [], []
        old_states = state.attention_state if self._is_multi else [state.attention_state]
        old_histories = state.alignment_history if self._is_multi else [state.alignment_history]
        for i, mechanism in enumerate(self._attention_mechanisms):
            attention, alignment, next_state = self._attention_fn(
                mechanism, output, old_states[i], self._attention_layers[i] if self._attention_layers else None)
            histories.append(old_histories[i].write(state.time, alignment) if self._alignment_history else ())
            states.append(next_state)
            alignments.append(alignment)
            attentions.append(attention)
        attention = array_ops.concat(attentions, 1)
        following = AttentionWrapperState(
            time=state.time + 1, cell_state=next_cell_state, attention=attention,
            attention_state=self._item_or_tuple(states), alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(histories))
        return (attention if self._output_attention else output), following
