# cases_bincount_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Counts of numbers in rows, as TensorFlow 2 has them."""

import numpy as np

from record_ops import Case

TENSORFLOW = '2.15'


def cases():
    for kind in ('int32', 'int64'):
        i = lambda v, k=kind: np.array(v, k)
        for dtype in ('int32', 'int64', 'float32', 'float64'):
            w = lambda v, d=dtype: np.array(v, d)
            for binary in (False, True):
                yield Case('DenseBincount', [i([1, 2, 2, 7]), i(5), w([])], binary_output=binary)
                yield Case('DenseBincount', [i([[1, 2, 2], [0, 0, 4]]), i(4), w([])], binary_output=binary)
                yield Case('DenseBincount', [i([[1, 2, 2], [0, 0, 4]]), i(5), w([[1, 2, 3], [4, 5, 6]])], binary_output=binary)
                yield Case('RaggedBincount', [np.array([0, 2, 2, 3], np.int64), i([1, 1, 3]), i(4), w([])], binary_output=binary)
                yield Case('RaggedBincount', [np.array([0, 2, 2, 3], np.int64), i([1, 1, 3]), i(4), w([2, 3, 4])], binary_output=binary)
                yield Case('SparseBincount', [np.array([[0, 1], [2, 0], [2, 3]], np.int64), i([1, 3, 3]), np.array([3, 4], np.int64), i(4),
                                              w([])], binary_output=binary)
                yield Case('SparseBincount', [np.array([[0], [2], [3]], np.int64), i([1, 3, 3]), np.array([4], np.int64), i(4),
                                              w([2, 3, 4])], binary_output=binary)
    i = lambda *v: np.array(list(v), np.int32)
    none = np.array([], np.float32)
    dense = lambda *inputs: Case('DenseBincount', list(inputs))
    yield dense(i(), np.int32(3), none)
    yield dense(i(1, 2), np.int32(0), none)
    yield dense(i(1, 2), np.int32(-1), none)
    yield dense(i(1, 2), i(1), none)
    yield dense(i(1, -2), np.int32(3), none)
    yield dense(i(1, 2)[None, None], np.int32(3), none)
    yield dense(np.zeros([2, 0], np.int32), np.int32(3), none)
    splits = lambda *v: Case('RaggedBincount', [np.array(list(v), np.int64), i(1, 1, 3), np.int32(4), none])
    yield splits(0, 3)
    yield splits(1, 3)
    yield splits(0, 2)
    yield splits(0)
    yield Case('RaggedBincount', [np.array([0, 3], np.int64), i(1, 1, 3), np.int32(-4), none])
    yield Case('SparseBincount', [np.array([[0, 1]], np.int64), i(1), np.array([3, 4], np.int64), np.int32(-4), none])
