# cases_lsh_probes.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Cells of hash tables that a point's neighbours may be in."""

import numpy as np
import tensorflow.contrib.nearest_neighbor.python.ops.nearest_neighbor_ops  # noqa: F401  registers the op

from record_ops import Case


def cases():
    rng = np.random.RandomState(1)

    def case(points, tables, planes, probes):
        return Case('HyperplaneLSHProbes', [points, np.int32(tables), np.int32(planes), np.int32(probes)])
    for dtype in ('float32', 'float64'):
        for n, tables, planes, probes in ((1, 1, 1, 1), (3, 2, 3, 2), (2, 2, 3, 8), (4, 3, 4, 30), (1, 1, 5, 32), (2, 4, 20, 60),
                                          (0, 2, 2, 3)):
            yield case(rng.randn(n, tables * planes).astype(dtype), tables, planes, probes)
        # Equally near.
        yield case(np.sign(rng.randn(3, 12)).astype(dtype), 3, 4, 40)
        yield case(np.zeros([2, 6], dtype), 2, 3, 12)
    x = rng.randn(2, 6).astype('float32')
    yield case(x, 2, 3, 17)
    yield case(x, 2, 2, 3)
    for tables, planes, probes in ((0, 3, 1), (1001, 3, 1), (2, 0, 1), (2, 31, 1), (2, 3, 0)):
        yield case(x, tables, planes, probes)
    yield case(x[0], 2, 3, 1)
    for i in range(1, 4):
        inputs = [x, np.int32(2), np.int32(3), np.int32(4)]
        inputs[i] = np.int32([2])
        yield Case('HyperplaneLSHProbes', inputs)
