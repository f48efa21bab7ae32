# cases_linalg.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case

DTYPES = ('float32', 'float64', 'complex64', 'complex128')


def matrices(dtype, shape, seed):
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, shape)
    if dtype.startswith('complex'):
        x = x + 1j * rng.uniform(-1, 1, shape)
    return x.astype(dtype)


def positive(dtype, shape, seed):
    x = matrices(dtype, shape, seed)
    return (np.matmul(x, np.conj(np.swapaxes(x, -1, -2))) + 2 * np.eye(shape[-1])).astype(dtype)


def regular(dtype, shape, seed):
    return (matrices(dtype, shape, seed) + 2 * np.eye(shape[-1])).astype(dtype)


def cases():
    for dtype in DTYPES:
        tolerance = 1e-4 if dtype in ('float32', 'complex64') else 1e-10
        for i, shape in enumerate(([1, 1], [3, 3], [2, 4, 4], [2, 1, 2, 2], [0, 0], [2, 0, 0], [0, 3, 3])):
            p, r = positive(dtype, shape, i), regular(dtype, shape, i)
            yield Case('Cholesky', [p], tolerance=tolerance)
            for adjoint in (False, True):
                yield Case('MatrixInverse', [r], adjoint=adjoint, tolerance=tolerance)
                rhs = matrices(dtype, shape[:-1] + [2], i + 10)
                yield Case('MatrixSolve', [r, rhs], adjoint=adjoint, tolerance=tolerance)
                for lower in (False, True) if 0 not in shape else ():
                    yield Case('MatrixTriangularSolve', [r, rhs], lower=lower, adjoint=adjoint, tolerance=tolerance)
            yield Case('MatrixDeterminant', [r], tolerance=tolerance)
            yield Case('LogMatrixDeterminant', [r], tolerance=tolerance)
            if 0 not in shape:
                yield Case('SelfAdjointEigV2', [p], compute_v=False, meaningless=(1,), tolerance=tolerance)
        for i, shape in enumerate(([3, 3], [4, 2], [2, 4], [2, 3, 2], [2, 2, 5], [1, 3], [3, 1])):
            x = matrices(dtype, shape, i + 20)
            for full in (False, True):
                yield Case('Qr', [x], full_matrices=full, tolerance=tolerance)
            yield Case('Svd', [x], compute_uv=False, meaningless=(1, 2), tolerance=tolerance)
    # Of what is not finite TensorFlow has no singular values; its vectors then are what its iteration began with,
    # where it began at all.
    for dtype, vectors in (('float32', ()), ('float64', (1, 2))):
        for shape in ([2, 2], [3, 2], [2, 3]):
            for value in (np.nan, np.inf):
                x = matrices(dtype, shape, 3)
                x.flat[0] = value
                yield Case('Svd', [x], meaningless=vectors if shape == [2, 2] and np.isnan(value) else (1, 2), tolerance=1e-6)
    bad = np.array([[1, 2], [2, 1]], np.float64)
    singular = np.array([[1, 2], [2, 4]], np.float64)
    for op in ('Cholesky', 'MatrixInverse', 'MatrixDeterminant', 'LogMatrixDeterminant', 'SelfAdjointEigV2'):
        for x in (np.zeros([2, 3], np.float32), np.zeros([3, 3], np.float32),
                  bad, singular):
            if op == 'SelfAdjointEigV2':
                yield Case(op, [x], compute_v=False, meaningless=(1,), tolerance=1e-6)
            else:
                yield Case(op, [x], tolerance=1e-6)
    for op in ('MatrixSolve', 'MatrixTriangularSolve'):
        # TensorFlow itself ends on operands of different rank.
        for a, b in (([2, 3], [2, 1]), ([3, 3], [2, 1])):
            yield Case(op, [np.ones(a, np.float32), np.ones(b, np.float32)])
        yield Case(op, [np.zeros([2, 2], np.float32), np.ones([2, 1], np.float32)])
        yield Case(op, [np.eye(3, dtype=np.float32), np.ones([3, 0], np.float32)])
