# cases_sparse_merge.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors place by place against others, cut, and reduced."""

import numpy as np

from record_ops import Case, to_array

A = np.array([[0, 0], [0, 3], [1, 1], [2, 2]], np.int64)
B = np.array([[0, 1], [0, 3], [2, 0], [2, 2]], np.int64)
BOTH = np.array([[0, 0], [0, 1], [0, 3], [1, 1], [2, 0], [2, 2]], np.int64)
SHAPE = np.array([3, 4], np.int64)
REALS = ['bfloat16', 'float64', 'float32', 'float16', 'int16', 'int32', 'int64', 'int8', 'uint16', 'uint8']
COMPLEX = ['complex64', 'complex128']


def axes(*v):
    return np.array(list(v), np.int32)


def cases():
    f = np.array([1, -2, 3, 4], np.float32)
    for dtype in REALS:
        a = to_array([1, 2, 3, 4], dtype)
        b = to_array([5, 2, 7, 3], dtype)
        for op in ['SparseSparseMaximum', 'SparseSparseMinimum']:
            yield Case(op, [A, a, SHAPE, B, b, SHAPE])
    for op in ['SparseSparseMaximum', 'SparseSparseMinimum']:
        yield Case(op, [A, f, SHAPE, B, -f, SHAPE])
        yield Case(op, [A, f * np.nan, SHAPE, B, f, SHAPE])
        yield Case(op, [A, f, SHAPE, B, f * np.nan, SHAPE])
        yield Case(op, [A[:0], f[:0], SHAPE, B, -f, SHAPE])
        yield Case(op, [A[:0], f[:0], SHAPE, B[:0], f[:0], SHAPE])
        yield Case(op, [A, f, SHAPE, B, f, SHAPE + 1])
        yield Case(op, [A, f, SHAPE, B[:, :1], f, SHAPE[:1]])
    for dtype in ['int8', 'int16', 'int32', 'int64', 'float32', 'float64'] + COMPLEX:
        yield Case('SparseAddGrad', [to_array([1, 2, 3, 4, 5, 6], dtype), A, B, BOTH])
    g = np.arange(1, 7, dtype=np.float32)
    yield Case('SparseAddGrad', [g[:3], A, B, BOTH[[0, 2, 5]]])
    yield Case('SparseAddGrad', [g[:0], A, B, BOTH[:0]])
    yield Case('SparseAddGrad', [g, A[:0], B, BOTH])
    yield Case('SparseAddGrad', [g[:3], A, B, BOTH])
    yield Case('SparseAddGrad', [g, A[:, :1], B, BOTH])
    yield Case('SparseAddGrad', [g, A[0], B, BOTH])
    yield Case('SparseAddGrad', [g.reshape(2, 3), A, B, BOTH])
    yield Case('SparseAddGrad', [g, A, B, BOTH[0]])
    start = np.array([0, 1], np.int64)
    for dtype in REALS + COMPLEX:
        yield Case('SparseSliceGrad', [to_array([5, 6, 7], dtype), A, start, A[1:] - start])
    yield Case('SparseSliceGrad', [f[:2], A, start, A[1:3] - start])
    yield Case('SparseSliceGrad', [f[:0], A, start, A[:0]])
    yield Case('SparseSliceGrad', [f[:3], A, start, A[1:]])
    yield Case('SparseSliceGrad', [f[:2], A, start, A[1:] - start])
    yield Case('SparseSliceGrad', [f[:3], A, start[:1], A[1:] - start])
    yield Case('SparseSliceGrad', [f[:3], A, start[0], A[1:] - start])
    yield Case('SparseSliceGrad', [f[:3], A[0], start, A[1:] - start])
    yield Case('SparseSliceGrad', [f[0], A, start, A[1:] - start])
    yield Case('SparseSliceGrad', [f[:3], A, start, A[1:, :1]])
    yield Case('SparseSliceGrad', [f, A[:2], start, A])
    for dtype in REALS + COMPLEX:
        dense = to_array(np.arange(12).reshape(3, 4), dtype)
        for kind in ['int32', 'int64']:
            yield Case('SparseTensorDenseAdd', [A.astype(kind), to_array([1, 2, 3, 4], dtype), SHAPE.astype(kind), dense])
    dense = np.ones([3, 4], np.float32)
    yield Case('SparseTensorDenseAdd', [A[[0, 0, 1, 2]], f, SHAPE, dense])
    yield Case('SparseTensorDenseAdd', [A[:0], f[:0], SHAPE, dense])
    yield Case('SparseTensorDenseAdd', [A + 1, f, SHAPE, dense])
    yield Case('SparseTensorDenseAdd', [A - 1, f, SHAPE, dense])
    yield Case('SparseTensorDenseAdd', [A, f, SHAPE + 1, dense])
    yield Case('SparseTensorDenseAdd', [A, f, SHAPE, dense[0]])
    yield Case('SparseTensorDenseAdd', [A[0], f, SHAPE, dense])
    yield Case('SparseTensorDenseAdd', [A, f[0], SHAPE, dense])
    yield Case('SparseTensorDenseAdd', [A[:, :0], f, SHAPE[:0], np.float32(1)])
    wide = np.zeros([4, 6], np.int64)
    yield Case('SparseTensorDenseAdd', [wide, f, np.ones(6, np.int64), np.ones([1] * 6, np.float32)])
    for dtype in REALS + COMPLEX + ['bool', 'string']:
        v = np.array([b'a', b'', b'c', b'd'], object) if dtype == 'string' else to_array([1, 0, 3, 4], dtype)
        yield Case('SparseSplit', [np.int64(1), A, v, SHAPE], num_split=2)
    # What a negative dimension says depends on what lies before the shape in memory.
    for axis in (0, 1, 2):
        for n in (1, 2, 3, 4, 5):
            yield Case('SparseSplit', [np.int64(axis), A, f, SHAPE], num_split=n)
    yield Case('SparseSplit', [np.int64(0), A[:0], f[:0], SHAPE], num_split=2)
    yield Case('SparseSplit', [np.int64(0), A[0], f, SHAPE], num_split=2)
    yield Case('SparseSplit', [np.int64(0), A, f[0], SHAPE], num_split=2)
    yield Case('SparseSplit', [np.int64(0), A, f, SHAPE[0]], num_split=2)
    deep = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 2], [1, 0, 0], [1, 0, 2]], np.int64)
    deep_shape = np.array([2, 2, 3], np.int64)
    for dtype in REALS + COMPLEX:
        v = to_array([1, 5, 3, 4, 2], dtype)
        for op in ['SparseReduceMax', 'SparseReduceMaxSparse', 'SparseReduceSumSparse']:
            if dtype in COMPLEX and 'Max' in op:
                continue
            sparse = op.endswith('Sparse')
            for a in (axes(0), axes(1), axes(-1), axes(0, 2), axes(0, 1, 2), axes()):
                if sparse and a.size == 3 and dtype != 'float32':
                    continue
                yield Case(op, [deep, v, deep_shape, a])
                yield Case(op, [deep, v, deep_shape, a], keep_dims=True, meaningless=[0] if sparse else [])
    v = np.array([-1, -5, 3, np.nan, -2], np.float32)
    yield Case('SparseReduceMax', [deep, v, deep_shape, axes(2)])
    yield Case('SparseReduceMax', [deep, v[::-1].copy(), deep_shape, axes(2)])
    yield Case('SparseReduceMax', [deep[:0], v[:0], deep_shape, axes(2)])
    yield Case('SparseReduceMaxSparse', [deep[:0], v[:0], deep_shape, axes(2)])
    for op in ['SparseReduceMax', 'SparseReduceMaxSparse', 'SparseReduceSumSparse']:
        yield Case(op, [deep, v, deep_shape, axes(3)])
        yield Case(op, [deep, v, deep_shape, axes(-4)])
        yield Case(op, [deep[::-1].copy(), v, deep_shape, axes(1)])
