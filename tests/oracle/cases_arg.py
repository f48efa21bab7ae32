# cases_arg.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INTS, NUMBERS, REAL, int_limits, values


def cases():
    for op in ('ArgMax', 'ArgMin'):
        for dtype in REAL + INTS:
            for shape, axis in (([5], 0), ([2, 3], 0), ([2, 3], 1), ([2, 3, 4], 1), ([3, 90], -1),
                                ([0, 3], 1), ([2, 1], 1)):
                for out in ('int64', 'int32'):
                    yield Case(op, [values(dtype, shape, 0, 9), np.array(axis, np.int32)],
                               output_type=out)
            if dtype in INTS:
                yield Case(op, [int_limits(dtype), np.array(0, np.int64)])
        for shape, axis in (([2, 3], 2), ([2, 3], -3), ([0, 3], 0), ([], 0), ([3, 0], 1)):
            yield Case(op, [values('float32', shape), np.array(axis, np.int32)])
        yield Case(op, [values('float32', [2, 3]), np.array([0, 1], np.int32)])
        yield Case(op, [values('complex64', [2, 3]), np.array(0, np.int32)])
    for op in ('Cumsum', 'Cumprod'):
        for dtype in NUMBERS:
            tolerance = {'half': 2e-2, 'bfloat16': 1e-1, 'float32': 5e-6, 'complex64': 1e-5,
                         'complex128': 1e-12}.get(dtype)
            for shape, axis in (([5], 0), ([2, 3], 0), ([2, 3], -1), ([2, 3, 4], 1), ([0, 3], 0)):
                for exclusive in (False, True):
                    for reverse in (False, True):
                        yield Case(op, [values(dtype, shape, -2, 3), np.array(axis, np.int32)],
                                   exclusive=exclusive, reverse=reverse, tolerance=tolerance)
            if dtype in INTS:
                yield Case(op, [int_limits(dtype), np.array(0, np.int64)])
        for shape, axis in (([2, 3], 2), ([2, 3], -3), ([], 0)):
            yield Case(op, [values('float32', shape), np.array(axis, np.int32)])
        yield Case(op, [values('float32', [2, 3]), np.array([0], np.int32)])
