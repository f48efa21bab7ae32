# cases_dataset_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets that TensorFlow 1.15 does not have and graphs of later producers hold."""

import numpy as np

from cases_dataset import I64, i64, take

TENSORFLOW = '2.15'


def cases():
    names = np.array([], object)
    yield from take(lambda p: p.ds('OptionsDataset', [p.range(3)], [I64], serialized_options=''), 3, 4)
    yield from take(lambda p: p.ds('FinalizeDataset', [p.range(3)], [I64]), 3, 4)
    yield from take(lambda p: p.ds('OptimizeDatasetV2', [p.range(3), names, names, names], [I64]), 3, 4)
    for n in (3, 2, 4, 1):
        yield from take(lambda p: p.ds('AssertCardinalityDataset', [p.range(3), i64(n)], [I64]), 1, 2, 3, 4)
    for drop in (False, True):
        yield from take(lambda p: p.ds('ParallelBatchDataset', [p.range(5), i64(2), i64(1), np.array(drop)], [I64]), 2, 3, 4)
    for reshuffle in (True, False):
        for n, size in ((10, 3), (5, 9)):
            yield from take(lambda p: p.ds('RepeatDataset', [p.ds(
                'ShuffleDatasetV3', [p.range(n), i64(size), i64(3), i64(4), p.add('DummySeedGenerator')], [I64],
                reshuffle_each_iteration=reshuffle), i64(2)], [I64]), 2 * n, 2 * n + 1)
    yield from take(lambda p: p.ds('RepeatDataset', [p.ds(
        'CacheDatasetV2', [p.range(3), np.array('', object), p.add('DummyMemoryCache')], [I64]), i64(2)], [I64]), 6, 7)
    for reshuffle in (True, False):
        for n, size in ((10, 3), (5, 9), (6, 4)):
            yield from take(lambda p: p.ds('ShuffleAndRepeatDataset', [p.range(n), i64(size), i64(3), i64(4), i64(3)], [I64],
                                           reshuffle_each_iteration=reshuffle), 3 * n, 3 * n + 1)
    yield from take(lambda p: p.ds('RewriteDataset', [p.range(3), np.array('none', object)], [I64]), 3, 4)
