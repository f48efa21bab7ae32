# cases_addn.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import INF, INTS, NAN, NUMBERS, REAL, values


def cases():
    for dtype in NUMBERS:
        tolerance = {'half': 1e-2, 'bfloat16': 5e-2, 'float32': 2e-6}.get(dtype)
        for shape in ([], [0], [2, 3], [70]):
            for n in (1, 2, 3, 11):
                yield Case('AddN', [[values(dtype, shape, key=i) for i in range(n)]],
                           tolerance=tolerance)
        yield Case('AccumulateNV2', [[values(dtype, [2, 3], key=i) for i in range(4)]], shape=[2, 3],
                   tolerance=tolerance)
    yield Case('AddN', [[values('float32', [2]), values('float32', [3])]])
    yield Case('AddN', [[values('float32', [2]), values('float32', [2]), values('float32', [2, 1])]])
    yield Case('AddN', [[values('float32', [2]), values('float32', [])]])
    yield Case('AddN', [[values('bool', [2]), values('bool', [2])]])
    for dtype in ('half', 'float32', 'float64'):
        for shape in ([], [0], [5], [3, 4], [40, 50]):
            yield Case('L2Loss', [values(dtype, shape)],
                       tolerance={'half': 2e-2, 'float32': 5e-6}.get(dtype))
    for dtype in ['bfloat16', 'half', 'float32', 'float64']:
        for x in ([], [1.0, 2.0], [1.0, NAN], [INF, 1.0], [NAN, -INF]):
            yield Case('CheckNumerics', [to_array(x, dtype)], message='loss is bad')
