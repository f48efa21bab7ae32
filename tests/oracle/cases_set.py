# cases_set.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sets in rows of dense tensors and in sparse ones."""

import numpy as np

from record_ops import Case, to_array

OPS = ['a-b', 'b-a', 'intersection', 'union']
I1 = np.array([[0, 0], [0, 1], [0, 2], [2, 0], [2, 5]], np.int64)
I2 = np.array([[0, 3], [1, 0], [1, 1], [2, 0]], np.int64)
SHAPE = np.array([4, 6], np.int64)


def some(dtype, numbers):
    if dtype == 'string':
        return np.array([b'%d' % n if n else b'' for n in numbers], object)
    return to_array(numbers, dtype)


def cases():
    for dtype in ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'string']:
        a = some(dtype, [1, 9, 1, 5, 4, 2, 2, 2, 0]).reshape(3, 3)
        b = some(dtype, [9, 3, 4, 4, 7, 0]).reshape(3, 2)
        v1 = some(dtype, [3, 1, 3, 7, 9])
        v2 = some(dtype, [3, 5, 5, 9])
        for name in OPS:
            yield Case('DenseToDenseSetOperation', [a, b], set_operation=name)
            yield Case('DenseToSparseSetOperation', [np.concatenate([a, b, b[:, :1]], 1)[[0, 1, 2, 2]], I1, v1, SHAPE],
                       set_operation=name)
            yield Case('SparseToSparseSetOperation', [I1, v1, SHAPE, I2, v2, SHAPE], set_operation=name)
        yield Case('SetSize', [I1, v1, SHAPE])
    v1 = np.array([3, 1, 3, 7, 9], np.int32)
    v2 = np.array([-3, 5, 5, 9], np.int32)
    deep = np.arange(8, dtype=np.int32).reshape(2, 2, 2)
    for name in OPS + ['Union', 'no', '']:
        yield Case('DenseToDenseSetOperation', [deep, deep[:, ::-1]], set_operation=name)
        yield Case('DenseToDenseSetOperation', [deep[:, :, :0], deep], set_operation=name)
    union = dict(set_operation='union')
    yield Case('DenseToDenseSetOperation', [deep[0], deep[0, :1]], **union)
    yield Case('DenseToDenseSetOperation', [deep[0], deep], **union)
    yield Case('DenseToDenseSetOperation', [deep[0, 0], deep[0, 0]], **union)
    yield Case('DenseToDenseSetOperation', [deep[0, 0, 0], deep[0, 0, 0]], **union)
    yield Case('SparseToSparseSetOperation', [I1, v1, SHAPE, I2, v2, SHAPE + [0, 3]], **union)
    yield Case('SparseToSparseSetOperation', [I1, v1, SHAPE, I2, v2, SHAPE + [3, 0]], **union)
    yield Case('SparseToSparseSetOperation', [I1[:0], v1[:0], SHAPE, I2, v2, SHAPE], **union)
    yield Case('SparseToSparseSetOperation', [I1[:0], v1[:0], SHAPE, I2[:0], v2[:0], SHAPE], **union)
    yield Case('SparseToSparseSetOperation', [I1[::-1], v1, SHAPE, I2, v2, SHAPE], **union)
    yield Case('SparseToSparseSetOperation', [I1[[0, 0, 1, 2, 3]], v1, SHAPE, I2, v2, SHAPE], **union)
    yield Case('SparseToSparseSetOperation', [I1[[0, 0, 1, 2, 3]], v1, SHAPE, I2, v2, SHAPE], validate_indices=False, **union)
    yield Case('SparseToSparseSetOperation', [I1, v1, SHAPE, I2, v2, np.array([2, 6])], **union)
    yield Case('SparseToSparseSetOperation', [I1, v1, np.array([2, 6]), I2, v2, np.array([2, 6])], **union)
    yield Case('DenseToSparseSetOperation', [np.ones([3, 2], np.int32), I1, v1, SHAPE], **union)
    yield Case('SetSize', [I1, v1, np.array([2, 6])])
    yield Case('SetSize', [I1, v1, np.array([6])])
    yield Case('SetSize', [I1[::-1], v1, SHAPE])
    yield Case('SetSize', [I1[[0, 0, 1, 2, 3]], v1, SHAPE], validate_indices=False)
    yield Case('SetSize', [I1[:0], v1[:0], SHAPE])
