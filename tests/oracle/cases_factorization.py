# cases_factorization.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""contrib.factorization, contrib.reduce_slice_ops, contrib.libsvm."""

import os

import numpy as np
import tensorflow as tf
import tensorflow.contrib

from record_ops import Case
from samples import values


def load_ops():
    folder = os.path.dirname(tensorflow.contrib.__file__)
    for name in ('factorization/python/ops/_factorization_ops.so', 'reduce_slice_ops/python/ops/_reduce_slice_ops.so',
                 'libsvm/python/ops/_libsvm_ops.so'):
        tf.load_op_library(os.path.join(folder, name))


def f32(x):
    return np.array(x, np.float32)


def i64(x):
    return np.array(x, np.int64)


def equations():
    factors = values('float32', [6, 3])
    indices = i64([[0, 5], [2, 1], [2, 0], [0, 1], [3, 3], [2, 4]])
    known = values('float32', [6], key=1)
    none = np.zeros([0], np.float32)
    row, column = f32([1, 0.5, 2, 0.25]), f32([1, 2, 0, 0.5, 1, 3])
    for w0 in (0.0, 0.1):
        yield Case('WALSComputePartialLhsAndRhs', [factors, column, f32(w0), row, indices, known, none, i64(4), np.array(False)], tolerance=1e-5)
        yield Case('WALSComputePartialLhsAndRhs', [factors, column, f32(w0), row, indices[:, ::-1], known, none, i64(7), np.array(True)], tolerance=1e-5)
        yield Case('WALSComputePartialLhsAndRhs', [factors, none, f32(w0), none, indices, known, f32([0.5, 1, 2, 0, 3, 1]), i64(4), np.array(False)],
                   tolerance=1e-5)
    many = i64([[i % 3, i * 7 % 200] for i in range(600)])
    yield Case('WALSComputePartialLhsAndRhs', [values('float32', [200, 5]), none, f32(0.01), none, many, values('float32', [600], key=2),
                                               values('float32', [600], 0, 1, key=3), i64(3), np.array(False)], tolerance=1e-4)
    good = [factors, column, f32(0.1), row, indices, known, none, i64(4), np.array(False)]
    for at, bad in ((0, factors[0]), (1, f32([[1]])), (2, f32([1])), (3, f32(1)), (4, indices[0]), (4, indices[:, :1]), (5, f32([[1]])),
                    (6, f32(1)), (5, known[:3]), (7, i64([4])), (8, np.array([False])), (1, column[:5]), (6, f32([1] * 6))):
        yield Case('WALSComputePartialLhsAndRhs', good[:at] + [bad] + good[at + 1:])


def masked():
    a, b = values('float32', [4, 3]), values('float32', [3, 5], key=1)
    mask = i64([[0, 0], [3, 4], [2, 1], [2, 1], [1, 3]])
    for ta in (False, True):
        for tb in (False, True):
            yield Case('MaskedMatmul', [a.T.copy() if ta else a, b.T.copy() if tb else b, mask, np.array(ta), np.array(tb)], tolerance=1e-6)
    yield Case('MaskedMatmul', [a, b, mask[:0], np.array(False), np.array(False)])
    yield Case('MaskedMatmul', [a[:, :0], b[:0], mask, np.array(False), np.array(False)])
    no = np.array(False)
    for bad in ([a[0], b, mask, no, no], [a, b[0], mask, no, no], [a, b, mask[0], no, no], [a, b, mask, np.array([False]), no],
                [a, b, mask, no, np.array([False])], [a, b, mask, no, np.array(True)], [a, b, mask[:, :1], no, no]):
        yield Case('MaskedMatmul', bad)


def slices():
    for op in ('ReduceSliceSum', 'ReduceSliceProd', 'ReduceSliceMax', 'ReduceSliceMin'):
        for dtype in ('float32', 'float64', 'half', 'bfloat16', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'complex64', 'complex128'):
            if dtype.startswith('complex') and op[-3:] in ('Max', 'Min'):
                continue
            data = values(dtype, [3, 5, 2], 0, 4)
            for axis, pairs in ((0, [[0, 2], [1, 9], [2, 2], [2, 1]]), (1, [[0, 5], [4, 5], [3, 1]]), (2, [[0, 1]])):
                yield Case(op, [data, np.array(pairs, 'int32' if axis else 'int64'), i64(axis)])
        x = values('float32', [6])
        yield Case(op, [x, i64([0, 2, 3, 6, 9]), i64(0)])
        yield Case(op, [x, np.int32([[0], [2], [6]]), i64(0)])
        yield Case(op, [x, i64([3]), i64(0)])
        yield Case(op, [x, np.zeros([0, 2], np.int64), i64(0)])
        yield Case(op, [x[:0], i64([[0, 2]]), i64(0)])


def libsvm():
    lines = [b'1 1:3.4 2:0.5 4:0.231', b'1 2:2.5 3:inf 5:0.503', b'2 3:2.5 2:nan 1:0.105', b'-3', b'  7   9:1e3  0:-2 ']
    s = lambda x: np.array(x, object)
    for dtype in ('float32', 'float64'):
        for label in ('int32', 'int64', 'float32', 'float64'):
            yield Case('DecodeLibsvm', [s(lines)], dtype=dtype, label_dtype=label, num_features=6)
    for dtype in ('int32', 'int64'):
        yield Case('DecodeLibsvm', [s([[b'1 1:3 2:5', b'0 4:-1'], [b'2', b'3 0:1']])], dtype=dtype, label_dtype='int64', num_features=10)
    yield Case('DecodeLibsvm', [s([])], num_features=3)
    for bad in ('', '   ', 'x 1:2', '1 2', '1 2:3:4', '1 x:3', '1 2:x', '1 -2:3', '1.5 1:2', '1 2:'):
        yield Case('DecodeLibsvm', [s(['1 1:1', bad])], num_features=3)
    yield Case('DecodeLibsvm', [s(['1 2:1.5'])], dtype='int32', num_features=3)


def cases():
    load_ops()
    for part in (equations, masked, slices, libsvm):
        for case in part():
            yield case
