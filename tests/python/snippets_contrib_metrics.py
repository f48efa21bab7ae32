# snippets_contrib_metrics.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics that tf.contrib.metrics has alone, and small functions of tf.contrib.framework."""

import tensorflow as tf
from tensorflow.contrib import metrics


def _pair():
    return tf.placeholder(tf.float32, [None], name='p'), tf.placeholder(tf.float32, [None], name='l'), tf.placeholder(tf.float32, [None], name='w')


def rates_of_decisions():
    p, l, w = _pair()
    metrics.streaming_false_positive_rate(p, l), metrics.streaming_false_negative_rate(p, l, weights=w, name='missed', metrics_collections='m', updates_collections='u')


def counts_at_thresholds():
    p, l, w = _pair()
    for name in ('true_positives', 'false_negatives', 'false_positives', 'true_negatives'):
        with tf.variable_scope(name):
            getattr(metrics, 'streaming_%s_at_thresholds' % name)(p, l, [0.2, 0.7], weights=w if name[0] == 'f' else None)
    metrics.streaming_false_positive_rate_at_thresholds(p, l, [0.2, 0.7]), metrics.streaming_false_negative_rate_at_thresholds(p, l, [0.5], weights=w)


def curves():
    p, l, w = _pair()
    metrics.streaming_curve_points(l, p, num_thresholds=5), metrics.streaming_curve_points(l, p, w, num_thresholds=5, curve='PR')
    metrics.precision_at_recall(l, p, 0.8, num_thresholds=5), metrics.recall_at_precision(l, p, 0.8, num_thresholds=5)
    metrics.recall_at_precision(l, p, 0.8, num_thresholds=5, strict_mode=True, name='strict'), metrics.f1_score(l, p, w, num_thresholds=5)


def best_few():
    logits, classes = tf.placeholder(tf.float32, [3, 5]), tf.placeholder(tf.int64, [3])
    metrics.streaming_recall_at_k(logits, classes, 2)
    top, labels = tf.placeholder(tf.int64, [3, 2]), tf.placeholder(tf.int64, [3, 1])
    metrics.streaming_sparse_precision_at_top_k(top, labels), metrics.sparse_recall_at_top_k(labels, top, class_id=1)


def covariances():
    p, l, w = _pair()
    metrics.streaming_covariance(p, l), metrics.streaming_covariance(p, l, weights=w), metrics.streaming_pearson_correlation(p, l, w)
    metrics.count(p), metrics.count(p, weights=w, updates_collections='u')


def matrices_and_sets():
    a, b = tf.placeholder(tf.int64, [3]), tf.placeholder(tf.int64, [3])
    metrics.confusion_matrix(a, b, num_classes=4), metrics.set_size(metrics.set_union(a[None], b[None]))
    metrics.set_difference(a[None], b[None]), metrics.set_intersection(a[None], b[None])


def small_functions():
    framework = tf.contrib.framework
    p, l, w = _pair()
    for value in ('^a/b', 'loc:@a/b', 'a/b/c'):
        tf.constant([framework.strip_name_scope(value, 'a'), framework.prepend_name_scope(value, 'x/y/')])
    framework.reduce_sum_n([p, l]), framework.reduce_sum_n([w]), framework.assert_scalar_int(tf.constant(3))
    framework.remove_squeezable_dimensions(tf.placeholder(tf.float32, [3, 1]), p), framework.remove_squeezable_dimensions(tf.placeholder(tf.float32), p)
    framework.remove_squeezable_dimensions(p, tf.placeholder(tf.float32)), framework.sort(p), framework.argsort(l, direction='DESCENDING')
    tf.constant([t.name for t in framework.get_placeholders(tf.get_default_graph())])

    @framework.deprecated('2019-01-01', 'Use another.')
    def old(x):
        return tf.identity(x, name='old')
    old(p)
