# cases_array_concat.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out
from samples import NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']


def f(*shape, **more):
    return values('float32', list(shape), **more)


def joins():
    for dtype in PLAIN:
        parts = [values(dtype, [2, 3]), values(dtype, [2, 1], key=1), values(dtype, [2, 0])]
        yield Case('ConcatV2', [parts, np.int32(1)])
        yield Case('Concat', [np.int32(1), parts])
        yield Case('Pack', [[values(dtype, [2, 3]), values(dtype, [2, 3], key=1)]], axis=1)
    for axis in (0, 1, 2, -1, -3, 3, -4):
        for index in ('int32', 'int64'):
            yield Case('ConcatV2', [[f(2, 3, 4), f(2, 3, 4, key=1)], np.array(axis, index)])
    for parts, axis in (([f(1, 1), f(1, 1)], [0]), ([f(1, 1), f(1, 1)], [0, 1]), ([f(1, 1), f(1, 1, 1)], 0),
                        ([f(), f()], 0), ([f(1), f()], 0), ([f(2, 3), f(2, 4)], 0), ([f(2, 3)] * 3, 0),
                        ([f(0), f(3)], 0), ([f(2, 0), f(2, 0)], 0)):
        yield Case('ConcatV2', [parts, np.array(axis, 'int32')])
        yield Case('Concat', [np.array(axis, 'int32'), parts])
    for axis in (0, 1, 2, -1, -3, 5, -4):
        yield Case('Pack', [[f(2, 3), f(2, 3, key=1)]], axis=axis)
    yield Case('Pack', [[f(2), f(3)]])
    yield Case('Pack', [[f(), f(), f()]])
    yield Case('Pack', [[f(0, 2)]], axis=1)
    for axis, shapes in ((1, [[2, 3], [2, 4]]), (1, [[2, 3], [3, 4]]), (2, [[2, 3], [3, 4]]), ([0], [[2, 3], [2, 3]]),
                         (0, [[2, 3], [3]]), (0, [[[2, 3]], [[2, 3]]]), (-1, [[2, 3], [2, 4], [2, 5]])):
        yield Case('ConcatOffset', [np.array(axis, 'int32'), [np.array(s, 'int32') for s in shapes]])


def parts():
    for dtype in PLAIN:
        yield Case('Split', [np.int32(1), values(dtype, [2, 6])], num_split=3)
        yield Case('SplitV', [values(dtype, [2, 6]), np.int32([1, 5]), np.int32(1)], num_split=2)
        yield Case('Unpack', [values(dtype, [2, 3])], num=3, axis=1)
    for axis, shape, n in ((0, [6], 3), (0, [5], 3), (4, [5], 3), ([0], [5], 5), (0, [], 1), (-1, [2, 4], 2),
                           (0, [0, 2], 3), (1, [2, 3, 2], 3), (0, [4, 2], 1)):
        yield Case('Split', [np.array(axis, 'int32'), f(*shape)], num_split=n)
    for sizes, axis in (([2, 3], 0), ([-1, 3], 0), ([5, 0], -1), ([-1, -1], 0), ([2, 2], 0), ([6, -1], 0), ([5], 0),
                        ([5, 0], 3), ([5, 0], [0]), ([0, -1], 0)):
        yield Case('SplitV', [f(5), np.array(sizes, 'int32'), np.array(axis, 'int32')], num_split=2)
        yield Case('SplitV', [f(5), np.array(sizes, 'int64'), np.array(axis, 'int32')], num_split=2)
    yield Case('SplitV', [f(5), np.int32([5]), np.int32(0)], num_split=1)
    yield Case('SplitV', [f(5), np.int32([4]), np.int32(0)], num_split=1)
    yield Case('SplitV', [f(3, 4, 2), np.int32([1, 2, 1]), np.int32(1)], num_split=3)
    for shape, n, axis in (([3], 3, 0), ([3], 4, 0), ([3], 3, 2), ([], 1, 0), ([2, 3, 4], 3, -2), ([0, 2], 0, 0),
                           ([2, 0], 2, 0)):
        yield Case('Unpack', [f(*shape)], num=n, axis=axis)


def cases():
    for group in (joins, parts):
        for case in group():
            yield case
    nodes = [('Const', [], dict(value=f(1, 2, key=i), dtype='float32')) for i in range(2)]
    for shape in ([2, 2],):
        yield Case('ParallelConcat', [[Out(0), Out(1)]], nodes=nodes, T='float32', N=2, shape=shape)
