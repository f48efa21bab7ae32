# snippets_pictures.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.image and tf.linalg: file formats, bars, boxes, pseudo-inverses; oracle/record_snippets.py records what TensorFlow
1.15.5 makes of each."""

import tensorflow.compat.v1 as tf


def decode_image():
    data = tf.placeholder(tf.string, [], name='data')
    tf.image.decode_image(data)
    tf.image.decode_image(data, channels=3, dtype=tf.float32, name='three')
    tf.io.decode_image(data, expand_animations=False)
    tf.image.is_jpeg(data, name='is')


def jpeg_quality():
    x = tf.placeholder(tf.float32, [5, 6, 3], name='x')
    tf.image.adjust_jpeg_quality(x, 40)
    tf.image.adjust_jpeg_quality(tf.cast(x, tf.uint8), tf.placeholder(tf.int32, [], name='q'), name='fed')
    tf.image.random_jpeg_quality(x, 20, 60, seed=3)


def resize_with_pad():
    tf.image.resize_image_with_pad(tf.placeholder(tf.float32, [5, 8, 3], name='a'), 6, 7)
    tf.image.resize_image_with_pad(tf.placeholder(tf.uint8, [None, None, None, 3], name='b'), 9, 4, method=1)
    tf.image.resize_image_with_pad(tf.placeholder(tf.float32, [2, 5, 8, 3], name='c'),
                                   tf.placeholder(tf.int32, [], name='h'), 7)


def patches():
    tf.image.extract_patches(tf.placeholder(tf.float32, [1, 6, 6, 2]), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], 'VALID')


def boxes():
    b = tf.placeholder(tf.float32, [None, 4], name='b')
    s = tf.placeholder(tf.float32, [None], name='s')
    tf.image.non_max_suppression(b, s, 3)
    tf.image.non_max_suppression_with_scores(b, s, 3, soft_nms_sigma=0.5)
    tf.image.non_max_suppression_padded(b, s, 3, 0.4, 0.1, pad_to_max_output_size=True)
    tf.image.non_max_suppression_overlaps(tf.placeholder(tf.float32, [None, None]), s, 2)
    tf.image.combined_non_max_suppression(tf.placeholder(tf.float32, [1, 5, 1, 4]), tf.placeholder(tf.float32, [1, 5, 2]),
                                          2, 3, score_threshold=0.2, name='all')


def pseudo_inverses():
    tf.linalg.pinv(tf.placeholder(tf.float32, [3, 4], name='a'))
    tf.linalg.pinv(tf.placeholder(tf.float64, [2, None, 3], name='b'), rcond=0.1, name='named')
    tf.linalg.pinv(tf.placeholder(tf.float32, name='c'), validate_args=True)


def ranks():
    tf.linalg.matrix_rank(tf.placeholder(tf.float32, [3, 4], name='a'))
    tf.linalg.matrix_rank(tf.placeholder(tf.float32, [None, None], name='b'), name='unknown')
    tf.linalg.matrix_rank([[1., 2.]], tol=0.5)


def norms():
    x = tf.placeholder(tf.float32, [2, 3, 4], name='x')
    tf.linalg.normalize(x)
    tf.linalg.normalize(x, ord=1, axis=-1, name='ones')
    tf.norm(x, ord=2, axis=[0, -1])
    tf.norm(x, ord=2, axis=(1, 2), keepdims=True)


def three_diagonals():
    d = tf.placeholder(tf.float32, [2, 3, 5], name='d')
    tf.linalg.tridiagonal_solve(d, tf.ones([2, 5]))
    tf.linalg.tridiagonal_solve(d, tf.ones([2, 4, 5]), transpose_rhs=True)
    tf.linalg.tridiagonal_solve((tf.ones([4]), tf.ones([5]), tf.ones([4])), tf.ones([5, 1]), 'sequence', name='three')
    tf.linalg.tridiagonal_solve(tf.ones([4, 4]), tf.ones([4]), diagonals_format='matrix', partial_pivoting=False)
