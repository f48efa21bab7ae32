# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.legacy_seq2seq: decoders over lists of steps, and the losses of sequences."""

import copy

from .. import dtypes, nest, nn
from ..control import control_flow
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..learning import rnn, rnn_wrappers
from ..operators import array_ops, math_ops, nn_embedding
from ..state import scope as scope_lib


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """The cell over the inputs; with loop_function (output, i) each step but the first reads what that makes."""
    with scope_lib.variable_scope(scope or "rnn_decoder"):
        state, outputs, previous = initial_state, [], None
        for i, step in enumerate(decoder_inputs):
            if loop_function is not None and previous is not None:
                with scope_lib.variable_scope("loop_function", reuse=True):
                    step = loop_function(previous, i)
            if i > 0:
                scope_lib.get_variable_scope().reuse_variables()
            output, state = cell(step, state)
            outputs.append(output)
            if loop_function is not None:
                previous = output
    return outputs, state


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=dtypes.float32, scope=None):
    with scope_lib.variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = rnn.static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None, dtype=dtypes.float32, scope=None):
    """Encoder and decoder are one: the variables of the first are the second's."""
    with scope_lib.variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = rnn.static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        scope_lib.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def _most_likely(embedding, output_projection, update_embedding):
    """What a decoder reads after what it said: the embedding of the likeliest symbol."""
    def loop_function(previous, _):
        if output_projection is not None:
            previous = nn.xw_plus_b(previous, output_projection[0], output_projection[1])
        embedded = nn_embedding.embedding_lookup(embedding, math_ops.argmax(previous, 1))
        return embedded if update_embedding else array_ops.stop_gradient(embedded)
    return loop_function


def embedding_rnn_decoder(decoder_inputs, initial_state, cell, num_symbols, embedding_size, output_projection=None,
                          feed_previous=False, update_embedding_for_previous=True, scope=None):
    with scope_lib.variable_scope(scope or "embedding_rnn_decoder") as inside:
        if output_projection is not None:
            weights = convert_to_tensor(output_projection[0], dtype=inside.dtype)
            weights.shape.assert_is_compatible_with([None, num_symbols])
            biases = convert_to_tensor(output_projection[1], dtype=inside.dtype)
            biases.shape.assert_is_compatible_with([num_symbols])
        embedding = scope_lib.get_variable("embedding", [num_symbols, embedding_size])
        loop_function = _most_likely(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        embedded = (nn_embedding.embedding_lookup(embedding, i) for i in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop_function=loop_function)


def embedding_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size,
                          output_projection=None, feed_previous=False, dtype=None, scope=None):
    with scope_lib.variable_scope(scope or "embedding_rnn_seq2seq") as inside:
        if dtype is not None:
            inside.set_dtype(dtype)
        encoder = rnn_wrappers.EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols,
                                                embedding_size=embedding_size)
        _, state = rnn.static_rnn(encoder, encoder_inputs, dtype=dtype or inside.dtype)
        if output_projection is None:
            cell = rnn_wrappers.OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed, **options):
            return embedding_rnn_decoder(decoder_inputs, state, cell, num_decoder_symbols, embedding_size,
                                         output_projection=output_projection, feed_previous=feed, **options)
        return fed_either_way(decode, feed_previous, len(decoder_inputs), lambda: state)


def fed_either_way(decode, feed_previous, steps, structure, **if_asked):
    """What decode(feed_previous) gives; where that is a tensor, both ways are made and one is taken."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous)

    def branch(feed):
        with scope_lib.variable_scope(scope_lib.get_variable_scope(), reuse=None if feed else True):
            outputs, state = decode(feed, **(if_asked or {"update_embedding_for_previous": False}))
            return outputs + (nest.flatten(state) if nest.is_sequence(state) else [state])
    made = control_flow.cond(feed_previous, lambda: branch(True), lambda: branch(False))
    state, shape = made[steps:], structure()
    return made[:steps], nest.pack_sequence_as(shape, state) if nest.is_sequence(shape) else state[0]


def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None, name=None):
    """Weighted cross entropies of lists of steps, summed or averaged over the steps."""
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError("Lengths of logits, weights, and targets must be the same %d, %d, %d." %
                         (len(logits), len(weights), len(targets)))
    with name_scope(name, "sequence_loss_by_example", list(logits) + list(targets) + list(weights)):
        steps = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                entropy = nn.sparse_softmax_cross_entropy_with_logits(labels=array_ops.reshape(target, [-1]), logits=logit)
            else:
                entropy = softmax_loss_function(labels=target, logits=logit)
            steps.append(entropy * weight)
        total = math_ops.add_n(steps)
        if average_across_timesteps:
            count = math_ops.add_n(weights)
            count += 1e-12
            total /= count
    return total


def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True,
                  softmax_loss_function=None, name=None):
    with name_scope(name, "sequence_loss", list(logits) + list(targets) + list(weights)):
        cost = math_ops.reduce_sum(sequence_loss_by_example(
            logits, targets, weights, average_across_timesteps=average_across_timesteps,
            softmax_loss_function=softmax_loss_function))
        if not average_across_batch:
            return cost
        return cost / math_ops.cast(array_ops.shape(targets[0])[0], cost.dtype)


def model_with_buckets(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, softmax_loss_function=None,
                       per_example_loss=False, name=None):
    """One network for each pair of lengths, all with the variables of the first; their outputs and losses."""
    for values, what, length in ((encoder_inputs, "encoder_inputs", buckets[-1][0]), (targets, "targets", buckets[-1][1]),
                                 (weights, "weights", buckets[-1][1])):
        if len(values) < length:
            raise ValueError("Length of %s (%d) must be at least that of last bucket (%d)." % (what, len(values), length))
    losses, outputs = [], []
    loss = sequence_loss_by_example if per_example_loss else sequence_loss
    with name_scope(name, "model_with_buckets", encoder_inputs + decoder_inputs + targets + weights):
        for j, (encoded, decoded) in enumerate(buckets):
            with scope_lib.variable_scope(scope_lib.get_variable_scope(), reuse=True if j > 0 else None):
                made, _ = seq2seq(encoder_inputs[:encoded], decoder_inputs[:decoded])
                outputs.append(made)
                losses.append(loss(made, targets[:decoded], weights[:decoded], softmax_loss_function=softmax_loss_function))
    return outputs, losses
