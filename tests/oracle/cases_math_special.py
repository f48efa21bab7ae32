# cases_math_special.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

from record_ops import Case, to_array
from samples import NAN, values


def cases():
    for dtype in ('half', 'float32', 'float64'):
        tolerance = {'half': 4e-3, 'float32': 1e-5}.get(dtype, 1e-9)
        for op in ('BesselI0e', 'BesselI1e'):
            for shape in ([], [0], [3, 20]):
                yield Case(op, [values(dtype, shape, -40, 40)], tolerance=tolerance)
            yield Case(op, [to_array([0.0, 1e-3, 8.0, 25.0, 100.0], dtype)], tolerance=tolerance)
    for dtype in ('float32', 'float64'):
        tolerance = {'float32': 3e-5}.get(dtype, 1e-9)
        for op, low, high in (('Igamma', 0.1, 9), ('Igammac', 0.1, 9), ('IgammaGradA', 0.2, 9),
                              ('RandomGammaGrad', 0.3, 5)):
            loose = tolerance * (100 if op == 'RandomGammaGrad' else 1)
            for a, b in (([], []), ([3], [3]), ([2, 3], [3]), ([0], [1]), ([40], [40]), ([2], [3])):
                yield Case(op, [values(dtype, a, low, high), values(dtype, b, low, high, key=1)],
                           tolerance=loose)
        for op in ('Igamma', 'Igammac'):
            yield Case(op, [to_array([0.5, 1, 2, 0, 1, -1, 1, 3, 30], dtype),
                            to_array([1, 0, 3, 1, -1, 1, 1e9, NAN, 25], dtype)], tolerance=tolerance)
        yield Case('Zeta', [values(dtype, [30], 1.1, 9), values(dtype, [30], 0.2, 20, key=1)],
                   tolerance=tolerance)
        yield Case('Zeta', [to_array([2, 1, 0.5, 3, 2, 2], dtype), to_array([1, 1, 1, 0, -1, -1.5], dtype)],
                   tolerance=tolerance)
        yield Case('Polygamma', [to_array([0, 1, 2, -1, 1.5, 1, 3], dtype),
                                 to_array([1, 1, 2, 1, 1, -0.5, 4.5], dtype)], tolerance=tolerance)
        yield Case('Betainc', [values(dtype, [30], 0.2, 6), values(dtype, [30], 0.2, 6, key=1),
                               values(dtype, [30], 0, 1, key=2)], tolerance=tolerance)
        yield Case('Betainc', [to_array([1, 0, 2, 2, 2, 2, 2], dtype), to_array([1, 1, -1, 3, 3, 3, 3], dtype),
                               to_array([0.5, 0.5, 0.5, 0, 1, -0.1, 1.2], dtype)], tolerance=tolerance)
        for a, b, x in (([], [], [2]), ([2], [], [2]), ([2], [1], [1]), ([2], [3], [2]), ([2], [2], [3]),
                        ([], [2], [3]), ([], [], []), ([0], [], [])):
            yield Case('Betainc', [values(dtype, a, 1, 2), values(dtype, b, 1, 2),
                                   values(dtype, x, 0.1, 0.9)], tolerance=tolerance)
