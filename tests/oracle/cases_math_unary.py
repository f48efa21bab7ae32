# cases_math_unary.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, int_limits, values

OPS = {
    'Abs': ['bfloat16', 'half', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64'],
    'Neg': ['bfloat16', 'half', 'float32', 'float64', 'int32', 'int64'] + COMPLEX,
    'Sign': ['half', 'float32', 'float64', 'int32', 'int64'] + COMPLEX,
    'Square': ['bfloat16', 'half', 'float32', 'float64', 'int32', 'int64'] + COMPLEX,
    'Reciprocal': ['half', 'float32', 'float64'] + COMPLEX,
    'Inv': ['half', 'float32', 'float64'] + COMPLEX,
    'Sqrt': ['bfloat16', 'half', 'float32', 'float64'] + COMPLEX,
    'Rsqrt': ['half', 'float32', 'float64'] + COMPLEX,
    'Floor': ['half', 'float32', 'float64'],
    'Ceil': ['half', 'float32', 'float64'],
    'Round': ['half', 'float32', 'float64', 'int32', 'int64'],
    'Rint': ['float32', 'float64'],
    'IsNan': ['bfloat16', 'half', 'float32', 'float64'],
    'IsInf': ['half', 'float32', 'float64'],
    'IsFinite': ['half', 'float32', 'float64'],
    'Conj': COMPLEX,
}
POSITIVE = ('Sqrt', 'Rsqrt', 'Reciprocal', 'Inv')


def cases():
    for op in sorted(OPS):
        for dtype in OPS[op]:
            low = 0.1 if op in POSITIVE else -3.0
            yield Case(op, [values(dtype, [], low)])
            yield Case(op, [values(dtype, [0, 3], low)])
            yield Case(op, [values(dtype, [3, 7], low, 9.0)])
            yield Case(op, [values(dtype, [2, 1, 131], low, 40.0)])
            if dtype in ('half', 'bfloat16', 'float32', 'float64'):
                # TF: Sqrt (INF) and Rsqrt (INF) are NaN in whole vectors, not in the rest.
                infinity = 4.0 if op in ('Sqrt', 'Rsqrt') else INF
                yield Case(op, [to_array([NAN, infinity, -INF, 0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5],
                                         dtype)])
            elif 'int' in dtype:
                yield Case(op, [int_limits(dtype)])
        yield Case(op, [values('bool', [2])])
    for dtype, part in (('complex64', 'float32'), ('complex128', 'float64')):
        for op in ('Real', 'Imag', 'Angle', 'ComplexAbs'):
            for shape in ([], [0], [3, 5]):
                yield Case(op, [values(dtype, shape)], Tout=part)
        for a, b in (([], []), ([3], [3]), ([2, 3], [3]), ([0, 2], [1, 2]), ([4], [3])):
            yield Case('Complex', [values(part, a), values(part, b, key=1)], Tout=dtype)
    yield Case('Real', [values('complex64', [2])], Tout='float64')
