# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Into how many parts a variable is cut, by its size."""

import math

from .. import dtypes
from ..framework.graph import name_scope
from ..framework.tensor_shape import TensorShape
from . import scope as scope_lib


def _element_bytes(dtype, bytes_per_string):
    return bytes_per_string if dtype.base_dtype == dtypes.string else dtype.size


def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, max_shards=None):
    """As few parts as keep each within so many bytes."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def _partitioner(shape, dtype):
        if not isinstance(shape, TensorShape):
            raise ValueError("shape is not a TensorShape: %s" % shape)
        if not shape.is_fully_defined():
            raise ValueError("shape is not fully defined: %s" % shape)
        if not isinstance(dtype, dtypes.DType):
            raise ValueError("dtype is not a DType: %s" % dtype)
        size = shape.as_list()[axis]
        slice_bytes = 1.0 * (shape.num_elements() / size) * _element_bytes(dtype, bytes_per_string_element)
        parts = int(math.ceil(1.0 * size / max(1, math.floor(max_shard_bytes / slice_bytes))))
        result = [1] * shape.ndims
        result[axis] = min(max_shards, parts) if max_shards else parts
        return result
    return _partitioner


def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10, bytes_per_string_element=16):
    """As many parts as are allowed, of so many bytes at least."""
    def _partitioner(shape, dtype):
        if axis >= len(shape):
            raise ValueError("Can not partition variable along axis %d when shape is only %s" % (axis, shape))
        parts = shape.num_elements() * _element_bytes(dtype, bytes_per_string_element) / min_slice_size
        result = [1] * len(shape)
        result[axis] = max(1, min(shape.as_list()[axis], max_partitions, int(math.ceil(parts))))
        return result
    return _partitioner


def create_partitioned_variables(shape, slicing, initializer, dtype=dtypes.float32, trainable=True, collections=None,
                                 name=None, reuse=None):
    if len(shape) != len(slicing):
        raise ValueError("The 'shape' and 'slicing' of a partitioned Variable must have the length: shape: %s, slicing: %s" %
                         (shape, slicing))
    if len(shape) < 1:
        raise ValueError("A partitioned Variable must have rank at least 1: shape: %s" % shape)
    with scope_lib.variable_scope(name, "PartitionedVariable", reuse=reuse) as scope:
        with name_scope(None):
            made = scope_lib._store().get(scope.name, shape, dtype, initializer, None, scope.reuse, trainable, collections,
                                          scope.caching_device, lambda **_: slicing, True, scope.use_resource, None)
        return list(made)
