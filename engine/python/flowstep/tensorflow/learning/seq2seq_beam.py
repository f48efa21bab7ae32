# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: decoding that keeps the best few sequences of each example."""

import collections

import numpy as np

from .. import dtypes, nest, nn
from ..control import control_flow
from ..control.tensor_array import TensorArray
from ..framework import graph as graph_lib, tensor_shape
from ..framework import tf_logging
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, constant_value, convert_to_tensor
from ..operators import array_ops, math_ops, nn_embedding
from .layers_base import Layer
from .rnn_cells import assert_like_rnncell
from .seq2seq_attention import AttentionWrapperState
from .seq2seq_decoders import Decoder

BeamSearchDecoderState = collections.namedtuple(
    "BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"))
BeamSearchDecoderOutput = collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))
FinalBeamSearchDecoderOutput = collections.namedtuple(
    "FinalBeamSearchDecoderOutput", ["predicted_ids", "beam_search_decoder_output"])


def _tile_one(t, multiplier):
    t = convert_to_tensor(t, name="t")
    shape = array_ops.shape(t)
    if t.shape.ndims is None or t.shape.ndims < 1:
        raise ValueError("t must have statically known rank")
    tiling = [1] * (t.shape.ndims + 1)
    tiling[1] = multiplier
    size = t.shape.dims[0].value
    tiled = array_ops.tile(array_ops.expand_dims(t, 1), tiling)
    tiled = array_ops.reshape(tiled, array_ops.concat(([shape[0] * multiplier], shape[1:]), 0))
    tiled.set_shape(tensor_shape.TensorShape([None if size is None else size * multiplier]).concatenate(t.shape[1:]))
    return tiled


def tile_batch(t, multiplier, name=None):
    """Every example so many times, one after the other."""
    with name_scope(name, "tile_batch", nest.flatten(t) + [multiplier]):
        return nest.map_structure(lambda part: _tile_one(part, multiplier), t)


def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    return apply_op("GatherTree", step_ids=step_ids, parent_ids=parent_ids, max_sequence_lengths=max_sequence_lengths,
                    end_token=end_token, name=name)


def gather_tree_from_array(t, parent_ids, sequence_length):
    """The array's elements in the order of the sequences that were found."""
    sizes = [parent_ids.shape.dims[i].value or array_ops.shape(parent_ids)[i] for i in range(3)]
    time, batch, beams = sizes
    beam_ids = array_ops.expand_dims(array_ops.expand_dims(math_ops.range(beams), 0), 0)
    beam_ids = array_ops.tile(beam_ids, [time, batch, 1])
    longest = math_ops.cast(math_ops.reduce_max(sequence_length, axis=1), dtypes.int32)
    ordered = gather_tree(beam_ids, parent_ids, longest, beams + 1)
    within = array_ops.transpose(array_ops.sequence_mask(sequence_length, maxlen=time), perm=[2, 0, 1])
    ordered = array_ops.where(within, ordered, beam_ids)
    times = array_ops.tile(array_ops.reshape(math_ops.range(time), [-1, 1, 1]), [1, batch, beams])
    examples = array_ops.tile(array_ops.reshape(math_ops.range(batch), [-1, 1, 1]), [1, time, beams])
    examples = array_ops.transpose(examples, perm=[1, 0, 2])
    indices = array_ops.stack([times, examples, ordered], -1)
    shape = array_ops.shape(t)
    found = array_ops.gather_nd(array_ops.reshape(t, [time, batch, beams, -1]), indices)
    return array_ops.reshape(found, shape)


def _check_rank(t):
    if t.shape.ndims is None:
        raise ValueError("Expected tensor (%s) to have known rank, but ndims == None." % t)


def _may_be_beams(shape, batch, beams):
    """Whether elements of an array can be told apart by example and beam, as far as is known."""
    if batch is None or shape.dims[0].value is None:
        return True
    if shape[0] == batch * beams and not (shape.ndims >= 2 and shape.dims[1].value is not None and
                                          (shape[0] != batch or shape[1] != beams)):
        return True
    tf_logging.warn("TensorArray reordering expects elements to be reshapable to %s which is incompatible with the current "
                    "shape %s. Consider setting reorder_tensor_arrays to False to disable TensorArray reordering during the "
                    "beam search." % (tensor_shape.TensorShape([batch, beams, None]), shape))
    return False


def _assert_beams(t, batch, beams):
    message = ("TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] which is incompatible "
               "with the dynamic shape of %s elements. Consider setting reorder_tensor_arrays to False to disable TensorArray "
               "reordering during the beam search." % t.name)
    shape = array_ops.shape(t)
    if t.shape.ndims == 2:
        return control_flow.Assert(math_ops.equal(shape[1], batch * beams), [message])
    merged = math_ops.equal(shape[1], batch * beams)
    apart = math_ops.logical_and(math_ops.equal(shape[1], batch), math_ops.equal(shape[2], beams))
    return control_flow.Assert(math_ops.logical_or(merged, apart), [message])


class BeamSearchDecoder(Decoder):
    """Steps of a cell, for the best few sequences at once."""

    tracks_own_finished = True

    def __init__(self, cell, embedding, start_tokens, end_token, initial_state, beam_width, output_layer=None,
                 length_penalty_weight=0.0, coverage_penalty_weight=0.0, reorder_tensor_arrays=True):
        assert_like_rnncell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError("output_layer must be a Layer, received: %s" % type(output_layer))
        self._cell, self._output_layer, self._reorder = cell, output_layer, reorder_tensor_arrays
        self._beam_width, self._length_penalty = beam_width, length_penalty_weight
        self._coverage_penalty = coverage_penalty_weight
        self._embedding_fn = embedding if callable(embedding) else lambda ids: nn_embedding.embedding_lookup(embedding, ids)
        tokens = convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        if tokens.shape.ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._end_token.shape.ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = array_ops.size(start_tokens)
        self._initial_cell_state = nest.map_structure(self._maybe_split, initial_state, cell.state_size)
        tokens = array_ops.tile(array_ops.expand_dims(tokens, 1), [1, beam_width])
        self._start_tokens, self._start_inputs = tokens, self._embedding_fn(tokens)
        self._finished = array_ops.one_hot(array_ops.zeros([self._batch_size], dtype=dtypes.int32), depth=beam_width,
                                           on_value=False, off_value=True, dtype=dtypes.bool)

    batch_size = property(lambda self: self._batch_size)

    def _rnn_output_size(self):
        size = self._cell.output_size
        if self._output_layer is None:
            return size
        batched = nest.map_structure(lambda s: tensor_shape.TensorShape([None]).concatenate(s), size)
        return nest.map_structure(lambda s: s[1:], self._output_layer.compute_output_shape(batched))

    @property
    def output_size(self):
        return BeamSearchDecoderOutput(*[tensor_shape.TensorShape([self._beam_width]) for _ in range(3)])

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(scores=nest.map_structure(lambda _: dtype, self._rnn_output_size()),
                                       predicted_ids=dtypes.int32, parent_ids=dtypes.int32)

    def initialize(self, name=None):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        log_probs = array_ops.one_hot(
            array_ops.zeros([self._batch_size], dtype=dtypes.int32), depth=self._beam_width,
            on_value=convert_to_tensor(0.0, dtype=dtype), off_value=convert_to_tensor(-np.inf, dtype=dtype), dtype=dtype)
        attention = _attention_probs(self._initial_cell_state, self._coverage_penalty)
        lengths = array_ops.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64)
        state = BeamSearchDecoderState(self._initial_cell_state, log_probs, self._finished, lengths,
                                       () if attention is None else attention)
        return self._finished, self._start_inputs, state

    def finalize(self, outputs, final_state, sequence_lengths):
        longest = math_ops.cast(math_ops.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        predicted = gather_tree(outputs.predicted_ids, outputs.parent_ids, longest, self._end_token)
        if self._reorder:
            final_state = final_state._replace(cell_state=nest.map_structure(
                lambda t: self._maybe_sort(t, outputs.parent_ids, final_state.lengths), final_state.cell_state))
        return FinalBeamSearchDecoderOutput(beam_search_decoder_output=outputs, predicted_ids=predicted), final_state

    # -- examples and beams as one dimension, and as two

    def _merge(self, t, s=None):
        s = tensor_shape.as_shape(constant_value(s) if isinstance(s, Tensor) else s)
        shape, known = array_ops.shape(t), constant_value(self._batch_size)
        result = array_ops.reshape(t, array_ops.concat(([self._batch_size * self._beam_width], shape[2:]), 0))
        result.set_shape(tensor_shape.TensorShape([None if known is None else int(known) * self._beam_width]).concatenate(s))
        return result

    def _split(self, t, s=None):
        s = tensor_shape.TensorShape(constant_value(s) if isinstance(s, Tensor) else s)
        shape = array_ops.shape(t)
        result = array_ops.reshape(t, array_ops.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        known = constant_value(self._batch_size)
        wanted = tensor_shape.TensorShape([None if known is None else int(known), self._beam_width]).concatenate(s)
        if not result.shape.is_compatible_with(wanted):
            raise ValueError("Unexpected behavior when reshaping between beam width and batch size.  The reshaped tensor has "
                             "shape: %s.  We expected it to have shape (batch_size, beam_width, depth) == %s.  Perhaps you "
                             "forgot to create a zero_state with batch_size=encoder_batch_size * beam_width?" %
                             (result.shape, wanted))
        result.set_shape(wanted)
        return result

    def _maybe_split(self, t, s):
        if isinstance(t, TensorArray):
            return t
        _check_rank(t)
        return self._split(t, s) if t.shape.ndims >= 1 else t

    def _maybe_merge(self, t, s):
        if isinstance(t, TensorArray):
            return t
        _check_rank(t)
        return self._merge(t, s) if t.shape.ndims >= 2 else t

    def _maybe_sort(self, t, parent_ids, lengths):
        if not isinstance(t, TensorArray):
            return t
        if t.element_shape.ndims is None or t.element_shape.ndims < 1:
            tf_logging.warn("The TensorArray %s in the cell state is not amenable to sorting based on the beam search result. "
                            "For a TensorArray to be sorted, its elements shape must be defined and have at least a rank of 1, "
                            "but saw shape: %s" % (t.handle.name, t.element_shape))
            return t
        if not _may_be_beams(t.element_shape, constant_value(self._batch_size), self._beam_width):
            return t
        t = t.stack()
        with graph_lib.control_dependencies([_assert_beams(t, self._batch_size, self._beam_width)]):
            return gather_tree_from_array(t, parent_ids, lengths)

    def step(self, time, inputs, state, name=None):
        with name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            inputs = nest.map_structure(lambda x: self._merge(x, s=x.shape[2:]), inputs)
            cell_state = nest.map_structure(self._maybe_merge, state.cell_state, self._cell.state_size)
            outputs, next_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda x: self._split(x, x.shape[1:]), outputs)
            next_state = nest.map_structure(self._maybe_split, next_state, self._cell.state_size)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            result, new_state = self._search(time, outputs, next_state, state)
            next_inputs = control_flow.cond(math_ops.reduce_all(new_state.finished), lambda: self._start_inputs,
                                            lambda: self._embedding_fn(result.predicted_ids))
        return result, new_state, next_inputs, new_state.finished

    def _lengthened(self, beam_state, vocabulary, not_finished):
        added = array_ops.one_hot(indices=array_ops.fill([self._batch_size, self._beam_width], self._end_token),
                                  depth=vocabulary, on_value=math_ops.to_int64(0), off_value=math_ops.to_int64(1),
                                  dtype=dtypes.int64)
        mask = math_ops.cast(not_finished, dtypes.int64)
        added *= array_ops.expand_dims(mask, 2)
        return added + array_ops.expand_dims(beam_state.lengths, 2)

    def _search(self, time, logits, next_cell_state, beam_state):
        batch, beams, finished = self._batch_size, self._beam_width, beam_state.finished
        known = constant_value(batch)
        not_finished = math_ops.logical_not(finished)
        step_probs = _masked(nn.log_softmax(logits), self._end_token, finished)
        total = array_ops.expand_dims(beam_state.log_probs, 2) + step_probs
        vocabulary = logits.shape.dims[-1].value or array_ops.shape(logits)[-1]
        lengths = self._lengthened(beam_state, vocabulary, not_finished)
        accumulated, attention = None, _attention_probs(next_cell_state, self._coverage_penalty)
        if attention is not None:
            attention *= array_ops.expand_dims(math_ops.cast(not_finished, dtypes.float32), 2)
            accumulated = beam_state.accumulated_attention_probs + attention
        scores = _scores(total, lengths, self._length_penalty, self._coverage_penalty, finished, accumulated)
        convert_to_tensor(time, name="time")
        flat = array_ops.reshape(scores, [batch, -1])
        k = convert_to_tensor(beams, dtype=dtypes.int32, name="beam_width")
        best, words = nn.top_k(flat, k=k)
        for t in (best, words):
            t.set_shape([None if known is None else int(known), beams])
        probs = _gathered(words, total, batch, beams * vocabulary, [-1], "next_beam_probs")
        word_ids = math_ops.cast(math_ops.mod(words, vocabulary, name="next_beam_word_ids"), dtypes.int32)
        parents = math_ops.cast(words / vocabulary, dtypes.int32, name="next_beam_parent_ids")
        finished = _gathered(parents, finished, batch, beams, [-1])
        next_finished = math_ops.logical_or(finished, math_ops.equal(word_ids, self._end_token), name="next_beam_finished")
        added = math_ops.cast(math_ops.logical_not(finished), dtypes.int64)
        next_lengths = _gathered(parents, beam_state.lengths, batch, beams, [-1])
        next_lengths += added
        next_accumulated = ()
        if accumulated is not None:
            next_accumulated = _gathered(parents, accumulated, batch, beams, [batch * beams, -1],
                                         "next_accumulated_attention_probs")
        next_cell_state = nest.map_structure(lambda t: _maybe_gathered(parents, t, batch, beams, [batch * beams, -1]),
                                             next_cell_state)
        state = BeamSearchDecoderState(cell_state=next_cell_state, log_probs=probs, lengths=next_lengths,
                                       finished=next_finished, accumulated_attention_probs=next_accumulated)
        return BeamSearchDecoderOutput(scores=best, predicted_ids=word_ids, parent_ids=parents), state


def _mean_of(many):
    joined = array_ops.concat([array_ops.expand_dims(p, -1) for p in many], -1)
    return math_ops.reduce_mean(joined, -1)


def _alignments(state):
    return _mean_of(state.alignments) if isinstance(state.alignments, tuple) else state.alignments


def _attention_probs(cell_state, coverage_penalty):
    if coverage_penalty == 0.0:
        return None
    found = []
    if isinstance(cell_state, AttentionWrapperState):
        found = [_alignments(cell_state)]
    elif isinstance(cell_state, tuple):
        found = [_alignments(state) for state in cell_state if isinstance(state, AttentionWrapperState)]
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return found[0] if len(found) == 1 else _mean_of(found)


def _length_factor(lengths, factor):
    factor = convert_to_tensor(factor, name="penalty_factor")
    factor.set_shape(())
    known = constant_value(factor)
    if known is not None and known == 0:
        return 1.0
    return math_ops.div((5. + math_ops.cast(lengths, dtypes.float32)) ** factor, (5. + 1.) ** factor)


def _scores(log_probs, lengths, length_penalty, coverage_penalty, finished, accumulated):
    factor = math_ops.cast(_length_factor(lengths, length_penalty), dtype=log_probs.dtype)
    scores = log_probs / factor
    coverage_penalty = convert_to_tensor(coverage_penalty, name="coverage_penalty_weight")
    if coverage_penalty.shape.ndims != 0:
        raise ValueError("coverage_penalty_weight should be a scalar, but saw shape: %s" % coverage_penalty.shape)
    if constant_value(coverage_penalty) == 0.0:
        return scores
    if accumulated is None:
        raise ValueError("accumulated_attention_probs can be None only if coverage penalty is disabled.")
    accumulated = array_ops.where(math_ops.equal(accumulated, 0.0), array_ops.ones_like(accumulated), accumulated)
    covered = math_ops.reduce_sum(math_ops.log(math_ops.minimum(accumulated, 1.0)), 2)
    covered *= math_ops.cast(finished, dtypes.float32)
    return scores + array_ops.expand_dims(covered * coverage_penalty, 2)


def _masked(probs, end_token, finished):
    """Sequences that are finished go on with the end token alone."""
    vocabulary = array_ops.shape(probs)[2]
    row = array_ops.one_hot(end_token, vocabulary, dtype=probs.dtype, on_value=convert_to_tensor(0., dtype=probs.dtype),
                            off_value=probs.dtype.min)
    rows = array_ops.tile(array_ops.reshape(row, [1, 1, -1]), array_ops.concat([array_ops.shape(finished), [1]], 0))
    mask = array_ops.tile(array_ops.expand_dims(finished, 2), [1, 1, vocabulary])
    return array_ops.where(mask, rows, probs)


def _maybe_gathered(indices, t, batch, size, shape):
    if isinstance(t, TensorArray):
        return t
    _check_rank(t)
    return _gathered(indices, t, batch, size, shape) if t.shape.ndims >= len(shape) else t


def _gathered(indices, t, batch, size, shape, name=None):
    with name_scope(name, "tensor_gather_helper"):
        offsets = array_ops.expand_dims(math_ops.range(batch) * size, 1)
        indices = array_ops.reshape(indices + offsets, [-1])
        result = array_ops.gather(array_ops.reshape(t, shape), indices)
        final = array_ops.shape(t)[:1 + len(shape)]
        known = constant_value(batch)
        static = tensor_shape.TensorShape([None if known is None else int(known)]).concatenate(t.shape[1:1 + len(shape)])
        result = array_ops.reshape(result, final, name="output")
        result.set_shape(static)
        return result
