# cases_array_pad.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case
from samples import NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']


def f(*shape):
    return values('float32', list(shape))


def pads():
    for dtype in PLAIN:
        for index in ('int32', 'int64'):
            p = np.array([[1, 0], [0, 2]], index)
            yield Case('Pad', [values(dtype, [2, 3]), p])
            yield Case('PadV2', [values(dtype, [2, 3]), p, values(dtype, [], key=2)])
            for mode in ('REFLECT', 'SYMMETRIC'):
                yield Case('MirrorPad', [values(dtype, [3, 4]), np.array([[1, 2], [3, 1]], index)], mode=mode)
                if dtype in NUMBERS:
                    yield Case('MirrorPadGrad', [values(dtype, [6, 8]), np.array([[1, 2], [3, 1]], index)], mode=mode)
    for shape, p in (([1], [[-1, 0]]), ([1], [1, 0]), ([1], [[1, 0], [1, 1]]), ([1], [[1, 0, 1]]), ([0, 2], [[1, 1], [0, 0]]),
                     ([2, 3], [[0, 0], [0, 0]]), ([1, 2, 3, 2], [[0, 1], [1, 1], [2, 0], [0, 0]])):
        yield Case('Pad', [f(*shape), np.array(p, 'int32')])
    yield Case('Pad', [f(), np.zeros([0, 2], 'int32')])
    yield Case('PadV2', [f(1), np.int32([[1, 0]]), f(2)])
    for mode in ('REFLECT', 'SYMMETRIC'):
        for shape, p in (([2], [[2, 0]]), ([2], [[3, 0]]), ([2], [[2, 2]]), ([2], [[-1, 1]]), ([2], [1, 1]),
                         ([2], [[1, 1], [1, 1]]), ([3, 2, 2], [[2, 1], [0, 1], [1, 0]]), ([0], [[0, 0]])):
            yield Case('MirrorPad', [f(*shape), np.array(p, 'int32')], mode=mode)
        yield Case('MirrorPad', [f(), np.zeros([0, 2], 'int32')], mode=mode)
        for p in ([[2, 1]], [[1, 1]], [[3, 2]], [[3, 3]], [[-3, 3]], [1, 1], [[1, 1], [1, 1]]):
            yield Case('MirrorPadGrad', [f(5), np.array(p, 'int32')], mode=mode)
        yield Case('MirrorPadGrad', [f(5, 4, 3), np.int32([[1, 1], [1, 0], [0, 1]])], mode=mode)


def tiles():
    for dtype in PLAIN:
        if dtype == 'uint16':
            continue
        yield Case('Tile', [values(dtype, [2, 3]), np.int32([2, 3])])
        yield Case('Tile', [values(dtype, [2, 3]), np.int64([1, 2])])
    for shape, m in (([1], [-1]), ([1], [1, 2]), ([1], [[1]]), ([2, 3], [0, 2]), ([2, 0], [3, 1]), ([1, 1], [3, 4]),
                     ([2, 1, 3], [1, 4, 1]), ([2, 2, 2, 2], [2, 1, 2, 1]), ([], [])):
        yield Case('Tile', [f(*shape), np.array(m, 'int32')])


def cases():
    for group in (pads, tiles):
        for case in group():
            yield case
