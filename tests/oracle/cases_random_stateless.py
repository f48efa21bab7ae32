# cases_random_stateless.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers that follow from seeds given as an input."""

import numpy as np

from record_ops import Case, to_array


def cases():
    i = lambda *v: np.array(v, np.int32)
    for op in ['StatelessRandomUniform', 'StatelessRandomNormal', 'StatelessTruncatedNormal']:
        for dtype in ['float32', 'float64', 'float16', 'bfloat16']:
            yield Case(op, [i(37), i(12, 34)], dtype=dtype, tolerance=0.0)
        yield Case(op, [np.array([3, 5], np.int64), np.array([-1, 2 ** 50], np.int64)], dtype='float32', tolerance=0.0)
        yield Case(op, [i(0), i(1, 2)], dtype='float32')
        yield Case(op, [i(3), i(1, 2, 3)], dtype='float32')
        yield Case(op, [i(-3), i(1, 2)], dtype='float32')
    for dtype in ['int32', 'int64']:
        a = lambda v, d=dtype: to_array(v, d)
        yield Case('StatelessRandomUniformInt', [i(33), i(3, 4), a(-5), a(1000)])
        yield Case('StatelessRandomUniformInt', [i(3), i(3, 4), a(5), a(5)])
        yield Case('StatelessRandomUniformInt', [i(3), i(3, 4), a([5]), a(6)])
