# snippets_keras_more.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Optimizers, schedules, attention, locally connected layers and functions of the backend of tf.keras."""

import tensorflow.compat.v1 as tf

keras = tf.keras
layers = tf.keras.layers
schedules = tf.keras.optimizers.schedules


def _updates(optimizer):
    v = tf.get_variable('v', [3, 2], initializer=tf.zeros_initializer(), use_resource=True)
    rows = tf.get_variable('rows', [5, 2], initializer=tf.zeros_initializer(), use_resource=True)
    loss = tf.reduce_sum(v) + tf.reduce_sum(tf.gather(rows, [1, 1, 3]))
    keras.optimizers.get(optimizer).get_updates(loss, [v, rows])


def keras_adamax():
    _updates('adamax')


def keras_nadam():
    _updates(keras.optimizers.Nadam(0.01, schedule_decay=0.1))


def keras_ftrl():
    _updates(keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.1))


def keras_ftrl_shrinking():
    _updates(keras.optimizers.Ftrl(0.1, l2_shrinkage_regularization_strength=0.5))


def keras_schedules():
    step = tf.placeholder(tf.float32, [], 'step')
    schedules.ExponentialDecay(0.1, 10, 0.5, staircase=True)(step)
    schedules.InverseTimeDecay(0.1, 10, 0.5)(step)
    schedules.PiecewiseConstantDecay([3, 6], [1., 2., 3.])(step)
    schedules.PolynomialDecay(0.1, 10)(step)
    schedules.PolynomialDecay(0.1, 10, cycle=True, name='again')(step)
    _updates(keras.optimizers.SGD(schedules.InverseTimeDecay(0.1, 10, 0.5, staircase=True)))


def keras_cosine_schedules():
    step = tf.placeholder(tf.float32, [], 'step')
    tf.set_random_seed(1)
    for name in ('CosineDecay', 'CosineDecayRestarts', 'LinearCosineDecay', 'NoisyLinearCosineDecay'):
        getattr(keras.experimental, name)(0.1, 10)(step)


def keras_attention():
    q, v = keras.Input((4, 6)), keras.Input((5, 6))
    layers.Attention()([q, v])
    layers.Attention(use_scale=True, causal=True)([q, v, v])
    layers.AdditiveAttention()([q, v])
    words = keras.Input((7,), dtype='int32')
    embedded = layers.Embedding(9, 6, mask_zero=True)(words)
    layers.AdditiveAttention(use_scale=False, causal=True)([embedded, embedded])


def keras_locally_connected():
    x = tf.placeholder(tf.float32, [None, 5, 6, 3], 'x')
    h = layers.LocallyConnected2D(4, (2, 3), strides=(1, 2), activation='relu', kernel_regularizer='l2')(x)
    layers.LocallyConnected1D(2, 2, use_bias=False)(layers.Reshape((8, 4))(h))
    layers.LocallyConnected2D(2, 3, data_format='channels_first')(x)
    layers.LocallyConnected1D(2, 3)(tf.ones([2, 4, 1]))
