# cases_candidates_unigram.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Samplers by vocabulary."""

import numpy as np

from record_ops import Case


def cases():
    true = np.array([[1, 7], [0, 3], [9, 9]], np.int64)
    weights = [0.5, 3.0, 0.25, 8.0, 1.0, 1.0, 2.5, 0.125, 4.0, 1.5]
    for unique in (True, False):
        for seed in (1, 2):
            attrs = dict(num_true=2, num_sampled=6, unique=unique, range_max=10, seed=seed, seed2=5)
            for op in ('LearnedUnigramCandidateSampler', 'ThreadUnsafeUnigramCandidateSampler'):
                yield Case(op, [true], attrs, runs=4, tolerance=1e-5)
            op = 'FixedUnigramCandidateSampler'
            yield Case(op, [true], attrs, unigrams=weights, runs=3, tolerance=1e-5)
            yield Case(op, [true], attrs, unigrams=weights, distortion=0.75, runs=2, tolerance=1e-5)
            yield Case(op, [true], attrs, unigrams=weights[:8], num_reserved_ids=2, runs=2, tolerance=1e-5)
            yield Case(op, [true], dict(attrs, range_max=5, num_sampled=4), unigrams=weights, num_shards=2, shard=1,
                       tolerance=1e-5)
    attrs = dict(num_true=2, num_sampled=6, unique=True, range_max=10)
    yield Case('FixedUnigramCandidateSampler', [true], attrs)
    yield Case('FixedUnigramCandidateSampler', [true], attrs, unigrams=weights, vocab_file='words')
    for op in ('LearnedUnigramCandidateSampler', 'FixedUnigramCandidateSampler'):
        more = {'unigrams': weights} if op[0] == 'F' else {}
        yield Case(op, [true[0]], attrs, **more)
        yield Case(op, [true], dict(attrs, num_true=3), **more)
        yield Case(op, [true], dict(attrs, num_sampled=11), **more)
