# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics of tf.contrib.metrics over predictions counted in buckets of one width."""

import collections

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..framework.ops import constant, convert_to_tensor
from ..learning.metrics_at_thresholds import _check_range
from ..learning.metrics_common import matching, metric_variable
from ..operators import array_ops, check_ops, math_ops, nn_conv
from ..operators import state_ops
from ..state import initializers
from ..state import scope as scope_lib
from .framework_more import remove_squeezable_dimensions

_Points = collections.namedtuple("PrecisionRecallData", ["tp", "fp", "tn", "fn", "precision", "recall", "thresholds"])


def precision_recall_at_equal_thresholds(labels, predictions, weights=None, num_thresholds=None, use_locking=None, name=None):
    num_thresholds = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    use_locking = True if use_locking is None else use_locking
    check_ops.assert_type(labels, dtypes.bool)
    kind = dtypes.float64
    with scope_lib.variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        with graph_lib.control_dependencies(_check_range(predictions)):
            predictions, labels, weights = matching(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        is_true = math_ops.cast(labels, kind)
        weights = math_ops.cast(weights, kind)
        added = [is_true * weights, (1.0 - is_true) * weights]
        predictions = array_ops.reshape(predictions, [-1])
        added = [array_ops.reshape(each, [-1]) for each in added]
        buckets = math_ops.cast(math_ops.floor(predictions * (num_thresholds - 1)), dtypes.int32)
        with name_scope("variables"):
            kept = [metric_variable([num_thresholds], kind, name=key + "_buckets") for key in ("tp", "fp")]
        with name_scope("update_op"):
            updates = [state_ops.scatter_add(variable, buckets, more, use_locking=use_locking)
                       for variable, more in zip(kept, added)]
        tp, fp = (math_ops.cumsum(variable, reverse=True, name=key) for variable, key in zip(kept, ("tp", "fp")))
        tn = fp[0] - fp
        fn = tp[0] - tp
        epsilon = convert_to_tensor(1e-7, dtype=kind)
        precision = tp / math_ops.maximum(epsilon, tp + fp)
        recall = tp / math_ops.maximum(epsilon, tp + fn)
        values = [math_ops.cast(value, predictions.dtype) for value in (tp, fp, tn, fn, precision, recall)]
        thresholds = math_ops.cast(math_ops.lin_space(0.0, 1.0, num_thresholds), predictions.dtype)
        return _Points(*values, thresholds=thresholds), control_flow.group(*updates)


# -- the area under the curve of two histograms

def _checked(labels, scores, check_shape):
    with name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = convert_to_tensor(labels, name="boolean_labels")
        scores = convert_to_tensor(scores, name="scores")
        if labels.dtype != dtypes.bool:
            raise ValueError("Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype)
        if not check_shape:
            return labels, scores

        def is_row(value, what):
            right = math_ops.equal(1, array_ops.rank(value))
            return control_flow.Assert(right, ["Argument %s should have rank 1.  Found: " % what, value.name,
                                               array_ops.shape(value)])
        # TF: the checks guard nothing that is made behind them.
        is_row(labels, "boolean_labels")
        is_row(scores, "scores")
        return labels, scores


def _histograms(labels, scores, score_range, nbins):
    with scope_lib.variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
        def histogram(mask, name):
            return array_ops.histogram_fixed_width(array_ops.boolean_mask(scores, mask), score_range, nbins=nbins,
                                                   dtype=dtypes.int64, name=name)
        return histogram(labels, "hist_true"), histogram(math_ops.logical_not(labels), "hist_false")


def _accumulated(hist_true, hist_false, nbins, collections):
    with scope_lib.variable_scope(None, "hist_accumulate", [hist_true, hist_false]):
        true, false = (scope_lib.get_variable(name, shape=[nbins], dtype=hist_true.dtype, initializer=initializers.Zeros(),
                                              collections=collections, trainable=False)
                       for name in ("hist_true_acc", "hist_false_acc"))
        update = control_flow.group(true.assign_add(hist_true), false.assign_add(hist_false), name="update_op")
        return true, false, update


def _sums(tensor, count):
    """The sum up to each element, as a convolution."""
    with name_scope("strict_1d_cumsum", values=[tensor]):
        if count == 0:
            return constant([])
        padded = array_ops.pad(tensor, [[count - 1, 0]])
        ones = array_ops.ones_like(padded)
        with name_scope("strict_conv1d", values=[padded, ones]):
            row = array_ops.reshape(padded, (1, -1, 1, 1))
            kernel = array_ops.reshape(ones, (-1, 1, 1, 1))
            found = array_ops.reshape(nn_conv.conv2d(row, kernel, [1, 1, 1, 1], "SAME"), [-1])
        return found[:count]


def _area(true, false, nbins):
    true = math_ops.truediv(true, math_ops.reduce_sum(true))
    false = math_ops.truediv(false, math_ops.reduce_sum(false))
    rise = array_ops.reverse(true, [0], name="delta_y_t")
    step = array_ops.reverse(false, [0], name="delta_x_t")
    rise, step = math_ops.cast(rise, dtypes.float32), math_ops.cast(step, dtypes.float32)
    height = _sums(rise, nbins)
    first = step[0] * height[0] / 2.0
    others = step[1:] * (height[1:] + height[:nbins - 1]) / 2.0
    return math_ops.add(first, math_ops.reduce_sum(others), name="auc")


def auc_using_histogram(boolean_labels, scores, score_range, nbins=100, collections=None, check_shape=True, name=None):
    if collections is None:
        collections = [GraphKeys.LOCAL_VARIABLES]
    with scope_lib.variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = remove_squeezable_dimensions(scores, boolean_labels)
        score_range = convert_to_tensor(score_range, name="score_range")
        boolean_labels, scores = _checked(boolean_labels, scores, check_shape)
        found = _histograms(boolean_labels, scores, score_range, nbins)
        true, false, update = _accumulated(*found, nbins, collections)
        return _area(true, false, nbins), update
