# cases_array_misc.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import NAN, NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']


def f(*shape):
    return values('float32', list(shape))


def one_hot():
    for dtype in PLAIN:
        yield Case('OneHot', [np.int32([0, 2, -1, 5]), np.int32(3), values(dtype, []), values(dtype, [], key=1)])
    for index in ('uint8', 'int32', 'int64'):
        for axis in (-1, 0, 1, 2, 5, -2):
            yield Case('OneHot', [np.array([[0, 2], [1, 0]], index), np.int32(3), np.float32(1), np.float32(0)], axis=axis)
    for depth, on, off in ((-1, 1., 0.), ([2, 2], 1., 0.), ([2], 1., 0.), (2, [1.], 0.), (2, 1., [0.]), (0, 1., 0.)):
        yield Case('OneHot', [np.int32([1]), np.int32(depth), np.float32(on), np.float32(off)])
    yield Case('OneHot', [np.int32(1), np.int32(3), np.float32(1), np.float32(0)])
    yield Case('OneHot', [np.zeros([0, 2], 'int32'), np.int32(3), np.float32(1), np.float32(0)])


def sets():
    for dtype in NUMBERS + ['bool', 'string']:
        x = values(dtype, [12], -2, 2)
        for out in ('int32', 'int64'):
            if dtype not in ('complex64', 'complex128', 'bfloat16'):
                for op in ('Unique', 'UniqueWithCounts'):
                    yield Case(op, [x], out_idx=out)
                yield Case('UniqueV2', [values(dtype, [4, 2], 0, 2), np.int32([0])], out_idx=out)
                yield Case('UniqueWithCountsV2', [values(dtype, [2, 5], 0, 2), np.int64([-1])], out_idx=out)
            if dtype != 'bool':
                yield Case('ListDiff', [x, values(dtype, [3], -2, 2, key=1)], out_idx=out)
    special = to_array([NAN, NAN, 0.0, -0.0, 1.0, 1.0], 'float32')
    for op in ('Unique', 'UniqueWithCounts'):
        yield Case(op, [special])
        yield Case(op, [f(2, 2)])
        yield Case(op, [f(0)])
        for axis in ([5], [0, 1], 0, []):
            yield Case(op + 'V2', [f(2, 2), np.array(axis, 'int32')])
        yield Case(op + 'V2', [f(4), np.array([], 'int32')])
        yield Case(op + 'V2', [values('int32', [2, 4, 3], 0, 2), np.int32([1])])
    yield Case('ListDiff', [special, to_array([0.0, NAN], 'float32')])
    for x, y in (([2, 2], [2]), ([2], [2, 2]), ([0], [2]), ([3], [0])):
        yield Case('ListDiff', [f(*x), f(*y)])


def sparse():
    for dtype in ('float32', 'float64', 'int32', 'int64', 'bool', 'string', 'int8', 'uint8'):
        yield Case('SparseToDense', [np.int64([[0, 1], [2, 0]]), np.int64([3, 2]), values(dtype, [2]), values(dtype, [], key=1)])
    for indices, shape, v, default in (([[5]], [3], [1], []), ([[1], [0]], [3], [2], []), ([[1], [1]], [3], [2], []),
                                       ([[1]], [3], [1], [2]), ([[1]], [[3]], [1], []), ([[[1]]], [3], [1], []),
                                       ([[1]], [3, 2], [1], []), ([[1]], [3], [2], []), ([[1]], [3], [], []), (1, [3], [], []),
                                       ([1, 2], [3], [], []), ([[-1]], [3], [1], []), ([1, 2], [3], [2], [])):
        for validate in (True, False):
            yield Case('SparseToDense', [np.array(indices, 'int32'), np.array(shape, 'int32'), f(*v), f(*default)],
                       validate_indices=validate)


def cases():
    for group in (one_hot, sets, sparse):
        for case in group():
            yield case
