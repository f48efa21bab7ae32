# cases_candidates.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Candidate samplers: equal seeds give equal candidates, run after run."""

import numpy as np

from record_ops import Case


def cases():
    classes = np.array([[0, 5], [9, 3], [1, 1]], np.int64)
    for op in ['UniformCandidateSampler', 'LogUniformCandidateSampler']:
        for unique in (False, True):
            for sampled, limit in [(8, 10), (10, 16), (40, 1000), (5, 2 ** 40)]:
                yield Case(op, [classes], num_true=2, num_sampled=sampled, unique=unique, range_max=limit, seed=3, seed2=4,
                           runs=3, tolerance=1e-6)
        yield Case(op, [classes], num_true=2, num_sampled=11, unique=True, range_max=10, seed=3)
        yield Case(op, [classes], num_true=3, num_sampled=4, unique=True, range_max=10, seed=3)
        yield Case(op, [classes[0]], num_true=2, num_sampled=4, unique=True, range_max=10, seed=3)
    yield Case('AllCandidateSampler', [classes], num_true=2, num_sampled=10, unique=True, seed=3)
    sampled = np.array([5, 7, 1, 5, 0], np.int64)
    yield Case('ComputeAccidentalHits', [classes, sampled], num_true=2)
    yield Case('ComputeAccidentalHits', [classes, sampled[:0]], num_true=2)
    yield Case('ComputeAccidentalHits', [classes, sampled], num_true=3)
    yield Case('ComputeAccidentalHits', [classes, sampled.reshape(5, 1)], num_true=2)
