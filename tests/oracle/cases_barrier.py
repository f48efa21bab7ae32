# cases_barrier.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Only what never waits: TensorFlow would wait for ever."""

import numpy as np

from cases_reader import Chain
from samples import values

count = [0]


class B(Chain):
    def __init__(self, types=('float32', 'int32'), shapes=((), (2,))):
        Chain.__init__(self)
        count[0] += 1
        self.types = list(types)
        self.b = self.add('Barrier', [], component_types=self.types, shapes=[list(s) for s in shapes],
                          shared_name='barrier%d' % count[0])

    def put(self, i, keys, v):
        self.add('BarrierInsertMany', [self.b, np.array(keys, object), v], component_index=i)
        return self

    def take(self, n, types=None, **attrs):
        self.add('BarrierTakeMany', [self.b, np.array(n, 'int32')], component_types=types or self.types, **attrs)
        return self

    def close(self, cancel=False):
        self.add('BarrierClose', [self.b], cancel_pending_enqueues=cancel)
        return self

    def size(self, which):
        self.add('Barrier%sSize' % which, [self.b])
        return self


def cases():
    keys = ['a', 'b', 'c']
    x = np.array([1, 2, 3], 'float32')
    y = np.arange(6, dtype='int32').reshape(3, 2)
    for which in ('Ready', 'Incomplete'):
        yield B().size(which).case()
        yield B().put(0, keys, x).size(which).case()
        yield B().put(0, keys, x).put(1, keys[1:], y[1:]).size(which).case()
        yield B().put(0, keys, x).put(1, keys[1:], y[1:]).close(True).size(which).case()
    yield B().put(0, keys, x).put(1, keys, y).take(2).take(1).case()
    yield B().put(0, keys, x).put(1, keys[::-1], y).take(3).case()
    yield B().put(1, keys[1:], y[1:]).put(0, keys, x).put(1, keys[:1], y[:1]).take(3).case()
    yield B().put(0, keys, x).put(0, keys, x).case()
    yield B().put(0, keys, x).put(1, keys, y).put(0, keys, x).size('Incomplete').case()
    yield B().put(0, keys, x).put(1, keys, y).close().take(3).case()
    yield B().put(0, keys, x).put(1, keys, y).close().take(4).case()
    yield B().put(0, keys, x).put(1, keys, y).close().take(4, allow_small_batch=True).case()
    yield B().close().take(1).case()
    yield B().close().take(1, allow_small_batch=True).case()
    yield B().put(0, keys, x).close().put(1, keys, y).take(3).case()
    yield B().put(0, keys, x).close().put(0, ['new'], x[:1]).case()
    yield B().put(0, keys, x).close(True).put(1, keys, y).case()
    yield B().close().close().case()
    yield B().close().put(0, keys, x).case()
    yield B().close().put(0, keys[:0], x[:0]).case()
    # What does not fit together TensorFlow takes, and reads what is not there.
    yield B().put(2, keys, x).case()
    yield B().put(1, keys, np.zeros((3, 0), 'int32')).case()
    yield B().take(0).case()
    yield B(['string'], [()]).put(0, keys, np.array(['x', 'y', 'z'], object)).take(3).case()
    yield B(['float32'], [(2, 0)]).case()
    # A name is shared by those alone who ask for the same.
    for types, shapes in ((['int32'], [[]]), (['float32'] * 2, [[], []]), (['float32'], [[2]]), (['float32'], [[]])):
        shared = B(['float32'], [()])
        shared.add('Barrier', [], component_types=types, shapes=shapes, shared_name='barrier%d' % count[0])
        yield shared.size('Ready').case()
