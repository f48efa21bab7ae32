# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.metrics: values over many batches, kept in local variables. Here: means, counts, and what is made of them."""

from . import dtypes
from .framework import graph as graph_lib
from .learning.metrics_at_k import average_precision_at_k, precision_at_k, precision_at_top_k, recall_at_k
from .learning.metrics_at_k import recall_at_top_k, sparse_average_precision_at_k, sparse_precision_at_k
from .learning.metrics_at_thresholds import auc, false_negatives_at_thresholds, false_positives_at_thresholds
from .learning.metrics_at_thresholds import precision_at_thresholds, recall_at_thresholds, sensitivity_at_specificity
from .learning.metrics_at_thresholds import specificity_at_sensitivity, true_negatives_at_thresholds
from .learning.metrics_at_thresholds import true_positives_at_thresholds
from .learning.metrics_common import collect, flat, matching, metric_variable
from .operators import array_ops, check_ops, confusion, math_ops, state_ops
from .operators import weights as weights_lib
from .state import scope as scope_lib, variables


# -- means

def _weighted(values, weights):
    values, _, weights = matching(values, None, weights)
    weights = weights_lib.broadcast_weights(math_ops.cast(weights, dtypes.float32), values)
    return math_ops.multiply(values, weights), weights


def _mean_of(total, count, name):
    return math_ops.div_no_nan(total, math_ops.maximum(count, 0), name=name)


def _finish_mean(total, count, values, sums, metrics_collections, updates_collections):
    """Value and update from the variables and what a batch adds to them."""
    update_total = state_ops.assign_add(total, sums[0]())
    with graph_lib.control_dependencies([values]):
        update_count = state_ops.assign_add(count, sums[1])
    value = collect(metrics_collections, _mean_of(total, count, "value"))
    return value, collect(updates_collections, _mean_of(update_total, update_count, "update_op"))


def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with scope_lib.variable_scope(name, "mean", (values, weights)):
        values = math_ops.cast(values, dtypes.float32)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = math_ops.cast(array_ops.size(values), dtypes.float32)
        else:
            values, weights = _weighted(values, weights)
            number = math_ops.reduce_sum(weights)
        return _finish_mean(total, count, values, (lambda: math_ops.reduce_sum(values), number), metrics_collections,
                            updates_collections)


def mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with scope_lib.variable_scope(name, "mean", (values, weights)):
        values = math_ops.cast(values, dtypes.float32)
        total = metric_variable(values.shape, dtypes.float32, name="total_tensor")
        count = metric_variable(values.shape, dtypes.float32, name="count_tensor")
        number = array_ops.ones_like(values)
        if weights is not None:
            values, weights = _weighted(values, weights)
            number = math_ops.multiply(number, weights)
        return _finish_mean(total, count, values, (lambda: values, number), metrics_collections, updates_collections)


def accuracy(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    predictions, labels, weights = matching(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    if labels.dtype != predictions.dtype:
        predictions = math_ops.cast(predictions, labels.dtype)
    right = math_ops.cast(math_ops.equal(predictions, labels), dtypes.float32)
    return mean(right, weights, metrics_collections, updates_collections, name or "accuracy")


def mean_absolute_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
                        name=None):
    predictions, labels, weights = matching(predictions, labels, weights)
    return mean(math_ops.abs(predictions - labels), weights, metrics_collections, updates_collections,
                name or "mean_absolute_error")


def mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
                       name=None):
    predictions, labels, weights = matching(predictions, labels, weights)
    return mean(math_ops.squared_difference(labels, predictions), weights, metrics_collections, updates_collections,
                name or "mean_squared_error")


def root_mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
                            name=None):
    predictions, labels, weights = matching(predictions, labels, weights)
    value, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    root = collect(metrics_collections, math_ops.sqrt(value))
    return root, collect(updates_collections, math_ops.sqrt(update))


def mean_relative_error(labels, predictions, normalizer, weights=None, metrics_collections=None,
                        updates_collections=None, name=None):
    predictions, labels, weights = matching(predictions, labels, weights)
    predictions, normalizer = confusion.remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    is_zero = math_ops.equal(normalizer, 0.0)
    nothing = array_ops.zeros_like(labels)
    relative = array_ops.where(is_zero, nothing, math_ops.div(math_ops.abs(labels - predictions), normalizer))
    return mean(relative, weights, metrics_collections, updates_collections, name or "mean_relative_error")


def mean_cosine_distance(labels, predictions, dim, weights=None, metrics_collections=None, updates_collections=None,
                         name=None):
    predictions, labels, weights = matching(predictions, labels, weights)
    cosine = math_ops.reduce_sum(math_ops.multiply(predictions, labels), axis=[dim], keepdims=True)
    value, update = mean(cosine, weights, None, None, name or "mean_cosine_distance")
    value = math_ops.subtract(1.0, value)
    update = math_ops.subtract(1.0, update)
    collect(metrics_collections, value)
    return value, collect(updates_collections, update)


def percentage_below(values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None):
    below = math_ops.cast(math_ops.less(values, threshold), dtypes.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")


# -- per class

def mean_per_class_accuracy(labels, predictions, num_classes, weights=None, metrics_collections=None,
                            updates_collections=None, name=None):
    with scope_lib.variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = flat(math_ops.cast(labels, dtypes.int64))
        predictions = flat(predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes], dtypes.float32, name="total")
        count = metric_variable([num_classes], dtypes.float32, name="count")
        ones = array_ops.ones([array_ops.size(labels)], dtypes.float32)
        if labels.dtype != predictions.dtype:
            predictions = math_ops.cast(predictions, labels.dtype)
        right = math_ops.cast(math_ops.equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weights = math_ops.cast(flat(weights), dtypes.float32)
            right *= weights
            ones *= weights
        update_total = state_ops.scatter_add(total, labels, ones)
        update_count = state_ops.scatter_add(count, labels, right)
        value = collect(metrics_collections, math_ops.reduce_mean(_mean_of(count, total, None), name="mean_accuracy"))
        return value, collect(updates_collections, _mean_of(update_count, update_total, "update_op"))


def _mean_iou_of(matrix):
    rows = math_ops.cast(math_ops.reduce_sum(matrix, 0), dtypes.float32)
    columns = math_ops.cast(math_ops.reduce_sum(matrix, 1), dtypes.float32)
    diagonal = math_ops.cast(array_ops.diag_part(matrix), dtypes.float32)
    union = rows + columns - diagonal
    valid = math_ops.reduce_sum(math_ops.cast(math_ops.not_equal(union, 0), dtype=dtypes.float32))
    union = array_ops.where(math_ops.greater(union, 0), union, array_ops.ones_like(union))
    ratio = math_ops.div(diagonal, union)
    return array_ops.where(math_ops.greater(valid, 0), math_ops.reduce_sum(ratio, name="mean_iou") / valid, 0)


def mean_iou(labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None,
             name=None):
    with scope_lib.variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes, num_classes], dtypes.float64, name="total_confusion_matrix")
        predictions = math_ops.cast(predictions, dtypes.int64)
        labels = math_ops.cast(labels, dtypes.int64)
        classes = math_ops.cast(num_classes, dtypes.int64)
        predictions, labels = flat(predictions), flat(labels)
        weights = weights if weights is None else flat(weights)
        batch = confusion.confusion_matrix(labels, predictions, classes, weights=weights, dtype=dtypes.float64)
        update = state_ops.assign_add(total, batch)
        value = collect(metrics_collections, _mean_iou_of(total))
        return value, collect(updates_collections, update)


# -- right and wrong

def _count_condition(hit, weights, metrics_collections, updates_collections):
    check_ops.assert_type(hit, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    values = math_ops.cast(hit, dtypes.float32)
    if weights is not None:
        with graph_lib.control_dependencies((check_ops.assert_rank_in(weights, (0, array_ops.rank(values))),)):
            values = math_ops.multiply(values, math_ops.cast(weights, dtypes.float32))
    value = collect(metrics_collections, array_ops.identity(count))
    return value, collect(updates_collections, state_ops.assign_add(count, math_ops.reduce_sum(values)))


def _counter(scope, label, prediction):
    def function(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope_lib.variable_scope(name, scope, (predictions, labels, weights)):
            predictions, labels, weights = matching(math_ops.cast(predictions, dtypes.bool),
                                                    math_ops.cast(labels, dtypes.bool), weights)
            hit = math_ops.logical_and(math_ops.equal(labels, label), math_ops.equal(predictions, prediction))
            return _count_condition(hit, weights, metrics_collections, updates_collections)
    function.__name__ = scope
    return function


true_positives = _counter("true_positives", True, True)
false_positives = _counter("false_positives", False, True)
false_negatives = _counter("false_negatives", True, False)
true_negatives = _counter("true_negatives", False, False)


def _share(scope, other):
    """True positives in their sum with another count."""
    def function(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope_lib.variable_scope(name, scope, (predictions, labels, weights)):
            predictions, labels, weights = matching(math_ops.cast(predictions, dtypes.bool),
                                                    math_ops.cast(labels, dtypes.bool), weights)
            right, right_update = true_positives(labels, predictions, weights)
            wrong, wrong_update = other(labels, predictions, weights)

            def compute(a, b, name):
                is_some = math_ops.greater(a + b, 0)
                return array_ops.where(is_some, math_ops.div(a, a + b), 0, name)
            value = collect(metrics_collections, compute(right, wrong, "value"))
            return value, collect(updates_collections, compute(right_update, wrong_update, "update_op"))
    function.__name__ = scope
    return function


precision = _share("precision", false_positives)
recall = _share("recall", false_negatives)
