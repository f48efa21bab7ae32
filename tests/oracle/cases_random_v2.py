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
