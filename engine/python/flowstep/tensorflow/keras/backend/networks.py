# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Activations, normalisation and cross entropies."""

from ... import nn
from ...framework import ops
from ...framework.graph import Tensor
from ...framework.ops import convert_to_tensor
from ...operators import array_ops, math_ops
from .settings import epsilon, floatx
from .shapes import cast, flatten


def relu(x, alpha=0.0, max_value=None, threshold=0):
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return nn.leaky_relu(x, alpha=alpha)
        negative = nn.relu(-x + threshold) if threshold != 0 else nn.relu(-x)
    capped = max_value is not None
    if threshold != 0:
        x = x * math_ops.cast(math_ops.greater(x, threshold), floatx())
    elif max_value == 6:
        x, capped = nn.relu6(x), False
    else:
        x = nn.relu(x)
    if capped:
        high = ops.constant(max_value, dtype=x.dtype.base_dtype)
        x = math_ops.clip_by_value(x, ops.constant(0.0, dtype=x.dtype.base_dtype), high)
    return x - convert_to_tensor(alpha, x.dtype.base_dtype) * negative if alpha != 0.0 else x


def elu(x, alpha=1.0):
    result = nn.elu(x)
    return result if alpha == 1 else array_ops.where_v2(math_ops.greater(x, 0), result, alpha * result)


def softmax(x, axis=-1):
    return nn.softmax(x, axis=axis)


def softplus(x):
    return nn.softplus(x)


def softsign(x):
    return nn.softsign(x)


def hard_sigmoid(x):
    from ...learning import activations
    return activations.hard_sigmoid(x)


def l2_normalize(x, axis=None):
    return nn.l2_normalize(x, axis=axis)


def in_top_k(predictions, targets, k):
    return nn.in_top_k(predictions, targets, k)


def _unscaled(output):
    """The logits below an activation, or None."""
    return output.op.inputs[0] if output.op.type in ("Softmax", "Sigmoid") else None


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    if not from_logits:
        if not isinstance(output, Tensor) or output.op.type != "Softmax":
            output = output / math_ops.reduce_sum(output, axis, True)
            small = convert_to_tensor(epsilon(), output.dtype.base_dtype)
            output = math_ops.clip_by_value(output, small, 1.0 - small)
            return -math_ops.reduce_sum(target * math_ops.log(output), axis)
        output = _unscaled(output)
    return nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    if not from_logits:
        if not isinstance(output, Tensor) or output.op.type != "Softmax":
            small = convert_to_tensor(epsilon(), output.dtype.base_dtype)
            output = math_ops.log(math_ops.clip_by_value(output, small, 1 - small))
        else:
            output = _unscaled(output)
    rank = output.shape.ndims
    axis %= rank
    if axis != rank - 1:
        order = [i for i in range(rank) if i != axis] + [axis]
        output = array_ops.transpose(output, perm=order)
    target = cast(target, "int64")
    shape_ = array_ops.shape(output)
    target_rank = target.shape.ndims
    flatten_both = rank is not None and target_rank is not None and target_rank != rank - 1
    if flatten_both:
        target = flatten(target)
        output = array_ops.reshape(output, [-1, shape_[-1]])
    result = nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
    return array_ops.reshape(result, shape_[:-1]) if flatten_both and rank >= 3 else result


def binary_crossentropy(target, output, from_logits=False):
    if not from_logits:
        if not isinstance(output, Tensor) or output.op.type != "Sigmoid":
            small = convert_to_tensor(epsilon(), output.dtype.base_dtype)
            output = math_ops.clip_by_value(output, small, 1.0 - small)
            result = target * math_ops.log(output + epsilon())
            result += (1 - target) * math_ops.log(1 - output + epsilon())
            return -result
        output = _unscaled(output)
    return nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)
