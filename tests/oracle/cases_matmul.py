# cases_matmul.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, values

TYPES = ['half', 'float32', 'float64', 'int32', 'int64'] + COMPLEX


def loose(dtype):
    return {'half': 4e-2, 'bfloat16': 1e-1, 'float32': 5e-6, 'complex64': 5e-5,
            'complex128': 1e-12, 'float64': 1e-12}.get(dtype)


def cases():
    for dtype in ['bfloat16'] + TYPES:
        for m, k, n in ((2, 3, 4), (1, 5, 3), (4, 6, 1), (1, 1, 1), (1, 7, 1), (17, 33, 19), (2, 0, 3),
                        (0, 3, 2), (3, 2, 0)):
            for ta in (False, True):
                for tb in (False, True):
                    yield Case('MatMul', [values(dtype, [k, m] if ta else [m, k]),
                                          values(dtype, [n, k] if tb else [k, n], key=1)],
                               transpose_a=ta, transpose_b=tb, tolerance=loose(dtype))
    for a, b in (([2, 3], [4, 5]), ([3], [3, 2]), ([2, 3], [3]), ([1, 2, 3], [3, 2]), ([], [2, 2]),
                 ([2, 3], [2, 3])):
        yield Case('MatMul', [values('float32', a), values('float32', b)])
    yield Case('MatMul', [values('float32', [3, 2]), values('float32', [3, 2])], transpose_b=True,
               transpose_a=True)
    yield Case('MatMul', [to_array([[NAN, 1.0], [INF, 1.0]]), to_array([[1.0], [0.0]])])
    yield Case('MatMul', [values('uint8', [2, 2]), values('uint8', [2, 2])])
    for m, k, n in ((4, 4, 3), (5, 33, 7), (3, 400, 5)):
        for transpose in range(4):
            x, y = bool(transpose & 1), bool(transpose & 2)
            yield Case('MatMul', [values('half', [k, m] if x else [m, k]), values('half', [n, k] if y else [k, n], key=1)],
                       transpose_a=x, transpose_b=y, tolerance=0.0)
        yield Case('BatchMatMulV2', [values('half', [2, m, k]), values('half', [1, k, n], key=1)], tolerance=0.0)
    for op in ('BatchMatMul', 'BatchMatMulV2'):
        for dtype in TYPES:
            for x, y in (([2, 3, 4], [2, 4, 5]), ([3, 4], [4, 2]), ([2, 1, 1, 3], [2, 1, 3, 1]),
                         ([2, 3, 0], [2, 0, 2]), ([0, 2, 3], [0, 3, 2]), ([4, 9, 8], [4, 8, 7])):
                for ax in (False, True):
                    for ay in (False, True):
                        s = x[:-2] + [x[-1], x[-2]] if ax else x
                        t = y[:-2] + [y[-1], y[-2]] if ay else y
                        yield Case(op, [values(dtype, s), values(dtype, t, key=1)], adj_x=ax,
                                   adj_y=ay, tolerance=loose(dtype))
        for x, y in (([2, 3, 4], [3, 4, 5]), ([2, 3, 4], [2, 3, 4]), ([3], [3, 2]), ([2, 3], [3]),
                     ([], [2, 2]), ([2, 2, 3], [3, 2]), ([2, 1, 2, 3], [3, 3, 2]),
                     ([2, 1, 2, 3], [3, 2, 2])):
            yield Case(op, [values('float32', x), values('float32', y)], tolerance=5e-6)
    for ta in ('float32', 'bfloat16'):
        for tb in ('float32', 'bfloat16'):
            for m, k, n in ((2, 3, 4), (5, 33, 7), (1, 1, 1), (2, 0, 3)):
                for transpose in range(4):
                    x, y = bool(transpose & 1), bool(transpose & 2)
                    yield Case('SparseMatMul', [values(ta, [k, m] if x else [m, k]),
                                                values(tb, [n, k] if y else [k, n], key=1)],
                               transpose_a=x, transpose_b=y, tolerance=1e-5)
    for a, b in (([2, 3], [4, 5]), ([3], [3, 2]), ([2, 3], [3])):
        yield Case('SparseMatMul', [values('float32', a), values('float32', b)])
