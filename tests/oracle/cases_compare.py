# cases_compare.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, int_limits, values
from cases_math_binary import SHAPES, WIDE

ORDERED = ['bfloat16', 'half', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8']


def cases():
    for op in ('Less', 'LessEqual', 'Greater', 'GreaterEqual', 'Equal', 'NotEqual'):
        equality = op in ('Equal', 'NotEqual')
        for dtype in ORDERED + (COMPLEX + ['bool', 'string'] if equality else []):
            full = dtype in ('float32', 'string')
            for a, b in (SHAPES if full else SHAPES[1:3] + SHAPES[7:9]) + WIDE:
                yield Case(op, [values(dtype, a, 0, 3), values(dtype, b, 0, 3, key=1)])
            if dtype in ('half', 'float32', 'float64'):
                yield Case(op, [to_array([NAN, INF, -INF, 0.0, 1.0], dtype),
                                to_array([NAN, INF, INF, -0.0, NAN], dtype)])
            elif 'int' in dtype:
                yield Case(op, [int_limits(dtype), int_limits(dtype)[::-1].copy()])
        if equality:
            for a, b in (([2], [3]), ([2], [2]), ([2, 3], [2])):
                yield Case(op, [values('float32', a), values('float32', b)],
                           incompatible_shape_error=False)
        else:
            yield Case(op, [values('string', [2]), values('string', [2])])
    for dtype in ('float32', 'float64'):
        for shape in ([], [0], [3, 4]):
            x = values(dtype, shape)
            yield Case('ApproximateEqual', [x, x + 1e-6])
            yield Case('ApproximateEqual', [x, x + 0.1], tolerance=1.0)
            yield Case('ApproximateEqual', [x, x + 0.1], attrs={'tolerance': 0.2})
        yield Case('ApproximateEqual', [values(dtype, [2]), values(dtype, [3])])
        yield Case('ApproximateEqual', [to_array([NAN, INF], dtype), to_array([NAN, INF], dtype)])
    for op in ('LogicalAnd', 'LogicalOr'):
        for a, b in SHAPES + WIDE:
            yield Case(op, [values('bool', a), values('bool', b, key=1)])
        yield Case(op, [values('float32', [2]), values('bool', [2])])
    for shape in ([], [0, 2], [3, 4]):
        yield Case('LogicalNot', [values('bool', shape)])
