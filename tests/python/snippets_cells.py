# snippets_cells.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The cells of tf.contrib.rnn, stepped through time and differentiated."""

import tensorflow as tf
from tensorflow.contrib import rnn


def _train(cell, shape=(3, 4, 8), dynamic=True, x=None):
    x = tf.placeholder(tf.float32, shape, name='x') if x is None else x
    if dynamic:
        out, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    else:
        out = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)[0][-1]
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(out))


def coupled_gates():
    _train(rnn.CoupledInputForgetGateLSTMCell(5, use_peepholes=True, num_proj=3, proj_clip=1.))
    with tf.variable_scope('b'):
        _train(rnn.CoupledInputForgetGateLSTMCell(6, num_unit_shards=2, layer_norm=True), dynamic=False)


def highways():
    _train(rnn.HighwayWrapper(tf.nn.rnn_cell.GRUCell(8)))
    with tf.variable_scope('b'):
        _train(rnn.HighwayWrapper(rnn.NASCell(8), couple_carry_transform_gates=False), dynamic=False)


def nas():
    _train(rnn.NASCell(5, num_proj=3, use_bias=True))


def ugrnn_and_intersection():
    _train(rnn.UGRNNCell(5, initializer=tf.zeros_initializer()))
    with tf.variable_scope('b'):
        _train(rnn.IntersectionRNNCell(8))
    with tf.variable_scope('c'):
        _train(rnn.IntersectionRNNCell(5, num_in_proj=5), dynamic=False)


def phased():
    times, x = tf.placeholder(tf.float32, [3, 4, 1], name='t'), tf.placeholder(tf.float32, [3, 4, 8], name='x')
    _train(rnn.PhasedLSTMCell(5, use_peepholes=True), x=(times, x))


def convolutional():
    _train(rnn.ConvLSTMCell(2, [6, 6, 3], 4, [3, 3]), (2, 3, 6, 6, 3))
    _train(rnn.Conv1DLSTMCell(input_shape=[6, 3], output_channels=4, kernel_shape=[3], use_bias=False), (2, 3, 6, 3), False)
    _train(rnn.Conv2DLSTMCell(input_shape=[6, 6, 3], output_channels=4, kernel_shape=[3, 3], skip_connection=True), (2, 1, 6, 6, 3), False)
    _train(rnn.Conv3DLSTMCell(input_shape=[4, 4, 4, 1], output_channels=2, kernel_shape=[3, 3, 3]), (2, 3, 4, 4, 4, 1), False)


def groups():
    _train(rnn.GLSTMCell(6, number_of_groups=2, num_proj=4))
    with tf.variable_scope('b'):
        _train(rnn.GLSTMCell(6, number_of_groups=1), dynamic=False)


def rows_by_themselves():
    for i, cell in enumerate([rnn.SRUCell(5), rnn.IndRNNCell(5), rnn.IndyGRUCell(5), rnn.IndyLSTMCell(5)]):
        with tf.variable_scope('c%d' % i):
            _train(cell)


def frequencies():
    _train(rnn.TimeFreqLSTMCell(5, use_peepholes=True, cell_clip=2., feature_size=4, frequency_skip=4), dynamic=False)


def grids():
    options = dict(feature_size=4, frequency_skip=4, num_frequency_blocks=[2])
    cells = [rnn.GridLSTMCell(3, use_peepholes=True, **options), rnn.GridLSTMCell(3, share_time_frequency_weights=True, cell_clip=1., **options),
             rnn.GridLSTMCell(3, use_peepholes=True, couple_input_forget_gates=True, share_time_frequency_weights=True, **options),
             rnn.GridLSTMCell(3, feature_size=2, frequency_skip=1, num_frequency_blocks=[3, 2], start_freqindex_list=[0, 4], end_freqindex_list=[4, 7]),
             rnn.BidirectionalGridLSTMCell(3, backward_slice_offset=1, **options)]
    for i, cell in enumerate(cells):
        with tf.variable_scope('g%d' % i):
            state = cell.zero_state(2, tf.float32)
            out, _ = cell(tf.placeholder(tf.float32, [2, 8], name='x'), state)
            tf.gradients(out, tf.trainable_variables(scope='g%d' % i))


def blocks():
    _train(rnn.GRUBlockCell(5))
    with tf.variable_scope('b'):
        _train(rnn.GRUBlockCellV2(5), dynamic=False)


def fused():
    x, lengths = tf.placeholder(tf.float32, [4, 3, 8], name='x'), tf.placeholder(tf.int32, [3], name='n')
    out, state = rnn.LSTMBlockFusedCell(5)(x, dtype=tf.float32)
    back, _ = rnn.TimeReversedFusedRNN(rnn.LSTMBlockFusedCell(5, use_peephole=True, name='back'))(x, dtype=tf.float32, sequence_length=lengths)
    more, _ = rnn.LSTMBlockFusedCell(5, name='third')(tf.placeholder(tf.float32, [None, None, 8]), sequence_length=lengths, initial_state=state)
    last, _ = rnn.FusedRNNCellAdaptor(rnn.BasicLSTMCell(4), use_dynamic_rnn=True)(out, dtype=tf.float32)
    unrolled, _ = rnn.FusedRNNCellAdaptor(rnn.BasicLSTMCell(4))(back, dtype=tf.float32, scope='unrolled')
    tf.gradients([last, unrolled], tf.trainable_variables()), tf.identity(more)


def states_kept():
    class Saver(object):
        def state(self, name):
            return tf.zeros([3, 5], name=name)

        def save_state(self, name, value):
            return tf.identity(value, name='save_' + name)
    x = tf.placeholder(tf.float32, [3, 4, 8], name='x')
    tf.nn.static_state_saving_rnn(rnn.BasicLSTMCell(5), tf.unstack(x, axis=1), Saver(), ('c', 'h'))
    with tf.variable_scope('b'):
        rnn.static_state_saving_rnn(rnn.GRUCell(5), tf.unstack(x, axis=1), Saver(), 's')
    rnn.transpose_batch_time(x), rnn.best_effort_input_batch_size([tf.placeholder(tf.float32, [None, None, 2])])
