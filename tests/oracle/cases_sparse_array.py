# cases_sparse_array.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors put together, cut, and compared as sequences."""

import numpy as np

from record_ops import Case, to_array

A = np.array([[0, 0], [0, 3], [1, 1], [2, 2]], np.int64)
B = np.array([[0, 1], [0, 3], [2, 0]], np.int64)
SHAPE = np.array([3, 4], np.int64)


def cases():
    for dtype in ['float32', 'int64', 'bool', 'uint8', 'string']:
        if dtype == 'string':
            a = np.array([b'a', b'bc', b'', b'd'], object)
        else:
            a = to_array([1, 0, 3, 4], dtype)
        b = a[:3]
        for axis in (0, 1, -1, -2):
            yield Case('SparseConcat', [[A, B], [a, b], [SHAPE, SHAPE]], concat_dim=axis)
        yield Case('SparseSlice', [A, a, SHAPE, np.array([0, 1], np.int64), np.array([2, 3], np.int64)])
        yield Case('SparseSlice', [A, a, SHAPE, np.array([1, 0], np.int64), np.array([9, 2], np.int64)])
        # A start beyond the shape ends TensorFlow's process: no case.
        for normalize in (False, True):
            yield Case('EditDistance', [A, a, SHAPE, B, b, SHAPE], normalize=normalize)
    v = np.array([1, 2, 3, 4], np.float32)
    yield Case('SparseConcat', [[A, B], [v, v[:3]], [SHAPE, SHAPE + 1]], concat_dim=0)
    yield Case('SparseConcat', [[A, B], [v, v[:3]], [SHAPE, SHAPE]], concat_dim=2)
    h = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 1, 0], [1, 1, 1]], np.int64)
    t = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 0], [1, 1, 1], [1, 1, 2]], np.int64)
    for normalize in (False, True):
        yield Case('EditDistance', [h, np.array([1, 2, 3, 4, 5, 6]), np.array([2, 2, 3], np.int64),
                                    t, np.array([1, 3, 7, 5, 9, 6]), np.array([2, 2, 3], np.int64)], normalize=normalize)
