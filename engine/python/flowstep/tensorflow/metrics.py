# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.metrics: values over many batches, kept in local variables."""

from . import array_ops, dtypes, graph as graph_lib, math_ops, scope, variables, weights as weights_lib
from .graph import GraphKeys
from .ops import convert_to_tensor


def metric_variable(shape, dtype, validate_shape=True, name=None):
    return variables.Variable(lambda: array_ops.zeros(shape, dtype), trainable=False,
                              collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
                              validate_shape=validate_shape, name=name)


def _collect(value, update, metrics_collections, updates_collections):
    if metrics_collections:
        graph_lib.add_to_collections(metrics_collections, value)
    if updates_collections:
        graph_lib.add_to_collections(updates_collections, update)
    return value, update


def _matching(predictions, labels, weights):
    """Ranks that differ by one are made equal."""
    predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
    if predictions.shape.ndims is not None and labels.shape.ndims is not None:
        if predictions.shape.ndims == labels.shape.ndims + 1:
            predictions = array_ops.squeeze(predictions, [-1])
        elif labels.shape.ndims == predictions.shape.ndims + 1:
            labels = array_ops.squeeze(labels, [-1])
    predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is not None:
        weights = convert_to_tensor(weights)
        if weights.shape.ndims and predictions.shape.ndims is not None and weights.shape.ndims == predictions.shape.ndims + 1:
            weights = array_ops.squeeze(weights, [-1])
    return predictions, labels, weights


def _safe_scalar_div(numerator, denominator, name):
    return math_ops.div_no_nan(numerator, denominator, name=name)


def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with scope.variable_scope(name, "mean", (values, weights)):
        values = math_ops.cast(values, dtype=dtypes.float32)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            num_values = math_ops.cast(array_ops.size(values), dtype=dtypes.float32)
        else:
            values, _, weights = _matching(values, values, weights)
            weights = weights_lib.broadcast_weights(math_ops.cast(weights, dtype=dtypes.float32), values)
            values = math_ops.multiply(values, weights)
            num_values = math_ops.reduce_sum(weights)
        update_total_op = variables.assign_add(total, math_ops.reduce_sum(values))
        with graph_lib.control_dependencies([values]):
            update_count_op = variables.assign_add(count, num_values)
        value = math_ops.div_no_nan(total, count, name="value")
        update = math_ops.div_no_nan(update_total_op, update_count_op, name="update_op")
        return _collect(value, update, metrics_collections, updates_collections)


def accuracy(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    predictions, labels, weights = _matching(predictions, labels, weights)
    if labels.dtype != predictions.dtype:
        predictions = math_ops.cast(predictions, labels.dtype)
    is_correct = math_ops.cast(math_ops.equal(predictions, labels), dtype=dtypes.float32)
    return mean(is_correct, weights, metrics_collections, updates_collections, name or "accuracy")


def mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    predictions, labels, weights = _matching(predictions, labels, weights)
    squared_error = math_ops.squared_difference(labels, predictions)
    return mean(squared_error, weights, metrics_collections, updates_collections, name or "mean_squared_error")


def mean_absolute_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    predictions, labels, weights = _matching(predictions, labels, weights)
    return mean(math_ops.abs(predictions - labels), weights, metrics_collections, updates_collections,
                name or "mean_absolute_error")


def _count_condition(values, weights=None):
    count = metric_variable([], dtypes.float32, name="count")
    values = math_ops.cast(values, dtype=dtypes.float32)
    if weights is not None:
        with graph_lib.control_dependencies((weights_lib.assert_broadcastable(weights, values),)):
            weights = math_ops.cast(weights, dtype=dtypes.float32)
            values = math_ops.multiply(values, weights)
    value_tensor = array_ops.identity(count)
    update_op = variables.assign_add(count, math_ops.reduce_sum(values))
    return value_tensor, update_op


def _counter(name_default, label, prediction):
    def function(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope.variable_scope(name, name_default, (predictions, labels, weights)):
            predictions, labels, weights = _matching(math_ops.cast(predictions, dtypes.bool),
                                                     math_ops.cast(labels, dtypes.bool), weights)
            hit = math_ops.logical_and(math_ops.equal(labels, label), math_ops.equal(predictions, prediction))
            value, update = _count_condition(hit, weights)
            return _collect(value, update, metrics_collections, updates_collections)
    return function


true_positives = _counter("true_positives", True, True)
false_positives = _counter("false_positives", False, True)
false_negatives = _counter("false_negatives", True, False)
true_negatives = _counter("true_negatives", False, False)


def _ratio(name_default, second, second_name):
    def function(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope.variable_scope(name, name_default, (predictions, labels, weights)):
            predictions, labels, weights = _matching(math_ops.cast(predictions, dtypes.bool),
                                                     math_ops.cast(labels, dtypes.bool), weights)
            true_p, true_update = true_positives(labels, predictions, weights)
            other, other_update = second(labels, predictions, weights)

            def compute(tp, x, name):
                return array_ops.where(math_ops.greater(tp + x, 0), math_ops.divide(tp, tp + x), 0, name)
            value = compute(true_p, other, "value")
            update = compute(true_update, other_update, "update_op")
            return _collect(value, update, metrics_collections, updates_collections)
    return function


precision = _ratio("precision", false_positives, "false_positives")
recall = _ratio("recall", false_negatives, "false_negatives")
