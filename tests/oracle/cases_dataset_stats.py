# cases_dataset_stats.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What is measured while a dataset gives elements. Times are another each time: they are not here."""

import numpy as np

from cases_dataset import I64, Pipe, i64
from samples import values

count = [0]


def s(x):
    return np.array(x, object)


class Measured(Pipe):
    def __init__(self, old=False):
        Pipe.__init__(self)
        count[0] += 1
        self.prefix = 'Experimental' if old else ''
        self.aggregator = self.add(self.prefix + 'StatsAggregatorHandle', [], shared_name='stats%d' % count[0], container='')

    def bytes(self, d, tag='bytes'):
        return self.ds(self.prefix + 'BytesProducedStatsDataset', [d, s(tag)], self.types, self.shapes)

    def keep(self, d, tag='', prefix=''):
        return self.ds(self.prefix + 'SetStatsAggregatorDataset', [d, self.aggregator, s(tag), s(prefix)], self.types, self.shapes)

    def summary(self):
        self.add(self.prefix + 'StatsAggregatorSummary', [self.aggregator])
        return self.case()

    def told(self, d, n):
        self.iterate(d, n)
        return self.summary()


def cases():
    yield Measured().summary()
    for old in (False, True):
        for n in (1, 3):
            p = Measured(old)
            yield p.told(p.keep(p.bytes(p.range(5))), n)
        p = Measured(old)
        yield p.told(p.keep(p.bytes(p.range(5)), 'mine', 'pre'), 2)
        p = Measured(old)
        yield p.run(p.keep(p.bytes(p.range(2))), 3)
        p = Measured(old)
        yield p.run(p.ds(p.prefix + 'LatencyStatsDataset', [p.range(3), s('time')], p.types), 4)
    for shapes in (([4], [4, 3]), ([3, 2], [3, 0])):
        p = Measured()
        yield p.told(p.keep(p.bytes(p.slices(values('float32', shapes[0]), values('string', shapes[1])))), 2)
    p = Measured()
    yield p.told(p.keep(p.bytes(p.bytes(p.range(5)), 'second')), 2)
    p = Measured()
    yield p.told(p.bytes(p.range(5)), 2)
    p = Measured()
    yield p.told(p.keep(p.bytes(p.ds('TakeDataset', [p.range(5), i64(2)], [I64]))), 2)
    p = Measured()
    yield p.told(p.keep(p.bytes(p.range(5)), ['a']), 1)
    p = Measured()
    yield p.told(p.keep(p.bytes(p.range(5)), 'a', ['b']), 1)
    p = Measured()
    yield p.told(p.keep(p.bytes(p.range(5), ['tag'])), 1)
