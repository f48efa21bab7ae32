# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.nn: dropout that keeps mean and variance, losses whose arguments stand the other way round, small functions."""

import numbers

from .. import nn
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, math_ops, random_ops

# Where a unit of a self-normalizing network ends when it is dropped.
_DROPPED = -1.7580993408473766


def alpha_dropout(x, keep_prob, noise_shape=None, seed=None, name=None):
    with name_scope(name, "alpha_dropout", [x]) as name:
        x = convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real) and not 0 < keep_prob <= 1.:
            raise ValueError("keep_prob must be a scalar tensor or a float in the range (0, 1], got %g" % keep_prob)
        keep_prob = convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep_prob.shape.assert_has_rank(0)
        if ops.constant_value(keep_prob) == 1:
            return x
        noise_shape = noise_shape if noise_shape is not None else array_ops.shape(x)
        noise = random_ops.random_uniform(noise_shape, seed=seed, dtype=x.dtype)
        kept = math_ops.cast(apply_op("GreaterEqual", x=noise, y=1 - keep_prob), x.dtype)
        x = x * kept + _DROPPED * (1 - kept)
        a = (keep_prob + keep_prob * (1 - keep_prob) * _DROPPED ** 2) ** -0.5
        b = -a * _DROPPED * (1 - keep_prob)
        return a * x + b


def deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels, dim=-1, name=None):
    return nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, labels, name=None):
    return nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, targets, name=None):
    return nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


def nth_element(input, n, reverse=False, name=None):
    return apply_op("NthElement", input=input, n=n, reverse=reverse, name=name)
