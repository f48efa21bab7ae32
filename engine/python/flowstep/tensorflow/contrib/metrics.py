# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.metrics (slim.metrics): the metrics of tf.metrics under their first names, predictions first."""

from .. import dtypes, metrics
from ..framework.graph import name_scope
from ..operators import math_ops


def _swapped(name):
    function = getattr(metrics, name)

    def streaming(predictions, labels, *arguments, **keywords):
        return function(labels, predictions, *arguments, **keywords)
    streaming.__name__ = "streaming_" + name
    return streaming


for _name in ("accuracy", "precision", "recall", "auc", "mean_absolute_error", "mean_squared_error",
              "root_mean_squared_error", "mean_relative_error", "mean_cosine_distance", "mean_iou", "true_positives",
              "true_negatives", "false_positives", "false_negatives", "precision_at_thresholds", "recall_at_thresholds",
              "sensitivity_at_specificity", "specificity_at_sensitivity"):
    globals()["streaming_" + _name] = _swapped(_name)
streaming_mean, streaming_mean_tensor = metrics.mean, metrics.mean_tensor
streaming_percentage_less = metrics.percentage_below
streaming_sparse_recall_at_k = _swapped("recall_at_k")
streaming_sparse_precision_at_k = _swapped("precision_at_k")
streaming_sparse_average_precision_at_k = _swapped("average_precision_at_k")


def accuracy(predictions, labels, weights=None, name=None):
    """The share of predictions that are right, of one batch."""
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool, dtypes.string)):
        raise ValueError("Labels should have bool, integer, or string dtype, not %r" % labels.dtype)
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError("Dtypes of predictions and labels should match. Given: predictions (%r) and labels (%r)" %
                         (predictions.dtype, labels.dtype))
    with name_scope(name, "accuracy", values=[predictions, labels]):
        right = math_ops.cast(math_ops.equal(predictions, labels), dtypes.float32)
        if weights is not None:
            right = math_ops.multiply(right, weights)
            total = math_ops.multiply(weights, math_ops.cast(math_ops.equal(right, right), dtypes.float32))
            return math_ops.div(math_ops.reduce_sum(right), math_ops.reduce_sum(total))
        return math_ops.reduce_mean(right)


def aggregate_metrics(*value_update_tuples):
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples):
    names = list(names_to_tuples)
    values, updates = zip(*names_to_tuples.values())
    return dict(zip(names, values)), dict(zip(names, updates))
