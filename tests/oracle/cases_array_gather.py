# cases_array_gather.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Var
from samples import NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']


def f(*shape):
    return values('float32', list(shape))


def cases():
    for dtype in PLAIN:
        yield Case('Gather', [values(dtype, [3, 2]), np.int32([2, 0, 2])])
        yield Case('GatherV2', [values(dtype, [3, 4]), np.int64([[2, 0], [3, 3]]), np.int32(1)])
        yield Case('GatherNd', [values(dtype, [3, 4]), np.int32([[2, 3], [0, 1]])])
        if dtype != 'string':
            yield Case('ResourceGather', [Var(values(dtype, [3, 2])), np.int32([2, 0, 2])], dtype=dtype)
    for params, indices in (([3], [3]), ([3], [-1]), ([], [0]), ([3], 1), ([3, 2], []), ([0, 3], [0]), ([3, 0], [5]),
                            ([3, 2], [[0, 1], [2, 3]]), ([3, 2], 4), ([3], [-1 << 31])):
        yield Case('Gather', [f(*params), np.array(indices, 'int32')])
        yield Case('GatherV2', [f(*params), np.array(indices, 'int32'), np.int32(0)])
        yield Case('ResourceGather', [Var(f(*params)), np.array(indices, 'int32')], dtype='float32')
    for axis in (0, 1, 2, -1, 3, -4, [0], [0, 1]):
        yield Case('GatherV2', [f(2, 3, 4), np.int32([1, 0]), np.array(axis, 'int32')])
        yield Case('GatherV2', [f(2, 3, 4), np.int64([1, 0]), np.array(axis, 'int64')])
    for params, indices, axis, batch in (([2, 3], [[2, 1], [0, 0]], 1, 1), ([2, 3], [[2, 1], [0, 0]], 1, -1),
                                         ([2, 3, 4], [[2, 1], [0, 0]], 1, 1), ([2, 3, 4], [[2, 1], [0, 0]], 2, 1),
                                         ([1, 3], [[2, 1]], 1, 2), ([1, 3], [[2, 1]], 0, 1), ([1, 3], [[2, 5]], 1, 1),
                                         ([1, 3], [2, 1], 1, 3), ([2, 2, 3], [[[1], [0]], [[2], [1]]], 2, 2)):
        yield Case('GatherV2', [f(*params), np.int32(indices), np.int32(axis)], batch_dims=batch)
    for params, indices in (([2, 2], [[9, 9]]), ([2, 2], [[1, 1, 1]]), ([2, 2], 1), ([], [1]), ([0, 2], [[0]]),
                            ([2, 2], np.zeros([2, 0])), ([2, 2], [1]), ([2, 2], [1, 1]), ([2, 2], [1, 5]),
                            ([2, 3, 2], [[[1], [0]]]), ([2, 3, 2], [[1, -1]]), ([2, 3], np.zeros([0, 1])),
                            ([0, 2], np.zeros([0, 1]))):
        for index in ('int32', 'int64'):
            yield Case('GatherNd', [f(*params), np.array(indices, index)])
    for params, indices in (([2, 2], [[1, 1]]), ([2, 2], [[9, 9]]), ([3, 2], [[1], [0]])):
        yield Case('ResourceGatherNd', [Var(f(*params)), np.int32(indices)], dtype='float32')
