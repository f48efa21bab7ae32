# snippets_breadth.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a sweep over the breadth of the API found to differ once: what is looked up, copied or named as a side effect."""

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
