# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.crf: scores of tag sequences, their sum over all sequences, and the best one."""

import numpy as np

from .. import dtypes
from ..framework.ops import apply_op, constant
from ..operators import array_ops, math_ops
from ..state import scope as scope_lib
from . import rnn
from .layers_base import smart_cond
from .rnn_cells import RNNCell


def _by_length(inputs, single, several):
    """What sequences of one step need, or those of more."""
    steps = inputs.shape.dims[1].value or array_ops.shape(inputs)[1]
    return smart_cond(math_ops.equal(steps, 1), single, several)


def _nothing_where_empty(values, lengths):
    return array_ops.where(math_ops.less_equal(lengths, 0), array_ops.zeros_like(values), values)


def _one_less(lengths):
    return math_ops.maximum(constant(0, dtype=lengths.dtype), lengths - 1)


def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    def single():
        batch = array_ops.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = array_ops.reshape(math_ops.range(batch, dtype=tag_indices.dtype), [-1, 1])
        scores = array_ops.gather_nd(array_ops.squeeze(inputs, [1]), array_ops.concat([rows, tag_indices], axis=1))
        return _nothing_where_empty(scores, sequence_lengths)

    def several():
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)
    return _by_length(inputs, single, several)


def crf_multitag_sequence_score(inputs, tag_bitmap, sequence_lengths, transition_params):
    def allowed():
        return array_ops.where(tag_bitmap, inputs, array_ops.fill(array_ops.shape(inputs), float("-inf")))
    return _by_length(
        inputs, lambda: math_ops.reduce_logsumexp(allowed(), axis=[1, 2], keepdims=False),
        lambda: crf_log_norm(inputs=allowed(), sequence_lengths=sequence_lengths, transition_params=transition_params))


def crf_log_norm(inputs, sequence_lengths, transition_params):
    first = array_ops.squeeze(array_ops.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])

    def single():
        return _nothing_where_empty(math_ops.reduce_logsumexp(first, [1]), sequence_lengths)

    def several():
        rest = array_ops.slice(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = rnn.dynamic_rnn(cell=cell, inputs=rest, sequence_length=_one_less(sequence_lengths),
                                    initial_state=first, dtype=dtypes.float32)
        return _nothing_where_empty(math_ops.reduce_logsumexp(alphas, [1]), sequence_lengths)
    return _by_length(inputs, single, several)


def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    tags = inputs.shape.dims[2].value
    if transition_params is None:
        transition_params = scope_lib.get_variable("transitions", [tags, tags])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return score - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def _mask(sequence_lengths, tag_indices):
    return array_ops.sequence_mask(sequence_lengths, maxlen=array_ops.shape(tag_indices)[1], dtype=dtypes.float32)


def crf_unary_score(tag_indices, sequence_lengths, inputs):
    batch, steps, tags = (array_ops.shape(inputs)[i] for i in range(3))
    flat = array_ops.reshape(inputs, [-1])
    offsets = array_ops.expand_dims(math_ops.range(batch) * steps * tags, 1)
    offsets += array_ops.expand_dims(math_ops.range(steps) * tags, 0)
    if tag_indices.dtype == dtypes.int64:
        offsets = math_ops.cast(offsets, dtypes.int64)
    places = array_ops.reshape(offsets + tag_indices, [-1])
    scores = array_ops.reshape(array_ops.gather(flat, places), [batch, steps])
    return math_ops.reduce_sum(scores * _mask(sequence_lengths, tag_indices), 1)


def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    tags = transition_params.shape[0]
    count = array_ops.shape(tag_indices)[1] - 1
    before = array_ops.slice(tag_indices, [0, 0], [-1, count])
    after = array_ops.slice(tag_indices, [0, 1], [-1, count])
    places = before * tags + after
    scores = array_ops.gather(array_ops.reshape(transition_params, [-1]), places)
    masks = array_ops.slice(_mask(sequence_lengths, tag_indices), [0, 1], [-1, -1])
    return math_ops.reduce_sum(scores * masks, 1)


class _TransitionCell(RNNCell):
    def __init__(self, transition_params):
        self._transition_params = array_ops.expand_dims(transition_params, 0)
        self._num_tags = transition_params.shape.dims[0].value

    state_size = property(lambda self: self._num_tags)
    output_size = property(lambda self: self._num_tags)

    def _scores(self, state):
        return array_ops.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_TransitionCell):
    """One step of the sum over all sequences."""

    def __call__(self, inputs, state, scope=None):
        alphas = inputs + math_ops.reduce_logsumexp(self._scores(state), [1])
        return alphas, alphas


class CrfDecodeForwardRnnCell(_TransitionCell):
    """One step of the best score and where it came from."""

    def __call__(self, inputs, state, scope=None):
        scores = self._scores(state)
        best = inputs + math_ops.reduce_max(scores, [1])
        return math_ops.cast(math_ops.argmax(scores, 1), dtype=dtypes.int32), best


class CrfDecodeBackwardRnnCell(RNNCell):
    """One step back along where the best score came from."""

    def __init__(self, num_tags):
        self._num_tags = num_tags

    state_size = property(lambda self: 1)
    output_size = property(lambda self: 1)

    def __call__(self, inputs, state, scope=None):
        state = array_ops.squeeze(state, axis=[1])
        rows = math_ops.range(array_ops.shape(inputs)[0])
        tags = array_ops.gather_nd(inputs, array_ops.stack([rows, state], axis=1))
        tags = array_ops.expand_dims(tags, axis=-1)
        return tags, tags


def _reversed(values, lengths):
    return apply_op("ReverseSequence", input=values, seq_lengths=lengths, seq_dim=1)


def crf_decode(potentials, transition_params, sequence_length):
    """(tags, score) of the best sequences."""
    def single():
        squeezed = array_ops.squeeze(potentials, [1])
        tags = array_ops.expand_dims(math_ops.argmax(squeezed, axis=1), 1)
        best = math_ops.reduce_max(squeezed, axis=1)
        return math_ops.cast(tags, dtype=dtypes.int32), best

    def several():
        forward = CrfDecodeForwardRnnCell(transition_params)
        first = array_ops.squeeze(array_ops.slice(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
        rest = array_ops.slice(potentials, [0, 1, 0], [-1, -1, -1])
        lengths = _one_less(sequence_length)
        pointers, last = rnn.dynamic_rnn(forward, inputs=rest, sequence_length=lengths, initial_state=first,
                                         time_major=False, dtype=dtypes.int32)
        pointers = _reversed(pointers, lengths)
        backward = CrfDecodeBackwardRnnCell(potentials.shape.dims[2].value)
        ends = math_ops.cast(math_ops.argmax(last, axis=1), dtype=dtypes.int32)
        ends = array_ops.expand_dims(ends, axis=-1)
        tags, _ = rnn.dynamic_rnn(backward, inputs=pointers, sequence_length=lengths, initial_state=ends,
                                  time_major=False, dtype=dtypes.int32)
        tags = array_ops.concat([ends, array_ops.squeeze(tags, axis=[2])], axis=1)
        return _reversed(tags, sequence_length), math_ops.reduce_max(last, axis=1)
    return _by_length(potentials, single, several)


def viterbi_decode(score, transition_params):
    """The best sequence of one example, in numpy, and its score."""
    best, pointers = np.zeros_like(score), np.zeros_like(score, dtype=np.int32)
    best[0] = score[0]
    for step in range(1, score.shape[0]):
        ways = best[step - 1][:, None] + transition_params
        best[step] = score[step] + ways.max(0)
        pointers[step] = ways.argmax(0)
    tags = [np.argmax(best[-1])]
    for step in range(score.shape[0] - 1, 0, -1):
        tags.append(pointers[step][tags[-1]])
    return tags[::-1], best[-1].max()
