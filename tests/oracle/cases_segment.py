# cases_segment.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import INTS, NUMBERS, REAL, values


def loose(dtype):
    return {'half': 2e-2, 'bfloat16': 1e-1, 'float32': 5e-6, 'complex64': 1e-5,
            'complex128': 1e-12}.get(dtype)


def cases():
    for fold in ('Sum', 'Mean', 'Prod', 'Max', 'Min'):
        op = 'Segment' + fold
        for dtype in (REAL + INTS if fold in ('Max', 'Min') else NUMBERS):
            for index in ('int32', 'int64'):
                for shape, ids in (([3, 2], [0, 0, 3]), ([5], [0, 1, 1, 1, 2]), ([3, 2, 2], [1, 1, 1]),
                                   ([0, 2], []), ([4, 70], [0, 0, 0, 1])):
                    yield Case(op, [values(dtype, shape, -2, 4), to_array(ids, index)],
                               tolerance=loose(dtype))
        for shape, ids in (([3, 2], [0, 1]), ([3, 2], [1, 0, 0]), ([3, 2], [-1, 0, 0]),
                           ([3, 2], [[0, 0, 0]]), ([], [0]), ([3], 0), ([3, 2], [-3, -2, -1])):
            yield Case(op, [values('float32', shape), np.array(ids, np.int32)])
        if fold == 'Mean':
            continue
        op = 'UnsortedSegment' + fold
        for dtype in (REAL + INTS if fold in ('Max', 'Min') else NUMBERS):
            for index, count in (('int32', 'int32'), ('int64', 'int64')):
                for shape, ids, n in (([3, 2], [2, 0, 2], 4), ([5], [0, -1, 1, 1, 2], 3),
                                      ([2, 2, 3], [[0, 1], [1, 1]], 2), ([0, 2], [], 2), ([2, 2], 1, 2),
                                      ([4, 70], [0, 1, 0, 1], 2), ([0], [], 0)):
                    yield Case(op, [values(dtype, shape, -2, 4), to_array(ids, index),
                                    to_array(n, count)], tolerance=loose(dtype))
        for shape, ids, n in (([3, 2], [0, -1, 7], 4), ([3, 2], [0, 1], 4), ([3, 2], [0, 1, 1], -1),
                              ([3, 2], [0, 1, 1], [3]), ([2, 2], [[0, 1], [1, 5]], 2), ([], [0], 2),
                              ([2], 3, 2)):
            yield Case(op, [values('float32', shape), np.array(ids, np.int32), np.array(n, np.int32)])
