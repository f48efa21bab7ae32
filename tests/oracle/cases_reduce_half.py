# cases_reduce_half.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sums and means of half: each sum of two is rounded, so that their order shows."""

import numpy as np

from record_ops import Case


def cases():
    for shape, axis in (([39], 0), ([64], 0), ([1700], 0), ([64, 9], 0), ([3, 200], 1), ([4, 5, 6], 1), ([3, 4, 5], [0, 2])):
        x = np.random.RandomState(len(shape) + shape[0]).normal(0, 1, shape).astype(np.float16)
        for op in ('Sum', 'Mean'):
            yield Case(op, [x, axis], tolerance=0.)
