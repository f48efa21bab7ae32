# cases_sparse.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INTS, NUMBERS, REAL, values


def l(*x):
    return np.array(x, np.int64)


I = l([0, 0], [1, 2], [1, 3])
NONE = np.zeros([0, 2], np.int64)


def cases():
    for shape, new in ((l(2, 4), l(4, 2)), (l(2, 4), l(-1)), (l(2, 4), l(-1, -1)), (l(2, 4), l(3, -1)),
                       (l(2, 4), l(3, 3)), (l([2, 4]), l(8)), (l(2, 4), l([8])), (l(2, 4), l(-2, -4)),
                       (l(2, 4), l(2, 4)), (l(2, 4), l(2, 2, 2)), (l(2, 4), l(1, -1, 1))):
        yield Case('SparseReshape', [I, shape, new])
    for shape, new in ((l(2, 4), l(4, -1)), (l(0, 4), l(0, -1)), (l(0, 4), l(-1, 2))):
        yield Case('SparseReshape', [NONE, shape, new])
    yield Case('SparseReshape', [l(0, 1), l(2, 4), l(8)])

    for dtype in NUMBERS + ['bool', 'string']:
        for indices, n, shape in ((l([0, 1], [2, 0]), 2, l(4, 3)), (NONE, 0, l(2, 3)), (NONE, 0, l(0, 3)),
                                  (l([2, 1], [0, 0], [2, 0]), 3, l(4, 3))):
            yield Case('SparseFillEmptyRows', [indices, values(dtype, [n]), shape,
                                               values(dtype, [], key=1)])
    x = values('float32', [2])
    d = np.float32(9)
    for args in ((l([0, 1], [5, 0]), x, l(4, 3), d), (l([0, 1], [-1, 0]), x, l(4, 3), d),
                 (l([2, 1]), x[:1], l(4, 3), np.array([9], np.float32)), (l(2, 1), x[:1], l(4, 3), d),
                 (l([2, 1]), x.reshape(1, 2), l(4, 3), d), (l([2, 1]), x[:1], l([4, 3]), d),
                 (l([0, 1]), x[:1], l(0, 3), d)):
        yield Case('SparseFillEmptyRows', list(args))
    for dtype in NUMBERS:
        for m, n in ((l(0, 2), 4), (l(), 2), (l(0, 1), 2)):
            yield Case('SparseFillEmptyRowsGrad', [m, values(dtype, [n])],
                       tolerance={'half': 4e-3, 'bfloat16': 3e-2}.get(dtype))
    for m, g in ((l(0, 9), [4]), (l([0]), [2]), (l(0), [1, 2]), (l(-1), [2])):
        yield Case('SparseFillEmptyRowsGrad', [m, values('float32', g)])

    op = 'SparseTensorDenseMatMul'
    for dtype in ['bfloat16', 'float32', 'float64', 'int32'] + COMPLEX:
        for index in ('int32', 'int64'):
            for adj in range(4):
                a, b = bool(adj & 1), bool(adj & 2)
                k = 2 if a else 4
                yield Case(op, [to_array(I, index), values(dtype, [3]), l(2, 4),
                                values(dtype, [3, k] if b else [k, 3], key=1)], adjoint_a=a,
                           adjoint_b=b, tolerance={'bfloat16': 5e-2, 'complex64': 1e-5}.get(dtype))
    v = values('float32', [3])
    b = values('float32', [4, 3])
    one = values('float32', [1])
    for args in ((I, v, l(2, 4), values('float32', [3, 3])), (l([0, 9]), one, l(2, 4), b),
                 (l([7, 0]), one, l(2, 4), b), (I, v, l(2, 4), values('float32', [4])), (I, v, l(2, 4, 1), b),
                 (I, one, l(2, 4), b), (l(0, 0), one, l(2, 4), b), (I, v, l([2, 4]), b),
                 (l([0]), one, l(2, 4), b), (NONE, v[:0], l(2, 4), b), (I, v.reshape(1, 3), l(2, 4), b),
                 (l([-1, 0]), one, l(2, 4), b), (l([0, -1]), one, l(2, 4), b)):
        yield Case(op, list(args))

    for dtype in NUMBERS + ['bool', 'string']:
        yield Case('SparseReorder', [l([1, 0], [0, 1], [0, 0], [1, 0]), values(dtype, [4]), l(2, 2)])
        yield Case('SparseReorder', [NONE, values(dtype, [0]), l(2, 2)])
    for args in ((l([1, 0]), v, l(2, 2)), (l(1, 0), one, l(2, 2)), (l([1, 0]), one.reshape(1, 1), l(2, 2)),
                 (l([1, 0]), one, l([2, 2])), (l([1, 0]), one, l(2, 2, 3))):
        yield Case('SparseReorder', list(args))
