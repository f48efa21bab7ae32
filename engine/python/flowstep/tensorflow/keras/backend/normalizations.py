# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation, by given moments and by those of the batch."""

from ... import nn
from ...framework import ops
from ...learning.moving_averages import assign_moving_average
from ...operators import array_ops
from .sessions import look_for_gpus
from .shapes import ndim


def moving_average_update(x, value, momentum):
    return assign_moving_average(x, value, momentum, zero_debias=True)


def _in_a_row(x):
    return array_ops.reshape(x, [-1]) if x is not None and ndim(x) > 1 else x


def batch_normalization(x, mean, var, beta, gamma, axis=-1, epsilon=1e-3):
    if ndim(x) != 4:
        return nn.batch_normalization(x, mean, var, beta, gamma, epsilon)
    data_format = {1: "NCHW", -3: "NCHW", 3: "NHWC", -1: "NHWC"}.get(axis)
    if data_format == "NHWC":
        mean, var = _in_a_row(mean), _in_a_row(var)
        beta = array_ops.zeros_like(mean) if beta is None else _in_a_row(beta)
        gamma = array_ops.ones_like(mean) if gamma is None else _in_a_row(gamma)
    elif data_format == "NCHW":
        look_for_gpus()
    return nn.fused_batch_norm(x, gamma, beta, epsilon=epsilon, mean=mean, variance=var, data_format=data_format,
                               is_training=False)[0]


def _broadcast(x, gamma, beta, axes, epsilon):
    mean, var = nn.moments(x, axes, None, None, False)
    shape = array_ops.stack([1 if axis in axes else array_ops.shape(x)[axis] for axis in range(ndim(x))])
    wide_mean, wide_var = array_ops.reshape(mean, shape), array_ops.reshape(var, shape)
    wide_gamma = None if gamma is None else array_ops.reshape(gamma, shape)
    wide_beta = None if beta is None else array_ops.reshape(beta, shape)
    return nn.batch_normalization(x, wide_mean, wide_var, wide_beta, wide_gamma, epsilon), mean, var


def _regular(x, gamma, beta, axes, epsilon):
    mean, var = nn.moments(x, axes, None, None, False)
    return nn.batch_normalization(x, mean, var, beta, gamma, epsilon), mean, var


def normalize_batch_in_training(x, gamma, beta, reduction_axes, epsilon=1e-3):
    axes = list(reduction_axes)
    if ndim(x) == 4 and axes in ([0, 1, 2], [0, 2, 3]):
        look_for_gpus()
        if axes == [0, 2, 3]:
            return _broadcast(x, gamma, beta, reduction_axes, epsilon)
        gamma = ops.constant(1.0, dtype=x.dtype, shape=[x.shape[3]]) if gamma is None else gamma
        beta = ops.constant(0.0, dtype=x.dtype, shape=[x.shape[3]]) if beta is None else beta
        return nn.fused_batch_norm(x, gamma, beta, epsilon=epsilon, data_format="NHWC")
    run = _regular if sorted(axes) == list(range(ndim(x)))[:-1] else _broadcast
    return run(x, gamma, beta, reduction_axes, epsilon)
