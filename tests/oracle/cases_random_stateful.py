# cases_random_stateful.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers from generators in variables."""

import numpy as np

from record_ops import Case, Var, to_array


def state(*v):
    return Var(np.array(list(v), np.int64))


def cases():
    i = lambda *v: np.array(list(v), np.int64)
    one = np.int64(1)
    for dtype in ['float32', 'float64', 'float16', 'bfloat16']:
        for op in ['StatefulStandardNormalV2', 'StatefulTruncatedNormal', 'StatefulUniform']:
            yield Case(op, [state(5, 7, 9), one, i(33)], dtype=dtype, tolerance=0.0)
        yield Case('StatefulStandardNormal', [state(1, 5, 7, 9), i(33)], dtype=dtype, tolerance=0.0, producer=26)
    for dtype in ['int32', 'int64', 'uint32', 'uint64']:
        yield Case('StatefulUniformFullInt', [state(-5, 2 ** 40, 9), one, i(3, 3)], dtype=dtype)
        yield Case('NonDeterministicInts', [i(3, 3)], dtype=dtype, checks='shape')
    for dtype in ['int32', 'int64']:
        a = lambda v, d=dtype: to_array(v, d)
        yield Case('StatefulUniformInt', [state(5, 7, 9), one, i(33), a(-5), a(1000)])
        yield Case('StatefulUniformInt', [state(5, 7, 9), one, i(3), a(5), a(5)])
        yield Case('StatefulUniformInt', [state(5, 7, 9), one, i(3), a([5]), a(6)])
        yield Case('StatefulUniformInt', [state(5, 7, 9), one, i(3), a(5), a([6])])
    uniform = lambda s, a, shape: Case('StatefulUniform', [s, a, shape], dtype='float32')
    yield uniform(state(5, 7, 9, 11), one, i(2))
    yield uniform(state(2 ** 62, -1, 9), one, i(2, 0))
    yield uniform(state(-1, -1, -1), one, i(2, 2))
    yield uniform(state(5, 7, 9), one, np.array([2], np.int32))
    yield uniform(state(5, 7), one, i(2))
    yield uniform(state(5, 7, 9), np.int64(2), i(2))
    yield uniform(state(5, 7, 9), np.int64(7), i(2))
    yield uniform(state(5, 7, 9), i(1), i(2))
    yield uniform(Var(np.array([[5, 7, 9]], np.int64)), one, i(2))
    yield uniform(Var(np.array([5, 7, 9], np.int32)), one, i(2))
    yield uniform(state(5, 7, 9), one, i(-2))
    yield Case('StatefulStandardNormal', [state(3, 5, 7, 9), i(2)], dtype='float32', producer=26)
    yield Case('StatefulStandardNormal', [state(1, 5, 7), i(2)], dtype='float32', producer=26)
    for delta in (0, 1, 7, 2 ** 33):
        yield Case('RngSkip', [state(5, 7, 9), one, np.int64(delta)])
    yield Case('RngSkip', [state(5, 7, 9), np.int64(3), one])
    yield Case('RngSkip', [state(5, 7, 9), i(1), one])
    yield Case('RngSkip', [state(5, 7, 9), one, i(1)])
    yield Case('RngSkip', [state(5, 7), one, one])
