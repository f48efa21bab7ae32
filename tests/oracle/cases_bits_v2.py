# cases_bits_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What 1.15.5 refuses, or leaves unwritten, to the last bit of later releases."""

import numpy as np

from record_ops import Case

TENSORFLOW = '2.15'
rng = np.random.RandomState(1)


def normal(*shape):
    return rng.normal(0, 1, shape).astype(np.float32)


def cases():
    # 1.15.5 refuses as many batch_dims as the indices have.
    yield Case('GatherV2', [normal(3, 5), np.array([4, 0, 2], np.int32), np.int32(1)], batch_dims=1, tolerance=0)
    yield Case('GatherV2', [normal(2, 3, 4, 2), np.array([[3, 0, 1], [2, 2, 0]], np.int32), np.int32(2)], batch_dims=2, tolerance=0)
