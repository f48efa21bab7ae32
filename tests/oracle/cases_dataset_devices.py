# cases_dataset_devices.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets of several replicas: batches cut up, one iterator for several devices."""

import numpy as np

from cases_dataset import I64, Pipe, i64, take, values
from record_ops import Out


def cut():
    for op in ('RebatchDataset', 'ExperimentalRebatchDataset'):
        for n, size, replicas in ((10, 4, 2), (10, 4, 3), (3, 8, 5), (4, 4, 1)):
            yield from take(lambda p: p.ds(op, [p.ds('BatchDataset', [p.range(n), i64(size)], [I64]), i64(replicas)], [I64]),
                            1, 3, -(-n // size) * replicas, -(-n // size) * replicas + 1)
        yield from take(lambda p: p.ds(op, [p.range(3), i64(2)], [I64]), 1)
        for bad in (i64(0), i64(-3), i64([1])):
            yield from take(lambda p: p.ds(op, [p.range(3), bad], [I64]), 1)
    t = [values('string', [5, 2]), values('float32', [2, 3]), values('int32', [0, 1])]
    for n in range(1, 5):
        yield from take(lambda p: p.ds('RebatchDataset', [p.add('TensorDataset', [t], Toutput_types=['string', 'float32', 'int32'],
                                                                output_shapes=[list(x.shape) for x in t]), i64(3)],
                                       ['string', 'float32', 'int32'], use_fallback=False), n)


class Devices(Pipe):
    """An iterator of several devices, initialised on a dataset."""

    def start(self, d, n=2, types=(I64,), anonymous=False):
        attrs = dict(devices=['/cpu:0'] * n, output_types=list(types), output_shapes=[None] * len(types))
        if anonymous:
            it = self.add('AnonymousMultiDeviceIterator', **attrs)
        else:
            it = self.add('MultiDeviceIterator', shared_name='', container='', **attrs)
        return it, self.add('MultiDeviceIteratorInit', [d, it, i64(9)])

    def get(self, it, shard, id_, types=(I64,)):
        return self.add('MultiDeviceIteratorGetNextFromShard', [it, np.int32(shard), id_], output_types=list(types),
                        output_shapes=[None] * len(types))


def turns():
    for order in ([0], [1], [0, 1], [1, 0], [0, 0, 1, 1], [1, 1, 0], [0, 1, 0, 1, 0], [1, 0, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1]):
        p = Devices()
        it, id_ = p.start(p.range(5))
        for shard in order:
            p.get(it, shard, id_)
        yield p.case()
    p = Devices()
    it, id_ = p.start(p.range(5), 3)
    p.get(it, 2, id_)
    it, id_ = it, p.add('MultiDeviceIteratorInit', [p.range(4), it, i64(1)])
    p.get(it, 0, id_)
    yield p.case()
    p.get(it, 1, i64(1))
    yield p.case()
    p = Devices()
    it = p.add('MultiDeviceIterator', devices=['/cpu:0'], shared_name='', container='', output_types=['float32'], output_shapes=[None])
    p.add('MultiDeviceIteratorInit', [p.ds('RangeDataset', [i64(0), i64(3), i64(1)], [I64], [[]]), it, i64(1)])
    yield p.case()
    for n in (1, 2):
        p = Devices()
        it, id_ = p.start(p.range(3), n, anonymous=True)
        p.get(it, 0, id_)
        p.get(it, n - 1, id_)
        # What deletes it is held until the end: without, TensorFlow is done with it before it is asked.
        p.add('DeleteMultiDeviceIterator', [it, [], Out(it.node, 1)], N=0)
        yield p.case()
    for types in ([I64], ['float32'], []):
        p = Devices()
        it, id_ = p.start(p.range(3))
        text = p.add('MultiDeviceIteratorToStringHandle', [it])
        again = p.add('MultiDeviceIteratorFromStringHandle', [text], output_types=types, output_shapes=[None] * len(types))
        p.get(again, 1, id_)
        yield p.case(meaningless=(('op%d' % text.node, 0),))
    p = Devices()
    p.add('MultiDeviceIteratorFromStringHandle', [np.array('garbage', object)])
    yield p.case()


def cases():
    for part in (cut, turns):
        for case in part():
            yield case
