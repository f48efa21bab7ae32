# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sums, comparisons, products of tensors, and updates."""

import numpy as np

from ... import dtypes, nn
from ...framework import ops
from ...framework.ops import convert_to_tensor
from ...operators import array_ops, math_ops, sparse as sparse_lib, state_ops
from .settings import floatx
from .shapes import expand_dims, int_shape, ndim
from .values import is_sparse


def _reduction(function, of_bool=False):
    def reduce(x, axis=None, keepdims=False):
        if of_bool and x.dtype.base_dtype == dtypes.bool:
            x = math_ops.cast(x, floatx())
        return function(x, axis, keepdims)
    return reduce


sum, prod = _reduction(math_ops.reduce_sum), _reduction(math_ops.reduce_prod)
max, min = _reduction(math_ops.reduce_max), _reduction(math_ops.reduce_min)
mean = _reduction(math_ops.reduce_mean, True)
var = _reduction(math_ops.reduce_variance, True)
std = _reduction(math_ops.reduce_std, True)
logsumexp = _reduction(math_ops.reduce_logsumexp)


def any(x, axis=None, keepdims=False):
    return math_ops.reduce_any(math_ops.cast(x, dtypes.bool), axis, keepdims)


def all(x, axis=None, keepdims=False):
    return math_ops.reduce_all(math_ops.cast(x, dtypes.bool), axis, keepdims)


def argmax(x, axis=-1):
    return math_ops.argmax(x, axis)


def argmin(x, axis=-1):
    return math_ops.argmin(x, axis)


def cumsum(x, axis=0):
    return math_ops.cumsum(x, axis=axis)


def cumprod(x, axis=0):
    return math_ops.cumprod(x, axis=axis)


def _one(name):
    function = getattr(math_ops, name)

    def apply(x):
        return function(x)
    return apply


for _name in "square abs exp log round sign sin cos sigmoid tanh".split():
    globals()[_name] = _one(_name) if hasattr(math_ops, _name) else (lambda f: lambda x: f(x))(getattr(nn, _name))


def sqrt(x):
    zero = convert_to_tensor(0.0, x.dtype.base_dtype)
    inf = convert_to_tensor(np.inf, x.dtype.base_dtype)
    return math_ops.sqrt(math_ops.clip_by_value(x, zero, inf))


def pow(x, a):
    return math_ops.pow(x, a)


def clip(x, min_value, max_value):
    if max_value is not None and max_value < min_value:
        max_value = min_value
    dtype = x.dtype.base_dtype
    min_value = ops.constant(min_value, dtype=dtype)
    return math_ops.clip_by_value(x, min_value, ops.constant(np.inf if max_value is None else max_value, dtype=dtype))


def _comparison(name):
    function = getattr(math_ops, name)
    return lambda x, y: function(x, y)


for _name in "equal not_equal greater greater_equal less less_equal maximum minimum".split():
    globals()[_name] = _comparison(_name)


def update(x, new_x):
    return state_ops.assign(x, new_x)


def update_add(x, increment):
    return state_ops.assign_add(x, increment)


def update_sub(x, decrement):
    return state_ops.assign_sub(x, decrement)


def dot(x, y):
    if ndim(x) is not None and (ndim(x) > 2 or ndim(y) > 2):
        def sizes(t):
            found = array_ops.unstack(array_ops.shape(t))
            return tuple(known if known is not None else at for known, at in zip(int_shape(t), found))
        x_shape, y_shape = sizes(x), sizes(y)
        order = list(range(ndim(y)))
        order = [order.pop(-2)] + order
        xt = array_ops.reshape(x, [-1, x_shape[-1]])
        yt = array_ops.reshape(array_ops.transpose(y, perm=order), [y_shape[-2], -1])
        return array_ops.reshape(math_ops.matmul(xt, yt), x_shape[:-1] + y_shape[:-2] + y_shape[-1:])
    if is_sparse(x):
        return sparse_lib.sparse_tensor_dense_matmul(x, y)
    return math_ops.matmul(x, y)


def batch_dot(x, y, axes=None):
    x_rank, y_rank = ndim(x), ndim(y)
    if isinstance(axes, int):
        axes = (axes, axes)
    if axes is None:
        axes = [x_rank - 1, y_rank - 1] if y_rank == 2 else [x_rank - 1, y_rank - 2]
    diff = 0
    if x_rank > y_rank:
        diff = x_rank - y_rank
        y = array_ops.reshape(y, array_ops.concat([array_ops.shape(y), [1] * diff], axis=0))
    elif y_rank > x_rank:
        diff = y_rank - x_rank
        x = array_ops.reshape(x, array_ops.concat([array_ops.shape(x), [1] * diff], axis=0))
    if ndim(x) == 2 and ndim(y) == 2:
        if axes[0] == axes[1]:
            out = math_ops.reduce_sum(math_ops.multiply(x, y), axes[0])
        else:
            out = math_ops.reduce_sum(math_ops.multiply(array_ops.transpose(x, [1, 0]), y), axes[1])
    else:
        out = math_ops.matmul(x, y, adjoint_a=axes[0] != ndim(x) - 1, adjoint_b=axes[1] == ndim(y) - 1)
    if diff:
        at = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        out = array_ops.squeeze(out, list(range(at, at + diff)))
    return expand_dims(out, 1) if ndim(out) == 1 else out
