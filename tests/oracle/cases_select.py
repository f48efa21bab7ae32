# cases_select.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INF, INTS, NAN, REAL, values

TYPES = REAL + COMPLEX + INTS + ['bool', 'string']
FORMS = [([], [], []), ([], [2, 3], [2, 3]), ([3], [3], [3]), ([2, 3], [2, 3], [2, 3]),
         ([2], [2, 3], [2, 3]), ([0], [0, 3], [0, 3]), ([2], [2, 0], [2, 0]), ([70], [70], [70])]
BAD = [([3], [2], [2]), ([2], [3, 2], [3, 2]), ([2, 3], [2, 3], [2, 2]), ([2], [2, 3], [2, 2]),
       ([2, 1], [2, 3], [2, 3]), ([], [2], [3]), ([2], [], []), ([2, 2], [2], [2]), ([3, 2], [6], [6])]
BROADCAST = FORMS + [([2, 1], [2, 3], [2, 3]), ([3], [2, 3], [2, 1]), ([2, 1, 4], [3, 1], [1]),
                     ([], [3], [2, 1]), ([1], [0, 2], [1, 2]), ([2], [3], [3]), ([2, 3], [2], [2])]


def cases():
    for dtype in TYPES:
        for c, t, e in FORMS[2:5] if dtype not in ('float32', 'string') else FORMS + BAD:
            yield Case('Select', [values('bool', c), values(dtype, t), values(dtype, e, key=1)])
        for c, t, e in BROADCAST[3:9] if dtype not in ('float32', 'string') else BROADCAST:
            yield Case('SelectV2', [values('bool', c), values(dtype, t), values(dtype, e, key=1)])
    for dtype in REAL + COMPLEX + INTS + ['bool']:
        for shape in ([5], [2, 3], [0, 2], [3, 2, 2]):
            yield Case('Where', [to_array(np.asarray(values('int32', shape, 0, 2)), dtype)])
        if dtype in ('float32', 'float64', 'half'):
            yield Case('Where', [to_array([NAN, INF, 0.0, -0.0], dtype)])
    for shape in ([], [1] * 8, [1] * 9):
        yield Case('Where', [np.ones(shape, bool)])
    for dtype in ['half', 'float32', 'float64'] + INTS:
        for shape, low, high in (([2, 3], [], []), ([2, 3], [2, 3], [2, 3]), ([3], [], [3]), ([], [], []),
                                 ([0, 2], [], []), ([70], [], []), ([2], [], [2])):
            yield Case('ClipByValue', [values(dtype, shape, -5, 9), values(dtype, low, -2, 1, key=1),
                                       values(dtype, high, 2, 5, key=2)])
        yield Case('ClipByValue', [values(dtype, [4], 0, 9), to_array(5, dtype), to_array(2, dtype)])
    for shape, low, high in (([2, 3], [3], []), ([2, 3], [], [2]), ([2, 3], [1], [1]), ([], [2], [])):
        yield Case('ClipByValue', [values('float32', shape), values('float32', low),
                                   values('float32', high)])
