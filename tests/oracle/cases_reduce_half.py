# cases_reduce_half.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sums of half and bfloat16: each sum of two is rounded, so that their order shows."""

import numpy as np

from record_ops import Case, to_array


def cases():
    for shape, axis in (([39], 0), ([64], 0), ([1700], 0), ([64, 9], 0), ([3, 200], 1), ([4, 5, 6], 1), ([3, 4, 5], [0, 2])):
        x = np.random.RandomState(len(shape) + shape[0]).normal(0, 1, shape).astype(np.float16)
        for op in ('Sum', 'Mean'):
            yield Case(op, [x, axis], tolerance=0.)
    for dtype in ('float16', 'bfloat16'):
        x = to_array(np.random.RandomState(7).normal(0, 1, [6, 20]).astype(np.float32), dtype)
        yield Case('UnsortedSegmentSum', [x, np.int32([0, 1, 0, 1, 0, 0]), np.int32(2)], tolerance=0.)
        for op in ('Cumsum', 'Cumprod'):
            yield Case(op, [x, 1], tolerance=0.)
            yield Case(op, [x, 0], exclusive=True, reverse=True, tolerance=0.)
