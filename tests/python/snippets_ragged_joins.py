# snippets_ragged_joins.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors joined, stacked, gathered from and masked."""

import tensorflow.compat.v1 as tf


def _rows():
    splits = tf.placeholder(tf.int64, [None], 'splits')
    return tf.RaggedTensor.from_row_splits(tf.placeholder(tf.float32, [None], 'values'), splits, validate=False)


def ragged_concat():
    a, b = _rows(), tf.ragged.constant([[1., 2.], [3.]])
    tf.concat([a, b], 0), tf.concat([b, a, b], axis=1), tf.concat([b, tf.constant([[1.], [2.]])], -1, name='named')
    deep = tf.ragged.constant([[[1, 2], [3]], [[4]]])
    tf.concat([deep, deep], 2)


def ragged_stack():
    a, b = _rows(), tf.ragged.constant([[1., 2.], [3.]])
    tf.stack([a, b]), tf.ragged.stack([b, b], axis=1), tf.ragged.stack([a, a], axis=2)
    tf.ragged.stack([[[1, 2]], [[3], [4]]]), tf.ragged.stack([b], 1)


def ragged_gather():
    a, deep = _rows(), tf.ragged.constant([[[1, 2], [3]], [[4]]])
    tf.gather(a, [1, 0]), tf.gather(deep, [[0], [1]]), tf.gather([5., 6.], tf.ragged.constant([[0], [1, 1]]))
    tf.expand_dims(a, 0), tf.expand_dims(deep, 1), tf.expand_dims(deep, -1)


def ragged_masks():
    a, deep = _rows(), tf.ragged.constant([[[1, 2], [3]], [[4]]])
    tf.ragged.boolean_mask(a, [True, False])
    tf.ragged.boolean_mask(deep, tf.ragged.constant([[True, False], [True]]))
    tf.ragged.boolean_mask(deep, tf.ragged.constant([[[True, False], [True]], [[False]]]))
    tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]], name='kept')
    tf.ragged.boolean_mask([[[1, 2], [3, 4]]], [[[True, False], [True, True]]])
    tf.ragged.boolean_mask([1, 2], [True, False])
