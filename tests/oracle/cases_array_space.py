# cases_array_space.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out
from samples import NUMBERS, values


def f(*shape):
    return values('float32', list(shape))


def nd(op, x, block, pairs):
    """The block shape must have a rank while the graph is built: a constant."""
    block = np.array(block, 'int32')
    return Case(op, [x, Out(0), np.array(pairs, 'int32')], nodes=[('Const', [], dict(value=block, dtype='int32'))],
                Tblock_shape='int32')


def cases():
    for dtype in NUMBERS + ['bool', 'string']:
        x = values(dtype, [2, 4, 6, 2])
        zero = np.int32([[0, 0], [0, 0]])
        yield Case('SpaceToDepth', [x], block_size=2)
        yield Case('DepthToSpace', [values(dtype, [2, 2, 3, 8])], block_size=2)
        if dtype == 'string':
            continue
        yield Case('SpaceToBatch', [x, zero], block_size=2)
        yield Case('BatchToSpace', [values(dtype, [4, 2, 3, 2]), zero], block_size=2)
        yield nd('SpaceToBatchND', x, [2, 3], [[0, 0], [1, 2]])
        yield nd('BatchToSpaceND', values(dtype, [12, 2, 3, 2]), [2, 3], [[0, 1], [2, 1]])
    x = f(1, 4, 4, 1)
    for block, pairs in (([2, 2], [[1, 1], [2, 0]]), ([1, 1], [[0, 0], [0, 0]]), ([3, 2], [[0, 0], [0, 0]]),
                         ([2, 2], [[-1, 1], [0, 0]]), ([2, 2], [[0, 0]]), ([2], [[0, 0]]), ([], np.zeros([0, 2])),
                         ([2, 2, 1], [[0, 0], [0, 0], [0, 0]]), ([2, 2, 2, 2], [[0, 0]] * 4)):
        yield nd('SpaceToBatchND', x, block, pairs)
        yield nd('BatchToSpaceND', f(4, 2, 3, 1), block, pairs)
    for pairs in ([[1, 1], [2, 0]], [[10, 0], [0, 0]], [0, 0], [[-1, 0], [0, 0]]):
        for size in (2, 3):
            yield Case('SpaceToBatch', [x, np.int32(pairs)], block_size=size)
            yield Case('BatchToSpace', [f(4, 3, 3, 2), np.int32(pairs)], block_size=size)
    yield Case('SpaceToBatch', [f(1, 4, 4), np.int32([[0, 0], [0, 0]])], block_size=2)
    yield Case('BatchToSpace', [f(4, 4, 4), np.int32([[0, 0], [0, 0]])], block_size=2)
    yield Case('SpaceToBatch', [f(0, 4, 4, 1), np.int32([[0, 0], [0, 0]])], block_size=2)
    for shape in ([1, 3, 3, 1], [1, 3, 3], [0, 4, 4, 1], [1, 4, 4, 4]):
        yield Case('SpaceToDepth', [f(*shape)], block_size=2)
        yield Case('DepthToSpace', [f(*shape)], block_size=2)
    yield Case('SpaceToDepth', [f(1, 4, 4, 4)], block_size=2, data_format='NCHW')
    yield Case('DepthToSpace', [f(1, 4, 4, 4)], block_size=2, data_format='NCHW')
    yield Case('SpaceToDepth', [f(1, 6, 9, 1)], block_size=3)
    yield Case('DepthToSpace', [f(2, 2, 3, 18)], block_size=3)
