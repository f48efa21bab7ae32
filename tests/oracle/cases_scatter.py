# cases_scatter.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Ref, Var
from samples import NUMBERS, values

KINDS = ('Add', 'Sub', 'Mul', 'Div', 'Min', 'Max', 'Update')
ORDERED = ('half', 'bfloat16', 'float32', 'float64', 'int32', 'int64')


def f(*shape, **more):
    return values('float32', list(shape), **more)


def rows():
    for kind in KINDS:
        dtypes = ORDERED if kind in ('Min', 'Max') else NUMBERS + (['bool', 'string'] if kind == 'Update' else [])
        for dtype in dtypes:
            low = 1 if kind == 'Div' else -3
            v = values(dtype, [4, 2])
            u = values(dtype, [3, 2], low, 3, key=1)
            indices = np.int32([2, 0, 2]) if kind != 'Update' else np.int32([2, 0, 3])
            if dtype != 'string':
                yield Case('Scatter' + kind, [Ref(v), indices, u])
            yield Case('ResourceScatter' + kind, [Var(v), indices, u])
        yield Case('Scatter' + kind, [Ref(f(4)), np.int64([1, 2]), np.float32(2)])
        yield Case('ResourceScatter' + kind, [Var(f(4)), np.int64([1, 2]), np.float32(2)])
        for shape, indices, u in (([4], [0, 1, 2], [2]), ([4], [[1], [2]], [2, 1]), ([], [0], [1]), ([4, 2], [], [0, 2]),
                                  ([4], 2, [])):
            yield Case('Scatter' + kind, [Ref(f(*shape)), np.array(indices, 'int32'), f(*u)])
        yield Case('Scatter' + kind, [Ref(None, 'float32'), np.int32([0]), f(1)])
        yield Case('ResourceScatter' + kind, [Var(f(4)), np.int32([[1], [2]]), f(2, 1)])
        yield Case('ResourceScatter' + kind, [Var(f(4)), np.int32([0, 1, 2]), f(2)])
        yield Case('ResourceScatter' + kind, [Var(f(4)), np.int32([9]), f(1)])
        yield Case('Scatter' + kind, [Ref(f(4)), np.int32([9]), f(1)])
        yield Case('Scatter' + kind, [Ref(f(4)), np.int32([[-1]]), f(1, 1)])


ND = [
    # shape, indices, updates
    ([4], [[1], [3]], [2]),
    ([4], [[1], [1]], [2]),
    ([4], [[9]], [1]),
    ([4], [[0, 1]], [1]),
    ([4, 2], [[1], [3]], [2, 2]),
    ([4, 2], [[1, 0], [3, 1]], [2]),
    ([4, 2], [[[1, 0], [3, 1]]], [1, 2]),
    ([4, 2], [[1], [3]], [2, 3]),
    ([4, 2], [[1], [3]], [3, 2]),
    ([3, 3], [[1]], [1, 2]),
    ([3], [[1]], [2]),
    ([3], [[-1]], [1]),
    ([2, 2], [[0, 1, 2]], [1]),
]


def nd():
    for shape, indices, u in ND:
        for kind in ('Add', 'Sub', 'Update'):
            yield Case('TensorScatter' + kind, [f(*shape), np.int32(indices), f(*u, key=1)])
            yield Case('ScatterNd' + kind, [Ref(f(*shape)), np.int32(indices), f(*u, key=1)])
            yield Case('ResourceScatterNd' + kind, [Var(f(*shape)), np.int64(indices), f(*u, key=1)])
        yield Case('ScatterNd', [np.int32(indices), f(*u), np.int32(shape)])
        yield Case('ScatterNdNonAliasingAdd', [f(*shape), np.int32(indices), f(*u, key=1)])
    for dtype in NUMBERS + ['bool', 'string']:
        inputs = [np.int32([[1], [3]]), values(dtype, [2, 2])]
        yield Case('ScatterNd', inputs + [np.int32([4, 2])])
        yield Case('TensorScatterUpdate', [values(dtype, [4, 2], key=1)] + inputs)
        if dtype not in ('bool', 'string'):
            yield Case('TensorScatterAdd', [values(dtype, [4, 2], key=1)] + inputs)
            yield Case('ScatterNdSub', [Ref(values(dtype, [4, 2], key=1))] + inputs)
            yield Case('ResourceScatterNdAdd', [Var(values(dtype, [4, 2], key=1))] + inputs)
    for indices, u, shape in (([[0]], [1], [-1]), ([[0]], [1], [0]), ([[1], [1]], [2], [[3]]), (1, [2], [3]),
                              ([1], [], [3]), (np.zeros([0, 1]), [0], [3])):
        yield Case('ScatterNd', [np.array(indices, 'int32'), f(*u), np.array(shape, 'int32')])
        yield Case('ScatterNd', [np.array(indices, 'int64'), f(*u), np.array(shape, 'int64')])
    yield Case('TensorScatterUpdate', [f(), np.int32([[1]]), f(2)])
    yield Case('TensorScatterUpdate', [f(0), np.int32([[1]]), f(1)])
    yield Case('TensorScatterUpdate', [f(2), np.int32(1), f(1)])
    yield Case('ScatterNdUpdate', [Ref(None, 'float32'), np.int32([[0]]), f(1)])
    yield Case('ResourceScatterNdUpdate', [Var(values('string', [3])), np.int32([[1]]), values('string', [1])])


def cases():
    for group in (rows, nd):
        for case in group():
            yield case
