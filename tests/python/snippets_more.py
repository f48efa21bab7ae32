# snippets_more.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graphs of templates, partitioners, image comparison and functions of tf that few scripts use."""

import tensorflow as tf


def templates():
    def layer(x, size):
        w = tf.get_variable('w', [x.shape[-1], size])
        return tf.matmul(x, w)

    small = tf.make_template('small', layer, size=3)
    x = tf.placeholder(tf.float32, [None, 4], name='x')
    a, b = small(x), small(x * 2.)
    other = tf.make_template('small', layer, size=2, create_scope_now_=True)
    with tf.variable_scope('outer'):
        tf.add(a, b) + tf.reduce_sum(other(x))
        tf.make_template('inner', layer, unique_name_='mine')(x, 2)


def partitioners():
    tf.get_variable('by_size', [10, 4], partitioner=tf.variable_axis_size_partitioner(64))
    tf.get_variable('at_most', [12, 4], partitioner=tf.min_max_variable_partitioner(max_partitions=3, min_slice_size=32))
    tf.get_variable('columns', [4, 6], partitioner=tf.variable_axis_size_partitioner(40, axis=1, max_shards=2))
    parts = tf.create_partitioned_variables([6, 2], [3, 1], tf.zeros_initializer(), name='parts')
    tf.concat(parts, 0)


def images_compared():
    a = tf.placeholder(tf.float32, [2, 16, 16, 3], name='a')
    b = tf.placeholder(tf.uint8, [None, 16, 16, 3], name='b')
    b = tf.image.convert_image_dtype(b, tf.float32)
    tf.image.psnr(a, b, max_val=1.)
    tf.image.ssim(a, b, 1.)
    tf.image.total_variation(a)


def images_at_scales():
    a = tf.placeholder(tf.float32, [1, 64, 64, 1], name='a')
    tf.image.ssim_multiscale(a, a * 0.5, 1., power_factors=(0.3, 0.7), filter_size=5)


def image_edges_and_colors():
    a = tf.placeholder(tf.float32, [2, 8, 8, 3], name='a')
    tf.image.sobel_edges(a)
    tf.image.image_gradients(a)
    for convert in (tf.image.rgb_to_yiq, tf.image.yiq_to_rgb, tf.image.rgb_to_yuv, tf.image.yuv_to_rgb):
        convert(a)
    tf.image.adjust_gamma(tf.cast(a, tf.uint8), 0.5)


def rare_functions():
    x = tf.placeholder(tf.float32, [3, 4], name='x')
    tf.searchsorted(x, x, side='right')
    tf.log_sigmoid(x)
    tf.linalg.matvec(x, [1., 2., 3., 4.])
    tf.parallel_stack([tf.ones([2]), tf.zeros([2])])
    tf.to_complex64(x)
    tf.bitwise.bitwise_and([1, 2], [3, 4])
    tf.tensor_scatter_nd_add(x, [[0, 1]], [2.])
    tf.strings.format('x: {}', x)
    tf.math.betainc(x, x, x)
    tf.space_to_batch_nd(tf.ones([1, 4, 4, 1]), [2, 2], [[0, 0], [0, 0]])
    with tf.op_scope([x], None, 'old') as scope:
        tf.identity(x, name=scope)
    tf.initializers.variables([tf.get_variable('v', [2], synchronization=tf.VariableSynchronization.AUTO)])
    tf.broadcast_static_shape(x.shape, tf.TensorShape([1, 4]))
