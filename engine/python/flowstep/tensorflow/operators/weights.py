# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Weights of losses and metrics: whether they fit, and spread to the values' shape."""

from .. import sets
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import constant_value, convert_to_tensor
from . import array_ops, math_ops

_REFUSAL = "weights can not be broadcast to values."


def _check_static(weights, values, weights_shape, values_shape):
    """Whether the known shapes settle it; raises where they do not fit."""
    if weights.shape.ndims != values.shape.ndims:
        raise ValueError("%s values.rank=%s. weights.rank=%s. values.shape=%s. weights.shape=%s." % (
            _REFUSAL, values.shape.ndims, weights.shape.ndims, values.shape, weights.shape))
    weights_dims, values_dims = constant_value(weights_shape), constant_value(values_shape)
    if weights_dims is None or values_dims is None:
        return False
    for i, (w, v) in enumerate(zip(weights_dims, values_dims)):
        if w not in (1, v):
            raise ValueError("%s Mismatch at dim %s. values.shape=%s weights.shape=%s." % (
                _REFUSAL, i, values_dims, weights_dims))
    return True


def _valid_dims(weights_shape, values_shape):
    with name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        values_column = array_ops.expand_dims(values_shape, -1)
        allowed = array_ops.concat((values_column, array_ops.ones_like(values_column)), axis=1)
        weights_column = array_ops.expand_dims(weights_shape, -1)
        wrong = sets.set_difference(weights_column, allowed)
        count = array_ops.size(wrong.values, name="num_invalid_dims")
        return math_ops.equal(0, count, name=scope)


def _valid_shape(weights_rank, weights_shape, values_rank, values_shape):
    with name_scope(None, "has_valid_nonscalar_shape", (weights_rank, weights_shape, values_rank, values_shape)) as scope:
        same_rank = math_ops.equal(values_rank, weights_rank, name="is_same_rank")
        return control_flow.cond(same_rank, lambda: _valid_dims(weights_shape, values_shape), lambda: same_rank,
                                 name=scope)


def assert_broadcastable(weights, values):
    """An op to wait for: nothing to do where the shapes are known to fit, else it compares them when run."""
    with name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        with name_scope(None, "weights", (weights,)) as weights_scope:
            weights = convert_to_tensor(weights, name=weights_scope)
            weights_shape = array_ops.shape(weights, name="shape")
            weights_rank = array_ops.rank(weights, name="rank")
        weights_rank_static = constant_value(weights_rank)
        with name_scope(None, "values", (values,)) as values_scope:
            values = convert_to_tensor(values, name=values_scope)
            values_shape = array_ops.shape(values, name="shape")
            values_rank = array_ops.rank(values, name="rank")
        values_rank_static = constant_value(values_rank)
        if weights_rank_static is not None and values_rank_static is not None:
            if weights_rank_static == 0:
                return control_flow.no_op(name="static_scalar_check_success")
            if _check_static(weights, values, weights_shape, values_shape):
                return control_flow.no_op(name="static_dims_check_success")
        is_scalar = math_ops.equal(0, weights_rank, name="is_scalar")
        data = (_REFUSAL, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape,
                "is_scalar=", is_scalar)
        valid = control_flow.cond(is_scalar, lambda: is_scalar,
                                  lambda: _valid_shape(weights_rank, weights_shape, values_rank, values_shape),
                                  name="is_valid_shape")
        return control_flow.Assert(valid, data, name=scope)


def broadcast_weights(weights, values):
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if values.shape.is_fully_defined() and weights.shape.is_fully_defined() \
                and weights.shape.is_compatible_with(values.shape):
            return weights
        with graph_lib.control_dependencies((assert_broadcastable(weights, values),)):
            return math_ops.multiply(weights, array_ops.ones_like(values), name=scope)
