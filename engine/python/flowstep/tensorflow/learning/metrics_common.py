# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the metrics share: local variables, collections, and tensors made to fit each other."""

from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, confusion, math_ops
from ..state import variables

# How replicas of a metric's variable are put together: VariableSynchronization and VariableAggregation.
ON_READ, SUM = variables.VariableSynchronization.ON_READ, variables.VariableAggregation.SUM


def metric_variable(shape, dtype, validate_shape=True, name=None):
    return variables.Variable(lambda: array_ops.zeros(shape, dtype), trainable=False,
                              collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
                              validate_shape=validate_shape, name=name, synchronization=ON_READ, aggregation=SUM)


def collect(collections, item):
    if collections:
        graph_lib.add_to_collections(collections, item)
    return item


def matching(predictions, labels, weights):
    """Predictions, labels and weights, made to fit where their ranks differ by one."""
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = confusion.remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = convert_to_tensor(weights)
    ranks = predictions.shape.ndims, weights.shape.ndims
    if ranks[1] == 0:
        return predictions, labels, weights
    if None in ranks:
        return predictions, labels, _adjust_weights(predictions, weights)
    if ranks[1] - ranks[0] == 1:
        weights = array_ops.squeeze(weights, [-1])
    elif ranks[0] - ranks[1] == 1:
        weights = array_ops.expand_dims(weights, [-1])
    return predictions, labels, weights


def _adjust_weights(predictions, weights):
    """As matching(), decided when run."""
    rank = array_ops.rank(weights)
    diff = rank - array_ops.rank(predictions)

    def expand():
        return control_flow.cond(math_ops.equal(diff, -1), lambda: array_ops.expand_dims(weights, [-1]),
                                 lambda: weights)

    def squeeze():
        if weights.shape.ndims is not None and not weights.shape.dims[-1].is_compatible_with(1):
            return weights
        return array_ops.squeeze(weights, [-1])
    return control_flow.cond(math_ops.equal(rank, 0), lambda: weights,
                             lambda: control_flow.cond(math_ops.equal(diff, 1), squeeze, expand))


def flat(x):
    """x as one row where it has more dimensions."""
    return array_ops.reshape(x, [-1]) if x.shape.ndims > 1 else x
