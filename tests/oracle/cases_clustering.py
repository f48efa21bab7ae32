# cases_clustering.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""First centers, and nearest ones."""

import numpy as np

from record_ops import Case
from samples import values


def cases():
    points = values('float32', [30, 3])
    i = np.int64
    for seed in range(4):
        for n in (1, 4, 12):
            for retries in (0, 3, -1):
                yield Case('KmeansPlusPlusInitialization', [points, i(n), i(seed), i(retries)])
        yield Case('KMC2ChainInitialization', [values('float32', [20], 0, 5), i(seed)])
    for k in (0, 1, 3, 9):
        yield Case('NearestNeighbors', [points, values('float32', [7, 3], key=1), i(k)], tolerance=1e-5)
    yield Case('NearestNeighbors', [points, points, i(2)], tolerance=1e-5)
    yield Case('NearestNeighbors', [points, points[:0], i(2)])
    for bad in ([points[0], points, i(1)], [points, points[0], i(1)], [points, points, np.array([1])], [points[:0], points, i(1)],
                [points, points[:, :2], i(1)]):          # k of -1 ends TensorFlow
        yield Case('NearestNeighbors', bad)
    for bad in ([points[0], i(1), i(1), i(1)], [points, np.array([1]), i(1), i(1)], [points, i(1), np.array([1]), i(1)],
                [points, i(1), i(1), np.array([1])], [points[:0], i(1), i(1), i(1)], [points, i(0), i(1), i(1)],
                [points, i(31), i(1), i(1)]):
        yield Case('KmeansPlusPlusInitialization', bad)
    for bad in ([points, i(1)], [points[0], np.array([1])], [points[0, :0], i(1)]):
        yield Case('KMC2ChainInitialization', bad)
