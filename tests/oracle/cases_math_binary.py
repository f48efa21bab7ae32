# cases_math_binary.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, int_limits, values

FLOATS = ['half', 'float32', 'float64']
SMALL = ['int8', 'int16', 'int32', 'int64', 'uint8']
OPS = {
    'Add': ['bfloat16'] + FLOATS + COMPLEX + SMALL + ['string'],
    'AddV2': ['bfloat16'] + FLOATS + COMPLEX + SMALL,
    'Sub': ['bfloat16'] + FLOATS + COMPLEX + SMALL + ['uint16'],
    'Mul': ['bfloat16'] + FLOATS + COMPLEX + SMALL + ['uint16'],
    'Div': ['bfloat16'] + FLOATS + COMPLEX + ['int16', 'int32', 'int64', 'uint8', 'uint16'],
    'RealDiv': ['bfloat16'] + FLOATS + COMPLEX,
    'FloorDiv': FLOATS + SMALL + ['uint16'],
    'TruncateDiv': ['int16', 'int32', 'int64', 'uint8', 'uint16'],
    'DivNoNan': FLOATS + COMPLEX,
    'Mod': ['float32', 'float64', 'int32', 'int64'],
    'FloorMod': ['float32', 'float64', 'int32', 'int64'],
    'TruncateMod': ['float32', 'float64', 'int32', 'int64'],
    'Pow': FLOATS + COMPLEX + ['int32', 'int64'],
    'Maximum': ['bfloat16'] + FLOATS + ['int32', 'int64'],
    'Minimum': ['bfloat16'] + FLOATS + ['int32', 'int64'],
    'SquaredDifference': FLOATS + COMPLEX + ['int32', 'int64'],
    'Atan2': ['float32', 'float64'],
    'NextAfter': ['float32', 'float64'],
    'Xdivy': FLOATS + COMPLEX, 'Xlogy': FLOATS + COMPLEX, 'MulNoNan': FLOATS + COMPLEX,
}
DIVIDES = ('Div', 'RealDiv', 'FloorDiv', 'TruncateDiv', 'Mod', 'FloorMod', 'TruncateMod')
SHAPES = [([], []), ([3], [3]), ([2, 3], []), ([], [2, 3]), ([2, 3], [3]), ([3], [2, 3]),
          ([2, 3], [2, 1]), ([2, 1], [1, 3]), ([2, 1, 4], [3, 1]), ([4, 1, 3, 1, 2], [1, 5, 3, 2, 1]),
          ([0, 3], [1, 3]), ([0], [1]), ([2, 3], [2, 4]), ([2, 3], [2])]
WIDE = [([67], [67]), ([5, 33], [33]), ([5, 33], [5, 1])]


def operands(op, dtype, a, b):
    low, high = -3, 4
    x = values(dtype, a, low, high)
    if op in DIVIDES:
        y = values(dtype, b, 1, 4, key=1)
        if dtype in COMPLEX or dtype.startswith('uint'):
            return x, y
        sign = np.where(values('bool', b, key=2), -1, 1)
        return x, to_array((np.asarray(y).astype(np.float64) * sign), dtype)
    if op == 'Pow':
        return values(dtype, a, 0.2 if dtype not in ('int32', 'int64') else -3, 4), \
            values(dtype, b, 0, 3, key=1)
    if op == 'Xlogy':
        return x, values(dtype, b, 0.2, 4, key=1)
    return x, values(dtype, b, low, high, key=1)


def loose(dtype):
    return {'half': 4e-3, 'complex64': 4e-6, 'complex128': 1e-12}.get(dtype)


def cases():
    for op in sorted(OPS):
        for dtype in OPS[op]:
            full = dtype in ('float32', 'int32', 'string')
            for a, b in (SHAPES if full else SHAPES[1:3] + SHAPES[7:9]) + WIDE:
                yield Case(op, operands(op, dtype, a, b), tolerance=0 if op == 'Atan2' else loose(dtype))
            if dtype in ('float32', 'float64') and op not in ('NextAfter', 'Pow', 'Xlogy', 'Mod',
                                                              'FloorMod', 'TruncateMod'):
                x = np.array([NAN, INF, -INF, 0.0, 1.0, -1.0])
                for y in (1.0, 0.0, INF):
                    yield Case(op, [to_array(x, dtype), to_array(y, dtype)])
                yield Case(op, [to_array([1.0, 0.0], dtype), to_array([NAN, NAN], dtype)])
            elif 'int' in dtype and op not in DIVIDES and op != 'Pow':
                x = int_limits(dtype)
                yield Case(op, [x, x[::-1].copy()])
                yield Case(op, [x, x[:1]])
        yield Case(op, [values('bool', [2]), values('bool', [2])])
    for op in DIVIDES:
        for dtype in OPS[op]:
            if 'int' not in dtype:
                continue
            yield Case(op, [values(dtype, [3]), to_array([1, 0, 2], dtype)])
            yield Case(op, [values(dtype, [0]), to_array([0], dtype)])
            x = int_limits(dtype)
            yield Case(op, [x, to_array(3, dtype)])
    for dtype in ('float32', 'float64'):
        for op in ('Mod', 'FloorMod', 'TruncateMod', 'FloorDiv'):
            yield Case(op, [to_array([5.5, -5.5, 5.5, -5.5, 0.0], dtype),
                            to_array([2.0, 2.0, -2.0, -2.0, 3.0], dtype)])
        yield Case('Pow', [to_array([2.0, 0.0, -2.0, 4.0, 1.0], dtype),
                           to_array([-1.0, 0.0, 3.0, 0.5, 100.0], dtype)])
    for dtype in ('int32', 'int64'):
        yield Case('Pow', [to_array([2, 3], dtype), to_array([1, -1], dtype)])
        yield Case('Pow', [to_array([3, -3, 0, 2], dtype), to_array([5, 5, 0, 30], dtype)])
