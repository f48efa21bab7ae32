# cases_kernel_tests_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Ops that graphs of TensorFlow 2 have where those of 1.15 have older ones."""

import numpy as np

from record_ops import Case
from samples import values

TENSORFLOW = '2.15'


def products():
    for dtype in ('float16', 'float32', 'float64', 'int32', 'int64', 'complex64', 'complex128'):
        tolerance = {'float16': 1e-2, 'float32': 1e-5, 'complex64': 1e-5}.get(dtype, 1e-10)
        for x, y, adj_x, adj_y in (([2, 3], [3, 2], False, False), ([2, 2, 3], [3, 4], False, False),
                                   ([2, 1, 3, 2], [4, 3, 2], True, False), ([2, 3], [2, 4, 3], False, True),
                                   ([0, 2, 3], [3, 2], False, False), ([2, 0], [0, 3], False, False),
                                   ([2, 3], [2, 3], False, False), ([3], [3, 2], False, False)):
            yield Case('BatchMatMulV3', [values(dtype, x), values(dtype, y)], Tout=dtype, adj_x=adj_x, adj_y=adj_y,
                       tolerance=tolerance)
    for a in ('int8', 'uint8'):
        for b in ('int8', 'uint8'):
            yield Case('BatchMatMulV3', [values(a, [2, 2, 3]), values(b, [3, 4])], Tout='int32')


def conditions():
    for x in (np.float32(0), np.float32(.1), np.float64('nan'), np.int32(0), np.int64(-1), np.array('', object),
              np.array('x', object), np.bool_(False), np.bool_(True), np.uint8(2), np.int8(0), np.int16(3), np.zeros([0], np.float32),
              np.zeros([2], np.float32), np.complex64(1), np.float16(1), np.uint16(1)):
        yield Case('ToBool', [x])


def cases():
    for group in (products, conditions):
        for case in group():
            yield case
