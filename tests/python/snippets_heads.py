# snippets_heads.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Heads of tf.estimator: what each makes to train, to evaluate and to predict."""

import tensorflow as tf

TRAIN, EVAL, PREDICT = tf.estimator.ModeKeys.TRAIN, tf.estimator.ModeKeys.EVAL, tf.estimator.ModeKeys.PREDICT


def _all(make, labels, size, features=None, regularization=False):
    features = features or {'x': tf.placeholder(tf.float32, [None, 2], name='x')}
    for mode in (TRAIN, EVAL, PREDICT):
        with tf.variable_scope(mode):
            head = make()
            logits = tf.placeholder(tf.float32, [None, size], name='logits')
            losses = [tf.constant(0.1), tf.constant(0.2)] if regularization else None
            head.create_estimator_spec(features, mode, logits, labels=None if mode == PREDICT else labels(), train_op_fn=(lambda loss: tf.identity(loss, 'trained').op) if mode == TRAIN else None,
                                       regularization_losses=losses)
    # TensorFlow puts the variables of metrics there in the order of a set.
    for key in (tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES):
        tf.get_collection_ref(key).sort(key=lambda v: v.name)


def two_classes():
    _all(tf.estimator.BinaryClassHead, lambda: tf.placeholder(tf.int32, [None]), 1)


def two_classes_named():
    features = {'w': tf.placeholder(tf.float32, [None], name='w')}
    _all(lambda: tf.estimator.BinaryClassHead(weight_column='w', thresholds=[0.25, 0.5], label_vocabulary=['a', 'b'], name='own', loss_reduction='sum'),
         lambda: tf.placeholder(tf.string, [None, 1]), 1, features, True)


def many_classes():
    _all(lambda: tf.estimator.MultiClassHead(3), lambda: tf.placeholder(tf.int64, [None, 1]), 3, regularization=True)


def many_classes_named():
    features = {'w': tf.placeholder(tf.int32, [None, 1], name='w')}
    _all(lambda: tf.estimator.MultiClassHead(3, 'w', ['a', 'b', 'c'], name='own', loss_fn=lambda labels, logits: tf.reduce_sum(logits, 1, keepdims=True) * tf.cast(labels, tf.float32)),
         lambda: tf.placeholder(tf.string, [None, 1]), 3, features)


def labels_at_once():
    _all(lambda: tf.estimator.MultiLabelHead(3, thresholds=[0.5], classes_for_class_based_metrics=[0, 2]), lambda: tf.placeholder(tf.int32, [None, 3]), 3)


def labels_at_once_sparse():
    features = {'w': tf.placeholder(tf.float32, [None, 1], name='w')}
    _all(lambda: tf.estimator.MultiLabelHead(3, 'w', label_vocabulary=['a', 'b', 'c'], classes_for_class_based_metrics=['b'], name='own'),
         lambda: tf.sparse_placeholder(tf.string, [None, None]), 3, features, True)
    _all(lambda: tf.estimator.MultiLabelHead(3), lambda: tf.sparse_placeholder(tf.int64, [None, None]), 3, features)


def numbers():
    features = {'w': tf.placeholder(tf.float32, [None, 2], name='w')}
    _all(tf.estimator.RegressionHead, lambda: tf.placeholder(tf.float32, [None, 1]), 1)
    _all(lambda: tf.estimator.RegressionHead(2, 'w', name='own'), lambda: tf.placeholder(tf.float32, [None, 2]), 2, features, True)


def counts_and_chances():
    _all(tf.estimator.PoissonRegressionHead, lambda: tf.placeholder(tf.float32, [None, 1]), 1)
    _all(lambda: tf.estimator.LogisticRegressionHead(name='chance'), lambda: tf.placeholder(tf.float32, [None, 1]), 1)


def heads_side_by_side():
    _all(lambda: tf.estimator.MultiHead([tf.estimator.BinaryClassHead(name='a'), tf.estimator.RegressionHead(2, name='b')], [1., 2.]),
         lambda: {'a': tf.placeholder(tf.int32, [None, 1]), 'b': tf.placeholder(tf.float32, [None, 2])}, 3, regularization=True)


def trained_by_keras():
    head = tf.estimator.MultiClassHead(3)
    w = tf.Variable(tf.zeros([2, 3]), name='w', use_resource=True)
    logits = tf.matmul(tf.placeholder(tf.float32, [4, 2]), w)
    head.create_estimator_spec({}, TRAIN, logits, tf.placeholder(tf.int32, [4]), optimizer=tf.keras.optimizers.SGD(0.1), trainable_variables=[w], update_ops=[tf.no_op('more')])
