# cases_linalg_functions.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of matrices, least squares, LU, bands of diagonals, and the old names that begin with Batch."""

import numpy as np

from cases_linalg import DTYPES, matrices, positive, regular
from record_ops import Case, to_array

OLD = 10


def near(dtype):
    return 1e-4 if dtype in ('float32', 'complex64') else 1e-9


def function_cases():
    for dtype in DTYPES:
        t = near(dtype)
        for i, shape in enumerate(([1, 1], [3, 3], [2, 4, 4], [0, 0], [2, 0, 0])):
            p, r = positive(dtype, shape, i), regular(dtype, shape, i)
            yield Case('MatrixSquareRoot', [p], tolerance=t)
            yield Case('MatrixExponential', [matrices(dtype, shape, i)], tolerance=t, producer=OLD)
            if dtype.startswith('complex'):
                yield Case('MatrixLogarithm', [p], tolerance=t)
                yield Case('MatrixLogarithm', [r * 3], tolerance=t)
            for kind in ('int32', 'int64'):
                yield Case('Lu', [r], output_idx_type=kind, tolerance=t)
                yield Case('Lu', [matrices(dtype, shape, i + 40)], output_idx_type=kind, tolerance=t)
        big = matrices(dtype, [3, 3], 7) * 5
        yield Case('MatrixExponential', [big], tolerance=10 * t, producer=OLD)
        yield Case('MatrixExponential', [big * 0], tolerance=t, producer=OLD)
        for fast in (True, False):
            for l2 in (0, 0.5):
                for i, (a, b) in enumerate((([4, 2], [4, 3]), ([2, 4], [2, 3]), ([3, 3], [3, 1]), ([2, 5, 3], [2, 5, 2]),
                                            ([2, 3], [2, 0]), ([3, 0], [3, 2]))):
                    yield Case('MatrixSolveLs', [matrices(dtype, a, i + 60), matrices(dtype, b, i + 70), np.float64(l2)],
                               fast=fast, tolerance=10 * t)
            deficient = np.array([[1, 2], [2, 4], [3, 6]], dtype)
            if not fast:
                yield Case('MatrixSolveLs', [deficient, deficient[:, :1] + 1, np.float64(0)], fast=fast, tolerance=t)
            yield Case('MatrixSolveLs', [deficient * 0, deficient[:, :1], np.float64(0)], fast=fast, tolerance=t)
            yield Case('MatrixSolveLs', [deficient.T.copy() * 0, deficient[:2], np.float64(0)], fast=fast, tolerance=t)
        diagonals, rhs = matrices(dtype, [2, 3, 4], 80), matrices(dtype, [2, 4, 3], 81)
        strong = diagonals.copy()
        strong[:, 1] += 3
        for pivoting in (True, False):
            yield Case('TridiagonalSolve', [strong, rhs], partial_pivoting=pivoting, tolerance=t)
            yield Case('TridiagonalSolve', [diagonals[0], rhs[0]], partial_pivoting=pivoting, tolerance=10 * t)
            yield Case('TridiagonalSolve', [diagonals[0, :, :1], rhs[0, :1]], partial_pivoting=pivoting, tolerance=t)
            yield Case('TridiagonalSolve', [diagonals[0, :, :2], rhs[0, :2]], partial_pivoting=pivoting, tolerance=10 * t)
            yield Case('TridiagonalSolve', [diagonals[0, :, :1] * 0, rhs[0, :1]], partial_pivoting=pivoting)
            yield Case('TridiagonalSolve', [diagonals[0] * 0, rhs[0]], partial_pivoting=pivoting)
        three = [matrices(dtype, [2, 1, 4], 90 + i) for i in range(3)]
        yield Case('TridiagonalMatMul', three + [rhs], tolerance=t)
        yield Case('TridiagonalMatMul', [x[0, :, :1] for x in three] + [rhs[0, :1]], tolerance=t)
        yield Case('TridiagonalMatMul', [x[0, :, :2] for x in three] + [rhs[0]], tolerance=t)
    for dtype in ('float32', 'float64'):
        for i, shape in enumerate(([1, 1], [3, 3], [2, 4, 4], [0, 0])):
            p = positive(dtype, shape, i)
            lower = np.linalg.cholesky(p) if p.size else p
            for op in ('CholeskyGrad', 'BatchCholeskyGrad'):
                yield Case(op, [lower.astype(dtype), matrices(dtype, shape, i + 5)], tolerance=near(dtype), producer=OLD)
            for op in ('SelfAdjointEig', 'BatchSelfAdjointEig'):
                yield Case(op, [p], checks=None if shape == [1, 1] else 'shape', producer=OLD)
    x = np.ones([3, 3], np.float32)
    for op in ('MatrixSquareRoot', 'MatrixExponential', 'Lu', 'SelfAdjointEig'):
        yield Case(op, [x[:2]], producer=OLD)
    yield Case('Lu', [x])
    yield Case('CholeskyGrad', [x, x[:2]])
    yield Case('CholeskyGrad', [x, x[:2, :2]])
    yield Case('MatrixSolveLs', [x, x[:2], np.float64(0)])
    yield Case('MatrixSolveLs', [x, x, np.float64(-1)])
    yield Case('MatrixSolveLs', [x, x, np.zeros([1])])
    yield Case('MatrixSolveLs', [x, x[0], np.float64(0)])


def old_cases():
    for dtype in ('float32', 'float64'):
        t = near(dtype)
        p, r, rhs = positive(dtype, [2, 3, 3], 1), regular(dtype, [2, 3, 3], 2), matrices(dtype, [2, 3, 2], 3)
        yield Case('BatchCholesky', [p], tolerance=t, producer=OLD)
        yield Case('BatchMatrixDeterminant', [r], tolerance=t, producer=OLD)
        yield Case('BatchMatrixInverse', [r], tolerance=t, producer=OLD)
        yield Case('BatchMatrixSolve', [r, rhs], tolerance=t, producer=OLD)
        yield Case('BatchMatrixSolveLs', [r, rhs, np.float64(0.1)], tolerance=t, producer=OLD)
        yield Case('BatchMatrixTriangularSolve', [r, rhs], tolerance=t, producer=OLD)
        yield Case('BatchSelfAdjointEigV2', [p], compute_v=False, meaningless=(1,), tolerance=t, producer=OLD)
        yield Case('BatchSvd', [rhs], compute_uv=False, meaningless=(1, 2), tolerance=t, producer=OLD)
    for dtype in ('bfloat16', 'float16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64',
                  'complex64', 'complex128', 'bool'):
        x = to_array(np.arange(12).reshape(2, 2, 3) % 2 if dtype == 'bool' else np.arange(12).reshape(2, 2, 3), dtype)
        yield Case('BatchMatrixDiag', [x], producer=OLD)
        yield Case('BatchMatrixDiagPart', [x], producer=OLD)
        yield Case('BatchMatrixSetDiag', [x, x[:, 0, :2]], producer=OLD)
        if dtype != 'bool':
            yield Case('BatchMatrixBandPart', [x, np.int64(0), np.int64(1)], producer=OLD)


def band_cases():
    i32 = lambda *v: np.array(list(v) if len(v) > 1 else v[0], np.int32)
    one = lambda v: np.array(v, np.int32)
    for dtype in ('bfloat16', 'float16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64',
                  'complex64', 'complex128', 'bool'):
        x = to_array(np.arange(24).reshape(2, 3, 4) % (2 if dtype == 'bool' else 100), dtype)
        pad = to_array(1, dtype)
        yield Case('MatrixDiagPartV2', [x, i32(-1, 1), pad])
        yield Case('MatrixDiagV2', [x[:, :, :3], i32(-1, 1), one(-1), one(-1), pad])
        yield Case('MatrixSetDiagV2', [x, x[:, :3, :3] + x[:, :3, :3], i32(-1, 1)])
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    pad = np.float32(9)
    for k in (i32(0), i32(1), i32(-2), i32(3), i32(4), i32(-3), i32(0, 0), i32(-2, -1), i32(1, 3), i32(-2, 3), i32(2, 1),
              i32(0, 9), np.array([], np.int32), np.array([0, 1, 2], np.int32), np.array([[0]], np.int32)):
        yield Case('MatrixDiagPartV2', [x, k, pad])
        for rows, columns in ((-1, -1), (5, -1), (-1, 5), (5, 5), (2, 2), (3, 4)):
            yield Case('MatrixDiagV2', [x[0, :2], k, one(rows), one(columns), pad])
            if rows == columns:
                yield Case('MatrixDiagV2', [x, k, one(rows), one(columns), pad])
        for diagonal in (x[:, 0], x[:, 0, :3], x[:, 0, :2], x[:, 0, :1], x[:, :2, :2], x[:, :2, :3]):
            yield Case('MatrixSetDiagV2', [x, -diagonal, k])
    yield Case('MatrixSetDiagV2', [x[0, 0], x[0, 0], i32(0)])
    yield Case('MatrixSetDiagV2', [x, np.float32(0), i32(0)])
    yield Case('MatrixDiagPartV2', [x[0, 0], i32(0), pad])
    yield Case('MatrixDiagV2', [np.float32(0), i32(0), one(-1), one(-1), pad])
    yield Case('MatrixDiagPartV2', [x[:, :0], i32(0), pad])
    yield Case('MatrixDiagV2', [x[:, :, :0], i32(0), one(-1), one(-1), pad])


def cases():
    for part in (function_cases, old_cases, band_cases):
        for case in part():
            yield case
