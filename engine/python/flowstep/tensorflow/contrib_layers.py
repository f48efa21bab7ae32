# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: regularizers."""

import numbers

from . import math_ops, nn, ops, scope
from .graph import name_scope


def _checked(scale):
    if isinstance(scale, numbers.Integral):
        raise ValueError("scale cannot be an integer: %s" % scale)
    if isinstance(scale, numbers.Real) and scale < 0.:
        raise ValueError("Setting a scale less than 0 on a regularizer: %g" % scale)
    return scale


def l1_regularizer(scale, scope_name=None):
    """The sum of absolute values, times scale; nothing for a scale of 0."""
    if _checked(scale) == 0.:
        return scope.no_regularizer

    def l1(weights):
        with name_scope(scope_name, "l1_regularizer", [weights]) as name:
            my_scale = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return math_ops.multiply(my_scale, math_ops.reduce_sum(math_ops.abs(weights)), name=name)
    return l1


def l2_regularizer(scale, scope_name=None):
    """Half the sum of squares, times scale; nothing for a scale of 0."""
    if _checked(scale) == 0.:
        return scope.no_regularizer

    def l2(weights):
        with name_scope(scope_name, "l2_regularizer", [weights]) as name:
            my_scale = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return math_ops.multiply(my_scale, nn.l2_loss(weights), name=name)
    return l2
