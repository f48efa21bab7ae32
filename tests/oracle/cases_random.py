# cases_random.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers: equal seeds give equal bits, run after run."""

import numpy as np

from record_ops import Case, to_array

FLOATS = ['float32', 'float64', 'float16', 'bfloat16']


def cases():
    i = lambda *v: np.array(v, np.int32)
    for op in ['RandomUniform', 'RandomStandardNormal', 'TruncatedNormal']:
        for dtype in FLOATS:
            for shape in ([1], [2, 3], [37], [101, 3]):
                yield Case(op, [i(*shape)], runs=3, seed=87654321, seed2=11, dtype=dtype, tolerance=0.0)
        yield Case(op, [np.array([5], np.int64)], runs=2, seed=-3, seed2=2 ** 40 + 17, dtype='float32', tolerance=0.0)
        yield Case(op, [i(0, 3)], seed=1, dtype='float32')
        yield Case(op, [np.zeros([0], np.int32)], seed=1, dtype='float32', tolerance=0.0)
        yield Case(op, [i(5000)], seed=9, seed2=1, dtype='float32', tolerance=0.0)
        yield Case(op, [i(-1)], seed=1, dtype='float32')
        yield Case(op, [np.ones([2, 2], np.int32)], seed=1, dtype='float32')
        yield Case(op, [i(4)], dtype='float32', checks='shape')
    for dtype in ['int32', 'int64']:
        a = lambda v, d=dtype: to_array(v, d)
        for low, high in [(0, 10), (-5, 3), (-2 ** 31, 2 ** 31 - 1), (0, 1)]:
            yield Case('RandomUniformInt', [i(33), a(low), a(high)], runs=3, seed=5, seed2=6)
        yield Case('RandomUniformInt', [i(3), a(4), a(4)], seed=5)
        yield Case('RandomUniformInt', [i(0), a(4), a(4)], seed=5)
        yield Case('RandomUniformInt', [i(3), a([1, 2]), a(4)], seed=5)
        yield Case('RandomUniformInt', [i(3), a(1), a([4])], seed=5)
    yield Case('RandomUniformInt', [i(9), np.int64(-2 ** 63), np.int64(2 ** 63 - 1)], seed=5, runs=2)
    for value in (np.arange(20, dtype=np.float32), np.arange(24, dtype=np.int64).reshape(8, 3),
                  np.array([b'a', b'bc', b'def', b'', b'gh'], object), np.arange(5) > 2, np.float32(3),
                  np.zeros([1, 4], np.float32), np.zeros([4, 0], np.float32),
                  np.arange(10).astype(np.complex64), np.arange(7, dtype=np.uint8)):
        yield Case('RandomShuffle', [value], runs=3, seed=7, seed2=8)


