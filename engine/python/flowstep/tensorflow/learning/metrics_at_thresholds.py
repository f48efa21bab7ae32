# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics that count right and wrong at many thresholds (tf.metrics.auc, precision_at_thresholds)."""

import builtins

from .. import dtypes
from ..framework import graph as graph_lib
from ..framework.ops import constant
from ..operators import array_ops, check_ops, math_ops, state_ops
from ..operators import weights as weights_lib
from ..state import scope as scope_lib
from .metrics_common import collect, matching, metric_variable

_EPSILON = 1e-7
_COUNTS = (("tp", "true_positives"), ("fn", "false_negatives"), ("tn", "true_negatives"), ("fp", "false_positives"))


def _check_range(predictions):
    words = "predictions must be in [0, 1]"
    return [check_ops.assert_greater_equal(predictions, math_ops.cast(0.0, dtype=predictions.dtype), message=words),
            check_ops.assert_less_equal(predictions, math_ops.cast(1.0, dtype=predictions.dtype), message=words)]


def _counts_at(labels, predictions, thresholds, weights=None, includes=("tp", "fn", "tn", "fp")):
    """Variables and updates of the counts asked for, one element for each threshold."""
    with graph_lib.control_dependencies(_check_range(predictions)):
        predictions, labels, weights = matching(math_ops.cast(predictions, dtypes.float32),
                                                math_ops.cast(labels, dtype=dtypes.bool), weights)
    return counts_of(labels, predictions, thresholds, weights, includes)


def counts_of(labels, predictions, thresholds, weights=None, includes=("tp", "fn", "tn", "fp")):
    """As _counts_at, of what is matched already."""
    n = len(thresholds)
    column = array_ops.reshape(predictions, [-1, 1])
    labels_row = array_ops.reshape(math_ops.cast(labels, dtype=dtypes.bool), [1, -1])
    count = column.shape.as_list()[0]
    if count is None:
        count = array_ops.shape(column)[0]
    limits = array_ops.tile(array_ops.expand_dims(constant(thresholds), [1]), array_ops.stack([1, count]))
    above = math_ops.greater(array_ops.tile(array_ops.transpose(column), [n, 1]), limits)
    below = math_ops.logical_not(above) if "fn" in includes or "tn" in includes else None
    is_true = array_ops.tile(labels_row, [n, 1])
    is_false = math_ops.logical_not(is_true) if "fp" in includes or "tn" in includes else None
    if weights is not None:
        weights = weights_lib.broadcast_weights(math_ops.cast(weights, dtypes.float32), predictions)
        weights = array_ops.tile(array_ops.reshape(weights, [1, -1]), [n, 1])
        limits.shape.assert_is_compatible_with(weights.shape)
    parts = {"tp": (is_true, above), "fn": (is_true, below), "tn": (is_false, below), "fp": (is_false, above)}
    values, updates = {}, {}
    for key, name in _COUNTS:
        if key in includes:
            values[key] = metric_variable([n], dtypes.float32, name=name)
            hits = math_ops.cast(math_ops.logical_and(*parts[key]), dtypes.float32)
            if weights is not None:
                hits *= weights
            updates[key] = state_ops.assign_add(values[key], math_ops.reduce_sum(hits, 1))
    return values, updates


def _even_thresholds(n, last):
    return [0.0 - _EPSILON] + [(i + 1) * 1.0 / (n - 1) for i in builtins.range(n - 2)] + [last]


# -- area under a curve

def _interpolate_pr(n, tp, fp, fn):
    """The area under precision over recall, interpolated between thresholds by counts."""
    steps = tp[:n - 1] - tp[1:]
    positive = tp + fp
    slope = math_ops.div_no_nan(steps, math_ops.maximum(positive[:n - 1] - positive[1:], 0), name="prec_slope")
    intercept = tp[1:] - math_ops.multiply(slope, positive[1:])
    both = math_ops.logical_and(positive[:n - 1] > 0, positive[1:] > 0)
    ratio = math_ops.div_no_nan(positive[:n - 1], math_ops.maximum(positive[1:], 0), name="recall_relative_ratio")
    ratio = array_ops.where(both, ratio, array_ops.ones_like(positive[1:]))
    area = slope * (steps + intercept * math_ops.log(ratio))
    return math_ops.reduce_sum(math_ops.div_no_nan(area, math_ops.maximum(tp[1:] + fn[1:], 0), name="pr_auc_increment"),
                               name="interpolate_pr_auc")


def _area(n, curve, method, counts, name):
    tp, fn, tn, fp = (counts[key] for key, _ in _COUNTS)
    if curve == "PR" and method == "careful_interpolation":
        return _interpolate_pr(n, tp, fp, fn)
    epsilon = 1e-6
    recall = math_ops.div(tp + epsilon, tp + fn + epsilon)
    if curve == "ROC":
        x, y = math_ops.div(fp, fp + tn + epsilon), recall
    else:
        x, y = recall, math_ops.div(tp + epsilon, tp + fp + epsilon)
    heights = {"trapezoidal": lambda: (y[:n - 1] + y[1:]) / 2.0, "careful_interpolation": lambda: (y[:n - 1] + y[1:]) / 2.0,
               "minoring": lambda: math_ops.minimum(y[:n - 1], y[1:]),
               "majoring": lambda: math_ops.maximum(y[:n - 1], y[1:])}
    if method not in heights:
        raise ValueError("Invalid summation_method: %s" % method)
    widths = x[:n - 1] - x[1:]
    return math_ops.reduce_sum(math_ops.multiply(widths, heights[method]()), name=name)


def auc(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None,
        curve="ROC", name=None, summation_method="trapezoidal", thresholds=None):
    with scope_lib.variable_scope(name, "auc", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
        if thresholds is not None:
            limits = [0.0 - _EPSILON] + sorted(thresholds) + [1.0 + _EPSILON]
        else:
            limits = _even_thresholds(num_thresholds, 1.0 + _EPSILON)
        values, updates = _counts_at(labels, predictions, limits, weights)
        value = collect(metrics_collections, _area(len(limits), curve, summation_method, values, "value"))
        return value, collect(updates_collections, _area(len(limits), curve, summation_method, updates, "update_op"))


# -- one count, or a share of two

def _count_at(key, scope):
    def function(labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None,
                 name=None):
        with scope_lib.variable_scope(name, scope, (predictions, labels, weights)):
            values, updates = _counts_at(labels, predictions, thresholds, weights, (key,))
            value = collect(metrics_collections, array_ops.identity(values[key]))
            return value, collect(updates_collections, updates[key])
    function.__name__ = scope + "_at_thresholds"
    return function


true_positives_at_thresholds = _count_at("tp", "true_positives")
false_negatives_at_thresholds = _count_at("fn", "false_negatives")
true_negatives_at_thresholds = _count_at("tn", "true_negatives")
false_positives_at_thresholds = _count_at("fp", "false_positives")


def _share_at(what, other):
    def function(labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None,
                 name=None):
        with scope_lib.variable_scope(name, what + "_at_thresholds", (predictions, labels, weights)):
            values, updates = _counts_at(labels, predictions, thresholds, weights, ("tp", other))

            def compute(counts, name):
                return math_ops.div(counts["tp"], _EPSILON + counts["tp"] + counts[other], name="%s_%s" % (what, name))
            value = collect(metrics_collections, compute(values, "value"))
            return value, collect(updates_collections, compute(updates, "update_op"))
    function.__name__ = what + "_at_thresholds"
    return function


precision_at_thresholds = _share_at("precision", "fp")
recall_at_thresholds = _share_at("recall", "fn")


# -- one rate where the other has a given value

def _sensitivity(counts, specificity, name):
    tp, fn = counts["tp"], counts["fn"]
    specificities = math_ops.div(counts["tn"], counts["tn"] + counts["fp"] + _EPSILON)
    index = math_ops.cast(math_ops.argmin(math_ops.abs(specificities - specificity), 0), dtypes.int32)
    return math_ops.div(tp[index], tp[index] + fn[index] + _EPSILON, name)


def _specificity(counts, sensitivity, name):
    tn, fp = counts["tn"], counts["fp"]
    sensitivities = math_ops.div(counts["tp"], counts["tp"] + counts["fn"] + _EPSILON)
    # TF: of the thresholds that come nearest, the last: where the running count of them is largest first.
    nearest = math_ops.reduce_min(math_ops.abs(sensitivities - sensitivity))
    is_nearest = math_ops.equal(math_ops.abs(sensitivities - sensitivity), nearest)
    running = math_ops.cumsum(math_ops.cast(is_nearest, dtypes.int64))
    index = math_ops.cast(math_ops.argmax(running, 0), dtypes.int32)
    return math_ops.div(tn[index], tn[index] + fp[index] + _EPSILON, name)


def _rate_at(scope, given, compute, last):
    def rate(labels, predictions, wanted, weights, num_thresholds, metrics_collections, updates_collections, name):
        if wanted < 0 or wanted > 1:
            raise ValueError("`%s` must be in the range [0, 1]." % given)
        with scope_lib.variable_scope(name, scope, (predictions, labels, weights)):
            values, updates = _counts_at(labels, predictions, _even_thresholds(num_thresholds, last), weights)
            value = collect(metrics_collections, compute(values, wanted, "value"))
            return value, collect(updates_collections, compute(updates, wanted, "update_op"))
    return rate


_at_specificity = _rate_at("sensitivity_at_specificity", "specificity", _sensitivity, 1.0 + _EPSILON)
_at_sensitivity = _rate_at("specificity_at_sensitivity", "sensitivity", _specificity, 1.0 - _EPSILON)


def sensitivity_at_specificity(labels, predictions, specificity, weights=None, num_thresholds=200,
                               metrics_collections=None, updates_collections=None, name=None):
    return _at_specificity(labels, predictions, specificity, weights, num_thresholds, metrics_collections,
                           updates_collections, name)


def specificity_at_sensitivity(labels, predictions, sensitivity, weights=None, num_thresholds=200,
                               metrics_collections=None, updates_collections=None, name=None):
    return _at_sensitivity(labels, predictions, sensitivity, weights, num_thresholds, metrics_collections,
                           updates_collections, name)
