# cases_count_sparse_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""How often each number comes up, as sparse tensors."""

import numpy as np

from record_ops import Case
from samples import values

TENSORFLOW = '2.15'


def i64(x):
    return np.array(x, 'int64')


def attrs():
    for binary in (False, True):
        for low, high in ((-1, -1), (7, -1), (-1, 3), (2, 9), (0, 0)):
            yield dict(minlength=low, maxlength=high, binary_output=binary)


def cases():
    for t in ('int32', 'int64'):
        vector = np.array([1, 4, 1, 0, 9, 4, 2], t)
        matrix = np.array([[1, 1, 5], [0, 2, 0], [8, 3, 3], [4, 4, 4]], t)
        for out in ('int32', 'int64', 'float32', 'float64'):
            none = np.zeros([0], out)
            for more in attrs():
                for x in (vector, matrix):
                    for w in (none, values(out, x.shape)):
                        yield Case('DenseCountSparseOutput', [x, w], **more)
                for w in (none, values(out, [5])):
                    yield Case('SparseCountSparseOutput',
                               [i64([[0, 0], [0, 3], [1, 1], [3, 0], [3, 4]]), np.array([2, 2, 5, 1, 3], t), i64([4, 5]), w],
                               **more)
                    yield Case('RaggedCountSparseOutput', [i64([0, 2, 2, 5]), np.array([3, 3, 1, 0, 1], t), w], **more)
    one = dict(binary_output=False)
    x, none = np.int32([1, 2, 2]), np.zeros([0], 'float32')
    for bad in ([np.int32(5), none], [np.zeros([1, 1, 1], 'int32'), none], [x, np.float32([1, 2])],
                [-x, none], [-x, np.float32([1])], [np.zeros([0, 3], 'int32'), none], [np.zeros([0], 'int32'), none], [np.zeros([3, 0], 'int32'), none]):
        yield Case('DenseCountSparseOutput', bad, **one)
    at = i64([[0], [1], [2]])
    yield Case('SparseCountSparseOutput', [at, x, i64([3]), none], **one)
    for bad in ([at, -x, i64([3]), none], [at, -x, i64([3]), np.float32([1])], [at, -x, i64([2]), none], [at, x, i64([2]), none], [-at, x, i64([3]), none], [at[:, 0], x, i64([3]), none], [at, x[:, None], i64([3]), none], [at, x, i64([[3]]), none],
                [at[:2], x, i64([3]), none], [at, x, i64([3, 3]), none], [at, x, i64([3]), np.float32([1])],
                [np.zeros([3, 0], 'int64'), x, i64([]), none], [np.zeros([0, 2], 'int64'), x[:0], i64([0, 3]), none]):
        yield Case('SparseCountSparseOutput', bad, **one)
    for bad in ([i64([0, 3]), -x, none], [i64([0, 2]), -x, none], [i64([0, 3]), -x, np.float32([1])], [i64([0]), x[:0], none], [i64([1, 3]), x, none], [i64([0, 2]), x, none], [i64([0, 3]), x, np.float32([1])],
                [i64([0, 3, 3]), x, none], [i64([0, 0, 3]), x, none]):
        yield Case('RaggedCountSparseOutput', bad, **one)
