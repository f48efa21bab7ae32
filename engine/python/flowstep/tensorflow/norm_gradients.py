# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The gradient of FusedBatchNormGrad: that of the same computed from smaller ops."""

from . import array_ops, dtypes, gradient_rules, math_ops
from .tape import Tape


def _in_training(grad_y, x, scale, epsilon, is_last):
    axes, keep = ([0, 1, 2], False) if is_last else ([0, 2, 3], True)
    if not is_last:
        scale = array_ops.reshape(scale, [1, array_ops.size(scale), 1, 1])
    mean_grad_y = math_ops.reduce_mean(grad_y, axes, keepdims=keep)
    mean_x = math_ops.reduce_mean(x, axes, keepdims=keep)
    var_x = math_ops.reduce_mean(math_ops.squared_difference(x, array_ops.stop_gradient(mean_x)), axes, keepdims=keep)
    grad_y_offset = grad_y - mean_grad_y
    x_offset = x - mean_x
    mean = math_ops.reduce_mean(grad_y * x_offset, axis=axes, keepdims=keep)
    grad_x = scale * math_ops.rsqrt(var_x + epsilon) * (
        grad_y_offset - math_ops.reciprocal(var_x + epsilon) * mean * x_offset)
    grad_scale = math_ops.rsqrt(var_x + epsilon) * math_ops.reduce_sum(grad_y * x_offset, axis=axes, keepdims=keep)
    if not is_last:
        grad_scale = array_ops.squeeze(grad_scale)
    return grad_x, grad_scale, math_ops.reduce_sum(grad_y, axis=axes)


def _frozen(grad_y, x, scale, pop_mean, pop_var, epsilon, is_last):
    axes = [0, 1, 2] if is_last else [0, 2, 3]
    if not is_last:
        shape = [1, array_ops.size(pop_mean), 1, 1]
        pop_mean = array_ops.reshape(pop_mean, shape)
        pop_var = array_ops.reshape(pop_var, shape)
        scale = array_ops.reshape(scale, shape)
    grad_offset = math_ops.reduce_sum(grad_y, axis=axes)
    root = math_ops.rsqrt(pop_var + epsilon)
    grad_scale = math_ops.reduce_sum(grad_y * (x - pop_mean) * root, axis=axes)
    return grad_y * scale * root, grad_scale, grad_offset


def _gradient(op, *grads):
    grad_y, x, scale, pop_mean, pop_var = op.inputs[:5]
    epsilon, is_last = op.get_attr("epsilon"), op.get_attr("data_format") == b"NHWC"
    with Tape(grad_y, x, scale) as tape:
        dtype = x.dtype.base_dtype
        dy, wide = grad_y, x
        if dtype == dtypes.float16:
            wide, dy = math_ops.cast(x, dtypes.float32), math_ops.cast(grad_y, dtypes.float32)
        if op.get_attr("is_training"):
            made = _in_training(dy, wide, scale, epsilon, is_last)
        else:
            made = _frozen(dy, wide, scale, pop_mean, pop_var, epsilon, is_last)
        made = (math_ops.cast(made[0], dtype),) + made[1:]
    order = [0, 1, 2] if op.get_attr("is_training") and is_last else [0, 2, 1]
    found = tape.gradient(list(made), [grad_y, x, scale], grads[:3], order)
    return found + [None] * (len(op.inputs) - 3)


gradient_rules.add_own(("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"), _gradient)
