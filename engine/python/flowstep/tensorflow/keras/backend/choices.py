# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""One tensor or another: by a condition, or by the learning phase."""

from ... import dtypes
from ...control import control_flow
from ...operators import array_ops, math_ops
from .sessions import learning_phase
from .shapes import ndim


def switch(condition, then_expression, else_expression):
    if condition.dtype != dtypes.bool:
        condition = math_ops.cast(condition, "bool")
    if not ndim(condition):
        then = then_expression if callable(then_expression) else lambda: then_expression
        other = else_expression if callable(else_expression) else lambda: else_expression
        return control_flow.cond(condition, then, other)
    then = then_expression() if callable(then_expression) else then_expression
    other = else_expression() if callable(else_expression) else else_expression
    missing = ndim(then) - ndim(condition)
    if missing > 0:
        shape_ = array_ops.concat([array_ops.shape(condition), [1] * missing], axis=0)
        condition = array_ops.reshape(condition, shape_)
        tiles = array_ops.where_v2(math_ops.greater(array_ops.shape(then)[-missing:], 1), array_ops.shape(then)[-missing:],
                                   array_ops.ones_like(array_ops.shape(then)[-missing:]))
        condition = array_ops.tile(condition, array_ops.concat([[1] * (ndim(then) - missing), tiles], axis=0))
    return array_ops.where(condition, then, other)


def in_train_phase(x, alt, training=None):
    if training is None:
        training = learning_phase()
    if training == 1 or training is True:
        return x() if callable(x) else x
    if training == 0 or training is False:
        return alt() if callable(alt) else alt
    return switch(training, x, alt)


def in_test_phase(x, alt, training=None):
    return in_train_phase(alt, x, training=training)
