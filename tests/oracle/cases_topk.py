# cases_topk.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import INF, INTS, NAN, REAL, int_limits, values


def cases():
    for dtype in REAL + INTS:
        for shape, k in (([5], 2), ([5], 5), ([3, 7], 3), ([2, 3, 4], 1), ([0, 3], 2), ([3], 0), ([2, 90], 7)):
            x = values(dtype, shape, 0, 9)
            yield Case('TopKV2', [x, k])
            yield Case('TopK', [x], k=k, producer=6)
            if k > 0 and k < shape[-1]:
                yield Case('NthElement', [x, k])
                yield Case('NthElement', [x, k], reverse=True)
        if dtype in INTS:
            yield Case('TopKV2', [int_limits(dtype), 4])
    for shape, k in (([3], -1), ([3], 4), ([3], [2]), ([], 1)):
        yield Case('TopKV2', [values('float32', shape), np.array(k, np.int32)])
    yield Case('TopK', [values('float32', [3])], k=4, producer=6)
    yield Case('TopK', [values('float32', [])], k=1, producer=6)
    yield Case('TopK', [values('float32', [3])], k=-1, producer=6)
    for shape, n in (([3], 3), ([3], -1), ([], 0), ([3], [1])):
        yield Case('NthElement', [values('float32', shape), np.array(n, np.int32)])
    for index in ('int32', 'int64'):
        x = values('float32', [6, 5], 0, 9)
        for k in (0, 1, 2, 5, 9, -1):
            targets = to_array([0, 1, 2, 3, 4, 0], index)
            yield Case('InTopK', [x, targets], k=k)
            yield Case('InTopKV2', [x, targets, to_array(k, index)])
        bad = np.array([[1, NAN, 2], [INF, 1, 0], [3, 3, 3], [-INF, 1, 2], [1, 2, 3], [1, 2, 3]],
                       np.float32)
        for k in (1, 2, 3):
            yield Case('InTopKV2', [bad, to_array([0, 0, 2, 1, 7, -1], index), to_array(k, index)])
        for p, t in (([2, 3], [1]), ([3], [1]), ([1, 2], [[1]]), ([0, 3], [])):
            yield Case('InTopK', [values('float32', p), to_array(t, index)], k=1)
        yield Case('InTopKV2', [values('float32', [1, 2]), to_array([1], index), to_array([1], index)])
    for dtype in ('float32', 'float64', 'half', 'int32', 'uint8'):
        for shape, k in (([5], 2), ([5], 5), ([3, 7], 3), ([2, 6], 1), ([2, 90], 7), ([3, 40], 39), ([2, 200], 8), ([3], 0)):
            yield Case('TopKV2', [values(dtype, shape, 0, 9, key=1), k], sorted=False)
    yield Case('TopKV2', [np.zeros([2, 50], np.float32), 8], sorted=False)
    yield Case('TopKV2', [np.maximum(values('float32', [4, 64]), 0), 8], sorted=False)
    yield Case('TopK', [values('float32', [4, 64])], k=5, sorted=False, producer=6)
