# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.sets: the last dimension of a tensor as a set."""

from . import dtypes
from .framework.ops import apply_op
from .operators.sparse import SparseTensor, convert_to_tensor_or_sparse_tensor

_ALLOWED = (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string)


def set_size(a, validate_indices=True):
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError("Expected `SparseTensor`, got %s." % a)
    if a.values.dtype.base_dtype not in _ALLOWED:
        raise TypeError("Invalid dtype %s." % a.values.dtype)
    return apply_op("SetSize", set_indices=a.indices, set_values=a.values, set_shape=a.dense_shape,
                    validate_indices=validate_indices)


def _pair(a, b):
    """Both as tensors, the dense one first; whether they changed places."""
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _ALLOWED:
        raise TypeError("'a' invalid dtype %s." % a.dtype)
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError("Types don't match, %s vs %s." % (a.dtype, b.dtype))
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        return b, a, True
    return a, b, False


def _operation(a, b, operation, validate_indices):
    options = dict(set_operation=operation, validate_indices=validate_indices)
    if isinstance(a, SparseTensor):
        result = apply_op("SparseToSparseSetOperation", set1_indices=a.indices, set1_values=a.values,
                          set1_shape=a.dense_shape, set2_indices=b.indices, set2_values=b.values,
                          set2_shape=b.dense_shape, **options)
    elif isinstance(b, SparseTensor):
        result = apply_op("DenseToSparseSetOperation", set1=a, set2_indices=b.indices, set2_values=b.values,
                          set2_shape=b.dense_shape, **options)
    else:
        result = apply_op("DenseToDenseSetOperation", set1=a, set2=b, **options)
    return SparseTensor(*result)


def set_intersection(a, b, validate_indices=True):
    a, b, _ = _pair(a, b)
    return _operation(a, b, "intersection", validate_indices)


def set_difference(a, b, aminusb=True, validate_indices=True):
    a, b, flipped = _pair(a, b)
    if flipped:
        aminusb = not aminusb
    return _operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


def set_union(a, b, validate_indices=True):
    a, b, _ = _pair(a, b)
    return _operation(a, b, "union", validate_indices)


size, intersection, difference, union = set_size, set_intersection, set_difference, set_union
