# snippets_strangers.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Programs as somebody writes them who has not seen ours: repetitions, losses, exponentials of matrices, sparse values."""

import tensorflow.compat.v1 as tf


def repetitions():
    x = tf.placeholder(tf.float32, [2, 3])
    tf.repeat(x, 2, axis=0)
    tf.repeat(x, 3)
    tf.repeat(x, [1, 2], axis=0)
    tf.repeat(["a", "b"], repeats=[3, 0], axis=0)
    tf.repeat(x, [1, 2, 1], axis=1)
    tf.repeat(tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int64, [None]), axis=0)
    tf.histogram_fixed_width_bins(x, [0.0, 5.0], 10)
    tf.bincount(tf.placeholder(tf.int32, [3]), maxlength=5, minlength=2)


def other_arguments():
    x = tf.placeholder(tf.float32, [2, 3])
    picture = tf.placeholder(tf.float32, [1, 8, 8, 4])
    tf.nn.avg_pool_v2(tf.placeholder(tf.float32, [1, 8, 3]), 2, 2, "VALID")
    tf.nn.max_pool_v2(picture, 2, 2, "SAME")
    tf.nn.compute_average_loss(tf.placeholder(tf.float32, [4]), global_batch_size=8)
    tf.nn.compute_average_loss(tf.placeholder(tf.float32, [4]))
    tf.nn.scale_regularization_loss(tf.constant(1.0))
    tf.quantization.quantize_and_dequantize(x, -1.0, 1.0)
    tf.get_session_handle(x, "handle")
    diagonal = tf.placeholder(tf.float32, [3])
    tf.linalg.tridiagonal_matmul([diagonal, diagonal, diagonal], tf.placeholder(tf.float32, [3, 2]), "sequence")
    tf.depth_to_space(picture, 2, "deep")
    tf.image.resize_bilinear(picture, [4, 4], False, "small")
    tf.linalg.diag(diagonal, k=1)
    tf.py_function(lambda a: a * 2.0, [x], tf.float32, "twice")


def exponentials():
    tf.linalg.expm(tf.placeholder(tf.float32, [3, 3]))
    tf.linalg.expm(tf.placeholder(tf.float64, [None, 2, 2]), name="e")


def sparse_values():
    indices, values = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32, [None])
    sp, dense = tf.SparseTensor(indices, values, [5, 6]), tf.placeholder(tf.float32, [6, 2])
    for function in (tf.square, tf.sqrt, tf.abs, tf.negative, tf.sign, tf.erf, tf.tanh):
        function(sp)
    tf.square(sp, name="named")
    sp * 2.0
    sp / dense[0, 0]
    tf.sparse_maximum(sp, sp)
    tf.sparse.expand_dims(sp, 1)
    tf.sparse_tensor_dense_matmul(sp, dense)
    tf.sparse_split(sp_input=sp, num_split=2, axis=1)
    tf.serialize_sparse(sp)
