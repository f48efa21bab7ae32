# cases_matrix_diag_v3.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Bands of diagonals with their alignment, as TensorFlow 2 has them."""

import numpy as np

from record_ops import Case, to_array

TENSORFLOW = '2.15'


def cases():
    i32 = lambda *v: np.array(list(v) if len(v) > 1 else v[0], np.int32)
    for dtype in ('bfloat16', 'float16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64',
                  'uint32', 'uint64', 'complex64', 'complex128', 'bool'):
        x = to_array(np.arange(24).reshape(2, 3, 4) % (2 if dtype == 'bool' else 100), dtype)
        pad = to_array(1, dtype)
        yield Case('MatrixDiagPartV3', [x, i32(-1, 1), pad])
        yield Case('MatrixDiagV3', [x[:, :, :3], i32(-1, 1), i32(-1), i32(-1), pad])
        yield Case('MatrixSetDiagV3', [x, x[:, :3, :3] | x[:, :3, :3] if dtype == 'bool' else x[:, :3, :3], i32(-1, 1)])
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    pad = np.float32(9)
    for align in ('LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'):
        for k in (i32(0), i32(1), i32(-2), i32(0, 0), i32(-2, -1), i32(1, 3), i32(-2, 3), i32(-1, 2), i32(2, 1), i32(0, 9)):
            yield Case('MatrixDiagPartV3', [x, k, pad], align=align)
            for rows, columns in ((-1, -1), (5, -1), (-1, 5), (2, 2), (3, 4), (4, 3)):
                yield Case('MatrixDiagV3', [x[0, :2], k, i32(rows), i32(columns), pad], align=align)
            for diagonal in (x[:, 0], x[:, 0, :3], x[:, 0, :2], x[:, :2, :2], x[:, :2, :3]):
                yield Case('MatrixSetDiagV3', [x, -diagonal, k], align=align)
        yield Case('MatrixDiagV3', [x[:, :, :3], i32(-1, 1), i32(4), i32(3), pad], align=align)
    for k in (i32(3), i32(4), i32(-3), np.array([], np.int32), np.array([0, 1, 2], np.int32), np.array([[0]], np.int32)):
        yield Case('MatrixDiagPartV3', [x, k, pad])
        yield Case('MatrixDiagV3', [x[0, :2], k, i32(-1), i32(-1), pad])
        yield Case('MatrixSetDiagV3', [x, x[:, 0], k])
    yield Case('MatrixSetDiagV3', [x[0, 0], x[0, 0], i32(0)])
    yield Case('MatrixSetDiagV3', [x, np.float32(0), i32(0)])
    yield Case('MatrixDiagPartV3', [x[0, 0], i32(0), pad])
    yield Case('MatrixDiagPartV3', [x, i32(0), pad], align='MIDDLE')
    yield Case('MatrixDiagPartV3', [x, i32(0), x[0, 0]])
    yield Case('MatrixDiagV3', [x, i32(0), i32(-1), i32(-1), x[0, 0]])
    yield Case('MatrixDiagV3', [x, i32(0), np.array([1, 2], np.int32), i32(-1), pad])
    yield Case('MatrixDiagV3', [np.float32(0), i32(0), i32(-1), i32(-1), pad])
    yield Case('MatrixDiagPartV3', [x[:, :0], i32(0), pad])
    yield Case('MatrixDiagV3', [x[:, :, :0], i32(0), i32(-1), i32(-1), pad])
