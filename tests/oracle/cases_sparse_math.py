# cases_sparse_math.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on sparse tensors."""

import numpy as np

from record_ops import Case, to_array

A = np.array([[0, 0], [0, 3], [1, 1], [2, 2]], np.int64)
B = np.array([[0, 1], [0, 3], [2, 0], [2, 2]], np.int64)
SHAPE = np.array([3, 4], np.int64)


def cases():
    for dtype in ['float32', 'float64', 'int32', 'int64', 'int16', 'int8']:
        a = to_array([1, -2, 3, 4], dtype)
        b = to_array([5, 2, 7, -3], dtype)
        real = to_array(1, dtype)
        zero = to_array(0, dtype)
        yield Case('SparseAdd', [A, a, SHAPE, B, b, SHAPE, zero])
        yield Case('SparseAdd', [A, a, SHAPE, B, b, SHAPE, real])
    f = np.array([1, -2, 3, 4], np.float32)
    for dtype, real in [('complex64', 'float32'), ('complex128', 'float64')]:
        z = to_array([1 + 2j, -2, 3j, 4], dtype)
        yield Case('SparseAdd', [A, z, SHAPE, B, z * 1j, SHAPE, to_array(2.5, real)])
        yield Case('SparseReduceSum', [A, z, SHAPE, np.array([0], np.int32)])
    yield Case('SparseAdd', [A, f, SHAPE, B, f, SHAPE + 1, np.float32(0)])
    for dtype in ['float32', 'float64', 'float16', 'bfloat16', 'int32', 'int64', 'uint8']:
        v = to_array([1, 2, 3, 4], dtype)
        dense = to_array(np.arange(1, 13).reshape(3, 4), dtype)
        for op in ['SparseDenseCwiseAdd', 'SparseDenseCwiseMul', 'SparseDenseCwiseDiv']:
            for side in (dense, dense[0], dense[:, :1], dense[0, 0]):
                yield Case(op, [A, v, SHAPE, side], tolerance=1e-2 if 'float16' in dtype else None)
        for axes in ([0], [1], [-1], [0, 1], []):
            for keep in (False, True):
                yield Case('SparseReduceSum', [A, v, SHAPE, np.array(axes, np.int32)], keep_dims=keep)
    yield Case('SparseDenseCwiseMul', [A, f, SHAPE, np.ones([4, 4], np.float32)])
    yield Case('SparseReduceSum', [A, f, SHAPE, np.array([2], np.int32)])
    for dtype in ['float32', 'float64']:
        yield Case('SparseSoftmax', [A, to_array([1, 2, 3, 4], dtype), SHAPE])
        deep = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 2], [1, 0, 0], [1, 0, 2]], np.int64)
        yield Case('SparseSoftmax', [deep, to_array([1, 2, 3, 4, 90], dtype), np.array([2, 2, 3], np.int64)])
