# cases_random_sampled.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers whose distribution is an input."""

import numpy as np

from record_ops import Case, to_array


def cases():
    i = lambda *v: np.array(v, np.int32)
    rng = np.random.RandomState(1)
    for dtype in ['float32', 'float64', 'float16']:
        logits = to_array(rng.uniform(-3, 3, [4, 7]), dtype)
        for out in ['int32', 'int64']:
            yield Case('Multinomial', [logits, np.int32(9)], runs=2, seed=3, seed2=4, output_dtype=out)
            yield Case('StatelessMultinomial', [logits, np.int32(9), i(5, 6)], output_dtype=out)
    special = np.array([[-np.inf, 1, 2, np.inf, np.nan, 0]], np.float32)
    yield Case('Multinomial', [special, np.int32(20)], seed=3)
    f = lambda *shape: np.ones(shape, np.float32)
    yield Case('Multinomial', [f(2, 3), np.int32(0)], seed=3)
    yield Case('Multinomial', [f(0, 3), np.int32(4)], seed=3)
    yield Case('Multinomial', [f(3), np.int32(4)], seed=3)
    yield Case('Multinomial', [f(2, 3), i(4)], seed=3)
    yield Case('Multinomial', [f(2, 3), np.int32(-1)], seed=3)
    yield Case('Multinomial', [f(2, 0), np.int32(1)], seed=3)
    for dtype in ['float32', 'float64', 'float16']:
        alpha = to_array([0.3, 1.0, 2.5, 30.0], dtype)
        tolerance = {'float32': 1e-6, 'float64': 1e-13, 'float16': 1e-3}[dtype]
        yield Case('RandomGamma', [i(11), alpha], runs=2, seed=7, seed2=8, tolerance=tolerance)
        yield Case('RandomGamma', [i(2, 3), alpha.reshape(2, 2)], seed=7, seed2=8, tolerance=tolerance)
        rate = to_array([0.5, 3.0, 12.0, 200.0], dtype)
        yield Case('RandomPoissonV2', [i(11), rate], runs=2, seed=7, seed2=8, dtype='int64')
        yield Case('RandomPoissonV2', [i(2, 3), rate], seed=7, seed2=8, dtype=dtype)
    yield Case('RandomPoissonV2', [i(5), i(2, 20)], seed=7, seed2=8, dtype='int32')
    yield Case('RandomPoissonV2', [np.zeros([0], np.int32), np.float32(4)], seed=7, dtype='float32')
    yield Case('RandomGamma', [i(-1), f(2)], seed=7)
    yield Case('RandomGamma', [i(0), f(2)], seed=7)
