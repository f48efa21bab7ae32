# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics of tf.contrib.metrics that keep every value they were given: the area under the exact curve, and how sure it is."""

import collections

from .. import dtypes, nn
from ..control import control_flow
from ..distributions import Normal
from ..framework import graph as graph_lib
from ..framework.ops import apply_op, constant
from ..learning.metrics_common import collect, matching, metric_variable
from ..operators import array_ops, check_ops, math_ops
from ..operators import state_ops
from ..state import scope as scope_lib

_EPSILON = 1e-7
_Area = collections.namedtuple("AucData", ["auc", "lower", "upper"])


# -- all values so far

def _grown(required, factor=1.5):
    """The power of the factor that has room for as many."""
    exponent = math_ops.ceil(math_ops.log(math_ops.cast(required, dtypes.float32)) /
                             math_ops.log(math_ops.cast(factor, dtypes.float32)))
    return math_ops.cast(math_ops.ceil(factor ** exponent), dtypes.int32)


def _checked_axis(values, axis):
    """The axis from the front, and the sizes of the others."""
    if values.shape.dims is None:
        raise ValueError("`values` must have known statically known rank")
    rank = values.shape.ndims
    from_front = axis + rank if axis < 0 else axis
    if not 0 <= from_front < rank:
        raise ValueError("axis = %r not in [0, %r)" % (from_front, rank))
    fixed = [size for i, size in enumerate(values.shape.as_list()) if i != from_front]
    if None in fixed:
        raise ValueError("all dimensions of `values` other than the dimension to concatenate along must have statically "
                         "known size")
    return from_front, fixed


def streaming_concat(values, axis=0, max_size=None, metrics_collections=None, updates_collections=None, name=None):
    with scope_lib.variable_scope(name, "streaming_concat", (values,)):
        axis, fixed = _checked_axis(values, axis)
        rank = values.shape.ndims
        array = metric_variable([max_size or 0] + fixed, values.dtype, validate_shape=False, name="array")
        size = metric_variable([], dtypes.int32, name="size")
        # The array is kept with the axis in front.
        kept = array[:size]
        kept.set_shape([None] + fixed)
        back = [0 if i == axis else i + 1 if i < axis else i for i in range(rank)]
        value = array_ops.transpose(kept, back, name="concat")
        count = array_ops.shape(values)[axis]
        if max_size is not None:
            count = math_ops.minimum(count, max_size - size)
        batch = array_ops.transpose(values, [axis] + [i for i in range(rank) if i != axis])[:count]

        def reallocate():
            dims = array_ops.stack([_grown(new_size)] + fixed)
            empty = array_ops.zeros(dims, dtype=values.dtype)
            old = array.value()
            with graph_lib.control_dependencies([old]):
                replaced = state_ops.assign(array, empty, validate_shape=False)
            with graph_lib.control_dependencies([replaced]):
                copied = array[:size].assign(old[:size])
            with graph_lib.control_dependencies([copied]):
                return control_flow.no_op()
        new_size = size + count
        room = array_ops.shape_internal(array, optimize=False)[0]
        grown = control_flow.cond(new_size > room, reallocate, control_flow.no_op)
        with graph_lib.control_dependencies([grown]):
            appended = array[size:new_size].assign(batch)
        with graph_lib.control_dependencies([appended]):
            update = size.assign(new_size)
        collect(metrics_collections, value)
        return value, collect(updates_collections, update)


def _binary_check(labels):
    return [check_ops.assert_greater_equal(labels, array_ops.zeros_like(labels, dtypes.int64),
                                           message="labels must be 0 or 1, at least one is <0"),
            check_ops.assert_less_equal(labels, array_ops.ones_like(labels, dtypes.int64),
                                        message="labels must be 0 or 1, at least one is >1")]


def _kept(**values):
    """What was seen of each by now, and what adds the next."""
    made = [streaming_concat(value, name="concat_" + name) for name, value in values.items()]
    return [value for value, _ in made], [update for _, update in made]


# -- the area under the curve

def _area(labels, predictions, curve, weights):
    size = array_ops.size(predictions)
    if weights is None:
        weights = array_ops.ones_like(labels, dtype=dtypes.float64)
    # TF: labels stand where predictions are meant.
    labels, predictions, weights = matching(labels, predictions, weights)
    total = math_ops.reduce_sum(weights)

    def weighed(is_counted, labels, weights):
        return array_ops.where(is_counted, weights, array_ops.zeros_like(labels, dtype=dtypes.float64))
    positive = math_ops.reduce_sum(weighed(math_ops.greater(labels, 0), labels, weights))

    def compute():
        ordered, indices = nn.top_k(predictions, k=size)
        of_labels, of_weights = array_ops.gather(labels, indices), array_ops.gather(weights, indices)
        counts = apply_op("UniqueWithCounts", x=ordered)[2]
        splits = math_ops.cast(array_ops.pad(math_ops.cumsum(counts), paddings=[[1, 0]]), dtypes.int32)

        def at_splits(values):
            return array_ops.gather(array_ops.pad(math_ops.cumsum(values), paddings=[[1, 0]]), splits)
        right = at_splits(weighed(math_ops.greater(of_labels, 0), of_labels, of_weights))
        if curve == "ROC":
            wrong = at_splits(weighed(math_ops.less(of_labels, 1), of_labels, of_weights))
            negative = total - positive
            x, y = math_ops.truediv(wrong, negative), math_ops.truediv(right, positive)
        else:
            x = math_ops.truediv(right, positive)
            said = at_splits(of_weights)
            some, share = math_ops.greater(splits, 0), math_ops.truediv(right, said)
            y = array_ops.where(some, share, array_ops.ones_like(right, dtype=dtypes.float64))
        heights = math_ops.add(y[1:], y[:-1]) / 2.0
        return math_ops.reduce_sum(math_ops.multiply(heights, math_ops.abs(math_ops.subtract(x[1:], x[:-1]))))
    is_one_kind = math_ops.logical_or(math_ops.equal(positive, 0), math_ops.equal(positive, total))
    return control_flow.cond(is_one_kind, true_fn=lambda: constant(0, dtypes.float64), false_fn=compute)


def streaming_dynamic_auc(labels, predictions, curve="ROC", metrics_collections=(), updates_collections=(), name=None,
                          weights=None):
    if curve not in ("PR", "ROC"):
        raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
    with scope_lib.variable_scope(name, default_name="dynamic_auc"):
        labels.shape.assert_is_compatible_with(predictions.shape)
        predictions = array_ops.reshape(math_ops.cast(predictions, dtypes.float64), [-1])
        labels = array_ops.reshape(math_ops.cast(labels, dtypes.int64), [-1])
        with graph_lib.control_dependencies(_binary_check(labels)):
            kept, updates = _kept(preds=predictions, labels=labels)
            if weights is not None:
                more, update = _kept(weights=array_ops.reshape(math_ops.cast(weights, dtypes.float64), [-1]))
                kept, updates = kept + more, updates + update
            update = control_flow.group(updates[1], updates[0], *updates[2:])
            area = _area(kept[1], kept[0], curve, kept[2] if weights is not None else None)
            collect(updates_collections, update)
            return collect(metrics_collections, area), update


# -- how sure the area is

def _placements(labels, predictions, weights):
    """In the order of the predictions: labels, weights, and the share of the other kind that stands below each."""
    size = array_ops.size(predictions, out_type=dtypes.int32)
    total_0 = math_ops.reduce_sum(math_ops.cast(1 - labels, weights.dtype) * weights)
    total_1 = math_ops.reduce_sum(math_ops.cast(labels, weights.dtype) * weights)
    ordered, indices = nn.top_k(predictions, k=size, sorted=True)
    ordered = array_ops.reverse(ordered, axis=array_ops.zeros(1, dtypes.int32))
    indices = array_ops.reverse(indices, axis=array_ops.zeros(1, dtypes.int32))
    labels, weights = array_ops.gather(labels, indices), array_ops.gather(weights, indices)
    _, segments = array_ops.unique(ordered)
    is_true = math_ops.cast(labels, dtypes.float32)
    is_false = 1.0 - is_true
    of_true, of_false = weights * is_true, weights * is_false
    sums = [math_ops.segment_sum(of_false, segments), math_ops.segment_sum(of_true, segments)]
    below = [math_ops.cumsum(each, exclusive=True) for each in sums]
    # Equals stand half below.
    placed = [(under + own / 2.0) / (math_ops.reduce_sum(own) + _EPSILON) for under, own in zip(below, sums)]
    placed_true, placed_false = (array_ops.gather(each, segments) for each in placed)
    return labels, weights, placed_true * is_true + placed_false * is_false, total_0, total_1


def _area_and_deviation(labels, predictions, weights):
    labels, weights, placed, total_0, total_1 = _placements(labels, predictions, weights)
    placed_0 = placed * math_ops.cast(1 - labels, weights.dtype)
    weights_0 = weights * math_ops.cast(1 - labels, weights.dtype)
    placed_1 = placed * math_ops.cast(labels, weights.dtype)
    weights_1 = weights * math_ops.cast(labels, weights.dtype)
    area_0 = math_ops.reduce_sum(weights_0 * (1. - placed_0)) / (total_0 + _EPSILON)
    area_1 = math_ops.reduce_sum(weights_1 * placed_1) / (total_1 + _EPSILON)
    area = array_ops.where(math_ops.less(total_0, total_1), area_1, area_0)
    spread_0 = math_ops.reduce_sum(weights_0 * math_ops.square(1. - placed_0 - area_0)) / (total_0 - 1. + _EPSILON)
    spread_1 = math_ops.reduce_sum(weights_1 * math_ops.squared_difference(placed_1, area_1)) / (total_1 - 1. + _EPSILON)
    return area, math_ops.sqrt((spread_0 / (total_0 + _EPSILON)) + (spread_1 / (total_1 + _EPSILON)))


def _inverse_logit(x):
    return 1. / (1. + math_ops.exp(math_ops.negative(x)) + _EPSILON)


def _with_bounds(labels, predictions, weights, alpha, logit_transformation, is_valid):
    area, deviation = _area_and_deviation(labels, predictions, weights)
    z = Normal(loc=0., scale=1.).quantile((1.0 - alpha) / 2.0)
    estimate = area
    if logit_transformation:
        estimate = math_ops.log(area / (1. - area + _EPSILON))
        deviation = deviation / (area * (1. - area + _EPSILON))
    bounds = [estimate + (z * deviation), estimate - (z * deviation)]
    if logit_transformation:
        bounds = [_inverse_logit(bound) for bound in bounds]

    def unless_certain(bound):
        is_one, is_zero = (math_ops.equal(area, like(area)) for like in (array_ops.ones_like, array_ops.zeros_like))
        return array_ops.where(math_ops.logical_or(is_one, is_zero), area, bound)
    bounds = [unless_certain(bound) for bound in bounds]
    nothing = constant(0.0)
    return _Area(*control_flow.cond(is_valid, lambda: [area] + bounds, lambda: [nothing] * 3))


def auc_with_confidence_intervals(labels, predictions, weights=None, alpha=0.95, logit_transformation=True,
                                  metrics_collections=(), updates_collections=(), name=None):
    if not 0 < alpha < 1:
        raise ValueError("alpha must be between 0 and 1; currently %.02f" % alpha)
    if weights is None:
        weights = array_ops.ones_like(predictions)
    with scope_lib.variable_scope(name, default_name="auc_with_confidence_intervals", values=[labels, predictions, weights]):
        predictions, labels, weights = matching(predictions, labels, weights)
        total = math_ops.reduce_sum(weights)
        weights = array_ops.reshape(weights, [-1])
        predictions = array_ops.reshape(math_ops.cast(predictions, dtypes.float64), [-1])
        labels = array_ops.reshape(math_ops.cast(labels, dtypes.int64), [-1])
        with graph_lib.control_dependencies(_binary_check(labels)):
            kept, updates = _kept(preds=predictions, labels=labels, weights=weights)
            added = control_flow.group(updates[1], updates[0], updates[2])
            are_both = math_ops.logical_and(math_ops.equal(math_ops.reduce_min(labels), 0),
                                            math_ops.equal(math_ops.reduce_max(labels), 1))
            is_enough = math_ops.greater_equal(total, 1.0)
            is_valid = math_ops.logical_and(are_both, is_enough)
            update = control_flow.cond(is_enough, lambda: added, control_flow.no_op)
            area = _with_bounds(kept[1], kept[0], kept[2], alpha, logit_transformation, is_valid)
            collect(updates_collections, update)
            return collect(metrics_collections, area), update
