# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Decoders of tf.contrib.legacy_seq2seq that attend to the encoder's states, or share its embedding."""

import copy

from .. import dtypes, nest, nn
from ..framework import ops
from ..learning import rnn, rnn_wrappers
from ..learning.rnn_cells import RNNCell
from ..learning.rnn_wrappers import _Linear
from ..operators import array_ops, math_ops, nn_conv, nn_embedding
from ..state import scope as scope_lib
from .legacy_seq2seq import _most_likely, embedding_rnn_decoder, fed_either_way, tied_rnn_seq2seq


class _Attention:
    """Heads that look at the states an encoder left."""

    def __init__(self, states, heads, dtype):
        self._length, self._size, self._dtype = states.shape[1].value, states.shape[2].value, dtype
        if self._length is None:
            self._length = array_ops.shape(states)[1]
        self._hidden = array_ops.reshape(states, [-1, self._length, 1, self._size])
        self._heads = []
        for head in range(heads):
            kernel = scope_lib.get_variable("AttnW_%d" % head, [1, 1, self._size, self._size], dtype=dtype)
            features = nn_conv.conv2d(self._hidden, kernel, [1, 1, 1, 1], "SAME")
            self._heads.append((features, scope_lib.get_variable("AttnV_%d" % head, [self._size], dtype=dtype)))

    def nothing(self, batch_size):
        shape = array_ops.stack([batch_size, self._size])
        made = [array_ops.zeros(shape, dtype=self._dtype) for _ in self._heads]
        for value in made:
            value.set_shape([None, self._size])
        return made

    def look(self, query):
        found = []
        if nest.is_sequence(query):
            query = array_ops.concat(nest.flatten(query), 1)
        for head, (features, weights) in enumerate(self._heads):
            with scope_lib.variable_scope("Attention_%d" % head):
                y = _Linear(query, self._size, True)(query)
                y = math_ops.cast(array_ops.reshape(y, [-1, 1, 1, self._size]), self._dtype)
                score = math_ops.reduce_sum(weights * math_ops.tanh(features + y), [2, 3])
                share = math_ops.cast(nn.softmax(math_ops.cast(score, dtype=dtypes.float32)), self._dtype)
                seen = math_ops.reduce_sum(array_ops.reshape(share, [-1, self._length, 1, 1]) * self._hidden, [1, 2])
                found.append(array_ops.reshape(seen, [-1, self._size]))
        return found


def attention_decoder(decoder_inputs, initial_state, attention_states, cell, output_size=None, num_heads=1,
                      loop_function=None, dtype=None, scope=None, initial_state_attention=False):
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.shape[2].value is None:
        raise ValueError("Shape[2] of attention_states must be known: %s" % attention_states.shape)
    output_size = cell.output_size if output_size is None else output_size
    with scope_lib.variable_scope(scope or "attention_decoder", dtype=dtype) as inside:
        dtype = inside.dtype
        batch_size = array_ops.shape(decoder_inputs[0])[0]
        attention = _Attention(attention_states, num_heads, dtype)
        state, outputs, previous = initial_state, [], None
        seen = attention.nothing(batch_size)
        if initial_state_attention:
            seen = attention.look(initial_state)
        for i, step in enumerate(decoder_inputs):
            if i > 0:
                scope_lib.get_variable_scope().reuse_variables()
            if loop_function is not None and previous is not None:
                with scope_lib.variable_scope("loop_function", reuse=True):
                    step = loop_function(previous, i)
            width = step.shape.with_rank(2)[1].value
            if width is None:
                raise ValueError("Could not infer input size from input: %s" % step.name)
            inputs = [math_ops.cast(value, dtype) for value in [step] + seen]
            cell_output, state = cell(_Linear(inputs, width, True)(inputs), state)
            if i == 0 and initial_state_attention:
                with scope_lib.variable_scope(scope_lib.get_variable_scope(), reuse=True):
                    seen = attention.look(state)
            else:
                seen = attention.look(state)
            with scope_lib.variable_scope("AttnOutputProjection"):
                inputs = [math_ops.cast(cell_output, dtype)] + seen
                output = _Linear(inputs, output_size, True)(inputs)
            if loop_function is not None:
                previous = output
            outputs.append(output)
    return outputs, state


def embedding_attention_decoder(decoder_inputs, initial_state, attention_states, cell, num_symbols, embedding_size,
                                num_heads=1, output_size=None, output_projection=None, feed_previous=False,
                                update_embedding_for_previous=True, dtype=None, scope=None, initial_state_attention=False):
    output_size = cell.output_size if output_size is None else output_size
    if output_projection is not None:
        biases = ops.convert_to_tensor(output_projection[1], dtype=dtype)
        biases.shape.assert_is_compatible_with([num_symbols])
    with scope_lib.variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = scope_lib.get_variable("embedding", [num_symbols, embedding_size])
        loop_function = _most_likely(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        embedded = [nn_embedding.embedding_lookup(embedding, i) for i in decoder_inputs]
        return attention_decoder(embedded, initial_state, attention_states, cell, output_size=output_size,
                                 num_heads=num_heads, loop_function=loop_function,
                                 initial_state_attention=initial_state_attention)


def embedding_attention_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols,
                                embedding_size, num_heads=1, output_projection=None, feed_previous=False, dtype=None,
                                scope=None, initial_state_attention=False):
    with scope_lib.variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as inside:
        encoder = rnn_wrappers.EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols,
                                                embedding_size=embedding_size)
        outputs, state = rnn.static_rnn(encoder, encoder_inputs, dtype=inside.dtype)
        states = array_ops.concat([array_ops.reshape(e, [-1, 1, cell.output_size]) for e in outputs], 1)
        output_size = None
        if output_projection is None:
            cell = rnn_wrappers.OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feed, **options):
            return embedding_attention_decoder(
                decoder_inputs, state, states, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                output_size=output_size, output_projection=output_projection, feed_previous=feed,
                initial_state_attention=initial_state_attention, **options)
        return fed_either_way(decode, feed_previous, len(decoder_inputs), lambda: state)


def embedding_tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_symbols, embedding_size, num_decoder_symbols=None,
                               output_projection=None, feed_previous=False, dtype=None, scope=None):
    with scope_lib.variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as inside:
        dtype = inside.dtype
        if output_projection is not None:
            for value, shape in zip(output_projection, ([None, num_symbols], [num_symbols])):
                ops.convert_to_tensor(value, dtype=dtype).shape.assert_is_compatible_with(shape)
        embedding = scope_lib.get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        encoded = [nn_embedding.embedding_lookup(embedding, x) for x in encoder_inputs]
        decoded = [nn_embedding.embedding_lookup(embedding, x) for x in decoder_inputs]
        if output_projection is None:
            cell = rnn_wrappers.OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None
                                                        else num_decoder_symbols)

        def decode(feed, update=True):
            loop_function = _most_likely(embedding, output_projection, update) if feed else None
            return tied_rnn_seq2seq(encoded, decoded, cell, loop_function=loop_function, dtype=dtype)

        def state_like():
            batch = encoder_inputs[0].shape[0].value
            return cell.zero_state(array_ops.shape(encoder_inputs[0])[0] if batch is None else batch, dtype)
        return fed_either_way(decode, feed_previous, len(decoder_inputs), state_like, update=False)


def one2many_rnn_seq2seq(encoder_inputs, decoder_inputs_dict, enc_cell, dec_cells_dict, num_encoder_symbols,
                         num_decoder_symbols_dict, embedding_size, feed_previous=False, dtype=None, scope=None):
    if not isinstance(enc_cell, RNNCell):
        raise TypeError("enc_cell is not an RNNCell: %s" % type(enc_cell))
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("keys of dec_cells_dict != keys of decodre_inputs_dict")
    for cell in dec_cells_dict.values():
        if not isinstance(cell, RNNCell):
            raise TypeError("dec_cell is not an RNNCell: %s" % type(cell))
    outputs, states = {}, {}
    with scope_lib.variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as inside:
        encoder = rnn_wrappers.EmbeddingWrapper(enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, state = rnn.static_rnn(encoder, encoder_inputs, dtype=inside.dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with scope_lib.variable_scope("one2many_decoder_" + str(name)):
                cell = rnn_wrappers.OutputProjectionWrapper(dec_cells_dict[name], symbols)

                def decode(feed, **_):
                    return embedding_rnn_decoder(decoder_inputs, state, cell, symbols, embedding_size,  # noqa: B023
                                                 feed_previous=feed)
                outputs[name], states[name] = fed_either_way(decode, feed_previous, len(decoder_inputs), lambda: state)
    return outputs, states
