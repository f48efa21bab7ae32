# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Shapes of tensors, and tensors in other shapes."""

import numpy as np

from ...operators import array_ops, math_ops
from .values import to_dense


def shape(x):
    return array_ops.shape(x)


def int_shape(x):
    dims = x.shape
    return None if dims.ndims is None else tuple(dims.as_list())


def ndim(x):
    return x.shape.ndims


def dtype(x):
    return x.dtype.base_dtype.name


def count_params(x):
    return int(np.prod(x.shape.as_list()))


def zeros_like(x, dtype=None, name=None):
    return array_ops.zeros_like(x, dtype=dtype, name=name)


def ones_like(x, dtype=None, name=None):
    return array_ops.ones_like(x, dtype=dtype, name=name)


def identity(x, name=None):
    return array_ops.identity(x, name=name)


def cast(x, dtype):
    return math_ops.cast(x, dtype)


def reshape(x, shape):
    return array_ops.reshape(x, shape)


def transpose(x):
    return array_ops.transpose(x)


def permute_dimensions(x, pattern):
    return array_ops.transpose(x, perm=pattern)


def expand_dims(x, axis=-1):
    return array_ops.expand_dims(x, axis)


def squeeze(x, axis):
    return array_ops.squeeze(x, [axis])


def flatten(x):
    return array_ops.reshape(x, [-1])


def batch_flatten(x):
    return array_ops.reshape(x, array_ops.stack([-1, math_ops.reduce_prod(array_ops.shape(x)[1:])]))


def concatenate(tensors, axis=-1):
    if axis < 0:
        rank = ndim(tensors[0])
        axis = axis % rank if rank else 0
    return array_ops.concat([to_dense(x) for x in tensors], axis)


def stack(x, axis=0):
    return array_ops.stack(x, axis=axis)


def repeat(x, n):
    x = array_ops.expand_dims(x, 1)
    return array_ops.tile(x, array_ops.stack([1, n, 1]))


def repeat_elements(x, rep, axis):
    size = x.shape.as_list()[axis]
    parts = array_ops.split(value=x, num_or_size_splits=size, axis=axis)
    return concatenate([s for s in parts for _ in range(rep)], axis)


def tile(x, n):
    return array_ops.tile(x, [n] if isinstance(n, int) else n)


def reverse(x, axes):
    return array_ops.reverse(x, [axes] if isinstance(axes, int) else axes)


def gather(reference, indices):
    return array_ops.gather(reference, indices)


def one_hot(indices, num_classes):
    return array_ops.one_hot(indices, depth=num_classes, axis=-1)


def arange(start, stop=None, step=1, dtype="int32"):
    if stop is None and start < 0:
        start = 0
    result = math_ops.range(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else cast(result, dtype)
