# snippets_contrib_training.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Samplers of tf.contrib.training, long sequences in parts with their states, and devices for variables."""

import tensorflow as tf
from tensorflow.contrib import framework, training


def rejected():
    x, y = tf.constant([1., 2.]), tf.constant(3)
    training.rejection_sample([x, y], lambda t: tf.reduce_mean(t[0]), 4)
    training.rejection_sample([x, x], lambda t: t[0], 2, enqueue_many=True, runtime_checks=True, prebatch_threads=2, queue_threads=2, name='many')


def stratified():
    x, label = tf.constant([1., 2.]), tf.constant(1)
    training.stratified_sample([x], label, [.3, .3, .4], 4, init_probs=[.5, .25, .25])
    training.stratified_sample([tf.ones([5, 2])], tf.constant([0, 1, 1, 0, 1]), [.5, .5], 2, enqueue_many=True, threads_per_queue=2, name='seen')


def resampled():
    x, y = tf.constant([1., 2., 3.]), tf.constant([[1], [2], [3]])
    training.resample_at_rate([x, y], tf.constant([.5, 2., 1.]), seed=3), training.resample_at_rate([x], x, scope='kept', back_prop=True)
    training.weighted_resample([x, y], x, 0.5, seed=4)
    with tf.variable_scope('outer'):
        training.weighted_resample([y], tf.constant([1., 1., 2.], tf.float64), 0.5, scope='named', mean_decay=0.9)


def in_parts():
    sequences = {'a': tf.placeholder(tf.float32, [None, 2]), 'b': tf.placeholder(tf.int64, [None])}
    saver = training.SequenceQueueingStateSaver(2, 3, tf.placeholder(tf.int32, []), tf.placeholder(tf.string, []), sequences, {'c': tf.constant([1, 2])},
                                                {'s': tf.zeros([4]), 'r': tf.constant('x')}, capacity=10)
    batch = saver.next_batch
    batch.save_state('s', batch.state('s') + 1., name='kept')
    batch.save_state('r', batch.state('r'))
    saver.close(True)
    batch.total_length, batch.length, batch.batch_size, batch.insertion_index, batch.key, batch.next_key, batch.sequence, batch.sequence_count, batch.context, batch.sequences


def padded_parts():
    sequences = {'a': tf.placeholder(tf.float32, [None, 2]), 't': tf.placeholder(tf.string, [None])}
    batch = training.batch_sequences_with_states('key', sequences, {'c': tf.constant(1)}, None, {'lstm': tf.zeros([4])}, 5, 2, num_threads=2, make_keys_unique=True, make_keys_unique_seed=7)
    cell = tf.nn.rnn_cell.GRUCell(4)
    tf.nn.static_state_saving_rnn(cell, [tf.squeeze(x, [1]) for x in tf.split(batch.sequences['a'], 5, 1)], state_saver=batch, state_name='lstm')


def whole_parts():
    sequences = {'a': tf.placeholder(tf.float32, [10, 2]), 's': tf.sparse_placeholder(tf.int64, [10, 3])}
    training.batch_sequences_with_states(tf.constant('k'), sequences, {'c': tf.sparse_placeholder(tf.float32, [4])}, tf.constant(10), {'h': tf.zeros([4])}, 5, 2, pad=False, allow_small_batch=False, name='whole')


def only_sparse_parts():
    sequences = {'s': tf.sparse_placeholder(tf.int64, [10, 3])}
    training.batch_sequences_with_states(tf.constant('k'), sequences, {}, None, {'h': tf.zeros([4])}, 5, tf.placeholder(tf.int32, []))


def devices_of_variables():
    for strategy in (training.RandomStrategy(3, seed=2), training.GreedyLoadBalancingStrategy(3, training.byte_size_load_fn)):
        with tf.device(tf.train.replica_device_setter(ps_tasks=3, ps_strategy=strategy)), tf.variable_scope(type(strategy).__name__):
            for i, shape in enumerate(([2], [3, 4], [1], [5], [])):
                tf.get_variable('v%d' % i, shape)
    for i, chooser in enumerate((framework.VariableDeviceChooser(2), framework.VariableDeviceChooser(device_type='GPU', replica=1), framework.VariableDeviceChooser())):
        with tf.device(chooser):
            tf.Variable(1., name='c%d' % i), tf.Variable(2., name='d%d' % i)
