# cases_reduce.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INTS, NUMBERS, REAL, int_limits, values

FORMS = [([], []), ([], [0]), ([5], [0]), ([5], []), ([2, 3], [0]), ([2, 3], [1]), ([2, 3], [0, 1]),
         ([2, 3], [-1]), ([2, 3, 4], [1]), ([2, 3, 4], [0, 2]), ([2, 1, 4], [1]),
         ([2, 3, 1, 4], [0, -1]), ([0, 3], [0]), ([0, 3], [1]), ([2, 0, 3], [1]), ([2, 0, 3], [0, 2])]
WIDE = [([40, 70], [1]), ([40, 70], [0]), ([3, 7, 11], [0, 2])]


def loose(dtype):
    return {'half': 2e-2, 'bfloat16': 1e-1, 'float32': 5e-6, 'complex64': 5e-6,
            'complex128': 1e-12, 'float64': 1e-12}.get(dtype)


def cases():
    for op in ('Sum', 'Mean', 'Prod', 'Max', 'Min', 'EuclideanNorm'):
        types = REAL + INTS if op in ('Max', 'Min') else NUMBERS
        for dtype in types:
            forms = FORMS if dtype in ('float32', 'int32') else FORMS[4:6] + FORMS[8:10] + FORMS[12:13]
            if op == 'Mean' and 'int' in dtype:
                forms = [f for f in forms if 0 not in f[0]]
            for shape, axes in forms + WIDE:
                low, high = (0.8, 1.2) if op == 'Prod' and 'int' not in dtype else (-3, 4)
                tolerance = loose(dtype)
                if (shape, axes) in WIDE and dtype in ('bfloat16', 'complex64'):
                    # TensorFlow sums bfloat16 in bfloat16.
                    tolerance = 3e-1 if dtype == 'bfloat16' else 1e-4
                yield Case(op, [values(dtype, shape, low, high), np.array(axes, np.int32)],
                           tolerance=tolerance)
            for axes in (np.array(1, np.int32), np.array([1], np.int64), np.array([-2, 1], np.int64)):
                yield Case(op, [values(dtype, [2, 3]), axes], keep_dims=True, tolerance=loose(dtype))
            if 'int' in dtype and op != 'EuclideanNorm':
                yield Case(op, [int_limits(dtype), [0]])
                yield Case(op, [np.repeat(int_limits(dtype)[-1:], 300), [0]])
        for axes in ([3], [-3], [2]):
            yield Case(op, [values('float32', [2, 3]), axes])
        yield Case(op, [values('bool', [2]), [0]])
    for op in ('All', 'Any'):
        for shape, axes in FORMS + WIDE:
            yield Case(op, [values('bool', shape), np.array(axes, np.int32)])
        yield Case(op, [np.ones([2, 3], bool), [0]], keep_dims=True)
        yield Case(op, [np.zeros([2, 40], bool), np.array(1, np.int64)])
        yield Case(op, [values('bool', [2, 3]), [2]])
