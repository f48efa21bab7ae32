# snippets_breadth.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a sweep over the breadth of the API found to differ once: what is looked up, copied or named as a side effect."""

import numpy as np
import tensorflow.compat.v1 as tf


def channels_first_looks_for_a_gpu():
    """The first layer that asks gives the model's variables their values, which leaves nodes."""
    x = tf.placeholder(tf.float32, [2, 3, 9, 9], name="x")
    h = tf.layers.conv2d_transpose(x, 2, 3, data_format="channels_first", use_bias=False)
    h = tf.layers.conv2d_transpose(h, 2, 3, strides=2, data_format="channels_first", padding="same")
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(h))


def series_pooled_channels_first():
    x = tf.placeholder(tf.float32, [None, 4, 12], name="series")
    h = tf.layers.conv1d(x, 3, 3, data_format="channels_first", use_bias=False)
    h = tf.layers.max_pooling1d(h, 2, 2, data_format="channels_first")
    h = tf.layers.average_pooling1d(h, 2, 1, padding="same", data_format="channels_first")
    tf.gradients(h, x)


def one_shot_of_shuffled_pairs():
    """A function by value copies what two ops read for each of them again."""
    numbers = tf.data.Dataset.range(10).shuffle(4, seed=1).repeat(2)
    pairs = tf.data.Dataset.zip((numbers, tf.data.Dataset.from_tensors({"x": [1., 2.]}).repeat()))
    pairs = pairs.filter(lambda i, d: i > 2).map(lambda i, d: (i, d["x"] * 2.), num_parallel_calls=2).batch(3).prefetch(1)
    i, x = tf.data.make_one_shot_iterator(pairs).get_next()
    tf.add(tf.cast(i, tf.float32), x[:, 0])


def csv_defaults_of_both_kinds():
    lines = tf.data.experimental.CsvDataset(["a.csv"], [tf.float32, [0], tf.constant(["?"])], header=True,
                                            select_cols=[0, 2, 3])
    tf.data.make_initializable_iterator(lines.batch(2)).get_next()


def printed_by_loggers():
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([tf.print("x", x, output_stream=tf.logging.info),
                                  tf.print("x", x, output_stream=tf.logging.WARN),
                                  tf.print(x, output_stream=tf.logging.error)]):
        tf.identity(x)


def keras_layers_on_high_ranks():
    layers = tf.keras.layers
    x = tf.keras.Input((None, 4), name="x")
    h = layers.TimeDistributed(layers.Dense(3))(layers.Masking()(x))
    h = layers.GRU(2, return_sequences=True)(h)
    layers.TimeDistributed(layers.Activation("tanh"))(h)
    layers.TimeDistributed(layers.Masking())(tf.keras.Input((5, 4, 3), name="series"))
    picture = tf.keras.Input((6, 6, 2), name="picture")
    h = layers.Softmax()(layers.UpSampling2D(2, interpolation="bilinear")(picture))
    layers.AlphaDropout(0.2, seed=3)(layers.DepthwiseConv2D(3)(h))


def keras_constraints():
    w = tf.keras.backend.variable(np.ones([3, 2]), name="w")
    w._constraint = tf.keras.constraints.NonNeg()
    tf.keras.optimizers.SGD(0.1, momentum=0.9).get_updates(tf.keras.backend.sum(w), [w])


def keras_metrics_kept():
    y, p = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.float32, [4, 3])
    metrics = tf.keras.metrics
    for metric in (metrics.CosineSimilarity(axis=1), metrics.SensitivityAtSpecificity(0.5, 4),
                   metrics.SpecificityAtSensitivity(0.4, num_thresholds=1), metrics.MeanRelativeError(tf.ones([4, 3]))):
        metric.update_state(y, p)
        metric.result()
    shared = metrics.MeanIoU(3)
    shared.update_state(y, p, sample_weight=y)
    shared.result()


def keras_backend_convolutions():
    k = tf.keras.backend
    x = tf.placeholder(tf.float32, [2, 6, 6, 3], name="x")
    kernel = tf.ones([2, 2, 3, 4])
    k.conv2d(x, kernel, padding="same", dilation_rate=(2, 2))
    k.pool2d(x, (2, 2), strides=(2, 2), pool_mode="avg")
    k.conv2d_transpose(tf.ones([2, 6, 6, 4]), kernel, (2, 7, 7, 3))
    k.separable_conv2d(x, tf.ones([2, 2, 3, 1]), tf.ones([1, 1, 3, 2]))
    k.conv1d(x[:, 0], tf.ones([2, 3, 2]), padding="causal", dilation_rate=2)
    k.conv3d(tf.ones([1, 3, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1]), data_format="channels_last")
    k.pool3d(tf.ones([1, 4, 4, 4, 1]), (2, 2, 2))
    k.pool2d(x, (2, 2), data_format="channels_first")
    k.resize_images(x, 2, 3, "channels_first", interpolation="bilinear")
    k.resize_volumes(tf.ones([1, 2, 2, 2, 1]), 1, 2, 1, "channels_last")
    k.spatial_3d_padding(tf.ones([1, 2, 2, 2, 1]), data_format="channels_first")


def keras_backend_rest():
    k = tf.keras.backend
    x = tf.placeholder(tf.float32, [2, 6, 6, 3], name="x")
    k.gradients(k.sum(x * x), [x])
    k.normalize_batch_in_training(x, None, None, [0, 1, 2])
    k.normalize_batch_in_training(x, None, tf.ones([6]), [0, 2, 3])
    k.normalize_batch_in_training(x[0, 0], None, None, [0])
    k.batch_normalization(x, tf.ones([1, 3]), tf.ones([3]), None, tf.ones([3]))
    k.batch_normalization(x[0, 0], tf.ones([3]), tf.ones([3]), None, None)
    k.ctc_batch_cost(tf.ones([2, 3]), tf.ones([2, 5, 4]), tf.ones([2, 1]), tf.ones([2, 1]))
    k.ctc_decode(tf.ones([2, 5, 4]), tf.ones([2]))
    k.ctc_decode(tf.ones([2, 5, 4]), tf.ones([2]), greedy=False, beam_width=5, top_paths=2)
    k.random_binomial([3], 0.3, seed=1)
    k.random_uniform_variable([2], 0.0, 1.0, seed=2)
    k.random_normal_variable([2], 0.0, 1.0, seed=2, name="rn")
    k.moving_average_update(k.variable([1.0, 2.0], name="average"), tf.ones([2]), 0.9)


def agreement_of_two():
    from tensorflow import contrib
    one, two = tf.placeholder(tf.int32, [None, 1]), tf.placeholder(tf.int32, [None])
    contrib.metrics.cohen_kappa(one, two, 3)
    contrib.metrics.cohen_kappa(two, two, 4, weights=tf.placeholder(tf.float32, [None]), updates_collections="updates",
                                name="weighted")


def sparse_crosses():
    words, numbers = tf.sparse_placeholder(tf.string, [2, None]), tf.sparse_placeholder(tf.int32, [2, None])
    tf.sparse.cross([words, words])
    tf.sparse.cross_hashed([words, numbers, tf.constant([[1], [2]])], num_buckets=7, name="hashed")
    tf.sparse.cross_hashed([numbers, numbers], hash_key=5)
