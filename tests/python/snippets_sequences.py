# snippets_sequences.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graphs of tf.contrib.seq2seq, tf.contrib.crf and other networks over sequences."""

import tensorflow as tf

seq2seq = tf.contrib.seq2seq


def _encoded(time=5, depth=6):
    source = tf.placeholder(tf.float32, [None, time, 3], name='source')
    lengths = tf.placeholder(tf.int32, [None], name='lengths')
    return tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(depth), source, lengths, dtype=tf.float32, scope='encoder') + (lengths,)


def training_decoder():
    _, state, _ = _encoded()
    table = tf.get_variable('table', [11, 4])
    targets = tf.placeholder(tf.int32, [None, None], name='targets')
    lengths = tf.placeholder(tf.int32, [None], name='target_lengths')
    helper = seq2seq.TrainingHelper(tf.nn.embedding_lookup(table, targets), lengths)
    decoder = seq2seq.BasicDecoder(tf.nn.rnn_cell.GRUCell(6), helper, state, tf.layers.Dense(11))
    outputs, _, final = seq2seq.dynamic_decode(decoder, impute_finished=True, maximum_iterations=tf.reduce_max(lengths))
    weights = tf.sequence_mask(final, tf.reduce_max(lengths), dtype=tf.float32)
    loss = seq2seq.sequence_loss(outputs.rnn_output, targets, weights)
    optimizer = tf.train.AdamOptimizer()
    grads = [(tf.clip_by_value(g, -1., 1.), v) for g, v in optimizer.compute_gradients(loss) if g is not None]
    optimizer.apply_gradients(grads)


def greedy_decoder():
    _, state, _ = _encoded()
    table = tf.get_variable('table', [11, 4])
    helper = seq2seq.GreedyEmbeddingHelper(table, tf.fill([tf.shape(state)[0]], 1), 2)
    decoder = seq2seq.BasicDecoder(tf.nn.rnn_cell.GRUCell(6), helper, state, tf.layers.Dense(11, use_bias=False))
    outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=9, output_time_major=True)
    tf.identity(outputs.sample_id, name='said')


def sampling_decoder():
    helper = seq2seq.SampleEmbeddingHelper(lambda ids: tf.one_hot(ids, 7), tf.constant([0, 0]), 3, softmax_temperature=0.5, seed=4)
    cell = tf.nn.rnn_cell.LSTMCell(7)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
    seq2seq.dynamic_decode(decoder, maximum_iterations=4)


def scheduled_embedding():
    x = tf.placeholder(tf.float32, [2, 5, 3], name='x')
    helper = seq2seq.ScheduledEmbeddingTrainingHelper(x, [5, 4], tf.get_variable('e', [8, 3]), 0.25, seed=1, scheduling_seed=2)
    cell = tf.nn.rnn_cell.BasicLSTMCell(4)
    seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32), tf.layers.Dense(8)))


def scheduled_output():
    x = tf.placeholder(tf.float32, [5, 2, 3], name='x')
    helper = seq2seq.ScheduledOutputTrainingHelper(x, [5, 4], 0.5, time_major=True, seed=1)
    cell = tf.nn.rnn_cell.GRUCell(3)
    seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32)))


def scheduled_output_through_function():
    x = tf.placeholder(tf.float32, [2, 5, 3], name='x')
    helper = seq2seq.ScheduledOutputTrainingHelper(x, [5, 4], 0.5, next_inputs_fn=lambda out: out * 2., auxiliary_inputs=tf.ones([2, 5, 1]))
    cell = tf.nn.rnn_cell.GRUCell(3)
    seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32)))


def custom_and_inference_helpers():
    helper = seq2seq.CustomHelper(
        lambda: (tf.tile([False], [3]), tf.zeros([3, 2])), lambda time, outputs, state: tf.cast(tf.argmax(outputs, 1), tf.int32),
        lambda time, outputs, state, sample_ids: (time >= tf.constant([2, 3, 1]), tf.one_hot(sample_ids, 2), state))
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, tf.zeros([3, 2])))
    helper = seq2seq.InferenceHelper(lambda out: out, [2], tf.float32, tf.ones([3, 2]), lambda ids: tf.reduce_all(ids > 0.5, 1))
    seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, tf.zeros([3, 2])), maximum_iterations=5, scope='inferred')


def luong_attention_training():
    memory, state, lengths = _encoded()
    mechanism = seq2seq.LuongAttention(6, memory, memory_sequence_length=lengths, scale=True)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(6), mechanism, attention_layer_size=5)
    batch = tf.shape(memory)[0]
    start = cell.zero_state(batch, tf.float32).clone(cell_state=state)
    helper = seq2seq.TrainingHelper(tf.placeholder(tf.float32, [None, 4, 2], name='y'), tf.fill([batch], 4))
    outputs, _, _ = seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, start, tf.layers.Dense(3)))
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(outputs.rnn_output))


def bahdanau_attention_history():
    memory, _, lengths = _encoded()
    mechanism = seq2seq.BahdanauAttention(4, memory, lengths, normalize=True)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.LSTMCell(6), mechanism, alignment_history=True, output_attention=False)
    batch = tf.shape(memory)[0]
    helper = seq2seq.GreedyEmbeddingHelper(tf.get_variable('e', [9, 3]), tf.fill([batch], 1), 2)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(batch, tf.float32), tf.layers.Dense(9))
    _, state, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=6)
    tf.transpose(state.alignment_history.stack(), [1, 0, 2], name='alignments')


def attention_in_rnn():
    memory = tf.placeholder(tf.float32, [2, 4, 3], name='memory')
    first, second = seq2seq.LuongAttention(5, memory, probability_fn=seq2seq.hardmax), seq2seq.BahdanauAttention(5, memory)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicLSTMCell(5), [first, second], attention_layer_size=[2, 3],
                                    initial_cell_state=tf.nn.rnn_cell.LSTMStateTuple(tf.ones([2, 5]), tf.zeros([2, 5])))
    tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [2, 6, 3], name='x'), dtype=tf.float32)


def crf_training():
    scores = tf.placeholder(tf.float32, [None, None, 4], name='scores')
    tags = tf.placeholder(tf.int32, [None, None], name='tags')
    lengths = tf.placeholder(tf.int32, [None], name='lengths')
    likelihood, transitions = tf.contrib.crf.crf_log_likelihood(scores, tags, lengths)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(-likelihood))
    best, score = tf.contrib.crf.crf_decode(scores, transitions, lengths)
    tf.identity(best, name='best')
    tf.identity(score, name='score')


def crf_of_known_lengths():
    scores = tf.placeholder(tf.float32, [2, 5, 3], name='scores')
    transitions = tf.get_variable('t', [3, 3])
    lengths = tf.constant([5, 3], tf.int64)
    tf.contrib.crf.crf_sequence_score(scores, tf.ones([2, 5], tf.int64), lengths, transitions)
    tf.contrib.crf.crf_multitag_sequence_score(scores, scores > 0., lengths, transitions)
    one = tf.placeholder(tf.float32, [2, 1, 3], name='one')
    tf.contrib.crf.crf_log_norm(one, lengths, transitions)
    tf.contrib.crf.crf_decode(one, transitions, lengths)
    tf.contrib.crf.crf_sequence_score(one, tf.ones([2, 1], tf.int32), lengths, transitions)
