# snippets_contrib_old.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""contrib of old: sequences with attention and buckets, images turned and warped."""

import tensorflow as tf
from tensorflow.contrib import image, legacy_seq2seq as s2s


def _words(name, count):
    return [tf.placeholder(tf.int32, [None], name='%s%d' % (name, i)) for i in range(count)]


def attention_of_old():
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(4) for _ in range(2)])
    out, _ = s2s.embedding_attention_seq2seq(_words('e', 3), _words('d', 2), cell, 10, 9, 5, num_heads=2, initial_state_attention=True)
    tf.gradients(out, tf.trainable_variables())


def attention_fed_back():
    feed = tf.placeholder(tf.bool, [], name='feed')
    s2s.embedding_attention_seq2seq(_words('e', 2), _words('d', 2), tf.nn.rnn_cell.GRUCell(4), 10, 9, 5, feed_previous=feed)
    with tf.variable_scope('b'):
        s2s.embedding_rnn_seq2seq(_words('e', 2), _words('d', 2), tf.nn.rnn_cell.BasicLSTMCell(4), 10, 9, 5, feed_previous=feed)
    with tf.variable_scope('c'):
        w, b = tf.get_variable('w', [4, 9]), tf.get_variable('b', [9])
        s2s.embedding_attention_seq2seq(_words('e', 2), _words('d', 2), tf.nn.rnn_cell.GRUCell(4), 10, 9, 5, output_projection=(w, b), feed_previous=True)


def tied_sequences():
    s2s.embedding_tied_rnn_seq2seq(_words('e', 2), _words('d', 2), tf.nn.rnn_cell.BasicLSTMCell(4), 10, 5)
    with tf.variable_scope('b'):
        s2s.embedding_tied_rnn_seq2seq(_words('e', 2), _words('d', 2), tf.nn.rnn_cell.GRUCell(4), 10, 5, feed_previous=tf.placeholder(tf.bool, []))
    with tf.variable_scope('c'):
        s2s.one2many_rnn_seq2seq(_words('e', 2), {'x': _words('x', 2)}, tf.nn.rnn_cell.GRUCell(4), {'x': tf.nn.rnn_cell.GRUCell(4)}, 10, {'x': 9}, 5)


def models_with_buckets():
    encoder, decoder = _words('e', 4), _words('d', 4)
    weights = [tf.placeholder(tf.float32, [None], name='w%d' % i) for i in range(4)]

    def model(x, y):
        return s2s.embedding_attention_seq2seq(x, y, tf.nn.rnn_cell.GRUCell(4), 10, 9, 5)
    s2s.model_with_buckets(encoder, decoder, decoder, weights, [(2, 2), (4, 4)], model)
    with tf.variable_scope('b'):
        s2s.model_with_buckets(encoder, decoder, decoder, weights, [(2, 2)], model, per_example_loss=True)


def images_turned():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name='x')
    y = image.rotate(x, [0.1, 0.2], interpolation='BILINEAR')
    tf.gradients(y, x)
    image.rotate(tf.placeholder(tf.uint8, [8, 8]), 0.3), image.translate(x, [1., 2.]), image.translate(x[0], [[1., 2.]])
    image.transform(x, [1., 0., 2., 0., 1., 3., 0., 0.], output_shape=[4, 4])
    image.transform(tf.placeholder(tf.float32, [None, None, None, 1]), image.compose_transforms([1., 0., 2., 0., 1., 3., 0., 0.], [[1., 0., 2., 0., 1., 3., 0., 0.]]))
    image.connected_components(tf.placeholder(tf.bool, [8, 8])), image.connected_components(tf.placeholder(tf.bool, [None, 8, 8]))
    image.bipartite_match(tf.placeholder(tf.float32, [3, 4]), 3.)


def images_warped():
    x, flow = tf.placeholder(tf.float32, [None, 8, 8, 3], name='x'), tf.placeholder(tf.float32, [None, 8, 8, 2], name='flow')
    tf.gradients(image.dense_image_warp(x, flow), flow)


def sequences_in_buckets():
    length, data = tf.placeholder(tf.int32, [], name='n'), tf.placeholder(tf.float32, [None, 2], name='x')
    tf.contrib.training.bucket_by_sequence_length(length, {'x': data, 'y': length}, 4, [5, 10], dynamic_pad=True)
    tf.contrib.training.bucket_by_sequence_length(length, [data], [2, 3], [5], dynamic_pad=True, allow_smaller_final_batch=True, capacity=8, num_threads=2)
    tf.contrib.training.bucket([tf.constant([1., 2.]), length], tf.mod(length, 3), 2, 3, keep_input=tf.greater(length, 1), name='kinds')
