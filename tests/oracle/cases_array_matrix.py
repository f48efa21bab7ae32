# cases_array_matrix.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case
from samples import NUMBERS, values


def f(*shape):
    return values('float32', list(shape))


def cases():
    for dtype in NUMBERS + ['bool']:
        yield Case('MatrixDiag', [values(dtype, [2, 3])])
        yield Case('MatrixDiagPart', [values(dtype, [2, 3, 4])])
        yield Case('MatrixSetDiag', [values(dtype, [2, 3, 4]), values(dtype, [2, 3], key=1)])
        yield Case('MatrixBandPart', [values(dtype, [2, 3, 4]), np.int64(1), np.int64(0)])
    for dtype in ('half', 'float32', 'float64', 'int32', 'int64', 'complex64', 'complex128', 'bfloat16'):
        yield Case('Diag', [values(dtype, [2, 3])])
        yield Case('DiagPart', [values(dtype, [2, 3, 2, 3])])
    for shape in ([], [0], [1], [2, 0], [2, 2, 2, 2]):
        yield Case('MatrixDiag', [f(*shape)])
        if shape != [0] and shape != [2, 0]:
            yield Case('Diag', [f(*shape)])
    for shape in ([], [1], [3, 2], [0, 3], [3, 0], [2, 2, 2]):
        yield Case('MatrixDiagPart', [f(*shape)])
    for shape in ([], [1], [3, 2], [3, 3], [2, 3, 2, 3], [2, 3, 3, 2], [1, 2, 3]):
        yield Case('DiagPart', [f(*shape)])
    for x, d in (([2, 2], [1]), ([2, 2], [1, 2]), ([2, 2], []), ([2], [2]), ([3, 2], [2]), ([2, 3], [2]), ([2, 2, 2], [2, 2])):
        yield Case('MatrixSetDiag', [f(*x), f(*d)])
    for lower, upper in ((0, 0), (-1, 0), (0, -1), (-1, -1), (2, 1), (3, 4), (4, 0), (0, 5), (-5, 1)):
        for index in ('int32', 'int64'):
            yield Case('MatrixBandPart', [f(3, 4), np.array(lower, index), np.array(upper, index)])
    yield Case('MatrixBandPart', [f(1), np.int32(0), np.int32(0)])
    yield Case('MatrixBandPart', [f(1, 1), np.int32([0]), np.int32(0)])
    yield Case('MatrixBandPart', [f(1, 1), np.int32(0), np.int32([0])])
    yield Case('MatrixBandPart', [f(0, 3), np.int32(0), np.int32(1)])
