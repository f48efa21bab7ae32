# snippets_columns.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Columns of features, and what canned estimators make of them."""

import tensorflow.compat.v1 as tf

fc = tf.feature_column


def _features():
    return {'age': tf.placeholder(tf.float32, [None], 'age'), 'v': tf.placeholder(tf.float32, [None, 3], 'v'),
            'w': tf.placeholder(tf.string, [None], 'w'), 'occ': tf.placeholder(tf.string, [None, 1], 'occ'),
            'id': tf.placeholder(tf.int64, [None], 'id')}


def _columns():
    age, v = fc.numeric_column('age'), fc.numeric_column('v', shape=(3,), normalizer_fn=lambda x: (x - 1.) / 2.)
    b = fc.bucketized_column(age, [18, 25, 30.5])
    w = fc.categorical_column_with_vocabulary_list('w', ['a', 'b', 'c'])
    o, i = fc.categorical_column_with_hash_bucket('occ', 100), fc.categorical_column_with_identity('id', 10)
    return age, v, b, w, o, i, fc.crossed_column([b, 'occ'], 1000), fc.crossed_column(['w', 'occ'], 50)


def columns_as_inputs():
    age, v, b, w, o, i, x, _ = _columns()
    fc.input_layer(_features(), [age, v, b, fc.indicator_column(w), fc.embedding_column(o, 8), fc.indicator_column(i),
                                 fc.embedding_column(x, 4, combiner='sum')])


def columns_in_a_linear_model():
    fc.linear_model(_features(), _columns(), cols_to_vars={})


def columns_in_two_linear_models():
    age, _, _, w, _, _, _, _ = _columns()
    features = _features()
    fc.linear_model(features, [age, w], units=3), fc.linear_model(features, [age, w], units=3)


def columns_in_a_layer():
    age, v, b, w, o, _, _, _ = _columns()
    tf.keras.layers.DenseFeatures([age, v, b, fc.indicator_column(w), fc.embedding_column(o, 8)])(_features())


def columns_of_examples():
    spec = fc.make_parse_example_spec(_columns())
    parsed = tf.parse_example(tf.placeholder(tf.string, [None]), spec)
    fc.input_layer(parsed, [fc.embedding_column(_columns()[3], 2), _columns()[0]])


def columns_with_weights():
    features = dict(_features(), weight=tf.placeholder(tf.float32, [None]))
    column = fc.weighted_categorical_column(_columns()[3], 'weight')
    fc.linear_model(features, [column])
    fc.input_layer(features, [fc.indicator_column(column), fc.embedding_column(column, 2, max_norm=1.)])


def columns_that_share():
    features = {'a': tf.placeholder(tf.int64, [None]), 'b': tf.placeholder(tf.int64, [None])}
    a, b = fc.categorical_column_with_identity('a', 10, default_value=0), fc.categorical_column_with_identity('b', 10)
    fc.input_layer(features, fc.shared_embedding_columns([a, b], 3))


def _canned(kind, mode, label, **options):
    tf.train.create_global_step()
    features = {'x': tf.placeholder(tf.float32, [None, 4], 'x'), 'c': tf.placeholder(tf.int64, [None], 'c')}
    if 'weight_column' in options:
        features['weight'] = tf.placeholder(tf.float32, [None], 'weight')
    made = getattr(tf.estimator, kind)(**options)
    labels = None if mode == 'infer' else tf.placeholder(label, [None], 'labels')
    made._call_model_fn(features, labels, mode, made.config)


def _numbers():
    return fc.numeric_column('x', shape=(4,))


def _ids():
    return fc.categorical_column_with_identity('c', 5)


def canned_linear_classifier_trained():
    _canned('LinearClassifier', 'train', tf.int64, feature_columns=[_numbers(), _ids()], n_classes=3)


def canned_linear_classifier_evaluated():
    _canned('LinearClassifier', 'eval', tf.int64, feature_columns=[_numbers(), _ids()], n_classes=3)


def canned_two_classes_evaluated():
    _canned('LinearClassifier', 'eval', tf.int64, feature_columns=[_numbers(), _ids()])


def canned_two_classes_predicted():
    _canned('LinearClassifier', 'infer', tf.int64, feature_columns=[_numbers(), _ids()])


def canned_linear_regressor_trained():
    _canned('LinearRegressor', 'train', tf.float32, feature_columns=[_numbers(), _ids()], weight_column='weight')


def canned_linear_regressor_evaluated():
    _canned('LinearRegressor', 'eval', tf.float32, feature_columns=[_numbers(), _ids()])


def canned_dnn_classifier_trained():
    _canned('DNNClassifier', 'train', tf.int64, feature_columns=[_numbers(), fc.indicator_column(_ids())],
            hidden_units=[10, 5], n_classes=3)


def canned_dnn_classifier_evaluated():
    _canned('DNNClassifier', 'eval', tf.string, feature_columns=[_numbers(), fc.embedding_column(_ids(), 3)],
            hidden_units=[10, 5], n_classes=3, label_vocabulary=['a', 'b', 'c'])


def canned_dnn_classifier_predicted():
    _canned('DNNClassifier', 'infer', tf.string, feature_columns=[_numbers(), fc.embedding_column(_ids(), 3)],
            hidden_units=[10, 5], n_classes=3, label_vocabulary=['a', 'b', 'c'])


def canned_dnn_regressor_trained():
    _canned('DNNRegressor', 'train', tf.float32, feature_columns=[_numbers()], hidden_units=[10, 5], dropout=.1,
            batch_norm=True, optimizer=tf.train.AdamOptimizer(1e-3))


def canned_wide_and_deep_trained():
    _canned('DNNLinearCombinedClassifier', 'train', tf.int64, linear_feature_columns=[_ids()],
            dnn_feature_columns=[_numbers()], dnn_hidden_units=[4])
