# cases_math_functions.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, values

REAL = ['half', 'float32', 'float64']
RANGES = {
    'Acos': (-1, 1), 'Acosh': (1.1, 9), 'Asin': (-1, 1), 'Atanh': (-0.95, 0.95), 'Log': (0.05, 9),
    'Log1p': (-0.9, 9), 'Lgamma': (-4.7, 9), 'Digamma': (0.2, 9), 'Tan': (-1.4, 1.4),
}
OPS = {
    'Acos': ['float32', 'float64'], 'Acosh': ['float32', 'float64'] + COMPLEX,
    'Asin': ['float32', 'float64'], 'Asinh': ['float32', 'float64'] + COMPLEX,
    'Atan': ['float32', 'float64'], 'Atanh': ['float32', 'float64'] + COMPLEX,
    'Cos': REAL + COMPLEX, 'Cosh': ['float32', 'float64'] + COMPLEX,
    'Digamma': REAL, 'Erf': REAL, 'Erfc': REAL, 'Exp': REAL + COMPLEX, 'Expm1': REAL + COMPLEX,
    'Lgamma': REAL, 'Log': ['bfloat16'] + REAL + COMPLEX, 'Log1p': REAL + COMPLEX,
    'Sigmoid': REAL + COMPLEX, 'Sin': REAL + COMPLEX, 'Sinh': ['float32', 'float64'] + COMPLEX,
    'Tan': REAL + COMPLEX, 'Tanh': REAL + COMPLEX,
}
GRADS = {
    'SigmoidGrad': REAL + COMPLEX, 'TanhGrad': REAL + COMPLEX, 'ReciprocalGrad': REAL + COMPLEX,
    'InvGrad': REAL + COMPLEX, 'RsqrtGrad': REAL + COMPLEX,
    'SqrtGrad': ['bfloat16'] + REAL + COMPLEX,
}


def loose(dtype):
    """Where TensorFlow rounds after every step, or approximates: half, bfloat16, complex."""
    return {'half': 4e-3, 'bfloat16': 2e-2, 'complex64': 4e-6, 'complex128': 1e-12,
            'float32': 2e-6}.get(dtype)


def cases():
    for op in sorted(OPS):
        low, high = RANGES.get(op, (-3, 3))
        for dtype in OPS[op]:
            for shape in ([], [2, 0], [3, 7], [131]):
                yield Case(op, [values(dtype, shape, low, high)], tolerance=loose(dtype))
            if dtype in REAL and op not in ('Lgamma', 'Digamma'):
                yield Case(op, [to_array([0.0, 1.0, -1.0], dtype)], tolerance=loose(dtype))
            if dtype in ('float32', 'float64'):
                yield Case(op, [to_array([NAN], dtype)])
        yield Case(op, [values('bool', [2])])
    for dtype in ('float32', 'float64'):
        for op in ('Exp', 'Sigmoid', 'Tanh', 'Log', 'Log1p', 'Expm1', 'Erf', 'Erfc'):
            yield Case(op, [to_array([INF], dtype)])
            if op not in ('Log', 'Log1p'):
                yield Case(op, [to_array([-INF], dtype)])
        yield Case('Lgamma', [to_array([0.0, 1.0, 2.0, 0.5, 100.0], dtype)])
        yield Case('Sigmoid', [values(dtype, [200], -30, 30)], tolerance=1e-6)
        yield Case('Tanh', [values(dtype, [200], -30, 30)], tolerance=1e-6)
        yield Case('Exp', [values(dtype, [200], -60, 60)], tolerance=1e-6)
        yield Case('Log', [values(dtype, [200], 1e-6, 1e6)], tolerance=1e-6)
        yield Case('Digamma', [to_array([-0.5, -1.25, -7.75, 1e5], dtype)], tolerance=1e-5)
    for op in sorted(GRADS):
        for dtype in GRADS[op]:
            for shape in ([], [2, 0], [3, 7], [131]):
                yield Case(op, [values(dtype, shape, 0.2, 0.9), values(dtype, shape, key=1)],
                           tolerance=loose(dtype))
