# cases_bits_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What cases_bits asks, of 2.15, and what 2.15 alone can be asked."""

import numpy as np

from cases_bits import PARTS, normal
from record_ops import Case

TENSORFLOW = '2.15'


def gradients_of_norms():
    for shape in ((2, 3, 2, 3), (4, 5, 5, 6)):
        x, dy, n = normal(*shape), normal(*shape), shape[3]
        for training in (True, False):
            yield Case('FusedBatchNormGradV3', [dy, x, normal(n), normal(n), np.abs(normal(n)) + np.float32(.1), np.zeros([0], np.float32)],
                       is_training=training, epsilon=0.001, tolerance=0)


def batches_gathered():
    # 1.15.5 refuses as many batch_dims as the indices have.
    yield Case('GatherV2', [normal(3, 5), np.array([4, 0, 2], np.int32), np.int32(1)], batch_dims=1, tolerance=0)
    yield Case('GatherV2', [normal(2, 3, 4, 2), np.array([[3, 0, 1], [2, 2, 0]], np.int32), np.int32(2)], batch_dims=2, tolerance=0)


def repeated():
    # Vectors go on from row to row.
    for left, right in (((3, 6), (3, 1)), ((5, 7), (7,)), ((2, 3, 5), (3, 1))):
        yield Case('Pow', [np.abs(normal(*left)) + np.float32(.1), normal(*right)], tolerance=0)


def cases():
    for part in PARTS + (gradients_of_norms, batches_gathered, repeated):
        yield from part()
