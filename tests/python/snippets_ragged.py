# snippets_ragged.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.RaggedTensor and tf.ragged: how rows of different lengths are made, checked, taken apart and put together."""

import numpy as np
import tensorflow as tf

R = tf.RaggedTensor


def from_partitions():
    values = tf.placeholder(tf.float32, [None], name='v')
    R.from_row_splits(values, [0, 2, 5]), R.from_row_splits(values, tf.placeholder(tf.int32, [None]), validate=False)
    R.from_row_lengths(values, np.array([1, 2], np.int32)), R.from_row_starts(values, [0, 3]), R.from_row_limits(values, [3, 4])
    R.from_value_rowids(values, [0, 0, 2]), R.from_value_rowids(values, tf.placeholder(tf.int64, [None]), nrows=4)
    R.from_value_rowids([1, 2], tf.placeholder(tf.int64, [None]), validate=False, name='mine')
    R.from_nested_row_splits(values, [[0, 1, 2], [0, 2, 4]]), R.from_nested_row_lengths(values, [[1, 1], [2, 2]], validate=False)


def from_lists():
    for rt in (tf.ragged.constant([[1, 2], [3], []]), tf.ragged.constant([[[1., 2.], [3.]], [[4.]]], dtype=tf.float64),
               tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1), tf.ragged.constant([['a', 'b'], []], name='words'),
               tf.ragged.constant([[[1, 2]], []], inner_shape=(2,), row_splits_dtype=tf.int32)):
        tf.constant(str((rt.shape, rt.dtype.name, rt.ragged_rank)))
    tf.ragged.constant([1, 2]), tf.ragged.constant(3)
    tf.constant(str(tf.ragged.constant_value([[1, 2], [3]]))), tf.constant(repr(tf.ragged.constant_value([[[1], []], [[2]]]).to_list()))
    tf.ragged.placeholder(tf.float32, 2, [3]), tf.ragged.placeholder(tf.int32, 1, name='p')


def parts_of_rows():
    rt = tf.ragged.placeholder(tf.float32, 2)
    rt.value_rowids(), rt.nested_value_rowids(), rt.nrows(), rt.nrows(tf.int32), rt.row_starts(), rt.row_limits(), rt.row_lengths()
    rt.row_lengths(axis=2), rt.row_lengths(axis=0), rt.nested_row_lengths(), rt.bounding_shape(), rt.bounding_shape(axis=1), rt.bounding_shape(axis=0, out_type=tf.int32)
    rt.with_flat_values(rt.flat_values * 2.), rt.with_values(rt.values), rt.with_row_splits_dtype(tf.int32)
    tf.constant([rt.flat_values.name] + [s.name for s in rt.nested_row_splits])
    tf.ragged.row_splits_to_segment_ids([0, 2, 3]), tf.ragged.segment_ids_to_row_splits([0, 0, 2]), tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=5)


def dense_and_sparse():
    rt = tf.ragged.placeholder(tf.float32, 2)
    rt.to_tensor(), rt.to_tensor(-1.), rt.to_sparse(), tf.ragged.constant([[1, 2], [3]]).to_tensor(default_value=0)
    x = tf.placeholder(tf.int32, [None, 4], name='x')
    R.from_tensor(x), R.from_tensor(x, lengths=[1, 2]), R.from_tensor(x, padding=0), R.from_tensor(tf.ones([2, 3, 4]), ragged_rank=2)
    R.from_tensor(tf.ones([2, 3, 4]), padding=[0.] * 4, row_splits_dtype=tf.int32), R.from_tensor(tf.ones([2, 1, 2, 4]), lengths=([1, 1], [1, 2]))
    R.from_sparse(tf.sparse_placeholder(tf.float32, [None, 3]))


def gradients_of_rows():
    v = tf.get_variable('v', [5])
    rt = R.from_row_splits(tf.identity(v), [0, 2, 5])
    tf.gradients(tf.reduce_sum(rt.to_tensor()), v)


def ranges():
    tf.ragged.range([1, 2, 3]), tf.ragged.range([0, 1], [3, 4]), tf.ragged.range(tf.placeholder(tf.float32, [None]), 5., 0.5, row_splits_dtype=tf.int32)


def functions_of_rows():
    rt = tf.ragged.placeholder(tf.float32, 1)
    for function in (tf.exp, tf.square, tf.abs, tf.sqrt, tf.sign, tf.negative, tf.is_nan):
        function(rt)
    tf.log(rt, name='logarithm'), tf.strings.to_hash_bucket_fast(tf.ragged.placeholder(tf.string, 2), 10)
    tf.ragged.map_flat_values(tf.multiply, rt, 2.), tf.ragged.map_flat_values(tf.add, rt, tf.ragged.placeholder(tf.float32, 1))
    tf.reduce_sum(rt, axis=1), tf.reduce_max(rt, axis=0), tf.reduce_sum(rt), tf.reduce_min(tf.ragged.placeholder(tf.int32, 2), axis=2)
    tf.reduce_prod(tf.ragged.placeholder(tf.int32, 2), axis=[0, 1])


def slices_of_rows():
    rt, deep = tf.ragged.placeholder(tf.float32, 1, [3]), tf.ragged.placeholder(tf.int32, 2)
    rt[0], rt[-1], rt[1:3], rt[::2], rt[:, 1:], rt[:, :-1], rt[1, 0], rt[..., 0], rt[:, tf.newaxis]
    deep[0], deep[1:], deep[:, :, 1:], deep[tf.placeholder(tf.int32, [])], deep[tf.newaxis], deep[0, 1]
