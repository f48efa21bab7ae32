# cases_nn_norm_2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation by given statistics, as 2.15 answers (1.15 leaves four outputs unwritten),
and half precision, at which 1.15 ends its process."""

import numpy as np

from record_ops import Case, to_array

TENSORFLOW = '2.15'


def values(shape, seed, low=-2, high=3, dtype='float32'):
    return to_array(np.random.RandomState(seed).uniform(low, high, shape), dtype)


def cases():
    f = lambda *shape: np.ones(shape, np.float32)
    for op in ['FusedBatchNorm', 'FusedBatchNormV2', 'FusedBatchNormV3']:
        for dtype in ['float32', 'float16'] if op != 'FusedBatchNorm' else ['float32']:
            x = values([2, 3, 4, 5], 1, dtype=dtype)
            yield Case(op, [x, values([5], 2), values([5], 3), values([5], 4), values([5], 5, 0.5, 2)],
                       epsilon=1e-3, is_training=False, tolerance=1e-5 if dtype == 'float32' else 5e-3)
    none = np.zeros([0], np.float32)
    for factor in (1.0, 0.25):
        yield Case('FusedBatchNormV3', [values([3, 4, 5, 6], 6), values([6], 7), values([6], 8), values([6], 9),
                                        values([6], 10, 0.5, 2)], epsilon=1e-3, exponential_avg_factor=factor,
                   tolerance=1e-5)
    for op in ['FusedBatchNorm', 'FusedBatchNormV2', 'FusedBatchNormV3']:
        for shape in ([4, 5, 6, 3], [1, 2, 2, 7], [3, 1, 1, 2], [1, 1, 1, 2]):
            depth = shape[-1]
            inputs = [values(shape, 4), values(shape, 1), values([depth], 2, 0.5, 2), values([depth], 5, -1, 1),
                      values([depth], 6, 0.5, 2)]
            if op.endswith('V3'):
                inputs.append(none)
            for training in (True, False):
                yield Case(op.replace('Norm', 'NormGrad'), inputs, epsilon=1e-3, is_training=training, tolerance=2e-5)
    for op in ['FusedBatchNormV2', 'FusedBatchNormV3']:
        x = values([3, 4, 5, 6], 6, dtype='float16')
        yield Case(op, [x, values([6], 7), values([6], 8), none, none], epsilon=1e-3, tolerance=5e-3)
        inputs = [values([3, 4, 5, 6], 9, dtype='float16'), x, values([6], 2, 0.5, 2), values([6], 5, -1, 1),
                  values([6], 6, 0.5, 2)]
        if op.endswith('V3'):
            inputs.append(none)
        for training in (True, False):
            yield Case(op.replace('Norm', 'NormGrad'), inputs, is_training=training, tolerance=1e-2)
    unknown = np.float32([np.nan, np.nan])
    yield Case('FusedBatchNorm', [f(2, 3, 4, 6), f(1), f(1), f(1), f(1)], is_training=False)
    for training in (True, False):
        given = [none, none] if training else [values([4], 4), values([4], 5, 0.5, 2)]
        yield Case('FusedBatchNormV3', [values([2, 3, 2, 5, 4], 1), values([4], 2), values([4], 3)] + given,
                   data_format='NDHWC', is_training=training, epsilon=1e-3, tolerance=1e-5)
        yield Case('FusedBatchNormGradV3', [values([2, 3, 2, 5, 4], 4), values([2, 3, 2, 5, 4], 1), values([4], 2),
                                            values([4], 5, -1, 1), values([4], 6, 0.5, 2), none],
                   data_format='NDHWC', is_training=training, epsilon=1e-3, tolerance=2e-5)
        # The statistics of no values are none, and nothing comes back through them.
        for empty in (values([0, 3, 3, 2], 7), values([2, 0, 3, 2], 7)):
            yield Case('FusedBatchNormGradV3', [empty, empty, values([2], 8), unknown, unknown, none], is_training=training)
