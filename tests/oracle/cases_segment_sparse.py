# cases_segment_sparse.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import INTS, REAL, values

FORMS = [([4, 2], [0, 1], [0, 0]), ([4, 2], [0, 1, 3, 3], [0, 0, 2, 2]), ([4], [3, 0, 0], [1, 2, 2]),
         ([4, 2], [], []), ([5, 3, 2], [4, 4, 1], [0, 1, 1]), ([9, 40], [1, 8, 2, 2, 5], [0, 0, 0, 1, 1])]
BAD = [([4, 2], [9], [0]), ([4, 2], [0, 1], [1, 0]), ([4, 2], [0, 1], [0]), ([4, 2], [0], [-1]),
       ([4, 2], [[0]], [0]), ([4, 2], [-1], [0]), ([4, 2], [0], [[0]])]


def i32(x):
    return np.array(x, np.int32)


def cases():
    for op in ('SparseSegmentSum', 'SparseSegmentMean', 'SparseSegmentSqrtN'):
        for dtype in (REAL + INTS if op.endswith('Sum') else ['float32', 'float64']):
            tolerance = {'half': 1e-2, 'bfloat16': 8e-2, 'float32': 3e-6}.get(dtype)
            for data, indices, ids in FORMS:
                x = values(dtype, data)
                yield Case(op, [x, i32(indices), i32(ids)], tolerance=tolerance)
                for n in (3, 5):
                    yield Case(op + 'WithNumSegments', [x, i32(indices), i32(ids), to_array(n, 'int32')],
                               tolerance=tolerance)
        for data, indices, ids in BAD:
            yield Case(op, [values('float32', data), i32(indices), i32(ids)])
        for ids, n in (([0, 5], 3), ([0, 0], -3), ([0, 0], [3]), ([1, 0], 3)):
            yield Case(op + 'WithNumSegments', [values('float32', [4, 2]), i32([0, 1]), i32(ids), i32(n)])
    for op in ('SparseSegmentMeanGrad', 'SparseSegmentSqrtNGrad'):
        for dtype in ('float32', 'float64'):
            for grad, indices, ids, n in (([2, 2], [0, 1, 1], [0, 0, 1], 3), ([3], [2, 0, 2], [0, 1, 2], 4),
                                          ([1, 2, 3], [0, 0], [0, 0], 1), ([2, 40], [5, 1, 3], [0, 1, 1], 6)):
                yield Case(op, [values(dtype, grad), i32(indices), i32(ids), i32(n)], tolerance=3e-6)
        yield Case(op, [values('float32', [1, 2]), i32([0, 9]), i32([0, 0]), i32(3)])
