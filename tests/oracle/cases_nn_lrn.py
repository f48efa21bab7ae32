# cases_nn_lrn.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Local response normalisation."""

import numpy as np

from record_ops import Case, to_array


def values(shape, seed, dtype='float32'):
    return to_array(np.random.RandomState(seed).uniform(-2, 2, shape), dtype)


def cases():
    for dtype in ['float32', 'float16']:
        tolerance = 1e-5 if dtype == 'float32' else 2e-2
        for attrs in ({}, {'depth_radius': 2, 'bias': 2.0, 'alpha': 0.3, 'beta': 0.75}, {'depth_radius': 0}):
            x = values([2, 3, 2, 8], 1, dtype)
            yield Case('LRN', [x], attrs, tolerance=tolerance)
            yield Case('LRNGrad', [values([2, 3, 2, 8], 2, dtype), x, values([2, 3, 2, 8], 3, dtype)], attrs,
                       tolerance=tolerance)
    x = values([2, 3, 3, 2], 4)
    yield Case('LRN', [x[0]])
    yield Case('LRN', [x], depth_radius=2 ** 40)
    yield Case('LRNGrad', [x, x, x[:1]])
    yield Case('LRNGrad', [x[0], x, x])
