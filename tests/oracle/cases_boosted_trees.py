# cases_boosted_trees.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Buckets of features."""

import numpy as np

from record_ops import Case
from samples import INF, NAN, values


def cases():
    f = np.float32
    bounds = np.array([-1, 0, 0.5, 2], f)
    x = np.array([-5, -1, -0.5, 0, 0.25, 0.5, 2, 3, NAN, INF, -INF], f)
    yield Case('BoostedTreesBucketize', [[x], [bounds]])
    yield Case('BoostedTreesBucketize', [[x, values('float32', [7])], [bounds, np.array([0], f)]])
    yield Case('BoostedTreesBucketize', [[x[:0]], [bounds]])
    yield Case('BoostedTreesBucketize', [[x], [np.array([1, 1, 1], f)]])
    for bad in ([[x.reshape(11, 1)], [bounds]], [[x], [bounds.reshape(2, 2)]]):
        yield Case('BoostedTreesBucketize', bad)
