# cases_data_flow_dynamic.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case
from samples import NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']


def f(*shape, **more):
    return values('float32', list(shape), **more)


def i32(v):
    return np.array(v, 'int32')


def cases():
    for dtype in PLAIN:
        yield Case('DynamicPartition', [values(dtype, [4, 2]), i32([1, 0, 1, 2])], num_partitions=3)
        for op in ('DynamicStitch', 'ParallelDynamicStitch'):
            yield Case(op, [[i32([2, 0]), i32([[1, 3], [4, 5]])], [values(dtype, [2, 2]), values(dtype, [2, 2, 2], key=1)]])
    for data, partitions in (([2], [5, 0]), ([2], [-1, 0]), ([2], [1, 0, 1]), ([1, 2], [[[1]]]), ([], 1), ([0, 3], []),
                             ([2, 3], [[0, 1, 0], [1, 1, 0]]), ([3, 0], [0, 1, 1])):
        yield Case('DynamicPartition', [f(*data), i32(partitions)], num_partitions=2)
    for indices, data in (([[-5], [3]], [[1], [1]]), ([[1]], [[2, 1]]), ([[1], [0]], [[1, 1], [1]]), ([[1], [0]], [[1, 1], [1, 2]]),
                          ([[]], [[0, 2]]), ([[0, 1], [1, 0]], [[2], [2]]), ([0, 1], [[2], [2]]), ([[0], 1], [[1, 2], [2]]),
                          ([[0, 0]], [[2, 0]])):
        for op in ('DynamicStitch', 'ParallelDynamicStitch'):
            if op == 'ParallelDynamicStitch' and indices == [[0, 1], [1, 0]]:
                continue
            yield Case(op, [[i32(i) for i in indices], [f(*d, key=k) for k, d in enumerate(data)]])
