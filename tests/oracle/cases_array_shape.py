# cases_array_shape.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case
from samples import NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']


def i32(*v):
    return np.array(v, 'int32')


def shapes():
    for shape in ([], [3], [0, 2], [2, 3, 4]):
        for out in ('int32', 'int64'):
            for op in ('Shape', 'Size'):
                yield Case(op, [values('float32', shape)], out_type=out)
            yield Case('ShapeN', [[values('float32', shape), values('float32', [1, 2])]], out_type=out)
        yield Case('Rank', [values('float32', shape)])
        yield Case('Shape', [values('string', shape)])
    for x, sizes in (([2, 3], [3, 2]), ([2, 3], [-1]), ([2, 3], [2, -1, 3]), ([], [1, 1]), ([1], []),
                     ([0, 3], [0, -1]), ([0, 3], [-1, 0]), ([0, 3], [-1, 2]), ([2, 3], [-1, 0]),
                     ([2, 3], [-1, -1]), ([2, 3], [4, -1]), ([2, 3], [-2, 3]), ([2, 3], [7]),
                     ([2, 3], [[2, 3]]), ([1], 1), ([0], [5, 0, -1])):
        yield Case('Reshape', [values('float32', x), np.array(sizes, 'int32')])
        yield Case('Reshape', [values('string', x), np.array(sizes, 'int64')])
    for dim in (0, 1, 2, -1, -3, 3, 4, -4, -5):
        yield Case('ExpandDims', [values('float32', [2, 3]), np.int32(dim)])
    yield Case('ExpandDims', [values('float32', []), np.int64(-1)])
    yield Case('ExpandDims', [values('float32', [2]), i32(1)])
    yield Case('ExpandDims', [values('float32', [2]), i32(1, 2)])
    for dims in ([], [0], [2], [-2], [0, 2], [1], [5], [-5]):
        yield Case('Squeeze', [values('float32', [1, 3, 1, 2])], squeeze_dims=dims)
    yield Case('Squeeze', [values('int64', [1, 1])])
    yield Case('Squeeze', [values('int64', [])])


def broadcasts():
    for dtype in PLAIN:
        yield Case('BroadcastTo', [values(dtype, [2, 1]), i32(3, 2, 4)])
    for x, to in (([], [2, 3]), ([3], [2, 3]), ([2, 3], [2, 3]), ([2, 3], [3, 3]), ([2, 3], [3]),
                  ([2, 3], [-1, 3]), ([0, 3], [2, 0, 3]), ([1, 1], [0, 3]), ([], []), ([1], [1, 1])):
        yield Case('BroadcastTo', [values('float32', x), np.array(to, 'int32')])
        yield Case('BroadcastTo', [values('float32', x), np.array(to, 'int64')])
    for a, b in (([2, 3], [3]), ([2, 1, 3], [3]), ([1], [1]), ([1, 3], [1, 1]), ([2], [2]), ([], [2, 1]),
                 ([], []), ([2, 3], [4]), ([[2, 3]], [3]), ([5, 1, 4], [3, 4]), ([0, 1], [1, 7])):
        for dtype in ('int32', 'int64'):
            inputs = [np.array(a, dtype), np.array(b, dtype)]
            yield Case('BroadcastGradientArgs', inputs)
            yield Case('BroadcastArgs', inputs)


def transposes():
    for op in ('Transpose', 'ConjugateTranspose'):
        for dtype in PLAIN:
            yield Case(op, [values(dtype, [3, 5]), i32(1, 0)])
            yield Case(op, [values(dtype, [2, 3, 4]), i32(2, 0, 1)])
        for shape, perm in (([], []), ([4], [0]), ([1, 3, 1], [1, 0, 2]), ([0, 3], [1, 0]),
                            ([2, 3, 4, 5], [3, 1, 0, 2]), ([2, 3, 4, 5], [0, 1, 3, 2]),
                            ([2, 3, 4], [0, 1, 2]), ([40, 70], [1, 0]), ([3, 40, 70], [0, 2, 1])):
            if op == 'Transpose' or len(shape) > 1:   # TensorFlow 1.15 aborts otherwise
                yield Case(op, [values('float32', shape), np.array(perm, 'int64')])
        for perm in ([-10, 0], [0, 0], [0], [[0, 1]], [0, 2]):
            yield Case(op, [values('float32', [2, 3]), np.array(perm, 'int32')])
    for x in ([2, 0, 1], [0], [], [0, 0], [3], [-1], [[0]]):
        yield Case('InvertPermutation', [np.array(x, 'int32')])
        yield Case('InvertPermutation', [np.array(x, 'int64')])


def cases():
    for group in (shapes, broadcasts, transposes):
        for case in group():
            yield case
