# cases_sequence.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import INF, INTS, NAN, REAL, int_limits, values


def cases():
    for dtype in ('float32', 'float64', 'int32', 'int64'):
        for start, limit, delta in ((0, 10, 1), (3, 18, 3), (10, 0, -1), (10, 0, -3), (3, 3, 1),
                                    (0, 10, 0), (0, 10, -1), (10, 0, 1), (-5, 5, 4), (0, 1, 7)):
            yield Case('Range', [to_array(v, dtype) for v in (start, limit, delta)])
        if 'float' in dtype:
            for start, limit, delta in ((0, 1, 0.1), (0.5, 2.25, 0.25), (1, -1, -0.3), (0, 100, 0.7),
                                        (5.5, 1.25, 1)):
                yield Case('Range', [to_array(v, dtype) for v in (start, limit, delta)])
        yield Case('Range', [to_array([0], dtype), to_array(3, dtype), to_array(1, dtype)])
        yield Case('Range', [to_array(0, dtype), to_array([3], dtype), to_array(1, dtype)])
        yield Case('Range', [to_array(0, dtype), to_array(3, dtype), to_array([1], dtype)])
    for dtype in ('float32', 'float64'):
        for start, stop, num in ((0, 1, 5), (1, -2, 7), (3, 3, 4), (0, 1, 1), (0.1, 0.7, 11), (0, 1, 0),
                                 (0, 1, -5)):
            for index in ('int32', 'int64'):
                yield Case('LinSpace', [to_array(start, dtype), to_array(stop, dtype),
                                        to_array(num, index)])
        yield Case('LinSpace', [to_array([0], dtype), to_array(1, dtype), 3])
        yield Case('LinSpace', [to_array(0, dtype), to_array([1], dtype), 3])
        yield Case('LinSpace', [to_array(0, dtype), to_array(1, dtype), [3]])
    for dtype in ('int32', 'int64', 'float32', 'float64'):
        for arr, size, weights in (([0, 2, 2, 1, 5], 4, []), ([0, 2, 2, 1], 4, [1, 2, 3, 4]), ([], 3, []),
                                   ([1, 2], 0, []), ([[0, 1], [1, 1]], 2, [[1, 2], [3, 4]])):
            yield Case('Bincount', [np.array(arr, np.int32), size, to_array(weights, dtype)])
        for arr, size, weights in (([-1], 3, []), ([1], -1, [])):
            yield Case('Bincount', [np.array(arr, np.int32), size, to_array(weights, dtype)])
    for dtype in REAL + INTS:
        tolerance = {'half': 1e-2, 'bfloat16': 8e-2, 'float32': 2e-6}.get(dtype)
        for shape in ([3], [2, 3], [0, 3], [2, 2, 3]):
            yield Case('Cross', [values(dtype, shape), values(dtype, shape, key=1)],
                       tolerance=tolerance)
    for a, b in (([3], [2, 3]), ([2], [2]), ([], []), ([2, 4], [2, 4])):
        yield Case('Cross', [values('float32', a), values('float32', b)])
