# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics that tf.contrib.metrics has alone: rates and points at thresholds, covariance and correlation, counts."""

from .. import dtypes, metrics
from .. import nn, sets
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..learning import metrics_at_k
from ..learning import metrics_at_thresholds as at_thresholds
from ..learning.metrics_common import collect, matching, metric_variable
from ..operators import array_ops, confusion, math_ops
from ..operators import state_ops, weights as weights_lib
from ..state import scope as scope_lib

_EPSILON = 1e-7


def _finished(value, update, metrics_collections, updates_collections):
    collect(metrics_collections, value)
    collect(updates_collections, update)
    return value, update


def _counts(predictions, labels, thresholds, weights=None, includes=("tp", "fn", "tn", "fp")):
    predictions, labels, weights = matching(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return at_thresholds.counts_of(labels, predictions, thresholds, weights, includes)


def _even(count):
    return at_thresholds._even_thresholds(count, 1.0 + _EPSILON)


# -- rates of one decision

def _rate(scope, wrong, right):
    def function(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope_lib.variable_scope(name, scope, (predictions, labels, weights)):
            predictions, labels, weights = matching(math_ops.cast(predictions, dtype=dtypes.bool),
                                                    math_ops.cast(labels, dtype=dtypes.bool), weights)
            missed = wrong(labels=labels, predictions=predictions, weights=weights)
            met = right(labels=labels, predictions=predictions, weights=weights)

            def share(a, b, name):
                some = math_ops.greater(a + b, 0)
                return array_ops.where(some, math_ops.div(a, a + b), 0, name)
            value = share(missed[0], met[0], "value")
            return _finished(value, share(missed[1], met[1], "update_op"), metrics_collections, updates_collections)
    function.__name__ = function.__qualname__ = "streaming_" + scope
    return function


streaming_false_positive_rate = _rate("false_positive_rate", metrics.false_positives, metrics.true_negatives)
streaming_false_negative_rate = _rate("false_negative_rate", metrics.false_negatives, metrics.true_positives)


# -- at thresholds

def _count(key, what):
    def function(predictions, labels, thresholds, weights=None):
        values, updates = _counts(predictions, labels, thresholds, weights, (key,))
        return values[key], updates[key]
    function.__name__ = function.__qualname__ = "streaming_%s_at_thresholds" % what
    return function


streaming_true_positives_at_thresholds = _count("tp", "true_positives")
streaming_false_negatives_at_thresholds = _count("fn", "false_negatives")
streaming_false_positives_at_thresholds = _count("fp", "false_positives")
streaming_true_negatives_at_thresholds = _count("tn", "true_negatives")


def _rate_at(scope, wrong, right, short):
    def function(predictions, labels, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope_lib.variable_scope(name, scope, (predictions, labels, weights)):
            values, updates = _counts(predictions, labels, thresholds, weights, (wrong, right))
            value, update = (math_ops.div(of[wrong], _EPSILON + of[wrong] + of[right], name="%s_%s" % (short, what))
                             for of, what in ((values, "value"), (updates, "update_op")))
            return _finished(value, update, metrics_collections, updates_collections)
    function.__name__ = function.__qualname__ = "streaming_" + scope
    return function


streaming_false_positive_rate_at_thresholds = _rate_at("false_positive_rate_at_thresholds", "fp", "tn", "fpr")
streaming_false_negative_rate_at_thresholds = _rate_at("false_negative_rate_at_thresholds", "fn", "tp", "fnr")


def streaming_curve_points(labels=None, predictions=None, weights=None, num_thresholds=200, metrics_collections=None,
                           updates_collections=None, curve="ROC", name=None):
    with scope_lib.variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
        values, updates = _counts(predictions, labels, _even(num_thresholds), weights)
        small = 1e-6
        recall = math_ops.div(values["tp"] + small, values["tp"] + values["fn"] + small)
        if curve == "ROC":
            points = math_ops.div(values["fp"], values["fp"] + values["tn"] + small), recall
        else:
            points = recall, math_ops.div(values["tp"] + small, values["tp"] + values["fp"] + small)
        points = array_ops.stack(list(points), axis=1)
        return _finished(points, control_flow.group(*updates.values()), metrics_collections, updates_collections)


def precision_at_recall(labels, predictions, target_recall, weights=None, num_thresholds=200, metrics_collections=None,
                        updates_collections=None, name=None):
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")

    def compute(counts, name):
        tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
        recalls = math_ops.div(tp, tp + fn + _EPSILON)
        enough = math_ops.cast(math_ops.greater_equal(recalls, target_recall), dtypes.int64)
        at = math_ops.reduce_sum(enough) - 1
        return math_ops.div(tp[at] + _EPSILON, tp[at] + fp[at] + _EPSILON, name)
    with scope_lib.variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        values, updates = _counts(predictions, labels, _even(num_thresholds), weights)
        value = compute(values, "value")
        return _finished(value, compute(updates, "update_op"), metrics_collections, updates_collections)


def recall_at_precision(labels, predictions, precision, weights=None, num_thresholds=200, metrics_collections=None,
                        updates_collections=None, name=None, strict_mode=False):
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")

    def compute(counts, name):
        tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
        precisions = math_ops.div(tp, tp + fp + _EPSILON)

        def recall():
            return math_ops.div(tp[at], tp[at] + fn[at] + _EPSILON, name)
        if not strict_mode:
            at = math_ops.argmin(math_ops.abs(precisions - precision), 0, output_type=dtypes.int32)
            return recall()
        at = math_ops.argmax(math_ops.div(1.0, precisions - precision + _EPSILON), 0, output_type=dtypes.int32)
        return control_flow.cond(precisions[at] >= precision, recall, lambda: 0.0)
    with scope_lib.variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        limits = [i * 1.0 / (num_thresholds - 1) for i in range(1, num_thresholds - 1)]
        values, updates = _counts(predictions, labels, [0.0 - _EPSILON] + limits + [1.0 + _EPSILON], weights)
        value = compute(values, "value")
        return _finished(value, compute(updates, "update_op"), metrics_collections, updates_collections)


def f1_score(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None,
             name=None):
    """The best F1 score over even thresholds."""
    def best(counts, name):
        tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
        precision = math_ops.div(tp, _EPSILON + tp + fp, name="precision_" + name)
        recall = math_ops.div(tp, _EPSILON + tp + fn, name="recall_" + name)
        return math_ops.reduce_max(2.0 * precision * recall / (precision + recall + _EPSILON))
    with scope_lib.variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = matching(predictions, labels, weights)
        values, updates = at_thresholds._counts_at(labels, predictions, _even(num_thresholds), weights, ("tp", "fp", "fn"))
        value = best(values, "value")
        return _finished(value, best(updates, "update"), metrics_collections, updates_collections)


# -- the best few

def streaming_recall_at_k(predictions, labels, k, weights=None, metrics_collections=None, updates_collections=None, name=None):
    hits = math_ops.cast(nn.in_top_k(predictions, labels, k), dtypes.float32)
    return metrics.mean(hits, weights, metrics_collections, updates_collections, name or "recall_at_%d" % k)


def _of_top_k(what, function):
    def of(top_k_predictions, labels, class_id, weights, metrics_collections, updates_collections, name):
        default = what + "_at_k" + ("" if class_id is None else "_class%d" % class_id)
        with name_scope(name, default, (top_k_predictions, labels, weights)) as scope:
            return function(labels=labels, predictions_idx=top_k_predictions, class_id=class_id, weights=weights,
                            metrics_collections=metrics_collections, updates_collections=updates_collections, name=scope)
    return of


_precision_of, _recall_of = (_of_top_k("precision", metrics_at_k.precision_at_top_k),
                             _of_top_k("recall", metrics_at_k.recall_at_top_k))


def streaming_sparse_precision_at_top_k(top_k_predictions, labels, class_id=None, weights=None, metrics_collections=None,
                                        updates_collections=None, name=None):
    return _precision_of(top_k_predictions, labels, class_id, weights, metrics_collections, updates_collections, name)


def sparse_recall_at_top_k(labels, top_k_predictions, class_id=None, weights=None, metrics_collections=None,
                           updates_collections=None, name=None):
    return _recall_of(top_k_predictions, labels, class_id, weights, metrics_collections, updates_collections, name)


def streaming_sparse_average_precision_at_top_k(top_k_predictions, labels, weights=None, metrics_collections=None,
                                                updates_collections=None, name=None):
    return metrics_at_k._streaming_average_precision(labels, top_k_predictions, weights, metrics_collections,
                                                     updates_collections, name)


# -- how two values go together

def streaming_covariance(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with scope_lib.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = matching(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        count, mean_prediction, mean_label, comoment = (
            metric_variable([], dtypes.float32, name=key) for key in ("count", "mean_prediction", "mean_label", "comoment"))
        if weights is None:
            batch, weighted = math_ops.cast(array_ops.size(labels), dtypes.float32), (predictions, labels)
        else:
            weights = weights_lib.broadcast_weights(weights, labels)
            batch = math_ops.reduce_sum(weights)
            weighted = math_ops.multiply(predictions, weights), math_ops.multiply(labels, weights)
        new_count = state_ops.assign_add(count, batch)
        old_count = new_count - batch

        def moved(mean, values):
            """The mean of this batch, and the one before it."""
            here = math_ops.div_no_nan(math_ops.reduce_sum(values), batch)
            change = math_ops.div_no_nan((here - mean) * batch, new_count)
            return here, state_ops.assign_add(mean, change) - change
        here_prediction, old_prediction = moved(mean_prediction, weighted[0])
        here_label, old_label = moved(mean_label, weighted[1])
        residuals = (predictions - here_prediction) * (labels - here_label)
        own = math_ops.reduce_sum(residuals if weights is None else residuals * weights)
        change = own + (old_prediction - here_prediction) * (old_label - here_label) * (old_count * batch / new_count)
        update_comoment = state_ops.assign_add(comoment, change)

        def covariance(name):
            few = math_ops.less_equal(count, 1.)
            return array_ops.where(few, float("nan"), math_ops.truediv(comoment, count - 1), name=name)
        value = covariance("covariance")
        with graph_lib.control_dependencies([update_comoment]):
            update = covariance("update_op")
    return _finished(value, update, metrics_collections, updates_collections)


def streaming_pearson_correlation(predictions, labels, weights=None, metrics_collections=None, updates_collections=None,
                                  name=None):
    with scope_lib.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = matching(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        if weights is not None:
            weights = weights_lib.broadcast_weights(weights, labels)
        parts = [streaming_covariance(a, b, weights=weights, name=key) for a, b, key in (
            (predictions, labels, "covariance"), (predictions, predictions, "variance_predictions"),
            (labels, labels, "variance_labels"))]

        def correlation(i, name):
            spread = math_ops.sqrt(parts[1][i])
            return math_ops.truediv(parts[0][i], math_ops.multiply(spread, math_ops.sqrt(parts[2][i])), name=name)
        value = correlation(0, "pearson_r")
        update = correlation(1, "update_op")
    return _finished(value, update, metrics_collections, updates_collections)


def count(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with scope_lib.variable_scope(name, "count", (values, weights)):
        total = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = math_ops.cast(array_ops.size(values), dtypes.float32)
        else:
            values = math_ops.cast(values, dtypes.float32)
            values, _, weights = matching(values, None, weights)
            weights = weights_lib.broadcast_weights(math_ops.cast(weights, dtypes.float32), values)
            number = math_ops.reduce_sum(weights)
        with graph_lib.control_dependencies([values]):
            update = state_ops.assign_add(total, number)
        return _finished(array_ops.identity(total), update, metrics_collections, updates_collections)


def cohen_kappa(labels, predictions_idx, num_classes, weights=None, metrics_collections=None, updates_collections=None,
                name=None):
    """How far two who sort the same things agree beyond chance."""
    if num_classes < 2:
        raise ValueError("`num_classes` must be >= 2.Found: {}".format(num_classes))
    with scope_lib.variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.shape.with_rank_at_most(2)
        if labels.shape.ndims == 2:
            labels = array_ops.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = matching(predictions_idx, labels, weights)
        predictions_idx.shape.assert_is_compatible_with(labels.shape)
        dtype = dtypes.int64 if weights is None or weights.dtype.is_integer else dtypes.float32
        kept = [metric_variable((num_classes,), dtype, name=part) for part in ("po", "pe_row", "pe_col")]
        table = confusion.confusion_matrix(labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=dtype,
                                           name="counts_in_table")
        found = [array_ops.diag_part(table), math_ops.reduce_sum(table, axis=0), math_ops.reduce_sum(table, axis=1)]
        updates = [state_ops.assign_add(variable, more) for variable, more in zip(kept, found)]

        def kappa(agreed, rows, columns, name):
            met, total = math_ops.reduce_sum(agreed), math_ops.reduce_sum(rows)
            expected = math_ops.reduce_sum(math_ops.div_no_nan(math_ops.cast(rows * columns, dtypes.float64),
                                                               math_ops.cast(total, dtypes.float64)))
            met, expected, total = (math_ops.cast(part, dtypes.float64) for part in (met, expected, total))
            return math_ops.div_no_nan(met - expected, total - expected, name=name)
        return _finished(kappa(*kept, name="value"), kappa(*updates, name="update_op"), metrics_collections,
                         updates_collections)


def confusion_matrix(labels, predictions, num_classes=None, dtype=dtypes.int32, name=None, weights=None):
    return confusion.confusion_matrix(labels=labels, predictions=predictions, num_classes=num_classes, dtype=dtype, name=name,
                                      weights=weights)


set_difference, set_intersection, set_size, set_union = (getattr(sets, "set_" + _name) for _name in (
    "difference", "intersection", "size", "union"))
NAMES = [_name for _name in dir() if _name.startswith(("streaming_", "set_")) or _name in (
    "precision_at_recall", "recall_at_precision", "f1_score", "sparse_recall_at_top_k", "count", "confusion_matrix",
    "cohen_kappa")]
