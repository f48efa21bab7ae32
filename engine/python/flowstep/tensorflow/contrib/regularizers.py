# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: regularizers."""

import numbers

from .. import nn
from ..framework import graph as graph_lib, ops
from ..framework.graph import GraphKeys, name_scope
from ..operators import math_ops


def _is_off(scale, name="scale", point=""):
    if isinstance(scale, numbers.Integral):
        raise ValueError("%s cannot be an integer: %s" % (name, scale))
    if isinstance(scale, numbers.Real) and scale < 0.:
        raise ValueError("Setting a scale less than 0 on a regularizer: %g%s" % (scale, point))
    return isinstance(scale, numbers.Real) and scale == 0.


def _nothing(_):
    return None


def _scaled(scale, scope, default, measure):
    def regularizer(weights, name=None):
        with name_scope(scope, default, [weights]) as name:
            factor = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return math_ops.multiply(factor, measure(weights), name=name)
    regularizer.__name__ = default.partition("_")[0]   # what a layer's config has of it
    return regularizer


def l1_regularizer(scale, scope=None):
    """The sum of absolute values, times scale; nothing for a scale of 0."""
    if _is_off(scale):
        return _nothing
    return _scaled(scale, scope, "l1_regularizer", lambda weights: math_ops.reduce_sum(math_ops.abs(weights)))


def l2_regularizer(scale, scope=None):
    """Half the sum of squares, times scale; nothing for a scale of 0."""
    if _is_off(scale, point="."):
        return _nothing
    return _scaled(scale, scope, "l2_regularizer", nn.l2_loss)


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    for scale, name in ((scale_l1, "scale_l1"), (scale_l2, "scale_l2")):
        if isinstance(scale, numbers.Integral):
            raise ValueError("%s cannot be an integer: %s" % (name, scale))
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(regularizer_list, scope=None):
    regularizers = [r for r in regularizer_list if r is not None]
    if not regularizers:
        return None

    def regularizer(weights):
        with name_scope(scope, "sum_regularizer", [weights]) as name:
            losses = [loss for loss in (r(weights) for r in regularizers) if loss is not None]
            return math_ops.add_n(losses, name=name) if losses else None
    regularizer.__name__ = "sum_reg"
    return regularizer


def apply_regularization(regularizer, weights_list=None):
    """The regularizer's losses of all weights, added up into REGULARIZATION_LOSSES."""
    weights_list = weights_list or graph_lib.get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(w) for w in weights_list]
        penalties = [p if p is not None else ops.constant(0.0) for p in penalties]
        for p in penalties:
            if p.shape.ndims != 0:
                raise ValueError("regularizer must return a scalar Tensor instead of a Tensor with rank %d." %
                                 p.shape.ndims)
        total = math_ops.add_n(penalties, name=scope)
        graph_lib.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total
