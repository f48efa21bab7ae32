# cases_kernel_tests.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What was found by working through what TensorFlow's own kernel tests are about, area by area."""

import numpy as np

from record_ops import Case

NAN = float('nan')
INF = float('inf')


def not_finite():
    for x in ([[NAN, 1], [1, 2]], [[1, 1], [NAN, 2]], [[1, NAN], [2, 5]], [[-1, 0], [NAN, 1]],
              [[1, 0, 0], [NAN, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, NAN, 0], [0, 1, -1]], [[1, 0], [INF, 1]]):
        for dtype in ('float32', 'float64', 'complex64', 'complex128'):
            yield Case('Cholesky', [np.array(x, dtype)], tolerance=1e-6)
    for x in ([[NAN]], [[INF]], [[-INF]], [[INF, 1], [1, 2]], [[NAN, 1], [1, 2]], [[1, NAN], [2, 3]], [[0, 0], [0, NAN]],
              [[1e30, 0], [0, 1e30]]):
        for dtype in ('float32', 'float64', 'complex64'):
            if dtype != 'complex64' or x != [[1e30, 0], [0, 1e30]]:
                yield Case('MatrixDeterminant', [np.array(x, dtype)], tolerance=1e-6)
            yield Case('LogMatrixDeterminant', [np.array(x, dtype)], tolerance=1e-6)


def cases():
    for case in not_finite():
        yield case
    for dtype in ('float32', 'float64', 'complex64', 'complex128', 'int32'):
        yield Case('DecodeRaw', [np.array([b'abcdefgh' * 2], object)], out_type=dtype, little_endian=False)
    # A default whose shape is not the declared one.
    for shape in ([3, None], [2], []):
        yield Case('PlaceholderWithDefault', [np.ones([4, 2], np.float32)], shape=shape)
