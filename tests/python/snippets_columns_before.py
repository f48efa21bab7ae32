# snippets_columns_before.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Columns of tf.contrib.layers, and what the canned estimators of tf.contrib.learn make of them."""

import tensorflow as tf

L = tf.contrib.layers
learn = tf.contrib.learn


def _features():
    return {'age': tf.placeholder(tf.float32, [None], 'age'), 'v': tf.placeholder(tf.int64, [None, 3], 'v'),
            'job': tf.SparseTensor([[0, 0], [1, 0]], ['a', 'b'], [2, 1]), 'city': tf.placeholder(tf.string, [None, 2], 'city'),
            'n': tf.sparse_placeholder(tf.int64, [None, 4], name='n'), 'w': tf.placeholder(tf.float32, [None], 'w')}


def _columns():
    age, v = L.real_valued_column('age'), L.real_valued_column('v', dimension=3, normalizer=lambda x: x * 2)
    job, city = L.sparse_column_with_hash_bucket('job', 10), L.sparse_column_with_keys('city', ['x', 'y'], combiner='mean')
    return age, v, job, city, L.bucketized_column(age, [25, 25, 40]), L.bucketized_column(v, [1., 2.])


def columns_before_as_inputs():
    age, v, job, city, ages, vs = _columns()
    crossed = L.crossed_column([job, city], 20)
    L.input_from_feature_columns(_features(), [age, v, ages, vs, L.one_hot_column(city), L.embedding_column(job, 3),
                                               L.embedding_column(crossed, 2, combiner='sqrtn', max_norm=1.)])


def columns_before_in_sums():
    age, v, job, city, ages, vs = _columns()
    n = L.sparse_column_with_hash_bucket('n', 7, dtype=tf.int64)
    pairs = L.crossed_column([ages, job], 30, hash_key=956888297470)
    L.weighted_sum_from_feature_columns(_features(), [age, v, job, city, ages, vs, n, pairs], 2)
    L.joint_weighted_sum_from_feature_columns(_features(), [job, L.sparse_column_with_integerized_feature('n', 8)], 1)


def columns_before_of_examples():
    age, _, job, city, ages, _ = _columns()
    L.parse_feature_columns_from_examples(tf.placeholder(tf.string, [None]), [ages, L.embedding_column(job, 2), city])


def columns_before_shared():
    a, b = L.sparse_column_with_hash_bucket('job', 10), L.sparse_column_with_hash_bucket('city', 10)
    L.input_from_feature_columns(_features(), L.shared_embedding_columns([a, b], 3, combiner='sum'))


def columns_before_weighted():
    column = L.weighted_sparse_column(L.sparse_column_with_integerized_feature('n', 5), 'w')
    features = {'n': tf.sparse_placeholder(tf.int64, [5, 2], name='n'), 'w': tf.sparse_placeholder(tf.float32, [5, 2], name='w')}
    L.weighted_sum_from_feature_columns(features, [column], 1)
    L.input_from_feature_columns(features, [L.embedding_column(column, 2)])


def _canned(kind, mode, dtype=tf.int64, **options):
    tf.train.create_global_step()
    made = getattr(learn, kind)(**options)
    labels = None if mode == 'infer' else tf.placeholder(dtype, [None, 1], 'labels')
    made._call_model_fn(_features(), labels, mode)


def network_of_old_trained():
    age, v, job, _, _, _ = _columns()
    column = L.embedding_column(job, 3)
    _canned('DNNClassifier', 'train', hidden_units=[4, 3], feature_columns=[age, v, column], n_classes=3, dropout=0.2,
            gradient_clip_norm=5., embedding_lr_multipliers={column: 0.5})


def network_of_old_evaluated():
    _canned('DNNRegressor', 'eval', tf.float32, hidden_units=[4], feature_columns=_columns()[:2], activation_fn=tf.nn.tanh,
            weight_column_name='w', label_dimension=1)


def linear_of_old_trained():
    age, v, job, city, ages, _ = _columns()
    _canned('LinearClassifier', 'train', feature_columns=[age, job, city, ages], gradient_clip_norm=1., weight_column_name='w')


def linear_of_old_with_a_bias():
    _canned('LinearClassifier', 'train', feature_columns=_columns()[:2], enable_centered_bias=True, n_classes=3,
            label_keys=None, optimizer='SGD')


def linear_of_old_evaluated():
    _canned('LinearClassifier', 'eval', feature_columns=_columns()[:2])


def linear_of_old_over_columns_of_now():
    _canned('LinearRegressor', 'train', tf.float32, feature_columns=[tf.feature_column.numeric_column('age')])


def combined_of_old_trained():
    age, _, job, city, ages, _ = _columns()
    _canned('DNNLinearCombinedClassifier', 'train', linear_feature_columns=[job, city], dnn_hidden_units=[3],
            dnn_feature_columns=[age, L.one_hot_column(city), ages])


def combined_of_old_predicts():
    age, _, job, _, _, _ = _columns()
    _canned('DNNLinearCombinedRegressor', 'infer', linear_feature_columns=[job], dnn_hidden_units=[3], dnn_feature_columns=[age],
            fix_global_step_increment_bug=True)
