# cases_random_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow 2 added to random generators."""

import numpy as np

from cases_random_stateful import state
from record_ops import Case

TENSORFLOW = '2.15'


def cases():
    u = lambda *v: np.array(list(v), np.uint64)
    for dtype in ['int32', 'int64', 'uint32', 'uint64']:
        for shape in ([3, 3], [0], [5]):
            yield Case('StatelessRandomUniformFullIntV2', [np.array(shape, np.int32), u(9), u(2 ** 63 + 5, 7), np.int32(1)], dtype=dtype)
    more = lambda key, counter, alg: Case('StatelessRandomUniformFullIntV2', [np.array([2], np.int32), key, counter, alg], dtype='int64')
    yield more(u(9), u(1, 2), np.int32(3))
    for delta in (0, 1, 7, 2 ** 33):
        yield Case('RngReadAndSkip', [state(5, 7, 9), np.int32(1), np.uint64(delta)])
    yield Case('RngReadAndSkip', [state(5, 7, 9), np.int32(9), np.uint64(1)])
    yield Case('RngReadAndSkip', [state(5, 7), np.int32(1), np.uint64(1)])
    for seed in ([1, 2], [-1, 2 ** 40], [0, 0], [1, 2, 3], [[1, 2]]):
        yield Case('StatelessRandomGetKeyCounter', [np.array(seed, np.int64)])
        yield Case('StatelessRandomGetKeyCounterAlg', [np.array(seed, np.int64)])
    yield Case('StatelessRandomGetKeyCounter', [np.array([7, -3], np.int32)])
    yield Case('StatelessRandomGetAlg', [])
    key, counter, alg = u(2 ** 63 + 9), u(2 ** 63 + 5, 7), np.int32(1)
    for dtype in ['float32', 'float64', 'float16', 'bfloat16']:
        for op in ['StatelessRandomUniformV2', 'StatelessRandomNormalV2', 'StatelessTruncatedNormalV2']:
            for shape in ([33], [0], [2, 3]):
                yield Case(op, [np.array(shape, np.int32), key, counter, alg], dtype=dtype, tolerance=0.0)
    for dtype in ['int32', 'int64', 'uint32', 'uint64']:
        a = lambda v, d=dtype: np.array(v, d)
        ints = lambda low, high, c=counter: Case('StatelessRandomUniformIntV2', [np.array([7], np.int64), key, c, alg, low, high])
        yield ints(a(3), a(1000))
        yield ints(a(0), a(np.iinfo(dtype).max))
        yield ints(a(np.iinfo(dtype).min), a(np.iinfo(dtype).max))
        yield ints(a(5), a(5))
        yield ints(a(7), a(5))
        yield ints(a([5]), a(7))
        yield ints(a(5), a([7]))
    for op in ['StatelessRandomUniformV2', 'StatelessRandomNormalV2']:
        uniform = lambda *inputs: Case(op, list(inputs), dtype='float32')
        shape = np.array([2], np.int32)
        yield uniform(shape, key, counter, np.int32(3))
        yield uniform(shape, key, counter, np.int32(9))
        yield uniform(shape, key, counter, np.array([1], np.int32))
        yield uniform(shape, u(1, 2), counter, alg)
        yield uniform(shape, np.uint64(1), counter, alg)
        yield uniform(shape, key, u(1, 2, 3, 4), alg)
        yield uniform(np.array([-2], np.int32), key, counter, alg)
