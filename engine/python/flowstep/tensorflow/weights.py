# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Weights of losses and metrics: whether they fit, and spread to the values' shape."""

from . import array_ops, control_flow, graph as graph_lib, math_ops, ops
from .graph import name_scope
from .ops import convert_to_tensor


def _fits(weights_shape, values_shape):
    return len(weights_shape) == len(values_shape) and all(w in (1, v) for w, v in zip(weights_shape, values_shape))


def assert_broadcastable(weights, values):
    """An op to wait for: nothing to do where the shapes are known to fit."""
    with name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        with name_scope(None, "weights", (weights,)) as weights_scope:
            weights = convert_to_tensor(weights, name=weights_scope)
            weights_shape = array_ops.shape(weights, name="shape")
            weights_rank = array_ops.rank(weights, name="rank")
        rank_static = ops.peek_value(weights_rank)
        with name_scope(None, "values", (values,)) as values_scope:
            values = convert_to_tensor(values, name=values_scope)
            array_ops.shape(values, name="shape")
            array_ops.rank(values, name="rank")
        if rank_static is not None:
            if rank_static == 0:
                return control_flow.no_op(name="static_scalar_check_success")
            if values.shape.ndims is not None and values.shape.ndims != rank_static:
                raise ValueError("%s values.rank=%s. weights.rank=%s. values.shape=%s. weights.shape=%s." % (
                    "weights can not be broadcast to values.", values.shape.ndims, rank_static, values.shape,
                    weights.shape))
            if values.shape.is_fully_defined() and weights.shape.is_fully_defined():
                if not _fits(weights.shape.as_list(), values.shape.as_list()):
                    raise ValueError("weights can not be broadcast to values. Mismatch. values.shape=%s. "
                                     "weights.shape=%s." % (values.shape, weights.shape))
                return control_flow.no_op(name="static_dims_check_success")
        raise ValueError("weights of a shape that is not known are not built: %s, %s" % (weights_shape, scope))


def broadcast_weights(weights, values):
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if values.shape.is_fully_defined() and weights.shape.is_fully_defined() \
                and weights.shape.as_list() == values.shape.as_list():
            return weights
        with graph_lib.control_dependencies((assert_broadcastable(weights, values),)):
            return math_ops.multiply(weights, array_ops.ones_like(values), name=scope)
