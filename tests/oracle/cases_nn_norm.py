# cases_nn_norm.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation. TensorFlow's CPU runs no NCHW. What FusedBatchNorm gives as batch mean and
variance when it does not train is not written by 1.15: 2.15 gives its inputs (cases_nn_norm_2). The
gradients stand there too: 1.15 gives their two reserve outputs another shape than it infers."""

import numpy as np

from record_ops import Case, to_array


def values(shape, seed, low=-2, high=3, dtype='float32'):
    return to_array(np.random.RandomState(seed).uniform(low, high, shape), dtype)


def cases():
    f = lambda *shape: np.ones(shape, np.float32)
    none = np.zeros([0], np.float32)
    for op in ['FusedBatchNorm', 'FusedBatchNormV2', 'FusedBatchNormV3']:
        for dtype in ['float32']:       # half precision ends 1.15's process
            tolerance = 1e-5 if dtype == 'float32' else 5e-3
            for shape in ([4, 5, 6, 3], [1, 2, 2, 7], [3, 1, 1, 2], [1, 1, 1, 2]):
                depth = shape[-1]
                x = values(shape, 1, dtype=dtype)
                yield Case(op, [x, values([depth], 2, 0.5, 2), values([depth], 3), none, none], epsilon=1e-3,
                           tolerance=tolerance)
    op = 'FusedBatchNorm'
    x = values([2, 3, 3, 2], 7)
    yield Case(op, [x[:0], f(2), f(2), none, none])
    yield Case(op, [x, f(2), f(2), f(2), none])
    yield Case(op, [x, f(2), f(2), none, f(2)])
    yield Case(op, [x, f(2, 1), f(2), none, none])
    yield Case(op, [x[0], f(2), f(2), none, none])
    yield Case(op, [values([50, 4, 4, 3], 8, 100, 101), f(3), f(3), none, none], tolerance=1e-3)
    g = 'FusedBatchNormGrad'
    yield Case(g, [x[0], x, f(2), f(2), f(2)])
    yield Case(g, [x, x, f(2, 1), f(2), f(2)])
    yield Case(g, [x, x, f(2), f(2, 1), f(2)])
    yield Case(g, [x, x, f(2), f(2), f(2, 1)])
